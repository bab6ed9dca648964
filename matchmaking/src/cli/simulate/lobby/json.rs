//! The report as one JSON object.

use std::collections::BTreeMap;

use matchmaking::eomm::statistics::Estimate;
use serde::Serialize;

use super::Report;
use super::study;
use crate::cli::json::timed;
use crate::cli::lobby::scores::RULES;

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/simulate/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    simulation: &'static str,
    players: usize,
    arrivals_per_minute: f64,
    again: f64,
    match_minutes: f64,
    /// Null where nobody gives up.
    patience: Option<f64>,
    team_size: usize,
    replications: u32,
    seed: u64,
    /// What ended it, and how many replications there were by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replications_played: Option<usize>,
    work: u64,
    table: Vec<Row>,
    tests: Vec<Test>,
}

/// What one rule comes to. What there is none of is null: scores without matches, intervals of one value.
#[derive(Serialize)]
struct Row {
    rule: String,
    every: Option<f64>,
    wait_for: Option<usize>,
    at_latest: Option<f64>,
    rounds: usize,
    players_per_round: Option<f64>,
    matches: usize,
    /// The score of a match.
    mean: Option<f64>,
    ci95: Option<[f64; 2]>,
    scores: Option<BTreeMap<&'static str, f64>>,
    worst: Option<f64>,
    /// Seconds, of those who were in a match.
    wait: Option<Mean>,
    wait_percentile_95: Option<f64>,
    arrived: usize,
    matched: usize,
    waiting: usize,
    given_up: usize,
}

#[derive(Serialize)]
struct Mean {
    mean: f64,
    ci95: [f64; 2],
}

impl From<&Estimate> for Mean {
    fn from(estimate: &Estimate) -> Self {
        Self {
            mean: estimate.mean,
            ci95: [estimate.low, estimate.high],
        }
    }
}

/// What the second rule has more than the first, replication by replication.
#[derive(Serialize)]
struct Test {
    rules: [String; 2],
    score: Mean,
    wait: Mean,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report<'_>) -> String {
    timed(|| document(report), &report.spent)
}

fn document(report: &Report<'_>) -> Document {
    let (args, study) = (report.args, &report.study);
    Document {
        schema: SCHEMA,
        simulation: "lobby",
        players: args.players,
        arrivals_per_minute: args.arrivals,
        again: args.again,
        match_minutes: args.match_minutes,
        patience: args.patience,
        team_size: report.rules.team_size(),
        replications: args.replications,
        seed: args.seed,
        stopped: report.stopped(),
        replications_played: report.stopped().map(|_| study.replications),
        work: study.work,
        table: study.rows.iter().map(row).collect(),
        tests: study.differences.iter().map(test).collect(),
    }
}

fn row(row: &study::Row) -> Row {
    let scores = row.breakdown.as_ref();
    Row {
        rule: row.when.to_string(),
        every: row.when.seconds().filter(|_| row.when.players().is_none()),
        wait_for: row.when.players(),
        at_latest: row.when.seconds().filter(|_| row.when.players().is_some()),
        rounds: row.rounds,
        players_per_round: row.round_players.map(|players| players.mean),
        matches: row.matches,
        mean: row.score.map(|score| score.mean),
        ci95: row.score.map(|score| [score.low, score.high]),
        scores: scores.map(|scores| RULES.into_iter().zip(scores.scores()).collect()),
        worst: row.worst,
        wait: row.wait.as_ref().map(Mean::from),
        wait_percentile_95: row.long_wait,
        arrived: row.arrived,
        matched: row.matched,
        waiting: row.waiting,
        given_up: row.given_up,
    }
}

fn test(difference: &study::Difference) -> Test {
    Test {
        rules: difference.rules.map(|rule| rule.to_string()),
        score: (&difference.score).into(),
        wait: (&difference.wait).into(),
    }
}
