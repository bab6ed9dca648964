//! The dense engine: same optima as the sparse one, sound when stopped, blind to threads and to memory.

use std::thread;
use std::time::Duration;

use matching_core::cost::{self, Cost, DenseMatrix};
use matching_core::{
    Blossom, Budget, CancelToken, EdgeList, Engine, Error, Objective, Precision, Solution, Status, StopReason,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::engines::{self, Case, Ending, Form};
use crate::pools::{ALLOWED, COSTS, Square};
use crate::support::{checked, objectives, solve_with, unchecked};

/// A pool of a kind of [`COSTS`] and a kind of [`ALLOWED`].
fn pool(rng: &mut ChaCha8Rng, n: usize, costs: usize, allowed: usize) -> Square<Option<i64>> {
    let costs = COSTS[costs % COSTS.len()].1(rng, n);
    let allowed = ALLOWED[allowed % ALLOWED.len()].1(rng, n);
    Square::of(n, None, |u, v| allowed.at(u, v).then(|| costs.at(u, v)))
}

fn matrix(pairs: &Square<Option<i64>>) -> DenseMatrix<i64> {
    DenseMatrix::from_options(pairs.n, pairs.n, &pairs.data).expect("a square")
}

fn dense() -> Blossom<i64> {
    Blossom::new().engine(Engine::Dense)
}

fn is_maximum<V>(objective: &Objective<V>) -> bool {
    matches!(
        objective,
        Objective::MaxPerfect | Objective::MaxWeight | Objective::MaxCardinality
    )
}

#[track_caller]
fn agree(seed: u64, sizes: std::ops::RangeInclusive<usize>, endings: &mut [u32; 4]) {
    let (classes, ending) = engines::run(seed, sizes);
    match ending {
        Ok(ending) => endings[ending as usize] += 1,
        Err(message) => panic!("seed {seed}: {classes:?}: {message}"),
    }
}

#[test]
fn engines_agree_on_small_pools() {
    let mut endings = [0; 4];
    for seed in 10_000_000..10_003_000 {
        agree(seed, 2..=40, &mut endings);
    }
    for seed in 11_000_000..11_003_000 {
        agree(seed, 0..=8, &mut endings);
    }
    assert!(endings.iter().all(|&count| count > 100), "{endings:?}");
}

#[test]
fn engines_agree_on_large_pools() {
    let mut endings = [0; 4];
    for seed in 12_000_000..12_000_048 {
        agree(seed, 200..=330, &mut endings);
    }
    assert!(endings[Ending::Dense as usize] > 20, "{endings:?}");
}

#[test]
fn engines_agree_on_every_kind_of_costs_at_full_size() {
    let mut rng = ChaCha8Rng::seed_from_u64(71);
    for (kind, (name, _)) in COSTS.iter().enumerate() {
        let n = 2 * rng.random_range(200..=350);
        let case = Case {
            pairs: pool(&mut rng, n, kind, 0),
            objective: Objective::MinPerfect,
            precision: Precision::Exact,
            memory: None,
            form: Form::SymmetricFunction,
            has_fault: false,
        };
        assert_eq!(case.compare(), Ok(Ending::Dense), "{name}, n = {n}");
    }
}

#[test]
fn engines_agree_on_pools_of_hundreds_with_forbidden_pairs() {
    let mut rng = ChaCha8Rng::seed_from_u64(73);
    for (kind, (name, _)) in ALLOWED.iter().enumerate() {
        let n = rng.random_range(300..=450) & !1;
        let case = Case {
            pairs: pool(&mut rng, n, 7 * kind, kind),
            objective: Objective::MinPerfect,
            precision: Precision::Exact,
            memory: None,
            form: Form::Condensed,
            has_fault: false,
        };
        let ending = case
            .compare()
            .unwrap_or_else(|message| panic!("{name}, n = {n}: {message}"));
        assert!(
            matches!(ending, Ending::Dense | Ending::Infeasible),
            "{name}: {ending:?}"
        );
    }
}

#[test]
fn engines_agree_on_fifteen_hundred_players() {
    let mut rng = ChaCha8Rng::seed_from_u64(79);
    // A product of win and leave chances, odd clusters, and a matrix of ties.
    for kind in [0, 3, 8] {
        let case = Case {
            pairs: pool(&mut rng, 1_500, kind, 0),
            objective: Objective::MinPerfect,
            precision: Precision::Exact,
            memory: None,
            form: Form::SymmetricFunction,
            has_fault: false,
        };
        assert_eq!(case.compare(), Ok(Ending::Dense), "{}", COSTS[kind].0);
    }
}

/// How often a solve looks at each entry of a matrix, by its count of work.
#[track_caller]
fn looks(cost: &impl Cost<Value = i64>, objective: &Objective<i64>) -> u64 {
    let by = |engine| {
        let solver = Blossom::new().objective(objective.clone()).engine(engine).threads(1);
        checked(objective, cost, solver.solve(cost)).expect("all pairs are allowed")
    };
    let solution = by(Engine::Dense);
    assert_eq!(solution.cost(), by(Engine::Sparse).cost());
    solution.work() / (cost.len() * cost.len()) as u64
}

/// With many equal costs, the few pairs that are looked at first do not connect those who have to be paired. Then it takes a
/// second search, and not a new beginning from duals that went astray, which leads to the same pairs.
#[test]
fn equal_costs_do_not_lead_back_to_the_beginning() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let levels: Vec<i64> = (0..600).map(|_| rng.random_range(0..30)).collect();
    let gap = cost::from_symmetric_fn(600, |u: usize, v: usize| (levels[u] - levels[v]).abs());
    assert!(looks(&gap, &Objective::MinPerfect) < 8);
    assert!(looks(&gap, &Objective::MaxPerfect) < 8);
}

