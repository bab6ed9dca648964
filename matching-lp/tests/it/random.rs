//! Random small problems with every mixture of wishes and costs against exhaustive search.

use std::sync::Mutex;

use matching_core::{GroupCost, cost};
use matching_lp::{Conflict, Error, Groups, Problem, Progress, Solver};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::mixtures::{Built, random, second};
use crate::oracle::{Plain, STEP};

/// What is left of the wishes when only those of some players count, and no group is forbidden as a whole.
fn only_of(plain: &Plain, players: &[usize]) -> Plain {
    let both = |pairs: &[(usize, usize)]| -> Vec<(usize, usize)> {
        let is_in = |(i, j): &(usize, usize)| players.contains(i) && players.contains(j);
        pairs.iter().copied().filter(is_in).collect()
    };
    let parties = plain.parties.iter().map(|party| {
        let kept: Vec<usize> = party
            .iter()
            .copied()
            .filter(|player| players.contains(player))
            .collect();
        kept
    });
    Plain {
        apart: both(&plain.apart),
        forbidden: both(&plain.forbidden),
        parties: parties.filter(|party| !party.is_empty()).collect(),
        pins: plain
            .pins
            .iter()
            .copied()
            .filter(|pin| players.contains(&pin.0))
            .collect(),
        jokers: (0..plain.players).filter(|player| !players.contains(player)).collect(),
        whole: None,
        halves: None,
        ..plain.clone()
    }
}

/// What a conflict says must be true, and as little as it can be.
fn check_conflict(plain: &Plain, conflict: Conflict, label: &str) {
    let roles_of = |names: &[String]| -> Vec<usize> {
        let number = |name: &String| name.trim_start_matches("role").parse().expect("a number");
        names.iter().map(number).collect()
    };
    match conflict {
        Conflict::Players { players, is_minimal } => {
            assert!(!players.is_empty(), "{label}: {plain:?}");
            assert_eq!(only_of(plain, &players).least(), None, "{label}: {players:?} {plain:?}");
            assert!(is_minimal, "{label}");
            for &left_out in &players {
                let others: Vec<usize> = players.iter().copied().filter(|&player| player != left_out).collect();
                assert!(
                    only_of(plain, &others).least().is_some(),
                    "{label}: {left_out} of {players:?} {plain:?}"
                );
            }
        }
        Conflict::Sizes { least, most, .. } => assert!(plain.players < least || plain.players > most),
        Conflict::ForbiddenGroups => {
            let everybody: Vec<usize> = (0..plain.players).collect();
            assert!(only_of(plain, &everybody).least().is_some(), "{label}: {plain:?}");
        }
        Conflict::RolesShort { roles, needed, players } => {
            let roles = roles_of(&roles);
            let can = |&player: &usize| roles.iter().any(|&role| plain.roles[role].2.contains(&player));
            let able: Vec<usize> = (0..plain.players).filter(can).collect();
            let is_filled = |group: &usize| plain.bounds[*group].0 > 0 || plain.pins.iter().any(|pin| pin.1 == *group);
            let filled = (0..plain.bounds.len()).filter(is_filled).count();
            let each: usize = roles.iter().map(|&role| plain.roles[role].0).sum();
            assert_eq!((able, each * filled), (players.clone(), needed), "{label}: {plain:?}");
            assert!(players.len() < needed, "{label}");
        }
        Conflict::RolesCrowded { roles, room, players } => {
            let roles = roles_of(&roles);
            assert!(players.len() > room, "{label}");
            for (number, role) in plain.roles.iter().enumerate() {
                let is_free = |player: &usize| !role.2.contains(player) || roles.contains(&number);
                assert!(players.iter().all(is_free), "{label}");
            }
        }
        Conflict::RolesDoNotFit { needed } => {
            assert_eq!(only_of(plain, &[]).least(), None, "{label}: {plain:?}");
            assert_eq!(needed, plain.roles.iter().map(|role| role.0).sum::<usize>(), "{label}");
        }
        other => panic!("{label}: {other}"),
    }
}

