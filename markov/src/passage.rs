//! First passage: the time until a chain enters a set of states, all its moments, and totals of costs on the way.
//!
//! Moments of the time `T` from state `i` solve `sum over j of rate(i, j) (m_k(i) - m_k(j)) = k m_{k-1}(i)` outside of
//! the target, with `m_0 = 1` everywhere and `m_k = 0` on it. In discrete time, with `T'` the time left after the first
//! step, `E[(1 + T')^k]` takes the place of the right side: `m_k - P m_k` is the sum over `l < k` of `binomial(k, l) P
//! m_l`. All terms are positive, and state elimination solves both without subtraction, by numbers of any size: a
//! moment is accurate relative to itself even where others, on which it depends, are beyond all floats. Those that are
//! so themselves are given as [`f64::INFINITY`], and those below all floats as zero.
//!
//! Reference: J. Kemeny, J. Snell, "Finite Markov Chains", Springer 1976, chapter III.

mod halving;
#[cfg(feature = "serde")]
mod serial;
mod times;

use matching_core::Budget;

use crate::budget::{Control, Halted, Meter, OrStopped, Progress, Stopped};
use crate::chain::{Ctmc, Dtmc};
use crate::elimination::{FILL, Room, Wide, Within};
use crate::error::{Error, check_length, check_numbers};
use crate::scalar::Scalar;
use crate::sparse::Csr;
pub use times::MeanTimes;

/// First passage into a set of states, ready to be asked for moments and totals.
#[derive(Clone, Debug)]
pub struct Passage<T> {
    /// The states outside of the target.
    outside: Within<T>,
    /// In discrete time, probabilities between these states by number, staying included.
    steps: Option<Csr<T>>,
}

impl<T: Scalar> Passage<T> {
    /// First passage of a chain in continuous time, by an elimination that keeps at most 50 million entries.
    ///
    /// # Errors
    /// [`Error::StateOutOfRange`]; [`Error::Unreachable`] where some state may never enter the target;
    /// [`Error::TooLarge`] where the elimination takes more entries; [`Error::PrecisionLost`] where floats cannot hold
    /// the rates that arise on the way; [`Error::NotANumber`] for a state whose rates into the target add up to more
    /// than a float holds.
    ///
    /// # Complexity
    /// That of the elimination, which depends on the fill: O(states) for birth and death, O(states³) at worst. Moments
    /// and totals then take O(entries kept) each.
    pub fn ctmc(chain: &Ctmc<T>, target: &[usize]) -> Result<Self, Error> {
        Builder::new().ctmc(chain, target)
    }

    /// As [`Passage::ctmc`], by an elimination that keeps at most so many entries, about 16 bytes each for floats, and
    /// up to three times that on the way. [`Builder`] has other limits as well.
    ///
    /// # Errors
    /// As [`Passage::ctmc`].
    pub fn ctmc_within(chain: &Ctmc<T>, target: &[usize], fill: usize) -> Result<Self, Error> {
        Builder::new().fill(fill).ctmc(chain, target)
    }

    /// First passage of a chain in discrete time. What rows miss one by is added to the probability of staying: means
    /// and totals depend on moves to other states alone. From one moment to the next, staying counts with the
    /// probability that is given, all digits of it: there rows that miss one change a moment by about as large a part of
    /// it.
    ///
    /// # Errors
    /// As [`Passage::ctmc`].
    pub fn dtmc(chain: &Dtmc<T>, target: &[usize]) -> Result<Self, Error> {
        Builder::new().dtmc(chain, target)
    }

    /// As [`Passage::ctmc_within`], in discrete time.
    ///
    /// # Errors
    /// As [`Passage::ctmc`].
    pub fn dtmc_within(chain: &Dtmc<T>, target: &[usize], fill: usize) -> Result<Self, Error> {
        Builder::new().fill(fill).dtmc(chain, target)
    }

    /// Expected total of a cost per unit of time (per step, in discrete time) until the target is entered, from each
    /// state. Totals beyond the range of floats are infinite. Each is accurate relative to itself where no cost is
    /// negative.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], and [`Error::NotANumber`] for costs that are not finite.
    pub fn totals(&self, costs: &[T]) -> Result<Vec<T>, Error> {
        self.metered_totals(costs, &Meter::unlimited())
    }

