//! The options of `matchmaking online`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use matchmaking::online::{MAX_PLAYERS, PolicyKind, Setting};

use crate::cli::args::{ANY, CommonArgs, seconds, whole};

#[derive(Args, Debug)]
#[command(after_help = NOTES)]
pub(crate) struct OnlineArgs {
    /// Who arrived when: CSV; `-` reads from stdin.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,

    /// How players are matched; see below.
    #[arg(long, value_name = "POLICY", value_parser = method)]
    pub(super) policy: Method,

    /// Players of a game, 2 to 64.
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = players)]
    pub(super) players: usize,

    /// The longest wait, in the unit of the arrivals' times.
    #[arg(long, value_name = "T", default_value_t = 5.0, value_parser = tau_max)]
    pub(super) tau_max: f64,

    /// Weight of each criterion, in the order of their numbers [default: K divided by how many there are].
    #[arg(long, value_name = "W,W,..", value_delimiter = ',', value_parser = number)]
    pub(super) weights: Option<Vec<f64>>,

    /// Stop `optimum` after so many seconds, with the games and the bound known then; players who were not matched by then
    /// play as soon as they are enough. Only for it.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(super) time_limit: Option<Duration>,

    /// Work that `optimum` may do: reproducible on every machine. For games of two in all, by visits of the engine to arcs and trees
    /// [default: as much as it takes]; for games of more between any two pauses of T, some 10^7 units a second [default:
    /// 1000000000]. Only for it.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    pub(super) work_limit: Option<u64>,

    #[command(flatten)]
    pub(super) common: CommonArgs,
}

/// Units of work for `optimum` of more than two players unless something else is asked for.
pub(super) const WORK_LIMIT: u64 = 1_000_000_000;

const NOTES: &str = "\
CSV: a header line with time and criterion (or criterion1,criterion2,..; the numbers count, not the order of columns, and none is left out), \
and optionally id; one arrival a line, sorted by time. Those of equal times come one after the other, as they stand. Criteria lie between 0 and 1. Without \
ids, players are numbered from 0. Who returns after a game has the same id again; who does so before it is warned of, and \
a game of a player with himself is refused.

Policies (k players, D criteria):
  greedy                 as soon as k wait, they play; any k and D
  periodic:X             after X k arrivals those who wait are sorted, and
                         neighbours play; any k, D = 1
  periodic:auto          with X by formula (6) of the paper, for the rate of
                         arrivals so far and the weight
  multi-queue:R          a queue for each of R ranges of each criterion;
                         any k and D
  multi-queue:RxR..      with a number for each criterion, like 18x1: what
                         counts more is cut finer; any k, D from 2 to 20
  multi-queue:auto       with ranges of each criterion by formula (9), for the
                         rate so far and the weights
  difference-wait:F      couples become games F times their difference after
                         the first arrived; k = 2, D = 1
  threshold:BASE,GROWTH  two play when their criteria cost at most BASE +
                         GROWTH times the longer wait / T; k = 2, D = 1
  ticks:INTERVAL         all who wait are paired exactly, every so often;
                         k = 2, any D
  slack                  a threshold that follows the rate so far, the best of
                         these; k = 2, D = 1
  optimum                the least total cost, by somebody who knows all
                         arrivals in advance; any k and D. For k > 2 that takes
                         some dozens of arrivals; of more it is a bracket
                         within --work-limit, of more than 250 without a pause
                         of T by windows. Ctrl-C ends it with what is known

A game costs the range of each criterion among its players times its weight, and each player's wait / T. Whoever has \
waited for T without enough others plays with bots: then each range counts as 1, and each bot as a wait of T. What is \
due before an arrival happens first; a newcomer is placed before what is due at the same time, and that happens before \
the next newcomer of that time is placed. After the last arrival the clock runs on until nobody waits.

The bound of `optimum` is what no games cost less than: what rounding may have moved is taken off, so that it lies a \
little below the total even where the games are optimal.

Exit codes: 0 served; 2 bad input, usage or I/O; 3 games and a bound, as --work-limit, --time-limit, Ctrl-C, \
windows or rounding kept the proof from closing; 70 internal error.";

/// What serves the players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Method {
    Policy(PolicyKind),
    Optimum,
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Policy(kind) => write!(f, "{kind}"),
            Self::Optimum => f.write_str("optimum"),
        }
    }
}

fn method(text: &str) -> Result<Method, String> {
    if text == "optimum" {
        return Ok(Method::Optimum);
    }
    text.parse()
        .map(Method::Policy)
        .map_err(|error: matchmaking::online::Error| match error {
            matchmaking::online::Error::UnknownPolicy { .. } => format!("{error}, optimum"),
            error => error.to_string(),
        })
}

pub(crate) fn players(text: &str) -> Result<usize, String> {
    let players = text
        .parse()
        .map_err(|_| format!("not a whole number from 2 to {MAX_PLAYERS}"))?;
    checked(Setting::new(players, 1.0, 1)).map(|()| players)
}

pub(crate) fn tau_max(text: &str) -> Result<f64, String> {
    let tau_max = number(text)?;
    checked(Setting::new(2, tau_max, 1)).map(|()| tau_max)
}

pub(crate) fn number(text: &str) -> Result<f64, String> {
    text.parse()
        .map_err(|_| "not a number; write one like 12 or 0.5".to_owned())
}

fn checked(setting: Result<Setting, matchmaking::online::Error>) -> Result<(), String> {
    setting.map(|_| ()).map_err(|error| error.to_string())
}
