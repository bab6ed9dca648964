//! Matches where it is limited who may be with whom: who plays may have to be picked together with the matches.

use matching_heuristics::{Groups, Stop};

use super::cost::LobbyCost;
use super::error::Error;
use super::packing::{Fill, Selection};
use super::round::Round;
use super::search::{Failed, Found, From, Limits, LobbySearch, Spent};

/// Why a search has found nothing.
#[derive(Default)]
struct Nothing {
    /// A match beyond the limits in what came closest, by the round's own positions.
    closest: Vec<usize>,
    /// Whether all ways were tried.
    is_proven: bool,
}

impl LobbySearch<'_> {
    /// Matches within the limits: of those who were chosen to play if there are any, else of whoever can.
    pub(super) fn within_limits(&self, selection: &Selection, limits: Limits) -> Result<Found, Error> {
        let mut picking = Picking::new(self, selection, limits);
        if !picking.of_chosen(selection)? && picking.has_choice {
            picking.of_all(picking.failed)?;
        }
        picking.fewer()?;
        picking.end()
    }
}

/// A search that picks who waits where those who were chosen to play find no matches.
///
/// With [`Fill::Possible`] the number of matches is found by halving: where there are so many matches, there are fewer.
struct Picking<'a> {
    /// Nobody watches it, but for that of those who were chosen.
    search: LobbySearch<'a>,
    in_reach: Vec<usize>,
    /// Whether others can play than those who were chosen.
    has_choice: bool,
    is_flexible: bool,
    /// Those who can play, and what matches of them cost: made once, where they are needed.
    tables: Option<(Round, LobbyCost)>,
    /// What is left of the limits, of which the last search that is known to be the last takes all.
    left: Limits,
    /// What all searches took.
    spent: Spent,
    best: Option<Found>,
    /// So many matches are there, and so many are not, or were not found.
    most: usize,
    failed: usize,
    /// What was said where they were not.
    nothing: Nothing,
    /// Whether somebody has cancelled a search that has found nothing, or before one that was to come.
    is_cut: bool,
}

impl<'a> Picking<'a> {
    fn new(search: &LobbySearch<'a>, selection: &Selection, limits: Limits) -> Self {
        let mut is_in = vec![true; search.round.len()];
        selection
            .out_of_reach()
            .iter()
            .for_each(|&player| is_in[player] = false);
        let in_reach: Vec<usize> = (0..is_in.len()).filter(|&player| is_in[player]).collect();
        let has_choice = in_reach.len() > selection.playing().len();
        let is_flexible = search.fill == Fill::Possible;
        let is_last = !has_choice && !is_flexible;
        Self {
            search: search.clone(),
            in_reach,
            has_choice,
            is_flexible,
            tables: None,
            left: if is_last { limits } else { limits.half() },
            spent: Spent::default(),
            best: None,
            most: 0,
            failed: selection.playing().len() / search.rules.match_size(),
            nothing: Nothing::default(),
            is_cut: false,
        }
    }

    /// Looks for matches of those who were chosen to play. Whether there are any.
    fn of_chosen(&mut self, selection: &Selection) -> Result<bool, Error> {
        let found = self.search.chosen(selection, self.left);
        self.search = self.search.unwatched();
        self.note(found, selection.playing(), self.failed)
    }

    /// Looks for so many matches of all who can play, of whom the others wait. Whether there are any.
    fn of_all(&mut self, matches: usize) -> Result<bool, Error> {
        self.is_cut |= self.search.is_cancelled();
        if self.is_cut {
            return Ok(false);
        }
        if self.is_flexible {
            self.left = self.left.half();
        }
        let (search, size) = (&self.search, self.search.rules.match_size());
        let (round, cost) = match self.tables.take() {
            Some(tables) => tables,
            None => {
                let round = search.round.subset(&self.in_reach);
                let cost = LobbyCost::new(&round, search.rules)?;
                (round, cost)
            }
        };
        let groups = Groups::with_bounds(vec![size..=size; matches]).map_err(Error::Search)?;
        let groups = groups.with_bench(self.in_reach.len() - size * matches);
        let found = search.step(&round, (&cost, groups), search.engine, From::Anywhere, self.left);
        self.tables = Some((round, cost));
        let in_reach = std::mem::take(&mut self.in_reach);
        let is_there = self.note(found.map(|found| found.renamed(&in_reach)), &in_reach, matches);
        self.in_reach = in_reach;
        is_there
    }