/// Groups of groups, and everybody wants somebody from far away: hundreds are alike, and no few pairs of each player will do.
#[test]
fn all_pairs_are_taken_where_few_are_never_right() {
    let nested = cost::from_symmetric_fn(400, |u: usize, v: usize| {
        (1..7i64)
            .find(|&level| u / 3usize.pow(level as u32) == v / 3usize.pow(level as u32))
            .unwrap_or(7)
    });
    assert!(looks(&nested, &Objective::MaxPerfect) < 50);
    assert!(looks(&nested, &Objective::MaxWeight) < 90);
}

#[test]
fn auto_is_dense_from_201_players_on_and_before_in_a_crowd() {
    let mut rng = ChaCha8Rng::seed_from_u64(83);
    for (kind, (name, _)) in COSTS.iter().enumerate() {
        for n in [72, 100, 128, 129, 200, 201] {
            let pairs = matrix(&pool(&mut rng, n, kind, 0));
            let objective = Objective::MinBye(vec![5; n]);
            let auto = solve_with(&Blossom::new(), &objective, &pairs);
            let [sparse, dense] = [Engine::Sparse, Engine::Dense]
                .map(|engine| solve_with(&Blossom::new().engine(engine), &objective, &pairs));
            if n > 200 || *name == "product, symmetrised" {
                // The same answer down to the certificate and the work: the same engine.
                assert_eq!(auto, dense);
            }
            let costs = [auto, sparse, dense];
            let costs = costs.map(|solution| solution.map(|solution| (solution.cost(), solution.status())));
            assert_eq!(costs[0], costs[1]);
            assert_eq!(costs[0], costs[2]);
        }
    }
}

#[test]
fn auto_is_dense_for_fewer_where_trees_span_everything() {
    let mut rng = ChaCha8Rng::seed_from_u64(89);
    // A product of win and leave chances.
    for (n, is_dense) in [(70, false), (100, true), (128, true)] {
        let pairs = matrix(&pool(&mut rng, n, 0, 0));
        let auto = solve_with(&Blossom::new(), &Objective::MinPerfect, &pairs);
        let dense = solve_with(&Blossom::new().engine(Engine::Dense), &Objective::MinPerfect, &pairs);
        assert_eq!(auto == dense, is_dense, "{n}");
    }
}

