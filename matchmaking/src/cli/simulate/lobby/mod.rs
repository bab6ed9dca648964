//! `matchmaking simulate lobby`: a lobby over time, with rounds by several rules.

mod args;
mod json;
mod study;
mod text;

use std::time::Instant;

use matchmaking::lobby::Rules;

use crate::cli::Verdict;
use crate::cli::failure::Failure;
use crate::cli::json::Spent;
use crate::cli::limits::{Limits, word};
use crate::cli::output::{self, Session};
use crate::cli::places::Files;
pub(crate) use args::LobbySimulationArgs;
use study::Study;

/// What there is to report.
struct Report<'a> {
    args: &'a LobbySimulationArgs,
    rules: Rules,
    study: Study,
    spent: Spent,
}

impl Report<'_> {
    /// The word for what ended it.
    fn stopped(&self) -> Option<&'static str> {
        self.study.stop.map(word)
    }

    fn verdict(&self) -> Verdict {
        match self.study.stop {
            None => Verdict::Solved,
            Some(_) if self.study.rows.is_empty() => Verdict::StoppedWithout,
            Some(_) => Verdict::StoppedWithAnswer,
        }
    }
}

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &LobbySimulationArgs) -> Result<Verdict, Failure> {
    let files = [("--rules", args.rules.as_deref())];
    let Session { progress, .. } = Session::start(&args.common, &Files::read(&files))?;
    let start = Instant::now();
    let whens = args.round_rules()?;
    let rules = args.match_rules(&whens)?;
    let mut spent = Spent {
        parse: start.elapsed(),
        ..Spent::default()
    };
    progress.stage("playing");
    let start = Instant::now();
    let limits = Limits::start(args.time_limit, args.work_limit);
    let study = study::play(args, (&rules, &whens), &limits, &progress)?;
    spent.solve = start.elapsed();
    let report = Report {
        args,
        rules,
        study,
        spent,
    };
    output::deliver(&args.common, &report, json::render, text::render)?;
    Ok(report.verdict())
}
