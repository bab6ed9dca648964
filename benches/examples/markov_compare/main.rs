//! Stationary distributions and decision processes, solved by this workspace and by Python packages from the same
//! files.
//!
//! ```text
//! cargo run --release -p benches --example markov_compare -- --python /path/to/venv/bin/python
//! ```
//!
//! Each run is a process of its own on one thread, one at a time, and solvers take turns. `benches/README.md` describes
//! the options and what is counted.

mod checks;
mod problems;
mod table;
mod turns;

use std::error::Error;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::problems::Task;
use crate::turns::{Contender, Plan};

const USAGE: &str = "usage: markov_compare [--python PROGRAM] [--sizes N,...] [--repeat N] [--limit SECONDS] \
    [--only PROBLEM,...] [--peers NAME,...]";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [measure, problem, answer] = &arguments[..]
        && measure == turns::MEASURE
    {
        return turns::measure(problem.as_ref(), answer.as_ref());
    }
    compare(&Options::parse(arguments.into_iter())?)
}

struct Options {
    python: PathBuf,
    sizes: Vec<usize>,
    only: Option<Vec<String>>,
    /// What names of peers begin with.
    peers: Option<Vec<String>>,
    plan: Plan,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            python: "python3".into(),
            sizes: vec![10_000, 100_000],
            only: None,
            peers: None,
            plan: Plan {
                repeat: 3,
                limit: Duration::from_secs(60),
            },
        };
        while let Some(option) = arguments.next() {
            let value = arguments.next().ok_or(USAGE)?;
            match option.as_str() {
                "--python" => options.python = value.into(),
                "--sizes" => options.sizes = value.split(',').map(number).collect::<Result<_, _>>()?,
                "--repeat" => options.plan.repeat = number::<NonZeroUsize>(&value)?.get(),
                "--limit" => options.plan.limit = Duration::from_secs(number(&value)?),
                "--only" => options.only = Some(names(&value)),
                "--peers" => options.peers = Some(names(&value)),
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::to_owned).collect()
}

fn number<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{text:?}: {error}; {USAGE}"))
}

fn compare(options: &Options) -> Result<(), Box<dyn Error>> {
    let directory = std::env::temp_dir().join(format!("markov-compare-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    match turns::versions(&options.python) {
        Ok(versions) => println!("Peers: {versions}.\n"),
        Err(reason) => println!("No peers: {reason}.\n"),
    }
    table::print_head();
    let mut tasks = Task::all(&options.sizes);
    if let Some(only) = &options.only {
        tasks.retain(|task| only.iter().any(|name| name == task.family()));
    }
    for task in tasks {
        let instance = task.instance()?;
        let mut peers = task.peers().to_vec();
        if let Some(wanted) = &options.peers {
            peers.retain(|peer| wanted.iter().any(|name| peer.starts_with(name)));
        }
        let contenders = Contender::all(&options.python, &peers)?;
        let runs = turns::take_turns(&contenders, &instance.problem, &options.plan, &directory)?;
        table::print_rows(&task.name(&instance), &instance, &runs);
    }
    std::fs::remove_dir_all(&directory)?;
    Ok(())
}