#[test]
fn a_list_of_most_pairs_is_solved_as_a_pool() {
    let mut rng = ChaCha8Rng::seed_from_u64(89);
    for (kind, percent) in [(0, 100), (3, 90), (8, 80), (11, 60), (17, 20), (9, 4)] {
        let n = 160;
        let pairs = pool(&mut rng, n, kind, 0);
        let listed = Square::of(n, None, |u, v| {
            pairs.at(u, v).filter(|_| rng.random_range(0..100) < percent)
        });
        let edges = (0..n).flat_map(|u| (0..u).map(move |v| (u, v)));
        let edges = edges.filter_map(|(u, v)| Some((u, v, listed.at(u, v)?)));
        let list = EdgeList::new(n, edges).unwrap();
        for objective in objectives(&vec![700; n], &vec![3; n]) {
            let cost = |engine| {
                let solution = solve_with(&Blossom::new().engine(engine), &objective, &list);
                solution.map(|solution| (solution.cost(), solution.bound(), solution.status()))
            };
            let auto = cost(Engine::Auto);
            assert_eq!(auto, cost(Engine::Sparse), "{percent} {objective:?}");
            assert_eq!(auto, cost(Engine::Dense), "{percent} {objective:?}");
            let pool = solve_with(&Blossom::new(), &objective, &matrix(&listed));
            assert_eq!(auto.map(|(cost, ..)| cost), pool.map(|solution| solution.cost()));
        }
    }
}

/// A stopped answer is sound: `best` is the optimum, if there is one.
#[track_caller]
fn check_stopped(solution: &Solution<i64>, best: Option<i128>, reason: StopReason) {
    let objective = solution.objective();
    let sign = if is_maximum(objective) { -1 } else { 1 };
    if let Some(best) = best {
        assert!(sign * solution.bound() <= sign * best, "{best}: {solution:?}");
    }
    match solution.status() {
        Status::Optimal => assert_eq!(Some(solution.cost()), best),
        Status::Feasible(found) => {
            assert_eq!(found, reason);
            let best = best.expect("a full answer was found");
            if *objective != Objective::MaxCardinality {
                assert!(sign * best <= sign * solution.cost(), "{best}: {solution:?}");
            }
        }
        Status::Unknown(found) => assert_eq!(found, reason),
        status => panic!("{status:?}"),
    }
}

#[test]
fn every_work_limit_gives_a_right_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(97);
    let mut stopped = [0; 2];
    for round in 0..400 {
        let n = rng.random_range(2..=60);
        let allowed = if round % 2 == 0 { 0 } else { round / 2 };
        let pairs = matrix(&pool(&mut rng, n, round, allowed));
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-50..2_000)).collect();
        let objective = objectives(&singles, &singles)[rng.random_range(0..6)].clone();
        let sparse = solve_with(&Blossom::new().engine(Engine::Sparse), &objective, &pairs);
        let best = sparse.map(|solution| solution.cost());
        let all = (n * n) as u64;
        let limits = [
            0,
            1,
            all / 2,
            all,
            3 * all,
            3 * all + 1,
            3 * all + 9,
            3 * all + 60,
            3 * all + 300,
            4 * all,
        ];
        for limit in limits.into_iter().chain([7 * all, 9 * all, 1 << 40]) {
            let limited = dense().budget(Budget::new().work(limit));
            let one = unchecked(&limited.clone().threads(1), &objective, &pairs);
            assert_eq!(one, unchecked(&limited.threads(2), &objective, &pairs));
            let Some(solution) = checked(&objective, &pairs, one) else {
                assert_eq!(best, None);
                continue;
            };
            check_stopped(&solution, best, StopReason::WorkLimit);
            stopped[0] += usize::from(matches!(solution.status(), Status::Feasible(_)));
            stopped[1] += usize::from(matches!(solution.status(), Status::Unknown(_)));
        }
    }
    assert!(stopped[0] > 1_000 && stopped[1] > 30, "{stopped:?}");
}

