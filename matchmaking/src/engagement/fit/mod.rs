//! Models of churn and draws from a log of games: section 5.2 of the EOMM paper, for one's own game.
//!
//! A [`MatchLog`] comes from CSV or from code; [`Fit`] makes a [`FittedModel`] of it, and a [`FitReport`] that says how
//! good the model is:
//!
//! 1. Players are rated by Glicko in the order of time, one game a rating period.
//! 2. Each game gives two observations, one for each player: the state before it, how it ended, and whether another
//!    game of the player followed within the horizon. Where the log ends within the horizon, nobody knows; such
//!    observations are left out, also where another game is seen, since to keep those alone would make players look
//!    more faithful than they are.
//! 3. Churn is a logistic regression with an L2 penalty. The strength comes from a cross-validation by players: all
//!    observations of a player are in the same of five folds, as a model that has seen a player knows more of him than
//!    it will of a stranger.
//! 4. The report's figures are of predictions for players whom the predicting model has not seen, in all observations;
//!    in a long log, that model has learnt from some 160,000 of them.
//! 5. Draws are fitted by maximum likelihood, as a constant share and as one that falls with the difference of the
//!    ratings.
//!
//! With feature `json` a report is written by `serde`, its outcomes as letters, and not read; a model is both, by its own
//! methods.
//!
//! # What the figures do not say
//! A log shows what happened to those whom some matchmaker brought together, not what would have happened to others.
//! Whoever loses may be tired, late or badly connected, and stop for that: the model then blames the loss. If
//! matchmaking acts on such a coefficient, the gain does not come. The first games of a log lack a past that there was.
//! And a good AUC says that the model tells those who stop from those who stay, mostly by how much they have played,
//! and not that pairing them differently would change it: for that, look at the coefficients of the upcoming game and
//! their errors, and try it on a random half of the players. Intervals and errors allow for what observations of one
//! player have to do with each other, but take players for independent, which those who play each other are only nearly;
//! with some dozen players they are a little too narrow. The penalty's pull towards 0 is not in a coefficient's error, so
//! that in a small log the interval around a coefficient often misses the truth. The strength of the penalty is chosen
//! on the players that log loss and AUC are of, which makes these a little too good.

mod assess;
mod cross;
mod draws;
mod error;
mod folds;
mod log;
mod logistic;
mod observe;
mod rate;
mod read;
mod report;
mod synthetic;
mod time;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::fitted::feature::Row;
use super::fitted::{FitCounts, FittedModel, RatingParameters, Terms, Typical};
use cross::Folded;
use draws::DrawCounts;
use folds::Kinds;
use logistic::{Design, Regression, Scale, Tolerance};
use observe::{Observation, observe};
use rate::Skill;
use time::TICKS;

use crate::player::Player;

pub use assess::{CalibrationBin, Pattern, Share};
pub use draws::DrawFit;
pub use error::{Error, Needed};
pub use log::{LoggedGame, MatchLog, OtherForm, Repeated, Skipped};
pub use read::LogColumns;
pub use report::{FitReport, Tried};
pub use synthetic::{SyntheticLog, write_csv};

/// Fewer observations than this, or players of either kind, and sixty coefficients mean nothing.
const FEWEST_OBSERVATIONS: usize = 200;
const FEWEST_PLAYERS: usize = 10;

/// A hundred years.
const LONGEST_HORIZON: f64 = 3.156e9;

/// States kept for simulations; games are drawn, and both players taken.
const STATES: usize = 4_000;

/// How a model is fitted to a log.
///
/// # Examples
/// ```
/// use matchmaking::fit::{Fit, MatchLog, SyntheticLog};
/// use matchmaking::{EngagementCost, Pool};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let log = MatchLog::from_games(SyntheticLog::new(40, 1).games(1_500))?;
/// let fitted = Fit::new(8.0 * 3600.0).seed(7).run(&log)?;
/// let pool = Pool::synthetic(10, 1);
/// let cost = EngagementCost::new(&pool, &fitted.model.outcome_model(), &fitted.model)?;
/// assert!(cost.idle(0) > 0.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Fit {
    horizon: f64,
    seed: u64,
    threads: usize,
    growth: f64,
}

/// A model, and what there is to say about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fitted {
    /// The model.
    pub model: FittedModel,
    /// How good it is.
    pub report: FitReport,
}

impl Fit {
    /// Players who play no game for so many seconds have stopped.
    pub fn new(horizon: f64) -> Self {
        Self {
            horizon,
            seed: 0,
            threads: 1,
            growth: 0.0,
        }
    }

    /// Seed of the folds and of the states kept; 0 unless set.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Number of threads, 1 unless set; it does not change the result.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// How uncertain ratings become with time: see [`RatingParameters::growth`]. 0 unless set.
    #[must_use]
    pub fn growth(mut self, growth: f64) -> Self {
        self.growth = growth;
        self
    }

