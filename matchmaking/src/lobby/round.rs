//! Everybody who waits or plays already, and what lies between them.

use std::collections::HashMap;

use super::error::Error;
use super::matrix::SymmetricMatrix;
use super::player::Player;
use super::running::{Running, check_running, group_running};
use super::wishes::Ties;
use crate::error::{NumberProblem, Place};
use crate::written::number_text;

/// The most players of a round. Tables of all pairs take 8 bytes for each ordered pair: 200 MB for so many, besides
/// 62 MB for pings and connections.
pub const MAX_PLAYERS: usize = 5_000;

/// The greatest skill, and the least below zero: differences, and what those of all players add up to, are finite numbers.
pub const MAX_SKILL: f64 = 1e300;

/// The players of a round, their parties, and the ping and connection of every two: checked. Two rounds are equal if all of that
/// and their unknown fields are, whatever lines of a file the players were read from.
#[derive(Clone, Debug)]
pub struct Round {
    players: Vec<Player>,
    /// The line of each player in a CSV file; empty for others.
    lines: Vec<u64>,
    /// Members of each party, ascending; a player without a party is one of its own. In order of the first members.
    parties: Vec<Vec<usize>>,
    /// The party of each player.
    party_of: Vec<usize>,
    ping_ms: SymmetricMatrix<f32>,
    can_connect: SymmetricMatrix<bool>,
    /// Who must not be in the same match.
    pub(super) avoided: Ties,
    /// Who would rather not be mates.
    pub(super) disliked: Ties,
    /// Matches that run already, in order of their first players.
    running: Vec<Running>,
    /// The running match of each player; empty if there is none.
    running_of: Vec<Option<u32>>,
    unknown_fields: Vec<String>,
}

impl PartialEq for Round {
    fn eq(&self, other: &Self) -> bool {
        // Parties and running matches are those that the players name.
        (
            &self.players,
            &self.ping_ms,
            &self.can_connect,
            &self.avoided,
            &self.disliked,
            &self.unknown_fields,
        ) == (
            &other.players,
            &other.ping_ms,
            &other.can_connect,
            &other.avoided,
            &other.disliked,
            &other.unknown_fields,
        )
    }
}

impl Round {
    /// A round of these players.
    ///
    /// # Errors
    /// [`Error::NoPlayers`], [`Error::TooManyPlayers`], [`Error::EmptyId`], [`Error::DuplicateId`],
    /// [`Error::BadNumber`] for a skill, [`Error::WrongShape`] where a matrix is not of this many players,
    /// [`Error::BadPing`]; for those who [play already](Player::playing) [`Error::NoMatchId`], [`Error::PlaysAndWaits`],
    /// [`Error::PartyTorn`].
    pub fn new(
        players: Vec<Player>,
        ping_ms: SymmetricMatrix<f32>,
        can_connect: SymmetricMatrix<bool>,
    ) -> Result<Self, Error> {
        check_players(&players)?;
        Self::checked(players, ping_ms, can_connect, Vec::new())
    }

    /// A round of these players, with pings and connections as rows of full matrices, whose diagonals are not used.
    ///
    /// # Errors
    /// As [`Round::new`], and [`Error::Asymmetric`].
    pub fn from_rows(players: Vec<Player>, ping_ms: &[Vec<f32>], can_connect: &[Vec<bool>]) -> Result<Self, Error> {
        check_players(&players)?;
        let ping_ms = symmetric("ping_ms", ping_ms, &players, number_text)?;
        let can_connect = symmetric("can_connect", can_connect, &players, |flag| flag.to_string())?;
        Self::checked(players, ping_ms, can_connect, Vec::new())
    }

    /// The same round with these parties, each a list of ids, instead of those that the players name. Who is not listed
    /// plays alone.
    ///
    /// # Errors
    /// [`Error::UnknownMember`], [`Error::InTwoParties`], [`Error::PartyTorn`].
    pub fn with_parties<S: AsRef<str>>(mut self, parties: &[Vec<S>]) -> Result<Self, Error> {
        let positions: HashMap<&str, usize> = (self.players.iter().enumerate())
            .map(|(i, player)| (player.id.as_str(), i))
            .collect();
        let mut party_of: Vec<Option<usize>> = vec![None; self.len()];
        for (party, members) in parties.iter().enumerate() {
            for id in members.iter().map(AsRef::as_ref) {
                let unknown = || Error::UnknownMember {
                    party,
                    id: id.to_owned(),
                };
                let &i = positions.get(id).ok_or_else(unknown)?;
                if let Some(first) = party_of[i].replace(party) {
                    let (id, parties) = (id.to_owned(), (first, party));
                    return Err(Error::InTwoParties { id, parties });
                }
            }
        }
        for (player, party) in self.players.iter_mut().zip(party_of) {
            player.party = party.map(|party| format!("party {party}"));
        }
        check_running(&self.players, &|i| self.place(i))?;
        (self.parties, self.party_of) = group_parties(&self.players);
        Ok(self)
    }

