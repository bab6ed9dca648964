//! The report as one JSON object.

use matchmaking::fairness::{LobbyMetrics, Segment};
use matchmaking::lobby::{Match, Objective, Rules, Short, Side};
use serde::Serialize;
use serde_json::Value;

use super::explain;
use super::report::{Obstacle, Report};
use crate::cli::fairness::{Of, Strength};
use crate::cli::json::timed;

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/lobby/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    status: &'static str,
    /// Scores are to be large.
    objective: &'static str,
    problem: &'static str,
    format: &'static str,
    players: usize,
    teams: u32,
    team_size: usize,
    weights: Scores,
    skill_floor: f64,
    skill_cap: f64,
    ping_limit: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ping_growth: Option<f64>,
    /// All of them, where a file says some.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'a Rules>,
    /// Mean score of the matches, whatever the objective makes of it.
    score: Option<f64>,
    worst: Option<f64>,
    /// What the objective makes of the scores.
    value: Option<f64>,
    breakdown: Option<Scores>,
    matches: Vec<Played<'a>>,
    waiting: Vec<&'a Value>,
    /// Where matches run already: those with open places that stay as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    short: Option<Vec<Kept<'a>>>,
    /// Where `--fairness` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fairness: Option<Vec<Part>>,
    /// Where `--explain` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<explain::Document<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness<'a>>,
    engine: &'static str,
    seed: u64,
    work: Option<u64>,
    stopped: Option<&'static str>,
    warnings: &'a [String],
}

/// One number for each score.
#[derive(Serialize)]
struct Scores {
    team_skill: f64,
    player_skill: f64,
    premade: f64,
    enemy_ping: f64,
    variation: f64,
    servers: f64,
    company: f64,
}

#[derive(Serialize)]
struct Played<'a> {
    /// Where matches run already: the id of the one that this one goes on with, null for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<Option<&'a Value>>,
    /// And who comes new to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Vec<&'a Value>>,
    red: Vec<&'a Value>,
    blue: Vec<&'a Value>,
    score: f64,
    breakdown: Scores,
    /// Who can connect with everybody in the match.
    hosts: Vec<&'a Value>,
    /// Where somebody dislikes another: mates of whom one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    disliked: Option<Vec<Vec<&'a Value>>>,
}

/// A running match that stays as it is.
#[derive(Serialize)]
struct Kept<'a> {
    running: &'a Value,
    red: Vec<&'a Value>,
    blue: Vec<&'a Value>,
    /// Open places of red and of blue.
    open: [usize; 2],
    /// `too-few`, `parties`, `limits` or `not-found`.
    reason: &'static str,
}

/// Some of the players, and how they measured.
#[derive(Serialize)]
struct Part {
    #[serde(flatten)]
    of: Of,
    players: usize,
    playing: usize,
    mean_score: Option<f64>,
    mean_skill_gap: Option<f64>,
    mean_enemy_ping_ms: Option<f64>,
    mean_waited: Option<f64>,
}

#[derive(Serialize)]
struct Witness<'a> {
    message: &'a str,
    parties: &'a [String],
    matches: Option<usize>,
    possible: Option<usize>,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report<'_>) -> String {
    timed(|| document(report), &report.spent)
}

