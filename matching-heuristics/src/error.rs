//! What can be wrong with a grouping problem.

use core::fmt;

use crate::control::Stop;
use crate::engine::Engine;
use crate::groups::LIMIT;

/// Why there is no answer. Players and groups are named by the caller's own indices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is nobody, or no group, to be filled.
    Empty,
    /// There are fewer players than one group has members.
    GroupTooLarge {
        /// Members of a group.
        size: usize,
        /// How many there are to be grouped.
        players: usize,
    },
    /// There are fewer players than groups, each of which has one at least.
    TooFewPlayers {
        /// How many there are to be grouped.
        players: usize,
        /// Number of groups.
        groups: usize,
    },
    /// More players or groups than a search can hold: 2²⁴ of either.
    TooLarge {
        /// Number of players.
        players: usize,
        /// Number of groups.
        groups: usize,
    },
    /// A group would have to have more members than it may have.
    BoundsCrossed {
        /// The group.
        group: usize,
        /// Its least number of members.
        least: usize,
        /// Its greatest number of members.
        most: usize,
    },
    /// The groups together, with the bench, hold too few or too many.
    SizesDoNotAddUp {
        /// How many there are to be grouped.
        players: usize,
        /// Least number of members of all groups together, and of those who wait.
        least: usize,
        /// Greatest number of members of all groups together, and of those who may wait.
        most: usize,
    },
    /// A player is named who does not exist.
    NoSuchPlayer {
        /// The index.
        player: usize,
        /// Number of players.
        players: usize,
    },
    /// A group is named that does not exist.
    NoSuchGroup {
        /// The index.
        group: usize,
        /// Number of groups; of lists to start from, one more where there is a bench, which may be the last of them.
        groups: usize,
    },
    /// A party names one player twice.
    TwiceInParty {
        /// The player.
        player: usize,
    },
    /// Two players of one party are pinned to different groups.
    PinsDisagree {
        /// The party, or the one player who is pinned twice.
        party: Vec<usize>,
        /// The two groups.
        groups: [usize; 2],
    },
    /// A party has more members than any group may have, and than may wait.
    PartyTooLarge {
        /// The party.
        party: Vec<usize>,
        /// Greatest number of members of a group, or of those who wait.
        most: usize,
    },
    /// The players pinned to a group are more than it may have.
    TooManyPinned {
        /// The group.
        group: usize,
        /// Players pinned to it, with their parties.
        players: Vec<usize>,
        /// Greatest number of members of the group.
        most: usize,
    },
    /// Pins give some groups more members than they must have, and leave too few players for the others.
    PinsLeaveTooFew {
        /// Players pinned to such groups, with their parties.
        players: Vec<usize>,
        /// How many are left for the other groups.
        left: usize,
        /// Least number of members of the other groups together.
        least: usize,
    },
    /// Sizes add up, yet the parties cannot be packed whole into the groups.
    PartiesDoNotFit {
        /// The parties of two and more.
        parties: Vec<Vec<usize>>,
        /// Players who are pinned, with their parties: they may be in the way as well.
        pinned: Vec<usize>,
    },
    /// No packing of the parties was found within the limit of steps, nor shown to be impossible.
    PackingUnknown {
        /// Steps taken.
        steps: u64,
    },
    /// The engine keeps something for each two groups, and there are too many.
    TooManyGroups {
        /// The engine.
        engine: Engine,
        /// Number of groups, the bench among them.
        groups: usize,
        /// Greatest number that it takes.
        most: usize,
    },
    /// The cost of a pair is NaN or infinite.
    PairNotANumber {
        /// One player.
        i: usize,
        /// The other.
        j: usize,
    },
    /// The cost of a group is NaN or infinite, does not fit its type, or is an integer beyond 64 bits. Where there are
    /// several such groups it is the first that any walk has met: with several threads, chance decides which.
    GroupNotANumber {
        /// The group that was asked for.
        members: Vec<usize>,
    },
    /// Tables of all pairs take more memory than there is, or than may be taken.
    OutOfMemory {
        /// The bytes that are needed.
        bytes: u64,
        /// The bytes that may be taken ([`Search::memory`](crate::Search::memory)); `None` if the system has refused.
        limit: Option<u64>,
    },
    /// The target is NaN.
    TargetNotANumber,
    /// The cost has not as many columns as rows, and so is not one of pairs of players.
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        cols: usize,
    },
    /// The cost of a pair, or whether it is allowed, differs by direction.
    Asymmetric {
        /// One player.
        i: usize,
        /// The other.
        j: usize,
    },
    /// The total cost, or a cost that was combined, does not fit its type.
    CostOverflow,
    /// No grouping was found without a forbidden pair or group; that there is none is not shown.
    OnlyForbidden {
        /// A group of the best one found that is forbidden.
        members: Vec<usize>,
        /// What ended the search.
        stop: Stop,
        /// Moves that were looked at, by all walks together.
        work: u64,
    },
    /// All groupings were tried, and each has a forbidden pair or group.
    AllForbidden {
        /// A forbidden group of a grouping with the fewest.
        members: Vec<usize>,
        /// What trying all of them counts as, in moves.
        work: u64,
    },
    /// Groups to start from do not fit the problem: the reason is one of the other errors, or a player left out.
    WarmStart {
        /// The first player who is wrong there: missing, twice, or not where his party or pin wants him.
        player: usize,
    },
    /// Groups to start from have the wrong number of members.
    WarmStartSizes {
        /// The group.
        group: usize,
        /// Its members.
        members: usize,
    },
}

