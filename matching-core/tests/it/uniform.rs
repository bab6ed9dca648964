//! Lists whose edges all cost the same: an engine that counts pairs, against exhaustive search and against the engine for
//! all lists, with every certificate and witness checked.

use matching_core::{
    Blossom, Budget, CostValue, EdgeList, Engine, Error, Objective, Precision, SolvedBy, Status, StopReason, oracle,
};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{checked, graph, solve, solve_with, unchecked};

fn objectives<V: CostValue>(n: usize, alone: V) -> [Objective<V>; 6] {
    [
        Objective::MinPerfect,
        Objective::MaxPerfect,
        Objective::MaxWeight,
        Objective::MaxCardinality,
        Objective::MinOptOut(vec![alone; n]),
        Objective::MinBye(vec![alone; n]),
    ]
}

/// Edges of one cost between pairs that a coin chooses.
fn thin<V: CostValue>(n: usize, chance: f64, cost: V, rng: &mut ChaCha8Rng) -> EdgeList<V> {
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    let mut chosen: Vec<_> = pairs.filter(|_| rng.random_bool(chance)).collect();
    chosen.shuffle(rng);
    let edges: Vec<_> = chosen.into_iter().map(|(i, j)| (i, j, cost)).collect();
    graph(n, &edges)
}

#[test]
fn small_graphs_agree_with_exhaustive_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut by_pairs = 0;
    for case in 0..6_000 {
        let n = rng.random_range(2..12);
        let chance = rng.random_range(0.05..0.7);
        let cost = [1_i64, 7, 0, -3, 1 << 60, -(1 << 60)][case % 6];
        let list = thin(n, chance, cost, &mut rng);
        let alone = rng.random_range(-2..6) * cost.abs().max(1) / 2;
        for objective in objectives(n, alone) {
            let best = oracle::solve(&list, &objective).expect("few vertices");
            let found = solve(&objective, &list);
            assert_eq!(
                found.as_ref().map(|solution| solution.cost()),
                best.as_ref().map(|best| best.cost),
                "{case} {objective:?}"
            );
            if let (Some(found), Some(best)) = (&found, &best) {
                if objective == Objective::MaxCardinality {
                    assert_eq!(found.pairs().count(), best.pairs.len());
                }
                by_pairs += usize::from(found.solved_by() == SolvedBy::Cardinality);
            }
        }
    }
    assert!(by_pairs > 10_000, "{by_pairs}");
}

#[test]
fn floats_that_are_one_number_are_counted_too() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for case in 0..600 {
        let n = rng.random_range(2..10);
        let cost = [0.1, 1e-300, 3e17, -0.7][case % 4];
        let list = thin(n, 0.4, cost, &mut rng);
        for objective in objectives(n, 2.5 * cost) {
            for precision in [Precision::Exact, Precision::Quantised] {
                let solver = Blossom::new().precision(precision);
                let found = solve_with(&solver, &objective, &list);
                let best = oracle::solve(&list, &objective).expect("few vertices");
                assert_eq!(found.is_some(), best.is_some());
                if let (Some(found), Some(best)) = (found, best) {
                    let (found, best): (f64, f64) = (found.cost(), best.cost);
                    assert!(
                        (found - best).abs() <= 1e-12 * best.abs(),
                        "{found} {best} {objective:?}"
                    );
                }
            }
        }
    }
}

/// Odd cliques that share few hubs, chains of triangles, and long ways between the last two who have no partner.
fn families(n: usize, rng: &mut ChaCha8Rng) -> Vec<(&'static str, Vec<(usize, usize)>)> {
    let hubs = n / 20;
    let mut cliques = Vec::new();
    for first in (hubs..n.saturating_sub(4)).step_by(5) {
        cliques.extend((0..5).flat_map(|i| (i + 1..5).map(move |j| (first + i, first + j))));
        cliques.push((rng.random_range(0..hubs), first + rng.random_range(0..5)));
    }
    let triangles = (0..n / 3).flat_map(|t| {
        let a = 3 * t;
        let bridge = (t > 0).then(|| (a - 1, a));
        [(a, a + 1), (a + 1, a + 2), (a, a + 2)].into_iter().chain(bridge)
    });
    let sparse = |degree: usize, rng: &mut ChaCha8Rng| {
        let mut edge = || (rng.random_range(0..n), rng.random_range(0..n));
        (0..n * degree / 20).map(|_| edge()).collect::<Vec<_>>()
    };
    let sides = (0..3 * n / 2).map(|_| (rng.random_range(0..n / 2), rng.random_range(n / 2..n)));
    let sides = sides.collect();
    vec![
        ("cliques", cliques),
        ("triangles", triangles.collect()),
        ("degree 2.7", sparse(27, rng)),
        ("degree 4", sparse(40, rng)),
        ("degree 6", sparse(60, rng)),
        ("two sides", sides),
        ("a path", (1..n).map(|v| (v - 1, v)).collect()),
        ("a star", (1..n).map(|v| (0, v)).collect()),
    ]
}

