//! A budget whose clock runs, for what is done in many pieces.

use std::time::{Duration, Instant};

use matching_core::{Budget, CancelToken, StopReason};

/// When to stop. Work is counted by whoever does it.
pub(crate) struct Clock<'b> {
    start: Instant,
    budget: &'b Budget,
}

impl<'b> Clock<'b> {
    /// From now on.
    pub(crate) fn new(budget: &'b Budget) -> Self {
        Self {
            start: Instant::now(),
            budget,
        }
    }

    /// Whether it may be over at any time, by the clock or by somebody who cancels.
    #[cfg(feature = "eomm")]
    pub(crate) fn is_watched(&self) -> bool {
        self.budget.time_limit().is_some() || self.budget.cancel_token().is_some()
    }

    /// Why it is over, if it is.
    pub(crate) fn over(&self) -> Option<StopReason> {
        if self.budget.cancel_token().is_some_and(CancelToken::is_cancelled) {
            return Some(StopReason::Cancelled);
        }
        self.left()
            .is_some_and(|left| left.is_zero())
            .then_some(StopReason::TimeLimit)
    }

    /// Time that is left, if it is limited.
    fn left(&self) -> Option<Duration> {
        let limit = self.budget.time_limit()?;
        Some(limit.saturating_sub(self.start.elapsed()))
    }

    /// The budget for one more piece, which may do so much work. Memory is not limited.
    pub(crate) fn rest(&self, work: Option<u64>) -> Budget {
        let mut rest = Budget::new();
        if let Some(work) = work {
            rest = rest.work(work);
        }
        if let Some(left) = self.left() {
            rest = rest.time(left);
        }
        if let Some(token) = self.budget.cancel_token() {
            rest = rest.cancel(token.clone());
        }
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_over_when_the_budget_says_so() {
        assert_eq!(Clock::new(&Budget::new()).over(), None);
        let day = Budget::new().time(Duration::from_secs(86_400));
        assert_eq!(Clock::new(&day).over(), None);
        let none = Budget::new().time(Duration::ZERO);
        assert_eq!(Clock::new(&none).over(), Some(StopReason::TimeLimit));
        let token = CancelToken::new();
        let cancelled = day.cancel(token.clone());
        let clock = Clock::new(&cancelled);
        assert_eq!(clock.over(), None);
        token.cancel();
        assert_eq!(clock.over(), Some(StopReason::Cancelled));
        let rest = clock.rest(Some(3));
        assert_eq!((rest.work_limit(), clock.rest(None).work_limit()), (Some(3), None));
        assert!(rest.time_limit() <= cancelled.time_limit() && rest.time_limit().is_some());
        assert!(rest.cancel_token().is_some_and(CancelToken::is_cancelled));
    }
}
