//! What is seen of a running search: the best total by time, for those who watch and for a picture.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use matching_heuristics as search;

use super::problem::{Scale, Sense};
use crate::cli::output::Progress;
use crate::cli::text::float;

/// Lines that people read are not written more often than this.
const PAUSE: Duration = Duration::from_millis(100);

/// A total, and when it was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// From the start of the search.
    pub(super) seconds: f64,
    /// In the input's units and sense.
    pub(super) total: f64,
}

/// Somebody who watches all walks of a search.
pub(super) struct Watch<'a> {
    progress: &'a Progress,
    scale: Scale,
    sense: Sense,
    seen: Mutex<Seen>,
}

#[derive(Debug)]
struct Seen {
    /// Least cost so far, as the search counts it.
    best: f64,
    points: Vec<Point>,
    /// When a line was written last.
    shown: Option<Duration>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(progress: &'a Progress, scale: Scale, sense: Sense) -> Self {
        Self {
            progress,
            scale,
            sense,
            seen: Mutex::new(Seen {
                best: f64::INFINITY,
                points: Vec::new(),
                shown: None,
            }),
        }
    }

    /// One walk has found something better than it had; others may know better.
    pub(super) fn see(&self, found: &search::Progress) {
        self.note(found.cost, found.elapsed);
    }

    fn note(&self, cost: f64, elapsed: Duration) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if cost >= seen.best {
            return;
        }
        seen.best = cost;
        let total = self.sense.apply(cost) / self.scale.divisor().to_f64();
        let seconds = elapsed.as_secs_f64();
        seen.points.push(Point { seconds, total });
        if seen.shown.is_none_or(|shown| elapsed >= shown + PAUSE) {
            seen.shown = Some(elapsed);
            self.progress.update(&format!("{} after {seconds:.1} s", float(total)));
        }
    }

    /// What was seen, each point better than the one before.
    pub(super) fn finish(self) -> Vec<Point> {
        self.progress.end_updates();
        self.seen.into_inner().unwrap_or_else(PoisonError::into_inner).points
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Point, Watch};
    use crate::cli::group::problem::{Scale, Sense};
    use crate::cli::output::Progress;

    #[test]
    fn only_what_beats_all_walks_is_kept_in_the_input_s_units() {
        let progress = Progress::new(true);
        let watch = Watch::new(&progress, Scale::of_decimals(1), Sense::Maximize);
        for (cost, millis) in [(-50.0, 0), (-40.0, 1), (-60.0, 500), (-60.0, 600)] {
            watch.note(cost, Duration::from_millis(millis));
        }
        let point = |seconds, total| Point { seconds, total };
        assert_eq!(watch.finish(), [point(0.0, 5.0), point(0.5, 6.0)]);
    }
}
