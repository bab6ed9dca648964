//! The sealed set of cost number types.

use core::fmt::{Debug, Display};

use crate::compiled::Compiled;

mod sealed {
    use crate::edge_list::Edge;
    use crate::engine::{self, Failure, Limits, Outcome};

    /// What only this crate may ask of a cost number.
    pub trait Sealed: Sized {
        /// Solves without a copy where the engine takes the type as it is.
        #[allow(private_interfaces)]
        fn solve_as_is(n: usize, edges: &[Edge<Self>], limits: &Limits<'_>) -> Option<Result<Outcome, Failure>>;

        /// The value as an `i32` below the greatest one, if it is such an integer.
        fn narrow(self) -> Option<i32>;

        /// Values that are `i32` as they are.
        fn as_narrow(values: &[Self]) -> Option<&[i32]>;
    }

    macro_rules! integers {
        ($($t:ty, $values:ident => $as_narrow:expr);*) => {$(
            impl Sealed for $t {
                fn narrow(self) -> Option<i32> { i32::try_from(self).ok().filter(|&value| value != i32::MAX) }
                fn as_narrow($values: &[$t]) -> Option<&[i32]> { $as_narrow }
                #[allow(private_interfaces)]
                fn solve_as_is(n: usize, edges: &[Edge<$t>], limits: &Limits<'_>) -> Option<Result<Outcome, Failure>> {
                    Some(engine::solve(engine::Size::of(n), edges, limits))
                }
            }
        )*};
    }
    integers!(i32, values => Some(values); i64, _values => None; i128, _values => None);

    macro_rules! floats {
        ($($t:ty),*) => {$(
            impl Sealed for $t {
                fn narrow(self) -> Option<i32> { None }
                fn as_narrow(_: &[$t]) -> Option<&[i32]> { None }
                #[allow(private_interfaces)]
                fn solve_as_is(_: usize, _: &[Edge<$t>], _: &Limits<'_>) -> Option<Result<Outcome, Failure>> {
                    None
                }
            }
        )*};
    }
    floats!(f32, f64);
}

/// A number that can be a cost: `i32`, `i64`, `i128`, `f32` or `f64`.
///
/// Integers are exact end to end. Floats are turned into integers before any engine sees them.
///
/// The checked operations say so when an integer result does not fit; on floats they are the ordinary operations,
/// whose overflow is an infinity that [`is_number`](CostValue::is_number) reports.
pub trait CostValue:
    sealed::Sealed + Compiled + num_traits::Num + Copy + PartialOrd + Debug + Display + Send + Sync + 'static
{
    /// The type of a sum of costs: `i128` for integers, `f64` for floats.
    type Total: CostValue<Total = Self::Total> + core::ops::Neg<Output = Self::Total>;

    /// Whether the type is an integer, so that its arithmetic is exact or overflows.
    const IS_INTEGER: bool;

    /// Whether the value is a number (not NaN, not infinite).
    fn is_number(self) -> bool;

    /// The value as a total, without loss.
    fn to_total(self) -> Self::Total;

    /// A total: the integer for integer types, the float for the others.
    fn total_from(integer: i128, float: impl FnOnce() -> f64) -> Self::Total;

    /// The value as an integer: `Some` for integer types only.
    fn to_integer(self) -> Option<i128>;

    /// The nearest `f64`; exact for floats, `i32`, and integers of at most 53 bits.
    fn to_f64(self) -> f64;

    /// `self + other`, or `None` if that does not fit.
    fn checked_add(self, other: Self) -> Option<Self>;

    /// `self * other`, or `None` if that does not fit.
    fn checked_mul(self, other: Self) -> Option<Self>;

    /// `-self`, or `None` if that does not fit (the least value of an integer type).
    fn checked_neg(self) -> Option<Self>;

    /// `self + other`, or the nearest value that fits.
    fn saturating_add(self, other: Self) -> Self;

    /// `self * other`, or the nearest value that fits.
    fn saturating_mul(self, other: Self) -> Self;

    /// `-self`, or the nearest value that fits.
    fn saturating_neg(self) -> Self;
}

macro_rules! integer_cost {
    ($($t:ty),*) => {$(
        impl CostValue for $t {
            type Total = i128;
            const IS_INTEGER: bool = true;
            fn is_number(self) -> bool { true }
            fn to_total(self) -> i128 { self.into() }
            fn total_from(integer: i128, _: impl FnOnce() -> f64) -> i128 { integer }
            fn to_integer(self) -> Option<i128> { Some(self.into()) }
            fn to_f64(self) -> f64 { self as f64 }
            fn checked_add(self, other: Self) -> Option<Self> { <$t>::checked_add(self, other) }
            fn checked_mul(self, other: Self) -> Option<Self> { <$t>::checked_mul(self, other) }
            fn checked_neg(self) -> Option<Self> { <$t>::checked_neg(self) }
            fn saturating_add(self, other: Self) -> Self { <$t>::saturating_add(self, other) }
            fn saturating_mul(self, other: Self) -> Self { <$t>::saturating_mul(self, other) }
            fn saturating_neg(self) -> Self { <$t>::saturating_neg(self) }
        }
    )*};
}
integer_cost!(i32, i64, i128);

macro_rules! float_cost {
    ($($t:ty),*) => {$(
        impl CostValue for $t {
            type Total = f64;
            const IS_INTEGER: bool = false;
            fn is_number(self) -> bool { self.is_finite() }
            fn to_total(self) -> f64 { self.into() }
            fn total_from(_: i128, float: impl FnOnce() -> f64) -> f64 { float() }
            fn to_integer(self) -> Option<i128> { None }
            fn to_f64(self) -> f64 { self.into() }
            fn checked_add(self, other: Self) -> Option<Self> { Some(self + other) }
            fn checked_mul(self, other: Self) -> Option<Self> { Some(self * other) }
            fn checked_neg(self) -> Option<Self> { Some(-self) }
            fn saturating_add(self, other: Self) -> Self { self + other }
            fn saturating_mul(self, other: Self) -> Self { self * other }
            fn saturating_neg(self) -> Self { -self }
        }
    )*};
}
float_cost!(f32, f64);
