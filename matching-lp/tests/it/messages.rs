//! What people are told about problems that cannot be, word by word.

use core::time::Duration;

use matching_core::cost;
use matching_lp::{
    Conflict, Cost, Error, GroupBound, GroupCost, Groups, GroupsError, Halves, Overflow, Problem, SetPartitioning,
    Solver, Status, StopReason, VerifyError,
};

fn flat() -> impl Cost<Value = i64> {
    cost::from_symmetric_fn(6, |_, _| 1_i64)
}

/// The same of a cost that may differ by direction.
fn flat_both_ways() -> impl Cost<Value = i64> {
    cost::from_fn(6, |_, _| 1_i64)
}

fn pairs_of_three() -> Groups {
    Groups::of_size(6, 3).unwrap()
}

/// What solving says, and that exporting the program says the same unless it takes a proof.
fn told(problem: &Problem<'_, i64>) -> String {
    let error = Solver::new().solve(problem).unwrap_err();
    if !matches!(error, Error::Infeasible(_)) {
        assert_eq!(SetPartitioning::new(problem, 1000).unwrap_err(), error);
    }
    error.to_string()
}

#[test]
fn groups_larger_than_everybody() {
    let error = Groups::of_size(3, 5).unwrap_err();
    assert_eq!(error.to_string(), "groups of 5 cannot be filled by 3 players");
    let flat = flat();
    let problem = Problem::new(&flat, Groups::with_bounds([7..=8]).unwrap()).unwrap();
    assert_eq!(
        told(&problem),
        "there is no grouping: 6 players, but the groups hold from 7 to 8 together with the bench"
    );
}

#[test]
fn groups_that_cannot_be_are_an_error_of_the_problem() {
    use std::error::Error as _;
    fn cost_of_teams(players: usize, size: usize) -> Result<i128, Error> {
        let flat = flat();
        let problem = Problem::new(&flat, Groups::of_size(players, size)?)?;
        Ok(Solver::new().solve(&problem)?.cost())
    }
    assert_eq!(cost_of_teams(6, 3), Ok(6));
    let error = cost_of_teams(6, 7).unwrap_err();
    assert_eq!(error, Error::Groups(GroupsError::GroupTooLarge { size: 7, players: 6 }));
    let told = "groups of 7 cannot be filled by 6 players";
    assert_eq!(error.to_string(), format!("there are no such groups: {told}"));
    assert_eq!(error.source().map(ToString::to_string).as_deref(), Some(told));
    let bad = VerifyError::BadProblem(error.clone());
    assert_eq!(bad.source().map(ToString::to_string), Some(error.to_string()));
    assert!(Error::Empty.source().is_none() && VerifyError::BoundNotProven.source().is_none());
}

#[test]
fn roles_that_cannot_be_filled() {
    let flat = flat();
    let problem = || Problem::new(&flat, pairs_of_three()).unwrap();
    let short = problem().role("tank", 1..=1, &[4]).unwrap();
    assert_eq!(
        told(&short),
        "there is no grouping: the groups need 2 for role tank, but only player 4 can play that"
    );
    let both = problem()
        .role("tank", 1.., &[0, 1, 2])
        .unwrap()
        .role("healer", 1.., &[0, 1, 2])
        .unwrap();
    assert_eq!(
        told(&both),
        "there is no grouping: the groups need 4 for roles tank or healer, but only 3 players can play that: 0, 1, 2"
    );
    let crowded = problem().role("tank", ..=1, &[0, 1, 2]).unwrap();
    assert_eq!(
        told(&crowded),
        "there is no grouping: 3 players can play nothing but role tank, but there is room for 2: 0, 1, 2"
    );
    // Two tanks, one for each group; but one is in the party of the other.
    let party = problem().role("tank", 1..=1, &[0, 1]).unwrap().party(&[0, 1]).unwrap();
    let error = Solver::new().solve(&party).unwrap_err();
    let expected = Conflict::Players {
        players: vec![0, 1],
        is_minimal: true,
    };
    assert_eq!(error, Error::Infeasible(expected));
    assert_eq!(
        error.to_string(),
        "there is no grouping: the wishes of players 0, 1 (parties, forbidden pairs, roles, pins) cannot all be met"
    );
}

