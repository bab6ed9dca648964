//! The solver for stationary distributions of floats.

use std::borrow::Cow;

use super::balance::residual;
use super::class::Class;
use super::clusters::Clusters;
use super::exact;
use super::iterate::{Coarse, Iteration, Step, Stop};
use super::levels::Levels;
use super::report::{ErrorBound, ErrorKind, StationaryReport};
use crate::budget::{Control, Meter, OrStopped, Progress, Stage, StopReason, Stopped};
use crate::chain::{Ctmc, Dtmc};
use crate::classify::Classes;
use crate::elimination::{Elimination, FILL, Front, Room};
use crate::error::Error;
use crate::scalar::Rational;
use crate::sparse::Csr;
use matching_core::Budget;

/// How a stationary distribution is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Method {
    /// Elimination while it is cheap, as on chains that are long and narrow, then Gauss-Seidel; if that does not converge
    /// soon, elimination where the chain is narrow enough, aggregation where it falls apart, then multilevel aggregation,
    /// then longer iterations; and elimination within all of the fill if nothing converges.
    Auto,
    /// State elimination: the error is proven.
    Elimination,
    /// Sweeps over the states, damped where they make no progress; the error is estimated.
    GaussSeidel,
    /// Power iteration at a constant rate; the error is estimated.
    Power,
    /// Sweeps, between which clusters of states that are hardly linked are balanced against each other (aggregation and
    /// disaggregation); as [`Method::GaussSeidel`] where there are none. The error is estimated.
    Aggregation,
    /// Cycles of sweeps on the chain, on a chain of pairs of its states, on one of pairs of pairs, and so on (multilevel
    /// aggregation): for chains that are balanced by many small steps, such as queues side by side. As
    /// [`Method::GaussSeidel`] where states cannot be taken together to few. The error is estimated.
    Multilevel,
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
pub struct Stationary<'a> {
    method: Method,
    tolerance: f64,
    iterations: usize,
    pub(super) fill: usize,
    pub(super) control: Control<'a>,
}

impl Default for Stationary<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// Entries of the chain that is left that are always cheap.
const CHEAP: usize = 250_000;
/// Entries of a chain whose elimination is always tried first.
const SMALL: usize = CHEAP / 4;
/// Sweeps, and cycles, after which something else is tried; sweeps where an elimination is known to do.
const PATIENCE: usize = 300;
const IMPATIENCE: usize = 40;
/// Changes for each entry of a chain that an elimination takes in the time of the few sweeps that are needed at least.
const NARROW: u64 = 50;
/// Changes for each entry in less time than cycles take where sweeps came to nothing.
const WORTH_IT: u64 = 3000;
/// A state is easy to eliminate if that adds about as many entries as it removes, or hardly more.
const EASY: i64 = 12;

impl<'a> Stationary<'a> {
    /// Method [`Method::Auto`], tolerance 1e-12, 10,000 iterations, a fill of 50 million entries, no other limits.
    pub fn new() -> Self {
        Self {
            method: Method::Auto,
            tolerance: 1e-12,
            iterations: 10_000,
            fill: FILL,
            control: Control::default(),
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

    /// Entries that an elimination may keep, about 16 bytes each, and up to three times that on the way.
    #[must_use]
    pub fn fill(mut self, fill: usize) -> Self {
        self.fill = fill;
        self
    }

    /// Limits of each solve, all methods of [`Method::Auto`] together; whatever is reached is [`Error::Stopped`].
    ///
    /// - Work is counted in entries of matrices that are touched: moves and states that a sweep looks at, rates that
    ///   change in an elimination.
    /// - Time and token are looked at every few milliseconds, also within a sweep and within an elimination. What goes
    ///   through the chain a few times at most is not cut short: its transposition, the search for its classes, and for
    ///   clusters. Nor is a single operation on fractions.
    /// - Memory counts what an elimination keeps and the chain that is left while it runs, in bytes, and may be exceeded by
    ///   what a list grows by at once, which is as much again; for fractions without their digits. What is in proportion
    ///   to the chain that was given is not counted. [`Method::Auto`] iterates where an elimination takes more.
    ///
    /// # Examples
    /// ```
    /// use markov::{Budget, Csr, Ctmc, Error, Method, Stationary, StopReason};
    ///
    /// let chain = Ctmc::new(&Csr::from_rows(3, [vec![(1, 1.0)], vec![(0, 2.0), (2, 1.0)], vec![(1, 2.0)]]))?;
    /// let solver = Stationary::new().method(Method::Power).budget(Budget::new().work(100));
    /// let Err(Error::Stopped(stopped)) = solver.solve(&chain) else { panic!("100 units are few") };
    /// assert_eq!(stopped.reason, StopReason::WorkLimit);
    /// assert!(stopped.iterations > 0 && stopped.best.len() == 3);
    /// # Ok::<(), markov::Error>(())
    /// ```
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.control.budget = budget;
        self
    }

    /// Called with progress, at the start and then every 20 milliseconds or less often, between sweeps and between states
    /// that are eliminated.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.control.observer = Some(observer);
        self
    }

