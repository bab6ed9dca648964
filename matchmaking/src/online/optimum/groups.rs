//! The optimum of games of more than two, for short logs.

use matching_core::{Budget, GroupBound, GroupCost, StopReason};
use matching_lp::{Groups, Problem, Solver, Status};

use super::super::account::game_cost;
use super::super::arrivals::Arrivals;
use super::super::error::Error;
use super::super::games::{Game, Games};
use super::super::setting::Setting;
use super::{Optimum, greedy, pieces};
use crate::clock::Clock;

/// What playing alone with bots costs at most, on the grid of the solver.
const FINEST: u64 = 1 << 30;

/// What everybody playing alone with bots may cost in all: the solver's totals have 40 bits, and a thousandth is left for waits, which are
/// longer than `τ_max` where times are rounded.
const MOST: u64 = (1 << 40) - (1 << 30);

/// When a game starts, and who plays.
type Start = (f64, Vec<u32>);

/// Games of any size at the least total cost, or a bracket of it: exact grouping by `matching-lp`, each part of the log
/// (see [`optimum`](super::optimum)) for at most so much work. Where the work does not suffice, or rounding in the
/// solver's linear programs keeps the proof from closing, [`Optimum::bound`] is below the cost of the games, which then
/// are the best that were found, or those of [`Greedy`](crate::online::Greedy).
///
/// A full game starts when the last of its players arrives, a game with bots `τ_max` after the first, as under any
/// policy.
///
/// # Errors
/// [`Error::WrongCriteria`], [`Error::CoarseTimes`] as [`optimum`](super::optimum); [`Error::Groups`] if the solver
/// refuses, for example more arrivals without a pause of `τ_max` than it takes; [`Error::UnverifiedGroups`] if its answer does
/// not pass its check.
///
/// # Complexity
/// Exponential in the worst case: for logs of some dozens of arrivals between pauses.
pub fn group_optimum(setting: &Setting, arrivals: &Arrivals, work: u64) -> Result<Optimum, Error> {
    group_optimum_within(setting, arrivals, &Budget::new().work(work))
}

/// As [`group_optimum`], and for no longer than a budget says: its work is for each part of the log, its time for all of
/// them, and memory is not limited. Parts that were not begun have the games of [`Greedy`](crate::online::Greedy), and add
/// nothing to the bound.
///
/// # Errors
/// As [`group_optimum`].
///
/// # Complexity
/// As [`group_optimum`].
pub fn group_optimum_within(setting: &Setting, arrivals: &Arrivals, budget: &Budget) -> Result<Optimum, Error> {
    setting.check_for_optimum(arrivals)?;
    let clock = Clock::new(budget);
    let pieces = pieces(setting, arrivals, usize::MAX);
    let longest = pieces
        .iter()
        .map(|(start, end)| (end - start) as u64)
        .max()
        .unwrap_or(1);
    // One grid for all parts, so that their bounds add up.
    let alone = FINEST.min(MOST / longest) as f64;
    let unit = setting.alone() / alone;
    let mut found: Vec<Start> = Vec::new();
    let mut bound = 0;
    let (mut stop, mut out_of_work) = (None, false);
    for (start, end) in pieces {
        let part = Part {
            setting,
            arrivals,
            alone,
            start,
            end,
        };
        let solved = part.solve(&clock, budget.work_limit())?;
        found.extend(solved.games);
        bound += solved.bound;
        stop = stop.or(solved.stop);
        out_of_work |= solved.stop == Some(StopReason::WorkLimit);
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    let mut games = Games::new();
    found.into_iter().for_each(|(time, players)| games.push(time, players));
    Ok(Optimum {
        games,
        bound: bound as f64 * unit,
        tolerance: arrivals.len() as f64 * unit,
        out_of_work,
        stop,
    })
}

/// A solver within a budget.
fn solver(budget: &Budget) -> Solver<'static> {
    let mut solver = Solver::new();
    if let Some(work) = budget.work_limit() {
        solver = solver.work(work);
    }
    if let Some(time) = budget.time_limit() {
        solver = solver.time(time);
    }
    if let Some(token) = budget.cancel_token() {
        solver = solver.cancel(token.clone());
    }
    solver
}

/// The limit that a solver was stopped by, if it was one.
fn limit(reason: matching_lp::StopReason) -> Option<StopReason> {
    match reason {
        matching_lp::StopReason::WorkLimit => Some(StopReason::WorkLimit),
        matching_lp::StopReason::TimeLimit => Some(StopReason::TimeLimit),
        matching_lp::StopReason::Cancelled => Some(StopReason::Cancelled),
        _ => None,
    }
}

/// What is known of a part.
struct Solved {
    games: Vec<Start>,
    bound: i128,
    stop: Option<StopReason>,
}

/// Arrivals without a pause in between.
struct Part<'a> {
    setting: &'a Setting,
    arrivals: &'a Arrivals,
    /// What playing alone with bots costs, on the grid of the solver.
    alone: f64,
    start: usize,
    end: usize,
}

