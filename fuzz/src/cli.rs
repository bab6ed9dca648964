//! The program's own modules, but for what a process has once: threads are started once, and no signal is listened to.
#![allow(dead_code, reason = "the program has some of it to itself")]

#[path = "../../matchmaking/src/cli/advise/mod.rs"]
mod advise;
#[path = "../../matchmaking/src/cli/args.rs"]
mod args;
#[path = "../../matchmaking/src/cli/asked.rs"]
mod asked;
#[path = "../../matchmaking/src/cli/chart.rs"]
mod chart;
#[path = "../../matchmaking/src/cli/decimal.rs"]
mod decimal;
#[path = "../../matchmaking/src/cli/failure.rs"]
mod failure;
#[path = "../../matchmaking/src/cli/fairness.rs"]
mod fairness;
#[path = "../../matchmaking/src/cli/fit/mod.rs"]
mod fit;
#[path = "../../matchmaking/src/cli/formats/mod.rs"]
mod formats;
#[path = "../../matchmaking/src/cli/group/mod.rs"]
mod group;
#[path = "../../matchmaking/src/cli/input.rs"]
mod input;
mod interrupt;
#[path = "../../matchmaking/src/cli/json.rs"]
mod json;
#[path = "../../matchmaking/src/cli/limits.rs"]
mod limits;
#[path = "../../matchmaking/src/cli/lobby/mod.rs"]
mod lobby;
#[path = "../../matchmaking/src/cli/memory.rs"]
mod memory;
#[path = "../../matchmaking/src/cli/names.rs"]
mod names;
#[path = "../../matchmaking/src/cli/online/mod.rs"]
mod online;
#[path = "../../matchmaking/src/cli/output.rs"]
mod output;
#[path = "../../matchmaking/src/cli/pair/mod.rs"]
mod pair;
#[path = "../../matchmaking/src/cli/places.rs"]
mod places;
#[path = "../../matchmaking/src/cli/rematches.rs"]
mod rematches;
#[path = "../../matchmaking/src/cli/replace.rs"]
mod replace;
#[path = "../../matchmaking/src/cli/simulate/mod.rs"]
mod simulate;
#[path = "../../matchmaking/src/cli/text.rs"]
mod text;
mod threads;
#[path = "../../matchmaking/src/cli/verify/mod.rs"]
mod verify;

use std::fmt::{self, Display};
use std::io::Cursor;

use args::{Cli, Command};
use formats::{GraphFormat, GroupFormat};

/// What a subcommand that ran to its end has to say; the number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Solved = 0,
    Infeasible = 1,
    StoppedWithAnswer = 3,
    StoppedWithout = 4,
}

/// How a run of the program ended.
#[derive(Debug)]
pub enum Ran {
    /// With this exit code, and a report.
    Through(u8),
    /// With this exit code, and a message.
    Failed(u8, String),
}

impl Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Through(code) => write!(f, "exit code {code}"),
            Self::Failed(code, message) => write!(f, "exit code {code}: {message}"),
        }
    }
}

/// What can be said on the command line, read.
pub struct Parsed(Cli);

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// Reads a command line, with the program's name first; the message where it is refused.
///
/// # Errors
/// What clap says.
pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Parsed, String> {
    Cli::read(words).map(Parsed).map_err(|error| error.to_string())
}

/// Runs a subcommand, which writes its report.
pub fn run(parsed: &Parsed) -> Ran {
    let result = match &parsed.0.command {
        Command::Pair(args) => pair::run(args),
        Command::Group(args) => group::run(args),
        Command::Lobby(args) => lobby::run(args),
        Command::Online(args) => online::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Fit(args) => fit::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Advise(args) => advise::run(args),
    };
    match result {
        Ok(verdict) => Ran::Through(verdict as u8),
        Err(failure) => Ran::Failed(failure.exit_code(), failure.to_string()),
    }
}

/// Reads a text as a graph in every format, and calls `refused` with what is wrong with it.
pub fn read_graphs(text: &[u8], mut refused: impl FnMut(&dyn Display)) {
    for format in [
        GraphFormat::Edges,
        GraphFormat::Matrix,
        GraphFormat::Dimacs,
        GraphFormat::MatrixMarket,
    ] {
        match formats::read(format, Cursor::new(text)) {
            Ok(graph) => check_graph(&graph, text),
            Err(error) => refused(&error),
        }
    }
    for format in [GroupFormat::Edges, GroupFormat::Matrix, GroupFormat::Mdgplib] {
        match formats::read_grouped(format, Cursor::new(text)) {
            Ok(grouped) => check_graph(&grouped.graph, text),
            Err(error) => refused(&error),
        }
    }
}

/// That there is no more of a graph than stands in the text, and that an edge list of it is the same graph.
fn check_graph(graph: &formats::Graph, text: &[u8]) {
    use matching_core::EdgeList;
    fn listed<V: matching_core::CostValue>(edges: &EdgeList<V>, unit: impl Fn(V) -> i128, decimals: u32) -> String {
        let lines = edges.iter().map(|(u, v, weight)| {
            let weight = decimal::Decimal::new(unit(weight), decimals);
            format!("{u} {v} {weight}\n")
        });
        format!("{} {}\n", edges.len(), edges.edges().len()) + &lines.collect::<String>()
    }
    let (len, edges, written) = match &graph.edges {
        formats::Weighted::Narrow(edges) => (
            edges.len(),
            edges.edges().len(),
            listed(edges, i128::from, graph.decimals),
        ),
        formats::Weighted::Wide(edges) => (edges.len(), edges.edges().len(), listed(edges, |x| x, graph.decimals)),
    };
    assert!(edges <= text.len(), "{edges} edges of {} bytes", text.len());
    assert!(edges <= len * len / 2, "{edges} edges of {len} vertices");
    let again = formats::read(GraphFormat::Edges, Cursor::new(written.as_bytes()));
    let again = again.unwrap_or_else(|error| panic!("{error}: {written}"));
    let is_same = match (&graph.edges, &again.edges) {
        (formats::Weighted::Narrow(old), formats::Weighted::Narrow(new)) => old == new,
        (formats::Weighted::Wide(old), formats::Weighted::Wide(new)) => old == new,
        _ => false,
    };
    assert!(is_same && again.decimals == graph.decimals, "{written}");
}
