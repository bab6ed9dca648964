//! The options of `matchmaking group`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use matching_heuristics::Engine;

use super::roles::RoleArg;
use super::sizes::SizeArg;
use crate::cli::args::{ANY, COUNTS, CommonArgs, engines, seconds, whole};
use crate::cli::decimal::{Decimal, DecimalError, TOO_WIDE};

/// Costs and waits on the command line must not exceed this, as ratings in a pool must not.
const MOST_COST: i128 = 1_000_000_000;

/// Factors on the command line must not exceed this.
const MOST_WEIGHT: i128 = 1_000_000;

/// Numbers on the command line have at most so many decimals, so that totals stay exact.
pub(super) const OPTION_DECIMALS: u32 = 6;

#[derive(Args, Debug)]
#[command(after_help = FORMATS)]
pub(crate) struct GroupArgs {
    /// Input file; `-` reads from stdin.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Members of a group, or at least and at most so many, like 4-6; may be left out where the file says it, or with
    /// --groups.
    #[arg(long, value_name = "K[-L]", value_parser = SizeArg::parse)]
    pub(crate) size: Option<SizeArg>,

    /// How many groups; without --size none has two members more than another [default: as few as hold everybody].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(COUNTS))]
    pub(crate) groups: Option<u32>,

    /// Format of the input, if it should not be found out.
    #[arg(long, value_enum)]
    pub(crate) format: Option<FormatArg>,

    /// How groups are found.
    #[arg(long, value_enum, default_value_t = MethodArg::Auto)]
    pub(crate) method: MethodArg,

    /// Which engine searches; naming one, but `auto`, asks for a search.
    #[arg(long, value_name = "ENGINE", default_value = Engine::Auto.name(), value_parser = engines())]
    pub(crate) engine: Engine,

    /// Stop as soon as the total is as good as this, in the input's own units; asks for a search, unless the method is
    /// exact.
    #[arg(long, value_name = "C", value_parser = decimal)]
    pub(crate) target: Option<Decimal>,

    /// Stop after so many seconds; --explain has what is left of them, and a tenth as many in any case.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,

    /// Stop after so much work, reproducible on every machine: moves of a search looked at, steps of the exact method.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    pub(crate) work_limit: Option<u64>,

    /// Where chance begins.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(ANY))]
    pub(crate) seed: u64,

    /// What pairs cost that an edge list leaves out [default: zero].
    #[arg(long, value_enum)]
    pub(crate) absent: Option<AbsentArg>,

    /// CSV pools: how many of each group play which role, like `tank=1,healer=1-2,damage=2-`; who can play what stands
    /// in column `roles`. Whoever can play some of these roles plays one of them, whoever can play none fills any
    /// place; roles left out here count for nothing. By the exact method.
    #[arg(long, value_name = "ROLE=N,..", value_delimiter = ',', value_parser = RoleArg::parse)]
    pub(crate) roles: Vec<RoleArg>,

    /// CSV pools: factor of the rating difference [default: 1].
    #[arg(long, value_name = "W", value_parser = weight)]
    pub(crate) rating_weight: Option<Decimal>,

    /// CSV pools: rating differences above this count as this [default: 800].
    #[arg(long, value_name = "R", value_parser = cost)]
    pub(crate) rating_cap: Option<Decimal>,

    /// CSV pools: what two players of different regions cost [default: 150].
    #[arg(long, value_name = "C", value_parser = cost)]
    pub(crate) region_cost: Option<Decimal>,

    /// CSV pools: what two recent opponents (column `opponents`) cost more [default: 0].
    #[arg(long, value_name = "C", value_parser = cost)]
    pub(crate) rematch_cost: Option<Decimal>,

    /// CSV pools: seconds after which a player has waited long enough; a pair costs what its mean wait falls short of
    /// it [default: 60].
    #[arg(long, value_name = "S", value_parser = cost)]
    pub(crate) patience: Option<Decimal>,

    /// CSV pools: factor of what the mean wait falls short [default: 1].
    #[arg(long, value_name = "W", value_parser = weight)]
    pub(crate) wait_weight: Option<Decimal>,

    /// Say what members of fifths of the players by rating, of regions and of parties of each size pay in the mean, beside
    /// neighbours by rating and random groups (--seed) of the same players and sizes; for CSV pools.
    #[arg(long)]
    pub(crate) fairness: bool,

    /// Explain why the player of this id is in that group, or waits: what each member of the group costs with this player,
    /// and what the total would come to if the player's party moved, or changed places with another party, with several
    /// smaller ones, or together with others with a larger one. Of two ids, A,B: what would put the two into one group, or
    /// apart, and what forbids it; an id that is itself of this form comes first, and A, B with a space are two.
    #[arg(long, value_name = "ID[,ID]")]
    pub(crate) explain: Option<String>,

