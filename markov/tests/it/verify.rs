//! Results are checked from the input alone: right ones pass, whatever found them, and those of others do not.

use markov::{
    Budget, Csr, Ctmc, Dtmc, Error, ErrorKind, Method, Qbd, QbdBlocks, Rational, Scalar, Stationary, SteadyState,
    StopReason, Transient,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::budgets::{cancelled, random, stopped};

const METHODS: [Method; 6] = [
    Method::Auto,
    Method::Elimination,
    Method::GaussSeidel,
    Method::Power,
    Method::Aggregation,
    Method::Multilevel,
];

#[test]
fn distributions_of_all_methods_pass() {
    let budget = Budget::new();
    for seed in 0..12 {
        let chain = random(seed, 3 + 2 * seed as usize, 1 + seed as usize % 3);
        let exact = chain
            .rates()
            .map(|_, _, &rate| Rational::from_float(rate).expect("finite"));
        let exact = Ctmc::new(&exact).expect("a chain").stationary().expect("one class");
        for method in METHODS {
            let report = Stationary::new().method(method).solve(&chain).expect("easy");
            let residual = report.verify(&chain).expect("right");
            assert!(report.residual() <= residual && residual < 1e-10);
            let error = report.verify_exactly(&chain, &budget).expect("right");
            let known: f64 = (report.distribution().iter().zip(&exact))
                .map(|(share, known)| (share - known.to_float()).abs())
                .sum();
            assert!((error - known).abs() < 1e-14, "{error} for {known}");
            if report.error().kind == ErrorKind::Proven {
                assert!(error <= report.error().value);
            }
            let other = random(seed + 100, chain.len(), 3);
            assert!(matches!(report.verify(&other), Err(Error::Unbalanced { .. })));
        }
    }
}

#[test]
fn distributions_of_stiff_chains_pass() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..30 {
        let states = rng.random_range(2..12);
        let rate = |rng: &mut ChaCha8Rng| 10_f64.powf(rng.random_range(-20.0..20.0));
        let rows: Vec<Vec<(usize, f64)>> = (0..states)
            .map(|state| {
                vec![
                    ((state + 1) % states, rate(&mut rng)),
                    (rng.random_range(0..states), rate(&mut rng)),
                ]
            })
            .collect();
        let chain = Ctmc::new(&Csr::from_rows(states, rows)).expect("a chain");
        let report = Stationary::new()
            .method(Method::Elimination)
            .solve(&chain)
            .expect("small");
        report.verify(&chain).expect("right");
        assert!(report.verify_exactly(&chain, &Budget::new()).expect("right") <= report.error().value);
    }
}

/// Transient states that lead to two closed classes, a pair and a single state.
fn caught<T: Scalar>() -> Csr<T> {
    let r = T::ratio;
    Csr::from_rows(
        5,
        [
            vec![(1, r(1, 2)), (2, r(1, 4)), (0, r(1, 4))],
            vec![(0, r(1, 2)), (4, r(1, 2))],
            vec![(3, r(3, 4)), (2, r(1, 4))],
            vec![(2, r(1, 2)), (3, r(1, 2))],
            vec![(4, r(1, 1))],
        ],
    )
}

#[test]
fn the_long_run_passes_from_its_start_alone() {
    let budget = Budget::new();
    let (chain, steps) = (
        Ctmc::new(&caught()).expect("a chain"),
        Dtmc::new(&caught()).expect("a chain"),
    );
    for method in METHODS {
        let solver = Stationary::new().method(method);
        for start in [
            [0.5, 0.25, 0.25, 0.0, 0.0],
            [0.1, 0.2, 0.3, 0.2, 0.2],
            [0.0, 0.0, 0.0, 1.0, 0.0],
        ] {
            let report = solver.long_run(&chain, &start).expect("small");
            report.verify(&chain).expect("right");
            let error = report.verify_long_run(&chain, &start, &budget).expect("right");
            assert!(error < 1e-11);
            let other = [0.0, 0.0, 0.0, 0.0, 1.0];
            let found = report.verify_long_run(&chain, &other, &budget);
            match report.error().kind {
                ErrorKind::Proven => assert!(matches!(found, Err(Error::OutOfBound { .. }))),
                kind => {
                    assert_eq!(kind, ErrorKind::Estimated);
                    assert!(found.expect("no bound") > 0.1);
                }
            }
            let report = solver.long_run_dtmc(&steps, &start).expect("small");
            report.verify_dtmc(&steps).expect("right");
            assert!(report.verify_long_run_dtmc(&steps, &start, &budget).expect("right") < 1e-11);
        }
    }
    // Which share each class has nothing says but the start.
    let start = [1.0, 0.0, 0.0, 0.0, 0.0];
    let report = Stationary::new().long_run(&chain, &start).expect("small");
    let classes = report.verify_exactly(&chain, &budget);
    assert!(matches!(classes, Err(Error::Reducible { classes }) if classes.len() == 2));
    let bad = report.verify_long_run(&chain, &[0.5; 5], &budget);
    assert!(matches!(bad, Err(Error::NotADistribution { .. })));
    // One class alone.
    let report = Stationary::new().solve_class(&chain, 3).expect("closed");
    assert!(report.verify_exactly(&chain, &budget).expect("right") <= report.error().value);
    let report = Stationary::new().solve_class_dtmc(&steps, 4).expect("closed");
    assert_eq!(report.verify_exactly_dtmc(&steps, &budget), Ok(0.0));
}

