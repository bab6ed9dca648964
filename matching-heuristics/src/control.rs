//! When to stop.

use core::fmt;
use std::time::{Duration, Instant};

use matching_core::{Budget, CancelToken};

use crate::error::Error;
use crate::layout::Layout;
use crate::progress::{Incumbent, Observer, Progress};

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Stop {
    /// The engine came to its own end, whatever the limits: nobody can move, or all groupings cost the same.
    Finished,
    /// The work was spent, or so much of it that the rest is not enough for anything better: most engines plan ahead, and
    /// end just before the budget does. The same seed gives the same answer everywhere.
    Work,
    /// The time was spent, likewise.
    Time,
    /// Somebody cancelled.
    Cancelled,
    /// The target was reached.
    Target,
    /// All groupings were tried: there is none that costs less.
    Exhausted,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Finished => "it came to its own end",
            Self::Work => "the work was spent",
            Self::Time => "the time was spent",
            Self::Cancelled => "it was cancelled",
            Self::Target => "the target was reached",
            Self::Exhausted => "all groupings were tried",
        })
    }
}

/// Limits of a whole search.
#[derive(Clone, Default)]
pub(crate) struct Limits<'a> {
    pub(crate) work: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) cancel: Option<CancelToken>,
    /// Bytes for tables of pairs.
    pub(crate) memory: Option<usize>,
    pub(crate) target: Option<Target<'a>>,
    pub(crate) observer: Option<&'a Observer<'a>>,
    pub(crate) incumbent: Option<Incumbent>,
    /// Groups of what is shown there; the bench comes behind them.
    pub(crate) costly: usize,
    /// Set when a cost turns out not to be a number.
    pub(crate) failed: CancelToken,
    /// Set when any walk has reached the target.
    pub(crate) reached: CancelToken,
}

/// What is good enough.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    /// Its nearest float: whatever costs more than this for certain is not.
    pub(crate) near: f64,
    /// Whether groups, and last the bench, are, by the caller's own costs: engines know those rounded.
    pub(crate) is_met: &'a (dyn Fn(&[Vec<usize>]) -> bool + Sync + 'a),
}

/// Bytes for tables of pairs where nothing is said of them.
const MEMORY: u64 = 16 << 30;
/// Bytes for each two units, in either order: what they cost, and either whether they must be apart or what they cost in
/// a byte.
const PAIR_BYTES: u64 = 5;
/// Bytes for what each unit would pay in each group.
const GAIN_BYTES: u64 = 4;

impl Limits<'_> {
    /// Takes the limits of a budget, and no others of their kinds.
    pub(crate) fn take(&mut self, budget: &Budget) {
        self.work = budget.work_limit();
        self.time = budget.time_limit();
        self.cancel = budget.cancel_token().cloned();
        self.memory = budget.memory_limit();
    }

    /// Whether tables of all pairs may be made.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn check_memory(&self, layout: &Layout) -> Result<(), Error> {
        // Of either there are 2²⁴ at most.
        let (units, groups) = (layout.units() as u64, layout.groups() as u64);
        let bytes = units * (PAIR_BYTES * units + GAIN_BYTES * groups);
        let limit = self.memory.map_or(MEMORY, |memory| memory as u64);
        if bytes > limit {
            let limit = Some(limit);
            return Err(Error::OutOfMemory { bytes, limit });
        }
        Ok(())
    }

    /// Whether groups of this cost, which is known as well as `rounding` says, are as good as was asked for.
    pub(crate) fn are_met(&self, cost: f64, rounding: f64, groups: &dyn Fn() -> Vec<Vec<usize>>) -> bool {
        let is_met = |target: Target<'_>| cost - rounding <= target.near && (target.is_met)(&groups());
        self.target.is_some_and(is_met)
    }

    /// Whether anybody wants to know of better groupings.
    fn is_heard(&self) -> bool {
        self.target.is_some() || self.incumbent.is_some() || self.observer.is_some()
    }

    /// Whether somebody has cancelled, or a cost was no number.
    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.failed.is_cancelled() || self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }
}

/// How much of the limits one walk gets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) work: Option<u64>,
    pub(crate) end: Option<Instant>,
}

impl Share {
    /// All of it, for a search that begins now.
    pub(crate) fn all(limits: &Limits<'_>, start: Instant) -> Self {
        Self {
            work: limits.work,
            // A time beyond what the clock can say never comes.
            end: limits.time.and_then(|time| start.checked_add(time)),
        }
    }

