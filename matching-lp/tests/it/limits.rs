//! Limits on work, time and memory, and cancelling: what is told where they come first.

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;

use matching_core::cost;
use matching_lp::{
    Budget, CancelToken, Conflict, Cost, Error, GroupBound, GroupCost, Groups, Halves, Problem, Solver, Status,
    StopReason,
};

/// That a limit came first was taken for wishes that can be met, and the costs were blamed without a proof.
#[test]
fn a_limit_before_an_explanation_blames_nobody() {
    // Five players in a circle, each to be apart from the next, two groups.
    let rating: Vec<i64> = (0..12).map(|player| player * player * 7 % 50).collect();
    let even = Halves::new(&rating).unwrap().at_most(20).unwrap();
    let mut problem = Problem::by_group(&even, Groups::of_size(12, 6).unwrap()).unwrap();
    for i in 0..5 {
        problem = problem.apart(i, (i + 1) % 5).unwrap();
    }
    let who = Conflict::Players {
        players: vec![0, 1, 2, 3, 4],
        is_minimal: true,
    };
    assert_eq!(Solver::new().solve(&problem).unwrap_err(), Error::Infeasible(who));
    let mut unexplained = 0;
    for work in (0..200_000).step_by(2_000) {
        match Solver::new().work(work).solve(&problem) {
            Ok(solution) => assert!(matches!(solution.status(), Status::Unknown(_)), "{work}"),
            Err(Error::Infeasible(Conflict::Players { players, .. })) => assert_eq!(players, [0, 1, 2, 3, 4], "{work}"),
            Err(error) => {
                assert_eq!(error, Error::Infeasible(Conflict::Unexplained), "{work}");
                assert_eq!(
                    error.to_string(),
                    "there is no grouping: the wishes (parties, forbidden pairs, roles, pins) and the costs of whole groups \
                     rule all out; which of them are in the way was not found out within the limits, and with more time or work \
                     may be"
                );
                unexplained += 1;
            }
        }
    }
    assert!(unexplained > 0);
}

/// Pairs that cost nothing, those of the first players forbidden; counts how often it is asked whether a pair is, and may cancel.
struct Counted {
    players: usize,
    apart: usize,
    looks: AtomicUsize,
    /// Is cancelled after so many looks.
    cancels: Option<(usize, CancelToken)>,
}

impl Cost for Counted {
    type Value = i64;

    fn len(&self) -> usize {
        self.players
    }

    fn pair(&self, _: usize, _: usize) -> i64 {
        0
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn has_forbidden(&self) -> bool {
        true
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        if let Some((_, token)) = self.cancels.as_ref().filter(|(after, _)| looks == *after) {
            token.cancel();
        }
        i >= self.apart || j >= self.apart
    }
}

/// Every player in a crowd was tried, whatever the limits said: minutes for some thousand players. The costs are read
/// three times at most, once for each try before.
#[test]
fn an_explanation_ends_with_the_limits() {
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let limits = [
        Solver::new().time(Duration::ZERO),
        Solver::new().work(1),
        Solver::new().cancel(cancelled),
    ];
    let crowd = |solver: Solver<'_>| {
        let cost = Counted {
            players: 60,
            apart: 31,
            looks: AtomicUsize::new(0),
            cancels: None,
        };
        // Somebody who is pinned wishes for more than to be apart, so that all have to be tried.
        let problem = Problem::new(&cost, Groups::of_size(60, 2).unwrap()).unwrap();
        let error = solver.solve(&problem.pin(0, 0).unwrap()).unwrap_err();
        (error, cost.looks.into_inner())
    };
    let told = |is_minimal: bool| {
        let players = (0..31).collect();
        Error::Infeasible(Conflict::Players { players, is_minimal })
    };
    for solver in limits {
        let (error, looks) = crowd(solver.clone());
        assert_eq!(error, told(false), "{solver:?}");
        assert!(looks <= 3 * (60 * 59 / 2), "{looks} looks, {solver:?}");
    }
    assert_eq!(crowd(Solver::new()).0, told(true));
}

/// Who leaves a party is a unit of his own. Tables for all of these were made whatever the limit on memory said, and what
/// was found with them was called minimal.
#[test]
fn an_explanation_stays_within_the_memory() {
    let flat = cost::from_symmetric_fn(12, |_, _| 0_i64);
    let groups = Groups::with_bounds([6..=6, 4..=4, 2..=2]).unwrap();
    let all: Vec<usize> = (0..12).collect();
    let problem = Problem::new(&flat, groups).unwrap();
    // Two parties, and one group that takes either.
    let problem = problem.party(&all[..6]).unwrap().party(&all[6..]).unwrap();
    let told = |bytes: usize| {
        let error = Solver::new().memory(bytes).solve(&problem).unwrap_err();
        let Error::Infeasible(Conflict::Players { players, is_minimal }) = error else {
            panic!("{error}");
        };
        (players, is_minimal)
    };
    // For the two, and a copy.
    assert_eq!(told(18 * 2 * 2), (all.clone(), false));
    // For the two, and for all there are when everybody but one of each party has left.
    let (players, is_minimal) = told(9 * (2 * 2 + 12 * 12));
    assert!(is_minimal);
    // Of either party, one more than the group of four takes.
    let expected: Vec<usize> = (1..6).chain(7..12).collect();
    assert_eq!(players, expected);
    let too_few = Solver::new().memory(18 * 2 * 2 - 1).solve(&problem).unwrap_err();
    let (bytes, limit) = (72, Some(71));
    assert_eq!(too_few, Error::OutOfMemory { bytes, limit });
}

