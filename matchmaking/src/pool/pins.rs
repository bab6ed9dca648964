//! Players whose group is known before the others are grouped: captains, seeded players, groups that are there already.

use std::fmt;

use matching_heuristics::Groups;

use super::Pool;
use crate::error::{Error, Place};
use crate::player::Player;
use crate::quoted::quoted;

/// So many players of a group are named in a message.
const MOST_NAMED: usize = 8;

/// Why a player cannot be in the group that is named.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PinProblem {
    /// What stands there is no number of a group: these are whole and count from 1.
    NotAGroup {
        /// What stands there.
        found: String,
    },
    /// There are fewer groups.
    NoSuchGroup {
        /// The number of the group, from 1.
        group: u32,
        /// How many there are.
        groups: usize,
    },
    /// Somebody of the same party has to be in another group.
    PartyTorn {
        /// The number of the group, from 1.
        group: u32,
        /// The party.
        party: String,
        /// Who else is in it.
        other: String,
        /// Where that one stands.
        other_place: Place,
        /// The number of that one's group, from 1.
        other_group: u32,
    },
    /// The group has to have more members than it may have.
    TooMany {
        /// The number of the group, from 1.
        group: u32,
        /// The ids of those who have to be in it, with their parties, in the order of the pool.
        players: Vec<String>,
        /// Greatest number of its members.
        most: usize,
    },
    /// The groups of those who have a pin so far have so many members that the others cannot have as many as they must.
    OthersTooSmall {
        /// The number of the group, from 1.
        group: u32,
        /// How many there must be, for all groups to have their members.
        needed: usize,
        /// How many there are.
        players: usize,
    },
    /// Two of those who have to be in the group, with their parties, must not be together.
    Apart {
        /// The number of the group, from 1.
        group: u32,
        /// The ids of the two, in the order of the pool.
        players: [String; 2],
    },
}

impl fmt::Display for PinProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAGroup { found } => write!(
                f,
                "{found} is not the number of a group; write a whole number from 1, or leave the field empty",
                found = quoted(found)
            ),
            Self::NoSuchGroup { group, groups } => {
                write!(f, "there is no group {group}; write a number from 1 to {groups}")
            }
            Self::PartyTorn {
                group,
                party,
                other,
                other_place,
                other_group,
            } => write!(
                f,
                "group {group}, but {other} of the same party {party} is in group {other_group} ({other_place}); parties stay \
                 whole: write the same group, or leave one of the two fields empty",
                other = quoted(other),
                party = quoted(party)
            ),
            Self::TooMany { group, players, most } => write!(
                f,
                "group {group} may have {most} members, and with this player {count} have to be in it, parties being whole \
                 ({named}); name other groups, or make groups larger",
                count = players.len(),
                named = few(players)
            ),
            Self::OthersTooSmall { group, needed, players } => write!(
                f,
                "with this player in group {group}, too few are left for the other groups: {needed} players are needed, and there \
                 are {players}; name another group, or let groups have fewer members"
            ),
            Self::Apart {
                group,
                players: [one, other],
            } => write!(
                f,
                "group {group} would have both {one} and {other}, of whom one avoids the other; name another group",
                one = quoted(one),
                other = quoted(other)
            ),
        }
    }
}

