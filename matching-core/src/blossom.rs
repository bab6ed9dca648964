//! The solver's front door: options, objectives, and the way from any input to the engine.

use crate::budget::Budget;
use crate::cost::CostValue;
use crate::error::Error;
use crate::instance::Instance;
use crate::solution::Solution;

/// What is asked of a matching.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Objective<V> {
    /// Every vertex matched, least total cost.
    MinPerfect,
    /// Every vertex matched, greatest total weight.
    MaxPerfect,
    /// Any matching, greatest total weight.
    MaxWeight,
    /// As many pairs as possible, and of those matchings the one of greatest total weight.
    MaxCardinality,
    /// Any matching, least total of pair costs plus the penalty of each unmatched vertex (one entry per vertex).
    MinOptOut(Vec<V>),
    /// Even number of vertices: [`Objective::MinPerfect`]. Odd: exactly one vertex stays unmatched, least total of
    /// pair costs plus that vertex's bye cost (one entry per vertex).
    MinBye(Vec<V>),
}

/// What to do with floating-point costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precision {
    /// Exact where the costs fit a common binary grid in 128 bits, else [`Error::PrecisionRequired`].
    #[default]
    Exact,
    /// Round to the finest grid on which 64-bit arithmetic is safe; cost and bound are those of the true costs.
    Quantised,
}

/// Exact matching by the blossom algorithm.
#[derive(Clone, Debug)]
pub struct Blossom<V> {
    objective: Objective<V>,
    precision: Precision,
    budget: Budget,
}

impl<V: CostValue> Default for Blossom<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: CostValue> Blossom<V> {
    /// Minimum-weight perfect matching, exact, without limits.
    pub fn new() -> Self {
        Self {
            objective: Objective::MinPerfect,
            precision: Precision::Exact,
            budget: Budget::new(),
        }
    }

    /// What is asked; [`Objective::MinPerfect`] by default.
    #[must_use]
    pub fn objective(mut self, objective: Objective<V>) -> Self {
        self.objective = objective;
        self
    }

    /// What to do with floating-point costs; [`Precision::Exact`] by default.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// When to stop; never by default.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Solves an instance.
    ///
    /// # Errors
    /// Whatever is wrong with the input, and [`Error::NoPerfectMatching`] with a witness.
    pub fn solve<I: Instance<Value = V> + ?Sized>(&self, instance: &I) -> Result<Solution<V>, Error> {
        let edges = instance.to_edges()?;
        let _ = (edges, &self.objective, self.precision, &self.budget);
        unimplemented!("engine to come")
    }
}
