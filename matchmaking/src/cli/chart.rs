//! Charts as SVG, all in one manner.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::failure::Failure;
use super::text::float;

/// Colours that those who see fewer can tell apart as well.
pub(crate) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(crate) const GREEN: RGBColor = RGBColor(0, 158, 115);
pub(crate) const ORANGE: RGBColor = RGBColor(213, 94, 0);
pub(crate) const PINK: RGBColor = RGBColor(204, 121, 167);
pub(crate) const GREY: RGBColor = RGBColor(120, 120, 120);

/// Lines of the mesh, the finer ones, and the frame of a legend.
const FINE: RGBColor = RGBColor(240, 240, 240);
const COARSE: RGBColor = RGBColor(215, 215, 215);

/// A part of a picture.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What is drawn in.
pub(crate) type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A picture of so many charts beside each other; the function draws each by its number, from 0.
pub(crate) fn svg(
    size: (u32, u32),
    charts: usize,
    chart: impl Fn(usize, &Area<'_>) -> Result<(), Box<dyn Error>>,
) -> Result<String, Failure> {
    let mut picture = String::new();
    let mut draw = || -> Result<(), Box<dyn Error>> {
        let root = SVGBackend::with_string(&mut picture, size).into_drawing_area();
        root.fill(&WHITE)?;
        let areas = root.split_evenly((1, charts));
        areas.iter().enumerate().try_for_each(|(k, area)| chart(k, area))?;
        root.present()?;
        Ok(())
    };
    let failed = |error: Box<dyn Error>| Failure::Plot {
        message: error.to_string(),
    };
    draw().map_err(failed)?;
    Ok(picture)
}

/// Caption, what the axes are, and from where to where they go.
#[derive(Clone, Debug)]
pub(crate) struct Axes<'a> {
    pub(crate) caption: &'a str,
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
    pub(crate) across: Range<f64>,
    pub(crate) up: Range<f64>,
    /// Pixels for the numbers of the vertical axis.
    pub(crate) left: u32,
}

impl Axes<'_> {
    /// Draws them.
    pub(crate) fn draw<'a, 'b>(&self, area: &'a Area<'b>) -> Result<Plane<'a, 'b>, Box<dyn Error>> {
        let mut plane = ChartBuilder::on(area)
            .caption(self.caption, ("sans-serif", 20))
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(self.left)
            .build_cartesian_2d(self.across.clone(), self.up.clone())?;
        plane
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .x_label_formatter(&|value| float(*value))
            .y_label_formatter(&|value| float(*value))
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 15))
            .light_line_style(FINE)
            .bold_line_style(COARSE)
            .draw()?;
        Ok(plane)
    }
}

/// A line with its name.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) color: RGBColor,
    pub(crate) points: Vec<(f64, f64)>,
    /// Dots of the same colour.
    pub(crate) dots: Vec<(f64, f64)>,
}

/// Draws lines, and the legend of their names.
pub(crate) fn curves<'a, 'b: 'a>(
    plane: &mut Plane<'a, 'b>,
    curves: &[Curve],
    legend: SeriesLabelPosition,
) -> Result<(), Box<dyn Error>> {
    for curve in curves {
        let style = curve.color.stroke_width(2);
        plane
            .draw_series(LineSeries::new(curve.points.iter().copied(), style))?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style));
        let dot = |&point: &(f64, f64)| Circle::new(point, 4, curve.color.filled());
        plane.draw_series(curve.dots.iter().map(dot))?;
    }
    plane
        .configure_series_labels()
        .position(legend)
        .label_font(("sans-serif", 14))
        .background_style(WHITE)
        .border_style(COARSE)
        .draw()?;
    Ok(())
}
