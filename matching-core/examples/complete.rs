//! The dense engine against the sparse one on seeded random pools of every hard kind, on all cores:
//! `cargo run --release -p matching-core --example complete -- 100000`; a second number is the first seed.

#[path = "../tests/it/engines.rs"]
#[allow(dead_code)]
mod engines;
#[path = "../tests/it/pools.rs"]
mod pools;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use engines::{Classes, Ending};

/// For each class how many cases ended how: dense, sparse, infeasible, refused.
type Counts = BTreeMap<(&'static str, String), [u64; 4]>;

fn count(counts: &mut Counts, classes: &Classes, ending: Ending) {
    let names = [
        ("costs", classes.costs.to_string()),
        ("allowed", classes.allowed.to_string()),
        ("numbers", classes.numbers.to_string()),
        ("objective", classes.objective.to_string()),
        ("form", format!("{:?}", classes.form)),
    ];
    for name in names {
        counts.entry(name).or_default()[ending as usize] += 1;
    }
}

/// One case in a hundred is large.
fn run(seed: u64) -> Result<(Classes, Ending), String> {
    let sizes = if seed % 101 == 100 { 100..=300 } else { 2..=60 };
    let result = catch_unwind(AssertUnwindSafe(|| engines::run(seed, sizes)));
    let (classes, ending) = result.map_err(|_| format!("seed {seed}: panicked"))?;
    match ending {
        Ok(ending) => Ok((classes, ending)),
        Err(message) => Err(format!("seed {seed}: {classes:?}: {message}")),
    }
}

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let (total, first) = (numbers.next().unwrap_or(2_000), numbers.next().unwrap_or(0));
    let next = AtomicU64::new(first);
    let counts = Mutex::new(Counts::new());
    let failure = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + total {
                        return;
                    }
                    match run(seed) {
                        Ok((classes, ending)) => {
                            let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
                            count(&mut counts, &classes, ending);
                        }
                        Err(message) => {
                            failure
                                .lock()
                                .unwrap_or_else(PoisonError::into_inner)
                                .get_or_insert(message);
                            next.store(u64::MAX / 2, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!(
        "{:32} {:>9} {:>9} {:>10} {:>9}",
        "class", "dense", "no pairs", "infeasible", "refused"
    );
    for ((kind, name), [dense, sparse, infeasible, refused]) in &counts {
        println!(
            "{:32} {dense:9} {sparse:9} {infeasible:10} {refused:9}",
            format!("{kind}: {name}")
        );
    }
    if let Some(message) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        eprintln!("{message}");
        return ExitCode::FAILURE;
    }
    println!("{total} pools: both engines agree, all answers verified");
    ExitCode::SUCCESS
}
