//! Who belongs together: members of a party, and those who play in a running match already.

use super::tables::OPPOSED;
use crate::lobby::player::Side;
use crate::lobby::round::Round;

/// What a link asks of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// The two are in one team.
    Mates,
    /// They are not.
    Enemies,
}

/// Chains of players, each linked to the next: the members of a party that waits, or the red team of a running match and
/// then its blue one. Whoever is alone is a chain.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    /// The next of the chain, in a ring.
    pub(super) next: Vec<u32>,
    /// The size of the party for its first member, 0 for others and in running matches.
    leading: Vec<u8>,
    /// Players of the red team for the first of a running match; empty where none runs.
    red: Vec<u8>,
    /// Who is the last of a chain, and so has no link to the next.
    is_last: Vec<bool>,
    /// Links of each player, and [`OPPOSED`].
    links: Vec<u32>,
}

impl Chains {
    pub(super) fn new(round: &Round) -> Self {
        let n = round.len();
        let mut chains = Self {
            next: vec![0; n],
            leading: vec![0; n],
            red: vec![0; if round.running().is_empty() { 0 } else { n }],
            is_last: vec![false; n],
            links: vec![0; n],
        };
        let parties = round.parties().iter().enumerate();
        for (_, party) in parties.filter(|&(party, _)| round.waits(party)) {
            chains.leading[party[0]] = party.len() as u8;
            chains.add(party);
        }
        for running in round.running() {
            let players: Vec<usize> = running.players().collect();
            chains.add(&players);
            let (red, blue) = (running.team(Side::Red), running.team(Side::Blue));
            chains.red[players[0]] = red.len() as u8;
            if let (Some(_), Some(&first)) = (red.first(), blue.first()) {
                chains.links[first] += OPPOSED;
            }
        }
        chains
    }

    fn add(&mut self, players: &[usize]) {
        for (at, &player) in players.iter().enumerate() {
            self.next[player] = players[(at + 1) % players.len()] as u32;
            self.links[player] = u32::from(at > 0) + u32::from(at + 1 < players.len());
        }
        self.is_last[players[players.len() - 1]] = true;
    }

    /// Links of a player to others, and [`OPPOSED`] for the first blue one of a running match that has both teams.
    pub(super) fn links(&self, player: usize) -> u32 {
        self.links[player]
    }

    /// What links two different players.
    pub(super) fn link(&self, i: usize, j: usize) -> Option<Link> {
        let follows = |i: usize, j: usize| self.next[i] as usize == j && !self.is_last[i];
        let later = match (follows(i, j), follows(j, i)) {
            (true, _) => j,
            (_, true) => i,
            _ => return None,
        };
        // The first blue one follows the last red one.
        Some(if self.links[later] < OPPOSED {
            Link::Mates
        } else {
            Link::Enemies
        })
    }

    /// The numbers of players that the red team of a running match and some of the parties make up, bit by bit.
    #[inline]
    pub(super) fn sums(&self, members: &[usize]) -> u32 {
        let of_parties = members.iter().fold(1_u32, |sums, &i| sums | sums << self.leading[i]);
        if self.red.is_empty() {
            return of_parties;
        }
        of_parties << members.iter().map(|&i| self.red[i]).sum::<u8>()
    }
}
