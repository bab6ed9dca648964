//! What can be wrong with a graph file, and the line it is on.

use std::fmt;

use crate::cli::decimal::{Decimal, DecimalError};
use crate::cli::text::counted;

/// The first thing that is wrong with a graph file.
#[derive(Debug, PartialEq)]
pub(crate) struct GraphError {
    /// Line, from 1.
    pub(crate) line: u64,
    pub(crate) problem: Problem,
}

/// What is wrong. Vertices are named as the file counts them.
#[derive(Debug, PartialEq)]
pub(crate) enum Problem {
    Read {
        message: String,
    },
    LongLine {
        limit: usize,
    },
    Empty {
        expected: &'static str,
    },
    Header {
        expected: &'static str,
        found: String,
    },
    TooManyVertices {
        found: String,
        limit: usize,
    },
    Fields {
        expected: String,
        found: usize,
    },
    Unexpected {
        expected: &'static str,
        found: String,
    },
    Vertex {
        found: String,
    },
    OutOfRange {
        vertex: u64,
        len: usize,
        first: usize,
    },
    SelfLoop {
        vertex: usize,
    },
    Parallel {
        u: usize,
        v: usize,
        first_line: u64,
    },
    Weight {
        found: String,
        cause: DecimalError,
    },
    NotAnInteger {
        found: String,
    },
    CutOff {
        expected: u64,
        found: u64,
        what: &'static str,
    },
    Trailing {
        expected: u64,
        what: &'static str,
        found: String,
    },
    Asymmetric {
        row: usize,
        col: usize,
        here: String,
        there: String,
    },
    NoMirror {
        row: usize,
        col: usize,
    },
    NotSquare {
        rows: String,
        cols: String,
    },
    NoSize,
    Crossed {
        group: usize,
        least: usize,
        most: usize,
    },
    DoNotAddUp {
        len: usize,
        least: usize,
        most: usize,
    },
    Unsupported {
        found: String,
        accepted: &'static str,
    },
}

impl Problem {
    /// A weight that cannot be used.
    pub(crate) fn weight(found: &[u8], cause: DecimalError) -> Self {
        Self::Weight {
            found: excerpt(found),
            cause,
        }
    }

    /// Two entries of a symmetric matrix that differ; `None` stands for a forbidden pair.
    pub(crate) fn asymmetric(row: usize, col: usize, here: Option<Decimal>, there: Option<Decimal>) -> Self {
        let text = |entry: Option<Decimal>| entry.map_or("-".to_owned(), |decimal| decimal.to_string());
        Self::Asymmetric {
            row,
            col,
            here: text(here),
            there: text(there),
        }
    }
}

/// Bytes for a message: short, and readable whatever they are.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < bytes.len() && text.chars().count() > LONGEST {
        short.push('…');
    }
    short
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { message } => write!(f, "cannot be read: {message}"),
            Self::LongLine { limit } => write!(
                f,
                "no end of the line within {limit} bytes; write one row, edge or entry a line"
            ),
            Self::Empty { expected } => write!(f, "the file is empty; expected {expected}"),
            Self::Header { expected, found } => write!(f, "{found:?} is no header; expected {expected}"),
            Self::TooManyVertices { found, limit } => write!(f, "{found} vertices; at most {limit} are accepted"),
            Self::Fields { expected, found } => {
                write!(f, "{}; expected {expected}", counted(*found, "field"))
            }
            Self::Unexpected { expected, found } => write!(f, "{found:?}; expected {expected}"),
            Self::Vertex { found } => write!(f, "{found:?} is no vertex; vertices are whole numbers"),
            Self::OutOfRange { vertex, len: 0, .. } => write!(f, "vertex {vertex} in a graph without vertices"),
            Self::OutOfRange { vertex, len, first } => write!(
                f,
                "there is no vertex {vertex}; this format counts from {first}, so vertices are {first} to {}",
                len - 1 + first
            ),
            Self::SelfLoop { vertex } => {
                write!(f, "an edge from vertex {vertex} to itself; an edge joins two vertices")
            }
            Self::Parallel { u, v, first_line } => write!(
                f,
                "a second edge between {u} and {v}, the first is on line {first_line}; keep the one that counts"
            ),
            Self::Weight {
                found,
                cause: DecimalError::NotANumber,
            } => {
                write!(
                    f,
                    "{found:?} is no weight; write an integer or a decimal like 12 or -0.5"
                )
            }
            Self::Weight {
                found,
                cause: DecimalError::TooWide,
            } => write!(
                f,
                "weight {found:?} does not fit: all weights together must be integers below 2^127 once multiplied by a \
                 common power of ten"
            ),
            Self::NotAnInteger { found } => write!(
                f,
                "{found:?} is no integer, which the first line says weights are; write one, or `real` there"
            ),
            Self::CutOff { expected, found, what } => {
                write!(
                    f,
                    "the file ends after {found} of {expected} {what}; it is cut off, or the header is wrong"
                )
            }
            Self::Trailing { expected, what, found } => {
                write!(
                    f,
                    "{found:?} after all {expected} {what}; remove it, or correct the header"
                )
            }
            Self::Asymmetric { row, col, here, there } => {
                write!(
                    f,
                    "entry ({row}, {col}) is {here} but entry ({col}, {row}) is {there}; costs must be symmetric"
                )
            }
            Self::NoMirror { row, col } => write!(
                f,
                "entry ({row}, {col}) without its mirror ({col}, {row}); a `general` matrix must hold both, a \
                 `symmetric` one either"
            ),
            Self::NotSquare { rows, cols } => {
                write!(f, "{rows} rows and {cols} columns; a graph needs a square matrix")
            }
            Self::NoSize => write!(f, "groups of 0 members; a group has at least 1"),
            Self::Crossed { group, least, most } => {
                write!(
                    f,
                    "group {group} would have at least {least} and at most {most} members"
                )
            }
            Self::DoNotAddUp { len, least, most } => {
                write!(f, "{len} elements, but the groups hold from {least} to {most} together")
            }
            Self::Unsupported { found, accepted } => write!(f, "{found:?} is not accepted; {accepted}"),
        }
    }
}
