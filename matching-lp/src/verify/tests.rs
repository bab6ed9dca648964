//! Certificates with something changed: they must be refused, or prove no more than is true.

use std::rc::Rc;
use std::sync::Arc;

use matching_core::cost::{self, CondensedMatrix};
use matching_core::verify::Number;

use super::{VerifyError, trivial_bound, walk};
use crate::certificate::{Certificate, Step};
use crate::cut::Cut;
use crate::duals::Duals;
use crate::grid::Grid;
use crate::model::{Model, SCALE};
use crate::random::draw;
use crate::{Groups, Problem, Solution, Solver, Status, StopReason};

/// Costs of 42 players that need a tree of cases.
fn costs() -> CondensedMatrix<i64> {
    let mut state = 13_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64 % 1000
    };
    CondensedMatrix::new(42, (0..42 * 41 / 2).map(|_| next()).collect()).expect("as many as there are pairs")
}

fn solved(problem: &Problem<'_, i64>) -> Solution<i64> {
    let solution = Solver::new().solve(problem).expect("a grouping");
    solution.verify(problem).expect("sound");
    assert!(
        solution.certificate().splits() > 0,
        "another seed, please: no tree of cases"
    );
    solution
}

#[test]
fn changed_certificates_are_refused() {
    let costs = costs();
    let problem = Problem::new(&costs, Groups::of_size(42, 3).expect("fourteen groups")).expect("well formed");
    let solution = solved(&problem);
    let refused = |change: &dyn Fn(&mut Solution<i64>), what: &str| {
        let mut changed = solution.clone();
        change(&mut changed);
        assert!(changed.verify(&problem).is_err(), "{what}");
    };
    refused(&|changed| changed.certificate.steps.clear(), "no steps");
    refused(
        &|changed| changed.certificate.steps.truncate(1),
        "duals of the whole problem alone",
    );
    refused(&|changed| changed.certificate.steps.push(Step::End), "a step too many");
    refused(&|changed| changed.bound += 1, "a higher bound");
    refused(&|changed| changed.cost -= 1, "a lower cost");
    refused(&|changed| changed.groups[0][0] = changed.groups[1][0], "somebody twice");
    refused(&|changed| changed.groups.swap_remove(0).clear(), "a group less");
    let moved = |changed: &mut Solution<i64>| {
        let player = changed.groups[0].pop().expect("three members");
        changed.groups[1].push(player);
    };
    refused(&moved, "wrong sizes");

    // Where every player pays more, some team pays too much: in the first step, which speaks of all teams, and in the
    // first of the list. Later cases may be closed already, by the best grouping that was found in the end.
    assert_eq!(solution.certificate.steps[1], Step::List);
    for step in 0..solution.certificate.steps.len() {
        let changed_duals = |change: &dyn Fn(&mut Duals)| {
            let mut changed = solution.clone();
            let Step::Tighten(duals) = &mut changed.certificate.steps[step] else {
                return None;
            };
            change(duals);
            changed.verify(&problem).err()
        };
        if step == 0 || step == 2 {
            let error = changed_duals(&|duals| duals.rows[..42].iter_mut().for_each(|dual| *dual += 50 * SCALE));
            assert!(
                matches!(error, Some(VerifyError::PaysTooMuch { .. })),
                "step {step}: {error:?}"
            );
        }
        if matches!(solution.certificate.steps[step], Step::Tighten(_)) {
            let unsorted = Cut {
                units: vec![(2, 1), (1, 1), (3, 1)],
                divisor: 2,
            };
            let malformed = Some(VerifyError::Malformed { step });
            assert_eq!(changed_duals(&|duals| duals.rows.truncate(1)), malformed);
            assert_eq!(
                changed_duals(&|duals| duals.cuts.push((Arc::new(Cut::of_three([0, 1, 2])), SCALE))),
                malformed,
                "a cut that pays"
            );
            assert_eq!(
                changed_duals(&|duals| duals.cuts.push((Arc::new(unsorted.clone()), -1))),
                malformed,
                "units in no order"
            );
            let without = |change: &dyn Fn(&mut Cut)| {
                let mut cut = Cut::of_three([0, 1, 2]);
                change(&mut cut);
                changed_duals(&|duals| duals.cuts.push((Arc::new(cut.clone()), -1)))
            };
            assert_eq!(without(&|cut| cut.divisor = 0), malformed, "divided by nothing");
            assert_eq!(without(&|cut| cut.units[2].0 = 42), malformed, "nobody's unit");
            assert_eq!(without(&|cut| cut.units[1].0 = 0), malformed, "a unit twice");
        }
    }
}

