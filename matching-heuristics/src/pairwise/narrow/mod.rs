//! Annealing in 16 bits: half the memory to go through, and twice as many swaps to a vector.
//!
//! Costs are rounded to a grid so coarse that what a swap changes has 16 bits ([`NarrowGrid`]). What comes of it is counted
//! again on the wide grid, and climbed from there.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod grid;
mod scan;
#[cfg(test)]
mod tests;

use core::ops::Range;
use std::sync::Arc;

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, x86::V3, x86::V4};
use rand_chacha::ChaCha8Rng;

pub(crate) use grid::NarrowGrid;
use scan::{BLOCKED, LANES, MOST_GROUPS, Portable, Scanner, Stretch, TABLE};

use super::Gains;
use super::annealing::{Draw, Swaps, Walk, swap_one};
use crate::best::Best;
use crate::control::{Control, Stage};
use crate::partition::Partition;
use crate::state::State;

/// A narrow annealing begins and ends with the gain matrix from scratch: it must look at so many swaps for each pair.
const LEAST_WORK: u64 = 200;
/// Swaps that are looked at between two counts of a grouping, for each pair inside a group: counting takes a hundredth of
/// that time.
const COUNT: u64 = 512;
/// Far from what is [`BLOCKED`].
const MOST_LIMIT: f32 = 8192.0;

/// A grouping with its gain matrix in 16 bits, by swaps alone. All numbers are modulo 2^16, but what a swap changes is
/// what it is.
struct Narrow {
    grid: Arc<NarrowGrid>,
    partition: Partition,
    /// What each unit would pay in each group: a row per group.
    gains: Vec<i16>,
    /// What each unit pays in its own group; behind the last unit so little that no swap with it passes.
    own: Vec<i16>,
    /// The group of each unit; behind the last unit one that there is not.
    lanes: Vec<u8>,
    /// What all swaps since the beginning have changed.
    total: i64,
    /// What the unit under scan would pay more in each group.
    moves: [i16; TABLE],
}

impl Narrow {
    fn new(grid: Arc<NarrowGrid>, partition: Partition) -> Self {
        let (groups, stride, units) = (partition.layout().groups(), grid.stride(), partition.layout().units());
        let mut state = Self {
            gains: vec![0; groups * stride],
            own: vec![-BLOCKED; stride],
            lanes: vec![MOST_GROUPS as u8; stride],
            total: 0,
            moves: [0; TABLE],
            grid,
            partition,
        };
        for group in 0..groups as u32 {
            let row = &mut state.gains[group as usize * stride..][..stride];
            for &unit in state.partition.members(group) {
                scan::add_row(row, state.grid.row(unit));
            }
            state.refresh_own(group);
        }
        for (lane, &group) in state.lanes[..units].iter_mut().zip(state.partition.groups_of()) {
            *lane = group as u8;
        }
        state
    }

    /// Members of a group pay what the matrix says.
    #[inline(always)]
    fn refresh_own(&mut self, group: u32) {
        let row = &self.gains[group as usize * self.grid.stride()..][..self.grid.stride()];
        for &unit in self.partition.members(group) {
            self.own[unit as usize] = row[unit as usize];
        }
    }

    fn gain(&self, group: u32, unit: u32) -> i16 {
        self.gains[group as usize * self.grid.stride() + unit as usize]
    }

    /// The units that a unit can change places with, and the steps in which to pick one of them to begin with: whole
    /// vectors, and those behind the last unit too, where all units are alike.
    #[inline(always)]
    fn scanned(&self, x: u32) -> (Range<u32>, u32) {
        let layout = self.partition.layout();
        if layout.has_pins() {
            (layout.class_of(x), 1)
        } else {
            (0..self.grid.stride() as u32, LANES as u32)
        }
    }

    /// Prepares [`first_swap`](Self::first_swap) for a unit: what it would pay more in each group.
    #[inline(always)]
    fn load_moves(&mut self, x: u32) {
        let own = self.own[x as usize];
        let column = self.gains[x as usize..].iter().step_by(self.grid.stride());
        self.moves
            .iter_mut()
            .zip(column)
            .for_each(|(slot, gain)| *slot = gain.wrapping_sub(own));
        self.moves[self.partition.group_of(x) as usize] = BLOCKED;
    }

