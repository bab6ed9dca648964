//! How likely a player stops playing after a game.

use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::player::{Outcome, Player};

/// Probability that a player stops playing, given the state before a game and how that game ends.
///
/// # Examples
/// A model that is chosen when the program runs:
/// ```
/// use matchmaking::{ChurnModel, EngagementCost, Error, FittedModel, Horizon, OutcomeModel, Pool, SyntheticChurn};
///
/// # let fitted: Option<FittedModel> = None;
/// let model: Box<dyn ChurnModel> = match fitted {
///     Some(model) => Box::new(model),
///     None => Box::new(SyntheticChurn::new(Horizon::SevenDays, 0)),
/// };
/// let pool = Pool::synthetic(10, 1);
/// let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &model)?;
/// # Ok::<(), Error>(())
/// ```
pub trait ChurnModel {
    /// Churn risk of the player after a game with this result: `c(s, o)` of the EOMM paper.
    fn after(&self, player: &Player, upcoming: Outcome) -> f64;

    /// Churn risk of the player who waits and gets no game.
    fn idle(&self, player: &Player) -> f64;
}

/// References and owning pointers to models are models.
macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<M: ChurnModel + ?Sized> ChurnModel for $pointer {
            fn after(&self, player: &Player, upcoming: Outcome) -> f64 {
                (**self).after(player, upcoming)
            }

            fn idle(&self, player: &Player) -> f64 {
                (**self).idle(player)
            }
        }
    )*};
}
forward!(&M, Box<M>, Arc<M>);

/// What counts as having stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Horizon {
    /// No game within eight hours: about half the players, as in the EOMM paper's simulation.
    #[default]
    EightHours,
    /// No game within seven days: a few per cent, as in the EOMM paper's Table 1.
    SevenDays,
}

/// Effect of one past or upcoming outcome on the logit; a win is the reference.
struct OutcomeEffect {
    draw: f64,
    loss: f64,
}

impl OutcomeEffect {
    fn of(&self, outcome: Outcome) -> f64 {
        match outcome {
            Outcome::Win => 0.0,
            Outcome::Draw => self.draw,
            Outcome::Loss => self.loss,
        }
    }
}

/// What the games of a player add to the logit.
struct Terms {
    /// For three wins.
    intercept: f64,
    /// The game before last.
    oldest: OutcomeEffect,
    /// The last game.
    newer: OutcomeEffect,
    /// The game to come.
    upcoming: OutcomeEffect,
    /// A win after a game that was not won keeps people playing.
    comeback: f64,
}

const EIGHT_HOURS: Terms = Terms {
    intercept: -0.087,
    oldest: OutcomeEffect {
        draw: -0.09,
        loss: -0.054,
    },
    newer: OutcomeEffect { draw: 0.0, loss: 0.096 },
    upcoming: OutcomeEffect {
        draw: -0.25,
        loss: 0.294,
    },
    comeback: -0.367,
};

/// Found by a search for what brings the population's average risks nearest to the middles of Table 1's rows, and
/// rounded.
const SEVEN_DAYS: Terms = Terms {
    intercept: -3.7,
    oldest: OutcomeEffect {
        draw: -0.12,
        loss: -0.05,
    },
    newer: OutcomeEffect { draw: 0.01, loss: 0.08 },
    upcoming: OutcomeEffect {
        draw: -0.26,
        loss: 0.31,
    },
    comeback: -0.36,
};

/// A synthetic churn model: the risks of a game company are private, so these are made up, with the shape of its
/// published ones.
///
/// `logit churn = b₀ + e + oldest + newer + upcoming (+ comeback)`, where a win adds 0 and
///
/// | term | draw, 8 h | loss, 8 h | draw, 7 d | loss, 7 d |
/// | --- | --- | --- | --- | --- |
/// | oldest: game before last | -0.09 | -0.054 | -0.12 | -0.05 |
/// | newer: last game | 0 | 0.096 | 0.01 | 0.08 |
/// | upcoming: game to come | -0.25 | 0.294 | -0.26 | 0.31 |
///
/// and `comeback`, -0.367 (8 h) or -0.36 (7 d), counts if the upcoming game is won and the last one was not. `b₀` is
/// -0.087 for [`Horizon::EightHours`] and -3.7 for [`Horizon::SevenDays`]; an outcome that the history does not reach
/// counts as a win. `e` is the player's own term, drawn from N(0, 1): the first normal variate of the ChaCha8 generator
/// seeded with the model's seed, in the stream numbered by the 64-bit FNV-1a hash of the id. So it depends on seed and
/// id alone, not on who else waits.
///
/// The paper's Table 1 lists the share of a game's players who stop, an average over people. So it is the average over
/// `e` that the seven-day terms are made for: it agrees with all ten rows of the table to a tenth of a per cent. A
/// player with `e` = 0 stops less often, about two thirds as often in all rows alike. The eight-hour terms keep 52 of
/// 100 players.
///
/// A player without a game has the risk without the terms of the upcoming game.
///
/// # Examples
/// ```
/// use matchmaking::{ChurnModel, Horizon, Outcome, Player, SyntheticChurn};
///
/// let churn = SyntheticChurn::new(Horizon::SevenDays, 0);
/// let mut ann = Player::new("Ann", 1500.0, 60.0);
/// ann.outcomes = vec![Outcome::Win, Outcome::Loss];
/// assert!(churn.after(&ann, Outcome::Win) < churn.after(&ann, Outcome::Loss));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntheticChurn {
    horizon: Horizon,
    seed: u64,
}

