//! Matches that run already, with places that may be open.

use std::collections::HashMap;

use super::error::Error;
use super::player::{Player, Playing, Side};
use crate::error::Place;

/// A match that runs already: who plays in it stays there, in the same team.
///
/// A team with fewer players than the rules say has open places, which those who wait may fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    id: String,
    red: Vec<usize>,
    blue: Vec<usize>,
}

impl Running {
    /// What its players call it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The players of one team, ascending.
    pub fn team(&self, side: Side) -> &[usize] {
        match side {
            Side::Red => &self.red,
            Side::Blue => &self.blue,
        }
    }

    /// Everybody who plays in it already, red first.
    pub fn players(&self) -> impl Iterator<Item = usize> + '_ {
        self.red.iter().chain(&self.blue).copied()
    }

    /// The open places of red and of blue, for teams of this size that have no more players.
    pub fn open(&self, team_size: usize) -> [usize; 2] {
        [&self.red, &self.blue].map(|team| team_size.saturating_sub(team.len()))
    }

    /// The same two teams with red first; `None` if somebody is not where he plays.
    pub(super) fn in_place(&self, one: Vec<usize>, other: Vec<usize>) -> Option<[Vec<usize>; 2]> {
        let holds = |red: &[usize], blue: &[usize]| {
            self.red.iter().all(|player| red.contains(player)) && self.blue.iter().all(|player| blue.contains(player))
        };
        if holds(&one, &other) {
            Some([one, other])
        } else {
            holds(&other, &one).then_some([other, one])
        }
    }
}

/// A running match that stays as it is, with open places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Short {
    /// Its position in [`Round::running`](super::Round::running).
    pub running: usize,
    /// Why.
    pub why: Why,
}

/// Why a running match is not filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Why {
    /// Fewer players wait than there are open places, beside those of the matches before it that are filled.
    TooFew,
    /// The parties that wait do not fill its teams without dividing one, beside the matches before it.
    Parties,
    /// Too few of those who wait are within the limits, or none of their groupings are, beside the matches before it.
    Limits,
    /// A search has found nobody within the limits who fills it beside the matches before it; there may be somebody.
    NotFound,
}

/// The running matches in order of their first players, and that of each player.
pub(super) fn group_running(players: &[Player]) -> (Vec<Running>, Vec<Option<u32>>) {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut running: Vec<Running> = Vec::new();
    let mut running_of = Vec::new();
    for (i, player) in players.iter().enumerate() {
        let Some(Playing { match_id, team }) = &player.playing else {
            continue;
        };
        let new = running.len();
        let number = *numbers.entry(match_id).or_insert(new);
        if number == new {
            running.push(Running {
                id: match_id.clone(),
                red: Vec::new(),
                blue: Vec::new(),
            });
        }
        match team {
            Side::Red => running[number].red.push(i),
            Side::Blue => running[number].blue.push(i),
        }
        running_of.resize(players.len(), None);
        running_of[i] = Some(number as u32);
    }
    (running, running_of)
}

/// Checks what is said of those who play already, who stand at these places.
pub(super) fn check_running(players: &[Player], place: &dyn Fn(usize) -> Place) -> Result<(), Error> {
    if players.iter().all(|player| player.playing.is_none()) {
        return Ok(());
    }
    let mut first_of: HashMap<&str, usize> = HashMap::new();
    for (i, player) in players.iter().enumerate() {
        let id = || player.id.clone();
        if let Some(playing) = &player.playing {
            if playing.match_id.is_empty() {
                return Err(Error::NoMatchId {
                    place: place(i),
                    id: id(),
                });
            }
            if player.waited > 0 {
                return Err(Error::PlaysAndWaits {
                    place: place(i),
                    id: id(),
                    match_id: playing.match_id.clone(),
                    waited: player.waited,
                });
            }
        }
        let Some(label) = player.party_label() else {
            continue;
        };
        let first = *first_of.entry(label).or_insert(i);
        if players[first].playing != player.playing {
            return Err(Error::PartyTorn {
                place: place(i),
                party: label.to_owned(),
                players: [first, i].map(|i| players[i].id.clone()),
                playing: Box::new([first, i].map(|i| players[i].playing.clone())),
            });
        }
    }
    Ok(())
}
