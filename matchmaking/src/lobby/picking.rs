//! Matches where it is limited who may be with whom: who plays may have to be picked together with the matches.

use matching_core::GroupCost;
use matching_heuristics::{Groups, Stop};

use super::error::{Error, Limit};
use super::packing::{Fill, Selection};
use super::running::{Short, Why};
use super::search::{Failed, Found, From, LobbySearch, Tables};
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
    /// so much is spent already. Where some of the running matches are filled and no more, that is kept in case that nothing
    /// better is found.
    pub(super) fn within_limits(
        &self,
        selection: &Selection,
        spent: (Limits, Spent),
        kept: Vec<Limit>,
        filled: &mut Option<Filled>,
    ) -> Result<Ending, Error> {
        let mut picking = Picking::new(self, selection, spent);
        if !picking.of_chosen(selection)? && picking.has_choice {
            picking.of_all(picking.failed)?;
        }
        let short = picking.running()?;
        picking.keep(selection, short, filled);
        if let Some(short) = short {
            return Ok(Ending::Short(short, picking.spent));
        }
        picking.fewer()?;
        picking.go_on();
        picking.end(kept).map(Ending::Found)
    }
}

/// What has come of those who were chosen.
pub(super) enum Ending {
    Found(Found),
    /// This running match stays as it is; so much was spent to find that out, and on what was before.
    Short(Short, Spent),
}

/// The first running matches, filled, where not all are and there are no new ones.
pub(super) struct Filled {
    /// How many are.
    number: usize,
    /// By the round's own positions.
    pub(super) found: Found,
    /// The others with open places.
    pub(super) short: Vec<Short>,
}

/// Of whom matches are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Those who were chosen to play, all of them.
    Chosen,
    /// Some of those who can.
    All,
    /// Some of those who can, for some of the running matches.
    Few,
}

