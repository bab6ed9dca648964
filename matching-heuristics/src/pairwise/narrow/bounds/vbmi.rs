//! A swap that is made, for processors that look bytes up in two registers at once (AVX-512 VBMI).
//!
//! Where costs have seven bits, what two of them differ by has eight. Two registers hold by how much two units differ
//! beside 128 others, so that four look-ups find 64 of 480 such numbers. Where to look is kept for every slot, as there
//! are far more slots than change hands.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_mask2_permutex2var_epi8, _mm512_maskz_mov_epi8, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_srai_epi16, _mm512_sub_epi8, _mm512_sub_epi16,
};
use core::ops::Range;

use aligned_vec::{AVec, avec};
use multiversion::multiversion;
use multiversion::target::match_target;
use pulp::bytemuck;

use super::loops::{BANK, Exchange, LANES, exchange};

/// Slots whose numbers are looked up at a time.
const BLOCK: usize = 2 * LANES;
/// Pairs of registers that hold differences at a time.
const MOST_BANKS: usize = 8;

/// Where the numbers of those are found who stand in the slots.
#[derive(PartialEq)]
pub(super) struct Lookup {
    /// Where in its bank each is, slot by slot. In a block the slots of the first half and those of the second take
    /// turns, as low and high bytes do.
    at: AVec<u8>,
    /// Who is in each bank, a bit for each byte of a block; bank by bank, block by block.
    is_in: Vec<u64>,
    banks: usize,
}

impl Lookup {
    /// For units in so many slots, whole blocks of them. `None` if this processor does not look bytes up.
    pub(super) fn new(units: &[u16], banks: usize) -> Option<Self> {
        let is_available = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vbmi");
        let mut lookup = is_available.then(|| Self {
            at: avec![0; units.len()],
            is_in: vec![0; units.len() / BLOCK * banks],
            banks,
        })?;
        for (slot, &unit) in units.iter().enumerate() {
            lookup.place(slot, unit, unit);
        }
        Some(lookup)
    }

    /// One unit comes into the place of another.
    #[inline(always)]
    pub(super) fn place(&mut self, slot: usize, before: u16, unit: u16) {
        let (block, lane, half) = (slot / BLOCK, slot % LANES, slot / LANES % 2);
        let byte = 2 * lane + half;
        let is_in = &mut self.is_in[block * self.banks..][..self.banks];
        is_in[usize::from(before) / BANK] &= !(1 << byte);
        is_in[usize::from(unit) / BANK] |= 1 << byte;
        self.at[block * BLOCK + byte] = (usize::from(unit) % BANK) as u8;
    }
}

/// [`Scanner::exchange`](super::loops::Scanner::exchange), for costs of seven bits.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vbmi"))]
pub(super) fn exchange_bytes(rows: Exchange<'_>, lookup: &Lookup) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vbmi" => by_bytes(rows, lookup),
        _ => {
            let _ = lookup;
            exchange(rows);
        },
    }
}

/// As many banks at a time as there are registers for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn by_bytes(mut rows: Exchange<'_>, lookup: &Lookup) {
    if lookup.banks <= MOST_BANKS {
        return of_some::<true>(&mut rows, lookup, 0..lookup.banks);
    }
    for from in (0..lookup.banks).step_by(MOST_BANKS) {
        of_some::<false>(&mut rows, lookup, from..lookup.banks.min(from + MOST_BANKS));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn of_some<const ARE_ALL: bool>(rows: &mut Exchange<'_>, lookup: &Lookup, banks: Range<usize>) {
    match banks.len() {
        1 => of_banks::<1, ARE_ALL>(rows, lookup, banks.start),
        2 => of_banks::<2, ARE_ALL>(rows, lookup, banks.start),
        3 => of_banks::<3, ARE_ALL>(rows, lookup, banks.start),
        4 => of_banks::<4, ARE_ALL>(rows, lookup, banks.start),
        5 => of_banks::<5, ARE_ALL>(rows, lookup, banks.start),
        6 => of_banks::<6, ARE_ALL>(rows, lookup, banks.start),
        7 => of_banks::<7, ARE_ALL>(rows, lookup, banks.start),
        _ => of_banks::<MOST_BANKS, ARE_ALL>(rows, lookup, banks.start),
    }
}

/// What units of these banks pay more or less.
///
/// Whether these are all banks is known when it is compiled: else what is found of each is kept for the case that they
/// are not, which takes three instructions a bank in place of one.
///
/// Loops by number: what is handed to a closure, or goes through an iterator, may be compiled for any processor, which
/// took half of the speed in one program and nothing in another.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn of_banks<const BANKS: usize, const ARE_ALL: bool>(rows: &mut Exchange<'_>, lookup: &Lookup, from: usize) {
    let at: &[__m512i] = bytemuck::cast_slice(&lookup.at);
    let [first, second] = &mut rows.gains;
    let first = &mut bytemuck::cast_slice_mut::<i16, [__m512i; 2]>(first)[..at.len()];
    let second = &mut bytemuck::cast_slice_mut::<i16, [__m512i; 2]>(second)[..at.len()];
    let plus = &bytemuck::cast_slice::<u8, [__m512i; 2]>(rows.costs[0])[from..][..BANKS];
    let minus = &bytemuck::cast_slice::<u8, [__m512i; 2]>(rows.costs[1])[from..][..BANKS];
    let mut parted = [[_mm512_setzero_si512(); 2]; BANKS];
    for bank in 0..BANKS {
        for half in 0..2 {
            parted[bank][half] = _mm512_sub_epi8(plus[bank][half], minus[bank][half]);
        }
    }
    for block in 0..at.len() {
        let is_in = &lookup.is_in[block * lookup.banks + from..][..BANKS];
        // What is found takes the place of where it was: compilers leave that alone, and make a long way of what could
        // be put together in several ways.
        let mut found = at[block];
        for bank in 0..BANKS {
            let [low, high] = parted[bank];
            found = _mm512_mask2_permutex2var_epi8(low, found, is_in[bank], high);
        }
        if !ARE_ALL {
            let mut is_found = 0;
            for of_bank in is_in {
                is_found |= of_bank;
            }
            found = _mm512_maskz_mov_epi8(is_found, found);
        }
        let halves = [
            _mm512_srai_epi16::<8>(_mm512_slli_epi16::<8>(found)),
            _mm512_srai_epi16::<8>(found),
        ];
        for half in 0..2 {
            first[block][half] = _mm512_add_epi16(first[block][half], halves[half]);
            second[block][half] = _mm512_sub_epi16(second[block][half], halves[half]);
        }
    }
}
