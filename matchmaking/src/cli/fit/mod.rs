//! `matchmaking fit`: churn and draws from a log of games.

mod args;
mod json;
mod plot;
mod text;

use std::path::Path;
use std::time::{Duration, Instant};

use matchmaking::fit::{Error, Fit, FitReport, MatchLog, OtherForm, Repeated};
use matchmaking::{FittedModel, Player, Pool};

use super::Verdict;
use super::failure::Failure;
use super::input;
use super::output::{self, Session};
use super::places::Files;
use super::text::{counted, printable, shortened};
pub(crate) use args::FitArgs;

/// What there is to report.
#[derive(Debug)]
struct Report<'a> {
    args: &'a FitArgs,
    file: &'a str,
    model: &'a FittedModel,
    fit: &'a FitReport,
    repeated: Option<Repeated>,
    warnings: Vec<String>,
    parse: Duration,
    solve: Duration,
}

/// Runs the subcommand: the model goes to `-o`, the report to stdout.
pub(super) fn run(args: &FitArgs) -> Result<Verdict, Failure> {
    let common = args.common();
    let files = Files {
        read: &[("MATCHES", Some(&args.file))],
        report: "--report",
        others: &[
            ("-o", args.output.as_deref()),
            ("--players", args.players.as_deref()),
            ("--plot", args.plot.as_deref()),
        ],
    };
    let Session { threads, progress } = Session::start(&common, &files)?;

    let start = Instant::now();
    progress.stage("reading");
    let (file, reader) = input::source(&args.file)?;
    let refused = |source| Failure::Log {
        file: file.clone(),
        source,
    };
    let log = MatchLog::read_csv(reader, &args.columns.clone().unwrap_or_default()).map_err(refused)?;
    let parse = start.elapsed();
    // Before the fit, which may fail for the same reasons.
    let warnings = warnings(&log, args);
    output::warn(&common, &warnings);

    let start = Instant::now();
    progress.stage(&format!("fitting {} games", log.len()));
    let fit = Fit::new(args.horizon.seconds)
        .seed(args.seed)
        .growth(args.growth)
        .threads(threads.count());
    let fitted = fit.run(&log).map_err(|source| match source {
        Error::BadHorizon { .. } => Failure::Usage {
            option: "--horizon",
            problem: source.to_string(),
        },
        source => refused(source),
    })?;
    let report = Report {
        args,
        file: &file,
        model: &fitted.model,
        fit: &fitted.report,
        repeated: log.repeated(),
        warnings,
        parse,
        solve: start.elapsed(),
    };

    if let Some(path) = &args.output {
        let mut model = Vec::new();
        let written = fitted.model.write(&mut model);
        written.map_err(|source| Failure::Write {
            file: path.display().to_string(),
            source,
        })?;
        output::write(Some(path), &model)?;
    }
    // It names the model as written, and is not lost where something else cannot be.
    output::deliver(&common, &report, json::render, text::render)?;
    if let Some(path) = &args.players {
        let mut players = log.players_at_the_end(fitted.model.rating());
        if let Some(games) = args.opponents {
            for (player, met) in players.iter_mut().zip(log.recent_opponents(games as usize)) {
                player.opponents = met.into_iter().map(str::to_owned).collect();
            }
        }
        write_pool(path, players)?;
    }
    if let Some(path) = &args.plot {
        plot::draw(path, &report)?;
    }
    Ok(Verdict::Solved)
}

/// Characters of a number that a warning repeats.
const NUMBER: usize = 40;

/// What about the log may spoil the fit, with what to do about it.
fn warnings(log: &MatchLog, args: &FitArgs) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(Repeated { rows, line, of }) = log.repeated() {
        let rows = counted(rows as usize, "row");
        warnings.push(format!(
            "{rows} of the same two players at the same time as another row, the first on line {line} (see line {of}); all are used, \
             and a game that stands there twice spoils ratings and churn: remove the copies, or write times that tell the games apart"
        ));
    }
    if let Some(OtherForm { line, number }) = log.other_form() {
        warnings.push(format!(
            "the time on line {line} is a number where the first game has a date, or the other way round; numbers are seconds since \
             1970, and so is {}: write all times in one form",
            printable(&shortened(number, NUMBER))
        ));
    }
    if log.last_gap() > args.horizon.seconds {
        warnings.push(format!(
            "the last game is {:.1} hours later than all before it, and the horizon is {}; so next to nobody's games are left out for \
             want of time to come back, and whoever is not seen again counts as having stopped: look whether that time is right",
            log.last_gap() / 3_600.0,
            args.horizon.text
        ));
    }
    warnings
}

/// Writes players as a pool.
fn write_pool(path: &Path, players: Vec<Player>) -> Result<(), Failure> {
    let file = || path.display().to_string();
    let pool = Pool::new(players).map_err(|source| Failure::Pool { file: file(), source })?;
    let mut csv = Vec::new();
    let written = pool.write_csv(&mut csv);
    written.map_err(|source| Failure::Write { file: file(), source })?;
    output::write(Some(path), &csv)
}
