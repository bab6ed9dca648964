//! Costs between two sides: shortest augmenting paths, against exhaustive search and against the engine for all lists, with
//! every certificate and witness checked.

use std::sync::{Arc, Mutex};

use matching_core::cost::DenseMatrix;
use matching_core::{
    Blossom, Budget, CancelToken, Cost, CostValue, EdgeList, Engine, Error, Instance, Objective, Precision, SolvedBy,
    Status, StopReason, cost, oracle,
};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{checked, solve, solve_with, unchecked};

fn objectives<V: CostValue>(alone: Vec<V>) -> [Objective<V>; 6] {
    [
        Objective::MinPerfect,
        Objective::MaxPerfect,
        Objective::MaxWeight,
        Objective::MaxCardinality,
        Objective::MinOptOut(alone.clone()),
        Objective::MinBye(alone),
    ]
}

/// Rows and columns of one kind of costs; of some, pairs that a coin chooses are forbidden.
pub(crate) fn table(kind: usize, (rows, cols): (usize, usize), rng: &mut ChaCha8Rng) -> DenseMatrix<i64> {
    let traits: Vec<i64> = (0..rows + cols).map(|_| rng.random_range(-300..300)).collect();
    let (left, right) = traits.split_at(rows);
    let places: Vec<[f64; 2]> = (0..rows + cols).map(|_| [rng.random(), rng.random()]).collect();
    let mut data = Vec::with_capacity(rows * cols);
    for i in 0..rows {
        for j in 0..cols {
            data.push(match kind % 10 {
                0 => rng.random_range(-1_000_000..1_000_000),
                1 => rng.random_range(0..4),
                2 => left[i] * right[j],
                3 => (left[i] - right[j]).abs(),
                4 => (left[i] - right[j]).pow(2),
                5 => left[i] + right[j],
                6 => left[i] * right[j] + rng.random_range(-50..50),
                7 => {
                    let (a, b) = (places[i], places[rows + j]);
                    ((a[0] - b[0]).hypot(a[1] - b[1]) * 1e4) as i64
                }
                8 => (left[i] * right[j]) << 40 | rng.random_range(0..1 << 40),
                _ => -7,
            });
        }
    }
    let mut table = DenseMatrix::new(rows, cols, data).expect("as many entries as that");
    if kind / 10 % 2 == 1 {
        let chance = rng.random_range(0.05..0.8);
        for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
            if rng.random_bool(chance) {
                table.forbid(i, j);
            }
        }
    }
    table
}

#[test]
fn small_tables_agree_with_exhaustive_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut by_paths = 0;
    for case in 0..4_000 {
        let (rows, cols) = (rng.random_range(1..7), rng.random_range(1..7));
        let sides = table(case, (rows, cols), &mut rng).two_sided();
        let alone = (0..rows + cols).map(|_| rng.random_range(-200..400)).collect();
        for objective in objectives(alone) {
            let best = oracle::solve(&sides, &objective).expect("few vertices");
            let found = solve(&objective, &sides);
            assert_eq!(
                found.as_ref().map(|solution| solution.cost()),
                best.as_ref().map(|best| best.cost),
                "{case} {objective:?}"
            );
            if let (Some(found), Some(best)) = (&found, &best) {
                if objective == Objective::MaxCardinality {
                    assert_eq!(found.pairs().count(), best.pairs.len());
                }
                by_paths += usize::from(found.solved_by() == SolvedBy::Assignment);
            }
        }
    }
    assert!(by_paths > 14_300, "{by_paths}");
}

#[test]
fn larger_tables_agree_with_the_engine_for_lists() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for case in 0..240 {
        let rows = rng.random_range(2..110);
        let cols = match case % 3 {
            0 => rows,
            1 => rng.random_range(2..160),
            _ => rows + rng.random_range(0..4),
        };
        let sides = table(case, (rows, cols), &mut rng).two_sided();
        let alone = (0..rows + cols).map(|_| rng.random_range(-200..40_000)).collect();
        for objective in objectives(alone) {
            let lists = Blossom::new().engine(Engine::Sparse);
            let cost = |solver: &Blossom<i64>| {
                let found = solve_with(solver, &objective, &sides)?;
                assert!(found.is_optimal());
                Some((found.pairs().count(), found.cost()))
            };
            let (found, expected) = (cost(&Blossom::new()), cost(&lists));
            match objective {
                Objective::MaxCardinality => assert_eq!(found, expected, "{case}"),
                _ => assert_eq!(
                    found.map(|(_, cost)| cost),
                    expected.map(|(_, cost)| cost),
                    "{case} {objective:?}"
                ),
            }
        }
    }
}

