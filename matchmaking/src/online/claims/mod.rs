//! What Schlup's paper claims about its algorithms, and what holds.
//!
//! Formulas (2) to (9) stand beside what the algorithms' rules give for Poisson arrivals and uniform criteria: without
//! the limit `τ_max` in exact fractions; with it by a chain of arrivals until a game is full (A_G), and by the ages
//! that players have when they are handed on (A_PM and A_MQ, for pairs). Sentences and figures are put to the test by
//! arithmetic and by replays. [`simulate`] runs the policies themselves beside that; no verdict rests on it.
//!
//! Costs are per game, as formula (1) has them, games with bots included. Where a float is computed it is right to
//! 1e-10 or better, so that agreement to a relative 1e-9 ([`markov::claims::Value::agrees_with`]) asks for no more than
//! is known.
//!
//! # References
//! C. Schlup, "Automatic Game Matching", ETH Zürich.

mod dual;
mod greedy;
mod integral;
mod periodic;
mod printed;
mod process;
mod queues;
mod renewal;
mod simulation;
mod words;

use markov::Rational;
use markov::claims::{Claim, Paper, Point, Remedy, Statement, Value};

use crate::fractions::{int, ratio, truth};

pub use simulation::simulate;

use printed::{Formulas, Place};

/// The paper's `τ_max` in its examples, and in all points here.
const TAU_MAX: i64 = 5;

/// All claims, in the paper's order.
///
/// # Examples
/// ```
/// use markov::claims::Verdict;
/// use matchmaking::online::claims;
///
/// let found = claims::all();
/// let chance = found.iter().find(|claim| claim.label == "(3)").expect("a label");
/// assert_eq!(chance.verdict, Verdict::DoesNotHold);
/// ```
pub fn all() -> Vec<Claim> {
    of(&Formulas::PRINTED)
}

/// The claims about these formulas.
fn of(formulas: &Formulas) -> Vec<Claim> {
    let mut claims = greedy::claims(formulas);
    claims.extend(periodic::claims(formulas));
    claims.extend(queues::claims(formulas));
    claims.extend(words::claims(formulas));
    claims
}

/// Parameters by name.
type At = Vec<(&'static str, Rational)>;

fn point(at: At, printed: impl Into<Value>, computed: impl Into<Value>) -> Point {
    Point {
        at,
        printed: Some(printed.into()),
        computed: computed.into(),
        corrected: None,
        simulated: None,
    }
}

/// A point with what the remedy says.
fn remedied(mut point: Point, corrected: impl Into<Value>) -> Point {
    point.corrected = Some(corrected.into());
    point
}

/// The claim that these points judge.
fn judged(label: &'static str, statement: &'static str, remedy: Remedy, points: Vec<Point>) -> Claim {
    let statement = Statement {
        paper: Paper::Schlup,
        label,
        statement,
        remedy,
    };
    statement.judge(points)
}

/// Arrival rates of the points.
fn rates() -> [Rational; 7] {
    [ratio(1, 25), ratio(1, 2), int(1), int(2), int(3), int(10), int(20)]
}

/// Rates at which so many players are expected within `tau_max`.
fn rates_of(loads: impl Iterator<Item = i64>) -> impl Iterator<Item = Rational> {
    loads.map(|load| ratio(load, TAU_MAX))
}

/// A point of a formula that is said to be an approximation: 1 if it is within 1 % of the cost wherever it claims to be
/// of use. The paper has no number for that, so that it has no value of its own.
fn approximation(at: At, is_of_use: bool, formula: f64, cost: f64) -> Point {
    /// What "approximation" is taken to mean.
    const CLOSE: f64 = 0.01;
    let is_close = (formula / cost - 1.0).abs() <= CLOSE;
    let point = remedied(point(at, int(1), truth(!is_of_use || is_close)), int(1));
    Point { printed: None, ..point }
}

/// Every number of players per game at every rate.
fn places() -> Vec<Place> {
    let of = |k: i64| rates().map(|rate| Place::new(k, rate));
    (2..=5).flat_map(of).collect()
}

/// The paper's example: pairs, ten arrivals per unit of time.
fn example() -> Place {
    Place::new(2, int(10))
}

/// The same of a float; 0 if it is not finite.
fn rounded_float(value: f64, parts: i64) -> Rational {
    ratio((value * parts as f64).round() as i64, parts)
}

/// The parameter from 1 on at which a convex cost is least.
fn cheapest(cost: impl Fn(i64) -> Rational) -> i64 {
    let mut best = 1;
    while cost(best + 1) < cost(best) {
        best += 1;
    }
    best
}

#[cfg(test)]
mod tests;
