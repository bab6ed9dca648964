//! Policies of the pool as choices in its process, and what they cost.

use core::cmp::Reverse;

use super::{Decision, PoolProcess, TeamPool};
use crate::chain::Dtmc;
use crate::error::Error;
use crate::mdp::{Action, Mdp};
use crate::scalar::Scalar;
use crate::states::StateIndex;

impl<T: Scalar> PoolProcess<T> {
    /// The pool that this is the process of.
    pub fn pool(&self) -> &TeamPool<T> {
        &self.pool
    }

    /// The process itself.
    pub fn mdp(&self) -> &Mdp<T> {
        &self.mdp
    }

    /// The states: pools just after a player joined, as numbers of players by type.
    pub fn states(&self) -> &StateIndex<Vec<usize>> {
        &self.states
    }

    /// What may be decided in a state, one decision for each action there.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn decisions(&self, state: usize) -> &[Decision] {
        &self.decisions[state]
    }

    /// The greedy policy: as many games as there are players for, at the least imbalance.
    pub fn greedy(&self) -> Vec<usize> {
        self.choose(|decision| (Reverse(decision.games), decision.imbalance))
    }

    /// The patient policy: as many games without imbalance as there are players for. Where a game has to be formed and
    /// none is without, the one of least imbalance.
    pub fn patient(&self) -> Vec<usize> {
        self.choose(|decision| (decision.imbalance, Reverse(decision.games)))
    }

    /// The policy that takes in each state the decision of least key, and of those the first.
    pub fn choose<K: Ord>(&self, mut key: impl FnMut(&Decision) -> K) -> Vec<usize> {
        let best = |decisions: &Vec<Decision>| {
            let keys = decisions.iter().map(&mut key).enumerate();
            keys.min_by(|(_, one), (_, other)| one.cmp(other))
                .map_or(0, |(at, _)| at)
        };
        self.decisions.iter().map(best).collect()
    }

    /// The chain of pools just after a player joined, under a policy.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn chain(&self, policy: &[usize]) -> Result<Dtmc<T>, Error> {
        Ok(self.mdp.chain(policy)?.0)
    }

    /// Long-run average cost of a policy per period, from the empty pool.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::Reducible`] where the policy has more than one closed class.
    pub fn average_cost(&self, policy: &[usize]) -> Result<T, Error> {
        let pool = &self.pool;
        self.average(policy, |decision| {
            pool.waiting_cost(decision) + pool.imbalance_cost(decision)
        })
    }

    /// Long-run average per period of what decisions amount to, under a policy.
    ///
    /// # Errors
    /// As [`PoolProcess::average_cost`].
    pub fn average(&self, policy: &[usize], mut of: impl FnMut(&Decision) -> T) -> Result<T, Error> {
        let shares = self.chain(policy)?.stationary()?;
        let mut sum = T::zero();
        for ((share, decisions), &action) in shares.into_iter().zip(&self.decisions).zip(policy) {
            if !share.is_zero() {
                sum += share * of(&decisions[action]);
            }
        }
        Ok(sum)
    }

    /// The same process with only those decisions that keep to a rule; a state where none does keeps all of its own.
    ///
    /// # Errors
    /// None that [`TeamPool::process`] has not had.
    pub fn restricted(&self, mut keeps: impl FnMut(usize, &Decision) -> bool) -> Result<Self, Error> {
        let (mut kept, mut actions) = (Vec::new(), Vec::new());
        for (state, decisions) in self.decisions.iter().enumerate() {
            let mut allowed: Vec<usize> = (0..decisions.len())
                .filter(|&at| keeps(state, &decisions[at]))
                .collect();
            if allowed.is_empty() {
                allowed = (0..decisions.len()).collect();
            }
            let action = |&at: &usize| Action {
                cost: self.mdp.cost(state, at).clone(),
                moves: self
                    .mdp
                    .moves(state, at)
                    .map(|(to, value)| (to, value.clone()))
                    .collect(),
            };
            actions.push(allowed.iter().map(action).collect::<Vec<_>>());
            kept.push(allowed.iter().map(|&at| decisions[at].clone()).collect());
        }
        Ok(Self {
            pool: self.pool.clone(),
            states: self.states.clone(),
            decisions: kept,
            mdp: Mdp::new(actions)?,
        })
    }

    /// The same process for matchmakers who form games without imbalance as soon as there are any: where there is one,
    /// they form such games and no others, until none is left.
    ///
    /// # Errors
    /// As [`PoolProcess::restricted`].
    pub fn with_fair_games_at_once(&self) -> Result<Self, Error> {
        let fair = |state: usize| {
            self.decisions[state]
                .iter()
                .filter(|decision| decision.has_fair_games_only())
        };
        let most: Vec<usize> = (0..self.decisions.len())
            .map(|state| fair(state).map(|decision| decision.games).max().unwrap_or(0))
            .collect();
        self.restricted(|state, decision| most[state] == 0 || decision.imbalance == 0 && decision.games == most[state])
    }
}

impl Decision {
    /// Whether games are formed, all without imbalance.
    pub fn has_fair_games_only(&self) -> bool {
        self.games > 0 && self.imbalance == 0
    }
}
