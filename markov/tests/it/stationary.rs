//! Stationary distributions: floats against fractions, closed forms, and what cannot be answered.

use markov::{Csr, Ctmc, Dtmc, Error, ErrorKind, Method, Rational, Scalar, Stationary};
use num_traits::FromPrimitive;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Rates = Vec<Vec<(usize, f64)>>;

fn fractions(rates: &Csr<f64>) -> Csr<Rational> {
    rates.map(|_, _, &rate| Rational::from_f64(rate).expect("a finite rate"))
}

/// The proven bound holds for each entry against fractions, and iterations agree where they converge.
fn check(rates: Rates) -> f64 {
    let rates = Csr::from_rows(rates.len(), rates);
    let exact = Ctmc::new(&fractions(&rates)).expect("a chain").stationary();
    let exact = exact.expect("one closed class");
    let chain = Ctmc::new(&rates).expect("a chain");
    let report = Stationary::new()
        .method(Method::Elimination)
        .solve(&chain)
        .expect("small");
    assert_eq!(report.error().kind, ErrorKind::Proven, "{rates:?}");
    let bound = Rational::from_f64(report.error().value).expect("finite");
    let mut worst = 0.0_f64;
    for (value, exact) in report.distribution().iter().zip(&exact) {
        let difference = Rational::from_f64(*value).expect("finite") - exact;
        if *exact == Rational::ratio(0, 1) {
            assert_eq!(*value, 0.0);
        } else if exact.to_float() > 1e-300 {
            let relative = difference / exact;
            let relative = if relative < Rational::ratio(0, 1) {
                -relative
            } else {
                relative
            };
            assert!(relative <= bound, "{value} for {exact}: {rates:?}");
            worst = worst.max(relative.to_float());
        }
    }
    assert!(report.residual() < 1e-14);
    worst
}

/// A cycle through random states, so that the chain is irreducible, and random moves.
fn random(rng: &mut ChaCha8Rng, states: usize, moves: usize, rate: impl Fn(&mut ChaCha8Rng) -> f64) -> Rates {
    let mut rows: Rates = (0..states).map(|i| vec![((i + 1) % states, rate(rng))]).collect();
    for _ in 0..moves {
        let (from, to) = (rng.random_range(0..states), rng.random_range(0..states));
        rows[from].push((to, rate(rng)));
    }
    for (state, row) in rows.iter_mut().enumerate() {
        row.retain(|&(to, _)| to != state);
    }
    rows
}

fn wide(rng: &mut ChaCha8Rng) -> f64 {
    10_f64.powf(rng.random_range(-30.0..30.0))
}

#[test]
fn floats_are_within_the_proven_bound_of_fractions() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for round in 0..120 {
        let states = rng.random_range(2..14);
        let moves = rng.random_range(0..3 * states);
        let rates = match round % 4 {
            0 => random(&mut rng, states, moves, |rng| rng.random_range(0.1..1.0)),
            // Badly scaled.
            1 => random(&mut rng, states, moves, wide),
            // Nearly decomposable: parity classes hardly linked.
            2 => {
                let mut rows = random(&mut rng, states, moves, |rng| rng.random());
                for (from, row) in rows.iter_mut().enumerate() {
                    row.iter_mut()
                        .filter(|(to, _)| (from + to) % 2 == 1)
                        .for_each(|(_, rate)| *rate *= 1e-14);
                }
                rows
            }
            // Transient states in front.
            _ => {
                let mut rows = random(&mut rng, states, moves, wide);
                rows.push(vec![(0, 1e-9), (states + 1, 3.0)]);
                rows.push(vec![(states, 2.0), (1, 1e9)]);
                rows
            }
        };
        check(rates);
    }
}

#[test]
fn full_matrices_are_within_the_proven_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..2 {
        check(random(&mut rng, 20, 600, wide));
    }
}

#[test]
fn an_absorbing_state_takes_all() {
    let rates = vec![vec![(1, 1.0)], vec![(0, 2.0), (2, 1e-8)], vec![]];
    assert_eq!(check(rates.clone()), 0.0);
    let chain = Ctmc::new(&Csr::from_rows(3, rates)).expect("a chain");
    for method in [Method::GaussSeidel, Method::Power] {
        let report = Stationary::new().method(method).solve(&chain).expect("easy");
        assert_eq!(report.distribution(), [0.0, 0.0, 1.0]);
    }
}

