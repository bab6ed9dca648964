//! The rows of the actions that a policy takes, side by side.
//!
//! Sweeps over the actions taken would otherwise read nearly as much memory as sweeps over all.

use crate::mdp::Mdp;
use crate::mdp::sweep::expected;

/// Rows of probabilities and costs of one action per state.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    policy: Vec<u32>,
    starts: Vec<usize>,
    columns: Vec<u32>,
    weights: Vec<f64>,
    costs: Vec<f64>,
}

impl Taken {
    /// Takes on another policy. Returns in how many states it is another one.
    pub(crate) fn update(&mut self, mdp: &Mdp<f64>, policy: &[u32]) -> usize {
        if self.policy.is_empty() {
            self.rebuild(mdp, policy);
            return policy.len();
        }
        let mut changes = 0;
        for (state, &action) in policy.iter().enumerate() {
            if action == self.policy[state] {
                continue;
            }
            changes += 1;
            let row = mdp.starts[state] + action as usize;
            let (columns, weights) = mdp.moves.row_slices(row);
            let range = self.starts[state]..self.starts[state + 1];
            if range.len() != columns.len() {
                self.rebuild(mdp, policy);
                // At least one; how many matters only where there are none.
                return changes;
            }
            self.policy[state] = action;
            self.costs[state] = mdp.costs[row];
            self.columns[range.clone()].copy_from_slice(columns);
            self.weights[range].copy_from_slice(weights);
        }
        changes
    }

    fn rebuild(&mut self, mdp: &Mdp<f64>, policy: &[u32]) {
        self.policy = policy.to_vec();
        self.starts.clear();
        self.columns.clear();
        self.weights.clear();
        self.costs.clear();
        self.starts.push(0);
        for (start, &action) in mdp.starts.iter().zip(policy) {
            let (columns, weights) = mdp.moves.row_slices(start + action as usize);
            self.columns.extend_from_slice(columns);
            self.weights.extend_from_slice(weights);
            self.costs.push(mdp.costs[start + action as usize]);
            self.starts.push(self.columns.len());
        }
    }

    /// Number of probabilities.
    pub(crate) fn entries(&self) -> usize {
        self.columns.len()
    }

    /// What the action of a state costs at once and, by values of states, from there on.
    pub(crate) fn look_ahead(&self, state: usize, discount: f64, values: &[f64]) -> f64 {
        let range = self.starts[state]..self.starts[state + 1];
        let (columns, weights) = (&self.columns[range.clone()], &self.weights[range]);
        self.costs[state] + discount * expected(columns, weights, values, state)
    }
}

#[cfg(test)]
mod tests {
    use super::Taken;
    use crate::mdp::{Action, Mdp};

    #[test]
    fn rows_of_other_lengths_are_taken_on() {
        let action = |cost, moves: &[(usize, f64)]| Action {
            cost,
            moves: moves.to_vec(),
        };
        let actions = || {
            vec![
                action(1.0, &[(0, 1.0)]),
                action(2.0, &[(0, 0.5), (1, 0.5)]),
                action(3.0, &[(1, 1.0)]),
            ]
        };
        let mdp = Mdp::new([actions(), actions()]).expect("a process");
        let values = [10.0, 30.0];
        let mut taken = Taken::default();
        for (policy, changes, expected) in [
            ([0, 0], 2, [11.0, 11.0]),
            ([0, 2], 1, [11.0, 33.0]),
            ([1, 2], 1, [22.0, 33.0]),
            ([1, 2], 0, [22.0, 33.0]),
        ] {
            assert_eq!(taken.update(&mdp, &policy), changes);
            assert_eq!([0, 1].map(|state| taken.look_ahead(state, 1.0, &values)), expected);
        }
    }
}