    /// What [`Round::new`] checks of ids and skills is known to hold; players stand in these lines, or in none.
    pub(super) fn checked(
        players: Vec<Player>,
        ping_ms: SymmetricMatrix<f32>,
        can_connect: SymmetricMatrix<bool>,
        lines: Vec<u64>,
    ) -> Result<Self, Error> {
        check_running(&players, &|i| Place::among(&lines, i))?;
        let expected = players.len();
        for (matrix, found) in [("ping_ms", ping_ms.len()), ("can_connect", can_connect.len())] {
            if found != expected {
                return Err(Error::WrongShape {
                    matrix,
                    row: None,
                    expected,
                    found,
                });
            }
        }
        for (i, j) in (0..expected).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let found = ping_ms.get(i, j);
            if !found.is_finite() || found < 0.0 {
                let [first, second] = [i, j].map(|i| players[i].id.clone());
                return Err(Error::BadPing { first, second, found });
            }
        }
        let (parties, party_of) = group_parties(&players);
        let (running, running_of) = group_running(&players);
        Ok(Self {
            avoided: Ties::default(),
            disliked: Ties::default(),
            players,
            lines,
            parties,
            party_of,
            running,
            running_of,
            ping_ms,
            can_connect,
            unknown_fields: Vec::new(),
        })
    }

    pub(super) fn with_unknown_fields(mut self, unknown_fields: Vec<String>) -> Self {
        self.unknown_fields = unknown_fields;
        self
    }

    /// The round of these players alone, in this order. A party, or a running match, of which only some are kept is then that
    /// much smaller. Of
    /// nobody it is a round without players, which has no matches: whoever is to make some of it says so
    /// ([`Error::TooFewPlayers`]).
    ///
    /// # Panics
    /// If a position is not below [`Round::len`], or is there twice.
    #[track_caller]
    pub fn subset(&self, keep: &[usize]) -> Self {
        let mut is_kept = vec![false; self.len()];
        for &player in keep {
            let len = self.len();
            assert!(player < len, "player {player} where the round has {len}");
            assert!(!is_kept[player], "player {player} is kept twice");
            is_kept[player] = true;
        }
        let players: Vec<Player> = keep.iter().map(|&i| self.players[i].clone()).collect();
        let (parties, party_of) = group_parties(&players);
        let (running, running_of) = group_running(&players);
        Self {
            avoided: self.avoided.among(keep, self.len()),
            disliked: self.disliked.among(keep, self.len()),
            players,
            lines: match &self.lines[..] {
                [] => Vec::new(),
                lines => keep.iter().map(|&i| lines[i]).collect(),
            },
            parties,
            party_of,
            running,
            running_of,
            ping_ms: SymmetricMatrix::from_fn(keep.len(), |i, j| self.ping_ms(keep[i], keep[j])),
            can_connect: SymmetricMatrix::from_fn(keep.len(), |i, j| self.can_connect(keep[i], keep[j])),
            unknown_fields: self.unknown_fields.clone(),
        }
    }

    /// The players, in input order.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Where a player stands, as messages name it: the line of a CSV file, else the position among all.
    ///
    /// # Panics
    /// If there is no such player.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::Place;
    /// use matchmaking::lobby::Round;
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let round = Round::read_csv("id,skill,region\n\nAnn,1,SA\nBen,2,SA\n".as_bytes())?;
    /// assert_eq!(round.place(1), Place::Line(4));
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn place(&self, player: usize) -> Place {
        let len = self.len();
        assert!(player < len, "player {player} where the round has {len}");
        Place::among(&self.lines, player)
    }

    /// Number of players.
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// The parties as positions of players, ascending; who plays alone is a party of one.
    pub fn parties(&self) -> &[Vec<usize>] {
        &self.parties
    }

    /// The party of a player, as a position in [`Round::parties`].
    ///
    /// # Panics
    /// If there is no such player.
    #[track_caller]
    pub fn party_of(&self, player: usize) -> usize {
        self.party_of[player]
    }

    /// The matches that run already, in order of their first players.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Round, Side};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let text = "id,skill,region,match,team\nAnn,1,SA,m7,red\nBen,2,SA,m7,blue\nCho,3,SA,,\n";
    /// let round = Round::read_csv(text.as_bytes())?;
    /// let [running] = round.running() else { panic!("one match") };
    /// assert_eq!((running.id(), running.team(Side::Blue)), ("m7", &[1][..]));
    /// assert_eq!((round.running_of(0), round.running_of(2)), (Some(0), None));
    /// # Ok(())
    /// # }
    /// ```
    pub fn running(&self) -> &[Running] {
        &self.running
    }

    /// The running match of a player, as a position in [`Round::running`]; `None` for those who wait.
    ///
    /// # Panics
    /// If there is no such player.
    #[track_caller]
    pub fn running_of(&self, player: usize) -> Option<usize> {
        assert!(
            player < self.len(),
            "player {player} where the round has {}",
            self.len()
        );
        self.running_of
            .get(player)
            .copied()
            .flatten()
            .map(|number| number as usize)
    }

    /// Whether the members of a party wait: all of them, or none.
    pub(super) fn waits(&self, party: usize) -> bool {
        self.running_of(self.parties[party][0]).is_none()
    }

    /// Whether two players are in the same running match.
    pub(super) fn play_together(&self, i: usize, j: usize) -> bool {
        !self.running.is_empty()
            && self
                .running_of(i)
                .is_some_and(|number| self.running_of(j) == Some(number))
    }

    /// The label of a party, or the id of who plays alone.
    ///
    /// # Panics
    /// If there is no such party.
    #[track_caller]
    pub fn party_label(&self, party: usize) -> &str {
        let first = &self.players[self.parties[party][0]];
        first.party_label().unwrap_or(&first.id)
    }

    /// The ping of two players in milliseconds.
    ///
    /// # Panics
    /// If the two are the same or one is not a player.
    #[track_caller]
    pub fn ping_ms(&self, i: usize, j: usize) -> f32 {
        self.ping_ms.get(i, j)
    }

    /// Whether two players can connect.
    ///
    /// # Panics
    /// If the two are the same or one is not a player.
    #[track_caller]
    pub fn can_connect(&self, i: usize, j: usize) -> bool {
        self.can_connect.get(i, j)
    }

    /// Fields and columns of the input that no round has, in input order: they were not used.
    pub fn unknown_fields(&self) -> &[String] {
        &self.unknown_fields
    }
}