    /// Draw the best total, and the bound if one is known, against time as a picture.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

const FORMATS: &str = "\
Formats, found out by the first lines:
  csv      a header line with id,rating and optionally wait (seconds),party,
           region,avoid (ids separated by ; or |),opponents (ids of recent
           ones),roles (like tank|healer),pin (the number of a group); one
           player a line. Other columns of pools, like deviation and outcomes,
           may be there and change nothing
  matrix   `n k` (n players, k members of a group) or `n`, then n rows of n
           entries; symmetric, the diagonal is not read, `-` forbids a pair
  edges    `n m`, then m lines `u v w`; vertices count from 0; other pairs cost
           nothing, or are forbidden (--absent forbidden)
  mdgplib  `n k ss|ds lo hi lo hi ..`, then `i j value` for every pair, counted
           from 0; the sum of values is to be great
Two numbers on the first line: an edge list if three fields stand on the next line that is not blank, or none \
follows, else a matrix; with three vertices, a matrix.
Numbers are integers or decimals and are never rounded; a pool's ratings and waits are read to six decimals.

A group costs the sum of its pairs. Two players of a pool cost their rating difference, capped, and more if both have \
a region and these differ, and what their mean wait (0 where unknown) falls short of --patience, and --rematch-cost if \
they have met of late. Parties stay whole; \
nobody is with a player whom either of them avoids. Players left over when all groups are full wait at no cost; the \
program chooses whom it is best to leave out.

A player with a number in column `pin` is in that group, and so is his party: groups count from 1, in the order of the \
report. Who has the same number is together, who has different ones is apart, and none of them waits. A number that cannot \
hold (no such group, two groups for one party, more players than a group has, too few left for the others, two who avoid \
each other) is refused.

Methods: `exact` proves that no groups are better, or, after a limit, how much better groups can be at most; the \
certificate is checked before anything is printed. It takes seconds for 60 players and may take hours for several \
hundred. `search` says nothing about better groups (status `feasible`), unless there are so few groupings that it \
tries all. `auto` tries all groupings of few players; where a bound can be expected within the limits, or within some \
ten seconds, it proves and searches; else it searches.

Ctrl-C ends the search, or the explanation, and what was found so far is the answer; pressed again, it ends the program.

Exit codes: 0 proven, the search ended by itself, or the target was reached; 1 infeasible, with a witness; 2 bad \
input, usage or I/O; 3 --time-limit, --work-limit, the memory for a proof, costs of too many digits for one, or Ctrl-C ended it, or its explanation, \
with an answer; 4 it ended without one; 70 internal error.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    Csv,
    Matrix,
    Mdgplib,
    Edges,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodArg {
    /// A proof where one can be expected, else a search.
    Auto,
    /// The best groups there are, with a proof; or, after a limit, a bound on how much better groups can be.
    Exact,
    /// Search, without a proof unless all groupings can be tried.
    Search,
}

impl MethodArg {
    /// The word of the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Exact => "exact",
            Self::Search => "search",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AbsentArg {
    /// They cost nothing.
    Zero,
    /// They must not be together.
    Forbidden,
}

fn decimal(text: &str) -> Result<Decimal, String> {
    Decimal::parse(text.trim().as_bytes()).map_err(|error| match error {
        DecimalError::NotANumber => "not a number; write one like 12 or 0.5".to_owned(),
        DecimalError::TooWide => TOO_WIDE.to_owned(),
    })
}

fn cost(text: &str) -> Result<Decimal, String> {
    bounded(text, MOST_COST)
}

fn weight(text: &str) -> Result<Decimal, String> {
    bounded(text, MOST_WEIGHT)
}

/// A number from 0 to `most` with few decimals.
fn bounded(text: &str, most: i128) -> Result<Decimal, String> {
    let number = decimal(text)?;
    match number.on_grid(OPTION_DECIMALS) {
        None => Err(format!("more than {OPTION_DECIMALS} decimals, or too large")),
        Some(value) if !(0..=most * 10i128.pow(OPTION_DECIMALS)).contains(&value) => {
            Err(format!("not between 0 and {most}"))
        }
        Some(_) => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::bounded;

    #[test]
    fn numbers_have_limits() {
        assert_eq!(bounded("2.50", 3).map(|number| number.to_string()), Ok("2.5".into()));
        for text in ["-0.1", "3.000001", "0.0000001", "1e40", "x"] {
            assert!(bounded(text, 3).is_err(), "{text}");
        }
    }
}
