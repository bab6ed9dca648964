//! Short names for the fractions that claims are judged by.

use markov::{Rational, Scalar};

/// The fraction `p / q`.
pub(crate) fn ratio(p: i64, q: i64) -> Rational {
    Rational::ratio(p, q)
}

/// The integer `n`.
pub(crate) fn int(n: i64) -> Rational {
    ratio(n, 1)
}

/// 1 for true, 0 for false.
pub(crate) fn truth(is_true: bool) -> Rational {
    int(i64::from(is_true))
}

/// The nearest multiple of `1 / parts`.
pub(crate) fn rounded(value: &Rational, parts: i64) -> Rational {
    (value * int(parts)).round() / int(parts)
}
