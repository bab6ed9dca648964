//! Sparse random graphs.

use std::collections::HashSet;

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::{Instance, even, generator};

/// A random perfect matching and `4.5 n` further random edges, so that the mean degree is 10; weights uniform in
/// `1..=max_weight`.
///
/// `n` is rounded up to an even number. Edges that would repeat one are drawn again; fewer than 24 vertices get
/// fewer edges, at most half of all pairs beside the planted ones.
pub fn degree_10(n: usize, max_weight: i32, seed: u64) -> Instance {
    let n = even(n);
    let mut rng = generator(seed);
    let mut seen = HashSet::new();
    let mut edges: Vec<(u32, u32, i32)> = Vec::with_capacity(5 * n);
    for (u, v) in perfect_matching(n, &mut rng) {
        seen.insert((u, v));
        edges.push((u, v, rng.random_range(1..=max_weight)));
    }
    let target = edges.len() + (9 * n / 2).min(n * (n - 1) / 4);
    while edges.len() < target {
        let (u, v) = (rng.random_range(0..n as u32), rng.random_range(0..n as u32));
        let key = (u.min(v), u.max(v));
        if u != v && seen.insert(key) {
            edges.push((key.0, key.1, rng.random_range(1..=max_weight)));
        }
    }
    Instance { vertices: n, edges }
}

/// A uniformly random perfect matching of `0..n`, each pair in increasing order.
pub(super) fn perfect_matching(n: usize, rng: &mut ChaCha8Rng) -> Vec<(u32, u32)> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.shuffle(rng);
    order
        .chunks_exact(2)
        .map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1])))
        .collect()
}
