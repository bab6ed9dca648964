//! What the annealing of `localsearch` and `argmin` and the engines of `matching-heuristics` reach in the same time, on
//! the same random instances and one thread.
//!
//! ```text
//! cargo run --release --manifest-path benches/peers/annealing/Cargo.toml -- \
//!     [--seconds S,...] [--seeds N] [--methods NAME,...] [--localsearch HOT,COLD] [--argmin HOT,COLD] [SIZE ...]
//! ```
//!
//! A `SIZE` is 120, 240, 480, 960 or 2000 players. Printed are gaps in percent to the best of all runs of this call on
//! the same instance, a mean over the seeds, and in brackets that of the best and the worst seed.

mod peers;
mod swaps;

use std::time::Duration;

use benches::groups::GroupInstance;
use matching_heuristics::{Engine, Groups, Instance, Search};
use peers::Cooling;
use swaps::Swaps;

type Fault = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Fault> {
    let options = Options::parse(std::env::args().skip(1))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("| n | method | {} |", headings(&options.seconds).join(" | "));
    println!("| --- | --- |{}", " --- |".repeat(options.seconds.len()));
    pool.install(|| options.sizes.iter().try_for_each(|&size| compare(size, &options)))
}

fn headings(seconds: &[f64]) -> Vec<String> {
    seconds.iter().map(|seconds| format!("{seconds} s")).collect()
}

/// Who solves.
#[derive(Clone, Copy)]
enum Method {
    Own(Engine),
    Localsearch(Cooling),
    Argmin(Cooling),
}

impl Method {
    fn name(self) -> String {
        match self {
            Self::Own(engine) => engine.name().to_owned(),
            Self::Localsearch(cooling) => format!("`localsearch` {cooling}"),
            Self::Argmin(cooling) => format!("`argmin` {cooling}"),
        }
    }

    /// The gain of what it finds in that time.
    fn run(self, problem: &GroupInstance, seconds: f64, seed: u64) -> Result<f64, Fault> {
        match self {
            Self::Own(engine) => {
                let instance = Instance::pairwise(&problem.cost, Groups::with_bounds(problem.sizes.clone())?)?;
                let search = Search::with(&instance, engine).time(Duration::from_secs_f64(seconds));
                Ok(GroupInstance::gain(search.seed(seed).run()?.cost() as f64))
            }
            Self::Localsearch(cooling) => peers::localsearch(&Swaps::new(problem)?, cooling, seconds, seed),
            Self::Argmin(cooling) => peers::argmin(&Swaps::new(problem)?, cooling, seconds, seed),
        }
    }
}

struct Options {
    seconds: Vec<f64>,
    seeds: u64,
    methods: Vec<Method>,
    sizes: Vec<usize>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, Fault> {
        let (mut seconds, mut seeds, mut names, mut sizes) = (vec![1.0], 3, None, Vec::new());
        let (mut of_localsearch, mut of_argmin) = (Cooling::LOCALSEARCH, Cooling::ARGMIN);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--seconds" => seconds = value()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
                "--seeds" => seeds = value()?.parse()?,
                "--methods" => names = Some(value()?),
                "--localsearch" => of_localsearch = value()?.parse()?,
                "--argmin" => of_argmin = value()?.parse()?,
                size => sizes.push(
                    size.parse()
                        .map_err(|_| format!("{size} is neither an option nor a size"))?,
                ),
            }
        }
        if seeds == 0 || seconds.iter().any(|seconds| !(0.001..=86_400.0).contains(seconds)) {
            return Err("--seeds from 1, --seconds from 0.001 to 86400".into());
        }
        if sizes.is_empty() {
            sizes = vec![120, 240, 480];
        }
        let method = |name: &str| match name {
            "localsearch" => Ok(Method::Localsearch(of_localsearch)),
            "argmin" => Ok(Method::Argmin(of_argmin)),
            _ => Engine::from_name(name)
                .map(Method::Own)
                .ok_or(format!("no method {name}")),
        };
        let methods = match names {
            Some(names) => names.split(',').map(method).collect::<Result<_, _>>()?,
            // `auto` is another name of one of the others.
            None => {
                let engines = Engine::ALL.into_iter().filter(|&engine| engine != Engine::Auto);
                let peers = [Method::Localsearch(of_localsearch), Method::Argmin(of_argmin)];
                peers.into_iter().chain(engines.map(Method::Own)).collect()
            }
        };
        Ok(Self {
            seconds,
            seeds,
            methods,
            sizes,
        })
    }
}

/// Runs all methods with all times and seeds on the instance of that size, and prints how far each stays behind the
/// best.
fn compare(size: usize, options: &Options) -> Result<(), Fault> {
    let problem = GroupInstance::random(size, 1)?;
    let mut rows = Vec::new();
    for &method in &options.methods {
        let gains_in = |&seconds: &f64| {
            (0..options.seeds)
                .map(|seed| method.run(&problem, seconds, seed))
                .collect()
        };
        let gains: Vec<Vec<f64>> = options.seconds.iter().map(gains_in).collect::<Result<_, Fault>>()?;
        rows.push((method, gains));
    }
    let all = rows.iter().flat_map(|(_, gains)| gains.iter().flatten());
    let best = all.copied().fold(f64::MIN, f64::max);
    for (method, gains) in rows {
        let cells: Vec<String> = gains.iter().map(|gains| gaps(gains, best)).collect();
        println!("| {size} | {} | {} |", method.name(), cells.join(" | "));
    }
    eprintln!("{size} players: best {best:.3}");
    Ok(())
}

/// Mean, least and greatest gap to the best.
fn gaps(gains: &[f64], best: f64) -> String {
    let gaps = || gains.iter().map(|gain| (best - gain) / best * 100.0);
    let mean = gaps().sum::<f64>() / gains.len() as f64;
    let (least, greatest) = (gaps().fold(f64::MAX, f64::min), gaps().fold(f64::MIN, f64::max));
    format!("{mean:.3} ({least:.3} to {greatest:.3})")
}
