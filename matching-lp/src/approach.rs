//! Duals for the whole problem without linear programs: an ascent over the teams known, and an exact search for teams
//! that pay too much, in turns.
//!
//! A team that pays too much takes what is missing from its units alone, so that the bound suffers where duals are
//! wrong and nowhere else.

use crate::ascent::{Ascent, Point};
use std::sync::Arc;

use crate::cut::Cut;
use crate::duals::Duals;
use crate::limits::{Clock, Ran};
use crate::model::{Kind, Model, SCALE};
use crate::pool::Pool;
use crate::pricing::{Next, Prices, Pricing};
use crate::set_cuts::SetCuts;

/// Columns of each unit that take part in an ascent.
const PER_UNIT: usize = 40;
/// New teams with the same first member in one round.
const PER_FIRST: usize = 12;
/// Teams with the same first member that are looked at in one round.
const LOOKED_AT: usize = 400;
/// Weight of the best duals so far in those that are priced.
const SMOOTHING: f64 = 0.5;
/// Looks at all columns in one round.
const LOOKS: u32 = 400;
/// Rounds at most.
pub(crate) const MOST_ROUNDS: u32 = 100;
/// A bound this near to what the ascent came to is near enough, in parts of it.
const NEAR: f64 = 3e-4;
/// Cuts at most, beside one for every two units.
const MOST_CUTS: usize = 200;
/// Rounds of ascent and search after new cuts.
const ROUNDS_OF_CUTS: u32 = 12;

/// Rounds of ascent and search.
pub(crate) struct Approach<'m> {
    model: &'m Model<'m>,
    pub(crate) pool: Pool,
    point: Point,
    /// The best duals that were made true.
    best: Option<(i64, Duals)>,
    upper: i64,
    /// What each unit pays at most for now: what was expected, and so much more.
    center: Vec<f64>,
    width: f64,
    is_stretched: bool,
    /// About how much there is of each column, by the last ascent.
    solution: Vec<(u32, f64)>,
    cuts: Vec<Arc<Cut>>,
}

impl<'m> Approach<'m> {
    /// Begins with these teams, and duals near `center`. No grouping better than `upper` is known.
    pub(crate) fn new(model: &'m Model<'m>, teams: &[Vec<u16>], center: Vec<f64>, upper: i64) -> Self {
        let mut pool = Pool::new(model);
        for team in teams {
            pool.add_team(model, team.clone());
        }
        let sum: f64 = center[..model.len()].iter().map(|dual| dual.abs()).sum();
        let width = 1.0 + sum / model.len() as f64;
        Self {
            model,
            pool,
            center: center[..model.len()].to_vec(),
            width,
            is_stretched: false,
            point: Point {
                rows: center,
                cuts: Vec::new(),
            },
            best: None,
            upper,
            solution: Vec::new(),
            cuts: Vec::new(),
        }
    }

    /// The best duals before the clock was over, or before so many rounds in a row proved no more; true for every column
    /// there is.
    pub(crate) fn run(&mut self, patience: u32, clock: &mut Clock<'_>) -> Option<Duals> {
        self.rounds(MOST_ROUNDS, patience, clock);
        self.best.as_ref().map(|best| best.1.clone())
    }

    /// Ascent and search in turns, until the bound is near to what the ascent came to.
    fn rounds(&mut self, most: u32, patience: u32, clock: &mut Clock<'_>) {
        let mut smoothing = SMOOTHING;
        let mut value = f64::INFINITY;
        let mut failures = 0;
        for round in 0..most {
            if clock.is_over() {
                break;
            }
            if round > 0 {
                value = self.ascend(clock);
            }
            let priced = self.priced(smoothing);
            let before = self.pool.len();
            let Some(is_better) = self.search(priced, clock) else {
                break;
            };
            let added = self.pool.len() - before;
            let bound = self.best.as_ref().map_or(f64::MIN, |best| best.0 as f64 / SCALE as f64);
            if self.is_stretched && added == 0 && self.width < self.upper.abs() as f64 {
                self.width *= 2.0;
                continue;
            }
            failures = if is_better { 0 } else { failures + 1 };
            if failures >= patience
                || bound > (self.upper - 1) as f64
                || (round > 0 && value - bound <= NEAR * value.abs())
            {
                break;
            }
            if added == 0 && smoothing == 0.0 {
                break;
            }
            smoothing = if added == 0 && !is_better { 0.0 } else { SMOOTHING };
        }
    }

