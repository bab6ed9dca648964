//! Agreement with independent solvers on graphs too large for exhaustive search.
//!
//! Shared by the tests and by the example `agreement`.

use matching_core::Objective;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{SHAPES, Shape, Triple, WEIGHTS, optimum, random_graph};

/// Compares the optimum of one seeded graph of 20 to `largest` vertices with `mwmatching` (sparse graphs) or
/// `integer-blossom` (dense ones, as a matrix).
pub(crate) fn compare_one(seed: u64, largest: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n = rng.random_range(20..=largest) & !usize::from(rng.random_bool(0.8));
    let shape = SHAPES[seed as usize % SHAPES.len()];
    let weights = WEIGHTS[(seed as usize / SHAPES.len()) % WEIGHTS.len()];
    let edges = random_graph(&mut rng, n, shape, weights);
    let ours = optimum(&Objective::MaxWeight, n, &edges);
    let theirs = if matches!(shape, Shape::Uniform(_) | Shape::Complete) {
        by_matrix(n, &edges)
    } else {
        by_list(&edges)
    };
    assert_eq!(ours, Some(theirs.0), "maximum weight, seed {seed}, {shape:?}, n {n}");
    if let Shape::Planted | Shape::NearCycle | Shape::Triangles = shape {
        let (weight, pairs) = by_list_max_cardinality(&edges);
        let ours = crate::support::solve(&Objective::MaxCardinality, &crate::support::graph(n, &edges));
        let ours = ours.map(|solution| (solution.cost(), solution.pairs().len()));
        assert_eq!(
            ours,
            Some((weight, pairs)),
            "maximum cardinality, seed {seed}, {shape:?}, n {n}"
        );
    }
}

fn total(edges: &[Triple], mate: impl Fn(usize) -> Option<usize>) -> (i128, usize) {
    let matched = edges.iter().filter(|&&(u, v, _)| mate(u) == Some(v));
    matched.fold((0, 0), |(sum, count), &(_, _, weight)| {
        (sum + i128::from(weight), count + 1)
    })
}

fn narrow(edges: &[Triple]) -> Vec<(usize, usize, i32)> {
    edges
        .iter()
        .map(|&(u, v, weight)| (u, v, i32::try_from(weight).expect("test weights are narrow")))
        .collect()
}

fn by_list(edges: &[Triple]) -> (i128, usize) {
    if edges.is_empty() {
        return (0, 0);
    }
    let mates = mwmatching::Matching::new(narrow(edges)).solve();
    total(edges, |v| {
        mates.get(v).copied().filter(|&mate| mate != mwmatching::SENTINEL)
    })
}

fn by_list_max_cardinality(edges: &[Triple]) -> (i128, usize) {
    if edges.is_empty() {
        return (0, 0);
    }
    let mates = mwmatching::Matching::new(narrow(edges)).max_cardinality().solve();
    total(edges, |v| {
        mates.get(v).copied().filter(|&mate| mate != mwmatching::SENTINEL)
    })
}

fn by_matrix(n: usize, edges: &[Triple]) -> (i128, usize) {
    // A weight of zero or less is no edge there, and never helps a matching of greatest weight.
    let mut matrix = vec![0i64; n * n];
    for &(u, v, weight) in edges {
        matrix[u.min(v) * n + u.max(v)] = weight.max(0);
    }
    let mates = integer_blossom::max_weight_matching(&matrix, n);
    let helpful: Vec<Triple> = edges.iter().copied().filter(|edge| edge.2 > 0).collect();
    total(&helpful, |v| mates[v])
}

#[test]
fn optima_agree_with_independent_solvers() {
    for seed in 0..240 {
        compare_one(seed, 140);
    }
}
