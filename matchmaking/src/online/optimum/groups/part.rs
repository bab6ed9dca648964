//! Arrivals that are put into games together.

use matching_core::{Budget, GroupBound, GroupCost, StopReason};
use matching_lp::{Groups, Problem, Solver, Status};

use super::super::greedy;
use super::least::Least;
use crate::online::account::game_cost;
use crate::online::arrivals::Arrivals;
use crate::online::error::Error;
use crate::online::games::Game;
use crate::online::setting::{MAX_PLAYERS, Setting};

/// What playing alone with bots costs, on the grid of the solver: its totals have 40 bits, which are enough for 1,000 arrivals. One grid for all
/// parts, so that their bounds add up.
pub(super) const ALONE: i64 = 1 << 30;

/// Sets of players who may make a full game, of which a search through them is short.
const FEW_SETS: f64 = 1e7;

/// The best games found, and what no games cost less than.
pub(super) struct Solved {
    pub(super) games: Vec<Vec<usize>>,
    pub(super) bound: i128,
    pub(super) stop: Option<StopReason>,
    pub(super) work: u64,
}

/// Some arrivals, in their order, and what it costs each of them to leave for others; positions are places among them.
pub(super) struct Part<'a> {
    pub(super) setting: &'a Setting,
    pub(super) arrivals: &'a Arrivals,
    pub(super) players: Vec<usize>,
    /// The price of leaving on that grid, where one may leave.
    leave: Vec<Option<i64>>,
    least: Least,
}

impl<'a> Part<'a> {
    pub(super) fn new(setting: &'a Setting, arrivals: &'a Arrivals, players: Vec<usize>) -> Self {
        Self {
            setting,
            arrivals,
            leave: vec![None; players.len()],
            least: Least::new(setting, arrivals, &players),
            players,
        }
    }

    /// Prices of leaving across the edges of a window, see [`Windows`](super::windows::Windows).
    pub(super) fn open_edges(&mut self, is_before: bool, is_after: bool) {
        let times = self.arrivals.times();
        let (Some(&first), Some(&last)) = (self.players.first(), self.players.last()) else {
            return;
        };
        // Both windows at an edge reckon with the same moment: when the later one begins.
        let before = is_before.then(|| (times[first - 1], times[first]));
        let after = is_after.then(|| times[last + 1]);
        for (leave, &player) in self.leave.iter_mut().zip(&self.players) {
            let time = times[player];
            let mut open = |wait: f64| {
                // Rounded down, so that the bound stays one.
                let price = (wait / self.setting.tau_max() / self.setting.alone() * ALONE as f64).floor() as i64;
                *leave = Some(leave.map_or(price, |least| least.min(price)).max(0));
            };
            if let Some((other, edge)) = before
                && self.setting.may_wait(other, time)
            {
                open((time - edge) / (self.setting.players() - 1) as f64);
            }
            if let Some(edge) = after
                && self.setting.may_wait(time, edge)
            {
                open(edge - time);
            }
        }
    }

    /// Who can play with the arrival of this number may wait for it, at so much beside the wait until then; no more than so
    /// many of those who came last.
    pub(super) fn open_end(&mut self, next: usize, cost: f64, most: usize) {
        let edge = self.arrivals.times()[next];
        let slots = self.leave.iter_mut().zip(&self.players).rev().take(most);
        for (leave, &player) in slots {
            let time = self.arrivals.times()[player];
            if self.setting.may_wait(time, edge) {
                let wait = (edge - time) / self.setting.tau_max() / self.setting.alone();
                *leave = Some((wait * ALONE as f64 + cost).round() as i64);
            }
        }
    }

    /// Whether a player who is alone leaves, and does not play with bots.
    pub(super) fn leaves(&self, game: &[usize]) -> bool {
        match *game {
            [i] => self.leave[i].is_some_and(|price| price < self.cost(game)),
            _ => false,
        }
    }