/// Hard kinds, of sizes at which duals come from samples, and samples of samples.
#[test]
fn samples_lead_to_the_same_totals() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for case in 0..40 {
        let kind = [2, 3, 4, 6, 7, 8, 12, 16][case % 8];
        let rows = rng.random_range(130..330);
        let more = [0, 0, 1, 40][case / 8 % 4];
        let sizes = if case % 2 == 0 {
            (rows, rows + more)
        } else {
            (rows + more, rows)
        };
        let sides = table(kind, sizes, &mut rng).two_sided();
        for objective in [Objective::MinPerfect, Objective::MaxCardinality, Objective::MaxWeight] {
            let total = |engine| {
                let found = solve_with(&Blossom::new().engine(engine), &objective, &sides)?;
                Some((found.pairs().count(), found.cost()))
            };
            let (found, expected) = (total(Engine::Auto), total(Engine::Sparse));
            match objective {
                Objective::MaxWeight => assert_eq!(found.map(|found| found.1), expected.map(|expected| expected.1)),
                _ => assert_eq!(found, expected, "{case} {objective:?}"),
            }
        }
    }
}

/// Costs and prices close to the end of 128 bits, with more columns than a row knows: whoever has an answer has the right one.
#[test]
fn numbers_may_be_as_large_as_their_sums_can_be() {
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    let (mut answers, mut refusals) = (0, 0);
    for _ in 0..1_500 {
        let (rows, cols) = (rng.random_range(1..5), rng.random_range(11..16));
        let most = i128::MAX >> rng.random_range(4..20);
        let far = i128::MAX >> rng.random_range(4..20);
        let data = (0..rows * cols).map(|_| rng.random_range(-most..=most)).collect();
        let sides = DenseMatrix::new(rows, cols, data).expect("as many entries").two_sided();
        let alone = (0..rows + cols).map(|_| rng.random_range(-far..=far)).collect();
        for objective in objectives(alone) {
            let found = unchecked(&Blossom::new(), &objective, &sides);
            let other = unchecked(&Blossom::new().engine(Engine::Sparse), &objective, &sides);
            match (found, other) {
                (Ok(found), Ok(other)) => {
                    found.verify(&sides).expect("a proven answer");
                    assert_eq!(found.cost(), other.cost());
                    answers += 1;
                }
                (Err(Error::NoPerfectMatching(_)), Err(Error::NoPerfectMatching(_))) => {}
                (found, other) => {
                    assert!(matches!(found, Err(Error::Overflow { .. })) && other.is_err());
                    refusals += 1;
                }
            }
        }
    }
    assert!(answers > 1_000 && refusals > 1_000, "{answers} {refusals}");
}

#[test]
fn all_number_types_are_exact() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for case in 0..300 {
        let (rows, cols) = (rng.random_range(1..30), rng.random_range(1..30));
        let whole: Vec<i64> = (0..rows * cols).map(|_| rng.random_range(-1000..1000)).collect();
        let objective = [Objective::MinPerfect, Objective::MaxWeight, Objective::MaxCardinality][case % 3].clone();
        let expected = {
            let sides = DenseMatrix::new(rows, cols, whole.clone()).unwrap().two_sided();
            solve(&objective, &sides).map(|found| found.cost())
        };
        macro_rules! same {
            ($type:ty, $from:expr, $total:expr) => {{
                let from = $from;
                let data = whole.iter().map(|&entry| from(entry)).collect();
                let sides = DenseMatrix::<$type>::new(rows, cols, data).unwrap().two_sided();
                let objective = match objective {
                    Objective::MinPerfect => Objective::MinPerfect,
                    Objective::MaxWeight => Objective::MaxWeight,
                    _ => Objective::MaxCardinality,
                };
                let found = solve(&objective, &sides);
                let total = $total;
                assert_eq!(found.map(|found| total(found.cost())), expected, "{case}");
            }};
        }
        same!(i32, |entry| entry as i32, |total: i128| total);
        same!(i128, |entry| i128::from(entry) << 80, |total: i128| total >> 80);
        same!(f32, |entry| entry as f32 / 8.0, |total: f64| (total * 8.0) as i128);
        same!(
            f64,
            |entry| entry as f64 * 2f64.powi(-300),
            |total: f64| (total * 2f64.powi(300)) as i128
        );
    }
}

