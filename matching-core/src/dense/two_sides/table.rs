//! What one side costs with the other, 32 bits an entry.

use super::super::lanes::FORBIDDEN;
use super::super::read::{self, Facts, Fault, MARK, Reading, RowFacts};
use super::super::rows::Rows;
use crate::cost::{Cost, CostValue};
use crate::error::Error;

/// Lanes of all rows with all columns: the cost less the least one, without the bits that are too many; [`FORBIDDEN`] where
/// there is no pair.
#[derive(Debug)]
pub(super) struct Table {
    lanes: Vec<i32>,
    columns: usize,
}

impl Table {
    pub(super) fn new(lanes: Vec<i32>, columns: usize) -> Self {
        Self { lanes, columns }
    }

    pub(super) fn rows(&self) -> usize {
        self.lanes.len() / self.columns
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn entries(&self) -> u64 {
        self.lanes.len() as u64
    }

    pub(super) fn row(&self, row: usize) -> &[i32] {
        &self.lanes[row * self.columns..][..self.columns]
    }

    pub(super) fn is_allowed(&self, row: usize, column: usize) -> bool {
        self.row(row)[column] < FORBIDDEN
    }

    /// The columns that a row may have.
    pub(super) fn allowed(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.columns).filter(move |&column| self.is_allowed(row, column))
    }

    /// What vertices of one side cost with those of the other, of rows of all.
    pub(super) fn of_rows(rows: &Rows<'_>, [left, right]: &[Vec<u32>; 2]) -> Self {
        let form = rows.form();
        let mut scratch = Vec::new();
        let mut lanes = Vec::with_capacity(left.len() * right.len());
        for &u in left {
            let row = rows.row(u as usize, &mut scratch);
            lanes.extend(right.iter().map(|&v| form.lane(row[v as usize])));
        }
        Self::new(lanes, right.len())
    }

    /// These rows and columns of it.
    pub(super) fn part(&self, rows: &[usize], columns: &[usize]) -> Self {
        let mut lanes = Vec::with_capacity(rows.len() * columns.len());
        for &row in rows {
            let row = self.row(row);
            lanes.extend(columns.iter().map(|&column| row[column]));
        }
        Self::new(lanes, columns.len())
    }

    /// Rows become columns.
    pub(super) fn turned(&self) -> Self {
        const BLOCK: usize = 32;
        let (rows, columns) = (self.rows(), self.columns);
        let mut lanes = vec![0; self.lanes.len()];
        for top in (0..rows).step_by(BLOCK) {
            for left in (0..columns).step_by(BLOCK) {
                for row in top..(top + BLOCK).min(rows) {
                    for column in left..(left + BLOCK).min(columns) {
                        lanes[column * rows + row] = self.lanes[row * columns + column];
                    }
                }
            }
        }
        Self { lanes, columns: rows }
    }
}

/// Reads a cost on two sides; `None` where its lanes would not fit the memory that there is.
pub(super) fn read<V: CostValue>(
    cost: &dyn Cost<Value = V>,
    first: usize,
    reading: &Reading<'_, V>,
) -> Result<Option<(Table, Facts)>, Error> {
    read::check_shape(cost)?;
    let n = cost.len();
    let columns = n - first;
    // Where staying alone has prices, rows become columns in the end.
    let is_turned = first > columns || super::has_prices(reading.objective, n);
    let copies = if is_turned { 2 } else { 1 };
    if first.saturating_mul(columns).saturating_mul(4 * copies) > reading.memory {
        return Ok(None);
    }
    let mut facts: Vec<RowFacts<V>> = vec![RowFacts::new(); first];
    let mut lanes = vec![0i32; first * columns];
    let is_symmetric = cost.is_symmetric();
    reading.workers.for_zipped_rows(
        (&mut lanes, columns),
        &mut facts,
        || Row::new(n),
        |buffer, i, lanes, facts| {
            *facts = RowFacts::new();
            buffer.fill(cost, i, first);
            facts.include_row(first, &buffer.values[first..], |j| buffer.is_allowed(j), buffer.is_full);
            if let Some(j) = buffer.overflow {
                facts.blame(j, Fault::Overflow);
            }
            if !is_symmetric {
                for j in first..n {
                    let fault = if buffer.is_allowed(j) {
                        Fault::of_mirror(cost, (i, j), buffer.values[j])
                    } else {
                        cost.is_allowed(j, i).then_some(Fault::Asymmetric)
                    };
                    if let Some(fault) = fault {
                        facts.blame(j, fault);
                    }
                }
            }
            // Integers of 32 bits are kept as they are.
            if V::IS_INTEGER && !facts.is_wide {
                for (lane, value) in lanes.iter_mut().zip(&buffer.values[first..]) {
                    *lane = value.narrow().unwrap_or(MARK);
                }
                if !buffer.is_full {
                    for (lane, j) in lanes.iter_mut().zip(first..n) {
                        *lane = if buffer.is_allowed(j) { *lane } else { MARK };
                    }
                }
            }
        },
    );
    let is_narrow = V::IS_INTEGER && facts.iter().all(|facts| !facts.is_wide);
    let facts = read::gather(&facts, n, reading)?;
    let least = read::least_of::<V>(n, &facts, reading.is_negated)?;
    if is_narrow {
        read::narrow_to_lanes(&mut lanes, columns, &facts, reading);
    } else {
        reading.workers.for_rows(
            &mut lanes,
            columns,
            || Row::new(n),
            |buffer, i, lanes| {
                buffer.fill(cost, i, first);
                for (lane, j) in lanes.iter_mut().zip(first..n) {
                    // The first pass saw that every allowed cost is a number on the grid.
                    let units = facts.grid.units(buffer.values[j]).filter(|_| buffer.is_allowed(j));
                    *lane = units.map_or(FORBIDDEN, |units| {
                        ((if reading.is_negated { -units } else { units } - least) >> facts.down) as i32
                    });
                }
            },
        );
    }
    let table = Table::new(lanes, columns);
    Ok(Some((if first > columns { table.turned() } else { table }, facts)))
}

/// Room for a row of a cost.
struct Row<V> {
    values: Vec<V>,
    allowed: Vec<u64>,
    /// All pairs with the other side are allowed.
    is_full: bool,
    /// The first that does not fit.
    overflow: Option<usize>,
}

impl<V: CostValue> Row<V> {
    fn new(n: usize) -> Self {
        Self {
            values: vec![V::zero(); n],
            allowed: vec![0; n.div_ceil(64)],
            is_full: false,
            overflow: None,
        }
    }

    fn is_allowed(&self, j: usize) -> bool {
        self.allowed[j / 64] >> (j % 64) & 1 == 1
    }

    fn fill(&mut self, cost: &dyn Cost<Value = V>, i: usize, first: usize) {
        let n = self.values.len();
        cost.allowed_row(i, &mut self.allowed);
        let words = self.allowed[first / 64..].iter().enumerate();
        let ones = words.map(|(at, word)| if at == 0 { word >> (first % 64) } else { *word }.count_ones() as usize);
        self.is_full = ones.sum::<usize>() == n - first;
        self.overflow = None;
        if !cost.may_overflow() {
            cost.fill_row(i, &mut self.values);
            return;
        }
        for j in first..n {
            if self.is_allowed(j) {
                match cost.checked_pair(i, j) {
                    Some(value) => self.values[j] = value,
                    None => {
                        self.overflow = self.overflow.or(Some(j));
                        self.values[j] = V::zero();
                    }
                }
            }
        }
    }
}
