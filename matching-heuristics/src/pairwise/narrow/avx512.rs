//! The narrow scan for processors with AVX-512: what a unit would pay more in each group stays in two registers, and one
//! permutation of both looks 32 groups up.

use pulp::x86::V4;
use pulp::{bytemuck, cast, i16x32, u8x32};

use super::scan::{LANES, Scanner, Stretch, TABLE, exchange, first_from};

impl Scanner for V4 {
    #[inline(always)]
    fn first_below(self, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
        match first_of_vectors(self, moves, stretch, limits) {
            Ok(found) => Some(found),
            Err(looked) if looked == stretch.groups.len() => None,
            Err(looked) => first_from(looked, moves, stretch, limits),
        }
    }

    #[inline(always)]
    fn exchange_rows(self, group: &mut [i16], other: &mut [i16], plus: &[i16], minus: &[i16]) {
        exchange(group, other, plus, minus);
    }
}

/// Whole vectors of a slice; what is left over is not among them.
#[inline(always)]
fn vectors(entries: &[i16]) -> &[i16x32] {
    bytemuck::cast_slice(&entries[..entries.len() / LANES * LANES])
}

/// The first of the whole vectors of a stretch whose swap costs less than its limit, or how many units were looked at
/// without one.
#[inline(always)]
fn first_of_vectors(simd: V4, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Result<usize, usize> {
    let [low, high]: [i16x32; 2] = cast(*moves);
    let whole = stretch.groups.len() / LANES * LANES;
    let groups: &[u8x32] = bytemuck::cast_slice(&stretch.groups[..whole]);
    let (gains, own, costs) = (vectors(stretch.gains), vectors(stretch.own), vectors(stretch.costs));
    let limits = vectors(&limits[..whole]);
    let wide = simd.avx512bw;
    // Which lanes of a vector pass.
    let passes = |groups: u8x32, gains: i16x32, own: i16x32, cost: i16x32, limit: i16x32| {
        let groups = wide._mm512_cvtepu8_epi16(cast(groups));
        let moved = wide._mm512_permutex2var_epi16(cast(low), groups, cast(high));
        let kept = wide._mm512_sub_epi16(cast(gains), cast(own));
        let parted = wide._mm512_add_epi16(cast(cost), cast(cost));
        let change = wide._mm512_sub_epi16(wide._mm512_add_epi16(moved, kept), parted);
        wide._mm512_cmplt_epi16_mask(change, cast(limit))
    };
    // Pairs of vectors, then what may be left.
    let (groups, last) = groups.as_chunks::<2>();
    let (gains, last_gains) = gains.as_chunks::<2>();
    let (own, last_own) = own.as_chunks::<2>();
    let (costs, last_costs) = costs.as_chunks::<2>();
    let (limits, last_limits) = limits.as_chunks::<2>();
    let blocks = groups.iter().zip(gains).zip(own).zip(costs).zip(limits);
    let mut from = 0;
    for ((((groups, gains), own), costs), limits) in blocks {
        let first = passes(groups[0], gains[0], own[0], costs[0], limits[0]);
        let second = passes(groups[1], gains[1], own[1], costs[1], limits[1]);
        let found = u64::from(first) | u64::from(second) << LANES;
        if found != 0 {
            return Ok(from + found.trailing_zeros() as usize);
        }
        from += 2 * LANES;
    }
    if let (Some(groups), Some(gains), Some(own), Some(cost), Some(limit)) = (
        last.first(),
        last_gains.first(),
        last_own.first(),
        last_costs.first(),
        last_limits.first(),
    ) {
        let found = passes(*groups, *gains, *own, *cost, *limit);
        if found != 0 {
            return Ok(from + found.trailing_zeros() as usize);
        }
    }
    Err(whole)
}
