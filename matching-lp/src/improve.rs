//! Better groupings where a proof is far away: some teams of the best grouping are taken apart, and the best way to put
//! their members together again is found exactly, as a small problem of its own.
//!
//! The pool of a proof has all teams that fit between bound and best grouping, so that a better grouping first makes
//! the pool much smaller. Which teams are taken apart: one that costs more than its members pay, and those that share
//! columns of small reduced cost with it and with each other; or any. More of them as long as the small problems come
//! to their end, fewer when they do not.

use crate::duals::Duals;
use crate::limits::Clock;
use crate::model::{Kind, Model, SCALE};
use crate::part::Part;
use crate::pool::Pool;
use crate::random::draw;
use crate::tree::{Aim, Chosen, Tree};

/// With no more columns than this, a proof comes soon enough.
const FEW_COLUMNS: usize = 30_000;
/// Columns for each unit that tell which units have to do with each other.
const NEAR_COLUMNS: usize = 60;
/// Cases of a small problem.
const CASES: usize = 60;
/// Columns of a small problem.
const SMALL_POOL: usize = 4_000;
/// Small problems in a row that bring nothing, for each team of the grouping, after which it is enough.
const PATIENCE: usize = 4;
/// A small problem may take this part of the work done so far,
const PART: u64 = 50;
/// or so much,
const LEAST_WORK: u64 = 1_000_000;
/// and all of them together so many times the work done before the first.
const ALL_PARTS: u64 = 4;
/// Teams of the first small problems.
const FIRST_TEAMS: f64 = 6.0;

/// Whether so few columns, no more than a pool of `most` either, lie between these duals and a grouping of cost `upper`
/// that a proof comes soon enough.
pub(crate) fn is_near(model: &Model<'_>, duals: &Duals, upper: i64, most: usize, clock: &mut Clock<'_>) -> bool {
    let room = (upper - 1) * SCALE - duals.total(model);
    room < 0 || Pool::enumerate(model, duals, room, most.min(FEW_COLUMNS), clock).is_ok()
}

/// The search, and the best grouping.
pub(crate) struct Improvement<'i> {
    model: &'i Model<'i>,
    duals: &'i Duals,
    best: (i64, Chosen),
    /// Columns of the pool at most.
    most: usize,
    random: u64,
    /// How many teams are taken apart.
    teams: f64,
}

impl<'i> Improvement<'i> {
    pub(crate) fn new(model: &'i Model<'i>, duals: &'i Duals, best: (i64, Chosen), most: usize, seed: u64) -> Self {
        Self {
            model,
            duals,
            best,
            most,
            random: seed,
            teams: FIRST_TEAMS,
        }
    }

    /// The best grouping that was found, which may be the one there was.
    pub(crate) fn run(mut self, clock: &mut Clock<'_>) -> Chosen {
        let Some(pool) = self.near_columns(clock) else {
            return self.best.1;
        };
        self.dive(pool.clone(), clock);
        if is_near(self.model, self.duals, self.best.0, self.most, clock) {
            return self.best.1;
        }
        let related = self.related(&pool);
        let mut failures = 0;
        let end = clock.work().saturating_mul(1 + ALL_PARTS);
        // Taken apart, a single column is the whole problem, which comes next. A better grouping may have come to that.
        while self.best.1.len() > 1
            && failures < PATIENCE * self.best.1.len()
            && !clock.is_over()
            && clock.work() < end
            && self.room() >= 0
        {
            let picked = self.neighbourhood(&pool, &related);
            let most = (clock.work() / PART).max(LEAST_WORK);
            let is_better = clock.within(most, |clock| self.solve(&picked, clock));
            failures = if is_better { 0 } else { failures + 1 };
            if is_better && is_near(self.model, self.duals, self.best.0, self.most, clock) {
                break;
            }
        }
        self.best.1
    }

    /// Straight down among the columns of least reduced cost.
    fn dive(&mut self, pool: Pool, clock: &mut Clock<'_>) {
        let mut better = None;
        let mut keep = |cost: i64, chosen: &Chosen| better = Some((cost, chosen.clone()));
        clock.within(clock.work().saturating_mul(ALL_PARTS), |clock| {
            Tree::new(self.model, pool, self.duals, self.best.0, clock, &mut keep)
                .aim(Aim::Dive)
                .run(i64::MIN)
        });
        self.best = better.unwrap_or_else(|| self.best.clone());
    }

    /// Reduced cost that a column of a better grouping can have.
    fn room(&self) -> i64 {
        (self.best.0 - 1) * SCALE - self.duals.total(self.model)
    }

