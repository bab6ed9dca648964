//! The states that waiting pools are drawn from.

use rand::Rng;
use rand::seq::index;

use super::error::Error;
use super::statistics::{Estimate, Sample};
use crate::engagement::{ChurnModel, EngagementCost, Horizon, OutcomeModel, SyntheticChurn};
use crate::player::{Outcome, Player};
use crate::pool::Pool;

/// A collection of player states, with the risks that a churn model gives each of them: the paper's "player state
/// collection".
///
/// Pools are drawn from it without replacement: nobody meets oneself. The same state may wait in many rounds, as in
/// the paper.
#[derive(Clone, Debug)]
pub struct Population {
    pool: Pool,
    outcomes: OutcomeModel,
    /// Risk of each player after each of [`Outcome::ALL`].
    churn: Vec<[f64; 3]>,
    /// Risk of each player without a game.
    idle: Vec<f64>,
}

/// Churn after three outcomes in a row: a row of the paper's Table 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AfterThree {
    /// The outcomes, newest last.
    pub outcomes: [Outcome; 3],
    /// The mean risk of those whose last three outcomes are these.
    pub churn: Estimate,
    /// Players behind it.
    pub players: u64,
}

impl AfterThree {
    /// The outcomes as letters, newest last.
    pub fn letters(&self) -> String {
        self.outcomes.iter().map(|outcome| outcome.letter()).collect()
    }
}

impl Population {
    /// So many states make the population that the program simulates.
    pub const STATES: usize = 100_000;

    /// A collection of these states.
    ///
    /// # Errors
    /// [`Error::Player`] for players that no [`Pool`] takes, and where the model gives something that is not a
    /// probability.
    pub fn new(players: Vec<Player>, outcomes: OutcomeModel, model: &impl ChurnModel) -> Result<Self, Error> {
        Self::of_pool(Pool::new(players)?, outcomes, model)
    }

    /// The synthetic population: [`Pool::synthetic`] with [`SyntheticChurn`], the paper's draws, and one seed for both.
    ///
    /// # Errors
    /// None with the models of this crate.
    pub fn synthetic(states: usize, horizon: Horizon, seed: u64) -> Result<Self, Error> {
        let (pool, model) = (Pool::synthetic(states, seed), SyntheticChurn::new(horizon, seed));
        Self::of_pool(pool, OutcomeModel::default(), &model)
    }

    fn of_pool(pool: Pool, outcomes: OutcomeModel, model: &impl ChurnModel) -> Result<Self, Error> {
        let (churn, idle) = EngagementCost::new(&pool, &outcomes, model)?.into_risks();
        Ok(Self {
            pool,
            outcomes,
            churn,
            idle,
        })
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.pool.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pool.is_empty()
    }

    /// The same people with ratings `factor` times as far from their mean.
    ///
    /// # Errors
    /// [`Error::Factor`] for a factor below 0 or one that is not finite; [`Error::Player`] where ratings leave the
    /// range of pools.
    pub fn with_rating_spread(&self, factor: f64) -> Result<Self, Error> {
        check_factor(factor)?;
        let mut players = self.pool.players().to_vec();
        let mean = players.iter().map(|player| player.rating).sum::<f64>() / players.len().max(1) as f64;
        for player in &mut players {
            player.rating = mean + factor * (player.rating - mean);
        }
        Ok(Self {
            pool: Pool::new(players)?,
            ..self.clone()
        })
    }

    /// The same people, whose risks after the three outcomes lie `factor` times as far from their risk before an even
    /// game: with 0 nothing depends on results. Risks beyond 0 and 1 are cut off.
    ///
    /// # Errors
    /// [`Error::Factor`] for a factor below 0 or one that is not finite.
    pub fn with_risk_spread(&self, factor: f64) -> Result<Self, Error> {
        check_factor(factor)?;
        let even = self.outcomes.probabilities((0.0, 0.0), (0.0, 0.0));
        let spread = |risks: &[f64; 3]| {
            let before: f64 = Outcome::ALL.iter().map(|&o| even.of(o) * risks[o.index()]).sum();
            risks.map(|risk| (before + factor * (risk - before)).clamp(0.0, 1.0))
        };
        Ok(Self {
            churn: self.churn.iter().map(spread).collect(),
            ..self.clone()
        })
    }