    /// Looks for as many matches as there are between those that were found and those that were not, if that will do.
    fn fewer(&mut self) -> Result<(), Error> {
        while self.is_flexible && !self.is_cut && self.most + 1 < self.failed {
            self.of_all((self.most + self.failed) / 2)?;
        }
        Ok(())
    }

    /// What a search of these players for so many matches says: whether there are any. Errors that say nothing about
    /// limits stay errors.
    fn note(&mut self, found: Result<Found, Failed>, players: &[usize], matches: usize) -> Result<bool, Error> {
        use matching_heuristics::Error::{AllForbidden, OnlyForbidden};
        match found {
            Ok(found) => {
                self.spent = self.spent.plus(found.spent);
                (self.best, self.most) = (Some(found), matches);
                Ok(true)
            }
            Err(Failed { error, spent }) => {
                self.spent = self.spent.plus(spent);
                let (members, is_proven) = match *error {
                    Error::Search(AllForbidden { members }) => (members, true),
                    Error::Search(OnlyForbidden { members }) => (members, false),
                    other => return Err(other),
                };
                let closest = members.iter().map(|&player| players[player]).collect();
                self.nothing = Nothing { closest, is_proven };
                self.failed = matches;
                self.is_cut = self.search.is_cancelled();
                Ok(false)
            }
        }
    }

    /// The most matches that were found, with all that was spent on them.
    fn end(self) -> Result<Found, Error> {
        if let Some(best) = self.best {
            return Ok(Found {
                stop: if self.is_cut { Stop::Cancelled } else { best.stop },
                spent: self.spent,
                ..best
            });
        }
        let id = |&player: &usize| self.search.round.players()[player].id.clone();
        Err(Error::NoneWithinLimits {
            matches: self.failed,
            closest: self.nothing.closest.iter().map(id).collect(),
            server_rule: self.search.rules.server_rule,
            is_proven: self.nothing.is_proven && !self.is_cut,
        })
    }
}

#[cfg(test)]
mod tests {
    use matching_core::CancelToken;

    use super::*;
    use crate::lobby::{Player, Rules, SymmetricMatrix, choose};

    /// It was said of matches that their search had ended by itself, and of what a cancelled one had not found that there
    /// was no more.
    #[test]
    fn who_cancels_is_told_so_with_the_matches_that_are_there() -> Result<(), Error> {
        // Five islands of five: five matches, where the players are enough for six.
        let players = (0..25).map(|i| Player::new(format!("p{i}"), 100.0 * f64::from(i)));
        let pings = SymmetricMatrix::from_fn(25, |i, j| if i / 5 == j / 5 { 30.0 } else { 200.0 });
        let round = Round::new(players.collect(), pings, SymmetricMatrix::from_fn(25, |_, _| true))?;
        let rules = Rules::new(2).ping_limit(100.0);
        let token = CancelToken::new();
        let search = LobbySearch::new(&round, &rules)
            .fill(Fill::Possible)
            .cancel(token.clone());
        let selection = choose(&round, &rules, Fill::Possible, 0)?;
        let limits = || Limits {
            work: Some(100_000),
            time: None,
        };
        let begun = || -> Result<_, Error> {
            let mut picking = Picking::new(&search, &selection, limits());
            assert!(!picking.of_chosen(&selection)? && picking.failed == 6);
            Ok(picking)
        };
        let ended = |mut picking: Picking<'_>| {
            picking.fewer()?;
            picking.end()
        };
        let (mut with_one, free, without) = (begun()?, begun()?, begun()?);
        assert!(with_one.of_all(1)?);
        let found = ended(free)?;
        assert!(found.groups.len() > 1 && found.stop != Stop::Cancelled);
        token.cancel();
        let found = ended(with_one)?;
        assert_eq!((found.groups.len(), found.stop), (1, Stop::Cancelled));
        let none = ended(without).map(|found| found.groups);
        let Err(Error::NoneWithinLimits { is_proven: false, .. }) = none else {
            panic!("{none:?}");
        };
        Ok(())
    }
}
