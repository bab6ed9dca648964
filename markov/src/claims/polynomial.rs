//! Polynomials in one variable over the fractions.

use num_traits::Zero;

use crate::scalar::{Rational, Scalar};

/// A polynomial: the coefficient of `x^k` stands at place k, and the last one is not zero. The zero polynomial has
/// none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polynomial(Vec<Rational>);

impl Polynomial {
    pub(super) fn new(mut coefficients: Vec<Rational>) -> Self {
        while coefficients.last().is_some_and(Zero::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    pub(super) fn constant(value: Rational) -> Self {
        Self::new(vec![value])
    }

    /// `x - root`.
    pub(super) fn with_root(root: &Rational) -> Self {
        Self::new(vec![-root, Rational::ratio(1, 1)])
    }

    /// The polynomial of lowest degree through points with different x, by Newton's divided differences.
    pub(super) fn through(points: &[(Rational, Rational)]) -> Self {
        let mut differences: Vec<Rational> = points.iter().map(|(_, y)| y.clone()).collect();
        for order in 1..points.len() {
            for at in (order..points.len()).rev() {
                let run = &points[at].0 - &points[at - order].0;
                differences[at] = (&differences[at] - &differences[at - 1]) / run;
            }
        }
        let mut sum = Self::new(Vec::new());
        for ((x, _), difference) in points.iter().zip(differences).rev() {
            sum = sum.times(&Self::with_root(x)).plus(&Self::constant(difference));
        }
        sum
    }

    /// One more than the degree; zero for the zero polynomial.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The coefficient of the highest power.
    pub(super) fn leading(&self) -> Option<&Rational> {
        self.0.last()
    }

    /// The value at x, by Horner's rule.
    pub(super) fn at(&self, x: &Rational) -> Rational {
        let step = |sum: Rational, coefficient: &Rational| sum * x + coefficient;
        self.0.iter().rev().fold(Rational::ratio(0, 1), step)
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let (mut sum, shorter) = if self.len() < other.len() {
            (other.0.clone(), &self.0)
        } else {
            (self.0.clone(), &other.0)
        };
        for (sum, coefficient) in sum.iter_mut().zip(shorter) {
            *sum += coefficient;
        }
        Self::new(sum)
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.times(&Self::constant(Rational::ratio(-1, 1))))
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = vec![Rational::ratio(0, 1); self.len() + other.len()];
        for (low, one) in self.0.iter().enumerate() {
            for (high, other) in other.0.iter().enumerate() {
                product[low + high] += one * other;
            }
        }
        Self::new(product)
    }

    /// Quotient and remainder; the divisor must not be zero.
    pub(super) fn divided_by(&self, divisor: &Self) -> Division {
        let mut rest = self.0.clone();
        let mut quotient = vec![Rational::ratio(0, 1); self.len()];
        let leading = divisor.leading().filter(|_| self.len() >= divisor.len());
        if let Some(leading) = leading {
            for shift in (0..=self.len() - divisor.len()).rev() {
                let factor = &rest[shift + divisor.len() - 1] / leading;
                for (place, coefficient) in divisor.0.iter().enumerate() {
                    rest[shift + place] -= &factor * coefficient;
                }
                quotient[shift] = factor;
            }
        }
        Division {
            quotient: Self::new(quotient),
            rest: Self::new(rest),
        }
    }

    pub(super) fn derivative(&self) -> Self {
        let terms = self.0.iter().enumerate().skip(1);
        Self::new(
            terms
                .map(|(power, coefficient)| coefficient * Rational::ratio(power as i64, 1))
                .collect(),
        )
    }

    /// How many different roots lie strictly between two numbers, by Sturm's theorem; none for the zero polynomial.
    pub(super) fn roots_between(&self, low: &Rational, high: &Rational) -> usize {
        let mut inside = self.clone();
        for end in [low, high] {
            while inside.len() > 1 && inside.at(end).is_zero() {
                inside = inside.divided_by(&Self::with_root(end)).quotient;
            }
        }
        let chain = inside.sturm_chain();
        let changes = |x: &Rational| {
            let signs = chain.iter().map(|member| member.at(x)).filter(|value| !value.is_zero());
            let signs: Vec<bool> = signs.map(|value| value > Rational::ratio(0, 1)).collect();
            signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
        };
        changes(low).saturating_sub(changes(high))
    }

    /// The polynomial, its derivative, and the remainders of Euclid's algorithm on these with signs turned.
    fn sturm_chain(&self) -> Vec<Self> {
        let mut chain = Vec::new();
        let (mut last, mut next) = (self.clone(), self.derivative());
        while next.len() > 0 {
            let rest = last
                .divided_by(&next)
                .rest
                .times(&Self::constant(Rational::ratio(-1, 1)));
            chain.push(core::mem::replace(&mut last, core::mem::replace(&mut next, rest)));
        }
        chain.push(last);
        chain
    }
}

/// What a division leads to.
pub(super) struct Division {
    pub(super) quotient: Polynomial,
    pub(super) rest: Polynomial,
}

#[cfg(test)]
mod tests {
    use super::Polynomial;
    use crate::scalar::{Rational, Scalar};

    fn q(n: i64, d: i64) -> Rational {
        Rational::ratio(n, d)
    }

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|&c| q(c, 1)).collect())
    }

    #[test]
    fn a_polynomial_is_found_from_its_values() {
        for coefficients in [&[][..], &[7], &[1, -2], &[0, 0, 3, -1, 5]] {
            let sought = polynomial(coefficients);
            let points: Vec<_> = (0..7)
                .map(|x| q(x * x, 3))
                .map(|x| (x.clone(), sought.at(&x)))
                .collect();
            assert_eq!(Polynomial::through(&points), sought);
        }
    }

    #[test]
    fn division_is_undone_by_multiplication() {
        let (dividend, divisor) = (polynomial(&[5, 0, -3, 2, 7]), polynomial(&[1, -4, 2]));
        let division = dividend.divided_by(&divisor);
        assert!(division.rest.len() < divisor.len());
        assert_eq!(division.quotient.times(&divisor).plus(&division.rest), dividend);
        assert_eq!(divisor.divided_by(&dividend).rest, divisor);
        assert_eq!(dividend.minus(&dividend).len(), 0);
    }

    #[test]
    fn roots_are_counted_once_and_between_the_ends_only() {
        // (x - 1)^2 (x - 2) (x^2 + 1), with roots 1 and 2.
        let double = polynomial(&[-1, 1]).times(&polynomial(&[-1, 1]));
        let all = double.times(&polynomial(&[-2, 1])).times(&polynomial(&[1, 0, 1]));
        let count = |low, high| all.roots_between(&q(low, 2), &q(high, 2));
        assert_eq!([count(-9, 9), count(0, 3), count(3, 9)], [2, 1, 1]);
        assert_eq!([count(2, 4), count(2, 5), count(0, 4), count(5, 9)], [0, 1, 1, 0]);
        assert_eq!(polynomial(&[3]).roots_between(&q(-1, 1), &q(1, 1)), 0);
        assert_eq!(all.derivative().at(&q(1, 1)), q(0, 1));
    }
}
