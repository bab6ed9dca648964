//! What can be wrong with an action of a decision process, and which one it is.

use core::fmt;

use crate::error::{Error, text};
use crate::scalar::{Scalar, is_rounding};

/// Which action of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Place {
    /// Its state.
    pub state: usize,
    /// Its number among the actions of that state, from zero.
    pub action: usize,
    /// The column of the costs that it is, where the process was made by [`Mdp::with_costs`](crate::mdp::Mdp::with_costs).
    pub column: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "action {}", self.action)?;
        if let Some(column) = self.column {
            write!(f, " (column {column} of the costs)")?;
        }
        write!(f, " of state {}", self.state)
    }
}

/// What the weights of moves are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Weight {
    /// Probabilities of the next state.
    Probability,
    /// Rates of going to other states.
    Rate,
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Probability => "probability",
            Self::Rate => "rate",
        })
    }
}

/// Which number of an action is wrong, and what it is. States that the action leads to are numbers, or names where a
/// rule names them ([`RuleError`](crate::mdp::RuleError)).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Flaw<S = usize> {
    /// Its cost, with what moves cost where they have costs of their own, is NaN or infinite.
    Cost {
        /// The cost.
        cost: f64,
    },
    /// Its cost is more than the type of the costs holds.
    CostOverflow,
    /// The probability or rate of a move is negative, NaN or infinite.
    Move {
        /// Which of the two it is.
        weight: Weight,
        /// The state it leads to.
        to: S,
        /// The probability or rate.
        value: f64,
    },
    /// It leads to a state that does not exist.
    NoSuchState {
        /// The state.
        to: S,
        /// Number of states.
        len: usize,
    },
    /// Its probabilities do not add up to one: they miss it by more than 1e-9 where numbers are floats, at all where they
    /// are exact.
    ProbabilitySum {
        /// One less the sum.
        deficit: f64,
    },
    /// Its rates add up to more than a float holds.
    RateSum,
    /// A rate is so small a part of the largest one out of any state that floats do not hold it with all their digits.
    RateLost {
        /// The state it leads to.
        to: S,
        /// The rate.
        rate: f64,
        /// The largest rate out of any state.
        largest: f64,
    },
    /// Its cost and the values of the states that it leads to add up to what is NaN or infinite.
    Total,
    /// The chance with which a policy draws it is negative, NaN or infinite.
    Chance {
        /// The chance.
        chance: f64,
    },
    /// Its weight in a limit of a linear program is NaN or infinite.
    LimitWeight {
        /// Which of the limits, from zero, in the order in which they were given.
        limit: usize,
        /// The weight.
        weight: f64,
    },
    /// A probability is one that the simplex method does not see, and decides in the long run.
    Unseen {
        /// The state it leads to.
        to: S,
        /// The probability.
        value: f64,
        /// The least that is seen.
        least: f64,
    },
}

impl<S> Flaw<S> {
    /// The same where states have names.
    pub(super) fn named<N>(self, name: impl FnOnce(S) -> N) -> Flaw<N> {
        match self {
            Self::Cost { cost } => Flaw::Cost { cost },
            Self::CostOverflow => Flaw::CostOverflow,
            Self::Move { weight, to, value } => Flaw::Move {
                weight,
                to: name(to),
                value,
            },
            Self::NoSuchState { to, len } => Flaw::NoSuchState { to: name(to), len },
            Self::ProbabilitySum { deficit } => Flaw::ProbabilitySum { deficit },
            Self::RateSum => Flaw::RateSum,
            Self::RateLost { to, rate, largest } => Flaw::RateLost {
                to: name(to),
                rate,
                largest,
            },
            Self::Total => Flaw::Total,
            Self::Chance { chance } => Flaw::Chance { chance },
            Self::LimitWeight { limit, weight } => Flaw::LimitWeight { limit, weight },
            Self::Unseen { to, value, least } => Flaw::Unseen {
                to: name(to),
                value,
                least,
            },
        }
    }
}

impl Flaw {
    /// The error that an action of a state has this flaw.
    pub(super) fn at(self, state: usize, action: usize) -> Error {
        let column = None;
        let place = Place { state, action, column };
        Error::Action { place, flaw: self }
    }
}

impl<S: fmt::Debug> fmt::Display for Flaw<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cost { cost } => write!(f, "its cost is {}, and must be a finite number", text(*cost)),
            Self::CostOverflow => write!(
                f,
                "its cost is more than the type of the costs holds; take a wider type, or smaller costs"
            ),
            Self::Move { weight, to, value } => write!(
                f,
                "its {weight} of leading to state {to:?} is {}, and must be a finite number and not negative",
                text(*value)
            ),
            Self::NoSuchState { to, len } => write!(
                f,
                "it leads to state {to:?}, which does not exist: there are {len} states, counted from 0"
            ),
            Self::ProbabilitySum { deficit } => write!(
                f,
                "its probabilities add up to {}, and must add up to 1 (deficit {deficit:e})",
                text(1.0 - deficit)
            ),
            Self::RateSum => write!(
                f,
                "its rates add up to more than a float holds; use another unit of time"
            ),
            Self::RateLost { to, rate, largest } => write!(
                f,
                "its rate of leading to state {to:?} is {}, and too small for floats beside the largest rate out of a state, which is {}; use fractions",
                text(*rate),
                text(*largest)
            ),
            Self::Total => write!(
                f,
                "its cost and the values of the states that it leads to add up to no finite number; use costs or values of another size"
            ),
            Self::Chance { chance } => write!(
                f,
                "the chance with which a policy draws it is {}, and must be a finite number and not negative",
                text(*chance)
            ),
            Self::LimitWeight { limit, weight } => write!(
                f,
                "its weight in limit {limit} is {}, and must be a finite number",
                text(*weight)
            ),
            Self::Unseen { to, value, least } => write!(
                f,
                "its probability of leading to state {to:?} is {}, and must be 0 or at least {} in a linear program of the long run, whose simplex method does not see less",
                text(*value),
                text(*least)
            ),
        }
    }
}

/// Refuses a cost that is no number.
pub(super) fn check_cost<T: Scalar, S>(cost: &T) -> Result<(), Flaw<S>> {
    match cost.is_number() {
        true => Ok(()),
        false => Err(Flaw::Cost { cost: cost.to_float() }),
    }
}

/// Refuses what is no probability or rate.
pub(super) fn check_move<T: Scalar, S>(weight: Weight, to: S, value: &T) -> Result<(), Flaw<S>> {
    // By comparison: the sign of -0.0 is that of negative numbers.
    if value.is_number() && *value >= T::zero() {
        return Ok(());
    }
    let value = value.to_float();
    Err(Flaw::Move { weight, to, value })
}

/// Refuses probabilities of an action that do not add up to one.
pub(super) fn check_sum<'a, T: Scalar>(moves: impl Iterator<Item = (usize, &'a T)>) -> Result<(), Flaw> {
    let mut sum = T::zero();
    for (_, value) in moves {
        sum += value;
    }
    let deficit = T::one() - sum;
    if is_rounding(&deficit) {
        return Ok(());
    }
    let deficit = deficit.to_float();
    Err(Flaw::ProbabilitySum { deficit })
}