    /// A part of the work, and of the time that is left.
    pub(crate) fn part(&self, of_work: f64, of_time: f64) -> Self {
        let now = Instant::now();
        Self {
            // A little more, as 49 times a 49th is below 1.
            work: self
                .work
                .map(|work| (work as f64 * of_work * (1.0 + 2.0 * f64::EPSILON)) as u64),
            end: self
                .end
                .and_then(|end| after(now, end.saturating_duration_since(now), of_time.min(1.0))),
        }
    }
}

/// When a part of a time will be over, if ever: the clock does not say any time.
fn after(now: Instant, time: Duration, part: f64) -> Option<Instant> {
    let seconds = Duration::try_from_secs_f64(time.as_secs_f64() * part).ok()?;
    now.checked_add(seconds)
}

/// What one walk may use, and has used.
pub(crate) struct Control<'a> {
    limits: &'a Limits<'a>,
    /// When the search began.
    start: Instant,
    walk: usize,
    share: Share,
    work: u64,
    next_look: u64,
    /// Evaluations between two looks at the clock: at most, and as these take their time.
    most_stride: u64,
    stride: u64,
    /// When the clock was looked at last, and how many evaluations there were then.
    last_look: (Instant, u64),
    /// The best grouping that anybody was told of, by [`Score::order`](crate::score::Score::order).
    told: Option<i128>,
    stop: Option<Stop>,
    /// The limit at which the last stage of the walk was planned to end, and has.
    planned: Option<Stop>,
}

/// Time between two looks at the clock, about, where evaluations take long.
const PERIOD: Duration = Duration::from_millis(2);

impl<'a> Control<'a> {
    /// For one walk; `most_stride` evaluations take well below a millisecond, unless the caller's cost is slow.
    pub(crate) fn new(limits: &'a Limits<'a>, start: Instant, walk: usize, most_stride: u64, share: Share) -> Self {
        Self {
            limits,
            start,
            walk,
            share,
            work: 0,
            next_look: 0,
            most_stride,
            stride: 1,
            last_look: (start, 0),
            told: None,
            stop: None,
            planned: None,
        }
    }

    /// A share of what is left: this part of it, for the next stage.
    pub(crate) fn stage(&self, part: f64) -> Stage {
        let now = Instant::now();
        Stage {
            end: self
                .share
                .end
                .and_then(|end| after(now, end.saturating_duration_since(now), part)),
            begin: now,
            work_begin: self.work,
            work_end: self
                .share
                .work
                .map(|end| self.work + (end.saturating_sub(self.work) as f64 * part) as u64),
        }
    }

    /// Counts evaluations; `false` once the walk must stop.
    #[inline]
    pub(crate) fn spend(&mut self, evaluations: u64) -> bool {
        self.work += evaluations;
        // The clock is slow to read, the token is not.
        if self.work >= self.next_look || self.limits.is_cancelled() {
            self.look();
        }
        self.stop.is_none()
    }

    fn look(&mut self) {
        let now = self.share.end.map(|_| Instant::now());
        self.stride = now.map_or(self.most_stride, |now| self.pace(now));
        self.next_look = self.work + self.stride;
        if let Some(end) = self.share.work {
            self.next_look = self.next_look.min(end.max(self.work + 1));
        }
        let reason = if self.limits.is_cancelled() {
            Some(Stop::Cancelled)
        } else if self.limits.reached.is_cancelled() {
            Some(Stop::Target)
        } else if self.share.work.is_some_and(|end| self.work >= end) {
            Some(Stop::Work)
        } else if now.is_some() && now >= self.share.end {
            Some(Stop::Time)
        } else {
            None
        };
        self.stop = self.stop.or(reason);
    }

    /// How many evaluations to make before the next look: what a period has room for if they go on as they went, and
    /// not many more than before, as a cost may be slow.
    fn pace(&mut self, now: Instant) -> u64 {
        let (last, before) = self.last_look;
        let (time, done) = (now.saturating_duration_since(last), self.work - before);
        if done == 0 {
            return self.stride;
        }
        self.last_look = (now, self.work);
        let per_period = done as f64 * PERIOD.as_secs_f64() / time.as_secs_f64().max(1e-9);
        (per_period as u64).clamp(1, self.most_stride.min(8 * self.stride))
    }

    /// Goes on after the end of a share: another amount of work from here on, up to another end. What was cancelled, or
    /// has reached the target, stays stopped.
    pub(crate) fn go_on(&mut self, share: Share) {
        self.share = Share {
            work: share.work.map(|work| self.work + work),
            end: share.end,
        };
        self.next_look = self.work;
        self.stop = self.stop.filter(|stop| matches!(stop, Stop::Cancelled | Stop::Target));
    }

