//! The step from a policy to a better one.

use crate::budget::{Halted, Meter};
use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::integers::{Rows, Values};
use crate::mdp::optimality::underflow;
use crate::scalar::Scalar;

/// Floats differ only by more than this part of what they are sums of: less are some roundings, on which a policy could
/// turn in circles.
pub(crate) const ROUNDINGS: (i64, i64) = (1, 1 << 46);

/// Compares the actions of each state by what they cost in one step and from there on.
#[derive(Debug)]
pub(crate) struct Improvement<'a, T> {
    mdp: &'a Mdp<T>,
    /// For exact numbers.
    rows: Option<Rows>,
}

/// What an action costs at once and from there on, in floats, and by how much that may be off.
struct Ahead<T> {
    value: T,
    error: T,
}

impl<'a, T: Scalar> Improvement<'a, T> {
    pub(crate) fn new(mdp: &'a Mdp<T>) -> Self {
        let rows = Rows::new(mdp);
        Self { mdp, rows }
    }

    /// Takes the best action in each state for `cost + discount * sum of p(j) value(j)`; the present one, and then the
    /// first, where several are best. Floats may be off by some roundings of `sizes`. Whether any action changed.
    ///
    /// # Errors
    /// [`Halted`], with some actions changed.
    pub(crate) fn improve(
        &self,
        discount: &T,
        values: &[T],
        sizes: &[T],
        policy: &mut [usize],
        meter: &Meter<'_>,
    ) -> Result<bool, Halted> {
        let Some(rows) = &self.rows else {
            let ahead = |state, row| self.look_ahead(discount, values, sizes, state, row);
            let is_better = |new: &Ahead<T>, old: &Ahead<T>| new.value.clone() + &new.error + &old.error < old.value;
            return self.choose(policy, ahead, is_better, meter);
        };
        let discounted: Vec<T>;
        let values = if discount.is_one() {
            values
        } else {
            let times = |value: &T| meter.spend_long().map(|()| value.clone() * discount);
            discounted = values.iter().map(times).collect::<Result<_, Halted>>()?;
            &discounted
        };
        let at = Values::new(&T::zero(), values, meter)?;
        let at = at.unwrap_or_else(|| unreachable!("values are as exact as the process"));
        let excess = |state, row| rows.excess(self.mdp, &at, state, row);
        self.choose(policy, excess, |new, old| new < old, meter)
    }

    /// Refuses sizes so large that differences of values are no floats: all actions would be equal, or any the best.
    pub(crate) fn check(sizes: &[T]) -> Result<(), Error> {
        match sizes.iter().position(|size| !(size.clone() + size).is_number()) {
            Some(state) => Err(Error::NotANumber { from: state, to: state }),
            None => Ok(()),
        }
    }

    fn choose<V>(
        &self,
        policy: &mut [usize],
        value: impl Fn(usize, usize) -> V,
        is_better: impl Fn(&V, &V) -> bool,
        meter: &Meter<'_>,
    ) -> Result<bool, Halted> {
        let mut is_changed = false;
        for (state, action) in policy.iter_mut().enumerate() {
            let rows = self.mdp.rows_of(state);
            let present = rows.start + *action;
            if rows.len() == 1 {
                continue;
            }
            let mut best = (present, value(state, present));
            for row in rows.clone().filter(|&row| row != present) {
                meter.spend(self.mdp.moves.row_slices(row).0.len() as u64 + 1)?;
                let candidate = value(state, row);
                if is_better(&candidate, &best.1) {
                    best = (row, candidate);
                }
            }
            is_changed |= best.0 != present;
            *action = best.0 - rows.start;
        }
        Ok(is_changed)
    }

    /// In differences to the value of the state, so that what is large and far away does not matter: their roundings
    /// count as often as moves are made. What probabilities miss one by counts as staying, as it does where policies
    /// are evaluated.
    fn look_ahead(&self, discount: &T, values: &[T], sizes: &[T], state: usize, row: usize) -> Ahead<T> {
        let mut value = self.mdp.costs[row].clone();
        let (mut size, mut terms) = (value.abs(), 0);
        for (to, weight) in self.mdp.moves.row(row).filter(|&(to, _)| to != state) {
            let weight = weight.clone() * discount;
            let difference = values[to].clone() - &values[state];
            terms += i64::from(!difference.is_zero());
            value += &(difference * &weight);
            size += &((sizes[to].clone() + &sizes[state]) * weight);
        }
        let lost = if terms == 0 { T::zero() } else { underflow(terms) };
        let error = size * T::ratio(ROUNDINGS.0, ROUNDINGS.1) + lost;
        Ahead { value, error }
    }
}