    /// The paper's Table 1 for this population: mean risk after each three outcomes in a row, of which the last one is
    /// that of a game to come. All 27, wins first; those with fewer than two players behind them are left out.
    pub fn churn_by_last_three(&self) -> Vec<AfterThree> {
        let mut sums = [[(0_u64, 0.0, 0.0); 3]; 9];
        for (player, risks) in self.pool.players().iter().zip(&self.churn) {
            let [.., oldest, newer] = player.outcomes[..] else {
                continue;
            };
            for (&risk, sum) in risks.iter().zip(&mut sums[3 * oldest.index() + newer.index()]) {
                *sum = (sum.0 + 1, sum.1 + risk, sum.2 + risk * risk);
            }
        }
        let of = |k: usize| Outcome::ALL[k];
        let rows = (0..27).map(|k| (sums[k / 3][k % 3], [of(k / 9), of(k / 3 % 3), of(k % 3)]));
        let rows = rows.filter(|((players, ..), _)| *players > 1);
        let row = |((players, sum, squares), outcomes): ((u64, f64, f64), [Outcome; 3])| {
            let (n, mean) = (players as f64, sum / players as f64);
            let sample = Sample {
                count: players,
                mean,
                variance: ((squares - n * mean * mean) / (n - 1.0)).max(0.0),
            };
            AfterThree {
                outcomes,
                churn: sample.estimate(),
                players,
            }
        };
        rows.map(row).collect()
    }

    /// So many different states, in random order.
    ///
    /// # Panics
    /// If there are not as many.
    pub(crate) fn draw(&self, size: usize, rng: &mut impl Rng) -> Waiting {
        let states = index::sample(rng, self.len(), size);
        Waiting {
            pool: Pool::of_checked(states.iter().map(|k| self.pool.players()[k].clone()).collect()),
            outcomes: self.outcomes,
            churn: states.iter().map(|k| self.churn[k]).collect(),
            idle: states.iter().map(|k| self.idle[k]).collect(),
        }
    }
}

/// Players who were drawn, and their risks.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) pool: Pool,
    outcomes: OutcomeModel,
    churn: Vec<[f64; 3]>,
    idle: Vec<f64>,
}

impl Waiting {
    /// Equation (7) for each two of them.
    pub(crate) fn cost(&self) -> EngagementCost<'_> {
        EngagementCost::from_risks(&self.pool, &self.outcomes, self.churn.clone(), self.idle.clone())
    }
}

fn check_factor(factor: f64) -> Result<(), Error> {
    if factor.is_finite() && factor >= 0.0 {
        Ok(())
    } else {
        Err(Error::Factor { factor })
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::Population;
    use crate::engagement::Horizon;
    use crate::eomm::Error;
    use crate::eomm::published::TABLE_1;

    fn population(states: usize) -> Population {
        Population::synthetic(states, Horizon::SevenDays, 1).expect("probabilities")
    }

    #[test]
    fn the_population_itself_shows_the_rows_of_table_1() {
        let rows = population(30_000).churn_by_last_three();
        assert_eq!(rows.len(), 27);
        for (letters, from, to) in TABLE_1 {
            let row = rows.iter().find(|row| row.letters() == letters).expect("a row");
            let [from, to] = [f64::from(from) - 0.5, f64::from(to) + 0.5].map(|tenths| tenths / 1000.0);
            let room = 4.0 * row.churn.standard_error;
            assert!(from - room < row.churn.mean && row.churn.mean < to + room, "{row:?}");
            assert!(room < 0.008, "{row:?}");
        }
    }

    #[test]
    fn spreads_of_one_change_nothing_and_of_zero_make_all_alike() -> Result<(), Error> {
        let population = population(400);
        let same = population.with_risk_spread(1.0)?;
        for (one, other) in population.churn.iter().flatten().zip(same.churn.iter().flatten()) {
            assert!((one - other).abs() < 1e-15);
        }
        let indifferent = population.with_risk_spread(0.0)?;
        assert!(
            indifferent
                .churn
                .iter()
                .all(|risks| risks[0] == risks[1] && risks[1] == risks[2])
        );
        let wide = population.with_risk_spread(1e6)?;
        assert!(wide.churn.iter().flatten().all(|risk| (0.0..=1.0).contains(risk)));
        let equals = population.with_rating_spread(0.0)?;
        let ratings = equals.pool.players().iter().map(|player| player.rating);
        assert!(ratings.clone().all(|rating| Some(rating) == ratings.clone().next()));
        for factor in [-1.0, f64::NAN, f64::INFINITY] {
            let refused = [
                population.with_risk_spread(factor),
                population.with_rating_spread(factor),
            ];
            assert!(refused.iter().all(|spread| matches!(spread, Err(Error::Factor { .. }))));
        }
        assert!(matches!(population.with_rating_spread(1e8), Err(Error::Player(_))));
        Ok(())
    }

    #[test]
    fn nobody_is_drawn_twice_into_a_pool() {
        let population = population(50);
        let waiting = population.draw(50, &mut ChaCha8Rng::seed_from_u64(1));
        let mut ids: Vec<&str> = waiting.pool.players().iter().map(|player| player.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 50);
        for (player, risks) in waiting.pool.players().iter().zip(&waiting.churn) {
            let k = population.pool.position(&player.id).expect("a state");
            assert_eq!(population.churn[k], *risks);
        }
    }
}
