//! The rules: who starts a game with whom.

use std::collections::BTreeSet;

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
        let mut game = self.fill(parties, &places);
        game.sort_unstable();
        game
    }
}

/// A search that goes on at a place, with so many free on each side; it came here with the same free.
struct Step {
    begun: usize,
    at: usize,
    side: usize,
    free: [usize; 2],
}

impl Step {
    /// What is to be filled, by which of the places: the two sides are alike.
    fn task(&self) -> (usize, usize, usize) {
        (
            self.begun,
            self.free[0].min(self.free[1]),
            self.free[0].max(self.free[1]),
        )
    }
}

impl Battle {
    /// Fills both sides with parties from these places, earlier ones first; nobody where that cannot be done. What was found
    /// to be impossible once is not tried again, so that there are as many steps as places, twice, for each pair of numbers
    /// of free players.
    fn fill(&self, parties: &[u8], places: &[usize]) -> Vec<usize> {
        let (mut game, mut impossible) = (Vec::new(), BTreeSet::new());
        // Players at each place and after it.
        let mut left = vec![0; places.len() + 1];
        for (at, &place) in places.iter().enumerate().rev() {
            left[at] = left[at + 1] + usize::from(parties[place]);
        }
        let begin = |at, free| Step {
            begun: at,
            at,
            side: 0,
            free,
        };
        let mut steps = vec![begin(0, [self.size.min(left[0] + 1); 2])];
        while let Some(step) = steps.last_mut() {
            if step.free == [0, 0] {
                return game;
            }
            let is_enough = left[step.at] >= step.free[0] + step.free[1];
            let Some(&place) = places.get(step.at).filter(|_| is_enough) else {
                impossible.insert(step.task());
                steps.pop();
                game.pop();
                continue;
            };
            let (size, at, side) = (usize::from(parties[place]), step.at, step.side);
            (step.at, step.side) = (at + side, 1 - side);
            if size == 0 || size > step.free[side] {
                continue;
            }
            let mut rest = step.free;
            rest[side] -= size;
            let next = begin(at + 1, rest);
            if !impossible.contains(&next.task()) {
                game.push(place);
                steps.push(next);
            }
        }
        Vec::new()
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

#[cfg(test)]
mod tests {
    use super::{Battle, Order, Rule};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The first game by places in order, of all ways to give each party a side or none.
    fn first_game(parties: &[u8], places: &[usize], free: [usize; 2]) -> Option<Vec<usize>> {
        if free == [0, 0] {
            return Some(Vec::new());
        }
        places.iter().enumerate().find_map(|(at, &place)| {
            (0..2).find_map(|side| {
                let mut rest = free;
                rest[side] = rest[side].checked_sub(usize::from(parties[place]))?;
                let mut game = first_game(parties, &places[at + 1..], rest)?;
                game.push(place);
                Some(game)
            })
        })
    }

    #[test]
    fn the_first_game_is_played() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut games = 0;
        for _ in 0..3000 {
            let size = rng.random_range(1..7);
            let parties: Vec<u8> = (0..rng.random_range(0..9)).map(|_| rng.random_range(1..6)).collect();
            for order in [Order::First, Order::Last] {
                let mut places: Vec<usize> = (0..parties.len()).collect();
                if order == Order::Last {
                    places.reverse();
                }
                let mut expected = first_game(&parties, &places, [size; 2]).unwrap_or_default();
                expected.sort_unstable();
                games += usize::from(!expected.is_empty());
                assert_eq!(Battle { size, order }.matched(&parties), expected, "{size} {parties:?}");
            }
        }
        assert!(games > 500, "{games}");
    }

    /// Parties of two do not fill sides of 25, which takes some billion ways to find out if each is tried.
    #[test]
    fn what_cannot_be_filled_is_found_soon() {
        let order = Order::First;
        assert!(Battle { size: 25, order }.matched(&[2; 200]).is_empty());
        assert_eq!(
            Battle { size: 26, order }.matched(&[2; 200]),
            (0..26).collect::<Vec<_>>()
        );
        // Deeper than any stack, and more than anybody counts.
        assert_eq!(
            Battle { size: 100_000, order }.matched(&vec![1; 300_000]).len(),
            200_000
        );
        assert!(Battle { size: 100_000, order }.matched(&vec![1; 199_999]).is_empty());
        assert!(
            Battle {
                size: usize::MAX,
                order
            }
            .matched(&[1; 9])
            .is_empty()
        );
    }
}
