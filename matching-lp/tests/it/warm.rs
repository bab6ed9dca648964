//! Groups to begin with.

use matching_core::{Cost, GroupCost, cost};
use matching_lp::{Error, Groups, Problem, Solution, Solver, VerifyError};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::mixtures::{Built, random};

/// Groups as they are given: who waits is named, or not.
fn groups(solution: &Solution<i64>, is_bench_named: bool) -> Vec<Vec<usize>> {
    let bench = is_bench_named.then(|| solution.bench().to_vec());
    solution.groups().iter().cloned().chain(bench).collect()
}

/// Whatever is wished: parties, roles, pins, forbidden pairs and groups, players who wait.
#[test]
fn no_answer_costs_more_than_what_it_begins_with() {
    let mut better = 0;
    for seed in 0..400 {
        let plain = random(&mut ChaCha8Rng::seed_from_u64(seed), 8);
        let built = Built::new(&plain);
        let problem = built.problem().expect("well formed");
        let Ok(best) = Solver::new().solve(&problem) else {
            continue;
        };
        let hasty = Solver::new().work(0);
        for is_bench_named in [true, false] {
            let begun = hasty
                .clone()
                .warm_start(&groups(&best, is_bench_named))
                .solve(&problem)
                .expect("groups");
            assert_eq!(begun.cost(), best.cost(), "{seed}: {plain:?}");
            assert!(begun.verify(&problem).is_ok(), "{seed}");
        }
        let first = hasty.solve(&problem).expect("no proof that there is none");
        if first.groups().is_empty() || first.cost() > best.cost() {
            better += 1;
        }
        if !first.groups().is_empty() {
            let after = Solver::new()
                .warm_start(&groups(&first, true))
                .solve(&problem)
                .expect("groups");
            assert!(after.cost() == best.cost() && after.is_optimal(), "{seed}: {plain:?}");
            assert!(after.verify(&problem).is_ok(), "{seed}");
        }
    }
    assert!(better > 3, "{better}");
}

/// Pairs by the exact pairing, too, and groups in another order than the solver's own.
#[test]
fn pairs_and_empty_groups_may_be_begun_with() -> Result<(), Error> {
    let gap = cost::from_symmetric_fn(6, |i, j| i.abs_diff(j) as i64);
    let pairs = Problem::new(&gap, Groups::of_size(6, 2)?)?;
    let far = [vec![0, 3], vec![4, 1], vec![5, 2]];
    assert_eq!(Solver::new().warm_start(&far).solve(&pairs)?.cost(), 3);

    let open = Problem::new(&gap, Groups::with_bounds([0..=3, 0..=6, 1..=6])?.with_bench(1))?;
    // Groups that are left out are empty, where they may be.
    let wrong = Solver::new().warm_start(&[vec![0, 1, 2]]).solve(&open).unwrap_err();
    let empty = VerifyError::WrongSize { group: 2, members: 0 };
    assert_eq!(wrong, Error::WarmStart(Box::new(empty)));
    let begun = Solver::new()
        .warm_start(&[vec![], vec![], (0..6).collect()])
        .solve(&open)?;
    assert_eq!(begun.cost(), Solver::new().solve(&open)?.cost());
    Ok(())
}

/// Of threes in a row none but the right ones.
struct Rows;

impl GroupCost for Rows {
    type Value = i64;

    fn len(&self) -> usize {
        6
    }

    fn group(&self, _: &[usize]) -> i64 {
        1
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        members.contains(&0) == members.contains(&1)
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }
}

#[test]
fn groups_that_are_none_of_the_problem_are_told() -> Result<(), Error> {
    let threes = || Groups::of_size(6, 3);
    let gap = cost::from_symmetric_fn(6, |i, j| i.abs_diff(j) as i64);
    let split = gap.restricted(|i, j| i + j != 9);
    let plain = Problem::new(&gap, threes()?)?;
    let cases = [
        (
            &plain,
            vec![vec![0, 1, 2], vec![3, 4]],
            "group 1 has 2 members, outside its bounds",
        ),
        (
            &plain,
            vec![vec![0, 1, 2], vec![3, 4, 4]],
            "player 4 is not in exactly one place",
        ),
        (
            &plain,
            vec![vec![0, 1, 2], vec![3, 4, 6]],
            "player 6 is not in exactly one place",
        ),
        (
            &plain,
            vec![vec![0, 1], vec![2, 3, 4, 5]],
            "group 0 has 2 members, outside its bounds",
        ),
        (
            &plain,
            vec![vec![0, 1, 2], vec![3, 4, 5], vec![], vec![]],
            "there are 4 groups, not 2",
        ),
        (
            &Problem::new(&gap, threes()?.with_bench(2))?,
            vec![vec![0, 1, 2]],
            "group 1 has 0 members, outside its bounds",
        ),
        (
            &Problem::new(&split, threes()?)?,
            vec![vec![0, 1, 2], vec![3, 4, 5]],
            "players 4 and 5 must not be together",
        ),
        (
            &Problem::new(&gap, threes()?)?.party(&[2, 3])?,
            vec![vec![0, 1, 2], vec![3, 4, 5]],
            "players 2 and 3 must stay together",
        ),
        (
            &Problem::new(&gap, threes()?)?.role("healer", 1..=1, &[0, 1])?,
            vec![vec![0, 1, 2], vec![3, 4, 5]],
            "the members of group 0 cannot play all roles as wanted",
        ),
        (
            &Problem::by_group(&Rows, threes()?)?,
            vec![vec![0, 2, 3], vec![1, 4, 5]],
            "group 0 is forbidden by a cost of whole groups",
        ),
        (
            &Problem::new(&gap, threes()?)?.pin(5, 0)?,
            vec![vec![0, 1, 2], vec![3, 4, 5]],
            "player 5 is not where he is pinned to",
        ),
    ];
    for (problem, groups, wrong) in cases {
        let error = Solver::new().warm_start(&groups).solve(problem).unwrap_err();
        let expected = format!("the groups to start from are none of this problem: {wrong}");
        assert_eq!(error.to_string(), expected);
    }
    Ok(())
}
