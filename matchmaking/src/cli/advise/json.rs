//! The report as one JSON object.

use markov::claims::Verdict;
use serde::Serialize;

use super::report::{self, Recommendation, Report};
use crate::cli::json::{Exact, timed};

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/advise/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    recommendations: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    rule: &'a str,
    value: &'a str,
    formula: &'a str,
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correction: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    band: Option<Band>,
    figures: Vec<Figure<'a>>,
}

#[derive(Serialize)]
struct Band {
    from: f64,
    to: f64,
    players: usize,
    split: f64,
    high: usize,
}

#[derive(Serialize)]
struct Figure<'a> {
    name: &'a str,
    value: Exact,
    unit: &'a str,
    formula: Option<&'a str>,
    printed: Option<Exact>,
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correction: Option<&'static str>,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report) -> String {
    let document = || Document {
        schema: SCHEMA,
        recommendations: report.recommendations.iter().map(entry).collect(),
    };
    timed(document, &report.spent)
}

fn entry(found: &Recommendation) -> Entry<'_> {
    Entry {
        rule: found.rule,
        value: found.value,
        formula: found.basis.formula,
        verdict: found.basis.verdict.map(Verdict::name),
        correction: found.basis.correction,
        band: found.band.as_ref().map(|band| Band {
            from: band.from,
            to: band.to,
            players: band.players,
            split: band.split,
            high: band.high,
        }),
        figures: found.figures.iter().map(figure).collect(),
    }
}

fn figure(found: &report::Figure) -> Figure<'_> {
    let basis = found.basis.as_ref();
    Figure {
        name: &found.name,
        value: Exact::from(&found.value),
        unit: found.unit,
        formula: basis.map(|basis| basis.formula),
        printed: found.printed.as_ref().map(Exact::from),
        verdict: basis.and_then(|basis| basis.verdict).map(Verdict::name),
        correction: basis.and_then(|basis| basis.correction),
    }
}