    /// The stationary distribution of a chain in continuous time; zero for transient states.
    ///
    /// # Errors
    /// [`Error::Reducible`] names the closed classes if there are more than one; [`Error::Parameter`] for settings out
    /// of range; [`Error::NotANumber`] for a state whose rates add up to more than a float holds; [`Error::TooLarge`]
    /// if elimination was asked for and takes more fill; [`Error::PrecisionLost`] where numbers on the way leave the
    /// range of floats so that there is no answer; [`Error::NotConverged`], with the last iterate, if iterations came
    /// to their limit, or if the chain falls apart without moves whose probabilities are below ten times the tolerance,
    /// since no iteration could tell that it has converged; [`Error::Stopped`], with the last iterate if there is one, if
    /// the [budget](Self::budget) was spent.
    ///
    /// # Complexity
    /// See [`Ctmc::stationary`].
    pub fn solve(&self, chain: &Ctmc) -> Result<StationaryReport, Error> {
        self.solve_rates(chain.rates(), &self.control.start())
    }

    /// The stationary distribution of a chain in discrete time, which may be periodic. What rows miss one by is
    /// added to the probability of staying: only moves to other states count.
    ///
    /// # Errors
    /// As [`Stationary::solve`].
    pub fn solve_dtmc(&self, chain: &Dtmc) -> Result<StationaryReport, Error> {
        self.solve_rates(chain.moves(), &self.control.start())
    }

    /// The stationary distribution of the closed class that a state is in; zero for all other states.
    ///
    /// # Errors
    /// [`Error::StateOutOfRange`], [`Error::Transient`] if the state is in no closed class, and as
    /// [`Stationary::solve`].
    pub fn solve_class(&self, chain: &Ctmc, state: usize) -> Result<StationaryReport, Error> {
        self.solve_class_of(chain.rates(), state)
    }

    /// As [`Stationary::solve_class`], in discrete time.
    ///
    /// # Errors
    /// As [`Stationary::solve_class`].
    pub fn solve_class_dtmc(&self, chain: &Dtmc, state: usize) -> Result<StationaryReport, Error> {
        self.solve_class_of(chain.moves(), state)
    }

    /// The stationary distribution of a chain of fractions, without any error, by elimination within
    /// [fill](Self::fill) and [budget](Self::budget), whatever the method; zero for transient states.
    ///
    /// # Errors
    /// [`Error::Reducible`]; [`Error::TooLarge`] where the elimination takes more fill; [`Error::Stopped`].
    ///
    /// # Complexity
    /// That of the elimination, as in [`Ctmc::stationary`], in operations on fractions whose digits grow on the way.
    pub fn exact(&self, chain: &Ctmc<Rational>) -> Result<Vec<Rational>, Error> {
        self.exact_of(chain.rates())
    }

    /// As [`Stationary::exact`], in discrete time.
    ///
    /// # Errors
    /// As [`Stationary::exact`].
    pub fn exact_dtmc(&self, chain: &Dtmc<Rational>) -> Result<Vec<Rational>, Error> {
        self.exact_of(chain.moves())
    }

    fn exact_of(&self, rates: &Csr<Rational>) -> Result<Vec<Rational>, Error> {
        let meter = self.control.start();
        let class = Class::only(rates)?;
        let found = exact(&class.rates(rates), Room::new(self.fill, &meter))?;
        Ok(class.spread(found, rates.rows()))
    }

    fn solve_class_of(&self, rates: &Csr<f64>, state: usize) -> Result<StationaryReport, Error> {
        let meter = self.control.start();
        self.check(rates)?;
        self.solve_within(rates, &Class::of(rates, state)?, &meter)
    }

