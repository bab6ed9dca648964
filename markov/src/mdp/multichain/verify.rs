//! Whether gains are the least ones, from the process alone.

use matching_core::Budget;

use super::{MultichainSolution, Ties, best};
use crate::budget::{Meter, OrStopped};
use crate::elimination::{FILL, Room};
use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::by_state::ByState;
use crate::mdp::improvement::ROUNDINGS;
use crate::mdp::unit::Unit;
use crate::scalar::Scalar;

impl<T: Scalar> MultichainSolution<T> {
    /// Checks that the gains are the least ones, from the process alone: both equations hold, without any error where
    /// numbers are exact. Of floats the policy is evaluated anew: gains and values must be the same, and both equations
    /// must hold, to within some roundings of what their terms are sums of, and the [error](Self::error) must not be less
    /// than what roundings leave open.
    ///
    /// # Errors
    /// [`Error::NotOfPolicy`] where a gain or a value is not that of the policy, [`Error::NotLeast`] where another action
    /// is better than that of the policy, [`Error::Parameter`] for an error that is too small;
    /// [`Error::LengthMismatch`] and [`Error::ActionOutOfRange`] where the solution does not belong to this process. Of
    /// floats also those of [`PolicyIteration::multichain`](crate::mdp::PolicyIteration::multichain), with as many entries
    /// of an elimination as [`PolicyIteration::new`](crate::mdp::PolicyIteration::new) allows: what was found with more is
    /// for [`verify_within`](Self::verify_within).
    ///
    /// # Complexity
    /// O(entries); of floats that of an iteration of the solver.
    pub fn verify(&self, mdp: &Mdp<T>) -> Result<(), Error> {
        self.verify_metered(mdp, FILL, &Meter::unlimited())
    }

    /// As [`MultichainSolution::verify`], with so many entries of an elimination, as the solver's
    /// [fill](crate::mdp::PolicyIteration::fill) was, and within a budget, which is counted as by
    /// [`PolicyIteration::budget`](crate::mdp::PolicyIteration::budget). There is no elimination where numbers are exact.
    ///
    /// # Errors
    /// As [`MultichainSolution::verify`], and [`Error::Stopped`], with nothing, where the budget is spent.
    ///
    /// # Complexity
    /// As [`MultichainSolution::verify`].
    ///
    /// # Examples
    /// ```
    /// use markov::mdp::{Action, Mdp, PolicyIteration};
    /// use markov::{Budget, Error};
    ///
    /// let turn = |state, cost| vec![Action { cost, moves: vec![(state, 0.5), (1 - state, 0.5)] }];
    /// let turns = Mdp::new([turn(0, 1.0), turn(1, 3.0)])?;
    /// let fill = 100_000_000;
    /// let best = PolicyIteration::new().fill(fill).multichain(&turns)?;
    /// best.verify_within(&turns, fill, &Budget::new())?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn verify_within(&self, mdp: &Mdp<T>, fill: usize, budget: &Budget) -> Result<(), Error> {
        self.verify_metered(mdp, fill, &Meter::new(budget, None))
    }

    fn verify_metered(&self, mdp: &Mdp<T>, fill: usize, meter: &Meter<'_>) -> Result<(), Error> {
        mdp.check_policy(&self.policy)?;
        meter.look().or_stopped()?;
        if T::EXACT {
            self.check_equations(mdp, &T::zero(), meter)?;
            return self.check_actions(mdp, meter);
        }
        let unit = Unit::with_values(mdp, &self.found.bias);
        let mdp = &*unit.process(mdp);
        // How large sums are, and which gains are one number, a solution from outside may say as it likes.
        let anew = Self::of_policy(mdp, &self.policy, self.iterations, Room::new(fill, meter))?;
        let told = Self {
            found: ByState {
                gains: unit.times(&self.found.gains),
                bias: unit.times(&self.found.bias),
                ..anew.found.clone()
            },
            ..anew.clone()
        };
        let grain = unit.grain::<T>();
        told.check_equations(mdp, &grain, meter)?;
        anew.check_same(&told, &grain)?;
        anew.check_actions(mdp, meter)?;
        // Digits may have been lost on the way from the solver.
        if anew.estimate(mdp) * (1.0 - 1e-9) <= unit.time(&self.error) {
            return Ok(());
        }
        Err(Error::Parameter {
            name: "error",
            value: self.error,
            expected: "at least what roundings leave open",
        })
    }

    /// Refuses gains and values, of which each may be off by `grain`, that do not solve the equations of the policy.
    fn check_equations(&self, mdp: &Mdp<T>, grain: &T, meter: &Meter<'_>) -> Result<(), Error> {
        // Two in each difference, whose probabilities add up to one, and one for the gain.
        let hidden = T::ratio(3, 1) * grain;
        let is_within = |excess: &T, error: T| excess.abs() <= error + &hidden;
        for (state, &action) in self.policy.iter().enumerate() {
            let moves = mdp.moves(state, action).len() as u64;
            meter.spend(moves + 1).or_stopped()?;
            let ahead = self.ahead(mdp, state, action);
            if !is_within(&ahead.gain, ahead.gain_error) {
                return Err(Error::NotOfPolicy { what: "gain", state });
            }
            let excess = ahead.value - &self.found.gains[state];
            if !is_within(&excess, ahead.value_error) {
                return Err(Error::NotOfPolicy { what: "value", state });
            }
        }
        Ok(())
    }

    /// Refuses a solution of the same policy whose gains or values are others: where a class is rarely left, roundings
    /// hide from the equations what the gains are.
    fn check_same(&self, other: &Self, grain: &T) -> Result<(), Error> {
        let (here, there) = (&self.found, &other.found);
        let rounding = T::ratio(ROUNDINGS.0, ROUNDINGS.1);
        let is_same = |a: &T, b: &T, size: &T| (a.clone() - b).abs() <= size.clone() * &rounding + grain;
        for state in 0..self.policy.len() {
            if !is_same(&here.gains[state], &there.gains[state], &here.gain_sizes[state]) {
                return Err(Error::NotOfPolicy { what: "gain", state });
            }
            if !is_same(&here.bias[state], &there.bias[state], &here.bias_sizes[state]) {
                return Err(Error::NotOfPolicy { what: "value", state });
            }
        }
        Ok(())
    }

    /// Refuses a policy that can be improved for certain.
    fn check_actions(&self, mdp: &Mdp<T>, meter: &Meter<'_>) -> Result<(), Error> {
        let mut actions = Vec::new();
        for (state, &taken) in self.policy.iter().enumerate() {
            meter.spend(Self::units(mdp, state)).or_stopped()?;
            self.look_ahead(mdp, state, taken, &mut actions);
            let action = best(&actions, taken, Ties::Rises);
            if action != taken {
                return Err(Error::NotLeast { state, action });
            }
        }
        Ok(())
    }
}
