//! The narrow scan for processors with AVX2, which cannot permute words by registers: a table of bytes is looked up in
//! banks of sixteen, low and high bytes of the moves apart.

use pulp::x86::V3;
use pulp::{bytemuck, cast, i8x16, i8x32, i16x16, u8x16, u8x32};

use super::loops::{Exchange, LANES, Scanner, Stretch, TABLE};

/// Entries of a table that one shuffle looks up.
const BANK: usize = 16;
/// Groups that two banks hold.
const FEW: usize = 2 * BANK;

impl Scanner for V3 {
    #[inline(always)]
    fn first_below(self, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
        if stretch.count <= FEW {
            first_of_blocks::<2>(self, moves, stretch, limits)
        } else {
            first_of_blocks::<{ TABLE / BANK }>(self, moves, stretch, limits)
        }
    }

    #[inline(always)]
    fn exchange(self, rows: Exchange<'_>) {
        exchange_vectors(self, rows);
    }
}

#[inline(always)]
fn first_of_blocks<const BANKS: usize>(
    simd: V3,
    moves: &[i16; TABLE],
    stretch: Stretch<'_>,
    limits: &[i16],
) -> Option<usize> {
    let (low, high) = (bytes::<BANKS>(moves, 0), bytes::<BANKS>(moves, 8));
    let (avx, avx2) = (simd.avx, simd.avx2);
    // Out of its bank, an index gets its highest bit set, of which a shuffle makes 0.
    let outside = avx._mm256_set1_epi8(0x70);
    let of_bank: [i8x32; BANKS] = core::array::from_fn(|bank| cast(avx._mm256_set1_epi8((bank * BANK) as i8)));
    let groups: &[u8x32] = bytemuck::cast_slice(stretch.groups);
    let joins: &[[i16x16; 2]] = bytemuck::cast_slice(stretch.joins);
    let costs: &[[u8x16; 2]] = bytemuck::cast_slice(stretch.costs);
    let limits: &[[i16x16; 2]] = bytemuck::cast_slice(&limits[..stretch.groups.len()]);
    // Which of sixteen lanes pass, as a mask of words.
    let passes = |moved, joins: i16x16, cost: u8x16, limit: i16x16| {
        let parted = avx2._mm256_slli_epi16::<1>(avx2._mm256_cvtepu8_epi16(cast(cost)));
        let change = avx2._mm256_sub_epi16(avx2._mm256_add_epi16(moved, cast(joins)), parted);
        avx2._mm256_cmpgt_epi16(cast(limit), change)
    };
    let blocks = groups.iter().zip(joins).zip(costs).zip(limits);
    for (block, (((groups, joins), costs), limits)) in blocks.enumerate() {
        // Bytes are put together to words within halves of a register: the middle quarters change places before.
        let groups = avx2._mm256_permute4x64_epi64::<0b11_01_10_00>(cast(*groups));
        let (mut lows, mut highs) = (avx._mm256_setzero_si256(), avx._mm256_setzero_si256());
        for bank in 0..BANKS {
            let index = avx2._mm256_adds_epu8(avx2._mm256_xor_si256(groups, cast(of_bank[bank])), outside);
            lows = avx2._mm256_or_si256(lows, avx2._mm256_shuffle_epi8(cast(low[bank]), index));
            highs = avx2._mm256_or_si256(highs, avx2._mm256_shuffle_epi8(cast(high[bank]), index));
        }
        let first = passes(avx2._mm256_unpacklo_epi8(lows, highs), joins[0], costs[0], limits[0]);
        let second = passes(avx2._mm256_unpackhi_epi8(lows, highs), joins[1], costs[1], limits[1]);
        let either = avx2._mm256_or_si256(first, second);
        if avx2._mm256_movemask_epi8(either) != 0 {
            // Two bits of a mask are one unit's.
            let masks = [first, second].map(|words| u64::from(avx2._mm256_movemask_epi8(words).cast_unsigned()));
            let found = masks[0] | masks[1] << LANES;
            return Some(block * LANES + found.trailing_zeros() as usize / 2);
        }
    }
    None
}

/// A byte of each move, from that bit on, by banks; a bank stands in both halves of a register.
#[inline(always)]
fn bytes<const BANKS: usize>(moves: &[i16; TABLE], from: u32) -> [i8x32; BANKS] {
    core::array::from_fn(|bank| {
        let half: [i8; BANK] = core::array::from_fn(|at| (moves[bank * BANK + at] >> from) as i8);
        let half: i8x16 = cast(half);
        cast([half, half])
    })
}

#[inline(always)]
fn exchange_vectors(simd: V3, rows: Exchange<'_>) {
    let (avx, avx2) = (simd.avx, simd.avx2);
    let [first, second] = rows.gains.map(bytemuck::cast_slice_mut::<i16, i16x16>);
    let [plus, minus] = rows.costs.map(bytemuck::cast_slice::<u8, u8x16>);
    let groups: &[u8x16] = bytemuck::cast_slice(rows.groups);
    let own: &mut [i16x16] = bytemuck::cast_slice_mut(rows.own);
    let joins: &mut [i16x16] = bytemuck::cast_slice_mut(rows.joins);
    let of = rows.of.map(i16::from);
    let (of_first, of_second) = (avx._mm256_set1_epi16(of[0]), avx._mm256_set1_epi16(of[1]));
    let blocks = first.iter_mut().zip(second).zip(plus.iter().zip(minus));
    for (((first, second), (plus, minus)), ((groups, own), joins)) in blocks.zip(groups.iter().zip(own).zip(joins)) {
        let plus = avx2._mm256_cvtepu8_epi16(cast(*plus));
        let change = avx2._mm256_sub_epi16(plus, avx2._mm256_cvtepu8_epi16(cast(*minus)));
        let in_first = avx2._mm256_add_epi16(cast(*first), change);
        let in_second = avx2._mm256_sub_epi16(cast(*second), change);
        let groups = avx2._mm256_cvtepu8_epi16(cast(*groups));
        let pays = avx2._mm256_blendv_epi8(cast(*own), in_first, avx2._mm256_cmpeq_epi16(groups, of_first));
        let pays = avx2._mm256_blendv_epi8(pays, in_second, avx2._mm256_cmpeq_epi16(groups, of_second));
        (*first, *second, *own) = (cast(in_first), cast(in_second), cast(pays));
        *joins = cast(avx2._mm256_sub_epi16(in_first, pays));
    }
}