/// Where far is cheap, or many stand in one place, the pairs that are searched first miss some that count.
#[test]
fn a_stop_between_two_repairs_gives_a_right_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(149);
    let n = 200;
    let mut stopped = 0;
    for (sign, far) in [(-1, 1_000_000), (1, 20)] {
        let places: Vec<i64> = (0..n).map(|_| rng.random_range(0..far)).collect();
        let gaps = cost::from_symmetric_fn(n, |u, v| sign * (places[u] - places[v]).abs());
        for objective in objectives(&vec![2; n], &vec![1; n]) {
            let full = solve_with(&dense(), &objective, &gaps).expect("complete");
            for step in 0..40 {
                let limited = dense().budget(Budget::new().work(full.work() * step / 40));
                let solution = solve_with(&limited, &objective, &gaps).expect("complete");
                check_stopped(&solution, Some(full.cost()), StopReason::WorkLimit);
                stopped += usize::from(!solution.is_optimal());
            }
        }
    }
    assert!(stopped > 300, "{stopped}");
}

#[test]
fn every_work_limit_gives_a_right_bound_on_floats() {
    let mut rng = ChaCha8Rng::seed_from_u64(101);
    for round in 0..150 {
        let n = 2 * rng.random_range(1..=25);
        let pairs = pool(&mut rng, n, round, 0);
        let cost = cost::from_symmetric_fn(n, |u, v| pairs.at(u, v).unwrap_or(0) as f64 / 3.0);
        let singles = vec![17.1; n];
        let objective = objectives(&singles, &singles)[round % 6].clone();
        let sign = if is_maximum(&objective) { -1.0 } else { 1.0 };
        let exact = solve_with(&Blossom::new().engine(Engine::Sparse), &objective, &cost).expect("complete");
        for limit in [0, 1, n * n, 3 * n * n + 5, 3 * n * n + 80, 5 * n * n, 1 << 40] {
            for precision in [Precision::Exact, Precision::Quantised] {
                let solver = Blossom::new().engine(Engine::Dense).precision(precision);
                let solver = solver.budget(Budget::new().work(limit as u64));
                let solution = solve_with(&solver, &objective, &cost).expect("complete");
                assert!(sign * solution.bound() <= sign * exact.cost(), "{solution:?} {exact:?}");
                if solution.is_optimal() {
                    assert_eq!(solution.cost(), exact.cost());
                }
            }
        }
    }
}

#[test]
fn the_clock_and_the_token_stop_a_solve() {
    let mut rng = ChaCha8Rng::seed_from_u64(103);
    let cancelled = CancelToken::new();
    cancelled.cancel();
    for (kind, n) in [(0, 300), (3, 301), (10, 64), (8, 2)] {
        let pairs = matrix(&pool(&mut rng, n, kind, 0));
        for objective in objectives(&vec![900; n], &vec![4; n]) {
            let sparse = solve_with(&Blossom::new().engine(Engine::Sparse), &objective, &pairs);
            let best = sparse.map(|solution| solution.cost());
            for (budget, reason) in [
                (Budget::new().time(Duration::ZERO), StopReason::TimeLimit),
                (Budget::new().cancel(cancelled.clone()), StopReason::Cancelled),
            ] {
                if let Some(solution) = solve_with(&dense().budget(budget), &objective, &pairs) {
                    check_stopped(&solution, best, reason);
                    assert!(n < 100 || !solution.is_optimal(), "stopped before it began");
                } else {
                    assert_eq!(best, None);
                }
            }
            let idle = dense().budget(Budget::new().cancel(CancelToken::new()));
            let solution = solve_with(&idle, &objective, &pairs);
            assert_eq!(solution.map(|solution| solution.cost()), best, "nobody cancelled");
        }
    }
}

