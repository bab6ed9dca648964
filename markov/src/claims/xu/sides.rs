//! Equations (12) to (18) and (26) to (34): choosing sides.

use super::{Formula, int, pow, q, says_so, truth};
use crate::claims::Claim;
use crate::models::xu::{Choice, Lobby, Moments, Recurrence, Sides};
use crate::scalar::Rational;
use crate::states::Limits;

type Q = Rational;

const RATES: [&str; 3] = ["lambda_A", "lambda_B", "lambda_C"];

fn sides(x: &[Q; 3]) -> Sides<Q> {
    let [a, b, c] = x.clone();
    Sides::new(a, b, c).unwrap_or_else(|_| unreachable!("rates are fixed"))
}

fn empty(x: &[Q; 3]) -> Q {
    sides(x).empty().unwrap_or_else(|_| unreachable!("points are stable"))
}

/// Share of time in state n.
fn share(x: &[Q; 3], n: i32) -> Q {
    sides(x)
        .probability(n)
        .unwrap_or_else(|_| unreachable!("points are stable"))
}

/// Share of time in which so many of a kind wait, in the chain cut off at five: no closed form is behind it.
fn cut(x: &[Q; 3], kind: u8, count: usize) -> Q {
    let arrivals = [1, 2, 3].into_iter().zip(x.iter().cloned()).collect();
    let lobby = Lobby::with_capacity(Choice, arrivals, 5, Limits::default());
    let lobby = lobby.unwrap_or_else(|_| unreachable!("rates are fixed, the lobby is finite"));
    lobby.probability(&vec![kind; count])
}

/// The waits of who wants A, of who wants B, of who takes either, and of all.
pub(super) fn waits(x: &[Q; 3]) -> [Q; 4] {
    let sides = sides(x);
    let all = [sides.wait_a(), sides.wait_b(), sides.wait_either(), sides.wait()];
    let mean = |wait: Result<Moments<Q>, _>| wait.map(|wait| wait.mean);
    all.map(|wait| mean(wait).unwrap_or_else(|_| unreachable!("points are stable")))
}

/// A queue with a total rate of one.
pub(super) fn normalized(a: &Q, b: &Q) -> [Q; 3] {
    [a.clone(), b.clone(), int(1) - a - b]
}

pub(super) fn factor(b: &Q) -> Q {
    let waits = waits(&normalized(&q(1, 10), b));
    &waits[2] / &waits[1]
}

/// The derivative of a function that is smooth near x: central differences, extrapolated to steps of zero in exact numbers.
fn derivative(f: impl Fn(&Q) -> Q, x: &Q) -> Q {
    let mut row: Vec<Q> = Vec::new();
    for level in 0..8 {
        let step = q(1, 1000 << level);
        let mut next = (f(&(x + &step)) - f(&(x - &step))) / (int(2) * &step);
        for (order, last) in row.iter_mut().enumerate() {
            let better = &next + (&next - &*last) / (int((4 << (2 * order)) - 1));
            *last = core::mem::replace(&mut next, better);
        }
        row.push(next);
    }
    row.pop().unwrap_or_else(|| int(0))
}

fn sixteen(x: &[Q; 3]) -> Q {
    let [a, b, c] = x;
    let half = q(1, 2);
    let last = int(2) * (int(2) * a * b + a * c + b * c + c * c);
    &half / (a + c - b) + &half / (b + c - a) + int(1) / (a + b + c) - half / c - (a + b + int(2) * c) / last
}

fn tail(x: &[Q; 3], at: usize, z: &Q) -> Q {
    let [a, b, c] = x;
    let (up, down) = if at == 0 { (a, b + c) } else { (b, a + c) };
    let first = share(x, if at == 0 { 1 } else { -1 }) * z;
    first / (int(1) - up * z / down)
}

/// Mean number plus one of those before somebody who comes to a tail, divided by the rate at which it shrinks, by (31) and
/// (32): `N'(1) + N(1) + pi_0`.
fn by_transforms(x: &[Q; 3], at: usize) -> Q {
    let [a, b, c] = x;
    let (up, down) = if at == 0 { (a, b + c) } else { (b, a + c) };
    let ratio = up / &down;
    let series = tail(x, at, &int(1));
    let slope = &series / (int(1) - ratio);
    (slope + series + empty(x)) / down
}

