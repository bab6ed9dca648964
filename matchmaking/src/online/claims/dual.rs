//! Exact derivatives.

use std::ops::{Add, Div, Mul, Sub};

use markov::Rational;

use crate::fractions::int;

/// A value and its derivative, carried through sums, products and quotients by the rules of calculus.
#[derive(Clone, Debug)]
pub(super) struct Dual {
    pub(super) value: Rational,
    pub(super) slope: Rational,
}

impl Dual {
    /// What does not depend on the variable.
    pub(super) fn constant(value: Rational) -> Self {
        let slope = int(0);
        Self { value, slope }
    }

    /// The variable itself.
    pub(super) fn variable(value: Rational) -> Self {
        let slope = int(1);
        Self { value, slope }
    }
}

impl Add for Dual {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            slope: self.slope + other.slope,
        }
    }
}

impl Sub for Dual {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            value: self.value - other.value,
            slope: self.slope - other.slope,
        }
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            slope: self.slope * &other.value + &self.value * other.slope,
            value: self.value * other.value,
        }
    }
}

impl Div for Dual {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let square = &other.value * &other.value;
        Self {
            slope: (self.slope * &other.value - &self.value * other.slope) / square,
            value: self.value / other.value,
        }
    }
}

/// Where a rising function becomes 0 between two values.
pub(super) fn root(rising: impl Fn(&Rational) -> Rational, mut low: Rational, mut high: Rational) -> Rational {
    /// Halvings: a width of some thousands becomes one of 1e-12.
    const STEPS: usize = 52;
    for _ in 0..STEPS {
        let middle = (&low + &high) / int(2);
        if rising(&middle) < int(0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}
