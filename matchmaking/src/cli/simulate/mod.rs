//! `matchmaking simulate`: the papers' simulations, played, and a lobby's.

mod eomm;
mod lobby;
mod online;

use clap::{Args, Subcommand};
use matchmaking::eomm::statistics::{Estimate, Sample};

use super::Verdict;
use super::failure::Failure;
use eomm::EommArgs;
use lobby::LobbySimulationArgs;
use online::OnlineSimulationArgs;

#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    #[command(subcommand)]
    simulation: Simulation,
}

#[derive(Debug, Subcommand)]
enum Simulation {
    /// Four matchmakers on the same pools, and who stays: the case study of the EOMM paper.
    Eomm(EommArgs),
    /// Policies for players who arrive one by one, and the best in hindsight: the simulations of Schlup's paper.
    Online(OnlineSimulationArgs),
    /// A lobby whose players arrive, wait for rounds, play and come back: what longer intervals gain in matches and cost in waiting.
    Lobby(LobbySimulationArgs),
}

/// Runs the simulation that was asked for and writes its report.
pub(super) fn run(args: &SimulateArgs) -> Result<Verdict, Failure> {
    match &args.simulation {
        Simulation::Eomm(args) => eomm::run(args),
        Simulation::Online(args) => online::run(args),
        Simulation::Lobby(args) => lobby::run(args),
    }
}

/// Mean and interval over replications.
fn estimate(values: impl Iterator<Item = f64> + Clone) -> Estimate {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    Sample {
        count: count as u64,
        mean,
        variance: squares / (count - 1.0),
    }
    .estimate()
}