    /// Fits.
    ///
    /// # Errors
    /// [`Error::BadHorizon`], [`Error::BadGrowth`]; [`Error::TooLittle`] where the log holds fewer than 200 observations,
    /// or fewer than ten players who stopped or who went on; [`Error::NotConverged`] where floats cannot tell the
    /// features apart.
    ///
    /// # Complexity
    /// O(g log g + o p²) time for g games, o observations and p = 60 coefficients, O(g) space.
    pub fn run(&self, log: &MatchLog) -> Result<Fitted, Error> {
        let horizon = self.horizon;
        if !(1.0 / TICKS..=LONGEST_HORIZON).contains(&horizon) {
            return Err(Error::BadHorizon { found: horizon });
        }
        if !(self.growth >= 0.0 && self.growth.is_finite()) {
            return Err(Error::BadGrowth { found: self.growth });
        }
        let rating = RatingParameters {
            growth: self.growth,
            ..RatingParameters::default()
        };
        let before = rate::before_each_game(log, rating);
        let sampled = self.sampled(log.len());
        let observed = observe(log, (horizon * TICKS).round() as i64, &before, &sampled);
        let kinds = self.enough(log, &observed.observations)?;
        let folds = kinds.folds(log.players(), self.seed);
        let draws =
            draws(log, &before).ok_or_else(|| self.too_little(log, Needed::Observations, 0, FEWEST_OBSERVATIONS))?;

        let scale = Scale::of(&observed.observations);
        let folded = Folded {
            observations: &observed.observations,
            folds: &folds,
            scale: &scale,
            threads: self.threads,
        };
        let tried = folded.try_strengths()?;
        let strength = best(&tried);
        let (regression, errors) = whole(&observed.observations, &scale, strength)?;
        let predictions = folded.out_of_fold(strength, &regression)?;
        let counts = FitCounts {
            games: log.len() as u64,
            draws: draws.1,
            players: log.players().len() as u64,
            observations: observed.observations.len() as u64,
            churned: observed.observations.iter().filter(|o| o.churned).count() as u64,
        };
        let states = self.in_random_order(&observed.states);
        let model = FittedModel {
            horizon,
            rating,
            draws: draws.0.rule(),
            counts,
            strength,
            intercept: regression.intercept,
            terms: Terms {
                means: scale.means,
                deviations: scale.deviations,
                coefficients: regression.coefficients,
                errors,
            },
            typical: Typical::of(&states, &scale.means),
            states,
        };
        let judged = report::Judged {
            log,
            observed: &observed,
            before: &before,
            predictions: &predictions,
            folds: &folds,
            tried,
            draws: draws.0,
            model: &model,
            seed: self.seed,
        };
        let report = judged.report();
        Ok(Fitted { model, report })
    }

    /// The games whose players' states are kept, ascending.
    fn sampled(&self, games: usize) -> Vec<usize> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(1);
        let mut sampled = rand::seq::index::sample(&mut rng, games, games.min(STATES / 2)).into_vec();
        sampled.sort_unstable();
        sampled
    }

    /// States of players in random order, numbered; those of a player stay together.
    fn in_random_order(&self, states: &[Vec<Player>]) -> Vec<Player> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(2);
        let mut by_player: Vec<&Vec<Player>> = states.iter().collect();
        by_player.shuffle(&mut rng);
        let states = by_player.into_iter().flatten().cloned().enumerate();
        states
            .map(|(at, state)| Player {
                id: (at + 1).to_string(),
                ..state
            })
            .collect()
    }

    /// Whether there is enough to learn from.
    fn enough(&self, log: &MatchLog, observations: &[Observation]) -> Result<Kinds, Error> {
        let kinds = Kinds::of(observations);
        let counts = [
            (Needed::Observations, observations.len(), FEWEST_OBSERVATIONS),
            (Needed::Stopped, kinds.stopped(), FEWEST_PLAYERS),
            (Needed::Stayed, kinds.stayed(), FEWEST_PLAYERS),
        ];
        match counts.into_iter().find(|&(_, found, needed)| found < needed) {
            Some((what, found, needed)) => Err(self.too_little(log, what, found, needed)),
            None => Ok(kinds),
        }
    }

    fn too_little(&self, log: &MatchLog, what: Needed, found: usize, needed: usize) -> Error {
        Error::TooLittle {
            what,
            found,
            needed,
            horizon: self.horizon,
            span: log.span(),
            skipped: log.skipped(),
        }
    }
}

/// The draw rule, and how many games were drawn.
fn draws(log: &MatchLog, before: &[[Skill; 2]]) -> Option<(DrawFit, u64)> {
    let mut counts = DrawCounts::default();
    let mut draws = 0;
    for (game, &skills) in log.games.iter().zip(before) {
        let is_draw = game.outcome == crate::player::Outcome::Draw;
        draws += u64::from(is_draw);
        counts.add(skills, is_draw);
    }
    counts.fit().map(|fit| (fit, draws))
}

/// The regression on all observations, and the errors of its coefficients.
fn whole(observations: &[Observation], scale: &Scale, strength: f64) -> Result<(Regression, Row), Error> {
    let design = Design::of(observations, scale, |_| true);
    let solution = design.solve(strength, &design.start(), Tolerance::OF_COEFFICIENTS)?;
    let errors = design.errors(&solution);
    Ok((solution.regression, errors))
}

/// The strength of least loss; of equal ones, the strongest.
fn best(tried: &[Tried]) -> f64 {
    let least = tried.iter().min_by(|a, b| a.log_loss.total_cmp(&b.log_loss));
    least.map_or(1.0, |tried| tried.strength)
}

#[cfg(test)]
mod tests;
