//! Whether a solve must stop.

use std::time::Instant;

use crate::budget::Budget;
use crate::solution::StopReason;

/// A budget whose clock runs.
#[derive(Debug)]
pub(crate) struct Limits<'b> {
    budget: &'b Budget,
    began: Instant,
}

impl<'b> Limits<'b> {
    pub(crate) fn start(budget: &'b Budget) -> Self {
        Self {
            budget,
            began: Instant::now(),
        }
    }

    /// Bytes of costs that may be kept.
    pub(crate) fn memory(&self) -> usize {
        self.budget.memory.unwrap_or(usize::MAX)
    }

    /// The limit that `work` arc visits and the time so far exceed, if any.
    pub(crate) fn reached(&self, work: u64) -> Option<StopReason> {
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
