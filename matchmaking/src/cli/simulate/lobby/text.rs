//! The report for people.

use matchmaking::eomm::statistics::Estimate;

use super::Report;
use super::study::{Difference, Row};
use crate::cli::lobby::scores::RULES;
use crate::cli::text::{Column, counted, say, table, whole};

/// The scores that tables have: nobody of the population dislikes another.
const SHOWN: usize = 6;

/// The whole report.
pub(super) fn render(report: &Report<'_>) -> String {
    let (args, study) = (report.args, &report.study);
    let size = report.rules.team_size();
    let mut out = format!(
        "{} replications of {}, {} a minute, {size}v{size}, matches of {} min, {} play again{}, seed {}\n",
        args.replications,
        counted(args.players, "player"),
        whole(args.arrivals),
        whole(args.match_minutes),
        whole(args.again),
        args.patience
            .map_or(String::new(), |seconds| format!(", patience {} s", whole(seconds))),
        args.seed
    );
    if let Some(stopped) = report.stopped() {
        let by = match stopped {
            "interrupt" => "an interrupt".to_owned(),
            limit => format!("the {limit}"),
        };
        say(
            &mut out,
            format_args!("stopped by {by} after {} of them", study.replications),
        );
        if study.rows.is_empty() {
            return out;
        }
    }
    out.push('\n');
    out += &rows(&study.rows, args.patience.is_some());
    if !study.differences.is_empty() {
        out.push('\n');
    }
    for difference in &study.differences {
        say(&mut out, format_args!("{}", compared(difference)));
    }
    say(
        &mut out,
        format_args!("{} moves looked at, {:.3} s", study.work, report.spent.seconds()),
    );
    out
}

fn rows(rows: &[Row], has_patience: bool) -> String {
    let mut columns = vec![
        Column::left("rounds"),
        Column::right("held"),
        Column::right("players in one"),
    ];
    columns.extend(["matches", "score"].map(Column::right));
    columns.extend(RULES[..SHOWN].iter().map(|name| Column::right(name)));
    columns.extend(["worst", "mean wait", "95 %", "still wait"].map(Column::right));
    columns.extend(has_patience.then(|| Column::right("gave up")));
    let lines = rows.iter().map(|row| {
        let mut line = vec![
            row.when.to_string(),
            row.rounds.to_string(),
            number(row.round_players.map(|players| players.mean), 1),
            row.matches.to_string(),
            interval(row.score.as_ref(), 4),
        ];
        let scores = row.breakdown.as_ref().map(matchmaking::lobby::Breakdown::scores);
        line.extend((0..SHOWN).map(|at| number(scores.map(|scores| scores[at]), 3)));
        line.push(number(row.worst, 3));
        line.push(interval(row.wait.as_ref(), 1));
        line.push(number(row.long_wait, 0));
        line.push(row.waiting.to_string());
        if has_patience {
            line.push(row.given_up.to_string());
        }
        line
    });
    table(&columns, lines)
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.decimals$}"))
}

fn interval(estimate: Option<&Estimate>, decimals: usize) -> String {
    let Some(estimate) = estimate else {
        return "-".to_owned();
    };
    let half = (estimate.high - estimate.low) / 2.0;
    match half.is_finite() {
        true => format!("{:.decimals$} ± {half:.decimals$}", estimate.mean),
        false => format!("{:.decimals$}", estimate.mean),
    }
}

fn compared(difference: &Difference) -> String {
    let [one, other] = difference.rules;
    let by = |estimate: &Estimate, decimals| {
        let sign = if estimate.mean < 0.0 { "" } else { "+" };
        format!("{sign}{}", interval(Some(estimate), decimals))
    };
    format!(
        "{other} instead of {one}: score {}, mean wait {} s",
        by(&difference.score, 4),
        by(&difference.wait, 1)
    )
}
