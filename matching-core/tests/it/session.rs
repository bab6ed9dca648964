//! A pool that is solved again and again answers as if it were solved from scratch each time.

use std::panic::{AssertUnwindSafe, catch_unwind};

use matching_core::cost::{self, Cost};
use matching_core::{Blossom, Budget, Error, Objective, Session, Workspace};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::crowds::Crowd;
use crate::pools::COSTS;
use crate::ticks::{Pool, Tick};

/// Ticks of one pool; how often each ending came.
#[track_caller]
fn run(seed: u64, sizes: std::ops::RangeInclusive<usize>, ticks: usize, endings: &mut [u32; 2]) {
    let mut pool = Pool::new(seed, sizes);
    for tick in 0..ticks {
        match pool.tick() {
            Ok(ending) => endings[ending as usize] += 1,
            Err(message) => panic!("seed {seed}, tick {tick}: {message}\nafter {:?}", pool.log),
        }
    }
}

#[test]
fn every_tick_of_a_small_pool_is_a_solve_from_scratch() {
    let mut endings = [0; 2];
    for seed in 0..120 {
        run(seed, 0..=12, 40, &mut endings);
        run(1_000 + seed, 10..=80, 30, &mut endings);
    }
    assert!(endings[Tick::Solved as usize] > 2_500, "{endings:?}");
    assert!(endings[Tick::Infeasible as usize] > 400, "{endings:?}");
}

#[test]
fn every_tick_of_a_large_pool_is_a_solve_from_scratch() {
    let mut endings = [0; 2];
    for seed in 0..4 {
        run(2_000 + seed, 200..=600, 10, &mut endings);
    }
    assert!(endings[Tick::Solved as usize] > 15, "{endings:?}");
}

#[test]
fn every_tick_of_a_crowd_is_a_solve_from_scratch() {
    let mut endings = [0; 2];
    for seed in 0..8 {
        let mut crowd = Crowd::new(3_000 + seed, 300..=500);
        for tick in 0..6 {
            match crowd.tick() {
                Ok(ending) => endings[ending as usize] += 1,
                Err(message) => panic!("seed {seed}, tick {tick}: {message}\nafter {:?}", crowd.log),
            }
        }
    }
    assert!(endings[Tick::Solved as usize] > 15, "{endings:?}");
}

/// Each tick some leave, some join, some ratings change.
#[test]
fn a_ladder_of_ratings() {
    let mut rng = ChaCha8Rng::seed_from_u64(127);
    let mut rating: Vec<i64> = (0..300).map(|_| rng.random_range(800..2_400)).collect();
    let gap = |a: i64, b: i64| Some((a - b).pow(2));
    let whole = cost::from_symmetric_fn(300, |i, j| (rating[i] - rating[j]).pow(2));
    let mut session = Session::new(&whole).unwrap().byes(vec![90; 300]).unwrap();
    for _ in 0..40 {
        for _ in 0..rng.random_range(0..12) {
            let player = rng.random_range(0..rating.len());
            session.remove(player);
            rating.swap_remove(player);
        }
        for _ in 0..rng.random_range(0..12) {
            let newcomer = rng.random_range(800..2_400);
            session.add_with_bye(90, |other| gap(newcomer, rating[other]));
            rating.push(newcomer);
        }
        for _ in 0..rng.random_range(0..6) {
            let player = rng.random_range(0..rating.len());
            rating[player] += rng.random_range(-30..=30);
            session.set_row(player, |other| gap(rating[player], rating[other]));
        }
        let solution = session.solve().unwrap();
        solution.verify(&session).unwrap();
        let cold = Blossom::new().objective(solution.objective().clone()).solve(&session);
        assert_eq!(Ok(solution.cost()), cold.map(|cold| cold.cost()));
    }
}

#[test]
fn nothing_changed_nothing_changes() {
    let mut rng = ChaCha8Rng::seed_from_u64(131);
    for (kind, (name, draw)) in COSTS.iter().enumerate() {
        let n = 60 + kind;
        let drawn = draw(&mut rng, n);
        let whole = cost::from_symmetric_fn(n, |i, j| drawn.at(i, j));
        let mut session = Session::new(&whole).unwrap().byes(vec![0; n]).unwrap();
        let first = session.solve().unwrap();
        for _ in 0..3 {
            let next = session.solve().unwrap();
            next.verify(&whole).unwrap();
            assert_eq!((next.cost(), next.is_optimal()), (first.cost(), true), "{name}");
            assert!(next.work() < first.work(), "{name}: nothing was reused");
        }
    }
}

