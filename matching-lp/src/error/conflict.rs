//! Why no grouping exists.

use core::fmt;

use super::{few, shown};

/// Why no grouping exists.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Roles are needed more often than there are players who can play them. The groups that must have members need
    /// this many.
    RolesShort {
        /// The names of the roles.
        roles: Vec<String>,
        /// How many must play one of them, in all groups together.
        needed: usize,
        /// Who can play one of them, ascending.
        players: Vec<usize>,
    },
    /// More players can play nothing but these roles than all groups and the bench together take in.
    RolesCrowded {
        /// The names of the roles.
        roles: Vec<String>,
        /// For how many there is room.
        room: usize,
        /// Who can play these roles and no other, ascending.
        players: Vec<usize>,
    },
    /// Even if everybody could play any role, and nobody had another wish, groups of these sizes would not all have the
    /// members that roles are wanted of.
    RolesDoNotFit {
        /// How many members a group must have so that every role is played: none has fewer unless it stays empty.
        needed: usize,
    },
    /// Every grouping that is as the parties, forbidden pairs, roles and pins want it has a group that the costs of
    /// whole groups forbid.
    ForbiddenGroups,
    /// The wishes, and what the costs of whole groups forbid, leave no grouping, which is proven. Whether the wishes do
    /// so alone was not found out within the limits, or the memory there is.
    Unexplained,
    /// With the wishes of these players alone, everybody else being free of parties, forbidden pairs and pins, and able
    /// to play any role, there is no grouping either.
    Players {
        /// The players, ascending: one at least.
        players: Vec<usize>,
        /// Whether none of them can be left out of the list: there is a grouping when any one of them has no wishes, and
        /// everybody else has none either.
        is_minimal: bool,
    },
}

/// Names of roles, for one of which somebody is needed.
fn names(roles: &[String]) -> String {
    match roles {
        [role] => format!("role {}", shown(role)),
        _ => {
            let roles: Vec<String> = roles.iter().map(|role| shown(role)).collect();
            format!("roles {}", roles.join(" or "))
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes { players, least, most } => write!(
                f,
                "{players} players, but the groups hold from {least} to {most} together with the bench"
            ),
            Self::RolesShort { roles, needed, players } => {
                write!(f, "the groups need {needed} for {}, but ", names(roles))?;
                match players.len() {
                    0 => write!(f, "nobody can play that"),
                    1 => write!(f, "only player {} can play that", players[0]),
                    count => write!(f, "only {count} players can play that: {}", few(players)),
                }
            }
            Self::RolesCrowded { roles, room, players } => write!(
                f,
                "{} players can play nothing but {}, but there is room for {room}: {}",
                players.len(),
                names(roles),
                few(players)
            ),
            Self::RolesDoNotFit { needed } => write!(
                f,
                "the roles take {needed} members of every group, whoever plays them, and groups of these sizes cannot all have as \
                 many"
            ),
            Self::ForbiddenGroups => write!(
                f,
                "each that meets all wishes has a group that the costs of whole groups forbid"
            ),
            Self::Unexplained => write!(
                f,
                "the wishes (parties, forbidden pairs, roles, pins) and the costs of whole groups rule all out; which of them are in \
                 the way was not found out within the limits, and with more time or work may be"
            ),
            Self::Players { players, .. } => write!(
                f,
                "the wishes of players {} (parties, forbidden pairs, roles, pins) cannot all be met",
                few(players)
            ),
        }
    }
}
