//! Numbers, as messages write them.

use std::fmt::{Display, LowerExp};
use std::ops::Range;

/// Sizes of numbers that are written out; others would be rows of zeros.
const WRITTEN_OUT: Range<f64> = 1e-6..1e15;

/// A number in as few digits as say which it is among those of its type, with an exponent where it is very small or very
/// great.
pub(crate) fn number_text<T: Copy + Into<f64> + Display + LowerExp>(number: T) -> String {
    let size = number.into().abs();
    if size == 0.0 || !size.is_finite() || WRITTEN_OUT.contains(&size) {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::number_text;
    use crate::{Error, ModelProblem};

    #[test]
    fn numbers_are_short_and_read_as_what_they_are() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (30.0, "30"),
            (0.1, "0.1"),
            (-1487.25, "-1487.25"),
            (1e-6, "0.000001"),
            (9e-7, "9e-7"),
            (999_999_999_999_999.9, "999999999999999.9"),
            (-1e15, "-1e15"),
            (1e300, "1e300"),
            (f64::MAX, "1.7976931348623157e308"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number_text(number), text);
            assert_eq!(text.parse(), Ok(number));
        }
        assert_eq!(number_text(f64::NAN), "NaN");
        // The digits of its own type: as the next greater one it had others behind them.
        for (number, text) in [
            (0.1_f32, "0.1"),
            (f32::MAX, "3.4028235e38"),
            (150.5, "150.5"),
            (1e-30, "1e-30"),
        ] {
            assert_eq!(number_text(number), text);
            assert_eq!(text.parse(), Ok(number));
        }
    }

    /// They had hundreds of digits.
    #[test]
    fn messages_write_numbers_short() {
        let (id, key) = ("a".to_owned(), "states.rows".to_owned());
        let model = |found| ModelProblem::Number {
            key: key.clone(),
            found,
            expected: "a number from 0 to 1",
        };
        let mut messages = vec![
            (Error::NotAProbability { id, found: -1e300 }.to_string(), "-1e300"),
            (model(1e15).to_string(), "1e15"),
            (model(-1e-300).to_string(), "-1e-300"),
        ];
        #[cfg(feature = "eomm")]
        messages.push((crate::eomm::Error::Factor { factor: -1e300 }.to_string(), "-1e300"));
        #[cfg(feature = "fit")]
        messages.extend([
            (crate::fit::Error::BadGrowth { found: -1e300 }.to_string(), "-1e300"),
            (crate::fit::Error::BadHorizon { found: -1e300 }.to_string(), "-1e300"),
        ]);
        for (message, number) in messages {
            assert!(message.contains(number) && message.len() < 150, "{message}");
        }
    }
}
