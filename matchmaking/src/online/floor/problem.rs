//! Why there is no floor to be had.

use std::fmt;

use matching_core::StopReason;

use super::{Grid, waiting};
use crate::written::number_text;

/// What is wrong with a question about a floor.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FloorProblem {
    /// A rate or a longest wait that is not positive, a negative weight, or one of them infinite.
    Model {
        /// Arrivals per unit of time.
        rate: f64,
        /// The longest wait.
        tau_max: f64,
        /// Weight of the criterion.
        weight: f64,
    },
    /// A grid with more or less of something than processes are made for.
    Grid {
        /// The grid.
        grid: Grid,
    },
    /// A grid whose process has too many states.
    TooManyStates {
        /// The grid.
        grid: Grid,
        /// The most there may be.
        limit: usize,
    },
    /// So few states that there are no two grids to compare.
    TooFewStates {
        /// States asked for.
        states: usize,
        /// Arrivals per unit of time.
        rate: f64,
    },
    /// So few arrivals that a simulation says nothing.
    TooFewArrivals {
        /// Arrivals asked for.
        arrivals: usize,
        /// The least that there must be.
        least: usize,
    },
    /// A policy was asked for of a grid with ages.
    Ages {
        /// The grid.
        grid: Grid,
    },
    /// The budget ended before there were two grids to compare.
    Stopped {
        /// What ended it.
        reason: StopReason,
    },
    /// The decision process has no answer.
    Chain {
        /// Why.
        source: markov::Error,
    },
}

impl fmt::Display for FloorProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { rate, tau_max, weight } => write!(
                f,
                "rate {}, longest wait {}, weight {}; the first two must be positive, none infinite",
                number_text(*rate),
                number_text(*tau_max),
                number_text(*weight)
            ),
            Self::Grid { grid } => write!(
                f,
                "{grid:?} is out of range: 1 to {} cells, 0 to {} ages, 1 to {} waiting",
                waiting::MAX_CELLS,
                waiting::MAX_AGE - 1,
                waiting::MAX_PLAYERS - 1
            ),
            Self::TooManyStates { grid, limit } => write!(
                f,
                "{grid:?} has more than {limit} states; take fewer cells, ages or waiting"
            ),
            Self::TooFewStates { states, rate } => write!(
                f,
                "{states} states are too few at rate {}; give more",
                number_text(*rate)
            ),
            Self::TooFewArrivals { arrivals, least } => {
                write!(f, "{arrivals} arrivals are too few to simulate; take {least} or more")
            }
            Self::Ages { grid } => write!(f, "{grid:?}: a policy comes from a grid without ages"),
            Self::Stopped { reason } => {
                let spent = match reason {
                    StopReason::WorkLimit => "the work was spent",
                    StopReason::TimeLimit => "the time was spent",
                    _ => "it was cancelled",
                };
                write!(f, "{spent} before there were two grids to compare; allow more")
            }
            Self::Chain { source } => write!(f, "{source}"),
        }
    }
}

impl std::error::Error for FloorProblem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Chain { source } => Some(source),
            _ => None,
        }
    }
}
