//! What each engine reaches in the same time, on one thread.
//!
//! ```text
//! cargo run --release -p benches --example grouping -- [--seconds S] [--seeds N] [--engines A,B] [FILE or SIZE ...]
//! ```
//!
//! A `SIZE` (120, 240, 480, 960, 2000) is a random instance, a `FILE` one of MDGPLIB. Printed are the gains of each seed as
//! gaps in percent to the best of all runs of this call, or to `--best GAIN`.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use benches::groups::GroupInstance;
use matching_heuristics::{Engine, Groups, Instance, Search};

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

struct Options {
    seconds: f64,
    seeds: u64,
    best: Option<f64>,
    engines: Vec<Engine>,
    instances: Vec<GroupInstance>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let mut options = Self {
            seconds: 1.0,
            seeds: 5,
            best: None,
            engines: Engine::ALL.to_vec(),
            instances: Vec::new(),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--seconds" => options.seconds = value()?.parse()?,
                "--seeds" => options.seeds = value()?.parse()?,
                "--best" => options.best = Some(value()?.parse()?),
                "--engines" => options.engines = value()?.split(',').map(engine).collect::<Result<_, _>>()?,
                _ => options.instances.push(match argument.parse() {
                    Ok(players) => GroupInstance::random(players, 1)?,
                    Err(_) => GroupInstance::from_mdgplib(Path::new(&argument))?,
                }),
            }
        }
        if options.instances.is_empty() {
            options.instances = vec![GroupInstance::random(120, 1)?, GroupInstance::random(480, 1)?];
        }
        Ok(options)
    }
}

fn engine(name: &str) -> Result<Engine, String> {
    Engine::from_name(name).ok_or(format!("no engine {name}"))
}

/// Runs all engines with all seeds, and prints how far each stays behind the best.
fn compare(problem: &GroupInstance, options: &Options) -> Result<(), Box<dyn Error + Send + Sync>> {
    let instance = Instance::pairwise(&problem.cost, Groups::with_bounds(problem.sizes.clone())?)?;
    let mut rows = Vec::new();
    for &engine in &options.engines {
        let (mut gains, mut work) = (Vec::new(), 0);
        for seed in 0..options.seeds {
            let search = Search::with(&instance, engine).time(Duration::from_secs_f64(options.seconds));
            let found = search.seed(seed).run()?;
            gains.push(GroupInstance::gain(found.cost() as f64));
            work += found.work();
        }
        rows.push((engine, gains, work));
    }
    let found = rows
        .iter()
        .flat_map(|(_, gains, _)| gains)
        .copied()
        .fold(f64::MIN, f64::max);
    let best = options.best.unwrap_or(found);
    println!(
        "{}, {} players, {} s: best {found:.3}, gaps to {best:.3}",
        problem.name,
        problem.players(),
        options.seconds
    );
    for (engine, gains, work) in rows {
        let mut gaps: Vec<f64> = gains.iter().map(|gain| (best - gain) / best * 100.0).collect();
        gaps.sort_by(f64::total_cmp);
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let rate = work as f64 / (options.seconds * gaps.len() as f64);
        println!("{:13} mean {mean:.4} %  {gaps:.4?}  {rate:.2e} moves/s", engine.name());
    }
    Ok(())
}
