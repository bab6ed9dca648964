//! Better groupings where a proof is far away: some teams of the best grouping are taken apart, and the best way to put their
//! members together again is looked for among teams of small reduced cost.
//!
//! The pool of a proof has all teams that fit between bound and best grouping, so that a better grouping first makes the pool
//! much smaller. Which teams are taken apart: those that share columns of small reduced cost with one unit, or any. More of them
//! as long as the small problems come to their end, fewer when they do not.

use crate::duals::Duals;
use crate::limits::Clock;
use crate::model::{Model, SCALE};
use crate::pool::Pool;
use crate::random::draw;
use crate::tree::{Aim, Chosen, Tree};

/// With no more columns than this, a proof comes soon enough.
const FEW_COLUMNS: usize = 30_000;
/// Columns among which better groupings are looked for.
const MOST_COLUMNS: usize = 400_000;
/// Columns of small reduced cost that are remembered for each unit.
const RELATED: usize = 200;
/// Cases of a small problem.
const CASES: usize = 60;
/// Columns of a small problem.
const SMALL_POOL: usize = 6_000;
/// Small problems in a row that bring nothing, for each team of the grouping, after which it is enough.
const PATIENCE: usize = 4;

/// The search, and the best grouping.
pub(crate) struct Improvement<'i> {
    model: &'i Model<'i>,
    duals: &'i Duals,
    best: (i64, Chosen),
    random: u64,
    /// How many teams are taken apart.
    teams: f64,
}

impl<'i> Improvement<'i> {
    pub(crate) fn new(model: &'i Model<'i>, duals: &'i Duals, best: (i64, Chosen), seed: u64) -> Self {
        Self {
            model,
            duals,
            best,
            random: seed,
            teams: 4.0,
        }
    }

    /// The best grouping that was found, which may be the one there was.
    pub(crate) fn run(mut self, clock: &mut Clock<'_>) -> Chosen {
        let Some(pool) = (self.room() >= 0).then(|| self.columns(clock)).flatten() else {
            return self.best.1;
        };
        let related = self.related(&pool);
        let mut failures = 0;
        while failures < PATIENCE * self.best.1.len() && !clock.is_over() {
            if self.room() < 0 {
                break;
            }
            let free = self.neighbourhood(&pool, &related);
            failures = if self.solve(&pool, &free, clock) {
                0
            } else {
                failures + 1
            };
        }
        self.best.1
    }

    /// Reduced cost that a column of a better grouping can have.
    fn room(&self) -> i64 {
        (self.best.0 - 1) * SCALE - self.duals.total(self.model)
    }

    /// As many columns as may be, of small reduced cost; `None` where there are few in all.
    fn columns(&self, clock: &mut Clock<'_>) -> Option<Pool> {
        let mut share = 1.0;
        loop {
            let threshold = (self.room() as f64 * share) as i64;
            match Pool::enumerate(self.model, self.duals, threshold, MOST_COLUMNS, clock) {
                Ok(pool) if share == 1.0 && pool.len() <= FEW_COLUMNS => return None,
                Ok(pool) => return Some(pool),
                Err(_) if clock.is_over() || share < 1e-3 => return None,
                Err(_) => share *= 0.75,
            }
        }
    }

    /// Columns of each unit, least reduced cost first.
    fn related(&self, pool: &Pool) -> Vec<Vec<u32>> {
        let mut sorted: Vec<(i64, u32)> = (0..pool.len() as u32)
            .map(|column| (pool.reduced(self.model, self.duals, &[], column), column))
            .collect();
        sorted.sort_unstable();
        let mut related = vec![Vec::new(); self.model.len()];
        for (_, column) in sorted {
            for &unit in pool.units(column) {
                let columns: &mut Vec<u32> = &mut related[usize::from(unit)];
                if columns.len() < RELATED {
                    columns.push(column);
                }
            }
        }
        related
    }

    /// Units of the teams that are taken apart.
    fn neighbourhood(&mut self, pool: &Pool, related: &[Vec<u32>]) -> Vec<bool> {
        let chosen = &self.best.1;
        let mut column_of = vec![0; self.model.len()];
        for (number, (_, units)) in chosen.iter().enumerate() {
            units.iter().for_each(|&unit| column_of[usize::from(unit)] = number);
        }
        let wanted = (self.teams as usize).clamp(2, chosen.len());
        let mut picked: Vec<usize> = Vec::new();
        let start = draw(&mut self.random, self.model.len());
        if draw(&mut self.random, 2) == 0 {
            let near = &related[start];
            // From a random place on, so that it is not always the same ones.
            let skip = if near.is_empty() {
                0
            } else {
                draw(&mut self.random, near.len())
            };
            for &column in near.iter().cycle().skip(skip).take(near.len()) {
                for &unit in pool.units(column) {
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
        let mut is_free = vec![false; self.model.len()];
        for number in picked {
            chosen[number]
                .1
                .iter()
                .for_each(|&unit| is_free[usize::from(unit)] = true);
        }
        is_free
    }

    /// The best grouping that has all other teams as they are; whether it is better.
    fn solve(&mut self, pool: &Pool, is_free: &[bool], clock: &mut Clock<'_>) -> bool {
        let inside = |column: &u32| pool.units(*column).iter().all(|&unit| is_free[usize::from(unit)]);
        let mut columns: Vec<u32> = (0..pool.len() as u32).filter(inside).collect();
        clock.step(pool.len() as u64);
        if columns.len() > SMALL_POOL {
            columns.sort_by_cached_key(|&column| pool.reduced(self.model, self.duals, &[], column));
            columns.truncate(SMALL_POOL);
        }
        let mut small = Pool::of(pool, columns);
        for (kind, units) in &self.best.1 {
            let is_known =
                (0..small.len() as u32).any(|column| small.kind(column) == *kind && small.units(column) == &units[..]);
            if !is_known {
                small.push(*kind, units, self.model.column_cost(*kind, units));
            }
        }
        let mut better = None;
        let mut keep = |cost: i64, chosen: &Chosen| better = Some((cost, chosen.clone()));
        let found = Tree::new(self.model, small, self.duals, self.best.0, clock, &mut keep)
            .aim(Aim::Better { cases: CASES })
            .run(0);
        let is_finished = found.bound >= self.best.0.min(better.as_ref().map_or(i64::MAX, |better| better.0));
        self.teams *= if is_finished { 1.04 } else { 0.92 };
        self.teams = self.teams.clamp(2.0, self.best.1.len() as f64);
        match better {
            Some(better) => {
                self.best = better;
                true
            }
            None => false,
        }
    }
}