    /// Goes on from these duals, which must be true.
    pub(crate) fn resume(&mut self, duals: Duals) {
        let float = |dual: i64| dual as f64 / SCALE as f64;
        self.point.rows = duals.rows.iter().map(|&dual| float(dual)).collect();
        for (cut, dual) in &duals.cuts {
            self.take_in(cut.clone(), float(*dual));
        }
        self.best = Some((duals.total(self.model), duals));
    }

    /// Better duals by cuts that the last solution violates, until so many rounds in a row have brought little.
    pub(crate) fn strengthen(&mut self, patience: u32, clock: &mut Clock<'_>) -> Option<Duals> {
        let mut failures = 0;
        while failures < patience && !clock.is_over() {
            let before = self.best.as_ref()?.0;
            let room = self.upper.saturating_mul(SCALE).saturating_sub(before);
            if room <= SCALE || !self.add_cuts() {
                break;
            }
            self.rounds(ROUNDS_OF_CUTS, ROUNDS_OF_CUTS, clock);
            let gained = self.best.as_ref()?.0 - before;
            failures = if gained < room / 50 { failures + 1 } else { 0 };
        }
        self.best.as_ref().map(|best| best.1.clone())
    }

    /// Takes in cuts that the last solution violates; whether there are any.
    fn add_cuts(&mut self) -> bool {
        let most = (MOST_CUTS + self.model.len() / 2)
            .saturating_sub(self.cuts.len())
            .min(10 + self.model.len() / 10);
        let sets = SetCuts::new(self.model, &self.pool, &self.solution).violated(most);
        let is_any = !sets.is_empty();
        for cut in sets {
            self.take_in(Arc::new(cut), 0.0);
        }
        is_any
    }

    /// One more cut, and its dual.
    pub(crate) fn take_in(&mut self, cut: Arc<Cut>, dual: f64) {
        self.pool.add_cut(self.model, cut.clone());
        self.cuts.push(cut);
        self.point.cuts.push(dual);
    }

    /// Teams of small reduced cost, several for each unit.
    pub(crate) fn teams(&self) -> Vec<Vec<u16>> {
        let is_team = |column: &u32| matches!(self.pool.kind(*column), Kind::Team(_));
        let teams = self.active().into_iter().filter(is_team);
        teams.map(|column| self.pool.units(column).to_vec()).collect()
    }

    /// About how much there is of each column of the pool in a solution of the linear program.
    pub(crate) fn solution(&self) -> &[(u32, f64)] {
        &self.solution
    }

    /// Goes up over the columns of least reduced cost of each unit; what it came to.
    fn ascend(&mut self, clock: &mut Clock<'_>) -> f64 {
        let active = self.active();
        let start = self.point.clone();
        let dear = self.center.iter().map(|dual| dual + self.width).collect();
        let mut ascent = Ascent::new(self.model, &self.pool, &active, start, dear);
        ascent.climb(self.upper as f64, LOOKS, clock);
        self.solution = ascent.solution();
        self.is_stretched = ascent.is_stretched();
        self.point = ascent.best;
        ascent.bound
    }