/// Each attempt read the wishes of all pairs before it looked whether anybody had cancelled.
#[test]
fn an_attempt_ends_in_the_middle() {
    let players = 60;
    let all = players * (players - 1) / 2;
    for after in (3 * all..5 * all).step_by(613) {
        let token = CancelToken::new();
        let cost = Counted {
            players,
            apart: 31,
            looks: AtomicUsize::new(0),
            cancels: Some((after, token.clone())),
        };
        let problem = Problem::new(&cost, Groups::of_size(players, 2).unwrap()).unwrap();
        let problem = problem.pin(0, 0).unwrap();
        let error = Solver::new().cancel(token).solve(&problem).unwrap_err();
        let looks = cost.looks.load(Ordering::Relaxed);
        assert!(looks <= after + players, "{} looks after {after}", looks - after);
        let is_minimal = looks < after;
        assert!(
            matches!(&error, Error::Infeasible(Conflict::Players { is_minimal: told, .. }) if *told == is_minimal),
            "{error:?}, {looks} looks, {after}"
        );
    }
}

/// Costs of whole groups; after so many of them somebody cancels, and each takes its time from then on. Those are counted.
struct Slow {
    players: usize,
    after: usize,
    asked: AtomicUsize,
    token: CancelToken,
}

impl GroupCost for Slow {
    type Value = i64;

    fn len(&self) -> usize {
        self.players
    }

    fn group(&self, members: &[usize]) -> i64 {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        if asked >= self.after {
            self.token.cancel();
            std::thread::sleep(Duration::from_millis(2));
        }
        let mixed = members.iter().fold(7, |sum, &player| sum * 31 + player * player);
        (mixed % 1009) as i64
    }

    fn group_bound(&self, _: &[usize], _: usize) -> GroupBound<i64> {
        GroupBound::AtLeast(0)
    }
}

/// How many looks there may be at groups before one at the clock was taken from those before, which may be a thousand times
/// as quick: two even halves of groups of twenty took six seconds of 0.7.
#[test]
fn a_limit_is_seen_where_costs_of_groups_become_slow() {
    let solve = |after: usize| {
        let cost = Slow {
            players: 15,
            after,
            asked: AtomicUsize::new(0),
            token: CancelToken::new(),
        };
        let problem = Problem::by_group(&cost, Groups::of_size(15, 5).unwrap()).unwrap();
        let solver = Solver::new().cancel(cost.token.clone()).work(1_000_000);
        solver.solve(&problem).unwrap();
        cost.asked.into_inner()
    };
    let all = solve(usize::MAX);
    let late: Vec<usize> = (1..8)
        .map(|part| part * all / 8)
        .map(|after| solve(after) - after)
        .collect();
    assert!(late.iter().all(|&late| late < 100), "{late:?} of {all}");
}

/// 32 gigabytes were asked for, and where they were not to be had the program was aborted.
#[test]
fn tables_of_pairs_have_a_limit() {
    let flat = |players| cost::from_symmetric_fn(players, |_, _| 1_i64);
    let crowd = flat(60_000);
    let problem = Problem::new(&crowd, Groups::of_size(60_000, 5).unwrap()).unwrap();
    let (bytes, limit) = (18 * 60_000 * 60_000, Some(1 << 34));
    let error = Solver::new().solve(&problem).unwrap_err();
    assert_eq!(error, Error::OutOfMemory { bytes, limit });
    assert_eq!(
        error.to_string(),
        "tables of all pairs take 64800000000 bytes where 17179869184 may be taken; allow more, or divide the problem"
    );
    let few = flat(6);
    let alone = Problem::new(&few, Groups::of_size(6, 3).unwrap()).unwrap();
    // Who stays together counts as one.
    let party = alone.clone().party(&[0, 1, 2]).unwrap();
    for (problem, units) in [(&alone, 6), (&party, 4)] {
        let bytes = 18 * units * units;
        for solver in [
            Solver::new().memory(bytes),
            Solver::new().budget(Budget::new().memory(bytes)),
        ] {
            assert_eq!(solver.solve(problem).unwrap().cost(), 6);
        }
        let refused = Error::OutOfMemory {
            bytes: bytes as u64,
            limit: Some(bytes as u64 - 1),
        };
        assert_eq!(Solver::new().memory(bytes - 1).solve(problem), Err(refused));
    }
}

#[test]
fn a_budget_is_all_the_limits() {
    let cost = cost::from_symmetric_fn(12, |i, j| ((i * 7 + j * 11) * (i + j) % 23) as i64);
    let problem = Problem::new(&cost, Groups::of_size(12, 4).unwrap()).unwrap();
    let token = CancelToken::new();
    token.cancel();
    let limits = [
        (Budget::new().work(0), StopReason::WorkLimit),
        (Budget::new().time(Duration::ZERO), StopReason::TimeLimit),
        (Budget::new().cancel(token), StopReason::Cancelled),
    ];
    let reason = |solver: Solver<'_>| match solver.solve(&problem).unwrap().status() {
        Status::Feasible(reason) | Status::Unknown(reason) => Some(reason),
        _ => None,
    };
    for (budget, expected) in limits {
        assert_eq!(reason(Solver::new().budget(budget.clone())), Some(expected));
        // What was given before counts no more, and what comes after does.
        assert_eq!(reason(Solver::new().budget(budget).budget(Budget::new())), None);
    }
    let none = Solver::new().work(0).budget(Budget::new());
    assert_eq!(reason(none.clone()), None);
    assert_eq!(reason(none.work(0)), Some(StopReason::WorkLimit));
}
