//! Linear programs of few rows and many columns: the primal simplex method with an explicit inverse.
//!
//! Rows are some dozens to hundreds, every column has few entries, columns come and go, and duals are wanted: this is
//! what column generation asks, and a dense inverse answers it in microseconds. Nothing here is trusted: duals are rounded to
//! integers and made right elsewhere, in integers.
//!
//! Right-hand sides are disturbed a little, because set partitioning is degenerate throughout; duals of an optimum stay duals of
//! one. Every row has elastic columns that make it hold at a price: they are the first basis, and they keep duals in
//! bounds.

mod inverse;

use crate::limits::Clock;

/// A column: what it costs and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) cost: f64,
    pub(crate) entries: Vec<(u32, f64)>,
    /// Not to be in a solution: costs a lot if it is in the basis and never enters.
    pub(crate) is_masked: bool,
    is_basic: bool,
}

/// A linear program `min c x, A x = b, x >= 0` and its present basis.
#[derive(Clone, Debug)]
pub(crate) struct Simplex {
    rows: usize,
    right: Vec<f64>,
    columns: Vec<Column>,
    /// The column of each place of the basis.
    basis: Vec<u32>,
    value: Vec<f64>,
    /// Row by row, `rows * rows`.
    inverse: Vec<f64>,
    duals: Vec<f64>,
    /// What a masked column costs more.
    penalty: f64,
    /// Reduced costs below this, negated, count.
    tolerance: f64,
    pivots: u64,
    pivots_since_inversion: usize,
}

/// Pivots between two inversions from scratch.
const PIVOTS_BETWEEN: usize = 120;
/// Entries of a column that are too small to divide by.
const SMALL: f64 = 1e-8;
/// Columns remembered from one look at all of them.
const REMEMBERED: usize = 40;
/// How much right-hand sides are disturbed.
const DISTURBANCE: f64 = 1e-5;

