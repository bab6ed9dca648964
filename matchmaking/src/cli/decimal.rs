//! Decimal numbers without loss: what the input writes is what is computed with and what is printed.

use std::fmt;

/// Powers of ten an `i128` can hold: up to 10³⁸.
pub(crate) const MAX_DECIMALS: u32 = 38;

/// What to say of an option whose number is too wide.
pub(crate) const TOO_WIDE: &str =
    "too many digits; at most 38 fit, of which those that an exponent stands for are a part";

/// Digits that surely fit 64 bits.
const SHORT: usize = 18;

/// Why a text is no usable decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecimalError {
    /// Not digits with at most one point, a sign and an exponent.
    NotANumber,
    /// Too large, or with too many decimals, for 128-bit integers.
    TooWide,
}

/// `mantissa / 10^decimals`, in lowest terms: no decimals that are trailing zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    mantissa: i128,
    decimals: u32,
}

impl Decimal {
    pub(crate) const ONE: Self = Self {
        mantissa: 1,
        decimals: 0,
    };

    /// `mantissa / 10^decimals`, for `decimals` up to [`MAX_DECIMALS`].
    pub(crate) fn new(mut mantissa: i128, mut decimals: u32) -> Self {
        // The same steps in 64 bits, where that is enough, take a tenth of the time.
        if let Ok(mut narrow) = i64::try_from(mantissa) {
            while decimals > 0 && narrow % 10 == 0 {
                narrow /= 10;
                decimals -= 1;
            }
            return Self {
                mantissa: narrow.into(),
                decimals,
            };
        }
        while decimals > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            decimals -= 1;
        }
        Self { mantissa, decimals }
    }

    /// Reads `-12`, `+0.5`, `.5`, `12.`, `1.5e-3`.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, DecimalError> {
        // Most weights are short integers, and files hold millions of them.
        if (1..=SHORT).contains(&text.len()) && text.iter().all(u8::is_ascii_digit) {
            let mantissa = text.iter().fold(0, |sum, digit| 10 * sum + u64::from(digit - b'0'));
            return Ok(Self {
                mantissa: mantissa.into(),
                decimals: 0,
            });
        }
        let (is_negative, digits) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let mut mantissa: i128 = 0;
        let (mut decimals, mut seen, mut has_point) = (0i64, 0usize, false);
        // Zeros are held back until a digit follows them, so that `1.000` followed by many more zeros still fits.
        let mut zeros = 0u32;
        let mut at = 0;
        while let Some(&byte) = digits.get(at) {
            match byte {
                b'0'..=b'9' => {
                    seen += 1;
                    decimals += i64::from(has_point);
                    if byte == b'0' {
                        zeros += 1;
                    } else {
                        let shifted = shift(mantissa, zeros + 1).ok_or(DecimalError::TooWide)?;
                        mantissa = shifted
                            .checked_add(i128::from(byte - b'0'))
                            .ok_or(DecimalError::TooWide)?;
                        zeros = 0;
                    }
                }
                b'.' if !has_point => has_point = true,
                b'e' | b'E' => break,
                _ => return Err(DecimalError::NotANumber),
            }
            at += 1;
        }
        if seen == 0 {
            return Err(DecimalError::NotANumber);
        }
        let exponent = digits.get(at + 1..).map_or(Ok(0), parse_exponent)?;
        if at < digits.len() && digits.len() == at + 1 {
            return Err(DecimalError::NotANumber);
        }
        if mantissa == 0 {
            return Ok(Self {
                mantissa: 0,
                decimals: 0,
            });
        }
        let mantissa = if is_negative { -mantissa } else { mantissa };
        // The held zeros were counted as decimals but not multiplied in.
        Self::scaled_by(mantissa, exponent - decimals + i64::from(zeros)).ok_or(DecimalError::TooWide)
    }

    /// `mantissa * 10^exponent`.
    fn scaled_by(mantissa: i128, exponent: i64) -> Option<Self> {
        if exponent >= 0 {
            let decimals = u32::try_from(exponent).ok()?;
            return Some(Self {
                mantissa: shift(mantissa, decimals)?,
                decimals: 0,
            });
        }
        let mut mantissa = mantissa;
        let mut missing = exponent.unsigned_abs();
        while missing > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            missing -= 1;
        }
        let decimals = u32::try_from(missing)
            .ok()
            .filter(|&decimals| decimals <= MAX_DECIMALS)?;
        Some(Self { mantissa, decimals })
    }

    /// Digits after the point.
    pub(crate) fn decimals(self) -> u32 {
        self.decimals
    }

    /// The number as an integer in units of `10^-decimals`, if it is one and fits.
    pub(crate) fn on_grid(self, decimals: u32) -> Option<i128> {
        shift(self.mantissa, decimals.checked_sub(self.decimals)?)
    }

    /// The greatest integer in units of `10^-decimals` that is not above the number; one beyond 128 bits is brought
    /// back to the nearest that fits.
    pub(crate) fn floor_on_grid(self, decimals: u32) -> i128 {
        match self.decimals.checked_sub(decimals) {
            Some(finer) => self.mantissa.div_euclid(10i128.pow(finer)),
            None => self.on_grid(decimals).unwrap_or(match self.mantissa {
                ..0 => i128::MIN,
                0.. => i128::MAX,
            }),
        }
    }

    /// The number with the other sign.
    pub(crate) fn negated(self) -> Self {
        Self {
            mantissa: -self.mantissa,
            ..self
        }
    }

    /// As a fraction in lowest terms: `p/q`, or `p` where q is 1.
    pub(crate) fn fraction(self) -> String {
        let (p, q) = (self.mantissa, 10u128.pow(self.decimals));
        let divisor = gcd(p.unsigned_abs(), q);
        let sign = if p < 0 { "-" } else { "" };
        let (p, q) = (p.unsigned_abs() / divisor, q / divisor);
        if q == 1 {
            format!("{sign}{p}")
        } else {
            format!("{sign}{p}/{q}")
        }
    }

    /// The nearest `f64`.
    pub(crate) fn to_f64(self) -> f64 {
        // Parsing rounds correctly, which a division of two rounded numbers would not.
        self.to_string().parse().unwrap_or(f64::NAN)
    }
}

