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

/// Lines of the mesh, the finer ones and the others.
const FINE: RGBColor = RGBColor(240, 240, 240);
const COARSE: RGBColor = RGBColor(215, 215, 215);

/// Where the first name of a legend stands, and the pixels beside the letters.
const LEGEND_TOP: i32 = 56;
const LEGEND_LINE: u32 = 54;

/// A part of a picture.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What is drawn in.
type Plane<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// What drawing may end with.
type Failed<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

/// Lines in a frame.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) axes: Axes,
    pub(crate) curves: Vec<Curve>,
}

/// A picture of charts of lines beside each other, of that size together, and at their right the names of the first
/// one's lines: there they cover none.
pub(crate) fn of_lines(size: (u32, u32), charts: &[Chart]) -> Result<String, Failure> {
    let lines = charts.first().map_or(&[][..], |chart| &chart.curves);
    let longest = lines.iter().map(|curve| curve.name.chars().count()).max().unwrap_or(0);
    let width = size.0 + LEGEND_LINE + 8 * longest as u32;
    picture((width, size.1), |root| {
        let (planes, names) = root.split_horizontally(size.0);
        for (chart, area) in charts.iter().zip(planes.split_evenly((1, charts.len()))) {
            let mut plane = chart.axes.draw(&area)?;
            chart.curves.iter().try_for_each(|curve| curve.draw(&mut plane))?;
        }
        let rows = (0..).map(|row| LEGEND_TOP + 22 * row);
        lines
            .iter()
            .zip(rows)
            .try_for_each(|(curve, y)| curve.draw_name(&names, y))?;
        Ok(())
    })
}

/// A picture of so many charts beside each other; the function draws each by its number, from 0.
pub(crate) fn svg(
    size: (u32, u32),
    charts: usize,
    chart: impl Fn(usize, &Area<'_>) -> Result<(), Box<dyn Error>>,
) -> Result<String, Failure> {
    picture(size, |root| {
        let areas = root.split_evenly((1, charts));
        areas.iter().enumerate().try_for_each(|(k, area)| chart(k, area))
    })
}

/// What the function draws, on white.
fn picture(size: (u32, u32), contents: impl Fn(&Area<'_>) -> Result<(), Box<dyn Error>>) -> Result<String, Failure> {
    let mut text = String::new();
    let mut draw = || -> Result<(), Box<dyn Error>> {
        let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
        root.fill(&WHITE)?;
        contents(&root)?;
        root.present()?;
        Ok(())
    };
    let failed = |error: Box<dyn Error>| Failure::Plot {
        message: error.to_string(),
    };
    draw().map_err(failed)?;
    Ok(text)
}

/// Caption, what the axes are, and from where to where they go.
#[derive(Clone, Debug)]
pub(crate) struct Axes {
    pub(crate) caption: String,
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
    pub(crate) across: Range<f64>,
    pub(crate) up: Range<f64>,
    /// Pixels for the numbers of the vertical axis.
    pub(crate) left: u32,
}

impl Axes {
    /// Draws them.
    pub(crate) fn draw<'a, 'b>(&self, area: &'a Area<'b>) -> Result<Plane<'a, 'b>, Box<dyn Error>> {
        let mut plane = ChartBuilder::on(area)
            .caption(&self.caption, ("sans-serif", 20))
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

impl Curve {
    fn draw<'a>(&self, plane: &mut Plane<'_, 'a>) -> Result<(), Failed<'a>> {
        plane.draw_series(LineSeries::new(self.points.iter().copied(), self.style()))?;
        let dot = |&point: &(f64, f64)| Circle::new(point, 4, self.color.filled());
        plane.draw_series(self.dots.iter().map(dot))?;
        Ok(())
    }

    /// One row of the legend.
    fn draw_name<'a>(&self, names: &Area<'a>, y: i32) -> Result<(), Failed<'a>> {
        names.draw(&PathElement::new([(4, y), (28, y)], self.style()))?;
        names.draw(&Text::new(self.name.as_str(), (36, y - 7), ("sans-serif", 14)))
    }

    fn style(&self) -> ShapeStyle {
        self.color.stroke_width(2)
    }
}
