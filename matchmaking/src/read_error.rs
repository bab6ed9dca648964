//! What keeps any input from being read.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::quoted::quoted;
use crate::said::said_name;

/// What kept an input from being read. Two are equal where they are of the same kind and say the same.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The system fails.
    System {
        /// What it says.
        source: Arc<io::Error>,
    },
    /// In CSV, a quote opens a field that goes on until the file ends.
    OpenQuote {
        /// Line that the record begins on, from 1.
        line: u64,
    },
    /// In CSV, a record is longer than any can be.
    LongRecord {
        /// Line that the record begins on, from 1.
        line: u64,
        /// Most bytes of a record.
        limit: usize,
    },
    /// In CSV, a field, or a name in the header, is not UTF-8.
    NotUtf8 {
        /// Line, from 1.
        line: u64,
        /// Name of the column, or its position from 1 in the header.
        column: String,
    },
    /// In CSV, a column that is needed stands there twice.
    DuplicateColumn {
        /// Line of the header, from 1.
        line: u64,
        /// The name.
        column: String,
        /// Position of the first, from 1.
        first: usize,
        /// Position of the second, from 1.
        second: usize,
    },
    /// In CSV, a column that is needed is not there, and one is that has its name in other letters, capitals or small ones.
    OtherCase {
        /// Line of the header, from 1.
        line: u64,
        /// The name.
        column: String,
        /// What stands there.
        found: String,
    },
    /// In CSV, the header is a single name, and has a semicolon or a tab in it.
    OtherSeparator {
        /// Line of the header, from 1.
        line: u64,
        /// What separates the names.
        separator: char,
    },
    /// In CSV, a line has more or fewer fields than the header.
    WrongFieldCount {
        /// Line, from 1.
        line: u64,
        /// Fields in the header.
        expected: usize,
        /// Fields in the line.
        found: usize,
    },
}

impl ReadError {
    /// What kind of failure it is.
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            Self::System { source } => source.kind(),
            Self::OpenQuote { .. }
            | Self::LongRecord { .. }
            | Self::NotUtf8 { .. }
            | Self::DuplicateColumn { .. }
            | Self::OtherCase { .. }
            | Self::OtherSeparator { .. }
            | Self::WrongFieldCount { .. } => io::ErrorKind::InvalidData,
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::System {
            source: Arc::new(error),
        }
    }
}

impl PartialEq for ReadError {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.to_string() == other.to_string()
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System { source } => write!(f, "cannot be read: {source}"),
            Self::OpenQuote { line } => write!(
                f,
                "line {line}: a quote opens a field here that is not closed before the file ends; close it, or write \"\" for a \
                 quote within quotes"
            ),
            Self::LongRecord { line, limit } => write!(
                f,
                "line {line}: a line begins here that does not end within {limit} bytes; end it, or close its quotes, if this \
                 is CSV at all"
            ),
            Self::NotUtf8 { line, column } => {
                let column = said_name(column);
                write!(f, "line {line}, column {column}: not UTF-8; save the file as UTF-8")
            }
            Self::DuplicateColumn {
                line,
                column,
                first,
                second,
            } => write!(
                f,
                "line {line}: column {column} appears twice, as columns {first} and {second}; keep one",
                column = quoted(column)
            ),
            Self::OtherCase { line, column, found } => write!(
                f,
                "line {line}: column `{column}` is missing; there is {found}, and capitals make another name: rename it",
                found = quoted(found)
            ),
            Self::OtherSeparator { line, separator } => {
                let found = if *separator == '\t' { "tabs" } else { "semicolons" };
                write!(
                    f,
                    "line {line}: {found} where commas should separate the columns; save the file as CSV with commas, and \
                     numbers like 0.5"
                )
            }
            Self::WrongFieldCount { line, expected, found } => {
                let cause = if found < expected {
                    "the line is cut off, or a comma is missing"
                } else {
                    "a comma too many, or a field with a comma that needs quotes"
                };
                let noun = if *found == 1 { "field" } else { "fields" };
                write!(
                    f,
                    "line {line}: {found} {noun} where the header has {expected}; {cause}"
                )
            }
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::System { source } => Some(source.as_ref()),
            _ => None,
        }
    }
}
