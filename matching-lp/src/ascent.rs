//! Duals for the columns of a pool without a linear program: ascent by subgradients.
//!
//! For any duals, let the share of a unit be the least that a column with it has left, reduced cost divided by its
//! units. Every grouping costs what all rows are paid and the reduced costs of its columns, each of which is at least
//! the shares of its units; so duals and shares together are a bound for the pool. Raising each dual by its share is
//! one way up, and leaves no column that pays too much. The other is a step along `1 -` how often the columns that
//! decide the shares hold each unit, averaged over steps as in the volume algorithm (F. Barahona, R. Anbil, "The volume
//! algorithm", Mathematical Programming 87 (2000), 385-399, doi:10.1007/s101070050002), whose averages also tell about
//! how much there is of each column in the linear program.
//!
//! A step takes one look at each column, where a linear program from scratch takes a pivot for each row at least, with
//! a look at each column for each of them.

use crate::limits::Clock;
use crate::model::{Kind, Model};
use crate::pool::Pool;

/// Duals in floats, in steps of costs.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) rows: Vec<f64>,
    pub(crate) cuts: Vec<f64>,
}

/// What a look at all columns tells.
#[derive(Clone, Debug)]
struct Look {
    bound: f64,
    shares: Vec<f64>,
    /// The column that decides each share; `NONE` where no column does.
    deciding: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Columns, one after the other, with what rows they stand in.
#[derive(Clone, Debug, Default)]
struct Columns {
    number: Vec<u32>,
    cost: Vec<f64>,
    end: Vec<u32>,
    units: Vec<u16>,
    /// The row of the class or the bench, and the entry there.
    other: Vec<(u32, f64)>,
    cuts_end: Vec<u32>,
    /// Cuts and how often the column counts there.
    cuts: Vec<(u16, f64)>,
    /// What each cut allows.
    most: Vec<f64>,
}

/// The ascent, and the best point so far.
pub(crate) struct Ascent<'m> {
    model: &'m Model<'m>,
    columns: Columns,
    /// What each row pays for at most: class rows that have an empty group, the bench.
    most: Vec<f64>,
    /// Which rows have duals beside those of units.
    is_free: Vec<bool>,
    /// What each unit pays at most.
    dear: Vec<f64>,
    /// The bound is not expected to rise by more.
    reach: f64,
    /// Averages of columns, and of what they leave of rows and cuts.
    average: Vec<f64>,
    pub(crate) best: Point,
    pub(crate) bound: f64,
}

/// Weight of the newest look in averages.
const NEWEST: f64 = 0.08;
/// Looks without a better bound after which steps are made shorter.
const PATIENCE: u32 = 12;
/// Steps no longer than this part of the first ones are the last.
const SHORTEST: f64 = 2e-4;

impl<'m> Ascent<'m> {
    /// Over some columns of a pool, from this point.
    pub(crate) fn new(model: &'m Model<'m>, pool: &Pool, active: &[u32], start: Point, dear: Vec<f64>) -> Self {
        let room = start.rows.iter().zip(&dear).map(|(dual, dear)| (dear - dual).abs());
        let reach = room.sum();
        let mut most = vec![f64::INFINITY; model.rows()];
        most[model.bench_row()] = 0.0;
        for (kind, units) in model.other_columns() {
            if let Kind::Unfilled(class) = kind {
                most[model.class_row(class)] = model.column_cost(kind, &units) as f64;
            }
        }
        let columns = Columns::new(model, pool, active);
        Self {
            model,
            average: vec![0.0; columns.number.len()],
            columns,
            most,
            is_free: (0..model.rows()).map(|row| !model.is_implied(row)).collect(),
            dear,
            reach,
            best: start,
            bound: f64::NEG_INFINITY,
        }
    }

    /// Goes up until steps are short or so many looks were taken. No more than `target` is expected.
    pub(crate) fn climb(&mut self, target: f64, most_looks: u32, clock: &mut Clock<'_>) {
        let mut look = self.look(&self.best.rows, &self.best.cuts);
        self.raise(&mut look);
        self.start_averages(&look);
        let mut length = 1.0;
        let mut failures = 0;
        for _ in 0..most_looks {
            clock.step(self.columns.units.len() as u64);
            if clock.is_over() || length < SHORTEST {
                break;
            }
            self.update_averages(&look);
            let direction = self.direction();
            let square: f64 = direction
                .rows
                .iter()
                .chain(&direction.cuts)
                .map(|entry| entry * entry)
                .sum();
            if square < 1e-9 {
                break;
            }
            let away = (target - self.bound)
                .min(self.reach)
                .max(1e-3 * self.bound.abs().max(1.0));
            let next = self.stepped(&direction, length * away / square);
            let before = self.bound;
            look = self.look(&next.rows, &next.cuts);
            if look.bound > before {
                self.best = next;
                self.raise(&mut look);
                // Little gained is as good as nothing.
                if self.bound - before > 1e-5 * away {
                    failures = 0;
                    length = (length * 1.05).min(2.0);
                    continue;
                }
            }
            failures += 1;
            if failures >= PATIENCE {
                failures = 0;
                length *= 0.7;
            }
        }
    }

    /// How much there is of each column of the pool, about, in a solution of the linear program.
    pub(crate) fn solution(&self) -> Vec<(u32, f64)> {
        let columns = self.columns.number.iter().copied().zip(self.average.iter().copied());
        columns.filter(|column| column.1 > 1e-3).collect()
    }

    /// Whether a unit pays the most it may.
    pub(crate) fn is_stretched(&self) -> bool {
        let mut pairs = self.best.rows.iter().zip(&self.dear);
        pairs.any(|(dual, dear)| *dual >= dear - 1e-6 * dear.abs())
    }

