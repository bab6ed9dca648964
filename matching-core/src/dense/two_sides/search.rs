//! Shortest augmenting paths, over the best columns of each row.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::parallel::Workers;
use super::near::{Near, Weight, addend};
use super::table::Table;
use crate::engine::Dual;
use crate::solution::StopReason;

/// Stands for no row or column.
pub(super) const NONE: u32 = u32::MAX;
/// Paths between two looks at the limits.
const PATHS: usize = 64;

/// What staying alone costs, where that is possible.
#[derive(Debug)]
pub(super) struct Terms<D> {
    /// The most that each row pays.
    pub(super) alone: Option<Vec<D>>,
    /// The most that each column pays, and what it pays if it stays alone.
    pub(super) caps: Option<Vec<D>>,
}

impl<D> Default for Terms<D> {
    fn default() -> Self {
        Self {
            alone: None,
            caps: None,
        }
    }
}

/// How a search ended.
pub(super) enum Ends {
    /// Rows have partners or stay alone, as is best.
    Done,
    Stopped(StopReason),
    /// Paths are too long.
    Tired,
    /// These rows have no columns but these, which are fewer.
    Stuck(Vec<u32>, Vec<u32>),
}

/// Where a path may end.
#[derive(Clone, Copy, Debug)]
enum End {
    Column(u32),
    /// The row loses its column and stays alone.
    Row(u32),
}

/// A matching of rows and columns, and duals with `rows + columns <= weight` on all pairs: equal where they are matched.
pub(super) struct Search<'s, D> {
    pub(super) table: &'s Table,
    pub(super) terms: &'s Terms<D>,
    pub(super) near: Near<'s, D>,
    pub(super) rows: Vec<D>,
    pub(super) columns: Vec<D>,
    pub(super) addends: Vec<i32>,
    down: u32,
    pub(super) mate_of_row: Vec<u32>,
    pub(super) mate_of_column: Vec<u32>,
    /// Rows that are best alone.
    pub(super) is_alone: Vec<bool>,
    /// Entries looked at.
    pub(super) work: u64,
    paths: Paths<D>,
}

/// What one search for a path knows.
struct Paths<D> {
    /// The search that has seen a column last, and how far away it was; whether the way there is known to be the shortest.
    seen: Vec<u32>,
    settled: Vec<u32>,
    distance: Vec<D>,
    /// The row that leads there.
    from: Vec<u32>,
    number: u32,
    heap: BinaryHeap<Reverse<(D, u32)>>,
    /// Columns as far away as what is looked at now.
    ready: Vec<u32>,
    tree: Vec<(u32, D, u32)>,
    columns: Vec<u32>,
    end: Option<(D, End)>,
}

impl<'s, D: Dual> Search<'s, D> {
    /// With these duals of the columns; those of the rows are the greatest there may be, as far as is known.
    pub(super) fn new(
        table: &'s Table,
        down: u32,
        weight: Weight<'s, D>,
        terms: &'s Terms<D>,
        columns: Vec<D>,
        workers: Workers,
    ) -> Self {
        let addends: Vec<i32> = columns.iter().map(|&dual| addend(dual, down)).collect();
        let near = Near::new(table, down, weight, &addends, workers);
        let (height, width) = (table.rows(), table.columns());
        let rows = (0..height).map(|row| {
            let alone = terms.alone.as_ref().map_or(D::MAX, |alone| alone[row]);
            let paid = near
                .of_row(row)
                .iter()
                .map(|entry| entry.weight - columns[entry.column as usize]);
            let least = paid.fold(near.floor(row), D::min).min(alone);
            // Who has no column at all pays whatever he likes.
            if least == D::MAX { D::ZERO } else { least }
        });
        Self {
            rows: rows.collect(),
            work: (height * width) as u64,
            table,
            terms,
            near,
            addends,
            down,
            mate_of_row: vec![NONE; height],
            mate_of_column: vec![NONE; width],
            is_alone: vec![false; height],
            paths: Paths {
                seen: vec![0; width],
                settled: vec![0; width],
                distance: vec![D::ZERO; width],
                from: vec![NONE; width],
                number: 0,
                heap: BinaryHeap::new(),
                ready: Vec::new(),
                tree: Vec::new(),
                columns: Vec::new(),
                end: None,
            },
            columns,
        }
    }

