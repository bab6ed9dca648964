//! The best grouping out of a pool: branch and cut, closed by duals in integers.
//!
//! The pool holds every column that a grouping better than the best known one can have. Each case solves the linear program
//! over what is left of it, rounds its duals, makes them true for every column left, and drops columns whose reduced cost
//! alone would use up what lies between bound and best. Then come cuts; then two units that are together in part are put
//! together in one case and apart in the other (D. Ryan, B. Foster, "An integer programming approach to scheduling", 1981).

use std::sync::Arc;

use crate::certificate::Step;
use crate::cut::Cut;
use crate::cuts::Together;
use crate::duals::Duals;
use crate::limits::Clock;
use crate::master::Master;
use crate::model::{Kind, Model, SCALE};
use crate::pool::Pool;
use crate::rounding::rounded;
use crate::set_cuts::SetCuts;

/// A grouping of units: columns that are teams or wait.
pub(crate) type Chosen = Vec<(Kind, Vec<u16>)>;

/// A case that is still to be looked at.
struct Case {
    alive: Vec<u32>,
    /// Least cost that was proven of the case it is a part of.
    bound: i64,
    depth: u32,
}

/// What a search of the pool found.
pub(crate) struct Found {
    /// No grouping costs less, on the grid.
    pub(crate) bound: i64,
    /// The proof, as far as it goes.
    pub(crate) steps: Vec<Step>,
}

/// Branch and cut over a pool.
pub(crate) struct Tree<'t, 'c, 'l> {
    model: &'t Model<'t>,
    pool: Pool,
    master: Master,
    /// Everything that costs this or more is of no use.
    upper: i64,
    steps: Vec<Step>,
    is_alive: Vec<bool>,
    clock: &'c mut Clock<'l>,
    told: &'t mut dyn FnMut(i64, &Chosen),
    aim: Aim,
}

/// What the search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// The best grouping of the pool, and a proof of it.
    Proof,
    /// A better grouping soon: without cuts, straight down to whole solutions, and only so many cases.
    Better {
        /// Cases at most.
        cases: usize,
    },
}

/// Rounds of cuts in the first case, and in the others.
const ROUNDS: [u32; 2] = [60, 4];
/// Cuts at most, so that the program stays small.
const MOST_CUTS: usize = 400;
/// Cuts of whole sets in one round.
const MOST_SETS: usize = 12;

impl<'t, 'c, 'l> Tree<'t, 'c, 'l> {
    /// For groupings cheaper than `upper`, with duals expected where `duals` of the whole problem are.
    pub(crate) fn new(
        model: &'t Model<'t>,
        pool: Pool,
        duals: &Duals,
        upper: i64,
        clock: &'c mut Clock<'l>,
        told: &'t mut dyn FnMut(i64, &Chosen),
    ) -> Self {
        let center: Vec<f64> = duals.rows.iter().map(|&dual| dual as f64 / SCALE as f64).collect();
        // A case without any grouping must cost more than the best one, so rows must be dear.
        let dear =
            2.0 * (upper.abs() as f64) + 16.0 + 2.0 * center.iter().fold(0.0, |most: f64, dual| most.max(dual.abs()));
        let master = Master::new(model, center, dear, dear);
        let is_alive = vec![true; pool.len()];
        Self {
            model,
            pool,
            master,
            upper,
            steps: Vec::new(),
            is_alive,
            clock,
            told,
            aim: Aim::Proof,
        }
    }

    pub(crate) fn aim(mut self, aim: Aim) -> Self {
        self.aim = aim;
        self
    }

