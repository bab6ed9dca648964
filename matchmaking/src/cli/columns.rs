//! Columns of a pool that a subcommand reads and has no use for.

use matchmaking::{Player, Pool};

/// Whether a player has something in a column.
type IsFilled = fn(&Player) -> bool;

/// What is known of past games beside their outcomes.
pub(crate) const PAST_GAMES: [(&str, IsFilled); 5] = [
    ("hours", |player| !player.hours.is_empty()),
    ("games_8h", |player| player.activity.games_8h.is_some()),
    ("games_1d", |player| player.activity.games_1d.is_some()),
    ("games_1w", |player| player.activity.games_1w.is_some()),
    ("games_1m", |player| player.activity.games_1m.is_some()),
];

/// What players can play.
pub(crate) const ROLES: [(&str, IsFilled); 1] = [("roles", |player| !player.roles.is_empty())];

/// A warning of those of these columns in which somebody has something, if there are any; `why` ends it.
pub(crate) fn idle(pool: &Pool, columns: &[(&str, IsFilled)], why: &str) -> Option<String> {
    let filled = columns
        .iter()
        .filter(|(_, is_filled)| pool.players().iter().any(is_filled));
    let names: Vec<String> = filled.map(|(name, _)| format!("{name:?}")).collect();
    match names.split_last()? {
        (name, []) => Some(format!("column {name} changes nothing {why}")),
        (last, others) => Some(format!("columns {} and {last} change nothing {why}", others.join(", "))),
    }
}
