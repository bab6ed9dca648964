//! Duals of the columns to begin with, from samples of both sides.
//!
//! Half of the rows and half of the columns, well chosen, is a quarter of the problem with much the same duals. It is solved
//! first, in the same way; a column outside the sample then pays the most that the rows of the sample allow. Duals decide what
//! is looked at first and nothing else.

use super::super::lanes::{DUAL_LIMIT, FORBIDDEN, lower_all};
use super::super::strata;
use super::market::{Market, median};
use super::problem::{Problem, Standing, Terms};
use super::table::Table;
use crate::engine::{Dual, Limits};

/// One row and one column of so many is in the sample.
const RATIO: usize = 2;
/// Problems with no more rows, or columns, have no sample.
const BASE: usize = 64;
/// More than any lane: where none may stay alone, who would have to pay as much, and more than a column saves by that, does so in a
/// sample.
const ALONE: i64 = 1 << 28;
/// Far beyond what lanes and their sums can be, and prices need not be told apart there; a few of them can be added up.
const FAR: i128 = 1 << FAR_BITS;
pub(super) const FAR_BITS: u32 = 56;
/// What a column pays that nothing keeps from paying more.
const ANYTHING: i64 = i64::MAX;

impl<D: Dual> Terms<D> {
    /// What staying alone costs in a sample, in lanes.
    pub(super) fn in_lanes(&self, down: u32, rows: usize) -> Terms<i64> {
        let lanes = |prices: &Vec<D>| -> Vec<i64> {
            let prices = prices.iter().map(|&price| price.into() >> down);
            prices.map(|price| price.clamp(-FAR, FAR) as i64).collect()
        };
        let caps = self.caps.as_ref().map(lanes);
        let saved = caps.iter().flatten().min().map_or(0, |least| -least);
        Terms {
            alone: Some(self.alone.as_ref().map_or_else(|| vec![ALONE + saved; rows], lanes)),
            caps,
            has_bye: self.has_bye,
        }
    }
}

impl Terms<i64> {
    /// The same for these rows and columns.
    fn part(&self, rows: &[usize], columns: &[usize]) -> Self {
        let part = |all: &Vec<i64>, picked: &[usize]| picked.iter().map(|&at| all[at]).collect();
        Self {
            alone: self.alone.as_ref().map(|alone| part(alone, rows)),
            caps: self.caps.as_ref().map(|caps| part(caps, columns)),
            has_bye: self.has_bye,
        }
    }
}

/// Duals of the columns in lanes, none of them above its price, or above 0 where there are none; and the entries looked at for
/// that. Of `problem`, the table and the terms are read.
pub(super) fn sampled(problem: &Problem<'_, i64>, limits: &Limits<'_>) -> (Vec<i64>, u64) {
    let table = problem.table;
    if table.rows().min(table.columns()) <= BASE || limits.reached(0).is_some() {
        return (plain(problem), table.entries());
    }
    let (rows, columns) = strata_of(problem);
    let part = table.part(&rows, &columns);
    let sample = Problem {
        table: &part,
        down: 0,
        weight: &|row, column| i64::from(part.row(row)[column]),
        terms: &problem.terms.part(&rows, &columns),
        workers: problem.workers,
    };
    let (duals, work) = sampled(&sample, limits);
    let work = work + part.entries();
    let (solved, _) = sample.solve(duals, work, u64::MAX, &mut |glance| limits.reached(glance.work));

    let paid: Vec<(usize, i64)> = rows.iter().copied().zip(solved.rows.iter().copied()).collect();
    let mut duals = most_of_columns(table, &paid);
    for (&column, &dual) in columns.iter().zip(&solved.columns) {
        duals[column] = dual;
    }
    lower(&mut duals, problem.terms, room(&solved, sample.terms), spread(table));
    (duals, solved.work + (rows.len() * table.columns()) as u64)
}

/// Duals of the columns in lanes by which rows pay nothing, less what is too much.
pub(super) fn plain(problem: &Problem<'_, i64>) -> Vec<i64> {
    let Problem { table, terms, .. } = problem;
    let nothing: Vec<(usize, i64)> = (0..table.rows()).map(|row| (row, 0)).collect();
    let mut duals = most_of_columns(table, &nothing);
    // Where columns are more than rows, some are left in the end and pay their price; elsewhere it may be that none is.
    let may_take_all = table.rows() == table.columns();
    let most = terms.alone.iter().flatten().min().filter(|_| may_take_all);
    lower(&mut duals, terms, most.copied().unwrap_or(0), spread(table));
    duals
}

