//! Team games from a pool of waiting players.
//!
//! At each time a player joins the pool, and then the matchmaker may form games of two teams of `n` players each; any
//! `2n` players of the pool may be taken, in any split, and several games may be formed at once. A game costs `alpha *
//! imbalance * 2n`, the imbalance being the difference of the total skills of its two teams; with a skill of one for
//! high and zero for low players that is the difference of the numbers of high players. Once a pool holds `cap` players
//! or more, at least one game has to be formed.
//!
//! Timing: a state of the [process](PoolProcess) is the pool *after* a player has joined and *before* the decision. A
//! player who joins at time `a` and leaves at time `b` pays for `b - a` periods: those who are left after the decision
//! pay for one period, those who leave with it pay nothing for the period to come. The states of [`patient_chain`] and
//! [`greedy_chain`] are the pools before a player joins, as in the paper: `u + v` players have waited through the
//! period that ends then, so that both conventions count the same costs.
//!
//! The paper has two types of players and one waiting cost, long-run averages only. Here types are any number, each
//! with its own skill and waiting cost, and the process is an [`Mdp`](crate::mdp::Mdp), which may just as well be
//! discounted.
//!
//! Reference: Q. Wu, "Dynamic matching with teams".

mod chains;
mod policies;
mod process;

pub use chains::{PairChain, greedy_chain, patient_chain};
pub use process::{Decision, PoolProcess};

use std::collections::BTreeSet;

use crate::error::{Error, check_length};
use crate::scalar::Scalar;

/// A type of players.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillType<T = f64> {
    /// Skill: what teams add up, and games compare.
    pub skill: i32,
    /// Probability that the next player to join is of this type.
    pub probability: T,
    /// Cost of one period of waiting.
    pub waiting_cost: T,
}

/// Which splits of the players of a game into two teams the matchmaker may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Splits {
    /// The least imbalanced one. It loses nothing: players leave the same way, at the least cost.
    Fairest,
    /// All of them.
    All,
}

/// A pool of players who wait for games of two teams.
///
/// # Examples
/// ```
/// use markov::Limits;
/// use markov::models::wu::TeamPool;
///
/// // Two against two, a third of the players high; wait up to five players.
/// let process = TeamPool::new(2, 1.0 / 3.0, 3.0, 5)?.process(Limits::default())?;
/// let patient = process.average_cost(&process.patient())?;
/// let greedy = process.average_cost(&process.greedy())?;
/// assert!((patient - 2.0).abs() < 1e-12 && patient < greedy);
/// # Ok::<(), markov::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TeamPool<T = f64> {
    team_size: usize,
    types: Vec<SkillType<T>>,
    alpha: T,
    cap: usize,
    splits: Splits,
}

impl<T: Scalar> TeamPool<T> {
    /// The paper's pool: teams of `team_size`, a high player with probability `q` and a low one otherwise, an imbalance
    /// cost of `alpha` per player, and a game at the latest when `cap` players wait. Type 0 is high, type 1 is low;
    /// each period of waiting costs one.
    ///
    /// # Errors
    /// [`Error::Parameter`], as [`TeamPool::with_types`].
    pub fn new(team_size: usize, q: T, alpha: T, cap: usize) -> Result<Self, Error> {
        let low = T::one() - q.clone();
        let types = [(1, q), (0, low)].map(|(skill, probability)| SkillType {
            skill,
            probability,
            waiting_cost: T::one(),
        });
        Self::with_types(team_size, types.into(), alpha, cap)
    }

    /// A pool with these types of players, whose probabilities add up to one.
    ///
    /// With more than two skills the imbalance of a game is the difference of the total skills of its teams, over all
    /// splits of its players into two teams of the same size; this is a generalisation of ours, the paper has none.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a team size of zero, no types, probabilities that are negative or do not add up to one,
    /// a negative `alpha` or waiting cost, and a `cap` below `2 * team_size`; for teams or types of more than 1000.
    pub fn with_types(team_size: usize, types: Vec<SkillType<T>>, alpha: T, cap: usize) -> Result<Self, Error> {
        if team_size == 0 || team_size > MOST_PLAYERS {
            return Err(parameter("team_size", team_size as f64, "from 1 to 1000"));
        }
        if cap < 2 * team_size {
            return Err(parameter("cap", cap as f64, "at least the players of a game"));
        }
        if types.len() > MOST_PLAYERS {
            return Err(parameter("number of types", types.len() as f64, "at most 1000"));
        }
        check_not_negative("alpha", &alpha)?;
        let mut sum = T::zero();
        for kind in &types {
            check_not_negative("probability", &kind.probability)?;
            check_not_negative("waiting_cost", &kind.waiting_cost)?;
            sum += &kind.probability;
        }
        let deficit = sum.clone() - T::one();
        if if T::EXACT {
            !deficit.is_zero()
        } else {
            deficit.to_float().abs() > 1e-9
        } {
            return Err(parameter("sum of probabilities", sum.to_float(), "1"));
        }
        Ok(Self {
            team_size,
            types,
            alpha,
            cap,
            splits: Splits::Fairest,
        })
    }

