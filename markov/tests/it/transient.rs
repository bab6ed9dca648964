//! Transient distributions and costs against closed forms and the long run.

use markov::{Csr, Ctmc, Dtmc, Error, Rational, Scalar, SteadyState, Transient};

/// Up at rate `a`, down at rate `b`.
fn switch(a: f64, b: f64) -> Ctmc {
    Ctmc::new(&Csr::from_rows(2, [[(1, a)], [(0, b)]])).expect("a chain")
}

#[test]
fn two_states_are_the_matrix_exponential() {
    for (a, b) in [(1.0, 3.0), (1e-3, 2.0), (40.0, 0.5)] {
        let chain = switch(a, b);
        for time in [0.0, 1e-6, 0.1, 1.0, 10.0, 500.0] {
            let s = a + b;
            let decayed = -f64::exp_m1(-s * time);
            let expected = a / s * decayed;
            // Time spent up until then.
            let spent = a / s * (time - decayed / s);
            for steady in [SteadyState::Detect, SteadyState::Ignore] {
                let solver = Transient::new().steady_state(steady);
                let report = solver
                    .accumulated(&chain, &[1.0, 0.0], &[0.0, 2.0], time)
                    .expect("steps enough");
                let off =
                    (report.distribution()[1] - expected).abs() + (report.distribution()[0] + expected - 1.0).abs();
                // The closed form has roundings of its own.
                assert!(off <= report.bound() + 1e-15, "{off} at {time}");
                let off = (report.total() - 2.0 * spent).abs();
                assert!(
                    off <= (report.bound() * 2.0 + 2e-15) * time.max(1e-6),
                    "{off} at {time}, {a}, {b}"
                );
                assert!(report.truncation() <= 1e-12, "{}", report.truncation());
            }
        }
    }
}

#[test]
fn a_pure_birth_process_is_poisson() {
    let states = 60;
    let rates = Csr::from_rows(states, (0..states).map(|i| (i + 1 < states).then_some((i + 1, 2.0))));
    let chain = Ctmc::new(&rates).expect("a chain");
    let mut start = vec![0.0; states];
    start[0] = 1.0;
    let report = Transient::new().solve(&chain, &start, 3.0).expect("steps enough");
    let mut expected = (-6.0_f64).exp();
    for (k, value) in report.distribution().iter().enumerate().take(50) {
        assert!((value - expected).abs() < 1e-13, "{k}");
        expected *= 6.0 / (k + 1) as f64;
    }
}

#[test]
fn in_long_times_chains_are_stationary() {
    let states = 30;
    let rates = (0..states).map(|i| {
        let up = (i + 1 < states).then_some((i + 1, 1.0 + (i % 3) as f64));
        up.into_iter().chain((i > 0).then(|| (i - 1, 2.5)))
    });
    let chain = Ctmc::new(&Csr::from_rows(states, rates)).expect("a chain");
    let mut start = vec![0.0; states];
    start[29] = 1.0;
    let time = 20_000.0;
    let detected = Transient::new().solve(&chain, &start, time).expect("steps enough");
    let full = Transient::new()
        .steady_state(SteadyState::Ignore)
        .solve(&chain, &start, time)
        .expect("steps enough");
    assert!(
        detected.steps() < full.steps() / 2,
        "{} of {}",
        detected.steps(),
        full.steps()
    );
    let stationary = chain.stationary().expect("irreducible");
    for report in [&detected, &full] {
        let pairs = report.distribution().iter().zip(&stationary);
        let off: f64 = pairs.map(|(x, y)| (x - y).abs()).sum();
        assert!(off <= report.bound() + 1e-13, "{off}");
    }
}

#[test]
fn halves_of_a_time_make_the_whole() {
    let rates = [
        vec![(1, 5.0), (3, 0.1)],
        vec![(2, 0.3)],
        vec![(0, 9.0)],
        vec![(0, 0.01), (2, 2.0)],
    ];
    let chain = Ctmc::new(&Csr::from_rows(4, rates)).expect("a chain");
    let costs = [1.0, -2.0, 0.5, 30.0];
    let solver = Transient::new();
    let whole = solver
        .accumulated(&chain, &[0.0, 1.0, 0.0, 0.0], &costs, 14.0)
        .expect("steps enough");
    let first = solver
        .accumulated(&chain, &[0.0, 1.0, 0.0, 0.0], &costs, 7.0)
        .expect("steps enough");
    let second = solver
        .accumulated(&chain, first.distribution(), &costs, 7.0)
        .expect("steps enough");
    assert!((first.total() + second.total() - whole.total()).abs() < 14.0 * 30.0 * 3.0 * whole.bound());
    let off: f64 = whole
        .distribution()
        .iter()
        .zip(second.distribution())
        .map(|(x, y)| (x - y).abs())
        .sum();
    assert!(off <= 3.0 * whole.bound());
}

