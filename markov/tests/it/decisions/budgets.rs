//! Policies and values of solves that were stopped anywhere.

use markov::mdp::{
    Action, AverageSolution, CtMdp, Mdp, PolicyIteration, RateAction, RelativeValueIteration, ValueIteration,
};
use markov::{Budget, Csr, Error, Progress, Rational, Scalar, Stage, StopReason};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::brute::{self, Shape};
use super::discounted::least;
use crate::budgets::{cancelled, cancelled_within, stopped};

/// A process of two actions a state, which lead anywhere.
fn random(states: usize, moves: usize) -> Mdp {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let rows: Vec<_> = (0..2 * states)
        .map(|_| {
            (0..moves)
                .map(|_| (rng.random_range(0..states), 1.0 / moves as f64))
                .collect::<Vec<_>>()
        })
        .collect();
    let costs = (0..2 * states).map(|_| rng.random_range(-1.0..1.0)).collect();
    let starts = (0..=states).map(|state| 2 * state).collect();
    Mdp::from_parts(starts, Csr::from_rows(states, rows), costs).expect("a process")
}

/// Values that move along a line, so that sweeps do not come to an end soon.
fn line(states: usize) -> Mdp {
    let action = |to: usize, cost| Action {
        cost,
        moves: vec![(to, 0.5), ((to + 1) % states, 0.5)],
    };
    let actions = |state| {
        vec![
            action(state, (state % 17) as f64),
            action((state + states - 1) % states, 3.0),
        ]
    };
    Mdp::new((0..states).map(actions)).expect("a process")
}

#[test]
fn nothing_begins_that_was_cancelled() {
    let exact = brute::random(301, Shape::Unichain);
    let floats = brute::to_floats(&exact);
    let solver = PolicyIteration::new().budget(cancelled());
    let half = Rational::ratio(1, 2);
    let first = |found: markov::Stopped| {
        assert_eq!(
            (found.reason, found.work, found.iterations),
            (StopReason::Cancelled, 0, 0)
        );
        found.policy
    };
    for policy in [
        first(stopped(solver.average(&exact))),
        first(stopped(solver.average(&floats))),
        first(stopped(solver.discounted(&exact, &half))),
        first(stopped(solver.discounted(&floats, &0.5))),
        first(stopped(solver.multichain(&exact))),
        first(stopped(solver.multichain(&floats))),
    ] {
        assert_eq!(policy.len(), exact.len(), "the one to begin with");
    }
    let sweeps = RelativeValueIteration::new().budget(cancelled());
    assert!(first(stopped(sweeps.solve(&floats))).is_empty());
    let sweeps = ValueIteration::new().budget(cancelled());
    assert!(first(stopped(sweeps.solve(&floats, 0.5))).is_empty());
}

#[cfg(feature = "lp")]
#[test]
fn programs_end_as_far_as_they_can() {
    use markov::mdp::program::Program;
    use std::time::Duration;
    let floats = brute::to_floats(&brute::random(301, Shape::Unichain));
    let programs = [
        Program::average(&floats),
        Program::multichain(&floats),
        Program::discounted(&floats, 0.5),
    ];
    for program in programs {
        let ended = program.clone().budget(cancelled());
        assert_eq!(stopped(ended.solve()).reason, StopReason::Cancelled);
        assert_eq!(stopped(ended.bound()).reason, StopReason::Cancelled);
        let late = program.clone().budget(Budget::new().time(Duration::ZERO));
        assert_eq!(stopped(late.solve()).reason, StopReason::TimeLimit);
        // The elimination that checks the policy.
        let little = program.clone().budget(Budget::new().work(0));
        assert_eq!(stopped(little.solve()).reason, StopReason::WorkLimit);
        let enough = program
            .clone()
            .budget(Budget::new().work(1 << 40).time(Duration::from_secs(1000)));
        assert_eq!(enough.solve(), program.solve());
    }
}

