//! Equations (19) to (25) and (35) to (43): two zones.

use super::{Answer, Formula, Stated, int, q};
use crate::error::Error;
use crate::models::xu::{Lobby, Zones};
use crate::scalar::Rational;

type Q = Rational;

const RATES: [&str; 3] = ["lambda_A", "lambda_B", "lambda_C"];
/// Kinds: zone A, zone B, and both.
const A: u8 = 1;
const B: u8 = 2;
const C: u8 = 3;

fn lobby(x: &[Q; 3]) -> Result<Lobby<Q, Zones>, Error> {
    let arrivals = [A, B, C].into_iter().zip(x.iter().cloned()).collect();
    Lobby::new(Zones, arrivals)
}

fn pi(x: &[Q; 3], state: &[u8]) -> Answer {
    Ok(lobby(x)?.probability(state))
}

fn wait(x: &[Q; 3], kind: u8) -> Answer {
    Ok(lobby(x)?.wait(kind)?.mean)
}

/// The wait of all, by (22).
pub(super) fn wait_all(x: &[Q; 3]) -> Answer {
    let [a, b, c] = x;
    let lobby = lobby(x)?;
    let [for_a, for_b, for_both] = [lobby.wait(A)?.mean, lobby.wait(B)?.mean, lobby.wait(C)?.mean];
    Ok((a * for_a + b * for_b + c * for_both) / (a + b + c))
}

/// The wait left of who waits in zone A.
fn left(x: &[Q; 3], state: &[u8], place: usize) -> Answer {
    lobby(x)?.wait_left(state, place)
}

fn total(x: &[Q; 3]) -> Q {
    &x[0] + &x[1] + &x[2]
}

pub(super) fn factor(x: &[Q; 3]) -> Answer {
    let lobby = lobby(x)?;
    Ok(lobby.wait(C)?.mean / lobby.wait(B)?.mean)
}

/// (19); with the zones swapped, (20).
fn nineteen(x: &[Q; 3]) -> Answer {
    let [a, b, c] = x;
    let top = int(2) * a * b + a * c + int(2) * b * b + int(4) * b * c + c * c;
    Ok(top / ((a + c) * (b + c) * total(x)) * pi(x, &[])?)
}

/// (40) with what it calls pi_2.
fn forty(x: &[Q; 3], pi_2: Q) -> Answer {
    Ok(pi(x, &[])? * left(x, &[A], 0)? + pi_2 * left(x, &[B, A], 1)?)
}

fn swapped(x: &[Q; 3]) -> [Q; 3] {
    [x[1].clone(), x[0].clone(), x[2].clone()]
}

pub(super) fn points() -> Vec<[Q; 3]> {
    let points = [
        [(1, 2), (1, 4), (1, 3)],
        [(1, 1), (1, 1), (1, 1)],
        [(1, 3), (2, 1), (1, 4)],
        [(9, 10), (1, 20), (1, 1)],
        [(1, 10), (1, 10), (1, 100)],
        [(2, 5), (3, 10), (3, 10)],
        [(3, 1), (5, 2), (7, 3)],
        [(1, 50), (4, 5), (1, 5)],
        [(5, 7), (3, 7), (2, 7)],
    ];
    points.map(|point| point.map(|(n, d)| q(n, d))).to_vec()
}

pub(super) fn claims() -> Vec<Stated> {
    let mut claims = waits();
    claims.extend(stationary());
    claims.extend(balance());
    claims.extend(appendix());
    claims
}

