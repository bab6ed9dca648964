//! From a round to its matches.

use std::time::Duration;

use matching_core::CancelToken;
use matching_heuristics::{Engine, Groups, Incumbent, Instance, Progress, Search, Stop};

use super::cost::LobbyCost;
use super::error::Error;
use super::judge::{Breakdown, Judge, Match};
use super::objective::Total;
use super::packing::{Fill, choose, start};
use super::round::Round;
use super::rules::Rules;

/// How much the average skill of a party is disturbed, in points, before a new start is packed: the standard deviation.
const SPREAD: f64 = 6000.0;

/// A search for the matches of a round.
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
    round: &'a Round,
    rules: &'a Rules,
    engine: Engine,
    fill: Fill,
    seed: u64,
    work: Option<u64>,
    time: Option<Duration>,
    cancel: Option<CancelToken>,
    observer: Option<&'a (dyn Fn(&Progress) + Sync + 'a)>,
    incumbent: Option<Incumbent>,
}

/// The matches of a round, and how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Lobby {
    /// The matches, split into teams; players by their index in the round.
    pub matches: Vec<Match>,
    /// Who waits, ascending.
    pub waiting: Vec<usize>,
    /// The six scores, each as the mean over matches.
    pub breakdown: Breakdown,
    /// What the objective makes of the matches' scores.
    pub total: Total,
    /// Moves looked at.
    pub work: u64,
    /// Time of the search, without reading or splitting.
    pub elapsed: Duration,
    /// The engine.
    pub engine: Engine,
    /// What ended the search.
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
            seed: 0,
            work: None,
            time: None,
            cancel: None,
            observer: None,
            incumbent: None,
        }
    }

    /// The engine; one that suits round and budget if not given.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Whether fewer matches than the players fill will do, where parties do not fit; not unless asked for.
    #[must_use]
    pub fn fill(mut self, fill: Fill) -> Self {
        self.fill = fill;
        self
    }

    /// Where chance begins, for who waits and for the search; 0 if not given.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Stop after so many moves were looked at. Reproducible.
    #[must_use]
    pub fn work(mut self, moves: u64) -> Self {
        self.work = Some(moves);
        self
    }

    /// Stop after so much time of search. What comes before is not cut: who plays is chosen and parties are packed in
    /// quadratic time, which takes seconds for thousands of players in great teams.
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

    /// Called with progress, whose cost is that of [`LobbyCost`] summed over matches.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Where the best matches so far can be read while the search runs, by the positions of those who play; what it
    /// holds before is forgotten.
    #[must_use]
    pub fn incumbent(mut self, incumbent: &Incumbent) -> Self {
        self.incumbent = Some(incumbent.clone());
        self
    }

    /// Chooses who plays, and searches.
    ///
    /// # Errors
    /// Those of [`choose`], [`LobbyCost::new`] and [`start`], and [`Error::Search`].
    pub fn run(&self) -> Result<Lobby, Error> {
        let selection = choose(self.round, self.rules, self.fill, self.seed)?;
        let playing = self.round.subset(selection.playing());
        let cost = LobbyCost::new(&playing, self.rules)?;
        // The first start is sorted by skill; the others are disturbed.
        let begin = |number: u64| {
            let spread = if number == 0 { 0.0 } else { SPREAD };
            start(&playing, self.rules, spread, self.seed.wrapping_add(number))
        };
        let first = begin(0)?;
        let starts = |number: u64| match number {
            0 => first.clone(),
            _ => begin(number).unwrap_or_default(),
        };
        let parties = playing.parties().iter().filter(|party| party.len() > 1).cloned();
        let instance = Groups::of_size(playing.len(), self.rules.match_size())
            .and_then(|groups| Instance::by_group(&cost, groups))
            .and_then(|instance| instance.parties(parties))
            .map_err(Error::Search)?;
        let found = self
            .limited(Search::with(&instance, self.engine).seed(self.seed).starts(&starts))
            .run();
        let found = found.map_err(Error::Search)?;

        let judge = Judge::new(self.round, self.rules)?;
        let by_round = |group: &Vec<usize>| {
            let members: Vec<usize> = group.iter().map(|&player| selection.playing()[player]).collect();
            judge
                .best(&members)
                .ok_or(Error::Search(matching_heuristics::Error::OnlyForbidden { members }))
        };
        let matches = found.groups().iter().map(by_round).collect::<Result<Vec<_>, _>>()?;
        let breakdowns: Vec<Breakdown> = matches.iter().map(|one| one.breakdown).collect();
        let scores: Vec<f64> = breakdowns.iter().map(|breakdown| breakdown.total).collect();
        let total = self.rules.chosen_objective().total(&scores);
        Ok(Lobby {
            breakdown: Breakdown::mean(&breakdowns).unwrap_or_default(),
            total: total.unwrap_or(Total { mean: 0.0, worst: 0.0 }),
            matches,
            waiting: selection.waiting().to_vec(),
            work: found.work(),
            elapsed: found.elapsed(),
            engine: found.engine(),
            stop: found.stop(),
        })
    }

    fn limited<'s>(&'s self, mut search: Search<'s, f64>) -> Search<'s, f64> {
        if let Some(work) = self.work {
            search = search.work(work);
        }
        if let Some(time) = self.time {
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
        search
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
