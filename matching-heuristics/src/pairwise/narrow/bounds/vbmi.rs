//! A swap that is made, for processors that look bytes up in two registers at once (AVX-512 VBMI).
//!
//! Two registers hold what one unit costs beside 128 others, so that four look-ups find 64 of 480 numbers for one unit: eight for
//! both, where their difference in 16 bits takes sixteen, and is made beforehand.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_cmpeq_epi8_mask, _mm512_cvtepu8_epi16, _mm512_mask2_permutex2var_epi8,
    _mm512_permutex2var_epi8, _mm512_set1_epi8, _mm512_srli_epi16, _mm512_sub_epi16,
};

use multiversion::multiversion;
use multiversion::target::match_target;
use pulp::{bytemuck, cast, u8x32};

use super::loops::{BANK, Exchange, exchange};

/// Whether this processor has what it takes.
pub(super) fn is_available() -> bool {
    std::arch::is_x86_feature_detected!("avx512bw") && std::arch::is_x86_feature_detected!("avx512vbmi")
}

/// [`Scanner::exchange`](super::loops::Scanner::exchange).
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vbmi"))]
pub(super) fn exchange_bytes(rows: Exchange<'_>) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vbmi" => by_bytes(rows),
        _ => exchange(rows),
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn by_bytes(rows: Exchange<'_>) {
    let [first, second] = rows.gains.map(bytemuck::cast_slice_mut::<i16, [__m512i; 2]>);
    let [plus, minus] = rows.costs.map(bytemuck::cast_slice::<u8, [__m512i; 2]>);
    let units: &[[__m512i; 2]] = bytemuck::cast_slice(&rows.slots.units);
    let low: __m512i = cast(core::array::from_fn::<u8, 64, _>(|at| 2 * at as u8));
    for ((first, second), [one, other]) in first.iter_mut().zip(second).zip(units) {
        // The look-up takes what it needs of a number: its lowest seven bits.
        let at = _mm512_permutex2var_epi8(*one, low, *other);
        let shifted = [one, other].map(|units| _mm512_srli_epi16::<{ BANK.ilog2() }>(*units));
        let bank_of = _mm512_permutex2var_epi8(shifted[0], low, shifted[1]);
        let (mut comes, mut leaves) = (at, at);
        for (bank, (plus, minus)) in plus.iter().zip(minus).enumerate() {
            let is_in = _mm512_cmpeq_epi8_mask(bank_of, _mm512_set1_epi8(bank as i8));
            comes = _mm512_mask2_permutex2var_epi8(plus[0], comes, is_in, plus[1]);
            leaves = _mm512_mask2_permutex2var_epi8(minus[0], leaves, is_in, minus[1]);
        }
        let (comes, leaves): ([u8x32; 2], [u8x32; 2]) = (cast(comes), cast(leaves));
        for half in 0..2 {
            let parted = _mm512_sub_epi16(
                _mm512_cvtepu8_epi16(cast(comes[half])),
                _mm512_cvtepu8_epi16(cast(leaves[half])),
            );
            first[half] = _mm512_add_epi16(first[half], parted);
            second[half] = _mm512_sub_epi16(second[half], parted);
        }
    }
}
