//! Swaps of one unit with all others, vector by vector: a third of the memory of the wide grid to go through, and twice
//! as many swaps to a vector.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod loops;
#[cfg(test)]
mod tests;
mod walk;

use std::sync::Arc;

use aligned_vec::{AVec, avec};

pub(super) use loops::MOST_GROUPS;
use loops::{Exchange, Scanner, Stretch, TABLE};

use super::{BLOCKED, NarrowGrid, add_row};
use crate::partition::Partition;

/// A grouping with its gain matrix in 16 bits, by swaps alone. All numbers are modulo 2^16, but what a swap changes is
/// what it is.
pub(in crate::pairwise) struct Rows {
    grid: Arc<NarrowGrid>,
    partition: Partition,
    /// What each unit would pay in each group: a row per group.
    gains: AVec<i16>,
    /// What each unit pays in its own group; who does not move, and what stands behind the last unit, so little that no
    /// swap with it passes.
    own: AVec<i16>,
    /// The group of each unit that moves, for all others one that there is not.
    lanes: AVec<u8>,
    /// What each unit would pay more in the group whose members are under scan.
    joins: AVec<i16>,
    /// What all swaps since the beginning have changed.
    total: i64,
    /// What the unit under scan would pay more in each group.
    moves: [i16; TABLE],
}

impl Rows {
    fn standing(grid: Arc<NarrowGrid>, partition: Partition) -> Self {
        let (groups, stride) = (partition.layout().groups(), grid.stride());
        let mut state = Self {
            gains: avec![0; groups * stride],
            own: avec![-BLOCKED; stride],
            lanes: avec![MOST_GROUPS as u8; stride],
            joins: avec![0; stride],
            total: 0,
            moves: [0; TABLE],
            grid,
            partition,
        };
        for group in 0..groups as u32 {
            let row = &mut state.gains[group as usize * stride..][..stride];
            for &unit in state.partition.members(group) {
                add_row(row, state.grid.row(unit));
            }
        }
        for unit in 0..state.partition.layout().movable() {
            let group = state.partition.groups_of()[unit];
            state.lanes[unit] = group as u8;
            state.own[unit] = state.gain(group, unit as u32);
        }
        state
    }

    fn gain(&self, group: u32, unit: u32) -> i16 {
        self.gains[group as usize * self.grid.stride() + unit as usize]
    }

    /// Prepares all else for the members of a group.
    #[inline(always)]
    fn load_joins(&mut self, group: u32) {
        let row = &self.gains[group as usize * self.grid.stride()..][..self.grid.stride()];
        loops::load_joins(&mut self.joins, row, &self.own);
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

    /// The first unit of a range of which a swap with `x` costs less than its limit. Its
    /// moves, and the joins of its group, must be loaded.
    #[inline(always)]
    fn first_swap(&self, scanner: impl Scanner, x: u32, from: u32, to: u32, limits: &[i16]) -> Option<u32> {
        let range = from as usize..to as usize;
        let stretch = Stretch {
            count: self.partition.layout().groups(),
            groups: &self.lanes[range.clone()],
            joins: &self.joins[range.clone()],
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
        let cost = i16::from(self.grid.row(x)[y as usize]);
        let joins = |group: u32, unit: u32| self.gain(group, unit).wrapping_sub(self.own[unit as usize]);
        i64::from(joins(b, x).wrapping_add(joins(a, y)).wrapping_sub(2 * cost))
    }

    /// Two units change places; `change` is what that changes. The joins are those of the group from which `x` goes.
    #[inline(always)]
    fn swap(&mut self, scanner: impl Scanner, x: u32, y: u32, change: i64) {
        let (a, b) = (self.partition.group_of(x), self.partition.group_of(y));
        self.partition.swap(x, y);
        self.lanes.swap(x as usize, y as usize);
        let stride = self.grid.stride();
        let (head, tail) = self.gains.split_at_mut(a.max(b) as usize * stride);
        let (low, high) = (&mut head[a.min(b) as usize * stride..][..stride], &mut tail[..stride]);
        scanner.exchange(Exchange {
            of: [a as u8, b as u8],
            groups: &self.lanes,
            gains: if a < b { [low, high] } else { [high, low] },
            costs: [self.grid.row(y), self.grid.row(x)],
            own: &mut self.own,
            joins: &mut self.joins,
        });
        self.total += change;
    }
}
