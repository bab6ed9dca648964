//! Matches where it is limited who may be with whom: who plays may have to be picked together with the matches.

use matching_heuristics::Groups;

use super::cost::LobbyCost;
use super::error::Error;
use super::packing::{Fill, Selection};
use super::search::{Found, From, Limits, LobbySearch};

/// Why a search has found nothing.
struct Nothing {
    /// A match beyond the limits in what came closest, by the round's own positions.
    closest: Vec<usize>,
    /// Whether all ways were tried.
    is_proven: bool,
}

/// What a search within limits says.
type Answer = Result<Result<Found, Nothing>, Error>;

impl LobbySearch<'_> {
    /// Matches within the limits: of those who were chosen to play if there are any, else of whoever can.
    ///
    /// With [`Fill::Possible`] the number of matches is found by halving: where there are so many matches, there are fewer.
    pub(super) fn within_limits(&self, selection: &Selection, limits: Limits) -> Result<Found, Error> {
        let in_reach = self.in_reach(selection);
        let matches = selection.playing().len() / self.rules.match_size();
        let has_choice = in_reach.len() > selection.playing().len();
        let is_flexible = self.fill == Fill::Possible;
        // What is left after the first search, of which the last one that is known to be the last takes all.
        let mut left = if has_choice || is_flexible {
            limits.half()
        } else {
            limits
        };
        let first = left;
        let mut nothing = match answer(self.chosen(selection, first), selection.playing())? {
            Ok(found) => return Ok(found),
            Err(nothing) => nothing,
        };
        let mut try_for = |matches: usize| {
            if is_flexible {
                left = left.half();
            }
            self.picked(&in_reach, matches, left)
        };
        if has_choice {
            nothing = match try_for(matches)? {
                Ok(found) => return Ok(found),
                Err(nothing) => nothing,
            };
        }
        let (mut best, mut most, mut failed) = (None, 0, matches);
        while is_flexible && most + 1 < failed {
            let matches = (most + failed) / 2;
            match try_for(matches)? {
                Ok(found) => (best, most) = (Some(found), matches),
                Err(closer) => (nothing, failed) = (closer, matches),
            }
        }
        let id = |&player: &usize| self.round.players()[player].id.clone();
        best.ok_or_else(|| Error::NoneWithinLimits {
            matches: failed,
            closest: nothing.closest.iter().map(id).collect(),
            is_proven: nothing.is_proven,
        })
    }

    /// Who can be in a match at all.
    fn in_reach(&self, selection: &Selection) -> Vec<usize> {
        let mut is_in = vec![true; self.round.len()];
        selection
            .out_of_reach()
            .iter()
            .for_each(|&player| is_in[player] = false);
        (0..is_in.len()).filter(|&player| is_in[player]).collect()
    }

    /// So many matches of these players, of whom the others wait.
    fn picked(&self, in_reach: &[usize], matches: usize, limits: Limits) -> Answer {
        let size = self.rules.match_size();
        let round = self.round.subset(in_reach);
        let cost = LobbyCost::new(&round, self.rules)?;
        let groups = Groups::with_bounds(vec![size..=size; matches]).map_err(Error::Search)?;
        let groups = groups.with_bench(in_reach.len() - size * matches);
        let unwatched = self.unwatched();
        let found = unwatched.step(&round, (&cost, groups), self.engine, From::Anywhere, limits);
        answer(found.map(|found| found.renamed(in_reach)), in_reach)
    }
}

/// What a search of these players says; errors that say nothing about limits stay errors.
fn answer(found: Result<Found, Error>, players: &[usize]) -> Answer {
    use matching_heuristics::Error::{AllForbidden, OnlyForbidden};
    let named = |members: &[usize]| members.iter().map(|&player| players[player]).collect();
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(Error::Search(AllForbidden { members })) => Ok(Err(Nothing {
            closest: named(&members),
            is_proven: true,
        })),
        Err(Error::Search(OnlyForbidden { members })) => Ok(Err(Nothing {
            closest: named(&members),
            is_proven: false,
        })),
        Err(other) => Err(other),
    }
}