/// Solves one problem and compares; whether there was a grouping.
fn check(solver: &Solver<'_>, plain: &Plain, label: &str) -> bool {
    let built = Built::new(plain);
    let problem = built.problem().expect("well formed");
    match (solver.solve(&problem), plain.least()) {
        (Ok(solution), Some(least)) => {
            assert_eq!(solution.cost(), least, "{label}: {plain:?}");
            assert!(solution.is_optimal(), "{label}: {:?} {plain:?}", solution.status());
            assert_eq!(solution.bound(), solution.cost());
            solution
                .verify(&problem)
                .unwrap_or_else(|error| panic!("{label}: {error} {plain:?}"));
            true
        }
        (Err(Error::Infeasible(conflict)), None) => {
            check_conflict(plain, conflict, label);
            match problem.conflict_at_sight().expect("well formed") {
                Some(Conflict::Players { players, is_minimal }) if !is_minimal => {
                    assert_eq!(only_of(plain, &players).least(), None, "{label}: {players:?} {plain:?}");
                }
                Some(conflict) => check_conflict(plain, conflict, label),
                None => {}
            }
            false
        }
        (Err(Error::PartyTooLarge { party, most }), None) => {
            assert!(party.len() > most, "{label}: {party:?} {most}");
            false
        }
        (
            Err(Error::PinsDisagree {
                groups: [one, other], ..
            }),
            None,
        ) => {
            assert_ne!(one, other, "{label}");
            false
        }
        (Err(Error::TooManyPinned { players, most, .. }), None) => {
            assert!(players.len() > most, "{label}: {players:?} {most}");
            false
        }
        (result, least) => panic!("{label}: {result:?} but {least:?} for {plain:?}"),
    }
}

/// Two costs in order; whether there was a grouping.
fn check_in_order(solver: &Solver<'_>, plain: &Plain, label: &str) -> bool {
    let built = Built::new(plain);
    let first = built.problem().expect("well formed");
    let second = built
        .second
        .as_ref()
        .expect("two costs")
        .problem()
        .expect("well formed");
    let problems = [&first, &second];
    match (solver.solve_in_order(&problems), plain.least()) {
        (Ok(solution), Some(least)) => {
            let costs: Vec<i128> = solution.levels().iter().map(|level| level.cost()).collect();
            assert_eq!(costs[0] * STEP + costs[1], least, "{label}: {costs:?} {plain:?}");
            assert!(solution.is_optimal(), "{label}: {:?} {plain:?}", solution.levels());
            assert!(solution.levels().iter().all(|level| level.bound() == level.cost()));
            solution
                .verify(&problems)
                .unwrap_or_else(|error| panic!("{label}: {error} {plain:?}"));
            true
        }
        (Err(Error::Infeasible(_)), None) => false,
        (Err(Error::PartyTooLarge { .. } | Error::PinsDisagree { .. } | Error::TooManyPinned { .. }), None) => false,
        (result, least) => panic!("{label}: {result:?} but {least:?} for {plain:?}"),
    }
}

/// Says which problem it was if anything panics.
struct Label<'l>(&'l str);

impl Drop for Label<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

/// One problem; whether there is a grouping, and which kinds of wishes and costs it has.
fn check_seed(solver: &Solver<'_>, seed: u64, most: usize) -> (bool, [bool; 6]) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut plain = random(&mut rng, most);
    let label = format!("seed {seed}");
    let _said = Label(&label);
    let is_solved = if rng.random_bool(0.2) {
        plain.second = Some(Box::new(second(&mut rng, &plain)));
        check_in_order(solver, &plain, &label)
    } else {
        check(solver, &plain, &label)
    };
    let has = [
        !plain.roles.is_empty(),
        !plain.pins.is_empty(),
        plain.whole.is_some(),
        plain.halves.is_some(),
        plain.second.is_some(),
        !plain.roles.is_empty() && plain.whole.is_some() && plain.bench > 0,
    ];
    (is_solved, has)
}