/// Members of each party in order of the first ones, and the party of each player.
fn group_parties(players: &[Player]) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut parties: Vec<Vec<usize>> = Vec::new();
    let mut party_of = Vec::with_capacity(players.len());
    for (i, player) in players.iter().enumerate() {
        let new = parties.len();
        let party = player
            .party_label()
            .map_or(new, |label| *numbers.entry(label).or_insert(new));
        if party == new {
            parties.push(Vec::new());
        }
        parties[party].push(i);
        party_of.push(party);
    }
    (parties, party_of)
}

/// Checks ids and skills.
pub(super) fn check_players(players: &[Player]) -> Result<(), Error> {
    if players.is_empty() {
        return Err(Error::NoPlayers);
    }
    if players.len() > MAX_PLAYERS {
        let (players, limit) = (players.len(), MAX_PLAYERS);
        return Err(Error::TooManyPlayers { players, limit });
    }
    let mut positions: HashMap<&str, usize> = HashMap::with_capacity(players.len());
    for (i, player) in players.iter().enumerate() {
        if player.id.is_empty() {
            return Err(Error::EmptyId {
                place: Place::Position(i),
            });
        }
        if let Some(first) = positions.insert(&player.id, i) {
            let (id, place, first) = (player.id.clone(), Place::Position(i), Place::Position(first));
            return Err(Error::DuplicateId { id, place, first });
        }
        if let Some(problem) = problem_of(player.skill) {
            return Err(Error::BadNumber {
                place: Place::Position(i),
                id: player.id.clone(),
                field: "skill",
                found: number_text(player.skill),
                problem,
            });
        }
    }
    Ok(())
}

/// What is wrong with a skill.
pub(super) fn problem_of(skill: f64) -> Option<NumberProblem> {
    if skill.is_nan() {
        Some(NumberProblem::NotANumber)
    } else if skill.is_infinite() {
        Some(NumberProblem::Infinite)
    } else {
        let limit = MAX_SKILL;
        (skill.abs() > limit).then_some(NumberProblem::OutOfRange { limit })
    }
}

/// A full matrix as a symmetric one, of whose entries messages say what `text` makes of them.
pub(super) fn symmetric<T: Copy + PartialOrd>(
    matrix: &'static str,
    rows: &[Vec<T>],
    players: &[Player],
    text: fn(T) -> String,
) -> Result<SymmetricMatrix<T>, Error> {
    let expected = players.len();
    if rows.len() != expected {
        return Err(Error::WrongShape {
            matrix,
            row: None,
            expected,
            found: rows.len(),
        });
    }
    if let Some(row) = rows.iter().position(|row| row.len() != expected) {
        return Err(Error::WrongShape {
            matrix,
            row: Some(row),
            expected,
            found: rows[row].len(),
        });
    }
    // What is not a number in both orders is no asymmetry; it is refused for what it is.
    let is_number = |value: T| value.partial_cmp(&value).is_some();
    let differ = |a: T, b: T| a != b && (is_number(a) || is_number(b));
    for (i, row) in rows.iter().enumerate() {
        if let Some(j) = (0..i).find(|&j| differ(row[j], rows[j][i])) {
            let [first, second] = [i, j].map(|i| players[i].id.clone());
            let [found, other] = [row[j], rows[j][i]].map(text);
            return Err(Error::Asymmetric {
                matrix,
                first,
                second,
                found,
                other,
            });
        }
    }
    Ok(SymmetricMatrix::from_fn(expected, |i, j| rows[i][j]))
}
