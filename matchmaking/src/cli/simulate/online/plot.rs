//! The paper's figures 2 and 3: cost per game by parameter.

use std::error::Error;
use std::path::Path;

use matchmaking::online::{Pattern, PolicyKind};
use plotters::prelude::*;

use super::study::{PatternResult, Study};
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::text::float;

const SIZE: (u32, u32) = (1200, 520);

/// A line of a figure.
struct Curve {
    name: &'static str,
    color: RGBColor,
    points: Vec<(f64, f64)>,
}

/// Writes the picture: a figure for the greatest and one for the least constant rate.
pub(super) fn draw(path: &Path, study: &Study) -> Result<(), Failure> {
    let constant = |result: &&PatternResult| matches!(result.pattern, Pattern::Constant(_));
    let mut results: Vec<&PatternResult> = study.patterns.iter().filter(constant).collect();
    // The paper has the extremes; the greater the rate, the less the optimum costs.
    results.sort_by(|a, b| a.optimum.mean.total_cmp(&b.optimum.mean));
    let ends: Vec<&PatternResult> = match results.as_slice() {
        [first, .., last] => vec![first, last],
        other => other.to_vec(),
    };
    let failed = |message: String| Failure::Plot { message };
    if ends.is_empty() {
        return Err(failed(
            "figures are of constant rates, and there is none among --patterns".to_owned(),
        ));
    }
    let mut picture = String::new();
    render(&mut picture, study, &ends).map_err(|error| failed(error.to_string()))?;
    output::write(Some(path), picture.as_bytes())
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
        ("A_G", RGBColor(120, 120, 120)),
        ("A_PM", RGBColor(213, 94, 0)),
        ("A_MQ", RGBColor(0, 158, 115)),
        ("A_DW", RGBColor(0, 114, 178)),
        ("slack", RGBColor(204, 121, 167)),
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
            name,
            color,
            points: line,
        });
    }
    let points = [0.0, 10.0].map(|x| (x, result.optimum.mean)).to_vec();
    curves.push(Curve {
        name: "OPT",
        color: BLACK,
        points,
    });
    curves
}

fn render(picture: &mut String, study: &Study, results: &[&PatternResult]) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    for (area, result) in root.split_evenly((1, results.len())).iter().zip(results) {
        let curves = curves(study, result);
        let costs = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
        let most = 1.05 * costs.fold(0.0, f64::max);
        let mut chart = ChartBuilder::on(area)
            .caption(
                format!("Cost per game at rate {}", result.pattern.name()),
                ("sans-serif", 20),
            )
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..10.0, 0.0..most)?;
        chart
            .configure_mesh()
            .x_desc("games per period, queues, waiting factor")
            .y_desc("cost per game")
            .y_label_formatter(&|value| float(*value))
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 15))
            .light_line_style(RGBColor(240, 240, 240))
            .bold_line_style(RGBColor(215, 215, 215))
            .draw()?;
        for Curve { name, color, points } in curves {
            let style = color.stroke_width(2);
            chart
                .draw_series(LineSeries::new(points, style))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .label_font(("sans-serif", 14))
            .background_style(WHITE)
            .border_style(RGBColor(215, 215, 215))
            .draw()?;
    }
    root.present()?;
    Ok(())
}
