//! Lists of edges between two sides where everybody may stay alone, against exhaustive search and against the engine for all
//! lists, with every certificate checked.

use core::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

use matching_core::{
    Blossom, Budget, CancelToken, CostValue, EdgeList, Engine, Error, Objective, Parallel, Solution, SolvedBy, Status,
    StopReason, oracle,
};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{graph, solve, solve_with};

fn objectives<V: CostValue>(alone: &[V]) -> [Objective<V>; 3] {
    [
        Objective::MaxWeight,
        Objective::MaxCardinality,
        Objective::MinOptOut(alone.to_vec()),
    ]
}

const KINDS: [fn(i64, i64, &mut ChaCha8Rng) -> i64; 6] = [
    |_, _, rng| rng.random_range(0..1_000_000),
    |_, _, rng| rng.random_range(-3..4),
    |x, y, _| x * y,
    |x, y, _| (x - y).abs(),
    |x, y, _| x.min(y),
    |x, y, rng| -(x * y) + rng.random_range(0..50),
];

/// Random pairs between the first vertices and the others, whose numbers are shuffled then; each of the first has so many in the
/// mean. Of three lists one leaves most of the others out.
fn list(kind: usize, sides: (usize, usize), degree: usize, rng: &mut ChaCha8Rng) -> EdgeList<i64> {
    let crowd = if rng.random_bool(0.3) { 4 } else { 1 };
    list_of(kind, sides, 0..=2 * degree, crowd, rng)
}

/// The same with so many pairs for each of the first, with one of so many of the others.
fn list_of(
    kind: usize,
    (first, second): (usize, usize),
    degrees: RangeInclusive<usize>,
    crowd: usize,
    rng: &mut ChaCha8Rng,
) -> EdgeList<i64> {
    let n = first + second;
    let sizes: Vec<i64> = (0..n).map(|_| rng.random_range(0..1_000)).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.shuffle(rng);
    let mut edges = Vec::new();
    for u in 0..first {
        for _ in 0..rng.random_range(degrees.clone()) {
            let v = first + rng.random_range(0..second) / crowd;
            edges.push((order[u], order[v], KINDS[kind](sizes[u], sizes[v], rng)));
        }
    }
    EdgeList::with_parallel(n, edges, Parallel::KeepCheapest).expect("no loops")
}

/// The total, and the number of pairs where as many as possible are asked for.
fn told<V: CostValue>(objective: &Objective<V>, found: &Solution<V>) -> (V::Total, Option<usize>) {
    let is_counted = matches!(objective, Objective::MaxCardinality);
    (found.cost(), is_counted.then(|| found.pairs().count()))
}

#[test]
fn small_lists_are_solved_as_by_trying_everything() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut by_paths = 0;
    for case in 0..3_000 {
        let sides = (rng.random_range(1..6), rng.random_range(1..6));
        let degree = rng.random_range(1..5);
        let list = list(case % KINDS.len(), sides, degree, &mut rng);
        let range = [-2_000..2_000, 0..5, 100_000..1_000_000, -3..2][case % 4].clone();
        let alone: Vec<i64> = (0..list.len()).map(|_| rng.random_range(range.clone())).collect();
        for objective in objectives(&alone) {
            let found = solve(&objective, &list).expect("everybody may stay alone");
            let best = oracle::solve(&list, &objective)
                .expect("few vertices")
                .expect("some matching");
            assert_eq!(found.cost(), best.cost, "{case} {objective:?}");
            if objective == Objective::MaxCardinality {
                assert_eq!(found.pairs().count(), best.pairs.len(), "{case}");
            }
            by_paths += usize::from(found.solved_by() == SolvedBy::Assignment);
        }
    }
    assert!(by_paths > 7_000, "{by_paths}");
}

