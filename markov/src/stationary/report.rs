//! What a solver found, and what is known of it.

use super::Method;

/// A stationary distribution, and what is known of its error.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "super::serial::Unchecked")
)]
pub struct StationaryReport {
    pub(super) distribution: Vec<f64>,
    pub(super) residual: f64,
    pub(super) error: ErrorBound,
    pub(super) method: Method,
    pub(super) iterations: usize,
}

/// A bound or an estimate of an error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "super::serial::UncheckedError")
)]
#[non_exhaustive]
pub struct ErrorBound {
    /// What the sum over states of the absolute errors is at most, as surely as the kind says: an estimate is one, and no
    /// bound. Where the kind is [`ErrorKind::Proven`], also what
    /// the relative error of each entry that is a normal float (at least 2.3e-308) is at most.
    pub value: f64,
    /// How much that can be relied on.
    pub kind: ErrorKind,
}

/// Whether an error is bounded or guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ErrorKind {
    /// It is at most that, as a theorem and the standard model of floating-point numbers say.
    Proven,
    /// It is about that if the method behaves as it has done; it may be larger by any factor.
    Estimated,
}

impl StationaryReport {
    /// Probability of each state; they add up to one.
    pub fn distribution(&self) -> &[f64] {
        &self.distribution
    }

    /// The distribution alone.
    pub fn into_distribution(self) -> Vec<f64> {
        self.distribution
    }

    /// How much more or less enters states than leaves them, added up, in proportion to all that leaves. Computed anew
    /// from the rates, with floats.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// How far the distribution may be off.
    pub fn error(&self) -> ErrorBound {
        self.error
    }

    /// The method that found it, never [`Method::Auto`].
    pub fn method(&self) -> Method {
        self.method
    }

    /// Sweeps or steps of an iterative method, 0 for elimination.
    pub fn iterations(&self) -> usize {
        self.iterations
    }
}
