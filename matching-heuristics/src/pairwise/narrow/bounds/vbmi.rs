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

/// Where every second byte lies.
const LOW: [u8; 64] = {
    let mut low = [0; 64];
    let mut at = 0;
    while at < low.len() {
        low[at] = 2 * at as u8;
        at += 1;
    }
    low
};

/// Loops by number: what is handed to a closure, or goes through an iterator, may be compiled for any processor, which took half of the speed in
/// one program and nothing in another.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn by_bytes(rows: Exchange<'_>) {
    let ([first, second], [plus, minus]) = (rows.gains, rows.costs);
    let units: &[[__m512i; 2]] = bytemuck::cast_slice(&rows.slots.units);
    let first = &mut bytemuck::cast_slice_mut::<i16, [__m512i; 2]>(first)[..units.len()];
    let second = &mut bytemuck::cast_slice_mut::<i16, [__m512i; 2]>(second)[..units.len()];
    let plus: &[[__m512i; 2]] = bytemuck::cast_slice(plus);
    let minus = &bytemuck::cast_slice::<u8, [__m512i; 2]>(minus)[..plus.len()];
    let low: __m512i = cast(LOW);
    for block in 0..units.len() {
        let [one, other] = units[block];
        // The look-up takes what it needs of a number: its lowest seven bits.
        let at = _mm512_permutex2var_epi8(one, low, other);
        let one = _mm512_srli_epi16::<{ BANK.ilog2() }>(one);
        let other = _mm512_srli_epi16::<{ BANK.ilog2() }>(other);
        let bank_of = _mm512_permutex2var_epi8(one, low, other);
        let (mut comes, mut leaves) = (at, at);
        for bank in 0..plus.len() {
            let is_in = _mm512_cmpeq_epi8_mask(bank_of, _mm512_set1_epi8(bank as i8));
            comes = _mm512_mask2_permutex2var_epi8(plus[bank][0], comes, is_in, plus[bank][1]);
            leaves = _mm512_mask2_permutex2var_epi8(minus[bank][0], leaves, is_in, minus[bank][1]);
        }
        let (comes, leaves): ([u8x32; 2], [u8x32; 2]) = (cast(comes), cast(leaves));
        for half in 0..2 {
            let parted = _mm512_sub_epi16(
                _mm512_cvtepu8_epi16(cast(comes[half])),
                _mm512_cvtepu8_epi16(cast(leaves[half])),
            );
            first[block][half] = _mm512_add_epi16(first[block][half], parted);
            second[block][half] = _mm512_sub_epi16(second[block][half], parted);
        }
    }
}
