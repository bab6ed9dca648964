//! Who plays, and who waits for the next round.

use std::cmp::Reverse;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::Counts;
use super::supply::{Supply, supply};
use crate::lobby::error::Error;
use crate::lobby::round::Round;
use crate::lobby::rules::{MAX_TEAM_SIZE, Priority, Rules};

/// How many matches there have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fill {
    /// As many as the number of players allows; an error if the parties do not.
    Every,
    /// As many as the parties allow.
    Possible,
}

/// Who plays and who waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    playing: Vec<usize>,
    waiting: Vec<usize>,
}

impl Selection {
    /// Who plays, ascending: whole parties that fill whole matches.
    pub fn playing(&self) -> &[usize] {
        &self.playing
    }

    /// Who waits, ascending.
    pub fn waiting(&self) -> &[usize] {
        &self.waiting
    }
}

/// Chooses who plays: whole parties, in the order of the rules' [`Priority`], such that the rest can fill up the
/// matches.
///
/// Nobody who waits could play instead of somebody of lower priority, or besides everybody of higher one. The same seed
/// gives the same choice; chance decides only between parties of equal priority.
///
/// # Errors
/// [`Error::BadTeamSize`], [`Error::BadRule`], [`Error::PartyTooLarge`], [`Error::TooFewPlayers`],
/// [`Error::CannotPack`] where there are not so many matches ([`Fill::Every`]) or none ([`Fill::Possible`]),
/// [`Error::PackingUndecided`].
pub fn choose(round: &Round, rules: &Rules, fill: Fill, seed: u64) -> Result<Selection, Error> {
    rules.check_for(round)?;
    let order = by_priority(round, rules.priority, seed);
    let everybody = count(round, &order);
    let wanted = round.len() / rules.match_size();
    let possible = most_matches(&everybody, wanted, rules.team_size)?;
    if possible == 0 || (possible < wanted && fill == Fill::Every) {
        let rest = if possible == 0 {
            order
        } else {
            in_order(round, &order, possible, rules.team_size)?.1
        };
        return Err(cannot_pack(round, &rest, wanted, possible, rules.team_size));
    }
    let (chosen, left) = in_order(round, &order, possible, rules.team_size)?;
    let [playing, waiting] = [chosen, left].map(|parties| members(round, &parties));
    Ok(Selection { playing, waiting })
}

/// The error about parties that find no place. Those of one are named only where there is no other: they are easy to
/// place, it is the others that stand in the way.
pub(super) fn cannot_pack(
    round: &Round,
    parties: &[usize],
    matches: usize,
    possible: usize,
    team_size: usize,
) -> Error {
    let is_alone = |party: usize| round.parties()[party].len() == 1;
    let only_alone = parties.iter().all(|&party| is_alone(party));
    let mut named: Vec<usize> = parties
        .iter()
        .copied()
        .filter(|&party| only_alone || !is_alone(party))
        .collect();
    named.sort_unstable();
    let parties = named
        .into_iter()
        .map(|party| round.party_label(party).to_owned())
        .collect();
    Error::CannotPack {
        parties,
        matches,
        possible,
        team_size,
    }
}

/// All parties, those who play first in front.
fn by_priority(round: &Round, priority: Priority, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..round.parties().len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    if priority == Priority::LongestWait {
        let waited = |&party: &usize| round.parties()[party].iter().map(|&i| round.players()[i].waited).max();
        order.sort_by_key(|party| Reverse(waited(party)));
    }
    order
}

/// Parties that play and parties that wait, if there are so many matches.
///
/// `witness` always holds parties, among those not considered yet, which fill up the matches. A size of which one party
/// has been turned down is turned down for good: with more parties chosen it fits even less.
fn in_order(
    round: &Round,
    order: &[usize],
    matches: usize,
    team_size: usize,
) -> Result<(Vec<usize>, Vec<usize>), Error> {
    let undecided = || Error::PackingUndecided { matches };
    let ask = |sure: &Counts, available: &Counts| match supply(sure, available, 2 * matches, team_size) {
        Supply::Found(witness) => Ok(Some(witness)),
        Supply::Impossible => Ok(None),
        Supply::Undecided => Err(undecided()),
    };
    let mut sure = Counts::default();
    let mut available = count(round, order);
    let mut witness = ask(&sure, &available)?.ok_or_else(undecided)?;
    let (mut chosen, mut left) = (Vec::new(), Vec::new());
    let mut is_turned_down = [false; MAX_TEAM_SIZE + 1];
    for &party in order {
        let size = round.parties()[party].len();
        available[size] -= 1;
        if witness[size] == 0 && !is_turned_down[size] {
            sure[size] += 1;
            let found = ask(&sure, &available)?;
            sure[size] -= 1;
            match found {
                Some(mut found) => {
                    found[size] += 1;
                    witness = found;
                }
                None => is_turned_down[size] = true,
            }
        }
        if witness[size] > 0 {
            witness[size] -= 1;
            sure[size] += 1;
            chosen.push(party);
        } else {
            left.push(party);
        }
    }
    debug_assert_eq!(witness, Counts::default(), "the matches are full");
    Ok((chosen, left))
}

/// The most matches, up to `wanted`, that these parties can fill.
fn most_matches(counts: &Counts, wanted: usize, team_size: usize) -> Result<usize, Error> {
    // Where m matches can be filled, so can m - 1: one does not take place.
    let (mut possible, mut impossible) = (0, wanted + 1);
    let mut matches = wanted;
    while possible + 1 < impossible {
        match supply(&Counts::default(), counts, 2 * matches, team_size) {
            Supply::Found(_) => possible = matches,
            Supply::Impossible => impossible = matches,
            Supply::Undecided => return Err(Error::PackingUndecided { matches }),
        }
        matches = (possible + impossible) / 2;
    }
    Ok(possible)
}

pub(super) fn count(round: &Round, parties: &[usize]) -> Counts {
    let mut counts = Counts::default();
    parties
        .iter()
        .for_each(|&party| counts[round.parties()[party].len()] += 1);
    counts
}

fn members(round: &Round, parties: &[usize]) -> Vec<usize> {
    let mut members: Vec<usize> = parties
        .iter()
        .flat_map(|&party| round.parties()[party].clone())
        .collect();
    members.sort_unstable();
    members
}
