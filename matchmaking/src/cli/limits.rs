//! Limits of runs that consist of many pieces.

use std::time::{Duration, Instant};

use matching_core::{Budget, CancelToken, StopReason};

use super::interrupt;

/// What may still be spent; the clock runs.
pub(crate) struct Limits {
    start: Instant,
    time: Option<Duration>,
    work: Option<u64>,
    interrupt: CancelToken,
}

impl Limits {
    /// From now on; whoever presses Ctrl-C ends it as well.
    pub(crate) fn start(time: Option<Duration>, work: Option<u64>) -> Self {
        Self {
            start: Instant::now(),
            time,
            work,
            interrupt: interrupt::listen(),
        }
    }

    /// What is left, as a budget.
    pub(crate) fn budget(&self) -> Budget {
        let budget = self.budget_of_time();
        match self.work {
            Some(work) => budget.work(work),
            None => budget,
        }
    }

    /// The same for something whose work is counted in other units.
    pub(crate) fn budget_of_time(&self) -> Budget {
        let budget = Budget::new().cancel(self.interrupt.clone());
        match self.left() {
            Some(time) => budget.time(time),
            None => budget,
        }
    }

    /// Work that is left, if it is limited.
    pub(crate) fn work(&self) -> Option<u64> {
        self.work
    }

    /// So much work was done.
    pub(crate) fn spend(&mut self, units: u64) {
        self.work = self.work.map(|work| work.saturating_sub(units));
    }

    fn left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    /// Why it is over, if it is: by the clock, or by somebody.
    pub(crate) fn over(&self) -> Option<StopReason> {
        if self.interrupt.is_cancelled() {
            Some(StopReason::Cancelled)
        } else if self.left().is_some_and(|left| left.is_zero()) {
            Some(StopReason::TimeLimit)
        } else {
            None
        }
    }
}

/// The word of reports for what ended a run.
pub(crate) fn word(reason: StopReason) -> &'static str {
    match reason {
        StopReason::WorkLimit => "work-limit",
        StopReason::TimeLimit => "time-limit",
        _ => "interrupt",
    }
}
