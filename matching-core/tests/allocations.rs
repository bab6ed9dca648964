//! A workspace that has seen the largest size solves without allocating. A binary of its own, for its allocator.

use matching_core::{Blossom, EdgeList, Objective, Session, Workspace, cost};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const LARGEST: usize = 64;

/// A pool of some size, and one solver for each objective.
fn pool(rng: &mut ChaCha8Rng, n: usize) -> (cost::DenseMatrix<i64>, [Blossom<i64>; 6]) {
    let position: Vec<(i64, i64)> = (0..n)
        .map(|_| (rng.random_range(0..1000), rng.random_range(0..1000)))
        .collect();
    let noise = rng.random_range(0..2) * 1000;
    let distance = |i: usize, j: usize| {
        let (a, b) = (position[i], position[j]);
        (a.0 - b.0).abs() + (a.1 - b.1).abs() + (a.0 * b.0 + a.1 * b.1) % (noise + 1) - 200
    };
    let singles: Vec<i64> = (0..n).map(|_| rng.random_range(0..500)).collect();
    let rows = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let rows: Vec<i64> = rows.map(|(i, j)| distance(i, j)).collect();
    let matrix = cost::DenseMatrix::square(n, rows).expect("square");
    let objectives = [
        Objective::MinPerfect,
        Objective::MaxPerfect,
        Objective::MaxWeight,
        Objective::MaxCardinality,
        Objective::MinOptOut(singles.clone()),
        Objective::MinBye(singles),
    ];
    (matrix, objectives.map(|objective| Blossom::new().objective(objective)))
}

#[test]
fn a_warm_workspace_does_not_allocate() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut workspace = Workspace::new();
    let (largest, solvers) = pool(&mut rng, LARGEST);
    for solver in [&solvers[0], &solvers[2], &solvers[4]] {
        solver.solve_with(&largest, &mut workspace).expect("complete");
    }
    let pools: Vec<_> = (0..100)
        .map(|_| {
            let n = 2 * rng.random_range(1..=LARGEST / 2);
            pool(&mut rng, n)
        })
        .collect();
    let odd: Vec<_> = (0..40)
        .map(|_| {
            let n = 2 * rng.random_range(1..LARGEST / 2) + 1;
            pool(&mut rng, n)
        })
        .collect();
    let mut total = 0i128;
    let mut solves = 0;
    let measured = allocation_counter::measure(|| {
        for (matrix, solvers) in pools.iter().chain(&odd) {
            // An odd pool has no perfect matching, which is an error with a witness.
            for solver in &solvers[2 * (matching_core::Cost::len(matrix) % 2)..] {
                total += solver
                    .solve_with(matrix, &mut workspace)
                    .map_or(0, |answer| answer.cost());
                solves += 1;
            }
        }
    });
    assert_eq!((measured.count_total, measured.bytes_total), (0, 0));
    assert!(solves >= 200 && total != 0);
}

/// Penalties that change from solve to solve once made a new vector each time, as a solver could not be written to.
#[test]
fn penalties_that_change_do_not_allocate() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut workspace = Workspace::new();
    let shots: Vec<_> = (0..60)
        .map(|shot| pool(&mut rng, if shot == 0 { LARGEST } else { 2 + shot % 40 }))
        .collect();
    let mut solver = Blossom::new().objective(Objective::MinOptOut(Vec::new()));
    let mut solve = |matrix: &cost::DenseMatrix<i64>| {
        if let Objective::MinOptOut(prices) = solver.objective_mut() {
            prices.clear();
            prices.extend((0..matching_core::Cost::len(matrix)).map(|v| 10 * v as i64));
        }
        solver
            .solve_with(matrix, &mut workspace)
            .expect("nobody has to be paired")
            .cost()
    };
    solve(&shots[0].0);
    let mut costs = Vec::with_capacity(shots.len());
    let measured = allocation_counter::measure(|| costs.extend(shots.iter().map(|(matrix, _)| solve(matrix))));
    assert_eq!((measured.count_total, measured.bytes_total), (0, 0));
    for ((matrix, _), cost) in shots.iter().zip(costs) {
        let prices = (0..matching_core::Cost::len(matrix)).map(|v| 10 * v as i64).collect();
        let fresh = Blossom::new()
            .objective(Objective::MinOptOut(prices))
            .solve(matrix)
            .expect("complete");
        assert_eq!(fresh.cost(), cost);
    }
}

/// The edges of a pool that join neighbours in a random order, perfect matchings among them, with weights of their own.
fn list(rng: &mut ChaCha8Rng, n: usize) -> EdgeList<i64> {
    let mut pairs: Vec<(usize, usize)> = (1..n).map(|v| (v - 1, v)).collect();
    pairs.extend((3..n).map(|v| (v - 3, v)).filter(|_| rng.random_bool(0.6)));
    pairs.shuffle(rng);
    let edges = pairs.into_iter().map(|(u, v)| (u, v, rng.random_range(-300..1_000)));
    EdgeList::new(n, edges).expect("simple")
}

