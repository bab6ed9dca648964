//! When an explanation ends.

use std::time::Instant;

use matching_core::{Budget, CancelToken};

use crate::control::Stop;

/// What may still be spent: a unit of work is an exchange that is looked at.
pub(super) struct Meter {
    left: Option<u64>,
    end: Option<Instant>,
    cancel: Option<CancelToken>,
    stop: Stop,
}

impl Meter {
    /// From now on.
    pub(super) fn start(budget: &Budget) -> Self {
        let end = budget.time_limit().map(|limit| Instant::now().checked_add(limit));
        Self {
            left: budget.work_limit(),
            // A time that clocks do not know never comes.
            end: end.flatten(),
            cancel: budget.cancel_token().cloned(),
            stop: Stop::Finished,
        }
    }

    /// Whether one more exchange may be looked at, which is counted; once not, never again.
    pub(super) fn goes_on(&mut self) -> bool {
        if self.stop != Stop::Finished {
            return false;
        }
        if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            self.stop = Stop::Cancelled;
        } else if self.left == Some(0) {
            self.stop = Stop::Work;
        } else if self.end.is_some_and(|end| Instant::now() >= end) {
            self.stop = Stop::Time;
        }
        self.left = self.left.map(|left| left.saturating_sub(1));
        self.stop == Stop::Finished
    }

    /// What has ended it, if something has.
    pub(super) fn stop(&self) -> Stop {
        self.stop
    }
}
