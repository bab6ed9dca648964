//! One workspace for pools of all sizes and shapes, against exhaustive search and the sparse engine.

use matching_core::{Blossom, Cost, Engine, Error, Objective, Precision, Workspace, cost, oracle, verify};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::objectives;

/// A square matrix with forbidden pairs.
#[derive(Debug)]
struct Matrix {
    n: usize,
    weights: Vec<i64>,
    allowed: Vec<bool>,
}

const SHAPES: usize = 8;

impl Matrix {
    fn random(rng: &mut ChaCha8Rng, n: usize, shape: usize) -> Self {
        let mut matrix = Self {
            n,
            weights: vec![0; n * n],
            allowed: vec![true; n * n],
        };
        let a: Vec<i64> = (0..n).map(|_| rng.random_range(-30..30)).collect();
        let b: Vec<i64> = (0..n).map(|_| rng.random_range(0..50)).collect();
        let density = rng.random_range(1..10);
        for i in 0..n {
            for j in i + 1..n {
                let weight = match shape {
                    0 => rng.random_range(-1_000_000..1_000_000),
                    1 => rng.random_range(0..5),
                    2 => rng.random_range(0..2) * 1000,
                    3 => a[i] * a[j],
                    4 => (a[i] / 10 - a[j] / 10).abs() * 100 + (b[i] - b[j]).pow(2),
                    5 => (a[i] - a[j]) * (b[i] - b[j]),
                    6 => a[i].abs() * 7919 % 13 + a[j].abs() * 7919 % 13,
                    _ => -rng.random_range(0..1i64 << 40),
                };
                let is_allowed = shape.is_multiple_of(2) || rng.random_range(0..10) <= density;
                for entry in [i * n + j, j * n + i] {
                    matrix.weights[entry] = weight;
                    matrix.allowed[entry] = is_allowed;
                }
            }
        }
        matrix
    }

    fn cost(&self) -> impl Cost<Value = i64> + '_ {
        cost::from_symmetric_fn(self.n, |i, j| self.weights[i * self.n + j])
            .restricted(|i, j| self.allowed[i * self.n + j])
    }
}

/// Solves in the workspace and checks whatever comes out: the cost, or `None` with a checked witness.
fn checked<C: Cost<Value = i64>>(objective: &Objective<i64>, cost: &C, workspace: &mut Workspace<i64>) -> Option<i128> {
    let blossom = Blossom::new().objective(objective.clone());
    match blossom.solve_with(cost, workspace) {
        Ok(solution) => {
            solution
                .verify(cost)
                .unwrap_or_else(|error| panic!("answer refused ({objective:?}): {error}"));
            assert!(solution.is_optimal());
            assert_eq!(solution.objective(), objective);
            Some(solution.cost())
        }
        Err(Error::NoPerfectMatching(witness)) => {
            verify::infeasibility(cost, objective, &witness)
                .unwrap_or_else(|error| panic!("witness refused ({objective:?}): {error}, {witness:?}"));
            None
        }
        Err(error) => panic!("no answer ({objective:?}): {error:?}"),
    }
}

#[test]
fn tiny_pools_agree_with_exhaustive_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(71);
    let mut workspace = Workspace::new();
    for case in 0..3200 {
        let n = rng.random_range(0..=10);
        let matrix = Matrix::random(&mut rng, n, case % SHAPES);
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-20..200)).collect();
        let cost = matrix.cost();
        for objective in objectives(&singles, &singles) {
            let found = checked(&objective, &cost, &mut workspace);
            let best = oracle::solve(&cost, &objective).expect("a valid instance");
            assert_eq!(found, best.map(|best| best.cost), "{objective:?} {matrix:?}");
        }
    }
}

#[test]
fn pools_agree_with_the_sparse_engine() {
    let mut rng = ChaCha8Rng::seed_from_u64(72);
    let mut workspace = Workspace::new();
    for case in 0..1200 {
        let n = rng.random_range(2..=if case % 8 == 0 { 120 } else { 48 });
        let matrix = Matrix::random(&mut rng, n, case / 8 % SHAPES);
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-20..200)).collect();
        let cost = matrix.cost();
        for objective in objectives(&singles, &singles) {
            let found = checked(&objective, &cost, &mut workspace);
            let sparse = Blossom::new().engine(Engine::Sparse).objective(objective.clone());
            let best = match sparse.solve(&cost) {
                Ok(solution) => Some(solution.cost()),
                Err(Error::NoPerfectMatching(_)) => None,
                Err(error) => panic!("{error:?}"),
            };
            assert_eq!(found, best, "{objective:?}");
        }
    }
}

