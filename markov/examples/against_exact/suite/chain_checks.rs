//! Answers about chains against exact ones.

use markov::passage::Passage;
use markov::{Csr, Ctmc, Dtmc, Error, ErrorKind, Method, Rational, Scalar, Stationary, StationaryReport};
use num_traits::{Signed, Zero};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::chains::Rates;
use super::exact::{self, Matrix, fraction};
use super::tally::{Answer, Tally};

/// What answers without a bound must reach, relative to each number: eliminations of so few states, all sums positive.
const RELATIVE: f64 = 1e-12;
/// Relative errors of smaller numbers mean nothing.
const NORMAL: f64 = 1e-300;

const METHODS: [(Method, &str); 5] = [
    (Method::Auto, "stationary, auto"),
    (Method::Elimination, "stationary, elimination"),
    (Method::GaussSeidel, "stationary, Gauss-Seidel"),
    (Method::Power, "stationary, power"),
    (Method::Aggregation, "stationary, aggregation"),
];

pub(crate) fn continuous(tally: &mut Tally, case: usize, kind: &str, rates: &Rates, rng: &mut ChaCha8Rng) {
    tally.case = format!("case {case}, {kind}, rates {rates:?}");
    let n = rates.len();
    let full = matrix(rates);
    let chain = Ctmc::new(&Csr::from_rows(n, rates.clone())).expect("a chain");
    let fractions = Ctmc::new(&chain.rates().map(|_, _, &rate| fraction(rate))).expect("a chain");
    let long_run = exact::long_run(&full);
    stationary(tally, &full, &long_run, |solver| solver.solve(&chain));
    stationary_in_fractions(tally, &full, &long_run, &fractions.stationary());
    let start = distribution(n, rng);
    mixture(tally, "long run", &start, &long_run, &chain.long_run(&start));
    bounded(tally, &start, &long_run, &Stationary::new().long_run(&chain, &start));
    let caught = exact::absorption(&full, &exact::closed_classes(&full));
    mixture(tally, "absorption", &start, &caught, &chain.absorption(&start));
    let target = target(n, rng);
    let passage = Passage::ctmc(&chain, &target);
    passages(tally, &full, &target, passage, |count| {
        exact::continuous_moments(&full, &target, count)
    });
}

pub(crate) fn discrete(tally: &mut Tally, case: usize, kind: &str, rates: &Rates, rng: &mut ChaCha8Rng) {
    let rows = probabilities(rates, kind, rng);
    tally.case = format!("case {case}, {kind}, probabilities {rows:?}");
    let n = rows.len();
    let full = matrix(&rows);
    let chain = Dtmc::new(&Csr::from_rows(n, rows)).expect("a chain");
    let long_run = exact::long_run(&full);
    stationary(tally, &full, &long_run, |solver| solver.solve_dtmc(&chain));
    let start = distribution(n, rng);
    mixture(tally, "long run", &start, &long_run, &chain.long_run(&start));
    bounded(
        tally,
        &start,
        &long_run,
        &Stationary::new().long_run_dtmc(&chain, &start),
    );
    let caught = exact::absorption(&full, &exact::closed_classes(&full));
    mixture(tally, "absorption", &start, &caught, &chain.absorption(&start));
    let target = target(n, rng);
    let passage = Passage::dtmc(&chain, &target);
    passages(tally, &full, &target, passage, |count| {
        exact::discrete_moments(&full, &target, count)
    });
    steps(tally, &full, &chain, &start, rng.random_range(0..8));
}

fn matrix(rows: &Rates) -> Matrix {
    let mut full = vec![vec![Rational::zero(); rows.len()]; rows.len()];
    for (from, row) in rows.iter().enumerate() {
        for &(to, value) in row {
            full[from][to] += fraction(value);
        }
    }
    full
}