/// Who had no part in it was left out until nobody was left, and then "the wishes of players " could not all be met.
#[test]
fn roles_that_no_group_has_room_for() {
    let flat = flat();
    let with_roles = |groups: Groups| {
        let everybody = [0, 1, 2, 3, 4, 5];
        let problem = Problem::new(&flat, groups)
            .unwrap()
            .role("tank", 1.., &everybody)
            .unwrap();
        problem.role("healer", 2.., &everybody).unwrap()
    };
    let pairs_and_four = Groups::with_bounds([4..=4, 0..=2]).unwrap();
    let conflict = Conflict::RolesDoNotFit { needed: 3 };
    let error = Solver::new().solve(&with_roles(pairs_and_four)).unwrap_err();
    assert_eq!(error, Error::Infeasible(conflict));
    assert_eq!(
        error.to_string(),
        "there is no grouping: the roles take 3 members of every group, whoever plays them, and groups of these sizes cannot all \
         have as many"
    );
    // With those who wait, there is one.
    let some_wait = Groups::with_bounds([4..=4, 0..=2]).unwrap().with_bench(2);
    assert!(Solver::new().solve(&with_roles(some_wait)).unwrap().is_optimal());
}

/// Names stood in messages as they were, with all that moves a cursor.
#[test]
fn names_of_roles_break_no_line() {
    let flat = flat();
    let problem = || Problem::new(&flat, pairs_of_three()).unwrap();
    let short = problem().role("tank\r\n\u{2028}é", 1.., &[4]).unwrap();
    assert_eq!(
        told(&short),
        "there is no grouping: the groups need 2 for role tank\\r\\n\\u{2028}é, but only player 4 can play that"
    );
    let both = short.role("\u{1b}[31m", 1.., &[4]).unwrap();
    assert!(told(&both).contains("for role tank\\r\\n\\u{2028}é, but"));
    let error = problem().role("a\tb", 7..7, &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "role a\\tb: no number is at least 7 and below 7; write 1..=2 for one or two"
    );
}

/// It was said that such pairs cost something else.
#[test]
fn pairs_that_are_forbidden_one_way() {
    let one_way = flat_both_ways().restricted(|i, j| (i, j) != (4, 2));
    let problem = Problem::new(&one_way, pairs_of_three()).unwrap();
    assert_eq!(
        told(&problem),
        "players 2 and 4 cost something else than 4 and 2, or only one of the two is allowed; symmetrized() adds both directions"
    );
    let both_ways = one_way.symmetrized();
    let problem = Problem::new(&both_ways, pairs_of_three()).unwrap();
    let solution = Solver::new().solve(&problem).unwrap();
    assert!(
        solution
            .groups()
            .iter()
            .all(|group| !(group.contains(&2) && group.contains(&4)))
    );
}

#[test]
fn roles_that_make_no_sense() {
    let flat = flat();
    let problem = || Problem::new(&flat, pairs_of_three()).unwrap();
    #[allow(clippy::reversed_empty_ranges)] // That is the mistake.
    let error = problem().role("tank", 2..=1, &[0]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "role tank: no number is at least 2 and below 2; write 1..=2 for one or two"
    );
    assert_eq!(
        problem().role("tank", 1..=1, &[6]).unwrap_err(),
        Error::NoSuchPlayer { player: 6, players: 6 }
    );
    let error = problem().role("tank", 1..=1, &[5, 5]).unwrap_err();
    assert_eq!(error.to_string(), "player 5 appears twice in one party, pair or role");
    let mut many = problem();
    for _ in 0..8 {
        many = many.role("any", .., &[]).unwrap();
    }
    assert_eq!(
        many.role("ninth", .., &[]).unwrap_err().to_string(),
        "there can be 8 roles and no more"
    );
}

