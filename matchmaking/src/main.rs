//! The `matchmaking` program; its contract and its subcommands are described by `matchmaking --help`.

mod cli;
// The library has these too, and shows them to nobody.
mod beginning;
mod quoted;
mod records;

use std::process::ExitCode;

use matchmaking::ReadError;

fn main() -> ExitCode {
    cli::run()
}
