//! Equations (12) to (18) and (26) to (34): choosing sides.

use super::{Answer, Formula, Stated, int, pow, q, says_so, truth};
use crate::claims::curve::Curve;
use crate::error::Error;
use crate::models::xu::{Recurrence, Sides};
use crate::scalar::Rational;

type Q = Rational;

pub(super) const RATES: [&str; 3] = ["lambda_A", "lambda_B", "lambda_C"];

pub(super) fn sides(x: &[Q; 3]) -> Result<Sides<Q>, Error> {
    let [a, b, c] = x.clone();
    Sides::new(a, b, c)
}

pub(super) fn empty(x: &[Q; 3]) -> Answer {
    sides(x)?.empty()
}

/// The waits of who wants A, of who wants B, of who takes either, and of all.
pub(super) fn waits(x: &[Q; 3]) -> Result<[Q; 4], Error> {
    let sides = sides(x)?;
    let all = sides.wait()?.mean;
    Ok([
        sides.wait_a()?.mean,
        sides.wait_b()?.mean,
        sides.wait_either()?.mean,
        all,
    ])
}

/// The wait of all.
pub(super) fn wait_all(x: &[Q; 3]) -> Answer {
    Ok(sides(x)?.wait()?.mean)
}

/// A queue with a total rate of one.
pub(super) fn normalized(a: &Q, b: &Q) -> [Q; 3] {
    [a.clone(), b.clone(), int(1) - a - b]
}

/// The improvement factor with a total rate of one, for some rate of A; it does not depend on that, by (17).
pub(super) fn factor(b: &Q) -> Answer {
    let waits = waits(&normalized(&q(1, 10), b))?;
    Ok(&waits[2] / &waits[1])
}

/// The same for all rates of B.
pub(super) fn factors() -> Result<Curve, Error> {
    Curve::through(int(0), q(1, 2), factor)
}

pub(super) fn sixteen(x: &[Q; 3]) -> Answer {
    let [a, b, c] = x;
    let half = q(1, 2);
    let last = int(2) * (int(2) * a * b + a * c + b * c + c * c);
    let sides = &half / (a + c - b) + &half / (b + c - a);
    Ok(sides + int(1) / (a + b + c) - half / c - (a + b + int(2) * c) / last)
}

pub(super) fn stable() -> Vec<[Q; 3]> {
    let points = [
        [(1, 2), (1, 4), (1, 3)],
        [(1, 1), (1, 1), (1, 1)],
        [(1, 3), (1, 2), (1, 4)],
        [(9, 10), (1, 20), (1, 1)],
        [(1, 10), (1, 10), (1, 100)],
        [(2, 5), (3, 10), (3, 10)],
        [(3, 1), (5, 2), (7, 3)],
        [(1, 50), (1, 5), (4, 5)],
        [(2, 7), (3, 7), (2, 7)],
    ];
    points.map(|point| point.map(|(n, d)| q(n, d))).to_vec()
}

pub(super) fn claims() -> Vec<Stated> {
    let mut claims = recurrences();
    claims.extend(equations());
    claims
}

fn recurrence(a: &Q, b: &Q, c: &Q) -> Result<Recurrence, Error> {
    Ok(sides(&[a.clone(), b.clone(), c.clone()])?.recurrence())
}

