//! Linear programs of few rows and many columns, solved by `microlp`: what there is of each column, and a dual for each
//! row.
//!
//! `microlp` tells no duals. They follow from its answer: right-hand sides are disturbed a little, so that a column is
//! in the basis if, and only if, there is some of it, and the columns of a basis are paid exactly, which is a system of
//! linear equations (complementary slackness). Nothing here is trusted: duals are rounded to integers and made right
//! elsewhere, in integers.
//!
//! Every row has elastic columns that make it hold at a price, so that there always is a solution, and duals stay in
//! bounds.

use core::time::Duration;

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};
use nalgebra::{DMatrix, DVector};

use crate::limits::Clock;
use crate::random::draw;

/// A column: what it costs and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) cost: f64,
    pub(crate) entries: Vec<(u32, f64)>,
    /// Not to be in a solution.
    pub(crate) is_masked: bool,
}

/// A linear program `min c x, A x = b, x >= 0` and its last solution.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    right: Vec<f64>,
    columns: Vec<Column>,
    /// Columns of which there is some, and how much.
    solution: Vec<(u32, f64)>,
    duals: Vec<f64>,
    /// Whether these are still of the program as it is.
    is_solved: bool,
    /// About the largest cost of a column: the program is given to `microlp` in parts of it.
    largest: f64,
}

/// How much right-hand sides are disturbed, at the first and at the second try.
const DISTURBANCES: [f64; 2] = [1e-5, 3e-5];
/// Reduced costs nearer to zero than this are taken for zero, in parts of the largest cost.
const NOTHING: f64 = 1e-10;
/// Time between two looks at the clock.
const SLICE: Duration = Duration::from_secs(1);

