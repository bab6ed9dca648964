//! Fractions of polynomials through exact values: for statements about all rates, and for exact derivatives.
//!
//! What a chain gives, as a function of one rate, is a fraction of two polynomials. Its values at a few points more
//! than it has coefficients determine it (Cauchy's interpolation, by Euclid's algorithm), and the values left over
//! confirm it. Where it is positive is then a question of roots, which Sturm's theorem counts in exact numbers.
//!
//! Reference: J. von zur Gathen, J. Gerhard, "Modern Computer Algebra", Cambridge 2013, sections 4.1 and 5.8.

use num_traits::Zero;

use super::polynomial::Polynomial;
use crate::error::Error;
use crate::scalar::{Rational, Scalar};

/// So many values more than a curve has coefficients must lie on it.
const SURPLUS: usize = 4;

/// No curve is looked for through more points.
const MOST_POINTS: usize = 48;

/// A fraction of two polynomials on an open interval, without a pole there.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    low: Rational,
    high: Rational,
    numerator: Polynomial,
    denominator: Polynomial,
    /// The denominator stands below to this power: derivatives keep it as it is.
    power: usize,
}

impl Curve {
    /// The curve through the values of a function in an interval: the first that leaves enough of them over.
    ///
    /// # Errors
    /// Those of the function; [`Error::TooLarge`] where too many values do not lie on one curve.
    pub(super) fn through(
        low: Rational,
        high: Rational,
        f: impl Fn(&Rational) -> Result<Rational, Error>,
    ) -> Result<Self, Error> {
        let mut points = Vec::new();
        for count in 1..=MOST_POINTS {
            let x = &low + (&high - &low) * spread(count);
            let y = f(&x)?;
            points.push((x, y));
            // A try costs more than a value.
            if count % SURPLUS == 0
                && let Some((numerator, denominator)) = fitted(&points)
                && denominator.roots_between(&low, &high) == 0
            {
                return Ok(Self {
                    low,
                    high,
                    numerator,
                    denominator,
                    power: 1,
                });
            }
        }
        Err(Error::TooLarge {
            what: "points of a curve",
            limit: MOST_POINTS,
        })
    }

    /// The value at a point of the interval.
    pub(super) fn at(&self, x: &Rational) -> Rational {
        self.numerator.at(x) / num_traits::pow(self.denominator.at(x), self.power)
    }

    pub(super) fn derivative(&self) -> Self {
        let (top, bottom) = (&self.numerator, &self.denominator);
        let power = Polynomial::constant(Rational::ratio(self.power as i64, 1));
        let falls = top.times(&bottom.derivative()).times(&power);
        Self {
            numerator: top.derivative().times(bottom).minus(&falls),
            power: self.power + 1,
            ..self.clone()
        }
    }

    /// Whether it is positive in all of the interval.
    pub(super) fn is_positive(&self) -> bool {
        self.at(&self.middle()) > Rational::ratio(0, 1) && self.zeros() == 0
    }

    /// Whether it is negative in all of the interval.
    pub(super) fn is_negative(&self) -> bool {
        self.at(&self.middle()) < Rational::ratio(0, 1) && self.zeros() == 0
    }

    /// How many zeros it has in the interval.
    pub(super) fn zeros(&self) -> usize {
        self.numerator.roots_between(&self.low, &self.high)
    }

