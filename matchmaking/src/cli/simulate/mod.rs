//! `matchmaking simulate`: the papers' simulations, played.

mod eomm;

use clap::{Args, Subcommand};

use super::Verdict;
use super::failure::Failure;
use eomm::EommArgs;

#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    #[command(subcommand)]
    simulation: Simulation,
}

#[derive(Debug, Subcommand)]
enum Simulation {
    /// Four matchmakers on the same pools, and who stays: the case study of the EOMM paper.
    Eomm(EommArgs),
}

/// Runs the simulation that was asked for and writes its report.
pub(super) fn run(args: &SimulateArgs) -> Result<Verdict, Failure> {
    match &args.simulation {
        Simulation::Eomm(args) => eomm::run(args),
    }
}
