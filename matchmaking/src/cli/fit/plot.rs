//! The picture of a fit: predicted against real chances, as in the EOMM paper's Figures 2 and 3.

use std::path::Path;

use matchmaking::fit::CalibrationBin;
use plotters::prelude::*;

use super::Report;
use crate::cli::chart::{self, Axes};
use crate::cli::failure::Failure;
use crate::cli::output;

const SIZE: (u32, u32) = (1000, 520);

const REAL: RGBColor = chart::BLUE;
const IDEAL: RGBColor = RGBColor(150, 150, 150);

/// Writes the picture.
pub(super) fn draw(path: &Path, report: &Report<'_>) -> Result<(), Failure> {
    let charts = [
        ("Winning", "predicted chance", report.fit.win_calibration.as_slice()),
        ("Stopping", "predicted risk", report.fit.calibration.as_slice()),
    ];
    let picture = chart::svg(SIZE, charts.len(), |k, area| {
        let (caption, x, bins) = charts[k];
        let axes = Axes {
            caption: caption.to_owned(),
            x,
            y: "real share, 95 % by player",
            across: 0.0..1.0,
            up: 0.0..1.0,
            left: 60,
        };
        let mut plane = axes.draw(area)?;
        plane.draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], IDEAL))?;
        let interval = |bin: &CalibrationBin| Some((bin.predicted, bin.interval?));
        let bars = bins.iter().filter_map(interval);
        plane.draw_series(bars.map(|(x, (low, high))| PathElement::new([(x, low), (x, high)], REAL)))?;
        let points = bins.iter().filter_map(|bin| Some((bin.predicted, bin.share.rate()?)));
        plane.draw_series(points.map(|point| Circle::new(point, 4, REAL.filled())))?;
        Ok(())
    })?;
    output::write(Some(path), picture.as_bytes())
}