#[test]
fn lists_in_a_warm_workspace_do_not_allocate() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut workspace = Workspace::new();
    let of = |rng: &mut ChaCha8Rng, n: usize| (list(rng, n), pool(rng, n).1);
    let largest = of(&mut rng, 32);
    largest.1[0]
        .solve_list_with(&largest.0, &mut workspace)
        .expect("a path has a perfect matching");
    for solver in &largest.1 {
        solver.solve_list_with(&largest.0, &mut workspace).expect("as above");
    }
    // A vertex more, beside which one is alone.
    let odd = of(&mut rng, 31);
    for solver in &odd.1[2..] {
        solver.solve_list_with(&odd.0, &mut workspace).expect("one may be left");
    }
    let mut lists: Vec<_> = (0..200)
        .map(|_| {
            let n = rng.random_range(2..=32);
            of(&mut rng, n)
        })
        .collect();
    let (mut total, mut solves) = (0i128, 0);
    let measured = allocation_counter::measure(|| {
        for (edges, solvers) in &mut lists {
            edges.set_weight(0, 77).expect("a number");
            let n = edges.len();
            for (at, solver) in solvers.iter().enumerate() {
                // An odd number has no perfect matching.
                if at < 2 && n % 2 == 1 {
                    continue;
                }
                let answer = solver.solve_list_with(edges, &mut workspace).expect("a path");
                total += answer.cost();
                solves += 1;
            }
        }
    });
    assert_eq!((measured.count_total, measured.bytes_total), (0, 0));
    assert!(solves > 500 && total != 0);
}

/// The room that a pool had for newcomers was up to four times what it held.
#[test]
fn a_session_takes_few_bytes_an_entry() {
    for n in [500_usize, 1_020] {
        let cost = cost::from_symmetric_fn(n, |i, j| (i + j) as i64);
        let mut session = None;
        let measured = allocation_counter::measure(|| session = Session::new(&cost).ok());
        assert_eq!(session.map(|session| session.len()), Some(n));
        let entries = (n * n) as i64;
        assert!(
            measured.bytes_current <= 5 * entries,
            "{} for {n} players",
            measured.bytes_current
        );
    }
}

/// Rows with what vertices cost alone were a copy beside the rows that they are made of: twice the memory that is documented.
#[test]
fn a_few_pairs_of_no_use_take_no_second_copy_of_a_pool() {
    let n = 1_000;
    let loss = |i: usize, j: usize| if i + j == 17 { -1 } else { (i * j % 1_009) as i64 };
    let solver = Blossom::new().objective(Objective::MaxWeight).threads(1);
    let wide = cost::from_symmetric_fn(n, loss);
    let narrow = cost::DenseMatrix::tabulate(&cost::from_symmetric_fn(n, |i, j| loss(i, j) as i32)).expect("a square");
    // A matrix that is used where it lies is the one that is copied.
    let measured = [
        allocation_counter::measure(|| assert!(solver.solve(&wide).is_ok())),
        allocation_counter::measure(|| {
            let solver = Blossom::new().objective(Objective::MaxWeight).threads(1);
            assert!(solver.solve(&narrow).is_ok());
        }),
    ];
    // Rows, samples of them, and some of each player.
    let most = (4 + 2) * (n * n) as u64;
    for measured in measured {
        assert!(measured.bytes_max <= most, "{} bytes of {most}", measured.bytes_max);
    }
}

/// One long side and a short one: all pairs of both together would be thousands of times those between them.
#[test]
fn two_sides_take_no_memory_for_pairs_within_them() {
    let rows = 3_000;
    for (cols, objective) in [
        (0, Objective::MaxCardinality),
        (0, Objective::MinOptOut(vec![1; rows])),
        (2, Objective::MaxCardinality),
        (2, Objective::MaxWeight),
        (2, Objective::MinOptOut(vec![1; rows + 2])),
    ] {
        let mut table = cost::DenseMatrix::new(rows, cols, vec![-7_i64; rows * cols]).expect("as many entries");
        // Of most pairs, which leaves the others to a list of them.
        for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
            if row % 20 != 3 {
                table.forbid(row, col);
            }
        }
        let sides = matching_core::Cost::two_sided(table);
        let solver = Blossom::new().threads(1).objective(objective.clone());
        let mut found = None;
        let measured = allocation_counter::measure(|| found = solver.solve(&sides).ok());
        let found = found.expect("a matching");
        assert!(found.verify(&sides).is_ok());
        assert_eq!(
            found.pairs().count(),
            if objective == Objective::MaxWeight { 0 } else { cols }
        );
        assert!(measured.bytes_max < 6 << 20, "{cols} {objective:?}: {measured:?}");
    }
}
