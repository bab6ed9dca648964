//! What keeps a pool from being written.

use std::error::Error;
use std::fmt;
use std::io;

use crate::quoted::quoted;

/// Why a pool cannot be written as CSV: [`Pool::read_csv`](crate::Pool::read_csv) would refuse it, or make something else
/// of it. It happens to players made in code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unwritable {
    /// Nobody is in the pool, and a file has at least one player.
    NoPlayers,
    /// A text would be read as something else.
    Field {
        /// Whose.
        id: String,
        /// Name of the column.
        column: &'static str,
        /// The text.
        found: String,
        /// What is in the way.
        problem: FieldProblem,
    },
    /// A player would take a longer line than is read.
    LongRecord {
        /// Who.
        id: String,
        /// Most bytes of a record.
        limit: usize,
    },
}

/// Why a text would be read as something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldProblem {
    /// It is empty, which is read as none.
    Empty,
    /// It begins or ends with space, which is not read.
    OuterSpace,
    /// It has a `;` or `|`, which separate what stands in a list.
    Separator,
}

impl fmt::Display for FieldProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "is empty, which is read as none; leave it out"),
            Self::OuterSpace => write!(f, "begins or ends with space, which is not read; trim it"),
            Self::Separator => write!(
                f,
                "has a `;` or `|`, which separate what stands in this column; choose another name"
            ),
        }
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlayers => write!(f, "the pool has no players; a file needs at least one"),
            Self::Field {
                id,
                column,
                found,
                problem,
            } => write!(
                f,
                "column {column}, player {id}: {found} {problem}",
                id = quoted(id),
                found = quoted(found)
            ),
            Self::LongRecord { id, limit } => write!(
                f,
                "player {id}: the line would have more than {limit} bytes; shorten the lists",
                id = quoted(id)
            ),
        }
    }
}

impl Error for Unwritable {}

impl From<Unwritable> for io::Error {
    fn from(unwritable: Unwritable) -> Self {
        Self::new(io::ErrorKind::InvalidInput, unwritable)
    }
}