    /// Moves the best point up by its shares.
    fn raise(&mut self, look: &mut Look) {
        for (dual, share) in self.best.rows.iter_mut().zip(&look.shares) {
            *dual += share;
        }
        self.bound = look.bound;
    }

    fn look(&self, rows: &[f64], cuts: &[f64]) -> Look {
        let units = self.model.len();
        let mut shares: Vec<f64> = rows[..units]
            .iter()
            .zip(&self.dear)
            .map(|(dual, dear)| dear - dual)
            .collect();
        let mut deciding = vec![NONE; units];
        let columns = &self.columns;
        let (mut start, mut cuts_start) = (0, 0);
        for at in 0..columns.number.len() {
            let end = columns.end[at] as usize;
            let members = &columns.units[start..end];
            let (row, entry) = columns.other[at];
            let mut reduced = columns.cost[at] - rows[row as usize] * entry;
            for &unit in members {
                reduced -= rows[usize::from(unit)];
            }
            let cuts_end = columns.cuts_end[at] as usize;
            for &(cut, times) in &columns.cuts[cuts_start..cuts_end] {
                reduced -= cuts[usize::from(cut)] * times;
            }
            let share = reduced / members.len() as f64;
            for &unit in members {
                let least = &mut shares[usize::from(unit)];
                if share < *least {
                    *least = share;
                    deciding[usize::from(unit)] = at as u32;
                }
            }
            (start, cuts_start) = (end, cuts_end);
        }
        let paid = (0..self.model.rows()).map(|row| rows[row] * f64::from(self.model.room(row)));
        let of_cuts = cuts.iter().zip(&columns.most).map(|(dual, most)| dual * most);
        Look {
            bound: paid.sum::<f64>() + of_cuts.sum::<f64>() + shares.iter().sum::<f64>(),
            shares,
            deciding,
        }
    }

    fn start_averages(&mut self, look: &Look) {
        self.average.fill(0.0);
        self.mix(look, 1.0);
    }

    fn update_averages(&mut self, look: &Look) {
        self.average.iter_mut().for_each(|share| *share *= 1.0 - NEWEST);
        self.mix(look, NEWEST);
    }

    fn mix(&mut self, look: &Look, weight: f64) {
        for &at in look.deciding.iter().filter(|&&at| at != NONE) {
            self.average[at as usize] += weight / self.columns.members(at as usize).len() as f64;
        }
    }

    /// What averages leave of every row that has a dual, and of cuts.
    fn direction(&self) -> Point {
        let mut rows: Vec<f64> = (0..self.model.rows())
            .map(|row| f64::from(self.model.room(row)))
            .collect();
        let mut cuts = self.columns.most.clone();
        let (mut start, mut cuts_start) = (0, 0);
        let columns = &self.columns;
        for (at, &share) in self.average.iter().enumerate() {
            let (end, cuts_end) = (columns.end[at] as usize, columns.cuts_end[at] as usize);
            if share > 0.0 {
                for &unit in &columns.units[start..end] {
                    rows[usize::from(unit)] -= share;
                }
                let (row, entry) = columns.other[at];
                rows[row as usize] -= entry * share;
                for &(cut, times) in &columns.cuts[cuts_start..cuts_end] {
                    cuts[usize::from(cut)] -= share * times;
                }
            }
            (start, cuts_start) = (end, cuts_end);
        }
        for (row, left) in rows.iter_mut().enumerate() {
            let is_at_most = self.best.rows[row] >= self.most[row] && *left > 0.0;
            if !self.is_free[row] || is_at_most {
                *left = 0.0;
            }
        }
        for (left, dual) in cuts.iter_mut().zip(&self.best.cuts) {
            if *dual >= 0.0 && *left > 0.0 {
                *left = 0.0;
            }
        }
        Point { rows, cuts }
    }

    fn stepped(&self, direction: &Point, length: f64) -> Point {
        let rows = self.best.rows.iter().zip(&direction.rows).zip(&self.most);
        let cuts = self.best.cuts.iter().zip(&direction.cuts);
        Point {
            rows: rows
                .map(|((dual, step), most)| (dual + length * step).min(*most))
                .collect(),
            cuts: cuts.map(|(dual, step)| (dual + length * step).min(0.0)).collect(),
        }
    }
}

impl Columns {
    fn new(model: &Model<'_>, pool: &Pool, active: &[u32]) -> Self {
        let mut columns = Self {
            most: pool.cuts_known().map(|cut| cut.most() as f64).collect(),
            ..Self::default()
        };
        // Columns without units bound the duals of their classes, elsewhere.
        for &number in active.iter().filter(|&&number| !pool.units(number).is_empty()) {
            let units = pool.units(number);
            columns.number.push(number);
            columns.cost.push(pool.cost(number) as f64);
            columns.units.extend_from_slice(units);
            columns.end.push(columns.units.len() as u32);
            columns.other.push(match pool.kind(number) {
                Kind::Team(class) | Kind::Unfilled(class) => (model.class_row(class) as u32, 1.0),
                Kind::Bench => (model.bench_row() as u32, f64::from(model.players_in(units))),
                Kind::Nowhere => (model.bench_row() as u32, 0.0),
            });
            let cuts = pool.cuts(number).iter();
            columns.cuts.extend(cuts.map(|&(cut, times)| (cut, f64::from(times))));
            columns.cuts_end.push(columns.cuts.len() as u32);
        }
        columns
    }

    fn members(&self, at: usize) -> &[u16] {
        let start = if at == 0 { 0 } else { self.end[at - 1] };
        &self.units[start as usize..self.end[at] as usize]
    }
}
