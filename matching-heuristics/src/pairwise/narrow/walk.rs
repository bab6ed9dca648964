//! A narrow annealing, and what comes of it on the wide grid.

use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, x86::V3, x86::V4};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::scan::{self, LANES, Portable, Scanner};
use super::{Narrow, Round};
use crate::best::Best;
use crate::control::{Control, Stage};
use crate::pairwise::Gains;
use crate::pairwise::annealing::{Walk, scaled};
use crate::partition::Partition;
use crate::state::State;

/// A narrow annealing begins and ends with the gain matrix from scratch: it must look at so many swaps for each pair.
const LEAST_WORK: u64 = 200;
/// Units to a group, in the mean, below which two groups have too few swaps for bounds to be worth it: the wide walk looks at more of them.
const LEAST_MEMBERS: usize = 10;
/// Swaps to be looked at between two changes of the temperature: a fraction of a millisecond.
const STEP: u64 = 1 << 20;
/// Swaps that are looked at between two counts of a grouping, for each pair inside a group: counting takes a hundredth of
/// that time.
const COUNT: u64 = 512;

/// A narrow annealing of a wide state, which is left alone until the end.
///
/// A group is drawn at random and held against each other group in turn. A unit has one limit for all partners in a group: each swap passes
/// with the probability that it should, but those of one unit not independently of each other. Of several that pass, the first from a random
/// lane on is made, and whoever comes in waits for the next visit.
pub(in crate::pairwise) struct NarrowWalk<'a> {
    state: Narrow,
    /// The best of the narrow annealing, by narrow totals.
    best: Best<i64>,
    wide: &'a mut Gains,
    /// The best grouping by wide totals, of those that were counted.
    counted: &'a mut Best<i64>,
    /// Units that move.
    movable: u64,
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
        let (layout, group_of) = (wide.partition().shared_layout(), wide.partition().groups_of());
        if stage.left(control) < LEAST_WORK * units * units || layout.movable() < LEAST_MEMBERS * layout.groups() {
            return None;
        }
        Some(Self {
            best: Best {
                rank: (0, 0),
                group_of: group_of.to_vec(),
            },
            state: Narrow::new(grid, &layout, group_of),
            wide,
            counted: best,
            movable: layout.movable() as u64,
            next_count: (0, 0),
        })
    }

    /// Takes the wide state to where the walk has ended, and keeps the best grouping met; that one is counted pair by pair,
    /// which is over soon also where somebody has cancelled.
    pub(in crate::pairwise) fn conclude(self) {
        let partition = Partition::new(self.wide.partition().shared_layout(), &self.best.group_of);
        self.counted.keep((0, self.wide.count(&partition)), &self.best.group_of);
        let mut last = self.best.group_of;
        self.state.copy_to(&mut last);
        if self.wide.partition().groups_of() != last {
            self.wide.reset(&last);
            self.counted.offer(self.wide);
        }
    }

    fn offer(&mut self) {
        if self.state.total < self.best.rank.1 {
            self.best.rank.1 = self.state.total;
            self.state.copy_to(&mut self.best.group_of);
        }
    }

    /// Decides about all swaps of groups at random, each with all others in turn, and makes those that pass.
    #[inline(always)]
    fn run(&mut self, scanner: impl Scanner, limits: &[i16], swaps: u64, rng: &mut ChaCha8Rng) -> u64 {
        let (groups, movable) = (self.state.blocks.len(), self.movable);
        let mut looked = 0;
        // Loops, since what is handed to an iterator is compiled for any processor. However few there may be, it goes on.
        while looked < swaps.max(1) {
            let group = scaled(rng.random(), groups as u32) as usize;
            let mut round = Round::new(group, groups, [rng.random(), rng.random()]);
            while let Some(swap) = self.state.next_swap(scanner, &mut round, limits) {
                if swap.change > 0 {
                    self.offer();
                }
                self.state.swap(scanner, swap);
            }
            let members = self.state.slots.of_groups[group].len() as u64;
            looked += (members * (movable - members)).max(1);
        }
        looked
    }
}

impl Walk for NarrowWalk<'_> {
    type Limit = i16;

    const STEP: u64 = STEP;

    fn stride(&self) -> usize {
        self.state
            .blocks
            .iter()
            .map(|blocks| blocks.len() * LANES)
            .max()
            .unwrap_or(0)
    }

    fn fill_limits(limits: &mut [i16], draws: &[f32], temperature: f32) {
        scan::fill_limits(limits, draws, temperature);
    }

    fn temperature(&self, of_state: f64) -> f32 {
        (of_state * self.state.grid.factor()) as f32
    }

    fn round(&mut self, limits: &[i16], swaps: u64, rng: &mut ChaCha8Rng) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = V4::try_new() {
            return simd.vectorize(Vectorized(simd, self, limits, swaps, rng));
        } else if let Some(simd) = V3::try_new() {
            return simd.vectorize(Vectorized(simd, self, limits, swaps, rng));
        }
        self.run(Portable, limits, swaps, rng)
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
struct Vectorized<'a, 'b, S>(S, &'a mut NarrowWalk<'b>, &'a [i16], u64, &'a mut ChaCha8Rng);

#[cfg(target_arch = "x86_64")]
impl<S: Scanner> NullaryFnOnce for Vectorized<'_, '_, S> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let Self(simd, walk, limits, swaps, rng) = self;
        walk.run(simd, limits, swaps, rng)
    }
}
