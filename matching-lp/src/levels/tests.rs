use matching_core::cost;

use super::*;
use crate::random::draw;

/// Of an answer without groups, nothing that it said of its level was compared with the proof.
#[test]
fn a_bound_without_groups_is_compared_with_its_proof() {
    let costs = cost::from_symmetric_fn(6, |i, j| (7 * i + 11 * j) as i64 % 13);
    let groups = matching_heuristics::Groups::of_size(6, 3).expect("two groups");
    let problem = Problem::new(&costs, groups).expect("a problem");
    let mut levels = Solver::new().solve_in_order(&[&problem]).expect("solved");
    levels.verify(&[&problem]).expect("sound");
    let solution = &mut levels.proofs[0].solution;
    (levels.groups, levels.bench) = (Vec::new(), Vec::new());
    (solution.groups, solution.cost) = (Vec::new(), 0);
    solution.status = Status::Unknown(StopReason::WorkLimit);
    // Duals alone, so that the proof is none of what the answer costs.
    solution.certificate.steps.truncate(1);
    let upper = solution.bound;
    solution.bound -= 100;
    let bound = solution.bound;
    let told = |bound, status| vec![Level { cost: 0, bound, status }];
    levels.levels = told(bound, Status::Unknown(StopReason::WorkLimit));
    assert_eq!(levels.verify(&[&problem]), Ok(()));
    levels.levels = told(upper + 1, Status::Unknown(StopReason::WorkLimit));
    assert_eq!(levels.verify(&[&problem]), Err(VerifyError::BoundNotProven));
    levels.levels = told(bound, Status::Optimal);
    assert_eq!(levels.verify(&[&problem]), Err(VerifyError::BoundNotProven));
}

/// Without groups, a proven answer of the first cost alone passed for one of all costs, and said of its cost and of who
/// waits whatever it liked.
#[test]
fn an_answer_without_groups_says_no_more_than_that() {
    let costs = cost::from_symmetric_fn(6, |i, j| (7 * i + 11 * j) as i64 % 13);
    let groups = matching_heuristics::Groups::of_size(6, 3).expect("two groups");
    let problem = Problem::new(&costs, groups).expect("a problem");
    let both = [&problem, &problem];
    let best = Solver::new().solve_in_order(&both).expect("solved");
    assert_eq!((best.verify(&both), best.is_optimal()), (Ok(()), true));

    let mut none = best.clone();
    (none.groups, none.bench) = (Vec::new(), vec![99]);
    none.levels.truncate(1);
    none.proofs.truncate(1);
    none.levels[0].cost = -5;
    assert_eq!(none.verify(&both), Err(VerifyError::BoundNotProven));
    assert_eq!(none.verify(&both[..1]), Err(VerifyError::OtherGroups));

    // The one level of which nothing is known, and what it must not say.
    let reason = StopReason::WorkLimit;
    let solution = &mut none.proofs[0].solution;
    solution.status = Status::Unknown(reason);
    (solution.groups, solution.cost) = (Vec::new(), 0);
    solution.certificate.steps.truncate(1);
    solution.bound -= 100;
    let (bound, status) = (solution.bound, Status::Unknown(reason));
    none.bench = Vec::new();
    none.levels = vec![Level { cost: 0, bound, status }];
    assert_eq!(none.verify(&both), Ok(()));
    let told = |change: &dyn Fn(&mut Levels)| {
        let mut levels = none.clone();
        change(&mut levels);
        levels.verify(&both)
    };
    assert_eq!(told(&|levels| levels.bench = vec![99]), Err(VerifyError::OtherGroups));
    assert_eq!(
        told(&|levels| levels.groups = vec![vec![0]]),
        Err(VerifyError::OtherGroups)
    );
    let cost = told(&|levels| levels.levels[0].cost = -5);
    assert!(matches!(cost, Err(VerifyError::WrongCost { .. })), "{cost:?}");

    // A level of a grouping knows what it costs.
    let mut vague = best;
    vague.levels[1].status = status;
    assert_eq!(vague.verify(&both), Err(VerifyError::BoundNotProven));
}