    pub(crate) fn run(mut self, bound: i64) -> Found {
        let mut open = vec![Case {
            alive: (0..self.pool.len() as u32).collect(),
            bound,
            depth: 0,
        }];
        let mut proven = i64::MAX;
        let mut left = match self.aim {
            Aim::Proof => usize::MAX,
            Aim::Better { cases } => cases,
        };
        while let Some(case) = open.pop() {
            left = left.saturating_sub(1);
            if self.clock.is_over() || left == 0 {
                proven = proven.min(case.bound);
                self.steps.push(Step::End);
            } else {
                self.look_at(case, &mut open, &mut proven);
            }
        }
        Found {
            bound: proven.min(self.upper),
            steps: self.steps,
        }
    }

    fn look_at(&mut self, mut case: Case, open: &mut Vec<Case>, proven: &mut i64) {
        let mut rounds = match self.aim {
            Aim::Proof => ROUNDS[usize::from(case.depth > 0)],
            Aim::Better { .. } => 0,
        };
        let mut last_value = f64::NEG_INFINITY;
        let mut stalls = 0;
        loop {
            self.is_alive.fill(false);
            case.alive
                .iter()
                .for_each(|&column| self.is_alive[column as usize] = true);
            let is_alive = &self.is_alive;
            self.master.allow(|column| is_alive[column as usize]);
            if !self.master.solve_over(self.model, &self.pool, &case.alive, self.clock) {
                *proven = (*proven).min(case.bound);
                self.steps.push(Step::End);
                return;
            }
            let solution = self.master.solution();
            let together = Together::new(self.model, &self.pool, &solution);
            self.keep_if_whole(&solution, &together);
            if self.tighten(&mut case) {
                return;
            }
            let value = self.master.program.objective();
            let gap = self.upper as f64 - value;
            stalls = if value - last_value < 0.02 * gap { stalls + 1 } else { 0 };
            last_value = value;
            if rounds > 0 && stalls < 4 && self.add_cuts(&solution, &together) {
                rounds -= 1;
                continue;
            }
            self.branch(&case, &solution, &together, open, proven);
            return;
        }
    }

    /// Duals in integers, true for all columns of the case; drops columns of no use. Whether the case is closed.
    fn tighten(&mut self, case: &mut Case) -> bool {
        let others = self.others(&case.alive);
        let mut duals = Duals::from_floats(self.model, &others, &self.master.duals(), self.master.priced_cuts());
        let cut_duals = self.cut_duals(&duals);
        duals.repair_on(self.model, &self.pool, &case.alive, &cut_duals);
        self.clock.step(case.alive.len() as u64 * 8);
        let total = duals.total(self.model);
        case.bound = case.bound.max(duals.bound(self.model));
        let room = (self.upper - 1) * SCALE - total;
        let is_closed = room < 0;
        if !is_closed {
            let (model, pool) = (self.model, &self.pool);
            case.alive
                .retain(|&column| pool.reduced(model, &duals, &cut_duals, column) <= room);
        }
        self.steps.push(Step::Tighten(duals));
        if is_closed {
            self.steps.push(Step::End);
        }
        is_closed
    }

    /// The columns of a case that are no teams.
    fn others(&self, alive: &[u32]) -> Vec<(Kind, Vec<u16>)> {
        let is_other = |column: &u32| !matches!(self.pool.kind(*column), Kind::Team(_));
        let column = |column: u32| (self.pool.kind(column), self.pool.units(column).to_vec());
        alive.iter().copied().filter(is_other).map(column).collect()
    }

    /// The dual of each cut by number: those that came out of rounding.
    fn cut_duals(&self, duals: &Duals) -> Vec<i64> {
        let mut kept = duals.cuts.iter().peekable();
        let all = self.master.priced_cuts();
        all.iter()
            .map(|(cut, _)| kept.next_if(|kept| Arc::ptr_eq(&kept.0, cut)).map_or(0, |kept| kept.1))
            .collect()
    }