/// Probabilities in proportion to rates: the jumps of the chain, or (always where rates differ much) a chain that
/// mostly stays.
fn probabilities(rates: &Rates, kind: &str, rng: &mut ChaCha8Rng) -> Rates {
    let sum = |row: &[(usize, f64)]| row.iter().map(|&(_, rate)| rate).sum::<f64>();
    let largest = rates.iter().map(|row| sum(row)).fold(1e-300, f64::max) * 2.0;
    let stays = kind != "chain, periodic" && (kind == "chain, badly scaled" || rng.random());
    let row = |(state, row): (usize, &Vec<(usize, f64)>)| {
        let scale = if stays { largest } else { sum(row) };
        let mut moves: Vec<(usize, f64)> = row.iter().map(|&(to, rate)| (to, rate / scale)).collect();
        if stays || row.is_empty() {
            moves.push((state, 1.0 - sum(&moves)));
        }
        moves
    };
    rates.iter().enumerate().map(row).collect()
}

fn distribution(n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut start = vec![0.0; n];
    for _ in 0..8 {
        start[rng.random_range(0..n)] += 0.125;
    }
    start
}

fn target(n: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let count = if rng.random_bool(0.3) { n.min(2) } else { 1 };
    (0..count).map(|_| rng.random_range(0..n)).collect()
}

/// Whether a float is a fraction but for a relative error.
fn is_near(value: f64, exact: &Rational, relative: f64) -> bool {
    let size = exact.abs().to_float();
    if size < NORMAL {
        return value.abs() <= 2.0 * NORMAL;
    }
    value.is_finite() && ((fraction(value) - exact) / exact).abs().to_float() <= relative
}

fn stationary(
    tally: &mut Tally,
    full: &Matrix,
    long_run: &Matrix,
    solve: impl Fn(&Stationary) -> Result<StationaryReport, Error>,
) {
    let classes = exact::closed_classes(full);
    for (method, what) in METHODS {
        let found = solve(&Stationary::new().method(method).iterations(2000));
        let answer = format!("{found:?}");
        let report = match found {
            Ok(report) if classes.len() == 1 => report,
            Err(Error::Reducible { classes: mut named }) => {
                named.sort();
                let is_right = classes.len() > 1 && named == classes;
                tally.expect(what, is_right, Answer::Refused, || answer.clone());
                continue;
            }
            Err(Error::NotConverged { .. } | Error::PrecisionLost)
                if !matches!(method, Method::Auto | Method::Elimination) =>
            {
                tally.count(what, Answer::NotConverged);
                continue;
            }
            _ => {
                tally.expect(what, false, Answer::Refused, || answer.clone());
                continue;
            }
        };
        let bound = report.error();
        let pairs = || report.distribution().iter().zip(&long_run[0]);
        let difference: Rational = pairs().map(|(&value, exact)| (fraction(value) - exact).abs()).sum();
        let is_within = bound.value.is_finite() && difference <= fraction(bound.value);
        if bound.kind == ErrorKind::Proven {
            let is_right = pairs().all(|(&value, exact)| is_within_relative(value, exact, bound.value));
            tally.expect(what, is_within && is_right, Answer::Proven, || {
                format!("{answer}, exactly {:?}", floats(&long_run[0]))
            });
        } else {
            tally.count(what, if is_within { Answer::Estimated } else { Answer::Missed });
            tally.compare(what, bound.value, difference.to_float());
        }
    }
}

/// Whether a proven relative bound holds, for numbers that are normal floats.
fn is_within_relative(value: f64, exact: &Rational, bound: f64) -> bool {
    let is_normal = exact.to_float() >= f64::MIN_POSITIVE;
    !is_normal && value < 2.0 * f64::MIN_POSITIVE || (fraction(value) - exact).abs() <= fraction(bound) * exact
}

fn floats(exact: &[Rational]) -> Vec<f64> {
    exact.iter().map(Scalar::to_float).collect()
}

fn stationary_in_fractions(tally: &mut Tally, full: &Matrix, long_run: &Matrix, found: &Result<Vec<Rational>, Error>) {
    let is_unique = exact::closed_classes(full).len() == 1;
    let (is_right, answer) = match found {
        Ok(found) => (is_unique && *found == long_run[0], Answer::Proven),
        Err(error) => (!is_unique && matches!(error, Error::Reducible { .. }), Answer::Refused),
    };
    tally.expect("stationary, fractions", is_right, answer, || format!("{found:?}"));
}

