//! The report as one JSON object.

use matchmaking::fit::{CalibrationBin, Share};
use matchmaking::{Coefficient, DrawShare};
use serde::Serialize;

use super::Report;
use crate::cli::json::{Spent, timed};

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/fit/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    warnings: Vec<String>,
    used: u64,
    skipped: u64,
    skipped_because: Skipped,
    moved: u64,
    players: u64,
    horizon: f64,
    observations: u64,
    censored: u64,
    churned: u64,
    churn_rate: Option<f64>,
    auc: f64,
    auc_se: f64,
    auc_by_fold: Vec<f64>,
    log_loss: f64,
    log_loss_constant: f64,
    calibration: Vec<Bin>,
    by_last_three: Vec<Pattern>,
    short_history: u64,
    strength: f64,
    strengths: Vec<Tried>,
    draws: Draws,
    win_calibration: Vec<Bin>,
    intercept: f64,
    coefficients: Vec<Term>,
    states: usize,
    seed: u64,
    model: Option<String>,
}

#[derive(Serialize)]
struct Skipped {
    no_time: u64,
    no_player: u64,
    same_player: u64,
    no_score: u64,
}

#[derive(Serialize)]
struct Bin {
    from: f64,
    to: f64,
    predicted: f64,
    #[serde(flatten)]
    rate: Rate,
}

/// A share with its interval of 95 %, by player.
#[derive(Serialize)]
struct Rate {
    count: u64,
    happened: u64,
    players: u64,
    rate: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl Rate {
    fn of(share: Share, players: u64, interval: Option<(f64, f64)>) -> Self {
        Self {
            count: share.count,
            happened: share.happened,
            players,
            rate: share.rate(),
            low: interval.map(|interval| interval.0),
            high: interval.map(|interval| interval.1),
        }
    }
}

#[derive(Serialize)]
struct Pattern {
    outcomes: String,
    #[serde(flatten)]
    churn: Rate,
}

#[derive(Serialize)]
struct Tried {
    strength: f64,
    log_loss: f64,
    observations: u64,
}

#[derive(Serialize)]
struct Draws {
    share: f64,
    width: Option<f64>,
    constant: Form,
    gap: Option<Form>,
}

#[derive(Serialize)]
struct Form {
    share: f64,
    width: Option<f64>,
    log_likelihood: f64,
}

#[derive(Serialize)]
struct Term {
    name: String,
    mean: f64,
    deviation: f64,
    coefficient: f64,
    /// The standard error by player; the penalty's pull towards 0 is not in it.
    error: f64,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report<'_>) -> String {
    let spent = Spent {
        parse: report.parse,
        solve: report.solve,
        ..Spent::default()
    };
    timed(|| document(report), &spent)
}

fn document(report: &Report<'_>) -> Document {
    let (fit, model) = (report.fit, report.model);
    let form = |share: DrawShare, log_likelihood| Form {
        share: share.share(),
        width: share.width(),
        log_likelihood,
    };
    let bin = |bin: &CalibrationBin| Bin {
        from: bin.from,
        to: bin.to,
        predicted: bin.predicted,
        rate: Rate::of(bin.share, bin.players, bin.interval),
    };
    let term = |term: Coefficient| Term {
        name: term.name,
        mean: term.mean,
        deviation: term.deviation,
        coefficient: term.coefficient,
        error: term.error,
    };
    Document {
        schema: SCHEMA,
        warnings: report.warnings.clone(),
        used: fit.used,
        skipped: fit.skipped.total(),
        skipped_because: Skipped {
            no_time: fit.skipped.no_time,
            no_player: fit.skipped.no_player,
            same_player: fit.skipped.same_player,
            no_score: fit.skipped.no_score,
        },
        moved: fit.moved,
        players: fit.players,
        horizon: model.horizon(),
        observations: fit.churn.count,
        censored: fit.censored,
        churned: fit.churn.happened,
        churn_rate: fit.churn.rate(),
        auc: fit.auc,
        auc_se: fit.auc_error,
        auc_by_fold: fit.auc_by_fold.clone(),
        log_loss: fit.log_loss,
        log_loss_constant: fit.log_loss_constant,
        calibration: fit.calibration.iter().map(bin).collect(),
        by_last_three: fit
            .by_last_three
            .iter()
            .map(|pattern| Pattern {
                outcomes: pattern.outcomes.map(|outcome| outcome.letter()).iter().collect(),
                churn: Rate::of(pattern.churn, pattern.players, pattern.interval),
            })
            .collect(),
        short_history: fit.short_history,
        strength: model.strength(),
        strengths: fit
            .strengths
            .iter()
            .map(|tried| Tried {
                strength: tried.strength,
                log_loss: tried.log_loss,
                observations: tried.observations,
            })
            .collect(),
        draws: Draws {
            share: fit.draws.chosen.share(),
            width: fit.draws.chosen.width(),
            constant: form(fit.draws.constant, fit.draws.constant_log_likelihood),
            gap: fit
                .draws
                .gap
                .zip(fit.draws.gap_log_likelihood)
                .map(|(share, found)| form(share, found)),
        },
        win_calibration: fit.win_calibration.iter().map(bin).collect(),
        intercept: model.intercept(),
        coefficients: model.coefficients().into_iter().map(term).collect(),
        states: model.states().len(),
        seed: fit.seed,
        model: report.args.output.as_ref().map(|path| path.display().to_string()),
    }
}
