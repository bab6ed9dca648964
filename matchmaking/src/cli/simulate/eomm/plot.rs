//! Pictures: who stays by size, and what a sweep changes.

use std::error::Error;
use std::path::Path;

use matchmaking::eomm::{Method, Results, published};
use plotters::prelude::*;

use super::{Report, Sweep};
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::text::float;

const SIZE: (u32, u32) = (900, 520);

/// A line of the picture.
struct Curve {
    name: String,
    color: RGBColor,
    points: Vec<(f64, f64)>,
    /// What the paper prints.
    printed: Vec<(f64, f64)>,
}

/// Writes the picture.
pub(super) fn draw(path: &Path, report: &Report) -> Result<(), Failure> {
    let (curves, titles) = match &report.sweep {
        Some(sweep) => (of_sweep(sweep), SWEEP),
        None => (by_size(&report.results), BY_SIZE),
    };
    let mut picture = String::new();
    render(&mut picture, &curves, &titles).map_err(|error| Failure::Plot {
        message: error.to_string(),
    })?;
    output::write(Some(path), picture.as_bytes())
}

/// Caption, and what the axes are.
#[derive(Clone, Copy)]
struct Titles {
    caption: &'static str,
    x: &'static str,
    y: &'static str,
}

const BY_SIZE: Titles = Titles {
    caption: "Players of 100 who are expected to stay (dots: the paper's Table 2)",
    x: "players of a pool",
    y: "of 100 players",
};

const SWEEP: Titles = Titles {
    caption: "Players of 100 whom a method is expected to keep beyond chance",
    x: "factor of the spread",
    y: "of 100 players",
};

fn color(method: Method) -> RGBColor {
    match method {
        Method::Worst => RGBColor(213, 94, 0),
        Method::Skill => RGBColor(0, 158, 115),
        Method::Random => RGBColor(120, 120, 120),
        Method::Engagement => RGBColor(0, 114, 178),
    }
}

fn by_size(results: &Results) -> Vec<Curve> {
    let curve = |method: Method| {
        let mut sizes: Vec<usize> = (0..results.sizes().len()).collect();
        sizes.sort_by_key(|&k| results.sizes()[k].size());
        let pools = sizes.iter().map(|&k| &results.sizes()[k]);
        let of_100 = |size: usize, players: f64| (size as f64, 100.0 * players / size as f64);
        Curve {
            name: method.to_string(),
            color: color(method),
            points: pools
                .clone()
                .map(|pools| of_100(pools.size(), pools.method(method).expected.mean))
                .collect(),
            printed: pools
                .filter_map(|pools| Some(of_100(pools.size(), published::retained(method, pools.size())?)))
                .collect(),
        }
    };
    Method::ALL.map(curve).into()
}

fn of_sweep(sweep: &Sweep) -> Vec<Curve> {
    let sizes = sweep.points.first().map_or(0, |(_, results)| results.sizes().len());
    let methods = [Method::Worst, Method::Skill, Method::Engagement];
    let each = (0..sizes).flat_map(|k| methods.map(|method| (k, method)));
    let curve = |(k, method): (usize, Method)| {
        let gain = |(factor, results): &(f64, Results)| {
            let pools = &results.sizes()[k];
            let gain = pools.gain(method, Method::Random).expected.mean;
            (*factor, 100.0 * gain / pools.size() as f64)
        };
        Curve {
            name: format!("{method}, {} players", sweep.points[0].1.sizes()[k].size()),
            color: color(method),
            points: sweep.points.iter().map(gain).collect(),
            printed: Vec::new(),
        }
    };
    each.map(curve).collect()
}

/// From where to where, with room on both sides.
fn range(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(f64::NEG_INFINITY, f64::max);
    let margin = (0.06 * (most - least)).max(1e-3);
    (least - margin, most + margin)
}

fn render(picture: &mut String, curves: &[Curve], titles: &Titles) -> Result<(), Box<dyn Error>> {
    let all = curves
        .iter()
        .flat_map(|curve| curve.points.iter().chain(&curve.printed));
    let (left, right) = range(all.clone().map(|point| point.0));
    let (low, high) = range(all.map(|point| point.1));
    let root = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(titles.caption, ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(left..right, low..high)?;
    chart
        .configure_mesh()
        .x_desc(titles.x)
        .y_desc(titles.y)
        .x_label_formatter(&|value| float(*value))
        .y_label_formatter(&|value| float(*value))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .light_line_style(RGBColor(240, 240, 240))
        .bold_line_style(RGBColor(215, 215, 215))
        .draw()?;
    for curve in curves {
        let style = curve.color.stroke_width(2);
        chart
            .draw_series(LineSeries::new(curve.points.iter().copied(), style))?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style));
        let dot = |&point: &(f64, f64)| Circle::new(point, 4, curve.color.filled());
        chart.draw_series(curve.printed.iter().map(dot))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(("sans-serif", 14))
        .background_style(WHITE)
        .border_style(RGBColor(215, 215, 215))
        .draw()?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{BY_SIZE, Curve, range, render};
    use plotters::prelude::RGBColor;

    #[test]
    fn lines_and_dots_are_drawn_also_of_one_point() {
        assert_eq!(range([2.0].into_iter()), (1.999, 2.001));
        let curve = Curve {
            name: "a line".to_owned(),
            color: RGBColor(1, 2, 3),
            points: vec![(100.0, 52.0)],
            printed: vec![(100.0, 51.9)],
        };
        let mut picture = String::new();
        render(&mut picture, &[curve], &BY_SIZE).expect("a picture");
        assert!(picture.starts_with("<svg") && picture.contains("a line") && picture.contains("<circle"));
    }
}
