//! Chains of which some states are left for good: exactly, and where iterations end early.

use markov::{Budget, Csr, Ctmc, Dtmc, Error, Method, Rational, Scalar, Stationary};

/// In discrete time as in continuous, where nothing of a chain counts but its moves.
#[test]
fn fractions_in_discrete_time_are_solved_within_limits() {
    let r = Rational::ratio;
    // A state that is left for good, and a ring of twenty.
    let row = |state: usize| match state {
        0 => vec![(0, r(1, 2)), (1, r(1, 2))],
        20 => vec![(1, r(1, 1))],
        _ => vec![
            (state, r(1, 1 + state as i64)),
            (state + 1, r(state as i64, 1 + state as i64)),
        ],
    };
    let chain = Dtmc::new(&Csr::from_rows(21, (0..=20).map(row))).expect("a chain");
    let found = Stationary::new().exact_dtmc(&chain);
    assert_eq!(found, chain.stationary());
    // Shares are as the steps that each state is kept for.
    let kept: Vec<Rational> = (0..=20)
        .map(|state| match state {
            0 => r(0, 1),
            20 => r(1, 1),
            _ => r(1 + state, state),
        })
        .collect();
    let sum: Rational = kept.iter().sum();
    assert_eq!(found, Ok(kept.iter().map(|steps| steps / &sum).collect()));
    let limit = 3;
    let few = Stationary::new().fill(limit).exact_dtmc(&chain);
    assert_eq!(few, Err(Error::TooLarge { what: "entries", limit }));
    let apart = Dtmc::new(&Csr::from_rows(2, [[(0, r(1, 1))], [(1, r(1, 1))]])).expect("a chain");
    assert!(matches!(
        Stationary::new().exact_dtmc(&apart),
        Err(Error::Reducible { .. })
    ));
}

/// What iterations of one class came to has a number for each state of the chain.
#[test]
fn iterates_of_a_class_are_those_of_all_states() {
    let row = |state: usize| match state {
        0 => vec![(3, 1.0)],
        1..30 => vec![(state + 1, 1.0), (state.max(2) - 1, 1.01)],
        _ => vec![(29, 1.01)],
    };
    let chain = Ctmc::new(&Csr::from_rows(31, (0..31).map(row))).expect("a chain");
    let power = Stationary::new().method(Method::Power);
    let check = |best: &[f64]| {
        assert_eq!((best.len(), best[0]), (31, 0.0));
        assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    };
    for found in
        [power.clone().budget(Budget::new().work(2_000)), power.iterations(3)].map(|solver| solver.solve(&chain))
    {
        match found {
            Err(Error::Stopped(stopped)) => check(&stopped.best),
            Err(Error::NotConverged { best, .. }) => check(&best),
            other => panic!("{other:?}"),
        }
    }
}

/// For each closed class all states were gone through: with as many classes as states that took the square of them.
#[test]
fn long_runs_of_as_many_classes_as_states() {
    // Pairs that are left at one to three, and a state that leads to all of them.
    let pairs = 40_000;
    let row = |state: usize| match state {
        0 => (0..pairs).map(|pair| (2 * pair + 1, 1.0)).collect(),
        _ if state % 2 == 1 => vec![(state + 1, 1.0)],
        _ => vec![(state - 1, 3.0)],
    };
    let chain = Ctmc::new(&Csr::from_rows(2 * pairs + 1, (0..=2 * pairs).map(row))).expect("a chain");
    let mut start = vec![0.0; 2 * pairs + 1];
    (start[0], start[1]) = (0.5, 0.5);
    let report = Stationary::new().long_run(&chain, &start).expect("shares");
    let plain = chain.long_run(&start).expect("shares");
    for (state, value) in report.distribution().iter().enumerate() {
        let caught = 0.5 / pairs as f64 + if state == 1 || state == 2 { 0.5 } else { 0.0 };
        let share = [0.25, 0.75][state % 2];
        let exact = if state == 0 { 0.0 } else { caught * share };
        assert!((value - exact).abs() <= report.error().value * exact, "{state}");
        assert!((plain[state] - exact).abs() <= 1e-10 * exact, "{state}");
    }
}
