//! The paper's figures 2 and 3: cost per game by parameter.

use std::path::Path;

use matchmaking::online::{Pattern, PolicyKind};
use plotters::prelude::BLACK;

use super::study::{PatternResult, Study};
use super::text::label;
use crate::cli::chart::{self, Axes, Chart, Curve};
use crate::cli::failure::Failure;
use crate::cli::output;

const SIZE: (u32, u32) = (1200, 520);

/// Writes the picture: a figure for the greatest and one for the least constant rate.
pub(super) fn draw(path: &Path, study: &Study) -> Result<(), Failure> {
    let constant = |result: &&PatternResult| matches!(result.pattern, Pattern::Constant(_));
    let mut results: Vec<&PatternResult> = study.patterns.iter().filter(constant).collect();
    // The paper has the extremes, the greatest rate first.
    let rate = |result: &PatternResult| match result.pattern {
        Pattern::Constant(rate) => rate,
        _ => 0.0,
    };
    results.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
    let ends: Vec<&PatternResult> = match results.as_slice() {
        [first, .., last] => vec![first, last],
        other => other.to_vec(),
    };
    let charts: Vec<Chart> = ends.iter().map(|end| chart(study, end)).collect();
    let picture = chart::of_lines(SIZE, &charts)?;
    output::write(Some(path), picture.as_bytes())
}

/// The figure of one pattern.
fn chart(study: &Study, result: &PatternResult) -> Chart {
    let curves = curves(study, result);
    let costs = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    let axes = Axes {
        caption: format!("Cost per game at rate {}", label(result.pattern)),
        x: "games per period, queues, waiting factor",
        y: "cost per game",
        across: 0.0..10.0,
        up: 0.0..1.05 * costs.fold(0.0, f64::max),
        left: 60,
    };
    Chart { axes, curves }
}

fn parameter(kind: PolicyKind) -> Option<f64> {
    match kind {
        PolicyKind::Periodic(Some(count)) | PolicyKind::MultiQueue(Some(count)) => Some(count as f64),
        PolicyKind::DifferenceWait(factor) => Some(factor),
        _ => None,
    }
}

/// Policies by parameter, and lines for those that have none.
fn curves(study: &Study, result: &PatternResult) -> Vec<Curve> {
    let colors = [
        ("A_G", chart::GREY),
        ("A_PM", chart::ORANGE),
        ("A_MQ", chart::GREEN),
        ("A_DW", chart::BLUE),
        ("slack", chart::PINK),
    ];
    let mut curves = Vec::new();
    for (name, color) in colors {
        let Some(family) = study.families.iter().position(|family| family.name == name) else {
            continue;
        };
        let points = &result.points[family];
        let by_parameter = points
            .iter()
            .filter_map(|point| Some((parameter(point.kind)?, point.per_game.mean)));
        let mut line: Vec<(f64, f64)> = by_parameter.collect();
        if line.is_empty() {
            line = [0.0, 10.0].map(|x| (x, points[0].per_game.mean)).to_vec();
        }
        curves.push(Curve {
            name: name.to_owned(),
            color,
            points: line,
            dots: Vec::new(),
        });
    }
    curves.extend(result.optimum.as_ref().map(|optimum| Curve {
        name: "OPT".to_owned(),
        color: BLACK,
        points: [0.0, 10.0].map(|x| (x, optimum.per_game.mean)).to_vec(),
        dots: Vec::new(),
    }));
    curves
}
