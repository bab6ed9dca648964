//! First passage: the time until a chain enters a set of states, all its moments, and totals of costs on the way.
//!
//! Moments of the time `T` from state `i` solve `sum over j of rate(i, j) (m_k(i) - m_k(j)) = k m_{k-1}(i)` outside of the
//! target, with `m_0 = 1` everywhere and `m_k = 0` on it. State elimination solves them without subtraction.
//!
//! Reference: J. Kemeny, J. Snell, "Finite Markov Chains", Springer 1976, chapter III.

use crate::chain::{Ctmc, Dtmc};
use crate::elimination::Within;
use crate::error::{Error, check_length};
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
    /// First passage of a chain in continuous time.
    ///
    /// # Errors
    /// [`Error::StateOutOfRange`], and [`Error::Unreachable`] where some state may never enter the target.
    pub fn ctmc(chain: &Ctmc<T>, target: &[usize]) -> Result<Self, Error> {
        Self::new(chain.rates(), target, false)
    }

    /// First passage of a chain in discrete time.
    ///
    /// # Errors
    /// As [`Passage::ctmc`].
    pub fn dtmc(chain: &Dtmc<T>, target: &[usize]) -> Result<Self, Error> {
        Self::new(chain.moves(), target, true)
    }

    fn new(rates: &Csr<T>, target: &[usize], is_discrete: bool) -> Result<Self, Error> {
        let len = rates.rows();
        let mut is_target = vec![false; len];
        for &state in target {
            *is_target.get_mut(state).ok_or(Error::StateOutOfRange { state, len })? = true;
        }
        if let Some(state) = first_that_may_miss(rates, &is_target) {
            return Err(Error::Unreachable { state });
        }
        let outside = (0..len).filter(|&state| !is_target[state]).collect();
        let outside = Within::new(len, outside, |state| rates.row(state));
        Ok(Self { outside, is_discrete })
    }

    /// Expected total of a cost per unit of time (per step, in discrete time) until the target is entered, from each state.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn totals(&self, costs: &[T]) -> Result<Vec<T>, Error> {
        check_length("costs", self.outside.number.len(), costs.len())?;
        let x = self.outside.totals(|state| costs[state].clone());
        let value = |number: &Option<usize>| number.map_or_else(T::zero, |number| x[number].clone());
        Ok(self.outside.number.iter().map(value).collect())
    }

    /// The first `count` moments of the time until the target is entered: `moments[k - 1][i]` is `E[T^k]` from state `i`.
    pub fn moments(&self, count: usize) -> Vec<Vec<T>> {
        let ones = vec![T::one(); self.outside.number.len()];
        let mut moments: Vec<Vec<T>> = Vec::with_capacity(count);
        for k in 1..=count {
            let costs = if self.is_discrete {
                self.discrete_costs(k, &moments)
            } else {
                let last = moments.last().unwrap_or(&ones);
                let factor = T::ratio(k as i64, 1);
                last.iter().map(|moment| moment.clone() * factor.clone()).collect()
            };
            let next = self.totals(&costs).unwrap_or_else(|_| unreachable!("one cost a state"));
            moments.push(next);
        }
        moments
    }

    /// `m_k - P m_k`, by lower moments: with T' the time left after one step, `E[T^k] - E[T'^k] = E[T^k - (T - 1)^k]`, which is the
    /// sum over l < k of `binomial(k, l) (-1)^(k - l + 1) E[T^l]`.
    fn discrete_costs(&self, k: usize, moments: &[Vec<T>]) -> Vec<T> {
        let len = self.outside.number.len();
        let mut costs = vec![T::zero(); len];
        let mut binomial = T::one();
        for l in 0..k {
            if l > 0 {
                binomial *= &T::ratio((k - l + 1) as i64, l as i64);
            }
            let is_added = (k - l) % 2 == 1;
            for (state, cost) in costs.iter_mut().enumerate() {
                let mut part = if l == 0 {
                    T::one()
                } else {
                    moments[l - 1][state].clone()
                };
                part *= &binomial;
                if is_added {
                    *cost += &part;
                } else {
                    *cost -= &part;
                }
            }
        }
        costs
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
