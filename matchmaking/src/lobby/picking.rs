//! Matches where it is limited who may be with whom: who plays may have to be picked together with the matches.

use matching_core::GroupCost;
use matching_heuristics::{Groups, Stop};

use super::error::{Error, Limit};
use super::packing::{Fill, Filling, Selection};
use super::search::{Failed, Found, From, LobbySearch, Tables, positions};
use super::spend::{Limits, Spent};
use super::verify::{Flaw, check_limits};

/// Why a search has found nothing.
struct Nothing {
    /// A match beyond the limits in what came closest, by the round's own positions.
    closest: Vec<usize>,
    /// Whether all ways were tried.
    is_proven: bool,
    /// What ended it, or one before it if it came to its own end.
    stop: Stop,
}

impl LobbySearch<'_> {
    /// Matches that keep these limits: of those who were chosen to play if there are any, else of whoever can. Of the limits
    /// so much is spent already. Where some matches are there already, all running ones that are to be filled among them, there are
    /// as many at least.
    pub(super) fn within_limits(
        &self,
        selection: &Selection,
        spent: (Limits, Spent),
        kept: Vec<Limit>,
        filling: Option<&Filling>,
    ) -> Result<Found, Error> {
        let mut picking = Picking::new(self, selection, spent);
        if let Some(filling) = filling {
            picking.begin_with(filling);
        }
        if !picking.of_chosen(selection)? && picking.has_choice {
            picking.of_all(picking.failed)?;
        }
        picking.fewer()?;
        picking.go_on()?;
        picking.end(kept)
    }
}

/// Of whom matches are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Those who were chosen to play, all of them.
    Chosen,
    /// Some of those who can.
    All,
}

/// A search that picks who waits where those who were chosen to play find no matches.
///
/// With [`Fill::Possible`] the number of matches is found by halving: where there are so many matches, there are fewer. The first
/// of them are the running ones that are to be filled, of which it is known that they can be.
struct Picking<'a> {
    /// The one that was asked for.
    search: &'a LobbySearch<'a>,
    /// Everybody who can play, with those who play already in the running matches that are to be filled.
    in_reach: Vec<usize>,
    /// Whether running matches are to be filled.
    has_running: bool,
    /// Whether others can play than those who were chosen.
    has_choice: bool,
    is_flexible: bool,
    /// Tables of those who were chosen, and of those who can play: made once, where they are needed.
    chosen: Option<Tables>,
    all: Option<Tables>,
    /// Of all searches together.
    limits: Limits,
    /// What all searches took.
    spent: Spent,
    /// The most matches that were found, by the positions of their tables.
    best: Option<(Found, Of)>,
    /// Whether these are the ones that it began with, of which nobody has looked for better ones.
    is_first: bool,
    /// So many matches are there, and so many are not, or were not found; and so many are asked for.
    most: usize,
    failed: usize,
    asked: usize,
    /// What was said where they were not.
    nothing: Nothing,
    /// Whether somebody has cancelled a search that has found nothing, or before one that was to come.
    is_cut: bool,
}

impl<'a> Picking<'a> {
    fn new(search: &'a LobbySearch<'a>, selection: &'a Selection, (limits, spent): (Limits, Spent)) -> Self {
        let mut is_in = vec![true; search.round.len()];
        selection
            .out_of_reach()
            .iter()
            .for_each(|&player| is_in[player] = false);
        let running = selection.filled();
        for (number, one) in search.round.running().iter().enumerate() {
            let is_filled = running.binary_search(&number).is_ok();
            one.players().for_each(|player| is_in[player] = is_filled);
        }
        let in_reach: Vec<usize> = (0..is_in.len()).filter(|&player| is_in[player]).collect();
        let asked = selection.playing().len() / search.rules.match_size();
        Self {
            search,
            has_choice: in_reach.len() > selection.playing().len(),
            in_reach,
            has_running: !running.is_empty(),
            is_flexible: search.fill == Fill::Possible,
            chosen: None,
            all: None,
            limits,
            spent,
            best: None,
            is_first: false,
            most: 0,
            failed: asked,
            asked,
            nothing: Nothing {
                closest: Vec::new(),
                is_proven: false,
                stop: Stop::Finished,
            },
            is_cut: false,
        }
    }

