//! What can be wrong with arrivals, settings and policies.

use std::fmt;

use matching_core::verify::VerifyError;

#[cfg(feature = "floor")]
use super::floor::FloorProblem;
use super::setting::Setting;
use crate::error::Place;
use crate::quoted::quoted;
use crate::read_error::ReadError;
use crate::said::said_name;
use crate::written::number_text;

/// A setting in words.
fn setting_text(setting: &Setting) -> String {
    let weights: Vec<String> = setting.weights().iter().map(|weight| number_text(*weight)).collect();
    format!(
        "games of {} players within {} by weights of {}",
        setting.players(),
        number_text(setting.tau_max()),
        weights.join(", ")
    )
}

/// What is wrong with a number that belongs to an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrivalProblem {
    /// Not a number at all, or NaN.
    NotANumber,
    /// Infinite.
    Infinite,
    /// A criterion that is not from 0 to 1.
    OutsideUnit,
}

impl fmt::Display for ArrivalProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotANumber => "is not a number; write one like 0.25",
            Self::Infinite => "is infinite; write a finite number",
            Self::OutsideUnit => "lies outside [0, 1]; divide by the greatest value that the criterion can have",
        })
    }
}

/// Why there are no arrivals, no setting, no policy or no games.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read.
    Read(ReadError),
    /// There is not even a header line.
    Empty,
    /// There is a header line and no arrival.
    NoArrivals {
        /// Line of the header, from 1.
        line: u64,
    },
    /// A column is missing.
    MissingColumn {
        /// Line of the header, from 1.
        line: u64,
        /// Its name.
        column: &'static str,
    },
    /// The numbers of criteria leave one out, or have one twice.
    CriteriaOutOfStep {
        /// Line of the header, from 1.
        line: u64,
        /// Name of the first column that is not the one expected.
        column: String,
        /// The number that comes next.
        expected: u64,
    },
    /// There is a column `id`, and nothing in it.
    NoId {
        /// Line, from 1.
        line: u64,
    },
    /// A game would have two players of the same id.
    MeetsHimself {
        /// Line of the later arrival, from 1.
        line: u64,
        /// Line of the earlier one.
        of: u64,
        /// The id.
        id: String,
    },
    /// A number is missing or makes no sense.
    BadNumber {
        /// Which arrival.
        place: Place,
        /// `time`, or the name of a criterion.
        column: String,
        /// What stands there.
        found: String,
        /// What is wrong with it.
        problem: ArrivalProblem,
    },
    /// An arrival comes before the one in front of it.
    NotSorted {
        /// Which arrival.
        place: Place,
        /// Its time.
        time: f64,
        /// The time of the one in front of it.
        previous: f64,
    },
    /// An arrival has another number of criteria than the setting has weights.
    WrongCriteria {
        /// Which arrival.
        place: Place,
        /// Criteria that count.
        expected: usize,
        /// Criteria of the arrival.
        found: usize,
    },
    /// The clock was set to this instant, or later, already.
    InstantOver {
        /// What the clock shows.
        now: f64,
        /// What it was to be set to, or when somebody was to arrive or to leave.
        time: f64,
    },
    /// Somebody is to leave who has not arrived.
    NoSuchPlayer {
        /// The number.
        player: u32,
        /// How many have arrived.
        arrived: usize,
    },
    /// All numbers that players can have are taken.
    TooManyArrivals {
        /// How many there are.
        most: u32,
    },
    /// A policy was built for another setting than the one whose games it is to form.
    OtherSetting {
        /// The setting that it was built for.
        built_for: Setting,
        /// The setting that it is to serve.
        setting: Setting,
    },
    /// A game of fewer than two players, or of too many.
    BadGameSize {
        /// Players asked for.
        players: usize,
    },
    /// The longest wait is not a positive number.
    BadTauMax {
        /// What it is.
        found: f64,
    },
    /// A weight is negative, NaN or greater than [`MAX_WEIGHT`](super::MAX_WEIGHT).
    BadWeight {
        /// Which criterion, from 0.
        criterion: usize,
        /// The weight.
        found: f64,
    },
    /// Times are so great, and the longest wait so short, that waits are lost in rounding; or, where an optimum is asked
    /// for, both so great that a wait ends later than any float.
    CoarseTimes {
        /// The greatest time.
        time: f64,
        /// The longest wait.
        tau_max: f64,
    },
    /// No criterion at all.
    NoCriteria,
    /// Arrivals at no rate that there is.
    BadPattern {
        /// What was asked for.
        found: String,
    },
    /// No policy is called like this.
    UnknownPolicy {
        /// What was asked for.
        name: String,
    },
    /// A parameter makes no sense for a policy.
    BadParameter {
        /// The policy's name.
        policy: &'static str,
        /// The parameter.
        found: String,
        /// What is needed.
        needs: &'static str,
    },
    /// A policy cannot serve games of this kind.
    Unsuited {
        /// The policy's name.
        policy: &'static str,
        /// What it serves.
        serves: &'static str,
        /// Players per game that were asked for.
        players: usize,
        /// Criteria that were asked for.
        criteria: usize,
    },
    /// Games that are not a matching of the arrivals.
    BadGame {
        /// Position of the game, from 0.
        game: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Somebody who arrived is in no game.
    NotServed {
        /// Who, by position from 0.
        player: usize,
    },
    /// There is no floor to be had.
    #[cfg(feature = "floor")]
    Floor(FloorProblem),
    /// The exact solver refuses.
    Solver {
        /// What it said.
        source: matching_core::Error,
    },
    /// The exact solver of groups refuses.
    #[cfg(feature = "groups")]
    Groups {
        /// What it said.
        source: matching_lp::Error,
    },
    /// The solver's answer did not pass its check.
    Unverified {
        /// What the checker said.
        source: VerifyError,
    },
    /// The answer of the solver of groups did not pass its check.
    #[cfg(feature = "groups")]
    UnverifiedGroups {
        /// What the checker said.
        source: matching_lp::VerifyError,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(source) => write!(f, "{source}"),
            Self::Empty => write!(f, "line 1: the file is empty; it needs a header line `time,criterion`"),
            Self::NoArrivals { line } => write!(
                f,
                "line {line}: there is a header and no arrival; write one arrival a line below it"
            ),
            Self::MissingColumn { line, column } => write!(
                f,
                "line {line}: column `{column}` is missing; arrivals need time and criterion, or criterion1, criterion2, .."
            ),
            Self::CriteriaOutOfStep { line, column, expected } => write!(
                f,
                "line {line}: column {}, where criterion{expected} is next; number the criteria 1, 2, .., each once, and leave none out",
                quoted(column)
            ),
            Self::BadNumber {
                place,
                column,
                found,
                problem,
            } => {
                let (column, found) = (said_name(column), quoted(found));
                write!(f, "{place}, column {column}: {found} {problem}")
            }
            Self::NotSorted { place, time, previous } => write!(
                f,
                "{place}, column time: {} comes after {}; sort the arrivals by time (equal times are fine)",
                number_text(*time),
                number_text(*previous)
            ),
            Self::WrongCriteria { place, expected, found } => write!(
                f,
                "{place}: {found} criteria where {expected} count; give one value for each weight"
            ),
            Self::NoSuchPlayer { player, arrived: 0 } => {
                write!(f, "player {player} cannot leave: nobody has arrived yet")
            }
            Self::NoSuchPlayer { player, arrived } => write!(
                f,
                "player {player} cannot leave: those who have arrived have the numbers 0 to {}, as `arrive` returned them",
                arrived - 1
            ),
            Self::InstantOver { now, time } => write!(
                f,
                "time {} is over: the clock was set to {} already; arrivals must come later than that, and nobody \
                 leaves before it",
                number_text(*time),
                number_text(*now)
            ),
            Self::TooManyArrivals { most } => write!(
                f,
                "{most} players have arrived, the most that there are numbers for; go on with a new matchmaker or another log"
            ),
            Self::OtherSetting { built_for, setting } => write!(
                f,
                "the policy was built for {}, and is to serve {}; build it for the setting that it serves",
                setting_text(built_for),
                setting_text(setting)
            ),
            Self::BadGameSize { players } => {
                write!(
                    f,
                    "a game of {players}: a game needs 2 to {} players",
                    super::MAX_PLAYERS
                )
            }
            Self::BadTauMax { found } => write!(
                f,
                "the longest wait is {}; it must be a positive number in the unit of the arrivals' times",
                number_text(*found)
            ),
            Self::BadWeight { criterion, found } => write!(
                f,
                "weight {} is {}; weights must be 0 or more and no more than {:e}",
                criterion + 1,
                number_text(*found),
                super::MAX_WEIGHT
            ),
            Self::CoarseTimes { time, tau_max } => write!(
                f,
                "beside times of {time:e} a longest wait of {} is lost in rounding; count times from a later moment, or in a greater unit",
                number_text(*tau_max)
            ),
            Self::NoId { line } => write!(
                f,
                "line {line}, column id: empty; say who arrives, or leave the column out"
            ),
            Self::MeetsHimself { line, of, id } => write!(
                f,
                "line {line}, column id: {} returns before the game of line {of} has begun, and would play against himself; \
                 write different ids for different players, or leave the column out",
                quoted(id)
            ),
            Self::NoCriteria => write!(f, "there is no criterion; at least one is needed"),
            Self::BadPattern { found } => write!(
                f,
                "{found} is no pattern of arrivals; write a rate like 3, or a rising one like 0..6",
                found = quoted(found)
            ),
            Self::UnknownPolicy { name } => {
                write!(
                    f,
                    "{name} is no policy; there are {}",
                    super::policy::NAMES,
                    name = quoted(name)
                )
            }
            Self::BadParameter { policy, found, needs } => {
                write!(f, "{policy}: {found} will not do; {needs}", found = quoted(found))
            }
            Self::Unsuited {
                policy,
                serves,
                players,
                criteria,
            } => {
                let noun = if *criteria == 1 { "criterion" } else { "criteria" };
                write!(
                    f,
                    "{policy} serves {serves}; here a game has {players} players and {criteria} {noun}"
                )
            }
            Self::BadGame { game, problem } => write!(f, "game {game}: {problem}"),
            Self::NotServed { player } => write!(f, "arrival {player} is in no game"),
            #[cfg(feature = "floor")]
            Self::Floor(problem) => write!(f, "the floor: {problem}"),
            Self::Solver { source } => write!(f, "{source}"),
            #[cfg(feature = "groups")]
            Self::Groups { source } => write!(f, "{source}"),
            Self::Unverified { source } => write!(f, "the optimum did not pass its check: {source}"),
            #[cfg(feature = "groups")]
            Self::UnverifiedGroups { source } => write!(f, "the optimum did not pass its check: {source}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(source) => Some(source),
            #[cfg(feature = "floor")]
            Self::Floor(problem) => Some(problem),
            Self::Solver { source } => Some(source),
            #[cfg(feature = "groups")]
            Self::Groups { source } => Some(source),
            Self::Unverified { source } => Some(source),
            #[cfg(feature = "groups")]
            Self::UnverifiedGroups { source } => Some(source),
            _ => None,
        }
    }
}

