//! Why the program has no result.

use std::error::Error;
use std::fmt;
use std::io;

use super::advise::RatingsError;
use super::formats::GraphError;
use super::memory::Shortage;

/// Everything that ends a run without a result. Files are named as the command line named them.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input cannot be opened or read.
    Open { file: String, source: io::Error },
    /// The risks of a simulation are neither synthetic ones nor those of a file that can be opened.
    NoModel { file: String, source: io::Error },
    /// The input is a directory.
    Directory { file: String },
    /// No format fits the first line that is not blank.
    UnknownFormat {
        file: String,
        line: u64,
        found: String,
        /// How the formats begin.
        known: &'static str,
    },
    /// The first line that is not blank is no text of any format.
    NotUtf8 { file: String, line: u64 },
    /// There is nothing in the input.
    Empty {
        file: String,
        /// What it should hold.
        expected: &'static str,
    },
    /// A pool that is wrong.
    Pool { file: String, source: matchmaking::Error },
    /// A file that holds no fitted model.
    Model { file: String, source: matchmaking::Error },
    /// A round that is wrong.
    Round {
        file: String,
        source: Box<matchmaking::lobby::Error>,
    },
    /// Arrivals that are wrong.
    Online {
        file: String,
        source: matchmaking::online::Error,
    },
    /// A graph that is wrong.
    Graph { file: String, source: GraphError },
    /// A log of games that is wrong, or holds too little.
    Log {
        file: String,
        source: matchmaking::fit::Error,
    },
    /// A file of ratings that is wrong.
    Ratings { file: String, source: RatingsError },
    /// A simulation of a lobby that cannot be played.
    Lobby { source: Box<matchmaking::lobby::Error> },
    /// A simulation that cannot be played.
    Simulation { source: Box<matchmaking::eomm::Error> },
    /// A policy that a claim is about cannot be replayed.
    Replay { source: matchmaking::online::Error },
    /// A chain that has no answer.
    Chain { source: markov::Error },
    /// An option that does not suit the input.
    Usage { option: &'static str, problem: String },
    /// The solver refuses the input.
    Solver { file: String, source: matching_core::Error },
    /// What the solver keeps does not fit into memory.
    Memory {
        file: String,
        /// All pairs, or those of a list.
        pairs: String,
        shortage: Shortage,
    },
    /// The threads asked for cannot be started.
    Threads { count: usize, message: String },
    /// The search refuses the input.
    Search {
        file: String,
        source: matching_heuristics::Error,
    },
    /// The exact method refuses the input.
    Exact { file: String, source: matching_lp::Error },
    /// The picture cannot be drawn.
    Plot { message: String },
    /// The output cannot be written.
    Write { file: String, source: io::Error },
    /// The checker refuses the solver's answer.
    Unverified { source: Box<dyn Error + Send + Sync> },
    /// The search's answer is not what it says it is.
    Inconsistent { problem: &'static str },
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            // As in sysexits.h: an internal software error, nobody's input.
            Self::Unverified { .. } | Self::Inconsistent { .. } => 70,
            Self::Simulation { source } if matches!(**source, matchmaking::eomm::Error::Unverified { .. }) => 70,
            _ => 2,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { file, source } => write!(f, "{file}: {source}"),
            Self::NoModel { file, source } => write!(
                f,
                "--model: {file}: {source}; name 8h, 7d, or a file that `matchmaking fit` wrote"
            ),
            Self::Directory { file } => write!(f, "{file}: is a directory; name a file, or - for stdin"),
            Self::UnknownFormat {
                file,
                line,
                found,
                known,
            } => write!(
                f,
                "{file}: line {line}: cannot tell the format from {found:?}; {known}; or say which with --format"
            ),
            Self::NotUtf8 { file, line } => write!(f, "{file}: line {line}: not UTF-8; save the file as UTF-8"),
            Self::Empty { file, expected } => write!(f, "{file}: line 1: the file is empty; it needs {expected}"),
            Self::Pool { file, source } => {
                write!(f, "{file}: {source}")?;
                match source {
                    matchmaking::Error::MissingColumn {
                        column: "deviation" | "outcomes",
                        ..
                    } => write!(
                        f,
                        "; ratings are enough for `group`, and for `pair --cost skill` without --model and --fairness"
                    ),
                    _ => Ok(()),
                }
            }
            Self::Model { file, source } => write!(f, "{file}: {source}"),
            Self::Round { file, source } => write!(f, "{file}: {source}"),
            Self::Online { file, source } => write!(f, "{file}: {source}"),
            Self::Graph { file, source } => write!(f, "{file}: {source}"),
            Self::Log { file, source } => {
                write!(f, "{file}: {source}")?;
                match source {
                    matchmaking::fit::Error::MissingColumn { column, .. } => {
                        write!(f, ", by --columns {column}=NAME")
                    }
                    _ => Ok(()),
                }
            }
            Self::Ratings { file, source } => write!(f, "{file}: {source}"),
            Self::Lobby { source } => write!(f, "{source}"),
            Self::Simulation { source } => write!(f, "{source}"),
            Self::Replay { source } => write!(f, "--simulate: {source}"),
            Self::Chain { source } => write!(f, "{source}"),
            Self::Usage { option, problem } => write!(f, "{option}: {problem}"),
            Self::Solver { file, source } => {
                write!(f, "{file}: {source}")?;
                match source {
                    // What is divided has more decimals, which would take more bits than the division saves.
                    matching_core::Error::Overflow { .. } => {
                        write!(f, ", and round them to as many decimals as they have now")
                    }
                    _ => Ok(()),
                }
            }
            Self::Memory {
                file,
                pairs,
                shortage: Shortage { needed, available },
            } => {
                let there = available.map_or_else(
                    || "the system does not give as much".to_owned(),
                    |bytes| format!("{bytes} are free"),
                );
                write!(
                    f,
                    "{file}: {pairs} need {needed} bytes of memory, and {there}; \
                     split the input, for example by region or rating"
                )
            }
            Self::Threads { count, message } => write!(
                f,
                "--threads: {count} threads cannot be started: {message}; ask for fewer"
            ),
            Self::Write { file, source } => write!(f, "{file}: cannot be written: {source}"),
            Self::Search { file, source } => write!(f, "{file}: {source}"),
            Self::Exact { file, source } => write!(f, "{file}: {source}"),
            Self::Plot { message } => write!(f, "--plot: the picture cannot be drawn: {message}"),
            Self::Inconsistent { problem } => write!(
                f,
                "internal error: the answer did not pass the independent check ({problem}); nothing was printed; please \
                 report this with the input"
            ),
            Self::Unverified { source } => write!(
                f,
                "internal error: the answer did not pass the independent check ({source}); nothing was printed; please \
                 report this with the input"
            ),
        }
    }
}