/// `x * 10^by`.
fn shift(x: i128, by: u32) -> Option<i128> {
    if x == 0 {
        return Some(0);
    }
    x.checked_mul(10i128.checked_pow(by)?)
}

/// An exponent; one of absurd size is cut to a size that is refused later.
fn parse_exponent(text: &[u8]) -> Result<i64, DecimalError> {
    let (is_negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(DecimalError::NotANumber);
    }
    let size = digits.iter().fold(0i64, |sum, digit| {
        (sum * 10 + i64::from(digit - b'0')).min(1_000_000_000)
    });
    Ok(if is_negative { -size } else { size })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = 10u128.pow(self.decimals);
        let (whole, rest) = (
            self.mantissa.unsigned_abs() / power,
            self.mantissa.unsigned_abs() % power,
        );
        let fraction = match self.decimals {
            0 => String::new(),
            decimals => format!(".{rest:0width$}", width = decimals as usize),
        };
        f.pad_integral(self.mantissa >= 0, "", &format!("{whole}{fraction}"))
    }
}

/// A list of numbers on one grid: integers in units of `10^-decimals`, as narrow as they allow.
#[derive(Debug, Default)]
pub(crate) struct Column {
    narrow: Vec<i64>,
    /// In use instead of `narrow` from the first number that needs it.
    wide: Option<Vec<i128>>,
    decimals: u32,
}

impl Column {
    /// Appends a number; the grid becomes finer where it must.
    pub(crate) fn push(&mut self, number: Decimal) -> Result<(), DecimalError> {
        if number.decimals > self.decimals {
            self.refine(number.decimals)?;
        }
        let value = number.on_grid(self.decimals).ok_or(DecimalError::TooWide)?;
        match (&mut self.wide, narrowed(value)) {
            (Some(wide), _) => wide.push(value),
            (None, Some(value)) => self.narrow.push(value),
            (None, None) => self.widen().push(value),
        }
        Ok(())
    }

    /// The number at a position.
    pub(crate) fn get(&self, at: usize) -> Decimal {
        let value = self
            .wide
            .as_ref()
            .map_or_else(|| i128::from(self.narrow[at]), |wide| wide[at]);
        Decimal::new(value, self.decimals)
    }

    /// The integers and the number of decimals.
    pub(crate) fn finish(self) -> (Integers, u32) {
        let integers = self.wide.map_or(Integers::Narrow(self.narrow), Integers::Wide);
        (integers, self.decimals)
    }

    fn widen(&mut self) -> &mut Vec<i128> {
        let narrow = std::mem::take(&mut self.narrow);
        self.wide
            .get_or_insert_with(|| narrow.into_iter().map(i128::from).collect())
    }

    /// At most [`MAX_DECIMALS`] times in the life of a column, so appending stays linear.
    fn refine(&mut self, decimals: u32) -> Result<(), DecimalError> {
        let by = decimals - self.decimals;
        self.decimals = decimals;
        if self.wide.is_none() {
            let fits = |&value: &i64| shift(value.into(), by).and_then(narrowed);
            match self.narrow.iter().map(fits).collect() {
                Some(narrow) => {
                    self.narrow = narrow;
                    return Ok(());
                }
                None => {
                    self.widen();
                }
            }
        }
        for value in self.wide.iter_mut().flatten() {
            *value = shift(*value, by).ok_or(DecimalError::TooWide)?;
        }
        Ok(())
    }
}

