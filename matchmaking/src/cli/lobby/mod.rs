//! `matchmaking lobby`: everybody who waits, put into matches of two teams at once.

mod args;
mod explain;
mod json;
mod read;
mod report;
pub(in crate::cli) mod scores;
mod solve;
mod text;

use std::time::Instant;

use super::Verdict;
use super::failure::Failure;
use super::json::Spent;
use super::limits::{self, Limits};
use super::output::{self, Session};
use super::places::Files;
pub(crate) use args::LobbyArgs;
pub(in crate::cli) use args::rules_of;
use explain::Explained;
use read::Source;
use report::{Outcome, Report};

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &LobbyArgs) -> Result<Verdict, Failure> {
    let common = &args.common;
    // What is wrong with them is said before anything is read.
    let from_file = args.read_rules()?;
    args.rules(from_file.as_ref(), false)?;
    // The search takes the threads that are started here.
    let files = [("FILE", args.file.as_deref()), ("--rules", args.rules.as_deref())];
    let Session { progress, .. } = Session::start(common, &Files::read(&files))?;
    let start = Instant::now();
    progress.stage("reading");
    let source = Source::read(args)?;
    let rules = args.rules(from_file.as_ref(), source.round.has_disliked())?;
    let asked = args
        .explain
        .as_deref()
        .map(|id| explain::player(&source, id))
        .transpose()?;
    let mut spent = Spent {
        parse: start.elapsed(),
        ..Spent::default()
    };

    progress.stage("searching");
    let start = Instant::now();
    let outcome = solve::solve(args, &source, &rules)?;
    let elapsed = start.elapsed();
    spent.solve = outcome.lobby().map_or(elapsed, |lobby| lobby.elapsed);
    spent.costs = elapsed.saturating_sub(spent.solve);

    let start = Instant::now();
    let flaw = |flaw| Failure::Unverified { source: Box::new(flaw) };
    if let Outcome::Found(lobby) = &outcome {
        lobby.verify(&source.round, &rules).map_err(flaw)?;
    }
    spent.verify = start.elapsed();

    let start = Instant::now();
    // Whoever has ended the search with Ctrl-C is told of what it has found; the next one ends the program.
    let explain = |asked| {
        let limits = Limits::start(limits::to_explain(args.time_limit, elapsed + spent.verify), None);
        Explained::of(asked, &source, &rules, &limits)
    };
    let explained = outcome.lobby().zip(asked).map(explain).transpose().map_err(flaw)?;
    spent.explain = explained.as_ref().map(|_| start.elapsed());

    let report = Report::new(args, (&source, &rules), &outcome, explained, spent);
    output::warn(common, &report.warnings);
    output::deliver(common, &report, json::render, text::render)?;
    Ok(report.verdict())
}
