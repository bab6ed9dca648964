//! Small graphs that force one event each: a half-integral start, a cycle through a root, an inner odd set that must
//! open at a given place, nested sets, ties, parity. Every graph is solved under many names of its vertices, because
//! those decide in which order things happen; every optimum is compared with exhaustive search.

use matching_core::{Blossom, EdgeList, Error, Objective, oracle};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{SHAPES, Triple, graph, objectives, optimum, random_graph, solve};

/// Solves a graph of at most 20 vertices under `names` renamings and under every objective once.
fn check(n: usize, edges: &[Triple], names: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
    let best = |objective: &Objective<i64>| {
        let best = oracle::solve(&graph(n, edges), objective).expect("small enough");
        best.map(|best| best.cost)
    };
    let expected = best(&Objective::MinPerfect);
    for objective in objectives(&vec![2; n], &vec![1; n]) {
        assert_eq!(
            optimum(&objective, n, edges),
            best(&objective),
            "{objective:?}: {edges:?}"
        );
    }
    let mut name: Vec<usize> = (0..n).collect();
    for _ in 0..names {
        name.shuffle(&mut rng);
        let mut renamed: Vec<Triple> = edges.iter().map(|&(u, v, weight)| (name[u], name[v], weight)).collect();
        renamed.shuffle(&mut rng);
        assert_eq!(optimum(&Objective::MinPerfect, n, &renamed), expected, "{renamed:?}");
    }
}

/// The edges of a cycle through these vertices, all of one weight.
fn cycle(vertices: &[usize], weight: i64) -> Vec<Triple> {
    let next = |i: usize| vertices[(i + 1) % vertices.len()];
    (0..vertices.len()).map(|i| (vertices[i], next(i), weight)).collect()
}

#[test]
fn smallest_graphs() {
    check(0, &[], 1);
    check(1, &[], 1);
    check(2, &[], 1);
    check(2, &[(0, 1, 7), (0, 1, 3), (1, 0, 9)], 3);
    assert_eq!(
        EdgeList::new(2, [(1, 1, 4i64)]),
        Err(Error::SelfLoop { edge: 0, vertex: 1 })
    );
}

#[test]
fn one_dual_value() {
    // All weights equal: one value of the duals does it all.
    for weight in [-3, 0, 1, 4] {
        for n in [6, 9, 10] {
            let complete: Vec<Triple> = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v, weight))).collect();
            check(n, &complete, 5);
        }
        let outer = cycle(&[0, 1, 2, 3, 4], weight);
        let inner = cycle(&[5, 7, 9, 6, 8], weight);
        let spokes = (0..5).map(|v| (v, v + 5, weight));
        let petersen: Vec<Triple> = outer.into_iter().chain(inner).chain(spokes).collect();
        check(10, &petersen, 50);
    }
}

#[test]
fn two_half_cycles_joined() {
    for lengths in [(3, 3), (3, 5), (5, 5), (5, 7), (7, 9)] {
        let (first, n) = (lengths.0, lengths.0 + lengths.1);
        let all: Vec<usize> = (0..n).collect();
        for bridges in 1..=3 {
            for weight in [0, 1, 5] {
                let mut edges = cycle(&all[..first], 0);
                edges.extend(cycle(&all[first..], weight % 2));
                edges.extend((0..bridges).map(|k| (k % first, first + (2 * k) % lengths.1, weight + k as i64)));
                check(n, &edges, 20);
            }
        }
    }
}

#[test]
fn a_half_cycle_met_at_each_of_its_vertices() {
    // A cycle of nothing, and a path that ends in it: rounded at that vertex, wherever the search began.
    for length in [3, 5, 7] {
        let all: Vec<usize> = (0..length).collect();
        for at in 0..length {
            for tail in [1, 3] {
                let n = length + tail;
                let mut edges = cycle(&all, 0);
                edges.push((at, length, 4));
                edges.extend((length..n - 1).map(|v| (v, v + 1, 2)));
                check(n, &edges, 20);
            }
        }
    }
}

#[test]
fn cycles_through_the_root_and_beside_it() {
    // A stem of even length, then an odd cycle; the stem may end in another odd cycle.
    for stem in [0, 2, 4] {
        for length in [3, 5] {
            for second in [0, 3] {
                let first: Vec<usize> = (stem..stem + length).collect();
                let mut edges: Vec<Triple> = (0..stem).map(|v| (v, v + 1, (v % 2) as i64)).collect();
                edges.extend(cycle(&first, 1));
                let mut n = stem + length;
                if second > 0 {
                    edges.extend(cycle(&[n, n + 1, n + 2], 1));
                    edges.push((n, stem + length - 1, 2));
                    edges.push((n + 1, 0, 9));
                    n += second;
                }
                check(n, &edges, 20);
            }
        }
    }
}

