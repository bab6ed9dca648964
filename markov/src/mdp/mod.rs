//! Decision processes: states, actions, and what they cost.
//!
//! Costs are minimised. They may have any sign. [`Solver`] finds the best policy by the method that suits the process, and is
//! what most users want. By hand, per step in the long run: [`PolicyIteration::average`], in floats or exactly, [`RelativeValueIteration`] for large processes, and [`PolicyIteration::multichain`] where the answer
//! depends on the state. Discounted: [`PolicyIteration::discounted`], and [`ValueIteration`] for large processes. With
//! limits on what a policy may do: the module `program`, of the feature `lp`.
//!
//! Queues whose servers, or whose door, somebody controls are processes in continuous time: [`CtMdp`], with rates and
//! costs per unit of time, and what each event costs by [`RateAction::with_move_costs`].
//!
//! Who has names for states and actions, and a rule, numbers neither: [`Mdp::explore`] and [`CtMdp::explore`] do, and
//! results are read by name from [`Named`].

mod average;
mod by_state;
mod continuous;
mod costs;
mod discounted;
mod evaluation;
mod explore;
mod flaw;
mod improvement;
mod integers;
mod iteration;
mod multichain;
mod optimality;
mod relative;
mod roundings;
mod rule;
#[cfg(feature = "serde")]
mod serial;
mod solver;
mod sweep;
mod taken;
pub(crate) mod unit;
mod values;

#[cfg(feature = "lp")]
pub mod program;

pub use average::AverageSolution;
pub use continuous::{CtMdp, RateAction};
pub use costs::Priced;
pub use discounted::DiscountedSolution;
pub use explore::{Choice, Named};
pub use flaw::{Flaw, Place, Weight};
pub use iteration::PolicyIteration;
pub use multichain::MultichainSolution;
pub use optimality::Optimality;
pub use relative::{BoundedSolution, RelativeValueIteration};
pub use rule::RuleError;
pub use solver::{AverageReport, DiscountedReport, Gain, Method, Solver};
pub use values::ValueIteration;

use core::ops::Range;

use crate::chain::Dtmc;
use crate::error::{Error, check_length};
use crate::mdp::flaw::{check_cost, check_move, check_sum};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// One action of a state.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(deserialize = "T: Scalar + serde::Deserialize<'de>"))
)]
pub struct Action<T = f64> {
    /// Expected cost of taking it once; rewards are negative costs.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub cost: T,
    /// Probabilities of the next state.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::moves"))]
    pub moves: Vec<(usize, T)>,
}

/// A Markov decision process in discrete time, costs to be minimised.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "serial::UncheckedMdp<T>",
        bound(deserialize = "T: Scalar + serde::Deserialize<'de>")
    )
)]
pub struct Mdp<T = f64> {
    /// First action of each state, and the number of all actions.
    starts: Vec<usize>,
    /// A row of probabilities per action.
    moves: Csr<T>,
    costs: Vec<T>,
}

impl<T: Scalar> Mdp<T> {
    /// A process with these actions in each state.
    ///
    /// What the probabilities of an action miss one by counts as staying: all solvers and proofs look at those of going
    /// to other states, as they are given, and at costs.
    ///
    /// # Errors
    /// [`Error::NoStates`], [`Error::NoAction`], and [`Error::Action`] for the first action with a cost or a probability
    /// that it cannot have, then for the first that leads to a state that does not exist, then for the first whose
    /// probabilities miss one: by more than 1e-9 where numbers are floats, at all where they are exact.
    pub fn new(states: impl IntoIterator<Item = Vec<Action<T>>>) -> Result<Self, Error> {
        let mut starts = vec![0];
        let (mut costs, mut rows) = (Vec::new(), Vec::new());
        for (state, actions) in states.into_iter().enumerate() {
            if actions.is_empty() {
                return Err(Error::NoAction { state });
            }
            for (at, action) in actions.into_iter().enumerate() {
                // As they were given: two of them may be wrong, and right in sum.
                let moves = action.moves.iter().map(|(to, value)| (*to, value));
                check(&action.cost, moves).map_err(|flaw| flaw.at(state, at))?;
                costs.push(action.cost);
                rows.push(action.moves);
            }
            starts.push(costs.len());
        }
        let len = starts.len() - 1;
        if len == 0 {
            return Err(Error::NoStates);
        }
        for (row, moves) in rows.iter().enumerate() {
            if let Some(&(to, _)) = moves.iter().find(|&&(to, _)| to >= len) {
                let state = state_of(&starts, row);
                return Err(Flaw::NoSuchState { to, len }.at(state, row - starts[state]));
            }
        }
        Self::from_parts(starts, Csr::from_rows(len, rows), costs)
    }

