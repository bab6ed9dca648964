//! A churn model and an outcome model that were fitted to a log of games.

pub(crate) mod feature;
#[cfg(feature = "json")]
mod json;
mod problem;
mod typical;

use super::churn::{ChurnModel, logistic};
use super::outcome::{DrawRule, OutcomeModel, SkillModel};
use crate::player::{Outcome, Player};
use crate::pool::Pool;
use feature::{Row, SPANS, Snapshot, WIDTH};

pub use feature::MEMORY;
pub use problem::ModelProblem;
pub(crate) use typical::Typical;

/// How ratings were made: Glicko in the order of the games, one game a rating period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingParameters {
    /// Rating of a player without games.
    pub rating: f64,
    /// Deviation of a player without games, and the greatest there is.
    pub deviation: f64,
    /// How uncertain a rating becomes with time: the deviation's square grows by the square of this for each day
    /// between two games. 0 where it does not grow.
    pub growth: f64,
}

impl Default for RatingParameters {
    /// Glickman's 1500 and 350, without growth.
    fn default() -> Self {
        Self {
            rating: 1500.0,
            deviation: 350.0,
            growth: 0.0,
        }
    }
}

/// What a model was fitted to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FitCounts {
    /// Games of the log that were used.
    pub games: u64,
    /// Those of them that nobody won.
    pub draws: u64,
    /// Players in them.
    pub players: u64,
    /// Player and game, where the log goes on for the whole horizon after it.
    pub observations: u64,
    /// Observations without another game within the horizon.
    pub churned: u64,
}

/// One feature of a [`FittedModel`].
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficient {
    /// Name, such as `past1_loss` or `log_games_1d`.
    pub name: String,
    /// Mean over the observations.
    pub mean: f64,
    /// Standard deviation over the observations; 0 for a feature that was always the same.
    pub deviation: f64,
    /// By how much the logit of churn rises with each standard deviation.
    pub coefficient: f64,
    /// Standard error of the penalised fit, robust against what observations of one player have to do with each other
    /// (Liang and Zeger 1986). The penalty's pull towards 0 is not in it, so that twice this to either side may miss the
    /// truth more often than once in twenty times, above all in a small log.
    pub error: f64,
}

/// What one feature of a player does to the player's churn risk.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    /// Name of the feature.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// By how much the logit of churn is above that of the log's average value.
    pub effect: f64,
}

/// How likely players stop, and how games end, as fitted to a log of games: the models of section 5.2 of the EOMM
/// paper.
///
/// Churn is a logistic regression, `logit churn = intercept + Σ coefficient (value - mean) / deviation`, on these
/// features:
///
/// | feature | value |
/// | --- | --- |
/// | `past1_draw` .. `past10_loss` | 1 where the latest, .., tenth latest game was a draw, a loss; a win is the reference |
/// | `past1_none` .. `past10_none` | 1 where there was no such game |
/// | `upcoming_draw`, `upcoming_loss` | 1 where the game to come ends so |
/// | `upcoming_loss_after_draw`, .. | 1 where it does and the latest game ended so: without these four, a result would move everybody's logit alike |
/// | `log_games_8h` .. `log_games_1m` | `ln(1 + games)` in the last 8 hours, day, 7 days, 30 days |
/// | `past1_log_hours` .. `past10_log_hours` | `ln(1 + hours)` from that game to the one to come; 0 where there was no such game |
/// | `past1_log_gap` .. `past9_log_gap` | `ln(1 + hours)` from the game before that game to it; 0 where there was none |
///
/// A count or time that a player lacks is that of the log's players with as many known outcomes, in the mean over
/// [`FittedModel::states`]; so nobody without outcomes has played before. [`FittedModel::unknown`] says how many lack
/// something. A player who waits and gets no game has, for want of anything that a log could say about that, the risk after an
/// average game: the mean over its results, as often as they were in the log.
///
/// What such a model proves and what it does not: it is fitted to games that some matchmaker made. Whoever was given
/// another opponent might have stayed or left for reasons that the features do not hold, so that a gain computed from
/// the model is a forecast on its assumptions, to be tried in an experiment, and no measured effect.
///
/// # Examples
/// ```
/// use matchmaking::{ChurnModel, FittedModel, Outcome};
///
/// # fn main() -> Result<(), matchmaking::Error> {
/// # #[cfg(feature = "json")] {
/// let json = r#"{"schema": "matchmaking/model/1", "horizon": 28800,
///   "rating": {"system": "glicko", "rating": 1500, "deviation": 350, "growth": 0},
///   "draws": {"share": 0.2, "width": null},
///   "counts": {"games": 500, "draws": 100, "players": 40, "observations": 900, "churned": 300},
///   "strength": 1, "intercept": -0.7,
///   "features": [{"name": "upcoming_loss", "mean": 0.4, "deviation": 0.49, "coefficient": 0.2, "error": 0.08}],
///   "states": {"columns": ["rating", "deviation", "outcomes", "games_8h", "games_1d", "games_1w", "games_1m", "hours"],
///              "rows": [[1512.5, 88, "WLD", 1, 3, 3, 3, [20, 9.5, 0.3]]]}}"#;
/// let model = FittedModel::read(json.as_bytes())?;
/// let player = &model.states()[0];
/// assert!(model.after(player, Outcome::Loss) > model.after(player, Outcome::Win));
/// # }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FittedModel {
    pub(crate) horizon: f64,
    pub(crate) rating: RatingParameters,
    pub(crate) draws: DrawRule,
    pub(crate) counts: FitCounts,
    pub(crate) strength: f64,
    pub(crate) intercept: f64,
    pub(crate) terms: Terms,
    pub(crate) states: Vec<Player>,
    /// Of the states.
    pub(crate) typical: Typical,
}

