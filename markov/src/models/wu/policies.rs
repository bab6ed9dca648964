//! Policies of the pool as choices in its process, and what they cost.

use core::cmp::Reverse;

use super::{Decision, PoolProcess, TeamPool};
use crate::chain::Dtmc;
use crate::error::Error;
use crate::mdp::Mdp;
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
    pub fn decisions(&self, state: usize) -> &[Decision] {
        &self.decisions[state]
    }

    /// The greedy policy: as many games as there are players for, at the least imbalance.
    pub fn greedy(&self) -> Vec<usize> {
        self.choose(|decision| (Reverse(decision.games), decision.imbalance))
    }

    /// The patient policy: as many games without imbalance as there are players for. Where a game has to be formed and none is
    /// without, the one of least imbalance.
    pub fn patient(&self) -> Vec<usize> {
        self.choose(|decision| (decision.imbalance, Reverse(decision.games)))
    }

    /// The policy that takes in each state the decision of least key, and of those the first.
    pub fn choose<K: Ord>(&self, mut key: impl FnMut(&Decision) -> K) -> Vec<usize> {
        let best = |decisions: &Vec<Decision>| {
            let keys = decisions.iter().map(&mut key).enumerate();
            keys.min_by(|(_, one), (_, other)| one.cmp(other)).map_or(0, |(at, _)| at)
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
        self.average(policy, |decision| pool.waiting_cost(decision) + pool.imbalance_cost(decision))
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

    /// Whether a policy forms some game without imbalance in each state where that can be done.
    pub fn forms_fair_games(&self, policy: &[usize]) -> bool {
        let states = self.decisions.iter().zip(policy);
        states.into_iter().all(|(decisions, &action)| {
            let can = decisions.iter().any(Decision::has_fair_games_only);
            !can || decisions[action].games > 0
        })
    }
}

impl Decision {
    /// Whether games are formed, all without imbalance.
    pub fn has_fair_games_only(&self) -> bool {
        self.games > 0 && self.imbalance == 0
    }
}
