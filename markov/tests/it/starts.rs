//! What follows from a start, within a budget: distributions after steps, in which class a chain is caught, long runs.

use markov::{Budget, Csr, Ctmc, Dtmc, Error, Method, Rational, Scalar, Stationary, StopReason};

use crate::budgets::{cancelled, stopped};

/// A walk between two ends that are never left.
fn walk(states: usize) -> Ctmc<Rational> {
    let row = |state: usize| {
        let is_end = state == 0 || state + 1 == states;
        let moves = [
            (state.wrapping_sub(1), Rational::ratio(1, 3)),
            (state + 1, Rational::ratio(2, 7)),
        ];
        moves.into_iter().filter(move |_| !is_end)
    };
    Ctmc::new(&Csr::from_rows(states, (0..states).map(row))).expect("a chain")
}

/// Two states, each of which stays with probability 1/2 or 2/3.
fn pair() -> Dtmc<Rational> {
    let part = Rational::ratio;
    let rows = [[(0, part(1, 2)), (1, part(1, 2))], [(0, part(1, 3)), (1, part(2, 3))]];
    Dtmc::new(&Csr::from_rows(2, rows)).expect("a chain")
}

fn at<T: Scalar>(state: usize, states: usize) -> Vec<T> {
    let weight = |other| if other == state { T::one() } else { T::zero() };
    (0..states).map(weight).collect()
}

#[test]
fn what_was_cancelled_has_no_answer_and_bad_input_is_still_refused() {
    let (walk, pair) = (walk(9), pair());
    let start = at(4, 9);
    for found in [
        walk.absorption_within(&start, &cancelled()),
        walk.long_run_within(&start, &cancelled()),
    ] {
        let stopped = stopped(found);
        assert_eq!((stopped.reason, stopped.best.len()), (StopReason::Cancelled, 0));
    }
    let found = stopped(pair.after_within(&at(0, 2), 5, &cancelled()));
    assert_eq!((found.iterations, found.best), (0, vec![1.0, 0.0]));
    for found in [
        walk.absorption_within(&start[1..], &cancelled()),
        walk.long_run_within(&start[1..], &cancelled()),
        pair.after_within(&start, 3, &cancelled()),
        pair.absorption_within(&start, &cancelled()),
        pair.long_run_within(&start, &cancelled()),
    ] {
        assert!(matches!(found, Err(Error::LengthMismatch { .. })), "{found:?}");
    }
}

#[test]
fn steps_that_were_completed_are_kept() {
    let (pair, start) = (pair(), at::<Rational>(0, 2));
    let costs = [Rational::ratio(1, 1), Rational::ratio(-2, 1)];
    let mut last = 0;
    for limit in [0, 1, 5, 6, 11, 12, 59, 60, 61, 600] {
        let budget = || Budget::new().work(limit);
        // A step is a unit for each state and each move between them: four, and two from the start.
        let done = match pair.after_within(&start, 15, &budget()) {
            Ok(after) => {
                assert_eq!(Ok(after), pair.after(&start, 15));
                15
            }
            found => {
                let found = stopped(found);
                assert_eq!(found.reason, StopReason::WorkLimit);
                let then = pair.after(&start, found.iterations).expect("few steps");
                let then: Vec<f64> = then.iter().map(Scalar::to_float).collect();
                assert_eq!(found.best, then, "{limit}");
                found.iterations
            }
        };
        assert!(done >= last && done <= limit as usize, "{limit}: {done}");
        last = done;
        match pair.accumulated_within(&start, &costs, 15, &budget()) {
            Ok(total) => assert_eq!(Ok(total), pair.accumulated(&start, &costs, 15)),
            found => assert_eq!(stopped(found).iterations, done.min(14)),
        }
    }
    assert_eq!(last, 15);
}

#[test]
fn a_limit_on_work_ends_an_absorption_or_leaves_it_alone() {
    let (chain, start) = (walk(40), at(7, 40));
    let (caught, in_the_end) = (chain.absorption(&start), chain.long_run(&start));
    let mut ends = [0, 0];
    for limit in [0, 1, 3, 10, 30, 100, 300, 1_000, 10_000, 100_000] {
        let budget = Budget::new().work(limit);
        let found = [
            (chain.absorption_within(&start, &budget), &caught),
            (chain.long_run_within(&start, &budget), &in_the_end),
        ];
        for (found, whole) in found {
            if found.is_ok() {
                assert_eq!(&found, whole);
                ends[1] += 1;
            } else {
                let found = stopped(found);
                assert_eq!((found.reason, found.best.len()), (StopReason::WorkLimit, 0));
                assert!(found.work > limit);
                ends[0] += 1;
            }
        }
    }
    assert!(ends[0] >= 4 && ends[1] >= 4, "{ends:?}");
}

/// Each closed class is solved as a chain of its own. What its solver said of it was handed on as it came: the weights of one
/// class, of which nobody could tell which one it was, and the number that a state has in its class.
#[test]
fn what_is_wrong_with_a_class_was_told_in_its_own_numbers() {
    let ring = [vec![(2, 1.0), (3, 1.0)], vec![(3, 2.0)], vec![(1, 3.0)]];
    let rows = || [vec![]].into_iter().chain(ring.clone());
    let start = [0.5, 0.5, 0.0, 0.0];
    let chain = Ctmc::new(&Csr::from_rows(4, rows())).expect("a chain");
    let few = Stationary::new().method(Method::Power).iterations(3);
    match few.long_run(&chain, &start) {
        Err(Error::NotConverged {
            iterations: 3, best, ..
        }) => assert!(best.is_empty(), "{best:?}"),
        other => panic!("{other:?}"),
    }
    // The second state of the class, and the third of the chain.
    let rows = rows().enumerate().map(|(state, row)| match state {
        2 => vec![(1, f64::MAX), (3, f64::MAX)],
        _ => row,
    });
    let chain = Ctmc::new(&Csr::from_rows(4, rows)).expect("a chain");
    let beyond = Error::NotANumber { from: 2, to: 2 };
    assert_eq!(chain.long_run(&start), Err(beyond.clone()));
    assert_eq!(Stationary::new().long_run(&chain, &start), Err(beyond));
}
