//! The formulas of the paper as they are printed.

use num_bigint::BigInt;
use num_traits::{One, Pow, Zero};

use super::whole;
use crate::scalar::{Rational, Scalar};

/// Binomial coefficient.
fn binomial(n: usize, k: usize) -> Rational {
    let factor = |i: usize| Rational::ratio((n - i) as i64, (i + 1) as i64);
    (0..k)
        .map(factor)
        .fold(Rational::one(), |product, factor| product * factor)
}

fn pow(base: &Rational, exponent: usize) -> Rational {
    Pow::pow(base, exponent)
}

fn one() -> Rational {
    Rational::one()
}

fn half() -> Rational {
    Rational::ratio(1, 2)
}

pub(super) fn states(n: usize) -> Rational {
    whole(2 * n * (n + 1))
}

pub(super) fn delta_1(n: usize, q: &Rational) -> Rational {
    let term = |k| binomial(2 * n - 1, 2 * k - 1) * pow(q, 2 * k - 1) * pow(&(one() - q), 2 * n - 2 * k);
    (1..=n).map(term).sum()
}

pub(super) fn delta_2(n: usize, q: &Rational) -> Rational {
    let term = |k| binomial(2 * n - 1, 2 * k) * pow(q, 2 * k) * pow(&(one() - q), 2 * n - 2 * k - 1);
    (0..n).map(term).sum()
}

/// `2q - 1`.
pub(super) fn tilt(q: &Rational) -> Rational {
    whole(2) * q - one()
}

/// The share of time with `k` players in the pool, patient policy.
pub(super) fn share_of_size(n: usize, k: usize) -> Rational {
    let per_size = if k == 0 || k == 2 * n { 4 * n } else { 2 * n };
    Rational::ratio(1, per_size as i64)
}

pub(super) fn patient_waiting_sum(n: usize) -> Rational {
    let of = |denominator: usize| Rational::ratio(1, denominator as i64);
    of(4 * n) * whole(0) + of(2 * n) * (1..2 * n).map(whole).sum::<Rational>() + of(4 * n) * whole(2 * n)
}

pub(super) fn patient_cost(n: usize) -> Rational {
    whole(n)
}

pub(super) fn greedy_waiting_total(n: usize) -> Rational {
    whole(n * (2 * n - 1))
}

pub(super) fn greedy_imbalance_sum(n: usize, q: &Rational, alpha: &Rational) -> Rational {
    let term = |k| binomial(2 * n, 2 * k - 1) * pow(q, 2 * k - 1) * pow(&(one() - q), 2 * n - 2 * k + 1);
    whole(2 * n) * alpha * (1..=n).map(term).sum::<Rational>()
}

pub(super) fn greedy_imbalance(n: usize, q: &Rational, alpha: &Rational) -> Rational {
    whole(2 * n) * alpha * (one() - pow(&tilt(q), 2 * n)) / whole(2)
}

pub(super) fn greedy_cost_by_cycle(n: usize, q: &Rational, alpha: &Rational) -> Rational {
    let imbalance = whole(2 * n) * alpha * (one() - pow(&tilt(q), 2 * n)) / whole(2);
    Rational::ratio(1, 2 * n as i64) * (whole(n * (2 * n - 1)) + imbalance)
}

pub(super) fn greedy_cost(n: usize, q: &Rational, alpha: &Rational) -> Rational {
    whole(n) - half() + alpha * (one() - pow(&tilt(q), 2 * n)) / whole(2)
}

/// The bound of Theorem 3.3; none where it divides by zero.
pub(super) fn threshold(n: usize, q: &Rational) -> Option<Rational> {
    let chance = one() - pow(&tilt(q), 2 * n);
    (!chance.is_zero()).then(|| one() / chance)
}

/// `(1 - 1/alpha)^(1/(2n))`, where that is a fraction.
fn root(n: usize, alpha: &Rational) -> Option<Rational> {
    if *alpha < one() {
        return None;
    }
    let base = one() - one() / alpha;
    let root = |number: &BigInt| number.nth_root(2 * n as u32);
    let value = Rational::new(root(base.numer()), root(base.denom()));
    (pow(&value, 2 * n) == base).then_some(value)
}

/// The upper bound of the shares of high players at which waiting pays.
pub(super) fn q_bar(n: usize, alpha: &Rational) -> Option<Rational> {
    Some(half() * (one() + root(n, alpha)?))
}

/// The lower one.
pub(super) fn q_underline(n: usize, alpha: &Rational) -> Option<Rational> {
    Some(half() * (one() - root(n, alpha)?))
}
