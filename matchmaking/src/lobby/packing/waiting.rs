//! Who plays, and who waits for the next round.

use std::cmp::Reverse;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::backfill::{Backfill, backfill};
use super::reach::within_reach;
use super::rooms::Rooms;
use super::supply::{Supply, supply};
use super::{Counts, players};
use crate::lobby::error::{Error, Limit};
use crate::lobby::round::Round;
use crate::lobby::rules::{MAX_TEAM_SIZE, Priority, Rules};
use crate::lobby::running::Short;

/// How many matches there have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fill {
    /// As many as the number of players allows; an error if the parties do not.
    Every,
    /// As many as the parties, and limits of who may be with whom, allow.
    Possible,
}

/// Who plays and who waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    playing: Vec<usize>,
    waiting: Vec<usize>,
    /// Those of `waiting` who can be in no match.
    out_of_reach: Vec<usize>,
    /// Running matches that are to be filled, ascending, and those with open places that are not.
    filled: Vec<usize>,
    short: Vec<Short>,
}

impl Selection {
    /// Who plays, ascending: whole parties that fill whole matches, and those who play already in a match that
    /// [is filled](Self::filled) by some of them. Other running matches have no part in it.
    pub fn playing(&self) -> &[usize] {
        &self.playing
    }

    /// Who waits, ascending.
    pub fn waiting(&self) -> &[usize] {
        &self.waiting
    }

    /// Those of the waiting, ascending, who have too few players to be in a match with, as limits say who may be with whom
    /// ([`Rules::ping_limit`], [`Round::with_avoided`]), or are in a party of which two have a ping above the limit.
    pub fn out_of_reach(&self) -> &[usize] {
        &self.out_of_reach
    }

    /// Running matches whose open places are filled, ascending, as positions in [`Round::running`].
    pub fn filled(&self) -> &[usize] {
        &self.filled
    }

    /// Running matches with open places that stay as they are, in the order of the round.
    pub fn short(&self) -> &[Short] {
        &self.short
    }
}

/// Chooses who plays: whole parties, in the order of the rules' [`Priority`], such that the rest can fill up the
/// matches.
///
/// Nobody who waits could play instead of somebody of lower priority, or besides everybody of higher one. The same seed
/// gives the same choice; chance decides only between parties of equal priority.
///
/// Where it is limited who may be with whom, those wait first who have too few others to be in a match with, and parties
/// that are too far apart themselves ([`Selection::out_of_reach`]). Whether all others can be put together within the limits is for a search to find out.
///
/// Open places of [running matches](Round::running) come before new matches: in the order of the round, each match that can
/// be filled whole beside those before it is, and the others stay as they are ([`Selection::short`]). Where matches run there
/// may be no new ones.
///
/// # Errors
/// [`Error::BadTeamSize`], [`Error::BadRule`], [`Error::PartyTooLarge`], [`Error::PartyAvoids`], [`Error::PartyTooFar`],
/// [`Error::TooFewPlayers`], [`Error::CannotPack`] and [`Error::OutOfReach`] where there are not so many matches
/// ([`Fill::Every`]) or none ([`Fill::Possible`]), [`Error::PackingUndecided`].
pub fn choose(round: &Round, rules: &Rules, fill: Fill, seed: u64) -> Result<Selection, Error> {
    choose_beside(round, rules, (fill, seed), &[])
}