#[test]
fn the_engine_for_all_lists_finds_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for case in 0..300 {
        let (first, second) = [(40, 40), (30, 90), (150, 160), (200, 60)][case % 4];
        let degree = [1, 2, 4, 12][case / 4 % 4];
        let list = list(case % KINDS.len(), (first, second), degree, &mut rng);
        let range = [-500..500, 0..400_000, 3_000_000..3_000_007][case % 3].clone();
        let alone: Vec<i64> = (0..list.len()).map(|_| rng.random_range(range.clone())).collect();
        for objective in objectives(&alone) {
            let found = solve(&objective, &list).expect("everybody may stay alone");
            let sparse = Blossom::new().engine(Engine::Sparse);
            let other = solve_with(&sparse, &objective, &list).expect("everybody may stay alone");
            assert_eq!(other.solved_by(), SolvedBy::Sparse);
            assert_eq!(
                told(&objective, &found),
                told(&objective, &other),
                "{case} {objective:?}"
            );
        }
    }
}

#[test]
fn other_numbers_find_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for case in 0..120 {
        let list = list(case % KINDS.len(), (40, 50), 3, &mut rng);
        let alone: Vec<i64> = (0..list.len()).map(|_| rng.random_range(0..600_000)).collect();
        let n = list.len();
        for (at, objective) in objectives(&alone).into_iter().enumerate() {
            let best = solve(&objective, &list).expect("everybody may stay alone").cost();
            let wide =
                EdgeList::new(n, list.iter().map(|(u, v, weight)| (u, v, i128::from(weight) << 60))).expect("a list");
            let prices: Vec<i128> = alone.iter().map(|&price| i128::from(price) << 60).collect();
            let found = solve(&objectives(&prices)[at], &wide).expect("everybody may stay alone");
            assert_eq!((found.cost(), found.solved_by()), (best << 60, SolvedBy::Assignment));
            let floats =
                EdgeList::new(n, list.iter().map(|(u, v, weight)| (u, v, weight as f64 / 8.0))).expect("a list");
            let prices: Vec<f64> = alone.iter().map(|&price| price as f64 / 8.0).collect();
            let found = solve(&objectives(&prices)[at], &floats).expect("everybody may stay alone");
            assert_eq!(
                (found.cost(), found.solved_by()),
                (best as f64 / 8.0, SolvedBy::Assignment)
            );
        }
    }
}

/// Costs close to the end of 128 bits: whoever has an answer has one that can be checked.
#[test]
fn what_no_proof_could_be_added_up_for_is_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut answers, mut refusals) = (0, 0);
    for _ in 0..2_000 {
        let (first, second) = (rng.random_range(1..5), rng.random_range(1..5));
        let n = first + second;
        let most = i128::MAX >> rng.random_range(0..14);
        let mut number = || rng.random_range(-most..=most);
        let edges: Vec<_> = (0..first)
            .flat_map(|u| (first..n).map(move |v| (u, v)))
            .map(|(u, v)| (u, v, number()))
            .collect();
        let alone: Vec<i128> = (0..n).map(|_| number()).collect();
        let list = graph(n, &edges);
        for objective in objectives(&alone) {
            match Blossom::new().objective(objective).solve(&list) {
                Ok(found) => {
                    found.verify(&list).expect("a proven answer");
                    answers += 1;
                }
                Err(Error::Overflow { .. } | Error::TotalOutOfRange) => refusals += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(answers > 500 && refusals > 500, "{answers} {refusals}");
}

/// A few more on one side: to come to what staying alone costs took searches through the whole graph, one for each of them.
#[test]
fn one_side_that_is_larger_takes_few_looks() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for kind in [0, 1, 3] {
        let list = list_of(kind, (4_800, 5_200), 4..=12, 1, &mut rng);
        let edges = list.edges().len() as u64;
        let alone = vec![20_000_000; list.len()];
        for objective in [Objective::MaxCardinality, Objective::MinOptOut(alone)] {
            let found = solve(&objective, &list).expect("everybody may stay alone");
            assert_eq!(found.solved_by(), SolvedBy::Assignment);
            assert!(
                found.work() < 128 * edges,
                "{kind}: {} looks at {edges} edges",
                found.work()
            );
        }
    }
}

/// Paths that would be too long are left to the engine for all lists, and no bound is lost by that.
#[test]
fn long_paths_are_left_to_others() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let list = list_of(2, (6_000, 6_000), 4..=12, 1, &mut rng);
    let objective = Objective::MinOptOut(vec![20_000_000; list.len()]);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = Arc::clone(&heard);
    let solver = Blossom::new().objective(objective.clone()).observer(move |progress| {
        // Nothing holds on all edges while duals of samples are looked for.
        if let Some(bound) = progress.bound {
            ears.lock().unwrap().push((bound, progress.work));
        }
    });
    let best = solver.solve(&list).expect("everybody may stay alone");
    best.verify(&list).expect("a proven answer");
    assert_eq!(best.solved_by(), SolvedBy::Sparse);
    let heard = heard.lock().unwrap();
    assert!(heard.is_sorted(), "bounds only become closer, and work grows");
    assert!(
        heard
            .iter()
            .all(|&(bound, work)| bound <= best.cost() as f64 && work <= best.work())
    );
    // Who stops has no worse a bound than was heard before.
    for two in heard.windows(2).step_by(heard.len() / 12 + 1) {
        let limited = Blossom::new().budget(Budget::new().work(two[1].1.saturating_sub(1)));
        let found = solve_with(&limited, &objective, &list).expect("everybody may stay alone");
        assert!(found.bound() as f64 >= two[0].0 && found.bound() <= best.cost() && found.cost() >= best.cost());
    }
}

