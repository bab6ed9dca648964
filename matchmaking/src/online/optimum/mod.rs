//! The best that could have been done by somebody who knew all arrivals in advance.

#[cfg(feature = "groups")]
mod groups;
mod part;

use matching_core::{Budget, Status, StopReason};

use super::account::Account;
use super::arrivals::Arrivals;
use super::error::Error;
use super::games::{Game, Games};
use super::live::simulate;
use super::policy::Greedy;
use super::setting::Setting;
use crate::clock::Clock;
#[cfg(feature = "groups")]
pub use groups::{group_optimum, group_optimum_within};
use part::{ALONE, Part};

/// The games of least total cost for a whole log, or nearly so.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Optimum {
    /// The games, by their start; of games at the same time the one of the earliest player first.
    pub games: Games,
    /// No games whatever cost less in total than this less `tolerance`. Where the log was solved in one piece this is
    /// their own cost, up to `tolerance`.
    pub bound: f64,
    /// By how much rounding to the solver's grid can have moved the total.
    pub tolerance: f64,
    /// Whether the solver ran out of work somewhere.
    pub out_of_work: bool,
    /// The limit that ended it, if one did. The games are the best even so where they cost no more than the bound.
    pub stop: Option<StopReason>,
}

/// Matches all arrivals at the least total cost, in games of two; whoever stays alone plays with a bot after `τ_max`,
/// as under any policy. The game of a pair starts when the later of the two arrives: any later start costs more.
///
/// Exact by `matching-core`, with a certificate that is checked, on costs rounded to 2⁻³³ of what a lone player costs.
/// Arrivals more than `τ_max` apart cannot play together, so a log falls into parts wherever nobody arrives for so
/// long.
///
/// # Errors
/// [`Error::Unsuited`] unless games have two players, [`Error::WrongCriteria`]; [`Error::CoarseTimes`] where times are
/// so great that waits of a ten-thousandth of `τ_max` are lost; [`Error::Solver`], [`Error::Unverified`] if the solver
/// fails.
///
/// # Complexity
/// Close to linear in the number of pairs within `τ_max`; with n arrivals at rate a these are n a τ_max, which take as
/// much memory. Beyond 30 million such pairs and up to three criteria, O(n) memory and more time: to check the answer,
/// n² / 64 steps in all are taken over pairs that are too far apart.
pub fn optimum(setting: &Setting, arrivals: &Arrivals) -> Result<Optimum, Error> {
    optimum_in_windows(setting, arrivals, usize::MAX)
}

/// As [`optimum`] for logs too long for one piece: solves windows of at most so many arrivals, and brackets the
/// optimum.
///
/// The bound: a pair across the edge between two windows, at time `T`, costs at least `(T - t) / τ_max` for its earlier
/// player and `(t' - T) / τ_max` for its later one, as criteria cost nothing less than 0. So if each window lets
/// everybody leave at that price, the windows' optima together cost at most what the optimum of the whole log does. The
/// games: whoever left is paired again, at the least cost, with others who left.
///
/// # Errors
/// As [`optimum`].
///
/// # Complexity
/// As [`optimum`] for each window.
pub fn optimum_in_windows(setting: &Setting, arrivals: &Arrivals, window: usize) -> Result<Optimum, Error> {
    optimum_within(setting, arrivals, window, &Budget::new())
}

/// As [`optimum_in_windows`], within a budget for all of it.
///
/// A limit leaves games for everybody and a bound, which is that of the windows up to there: whoever was not matched by
/// then plays under [`Greedy`], or all do where that costs less. [`Optimum::stop`] says so. Work is that of
/// [`Blossom`](matching_core::Blossom), so that such a limit gives the same games on every machine. Time and cancelling
/// are looked at within each window; to list its pairs, and to check what was found, is not cut short. Memory
/// is not limited.
///
/// # Errors
/// As [`optimum`].
///
/// # Complexity
/// As [`optimum`] for each window.
///
/// # Examples
/// ```
/// use matching_core::{Budget, StopReason};
/// use matchmaking::online::{Account, Pattern, Setting, optimum, optimum_within};
///
/// let setting = Setting::new(2, 5.0, 1)?;
/// let arrivals = Pattern::Constant(10.0).arrivals(2_000, 1, 1)?;
/// let hasty = optimum_within(&setting, &arrivals, 100, &Budget::new().work(20_000))?;
/// let best = optimum(&setting, &arrivals)?.bound;
/// assert_eq!(hasty.stop, Some(StopReason::WorkLimit));
/// let total = Account::new(&setting, &arrivals, &hasty.games)?.total();
/// assert!(0.0 < hasty.bound && hasty.bound < best && best < total);
/// # Ok::<(), matchmaking::online::Error>(())
/// ```
pub fn optimum_within(
    setting: &Setting,
    arrivals: &Arrivals,
    window: usize,
    budget: &Budget,
) -> Result<Optimum, Error> {
    check(setting, arrivals)?;
    let mut found = Found {
        setting,
        arrivals,
        clock: Clock::new(budget),
        work: budget.work_limit(),
        games: Vec::new(),
        bound: 0,
        stop: None,
    };
    let mut left = Vec::new();
    for (start, end) in pieces(setting, arrivals, window.max(2)) {
        let players = start..end;
        if found.is_over() {
            left.extend(players);
        } else {
            left.extend(found.take(&Part::new(setting, arrivals, players.collect(), true))?);
        }
    }
    let bound = found.bound;
    // Where nobody is left nothing is to be done, and no limit ends it.
    if !left.is_empty() {
        if found.is_over() {
            found.take_greedily(&left)?;
        } else {
            found.take(&Part::new(setting, arrivals, left, false))?;
        }
    }
    let unit = setting.alone() / ALONE as f64;
    let stop = found.stop;
    Ok(Optimum {
        games: found.into_games()?,
        bound: bound as f64 * unit,
        tolerance: arrivals.len() as f64 * (unit + setting.coarseness(arrivals)),
        out_of_work: stop == Some(StopReason::WorkLimit),
        stop,
    })
}

