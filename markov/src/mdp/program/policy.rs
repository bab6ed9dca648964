//! Policies that draw their actions by chance.

use crate::chain::Dtmc;
use crate::error::{Error, check_length};
use crate::mdp::Mdp;
#[cfg(feature = "serde")]
use crate::mdp::flaw::Flaw;
use crate::sparse::Csr;

/// A stationary policy that draws its actions by chance.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Unchecked")
)]
pub struct RandomPolicy {
    /// First action of each state, and the number of all actions.
    starts: Vec<usize>,
    chances: Vec<f64>,
}

/// A policy as it is read.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    starts: Vec<usize>,
    chances: Vec<f64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for RandomPolicy {
    type Error = Error;

    fn try_from(read: Unchecked) -> Result<Self, Error> {
        let Unchecked { starts, chances } = read;
        crate::serial::check_starts(&starts, chances.len(), 1)?;
        for (state, range) in starts.windows(2).enumerate() {
            let chances = &chances[range[0]..range[1]];
            let mut wrong = chances.iter().enumerate();
            if let Some((action, &chance)) = wrong.find(|(_, chance)| !(**chance >= 0.0 && chance.is_finite())) {
                return Err(Flaw::Chance { chance }.at(state, action));
            }
            // A chain is made with them.
            let deficit = 1.0 - chances.iter().sum::<f64>();
            if !crate::scalar::is_rounding(&deficit) {
                return Err(Error::RowSum { state, deficit });
            }
        }
        match starts.len() {
            1 => Err(Error::NoStates),
            _ => Ok(Self { starts, chances }),
        }
    }
}

impl RandomPolicy {
    /// In proportion to these weights of all actions, of which some in each state are positive.
    pub(super) fn of_weights(starts: &[usize], mut weights: Vec<f64>) -> Self {
        for range in starts.windows(2) {
            let own = &mut weights[range[0]..range[1]];
            let sum: f64 = own.iter().sum();
            own.iter_mut().for_each(|weight| *weight /= sum);
        }
        Self {
            starts: starts.to_vec(),
            chances: weights,
        }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Always false: a process has states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The chance of each action of a state; they add up to one.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn chances(&self, state: usize) -> &[f64] {
        &self.chances[self.starts[state]..self.starts[state + 1]]
    }

    /// The action of each state, if it never draws between several.
    pub fn actions(&self) -> Option<Vec<usize>> {
        let only = |state: usize| {
            let chances = self.chances(state);
            let action = chances.iter().position(|&chance| chance > 0.0)?;
            chances[action + 1..]
                .iter()
                .all(|&chance| chance == 0.0)
                .then_some(action)
        };
        (0..self.len()).map(only).collect()
    }

    /// The chain that the policy makes of a process, and the expected cost of each state under it.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] where the process has other numbers of states or actions; [`Error::RowSum`] where what
    /// chances, and probabilities of the process, miss one by is more than 1e-9 together.
    pub fn chain(&self, mdp: &Mdp<f64>) -> Result<(Dtmc<f64>, Vec<f64>), Error> {
        check_length("states of a policy", mdp.len(), self.len())?;
        for state in 0..mdp.len() {
            check_length("chances of actions", mdp.actions(state), self.chances(state).len())?;
        }
        let drawn = |state: usize| mdp.rows_of(state).filter(|&row| self.chances[row] > 0.0);
        let rows = (0..mdp.len()).map(|state| {
            let moves = drawn(state).flat_map(|row| {
                let moves = mdp.moves.row(row);
                moves.map(move |(to, chance)| (to, chance * self.chances[row]))
            });
            moves.collect::<Vec<_>>()
        });
        let cost = |state: usize| drawn(state).map(|row| self.chances[row] * mdp.costs[row]).sum::<f64>();
        let chain = Dtmc::new(&Csr::from_rows(mdp.len(), rows))?;
        Ok((chain, (0..mdp.len()).map(cost).collect()))
    }
}
