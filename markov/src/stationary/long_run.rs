//! Chains with several closed classes: where each start leads to in the long run.

use core::any::Any;

use matching_core::Budget;

use super::absorption::{Caught, absorption};
use super::balance::residual;
use super::class::Class;
use super::report::{ErrorBound, ErrorKind, StationaryReport};
use super::{Method, Stationary, exact};
use crate::budget::Meter;
use crate::chain::{Ctmc, Dtmc};
use crate::classify::Classes;
use crate::elimination::{FILL, Room, relative_error};
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;

impl<T: Scalar> Ctmc<T> {
    /// The probability that a chain which starts in a distribution is caught in each closed class, in the order of
    /// [`Classes::closed`].
    ///
    /// Floats come from an elimination of sums of positive terms, and are accurate each relative to itself; for a bound
    /// see [`Stationary::long_run`].
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::NotADistribution`]; [`Error::TooLarge`] where the elimination of transient
    /// states takes more than 50 million entries; [`Error::PrecisionLost`] where floats cannot hold the rates that
    /// arise in it; [`Error::NotANumber`] for a transient state whose rates to closed classes add up to more than a
    /// float holds.
    pub fn absorption(&self, start: &[T]) -> Result<Vec<T>, Error> {
        shares(self.rates(), start, &Meter::unlimited())
    }

    /// As [`Ctmc::absorption`], within a budget, which is counted as by [`Stationary::budget`].
    ///
    /// # Errors
    /// As [`Ctmc::absorption`], and [`Error::Stopped`], with nothing.
    pub fn absorption_within(&self, start: &[T], budget: &Budget) -> Result<Vec<T>, Error> {
        shares(self.rates(), start, &Meter::new(budget, None))
    }

    /// The distribution in the long run, from a start distribution: those of the closed classes, weighed by the
    /// probabilities of [`Ctmc::absorption`]. Exact for exact rates; [`Stationary::long_run`] has a bound for floats.
    ///
    /// # Errors
    /// As [`Ctmc::absorption`]; [`Error::NotANumber`] also for a state of a closed class whose rates add up to more than a
    /// float holds; and [`Error::NotConverged`], with no iterate, for floats whose classes are iterated.
    pub fn long_run(&self, start: &[T]) -> Result<Vec<T>, Error> {
        long_run(self.rates(), start, &Meter::unlimited())
    }

    /// As [`Ctmc::long_run`], within a budget, which is counted as by [`Stationary::budget`]: all of it has one.
    ///
    /// # Errors
    /// As [`Ctmc::long_run`], and [`Error::Stopped`], with nothing.
    pub fn long_run_within(&self, start: &[T], budget: &Budget) -> Result<Vec<T>, Error> {
        long_run(self.rates(), start, &Meter::new(budget, None))
    }
}

impl<T: Scalar> Dtmc<T> {
    /// As [`Ctmc::absorption`].
    ///
    /// # Errors
    /// As [`Ctmc::absorption`].
    pub fn absorption(&self, start: &[T]) -> Result<Vec<T>, Error> {
        shares(self.moves(), start, &Meter::unlimited())
    }

    /// As [`Ctmc::absorption_within`].
    ///
    /// # Errors
    /// As [`Ctmc::absorption_within`].
    pub fn absorption_within(&self, start: &[T], budget: &Budget) -> Result<Vec<T>, Error> {
        shares(self.moves(), start, &Meter::new(budget, None))
    }

    /// As [`Ctmc::long_run`]; where a class is periodic, the long-run share of time.
    ///
    /// # Errors
    /// As [`Ctmc::long_run`].
    pub fn long_run(&self, start: &[T]) -> Result<Vec<T>, Error> {
        long_run(self.moves(), start, &Meter::unlimited())
    }

    /// As [`Ctmc::long_run_within`].
    ///
    /// # Errors
    /// As [`Ctmc::long_run_within`].
    pub fn long_run_within(&self, start: &[T], budget: &Budget) -> Result<Vec<T>, Error> {
        long_run(self.moves(), start, &Meter::new(budget, None))
    }
}

impl Stationary<'_> {
    /// The distribution in the long run, from a start distribution, and what is known of its error, the start taken as
    /// it stands. Elimination, which transient states go through whatever the method, keeps within
    /// [`Stationary::fill`].
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::NotADistribution`] for the start; [`Error::TooLarge`] where the
    /// elimination of transient states takes more fill; [`Error::PrecisionLost`] where floats cannot hold the rates
    /// that arise in it; and as [`Stationary::solve`] for each closed class. All of it has one budget. Neither
    /// [`Error::Stopped`] nor [`Error::NotConverged`] carries an iterate: what one class came to says nothing of the
    /// others.
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Ctmc, ErrorKind, Stationary};
    ///
    /// // A player leaves for good, to one of two games, three times as often to the first.
    /// let chain = Ctmc::new(&Csr::from_rows(3, [vec![(1, 3.0), (2, 1.0)], vec![], vec![]]))?;
    /// let report = Stationary::new().long_run(&chain, &[1.0, 0.0, 0.0])?;
    /// assert!((report.distribution()[1] - 0.75).abs() <= report.error().value);
    /// assert_eq!(report.error().kind, ErrorKind::Proven);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn long_run(&self, chain: &Ctmc, start: &[f64]) -> Result<StationaryReport, Error> {
        self.mixed(chain.rates(), start)
    }

    /// As [`Stationary::long_run`], in discrete time.
    ///
    /// # Errors
    /// As [`Stationary::long_run`].
    pub fn long_run_dtmc(&self, chain: &Dtmc, start: &[f64]) -> Result<StationaryReport, Error> {
        self.mixed(chain.moves(), start)
    }

    fn mixed(&self, rates: &Csr<f64>, start: &[f64]) -> Result<StationaryReport, Error> {
        let meter = self.control.start();
        self.check(rates)?;
        let Caught { shares, roundings } = absorption(rates, start, Room::new(self.fill, &meter))?;
        let mut all = vec![0.0; rates.rows()];
        let (mut worst, mut kind) = (0.0_f64, ErrorKind::Proven);
        let (mut method, mut iterations) = (Method::Elimination, 0);
        let closed = Classes::of(rates).closed();
        let numbers = Class::numbers(&closed, rates.rows());
        for (states, share) in closed.iter().zip(shares) {
            if share == 0.0 {
                continue;
            }
            let within = Class::closed_rates(rates, states, &numbers);
            let report = self.choose(&within, None, &meter);
            let report = report.map_err(|error| of_chain(error, states))?;
            for (&state, value) in states.iter().zip(&report.distribution) {
                all[state] = share * value;
            }
            // Of classes of one state nothing had to be computed.
            if states.len() > 1 {
                worst = worst.max(report.error.value);
                iterations += report.iterations;
                if report.error.kind == ErrorKind::Estimated {
                    kind = ErrorKind::Estimated;
                    method = report.method;
                }
            }
        }
        let of_shares = relative_error::<f64>(roundings);
        Ok(StationaryReport {
            residual: residual(rates, &all),
            distribution: all,
            error: ErrorBound {
                // Shares, distributions and their products are each off by a factor; what shares sum up to, by a
                // rounding or so.
                value: (of_shares + worst + of_shares * worst + f64::EPSILON) * (1.0 + 1e-9),
                kind,
            },
            method,
            iterations,
        })
    }
}

