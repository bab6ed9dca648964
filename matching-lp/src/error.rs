//! What can be wrong with a grouping problem.

mod conflict;
mod overflow;

use core::fmt;

use matching_heuristics::Error as GroupsError;

use crate::verify::VerifyError;
pub use conflict::Conflict;
pub use overflow::Overflow;

/// Why there is no answer. Players and groups are named by the caller's own indices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is nobody to be grouped.
    Empty,
    /// There are no such groups: what [`Groups`](crate::Groups) answers, so that `?` takes it along.
    Groups(GroupsError),
    /// More players than the solver numbers.
    TooManyPlayers {
        /// How many there are.
        players: usize,
        /// The most it takes.
        most: usize,
    },
    /// Tables of all pairs take more memory than there is, or than may be taken.
    OutOfMemory {
        /// The bytes that are needed.
        bytes: u64,
        /// The bytes that may be taken ([`Solver::memory`](crate::Solver::memory)); `None` if the system has refused.
        limit: Option<u64>,
    },
    /// The cost has not as many columns as rows, and so is not one of pairs of players.
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        cols: usize,
    },
    /// A player is named who does not exist.
    NoSuchPlayer {
        /// The index.
        player: usize,
        /// Number of players.
        players: usize,
    },
    /// A party, a forbidden pair or a role names one player twice.
    Twice {
        /// The player.
        player: usize,
    },
    /// A cost of whole groups knows more or fewer players than the problem.
    OtherPlayers {
        /// Players of the problem.
        players: usize,
        /// Players of the cost.
        found: usize,
    },
    /// A role is wanted in no number at all.
    RoleBounds {
        /// Its name.
        role: String,
        /// The least number that is wanted.
        least: usize,
        /// All numbers that are wanted are below this one.
        end: usize,
    },
    /// More roles than a problem can have.
    TooManyRoles {
        /// The most there can be.
        most: usize,
    },
    /// A group is named that does not exist.
    NoSuchGroup {
        /// The index.
        group: usize,
        /// Number of groups.
        groups: usize,
    },
    /// Players who stay together, or one player, are pinned to different groups.
    PinsDisagree {
        /// The party, with all parties that share a player with it.
        players: Vec<usize>,
        /// Two of the groups.
        groups: [usize; 2],
    },
    /// More players are pinned to a group than it may have, their parties included.
    TooManyPinned {
        /// The group.
        group: usize,
        /// The players.
        players: Vec<usize>,
        /// Greatest number of members of the group.
        most: usize,
    },
    /// A party has more members than any group may have, and than may wait.
    PartyTooLarge {
        /// The party, with all parties that share a player with it.
        party: Vec<usize>,
        /// Greatest number of members of a group, or of those who wait.
        most: usize,
    },
    /// A problem to be solved after others has other groups or players, or wishes of its own.
    LevelsDiffer {
        /// Its place; the first is 0.
        level: usize,
    },
    /// Costs in order are floats.
    LevelsNeedIntegers,
    /// A rating is NaN or infinite.
    RatingNotANumber {
        /// The player.
        player: usize,
    },
    /// The greatest difference that two halves may have is NaN, or negative infinity.
    LimitNotANumber,
    /// The cost of a group is NaN or infinite.
    GroupNotANumber {
        /// Its members.
        members: Vec<usize>,
    },
    /// The cost of a pair is NaN or infinite.
    PairNotANumber {
        /// One player.
        i: usize,
        /// The other.
        j: usize,
    },
    /// What it costs that a player waits is NaN or infinite.
    WaitingNotANumber {
        /// The player.
        player: usize,
    },
    /// The cost of a pair, or whether it is allowed, differs by direction.
    Asymmetric {
        /// One player.
        i: usize,
        /// The other.
        j: usize,
    },
    /// Costs are so large that totals of a grouping do not fit 40 bits, or a combined cost does not fit its type.
    CostOverflow(Overflow),
    /// There are more teams than a program may have columns.
    TooManyTeams {
        /// The most there may be.
        most: usize,
    },
    /// A number that was given for a player of a formulation is NaN or infinite.
    #[cfg(feature = "good_lp")]
    NotANumber {
        /// The player.
        player: usize,
    },
    /// The weight of a difference in a formulation is NaN or infinite.
    #[cfg(feature = "good_lp")]
    WeightNotANumber,
    /// The weight of a difference in a formulation is negative, which would make the difference as great as can be.
    #[cfg(feature = "good_lp")]
    NegativeWeight {
        /// The weight.
        weight: f64,
    },
    /// There are not as many numbers as players.
    #[cfg(feature = "good_lp")]
    WrongLength {
        /// How many were given.
        given: usize,
        /// Number of players.
        players: usize,
    },
    /// By the values of a solution, a player is in no place, in several, or together with some of a group only.
    #[cfg(feature = "good_lp")]
    NotAGrouping {
        /// The player.
        player: usize,
    },
    /// By the values of a solution, a group has fewer or more members, or players of some role, than the formulation lets
    /// it have.
    #[cfg(feature = "good_lp")]
    WrongNumber {
        /// The group, by its place in the answer.
        group: usize,
        /// The role, where it is one that too few or too many play.
        role: Option<usize>,
        /// The members, or those of the role.
        members: Vec<usize>,
        /// Least number of them.
        least: usize,
        /// Greatest number of them.
        most: usize,
    },
    /// By the values of a solution, there are more or fewer groups of some kind than the problem has.
    #[cfg(feature = "good_lp")]
    WrongNumberOfGroups {
        /// How many have members.
        found: usize,
        /// Least and greatest number of members of such a group.
        sizes: [usize; 2],
        /// Least number of such groups that have members.
        least: usize,
        /// Greatest number of such groups.
        most: usize,
    },
    /// By the values of a solution, more players wait than may.
    #[cfg(feature = "good_lp")]
    BenchTooFull {
        /// Those who wait, ascending.
        players: Vec<usize>,
        /// Greatest number of them.
        most: usize,
    },
    /// The solver of a formulation has no solution. [`good_lp::ResolutionError::Infeasible`]: no values meet all
    /// constraints.
    #[cfg(feature = "good_lp")]
    Unsolved(good_lp::ResolutionError),
    /// The groups to start from are none of the problem: what is wrong with them.
    WarmStart(Box<VerifyError>),
    /// There is no grouping at all, and that is proven.
    Infeasible(Conflict),
}