/// Each of many ways into a class is lost in the sum of those before it, and all in the same direction.
#[test]
fn many_rare_ways_into_a_class_are_within_the_proven_bound() {
    for others in [10, 100, 300] {
        let least = 2_f64.powi(-54);
        let (first, last) = (1, others + 1);
        let ways = (first + 1..=last).map(|to| (to, least));
        let mut rows: Vec<Vec<(usize, f64)>> = vec![[(first, 1.0)].into_iter().chain(ways).collect()];
        rows[0].push((last + 1, 1.0));
        // A circle, and a state by itself.
        rows.extend((first..=last).map(|state| vec![(if state == last { first } else { state + 1 }, 1.0)]));
        rows.push(Vec::new());
        let start: Vec<f64> = (0..rows.len())
            .map(|state| if state == 0 { 1.0 } else { 0.0 })
            .collect();
        let chain = Ctmc::new(&Csr::from_rows(rows.len(), rows)).expect("a chain");
        let report = Stationary::new().long_run(&chain, &start).expect("small");
        assert_eq!(report.error().kind, ErrorKind::Proven);
        let error = report
            .verify_long_run(&chain, &start, &Budget::new())
            .expect("within the bound");
        assert!(error <= report.error().value && report.error().value < 1e-11);
        // Half of what is lost, since the other class has none of it.
        assert!(error >= 0.2 * others as f64 * least, "{error}");
    }
}

/// A start that is one but for what starts may miss it by leads to a long run that misses one by as much.
#[test]
fn the_long_run_of_a_start_that_misses_one_passes() {
    let budget = Budget::new();
    let (chain, steps) = (
        Ctmc::new(&caught()).expect("a chain"),
        Dtmc::new(&caught()).expect("a chain"),
    );
    for off in [5e-10, -5e-10] {
        let start = [0.5 + off, 0.25, 0.25, 0.0, 0.0];
        let report = Stationary::new().long_run(&chain, &start).expect("small");
        report.verify(&chain).expect("right");
        let error = report.verify_long_run(&chain, &start, &budget).expect("right");
        assert!(error <= report.error().value);
        let report = Stationary::new().long_run_dtmc(&steps, &start).expect("small");
        report.verify_dtmc(&steps).expect("right");
        report.verify_long_run_dtmc(&steps, &start, &budget).expect("right");
        let transient = Transient::new().solve(&chain, &start, 1.0).expect("few jumps");
        transient.verify(&chain, &start, 1.0, &budget).expect("right");
    }
}

