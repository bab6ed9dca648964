//! The report for people.

use markov::claims::Verdict;

use super::report::{Band, Basis, Figure, Recommendation, Report};
use crate::cli::text::{Column, counted, float, number, say, table, wrapped};

/// The whole report.
pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    let (banded, single): (Vec<_>, Vec<_>) = report.recommendations.iter().partition(|found| found.band.is_some());
    for found in single {
        recommendation(&mut out, found);
    }
    if let Some(first) = banded.first() {
        say(&mut out, format_args!("{}, by bands of rating", words(first.rule)));
        basis(&mut out, &first.basis);
        wrapped(
            &mut out,
            "  ",
            "alpha, alpha star and costs are in the wait for one arrival in the band itself, which is the longer the fewer players the \
             band has",
        );
        out += &bands(&banded);
        out.push('\n');
    }
    let count = counted(report.recommendations.len(), "recommendation");
    say(&mut out, format_args!("{count} in {:.3} s", report.spent.seconds()));
    out
}

fn words(name: &str) -> String {
    name.replace(['-', '_'], " ")
}

fn verdict(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("", Verdict::name)
}

fn basis(out: &mut String, basis: &Basis) {
    let verdict = match basis.verdict {
        Some(verdict) => format!(" ({})", verdict.name()),
        None => String::new(),
    };
    wrapped(out, "  ", &format!("{}{verdict}", basis.formula));
}

fn recommendation(out: &mut String, found: &Recommendation) {
    say(out, format_args!("{}: {}", words(found.rule), found.value));
    basis(out, &found.basis);
    let header = ["  figure", "computed", "unit", "printed", "verdict", "formula"].map(Column::left);
    let rows = found.figures.iter().map(|figure| {
        let basis = figure.basis.as_ref();
        vec![
            format!("  {}", words(&figure.name)),
            number(&figure.value),
            figure.unit.to_owned(),
            figure.printed.as_ref().map_or_else(String::new, number),
            verdict(basis.and_then(|basis| basis.verdict)).to_owned(),
            // Before the colon stands where the paper says it.
            basis
                .map_or("", |basis| basis.formula.split(':').next().unwrap_or_default())
                .to_owned(),
        ]
    });
    *out += &table(&header, rows);
    let of_figures = || found.figures.iter().filter_map(|figure| figure.basis.as_ref());
    let is_shown_below = of_figures().any(|basis| basis.formula == found.basis.formula);
    let of_answer = Some(&found.basis).filter(|_| !is_shown_below);
    for basis in of_answer.into_iter().chain(of_figures()) {
        if let Some(correction) = basis.correction {
            wrapped(out, "  ", &format!("{}, but: {correction}", basis.formula));
        }
    }
    out.push('\n');
}

/// One row a band; what depends on the number of arrivals only where that is known.
fn bands(found: &[&Recommendation]) -> String {
    let names: Vec<&str> = found[0].figures.iter().map(|figure| &*figure.name).collect();
    let labels: Vec<String> = names.iter().map(|name| words(name)).collect();
    let mut header = vec![
        Column::right("  from"),
        Column::right("to"),
        Column::right("players"),
        Column::left("policy"),
    ];
    header.extend(labels.iter().map(|label| Column::right(label)));
    let row = |found: &&Recommendation| {
        let mut cells = place(found.band.as_ref());
        cells.push(found.value.to_owned());
        let value = |figure: &Figure| float(figure.value.float);
        cells.extend(found.figures.iter().map(value));
        cells
    };
    table(&header, found.iter().map(row))
}

fn place(band: Option<&Band>) -> Vec<String> {
    let cells = band.map(|band| [float(band.from), float(band.to), band.players.to_string()]);
    cells.unwrap_or_default().into()
}