/// As `i64`, whose least value is left out: it cannot be negated.
fn narrowed(value: i128) -> Option<i64> {
    i64::try_from(value).ok().filter(|&value| value != i64::MIN)
}

/// Integers of one width.
#[derive(Debug, PartialEq)]
pub(crate) enum Integers {
    Narrow(Vec<i64>),
    Wide(Vec<i128>),
}

#[cfg(test)]
mod tests {
    use super::{Column, Decimal, DecimalError, Integers};

    fn parse(text: &str) -> Result<String, DecimalError> {
        Decimal::parse(text.as_bytes()).map(|decimal| decimal.to_string())
    }

    #[test]
    fn decimals_are_read_without_loss() {
        let cases = [
            ("0", "0"),
            ("-0.0", "0"),
            ("7", "7"),
            ("007", "7"),
            ("999999999999999999", "999999999999999999"),
            ("1000000000000000000", "1000000000000000000"),
            ("+7", "7"),
            ("-12.50", "-12.5"),
            (".5", "0.5"),
            ("12.", "12"),
            ("-0.05", "-0.05"),
            ("100", "100"),
            ("1.5e-3", "0.0015"),
            ("1.50E2", "150"),
            ("1e3", "1000"),
            ("1000e-3", "1"),
            ("0e999999999999", "0"),
            ("9223372036854775808", "9223372036854775808"),
            (
                "0.1000000000000000055511151231257827",
                "0.1000000000000000055511151231257827",
            ),
            ("1.0000000000000000000000000000000000000000000000000000", "1"),
            (
                "170141183460469231731687303715884105727",
                "170141183460469231731687303715884105727",
            ),
        ];
        for (text, printed) in cases {
            assert_eq!(parse(text).as_deref(), Ok(printed), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "1.2.3", "NaN", "inf", "1,5", "0x10", "1_000", "--1", "5a", "1e5.0",
        ] {
            assert_eq!(parse(text), Err(DecimalError::NotANumber), "{text}");
        }
        for text in [
            "170141183460469231731687303715884105728",
            "1e39",
            "1e-39",
            "1e99999999999999999999",
        ] {
            assert_eq!(parse(text), Err(DecimalError::TooWide), "{text}");
        }
    }

    #[test]
    fn numbers_between_those_of_a_grid_are_rounded_down() {
        let floor = |text: &str, decimals| Decimal::parse(text.as_bytes()).map(|number| number.floor_on_grid(decimals));
        assert_eq!(
            (floor("0.39", 1), floor("-0.39", 1), floor("0.4", 1)),
            (Ok(3), Ok(-4), Ok(4))
        );
        assert_eq!(
            (floor("7", 2), floor("-7", 2), floor("1e-38", 0)),
            (Ok(700), Ok(-700), Ok(0))
        );
        assert_eq!((floor("1e38", 1), floor("-1e38", 1)), (Ok(i128::MAX), Ok(i128::MIN)));
    }

    #[test]
    fn fractions_are_in_lowest_terms() {
        let fraction = |text: &str| Decimal::parse(text.as_bytes()).map(Decimal::fraction);
        assert_eq!(fraction("-0.75").as_deref(), Ok("-3/4"));
        assert_eq!(fraction("12").as_deref(), Ok("12"));
        assert_eq!(fraction("0.0000001").as_deref(), Ok("1/10000000"));
        assert_eq!(fraction("1e-38").map(|text| text.len()), Ok(41));
        assert_eq!(Decimal::new(-1, 1).to_f64(), -0.1);
    }

    #[test]
    fn columns_share_the_finest_grid_and_widen_where_they_must() {
        let column = |texts: &[&str]| {
            let mut column = Column::default();
            texts
                .iter()
                .try_for_each(|text| column.push(Decimal::parse(text.as_bytes())?))?;
            Ok::<_, DecimalError>(column.finish())
        };
        assert_eq!(
            column(&["1", "2.5", "-0.25"]),
            Ok((Integers::Narrow(vec![100, 250, -25]), 2))
        );
        let most = "9223372036854775807";
        assert_eq!(column(&[most]), Ok((Integers::Narrow(vec![i64::MAX]), 0)));
        let wide = vec![i128::from(i64::MAX) * 10, 1];
        assert_eq!(column(&[most, "0.1"]), Ok((Integers::Wide(wide), 1)));
        assert_eq!(
            column(&["1", "-9223372036854775808"]),
            Ok((Integers::Wide(vec![1, i64::MIN.into()]), 0))
        );
        assert_eq!(column(&["1e38", "0.1"]), Err(DecimalError::TooWide));
        assert_eq!(column(&["1e-38", "2"]), Err(DecimalError::TooWide));
    }
}