#[test]
fn fractions_are_stationary_or_not() {
    let r = Rational::ratio;
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..20 {
        let n = rng.random_range(2..8);
        let rows: Vec<Vec<(usize, Rational)>> = (0..n)
            .map(|state| {
                let other = (
                    rng.random_range(0..n),
                    r(rng.random_range(1..9), rng.random_range(1..9)),
                );
                vec![((state + 1) % n, r(1, rng.random_range(1..5))), other]
            })
            .collect();
        let chain = Ctmc::new(&Csr::from_rows(n, rows)).expect("a chain");
        let mut shares = chain.stationary().expect("one class");
        assert_eq!(chain.verify_stationary(&shares), Ok(r(0, 1)));
        let moved = r(1, 1 << 60);
        shares[0] -= &moved;
        let sum = chain.verify_stationary(&shares);
        assert!(matches!(sum, Err(Error::NotADistribution { wrong: None, .. })));
        shares[1] += &moved;
        assert!(chain.verify_stationary(&shares).expect("a distribution") > r(0, 1));
        shares[1] += &r(2, 1);
        shares[0] -= &r(2, 1);
        let sign = chain.verify_stationary(&shares);
        assert!(matches!(sign, Err(Error::NotADistribution { wrong: Some(0), .. })));
    }
    // Any mixture of those of closed classes is one.
    let chain = Dtmc::new(&caught::<Rational>()).expect("a chain");
    let shares = [r(0, 1), r(0, 1), r(1, 5), r(3, 10), r(1, 2)];
    assert_eq!(chain.verify_stationary(&shares), Ok(r(0, 1)));
    let shares = [r(0, 1), r(1, 5), r(0, 1), r(3, 10), r(1, 2)];
    assert_eq!(chain.verify_stationary(&shares), Err(Error::Transient { state: 1 }));
}

/// The checks of chains in discrete time are those of chains in continuous time.
#[test]
fn steps_are_checked_as_rates_are() {
    let (budget, start) = (Budget::new(), [1.0, 0.0]);
    // A third of all steps is in the one state, and two thirds are in the other, which no floats are.
    let steps = |back: f64| {
        let rows = [[(0, 0.5), (1, 0.5)], [(0, back), (1, 1.0 - back)]];
        Dtmc::new(&Csr::from_rows(2, rows)).expect("a chain")
    };
    let (right, other) = (steps(0.25), steps(0.375));
    let report = Stationary::new().solve_dtmc(&right).expect("one class");
    let long_run = Stationary::new().long_run_dtmc(&right, &start).expect("one class");
    for report in [report, long_run] {
        assert_eq!(report.error().kind, ErrorKind::Proven);
        let residual = report.verify_dtmc(&right).expect("right");
        assert!(0.0 < residual && residual < 1e-13, "{residual}");
        assert!(matches!(report.verify_dtmc(&other), Err(Error::Unbalanced { .. })));
        let check = |chain| report.verify_exactly_dtmc(chain, &budget);
        let from_start = |chain| report.verify_long_run_dtmc(chain, &start, &budget);
        for (known, of_other) in [(check(&right), check(&other)), (from_start(&right), from_start(&other))] {
            let error = known.expect("right");
            assert!(0.0 < error && error <= report.error().value, "{error}");
            assert!(matches!(of_other, Err(Error::OutOfBound { .. })), "{of_other:?}");
        }
    }
}

