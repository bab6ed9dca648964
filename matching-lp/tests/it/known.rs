//! Problems whose answers are known otherwise.

use matching_core::{Blossom, Cost, CostValue, cost};
use matching_lp::{Conflict, Error, Groups, Overflow, Problem, Solver, Status, StopReason};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn pairs_are_those_of_the_blossom() {
    for seed in 0..10_000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n = 2 * rng.random_range(3..12);
        let data: Vec<i64> = (0..n * (n - 1) / 2).map(|_| rng.random_range(0..30)).collect();
        let costs = cost::CondensedMatrix::new(n, data).unwrap();
        let problem = Problem::new(&costs, Groups::of_size(n, 2).unwrap()).unwrap();
        let solution = Solver::new().solve(&problem).unwrap();
        assert!(solution.is_optimal());
        assert_eq!(solution.cost(), Blossom::new().solve(&costs).unwrap().cost());
        solution.verify(&problem).unwrap();
    }
}

#[test]
fn a_grouping_of_twenty_four_is_proven() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let data: Vec<i64> = (0..24 * 23 / 2).map(|_| rng.random_range(0..1000)).collect();
    let costs = cost::CondensedMatrix::new(24, data).unwrap();
    let problem = Problem::new(&costs, Groups::of_size(24, 4).unwrap()).unwrap();
    let solution = Solver::new().solve(&problem).unwrap();
    assert!(solution.is_optimal());
    solution.verify(&problem).unwrap();
    // A shift of all costs changes nothing but the total.
    let shifted = costs.plus(cost::from_symmetric_fn(24, |_, _| 500_i64)).unwrap();
    let problem = Problem::new(&shifted, Groups::of_size(24, 4).unwrap()).unwrap();
    let other = Solver::new().solve(&problem).unwrap();
    assert_eq!(other.cost(), solution.cost() + 500 * 36);
    assert!(other.is_optimal());
}

#[test]
fn floats_are_exact_where_they_fit_and_bounded_else() {
    let halves = cost::from_symmetric_fn(9, |i, j| ((i * 5 + j * 5 + i * j) % 11) as f64 / 2.0);
    let problem = Problem::new(&halves, Groups::of_size(9, 3).unwrap()).unwrap();
    let solution = Solver::new().solve(&problem).unwrap();
    assert!(solution.is_optimal() && solution.gap() == 0.0);
    solution.verify(&problem).unwrap();

    let roots = cost::from_symmetric_fn(9, |i, j| (((i * 5 + j * 5 + i * j) % 11) as f64).sqrt());
    let problem = Problem::new(&roots, Groups::of_size(9, 3).unwrap()).unwrap();
    let solution = Solver::new().solve(&problem).unwrap();
    assert_eq!(solution.status(), Status::Feasible(StopReason::Rounding));
    assert!(
        solution.bound() <= solution.cost() && solution.gap() < 1e-9,
        "{}",
        solution.gap()
    );
    solution.verify(&problem).unwrap();
}

#[test]
fn no_work_is_a_grouping_with_some_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let data: Vec<i64> = (0..30 * 29 / 2).map(|_| rng.random_range(-50..1000)).collect();
    let costs = cost::CondensedMatrix::new(30, data).unwrap();
    let problem = Problem::new(&costs, Groups::of_size(30, 5).unwrap()).unwrap();
    for work in [0, 1, 1_000, 100_000, 1_000_000] {
        let solution = Solver::new().work(work).solve(&problem).unwrap();
        solution.verify(&problem).unwrap();
        let again = Solver::new().work(work).solve(&problem).unwrap();
        assert_eq!((again.bound(), again.groups()), (solution.bound(), solution.groups()));
        assert!(solution.is_optimal() || solution.status() == Status::Feasible(StopReason::WorkLimit));
    }
}

