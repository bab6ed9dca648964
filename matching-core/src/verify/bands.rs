//! Work cut into bands of rows or edges, over threads where the feature `rayon` is on.

use core::ops::Range;

use super::error::VerifyError;
#[cfg(feature = "rayon")]
use crate::threads;

/// Fewer bands than this are not worth waking other threads.
#[cfg(feature = "rayon")]
const PARALLEL_FROM: usize = 8;

/// Does `work` for `0..count`, cut into bands of `size`, and merges what the bands give in their order.
///
/// The error is that of the first band that has one, whatever the number of threads.
pub(super) fn fold<T: Default + Send>(
    count: usize,
    size: usize,
    work: impl Fn(Range<usize>) -> Result<T, VerifyError> + Sync,
    merge: impl Fn(T, T) -> T,
) -> Result<T, VerifyError> {
    let bands = count.div_ceil(size);
    let work = |band: usize| work(band * size..count.min((band + 1) * size));
    let merge_next = |merged: T, next: Result<T, VerifyError>| Ok(merge(merged, next?));
    #[cfg(feature = "rayon")]
    if bands >= PARALLEL_FROM && rayon::current_num_threads() > 1 {
        return threads::collect(bands, &work)
            .into_iter()
            .try_fold(T::default(), merge_next);
    }
    (0..bands).map(work).try_fold(T::default(), merge_next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_cover_everything_in_order_and_the_first_error_counts() {
        let join = |mut all: Vec<usize>, next: Vec<usize>| {
            all.extend(next);
            all
        };
        for count in [0, 1, 6, 7, 8, 1000] {
            let all = fold(count, 7, |band| Ok(band.collect::<Vec<_>>()), join);
            assert_eq!(all, Ok((0..count).collect()));
        }
        let failing = |band: Range<usize>| match band.start {
            start if start >= 70 => Err(VerifyError::Repeated {
                position: start,
                vertex: 0,
            }),
            _ => Ok(()),
        };
        let first = VerifyError::Repeated {
            position: 70,
            vertex: 0,
        };
        assert_eq!(fold(1000, 7, failing, |(), ()| ()), Err(first));
    }
}
