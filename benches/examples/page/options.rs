//! The command line.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use benches::comparison::{self, Contender};
use benches::families::{self, Family};
use benches::solvers::Solver;

/// Sizes of complete graphs and of sparse ones.
struct Sizes {
    dense: &'static [usize],
    sparse: &'static [usize],
}

const QUICK: Sizes = Sizes {
    dense: &[100, 200, 500, 1000, 2000, 4000],
    sparse: &[1000, 10_000, 100_000],
};
const FULL: Sizes = Sizes {
    dense: &[100, 200, 500, 1000, 2000, 4000, 10_000],
    sparse: &[1000, 10_000, 100_000],
};

/// What the process was started for.
pub(crate) enum Command {
    /// Write the page.
    Page(Box<Options>),
    /// Run one solver once, for a parent that measures.
    Measure { solver: Solver, file: PathBuf },
}

/// A page.
pub(crate) struct Options {
    pub(crate) families: Vec<Family>,
    dense: Vec<usize>,
    sparse: Vec<usize>,
    pub(crate) repeat: usize,
    pub(crate) limit: Duration,
    pub(crate) memory_gib: u64,
    /// Names of solvers; all where empty.
    solvers: Vec<String>,
    pub(crate) external: Vec<Contender>,
    pub(crate) python: PathBuf,
    /// Where the page goes: the root of the repository.
    pub(crate) output: PathBuf,
    pub(crate) is_fresh: bool,
    pub(crate) renders_only: bool,
    /// The command line, for the page; of programs it names only the last part of their path.
    pub(crate) command: String,
}

const USAGE: &str = "usage: page [--full] [--families NAME,...] [--sizes N,...] [--repeat N] [--limit SECONDS] [--memory GIB] \
    [--solvers NAME,...] [--external NAME=COMMAND]... [--python PROGRAM] [--output DIRECTORY] [--fresh] [--render]";

pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let arguments: Vec<String> = arguments.collect();
    if let [option, solver, file] = arguments.as_slice()
        && option == "--measure"
    {
        let solver = Solver::by_name(solver).ok_or_else(|| format!("no linked solver {solver:?}"))?;
        return Ok(Command::Measure {
            solver,
            file: file.into(),
        });
    }
    let mut options = Options::quick();
    options.command = command_text(&arguments);
    if arguments.iter().any(|option| option == "--full") {
        (options.dense, options.sparse) = (FULL.dense.to_vec(), FULL.sparse.to_vec());
        (options.repeat, options.limit) = (5, Duration::from_secs(60));
    }
    let mut arguments = arguments.into_iter();
    while let Some(option) = arguments.next() {
        match option.as_str() {
            "--full" => {}
            "--fresh" => options.is_fresh = true,
            "--render" => options.renders_only = true,
            _ => options.set(&option, &arguments.next().ok_or(USAGE)?)?,
        }
    }
    Ok(Command::Page(Box::new(options)))
}

impl Options {
    /// What takes about ten minutes.
    fn quick() -> Self {
        Self {
            families: Family::ALL.to_vec(),
            dense: QUICK.dense.to_vec(),
            sparse: QUICK.sparse.to_vec(),
            repeat: 3,
            limit: Duration::from_secs(2),
            memory_gib: 8,
            solvers: Vec::new(),
            external: Vec::new(),
            python: "python3".into(),
            output: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
            is_fresh: false,
            renders_only: false,
            command: String::new(),
        }
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "--families" => {
                let family = |name| Family::by_name(name).ok_or_else(|| format!("no family {name:?}"));
                self.families = value.split(',').map(family).collect::<Result<_, _>>()?;
            }
            "--sizes" => {
                self.dense = value.split(',').map(families::size).collect::<Result<_, _>>()?;
                self.dense.sort_unstable();
                self.sparse.clone_from(&self.dense);
            }
            "--repeat" => self.repeat = number::<NonZeroUsize>(value)?.get(),
            "--limit" => self.limit = Duration::from_secs(number(value)?),
            "--memory" => self.memory_gib = number(value)?,
            "--solvers" => self.solvers = value.split(',').map(str::to_owned).collect(),
            "--external" => self.external.push(comparison::external(value)?),
            "--python" => self.python = value.into(),
            "--output" => self.output = value.into(),
            _ => return Err(USAGE.to_owned()),
        }
        Ok(())
    }

    /// The sizes for a family.
    pub(crate) fn sizes(&self, family: Family) -> &[usize] {
        if family.is_dense() { &self.dense } else { &self.sparse }
    }

    /// Whether a solver of this name is to take part.
    pub(crate) fn asks(&self, name: &str) -> bool {
        self.solvers.is_empty() || self.solvers.iter().any(|asked| asked == name)
    }

    /// The first name that `knows` does not know.
    pub(crate) fn unknown_solver(&self, knows: impl Fn(&str) -> bool) -> Option<&str> {
        self.solvers.iter().map(String::as_str).find(|name| !knows(name))
    }
}

fn number<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{text:?}: {error}; {USAGE}"))
}

/// The command as anyone may repeat it: quoted where needed, without the folders of this machine.
fn command_text(arguments: &[String]) -> String {
    let mut text = "cargo run --release -p benches --features peers --example page".to_owned();
    let mut separator = " -- ";
    let mut arguments = arguments.iter();
    while let Some(option) = arguments.next() {
        if option == "--output" {
            arguments.next();
            continue;
        }
        let words = option.split(' ').map(|word| match word.rsplit_once('/') {
            Some((path, program)) => match path.split_once('=') {
                Some((name, _)) => format!("{name}={program}"),
                None => program.to_owned(),
            },
            None => word.to_owned(),
        });
        let word = words.collect::<Vec<_>>().join(" ");
        let quote = if word.contains(' ') { "\"" } else { "" };
        text += &format!("{separator}{quote}{word}{quote}");
        separator = " ";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It was run once.
    #[test]
    fn nothing_is_run_no_times() {
        let mut options = Options::quick();
        for text in ["0", "-1", "x"] {
            assert!(
                options
                    .set("--repeat", text)
                    .is_err_and(|error| error.starts_with(&format!("{text:?}")))
            );
        }
        assert_eq!((options.set("--repeat", "2"), options.repeat), (Ok(()), 2));
    }

    #[test]
    fn the_command_names_no_folders() {
        let arguments = [
            "--limit",
            "9",
            "--external",
            "Solver 5=/opt/x/solve --o",
            "--output",
            "/t",
            "--python",
            "/v/py",
        ];
        let text = command_text(&arguments.map(str::to_owned));
        assert!(
            text.ends_with("page -- --limit 9 --external \"Solver 5=solve --o\" --python py"),
            "{text}"
        );
    }
}
