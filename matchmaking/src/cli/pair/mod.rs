//! `matchmaking pair`: who plays whom, or any weighted graph matched, exactly and with a checked proof.

mod costs;
mod explain;
mod graph;
mod json;
mod pool;
mod report;
mod solve;
mod text;

use std::time::Instant;

use super::args::PairArgs;
use super::failure::Failure;
use super::input::{self, Format};
use super::output::{self, Progress};
use super::{Verdict, formats};
use report::Report;
use solve::Limits;

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &PairArgs) -> Result<Verdict, Failure> {
    let common = &args.common;
    output::check_target(common.output.as_deref())?;
    let progress = Progress::new(common.quiet);
    progress.stage("reading");
    let start = Instant::now();
    let input = input::open(&args.file, args.format)?;
    match input.format {
        Format::Csv => pool::run(args, input, start, &progress),
        Format::Graph(format) => {
            graph::check_options(args)?;
            let source = formats::read(format, input.reader);
            let graph = source.map_err(|source| Failure::Graph {
                file: input.file.clone(),
                source,
            })?;
            graph::run(args, &input.file, input.format, &graph, start, &progress)
        }
    }
}

/// Prints warnings and the report, and says how it went.
fn deliver(args: &PairArgs, report: &Report<'_>) -> Result<Verdict, Failure> {
    let common = &args.common;
    if !common.quiet {
        report
            .warnings
            .iter()
            .for_each(|warning| output::complain(&format!("matchmaking: warning: {warning}")));
    }
    let content = if common.json {
        json::render(report)
    } else {
        text::render(report)
    };
    output::write(common.output.as_deref(), content.as_bytes())?;
    Ok(report.verdict())
}

/// The limits that the command line sets.
fn limits(args: &PairArgs) -> Limits {
    Limits::new(args.common.work_limit, args.common.time_limit)
}
