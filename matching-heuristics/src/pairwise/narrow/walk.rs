//! A narrow annealing, and what comes of it on the wide grid.

use core::ops::Range;
use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, x86::V3, x86::V4};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::Narrow;
use super::scan::{self, LANES, Portable, Scanner};
use crate::best::Best;
use crate::control::{Control, Stage};
use crate::pairwise::Gains;
use crate::pairwise::annealing::{Draw, Swaps, Walk, scaled, swap_one};
use crate::partition::Partition;
use crate::state::State;

/// A narrow annealing begins and ends with the gain matrix from scratch: it must look at so many swaps for each pair.
const LEAST_WORK: u64 = 200;
/// Swaps that are looked at between two counts of a grouping, for each pair inside a group: counting takes a hundredth of
/// that time.
const COUNT: u64 = 512;

/// A narrow annealing of a wide state, which is left alone until the end.
pub(in crate::pairwise) struct NarrowWalk<'a> {
    state: Narrow,
    /// The best of the narrow annealing, by narrow totals.
    best: Best<i64>,
    wide: &'a mut Gains,
    /// The best grouping by wide totals, of those that were counted.
    counted: &'a mut Best<i64>,
    /// The narrow total of the last grouping that was counted, and the work before the next.
    next_count: (i64, u64),
}

impl<'a> NarrowWalk<'a> {
    /// From where a wide state stands, if its costs allow that and the stage is worth it.
    pub(in crate::pairwise) fn of(
        wide: &'a mut Gains,
        best: &'a mut Best<i64>,
        control: &Control<'_>,
        stage: &Stage,
    ) -> Option<Self> {
        let units = wide.grid().units() as u64;
        let grid = Arc::clone(wide.grid().narrow()?);
        if stage.left(control) < LEAST_WORK * units * units {
            return None;
        }
        let partition = Partition::new(wide.partition().shared_layout(), wide.partition().groups_of());
        Some(Self {
            best: Best {
                rank: (0, 0),
                group_of: partition.groups_of().to_vec(),
            },
            state: Narrow::new(grid, partition),
            wide,
            counted: best,
            next_count: (0, 0),
        })
    }

    /// Takes the wide state to where the walk has ended, and keeps the best grouping met; that one is counted pair by pair,
    /// which is over soon also where somebody has cancelled.
    pub(in crate::pairwise) fn conclude(self) {
        let partition = Partition::new(self.wide.partition().shared_layout(), &self.best.group_of);
        self.counted.keep((0, self.wide.count(&partition)), &self.best.group_of);
        let last = self.state.partition.groups_of();
        if self.wide.partition().groups_of() != last {
            self.wide.reset(last);
            self.counted.offer(self.wide);
        }
    }

    fn offer(&mut self) {
        if self.state.total < self.best.rank.1 {
            self.best.rank.1 = self.state.total;
            self.best.group_of.copy_from_slice(self.state.partition.groups_of());
        }
    }

    /// Scans the members of groups at random, group by group: what all others would pay there is put together once for
    /// all of them.
    #[inline(always)]
    fn run(&mut self, scanner: impl Scanner, limits: &[i16], scans: usize, rng: &mut ChaCha8Rng) -> u64 {
        let layout = self.state.partition.shared_layout();
        let (movable, groups) = (layout.movable() as u32, layout.groups() as u32);
        let mut swaps = Scanned { scanner, walk: self };
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
}

impl Walk for NarrowWalk<'_> {
    type Limit = i16;

    fn stride(&self) -> usize {
        self.state.grid.stride()
    }

    fn fill_limits(limits: &mut [i16], draws: &[f32], temperature: f32) {
        scan::fill_limits(limits, draws, temperature);
    }

    fn temperature(&self, of_state: f64) -> f32 {
        (of_state * self.state.grid.factor()) as f32
    }

    fn round(&mut self, limits: &[i16], scans: usize, rng: &mut ChaCha8Rng) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = V4::try_new() {
            return simd.vectorize(Vectorized(simd, self, limits, scans, rng));
        } else if let Some(simd) = V3::try_new() {
            return simd.vectorize(Vectorized(simd, self, limits, scans, rng));
        }
        self.run(Portable, limits, scans, rng)
    }

    /// A narrow total says nothing to anybody else, and a count takes its time: it is made now and then, whether anybody
    /// listens or not, so that listening changes nothing.
    fn tell(&mut self, control: &mut Control<'_>) {
        self.offer();
        let (told, at) = self.next_count;
        if self.best.rank.1 >= told || control.work() < at {
            return;
        }
        let partition = Partition::new(self.wide.partition().shared_layout(), &self.best.group_of);
        self.next_count = (self.best.rank.1, control.work() + COUNT * partition.pairs());
        self.counted.keep((0, self.wide.count(&partition)), &self.best.group_of);
        self.counted.tell(self.wide, control);
    }
}

/// A round on a processor of one kind.
#[cfg(target_arch = "x86_64")]
struct Vectorized<'a, 'b, S>(S, &'a mut NarrowWalk<'b>, &'a [i16], usize, &'a mut ChaCha8Rng);

#[cfg(target_arch = "x86_64")]
impl<S: Scanner> NullaryFnOnce for Vectorized<'_, '_, S> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let Self(simd, walk, limits, scans, rng) = self;
        walk.run(simd, limits, scans, rng)
    }
}

/// A walk on a processor of one kind.
struct Scanned<'a, 'b, S> {
    scanner: S,
    walk: &'a mut NarrowWalk<'b>,
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
