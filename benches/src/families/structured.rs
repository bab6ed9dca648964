//! Graphs built to be hard in one particular way. No randomness.

use super::{Instance, even};

/// Triangles, each around the one before: with all weights 1, an odd cycle grows by two vertices at every step, and a
/// search that contracts one cycle at a time builds blossoms nested `k` deep.
///
/// Vertices 0, 1, 2 are the first triangle; step `i` of `2..=k` adds vertices `2 i - 1` and `2 i`, joined to each other
/// and to `2 i - 3` and `2 i - 2`, so that they form a triangle with everything before them contracted. Vertex
/// `2 k + 1` hangs on vertex `2 k`. There are `2 k + 2` vertices with `k` even: `n` is rounded up to the next such
/// number. With `k` even, only long alternating paths lead from what a greedy start finds to a perfect matching.
pub fn nested_triangles(n: usize) -> Instance {
    let k = (n.saturating_sub(2).div_ceil(4) * 2).max(2) as u32;
    let mut edges = vec![(0, 1, 1), (0, 2, 1), (1, 2, 1)];
    for i in 2..=k {
        edges.extend([(2 * i - 1, 2 * i, 1), (2 * i - 3, 2 * i - 1, 1), (2 * i - 2, 2 * i, 1)]);
    }
    edges.push((2 * k, 2 * k + 1, 1));
    Instance {
        vertices: 2 * k as usize + 2,
        edges,
    }
}

/// A path whose edges weigh alternately 1 and 0, so that the dual solution has values up to `n / 2`. The only perfect
/// matching takes all the dear edges; a greedy start takes the others, and is then one augmenting path of length
/// `n - 1` away.
pub fn chain(n: usize) -> Instance {
    let n = even(n) as u32;
    let edges = (1..n).map(|v| (v - 1, v, (v % 2) as i32)).collect();
    Instance {
        vertices: n as usize,
        edges,
    }
}