    /// The same pool with other costs of a period of waiting, by type.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], and [`Error::Parameter`] for negative ones.
    pub fn waiting_costs(mut self, costs: &[T]) -> Result<Self, Error> {
        check_length("waiting costs", self.types.len(), costs.len())?;
        for (kind, cost) in self.types.iter_mut().zip(costs) {
            check_not_negative("waiting_cost", cost)?;
            kind.waiting_cost = cost.clone();
        }
        Ok(self)
    }

    /// The same pool with these splits; [`Splits::Fairest`] unless set.
    #[must_use]
    pub fn splits(mut self, splits: Splits) -> Self {
        self.splits = splits;
        self
    }

    /// Players per team.
    pub fn team_size(&self) -> usize {
        self.team_size
    }

    /// The types of players.
    pub fn types(&self) -> &[SkillType<T>] {
        &self.types
    }

    /// Number of players at which a game has to be formed.
    pub fn cap(&self) -> usize {
        self.cap
    }

    /// The imbalances that splits of these players, by type, into two teams of the same size can have, in rising order;
    /// none if their number is odd.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] for other numbers of types; [`Error::Parameter`] for more than two teams of the largest
    /// size, 2000 players; [`Error::TooLarge`] where teams, or parts of them, have more than ten million skills.
    ///
    /// # Complexity
    /// As many steps, each of which takes a logarithm of their number, as there are sizes and skills that parts of a team
    /// can have, for each type, and numbers of its players to add.
    pub fn imbalances(&self, players: &[usize]) -> Result<Vec<u64>, Error> {
        check_length("numbers of players by type", self.types.len(), players.len())?;
        let size = players.iter().fold(0, |size: usize, &count| size.saturating_add(count));
        if size > 2 * MOST_PLAYERS {
            return Err(parameter("number of players", size as f64, "at most 2000"));
        }
        if size % 2 == 1 {
            return Ok(Vec::new());
        }
        let (half, mut left, mut total) = (size / 2, size, 0);
        // Players and total skill of one team, of the types that were looked at. Each can still become half of all
        // players: no more are taken, and no fewer than the types to come can make up for.
        let mut teams = BTreeSet::from([(0, 0)]);
        for (&count, kind) in players.iter().zip(&self.types).filter(|&(&count, _)| count > 0) {
            let skill = |players: usize| players as i64 * i64::from(kind.skill);
            left -= count;
            total += skill(count);
            let mut next = BTreeSet::new();
            for &(team, sum) in &teams {
                let fewest = (half - team).saturating_sub(left);
                next.extend((fewest..=count.min(half - team)).map(|taken| (team + taken, sum + skill(taken))));
                if next.len() > MOST_SKILLS {
                    let (what, limit) = ("skills of teams", MOST_SKILLS);
                    return Err(Error::TooLarge { what, limit });
                }
            }
            teams = next;
        }
        let imbalances = teams.iter().map(|&(_, sum)| (2 * sum - total).unsigned_abs());
        Ok(imbalances.collect::<BTreeSet<u64>>().into_iter().collect())
    }
}

/// Different skills that teams of one game may have.
const MOST_SKILLS: usize = 10_000_000;

/// Teams larger than any game has; keeps sums of skills within range.
const MOST_PLAYERS: usize = 1000;

fn parameter(name: &'static str, value: f64, expected: &'static str) -> Error {
    Error::Parameter { name, value, expected }
}

fn check_not_negative<T: Scalar>(name: &'static str, value: &T) -> Result<(), Error> {
    if value.is_number() && *value >= T::zero() {
        return Ok(());
    }
    Err(parameter(name, value.to_float(), "a finite number, not negative"))
}
