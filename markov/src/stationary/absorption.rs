//! In which closed class a chain is caught.

use crate::budget::OrStopped;
use crate::classify::Classes;
use crate::elimination::{Room, Visits, Within};
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Probabilities of being caught in closed classes.
pub(super) struct Caught<T> {
    /// In the order of [`Classes::closed`].
    pub(super) shares: Vec<T>,
    /// Each is off by at most so many roundings, as factors.
    pub(super) roundings: f64,
}

/// Mass that starts in transient states stays there for expected times `y`; what goes from there to a class in all is
/// the sum of `y(i) rate(i, j)`.
pub(super) fn absorption<T: Scalar>(rates: &Csr<T>, start: &[T], room: Room<'_>) -> Result<Caught<T>, Error> {
    crate::transient::check_distribution(start, rates.rows())?;
    room.meter.look().or_stopped()?;
    let classes = Classes::of(rates);
    let mut caught = vec![T::zero(); classes.len()];
    let mut roundings = 0.0;
    for (state, mass) in start.iter().enumerate().filter(|(_, mass)| !mass.is_zero()) {
        caught[classes.class_of(state)] += mass;
        roundings += 1.0;
    }
    let transient: Vec<usize> = (0..rates.rows()).filter(|&state| classes.is_transient(state)).collect();
    if transient.iter().any(|&state| !start[state].is_zero()) {
        let transient = Within::new(rates.rows(), transient, |state| rates.row(state), room)?.without_loss()?;
        let y = transient
            .visits(|state| start[state].clone(), room.meter)
            .or_stopped()?;
        roundings += leave(rates, &y, &classes, &transient, &mut caught);
    }
    let by_class = caught.into_iter().enumerate();
    let closed = by_class.filter(|&(class, _)| classes.is_closed(class));
    Ok(Caught {
        shares: closed.map(|(_, mass)| mass).collect(),
        roundings,
    })
}

/// Adds what leaves transient states, where the chain stays for times `y`, to the classes that it enters. Returns of how many roundings that comes.
fn leave<T: Scalar>(rates: &Csr<T>, y: &Visits<T>, classes: &Classes, transient: &Within<T>, caught: &mut [T]) -> f64 {
    let mut terms = 0.0;
    for (&state, time) in transient.states.iter().zip(&y.times) {
        for (to, rate) in rates.row(state).filter(|&(to, _)| transient.number[to].is_none()) {
            caught[classes.class_of(to)] += &time.times(rate, 0).rounded();
            terms += 1.0;
        }
    }
    // Sums of what leaves count in each of the two sums over forests, and here; a product and a number that is rounded
    // to a float at the end.
    y.roundings + 3.0 * terms + 2.0
}
