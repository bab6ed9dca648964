//! Lists of edges whose costs have to do with one another: where searches from the least weights take too long, duals of samples
//! are begun with.

use matching_core::{Blossom, Budget, EdgeList, Engine, Objective, Parallel};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::solve_with;

const KINDS: [fn(i64, i64) -> i64; 6] = [
    |x, y| x * y,
    |x, y| x.min(y),
    |x, y| -(x - y).pow(2),
    |x, y| (x / 50) * (y / 50),
    |x, y| (x - y).abs(),
    |x, y| (x * 7919 + y * 7919) % 1000,
];

/// Random pairs of vertices, each with so many in the mean, and one more for each that makes all of them perfect.
fn list(kind: usize, n: usize, degree: usize, has_sides: bool, rng: &mut ChaCha8Rng) -> EdgeList<i64> {
    let sizes: Vec<i64> = (0..n).map(|_| rng.random_range(0..1000)).collect();
    let mut edges: Vec<(usize, usize, i64)> = (0..n / 2).map(|u| (u, n - 1 - u, 2_000_000)).collect();
    while edges.len() < n * degree / 2 {
        let (u, v) = if has_sides {
            (rng.random_range(0..n / 2), rng.random_range(n / 2..n))
        } else {
            (rng.random_range(0..n), rng.random_range(0..n))
        };
        if u != v {
            edges.push((u, v, KINDS[kind](sizes[u], sizes[v])));
        }
    }
    EdgeList::with_parallel(n, edges, Parallel::KeepCheapest).expect("no loops")
}

fn objectives(n: usize) -> [Objective<i64>; 5] {
    let prices = |base: i64| (0..n as i64).map(|v| base + v % 7).collect();
    [
        Objective::MinPerfect,
        Objective::MaxPerfect,
        Objective::MaxWeight,
        Objective::MaxCardinality,
        Objective::MinOptOut(prices(90_000)),
    ]
}

#[test]
fn other_engines_find_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for case in 0..24 {
        let (n, degree) = ([420, 500, 640][case % 3], [10, 24, 50][case / 2 % 3]);
        let list = list(case % KINDS.len(), n, degree, case % 4 == 3, &mut rng);
        let objective = &objectives(n)[case % 5];
        let sparse = Blossom::new().engine(Engine::Sparse);
        let dense = Blossom::new().engine(Engine::Dense);
        let costs = [sparse, dense].map(|solver| solve_with(&solver, objective, &list).map(|found| found.cost()));
        assert_eq!(costs[0], costs[1], "{case}");
        assert!(costs[0].is_some());
    }
}

/// A solve that is let go on for longer proves no less, also where it begins again.
#[test]
fn bounds_only_ever_become_closer() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (case, objective) in [
        (0, Objective::MinPerfect),
        (1, Objective::MaxWeight),
        (3, Objective::MinPerfect),
    ] {
        let list = list(case, 800, 24, false, &mut rng);
        let solver = Blossom::new().engine(Engine::Sparse);
        let whole = solve_with(&solver, &objective, &list).expect("a perfect matching");
        let sign = if objective == Objective::MaxWeight { -1 } else { 1 };
        let mut least = i128::MIN;
        for part in 0..=40 {
            let limited = solver.clone().budget(Budget::new().work(whole.work() * part / 40));
            let found = solve_with(&limited, &objective, &list).expect("an answer with a bound");
            assert!(sign * found.bound() >= least, "{case}: {part}");
            assert!(sign * found.bound() <= sign * whole.cost());
            least = sign * found.bound();
        }
    }
}