/// Where costs are no less than nothing, a grouping that costs nothing was called unproven beside a bound of nothing, if
/// a limit came before anything was looked at.
#[test]
fn a_grouping_that_costs_no_more_than_its_bound_is_proven() {
    let costs = cost::from_symmetric_fn(12, |i, j| i64::from(i % 4 != j % 4));
    let problem = Problem::new(&costs, Groups::of_size(12, 3).unwrap()).unwrap();
    let (mut cut_short, mut proven) = (0, 0);
    for work in [0, 1, 100, 1_000_000] {
        for seed in 0..4 {
            let solution = Solver::new().work(work).seed(seed).solve(&problem).unwrap();
            solution.verify(&problem).unwrap();
            let is_met = solution.bound() == solution.cost();
            assert_eq!(solution.is_optimal(), is_met, "{work} {:?}", solution.status());
            (cut_short, proven) = (cut_short + u32::from(work == 0), proven + u32::from(is_met));
        }
    }
    assert!(cut_short > 0 && proven > 0);
}

#[test]
fn who_is_in_the_way_is_named() {
    let costs = cost::from_symmetric_fn(8, |_, _| 1_i64);
    let groups = Groups::of_size(8, 4).unwrap();
    // Three players who all stay apart do not fit into two groups; the party of 6 and 7 has nothing to do with it.
    let problem = Problem::new(&costs, groups.clone()).unwrap();
    let problem = problem.apart(1, 3).unwrap().apart(3, 5).unwrap().apart(1, 5).unwrap();
    let problem = problem.party(&[6, 7]).unwrap();
    let expected = Conflict::Players {
        players: vec![1, 3, 5],
        is_minimal: true,
    };
    assert_eq!(Solver::new().solve(&problem), Err(Error::Infeasible(expected)));

    let too_many = Groups::with_bounds([3..=3, 4..=4]).unwrap();
    let error = Solver::new()
        .solve(&Problem::new(&costs, too_many).unwrap())
        .unwrap_err();
    assert!(matches!(
        error,
        Error::Infeasible(Conflict::Sizes {
            players: 8,
            least: 7,
            most: 7
        })
    ));
}

/// Without any work: more players who must be apart than there are places apart.
#[test]
fn crowds_are_seen_at_a_glance() {
    let costs = cost::from_symmetric_fn(40, |i, j| (i + j) as i64);
    let in_the_way = |groups: Groups, apart: &[(usize, usize)]| {
        let mut problem = Problem::new(&costs, groups).unwrap();
        for &(i, j) in apart {
            problem = problem.apart(i, j).unwrap();
        }
        match Solver::new().work(0).solve(&problem) {
            Err(Error::Infeasible(Conflict::Players { players, is_minimal })) => Some((players, is_minimal)),
            Ok(_) => None,
            other => panic!("{other:?}"),
        }
    };
    let groups = |sizes: &[usize]| Groups::with_bounds(sizes.iter().map(|&size| size..=size)).unwrap();
    assert_eq!(in_the_way(groups(&[40]), &[(7, 21)]), Some((vec![7, 21], true)));
    let three = [(3, 5), (5, 9), (3, 9)];
    assert_eq!(in_the_way(groups(&[20, 20]), &three), Some((vec![3, 5, 9], true)));
    assert_eq!(in_the_way(groups(&[20, 10, 10]), &three), None);
    // Somebody may wait: of three one does, of two pairs one of each would have to.
    assert_eq!(in_the_way(groups(&[20, 19]).with_bench(1), &three), None);
    let (players, _) = in_the_way(groups(&[39]).with_bench(1), &[(0, 1), (2, 3)]).unwrap();
    assert_eq!(players, [0, 1, 2, 3]);
    // Nobody can wait where the group would not be full.
    assert_eq!(
        in_the_way(groups(&[40]).with_bench(1), &[(0, 1)]),
        Some((vec![0, 1], true))
    );
}

