//! Sweeps over all states of a large process, on one thread or on several.
//!
//! Every state gets its new value from old values alone, and all that is gathered over states are the least and the
//! largest change: results do not depend on the number of threads.

use crate::budget::{Control, Halted, Meter, Stage, Told};
use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::taken::Taken;

/// States per piece of work: enough to hide what handing it out costs.
const PIECE: usize = 2048;

/// Threads for each core at most: no more of them are ever of use, and each takes memory and time to start.
#[cfg(feature = "rayon")]
const PER_CORE: usize = 4;

/// Threads at most where the number of cores is not known.
#[cfg(feature = "rayon")]
const BLIND: usize = 256;

/// The least and the largest change of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Extent {
    const EMPTY: Self = Self {
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
    };

    fn with(self, change: f64) -> Self {
        self.and(Self {
            min: change,
            max: change,
        })
    }

    fn and(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    pub(crate) fn span(self) -> f64 {
        self.max - self.min
    }

    pub(crate) fn middle(self) -> f64 {
        self.min + self.span() / 2.0
    }
}

/// When sweeps are to end, and on how many threads they run.
#[derive(Clone, Debug)]
pub(crate) struct Effort<'a> {
    pub(crate) tolerance: f64,
    pub(crate) iterations: usize,
    pub(crate) threads: Option<usize>,
    /// Whether sweeps end as well where roundings hide what they still change.
    pub(crate) is_nearest: bool,
    pub(crate) control: Control<'a>,
}

impl Default for Effort<'_> {
    /// To 1e-9, in at most 100,000 sweeps, on all threads.
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            iterations: 100_000,
            threads: None,
            is_nearest: false,
            control: Control::default(),
        }
    }
}

impl Effort<'_> {
    /// What an observer is told after a sweep.
    pub(crate) fn told(&self, iterations: usize) -> Told {
        Told {
            of: Some(self.iterations),
            ..Told::of(Stage::Sweeps, iterations)
        }
    }

    /// Checks all three, and starts the threads for so many states.
    pub(crate) fn start(&self, states: usize) -> Result<Sweeps, Error> {
        let refused = |name, value, expected| Err(Error::Parameter { name, value, expected });
        if self.tolerance.is_nan() || self.tolerance <= 0.0 {
            return refused("tolerance", self.tolerance, "positive");
        }
        if self.iterations == 0 {
            return refused("iterations", 0.0, "at least 1");
        }
        Sweeps::new(self.threads, states)
    }
}

/// Where sweeps run.
#[derive(Debug)]
pub(crate) struct Sweeps {
    #[cfg(feature = "rayon")]
    pool: Option<rayon::ThreadPool>,
    #[cfg(feature = "rayon")]
    is_serial: bool,
}