    /// Games to begin with: those of the greedy policy, whose players leave where games with bots cost more.
    pub(super) fn begin(&self) -> Result<Vec<Vec<usize>>, Error> {
        let mut begin = Vec::new();
        for (_, players) in greedy(self.setting, self.arrivals, &self.players)? {
            let position = |&player: &u32| self.players.binary_search(&(player as usize)).ok();
            let game: Vec<usize> = players.iter().filter_map(position).collect();
            let alone: i64 = game.iter().map(|&i| self.group(&[i])).sum();
            if alone < self.cost(&game) {
                begin.extend(game.into_iter().map(|i| vec![i]));
            } else {
                begin.push(game);
            }
        }
        Ok(begin)
    }

    /// The best games found, and what no games cost less than; all are of positions.
    pub(super) fn solve(&self, budget: &Budget, mut begin: Vec<Vec<usize>>) -> Result<Solved, Error> {
        let refused = |source| Error::Groups { source };
        let (size, len) = (self.setting.players(), self.players.len());
        // As many games as players at most; what stays empty is none. There are no more full games, and no fewer games in all, than so
        // many players can play, which the solver's linear programs would have to find out. With three kinds of places they take
        // longer to prove anything, though, which counts where each search for games takes seconds.
        let (full, fewest) = (len / size, len.div_ceil(size));
        let knows = self.least.sets() <= FEW_SETS;
        let place = |i: usize| {
            if knows {
                usize::from(i < fewest)..=if i < full { size } else { size - 1 }
            } else {
                0..=size
            }
        };
        let places = (0..len).map(place);
        let groups = Groups::with_bounds(places).expect("a part has arrivals, and no range of sizes is empty");
        let problem = Problem::by_group(self, groups).map_err(refused)?;
        begin.sort_by_key(|game| core::cmp::Reverse(game.len()));
        let solver = solver(budget).warm_start(&begin);
        let solution = solver.solve(&problem).map_err(refused)?;
        let checked = solution.verify(&problem);
        checked.map_err(|source| Error::UnverifiedGroups { source })?;
        let is_game = |members: &&Vec<usize>| !members.is_empty();
        Ok(Solved {
            games: solution.groups().iter().filter(is_game).cloned().collect(),
            bound: solution.bound().max(0),
            stop: match solution.status() {
                Status::Feasible(reason) | Status::Unknown(reason) => limit(reason),
                _ => None,
            },
            work: solution.work(),
        })
    }

    pub(super) fn time(&self, i: usize) -> f64 {
        self.arrivals.times()[self.players[i]]
    }

    /// The first and the last of some players; positions are in the order of arrivals.
    fn ends(members: &[usize]) -> Option<(usize, usize)> {
        Some((*members.iter().min()?, *members.iter().max()?))
    }

    fn is_in_time(&self, members: &[usize]) -> bool {
        Self::ends(members).is_none_or(|(first, last)| self.setting.may_wait(self.time(first), self.time(last)))
    }

    /// Formula (1) of a game of these players, on the grid.
    pub(super) fn cost(&self, members: &[usize]) -> i64 {
        let mut players = [0; MAX_PLAYERS];
        for (player, &i) in players.iter_mut().zip(members) {
            *player = self.players[i] as u32;
        }
        let players = &players[..members.len()];
        let game = Game {
            time: start_of(self.setting, self.arrivals, players),
            players,
        };
        self.on_grid(game_cost(self.setting, self.arrivals, game).total())
            .round() as i64
    }

    fn on_grid(&self, cost: f64) -> f64 {
        cost / self.setting.alone() * ALONE as f64
    }
}

