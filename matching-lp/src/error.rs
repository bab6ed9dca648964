//! What can be wrong with a grouping problem.

use core::fmt;

/// Why there is no answer. Players and groups are named by the caller's own indices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is nobody to be grouped.
    Empty,
    /// More players than the solver numbers.
    TooManyPlayers {
        /// How many there are.
        players: usize,
        /// The most it takes.
        most: usize,
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
    /// A party or a forbidden pair names one player twice.
    Twice {
        /// The player.
        player: usize,
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
    /// Costs are so large that totals of a grouping do not fit 60 bits, or a combined cost does not fit its type.
    CostOverflow,
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
    /// The solver of a formulation has no solution. [`good_lp::ResolutionError::Infeasible`]: no values meet all constraints.
    #[cfg(feature = "good_lp")]
    Unsolved(good_lp::ResolutionError),
    /// There is no grouping at all, and that is proven.
    Infeasible(Conflict),
}

/// Why no grouping exists.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conflict {
    /// The groups together hold too few or too many.
    Sizes {
        /// How many there are to be grouped.
        players: usize,
        /// Least number of members of all groups together.
        least: usize,
        /// Greatest number of members of all groups and the bench together.
        most: usize,
    },
    /// With the wishes of these players alone, everybody else being free of parties and forbidden pairs, there is no
    /// grouping either.
    Players {
        /// The players, ascending.
        players: Vec<usize>,
        /// Whether none of them can be left out of the list: there is a grouping when any one of them has no wishes.
        is_minimal: bool,
    },
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

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes { players, least, most } => write!(
                f,
                "{players} players, but the groups hold from {least} to {most} together with the bench"
            ),
            Self::Players { players, .. } => write!(
                f,
                "the parties and forbidden pairs of players {} cannot all be met",
                few(players)
            ),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there is nobody to group"),
            Self::TooManyPlayers { players, most } => {
                write!(f, "{players} players are more than {most}, the most there can be")
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
            Self::Twice { player } => write!(f, "player {player} stands twice in one party or pair"),
            Self::PairNotANumber { i, j } => write!(f, "the cost of players {i} and {j} is not a finite number"),
            Self::WaitingNotANumber { player } => {
                write!(f, "what it costs that player {player} waits is not a finite number")
            }
            Self::Asymmetric { i, j } => write!(
                f,
                "players {i} and {j} cost something else than {j} and {i}; symmetrized() adds both directions"
            ),
            Self::CostOverflow => write!(f, "the total cost does not fit its number type, or 60 bits"),
            Self::TooManyTeams { most } => write!(f, "there are more than {most} teams that players can form"),
            #[cfg(feature = "good_lp")]
            Self::NotANumber { player } => write!(f, "a number given for player {player} is not finite"),
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
            Self::Unsolved(reason) => write!(f, "the model was not solved: {reason}"),
            Self::Infeasible(conflict) => write!(f, "there is no grouping: {conflict}"),
        }
    }
}

impl core::error::Error for Error {}
