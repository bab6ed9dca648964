//! The yardstick for complete graphs: how long it takes to look at every entry of an `i32` matrix once.
//!
//! No solver that reads its whole input can be faster, so `time / scan` says how far one is from the least possible.

use std::hint::black_box;
use std::time::{Duration, Instant};

use matching_core::Cost;
use matching_core::cost::DenseMatrix;
use multiversion::multiversion;

/// Scans per measurement; the fastest counts.
const REPEATS: usize = 7;

/// Sum over all rows of the least entry off the diagonal, by the widest vectors of the processor.
///
/// # Panics
/// If there are not `n * n` entries.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub fn sum_of_row_minima(entries: &[i32], n: usize) -> i64 {
    assert_eq!(entries.len(), n * n, "a square matrix");
    let rows = entries.chunks_exact(n.max(1)).enumerate();
    rows.map(|(i, row)| i64::from(least(&row[..i]).min(least(&row[i + 1..]))))
        .sum()
}

/// The least entry, `i32::MAX` of none; inlined, to be compiled for the vectors of its caller.
#[inline(always)]
fn least(entries: &[i32]) -> i32 {
    entries.iter().fold(i32::MAX, |least, &entry| least.min(entry))
}

/// Wall time of one scan on one thread, the fastest of a few.
pub fn time(matrix: &DenseMatrix<i32>) -> Duration {
    let scan = |_| {
        let start = Instant::now();
        black_box(sum_of_row_minima(black_box(matrix.as_slice()), matrix.len()));
        start.elapsed()
    };
    (0..REPEATS).map(scan).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::Family;

    #[test]
    fn the_diagonal_does_not_count() {
        assert_eq!(sum_of_row_minima(&[0, 7, 3, 7, 0, 5, 3, 5, 0], 3), 3 + 5 + 3);
        assert_eq!(sum_of_row_minima(&[], 0), 0);
    }

    #[test]
    fn vectors_find_what_a_plain_loop_finds() {
        let matrix = Family::Eomm.instance(131, 5).matrix().unwrap();
        let n = matrix.len();
        let off_diagonal = |i| (0..n).filter(move |&j| j != i);
        let expected: i64 = (0..n)
            .filter_map(|i| off_diagonal(i).map(|j| i64::from(matrix.pair(i, j))).min())
            .sum();
        assert_eq!(sum_of_row_minima(matrix.as_slice(), n), expected);
        assert!(time(&matrix) > Duration::ZERO, "the scan is not optimised away");
    }
}