/// The first of many.
fn few(ids: &[String]) -> String {
    let named: Vec<String> = ids.iter().take(MOST_NAMED).map(|id| quoted(id)).collect();
    let more = ids.len() - named.len();
    let named = named.join(", ");
    match more {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// That a pin is a number of a group at all.
pub(super) fn check(player: &Player, place: Place) -> Result<(), Error> {
    if player.pin != Some(0) {
        return Ok(());
    }
    Err(Error::BadPin {
        place,
        id: player.id.clone(),
        problem: Box::new(PinProblem::NotAGroup { found: "0".to_owned() }),
    })
}

impl Pool {
    /// Who is in which of these groups before anybody is grouped: positions of the players who have a
    /// [`pin`](Player::pin), in their order, and their groups, which count from 0 here. It is what
    /// [`Instance::pins`](matching_heuristics::Instance::pins) takes, and `matching_lp::Problem::pin` one by one. The
    /// parties of these players are in the same groups and are not listed.
    ///
    /// # Errors
    /// [`Error::BadPin`] for the first player, in the order of the pool, who cannot be in the group that is named beside
    /// those before: there is no such group, somebody of the same party is in another one, more players than the group may
    /// have are in it with their parties, too few are left for the other groups, or two of these must not be together. That
    /// there is a grouping of all is not said where there is no error.
    ///
    /// # Complexity
    /// O(n) for n players, and the lists of whom they avoid.
    ///
    /// # Examples
    /// ```
    /// use matching_heuristics::{Groups, Instance, Search};
    /// use matchmaking::{Pool, SkillCost};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // Two captains, who are alike.
    /// let csv = "id,rating,deviation,outcomes,pin\nAnn,1500,60,,2\nBen,1510,45,,1\nCho,1720,80,,\nDee,1390,90,,\n";
    /// let pool = Pool::read_csv(csv.as_bytes())?;
    /// let groups = Groups::of_size(pool.len(), 2)?;
    /// let pins = pool.pins(&groups)?;
    /// assert_eq!(pins, [(0, 1), (1, 0)]);
    ///
    /// let cost = SkillCost::new(&pool);
    /// let instance = Instance::pairwise(&cost, groups)?.parties(pool.parties())?.pins(pins)?;
    /// assert_eq!(Search::auto(&instance).run()?.groups(), [[1, 2], [0, 3]]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn pins(&self, groups: &Groups) -> Result<Vec<(usize, usize)>, Error> {
        let mut seats = Seats::new(self, groups);
        let mut pins = Vec::new();
        for (player, pin) in self.players().iter().map(|player| player.pin).enumerate() {
            let Some(number) = pin else { continue };
            match seats.seat(player, number) {
                Ok(group) => pins.push((player, group)),
                Err(problem) => {
                    return Err(Error::BadPin {
                        place: self.place(player),
                        id: self.players()[player].id.clone(),
                        problem: Box::new(problem),
                    });
                }
            }
        }
        Ok(pins)
    }
}

/// Groups that fill, one pin after the other.
struct Seats<'a> {
    pool: &'a Pool,
    groups: &'a Groups,
    parties: Vec<Vec<usize>>,
    /// The party of each player, if it is one of two and more.
    party_of: Vec<Option<usize>>,
    /// The group of each player, and whose pin it is by.
    seat_of: Vec<Option<(usize, usize)>>,
    /// How many are in each group.
    taken: Vec<usize>,
    /// How many more than all groups must have are left for those that have more; `None` where pins are not the reason, as
    /// there are too few for the groups anyway.
    left: Option<usize>,
}

/// How many players all groups must have together.
fn needed(groups: &Groups) -> usize {
    let least = (0..groups.len()).map(|group| *groups.bounds(group).start());
    least.fold(0, usize::saturating_add)
}

impl<'a> Seats<'a> {
    fn new(pool: &'a Pool, groups: &'a Groups) -> Self {
        let parties = pool.parties();
        let mut party_of = vec![None; pool.len()];
        for (party, members) in parties.iter().enumerate() {
            members.iter().for_each(|&player| party_of[player] = Some(party));
        }
        Self {
            pool,
            groups,
            parties,
            party_of,
            seat_of: vec![None; pool.len()],
            taken: vec![0; groups.len()],
            left: pool.len().checked_sub(needed(groups)),
        }
    }