    /// The column of a row.
    pub(super) fn partner(&self, row: usize) -> Option<usize> {
        Some(self.mate_of_row[row])
            .filter(|&column| column != NONE)
            .map(|column| column as usize)
    }

    /// Gives every row a column, or leaves it alone; `must_stop` is asked now and then. Paths may look at no more entries than
    /// `patience`.
    pub(super) fn run(&mut self, patience: u64, mut must_stop: impl FnMut(&Self) -> Option<StopReason>) -> Ends {
        if let Some(reason) = must_stop(self) {
            return Ends::Stopped(reason);
        }
        self.bid();
        let most = self.work.saturating_add(patience);
        let mut paths = 0;
        for row in 0..self.table.rows() {
            if self.mate_of_row[row] != NONE || self.is_alone[row] {
                continue;
            }
            if paths % PATHS == 0
                && let Some(reason) = must_stop(self)
            {
                return Ends::Stopped(reason);
            }
            if self.work > most {
                return Ends::Tired;
            }
            paths += 1;
            if !self.augment(row) {
                let rows = self.paths.tree.iter().map(|&(row, ..)| row).collect();
                return Ends::Stuck(rows, core::mem::take(&mut self.paths.columns));
            }
        }
        Ends::Done
    }

    /// Rows that are neither matched nor best alone.
    pub(super) fn left(&self) -> usize {
        let left = |&row: &usize| self.mate_of_row[row] == NONE && !self.is_alone[row];
        (0..self.table.rows()).filter(left).count()
    }

    /// Lowers what a column pays.
    pub(super) fn lower(&mut self, column: usize, by: D) {
        self.columns[column] -= by;
        self.addends[column] = addend(self.columns[column], self.down);
    }

    /// Lets columns pay less, and rows as much more, so that no column pays more than 0 and some pay that.
    pub(super) fn lower_to_zero(&mut self) {
        let Some(&most) = self.columns.iter().max() else {
            return;
        };
        self.columns.iter_mut().for_each(|dual| *dual -= most);
        self.rows.iter_mut().for_each(|dual| *dual += most);
    }

    /// Reads the whole row again for its best columns, so many of them.
    pub(super) fn renew(&mut self, row: usize, wanted: usize) {
        self.work += self.table.columns() as u64;
        self.near.renew(row, wanted, &self.addends);
    }

    pub(super) fn couple(&mut self, row: usize, column: usize) {
        self.mate_of_row[row] = column as u32;
        self.mate_of_column[column] = row as u32;
    }

    /// Finds the shortest way from a row to a column without a row, or to a row that is to stay alone, moves duals so that all
    /// of it is tight, and changes partners along it. `false` if there is none.
    fn augment(&mut self, root: usize) -> bool {
        let paths = &mut self.paths;
        paths.number += 1;
        paths.heap.clear();
        paths.ready.clear();
        paths.tree.clear();
        paths.columns.clear();
        paths.end = None;
        self.enter(root, D::ZERO);
        while let Some((distance, node)) = self.next() {
            let width = self.table.columns();
            match (node as usize).checked_sub(width) {
                None => {
                    let column = node as usize;
                    self.paths.settled[column] = self.paths.number;
                    self.paths.columns.push(node);
                    self.enter(self.mate_of_column[column] as usize, distance);
                }
                Some(place) => {
                    let (row, at, times) = self.paths.tree[place];
                    self.paths.tree[place].2 += 1;
                    self.work += self.table.columns() as u64;
                    self.near
                        .reach_further(row as usize, times, &self.columns, &self.addends);
                    self.relax(place, at, distance);
                }
            }
        }
        let Some((length, end)) = self.paths.end else {
            return false;
        };
        self.move_duals(length);
        self.change_partners(root, end);
        true
    }

