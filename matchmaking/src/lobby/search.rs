//! From a round to its matches.

use std::time::{Duration, Instant};

use matching_core::{Budget, CancelToken};
use matching_heuristics::Error::{AllForbidden, OnlyForbidden};
use matching_heuristics::{Engine, Groups, Incumbent, Instance, Progress, Search, Stop};

use super::beside::Beside;
use super::cost::LobbyCost;
use super::error::Error;
use super::judge::{Breakdown, Judge, Match};
use super::objective::{Objective, Total};
use super::packing::{Fill, Selection, check_spread, choose_beside, start};
use super::round::Round;
use super::rules::Rules;
use super::running::Short;
use super::spend::{Limits, Spent};

/// How much the average skill of a party is disturbed, in points, before a new start is packed, unless set: the standard
/// deviation.
const SPREAD: f64 = 6000.0;

/// The greatest sharpness of [`Objective::MinThenMean`] that a search begins with.
const SOFT: f64 = 12.0;

/// Moves for each player of a search in two steps without limits: as many as of a search in one.
const WORK: u64 = 2_000;

/// How far the seeds of starts are from those of the search before: there are fewer starts than this.
const AGAIN: u64 = 1 << 32;

/// A search for the matches of a round.
///
/// Where it is limited who may be in a match ([`Rules::ping_limit`], [`Round::with_avoided`], [`Rules::server_rule`]), who
/// plays is chosen by priority as without limits, of those who can be in a match at all. If no matches within the limits are
/// found of them, a search picks who waits as well, of all who can; with [`Fill::Possible`] others follow for fewer matches.
/// Where another one may have to follow, a search has half of the budget that is left. What is left once none has to goes
/// into one more, from the matches that are there: these stay if it finds none better.
///
/// Open places of [running matches](Round::running) are filled in the same search, each match whole or not at all; which, says
/// [`choose`](super::choose). With limits of who may be in a match, the first parties that go fill them before there is any search, one match
/// after the other, and new matches are made of others: where there may be fewer ([`Fill::Possible`]), no limit of work or time leaves less
/// than that. Searches then look for somebody for each match that is left open, beside those before it, with half of the limits;
/// where nobody is found, it stays as it is.
///
/// # Examples
/// ```
/// use matchmaking::lobby::{LobbySearch, Round, Rules};
///
/// # fn main() -> Result<(), matchmaking::lobby::Error> {
/// let round = Round::named("nauts-60-s1")?;
/// let lobby = LobbySearch::new(&round, &Rules::new(3)).work(20_000).run()?;
/// assert_eq!(lobby.matches.len(), 10);
/// assert!(lobby.total.mean > 0.84, "{}", lobby.total.mean);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct LobbySearch<'a> {
    pub(super) round: &'a Round,
    pub(super) rules: &'a Rules,
    pub(super) engine: Engine,
    pub(super) fill: Fill,
    spread: f64,
    pub(super) seed: u64,
    work: Option<u64>,
    time: Option<Duration>,
    cancel: Option<CancelToken>,
    observer: Option<&'a (dyn Fn(&Progress) + Sync + 'a)>,
    incumbent: Option<Incumbent>,
}

/// The matches of a round, and how they were found.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Lobby {
    /// The matches, split into teams; players by their index in the round. Running ones come first, in their order: those that
    /// are full, and those that some who wait have filled.
    pub matches: Vec<Match>,
    /// Who waits, ascending.
    pub waiting: Vec<usize>,
    /// Running matches that stay as they are, with open places, and so without scores; in their order.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub short: Vec<Short>,
    /// The scores, each as the mean over matches.
    pub breakdown: Breakdown,
    /// What the objective makes of the matches' scores.
    pub total: Total,
    /// Where chance began.
    pub seed: u64,
    /// Moves looked at, by all searches together where there were several, and of those in vain, too.
    pub work: u64,
    /// Time of the search, without reading or splitting.
    pub elapsed: Duration,
    /// The engine.
    pub engine: Engine,
    /// What ended the search that found them, or the one that went on from them; [`Stop::Cancelled`] also where one for more
    /// matches was.
    pub stop: Stop,
}

