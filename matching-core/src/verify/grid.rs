//! Costs as integers on a binary grid.

use super::error::Number;

/// Integer `k` with `cost = k * 2^exponent`, and whether that is exact; else rounded half to even. `None` if there is
/// no such integer: `cost` is no number, or `k` leaves `i128`.
pub(super) fn to_grid(cost: Number, exponent: i32) -> Option<(i128, bool)> {
    let (mantissa, own) = match cost {
        Number::Integer(integer) => (integer, 0),
        Number::Float(float) => decompose(float)?,
    };
    if mantissa == 0 {
        return Some((0, true));
    }
    let shift = i64::from(own) - i64::from(exponent);
    if shift >= 0 {
        let factor = u32::try_from(shift)
            .ok()
            .filter(|&shift| shift < 127)
            .map(|shift| 1i128 << shift)?;
        return Some((mantissa.checked_mul(factor)?, true));
    }
    if shift < -126 {
        // Mantissas of floats have 53 bits: far below half a unit. Integers are never rounded.
        return matches!(cost, Number::Float(_)).then_some((0, false));
    }
    let (floor, rest) = (mantissa >> -shift, mantissa & ((1i128 << -shift) - 1));
    let half = 1i128 << (-shift - 1);
    let up = rest > half || (rest == half && floor & 1 == 1);
    Some((floor + i128::from(up), rest == 0))
}

/// `float = mantissa * 2^exponent`, exactly; `None` for NaN and infinities.
fn decompose(float: f64) -> Option<(i128, i32)> {
    let bits = float.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let fraction = i128::from(bits & ((1 << 52) - 1));
    let (magnitude, exponent) = match biased {
        0x7ff => return None,
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, biased - 1075),
    };
    Some((
        if float.is_sign_negative() {
            -magnitude
        } else {
            magnitude
        },
        exponent,
    ))
}

/// The `f64` nearest to `mantissa * 2^exponent`, ties to even.
pub(super) fn from_grid(mut mantissa: i128, exponent: i32) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    // Odd mantissas are rounded at most once: those of 53 bits here not at all, longer ones are never subnormal.
    let zeros = mantissa.trailing_zeros();
    mantissa >>= zeros;
    let mut exponent = i64::from(exponent) + i64::from(zeros);
    let mut value = mantissa as f64;
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        value *= power_of_two(step);
        exponent -= step;
    }
    value
}

/// `2^exponent` for exponents of normal numbers.
pub(super) fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The `f64` nearest to the exact sum of floats; `None` where one of them, or a sum of the first ones, is no `i128` on
/// the grid of the finest.
pub(super) fn exact_sum(terms: &[f64]) -> Option<f64> {
    let finest = |&term: &f64| {
        let (mantissa, exponent) = decompose(term)?;
        Some(if mantissa == 0 {
            i32::MAX
        } else {
            exponent + mantissa.trailing_zeros() as i32
        })
    };
    let exponent = terms
        .iter()
        .map(finest)
        .try_fold(i32::MAX, |least, own| Some(least.min(own?)))?;
    let units = terms.iter().try_fold(0i128, |sum, &term| {
        sum.checked_add(to_grid(Number::Float(term), exponent)?.0)
    })?;
    Some(from_grid(units, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_round_half_to_even_on_the_grid() {
        for (float, exponent, expected) in [
            (0.0, 5, (0, true)),
            (1.5, -1, (3, true)),
            (1.5, 0, (2, false)),
            (2.5, 0, (2, false)),
            (-2.5, 0, (-2, false)),
            (-1.5, 0, (-2, false)),
            (-0.75, 0, (-1, false)),
            (1.0, 60, (0, false)),
            (f64::MAX, 970, ((1 << 54) - 2, true)),
            (f64::from_bits(1), -1074, (1, true)),
            (1e-300, 900, (0, false)),
        ] {
            assert_eq!(
                to_grid(Number::Float(float), exponent),
                Some(expected),
                "{float} at 2^{exponent}"
            );
        }
        for exponent in [0, 1000] {
            assert_eq!(to_grid(Number::Float(f64::NAN), exponent), None);
            assert_eq!(to_grid(Number::Float(f64::INFINITY), exponent), None);
        }
        // 2^126 is an `i128`, 2^127 is none.
        assert_eq!(to_grid(Number::Float(f64::from_bits(1)), -1200), Some((1 << 126, true)));
        assert_eq!(to_grid(Number::Float(f64::from_bits(1)), -1201), None);
        assert_eq!(to_grid(Number::Float(1e30), -100), None);
    }

    #[test]
    fn nearest_floats_come_back() {
        for float in [
            0.1,
            -3.75,
            1e300,
            f64::MIN_POSITIVE,
            f64::from_bits(1),
            f64::MAX,
            12345.678,
        ] {
            let (mantissa, exponent) = decompose(float).unwrap();
            assert_eq!(from_grid(mantissa, exponent), float);
        }
        assert_eq!(from_grid((1 << 53) + 1, 0), 9_007_199_254_740_992.0);
        assert_eq!(from_grid(12, -1076), 3.0 * f64::from_bits(1));
        assert_eq!(from_grid(1, 5000), f64::INFINITY);
        assert_eq!(from_grid(1, -5000), 0.0);
    }

    #[test]
    fn exact_sums_see_what_naive_ones_lose() {
        assert_eq!(exact_sum(&[1e16, 1.0, -1e16]), Some(1.0));
        assert_eq!(exact_sum(&[]), Some(0.0));
        assert_eq!(exact_sum(&[1e200, 1e-200]), None);
    }

    /// As `numbers.rs` tests it of the solver's sums: who adds up exactly where the other does not refuses right answers.
    #[test]
    fn a_sum_is_exact_as_long_as_integers_of_128_bits_hold_it() {
        for (exponent, sign, is_exact) in [
            (125, 1.0, true),
            (125, -1.0, true),
            (126, 1.0, true),
            (126, -1.0, true),
            (127, 1.0, false),
            (127, -1.0, true), // -2^127 is an `i128`, 2^127 is none.
            (128, 1.0, false),
            (128, -1.0, false),
        ] {
            let term = sign * 2f64.powi(exponent);
            assert_eq!(exact_sum(&[1.0, term]), is_exact.then_some(term), "{term}");
        }
    }
}
