//! Which running matches those who wait fill.

use super::rooms::Rooms;
use super::supply::{Supply, supply};
use super::waiting::{count, members};
use crate::lobby::round::Round;
use crate::lobby::rules::Rules;
use crate::lobby::running::{Short, Why};

/// The running matches that are to be filled, and those with open places that stay as they are.
pub(super) struct Backfill {
    /// Ascending.
    pub(super) filled: Vec<usize>,
    pub(super) short: Vec<Short>,
    /// The open places of those to be filled.
    pub(super) rooms: Rooms,
    /// For each party whether it may come to one of those; empty where it is not limited who may.
    pub(super) comes: Vec<bool>,
}

/// Goes through the running matches in the order of the round, and takes each that can be filled beside those before it,
/// but for these, of which somebody has found out that they cannot.
///
/// Complete for sizes of parties. Of limits it is a necessary condition: parties that may be with all who play in a match
/// fill it, and for all matches together there are as many such players as open places, each for one of them. Whether those
/// who come may be with each other is left to the search.
pub(super) fn backfill(round: &Round, rules: &Rules, passed_over: &[Short]) -> Backfill {
    let is_limited = rules.has_limits(round);
    let waiting: Vec<usize> = (0..round.parties().len()).filter(|&party| round.waits(party)).collect();
    let players: usize = waiting.iter().map(|&party| round.parties()[party].len()).sum();
    let nobody = Default::default();
    let can_fill = |parties: &[usize], rooms: &Rooms| {
        let found = supply(&nobody, &count(round, parties), rooms);
        matches!(found, Supply::Found(_))
    };
    let mut seats = Seats::new(round.len());
    let mut found = Backfill {
        filled: Vec::new(),
        short: Vec::new(),
        rooms: Rooms::none(rules.team_size),
        comes: vec![false; if is_limited { round.parties().len() } else { 0 }],
    };
    for (number, running) in round.running().iter().enumerate() {
        let alone = Rooms::none(rules.team_size).and_running(running);
        let rooms = found.rooms.and_running(running);
        if alone.seats() == 0 {
            continue;
        }
        let mut may_come: Vec<usize> = Vec::new();
        let why = if players < rooms.seats() {
            Some(Why::TooFew)
        } else if !can_fill(&waiting, &rooms) {
            Some(Why::Parties)
        } else if let Some(known) = passed_over.iter().find(|short| short.running == number) {
            Some(known.why)
        } else if is_limited {
            let meets_all = |&i: &usize| running.players().all(|j| rules.may_meet(round, i, j));
            let is_near = |&party: &usize| rules.too_far_in(round, party).is_none();
            let meet_all = |party: &usize| round.parties()[*party].iter().all(meets_all);
            may_come.extend(
                waiting
                    .iter()
                    .copied()
                    .filter(|party| is_near(party) && meet_all(party)),
            );
            let of_all = |&party: &usize| found.comes[party] || may_come.binary_search(&party).is_ok();
            let of_all: Vec<usize> = waiting.iter().copied().filter(of_all).collect();
            let is_possible = can_fill(&may_come, &alone)
                && can_fill(&of_all, &rooms)
                && seats.take(members(round, &may_come), alone.seats());
            (!is_possible).then_some(Why::Limits)
        } else {
            None
        };
        match why {
            Some(why) => found.short.push(Short { running: number, why }),
            None => {
                found.filled.push(number);
                found.rooms = rooms;
                may_come.iter().for_each(|&party| found.comes[party] = true);
            }
        }
    }
    found
}

/// Who could sit where, so that all open places are taken: H. W. Kuhn's augmenting paths, "The Hungarian method for the
/// assignment problem", Naval Research Logistics Quarterly 2, 1955.
struct Seats {
    /// Who may come to each of the matches so far.
    may_come: Vec<Vec<usize>>,
    /// The match of each player, as a position in `may_come`.
    owner: Vec<Option<usize>>,
}

impl Seats {
    fn new(players: usize) -> Self {
        Self {
            may_come: Vec::new(),
            owner: vec![None; players],
        }
    }

    /// Gives a match so many of those who may come to it, and others to those who lose some by that. Whether it goes; if not,
    /// the match has none.
    fn take(&mut self, may_come: Vec<usize>, seats: usize) -> bool {
        let at = self.may_come.len();
        self.may_come.push(may_come);
        if (0..seats).all(|_| self.take_one(at)) {
            return true;
        }
        self.may_come.pop();
        self.owner
            .iter_mut()
            .filter(|owner| **owner == Some(at))
            .for_each(|owner| *owner = None);
        false
    }

    /// One more player for a match, along a path on which each match gives one up and takes another.
    fn take_one(&mut self, root: usize) -> bool {
        // The match that would take a player, and the player that a match would give up.
        let mut taker: Vec<Option<usize>> = vec![None; self.owner.len()];
        let mut given: Vec<Option<usize>> = vec![None; self.may_come.len()];
        let mut queue = vec![root];
        let mut next = 0;
        while let Some(&at) = queue.get(next) {
            next += 1;
            for &player in &self.may_come[at] {
                if self.owner[player] == Some(at) || taker[player].is_some() {
                    continue;
                }
                taker[player] = Some(at);
                match self.owner[player] {
                    Some(owner) if owner == root || given[owner].is_some() => {}
                    Some(owner) => {
                        given[owner] = Some(player);
                        queue.push(owner);
                    }
                    None => {
                        self.follow(player, &taker, &given);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Gives each player of the path that ends with this one to its taker.
    fn follow(&mut self, last: usize, taker: &[Option<usize>], given: &[Option<usize>]) {
        let mut player = Some(last);
        while let Some(at) = player {
            self.owner[at] = taker[at];
            player = taker[at].and_then(|taker| given[taker]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Seats;

    /// Whether each match can have so many of its players, by trying them all.
    fn by_force(wanted: &[(Vec<usize>, usize)], is_taken: &mut [bool]) -> bool {
        let Some((at, (may_come, seats))) = wanted.iter().enumerate().find(|(_, (_, seats))| *seats > 0) else {
            return true;
        };
        may_come.iter().any(|&player| {
            let mut rest = wanted.to_vec();
            rest[at].1 = seats - 1;
            !std::mem::replace(&mut is_taken[player], true) && {
                let is_possible = by_force(&rest, is_taken);
                is_taken[player] = false;
                is_possible
            }
        })
    }

    #[test]
    fn matches_take_turns_as_force_says() {
        // By a linear congruence: who may come to which match, and how many are wanted.
        let mut state = 1_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut seen = [0; 2];
        for _ in 0..400 {
            let mut seats = Seats::new(6);
            let mut taken: Vec<(Vec<usize>, usize)> = Vec::new();
            for _ in 0..4 {
                let may_come: Vec<usize> = (0..6).filter(|_| draw(2) == 0).collect();
                let wanted = 1 + draw(3) as usize;
                let mut all = taken.clone();
                all.push((may_come.clone(), wanted));
                let expected = by_force(&all, &mut [false; 6]);
                assert_eq!(seats.take(may_come, wanted), expected);
                if expected {
                    taken = all;
                }
                seen[usize::from(expected)] += 1;
                for (at, (_, wanted)) in taken.iter().enumerate() {
                    let held = seats.owner.iter().filter(|owner| **owner == Some(at)).count();
                    assert_eq!(held, *wanted);
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
    }
}
