//! Times of the solvers for stationary distributions on five families, with what their answers are off by.
//!
//! `cargo run --release -p markov --example speed [random states]`

use std::sync::LazyLock;
use std::time::Instant;

use markov::{Csr, Ctmc, Dtmc, Error, Method, Stationary, StationaryReport};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() -> Result<(), Error> {
    stiff(100_000)?;
    patient(200)?;
    let states = std::env::args().nth(1).and_then(|text| text.parse().ok());
    for states in states.map_or(vec![10_000, 100_000], |states| vec![states]) {
        random(states)?;
    }
    for rooms in [200, 500, 1000] {
        side_by_side(rooms)?;
    }
    for coupling in [1e-2, 1e-4, 1e-6, 1e-9] {
        apart(20, 500, coupling)?;
    }
    Ok(())
}

/// Blocks of random states, of which one in ten leads to any state at a rate that is small.
fn apart(blocks: usize, size: usize, coupling: f64) -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let rows = (0..blocks * size).map(|state| {
        let first = state / size * size;
        let mut row: Vec<(usize, f64)> = (0..10)
            .map(|_| (first + rng.random_range(0..size), rng.random_range(0.1..1.0)))
            .collect();
        if rng.random_bool(0.1) {
            row.push((rng.random_range(0..blocks * size), coupling));
        }
        row
    });
    let chain = Ctmc::new(&Csr::from_rows(blocks * size, rows))?;
    for method in [Method::GaussSeidel, Method::Power, Method::Aggregation, Method::Auto] {
        let start = seconds();
        let found = Stationary::new().method(method).solve(&chain);
        let time = seconds() - start;
        let name = format!("{blocks} blocks of {size}, linked by {coupling:e}, {method:?}");
        match found {
            Ok(report) => show(&name, time, &report, "no other answer"),
            Err(error) => println!("{name}: {time:.3} s, {error}"),
        }
    }
    Ok(())
}

/// Two queues with so many rooms each, at loads of 0.95 and 0.855, each of which is as if it were alone.
fn side_by_side(rooms: usize) -> Result<(), Error> {
    let loads = [0.95, 0.855];
    let row = |state: usize| {
        let lengths = [state / rooms, state % rooms];
        let mut row = Vec::new();
        for ((length, step), load) in lengths.into_iter().zip([rooms, 1]).zip(loads) {
            row.extend((length + 1 < rooms).then_some((state + step, load)));
            row.extend((length > 0).then(|| (state - step, 1.0)));
        }
        row
    };
    let chain = Ctmc::new(&Csr::from_rows(rooms * rooms, (0..rooms * rooms).map(row)))?;
    let start = seconds();
    let found = Stationary::new().solve(&chain);
    let time = seconds() - start;
    let name = format!("two queues side by side, {rooms} rooms each");
    let report = match found {
        Ok(report) => report,
        Err(error) => {
            println!("{name}: {time:.3} s, {error}");
            return Ok(());
        }
    };
    let weight = |load: f64, length: usize| load.powi(length as i32) * (1.0 - load) / (1.0 - load.powi(rooms as i32));
    let known = |state: usize| weight(loads[0], state / rooms) * weight(loads[1], state % rooms);
    let distribution = report.distribution().iter().enumerate();
    let off: f64 = distribution.map(|(state, x)| (x - known(state)).abs()).sum();
    show(&name, time, &report, &format!("{off:.1e} in sum"));
    Ok(())
}

/// Processor time of this thread where the system tells it, else time by the clock.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = times.and_then(|times| times.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |time| time * 1e-9)
}

fn show(name: &str, time: f64, report: &StationaryReport, off: &str) {
    println!(
        "{name}: {time:.3} s, {:?}, {} iterations, residual {:.1e}, error at most {:.1e} ({:?}), found {off}",
        report.method(),
        report.iterations(),
        report.residual(),
        report.error().value,
        report.error().kind,
    );
}

