//! What can be wrong with a pool or a model.

use std::fmt;

use crate::engagement::ModelProblem;
use crate::pool::{GamesProblem, PinProblem};
use crate::quoted::quoted;
use crate::read_error::ReadError;
use crate::written::number_text;

/// Where a player stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// Line of a file, from 1.
    Line(u64),
    /// Position in a list of players, from 0.
    Position(usize),
}

impl Place {
    /// Where the player at a position stands, by the lines of all, or none of these.
    pub(crate) fn among(lines: &[u64], position: usize) -> Self {
        lines
            .get(position)
            .map_or(Self::Position(position), |&line| Self::Line(line))
    }
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
    /// Not between the limits of a rating or a skill.
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
            Self::OutOfRange { limit } => write!(
                f,
                "is out of range; it must lie between -{0} and {0}",
                number_text(*limit)
            ),
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
    Read(ReadError),
    /// There is not even a header line.
    Empty,
    /// There is a header line and nothing else.
    NoPlayers {
        /// Line of the header, from 1.
        line: u64,
    },
    /// A column that every pool needs is missing, or one that engagement needs.
    MissingColumn {
        /// Line of the header, from 1.
        line: u64,
        /// Its name.
        column: &'static str,
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
    /// More times of games than outcomes: whoever has played so many games has as many outcomes.
    TooManyHours {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// How many times.
        hours: usize,
        /// How many outcomes.
        outcomes: usize,
    },
    /// More games in a shorter time than in a longer one, which has them as well.
    MoreThanLonger {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// The column of the shorter time, and what it says.
        shorter: (&'static str, u32),
        /// The same of the longer one.
        longer: (&'static str, u32),
    },
    /// A player cannot be in the group that is named.
    BadPin {
        /// Where.
        place: Place,
        /// Who.
        id: String,
        /// What is in the way.
        problem: Box<PinProblem>,
    },
    /// A player cannot have as many games as column `games_wanted` says.
    BadGames {
        /// Where.
        place: Place,
        /// Who.
        id: String,
        /// What is in the way.
        problem: GamesProblem,
    },
    /// Players cannot have as many games as everybody should.
    TooManyGames {
        /// What is in the way.
        problem: GamesProblem,
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
    /// Recent opponents are to cost more, or less, than sums of costs can hold.
    RematchCost {
        /// What they are to cost.
        found: i64,
    },
    /// Teams of nobody, or of more players than all ways to split two can be tried for.
    TeamSize {
        /// Players they are to have.
        found: usize,
        /// The most they can have.
        limit: usize,
    },
    /// Ratings of two who meet are to be no farther apart than something that is no distance.
    GapLimit {
        /// What it is, in rating points.
        found: f64,
    },
    /// The limit is to grow by something that is no growth.
    GapGrowth {
        /// What it is, in rating points a second.
        found: f64,
    },
    /// Players of different regions are to cost more, or less, than sums of costs can hold.
    RegionCost {
        /// What they are to cost.
        found: i64,
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
            Self::Read(source) => write!(f, "{source}"),
            Self::Empty => write!(
                f,
                "line 1: the file is empty; it needs a header line `id,rating,deviation,outcomes`"
            ),
            Self::NoPlayers { line } => write!(
                f,
                "line {line}: there is a header and no player; write one player a line below it"
            ),
            Self::MissingColumn { line, column } => write!(
                f,
                "line {line}: column `{column}` is missing; a pool needs id and rating, and for engagement deviation and outcomes"
            ),
            Self::EmptyId { place } => write!(f, "{place}, column id: the id is empty; every player needs one"),
            Self::DuplicateId { id, place, first } => write!(
                f,
                "{place}, column id: player {id} is there already ({first}); ids must be unique",
                id = quoted(id)
            ),
            Self::BadNumber {
                place,
                id,
                column,
                found,
                problem,
            } => {
                write!(
                    f,
                    "{place}, column {column}, player {id}: {found} {problem}",
                    id = quoted(id),
                    found = quoted(found)
                )
            }
            Self::BadOutcome {
                place,
                id,
                position,
                found,
            } => write!(
                f,
                "{place}, column outcomes, player {id}: {found:?} at position {position}; write W, D or L, newest last",
                id = quoted(id)
            ),
            Self::TooManyHours {
                place,
                id,
                hours,
                outcomes,
            } => {
                let numbers = if *hours == 1 { "number" } else { "numbers" };
                let games = if *outcomes == 1 { "outcome" } else { "outcomes" };
                write!(
                    f,
                    "{place}, column hours, player {id}: {hours} {numbers} for {outcomes} {games}; write the hours since each \
                     game of column outcomes, newest game last; older ones may be left out",
                    id = quoted(id)
                )
            }
            Self::MoreThanLonger {
                place,
                id,
                shorter: (column, more),
                longer: (other, games),
            } => write!(
                f,
                "{place}, column {column}, player {id}: {more} games, and {games} in column {other}, whose time is longer and \
                 has these as well; write all games of each time",
                id = quoted(id)
            ),
            Self::BadPin { place, id, problem } => {
                write!(f, "{place}, column pin, player {id}: {problem}", id = quoted(id))
            }
            Self::BadGames { place, id, problem } => {
                write!(
                    f,
                    "{place}, column games_wanted, player {id}: {problem}",
                    id = quoted(id)
                )
            }
            Self::TooManyGames { problem } => write!(f, "{problem}"),
            Self::UnknownAvoid { place, id, avoided } => write!(
                f,
                "{place}, column avoid, player {id}: nobody has the id {avoided}; separate ids by `;` or `|`",
                id = quoted(id),
                avoided = quoted(avoided)
            ),
            Self::AvoidsSelf { place, id } => write!(
                f,
                "{place}, column avoid, player {id}: the player's own id; name other players",
                id = quoted(id)
            ),
            Self::TooManyPlayers { place, limit } => write!(
                f,
                "{place}: more than {limit} players; split the pool, for example by region or rating"
            ),
            Self::RematchCost { found } => write!(
                f,
                "a rematch cost of {found}: it must lie between -2^60 and 2^60, so that sums are exact"
            ),
            Self::TeamSize { found, limit } => {
                write!(f, "teams of {found}: a team has 1 to {limit} players")
            }
            Self::GapLimit { found } => write!(
                f,
                "a gap limit of {}: it must lie between 0 and 1000000000 rating points",
                number_text(*found)
            ),
            Self::GapGrowth { found } => write!(
                f,
                "a gap growth of {}: it must lie between 0 and 1000000000 rating points a second",
                number_text(*found)
            ),
            Self::RegionCost { found } => write!(
                f,
                "a region cost of {found}: it must lie between -2^60 and 2^60, so that sums are exact"
            ),
            Self::NotAProbability { id, found } => write!(
                f,
                "player {id}: the churn model gives {found}, which is not a probability from 0 to 1",
                id = quoted(id),
                found = number_text(*found)
            ),
            Self::Model(problem) => write!(f, "{problem}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(source) => Some(source),
            Self::Model(problem) => Some(problem),
            _ => None,
        }
    }
}

impl From<ReadError> for Error {
    fn from(source: ReadError) -> Self {
        Self::Read(source)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;
    use std::io::{self, ErrorKind, Read};

    use super::Error;
    use crate::Pool;
    use crate::ReadError;

    /// An input that fails.
    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::new(ErrorKind::TimedOut, "the line is dead"))
        }
    }

    /// Only what the system said was kept.
    #[test]
    fn what_the_system_says_is_the_source() {
        let error = Pool::read_csv(Broken).expect_err("a broken input");
        assert_eq!(error.to_string(), "cannot be read: the line is dead");
        let read = error.source().and_then(|source| source.downcast_ref::<ReadError>());
        assert_eq!(read.map(ReadError::kind), Some(ErrorKind::TimedOut));
        let system = read.and_then(|read| read.source()?.downcast_ref::<io::Error>());
        assert_eq!(system.map(io::Error::kind), Some(ErrorKind::TimedOut));
        assert_eq!(
            error,
            Error::Read(io::Error::new(ErrorKind::TimedOut, "the line is dead").into())
        );
        assert_ne!(error, Error::Read(io::Error::other("the line is dead").into()));

        for text in ["", "id,rating\n"] {
            assert!(Pool::read_csv(text.as_bytes()).is_err_and(|error| error.source().is_none()));
        }
    }
}
