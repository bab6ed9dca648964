//! Rows shared out over threads, with results that do not depend on how.

/// Who reads rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Workers {
    /// The calling thread.
    One,
    /// The rayon pool that the call is made from.
    #[cfg(feature = "rayon")]
    Pool,
}

/// Fewer entries than this are not worth waking other threads for.
#[cfg(feature = "rayon")]
const WORTH_SHARING: usize = 1 << 17;

impl Workers {
    /// One thread for few entries and where one is asked for, else the pool.
    pub(crate) fn choose(threads: usize, entries: usize) -> Self {
        #[cfg(feature = "rayon")]
        if threads != 1 && entries >= WORTH_SHARING {
            return Self::Pool;
        }
        let _ = (threads, entries);
        Self::One
    }

    /// Does two things, side by side where there are threads for it.
    pub(crate) fn both<A: Send, B: Send>(
        self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        match self {
            Self::One => (first(), second()),
            #[cfg(feature = "rayon")]
            Self::Pool => rayon::join(first, second),
        }
    }

    /// Calls `row(scratch, i, part)` for every `i`, where `part` is the `i`-th stretch of `width` slots of `out`.
    pub(crate) fn for_rows<T: Send, S>(
        self,
        out: &mut [T],
        width: usize,
        scratch: impl Fn() -> S + Sync + Send,
        row: impl Fn(&mut S, usize, &mut [T]) + Sync + Send,
    ) {
        match self {
            Self::One => {
                let mut scratch = scratch();
                for (i, part) in out.chunks_mut(width).enumerate() {
                    row(&mut scratch, i, part);
                }
            }
            #[cfg(feature = "rayon")]
            Self::Pool => {
                use rayon::prelude::*;
                out.par_chunks_mut(width)
                    .enumerate()
                    .with_min_len(16)
                    .for_each_init(scratch, |scratch, (i, part)| row(scratch, i, part));
            }
        }
    }

    /// The same with one slot of `slots` beside each stretch of `out.1` slots of `out.0`.
    pub(crate) fn for_zipped_rows<T: Send, U: Send, S>(
        self,
        out: (&mut [T], usize),
        slots: &mut [U],
        scratch: impl Fn() -> S + Sync + Send,
        row: impl Fn(&mut S, usize, &mut [T], &mut U) + Sync + Send,
    ) {
        let (out, width) = out;
        match self {
            Self::One => {
                let mut scratch = scratch();
                for (i, (part, slot)) in out.chunks_mut(width.max(1)).zip(slots).enumerate() {
                    row(&mut scratch, i, part, slot);
                }
            }
            #[cfg(feature = "rayon")]
            Self::Pool => {
                use rayon::prelude::*;
                out.par_chunks_mut(width.max(1))
                    .zip(slots)
                    .enumerate()
                    .with_min_len(4)
                    .for_each_init(scratch, |scratch, (i, (part, slot))| row(scratch, i, part, slot));
            }
        }
    }
}

/// Runs `solve` with so many threads for [`Workers::Pool`]: the pool it is called from for 0, else one of its own.
pub(crate) fn with_threads<T: Send>(threads: usize, solve: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "rayon")]
    if threads > 1
        && let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build()
    {
        return pool.install(solve);
    }
    let _ = threads;
    solve()
}
