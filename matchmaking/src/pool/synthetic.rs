//! A seeded population to try matchmaking on.

use std::collections::HashSet;

use rand::Rng;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, LogNormal, Normal, Poisson};

use super::Pool;
use super::names::{FIRST, SECOND};
use crate::engagement::OutcomeModel;
use crate::player::{Activity, Outcome, Player};

/// Mean and standard deviation of the ratings.
const RATING: (f64, f64) = (1500.0, 300.0);
/// Median, standard deviation of the logarithm, and limits of the rating deviations.
const DEVIATION: (f64, f64, f64, f64) = (70.0, 0.4, 30.0, 350.0);
/// Median and standard deviation of the logarithm of the games a player plays on a day.
const GAMES_A_DAY: (f64, f64) = (3.0, 0.8);
/// Standard deviation of the rating difference to past opponents: queues look for somebody near.
const OPPONENT_SPREAD: f64 = 150.0;
/// So many of the latest outcomes are kept, as in the EOMM paper.
const HISTORY: u32 = 10;
/// Days of a month beyond its last week.
const REST_OF_MONTH: f64 = 23.0;

impl Pool {
    /// Mean rating of the synthetic population.
    #[cfg(feature = "eomm")]
    pub(crate) const SYNTHETIC_RATING: f64 = RATING.0;

    /// A pool of `n` players of a synthetic population; the same `n` and `seed` give the same pool.
    ///
    /// - rating ~ N(1500, 300²), deviation lognormal with median 70 and σ 0.4 within 30..350, both to one decimal;
    /// - games a day lognormal with median 3 and σ 0.8; the counts of the last 8 hours, day, week and month are sums of
    ///   Poisson counts of disjoint spans, so that they nest;
    /// - the last ten games (or as many as the month has) against opponents N(rating, 150²), decided by the default
    ///   [`OutcomeModel`], so that winners are those who should win;
    /// - names such as `SwiftOtter42`.
    ///
    /// Nobody has a party, a region, ids to avoid or recent opponents by name.
    pub fn synthetic(n: usize, seed: u64) -> Self {
        let mut population = Population::new(seed);
        let players = (0..n).map(|_| population.player()).collect();
        Self {
            players,
            avoided: vec![Vec::new(); n],
            opponents: vec![Vec::new(); n],
            unknown_columns: Vec::new(),
            missing: None,
            lines: Vec::new(),
        }
    }
}

/// The distributions players are drawn from.
struct Population {
    rng: ChaCha8Rng,
    rating: Normal<f64>,
    deviation: LogNormal<f64>,
    games_a_day: LogNormal<f64>,
    opponent: Normal<f64>,
    outcome: OutcomeModel,
    names: HashSet<String>,
}

impl Population {
    fn new(seed: u64) -> Self {
        const VALID: &str = "constant parameters of a distribution are valid";
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            rating: Normal::new(RATING.0, RATING.1).expect(VALID),
            deviation: LogNormal::new(DEVIATION.0.ln(), DEVIATION.1).expect(VALID),
            games_a_day: LogNormal::new(GAMES_A_DAY.0.ln(), GAMES_A_DAY.1).expect(VALID),
            opponent: Normal::new(0.0, OPPONENT_SPREAD).expect(VALID),
            outcome: OutcomeModel::default(),
            names: HashSet::new(),
        }
    }

    fn player(&mut self) -> Player {
        let rating = to_one_decimal(self.rating.sample(&mut self.rng));
        let deviation = self.deviation.sample(&mut self.rng).clamp(DEVIATION.2, DEVIATION.3);
        let mut player = Player::new(self.name(), rating, to_one_decimal(deviation));
        let a_day = self.games_a_day.sample(&mut self.rng);
        let games_8h = self.count(a_day / 3.0);
        let games_1d = games_8h + self.count(a_day * 2.0 / 3.0);
        let games_1w = games_1d + self.count(a_day * 6.0);
        let games_1m = games_1w + self.count(a_day * REST_OF_MONTH);
        player.activity = Activity {
            games_8h: Some(games_8h),
            games_1d: Some(games_1d),
            games_1w: Some(games_1w),
            games_1m: Some(games_1m),
        };
        player.outcomes = (0..games_1m.min(HISTORY)).map(|_| self.past_game(&player)).collect();
        player
    }

    fn name(&mut self) -> String {
        // Beyond 40 * 40 * 60 names most are taken: widen the number instead of drawing forever.
        let numbers = 100 * (1 + self.names.len() as u32 / 96_000);
        loop {
            let first = FIRST[self.rng.random_range(0..FIRST.len())];
            let second = SECOND[self.rng.random_range(0..SECOND.len())];
            let name = format!("{first}{second}{:02}", self.rng.random_range(0..numbers));
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    fn count(&mut self, mean: f64) -> u32 {
        Poisson::new(mean).map_or(0, |games| games.sample(&mut self.rng) as u32)
    }

    fn past_game(&mut self, player: &Player) -> Outcome {
        let difference = self.opponent.sample(&mut self.rng);
        let opponent = (player.rating + difference, player.deviation);
        let chances = self.outcome.probabilities((player.rating, player.deviation), opponent);
        let drawn: f64 = self.rng.random();
        if drawn < chances.win {
            Outcome::Win
        } else if drawn < chances.win + chances.draw {
            Outcome::Draw
        } else {
            Outcome::Loss
        }
    }
}

fn to_one_decimal(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Pool};
    use crate::error::Error;

    #[test]
    fn the_same_seed_gives_the_same_pool_and_a_valid_one() -> Result<(), Error> {
        let pool = Pool::synthetic(500, 7);
        assert_eq!(pool, Pool::synthetic(500, 7));
        assert_ne!(pool, Pool::synthetic(500, 8));
        assert_eq!(Pool::new(pool.players().to_vec())?, pool);
        Ok(())
    }

    #[test]
    fn the_population_has_the_documented_shape() {
        let pool = Pool::synthetic(20_000, 1);
        let n = pool.len() as f64;
        let mean = pool.players().iter().map(|p| p.rating).sum::<f64>() / n;
        let variance = pool.players().iter().map(|p| (p.rating - mean).powi(2)).sum::<f64>() / n;
        assert!(
            (mean - 1500.0).abs() < 10.0 && (variance.sqrt() - 300.0).abs() < 10.0,
            "{mean} {variance}"
        );
        let mut deviations: Vec<f64> = pool.players().iter().map(|p| p.deviation).collect();
        deviations.sort_by(f64::total_cmp);
        assert!((deviations[10_000] - 70.0).abs() < 2.0);
        assert!(deviations[0] >= 30.0 && deviations[19_999] <= 350.0);
        let outcomes: Vec<Outcome> = pool.players().iter().flat_map(|p| p.outcomes.clone()).collect();
        let draws = outcomes.iter().filter(|&&o| o == Outcome::Draw).count() as f64 / outcomes.len() as f64;
        assert!((draws - 0.2).abs() < 0.01, "{draws}");
        let nests = |p: &crate::Player| {
            let a = p.activity;
            a.games_8h <= a.games_1d && a.games_1d <= a.games_1w && a.games_1w <= a.games_1m
        };
        assert!(pool.players().iter().all(nests));
    }
}
