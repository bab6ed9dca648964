//! Annealing by bounds.

use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, x86::V3, x86::V4};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::loops::{LANES, Portable, Scanner};
use super::places::{Even, Search, Uneven};
use super::{Bounds, Round, Swap};
use crate::layout::Layout;
use crate::pairwise::annealing::scaled;
use crate::pairwise::narrow::NarrowGrid;
use crate::pairwise::narrow::walk::{Narrow, NarrowWalk};

/// Units to a group, in the mean, below which two groups have too few swaps for bounds to be worth it: then more of
/// them are looked at one unit after another.
const LEAST_MEMBERS: usize = 10;

/// A group is drawn at random and held against each other group in turn. A unit has one limit for all partners in a
/// group: each swap passes with the probability that it should, but those of one unit not independently of each other.
/// Of several that pass, the first from a random lane on is made, and whoever comes in waits for the next visit.
impl Narrow for Bounds {
    /// A visit takes five to seven times as long at 0.28 units as at 0.17, and somewhat more time there than for the
    /// same visits ends better.
    const SLOWER: i32 = 5;
    const STEP: u64 = 1 << 20;

    fn suits(layout: &Layout) -> bool {
        layout.movable() >= LEAST_MEMBERS * layout.groups()
    }

    fn new(grid: Arc<NarrowGrid>, layout: &Arc<Layout>, group_of: &[u32]) -> Self {
        Self::standing(grid, layout, group_of)
    }

    fn grid(&self) -> &NarrowGrid {
        &self.grid
    }

    fn total(&self) -> i64 {
        self.total
    }

    fn copy_to(&self, group_of: &mut [u32]) {
        for (group, slots) in self.slots.of_groups.iter().enumerate() {
            for &unit in &self.slots.units[slots.clone()] {
                group_of[usize::from(unit)] = group as u32;
            }
        }
    }

    fn stride(&self) -> usize {
        let whole = self
            .slots
            .of_groups
            .iter()
            .map(|slots| slots.len().next_multiple_of(LANES));
        whole.max().unwrap_or(0)
    }

    fn round(walk: &mut NarrowWalk<'_, Self>, limits: &[i16], swaps: u64, rng: &mut ChaCha8Rng) -> u64 {
        match walk.state.vectors() {
            Some(1) => dispatch(walk, Even::<1>, limits, swaps, rng),
            Some(2) => dispatch(walk, Even::<2>, limits, swaps, rng),
            _ => dispatch(walk, Uneven, limits, swaps, rng),
        }
    }
}

/// A round on the processor that there is.
fn dispatch(
    walk: &mut NarrowWalk<'_, Bounds>,
    search: impl Search,
    limits: &[i16],
    swaps: u64,
    rng: &mut ChaCha8Rng,
) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = V4::try_new() {
        return simd.vectorize(Vectorized(By(simd, search), walk, limits, swaps, rng));
    } else if let Some(simd) = V3::try_new() {
        return simd.vectorize(Vectorized(By(simd, search), walk, limits, swaps, rng));
    }
    run(walk, By(Portable, search), limits, swaps, rng)
}

/// A grouping that is walked through group by group.
pub(super) trait Turning: Narrow {
    fn groups(&self) -> usize;

    /// Members that move.
    fn members(&self, group: usize) -> usize;
}

impl Turning for Bounds {
    #[inline(always)]
    fn groups(&self) -> usize {
        self.slots.of_groups.len()
    }

    #[inline(always)]
    fn members(&self, group: usize) -> usize {
        self.slots.of_groups[group].len()
    }
}

/// How swaps are found and made.
pub(super) trait Way<T>: Copy {
    /// See [`Bounds::next_swap`].
    fn next_swap(self, state: &T, round: &mut Round, limits: &[i16]) -> Option<Swap>;

    fn swap(self, state: &mut T, swap: Swap);
}

/// By the loops for some processor, and a search through groups of some widths.
#[derive(Clone, Copy)]
struct By<S, B>(S, B);

impl<S: Scanner, B: Search> Way<Bounds> for By<S, B> {
    #[inline(always)]
    fn next_swap(self, state: &Bounds, round: &mut Round, limits: &[i16]) -> Option<Swap> {
        self.1.next_swap(self.0, state, round, limits)
    }

    #[inline(always)]
    fn swap(self, state: &mut Bounds, swap: Swap) {
        state.swap(self.0, swap);
    }
}

/// Decides about all swaps of groups at random, each with all others in turn, and makes those that pass.
#[inline(always)]
fn run<T: Turning>(
    walk: &mut NarrowWalk<'_, T>,
    way: impl Way<T>,
    limits: &[i16],
    swaps: u64,
    rng: &mut ChaCha8Rng,
) -> u64 {
    let groups = walk.state.groups();
    let movable: usize = (0..groups).map(|group| walk.state.members(group)).sum();
    let mut looked = 0;
    // Loops, since what is handed to an iterator is compiled for any processor. However few there may be, it goes on.
    while looked < swaps.max(1) {
        let group = scaled(rng.random(), groups as u32) as usize;
        let mut round = Round::new(group, groups, [rng.random(), rng.random()]);
        while let Some(swap) = way.next_swap(&walk.state, &mut round, limits) {
            if swap.change > 0 {
                walk.offer();
            }
            way.swap(&mut walk.state, swap);
        }
        let members = walk.state.members(group);
        looked += ((members * (movable - members)) as u64).max(1);
    }
    looked
}

/// A round on a processor of one kind.
#[cfg(target_arch = "x86_64")]
pub(super) struct Vectorized<'a, 'b, T, W>(
    pub(super) W,
    pub(super) &'a mut NarrowWalk<'b, T>,
    pub(super) &'a [i16],
    pub(super) u64,
    pub(super) &'a mut ChaCha8Rng,
);

#[cfg(target_arch = "x86_64")]
impl<T: Turning, W: Way<T>> NullaryFnOnce for Vectorized<'_, '_, T, W> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let Self(way, walk, limits, swaps, rng) = self;
        run(walk, way, limits, swaps, rng)
    }
}