/// What depends on the start: that from each state weighed by the start.
fn mixed(start: &[f64], by_state: &Matrix) -> Vec<Rational> {
    let mut mixed = vec![Rational::zero(); by_state[0].len()];
    for (&mass, row) in start.iter().zip(by_state) {
        mixed
            .iter_mut()
            .zip(row)
            .for_each(|(sum, value)| *sum += fraction(mass) * value);
    }
    mixed
}

fn bounded(tally: &mut Tally, start: &[f64], by_state: &Matrix, found: &Result<StationaryReport, Error>) {
    let expected = mixed(start, by_state);
    let is_right = found.as_ref().is_ok_and(|report| {
        let mut pairs = report.distribution().iter().zip(&expected);
        let bound = report.error();
        bound.kind == ErrorKind::Proven && pairs.all(|(&value, exact)| is_within_relative(value, exact, bound.value))
    });
    tally.expect("long run, with a bound", is_right, Answer::Proven, || {
        format!("{found:?}, exactly {:?}", floats(&expected))
    });
}

fn mixture(tally: &mut Tally, what: &'static str, start: &[f64], by_state: &Matrix, found: &Result<Vec<f64>, Error>) {
    // Classes are numbered in an order of their own.
    let mut expected = mixed(start, by_state);
    let mut values = found.clone().unwrap_or_default();
    if what == "absorption" {
        expected.sort();
        values.sort_by(f64::total_cmp);
    }
    let is_near = |(&value, exact): (&f64, &Rational)| is_near(value, exact, RELATIVE);
    let is_right = values.len() == expected.len() && values.iter().zip(&expected).all(is_near);
    tally.expect(what, is_right, Answer::Estimated, || {
        format!("{found:?}, exactly {:?}", floats(&expected))
    });
}

fn passages(
    tally: &mut Tally,
    full: &Matrix,
    target: &[usize],
    found: Result<Passage<f64>, Error>,
    exact: impl Fn(usize) -> Matrix,
) {
    let what = "passage moments";
    let is_reached = exact::is_reached(full, target);
    match found {
        Ok(passage) if is_reached => {
            let (found, expected) = (passage.moments(3), exact(3));
            let mut pairs = found.iter().flatten().zip(expected.iter().flatten());
            let is_right = pairs.all(|(&value, exact)| match exact.to_float().is_finite() {
                true => is_near(value, exact, RELATIVE),
                false => value == f64::INFINITY,
            });
            let of = || {
                format!(
                    "to {target:?}: {found:?}, exactly {:?}",
                    expected.iter().map(|row| floats(row)).collect::<Vec<_>>()
                )
            };
            tally.expect(what, is_right, Answer::Estimated, of);
        }
        Err(Error::Unreachable { .. }) if !is_reached => tally.count(what, Answer::Refused),
        other => tally.expect(what, false, Answer::Refused, || {
            format!("to {target:?}: {:?}", other.as_ref().err())
        }),
    }
}

/// Steps of the chain as its floats stand: all terms are positive, and each step adds a rounding a term.
fn steps(tally: &mut Tally, full: &Matrix, chain: &Dtmc, start: &[f64], steps: usize) {
    let mut expected: Vec<Rational> = start.iter().map(|&mass| fraction(mass)).collect();
    let n = expected.len();
    for _ in 0..steps {
        expected = (0..n)
            .map(|j| (0..n).map(|i| &expected[i] * &full[i][j]).sum())
            .collect();
    }
    let found = chain.after(start, steps).expect("a distribution");
    let relative = (steps * (n + 1)) as f64 * f64::EPSILON;
    let is_right = found
        .iter()
        .zip(&expected)
        .all(|(&value, exact)| is_near(value, exact, relative));
    tally.expect("steps", is_right, Answer::Estimated, || {
        format!("{found:?}, exactly {:?}", floats(&expected))
    });
}
