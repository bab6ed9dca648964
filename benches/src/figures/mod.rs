//! Pictures of two papers on matchmaking, drawn anew from the chains of `markov`.
//!
//! Each file beside this one computes the curves of some pictures; [`Picture::draw`] turns curves into SVG. No number
//! comes from a figure of the papers. Where a printed formula does not give what the chain gives, its curve stands
//! beside the chain's, dashed. Rates are normalized as in the papers, so that a unit of time is the mean time between
//! two arrivals of players.
//!
//! References: M. Xu, Y. Yu, C. Wu, "Rule designs for optimal online game matchmaking", 2018; Q. Wu, "Dynamic matching
//! with teams".

mod draw;
mod packs;
mod picture;
mod queues;
mod sides;
mod teams;
mod zones;

pub use picture::{Axis, Curve, Look, Panel, Picture};

use markov::Error;

/// All pictures, in the order of the papers.
///
/// # Errors
/// [`Error`] if a chain cannot be solved; with the rates of these pictures all can.
///
/// # Examples
/// ```
/// let pictures = benches::figures::all()?;
/// assert!(pictures.iter().any(|picture| picture.file == "xu-figure-5.svg"));
/// # Ok::<(), markov::Error>(())
/// ```
pub fn all() -> Result<Vec<Picture>, Error> {
    Ok(vec![
        queues::figure_5()?,
        packs::figure_6()?,
        sides::figure_9()?,
        sides::figure_10()?,
        zones::figure_12()?,
        zones::figure_13()?,
        teams::threshold()?,
    ])
}

/// A curve through the values of a function at these places.
fn curve(
    name: impl Into<String>,
    look: Look,
    places: impl IntoIterator<Item = f64>,
    value: impl Fn(f64) -> Result<f64, Error>,
) -> Result<Curve, Error> {
    let point = |x| Ok((x, value(x)?));
    let points = places.into_iter().map(point).collect::<Result<_, Error>>()?;
    let name = name.into();
    Ok(Curve { name, look, points })
}

/// Numbers from one to another with so many steps between them.
fn steps(from: f64, to: f64, count: u32) -> impl Iterator<Item = f64> {
    (0..=count).map(move |step| from + (to - from) * f64::from(step) / f64::from(count))
}

#[cfg(test)]
mod tests;
