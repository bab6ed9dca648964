//! The step from a policy to a better one.

use crate::mdp::Mdp;
use crate::mdp::integers::{Rows, Values};
use crate::scalar::Scalar;

/// Floats count as better only if they are so by this part of the largest cost and value: less is rounding, on which a
/// policy could turn in circles.
const TOLERANCE: (i64, i64) = (1, 1_000_000_000_000);

/// Compares the actions of each state by what they cost in one step and from there on.
#[derive(Debug)]
pub(crate) struct Improvement<'a, T> {
    mdp: &'a Mdp<T>,
    /// For exact numbers.
    rows: Option<Rows>,
}

impl<'a, T: Scalar> Improvement<'a, T> {
    pub(crate) fn new(mdp: &'a Mdp<T>) -> Self {
        let rows = Rows::new(mdp);
        Self { mdp, rows }
    }

    /// Takes the best action in each state for `cost + discount * sum of p(j) value(j)`; the present one, and then the
    /// first, where several are best. Whether any action changed.
    pub(crate) fn improve(&self, discount: &T, values: &[T], policy: &mut [usize]) -> bool {
        let discounted: Vec<T>;
        let values = if discount.is_one() {
            values
        } else {
            discounted = values.iter().map(|value| value.clone() * discount).collect();
            &discounted
        };
        match (&self.rows, Values::new(&T::zero(), values)) {
            (Some(rows), Some(at)) => {
                let excess = |state, row| rows.excess(self.mdp, &at, state, row);
                self.choose(policy, excess, |new, old| new < old)
            }
            _ => {
                let tolerance = self.tolerance(values);
                let excess = |_, row| self.look_ahead(row, values);
                self.choose(policy, excess, |new, old| new.clone() + &tolerance < *old)
            }
        }
    }

    fn choose<V>(
        &self,
        policy: &mut [usize],
        value: impl Fn(usize, usize) -> V,
        is_better: impl Fn(&V, &V) -> bool,
    ) -> bool {
        let mut is_changed = false;
        for (state, action) in policy.iter_mut().enumerate() {
            let rows = self.mdp.rows_of(state);
            let present = rows.start + *action;
            if rows.len() == 1 {
                continue;
            }
            let mut best = (present, value(state, present));
            for row in rows.clone().filter(|&row| row != present) {
                let candidate = value(state, row);
                if is_better(&candidate, &best.1) {
                    best = (row, candidate);
                }
            }
            is_changed |= best.0 != present;
            *action = best.0 - rows.start;
        }
        is_changed
    }

    fn look_ahead(&self, row: usize, values: &[T]) -> T {
        let mut sum = self.mdp.costs[row].clone();
        for (to, weight) in self.mdp.moves.row(row) {
            let mut part = weight.clone();
            part *= &values[to];
            sum += &part;
        }
        sum
    }

    fn tolerance(&self, values: &[T]) -> T {
        if T::EXACT {
            return T::zero();
        }
        let mut scale = T::zero();
        for value in values.iter().chain(&self.mdp.costs) {
            let size = value.abs();
            if size > scale {
                scale = size;
            }
        }
        scale * T::ratio(TOLERANCE.0, TOLERANCE.1)
    }
}
