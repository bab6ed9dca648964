//! When to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Limits of one solve; unlimited by default. Equal if all limits are, and the token is the same one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub(crate) work: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) cancel: Option<CancelToken>,
    pub(crate) memory: Option<usize>,
}

impl Budget {
    /// No limits.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn is_unlimited(&self) -> bool {
        self.work.is_none() && self.time.is_none() && self.cancel.is_none() && self.memory.is_none()
    }

    /// What is left of it when so much of the work and of the time is gone.
    pub(crate) fn after(&self, work: u64, gone: Duration) -> Self {
        Self {
            work: self.work.map(|limit| limit.saturating_sub(work)),
            time: self.time.map(|limit| limit.saturating_sub(gone)),
            ..self.clone()
        }
    }

    /// Stop after so many units of work (visits to arcs, and between rounds to trees and pairs of trees): reproducible
    /// on every machine.
    #[must_use]
    pub fn work(mut self, units: u64) -> Self {
        self.work = Some(units);
        self
    }

    /// Stop after so much wall time from the call on. Costs are read before anything else, and no limit cuts that
    /// short; nor does one cut the few looks at all pairs that a start and a bound take. So a dense problem that is
    /// stopped at once may take about as long as one that is solved, and ends after its limit where that is less.
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self
    }

    /// Keep at most about so many bytes of costs in memory. Rows beyond that are computed again whenever they are
    /// read: slower by far, with the same answer. Costs that lie in memory already do not count.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Stop when the token is cancelled.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.cancel = Some(token);
        self
    }

    /// The limit on work, if there is one. What a unit is, and what a limit cuts short, is for each solver to say:
    /// those of this crate are described here, those of other crates that take a budget in their own documentation.
    pub fn work_limit(&self) -> Option<u64> {
        self.work
    }

    /// The limit on wall time, if there is one.
    pub fn time_limit(&self) -> Option<Duration> {
        self.time
    }

    /// The limit on memory in bytes, if there is one.
    pub fn memory_limit(&self) -> Option<usize> {
        self.memory
    }

    /// The token that stops the solve, if there is one.
    pub fn cancel_token(&self) -> Option<&CancelToken> {
        self.cancel.as_ref()
    }
}

/// Stops a solve from another thread.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every solve that holds a clone of this token to stop soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Clones of one token are equal, and no others, whether cancelled or not.
impl PartialEq for CancelToken {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CancelToken {}

impl From<Arc<AtomicBool>> for CancelToken {
    /// A token that counts as cancelled once the flag is true, for those who can do no more than set a flag, as
    /// handlers of signals.
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use std::time::Duration;

    use super::{Budget, CancelToken};

    #[test]
    fn a_budget_says_what_it_was_given() {
        let none = Budget::new();
        assert_eq!(
            (none.work_limit(), none.time_limit(), none.memory_limit()),
            (None, None, None)
        );
        assert!(none.cancel_token().is_none() && none.is_unlimited());
        let token = CancelToken::new();
        let second = Duration::from_secs(1);
        let all = Budget::new().work(7).time(second).memory(64).cancel(token.clone());
        assert_eq!(
            (all.work_limit(), all.time_limit(), all.memory_limit()),
            (Some(7), Some(second), Some(64))
        );
        token.cancel();
        assert!(all.cancel_token().is_some_and(CancelToken::is_cancelled));
    }

    #[test]
    fn what_is_gone_of_a_budget_is_gone() {
        let seconds = Duration::from_secs;
        let left = Budget::new().work(10).time(seconds(5)).memory(64).after(4, seconds(2));
        assert_eq!(
            (left.work, left.time, left.memory),
            (Some(6), Some(seconds(3)), Some(64))
        );
        let none = left.after(7, seconds(4));
        assert_eq!((none.work, none.time), (Some(0), Some(Duration::ZERO)));
        assert!(Budget::new().after(7, seconds(4)).is_unlimited());
    }

    #[test]
    fn budgets_are_equal_by_their_limits_and_their_token() {
        let token = CancelToken::new();
        let with = |token: &CancelToken| Budget::new().work(7).cancel(token.clone());
        assert_eq!(with(&token), with(&token));
        assert_ne!(with(&token), with(&CancelToken::new()));
        assert_ne!(with(&token), with(&token).memory(1));
        assert_eq!(Budget::new(), Budget::default());
    }

    #[test]
    fn a_flag_cancels_the_token_made_of_it() {
        let flag = Arc::new(AtomicBool::new(false));
        let token = CancelToken::from(Arc::clone(&flag));
        assert!(!token.is_cancelled());
        flag.store(true, Ordering::Relaxed);
        assert!(token.is_cancelled());
    }
}
