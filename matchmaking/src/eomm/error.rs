//! Why there is no simulation.

use std::fmt;

use matching_core::verify::VerifyError;

use crate::written::number_text;

/// What is wrong with a population or a simulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A pool size that cannot be paired: 0, odd, or beyond what costs are kept for.
    Size {
        /// The size.
        size: usize,
        /// The greatest there is.
        most: usize,
    },
    /// No pool size at all.
    NoSizes,
    /// A pool size is asked for twice.
    SizeTwice {
        /// The size.
        size: usize,
    },
    /// Fewer rounds than a spread can be told of.
    Rounds {
        /// How many were asked for.
        rounds: u64,
        /// The limits, both included.
        limits: (u64, u64),
    },
    /// The population has fewer states than a pool has players.
    TooFewStates {
        /// States of the population.
        states: usize,
        /// Players of the pool.
        size: usize,
    },
    /// A factor by which something should be spread is negative or not a number.
    Factor {
        /// The factor.
        factor: f64,
    },
    /// A player or a risk of the population is wrong.
    Player(crate::Error),
    /// A pool has no pairing.
    Solver {
        /// Players of the pool.
        size: usize,
        /// Which round, from 0.
        round: u64,
        /// What the solver says.
        source: matching_core::Error,
    },
    /// A pairing did not pass the independent check.
    Unverified {
        /// Players of the pool.
        size: usize,
        /// Which round, from 0.
        round: u64,
        /// What the checker says.
        source: VerifyError,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { size, most } => write!(
                f,
                "{size} players: everybody is paired, so a pool needs an even number of players from 2 to {most}"
            ),
            Self::NoSizes => write!(f, "no pool size is given; give one, such as 100"),
            Self::SizeTwice { size } => write!(f, "{size} players are asked for twice; keep one"),
            Self::Rounds {
                rounds,
                limits: (least, most),
            } => write!(
                f,
                "{rounds} rounds: intervals are made of the spread between rounds, so there must be {least} to {most}"
            ),
            Self::TooFewStates { states, size } => write!(
                f,
                "{size} players are to be drawn from a population of {states}; ask for smaller pools, or give a larger \
                 population"
            ),
            Self::Factor { factor } => write!(
                f,
                "{} is no factor to spread by; it must be 0 or more, and finite",
                number_text(*factor)
            ),
            Self::Player(source) => write!(f, "{source}"),
            Self::Solver { size, round, source } => write!(f, "{size} players, round {round}: {source}"),
            Self::Unverified { size, round, source } => write!(
                f,
                "{size} players, round {round}: the pairing did not pass the independent check ({source})"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Player(source) => Some(source),
            Self::Solver { source, .. } => Some(source),
            Self::Unverified { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<crate::Error> for Error {
    fn from(source: crate::Error) -> Self {
        Self::Player(source)
    }
}