#[test]
fn large_graphs_agree_with_the_engine_for_all_lists() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for n in [60, 301, 2_000] {
        for (name, pairs) in families(n, &mut rng) {
            let mut names: Vec<usize> = (0..n).collect();
            names.shuffle(&mut rng);
            let renamed = pairs.iter().map(|&(u, v)| (names[u], names[v]));
            let mut edges: Vec<_> = renamed
                .filter(|(u, v)| u != v)
                .map(|(u, v)| (u.min(v), u.max(v), 5i64))
                .collect();
            edges.sort_unstable();
            edges.dedup();
            edges.shuffle(&mut rng);
            let list = graph(n, &edges);
            for objective in objectives(n, 7) {
                let by = |engine| solve_with(&Blossom::new().engine(engine), &objective, &list);
                let (counted, weighed) = (by(Engine::Auto), by(Engine::Sparse));
                let what = format!("{n} {name} {objective:?}");
                assert_eq!(
                    counted.as_ref().map(|solution| solution.cost()),
                    weighed.as_ref().map(|solution| solution.cost()),
                    "{what}"
                );
                if let Some(counted) = counted
                    && n % 2 == 0
                {
                    assert_eq!(counted.solved_by(), SolvedBy::Cardinality, "{what}");
                    assert!(counted.is_optimal(), "{what}");
                }
            }
        }
    }
}

#[test]
fn who_has_no_best_number_of_pairs_is_left_to_others() {
    let path = graph(4, &[(0, 1, 5), (1, 2, 5), (2, 3, 5)]);
    // No two sides.
    let paw = graph(4, &[(0, 1, 5), (1, 2, 5), (0, 2, 5), (2, 3, 5)]);
    let by = |list: &EdgeList<i64>, objective| {
        Blossom::new()
            .objective(objective)
            .solve(list)
            .expect("a matching")
            .solved_by()
    };
    for (list, other) in [(&path, SolvedBy::Assignment), (&paw, SolvedBy::Sparse)] {
        assert_eq!(by(list, Objective::MinPerfect), SolvedBy::Cardinality);
        assert_eq!(by(list, Objective::MinOptOut(vec![3; 4])), SolvedBy::Cardinality);
        // Pairs cost as much as both of their vertices alone, or more; and vertices that differ.
        for alone in [vec![2; 4], vec![1; 4], vec![3, 3, 3, 4]] {
            assert_eq!(by(list, Objective::MinOptOut(alone)), other);
        }
    }
    let asked = Blossom::new().engine(Engine::Sparse).solve(&path).expect("a matching");
    assert_eq!(asked.solved_by(), SolvedBy::Sparse);
}

/// Costs close to the end of 128 bits had answers, proven in sums that whoever checks them could not form.
#[test]
fn whoever_checks_an_answer_can_add_up_its_proof() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut answers, mut refusals) = (0, 0);
    for case in 0..3_000 {
        let n = rng.random_range(2..9);
        let cost = (i128::MAX >> rng.random_range(0..12)) * [1, -1][case % 2] / rng.random_range(1..2 * n as i128);
        let list = thin(n, 0.5, cost, &mut rng);
        let alone = [cost, cost / 2, cost / 2 + 1, cost / 4, 1, i128::MAX >> 4][rng.random_range(0..6)];
        for objective in objectives(n, alone) {
            match unchecked(&Blossom::new(), &objective, &list) {
                Err(Error::Overflow { .. }) => refusals += 1,
                found => answers += usize::from(checked(&objective, &list, found).is_some()),
            }
        }
    }
    assert!(answers > 3_000 && refusals > 3_000, "{answers} {refusals}");
}

#[test]
fn a_limit_leaves_a_matching_and_a_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (_, pairs) = families(3_000, &mut rng).swap_remove(0);
    let edges: Vec<_> = pairs.into_iter().map(|(u, v)| (u, v, 1i64)).collect();
    let list = graph(3_000, &edges);
    let mut stopped = 0;
    for objective in objectives(3_000, 1) {
        let Some(best) = solve(&objective, &list) else { continue };
        for work in [1, 20_000, 60_000] {
            let solver = Blossom::new().budget(Budget::new().work(work));
            let Some(found) = solve_with(&solver, &objective, &list) else {
                continue;
            };
            if found.status() != Status::Optimal {
                assert_eq!(found.status(), Status::Feasible(StopReason::WorkLimit), "{objective:?}");
                assert_ne!(found.cost(), found.bound(), "{objective:?}");
                stopped += 1;
            }
            let sign = if objective == Objective::MinOptOut(vec![1; 3_000]) {
                1
            } else {
                -1
            };
            assert!(sign * found.bound() <= sign * best.cost() && sign * best.cost() <= sign * found.cost());
        }
    }
    assert!(stopped > 3, "{stopped}");
}