/// What exact arithmetic would not hold is rounded where that is asked for, with a bound that says how far it may be off.
#[test]
fn rounded_floats_have_honest_bounds() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..100 {
        let (rows, cols) = (rng.random_range(2..40), rng.random_range(2..40));
        let data: Vec<f64> = (0..rows * cols)
            .map(|_| rng.random::<f64>() * 10f64.powi(rng.random_range(-30..3)))
            .collect();
        let sides = DenseMatrix::new(rows, cols, data).unwrap().two_sided();
        let objective = if rows == cols {
            Objective::MinPerfect
        } else {
            Objective::MaxCardinality
        };
        let gap = |engine| {
            let solver = Blossom::new().precision(Precision::Quantised).engine(engine);
            let found = solve_with(&solver, &objective, &sides).expect("all pairs are allowed");
            assert_eq!(found.status(), Status::Feasible(StopReason::Rounding));
            (found.cost() - found.bound()).abs()
        };
        let (found, expected) = (gap(Engine::Auto), gap(Engine::Sparse));
        assert!(found <= 2.0 * expected, "{found} {expected}");
    }
}

#[test]
fn the_answer_is_the_same_for_any_number_of_threads_and_on_a_turned_table() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for kind in [0, 2, 3, 8, 12] {
        let (rows, cols) = (400, 400 + kind % 3);
        let table = table(kind, (rows, cols), &mut rng);
        let objective = if rows == cols {
            Objective::MinPerfect
        } else {
            Objective::MaxCardinality
        };
        let turned = cost::from_rectangular_fn(cols, rows, |j, i| table.pair(i, j));
        let turned = turned.restricted(|j, i| table.is_allowed(i, j)).two_sided();
        let sides = (&table).two_sided();
        let one = unchecked(&Blossom::new().threads(1), &objective, &sides);
        for threads in [2, 3, 0] {
            assert_eq!(unchecked(&Blossom::new().threads(threads), &objective, &sides), one);
        }
        let one = checked(&objective, &sides, one).map(|found| found.cost());
        assert_eq!(solve(&objective, &turned).map(|found| found.cost()), one);
    }
}

/// A square matrix of which all pairs within two sides are forbidden, its vertices in any order, and the list of its pairs.
#[test]
fn sides_are_found_where_nobody_names_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for case in 0..60 {
        let rows = rng.random_range(110..150);
        let cols = rows + [0, 0, 7][case % 3];
        let table = table(case % 9, (rows, cols), &mut rng);
        let n = rows + cols;
        let mut order: Vec<usize> = (0..n).collect();
        order.shuffle(&mut rng);
        let sides = table.two_sided();
        let mixed = cost::from_fn(n, |u, v| sides.pair(order[u], order[v]));
        let mixed = mixed.restricted(|u, v| sides.is_allowed(order[u], order[v]));
        let alone: Vec<i64> = (0..n).map(|_| rng.random_range(-200..40_000)).collect();
        let moved = order.iter().map(|&v| alone[v]).collect();
        for (objective, moved) in objectives(alone).into_iter().zip(objectives(moved)) {
            let expected = solve(&objective, &sides).map(|found| (found.pairs().count(), found.cost()));
            let list = list_of(&mixed);
            let of_list = solve(&moved, &list);
            for found in [of_list, solve(&moved, &mixed)] {
                let told = found.as_ref().map(|found| (found.pairs().count(), found.cost()));
                if moved == Objective::MaxCardinality {
                    assert_eq!(told, expected, "{case}");
                } else {
                    assert_eq!(
                        told.map(|told| told.1),
                        expected.map(|expected| expected.1),
                        "{case} {moved:?}"
                    );
                }
                // A bye of an odd number is left to other engines.
                let has_bye = matches!(moved, Objective::MinBye(_)) && n % 2 == 1;
                if let Some(found) = found.filter(|_| !has_bye) {
                    assert_eq!(found.solved_by(), SolvedBy::Assignment, "{case} {moved:?}");
                }
            }
        }
    }
}