    pub(super) fn solve_rates(&self, rates: &Csr<f64>, meter: &Meter<'_>) -> Result<StationaryReport, Error> {
        self.check(rates)?;
        let back = (rates.entries() > SMALL).then(|| rates.transposed());
        let class = back.as_ref().and_then(|back| Class::of_first(rates, back));
        let class = class.map_or_else(|| Class::only(rates), Ok)?;
        if matches!(class, Class::Everything) {
            return self.choose(rates, back, meter);
        }
        self.solve_within(rates, &class, meter)
    }

    /// The answer of a closed class as a chain of its own: times and rates of other states, which floats may not hold,
    /// have nothing to do with it. Settings and rates have been checked.
    pub(super) fn solve_within(
        &self,
        rates: &Csr<f64>,
        class: &Class,
        meter: &Meter<'_>,
    ) -> Result<StationaryReport, Error> {
        let spread = |values: &mut Vec<f64>| *values = class.spread(core::mem::take(values), rates.rows());
        let mut found = self.choose(&class.rates(rates), None, meter);
        match &mut found {
            Ok(report) => spread(&mut report.distribution),
            Err(Error::NotConverged { best, .. }) => spread(best),
            Err(Error::Stopped(stopped)) if !stopped.best.is_empty() => spread(&mut stopped.best),
            Err(_) => {}
        }
        found
    }

    /// Refuses settings out of range, and rates whose sum is no float: iterations need the time that a state is kept,
    /// and all residuals the flow out of it.
    pub(super) fn check(&self, rates: &Csr<f64>) -> Result<(), Error> {
        let positive = |name, value: f64| {
            let is_positive = value > 0.0 && value.is_finite();
            let expected = "positive and finite";
            is_positive
                .then_some(())
                .ok_or(Error::Parameter { name, value, expected })
        };
        positive("tolerance", self.tolerance)?;
        positive("iterations", self.iterations as f64)?;
        let exit = |state: usize| rates.row_slices(state).1.iter().sum::<f64>();
        match (0..rates.rows()).find(|&state| !exit(state).is_finite()) {
            Some(state) => Err(Error::NotANumber { from: state, to: state }),
            None => Ok(()),
        }
    }

    /// Solves an irreducible chain by the method; `back` are the moves by the states that they lead to, if known.
    pub(super) fn choose(
        &self,
        rates: &Csr<f64>,
        back: Option<Csr<f64>>,
        meter: &Meter<'_>,
    ) -> Result<StationaryReport, Error> {
        meter.look().or_stopped()?;
        match self.method {
            Method::Auto => self.automatic(rates, back, meter),
            Method::Elimination => Self::eliminated(rates, Room::new(self.fill, meter)),
            method => self.iterated(rates, back, method, meter),
        }
    }

    fn automatic(
        &self,
        rates: &Csr<f64>,
        back: Option<Csr<f64>>,
        meter: &Meter<'_>,
    ) -> Result<StationaryReport, Error> {
        let entries = rates.entries();
        let live = CHEAP.max(entries + entries / 4);
        let room = Room::new(self.fill, meter);
        let is_easy = entries <= SMALL || is_promising(rates, back.as_ref());
        if is_easy {
            match Self::eliminated(rates, room.with_live(live, NARROW)) {
                Err(error) if !is_end(&error) => {}
                found => return found,
            }
        }
        meter.look().or_stopped()?;
        let front = front(rates, back.as_ref()).filter(|front| front.fill <= self.fill);
        if let Some(front) = &front
            && front.work <= NARROW * entries as u64
        {
            match Self::eliminated_by(rates, front, room) {
                Err(error) if !is_end(&error) => {}
                found => return found,
            }
        }
        // Most chains take few sweeps; those that do not may fall apart, or be balanced by many small steps.
        let quick = |patience| Self {
            iterations: self.iterations.min(patience),
            ..self.clone()
        };
        let sweeps = quick(if front.is_some() { IMPATIENCE } else { PATIENCE });
        let cycles = quick(PATIENCE);
        let by_cycles = |method, error| cycles.cycled(rates, method, meter).unwrap_or(Err(error));
        // That an elimination came to nothing as well says less than what iterations came to.
        let or_before = |found: Result<_, Error>, before| match found {
            Err(error) if !is_end(&error) => Err(before),
            found => found,
        };
        let mut found = sweeps.iterated(rates, back, Method::GaussSeidel, meter);
        if let Some(front) = &front {
            let eliminated = || Self::eliminated_by(rates, front, room);
            found = or_else(found, meter, |error| or_before(eliminated(), error));
        }
        found = or_else(found, meter, |error| by_cycles(Method::Aggregation, error));
        found = or_else(found, meter, |error| by_cycles(Method::Multilevel, error));
        found = or_else(found, meter, |_| self.iterated(rates, None, Method::Aggregation, meter));
        or_else(found, meter, |error| match Self::eliminated(rates, room) {
            Err(Error::TooLarge { .. }) => Err(error),
            Err(Error::Stopped(stopped)) if stopped.reason == StopReason::MemoryLimit => Err(error),
            found => found,
        })
    }

