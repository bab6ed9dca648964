//! Floats as integers on a binary grid, as a session keeps costs.

use std::sync::Arc;

use matching_core::{Cost, Session};

/// Binary digits of a 64-bit integer without its sign.
const MOST_BITS: i64 = 63;

/// The least float is 2 to this power.
const FINEST: i32 = -1074;

/// A number as `mantissa * 2^exponent`: an integer as it is, of a float the odd part and the power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) mantissa: i64,
    exponent: i32,
}

impl Cell {
    pub(crate) fn of_integer(value: i64) -> Self {
        Self {
            mantissa: value,
            exponent: 0,
        }
    }

    /// The float, which is a number.
    pub(crate) fn of_float(value: f64) -> Self {
        if value == 0.0 {
            return Self::of_integer(0);
        }
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7FF) as i32;
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        // Numbers below the normal ones have the exponent of the least of these, and no leading digit.
        let (mantissa, exponent) = match biased {
            0 => (fraction, FINEST),
            _ => (fraction | 1 << 52, biased - 1 + FINEST),
        };
        let zeros = mantissa.trailing_zeros();
        let odd = mantissa >> zeros;
        Self {
            mantissa: if value < 0.0 { -odd } else { odd },
            exponent: exponent + zeros as i32,
        }
    }

    /// With the other sign, if the type has it.
    pub(crate) fn negated(self) -> Option<Self> {
        let mantissa = self.mantissa.checked_neg()?;
        Some(Self { mantissa, ..self })
    }

    /// The integer that it is on a grid, if it is one of 64 bits.
    pub(crate) fn units(self, exponent: i32) -> Option<i64> {
        if self.mantissa == 0 {
            return Some(0);
        }
        let shift = u32::try_from(i64::from(self.exponent) - i64::from(exponent)).ok()?;
        // Of a number that is not 0, more leaves the type in any case.
        if shift > 63 {
            return None;
        }
        i64::try_from(i128::from(self.mantissa) << shift).ok()
    }

    /// The float that so many units of a grid are. Whatever was a float comes back as it was.
    pub(crate) fn float(units: i64, exponent: i32) -> f64 {
        let zeros = units.trailing_zeros().min(63);
        let (mut value, mut left) = ((units >> zeros) as f64, i64::from(exponent) + i64::from(zeros));
        while left != 0 && value != 0.0 && value.is_finite() {
            let step = left.clamp(-1000, 1000);
            value *= 2f64.powi(step as i32);
            left -= step;
        }
        value
    }
}

/// The binary digits that numbers reach over; none where all are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digits(Option<(i64, i64)>);

impl Digits {
    pub(crate) fn include(&mut self, cell: Cell) {
        self.include_units(cell.mantissa, cell.exponent);
    }

    pub(crate) fn include_units(&mut self, units: i64, exponent: i32) {
        if units == 0 {
            return;
        }
        let finest = i64::from(exponent) + i64::from(units.trailing_zeros());
        let bits = u64::BITS - units.unsigned_abs().leading_zeros();
        let highest = i64::from(exponent) + i64::from(bits);
        let (low, high) = self.0.unwrap_or((finest, highest));
        self.0 = Some((low.min(finest), high.max(highest)));
    }

    /// The grid of the finest of them, if integers of 64 bits reach to the greatest.
    pub(crate) fn grid(self) -> Result<Option<i32>, String> {
        let Some((finest, highest)) = self.0 else {
            return Ok(None);
        };
        if highest - finest > MOST_BITS {
            return Err(format!(
                "costs reach from 2**{finest} to 2**{highest}, over {} binary digits, and a session keeps them exactly by \
                 {MOST_BITS}; round them to a grid, such as by np.rint(cost * 2**20) / 2**20",
                highest - finest
            ));
        }
        // Floats reach from -1074 to 1024.
        Ok(i32::try_from(finest).ok())
    }

    /// Whether a grid holds all of them.
    pub(crate) fn fit(self, exponent: i32) -> bool {
        self.0
            .is_none_or(|(finest, highest)| finest >= i64::from(exponent) && highest - i64::from(exponent) <= MOST_BITS)
    }
}

/// The costs of a session as the floats that they stand for.
pub(crate) struct OnGrid {
    pub(crate) session: Arc<Session>,
    pub(crate) exponent: i32,
}

impl Cost for OnGrid {
    type Value = f64;

    fn len(&self) -> usize {
        self.session.len()
    }

    fn pair(&self, i: usize, j: usize) -> f64 {
        Cell::float(self.session.pair(i, j), self.exponent)
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.session.is_allowed(i, j)
    }

    fn has_forbidden(&self) -> bool {
        self.session.has_forbidden()
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// The costs of a session on another grid, which holds them.
pub(crate) struct Moved<'a> {
    pub(crate) session: &'a Session,
    pub(crate) from: i32,
    pub(crate) to: i32,
}

impl Moved<'_> {
    /// So many units of the old grid on the new one.
    pub(crate) fn units(&self, units: i64) -> i64 {
        let shift = self.from.abs_diff(self.to);
        if units == 0 || shift > 63 {
            return 0;
        }
        if self.from >= self.to {
            units << shift
        } else {
            units >> shift
        }
    }
}

impl Cost for Moved<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.session.len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        self.units(self.session.pair(i, j))
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.session.is_allowed(i, j)
    }

    fn has_forbidden(&self) -> bool {
        self.session.has_forbidden()
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}
