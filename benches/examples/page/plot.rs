//! The picture: seconds against vertices on one family, a line per solver.

use std::error::Error;
use std::fs;
use std::path::Path;

use benches::families::Family;
use plotters::prelude::*;

use crate::numbers;
use crate::results::Results;
use crate::roster::{OURS, OURS_THREADS};
use crate::rows::{self, Row};

const SIZE: (u32, u32) = (1080, 620);

/// What the names of the lines take on the right.
const LEGEND_WIDTH: u32 = 270;

/// Distinct on white for most eyes, and as many as there may be lines.
const COLOURS: [RGBColor; 11] = [
    RGBColor(213, 43, 30),
    RGBColor(240, 128, 40),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(90, 60, 150),
    RGBColor(140, 90, 50),
    RGBColor(180, 160, 0),
    RGBColor(70, 110, 70),
    RGBColor(110, 110, 110),
];

/// A name and its points, by vertices.
struct Line {
    name: String,
    points: Vec<(f64, f64)>,
}

/// Writes the picture; nothing where fewer than two sizes are known.
pub(crate) fn draw(results: &Results, family: Family, path: &Path) -> Result<(), Box<dyn Error>> {
    let rows = rows::all(results);
    let rows: Vec<&Row<'_>> = rows.iter().filter(|row| row.family == family).collect();
    let lines = lines(&rows, &results.solvers());
    let points = || lines.iter().flat_map(|line| line.points.iter());
    let bounds = |values: Vec<f64>| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(0.0, f64::max);
        (least, greatest)
    };
    let (left, right) = bounds(points().map(|point| point.0).collect());
    let (bottom, top) = bounds(points().map(|point| point.1).collect());
    if left >= right || bottom >= top {
        return Ok(());
    }
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (plot, names) = root.split_horizontally(SIZE.0 - LEGEND_WIDTH);
    let title = format!("Minimum-weight perfect matching of complete graphs ({})", family.name());
    let mut chart = ChartBuilder::on(&plot)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(
            (left * 0.9..right * 1.1)
                .log_scale()
                .with_key_points(rows.iter().map(|row| row.vertices as f64).collect()),
            (bottom * 0.5..top * 2.0).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("players (vertices)")
        .y_desc("time")
        .x_label_formatter(&|n| format!("{n:.0}"))
        .y_label_formatter(&|&value| numbers::power(value))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .light_line_style(RGBColor(240, 240, 240))
        .bold_line_style(RGBColor(215, 215, 215))
        .draw()?;
    // This project's lines come first in the list, and last on the paper: on top.
    for (at, line) in lines.iter().enumerate().rev() {
        let colour = COLOURS[at % COLOURS.len()];
        let width = if line.name.starts_with(OURS) { 3 } else { 2 };
        let style = colour.stroke_width(width);
        chart.draw_series(LineSeries::new(line.points.iter().copied(), style))?;
        chart.draw_series(
            line.points
                .iter()
                .map(|&point| Circle::new(point, width + 1, colour.filled())),
        )?;
        let height = 60 + 24 * at as i32;
        names.draw(&PathElement::new([(4, height), (30, height)], style))?;
        names.draw(&Text::new(line.name.clone(), (38, height - 7), ("sans-serif", 14)))?;
    }
    root.present()?;
    Ok(())
}

/// A line per solver that solved anything, and one for the scan of the matrix.
fn lines(rows: &[&Row<'_>], solvers: &[&str]) -> Vec<Line> {
    let points = |time: &dyn Fn(&Row<'_>) -> Option<f64>| -> Vec<(f64, f64)> {
        let point = |row: &&Row<'_>| Some((row.vertices as f64, time(row)?));
        rows.iter().filter_map(point).collect()
    };
    let name = |solver: &str| match solver {
        OURS => format!("{OURS}, 1 thread"),
        OURS_THREADS => format!("{OURS}, all threads (wall)"),
        _ => solver.to_owned(),
    };
    let mut lines: Vec<Line> = solvers
        .iter()
        .map(|solver| Line {
            name: name(solver),
            points: points(&|row| row.seconds(solver)),
        })
        .collect();
    lines.push(Line {
        name: "reading the matrix once".to_owned(),
        points: points(&|row| row.scan()),
    });
    lines.retain(|line| !line.points.is_empty());
    lines
}