#[test]
fn the_clock_may_stop_a_solve_anywhere() {
    let mut rng = ChaCha8Rng::seed_from_u64(107);
    let pairs = matrix(&pool(&mut rng, 500, 3, 0));
    let best = solve_with(&dense(), &Objective::MinPerfect, &pairs).map(|solution| solution.cost());
    for micros in (0..30).map(|step| step * step * 40) {
        let solver = dense().budget(Budget::new().time(Duration::from_micros(micros)));
        let solution = solve_with(&solver, &Objective::MinPerfect, &pairs).expect("complete");
        check_stopped(&solution, best, StopReason::TimeLimit);
    }
}

#[test]
fn the_clock_runs_while_costs_are_read() {
    let slow = cost::from_fn(300, |i, j| {
        if (i, j) == (0, 1) {
            thread::sleep(Duration::from_millis(250));
        }
        (i * j % 1009) as i64
    });
    for engine in [Engine::Dense, Engine::Sparse] {
        let budget = Budget::new().time(Duration::from_millis(200));
        let solution = Blossom::new().engine(engine).budget(budget).solve(&slow);
        let status = solution.map(|solution| solution.status());
        assert_eq!(status, Ok(Status::Feasible(StopReason::TimeLimit)), "{engine:?}");
    }
}

#[test]
fn limits_do_not_hide_bad_input() {
    let solver = Blossom::new()
        .engine(Engine::Dense)
        .budget(Budget::new().work(0).time(Duration::ZERO));
    let skew = cost::from_fn(150, |i, j| i64::from(i == 149 && j == 3));
    assert_eq!(solver.solve(&skew).err(), Some(Error::Asymmetric { u: 3, v: 149 }));
    let odd = cost::from_fn(151, |_, _| 1i64);
    assert!(solve_with(&solver, &Objective::MinPerfect, &odd).is_none_or(|solution| !solution.is_optimal()));
}

#[test]
fn rows_that_are_not_kept_give_the_same_answers() {
    let mut rng = ChaCha8Rng::seed_from_u64(109);
    for (kind, allowed) in [(0, 0), (3, 2), (10, 3), (14, 8), (16, 0), (20, 11)] {
        let n = 130;
        let pairs = pool(&mut rng, n, kind, allowed);
        let [integers, wide] = [1, 1 << 35].map(|unit| {
            let pairs = pairs.clone();
            let function = move |u, v| pairs.at(u, v).unwrap_or(0).clamp(-1 << 27, 1 << 27) * unit;
            cost::from_fn(n, function)
        });
        let allows = |u, v| pairs.at(u, v).is_some();
        for cost in [integers.restricted(allows), wide.restricted(allows)] {
            for objective in objectives(&vec![900; n], &vec![4; n]) {
                let all = unchecked(&dense(), &objective, &cost);
                for bytes in [0, 1, 4 * n, 4 * n * 7, 4 * n * (n - 1), 4 * n * n] {
                    let solver = dense().budget(Budget::new().memory(bytes));
                    assert_eq!(
                        unchecked(&solver, &objective, &cost),
                        all,
                        "{bytes} bytes, {objective:?}"
                    );
                }
                checked(&objective, &cost, all);
            }
        }
    }
}