fn check_many(solver: &Solver<'_>, seeds: core::ops::Range<u64>, most: usize) {
    let count = seeds.end - seeds.start;
    let mut solved = 0;
    let mut mixtures = [0; 6];
    for seed in seeds {
        let (is_solved, has) = check_seed(solver, seed, most);
        solved += u64::from(is_solved);
        for (count, has) in mixtures.iter_mut().zip(has) {
            *count += u64::from(has && is_solved);
        }
    }
    assert!(solved > count / 3 && solved < count, "{solved} of {count}");
    assert!(mixtures.iter().all(|&mixture| mixture > count / 200), "{mixtures:?}");
}

#[test]
fn small_problems_are_solved_as_by_trying_all() {
    check_many(&Solver::new(), 0..400, 8);
}

#[test]
fn small_problems_are_solved_without_room_for_a_pool() {
    for most in [0, 3, 12] {
        check_many(&Solver::new().pool(most), 0..60, 8);
    }
}

/// A grouping of a single column, which has no two to be taken apart.
#[test]
fn everybody_in_one_team() {
    for most in [1_000_000, 0] {
        assert!(check_seed(&Solver::new().pool(most), 3455, 9).0);
    }
}

#[test]
#[ignore = "some minutes"]
fn many_small_problems_are_solved_as_by_trying_all() {
    let first = std::env::var("FIRST_SEED").map_or(0, |text| text.parse().expect("a number"));
    let seeds = std::env::var("SEEDS").map_or(20_000, |text| text.parse().expect("a number"));
    for most in [1_000_000, 0, 8] {
        check_many(&Solver::new().pool(most), first..first + seeds, 9);
    }
}

/// What was told of the bound on the way did not allow for costs that are rounded, as the bound of the solution does.
#[test]
fn bounds_that_are_told_allow_for_rounding() {
    for seed in 0..20_u64 {
        let thirds = |i: usize, j: usize| ((i * 7 + j * 5 + i * j * (seed as usize + 3)) % 31) as f64 / 3.0;
        let cost = cost::from_symmetric_fn(6, |i, j| thirds(i.min(j), i.max(j)));
        let problem = Problem::new(&cost, Groups::of_size(6, 3).unwrap()).unwrap();
        let told = Mutex::new((Vec::new(), None));
        let observer = |progress: &Progress| {
            let mut told = told.lock().unwrap();
            told.0.extend(progress.bound);
            told.1 = progress.cost;
        };
        let solution = Solver::new().observer(&observer).solve(&problem).unwrap();
        let (bounds, last) = told.into_inner().unwrap();
        assert_eq!(last, Some(solution.cost()), "seed {seed}");
        assert!(!bounds.is_empty());
        for &bound in bounds.iter() {
            assert!(
                bound <= solution.cost(),
                "{bound} is more than {}, seed {seed}",
                solution.cost()
            );
        }
    }
}

/// What was told of the cost was what the grid makes of it, and less than the cost where that is rounded down.
#[test]
fn costs_that_are_told_are_the_costs_themselves() {
    struct Thirds;
    impl GroupCost for Thirds {
        type Value = f64;

        fn len(&self) -> usize {
            9
        }

        fn group(&self, members: &[usize]) -> f64 {
            members.iter().fold(0, |sum, player| sum * 7 + player * player % 11) as f64 / 3.0
        }
    }
    for size in [3, 4] {
        let problem = Problem::by_group(&Thirds, Groups::of_size(9, size).unwrap()).unwrap();
        let last = Mutex::new(None);
        let observer = |progress: &Progress| {
            let (cost, bound) = (progress.cost, progress.bound);
            assert!(
                bound.is_none_or(|bound| cost.is_none_or(|cost| bound <= cost)),
                "{progress:?}"
            );
            *last.lock().unwrap() = cost;
        };
        let solution = Solver::new().observer(&observer).solve(&problem).unwrap();
        assert_eq!(last.into_inner().unwrap(), Some(solution.cost()));
    }
}

