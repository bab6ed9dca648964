//! Duals of the columns to begin with, from samples of both sides.
//!
//! Half of the rows and half of the columns, well chosen, is a quarter of the problem with much the same duals. It is solved
//! first, in the same way; a column outside the sample then pays the most that the rows of the sample allow. Duals decide what
//! is looked at first and nothing else.

use super::super::lanes::{DUAL_LIMIT, FORBIDDEN, lower_all};
use super::super::parallel::Workers;
use super::super::strata;
use super::near::Near;
use super::table::Table;
use crate::assignment::{Ends, Search};
use crate::engine::Limits;

/// One row and one column of so many is in the sample.
const RATIO: usize = 2;
/// Problems up to this size have no sample.
const BASE: usize = 64;
/// More than any lane: who would have to pay as much may as well stay alone in a sample.
const ALONE: i64 = 1 << 28;

/// Duals of the columns in lanes, none of them above 0, for a table of as many rows as columns; and the entries looked at for
/// that.
pub(super) fn sampled(table: &Table, workers: Workers, limits: &Limits<'_>) -> (Vec<i64>, u64) {
    let size = table.rows();
    if size <= BASE || limits.reached(0).is_some() {
        return (plain(table), (size * size) as u64);
    }
    let (mut duals, work) = extended(table, workers, limits);
    let top = duals.iter().copied().filter(|&dual| dual < ALONE).max().unwrap_or(0);
    for dual in &mut duals {
        *dual = (*dual - top).min(0);
    }
    (duals, work)
}

/// Duals of the columns in lanes, as long as rows pay nothing.
pub(super) fn plain(table: &Table) -> Vec<i64> {
    let most = most_of_columns(table, (0..table.rows()).map(|row| (row, 0)));
    most.into_iter()
        .map(|most| if most < ALONE { most } else { 0 })
        .collect()
}

/// The most that columns can pay beside these rows, who pay so much; more than [`ALONE`] if nothing keeps them from it.
fn most_of_columns(table: &Table, rows: impl Iterator<Item = (usize, i64)>) -> Vec<i64> {
    let mut most = vec![FORBIDDEN; table.columns()];
    for (row, paid) in rows {
        let paid = paid.clamp(-i64::from(DUAL_LIMIT), i64::from(DUAL_LIMIT)) as i32;
        lower_all(&mut most, table.row(row), -paid);
    }
    most.into_iter().map(i64::from).collect()
}

fn extended(table: &Table, workers: Workers, limits: &Limits<'_>) -> (Vec<i64>, u64) {
    let size = table.rows();
    let rows = strata::sample_by(size, RATIO, |pivot, features| {
        let column = pivot * size / strata::PIVOTS;
        for (row, feature) in features.iter_mut().enumerate() {
            feature[pivot] = table.row(row)[column];
        }
    });
    let columns = strata::sample_by(size, RATIO, |pivot, features| {
        let row = table.row(pivot * size / strata::PIVOTS);
        for (&lane, feature) in row.iter().zip(features) {
            feature[pivot] = lane;
        }
    });
    let sample = table.part(&rows, &columns);
    let (first, mut work) = sampled(&sample, workers, limits);
    let alone = vec![ALONE; rows.len()];
    let weight = |row: usize, column: usize| i64::from(sample.row(row)[column]);
    let near = Near::new(&sample, 0, &weight, &first, workers);
    let mut search = Search::new(near, Some(&alone), first, sample.entries());
    search.run(u64::MAX, |search| limits.reached(search.work).map(Ends::Stopped));
    work += search.work;

    let paid = rows.iter().copied().zip(search.rows.iter().copied());
    let mut duals = most_of_columns(table, paid);
    for (&column, &dual) in columns.iter().zip(&search.columns) {
        duals[column] = dual;
    }
    (duals, work + (rows.len() * size) as u64)
}
