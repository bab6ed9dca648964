//! `matchmaking online`: a log of arrivals, served by a policy or in hindsight.

mod args;
mod json;
mod report;
mod text;

use std::time::Instant;

use matching_core::Budget;
use matchmaking::online::{Account, Error, Log, Overlap, Setting, group_optimum_within, optimum_within, simulate};

use super::Verdict;
use super::failure::Failure;
use super::input;
use super::json::Spent;
use super::limits::Limits;
use super::output::{self, Session};
use super::places::Files;
use super::text::{counted, counted_as};
use args::{Method, WORK_LIMIT};
pub(crate) use args::{OnlineArgs, number, players, tau_max};
use report::{Report, Served};

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &OnlineArgs) -> Result<Verdict, Failure> {
    let common = &args.common;
    check_options(args)?;
    let files = [("FILE", Some(args.file.as_path()))];
    let Session { progress, .. } = Session::start(common, &Files::read(&files))?;
    let start = Instant::now();
    progress.stage("reading");
    let (name, reader) = input::source(&args.file)?;
    let wrong = |source| Failure::Online {
        file: name.clone(),
        source,
    };
    let log = Log::read_csv(reader).map_err(wrong)?;
    let mut spent = Spent {
        parse: start.elapsed(),
        ..Spent::default()
    };

    let setting = setting(args, &log)?;
    progress.stage("matching");
    let start = Instant::now();
    let served = serve(args, &setting, &log)?;
    spent.solve = start.elapsed();

    let start = Instant::now();
    let account = Account::new(&setting, &log.arrivals, &served.games);
    let account = account.map_err(|source| Failure::Unverified {
        source: Box::new(source),
    })?;
    spent.verify = start.elapsed();

    let overlap = log.overlap(&served.games).map_err(wrong)?;
    let mut warnings = output::unused("column", &log.unknown_columns);
    if let Some(Overlap { arrivals, line, of, .. }) = overlap {
        let arrivals = counted(arrivals, "arrival");
        warnings.push(format!(
            "{arrivals} of players who still wait for a game, the first on line {line} (see line {of}): each is served like somebody else"
        ));
    }
    output::warn(common, &warnings);
    let report = Report {
        args,
        name: &name,
        setting: &setting,
        log: &log,
        served: &served,
        account: &account,
        warnings,
        spent,
    };
    output::deliver(common, &report, json::render, text::render)?;
    Ok(match report.status() {
        "feasible" if served.bound.is_some() => Verdict::StoppedWithAnswer,
        _ => Verdict::Solved,
    })
}

/// Refuses an option that the policy has no use for.
fn check_options(args: &OnlineArgs) -> Result<(), Failure> {
    let Method::Policy(kind) = args.policy else {
        return Ok(());
    };
    let limits = [
        ("--work-limit", args.work_limit.is_some()),
        ("--time-limit", args.time_limit.is_some()),
    ];
    match limits.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::Usage {
            option,
            problem: format!("only for --policy optimum; {kind} does nothing that could take so long"),
        }),
    }
}

/// What `optimum` may take.
fn budget(args: &OnlineArgs) -> Budget {
    let of_groups = (args.players > 2).then_some(WORK_LIMIT);
    Limits::start(args.time_limit, args.work_limit.or(of_groups)).budget()
}

/// Players, longest wait and weights; as many weights as the file has criteria.
fn setting(args: &OnlineArgs, log: &Log) -> Result<Setting, Failure> {
    let criteria = log.arrivals.dimensions();
    let setting = match &args.weights {
        None => Setting::new(args.players, args.tau_max, criteria),
        Some(weights) if weights.len() != criteria => {
            let weights = counted(weights.len(), "weight");
            let criteria = counted_as(criteria, "criterion", "criteria");
            let problem = format!("{weights} where the file has {criteria}; give one for each");
            return Err(Failure::Usage {
                option: "--weights",
                problem,
            });
        }
        Some(weights) => Setting::with_weights(args.players, args.tau_max, weights.clone()),
    };
    setting.map_err(|error| Failure::Usage {
        option: "--weights",
        problem: error.to_string(),
    })
}

fn serve(args: &OnlineArgs, setting: &Setting, log: &Log) -> Result<Served, Failure> {
    let unsuited = |error: Error| Failure::Usage {
        option: match error {
            Error::CoarseTimes { .. } => "--tau-max",
            _ => "--policy",
        },
        problem: error.to_string(),
    };
    match args.policy {
        Method::Policy(kind) => {
            let policy = kind.build(setting).map_err(unsuited)?;
            let games = simulate(setting, policy, &log.arrivals).map_err(unsuited)?;
            Ok(Served {
                games,
                bound: None,
                stop: None,
            })
        }
        Method::Optimum => {
            let best = match setting.players() {
                2 => optimum_within(setting, &log.arrivals, usize::MAX, &budget(args)),
                _ => group_optimum_within(setting, &log.arrivals, &budget(args)),
            };
            let best = best.map_err(|error| match error {
                Error::Unverified { .. } | Error::UnverifiedGroups { .. } => Failure::Unverified {
                    source: Box::new(error),
                },
                error => unsuited(error),
            })?;
            Ok(Served {
                games: best.games,
                bound: Some((best.bound, best.tolerance)),
                stop: best.stop,
            })
        }
    }
}
