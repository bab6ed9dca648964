//! What a policy with several closed classes costs per step from each state, and how states differ beyond that.

use crate::budget::OrStopped;
use crate::classify::Classes;
use crate::elimination::{Room, Within};
use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::evaluation::{Evaluated, groups};
use crate::mdp::unit::lost_as_size;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Gains and bias of a policy by state, each with the size of what it is the sum of: a float may be off by some
/// roundings of that. Sizes are zero where numbers are exact.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(crate) struct ByState<T> {
    pub(crate) gains: Vec<T>,
    pub(crate) bias: Vec<T>,
    pub(crate) gain_sizes: Vec<T>,
    pub(crate) bias_sizes: Vec<T>,
    /// For each state one that has the same gain for certain: the first state of a closed class for all that it is the
    /// only one that they lead to, and for others the state that they all come through, as far as that is seen at once.
    pub(crate) gain_of: Vec<usize>,
}

impl<T: Scalar> ByState<T> {
    fn zero(len: usize) -> Self {
        let zeros = vec![T::zero(); len];
        Self {
            gains: zeros.clone(),
            bias: zeros.clone(),
            gain_sizes: zeros.clone(),
            bias_sizes: zeros,
            gain_of: (0..len).collect(),
        }
    }

    /// Whether two states have one gain, without any rounding.
    pub(crate) fn is_one_gain(&self, a: usize, b: usize) -> bool {
        self.gain_of[a] == self.gain_of[b]
    }
}

impl<T: Scalar> Mdp<T> {
    /// Gains and bias of a policy: closed classes, then what leads to them.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where an elimination keeps more entries than there is room for, and [`Error::Stopped`].
    pub(crate) fn evaluate_by_state(&self, policy: &[usize], room: Room<'_>) -> Result<ByState<T>, Error> {
        let rows = self.policy_rows(policy);
        let classes = Classes::of(&rows);
        let mut found = ByState::zero(self.len());
        found.gain_of = gain_of(&rows, &classes);
        self.evaluate_closed(policy, &classes.closed(), room, &mut found)?;
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
            gain_of,
        } = &mut found;
        let cost = |state: usize| self.cost(state, policy[state]).clone();
        let one_gain = |gains: &mut [T]| {
            for (state, &of) in gain_of.iter().enumerate().filter(|&(state, &of)| of != state) {
                gains[state] = gains[of].clone();
            }
        };
        total(gains, &|_| T::zero())?;
        one_gain(gains);
        total(bias, &|state| cost(state) - &gains[state])?;
        if !T::EXACT {
            let is_null = (0..self.len()).all(|state| cost(state).is_zero());
            let lost = if is_null { T::zero() } else { lost_as_size() };
            total(gain_sizes, &|_| lost.clone())?;
            one_gain(gain_sizes);
            total(bias_sizes, &|state| cost(state).abs() + &gain_sizes[state] + &lost)?;
        }
        Ok(found)
    }

    fn evaluate_closed(
        &self,
        policy: &[usize],
        closed: &[Vec<usize>],
        room: Room<'_>,
        found: &mut ByState<T>,
    ) -> Result<(), Error> {
        let Evaluated {
            gains,
            bias,
            gain_sizes,
            bias_sizes,
        } = self.evaluate_groups(policy, &groups(closed), room)?;
        for ((class, gain), size) in closed.iter().zip(gains).zip(gain_sizes) {
            for &state in class {
                found.gains[state] = gain.clone();
                found.gain_sizes[state] = size.clone();
            }
        }
        (found.bias, found.bias_sizes) = (bias, bias_sizes);
        Ok(())
    }
}

/// For each state of a chain one that has the same gain, whatever costs are: a class that leads to states of one gain
/// alone has it as well.
fn gain_of<T: Scalar>(rows: &Csr<T>, classes: &Classes) -> Vec<usize> {
    let mut members = vec![Vec::new(); classes.len()];
    for state in 0..rows.rows() {
        members[classes.class_of(state)].push(state);
    }
    let mut gain_of: Vec<usize> = (0..rows.rows()).collect();
    // What leads to another class leads to one that came before.
    for (class, members) in members.iter().enumerate() {
        let targets = members.iter().flat_map(|&state| rows.row(state).map(|(to, _)| to));
        let mut beyond = targets
            .filter(|&to| classes.class_of(to) != class)
            .map(|to| gain_of[to]);
        let common = match beyond.next() {
            None => Some(members[0]),
            Some(first) => beyond.all(|of| of == first).then_some(first),
        };
        if let Some(of) = common {
            members.iter().for_each(|&state| gain_of[state] = of);
        }
    }
    gain_of
}

#[cfg(test)]
mod tests {
    use crate::budget::Meter;
    use crate::elimination::{FILL, Room};
    use crate::mdp::{Action, Mdp};

    #[test]
    fn who_comes_to_one_class_has_its_gain() {
        let row = |cost: f64, moves: &[(usize, f64)]| {
            let moves = moves.to_vec();
            vec![Action { cost, moves }]
        };
        let mdp = Mdp::new([
            row(0.1, &[(0, 0.3), (1, 0.7)]),
            row(0.7, &[(0, 0.9), (1, 0.1)]),
            row(9.0, &[(2, 1.0)]),
            // To and fro, and to the first class alone.
            row(3.0, &[(4, 0.8), (0, 0.2)]),
            row(5.0, &[(3, 0.9), (1, 0.1)]),
            // To both classes, and through a state that leads to both.
            row(1.0, &[(3, 0.6), (2, 0.4)]),
            row(1.0, &[(5, 1.0)]),
            row(1.0, &[(6, 0.1), (7, 0.9)]),
            // To several gains, each for itself.
            row(1.0, &[(9, 0.5), (2, 0.5)]),
            row(1.0, &[(8, 0.5), (0, 0.5)]),
        ])
        .expect("a process");
        let meter = Meter::unlimited();
        let found = mdp
            .evaluate_by_state(&[0; 10], Room::new(FILL, &meter))
            .expect("no limit");
        assert_eq!(found.gain_of, [0, 0, 2, 0, 0, 5, 5, 5, 8, 9]);
        for (state, &of) in found.gain_of.iter().enumerate() {
            assert_eq!(found.gains[state], found.gains[of]);
            assert_eq!(found.gain_sizes[state], found.gain_sizes[of]);
        }
        assert!(found.is_one_gain(3, 1) && !found.is_one_gain(8, 9));
    }
}
