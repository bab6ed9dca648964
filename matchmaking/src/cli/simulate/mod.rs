//! `matchmaking simulate`: the papers' simulations, played.

mod eomm;
mod online;

use clap::{Args, Subcommand};

use super::Verdict;
use super::failure::Failure;
use eomm::EommArgs;
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
}

/// Runs the simulation that was asked for and writes its report.
pub(super) fn run(args: &SimulateArgs) -> Result<Verdict, Failure> {
    match &args.simulation {
        Simulation::Eomm(args) => eomm::run(args),
        Simulation::Online(args) => online::run(args),
    }
}