    /// Elimination within a room.
    fn eliminated(rates: &Csr<f64>, room: Room<'_>) -> Result<StationaryReport, Error> {
        Self::weighed(rates, &Elimination::new(rates, None, room)?, room)
    }

    /// Elimination in an order that was found for these rates.
    fn eliminated_by(rates: &Csr<f64>, front: &Front, room: Room<'_>) -> Result<StationaryReport, Error> {
        Self::weighed(rates, &Elimination::by_front(rates, front, room)?, room)
    }

    fn weighed(rates: &Csr<f64>, done: &Elimination<f64>, room: Room<'_>) -> Result<StationaryReport, Error> {
        let weights = done.weights(room.meter).or_stopped()?;
        if weights.values.iter().any(|value| !value.is_finite()) {
            return Err(Error::PrecisionLost);
        }
        let is_proven = !weights.is_lossy;
        let error = ErrorBound {
            value: weights.relative_error(),
            kind: if is_proven {
                ErrorKind::Proven
            } else {
                ErrorKind::Estimated
            },
        };
        Ok(StationaryReport {
            residual: residual(rates, &weights.values),
            distribution: weights.values,
            error,
            method: Method::Elimination,
            iterations: 0,
        })
    }

    fn iterated(
        &self,
        rates: &Csr<f64>,
        back: Option<Csr<f64>>,
        method: Method,
        meter: &Meter<'_>,
    ) -> Result<StationaryReport, Error> {
        if rates.rows() == 1 {
            return Ok(alone(method));
        }
        if let Some(found) = self.cycled(rates, method, meter) {
            return found;
        }
        meter.look().or_stopped()?;
        let (step, method) = match method {
            Method::Power => (Step::Power, method),
            _ => (Step::Sweep(1.0), Method::GaussSeidel),
        };
        let iteration = Iteration::new(rates, back.unwrap_or_else(|| rates.transposed()), meter);
        self.run(rates, iteration, step, method)
    }

    /// The same by cycles; nothing where the method has none, or states cannot be grouped for it.
    fn cycled(&self, rates: &Csr<f64>, method: Method, meter: &Meter<'_>) -> Option<Result<StationaryReport, Error>> {
        let iteration = || Iteration::new(rates, rates.transposed(), meter);
        let iteration = match method {
            Method::Aggregation => {
                let clusters = Clusters::find(rates, meter)?;
                iteration().with(Coarse::Clusters(clusters))
            }
            Method::Multilevel => {
                let iteration = iteration();
                let levels = Levels::find(iteration.inflows(), &uniform(rates.rows()))?;
                iteration.with(Coarse::Levels(levels))
            }
            _ => return None,
        };
        Some(self.run(rates, iteration, Step::Cycle, method))
    }

    /// What an iteration comes to from the same weight on each state; the report names the method.
    fn run(
        &self,
        rates: &Csr<f64>,
        iteration: Iteration<'_>,
        step: Step,
        method: Method,
    ) -> Result<StationaryReport, Error> {
        // Changes tell nothing of what moves slower than the tolerance, unless that is what cycles balance.
        let is_apart = method != Method::Aggregation && is_nearly_reducible(rates, 10.0 * self.tolerance);
        let stop = Stop {
            tolerance: self.tolerance,
            iterations: self.iterations,
            stage: Stage::Stationary(method),
        };
        let found = iteration
            .run(step, uniform(rates.rows()), stop)
            .ok_or(Error::PrecisionLost)?;
        if let Some(halted) = found.halted {
            let stopped = Stopped {
                iterations: found.iterations,
                best: found.x,
                ..halted.bare()
            };
            return Err(stopped.error());
        }
        if is_apart || !found.has_converged {
            return Err(Error::NotConverged {
                iterations: found.iterations,
                best: found.x,
                bounds: None,
                radius: None,
            });
        }
        Ok(StationaryReport {
            residual: found.residual,
            distribution: found.x,
            error: ErrorBound {
                value: found.error,
                kind: ErrorKind::Estimated,
            },
            method,
            iterations: found.iterations,
        })
    }
}

