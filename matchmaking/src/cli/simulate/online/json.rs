//! The report as one JSON object.

use std::collections::BTreeMap;

use matchmaking::eomm::statistics::{Estimate, Sample};
use serde::Serialize;

use super::Report;
use super::floor::FloorResult;
use super::study::{Family, PatternResult, Point, Summary};
use crate::cli::json::timed;

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/simulate/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    simulation: &'static str,
    arrivals: u32,
    replications: u32,
    seed: u64,
    tau_max: f64,
    players: usize,
    weights: &'a [f64],
    /// What ended it, and how many replications there were by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replications_played: Option<u32>,
    table: Vec<Row<'a>>,
    averages: Vec<Average<'a>>,
    tests: Vec<Test>,
    sweeps: Vec<Row<'a>>,
    floors: Vec<FloorRow<'a>>,
}

/// Cost per game of one policy on one pattern.
#[derive(Serialize)]
struct Row<'a> {
    policy: String,
    algorithm: &'a str,
    pattern: String,
    mean: f64,
    ci95: [f64; 2],
    /// Total cost by the optimum's; null where none is known.
    of_optimum: Option<Mean>,
    paper: Option<f64>,
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

/// The least cost that can be had without knowing the future, per two arrivals.
#[derive(Serialize)]
struct FloorRow<'a> {
    pattern: String,
    cost: f64,
    error: f64,
    without_deadlines: f64,
    /// What the rule of the best grid costs in a simulation.
    attained: Mean,
    of_optimum: f64,
    of_optimum_error: f64,
    /// Total cost of each algorithm with its best parameter, by the floor.
    policies: BTreeMap<&'a str, f64>,
}

/// Table 3, and the same of total costs.
#[derive(Serialize)]
struct Average<'a> {
    algorithm: &'a str,
    scaled_cost: Option<Mean>,
    of_optimum: Option<Mean>,
    /// Cost per game, where there is no optimum to compare it with.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_cost: Option<Mean>,
    paper: Option<f64>,
}

/// Total cost of `slack` less that of A_DW with its best parameter, by the optimum's.
#[derive(Serialize)]
struct Test {
    pattern: String,
    policies: [&'static str; 2],
    difference: Mean,
    is_better: bool,
    /// How far the optimum's cost may be from its bound.
    optimum_gap: f64,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report<'_>) -> String {
    timed(|| document(report), &report.spent)
}

fn document<'a>(report: &'a Report<'_>) -> Document<'a> {
    let study = &report.study;
    let chosen = study.patterns.iter().flat_map(|result| table(&study.families, result));
    let sweeps = study.patterns.iter().flat_map(|result| sweeps(&study.families, result));
    Document {
        schema: SCHEMA,
        simulation: "online",
        arrivals: report.args.arrivals,
        replications: report.args.replications,
        seed: report.args.seed,
        tau_max: report.args.tau_max,
        players: report.setting.players(),
        weights: report.setting.weights(),
        stopped: report.stopped(),
        replications_played: report.stopped().map(|_| study.replications),
        table: chosen.collect(),
        averages: study.summaries.iter().map(average).collect(),
        tests: study.patterns.iter().filter_map(test).collect(),
        sweeps: sweeps.collect(),
        floors: study
            .floors
            .iter()
            .map(|floor| floor_row(&study.families, floor))
            .collect(),
    }
}

/// Each policy with the parameter that was best in other replications, and the optimum.
fn table<'a>(families: &'a [Family], result: &PatternResult) -> Vec<Row<'a>> {
    let chosen = families.iter().zip(&result.points).zip(&result.chosen);
    let mut rows: Vec<Row<'_>> = chosen
        .map(|((family, points), &best)| row(&family.name, result, &points[best]))
        .collect();
    rows.extend(result.optimum.as_ref().map(|optimum| Row {
        policy: "optimum".to_owned(),
        algorithm: "OPT",
        pattern: result.pattern.name(),
        mean: optimum.per_game.mean,
        ci95: [optimum.per_game.low, optimum.per_game.high],
        of_optimum: Some(Mean {
            mean: 1.0,
            ci95: [1.0, 1.0],
        }),
        paper: None,
    }));
    rows
}

fn sweeps<'a>(families: &'a [Family], result: &PatternResult) -> Vec<Row<'a>> {
    let swept = families
        .iter()
        .zip(&result.points)
        .filter(|(_, points)| points.len() > 1);
    swept
        .flat_map(|(family, points)| points.iter().map(|point| row(&family.name, result, point)))
        .collect()
}

fn row<'a>(algorithm: &'a str, result: &PatternResult, point: &Point) -> Row<'a> {
    Row {
        policy: point.kind.to_string(),
        algorithm,
        pattern: result.pattern.name(),
        mean: point.per_game.mean,
        ci95: [point.per_game.low, point.per_game.high],
        of_optimum: point.ratio.as_ref().map(Mean::from),
        paper: point.printed,
    }
}

fn floor_row<'a>(families: &'a [Family], floor: &FloorResult) -> FloorRow<'a> {
    let estimate = &floor.estimate;
    let attained = Sample {
        count: estimate.batches as u64,
        mean: estimate.attained,
        variance: estimate.attained_error.powi(2) * estimate.batches as f64,
    };
    let names = families.iter().map(|family| family.name.as_str());
    FloorRow {
        pattern: floor.pattern.name(),
        cost: estimate.cost,
        error: estimate.error,
        without_deadlines: estimate.relaxed,
        attained: (&attained.estimate()).into(),
        of_optimum: floor.of_optimum,
        of_optimum_error: floor.error,
        policies: names.zip(floor.policies.iter().copied()).collect(),
    }
}

fn average(summary: &Summary) -> Average<'_> {
    Average {
        algorithm: &summary.name,
        scaled_cost: summary.averaged.as_ref().map(Mean::from),
        of_optimum: summary.ratio.as_ref().map(Mean::from),
        mean_cost: summary.ratio.is_none().then(|| (&summary.mean).into()),
        paper: summary.printed,
    }
}

fn test(result: &PatternResult) -> Option<Test> {
    let difference = result.slack_less_dw.as_ref()?;
    Some(Test {
        pattern: result.pattern.name(),
        policies: ["slack", "A_DW"],
        difference: difference.into(),
        is_better: difference.high < 0.0,
        optimum_gap: result.optimum.as_ref()?.gap,
    })
}