#[test]
fn a_narrow_type_is_copied_and_may_grow_out_of_its_range() {
    let narrow = cost::from_symmetric_fn(4, |i, j| (i * j) as i32);
    let mut session = Session::new(&narrow).unwrap();
    assert_eq!(session.solve().unwrap().cost(), 2);
    for bits in [28, 31, 32, 40, 50, 57, 62] {
        session.set_pair(0, 3, Some(1 << bits));
        session.set_pair(0, 2, Some(-(1 << bits)));
        let solution = session.solve().unwrap();
        solution.verify(&session).unwrap();
        assert_eq!(solution.cost(), 3 - (1i128 << bits));
    }
}

/// On a path whose costs alternate, duals grow with its length, and many of them are beyond what the passes hold. Those
/// who join ask them all, more than the few that become edges at first.
#[test]
fn newcomers_where_duals_are_beyond_the_passes() {
    let (path, newcomers) = (128, 40);
    let dear = (1 << 27) - 1;
    let mut session = Session::empty();
    for player in 0..path {
        let cost = if player % 2 == 1 { dear } else { 0 };
        session.add(|other| (other + 1 == player).then_some(cost));
    }
    assert_eq!(session.solve().unwrap().cost(), i128::from(dear) * path as i128 / 2);
    for _ in 0..newcomers {
        session.add(|other| (other < path).then_some(0));
    }
    let solution = session.solve().unwrap();
    solution.verify(&session).unwrap();
    assert_eq!(solution.cost(), Blossom::new().solve(&session).unwrap().cost());
}

/// Along a path whose costs alternate duals grow, and where it goes on at one end as it is left at the other they did so for ever:
/// after some hundreds of ticks they left 64 bits.
#[test]
fn a_path_that_goes_on_and_on() {
    let (path, ticks) = (44, 1_500);
    let dear = (1 << 62) / (16 * (path + 3)) - 10;
    let gap = |a: i64, b: i64| match (a.min(b), a.max(b)) {
        (low, high) if high != low + 1 => None,
        (low, _) => Some(if low % 2 == 0 { dear } else { 0 }),
    };
    let mut session = Session::empty();
    for step in 0..path {
        session.add(|other| gap(other as i64, step));
    }
    let mut steps: Vec<i64> = (0..path).collect();
    for tick in 0..ticks {
        for step in path + 2 * tick..path + 2 * tick + 2 {
            let last = (step % path) as usize;
            steps[last] = step;
            session.set_row(last, |other| gap(steps[other], step));
        }
        let solution = session.solve().unwrap();
        solution.verify(&session).unwrap();
        assert_eq!(solution.cost(), i128::from(dear * path / 2), "tick {tick}");
    }
}

#[test]
fn stopped_sessions_go_on() {
    let mut rng = ChaCha8Rng::seed_from_u64(137);
    for (kind, (name, draw)) in COSTS.iter().enumerate() {
        let n = 40;
        let drawn = draw(&mut rng, n);
        let whole = cost::from_symmetric_fn(n, |i, j| drawn.at(i, j));
        let best = Blossom::new().solve(&whole).unwrap().cost();
        let mut session = Session::new(&whole).unwrap();
        for work in [1 << 40, 0, 0, 1, 50, 5_000, 1 << 40] {
            session = session.budget(Budget::new().work(work));
            let solution = session.solve().unwrap();
            solution.verify(&whole).unwrap();
            assert!(solution.bound() <= best, "{name}");
            assert!(!solution.is_optimal() || solution.cost() == best, "{name}");
            // Another cost for one pair and back, so that there is something to do.
            session.set_pair(kind, kind + 1, Some(drawn.at(kind, kind + 1)));
        }
        assert_eq!(session.solve().unwrap().cost(), best, "{name}");
    }
}

#[test]
fn pools_of_nobody_and_of_one() {
    let mut session = Session::empty();
    assert_eq!(session.solve().unwrap().cost(), 0);
    assert_eq!(session.add(|_| unreachable!("nobody else")), 0);
    assert!(matches!(session.solve(), Err(Error::NoPerfectMatching(_))));
    assert_eq!(session.add(|_| Some(-7)), 1);
    assert_eq!(session.solve().unwrap().cost(), -7);
    session.remove(0);
    session.remove(0);
    assert!(session.is_empty());
    assert_eq!(session.solve().unwrap().cost(), 0);

    let mut session = Session::empty().byes(vec![]).unwrap();
    session.add_with_bye(5, |_| None);
    let solution = session.solve().unwrap();
    assert_eq!((solution.cost(), solution.mate(0)), (5, None));
    assert_eq!(*solution.objective(), Objective::MinBye(vec![5]));
    session.add_with_bye(6, |_| None);
    assert!(
        matches!(session.solve(), Err(Error::NoPerfectMatching(_))),
        "two cannot both have a bye"
    );
    session.add_with_bye(-9, |other| (other == 0).then_some(100));
    assert_eq!(session.solve().unwrap().cost(), 106);
    session.set_pair(0, 1, Some(i64::from(i32::MIN)));
    assert_eq!(session.solve().unwrap().cost(), i128::from(i32::MIN) - 9);
}

