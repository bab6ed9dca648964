//! A solve that is stopped anywhere still says only what it can prove.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use matching_core::cost::{self, Cost as _};
use matching_core::{
    Blossom, Budget, CancelToken, EdgeList, Engine, Error, Objective, Precision, Status, StopReason, oracle,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{SHAPES, WEIGHTS, graph, objectives, optimum, random_graph, solve, solve_with};

#[test]
fn every_work_limit_gives_a_right_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(53);
    let mut stopped = [0usize; 2];
    for round in 0..500 {
        let n = rng.random_range(2..=60);
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], WEIGHTS[round / 6 % 6]);
        let graph = graph(n, &edges);
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-5..20)).collect();
        let objective = objectives(&singles, &singles)[round / 36 % 6].clone();
        let best = optimum(&objective, n, &edges);
        let size = solve(&Objective::MaxCardinality, &graph).map_or(0, |solution| solution.pairs().len());
        let sign = match objective {
            Objective::MaxPerfect | Objective::MaxWeight | Objective::MaxCardinality => -1,
            _ => 1,
        };
        for limit in [0, 1, 5, 20, 50, 100, 200, 400, 1_000, 5_000, 100_000_000] {
            let solver = Blossom::new().budget(Budget::new().work(limit));
            let Some(solution) = solve_with(&solver, &objective, &graph) else {
                assert_eq!(best, None);
                continue;
            };
            if let Some(best) = best {
                assert!(sign * solution.bound() <= sign * best, "limit {limit}: {solution:?}");
            }
            match solution.status() {
                Status::Optimal => assert_eq!(Some(solution.cost()), best),
                Status::Feasible(StopReason::WorkLimit) => {
                    let is_smaller = objective == Objective::MaxCardinality && solution.pairs().len() < size;
                    let best = best.expect("a full answer was found");
                    assert!(
                        is_smaller || sign * best <= sign * solution.cost(),
                        "limit {limit}: {solution:?}"
                    );
                    stopped[0] += 1;
                }
                Status::Unknown(StopReason::WorkLimit) => stopped[1] += 1,
                status => panic!("{status:?}"),
            }
        }
    }
    assert!(stopped.iter().all(|&count| count > 100), "{stopped:?}");
}

/// What a stopped solve says of how many pairs there can be, against all matchings.
#[test]
fn no_matching_has_more_pairs_than_is_said() {
    let mut rng = ChaCha8Rng::seed_from_u64(109);
    let (mut none, mut some) = (0, 0);
    for round in 0..300 {
        let n = rng.random_range(2..=12);
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], WEIGHTS[round / 6 % 6]);
        let graph = graph(n, &edges);
        let most = oracle::solve(&graph, &Objective::MaxCardinality).unwrap();
        let most = most.map_or(0, |best| best.pairs.len());
        let thirds = edges.iter().map(|&(u, v, w)| (u, v, w as f64 / 3.0));
        let thirds = EdgeList::new(n, thirds).unwrap();
        for limit in [0, 5, 20, 50, 100, 200, 400, u64::MAX] {
            let budget = Budget::new().work(limit);
            let solver = Blossom::new()
                .objective(Objective::MaxCardinality)
                .budget(budget.clone());
            let solution = solver.solve(&graph).unwrap();
            let (found, said) = (solution.pairs().len(), solution.pairs_at_most(&graph).unwrap());
            assert!(
                found <= most && most <= said && said <= n / 2,
                "{found} {most} {said} of {n}"
            );
            if solution.is_optimal() {
                assert_eq!((found, said), (most, most));
            } else if found == said {
                // No part of the bound stands for pairs that might be found.
                let largest = edges.iter().map(|edge| edge.2.abs()).max().unwrap_or(0);
                assert!(solution.bound() <= 3 * i128::from(largest) * n as i128 / 2 + 1);
                none += 1;
            } else {
                some += 1;
            }
            let rounded = Blossom::new().objective(Objective::MaxCardinality).budget(budget);
            let rounded = rounded.precision(Precision::Quantised).solve(&thirds).unwrap();
            assert!((most..=n / 2).contains(&rounded.pairs_at_most(&thirds).unwrap()));
        }
        let alone = Blossom::new().objective(Objective::MaxWeight).solve(&graph).unwrap();
        assert_eq!(alone.pairs_at_most(&graph), Ok(n / 2));
        let other = EdgeList::new(n + 1, [(0, 1, 1)]).unwrap();
        assert!(alone.pairs_at_most(&other).is_err());
    }
    assert!(none > 20 && some > 100, "{none} {some}");
}

