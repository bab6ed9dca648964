//! Where a chain is in the long run: stationary distributions, with what is known of their errors.
//!
//! A chain with one closed class has one stationary distribution; transient states have none of it. [`Stationary`]
//! takes that class and eliminates its states one by one while that fits a budget, which gives each entry with a proven
//! relative error, however stiff the chain; else it iterates, and the error is an estimate. Chains with more closed
//! classes have the distribution of each class ([`Stationary::solve_class`]), and one in the long run for each start
//! ([`Ctmc::long_run`]).
//!
//! A small residual says nothing by itself: on a stiff chain a distribution that is wrong in all digits may have one of
//! 1e-16. So reports hold both, the residual and the error.

mod absorption;
mod balance;
mod class;
mod clusters;
mod decay;
mod inflows;
mod iterate;
mod levels;
mod long_run;
mod pairs;
mod report;
#[cfg(feature = "serde")]
mod serial;
mod solver;
mod verify;

use core::any::Any;

use crate::budget::{Meter, OrStopped};
use crate::chain::{Ctmc, Dtmc};
use crate::elimination::{Elimination, FILL, Room};
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use class::Class;

#[cfg(feature = "lp")]
pub(crate) use long_run::long_run;
pub use report::{ErrorBound, ErrorKind, StationaryReport};
pub use solver::{Method, Stationary};

impl<T: Scalar> Ctmc<T> {
    /// The stationary distribution, by state; zero for transient states. Exact for exact rates, and by [`Stationary`]
    /// with its defaults for floats. With a budget: [`Stationary::solve`] and [`Stationary::exact`].
    ///
    /// # Errors
    /// [`Error::Reducible`] where there is more than one; [`Error::NotConverged`], [`Error::PrecisionLost`] and
    /// [`Error::NotANumber`], as [`Stationary::solve`], for floats; [`Error::TooLarge`] for fractions whose elimination
    /// takes more than 50 million entries.
    ///
    /// # Complexity
    /// That of the elimination, which depends on the fill: O(states) for birth and death, O(states³) at worst. Large
    /// chains of floats with much fill are iterated, at O(transitions) a sweep.
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Ctmc};
    ///
    /// // A machine breaks once in ten hours and is repaired in one.
    /// let chain = Ctmc::new(&Csr::from_rows(2, [[(1, 0.1)], [(0, 1.0)]]))?;
    /// let share = chain.stationary()?;
    /// assert!((share[1] - 1.0 / 11.0).abs() < 1e-15);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn stationary(&self) -> Result<Vec<T>, Error> {
        distribution(self.rates(), &Meter::unlimited())
    }
}

impl<T: Scalar> Dtmc<T> {
    /// The stationary distribution, by state; zero for transient states. Where the chain is periodic, it is the
    /// long-run share of time.
    ///
    /// # Errors
    /// As [`Ctmc::stationary`].
    ///
    /// # Complexity
    /// As [`Ctmc::stationary`].
    pub fn stationary(&self) -> Result<Vec<T>, Error> {
        distribution(self.moves(), &Meter::unlimited())
    }
}

/// The stationary distribution by the defaults of its solvers.
pub(crate) fn distribution<T: Scalar>(rates: &Csr<T>, meter: &Meter<'_>) -> Result<Vec<T>, Error> {
    if let Some(floats) = (rates as &dyn Any).downcast_ref::<Csr<f64>>() {
        let report = Stationary::new().solve_rates(floats, meter)?;
        let distribution: Box<dyn Any> = Box::new(report.into_distribution());
        return Ok(*distribution.downcast().unwrap_or_else(|_| unreachable!("T is f64")));
    }
    let class = Class::only(rates)?;
    let within = class.rates(rates);
    let found = exact(&within, Room::new(FILL, meter))?;
    Ok(class.spread(found, rates.rows()))
}

/// The stationary distribution of an irreducible chain, by elimination.
fn exact<T: Scalar>(rates: &Csr<T>, room: Room<'_>) -> Result<Vec<T>, Error> {
    Ok(Elimination::new(rates, None, room)?
        .weights(room.meter)
        .or_stopped()?
        .values)
}
