//! Curves as SVG.

use std::error::Error;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::picture::{Curve, Look, Panel, Picture};

const HEIGHT: u32 = 460;
/// Width of a single panel; several share one and a half of it.
const WIDTH: u32 = 680;
/// What the names of the curves take on the right.
const LEGEND_WIDTH: u32 = 290;
const TITLE_HEIGHT: u32 = 40;

/// Distinct on white for most eyes.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 43, 30),
    RGBColor(0, 158, 115),
    RGBColor(230, 140, 20),
    RGBColor(120, 70, 160),
    RGBColor(90, 90, 90),
];

type Failure<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

impl Picture {
    /// The picture as the text of an SVG file, the same each time and on each machine.
    ///
    /// # Errors
    /// If the drawing library fails, as it does for axes without extent.
    pub fn draw(&self) -> Result<String, Box<dyn Error>> {
        let width = if self.panels.len() > 1 { WIDTH * 3 / 2 } else { WIDTH };
        let mut text = String::new();
        {
            let root = SVGBackend::with_string(&mut text, (width + LEGEND_WIDTH, HEIGHT)).into_drawing_area();
            root.fill(&WHITE)?;
            root.draw(&Text::new(self.title.as_str(), (16, 12), ("sans-serif", 19)))?;
            let (plots, names) = root.split_vertically(TITLE_HEIGHT).1.split_horizontally(width);
            let areas = plots.split_evenly((1, self.panels.len().max(1)));
            for (panel, area) in self.panels.iter().zip(&areas) {
                panel.draw(area)?;
            }
            for (row, curve) in self.panels.iter().take(1).flat_map(|panel| &panel.curves).enumerate() {
                curve.draw_name(&names, 20 + 24 * row as i32)?;
            }
            root.present()?;
        }
        Ok(text)
    }
}

impl Panel {
    fn draw<'a>(&self, area: &Area<'a>) -> Result<(), Failure<'a>> {
        let mut builder = ChartBuilder::on(area);
        builder.margin(10).x_label_area_size(42).y_label_area_size(58);
        if !self.title.is_empty() {
            builder.caption(&self.title, ("sans-serif", 15));
        }
        let mut chart = builder.build_cartesian_2d(self.x.from..self.x.to, self.y.from..self.y.to)?;
        chart
            .configure_mesh()
            .x_desc(self.x.label)
            .y_desc(self.y.label)
            .x_labels(8)
            .y_labels(8)
            .max_light_lines(1)
            .label_style(("sans-serif", 13))
            .axis_desc_style(("sans-serif", 14))
            .bold_line_style(RGBColor(222, 222, 222))
            .light_line_style(WHITE)
            .draw()?;
        for curve in &self.curves {
            curve.draw(&mut chart, self)?;
        }
        Ok(())
    }
}

impl Curve {
    fn draw<'a>(&self, chart: &mut Chart<'_, 'a>, panel: &Panel) -> Result<(), Failure<'a>> {
        let points = self.points.iter().copied();
        let shown = points.filter(|&(x, y)| panel.x.holds(x) && panel.y.holds(y));
        match self.look {
            Look::Line(colour) => {
                chart.draw_series(LineSeries::new(shown, line(colour)))?;
            }
            Look::Dashed(colour) => {
                chart.draw_series(DashedLineSeries::new(shown, 8, 5, line(colour)))?;
            }
            Look::Dots(colour) => {
                chart.draw_series(shown.map(|point| Circle::new(point, 3, pick(colour).filled())))?;
            }
            Look::Bars(colour) => {
                let half = match self.points[..] {
                    [(first, _), (second, _), ..] => (second - first) / 2.0,
                    _ => return Ok(()),
                };
                let bar = |(x, y)| Rectangle::new([(x - half, 0.0), (x + half, y)], pale(colour));
                chart.draw_series(shown.map(bar))?;
            }
        }
        Ok(())
    }

    /// One row of the legend.
    fn draw_name<'a>(&self, names: &Area<'a>, y: i32) -> Result<(), Failure<'a>> {
        let ends = [(4, y), (32, y)];
        match self.look {
            Look::Line(colour) => names.draw(&PathElement::new(ends, line(colour)))?,
            Look::Dashed(colour) => {
                for x in [4, 17] {
                    names.draw(&PathElement::new([(x, y), (x + 8, y)], line(colour)))?;
                }
            }
            Look::Dots(colour) => names.draw(&Circle::new((18, y), 3, pick(colour).filled()))?,
            Look::Bars(colour) => names.draw(&Rectangle::new([(4, y - 6), (32, y + 6)], pale(colour)))?,
        }
        names.draw(&Text::new(self.name.as_str(), (40, y - 7), ("sans-serif", 14)))
    }
}

impl super::Axis {
    fn holds(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }
}

fn pick(colour: usize) -> RGBColor {
    COLOURS[colour % COLOURS.len()]
}

fn line(colour: usize) -> ShapeStyle {
    pick(colour).stroke_width(2)
}

/// A lighter colour without transparency, to stand behind lines.
fn pale(colour: usize) -> ShapeStyle {
    let RGBColor(red, green, blue) = pick(colour);
    let light = |part: u8| part / 2 + 127;
    RGBColor(light(red), light(green), light(blue)).filled()
}