/// When a game of these players starts, whose numbers are in the order of their arrivals.
pub(super) fn start_of(setting: &Setting, arrivals: &Arrivals, players: &[u32]) -> f64 {
    let time = |player: Option<&u32>| player.map_or(0.0, |&player| arrivals.times()[player as usize]);
    let (first, last) = (time(players.iter().min()), time(players.iter().max()));
    if players.len() == setting.players() {
        last
    } else {
        // Who comes as the wait ends plays, also where the sum is rounded to a moment before.
        last.max(first + setting.tau_max())
    }
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

impl GroupCost for Part<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.players.len()
    }

    fn group(&self, members: &[usize]) -> i64 {
        let cost = self.cost(members);
        match *members {
            [i] => self.leave[i].map_or(cost, |price| price.min(cost)),
            _ => cost,
        }
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        self.is_in_time(members)
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    fn group_bound(&self, members: &[usize], more: usize) -> GroupBound<i64> {
        let Some((first, last)) = Self::ends(members) else {
            return GroupBound::AtLeast(0);
        };
        if !self.is_in_time(members) {
            return GroupBound::Forbidden;
        }
        if members.len() == 1 && more == 0 {
            return GroupBound::AtLeast(self.group(members));
        }
        let least = if members.len() + more < self.setting.players() {
            Some(self.least.with_bots(members, (first, last), more))
        } else {
            self.least.full((first, last), members)
        };
        // Below by more than the sums' rounding.
        least.map_or(GroupBound::Forbidden, |least| {
            GroupBound::AtLeast(self.on_grid(least).floor() as i64 - 1)
        })
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
            let part = Part::new(&setting, &arrivals, (0..arrivals.len()).collect());
            let pairs = (0..40).flat_map(|i| (0..i).map(move |j| vec![j, i]));
            for members in (0..40).map(|i| vec![i]).chain(pairs) {
                let alone: &[usize] = if members.len() == 1 { &members } else { &members[1..] };
                for (members, more) in [(&members[..], 0), (alone, members.len() - alone.len())] {
                    if let GroupBound::AtLeast(bound) = part.group_bound(members, more) {
                        assert!(bound <= part.group(members), "{begin}: {members:?}");
                    }
                }
                if part.is_group_allowed(&members) {
                    let players: Vec<u32> = members.iter().map(|&i| i as u32).collect();
                    let wait = start_of(&setting, &arrivals, &players) - part.time(members[0]);
                    shorter += usize::from(wait < setting.tau_max() - 1e-6);
                }
            }
        }
        assert!(shorter > 50, "{shorter}");
        Ok(())
    }

    /// Every set of players in every order of who is known first: as low as its cheapest game, and forbidden only where all are.
    #[test]
    fn bounds_are_those_of_some_game_or_below() -> Result<(), Error> {
        let (mut met, mut forbidden) = (0, 0);
        for seed in 0..40_u32 {
            let size = 2 + seed as usize % 4;
            let setting = Setting::new(size, [0.5, 1.0, 4.0][seed as usize % 3], 2)?;
            let value = |i: u32, by: u32| f64::from((i * by + seed * 13) % 19) / 18.0;
            // Some come together after a while without anybody.
            let time = |i: u32| f64::from(i) * 0.1 + f64::from(i * (1 + seed % 3) / 4) * 0.4 + 0.09 * value(i, 7);
            let rows: Vec<(f64, [f64; 2])> = (0..9).map(|i| (time(i), [value(i, 5), value(i, 11)])).collect();
            let arrivals = Arrivals::new(2, rows.iter().map(|(time, criteria)| (*time, &criteria[..])))?;
            let part = Part::new(&setting, &arrivals, (0..9).collect());
            let members = |set: usize| (0..9).rev().filter(|i| set >> i & 1 == 1).collect::<Vec<usize>>();
            for set in 1_usize..1 << 9 {
                let known = set.count_ones() as usize;
                for more in 0..(size + 1).saturating_sub(known) {
                    let games = (1_usize..1 << 9)
                        .filter(|game| game & set == set && game.count_ones() as usize == known + more)
                        .filter_map(|game| part.group_if_allowed(&members(game)));
                    match (part.group_bound(&members(set), more), games.min()) {
                        (GroupBound::AtLeast(bound), Some(least)) => {
                            assert!(bound <= least, "{seed}: {set:b} {more}: {bound} {least}");
                            met += usize::from(more > 0 && least - bound < ALONE / 1_000);
                        }
                        (GroupBound::Forbidden, None) => forbidden += 1,
                        (GroupBound::AtLeast(_), None) => {}
                        (bound, least) => panic!("{seed}: {set:b} {more}: {bound:?} {least:?}"),
                    }
                }
            }
        }
        assert!(met > 100 && forbidden > 100, "{met} {forbidden}");
        Ok(())
    }
}