    fn add_cuts(&mut self, solution: &[(u32, f64)], together: &Together) -> bool {
        let room = MOST_CUTS.saturating_sub(self.master.cut_count());
        let most = room.min(10 + self.model.len() / 4);
        let sets = SetCuts::new(self.model, &self.pool, solution).violated(room.min(MOST_SETS));
        let triples = together.violated(&self.pool, most - sets.len().min(most));
        let found: Vec<Cut> = sets.into_iter().chain(triples.into_iter().map(Cut::of_three)).collect();
        let is_any = !found.is_empty();
        for cut in found {
            self.pool.add_cut(self.model, self.master.cut_count() as u16, &cut);
            self.master.add_cut(&self.pool, Arc::new(cut));
        }
        is_any
    }

    /// Keeps a solution that splits nobody, if it is better than the best.
    fn keep_if_whole(&mut self, solution: &[(u32, f64)], together: &Together) {
        if together.split_pairs().next().is_some() {
            return;
        }
        let Some(chosen) = rounded(self.model, &self.pool, solution) else {
            return;
        };
        let cost = chosen
            .iter()
            .map(|(kind, units)| self.model.column_cost(*kind, units))
            .sum();
        if cost < self.upper {
            self.upper = cost;
            (self.told)(cost, &chosen);
        }
    }

    fn branch(
        &mut self,
        case: &Case,
        solution: &[(u32, f64)],
        together: &Together,
        open: &mut Vec<Case>,
        proven: &mut i64,
    ) {
        let waits = self.split_waiting(solution);
        // A share near one half tells most in both cases; one near 1 comes to a whole solution soon.
        let share = match self.aim {
            Aim::Proof => 0.55,
            Aim::Better { .. } => 1.0,
        };
        let pairs = together.split_pairs();
        let pair = pairs.min_by(|a, b| (a.2 - share).abs().total_cmp(&(b.2 - share).abs()));
        let pool = &self.pool;
        let parts = match (waits, pair) {
            (Some(unit), _) => {
                let is_there = |column: u32| pool.units(column).contains(&unit);
                let waits = |column: u32| pool.kind(column) == Kind::Bench;
                let step = Step::Waits(unit);
                Some((
                    step,
                    self.parts(&case.alive, |column| is_there(column).then(|| waits(column))),
                ))
            }
            (None, Some((a, b, _))) => {
                let (a, b) = (a as u16, b as u16);
                let has = |column: u32| [a, b].map(|unit| pool.units(column).contains(&unit));
                let together = |column: u32| match has(column) {
                    [false, false] => None,
                    [has_one, has_other] => Some(has_one == has_other),
                };
                Some((Step::Split(a, b), self.parts(&case.alive, together)))
            }
            _ => None,
        };
        // Where both parts are not less than the case, only numbers that are off can keep it open, and what is proven so far stands.
        let is_less = |parts: &[Vec<u32>; 2]| parts.iter().all(|part| part.len() < case.alive.len());
        let Some((step, [first, second])) = parts.filter(|(_, parts)| is_less(parts)) else {
            self.steps.push(Step::End);
            *proven = (*proven).min(case.bound);
            return;
        };
        self.steps.push(step);
        for alive in [second, first] {
            open.push(Case {
                alive,
                bound: case.bound,
                depth: case.depth + 1,
            });
        }
    }

    /// Columns for the first part of a case, for the second, or for both.
    fn parts(&self, alive: &[u32], is_first: impl Fn(u32) -> Option<bool>) -> [Vec<u32>; 2] {
        [true, false].map(|part| {
            let is_in = |column: &u32| is_first(*column).is_none_or(|first| first == part);
            alive.iter().copied().filter(is_in).collect()
        })
    }

    /// A unit that waits in part.
    fn split_waiting(&self, solution: &[(u32, f64)]) -> Option<u16> {
        solution
            .iter()
            .filter(|&&(column, value)| self.pool.kind(column) == Kind::Bench && value < 1.0 - 1e-3 && value > 1e-3)
            .min_by(|a, b| (a.1 - 0.5).abs().total_cmp(&(b.1 - 0.5).abs()))
            .map(|&(column, _)| self.pool.units(column)[0])
    }
}
