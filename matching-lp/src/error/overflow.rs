//! Which costs are too large.

use core::fmt;

use super::few;

/// Which costs are too large.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Overflow {
    /// The combined cost of a pair does not fit its type.
    Pair {
        /// One player.
        i: usize,
        /// The other.
        j: usize,
    },
    /// What it costs that a player waits, combined of several costs, does not fit its type.
    Waiting {
        /// The player.
        player: usize,
    },
    /// The cost of a group does not fit its type.
    Group {
        /// Its members.
        members: Vec<usize>,
    },
    /// A group costs so much that, if all did, totals would not fit 40 bits.
    Share {
        /// Its members.
        members: Vec<usize>,
        /// What one of the costs of whole groups says of it.
        cost: i128,
        /// No group may cost more by one of these costs, or less than this negated.
        most: i128,
    },
    /// Pairs, those who wait and groups could add up to a total that does not fit 40 bits, or, of floats, to no number.
    Total {
        /// Bits that such a total could need.
        bits: u32,
    },
    /// The numbers of these players together do not fit their type.
    Numbers {
        /// How many players, from the first on.
        players: usize,
    },
    /// The costs of a grouping that was found add up to no number of their type.
    Sum,
    /// Costs in order: those of this level and the levels before do not fit 40 bits together.
    Level {
        /// Its place; the first is 0.
        level: usize,
    },
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pair { i, j } => write!(
                f,
                "the combined cost of players {i} and {j} does not fit its number type; use a wider one"
            ),
            Self::Waiting { player } => write!(
                f,
                "what it costs in all that player {player} waits does not fit its number type; use smaller costs"
            ),
            Self::Group { members } => write!(
                f,
                "the cost of the group of players {} does not fit its number type; use a wider one",
                few(members)
            ),
            Self::Share { members, cost, most } => write!(
                f,
                "the group of players {} costs {cost}; no group may cost more than {most}, or less than -{most}, so that \
                 totals fit 40 bits",
                few(members)
            ),
            Self::Total { bits } => write!(
                f,
                "the costs of a grouping could add up to {bits} bits; totals of integers have 40 and of floats 1024: use \
                 smaller costs"
            ),
            Self::Numbers { players } => write!(
                f,
                "the numbers of the first {players} players together do not fit their type"
            ),
            Self::Sum => write!(
                f,
                "the costs of the grouping that was found add up to no number of their type"
            ),
            Self::Level { level } => write!(
                f,
                "the costs of level {level} (counted from 0) and those before do not fit 40 bits together; use smaller costs"
            ),
        }
    }
}
