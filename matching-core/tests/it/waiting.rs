//! A pool whose players may stay alone at a price answers as if it were solved from scratch each time.
//!
//! The pools of `ticks` and `crowds` have such prices, too; here is what needs a pool of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};

use matching_core::cost::{self, DenseMatrix};
use matching_core::{Blossom, Budget, Error, Objective, Session, SolvedBy, oracle};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::pools::COSTS;

/// What the session holds, solved from scratch.
#[track_caller]
fn agrees(session: &mut Session) -> (i128, usize) {
    let solution = session.solve().unwrap();
    solution.verify(&*session).unwrap();
    let cold = Blossom::new().objective(solution.objective().clone()).solve(&*session);
    assert_eq!(Ok(solution.cost()), cold.map(|cold| cold.cost()));
    (solution.cost(), solution.unmatched().count())
}

/// Every change that there is, on pools so small that all matchings are tried.
#[test]
fn small_pools_are_those_of_exhaustive_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(149);
    let mut alone = [0; 10];
    for scale in [1, 3, 40, 1_000_000] {
        for _ in 0..30 {
            let mut session = Session::empty().penalties(Vec::new()).unwrap();
            let (mut costs, mut penalties): (Vec<Vec<Option<i64>>>, Vec<i64>) = (Vec::new(), Vec::new());
            for _ in 0..40 {
                let n = penalties.len();
                let mut cost = || rng.random_bool(0.8).then(|| rng.random_range(-scale..=2 * scale));
                let mut row: Vec<Option<i64>> = (0..n).map(|_| cost()).collect();
                let (player, penalty) = (rng.random_range(0..n.max(1)), rng.random_range(-scale / 2..=2 * scale));
                match rng.random_range(0..6) {
                    kind if n < 2 || (kind == 0 && n < 9) => {
                        session.add_with_penalty(penalty, |other| row[other]);
                        for (old, &new) in costs.iter_mut().zip(&row) {
                            old.push(new);
                        }
                        row.push(None);
                        costs.push(row);
                        penalties.push(penalty);
                    }
                    0 | 1 => {
                        session.remove(player);
                        costs.swap_remove(player);
                        for row in &mut costs {
                            row.swap_remove(player);
                        }
                        penalties.swap_remove(player);
                    }
                    2 => {
                        session.set_row(player, |other| row[other]);
                        row[player] = None;
                        for (other, &cost) in row.iter().enumerate() {
                            costs[other][player] = cost;
                        }
                        costs[player] = row;
                    }
                    3 => {
                        let other = (player + 1) % n;
                        session.set_pair(player, other, row[other]);
                        costs[player][other] = row[other];
                        costs[other][player] = row[other];
                    }
                    4 => {
                        session.set_penalty(player, penalty);
                        penalties[player] = penalty;
                    }
                    _ => {
                        for (player, old) in penalties.iter_mut().enumerate() {
                            *old += penalty / 4;
                            session.set_penalty(player, *old);
                        }
                    }
                }
                let (n, objective) = (penalties.len(), Objective::MinOptOut(penalties.clone()));
                let copy: Vec<Option<i64>> = costs.iter().flatten().copied().collect();
                let copy = DenseMatrix::from_options(n, n, &copy).unwrap();
                let solution = session.solve().unwrap();
                solution.verify(&copy).unwrap();
                assert_eq!(*solution.objective(), objective);
                let best = oracle::solve(&copy, &objective)
                    .unwrap()
                    .expect("nobody must be paired");
                assert_eq!(
                    (solution.cost(), solution.is_optimal()),
                    (best.cost, true),
                    "{session:?}"
                );
                alone[solution.unmatched().count()] += 1;
            }
        }
    }
    assert!(alone[..4].iter().all(|&count| count > 100), "{alone:?}");
}

/// A queue: the best games start, their players leave, others come; for those who wait it becomes dearer each tick.
#[test]
fn a_queue_whose_players_become_impatient() {
    let mut rng = ChaCha8Rng::seed_from_u64(151);
    for n in [40_usize, 150, 400] {
        let mut rating: Vec<i64> = Vec::new();
        let mut session = Session::empty().penalties(Vec::new()).unwrap();
        let (mut waited, mut played): (Vec<i64>, usize) = (Vec::new(), 0);
        for _ in 0..25 {
            for _ in 0..rng.random_range(0..n / 5) + n.saturating_sub(rating.len()) {
                let newcomer = rng.random_range(800..2_400);
                session.add_with_penalty(20, |other| Some((newcomer - rating[other]).pow(2)));
                rating.push(newcomer);
                waited.push(0);
            }
            agrees(&mut session);
            let solution = session.solve().unwrap();
            let mut leaving: Vec<usize> = solution.pairs().flat_map(|(i, j, _)| [i, j]).collect();
            leaving.sort_unstable_by(|a, b| b.cmp(a));
            played += leaving.len();
            for player in leaving {
                session.remove(player);
                rating.swap_remove(player);
                waited.swap_remove(player);
            }
            for (player, ticks) in waited.iter_mut().enumerate() {
                *ticks += 1;
                session.set_penalty(player, 20 << *ticks.min(&mut 30));
            }
        }
        assert!(played > 4 * n, "{played} of {n} at a time");
    }
}

