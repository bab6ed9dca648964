//! What can be wrong with a round or with rules.

use std::fmt;
use std::io;

use crate::error::{NumberProblem, Place};

/// What is wrong with a setting of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleProblem {
    /// Must be a positive finite number.
    NotPositive,
    /// Must be a finite number of 0 or more.
    Negative,
    /// Must lie between 0 and 1.
    NotAScore,
    /// The scores must start at 1 and never rise.
    NotDecreasing,
    /// The first number must be below the second.
    NotAscending,
    /// One weight at least must be positive.
    AllZero,
    /// There must be one score for each possible difference of two teams.
    TooShort,
    /// These parties do not make up a team.
    NotATeam,
}

impl fmt::Display for RuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotPositive => "must be a positive finite number",
            Self::Negative => "must be a finite number of 0 or more",
            Self::NotAScore => "must lie between 0 and 1",
            Self::NotDecreasing => "must start with a score of 1 at a difference of 0 and never rise",
            Self::NotAscending => "must be two numbers, the first below the second",
            Self::AllZero => "must not all be 0",
            Self::TooShort => "must have a score for each possible difference of two teams",
            Self::NotATeam => "must name parties that fill a team",
        })
    }
}

/// Why there is no round, no score, or no way to put the parties into matches.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read, or the output not be written.
    Read {
        /// Kind of the failure.
        kind: io::ErrorKind,
        /// What the system said.
        message: String,
    },
    /// The input is not JSON of a round.
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the parser expected.
        message: String,
    },
    /// The header line of a CSV file is missing.
    Empty,
    /// A column that every round needs is missing.
    MissingColumn {
        /// Its name.
        column: &'static str,
    },
    /// Two columns have the same name.
    DuplicateColumn {
        /// The name.
        column: String,
    },
    /// A line has more or fewer fields than the header, or is not UTF-8.
    BadLine {
        /// Line, from 1.
        line: u64,
        /// What the reader said.
        message: String,
    },
    /// A player lacks a field.
    MissingField {
        /// Where.
        place: Place,
        /// Name of the field.
        field: &'static str,
    },
    /// A field holds something else than it should.
    BadField {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// Name of the field.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// There is nobody in the round.
    NoPlayers,
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
    /// A number makes no sense.
    BadNumber {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// Name of the field.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What is wrong with it.
        problem: NumberProblem,
    },
    /// A region is not in the table that gives pings.
    UnknownRegion {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// What stands there; `None` if nothing.
        found: Option<String>,
    },
    /// A matrix does not have one row and one column for each player.
    WrongShape {
        /// Name of the matrix.
        matrix: &'static str,
        /// The row, from 0; `None` if the number of rows is wrong.
        row: Option<usize>,
        /// Entries needed.
        expected: usize,
        /// Entries found.
        found: usize,
    },
    /// A ping is negative, infinite or not a number.
    BadPing {
        /// Whose.
        first: String,
        /// With whom.
        second: String,
        /// The ping.
        found: f32,
    },
    /// A matrix says one thing of two players and another of the two in the other order.
    Asymmetric {
        /// Name of the matrix.
        matrix: &'static str,
        /// Whose row.
        first: String,
        /// Whose column.
        second: String,
        /// What stands there.
        found: String,
        /// What stands there in the other order.
        other: String,
    },
    /// A list of party members names somebody who is not in the round.
    UnknownMember {
        /// Position of the list, from 0.
        party: usize,
        /// The name.
        id: String,
    },
    /// Somebody is listed twice among the parties.
    InTwoParties {
        /// Who.
        id: String,
        /// Positions of the lists, from 0.
        parties: (usize, usize),
    },
    /// A party does not fit into a team.
    PartyTooLarge {
        /// Label of the party.
        party: String,
        /// Ids of its members.
        members: Vec<String>,
        /// Players a team has.
        team_size: usize,
    },
    /// There are fewer players than one match needs, or than fill whole matches where that is asked.
    TooFewPlayers {
        /// Number of players.
        players: usize,
        /// Number of players needed.
        needed: usize,
    },
    /// There are more players than tables of all pairs are made for.
    TooManyPlayers {
        /// Number of players.
        players: usize,
        /// The most.
        limit: usize,
    },
    /// No team has this size.
    BadTeamSize {
        /// The size.
        found: usize,
        /// The greatest one.
        limit: usize,
    },
    /// A setting of the rules makes no sense.
    BadRule {
        /// Name of the setting.
        rule: &'static str,
        /// What is wrong with it.
        problem: RuleProblem,
    },
    /// The parties cannot be put into so many matches without dividing one.
    CannotPack {
        /// Labels of parties that find no place when as many matches are made as possible.
        parties: Vec<String>,
        /// Number of matches asked for.
        matches: usize,
        /// Number of matches possible.
        possible: usize,
        /// Players a team has.
        team_size: usize,
    },
    /// Whether the parties can be put into so many matches was not found out within the search's limit.
    PackingUndecided {
        /// Number of matches asked for.
        matches: usize,
    },
    /// There is no instance of this name.
    UnknownInstance {
        /// The name.
        name: String,
    },
    /// Too many groupings to try them all.
    TooManyGroupings {
        /// Number of things to group.
        len: usize,
        /// The most groupings that are tried.
        limit: u64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { message, .. } => write!(f, "cannot be read or written: {message}"),
            Self::Json { line, column, message } => write!(f, "line {line}, column {column}: {message}"),
            Self::Empty => write!(
                f,
                "line 1: the file is empty; it needs a header line `id,skill,party,region,waited`"
            ),
            Self::MissingColumn { column } => {
                write!(
                    f,
                    "line 1: column `{column}` is missing; a round needs id, skill and region"
                )
            }
            Self::DuplicateColumn { column } => write!(f, "line 1: column {column:?} stands twice; keep one"),
            Self::BadLine { line, message } => write!(f, "line {line}: {message}"),
            Self::MissingField { place, field } => write!(f, "{place}: field `{field}` is missing"),
            Self::BadField {
                place,
                id,
                field,
                found,
                expected,
            } => {
                write!(
                    f,
                    "{place}, field {field}, player {id:?}: {found} where there should be {expected}"
                )
            }
            Self::NoPlayers => write!(f, "there are no players in the round"),
            Self::EmptyId { place } => write!(f, "{place}, field id: the id is empty; every player needs one"),
            Self::DuplicateId { id, place, first } => {
                write!(
                    f,
                    "{place}, field id: player {id:?} is there already ({first}); ids must be unique"
                )
            }
            Self::BadNumber {
                place,
                id,
                field,
                found,
                problem,
            } => {
                write!(f, "{place}, field {field}, player {id:?}: {found:?} {problem}")
            }
            Self::UnknownRegion { place, id, found: None } => {
                write!(
                    f,
                    "{place}, field region, player {id:?}: pings come from regions, and this one is missing"
                )
            }
            Self::UnknownRegion {
                place,
                id,
                found: Some(found),
            } => write!(
                f,
                "{place}, field region, player {id:?}: {found:?} is none of EU-W, EU-E, NA-E, NA-W, SA, Asia, OCE"
            ),
            Self::WrongShape {
                matrix,
                row: None,
                expected,
                found,
            } => {
                write!(f, "field {matrix}: {found} rows where there are {expected} players")
            }
            Self::WrongShape {
                matrix,
                row: Some(row),
                expected,
                found,
            } => {
                write!(
                    f,
                    "field {matrix}, row {row} (from 0): {found} entries where there are {expected} players"
                )
            }
            Self::BadPing { first, second, found } => write!(
                f,
                "field ping_ms, players {first:?} and {second:?}: {found} is no ping; write milliseconds of 0 or more"
            ),
            Self::Asymmetric {
                matrix,
                first,
                second,
                found,
                other,
            } => write!(
                f,
                "field {matrix}: {found} for {first:?} with {second:?} and {other} the other way round; write one value twice"
            ),
            Self::UnknownMember { party, id } => {
                write!(f, "party {party} (from 0): nobody in the round has the id {id:?}")
            }
            Self::InTwoParties {
                id,
                parties: (first, second),
            } => {
                write!(
                    f,
                    "player {id:?} is listed in party {first} and in party {second} (from 0)"
                )
            }
            Self::PartyTooLarge {
                party,
                members,
                team_size,
            } => write!(
                f,
                "party {party:?} has {} members ({}), a team has {team_size}; make it smaller or the teams larger",
                members.len(),
                members.join(", ")
            ),
            Self::TooFewPlayers { players, needed } => write!(f, "{players} players where {needed} are needed"),
            Self::TooManyPlayers { players, limit } => {
                write!(
                    f,
                    "{players} players where tables of all pairs are made for {limit} at most; split the round"
                )
            }
            Self::BadTeamSize { found, limit } => write!(f, "teams of {found}; a team has 1 to {limit} players"),
            Self::BadRule { rule, problem } => write!(f, "rule {rule} {problem}"),
            Self::CannotPack {
                parties,
                matches,
                possible,
                team_size,
            } => write!(
                f,
                "the parties do not fill {matches} matches of two teams of {team_size} without dividing one; {possible} \
                 can be made, and there is no place for: {}",
                parties.join(", ")
            ),
            Self::PackingUndecided { matches } => {
                write!(
                    f,
                    "could not find out whether the parties fill {matches} matches; ask for fewer"
                )
            }
            Self::UnknownInstance { name } => {
                write!(
                    f,
                    "{name:?} is no instance; names are nauts-N-sS, N of 60, 102, 150, 300, 600, 1200 and S of 1 to 10"
                )
            }
            Self::TooManyGroupings { len, limit } => {
                write!(
                    f,
                    "{len} players can be grouped in more than {limit} ways, too many to try all"
                )
            }
        }
    }
}

impl std::error::Error for Error {}
