//! The states that waiting pools are drawn from.

use rand::seq::{SliceRandom, index};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::error::Error;
use super::statistics::{Estimate, Sample};
use crate::engagement::{ChurnModel, EngagementCost, FittedModel, Horizon, OutcomeModel, SyntheticChurn};
use crate::player::{Outcome, Player};
use crate::pool::Pool;

/// Whom waiting pools are made of, with the risks that a churn model gives each of them.
///
/// Either a collection of player states, as in the paper: pools are drawn from it without replacement, so that no state
/// meets itself, and the same one may wait in many rounds. Those of a [fitted model](Population::of_model) may be of one
/// player, who may then meet himself: whose they are is not known. Or new players of the synthetic population for each pool
/// ([`Population::of_new_players`]): then rounds share nothing.
#[derive(Clone, Debug)]
pub struct Population {
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    States(Collection),
    New(New),
}

/// States, in an order that says nothing of them, but that those of one player stand side by side.
#[derive(Clone, Debug)]
struct Collection {
    states: Waiting,
    /// Of how many players they are: some may be of one.
    players: usize,
}

/// The synthetic population, from which players are drawn when they are needed.
#[derive(Clone, Copy, Debug)]
struct New {
    horizon: Horizon,
    /// Factors by which ratings and risks are spread.
    ratings: f64,
    risks: f64,
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
    /// So many states show the paper's Table 1 where pools are of new players.
    pub const STATES: usize = 100_000;

    /// Most parts of a collection.
    const PARTS: usize = 50;

    /// A collection of these states, each of another player, in any order.
    ///
    /// # Errors
    /// [`Error::Player`] for players that no [`Pool`] takes, and where the model gives something that is not a
    /// probability.
    pub fn new(
        mut players: Vec<Player>,
        outcomes: OutcomeModel,
        model: &(impl ChurnModel + ?Sized),
    ) -> Result<Self, Error> {
        // Parts of a collection must be alike, and players may come by rating.
        players.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
        let count = players.len();
        Self::of_states(Waiting::of_pool(Pool::new(players)?, outcomes, model)?, count)
    }

    /// The states that a fitted model keeps of its log, several of a player as it may be.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_model(model: &FittedModel) -> Result<Self, Error> {
        let states = Pool::new(model.states().to_vec())?;
        let players = usize::try_from(model.counts().players).unwrap_or(usize::MAX);
        Self::of_states(Waiting::of_pool(states, model.outcome_model(), model)?, players)
    }

    /// A collection of states of the synthetic population: [`Pool::synthetic`] with [`SyntheticChurn`], the paper's
    /// draws, and one seed for both.
    ///
    /// # Errors
    /// None with the models of this crate.
    pub fn synthetic(states: usize, horizon: Horizon, seed: u64) -> Result<Self, Error> {
        Self::of_states(Waiting::synthetic(states, horizon, seed)?, states)
    }

    fn of_states(states: Waiting, players: usize) -> Result<Self, Error> {
        let players = players.min(states.pool.len());
        let source = Source::States(Collection { states, players });
        Ok(Self { source })
    }

    /// The synthetic population itself: each pool has players that are in no other one.
    pub fn of_new_players(horizon: Horizon) -> Self {
        let source = Source::New(New {
            horizon,
            ratings: 1.0,
            risks: 1.0,
        });
        Self { source }
    }

    /// Number of states of a collection; none for new players, who never come to an end.
    pub fn states(&self) -> Option<usize> {
        match &self.source {
            Source::States(collection) => Some(collection.states.pool.len()),
            Source::New(_) => None,
        }
    }

    /// The same people with ratings `factor` times as far from their mean.
    ///
    /// # Errors
    /// [`Error::Factor`] for a factor below 0 or one that is not finite; [`Error::Player`] where ratings leave the
    /// range of pools, which of new players shows when they are drawn.
    pub fn with_rating_spread(&self, factor: f64) -> Result<Self, Error> {
        check_factor(factor)?;
        let source = match &self.source {
            Source::States(Collection { states, players }) => {
                let all = states.pool.players();
                let mean = all.iter().map(|player| player.rating).sum::<f64>() / all.len().max(1) as f64;
                Source::States(Collection {
                    states: states.with_rating_spread(mean, factor)?,
                    players: *players,
                })
            }
            Source::New(new) => Source::New(New {
                ratings: new.ratings * factor,
                ..*new
            }),
        };
        Ok(Self { source })
    }

    /// The same people, whose risks after the three outcomes lie `factor` times as far from their risk before an even
    /// game: with 0 nothing depends on results. Risks beyond 0 and 1 are cut off.
    ///
    /// # Errors
    /// [`Error::Factor`] for a factor below 0 or one that is not finite.
    pub fn with_risk_spread(&self, factor: f64) -> Result<Self, Error> {
        check_factor(factor)?;
        let source = match &self.source {
            Source::States(Collection { states, players }) => Source::States(Collection {
                states: states.with_risk_spread(factor),
                players: *players,
            }),
            Source::New(new) => Source::New(New {
                risks: new.risks * factor,
                ..*new
            }),
        };
        Ok(Self { source })
    }

    /// The paper's Table 1 for this population: mean risk after each three outcomes in a row, of which the last one is
    /// that of a game to come. All 27, wins first; those with fewer than two players behind them are left out, and so
    /// are all for new players, of whom nobody is there to be looked at.
    pub fn churn_by_last_three(&self) -> Vec<AfterThree> {
        let Source::States(Collection { states, .. }) = &self.source else {
            return Vec::new();
        };
        let mut sums = [[(0_u64, 0.0, 0.0); 3]; 9];
        for (player, risks) in states.pool.players().iter().zip(&states.churn) {
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

    /// Into how many parts the collection falls for pools of this size, each with players enough for one; none for
    /// new players.
    pub(crate) fn parts(&self, size: usize, rounds: u64) -> Option<usize> {
        let Source::States(collection) = &self.source else {
            return None;
        };
        let rounds = usize::try_from(rounds).unwrap_or(usize::MAX);
        Some((collection.players / size).min(rounds).clamp(1, Self::PARTS))
    }

    /// So many different states of one part of so many, or new players, in random order.
    ///
    /// # Panics
    /// If the part has not as many states.
    pub(crate) fn draw(
        &self,
        size: usize,
        (part, parts): (usize, usize),
        rng: &mut impl Rng,
    ) -> Result<Waiting, Error> {
        match &self.source {
            Source::States(Collection { states, .. }) => {
                let n = states.pool.len();
                // Whose states are whose is not known: a player who stands at a cut has some in either part.
                let (from, to) = (part * n / parts, (part + 1) * n / parts);
                let drawn = index::sample(rng, to - from, size);
                Ok(states.of(&drawn.iter().map(|k| from + k).collect::<Vec<_>>()))
            }
            Source::New(new) => new.draw(size, rng.random()),
        }
    }
}

impl New {
    /// A seed of their own also for what the churn model keeps secret of players: it goes by their names, and names
    /// come again in other pools.
    fn draw(self, size: usize, seed: u64) -> Result<Waiting, Error> {
        let mut waiting = Waiting::synthetic(size, self.horizon, seed)?;
        if self.ratings != 1.0 {
            waiting = waiting.with_rating_spread(Pool::SYNTHETIC_RATING, self.ratings)?;
        }
        if self.risks != 1.0 {
            waiting = waiting.with_risk_spread(self.risks);
        }
        Ok(waiting)
    }
}

/// Players, and their risks.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    pub(crate) pool: Pool,
    outcomes: OutcomeModel,
    /// Risk of each player after each of [`Outcome::ALL`].
    churn: Vec<[f64; 3]>,
    /// Risk of each player without a game.
    idle: Vec<f64>,
}