/// A few indices, and how many are left out.
fn few(players: &[usize]) -> String {
    let shown = players
        .iter()
        .take(12)
        .map(usize::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    match players.len() {
        0..=12 => format!("[{shown}]"),
        more => format!("[{shown}, and {} more]", more - 12),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there is nobody to group, or no group"),
            Self::GroupTooLarge { size, players } => {
                write!(f, "groups of {size} cannot be filled by {players} players")
            }
            Self::TooFewPlayers { players, groups } => write!(
                f,
                "{groups} groups cannot be filled by {players} players, one at least in each: take {players} groups or fewer"
            ),
            Self::TooLarge { players, groups } => write!(
                f,
                "{players} players in {groups} groups are too many; a search holds {LIMIT} of either"
            ),
            Self::BoundsCrossed { group, least, most } => {
                write!(f, "group {group} must have at least {least} members and at most {most}")
            }
            Self::SizesDoNotAddUp { players, least, most } => {
                write!(
                    f,
                    "{players} players, but the groups hold from {least} to {most} together with the bench"
                )
            }
            Self::NoSuchPlayer { player, players } => {
                write!(
                    f,
                    "player {player} does not exist: there are {players}, numbered from 0"
                )
            }
            Self::NoSuchGroup { group, groups } => {
                write!(f, "group {group} does not exist: there are {groups}, numbered from 0")
            }
            Self::TwiceInParty { player } => write!(f, "player {player} appears twice in one party"),
            Self::PinsDisagree {
                party,
                groups: [one, other],
            } => {
                write!(
                    f,
                    "players {} belong together, but are pinned to groups {one} and {other}",
                    few(party)
                )
            }
            Self::PartyTooLarge { party, most } => write!(
                f,
                "party {} has {} members, but at most {most} can be in one group or wait",
                few(party),
                party.len()
            ),
            Self::TooManyPinned { group, players, most } => write!(
                f,
                "players {} are pinned to group {group}, which has at most {most} members",
                few(players)
            ),
            Self::PinsLeaveTooFew { players, left, least } => write!(
                f,
                "players {} are pinned, which leaves {left} for groups that must have at least {least} members together",
                few(players)
            ),
            Self::PartiesDoNotFit { parties, pinned } => {
                let shown = parties
                    .iter()
                    .take(8)
                    .map(|party| few(party))
                    .collect::<Vec<_>>()
                    .join(" ");
                write!(f, "parties cannot be packed whole into the groups: {shown}")?;
                if let more @ 9.. = parties.len() {
                    write!(f, " and {} more", more - 8)?;
                }
                match &pinned[..] {
                    [] => Ok(()),
                    pinned => write!(f, ", while players {} are pinned", few(pinned)),
                }
            }
            Self::PackingUnknown { steps } => write!(
                f,
                "no way to pack the parties into the groups was found in {steps} steps; there may be one"
            ),
            Self::TooManyGroups { engine, groups, most } => write!(
                f,
                "{} keeps the best move of each two groups, at most {most} of them, and there are {groups}; take another engine",
                engine.name()
            ),
            Self::PairNotANumber { i, j } => write!(f, "the cost of players {i} and {j} is not a finite number"),
            Self::GroupNotANumber { members } => {
                write!(
                    f,
                    "the cost of group {} is not a finite number that fits its type and 64 bits",
                    few(members)
                )
            }
            Self::OutOfMemory {
                bytes,
                limit: Some(limit),
            } => write!(
                f,
                "tables of all pairs take {bytes} bytes where {limit} may be taken; allow more, or give the cost by group"
            ),
            Self::OutOfMemory { bytes, limit: None } => write!(
                f,
                "tables of all pairs take {bytes} bytes, which are not to be had; give the cost by group"
            ),
            Self::TargetNotANumber => write!(f, "the target is not a number; write a total that is good enough"),
            Self::NotSquare { rows, cols } => write!(
                f,
                "the cost has {rows} rows and {cols} columns, but players are grouped with each other"
            ),
            Self::Asymmetric { i, j } => write!(
                f,
                "players {i} and {j} cost something else than {j} and {i}, or only one of the two is allowed; symmetrized() adds both \
                 directions"
            ),
            Self::CostOverflow => write!(
                f,
                "the total cost does not fit its number type; use a wider one, or smaller costs"
            ),
            Self::OnlyForbidden { members, stop, work } => write!(
                f,
                "no grouping without forbidden pairs or groups was found after {work} moves, when {stop}; the best one has \
                 group {}",
                few(members)
            ),
            Self::AllForbidden { members, .. } => write!(
                f,
                "all groupings were tried, and each has a forbidden pair or group; the best one has group {}",
                few(members)
            ),
            Self::WarmStart { player } => write!(
                f,
                "the groups to start from are wrong for player {player}: missing, twice, or apart from a party or pin"
            ),
            Self::WarmStartSizes { group, members } => {
                write!(
                    f,
                    "group {group} of the groups to start from has {members} members, outside its bounds"
                )
            }
        }
    }
}

impl core::error::Error for Error {}