/// A few indices, and how many are left out.
fn few(players: &[usize]) -> String {
    let shown: Vec<String> = players.iter().take(12).map(usize::to_string).collect();
    let shown = shown.join(", ");
    match players.len() {
        0..=12 => shown,
        more => format!("{shown}, and {} more", more - 12),
    }
}

/// A name on one line, whatever is in it.
fn shown(name: &str) -> String {
    let letters = name.chars().map(|letter| match letter {
        _ if letter.is_control() => letter.escape_default().to_string(),
        '\u{2028}' | '\u{2029}' => letter.escape_unicode().to_string(),
        _ => letter.to_string(),
    });
    letters.collect()
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there is nobody to group"),
            Self::Groups(error) => write!(f, "there are no such groups: {error}"),
            Self::TooManyPlayers { players, most } => {
                write!(f, "{players} players are more than {most}, the most there can be")
            }
            Self::OutOfMemory {
                bytes,
                limit: Some(limit),
            } => write!(
                f,
                "tables of all pairs take {bytes} bytes where {limit} may be taken; allow more, or divide the problem"
            ),
            Self::OutOfMemory { bytes, limit: None } => {
                write!(
                    f,
                    "tables of all pairs take {bytes} bytes, which are not to be had; divide the problem"
                )
            }
            Self::NotSquare { rows, cols } => write!(
                f,
                "the cost has {rows} rows and {cols} columns, but players are grouped with each other"
            ),
            Self::NoSuchPlayer { player, players } => {
                write!(
                    f,
                    "player {player} does not exist: there are {players}, numbered from 0"
                )
            }
            Self::Twice { player } => write!(f, "player {player} appears twice in one party, pair or role"),
            Self::OtherPlayers { players, found } => {
                write!(f, "a cost of groups knows {found} players, but there are {players}")
            }
            Self::RoleBounds { role, least, end } => write!(
                f,
                "role {}: no number is at least {least} and below {end}; write 1..=2 for one or two",
                shown(role)
            ),
            Self::TooManyRoles { most } => write!(f, "there can be {most} roles and no more"),
            Self::NoSuchGroup { group, groups } => {
                write!(f, "group {group} does not exist: there are {groups}, numbered from 0")
            }
            Self::PinsDisagree {
                players,
                groups: [one, other],
            } => match players[..] {
                [player] => write!(f, "player {player} is pinned to groups {one} and {other}"),
                _ => write!(
                    f,
                    "players {} stay together, but are pinned to groups {one} and {other}",
                    few(players)
                ),
            },
            Self::TooManyPinned { group, players, most } => write!(
                f,
                "players {} are pinned to group {group}, which has at most {most} members",
                few(players)
            ),
            Self::PartyTooLarge { party, most } => write!(
                f,
                "players {} stay together and are {}, but at most {most} can be in one group or wait",
                few(party),
                party.len()
            ),
            Self::LevelsDiffer { level } => write!(
                f,
                "problem {level} has other groups or wishes than problem 0; give all wishes to that one"
            ),
            Self::LevelsNeedIntegers => write!(f, "costs in order must be integers, so that equal costs are equal"),
            Self::RatingNotANumber { player } => write!(f, "the rating of player {player} is not a finite number"),
            Self::LimitNotANumber => write!(
                f,
                "the greatest difference of two halves is not a number; write one of 0 or more"
            ),
            Self::GroupNotANumber { members } if members.is_empty() => {
                write!(f, "the cost of a group without members is not a finite number")
            }
            Self::GroupNotANumber { members } => {
                write!(
                    f,
                    "the cost of players {} as a group is not a finite number",
                    few(members)
                )
            }
            Self::PairNotANumber { i, j } => write!(f, "the cost of players {i} and {j} is not a finite number"),
            Self::WaitingNotANumber { player } => {
                write!(f, "what it costs that player {player} waits is not a finite number")
            }
            Self::Asymmetric { i, j } => write!(
                f,
                "players {i} and {j} cost something else than {j} and {i}, or only one of the two is allowed; symmetrized() adds both \
                 directions"
            ),
            Self::CostOverflow(overflow) => overflow.fmt(f),
            Self::TooManyTeams { most } => write!(f, "there are more than {most} teams that players can form"),
            #[cfg(feature = "good_lp")]
            Self::NotANumber { player } => write!(f, "a number given for player {player} is not finite"),
            #[cfg(feature = "good_lp")]
            Self::WeightNotANumber => write!(
                f,
                "a weight is not a finite number: it says what each unit of a difference costs, 0 or more"
            ),
            #[cfg(feature = "good_lp")]
            Self::NegativeWeight { weight } => write!(
                f,
                "a weight is {weight:?}, but differences can only be made small: it says what each unit of one costs, 0 or more"
            ),
            #[cfg(feature = "good_lp")]
            Self::WrongLength { given, players } => {
                write!(
                    f,
                    "{given} numbers were given for {players} players: there must be one for each"
                )
            }
            #[cfg(feature = "good_lp")]
            Self::NotAGrouping { player } => write!(
                f,
                "by the values of the solution, player {player} is not in exactly one place; does it belong to this model?"
            ),
            #[cfg(feature = "good_lp")]
            Self::WrongNumber {
                group,
                role,
                members,
                least,
                most,
            } => {
                let count = members.len();
                let s = if count == 1 { "" } else { "s" };
                write!(f, "by the values of the solution, group {group} has {count} ")?;
                match role {
                    Some(role) => write!(f, "player{s} of role {role}")?,
                    None => write!(f, "member{s}")?,
                }
                if count > 0 {
                    write!(f, " ({})", few(members))?;
                }
                if least == most {
                    write!(f, " instead of {least}")?;
                } else {
                    write!(f, " instead of {least} to {most}")?;
                }
                write!(f, "; does it belong to this model?")
            }
            #[cfg(feature = "good_lp")]
            Self::WrongNumberOfGroups {
                found,
                sizes: [fewest, members],
                least,
                most,
            } => {
                let s = if *found == 1 { "" } else { "s" };
                write!(f, "by the values of the solution, there are {found} group{s} of ")?;
                if fewest == members {
                    write!(f, "{members} members instead of ")?;
                } else {
                    write!(f, "{fewest} to {members} members instead of ")?;
                }
                if least == most {
                    write!(f, "{most}")?;
                } else {
                    write!(f, "{least} to {most}")?;
                }
                write!(f, "; does it belong to this model?")
            }
            #[cfg(feature = "good_lp")]
            Self::BenchTooFull { players, most } => write!(
                f,
                "by the values of the solution, {} players wait ({}) instead of {most} at most; does it belong to this model?",
                players.len(),
                few(players)
            ),
            #[cfg(feature = "good_lp")]
            Self::Unsolved(reason) => write!(f, "the model was not solved: {reason}"),
            Self::WarmStart(error) => write!(f, "the groups to start from are none of this problem: {error}"),
            Self::Infeasible(conflict) => write!(f, "there is no grouping: {conflict}"),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Groups(error) => Some(error),
            Self::WarmStart(error) => Some(error),
            #[cfg(feature = "good_lp")]
            Self::Unsolved(reason) => Some(reason),
            _ => None,
        }
    }
}

impl From<GroupsError> for Error {
    fn from(error: GroupsError) -> Self {
        Self::Groups(error)
    }
}
