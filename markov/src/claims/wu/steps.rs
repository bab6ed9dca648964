//! Lemma 3.2, the steps of its proof, and the shares of time that follow.

use super::facts::{LongRun, chance_of_odd};
use super::{At, Formula, each, full_grid, plain, printed, truth, whole};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};

const HIGH: (usize, usize) = (1, 0);
const LOW: (usize, usize) = (0, 1);

pub(super) fn formulas() -> Vec<Formula> {
    let mut all = chances();
    all.extend(balance());
    all.extend(lemma());
    all.extend(shares());
    all
}

fn chances() -> Vec<Formula> {
    vec![
        plain(
            "delta_1 = sum for k = 1 to n",
            "The probability of getting from (0,1) to 2n players of two odd numbers in 2n - 1 steps is the sum over k = 1..n of \
             binomial(2n-1, 2k-1) q^(2k-1) (1-q)^(2n-2k).",
            full_grid(),
            |at| Some(printed::delta_1(at.n(), &at.q())),
            |at| chance_of_odd(at, LOW),
        ),
        plain(
            "delta_2 = sum for k = 0 to n - 1",
            "The probability of getting from (1,0) to 2n players of two odd numbers in 2n - 1 steps is the sum over k = 0..n-1 \
             of binomial(2n-1, 2k) q^(2k) (1-q)^(2n-2k-1).",
            full_grid(),
            |at| Some(printed::delta_2(at.n(), &at.q())),
            |at| chance_of_odd(at, HIGH),
        ),
        plain(
            "delta_1 + delta_2 = 1",
            "delta_1 + delta_2 = (q + (1-q))^(2n-1) = 1.",
            full_grid(),
            |_| Some(whole(1)),
            |at| Ok(chance_of_odd(at, LOW)? + chance_of_odd(at, HIGH)?),
        ),
    ]
}

/// The sides of balance equations are made of computed shares of time and printed probabilities.
fn side(at: &At, of: impl Fn(&LongRun, &Rational) -> Rational) -> Option<Rational> {
    Some(of(&LongRun::of(at).ok()?, &at.q()))
}

/// `pi(0,1) delta_1 + pi(1,0) delta_2` with the printed probabilities.
fn printed_full(at: &At) -> Option<Rational> {
    let (delta_1, delta_2) = (printed::delta_1(at.n(), &at.q()), printed::delta_2(at.n(), &at.q()));
    side(at, |run, _| run.pool(LOW) * &delta_1 + run.pool(HIGH) * &delta_2)
}

fn balance() -> Vec<Formula> {
    vec![
        plain(
            "pi(0,1) = (1-q) pi(0,0) + q Pi_2n",
            "The balance equation of (0,1).",
            full_grid(),
            |at| {
                side(at, |run, q| {
                    (whole(1) - q) * run.pool((0, 0)) + q * run.size(2 * at.n())
                })
            },
            |at| Ok(LongRun::of(at)?.pool(LOW)),
        ),
        plain(
            "Pi_2n = pi(0,1) delta_1 + pi(1,0) delta_2",
            "The share of time with 2n players.",
            full_grid(),
            printed_full,
            |at| Ok(LongRun::of(at)?.size(2 * at.n())),
        ),
        plain(
            "pi(0,1) = (1-q) pi(0,0) + q (pi(0,1) delta_1 + pi(1,0) delta_2)",
            "The balance equation of (0,1), in three unknowns.",
            full_grid(),
            |at| {
                let full = printed_full(at)?;
                side(at, |run, q| (whole(1) - q) * run.pool((0, 0)) + q * &full)
            },
            |at| Ok(LongRun::of(at)?.pool(LOW)),
        ),
        plain(
            "pi(1,0) = q pi(0,0) + (1-q) (pi(0,1) delta_1 + pi(1,0) delta_2)",
            "The balance equation of (1,0), in three unknowns.",
            full_grid(),
            |at| {
                let full = printed_full(at)?;
                side(at, |run, q| q * run.pool((0, 0)) + (whole(1) - q) * &full)
            },
            |at| Ok(LongRun::of(at)?.pool(HIGH)),
        ),
        plain(
            "pi(0,1) [q - delta_1 (2q-1)] = pi(1,0) [1 - q + delta_2 (2q-1)]",
            "The two balance equations without pi(0,0). Printed: the right side; computed: the left side.",
            full_grid(),
            |at| side(at, |run, q| run.pool(HIGH) * right_factor(at.n(), q)),
            |at| Ok(LongRun::of(at)?.pool(LOW) * left_factor(at)?),
        ),
        plain(
            "1 - q + delta_2 (2q-1) = q - delta_1 (2q-1)",
            "The two factors are the same. Printed: the left side; computed: the right side.",
            full_grid(),
            |at| Some(right_factor(at.n(), &at.q())),
            left_factor,
        ),
        plain(
            "q - delta_1 (2q-1) > 0",
            "The factor that is cancelled is positive (1 if so).",
            full_grid(),
            |_| Some(whole(1)),
            |at| Ok(truth(left_factor(at)? > whole(0))),
        )
        .read_for_two_types(|_| Some(whole(0))),
    ]
}