#[test]
fn steps_in_fractions() {
    let r = Rational::ratio;
    // A walk on three states: back to both ends with probability 1/2.
    let rows = [vec![(1, r(1, 1))], vec![(0, r(1, 2)), (2, r(1, 2))], vec![(1, r(1, 1))]];
    let chain = Dtmc::new(&Csr::from_rows(3, rows)).expect("a chain");
    let start = [r(1, 1), r(0, 1), r(0, 1)];
    assert_eq!(chain.after(&start, 0).expect("a start"), start);
    assert_eq!(chain.after(&start, 7).expect("a start"), [r(0, 1), r(1, 1), r(0, 1)]);
    assert_eq!(chain.after(&start, 8).expect("a start"), [r(1, 2), r(0, 1), r(1, 2)]);
    // Costs 1, 10, 5: 1, 10, 3, 10, 3.
    let total = chain.accumulated(&start, &[r(1, 1), r(10, 1), r(5, 1)], 5);
    assert_eq!(total, Ok(r(27, 1)));
}

#[test]
fn wrong_questions_are_told() {
    let chain = switch(1.0, 1.0);
    let solver = Transient::new();
    assert!(matches!(
        solver.solve(&chain, &[0.5, 0.4], 1.0),
        Err(Error::NotADistribution { wrong: None, .. })
    ));
    assert!(matches!(
        solver.solve(&chain, &[1.5, -0.5], 1.0),
        Err(Error::NotADistribution { wrong: Some(1), .. })
    ));
    assert!(matches!(
        solver.solve(&chain, &[1.0, 0.0], -1.0),
        Err(Error::Parameter { name: "time", .. })
    ));
    assert_eq!(
        solver.steps(1000).solve(&chain, &[1.0, 0.0], 1e9),
        Err(Error::TooLarge {
            what: "steps",
            limit: 1000
        })
    );
}

/// At time zero nothing has happened yet, whatever the rates: a Poisson distribution without a mean never came to an
/// end.
#[test]
fn rates_that_add_up_to_no_float() {
    let chain = Ctmc::new(&Csr::from_rows(3, [vec![(1, f64::MAX), (2, f64::MAX)], vec![], vec![]])).expect("a chain");
    let start = [1.0, 0.0, 0.0];
    let now = Transient::new()
        .accumulated(&chain, &start, &[1.0; 3], 0.0)
        .expect("no steps");
    assert_eq!((now.distribution(), now.total(), now.steps()), (&start[..], 0.0, 0));
    assert!(matches!(
        Transient::new().solve(&chain, &start, 1e-300),
        Err(Error::TooLarge {
            what: "numbers of jumps",
            ..
        })
    ));
}

/// The limit was compared with the last number of jumps that may happen, before a steady state had a say: this was
/// refused with "more steps than the limit of 10000000", of which a few dozen are made.
#[test]
fn steps_that_a_steady_state_leaves_out_counted_against_the_limit() -> Result<(), Error> {
    let (chain, start, time) = (switch(1.0, 3.0), [1.0, 0.0], 1e8);
    let report = Transient::new().accumulated(&chain, &start, &[0.0, 1.0], time)?;
    assert!(report.steps() < 100, "{}", report.steps());
    let off = (report.distribution()[0] - 0.75).abs() + (report.distribution()[1] - 0.25).abs();
    assert!(
        off <= report.bound() && report.bound() < 1e-5,
        "{off} {}",
        report.bound()
    );
    assert!((report.total() / time - 0.25).abs() <= report.bound());
    let enough = Transient::new().steps(report.steps());
    assert_eq!(
        enough.solve(&chain, &start, time)?.distribution(),
        report.distribution()
    );
    let limit = report.steps() - 1;
    let refused = Err(Error::TooLarge { what: "steps", limit });
    assert_eq!(Transient::new().steps(limit).solve(&chain, &start, time), refused);
    // All jumps are made where steady states are ignored, as many as are known at once.
    let limit = 200_000_000;
    let every = Transient::new().steps(limit).steady_state(SteadyState::Ignore);
    let refused = Err(Error::TooLarge { what: "steps", limit });
    assert_eq!(every.solve(&chain, &start, time), refused);
    Ok(())
}