#[test]
fn what_is_wrong_is_named() {
    let skew = cost::from_fn(3, |i, j| (2 * i + j) as i64);
    assert_eq!(Session::new(&skew).err(), Some(Error::Asymmetric { u: 0, v: 1 }));
    let flat = cost::from_rectangular_fn(2, 3, |_, _| 1i64);
    assert_eq!(Session::new(&flat).err(), Some(Error::NotSquare { rows: 2, cols: 3 }));
    let pair = cost::from_symmetric_fn(2, |_, _| 1i32);
    let short = Session::new(&pair).unwrap().byes(vec![1]);
    assert!(matches!(
        short.err(),
        Some(Error::LengthMismatch {
            expected: 2,
            found: 1,
            ..
        })
    ));
}

#[test]
fn a_wide_past_is_forgotten() {
    let mut session = Session::empty();
    session.add(|_| None);
    session.add(|_| Some(1 << 60));
    assert_eq!(session.solve().unwrap().cost(), 1 << 60);
    session.set_pair(0, 1, None);
    assert!(matches!(session.solve(), Err(Error::NoPerfectMatching(_))));
    session.set_pair(0, 1, Some(i64::MIN));
    assert_eq!(session.solve().unwrap().cost(), i64::MIN.into());
    session.set_pair(0, 1, Some(3));
    assert_eq!(session.solve().unwrap().cost(), 3);
}

/// A cost that makes lanes coarse costs no work any more once as many costs as there are pairs were set without it.
#[test]
fn a_cost_far_out_is_forgotten() {
    let engagement = |skill: &[f64], mine: f64, other: usize| Some((1e7 * (mine * skill[other])) as i64);
    let mut work = [0, 0];
    for (work, has_outlier) in work.iter_mut().zip([false, true]) {
        let mut rng = ChaCha8Rng::seed_from_u64(97);
        let mut skill: Vec<f64> = (0..200).map(|_| rng.random()).collect();
        let mut session = Session::new(&cost::from_fn(skill.len(), |i, j| (1e7 * skill[i] * skill[j]) as i64)).unwrap();
        if has_outlier {
            session.set_pair(0, 1, Some(1 << 48));
            session.solve().unwrap();
            session.set_pair(0, 1, engagement(&skill, skill[0], 1));
        }
        for tick in 0..200 {
            let player = rng.random_range(0..skill.len());
            skill[player] = rng.random();
            session.set_row(player, |other| engagement(&skill, skill[player], other));
            let solution = session.solve().unwrap();
            if tick >= 120 {
                *work += solution.work();
            }
        }
    }
    let [without, with] = work;
    assert!(with < without + without / 5, "{with} for {without}");
}

/// Costs and byes at both ends of what 64-bit sums hold, and beyond, change for thousands of ticks.
#[test]
fn duals_do_not_drift() {
    let mut rng = ChaCha8Rng::seed_from_u64(139);
    for (bits, ticks) in [(28, 400), (53, 2_000), (54, 2_000), (62, 200)] {
        let far = 1i64 << bits;
        let mut session = Session::empty().byes(vec![]).unwrap();
        for tick in 0..ticks {
            let n = session.len();
            let mut end = || if rng.random_bool(0.5) { far } else { -far };
            match tick % 5 {
                _ if n < 6 => drop(session.add_with_bye(end(), |_| Some(end()))),
                0 if n > 12 => drop(session.remove(tick % n)),
                0 => drop(session.add_with_bye(end(), |other| Some(other as i64 * (far / 16)))),
                1 => session.set_pair(tick % n, (tick + 1 + tick / 5 % (n - 1)) % n, Some(end())),
                2 => session.set_row(tick % n, |other| {
                    Some(if other % 3 == 0 { -far } else { far - other as i64 })
                }),
                3 => session.set_bye(tick % n, end()),
                _ => session.set_row(tick % n, |_| Some(end())),
            }
            let solution = session.solve().unwrap();
            solution.verify(&session).unwrap();
            let cold = Blossom::new().objective(solution.objective().clone()).solve(&session);
            assert_eq!(
                Ok(solution.cost()),
                cold.map(|cold| cold.cost()),
                "{bits} bits, tick {tick}"
            );
        }
    }
}

