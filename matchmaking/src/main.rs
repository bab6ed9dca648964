//! The `matchmaking` program; its contract and its subcommands are described by `matchmaking --help`.

mod cli;
// The library reads its CSV by it too, and shows it to nobody.
mod records;

use std::process::ExitCode;

use matchmaking::ReadError;

fn main() -> ExitCode {
    cli::run()
}
