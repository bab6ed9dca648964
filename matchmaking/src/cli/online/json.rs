//! The report as one JSON object.

use serde::Serialize;
use serde_json::Value;

use super::report::{Report, SHARES};
use crate::cli::json::timed;

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/online/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    objective: &'static str,
    policy: String,
    players: usize,
    tau_max: f64,
    weights: &'a [f64],
    arrivals: usize,
    total_cost: f64,
    /// Of the optimum: no games whatever cost less, rounding included, so that it is never above the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    games: usize,
    bot_games: usize,
    criteria_cost: f64,
    waiting_cost: f64,
    cost_per_game: f64,
    cost_per_player: f64,
    mean_wait: f64,
    /// What so large a part of the players do not wait longer than.
    wait_quantiles: Option<Quantiles>,
    /// What so large a part of the games without bots do not exceed in criteria cost.
    criteria_quantiles: Option<Quantiles>,
    assignments: Vec<Assignment>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct Quantiles {
    shares: [f64; SHARES.len()],
    values: [f64; SHARES.len()],
}

#[derive(Serialize)]
struct Assignment {
    time: f64,
    players: Vec<Value>,
    bots: usize,
    cost: f64,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report<'_>) -> String {
    timed(|| document(report), &report.spent)
}

fn quantiles(ascending: &[f64]) -> Option<Quantiles> {
    Report::quantiles(ascending).map(|values| Quantiles { shares: SHARES, values })
}

fn document<'a>(report: &'a Report<'_>) -> Document<'a> {
    let account = report.account;
    Document {
        schema: SCHEMA,
        status: report.status(),
        stopped: report.stopped(),
        objective: "minimize",
        policy: report.args.policy.to_string(),
        players: report.setting.players(),
        tau_max: report.setting.tau_max(),
        weights: report.setting.weights(),
        arrivals: report.log.arrivals.len(),
        total_cost: account.total(),
        bound: report.bound(),
        games: account.games.len(),
        bot_games: account.bot_games,
        criteria_cost: account.criteria_cost,
        waiting_cost: account.waiting_cost,
        cost_per_game: account.per_game(),
        cost_per_player: account.per_player(),
        mean_wait: account.mean_wait(),
        wait_quantiles: quantiles(&account.waits),
        criteria_quantiles: quantiles(&account.qualities),
        assignments: assignments(report),
        warnings: &report.warnings,
    }
}

fn assignments(report: &Report<'_>) -> Vec<Assignment> {
    let games = report.served.games.iter().zip(&report.account.games);
    let assignment = games.map(|(game, cost)| Assignment {
        time: game.time,
        players: match report.log.ids {
            Some(_) => report.ids(game).into_iter().map(Value::from).collect(),
            None => game.players.iter().map(|&player| Value::from(player)).collect(),
        },
        bots: report.setting.players() - game.players.len(),
        cost: cost.total(),
    });
    assignment.collect()
}
