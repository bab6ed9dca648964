//! What must not change, or must change in a known way, when an instance is written differently.

use matching_core::{Blossom, Error, Objective, Parallel, verify};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{SHAPES, Triple, WEIGHTS, graph, optimum, random_graph, solve};

fn each_graph(mut check: impl FnMut(&mut ChaCha8Rng, usize, &[Triple])) {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for round in 0..360 {
        let n = 2 * rng.random_range(2..=40);
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], WEIGHTS[round / 6 % 6]);
        check(&mut rng, n, &edges);
    }
}

#[test]
fn the_names_and_the_order_do_not_matter() {
    each_graph(|rng, n, edges| {
        let mut name: Vec<usize> = (0..n).collect();
        name.shuffle(rng);
        let mut renamed: Vec<Triple> = edges.iter().map(|&(u, v, weight)| (name[v], name[u], weight)).collect();
        renamed.shuffle(rng);
        for objective in [Objective::MinPerfect, Objective::MaxWeight, Objective::MaxCardinality] {
            assert_eq!(optimum(&objective, n, edges), optimum(&objective, n, &renamed));
        }
    });
}

#[test]
fn equal_input_gives_equal_output() {
    each_graph(|_, n, edges| {
        let graph = graph(n, edges);
        assert_eq!(
            solve(&Objective::MinPerfect, &graph),
            solve(&Objective::MinPerfect, &graph)
        );
    });
}

#[test]
fn a_shift_moves_perfect_optima_by_its_multiple() {
    each_graph(|rng, n, edges| {
        let shift = rng.random_range(-1_000_000..=1_000_000);
        let shifted: Vec<Triple> = edges.iter().map(|&(u, v, weight)| (u, v, weight + shift)).collect();
        let moved = optimum(&Objective::MinPerfect, n, edges).map(|cost| cost + i128::from(shift) * (n as i128 / 2));
        assert_eq!(optimum(&Objective::MinPerfect, n, &shifted), moved);
    });
}

#[test]
fn a_scale_multiplies_every_optimum() {
    each_graph(|_, n, edges| {
        let scaled: Vec<Triple> = edges.iter().map(|&(u, v, weight)| (u, v, 7 * weight)).collect();
        for objective in [Objective::MinPerfect, Objective::MaxWeight, Objective::MaxCardinality] {
            assert_eq!(
                optimum(&objective, n, &scaled),
                optimum(&objective, n, edges).map(|cost| 7 * cost)
            );
        }
    });
}

#[test]
fn greatest_is_least_of_the_negated() {
    each_graph(|_, n, edges| {
        let negated: Vec<Triple> = edges.iter().map(|&(u, v, weight)| (u, v, -weight)).collect();
        let least = optimum(&Objective::MinPerfect, n, &negated);
        assert_eq!(optimum(&Objective::MaxPerfect, n, edges), least.map(|cost| -cost));
    });
}

#[test]
fn a_dear_edge_more_changes_nothing_but_feasibility() {
    each_graph(|_, n, edges| {
        let Some(cost) = optimum(&Objective::MinPerfect, n, edges) else {
            return;
        };
        let mut more = edges.to_vec();
        more.extend((1..n).map(|v| (0, v, 1_000_000_000)));
        assert_eq!(optimum(&Objective::MinPerfect, n, &more), Some(cost));
    });
}

#[test]
fn floats_that_are_integers_solve_as_integers() {
    each_graph(|_, n, edges| {
        let halves: Vec<Triple<f64>> = edges
            .iter()
            .map(|&(u, v, weight)| (u, v, weight as f64 / 8.0))
            .collect();
        let float = solve(&Objective::MinPerfect, &graph(n, &halves)).map(|solution| solution.cost() * 8.0);
        assert_eq!(float, optimum(&Objective::MinPerfect, n, edges).map(|cost| cost as f64));
        let narrow: Vec<Triple<i32>> = edges.iter().map(|&(u, v, weight)| (u, v, weight as i32)).collect();
        let narrow = solve(&Objective::MinPerfect, &graph(n, &narrow)).map(|solution| solution.cost());
        assert_eq!(narrow, optimum(&Objective::MinPerfect, n, edges));
        let wide: Vec<Triple<i128>> = edges
            .iter()
            .map(|&(u, v, weight)| (u, v, i128::from(weight) << 60))
            .collect();
        let wide = solve(&Objective::MinPerfect, &graph(n, &wide)).map(|solution| solution.cost() >> 60);
        assert_eq!(wide, optimum(&Objective::MinPerfect, n, edges));
    });
}

