//! Whether a solve must stop, and who hears how far it is.

use core::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::budget::Budget;
use crate::progress::{Observer, Progress, Stage};
use crate::solution::StopReason;

/// A budget whose clock runs.
#[derive(Debug)]
pub(crate) struct Limits<'b> {
    budget: &'b Budget,
    began: Instant,
    /// Work before that of which [`reached`](Self::reached) is told.
    spent: u64,
    ear: Option<Ear<'b>>,
}

/// What an engine tells of itself where it looks at its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glimpse {
    pub(crate) stage: Stage,
    /// Vertices or trees.
    pub(crate) left: Option<usize>,
    /// `sum y + sum z`, where that is known and holds for all edges.
    pub(crate) doubled_bound: Option<i128>,
}

/// Makes of `sum y + sum z` a bound in the caller's terms.
type Translation<'b> = &'b (dyn Fn(i128) -> Option<f64> + Sync);

/// Who listens, and what it takes to tell.
struct Ear<'b> {
    observer: &'b Observer,
    /// Work of the parts of the solve that have ended.
    done: AtomicU64,
    translation: Option<Translation<'b>>,
}

impl fmt::Debug for Ear<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ear").field("done", &self.done).finish_non_exhaustive()
    }
}

impl<'b> Limits<'b> {
    pub(crate) fn start(budget: &'b Budget) -> Self {
        Self {
            budget,
            began: Instant::now(),
            spent: 0,
            ear: None,
        }
    }

    /// The same limits, and somebody who hears of each look at them.
    pub(crate) fn heard_by(self, observer: Option<&'b Observer>) -> Self {
        Self {
            ear: observer.map(|observer| Ear {
                observer,
                done: AtomicU64::new(0),
                translation: None,
            }),
            ..self
        }
    }

    /// The same limits for a search on all edges, whose duals are a bound in the caller's terms.
    pub(crate) fn with_bounds<'s>(&'s self, translation: Translation<'s>) -> Limits<'s> {
        self.of_part(self.spent, Some(translation))
    }

    /// The same limits for a search, when so much work was for nothing before.
    pub(crate) fn after(&self, spent: u64) -> Limits<'_> {
        self.of_part(
            self.spent.saturating_add(spent),
            self.ear.as_ref().and_then(|ear| ear.translation),
        )
    }

    fn of_part<'s>(&'s self, spent: u64, translation: Option<Translation<'s>>) -> Limits<'s> {
        Limits {
            budget: self.budget,
            began: self.began,
            spent,
            ear: self.ear.as_ref().map(|ear| Ear {
                observer: ear.observer,
                done: AtomicU64::new(ear.done.load(Ordering::Relaxed)),
                translation,
            }),
        }
    }

    /// What is left of the budget, for a part of the solve that has a clock of its own.
    pub(crate) fn left(&self) -> Budget {
        self.budget.after(self.spent, self.began.elapsed())
    }

    /// Time since the solve began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Bytes of costs that may be kept.
    pub(crate) fn memory(&self) -> usize {
        self.budget.memory.unwrap_or(usize::MAX)
    }

    /// Whether there is somebody to be told of bounds, who knows what they mean.
    pub(crate) fn asks_for_bounds(&self) -> bool {
        self.ear.as_ref().is_some_and(|ear| ear.translation.is_some())
    }

    /// A part of the solve has ended that took so much work.
    pub(crate) fn count(&self, work: u64) {
        if let Some(ear) = &self.ear {
            ear.done.fetch_add(work, Ordering::Relaxed);
        }
    }

    /// Tells whoever listens how far it is, `work` into the present part.
    pub(crate) fn tell(&self, work: u64, glimpse: impl FnOnce() -> Glimpse) {
        if let Some(ear) = &self.ear {
            let glimpse = glimpse();
            let bound = glimpse.doubled_bound.zip(ear.translation);
            ear.observer.hear(&Progress {
                stage: glimpse.stage,
                left: glimpse.left,
                bound: bound.and_then(|(bound, translation)| translation(bound)),
                work: ear.done.load(Ordering::Relaxed).saturating_add(work),
                elapsed: self.began.elapsed(),
            });
        }
    }

    /// [`reached`](Self::reached), once it was told how far it is: who listens may cancel.
    pub(crate) fn look(&self, work: u64, glimpse: impl FnOnce() -> Glimpse) -> Option<StopReason> {
        self.tell(work, glimpse);
        self.reached(work)
    }

    /// The limit that `work` arc visits and the time so far exceed, if any.
    pub(crate) fn reached(&self, work: u64) -> Option<StopReason> {
        let work = self.spent.saturating_add(work);
        if self.budget.work.is_some_and(|limit| work > limit) {
            return Some(StopReason::WorkLimit);
        }
        if self.budget.cancel.as_ref().is_some_and(|token| token.is_cancelled()) {
            return Some(StopReason::Cancelled);
        }
        if self.budget.time.is_some_and(|limit| self.began.elapsed() > limit) {
            return Some(StopReason::TimeLimit);
        }
        None
    }
}
