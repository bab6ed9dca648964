//! The integer widths the engine runs on.
//!
//! All weights are shifted by the least one and doubled: `W = 2 (w - least)`. Doubling keeps every dual an integer:
//! along a tight edge the duals of both ends have the same parity, hence so have all duals inside a tree, and the
//! slack between two `+` nodes of one tree, which is shared by both ends, is even.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A dual value, slack or queue key.
pub(crate) trait Dual:
    Copy
    + Ord
    + Debug
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Into<i128>
    + Send
    + Sync
{
    const ZERO: Self;
    const ONE: Self;
    /// Stands for "no bound"; nothing is ever added to it.
    const MAX: Self;

    /// A value that is known to fit.
    fn from_i128(value: i128) -> Self;

    /// Half of an even value.
    fn half(self) -> Self;
}

macro_rules! dual {
    ($($t:ty),*) => {$(
        impl Dual for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const MAX: Self = <$t>::MAX;

            fn from_i128(value: i128) -> Self {
                debug_assert_eq!(i128::from(value as $t), value, "duals are bounded by the range check");
                value as $t
            }

            fn half(self) -> Self {
                debug_assert!(self % 2 == 0, "a shared slack must be even, found {self}");
                self / 2
            }
        }
    )*};
}
dual!(i64, i128);

/// One choice of widths: how weights come in, how arcs store them, what duals are made of.
pub(crate) trait Numbers {
    type Weight: Copy + Debug + Into<i128> + Send + Sync;
    type Arc: Copy + Debug + Ord + Send + Sync;
    type Dual: Dual;

    /// `weight - least`, which is known to fit.
    fn shifted(weight: Self::Weight, least: Self::Weight) -> Self::Arc;

    /// Twice the shifted weight.
    fn doubled(arc: Self::Arc) -> Self::Dual;

    /// The shifted weight itself.
    fn single(arc: Self::Arc) -> Self::Dual;
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $weight:ty, $arc:ty, $dual:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name;

        impl Numbers for $name {
            type Weight = $weight;
            type Arc = $arc;
            type Dual = $dual;

            #[inline]
            fn shifted(weight: $weight, least: $weight) -> $arc {
                // The caller checked that the range fits, so the wrapped difference is the true one.
                weight.wrapping_sub(least) as $arc
            }

            #[inline]
            fn doubled(arc: $arc) -> $dual {
                2 * arc as $dual
            }

            #[inline]
            fn single(arc: $arc) -> $dual {
                arc as $dual
            }
        }
    )*};
}
numbers! {
    /// `i32` weights: 12-byte arcs, 64-bit duals.
    FromI32: i32, u32, i64;
    /// `i64` weights that lie within 32 bits of each other.
    FromI64: i64, u32, i64;
    /// `i64` weights with a wide range, few enough vertices for 64-bit duals.
    WideI64: i64, i64, i64;
    /// Everything else.
    FromI128: i128, i128, i128;
}