#[test]
fn an_odd_set_opened_between_every_entry_and_exit() {
    // A free cycle with three pendant vertices that also join each other: the cycle is shrunk, becomes inner and must
    // open between where it is entered and where it is left, whichever two of the pendants are paired.
    for length in [3, 5, 7] {
        let all: Vec<usize> = (0..length).collect();
        for first in 0..length {
            for second in 0..length {
                for weights in [[0, 0, 0], [1, 2, 3], [3, 1, 1], [2, 2, 7]] {
                    let mut edges = cycle(&all, 0);
                    edges.push((first, length, 2 + weights[0]));
                    edges.push((second, length + 1, 3 + weights[1]));
                    edges.push((0, length + 2, 4 + weights[2]));
                    edges.extend([
                        (length, length + 1, 9),
                        (length + 1, length + 2, 3),
                        (length, length + 2, 4),
                    ]);
                    check(length + 3, &edges, 6);
                }
            }
        }
    }
}

#[test]
fn odd_sets_around_odd_sets() {
    // Each level adds two vertices that form a triangle with all before; vertices at level ends have exits whose
    // weights decide which levels have a positive dual, and which open at once.
    let exits = [
        [0, 0, 0, 0],
        [1, 0, 2, 0],
        [0, 3, 0, 1],
        [4, 3, 2, 1],
        [1, 2, 3, 4],
        [5, 5, 0, 5],
    ];
    for depth in 1..=3 {
        for exit in exits {
            let mut edges = cycle(&[0, 1, 2], 0);
            let mut n = 3;
            for level in 0..depth {
                edges.extend([
                    (level, n, exit[level]),
                    (level + 1, n + 1, exit[level + 1]),
                    (n, n + 1, 0),
                ]);
                n += 2;
            }
            let inside = n;
            for (v, weight) in [(0, 6), (1, 3), (inside - 1, 2)] {
                edges.push((v, n, weight + exit[v % 4]));
                n += 1;
            }
            edges.extend([(n - 3, n - 2, 1), (n - 2, n - 1, 8)]);
            check(n, &edges, 30);
        }
    }
}

#[test]
fn several_trees_meet() {
    // Triangles in a ring: components of trees whose duals must move together, and edges from the outer vertices of
    // one tree to the inner ones of the next.
    for count in [2, 3, 4] {
        for weights in [[0, 0], [1, 1], [1, 2], [5, 1]] {
            let mut edges = Vec::new();
            for t in 0..count {
                let next = 3 * ((t + 1) % count);
                edges.extend(cycle(&[3 * t, 3 * t + 1, 3 * t + 2], weights[0]));
                edges.extend([(3 * t, next + 1, weights[1]), (3 * t + 2, next, weights[1] + 1)]);
            }
            edges.extend((0..count).map(|t| (3 * t + 1, 3 * count + t, 3)));
            check(4 * count, &edges, 30);
        }
    }
}

#[test]
fn odd_weights_and_ties() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    for round in 0..400 {
        let n = rng.random_range(2..=12);
        let mut edges = random_graph(&mut rng, n, SHAPES[round % 6], (0, 3));
        edges
            .iter_mut()
            .for_each(|edge| edge.2 = if round % 2 == 0 { 2 * edge.2 + 1 } else { edge.2 / 3 });
        check(n, &edges, 5);
    }
}

#[test]
fn without_a_perfect_matching() {
    let complete = |left: usize, right: usize| {
        let edges = (0..left).flat_map(|u| (left..left + right).map(move |v| (u, v, 1)));
        edges.collect::<Vec<Triple>>()
    };
    check(8, &complete(3, 5), 10);
    check(5, &complete(1, 4), 10);
    // Triangles around one vertex, seen only after shrinking; three of them with a way out for two.
    for count in [3, 5] {
        let hub = 3 * count;
        let mut edges: Vec<Triple> = (0..count)
            .flat_map(|t| cycle(&[3 * t, 3 * t + 1, 3 * t + 2], 1))
            .collect();
        edges.extend((0..count).map(|t| (3 * t, hub, 5)));
        check(hub + 1, &edges, 20);
        edges.push((1, 4, 2));
        check(hub + 1, &edges, 20);
    }
}