/// Rows and columns that look like all of them: by what they cost with some of the others, and by their prices.
fn strata_of(problem: &Problem<'_, i64>) -> (Vec<usize>, Vec<usize>) {
    let Problem { table, terms, .. } = problem;
    let (height, width) = (table.rows(), table.columns());
    let price = |prices: &Option<Vec<i64>>, at: usize, pivot: usize| {
        let prices = prices.as_ref().filter(|_| pivot == 0 && terms.caps.is_some())?;
        Some(prices[at].clamp(-i64::from(DUAL_LIMIT), DUAL_LIMIT.into()) as i32)
    };
    let rows = strata::sample_by(height, RATIO, |pivot, features| {
        let column = pivot * width / strata::PIVOTS;
        for (row, feature) in features.iter_mut().enumerate() {
            feature[pivot] = price(&terms.alone, row, pivot).unwrap_or(table.row(row)[column]);
        }
    });
    let columns = strata::sample_by(width, RATIO, |pivot, features| {
        let row = table.row(pivot * height / strata::PIVOTS);
        for (column, feature) in features.iter_mut().enumerate() {
            feature[pivot] = price(&terms.caps, column, pivot).unwrap_or(row[column]);
        }
    });
    (rows, columns)
}

/// The most that columns can pay beside these rows, who pay so much.
fn most_of_columns(table: &Table, rows: &[(usize, i64)]) -> Vec<i64> {
    let level = median(rows.iter().map(|&(_, paid)| paid).collect());
    let mut most = vec![FORBIDDEN; table.columns()];
    for &(row, paid) in rows {
        let paid = (paid - level).clamp(-i64::from(DUAL_LIMIT), DUAL_LIMIT.into()) as i32;
        lower_all(&mut most, table.row(row), -paid);
    }
    let beyond = |lane: i64| if lane < ALONE { lane - level } else { ANYTHING };
    most.into_iter().map(|lane| beyond(lane.into())).collect()
}

/// How much costs differ, as some rows say.
pub(super) fn spread(table: &Table) -> i64 {
    let lanes = some_rows(table).flatten().copied();
    lanes.filter(|&lane| lane < FORBIDDEN).max().unwrap_or(0).into()
}

/// A few rows, far from each other.
pub(super) fn some_rows(table: &Table) -> impl Iterator<Item = &[i32]> {
    const ROWS: usize = 8;
    let rows = (0..table.rows()).step_by(table.rows().div_ceil(ROWS).max(1));
    rows.map(|row| table.row(row))
}

/// How much more all rows of a solved sample could pay, and columns less: nothing where a column is left, which pays its price.
fn room(solved: &Standing<i64>, terms: &Terms<i64>) -> i64 {
    if !solved.takes_all_columns() {
        return 0;
    }
    let most = terms.alone.iter().flatten();
    most.zip(&solved.rows)
        .map(|(most, paid)| most - paid)
        .min()
        .unwrap_or(0)
}

/// Lets no column pay more than its price: all pay as much less as there is room for, so that what they are apart is kept, and who
/// still pays too much pays his price. Only what they are apart matters without prices, when the most that any pays will be 0, and
/// where one column stays alone, which will be the first that pays its price.
fn lower(duals: &mut [i64], terms: &Terms<i64>, room: i64, near: i64) {
    let cap = |column: usize| terms.caps.as_ref().map_or(0, |caps| caps[column]);
    let paid = duals.iter().enumerate().filter(|(_, dual)| **dual != ANYTHING);
    let beyond = paid.map(|(column, dual)| dual - cap(column)).max().unwrap_or(0);
    let by = match terms.caps {
        Some(_) if !terms.has_bye => beyond.min(room).max(0),
        _ => beyond,
    };
    for (column, dual) in duals.iter_mut().enumerate() {
        *dual = dual.saturating_sub(by).min(cap(column));
    }
    if let Some(market) = Market::of(terms) {
        market.settle(duals, near);
    }
}
