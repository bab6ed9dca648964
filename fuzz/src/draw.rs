//! Numbers of every type, the extremes among them.

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use matching_core::CostValue;

/// Numbers to draw weights from.
pub trait Draw: CostValue {
    /// Numbers at which something is lost, or near.
    const EXTREMES: &'static [Self];
    /// Whether sums are not rounded.
    const IS_EXACT: bool;
    /// A small whole number.
    fn small(byte: i8) -> Self;
    /// Any number of the type, and what is none.
    fn any(bytes: [u8; 16]) -> Self;
}

macro_rules! draw {
    ($($t:ty, $exact:literal, $any:expr, [$($extreme:expr),*];)*) => {$(
        impl Draw for $t {
            const EXTREMES: &'static [Self] = &[$($extreme),*];
            const IS_EXACT: bool = $exact;
            fn small(byte: i8) -> Self { byte as Self }
            fn any(bytes: [u8; 16]) -> Self { $any(u128::from_le_bytes(bytes)) }
        }
    )*};
}

draw! {
    i32, true, |bits| bits as i32, [i32::MIN, i32::MAX, i32::MAX - 1, 1 << 27, 1 << 30];
    i64, true, |bits| bits as i64, [i64::MIN, i64::MAX, i64::MAX - 1, 1 << 31, 1 << 57, 1 << 60];
    i128, true, |bits| bits as i128, [i128::MIN, i128::MAX, 1 << 63, 1 << 120, -(1 << 122)];
    f32, false, |bits| f32::from_bits(bits as u32), [f32::MIN, f32::MAX, f32::MIN_POSITIVE, f32::EPSILON, -0.0, 0.1, f32::NAN, f32::INFINITY];
    f64, false, |bits| f64::from_bits(bits as u64), [f64::MIN, f64::MAX, 5e-324, f64::EPSILON, -0.0, 0.1, 1e16, f64::NAN, f64::NEG_INFINITY];
}

/// A number: mostly a small one, so that many are equal.
///
/// # Errors
/// Where there are too few bytes.
pub fn number<V: Draw>(data: &mut Unstructured<'_>) -> Result<V> {
    let kind: u8 = data.arbitrary()?;
    Ok(match kind % 8 {
        0..4 => V::small((kind >> 3) as i8 - 8),
        4 | 5 => V::small(data.arbitrary()?),
        6 => *data.choose(V::EXTREMES)?,
        _ => V::any(data.arbitrary()?),
    })
}
