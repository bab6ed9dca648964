//! Parties into teams of equal size, without dividing one.
//!
//! A match is any two full teams, so that only teams matter. Parties of one fill whatever room is left. So parties fill
//! `t` teams of `k` exactly if their sizes add up to `t k` and those of two and more go into `t` teams at all: bin
//! packing, with few sizes (`teams.rs`). Who plays where not everybody can (`waiting.rs`) is a choice of how many
//! parties of each size; the search over these numbers is complete (`supply.rs`). Where it is limited who may be with whom,
//! parties with too few others to fill a match, or too far apart themselves, wait (`reach.rs`); the rest is left to the
//! search for matches. Open places of running matches (`backfill.rs`) are teams with less room (`rooms.rs`), which come first;
//! within limits, the first parties that go fill them one by one (`first_fit.rs`), before anybody searches.

mod backfill;
mod first_fit;
mod reach;
mod rooms;
mod start;
mod supply;
mod teams;
mod waiting;

pub(super) use first_fit::{Filling, FirstFit};
pub(super) use start::check_spread;
pub use start::start;
pub(super) use waiting::choose_beside;
pub use waiting::{Fill, Selection, choose};

use super::rules::MAX_TEAM_SIZE;

/// Number of parties of each size; nothing at 0.
pub(super) type Counts = [usize; MAX_TEAM_SIZE + 1];

/// Number of players in these parties.
fn players(counts: &Counts) -> usize {
    counts.iter().enumerate().map(|(size, count)| size * count).sum()
}

/// Size by size.
fn plus(a: &Counts, b: &Counts) -> Counts {
    std::array::from_fn(|size| a[size] + b[size])
}

/// Size by size; `None` if `b` has more of a size.
fn minus(a: &Counts, b: &Counts) -> Option<Counts> {
    let mut rest = *a;
    for (rest, b) in rest.iter_mut().zip(b) {
        *rest = rest.checked_sub(*b)?;
    }
    Some(rest)
}