/// Groups of an answer that says that there are none were taken for those of the levels without a look at them.
#[test]
fn groups_of_an_unknown_answer_are_refused() {
    let costs = cost::from_symmetric_fn(6, |i, j| (7 * i + 11 * j) as i64 % 13);
    let groups = matching_heuristics::Groups::of_size(6, 3).expect("two groups");
    let problem = Problem::new(&costs, groups).expect("a problem");
    let mut levels = Solver::new().solve_in_order(&[&problem]).expect("solved");
    let solution = &mut levels.proofs[0].solution;
    solution.status = Status::Unknown(StopReason::WorkLimit);
    solution.groups = vec![vec![99, 100]];
    levels.groups.clone_from(&solution.groups);
    let wrong = VerifyError::WrongNumberOfGroups { found: 1, wanted: 0 };
    assert_eq!(levels.verify(&[&problem]), Err(wrong));
    levels.proofs[0].solution.groups.clear();
    let verdict = levels.verify(&[&problem]);
    assert!(matches!(verdict, Err(VerifyError::WrongCost { .. })), "{verdict:?}");
    levels.proofs[0].solution.cost = 0;
    levels.proofs[0].solution.bench = vec![99];
    let wrong = VerifyError::BenchTooFull { waiting: 1 };
    assert_eq!(levels.verify(&[&problem]), Err(wrong));
}

/// What each level says is what its proof proves, and no more.
#[test]
fn levels_say_no_more_than_their_proofs() {
    let few = cost::from_symmetric_fn(9, |i, j| i64::from((i * j) % 5 == 2));
    let more = cost::from_symmetric_fn(9, |i, j| (7 * i + 11 * j + i * j) as i64 % 13 - 4);
    let groups = || matching_heuristics::Groups::of_size(9, 3).expect("three groups");
    let (few, more) = (
        Problem::new(&few, groups()).expect("a problem"),
        Problem::new(&more, groups()).expect("a problem"),
    );
    let both = [&few, &more];
    let best = Solver::new().solve_in_order(&both).expect("solved");
    assert_eq!((best.verify(&both), best.is_optimal()), (Ok(()), true));
    let told = |change: &dyn Fn(&mut Levels)| {
        let mut levels = best.clone();
        change(&mut levels);
        levels.verify(&both)
    };
    let open = Status::Feasible(StopReason::WorkLimit);
    for number in [0, 1] {
        let level = best.levels[number];
        let with =
            |bound: i128, status: Status| told(&|levels| levels.levels[number] = Level { bound, status, ..level });
        let refused = Err(VerifyError::BoundNotProven);
        assert_eq!(with(level.bound, open), Ok(()));
        assert_eq!(with(level.bound - 1, open), Ok(()));
        assert_eq!(with(level.bound + 1, open), refused);
        assert_eq!(with(level.bound - 1, Status::Optimal), refused);
        assert_eq!(with(level.bound + 1, Status::Optimal), refused);
        let mut levels = best.clone();
        levels.levels[number].status = open;
        assert!(!levels.is_optimal());
    }

    // Proofs of other sums, which hold: of one that counts the last cost twice, or one before less than nothing.
    let solved = |weights: &[i64]| {
        let weighted = Weighted::new(&both, weights);
        Solver::new()
            .solve(&weighted.problem().expect("small"))
            .expect("solved")
    };
    for (number, weights) in [
        (0, vec![2]),
        (0, vec![1, 0]),
        (0, vec![-1]),
        (0, vec![0]),
        (1, vec![100, 2]),
        (1, vec![-1, 1]),
        (1, vec![1]),
        (1, vec![100, 0]),
        (1, vec![100, 1, 1]),
    ] {
        let solution = solved(&weights[..weights.len().min(2)]);
        let found = told(&|levels| {
            levels.proofs[number] = Proof {
                weights: weights.clone(),
                solution: solution.clone(),
            };
        });
        assert_eq!(found, Err(VerifyError::Malformed { step: 0 }), "{number} {weights:?}");
    }
    // One that counts them as they should be is as good as another.
    let solution = solved(&[1000, 1]);
    let weights = vec![1000, 1];
    assert_eq!(
        told(&|levels| levels.proofs[1] = Proof {
            weights: weights.clone(),
            solution: solution.clone()
        }),
        Ok(())
    );
}

