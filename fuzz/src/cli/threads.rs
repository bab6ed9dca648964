//! One thread, whatever is asked for: what a run reaches is then the same each time.

use std::sync::Once;

use rayon::ThreadPoolBuilder;

use super::failure::Failure;

/// The thread of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Threads;

impl Threads {
    /// Of a process, the first run starts none for all of them.
    pub(crate) fn start(_: Option<u32>) -> Result<Self, Failure> {
        static STARTED: Once = Once::new();
        STARTED.call_once(|| {
            let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
            pool.build_global().expect("nothing else starts threads");
        });
        Ok(Self)
    }

    /// How many there are.
    pub(crate) fn count(self) -> usize {
        1
    }

    /// What solvers are to be told.
    pub(crate) fn of_solver(self) -> usize {
        1
    }
}
