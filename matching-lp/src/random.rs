//! Chance that is the same each time.

/// A number below `end`, by SplitMix64 (G. Steele, D. Lea, C. Flood 2014, doi:10.1145/2660193.2660195).
pub(crate) fn draw(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) % end as u64) as usize
}