    /// The first unit of a range of which a swap with `x` costs less than its limit. The moves of `x` must be loaded.
    #[inline(always)]
    fn first_swap(&self, scanner: impl Scanner, x: u32, from: u32, to: u32, limits: &[i16]) -> Option<u32> {
        let range = from as usize..to as usize;
        let row = self.partition.group_of(x) as usize * self.grid.stride();
        let stretch = Stretch {
            count: self.partition.layout().groups(),
            groups: &self.lanes[range.clone()],
            gains: &self.gains[row..][range.clone()],
            own: &self.own[range.clone()],
            costs: &self.grid.row(x)[range],
        };
        scanner
            .first_below(&self.moves, stretch, limits)
            .map(|at| from + at as u32)
    }

    /// What a swap of two units of different groups changes.
    #[inline(always)]
    fn change(&self, x: u32, y: u32) -> i64 {
        let (a, b) = (self.partition.group_of(x), self.partition.group_of(y));
        let cost = self.grid.row(x)[y as usize];
        let joins = |group: u32, unit: u32| self.gain(group, unit).wrapping_sub(self.own[unit as usize]);
        let change = joins(b, x)
            .wrapping_add(joins(a, y))
            .wrapping_sub(cost.wrapping_add(cost));
        i64::from(change)
    }

    /// Two units change places; `change` is what that changes.
    #[inline(always)]
    fn swap(&mut self, scanner: impl Scanner, x: u32, y: u32, change: i64) {
        let (a, b) = (self.partition.group_of(x), self.partition.group_of(y));
        let stride = self.grid.stride();
        let (plus, minus) = (self.grid.row(y), self.grid.row(x));
        let (one, other, plus, minus) = if a < b {
            (a, b, plus, minus)
        } else {
            (b, a, minus, plus)
        };
        let (head, tail) = self.gains.split_at_mut(other as usize * stride);
        let group = &mut head[one as usize * stride..][..stride];
        scanner.exchange_rows(group, &mut tail[..stride], plus, minus);
        self.partition.swap(x, y);
        self.lanes.swap(x as usize, y as usize);
        self.refresh_own(a);
        self.refresh_own(b);
        self.total += change;
    }
}

/// A narrow annealing of a wide state, which is left alone until the end.
pub(super) struct NarrowWalk<'a> {
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
    pub(super) fn of(
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

    /// Takes the wide state to where the walk has ended, by way of the best grouping met.
    pub(super) fn conclude(self) {
        let last = self.state.partition.groups_of();
        for group_of in [&self.best.group_of, last] {
            if self.wide.partition().groups_of() != group_of {
                self.wide.reset(group_of);
                self.counted.offer(self.wide);
            }
        }
    }

    fn offer(&mut self) {
        if self.state.total < self.best.rank.1 {
            self.best.rank.1 = self.state.total;
            self.best.group_of.copy_from_slice(self.state.partition.groups_of());
        }
    }

    #[inline(always)]
    fn run(&mut self, scanner: impl Scanner, limits: &[i16], scans: usize, rng: &mut ChaCha8Rng) -> u64 {
        let movable = self.state.partition.layout().movable() as u32;
        let mut swaps = Scanned { scanner, walk: self };
        let mut looked = 0;
        // A loop, since what is handed to an iterator is compiled for any processor.
        for _ in 0..scans {
            looked += swap_one(&mut swaps, Draw::new(movable, rng), limits);
        }
        looked
    }
}

impl Walk for NarrowWalk<'_> {
    type Limit = i16;

    fn stride(&self) -> usize {
        self.state.grid.stride()
    }

    #[inline(always)]
    fn limit(draw: f32, temperature: f32) -> i16 {
        (draw * temperature).min(MOST_LIMIT) as i16 + 1
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
    fn scanned(&self, x: u32) -> (Range<u32>, u32) {
        self.walk.state.scanned(x)
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
