//! Where groups lie in a row of slots.
//!
//! Where each takes one vector, they begin with whole vectors, and gains make each swap with a slot in which nobody
//! stands impossible. Larger ones begin a few slots apart, since a swap that is made goes through all slots: then the
//! last vector of a group reads on into the next one, and what is read there is left out.

use core::ops::Range;

use super::loops::{LANES, Scanner};
use super::turn::Turn;
use super::{Bounds, Round, Swap};
use crate::pairwise::narrow::BLOCKED;

/// Groups of more than a vector begin at multiples of so many slots.
const STEP: usize = 8;

/// The slots of groups of these sizes.
pub(super) fn laid_out(sizes: impl Iterator<Item = usize> + Clone) -> Vec<Range<usize>> {
    let step = if sizes.clone().all(|size| size <= LANES) {
        LANES
    } else {
        STEP
    };
    let mut next = 0;
    let slots = sizes.map(|size| {
        let start = next;
        next += size.next_multiple_of(step);
        start..start + size
    });
    slots.collect()
}

/// The slots of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) start: usize,
    /// Vectors that it takes, and members in the last of them.
    vectors: usize,
    last: usize,
}

impl Place {
    #[inline(always)]
    fn new(start: usize, members: usize, vectors: usize) -> Self {
        Self {
            start,
            vectors,
            last: (members + LANES - 1) % LANES + 1,
        }
    }

    /// In as many vectors as it needs.
    #[inline(always)]
    pub(super) fn of(state: &Bounds, group: usize) -> Self {
        let slots = &state.slots.of_groups[group];
        Self::new(slots.start, slots.len(), slots.len().div_ceil(LANES))
    }

    /// Its part of a row, with what is read behind it.
    #[inline(always)]
    pub(super) fn vectors<T>(self, row: &[T]) -> &[[T; LANES]] {
        row[self.start..][..self.vectors * LANES].as_chunks().0
    }

    /// A bit for each lane of a vector in which there is a member.
    #[inline(always)]
    pub(super) fn lanes(self, vector: usize) -> u32 {
        if vector + 1 == self.vectors {
            u32::MAX >> (LANES - self.last)
        } else {
            u32::MAX
        }
    }

    /// Whether that are all lanes of all vectors.
    #[inline(always)]
    pub(super) fn is_full(self) -> bool {
        self.last == LANES
    }

    /// What lanes of the last vector are raised to, so that only members count where the least is looked for.
    #[inline(always)]
    pub(super) fn floor(self) -> &'static [i16; LANES] {
        &FLOORS[self.last]
    }
}

/// [`Place::floor`], by the number of members in the vector.
const FLOORS: [[i16; LANES]; LANES + 1] = {
    let mut floors = [[BLOCKED; LANES]; LANES + 1];
    let mut members = 0;
    while members <= LANES {
        let mut lane = 0;
        while lane < members {
            floors[members][lane] = i16::MIN;
            lane += 1;
        }
        members += 1;
    }
    floors
};

/// Every group takes so many vectors. To look up and leave out what is known here takes a sixth of all time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Even<const V: usize>;

impl<const V: usize> Even<V> {
    #[inline(always)]
    pub(super) fn of(state: &Bounds, group: usize) -> Place {
        if V == 1 {
            // Gains say which lanes are nobody's.
            return Place::new(group * LANES, LANES, 1);
        }
        Place {
            vectors: V,
            ..Place::of(state, group)
        }
    }
}

/// How the next swap is looked for.
pub(super) trait Search: Copy {
    /// See [`Bounds::next_swap`].
    fn next_swap<S: Scanner>(self, scanner: S, state: &Bounds, round: &mut Round, limits: &[i16]) -> Option<Swap>;
}

/// In groups of as many vectors as they need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uneven;

impl Search for Uneven {
    #[inline(always)]
    fn next_swap<S: Scanner>(self, scanner: S, state: &Bounds, round: &mut Round, limits: &[i16]) -> Option<Swap> {
        state.next_swap(scanner, round, limits)
    }
}

impl<const V: usize> Search for Even<V> {
    #[inline(always)]
    fn next_swap<S: Scanner>(self, scanner: S, state: &Bounds, round: &mut Round, limits: &[i16]) -> Option<Swap> {
        Turn::<S, V>::new(scanner, state, round.group, limits).next_swap(round)
    }
}
