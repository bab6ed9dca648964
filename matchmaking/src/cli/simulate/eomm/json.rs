//! The report as one JSON object.

use matchmaking::eomm::statistics::Estimate;
use matchmaking::eomm::{AfterThree, Method, Results, SizeResults, published};
use serde::Serialize;

use super::Report;
use crate::cli::json::timed;

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/simulate/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    simulation: &'static str,
    model: &'a str,
    /// Null where each pool is of new players.
    states: Option<usize>,
    rounds: u64,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    table: Vec<Row>,
    tests: Vec<Test>,
    churn_by_last_three: Vec<Churn>,
    sweep: Option<Sweep>,
}

/// Players who stayed, and who were expected to. Errors and intervals are null where nothing can be said of them.
#[derive(Serialize)]
struct Row {
    method: &'static str,
    size: usize,
    /// Those that were played.
    rounds: u64,
    mean: f64,
    se: f64,
    ci95: [f64; 2],
    expected: Mean,
    paper: Option<f64>,
}

#[derive(Serialize)]
struct Mean {
    mean: f64,
    se: f64,
    ci95: [f64; 2],
}

impl From<Estimate> for Mean {
    fn from(estimate: Estimate) -> Self {
        Self {
            mean: estimate.mean,
            se: estimate.standard_error,
            ci95: [estimate.low, estimate.high],
        }
    }
}

/// How many more players stay under the first method.
#[derive(Serialize)]
struct Test {
    size: usize,
    methods: [&'static str; 2],
    expected: Mean,
    sampled: Mean,
    welch: Welch,
    pools: Pools,
}

/// `t` is null where it is infinite: nothing was left to chance, and the methods differ.
#[derive(Serialize)]
struct Welch {
    t: f64,
    degrees: f64,
    p: f64,
}

#[derive(Serialize)]
struct Pools {
    better: u64,
    equal: u64,
    worse: u64,
}

#[derive(Serialize)]
struct Churn {
    outcomes: String,
    mean: f64,
    ci95: [f64; 2],
    players: u64,
    paper: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct Sweep {
    of: &'static str,
    points: Vec<SweepPoint>,
}

#[derive(Serialize)]
struct SweepPoint {
    factor: f64,
    tests: Vec<Test>,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report) -> String {
    timed(|| document(report), &report.spent)
}

fn document(report: &Report) -> Document<'_> {
    let results = &report.results;
    Document {
        schema: SCHEMA,
        simulation: "eomm",
        model: &report.model,
        states: report.states,
        rounds: results.rounds(),
        seed: results.seed(),
        stopped: report.stopped(),
        table: results
            .sizes()
            .iter()
            .flat_map(|pools| Method::ALL.map(|method| row(report, pools, method)))
            .collect(),
        tests: tests(results),
        churn_by_last_three: report
            .after_three
            .iter()
            .map(|row| churn(row, report.is_weekly()))
            .collect(),
        sweep: report.sweep.as_ref().map(|sweep| Sweep {
            of: sweep.of.word(),
            points: sweep
                .points
                .iter()
                .map(|(factor, results)| SweepPoint {
                    factor: *factor,
                    tests: tests(results),
                })
                .collect(),
        }),
    }
}

fn row(report: &Report, pools: &SizeResults, method: Method) -> Row {
    let result = pools.method(method);
    let Mean { mean, se, ci95 } = result.sampled.into();
    Row {
        method: method.name(),
        size: pools.size(),
        rounds: pools.rounds(),
        mean,
        se,
        ci95,
        expected: result.expected.into(),
        paper: report.published(method, pools.size()),
    }
}

fn tests(results: &Results) -> Vec<Test> {
    let of_size = |pools| Method::CONTRASTS.map(|contrast| test(pools, contrast));
    results.sizes().iter().flat_map(of_size).collect()
}

fn test(pools: &SizeResults, (one, other): (Method, Method)) -> Test {
    let gain = pools.gain(one, other);
    Test {
        size: pools.size(),
        methods: [one.name(), other.name()],
        expected: gain.expected.into(),
        sampled: gain.sampled.into(),
        welch: Welch {
            t: gain.welch.t,
            degrees: gain.welch.degrees,
            p: gain.welch.p,
        },
        pools: Pools {
            better: gain.pools.better,
            equal: gain.pools.equal,
            worse: gain.pools.worse,
        },
    }
}

fn churn(row: &AfterThree, is_weekly: bool) -> Churn {
    let Mean { mean, ci95, .. } = row.churn.into();
    let printed = published::TABLE_1.iter().find(|printed| printed.0 == row.letters());
    Churn {
        outcomes: row.letters(),
        mean,
        ci95,
        players: row.players,
        paper: printed
            .filter(|_| is_weekly)
            .map(|&(_, from, to)| [from, to].map(|tenths| f64::from(tenths) / 1000.0)),
    }
}