#[test]
fn a_row_that_nearly_always_returns_keeps_its_precision() {
    // Up with probability 1/2, else back to the start: weights halve 3,000 times, far below the range of floats.
    let rates: Rates = (0..3000).map(|i| vec![(0, 1.0), ((i + 1) % 3000, 1.0)]).collect();
    let chain = Ctmc::new(&Csr::from_rows(3000, rates)).expect("a chain");
    let report = Stationary::new().solve(&chain).expect("easy");
    assert_eq!(report.error().kind, ErrorKind::Proven);
    for (state, value) in report.distribution().iter().enumerate().take(1000) {
        let exact = 0.5_f64.powi(state as i32 + 1);
        assert!((value / exact - 1.0).abs() <= report.error().value, "{state}: {value}");
    }
    assert!(report.error().value < 1e-11);
}

#[test]
fn weights_may_leave_the_range_of_floats_on_the_way() {
    // Down by 1e100 for six states, then up again: between the ends lies 1e-600.
    let rates: Rates = (0..13)
        .map(|i| {
            let up = if i < 6 { 1e-50 } else { 1e50 };
            let down = if i <= 6 { 1e50 } else { 1e-50 };
            let mut row = Vec::new();
            row.extend((i < 12).then_some((i + 1, up)));
            row.extend((i > 0).then(|| (i - 1, down)));
            row
        })
        .collect();
    check(rates);
}

#[test]
fn a_float_that_is_lost_is_no_proof() {
    let rates = Csr::from_rows(3, [vec![(1, 1e300), (2, 1e-300)], vec![(0, 1.0)], vec![(0, 1.0)]]);
    let report = Stationary::new()
        .solve(&Ctmc::new(&rates).expect("a chain"))
        .expect("small");
    assert_eq!(report.error().kind, ErrorKind::Estimated);
}

#[test]
fn a_queue_with_room_for_some() {
    for (load, room) in [(0.5, 10), (1.0, 40), (3.0, 25)] {
        let rates: Rates = (0..=room)
            .map(|i| {
                let up = (i < room).then_some((i + 1, load));
                up.into_iter().chain((i > 0).then(|| (i - 1, 1.0))).collect()
            })
            .collect();
        let chain = Ctmc::new(&Csr::from_rows(room + 1, rates)).expect("a chain");
        let powers: Vec<f64> = (0..=room).map(|i| f64::powi(load, i as i32)).collect();
        let sum: f64 = powers.iter().sum();
        for method in [Method::Auto, Method::Elimination, Method::GaussSeidel, Method::Power] {
            let report = Stationary::new()
                .method(method)
                .iterations(100_000)
                .solve(&chain)
                .expect("it converges");
            let errors = report
                .distribution()
                .iter()
                .zip(&powers)
                .map(|(x, power)| (x - power / sum).abs());
            assert!(errors.sum::<f64>() < 1e-11, "{method:?} at load {load}");
            assert!(method == Method::Auto || report.method() == method);
        }
    }
}

#[test]
fn stiff_births_and_deaths_to_the_last_digits() {
    let up = |i: usize| 10_f64.powf(3.0 * (i as f64).sin());
    let down = |i: usize| 10_f64.powf(3.0 * (1.7 * i as f64).cos());
    let rates: Rates = (0..150)
        .map(|i| {
            let row = (i < 149).then(|| (i + 1, up(i)));
            row.into_iter().chain((i > 0).then(|| (i - 1, down(i)))).collect()
        })
        .collect();
    let worst = check(rates);
    assert!(worst < 1e-13, "{worst}");
}

#[test]
fn periodic_chains_have_shares_of_time() {
    // Against the direction of sweeps, where undamped ones swap for ever.
    for states in [2, 3, 10, 51] {
        let back = Csr::from_rows(states, (0..states).map(|i| [((i + states - 1) % states, 1.0)]));
        let chain = Dtmc::new(&back).expect("a chain");
        assert_eq!(chain.periods(), [states]);
        for method in [Method::Auto, Method::GaussSeidel, Method::Power] {
            let report = Stationary::new()
                .method(method)
                .solve_dtmc(&chain)
                .expect("it converges");
            for value in report.distribution() {
                assert!((value * states as f64 - 1.0).abs() < 1e-9, "{method:?}");
            }
        }
    }
}

