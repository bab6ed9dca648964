//! What can be wrong with a chain, a process or a question about it.

use core::fmt;

use crate::budget::Stopped;
use crate::mdp::{Flaw, Place};
use crate::scalar::Scalar;

/// Why there is no answer. States are named by their indices.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Error {
    /// There are no states.
    NoStates,
    /// A matrix of rates or probabilities is not square.
    NotSquare {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// A probability, rate or cost is NaN or infinite, or what follows from them is too large for a float.
    NotANumber {
        /// State.
        from: usize,
        /// The state it leads to; the same for a cost, and for what is out of range in sum.
        to: usize,
    },
    /// A probability or a rate between different states is negative.
    Negative {
        /// State.
        from: usize,
        /// The state it leads to.
        to: usize,
        /// The value.
        value: f64,
    },
    /// The probabilities out of a state do not add up to one.
    RowSum {
        /// State.
        state: usize,
        /// One less the sum.
        deficit: f64,
    },
    /// The chain has more than one closed class, so that there is more than one stationary distribution.
    Reducible {
        /// The closed classes, each with its states in rising order.
        classes: Vec<Vec<usize>>,
    },
    /// A state that was to be in a closed class is left for good some time.
    Transient {
        /// The state.
        state: usize,
    },
    /// Numbers that were to be a distribution have a negative one or no number among them, or do not add up to one.
    NotADistribution {
        /// One less the sum.
        deficit: f64,
        /// The first state whose value is negative or no number, if there is one.
        wrong: Option<usize>,
    },
    /// What flows into a state and out of it differs by more than a result says, or than floats explain.
    Unbalanced {
        /// The state where that is worst.
        state: usize,
        /// What flows into it.
        inflow: f64,
        /// What flows out of it.
        outflow: f64,
    },
    /// A value of a result is further from the true one than the result says.
    OutOfBound {
        /// The state that it belongs to, or that is furthest off where all of them are together.
        state: usize,
        /// How far off it is, or all of them are.
        error: f64,
        /// How far off it may be.
        bound: f64,
    },
    /// From some state the target is reached with a probability below one, so that moments are infinite.
    Unreachable {
        /// Such a state.
        state: usize,
    },
    /// A list has the wrong length.
    LengthMismatch {
        /// What it lists.
        what: &'static str,
        /// Entries that were expected.
        expected: usize,
        /// Entries there are.
        found: usize,
    },
    /// A list names a state that does not exist.
    StateOutOfRange {
        /// The state.
        state: usize,
        /// Number of states.
        len: usize,
    },
    /// A state of a decision process has no action.
    NoAction {
        /// The state.
        state: usize,
    },
    /// A number of an action of a decision process is not what it may be.
    Action {
        /// Which action.
        place: Place,
        /// Which number, and what it is.
        flaw: Flaw,
    },
    /// A policy takes an action that a state does not have.
    ActionOutOfRange {
        /// The state.
        state: usize,
        /// The action.
        action: usize,
        /// Number of actions of that state.
        actions: usize,
    },
    /// A parameter lies outside of what it may be.
    Parameter {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// More states or transitions than the caller allowed.
    TooLarge {
        /// What there is too much of, such as `"states"`, `"transitions"`, `"steps"`, or `"entries"` of an elimination.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// Rates differ by so much that probabilities on the way leave the range of floats, and nothing would be known of
    /// the result; fractions have no such limit.
    PrecisionLost,
    /// An infinite chain that drifts away, and has no stationary distribution.
    Unstable {
        /// Mean drift per step of its levels, upwards; not negative.
        drift: f64,
    },
    /// An average-cost solver for processes with one recurrent class met a policy with more.
    Multichain {
        /// A state of each closed class under that policy.
        representatives: Vec<usize>,
    },
    /// A limit on iterations was reached before the tolerance.
    NotConverged {
        /// Iterations.
        iterations: usize,
        /// The best iterate.
        best: Vec<f64>,
        /// Bounds of the answer, if that is one number of which the method has bounds, lower and upper.
        bounds: Option<(f64, f64)>,
        /// How far the answer may be from each number of the best iterate, if the method knows.
        radius: Option<f64>,
    },
    /// The budget of a solve was spent, or somebody cancelled, before it came to its end. It carries what there is so far,
    /// and what is known of it.
    Stopped(Box<Stopped>),
    /// A check found that a gain or a value of a solution is not what the policy makes it.
    NotOfPolicy {
        /// `"gain"` or `"value"`.
        what: &'static str,
        /// The first state where it is not.
        state: usize,
    },
    /// A check found an action that is better than that of the policy.
    NotLeast {
        /// The first state where there is one.
        state: usize,
        /// The action.
        action: usize,
    },
    /// A rule of a lobby matched a party that is not there, or one twice.
    WrongPlace {
        /// The place of the party.
        place: usize,
        /// Number of parties in the lobby, the one that has just arrived among them.
        parties: usize,
    },
    /// An entry of a matrix lies outside of it.
    EntryOutOfRange {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// Number of rows; as many as came before where that is all there is to know.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// No policy is within all limits of a linear program.
    Infeasible,
    /// The simplex method gave a linear program up, or found a policy that breaks a limit, because of numbers of too
    /// different sizes, or it went in circles.
    LinearProgram,
}

impl Error {
    /// The same where the best iterate, and what is known of each number of it, is counted in a unit so many times as
    /// large, and numbers may be off by such a `part` of the largest one besides.
    pub(crate) fn in_units(mut self, unit: f64, part: f64) -> Self {
        let (best, radius) = match &mut self {
            Self::NotConverged { best, radius, .. } => (best, radius),
            Self::Stopped(stopped) => (&mut stopped.best, &mut stopped.radius),
            _ => return self,
        };
        best.iter_mut().for_each(|value| *value /= unit);
        let largest = best.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let in_units = radius
            .map(|radius| radius / unit)
            .map(|radius| (radius + (largest + radius) * part).next_up());
        *radius = in_units.filter(|radius| radius.is_finite());
        if !largest.is_finite() {
            best.clear();
        }
        self
    }
}

/// Refuses a list of the wrong length.
pub(crate) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(Error::LengthMismatch { what, expected, found })
}

/// Refuses values of states that are NaN or infinite.
pub(crate) fn check_numbers<T: Scalar>(values: &[T]) -> Result<(), Error> {
    match values.iter().position(|value| !value.is_number()) {
        Some(state) => Err(Error::NotANumber { from: state, to: state }),
        None => Ok(()),
    }
}

/// A number in as few digits as say which it is, with an exponent where it would be a row of zeros else.
pub(crate) fn text(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || !size.is_finite() || (1e-6..1e15).contains(&size) {
        number.to_string()
    } else {
        format!("{number:e}")
    }
}

/// What is known of an answer that was not found.
fn write_known(f: &mut fmt::Formatter<'_>, bounds: Option<(f64, f64)>, radius: Option<f64>) -> fmt::Result {
    if let Some((lower, upper)) = bounds {
        write!(f, "; the answer lies between {} and {}", text(lower), text(upper))?;
    }
    if let Some(radius) = radius {
        write!(f, "; each value so far is within {} of the answer", text(radius))?;
    }
    Ok(())
}

/// The first few states, of which there may be as many as the chain has.
fn write_members<'a>(f: &mut fmt::Formatter<'_>, states: impl Iterator<Item = &'a usize>) -> fmt::Result {
    for (at, state) in states.take(5).enumerate() {
        write!(f, "{} {state}", if at == 0 { "states" } else { "," })?;
    }
    Ok(())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStates => write!(f, "there are no states"),
            Self::NotSquare { rows, columns } => {
                write!(
                    f,
                    "the matrix has {rows} rows and {columns} columns, and must be square"
                )
            }
            Self::NotANumber { from, to } if from == to => write!(
                f,
                "a value of state {from}, or what its values add up to, is not a finite number"
            ),
            Self::NotANumber { from, to } => {
                write!(f, "the value from state {from} to state {to} is not a finite number")
            }
            Self::Negative { from, to, value } => {
                write!(
                    f,
                    "the value from state {from} to state {to} is {}, and must not be negative",
                    text(*value)
                )
            }
            Self::RowSum { state, deficit } => write!(
                f,
                "the probabilities out of state {state} add up to {}, and must add up to 1 (deficit {deficit:e})",
                text(1.0 - deficit)
            ),
            Self::Reducible { classes } => {
                write!(f, "the chain has {} closed classes, of which ", classes.len())?;
                write_members(f, classes.iter().filter_map(|class| class.first()))?;
                write!(f, " are members; choose one of them, or start distributions")
            }
            Self::Transient { state } => write!(f, "state {state} is transient, and in no closed class"),
            Self::NotADistribution { deficit, wrong } => match wrong {
                Some(state) => write!(f, "the probability of state {state} is negative or not a finite number"),
                None => write!(f, "the probabilities miss 1 by {deficit:e}"),
            },
            Self::Unbalanced { state, inflow, outflow } => write!(
                f,
                "{} flows into state {state} and {} out of it: the result is not balanced as it says, or of another chain",
                text(*inflow),
                text(*outflow)
            ),
            Self::OutOfBound { state, error, bound } => write!(
                f,
                "the result is off by {error:e}, at state {state} above all, and was to be by {bound:e} at most: it is of another chain or question, or wrong"
            ),
            Self::Unreachable { state } => {
                write!(f, "from state {state} the target is reached with a probability below 1")
            }
            Self::LengthMismatch { what, expected, found } => {
                write!(f, "{found} {what} were given for {expected}")
            }
            Self::StateOutOfRange { state, len } => {
                write!(f, "state {state} does not exist, there are {len}, counted from 0")
            }
            Self::NoAction { state } => write!(f, "state {state} has no action"),
            Self::Action { place, flaw } => write!(f, "{place}: {flaw}"),
            Self::ActionOutOfRange { state, action, actions } => {
                write!(
                    f,
                    "state {state} has no action {action}, it has {actions}, counted from 0"
                )
            }
            Self::Parameter { name, value, expected } => {
                write!(f, "{name} is {}, and must be {expected}", text(*value))
            }
            Self::TooLarge { what, limit } => write!(f, "more {what} than the limit of {limit}"),
            Self::PrecisionLost => write!(
                f,
                "the rates differ by more than floats can: probabilities on the way come too close to zero; use fractions"
            ),
            Self::Unstable { drift } => {
                write!(
                    f,
                    "the chain is unstable: its level drifts by {} per step and must fall",
                    text(*drift)
                )
            }
            Self::Multichain { representatives } => {
                write!(f, "a policy has {} closed classes, of which ", representatives.len())?;
                write_members(f, representatives.iter())?;
                write!(
                    f,
                    " are members, and the cheapest cannot be reached from everywhere: ask for gains by state"
                )
            }
            Self::NotConverged {
                iterations,
                bounds,
                radius,
                ..
            } => {
                write!(f, "no convergence within {iterations} iterations")?;
                write_known(f, *bounds, *radius)
            }
            Self::Stopped(stopped) => {
                write!(f, "{} after {} units of work", stopped.reason, stopped.work)?;
                if stopped.iterations > 0 {
                    write!(f, " and {} iterations", stopped.iterations)?;
                }
                write_known(f, stopped.bounds, stopped.radius)
            }
            Self::NotOfPolicy { what, state } => {
                write!(f, "the {what} of state {state} is not what the policy makes it")
            }
            Self::NotLeast { state, action } => {
                write!(f, "in state {state} action {action} is better than that of the policy")
            }
            Self::WrongPlace { place, parties } => write!(
                f,
                "the rule matched place {place} of {parties} parties, which is not there or was matched before"
            ),
            Self::EntryOutOfRange {
                row,
                column,
                rows,
                columns,
            } => write!(
                f,
                "there is no row {row} or no column {column} in a matrix of {rows} rows and {columns} columns"
            ),
            Self::Infeasible => write!(f, "no policy is within all limits; loosen one of them"),
            Self::LinearProgram => write!(
                f,
                "the simplex method gave up, or broke a limit: are costs, limits, weights and probabilities of very different sizes?"
            ),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::Error;
    use crate::mdp::{Flaw, Place};

    #[test]
    fn messages_say_what_is_wrong_and_where() {
        let (state, action) = (3, 2);
        let place = Place {
            state,
            action,
            column: None,
        };
        for (error, text) in [
            (Error::NoStates, "there are no states"),
            (
                Error::NotSquare { rows: 2, columns: 3 },
                "the matrix has 2 rows and 3 columns, and must be square",
            ),
            (
                Error::NotANumber { from: 1, to: 1 },
                "a value of state 1, or what its values add up to, is not a finite number",
            ),
            (
                Error::NotANumber { from: 1, to: 0 },
                "the value from state 1 to state 0 is not a finite number",
            ),
            (
                Error::Transient { state },
                "state 3 is transient, and in no closed class",
            ),
            (
                Error::NotADistribution {
                    deficit: 0.5,
                    wrong: Some(state),
                },
                "the probability of state 3 is negative or not a finite number",
            ),
            (
                Error::NotADistribution {
                    deficit: 0.5,
                    wrong: None,
                },
                "the probabilities miss 1 by 5e-1",
            ),
            (
                Error::Unreachable { state },
                "from state 3 the target is reached with a probability below 1",
            ),
            (
                Error::LengthMismatch {
                    what: "costs",
                    expected: 4,
                    found: 5,
                },
                "5 costs were given for 4",
            ),
            (
                Error::StateOutOfRange { state, len: 2 },
                "state 3 does not exist, there are 2, counted from 0",
            ),
            (Error::NoAction { state }, "state 3 has no action"),
            (
                Error::Action {
                    place,
                    flaw: Flaw::RateSum,
                },
                "action 2 of state 3: its rates add up to more than a float holds; use another unit of time",
            ),
            (
                Error::ActionOutOfRange {
                    state,
                    action,
                    actions: 2,
                },
                "state 3 has no action 2, it has 2, counted from 0",
            ),
            (
                Error::Parameter {
                    name: "discount",
                    value: 1.5,
                    expected: "above 0 and below 1",
                },
                "discount is 1.5, and must be above 0 and below 1",
            ),
            (
                Error::TooLarge {
                    what: "states",
                    limit: 10,
                },
                "more states than the limit of 10",
            ),
            (
                Error::NotOfPolicy { what: "gain", state },
                "the gain of state 3 is not what the policy makes it",
            ),
            (
                Error::NotLeast { state, action },
                "in state 3 action 2 is better than that of the policy",
            ),
            (
                Error::EntryOutOfRange {
                    row: 1,
                    column: 4,
                    rows: 2,
                    columns: 2,
                },
                "there is no row 1 or no column 4 in a matrix of 2 rows and 2 columns",
            ),
            (Error::Infeasible, "no policy is within all limits; loosen one of them"),
        ] {
            assert_eq!(error.to_string(), text);
        }
    }

    /// Of all closed classes a state was named, however many there were.
    #[test]
    fn messages_name_a_few_states() {
        let representatives: Vec<usize> = (3..100_000).collect();
        let classes = representatives.iter().map(|&state| vec![state]).collect();
        assert_eq!(
            Error::Multichain { representatives }.to_string(),
            "a policy has 99997 closed classes, of which states 3, 4, 5, 6, 7 are members, and the cheapest cannot be \
reached from everywhere: ask for gains by state"
        );
        assert_eq!(
            Error::Reducible { classes }.to_string(),
            "the chain has 99997 closed classes, of which states 3, 4, 5, 6, 7 are members; choose one of them, or start \
             distributions"
        );
    }

    /// They had hundreds of digits.
    #[test]
    fn messages_write_numbers_short() {
        let (from, to, state) = (0, 1, 2);
        for (error, text) in [
            (
                Error::Negative {
                    from,
                    to,
                    value: -1e300,
                },
                "is -1e300, and must",
            ),
            (Error::Negative { from, to, value: -0.25 }, "is -0.25, and must"),
            (
                Error::RowSum { state, deficit: -1e300 },
                "add up to 1e300, and must add up to 1",
            ),
            (
                Error::Unbalanced {
                    state,
                    inflow: 1e300,
                    outflow: 0.0,
                },
                "1e300 flows into state 2 and 0 out of it",
            ),
            (Error::Unstable { drift: 1e-300 }, "drifts by 1e-300 per step"),
        ] {
            let message = error.to_string();
            assert!(message.contains(text), "{message}");
        }
    }
}