#[test]
fn equal_limits_give_equal_answers() {
    let mut rng = ChaCha8Rng::seed_from_u64(59);
    for round in 0..60 {
        let edges = random_graph(&mut rng, 100, SHAPES[round % 6], WEIGHTS[5]);
        let graph = graph(100, &edges);
        let solver = Blossom::new().budget(Budget::new().work(300));
        let run = || solve_with(&solver, &Objective::MinBye(vec![0; 100]), &graph);
        assert_eq!(run(), run());
    }
}

#[test]
fn the_clock_and_the_token_stop_a_solve() {
    let mut rng = ChaCha8Rng::seed_from_u64(61);
    let edges = random_graph(&mut rng, 400, SHAPES[5], WEIGHTS[5]);
    let graph = graph(400, &edges);
    let token = CancelToken::new();
    let solver = Blossom::new().budget(Budget::new().cancel(token.clone()));
    let solution = solve_with(&solver, &Objective::MinPerfect, &graph).expect("feasible");
    assert!(solution.is_optimal(), "a token that nobody cancels does nothing");
    token.cancel();
    let solution = solve_with(&solver, &Objective::MinPerfect, &graph).expect("stopped");
    assert!(matches!(
        solution.status(),
        Status::Feasible(StopReason::Cancelled) | Status::Unknown(StopReason::Cancelled)
    ));
    let solver = Blossom::new().budget(Budget::new().time(Duration::ZERO));
    let solution = solve_with(&solver, &Objective::MinPerfect, &graph).expect("stopped");
    assert!(matches!(
        solution.status(),
        Status::Feasible(StopReason::TimeLimit) | Status::Unknown(StopReason::TimeLimit)
    ));
}

#[test]
fn limits_do_not_hide_bad_input() {
    let solver = Blossom::<i128>::new().budget(Budget::new().work(0));
    let wide = graph(2, &[(0, 1, i128::MAX)]);
    assert!(matches!(solver.solve(&wide), Err(Error::Overflow { .. })));
}

/// Many who stay single, at a price far above all others: each round went through all their trees, which no budget saw,
/// and there were thousands of rounds.
#[test]
fn a_side_far_too_large_takes_little_more_than_its_edges() {
    let n = 3_000;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let edges: Vec<(usize, usize, i64)> = (0..3 * n)
        .map(|_| {
            let (u, v) = (rng.random_range(0..n / 3), rng.random_range(n / 3..n));
            (u, v, rng.random_range(0..100))
        })
        .collect();
    let graph = graph(n, &edges);
    for objective in [Objective::MaxCardinality, Objective::MinOptOut(vec![1_000; n])] {
        let solution = solve(&objective, &graph).expect("any graph has such a matching");
        assert_eq!(solution.status(), Status::Optimal);
        solution.verify(&graph).expect("a certificate");
        let visits = solution.work() / edges.len() as u64;
        assert!(visits < 100, "{visits} visits for each edge, {objective:?}");
    }
}

/// A relaxation that was cut short had left most vertices nowhere, which was taken for a want of pairs: eight more
/// looks at all pairs were made for each, so that whoever had no time took twice the time of a whole solve.
#[test]
fn a_dense_solve_that_is_stopped_reads_no_more_than_a_whole_one() {
    let n = 400;
    let mut rng = ChaCha8Rng::seed_from_u64(67);
    let places: Vec<(i64, i64)> = (0..n)
        .map(|_| (rng.random_range(0..10_000), rng.random_range(0..10_000)))
        .collect();
    let asked = AtomicU64::new(0);
    let cost = cost::from_fn(n, |u, v| {
        asked.fetch_add(1, Ordering::Relaxed);
        (places[u].0 - places[v].0).pow(2) + (places[u].1 - places[v].1).pow(2)
    });
    // Rows that may not be kept are read again at each look.
    let reads = |budget: Budget| {
        asked.store(0, Ordering::Relaxed);
        let solver = Blossom::new().engine(Engine::Dense).budget(budget.memory(0));
        let solution = solver.solve(&cost).expect("a complete graph");
        (solution.status(), asked.load(Ordering::Relaxed) / (n * (n - 1)) as u64)
    };
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let (status, whole) = reads(Budget::new());
    assert_eq!(status, Status::Optimal);
    for budget in [
        Budget::new().work(0),
        Budget::new().time(Duration::ZERO),
        Budget::new().cancel(cancelled),
    ] {
        let (status, looks) = reads(budget);
        assert!(matches!(status, Status::Feasible(_)), "{status:?}");
        assert!(looks <= whole, "{looks} looks at all pairs, {whole} without a limit");
    }
}