impl From<ReadError> for Error {
    fn from(source: ReadError) -> Self {
        Self::Read(source)
    }
}

#[cfg(feature = "floor")]
impl From<FloorProblem> for Error {
    fn from(problem: FloorProblem) -> Self {
        Self::Floor(problem)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use matching_core::verify::VerifyError;

    use super::Error;
    use crate::ReadError;

    /// What is wrong stands in the message, and is the source, too: several kept its words alone.
    #[test]
    fn errors_of_others_are_sources() {
        let (refused, unverified) = (matching_core::Error::TotalOutOfRange, VerifyError::Overflow);
        #[cfg_attr(not(feature = "groups"), allow(unused_mut, reason = "groups add one"))]
        let mut errors = vec![
            Error::from(ReadError::OpenQuote { line: 3 }),
            Error::Solver { source: refused },
            Error::Unverified { source: unverified },
        ];
        #[cfg(feature = "groups")]
        errors.push(Error::UnverifiedGroups {
            source: matching_lp::VerifyError::BenchTooFull { waiting: 3 },
        });
        #[cfg(feature = "floor")]
        errors.extend([crate::online::floor::FloorProblem::Chain {
            source: markov::Error::NoStates,
        }
        .into()]);
        for error in errors {
            let source = error.source().map(ToString::to_string).unwrap_or_default();
            assert!(!source.is_empty() && error.to_string().ends_with(&source), "{error}");
        }
        assert!(Error::NoCriteria.source().is_none());
    }
}