#[test]
fn unfinished_certificates_prove_what_they_say() {
    let costs = costs();
    let problem = Problem::new(&costs, Groups::of_size(42, 3).expect("fourteen groups")).expect("well formed");
    let best = solved(&problem).cost();
    let mut bounds = Vec::new();
    for work in (18..30).map(|bits| 1_u64 << bits) {
        let solution = Solver::new().work(work).solve(&problem).expect("a grouping");
        solution.verify(&problem).expect("sound");
        assert!(solution.bound() <= best && best <= solution.cost());
        assert_eq!(solution.is_optimal(), matches!(solution.status(), Status::Optimal));
        bounds.push(solution.bound());
    }
    assert!(bounds.is_sorted(), "{bounds:?}");
    assert!(bounds.last() == Some(&best), "{bounds:?}");
}

#[test]
fn a_tree_without_lists_says_one_thing_of_each_case() {
    let costs = costs();
    let problem = Problem::new(&costs, Groups::of_size(42, 3).expect("fourteen groups")).expect("well formed");
    let solution = Solver::new().pool(8).work(1 << 27).solve(&problem).expect("a grouping");
    solution.verify(&problem).expect("sound");
    let steps = &solution.certificate.steps;
    assert!(solution.certificate.splits() > 3, "another limit, please: {steps:?}");
    assert!(!steps.contains(&Step::List), "another pool, please");
    // What is proven of the whole is what its open cases have in common: duals of the cases around them add nothing.
    let duals = steps.iter().filter(|step| matches!(step, Step::Tighten(_))).count();
    assert_eq!(duals, solution.certificate.splits() + 1);

    // Each of them is needed, and so is each cut in them.
    let refused = |at: usize, change: &dyn Fn(&mut Vec<Step>), what: &str| {
        let mut changed = solution.clone();
        change(&mut changed.certificate.steps);
        assert!(changed.verify(&problem).is_err(), "step {at}: {what}");
    };
    for at in 0..steps.len() {
        let Step::Tighten(duals) = &steps[at] else {
            continue;
        };
        refused(at, &|steps| steps.truncate(at), "nothing more is said");
        refused(at, &|steps| drop(steps.remove(at)), "no duals");
        for cut in 0..duals.cuts.len().min(4) {
            let with = |change: &dyn Fn(&mut Duals)| {
                let mut duals = duals.clone();
                change(&mut duals);
                move |steps: &mut Vec<Step>| steps[at] = Step::Tighten(duals.clone())
            };
            let dearer = with(&|duals| duals.cuts[cut].1 -= 1 << 40);
            refused(at, &dearer, "a cut that takes more of the bound");
            let of_more = with(&|duals| Arc::make_mut(&mut duals.cuts[cut].0).units.insert(0, (0, 0)));
            let is_first = duals.cuts[cut].0.units[0].0 == 0;
            if is_first {
                refused(at, &of_more, "a unit twice");
            }
        }
    }
}

#[test]
fn a_pairing_of_other_costs_is_refused() {
    let near = cost::from_symmetric_fn(8, |i, j| (i as i64 - j as i64).abs());
    let problem = Problem::new(&near, Groups::of_size(8, 2).expect("four groups")).expect("well formed");
    let pairs = Solver::new().solve(&problem).expect("pairs");
    pairs.verify(&problem).expect("sound");
    assert_eq!(pairs.cost(), 4);
    let far = cost::from_symmetric_fn(8, |i, j| if i / 2 == j / 2 { 1 } else { 0_i64 });
    let other = Problem::new(&far, Groups::of_size(8, 2).expect("four groups")).expect("well formed");
    assert_eq!(pairs.verify(&other), Err(VerifyError::Malformed { step: 0 }));
}

/// Two groups of three among eight players, of whom two wait.
fn eight(costs: &CondensedMatrix<i64>) -> Problem<'_, i64> {
    let groups = Groups::of_size(6, 3).expect("two groups").with_bench(2);
    Problem::new(costs, groups).expect("well formed")
}

