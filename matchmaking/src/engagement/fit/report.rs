//! What there is to say about a fit.

use super::assess::{CalibrationBin, Pattern, Prediction, Share, auc, by_last_three, deciles, tenths};
use super::draws::DrawFit;
use super::folds::FOLDS;
use super::log::{MatchLog, Skipped};
use super::observe::Observed;
use super::rate::Skill;
use crate::engagement::FittedModel;
use crate::player::Outcome;

/// A strength of the penalty, and how well it did.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Tried {
    /// The strength.
    pub strength: f64,
    /// Mean log loss for players whom the predicting regression has not seen.
    pub log_loss: f64,
    /// Number of observations that this is the mean over.
    pub observations: u64,
}

/// How good a model is, by predictions for players whom the predicting regression has not seen.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FitReport {
    /// Rows of the input that are games.
    pub used: u64,
    /// Rows that are not; with `used`, all rows.
    pub skipped: Skipped,
    /// Games that stood behind a later one in the input.
    pub moved: u64,
    /// Players.
    pub players: u64,
    /// Player and game with less than the horizon left of the log: not used for the churn model. With the observations,
    /// twice the games.
    pub censored: u64,
    /// Observations, and those who stopped.
    pub churn: Share,
    /// Chance that of one who stopped and one who stayed, the first had the higher prediction; equal ones count half. The
    /// mean over the folds: predictions of different regressions are not compared with each other.
    pub auc: f64,
    /// Standard error of that, from the spread between folds.
    pub auc_error: f64,
    /// The same chance within each fold.
    pub auc_by_fold: Vec<f64>,
    /// Mean of `-ln` of the probability that was given to what happened. A little too good, as is `auc`: the strength was
    /// chosen on the same folds.
    pub log_loss: f64,
    /// The same of a prediction that is always the churn rate.
    pub log_loss_constant: f64,
    /// Predicted risks in ten bins of equal size: the paper's Figure 3.
    pub calibration: Vec<CalibrationBin>,
    /// The paper's Table 1 for this log: all 27 triples of outcomes.
    pub by_last_three: Vec<Pattern>,
    /// Observations with fewer than two games before, which have no last three outcomes.
    pub short_history: u64,
    /// Strengths of the penalty that were tried; the one of least loss was chosen.
    pub strengths: Vec<Tried>,
    /// How draws were fitted.
    pub draws: DrawFit,
    /// Chances of winning before each game, from either player's point of view, in ten bins of equal width without the
    /// empty ones: the paper's Figure 2.
    pub win_calibration: Vec<CalibrationBin>,
    /// Seed of the folds.
    pub seed: u64,
}

/// What a report is made of.
pub(super) struct Judged<'a> {
    pub(super) log: &'a MatchLog,
    pub(super) observed: &'a Observed,
    pub(super) before: &'a [[Skill; 2]],
    /// By observation.
    pub(super) predictions: &'a [Prediction],
    /// Fold of each player.
    pub(super) folds: &'a [u8],
    pub(super) tried: Vec<Tried>,
    pub(super) draws: DrawFit,
    pub(super) model: &'a FittedModel,
    pub(super) seed: u64,
}

impl Judged<'_> {
    pub(super) fn report(self) -> FitReport {
        let counts = self.model.counts();
        let churn = Share {
            count: counts.observations,
            happened: counts.churned,
        };
        let (patterns, short_history) = by_last_three(&self.observed.observations);
        let win_calibration = self.win_calibration();
        let auc_by_fold = self.auc_by_fold();
        let (auc, auc_error) = mean_and_error(&auc_by_fold);
        let constant = counts.churned as f64 / counts.observations as f64;
        FitReport {
            used: self.log.len() as u64,
            skipped: self.log.skipped(),
            moved: self.log.moved(),
            players: counts.players,
            censored: self.observed.censored,
            churn,
            auc,
            auc_error,
            auc_by_fold,
            log_loss: log_loss(self.predictions.iter().map(|p| (p.chance, p.happened))),
            log_loss_constant: log_loss(self.predictions.iter().map(|p| (constant, p.happened))),
            calibration: deciles(self.predictions),
            by_last_three: patterns,
            short_history,
            strengths: self.tried,
            draws: self.draws,
            win_calibration,
            seed: self.seed,
        }
    }

    /// There are enough players of both kinds for each fold to have some.
    fn auc_by_fold(&self) -> Vec<f64> {
        let mut by_fold = [const { Vec::new() }; FOLDS];
        for (observation, &prediction) in self.observed.observations.iter().zip(self.predictions) {
            by_fold[usize::from(self.folds[observation.player as usize])].push(prediction);
        }
        by_fold.iter().filter_map(|predictions| auc(predictions)).collect()
    }

    fn win_calibration(&self) -> Vec<CalibrationBin> {
        let outcomes = self.model.outcome_model();
        let views = self.log.games.iter().zip(self.before).flat_map(|(game, &[a, b])| {
            let chances = outcomes.probabilities(a, b);
            let view = |side: usize, chance, of| Prediction {
                player: game.players[side],
                chance,
                happened: game.outcome == of,
            };
            [view(0, chances.win, Outcome::Win), view(1, chances.loss, Outcome::Loss)]
        });
        tenths(views)
    }
}

/// Mean, and its standard error from the spread of these values.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

fn log_loss(predictions: impl Iterator<Item = (f64, bool)>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (risk, churned) in predictions {
        // A regression with a penalty never says 0 or 1, but floats may.
        let chance = if churned { risk } else { 1.0 - risk };
        sum -= chance.max(f64::MIN_POSITIVE).ln();
        count += 1.0;
    }
    sum / count
}
