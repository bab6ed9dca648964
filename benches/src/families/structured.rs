//! Graphs built to be hard in one particular way. No randomness; both round `n` up to an even number.

use super::{Instance, MAX_WEIGHT, even};

/// Triangles, each around the one before: with all weights 1, an odd cycle grows by two vertices at every step, and a
/// search that contracts one cycle at a time builds blossoms nested `n / 2 - 1` deep.
///
/// Vertices 0, 1, 2 are the first triangle; step `k >= 2` adds vertices `2 k - 1` and `2 k`, joined to each other and
/// to `2 k - 3` and `2 k - 2`, so that they form a triangle with everything before them contracted. The last vertex
/// hangs on the last step.
pub fn nested_triangles(n: usize) -> Instance {
    let n = even(n).max(4) as u32;
    let mut edges = vec![(0, 1, 1), (0, 2, 1)];
    for k in 1..n / 2 {
        edges.push((2 * k - 1, 2 * k, 1));
        if k > 1 {
            edges.extend([(2 * k - 3, 2 * k - 1, 1), (2 * k - 2, 2 * k, 1)]);
        }
    }
    edges.push((n - 2, n - 1, 1));
    Instance {
        vertices: n as usize,
        edges,
    }
}

/// A path whose edges weigh alternately 1,000,000 and 0. The only perfect matching takes all the dear edges; a
/// greedy start takes the others, and is then one augmenting path of length `n - 1` away.
pub fn chain(n: usize) -> Instance {
    let n = even(n) as u32;
    let edges = (1..n)
        .map(|v| (v - 1, v, if v % 2 == 1 { MAX_WEIGHT } else { 0 }))
        .collect();
    Instance {
        vertices: n as usize,
        edges,
    }
}
