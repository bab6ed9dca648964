//! How many threads work.

use std::num::NonZero;
use std::thread;

use rayon::ThreadPoolBuilder;

use super::failure::Failure;

/// More threads than this, or than there are cores, only get in each other's way.
const MOST: usize = 64;

/// The threads of this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Threads(usize);

impl Threads {
    /// The calling one, for tests that solve nothing.
    #[cfg(test)]
    pub(crate) const ONE: Self = Self(1);

    /// Starts so many threads for everything that is shared out over rows: the calling one is the first of them, so
    /// that one thread starts none.
    pub(crate) fn start(asked: Option<u32>) -> Result<Self, Failure> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let count = asked.map_or(cores, |asked| (asked as usize).min(MOST.max(cores)));
        let pool = ThreadPoolBuilder::new().num_threads(count).use_current_thread();
        pool.build_global()
            .map_err(|error| Failure::Threads {
                count,
                message: error.to_string(),
            })
            .map(|()| Self(count))
    }

    /// How many there are.
    pub(crate) fn count(self) -> usize {
        self.0
    }

    /// What [`matching_core::Blossom::threads`] is to be told: one, or all that were started.
    pub(crate) fn of_solver(self) -> usize {
        usize::from(self.0 == 1)
    }
}
