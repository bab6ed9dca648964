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
        let budget = self.budget_of_interrupt();
        match self.left() {
            Some(time) => budget.time(time),
            None => budget,
        }
    }

    /// The same for something that is asked by [`over`](Self::over) whether there is time: what the clock is in the middle of comes out the
    /// same everywhere.
    pub(crate) fn budget_of_interrupt(&self) -> Budget {
        Budget::new().cancel(self.interrupt.clone())
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

/// How long an explanation may take after a run that has taken so long: what is left of the limit, or a tenth of it where that is
/// more, as a search takes all that there is.
pub(crate) fn to_explain(limit: Option<Duration>, gone: Duration) -> Option<Duration> {
    limit.map(|limit| limit.saturating_sub(gone).max(limit / 10))
}

/// The word of reports for what ended a run.
pub(crate) fn word(reason: StopReason) -> &'static str {
    match reason {
        StopReason::WorkLimit => "work-limit",
        StopReason::TimeLimit => "time-limit",
        _ => "interrupt",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::to_explain;

    #[test]
    fn an_explanation_has_what_is_left_or_a_tenth() {
        let seconds = Duration::from_secs;
        assert_eq!(to_explain(Some(seconds(20)), seconds(5)), Some(seconds(15)));
        assert_eq!(to_explain(Some(seconds(20)), seconds(21)), Some(seconds(2)));
        assert_eq!(to_explain(None, seconds(21)), None);
    }
}