impl Part<'_> {
    /// The best games found, and what no games cost less than.
    fn solve(&self, clock: &Clock<'_>, work: Option<u64>) -> Result<Solved, Error> {
        if let Some(reason) = clock.over() {
            return Ok(Solved {
                games: self.greedy()?,
                bound: 0,
                stop: Some(reason),
            });
        }
        let refused = |source| Error::Groups { source };
        // As many games as players at most; what stays empty is none.
        let places = (0..self.len()).map(|_| 0..=self.setting.players().min(self.len()));
        let groups = Groups::with_bounds(places).expect("a part has arrivals, and no range of sizes is empty");
        let problem = Problem::by_group(self, groups).map_err(refused)?;
        let solution = solver(&clock.rest(work)).solve(&problem).map_err(refused)?;
        let checked = solution.verify(&problem);
        checked.map_err(|source| Error::UnverifiedGroups { source })?;
        let games: Vec<Start> = solution
            .groups()
            .iter()
            .filter(|members| !members.is_empty())
            .map(|members| {
                (
                    self.start_of(members),
                    members.iter().map(|&i| (self.start + i) as u32).collect(),
                )
            })
            .collect();
        let games = if games.is_empty() { self.greedy()? } else { games };
        Ok(Solved {
            games,
            bound: solution.bound().max(0),
            stop: match solution.status() {
                Status::Feasible(reason) | Status::Unknown(reason) => limit(reason),
                _ => None,
            },
        })
    }

    /// The games of the greedy policy.
    fn greedy(&self) -> Result<Vec<Start>, Error> {
        let players: Vec<usize> = (self.start..self.end).collect();
        greedy(self.setting, self.arrivals, &players)
    }

    fn time(&self, i: usize) -> f64 {
        self.arrivals.times()[self.start + i]
    }

    /// The first and the last arrival of some players.
    fn span(&self, members: &[usize]) -> (f64, f64) {
        let times = members.iter().map(|&i| self.time(i));
        times.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), time| {
            (low.min(time), high.max(time))
        })
    }

    fn is_in_time(&self, members: &[usize]) -> bool {
        let (first, last) = self.span(members);
        members.is_empty() || self.setting.may_wait(first, last)
    }

    fn start_of(&self, members: &[usize]) -> f64 {
        let (first, last) = self.span(members);
        if members.len() == self.setting.players() {
            last
        } else {
            // Who comes as the wait ends plays, also where the sum is rounded to a moment before.
            last.max(first + self.setting.tau_max())
        }
    }

    /// Formula (1) of a game of these players, on the grid.
    fn cost(&self, members: &[usize], time: f64) -> f64 {
        let players: Vec<u32> = members.iter().map(|&i| (self.start + i) as u32).collect();
        game_cost(
            self.setting,
            self.arrivals,
            Game {
                time,
                players: &players,
            },
        )
        .total()
            / self.setting.alone()
            * self.alone
    }

    /// What players cost a full game, whoever else plays: their range and their waits can only grow.
    fn least_full(&self, members: &[usize]) -> f64 {
        let (first, last) = self.span(members);
        if members.is_empty() {
            return 0.0;
        }
        let criteria = |i: usize| self.arrivals.criteria(self.start + i);
        let range = |d: usize| {
            let values = members.iter().map(|&i| criteria(i)[d]);
            let (low, high) = values.fold((1.0_f64, 0.0_f64), |(low, high), value| {
                (low.min(value), high.max(value))
            });
            high - low
        };
        let ranges: f64 = self
            .setting
            .weights()
            .iter()
            .enumerate()
            .map(|(d, weight)| weight * range(d))
            .sum();
        let waits: f64 = members
            .iter()
            .map(|&i| (last - self.time(i)) / self.setting.tau_max())
            .sum();
        debug_assert!(first <= last);
        (ranges + waits) / self.setting.alone() * self.alone
    }
}

impl GroupCost for Part<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.end - self.start
    }

    fn group(&self, members: &[usize]) -> i64 {
        self.cost(members, self.start_of(members)).round() as i64
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        self.is_in_time(members)
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    fn group_bound(&self, members: &[usize], more: usize) -> GroupBound<i64> {
        if !self.is_in_time(members) {
            return GroupBound::Forbidden;
        }
        let size = members.len() + more;
        let least = if size < self.setting.players() {
            let bots = (self.setting.players() - size) as f64;
            // Whoever came first waits for all of it, but for what times are rounded to.
            let wait = 1.0 - self.setting.coarseness(self.arrivals);
            (self.setting.weights().iter().sum::<f64>() + bots + wait) / self.setting.alone() * self.alone
        } else {
            self.least_full(members)
        };
        // Below by more than the sums' rounding.
        GroupBound::AtLeast(least.floor() as i64 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far from 0 a wait may be shorter than `τ_max` by what times are rounded to: the bound took it for whole.
    #[test]
    fn bounds_of_games_with_bots_are_below_them_wherever_time_begins() -> Result<(), Error> {
        let setting = Setting::new(3, 2.000_01, 1)?;
        let mut shorter = 0;
        for begin in [0.0, 1e3, -7e8, 2.5e11] {
            let rows: Vec<(f64, [f64; 1])> = (0..40)
                .map(|i| (begin + f64::from(i) * 0.13, [f64::from(i * 7 % 40) / 40.0]))
                .collect();
            let arrivals = Arrivals::new(1, rows.iter().map(|(time, criteria)| (*time, &criteria[..])))?;
            let part = Part {
                setting: &setting,
                arrivals: &arrivals,
                alone: FINEST as f64,
                start: 0,
                end: arrivals.len(),
            };
            let pairs = (0..40).flat_map(|i| (0..i).map(move |j| vec![j, i]));
            for members in (0..40).map(|i| vec![i]).chain(pairs) {
                if let GroupBound::AtLeast(bound) = part.group_bound(&members, 0) {
                    assert!(bound <= part.group(&members), "{begin}: {members:?}");
                    let wait = part.start_of(&members) - part.time(members[0]);
                    shorter += usize::from(wait < setting.tau_max() - 1e-6);
                }
            }
        }
        assert!(shorter > 50, "{shorter}");
        Ok(())
    }
}
