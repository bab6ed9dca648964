//! One unit against a stretch of others, in 16 bits: see [`scan`](crate::pairwise::scan), of which this is the narrow
//! copy with twice as many units to a vector and three reads less a unit.

use multiversion::multiversion;

/// Units side by side: stretches are whole multiples.
pub(super) const LANES: usize = 32;
/// Entries of the table of moves: two vectors.
pub(super) const TABLE: usize = 64;
/// Groups at most. The last entry of the table is 0, for units that do not move.
pub(in crate::pairwise::narrow) const MOST_GROUPS: usize = TABLE - 1;

/// The loops of a narrow annealing: for any processor, or for one.
pub(super) trait Scanner: Copy {
    /// The first of a stretch whose swap costs less than its limit. `moves[g]` is what the swapped unit would pay more
    /// in group `g`; there are at least as many limits as units.
    fn first_below(self, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize>;

    /// Brings all that is kept of two groups to what it is after a swap between them.
    fn exchange(self, rows: Exchange<'_>);
}

/// Whatever the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Scanner for Portable {
    fn first_below(self, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
        first_in(moves, stretch, limits)
    }

    fn exchange(self, rows: Exchange<'_>) {
        exchange_anywhere(rows);
    }
}

/// What a swap with each of a stretch of units is made of, one entry per unit.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// How many groups there are.
    pub(super) count: usize,
    /// The group of each.
    pub(super) groups: &'a [u8],
    /// What each would pay more in the group of the unit that is swapped.
    pub(super) joins: &'a [i16],
    /// What each costs beside the unit that is swapped.
    pub(super) costs: &'a [u8],
}

/// What changes with a swap, one entry per unit.
pub(super) struct Exchange<'a> {
    /// The numbers of the two groups.
    pub(super) of: [u8; 2],
    /// The group of each unit, after the swap.
    pub(super) groups: &'a [u8],
    /// What each would pay in the two groups.
    pub(super) gains: [&'a mut [i16]; 2],
    /// Costs beside who comes into the first group and leaves the second, and beside who goes the other way.
    pub(super) costs: [&'a [u8]; 2],
    /// What each pays now.
    pub(super) own: &'a mut [i16],
    /// What each would pay more in the first group.
    pub(super) joins: &'a mut [i16],
}

/// What a swap changes, modulo 2^16.
#[inline(always)]
fn change(moved: i16, joins: i16, cost: u8) -> i16 {
    moved.wrapping_add(joins).wrapping_sub(2 * i16::from(cost))
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn first_in(moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
    let (groups, _) = stretch.groups.as_chunks::<LANES>();
    let (joins, _) = stretch.joins.as_chunks::<LANES>();
    let (costs, _) = stretch.costs.as_chunks::<LANES>();
    let (limits, _) = limits.as_chunks::<LANES>();
    let blocks = groups.iter().zip(joins).zip(costs).zip(limits);
    for (block, (((groups, joins), costs), limits)) in blocks.enumerate() {
        let mut passes = [false; LANES];
        for lane in 0..LANES {
            let moved = moves[groups[lane] as usize & (TABLE - 1)];
            passes[lane] = change(moved, joins[lane], costs[lane]) < limits[lane];
        }
        if passes.contains(&true) {
            let lane = passes.iter().position(|&passes| passes)?;
            return Some(block * LANES + lane);
        }
    }
    None
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn exchange_anywhere(rows: Exchange<'_>) {
    let [first, second] = rows.gains.map(|gains| gains.as_chunks_mut::<LANES>().0);
    let [plus, minus] = rows.costs.map(|costs| costs.as_chunks::<LANES>().0);
    let (groups, _) = rows.groups.as_chunks::<LANES>();
    let (own, _) = rows.own.as_chunks_mut::<LANES>();
    let (joins, _) = rows.joins.as_chunks_mut::<LANES>();
    let blocks = first.iter_mut().zip(second).zip(plus).zip(minus);
    for ((((first, second), plus), minus), ((groups, own), joins)) in blocks.zip(groups.iter().zip(own).zip(joins)) {
        for lane in 0..LANES {
            let change = i16::from(plus[lane]) - i16::from(minus[lane]);
            first[lane] = first[lane].wrapping_add(change);
            second[lane] = second[lane].wrapping_sub(change);
            let elsewhere = if groups[lane] == rows.of[1] {
                second[lane]
            } else {
                own[lane]
            };
            own[lane] = if groups[lane] == rows.of[0] {
                first[lane]
            } else {
                elsewhere
            };
            joins[lane] = first[lane].wrapping_sub(own[lane]);
        }
    }
}

/// What each would pay more in a group.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
pub(super) fn load_joins(joins: &mut [i16], gains: &[i16], own: &[i16]) {
    for (joins, (gain, own)) in joins.iter_mut().zip(gains.iter().zip(own)) {
        *joins = gain.wrapping_sub(*own);
    }
}