#[test]
fn the_widest_range_of_64_bits_and_beyond() {
    let mut rng = ChaCha8Rng::seed_from_u64(73);
    let mut workspace = Workspace::new();
    for case in 0..400u32 {
        let n = 2 * rng.random_range(1..=20);
        // 8 (n + 2) 2 M is just below 2^62 for even cases, beyond for odd ones.
        let most = ((1i64 << 62) / (16 * (n as i64 + 2)) - 1) << (case % 2);
        let is_path = case % 4 < 2;
        let weights: Vec<i64> = (0..n * n)
            .map(|_| [0, most, rng.random_range(0..=most)][rng.random_range(0..3)])
            .collect();
        let cost = cost::from_symmetric_fn(n, |i, j| {
            if is_path {
                most * (i.min(j) as i64 % 2)
            } else {
                weights[i.min(j) * n + i.max(j)]
            }
        })
        .restricted(|i, j| !is_path || i.abs_diff(j) == 1);
        let found = checked(&Objective::MinPerfect, &cost, &mut workspace);
        let best = Blossom::new()
            .engine(Engine::Sparse)
            .solve(&cost)
            .map(|solution| solution.cost());
        assert_eq!(found, best.ok());
    }
}

#[test]
fn floats_are_exact_or_quantised_or_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(74);
    let mut workspace = Workspace::new();
    for case in 0..300 {
        let n = rng.random_range(2..=30);
        let scale = [1.0, 1e-9, 1e30][case % 3];
        let weights: Vec<f64> = (0..n * n)
            .map(|_| {
                if case % 2 == 0 {
                    rng.random_range(-4..40) as f64 / 8.0
                } else {
                    rng.random::<f64>() * scale
                }
            })
            .collect();
        let cost = cost::from_symmetric_fn(n, |i, j| weights[i.min(j) * n + i.max(j)]);
        let byes = vec![0.5; n];
        for objective in objectives(&byes, &byes) {
            for precision in [Precision::Exact, Precision::Quantised] {
                let blossom = Blossom::new().objective(objective.clone()).precision(precision);
                let sparse = blossom.clone().engine(Engine::Sparse).solve(&cost);
                match (blossom.solve_with(&cost, &mut workspace), sparse) {
                    (Ok(found), Ok(sparse)) => {
                        found.verify(&cost).expect("a right answer");
                        assert_eq!(found.status(), sparse.status());
                        assert!(!found.is_optimal() || found.cost() == sparse.cost());
                    }
                    (Err(Error::NoPerfectMatching(_)), Err(Error::NoPerfectMatching(_))) => {}
                    (Err(found), Err(sparse)) => assert_eq!(found, sparse),
                    (found, sparse) => panic!("{found:?} {sparse:?}"),
                }
            }
        }
    }
}

#[test]
fn faults_are_those_of_solve_and_leave_the_workspace_good() {
    let mut workspace = Workspace::new();
    let good = cost::from_fn(6, |i, j| (i * j % 5) as i64);
    let blossom = Blossom::new();
    let best = blossom.solve(&good).expect("complete").cost();
    let one_way = cost::from_fn(6, |i, j| i as i64 - j as i64);
    let odd = cost::from_fn(5, |i, j| (i + j) as i64);
    let huge = cost::from_fn(4, |i, j| if i + j == 1 { i64::MIN } else { 1 });
    let wide = huge.negated();
    let short = Blossom::new().objective(Objective::MinBye(vec![1]));
    for round in 0..3 {
        let largest = workspace_error(&blossom, &one_way, &mut workspace);
        assert_eq!(largest, Error::Asymmetric { u: 0, v: 1 }, "round {round}");
        assert!(matches!(
            workspace_error(&blossom, &odd, &mut workspace),
            Error::NoPerfectMatching(_)
        ));
        assert_eq!(
            workspace_error(&blossom, &wide, &mut workspace),
            Error::CostOverflow { u: 0, v: 1 }
        );
        assert!(matches!(
            workspace_error(&short, &good, &mut workspace),
            Error::LengthMismatch { .. }
        ));
        assert_eq!(
            blossom.solve_with(&good, &mut workspace).expect("complete").cost(),
            best
        );
    }
}

fn workspace_error<C: Cost<Value = i64>>(blossom: &Blossom<i64>, cost: &C, workspace: &mut Workspace<i64>) -> Error {
    let error = blossom.solve_with(cost, workspace).expect_err("a fault").clone();
    assert_eq!(Some(&error), blossom.solve(cost).as_ref().err());
    error
}