impl SyntheticChurn {
    /// The model for a horizon; the seed draws the players' own terms.
    pub fn new(horizon: Horizon, seed: u64) -> Self {
        Self { horizon, seed }
    }

    fn terms(&self) -> &'static Terms {
        match self.horizon {
            Horizon::EightHours => &EIGHT_HOURS,
            Horizon::SevenDays => &SEVEN_DAYS,
        }
    }

    /// The player's own term `e`.
    fn personal(&self, id: &str) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(fnv_1a(id.as_bytes()));
        StandardNormal.sample(&mut rng)
    }

    /// `b₀` and the terms of the games, without the player's own term.
    fn logit(&self, history: &[Outcome], upcoming: Option<Outcome>) -> f64 {
        let newer = history.last().copied().unwrap_or(Outcome::Win);
        let oldest = history.iter().rev().nth(1).copied().unwrap_or(Outcome::Win);
        let is_comeback = upcoming == Some(Outcome::Win) && newer != Outcome::Win;
        let terms = self.terms();
        let upcoming = upcoming.map_or(0.0, |outcome| terms.upcoming.of(outcome));
        let comeback = if is_comeback { terms.comeback } else { 0.0 };
        terms.intercept + terms.oldest.of(oldest) + terms.newer.of(newer) + upcoming + comeback
    }
}

impl ChurnModel for SyntheticChurn {
    fn after(&self, player: &Player, upcoming: Outcome) -> f64 {
        logistic(self.logit(&player.outcomes, Some(upcoming)) + self.personal(&player.id))
    }

    fn idle(&self, player: &Player) -> f64 {
        logistic(self.logit(&player.outcomes, None) + self.personal(&player.id))
    }
}

/// The probability with this logit.
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Fowler, Noll, Vo: a 64-bit hash that is the same everywhere and for ever.
pub(super) fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{ChurnModel, Horizon, SyntheticChurn, fnv_1a, logistic};
    use crate::player::{Outcome, Player};
    use crate::pool::Pool;

    fn outcomes(letters: &str) -> Vec<Outcome> {
        letters.chars().filter_map(Outcome::from_letter).collect()
    }

    /// Rows of Table 1 of the EOMM paper: last three outcomes, churn in per cent from, to.
    const TABLE_1: [(&str, f64, f64); 10] = [
        ("DLW", 2.6, 2.7),
        ("LLW", 2.6, 2.7),
        ("LDW", 2.6, 2.7),
        ("DDD", 2.6, 2.7),
        ("WWW", 3.7, 3.7),
        ("DLL", 4.6, 4.7),
        ("LWL", 4.6, 4.7),
        ("LDL", 4.6, 4.7),
        ("WWL", 4.9, 4.9),
        ("LLL", 5.1, 5.1),
    ];

    #[test]
    fn seven_days_give_the_rows_of_table_1_on_average_over_people() {
        let model = SyntheticChurn::new(Horizon::SevenDays, 0);
        // The mean over N(0, 1) by the trapezium rule, which is exact to all digits on smooth densities.
        let nodes = (-800..=800).map(|k| f64::from(k) / 100.0);
        let average = |logit: f64| -> f64 {
            let density = |e: f64| (-0.5 * e * e).exp() / (2.0 * std::f64::consts::PI).sqrt();
            nodes.clone().map(|e| 0.01 * density(e) * logistic(logit + e)).sum()
        };
        for (letters, from, to) in TABLE_1 {
            let games = outcomes(letters);
            let percent = 100.0 * average(model.logit(&games[..2], Some(games[2])));
            assert!((from - 0.05..to + 0.05).contains(&percent), "{letters} {percent}");
        }
    }

    #[test]
    fn eight_hours_lose_about_half_the_players() {
        let model = SyntheticChurn::new(Horizon::EightHours, 0);
        let pool = Pool::synthetic(20_000, 3);
        let mean_risk = |player: &Player| {
            let [win, draw, loss] = Outcome::ALL.map(|outcome| model.after(player, outcome));
            0.4 * win + 0.2 * draw + 0.4 * loss
        };
        let mean = pool.players().iter().map(mean_risk).sum::<f64>() / pool.len() as f64;
        assert!((mean - 0.48).abs() < 0.01, "{mean}");
    }

    #[test]
    fn the_personal_term_depends_on_seed_and_id_alone() {
        assert_eq!(fnv_1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        let term = |seed, id: &str| SyntheticChurn::new(Horizon::EightHours, seed).personal(id);
        assert_eq!(
            term(1, "Ann"),
            SyntheticChurn::new(Horizon::SevenDays, 1).personal("Ann")
        );
        assert!(term(1, "Ann") != term(2, "Ann") && term(1, "Ann") != term(1, "Ben"));
        let terms: Vec<f64> = (0..20_000).map(|i| term(5, &format!("player{i}"))).collect();
        let mean = terms.iter().sum::<f64>() / 20_000.0;
        let square = terms.iter().map(|e| e * e).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (square - 1.0).abs() < 0.04, "{mean} {square}");
    }

    #[test]
    fn a_missing_history_counts_as_wins() {
        let model = SyntheticChurn::new(Horizon::EightHours, 0);
        assert_eq!(
            model.logit(&[], Some(Outcome::Loss)),
            model.logit(&outcomes("WW"), Some(Outcome::Loss))
        );
        assert_eq!(model.logit(&outcomes("L"), None), model.logit(&outcomes("WL"), None));
    }
}