fn stable() -> Vec<[Q; 3]> {
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

pub(super) fn claims() -> Vec<Claim> {
    let mut claims = recurrences();
    claims.extend(equations());
    claims.extend(transforms());
    claims
}

fn recurrences() -> Vec<Claim> {
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
            "Where all choose sides the chain is transient for lambda_A != lambda_B",
            names,
            says_so,
            |x| truth(sides(&[x[0].clone(), x[1].clone(), int(0)]).recurrence() == Recurrence::Transient),
        )
        .judge(&strict),
        Formula::new(
            "null recurrent",
            "Where all choose sides the chain is null recurrent for lambda_A = lambda_B",
            names,
            says_so,
            |x| truth(sides(&[x[0].clone(), x[1].clone(), int(0)]).recurrence() == Recurrence::Null),
        )
        .judge(&same),
        Formula::new(
            "unbounded",
            "For lambda_A = lambda_B waits are unbounded: 2 lambda_C E[T] goes to one as lambda_C goes to zero",
            RATES,
            says_so,
            // The limit to within lambda_C / total, so that waits exceed 1/(4 lambda_C).
            |x| {
                let share = &x[2] / (&x[0] + &x[1] + &x[2]);
                let scaled = int(2) * &x[2] * &waits(x)[3];
                truth(scaled >= int(1) - &share && scaled <= int(1) + share)
            },
        )
        .judge(&[100, 10_000, 1_000_000].map(|n| [int(1), int(1), q(1, n)])),
        Formula::new(
            "(12)",
            "Fact 3: positive recurrent if and only if lambda_C > |lambda_A - lambda_B|",
            RATES,
            |[a, b, c]| truth(*c > a - b && *c > b - a),
            |x| truth(sides(x).recurrence() == Recurrence::Positive),
        )
        .judge(&grid),
    ]
}

fn equations() -> Vec<Claim> {
    let stable = stable();
    let even: Vec<[Q; 1]> = (1..10).map(|n| [q(n, 20)]).collect();
    let say = |label, statement, printed, computed| Formula::new(label, statement, RATES, printed, computed);
    vec![
        say(
            "pi_0, sides",
            "pi_0 = 1 / (A/(B+C-A) + B/(A+C-B) + C/total + 1)",
            |[a, b, c]| int(1) / (a / (b + c - a) + b / (a + c - b) + c / (a + b + c) + int(1)),
            empty,
        )
        .judge(&stable),
        say(
            "(13)",
            "E[T_A] = (B+C) pi_0 / (B+C-A)^2",
            |x| (&x[1] + &x[2]) * empty(x) / pow(&(&x[1] + &x[2] - &x[0]), 2),
            |x| waits(x)[0].clone(),
        )
        .judge(&stable),
        say(
            "(14)",
            "E[T_B] = (A+C) pi_0 / (A+C-B)^2",
            |x| (&x[0] + &x[2]) * empty(x) / pow(&(&x[0] + &x[2] - &x[1]), 2),
            |x| waits(x)[1].clone(),
        )
        .judge(&stable),
        say(
            "(15)",
            "E[T_C] = pi_0 / total",
            |x| empty(x) / (&x[0] + &x[1] + &x[2]),
            |x| waits(x)[2].clone(),
        )
        .judge(&stable),
        say(
            "(16)",
            "E[T] = 1/(2(A+C-B)) + 1/(2(B+C-A)) + 1/total - 1/(2C) - (A+B+2C) / (2(2AB+AC+BC+C^2))",
            sixteen,
            |x| waits(x)[3].clone(),
        )
        .judge(&stable),
        say(
            "(17)",
            "q = E[T_C]/E[T_B] = (total - 2B)^2 / (total (total - B))",
            |[a, b, c]| {
                let total = a + b + c;
                pow(&(&total - int(2) * b), 2) / (&total * (&total - b))
            },
            |x| {
                let waits = waits(x);
                &waits[2] / &waits[1]
            },
        )
        .judge(&stable),
        Formula::new(
            "(18)",
            "dq/dB = 1/(1-B)^2 - 4, to twelve decimals",
            ["lambda_B"],
            |[b]| (q(1_000_000_000_000, 1) * (int(1) / pow(&(int(1) - b), 2) - int(4))).round(),
            |[b]| (q(1_000_000_000_000, 1) * derivative(factor, b)).round(),
        )
        .judge(&even),
    ]
}

