//! Swaps by bounds among few units in small groups, with AVX-512: several other groups at a time.
//!
//! The walk is that of [`Bounds`], swap for swap. There every visit ends with the question whether anybody may leave
//! for that group: a processor that guesses the answer wrong begins anew with a chain of instructions that wait for
//! each other. Here who may leave is found for four groups before anything hangs upon it. Units are few enough to look
//! up a unit's costs beside all of them at once, and arrays have lengths that the compiler knows.

use std::sync::Arc;

use pulp::x86::V4;
use pulp::{bytemuck, cast, i16x8, i16x16, i16x32, u16x16};
use rand_chacha::ChaCha8Rng;

use super::avx512::{looked_up, of_bank};
use super::loops::{BANK, Scanner};
use super::walk::{Turning, Vectorized, Way};
use super::{BLOCKED, Bounds, OFFSETS, Round, Swap};
use crate::layout::Layout;
use crate::pairwise::narrow::walk::{Narrow, NarrowWalk};
use crate::pairwise::narrow::{NarrowGrid, add_row};

/// Slots of a group.
const LANES: usize = 16;
/// Groups at most.
const GROUPS: usize = 16;
/// Other groups that are looked at together: as many as have a bit for each slot in a word.
const AHEAD: usize = u64::BITS as usize / LANES;
/// Limits that there are: as many in a row as [`Bounds`] reads.
const LIMITS: usize = OFFSETS + super::loops::LANES;

/// A number for each slot of a group.
type Slots<T> = [T; LANES];

/// A grouping of the units that move, with its gain matrix in 16 bits, modulo 2^16.
pub(in crate::pairwise) struct Few {
    grid: Arc<NarrowGrid>,
    /// Members of each group that move.
    members: Vec<usize>,
    table: Box<Table>,
    /// What all swaps since the beginning have changed.
    total: i64,
}

#[repr(C, align(64))]
struct Table {
    /// What who stands in each slot would pay in each group: a row per group.
    gains: [[Slots<i16>; GROUPS]; GROUPS],
    /// What who stands in each slot pays in the own group, and [`BIAS`]; where nobody stands, so little that nobody can
    /// come there.
    own: [Slots<i16>; GROUPS],
    /// Twice the greatest cost of who stands in each slot.
    most: [Slots<i16>; GROUPS],
    /// The unit in each slot; in empty ones one that there is not, with costs of 0.
    units: [Slots<u16>; GROUPS],
}

/// Added to what is taken off, so that differences are 2^15 more than they are and have no sign: the least of such
/// numbers is found by one instruction.
const BIAS: i16 = i16::MIN;

impl Few {
    pub(super) fn standing(grid: Arc<NarrowGrid>, layout: &Layout, group_of: &[u32]) -> Self {
        let nobody = layout.units() as u16;
        let mut table = Box::new(Table {
            gains: [[[0; LANES]; GROUPS]; GROUPS],
            own: [[BIAS.wrapping_sub(BLOCKED); LANES]; GROUPS],
            most: [[0; LANES]; GROUPS],
            units: [[nobody; LANES]; GROUPS],
        });
        let mut members = vec![0; layout.groups()];
        for (unit, &group) in group_of[..layout.movable()].iter().enumerate() {
            let group = group as usize;
            table.units[group][members[group]] = unit as u16;
            table.most[group][members[group]] = grid.most(unit as u32);
            members[group] += 1;
        }
        for (group, &members) in members.iter().enumerate() {
            let mut pays = vec![0; grid.stride()];
            (0..group_of.len())
                .filter(|&unit| group_of[unit] as usize == group)
                .for_each(|unit| add_row(&mut pays, grid.row(unit as u32)));
            for (gains, units) in table.gains[group].iter_mut().zip(&table.units) {
                *gains = units.map(|unit| pays[usize::from(unit)]);
            }
            for slot in 0..members {
                table.own[group][slot] = table.gains[group][group][slot].wrapping_add(BIAS);
            }
        }
        Self {
            grid,
            members,
            table,
            total: 0,
        }
    }

