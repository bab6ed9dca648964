//! The options of `matchmaking simulate lobby`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use matchmaking::lobby::{MAX_PLAYERS, MAX_TEAM_SIZE, RoundRule, Rules};

use crate::cli::args::{ANY, COUNTS, CommonArgs, seconds, whole};
use crate::cli::failure::Failure;
use crate::cli::lobby::rules_of;

/// Seconds between rounds, where nothing is said.
const INTERVALS: [f64; 3] = [60.0, 120.0, 240.0];

#[derive(Args, Debug)]
#[command(after_help = NOTES)]
pub(crate) struct LobbySimulationArgs {
    /// Rounds every so many seconds; a row for each [default: 60,120,240, unless --wait-for is given].
    #[arg(long, value_name = "S,S,..", value_delimiter = ',', value_parser = interval)]
    every: Vec<f64>,

    /// Rounds as soon as so many players wait; a row for each.
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', value_parser = whole::<usize>(2..=MAX_PLAYERS as u64))]
    wait_for: Vec<usize>,

    /// With --wait-for, a round so many seconds after the last one anyway, or after the first one of those who wait has
    /// arrived: nobody waits longer for a round.
    #[arg(long, value_name = "S", requires = "wait_for", value_parser = interval)]
    at_latest: Option<f64>,

    /// Players who arrive, each for the first time, in a replication.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = whole::<usize>(1..=MAX_PLAYERS as u64))]
    pub(super) players: usize,

    /// How many of them arrive a minute in the mean, alone or with their parties.
    #[arg(long, value_name = "R", default_value_t = 30.0, value_parser = positive)]
    pub(super) arrivals: f64,

    /// Chance that a party plays again once its match is over.
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = chance)]
    pub(super) again: f64,

    /// How many minutes a match takes in the mean: each between three and five quarters of it.
    #[arg(long, value_name = "M", default_value_t = 20.0, value_parser = positive)]
    pub(super) match_minutes: f64,

    /// Parties give up once they have waited too long: how long differs, and is so many seconds in the mean [default:
    /// nobody does].
    #[arg(long, value_name = "S", value_parser = positive)]
    pub(super) patience: Option<f64>,

    /// Players of a team, 1 to 8 [default: 3, or what --rules says].
    #[arg(long, value_name = "K", value_parser = whole::<usize>(1..=MAX_TEAM_SIZE as u64))]
    team_size: Option<usize>,

    /// What a good match is: a file of rules, JSON, as `matchmaking lobby --help` describes, or - for stdin.
    #[arg(long, value_name = "FILE")]
    pub(super) rules: Option<PathBuf>,

    /// Replications, from 2 on; each has players and arrivals of its own, the same for all rules.
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = whole::<u32>(2..=10_000))]
    pub(super) replications: u32,

    /// Moves that the search of one round looks at [default: 2,000 for each player who plays].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(COUNTS))]
    pub(super) round_work: Option<u64>,

    /// Seed of players, arrivals and searches.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(ANY))]
    pub(super) seed: u64,

    /// Stop after so many seconds; those replications are reported that are done for all rules by then.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(super) time_limit: Option<Duration>,

    /// Report as many replications as this is enough for, by a unit for each move that a search looks at: reproducible on
    /// every machine.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    pub(super) work_limit: Option<u64>,

    #[command(flatten)]
    pub(super) common: CommonArgs,
}

const NOTES: &str = "\
Players are the synthetic ones of `matchmaking lobby --instance`: skills, regions, parties of up to three, routers. \
Parties arrive by a Poisson process and wait. In each round everybody who waits is put into as many matches as there \
can be, as `matchmaking lobby --fewer-matches` does it; who is left over waits for the next one and plays first there. \
A party whose match is over comes back with the chance --again, and remembers it: scores are worse for those who meet \
again. A replication ends when the last party has arrived; who waits then is counted as waiting.

Of each rule: rounds held and matches made in all replications; players in a round, the scores of matches, and waits \
of those who were in one, as means over replications; the worst match and the wait that 95 % of them did not exceed, \
over all. Intervals are 95 %, over replications. The first rounds find few who wait, and nobody who comes back, which \
weighs the more the fewer players arrive.

Parties, their arrivals, how patient they are and who comes back are the same for all rules, so that differences \
between rules have narrower intervals than rules themselves.

Ctrl-C ends it and reports the replications that are done; a second one ends the program.

Exit codes: 0 played; 2 bad input, usage or I/O; 3 stopped by --time-limit, --work-limit or Ctrl-C, with the \
replications that were played; 4 stopped before there were two, of which intervals can be made; 70 internal error.";

impl LobbySimulationArgs {
    /// What is played side by side.
    pub(super) fn round_rules(&self) -> Result<Vec<RoundRule>, Failure> {
        let twice = |option, text: String| {
            Err(Failure::Usage {
                option,
                problem: format!("{text} appears twice; keep one"),
            })
        };
        if let Some(at) = again(&self.every) {
            return twice("--every", self.every[at].to_string());
        }
        if let Some(at) = again(&self.wait_for) {
            return twice("--wait-for", self.wait_for[at].to_string());
        }
        let every = match (&self.every[..], &self.wait_for[..]) {
            ([], []) => &INTERVALS,
            (every, _) => every,
        };
        let every = every.iter().copied().map(RoundRule::every);
        let wait_for = self.wait_for.iter().map(|&players| match self.at_latest {
            Some(seconds) => RoundRule::wait_for_at_most(players, seconds),
            None => RoundRule::wait_for(players),
        });
        Ok(every.chain(wait_for).collect())
    }

    /// What a good match is.
    pub(super) fn match_rules(&self, when: &[RoundRule]) -> Result<Rules, Failure> {
        let rules = self.rules.as_deref().map(rules_of).transpose()?;
        let rules = match (rules, self.team_size) {
            (Some(rules), Some(size)) => rules.for_team_size(size),
            (Some(rules), None) => rules,
            (None, size) => Rules::new(size.unwrap_or(3)),
        };
        let least = rules.match_size();
        match when
            .iter()
            .filter_map(RoundRule::players)
            .find(|&players| players < least)
        {
            None => Ok(rules),
            Some(players) => Err(Failure::Usage {
                option: "--wait-for",
                problem: format!("{players} players make no match, which has {least}; ask for as many or more"),
            }),
        }
    }
}

/// The first that stands there twice.
fn again<T: PartialEq>(all: &[T]) -> Option<usize> {
    (1..all.len()).find(|&at| all[..at].contains(&all[at]))
}

/// From one second to a day: rounds that are nearer to each other than that are none.
fn interval(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (1.0..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "not a number of seconds from 1 to 86400".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-3..=1e6).contains(number));
    number.ok_or_else(|| "not a number from 0.001 to 1000000".to_owned())
}

fn chance(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    // No sign where there is nothing.
    number
        .map(f64::abs)
        .ok_or_else(|| "not a number from 0 to 1".to_owned())
}
