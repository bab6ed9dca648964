//! `matchmaking simulate online`: the paper's simulations of policies for players who arrive one by one.

mod args;
mod floor;
mod json;
mod plot;
mod study;
mod text;

use std::time::Instant;

use matchmaking::online::{Error, Pattern, Setting};

use crate::cli::Verdict;
use crate::cli::failure::Failure;
use crate::cli::json::Spent;
use crate::cli::limits::{Limits, word};
use crate::cli::output::{self, Session};
use crate::cli::places::Files;
use crate::cli::text::whole;
pub(crate) use args::OnlineSimulationArgs;
use study::Study;
use text::label;

/// What there is to report.
struct Report<'a> {
    args: &'a OnlineSimulationArgs,
    setting: Setting,
    study: Study,
    /// Floors and simulations.
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
            Some(_) if self.study.patterns.is_empty() => Verdict::StoppedWithout,
            Some(_) => Verdict::StoppedWithAnswer,
        }
    }
}

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &OnlineSimulationArgs) -> Result<Verdict, Failure> {
    let files = Files {
        read: &[],
        report: "-o",
        others: &[("--plot", args.plot.as_deref())],
    };
    let Session { progress, .. } = Session::start(&args.common, &files)?;
    check_once(&args.patterns)?;
    check_constant(args)?;
    let setting = args.setting()?;
    check_floor(args, &setting)?;
    progress.stage("playing");
    let start = Instant::now();
    let limits = Limits::start(args.time_limit, args.work_limit);
    let study = study::play(args, &setting, &limits).map_err(refused)?;
    let report = Report {
        args,
        setting,
        study,
        spent: Spent {
            solve: start.elapsed(),
            ..Spent::default()
        },
    };
    // First, so that it is not lost where the picture cannot be written.
    output::deliver(&args.common, &report, json::render, text::render)?;
    match &args.plot {
        Some(_) if report.study.patterns.is_empty() => {
            output::warn(
                &args.common,
                &["--plot draws nothing: there are no two replications".to_owned()],
            );
        }
        Some(path) => plot::draw(path, &report.study)?,
        None => {}
    }
    Ok(report.verdict())
}

/// A pattern that is named twice has the same arrivals twice, and would count twice in averages.
fn check_once(patterns: &[Pattern]) -> Result<(), Failure> {
    let twice = (1..patterns.len()).find(|&at| patterns[..at].contains(&patterns[at]));
    twice.map_or(Ok(()), |at| {
        Err(Failure::Usage {
            option: "--patterns",
            problem: format!("{} appears twice; keep one", label(patterns[at])),
        })
    })
}

/// Floors and figures are of constant rates: said before everything is played.
fn check_constant(args: &OnlineSimulationArgs) -> Result<(), Failure> {
    if args
        .patterns
        .iter()
        .any(|pattern| matches!(pattern, Pattern::Constant(_)))
    {
        return Ok(());
    }
    let asked = [("--floor", args.floor.is_some()), ("--plot", args.plot.is_some())];
    match asked.into_iter().find(|asked| asked.1) {
        Some((option, _)) => Err(Failure::Usage {
            option,
            problem: "asks for constant rates, and there is none among --patterns".to_owned(),
        }),
        None => Ok(()),
    }
}

/// Floors are of games of two by one criterion.
fn check_floor(args: &OnlineSimulationArgs, setting: &Setting) -> Result<(), Failure> {
    if args.floor.is_none() || (setting.players(), setting.criteria()) == (2, 1) {
        return Ok(());
    }
    Err(Failure::Usage {
        option: "--floor",
        problem:
            "is known for games of 2 players by 1 criterion alone; leave it out, or --players, --criteria and --weights"
                .to_owned(),
    })
}

/// What to do about a longest wait that does not go with the times of the arrivals. Those follow from rates here, and
/// nobody counts them from another moment.
fn coarse(time: f64, tau_max: f64) -> String {
    let wait = whole(tau_max);
    if (time + tau_max).is_infinite() {
        return format!(
            "a longest wait of {wait} from {time:e} on ends later than any number; write a shorter one, or greater rates in --patterns"
        );
    }
    format!(
        "beside arrivals at times up to {time:e} a longest wait of {wait} is lost in rounding; write a longer one, or greater rates in --patterns"
    )
}

/// The option that an error is about; what no option leads to is a mistake of ours.
fn refused(source: Error) -> Failure {
    let usage = |option, problem| Failure::Usage { option, problem };
    match source {
        Error::Floor(problem) => usage("--floor", problem.to_string()),
        Error::BadParameter { .. } | Error::Unsuited { .. } => usage("--policy", source.to_string()),
        Error::CoarseTimes { time, tau_max } => usage("--tau-max", coarse(time, tau_max)),
        Error::BadNumber { .. } => {
            let problem = "times overflow at a rate so small; write a greater one".to_owned();
            usage("--patterns", problem)
        }
        source => Failure::Unverified {
            source: Box::new(source),
        },
    }
}
