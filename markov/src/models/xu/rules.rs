//! The rules: who starts a game with whom.

use super::lobby::Rule;

/// Games of so many players who come alone: they start as soon as there are enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Together(pub usize);

impl Rule for Together {
    fn matched(&self, parties: &[u8]) -> Vec<usize> {
        if parties.len() < self.0 {
            return Vec::new();
        }
        (0..self.0).collect()
    }
}

/// Who goes first, where there is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// Who came first: first in, first out.
    First,
    /// Who came last: last in, first out.
    Last,
}

/// Battles of two sides of `size` players each: parties of 1 to `size` players, whose kind is their size, are not
/// broken up. Of all ways of filling both sides, the one that comes first in the given order is played.
///
/// With `size` 2 the lobby is finite; with larger ones it may grow forever, as three waiting parties of two do at size 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battle {
    /// Players per side.
    pub size: usize,
    /// Who goes first.
    pub order: Order,
}

impl Rule for Battle {
    fn matched(&self, parties: &[u8]) -> Vec<usize> {
        let places: Vec<usize> = match self.order {
            Order::First => (0..parties.len()).collect(),
            Order::Last => (0..parties.len()).rev().collect(),
        };
        let mut game = Vec::new();
        self.fill(parties, &places, [self.size; 2], &mut game);
        game.sort_unstable();
        game
    }
}

impl Battle {
    /// Fills what is free on both sides with parties from these places, earlier ones first; whether that can be done.
    fn fill(&self, parties: &[u8], places: &[usize], free: [usize; 2], game: &mut Vec<usize>) -> bool {
        if free == [0, 0] {
            return true;
        }
        for (at, &place) in places.iter().enumerate() {
            let size = usize::from(parties[place]);
            for side in [0, 1] {
                if size == 0 || size > free[side] {
                    continue;
                }
                let mut rest = free;
                rest[side] -= size;
                game.push(place);
                if self.fill(parties, &places[at + 1..], rest, game) {
                    return true;
                }
                game.pop();
            }
        }
        false
    }
}

/// Battles of two against two with packing: players who came alone are packed in twos as they come, and packs and teams
/// play in the order in which they were complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed;

impl Rule for Packed {
    fn matched(&self, parties: &[u8]) -> Vec<usize> {
        let mut alone = None;
        let mut teams: Vec<Vec<usize>> = Vec::new();
        for (place, &size) in parties.iter().enumerate() {
            match (size, alone.take()) {
                (1, None) => alone = Some(place),
                (1, Some(other)) => teams.push(vec![other, place]),
                (_, other) => {
                    alone = other;
                    teams.push(vec![place]);
                }
            }
        }
        if teams.len() < 2 {
            return Vec::new();
        }
        let mut game: Vec<usize> = teams.drain(..2).flatten().collect();
        game.sort_unstable();
        game
    }
}

/// Duels in zones: a kind is the set of zones that a player would play in, one bit a zone, and who arrives plays the
/// one who has waited longest of those with a zone in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zones;

impl Rule for Zones {
    fn matched(&self, parties: &[u8]) -> Vec<usize> {
        first_partner(parties, |one, other| one & other != 0)
    }
}

/// Duels of side `1` against side `2`; kind `3` takes either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice;

impl Rule for Choice {
    fn matched(&self, parties: &[u8]) -> Vec<usize> {
        first_partner(parties, |one, other| one | other == 3)
    }
}

/// The pair of the arrival and the first one who waits that it gets on with.
fn first_partner(parties: &[u8], is_match: impl Fn(u8, u8) -> bool) -> Vec<usize> {
    let Some((&arrival, waiting)) = parties.split_last() else {
        return Vec::new();
    };
    let partner = waiting.iter().position(|&other| is_match(arrival, other));
    partner.map_or_else(Vec::new, |partner| vec![partner, waiting.len()])
}
