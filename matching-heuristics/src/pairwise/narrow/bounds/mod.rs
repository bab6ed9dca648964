//! Swaps by bounds: most are never looked at one by one.
//!
//! Swaps are decided upon for two groups at a time. A swap of `x` and `y` changes the total by what `x` pays more in
//! the other group, and `y` likewise, less twice what the two cost beside each other. At temperatures that matter
//! nearly all sums of the first two are so great that no cost makes up for them: the least of all `y` beside each `x`,
//! and then all `y` beside the few `x` that are left, rule out all but some of a thousand. Only of those the cost is
//! read.
//!
//! So gains lie in the order of slots, where the members of a group stand side by side. A swap that is made looks the
//! costs of two units up in that order, and the two columns of their slots change places.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod few;
mod loops;
mod places;
#[cfg(test)]
mod tests;
mod turn;
#[cfg(all(
    target_arch = "x86_64",
    not(all(
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512vbmi"
    ))
))]
mod vbmi;
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512f",
    target_feature = "avx512bw",
    target_feature = "avx512vbmi"
))]
#[path = "no_vbmi.rs"]
mod vbmi;
mod walk;

use core::ops::Range;
use std::sync::Arc;

use aligned_vec::{AVec, avec};

#[cfg(target_arch = "x86_64")]
pub(in crate::pairwise) use few::Few;
pub(super) use loops::BANK;
use loops::{Exchange, LANES, SIDE, Scanner, Slots};
use places::Place;

use super::{BLOCKED, NarrowGrid, add_row};
use crate::layout::Layout;
use crate::pairwise::annealing::scaled;
use crate::pairwise::limits::OFFSETS;

/// Rows of gains do not begin multiples of so many slots apart.
const CROWDED: usize = 8 * LANES;

/// A grouping of the units that move, with its gain matrix in 16 bits. All numbers are modulo 2^16, but what a swap
/// changes is what it is.
pub(in crate::pairwise) struct Bounds {
    grid: Arc<NarrowGrid>,
    slots: Slots,
    /// What who stands in each slot would pay in each group: a row per group.
    gains: AVec<i16>,
    /// From the beginning of one such row to that of the next.
    stride: usize,
    /// Twice the greatest cost of who stands in each slot.
    most: AVec<i16>,
    /// What all swaps since the beginning have changed.
    total: i64,
    /// Room for [`Exchange::parted`].
    parted: (AVec<i16>, AVec<i16>),
}

/// A swap that passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Swap {
    groups: [usize; 2],
    /// The slots of both units.
    slots: [usize; 2],
    change: i16,
}

/// Where one group stands in going through all others.
#[derive(Clone, Copy, Debug)]
struct Round {
    group: usize,
    /// The group that it is held against, and how many are left, that one included.
    other: usize,
    left: usize,
    /// The slot of the group, counted from its first, that is next.
    from: usize,
    /// Random bits for this other group.
    draw: u32,
}

impl Round {
    /// From a random other group on; there are at least two.
    #[inline(always)]
    fn new(group: usize, groups: usize, draws: [u32; 2]) -> Self {
        let mut round = Self {
            group,
            other: scaled(draws[0], groups as u32) as usize,
            left: groups,
            from: 0,
            draw: draws[1],
        };
        round.go_on(groups);
        round
    }

    /// On to the next other group; where none is left there is still one, for those who look ahead. Random bits follow
    /// from those before, as fresh ones take too long.
    #[inline(always)]
    fn go_on(&mut self, groups: usize) {
        for _ in 0..2 {
            self.other = if self.other + 1 < groups { self.other + 1 } else { 0 };
            if self.other != self.group {
                break;
            }
        }
        self.left = self.left.saturating_sub(1);
        self.from = 0;
        self.draw = self.draw.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    }

    /// Where limits are read from.
    #[inline(always)]
    fn offset(&self) -> usize {
        scaled(self.draw, OFFSETS as u32) as usize
    }

    /// The lane from which on a partner is looked for, so that none comes first always.
    #[inline(always)]
    fn turn(&self) -> u32 {
        self.draw / OFFSETS as u32 % LANES as u32
    }
}

/// A unit that looks for a partner.
#[derive(Clone, Copy)]
struct Leaving {
    unit: u16,
    /// What the change must stay below, but for what the unit itself pays more.
    need: i16,
    /// Twice its greatest cost.
    most: i16,
}

