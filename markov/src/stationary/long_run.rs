//! Chains with several closed classes: where each start leads to in the long run.

use super::class::Class;
use super::exact;
use crate::chain::{Ctmc, Dtmc};
use crate::classify::Classes;
use crate::elimination::Within;
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use core::any::Any;

impl<T: Scalar> Ctmc<T> {
    /// The probability that a chain which starts in a distribution is caught in each closed class, in the order of
    /// [`Classes::closed`].
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::NotADistribution`].
    pub fn absorption(&self, start: &[T]) -> Result<Vec<T>, Error> {
        absorption(self.rates(), start)
    }

    /// The distribution in the long run, from a start distribution: those of the closed classes, weighed by the probabilities of
    /// [`Ctmc::absorption`]. Exact for exact rates.
    ///
    /// # Errors
    /// As [`Ctmc::absorption`], and [`Error::NotConverged`] for floats.
    pub fn long_run(&self, start: &[T]) -> Result<Vec<T>, Error> {
        long_run(self.rates(), start)
    }
}

impl<T: Scalar> Dtmc<T> {
    /// As [`Ctmc::absorption`].
    ///
    /// # Errors
    /// As [`Ctmc::absorption`].
    pub fn absorption(&self, start: &[T]) -> Result<Vec<T>, Error> {
        absorption(self.moves(), start)
    }

    /// As [`Ctmc::long_run`]; where a class is periodic, the long-run share of time.
    ///
    /// # Errors
    /// As [`Ctmc::long_run`].
    pub fn long_run(&self, start: &[T]) -> Result<Vec<T>, Error> {
        long_run(self.moves(), start)
    }
}

fn long_run<T: Scalar>(rates: &Csr<T>, start: &[T]) -> Result<Vec<T>, Error> {
    let caught = absorption(rates, start)?;
    let mut all = vec![T::zero(); rates.rows()];
    for (states, share) in Classes::of(rates).closed().into_iter().zip(caught) {
        let class = Class::Some(states.clone());
        let within = class.rates(rates);
        for (&state, mut value) in states.iter().zip(irreducible(&within)?) {
            value *= &share;
            all[state] = value;
        }
    }
    Ok(all)
}

fn irreducible<T: Scalar>(rates: &Csr<T>) -> Result<Vec<T>, Error> {
    if (rates as &dyn Any).is::<Csr<f64>>() {
        return super::distribution(rates);
    }
    Ok(exact(rates))
}

/// Mass that starts in transient states stays there for expected times `y`; what goes from there to a class in all is the sum of
/// `y(i) rate(i, j)`.
fn absorption<T: Scalar>(rates: &Csr<T>, start: &[T]) -> Result<Vec<T>, Error> {
    crate::transient::check_distribution(start, rates.rows())?;
    let classes = Classes::of(rates);
    let transient: Vec<usize> = (0..rates.rows()).filter(|&state| classes.is_transient(state)).collect();
    let mut caught = vec![T::zero(); classes.len()];
    for (state, mass) in start.iter().enumerate() {
        caught[classes.class_of(state)] += mass;
    }
    let transient = Within::new(rates.rows(), transient, |state| rates.row(state));
    let starts = transient.states.iter().map(|&state| start[state].clone());
    let y = transient.solver.visits(starts.collect());
    for (&state, time) in transient.states.iter().zip(&y) {
        for (to, rate) in rates.row(state).filter(|&(to, _)| transient.number[to].is_none()) {
            let mut part = time.clone();
            part *= rate;
            caught[classes.class_of(to)] += &part;
        }
    }
    let by_class = caught.into_iter().enumerate();
    Ok(by_class
        .filter(|&(class, _)| classes.is_closed(class))
        .map(|(_, mass)| mass)
        .collect())
}
