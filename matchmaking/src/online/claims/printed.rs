//! The formulas as they are printed.

use markov::{Rational, Scalar};

use super::dual::Dual;
use super::{At, TAU_MAX};
use crate::fractions::{int, ratio};

/// Players per game and arrivals per unit of time; `τ_max` is [`TAU_MAX`] everywhere.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// `k`.
    pub(super) players: i64,
    /// `a`.
    pub(super) rate: Rational,
}

impl Place {
    pub(super) fn new(players: i64, rate: Rational) -> Self {
        Self { players, rate }
    }

    /// Expected arrivals within `τ_max`.
    pub(super) fn load(&self) -> Rational {
        &self.rate * int(TAU_MAX)
    }

    /// `k (k - 1)`.
    pub(super) fn pairs(&self) -> i64 {
        self.players * (self.players - 1)
    }

    pub(super) fn at(&self) -> At {
        vec![
            ("k", int(self.players)),
            ("a", self.rate.clone()),
            ("tau_max", int(TAU_MAX)),
        ]
    }

    /// The same with one more parameter.
    pub(super) fn at_with(&self, name: &'static str, value: Rational) -> At {
        let mut at = self.at();
        at.push((name, value));
        at
    }
}

/// All that the claims judge. Tests put wrong ones in their places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Formulas {
    /// The expected range of the criterion among `k` players.
    pub(super) range: fn(i64) -> Rational,
    /// (2): what a game of A_G costs.
    pub(super) two: fn(&Place) -> Rational,
    /// (3), and (8) with the load of one queue: the chance that `k` and the load leave places empty.
    pub(super) three: fn(i64, f64) -> f64,
    /// (4): by `k`, the chance (3) and the cost (2).
    pub(super) four: fn(i64, f64, f64) -> f64,
    /// (5): what a game of A_PM costs with `n` players per period.
    pub(super) five: fn(&Place, &Dual) -> Dual,
    /// The derivative of (5).
    pub(super) five_slope: fn(&Place, &Rational) -> Rational,
    /// (6): the best `n`.
    pub(super) six: fn(&Place) -> f64,
    /// (7): what a game of A_MQ costs with `r` queues.
    pub(super) seven: fn(&Place, &Dual) -> Dual,
    /// The derivative of (7).
    pub(super) seven_slope: fn(&Place, &Rational) -> Rational,
    /// (9): the best `r`.
    pub(super) nine: fn(&Place) -> f64,
}

impl Formulas {
    /// What the paper prints.
    pub(super) const PRINTED: Self = Self {
        range,
        two,
        three,
        four,
        five,
        five_slope,
        six,
        seven,
        seven_slope,
        nine,
    };
}

fn range(players: i64) -> Rational {
    ratio(players - 1, players + 1)
}

fn two(place: &Place) -> Rational {
    ratio(place.pairs(), place.players + 1) + int(place.pairs()) / (int(2) * place.load())
}

fn three(players: i64, load: f64) -> f64 {
    (1..players).map(|x| poisson(x, load)).sum()
}

/// The chance of exactly so many arrivals: `λ^x e^-λ / x!`.
pub(super) fn poisson(count: i64, load: f64) -> f64 {
    (1..=count).fold((-load).exp(), |product, x| product * load / x as f64)
}

fn four(players: i64, chance: f64, cost: f64) -> f64 {
    2.0 * players as f64 * chance / (cost * cost)
}

fn five(place: &Place, n: &Dual) -> Dual {
    let one = Dual::constant(int(1));
    let criteria = Dual::constant(int(place.pairs())) / (n.clone() + one.clone());
    let waiting = Dual::constant(int(place.players) / (int(2) * place.load())) * (n.clone() - one);
    criteria + waiting
}

fn five_slope(place: &Place, n: &Rational) -> Rational {
    let k = place.players;
    let next = n + int(1);
    int(k - k * k) / (&next * &next) + int(k) / (int(2) * place.load())
}

fn six(place: &Place) -> f64 {
    let [a, t] = [place.rate.to_float(), TAU_MAX as f64];
    a.sqrt() * (2.0 * (place.players - 1) as f64).sqrt() * t.sqrt() - 1.0
}

fn seven(place: &Place, r: &Dual) -> Dual {
    let criteria = Dual::constant(ratio(place.pairs(), place.players + 1)) / r.clone();
    let waiting = r.clone() * Dual::constant(int(place.pairs()) / (int(2) * place.load()));
    criteria + waiting
}

fn seven_slope(place: &Place, r: &Rational) -> Rational {
    let k = place.players;
    int(k - k * k) / (int(k + 1) * r * r) + int(place.pairs()) / (int(2) * place.load())
}

fn nine(place: &Place) -> f64 {
    (2.0 * place.load().to_float() / (place.players + 1) as f64).sqrt()
}
