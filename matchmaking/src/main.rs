//! The `matchmaking` program; its contract and its subcommands are described by `matchmaking --help`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