impl<'a> LobbySearch<'a> {
    /// A search of these players under these rules.
    pub fn new(round: &'a Round, rules: &'a Rules) -> Self {
        Self {
            round,
            rules,
            engine: Engine::Auto,
            fill: Fill::Every,
            spread: SPREAD,
            seed: 0,
            work: None,
            time: None,
            cancel: None,
            observer: None,
            incumbent: None,
        }
    }

    /// The engine; one that suits round and budget if not given. [`Engine::Auto`] takes [`Objective::MinThenMean`] in two
    /// steps: half of the budget goes into one of little sharpness, and a climb with the one asked for begins with what
    /// that has found. Other engines take it as it is.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Whether fewer matches than the players fill will do, where parties do not fit, or limits do not allow more; not unless
    /// asked for.
    #[must_use]
    pub fn fill(mut self, fill: Fill) -> Self {
        self.fill = fill;
        self
    }

    /// By how many points the mean skill of a party is disturbed before a new start is packed: the standard deviation, as
    /// [`start`] takes it; 6,000 if not given. The first start is sorted by skill as it is. For points of another range,
    /// a third of the difference between [cap](Rules::skill_cap) and [floor](Rules::skill_floor) is about the same. With 0
    /// all starts are the first one, and chance has only the search itself.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{LobbySearch, Round, Rules};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let (round, rules) = (Round::named("nauts-60-s1")?, Rules::new(3));
    /// let lobby = LobbySearch::new(&round, &rules).spread(2_000.0).work(2_000).run()?;
    /// assert_eq!(lobby.verify(&round, &rules), Ok(()));
    /// assert!(LobbySearch::new(&round, &rules).spread(-1.0).run().is_err());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn spread(mut self, points: f64) -> Self {
        self.spread = points;
        self
    }

    /// Where chance begins, for who waits and for the search; 0 if not given.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Stop after so many moves were looked at. Reproducible.
    ///
    /// A limit is overshot by what the last search's engine is at, as [`Search::work`](matching_heuristics::Search::work) is:
    /// annealing by 64 moves for each of its walks, and others by the exchanges of one party, which are asked about at once, up to some
    /// ten for each player. Where searches follow each other, each has what those before have left, so that it does not add up.
    #[must_use]
    pub fn work(mut self, moves: u64) -> Self {
        self.work = Some(moves);
        self
    }

    /// Stop after so much time of search. What comes before is not cut: tables of all pairs are made, which takes seconds
    /// for thousands of players, and running matches, or, where fewer will do, new ones within limits, are filled with the first
    /// parties that go.
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self
    }

    /// Stop when the token is cancelled.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.cancel = Some(token);
        self
    }

    /// The limits of a budget, in the place of all that were given before: [`work`](Self::work), [`time`](Self::time) and
    /// [`cancel`](Self::cancel). What it says of memory does not count: tables of all pairs are limited by
    /// [`MAX_PLAYERS`](super::MAX_PLAYERS).
    #[must_use]
    #[allow(clippy::needless_pass_by_value, reason = "as other solvers take it")]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.work = budget.work_limit();
        self.time = budget.time_limit();
        self.cancel = budget.cancel_token().cloned();
        self
    }

    /// Called with progress, whose cost is that of [`LobbyCost`] summed over matches; of a search in two steps, with that
    /// of the second; not of one that picks who waits. Where another search goes on from what one has found, with that of
    /// both, each from its own beginning.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Where the best matches so far can be read while the search runs, by the positions of those who play; what it
    /// holds before is forgotten. Of a search in two steps, those of the second; of one that picks who waits, or goes on from
    /// what another has found, none.
    #[must_use]
    pub fn incumbent(mut self, incumbent: &Incumbent) -> Self {
        self.incumbent = Some(incumbent.clone());
        self
    }

    /// Chooses who plays, and searches.
    ///
    /// # Errors
    /// Those of [`choose`](super::choose) and [`LobbyCost::new`], [`Error::NoneWithinLimits`], and [`Error::Search`];
    /// [`Error::BadRule`] for a [spread](Self::spread) that is no number of 0 or more.
    pub fn run(&self) -> Result<Lobby, Error> {
        check_spread(self.spread)?;
        let (short, found) = self.chosen_and_found()?;
        let judge = Judge::new(self.round, self.rules)?;
        let full = (0..self.round.running().len()).filter_map(|number| judge.running(number));
        let mut matches: Vec<Match> = full.collect();
        for members in &found.groups {
            let (members, stop, work) = (members.clone(), found.stop, found.spent.work);
            let split = judge.best(&members);
            matches.push(split.ok_or(Error::Search(OnlyForbidden { members, stop, work }))?);
        }
        // Those that run keep their order, and the new ones theirs.
        matches.sort_by_key(|one| one.running.unwrap_or(usize::MAX));
        let mut waits: Vec<bool> = (0..self.round.len())
            .map(|player| self.round.running_of(player).is_none())
            .collect();
        found.groups.iter().flatten().for_each(|&player| waits[player] = false);
        let breakdowns: Vec<Breakdown> = matches.iter().map(|one| one.breakdown).collect();
        let scores: Vec<f64> = breakdowns.iter().map(|breakdown| breakdown.total).collect();
        let total = self.rules.chosen_objective().total(&scores);
        Ok(Lobby {
            breakdown: Breakdown::mean(&breakdowns).unwrap_or_default(),
            total: total.unwrap_or(Total { mean: 0.0, worst: 0.0 }),
            matches,
            waiting: (0..self.round.len()).filter(|&player| waits[player]).collect(),
            short,
            seed: self.seed,
            work: found.spent.work,
            elapsed: found.spent.elapsed,
            engine: found.engine,
            stop: found.stop,
        })
    }

    /// Who plays, in which groups, and which running matches stay as they are. Where these took all of the limits to find out,
    /// they are the answer, if there may be fewer new ones; where none run, first fit is what there is at least.
    fn chosen_and_found(&self) -> Result<(Vec<Short>, Found), Error> {
        let limits = Limits {
            work: self.work,
            time: self.time,
        };
        let kept = self.rules.limits(self.round);
        let has_running = !self.round.running().is_empty();
        // Where all matches are asked for, some of them are of no use.
        if kept.is_empty() || !has_running && self.fill == Fill::Every {
            let selection = choose_beside(self.round, self.rules, (self.fill, self.seed), &[])?;
            let short = selection.short().to_vec();
            if selection.playing().is_empty() {
                return Ok((short, Found::nothing(self.engine, Stop::Finished, Spent::default())));
            }
            let found = if kept.is_empty() {
                self.free(&selection, limits).map_err(|failed| *failed.error)?
            } else {
                self.within_limits(&selection, (limits, Spent::default()), kept, None)?
            };
            return Ok((short, found));
        }
        let Beside {
            selection,
            filling,
            spent,
        } = self.beside(limits)?;
        let short = selection.short().to_vec();
        if selection.playing().is_empty() {
            return Ok((short, Found::nothing(self.engine, Stop::Finished, spent)));
        }
        let over = if self.is_cancelled() {
            Some(Stop::Cancelled)
        } else {
            limits.ended_by(spent)
        };
        // Of no running matches it takes no search to know that the chosen may have matches all the same.
        if let (Some(stop), Fill::Possible, true) = (over, self.fill, has_running) {
            let groups = filling.groups();
            return Ok((
                short,
                Found {
                    groups,
                    ..Found::nothing(self.engine, stop, spent)
                },
            ));
        }
        let found = self.within_limits(&selection, (limits, spent), kept, Some(&filling))?;
        Ok((short, found))
    }

    /// Whether somebody has cancelled it.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// Groups of those who were chosen to play, by the round's own positions.
    fn free(&self, selection: &Selection, limits: Limits) -> Result<Found, Failed> {
        let mut tables = Tables::new(self, selection.playing())?;
        let found = self.search(&mut tables, None, limits)?;
        Ok(found.renamed(&tables.players))
    }

    /// Groups in which everybody plays, from what another search has found if there is something.
    pub(super) fn search(
        &self,
        tables: &mut Tables,
        before: Option<&[Vec<usize>]>,
        limits: Limits,
    ) -> Result<Found, Failed> {
        let Tables { round, cost, .. } = tables;
        let playing = &*round;
        // The first start is sorted by skill; the others are disturbed.
        let begin = |number: u64| {
            let spread = if number == 0 { 0.0 } else { self.spread };
            start(playing, self.rules, spread, self.seed.wrapping_add(number))
        };
        let first = begin(0)?;
        let starts = |number: u64| match number {
            0 => first.clone(),
            _ => begin(number).unwrap_or_default(),
        };
        let from = From {
            groups: before,
            starts: Some(&starts),
        };
        let groups = Groups::of_size(playing.len(), self.rules.match_size()).map_err(Error::Search)?;
        let Some(softer) = self.softer() else {
            return self.step(playing, (cost, groups), self.engine, from, limits);
        };
        cost.set_objective(softer);
        let limits = limits.or_work(WORK * playing.len() as u64);
        let soft = (self.unwatched()).step(playing, (cost, groups.clone()), self.engine, from, limits.half());
        cost.set_objective(self.rules.chosen_objective());
        let (found, spent) = match soft {
            Ok(soft) if soft.stop != Stop::Cancelled => (Some(soft.groups), soft.spent),
            // Where nothing keeps the limits so far, the climb begins where this one did.
            Err(failed) if failed.is_open() => (None, failed.spent),
            over => return over,
        };
        let from = match &found {
            Some(groups) => From {
                groups: Some(groups),
                starts: None,
            },
            None => from,
        };
        let sharp = self.step(playing, (cost, groups), Engine::CachedClimb, from, limits.after(spent));
        match sharp {
            Ok(sharp) => Ok(Found {
                spent: spent.plus(sharp.spent),
                ..sharp
            }),
            Err(failed) => Err(Failed {
                spent: spent.plus(failed.spent),
                ..failed
            }),
        }
    }

    /// The search that goes on from what this one has found: chance takes other ways, and nobody reads its matches before it
    /// ends, so that the ones that are there can be read until then.
    pub(super) fn going_on(&self) -> Self {
        Self {
            seed: self.seed.wrapping_add(AGAIN),
            incumbent: None,
            ..self.clone()
        }
    }

    /// The same search, of which nobody hears before it ends.
    pub(super) fn unwatched(&self) -> Self {
        Self {
            observer: None,
            incumbent: None,
            ..self.clone()
        }
    }

    /// The objective to begin with, where the one asked for is too sharp for that: as long as some match is bad, it
    /// costs more than all others together, and annealing that is hot enough for it leaves the others to chance.
    fn softer(&self) -> Option<Objective> {
        match self.rules.chosen_objective() {
            Objective::MinThenMean { sharpness } if sharpness > SOFT && self.engine == Engine::Auto => {
                Some(Objective::MinThenMean { sharpness: SOFT })
            }
            _ => None,
        }
    }

    /// One search of the players of a round in these groups.
    pub(super) fn step(
        &self,
        playing: &Round,
        (cost, groups): (&LobbyCost, Groups),
        engine: Engine,
        from: From<'_>,
        limits: Limits,
    ) -> Result<Found, Failed> {
        let start = Instant::now();
        let parties = playing.parties().iter().filter(|party| party.len() > 1).cloned();
        let together = playing.running().iter().map(|running| running.players().collect());
        // The running matches are the first groups.
        let stay = playing.running().iter().enumerate();
        let stay = stay.flat_map(|(group, running)| running.players().map(move |player| (player, group)));
        let instance = Instance::by_group(cost, groups)
            .and_then(|instance| instance.parties(parties.chain(together)))
            .and_then(|instance| instance.pins(stay))
            .map_err(Error::Search)?;
        let mut search = Search::with(&instance, engine).seed(self.seed);
        if let Some(starts) = from.starts {
            search = search.starts(starts);
        }
        if let Some(groups) = from.groups {
            search = search.warm_start(groups);
        }
        if let Some(work) = limits.work {
            search = search.work(work);
        }
        if let Some(time) = limits.time {
            search = search.time(time);
        }
        if let Some(cancel) = &self.cancel {
            search = search.cancel(cancel.clone());
        }
        if let Some(observer) = self.observer {
            search = search.observer(observer);
        }
        if let Some(incumbent) = &self.incumbent {
            search = search.incumbent(incumbent);
        }
        let found = search.run();
        let elapsed = start.elapsed();
        match found {
            Ok(found) => Ok(Found {
                groups: found.groups().to_vec(),
                spent: Spent {
                    work: found.work(),
                    elapsed,
                },
                engine: found.engine(),
                stop: found.stop(),
            }),
            Err(error) => {
                let (stop, work) = match error {
                    OnlyForbidden { stop, work, .. } => (stop, work),
                    AllForbidden { work, .. } => (Stop::Exhausted, work),
                    _ => (Stop::Finished, 0),
                };
                Err(Failed {
                    error: Box::new(Error::Search(error)),
                    spent: Spent { work, elapsed },
                    stop,
                })
            }
        }
    }
}