/// A party of which two must be apart was found out by search, member by member of all parties and pairs: fifty seconds for
/// twelve players with roles.
#[test]
fn parties_that_must_be_apart_are_seen_at_a_glance() {
    let free = cost::from_symmetric_fn(12, |i, j| (i + j) as i64);
    let costs = Cost::restricted(&free, |i, j| (i.min(j), i.max(j)) != (2, 9));
    let problem = |bench: usize| {
        let groups = match bench {
            0 => Groups::of_size(12, 4),
            _ => Groups::of_size(12 - bench, 5),
        };
        let groups = groups.unwrap().with_bench(bench);
        Problem::new(&costs, groups).unwrap()
    };
    let check = |problem: &Problem<'_, i64>, players: &[usize], is_minimal: bool| {
        let players = players.to_vec();
        let conflict = Conflict::Players { players, is_minimal };
        assert_eq!(problem.conflict_at_sight(), Ok(Some(conflict.clone())));
        if is_minimal {
            let error = Solver::new().work(0).solve(problem).unwrap_err();
            assert_eq!(error, Error::Infeasible(conflict));
        }
    };
    // By a pair apart, and by the costs; other wishes have nothing to do with it.
    let others = problem(0)
        .party(&[0, 1])
        .unwrap()
        .apart(3, 10)
        .unwrap()
        .pin(6, 1)
        .unwrap();
    check(
        &others.clone().party(&[8, 4, 5]).unwrap().apart(8, 5).unwrap(),
        &[5, 8],
        true,
    );
    check(&others.party(&[9, 4, 2]).unwrap(), &[2, 9], true);
    // Two may wait, and three of a party of four may not.
    let waiting = problem(2).apart(4, 8).unwrap();
    assert_eq!(waiting.clone().party(&[4, 8]).unwrap().conflict_at_sight(), Ok(None));
    assert!(Solver::new().solve(&waiting.clone().party(&[4, 8]).unwrap()).is_ok());
    check(&waiting.clone().party(&[4, 8, 11]).unwrap(), &[4, 8, 11], true);
    // Who is pinned does not wait, nor do those who are with him.
    let pinned = waiting.clone().pin(8, 1).unwrap();
    check(&pinned.clone().pin(4, 1).unwrap(), &[4, 8], true);
    check(&pinned.party(&[4, 8]).unwrap(), &[4, 8], true);
    check(
        &waiting.pin(0, 1).unwrap().party(&[4, 8, 0]).unwrap(),
        &[0, 4, 8],
        false,
    );
    // Two parties that share a player: none has both, and all are needed.
    let chain = problem(0).party(&[2, 5]).unwrap().party(&[5, 9]).unwrap();
    check(&chain, &[2, 5, 9], false);

    let roles = problem(0)
        .party(&[2, 9])
        .unwrap()
        .apart(0, 4)
        .unwrap()
        .apart(1, 5)
        .unwrap();
    let roles = roles.apart(3, 11).unwrap();
    let tanks = roles.role("tank", 1..=1, &[0, 1, 2, 3, 4]).unwrap();
    let healers = |number| tanks.clone().role("healer", number, &[3, 4, 5, 6, 9]).unwrap();
    check(&healers(1..=2), &[2, 9], true);
    // Without the other, the one has no role that is needed, and comes on top of all who are.
    check(&healers(0..=2), &[2, 9], true);
}

/// A limit on work kept the first pairs that came, and no bound.
#[test]
fn pairs_after_a_limit_have_a_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let data: Vec<i64> = (0..200 * 199 / 2).map(|_| rng.random_range(0..10_000)).collect();
    let costs = cost::CondensedMatrix::new(200, data).unwrap();
    let problem = Problem::new(&costs, Groups::of_size(200, 2).unwrap()).unwrap();
    let best = Solver::new().solve(&problem).unwrap();
    let mut stopped = 0;
    for work in [1, 1_000, 30_000, 100_000, 300_000] {
        let solution = Solver::new().work(work).solve(&problem).unwrap();
        solution.verify(&problem).unwrap();
        assert!(solution.bound() <= best.cost() && best.cost() <= solution.cost());
        stopped += usize::from(solution.status() == Status::Feasible(StopReason::WorkLimit));
        assert!(!solution.certificate().is_empty(), "{work}");
    }
    assert!(stopped > 0);
}