impl Sweeps {
    /// On so many threads, as far as there is work for them in so many states, or on all of the pool; on one where the
    /// feature `rayon` is off.
    fn new(threads: Option<usize>, states: usize) -> Result<Self, Error> {
        let refused = |value: usize, expected| Error::Parameter {
            name: "threads",
            value: value as f64,
            expected,
        };
        if threads == Some(0) {
            return Err(refused(0, "at least 1"));
        }
        #[cfg(feature = "rayon")]
        {
            let cores = std::thread::available_parallelism();
            let most = cores.map_or(BLIND, |cores| cores.get().saturating_mul(PER_CORE));
            let pieces = states.div_ceil(PIECE).max(1);
            let threads = threads.map(|threads| threads.min(most).min(pieces));
            let is_serial = threads == Some(1);
            let builder = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.map_err(|_| refused(threads, "no more than the system starts"))
            };
            let pool = threads.filter(|_| !is_serial).map(builder).transpose()?;
            Ok(Self { pool, is_serial })
        }
        #[cfg(not(feature = "rayon"))]
        {
            let _ = states;
            Ok(Self {})
        }
    }

    /// A sweep that looks at so many entries.
    ///
    /// # Errors
    /// [`Halted`], with some of the states done.
    fn run(
        &self,
        out: &mut [f64],
        policy: &mut [u32],
        (units, meter): (usize, &Meter<'_>),
        piece: impl Fn(usize, &mut [f64], &mut [u32]) -> Extent + Sync,
    ) -> Result<Extent, Halted> {
        meter.spend(units as u64)?;
        let unless_over = |at: usize, out: &mut [f64], policy: &mut [u32]| match meter.is_interrupted() {
            true => Extent::EMPTY,
            false => piece(at * PIECE, out, policy),
        };
        let extent = self.pieces(out, policy, unless_over);
        meter.halted().map_or(Ok(extent), Err)
    }

    fn pieces(
        &self,
        out: &mut [f64],
        policy: &mut [u32],
        piece: impl Fn(usize, &mut [f64], &mut [u32]) -> Extent + Sync,
    ) -> Extent {
        #[cfg(feature = "rayon")]
        if !self.is_serial {
            use rayon::prelude::*;
            let mut sweep = || {
                let pieces = out.par_chunks_mut(PIECE).zip(policy.par_chunks_mut(PIECE)).enumerate();
                let extents = pieces.map(|(at, (out, policy))| piece(at, out, policy));
                extents.reduce(|| Extent::EMPTY, Extent::and)
            };
            return match &self.pool {
                Some(pool) => pool.install(sweep),
                None => sweep(),
            };
        }
        let pieces = out.chunks_mut(PIECE).zip(policy.chunks_mut(PIECE)).enumerate();
        pieces.fold(Extent::EMPTY, |extent, (at, (out, policy))| {
            extent.and(piece(at, out, policy))
        })
    }

    /// The best action for `cost + discount * sum of p(j) values(j)` in each state, the first of several, with its
    /// value.
    ///
    /// # Errors
    /// [`Halted`].
    pub(crate) fn improve(
        &self,
        mdp: &Mdp<f64>,
        discount: f64,
        values: &[f64],
        (out, policy): (&mut [f64], &mut [u32]),
        meter: &Meter<'_>,
    ) -> Result<Extent, Halted> {
        let units = mdp.moves.entries() + mdp.moves.rows();
        self.run(out, policy, (units, meter), |first, out, policy| {
            let mut extent = Extent::EMPTY;
            for (at, (out, action)) in out.iter_mut().zip(policy).enumerate() {
                let state = first + at;
                let start = mdp.starts[state];
                let mut best = (f64::INFINITY, 0);
                for row in start..mdp.starts[state + 1] {
                    let (columns, weights) = mdp.moves.row_slices(row);
                    let value = mdp.costs[row] + discount * expected(columns, weights, values, state);
                    if value < best.0 {
                        best = (value, (row - start) as u32);
                    }
                }
                (*out, *action) = best;
                extent = extent.with(best.0 - values[state]);
            }
            extent
        })
    }

    /// The values of the actions of a policy.
    ///
    /// # Errors
    /// [`Halted`].
    pub(crate) fn evaluate(
        &self,
        taken: &Taken,
        discount: f64,
        values: &[f64],
        (out, policy): (&mut [f64], &mut [u32]),
        meter: &Meter<'_>,
    ) -> Result<Extent, Halted> {
        self.run(out, policy, (taken.entries() + out.len(), meter), |first, out, _| {
            let mut extent = Extent::EMPTY;
            for (at, out) in out.iter_mut().enumerate() {
                *out = taken.look_ahead(first + at, discount, values);
                extent = extent.with(*out - values[first + at]);
            }
            extent
        })
    }

    /// Moves values on to newer ones by a part of the way, and all by the same number.
    pub(crate) fn relax(&self, values: &mut [f64], newer: &[f64], part: f64, shift: f64) {
        for (value, newer) in values.iter_mut().zip(newer) {
            *value += part * (newer - *value) + shift;
        }
    }
}

/// The value expected after a move from a state: what weights miss one by counts as staying. Differences of values
/// would lose small ones beside a large one where the move starts, and might never come to rest.
pub(crate) fn expected(columns: &[u32], weights: &[f64], values: &[f64], state: usize) -> f64 {
    let (mut sum, mut missing) = (0.0, 1.0);
    for (&to, weight) in columns.iter().zip(weights) {
        sum += weight * values[to as usize];
        missing -= weight;
    }
    sum + missing * values[state]
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::*;

    #[test]
    fn no_more_threads_are_started_than_are_of_use() {
        let threads = |asked, states| {
            let sweeps = Sweeps::new(Some(asked), states).expect("threads");
            sweeps.pool.map_or(1, |pool| pool.current_num_threads())
        };
        let most = std::thread::available_parallelism().map_or(BLIND, |cores| PER_CORE * cores.get());
        assert_eq!(threads(20_000, 100_000_000), most);
        assert_eq!(threads(20_000, 2 * PIECE + 1), 3.min(most));
        assert_eq!([threads(3, 10), threads(3, 0)], [1, 1]);
    }
}
