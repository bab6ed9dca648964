//! The narrow scan for processors with AVX-512: what a unit would pay more in each group stays in two registers, and
//! one permutation of both looks 32 groups up.

use pulp::x86::V4;
use pulp::{bytemuck, cast, i16x32, u8x32};

use super::loops::{Exchange, LANES, Scanner, Stretch, TABLE};

impl Scanner for V4 {
    #[inline(always)]
    fn first_below(self, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
        first_of_vectors(self, moves, stretch, limits)
    }

    #[inline(always)]
    fn exchange(self, rows: Exchange<'_>) {
        exchange_vectors(self, rows);
    }
}

#[inline(always)]
fn first_of_vectors(simd: V4, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
    let [low, high]: [i16x32; 2] = cast(*moves);
    let groups: &[u8x32] = bytemuck::cast_slice(stretch.groups);
    let joins: &[i16x32] = bytemuck::cast_slice(stretch.joins);
    let costs: &[u8x32] = bytemuck::cast_slice(stretch.costs);
    let limits: &[i16x32] = bytemuck::cast_slice(&limits[..stretch.groups.len()]);
    let wide = simd.avx512bw;
    // Which lanes of a vector pass.
    let passes = |groups: u8x32, joins: i16x32, cost: u8x32, limit: i16x32| {
        let groups = wide._mm512_cvtepu8_epi16(cast(groups));
        let moved = wide._mm512_permutex2var_epi16(cast(low), groups, cast(high));
        let parted = wide._mm512_slli_epi16::<1>(wide._mm512_cvtepu8_epi16(cast(cost)));
        let change = wide._mm512_sub_epi16(wide._mm512_add_epi16(moved, cast(joins)), parted);
        wide._mm512_cmplt_epi16_mask(change, cast(limit))
    };
    // Pairs of vectors, then what may be left.
    let (groups, last) = groups.as_chunks::<2>();
    let (joins, last_joins) = joins.as_chunks::<2>();
    let (costs, last_costs) = costs.as_chunks::<2>();
    let (limits, last_limits) = limits.as_chunks::<2>();
    let mut from = 0;
    for (((groups, joins), costs), limits) in groups.iter().zip(joins).zip(costs).zip(limits) {
        let first = passes(groups[0], joins[0], costs[0], limits[0]);
        let second = passes(groups[1], joins[1], costs[1], limits[1]);
        let found = u64::from(first) | u64::from(second) << LANES;
        if found != 0 {
            return Some(from + found.trailing_zeros() as usize);
        }
        from += 2 * LANES;
    }
    let found = passes(
        *last.first()?,
        *last_joins.first()?,
        *last_costs.first()?,
        *last_limits.first()?,
    );
    (found != 0).then(|| from + found.trailing_zeros() as usize)
}

#[inline(always)]
fn exchange_vectors(simd: V4, rows: Exchange<'_>) {
    let wide = simd.avx512bw;
    let [first, second] = rows.gains.map(bytemuck::cast_slice_mut::<i16, i16x32>);
    let [plus, minus] = rows.costs.map(bytemuck::cast_slice::<u8, u8x32>);
    let groups: &[u8x32] = bytemuck::cast_slice(rows.groups);
    let own: &mut [i16x32] = bytemuck::cast_slice_mut(rows.own);
    let joins: &mut [i16x32] = bytemuck::cast_slice_mut(rows.joins);
    let [of_first, of_second] = rows.of.map(|group| cast([i16::from(group); LANES]));
    let blocks = first.iter_mut().zip(second).zip(plus.iter().zip(minus));
    for (((first, second), (plus, minus)), ((groups, own), joins)) in blocks.zip(groups.iter().zip(own).zip(joins)) {
        let plus = wide._mm512_cvtepu8_epi16(cast(*plus));
        let change = wide._mm512_sub_epi16(plus, wide._mm512_cvtepu8_epi16(cast(*minus)));
        let in_first = wide._mm512_add_epi16(cast(*first), change);
        let in_second = wide._mm512_sub_epi16(cast(*second), change);
        let groups = wide._mm512_cvtepu8_epi16(cast(*groups));
        let pays = wide._mm512_mask_mov_epi16(cast(*own), wide._mm512_cmpeq_epi16_mask(groups, of_first), in_first);
        let pays = wide._mm512_mask_mov_epi16(pays, wide._mm512_cmpeq_epi16_mask(groups, of_second), in_second);
        (*first, *second, *own) = (cast(in_first), cast(in_second), cast(pays));
        *joins = cast(wide._mm512_sub_epi16(in_first, pays));
    }
}
