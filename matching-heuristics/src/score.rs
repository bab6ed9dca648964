//! Numbers that engines compare.

use core::fmt::Debug;
use core::ops::{Add, Sub};

use matching_core::CostValue;

/// A total, or a change of it: `i64` for pairs on their grid; for whole groups `f64`, or `i128`, in which no sum of
/// costs of 64 bits overflows.
pub(crate) trait Score:
    Copy + PartialOrd + Debug + Send + Sync + Add<Output = Self> + Sub<Output = Self> + 'static
{
    /// Nothing.
    const ZERO: Self;

    /// Stands for a forbidden group where costs of groups are kept: more than any group can cost.
    const FORBIDDEN: Self;

    /// The nearest float.
    fn to_f64(self) -> f64;

    /// Its place among all scores, where floats would make some of them one.
    fn order(self) -> i128;

    /// The greatest score not above a float.
    fn from_f64(value: f64) -> Self;

    /// A cost as a score; `None` if it is not a number or has more than 64 bits.
    fn from_cost<V: CostValue>(cost: V) -> Option<Self>;
}

impl Score for i64 {
    const ZERO: Self = 0;
    const FORBIDDEN: Self = Self::MAX;

    fn to_f64(self) -> f64 {
        self as f64
    }

    fn order(self) -> i128 {
        self.into()
    }

    fn from_f64(value: f64) -> Self {
        value.floor() as Self
    }

    fn from_cost<V: CostValue>(cost: V) -> Option<Self> {
        cost.to_integer().and_then(|cost| Self::try_from(cost).ok())
    }
}

impl Score for i128 {
    const ZERO: Self = 0;
    const FORBIDDEN: Self = Self::MAX;

    fn to_f64(self) -> f64 {
        self as f64
    }

    fn order(self) -> i128 {
        self
    }

    fn from_f64(value: f64) -> Self {
        value.floor() as Self
    }

    fn from_cost<V: CostValue>(cost: V) -> Option<Self> {
        cost.to_integer().filter(|&cost| i64::try_from(cost).is_ok())
    }
}

impl Score for f64 {
    const ZERO: Self = 0.0;
    const FORBIDDEN: Self = Self::INFINITY;

    fn to_f64(self) -> f64 {
        self
    }

    /// What is no number comes last.
    fn order(self) -> i128 {
        // As integers, the bits of floats of either sign ascend with their size; there is one zero.
        let bits = (self + 0.0).abs().to_bits();
        match self {
            _ if self.is_nan() => i128::MAX,
            _ if self < 0.0 => -i128::from(bits),
            _ => i128::from(bits),
        }
    }

    fn from_f64(value: f64) -> Self {
        value
    }

    fn from_cost<V: CostValue>(cost: V) -> Option<Self> {
        cost.is_number().then(|| cost.to_f64())
    }
}
