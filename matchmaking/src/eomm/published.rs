//! Figures that the paper prints.

use super::method::Method;

/// Pool sizes of Table 2.
pub const SIZES: [usize; 5] = [100, 200, 300, 400, 500];

/// Rounds behind each figure of Table 2.
pub const ROUNDS: u64 = 10_000;

/// Table 2 in hundredths of a player: methods in the order of [`Method::ALL`], sizes in that of [`SIZES`].
pub const TABLE_2: [[i64; 5]; 4] = [
    [5150, 10339, 15457, 20665, 25821],
    [5252, 10396, 15605, 20743, 25924],
    [5181, 10397, 15609, 20709, 25965],
    [5190, 10424, 15750, 20937, 26119],
];

/// Rows of Table 1: last three outcomes, newest last; churn within seven days in tenths of a per cent, from, to.
pub const TABLE_1: [(&str, u32, u32); 10] = [
    ("DLW", 26, 27),
    ("LLW", 26, 27),
    ("LDW", 26, 27),
    ("DDD", 26, 27),
    ("WWW", 37, 37),
    ("DLL", 46, 47),
    ("LWL", 46, 47),
    ("LDL", 46, 47),
    ("WWL", 49, 49),
    ("LLL", 51, 51),
];

/// Players that Table 2 says a method retains of a pool of this size; none where it has no such column.
pub fn retained(method: Method, size: usize) -> Option<f64> {
    let column = SIZES.iter().position(|&printed| printed == size)?;
    Some(TABLE_2[method.index()][column] as f64 / 100.0)
}