fn waits() -> Vec<Stated> {
    let points = points();
    let say = |label, statement, printed, computed| Formula::new(label, statement, RATES, printed, computed);
    let even: Vec<[Q; 2]> = [(1, 0), (1, 1), (2, 3), (5, 1), (1, 7)]
        .map(|(b, c)| [int(b), int(c)])
        .to_vec();
    let shares: Vec<[Q; 1]> = (1..10).map(|n| [q(n, 10)]).collect();
    vec![
        say(
            "(19)",
            "E[T_A] = (2AB+AC+2B^2+4BC+C^2) / ((A+C)(B+C) total) pi_0",
            nineteen,
            |x| wait(x, A),
        )
        .at(&points),
        say(
            "(20)",
            "E[T_B] = (2AB+BC+2A^2+4AC+C^2) / ((A+C)(B+C) total) pi_0",
            |x| {
                let [a, b, c] = x;
                let top = int(2) * a * b + b * c + int(2) * a * a + int(4) * a * c + c * c;
                Ok(top / ((a + c) * (b + c) * total(x)) * pi(x, &[])?)
            },
            |x| wait(x, B),
        )
        .at(&points),
        say(
            "(21)",
            "E[T_C] = pi_0 / total",
            |x| Ok(pi(x, &[])? / total(x)),
            |x| wait(x, C),
        )
        .at(&points),
        say(
            "(22)",
            "E[T] = (A E[T_A] + B E[T_B] + C E[T_C]) / total. Computed: how many wait in the mean, divided by total, by Little's \
             law",
            wait_all,
            |x| {
                let lobby = lobby(x)?;
                Ok((lobby.waiting(A) + lobby.waiting(B) + lobby.waiting(C)) / total(x))
            },
        )
        .at(&points),
        say(
            "(23)",
            "q = (A+C)(B+C) / (2A^2+2AB+4AC+BC+C^2)",
            |[a, b, c]| {
                let bottom = int(2) * a * a + int(2) * a * b + int(4) * a * c + b * c + c * c;
                Ok((a + c) * (b + c) / bottom)
            },
            factor,
        )
        .at(&points),
        Formula::new(
            "(24)",
            "For A = B, q = (B+C)/(4B+C)",
            ["lambda_B", "lambda_C"],
            |[b, c]| Ok((b + c) / (int(4) * b + c)),
            |[b, c]| factor(&[b.clone(), b.clone(), c.clone()]),
        )
        .at(&even),
        Formula::new(
            "(25)",
            "For C = 0 and total = 1, q = (1-A)/2",
            ["lambda_A"],
            |[a]| Ok((int(1) - a) / int(2)),
            |[a]| factor(&[a.clone(), int(1) - a, int(0)]),
        )
        .at(&shares),
    ]
}

fn stationary() -> Vec<Stated> {
    let points = points();
    let say = |label, statement, printed, computed| Formula::new(label, statement, RATES, printed, computed);
    let claims = [
        say(
            "(35)",
            "pi_A = A pi_0 / (A+C)",
            |x| Ok(&x[0] * pi(x, &[])? / (&x[0] + &x[2])),
            |x| pi(x, &[A]),
        ),
        say(
            "(36)",
            "pi_B = B pi_0 / (B+C)",
            |x| Ok(&x[1] * pi(x, &[])? / (&x[1] + &x[2])),
            |x| pi(x, &[B]),
        ),
        say(
            "(37)",
            "pi_AB = A B pi_0 / ((A+C) total)",
            |x| Ok(&x[0] * &x[1] * pi(x, &[])? / ((&x[0] + &x[2]) * total(x))),
            |x| pi(x, &[A, B]),
        ),
        say(
            "(38)",
            "pi_BA = A B pi_0 / ((B+C) total)",
            |x| Ok(&x[0] * &x[1] * pi(x, &[])? / ((&x[1] + &x[2]) * total(x))),
            |x| pi(x, &[B, A]),
        ),
        say(
            "(39)",
            "pi_C = C pi_0 / total",
            |x| Ok(&x[2] * pi(x, &[])? / total(x)),
            |x| pi(x, &[C]),
        ),
    ];
    claims.into_iter().map(|formula| formula.at(&points)).collect()
}

