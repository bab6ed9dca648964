//! Decision processes: states, actions, and what they cost.

use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// One action of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Action<T = f64> {
    /// Expected cost of taking it once; rewards are negative costs.
    pub cost: T,
    /// Probabilities of the next state.
    pub moves: Vec<(usize, T)>,
}

/// A Markov decision process in discrete time, costs to be minimised.
#[derive(Clone, Debug, PartialEq)]
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
    /// # Errors
    /// [`Error::NoStates`], [`Error::NoAction`], [`Error::StateOutOfRange`], [`Error::NotANumber`], [`Error::Negative`], and
    /// [`Error::RowSum`] for actions whose probabilities miss one: by more than 1e-9 where numbers are floats, at all where
    /// they are exact.
    pub fn new(states: impl IntoIterator<Item = Vec<Action<T>>>) -> Result<Self, Error> {
        let mut starts = vec![0];
        let (mut costs, mut rows) = (Vec::new(), Vec::new());
        for (state, actions) in states.into_iter().enumerate() {
            if actions.is_empty() {
                return Err(Error::NoAction { state });
            }
            for action in actions {
                check(state, &action)?;
                costs.push(action.cost);
                rows.push(action.moves);
            }
            starts.push(costs.len());
        }
        let len = starts.len() - 1;
        if len == 0 {
            return Err(Error::NoStates);
        }
        if let Some(&(state, _)) = rows.iter().flatten().find(|&&(state, _)| state >= len) {
            return Err(Error::StateOutOfRange { state, len });
        }
        let moves = Csr::from_rows(len, rows);
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
    pub fn actions(&self, state: usize) -> usize {
        self.starts[state + 1] - self.starts[state]
    }

    /// Expected cost of an action of a state.
    pub fn cost(&self, state: usize, action: usize) -> &T {
        &self.costs[self.row_of(state, action)]
    }

    /// Probabilities of the next state.
    pub fn moves(&self, state: usize, action: usize) -> impl ExactSizeIterator<Item = (usize, &T)> + Clone {
        self.moves.row(self.row_of(state, action))
    }

    fn row_of(&self, state: usize, action: usize) -> usize {
        let row = self.starts[state] + action;
        assert!(row < self.starts[state + 1], "state {state} has no action {action}");
        row
    }
}

/// Rows of float probabilities may miss one by so much.
const ROW_SUM_TOLERANCE: f64 = 1e-9;

fn check<T: Scalar>(state: usize, action: &Action<T>) -> Result<(), Error> {
    if !action.cost.is_number() {
        return Err(Error::NotANumber { from: state, to: state });
    }
    let mut sum = T::zero();
    for (to, value) in &action.moves {
        if !value.is_number() {
            return Err(Error::NotANumber { from: state, to: *to });
        }
        if value.is_negative() {
            let value = value.to_float();
            return Err(Error::Negative {
                from: state,
                to: *to,
                value,
            });
        }
        sum += value;
    }
    let deficit = T::one() - sum;
    let is_one = if T::EXACT {
        deficit.is_zero()
    } else {
        deficit.to_float().abs() <= ROW_SUM_TOLERANCE
    };
    if is_one {
        return Ok(());
    }
    let deficit = deficit.to_float();
    Err(Error::RowSum { state, deficit })
}
