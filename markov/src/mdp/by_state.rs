//! What a policy with several closed classes costs per step from each state, and how states differ beyond that.

use crate::budget::OrStopped;
use crate::classify::Classes;
use crate::elimination::{Room, Within};
use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::evaluation::Evaluated;
use crate::scalar::Scalar;

/// Gains and bias of a policy by state, each with the size of what it is the sum of: a float may be off by some
/// roundings of that. Sizes are zero where numbers are exact.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(crate) struct ByState<T> {
    pub(crate) gains: Vec<T>,
    pub(crate) bias: Vec<T>,
    pub(crate) gain_sizes: Vec<T>,
    pub(crate) bias_sizes: Vec<T>,
    /// The first state of the closed class of each state that is in one.
    pub(crate) classes: Vec<Option<usize>>,
}

impl<T: Scalar> ByState<T> {
    fn zero(len: usize) -> Self {
        let zeros = vec![T::zero(); len];
        Self {
            gains: zeros.clone(),
            bias: zeros.clone(),
            gain_sizes: zeros.clone(),
            bias_sizes: zeros,
            classes: vec![None; len],
        }
    }

    /// Whether two states have one gain, without any rounding.
    pub(crate) fn is_one_class(&self, a: usize, b: usize) -> bool {
        self.classes[a].is_some() && self.classes[a] == self.classes[b]
    }
}

impl<T: Scalar> Mdp<T> {
    /// Gains and bias of a policy: closed classes one by one, then what leads to them.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where an elimination keeps more entries than there is room for, and [`Error::Stopped`].
    pub(crate) fn evaluate_by_state(&self, policy: &[usize], room: Room<'_>) -> Result<ByState<T>, Error> {
        let classes = Classes::of(&self.policy_rows(policy));
        let mut found = ByState::zero(self.len());
        for class in classes.closed() {
            self.evaluate_class(policy, &class, room, &mut found)?;
        }
        let transient = (0..self.len()).filter(|&state| classes.is_transient(state)).collect();
        let way = Within::new(self.len(), transient, |state| self.moves(state, policy[state]), room)?;
        // What is entered with the first step into a closed class, as a total on the way.
        let entered = |state: usize, of: &[T]| {
            let mut sum = T::zero();
            for (to, rate) in self.moves(state, policy[state]) {
                if way.number[to].is_none() {
                    sum += &(rate.clone() * &of[to]);
                }
            }
            sum
        };
        let total = |values: &mut [T], on_the_way: &dyn Fn(usize) -> T| -> Result<(), Error> {
            let totals = way
                .totals(|state| entered(state, values) + on_the_way(state), room.meter)
                .or_stopped()?;
            for (&state, total) in way.states.iter().zip(totals) {
                values[state] = total;
            }
            Ok(())
        };
        let ByState {
            gains,
            bias,
            gain_sizes,
            bias_sizes,
            ..
        } = &mut found;
        let cost = |state: usize| self.cost(state, policy[state]).clone();
        total(gains, &|_| T::zero())?;
        total(bias, &|state| cost(state) - &gains[state])?;
        if !T::EXACT {
            total(gain_sizes, &|_| T::zero())?;
            total(bias_sizes, &|state| cost(state).abs() + &gain_sizes[state])?;
        }
        Ok(found)
    }

    fn evaluate_class(
        &self,
        policy: &[usize],
        class: &[usize],
        room: Room<'_>,
        found: &mut ByState<T>,
    ) -> Result<(), Error> {
        let Evaluated {
            gain,
            bias,
            gain_size,
            bias_sizes,
        } = self.evaluate_within(policy, class, class[0], room)?;
        for &state in class {
            found.gains[state] = gain.clone();
            found.bias[state] = bias[state].clone();
            found.gain_sizes[state] = gain_size.clone();
            found.bias_sizes[state] = bias_sizes[state].clone();
            found.classes[state] = Some(class[0]);
        }
        Ok(())
    }
}
