//! The solver for stationary distributions of floats.

use super::class::{Class, is_irreducible};
use super::iterate::{Iterate, Iteration, Stop};
use super::report::{ErrorBound, ErrorKind, StationaryReport, residual};
use crate::chain::{Ctmc, Dtmc};
use crate::classify::Classes;
use crate::elimination::{Budget, Elimination};
use crate::error::Error;
use crate::sparse::Csr;

/// How a stationary distribution is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Elimination while it is cheap, then Gauss-Seidel, and elimination within all of the fill if that does not converge.
    Auto,
    /// State elimination: the error is proven.
    Elimination,
    /// Sweeps over the states, damped where they make no progress; the error is estimated.
    GaussSeidel,
    /// Power iteration at a constant rate; the error is estimated.
    Power,
}

/// A solver for stationary distributions.
///
/// # Examples
/// ```
/// use markov::{Csr, Ctmc, Stationary};
///
/// // A queue with room for two: arrivals at rate 1, services at rate 2.
/// let rates = Csr::from_rows(3, [vec![(1, 1.0)], vec![(0, 2.0), (2, 1.0)], vec![(1, 2.0)]]);
/// let report = Stationary::new().solve(&Ctmc::new(&rates)?)?;
/// assert!((report.distribution()[2] - 1.0 / 7.0).abs() <= report.error().value);
/// # Ok::<(), markov::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stationary {
    method: Method,
    tolerance: f64,
    iterations: usize,
    fill: usize,
}

impl Default for Stationary {
    fn default() -> Self {
        Self::new()
    }
}

/// Entries of the chain that is left that are always cheap.
const CHEAP: usize = 250_000;
/// A state is easy to eliminate if that adds about as many entries as it removes, or hardly more.
const EASY: i64 = 12;

impl Stationary {
    /// Method [`Method::Auto`], tolerance 1e-12, 10,000 iterations, a fill of 50 million entries.
    pub fn new() -> Self {
        Self {
            method: Method::Auto,
            tolerance: 1e-12,
            iterations: 10_000,
            fill: 50_000_000,
        }
    }

    /// Sets the method.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// What residual and estimated error (sum of absolute errors) iterations must reach; positive.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sweeps or steps that iterations may take; positive.
    #[must_use]
    pub fn iterations(mut self, iterations: usize) -> Self {
        self.iterations = iterations;
        self
    }

    /// Entries that an elimination may keep, about 16 bytes each.
    #[must_use]
    pub fn fill(mut self, fill: usize) -> Self {
        self.fill = fill;
        self
    }

    /// The stationary distribution of a chain in continuous time; zero for transient states.
    ///
    /// # Errors
    /// [`Error::Reducible`] names the closed classes if there are more than one; [`Error::Parameter`] for settings out of
    /// range; [`Error::TooLarge`] if elimination was asked for and takes more fill; [`Error::NotConverged`], with the last
    /// iterate, if iterations came to their limit, or if the chain falls apart without moves whose probabilities are below ten
    /// times the tolerance, since no iteration could tell that it has converged.
    ///
    /// # Complexity
    /// See [`Ctmc::stationary`].
    pub fn solve(&self, chain: &Ctmc) -> Result<StationaryReport, Error> {
        self.solve_rates(chain.rates())
    }

    /// The stationary distribution of a chain in discrete time, which may be periodic. What rows miss one by is
    /// added to the probability of staying: only moves to other states count.
    ///
    /// # Errors
    /// As [`Stationary::solve`].
    pub fn solve_dtmc(&self, chain: &Dtmc) -> Result<StationaryReport, Error> {
        self.solve_rates(chain.moves())
    }

    /// The stationary distribution of the closed class that a state is in; zero for all other states.
    ///
    /// # Errors
    /// [`Error::StateOutOfRange`], [`Error::Transient`] if the state is in no closed class, and as [`Stationary::solve`].
    pub fn solve_class(&self, chain: &Ctmc, state: usize) -> Result<StationaryReport, Error> {
        self.solve_within(chain.rates(), &Class::of(chain.rates(), state)?)
    }

    /// As [`Stationary::solve_class`], in discrete time.
    ///
    /// # Errors
    /// As [`Stationary::solve_class`].
    pub fn solve_class_dtmc(&self, chain: &Dtmc, state: usize) -> Result<StationaryReport, Error> {
        self.solve_within(chain.moves(), &Class::of(chain.moves(), state)?)
    }

    pub(super) fn solve_rates(&self, rates: &Csr<f64>) -> Result<StationaryReport, Error> {
        self.check()?;
        if rates.entries() > CHEAP {
            let back = rates.transposed();
            if is_irreducible(rates, &back) {
                return self.solve_irreducible(rates, Some(back));
            }
        }
        self.solve_within(rates, &Class::only(rates)?)
    }

    fn solve_within(&self, rates: &Csr<f64>, class: &Class) -> Result<StationaryReport, Error> {
        self.check()?;
        let within = class.rates(rates);
        let mut report = self.solve_irreducible(&within, None).map_err(|error| match error {
            Error::NotConverged {
                iterations,
                best,
                bounds,
            } => Error::NotConverged {
                iterations,
                best: class.spread(best, rates.rows()),
                bounds,
            },
            other => other,
        })?;
        report.distribution = class.spread(report.distribution, rates.rows());
        Ok(report)
    }