/// Where nothing flows, nothing is out of balance.
#[test]
fn a_state_that_nobody_leaves_passes() {
    let chain = Ctmc::new(&caught()).expect("a chain");
    let report = Stationary::new().solve_class(&chain, 4).expect("closed");
    assert_eq!(report.distribution(), [0.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!((report.residual(), report.verify(&chain)), (0.0, Ok(0.0)));
}

/// What is told of floats is no less than what fractions tell of the same numbers.
#[test]
fn residuals_of_floats_are_rounded_up() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let exact = |value: f64| Rational::from_float(value).expect("finite");
    for seed in 0..40 {
        let n = 2 + seed as usize % 9;
        let chain = random(seed, n, 3);
        // Shares of 64 parts add up to one.
        let mut shares = vec![0.0; n];
        (0..64).for_each(|_| shares[rng.random_range(0..n)] += 1.0 / 64.0);
        let fractions: Vec<Rational> = shares.iter().copied().map(exact).collect();
        let rates = chain.rates().map(|_, _, &rate| exact(rate));
        let known = Ctmc::new(&rates).expect("a chain").verify_stationary(&fractions);
        let (known, found) = (
            known.expect("shares"),
            chain.verify_stationary(&shares).expect("shares"),
        );
        assert!(exact(found) >= known, "seed {seed}: {found} for {known}");
        assert!(found - known.to_float() < 1e-13, "seed {seed}: {found} for {known}");
    }
}

#[test]
fn digits_end_with_their_budget() {
    let chain = random(3, 30, 3);
    let report = Stationary::new().solve(&chain).expect("easy");
    assert_eq!(
        stopped(report.verify_exactly(&chain, &cancelled())).reason,
        StopReason::Cancelled
    );
    let little = Budget::new().work(200);
    assert_eq!(
        stopped(report.verify_exactly(&chain, &little)).reason,
        StopReason::WorkLimit
    );
    let start = [1.0 / 32.0; 32];
    let chain = random(3, 32, 3);
    let report = Transient::new().solve(&chain, &start, 1.0).expect("few jumps");
    let found = stopped(report.verify(&chain, &start, 1.0, &little));
    assert_eq!(found.reason, StopReason::WorkLimit);
    assert_eq!(stopped(report.verify(&chain, &start, 1.0, &cancelled())).work, 0);
}

#[test]
fn transients_pass_and_those_of_other_times_do_not() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for round in 0..6 {
        let n = 2 + round % 3;
        let chain = random(50 + round as u64, n, 2);
        // A share of eighths for each state, so that they add up to one.
        let mut start = vec![0.0; n];
        (0..8).for_each(|_| start[rng.random_range(0..n)] += 0.125);
        let costs: Vec<f64> = (0..n).map(|_| rng.random_range(-3.0..3.0)).collect();
        for (time, steady) in [
            (0.0, SteadyState::Detect),
            (0.3, SteadyState::Ignore),
            (6.0, SteadyState::Detect),
        ] {
            let solver = Transient::new().steady_state(steady);
            let report = solver.solve(&chain, &start, time).expect("few jumps");
            let error = report.verify(&chain, &start, time, &Budget::new()).expect("right");
            assert!(error <= report.bound());
            let report = solver.accumulated(&chain, &start, &costs, time).expect("few jumps");
            let check = |costs: &[f64], time| report.verify_accumulated(&chain, &start, costs, time, &Budget::new());
            assert!(check(&costs, time).expect("right") <= report.bound());
            let other = check(&costs, time + 1.0);
            assert!(matches!(other, Err(Error::OutOfBound { .. })), "{other:?}");
            if time > 0.0 {
                let mut other = costs.clone();
                other[n - 1] += 0.1;
                assert!(matches!(check(&other, time), Err(Error::OutOfBound { .. })));
            }
        }
        // At time zero the start is the answer, also where rates add up to more than a float holds.
        let fast = Ctmc::new(&Csr::from_rows(
            3,
            [vec![(1, 1.5e308), (2, 1.5e308)], vec![(0, 1.0)], vec![]],
        ));
        let fast = fast.expect("a chain");
        let report = Transient::new()
            .solve(&fast, &[0.5, 0.25, 0.25], 0.0)
            .expect("no jumps");
        assert_eq!(report.verify(&fast, &[0.5, 0.25, 0.25], 0.0, &Budget::new()), Ok(0.0));
        // A coarse tolerance is met, and said.
        let coarse = Transient::new()
            .tolerance(1e-3)
            .solve(&chain, &start, 4.0)
            .expect("few jumps");
        let error = coarse.verify(&chain, &start, 4.0, &Budget::new()).expect("right");
        assert!(error <= coarse.bound());
    }
}

#[test]
fn queues_with_levels_pass() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let mut passed = 0;
    for _ in 0..40 {
        let (b, m) = (rng.random_range(1..4), rng.random_range(1..5));
        let mut block = |rows: usize, columns: usize, most: f64| {
            let entries: Vec<Vec<(usize, f64)>> = (0..rows)
                .map(|_| {
                    (0..columns)
                        .map(|column| (column, rng.random_range(0.01..most)))
                        .collect()
                })
                .collect();
            Csr::from_rows(columns, entries)
        };
        let blocks = QbdBlocks {
            levels: vec![0; b],
            first: 1,
            boundary: block(b, b, 1.0),
            enter: block(b, m, 1.0),
            leave: block(m, b, 2.0),
            up: block(m, m, 1.0),
            local: block(m, m, 1.0),
            down: block(m, m, 1.5),
        };
        let chain = Qbd::new(blocks.clone()).expect("rates");
        let Ok(solution) = chain.solve() else {
            continue;
        };
        passed += 1;
        let residual = solution.verify(&chain).expect("right");
        assert!(residual <= solution.residual() + 1e-13);
        let other = Qbd::new(QbdBlocks {
            down: blocks.down.map(|_, _, rate| rate * 1.01),
            ..blocks
        });
        assert!(solution.verify(&other.expect("rates")).is_err());
    }
    assert!(passed > 20, "{passed} are stable");
}
