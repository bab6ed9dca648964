//! What can be wrong with a pool or a model.

use std::fmt;
use std::io;

use crate::engagement::ModelProblem;

/// Where a player stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Line of a file, from 1.
    Line(u64),
    /// Position in a list of players, from 0.
    Position(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Position(position) => write!(f, "player at position {position}"),
        }
    }
}

/// What is wrong with a number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NumberProblem {
    /// Not a number at all, or NaN.
    NotANumber,
    /// Infinite.
    Infinite,
    /// Below zero where that makes no sense.
    Negative,
    /// Not between the limits of a rating.
    OutOfRange {
        /// Greatest absolute value accepted.
        limit: f64,
    },
    /// Too large, where nothing is below zero.
    TooLarge {
        /// Greatest value accepted.
        limit: f64,
    },
    /// Not a whole number from 0 to 4,294,967,295.
    NotACount,
    /// More hours since a game than since the one before it.
    OutOfOrder,
}

impl fmt::Display for NumberProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber => write!(f, "is not a number; write one like 1500 or 1487.5"),
            Self::Infinite => write!(f, "is infinite; write a finite number"),
            Self::Negative => write!(f, "is negative; it must be 0 or more"),
            Self::OutOfRange { limit } => write!(f, "is out of range; it must lie between -{limit} and {limit}"),
            Self::TooLarge { limit } => write!(f, "is too large; it must lie between 0 and {limit}"),
            Self::OutOfOrder => write!(
                f,
                "is more than for the game before it; write the hours since each game, newest game last"
            ),
            Self::NotACount => write!(f, "is not a count; write a whole number from 0 to {}", u32::MAX),
        }
    }
}

/// Why there is no pool, or no cost.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read.
    Read {
        /// Kind of the failure.
        kind: io::ErrorKind,
        /// What the system said.
        message: String,
    },
    /// There is not even a header line.
    Empty,
    /// There is a header line and nothing else.
    NoPlayers,
    /// A column that every pool needs is missing.
    MissingColumn {
        /// Its name.
        column: &'static str,
    },
    /// Two columns have the same name.
    DuplicateColumn {
        /// The name.
        column: String,
        /// Position of the first, from 1.
        first: usize,
        /// Position of the second, from 1.
        second: usize,
    },
    /// A field, or a name in the header, is not UTF-8.
    NotUtf8 {
        /// Line, from 1.
        line: u64,
        /// Name of the column, or its position from 1 in the header.
        column: String,
    },
    /// A line has more or fewer fields than the header.
    WrongFieldCount {
        /// Line, from 1.
        line: u64,
        /// Fields in the header.
        expected: usize,
        /// Fields in the line.
        found: usize,
    },
    /// A player has no id.
    EmptyId {
        /// Where.
        place: Place,
    },
    /// Two players have the same id.
    DuplicateId {
        /// The id.
        id: String,
        /// Where it is used again.
        place: Place,
        /// Where it was used first.
        first: Place,
    },
    /// A number is missing or makes no sense.
    BadNumber {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// Name of the column.
        column: &'static str,
        /// What stands there.
        found: String,
        /// What is wrong with it.
        problem: NumberProblem,
    },
    /// A letter other than `W`, `D`, `L` among the outcomes.
    BadOutcome {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// Position of the letter, from 1.
        position: usize,
        /// The letter.
        found: char,
    },
    /// A player avoids somebody who is not in the pool.
    UnknownAvoid {
        /// Where.
        place: Place,
        /// Who avoids.
        id: String,
        /// Who is avoided.
        avoided: String,
    },
    /// A player avoids the player's own id.
    AvoidsSelf {
        /// Where.
        place: Place,
        /// Who.
        id: String,
    },
    /// More players than a caller's limit.
    TooManyPlayers {
        /// Where the first player too many stands.
        place: Place,
        /// The limit.
        limit: usize,
    },
    /// A churn model gave something that is not a probability.
    NotAProbability {
        /// For whom.
        id: String,
        /// What it gave.
        found: f64,
    },
    /// A file holds no fitted model.
    Model(ModelProblem),
}

impl From<ModelProblem> for Error {
    fn from(problem: ModelProblem) -> Self {
        Self::Model(problem)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { message, .. } => write!(f, "cannot be read: {message}"),
            Self::Empty => write!(
                f,
                "line 1: the file is empty; it needs a header line `id,rating,deviation,outcomes`"
            ),
            Self::NoPlayers => write!(f, "line 2: there is a header and no player; write one player a line"),
            Self::MissingColumn { column } => write!(
                f,
                "line 1: column `{column}` is missing; a pool needs id, rating, deviation and outcomes"
            ),
            Self::DuplicateColumn { column, first, second } => write!(
                f,
                "line 1: column {column:?} appears twice, as columns {first} and {second}; keep one"
            ),
            Self::NotUtf8 { line, column } => {
                write!(f, "line {line}, column {column}: not UTF-8; save the file as UTF-8")
            }
            Self::WrongFieldCount { line, expected, found } => {
                let cause = if found < expected {
                    "the line is cut off, or a comma is missing"
                } else {
                    "a comma too many"
                };
                write!(
                    f,
                    "line {line}: {found} fields where the header has {expected}; {cause}"
                )
            }
            Self::EmptyId { place } => write!(f, "{place}, column id: the id is empty; every player needs one"),
            Self::DuplicateId { id, place, first } => write!(
                f,
                "{place}, column id: player {id:?} is there already ({first}); ids must be unique"
            ),
            Self::BadNumber {
                place,
                id,
                column,
                found,
                problem,
            } => {
                write!(f, "{place}, column {column}, player {id:?}: {found:?} {problem}")
            }
            Self::BadOutcome {
                place,
                id,
                position,
                found,
            } => write!(
                f,
                "{place}, column outcomes, player {id:?}: {found:?} at position {position}; write W, D or L, newest last"
            ),
            Self::UnknownAvoid { place, id, avoided } => write!(
                f,
                "{place}, column avoid, player {id:?}: nobody has the id {avoided:?}; separate ids by `;` or `|`"
            ),
            Self::AvoidsSelf { place, id } => write!(
                f,
                "{place}, column avoid, player {id:?}: the player's own id; name other players"
            ),
            Self::TooManyPlayers { place, limit } => write!(
                f,
                "{place}: more than {limit} players; split the pool, for example by region or rating"
            ),
            Self::NotAProbability { id, found } => write!(
                f,
                "player {id:?}: the churn model gives {found}, which is not a probability from 0 to 1"
            ),
            Self::Model(problem) => write!(f, "{problem}"),
        }
    }
}

impl std::error::Error for Error {}