#[test]
fn parties_and_pins_that_contradict_each_other() {
    let flat = flat();
    let problem = || Problem::new(&flat, pairs_of_three()).unwrap();
    let large = problem().party(&[0, 1]).unwrap().party(&[1, 2, 5]).unwrap();
    assert_eq!(
        told(&large),
        "players 0, 1, 2, 5 stay together and are 4, but at most 3 can be in one group or wait"
    );
    let twice = problem().pin(2, 0).unwrap().pin(2, 0).unwrap().pin(2, 1).unwrap_err();
    assert_eq!(twice.to_string(), "player 2 is pinned to groups 0 and 1");
    let apart = problem().party(&[0, 3]).unwrap().pin(0, 1).unwrap().pin(3, 0).unwrap();
    assert_eq!(
        told(&apart),
        "players 0, 3 stay together, but are pinned to groups 1 and 0"
    );
    let crowded = problem()
        .pin(0, 1)
        .unwrap()
        .pin(2, 1)
        .unwrap()
        .pin(3, 1)
        .unwrap()
        .pin(4, 1)
        .unwrap();
    assert_eq!(
        told(&crowded),
        "players 0, 2, 3, 4 are pinned to group 1, which has at most 3 members"
    );
    let uneven = Groups::with_bounds([1..=2, 4..=5]).unwrap();
    let crowded = Problem::new(&flat, uneven)
        .unwrap()
        .pin(0, 0)
        .unwrap()
        .party(&[0, 1, 4])
        .unwrap();
    assert_eq!(
        told(&crowded),
        "players 0, 1, 4 are pinned to group 0, which has at most 2 members"
    );
    assert_eq!(
        problem().pin(0, 2).unwrap_err().to_string(),
        "group 2 does not exist: there are 2, numbered from 0"
    );
    let enemies = problem().pin(0, 1).unwrap().pin(4, 1).unwrap().apart(0, 4).unwrap();
    assert_eq!(
        told(&enemies),
        "there is no grouping: the wishes of players 0, 4 (parties, forbidden pairs, roles, pins) cannot all be met"
    );
}

/// A group with player 3 costs no number; one with player 4 must not be.
struct Odd;

impl GroupCost for Odd {
    type Value = f64;

    fn len(&self) -> usize {
        6
    }

    fn group(&self, members: &[usize]) -> f64 {
        if members.contains(&3) { f64::NAN } else { 1.0 }
    }
}

/// Forbids every group with player 4.
struct Never;

impl GroupCost for Never {
    type Value = i64;

    fn len(&self) -> usize {
        6
    }

    fn group(&self, _: &[usize]) -> i64 {
        1
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        !members.contains(&4)
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }
}

/// More than any total may be.
struct Huge;

impl GroupCost for Huge {
    type Value = i64;

    fn len(&self) -> usize {
        6
    }

    fn group(&self, members: &[usize]) -> i64 {
        if members.contains(&3) { i64::MIN } else { 1 }
    }
}

#[test]
fn costs_of_groups_that_are_no_numbers() {
    let problem = Problem::by_group(&Odd, pairs_of_three()).unwrap();
    let error = Solver::new().solve(&problem).unwrap_err();
    let Error::GroupNotANumber { members } = &error else {
        panic!("{error}");
    };
    assert!(members.contains(&3) && members.len() == 3);
    let listed: Vec<String> = members.iter().map(usize::to_string).collect();
    let text = format!(
        "the cost of players {} as a group is not a finite number",
        listed.join(", ")
    );
    assert_eq!(error.to_string(), text);

    let problem = Problem::by_group(&Huge, pairs_of_three()).unwrap();
    let error = Solver::new().solve(&problem).unwrap_err();
    let Error::CostOverflow(Overflow::Share { members, .. }) = &error else {
        panic!("{error}");
    };
    assert!(members.contains(&3) && members.len() == 3);
    let listed: Vec<String> = members.iter().map(usize::to_string).collect();
    let text = format!(
        "the group of players {} costs -9223372036854775808; no group may cost more than 549755813888, or less than \
         -549755813888, so that totals fit 40 bits",
        listed.join(", ")
    );
    assert_eq!(error.to_string(), text);

    let few = Halves::new(&[1_i64, 2, 3, 4]).unwrap();
    let flat = flat();
    let error = Problem::new(&flat, pairs_of_three())
        .unwrap()
        .group_cost(&few)
        .unwrap_err();
    assert_eq!(error.to_string(), "a cost of groups knows 4 players, but there are 6");
}