/// Takes the best pairs first, as long as they are worth it: what anybody would do without a solver.
fn best_first(n: usize, pairs: &[(usize, usize, i64)], objective: &Objective<i64>) -> i64 {
    let sign = if matches!(objective, Objective::MinPerfect | Objective::MinOptOut(_)) {
        1
    } else {
        -1
    };
    let alone = |v: usize| match objective {
        Objective::MinOptOut(costs) => costs[v],
        _ => 0,
    };
    let price = |&(u, v, weight): &(usize, usize, i64)| sign * weight - alone(u) - alone(v);
    let mut order = pairs.to_vec();
    order.sort_by_key(price);
    let mut is_paired = vec![false; n];
    let mut total = 0;
    for (u, v, weight) in order {
        let is_worth = matches!(objective, Objective::MinPerfect | Objective::MaxPerfect) || price(&(u, v, weight)) < 0;
        if is_worth && !is_paired[u] && !is_paired[v] {
            (is_paired[u], is_paired[v]) = (true, true);
            total += sign * weight;
        }
    }
    total + (0..n).filter(|&v| !is_paired[v]).map(alone).sum::<i64>()
}

/// Who was stopped had what was left over paired first come first served, so that neighbours by rating were ten times better.
#[test]
fn who_is_stopped_does_no_worse_than_the_best_pairs_first() {
    let mut rng = ChaCha8Rng::seed_from_u64(73);
    let mut feasible = 0;
    for round in 0..120 {
        let n = 2 * rng.random_range(2..=30);
        let ratings: Vec<i64> = (0..n).map(|_| rng.random_range(0..3_000)).collect();
        let pairs = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
        let pairs: Vec<_> = pairs
            .map(|(u, v)| match round % 2 {
                0 => (u, v, (ratings[u] - ratings[v]).abs()),
                _ => (u, v, rng.random_range(-500..1_000)),
            })
            .collect();
        let list = graph(n, &pairs);
        let mut matrix = vec![0; n * n];
        for &(u, v, weight) in &pairs {
            (matrix[u * n + v], matrix[v * n + u]) = (weight, weight);
        }
        let matrix = cost::DenseMatrix::square(n, matrix).expect("a square");
        let penalties = (0..n).map(|_| rng.random_range(0..500)).collect();
        for objective in [
            Objective::MinPerfect,
            Objective::MaxPerfect,
            Objective::MaxWeight,
            Objective::MinOptOut(penalties),
        ] {
            let most = best_first(n, &pairs, &objective);
            let sign = if matches!(objective, Objective::MinPerfect | Objective::MinOptOut(_)) {
                1
            } else {
                -1
            };
            for engine in [Engine::Sparse, Engine::Dense] {
                let limit = [0, 10, 100, 1_000, 10_000][rng.random_range(0..5)];
                let solver = Blossom::new().engine(engine).budget(Budget::new().work(limit));
                let solver = solver.objective(objective.clone());
                for answer in [solver.solve(&list), solver.solve(&matrix)] {
                    let answer = answer.expect("a complete graph");
                    answer.verify(&list).expect("an answer that holds");
                    let cost = i64::try_from(answer.cost()).expect("a small total");
                    assert!(
                        sign * cost <= most,
                        "{objective:?}: {cost} after {limit}, and {most} by hand"
                    );
                    feasible += usize::from(!answer.is_optimal());
                }
            }
        }
    }
    assert!(feasible > 500, "{feasible}");
}

