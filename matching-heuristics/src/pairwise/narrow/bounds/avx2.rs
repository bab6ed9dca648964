//! The narrow scan for processors with AVX2: sixteen numbers to a vector, two vectors side by side.

use pulp::core_arch::x86::{Sse2, Sse4_1};
use pulp::x86::V3;
use pulp::{bytemuck, cast, i16x8, i16x16};

use super::loops::{Exchange, LANES, Scanner, exchange};

/// To what comes first in signed order, and back.
const SIGN: i16 = i16::MIN;

impl Scanner for V3 {
    type Vector = [i16x16; 2];

    #[inline(always)]
    fn load(self, numbers: &[i16; LANES]) -> [i16x16; 2] {
        bytemuck::cast(*numbers)
    }

    #[inline(always)]
    fn splat(self, number: i16) -> [i16x16; 2] {
        [cast(self.avx._mm256_set1_epi16(number)); 2]
    }

    #[inline(always)]
    fn add(self, one: [i16x16; 2], other: [i16x16; 2]) -> [i16x16; 2] {
        [
            cast(self.avx2._mm256_add_epi16(cast(one[0]), cast(other[0]))),
            cast(self.avx2._mm256_add_epi16(cast(one[1]), cast(other[1]))),
        ]
    }

    #[inline(always)]
    fn sub(self, one: [i16x16; 2], other: [i16x16; 2]) -> [i16x16; 2] {
        [
            cast(self.avx2._mm256_sub_epi16(cast(one[0]), cast(other[0]))),
            cast(self.avx2._mm256_sub_epi16(cast(one[1]), cast(other[1]))),
        ]
    }

    #[inline(always)]
    fn min(self, one: [i16x16; 2], other: [i16x16; 2]) -> [i16x16; 2] {
        [
            cast(self.avx2._mm256_min_epi16(cast(one[0]), cast(other[0]))),
            cast(self.avx2._mm256_min_epi16(cast(one[1]), cast(other[1]))),
        ]
    }

    #[inline(always)]
    fn max(self, one: [i16x16; 2], other: [i16x16; 2]) -> [i16x16; 2] {
        [
            cast(self.avx2._mm256_max_epi16(cast(one[0]), cast(other[0]))),
            cast(self.avx2._mm256_max_epi16(cast(one[1]), cast(other[1]))),
        ]
    }

    #[inline(always)]
    fn least(self, numbers: [i16x16; 2]) -> [i16x16; 2] {
        let sixteen = self.avx2._mm256_min_epi16(cast(numbers[0]), cast(numbers[1]));
        let least = least(self.sse2, self.sse4_1, cast(sixteen));
        [cast(self.avx2._mm256_broadcastw_epi16(cast(least))); 2]
    }

    #[inline(always)]
    fn below(self, one: [i16x16; 2], other: [i16x16; 2]) -> u32 {
        let avx2 = self.avx2;
        let first = avx2._mm256_cmpgt_epi16(cast(other[0]), cast(one[0]));
        let second = avx2._mm256_cmpgt_epi16(cast(other[1]), cast(one[1]));
        // Words become bytes within halves of a register: the middle quarters change places afterwards.
        let bytes = avx2._mm256_permute4x64_epi64::<0b11_01_10_00>(avx2._mm256_packs_epi16(first, second));
        avx2._mm256_movemask_epi8(bytes).cast_unsigned()
    }

    #[inline(always)]
    fn exchange(self, rows: Exchange<'_>) {
        exchange(rows);
    }
}

/// The least of sixteen, in the first lane.
#[inline(always)]
pub(super) fn least(sse2: Sse2, sse4_1: Sse4_1, numbers: i16x16) -> i16x8 {
    let halves: [i16x8; 2] = cast(numbers);
    let eight = sse2._mm_min_epi16(cast(halves[0]), cast(halves[1]));
    // The processor finds the least of eight numbers without a sign.
    let sign = sse2._mm_set1_epi16(SIGN);
    let shifted = sse2._mm_xor_si128(eight, sign);
    cast(sse2._mm_xor_si128(sse4_1._mm_minpos_epu16(shifted), sign))
}
