//! What the text says of choosing sides beside its equations.

use super::sides::{self, RATES, factor, factors, normalized, sixteen, stable, wait_all};
use super::{Answer, Formula, Stated, int, is_false, q, says_so, truth};
use crate::claims::curve::Curve;
use crate::error::Error;
use crate::scalar::Rational;

type Q = Rational;

/// The wait of all with a total rate of one.
fn wait(a: &Q, b: &Q) -> Answer {
    wait_all(&normalized(a, b))
}

/// The same between two rates of A.
fn waits(low: &Q, high: &Q, b: &Q) -> Result<Curve, Error> {
    Curve::through(low.clone(), high.clone(), |a| wait(a, b))
}

/// The least and the largest wait over 101 rates of A up to that of B.
fn range(b: &Q, wait: fn(&Q, &Q) -> Answer) -> Result<[Q; 2], Error> {
    let (mut least, mut most) = (wait(b, b)?, wait(b, b)?);
    for n in 0..100 {
        let wait = wait(&(b * q(n, 100)), b)?;
        if wait < least {
            least = wait;
        } else if wait > most {
            most = wait;
        }
    }
    Ok([least, most])
}

pub(super) fn claims() -> Vec<Stated> {
    let mut claims = factor_falls();
    claims.extend(imbalance());
    claims.extend(larger_rate());
    claims.extend(benefits());
    claims
}

fn of_b(label: &'static str, statement: &'static str, computed: fn(&[Q; 1]) -> Answer) -> Formula<1> {
    Formula::new(label, statement, ["lambda_B"], says_so, computed)
}

fn everywhere(label: &'static str, statement: &'static str, computed: fn(&[Q; 0]) -> Answer) -> Stated {
    Formula::new(label, statement, [], says_so, computed).at(&[[]])
}

fn factor_falls() -> Vec<Stated> {
    let even: Vec<[Q; 1]> = (2..9).map(|n| [q(n, 20)]).collect();
    vec![
        of_b("(18) is negative", "q falls as lambda_B grows (1 if so)", |[b]| {
            truth(factor(&(b + q(1, 20)))? < factor(b)?)
        })
        .at(&even),
        everywhere(
            "(18) is negative, for all rates",
            "dq/dB is negative for 0 < lambda_B < 1/2, the total rate being one (1 if so, by Sturm's theorem)",
            |_| truth(factors()?.derivative().is_negative()),
        ),
        of_b(
            "q falls slower",
            "q falls slower and slower as lambda_B grows (1 if so)",
            |[b]| {
                let step = q(1, 20);
                truth(factor(&(b - &step))? - factor(b)? > factor(b)? - factor(&(b + &step))?)
            },
        )
        .at(&even),
        everywhere(
            "q falls slower, for all rates",
            "The second derivative of q by B is positive for 0 < lambda_B < 1/2, the total rate being one (1 if so, by Sturm's \
             theorem)",
            |_| truth(factors()?.derivative().derivative().is_positive()),
        ),
    ]
}

