//! Whether parties go into teams of which some have fewer open places: those of running matches.

use std::collections::HashSet;

use super::teams::{completions, fit, undominated};
use super::{Counts, players};
use crate::lobby::running::Running;

/// Teams to be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rooms {
    /// Number of teams of each number of open places, below the size of a team.
    open: Counts,
    /// Number of teams that are all open.
    whole: usize,
    team_size: usize,
}

impl Rooms {
    /// No teams, of this size.
    pub(super) fn none(team_size: usize) -> Self {
        Self {
            open: Counts::default(),
            whole: 0,
            team_size,
        }
    }

    /// The same, and both teams of so many new matches.
    #[must_use]
    pub(super) fn and_new(mut self, matches: usize) -> Self {
        self.whole += 2 * matches;
        self
    }

    /// The same, and the open places of a running match, whose teams are not too large.
    #[must_use]
    pub(super) fn and_running(mut self, running: &Running) -> Self {
        for open in running.open(self.team_size) {
            if open == self.team_size {
                self.whole += 1;
            } else if open > 0 {
                self.open[open] += 1;
            }
        }
        self
    }

    /// Open places of all teams.
    pub(super) fn seats(&self) -> usize {
        players(&self.open) + self.whole * self.team_size
    }

    pub(super) fn team_size(&self) -> usize {
        self.team_size
    }

    /// Whether parties of these sizes go into the open places, some of which may stay open.
    ///
    /// Exact, as [`fit`] is and for the same reason: of two ways to fill a team, however many places it has, the one whose
    /// parties fit into the other's places can be left out. Teams with few open places come first, as they have few ways.
    pub(super) fn fit(&self, counts: &Counts) -> bool {
        // Parties of one fill any place, and no other one fills a single place.
        let mut rest = *counts;
        rest[1] = 0;
        let mut open = self.open;
        open[1] = 0;
        players(counts) <= self.seats() && Search::new(self).fit(rest, open)
    }

    /// Whether parties of these sizes fill exactly the open places.
    pub(super) fn fill(&self, counts: &Counts) -> bool {
        players(counts) == self.seats() && self.fit(counts)
    }
}

struct Search {
    whole: usize,
    team_size: usize,
    /// Parties that have been found not to go into the teams.
    failed: HashSet<(Counts, Counts)>,
}

impl Search {
    fn new(rooms: &Rooms) -> Self {
        Self {
            whole: rooms.whole,
            team_size: rooms.team_size,
            failed: HashSet::new(),
        }
    }

    fn fit(&mut self, mut counts: Counts, mut open: Counts) -> bool {
        while let Some(room) = open.iter().position(|&count| count > 0) {
            if players(&counts) > players(&open) + self.whole * self.team_size {
                return false;
            }
            let ways = undominated(completions(&counts, room, room));
            if let [way] = &ways[..] {
                // The only one for as long as there are parties for it: those it dominates become fewer.
                let mut taken = Counts::default();
                way.iter().for_each(|&size| taken[size] += 1);
                let kinds = (2..=room).filter(|&size| taken[size] > 0);
                let alike = kinds.fold(open[room], |alike, size| alike.min(counts[size] / taken[size]));
                counts = std::array::from_fn(|size| counts[size] - alike * taken[size]);
                open[room] -= alike;
                continue;
            }
            let key = (counts, open);
            if self.failed.contains(&key) {
                return false;
            }
            open[room] -= 1;
            let rest = |way: &Vec<usize>| {
                let mut rest = counts;
                way.iter().for_each(|&size| rest[size] -= 1);
                rest
            };
            let is_possible = ways.iter().any(|way| self.fit(rest(way), open));
            if !is_possible {
                self.failed.insert(key);
            }
            return is_possible;
        }
        // A party that is larger than a team goes nowhere.
        counts[self.team_size + 1..].iter().all(|&count| count == 0) && fit(&counts, self.whole, self.team_size)
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Rooms};

    /// Every party into every team, one after the other.
    fn fit_by_force(parties: &[usize], rooms: &mut [usize]) -> bool {
        let Some((&first, rest)) = parties.split_first() else {
            return true;
        };
        (0..rooms.len()).any(|at| {
            let is_new = !rooms[..at].contains(&rooms[at]);
            is_new && rooms[at] >= first && {
                rooms[at] -= first;
                let is_possible = fit_by_force(rest, rooms);
                rooms[at] += first;
                is_possible
            }
        })
    }

    #[test]
    fn agrees_with_force() {
        let mut possible = [0; 2];
        for team_size in 2..=8_usize {
            for code in 0..3_usize.pow(6) {
                let digit = |at: u32| code / 3_usize.pow(at) % 3;
                // Up to two parties of each of three sizes, and up to two teams of each of three numbers of open places.
                let mut counts = Counts::default();
                for at in 0..team_size.min(3) {
                    counts[team_size - at] = digit(at as u32);
                }
                let mut rooms = Rooms::none(team_size);
                let mut by_hand = Vec::new();
                for at in 0..3 {
                    let room = team_size.saturating_sub(at);
                    for _ in 0..digit(3 + at as u32) {
                        match at {
                            0 => rooms.whole += 1,
                            _ => rooms.open[room] += 1,
                        }
                        by_hand.push(room);
                    }
                }
                for small in [0, 2] {
                    if team_size > 4 {
                        counts[2] = small;
                    }
                    let parties: Vec<usize> = (1..=8).rev().flat_map(|size| vec![size; counts[size]]).collect();
                    let expected = fit_by_force(&parties, &mut by_hand.clone());
                    assert_eq!(rooms.fit(&counts), expected, "{counts:?} {rooms:?}");
                    possible[usize::from(expected)] += 1;
                }
            }
        }
        assert!(possible.iter().all(|&count| count > 1_000), "{possible:?}");
    }

    #[test]
    fn small_rooms_are_no_room_for_large_parties() {
        let mut rooms = Rooms::none(5);
        rooms.open[3] = 2;
        let counts = |sizes: &[usize]| {
            let mut counts = Counts::default();
            sizes.iter().for_each(|&size| counts[size] += 1);
            counts
        };
        assert!(rooms.fill(&counts(&[3, 2, 1])) && !rooms.fill(&counts(&[4, 2])));
        assert!(!rooms.fill(&counts(&[2, 2, 2])) && rooms.fit(&counts(&[2, 2])));
        assert_eq!(rooms.seats(), 6);
    }
}