    /// The next swap that passes, slot by slot of the group and group by group of the others, as [`Bounds::next_swap`]
    /// says.
    #[inline(always)]
    pub(super) fn next_swap(&self, simd: V4, round: &mut Round, limits: &[i16]) -> Option<Swap> {
        let limits = limits.first_chunk().expect("limits for every offset");
        let turn = Turn::new(simd, self, round.group, limits);
        while round.left > 0 {
            let mut rounds = [*round; AHEAD];
            let mut leavers = turn.leavers(round) & (u64::MAX << round.from);
            for at in 1..AHEAD {
                let mut next = rounds[at - 1];
                next.go_on(self.members.len());
                let lanes = if next.left > 0 { turn.leavers(&next) } else { 0 };
                leavers |= lanes << (at * LANES);
                rounds[at] = next;
            }
            while leavers != 0 {
                let bit = leavers.trailing_zeros() as usize;
                leavers &= leavers - 1;
                let (at, slot) = (bit / LANES % AHEAD, bit % LANES);
                if let Some((partner, change)) = turn.first_partner(&rounds[at], slot) {
                    // Whoever comes in waits for the next visit.
                    *round = rounds[at];
                    round.from = slot + 1;
                    return Some(Swap {
                        groups: [round.group, round.other],
                        slots: [slot, partner],
                        change,
                    });
                }
            }
            *round = rounds[AHEAD - 1];
            round.go_on(self.members.len());
        }
        None
    }

    /// Two units of two groups change places.
    #[inline(always)]
    pub(super) fn swap(&mut self, simd: V4, swap: Swap) {
        let ([a, b], [s, t]) = (swap.groups.map(|g| g % GROUPS), swap.slots.map(|s| s % LANES));
        let groups = self.members.len().min(GROUPS);
        let table = &mut *self.table;
        let (x, y) = (table.units[a][s], table.units[b][t]);
        (table.units[a][s], table.units[b][t]) = (y, x);
        (table.most[a][s], table.most[b][t]) = (table.most[b][t], table.most[a][s]);
        for row in &mut table.gains[..groups] {
            (row[a][s], row[b][t]) = (row[b][t], row[a][s]);
        }
        self.exchange(simd, swap.groups.map(|g| g % GROUPS), [y, x]);
        self.total += i64::from(swap.change);
    }

    /// The first unit comes into the first group, the second into the other.
    #[inline(always)]
    fn exchange(&mut self, simd: V4, [a, b]: [usize; 2], [x, y]: [u16; 2]) {
        let groups = self.members.len().min(GROUPS);
        let (mut parted, minus) = (costs_of(simd, &self.grid, x), costs_of(simd, &self.grid, y));
        for quarter in 0..4 {
            parted[quarter] = simd.sub(parted[quarter], minus[quarter]);
        }
        let table = &mut *self.table;
        for pair in 0..groups.div_ceil(2) {
            let units = cast([table.units[2 * pair % GROUPS], table.units[(2 * pair + 1) % GROUPS]]);
            let found = looked_up(simd, parted, units);
            let gains = two_groups(&mut table.gains[a], pair);
            *gains = simd.add(*gains, found);
            let gains = two_groups(&mut table.gains[b], pair);
            *gains = simd.sub(*gains, found);
        }
        for group in [a, b] {
            let members = ((1_u32 << self.members[group]) - 1) as u16;
            let nobody = cast([BIAS.wrapping_sub(BLOCKED); LANES]);
            let (pays, bias) = (cast(table.gains[group][group]), cast([BIAS; LANES]));
            table.own[group] = cast(simd.avx512bw._mm256_mask_add_epi16(nobody, members, pays, bias));
        }
    }
}

/// What members of two groups that lie side by side would pay.
#[inline(always)]
fn two_groups(row: &mut [Slots<i16>; GROUPS], pair: usize) -> &mut i16x32 {
    &mut bytemuck::cast_mut::<_, [i16x32; GROUPS / 2]>(row)[pair % (GROUPS / 2)]
}

/// Costs of a unit beside all others.
#[inline(always)]
fn costs_of(simd: V4, grid: &NarrowGrid, unit: u16) -> [i16x32; 4] {
    of_bank(simd, &grid.rows().as_chunks().0[usize::from(unit)])
}

/// One group that is held against all others.
struct Turn<'a> {
    simd: V4,
    table: &'a Table,
    grid: &'a NarrowGrid,
    group: usize,
    limits: &'a [i16; LIMITS],
    /// Of the group's members: what they pay, [`BIAS`], and twice the greatest cost of each.
    lead: i16x16,
}

impl<'a> Turn<'a> {
    #[inline(always)]
    fn new(simd: V4, state: &'a Few, group: usize, limits: &'a [i16; LIMITS]) -> Self {
        let group = group % GROUPS;
        let table = &*state.table;
        Self {
            simd,
            table,
            grid: &state.grid,
            group,
            limits,
            lead: add(simd, cast(table.own[group]), cast(table.most[group])),
        }
    }

    /// What changes must stay below, slot by slot of the group.
    #[inline(always)]
    fn limits(&self, round: &Round) -> &Slots<i16> {
        self.limits[round.offset()..]
            .first_chunk()
            .expect("limits for every offset")
    }