/// Probabilities of being caught in each closed class.
fn shares<T: Scalar>(rates: &Csr<T>, start: &[T], meter: &Meter<'_>) -> Result<Vec<T>, Error> {
    Ok(absorption(rates, start, Room::new(FILL, meter))?.shares)
}

/// What is wrong with a class as it is said of the chain: what one class came to says nothing of the others, and its states
/// have other numbers there.
fn of_chain(mut error: Error, states: &[usize]) -> Error {
    match &mut error {
        Error::Stopped(stopped) => {
            stopped.best.clear();
            stopped.iterations = 0;
        }
        Error::NotConverged { best, .. } => best.clear(),
        Error::NotANumber { from, to } => (*from, *to) = (states[*from], states[*to]),
        _ => {}
    }
    error
}

/// The distribution in the long run by the defaults of all solvers.
pub(crate) fn long_run<T: Scalar>(rates: &Csr<T>, start: &[T], meter: &Meter<'_>) -> Result<Vec<T>, Error> {
    let caught = shares(rates, start, meter)?;
    let mut all = vec![T::zero(); rates.rows()];
    let closed = Classes::of(rates).closed();
    let numbers = Class::numbers(&closed, rates.rows());
    for (states, share) in closed.iter().zip(caught) {
        let within = Class::closed_rates(rates, states, &numbers);
        let found = irreducible(&within, meter).map_err(|error| of_chain(error, states))?;
        for (&state, mut value) in states.iter().zip(found) {
            value *= &share;
            all[state] = value;
        }
    }
    Ok(all)
}

fn irreducible<T: Scalar>(rates: &Csr<T>, meter: &Meter<'_>) -> Result<Vec<T>, Error> {
    if (rates as &dyn Any).is::<Csr<f64>>() {
        return super::distribution(rates, meter);
    }
    exact(rates, Room::new(FILL, meter))
}
