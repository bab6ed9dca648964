//! Xu's figures 12 and 13: two zones, and players who would play in either.

use markov::Error;
use markov::models::xu::{Lobby, Moments, Zones};

use super::{Axis, Curve, Look, Panel, Picture, curve, steps};

/// Kinds of players: zone A, zone B, and both.
const A: u8 = 1;
const B: u8 = 2;
const BOTH: u8 = 3;

/// Two zones whose rates add up to one.
fn zones(a: f64, b: f64, both: f64) -> Result<Lobby<f64, Zones>, Error> {
    Lobby::new(Zones, vec![(A, a), (B, b), (BOTH, both)])
}

/// How much less a player of zone B waits who would play in both: the one's mean wait over the other's.
pub(super) fn factor(a: f64, both: f64) -> Result<f64, Error> {
    let lobby = zones(a, (1.0 - a - both).max(0.0), both)?;
    Ok(lobby.wait(BOTH)?.mean / lobby.wait(B)?.mean)
}

/// The mean wait of any player.
pub(super) fn mean_wait(a: f64, b: f64) -> Result<f64, Error> {
    let both = (1.0 - a - b).max(0.0);
    let lobby = zones(a, b, both)?;
    let waits = [lobby.wait(A)?, lobby.wait(B)?, lobby.wait(BOTH)?];
    Ok(Moments::mixed([a, b, both].into_iter().zip(&waits))?.mean)
}

pub(super) fn figure_12() -> Result<Picture, Error> {
    let line = |(colour, both): (usize, f64)| -> Result<Curve, Error> {
        let places = steps(0.02, 0.98 - both, 24);
        curve(format!("λ_C = {both}"), Look::Line(colour), places, |a| {
            factor(a, both)
        })
    };
    let mut curves: Vec<Curve> = [0.0, 0.2, 0.4, 0.6, 0.8]
        .into_iter()
        .enumerate()
        .map(line)
        .collect::<Result<_, _>>()?;
    curves.push(Curve {
        name: "λ_A = 0.8, λ_B = 0.2: q = 0.1".to_owned(),
        look: Look::Dots(1),
        points: vec![(0.8, factor(0.8, 0.0)?)],
    });
    Ok(Picture {
        file: "xu-figure-12.svg",
        title: "Xu, Yu, Wu, figure 12: improvement factor of who plays in both zones, λ_total = 1".to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis {
                label: "λ_A: share of players in the junior zone alone",
                from: 0.0,
                to: 1.0,
            },
            y: Axis {
                label: "q = E[T_C] / E[T_B] (no unit)",
                from: 0.0,
                to: 1.0,
            },
            curves,
        }],
    })
}

pub(super) fn figure_13() -> Result<Picture, Error> {
    let line = |(colour, b): (usize, f64)| -> Result<Curve, Error> {
        let places = steps(0.02, 0.98 - b, 24);
        curve(format!("λ_B = {b}"), Look::Line(colour), places, |a| mean_wait(a, b))
    };
    let curves = [0.02, 0.2, 0.4, 0.6, 0.8].into_iter().enumerate().map(line);
    Ok(Picture {
        file: "xu-figure-13.svg",
        title: "Xu, Yu, Wu, figure 13: mean wait with two zones, λ_total = 1, λ_C = 1 - λ_A - λ_B".to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis {
                label: "λ_A: share of players in the junior zone alone",
                from: 0.0,
                to: 1.0,
            },
            y: Axis {
                label: "E[T] in mean times between players",
                from: 0.4,
                to: 1.1,
            },
            curves: curves.collect::<Result<_, Error>>()?,
        }],
    })
}