    /// Whether somebody has cancelled, or a cost was no number. Quick enough to be asked before every move.
    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.limits.is_cancelled()
    }

    /// Whether the time is over within a step, after so many evaluations of it. The clock is looked at only where they
    /// are so slow that a period has no room for more.
    #[inline]
    pub(crate) fn is_late(&self, made: u64) -> bool {
        let is_slow = self.stride < self.most_stride;
        is_slow && self.stride <= made && self.share.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Evaluations that are left, if they are limited.
    pub(crate) fn left(&self) -> u64 {
        self.share.work.map_or(u64::MAX, |end| end.saturating_sub(self.work))
    }

    /// Time that is left, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.share.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether the walk was found to have to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some()
    }

    /// Whether the walk must stop, by a fresh look.
    pub(crate) fn is_over(&mut self) -> bool {
        self.look();
        self.stop.is_some()
    }

    /// Whether there is somebody to be told of a grouping that has this place among all.
    pub(crate) fn is_news(&self, order: i128) -> bool {
        self.limits.is_heard() && self.told.is_none_or(|told| order < told)
    }

    /// Tells of the best grouping of this walk, which is news, and has this place among all. What it costs is known as
    /// well as `rounding` says.
    pub(crate) fn tell(&mut self, order: i128, cost: f64, rounding: f64, groups: impl Fn() -> Vec<Vec<usize>>) {
        self.told = Some(order);
        if self.limits.are_met(cost, rounding, &groups) {
            self.limits.reached.cancel();
            // What was found with the last of the budget counts as well.
            self.stop = self.stop.filter(|stop| *stop == Stop::Cancelled).or(Some(Stop::Target));
        }
        if let Some(incumbent) = &self.limits.incumbent {
            incumbent.offer(order, cost, self.limits.costly, groups);
        }
        if let Some(observer) = self.limits.observer {
            observer(&Progress {
                cost,
                work: self.work,
                elapsed: self.start.elapsed(),
                walk: self.walk,
            });
        }
    }

    /// Notes the limit that has ended the last stage of a walk: it is what ends the walk, which leaves the rest for a climb
    /// that may come to its own end.
    pub(crate) fn note_end(&mut self, stage: &Stage) {
        let (work, time) = stage.parts(self);
        self.planned = if work >= 1.0 {
            Some(Stop::Work)
        } else {
            (time >= 1.0).then_some(Stop::Time)
        };
    }

    /// Evaluations so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// What ended it, if it was not its own end.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.stop.or(self.planned)
    }
}

/// A stretch of a walk with its own end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stage {
    begin: Instant,
    end: Option<Instant>,
    work_begin: u64,
    work_end: Option<u64>,
}

impl Stage {
    /// The same without its limit in time, if it has one in work: how far a short stage has come is then known without
    /// the clock, which takes long to read. Whoever walks is still stopped by [`Control::spend`].
    pub(crate) fn by_work(self) -> Self {
        let end = self.end.filter(|_| self.work_end.is_none());
        Self { end, ..self }
    }

    /// How much of the stage is over, from 0 to 1 and above.
    pub(crate) fn done(&self, control: &Control<'_>) -> f64 {
        let (work, time) = self.parts(control);
        work.max(time)
    }

    /// How much of its work is over and how much of its time; 0 where there is no limit.
    pub(crate) fn parts(&self, control: &Control<'_>) -> (f64, f64) {
        let work = self.work_end.map_or(0.0, |end| {
            (control.work - self.work_begin) as f64 / end.saturating_sub(self.work_begin).max(1) as f64
        });
        let time = self.end.map_or(0.0, |end| {
            let length = end.saturating_duration_since(self.begin).as_secs_f64();
            self.begin.elapsed().as_secs_f64() / length.max(1e-9)
        });
        (work, time)
    }

    /// Evaluations that are left, if they are limited.
    pub(crate) fn left(&self, control: &Control<'_>) -> u64 {
        self.work_end.map_or(u64::MAX, |end| end.saturating_sub(control.work))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_parts_are_whole() {
        for walks in 1..2000_u64 {
            for each in [1, 2, 3, 1000, 1 << 20] {
                let all = Share {
                    work: Some(each * walks),
                    end: None,
                };
                assert_eq!(all.part(1.0 / walks as f64, 1.0).work, Some(each), "{walks} walks");
            }
        }
    }
}
