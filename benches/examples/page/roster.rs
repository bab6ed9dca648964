//! Who takes part.

use std::error::Error;
use std::path::Path;

use benches::comparison::{self, Contender, LEMON, PYTHON_PEERS, Python};
use benches::families::Family;
use benches::solvers::{Input, Solver, Threads};

use crate::machine;
use crate::options::Options;

/// This project's solver on one thread.
pub(crate) const OURS: &str = "matching-core";
/// This project's solver on all threads.
pub(crate) const OURS_THREADS: &str = "matching-core-threads";

const RUST_PEERS: [Solver; 3] = [Solver::IntegerBlossom, Solver::MwMatching, Solver::RustworkxCore];

/// Everyone, in the order of the tables.
pub(crate) struct Roster {
    dense: Vec<Contender>,
    sparse: Vec<Contender>,
    /// Names and versions of peers, where they tell.
    pub(crate) versions: Vec<(String, String)>,
}

impl Roster {
    /// Everyone who is asked for and is here; says who is not here, and why.
    pub(crate) fn new(options: &Options, directory: &Path) -> Result<Self, Box<dyn Error>> {
        let is_peer = |name: &str| RUST_PEERS.iter().any(|solver| solver.name() == name);
        let knows =
            |name: &str| [OURS, OURS_THREADS, LEMON].contains(&name) || is_peer(name) || PYTHON_PEERS.contains(&name);
        if let Some(name) = options.unknown_solver(knows) {
            return Err(format!("no solver {name:?}").into());
        }
        let (mut peers, mut versions) = (Vec::new(), Vec::new());
        for solver in RUST_PEERS.iter().filter(|solver| options.asks(solver.name())) {
            versions.push((solver.name().to_owned(), machine::locked_version(solver.name())?));
            peers.push(comparison::linked(*solver)?);
        }
        let mut outside = Vec::new();
        if options.asks(LEMON) {
            outside.push((LEMON, comparison::lemon(directory)));
        }
        let python = Python {
            interpreter: options.python.clone(),
        };
        let packages = PYTHON_PEERS.into_iter().filter(|package| options.asks(package));
        outside.extend(packages.map(|package| (package, python.contender(package))));
        for (name, contender) in outside {
            match contender {
                Ok(contender) => {
                    versions.extend(contender.version().map(|version| (contender.name.clone(), version)));
                    peers.push(contender);
                }
                Err(reason) => eprintln!("{name} is left out: {reason}"),
            }
        }
        peers.extend(options.external.iter().cloned());
        let team = |input| -> Result<Vec<Contender>, Box<dyn Error>> {
            let mut team = ours(input, options)?;
            team.extend(peers.iter().cloned());
            Ok(team)
        };
        Ok(Self {
            dense: team(Input::Matrix)?,
            sparse: team(Input::Edges)?,
            versions,
        })
    }

    /// Who takes part on a family.
    pub(crate) fn contenders(&self, family: Family) -> &[Contender] {
        if family.is_dense() { &self.dense } else { &self.sparse }
    }
}

/// This project's solver under the names of the page, on the input that its users have.
fn ours(input: Input, options: &Options) -> Result<Vec<Contender>, Box<dyn Error>> {
    let names = [(OURS, Threads::One), (OURS_THREADS, Threads::All)];
    let contender = |(name, threads): (&str, Threads)| {
        Ok(Contender {
            name: name.to_owned(),
            ..comparison::linked(Solver::MatchingCore(input, threads))?
        })
    };
    names
        .into_iter()
        .filter(|(name, _)| options.asks(name))
        .map(contender)
        .collect()
}
