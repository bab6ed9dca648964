//! Every weighted graph on six vertices, and millions of random ones on up to ten, in every objective: each answer
//! and each witness checked, each optimum compared with a table over all vertex sets.
//!
//! `cargo run --release -p matching-core --example exhaustive -- [graphs on six vertices] [random graphs]`
//!
//! Without arguments a sample: `14348907 10000000` is the full run.

#[path = "../tests/it/small.rs"]
mod small;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use small::{Case, SubsetTable, random, ternary, ternary_count};

/// Checks `count` cases on all cores; returns the number of failures, the first of which are printed.
fn run(name: &str, count: u64, case: impl Fn(u64) -> Case + Sync) -> u64 {
    const BATCH: u64 = 1024;
    let (next, failures, start) = (AtomicU64::new(0), AtomicU64::new(0), Instant::now());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut table = SubsetTable::default();
                loop {
                    let first = next.fetch_add(BATCH, Ordering::Relaxed);
                    if first >= count {
                        return;
                    }
                    for number in first..count.min(first + BATCH) {
                        let outcome =
                            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case(number).check(&mut table)));
                        let failure = match outcome {
                            Ok(Ok(())) => continue,
                            Ok(Err(failure)) => failure,
                            Err(_) => format!("panic in {:?}", case(number)),
                        };
                        if failures.fetch_add(1, Ordering::Relaxed) < 5 {
                            println!("{name} {number}: {failure}");
                        }
                    }
                }
            });
        }
    });
    let (failures, seconds) = (failures.into_inner(), start.elapsed().as_secs_f64());
    println!("{name}: {count} graphs, 6 objectives each, {failures} failures, {seconds:.1} s on {threads} threads");
    failures
}

fn main() -> Result<(), &'static str> {
    let arguments: Option<Vec<u64>> = std::env::args().skip(1).map(|text| text.parse().ok()).collect();
    let (six, randoms) = match arguments.as_deref() {
        Some([]) => (20_000, 20_000),
        Some(&[six]) => (six, 20_000),
        Some(&[six, randoms]) => (six, randoms),
        _ => return Err("usage: exhaustive [GRAPHS ON SIX VERTICES] [RANDOM GRAPHS]"),
    };
    let six = six.min(ternary_count(6));
    // Spread a sample over all graphs: a step that shares no factor with their number visits each at most once.
    let step = if six == ternary_count(6) { 1 } else { 7_368_787 };
    let mut failures = 0;
    for n in 0..=5 {
        failures += run(&format!("ternary, {n} vertices"), ternary_count(n), |number| {
            ternary(n, number)
        });
    }
    failures += run("ternary, 6 vertices", six, |number| {
        ternary(6, number * step % ternary_count(6))
    });
    failures += run("random, up to 10 vertices", randoms, random);
    assert_eq!(failures, 0, "every answer must agree");
    Ok(())
}