fn check(setting: &Setting, arrivals: &Arrivals) -> Result<(), Error> {
    let (players, criteria) = (setting.players(), setting.criteria());
    if players != 2 {
        let (policy, serves) = ("optimum", "games of 2 players by any number of criteria");
        return Err(Error::Unsuited {
            policy,
            serves,
            players,
            criteria,
        });
    }
    setting.check_for_optimum(arrivals)
}

/// Cuts the log wherever nobody who waits can meet the next arrival, and after so many arrivals.
fn pieces(setting: &Setting, arrivals: &Arrivals, window: usize) -> Vec<(usize, usize)> {
    let times = arrivals.times();
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in 1..=times.len() {
        let goes_on = end < times.len() && setting.may_wait(times[end - 1], times[end]);
        if !goes_on || end - start == window {
            pieces.push((start, end));
            start = end;
        }
    }
    pieces
}

/// The games of the greedy policy for some of the arrivals, which are named in their order.
fn greedy(setting: &Setting, arrivals: &Arrivals, players: &[usize]) -> Result<Vec<(f64, Vec<u32>)>, Error> {
    let rows = players.iter().map(|&i| (arrivals.times()[i], arrivals.criteria(i)));
    let part = Arrivals::new(arrivals.dimensions(), rows)?;
    let games = simulate(setting, Greedy::new(setting), &part)?;
    let named = |game: Game<'_>| {
        game.players
            .iter()
            .map(|&player| players[player as usize] as u32)
            .collect()
    };
    Ok(games.iter().map(|game| (game.time, named(game))).collect())
}

/// What was found so far.
struct Found<'a> {
    setting: &'a Setting,
    arrivals: &'a Arrivals,
    clock: Clock<'a>,
    /// Work that is left.
    work: Option<u64>,
    /// Start and players; the second player is the first one where a bot plays.
    games: Vec<(f64, u32, u32)>,
    bound: i128,
    stop: Option<StopReason>,
}

impl Found<'_> {
    /// Whether no more parts are to be solved.
    fn is_over(&mut self) -> bool {
        let by_work = (self.work == Some(0)).then_some(StopReason::WorkLimit);
        self.stop = self.stop.or(by_work).or_else(|| self.clock.over());
        self.stop.is_some()
    }

    /// Serves these, in the order of their arrivals, by the greedy policy.
    fn take_greedily(&mut self, players: &[usize]) -> Result<(), Error> {
        for (time, players) in greedy(self.setting, self.arrivals, players)? {
            let (first, last) = (players[0], players[players.len() - 1]);
            self.games.push((time, first, last));
        }
        Ok(())
    }

    /// Solves a part; returns who left it for another one.
    fn take(&mut self, part: &Part<'_>) -> Result<Vec<usize>, Error> {
        let solution = part.solve(self.clock.rest(self.work))?;
        self.work = self.work.map(|work| work.saturating_sub(solution.work()));
        if let Status::Feasible(reason) | Status::Unknown(reason) = solution.status() {
            self.stop = self.stop.or(Some(reason));
        }
        let times = self.arrivals.times();
        // No games cost less than nothing, whatever was proven in so short a time.
        self.bound += solution.bound().max(0);
        for (i, j, _) in solution.pairs() {
            let (i, j) = (part.players[i.min(j)], part.players[i.max(j)]);
            self.games.push((times[j], i as u32, j as u32));
        }
        let mut left = Vec::new();
        for i in solution.unmatched() {
            let player = part.players[i];
            if part.stay[i] < ALONE {
                left.push(player);
            } else {
                self.games
                    .push((times[player] + self.setting.tau_max(), player as u32, player as u32));
            }
        }
        Ok(left)
    }

    /// The games; those of the greedy policy, where a limit left worse ones.
    fn into_games(self) -> Result<Games, Error> {
        let (setting, arrivals, stop) = (self.setting, self.arrivals, self.stop);
        let found = self.sorted();
        if stop.is_none() {
            return Ok(found);
        }
        let greedy = simulate(setting, Greedy::new(setting), arrivals)?;
        let total = |games: &Games| Account::new(setting, arrivals, games).map(|account| account.total());
        Ok(if total(&greedy)? < total(&found)? {
            greedy
        } else {
            found
        })
    }

    fn sorted(mut self) -> Games {
        self.games.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut games = Games::new();
        for (time, one, other) in self.games {
            games.push(time, [one, other].into_iter().take(if one == other { 1 } else { 2 }));
        }
        games
    }
}
