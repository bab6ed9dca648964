//! What can be wrong with the rule of a process that is explored.

use core::fmt;

/// Why a rule makes no decision process. States and actions are named as the rule names them: numbers of states would
/// mean nothing to those who have not seen them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RuleError<S, A> {
    /// A state has no action.
    NoAction {
        /// The state.
        state: S,
    },
    /// Two actions of a state have one name, so that a policy would not say which one it takes.
    RepeatedAction {
        /// The state.
        state: S,
        /// The name.
        action: A,
    },
    /// A cost is NaN or infinite.
    BadCost {
        /// The state.
        state: S,
        /// The action.
        action: A,
        /// Its cost.
        cost: f64,
    },
    /// A probability or a rate is negative, NaN or infinite.
    BadMove {
        /// The state.
        state: S,
        /// The action.
        action: A,
        /// The state it leads to.
        to: S,
        /// The probability or rate.
        value: f64,
    },
    /// The probabilities of an action do not add up to one: they miss it by more than 1e-9 where numbers are floats, at all
    /// where they are exact.
    RowSum {
        /// The state.
        state: S,
        /// The action.
        action: A,
        /// One less the sum.
        deficit: f64,
    },
    /// The rates of an action add up to more than a float holds.
    RateSum {
        /// The state.
        state: S,
        /// The action.
        action: A,
    },
    /// A policy takes an action that a state does not have.
    UnknownAction {
        /// The state.
        state: S,
        /// The action.
        action: A,
    },
    /// More states or transitions than the caller allowed.
    TooLarge {
        /// What there is too much of: `"states"` or `"transitions"`.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
}

impl<S: fmt::Debug, A: fmt::Debug> fmt::Display for RuleError<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAction { state } => write!(f, "state {state:?} has no action"),
            Self::RepeatedAction { state, action } => write!(f, "state {state:?} has two actions {action:?}"),
            Self::BadCost { state, action, cost } => write!(
                f,
                "the cost of action {action:?} in state {state:?} is {cost}, and must be a finite number"
            ),
            Self::BadMove {
                state,
                action,
                to,
                value,
            } => write!(
                f,
                "action {action:?} leads from state {state:?} to {to:?} with {value}, which must be a finite number and not negative"
            ),
            Self::RowSum { state, action, deficit } => write!(
                f,
                "the probabilities of action {action:?} in state {state:?} add up to {}, and must add up to 1 (deficit {deficit:e})",
                1.0 - deficit
            ),
            Self::RateSum { state, action } => write!(
                f,
                "the rates of action {action:?} in state {state:?} add up to more than a float holds; use another unit of time"
            ),
            Self::UnknownAction { state, action } => write!(f, "state {state:?} has no action {action:?}"),
            Self::TooLarge { what, limit } => write!(f, "more {what} than the limit of {limit}"),
        }
    }
}

impl<S: fmt::Debug, A: fmt::Debug> core::error::Error for RuleError<S, A> {}