/// `1 - q + delta_2 (2q - 1)`, as printed.
fn right_factor(n: usize, q: &Rational) -> Rational {
    whole(1) - q + printed::delta_2(n, q) * printed::tilt(q)
}

/// `q - delta_1 (2q - 1)`, by the chain's own probability.
fn left_factor(at: &At) -> Result<Rational, Error> {
    Ok(at.q() - chance_of_odd(at, LOW)? * (at.q() * whole(2) - whole(1)))
}

fn lemma() -> Vec<Formula> {
    vec![
        plain(
            "Lemma 3.2, pi(0,1) = pi(0,0)",
            "In the steady state distribution, pi(0,1) = pi(0,0). Compared: their ratio.",
            full_grid(),
            |_| Some(whole(1)),
            |at| LongRun::of(at).map(|run| run.pool(LOW) / run.pool((0, 0))),
        )
        .read_for_two_types(|at| Some(truth(at.q() < whole(1)))),
        plain(
            "Lemma 3.2, pi(1,0) = pi(0,0)",
            "In the steady state distribution, pi(1,0) = pi(0,0). Compared: their ratio.",
            full_grid(),
            |_| Some(whole(1)),
            |at| LongRun::of(at).map(|run| run.pool(HIGH) / run.pool((0, 0))),
        )
        .read_for_two_types(|at| Some(truth(at.q() > whole(0)))),
    ]
}

/// With players of one type, no pool of `2n` players is left, and each smaller number is as frequent.
fn share_of_one_type(n: usize, k: usize) -> Option<Rational> {
    Some(truth(k < 2 * n) / whole(2 * n))
}

fn shares() -> Vec<Formula> {
    let sizes = |sizes: fn(usize) -> core::ops::RangeInclusive<usize>| -> Vec<At> {
        let at_sizes = |at: At| {
            each(
                core::slice::from_ref(&at),
                "k",
                &sizes(at.n()).map(whole).collect::<Vec<_>>(),
            )
        };
        full_grid().into_iter().flat_map(at_sizes).collect()
    };
    vec![
        plain(
            "Pi_0 = pi(0,0) = 1/2 (pi(0,1) + pi(1,0)) = 1/2 Pi_1",
            "The empty pool is half as frequent as one player.",
            full_grid(),
            |at| side(at, |run, _| Rational::ratio(1, 2) * (run.pool(LOW) + run.pool(HIGH))),
            |at| Ok(LongRun::of(at)?.size(0)),
        )
        .read_for_two_types(|at| share_of_one_type(at.n(), 0)),
        plain(
            "Pi_1 = Pi_2 = ... = Pi_(2n-1)",
            "One player is as frequent as k players, k = 1, ..., 2n - 1.",
            sizes(|n| 1..=2 * n - 1),
            |at| side(at, |run, _| run.size(1)),
            |at| Ok(LongRun::of(at)?.size(at.count("k"))),
        ),
        plain(
            "Pi_2n = 1/2 Pi_1",
            "2n players are half as frequent as one.",
            full_grid(),
            |at| side(at, |run, _| Rational::ratio(1, 2) * run.size(1)),
            |at| Ok(LongRun::of(at)?.size(2 * at.n())),
        )
        .read_for_two_types(|at| share_of_one_type(at.n(), 2 * at.n())),
        plain(
            "Pi_0 = Pi_2n = 1/(4n), Pi_1 = ... = Pi_(2n-1) = 1/(2n)",
            "The share of time with k players in the pool, k = 0, ..., 2n.",
            sizes(|n| 0..=2 * n),
            |at| Some(printed::share_of_size(at.n(), at.count("k"))),
            |at| Ok(LongRun::of(at)?.size(at.count("k"))),
        )
        .read_for_two_types(|at| share_of_one_type(at.n(), at.count("k"))),
    ]
}