#[test]
fn what_was_found_is_the_start_of_the_next_solve() {
    let mut rng = ChaCha8Rng::seed_from_u64(157);
    for (kind, (name, draw)) in COSTS.iter().enumerate() {
        let n = 90 + kind;
        let drawn = draw(&mut rng, n);
        let whole = cost::from_symmetric_fn(n, |i, j| drawn.at(i, j));
        // What a pair costs for half of the players, so that some stay alone.
        let penalties: Vec<i64> = (0..n).map(|v| drawn.at(v, (v + 1) % n) / 2).collect();
        let mut session = Session::new(&whole).unwrap().penalties(penalties.clone()).unwrap();
        let first = session.solve().unwrap();
        let again = session.solve().unwrap();
        again.verify(&whole).unwrap();
        assert_eq!(again.cost(), first.cost(), "{name}");
        assert!(again.work() < first.work(), "{name}: nothing was reused");
        for (player, &penalty) in penalties.iter().enumerate().take(3) {
            session.set_penalty(player, penalty + 1);
        }
        let few = session.solve().unwrap();
        few.verify(&whole).unwrap();
        assert!(few.work() < first.work(), "{name}: a few prices cost as much as all");
    }
}

#[test]
fn prices_decide_whether_anybody_is_paired() {
    let mut rng = ChaCha8Rng::seed_from_u64(163);
    for (name, draw) in COSTS {
        let n = 50;
        let drawn = draw(&mut rng, n);
        let whole = cost::from_symmetric_fn(n, |i, j| drawn.at(i, j).abs());
        let perfect = Blossom::new().solve(&whole).unwrap();
        let mut session = Session::new(&whole).unwrap().penalties(vec![0; n]).unwrap();
        for _ in 0..3 {
            (0..n).for_each(|player| session.set_penalty(player, 0));
            assert_eq!(agrees(&mut session).0, 0, "{name}");
            (0..n).for_each(|player| session.set_penalty(player, 1 << 40));
            assert_eq!(agrees(&mut session), (perfect.cost(), 0), "{name}");
            (0..n).for_each(|player| session.set_penalty(player, -7));
            assert_eq!(agrees(&mut session), (-7 * n as i128, n), "{name}");
        }
    }
}

/// Costs and penalties at both ends of what 64-bit sums hold, and beyond, change for thousands of ticks.
#[test]
fn duals_do_not_drift_with_prices() {
    let mut rng = ChaCha8Rng::seed_from_u64(167);
    for (bits, ticks) in [(28, 400), (52, 2_000), (53, 2_000), (62, 200)] {
        let far = 1i64 << bits;
        let mut session = Session::empty().penalties(vec![]).unwrap();
        for tick in 0..ticks {
            let n = session.len();
            let mut end = || if rng.random_bool(0.5) { far } else { -far };
            match tick % 6 {
                _ if n < 6 => drop(session.add_with_penalty(end() / 2, |_| Some(end()))),
                0 if n > 12 => drop(session.remove(tick % n)),
                0 => drop(session.add_with_penalty(end() / 2, |other| Some(other as i64 * (far / 16)))),
                1 => session.set_pair(tick % n, (tick + 1 + tick / 5 % (n - 1)) % n, Some(end())),
                2 => session.set_row(tick % n, |other| {
                    Some(if other % 3 == 0 { -far } else { far - other as i64 })
                }),
                3 => session.set_penalty(tick % n, end() / 2),
                4 => (0..n).for_each(|player| session.set_penalty(player, end() / 2)),
                _ => session.set_row(tick % n, |_| Some(end())),
            }
            agrees(&mut session);
        }
    }
}

/// One of an odd number stays alone, however dear that is, and duals go with it far beyond what lanes and their lower bounds
/// hold. A look by lower bounds took such a dual for the most that they hold, and pairs that it prices in for priced out.
#[test]
fn pairs_are_priced_in_by_duals_beyond_lower_bounds() {
    let mut rng = ChaCha8Rng::seed_from_u64(179);
    for dear in [1 << 29, 1 << 40] {
        for n in [21, 41] {
            for _ in 0..20 {
                let mut trait_of: Vec<i64> = (0..n).map(|_| rng.random_range(0..50)).collect();
                let products = cost::from_symmetric_fn(n, |i, j| trait_of[i] * trait_of[j]);
                let prices = (0..n).map(|_| rng.random_range(dear / 2..=dear)).collect();
                let mut session = Session::new(&products).unwrap().penalties(prices).unwrap();
                for _ in 0..10 {
                    assert_eq!(agrees(&mut session).1, 1);
                    for _ in 0..2 {
                        let player = rng.random_range(0..n);
                        trait_of[player] = rng.random_range(0..50);
                        session.set_row(player, |other| Some(trait_of[player] * trait_of[other]));
                    }
                    session.set_penalty(rng.random_range(0..n), rng.random_range(dear / 2..=dear));
                }
            }
        }
    }
}