/// Whether it is over with an error, and no other method is to be tried.
fn is_end(error: &Error) -> bool {
    matches!(error, Error::Stopped(stopped) if stopped.reason != StopReason::MemoryLimit)
}

/// What was found, or what another method finds, unless it is over.
fn or_else(
    found: Result<StationaryReport, Error>,
    meter: &Meter<'_>,
    other: impl FnOnce(Error) -> Result<StationaryReport, Error>,
) -> Result<StationaryReport, Error> {
    match found {
        Err(error) if !is_end(&error) => match meter.look() {
            Ok(()) => match other(error.clone()) {
                // Before its first step it has nothing to show.
                Err(Error::Stopped(stopped)) if stopped.iterations == 0 => Err(stopped_after(*stopped, error)),
                found => found,
            },
            Err(halted) => Err(stopped_after(halted.bare(), error)),
        },
        found => found,
    }
}

/// That it is over, with what iterations before came to.
fn stopped_after(stopped: Stopped, before: Error) -> Error {
    let (best, iterations) = match before {
        Error::NotConverged { best, iterations, .. } => (best, iterations),
        _ => (stopped.best, stopped.iterations),
    };
    let stopped = Stopped {
        best,
        iterations,
        ..stopped
    };
    stopped.error()
}

/// The same weight on each state, one in sum.
fn uniform(len: usize) -> Vec<f64> {
    vec![1.0 / len as f64; len]
}

/// What to report of one state.
fn alone(method: Method) -> StationaryReport {
    StationaryReport {
        distribution: vec![1.0],
        residual: 0.0,
        error: ErrorBound {
            value: 0.0,
            kind: ErrorKind::Proven,
        },
        method,
        iterations: 0,
    }
}

/// Whether an irreducible chain has several closed classes when moves of less than a probability are left out.
fn is_nearly_reducible(rates: &Csr<f64>, least: f64) -> bool {
    let bound = |state: usize| least * rates.row_slices(state).1.iter().sum::<f64>();
    let is_strong = |state: usize| {
        let bound = bound(state);
        rates.row_slices(state).1.iter().all(|&rate| rate >= bound)
    };
    if (0..rates.rows()).all(is_strong) {
        return false;
    }
    let bounds: Vec<f64> = (0..rates.rows()).map(bound).collect();
    let strong = rates.map(|state, _, &rate| if rate < bounds[state] { 0.0 } else { rate });
    Classes::of(&strong).closed().len() > 1
}

/// Whether an elimination may be expected to fit: random chains with many moves out of each state fill up at once,
/// while queues, trees and flat grids have many states that are easy.
fn is_promising(rates: &Csr<f64>, back: Option<&Csr<f64>>) -> bool {
    let sources: Vec<usize> = match back {
        Some(back) => (0..rates.rows()).map(|state| back.row_slices(state).0.len()).collect(),
        None => {
            let starts = rates.starts_of_columns();
            starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
        }
    };
    let added = |state: usize| {
        let targets = rates.row_slices(state).0.len() as i64;
        let sources = sources[state] as i64;
        sources * targets - sources - targets
    };
    let easy = (0..rates.rows()).filter(|&state| added(state) <= EASY).count();
    easy * 20 >= rates.rows()
}

/// The order of an elimination from one end to the other, where the chain is long and narrow.
fn front(rates: &Csr<f64>, back: Option<&Csr<f64>>) -> Option<Front> {
    if rates.entries() < Front::FEW {
        return None;
    }
    let back = back.map_or_else(|| Cow::Owned(rates.transposed()), Cow::Borrowed);
    let neighbours = |state: usize| {
        let (to, from) = (rates.row_slices(state).0, back.row_slices(state).0);
        to.iter().chain(from).copied()
    };
    Front::find(rates.rows(), neighbours, None, WORTH_IT * rates.entries() as u64)
}

#[cfg(test)]
mod tests;