    /// Columns of least reduced cost, some for each unit; `None` if the clock is over.
    fn near_columns(&self, clock: &mut Clock<'_>) -> Option<Pool> {
        let most = NEAR_COLUMNS * self.model.len();
        let mut threshold = self.room();
        while !clock.is_over() {
            match Pool::enumerate(self.model, self.duals, threshold, most, clock) {
                Ok(pool) => return Some(pool),
                Err(_) if threshold == 0 => return None,
                Err(_) => threshold /= 2,
            }
        }
        None
    }

    /// Columns of each unit, least reduced cost first.
    fn related(&self, pool: &Pool) -> Vec<Vec<u32>> {
        let mut sorted: Vec<u32> = (0..pool.len() as u32).collect();
        sorted.sort_by_cached_key(|&column| pool.reduced(self.model, self.duals, &[], column));
        let mut related = vec![Vec::new(); self.model.len()];
        for column in sorted {
            for &unit in pool.units(column) {
                related[usize::from(unit)].push(column);
            }
        }
        related
    }

    /// Columns of the grouping that are taken apart, by number.
    fn neighbourhood(&mut self, pool: &Pool, related: &[Vec<u32>]) -> Vec<usize> {
        let chosen = &self.best.1;
        let mut column_of = vec![0; self.model.len()];
        for (number, (_, units)) in chosen.iter().enumerate() {
            units.iter().for_each(|&unit| column_of[usize::from(unit)] = number);
        }
        let wanted = (self.teams as usize).clamp(2, chosen.len());
        let mut picked: Vec<usize> = Vec::new();
        if draw(&mut self.random, 4) > 0 {
            // One of two at random, the one that costs more beyond what is paid.
            let excess = |number: usize| {
                let (kind, units) = &chosen[number];
                self.duals
                    .reduced(self.model, *kind, units, self.model.column_cost(*kind, units))
            };
            let two = [(); 2].map(|()| draw(&mut self.random, chosen.len()));
            picked.push(if excess(two[0]) >= excess(two[1]) {
                two[0]
            } else {
                two[1]
            });
            let mut tries = 0;
            while picked.len() < wanted && tries < 20 * wanted {
                tries += 1;
                let (_, units) = &chosen[picked[draw(&mut self.random, picked.len())]];
                if units.is_empty() {
                    continue;
                }
                let near = &related[usize::from(units[draw(&mut self.random, units.len())])];
                if near.is_empty() {
                    continue;
                }
                // The nearest ones most often.
                let end = draw(&mut self.random, near.len()) + 1;
                for &unit in pool.units(near[draw(&mut self.random, end)]) {
                    let number = column_of[usize::from(unit)];
                    if picked.len() < wanted && !picked.contains(&number) {
                        picked.push(number);
                    }
                }
            }
        }
        let mut tries = 0;
        while picked.len() < wanted && tries < 20 * wanted {
            let number = draw(&mut self.random, chosen.len());
            if !picked.contains(&number) {
                picked.push(number);
            }
            tries += 1;
        }
        picked
    }

    /// The best grouping that has all other teams as they are; whether it is better.
    fn solve(&mut self, picked: &[usize], clock: &mut Clock<'_>) -> bool {
        let columns = self.best.1.iter().enumerate();
        let (free, kept): (Vec<_>, Vec<_>) = columns.partition(|(number, _)| picked.contains(number));
        let cost = |column: &(Kind, Vec<u16>)| self.model.column_cost(column.0, &column.1);
        let upper: i64 = free.iter().map(|(_, column)| cost(column)).sum();
        let kept: Chosen = kept.into_iter().map(|(_, column)| column.clone()).collect();
        let part = Part::without(self.model, &kept);
        let duals = part.duals(self.model, self.duals);
        let room = (upper - 1) * SCALE - duals.total(&part.model);
        let mut better = None;
        let mut is_finished = room < 0;
        if room >= 0 {
            let all = Pool::enumerate(&part.model, &duals, room, SMALL_POOL, clock);
            is_finished = false;
            if let Ok(pool) = all {
                let mut keep = |cost: i64, chosen: &Chosen| better = Some((cost, chosen.clone()));
                let found = Tree::new(&part.model, pool, &duals, upper, clock, &mut keep)
                    .aim(Aim::Better { cases: CASES })
                    .run(0);
                is_finished = found.bound >= better.as_ref().map_or(upper, |better| better.0);
            }
        }
        self.teams *= if is_finished { 1.04 } else { 0.92 };
        self.teams = self.teams.clamp(2.0, self.best.1.len() as f64);
        let Some((cost, chosen)) = better else {
            return false;
        };
        self.best.0 += cost - upper;
        self.best.1 = kept.into_iter().chain(part.chosen_in_whole(&chosen)).collect();
        true
    }
}