impl Program {
    /// No rows yet; `largest` is about the largest cost of a column.
    pub(crate) fn new(largest: f64) -> Self {
        Self {
            right: Vec::new(),
            columns: Vec::new(),
            solution: Vec::new(),
            duals: Vec::new(),
            is_solved: false,
            largest: largest.max(1.0),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.right.len()
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// A dual for each row; those of before where the last solve failed.
    pub(crate) fn duals(&self) -> &[f64] {
        &self.duals
    }

    /// Columns of which there is some, and how much.
    pub(crate) fn solution(&self) -> &[(u32, f64)] {
        &self.solution
    }

    /// What all rows pay, which is the least cost of a solution.
    pub(crate) fn objective(&self) -> f64 {
        self.duals
            .iter()
            .zip(&self.right)
            .map(|(dual, right)| dual * right)
            .sum()
    }

    /// A row that costs `short` for each unit it lacks and `beyond` for each unit too much. Columns that exist already
    /// have the entries given.
    pub(crate) fn add_row(&mut self, right: f64, short: f64, beyond: f64, entries: &[(u32, f64)]) {
        let row = self.rows() as u32;
        for &(column, entry) in entries {
            self.columns[column as usize].entries.push((row, entry));
        }
        self.right.push(right);
        // Such that no elastic column has a negative reduced cost.
        self.duals.push(if short == 0.0 { 0.0 } else { (short - beyond) / 2.0 });
        self.add_column(short, vec![(row, 1.0)]);
        self.add_column(beyond, vec![(row, -1.0)]);
    }

    /// A column; its number.
    pub(crate) fn add_column(&mut self, cost: f64, entries: Vec<(u32, f64)>) -> u32 {
        self.is_solved = false;
        self.columns.push(Column {
            cost,
            entries,
            is_masked: false,
        });
        self.columns.len() as u32 - 1
    }

    /// What an elastic column costs.
    pub(crate) fn set_elastic(&mut self, column: u32, cost: f64) {
        self.is_solved = false;
        self.columns[column as usize].cost = cost;
        self.largest = self.largest.max(cost.abs());
    }

    /// Which columns are not to be used.
    pub(crate) fn mask(&mut self, is_masked: impl Fn(usize) -> bool) {
        for (number, column) in self.columns.iter_mut().enumerate() {
            let before = core::mem::replace(&mut column.is_masked, is_masked(number));
            self.is_solved &= before == column.is_masked;
        }
    }

    /// Solves from scratch. `false` if the clock is over or numbers were off; then duals stay as they are.
    #[must_use]
    pub(crate) fn solve(&mut self, clock: &mut Clock<'_>) -> bool {
        self.is_solved = self.is_solved
            || DISTURBANCES
                .iter()
                .any(|&disturbance| !clock.is_over() && self.try_to_solve(disturbance, clock).is_some());
        self.is_solved
    }

    fn try_to_solve(&mut self, disturbance: f64, clock: &mut Clock<'_>) -> Option<()> {
        let solution = self.primal(disturbance, clock)?;
        let duals = self.duals_of(&solution)?;
        clock.step((self.rows() * self.rows()) as u64);
        self.solution = solution;
        self.duals = duals;
        Some(())
    }

    /// Columns of which there is some, by `microlp`.
    fn primal(&self, disturbance: f64, clock: &mut Clock<'_>) -> Option<Vec<(u32, f64)>> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let mut rows: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); self.rows()];
        let mut used = Vec::new();
        for (number, column) in (0..).zip(&self.columns).filter(|(_, column)| !column.is_masked) {
            let cost = self.reduced(column);
            let most = if cost < 0.0 { self.most(column) } else { f64::INFINITY };
            let variable = problem.add_var(cost, (0.0, most));
            used.push((number, variable, most));
            for &(row, entry) in &column.entries {
                rows[row as usize].push((variable, entry));
            }
        }
        let mut state = 0;
        for (terms, right) in rows.into_iter().zip(&self.right) {
            let noise = draw(&mut state, 1 << 30) as f64 / f64::from(1 << 30);
            problem.add_constraint(terms, ComparisonOp::Eq, right + disturbance * (0.5 + noise));
        }
        let solution = self.run(problem, used.len(), clock)?;
        let some = used.into_iter().filter_map(|(number, variable, most)| {
            let value = solution.var_value_raw(variable);
            (value != 0.0 && value != most).then_some((number, value))
        });
        Some(some.collect())
    }

    /// Solves in slices of time, so that limits are seen.
    fn run(&self, mut problem: Problem, columns: usize, clock: &mut Clock<'_>) -> Option<microlp::Solution> {
        let slice = |clock: &Clock<'_>| clock.time_left().map_or(SLICE, |left| left.min(SLICE));
        let most = 500 * (self.rows() as u64 + 100);
        let mut counted = 0;
        problem.set_time_limit(slice(clock));
        let mut outcome = problem.solve().ok()?;
        loop {
            let pivots = outcome.stats().lp_iterations;
            clock.step((pivots - counted) * (self.rows() + columns) as u64);
            counted = pivots;
            outcome = match outcome {
                SolveOutcome::Solution(solution) => return Some(solution),
                unfinished @ SolveOutcome::Interrupted(_) => {
                    clock.look();
                    if clock.is_over() || pivots > most {
                        return None;
                    }
                    let mut options = unfinished.last_resume_options();
                    options.time_limit = Some(slice(clock));
                    unfinished.resume_with(options).ok()?
                }
            };
        }
    }

    /// Reduced cost by the duals of before, in parts of the largest cost. `microlp` is given these: few are below zero,
    /// and with bounds for those the dual simplex method can begin at once.
    fn reduced(&self, column: &Column) -> f64 {
        let reduced = (column.cost - self.paid(column)) / self.largest;
        if reduced.abs() < NOTHING { 0.0 } else { reduced }
    }

    /// More of a column than there is in a solution: finite, so that the dual simplex method can begin at once.
    fn most(&self, column: &Column) -> f64 {
        let rows = column.entries.iter().filter(|&&(_, entry)| entry > 0.0);
        let limits = rows.map(|&(row, _)| self.right[row as usize]);
        2.0 * limits.fold(self.right.iter().sum(), f64::min) + 1.0
    }

    /// What the rows pay for a column by the duals of before.
    fn paid(&self, column: &Column) -> f64 {
        let pays = |&(row, entry): &(u32, f64)| self.duals[row as usize] * entry;
        column.entries.iter().map(pays).sum()
    }

    /// The duals that pay for each of these columns just what it costs; `None` unless there is exactly one such choice.
    fn duals_of(&self, basis: &[(u32, f64)]) -> Option<Vec<f64>> {
        // Columns with one entry tell the dual of their row.
        let mut known: Vec<Option<f64>> = vec![None; self.rows()];
        let mut others = Vec::new();
        for &(number, _) in basis {
            let column = &self.columns[number as usize];
            match column.entries[..] {
                [(row, entry)] => known[row as usize] = Some(column.cost / entry),
                _ => others.push(column),
            }
        }
        let unknown: Vec<usize> = (0..self.rows()).filter(|&row| known[row].is_none()).collect();
        if unknown.len() != others.len() {
            return None;
        }
        let mut place = vec![usize::MAX; self.rows()];
        (0..).zip(&unknown).for_each(|(at, &row)| place[row] = at);
        let mut matrix = DMatrix::zeros(unknown.len(), unknown.len());
        let mut cost = DVector::zeros(unknown.len());
        for (equation, column) in others.iter().enumerate() {
            cost[equation] = column.cost;
            for &(row, entry) in &column.entries {
                match known[row as usize] {
                    Some(dual) => cost[equation] -= dual * entry,
                    None => matrix[(equation, place[row as usize])] += entry,
                }
            }
        }
        // The library takes no system without equations.
        let solved = if unknown.is_empty() {
            cost
        } else {
            matrix.lu().solve(&cost)?
        };
        let dual = |row: usize| known[row].unwrap_or_else(|| solved[place[row]]);
        let duals: Vec<f64> = (0..self.rows()).map(dual).collect();
        duals.iter().all(|dual| dual.is_finite()).then_some(duals)
    }
}