#[test]
fn the_scale_of_pairs_that_are_gone_is_within_the_integers() {
    // Without pairs, only the byes were asked for their width, not what the scale still counted from.
    let mut session = Session::empty().byes(vec![]).unwrap();
    for _ in 0..3 {
        session.add_with_bye(-(1 << 27), |_| None);
    }
    session.set_pair(0, 1, Some(i64::MAX));
    session.set_pair(0, 1, None);
    assert!(matches!(session.solve(), Err(Error::NoPerfectMatching(_))));
}

#[test]
fn whoever_is_not_added_to_the_end_is_not_added() {
    let pair = cost::from_symmetric_fn(4, |i, j| (i + j) as i64);
    let mut session = Session::new(&pair).unwrap().byes(vec![7; 4]).unwrap();
    let half = |other: usize| Some(if other < 2 { 1 } else { panic!("no cost") });
    let added = catch_unwind(AssertUnwindSafe(|| session.add_with_bye(5, half)));
    assert!(added.is_err());
    assert_eq!(session.len(), 4);
    assert_eq!(session.solve().unwrap().cost(), 6);
    let changed = catch_unwind(AssertUnwindSafe(|| session.set_row(3, half)));
    assert!(changed.is_err());
    assert_eq!(session.pair(0, 3), 3, "all of the row is as it was");
    assert_eq!(session.add(|_| Some(1)), 4);
    session.solve().unwrap().verify(&session).unwrap();
}

#[test]
fn players_who_do_not_exist_have_no_costs() {
    let session = Session::new(&cost::from_symmetric_fn(3, |_, _| 4i64)).unwrap();
    assert_eq!((session.pair(1, 2), session.is_allowed(2, 2)), (4, true));
    for (i, j) in [(1, 5), (5, 1), (0, 14), (3, 3), (0, 400)] {
        let message = |asked: &dyn Fn() -> bool| {
            let payload = catch_unwind(AssertUnwindSafe(asked)).expect_err("there is no such pair");
            *payload.downcast::<String>().expect("a formatted message")
        };
        let expected = format!("pair ({i}, {j}) of 3 players");
        assert_eq!(message(&|| session.pair(i, j) == 0), expected);
        assert_eq!(message(&|| session.is_allowed(i, j)), expected);
    }
}

/// A pool that was odd for a tick was solved from nothing at the next one.
#[test]
fn an_odd_number_in_between_costs_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(137);
    let mut places: Vec<i64> = (0..200).map(|_| rng.random_range(0..100_000)).collect();
    let whole = cost::from_symmetric_fn(200, |i, j| (places[i] - places[j]).abs() % 4_001);
    let mut session = Session::new(&whole).unwrap();
    let first = session.solve().unwrap();
    for _ in 0..6 {
        let newcomer = rng.random_range(0..100_000);
        session.add(|other| Some((newcomer - places[other]).abs() % 4_001));
        places.push(newcomer);
        match session.solve() {
            Ok(solution) => {
                solution.verify(&session).unwrap();
                assert_eq!(
                    Ok(solution.cost()),
                    Blossom::new().solve(&session).map(|cold| cold.cost())
                );
                assert!(2 * solution.work() < first.work(), "nothing was reused");
            }
            Err(Error::NoPerfectMatching(witness)) => {
                assert_eq!(places.len() % 2, 1);
                matching_core::verify::witness(&session, &witness).unwrap();
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// What a service logs of itself once had every cost and every edge of the last solve in it.
#[test]
fn sessions_and_workspaces_are_shown_without_what_is_in_them() {
    let cost = cost::from_symmetric_fn(40, |i, j| (i * j) as i64);
    let mut pool = Session::new(&cost).unwrap().threads(1);
    pool.solve().unwrap();
    let shown = format!("{pool:?}");
    assert!(
        shown.starts_with("Session { players: 40, has_byes: false, has_penalties: false, budget: Budget {"),
        "{shown}"
    );
    assert!(shown.ends_with("threads: 1, .. }") && shown.len() < 200, "{shown}");
    let mut workspace = Workspace::new();
    Blossom::new().solve_with(&cost, &mut workspace).unwrap();
    assert_eq!(format!("{workspace:?}"), "Workspace { .. }");
}
