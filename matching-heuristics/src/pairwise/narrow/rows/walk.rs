//! Annealing unit by unit.

use core::ops::Range;
use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, x86::V3, x86::V4};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::Rows;
use super::loops::{LANES, Portable, Scanner};
use crate::layout::Layout;
use crate::pairwise::annealing::{Draw, Swaps, scaled, swap_one};
use crate::pairwise::limits::OFFSETS;
use crate::pairwise::narrow::NarrowGrid;
use crate::pairwise::narrow::walk::{Narrow, NarrowWalk};
use crate::partition::Partition;

/// The members of a random group look for a partner in turn, each among all others from a random one on, and make the
/// first swap that passes.
impl Narrow for Rows {
    const SLOWER: i32 = 0;
    const STEP: u64 = 1 << 18;

    fn suits(_: &Layout) -> bool {
        true
    }

    fn new(grid: Arc<NarrowGrid>, layout: &Arc<Layout>, group_of: &[u32]) -> Self {
        Self::standing(grid, Partition::new(Arc::clone(layout), group_of))
    }

    fn grid(&self) -> &NarrowGrid {
        &self.grid
    }

    fn total(&self) -> i64 {
        self.total
    }

    fn copy_to(&self, group_of: &mut [u32]) {
        group_of.copy_from_slice(self.partition.groups_of());
    }

    fn stride(&self) -> usize {
        self.grid.stride()
    }

    fn round(walk: &mut NarrowWalk<'_, Self>, limits: &[i16], swaps: u64, rng: &mut ChaCha8Rng) -> u64 {
        let scans = (swaps as usize / walk.state.grid.stride()).clamp(1, OFFSETS);
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = V4::try_new() {
            return simd.vectorize(Vectorized(simd, walk, limits, scans, rng));
        } else if let Some(simd) = V3::try_new() {
            return simd.vectorize(Vectorized(simd, walk, limits, scans, rng));
        }
        run(walk, Portable, limits, scans, rng)
    }
}

/// Scans the members of groups at random, group by group: what all others would pay there is put together once for
/// all of them.
#[inline(always)]
fn run(
    walk: &mut NarrowWalk<'_, Rows>,
    scanner: impl Scanner,
    limits: &[i16],
    scans: usize,
    rng: &mut ChaCha8Rng,
) -> u64 {
    let layout = walk.state.partition.shared_layout();
    let (movable, groups) = (layout.movable() as u32, layout.groups() as u32);
    let mut swaps = Scanned { scanner, walk };
    let (mut looked, mut scanned) = (0, 0);
    // Loops, since what is handed to an iterator is compiled for any processor.
    while scanned < scans {
        let group = scaled(rng.random(), groups);
        swaps.walk.state.load_joins(group);
        let members = swaps.walk.state.partition.members(group).len();
        for place in 0..members {
            // Whoever comes in takes the place of who goes.
            let x = swaps.walk.state.partition.members(group)[place];
            if x < movable {
                looked += swap_one(&mut swaps, x, Draw::new(rng.random()), limits);
            }
        }
        scanned += members.max(1);
    }
    looked
}

/// A round on a processor of one kind.
#[cfg(target_arch = "x86_64")]
struct Vectorized<'a, 'b, S>(S, &'a mut NarrowWalk<'b, Rows>, &'a [i16], usize, &'a mut ChaCha8Rng);

#[cfg(target_arch = "x86_64")]
impl<S: Scanner> NullaryFnOnce for Vectorized<'_, '_, S> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let Self(simd, walk, limits, scans, rng) = self;
        run(walk, simd, limits, scans, rng)
    }
}

/// A walk on a processor of one kind.
struct Scanned<'a, 'b, S> {
    scanner: S,
    walk: &'a mut NarrowWalk<'b, Rows>,
}

impl<S: Scanner> Swaps<i16> for Scanned<'_, '_, S> {
    #[inline(always)]
    fn scanned(&self, _: u32) -> (Range<u32>, u32) {
        (0..self.walk.state.grid.stride() as u32, LANES as u32)
    }

    #[inline(always)]
    fn load_moves(&mut self, x: u32) {
        self.walk.state.load_moves(x);
    }

    #[inline(always)]
    fn first_swap(&self, x: u32, from: u32, to: u32, limits: &[i16]) -> Option<u32> {
        self.walk.state.first_swap(self.scanner, x, from, to, limits)
    }

    #[inline(always)]
    fn swap(&mut self, x: u32, y: u32) {
        let change = self.walk.state.change(x, y);
        if change > 0 {
            self.walk.offer();
        }
        self.walk.state.swap(self.scanner, x, y, change);
    }
}
