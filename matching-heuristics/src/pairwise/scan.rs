//! One unit against a stretch of others: the loop in which nearly all time goes.
//!
//! Plain Rust over arrays of fixed length, which the compiler turns into vector code; `multiversion` picks the widest
//! version at run time. [`wide`](super::wide) has a version for the widest processors.

use multiversion::multiversion;

/// Units side by side.
pub(super) const LANES: usize = 16;
/// What makes a swap within one group look impossible.
pub(super) const BLOCKED: i32 = 1 << 29;
/// Groups whose table of moves fits the registers of [`wide`](super::wide).
pub(super) const FEW: usize = 32;

/// The loops of an annealing: for any processor, or for one.
pub(super) trait Scanner: Copy {
    /// The first of a stretch whose swap costs less than its limit. `moves[g]` is what the swapped unit would pay more
    /// in group `g`; there are at least as many limits as units.
    fn first_below(self, moves: &[i32], stretch: Stretch<'_>, limits: &[i32]) -> Option<usize>;

    /// `plus` comes into one group and leaves the other, `minus` the other way: what everybody would pay in either.
    fn exchange_rows(self, group: &mut [i32], other: &mut [i32], plus: &[i32], minus: &[i32]);
}

/// Whatever the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Scanner for Portable {
    fn first_below(self, moves: &[i32], stretch: Stretch<'_>, limits: &[i32]) -> Option<usize> {
        match moves.len() {
            FEW => first_in(moves.first_chunk::<FEW>()?, stretch, limits),
            128 => first_in(moves.first_chunk::<128>()?, stretch, limits),
            1024 => first_in(moves.first_chunk::<1024>()?, stretch, limits),
            _ => first_of_many(moves, stretch, limits),
        }
    }

    fn exchange_rows(self, group: &mut [i32], other: &mut [i32], plus: &[i32], minus: &[i32]) {
        exchange_anywhere(group, other, plus, minus);
    }
}

/// What a swap with each of a stretch of units is made of, one entry per unit.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// The group of each.
    pub(super) groups: &'a [u32],
    /// What each would pay in the group of the unit that is swapped.
    pub(super) gains: &'a [i32],
    /// What each pays now.
    pub(super) own: &'a [i32],
    /// What each costs beside the unit that is swapped.
    pub(super) costs: &'a [i32],
    /// How many of the two groups of a swap have costs: all but the bench.
    pub(super) sides: i32,
}

impl<'a> Stretch<'a> {
    fn at(self, from: usize, len: usize) -> Self {
        Self {
            groups: &self.groups[from..from + len],
            gains: &self.gains[from..from + len],
            own: &self.own[from..from + len],
            costs: &self.costs[from..from + len],
            sides: self.sides,
        }
    }
}

/// Entries of a table of moves for that many groups.
pub(super) fn table_len(groups: usize) -> usize {
    [FEW, 128, 1024]
        .into_iter()
        .find(|&len| groups <= len)
        .unwrap_or(groups)
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn first_in<const N: usize>(moves: &[i32; N], stretch: Stretch<'_>, limits: &[i32]) -> Option<usize> {
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
        // The sign bit of `signs` is set if any swap is below its limit.
        let mut signs = 0;
        for lane in 0..LANES {
            let change = moves[groups[lane] as usize & (N - 1)]
                .wrapping_add(gains[lane])
                .wrapping_sub(own[lane])
                .wrapping_sub(costs[lane].wrapping_mul(stretch.sides));
            signs |= change.wrapping_sub(limit[lane]);
        }
        if signs < 0 {
            break;
        }
        from += LANES;
    }
    first_from(from, moves, stretch, limits)
}

/// One by one, from one on.
pub(super) fn first_from(from: usize, moves: &[i32], stretch: Stretch<'_>, limits: &[i32]) -> Option<usize> {
    let rest = stretch.at(from, stretch.groups.len() - from);
    first_of_many(moves, rest, &limits[from..]).map(|at| from + at)
}

/// One by one.
fn first_of_many(moves: &[i32], stretch: Stretch<'_>, limits: &[i32]) -> Option<usize> {
    let pays = stretch.gains.iter().zip(stretch.own).zip(stretch.costs);
    stretch
        .groups
        .iter()
        .zip(pays)
        .zip(limits)
        .position(|((&group, ((gain, own), cost)), limit)| {
            moves[group as usize] + gain - own - stretch.sides * cost < *limit
        })
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn exchange_anywhere(group: &mut [i32], other: &mut [i32], plus: &[i32], minus: &[i32]) {
    exchange(group, other, plus, minus);
}

#[inline(always)]
pub(super) fn exchange(group: &mut [i32], other: &mut [i32], plus: &[i32], minus: &[i32]) {
    let changes = plus.iter().zip(minus);
    for ((group, other), (plus, minus)) in group.iter_mut().zip(other).zip(changes) {
        let change = plus.wrapping_sub(*minus);
        *group = group.wrapping_add(change);
        *other = other.wrapping_sub(change);
    }
}

/// `row` comes into a group, or leaves it.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
pub(super) fn add_row(group: &mut [i32], row: &[i32], sign: i32) {
    for (group, entry) in group.iter_mut().zip(row) {
        *group = group.wrapping_add(entry.wrapping_mul(sign));
    }
}
