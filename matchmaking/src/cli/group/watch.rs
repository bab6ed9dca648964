//! What is seen of a running solve: the best total and what it cannot beat, by time, for those who watch and for a
//! picture.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::problem::{Scale, Sense};
use crate::cli::output::Progress;
use crate::cli::text::{float, gap};

/// Lines that people read are not written more often than this.
const PAUSE: Duration = Duration::from_millis(100);

/// A total, and when it was known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// From the start of the first search.
    pub(super) seconds: f64,
    /// In the input's units and sense.
    pub(super) total: f64,
}

/// What was seen, each point better than the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct History {
    /// Totals of groups that were found.
    pub(super) totals: Vec<Point>,
    /// What no groups can beat.
    pub(super) bounds: Vec<Point>,
}

/// Somebody who watches all walks of a search, and all steps of a proof.
pub(super) struct Watch<'a> {
    progress: &'a Progress,
    scale: Scale,
    sense: Sense,
    start: Instant,
    seen: Mutex<Seen>,
}

#[derive(Debug)]
struct Seen {
    /// Least cost so far, as the search counts it.
    best: f64,
    /// Greatest bound so far.
    bound: f64,
    history: History,
    /// When a line was written last.
    shown: Option<Duration>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(progress: &'a Progress, scale: Scale, sense: Sense) -> Self {
        Self {
            progress,
            scale,
            sense,
            start: Instant::now(),
            seen: Mutex::new(Seen {
                best: f64::INFINITY,
                bound: f64::NEG_INFINITY,
                history: History::default(),
                shown: None,
            }),
        }
    }

    /// Somebody has found groups of this cost; others may know better.
    pub(super) fn total(&self, cost: f64) {
        self.note(Some(cost), None, self.start.elapsed());
    }

    /// No groups cost less than this.
    pub(super) fn bound(&self, cost: f64) {
        self.note(None, Some(cost), self.start.elapsed());
    }

    fn note(&self, cost: Option<f64>, bound: Option<f64>, elapsed: Duration) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let point = |cost: f64| Point {
            seconds: elapsed.as_secs_f64(),
            total: self.sense.apply(cost) / self.scale.divisor().to_f64(),
        };
        let better = cost.filter(|&cost| cost < seen.best);
        let closer = bound.filter(|&bound| bound > seen.bound);
        if let Some(cost) = better {
            seen.best = cost;
            seen.history.totals.push(point(cost));
        }
        if let Some(bound) = closer {
            seen.bound = bound;
            seen.history.bounds.push(point(bound));
        }
        let is_new = better.is_some() || closer.is_some();
        if is_new && seen.shown.is_none_or(|shown| elapsed >= shown + PAUSE) {
            seen.shown = Some(elapsed);
            self.progress.update(&line(&seen.history, self.sense, elapsed));
        }
    }

    /// What was seen.
    pub(super) fn finish(self) -> History {
        self.progress.end_updates();
        self.seen.into_inner().unwrap_or_else(PoisonError::into_inner).history
    }
}

/// How it stands.
fn line(history: &History, sense: Sense, elapsed: Duration) -> String {
    let last = |points: &[Point]| points.last().map(|point| point.total);
    let limit = match sense {
        Sense::Minimize => "at least",
        Sense::Maximize => "at most",
    };
    let known = match (last(&history.totals), last(&history.bounds)) {
        (Some(total), Some(bound)) => {
            let percent = 100.0 * gap(total, bound);
            format!("{}, {limit} {} (gap {percent:.2} %)", float(total), float(bound))
        }
        (Some(total), None) => float(total),
        (None, Some(bound)) => format!("{limit} {}", float(bound)),
        (None, None) => String::new(),
    };
    format!("{known} after {:.1} s", elapsed.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{History, Point, Watch, line};
    use crate::cli::group::problem::{Scale, Sense};
    use crate::cli::output::Progress;

    fn point(seconds: f64, total: f64) -> Point {
        Point { seconds, total }
    }

    #[test]
    fn only_what_beats_all_walks_is_kept_in_the_input_s_units() {
        let progress = Progress::new(true);
        let watch = Watch::new(&progress, Scale::of_decimals(1), Sense::Maximize);
        for (cost, millis) in [(-50.0, 0), (-40.0, 1), (-60.0, 500), (-60.0, 600)] {
            watch.note(Some(cost), None, Duration::from_millis(millis));
        }
        for (bound, millis) in [(-90.0, 700), (-95.0, 800), (-60.0, 900)] {
            watch.note(None, Some(bound), Duration::from_millis(millis));
        }
        let History { totals, bounds } = watch.finish();
        assert_eq!(totals, [point(0.0, 5.0), point(0.5, 6.0)]);
        assert_eq!(bounds, [point(0.7, 9.0), point(0.9, 6.0)]);
    }

    #[test]
    fn a_line_says_how_far_both_are_apart() {
        let mut history = History {
            totals: vec![point(0.0, 200.0)],
            bounds: Vec::new(),
        };
        let shown = |history: &History| line(history, Sense::Minimize, Duration::from_secs(2));
        assert_eq!(shown(&history), "200 after 2.0 s");
        history.bounds.push(point(1.0, 150.0));
        assert_eq!(shown(&history), "200, at least 150 (gap 25.00 %) after 2.0 s");
        let most = line(&history, Sense::Maximize, Duration::from_secs(2));
        assert!(most.contains("at most 150"), "{most}");
    }
}