/// What a search begins with: any groupings where nothing is said.
#[derive(Clone, Copy, Default)]
pub(super) struct From<'a> {
    /// What another search has found.
    pub(super) groups: Option<&'a [Vec<usize>]>,
    /// Groupings by number.
    pub(super) starts: Option<&'a (dyn Fn(u64) -> Vec<Vec<usize>> + Sync)>,
}

/// Some of the players, and what matches of them cost.
pub(super) struct Tables {
    pub(super) round: Round,
    pub(super) cost: LobbyCost,
    /// Their positions in the whole round.
    pub(super) players: Vec<usize>,
}

impl Tables {
    pub(super) fn new(search: &LobbySearch<'_>, players: &[usize]) -> Result<Self, Error> {
        let round = search.round.subset(players);
        Ok(Self {
            cost: LobbyCost::new(&round, search.rules)?,
            round,
            players: players.to_vec(),
        })
    }

    /// The same groups by the positions of these tables, of players who are all among theirs.
    pub(super) fn positions(&self, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
        positions(&self.players, groups)
    }
}

/// Groups of players by their positions among these, ascending ones.
pub(super) fn positions(players: &[usize], groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let position = |player: &usize| players.partition_point(|other| other < player);
    let of = |group: &Vec<usize>| group.iter().map(position).collect();
    groups.iter().map(of).collect()
}