fn larger_rate() -> Vec<Stated> {
    let by_side: Vec<[Q; 1]> = [q(1, 5), q(3, 10), q(2, 5), q(9, 20)].map(|b| [b]).to_vec();
    let all = [0, 2, 5, 8, 9].map(|n| [q(n, 20)]);
    vec![
        of_b(
            "hardly changes, by a tenth",
            "With normalized rates E[T] hardly changes with lambda_A < lambda_B: by at most a tenth (1 if so, at 101 rates)",
            |[b]| {
                let [least, most] = range(b, wait)?;
                truth(most <= least * q(11, 10))
            },
        )
        .corrected(
            "by (16) it changes by 13, 27, 28 and 23 % for lambda_B = 0.2, 0.3, 0.4 and 0.45",
            |[b]| {
                let [least, most] = range(b, |a, b| sixteen(&normalized(a, b)))?;
                truth(most <= least * q(11, 10))
            },
        )
        .at(&by_side),
        of_b(
            "hardly changes, by a third",
            "With lambda_A < lambda_B it changes by at most a third (at 101 rates), and for lambda_A = 0.49 it is more than twice \
             as large (1 if so)",
            |[b]| {
                let [least, most] = range(b, wait)?;
                truth(most <= &least * q(4, 3) && wait(&q(49, 100), b)? > least * int(2))
            },
        )
        .at(&by_side),
        Formula::new(
            "symmetric nature",
            "E[T] stays the same where A and B change places",
            RATES,
            |[a, b, c]| wait_all(&[b.clone(), a.clone(), c.clone()]),
            wait_all,
        )
        .at(&stable()),
        Formula::new(
            "max dominates",
            "max(A, B) dominates E[T]: with normalized rates it rises with the larger rate, from anywhere at or above the other \
             (1 if so)",
            ["lambda_A", "lambda_B"],
            says_so,
            |[a, b]| truth(wait(&(a + q(1, 50)), b)? > wait(a, b)?),
        )
        .at(&[
            [q(1, 5), q(1, 5)],
            [q(3, 10), q(1, 10)],
            [q(2, 5), q(2, 5)],
            [q(9, 20), q(1, 10)],
            [q(9, 20), q(2, 5)],
        ]),
        of_b(
            "max dominates, for all larger rates",
            "With normalized rates E[T] rises with lambda_A from lambda_B up to 1/2 (1 if so for all lambda_A, by Sturm's theorem)",
            |[b]| truth(waits(b, &q(1, 2), b)?.derivative().is_positive()),
        )
        .at(&all),
        of_b(
            "first helps, then hurts",
            "With lambda_B = 0.4, increasing lambda_A < lambda_B first reduces E[T] and then increases it (1 if its slope has one \
             zero there, by Sturm's theorem, and is negative before it and positive behind)",
            |[b]| {
                let slope = waits(&int(0), b, b)?.derivative();
                let [first, last] = [q(1, 1000), q(999, 1000)].map(|part| slope.at(&(b * part)));
                truth(slope.zeros() == 1 && first < int(0) && last > int(0))
            },
        )
        .at(&[[q(2, 5)]]),
    ]
}

/// The improvement factor for these rates of A and B, the total rate being one.
fn factor_for(a: &Q, b: &Q) -> Answer {
    let [_, for_b, either, _] = sides::waits(&normalized(a, b))?;
    Ok(either / for_b)
}

/// What the text makes of (17) and (18).
fn imbalance() -> Vec<Stated> {
    let shares: Vec<[Q; 1]> = [1, 2, 4, 6, 8, 9].map(|n| [q(n, 20)]).to_vec();
    vec![
        of_b(
            "the benefit of being choice-free depends on the imbalance between A and B",
            "With normalized rates q is another one without players for side A than with as many as for side B (1 if so)",
            |[b]| truth(factor_for(&int(0), b)? != factor_for(b, b)?),
        )
        .corrected("it does not: by (17), q is a function of lambda_B/total alone", is_false)
        .at(&shares),
        Formula::new(
            "as B increases, the two sides become more symmetric",
            "With lambda_B a fiftieth of all larger, it is closer to lambda_A (1 if so)",
            ["lambda_A", "lambda_B"],
            says_so,
            |[a, b]| {
                let apart = |b: &Q| if a > b { a - b } else { b - a };
                truth(apart(&(b + q(1, 50))) < apart(b))
            },
        )
        .read_as("as long as lambda_B is below lambda_A; from there on they become less symmetric", |[a, b]| {
            truth(b < a)
        })
        .at(&[(10, 2), (20, 10), (20, 19), (20, 20), (10, 20), (2, 10)].map(|(a, b)| [q(a, 50), q(b, 50)])),
    ]
}

fn benefits() -> Vec<Stated> {
    vec![
        everywhere(
            "being choice-free benefits themselves, sides",
            "E[T_C] is less than E[T_B] for 0 < lambda_B < 1/2, the total rate being one (1 if so, by Sturm's theorem)",
            |_| {
                let saved = Curve::through(int(0), q(1, 2), |b| Ok(int(1) - factor(b)?))?;
                truth(saved.is_positive())
            },
        ),
        Formula::new(
            "being choice-free benefits the whole system, sides",
            "With normalized rates E[T] falls as players for side B, a fiftieth of all, become choice-free (1 if so)",
            ["lambda_A", "lambda_B"],
            says_so,
            |[a, b]| truth(wait(a, &(b - q(1, 50)))? < wait(a, b)?),
        )
        .corrected(
            "by (16) it grows where B is much smaller than A, as figure 10 shows: there are too few for side B already",
            |[a, b]| {
                let less = sixteen(&normalized(a, &(b - q(1, 50))))?;
                truth(less < sixteen(&normalized(a, b))?)
            },
        )
        .at(&[
            (20, 10),
            (10, 20),
            (20, 20),
            (20, 5),
            (20, 2),
            (22, 3),
            (15, 15),
            (5, 1),
        ]
        .map(|(a, b)| [q(a, 50), q(b, 50)])),
    ]
}
