//! The picture of a fit: predicted against real chances, as in the EOMM paper's Figures 2 and 3.

use std::error::Error;
use std::path::Path;

use matchmaking::fit::CalibrationBin;
use plotters::coord::Shift;
use plotters::prelude::*;

use super::Report;
use crate::cli::failure::Failure;
use crate::cli::output;

const SIZE: (u32, u32) = (1000, 520);

const REAL: RGBColor = RGBColor(0, 114, 178);
const IDEAL: RGBColor = RGBColor(150, 150, 150);

/// Writes the picture.
pub(super) fn draw(path: &Path, report: &Report<'_>) -> Result<(), Failure> {
    let mut picture = String::new();
    let charts = [
        ("Winning", "predicted chance", report.fit.win_calibration.as_slice()),
        ("Stopping", "predicted risk", report.fit.calibration.as_slice()),
    ];
    render(&mut picture, &charts).map_err(|error| Failure::Plot {
        message: error.to_string(),
    })?;
    output::write(Some(path), picture.as_bytes())
}

/// Title, name of what is predicted, bins.
type Chart<'a> = (&'a str, &'a str, &'a [CalibrationBin]);

fn render(picture: &mut String, charts: &[Chart<'_>; 2]) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    for (area, chart) in root.split_evenly((1, 2)).iter().zip(charts) {
        one(area, chart)?;
    }
    root.present()?;
    Ok(())
}

fn one(area: &DrawingArea<SVGBackend<'_>, Shift>, (title, what, bins): &Chart<'_>) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    chart
        .configure_mesh()
        .x_desc(*what)
        .y_desc("real share, with 95 % intervals")
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .light_line_style(RGBColor(240, 240, 240))
        .bold_line_style(RGBColor(215, 215, 215))
        .draw()?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], IDEAL))?;
    let intervals = bins
        .iter()
        .filter_map(|bin| Some((bin.predicted, bin.share.interval()?)));
    let bars = intervals.map(|(x, (low, high))| PathElement::new([(x, low), (x, high)], REAL));
    chart.draw_series(bars)?;
    let points = bins.iter().filter_map(|bin| Some((bin.predicted, bin.share.rate()?)));
    let dots = points.map(|point| Circle::new(point, 4, REAL.filled()));
    chart.draw_series(dots)?;
    Ok(())
}
