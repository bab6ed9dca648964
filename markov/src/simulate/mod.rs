//! Simulation: paths of chains, and queues of players that are simulated from their rules, without any chain.
//!
//! Answers are means with standard errors from batch means. A run is cut into [`BATCHES`] batches of the same number of
//! arrivals (or steps), after one more batch that is thrown away for warming up. Successive waits depend on each other,
//! but sums over long batches hardly do, so that their spread tells the error of the mean; whether batches are long
//! enough, the correlation of neighbours tells ([`Estimate::is_settled`]). Means are ratios of sums,
//! since the number of players of a class in a batch is itself random; their errors follow from the residuals `sum -
//! mean * count`.
//!
//! The same seed gives the same numbers on every machine: random bits come from ChaCha with 8 rounds, and the logarithm
//! behind exponential times is computed here by additions, multiplications and divisions alone, which IEEE 754 fixes to
//! the last bit; those of system libraries differ.
//!
//! References: S. Asmussen, P. Glynn, "Stochastic Simulation", Springer 2007, chapter IV,
//! doi:10.1007/978-0-387-69033-9; A. Law, "Simulation Modeling and Analysis", McGraw-Hill 2015, section 9.5.3.

mod estimate;
mod impatient;
mod parties;
mod paths;
mod pool;
mod queue;
mod random;
mod sides;

pub use estimate::{BATCHES, Estimate, Moments};
pub use impatient::{ImpatientReport, impatient_sides};
pub use parties::{Order, k_player_queue, two_queues, two_v_two};
pub use paths::{Sampler, Visit};
pub use pool::{Policy, PoolReport, pool};
pub use queue::Report;
pub use random::exponential;
pub use sides::{sides, two_zones};

use crate::error::Error;

/// How long a simulation runs, and the seed of its random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    arrivals: u64,
    seed: u64,
}

impl Run {
    /// A run over so many arrivals (periods, steps), one in 34 of them for warming up; rounded down to a multiple of 34.
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than 3,400, too few for batches to mean anything.
    pub fn new(arrivals: u64, seed: u64) -> Result<Self, Error> {
        let parts = BATCHES as u64 + 1;
        if arrivals < 100 * parts {
            return Err(Error::Parameter {
                name: "arrivals",
                value: arrivals as f64,
                expected: "at least 3400",
            });
        }
        let arrivals = arrivals / parts * parts;
        Ok(Self { arrivals, seed })
    }

    /// Arrivals, warming up included.
    pub fn arrivals(&self) -> u64 {
        self.arrivals
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Arrivals in one batch.
    fn per_batch(&self) -> u64 {
        self.arrivals / (BATCHES as u64 + 1)
    }
}
