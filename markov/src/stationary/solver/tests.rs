//! Which method is tried when, what limits leave of it, and what is said in the end.

use matching_core::{Budget, CancelToken};

use super::{
    CHEAP, EASY, IMPATIENCE, Method, NARROW, SMALL, Stationary, WORTH_IT, front, is_nearly_reducible, is_promising,
};
use crate::budget::{StopReason, Stopped};
use crate::chain::{Ctmc, Dtmc};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};
use crate::sparse::Csr;
use crate::stationary::ErrorKind;

type Rates = Vec<Vec<(usize, f64)>>;

fn chain(rates: Rates) -> Ctmc {
    Ctmc::new(&Csr::from_rows(rates.len(), rates)).expect("a chain")
}

/// A band: each state leads to as many next ones above and below, with these rates.
fn band(states: usize, reach: usize, up: f64, down: f64) -> Ctmc {
    let row = |state: usize| {
        let below = (1..=reach)
            .filter(move |by| *by <= state)
            .map(move |by| (state - by, down));
        let above = (1..=reach).map(move |by| (state + by, up));
        below.chain(above).filter(move |&(to, _)| to < states).collect()
    };
    chain((0..states).map(row).collect())
}

/// Two queues with so many rooms each.
fn side_by_side(rooms: usize) -> Ctmc {
    let row = |state: usize| {
        let joins = [
            (state / rooms + 1 < rooms).then_some((state + rooms, 0.95)),
            (state % rooms + 1 < rooms).then_some((state + 1, 0.855)),
        ];
        let leaves = [
            (state >= rooms).then(|| (state - rooms, 1.0)),
            (!state.is_multiple_of(rooms)).then(|| (state - 1, 1.0)),
        ];
        joins.into_iter().chain(leaves).flatten().collect()
    };
    chain((0..rooms * rooms).map(row).collect())
}

/// A square whose opposite sides meet, each state of which leads to all eight around it.
fn torus(side: usize) -> Ctmc {
    let around = |at: usize| [at + side - 1, at, at + 1].map(|at| at % side);
    let row = |state: usize| {
        let rows = around(state / side).into_iter();
        let all = rows.flat_map(|row| around(state % side).map(|column| row * side + column));
        all.filter(|&to| to != state).map(|to| (to, 1.0)).collect()
    };
    chain((0..side * side).map(row).collect())
}

/// A strip of so many rooms by so many, shuffled; each state leads to those beside it, to the second ones along
/// it, and at a rate to the first.
fn strip(length: usize, width: usize, reset: f64) -> Ctmc {
    let len = length * width;
    let place = |state: usize| state * 7_919 % len;
    let mut rates: Rates = vec![Vec::new(); len];
    for state in 0..len {
        let (row, column) = (state / width, state % width);
        let beside = [
            (row + 1 < length).then_some((state + width, 1.0)),
            (row > 0).then(|| (state - width, 1.5)),
            (row + 2 < length).then_some((state + 2 * width, 0.5)),
            (row > 1).then(|| (state - 2 * width, 0.5)),
            (column + 1 < width).then_some((state + 1, 1.0)),
            (column > 0).then(|| (state - 1, 1.0)),
            (reset > 0.0 && state > 0).then_some((0, reset)),
        ];
        let moves = beside.into_iter().flatten();
        rates[place(state)] = moves.map(|(to, rate)| (place(to), rate)).collect();
    }
    chain(rates)
}

/// Two rings, of which each state leads to three others of its own, linked by two moves.
fn rings(states: usize, link: f64) -> Ctmc {
    let mut rates: Rates = (0..2 * states)
        .map(|state| {
            let first = state / states * states;
            let to = |by: usize| first + (state - first + by) % states;
            vec![(to(1), 1.0), (to(2), 0.5), (to(states - 1), 0.75)]
        })
        .collect();
    rates[0].push((states, link));
    rates[states + 1].push((1, link));
    chain(rates)
}

fn method(solver: &Stationary<'_>, chain: &Ctmc) -> Method {
    solver.solve(chain).expect("an answer").method()
}

fn stopped(solver: &Stationary<'_>, chain: &Ctmc) -> Stopped {
    match solver.solve(chain) {
        Err(Error::Stopped(stopped)) => *stopped,
        other => panic!("not stopped: {other:?}"),
    }
}

