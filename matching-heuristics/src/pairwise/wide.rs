//! The scan for processors with AVX-512: what a unit would pay more in each group stays in two registers.
//!
//! Compilers turn a look-up by group into sixteen loads. With up to 32 groups, one permutation of two registers does
//! the same; that is worth a version of its own. `pulp` makes the instructions safe to call: its token proves that the
//! processor has them.

use pulp::x86::V4;
use pulp::{Simd, cast, i32x16, u32x16};

use super::scan::{FEW, LANES, Scanner, Stretch, exchange, first_from};

/// Vectors between two looks at what was found.
const VECTORS: usize = 4;

impl Scanner for V4 {
    #[inline(always)]
    fn first_below(self, moves: &[i32], stretch: Stretch<'_>, limits: &[i32]) -> Option<usize> {
        match first_of_vectors(self, moves.first_chunk::<FEW>()?, stretch, limits) {
            Ok(found) => Some(found),
            Err(looked) if looked == stretch.groups.len() => None,
            Err(looked) => first_from(looked, moves, stretch, limits),
        }
    }

    #[inline(always)]
    fn exchange_rows(self, group: &mut [i32], other: &mut [i32], plus: &[i32], minus: &[i32]) {
        exchange(group, other, plus, minus);
    }
}

/// The first of the whole vectors of a stretch whose swap costs less than its limit, or how many units were looked at
/// without one.
#[inline(always)]
fn first_of_vectors(simd: V4, moves: &[i32; FEW], stretch: Stretch<'_>, limits: &[i32]) -> Result<usize, usize> {
    let (tables, _) = V4::as_simd_i32s(moves);
    let (low, high) = (cast(tables[0]), cast(tables[1]));
    let (groups, _) = V4::as_simd_u32s(stretch.groups);
    let (gains, _) = V4::as_simd_i32s(stretch.gains);
    let (own, _) = V4::as_simd_i32s(stretch.own);
    let (costs, _) = V4::as_simd_i32s(stretch.costs);
    let (limits, _) = V4::as_simd_i32s(limits);
    let wide = simd.avx512f;
    let is_doubled = stretch.sides == 2;
    // Which lanes of a vector pass.
    let passes = |groups: u32x16, gains: i32x16, own: i32x16, costs: i32x16, limit: i32x16| {
        let moved = wide._mm512_permutex2var_epi32(low, cast(groups), high);
        let cost = cast(costs);
        let cost = if is_doubled {
            wide._mm512_add_epi32(cost, cost)
        } else {
            cost
        };
        let kept = wide._mm512_sub_epi32(cast(gains), cast(own));
        let change = wide._mm512_sub_epi32(wide._mm512_add_epi32(moved, kept), cost);
        wide._mm512_cmplt_epi32_mask(change, cast(limit))
    };
    let blocks = groups
        .chunks(VECTORS)
        .zip(gains.chunks(VECTORS))
        .zip(own.chunks(VECTORS));
    let blocks = blocks.zip(costs.chunks(VECTORS)).zip(limits.chunks(VECTORS));
    for (block, ((((groups, gains), own), costs), limits)) in blocks.enumerate() {
        let mut found = 0_u64;
        for (at, ((((groups, gains), own), costs), limit)) in
            groups.iter().zip(gains).zip(own).zip(costs).zip(limits).enumerate()
        {
            found |= u64::from(passes(*groups, *gains, *own, *costs, *limit)) << (LANES * at);
        }
        if found != 0 {
            return Ok(block * VECTORS * LANES + found.trailing_zeros() as usize);
        }
    }
    Err(groups.len() * LANES)
}