fn list_of(cost: &dyn Cost<Value = i64>) -> EdgeList<i64> {
    cost.to_edges().expect("numbers in order").into_owned()
}

#[test]
fn limits_leave_an_answer_and_a_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for kind in [0, 2, 3, 6] {
        for (rows, cols) in [(220, 220), (150, 220)] {
            let sides = table(kind, (rows, cols), &mut rng).two_sided();
            let objective = if rows == cols {
                Objective::MinPerfect
            } else {
                Objective::MaxCardinality
            };
            let best = solve(&objective, &sides).expect("all pairs are allowed");
            let better = |a: i128, b: i128| if rows == cols { a <= b } else { a >= b };
            for work in [0, 40_000, 80_000, 150_000, 400_000] {
                let limited = Blossom::new().budget(Budget::new().work(work));
                let found = solve_with(&limited, &objective, &sides).expect("pairs are easily found");
                assert_eq!(found.pairs().count(), rows);
                assert!(better(best.cost(), found.cost()) && better(found.bound(), best.cost()));
                assert!(work > 0 || found.status() == Status::Feasible(StopReason::WorkLimit));
            }
            // What would not fit is solved by another engine, and costs the same.
            let narrow = Blossom::new().budget(Budget::new().memory(10_000));
            let found = solve_with(&narrow, &objective, &sides).expect("all pairs are allowed");
            assert_ne!(found.solved_by(), SolvedBy::Assignment);
            assert_eq!(found.cost(), best.cost());
        }
    }
}

#[test]
fn who_listens_hears_bounds_and_may_cancel() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let sides = table(6, (300, 300), &mut rng).two_sided();
    let best = solve(&Objective::MinPerfect, &sides).expect("all pairs are allowed");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = Arc::clone(&heard);
    let token = CancelToken::new();
    let stop = token.clone();
    let solver = Blossom::new()
        .budget(Budget::new().cancel(token))
        .observer(move |progress| {
            let mut heard = ears.lock().unwrap();
            heard.push(progress.bound.expect("duals hold on all pairs"));
            if heard.len() == 2 {
                stop.cancel();
            }
        });
    let found = solver.solve(&sides).expect("all pairs are allowed");
    assert_eq!(found.status(), Status::Feasible(StopReason::Cancelled));
    found.verify(&sides).expect("an answer with a bound");
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), 2);
    assert!(heard.iter().all(|&bound| bound <= best.cost() as f64));
}

/// Also where paths take too long, and everything begins again with other duals.
#[test]
fn bounds_only_ever_become_closer() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let mut rounds = 0;
    for case in 0..80 {
        let (kind, size) = ([2, 3, 4, 6, 7][case % 5], [30, 44, 70, 139][case % 4]);
        let more = [0, 0, 9, 30][case / 20];
        let sides = table(kind, (size, size + more), &mut rng).two_sided();
        let prices = (0..sides.len()).map(|_| rng.random_range(0..50_000)).collect();
        let objective = if case < 20 {
            Objective::MinPerfect
        } else {
            Objective::MinOptOut(prices)
        };
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&heard);
        let solver = Blossom::new().objective(objective.clone()).observer(move |progress| {
            let bound = progress.bound.expect("duals hold on all pairs");
            ears.lock().unwrap().push((bound, progress.left, progress.work));
        });
        let best = solver.solve(&sides).expect("all pairs are allowed").cost();
        let heard = heard.lock().unwrap();
        assert!(heard.is_sorted_by_key(|&(bound, ..)| bound), "{case}");
        assert!(heard.iter().all(|&(bound, ..)| bound <= best as f64));
        rounds += heard.windows(2).filter(|two| two[0].1 < two[1].1).count();
        // Who stops then is left no worse a bound than was heard before.
        for two in heard.windows(2) {
            let limited = Blossom::new().objective(objective.clone());
            let found = limited
                .budget(Budget::new().work(two[1].2 - 1))
                .solve(&sides)
                .expect("all pairs are allowed");
            found.verify(&sides).expect("an answer with a bound");
            assert!(found.bound() as f64 >= two[0].0 && found.bound() <= best, "{case}");
        }
    }
    assert!(rounds > 0);
}