    /// These matches are there already.
    fn begin_with(&mut self, filling: &Filling) {
        let groups = positions(&self.in_reach, &filling.groups());
        if groups.is_empty() {
            return;
        }
        self.most = groups.len();
        self.is_first = true;
        let nothing = Found::nothing(self.search.engine, Stop::Finished, Spent::default());
        self.best = Some((Found { groups, ..nothing }, Of::All));
    }

    /// Looks for matches of those who were chosen to play. Whether there are any.
    fn of_chosen(&mut self, selection: &Selection) -> Result<bool, Error> {
        let may_follow = self.has_choice || self.has_running || self.is_flexible && self.failed > 1;
        let left = self.for_more();
        let limits = if may_follow { left.half() } else { left };
        let tables = self.chosen.insert(Tables::new(self.search, selection.playing())?);
        let found = self.search.search(tables, None, limits);
        self.note(found, Of::Chosen, self.failed)
    }

    /// Looks for so many matches of all who can play, of whom the others wait. Whether there are any.
    fn of_all(&mut self, matches: usize) -> Result<bool, Error> {
        self.is_cut |= self.search.is_cancelled();
        if self.is_cut {
            return Ok(false);
        }
        let left = self.for_more();
        let may_be_fewer = self.is_flexible && (matches > self.most + 1 || matches + 1 < self.failed);
        let may_follow = may_be_fewer || self.has_running;
        let limits = if may_follow { left.half() } else { left };
        let tables = match self.all.take() {
            Some(tables) => tables,
            None => Tables::new(self.search, &self.in_reach)?,
        };
        let found = with_bench(&self.search.unwatched(), &tables, matches, From::default(), limits);
        self.all = Some(tables);
        self.note(found, Of::All, matches)
    }

    /// What is left for finding more matches. Where first fit has made some, and none run, it has nearly as many as there are, and
    /// as good as they come: half of the limits is for better ones.
    fn for_more(&self) -> Limits {
        let is_shared = self.is_first && self.search.round.running().is_empty();
        let limits = if is_shared { self.limits.half() } else { self.limits };
        limits.after(self.spent)
    }

    /// Looks for as many matches as there are between those that were found and those that were not, if that will do.
    fn fewer(&mut self) -> Result<(), Error> {
        while self.is_flexible && !self.is_cut && self.most + 1 < self.failed {
            self.of_all((self.most + self.failed) / 2)?;
        }
        Ok(())
    }

    /// What a search for so many matches says: whether there are any. Errors that say nothing about limits stay errors.
    fn note(&mut self, found: Result<Found, Failed>, of: Of, matches: usize) -> Result<bool, Error> {
        use matching_heuristics::Error::{AllForbidden, OnlyForbidden};
        match found {
            Ok(found) => {
                self.spent = self.spent.plus(found.spent);
                (self.best, self.most) = (Some((found, of)), matches);
                self.is_first = false;
                Ok(true)
            }
            Err(Failed { error, spent, stop }) => {
                self.spent = self.spent.plus(spent);
                let (members, is_proven) = match *error {
                    Error::Search(AllForbidden { members, .. }) => (members, true),
                    Error::Search(OnlyForbidden { members, .. }) => (members, false),
                    other => return Err(other),
                };
                let players = match (of, &self.chosen) {
                    (Of::Chosen, Some(tables)) => &tables.players,
                    _ => &self.in_reach,
                };
                self.nothing = Nothing {
                    closest: members.iter().map(|&player| players[player]).collect(),
                    is_proven,
                    stop: match stop {
                        Stop::Finished | Stop::Exhausted => self.nothing.stop,
                        stop => stop,
                    },
                };
                self.failed = matches;
                self.is_cut = stop == Stop::Cancelled;
                Ok(false)
            }
        }
    }