/// The same, where these running matches cannot be filled.
pub(in crate::lobby) fn choose_beside(
    round: &Round,
    rules: &Rules,
    (fill, seed): (Fill, u64),
    passed_over: &[Short],
) -> Result<Selection, Error> {
    rules.check_for(round)?;
    let Backfill {
        filled,
        short,
        rooms,
        comes,
    } = backfill(round, rules, passed_over);
    let is_in = within_reach(round, rules, &comes);
    let order = by_priority(round, rules.priority, seed);
    let (order, out): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|&party| is_in[party]);
    let everybody = count(round, &order);
    // New matches: of those who are left once the open places are taken, which are no more than they.
    let matches_of = |players: usize| players.saturating_sub(rooms.seats()) / rules.match_size();
    let wanted = matches_of(players(&everybody) + players(&count(round, &out)));
    let enough = matches_of(players(&everybody));
    let may_be_none = !round.running().is_empty();
    if enough < wanted && ((enough == 0 && !may_be_none) || fill == Fill::Every) {
        rules.check_distances(round, enough)?;
        // Of servers nothing is asked here.
        let mut limits = rules.limits(round);
        limits.retain(|&limit| limit != Limit::Server);
        return Err(Error::OutOfReach {
            parties: labels(round, out),
            matches: wanted,
            possible: enough,
            limits,
        });
    }
    let possible = most_matches(&everybody, enough, &rooms)?;
    if (possible == 0 && !may_be_none) || (possible < wanted && fill == Fill::Every) {
        let rest = if possible == 0 {
            order
        } else {
            in_order(round, &order, possible, &rooms)?.1
        };
        return Err(cannot_pack(round, &rest, wanted, possible, rules.team_size));
    }
    let (chosen, mut left) = in_order(round, &order, possible, &rooms)?;
    left.extend(&out);
    let [mut playing, waiting, out_of_reach] = [chosen, left, out].map(|parties| members(round, &parties));
    playing.extend(filled.iter().flat_map(|&number| round.running()[number].players()));
    playing.sort_unstable();
    Ok(Selection {
        playing,
        waiting,
        out_of_reach,
        filled,
        short,
    })
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
    let named = parties.iter().copied();
    let named = named.filter(|&party| only_alone || !is_alone(party)).collect();
    Error::CannotPack {
        parties: labels(round, named),
        matches,
        possible,
        team_size,
    }
}

/// Labels of parties, in the order of the round.
fn labels(round: &Round, mut parties: Vec<usize>) -> Vec<String> {
    parties.sort_unstable();
    let label = |party: usize| round.party_label(party).to_owned();
    parties.into_iter().map(label).collect()
}

/// All parties that wait, those who play first in front.
pub(super) fn by_priority(round: &Round, priority: Priority, seed: u64) -> Vec<usize> {
    let parties = 0..round.parties().len();
    let mut order: Vec<usize> = parties.filter(|&party| round.waits(party)).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    if priority == Priority::LongestWait {
        let waited = |&party: &usize| round.parties()[party].iter().map(|&i| round.players()[i].waited).max();
        order.sort_by_key(|party| Reverse(waited(party)));
    }
    order
}

/// Parties that play and parties that wait, if there are so many new matches beside running ones.
///
/// `witness` always holds parties, among those not considered yet, which fill up the matches. A size of which one party
/// has been turned down is turned down for good: with more parties chosen it fits even less.
fn in_order(
    round: &Round,
    order: &[usize],
    matches: usize,
    running: &Rooms,
) -> Result<(Vec<usize>, Vec<usize>), Error> {
    let undecided = || Error::PackingUndecided { matches };
    let rooms = running.and_new(matches);
    let ask = |sure: &Counts, available: &Counts| match supply(sure, available, &rooms) {
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

/// The most new matches, up to `wanted`, that these parties can fill beside the open places of running ones.
fn most_matches(counts: &Counts, wanted: usize, running: &Rooms) -> Result<usize, Error> {
    // Where m matches can be filled, so can m - 1: one does not take place.
    let (mut possible, mut impossible) = (0, wanted + 1);
    let mut matches = wanted;
    while possible + 1 < impossible {
        match supply(&Counts::default(), counts, &running.and_new(matches)) {
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

pub(super) fn members(round: &Round, parties: &[usize]) -> Vec<usize> {
    let mut members: Vec<usize> = parties
        .iter()
        .flat_map(|&party| round.parties()[party].clone())
        .collect();
    members.sort_unstable();
    members
}