#[test]
fn what_is_small_or_easy_is_eliminated_first() {
    let auto = Stationary::new();
    // Small, though hardly any state is easy.
    let small = band(500, 4, 1.0, 3.0);
    assert!(small.rates().entries() <= SMALL && !is_promising(small.rates(), None));
    assert_eq!(method(&auto, &small), Method::Elimination);
    // Larger, and all of it is easy; also beyond what is always cheap.
    for states in [40_000, 170_000] {
        let line = band(states, 1, 1.0, 3.0);
        assert!(line.rates().entries() > SMALL && is_promising(line.rates(), None));
        assert_eq!(method(&auto, &line), Method::Elimination);
    }
    const { assert!(CHEAP < 2 * 170_000 * 3 / 4) };
    // Neither, nor narrow.
    // From each state to the first as well, so that what was elsewhere is soon forgotten.
    let mut rates: Rates = (0..8_000)
        .map(|state: usize| (1..=8).map(|by| ((state * 7 + by * 1_237) % 8_000, 1.0)).collect())
        .collect();
    for (state, row) in rates.iter_mut().enumerate() {
        row.retain(|&(to, _)| to != state);
        row.extend((state > 4 && state < 7_996).then_some((0, 9.0)));
    }
    let large = chain(rates);
    assert!(large.rates().entries() > SMALL && !is_promising(large.rates(), None));
    assert!(front(large.rates(), None).is_none());
    let found = auto.solve(&large).expect("sweeps");
    assert_eq!(found.method(), Method::GaussSeidel);
    assert!(found.iterations() < 300);
}

/// Bands took 50 times as long as by elimination, or did not converge: none of their states is easy.
#[test]
fn what_is_long_and_narrow_is_eliminated() {
    let auto = Stationary::new();
    let band = band(8_000, 4, 1.0, 1.0);
    assert!(band.rates().entries() > SMALL && !is_promising(band.rates(), None));
    // At once, without a sweep.
    let once = auto.clone().iterations(1);
    assert_eq!(method(&once, &band), Method::Elimination);
    // Wider, so that sweeps come first: those that do are quick.
    let wide = strip(500, 26, 0.0);
    let work = front(wide.rates(), None).expect("narrow").work;
    let entries = wide.rates().entries() as u64;
    assert!((NARROW + 1..WORTH_IT).contains(&(work / entries)), "{}", work / entries);
    let found = auto.solve(&wide).expect("an answer");
    assert_eq!(found.method(), Method::Elimination);
    assert_eq!(found.error().kind, ErrorKind::Proven);
    assert!(found.verify(&wide).is_ok());
    let quick = strip(500, 26, 40.0);
    assert!(front(quick.rates(), None).is_some() && !is_promising(quick.rates(), None));
    let found = auto.solve(&quick).expect("an answer");
    assert!(found.method() == Method::GaussSeidel && found.iterations() <= IMPATIENCE);
    // What sweeps came to is kept where the budget is spent after them, and where there is no room.
    let few = auto.clone().iterations(5);
    let mut halted = Vec::new();
    for limit in [200_000, 400_000, 800_000, 1_600_000, 3_200_000] {
        halted.push(stopped(&few.clone().budget(Budget::new().work(limit)), &wide).iterations);
    }
    assert!(halted.is_sorted() && halted.contains(&5), "{halted:?}");
    assert_eq!(method(&few, &wide), Method::Elimination);
    let cramped = few.clone().fill(1_000).solve(&wide).expect_err("neither");
    assert_eq!(cramped.to_string(), "no convergence within 5 iterations");
}

#[test]
fn a_state_is_easy_that_adds_hardly_more_than_it_removes() {
    // All lead to all, but for one that leads to `targets` of them, and that two lead to.
    let rates = |others: usize, targets: usize| {
        let mut rates: Rates = (0..others)
            .map(|state| (0..others).filter(|&to| to != state).map(|to| (to, 1.0)).collect())
            .collect();
        rates[0].push((others, 1.0));
        rates[1].push((others, 1.0));
        rates.push((0..targets).map(|to| (to, 1.0)).collect());
        Csr::from_rows(others + 1, rates)
    };
    assert_eq!(EASY, 12);
    // One in twenty must be.
    for (others, targets, expected) in [(19, 14, true), (19, 15, false), (20, 14, false), (19, 1, true)] {
        let rates = rates(others, targets);
        assert_eq!(is_promising(&rates, None), expected, "{others} {targets}");
        assert_eq!(is_promising(&rates, Some(&rates.transposed())), expected);
        // Of moves the other way round it is the same.
        assert_eq!(is_promising(&rates.transposed(), None), expected);
    }
}

