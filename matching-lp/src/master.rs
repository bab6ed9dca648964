//! The linear program over some columns of a pool.

use std::sync::Arc;

use crate::cut::Cut;
use crate::limits::Clock;
use crate::model::{Kind, Model};
use crate::pool::Pool;
use crate::program::Program;

/// A cut, and its row of the program.
#[derive(Clone, Debug)]
struct CutRow {
    cut: Arc<Cut>,
    row: u32,
}

/// The linear program over some columns of a pool.
#[derive(Clone, Debug)]
pub(crate) struct Master {
    pub(crate) program: Program,
    /// The row of the program for each row of the model that is not implied.
    row_of: Vec<Option<u32>>,
    cuts: Vec<CutRow>,
    /// The column of the pool for each column of the program; `u32::MAX` for elastic ones.
    label: Vec<u32>,
    /// Whether a column of the pool is in the program.
    is_in: Vec<bool>,
    /// Where duals are expected, and how far from there they may be.
    center: Vec<f64>,
    width: f64,
    elastic: Vec<(u32, usize)>,
}

const ELASTIC: u32 = u32::MAX;

impl Master {
    /// Without columns. Duals of units stay within `width` of `center` until told otherwise.
    pub(crate) fn new(model: &Model, center: Vec<f64>, width: f64, largest: f64) -> Self {
        let mut master = Self {
            program: Program::new(largest),
            row_of: vec![None; model.rows()],
            cuts: Vec::new(),
            label: Vec::new(),
            is_in: Vec::new(),
            center,
            width,
            elastic: Vec::new(),
        };
        for row in (0..model.rows()).filter(|&row| !model.is_implied(row)) {
            master.row_of[row] = Some(master.program.rows() as u32);
            let middle = master.center[row];
            // The bench may have places left.
            let short = if row == model.bench_row() { 0.0 } else { middle + width };
            let first = master.program.columns().len() as u32;
            master
                .program
                .add_row(f64::from(model.room(row)), short, width - middle, &[]);
            master.elastic.push((first, row));
            master.label.extend([ELASTIC, ELASTIC]);
        }
        master
    }

    /// How far duals may be from where they are expected.
    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    /// Lets duals be farther from where they are expected.
    pub(crate) fn widen(&mut self, model: &Model, factor: f64) {
        self.width *= factor;
        for &(first, row) in &self.elastic {
            if row != model.bench_row() {
                self.program.set_elastic(first, self.center[row] + self.width);
            }
            self.program.set_elastic(first + 1, self.width - self.center[row]);
        }
    }

    /// How much of rows is met by elastic columns, at most.
    pub(crate) fn stretched(&self) -> f64 {
        self.program
            .solution()
            .iter()
            .copied()
            .filter(|&(column, _)| self.label[column as usize] == ELASTIC)
            // What costs nothing is room left over.
            .filter(|&(column, _)| self.program.columns()[column as usize].cost != 0.0)
            .map(|(_, value)| value)
            .fold(0.0, f64::max)
    }

    /// Takes a column of the pool into the program.
    pub(crate) fn add(&mut self, model: &Model, pool: &Pool, column: u32) {
        if self.is_in.len() < pool.len() {
            self.is_in.resize(pool.len(), false);
        }
        if core::mem::replace(&mut self.is_in[column as usize], true) {
            return;
        }
        let mut entries = Vec::new();
        let mut enter = |row: usize, entry: f64| {
            if let Some(row) = self.row_of[row] {
                entries.push((row, entry));
            }
        };
        for &unit in pool.units(column) {
            enter(usize::from(unit), 1.0);
        }
        match pool.kind(column) {
            Kind::Team(class) | Kind::Unfilled(class) => enter(model.class_row(class), 1.0),
            Kind::Bench => enter(model.bench_row(), f64::from(model.players_in(pool.units(column)))),
            Kind::Nowhere => {}
        }
        for &(cut, times) in pool.cuts(column) {
            entries.push((self.cuts[usize::from(cut)].row, f64::from(times)));
        }
        self.program.add_column(pool.cost(column) as f64, entries);
        self.label.push(column);
    }

