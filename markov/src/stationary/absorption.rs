//! In which closed class a chain is caught.

use crate::classify::Classes;
use crate::elimination::Elimination;
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

/// Mass that starts in transient states stays there for expected times `y`; what goes from there to a class in all is the sum of
/// `y(i) rate(i, j)`.
pub(super) fn absorption<T: Scalar>(rates: &Csr<T>, start: &[T], fill: usize) -> Result<Caught<T>, Error> {
    crate::transient::check_distribution(start, rates.rows())?;
    let classes = Classes::of(rates);
    let mut caught = vec![T::zero(); classes.len()];
    let mut roundings = 0.0;
    for (state, mass) in start.iter().enumerate().filter(|(_, mass)| !mass.is_zero()) {
        caught[classes.class_of(state)] += mass;
        roundings += 1.0;
    }
    let transient: Vec<usize> = (0..rates.rows()).filter(|&state| classes.is_transient(state)).collect();
    if transient.iter().any(|&state| !start[state].is_zero()) {
        roundings += leave(rates, start, fill, &classes, &transient, &mut caught)?;
    }
    let by_class = caught.into_iter().enumerate();
    let closed = by_class.filter(|&(class, _)| classes.is_closed(class));
    Ok(Caught {
        shares: closed.map(|(_, mass)| mass).collect(),
        roundings,
    })
}

/// Adds what leaves transient states to the classes that it enters. Returns of how many roundings that comes.
fn leave<T: Scalar>(
    rates: &Csr<T>,
    start: &[T],
    fill: usize,
    classes: &Classes,
    transient: &[usize],
    caught: &mut [T],
) -> Result<f64, Error> {
    let mut number = vec![None; rates.rows()];
    for (at, &state) in transient.iter().enumerate() {
        number[state] = Some(at);
    }
    let mut leave = Vec::with_capacity(transient.len());
    let mut rows = Vec::with_capacity(transient.len());
    let mut terms = 0.0;
    for &state in transient {
        let mut gone = T::zero();
        let mut row = Vec::new();
        for (to, rate) in rates.row(state) {
            match number[to] {
                Some(inside) => row.push((inside, rate.clone())),
                None => {
                    gone += rate;
                    terms += 1.0;
                }
            }
        }
        leave.push(gone);
        rows.push(row);
    }
    let within = Csr::from_rows(transient.len(), rows);
    let y = Elimination::leaving(&within, &leave, fill)?;
    let y = y.visits(transient.iter().map(|&state| start[state].clone()).collect());
    for (&state, time) in transient.iter().zip(&y.times) {
        for (to, rate) in rates.row(state).filter(|&(to, _)| number[to].is_none()) {
            caught[classes.class_of(to)] += &time.times(rate, 0).rounded();
        }
    }
    // Sums of what leaves count in each of the two sums over forests, and here; a product and a number that is rounded to a
    // float at the end.
    Ok(y.roundings + 3.0 * terms + 2.0)
}
