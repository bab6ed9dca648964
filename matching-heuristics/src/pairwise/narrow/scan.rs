//! One unit against a stretch of others, in 16 bits: see [`scan`](crate::pairwise::scan), of which this is the narrow copy
//! with twice as many units to a vector.

use multiversion::multiversion;

/// Units side by side.
pub(super) const LANES: usize = 32;
/// Entries of the table of moves: two vectors.
pub(super) const TABLE: usize = 64;
/// Groups at most. The last entry of the table is 0, for what lies behind the last unit.
pub(super) const MOST_GROUPS: usize = TABLE - 1;
/// What makes a swap look impossible: above every limit, even after twice the cost of a pair is taken off.
pub(super) const BLOCKED: i16 = 30_000;

/// The loops of a narrow annealing: for any processor, or for one.
pub(super) trait Scanner: Copy {
    /// The first of a stretch whose swap costs less than its limit. `moves[g]` is what the swapped unit would pay more in
    /// group `g`; there are at least as many limits as units.
    fn first_below(self, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize>;

    /// `plus` comes into one group and leaves the other, `minus` the other way: what everybody would pay in either.
    fn exchange_rows(self, group: &mut [i16], other: &mut [i16], plus: &[i16], minus: &[i16]);
}

/// Whatever the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Scanner for Portable {
    fn first_below(self, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
        first_in(moves, stretch, limits)
    }

    fn exchange_rows(self, group: &mut [i16], other: &mut [i16], plus: &[i16], minus: &[i16]) {
        exchange_anywhere(group, other, plus, minus);
    }
}

/// What a swap with each of a stretch of units is made of, one entry per unit.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// How many groups there are.
    pub(super) count: usize,
    /// The group of each.
    pub(super) groups: &'a [u8],
    /// What each would pay in the group of the unit that is swapped.
    pub(super) gains: &'a [i16],
    /// What each pays now.
    pub(super) own: &'a [i16],
    /// What each costs beside the unit that is swapped.
    pub(super) costs: &'a [i16],
}

impl<'a> Stretch<'a> {
    fn at(self, from: usize, len: usize) -> Self {
        Self {
            count: self.count,
            groups: &self.groups[from..from + len],
            gains: &self.gains[from..from + len],
            own: &self.own[from..from + len],
            costs: &self.costs[from..from + len],
        }
    }
}

/// What a swap changes, modulo 2^16.
#[inline(always)]
fn change(moved: i16, gain: i16, own: i16, cost: i16) -> i16 {
    moved
        .wrapping_add(gain)
        .wrapping_sub(own)
        .wrapping_sub(cost.wrapping_add(cost))
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn first_in(moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
    let len = stretch.groups.len();
    let mut from = 0;
    while from + LANES <= len {
        let part = stretch.at(from, LANES);
        let (Some(groups), Some(gains), Some(own), Some(costs), Some(limit)) = (
            part.groups.first_chunk::<LANES>(),
            part.gains.first_chunk::<LANES>(),
            part.own.first_chunk::<LANES>(),
            part.costs.first_chunk::<LANES>(),
            limits[from..].first_chunk::<LANES>(),
        ) else {
            break;
        };
        let mut passes = 0;
        for lane in 0..LANES {
            let moved = moves[groups[lane] as usize & (TABLE - 1)];
            let change = change(moved, gains[lane], own[lane], costs[lane]);
            passes |= i16::from(change < limit[lane]);
        }
        if passes != 0 {
            break;
        }
        from += LANES;
    }
    first_from(from, moves, stretch, limits)
}

/// One by one, from one on.
pub(super) fn first_from(from: usize, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
    let rest = stretch.at(from, stretch.groups.len() - from);
    let pays = rest.gains.iter().zip(rest.own).zip(rest.costs);
    rest.groups
        .iter()
        .zip(pays)
        .zip(&limits[from..])
        .position(|((&group, ((&gain, &own), &cost)), &limit)| change(moves[group as usize], gain, own, cost) < limit)
        .map(|at| from + at)
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn exchange_anywhere(group: &mut [i16], other: &mut [i16], plus: &[i16], minus: &[i16]) {
    exchange(group, other, plus, minus);
}

#[inline(always)]
pub(super) fn exchange(group: &mut [i16], other: &mut [i16], plus: &[i16], minus: &[i16]) {
    let changes = plus.iter().zip(minus);
    for ((group, other), (plus, minus)) in group.iter_mut().zip(other).zip(changes) {
        let change = plus.wrapping_sub(*minus);
        *group = group.wrapping_add(change);
        *other = other.wrapping_sub(change);
    }
}

/// `row` comes into a group.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
pub(super) fn add_row(group: &mut [i16], row: &[i16]) {
    for (group, entry) in group.iter_mut().zip(row) {
        *group = group.wrapping_add(*entry);
    }
}