    fn check(&self) -> Result<(), Error> {
        let positive = |name, value: f64| {
            let is_positive = value > 0.0 && value.is_finite();
            let expected = "positive and finite";
            is_positive
                .then_some(())
                .ok_or(Error::Parameter { name, value, expected })
        };
        positive("tolerance", self.tolerance)?;
        positive("iterations", self.iterations as f64)
    }

    /// Solves an irreducible chain; `back` are its moves by the states that they lead to, if known.
    fn solve_irreducible(&self, rates: &Csr<f64>, back: Option<Csr<f64>>) -> Result<StationaryReport, Error> {
        match self.method {
            Method::Auto => self.automatic(rates, back),
            Method::Elimination => {
                let limit = self.fill;
                let found = self.eliminated(rates, usize::MAX);
                found.ok_or(Error::TooLarge { what: "entries", limit })
            }
            Method::GaussSeidel | Method::Power => self.iterated(rates, back, self.method),
        }
    }

    fn automatic(&self, rates: &Csr<f64>, back: Option<Csr<f64>>) -> Result<StationaryReport, Error> {
        let entries = rates.entries();
        let live = CHEAP.max(entries + entries / 4);
        let is_cheap = entries <= CHEAP / 4 || is_promising(rates);
        if let Some(report) = is_cheap.then(|| self.eliminated(rates, live)).flatten() {
            return Ok(report);
        }
        self.iterated(rates, back, Method::GaussSeidel)
            .or_else(|error| self.eliminated(rates, usize::MAX).ok_or(error))
    }

    /// Elimination within the fill, the chain that is left never having more than `live` entries.
    fn eliminated(&self, rates: &Csr<f64>, live: usize) -> Option<StationaryReport> {
        let budget = Budget { fill: self.fill, live };
        let weights = Elimination::within(rates, None, None, budget)?.weights();
        if weights.values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let residual = residual(rates, &weights.values);
        let is_proven = !weights.is_lossy;
        let error = ErrorBound {
            value: weights.relative_error(),
            kind: if is_proven {
                ErrorKind::Proven
            } else {
                ErrorKind::Estimated
            },
        };
        Some(StationaryReport {
            distribution: weights.values,
            residual,
            error,
            method: Method::Elimination,
            iterations: 0,
        })
    }

    fn iterated(&self, rates: &Csr<f64>, back: Option<Csr<f64>>, method: Method) -> Result<StationaryReport, Error> {
        let iteration = Iteration::new(rates, back.unwrap_or_else(|| rates.transposed()));
        // Changes tell nothing of what moves slower than the tolerance.
        let is_apart = is_nearly_reducible(rates, 10.0 * self.tolerance);
        let mut stop = Stop {
            tolerance: self.tolerance,
            iterations: self.iterations,
        };
        loop {
            let found = match method {
                Method::Power => iteration.power(stop),
                _ => iteration.gauss_seidel(stop),
            };
            let Iterate {
                x, iterations, error, ..
            } = found;
            let residual = residual(rates, &x);
            if found.has_converged && residual <= self.tolerance && !is_apart {
                return Ok(StationaryReport {
                    distribution: x,
                    residual,
                    error: ErrorBound {
                        value: error,
                        kind: ErrorKind::Estimated,
                    },
                    method,
                    iterations,
                });
            }
            // The residual weighs states by their rates: where they differ much it needs a smaller error.
            stop.tolerance /= 16.0;
            if !found.has_converged || is_apart || stop.tolerance < f64::MIN_POSITIVE {
                return Err(Error::NotConverged {
                    iterations,
                    best: x,
                    bounds: None,
                });
            }
        }
    }
}

/// Whether a chain has several closed classes when moves of less than a probability are left out.
fn is_nearly_reducible(rates: &Csr<f64>, least: f64) -> bool {
    let bounds = (0..rates.rows()).map(|state| least * rates.row_slices(state).1.iter().sum::<f64>());
    let bounds: Vec<f64> = bounds.collect();
    let mut states = (0..rates.rows()).zip(&bounds);
    if states.all(|(state, bound)| rates.row_slices(state).1.iter().all(|rate| rate >= bound)) {
        return false;
    }
    let strong = rates.map(|state, _, &rate| if rate < bounds[state] { 0.0 } else { rate });
    Classes::of(&strong).closed().len() > 1
}

/// Whether an elimination may be expected to fit: random chains with many moves out of each state fill up at once, while
/// queues, trees and flat grids have many states that are easy.
fn is_promising(rates: &Csr<f64>) -> bool {
    let mut sources = vec![0_i64; rates.rows()];
    for state in 0..rates.rows() {
        rates
            .row_slices(state)
            .0
            .iter()
            .for_each(|&to| sources[to as usize] += 1);
    }
    let added = |state: usize| {
        let targets = rates.row_slices(state).0.len() as i64;
        sources[state] * targets - sources[state] - targets
    };
    let easy = (0..rates.rows()).filter(|&state| added(state) <= EASY).count();
    easy * 20 >= rates.rows()
}