    /// As [`Passage::totals`], within a budget: of time, a token, and work, which is counted in entries that are touched.
    /// Memory is that of a few numbers a state, and is not limited.
    ///
    /// # Errors
    /// As [`Passage::totals`], and [`Error::Stopped`].
    pub fn totals_within(&self, costs: &[T], budget: &Budget) -> Result<Vec<T>, Error> {
        self.metered_totals(costs, &Meter::new(budget, None))
    }

    fn metered_totals(&self, costs: &[T], meter: &Meter<'_>) -> Result<Vec<T>, Error> {
        check_length("costs", self.outside.number.len(), costs.len())?;
        check_numbers(costs)?;
        meter.look().or_stopped()?;
        let totals = self.outside.totals(|state| costs[state].clone(), meter).or_stopped()?;
        Ok(self.by_state(|number| totals[number].clone()))
    }

    /// The first `count` moments of the time until the target is entered: `moments[k - 1][i]` is `E[T^k]` from state
    /// `i`. Moments beyond the range of floats are infinite.
    ///
    /// # Complexity
    /// O(entries kept) for each moment; in discrete time also O(moves + count * states).
    pub fn moments(&self, count: usize) -> Vec<Vec<T>> {
        let mut found = Vec::new();
        self.moments_into(&mut found, count, &Meter::unlimited())
            .unwrap_or_else(|_| unreachable!("no limit"));
        found
    }

    /// As [`Passage::moments`], within a budget, as of [`Passage::totals_within`]: moments of fractions have more and more
    /// digits.
    ///
    /// # Errors
    /// [`Error::Stopped`], whose iterations are the moments that were found, and whose iterate is the last of these.
    pub fn moments_within(&self, count: usize, budget: &Budget) -> Result<Vec<Vec<T>>, Error> {
        let mut found = Vec::new();
        match self.moments_into(&mut found, count, &Meter::new(budget, None)) {
            Ok(()) => Ok(found),
            Err(halted) => Err(Stopped {
                iterations: found.len(),
                best: found.pop().unwrap_or_default().iter().map(Scalar::to_float).collect(),
                ..halted.bare()
            }
            .error()),
        }
    }

    fn moments_into(&self, found: &mut Vec<Vec<T>>, count: usize, meter: &Meter<'_>) -> Result<(), Halted> {
        meter.look()?;
        let mut moment = vec![Wide::of(T::one()); self.outside.states.len()];
        let mut expansion = self.steps.as_ref().map(Expansion::new);
        for k in 1..=count {
            let costs = match &mut expansion {
                Some(expansion) => expansion.costs(&moment, meter)?,
                None => {
                    let factor = T::ratio(k as i64, 1);
                    moment.iter().map(|moment| moment.times(&factor, 0)).collect()
                }
            };
            moment = self.outside.solver.wide_totals(costs, meter)?;
            found.push(self.by_state(|number| moment[number].clone().rounded()));
        }
        Ok(())
    }

    /// Values by number outside of the target as values by state of the chain, zero on the target.
    fn by_state(&self, value: impl Fn(usize) -> T) -> Vec<T> {
        let numbers = self.outside.number.iter();
        numbers.map(|number| number.map_or_else(T::zero, &value)).collect()
    }
}

/// Prepares first passages within limits.
///
/// # Examples
/// ```
/// use markov::{Budget, Csr, Ctmc, passage};
///
/// // Three stages of rate 2.
/// let chain = Ctmc::new(&Csr::from_rows(4, (0..4_usize).map(|v| (v < 3).then_some((v + 1, 2.0)))))?;
/// let passage = passage::Builder::new().budget(Budget::new().work(1_000)).ctmc(&chain, &[3])?;
/// assert_eq!(passage.moments(1)[0][0], 1.5);
/// # Ok::<(), markov::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder<'a> {
    fill: usize,
    control: Control<'a>,
}