    /// Its zero, if it has just one, to within some 2^-60 of the interval.
    pub(super) fn only_zero(&self) -> Option<Rational> {
        if self.zeros() != 1 {
            return None;
        }
        let (mut low, mut high) = (self.low.clone(), self.high.clone());
        for _ in 0..60 {
            let middle = (&low + &high) / Rational::ratio(2, 1);
            if self.numerator.at(&middle).is_zero() {
                return Some(middle);
            }
            if self.numerator.roots_between(&low, &middle) == 1 {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some((low + high) / Rational::ratio(2, 1))
    }

    fn middle(&self) -> Rational {
        (&self.low + &self.high) / Rational::ratio(2, 1)
    }
}

/// The half, the odd quarters, the odd eighths, and so on, one after the other.
fn spread(count: usize) -> Rational {
    let parts = 1_i64 << count.ilog2();
    Rational::ratio(2 * (count as i64 - parts) + 1, 2 * parts)
}

/// A fraction through these points that leaves enough of them over; there is at most one.
fn fitted(points: &[(Rational, Rational)]) -> Option<(Polynomial, Polynomial)> {
    let zero_at = |product: Polynomial, (x, _): &(Rational, Rational)| product.times(&Polynomial::with_root(x));
    let one = Polynomial::constant(Rational::ratio(1, 1));
    // Each remainder is the interpolant times its factor, but for multiples of what is zero at all points.
    let (mut last, mut rest) = (points.iter().fold(one.clone(), zero_at), Polynomial::through(points));
    let (mut last_factor, mut factor) = (Polynomial::new(Vec::new()), one);
    // One coefficient is free: fractions may be expanded.
    while rest.len() + factor.len() + SURPLUS > points.len() + 1 {
        // Numbers stay shorter if the highest power stands alone.
        let scale = Polynomial::constant(rest.leading()?.recip());
        (rest, factor) = (rest.times(&scale), factor.times(&scale));
        let division = last.divided_by(&rest);
        let next_factor = last_factor.minus(&division.quotient.times(&factor));
        last = core::mem::replace(&mut rest, division.rest);
        last_factor = core::mem::replace(&mut factor, next_factor);
    }
    let is_met = |(x, y): &(Rational, Rational)| {
        let bottom = factor.at(x);
        !bottom.is_zero() && rest.at(x) / bottom == *y
    };
    points.iter().all(is_met).then_some((rest, factor))
}

#[cfg(test)]
mod tests {
    use super::Curve;
    use crate::error::Error;
    use crate::scalar::{Rational, Scalar};

    fn q(n: i64, d: i64) -> Rational {
        Rational::ratio(n, d)
    }

    fn curve(f: impl Fn(&Rational) -> Rational) -> Result<Curve, Error> {
        Curve::through(q(0, 1), q(1, 1), |x| Ok(f(x)))
    }

    #[test]
    fn a_fraction_is_found_with_its_derivative_and_its_signs() {
        // (1 - 2x)^2 / (1 - x), with the derivative 1/(1-x)^2 - 4.
        let found = curve(|x| (q(1, 1) - q(2, 1) * x).pow(2) / (q(1, 1) - x)).expect("a fraction");
        let slope = found.derivative();
        for x in [q(1, 3), q(1, 2), q(7, 8)] {
            let rest = q(1, 1) - &x;
            assert_eq!(found.at(&x), (q(1, 1) - q(2, 1) * &x).pow(2) / &rest);
            assert_eq!(slope.at(&x), q(1, 1) / rest.pow(2) - q(4, 1));
        }
        // Not positive, as it touches zero at 1/2, where the slope turns.
        assert!(!found.is_positive() && !found.is_negative() && found.zeros() == 1);
        assert_eq!((slope.zeros(), slope.only_zero()), (1, Some(q(1, 2))));
        let third = curve(|x| x.pow(2) - q(1, 9)).expect("a parabola").only_zero();
        assert!(third.is_some_and(|third| (third.to_float() - 1.0 / 3.0).abs() < 1e-15));
        assert!(slope.derivative().is_positive() && !slope.derivative().is_negative());
    }

    #[test]
    fn constants_and_zero_are_curves_too() {
        let two = curve(|_| q(2, 1)).expect("a constant");
        assert!(two.is_positive() && two.derivative().at(&q(1, 3)) == q(0, 1));
        let zero = curve(|_| q(0, 1)).expect("zero");
        assert!(!zero.is_positive() && !zero.is_negative());
        let below = curve(|x| q(-1, 1) - x).expect("a line");
        assert!(below.is_negative() && !below.is_positive());
    }

    #[test]
    fn what_is_no_fraction_is_refused() {
        let kinked = curve(|x| if *x < q(1, 3) { x.clone() } else { q(1, 3) });
        assert!(matches!(
            kinked,
            Err(Error::TooLarge {
                limit: super::MOST_POINTS,
                ..
            })
        ));
        let failing = Curve::through(q(0, 1), q(1, 1), |_| Err(Error::NoStates));
        assert!(matches!(failing, Err(Error::NoStates)));
    }
}