/// Whoever has one partner only is matched before anything else is, to a partner whose dual is put out of reach.
#[test]
fn whoever_has_one_partner_only_is_matched_first() {
    let mut rng = ChaCha8Rng::seed_from_u64(73);
    let mut workspace = Workspace::new();
    let (mut feasible, mut infeasible) = (0, 0);
    for case in 0..2400 {
        let n = rng.random_range(2..=if case % 8 == 0 { 70 } else { 9 });
        let mut matrix = Matrix::random(&mut rng, n, case / 8 % SHAPES);
        for v in 0..n {
            // Now and then two have the same one, or each other.
            if rng.random_range(0..4) == 0 {
                let only = (v + rng.random_range(1..n)) % n;
                for other in (0..n).filter(|&other| other != only) {
                    matrix.allowed[v * n + other] = false;
                    matrix.allowed[other * n + v] = false;
                }
            }
        }
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-20..200)).collect();
        let cost = matrix.cost();
        for objective in objectives(&singles, &singles) {
            let found = checked(&objective, &cost, &mut workspace);
            let best = if n <= 9 {
                let best = oracle::solve(&cost, &objective).expect("a valid instance");
                best.map(|best| best.cost)
            } else {
                let sparse = Blossom::new().engine(Engine::Sparse).objective(objective.clone());
                sparse.solve(&cost).ok().map(|solution| solution.cost())
            };
            assert_eq!(found, best, "{objective:?} {matrix:?}");
            *(if best.is_some() { &mut feasible } else { &mut infeasible }) += 1;
        }
    }
    assert!(feasible > 3000 && infeasible > 1000, "{feasible} {infeasible}");
}

/// Duals out of reach on the widest range that 64 bits are used for.
#[test]
fn one_partner_only_on_the_widest_range() {
    let n = 8;
    let top = (1i64 << 62) / (16 * (n as i64 + 2)) - 1;
    for sign in [1, -1] {
        let chain = cost::from_symmetric_fn(n, |i, j| sign * if (i + j) % 4 == 1 { top } else { -top })
            .restricted(|i, j| i.abs_diff(j) == 1 || (i.min(j) == 2 && i.max(j) == 5));
        let found = checked(&Objective::MinPerfect, &chain, &mut Workspace::new());
        let best = oracle::solve(&chain, &Objective::MinPerfect).expect("a valid instance");
        assert_eq!(found, best.map(|best| best.cost));
        assert!(found.is_some());
    }
}

/// Up to 200 vertices in fresh memory, whether trees are expected to stay small or not.
#[test]
fn pools_of_up_to_two_hundred_agree_with_the_other_engines() {
    let mut rng = ChaCha8Rng::seed_from_u64(74);
    for case in 0..64 {
        let n = rng.random_range(70..=202);
        let matrix = Matrix::random(&mut rng, n, case % SHAPES);
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-20..200)).collect();
        let cost = matrix.cost();
        for objective in objectives(&singles, &singles) {
            let solve = |engine| {
                let blossom = Blossom::new().engine(engine).objective(objective.clone());
                match blossom.solve(&cost) {
                    Ok(solution) => {
                        solution.verify(&cost).expect("a certificate that holds");
                        Some(solution.cost())
                    }
                    Err(Error::NoPerfectMatching(witness)) => {
                        verify::infeasibility(&cost, &objective, &witness).expect("a witness that holds");
                        None
                    }
                    Err(error) => panic!("{error:?}"),
                }
            };
            let best = solve(Engine::Sparse);
            assert_eq!(solve(Engine::Auto), best, "{n} {objective:?}");
            assert_eq!(solve(Engine::Dense), best, "{n} {objective:?}");
        }
    }
}

/// Faults of a pool that is tried here first are those that the engine it is handed to finds.
#[test]
fn faults_of_larger_pools_are_those_of_the_dense_engine() {
    for n in [100, 128, 130, 160, 200, 202] {
        let one_way = cost::from_fn(n, |i, j| if (i, j) == (3, 90) { 7 } else { ((i * j) % 101) as i64 });
        let crowded = cost::from_fn(n, |i, j| if (i, j) == (3, 90) { 7 } else { (i * j) as i64 });
        for faulty in [&one_way as &dyn Cost<Value = i64>, &crowded] {
            let fault = Blossom::new().solve(&faulty).expect_err("asymmetric");
            assert_eq!(fault, Error::Asymmetric { u: 3, v: 90 }, "{n}");
        }
        let wide = cost::from_fn(n, |i, j| if i + j == 1 { i64::MAX } else { ((i + j) % 7) as i64 });
        let found = Blossom::new().solve(&wide).expect("wider numbers");
        let best = Blossom::new().engine(Engine::Dense).solve(&wide);
        assert_eq!(found.cost(), best.as_ref().map_or(0, |best| best.cost()), "{n}");
    }
}
