//! What the processes of a floor may take together.

use matching_core::{Budget, StopReason};

use crate::clock::Clock;

/// States that are found between two looks at the clock.
const STRIDE: usize = 1 << 12;

/// A budget, and what is left of it.
pub(super) struct Allowance<'b> {
    clock: Clock<'b>,
    is_limited: bool,
    work: Option<u64>,
    /// What it ended by.
    pub(super) stop: Option<StopReason>,
}

impl<'b> Allowance<'b> {
    /// From now on.
    pub(super) fn new(budget: &'b Budget) -> Self {
        Self {
            clock: Clock::new(budget),
            is_limited: budget.work_limit().is_some()
                || budget.time_limit().is_some()
                || budget.cancel_token().is_some(),
            work: budget.work_limit(),
            stop: None,
        }
    }

    /// Counts entries of a process; whether there is room for them. The clock is looked at every so many `steps`.
    pub(super) fn spend(&mut self, units: u64, steps: usize) -> bool {
        if let Some(work) = &mut self.work {
            match work.checked_sub(units) {
                Some(left) => *work = left,
                None => self.end(StopReason::WorkLimit),
            }
        }
        if steps.is_multiple_of(STRIDE) {
            self.stop = self.stop.or_else(|| self.clock.over());
        }
        self.stop.is_none()
    }

    /// Takes so much work off, or all that is left.
    pub(super) fn charge(&mut self, units: u64) {
        self.work = self.work.map(|work| work.saturating_sub(units));
    }

    /// It is over.
    pub(super) fn end(&mut self, reason: StopReason) {
        self.stop = self.stop.or(Some(reason));
    }

    /// Whether the clock or somebody has ended it, by a look.
    pub(super) fn is_out_of_time(&mut self) -> bool {
        let over = self.clock.over();
        self.stop = self.stop.or(over);
        over.is_some()
    }

    /// What is left, for a solver; none where there are no limits.
    pub(super) fn rest(&self) -> Option<Budget> {
        self.is_limited.then(|| self.clock.rest(self.work))
    }
}