fn recurrences() -> Vec<Stated> {
    let strict: Vec<[Q; 2]> = [[q(1, 2), q(1, 3)], [q(1, 3), q(1, 2)], [int(1), int(0)]].to_vec();
    let same: Vec<[Q; 2]> = [q(1, 2), q(7, 3)].map(|rate| [rate.clone(), rate]).to_vec();
    let mut grid = Vec::new();
    for (a, b, c) in (0..4).flat_map(|a| (0..4).flat_map(move |b| (0..4).map(move |c| (a, b, c)))) {
        if a + b + c > 0 {
            grid.push([int(a), int(b), int(c)]);
        }
    }
    let names = ["lambda_A", "lambda_B"];
    vec![
        Formula::new(
            "transient",
            "Where all choose sides the chain is transient for lambda_A != lambda_B (1 if so)",
            names,
            says_so,
            |[a, b]| truth(recurrence(a, b, &int(0))? == Recurrence::Transient),
        )
        .at(&strict),
        Formula::new(
            "null recurrent",
            "Where all choose sides the chain is null recurrent for lambda_A = lambda_B (1 if so)",
            names,
            says_so,
            |[a, b]| truth(recurrence(a, b, &int(0))? == Recurrence::Null),
        )
        .at(&same),
        Formula::new(
            "unbounded",
            "For lambda_A = lambda_B waits are unbounded: 2 lambda_C E[T] goes to one as lambda_C goes to zero (1 if within \
             lambda_C / total of it)",
            RATES,
            says_so,
            // The limit to within lambda_C / total, so that waits exceed 1/(4 lambda_C).
            |x| {
                let share = &x[2] / (&x[0] + &x[1] + &x[2]);
                let scaled = int(2) * &x[2] * wait_all(x)?;
                truth(scaled >= int(1) - &share && scaled <= int(1) + share)
            },
        )
        .at(&[100, 10_000, 1_000_000].map(|n| [int(1), int(1), q(1, n)])),
        Formula::new(
            "(12)",
            "Fact 3: positive recurrent if and only if lambda_C > |lambda_A - lambda_B| (1 if so, 0 if not)",
            RATES,
            |[a, b, c]| truth(*c > a - b && *c > b - a),
            |[a, b, c]| truth(recurrence(a, b, c)? == Recurrence::Positive),
        )
        .at(&grid),
    ]
}

fn equations() -> Vec<Stated> {
    let stable = stable();
    let even: Vec<[Q; 1]> = (1..10).map(|n| [q(n, 20)]).collect();
    let say = |label, statement, printed, computed| Formula::new(label, statement, RATES, printed, computed);
    vec![
        say(
            "pi_0, sides",
            "pi_0 = 1 / (A/(B+C-A) + B/(A+C-B) + C/total + 1)",
            |[a, b, c]| Ok(int(1) / (a / (b + c - a) + b / (a + c - b) + c / (a + b + c) + int(1))),
            empty,
        )
        .at(&stable),
        say(
            "(13)",
            "E[T_A] = (B+C) pi_0 / (B+C-A)^2",
            |x| Ok((&x[1] + &x[2]) * empty(x)? / pow(&(&x[1] + &x[2] - &x[0]), 2)),
            |x| Ok(sides(x)?.wait_a()?.mean),
        )
        .at(&stable),
        say(
            "(14)",
            "E[T_B] = (A+C) pi_0 / (A+C-B)^2",
            |x| Ok((&x[0] + &x[2]) * empty(x)? / pow(&(&x[0] + &x[2] - &x[1]), 2)),
            |x| Ok(sides(x)?.wait_b()?.mean),
        )
        .at(&stable),
        say(
            "(15)",
            "E[T_C] = pi_0 / total",
            |x| Ok(empty(x)? / (&x[0] + &x[1] + &x[2])),
            |x| Ok(sides(x)?.wait_either()?.mean),
        )
        .at(&stable),
        say(
            "(16)",
            "E[T] = 1/(2(A+C-B)) + 1/(2(B+C-A)) + 1/total - 1/(2C) - (A+B+2C) / (2(2AB+AC+BC+C^2))",
            sixteen,
            wait_all,
        )
        .at(&stable),
        say(
            "(17)",
            "q = E[T_C]/E[T_B] = (total - 2B)^2 / (total (total - B))",
            |[a, b, c]| {
                let total = a + b + c;
                Ok(pow(&(&total - int(2) * b), 2) / (&total * (&total - b)))
            },
            |x| {
                let waits = waits(x)?;
                Ok(&waits[2] / &waits[1])
            },
        )
        .at(&stable),
        Formula::new(
            "(18)",
            "For total = 1, dq/dB = 1/(1-B)^2 - 4",
            ["lambda_B"],
            |[b]| Ok(int(1) / pow(&(int(1) - b), 2) - int(4)),
            |[b]| Ok(factors()?.derivative().at(b)),
        )
        .at(&even),
    ]
}