/// Whatever a limit leaves: no grouping that costs as little by the levels before costs less than a level says, of all there are.
#[test]
fn bounds_of_levels_hold_for_all_groupings_however_little_is_done() {
    // Pairs of six players, and one who waits.
    let all: Vec<(Groups, usize)> = (0..7)
        .flat_map(|waits| {
            let left: Vec<usize> = (0..7).filter(|&player| player != waits).collect();
            (1..6)
                .flat_map(move |a| {
                    let rest: Vec<usize> = left[1..].iter().copied().filter(|&player| player != left[a]).collect();
                    let first = vec![left[0], left[a]];
                    (1..4)
                        .map(move |b| {
                            let last = (1..4).filter(|&at| at != b).map(|at| rest[at]).collect();
                            (vec![first.clone(), vec![rest[0], rest[b]], last], waits)
                        })
                        .collect::<Vec<_>>()
                })
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(all.len(), 105);
    let mut state = 1;
    let mut open = 0;
    for round in 0..40 {
        let mut table = |range: usize, least: i64| {
            let costs = (0..21).map(|_| draw(&mut state, range) as i64 + least).collect();
            cost::CondensedMatrix::<i64>::new(7, costs).expect("pairs")
        };
        let tables = [table(3, 0), table(4, -2), table(1000, -500)];
        let groups = matching_heuristics::Groups::of_size(6, 2).expect("pairs");
        let groups = matching_heuristics::Groups::with_bounds(vec![2..=2; groups.len()])
            .expect("pairs")
            .with_bench(1);
        let problems = tables.each_ref().map(|table| {
            let problem = Problem::new(table, groups.clone()).expect("a problem");
            problem.waiting_cost(round % 7, 1).expect("a number")
        });
        let problems = problems.each_ref();
        let known: Vec<Vec<i128>> = all
            .iter()
            .map(|(groups, waits)| costs(&problems, groups, &[*waits]).expect("small"))
            .collect();
        for work in [0, 50, 500, 5_000, u64::MAX] {
            let found = Solver::new().work(work).solve_in_order(&problems).expect("a grouping");
            assert_eq!(found.verify(&problems), Ok(()));
            let waits: Vec<usize> = (0..7)
                .filter(|player| !found.groups().concat().contains(player))
                .collect();
            assert_eq!(found.bench(), waits);
            for (number, level) in found.levels().iter().enumerate() {
                let no_dearer =
                    |costs: &&Vec<i128>| (0..number).all(|before| costs[before] <= found.levels()[before].cost());
                let least = known.iter().filter(no_dearer).map(|costs| costs[number]).min();
                assert!(least.is_some_and(|least| level.bound() <= least), "{level:?} {least:?}");
                assert_eq!(level.status() == Status::Optimal, level.bound() == level.cost());
            }
            let costs: Vec<i128> = found.levels().iter().map(Level::cost).collect();
            let best = known.iter().min().expect("groupings");
            assert!(
                best <= &costs && (!found.is_optimal() || *best == costs),
                "{costs:?} {best:?}"
            );
            assert!(work < u64::MAX || found.is_optimal());
            open += usize::from(!found.is_optimal());
        }
    }
    assert!(open > 20, "{open}");
}

/// Wishes are those of the first problem: others may repeat them, and may not have some of their own.
#[test]
fn each_other_wish_is_refused() {
    let flat = cost::from_symmetric_fn(6, |_, _| 1_i64);
    let other = cost::from_symmetric_fn(5, |_, _| 1_i64);
    let of = |players: usize| matching_heuristics::Groups::of_size(players, 2).expect("groups");
    let plain = || Problem::new(&flat, of(6)).expect("a problem");
    let wish = |kind: usize, player: usize| match kind {
        0 => plain().party(&[player, player + 1]),
        1 => plain().apart(player, player + 1),
        2 => plain().role("tank", 1..=1, &[player, 2, 3]),
        _ => plain().pin(player, 0),
    };
    let refused = Err(Error::LevelsDiffer { level: 2 });
    for kind in 0..4 {
        let (one, another) = (wish(kind, 0).expect("a wish"), wish(kind, 4).expect("a wish"));
        assert_eq!(check(&[&one, &plain(), &one]), Ok(()), "{kind}");
        assert_eq!(check(&[&one, &one, &another]), refused, "{kind}");
        assert_eq!(check(&[&plain(), &plain(), &one]), refused, "{kind}");
    }
    let threes = Problem::new(&flat, matching_heuristics::Groups::of_size(6, 3).expect("groups")).expect("a problem");
    assert_eq!(check(&[&plain(), &plain(), &threes]), refused);
    let fewer = Problem::new(&other, of(6)).expect("a problem");
    assert_eq!(check(&[&plain(), &plain(), &fewer]), refused);
}

/// A cost that is another one from the other side is refused, whichever it is.
#[test]
fn each_cost_is_the_same_from_both_sides() {
    let of = |odd: (usize, usize)| cost::from_fn(4, move |i, j| (i + j + usize::from((i, j) == odd)) as i64);
    let (even, uneven) = (of((9, 9)), of((2, 1)));
    let pairs = || matching_heuristics::Groups::of_size(4, 2).expect("pairs");
    let even = Problem::new(&even, pairs()).expect("a problem");
    let uneven = Problem::new(&uneven, pairs()).expect("a problem");
    assert!(Solver::new().solve_in_order(&[&even, &even]).is_ok());
    for problems in [[&even, &uneven], [&uneven, &even]] {
        assert_eq!(
            Solver::new().solve_in_order(&problems).err(),
            Some(Error::Asymmetric { i: 1, j: 2 })
        );
    }
}