    /// What members of the other group would pay more in this one, and 2^15.
    #[inline(always)]
    fn joins(&self, other: usize) -> i16x16 {
        let here = cast(self.table.gains[self.group][other]);
        cast(self.simd.avx2._mm256_sub_epi16(here, cast(self.table.own[other])))
    }

    /// A bit for each slot of the group whose unit may find a partner, were that one to pay the least more.
    #[inline(always)]
    fn leavers(&self, round: &Round) -> u64 {
        let (simd, other) = (self.simd, round.other % GROUPS);
        let halves: [i16x8; 2] = cast(self.joins(other));
        let least = simd
            .sse4_1
            ._mm_minpos_epu16(simd.sse4_1._mm_min_epu16(cast(halves[0]), cast(halves[1])));
        let bound = add(simd, cast(*self.limits(round)), self.lead);
        let bound = simd
            .avx2
            ._mm256_sub_epi16(cast(bound), cast(self.table.gains[other][self.group]));
        let least = simd.avx2._mm256_broadcastw_epi16(least);
        u64::from(simd.avx512bw._mm256_cmplt_epu16_mask(least, bound))
    }

    /// The first slot of the other group, from a random one on, whose unit can change places with that of a slot of the
    /// group, and what that changes.
    #[inline(always)]
    fn first_partner(&self, round: &Round, slot: usize) -> Option<(usize, i16)> {
        let (simd, other, slot) = (self.simd, round.other % GROUPS, slot % LANES);
        let (there, own) = (
            self.table.gains[other][self.group][slot],
            self.table.own[self.group][slot],
        );
        let need = self.limits(round)[slot].wrapping_add(own).wrapping_sub(there);
        let unit = self.table.units[self.group][slot];
        let partners: u16x16 = cast(self.table.units[other]);
        let partners = cast([partners, cast([0_u16; LANES])]);
        let [costs, _]: [i16x16; 2] = cast(looked_up(simd, costs_of(simd, self.grid, unit), partners));
        let joins = self.joins(other);
        let changes = simd.avx2._mm256_sub_epi16(cast(joins), cast(add(simd, costs, costs)));
        let need = simd.avx2._mm256_broadcastw_epi16(cast([need, 0, 0, 0, 0, 0, 0, 0]));
        let lanes = u32::from(simd.avx512bw._mm256_cmplt_epu16_mask(changes, need));
        if lanes == 0 {
            return None;
        }
        let turn = round.turn();
        let partner = (lanes.rotate_right(turn).trailing_zeros() + turn) as usize % LANES;
        let changes: [i16; LANES] = cast(changes);
        let leaves = there.wrapping_sub(own);
        Some((partner, changes[partner].wrapping_add(leaves)))
    }
}

#[inline(always)]
fn add(simd: V4, one: i16x16, other: i16x16) -> i16x16 {
    cast(simd.avx2._mm256_add_epi16(cast(one), cast(other)))
}

impl Narrow for Few {
    const SLOWER: i32 = Bounds::SLOWER;
    const STEP: u64 = Bounds::STEP;

    fn suits(layout: &Layout) -> bool {
        Bounds::suits(layout)
            && layout.groups() <= GROUPS
            && layout.bounds.iter().all(|bound| bound.1 as usize <= LANES)
            && layout.units() < BANK
            && V4::try_new().is_some()
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
        for (group, &members) in self.members.iter().enumerate() {
            for &unit in &self.table.units[group][..members] {
                group_of[usize::from(unit)] = group as u32;
            }
        }
    }

    fn stride(&self) -> usize {
        LIMITS - OFFSETS
    }

    fn round(walk: &mut NarrowWalk<'_, Self>, limits: &[i16], swaps: u64, rng: &mut ChaCha8Rng) -> u64 {
        let simd = V4::try_new().expect("a processor with AVX-512");
        simd.vectorize(Vectorized(simd, walk, limits, swaps, rng))
    }
}

impl Turning for Few {
    #[inline(always)]
    fn groups(&self) -> usize {
        self.members.len()
    }

    #[inline(always)]
    fn members(&self, group: usize) -> usize {
        self.members[group]
    }
}

impl Way<Few> for V4 {
    #[inline(always)]
    fn next_swap(self, state: &Few, round: &mut Round, limits: &[i16]) -> Option<Swap> {
        state.next_swap(self, round, limits)
    }

    #[inline(always)]
    fn swap(self, state: &mut Few, swap: Swap) {
        state.swap(self, swap);
    }
}