#[test]
fn what_is_known_of_a_policy_holds() {
    let mut counts = [0; 3];
    for (seed, limit) in (400..460).flat_map(|seed| [5, 20, 40, 80, 160, 320, 640].map(|limit| (seed, limit))) {
        let process = brute::random(seed, Shape::Unichain);
        let floats = brute::to_floats(&process);
        let best = PolicyIteration::new().average(&process).expect("one gain");
        let gain = best.gain().to_float();
        let solver = PolicyIteration::new().budget(Budget::new().work(limit));
        let found = [
            solver.average(&floats).map(|found| *found.gain()),
            solver.average(&process).map(|found| found.gain().to_float()),
        ];
        for (found, is_exact) in found.into_iter().zip([false, true]) {
            let stopped = match found {
                Ok(found) => {
                    assert!((found - gain).abs() < 1e-9);
                    continue;
                }
                Err(error) => stopped::<()>(Err(error)),
            };
            assert!(stopped.reason == StopReason::WorkLimit && stopped.work > limit);
            assert_eq!(stopped.policy.len(), process.len());
            if let Some((lower, upper)) = stopped.bounds {
                let slack = if is_exact { 0.0 } else { 1e-12 };
                assert!(lower <= gain + slack && gain <= upper + slack, "{lower} {gain} {upper}");
                assert_eq!(stopped.best.len(), process.len());
                counts[usize::from(is_exact)] += 1;
                // It is what it is said to be, and a start for another solve.
                let again = PolicyIteration::new()
                    .start(stopped.policy)
                    .average(&process)
                    .expect("one gain");
                assert_eq!(again.gain(), best.gain());
                counts[2] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
fn the_radius_of_values_holds_wherever_a_solve_ends() {
    let discount = Rational::ratio(9, 10);
    let mut counts = [0; 3];
    for (seed, limit) in (500..560).flat_map(|seed| [10, 30, 60, 100, 150, 250, 400].map(|limit| (seed, limit))) {
        let process = brute::random(seed, Shape::Any);
        let floats = brute::to_floats(&process);
        let expected: Vec<f64> = least(&process, &discount).iter().map(Scalar::to_float).collect();
        let budget = Budget::new().work(limit);
        let policies = PolicyIteration::new().budget(budget.clone());
        let sweeps = ValueIteration::new().tolerance(1e-12).budget(budget);
        let found = [
            policies.discounted(&floats, &0.9).err(),
            policies.discounted(&process, &discount).err(),
            sweeps.solve(&floats, 0.9).err(),
        ];
        for (at, error) in found.into_iter().enumerate() {
            let Some(error) = error else { continue };
            let stopped = stopped::<()>(Err(error));
            let Some(radius) = stopped.radius else { continue };
            counts[at] += 1;
            for (value, expected) in stopped.best.iter().zip(&expected) {
                assert!(
                    (value - expected).abs() <= radius + 1e-14 * expected.abs(),
                    "seed {seed}, limit {limit}"
                );
            }
            assert!(stopped.best.len() == process.len() && stopped.policy.len() == process.len());
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
fn bounds_hold_after_each_sweep() {
    let mut count = 0;
    for (seed, limit) in (600..660).flat_map(|seed| [10, 30, 60, 100, 150, 250, 400].map(|limit| (seed, limit))) {
        let process = brute::random(seed, Shape::Unichain);
        let gain = PolicyIteration::new()
            .average(&process)
            .expect("one gain")
            .gain()
            .to_float();
        let solver = RelativeValueIteration::new()
            .tolerance(1e-13)
            .budget(Budget::new().work(limit));
        let Err(Error::Stopped(stopped)) = solver.solve(&brute::to_floats(&process)) else {
            continue;
        };
        let Some((lower, upper)) = stopped.bounds else {
            assert_eq!(stopped.iterations, 0);
            continue;
        };
        count += 1;
        assert!(lower <= gain && gain <= upper, "seed {seed}, limit {limit}");
        // The policy costs no more than the upper bound.
        let most = brute::gains(&process, &stopped.policy)
            .into_iter()
            .max()
            .expect("a class");
        assert!(most.to_float() <= upper, "seed {seed}, limit {limit}");
    }
    assert!(count > 100, "{count}");
}

#[test]
fn limits_on_work_mean_the_same_on_any_number_of_threads() {
    let process = random(7_000, 3);
    let sweep = 6 * 7_000 + 2 * 7_000;
    for limit in [sweep - 1, 3 * sweep, 10 * sweep + 5] {
        let budget = || Budget::new().work(limit);
        let discounted = |threads| {
            let solver = ValueIteration::new().tolerance(1e-13).threads(threads);
            stopped(solver.budget(budget()).solve(&process, 0.999))
        };
        let average = |threads| {
            let solver = RelativeValueIteration::new().tolerance(1e-14).threads(threads);
            stopped(solver.budget(budget()).solve(&process))
        };
        for threads in 1..=3 {
            assert_eq!(discounted(threads), discounted(1));
            assert_eq!(average(threads), average(1));
        }
    }
}

#[test]
fn another_thread_ends_policies_and_sweeps() {
    let filled = random(3_000, 12);
    let stopped = cancelled_within(Stage::Elimination, |budget, observer| {
        PolicyIteration::new()
            .budget(budget)
            .observer(observer)
            .average(&filled)
    });
    assert_eq!(stopped.policy.len(), 3_000);
    let stopped = cancelled_within(Stage::Elimination, |budget, observer| {
        PolicyIteration::new()
            .budget(budget)
            .observer(observer)
            .discounted(&filled, &0.9)
    });
    assert_eq!(stopped.policy.len(), 3_000);
    let slow = line(100_000);
    for threads in [1, 2] {
        let stopped = cancelled_within(Stage::Sweeps, |budget, observer| {
            let solver = RelativeValueIteration::new().tolerance(1e-12).threads(threads);
            solver.budget(budget).observer(observer).solve(&slow)
        });
        assert!(stopped.bounds.is_some_and(|(lower, upper)| lower <= upper) && stopped.iterations > 0);
        let stopped = cancelled_within(Stage::Sweeps, |budget, observer| {
            let solver = ValueIteration::new().tolerance(1e-12).threads(threads);
            solver.budget(budget).observer(observer).solve(&slow, 1.0 - 1e-9)
        });
        assert!(stopped.radius.is_some() && stopped.best.len() == 100_000);
    }
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let enough = || Budget::new().work(1 << 50);
    let heard = |_: &Progress| {};
    let process = random(400, 3);
    let (free, limited) = (
        PolicyIteration::new(),
        PolicyIteration::new().budget(enough()).observer(&heard),
    );
    assert_eq!(free.average(&process), limited.average(&process));
    assert_eq!(free.discounted(&process, &0.9), limited.discounted(&process, &0.9));
    assert_eq!(free.multichain(&process), limited.multichain(&process));
    let exact = brute::random(700, Shape::Unichain);
    let discount = Rational::ratio(2, 3);
    assert_eq!(free.average(&exact), limited.average(&exact));
    assert_eq!(
        free.discounted(&exact, &discount),
        limited.discounted(&exact, &discount)
    );
    assert_eq!(free.multichain(&exact), limited.multichain(&exact));
    let limited = RelativeValueIteration::new().budget(enough()).observer(&heard);
    assert_eq!(RelativeValueIteration::new().solve(&process), limited.solve(&process));
    let limited = ValueIteration::new().budget(enough()).observer(&heard);
    assert_eq!(
        ValueIteration::new().solve(&process, 0.95),
        limited.solve(&process, 0.95)
    );
}

/// What a limit left over of a process in continuous time was counted in steps, not in time.
#[test]
fn iterates_of_continuous_time_are_totals_over_time() {
    let r = |number| Rational::ratio(number, 1);
    let fast = |to: usize, rate: i64, cost: i64| RateAction {
        cost: r(cost),
        rates: vec![(to, r(rate))],
    };
    let machine = CtMdp::new([vec![fast(1, 8, 0)], vec![fast(0, 64, 1), fast(0, 32, 9)]]).expect("a process");
    let (whole, once) = (
        PolicyIteration::new(),
        PolicyIteration::new().iterations(1).start(vec![0, 1]),
    );
    let Err(Error::NotConverged { best, .. }) = machine.average(&once) else {
        panic!("one policy is not enough");
    };
    let dear = machine.uniformized().expect("a process");
    let bias = whole.clone().start(vec![0, 1]).iterations(1).average(&dear);
    let Err(Error::NotConverged { best: steps, .. }) = bias else {
        panic!("one policy is not enough");
    };
    let expected: Vec<f64> = steps.iter().map(|value| value / 64.0).collect();
    assert_eq!(best, expected);
    assert!(best.iter().any(|value| *value != 0.0));
    // The same where a budget ends it, for values with their radius.
    let least: AverageSolution<Rational> = machine.average(&whole).expect("one gain");
    assert_eq!(least.policy(), [0, 0]);
    let values = machine.discounted(&whole, &r(1)).expect("values");
    let mut count = 0;
    for limit in 10..200 {
        let solver = PolicyIteration::new()
            .start(vec![0, 1])
            .budget(Budget::new().work(limit));
        let Err(Error::Stopped(stopped)) = machine.discounted(&solver, &r(1)) else {
            continue;
        };
        let Some(radius) = stopped.radius else { continue };
        count += 1;
        for (value, expected) in stopped.best.iter().zip(values.values()) {
            assert!((value - expected.to_float()).abs() <= radius, "{limit}");
        }
    }
    assert!(count > 3, "{count}");
}

/// Values of fractions, and values in time, were told as infinite where they are beyond all floats; others were left out.
#[test]
fn iterates_beyond_all_floats_are_left_out() {
    let cost = Rational::from_float(1e300).expect("a number");
    let to = |to| {
        vec![Action {
            cost: cost.clone(),
            moves: vec![(to, Rational::ratio(1, 1))],
        }]
    };
    let turns = Mdp::new([to(1), to(0)]).expect("a process");
    let discount = Rational::ratio(999_999_999, 1_000_000_000);
    let slow = |to| {
        let action = |cost| RateAction {
            cost,
            rates: vec![(to, 1e-10)],
        };
        vec![action(1e300), action(2e300)]
    };
    let slowly = CtMdp::new([slow(1), slow(0)]).expect("a process");
    let mut ends = [0; 2];
    for limit in 1..200 {
        let solver = PolicyIteration::new().budget(Budget::new().work(limit));
        let found = [
            solver.discounted(&turns, &discount).err(),
            slowly.discounted(&solver.start(vec![1, 1]), &1e-10).err(),
        ];
        for (error, ends) in found.into_iter().zip(&mut ends) {
            if let Some(Error::Stopped(stopped)) = error {
                assert!(stopped.best.iter().all(|value| value.is_finite()), "{stopped:?}");
                assert!(stopped.best.len() == 2 || stopped.radius.is_none());
                *ends += usize::from(stopped.iterations > 0);
            }
        }
    }
    assert!(ends[0] > 0 && ends[1] > 0, "{ends:?}");
}