    /// Columns that are among those of least reduced cost of one of their units.
    fn active(&self) -> Vec<u32> {
        let point = &self.point;
        let mut of_unit: Vec<Vec<(f64, u32)>> = vec![Vec::new(); self.model.len()];
        for column in 0..self.pool.len() as u32 {
            let reduced = crate::master::reduced(self.model, &self.pool, &point.rows, &point.cuts, column);
            for &unit in self.pool.units(column) {
                of_unit[usize::from(unit)].push((reduced, column));
            }
        }
        let mut active = Vec::new();
        for columns in &mut of_unit {
            if columns.len() > PER_UNIT {
                columns.select_nth_unstable_by(PER_UNIT - 1, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                columns.truncate(PER_UNIT);
            }
            active.extend(columns.iter().map(|column| column.1));
        }
        active.sort_unstable();
        active.dedup();
        active
    }

    fn priced(&self, smoothing: f64) -> Duals {
        let (mut rows, mut cuts) = (self.point.rows.clone(), self.point.cuts.clone());
        if let Some((_, best)) = &self.best {
            for (dual, &before) in rows.iter_mut().zip(&best.rows) {
                *dual += smoothing * (before as f64 / SCALE as f64 - *dual);
            }
            // Those of the best duals are some of these, in the same order.
            let mut priced = best.cuts.iter().peekable();
            for (cut, dual) in self.cuts.iter().zip(&mut cuts) {
                let before = priced
                    .next_if(|priced| Arc::ptr_eq(&priced.0, cut))
                    .map_or(0, |priced| priced.1);
                *dual += smoothing * (before as f64 / SCALE as f64 - *dual);
            }
        }
        let cuts = self.cuts.iter().cloned().zip(cuts).collect();
        Duals::from_floats(self.model, &self.model.other_columns(), &rows, cuts)
    }

    /// Takes in teams that pay too much; whether the duals, once made true, prove more than the best so far. `None` if
    /// the clock is over.
    fn search(&mut self, mut duals: Duals, clock: &mut Clock<'_>) -> Option<bool> {
        let prices = Prices::new(self.model, &duals);
        // What each unit has to pay less, so that its teams found do not pay too much together.
        let mut less = vec![0_i64; self.model.len()];
        // Teams not found may pay so much too much, by their first member.
        let mut unseen = vec![0_i64; self.model.len()];
        let mut found: Vec<Vec<u16>> = Vec::new();
        let (mut first, mut count) = (None, 0);
        let threshold = -1;
        let ran = Pricing::new(self.model, &prices).run(threshold, clock, &mut |units, reduced| {
            if first != Some(units[0]) {
                first = Some(units[0]);
                count = 0;
            }
            count += 1;
            let share = (-reduced + units.len() as i64 - 1) / units.len() as i64;
            let mut is_worst = false;
            for &unit in units {
                let slot = &mut less[usize::from(unit)];
                is_worst |= share > *slot;
                *slot = share.max(*slot);
            }
            if is_worst || count <= PER_FIRST {
                found.push(units.to_vec());
            }
            if count < LOOKED_AT {
                Next::UpTo(threshold)
            } else {
                let slot = &mut unseen[usize::from(units[0])];
                *slot = (-reduced).max(*slot);
                Next::UpToForFirst(reduced - 1)
            }
        });
        for units in found {
            self.pool.add_team(self.model, units);
        }
        (ran == Ran::All).then(|| {
            // For those not found either their first members pay less, or every team does.
            let mut by_first = duals.clone();
            for ((dual, less), unseen) in by_first.rows.iter_mut().zip(&less).zip(&unseen) {
                *dual -= less.max(unseen);
            }
            for (dual, less) in duals.rows.iter_mut().zip(&less) {
                *dual -= less;
            }
            duals.lower(self.model, unseen.into_iter().max().unwrap_or(0));
            let is_better = self.offer(by_first);
            self.offer(duals) || is_better
        })
    }

    fn offer(&mut self, duals: Duals) -> bool {
        let total = duals.total(self.model);
        let is_better = self.best.as_ref().is_none_or(|best| total > best.0);
        if is_better {
            self.best = Some((total, duals));
        }
        is_better
    }
}
