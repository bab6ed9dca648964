//! The pool as a decision process.

use std::collections::BTreeSet;

use super::{SkillType, Splits, TeamPool};
use crate::error::Error;
use crate::mdp::{Action, Mdp};
use crate::scalar::Scalar;
use crate::states::{Limits, StateIndex};

/// What the matchmaker may decide at a pool: which games to form. Decisions that leave the same players waiting at the
/// same cost are one decision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Number of games.
    pub games: usize,
    /// Sum of their imbalances.
    pub imbalance: u64,
    /// Players left waiting, by type.
    pub left: Vec<usize>,
}

/// The decision process of a [`TeamPool`]: its states are the pools reachable from the empty one, just after a player
/// joined.
#[derive(Clone, Debug)]
pub struct PoolProcess<T = f64> {
    pub(super) pool: TeamPool<T>,
    pub(super) states: StateIndex<Vec<usize>>,
    pub(super) decisions: Vec<Vec<Decision>>,
    pub(super) mdp: Mdp<T>,
}

/// Who plays, by type, and the imbalances that splits of them can have.
type Game = (Vec<usize>, Vec<u64>);

impl<T: Scalar> TeamPool<T> {
    /// The decision process: one action for each [`Decision`], whose cost is that of its games and of one period of
    /// waiting for those who are left, and after which a player joins.
    ///
    /// # Errors
    /// [`Error::TooLarge`], for states before any is listed; and as [`imbalances`](Self::imbalances).
    ///
    /// # Complexity
    /// With `K` types that come there are `binomial(cap + K, K) - 1` states.
    pub fn process(&self, limits: Limits) -> Result<PoolProcess<T>, Error> {
        if self.pools() > limits.states {
            let (what, limit) = ("states", limits.states);
            return Err(Error::TooLarge { what, limit });
        }
        let games = self.games()?;
        let mut states = StateIndex::default();
        for (pool, _) in self.arrivals(&vec![0; self.types.len()]) {
            states.number(&pool);
        }
        let (mut decisions, mut actions) = (Vec::new(), Vec::new());
        let mut transitions = 0;
        while actions.len() < states.len() {
            let pool = states.names()[actions.len()].clone();
            let choices = self.decisions(&pool, &games);
            let mut of_state = Vec::with_capacity(choices.len());
            for decision in &choices {
                let next = self.arrivals(&decision.left);
                of_state.push(Action {
                    cost: self.waiting_cost(decision) + self.imbalance_cost(decision),
                    moves: next
                        .map(|(pool, probability)| (states.number(&pool), probability))
                        .collect(),
                });
            }
            transitions += of_state.iter().map(|action| action.moves.len()).sum::<usize>();
            for (what, count, limit) in [
                ("states", states.len(), limits.states),
                ("transitions", transitions, limits.transitions),
            ] {
                if count > limit {
                    return Err(Error::TooLarge { what, limit });
                }
            }
            decisions.push(choices);
            actions.push(of_state);
        }
        Ok(PoolProcess {
            pool: self.clone(),
            states,
            decisions,
            mdp: Mdp::new(actions)?,
        })
    }

    /// The pools that a pool may become by a player who joins.
    fn arrivals(&self, pool: &[usize]) -> impl Iterator<Item = (Vec<usize>, T)> {
        let types = self.types.iter().enumerate();
        types.filter(|(_, kind)| !kind.probability.is_zero()).map(|(at, kind)| {
            let mut next = pool.to_vec();
            next[at] += 1;
            (next, kind.probability.clone())
        })
    }

    /// The number of states: pools of up to `cap` players of the types that come, all of which are met where no game is
    /// formed before it has to be, but for the empty one. At most `usize::MAX`.
    fn pools(&self) -> usize {
        let types = self.types.iter().filter(|kind| !kind.probability.is_zero()).count();
        let mut pools = 1_u128;
        for kind in 1..=types as u128 {
            // binomial(cap + kind, kind), which is a whole number each time.
            pools = pools * (self.cap as u128 + kind) / kind;
            if pools > usize::MAX as u128 {
                return usize::MAX;
            }
        }
        pools as usize - 1
    }

    /// Who may play a game, with the imbalances to choose from. Those who never come play none.
    fn games(&self) -> Result<Vec<Game>, Error> {
        let size = 2 * self.team_size;
        let most = |kind: &SkillType<T>| if kind.probability.is_zero() { 0 } else { size };
        let players = choices(&self.types.iter().map(most).collect::<Vec<_>>(), size);
        let game = |players: Vec<usize>| {
            let mut imbalances = self.imbalances(&players)?;
            if self.splits == Splits::Fairest {
                imbalances.truncate(1);
            }
            Ok((players, imbalances))
        };
        players.into_iter().map(game).collect()
    }

    /// All decisions at a pool: no game, one, two and so on; none is no choice where the pool has reached its cap.
    fn decisions(&self, pool: &[usize], games: &[Game]) -> Vec<Decision> {
        let mut all = Vec::new();
        let mut reached = BTreeSet::from([(pool.to_vec(), 0)]);
        let mut count = 0;
        while !reached.is_empty() {
            let mut next = BTreeSet::new();
            for (left, imbalance) in &reached {
                for (players, imbalances) in games {
                    if let Some(left) = without(left, players) {
                        next.extend(imbalances.iter().map(|more| (left.clone(), imbalance + more)));
                    }
                }
            }
            // In order of imbalance for each pool that is left, so that the first is the fairest.
            let mut last = None;
            for (left, imbalance) in core::mem::replace(&mut reached, next) {
                let is_again = last.as_ref() == Some(&left);
                if !(is_again && self.splits == Splits::Fairest) {
                    last = Some(left.clone());
                    let games = count;
                    all.push(Decision { games, imbalance, left });
                }
            }
            count += 1;
        }
        if pool.iter().sum::<usize>() >= self.cap {
            all.retain(|decision| decision.games > 0);
        }
        all
    }

    /// Cost of one period of waiting for the players that a decision leaves.
    pub fn waiting_cost(&self, decision: &Decision) -> T {
        let mut cost = T::zero();
        for (&count, kind) in decision.left.iter().zip(&self.types) {
            cost += kind.waiting_cost.clone() * T::ratio(count as i64, 1);
        }
        cost
    }

    /// Cost of the games of a decision: `alpha` times their imbalances times the players of a game.
    pub fn imbalance_cost(&self, decision: &Decision) -> T {
        self.alpha.clone() * T::ratio(decision.imbalance as i64, 1) * T::ratio(2 * self.team_size as i64, 1)
    }
}

/// What is left of a pool without these players, if they are all in it.
fn without(pool: &[usize], players: &[usize]) -> Option<Vec<usize>> {
    let counts = pool.iter().zip(players);
    counts.map(|(&count, &taken)| count.checked_sub(taken)).collect()
}

/// All ways to choose so many players of a pool, by type.
fn choices(pool: &[usize], size: usize) -> Vec<Vec<usize>> {
    let Some((&first, rest)) = pool.split_first() else {
        return if size == 0 { vec![Vec::new()] } else { Vec::new() };
    };
    let available: usize = rest.iter().sum();
    let mut all = Vec::new();
    for count in size.saturating_sub(available)..=size.min(first) {
        for mut others in choices(rest, size - count) {
            others.insert(0, count);
            all.push(others);
        }
    }
    all
}
