//! The picture of a solve: the best total, and what it cannot beat, against time.

use std::path::Path;

use super::watch::{History, Point};
use crate::cli::chart::{self, Axes, Chart, Curve};
use crate::cli::failure::Failure;
use crate::cli::output;

const SIZE: (u32, u32) = (900, 520);

/// Where a solve ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) seconds: f64,
    pub(super) total: f64,
    pub(super) bound: Option<f64>,
}

/// A staircase.
type Corners = Vec<(f64, f64)>;

/// Writes the picture.
pub(super) fn draw(path: &Path, title: &str, history: &History, end: End) -> Result<(), Failure> {
    let at_end = |total| Point {
        seconds: end.seconds,
        total,
    };
    let totals = steps(&history.totals, at_end(end.total));
    let bounds = end.bound.map(|bound| steps(&history.bounds, at_end(bound)));
    let picture = render(title, &totals, &bounds.unwrap_or_default())?;
    output::write(Some(path), picture.as_bytes())
}

/// A total holds until a better one is found: the corners of that staircase.
fn steps(points: &[Point], end: Point) -> Corners {
    let mut corners: Corners = Vec::with_capacity(2 * points.len() + 2);
    for point in points.iter().chain([&end]) {
        if let Some(&(_, total)) = corners.last() {
            corners.push((point.seconds, total));
        }
        corners.push((point.seconds, point.total));
    }
    corners
}

/// From where to where values are drawn. Where there are bounds, the gap is what the picture is about: totals more than
/// twice as far off as the first bound are cut off, since those that a search begins with would leave nothing to see of
/// it.
fn range(totals: &[(f64, f64)], bounds: &[(f64, f64)]) -> (f64, f64) {
    let values = totals.iter().chain(bounds).map(|corner| corner.1);
    let mut least = values.clone().fold(f64::INFINITY, f64::min);
    let mut most = values.fold(f64::NEG_INFINITY, f64::max);
    if let (Some(last), Some(first)) = (totals.last(), bounds.first()) {
        let room = 2.0 * (last.1 - first.1).abs();
        if room > 0.0 {
            (least, most) = (least.max(last.1 - room), most.min(last.1 + room));
        }
    }
    // Room above and below, also where the total never changed.
    let margin = 0.05 * (most - least).max(1e-3 * most.abs()).max(1e-9);
    (least - margin, most + margin)
}

fn render(title: &str, totals: &[(f64, f64)], bounds: &[(f64, f64)]) -> Result<String, Failure> {
    // Room on the right for the dots that the lines end in: of what is solved at once, they are all there is to see.
    let right = 1.02 * totals.last().map_or(0.0, |corner| corner.0).max(1e-6);
    let (least, most) = range(totals, bounds);
    let inside =
        |corners: &[(f64, f64)]| -> Corners { corners.iter().map(|&(x, y)| (x, y.clamp(least, most))).collect() };
    let curves = [
        (totals, chart::BLUE, "best groups so far"),
        (bounds, chart::ORANGE, "no groups can beat this"),
    ];
    let curves: Vec<Curve> = curves
        .into_iter()
        .filter(|(corners, ..)| !corners.is_empty())
        .map(|(corners, color, name)| Curve {
            name: name.to_owned(),
            color,
            points: inside(corners),
            dots: inside(&corners[corners.len() - 1..]),
        })
        .collect();
    let axes = Axes {
        caption: title.to_owned(),
        x: "seconds",
        y: "total",
        across: 0.0..right,
        up: least..most,
        left: 90,
    };
    chart::of_lines(SIZE, &[Chart { axes, curves }])
}

#[cfg(test)]
mod tests {
    use super::{Point, range, render, steps};

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
    fn the_gap_fills_the_picture() {
        let totals = [(0.0, 1000.0), (0.1, 1000.0), (0.1, 12.0), (1.0, 10.0)];
        let bounds = [(0.5, 8.0), (1.0, 10.0)];
        let (least, most) = range(&totals, &bounds);
        assert!(least < 8.0 && most > 14.0 && most < 15.0, "{least} {most}");
        // The same upside down, and without bounds.
        let flipped = |corners: &[(f64, f64)]| corners.iter().map(|&(x, y)| (x, -y)).collect::<Vec<_>>();
        assert_eq!(range(&flipped(&totals), &flipped(&bounds)), (-most, -least));
        assert!(range(&totals, &[]).1 > 1000.0);
    }

    #[test]
    fn totals_that_never_change_can_be_drawn() {
        for bounds in [&[][..], &[(0.0, 0.0)]] {
            let picture = render("a title", &[(0.0, 0.0)], bounds).expect("a picture");
            assert!(picture.starts_with("<svg") && picture.contains("a title"), "{picture}");
            assert_eq!(picture.contains("no groups can beat this"), !bounds.is_empty());
        }
    }
}
