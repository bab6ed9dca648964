//! Random small problems with every mixture of wishes against exhaustive search.

use matching_lp::{Conflict, Error, Groups, Problem, Solver};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::oracle::Plain;

pub(crate) fn problem_of(plain: &Plain) -> Result<Problem<'_, i64>, Error> {
    let groups = Groups::with_bounds(plain.bounds.iter().map(|&(least, most)| least..=most)).expect("not crossed");
    let mut problem = Problem::new(plain, groups.with_bench(plain.bench))?;
    for party in &plain.parties {
        problem = problem.party(party)?;
    }
    for &(i, j) in &plain.apart {
        problem = problem.apart(i, j)?;
    }
    for (player, &cost) in plain.waiting.iter().enumerate() {
        problem = problem.waiting_cost(player, cost)?;
    }
    Ok(problem)
}

pub(crate) fn random(rng: &mut ChaCha8Rng, most: usize) -> Plain {
    let players = rng.random_range(1..=most);
    let range = [1, 3, 10, 1000][rng.random_range(0..4)];
    let low = if rng.random_bool(0.3) { -range } else { 0 };
    let cost = (0..players * players).map(|_| rng.random_range(low..=range)).collect();
    let count = rng.random_range(1..=players.min(5));
    let bench = if rng.random_bool(0.4) {
        rng.random_range(0..=players / 2)
    } else {
        0
    };
    // Sizes that add up, then looser.
    let playing = players - rng.random_range(0..=bench.min(players - count));
    let mut bounds: Vec<(usize, usize)> = (0..count)
        .map(|group| playing / count + usize::from(group < playing % count))
        .map(|size| (size, size))
        .collect();
    if rng.random_bool(0.5) {
        for bound in &mut bounds {
            bound.0 -= rng.random_range(0..=bound.0.min(2));
            bound.1 += rng.random_range(0..=2);
        }
    }
    let mut pairs = |rate: f64| -> Vec<(usize, usize)> {
        let all = (0..players).flat_map(|i| (i + 1..players).map(move |j| (i, j)));
        all.filter(|_| rng.random_bool(rate)).collect()
    };
    let few = 1.0 / players as f64;
    let apart = pairs([0.0, few, 0.3][players % 3]);
    let forbidden = pairs([0.0, 0.0, few, 0.4][players % 4]);
    let parties = pairs([0.0, 0.3 * few, few][(players + 1) % 3]);
    Plain {
        players,
        cost,
        bounds,
        bench,
        waiting: (0..players).map(|_| rng.random_range(low..=range)).collect(),
        parties: parties.into_iter().map(|(i, j)| vec![i, j]).collect(),
        apart,
        forbidden,
    }
}

/// What is left of the wishes when only those of some players count.
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
        ..plain.clone()
    }
}

/// Solves one problem and compares; whether there was a grouping.
fn check(solver: &Solver<'_>, plain: &Plain, label: &str) -> bool {
    let problem = problem_of(plain).expect("well formed");
    match (solver.solve(&problem), plain.least()) {
        (Ok(solution), Some(least)) => {
            assert_eq!(solution.cost(), i128::from(least), "{label}: {plain:?}");
            assert!(solution.is_optimal(), "{label}: {:?} {plain:?}", solution.status());
            assert_eq!(solution.bound(), solution.cost());
            solution
                .verify(&problem)
                .unwrap_or_else(|error| panic!("{label}: {error} {plain:?}"));
            true
        }
        (Err(Error::Infeasible(conflict)), None) => {
            match conflict {
                Conflict::Players { players, is_minimal } => {
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
                other => panic!("{label}: {other}"),
            }
            false
        }
        (result, least) => panic!("{label}: {result:?} but {least:?} for {plain:?}"),
    }
}

fn check_many(solver: &Solver<'_>, count: u64, most: usize) {
    let mut solved = 0;
    for seed in 0..count {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let plain = random(&mut rng, most);
        solved += u64::from(check(solver, &plain, &format!("seed {seed}")));
    }
    assert!(solved > count / 3 && solved < count, "{solved} of {count}");
}

#[test]
fn small_problems_are_solved_as_by_trying_all() {
    check_many(&Solver::new(), 250, 8);
}

#[test]
fn small_problems_are_solved_without_room_for_a_pool() {
    for most in [0, 3, 12] {
        check_many(&Solver::new().pool(most), 60, 8);
    }
}

#[test]
#[ignore = "some minutes"]
fn many_small_problems_are_solved_as_by_trying_all() {
    for most in [1_000_000, 0, 8] {
        check_many(&Solver::new().pool(most), 20_000, 10);
    }
}