#[test]
fn groups_that_costs_forbid() {
    let problem = Problem::by_group(&Never, pairs_of_three()).unwrap();
    assert_eq!(
        told(&problem),
        "there is no grouping: each that meets all wishes has a group that the costs of whole groups forbid"
    );
    // With a limit that ends before that is proven, nothing is said.
    let solution = Solver::new().work(0).solve(&problem).unwrap();
    assert!(
        matches!(solution.status(), Status::Unknown(_)),
        "{:?}",
        solution.status()
    );
    assert_eq!((solution.groups().len(), solution.gap()), (0, f64::INFINITY));
}

/// There is no grouping whose cost could be compared with the bound: it was 0, and so was the bound, as of a proven answer.
#[test]
fn without_groups_the_gap_has_no_end() {
    /// As [`Never`], and costs nothing at least.
    struct Bounded;
    impl GroupCost for Bounded {
        type Value = i64;

        fn len(&self) -> usize {
            Never.len()
        }

        fn group(&self, members: &[usize]) -> i64 {
            Never.group(members)
        }

        fn is_group_allowed(&self, members: &[usize]) -> bool {
            Never.is_group_allowed(members)
        }

        fn has_forbidden_groups(&self) -> bool {
            Never.has_forbidden_groups()
        }

        fn group_bound(&self, _: &[usize], _: usize) -> GroupBound<i64> {
            GroupBound::AtLeast(0)
        }
    }
    let problem = Problem::by_group(&Bounded, pairs_of_three()).unwrap();
    let solution = Solver::new().work(0).solve(&problem).unwrap();
    assert!(
        matches!(solution.status(), Status::Unknown(_)),
        "{:?}",
        solution.status()
    );
    assert_eq!((solution.groups().len(), solution.cost(), solution.bound()), (0, 0, 0));
    assert_eq!((solution.gap(), solution.verify(&problem)), (f64::INFINITY, Ok(())));
}

/// No difference is at most NaN, so that all groups were forbidden.
#[test]
fn a_limit_on_differences_is_a_number() {
    let even = Halves::new(&[1.0, 2.0, 3.0, 4.0]).unwrap();
    for limit in [f64::NAN, f64::NEG_INFINITY] {
        let error = even.clone().at_most(limit).unwrap_err();
        assert_eq!(error, Error::LimitNotANumber);
        assert_eq!(
            error.to_string(),
            "the greatest difference of two halves is not a number; write one of 0 or more"
        );
    }
    let all = even.clone().at_most(f64::INFINITY).unwrap();
    assert_eq!(all.split(&[0, 3]).map(|split| split.difference()), Some(3.0));
    assert!(even.at_most(0.5).unwrap().split(&[0, 3]).is_none());
}

/// Eleven players in groups of two halves each, which are even: nothing was known of that after a minute, as every case
/// was looked at.
#[test]
fn sizes_that_costs_allow_do_not_add_up() {
    let rating: Vec<i64> = (0..31).map(|player| player * player * 7 % 50).collect();
    for players in [11, 31] {
        let even = Halves::new(&rating[..players]).unwrap();
        let groups = Groups::with_bounds([1..=5, 3..=7, 0..=19]).unwrap();
        let odd = Problem::by_group(&even, groups).unwrap();
        let solved = Solver::new().time(Duration::from_secs(20)).solve(&odd);
        assert_eq!(solved.unwrap_err(), Error::Infeasible(Conflict::ForbiddenGroups));
    }
    // One who may wait makes the number even.
    let even = Halves::new(&rating[..11]).unwrap();
    let groups = Groups::with_bounds([1..=5, 3..=7, 0..=19]).unwrap().with_bench(1);
    let solution = Solver::new().solve(&Problem::by_group(&even, groups).unwrap()).unwrap();
    assert_eq!((solution.bench().len(), solution.is_optimal()), (1, true));
}