#[test]
fn costs_of_two_sides_are_combined_like_others() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for case in 0..40 {
        let (rows, cols) = (rng.random_range(1..90), rng.random_range(1..90));
        let (first, second) = (table(case, (rows, cols), &mut rng), table(3, (rows, cols), &mut rng));
        let before = (&first).plus(&second).unwrap().negated().scaled(3);
        let before = before.restricted(|i, j| (i + j) % 7 != 3).two_sided();
        let after = (&first)
            .two_sided()
            .plus((&second).two_sided())
            .unwrap()
            .negated()
            .scaled(3);
        let after = after.restricted(|u, v| (u.min(v) + u.max(v) - rows) % 7 != 3);
        assert_eq!((before.first_side(), after.first_side()), (Some(rows), Some(rows)));
        for objective in [Objective::MaxWeight, Objective::MaxCardinality, Objective::MinPerfect] {
            let [one, other] = [
                solve(&objective, &before).map(|found| found.cost()),
                solve(&objective, &after).map(|found| found.cost()),
            ];
            assert_eq!(one, other, "{case} {objective:?}");
        }
    }
}

#[test]
fn rows_and_allowed_pairs_agree_with_pairs() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    for (case, (rows, cols)) in [(1, 1), (3, 3), (2, 5), (64, 64), (63, 65), (70, 3), (5, 130), (65, 65)]
        .into_iter()
        .enumerate()
    {
        let inner = table(10 + case, (rows, cols), &mut rng);
        let sides = (&inner).two_sided();
        let n = rows + cols;
        assert_eq!((sides.len(), sides.cols(), sides.inner().len()), (n, n, rows));
        let (mut row, mut allowed) = (vec![0; n], vec![!0; n.div_ceil(64)]);
        for u in 0..n {
            sides.fill_row(u, &mut row);
            sides.allowed_row(u, &mut allowed);
            assert!(n % 64 == 0 || allowed[n / 64] >> (n % 64) == 0);
            for v in (0..n).filter(|&v| v != u) {
                let is_pair = (u < rows) != (v < rows);
                let (i, j) = (u.min(v), u.max(v).wrapping_sub(rows));
                assert_eq!(sides.is_allowed(u, v), is_pair && inner.is_allowed(i, j));
                assert_eq!(allowed[v / 64] >> (v % 64) & 1 == 1, sides.is_allowed(u, v));
                if is_pair {
                    assert_eq!((row[v], sides.pair(u, v)), (inner.pair(i, j), inner.pair(i, j)));
                }
            }
        }
    }
}

/// What if, and the worst pair first, are made of solves of what is left of a cost.
#[test]
fn questions_about_pairs_have_the_answers_of_lists() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for case in 0..60 {
        let rows = rng.random_range(2..40);
        let cols = if case % 3 == 0 { rows } else { rng.random_range(2..40) };
        let sides = table(case, (rows, cols), &mut rng).two_sided();
        let list = list_of(&sides);
        let objective = match case % 3 {
            0 => Objective::MinPerfect,
            1 => Objective::MaxWeight,
            _ => Objective::MaxCardinality,
        };
        let solver = Blossom::new().objective(objective.clone());
        let Some(best) = solve(&objective, &sides) else {
            continue;
        };
        if let Some((u, v, _)) = best.pairs().next() {
            let [of_sides, of_list] = [
                solver.explain(&sides, &best, u, v).expect("a pair that is allowed"),
                solver.explain(&list, &best, u, v).expect("a pair that is allowed"),
            ];
            of_sides.verify(&sides, &best).expect("two proofs");
            assert_eq!(
                of_sides.forced().map(|forced| forced.cost()),
                of_list.forced().map(|forced| forced.cost()),
                "{case}"
            );
            assert_eq!(of_sides.forbidden().cost(), of_list.forbidden().cost(), "{case}");
        }
        if objective == Objective::MinPerfect {
            let [of_sides, of_list] = [solver.solve_bottleneck(&sides), solver.solve_bottleneck(&list)];
            let (of_sides, of_list) = (of_sides.expect("one was found"), of_list.expect("one was found"));
            of_sides.verify(&sides).expect("two proofs");
            assert_eq!(of_sides.worst(), of_list.worst(), "{case}");
        }
    }
}