    /// Goes on from the matches that are there with what is left of the limits, unless that is little: it was kept for
    /// searches that did not have to follow, or took less. Matches that are no better do not take their place.
    fn go_on(&mut self) -> Result<(), Error> {
        let Some((best, of)) = &mut self.best else {
            return Ok(());
        };
        let is_left = self.limits.leave(self.spent) || self.is_first && !self.limits.are_over(self.spent);
        if self.is_cut || matches!(best.stop, Stop::Cancelled | Stop::Exhausted) || !is_left {
            return Ok(());
        }
        if self.is_first && self.all.is_none() {
            self.all = Some(Tables::new(self.search, &self.in_reach)?);
        }
        let left = self.limits.after(self.spent);
        let (search, before) = (self.search.going_on(), Some(&best.groups[..]));
        let (found, tables) = match (of, &mut self.chosen, &mut self.all) {
            (Of::Chosen, Some(tables), _) => (search.search(tables, before, left), tables),
            (Of::All, _, Some(tables)) => {
                let from = From {
                    groups: before,
                    starts: None,
                };
                let found = with_bench(&search.unwatched(), tables, self.most, from, left);
                (found, tables)
            }
            _ => return Ok(()),
        };
        let cost = |groups: &[Vec<usize>]| groups.iter().map(|group| tables.cost.group(group)).sum::<f64>();
        match found {
            Ok(found) => {
                self.spent = self.spent.plus(found.spent);
                best.stop = found.stop;
                self.is_first = false;
                if cost(&found.groups) < cost(&best.groups) {
                    *best = found;
                }
            }
            // What is there stays.
            Err(failed) => self.spent = self.spent.plus(failed.spent),
        }
        Ok(())
    }

    /// The most matches that were found, with all that was spent on them.
    fn end(mut self, kept: Vec<Limit>) -> Result<Found, Error> {
        let is_enough = self.is_flexible || self.most == self.asked;
        let Some((best, of)) = self.best.take().filter(|_| is_enough) else {
            // Beside matches that run there may be no new ones.
            if self.is_flexible && !self.is_cut && !self.search.round.running().is_empty() {
                return Ok(Found::nothing(self.search.engine, self.nothing.stop, self.spent));
            }
            return Err(self.none(kept));
        };
        let found = Found {
            stop: match (self.is_cut, self.is_first) {
                (true, _) => Stop::Cancelled,
                (_, true) => self.nothing.stop,
                _ => best.stop,
            },
            spent: self.spent,
            ..best
        };
        Ok(match (of, self.chosen) {
            (Of::Chosen, Some(tables)) => found.renamed(&tables.players),
            _ => found.renamed(&self.in_reach),
        })
    }

    /// That there are no matches, or none were found.
    fn none(self, limits: Vec<Limit>) -> Error {
        let Nothing {
            closest,
            is_proven,
            stop,
        } = self.nothing;
        let LobbySearch { round, rules, .. } = *self.search;
        let broken = match check_limits(round, rules, 0, &closest) {
            Err(Flaw::Avoided { .. }) => Some(Limit::Avoid),
            Err(_) => Some(Limit::Ping),
            Ok(()) => limits.contains(&Limit::Server).then_some(Limit::Server),
        };
        let is_proven = is_proven && !self.is_cut;
        Error::NoneWithinLimits {
            matches: self.failed,
            limits,
            closest: closest
                .iter()
                .map(|&player| round.players()[player].id.clone())
                .collect(),
            broken,
            is_proven,
            stop: match (self.is_cut, is_proven) {
                (true, _) => Stop::Cancelled,
                (_, true) => Stop::Exhausted,
                _ => stop,
            },
            work: self.spent.work,
        }
    }
}

