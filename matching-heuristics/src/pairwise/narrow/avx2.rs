//! The narrow scan for processors with AVX2, which cannot permute words by registers: a table of bytes is looked up in
//! banks of sixteen, low and high bytes of the moves apart.

use pulp::x86::V3;
use pulp::{bytemuck, cast, i8x16, i8x32, i16x16, u8x32};

use super::scan::{LANES, Scanner, Stretch, TABLE, exchange, first_from};

/// Entries of a table that one shuffle looks up.
const BANK: usize = 16;
/// Groups that two banks hold.
const FEW: usize = 2 * BANK;

impl Scanner for V3 {
    #[inline(always)]
    fn first_below(self, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> Option<usize> {
        let looked = if stretch.count <= FEW {
            blocks_without::<2>(self, moves, stretch, limits)
        } else {
            blocks_without::<{ TABLE / BANK }>(self, moves, stretch, limits)
        };
        if looked == stretch.groups.len() {
            None
        } else {
            first_from(looked, moves, stretch, limits)
        }
    }

    #[inline(always)]
    fn exchange_rows(self, group: &mut [i16], other: &mut [i16], plus: &[i16], minus: &[i16]) {
        exchange(group, other, plus, minus);
    }
}

/// How many units stand in whole blocks before the first block with a swap that costs less than its limit.
#[inline(always)]
fn blocks_without<const BANKS: usize>(simd: V3, moves: &[i16; TABLE], stretch: Stretch<'_>, limits: &[i16]) -> usize {
    let (low, high) = (bytes::<BANKS>(moves, 0), bytes::<BANKS>(moves, 8));
    let (avx, avx2) = (simd.avx, simd.avx2);
    // Out of its bank, an index gets its highest bit set, of which a shuffle makes 0.
    let outside = avx._mm256_set1_epi8(0x70);
    let of_bank: [i8x32; BANKS] = core::array::from_fn(|bank| cast(avx._mm256_set1_epi8((bank * BANK) as i8)));
    let whole = stretch.groups.len() / LANES * LANES;
    let groups: &[u8x32] = bytemuck::cast_slice(&stretch.groups[..whole]);
    let (gains, own, costs) = (pairs(stretch.gains), pairs(stretch.own), pairs(stretch.costs));
    let limits = pairs(&limits[..whole]);
    // Which of sixteen lanes pass, as a mask of words.
    let passes = |moved, gains: i16x16, own: i16x16, cost: i16x16, limit: i16x16| {
        let kept = avx2._mm256_sub_epi16(cast(gains), cast(own));
        let parted = avx2._mm256_add_epi16(cast(cost), cast(cost));
        let change = avx2._mm256_sub_epi16(avx2._mm256_add_epi16(moved, kept), parted);
        avx2._mm256_cmpgt_epi16(cast(limit), change)
    };
    let blocks = groups.iter().zip(gains).zip(own).zip(costs).zip(limits);
    for (block, ((((groups, gains), own), costs), limits)) in blocks.enumerate() {
        // Bytes are put together to words within halves of a register: the middle quarters change places before.
        let groups = avx2._mm256_permute4x64_epi64::<0b11_01_10_00>(cast(*groups));
        let (mut lows, mut highs) = (avx._mm256_setzero_si256(), avx._mm256_setzero_si256());
        for bank in 0..BANKS {
            let index = avx2._mm256_adds_epu8(avx2._mm256_xor_si256(groups, cast(of_bank[bank])), outside);
            lows = avx2._mm256_or_si256(lows, avx2._mm256_shuffle_epi8(cast(low[bank]), index));
            highs = avx2._mm256_or_si256(highs, avx2._mm256_shuffle_epi8(cast(high[bank]), index));
        }
        let first = avx2._mm256_unpacklo_epi8(lows, highs);
        let second = avx2._mm256_unpackhi_epi8(lows, highs);
        let found = avx2._mm256_or_si256(
            passes(first, gains[0], own[0], costs[0], limits[0]),
            passes(second, gains[1], own[1], costs[1], limits[1]),
        );
        if avx2._mm256_movemask_epi8(found) != 0 {
            return block * LANES;
        }
    }
    whole
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

/// Whole blocks of a slice, of two vectors each; what is left over is not among them.
#[inline(always)]
fn pairs(entries: &[i16]) -> &[[i16x16; 2]] {
    bytemuck::cast_slice(&entries[..entries.len() / LANES * LANES])
}
