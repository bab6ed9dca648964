//! The dense engine against the sparse one on seeded random pools of every hard kind, on all cores:
//! `cargo run --release -p matching-core --example complete -- 100000`; a second number is the first seed. With
//! `sessions 1000`, so many changing pools against solves from scratch.

#[path = "../tests/it/crowds.rs"]
mod crowds;
#[path = "../tests/it/engines.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod engines;
#[path = "../tests/it/pools.rs"]
mod pools;
#[path = "../tests/it/ticks.rs"]
mod ticks;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
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

/// Ticks of one pool; one pool in twenty is large, one in ten is a crowd, and one in fifty a huge one.
fn run_session(seed: u64) -> Result<[u64; 2], String> {
    match seed % 50 {
        48 => run_crowd(seed, 1_200..=3_000, 6),
        kind if kind % 10 == 4 => run_crowd(seed, 200..=1_000, 12),
        kind if kind % 20 == 19 => run_pool(seed, 200..=600, 12),
        kind if kind % 2 == 0 => run_pool(seed, 0..=12, 60),
        _ => run_pool(seed, 10..=80, 60),
    }
}

fn run_pool(seed: u64, sizes: RangeInclusive<usize>, ticks: usize) -> Result<[u64; 2], String> {
    run_ticks(
        seed,
        ticks,
        || ticks::Pool::new(seed, sizes),
        |pool| {
            pool.tick()
                .map_err(|message| format!("{message}\nafter {:?}", pool.log))
        },
    )
}

fn run_crowd(seed: u64, sizes: RangeInclusive<usize>, ticks: usize) -> Result<[u64; 2], String> {
    run_ticks(
        seed,
        ticks,
        || crowds::Crowd::new(seed, sizes),
        |crowd| {
            crowd
                .tick()
                .map_err(|message| format!("{message}\nafter {:?}", crowd.log))
        },
    )
}

fn run_ticks<P>(
    seed: u64,
    ticks: usize,
    new: impl FnOnce() -> P,
    tick: impl Fn(&mut P) -> Result<ticks::Tick, String>,
) -> Result<[u64; 2], String> {
    let mut endings = [0; 2];
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut pool = new();
        for at in 0..ticks {
            let ending = tick(&mut pool).map_err(|message| format!("tick {at}: {message}"))?;
            endings[ending as usize] += 1;
        }
        Ok::<(), String>(())
    }));
    match result {
        Ok(Ok(())) => Ok(endings),
        Ok(Err(message)) => Err(format!("seed {seed}: {message}")),
        Err(_) => Err(format!("seed {seed}: panicked")),
    }
}

/// Runs all seeds on all cores and hands over what each of them gave, until one of them fails.
fn for_seeds<T: Send>(
    seeds: std::ops::Range<u64>,
    run: impl Fn(u64) -> Result<T, String> + Sync,
    done: impl FnMut(T) + Send,
) -> Result<(), String> {
    let next = AtomicU64::new(seeds.start);
    let state = Mutex::new((done, Ok(())));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let result = run(seed);
                    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                    match result {
                        Ok(result) => (state.0)(result),
                        Err(message) => {
                            next.store(seeds.end, Ordering::Relaxed);
                            state.1 = Err(message);
                        }
                    }
                }
            });
        }
    });
    state.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

fn pools(seeds: std::ops::Range<u64>) -> Result<String, String> {
    let mut counts = Counts::new();
    let total = seeds.end - seeds.start;
    let result = for_seeds(seeds, run, |(classes, ending)| count(&mut counts, &classes, ending));
    println!(
        "{:34} {:>9} {:>9} {:>10} {:>9}",
        "class", "dense", "no pairs", "infeasible", "refused"
    );
    for ((kind, name), [dense, sparse, infeasible, refused]) in &counts {
        println!(
            "{:34} {dense:9} {sparse:9} {infeasible:10} {refused:9}",
            format!("{kind}: {name}")
        );
    }
    result.map(|()| format!("{total} pools: both engines agree, all answers verified"))
}

fn sessions(seeds: std::ops::Range<u64>) -> Result<String, String> {
    let total = seeds.end - seeds.start;
    let mut sums = [0; 2];
    for_seeds(seeds, run_session, |endings| {
        sums.iter_mut().zip(endings).for_each(|(sum, count)| *sum += count);
    })?;
    let [solved, infeasible] = sums;
    Ok(format!(
        "{total} sessions, {} ticks: {solved} solved as from scratch, {infeasible} infeasible as from scratch",
        solved + infeasible
    ))
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let is_session = words.first().is_some_and(|word| word == "sessions");
    words.drain(..usize::from(is_session));
    let numbers: Option<Vec<u64>> = words.iter().map(|text| text.parse().ok()).collect();
    let seeds = match numbers.as_deref() {
        Some([]) => 0..1_000,
        Some(&[total]) => 0..total,
        Some(&[total, first]) => first..first.saturating_add(total),
        _ => {
            eprintln!("usage: complete [sessions] [NUMBER] [FIRST SEED]");
            return ExitCode::FAILURE;
        }
    };
    match if is_session { sessions(seeds) } else { pools(seeds) } {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
