//! What can be said on the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use matchmaking::Horizon;
use matchmaking::eomm::Simulation;

use crate::cli::args::{ANY, CommonArgs, seconds, whole};

/// States of a synthetic population: some gigabytes.
const MOST_STATES: u64 = 20_000_000;

#[derive(Args, Debug)]
#[command(after_help = NOTES)]
pub(crate) struct EommArgs {
    /// Whose risks: those of the synthetic population within eight hours or seven days, or a model that `matchmaking
    /// fit` wrote.
    #[arg(long, value_name = "8h|7d|MODEL.json", default_value = "8h", value_hint = ValueHint::AnyPath,
        value_parser = PathBufValueParser::new().map(model))]
    pub(crate) model: ModelArg,

    /// Players of a pool, even numbers.
    #[arg(long, value_name = "P,P,..", value_delimiter = ',', default_value = SIZES, value_parser = size)]
    pub(crate) sizes: Vec<usize>,

    /// Rounds for each size, at least 2.
    #[arg(long, value_name = "N", default_value_t = matchmaking::eomm::published::ROUNDS, value_parser = rounds)]
    pub(crate) rounds: u64,

    /// Seed of players, pools, games and churn.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(ANY))]
    pub(crate) seed: u64,

    /// Draw pools from a collection of so many states of the synthetic population, as the paper does from its own
    /// [default: new players for each pool].
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MOST_STATES))]
    pub(crate) states: Option<usize>,

    /// Play it all again with the spread of something changed, to see what the gain comes from.
    #[arg(long, value_enum)]
    pub(crate) sweep: Option<SweepArg>,

    /// Play no more rounds after so many seconds, those of --sweep included; what was played by then is reported. A round
    /// of more than 110 players is given up where it is.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,

    /// Play so many rounds of each size as this is enough for, by P^2 units a round of P players: reproducible on every
    /// machine; --sweep has what is left, and plays a factor wholly or not at all.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    pub(crate) work_limit: Option<u64>,

    /// Draw how many of 100 players stay, by size, as a picture; with --sweep, what pairing by another rule than chance
    /// gains.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// [`published::SIZES`](matchmaking::eomm::published::SIZES), as one writes them.
const SIZES: &str = "100,200,300,400,500";

const NOTES: &str = "\
In each round a pool is drawn, and all four methods pair the same players: WorstMM so that as many as possible are \
expected to stop, SkillMM neighbours by rating, RandomMM by chance, EOMM so that as few as possible are. EOMM and \
WorstMM are exact, and checked. `expected` is what equation (7) of the paper expects to stay, `stayed` is drawn, with \
the same chances under all methods. Intervals hold with 95 %; those of differences are of the differences pool by \
pool. Welch's test is the paper's.

Each pool is of players who are in no other, so that rounds share nothing and another seed's figures lie in the \
intervals. Where rounds share a collection of states (--states, or a fitted model's), more rounds say nothing of other \
players; pools are then drawn from parts of it, and intervals come from the spread between parts. They say nothing of \
how well the model is known.

The paper's data is private. The synthetic population has ratings N(1500, 300^2), ten past games a player, and a \
logistic churn model: `8h` keeps 52 of 100 players as the paper's Table 2 does, `7d` follows its Table 1.

Ctrl-C ends the rounds and reports those that are done; a second one ends the program.

Exit codes: 0 played; 2 bad input, usage or I/O; 3 stopped by --time-limit, --work-limit or Ctrl-C, with the rounds \
that were played; 4 stopped before any was; 70 internal error.";

/// A whole number; whether pools can be as large, the simulation says.
fn size(text: &str) -> Result<usize, String> {
    let most = Simulation::MOST_PLAYERS;
    text.parse().map_err(|_| format!("not an even number from 2 to {most}"))
}

/// The same of as many rounds.
fn rounds(text: &str) -> Result<u64, String> {
    let (least, most) = Simulation::ROUNDS;
    text.parse()
        .map_err(|_| format!("not a whole number from {least} to {most}"))
}

/// Where the risks come from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ModelArg {
    Synthetic(Horizon),
    File(PathBuf),
}

/// `8h`, `7d`, or else a file.
fn model(path: PathBuf) -> ModelArg {
    match path.to_str() {
        Some("8h") => ModelArg::Synthetic(Horizon::EightHours),
        Some("7d") => ModelArg::Synthetic(Horizon::SevenDays),
        _ => ModelArg::File(path),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SweepArg {
    /// How far ratings lie from each other.
    Ratings,
    /// How much the risk that a player stops depends on the result.
    Risks,
}

impl SweepArg {
    /// The word of the command line and of reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Ratings => "ratings",
            Self::Risks => "risks",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_paper() {
        let sizes = matchmaking::eomm::published::SIZES.map(|size| size.to_string());
        assert_eq!(SIZES, sizes.join(","));
    }
}