#[test]
fn stopped_solves_go_on() {
    let mut rng = ChaCha8Rng::seed_from_u64(173);
    for (kind, (name, draw)) in COSTS.iter().enumerate() {
        let n = 41;
        let drawn = draw(&mut rng, n);
        let whole = cost::from_symmetric_fn(n, |i, j| drawn.at(i, j));
        let objective = Objective::MinOptOut((0..n).map(|v| drawn.at(v, (v + 1) % n) / 2).collect());
        let best = Blossom::new()
            .objective(objective.clone())
            .solve(&whole)
            .unwrap()
            .cost();
        let Objective::MinOptOut(penalties) = objective else {
            unreachable!("as it was made");
        };
        let mut session = Session::new(&whole).unwrap().penalties(penalties.clone()).unwrap();
        for work in [1 << 40, 0, 0, 1, 50, 5_000, 1 << 40] {
            session.set_budget(Budget::new().work(work));
            let solution = session.solve().unwrap();
            solution.verify(&whole).unwrap();
            assert!(solution.bound() <= best && solution.cost() >= best, "{name}");
            assert!(!solution.is_optimal() || solution.cost() == best, "{name}");
            // Another price and back, and a new cost that is the old one, so that there is something to do.
            session.set_penalty(kind, penalties[kind] + 1);
            session.set_penalty(kind, penalties[kind]);
            session.set_pair(kind, kind + 1, Some(drawn.at(kind, kind + 1)));
        }
        assert_eq!(session.solve().unwrap().cost(), best, "{name}");
    }
}

#[test]
fn prices_beyond_64_bits_are_solved_exactly() {
    let near = cost::from_symmetric_fn(5, |i, j| (i + j) as i64);
    let mut session = Session::new(&near).unwrap().penalties(vec![i64::MAX; 5]).unwrap();
    // One of five stays alone, and four are paired with one another.
    assert_eq!(agrees(&mut session), (i128::from(i64::MAX) + 6, 1));
    assert_eq!(session.solve().unwrap().solved_by(), SolvedBy::Sparse, "128 bits");
    (0..5).for_each(|player| session.set_penalty(player, i64::MIN));
    assert_eq!(agrees(&mut session), (5 * i128::from(i64::MIN), 5));
    (0..5).for_each(|player| session.set_penalty(player, 2));
    assert_eq!(agrees(&mut session), (7, 3));
    assert_eq!(session.solve().unwrap().solved_by(), SolvedBy::Dense);
}

#[test]
fn nobody_and_one_and_two_who_must_not_meet() {
    let mut session = Session::empty().penalties(vec![]).unwrap();
    assert_eq!(session.solve().unwrap().cost(), 0);
    session.add_with_penalty(5, |_| None);
    let solution = session.solve().unwrap();
    assert_eq!((solution.cost(), solution.mate(0)), (5, None));
    assert_eq!(*solution.objective(), Objective::MinOptOut(vec![5]));
    session.add_with_penalty(6, |_| None);
    assert_eq!(agrees(&mut session), (11, 2));
    session.set_pair(0, 1, Some(10));
    assert_eq!(agrees(&mut session), (10, 0));
    // Who joins without a price may stay alone for nothing.
    session.add(|_| Some(-1));
    assert_eq!(agrees(&mut session), (4, 1));
}

#[test]
fn what_is_wrong_with_prices_is_named() {
    let pair = cost::from_symmetric_fn(2, |_, _| 1i32);
    let short = Session::new(&pair).unwrap().penalties(vec![1]);
    assert_eq!(
        short.err(),
        Some(Error::LengthMismatch {
            what: "opt-out penalties",
            expected: 2,
            found: 1,
        })
    );
    let panics = |change: &mut dyn FnMut(&mut Session), session: &Session| {
        let mut session = session.clone();
        let payload = catch_unwind(AssertUnwindSafe(|| change(&mut session))).expect_err("a panic");
        payload.downcast_ref::<&str>().map(ToString::to_string)
    };
    let plain = Session::new(&pair).unwrap();
    let expected = Some("a pool with penalties".to_string());
    assert_eq!(panics(&mut |session| session.set_penalty(0, 1), &plain), expected);
    let byes = plain.clone().byes(vec![1, 2]).unwrap();
    assert_eq!(panics(&mut |session| session.set_penalty(0, 1), &byes), expected);
    let penalties = plain.penalties(vec![1, 2]).unwrap();
    let expected = Some("a pool with byes".to_string());
    assert_eq!(panics(&mut |session| session.set_bye(0, 1), &penalties), expected);
}