/// Whoever watched was told the same again after each part of a solve that had brought nothing.
#[test]
fn nothing_is_told_twice() {
    let mut calls = 0;
    for seed in 0..200_u64 {
        let plain = random(&mut ChaCha8Rng::seed_from_u64(seed), 9);
        let built = Built::new(&plain);
        let told = Mutex::new(Vec::new());
        let observer = |progress: &Progress| told.lock().unwrap().push((progress.cost, progress.bound));
        // With a small pool there are more parts.
        let _ = Solver::new()
            .pool(4)
            .observer(&observer)
            .solve(&built.problem().unwrap());
        let told = told.into_inner().unwrap();
        calls += told.len();
        assert!(told.windows(2).all(|two| two[0] != two[1]), "seed {seed}: {told:?}");
    }
    assert!(calls > 100, "{calls}");
}

/// What players cost at least, each for himself: half of the pairs with as many others as groups have, where all play.
fn half_sums(plain: &Plain) -> Option<i128> {
    let fewest = plain.bounds.iter().map(|bound| bound.0.max(1)).min()?;
    let most = plain.bounds.iter().map(|bound| bound.1).max()?;
    let has = |pairs: &[(usize, usize)], i: usize, j: usize| pairs.contains(&(i.min(j), i.max(j)));
    let of_player = |i: usize| {
        let others = (0..plain.players).filter(|&j| j != i && !has(&plain.apart, i, j) && !has(&plain.forbidden, i, j));
        let mut costs: Vec<i128> = others
            .map(|j| plain.cost[i.min(j) * plain.players + i.max(j)].into())
            .collect();
        costs.sort_unstable();
        (fewest..=most.min(costs.len() + 1))
            .map(|size| costs[..size - 1].iter().sum::<i128>())
            .min()
    };
    let doubled = (0..plain.players).map(of_player).sum::<Option<i128>>()?;
    (plain.bench == 0).then_some(doubled.div_euclid(2) + doubled.rem_euclid(2))
}

/// Of these kinds of problems, how many had a bound before anything was looked at.
fn check_first_bounds(seeds: core::ops::Range<u64>) -> (u64, u64) {
    let (mut solved, mut bounded) = (0, 0);
    for seed in seeds {
        let plain = random(&mut ChaCha8Rng::seed_from_u64(seed), 8);
        let label = format!("seed {seed}: {plain:?}");
        let _said = Label(&label);
        let built = Built::new(&plain);
        let problem = built.problem().expect("well formed");
        let Some(least) = plain.least() else { continue };
        let mut first = None;
        for work in [1, 300, 3_000] {
            let Ok(solution) = Solver::new().work(work).solve(&problem) else {
                continue;
            };
            assert!(solution.bound() <= least);
            solution.verify(&problem).expect("a bound that holds");
            if plain.whole.is_none() && plain.halves.is_none() {
                assert!(!solution.certificate().is_empty());
                assert!(first.is_none_or(|first| first <= solution.bound()));
                assert!(half_sums(&plain).is_none_or(|bound| bound <= solution.bound()));
                first = first.or(Some(solution.bound()));
            }
        }
        solved += 1;
        bounded += u64::from(first.is_some());
    }
    (solved, bounded)
}

/// Nothing was proven before the first duals were made true.
#[test]
fn a_bound_is_known_before_anything_is_looked_at() {
    let (solved, bounded) = check_first_bounds(0..400);
    assert!(solved > 150 && bounded > 100, "{bounded} of {solved}");
}

#[test]
#[ignore = "a minute"]
fn many_bounds_are_known_before_anything_is_looked_at() {
    let (solved, bounded) = check_first_bounds(0..20_000);
    assert!(solved > 7_000 && bounded > 5_000, "{bounded} of {solved}");
}
