//! Pictures: who stays by size, and what a sweep changes.

use std::ops::Range;
use std::path::Path;

use matchmaking::eomm::{Method, Results};
use plotters::prelude::*;

use super::{Report, Sweep};
use crate::cli::chart::{self, Axes, Chart, Curve};
use crate::cli::failure::Failure;
use crate::cli::output;

const SIZE: (u32, u32) = (900, 520);

/// Writes the picture.
pub(super) fn draw(path: &Path, report: &Report) -> Result<(), Failure> {
    let (curves, titles) = match &report.sweep {
        Some(sweep) if !sweep.points.is_empty() => (of_sweep(sweep), SWEEP),
        _ => (by_size(report), BY_SIZE),
    };
    let picture = render(curves, &titles)?;
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
    caption: "Players of 100 who are expected to stay (dots, for 8h: the paper's Table 2)",
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
        Method::Worst => chart::ORANGE,
        Method::Skill => chart::GREEN,
        Method::Random => chart::GREY,
        Method::Engagement => chart::BLUE,
    }
}

fn by_size(report: &Report) -> Vec<Curve> {
    let results = &report.results;
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
            // What the paper prints.
            dots: pools
                .filter_map(|pools| Some(of_100(pools.size(), report.published(method, pools.size())?)))
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
            dots: Vec::new(),
        }
    };
    each.map(curve).collect()
}

/// From where to where, with room on both sides.
fn range(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(f64::NEG_INFINITY, f64::max);
    let margin = (0.06 * (most - least)).max(1e-3);
    least - margin..most + margin
}

fn render(curves: Vec<Curve>, titles: &Titles) -> Result<String, Failure> {
    let all = curves.iter().flat_map(|curve| curve.points.iter().chain(&curve.dots));
    let axes = Axes {
        caption: titles.caption.to_owned(),
        x: titles.x,
        y: titles.y,
        across: range(all.clone().map(|point| point.0)),
        up: range(all.map(|point| point.1)),
        left: 70,
    };
    chart::of_lines(SIZE, &[Chart { axes, curves }])
}

#[cfg(test)]
mod tests {
    use super::{BY_SIZE, Curve, range, render};
    use plotters::prelude::RGBColor;

    #[test]
    fn lines_and_dots_are_drawn_also_of_one_point() {
        assert_eq!(range([2.0].into_iter()), 1.999..2.001);
        let curve = Curve {
            name: "a line".to_owned(),
            color: RGBColor(1, 2, 3),
            points: vec![(100.0, 52.0)],
            dots: vec![(100.0, 51.9)],
        };
        let picture = render(vec![curve], &BY_SIZE).expect("a picture");
        assert!(picture.starts_with("<svg") && picture.contains("a line") && picture.contains("<circle"));
    }
}
