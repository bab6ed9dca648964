//! The two kinds of numbers that solvers run on.

use core::fmt::Debug;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, NumAssignRef, NumRef, Signed, ToPrimitive};

/// An exact fraction of integers of any length.
pub type Rational = num_rational::BigRational;

/// A number that rates, probabilities and costs are made of: `f64`, or [`Rational`] for results without any error.
///
/// Sealed: solvers rely on what they know of these two.
pub trait Scalar:
    Clone + Debug + PartialOrd + NumRef + NumAssignRef + Signed + Send + Sync + sealed::Sealed + 'static
{
    /// Whether arithmetic makes no errors, so that solvers may compare with zero.
    const EXACT: bool;

    /// The number `numerator / denominator`; for floats, infinite or not a number where `denominator` is zero.
    ///
    /// # Panics
    /// For fractions, if `denominator` is zero.
    fn ratio(numerator: i64, denominator: i64) -> Self;

    /// The nearest `f64`.
    fn to_float(&self) -> f64;

    /// The nearest number of this kind to a fraction.
    #[doc(hidden)]
    fn from_rational(value: &Rational) -> Self;

    /// Whether it is a number, and finite.
    fn is_number(&self) -> bool;

    /// Numerator and denominator, the latter positive; `None` for floats.
    #[doc(hidden)]
    fn fraction(&self) -> Option<(&BigInt, &BigInt)>;
}

mod sealed {
    /// Powers of two, by which solvers keep floats within their range. Fractions need none of that.
    pub trait Sealed: Sized {
        /// The binary exponent: a float lies in `[2^e, 2^(e + 1))`; -1023 for zero and what has no full precision. Zero
        /// for fractions.
        fn exponent(&self) -> i32;

        /// The number in lowest terms with a positive denominator, as all fractions are but those from outside.
        #[cfg(feature = "serde")]
        fn reduced(self) -> Self;

        /// The number times `2^by`. Fractions must be asked for `by = 0` only.
        fn shifted(self, by: i32) -> Self;
    }

    impl Sealed for f64 {
        #[inline]
        fn exponent(&self) -> i32 {
            ((self.to_bits() >> 52) & 0x7ff) as i32 - 1023
        }

        #[cfg(feature = "serde")]
        fn reduced(self) -> Self {
            self
        }

        #[inline]
        fn shifted(self, by: i32) -> Self {
            let power = |e: i32| Self::from_bits(((1023 + e) as u64) << 52);
            let first = by.clamp(-1022, 1023);
            let rest = (by - first).clamp(-1022, 1023);
            let product = self * power(first);
            if rest == 0 { product } else { product * power(rest) }
        }
    }

    impl Sealed for super::Rational {
        fn exponent(&self) -> i32 {
            0
        }

        #[cfg(feature = "serde")]
        fn reduced(self) -> Self {
            let (numerator, denominator) = self.into_raw();
            Self::new(numerator, denominator)
        }

        fn shifted(self, by: i32) -> Self {
            debug_assert_eq!(by, 0, "fractions keep their range");
            self
        }
    }
}

impl Scalar for f64 {
    const EXACT: bool = false;

    fn ratio(numerator: i64, denominator: i64) -> Self {
        numerator as f64 / denominator as f64
    }

    fn to_float(&self) -> f64 {
        *self
    }

    fn from_rational(value: &Rational) -> Self {
        value.to_float()
    }

    fn is_number(&self) -> bool {
        self.is_finite()
    }

    fn fraction(&self) -> Option<(&BigInt, &BigInt)> {
        None
    }
}

impl Scalar for Rational {
    const EXACT: bool = true;

    fn ratio(numerator: i64, denominator: i64) -> Self {
        Self::new(BigInt::from(numerator), BigInt::from(denominator))
    }

    fn to_float(&self) -> f64 {
        self.to_f64().unwrap_or(f64::NAN)
    }

    fn from_rational(value: &Rational) -> Self {
        value.clone()
    }

    fn is_number(&self) -> bool {
        true
    }

    fn fraction(&self) -> Option<(&BigInt, &BigInt)> {
        Some((self.numer(), self.denom()))
    }
}

/// Whether probabilities that miss one by so much count as adding up to it: up to 1e-9 for floats, nothing for
/// fractions.
pub(crate) fn is_rounding<T: Scalar>(deficit: &T) -> bool {
    if T::EXACT {
        deficit.is_zero()
    } else {
        deficit.to_float().abs() <= 1e-9
    }
}

/// The rational number that an `f64` is, exactly; `None` for NaN and infinities.
pub(crate) fn rational(value: f64) -> Option<Rational> {
    Rational::from_f64(value)
}