/// What one search has found.
pub(super) struct Found {
    pub(super) groups: Vec<Vec<usize>>,
    pub(super) spent: Spent,
    pub(super) engine: Engine,
    pub(super) stop: Stop,
}

/// A search that has found nothing, or could not begin.
pub(super) struct Failed {
    pub(super) error: Box<Error>,
    pub(super) spent: Spent,
    /// What ended it, if it had begun.
    pub(super) stop: Stop,
}

impl Failed {
    /// Whether there may be matches all the same, and somebody wants to know.
    fn is_open(&self) -> bool {
        let is_forbidden = matches!(*self.error, Error::Search(OnlyForbidden { .. }));
        is_forbidden && self.stop != Stop::Cancelled
    }
}

impl std::convert::From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self {
            error: Box::new(error),
            spent: Spent::default(),
            stop: Stop::Finished,
        }
    }
}

impl Found {
    /// No groups, where nothing was to be found.
    pub(super) fn nothing(engine: Engine, stop: Stop, spent: Spent) -> Self {
        Self {
            groups: Vec::new(),
            spent,
            engine,
            stop,
        }
    }

    /// The same, where a player stands for another position.
    pub(super) fn renamed(mut self, positions: &[usize]) -> Self {
        self.groups
            .iter_mut()
            .flatten()
            .for_each(|player| *player = positions[*player]);
        self
    }
}

impl std::fmt::Debug for LobbySearch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LobbySearch")
            .field("players", &self.round.len())
            .field("rules", &self.rules)
            .field("engine", &self.engine)
            .field("seed", &self.seed)
            .field("work", &self.work)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}
