//! Annealing in 16 bits, by swaps alone.
//!
//! Costs are rounded to a grid so coarse that they have 7 or 8 bits and what a swap changes has 16 ([`NarrowGrid`]).
//! What comes of it is counted again on the wide grid, and climbed from there ([`NarrowWalk`]). There are two ways to
//! go about it:
//!
//! - [`bounds`]: two groups at a time, most of whose swaps are never looked at one by one;
//! - [`rows`]: one unit against all others, for groups of so few that bounds decide little.
//!
//! What is read in vectors begins with a line of the cache ([`aligned_vec`]): a load that lies across two lines takes
//! twice as long, and allocators promise no more than 16 bytes.

mod bounds;
mod grid;
mod rows;
#[cfg(test)]
mod tests;
mod walk;

use multiversion::multiversion;

pub(super) use bounds::Bounds;
#[cfg(target_arch = "x86_64")]
pub(super) use bounds::Few;
pub(super) use grid::NarrowGrid;
pub(super) use rows::Rows;
pub(super) use walk::{Narrow, NarrowWalk};

/// What a swap that is impossible seems to change: above every limit, even after twice the cost of a pair is taken off
/// and with all that the other unit may gain.
const BLOCKED: i16 = 30_000;

/// Far from what is [`BLOCKED`].
const MOST_LIMIT: f32 = 8192.0;

/// What a swap with each of these draws must stay below.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn fill_limits(limits: &mut [i16], draws: &[f32], temperature: f32) {
    for (limit, draw) in limits.iter_mut().zip(draws) {
        // Rounded down: beyond 2^23 a float is a whole number, and that is what its last bits are. Compilers make no
        // vectors of a conversion, as that looks for what does not fit.
        let limit_and_bias = (draw * temperature).min(MOST_LIMIT) - 0.5 + 1.5 * (1 << 23) as f32;
        *limit = limit_and_bias.to_bits() as i16 + 1;
    }
}

/// A unit comes into a group.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn add_row(group: &mut [i16], row: &[u8]) {
    for (group, entry) in group.iter_mut().zip(row) {
        *group = group.wrapping_add(i16::from(*entry));
    }
}
