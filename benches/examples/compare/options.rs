//! The command line.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use benches::comparison::{self, Contender, Plan};
use benches::families::{self, Family};
use benches::solvers::Solver;

/// What the process was started for.
pub(crate) enum Command {
    /// Compare solvers.
    Compare(Options),
    /// Run one solver once, for a parent that compares.
    Measure { solver: Solver, file: PathBuf },
}

/// A comparison.
pub(crate) struct Options {
    pub(crate) families: Vec<Family>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) seed: u64,
    pub(crate) plan: Plan,
    /// Names of linked solvers and of `lemon`.
    pub(crate) solvers: Vec<String>,
    /// Solvers outside this repository.
    pub(crate) external: Vec<Contender>,
    pub(crate) markdown: bool,
}

/// Who takes part unless told otherwise: everyone on raw edges and one thread.
const ONE_THREAD: [&str; 5] = [
    "matching-core",
    "rustworkx-core",
    "integer-blossom",
    "mwmatching",
    "lemon",
];

const USAGE: &str = "usage: compare [--families NAME,...] [--sizes N,...] [--seed N] [--repeat N] [--limit SECONDS] \
    [--solvers NAME,...] [--external NAME=COMMAND]... [--markdown]";

pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut options = Options {
        families: Family::ALL.to_vec(),
        sizes: vec![1000],
        seed: 1,
        plan: Plan {
            repeat: 5,
            limit: Duration::from_secs(60),
            reading: Duration::ZERO,
            memory_gib: u64::MAX,
            patience: Duration::MAX,
        },
        solvers: ONE_THREAD.map(str::to_owned).to_vec(),
        external: Vec::new(),
        markdown: false,
    };
    while let Some(option) = arguments.next() {
        if option == "--markdown" {
            options.markdown = true;
            continue;
        }
        let value = arguments.next().ok_or(USAGE)?;
        match option.as_str() {
            "--measure" => {
                let solver = Solver::by_name(&value).ok_or_else(|| format!("no linked solver {value:?}"))?;
                return Ok(Command::Measure {
                    solver,
                    file: arguments.next().ok_or(USAGE)?.into(),
                });
            }
            "--families" => {
                let family = |name| Family::by_name(name).ok_or_else(|| format!("no family {name:?}"));
                options.families = value.split(',').map(family).collect::<Result<_, _>>()?;
            }
            "--sizes" => options.sizes = value.split(',').map(families::size).collect::<Result<_, _>>()?,
            "--seed" => options.seed = number(&value)?,
            "--repeat" => options.plan.repeat = number::<NonZeroUsize>(&value)?.get(),
            "--limit" => options.plan.limit = Duration::from_secs(number(&value)?),
            "--solvers" => options.solvers = value.split(',').map(str::to_owned).collect(),
            "--external" => options.external.push(comparison::external(&value)?),
            _ => return Err(USAGE.to_owned()),
        }
    }
    options.sizes.sort_unstable();
    Ok(Command::Compare(options))
}

fn number<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{text:?}: {error}; {USAGE}"))
}
