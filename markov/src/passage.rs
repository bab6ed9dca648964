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

use crate::chain::{Ctmc, Dtmc};
use crate::elimination::{FILL, Wide, Within};
use crate::error::{Error, check_length, check_numbers};
use crate::scalar::Scalar;
use crate::sparse::Csr;

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
        Self::ctmc_within(chain, target, FILL)
    }

    /// As [`Passage::ctmc`], by an elimination that keeps at most so many entries, about 16 bytes each for floats, and
    /// up to three times that on the way.
    ///
    /// # Errors
    /// As [`Passage::ctmc`].
    pub fn ctmc_within(chain: &Ctmc<T>, target: &[usize], fill: usize) -> Result<Self, Error> {
        let outside = outside(chain.rates(), target, fill)?;
        Ok(Self { outside, steps: None })
    }

    /// First passage of a chain in discrete time. What rows miss one by is added to the probability of staying: means
    /// and totals depend on moves to other states alone. From one moment to the next, staying counts with the
    /// probability that is given, all digits of it: there rows that miss one change a moment by about as large a part of
    /// it.
    ///
    /// # Errors
    /// As [`Passage::ctmc`].
    pub fn dtmc(chain: &Dtmc<T>, target: &[usize]) -> Result<Self, Error> {
        Self::dtmc_within(chain, target, FILL)
    }

    /// As [`Passage::ctmc_within`], in discrete time.
    ///
    /// # Errors
    /// As [`Passage::ctmc`].
    pub fn dtmc_within(chain: &Dtmc<T>, target: &[usize], fill: usize) -> Result<Self, Error> {
        let outside = outside(chain.moves(), target, fill)?;
        let row = |&state: &usize| {
            let others = chain.moves().row(state);
            let stay = (state, &chain.stay()[state]);
            let inside = others
                .chain([stay])
                .filter_map(|(to, value)| Some((outside.number[to]?, value.clone())));
            inside.collect::<Vec<_>>()
        };
        let steps = Some(Csr::from_rows(outside.states.len(), outside.states.iter().map(row)));
        Ok(Self { outside, steps })
    }

    /// Expected total of a cost per unit of time (per step, in discrete time) until the target is entered, from each
    /// state. Totals beyond the range of floats are infinite. Each is accurate relative to itself where no cost is
    /// negative.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], and [`Error::NotANumber`] for costs that are not finite.
    pub fn totals(&self, costs: &[T]) -> Result<Vec<T>, Error> {
        check_length("costs", self.outside.number.len(), costs.len())?;
        check_numbers(costs)?;
        let totals = self.outside.totals(|state| costs[state].clone());
        Ok(self.by_state(|number| totals[number].clone()))
    }

    /// The first `count` moments of the time until the target is entered: `moments[k - 1][i]` is `E[T^k]` from state
    /// `i`. Moments beyond the range of floats are infinite.
    ///
    /// # Complexity
    /// O(entries kept) for each moment; in discrete time also O(moves + count * states).
    pub fn moments(&self, count: usize) -> Vec<Vec<T>> {
        let mut found = Vec::with_capacity(count);
        let mut moment = vec![Wide::of(T::one()); self.outside.states.len()];
        let mut expansion = self.steps.as_ref().map(Expansion::new);
        for k in 1..=count {
            let costs = match &mut expansion {
                Some(expansion) => expansion.costs(&moment),
                None => {
                    let factor = T::ratio(k as i64, 1);
                    moment.iter().map(|moment| moment.times(&factor, 0)).collect()
                }
            };
            moment = self.outside.solver.wide_totals(costs);
            found.push(self.by_state(|number| moment[number].clone().rounded()));
        }
        found
    }

    /// Values by number outside of the target as values by state of the chain, zero on the target.
    fn by_state(&self, value: impl Fn(usize) -> T) -> Vec<T> {
        let numbers = self.outside.number.iter();
        numbers.map(|number| number.map_or_else(T::zero, &value)).collect()
    }
}

/// Eliminates the states outside of the target.
fn outside<T: Scalar>(rates: &Csr<T>, target: &[usize], fill: usize) -> Result<Within<T>, Error> {
    let len = rates.rows();
    let mut is_target = vec![false; len];
    for &state in target {
        *is_target.get_mut(state).ok_or(Error::StateOutOfRange { state, len })? = true;
    }
    if let Some(state) = first_that_may_miss(rates, &is_target) {
        return Err(Error::Unreachable { state });
    }
    let outside = (0..len).filter(|&state| !is_target[state]).collect();
    Within::new(len, outside, |state| rates.row(state), fill)?.without_loss()
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
    fn costs(&mut self, moment: &[Wide<T>]) -> Vec<Wide<T>> {
        // `P m_0` is one, the target included.
        let is_first = self.after_step.is_empty();
        self.after_step.push(match is_first {
            true => moment.to_vec(),
            false => (0..moment.len())
                .map(|state| self.after_step_from(state, moment))
                .collect(),
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
                cost.add(value.product(binomial));
            }
        }
        costs
    }

    /// What a moment is expected to be after a step.
    fn after_step_from(&self, state: usize, moment: &[Wide<T>]) -> Wide<T> {
        let mut sum = Wide::of(T::zero());
        for (to, probability) in self.steps.row(state) {
            sum.add(moment[to].times(probability, 0));
        }
        sum.narrow();
        sum
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
