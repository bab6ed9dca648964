//! What a policy with several closed classes costs per step from each state, and how states differ beyond that.

use crate::classify::Classes;
use crate::elimination::Elimination;
use crate::mdp::Mdp;
use crate::mdp::evaluation::Evaluated;
use crate::scalar::Scalar;
use crate::sparse::Csr;

const NONE: usize = usize::MAX;

/// Gains and bias of a policy by state, each with the size of what it is the sum of: a float may be off by some roundings of
/// that. Sizes are zero where numbers are exact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByState<T> {
    pub(crate) gains: Vec<T>,
    pub(crate) bias: Vec<T>,
    pub(crate) gain_sizes: Vec<T>,
    pub(crate) bias_sizes: Vec<T>,
}

impl<T: Scalar> ByState<T> {
    fn zero(len: usize) -> Self {
        let zeros = vec![T::zero(); len];
        Self {
            gains: zeros.clone(),
            bias: zeros.clone(),
            gain_sizes: zeros.clone(),
            bias_sizes: zeros,
        }
    }
}

impl<T: Scalar> Mdp<T> {
    /// Gains and bias of a policy: closed classes one by one, then what leads to them.
    pub(crate) fn evaluate_by_state(&self, policy: &[usize]) -> ByState<T> {
        let closed = Classes::of(&self.policy_rows(policy)).closed();
        let mut found = ByState::zero(self.len());
        let mut number = vec![0; self.len()];
        for class in &closed {
            self.evaluate_class(policy, class, &mut found);
            class.iter().for_each(|&state| number[state] = NONE);
        }
        let transient: Vec<usize> = (0..self.len()).filter(|&state| number[state] != NONE).collect();
        for (at, &state) in transient.iter().enumerate() {
            number[state] = at;
        }
        let solver = self.way_to_classes(policy, &transient, &number);
        // What is entered with the first step into a closed class, as a total on the way.
        let entered = |state: usize, of: &[T]| {
            let mut sum = T::zero();
            for (to, rate) in self.moves(state, policy[state]).filter(|&(to, _)| number[to] == NONE) {
                sum += &(rate.clone() * &of[to]);
            }
            sum
        };
        let total = |values: &mut [T], on_the_way: &dyn Fn(usize) -> T| {
            let start = transient
                .iter()
                .map(|&state| entered(state, &*values) + on_the_way(state));
            let totals = solver.totals(start.collect());
            for (&state, total) in transient.iter().zip(totals) {
                values[state] = total;
            }
        };
        let ByState {
            gains,
            bias,
            gain_sizes,
            bias_sizes,
        } = &mut found;
        let cost = |state: usize| self.cost(state, policy[state]).clone();
        total(gains, &|_| T::zero());
        total(bias, &|state| cost(state) - &gains[state]);
        if !T::EXACT {
            total(gain_sizes, &|_| T::zero());
            total(bias_sizes, &|state| cost(state).abs() + &gain_sizes[state]);
        }
        found
    }

    fn evaluate_class(&self, policy: &[usize], class: &[usize], found: &mut ByState<T>) {
        let Evaluated { gain, bias, times } = self.evaluate_within(policy, class, class[0]);
        let mut largest = T::zero();
        for &state in class {
            let size = self.cost(state, policy[state]).abs();
            if !T::EXACT && size > largest {
                largest = size;
            }
        }
        for &state in class {
            found.gains[state] = gain.clone();
            found.bias[state] = bias[state].clone();
            found.bias_sizes[state] = times[state].clone() * &largest * T::ratio(2, 1);
            found.gain_sizes[state] = largest.clone();
        }
    }

    /// The chain of the states outside of closed classes, which have numbers, until it enters one.
    fn way_to_classes(&self, policy: &[usize], transient: &[usize], number: &[usize]) -> Elimination<T> {
        let mut leave = vec![T::zero(); transient.len()];
        let mut rows = Vec::with_capacity(transient.len());
        for (&state, leave) in transient.iter().zip(&mut leave) {
            let mut row = Vec::new();
            for (to, rate) in self.moves(state, policy[state]).filter(|&(to, _)| to != state) {
                match number[to] {
                    NONE => *leave += rate,
                    at => row.push((at, rate.clone())),
                }
            }
            rows.push(row);
        }
        let within = Csr::from_rows(transient.len(), rows);
        Elimination::new(&within, Some(&leave), None, usize::MAX).unwrap_or_else(|| unreachable!("no limit"))
    }
}
