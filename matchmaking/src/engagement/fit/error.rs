//! What can be wrong with a log of games.

use std::fmt;

use super::log::Skipped;
use crate::quoted::quoted;
use crate::read_error::ReadError;
use crate::written::number_text;

/// Why there is no log, or no model of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read.
    Read(ReadError),
    /// There is not even a header line.
    Empty,
    /// A column that every log needs is missing.
    MissingColumn {
        /// Line of the header, from 1.
        line: u64,
        /// What it would hold: `time`, `player_a`, ..
        column: &'static str,
        /// The name that was looked for.
        name: String,
        /// The names that there are.
        header: Vec<String>,
    },
    /// One column was said to hold two things.
    SharedColumn {
        /// Line of the header, from 1.
        line: u64,
        /// Its name.
        name: String,
        /// What it was said to hold.
        columns: [&'static str; 2],
    },
    /// A time that is none.
    BadTime {
        /// Line, from 1.
        line: u64,
        /// Name of the column.
        column: String,
        /// What stands there.
        found: String,
    },
    /// A score that is no number, or infinite.
    BadScore {
        /// Line, from 1.
        line: u64,
        /// Name of the column.
        column: String,
        /// What stands there.
        found: String,
    },
    /// A game made in code that no row of a log could be: against oneself, without a name, at no time.
    BadGame {
        /// Position in the list, from 0.
        position: usize,
    },
    /// A horizon that is no span of time: less than a microsecond, or more than a hundred years.
    BadHorizon {
        /// Seconds.
        found: f64,
    },
    /// A growth of ratings' deviations that is negative, NaN or infinite.
    BadGrowth {
        /// Rating points.
        found: f64,
    },
    /// Too little to fit a model to.
    TooLittle {
        /// What there is too little of.
        what: Needed,
        /// How much there is.
        found: usize,
        /// How much would be enough.
        needed: usize,
        /// Seconds of the horizon.
        horizon: f64,
        /// Seconds between the first and the last game.
        span: f64,
        /// Rows that were no games to learn from.
        skipped: Skipped,
    },
    /// The regression found no minimum: floats cannot tell the features apart.
    NotConverged,
}

/// What a fit needs enough of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Needed {
    /// Games after which the log goes on for the whole horizon, counted once for each of the two players.
    Observations,
    /// Players who stopped after some game.
    Stopped,
    /// Players who went on after some game.
    Stayed,
}

/// Seconds in words.
fn span(seconds: f64) -> String {
    let units = [(86_400.0, "days"), (3_600.0, "hours"), (60.0, "minutes")];
    let unit = units.into_iter().find(|&(length, _)| seconds >= 2.0 * length);
    let (length, name) = unit.unwrap_or((1.0, "seconds"));
    let number = (10.0 * seconds / length).round() / 10.0;
    format!("{number} {name}")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(source) => write!(f, "{source}"),
            Self::Empty => write!(
                f,
                "line 1: the file is empty; it needs a header line `time,player_a,player_b,score_a,score_b`"
            ),
            Self::MissingColumn {
                line,
                column,
                name,
                header,
            } => write!(
                f,
                "line {line}: column {name} is missing among {header}; name the one that holds {column}",
                name = quoted(name),
                header = quoted(&header.join(","))
            ),
            Self::SharedColumn {
                line,
                name,
                columns: [first, second],
            } => write!(
                f,
                "line {line}: column {name} cannot be both {first} and {second}; name another column for one of them",
                name = quoted(name)
            ),
            Self::BadTime { line, column, found } => write!(
                f,
                "line {line}, column {column}: {found} is no time before the year 10000; write ISO 8601 like 2004-08-06T18:13:50Z, \
                 2004-08-06 20:13:50+02:00 or 2004-08-06 18:13:50, or seconds (not milliseconds) like 1091816030",
                found = quoted(found)
            ),
            Self::BadScore { line, column, found } => {
                write!(f, "line {line}, column {column}: {found} is no score; write a number", found = quoted(found))
            }
            Self::BadGame { position } => write!(
                f,
                "game at position {position}: it needs two players with different names, and a time between the years -9999 \
                 and 9999"
            ),
            Self::BadHorizon { found } => write!(
                f,
                "a horizon of {} seconds is none; it must be at least a microsecond and no more than a hundred years",
                number_text(*found)
            ),
            Self::BadGrowth { found } => write!(
                f,
                "deviations cannot grow by {} rating points; it must be a number from 0 on",
                number_text(*found)
            ),
            Self::TooLittle {
                what: Needed::Observations,
                found,
                needed,
                horizon,
                span: log,
                skipped,
            } => write!(
                f,
                "too little to fit a model to: {found} observations, and {needed} are needed; an observation is a player after a \
                 game, with the whole horizon of {} still in the log, which spans {}; take a longer log or a shorter horizon{}",
                span(*horizon),
                span(*log),
                left_out(skipped)
            ),
            Self::TooLittle {
                what,
                found,
                needed,
                horizon,
                skipped,
                ..
            } => {
                let (who, advice) = if *what == Needed::Stopped {
                    ("stopped", "a shorter horizon")
                } else {
                    ("went on", "a longer horizon")
                };
                write!(
                    f,
                    "too little to fit a model to: {found} players {who} after some game, and {needed} are needed; the horizon \
                     is {}; take a longer log or {advice}{}",
                    span(*horizon),
                    left_out(skipped)
                )
            }
            Self::NotConverged => f.write_str(
                "the regression of who stops did not converge: the players' histories are too much alike to tell their effects \
                 apart; take a longer log or another horizon",
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(source) => Some(source),
            _ => None,
        }
    }
}

impl From<ReadError> for Error {
    fn from(source: ReadError) -> Self {
        Self::Read(source)
    }
}

/// What rows were skipped, to go on with after a message; empty if none were.
fn left_out(skipped: &Skipped) -> String {
    let rows = skipped.reasons().into_iter().filter(|&(rows, _)| rows > 0);
    let rows: Vec<String> = rows.map(|(rows, what)| format!("{rows} {what}")).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!("; rows skipped: {}", rows.join(", "))
}