#[test]
fn places_are_counted_on_the_bench_too() {
    let costs = CondensedMatrix::new(8, (0..28).collect()).expect("as many as there are pairs");
    let problem = eight(&costs);
    let mut answer = Solver::new().solve(&problem).expect("a grouping");
    answer.verify(&problem).expect("sound");
    // Those who wait are not together, whoever must be apart.
    let (one, other) = (answer.bench[0], answer.bench[1]);
    let apart = eight(&costs).apart(one, other).expect("well formed");
    assert_eq!(answer.check_groups(&apart), Ok(()));
    // Nobody is missing, and groups or the bench have the wrong size.
    let sizes = |groups: [&[usize]; 2], bench: &[usize]| {
        let mut changed = answer.clone();
        changed.groups = groups.map(<[usize]>::to_vec).to_vec();
        changed.bench = bench.to_vec();
        changed.verify(&problem)
    };
    let (group, members) = (0, 4);
    assert_eq!(
        sizes([&[0, 1, 2, 3], &[4, 5]], &[6, 7]),
        Err(VerifyError::WrongSize { group, members })
    );
    let full = Err(VerifyError::BenchTooFull { waiting: 3 });
    let groups = Groups::with_bounds([2..=3, 2..=3]).expect("in order").with_bench(2);
    let uneven = Problem::new(&costs, groups).expect("well formed");
    let mut three = answer.clone();
    (three.groups, three.bench) = (vec![vec![0, 1, 2], vec![3, 4]], vec![5, 6, 7]);
    assert_eq!(three.verify(&uneven), full);
    // With a place left on the bench, nobody is missing where somebody has two.
    let groups = Groups::of_size(6, 3).expect("two groups").with_bench(3);
    let roomy = Problem::new(&costs, groups).expect("well formed");
    let player = answer.groups[0][0];
    answer.bench.push(player);
    assert_eq!(answer.verify(&roomy), Err(VerifyError::NotAPartition { player }));
}

#[test]
fn what_is_proven_without_steps_is_all_that_is_below_zero() {
    for seed in 0..50 {
        let mut state = seed;
        let mut number = |end: usize| draw(&mut state, 2 * end + 1) as i64 - end as i64;
        let pairs: Vec<i64> = (0..28).map(|_| number(20)).collect();
        let waiting: Vec<i64> = (0..8).map(|_| number(9)).collect();
        let below_zero: i64 = pairs.iter().chain(&waiting).filter(|&&cost| cost < 0).sum();
        let costs = CondensedMatrix::new(8, pairs).expect("as many as there are pairs");
        let mut problem = eight(&costs);
        for (player, &cost) in waiting.iter().enumerate() {
            problem = problem.waiting_cost(player, cost).expect("a player");
        }
        let grid = Grid::new(&problem).expect("integers");
        let model = Model::new(&problem, &grid).expect("well formed");
        assert_eq!(trivial_bound(&model), below_zero);
        let mut answer = Solver::new().solve(&problem).expect("a grouping");
        answer.verify(&problem).expect("sound");
        answer.certificate = Certificate::default();
        answer.status = Status::Feasible(StopReason::WorkLimit);
        for (bound, verdict) in [
            (below_zero - 1, Ok(())),
            (below_zero, Ok(())),
            (below_zero + 1, Err(VerifyError::BoundNotProven)),
        ] {
            answer.bound = i128::from(bound);
            assert_eq!(answer.verify(&problem), verdict, "seed {seed}");
        }
    }
}

#[test]
fn steps_that_do_not_fit_are_named_by_their_position() {
    let costs = CondensedMatrix::new(8, (0..28).collect()).expect("as many as there are pairs");
    let problem = eight(&costs);
    let model = Rc::new(Model::new(&problem, &Grid::new(&problem).expect("integers")).expect("well formed"));
    let nothing = || {
        Step::Tighten(Duals {
            rows: vec![0; model.rows()],
            cuts: Vec::new(),
        })
    };
    for before in 0..3 {
        for wrong in [
            Step::Split(1, 1),
            Step::Split(2, 1),
            Step::Split(0, 8),
            Step::Split(9, 8),
            Step::Waits(0),
        ] {
            let mut steps: Vec<Step> = (0..before).map(|_| nothing()).collect();
            steps.push(wrong.clone());
            let refusal = Err(VerifyError::Malformed { step: before });
            assert_eq!(walk::proven(&model, &steps, Some(100)), refusal, "{wrong:?}");
        }
    }
    // A list needs duals right before it, and a better answer to look for.
    for (steps, upper) in [
        (vec![Step::List], Some(100)),
        (vec![nothing(), Step::Split(0, 1), Step::List], Some(100)),
        (vec![nothing(), Step::List], None),
    ] {
        let step = steps.len() - 1;
        assert_eq!(
            walk::proven(&model, &steps, upper),
            Err(VerifyError::Malformed { step })
        );
    }
    let twice = [nothing(), Step::List, nothing(), Step::List];
    assert_eq!(
        walk::proven(&model, &twice, Some(100)),
        Err(VerifyError::Malformed { step: 3 })
    );
}