    /// The nearest column, or place in the tree of a row that is to be read again, before the path ends.
    fn next(&mut self) -> Option<(D, u32)> {
        let paths = &mut self.paths;
        let limit = paths.end.map_or(D::MAX, |(length, _)| length);
        while let Some(column) = paths.ready.pop() {
            let at = column as usize;
            if paths.settled[at] != paths.number && paths.distance[at] < limit {
                return Some((paths.distance[at], column));
            }
        }
        while let Some(Reverse((distance, node))) = paths.heap.pop() {
            if distance >= limit {
                return None;
            }
            let at = node as usize;
            let is_column = at < paths.settled.len();
            if !is_column || (paths.settled[at] != paths.number && paths.distance[at] == distance) {
                return Some((distance, node));
            }
        }
        None
    }

    /// A row joins the tree.
    fn enter(&mut self, row: usize, distance: D) {
        self.paths.tree.push((row as u32, distance, 0));
        if let Some(alone) = &self.terms.alone {
            let length = distance + (alone[row] - self.rows[row]);
            if self.paths.end.is_none_or(|(least, _)| length < least) {
                self.paths.end = Some((length, End::Row(row as u32)));
            }
        }
        self.relax(self.paths.tree.len() - 1, distance, distance);
    }

    /// Looks at what leads on from a row of the tree at distance `at`, when all that is nearer than `now` is settled.
    fn relax(&mut self, place: usize, at: D, now: D) {
        let paths = &mut self.paths;
        let row = paths.tree[place].0 as usize;
        let mut limit = paths.end.map_or(D::MAX, |(length, _)| length);
        let entries = self.near.of_row(row);
        self.work += entries.len() as u64;
        let paid = self.rows[row];
        for entry in entries {
            let column = entry.column as usize;
            let distance = at + (entry.weight - self.columns[column] - paid);
            if distance >= limit || (paths.seen[column] == paths.number && paths.distance[column] <= distance) {
                continue;
            }
            paths.seen[column] = paths.number;
            paths.distance[column] = distance;
            paths.from[column] = row as u32;
            if self.mate_of_column[column] == NONE {
                limit = distance;
                paths.end = Some((distance, End::Column(entry.column)));
            } else if distance <= now {
                paths.ready.push(entry.column);
            } else {
                paths.heap.push(Reverse((distance, entry.column)));
            }
        }
        let floor = self.near.floor(row);
        if floor < D::MAX {
            let distance = (at + (floor - paid)).max(now);
            if distance < limit {
                let node = self.table.columns() + place;
                paths.heap.push(Reverse((distance, node as u32)));
            }
        }
    }

    /// All that is nearer than the end of the path pays as much more, or less, as it is nearer.
    fn move_duals(&mut self, length: D) {
        for at in 0..self.paths.tree.len() {
            let (row, distance, _) = self.paths.tree[at];
            self.rows[row as usize] += length - distance;
        }
        for at in 0..self.paths.columns.len() {
            let column = self.paths.columns[at] as usize;
            self.lower(column, length - self.paths.distance[column]);
        }
    }

    fn change_partners(&mut self, root: usize, end: End) {
        let mut column = match end {
            End::Column(column) => column,
            End::Row(row) => {
                let column = core::mem::replace(&mut self.mate_of_row[row as usize], NONE);
                self.is_alone[row as usize] = true;
                if row as usize == root {
                    return;
                }
                column
            }
        };
        loop {
            let row = self.paths.from[column as usize] as usize;
            let before = self.mate_of_row[row];
            self.couple(row, column as usize);
            if row == root {
                return;
            }
            column = before;
        }
    }
}