/// What stands on the diagonal of a matrix in memory was read with the row, and added to: debug builds panicked at 2^30 above the
/// least entry, and where a search began hung on it.
#[test]
fn what_stands_on_the_diagonal_of_a_matrix_does_not_matter() {
    let mut rng = ChaCha8Rng::seed_from_u64(115);
    for case in 0..150 {
        let n = 2 * rng.random_range(40..80);
        let crowd: Vec<u8> = (0..n).map(|_| rng.random_range(0..3)).collect();
        let (least, most) = (rng.random_range(-9..9), 60);
        let costs = Square::of(n, 0, |u, v| match crowd[u] == crowd[v] {
            true => rng.random_range(least..least + 9),
            false => rng.random_range(50..=most),
        });
        let objective = [Objective::MinPerfect, Objective::MaxPerfect][case % 2].clone();
        let solver = Blossom::new().engine(Engine::Dense).objective(objective).threads(1);
        let solve = |diagonal: i32| {
            let mut data = costs.data.clone();
            data.iter_mut().step_by(n + 1).for_each(|entry| *entry = diagonal);
            let matrix = DenseMatrix::square(n, data).expect("a square");
            let solution = solver.solve(&matrix).expect("all pairs are allowed");
            solution.verify(&matrix).expect("a right answer");
            solution
        };
        let plain = solve(0);
        for diagonal in [least + (1 << 30), most - (1 << 30) - 1, 1 << 30, i32::MAX, i32::MIN] {
            assert_eq!(solve(diagonal), plain, "case {case}: {diagonal}");
        }
    }
}

#[test]
fn threads_do_not_matter() {
    let mut rng = ChaCha8Rng::seed_from_u64(113);
    let n = 700;
    for (kind, objective) in [
        (0, Objective::MinPerfect),
        (3, Objective::MinPerfect),
        (5, Objective::MaxPerfect),
        (8, Objective::MinBye(vec![2; n])),
        (10, Objective::MaxWeight),
        (13, Objective::MinOptOut(vec![6; n])),
    ] {
        let pairs = pool(&mut rng, n, kind, if kind == 13 { 3 } else { 0 });
        let allows = |u, v| pairs.at(u, v).is_some();
        let cost = cost::from_fn(n, |u, v| pairs.at(u, v).unwrap_or(0)).restricted(allows);
        let kept = matrix(&pairs);
        let one = unchecked(&Blossom::new().threads(1), &objective, &cost);
        for threads in [0, 2, 4] {
            let solver = Blossom::new().threads(threads);
            assert_eq!(unchecked(&solver, &objective, &cost), one, "{threads} threads");
            assert_eq!(unchecked(&solver, &objective, &kept), one, "{threads} threads");
        }
        #[cfg(feature = "rayon")]
        for size in [1, 3] {
            let workers = rayon::ThreadPoolBuilder::new().num_threads(size).build().unwrap();
            for threads in [0, 1, 2] {
                let solver = Blossom::new().threads(threads);
                let inside = workers.install(|| unchecked(&solver, &objective, &cost));
                assert_eq!(inside, one, "{threads} threads inside a pool of {size}");
            }
        }
        checked(&objective, &cost, one);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn no_more_threads_are_started_than_are_of_use() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let most = thread::available_parallelism().map_or(256, |cores| 4 * cores.get());
    let seen = AtomicUsize::new(0);
    let cost = cost::from_fn(400, |i, j| {
        seen.fetch_max(rayon::current_num_threads(), Ordering::Relaxed);
        ((i + 1) * (j + 1) % 1009) as i64
    });
    let one = Blossom::new().threads(1).solve(&cost).unwrap();
    seen.store(0, Ordering::Relaxed);
    // As many as would be refused if they were counted.
    let many = Blossom::new()
        .engine(Engine::Dense)
        .threads(20_000)
        .solve(&cost)
        .unwrap();
    assert_eq!(many.cost(), one.cost());
    let seen = seen.load(Ordering::Relaxed);
    assert!((1..=most).contains(&seen), "{seen} threads");
}

/// The comparison with the transpose runs beside the search for potentials, which sees costs that contradict each
/// other.
#[test]
fn matrices_that_are_not_symmetric_are_refused_on_any_number_of_threads() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    for n in [400, 401, 600] {
        let mut entries: Vec<i32> = (0..n * n).map(|_| rng.random_range(-1_000_000..1_000_000)).collect();
        let solve_all = |entries: &[i32], expected: Error| {
            let matrix = DenseMatrix::square(n, entries.to_vec()).unwrap();
            for threads in [1, 2, 4] {
                for objective in [Objective::MaxWeight, Objective::MinBye(vec![0; n])] {
                    let solver = Blossom::new().engine(Engine::Dense).threads(threads);
                    let answer = solver.objective(objective).solve(&matrix);
                    assert_eq!(answer.err(), Some(expected.clone()));
                }
            }
        };
        solve_all(&entries, Error::Asymmetric { u: 0, v: 1 });
        for i in 0..n {
            for j in 0..i {
                entries[i * n + j] = entries[j * n + i];
            }
        }
        for other in [entries[7 * n + n - 1] ^ 1, i32::MIN, i32::MAX] {
            entries[(n - 1) * n + 7] = other;
            solve_all(&entries, Error::Asymmetric { u: 7, v: n - 1 });
        }
        // Far outside of the range right of the diagonal.
        for i in 0..n {
            entries[i * n..][..i].fill(if i % 2 == 0 { i32::MIN } else { i32::MAX });
        }
        solve_all(&entries, Error::Asymmetric { u: 0, v: 1 });
    }
}