/// However many groups there may be, players meet once and fill as many groups as they are.
#[test]
fn groups_that_stay_empty_need_no_room_for_totals() {
    let large = cost::from_symmetric_fn(8, |i, j| 1_300_000_000 + (i * j) as i64);
    let solve = |groups: usize| {
        let problem = Problem::new(&large, Groups::with_bounds(vec![0..=8; groups]).unwrap()).unwrap();
        Solver::new().solve(&problem).unwrap().cost()
    };
    assert_eq!(solve(40), solve(8));
}

/// What nobody pays was not looked at for its size, and yet added up for parties: a panic, or a sum that wrapped.
#[test]
fn what_waiting_costs_where_nobody_may_wait_counts_for_nothing() {
    fn check<V: CostValue>(huge: V) {
        let cost = cost::from_symmetric_fn(4, |_, _| V::one());
        for party in [[0, 1], [2, 3]] {
            let problem = Problem::new(&cost, Groups::of_size(4, 2).unwrap()).unwrap();
            let mut problem = problem.party(&party).unwrap();
            for (player, waiting) in [huge, huge, V::zero() - huge, V::zero() - huge].into_iter().enumerate() {
                problem = problem.waiting_cost(player, waiting).unwrap();
            }
            for solver in [Solver::new(), Solver::new().work(0)] {
                let solution = solver.solve(&problem).unwrap();
                assert_eq!(solution.cost().to_f64(), 2.0);
                assert!((0.0..=2.0).contains(&solution.bound().to_f64()), "{}", solution.bound());
                solution.verify(&problem).unwrap();
            }
            if V::IS_INTEGER {
                let levels = Solver::new().solve_in_order(&[&problem, &problem]).unwrap();
                assert!(levels.is_optimal());
                levels.verify(&[&problem, &problem]).unwrap();
            }
        }
    }
    check(i64::MAX);
    check(i128::from(i64::MAX) * 5);
    check(1e300);
}

#[test]
fn bad_input_is_an_error() {
    let groups = || Groups::of_size(4, 2).unwrap();
    let costs = cost::from_fn(4, |i, j| if (i, j) == (2, 1) { 5_i64 } else { 1 });
    let solve = |problem: Problem<'_, i64>| Solver::new().solve(&problem).unwrap_err();
    assert_eq!(
        solve(Problem::new(&costs, groups()).unwrap()),
        Error::Asymmetric { i: 1, j: 2 }
    );
    let huge = cost::from_symmetric_fn(4, |_, _| i64::MAX);
    assert_eq!(
        solve(Problem::new(&huge, groups()).unwrap()),
        Error::CostOverflow(Overflow::Total { bits: 67 })
    );
    let nan = cost::from_symmetric_fn(4, |_, _| f64::NAN);
    let problem = Problem::new(&nan, groups()).unwrap();
    assert_eq!(
        Solver::new().solve(&problem).unwrap_err(),
        Error::PairNotANumber { i: 0, j: 1 }
    );
    let fine = cost::from_symmetric_fn(4, |_, _| 1_i64);
    let problem = || Problem::new(&fine, groups()).unwrap();
    assert_eq!(
        problem().party(&[0, 4]).unwrap_err(),
        Error::NoSuchPlayer { player: 4, players: 4 }
    );
    assert_eq!(problem().party(&[1, 1]).unwrap_err(), Error::Twice { player: 1 });
    assert_eq!(problem().apart(2, 2).unwrap_err(), Error::Twice { player: 2 });
}

/// Teams are taken apart two at least at a time. Where the better grouping that this brought was one team of everybody,
/// the search for still better ones went on, and panicked for lack of a second team.
#[test]
fn a_better_grouping_of_one_team_ends_the_search_for_better_ones() {
    let costs = [[0, -950, -565], [-950, 0, 618], [-565, 618, 0_i64]];
    let costs = cost::from_symmetric_fn(3, |i, j| costs[i][j]);
    let groups = Groups::with_bounds([0..=3]).unwrap().with_bench(1);
    let mut problem = Problem::new(&costs, groups).unwrap();
    for (player, cost) in [-834, -299, 247].into_iter().enumerate() {
        problem = problem.waiting_cost(player, cost).unwrap();
    }
    // Hardly any room for columns, as if there were many, so that groupings are improved before the proof.
    let solution = Solver::new().pool(1).solve(&problem).unwrap();
    solution.verify(&problem).unwrap();
    assert_eq!((solution.cost(), solution.is_optimal()), (-897, true));
}

