//! How inputs name what is matched or grouped.

use matchmaking::Pool;
use serde::Serialize;

use super::text::printable;

/// How the input names vertices.
#[derive(Debug)]
pub(crate) enum Names<'a> {
    Players(&'a Pool),
    Numbers { first: usize, len: usize },
}

impl Names<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Players(pool) => pool.len(),
            Self::Numbers { len, .. } => *len,
        }
    }

    /// The vertex that the input calls so.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        match self {
            Self::Players(pool) => pool.position(name),
            Self::Numbers { first, len } => {
                let position = name.parse::<usize>().ok()?.checked_sub(*first)?;
                (position < *len).then_some(position)
            }
        }
    }

    /// For scripts: as the input writes it.
    pub(crate) fn id(&self, position: usize) -> Id<'_> {
        match self {
            Self::Players(pool) => Id::Name(&pool.players()[position].id),
            Self::Numbers { first, .. } => Id::Number(position + first),
        }
    }

    /// For people: what would move the cursor is written as an escape.
    pub(crate) fn text(&self, position: usize) -> String {
        match self {
            Self::Players(pool) => printable(&pool.players()[position].id),
            Self::Numbers { first, .. } => (position + first).to_string(),
        }
    }
}

/// An id as the input writes it.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Id<'a> {
    Name(&'a str),
    Number(usize),
}