#[test]
fn what_is_wrong_with_a_pool_is_named_alike() {
    let n = 140;
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    for (engine, at) in [Engine::Sparse, Engine::Dense, Engine::Auto]
        .into_iter()
        .flat_map(|engine| [(0, 1), (70, 71), (5, 139), (138, 139)].map(|at| (engine, at)))
    {
        let (u, v) = at;
        let solver = Blossom::new().engine(engine);
        for bad in bad {
            let pool = cost::from_fn(n, |i, j| if (i.min(j), i.max(j)) == at { bad } else { 1.0 });
            assert_eq!(
                solver.solve(&pool).err(),
                Some(Error::NotANumber { u, v }),
                "{engine:?}"
            );
            let short = Blossom::new()
                .engine(engine)
                .objective(Objective::MinBye(vec![1.0; n - 1]));
            assert!(matches!(
                short.solve(&pool),
                Err(Error::LengthMismatch { .. } | Error::NotANumber { .. })
            ));
        }
        let solver = Blossom::<i64>::new().engine(engine);
        let skew = cost::from_fn(n, |i, j| i64::from((i, j) == (v, u)));
        assert_eq!(
            solver.solve(&skew).err(),
            Some(Error::Asymmetric { u, v }),
            "{engine:?}"
        );
        let one_way = cost::from_fn(n, |_, _| 1).restricted(|i, j| (i, j) != at);
        assert_eq!(
            solver.solve(&one_way).err(),
            Some(Error::Asymmetric { u, v }),
            "{engine:?}"
        );
        let wraps = cost::from_fn(n, |i, j| if (i.min(j), i.max(j)) == at { i64::MIN } else { 1 });
        assert_eq!(
            solver.solve(&wraps.negated()).err(),
            Some(Error::CostOverflow { u, v }),
            "{engine:?}"
        );
        let flat = cost::from_rectangular_fn(n, n + 1, |_, _| 1);
        assert_eq!(
            solver.solve(&flat).err(),
            Some(Error::NotSquare { rows: n, cols: n + 1 })
        );
    }
}

#[test]
fn costs_that_have_no_negative_or_no_difference_overflow() {
    // Only the greatest cost was negated to see whether all can be, and differences were taken for granted.
    let list = EdgeList::new(4, [(0, 1, i128::MIN), (1, 3, i128::MIN + 2)]).unwrap();
    let solver = Blossom::new().engine(Engine::Dense);
    let negated = solver.clone().objective(Objective::MaxWeight).solve(&list);
    assert!(matches!(negated, Err(Error::Overflow { .. })), "{negated:?}");
    let wide = EdgeList::new(4, [(0, 1, i128::MIN + 1), (2, 3, i128::MAX), (0, 2, 0), (1, 3, 0)]).unwrap();
    for objective in [Objective::MinPerfect, Objective::MaxPerfect] {
        let result = solver.clone().objective(objective).solve(&wide);
        assert!(matches!(result, Err(Error::Overflow { .. })), "{result:?}");
    }
}
