//! `matchmaking verify`: what papers claim, and what holds.

mod json;
mod text;

use std::time::Instant;

use markov::claims::{self, Claim, Paper};
use matchmaking::{eomm, online};

use super::Verdict;
use super::args::VerifyArgs;
use super::failure::Failure;
use super::json::Spent;
use super::output::{self, Session};
use super::places::Files;

/// What there is to report.
#[derive(Debug)]
struct Report {
    claims: Vec<Claim>,
    /// All of it is solving: nothing is read, and no answer of another is checked.
    spent: Spent,
}

/// Runs the subcommand and writes its report; no verdict is a failure of the run.
pub(super) fn run(args: &VerifyArgs) -> Result<Verdict, Failure> {
    let common = &args.common;
    let Session { progress, .. } = Session::start(common, &Files::read(&[]))?;
    progress.stage("checking claims");
    let start = Instant::now();
    let mut claims: Vec<Claim> = args.paper.papers().iter().flat_map(|&paper| of(paper)).collect();
    if let Some(arrivals) = args.simulate {
        progress.stage("simulating");
        let seed = args.seed.unwrap_or(0);
        claims::simulate(&mut claims, arrivals, seed).map_err(|source| Failure::Chain { source })?;
        online::claims::simulate(&mut claims, arrivals, seed).map_err(|source| Failure::Replay { source })?;
    }
    output::warn(common, &warnings(args, &claims));
    let report = Report {
        claims,
        spent: Spent {
            solve: start.elapsed(),
            ..Spent::default()
        },
    };
    output::deliver(common, &report, json::render, text::render)?;
    Ok(Verdict::Solved)
}

/// Options that came to nothing.
fn warnings(args: &VerifyArgs, claims: &[Claim]) -> Vec<String> {
    let is_simulated = |claim: &Claim| claim.points.iter().any(|point| point.simulated.is_some());
    let warning = match args.simulate {
        Some(_) if !claims.iter().any(is_simulated) => {
            Some("--simulate changes nothing: there is no simulation of these claims")
        }
        None if args.seed.is_some() => Some("--seed changes nothing without --simulate"),
        _ => None,
    };
    warning.into_iter().map(str::to_owned).collect()
}

/// The claims of a paper, from the crate that knows what they are about.
fn of(paper: Paper) -> Vec<Claim> {
    match paper {
        Paper::Schlup => online::claims::all(),
        Paper::Eomm => eomm::claims::all(),
        _ => claims::all(&[paper]),
    }
}

#[cfg(test)]
mod samples {
    use std::time::Duration;

    use markov::claims::{Claim, Estimate, Paper, Point, Value, Verdict};
    use markov::{Rational, Scalar};

    use super::{Report, Spent};

    fn point(at: &[(&'static str, i64)], printed: Option<(i64, i64)>, computed: (i64, i64)) -> Point {
        let exact = |(p, q)| Value::from(Rational::ratio(p, q));
        Point {
            at: at
                .iter()
                .map(|&(name, value)| (name, Rational::ratio(value, 2)))
                .collect(),
            printed: printed.map(exact),
            computed: exact(computed),
            corrected: None,
            simulated: None,
        }
    }

    fn claim(label: &'static str, verdict: Verdict, points: Vec<Point>) -> Claim {
        Claim {
            paper: Paper::Xu,
            label,
            statement: "the mean of a long waiting time is what the formula says, whatever the order in which players are served",
            verdict,
            reading: None,
            points,
            corrected_form: None,
        }
    }

    /// One claim of each verdict; the wrong one has more points than a report shows.
    pub(super) fn report() -> Report {
        let at = [("lambda2", 3), ("lambda1", 1)];
        let mut read = claim("Lemma 1", Verdict::HoldsAsRead, vec![point(&at, Some((2, 1)), (1, 3))]);
        read.reading = Some("per team");
        read.points[0].corrected = Some(Value::from(Rational::ratio(1, 3)));
        let mut wrong: Vec<Point> = (1..=6).map(|k| point(&[("k", k)], Some((k, 7)), (k, 8))).collect();
        for point in &mut wrong {
            point.corrected = Some(point.computed.clone());
        }
        wrong[0].printed = None;
        wrong[1].simulated = Some(Estimate {
            mean: 0.125,
            standard_error: 0.5,
            z: 1.0,
        });
        wrong[2].computed = Value::from(0.5_f64.sqrt());
        let mut wrong = claim("(7)", Verdict::DoesNotHold, wrong);
        wrong.corrected_form = Some("k/8");
        let right = claim("(1)", Verdict::Holds, vec![point(&at, Some((1, 3)), (1, 3))]);
        Report {
            claims: vec![right, read, wrong],
            spent: Spent {
                solve: Duration::from_millis(1500),
                ..Spent::default()
            },
        }
    }
}
