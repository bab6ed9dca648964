//! The sealed set of cost number types.

use core::fmt::{Debug, Display};

mod sealed {
    pub trait Sealed {}
    impl Sealed for i32 {}
    impl Sealed for i64 {}
    impl Sealed for i128 {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// A number that can be a cost: `i32`, `i64`, `i128`, `f32` or `f64`.
///
/// Integers are exact end to end. Floats are turned into integers before any engine sees them.
pub trait CostValue: sealed::Sealed + num_traits::Num + Copy + PartialOrd + Debug + Display + Send + Sync + 'static {
    /// The type of a sum of costs: `i128` for integers, `f64` for floats.
    type Total: Copy + PartialOrd + Debug + Display + Send + Sync + 'static;

    /// Whether the value is a number (not NaN, not infinite).
    fn is_number(self) -> bool;
}

macro_rules! integer_cost {
    ($($t:ty),*) => {$(
        impl CostValue for $t {
            type Total = i128;
            fn is_number(self) -> bool { true }
        }
    )*};
}
integer_cost!(i32, i64, i128);

macro_rules! float_cost {
    ($($t:ty),*) => {$(
        impl CostValue for $t {
            type Total = f64;
            fn is_number(self) -> bool { self.is_finite() }
        }
    )*};
}
float_cost!(f32, f64);