#[test]
fn what_is_wrong_is_named() {
    let nan = cost::from_rectangular_fn(3, 4, |i, j| if (i, j) == (1, 2) { f64::NAN } else { 1.0 });
    let best = Blossom::new().objective(Objective::MaxCardinality);
    assert_eq!(
        best.solve(&nan.two_sided()).err(),
        Some(Error::NotANumber { u: 1, v: 5 })
    );
    let spared = nan.restricted(|i, j| (i, j) != (1, 2)).two_sided();
    assert_eq!(best.solve(&spared).expect("what is forbidden is no number").cost(), 3.0);

    let large = cost::from_rectangular_fn(2, 2, |i, _| if i == 1 { i64::MIN } else { 0 }).negated();
    let fault = Blossom::new().solve(&large.two_sided()).err();
    assert_eq!(fault, Some(Error::CostOverflow { u: 1, v: 2 }));

    for missing in [(3, 0), (0, 3)] {
        let one_way = cost::from_rectangular_fn(2, 2, |_, _| 1_i64)
            .two_sided()
            .restricted(|u, v| (u, v) != missing);
        let fault = Blossom::new().solve(&one_way).err();
        assert_eq!(fault, Some(Error::Asymmetric { u: 0, v: 3 }));
    }

    let wide = cost::from_rectangular_fn(40, 40, |i, j| if i == j { i128::MAX } else { -i128::MAX }).two_sided();
    assert!(matches!(Blossom::new().solve(&wide), Err(Error::Overflow { .. })));
    let digits = cost::from_rectangular_fn(2, 2, |i, j| if i == j { 1e300 } else { 1e-300 }).two_sided();
    assert!(matches!(
        Blossom::new().solve(&digits),
        Err(Error::PrecisionRequired { .. })
    ));
    let few = Objective::MinOptOut(vec![1; 3]);
    let fault = Blossom::new()
        .objective(few)
        .solve(&cost::from_rectangular_fn(2, 2, |_, _| 1).two_sided())
        .err();
    assert!(matches!(
        fault,
        Some(Error::LengthMismatch {
            expected: 4,
            found: 3,
            ..
        })
    ));
}

#[test]
fn no_side_is_no_riddle() {
    for (rows, cols) in [(0, 0), (0, 3), (3, 0)] {
        let none = cost::from_rectangular_fn(rows, cols, |_, _| 1_i64).two_sided();
        let most = solve(&Objective::MaxCardinality, &none).expect("nobody need have a partner");
        assert_eq!((most.pairs().count(), most.cost()), (0, 0));
        assert_eq!(solve(&Objective::MinPerfect, &none).is_some(), rows + cols == 0);
    }
    let closed = cost::from_rectangular_fn(3, 3, |_, _| 1_i64)
        .restricted(|_, _| false)
        .two_sided();
    assert!(solve(&Objective::MinPerfect, &closed).is_none());
    assert!(closed.to_edges().expect("no edges").edges().is_empty());
}

/// Three rows want the same two columns: nobody else is to blame.
#[test]
fn a_witness_names_those_who_want_too_few() {
    let narrow = cost::from_rectangular_fn(5, 5, |i, j| (i * j) as i64)
        .restricted(|i, j| i > 2 || j < 2)
        .two_sided();
    let Err(Error::NoPerfectMatching(witness)) = Blossom::new().solve(&narrow) else {
        panic!("three rows have two columns");
    };
    assert_eq!(witness.solved_by(), Some(SolvedBy::Assignment));
    let mut left = witness.odd_components().concat();
    left.sort_unstable();
    let mut removed = witness.removed().to_vec();
    removed.sort_unstable();
    assert_eq!((removed, left), (vec![5, 6], vec![0, 1, 2]));
}
