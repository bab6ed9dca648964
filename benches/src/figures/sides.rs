//! Xu's figures 9 and 10: players who choose a side, and players who take either.

use markov::Error;
use markov::models::xu::Sides;

use super::{Axis, Curve, Look, Panel, Picture, curve, steps};

/// The mean wait of any player, if all rates add up to one; stable while neither side has half of the players.
pub(super) fn mean_wait(a: f64, b: f64) -> Result<f64, Error> {
    Ok(Sides::new(a, b, 1.0 - a - b)?.wait()?.mean)
}

const X: &str = "λ_A: share of players who choose side A";
const Y: &str = "E[T] in mean times between players";

pub(super) fn figure_9() -> Result<Picture, Error> {
    let line = |(colour, b): (usize, f64)| -> Result<Curve, Error> {
        // Denser towards the pole at one half.
        let places = steps(0.0, 0.4, 20).chain(steps(0.41, 0.48, 14));
        curve(format!("λ_B = {b}"), Look::Line(colour), places, |a| mean_wait(a, b))
    };
    let curves = [0.1, 0.2, 0.3, 0.4, 0.45].into_iter().enumerate().map(line);
    let y = Axis {
        label: Y,
        from: 0.0,
        to: 15.0,
    };
    Ok(Picture {
        file: "xu-figure-9.svg",
        title: "Xu, Yu, Wu, figure 9: mean wait where players choose sides, λ_total = 1".to_owned(),
        panels: vec![panel(0.5, y, curves.collect::<Result<_, Error>>()?)],
    })
}

pub(super) fn figure_10() -> Result<Picture, Error> {
    let line = curve("λ_B = 0.4", Look::Line(3), steps(0.0, 0.43, 43), |a| mean_wait(a, 0.4))?;
    let least = line
        .points
        .iter()
        .copied()
        .min_by(|one, other| one.1.total_cmp(&other.1));
    let (at, value) = least.unwrap_or_default();
    let dot = Curve {
        name: format!("least of the points: {value:.3} at λ_A = {at:.2}"),
        look: Look::Dots(1),
        points: vec![(at, value)],
    };
    let y = Axis {
        label: Y,
        from: 1.7,
        to: 3.1,
    };
    Ok(Picture {
        file: "xu-figure-10.svg",
        title: "Xu, Yu, Wu, figure 10: mean wait where players choose sides, λ_total = 1, λ_B = 0.4".to_owned(),
        panels: vec![panel(0.45, y, vec![line, dot])],
    })
}

fn panel(right: f64, y: Axis, curves: Vec<Curve>) -> Panel {
    let x = Axis {
        label: X,
        from: 0.0,
        to: right,
    };
    let title = String::new();
    Panel { title, x, y, curves }
}
