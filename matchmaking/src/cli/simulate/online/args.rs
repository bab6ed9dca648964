//! The options of `matchmaking simulate online`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use matchmaking::online::{Error, Pattern, PolicyKind, Setting};

use crate::cli::args::{ANY, CommonArgs, seconds, whole};
use crate::cli::failure::Failure;
use crate::cli::online::{number, players, tau_max};
use crate::cli::text::counted;

#[derive(Args, Debug)]
#[command(after_help = NOTES)]
pub(crate) struct OnlineSimulationArgs {
    /// Arrivals of a replication, at least 100.
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = whole::<u32>(100..=10_000_000))]
    pub(super) arrivals: u32,

    /// Replications of each pattern, from 2 on.
    #[arg(long, value_name = "R", default_value_t = 10, value_parser = whole::<u32>(2..=10_000))]
    pub(super) replications: u32,

    /// Arrivals per unit of time: constant rates like 3, or rising ones like 0..6.
    #[arg(long, value_name = "P,P,..", value_delimiter = ',', default_value = "1,3,10,0..2,0..6,0..20", value_parser = pattern)]
    pub(super) patterns: Vec<Pattern>,

    /// More policies, as `matchmaking online --help` lists them, but the optimum, which is there anyway; repeat the option
    /// for several.
    #[arg(long, value_name = "POLICY", value_parser = policy)]
    pub(super) policy: Vec<PolicyKind>,

    /// Players of a game, 2 to 64. Of more than two there is no optimum to compare with.
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = players)]
    pub(super) players: usize,

    /// Criteria, 1 to 16, each uniform on [0, 1] [default: as many as --weights has, else 1].
    #[arg(long, value_name = "D", value_parser = whole::<u32>(1..=16))]
    pub(super) criteria: Option<u32>,

    /// Weight of each criterion [default: K divided by how many there are].
    #[arg(long, value_name = "W,W,..", value_delimiter = ',', value_parser = number)]
    pub(super) weights: Option<Vec<f64>>,

    /// The longest wait.
    #[arg(long, value_name = "T", default_value_t = 5.0, value_parser = tau_max)]
    pub(super) tau_max: f64,

    /// At constant rates, also compute the least that any policy can cost that does not know the future, as decision
    /// processes of up to so many states; 300000 take some seconds a rate, 4000000 minutes and 4 GB.
    #[arg(long, value_name = "STATES", value_parser = whole::<u32>(1_000..=20_000_000))]
    pub(super) floor: Option<u32>,

    /// Seed of the arrivals.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(ANY))]
    pub(super) seed: u64,

    /// Stop after so many seconds; those replications are reported that are done for all patterns by then. Floors
    /// come first, as far as there is time.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(super) time_limit: Option<Duration>,

    /// Play as many replications as this is enough for, by a unit for each arrival that a policy serves, or that is
    /// matched in hindsight: reproducible on every machine. Floors do not count.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    pub(super) work_limit: Option<u64>,

    /// Draw cost per game by parameter, as the paper's figures 2 and 3, at the greatest and the least constant rate.
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,

    #[command(flatten)]
    pub(super) common: CommonArgs,
}

const NOTES: &str = "\
Games of two by one criterion, uniform on [0, 1], unless --players, --criteria and --weights say otherwise; arrivals are \
Poisson. Policies that do not serve such games are left out, and so is the optimum of games of more than two, which is known \
for some dozens of arrivals alone. All policies serve the same arrivals; the \
optimum knows them in advance. Policies with a parameter play with several values, and with the best one for each \
pattern in the comparison, as in the paper: the best in as many other replications, since the best of those that are \
reported would owe its figure to luck as well. Costs are per game; `of optimum` is total cost by the optimum's total \
cost. Intervals are 95 %, over replications. Logs of more than 20,000 arrivals are solved in windows; then the \
optimum's bound is compared with, so that ratios are at most overstated.

The paper prints 0.362 for periodic:4 and 0.231 for multi-queue:6 at rate 10, and Table 3: costs averaged over the \
six patterns, in units of the optimum's; all with a longest wait of 5, and shown beside nothing else. It does not say \
how long its sequences are. The first arrivals, whose waits began in an empty room, and the bots of the last ones weigh \
the more the shorter they are.

Ctrl-C ends it and reports the replications that are done; a second one ends the program.

Exit codes: 0 played; 2 bad usage or I/O; 3 stopped by --time-limit, --work-limit or Ctrl-C, with the replications that \
were played; 4 stopped before there were two, of which intervals can be made; 70 internal error.";

/// The longest wait that the paper's figures are for.
const PAPERS_WAIT: f64 = 5.0;

impl OnlineSimulationArgs {
    /// What a game costs.
    pub(super) fn setting(&self) -> Result<Setting, Failure> {
        let usage = |option, problem| Failure::Usage { option, problem };
        let setting = match (&self.weights, self.criteria) {
            (Some(weights), Some(criteria)) if weights.len() != criteria as usize => {
                let weights = counted(weights.len(), "weight");
                return Err(usage(
                    "--weights",
                    format!("{weights} where --criteria is {criteria}; give one for each"),
                ));
            }
            (Some(weights), _) => Setting::with_weights(self.players, self.tau_max, weights.clone()),
            (None, criteria) => Setting::new(self.players, self.tau_max, criteria.unwrap_or(1) as usize),
        };
        setting.map_err(|error| usage("--weights", error.to_string()))
    }
}

/// Whether the paper's figures are about such games.
pub(super) fn is_papers(setting: &Setting) -> bool {
    Setting::new(2, PAPERS_WAIT, 1).is_ok_and(|papers| papers == *setting)
}

fn pattern(text: &str) -> Result<Pattern, String> {
    text.parse().map_err(|error: Error| error.to_string())
}

fn policy(text: &str) -> Result<PolicyKind, String> {
    text.parse().map_err(|error: Error| error.to_string())
}
