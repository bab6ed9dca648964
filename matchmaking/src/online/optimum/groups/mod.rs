//! The optimum of games of more than two: at once for short logs, in windows for others.

mod least;
mod part;
mod windows;

use matching_core::{Budget, StopReason};

use super::super::account::game_cost;
use super::super::arrivals::Arrivals;
use super::super::error::Error;
use super::super::games::{Game, Games};
use super::super::setting::Setting;
use super::{Optimum, greedy, pieces};
use crate::clock::Clock;
use part::{ALONE, Part, Solved, start_of};
use windows::{Windows, window};

/// Most arrivals without a pause that are solved at once.
const MOST_AT_ONCE: usize = 250;
/// Where they come before that, windows get one of so many parts of the budget.
const BEFORE_ALL: usize = 3;

/// When a game starts, and who plays.
type Start = (f64, Vec<u32>);

/// Games of any size at the least total cost, or a bracket of it: exact grouping by `matching-lp`, each part of the log
/// (see [`optimum`](super::optimum)) for at most so much work. Where the work does not suffice, or rounding in the
/// solver's linear programs keeps the proof from closing, [`Optimum::bound`] is below the cost of the games, which then
/// are the best that were found, and never worse than those of [`Greedy`](crate::online::Greedy).
///
/// Parts of more than 250 arrivals are solved in windows, as by [`optimum_in_windows`](super::optimum_in_windows): the bound is
/// what the windows cost at least where everybody may leave them at a price, and whoever costs less that way waits for the
/// next window. So their games are good ones, and hardly ever the best.
///
/// A full game starts when the last of its players arrives, a game with bots `τ_max` after the first, as under any
/// policy.
///
/// # Errors
/// [`Error::WrongCriteria`], [`Error::CoarseTimes`] as [`optimum`](super::optimum); [`Error::Groups`] if the solver
/// refuses; [`Error::UnverifiedGroups`] if its answer does not pass its check.
///
/// # Complexity
/// Exponential in the worst case: for some dozens of arrivals between pauses, or windows of as many, of which a log may have
/// any number.
pub fn group_optimum(setting: &Setting, arrivals: &Arrivals, work: u64) -> Result<Optimum, Error> {
    group_optimum_within(setting, arrivals, &Budget::new().work(work))
}

/// As [`group_optimum`], and for no longer than a budget says: its work is for each part of the log, its time for all of
/// them, and memory is not limited. Parts and windows that were not begun have the games of [`Greedy`](crate::online::Greedy), and add
/// nothing to the bound.
///
/// # Errors
/// As [`group_optimum`].
///
/// # Complexity
/// As [`group_optimum`]. To check what was found is not cut short.
pub fn group_optimum_within(setting: &Setting, arrivals: &Arrivals, budget: &Budget) -> Result<Optimum, Error> {
    setting.check_for_optimum(arrivals)?;
    let clock = Clock::new(budget);
    let unit = setting.alone() / ALONE as f64;
    let mut found: Vec<Start> = Vec::new();
    let mut bound = 0;
    let (mut stop, mut out_of_work) = (None, false);
    for (start, end) in pieces(setting, arrivals, usize::MAX) {
        let piece = Piece {
            setting,
            arrivals,
            start,
            end,
        };
        let mut left = Left {
            clock: &clock,
            work: budget.work_limit(),
        };
        let solved = piece.solve(&mut left)?;
        found.extend(solved.games.iter().map(|game| piece.game(game)));
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

/// Games of arrivals by their numbers, and what no games cost less than.
struct Bracket {
    games: Vec<Vec<usize>>,
    bound: i128,
    stop: Option<StopReason>,
}

impl Bracket {
    /// Takes what is better, and how the other one ended.
    fn improve(&mut self, piece: &Piece<'_>, other: Self) {
        if piece.cost(&other.games) <= piece.cost(&self.games) {
            self.games = other.games;
        }
        self.bound = self.bound.max(other.bound);
        self.stop = other.stop;
    }
}

/// What is left for a part of the log.
struct Left<'c, 'b> {
    clock: &'c Clock<'b>,
    work: Option<u64>,
}

impl Left<'_, '_> {
    fn is_limited(&self) -> bool {
        let rest = self.clock.rest(self.work);
        rest.time_limit().is_some() || rest.work_limit().is_some()
    }

    /// Solves a part from these games with one of so many equal shares.
    fn solve(&mut self, part: &Part<'_>, begin: Vec<Vec<usize>>, shares: usize) -> Result<Solved, Error> {
        let mut budget = self.clock.rest(self.work.map(|work| work / shares as u64));
        if let Some(time) = budget.time_limit() {
            budget = budget.time(time / shares as u32);
        }
        let solved = part.solve(&budget, begin)?;
        self.work = self.work.map(|work| work.saturating_sub(solved.work));
        Ok(solved)
    }
}

/// Arrivals without a pause in between.
struct Piece<'a> {
    setting: &'a Setting,
    arrivals: &'a Arrivals,
    start: usize,
    end: usize,
}

impl<'a> Piece<'a> {
    fn solve(&self, left: &mut Left<'_, '_>) -> Result<Bracket, Error> {
        let all: Vec<usize> = (self.start..self.end).collect();
        let mut best = Bracket {
            games: self.greedy(&all)?,
            bound: 0,
            stop: None,
        };
        let is_short = all.len() <= MOST_AT_ONCE;
        let window = window(self.setting.players(), MOST_AT_ONCE);
        // What can be proven at once may take all there is and end with little: windows come first, where that is limited.
        if all.len() > window && (!is_short || left.is_limited()) {
            let of_them = if is_short { BEFORE_ALL } else { 1 };
            let found = Windows::new(self, window).solve(of_them, left)?;
            best.improve(self, found);
        }
        if let Some(reason) = left.clock.over() {
            best.stop = Some(reason);
        } else if is_short {
            let part = self.part(all);
            let positions = |game: &Vec<usize>| game.iter().map(|player| player - self.start).collect();
            let solved = left.solve(&part, best.games.iter().map(positions).collect(), 1)?;
            let named = |game: &Vec<usize>| game.iter().map(|&i| part.players[i]).collect();
            let found = Bracket {
                games: solved.games.iter().map(named).collect(),
                bound: solved.bound,
                stop: solved.stop,
            };
            best.improve(self, found);
        }
        Ok(best)
    }

    fn part(&self, players: Vec<usize>) -> Part<'a> {
        Part::new(self.setting, self.arrivals, players)
    }

    /// The games of the greedy policy for some of the arrivals.
    fn greedy(&self, players: &[usize]) -> Result<Vec<Vec<usize>>, Error> {
        let games = greedy(self.setting, self.arrivals, players)?;
        let named = |(_, game): (f64, Vec<u32>)| game.into_iter().map(|player| player as usize).collect();
        Ok(games.into_iter().map(named).collect())
    }

    fn cost(&self, games: &[Vec<usize>]) -> f64 {
        games
            .iter()
            .map(|game| self.game(game))
            .map(|(time, players)| {
                let game = Game {
                    time,
                    players: &players,
                };
                game_cost(self.setting, self.arrivals, game).total()
            })
            .sum()
    }

    /// When a game starts, and who plays.
    fn game(&self, players: &[usize]) -> Start {
        let players: Vec<u32> = players.iter().map(|&player| player as u32).collect();
        (start_of(self.setting, self.arrivals, &players), players)
    }
}