/// Who was left over when a limit was reached was paired at any price, though staying alone was better.
#[test]
fn a_stopped_solve_is_no_worse_than_nobody_paired_where_that_is_allowed() {
    let mut rng = ChaCha8Rng::seed_from_u64(71);
    for round in 0..60 {
        let n = rng.random_range(2..=40);
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], (-500, 20));
        let list = graph(n, &edges);
        let mut weights = vec![None; n * n];
        for &(u, v, weight) in &edges {
            (weights[u * n + v], weights[v * n + u]) = (Some(weight), Some(weight));
        }
        let matrix = cost::DenseMatrix::from_options(n, n, &weights).expect("a square");
        let penalties: Vec<i64> = (0..n).map(|_| rng.random_range(-300..-200)).collect();
        let alone: i64 = penalties.iter().sum();
        for limit in [0, 10, 50, 100, 200, 500, 1_000] {
            for engine in [Engine::Sparse, Engine::Dense] {
                let solver = Blossom::new().engine(engine).budget(Budget::new().work(limit));
                let opt_out = Objective::MinOptOut(penalties.clone());
                for (objective, none, sign) in [(Objective::MaxWeight, 0, -1), (opt_out, alone, 1)] {
                    for solution in [
                        solve_with(&solver, &objective, &list),
                        solve_with(&solver, &objective, &matrix),
                    ] {
                        let cost = solution.expect("any graph has such a matching").cost();
                        assert!(
                            sign * cost <= sign * i128::from(none),
                            "{objective:?} {engine:?} {limit}: {cost}"
                        );
                    }
                }
            }
        }
    }
}

/// All pairs were looked at again and again to find out what the number of players says.
#[test]
fn that_an_odd_pool_has_no_perfect_matching_is_seen_from_its_number() {
    let n = 301;
    let asked = AtomicU64::new(0);
    let cost = cost::from_fn(n, |u, v| {
        asked.fetch_add(1, Ordering::Relaxed);
        (u * 7_919 + v * 7_919) as i64 % 1_009
    });
    let solver = Blossom::new().engine(Engine::Dense).budget(Budget::new().memory(0));
    let Err(Error::NoPerfectMatching(witness)) = solver.solve(&cost) else {
        panic!("an odd number")
    };
    let looks = asked.swap(0, Ordering::Relaxed) / (n * (n - 1)) as u64;
    assert!(looks <= 2, "{looks} looks at all pairs");
    matching_core::verify::witness(&cost, &witness).expect("a right witness");
    let skewed = cost::from_fn(n, |u, v| (u + 2 * v) as i64);
    assert!(
        matches!(solver.solve(&skewed), Err(Error::Asymmetric { u: 0, v: 1 })),
        "first things first"
    );
}

/// Where all want one of a few, the few pairs of each were repaired from one search to the next with all trees at once,
/// hundreds of times what a search on all edges takes.
#[test]
fn pools_that_want_who_is_farthest_take_few_looks_at_their_pairs() {
    let n = 400;
    let group = |i: usize| (i / 31) as i64;
    let cost = cost::from_symmetric_fn(n, |i, j| match group(i) - group(j) {
        0 => 0,
        gap => 1_000 + gap.abs(),
    });
    let objective = Objective::MaxPerfect;
    let found = |engine| solve_with(&Blossom::new().engine(engine), &objective, &cost).expect("complete");
    let (dense, sparse) = (found(Engine::Dense), found(Engine::Sparse));
    assert_eq!(dense.cost(), sparse.cost());
    let visits = dense.work() / (n * n / 2) as u64;
    assert!(visits < 200, "{visits} visits for each pair");
}

/// Two sides whose pairs all cost the same, or one of two prices: everybody was offered the same few of the other side, round
/// by round.
#[test]
fn sides_of_equal_costs_take_few_looks_at_their_pairs() {
    let n = 600;
    for prices in [1, 2] {
        let cost = cost::from_symmetric_fn(n, |i, j| match (i * 7919 + j * 104_729 + i * j * 31) % 10 {
            0 => 0,
            _ => prices - 1,
        });
        let cost = cost.restricted(|i, j| (i < n / 2) != (j < n / 2));
        let found =
            |engine| solve_with(&Blossom::new().engine(engine), &Objective::MinPerfect, &cost).expect("two sides");
        let (dense, sparse) = (found(Engine::Dense), found(Engine::Sparse));
        assert_eq!(dense.cost(), sparse.cost(), "{prices} prices");
        let visits = dense.work() / (n * n / 2) as u64;
        assert!(visits < 25, "{prices} prices: {visits} visits for each pair");
    }
}
