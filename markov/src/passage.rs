//! First passage: the time until a chain enters a set of states, all its moments, and totals of costs on the way.
//!
//! Moments of the time `T` from state `i` solve `sum over j of rate(i, j) (m_k(i) - m_k(j)) = k m_{k-1}(i)` outside of the
//! target, with `m_0 = 1` everywhere and `m_k = 0` on it. State elimination solves them without subtraction, by numbers of
//! any size: a moment is accurate relative to itself even where others, on which it depends, are beyond all floats. Those that
//! are so themselves are given as [`f64::INFINITY`], and those below all floats as zero.
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
    is_discrete: bool,
}

impl<T: Scalar> Passage<T> {
    /// First passage of a chain in continuous time, by an elimination that keeps at most 50 million entries.
    ///
    /// # Errors
    /// [`Error::StateOutOfRange`]; [`Error::Unreachable`] where some state may never enter the target; [`Error::TooLarge`] where
    /// the elimination takes more entries; [`Error::PrecisionLost`] where floats cannot hold the rates that arise on the way.
    ///
    /// # Complexity
    /// That of the elimination, which depends on the fill: O(states) for birth and death, O(states³) at worst. Moments and
    /// totals then take O(entries kept) each.
    pub fn ctmc(chain: &Ctmc<T>, target: &[usize]) -> Result<Self, Error> {
        Self::ctmc_within(chain, target, FILL)
    }

    /// As [`Passage::ctmc`], by an elimination that keeps at most so many entries, about 16 bytes each for floats.
    ///
    /// # Errors
    /// As [`Passage::ctmc`].
    pub fn ctmc_within(chain: &Ctmc<T>, target: &[usize], fill: usize) -> Result<Self, Error> {
        Self::new(chain.rates(), target, fill, false)
    }

    /// First passage of a chain in discrete time.
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
        Self::new(chain.moves(), target, fill, true)
    }

    fn new(rates: &Csr<T>, target: &[usize], fill: usize, is_discrete: bool) -> Result<Self, Error> {
        let len = rates.rows();
        let mut is_target = vec![false; len];
        for &state in target {
            *is_target.get_mut(state).ok_or(Error::StateOutOfRange { state, len })? = true;
        }
        if let Some(state) = first_that_may_miss(rates, &is_target) {
            return Err(Error::Unreachable { state });
        }
        let outside = (0..len).filter(|&state| !is_target[state]).collect();
        let outside = Within::new(len, outside, |state| rates.row(state), fill)?.without_loss()?;
        Ok(Self { outside, is_discrete })
    }

    /// Expected total of a cost per unit of time (per step, in discrete time) until the target is entered, from each state.
    /// Totals beyond the range of floats are infinite. Each is accurate relative to itself where no cost is negative.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], and [`Error::NotANumber`] for costs that are not finite.
    pub fn totals(&self, costs: &[T]) -> Result<Vec<T>, Error> {
        check_length("costs", self.outside.number.len(), costs.len())?;
        check_numbers(costs)?;
        let totals = self.outside.totals(|state| costs[state].clone());
        Ok(self.by_state(|number| totals[number].clone()))
    }

    /// The first `count` moments of the time until the target is entered: `moments[k - 1][i]` is `E[T^k]` from state `i`.
    /// Moments beyond the range of floats are infinite.
    pub fn moments(&self, count: usize) -> Vec<Vec<T>> {
        let mut moments = vec![vec![Wide::of(T::one()); self.outside.states.len()]];
        for k in 1..=count {
            let costs = if self.is_discrete {
                discrete_costs(&moments)
            } else {
                let factor = T::ratio(k as i64, 1);
                moments[k - 1].iter().map(|moment| moment.times(&factor, 0)).collect()
            };
            moments.push(self.outside.solver.wide_totals(costs));
        }
        moments
            .iter()
            .skip(1)
            .map(|moment| self.by_state(|number| moment[number].clone().rounded()))
            .collect()
    }

    /// Values by number outside of the target as values by state of the chain, zero on the target.
    fn by_state(&self, value: impl Fn(usize) -> T) -> Vec<T> {
        let numbers = self.outside.number.iter();
        numbers.map(|number| number.map_or_else(T::zero, &value)).collect()
    }
}

/// `m_k - P m_k`, by the moments below `k`: with T' the time left after one step, `E[T^k] - E[T'^k] = E[T^k - (T - 1)^k]`, which
/// is the sum over l < k of `binomial(k, l) (-1)^(k - l + 1) E[T^l]`.
fn discrete_costs<T: Scalar>(moments: &[Vec<Wide<T>>]) -> Vec<Wide<T>> {
    let k = moments.len();
    let mut costs = vec![Wide::of(T::zero()); moments[0].len()];
    let mut binomial = T::one();
    for (l, of_states) in moments.iter().enumerate() {
        if l > 0 {
            binomial *= &T::ratio((k - l + 1) as i64, l as i64);
        }
        let is_added = (k - l) % 2 == 1;
        for (cost, moment) in costs.iter_mut().zip(of_states) {
            let part = moment.times(&binomial, 0);
            cost.add(if is_added { part } else { part.negated() });
        }
    }
    costs
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
