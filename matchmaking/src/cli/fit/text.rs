//! The report for people.

use matchmaking::Coefficient;
use matchmaking::fit::{CalibrationBin, Share};

use super::Report;
use crate::cli::output::is_stdout;
use crate::cli::text::{Column, counted, printable, say, table, wrapped};

/// So many coefficients besides those of the upcoming game are shown.
const SHOWN: usize = 6;

/// The whole report.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut out = String::new();
    input(&mut out, report);
    quality(&mut out, report);
    out += "\npredicted risk, for players whom the regression has not seen, and what came of it\n";
    out += &calibration(&report.fit.calibration);
    out += "\nwho stopped, by the last three outcomes (newest last)\n";
    out += &by_last_three(report);
    out += "\nwhat moves the risk (logit for one standard deviation)\n";
    out += &coefficients(report);
    wrapped(
        &mut out,
        "",
        "standard errors are by player: games of one player may have to do with each other; the penalty's pull towards 0 is not \
         in them, so that in a small log the truth is often further away",
    );
    draws(&mut out, report);
    out += "\npredicted chances of winning, from either side, and how often they won\n";
    out += &calibration(&report.fit.win_calibration);
    out.push('\n');
    wrapped(
        &mut out,
        "",
        "Intervals of 95 % are by player: observations of one player may have to do with each other. AUC and log loss are a little \
         too good, since the strength of the penalty was chosen on the same players.",
    );
    wrapped(
        &mut out,
        "",
        "This is a forecast on what these games show, and no measured effect of making others: who loses may stop for reasons \
         that also made him lose. Try it on a random half of the players before you believe a gain.",
    );
    if let Some(path) = &report.args.output {
        let states = counted(report.model.states().len(), "state");
        let place = if is_stdout(path) {
            "stdout".into()
        } else {
            printable(&path.display().to_string())
        };
        say(&mut out, format_args!("model written to {place} with {states}"));
    }
    let seconds = (report.parse + report.solve).as_secs_f64();
    say(&mut out, format_args!("seed {}, {seconds:.3} s", report.fit.seed));
    out
}

fn percent(chance: f64) -> String {
    format!("{:.1} %", 100.0 * chance)
}

fn input(out: &mut String, report: &Report<'_>) {
    let (fit, file) = (report.fit, printable(report.file));
    let games = counted(fit.used as usize, "game");
    let players = counted(fit.players as usize, "player");
    say(
        out,
        format_args!("{file}: {games} of {players}, horizon {}", report.args.horizon.text),
    );
    for (count, what) in fit.skipped.reasons().into_iter().filter(|&(count, _)| count > 0) {
        let rows = counted(count as usize, "row");
        say(out, format_args!("skipped: {rows} {what}"));
    }
    if fit.moved > 0 {
        let games = counted(fit.moved as usize, "game");
        say(out, format_args!("sorted: {games} stood behind a later one"));
    }
    if let Some(repeated) = report.repeated {
        let rows = counted(repeated.rows as usize, "row");
        say(
            out,
            format_args!("repeated: {rows} of the same two players at the same time, used like all others"),
        );
    }
    say(
        out,
        format_args!(
            "observations: {}, a player and a game each; {} more are left out, since the log ends within the horizon",
            fit.churn.count, fit.censored
        ),
    );
}

fn quality(out: &mut String, report: &Report<'_>) {
    let fit = report.fit;
    let rate = fit.churn.rate().map_or_else(|| "-".to_owned(), percent);
    say(
        out,
        format_args!("stopped: {} of {}, {rate}", fit.churn.happened, fit.churn.count),
    );
    say(
        out,
        format_args!(
            "AUC {:.4}, mean of {} folds, standard error {:.4}; log loss {:.4}, of the constant prediction {:.4}; strength of the penalty {}",
            fit.auc,
            fit.auc_by_fold.len(),
            fit.auc_error,
            fit.log_loss,
            fit.log_loss_constant,
            report.model.strength()
        ),
    );
}

fn interval(interval: Option<(f64, f64)>) -> String {
    let text = |(low, high)| format!("{} - {}", percent(low), percent(high));
    interval.map_or_else(|| "-".to_owned(), text)
}

fn calibration(bins: &[CalibrationBin]) -> String {
    let header = [
        Column::right("from"),
        Column::right("to"),
        Column::right("mean predicted"),
        Column::right("count"),
        Column::right("real"),
        Column::right("95 % by player"),
    ];
    let rows = bins.iter().map(|bin| {
        let mut cells: Vec<String> = [bin.from, bin.to, bin.predicted].map(percent).into();
        cells.push(bin.share.count.to_string());
        cells.push(bin.share.rate().map_or_else(|| "-".to_owned(), percent));
        cells.push(interval(bin.interval));
        cells
    });
    table(&header, rows)
}

/// Safest first, as in the paper's Table 1; patterns that never were come last.
fn by_last_three(report: &Report<'_>) -> String {
    let mut patterns: Vec<_> = report.fit.by_last_three.iter().collect();
    let rate = |share: Share| share.rate().unwrap_or(f64::INFINITY);
    patterns.sort_by(|a, b| rate(a.churn).total_cmp(&rate(b.churn)));
    let header = [
        Column::left("last 3"),
        Column::right("count"),
        Column::right("stopped"),
        Column::right("risk"),
        Column::right("95 % by player"),
    ];
    let rows = patterns.into_iter().map(|pattern| {
        vec![
            pattern.outcomes.map(|outcome| outcome.letter()).iter().collect(),
            pattern.churn.count.to_string(),
            pattern.churn.happened.to_string(),
            pattern.churn.rate().map_or_else(|| "-".to_owned(), percent),
            interval(pattern.interval),
        ]
    });
    let mut out = table(&header, rows);
    let short = report.fit.short_history;
    if short > 0 {
        say(
            &mut out,
            format_args!("{short} observations have fewer than two games before"),
        );
    }
    out
}

/// All of the upcoming game, and the greatest of the others.
fn coefficients(report: &Report<'_>) -> String {
    let (upcoming, mut others): (Vec<Coefficient>, Vec<Coefficient>) = report
        .model
        .coefficients()
        .into_iter()
        .partition(|term| term.name.starts_with("upcoming"));
    others.sort_by(|a, b| b.coefficient.abs().total_cmp(&a.coefficient.abs()));
    others.truncate(SHOWN);
    let header = [
        Column::left("feature"),
        Column::right("mean"),
        Column::right("deviation"),
        Column::right("coefficient"),
        Column::right("standard error"),
    ];
    let rows = upcoming.into_iter().chain(others).map(|term| {
        let mut cells = vec![term.name];
        let numbers = [term.mean, term.deviation, term.coefficient, term.error];
        cells.extend(numbers.map(|number| format!("{number:.4}")));
        cells
    });
    table(&header, rows)
}

fn draws(out: &mut String, report: &Report<'_>) {
    let draws = &report.fit.draws;
    let constant = percent(draws.constant.share());
    match (draws.gap, draws.gap_log_likelihood) {
        (Some(gap), Some(likelihood)) => {
            let gained = likelihood - draws.constant_log_likelihood;
            let chosen = if draws.chosen.width().is_some() {
                "the second"
            } else {
                "the first"
            };
            let (share, width) = (percent(gap.share()), gap.width().unwrap_or(f64::INFINITY));
            say(
                out,
                format_args!(
                    "\ndraws: {constant} of games; or {share} among equals, e times less at {width:.0} points of difference, which gains \
                     {gained:.2} in log-likelihood; {chosen} is taken"
                ),
            );
        }
        _ => say(out, format_args!("\ndraws: {constant} of games")),
    }
}