/// So many matches of the players of the tables, of whom the others wait; an error where they are too few.
pub(super) fn with_bench(
    search: &LobbySearch<'_>,
    tables: &Tables,
    matches: usize,
    from: From<'_>,
    limits: Limits,
) -> Result<Found, Failed> {
    let size = search.rules.match_size();
    let groups = Groups::with_bounds(vec![size..=size; matches]).map_err(Error::Search)?;
    let groups = groups.with_bench(tables.players.len().saturating_sub(size * matches));
    search.step(&tables.round, (&tables.cost, groups), search.engine, from, limits)
}

#[cfg(test)]
mod tests {
    use matching_core::CancelToken;

    use super::*;
    use crate::lobby::{Engine, Judge, Objective, Player, Round, Rules, SymmetricMatrix, choose};

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
            let mut picking = Picking::new(&search, &selection, (limits(), Spent::default()));
            assert!(!picking.of_chosen(&selection)? && picking.failed == 6);
            Ok(picking)
        };
        let ended = |mut picking: Picking<'_>| {
            picking.fewer()?;
            picking.end(vec![Limit::Ping])
        };
        let (mut with_one, free, without, late) = (begun()?, begun()?, begun()?, begun()?);
        assert!(with_one.of_all(1)?);
        let found = ended(free)?;
        assert!(found.groups.len() > 1 && found.stop != Stop::Cancelled);
        token.cancel();
        let found = ended(with_one)?;
        assert_eq!((found.groups.len(), found.stop), (1, Stop::Cancelled));
        let none = ended(without).map(|found| found.groups);
        let Err(Error::NoneWithinLimits {
            is_proven: false,
            stop: Stop::Cancelled,
            ..
        }) = none
        else {
            panic!("{none:?}");
        };
        // It had been over before, and none was to follow.
        let none = late.end(vec![Limit::Ping]).map(|found| found.groups);
        let Err(Error::NoneWithinLimits { stop: Stop::Work, .. }) = none else {
            panic!("{none:?}");
        };
        Ok(())
    }

    /// Those that are there stay, whatever the search that goes on from them meets, and all of the limit is used.
    #[test]
    fn going_on_never_makes_matches_worse() -> Result<(), Error> {
        let mut better = 0;
        for (seed, objective) in (0..12).zip(
            [Objective::Mean, Objective::MinThenMean { sharpness: 64.0 }]
                .into_iter()
                .cycle(),
        ) {
            let round = Round::synthetic(45, seed, 2)?;
            let rules = Rules::new(3).ping_limit(400.0).objective(objective);
            let engine = [Engine::Auto, Engine::Climb, Engine::LateAcceptance][seed as usize % 3];
            let search = LobbySearch::new(&round, &rules).engine(engine);
            let selection = choose(&round, &rules, Fill::Every, 0)?;
            let limits = Limits {
                work: Some(8_000),
                time: None,
            };
            let mut picking = Picking::new(&search, &selection, (limits, Spent::default()));
            if !picking.of_chosen(&selection)? {
                continue;
            }
            let judged = |picking: &Picking<'_>| {
                let (found, _) = picking.best.as_ref().expect("matches");
                let round = round.subset(selection.playing());
                let judge = Judge::new(&round, &rules)?;
                let cost = |group: &Vec<usize>| {
                    let best = judge.best(group).expect("a match that is allowed");
                    rules.chosen_objective().cost(best.breakdown.total)
                };
                Ok::<f64, Error>(found.groups.iter().map(cost).sum())
            };
            let (before, spent) = (judged(&picking)?, picking.spent.work);
            assert!(spent < 5_000, "{spent}");
            picking.go_on()?;
            let (after, spent) = (judged(&picking)?, picking.spent.work);
            // The fast score is as good as six digits.
            assert!(after <= before + 1e-5 * before.abs(), "{seed}: {before} became {after}");
            assert!((7_000..8_500).contains(&spent), "{engine:?} {seed}: {spent}");
            better += usize::from(after < before - 1e-5 * before.abs());
        }
        assert!(better > 3, "only {better} became better");
        Ok(())
    }
}