#[test]
fn what_sweeps_do_not_balance_soon_is_left_to_cycles() {
    // With so little fill that no elimination is of use.
    let auto = Stationary::new().fill(10);
    let sweeps = Stationary::new().method(Method::GaussSeidel);
    for (chain, expected) in [
        (side_by_side(40), Method::Multilevel),
        (rings(20, 0.1), Method::Aggregation),
    ] {
        // They would get there, but not soon.
        let slow = sweeps.clone().iterations(100_000).solve(&chain);
        let slow = slow.expect("in the end");
        assert!(slow.iterations() > 300, "{}", slow.iterations());
        let found = auto.solve(&chain).expect("cycles");
        assert_eq!(found.method(), expected);
        assert_eq!(Ok(found), Stationary::new().method(expected).solve(&chain));
    }
    // Where they do, they do.
    let quick = side_by_side(4);
    let found = auto.solve(&quick).expect("sweeps");
    assert!(found.method() == Method::GaussSeidel && found.iterations() < 300);
}

#[test]
fn elimination_comes_last_where_nothing_converges() {
    let even = torus(90);
    assert!(even.rates().entries() > SMALL && !is_promising(even.rates(), None));
    assert!(front(even.rates(), None).is_none());
    let auto = Stationary::new().iterations(3);
    let found = auto.solve(&even).expect("it fits");
    assert_eq!((found.method(), found.iterations()), (Method::Elimination, 0));
    assert_eq!(found.error().kind, ErrorKind::Proven);
    // Work that is not quite enough, and what is left there: what sweeps came to.
    let with = |limit| auto.clone().budget(Budget::new().work(limit));
    let (mut short, mut enough) = (0, 1 << 29);
    assert!(with(enough).solve(&even).is_ok());
    while enough - short > 1 << 22 {
        let limit = short.midpoint(enough);
        match with(limit).solve(&even) {
            Ok(_) => enough = limit,
            Err(_) => short = limit,
        }
    }
    let stopped = stopped(&with(short), &even);
    assert_eq!((stopped.reason, stopped.iterations), (StopReason::WorkLimit, 3));
    assert!(stopped.work > short && (stopped.best.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    // Without room it has no answer, and iterations have the last word.
    let cramped = [
        auto.clone().fill(1_000),
        auto.clone().budget(Budget::new().memory(1_000)),
    ];
    for solver in cramped {
        let error = solver.solve(&even).expect_err("neither");
        assert_eq!(error.to_string(), "no convergence within 3 iterations");
        let Error::NotConverged {
            best, bounds, radius, ..
        } = error
        else {
            panic!("{error:?}");
        };
        assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!((bounds, radius), (None, None));
    }
}

/// What sweeps had come to was lost where the budget was spent before the next method had made its first: the same
/// weight on all states was all that was left.
#[test]
fn what_one_method_came_to_is_kept_until_the_next_one_has_something() {
    let chain = side_by_side(5);
    let auto = Stationary::new().fill(10).iterations(4);
    let after = |method, iterations| {
        let solver = Stationary::new().method(method).tolerance(1e-300);
        match solver.iterations(iterations).solve(&chain) {
            Err(Error::NotConverged { best, .. }) => best,
            other => panic!("{other:?}"),
        }
    };
    let methods = [Method::GaussSeidel, Method::Multilevel, Method::GaussSeidel];
    let mut expected = vec![(0, vec![1.0 / 25.0; 25])];
    expected.extend(
        methods
            .into_iter()
            .flat_map(|method| (1..=4).map(move |k| (k, method)))
            .map(|(k, method)| (k, after(method, k))),
    );
    let (mut at, mut seen) = (0, 0);
    for limit in 0_u64.. {
        let found = match auto.clone().budget(Budget::new().work(limit)).solve(&chain) {
            Err(Error::Stopped(stopped)) => *stopped,
            Err(Error::NotConverged {
                iterations: 4, best, ..
            }) => {
                assert_eq!(Some(&(4, best)), expected.last());
                break;
            }
            other => panic!("{other:?}"),
        };
        assert!(found.reason == StopReason::WorkLimit && found.work > limit);
        if found.best.is_empty() {
            // In the elimination that comes first, if anywhere.
            assert_eq!((at, found.iterations), (0, 0));
            continue;
        }
        if found.iterations == 0 {
            // The same weight on all states, but for roundings.
            assert_eq!(at, 0);
            continue;
        }
        let found = (found.iterations, found.best);
        if found != expected[at] {
            at += 1;
            seen += 1;
        }
        assert_eq!(found, expected[at], "{limit}");
    }
    assert_eq!((at + 1, seen + 1), (expected.len(), expected.len()));
}

#[test]
fn it_is_over_for_all_methods_when_it_is_over() {
    let chain = side_by_side(12);
    let token = CancelToken::new();
    // Between the methods, and within them.
    let observer = |progress: &crate::budget::Progress| {
        if progress.done > 0 {
            token.cancel();
        }
    };
    let budget = Budget::new().cancel(token.clone());
    let solver = Stationary::new().fill(10).budget(budget).observer(&observer);
    let found = stopped(&solver, &chain);
    assert_eq!(found.reason, StopReason::Cancelled);
    let text = Error::Stopped(Box::new(found)).to_string();
    assert!(text.starts_with("it was cancelled after "), "{text}");
}

#[test]
fn what_is_known_of_a_class_is_told_for_all_states() {
    // Two states that lead to a line, one before it and one behind.
    let mut rates: Rates = vec![vec![(1, 1.0), (21, 2.0)]];
    rates.extend((1..=20).map(|state| {
        let up = (state < 20).then_some((state + 1, 1.0));
        up.into_iter()
            .chain((state > 1).then(|| (state - 1, 1.5)))
            .collect::<Vec<_>>()
    }));
    rates.push(vec![(20, 1.0)]);
    let chain = chain(rates);
    for method in [Method::Auto, Method::GaussSeidel, Method::Power, Method::Elimination] {
        let solver = Stationary::new().method(method).fill(60);
        let few = solver.clone().budget(Budget::new().work(70));
        let found = stopped(&few, &chain);
        if matches!(method, Method::Auto | Method::Elimination) {
            // Of an elimination there is nothing.
            assert_eq!((found.iterations, found.best.len()), (0, 0));
            let report = solver.solve(&chain).expect("an answer");
            assert_eq!(
                (report.method(), report.distribution().len()),
                (Method::Elimination, 22)
            );
        } else {
            assert!(found.iterations > 0);
            assert_eq!((found.best.len(), found.best[0], found.best[21]), (22, 0.0, 0.0));
            assert!((found.best.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn settings_out_of_range_are_told() {
    let chain = side_by_side(2);
    let told = |solver: Stationary<'_>| solver.solve(&chain).expect_err("out of range").to_string();
    let new = Stationary::new;
    for (value, text) in [(0.0, "0"), (-1.0, "-1"), (f64::INFINITY, "inf"), (f64::NAN, "NaN")] {
        let expected = format!("tolerance is {text}, and must be positive and finite");
        assert_eq!(told(new().tolerance(value)), expected);
    }
    assert_eq!(
        told(new().iterations(0)),
        "iterations is 0, and must be positive and finite"
    );
    assert!(new().tolerance(f64::MIN_POSITIVE).iterations(1).solve(&chain).is_ok());
    assert_eq!(
        told(new().method(Method::Elimination).fill(1)),
        "more entries than the limit of 1"
    );
}

#[test]
fn moves_below_ten_times_the_tolerance_may_not_hold_a_chain_together() {
    // Links of a 225th and less of what leaves a state.
    for (link, tolerance, converges) in [(0.05, 1e-3, true), (0.015, 1e-3, false), (0.015, 5e-4, true)] {
        let chain = rings(8, link);
        let least = 10.0 * tolerance;
        assert_eq!(is_nearly_reducible(chain.rates(), least), !converges);
        let sweeps = Stationary::new().method(Method::GaussSeidel).tolerance(tolerance);
        let found = sweeps.solve(&chain);
        assert_eq!(found.is_ok(), converges, "{link} {tolerance}");
        if let Err(error) = found {
            let text = error.to_string();
            assert!(
                text.starts_with("no convergence within ") && text.ends_with(" iterations"),
                "{text}"
            );
        }
        // Cycles balance the links themselves.
        let cycles = sweeps.method(Method::Aggregation).solve(&chain);
        assert!(cycles.is_ok_and(|found| found.method() == Method::Aggregation) || converges);
    }
}

#[test]
fn moves_are_weak_by_their_part_of_what_leaves_a_state() {
    // Two pairs, each linked by a quarter of what leaves a state, in units of four.
    let pairs = |also: Option<(usize, f64)>| {
        let mut rates: Rates = vec![
            vec![(1, 3.0), (2, 1.0)],
            vec![(0, 4.0)],
            vec![(0, 1.0), (3, 3.0)],
            vec![(2, 4.0)],
        ];
        rates[3].extend(also);
        Csr::from_rows(4, rates)
    };
    let quarter = 0.25;
    assert!(!is_nearly_reducible(&pairs(None), quarter));
    assert!(is_nearly_reducible(&pairs(None), quarter.next_up()));
    assert!(is_nearly_reducible(&pairs(None), 0.5));
    // One weak move that nothing depends on.
    assert!(!is_nearly_reducible(&pairs(Some((1, 1e-9))), quarter));
    assert!(!is_nearly_reducible(&pairs(Some((1, 1e-9))), 1e-3));
    assert!(is_nearly_reducible(&pairs(Some((1, 1e-9))), 0.5));
}

#[test]
fn one_state_is_known() {
    let alone = chain(vec![Vec::new()]);
    for method in [
        Method::Auto,
        Method::Elimination,
        Method::GaussSeidel,
        Method::Power,
        Method::Aggregation,
        Method::Multilevel,
    ] {
        let found = Stationary::new().method(method).solve(&alone).expect("one state");
        assert_eq!(found.distribution(), [1.0]);
        assert!(found.error().value < 1e-14);
        assert_eq!((found.iterations(), found.residual()), (0, 0.0));
        assert_eq!(found.error().kind, ErrorKind::Proven);
        let expected = if method == Method::Auto {
            Method::Elimination
        } else {
            method
        };
        assert_eq!(found.method(), expected);
    }
}

#[test]
fn reports_name_the_method_that_was_asked_for() {
    let chain = side_by_side(5);
    let stages = [
        (Method::Elimination, 0),
        (Method::GaussSeidel, 1),
        (Method::Power, 1),
        (Method::Multilevel, 1),
    ];
    for (method, least) in stages {
        let found = Stationary::new().method(method).solve(&chain).expect("an answer");
        assert_eq!(found.method(), method);
        assert!(found.iterations() >= least);
    }
    let found = Stationary::new()
        .method(Method::Aggregation)
        .solve(&rings(8, 0.1))
        .expect("an answer");
    assert_eq!(found.method(), Method::Aggregation);
    // Where nothing falls apart, sweeps are all there is.
    let found = Stationary::new()
        .method(Method::Aggregation)
        .solve(&band(20, 2, 1.0, 1.5))
        .expect("an answer");
    assert_eq!(found.method(), Method::GaussSeidel);
}

#[test]
fn fractions_are_solved_without_any_error() {
    let exact = |_: usize, _: usize, rate: &f64| Rational::from_float(*rate).expect("a number");
    let rates = band(4, 1, 1.0, 2.0).rates().map(exact);
    let expected: Vec<Rational> = [8, 4, 2, 1].map(|share| Rational::ratio(share, 15)).to_vec();
    let found = Stationary::new().exact(&Ctmc::new(&rates).expect("a chain"));
    assert_eq!(found, Ok(expected.clone()));
    let third = rates.map(|_, _, rate| rate.clone() / Rational::ratio(3, 1));
    let stays = (0..4).map(|state| {
        let leaves: Rational = third.row(state).map(|(_, chance)| chance).sum();
        let others = third.row(state).map(|(to, chance)| (to, chance.clone()));
        others
            .chain([(state, Rational::ratio(1, 1) - leaves)])
            .collect::<Vec<_>>()
    });
    let steps = Dtmc::new(&Csr::from_rows(4, stays)).expect("a chain");
    assert_eq!(Stationary::new().exact_dtmc(&steps), Ok(expected));
}