impl Simplex {
    /// No rows yet; `largest` is about the largest cost of a column.
    pub(crate) fn new(largest: f64) -> Self {
        Self {
            rows: 0,
            right: Vec::new(),
            columns: Vec::new(),
            basis: Vec::new(),
            value: Vec::new(),
            inverse: Vec::new(),
            duals: Vec::new(),
            penalty: largest,
            tolerance: 1e-9 * largest.max(1e-3),
            pivots: 0,
            pivots_since_inversion: 0,
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(crate) fn duals(&self) -> &[f64] {
        &self.duals
    }

    pub(crate) fn set_penalty(&mut self, penalty: f64) {
        self.penalty = penalty;
    }

    /// A row that costs `short` for each unit it lacks and `beyond` for each unit too much. Columns that exist already have the
    /// entries given.
    pub(crate) fn add_row(&mut self, right: f64, short: f64, beyond: f64, entries: &[(u32, f64)]) {
        let row = self.rows as u32;
        // Some digits of a golden ratio: different for each row, the same each time.
        let noise = (f64::from(row) * 0.618_033_988_749_895).fract();
        let right = right + DISTURBANCE * (0.5 + noise);
        for &(column, entry) in entries {
            self.columns[column as usize].entries.push((row, entry));
        }
        let elastic = |cost, entry| Column {
            cost,
            entries: vec![(row, entry)],
            is_masked: false,
            is_basic: false,
        };
        let first = self.columns.len() as u32;
        self.columns.push(elastic(short, 1.0));
        self.columns.push(elastic(beyond, -1.0));
        self.rows += 1;
        self.right.push(right);
        // The new basis is the old one and one elastic column: its inverse is the old one and one row.
        let mut present = 0.0;
        let mut combined = vec![0.0; self.rows];
        for (place, &column) in self.basis.iter().enumerate() {
            let entry: f64 = entries
                .iter()
                .filter(|entry| entry.0 == column)
                .map(|entry| entry.1)
                .sum();
            if entry != 0.0 {
                present += entry * self.value[place];
                for (slot, inverse) in combined
                    .iter_mut()
                    .zip(&self.inverse[place * (self.rows - 1)..][..self.rows - 1])
                {
                    *slot += entry * inverse;
                }
            }
        }
        let sign = if right >= present { 1.0 } else { -1.0 };
        let elastic = if right >= present { first } else { first + 1 };
        self.columns[elastic as usize].is_basic = true;
        let old = core::mem::take(&mut self.inverse);
        self.inverse.reserve(self.rows * self.rows);
        for place in 0..self.rows - 1 {
            self.inverse
                .extend_from_slice(&old[place * (self.rows - 1)..][..self.rows - 1]);
            self.inverse.push(0.0);
        }
        combined[self.rows - 1] = -1.0;
        self.inverse.extend(combined.iter().map(|entry| -sign * entry));
        self.basis.push(elastic);
        self.value.push((right - present).abs());
        self.find_duals();
    }

    /// A column; its number.
    pub(crate) fn add_column(&mut self, cost: f64, entries: Vec<(u32, f64)>) -> u32 {
        self.columns.push(Column {
            cost,
            entries,
            is_masked: false,
            is_basic: false,
        });
        self.columns.len() as u32 - 1
    }

    /// What both elastic columns of a row cost.
    pub(crate) fn set_elastic(&mut self, column: u32, cost: f64) {
        self.columns[column as usize].cost = cost;
    }

    /// Which columns are not to be used.
    pub(crate) fn mask(&mut self, is_masked: impl Fn(usize) -> bool) {
        for (number, column) in self.columns.iter_mut().enumerate() {
            column.is_masked = is_masked(number);
        }
    }

    fn cost(&self, column: u32) -> f64 {
        let column = &self.columns[column as usize];
        if column.is_masked {
            column.cost + self.penalty
        } else {
            column.cost
        }
    }

    /// What the present basis costs.
    pub(crate) fn objective(&self) -> f64 {
        self.basis
            .iter()
            .zip(&self.value)
            .map(|(&column, value)| self.cost(column) * value)
            .sum()
    }

    /// The columns in the basis and how much there is of each.
    pub(crate) fn solution(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.basis.iter().copied().zip(self.value.iter().copied())
    }

    /// Reduced cost of a column.
    pub(crate) fn reduced(&self, column: &Column) -> f64 {
        let paid: f64 = column
            .entries
            .iter()
            .map(|&(row, entry)| self.duals[row as usize] * entry)
            .sum();
        column.cost - paid
    }

    /// Pivots until no column has a negative reduced cost, or `most` times, or until the clock is over.
    pub(crate) fn solve(&mut self, most: u64, clock: &mut Clock<'_>) {
        let end = self.pivots.saturating_add(most);
        let mut remembered: Vec<u32> = Vec::new();
        self.find_duals();
        while self.pivots < end && !clock.is_over() {
            let Some(entering) = self.entering(&mut remembered, clock) else {
                if self.pivots_since_inversion == 0 {
                    return;
                }
                // Once more with fresh numbers.
                self.invert();
                clock.step((self.rows * self.rows * 8) as u64);
                remembered.clear();
                if self.entering(&mut remembered, clock).is_none() {
                    return;
                }
                continue;
            };
            if !self.pivot(entering) {
                // Unbounded, which elastic rows exclude, or all entries tiny: numbers are off.
                if self.pivots_since_inversion == 0 {
                    return;
                }
                self.invert();
                remembered.clear();
                continue;
            }
            clock.step((self.rows * self.rows / 8 + 1) as u64);
            if self.pivots_since_inversion >= PIVOTS_BETWEEN {
                self.invert();
                clock.step((self.rows * self.rows * 8) as u64);
            }
        }
    }

    /// The column of the least reduced cost among those remembered; looks at all of them when these are used up.
    fn entering(&self, remembered: &mut Vec<u32>, clock: &mut Clock<'_>) -> Option<u32> {
        let best = self.best_of(remembered);
        if best.is_some() {
            return best;
        }
        let mut found: Vec<(f64, u32)> = Vec::new();
        clock.step(self.columns.len() as u64);
        for (number, column) in self.columns.iter().enumerate() {
            if !column.is_basic && !column.is_masked {
                let reduced = self.reduced(column);
                if reduced < -self.tolerance {
                    found.push((reduced, number as u32));
                }
            }
        }
        if found.len() > REMEMBERED {
            found.select_nth_unstable_by(REMEMBERED, |a, b| a.0.total_cmp(&b.0));
            found.truncate(REMEMBERED);
        }
        remembered.clear();
        remembered.extend(found.iter().map(|&(_, number)| number));
        self.best_of(remembered)
    }

    fn best_of(&self, remembered: &mut Vec<u32>) -> Option<u32> {
        let mut best = None;
        let mut least = -self.tolerance;
        remembered.retain(|&number| {
            let column = &self.columns[number as usize];
            let reduced = if column.is_basic { 0.0 } else { self.reduced(column) };
            if reduced < least {
                least = reduced;
                best = Some(number);
            }
            reduced < -self.tolerance
        });
        best
    }

    /// Brings a column into the basis; `false` if nothing limits it.
    fn pivot(&mut self, entering: u32) -> bool {
        let m = self.rows;
        let mut direction = vec![0.0; m];
        for &(row, entry) in &self.columns[entering as usize].entries {
            for (place, slot) in direction.iter_mut().enumerate() {
                *slot += entry * self.inverse[place * m + row as usize];
            }
        }
        let Some(leaving) = self.leaving(&direction) else {
            return false;
        };
        let reduced = self.reduced(&self.columns[entering as usize]);
        let pivot = direction[leaving];
        let step = (self.value[leaving] / pivot).max(0.0);
        for (value, entry) in self.value.iter_mut().zip(&direction) {
            *value -= step * entry;
        }
        self.value[leaving] = step;
        let mut row = self.inverse[leaving * m..][..m].to_vec();
        row.iter_mut().for_each(|entry| *entry /= pivot);
        for (place, &entry) in direction.iter().enumerate() {
            if entry != 0.0 && place != leaving {
                for (slot, change) in self.inverse[place * m..][..m].iter_mut().zip(&row) {
                    *slot -= entry * change;
                }
            }
        }
        for (dual, change) in self.duals.iter_mut().zip(&row) {
            *dual += reduced * change;
        }
        self.inverse[leaving * m..][..m].copy_from_slice(&row);
        let left = core::mem::replace(&mut self.basis[leaving], entering);
        self.columns[left as usize].is_basic = false;
        self.columns[entering as usize].is_basic = true;
        self.pivots += 1;
        self.pivots_since_inversion += 1;
        true
    }

    /// Who reaches zero first; of those that do at nearly the same time, the one that is safest to divide by.
    fn leaving(&self, direction: &[f64]) -> Option<usize> {
        let ratio = |place: usize| self.value[place].max(0.0) / direction[place];
        let shortest = (0..self.rows)
            .filter(|&place| direction[place] > SMALL)
            .map(|place| (self.value[place].max(0.0) + 1e-10) / direction[place])
            .fold(f64::INFINITY, f64::min);
        (0..self.rows)
            .filter(|&place| direction[place] > SMALL && ratio(place) <= shortest)
            .max_by(|&a, &b| direction[a].total_cmp(&direction[b]))
    }

    fn find_duals(&mut self) {
        let m = self.rows;
        let mut duals = vec![0.0; m];
        for place in 0..m {
            let cost = self.cost(self.basis[place]);
            if cost != 0.0 {
                for (dual, entry) in duals.iter_mut().zip(&self.inverse[place * m..][..m]) {
                    *dual += cost * entry;
                }
            }
        }
        self.duals = duals;
    }
}