#[test]
fn sweeps_from_a_start_off_balance_converge_on_periodic_chains() {
    // Two sides with different weights: 0 and 1 lead to 2, which leads to them, at three to one.
    let rates = Csr::from_rows(
        4,
        [
            vec![(2, 1.0)],
            vec![(3, 1.0)],
            vec![(1, 1.0)],
            vec![(0, 0.75), (1, 0.25)],
        ],
    );
    let chain = Dtmc::new(&rates).expect("a chain");
    let exact = Stationary::new().solve_dtmc(&chain).expect("small");
    for method in [Method::GaussSeidel, Method::Power] {
        let report = Stationary::new()
            .method(method)
            .solve_dtmc(&chain)
            .expect("it converges");
        let errors = report.distribution().iter().zip(exact.distribution());
        assert!(errors.map(|(x, y)| (x - y).abs()).sum::<f64>() < 1e-11);
    }
}

#[test]
fn large_random_chains_agree_by_all_methods() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let rates = random(&mut rng, 600, 6000, |rng| rng.random());
    let chain = Ctmc::new(&Csr::from_rows(600, rates)).expect("a chain");
    let proven = Stationary::new()
        .method(Method::Elimination)
        .solve(&chain)
        .expect("fits");
    assert_eq!(proven.error().kind, ErrorKind::Proven);
    for method in [Method::GaussSeidel, Method::Power] {
        let report = Stationary::new().method(method).solve(&chain).expect("it converges");
        let errors = report.distribution().iter().zip(proven.distribution());
        assert!(errors.map(|(x, y)| (x - y).abs()).sum::<f64>() < 1e-11);
        assert_eq!(report.error().kind, ErrorKind::Estimated);
    }
}

#[test]
fn states_that_nothing_leads_to_have_no_weight_in_large_chains() {
    // Enough moves for searches from the first state, once it is in the class and once it is not.
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut rates = random(&mut rng, 30_000, 260_000, |rng| rng.random());
    rates.push(vec![(3, 1.0), (5, 1e-30)]);
    let swapped = |state: usize| if state == 0 { 30_000 } else { state % 30_000 };
    let mut other: Rates = rates.clone();
    other.swap(0, 30_000);
    other.iter_mut().flatten().for_each(|(to, _)| *to = swapped(*to));
    let solve = |rates: Rates| {
        let chain = Ctmc::new(&Csr::from_rows(30_001, rates)).expect("a chain");
        Stationary::new()
            .solve(&chain)
            .expect("it converges")
            .into_distribution()
    };
    let (x, mut y) = (solve(rates), solve(other));
    assert_eq!((x[30_000], y[0]), (0.0, 0.0));
    y.swap(0, 30_000);
    assert!(x.iter().zip(&y).map(|(x, y)| (x - y).abs()).sum::<f64>() < 1e-11);
}

#[test]
fn limits_are_told() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let rates = random(&mut rng, 50, 300, |rng| rng.random());
    let chain = Ctmc::new(&Csr::from_rows(50, rates)).expect("a chain");
    let few = Stationary::new().method(Method::Power).iterations(3);
    let Err(Error::NotConverged {
        iterations: 3, best, ..
    }) = few.solve(&chain)
    else {
        panic!("three steps are too few");
    };
    assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let small = Stationary::new().method(Method::Elimination).fill(100);
    let limit = 100;
    assert_eq!(small.solve(&chain), Err(Error::TooLarge { what: "entries", limit }));
    assert!(matches!(
        Stationary::new().tolerance(f64::NAN).solve(&chain),
        Err(Error::Parameter { name: "tolerance", .. })
    ));
}

