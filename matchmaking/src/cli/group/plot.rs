//! The picture of a search: best total against time.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use super::watch::Point;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::text::float;

const SIZE: (u32, u32) = (900, 520);

/// Writes the picture of a search that took so many seconds and ended with this total.
pub(super) fn draw(path: &Path, title: &str, points: &[Point], end: Point) -> Result<(), Failure> {
    let mut picture = String::new();
    render(&mut picture, title, &steps(points, end)).map_err(|error| Failure::Plot {
        message: error.to_string(),
    })?;
    output::write(Some(path), picture.as_bytes())
}

/// A total holds until a better one is found: the corners of that staircase.
fn steps(points: &[Point], end: Point) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::with_capacity(2 * points.len() + 2);
    for point in points.iter().chain([&end]) {
        if let Some(&(_, total)) = corners.last() {
            corners.push((point.seconds, total));
        }
        corners.push((point.seconds, point.total));
    }
    corners
}

fn render(picture: &mut String, title: &str, corners: &[(f64, f64)]) -> Result<(), Box<dyn Error>> {
    let right = corners.last().map_or(0.0, |corner| corner.0).max(1e-6);
    let least = corners.iter().map(|corner| corner.1).fold(f64::INFINITY, f64::min);
    let most = corners.iter().map(|corner| corner.1).fold(f64::NEG_INFINITY, f64::max);
    // Room above and below, also where the total never changed.
    let margin = 0.05 * (most - least).max(1e-3 * most.abs()).max(1e-9);
    let root = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(90)
        .build_cartesian_2d(0.0..right, least - margin..most + margin)?;
    chart
        .configure_mesh()
        .x_desc("seconds")
        .y_desc("best total so far")
        .x_label_formatter(&|value| float(*value))
        .y_label_formatter(&|value| float(*value))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .light_line_style(RGBColor(240, 240, 240))
        .bold_line_style(RGBColor(215, 215, 215))
        .draw()?;
    let style = RGBColor(0, 114, 178).stroke_width(2);
    chart.draw_series(LineSeries::new(corners.iter().copied(), style))?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Point, render, steps};

    fn point(seconds: f64, total: f64) -> Point {
        Point { seconds, total }
    }

    #[test]
    fn a_total_holds_until_a_better_one_is_found() {
        let corners = steps(&[point(0.1, 9.0), point(0.3, 7.0)], point(1.0, 7.0));
        assert_eq!(corners, [(0.1, 9.0), (0.3, 9.0), (0.3, 7.0), (1.0, 7.0), (1.0, 7.0)]);
        assert_eq!(steps(&[], point(1.0, 7.0)), [(1.0, 7.0)]);
    }

    #[test]
    fn totals_that_never_change_can_be_drawn() {
        let mut picture = String::new();
        render(&mut picture, "a title", &[(0.0, 0.0)]).expect("a picture");
        assert!(picture.starts_with("<svg") && picture.contains("a title"), "{picture}");
    }
}