impl Default for Builder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Builder<'a> {
    /// 50 million entries of the elimination, no other limits.
    pub fn new() -> Self {
        Self {
            fill: FILL,
            control: Control::default(),
        }
    }

    /// Entries that the elimination may keep, about 16 bytes each for floats, and up to three times that on the way.
    #[must_use]
    pub fn fill(mut self, fill: usize) -> Self {
        self.fill = fill;
        self
    }

    /// Limits of the elimination, as in [`Stationary::budget`](crate::Stationary::budget); whatever is reached is
    /// [`Error::Stopped`]. For what comes after it see [`Passage::totals_within`] and [`Passage::moments_within`].
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.control.budget = budget;
        self
    }

    /// Called with progress, at the start of the elimination and then every 20 milliseconds or less often.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.control.observer = Some(observer);
        self
    }

    /// First passage of a chain in continuous time into a set of states.
    ///
    /// # Errors
    /// As [`Passage::ctmc`], and [`Error::Stopped`].
    ///
    /// # Complexity
    /// As [`Passage::ctmc`].
    pub fn ctmc<T: Scalar>(&self, chain: &Ctmc<T>, target: &[usize]) -> Result<Passage<T>, Error> {
        let outside = self.outside(chain.rates(), target)?;
        Ok(Passage { outside, steps: None })
    }

    /// First passage of a chain in discrete time: see [`Passage::dtmc`].
    ///
    /// # Errors
    /// As [`Passage::ctmc`], and [`Error::Stopped`].
    ///
    /// # Complexity
    /// As [`Passage::ctmc`].
    pub fn dtmc<T: Scalar>(&self, chain: &Dtmc<T>, target: &[usize]) -> Result<Passage<T>, Error> {
        let outside = self.outside(chain.moves(), target)?;
        let row = |&state: &usize| {
            let others = chain.moves().row(state);
            let stay = (state, &chain.stay()[state]);
            let inside = others
                .chain([stay])
                .filter_map(|(to, value)| Some((outside.number[to]?, value.clone())));
            inside.collect::<Vec<_>>()
        };
        let steps = Some(Csr::from_rows(outside.states.len(), outside.states.iter().map(row)));
        Ok(Passage { outside, steps })
    }

    fn outside<T: Scalar>(&self, rates: &Csr<T>, target: &[usize]) -> Result<Within<T>, Error> {
        let meter = self.control.start();
        outside(rates, target, Room::new(self.fill, &meter))
    }
}

/// Eliminates the states outside of the target.
fn outside<T: Scalar>(rates: &Csr<T>, target: &[usize], room: Room<'_>) -> Result<Within<T>, Error> {
    let len = rates.rows();
    let mut is_target = vec![false; len];
    for &state in target {
        *is_target.get_mut(state).ok_or(Error::StateOutOfRange { state, len })? = true;
    }
    if let Some(state) = first_that_may_miss(rates, &is_target) {
        return Err(Error::Unreachable { state });
    }
    let outside = (0..len).filter(|&state| !is_target[state]).collect();
    Within::new(len, outside, |state| rates.row(state), room)?.without_loss()
}

/// `m_k - P m_k` in discrete time, moment after moment: `m_k = E[(1 + T')^k]`, with `T'` the time left after one step,
/// is the sum over `l <= k` of `binomial(k, l) P m_l`. To expand `(T - 1)^k` instead needs no `P`, but terms of both
/// signs, which leave nothing of a moment to which few steps count.
struct Expansion<'a, T> {
    steps: &'a Csr<T>,
    /// `P m_l` for all `l` so far.
    after_step: Vec<Vec<Wide<T>>>,
    /// A row of Pascal's triangle, from `binomial(k, 0)` on; beyond all floats from `k` = 1030 on.
    binomials: Vec<Wide<T>>,
}

impl<'a, T: Scalar> Expansion<'a, T> {
    fn new(steps: &'a Csr<T>) -> Self {
        Self {
            steps,
            after_step: Vec::new(),
            binomials: Vec::new(),
        }
    }