#[test]
fn iterations_do_not_pretend_on_chains_that_nearly_fall_apart() {
    // Two halves, linked by moves that no sweep shows.
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut rates = random(&mut rng, 100, 800, |rng| rng.random_range(0.5..1.0));
    let mut other = rates.clone();
    other.iter_mut().flatten().for_each(|(to, _)| *to += 100);
    rates.append(&mut other);
    rates[7].push((150, 3e-16));
    rates[190].push((20, 1e-16));
    let chain = Ctmc::new(&Csr::from_rows(200, rates.clone())).expect("a chain");
    for method in [Method::GaussSeidel, Method::Power] {
        let answer = Stationary::new().method(method).solve(&chain);
        assert!(matches!(answer, Err(Error::NotConverged { .. })), "{method:?}");
    }
    let report = Stationary::new().solve(&chain).expect("small");
    assert_eq!(
        (report.method(), report.error().kind),
        (Method::Elimination, ErrorKind::Proven)
    );
    // Flows between the halves balance.
    let x = report.distribution();
    assert!((x[7] * 3e-16 / (x[190] * 1e-16) - 1.0).abs() < 1e-10);
}

/// 0 leads to 1 with probability 1/4, and to the cycle of 2 and 3 with 3/4.
fn two_classes<T: Scalar>() -> Dtmc<T> {
    let r = |a, b| T::ratio(a, b);
    let rows = [
        vec![(0, r(1, 2)), (1, r(1, 8)), (2, r(3, 8))],
        vec![(1, r(1, 1))],
        vec![(3, r(1, 1))],
        vec![(2, r(1, 3)), (3, r(2, 3))],
    ];
    Dtmc::new(&Csr::from_rows(4, rows)).expect("a chain")
}

#[test]
fn closed_classes_are_named_and_have_their_own_answers() {
    let chain = two_classes::<f64>();
    let Err(Error::Reducible { mut classes }) = chain.stationary() else {
        panic!("two closed classes");
    };
    classes.sort();
    assert_eq!(classes, [vec![1], vec![2, 3]]);
    let report = Stationary::new().solve_class_dtmc(&chain, 3).expect("a closed class");
    assert_eq!(report.distribution()[..3], [0.0, 0.0, 0.25]);
    assert_eq!(
        Stationary::new().solve_class_dtmc(&chain, 0),
        Err(Error::Transient { state: 0 })
    );
    let report = chain.long_run(&[1.0, 0.0, 0.0, 0.0]).expect("a start");
    for (value, expected) in report.iter().zip([0.0, 0.25, 0.1875, 0.5625]) {
        assert!((value - expected).abs() < 1e-15);
    }
}

#[test]
fn the_long_run_in_fractions() {
    let r = Rational::ratio;
    let chain = two_classes::<Rational>();
    let start = [r(1, 2), r(1, 2), r(0, 1), r(0, 1)];
    let expected = [r(0, 1), r(5, 8), r(3, 32), r(9, 32)];
    assert_eq!(chain.long_run(&start).expect("a start"), expected);
    let wrong = [r(1, 2), r(1, 3), r(0, 1), r(0, 1)];
    assert!(matches!(
        chain.long_run(&wrong),
        Err(Error::NotADistribution { wrong: None, .. })
    ));
}

#[test]
fn the_long_run_has_a_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..40 {
        // Two closed classes, and twelve states in front of them with rates of all sizes.
        let mut rates = random(&mut rng, 5, 6, wide);
        let mut other = random(&mut rng, 4, 3, wide);
        other.iter_mut().flatten().for_each(|(to, _)| *to += 5);
        rates.append(&mut other);
        for state in 9..21 {
            let row: Vec<(usize, f64)> = (0..3).map(|_| (rng.random_range(0..21), wide(&mut rng))).collect();
            let back = (rng.random_range(0..state), wide(&mut rng));
            rates.push(row.into_iter().chain([back]).filter(|&(to, _)| to != state).collect());
        }
        let rates = Csr::from_rows(21, rates);
        let start: Vec<f64> = (0..21).map(|state| if state >= 13 { 0.125 } else { 0.0 }).collect();
        let report = Stationary::new()
            .long_run(&Ctmc::new(&rates).expect("a chain"), &start)
            .expect("small");
        assert_eq!(report.error().kind, ErrorKind::Proven);
        assert!(report.error().value < 1e-11);
        let start: Vec<Rational> = start
            .iter()
            .map(|&mass| Rational::from_f64(mass).expect("finite"))
            .collect();
        let exact = Ctmc::new(&fractions(&rates))
            .expect("a chain")
            .long_run(&start)
            .expect("a start");
        for (&value, exact) in report.distribution().iter().zip(&exact) {
            let exact = exact.to_float();
            assert!(exact < 1e-300 || (value - exact).abs() <= (report.error().value + 1e-15) * exact);
        }
    }
    let few = Stationary::new().fill(3).long_run(
        &Ctmc::new(&Csr::from_rows(
            6,
            (0..6_usize).map(|i| {
                if i < 5 {
                    vec![((i + 1) % 5, 1.0), (5, 1.0)]
                } else {
                    vec![]
                }
            }),
        ))
        .expect("a chain"),
        &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    );
    assert_eq!(
        few,
        Err(Error::TooLarge {
            what: "entries",
            limit: 3
        })
    );
}

