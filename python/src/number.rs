//! The numbers that costs are of.

use matching_core::CostValue;
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A total as Python sees it: an integer of any size, or a float.
#[derive(Clone, Copy, Debug, IntoPyObject)]
pub(crate) enum Total {
    Integer(i128),
    Float(f64),
}

impl Total {
    /// The same in the other sense. Totals of 64-bit numbers are far from the least that `i128` holds.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Integer(total) => Self::Integer(total.saturating_neg()),
            // Not -0.0, of which people would wonder.
            Self::Float(total) => Self::Float(0.0 - total),
        }
    }
}

impl From<i128> for Total {
    fn from(total: i128) -> Self {
        Self::Integer(total)
    }
}

impl From<f64> for Total {
    fn from(total: f64) -> Self {
        Self::Float(total)
    }
}

/// A number type that arrays may have.
pub(crate) trait Number:
    CostValue<Total: Into<Total> + Serialize + DeserializeOwned> + numpy::Element + Serialize + DeserializeOwned
{
    /// As numpy calls it.
    const NAME: &'static str;

    /// The value, if the type has it.
    fn of_integer(value: i64) -> Option<Self>;

    /// The value, if the type has it.
    fn of_float(value: f64) -> Option<Self>;

    /// A cost that Python gives: an error of Python's own where it is no number of this type.
    fn of_python(value: &Bound<'_, PyAny>) -> PyResult<Self>;

    /// A total that Python gives.
    fn total_of(value: &Bound<'_, PyAny>) -> PyResult<Self::Total>;

    /// Whether a pair of this cost is as good as forbidden: infinite, on the side that is never chosen.
    fn is_never(self, maximise: bool) -> bool {
        let never = if maximise { f64::NEG_INFINITY } else { f64::INFINITY };
        !Self::IS_INTEGER && self.to_f64() == never
    }
}

macro_rules! integers {
    ($($t:ty: $name:literal),*) => {$(
        impl Number for $t {
            const NAME: &'static str = $name;
            fn of_integer(value: i64) -> Option<Self> { value.try_into().ok() }
            fn of_float(_: f64) -> Option<Self> { None }
            fn of_python(value: &Bound<'_, PyAny>) -> PyResult<Self> { value.extract() }
            fn total_of(value: &Bound<'_, PyAny>) -> PyResult<i128> { value.extract() }
        }
    )*};
}
integers!(i32: "int32", i64: "int64");

macro_rules! floats {
    ($($t:ty: $name:literal),*) => {$(
        impl Number for $t {
            const NAME: &'static str = $name;
            fn of_integer(value: i64) -> Option<Self> {
                let float = value as $t;
                // As the greatest `i64` rounds up to a float that comes back as itself, both ways are compared in 128 bits.
                (float as i128 == i128::from(value)).then_some(float)
            }
            fn of_float(value: f64) -> Option<Self> {
                let float = value as $t;
                (f64::from(float) == value || value.is_nan()).then_some(float)
            }
            fn of_python(value: &Bound<'_, PyAny>) -> PyResult<Self> { value.extract() }
            fn total_of(value: &Bound<'_, PyAny>) -> PyResult<f64> { value.extract() }
        }
    )*};
}
floats!(f32: "float32", f64: "float64");
