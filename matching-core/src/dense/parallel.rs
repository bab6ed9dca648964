//! Rows shared out over threads, with results that do not depend on how.

use core::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "rayon")]
use std::sync::Mutex;

#[cfg(feature = "rayon")]
use crate::threads::{self, under};

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

    /// Moves to one of these threads for all of `solve`: whatever is shared out from outside of them has to wait until
    /// one has woken up.
    pub(crate) fn enter<A: Send>(self, solve: impl FnOnce() -> A + Send) -> A {
        match self {
            Self::One => solve(),
            #[cfg(feature = "rayon")]
            Self::Pool => under(solve, |work| threads::join(work, &mut || ())),
        }
    }

    /// Does what only one thread can do, and parts of something else beside it where there is a thread for them.
    pub(super) fn beside<A: Send>(self, aside: Option<&Aside<'_>>, alone: impl FnOnce() -> A + Send) -> A {
        match (self, aside) {
            #[cfg(feature = "rayon")]
            (Self::Pool, Some(aside)) if aside.parts_left() > 0 => {
                let is_done = core::sync::atomic::AtomicBool::new(false);
                let alone = || {
                    let result = alone();
                    is_done.store(true, Ordering::Relaxed);
                    result
                };
                let mut others = || {
                    let mut is_more = true;
                    while is_more && !is_done.load(Ordering::Relaxed) {
                        is_more = aside.do_part();
                    }
                };
                under(alone, |work| threads::join(work, &mut others))
            }
            _ => alone(),
        }
    }

    /// Does the parts that are left.
    pub(super) fn finish(self, aside: &Aside<'_>) {
        let mut parts_left = vec![(); aside.parts_left()];
        let scratch = || ();
        self.for_rows(&mut parts_left, 1, scratch, |(), _, _| {
            aside.do_part();
        });
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
            Self::Pool => share_rows(out, width, &scratch, &row),
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
            Self::Pool => share_zipped_rows((out, width.max(1)), slots, &scratch, &row),
        }
    }
}

/// Rows that one thread does at a time: at least so many, and so few that each thread has about so many such stretches.
#[cfg(feature = "rayon")]
const ROWS: usize = 4;
#[cfg(feature = "rayon")]
const STRETCHES: usize = 16;

#[cfg(feature = "rayon")]
fn rows_at_a_time(rows: usize) -> usize {
    (rows / (STRETCHES * rayon::current_num_threads())).max(ROWS)
}

/// [`Workers::for_rows`] in the pool. Compiled once for what rows are of, and not for each of those who read them.
#[cfg(feature = "rayon")]
fn share_rows<T: Send, S>(
    out: &mut [T],
    width: usize,
    scratch: &(dyn Fn() -> S + Sync),
    row: &(dyn Fn(&mut S, usize, &mut [T]) + Sync),
) {
    let each = rows_at_a_time(out.len().div_ceil(width));
    // Each is locked once, by whoever does it.
    let stretches: Vec<Mutex<&mut [T]>> = out.chunks_mut(each * width).map(Mutex::new).collect();
    threads::for_each(stretches.len(), &|at| {
        let mut scratch = scratch();
        let mut stretch = stretches[at].lock().expect("nobody had it before");
        for (i, part) in stretch.chunks_mut(width).enumerate() {
            row(&mut scratch, at * each + i, part);
        }
    });
}

/// What is done with a row of two things, given what one thread works with, and the row's number.
#[cfg(feature = "rayon")]
type ZippedRow<'a, S, T, U> = dyn Fn(&mut S, usize, &mut [T], &mut U) + Sync + 'a;

/// [`Workers::for_zipped_rows`] in the pool.
#[cfg(feature = "rayon")]
fn share_zipped_rows<T: Send, U: Send, S>(
    (out, width): (&mut [T], usize),
    slots: &mut [U],
    scratch: &(dyn Fn() -> S + Sync),
    row: &ZippedRow<'_, S, T, U>,
) {
    let each = rows_at_a_time(slots.len());
    let stretches = out.chunks_mut(each * width).zip(slots.chunks_mut(each));
    let stretches: Vec<_> = stretches.map(Mutex::new).collect();
    threads::for_each(stretches.len(), &|at| {
        let mut scratch = scratch();
        let (out, slots) = &mut *stretches[at].lock().expect("nobody had it before");
        for (i, (part, slot)) in out.chunks_mut(width).zip(slots.iter_mut()).enumerate() {
            row(&mut scratch, at * each + i, part, slot);
        }
    });
}

/// Something that can be done at any time, part by part, in any order.
pub(super) struct Aside<'a> {
    parts: usize,
    next: AtomicUsize,
    part: &'a (dyn Fn(usize) + Sync),
}

impl core::fmt::Debug for Aside<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Aside")
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}

impl<'a> Aside<'a> {
    pub(super) fn new(parts: usize, part: &'a (dyn Fn(usize) + Sync)) -> Self {
        Self {
            parts,
            next: AtomicUsize::new(0),
            part,
        }
    }

    /// Parts that nobody has begun.
    fn parts_left(&self) -> usize {
        self.parts.saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// Does the next part; false if there is none.
    fn do_part(&self) -> bool {
        // Whoever reads what parts have done has joined those who did them.
        let part = self.next.fetch_add(1, Ordering::Relaxed);
        if part < self.parts {
            (self.part)(part);
        }
        part < self.parts
    }
}

/// Threads for each core at most: no more of them are ever of use, and each takes memory and time to start.
#[cfg(feature = "rayon")]
const PER_CORE: usize = 4;

/// Threads at most where the number of cores is not known.
#[cfg(feature = "rayon")]
const BLIND: usize = 256;

/// Of the threads that are asked for those that can have something to do, with so many rows to read.
#[cfg(feature = "rayon")]
fn useful(threads: usize, rows: usize) -> usize {
    // To ask how many cores there are takes longer than a small solve.
    if threads.min(rows) <= 1 {
        return 1;
    }
    let cores = std::thread::available_parallelism();
    let most = cores.map_or(BLIND, |cores| cores.get().saturating_mul(PER_CORE));
    threads.min(most).min(rows)
}

/// Runs `solve` with so many threads for [`Workers::Pool`]: the pool it is called from for 0, else one of its own, of no
/// more threads than are [`useful`] for so many rows.
pub(crate) fn with_threads<T: Send>(threads: usize, rows: usize, solve: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "rayon")]
    if useful(threads, rows) > 1
        && let Ok(pool) = rayon::ThreadPoolBuilder::new()
            .num_threads(useful(threads, rows))
            .build()
    {
        return under(solve, |work| threads::install(&pool, work));
    }
    let _ = (threads, rows);
    solve()
}