#[test]
fn weights_at_the_limits_of_the_widths() {
    // 64-bit duals are used while 8 (n + 2) (range + max |w|) is below 2^62, 128-bit ones below 2^126.
    for (bits, n) in [(62u32, 4usize), (62, 10), (126, 4), (126, 10)] {
        let limit = (1i128 << bits) / (16 * (n as i128 + 2));
        for weight in [limit - 1, limit, limit + 1] {
            let edges: Vec<Triple<i128>> = cycle(&(0..n).collect::<Vec<_>>(), 0)
                .into_iter()
                .map(|(u, v, _)| (u, v, if u % 2 == 0 { weight } else { 0 }))
                .collect();
            match Blossom::new().objective(Objective::MaxPerfect).solve(&graph(n, &edges)) {
                Ok(solution) => {
                    assert_eq!(solution.cost(), weight * n as i128 / 2);
                    assert_eq!(solution.verify(&graph(n, &edges)), Ok(()));
                    assert!(bits == 62 || weight <= limit, "{weight} for {n} vertices");
                }
                Err(Error::Overflow { .. }) => assert!(bits == 126 && weight >= limit, "{weight} for {n} vertices"),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn product_weights_on_a_complete_graph() {
    // Machol and Wien: the least total pairs the smallest with the greatest.
    let n = 500;
    let edges: Vec<Triple> = (0..n)
        .flat_map(|u| (u + 1..n).map(move |v| (u, v, (u * v) as i64)))
        .collect();
    let least = (0..n / 2).map(|u| (u * (n - 1 - u)) as i128).sum();
    assert_eq!(optimum(&Objective::MinPerfect, n, &edges), Some(least));
    let greatest = (0..n / 2).map(|u| (2 * u * (2 * u + 1)) as i128).sum();
    assert_eq!(optimum(&Objective::MaxPerfect, n, &edges), Some(greatest));
}

#[test]
fn a_hundred_thousand_triangles() {
    let count = 100_000;
    let mut edges = Vec::new();
    for t in 0..count {
        edges.extend(cycle(&[3 * t, 3 * t + 1, 3 * t + 2], 1));
        if t > 0 {
            edges.push((3 * t - 3 + t % 3, 3 * t + t % 2, 1));
        }
    }
    // Two triangles are paired through one edge between them: three edges for six vertices.
    let solution = solve(&Objective::MaxCardinality, &graph(3 * count, &edges)).expect("always feasible");
    assert_eq!(solution.cost(), solution.pairs().len() as i128);
    assert!(solution.pairs().len() > count);
}

/// The documentation's way to costs in order: `k * first + second`, with `k` above `n` times the greatest `second`.
#[test]
fn the_least_of_one_cost_and_among_those_of_another() {
    /// The least pair of sums, by all perfect matchings of the vertices that are left.
    fn least(left: &[usize], costs: &dyn Fn(usize, usize) -> (i128, i128)) -> (i128, i128) {
        let Some((&u, rest)) = left.split_first() else {
            return (0, 0);
        };
        let with = |at: usize| {
            let others: Vec<usize> = rest.iter().copied().filter(|&w| w != rest[at]).collect();
            let (first, second) = least(&others, costs);
            let (a, b) = costs(u, rest[at]);
            (first + a, second + b)
        };
        (0..rest.len()).map(with).min().expect("an even number")
    }
    let mut rng = ChaCha8Rng::seed_from_u64(107);
    let mut decided = 0;
    for round in 0..200 {
        let n = 2 * rng.random_range(1..=4);
        let greatest = [1, 1_000, i64::MAX][round % 3];
        let mut table =
            |low: i64, high: i64| -> Vec<i128> { (0..n * n).map(|_| rng.random_range(low..=high).into()).collect() };
        let (first, second) = (table(-2, 2), table(-greatest, greatest));
        let at = |i: usize, j: usize| i.min(j) * n + i.max(j);
        let costs = |i: usize, j: usize| (first[at(i, j)], second[at(i, j)]);
        let k = n as i128 * i128::from(greatest) + 1;
        let both = matching_core::cost::from_symmetric_fn(n, |i, j| k * costs(i, j).0 + costs(i, j).1);
        let best = solve(&Objective::MinPerfect, &both).expect("a complete graph");
        let sum = |cost: &dyn Fn((i128, i128)) -> i128| best.pairs().map(|(u, v, _)| cost(costs(u, v))).sum::<i128>();
        let found = (sum(&|cost| cost.0), sum(&|cost| cost.1));
        assert_eq!(found, least(&(0..n).collect::<Vec<_>>(), &costs));
        assert_eq!(best.cost(), k * found.0 + found.1);
        // Where the first cost alone would not have told.
        let alone = matching_core::cost::from_symmetric_fn(n, |i, j| costs(i, j).0);
        let alone = solve(&Objective::MinPerfect, &alone).expect("a complete graph");
        decided += usize::from(alone.pairs().map(|(u, v, _)| costs(u, v).1).sum::<i128>() != found.1);
    }
    assert!(decided > 20, "{decided}");
}
