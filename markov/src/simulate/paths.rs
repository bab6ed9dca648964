//! Paths of chains, and averages of costs along them.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Run;
use super::estimate::{BATCHES, Estimate};
use super::random::{AliasTables, exponential};
use crate::chain::{Ctmc, Dtmc};
use crate::error::{Error, check_length, check_numbers};
use crate::scalar::Scalar;

/// A stay in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// The state.
    pub state: usize,
    /// How long; infinite in a state that is never left.
    pub time: f64,
}

/// A chain made ready for drawing paths.
///
/// # Complexity
/// O(states + transitions) to make, O(1) a step.
#[derive(Clone, Debug)]
pub struct Sampler {
    tables: AliasTables,
    /// Mean stay per visit: one step in discrete time.
    stay: Vec<f64>,
    is_discrete: bool,
    /// A state with rates whose sum, or the mean stay that goes with it, leaves the range of floats.
    out_of_range: Option<usize>,
}

impl Sampler {
    /// Paths of a chain in continuous time.
    pub fn ctmc<T: Scalar>(chain: &Ctmc<T>) -> Self {
        let mut tables = AliasTables::new();
        let mut stay = Vec::with_capacity(chain.len());
        let mut out_of_range = None;
        for state in 0..chain.len() {
            let row = chain.rates().row(state);
            tables.push(&row.map(|(to, rate)| (to as u32, rate.to_float())).collect::<Vec<_>>());
            let is_left = chain.rates().row(state).next().is_some();
            let mean = 1.0 / chain.exit_rate(state).to_float();
            if is_left && !(mean > 0.0 && mean.is_finite()) {
                out_of_range.get_or_insert(state);
            }
            stay.push(mean);
        }
        Self {
            tables,
            stay,
            is_discrete: false,
            out_of_range,
        }
    }

    /// Paths of a chain in discrete time.
    pub fn dtmc<T: Scalar>(chain: &Dtmc<T>) -> Self {
        let mut tables = AliasTables::new();
        for state in 0..chain.len() {
            let moves = chain.moves().row(state);
            let mut row: Vec<(u32, f64)> = moves.map(|(to, chance)| (to as u32, chance.to_float())).collect();
            let stay = chain.stay()[state].to_float();
            if stay > 0.0 {
                row.push((state as u32, stay));
            }
            tables.push(&row);
        }
        Self {
            tables,
            stay: vec![1.0; chain.len()],
            is_discrete: true,
            out_of_range: None,
        }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.stay.len()
    }

    /// Always false: a chain has states.
    pub fn is_empty(&self) -> bool {
        self.stay.is_empty()
    }

    /// The path from a state, visit by visit. In discrete time a visit lasts one step, and the same state may follow.
    /// The path ends with the first state that is never left, in continuous time.
    ///
    /// # Errors
    /// [`Error::StateOutOfRange`]; [`Error::NotANumber`] where the rates out of some state, or the mean stay there, leave
    /// the range of floats.
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Ctmc, simulate::Sampler};
    /// use rand::SeedableRng;
    ///
    /// let chain = Ctmc::new(&Csr::from_rows(2, [vec![(1, 2.0)], vec![]]))?;
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let states: Vec<usize> = Sampler::ctmc(&chain).path(0, &mut rng)?.map(|visit| visit.state).collect();
    /// assert_eq!(states, [0, 1]);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn path<'a>(&'a self, start: usize, rng: &'a mut impl Rng) -> Result<impl Iterator<Item = Visit> + 'a, Error> {
        self.check(start)?;
        let mut next = Some(start);
        Ok(core::iter::from_fn(move || {
            let state = next?;
            let mean = self.stay[state];
            if mean.is_infinite() {
                next = None;
                return Some(Visit { state, time: mean });
            }
            let time = if self.is_discrete {
                mean
            } else {
                mean * exponential(rng)
            };
            next = Some(self.tables.draw(state, rng) as usize);
            Some(Visit { state, time })
        }))
    }

    /// The long-run average of a cost per time in each state, from a run over so many steps; the class of states that
    /// the path ends up in decides, if there are more than one.
    ///
    /// Stays count with their means instead of being drawn, which changes nothing in the long run and takes out the
    /// part of the error that comes from them. Where nothing is left to chance, the error is that of roundings. What
    /// happens in none of the batches, such as a visit of a state that is rare for a run of that length, is in no error.
    ///
    /// # Errors
    /// [`Error::StateOutOfRange`], [`Error::LengthMismatch`]; [`Error::NotANumber`] for costs that are not finite, or
    /// whose sums are not, and as [`path`](Self::path).
    ///
    /// # References
    /// A. Hordijk, D. Iglehart, R. Schassberger, "Discrete time methods for simulating continuous time Markov chains",
    /// Advances in Applied Probability 8 (1976), 772-788, doi:10.2307/1425933.
    pub fn average(&self, start: usize, costs: &[f64], run: Run) -> Result<Estimate, Error> {
        self.check(start)?;
        check_length("costs", self.len(), costs.len())?;
        check_numbers(costs)?;
        let mut rng = ChaCha8Rng::seed_from_u64(run.seed());
        let mut state = start;
        let mut batches = Vec::with_capacity(BATCHES);
        // In the longest stay on the way so far sums of stays are floats, and keep their digits, however long others are.
        let (mut unit, mut size) = (f64::MIN_POSITIVE, 0.0);
        for batch in 0..=BATCHES {
            let (mut cost, mut time) = (0.0, 0.0);
            for _ in 0..run.per_batch() {
                let stay = self.stay[state];
                if stay.is_infinite() {
                    return Ok(Estimate::certain(costs[state]));
                }
                if stay > unit {
                    let by = unit / stay;
                    batches
                        .iter_mut()
                        .for_each(|sums: &mut (f64, f64)| *sums = (sums.0 * by, sums.1 * by));
                    (cost, time, size) = (cost * by, time * by, size * by);
                    unit = stay;
                }
                let part = stay / unit * costs[state];
                cost += part;
                size += part.abs();
                time += stay / unit;
                state = self.tables.draw(state, &mut rng) as usize;
            }
            if batch > 0 {
                batches.push((cost, time));
            }
        }
        // Sums of costs and of times take a rounding a step and a batch each.
        let roundings = (run.per_batch() as f64 + BATCHES as f64) * f64::EPSILON;
        let time: f64 = batches.iter().map(|&(_, time)| time).sum();
        Estimate::ratio(&batches)
            .map(|estimate| estimate.or_roundings(roundings * size / time))
            .filter(|estimate| estimate.value.is_finite() && estimate.error.is_finite())
            .ok_or(Error::NotANumber { from: state, to: state })
    }

    fn check(&self, state: usize) -> Result<(), Error> {
        let len = self.len();
        if state >= len {
            return Err(Error::StateOutOfRange { state, len });
        }
        match self.out_of_range {
            Some(state) => Err(Error::NotANumber { from: state, to: state }),
            None => Ok(()),
        }
    }
}