#[test]
fn costs_in_order_that_do_not_go_together() {
    let flat = flat();
    let first = Problem::new(&flat, pairs_of_three()).unwrap();
    let other = Problem::new(&flat, pairs_of_three()).unwrap().apart(0, 1).unwrap();
    let error = Solver::new().solve_in_order(&[&first, &first, &other]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "problem 2 has other groups or wishes than problem 0; give all wishes to that one"
    );
    let floats = cost::from_symmetric_fn(6, |_, _| 0.5);
    let floats = Problem::new(&floats, pairs_of_three()).unwrap();
    let error = Solver::new().solve_in_order(&[&floats]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "costs in order must be integers, so that equal costs are equal"
    );
    assert_eq!(Solver::new().solve_in_order::<i64>(&[]).unwrap_err(), Error::Empty);
}

/// A solver with an observer could not be given to another thread.
#[test]
fn all_that_is_built_may_go_to_other_threads() {
    fn may<T: Send + Sync>() {}
    may::<Problem<'_, i64>>();
    may::<Problem<'_, f32>>();
    may::<Solver<'_>>();
    may::<Halves<f64>>();
    may::<matching_lp::Role>();
    may::<matching_lp::Solution<i64>>();
    may::<matching_lp::Levels>();
    may::<matching_lp::Certificate>();
    may::<SetPartitioning<i64>>();
    may::<Error>();
    may::<VerifyError>();
}

#[test]
fn a_cost_may_be_chosen_at_run_time() {
    let pairs: Box<dyn Cost<Value = i64>> = Box::new(flat());
    let whole: Box<dyn GroupCost<Value = i64> + Sync> = Box::new(Never);
    let borrowed = &*pairs;
    for problem in [
        Problem::new(&pairs, pairs_of_three()).unwrap(),
        Problem::new(&borrowed, pairs_of_three()).unwrap(),
    ] {
        assert_eq!(Solver::new().solve(&problem).unwrap().cost(), 6);
    }
    let problem = Problem::by_group(&whole, pairs_of_three()).unwrap();
    assert_eq!(
        Solver::new().solve(&problem).unwrap_err(),
        Error::Infeasible(Conflict::ForbiddenGroups)
    );
}

/// They are words of the same kind as those of the other crates.
#[test]
fn statuses_are_displayed() {
    let told = [
        (Status::Optimal, "optimal"),
        (Status::Feasible(StopReason::WorkLimit), "feasible: the work was spent"),
        (Status::Feasible(StopReason::Rounding), "feasible: costs were rounded"),
        (Status::Unknown(StopReason::TimeLimit), "unknown: the time was spent"),
        (Status::Unknown(StopReason::Cancelled), "unknown: it was cancelled"),
        (
            Status::Unknown(StopReason::Numerics),
            "unknown: the digits of floats were too few",
        ),
    ];
    for (status, text) in told {
        assert_eq!(status.to_string(), text);
    }
    assert_eq!(format!("{:>9}|", Status::Optimal), "  optimal|");
}

/// Whoever has this crate alone among his dependencies can write costs and groups down.
#[test]
fn one_dependency_is_enough() {
    use matching_lp::{matching_core::cost::from_symmetric_fn, matching_heuristics::Groups as Sizes};

    let gap = from_symmetric_fn(6, |i, j| i.abs_diff(j) as i64);
    let problem = Problem::new(&gap, Sizes::of_size(6, 3).unwrap()).unwrap();
    assert_eq!(Solver::new().solve(&problem).unwrap().cost(), 8);
}