fn document<'a>(report: &'a Report<'_>) -> Document<'a> {
    let (args, source, rules, lobby) = (report.args, report.source, report.rules, report.outcome.lobby());
    let (skill_floor, skill_cap) = rules.skill_range();
    let limit = rules.chosen_ping_limit();
    let grows = limit.map(|(_, growth)| growth).filter(|&growth| growth > 0.0);
    // Of no matches there are no scores.
    let scored = lobby.filter(|lobby| !lobby.matches.is_empty());
    Document {
        schema: SCHEMA,
        status: report.outcome.status(),
        objective: "maximize",
        problem: word(rules.chosen_objective()),
        format: source.format,
        players: source.round.len(),
        teams: args.teams,
        team_size: rules.team_size(),
        weights: numbers(rules.chosen_weights().all()),
        skill_floor,
        skill_cap,
        ping_limit: limit.map(|(limit, _)| limit),
        ping_growth: grows.or(args.ping_growth),
        rules: args.rules.as_ref().map(|_| rules),
        score: scored.map(|lobby| lobby.breakdown.total),
        worst: scored.map(|lobby| lobby.total.worst),
        value: scored.map(|lobby| lobby.total.mean),
        breakdown: scored.map(|lobby| numbers(lobby.breakdown.scores())),
        matches: lobby.map_or_else(Vec::new, |lobby| {
            lobby.matches.iter().map(|one| played(report, one)).collect()
        }),
        waiting: lobby.map_or_else(Vec::new, |lobby| ids(report, &lobby.waiting)),
        short: lobby.filter(|_| report.has_running()).map(|lobby| {
            let kept = |short: &Short| kept(report, short);
            lobby.short.iter().map(kept).collect()
        }),
        fairness: report.metrics().map(|metrics| metrics.iter().map(part).collect()),
        explain: (report.explained.as_ref()).map(|explained| explained.document(source)),
        witness: report.outcome.obstacle().map(witness),
        engine: report.engine(),
        seed: args.seed,
        work: report.work(),
        stopped: report.stopped(),
        warnings: &report.warnings,
    }
}

/// The word of the command line for what is to be large.
fn word(objective: Objective) -> &'static str {
    match objective {
        Objective::Mean => "mean",
        Objective::Sqrt => "sqrt",
        Objective::MinThenMean { .. } => "min-then-mean",
        _ => "power",
    }
}

fn numbers(
    [
        team_skill,
        player_skill,
        premade,
        enemy_ping,
        variation,
        servers,
        company,
    ]: [f64; 7],
) -> Scores {
    Scores {
        team_skill,
        player_skill,
        premade,
        enemy_ping,
        variation,
        servers,
        company,
    }
}

fn played<'a>(report: &'a Report<'_>, one: &Match) -> Played<'a> {
    let round = &report.source.round;
    let running = one.running.map(|number| &report.source.running[number]);
    Played {
        running: report.has_running().then_some(running),
        new: report.has_running().then(|| match one.running {
            Some(_) => ids(report, &one.newcomers(round)),
            None => ids(report, &one.players()),
        }),
        red: ids(report, &one.red),
        blue: ids(report, &one.blue),
        score: one.breakdown.total,
        breakdown: numbers(one.breakdown.scores()),
        hosts: ids(report, &one.hosts(round)),
        disliked: round.has_disliked().then(|| {
            let disliked = one.disliked(round).into_iter();
            disliked.map(|(i, j)| ids(report, &[i, j])).collect()
        }),
    }
}

fn kept<'a>(report: &'a Report<'_>, short: &Short) -> Kept<'a> {
    let running = &report.source.round.running()[short.running];
    let [red, blue] = [Side::Red, Side::Blue].map(|side| ids(report, running.team(side)));
    Kept {
        running: &report.source.running[short.running],
        red,
        blue,
        open: running.open(report.rules.team_size()),
        reason: Report::why(short.why).1,
    }
}

fn part((segment, measured): &(Segment, LobbyMetrics)) -> Part {
    Part {
        of: Of::new(&segment.kind, Strength::Skill),
        players: measured.players,
        playing: measured.playing,
        mean_score: measured.mean_score,
        mean_skill_gap: measured.mean_skill_gap,
        mean_enemy_ping_ms: measured.mean_enemy_ping_ms,
        mean_waited: measured.mean_waited,
    }
}

fn ids<'a>(report: &'a Report<'_>, players: &[usize]) -> Vec<&'a Value> {
    players.iter().map(|&player| &report.source.ids[player]).collect()
}

fn witness(obstacle: &Obstacle) -> Witness<'_> {
    Witness {
        message: &obstacle.message,
        parties: &obstacle.parties,
        matches: obstacle.matches,
        possible: obstacle.possible,
    }
}
