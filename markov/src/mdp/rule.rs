//! What can be wrong with the rule of a process that is explored.

use core::fmt;

use crate::mdp::flaw::Flaw;

/// Actions that are named in a message, at most.
const SHOWN: usize = 10;

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
        /// Which of its actions they are, from zero, as the rule lists them.
        numbers: [usize; 2],
    },
    /// A number of an action is not what it may be.
    Action {
        /// The state.
        state: S,
        /// The action.
        action: A,
        /// Which of the actions of its state it is, from zero, as the rule lists them.
        number: usize,
        /// Which number, and what it is.
        flaw: Flaw<S>,
    },
    /// A policy takes an action that a state does not have.
    UnknownAction {
        /// The state.
        state: S,
        /// The action.
        action: A,
        /// Those that it has.
        actions: Vec<A>,
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
            Self::RepeatedAction { state, action, numbers } => write!(
                f,
                "actions {} and {} of state {state:?} are both called {action:?}; each needs a name of its own",
                numbers[0], numbers[1]
            ),
            Self::Action {
                state,
                action,
                number,
                flaw,
            } => write!(f, "action {action:?} (number {number}) of state {state:?}: {flaw}"),
            Self::UnknownAction { state, action, actions } => {
                write!(f, "state {state:?} has no action {action:?}; it has")?;
                for (at, name) in actions.iter().take(SHOWN).enumerate() {
                    write!(f, "{} {name:?}", if at == 0 { "" } else { "," })?;
                }
                match actions.len().checked_sub(SHOWN) {
                    None | Some(0) => Ok(()),
                    Some(more) => write!(f, " and {more} more"),
                }
            }
            Self::TooLarge { what, limit } => write!(f, "more {what} than the limit of {limit}"),
        }
    }
}

impl<S: fmt::Debug, A: fmt::Debug> core::error::Error for RuleError<S, A> {}