    /// Puts a player and his party into a group, by its number from 1; its number from 0.
    fn seat(&mut self, player: usize, number: u32) -> Result<usize, PinProblem> {
        let groups = self.groups.len();
        let group = (number as usize)
            .checked_sub(1)
            .filter(|&group| group < groups)
            .ok_or(PinProblem::NoSuchGroup { group: number, groups })?;
        match self.seat_of[player] {
            Some((there, _)) if there == group => return Ok(group),
            Some((there, by)) => return Err(self.torn(player, number, there, by)),
            None => {}
        }
        let company = match self.party_of[player] {
            Some(party) => self.parties[party].clone(),
            None => vec![player],
        };
        for &member in &company {
            self.seat_of[member] = Some((group, player));
        }
        let (least, most) = self.groups.bounds(group).into_inner();
        let before = self.taken[group].max(least);
        self.taken[group] += company.len();
        if self.taken[group] > most {
            return Err(PinProblem::TooMany {
                group: number,
                players: self.members(group),
                most,
            });
        }
        if let Some(left) = &mut self.left {
            let more = self.taken[group].max(least) - before;
            *left = left.checked_sub(more).ok_or(PinProblem::OthersTooSmall {
                group: number,
                needed: self.pool.len() - *left + more,
                players: self.pool.len(),
            })?;
        }
        match company.iter().find_map(|&member| self.avoided(member, group)) {
            Some([one, other]) => Err(PinProblem::Apart {
                group: number,
                players: [self.id(one), self.id(other)],
            }),
            None => Ok(group),
        }
    }

    /// A member of a party whose others are there because of `by`.
    fn torn(&self, player: usize, group: u32, there: usize, by: usize) -> PinProblem {
        let party = self.pool.players()[player].party.clone();
        PinProblem::PartyTorn {
            group,
            party: party.unwrap_or_default(),
            other: self.id(by),
            other_place: self.pool.place(by),
            other_group: there as u32 + 1,
        }
    }

    /// A player and somebody of his group who must not be together, in the order of the pool.
    fn avoided(&self, player: usize, group: usize) -> Option<[usize; 2]> {
        let mut others = self.pool.avoided[player].iter().map(|&other| other as usize);
        let is_here = |other: &usize| self.seat_of[*other].is_some_and(|seat| seat.0 == group);
        let other = others.find(is_here)?;
        Some([player.min(other), player.max(other)])
    }

    fn members(&self, group: usize) -> Vec<String> {
        let is_here = |player: &usize| self.seat_of[*player].is_some_and(|seat| seat.0 == group);
        (0..self.pool.len())
            .filter(is_here)
            .map(|player| self.id(player))
            .collect()
    }