    /// A process from rows that are there already: `starts[s]..starts[s + 1]` are the actions of state `s`, `moves` has
    /// a row of probabilities and `costs` an expected cost for each action. Takes no memory per action, for large
    /// processes.
    ///
    /// # Errors
    /// As [`Mdp::new`]; [`Error::LengthMismatch`] where the parts do not fit together, and [`Error::Parameter`] for starts
    /// that fall.
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, mdp::Mdp};
    ///
    /// // A machine runs on, or is repaired at a cost of 5; a broken one must be.
    /// let rows = [vec![(0, 0.9), (1, 0.1)], vec![(0, 1.0)], vec![(0, 1.0)]];
    /// let machine = Mdp::from_parts(vec![0, 2, 3], Csr::from_rows(2, rows), vec![0.0, 5.0, 5.0])?;
    /// assert_eq!((machine.len(), machine.actions(0)), (2, 2));
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn from_parts(starts: Vec<usize>, moves: Csr<T>, costs: Vec<T>) -> Result<Self, Error> {
        let len = starts.len().saturating_sub(1);
        if len == 0 {
            return Err(Error::NoStates);
        }
        check_length("actions before the first", 0, starts[0])?;
        check_length("costs", starts[len], costs.len())?;
        check_length("rows of probabilities", starts[len], moves.rows())?;
        check_length("columns of probabilities", len, moves.width())?;
        for (state, pair) in starts.windows(2).enumerate() {
            if pair[0] > pair[1] {
                return Err(Error::Parameter {
                    name: "a list of first actions",
                    value: pair[1] as f64,
                    expected: "rising from each state to the next",
                });
            }
            if pair[0] == pair[1] {
                return Err(Error::NoAction { state });
            }
            for (row, cost) in costs.iter().enumerate().take(pair[1]).skip(pair[0]) {
                let checked = check(cost, moves.row(row));
                // As they lie here, whatever order they came in: what was one is one whenever it is read again.
                let checked = checked.and_then(|()| check_sum(moves.row(row)));
                checked.map_err(|flaw| flaw.at(state, row - pair[0]))?;
            }
        }
        Ok(Self { starts, moves, costs })
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Always false: a process has states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of actions of a state.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn actions(&self, state: usize) -> usize {
        self.starts[state + 1] - self.starts[state]
    }

    /// Expected cost of an action of a state.
    ///
    /// # Panics
    /// If there is no such state, or the state has no such action.
    #[track_caller]
    pub fn cost(&self, state: usize, action: usize) -> &T {
        &self.costs[self.row_of(state, action)]
    }

    /// Probabilities of the next state.
    ///
    /// # Panics
    /// If there is no such state, or the state has no such action.
    #[track_caller]
    pub fn moves(&self, state: usize, action: usize) -> impl ExactSizeIterator<Item = (usize, &T)> + Clone {
        self.moves.row(self.row_of(state, action))
    }

    /// The chain that a policy makes of the process, and the cost of each state under it.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::ActionOutOfRange`].
    pub fn chain(&self, policy: &[usize]) -> Result<(Dtmc<T>, Vec<T>), Error> {
        self.check_policy(policy)?;
        let costs = policy.iter().enumerate();
        let costs = costs.map(|(state, &action)| self.cost(state, action).clone()).collect();
        Ok((Dtmc::new(&self.policy_rows(policy))?, costs))
    }

    /// Whether a policy has an action for every state, and the states have those actions.
    fn check_policy(&self, policy: &[usize]) -> Result<(), Error> {
        check_policy(policy, self.len(), |state| self.actions(state))
    }

    /// The same process with every number rounded to a float.
    pub(crate) fn to_floats(&self) -> Mdp<f64> {
        Mdp {
            starts: self.starts.clone(),
            moves: self.moves.map(|_, _, value| value.to_float()),
            costs: self.costs.iter().map(Scalar::to_float).collect(),
        }
    }

    /// The rows of the actions of a state.
    fn rows_of(&self, state: usize) -> Range<usize> {
        self.starts[state]..self.starts[state + 1]
    }

    /// The state that the action of a row is one of.
    fn state_of(&self, row: usize) -> usize {
        state_of(&self.starts, row)
    }

    #[track_caller]
    fn row_of(&self, state: usize, action: usize) -> usize {
        // Compared before it is added, which wraps for actions that no state can have.
        assert!(action < self.actions(state), "state {state} has no action {action}");
        self.starts[state] + action
    }
}

/// An action that there is for each of `len` states.
fn check_policy(policy: &[usize], len: usize, actions: impl Fn(usize) -> usize) -> Result<(), Error> {
    check_length("actions of a policy", len, policy.len())?;
    match policy
        .iter()
        .enumerate()
        .find(|&(state, &action)| action >= actions(state))
    {
        None => Ok(()),
        Some((state, &action)) => Err(Error::ActionOutOfRange {
            state,
            action,
            actions: actions(state),
        }),
    }
}

/// The state that the action of a row is one of, by the first rows of states.
fn state_of(starts: &[usize], row: usize) -> usize {
    starts.partition_point(|&start| start <= row) - 1
}

/// Refuses a cost or a probability that an action cannot have.
fn check<'a, T: Scalar>(cost: &T, moves: impl Iterator<Item = (usize, &'a T)>) -> Result<(), Flaw> {
    check_cost(cost)?;
    for (to, value) in moves {
        check_move(Weight::Probability, to, value)?;
    }
    Ok(())
}