/// Printed: the right sides; computed: the left ones.
fn balance() -> Vec<Stated> {
    let points = points();
    let say = |label, statement, printed, computed| Formula::new(label, statement, RATES, printed, computed);
    let claims = [
        say(
            "balance of 0",
            "total pi_0 = total pi_C + (A+C) pi_A + (B+C) pi_B",
            |x| {
                let [a, b, c] = x;
                Ok(total(x) * pi(x, &[C])? + (a + c) * pi(x, &[A])? + (b + c) * pi(x, &[B])?)
            },
            |x| Ok(total(x) * pi(x, &[])?),
        ),
        say(
            "balance of A",
            "total pi_A = A pi_0 + B pi_AB + (B+C) pi_BA",
            |x| Ok(&x[0] * pi(x, &[])? + &x[1] * pi(x, &[A, B])? + (&x[1] + &x[2]) * pi(x, &[B, A])?),
            |x| Ok(total(x) * pi(x, &[A])?),
        ),
        say(
            "balance of B",
            "total pi_B = B pi_0 + A pi_BA + (A+C) pi_AB",
            |x| Ok(&x[1] * pi(x, &[])? + &x[0] * pi(x, &[B, A])? + (&x[0] + &x[2]) * pi(x, &[A, B])?),
            |x| Ok(total(x) * pi(x, &[B])?),
        ),
        say(
            "balance of AB",
            "total pi_AB = B pi_A",
            |x| Ok(&x[1] * pi(x, &[A])?),
            |x| Ok(total(x) * pi(x, &[A, B])?),
        ),
        say(
            "balance of BA",
            "total pi_BA = A pi_B",
            |x| Ok(&x[0] * pi(x, &[B])?),
            |x| Ok(total(x) * pi(x, &[B, A])?),
        ),
        say(
            "balance of C",
            "total pi_C = C pi_0",
            |x| Ok(&x[2] * pi(x, &[])?),
            |x| Ok(total(x) * pi(x, &[C])?),
        ),
    ];
    claims.into_iter().map(|formula| formula.at(&points)).collect()
}

fn appendix() -> Vec<Stated> {
    let points = points();
    let say = |label, statement, printed, computed| Formula::new(label, statement, RATES, printed, computed);
    vec![
        // There is no state 2 among 0, A, B, C, AB, BA: as printed its share is zero.
        say(
            "(40)",
            "E[T_A] = pi_0 f_A + pi_2 f_BA (no state is called 2: as printed, its share is zero)",
            |x| forty(x, int(0)),
            |x| wait(x, A),
        )
        .read_as("pi_2 is pi_B", |x| forty(x, pi(x, &[B])?))
        .at(&points),
        say(
            "(41)",
            "f_A = 1/total + B f_AB / total",
            |x| Ok(int(1) / total(x) + &x[1] * left(x, &[A, B], 0)? / total(x)),
            |x| left(x, &[A], 0),
        )
        .at(&points),
        say(
            "(42)",
            "f_AB = 1/total + B f_A / total",
            |x| Ok(int(1) / total(x) + &x[1] * left(x, &[A], 0)? / total(x)),
            |x| left(x, &[A, B], 0),
        )
        .at(&points),
        say(
            "(43)",
            "f_BA = 1/total + (B+C) f_A / total",
            |x| Ok(int(1) / total(x) + (&x[1] + &x[2]) * left(x, &[A], 0)? / total(x)),
            |x| left(x, &[B, A], 1),
        )
        .at(&points),
        say(
            "there are exactly two players in the system, and one in each queue",
            "Where a player waits in zone A and another one in zone B, these are all. Compared: the largest number of players who \
             wait then.",
            |_| Ok(int(2)),
            |x| {
                let lobby = lobby(x)?;
                let waiting = lobby.stationary().map(|(players, _)| players);
                let in_both = waiting.filter(|players| players.contains(&A) && players.contains(&B));
                Ok(int(in_both.map(|players| players.len() as i64).max().unwrap_or(0)))
            },
        )
        .at(&points),
        say(
            "(20) by symmetry",
            "E[T_B] is E[T_A] with A and B swapped",
            |x| nineteen(&swapped(x)),
            |x| wait(x, B),
        )
        .at(&points),
    ]
}
