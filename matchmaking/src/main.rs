//! The `matchmaking` program; its contract and its subcommands are described by `matchmaking --help`.

mod cli;
// The library has these too, and shows them to nobody.
#[allow(dead_code, reason = "the library has some of it to itself")]
mod beginning;
mod quoted;
mod records;

use std::process::ExitCode;

use matchmaking::ReadError;

fn main() -> ExitCode {
    cli::run()
}