#[test]
fn costs_that_are_no_numbers_are_told_in_both_kinds_of_time() {
    let start = [1.0, 0.0];
    let refused = Error::NotANumber { from: 1, to: 1 };
    let continuous = Transient::new().accumulated(&switch(1.0, 1.0), &start, &[0.0, f64::NAN], 1.0);
    assert_eq!(continuous, Err(refused.clone()));
    let chain = Dtmc::new(&Csr::from_rows(2, [[(1, 1.0)], [(0, 1.0)]])).expect("a chain");
    assert_eq!(
        chain.accumulated(&start, &[0.0, f64::INFINITY], 3),
        Err(refused.clone())
    );
    // Costs that are, and a total that is not.
    let costs = [1.0, f64::MAX];
    assert_eq!(chain.accumulated(&start, &costs, 4), Err(refused.clone()));
    let long = Transient::new().accumulated(&switch(1.0, 1.0), &start, &costs, 10.0);
    assert_eq!(long, Err(refused));
}

/// In times of next to no jumps all jumps were left out, and the total with them: it was zero, with a bound of a
/// hundredth.
#[test]
fn times_at_the_end_of_floats() {
    let chain = switch(1.0, 1.0);
    let smallest = f64::from_bits(1);
    for time in [smallest, 1e-320, 1e-310, 2.2e-308, 2.3e-308, 1e-307, 1e-300] {
        for costs in [[1.0, 1.0], [0.25, 0.25], [1e3, 1e3]] {
            let report = Transient::new()
                .accumulated(&chain, &[1.0, 0.0], &costs, time)
                .expect("no steps");
            let expected = time * costs[0];
            let off = (report.total() / time - expected / time).abs() / costs[0];
            assert!(off <= report.bound(), "{off} {} {time:e} {costs:?}", report.bound());
            assert!(time < 1e-310 || report.bound() < 1e-9, "{time:e}: {}", report.bound());
        }
    }
    // Costs at the end of floats in ordinary times.
    let costs = [1e-310, 1e-310];
    let report = Transient::new()
        .accumulated(&chain, &[1.0, 0.0], &costs, 1e-3)
        .expect("some steps");
    let off = (report.total() - 1e-313).abs() / 1e-313;
    assert!(
        off <= report.bound() && report.bound() < 1e-9,
        "{off} {}",
        report.bound()
    );
}

/// What moves slowly between parts of a chain may be less than roundings in each jump, and still be seen after a million
/// of them. The sum ended early because nothing moved, and the bound had roundings of the few jumps until then alone: it
/// was a fifth of the error.
#[test]
fn what_roundings_hide_adds_up_after_a_steady_state_is_detected() {
    // Two hubs with leaves, each pair of states in balance; each leaf of the first leads to each leaf of the second.
    let (leaves, slow, time) = (64, 4e-17, 1e6);
    let to_leaf = |first: usize| (0..leaves).map(move |leaf| (first + leaf, 1.0 / leaves as f64));
    let mut rows: Vec<Vec<(usize, f64)>> = vec![to_leaf(2 + leaves).collect(), to_leaf(2).collect()];
    rows.extend((0..leaves).map(|_| vec![(1, 1.0)]));
    let onward = || (0..leaves).map(|leaf| (2 + leaf, slow));
    rows.extend((0..leaves).map(|_| [(0, 1.0)].into_iter().chain(onward()).collect()));
    let chain = Ctmc::new(&Csr::from_rows(2 + 2 * leaves, rows)).expect("a chain");
    let mut start = vec![0.25 / leaves as f64; 2 + 2 * leaves];
    start[..2].fill(0.25);
    let report = Transient::new().solve(&chain, &start, time).expect("steps enough");
    assert!(report.steps() < 100, "{}", report.steps());
    // The first part is in a leaf half of the time, and little of it leaves.
    let left = 0.5 * -f64::exp_m1(-0.5 * leaves as f64 * slow * time);
    let first: f64 = report.distribution()[0] + report.distribution()[2 + leaves..].iter().sum::<f64>();
    let off = 2.0 * (first - 0.5 + left).abs();
    assert!(off > 1e-9 && off <= report.bound(), "{off:e} {:e}", report.bound());
}

/// Products of the least floats with probabilities had next to no digits: each half of a cost was rounded up.
#[test]
fn totals_of_the_least_costs_have_their_digits() {
    let half = Csr::from_rows(2, [[(0, 0.5), (1, 0.5)], [(0, 0.5), (1, 0.5)]]);
    let chain = Dtmc::new(&half).expect("a chain");
    for unit in [f64::from_bits(1), 1.0, 2.0_f64.powi(1018)] {
        let total = chain.accumulated(&[0.5, 0.5], &[3.0 * unit, 3.0 * unit], 4);
        assert_eq!(total, Ok(12.0 * unit));
    }
    // What is on the way alone may be beyond all floats.
    let apart = chain.accumulated(&[0.5, 0.5], &[f64::MAX, -f64::MAX], 9);
    assert_eq!(apart, Ok(0.0));
    let beyond = chain.accumulated(&[0.5, 0.5], &[f64::MAX, f64::MAX], 2);
    assert_eq!(beyond, Err(Error::NotANumber { from: 0, to: 0 }));
}
