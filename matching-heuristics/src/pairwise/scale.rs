//! How fine the grid is: from the range of costs, and what a forbidden pair must cost on it.

use matching_core::{Cost, CostValue};

use crate::error::Error;
use crate::layout::Layout;

/// What a unit pays in a group stays below this.
const MOST_GAIN: f64 = (1_u64 << 26) as f64;

/// Where costs are so many times as great as they differ, what all have in common is left out.
const MUCH: f64 = 8.0;

/// Costs of pairs that nobody has looked at yet.
pub(crate) struct Unread<'a, V> {
    cost: &'a dyn Cost<Value = V>,
    is_forbidding: bool,
    is_symmetric: bool,
}

impl<'a, V: CostValue> Unread<'a, V> {
    pub(crate) fn new(cost: &'a dyn Cost<Value = V>) -> Self {
        Self {
            cost,
            is_forbidding: cost.has_forbidden(),
            is_symmetric: cost.is_symmetric(),
        }
    }

    /// What a pair costs, looked at in both directions; `None` if it is forbidden.
    ///
    /// # Errors
    /// [`Error::Asymmetric`], [`Error::CostOverflow`], [`Error::PairNotANumber`].
    pub(crate) fn read(&self, i: usize, j: usize) -> Result<Option<V>, Error> {
        let is_allowed = !self.is_forbidding || self.cost.is_allowed(i, j);
        if self.is_forbidding && self.cost.is_allowed(j, i) != is_allowed {
            return Err(Error::Asymmetric { i, j });
        }
        if !is_allowed {
            return Ok(None);
        }
        let value = self.cost.checked_pair(i, j).ok_or(Error::CostOverflow)?;
        if !value.is_number() {
            return Err(Error::PairNotANumber { i, j });
        }
        if !self.is_symmetric {
            let mirrored = self.cost.checked_pair(j, i).ok_or(Error::CostOverflow)?;
            if !mirrored.is_number() {
                return Err(Error::PairNotANumber { i: j, j: i });
            }
            if mirrored != value {
                return Err(Error::Asymmetric { i, j });
            }
        }
        Ok(Some(value))
    }
}

/// By how much one cost is above another: integers lose no digit to floats before it is known.
pub(super) fn difference<V: CostValue>(one: V, other: V) -> f64 {
    let integers = one.to_integer().zip(other.to_integer());
    match integers.and_then(|(one, other)| one.checked_sub(other)) {
        // Conversions from 128 bits are slow.
        Some(integer) => i64::try_from(integer).map_or(integer as f64, |integer| integer as f64),
        None => one.to_f64() - other.to_f64(),
    }
}

/// The allowed costs: least and greatest, if there are any.
pub(super) struct Range<V> {
    ends: Option<(V, V)>,
    is_forbidding: bool,
}

impl<V: CostValue> Range<V> {
    /// Looks at every pair in both directions. `None` if it was cancelled on the way.
    pub(super) fn of(cost: &dyn Cost<Value = V>, is_cancelled: &dyn Fn() -> bool) -> Result<Option<Self>, Error> {
        let (n, unread) = (cost.len(), Unread::new(cost));
        let mut range = Self {
            ends: None,
            is_forbidding: unread.is_forbidding,
        };
        for i in 0..n {
            if is_cancelled() {
                return Ok(None);
            }
            for j in i + 1..n {
                if let Some(value) = unread.read(i, j)? {
                    let (least, greatest) = range.ends.get_or_insert((value, value));
                    if value < *least {
                        *least = value;
                    }
                    if value > *greatest {
                        *greatest = value;
                    }
                }
            }
        }
        Ok(Some(range))
    }

    /// What all pairs cost at least, if it is much and no grouping pays it more often than another.
    pub(super) fn common(&self, layout: &Layout) -> Option<V> {
        let (least, greatest) = self.ends?;
        let magnitude = greatest.to_f64().abs().max(least.to_f64().abs());
        // Costs beyond a float's half differ by infinity, and nothing is much beside that.
        let is_much = magnitude >= MUCH * difference(greatest, least);
        (is_much && !is_flexible(layout)).then_some(least)
    }

