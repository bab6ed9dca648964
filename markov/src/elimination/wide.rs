//! Numbers of any size.

use crate::scalar::Scalar;

/// A number of any size: the value times a power of two. Fractions have exponent zero always.
#[derive(Clone, Debug)]
pub(crate) struct Wide<T> {
    pub(super) value: T,
    pub(super) exponent: i64,
}

/// Values stay within `2^±WIDE`, so that a product with a rate that is not tiny is not tiny.
const WIDE: i32 = 200;

impl<T: Scalar> Wide<T> {
    pub(crate) fn of(value: T) -> Self {
        let mut wide = Self { value, exponent: 0 };
        wide.narrow();
        wide
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    /// The product with `rate`, which was multiplied by `2^scale`.
    #[inline]
    pub(crate) fn times(&self, rate: &T, scale: i64) -> Self {
        let exponent = self.exponent - scale;
        let mut value = self.value.clone();
        value *= rate;
        if value.exponent() > -900 {
            return Self { value, exponent };
        }
        // Perhaps too small for full precision: with the rate near one.
        let small = rate.exponent();
        let mut value = self.value.clone();
        value *= &rate.clone().shifted(-small);
        let exponent = exponent + i64::from(small);
        Self { value, exponent }
    }

    /// The product of two numbers that are narrow.
    pub(crate) fn product(&self, other: &Self) -> Self {
        self.times(&other.value, -other.exponent)
    }

    /// The quotient by `pivot`, which was multiplied by `2^scale` and is not tiny.
    #[inline]
    pub(crate) fn over(mut self, pivot: &T, scale: i64) -> Self {
        self.value /= pivot;
        self.exponent += scale;
        self.narrow();
        self
    }

    /// The quotient of two numbers that are narrow.
    pub(crate) fn quotient(self, by: &Self) -> Self {
        self.over(&by.value, -by.exponent)
    }

    #[inline]
    pub(crate) fn add(&mut self, mut other: Self) {
        if self.exponent != other.exponent {
            if self.value.is_zero() || other.value.is_zero() {
                if self.value.is_zero() {
                    *self = other;
                }
                return;
            }
            self.narrow();
            other.narrow();
            if self.exponent < other.exponent {
                core::mem::swap(self, &mut other);
            }
            // What underflows here is far below a rounding of the sum.
            let by = (other.exponent - self.exponent).max(-2000) as i32;
            other.value = other.value.shifted(by);
        }
        self.value += &other.value;
    }

    /// Moves what is large or small of the value to the exponent.
    #[inline]
    pub(crate) fn narrow(&mut self) {
        let by = self.value.exponent();
        if by.abs() > WIDE && !self.value.is_zero() {
            self.value = self.value.clone().shifted(-by);
            self.exponent += i64::from(by);
        }
    }

    /// The nearest number that a scalar can hold: infinite beyond the range of floats, zero below it.
    pub(crate) fn rounded(self) -> T {
        let by = self.exponent.clamp(-3000, 3000) as i32;
        self.value.shifted(by)
    }
}

#[cfg(test)]
mod tests {
    use super::Wide;
    use crate::scalar::{Rational, Scalar};

    #[test]
    fn numbers_leave_the_range_and_come_back() {
        let mut power = Wide::of(3e-200);
        for _ in 0..9 {
            power = power.times(&1e-200, 0);
            power.narrow();
        }
        for _ in 0..10 {
            power = power.over(&1e-200, 0);
        }
        let back = power.rounded();
        assert!((back / 3.0 - 1.0).abs() < 1e-14, "{back}");
        assert_eq!(Wide::of(1e300).over(&1e-50, 0).rounded(), f64::INFINITY);
        assert_eq!(Wide::of(-1e300).over(&1e-50, 0).rounded(), f64::NEG_INFINITY);
        assert_eq!(Wide::of(1e-300).times(&1e-100, 0).rounded(), 0.0);
    }

    #[test]
    fn sums_keep_what_counts() {
        let huge = |value: f64| Wide::of(value).over(&1e-200, 0);
        let mut sum = huge(1e300);
        sum.add(Wide::of(-1e300));
        sum.add(huge(-1e300));
        sum.add(Wide::of(1e-300));
        assert_eq!(sum.rounded(), 1e-300);
        let mut thirds = Wide::of(Rational::ratio(1, 3));
        thirds.add(Wide::of(Rational::ratio(1, 3)).times(&Rational::ratio(2, 1), 0));
        assert_eq!(thirds.rounded(), Rational::ratio(1, 1));
    }
}
