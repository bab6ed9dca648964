//! What ends a search by whole groups: a cost that is no number, whoever cancels, and the clock where costs are slow.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use matching_core::CancelToken;

use crate::error::Error;

/// Where the first bad cost is noted, for all walks of a search: the first by the clock, which no seed decides. To name
/// that of the lowest walk, lower ones would have to go on to their ends for the sake of an error.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure {
    first: Arc<Mutex<Option<Error>>>,
    pub(crate) flag: CancelToken,
    /// What the caller cancels with.
    cancel: Option<CancelToken>,
    /// When the time of the search is over.
    end: Option<Instant>,
}

impl Failure {
    /// None yet.
    pub(crate) fn new(cancel: Option<CancelToken>, end: Option<Instant>) -> Self {
        Self {
            cancel,
            end,
            ..Self::default()
        }
    }

    /// Whether nobody waits for another cost: the caller has cancelled, or one was no number.
    #[inline]
    pub(super) fn is_cancelled(&self) -> bool {
        self.flag.is_cancelled() || self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// Whether the search was out of time by then.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        self.end.is_some_and(|end| now >= end)
    }

    pub(super) fn note(&self, members: &[usize]) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| Error::GroupNotANumber {
            members: members.to_vec(),
        });
        self.flag.cancel();
    }

    pub(crate) fn take(&self) -> Option<Error> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