    /// The range of floats that is left once what is common is taken off.
    pub(super) fn without(&self, common: Option<V>) -> FloatRange {
        let (least, greatest) = match (self.ends, common) {
            (None, _) => (0.0, 0.0),
            (Some((least, greatest)), None) => (least.to_f64(), greatest.to_f64()),
            (Some((least, greatest)), Some(_)) => (0.0, difference(greatest, least)),
        };
        FloatRange {
            least,
            greatest,
            is_forbidding: self.is_forbidding,
        }
    }
}

/// What costs range over on their way to the grid.
pub(super) struct FloatRange {
    least: f64,
    greatest: f64,
    is_forbidding: bool,
}

impl FloatRange {
    /// Grid steps in a unit of cost, such that a unit pays at most [`MOST_GAIN`] in any group; 1 where integers fit as
    /// they are. And what a forbidden pair costs, in grid steps.
    pub(super) fn scale<V: CostValue>(mut self, layout: &Layout) -> (Scale, i32) {
        // Costs of about 1 from here on, so that nothing overflows or vanishes.
        let magnitude = self.greatest.abs().max(self.least.abs());
        let unit = if magnitude > 0.0 {
            magnitude.log2().floor() as i32
        } else {
            0
        };
        let to_unit = Scale::power(-unit);
        self.least = to_unit.apply(self.least);
        self.greatest = to_unit.apply(self.greatest);
        // Nobody pays on the bench, however many wait there.
        let bounds = &layout.bounds[..layout.costly()];
        let most = bounds.iter().map(|bound| bound.1).max().unwrap_or(0);
        let largest = layout.size.iter().copied().max().unwrap_or(1);
        let step = if V::IS_INTEGER { to_unit.apply(1.0) } else { 1.0 };
        let penalty = self.penalty(f64::from(most) * f64::from(largest), is_flexible(layout), step);
        // A party that is too large for any group counts for itself.
        let pairs = f64::from(most.max(largest) + 1) * f64::from(largest);
        let greatest = to_unit.apply(magnitude).max(penalty).max(step);
        let mut room = (MOST_GAIN / pairs / greatest).log2().floor() as i32;
        if V::IS_INTEGER {
            room = room.min(unit);
        }
        (
            Scale::power(room - unit),
            Scale::power(room).apply(penalty).ceil() as i32,
        )
    }

    /// What a forbidden pair costs: so much that no move pays for one. A move changes fewer than four times as many
    /// pairs as the largest party has with the members of the largest group; where groups may grow, it is not only by
    /// how much costs differ that counts.
    fn penalty(&self, pairs: f64, is_flexible: bool, step: f64) -> f64 {
        if !self.is_forbidding {
            return 0.0;
        }
        let width = self.greatest - self.least;
        let range = if is_flexible {
            width.max(self.greatest.abs()).max(self.least.abs())
        } else {
            width
        };
        self.greatest.max(0.0) + 4.0 * pairs * range + step
    }
}

/// A power of two, in two factors, since it may be beyond what a float holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale(f64, f64);

impl Scale {
    fn power(exponent: i32) -> Self {
        let half = exponent / 2;
        Self(2_f64.powi(half), 2_f64.powi(exponent - half))
    }

    pub(super) fn apply(self, value: f64) -> f64 {
        value * self.0 * self.1
    }

    pub(super) fn undo(self, value: f64) -> f64 {
        value / self.0 / self.1
    }
}

/// Whether groups with costs may grow.
pub(super) fn is_flexible(layout: &Layout) -> bool {
    layout.bounds[..layout.costly()]
        .iter()
        .any(|(least, most)| least < most)
}

/// Mean and variance of some numbers; 0 of none. Sums are of differences to the first number, so that little is lost
/// where all are nearly the same.
#[derive(Default)]
pub(super) struct Moments {
    first: Option<f64>,
    count: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    pub(super) fn count(&mut self, number: f64) {
        let difference = number - *self.first.get_or_insert(number);
        self.count += 1.0;
        self.sum += difference;
        self.squares += difference * difference;
    }

    pub(super) fn mean(&self) -> f64 {
        self.first.unwrap_or(0.0) + self.sum / self.count.max(1.0)
    }

    pub(super) fn variance(&self) -> f64 {
        let count = self.count.max(1.0);
        (self.squares / count - (self.sum / count).powi(2)).max(0.0)
    }
}