    /// A cut, which the pool knows as the last one.
    pub(crate) fn add_cut(&mut self, pool: &Pool, cut: Arc<Cut>) {
        let number = self.cuts.len();
        let times = |label: u32| {
            let last = pool.cuts(label).last().filter(|cut| usize::from(cut.0) == number);
            last.map(|cut| f64::from(cut.1))
        };
        let entries: Vec<(u32, f64)> = (0_u32..)
            .zip(&self.label)
            .filter(|(_, label)| **label != ELASTIC)
            .filter_map(|(number, &label)| Some((number, times(label)?)))
            .collect();
        let row = self.program.rows() as u32;
        self.program.add_row(cut.most() as f64, 0.0, self.width * 4.0, &entries);
        self.label.extend([ELASTIC, ELASTIC]);
        self.cuts.push(CutRow { cut, row });
    }

    /// Only columns of the pool for which this holds are to be used.
    pub(crate) fn allow(&mut self, is_alive: impl Fn(u32) -> bool) {
        let label = core::mem::take(&mut self.label);
        self.program
            .mask(|column| label[column] != ELASTIC && !is_alive(label[column]));
        self.label = label;
    }

    pub(crate) fn cut_count(&self) -> usize {
        self.cuts.len()
    }

    /// Solves over the columns it has. `false` if the clock is over or numbers were off.
    #[must_use]
    pub(crate) fn solve(&mut self, clock: &mut Clock<'_>) -> bool {
        self.program.solve(clock)
    }

    /// Solves over a part of a pool: takes in what has a negative reduced cost until there is nothing. `false` if the
    /// clock is over or numbers were off.
    #[must_use]
    pub(crate) fn solve_over(&mut self, model: &Model, pool: &Pool, alive: &[u32], clock: &mut Clock<'_>) -> bool {
        self.is_in.resize(pool.len().max(self.is_in.len()), false);
        loop {
            if !self.solve(clock) {
                return false;
            }
            let duals = self.duals();
            let cuts: Vec<f64> = self.cut_duals().collect();
            clock.step(alive.len() as u64 * 4);
            let mut found: Vec<(f64, u32)> = alive
                .iter()
                .filter(|&&column| !self.is_in[column as usize])
                .map(|&column| (reduced(model, pool, &duals, &cuts, column), column))
                .filter(|&(reduced, _)| reduced < -1e-6)
                .collect();
            if found.is_empty() {
                return true;
            }
            let batch = 300;
            if found.len() > batch {
                found.select_nth_unstable_by(batch, |a, b| a.0.total_cmp(&b.0));
                found.truncate(batch);
            }
            for &(_, column) in &found {
                self.add(model, pool, column);
            }
        }
    }

    /// A dual for every row of the model.
    pub(crate) fn duals(&self) -> Vec<f64> {
        let dual = |row: &Option<u32>| row.map_or(0.0, |row| self.program.duals()[row as usize]);
        self.row_of.iter().map(dual).collect()
    }

    /// The duals of cuts, by number.
    pub(crate) fn cut_duals(&self) -> impl Iterator<Item = f64> + '_ {
        self.cuts.iter().map(|cut| self.program.duals()[cut.row as usize])
    }

    /// Cuts and their duals.
    pub(crate) fn priced_cuts(&self) -> Vec<(Arc<Cut>, f64)> {
        let cuts = self.cuts.iter().map(|row| row.cut.clone());
        cuts.zip(self.cut_duals()).collect()
    }

    /// Columns of the pool and how much there is of each.
    pub(crate) fn solution(&self) -> Vec<(u32, f64)> {
        self.program
            .solution()
            .iter()
            .map(|&(column, value)| (self.label[column as usize], value))
            .filter(|&(label, value)| label != ELASTIC && value > 1e-7)
            .collect()
    }
}

/// Reduced cost of a column in floats.
pub(crate) fn reduced(model: &Model, pool: &Pool, duals: &[f64], cuts: &[f64], column: u32) -> f64 {
    let units = pool.units(column);
    let mut paid: f64 = units.iter().map(|&unit| duals[usize::from(unit)]).sum();
    paid += match pool.kind(column) {
        Kind::Team(class) | Kind::Unfilled(class) => duals[model.class_row(class)],
        Kind::Bench => f64::from(model.players_in(units)) * duals[model.bench_row()],
        Kind::Nowhere => 0.0,
    };
    paid += pool
        .cuts(column)
        .iter()
        .map(|&(cut, times)| cuts[usize::from(cut)] * f64::from(times))
        .sum::<f64>();
    pool.cost(column) as f64 - paid
}