fn transforms() -> Vec<Claim> {
    let stable = stable();
    let names = ["lambda_A", "lambda_B", "lambda_C", "z"];
    let zs: Vec<[Q; 4]> = stable
        .iter()
        .flat_map(|[a, b, c]| [q(1, 2), int(1)].map(|z| [a.clone(), b.clone(), c.clone(), z]))
        .collect();
    let states: Vec<[Q; 4]> = stable
        .iter()
        .flat_map(|[a, b, c]| (0..3).map(|n| [a.clone(), b.clone(), c.clone(), int(n)]))
        .collect();
    fn rates(x: &[Q; 4]) -> [Q; 3] {
        [x[0].clone(), x[1].clone(), x[2].clone()]
    }
    fn level(x: &[Q; 4]) -> usize {
        usize::try_from(x[3].to_integer()).unwrap_or(0)
    }
    let say = |label, statement, printed, computed| Formula::new(label, statement, RATES, printed, computed);
    let named = ["lambda_A", "lambda_B", "lambda_C", "n"];
    vec![
        Formula::new(
            "reversibility, side A",
            "A pi_n = (B+C) pi_(n+1)",
            named,
            |x| &x[0] * cut(&rates(x), 1, level(x)),
            |x| (&x[1] + &x[2]) * cut(&rates(x), 1, level(x) + 1),
        )
        .judge(&states),
        Formula::new(
            "reversibility, side B",
            "B pi_(-n) = (A+C) pi_(-n-1)",
            named,
            |x| &x[1] * cut(&rates(x), 2, level(x)),
            |x| (&x[0] + &x[2]) * cut(&rates(x), 2, level(x) + 1),
        )
        .judge(&states),
        say(
            "reversibility, either",
            "C pi_0 = total pi_1'",
            |x| &x[2] * cut(x, 3, 0),
            |x| (&x[0] + &x[1] + &x[2]) * cut(x, 3, 1),
        )
        .judge(&stable),
        Formula::new(
            "(26), (28)",
            "With N1(z) = sum of pi_i z^i: A z N1(z) + A pi_0 z = (B+C) N1(z)",
            names,
            |x| &x[0] * &x[3] * (tail(&rates(x), 0, &x[3]) + empty(&rates(x))),
            |x| (&x[1] + &x[2]) * tail(&rates(x), 0, &x[3]),
        )
        .judge(&zs),
        Formula::new(
            "(27), (29)",
            "With N2(z) = sum of pi_(-i) z^i: B z N2(z) + B pi_0 z = (A+C) N2(z)",
            names,
            |x| &x[1] * &x[3] * (tail(&rates(x), 1, &x[3]) + empty(&rates(x))),
            |x| (&x[0] + &x[2]) * tail(&rates(x), 1, &x[3]),
        )
        .judge(&zs),
        say(
            "(30)",
            "N(z) = N1(z) + N2(z) + pi_1' z + pi_0 is all there is: N(1) = 1",
            |x| {
                let either = &x[2] * empty(x) / (&x[0] + &x[1] + &x[2]);
                tail(x, 0, &int(1)) + tail(x, 1, &int(1)) + either + empty(x)
            },
            |_| int(1),
        )
        .judge(&stable),
        say(
            "(31)",
            "E[T_A] = (N1'(1) + N1(1) + pi_0) / (B+C)",
            |x| by_transforms(x, 0),
            |x| waits(x)[0].clone(),
        )
        .judge(&stable),
        say(
            "(32)",
            "E[T_B] = (N2'(1) + N2(1) + pi_0) / (A+C)",
            |x| by_transforms(x, 1),
            |x| waits(x)[1].clone(),
        )
        .judge(&stable),
        say(
            "(33)",
            "E[T_C] = pi_0 / (A+B+C)",
            |x| empty(x) / (&x[0] + &x[1] + &x[2]),
            |x| waits(x)[2].clone(),
        )
        .judge(&stable),
        say(
            "(34)",
            "E[T] = (A E[T_A] + B E[T_B] + C E[T_C]) / total, which is what Little's law gives",
            |x| {
                let waits = waits(x);
                (&x[0] * &waits[0] + &x[1] * &waits[1] + &x[2] * &waits[2]) / (&x[0] + &x[1] + &x[2])
            },
            |x| {
                let [a, b, c] = x;
                let slope = |at: usize, up: &Q, down: Q| tail(x, at, &int(1)) / (int(1) - up / down);
                let either = c * empty(x) / (a + b + c);
                (slope(0, a, b + c) + slope(1, b, a + c) + either) / (a + b + c)
            },
        )
        .judge(&stable),
    ]
}