/// What a column of a better grouping can cost beyond its duals was cut off at a number of 62 bits, and then had the answer's own
/// cost taken off where that is below zero: so by duals that are low enough all teams of a player were left out, and none was left
/// to pay too much by the next ones.
#[test]
fn no_duals_are_too_low_to_count() {
    let pairs = cost::from_symmetric_fn(4, |i, j| if i / 2 == j / 2 { -10_i64 } else { -1 });
    let problem = Problem::new(&pairs, Groups::of_size(4, 2).expect("two groups")).expect("well formed");
    let mut solution = Solver::new().solve(&problem).expect("a grouping");
    assert_eq!(solution.cost, -20);
    solution.groups = vec![vec![0, 2], vec![1, 3]];
    (solution.cost, solution.bound) = (-2, -2);
    let duals = |first: i64| {
        let mut rows = vec![-10 * SCALE; 4];
        rows[0] = first;
        rows.extend([0, 0]);
        Step::Tighten(Duals { rows, cuts: Vec::new() })
    };
    for low in [-1000 * SCALE, i64::MIN / 4, i64::MIN / 2, i64::MIN] {
        let steps = vec![
            duals(-10 * SCALE),
            Step::List,
            duals(low),
            duals(1000 * SCALE),
            Step::End,
        ];
        solution.certificate = Certificate {
            steps,
            ..Certificate::default()
        };
        let verified = solution.verify(&problem);
        assert!(
            matches!(verified, Err(VerifyError::PaysTooMuch { step: 3, .. })),
            "{low}: {verified:?}"
        );
    }
}

#[test]
fn an_unknown_answer_has_nothing_but_a_bound() {
    let costs = CondensedMatrix::new(8, (0..28).collect()).expect("as many as there are pairs");
    let problem = eight(&costs);
    let solved = Solver::new().solve(&problem).expect("a grouping");
    let unknown = Solution {
        groups: Vec::new(),
        bench: Vec::new(),
        cost: 0,
        bound: 0,
        status: Status::Unknown(StopReason::WorkLimit),
        certificate: Certificate::default(),
        ..solved.clone()
    };
    let but = |change: &dyn Fn(&mut Solution<i64>)| {
        let mut changed = unknown.clone();
        change(&mut changed);
        changed.verify(&problem)
    };
    assert_eq!(but(&|_| ()), Ok(()));
    assert_eq!(but(&|changed| changed.bound = 1), Err(VerifyError::BoundNotProven));
    let (found, waiting) = (2, 2);
    let groups = VerifyError::WrongNumberOfGroups { found, wanted: 0 };
    assert_eq!(but(&|changed| changed.groups = solved.groups.clone()), Err(groups));
    let bench = VerifyError::BenchTooFull { waiting };
    assert_eq!(but(&|changed| changed.bench = solved.bench.clone()), Err(bench));
    for cost in [-1, 1] {
        let (claimed, counted) = (Number::Integer(cost), Some(Number::Integer(0)));
        let wrong = VerifyError::WrongCost { claimed, counted };
        assert_eq!(but(&|changed| changed.cost = cost), Err(wrong));
    }
    // Whoever has groups must say what they cost, proof or no proof.
    let mut unproven = solved.clone();
    unproven.certificate = Certificate::default();
    unproven.status = Status::Feasible(StopReason::WorkLimit);
    unproven.bound = 0;
    assert_eq!(unproven.verify(&problem), Ok(()));
    unproven.cost += 1;
    assert!(matches!(unproven.verify(&problem), Err(VerifyError::WrongCost { .. })));
}