/// The weight of the first cost was made for what the second could be by its signs, fifteen pairs in place of three, and left
/// the third no room: costs of seven digits at most "did not fit 40 bits together".
#[test]
fn weights_that_signs_made_too_large_leave_later_costs_room() {
    let first = |i: usize, j: usize| (i as i64 * 37 % 100 - j as i64 * 37 % 100).abs() * 10;
    let second = |i: usize, j: usize| -1_000_000 - (i * j) as i64 % 7;
    let third = |i: usize, j: usize| (i * i + j * j + 3 * i * j) as i64 * 97 % 1000;
    let costs = [
        cost::from_symmetric_fn(6, first as fn(usize, usize) -> i64),
        cost::from_symmetric_fn(6, second as fn(usize, usize) -> i64),
        cost::from_symmetric_fn(6, third as fn(usize, usize) -> i64),
    ];
    let problem = |cost| Problem::new(cost, Groups::of_size(6, 2).unwrap()).unwrap();
    let problems = [problem(&costs[0]), problem(&costs[1]), problem(&costs[2])];
    let problems = [&problems[0], &problems[1], &problems[2]];
    let levels = Solver::new().solve_in_order(&problems).unwrap();
    levels.verify(&problems).unwrap();
    let of = |pairs: [(usize, usize); 3]| {
        [first, second, third].map(|cost: fn(usize, usize) -> i64| {
            let sum = pairs.iter().map(|&(i, j)| cost(i, j)).sum::<i64>();
            i128::from(sum)
        })
    };
    let all = (1..6).flat_map(|a| {
        let others: Vec<usize> = (1..6).filter(|&i| i != a).collect();
        [1, 2, 3].map(|b| {
            let left: Vec<usize> = others[1..].iter().copied().filter(|&i| i != others[b]).collect();
            of([(0, a), (others[0], others[b]), (left[0], left[1])])
        })
    });
    let found: Vec<i128> = levels.levels().iter().map(|level| level.cost()).collect();
    assert_eq!(
        (Some(&found[..]), levels.is_optimal()),
        (all.min().as_ref().map(|best| &best[..]), true)
    );
}

/// A cost of groups that nothing is known of had a weight that made up for the least number there is, where the first cost was
/// nothing at all; then none was left for the third.
#[test]
fn a_cost_that_nothing_is_known_of_leaves_later_costs_room() {
    let whole = |low: i64| Plain { low, players: 6 };
    let (second, third) = (whole(-3), whole(1));
    let nothing = cost::from_symmetric_fn(6, |_, _| 0_i64);
    let groups = Groups::of_size(6, 3).unwrap();
    let problems = [
        &Problem::new(&nothing, groups.clone()).unwrap(),
        &Problem::by_group(&second, groups.clone()).unwrap(),
        &Problem::by_group(&third, groups).unwrap(),
    ];
    let levels = Solver::new().solve_in_order(&problems).unwrap();
    levels.verify(&problems).unwrap();
    let costs: Vec<i128> = levels.levels().iter().map(|level| level.cost()).collect();
    assert_eq!((costs, levels.is_optimal()), (vec![0, -15, 5], true));
}

/// A cost of whole groups that says nothing of partial ones.
struct Plain {
    low: i64,
    players: usize,
}

impl matching_core::GroupCost for Plain {
    type Value = i64;

    fn len(&self) -> usize {
        self.players
    }

    fn group(&self, members: &[usize]) -> i64 {
        self.low * (members.len() as i64 % 2 + members[0] as i64)
    }
}
