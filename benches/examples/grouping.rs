//! What each engine reaches in the same time, on one thread.
//!
//! ```text
//! cargo run --release -p benches --example grouping -- [--seconds S | --work EVALUATIONS] [--seeds N | --seeds FROM..TO]
//!     [--engines A,B] [--best GAIN] [--progress] [FILE or SIZE or SIZE:SEED ...]
//! ```
//!
//! A `SIZE` (120, 240, 480, 960, 2000) is a random instance, of seed 1 unless said otherwise, a `FILE` one of MDGPLIB.
//! Printed are the gains of each seed as gaps in percent to the best of all runs of this call, or to `--best GAIN`.
//! With `--progress` a line for each improvement, so that a run that is broken off is of use.

use std::error::Error;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use benches::groups::GroupInstance;
use matching_heuristics::{Engine, Groups, Instance, Progress, Search};

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let options = Options::parse(std::env::args().skip(1))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        options
            .instances
            .iter()
            .try_for_each(|problem| compare(problem, &options))
    })
}

const USAGE: &str = "usage: grouping [--seconds S | --work EVALUATIONS] [--seeds N | --seeds FROM..TO] [--engines A,B] [--best GAIN] \
                     [--progress] [FILE or SIZE or SIZE:SEED ...]";

/// What ends a run.
#[derive(Clone, Copy)]
enum Limit {
    Time(Duration),
    Work(u64),
}

struct Options {
    limit: Limit,
    seeds: Range<u64>,
    best: Option<f64>,
    engines: Vec<Engine>,
    instances: Vec<GroupInstance>,
    /// Whether each improvement is printed.
    progress: bool,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut options = Self {
            limit: Limit::Time(Duration::from_secs(1)),
            seeds: 0..5,
            best: None,
            engines: Engine::ALL.to_vec(),
            instances: Vec::new(),
            progress: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--seconds" => options.limit = Limit::Time(seconds(&value()?)?),
                "--work" => options.limit = Limit::Work(work(&value()?)?),
                "--seeds" => options.seeds = seeds(&value()?)?,
                "--best" => options.best = Some(gain(&value()?)?),
                "--engines" => options.engines = value()?.split(',').map(engine).collect::<Result<_, _>>()?,
                "--progress" => options.progress = true,
                option if option.starts_with("--") => return Err(USAGE.into()),
                _ => options.instances.push(read(&argument)?),
            }
        }
        if options.instances.is_empty() {
            options.instances = vec![GroupInstance::random(120, 1)?, GroupInstance::random(480, 1)?];
        }
        Ok(options)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().map(Duration::try_from_secs_f64);
    time.and_then(Result::ok)
        .ok_or(format!("{text:?} seconds: a number from 0 on"))
}

/// A whole number, which may be written with an exponent.
fn work(text: &str) -> Result<u64, String> {
    let evaluations = text.parse::<f64>().ok().filter(|&evaluations| evaluations >= 0.0);
    let evaluations = evaluations.map(|evaluations| evaluations as u64);
    evaluations.ok_or(format!("{text:?} evaluations: a number from 0 on"))
}

fn gain(text: &str) -> Result<f64, String> {
    let gain = text.parse().ok().filter(|gain: &f64| gain.is_finite());
    gain.ok_or(format!("{text:?} is not a gain"))
}

/// `N` seeds from 0 on, or `FROM..TO`.
fn seeds(text: &str) -> Result<Range<u64>, String> {
    let (from, to) = text.split_once("..").unwrap_or(("0", text));
    let seeds = from.parse().ok().zip(to.parse().ok()).map(|(from, to)| from..to);
    let seeds = seeds.filter(|seeds| !seeds.is_empty());
    seeds.ok_or(format!("{text:?} seeds: a number of them, or FROM..TO"))
}

fn engine(name: &str) -> Result<Engine, String> {
    Engine::from_name(name).ok_or(format!("no engine {name}"))
}

/// A size, a size and a seed, or else a file.
fn read(text: &str) -> Result<GroupInstance, Box<dyn Error + Send + Sync>> {
    let (size, seed) = text.split_once(':').unwrap_or((text, "1"));
    match (size.parse(), seed.parse()) {
        (Ok(players), Ok(seed)) => GroupInstance::random(players, seed),
        _ => GroupInstance::from_mdgplib(Path::new(text)),
    }
}

/// Runs all engines with all seeds, and prints how far each stays behind the best.
fn compare(problem: &GroupInstance, options: &Options) -> Result<(), Box<dyn Error + Send + Sync>> {
    let instance = Instance::pairwise(&problem.cost, Groups::with_bounds(problem.sizes.clone())?)?;
    let mut rows = Vec::new();
    for &engine in &options.engines {
        let (mut gains, mut work, start) = (Vec::new(), 0, Instant::now());
        for seed in options.seeds.clone() {
            let best = Mutex::new(f64::INFINITY);
            let print = |progress: &Progress| improved(progress, engine, seed, &best);
            let search = Search::with(&instance, engine).seed(seed);
            let search = match options.limit {
                Limit::Time(limit) => search.time(limit),
                Limit::Work(evaluations) => search.work(evaluations),
            };
            let found = if options.progress {
                search.observer(&print).run()?
            } else {
                search.run()?
            };
            gains.push(GroupInstance::gain(found.cost() as f64));
            work += found.work();
        }
        rows.push((engine, gains, work as f64 / start.elapsed().as_secs_f64()));
    }
    let found = rows
        .iter()
        .flat_map(|(_, gains, _)| gains)
        .copied()
        .fold(f64::MIN, f64::max);
    let best = options.best.unwrap_or(found);
    let limit = match options.limit {
        Limit::Time(limit) => format!("{} s", limit.as_secs_f64()),
        Limit::Work(evaluations) => format!("{evaluations:.2e} moves", evaluations = evaluations as f64),
    };
    println!(
        "{}, {} players, {limit}: best {found:.3}, gaps to {best:.3}",
        problem.name,
        problem.players()
    );
    for (engine, gains, rate) in rows {
        let mut gaps: Vec<f64> = gains.iter().map(|gain| (best - gain) / best * 100.0).collect();
        gaps.sort_by(f64::total_cmp);
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        println!("{:13} mean {mean:.4} %  {gaps:.4?}  {rate:.2e} moves/s", engine.name());
    }
    Ok(())
}

/// Prints what is better than anything that this run has found, once for each walk.
fn improved(progress: &Progress, engine: Engine, seed: u64, best: &Mutex<f64>) {
    let mut best = best.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if progress.cost < *best {
        *best = progress.cost;
        let (name, walk, elapsed) = (engine.name(), progress.walk, progress.elapsed);
        println!(
            "{name} seed {seed} walk {walk}: {} by {:.2e} moves, {elapsed:.1?}",
            progress.cost, progress.work as f64
        );
    }
}
