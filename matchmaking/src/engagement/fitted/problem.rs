//! What can be wrong with the file of a model.

use std::fmt;

use crate::quoted::quoted;
use crate::said::said;
use crate::written::number_text;

/// Why a file holds no model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ModelProblem {
    /// It is not JSON, or a key is missing, unknown or of the wrong kind.
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the reader says.
        message: String,
    },
    /// It is something else than a model, or one of another version.
    Schema {
        /// What it says it is.
        found: String,
    },
    /// A feature that this version does not know.
    UnknownFeature {
        /// Its name.
        name: String,
    },
    /// A feature that stands there twice.
    DuplicateFeature {
        /// Its name.
        name: String,
    },
    /// Ratings of a system that this version does not know.
    UnknownSystem {
        /// Its name.
        name: String,
    },
    /// A number that makes no sense.
    Number {
        /// Where it stands, such as `draws.share` or `features[3].mean`.
        key: String,
        /// What stands there.
        found: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// Columns of states other than those that there are.
    StateColumns,
    /// A state with a letter other than `W`, `D`, `L` among the outcomes.
    StateOutcome {
        /// Position of the state, from 0.
        state: usize,
        /// The letter.
        found: char,
    },
    /// A state with more times of games than outcomes.
    StateHours {
        /// Position of the state, from 0.
        state: usize,
        /// How many times.
        hours: usize,
        /// How many outcomes.
        outcomes: usize,
    },
}

impl fmt::Display for ModelProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json { line, column, message } => write!(
                f,
                "line {line}, column {column}: {}; a model is what `matchmaking fit -o` writes",
                said(message)
            ),
            Self::Schema { found } => write!(
                f,
                "the schema is {found}; this program reads \"matchmaking/model/1\", which `matchmaking fit -o` writes",
                found = quoted(found)
            ),
            Self::UnknownFeature { name } => {
                write!(
                    f,
                    "feature {} is unknown; fit the model anew with this version",
                    quoted(name)
                )
            }
            Self::DuplicateFeature { name } => write!(f, "feature {} stands there twice; keep one", quoted(name)),
            Self::UnknownSystem { name } => {
                write!(
                    f,
                    "rating system {} is unknown; this version knows \"glicko\"",
                    quoted(name)
                )
            }
            Self::Number { key, found, expected } => {
                write!(f, "{key} is {}; it must be {expected}", number_text(*found))
            }
            Self::StateColumns => write!(
                f,
                "states.columns must be rating, deviation, outcomes, games_8h, games_1d, games_1w, games_1m, hours, in this order"
            ),
            Self::StateOutcome { state, found } => write!(
                f,
                "states.rows[{state}]: {found:?} among the outcomes; write W, D or L, newest last"
            ),
            Self::StateHours { state, hours, outcomes } => write!(
                f,
                "states.rows[{state}][7]: {hours} hours for {outcomes} outcomes; write those since each of these games; older \
                 ones may be left out"
            ),
        }
    }
}

impl std::error::Error for ModelProblem {}