    fn id(&self, player: usize) -> String {
        self.pool.players()[player].id.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "id,rating,deviation,outcomes,party,avoid,pin";

    /// The pins of a pool whose rows have an id, a party, whom the player avoids, and a pin.
    fn pins(rows: &[&str], size: usize) -> Result<Vec<(usize, usize)>, Error> {
        let mut text = format!("{HEADER}\n");
        for row in rows {
            let (id, rest) = row.split_once(',').expect("an id and the rest");
            text += &format!("{id},1,1,,{rest}\n");
        }
        let pool = Pool::read_csv(text.as_bytes())?;
        let groups = Groups::of_size(pool.len(), size).expect("enough players");
        pool.pins(&groups)
    }

    #[test]
    fn pins_count_from_one_and_bring_parties_along() {
        let rows = ["a,,,2", "b,x,,", "c,,,", "d,x,,1", "e,,,", "f,,,02"];
        assert_eq!(pins(&rows, 3), Ok(vec![(0, 1), (3, 0), (5, 1)]));
        // All of a party may say so.
        assert_eq!(
            pins(&["a,x,,2", "b,x,,2", "c,,,1", "d,,,"], 2),
            Ok(vec![(0, 1), (1, 1), (2, 0)])
        );
        assert_eq!(pins(&["a,,,", "b,,,"], 1), Ok(Vec::new()));
    }

    /// It was said of positions from 0, and by the search alone.
    #[test]
    fn pins_that_leave_too_few_for_the_other_groups_are_refused_by_line() -> Result<(), Error> {
        let text = "id,rating,pin\na,1,1\nb,1,2\nc,1,1\nd,1,1\ne,1,\n";
        let pool = Pool::read_ratings_csv(text.as_bytes())?;
        let of_two_or_more = |groups: usize| Groups::with_bounds(vec![2..=3; groups]).expect("groups");
        assert_eq!(pool.pins(&of_two_or_more(2))?, [(0, 0), (1, 1), (2, 0), (3, 0)]);
        let pool = Pool::read_ratings_csv(text.trim_end_matches("e,1,\n").as_bytes())?;
        let error = pool.pins(&of_two_or_more(2)).expect_err("three in one of two groups");
        assert_eq!(
            error.to_string(),
            "line 5, column pin, player \"d\": with this player in group 1, too few are left for the other groups: 5 players are \
             needed, and there are 4; name another group, or let groups have fewer members"
        );
        Ok(())
    }

    #[test]
    fn what_cannot_hold_names_line_and_player_and_what_would_be_right() {
        let cases: [(&[&str], &str); 8] = [
            (
                &["a,,,", "b,,,red"],
                "line 3, column pin, player \"b\": \"red\" is not the number of a group; write a whole number from 1, or leave the \
                 field empty",
            ),
            (
                &["a,,,0", "b,,,"],
                "line 2, column pin, player \"a\": \"0\" is not the number",
            ),
            (
                &["a,,,1.5", "b,,,"],
                "line 2, column pin, player \"a\": \"1.5\" is not the number",
            ),
            (
                &["a,,,1", "b,,,3", "c,,,", "d,,,", "e,,,9"],
                "line 3, column pin, player \"b\": there is no group 3; write a number from 1 to 2",
            ),
            (
                &["a,x,,2", "b,,,2", "c,x,,1", "d,,,"],
                "line 3, column pin, player \"b\": group 2 may have 2 members, and with this player 3 have to be in it, parties \
                 being whole (\"a\", \"b\", \"c\"); name other groups, or make groups larger",
            ),
            (
                &["a,x,,2", "b,,,1", "c,x,,1", "d,,,"],
                "line 4, column pin, player \"c\": group 1, but \"a\" of the same party \"x\" is in group 2 (line 2); parties stay \
                 whole: write the same group, or leave one of the two fields empty",
            ),
            (
                &["a,,d,2", "b,,,", "c,,,", "d,,,2"],
                "line 5, column pin, player \"d\": group 2 would have both \"a\" and \"d\", of whom one avoids the other; name \
                 another group",
            ),
            (
                &["a,x,b,2", "b,x,,", "c,,,", "d,,,"],
                "line 2, column pin, player \"a\": group 2 would have both \"a\" and \"b\"",
            ),
        ];
        for (rows, message) in cases {
            let error = pins(rows, 2).map_err(|error| error.to_string());
            let error = error.expect_err("a pin that cannot hold");
            assert!(error.starts_with(message), "{rows:?}: {error}");
        }
    }

    #[test]
    fn pins_made_in_code_are_checked_by_position() {
        let mut players = ["a", "b", "c", "d"].map(|id| Player::new(id, 1.0, 1.0));
        players[2].pin = Some(0);
        let error = Pool::new(players.to_vec()).map_err(|error| error.to_string());
        assert!(error.is_err_and(|error| error.starts_with("player at position 2, column pin, player \"c\": \"0\"")));
        players[2].pin = Some(u32::MAX);
        let pool = Pool::new(players.to_vec()).expect("pins are numbers");
        let groups = Groups::with_bounds([1..=3, 1..=3]).expect("bounds");
        assert_eq!(
            pool.pins(&groups),
            Err(Error::BadPin {
                place: Place::Position(2),
                id: "c".to_owned(),
                problem: Box::new(PinProblem::NoSuchGroup {
                    group: u32::MAX,
                    groups: 2
                })
            })
        );
        // As many as the group may have, and one more; an empty text is no party.
        for player in &mut players {
            (player.pin, player.party) = (Some(2), Some(String::new()));
        }
        let mut three = players.clone();
        three[3].pin = None;
        let three = Pool::new(three.to_vec()).expect("good players");
        assert_eq!(three.pins(&groups), Ok(vec![(0, 1), (1, 1), (2, 1)]));
        let four = Pool::new(players.to_vec()).expect("good players").pins(&groups);
        let Err(Error::BadPin { id, problem, .. }) = four else {
            panic!("{four:?}");
        };
        assert_eq!(id, "d");
        assert!(
            matches!(*problem, PinProblem::TooMany { group: 2, most: 3, .. }),
            "{problem}"
        );
    }
}
