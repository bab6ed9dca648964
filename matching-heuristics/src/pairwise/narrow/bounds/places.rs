//! Where groups lie in a row of slots.

use core::ops::Range;

use super::Bounds;

/// The vectors of slots of each group.
pub(super) trait Places: Copy {
    fn of(self, state: &Bounds, group: usize) -> Range<usize>;
}

/// Every group has so many, which is known where the loops are compiled. Mostly so, and to look it up and to check it group by group
/// takes a sixth of all time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Even<const VECTORS: usize>;

impl<const VECTORS: usize> Places for Even<VECTORS> {
    #[inline(always)]
    fn of(self, _: &Bounds, group: usize) -> Range<usize> {
        group * VECTORS..group * VECTORS + VECTORS
    }
}

/// Groups have as many as they need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uneven;

impl Places for Uneven {
    #[inline(always)]
    fn of(self, state: &Bounds, group: usize) -> Range<usize> {
        state.blocks[group].clone()
    }
}