    /// The costs of the next moment, from the one before.
    ///
    /// # Errors
    /// [`Halted`].
    fn costs(&mut self, moment: &[Wide<T>], meter: &Meter<'_>) -> Result<Vec<Wide<T>>, Halted> {
        // `P m_0` is one, the target included.
        let is_first = self.after_step.is_empty();
        self.after_step.push(match is_first {
            true => moment.to_vec(),
            false => (0..moment.len())
                .map(|state| self.after_step_from(state, moment, meter))
                .collect::<Result<_, Halted>>()?,
        });
        self.binomials.push(Wide::of(T::one()));
        for l in (1..self.binomials.len()).rev() {
            let left = self.binomials[l - 1].clone();
            self.binomials[l].add(left);
            self.binomials[l].narrow();
        }
        let mut costs = vec![Wide::of(T::zero()); moment.len()];
        for (binomial, of_states) in self.binomials.iter().zip(&self.after_step) {
            for (cost, value) in costs.iter_mut().zip(of_states) {
                meter.spend(1)?;
                cost.add(value.product(binomial));
            }
        }
        Ok(costs)
    }

    /// What a moment is expected to be after a step.
    fn after_step_from(&self, state: usize, moment: &[Wide<T>], meter: &Meter<'_>) -> Result<Wide<T>, Halted> {
        let mut sum = Wide::of(T::zero());
        meter.spend(self.steps.row_slices(state).0.len() as u64 + 1)?;
        for (to, probability) in self.steps.row(state) {
            meter.spend_exact::<T>()?;
            sum.add(moment[to].times(probability, 0));
        }
        sum.narrow();
        Ok(sum)
    }
}

/// The first state that does not lead to the target; if there is none, the target is entered for sure from everywhere.
fn first_that_may_miss<T: Scalar>(rates: &Csr<T>, is_target: &[bool]) -> Option<usize> {
    let back = rates.transposed();
    let mut leads = is_target.to_vec();
    let mut stack: Vec<usize> = (0..leads.len()).filter(|&state| leads[state]).collect();
    while let Some(state) = stack.pop() {
        for (from, _) in back.row(state) {
            if !core::mem::replace(&mut leads[from], true) {
                stack.push(from);
            }
        }
    }
    leads.iter().position(|leads| !leads)
}

#[cfg(test)]
mod tests {
    use super::Passage;
    use crate::chain::{Ctmc, Dtmc};
    use crate::error::Error;
    use crate::scalar::{Rational, Scalar};
    use crate::sparse::Csr;

    #[test]
    fn sums_of_exponential_times() {
        // Three stages of rate 2: mean 3/2, variance 3/4.
        let chain = Ctmc::new(&Csr::from_rows(
            4,
            (0..4_usize).map(|v| (v < 3).then_some((v + 1, 2.0))),
        ))
        .expect("a chain");
        let moments = Passage::ctmc(&chain, &[3]).expect("reached").moments(2);
        assert_eq!(moments[0], [1.5, 1.0, 0.5, 0.0]);
        assert_eq!(moments[1][0] - moments[0][0] * moments[0][0], 0.75);
    }

    #[test]
    fn geometric_steps() {
        // Success 1/3: mean 3, E[N^2] = (2 - p) / p^2 = 15, E[N^3] = (6 - 6p + p^2) / p^3 = 111.
        let third = || Rational::ratio(1, 3);
        let stay = Rational::ratio(2, 3);
        let rows = [vec![(0, stay), (1, third())], vec![(1, Rational::ratio(1, 1))]];
        let chain = Dtmc::new(&Csr::from_rows(2, rows)).expect("a chain");
        let moments = Passage::dtmc(&chain, &[1]).expect("reached").moments(3);
        let of_0: Vec<Rational> = moments.iter().map(|moment| moment[0].clone()).collect();
        assert_eq!(of_0, [3, 15, 111].map(|value| Rational::ratio(value, 1)));
    }

    #[test]
    fn a_trap_is_named() {
        let chain = Ctmc::new(&Csr::from_rows(3, [vec![(1, 1.0), (2, 1.0)], vec![], vec![]])).expect("a chain");
        assert_eq!(Passage::ctmc(&chain, &[2]).err(), Some(Error::Unreachable { state: 1 }));
    }
}