/// A search that picks who waits where those who were chosen to play find no matches.
///
/// With [`Fill::Possible`] the number of matches is found by halving: where there are so many matches, there are fewer. The first
/// of them are the running ones that are to be filled; where not all of these are, the first one that is not stays as it is.
struct Picking<'a> {
    /// The one that was asked for.
    search: &'a LobbySearch<'a>,
    /// Everybody who can play, with those who play already in the running matches that are to be filled.
    in_reach: Vec<usize>,
    running: &'a [usize],
    /// Whether others can play than those who were chosen.
    has_choice: bool,
    is_flexible: bool,
    /// Tables of those who were chosen, and of those who can play: made once, where they are needed.
    chosen: Option<Tables>,
    all: Option<Tables>,
    /// Those of the last search for some of the running matches, and the most of these that were found, by the round's own positions.
    few: Option<Tables>,
    filled: Option<Found>,
    /// Of all searches together.
    limits: Limits,
    /// What all searches took.
    spent: Spent,
    /// The most matches that were found, by the positions of their tables.
    best: Option<(Found, Of)>,
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
            running,
            is_flexible: search.fill == Fill::Possible,
            chosen: None,
            all: None,
            few: None,
            filled: None,
            limits,
            spent,
            best: None,
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

    /// Looks for matches of those who were chosen to play. Whether there are any.
    fn of_chosen(&mut self, selection: &Selection) -> Result<bool, Error> {
        let may_follow = self.has_choice || !self.running.is_empty() || self.is_flexible && self.failed > 1;
        let left = self.limits.after(self.spent);
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
        let left = self.limits.after(self.spent);
        let may_be_fewer = self.is_flexible && (matches > self.most + 1 || matches + 1 < self.failed);
        let may_follow = may_be_fewer || !self.running.is_empty();
        let limits = if may_follow { left.half() } else { left };
        if matches < self.running.len() {
            return self.of_few(matches, limits);
        }
        let tables = match self.all.take() {
            Some(tables) => tables,
            None => Tables::new(self.search, &self.in_reach)?,
        };
        let found = with_bench(&self.search.unwatched(), &tables, matches, From::default(), limits);
        self.all = Some(tables);
        self.note(found, Of::All, matches)
    }

    /// The same for so many of the running matches, the first ones.
    fn of_few(&mut self, matches: usize, limits: Limits) -> Result<bool, Error> {
        let without = &self.running[matches..];
        let mut players = self.in_reach.clone();
        let round = self.search.round;
        players.retain(|&player| round.running_of(player).is_none_or(|number| !without.contains(&number)));
        let tables = self.few.insert(Tables::new(self.search, &players)?);
        let found = with_bench(&self.search.unwatched(), tables, matches, From::default(), limits);
        let is_there = self.note(found, Of::Few, matches)?;
        if let (true, Some(tables)) = (is_there, &self.few) {
            let found = self.best.take().map(|(found, _)| found.renamed(&tables.players));
            self.filled = found;
        }
        Ok(is_there)
    }

    /// Keeps the running matches that are filled, if they are more than those that are kept already; this one is the first that
    /// is not, if it was looked for to the end.
    fn keep(&mut self, selection: &Selection, first: Option<Short>, kept: &mut Option<Filled>) {
        let Some(found) = self.filled.take() else { return };
        if kept.as_ref().is_some_and(|kept| kept.number >= self.most) {
            return;
        }
        let (running, why) = (self.running[self.most], Why::NotFound);
        let (before, behind): (Vec<Short>, Vec<Short>) =
            selection.short().iter().partition(|short| short.running < running);
        // What is known of those behind is so beside all that were to be filled before them, and these are not.
        let behind = behind.iter().map(|short| short.running);
        let mut behind: Vec<usize> = self.running[self.most + 1..].iter().copied().chain(behind).collect();
        behind.sort_unstable();
        let mut short = before;
        short.push(first.unwrap_or(Short { running, why }));
        short.extend(behind.into_iter().map(|running| Short { running, why }));
        *kept = Some(Filled {
            number: self.most,
            found,
            short,
        });
    }

    /// The first running match that is not filled beside those before it, where that is so; else the search is about new ones
    /// alone.
    fn running(&mut self) -> Result<Option<Short>, Error> {
        let running = self.running.len();
        if self.best.is_some() || running == 0 {
            return Ok(None);
        }
        let is_over = |picking: &Self| picking.limits.used_up(picking.spent);
        if self.failed > running && !is_over(self) && self.of_all(running)? {
            return Ok(None);
        }
        while !self.is_cut && self.most + 1 < self.failed && !is_over(self) {
            self.of_all((self.most + self.failed) / 2)?;
        }
        if self.is_cut {
            return Ok(None);
        }
        // What is proven is said of as many as were looked for.
        let is_proven = self.nothing.is_proven && self.failed == self.most + 1;
        let why = if is_proven { Why::Limits } else { Why::NotFound };
        Ok(Some(Short {
            running: self.running[self.most],
            why,
        }))
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
                Ok(true)
            }
            Err(Failed { error, spent, stop }) => {
                self.spent = self.spent.plus(spent);
                let (members, is_proven) = match *error {
                    Error::Search(AllForbidden { members, .. }) => (members, true),
                    Error::Search(OnlyForbidden { members, .. }) => (members, false),
                    other => return Err(other),
                };
                let players = self.tables(of).map_or(&[][..], |tables| &tables.players);
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

    fn tables(&self, of: Of) -> Option<&Tables> {
        match of {
            Of::Chosen => self.chosen.as_ref(),
            Of::All => self.all.as_ref(),
            Of::Few => self.few.as_ref(),
        }
    }

    /// Goes on from the matches that are there with what is left of the limits, unless that is little: it was kept for
    /// searches that did not have to follow, or took less. Matches that are no better do not take their place.
    fn go_on(&mut self) {
        let Some((best, of)) = &mut self.best else { return };
        if self.is_cut || matches!(best.stop, Stop::Cancelled | Stop::Exhausted) || !self.limits.leave(self.spent) {
            return;
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
            _ => return,
        };
        let cost = |groups: &[Vec<usize>]| groups.iter().map(|group| tables.cost.group(group)).sum::<f64>();
        match found {
            Ok(found) => {
                self.spent = self.spent.plus(found.spent);
                best.stop = found.stop;
                if cost(&found.groups) < cost(&best.groups) {
                    *best = found;
                }
            }
            // What is there stays.
            Err(failed) => self.spent = self.spent.plus(failed.spent),
        }
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
        let tables = match of {
            Of::Chosen => self.chosen,
            Of::All => self.all,
            // Never here: they are kept apart.
            Of::Few => None,
        };
        let found = Found {
            stop: if self.is_cut { Stop::Cancelled } else { best.stop },
            spent: self.spent,
            ..best
        };
        Ok(match tables {
            Some(tables) => found.renamed(&tables.players),
            None => found,
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

/// So many matches of the players of the tables, of whom the others wait.
fn with_bench(
    search: &LobbySearch<'_>,
    tables: &Tables,
    matches: usize,
    from: From<'_>,
    limits: Limits,
) -> Result<Found, Failed> {
    let size = search.rules.match_size();
    let groups = Groups::with_bounds(vec![size..=size; matches]).map_err(Error::Search)?;
    let groups = groups.with_bench(tables.players.len() - size * matches);
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
            picking.go_on();
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
