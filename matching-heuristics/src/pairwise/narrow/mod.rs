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
mod walk;

use core::ops::Range;
use std::sync::Arc;

pub(super) use grid::NarrowGrid;
use scan::{BLOCKED, LANES, MOST_GROUPS, Scanner, Stretch, TABLE};
pub(super) use walk::NarrowWalk;

use crate::partition::Partition;

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