#[test]
fn limits_leave_an_answer_and_a_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for kind in 0..KINDS.len() {
        let list = list(kind, (2_000, 2_100), 6, &mut rng);
        let alone = vec![1_500_000; list.len()];
        for objective in objectives(&alone) {
            let best = solve(&objective, &list).expect("everybody may stay alone");
            let sign = if matches!(objective, Objective::MinOptOut(_)) {
                1
            } else {
                -1
            };
            for work in [0, 1, 15_000, 70_000, 150_000] {
                let limited = Blossom::new().budget(Budget::new().work(work));
                let found = solve_with(&limited, &objective, &list).expect("everybody may stay alone");
                assert!(work > 0 || found.status() == Status::Feasible(StopReason::WorkLimit));
                if objective != Objective::MaxCardinality {
                    assert!(sign * found.bound() <= sign * best.cost() && sign * best.cost() <= sign * found.cost());
                }
            }
        }
    }
}

#[test]
fn who_listens_hears_the_end_and_may_cancel() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let list = list(2, (1_000, 1_500), 8, &mut rng);
    let objective = Objective::MinOptOut(vec![2_000_000; list.len()]);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = Arc::clone(&heard);
    let solver = Blossom::new().objective(objective.clone()).observer(move |progress| {
        ears.lock().unwrap().push((progress.left, progress.bound));
    });
    let best = solver.solve(&list).expect("everybody may stay alone");
    assert_eq!(heard.lock().unwrap().last(), Some(&(Some(0), Some(best.cost() as f64))));

    let token = CancelToken::new();
    let stop = token.clone();
    let solver = Blossom::new()
        .budget(Budget::new().cancel(token))
        .observer(move |_| stop.cancel());
    let found = solve_with(&solver, &objective, &list).expect("everybody may stay alone");
    assert_eq!(found.status(), Status::Feasible(StopReason::Cancelled));
    assert!(found.bound() <= best.cost() && best.cost() <= found.cost());
}

#[test]
fn odd_circuits_are_for_others() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..50 {
        let list = list(0, (30, 40), 3, &mut rng);
        // Two neighbours of one vertex.
        let Some((center, ends)) = (0..list.len()).find_map(|center| {
            let beside = list.iter().filter_map(|(u, v, _)| match (u == center, v == center) {
                (true, _) => Some(v),
                (_, true) => Some(u),
                _ => None,
            });
            let ends: Vec<usize> = beside.take(2).collect();
            (ends.len() == 2).then_some((center, ends))
        }) else {
            panic!("somebody has two neighbours, {list:?}");
        };
        let more = list.iter().chain([(ends[0], ends[1], 7)]);
        let odd = EdgeList::new(list.len(), more).expect("no loops");
        let found = solve(&Objective::MaxWeight, &odd).expect("everybody may stay alone");
        assert_eq!(found.solved_by(), SolvedBy::Sparse, "around {center}");
        let even = solve(&Objective::MaxWeight, &list).expect("everybody may stay alone");
        assert_eq!(even.solved_by(), SolvedBy::Assignment);
    }
}