/// Blocks of random states that hardly lead to each other.
fn nearly_decomposable(rng: &mut ChaCha8Rng, blocks: usize, size: usize, coupling: f64) -> Rates {
    let mut rates: Rates = Vec::new();
    for block in 0..blocks {
        let first = block * size;
        let within = random(rng, size, 4 * size, |rng| rng.random_range(0.1..1.0));
        rates.extend(
            within
                .into_iter()
                .map(|row| row.into_iter().map(|(to, rate)| (to + first, rate)).collect()),
        );
        for _ in 0..size / 4 {
            let (from, to) = (first + rng.random_range(0..size), rng.random_range(0..blocks * size));
            rates[from].push((to, coupling * rng.random_range(0.1..1.0)));
        }
        // So that the chain is irreducible.
        rates[first].push((((block + 1) % blocks) * size, coupling));
    }
    for (state, row) in rates.iter_mut().enumerate() {
        row.retain(|&(to, _)| to != state);
    }
    rates
}

#[test]
fn estimates_hold_on_chains_that_mix_slowly() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut converged = 0;
    for round in 0..60 {
        let coupling = 10_f64.powi(-(round % 6));
        let chain = Ctmc::new(&Csr::from_rows(60, nearly_decomposable(&mut rng, 3, 20, coupling))).expect("a chain");
        let proven = Stationary::new()
            .method(Method::Elimination)
            .solve(&chain)
            .expect("small");
        for method in [Method::GaussSeidel, Method::Power, Method::Aggregation] {
            let Ok(report) = Stationary::new().method(method).solve(&chain) else {
                assert!(method != Method::Aggregation, "coupling {coupling}");
                continue;
            };
            let pairs = report.distribution().iter().zip(proven.distribution());
            let off = pairs.map(|(x, y)| (x - y).abs()).sum::<f64>();
            let bound = report.error().value + proven.error().value;
            assert!(
                off <= bound && report.error().value <= 1e-12,
                "{method:?}, coupling {coupling}: {off:e}"
            );
            converged += 1;
        }
    }
    assert!(converged > 80, "{converged}");
}

#[test]
fn aggregation_solves_what_sweeps_do_not() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let chain = Ctmc::new(&Csr::from_rows(400, nearly_decomposable(&mut rng, 8, 50, 1e-7))).expect("a chain");
    let sweeps = Stationary::new().method(Method::GaussSeidel).solve(&chain);
    assert!(matches!(sweeps, Err(Error::NotConverged { .. })));
    let report = Stationary::new()
        .method(Method::Aggregation)
        .solve(&chain)
        .expect("it converges");
    let proven = Stationary::new()
        .method(Method::Elimination)
        .solve(&chain)
        .expect("fits");
    assert!(report.method() == Method::Aggregation && report.iterations() < 100);
    let pairs = report.distribution().iter().zip(proven.distribution());
    assert!(pairs.map(|(x, y)| (x - y).abs()).sum::<f64>() <= report.error().value + proven.error().value);
    // Found by itself where an elimination is not cheap.
    let rates = nearly_decomposable(&mut rng, 6, 2500, 1e-6);
    let chain = Ctmc::new(&Csr::from_rows(15_000, rates)).expect("a chain");
    let report = Stationary::new().fill(1_000_000).solve(&chain).expect("it converges");
    assert_eq!(
        (report.method(), report.residual() < 1e-13),
        (Method::Aggregation, true)
    );
}