impl Bounds {
    /// A grouping whose members stand side by side.
    fn standing(grid: Arc<NarrowGrid>, layout: &Layout, group_of: &[u32]) -> Self {
        let groups = layout.groups();
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); groups];
        (0..layout.movable()).for_each(|unit| members[group_of[unit] as usize].push(unit as u32));
        let of_groups = places::laid_out(members.iter().map(Vec::len));
        // Whoever reads the vectors of the last group reads on behind it.
        let end = of_groups
            .iter()
            .map(|slots| slots.start + slots.len().next_multiple_of(LANES));
        let slots = end.max().unwrap_or(0).next_multiple_of(SIDE * LANES);
        // A column of rows that begin a power of two apart has few places in the cache: 960 players took a sixth
        // longer.
        let stride = if slots.is_multiple_of(CROWDED) {
            slots + LANES
        } else {
            slots
        };
        let mut state = Self {
            slots: Slots {
                units: avec![layout.units() as u16; slots],
                of_groups,
                #[cfg(target_arch = "x86_64")]
                lookup: None,
            },
            gains: avec![0; groups * stride],
            stride,
            most: avec![0; slots],
            total: 0,
            parted: (avec![0; grid.stride()], avec![0; slots]),
            grid,
        };
        for (group, members) in members.iter().enumerate() {
            for (slot, &unit) in state.slots.of_groups[group].clone().zip(members) {
                state.slots.units[slot] = unit as u16;
                state.most[slot] = state.grid.most(unit);
            }
        }
        #[cfg(target_arch = "x86_64")]
        state.look_up();
        let is_single = state.vectors() == Some(1);
        for (group, row) in state.gains.chunks_exact_mut(stride).enumerate() {
            let mut pays = vec![0; state.grid.stride()];
            (0..group_of.len())
                .filter(|&unit| group_of[unit] as usize == group)
                .for_each(|unit| add_row(&mut pays, state.grid.row(unit as u32)));
            row.iter_mut()
                .zip(state.slots.units.iter())
                .for_each(|(gain, &unit)| *gain = pays[usize::from(unit)]);
            if is_single {
                row[state.slots.of_groups[group].end..(group + 1) * LANES].fill(-BLOCKED);
            }
        }
        state
    }

    /// Notes where units are found, where costs and the processor allow for it.
    #[cfg(target_arch = "x86_64")]
    fn look_up(&mut self) {
        let units = self.grid.stride();
        self.slots.lookup = if self.grid.is_small() && units <= avx512::MOST_UNITS {
            vbmi::Lookup::new(&self.slots.units, units / BANK)
        } else {
            None
        };
    }

    /// How many vectors every group takes, if all take as many.
    fn vectors(&self) -> Option<usize> {
        let vectors = |slots: &Range<usize>| slots.len().div_ceil(LANES);
        let first = vectors(self.slots.of_groups.first()?);
        let are_even = self.slots.of_groups.iter().all(|slots| vectors(slots) == first);
        are_even.then_some(first)
    }

    /// The next swap that passes, slot by slot of the group and group by group of the others.
    ///
    /// What a unit pays more in another group is less than 15,000 either way, limits less than 8,200 and costs at most
    /// 255, so that no sum leaves 16 bits; what an empty slot pays more, where it may be looked at, is [`BLOCKED`],
    /// which no limit and no partner makes up for.
    #[inline(always)]
    fn next_swap<S: Scanner>(&self, scanner: S, round: &mut Round, limits: &[i16]) -> Option<Swap> {
        let place = Place::of(self, round.group);
        let row = &self.gains[round.group * self.stride..][..self.stride];
        let (own, most, units) = (
            place.vectors(row),
            place.vectors(&self.most),
            place.vectors(&self.slots.units),
        );
        while round.left > 0 {
            let others = Place::of(self, round.other);
            let other_row = &self.gains[round.other * self.stride..][..self.stride];
            let there = place.vectors(other_row);
            let partners = (others.vectors(row), others.vectors(other_row));
            let of_slots = &limits[round.offset()..].as_chunks::<LANES>().0[..own.len()];
            let least = least(scanner, partners, others);
            let from_block = round.from / LANES;
            for block in from_block..own.len() {
                let leaves = scanner.sub(scanner.load(&there[block]), scanner.load(&own[block]));
                let bound = scanner.add(scanner.load(&of_slots[block]), scanner.load(&most[block]));
                let mut lanes = scanner.below(least, scanner.sub(bound, leaves)) & place.lanes(block);
                if block == from_block {
                    lanes &= u32::MAX << (round.from % LANES);
                }
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize % LANES;
                    lanes &= lanes - 1;
                    let leaves = there[block][lane].wrapping_sub(own[block][lane]);
                    let x = Leaving {
                        unit: units[block][lane],
                        need: of_slots[block][lane].wrapping_sub(leaves),
                        most: most[block][lane],
                    };
                    let found = self.first_partner(scanner, x, partners, others, round.turn());
                    if let Some((partner, joins)) = found {
                        // Whoever comes in waits for the next visit.
                        round.from = block * LANES + lane + 1;
                        return Some(Swap {
                            groups: [round.group, round.other],
                            slots: [place.start + block * LANES + lane, partner],
                            change: leaves.wrapping_add(joins),
                        });
                    }
                }
            }
            round.go_on(self.slots.of_groups.len());
        }
        None
    }

    /// The first slot from some vector on with which a unit can change places, and what that changes but for what the
    /// unit itself pays.
    #[inline(always)]
    fn first_partner<S: Scanner>(
        &self,
        scanner: S,
        x: Leaving,
        partners: (&[[i16; LANES]], &[[i16; LANES]]),
        place: Place,
        turn: u32,
    ) -> Option<(usize, i16)> {
        let costs = self.grid.row(u32::from(x.unit));
        let units = place.vectors(&self.slots.units);
        let bound = scanner.splat(x.need.wrapping_add(x.most));
        for (block, ((here, stay), units)) in partners.0.iter().zip(partners.1).zip(units).enumerate() {
            let joins = scanner.sub(scanner.load(here), scanner.load(stay));
            let mut lanes = (scanner.below(joins, bound) & place.lanes(block)).rotate_right(turn);
            while lanes != 0 {
                let lane = (lanes.trailing_zeros() + turn) as usize % LANES;
                lanes &= lanes - 1;
                let cost = i16::from(costs[usize::from(units[lane])]);
                let change = here[lane].wrapping_sub(stay[lane]).wrapping_sub(2 * cost);
                if change < x.need {
                    return Some((place.start + block * LANES + lane, change));
                }
            }
        }
        None
    }

    /// Two units of two groups change places.
    #[inline(always)]
    fn swap<S: Scanner>(&mut self, scanner: S, swap: Swap) {
        let ([a, b], [s, t]) = (swap.groups, swap.slots);
        let (stride, slots) = (self.stride, self.most.len());
        let [x, y] = swap.slots.map(|slot| u32::from(self.slots.units[slot]));
        self.slots.swap(s, t);
        self.most.swap(s, t);
        for row in self.gains.chunks_exact_mut(stride) {
            row.swap(s, t);
        }
        let (head, tail) = self.gains.split_at_mut(a.max(b) * stride);
        let (low, high) = (&mut head[a.min(b) * stride..][..slots], &mut tail[..slots]);
        scanner.exchange(Exchange {
            gains: if a < b { [low, high] } else { [high, low] },
            costs: [self.grid.row(y), self.grid.row(x)],
            slots: &self.slots,
            parted: (&mut self.parted.0, &mut self.parted.1),
        });
        self.total += i64::from(swap.change);
    }
}

/// The least that a member would pay more here than there, in all lanes.
#[inline(always)]
fn least<S: Scanner>(scanner: S, (here, there): (&[[i16; LANES]], &[[i16; LANES]]), place: Place) -> S::Vector {
    let (Some((last, here)), Some((other, there))) = (here.split_last(), there.split_last()) else {
        return scanner.splat(i16::MAX);
    };
    let mut least = scanner.sub(scanner.load(last), scanner.load(other));
    if !place.is_full() {
        least = scanner.max(least, scanner.load(place.floor()));
    }
    // Mostly that is all, and what is made of the loop takes its time.
    if !here.is_empty() {
        for (here, there) in here.iter().zip(there) {
            least = scanner.min(least, scanner.sub(scanner.load(here), scanner.load(there)));
        }
    }
    scanner.least(least)
}
