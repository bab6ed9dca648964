//! The engine against exhaustive search and against the definition of its certificate.

use crate::budget::Budget;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// Least cost of a perfect matching, by trying all partners of the lowest unmatched vertex.
fn least_cost(n: usize, edges: &[Edge<i64>]) -> Option<i128> {
    let mut best: Vec<Option<i128>> = vec![None; 1 << n];
    best[0] = Some(0);
    for set in 1usize..1 << n {
        let low = set.trailing_zeros();
        best[set] = edges
            .iter()
            .filter(|edge| edge.u == low && set >> edge.v & 1 == 1)
            .filter_map(|edge| Some(best[set ^ (1 << edge.u) ^ (1 << edge.v)]? + i128::from(edge.weight)))
            .min();
    }
    best[(1 << n) - 1]
}

/// Checks a solution or a witness from the definitions, and returns the cost.
fn check(n: usize, edges: &[Edge<i64>], result: &Result<Outcome, Failure>) -> Option<i128> {
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(Failure::Infeasible { witness, .. }) => {
            check_witness(n, edges, witness);
            return None;
        }
        Err(failure) => panic!("{failure:?}"),
    };
    let mut cost = 0;
    for v in 0..n as u32 {
        let mate = outcome.mates[v as usize];
        assert_eq!(outcome.mates[mate as usize], v);
        let edge = edges.iter().find(|edge| (edge.u, edge.v) == (v.min(mate), v.max(mate)));
        cost += i128::from(edge.expect("partners share an edge").weight);
    }
    let cost = cost / 2;
    let certificate = &outcome.certificate;
    assert_eq!(certificate.doubled_bound(), Some(2 * cost), "primal = dual");
    for edge in edges {
        let [u, v] = [edge.u, edge.v].map(|v| certificate.vertex_duals()[v as usize]);
        let crossing = certificate.odd_sets().iter().filter(|set| {
            let members = certificate.members(set);
            members.contains(&edge.u) != members.contains(&edge.v)
        });
        let load: i128 = crossing.map(|set| set.dual).sum();
        assert!(
            u + v + load <= 2 * i128::from(edge.weight),
            "slack of {edge:?} in {edges:?}"
        );
    }
    assert!(
        certificate
            .odd_sets()
            .iter()
            .all(|set| set.dual >= 0 && set.len % 2 == 1)
    );
    Some(cost)
}

fn check_witness(n: usize, edges: &[Edge<i64>], witness: &TutteBerge) {
    let mut part = vec![usize::MAX; n];
    for &v in witness.removed() {
        part[v] = usize::MAX - 1;
    }
    for (index, component) in witness.odd_components().iter().enumerate() {
        assert_eq!(component.len() % 2, 1);
        for &v in component {
            assert_eq!(part[v], usize::MAX, "components are disjoint");
            part[v] = index;
        }
    }
    assert!(witness.deficiency() > 0);
    for edge in edges {
        let [u, v] = [edge.u, edge.v].map(|v| part[v as usize]);
        assert!(
            u == v || u == usize::MAX - 1 || v == usize::MAX - 1,
            "{witness:?} leaves {edge:?} between parts"
        );
    }
}

fn random_graph(
    rng: &mut ChaCha8Rng,
    n: usize,
    density: f64,
    weights: std::ops::RangeInclusive<i64>,
) -> Vec<Edge<i64>> {
    let mut edges = Vec::new();
    for u in 0..n as u32 {
        for v in u + 1..n as u32 {
            if rng.random_bool(density) {
                edges.push(Edge {
                    u,
                    v,
                    weight: rng.random_range(weights.clone()),
                });
            }
        }
    }
    edges
}

/// A cycle with a few chords, or a strip of triangles: what makes blossoms nest.
fn near_cycle(rng: &mut ChaCha8Rng, n: usize, weights: std::ops::RangeInclusive<i64>) -> Vec<Edge<i64>> {
    let reach = rng.random_range(1..=2u32);
    let mut edges = std::collections::BTreeMap::new();
    for u in 0..n as u32 {
        for step in 1..=reach {
            let v = (u + step) % n as u32;
            if u != v {
                edges.insert((u.min(v), u.max(v)), rng.random_range(weights.clone()));
            }
        }
    }
    for _ in 0..n / 3 {
        let (u, v) = (rng.random_range(0..n as u32), rng.random_range(0..n as u32));
        if u != v {
            edges.insert((u.min(v), u.max(v)), rng.random_range(weights.clone()));
        }
    }
    edges
        .into_iter()
        .map(|((u, v), weight)| Edge { u, v, weight })
        .collect()
}

fn weight_ranges() -> [std::ops::RangeInclusive<i64>; 6] {
    [
        0..=0,
        0..=1,
        0..=3,
        0..=10,
        -500..=500,
        -1_000_000_000_000..=1_000_000_000_000,
    ]
}

fn fuzz(seed: u64, rounds: usize, sizes: std::ops::RangeInclusive<usize>, exhaustive: bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for round in 0..rounds {
        let n = rng.random_range(sizes.clone()) & !usize::from(round % 8 != 0);
        let weights = weight_ranges()[round % 6].clone();
        let edges = if rng.random_bool(0.5) {
            let density = rng.random_range(0.1..1.0);
            random_graph(&mut rng, n, density, weights)
        } else {
            near_cycle(&mut rng, n.max(3), weights)
        };
        let n = edges.iter().map(|edge| edge.v as usize + 1).max().unwrap_or(0).max(n);
        let cost = check(n, &edges, &solve(Size::of(n), &edges, &Limits::start(&Budget::new())));
        // A weaker start leaves more to the trees; the answer must not depend on it.
        let effort = [(1, 0), (0, 1), (3, 1), (30, 1), (usize::MAX, 1)][rng.random_range(0..5)];
        if let Some(least) = edges.iter().map(|edge| edge.weight).min().filter(|_| n % 2 == 0) {
            let effort = Effort {
                visits: None,
                first_limit: effort.0,
                passes: effort.1,
            };
            let again = run::<WideI64>(Size::of(n), &edges, least, None, &Limits::start(&Budget::new()), effort);
            assert_eq!(
                check(n, &edges, &again),
                cost,
                "seed {seed}, round {round}, {effort:?}: {edges:?}"
            );
        }
        if exhaustive {
            assert_eq!(cost, least_cost(n, &edges), "seed {seed}, round {round}: {edges:?}");
        }
    }
}

fn env_count(default: usize) -> usize {
    std::env::var("ENGINE_FUZZ")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(default)
}

#[test]
fn small_graphs_agree_with_exhaustive_search() {
    fuzz(1, env_count(4000), 2..=12, true);
}

#[test]
fn larger_graphs_are_certified() {
    fuzz(2, env_count(1500), 14..=80, false);
}
