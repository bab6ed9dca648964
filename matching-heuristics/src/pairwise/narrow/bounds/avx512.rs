//! The narrow scan for processors with AVX-512, which look numbers up in two registers at once.
//!
//! A swap asks for the costs of two units beside all others in the order of slots. Two registers hold what comes of it
//! for 64 units, so eight look-ups find 32 of them among 480. Where bytes can be looked up and are enough, that is
//! faster ([`vbmi`]).

use pulp::x86::V4;
use pulp::{bytemuck, cast, i16x16, i16x32, u8x32, u16x32};

use super::loops::{Exchange, LANES, SIDE, Scanner, exchange};
use super::{avx2, loops, vbmi};

/// Units beyond which it is as soon done one by one.
pub(super) const MOST_UNITS: usize = 2048;
/// Units whose numbers of 16 bits are in two registers.
const BANK: usize = 64;

impl Scanner for V4 {
    type Vector = i16x32;

    #[inline(always)]
    fn load(self, numbers: &[i16; LANES]) -> i16x32 {
        cast(*numbers)
    }

    #[inline(always)]
    fn splat(self, number: i16) -> i16x32 {
        splat(number)
    }

    #[inline(always)]
    fn add(self, one: i16x32, other: i16x32) -> i16x32 {
        cast(self.avx512bw._mm512_add_epi16(cast(one), cast(other)))
    }

    #[inline(always)]
    fn sub(self, one: i16x32, other: i16x32) -> i16x32 {
        cast(self.avx512bw._mm512_sub_epi16(cast(one), cast(other)))
    }

    #[inline(always)]
    fn min(self, one: i16x32, other: i16x32) -> i16x32 {
        cast(self.avx512bw._mm512_min_epi16(cast(one), cast(other)))
    }

    #[inline(always)]
    fn max(self, one: i16x32, other: i16x32) -> i16x32 {
        cast(self.avx512bw._mm512_max_epi16(cast(one), cast(other)))
    }

    #[inline(always)]
    fn least(self, numbers: i16x32) -> i16x32 {
        let halves: [i16x16; 2] = cast(numbers);
        let sixteen = self.avx2._mm256_min_epi16(cast(halves[0]), cast(halves[1]));
        let least = avx2::least(self.sse2, self.sse4_1, cast(sixteen));
        cast(self.avx512bw._mm512_broadcastw_epi16(cast(least)))
    }

    #[inline(always)]
    fn below(self, one: i16x32, other: i16x32) -> u32 {
        self.avx512bw._mm512_cmplt_epi16_mask(cast(one), cast(other))
    }

    #[inline(always)]
    fn costs(self, of_units: &[u8; loops::BANK], units: &[u16; LANES]) -> Option<i16x32> {
        Some(looked_up(self, of_bank(self, of_units), cast(*units)))
    }

    #[inline(always)]
    fn exchange(self, rows: Exchange<'_>) {
        if let Some(lookup) = &rows.slots.lookup {
            vbmi::exchange_bytes(rows, lookup);
        } else if rows.costs[0].len() > MOST_UNITS {
            exchange(rows);
        } else {
            exchange_vectors(self, rows);
        }
    }
}

/// Costs beside all units of a bank, in 16 bits.
#[inline(always)]
pub(super) fn of_bank(simd: V4, costs: &[u8; loops::BANK]) -> [i16x32; 4] {
    let quarters: &[u8x32; 4] = bytemuck::cast_ref(costs);
    let mut of_units = [splat(0); 4];
    for quarter in 0..4 {
        of_units[quarter] = cast(simd.avx512bw._mm512_cvtepu8_epi16(cast(quarters[quarter])));
    }
    of_units
}

/// The numbers of some units of a bank.
#[inline(always)]
pub(super) fn looked_up(simd: V4, of_units: [i16x32; 4], units: u16x32) -> i16x32 {
    let wide = simd.avx512bw;
    let low = wide._mm512_permutex2var_epi16(cast(of_units[0]), cast(units), cast(of_units[1]));
    let high = wide._mm512_permutex2var_epi16(cast(of_units[2]), cast(units), cast(of_units[3]));
    let is_high = wide._mm512_test_epi16_mask(cast(units), cast(splat(BANK as i16)));
    cast(wide._mm512_mask_mov_epi16(low, is_high, high))
}

#[inline(always)]
pub(super) fn exchange_vectors(simd: V4, rows: Exchange<'_>) {
    let wide = simd.avx512bw;
    let [first, second] = rows.gains.map(bytemuck::cast_slice_mut::<i16, i16x32>);
    let [plus, minus] = rows.costs.map(bytemuck::cast_slice::<u8, u8x32>);
    let units: &[u16x32] = bytemuck::cast_slice(&rows.slots.units);
    let of_units: &mut [i16x32] = bytemuck::cast_slice_mut(rows.parted.0);
    for (parted, (plus, minus)) in of_units.iter_mut().zip(plus.iter().zip(minus)) {
        let plus = wide._mm512_cvtepu8_epi16(cast(*plus));
        *parted = cast(wide._mm512_sub_epi16(plus, wide._mm512_cvtepu8_epi16(cast(*minus))));
    }
    let (banks, _) = of_units.as_chunks::<2>();
    let (first, second) = (first.as_chunks_mut::<SIDE>().0, second.as_chunks_mut::<SIDE>().0);
    for ((first, second), units) in first.iter_mut().zip(second).zip(units.as_chunks::<SIDE>().0) {
        let (mut bank_of, mut parted) = ([splat(0); SIDE], units.map(cast::<u16x32, i16x32>));
        for at in 0..SIDE {
            bank_of[at] = cast(wide._mm512_srli_epi16::<{ BANK.ilog2() }>(cast(units[at])));
        }
        // A unit's number is where it is looked up, and makes place for what is found there.
        for (bank, [low, high]) in banks.iter().enumerate() {
            let bank = splat(bank as i16);
            for at in 0..SIDE {
                let is_in = wide._mm512_cmpeq_epi16_mask(cast(bank_of[at]), cast(bank));
                parted[at] =
                    cast(wide._mm512_mask2_permutex2var_epi16(cast(*low), cast(parted[at]), is_in, cast(*high)));
            }
        }
        for at in 0..SIDE {
            first[at] = cast(wide._mm512_add_epi16(cast(first[at]), cast(parted[at])));
            second[at] = cast(wide._mm512_sub_epi16(cast(second[at]), cast(parted[at])));
        }
    }
}

#[inline(always)]
fn splat(number: i16) -> i16x32 {
    cast([number; LANES])
}
