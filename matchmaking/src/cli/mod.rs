//! The command line: parse, call the library, report.

mod advise;
mod args;
mod asked;
mod chart;
mod decimal;
mod failure;
mod fairness;
mod fit;
mod formats;
mod group;
mod input;
mod interrupt;
mod json;
mod limits;
mod lobby;
mod memory;
mod names;
mod online;
mod output;
mod pair;
mod places;
mod rematches;
mod replace;
mod simulate;
mod text;
mod threads;
mod verify;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use args::{Cli, Command};
use failure::Failure;

/// What a subcommand that ran to its end has to say; the number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Solved = 0,
    Infeasible = 1,
    StoppedWithAnswer = 3,
    StoppedWithout = 4,
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::read(env::args_os()) {
        Ok(cli) => cli,
        Err(said) => return tell(&said),
    };
    let result = match &cli.command {
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
        Ok(verdict) => ExitCode::from(verdict as u8),
        Err(failure) => fail(&failure),
    }
}

/// Says what there is to say in place of a run: help, the version, or what is wrong with the command line.
fn tell(said: &clap::Error) -> ExitCode {
    let printed = said.print();
    if said.use_stderr() {
        return ExitCode::from(2);
    }
    match output::to_stdout(printed.and_then(|()| io::stdout().flush())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => fail(&failure),
    }
}

fn fail(failure: &Failure) -> ExitCode {
    output::complain(&format!("matchmaking: error: {failure}"));
    ExitCode::from(failure.exit_code())
}
