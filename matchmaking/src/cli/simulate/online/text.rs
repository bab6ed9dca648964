//! The report for people.

use matchmaking::eomm::statistics::Estimate;
use matchmaking::online::{Pattern, Setting};

use super::Report;
use super::study::{PatternResult, Study};
use crate::cli::text::{Column, counted_as, float, say, table, whole};

/// The whole report.
pub(super) fn render(report: &Report<'_>) -> String {
    let (args, study) = (report.args, &report.study);
    let mut out = format!(
        "{} replications of {} arrivals for each pattern{}, longest wait {}, seed {}\n",
        args.replications,
        args.arrivals,
        games(&report.setting),
        float(args.tau_max),
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
        if study.patterns.is_empty() {
            return out;
        }
    }
    say(
        &mut out,
        format_args!("\ncost per game, with the parameters that were best in as many other replications:"),
    );
    out += &costs(study);
    if study.has_optimum() {
        say(
            &mut out,
            format_args!("\ntotal cost by the optimum's, with the same parameters:"),
        );
        out += &ratios(study);
    }
    say(&mut out, format_args!("\nall patterns:"));
    out += &averages(study);
    if !study.floors.is_empty() {
        say(
            &mut out,
            format_args!("\nfloor under all policies that do not know the future, and total cost by it:"),
        );
        out += &floors(study);
    }
    out.push('\n');
    for printed in printed(study) {
        say(&mut out, format_args!("{printed}"));
    }
    for line in study.patterns.iter().filter_map(compared) {
        say(&mut out, format_args!("{line}"));
    }
    say(&mut out, format_args!("{:.3} s", report.spent.seconds()));
    out
}

/// What games are of, where they are not the paper's.
fn games(setting: &Setting) -> String {
    let weights = setting.weights();
    if (setting.players(), weights) == (2, &[2.0]) {
        return String::new();
    }
    let criteria = counted_as(weights.len(), "criterion", "criteria");
    let noun = if weights.len() == 1 { "weight" } else { "weights" };
    let weights: Vec<String> = weights.iter().map(|&weight| float(weight)).collect();
    format!(
        ", games of {} by {criteria} of {noun} {}",
        setting.players(),
        weights.join(", ")
    )
}

/// A pattern as the paper writes it, with an exponent where a rate would be a row of zeros.
pub(super) fn label(pattern: Pattern) -> String {
    match pattern {
        Pattern::Constant(rate) => whole(rate),
        Pattern::Rising(rate) => format!("0..{}", whole(rate)),
        other => other.name(),
    }
}

fn interval(estimate: &Estimate) -> String {
    format!("{:.4} ± {:.4}", estimate.mean, (estimate.high - estimate.low) / 2.0)
}

fn costs(study: &Study) -> String {
    let mut columns = vec![Column::left("rate")];
    columns.extend(study.has_optimum().then(|| Column::right("OPT")));
    columns.extend(study.families.iter().map(|family| Column::right(&family.name)));
    let rows = study.patterns.iter().map(|result| {
        let mut row = vec![label(result.pattern)];
        row.extend(result.optimum.as_ref().map(|optimum| interval(&optimum.per_game)));
        row.extend(result.points.iter().zip(&result.chosen).map(|(points, &best)| {
            let parameter = points[best].kind.to_string();
            let parameter = match parameter.split_once(':') {
                Some((_, parameter)) if points.len() > 1 => format!(" ({parameter})"),
                _ => String::new(),
            };
            interval(&points[best].per_game) + &parameter
        }));
        row
    });
    table(&columns, rows)
}

fn ratios(study: &Study) -> String {
    let mut columns = vec![Column::left("rate")];
    columns.extend(study.families.iter().map(|family| Column::right(&family.name)));
    let rows = study.patterns.iter().map(|result| {
        let mut row = vec![label(result.pattern)];
        row.extend(
            result
                .points
                .iter()
                .zip(&result.chosen)
                .map(|(points, &best)| known(points[best].ratio.as_ref())),
        );
        row
    });
    table(&columns, rows)
}

/// An interval, if there is one.
fn known(estimate: Option<&Estimate>) -> String {
    estimate.map_or_else(|| "-".to_owned(), interval)
}

fn averages(study: &Study) -> String {
    if !study.has_optimum() {
        let columns = [Column::left("algorithm"), Column::right("mean cost")];
        let rows = study.summaries.iter();
        let rows = rows.map(|summary| vec![summary.name.clone(), interval(&summary.mean)]);
        return table(&columns, rows);
    }
    let columns = [
        Column::left("algorithm"),
        Column::right("scaled cost"),
        Column::right("Table 3"),
        Column::right("of optimum"),
    ];
    let rows = study.summaries.iter().map(|summary| {
        let printed = summary
            .printed
            .map_or_else(|| "-".to_owned(), |printed| format!("{printed:.2}"));
        vec![
            summary.name.clone(),
            known(summary.averaged.as_ref()),
            printed,
            known(summary.ratio.as_ref()),
        ]
    });
    table(&columns, rows)
}

/// What foresight is worth, what the rule that is best on the grid without deadlines costs with them, and what each
/// policy loses.
fn floors(study: &Study) -> String {
    let mut columns = vec![
        Column::left("rate"),
        Column::right("floor of optimum"),
        Column::right("grid's rule, simulated"),
    ];
    columns.extend(study.families.iter().map(|family| Column::right(&family.name)));
    let rows = study.floors.iter().map(|floor| {
        let mut row = vec![
            label(floor.pattern),
            format!("{:.4} ± {:.4}", floor.of_optimum, floor.error),
            format!("{:.4}", floor.estimate.attained / floor.estimate.cost),
        ];
        row.extend(floor.policies.iter().map(|ratio| format!("{ratio:.4}")));
        row
    });
    table(&columns, rows)
}

/// Costs that the paper prints, beside ours.
fn printed(study: &Study) -> Vec<String> {
    let points = study
        .patterns
        .iter()
        .flat_map(|result| result.points.iter().flatten().map(move |point| (result, point)));
    let lines = points.filter_map(|(result, point)| {
        let (rate, cost) = (label(result.pattern), interval(&point.per_game));
        Some(format!(
            "{} at rate {rate}: {cost}; the paper has {}",
            point.kind, point.printed?
        ))
    });
    lines.collect()
}

fn compared(result: &PatternResult) -> Option<String> {
    let difference = result.slack_less_dw.as_ref()?;
    let verdict = if difference.high < 0.0 {
        "slack costs less"
    } else if difference.low > 0.0 {
        "A_DW costs less"
    } else {
        "no difference shown"
    };
    Some(format!(
        "slack less A_DW at rate {}, of the optimum: {}; {verdict}",
        label(result.pattern),
        interval(difference)
    ))
}
