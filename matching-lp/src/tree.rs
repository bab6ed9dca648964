//! The best grouping out of a pool: branch and cut, closed by duals in integers.
//!
//! The pool holds every column that a grouping better than the best known one can have. Each case solves the linear
//! program over what is left of it, rounds its duals, makes them true for every column left, and drops columns whose
//! reduced cost alone would use up what lies between bound and best. Then come cuts; then two units that are together
//! in part are put together in one case and apart in the other (D. Ryan, B. Foster, "An integer programming approach to
//! scheduling", 1981).

mod split;

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
    pub(crate) model: &'t Model<'t>,
    pub(crate) pool: Pool,
    pub(crate) master: Master,
    /// Everything that costs this or more is of no use.
    pub(crate) upper: i64,
    steps: Vec<Step>,
    is_alive: Vec<bool>,
    pub(crate) clock: &'c mut Clock<'l>,
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
    /// A better grouping by some cuts and a dive, and no cases.
    Dive,
}

/// Rounds of cuts in the first case, and in the others.
const ROUNDS: [u32; 2] = [60, 4];
/// Rounds of cuts before a dive that is all there is.
const ROUNDS_BEFORE_DIVE: u32 = 2;
/// With more units than this, programs take too long for more than the dive.
const FEW_UNITS: usize = 500;
/// Columns of least reduced cost, for each unit, that the first program has.
const FIRST_COLUMNS: usize = 6;
/// Cuts at most, or five for three units, so that the program stays small.
const MOST_CUTS: usize = 400;
/// With no more columns than this, groupings are found soon enough by the cases.
const FEW_COLUMNS: usize = 30_000;
/// Cuts of whole sets in one round.
const MOST_SETS: usize = 12;
/// Rows that are missed by no more than this are met.
const MET: f64 = 1e-3;
/// How much dearer it gets to miss a row where it was too cheap.
const DEARER: f64 = 8.0;
/// No row is dearer to miss than about this: 2^60, above what any number of units saves by totals of 40 bits.
const DEAREST: f64 = (1_u64 << 60) as f64;

impl<'t, 'c, 'l> Tree<'t, 'c, 'l> {
    /// For groupings cheaper than `upper`, with duals expected where `duals` of the whole problem are.
    pub(crate) fn new(
        model: &'t Model<'t>,
        mut pool: Pool,
        duals: &Duals,
        upper: i64,
        clock: &'c mut Clock<'l>,
        told: &'t mut dyn FnMut(i64, &Chosen),
    ) -> Self {
        let center: Vec<f64> = duals.rows.iter().map(|&dual| dual as f64 / SCALE as f64).collect();
        // A case without any grouping must cost more than the best one, so rows must be dear. How dear, nobody knows where
        // teams that are in no grouping save much: see `look_at`.
        let dear =
            2.0 * (upper.abs() as f64) + 16.0 + 2.0 * center.iter().fold(0.0, |most: f64, dual| most.max(dual.abs()));
        let mut master = Master::new(model, center, dear, dear);
        for (cut, _) in &duals.cuts {
            pool.add_cut(model, cut.clone());
            master.add_cut(&pool, cut.clone());
        }
        let is_alive = vec![true; pool.len()];
        for column in lightest(model, &pool, duals, FIRST_COLUMNS * model.len()) {
            master.add(model, &pool, column);
        }
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
            Aim::Dive => 2,
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
            Aim::Dive if self.model.len() > FEW_UNITS => 0,
            Aim::Dive => ROUNDS_BEFORE_DIVE,
        };
        let mut last_value = f64::NEG_INFINITY;
        let mut stalls = 0;
        let mut is_to_dive = case.depth == 0 && self.aim == Aim::Proof;
        loop {
            if !self.solve_over(&case.alive) {
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
            if self.aim == Aim::Dive {
                return self.dive(case.alive, solution);
            }
            if is_to_dive && case.alive.len() > FEW_COLUMNS {
                is_to_dive = false;
                self.dive(case.alive.clone(), solution);
                continue;
            }
            if self.branch(&case, &solution, &together, open) {
                return;
            }
            // Nothing is in parts, and yet the case is open: a team that is in no grouping may save more than it costs to miss rows.
            if self.master.stretched() <= MET || self.master.width() >= DEAREST {
                *proven = (*proven).min(case.bound);
                self.steps.push(Step::End);
                return;
            }
            self.master.widen(self.model, DEARER);
        }
    }

    /// Solves the linear program over these columns. `false` if the clock is over or numbers were off.
    #[must_use]
    pub(crate) fn solve_over(&mut self, alive: &[u32]) -> bool {
        self.is_alive.fill(false);
        alive.iter().for_each(|&column| self.is_alive[column as usize] = true);
        let is_alive = &self.is_alive;
        self.master.allow(|column| is_alive[column as usize]);
        self.master.solve_over(self.model, &self.pool, alive, self.clock)
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
        let room = MOST_CUTS
            .max(5 * self.model.len() / 3)
            .saturating_sub(self.master.cut_count());
        let most = room.min(10 + self.model.len() / 4);
        let sets = SetCuts::new(self.model, &self.pool, solution).violated(room.min(MOST_SETS));
        let triples = together.violated(&self.pool, most - sets.len().min(most));
        let found: Vec<Cut> = sets.into_iter().chain(triples.into_iter().map(Cut::of_three)).collect();
        let is_any = !found.is_empty();
        for cut in found {
            let cut = Arc::new(cut);
            self.pool.add_cut(self.model, cut.clone());
            self.master.add_cut(&self.pool, cut);
        }
        is_any
    }

    /// Keeps a solution that splits nobody, if it is better than the best.
    pub(crate) fn keep_if_whole(&mut self, solution: &[(u32, f64)], together: &Together) {
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
}

/// The columns of least reduced cost, so many.
fn lightest(model: &Model<'_>, pool: &Pool, duals: &Duals, most: usize) -> Vec<u32> {
    let of_cuts: Vec<i64> = duals.cuts.iter().map(|cut| cut.1).collect();
    let mut columns: Vec<(i64, u32)> = (0..pool.len() as u32)
        .map(|column| (pool.reduced(model, duals, &of_cuts, column), column))
        .collect();
    if columns.len() > most && most > 0 {
        columns.select_nth_unstable(most - 1);
        columns.truncate(most);
    }
    columns.sort_unstable();
    columns.into_iter().map(|(_, column)| column).collect()
}
