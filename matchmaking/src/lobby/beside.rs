//! Which running matches are filled, where it is limited who may be with whom: each that can be beside those before it. Without any,
//! the new ones that are there before anybody searches.

use std::time::Instant;

use matching_heuristics::Error::{AllForbidden, OnlyForbidden, PackingUnknown, PartiesDoNotFit, SizesDoNotAddUp};
use matching_heuristics::Stop;

use super::error::Error;
use super::packing::{Fill, Filling, FirstFit, Selection, choose_beside};
use super::picking::with_bench;
use super::running::{Short, Why};
use super::search::{Failed, From, LobbySearch, Tables};
use super::spend::{Limits, Spent};

/// Moves of a search for one match at least: with fewer it hardly gets anywhere, and its tables take longer than it does.
const LEAST: u64 = 1_000;

/// Who is chosen to play, and matches of which all running ones that are to be filled are.
pub(super) struct Beside {
    pub(super) selection: Selection,
    pub(super) filling: Filling,
    pub(super) spent: Spent,
}

impl LobbySearch<'_> {
    /// Begins with what first fit makes of the round. Then the running matches that it leaves open are looked at, in their order:
    /// of one that nobody fills even alone, and one that a search does not find filled beside those before it, all is chosen anew
    /// without it; where one is found, first fit goes on from there. These searches have half of the limits; once that is
    /// used up, what is left open stays so.
    pub(super) fn beside(&self, limits: Limits) -> Result<Beside, Error> {
        let begun = Instant::now();
        let choose =
            |fill, passed_over: &[Short]| choose_beside(self.round, self.rules, (fill, self.seed), passed_over);
        // How many new matches there must be, those who are left say, and so which running ones are filled in the end.
        let mut selection = choose(Fill::Possible, &[])?;
        let fit = FirstFit::new(self.round, self.rules, self.seed);
        let is_cancelled = || self.is_cancelled();
        let mut filling = fit.go_on(Filling::default(), is_cancelled);
        let mut passed_over: Vec<Short> = Vec::new();
        for running in 0..self.round.running().len() {
            if !is_cancelled() && !filling.is_filled(running) && fit.is_hopeless(running) {
                let why = Why::Limits;
                passed_over.push(Short { running, why });
            }
        }
        if !passed_over.is_empty() {
            selection = choose(Fill::Possible, &passed_over)?;
        }
        let limits = limits.half();
        let mut spent = Spent::default();
        loop {
            let is_open = |running: &usize| !filling.is_filled(*running);
            let open: Vec<usize> = selection.filled().iter().copied().filter(is_open).collect();
            let Some(&running) = open.first() else { break };
            spent.elapsed = begun.elapsed();
            if self.is_cancelled() || limits.used_up(spent) {
                // Also of those that others are in the way of nothing is found out any more.
                let why = Why::NotFound;
                let others = (0..self.round.running().len()).filter(is_open);
                let others: Vec<usize> = others
                    .filter(|&running| passed_over.iter().all(|short| short.running != running))
                    .collect();
                passed_over.extend(others.into_iter().map(|running| Short { running, why }));
            } else {
                let share = limits.after(spent).share(open.len() as u32, LEAST);
                match self.one_beside(&fit, &filling, (&selection, running), share) {
                    Ok((found, work)) => {
                        spent.work += work;
                        filling = fit.go_on(found, is_cancelled);
                    }
                    Err(failed) => {
                        spent.work += failed.spent.work;
                        let why = match *failed.error {
                            // Of those who may come too few are left, or their parties do not fit.
                            Error::Search(AllForbidden { .. } | SizesDoNotAddUp { .. } | PartiesDoNotFit { .. }) => {
                                Why::Limits
                            }
                            Error::Search(OnlyForbidden { .. } | PackingUnknown { .. }) => Why::NotFound,
                            other => return Err(other),
                        };
                        passed_over.push(Short { running, why });
                    }
                }
            }
            selection = choose(Fill::Possible, &passed_over)?;
        }
        spent.elapsed = begun.elapsed();
        if self.fill == Fill::Every {
            let stop = match limits.ended_by(spent) {
                _ if self.is_cancelled() => Stop::Cancelled,
                limit => limit.unwrap_or(Stop::Work),
            };
            let filled = selection.filled().len();
            let is_open = passed_over.iter().any(|short| short.why == Why::NotFound);
            selection = match choose(self.fill, &passed_over) {
                Err(too_few) if is_open => return Err(self.unless_more_are_filled(too_few, filled, stop, spent.work)),
                chosen => chosen?,
            };
        }
        filling.keep(selection.filled());
        Ok(Beside {
            selection,
            filling,
            spent,
        })
    }

    /// That there are too few new matches, where it is not known of all running ones whether they can be filled: if they can,
    /// there need not be as many.
    fn unless_more_are_filled(&self, too_few: Error, filled: usize, stop: Stop, work: u64) -> Error {
        let matches = match too_few {
            Error::OutOfReach { matches, .. } | Error::CannotPack { matches, .. } => matches,
            Error::PartyTooFar { possible, .. } => possible + 1,
            other => return other,
        };
        Error::NoneWithinLimits {
            matches: matches + filled,
            limits: self.rules.limits(self.round),
            closest: Vec::new(),
            broken: None,
            is_proven: false,
            stop,
            work,
        }
    }

    /// This running match filled beside those before it that are to be, and the work that took.
    fn one_beside(
        &self,
        fit: &FirstFit<'_>,
        filling: &Filling,
        (selection, number): (&Selection, usize),
        limits: Limits,
    ) -> Result<(Filling, u64), Failed> {
        let before = selection.filled().iter().copied().filter(|&other| other < number);
        let running: Vec<usize> = before.chain([number]).collect();
        let tables = Tables::new(self, &fit.who_may_come(&running))?;
        let start = fit.with_anybody(filling, &running);
        let start = start.map(|groups| tables.positions(&groups));
        let from = From {
            groups: start.as_deref(),
            starts: None,
        };
        let found = with_bench(&self.unwatched(), &tables, running.len(), from, limits)?.renamed(&tables.players);
        let work = found.spent.work;
        Ok((Filling::of(running.into_iter().zip(found.groups).collect()), work))
    }
}