/// The regression, feature by feature.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Terms {
    pub(crate) means: Row,
    pub(crate) deviations: Row,
    pub(crate) coefficients: Row,
    pub(crate) errors: Row,
}

impl Terms {
    /// What a feature's value adds to the logit.
    fn effect(&self, column: usize, value: f64) -> f64 {
        if self.deviations[column] > 0.0 {
            self.coefficients[column] * ((value - self.means[column]) / self.deviations[column])
        } else {
            0.0
        }
    }
}

impl FittedModel {
    /// Seconds without a game after which a player counts as having stopped.
    pub fn horizon(&self) -> f64 {
        self.horizon
    }

    /// How ratings were made.
    pub fn rating(&self) -> RatingParameters {
        self.rating
    }

    /// How likely draws are.
    pub fn draws(&self) -> DrawRule {
        self.draws
    }

    /// How games end: Glicko's expected score, in which a draw counts half, and the fitted draws. A player wins with the
    /// score less half the chance of a draw; see [`OutcomeModel`].
    pub fn outcome_model(&self) -> OutcomeModel {
        OutcomeModel::new(SkillModel::Glicko, self.draws)
    }

    /// What the model was fitted to.
    pub fn counts(&self) -> FitCounts {
        self.counts
    }

    /// Strength of the L2 regularisation: half of this times the squared coefficients was added to what was minimised, but
    /// for results of the upcoming and of the last game a tenth of it, and no more than for a strength of 1,000.
    pub fn strength(&self) -> f64 {
        self.strength
    }

    /// Logit of churn of a player who is average in every feature.
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// All features with their coefficients.
    pub fn coefficients(&self) -> Vec<Coefficient> {
        let terms = &self.terms;
        let coefficient = |(column, name)| Coefficient {
            name,
            mean: terms.means[column],
            deviation: terms.deviations[column],
            coefficient: terms.coefficients[column],
            error: terms.errors[column],
        };
        feature::names().into_iter().enumerate().map(coefficient).collect()
    }

    /// States that players of the log were in before a game: what a simulation draws its pools from. Ids are numbers,
    /// from 1, and name no player of the log; states of one player stand together, and players in random order.
    pub fn states(&self) -> &[Player] {
        &self.states
    }

    /// What each feature does to the churn risk of a player before a game, without those of how the game ends; the
    /// greatest effects first.
    pub fn drivers(&self, player: &Player) -> Vec<Driver> {
        let row = self.row(player, Outcome::Win);
        let names = feature::names().into_iter().enumerate();
        let driver = |(column, name)| Driver {
            name,
            value: row[column],
            effect: self.terms.effect(column, row[column]),
        };
        let of_state = names.filter(|&(column, _)| !feature::is_of_upcoming(column));
        let mut drivers: Vec<Driver> = of_state.map(driver).collect();
        drivers.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
        drivers
    }

    /// How many players of a pool lack the times of their games, or a count of games, that the model uses: name of the
    /// column and number of players, where there are any.
    pub fn unknown(&self, pool: &Pool) -> Vec<(&'static str, usize)> {
        let lack = |(span, column): (usize, &'static str)| {
            let players = pool.players().iter();
            let count = players
                .filter(|player| Snapshot::of(player).games[span].is_none())
                .count();
            (column, count)
        };
        let is_used = |span: usize| self.terms.coefficients[feature::span_column(span)] != 0.0;
        let used = SPANS.into_iter().enumerate().filter(|&(span, _)| is_used(span));
        let uses_hours =
            (0..WIDTH).any(|column| feature::is_of_hours(column) && self.terms.coefficients[column] != 0.0);
        let without = pool
            .players()
            .iter()
            .filter(|player| Snapshot::of(player).lacks_hours());
        let hours = uses_hours.then(|| ("hours", without.count()));
        let lacking = hours.into_iter().chain(used.map(lack));
        lacking.filter(|&(_, count)| count > 0).collect()
    }

    fn row(&self, player: &Player, upcoming: Outcome) -> Row {
        let mut row = [0.0; WIDTH];
        let snapshot = Snapshot::of(player);
        snapshot.fill(upcoming, self.typical.row(&snapshot), &mut row);
        row
    }

    /// How often a game ended so, from the point of view of one of its players.
    fn share(&self, outcome: Outcome) -> f64 {
        let draws = self.counts.draws as f64 / self.counts.games as f64;
        match outcome {
            Outcome::Draw => draws,
            Outcome::Win | Outcome::Loss => (1.0 - draws) / 2.0,
        }
    }
}

impl ChurnModel for FittedModel {
    fn after(&self, player: &Player, upcoming: Outcome) -> f64 {
        let row = self.row(player, upcoming);
        let effects = (0..WIDTH).map(|column| self.terms.effect(column, row[column]));
        logistic(self.intercept + effects.sum::<f64>())
    }

    fn idle(&self, player: &Player) -> f64 {
        let part = |outcome| self.share(outcome) * self.after(player, outcome);
        Outcome::ALL.into_iter().map(part).sum::<f64>().clamp(0.0, 1.0)
    }
}