/// Births and deaths with rates over many orders of magnitude, against products of ratios in twice the precision.
fn stiff(states: usize) -> Result<(), Error> {
    let up = |i: usize| 10_f64.powf(3.0 * (i as f64).sin());
    let down = |i: usize| 10_f64.powf(3.0 * (1.7 * i as f64).cos());
    let chain = Ctmc::new(&Csr::from_rows(
        states,
        (0..states).map(|i| {
            let up = (i + 1 < states).then(|| (i + 1, up(i)));
            up.into_iter().chain(i.checked_sub(1).map(|to| (to, down(i))))
        }),
    ))?;
    let start = seconds();
    let report = Stationary::new().solve(&chain)?;
    let time = seconds() - start;
    let x = report.distribution();
    let mut weights = vec![(1.0, 0.0)];
    for i in 1..states {
        weights.push(ratio(product(weights[i - 1], up(i - 1)), down(i)));
    }
    let sum: f64 = weights.iter().map(|weight| weight.0).sum();
    let off = x
        .iter()
        .zip(&weights)
        .map(|(x, weight)| (x / (weight.0 / sum) - 1.0).abs());
    show(
        "stiff birth and death",
        time,
        &report,
        &format!("{:.1e}", off.fold(0.0, f64::max)),
    );
    Ok(())
}

/// A number of twice the precision, as a sum, times a float.
fn product((high, low): (f64, f64), factor: f64) -> (f64, f64) {
    let first = high * factor;
    let second = high.mul_add(factor, -first) + low * factor;
    (first + second, second - ((first + second) - first))
}

fn ratio((high, low): (f64, f64), divisor: f64) -> (f64, f64) {
    let first = high / divisor;
    let second = ((-first).mul_add(divisor, high) + low) / divisor;
    (first + second, second - ((first + second) - first))
}

/// The pool of players of two kinds that wait for balanced teams of `n`, against its known distribution of sizes.
fn patient(n: usize) -> Result<(), Error> {
    let q = 0.3;
    let mut names = Vec::new();
    for size in 0..=2 * n {
        names.extend(
            (0..=size)
                .map(|u| (u, size - u))
                .filter(|(u, _)| size < 2 * n || u % 2 == 1),
        );
    }
    let number = |u: usize, v: usize| {
        let size = u + v;
        size * (size + 1) / 2 + if size < 2 * n { u } else { u / 2 }
    };
    let row = |&(u, v): &(usize, usize)| match u + v {
        size if size == 2 * n => [(number(0, 1), q), (number(1, 0), 1.0 - q)],
        size if size == 2 * n - 1 && u % 2 == 1 => [(0, q), (number(u, v + 1), 1.0 - q)],
        size if size == 2 * n - 1 => [(number(u + 1, v), q), (0, 1.0 - q)],
        _ => [(number(u + 1, v), q), (number(u, v + 1), 1.0 - q)],
    };
    let chain = Dtmc::new(&Csr::from_rows(names.len(), names.iter().map(row)))?;
    let start = seconds();
    let report = Stationary::new().solve_dtmc(&chain)?;
    let time = seconds() - start;
    let mut totals = vec![0.0; 2 * n + 1];
    for (&(u, v), x) in names.iter().zip(report.distribution()) {
        totals[u + v] += x;
    }
    let known = |size: usize| if size.is_multiple_of(2 * n) { 0.25 } else { 0.5 } / n as f64;
    let off = totals
        .iter()
        .enumerate()
        .map(|(size, total)| (total / known(size) - 1.0).abs());
    show(
        "patient pool",
        time,
        &report,
        &format!("{:.1e}", off.fold(0.0, f64::max)),
    );
    Ok(())
}

/// Ten random moves out of each state at random rates.
fn random(states: usize) -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let rows = (0..states).map(|_| {
        let row: Vec<(usize, f64)> = (0..10).map(|_| (rng.random_range(0..states), rng.random())).collect();
        row
    });
    let chain = Ctmc::new(&Csr::from_rows(states, rows))?;
    let start = seconds();
    let report = Stationary::new().tolerance(1e-10).solve(&chain)?;
    let time = seconds() - start;
    show(&format!("random, {states} states"), time, &report, "no other answer");
    Ok(())
}
