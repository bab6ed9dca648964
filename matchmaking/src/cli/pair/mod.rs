//! `matchmaking pair`: who plays whom, or any weighted graph matched, exactly and with a checked proof.

mod costs;
mod explain;
mod games;
mod graph;
mod json;
mod limits;
mod pool;
mod prices;
mod report;
mod solve;
mod table;
mod text;
mod watch;
mod worst;

use std::time::Instant;

use super::args::PairArgs;
use super::failure::Failure;
use super::input::{self, Format};
use super::output::{self, Session};
use super::places::Files;
use super::{Verdict, formats};
use games::Wish;
use report::Report;
use solve::Settings;

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &PairArgs) -> Result<Verdict, Failure> {
    let start = Instant::now();
    let files = [("FILE", Some(args.file.as_path())), ("--model", args.model.as_deref())];
    let Session { threads, progress } = Session::start(&args.common, &Files::read(&files))?;
    let settings = Settings::new(args, threads);
    let wish = Wish::read(args)?;
    worst::check_options(args)?;
    progress.stage("reading");
    let input = input::open(&args.file, args.format)?;
    match input.format {
        Format::Csv => pool::run((args, wish), settings, input, start, &progress),
        Format::Graph(format) => {
            graph::check_options(args)?;
            let source = formats::read(format, input.reader);
            let graph = source.map_err(|source| Failure::Graph {
                file: input.file.clone(),
                source,
            })?;
            let run = graph::Run {
                args,
                settings,
                file: &input.file,
                format: input.format,
                graph: &graph,
                progress: &progress,
            };
            match wish {
                Some(wish) => games::of_graph(&run, wish, start),
                None => run.answer(start),
            }
        }
    }
}

/// Prints warnings and the report, and says how it went.
fn deliver(args: &PairArgs, report: &Report<'_>) -> Result<Verdict, Failure> {
    output::warn(&args.common, report.warnings);
    output::deliver(&args.common, report, json::render, text::render)?;
    Ok(report.verdict())
}