#[test]
fn of_parallel_edges_the_right_one_counts() {
    let edges = [(0, 1, 7i64), (1, 0, 3), (0, 1, 9)];
    assert_eq!(optimum(&Objective::MinPerfect, 2, &edges), Some(3));
    let dearest = matching_core::EdgeList::with_parallel(2, edges, Parallel::KeepDearest).unwrap();
    assert_eq!(
        solve(&Objective::MaxPerfect, &dearest).map(|solution| solution.cost()),
        Some(9)
    );
}

#[test]
fn zero_penalties_are_the_greatest_weight_of_the_negated() {
    each_graph(|_, n, edges| {
        let negated: Vec<Triple> = edges.iter().map(|&(u, v, weight)| (u, v, -weight)).collect();
        let greatest = optimum(&Objective::MaxWeight, n, &negated);
        assert_eq!(
            optimum(&Objective::MinOptOut(vec![0; n]), n, edges),
            greatest.map(|weight| -weight)
        );
    });
}

const SIDE: usize = 174;

/// A lattice of so many rows and columns that it is solved in an order of the solver's own, and a region at a time.
fn large_lattice(with_diagonals: bool, greatest: i64, rng: &mut ChaCha8Rng) -> Vec<Triple<i64>> {
    let mut edges = Vec::new();
    for at in 0..SIDE * SIDE {
        let has_right = at % SIDE + 1 < SIDE;
        let others = [
            has_right.then_some(at + 1),
            Some(at + SIDE),
            (has_right && with_diagonals).then_some(at + SIDE + 1),
        ];
        for other in others.into_iter().flatten().filter(|&other| other < SIDE * SIDE) {
            edges.push((at, other, rng.random_range(-greatest..=greatest)));
        }
    }
    edges
}

/// The same edges between vertices of other names, and what these are.
fn under_other_names(edges: &[Triple<i64>], rng: &mut ChaCha8Rng) -> (Vec<usize>, Vec<Triple<i64>>) {
    let mut names: Vec<usize> = (0..SIDE * SIDE).collect();
    names.shuffle(rng);
    let renamed = edges.iter().map(|&(u, v, weight)| (names[v], names[u], weight));
    let renamed = renamed.collect();
    (names, renamed)
}

#[test]
fn a_large_triangulation_costs_the_same_whatever_its_vertices_are_called() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for greatest in [1, 3, 99, 100_000] {
        let edges = large_lattice(true, greatest, &mut rng);
        let (_, renamed) = under_other_names(&edges, &mut rng);
        let costs = [edges, renamed].map(|edges| {
            let graph = graph(SIDE * SIDE, &edges);
            let solution = Blossom::new().solve(&graph).unwrap();
            solution.verify(&graph).unwrap();
            solution.cost()
        });
        assert_eq!(costs[0], costs[1], "weights up to {greatest}");
    }
}

#[test]
fn a_large_lattice_costs_the_same_whatever_its_vertices_are_called() {
    let n = SIDE * SIDE;
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let edges = large_lattice(false, 99, &mut rng);
    let (names, renamed) = under_other_names(&edges, &mut rng);
    let (plain, shuffled) = (graph(n, &edges), graph(n, &renamed));
    let solution = Blossom::new().solve(&shuffled).unwrap();
    solution.verify(&shuffled).unwrap();
    assert_eq!(solution.cost(), Blossom::new().solve(&plain).unwrap().cost());
    // Two opposite corners are of one colour, as on a chessboard: where they have each other alone, two of the other
    // colour are left over.
    let corners = [0, n - 1].map(|corner| names[corner]);
    let cut: Vec<Triple<i64>> = renamed
        .into_iter()
        .filter(|&(u, v, _)| !corners.contains(&u) && !corners.contains(&v))
        .chain([(corners[0], corners[1], 1)])
        .collect();
    let cut = graph(n, &cut);
    match Blossom::new().solve(&cut) {
        Err(Error::NoPerfectMatching(witness)) => verify::witness(&cut, &witness).unwrap(),
        other => panic!("{:?}", other.map(|solution| solution.cost())),
    }
}