impl Waiting {
    fn of_pool(pool: Pool, outcomes: OutcomeModel, model: &(impl ChurnModel + ?Sized)) -> Result<Self, Error> {
        let (churn, idle) = EngagementCost::new(&pool, &outcomes, model)?.into_risks();
        Ok(Self {
            pool,
            outcomes,
            churn,
            idle,
        })
    }

    fn synthetic(players: usize, horizon: Horizon, seed: u64) -> Result<Self, Error> {
        let (pool, model) = (Pool::synthetic(players, seed), SyntheticChurn::new(horizon, seed));
        Self::of_pool(pool, OutcomeModel::default(), &model)
    }

    /// These of them.
    fn of(&self, positions: &[usize]) -> Self {
        let players = positions.iter().map(|&k| self.pool.players()[k].clone());
        Self {
            pool: Pool::of_checked(players.collect()),
            outcomes: self.outcomes,
            churn: positions.iter().map(|&k| self.churn[k]).collect(),
            idle: positions.iter().map(|&k| self.idle[k]).collect(),
        }
    }

    fn with_rating_spread(&self, mean: f64, factor: f64) -> Result<Self, Error> {
        let mut players = self.pool.players().to_vec();
        for player in &mut players {
            player.rating = mean + factor * (player.rating - mean);
        }
        Ok(Self {
            pool: Pool::new(players)?,
            ..self.clone()
        })
    }

    fn with_risk_spread(&self, factor: f64) -> Self {
        let even = self.outcomes.probabilities((0.0, 0.0), (0.0, 0.0));
        let spread = |risks: &[f64; 3]| {
            let before: f64 = Outcome::ALL.iter().map(|&o| even.of(o) * risks[o.index()]).sum();
            risks.map(|risk| (before + factor * (risk - before)).clamp(0.0, 1.0))
        };
        Self {
            churn: self.churn.iter().map(spread).collect(),
            ..self.clone()
        }
    }

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

    use super::{Population, Source, Waiting};
    use crate::engagement::Horizon;
    use crate::eomm::Error;
    use crate::eomm::published::TABLE_1;

    fn population(states: usize) -> Population {
        Population::synthetic(states, Horizon::SevenDays, 1).expect("probabilities")
    }

    fn states(population: &Population) -> &Waiting {
        match &population.source {
            Source::States(collection) => &collection.states,
            Source::New(_) => panic!("no states"),
        }
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
        let risks = |population| states(population).churn.iter().flatten();
        for (one, other) in risks(&population).zip(risks(&same)) {
            assert!((one - other).abs() < 1e-15);
        }
        let indifferent = population.with_risk_spread(0.0)?;
        assert!(
            states(&indifferent)
                .churn
                .iter()
                .all(|risks| risks[0] == risks[1] && risks[1] == risks[2])
        );
        let wide = population.with_risk_spread(1e6)?;
        assert!(risks(&wide).all(|risk| (0.0..=1.0).contains(risk)));
        let equals = population.with_rating_spread(0.0)?;
        let ratings = states(&equals).pool.players().iter().map(|player| player.rating);
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
        let waiting = population
            .draw(50, (0, 1), &mut ChaCha8Rng::seed_from_u64(1))
            .expect("states");
        let mut ids: Vec<&str> = waiting.pool.players().iter().map(|player| player.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 50);
        for (player, risks) in waiting.pool.players().iter().zip(&waiting.churn) {
            let k = states(&population).pool.position(&player.id).expect("a state");
            assert_eq!(states(&population).churn[k], *risks);
        }
    }
}
