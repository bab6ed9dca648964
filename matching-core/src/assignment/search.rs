//! Shortest augmenting paths, over what is known of the columns of each row.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{NONE, Neighbours};
use crate::engine::Dual;
use crate::solution::StopReason;

/// Entries looked at between two looks at the limits.
const LOOKS: u64 = 1 << 16;

/// How a search ended.
pub(crate) enum Ends {
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
pub(crate) struct Search<'s, D, N> {
    /// The most that each row pays, and what it pays if it stays alone; `None` where none may.
    alone: Option<&'s [D]>,
    pub(super) near: N,
    pub(crate) rows: Vec<D>,
    pub(crate) columns: Vec<D>,
    pub(crate) mate_of_row: Vec<u32>,
    pub(super) mate_of_column: Vec<u32>,
    /// Rows that are best alone.
    pub(super) is_alone: Vec<bool>,
    /// Entries looked at.
    pub(crate) work: u64,
    /// Rows that are neither matched nor best alone, and columns without a row, when a path begins.
    left: usize,
    free: usize,
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

impl<'s, D: Dual, N: Neighbours<D>> Search<'s, D, N> {
    /// With these duals of the columns; those of the rows are the greatest there may be, as far as is known. So many entries have
    /// been looked at for that.
    pub(crate) fn new(near: N, alone: Option<&'s [D]>, columns: Vec<D>, work: u64) -> Self {
        let (height, width) = (near.rows(), columns.len());
        let rows = (0..height).map(|row| {
            let alone = alone.map_or(D::MAX, |alone| alone[row]);
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
            work,
            near,
            alone,
            mate_of_row: vec![NONE; height],
            mate_of_column: vec![NONE; width],
            is_alone: vec![false; height],
            left: height,
            free: width,
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

    /// The same where rows and columns pay so much, as far as is known, and some rows have columns at what they pay.
    pub(crate) fn resume(
        near: N,
        alone: Option<&'s [D]>,
        (rows, columns): (Vec<D>, Vec<D>),
        mate_of_row: &[u32],
        work: u64,
    ) -> Self {
        let mut search = Self::new(near, alone, columns, work);
        for (row, (paid, &column)) in rows.into_iter().zip(mate_of_row).enumerate() {
            if column != NONE {
                search.rows[row] = paid;
                search.couple(row, column as usize);
            } else {
                // What is known of columns is a bound and may be less.
                search.rows[row] = search.rows[row].max(paid);
                search.is_alone[row] = search.rows[row] == search.most(row);
            }
        }
        search
    }

    /// The column of a row.
    pub(crate) fn partner(&self, row: usize) -> Option<usize> {
        Some(self.mate_of_row[row])
            .filter(|&column| column != NONE)
            .map(|column| column as usize)
    }

    /// What a row may pay at most.
    pub(super) fn most(&self, row: usize) -> D {
        self.alone.map_or(D::MAX, |alone| alone[row])
    }

    /// Gives every row a column, or leaves it alone; `must_end` is asked now and then. Paths may look at no more entries than
    /// `patience`.
    pub(crate) fn run(&mut self, patience: u64, mut must_end: impl FnMut(&Self) -> Option<Ends>) -> Ends {
        if let Some(end) = must_end(self) {
            return end;
        }
        self.bid();
        let is_left = |row: &usize| self.mate_of_row[*row] == NONE && !self.is_alone[*row];
        self.left = (0..self.rows.len()).filter(is_left).count();
        self.free = self.mate_of_column.iter().filter(|&&row| row == NONE).count();
        let most = self.work.saturating_add(patience);
        let mut next_look = self.work;
        for row in 0..self.rows.len() {
            if self.mate_of_row[row] != NONE || self.is_alone[row] {
                continue;
            }
            if self.work >= next_look {
                next_look = self.work + LOOKS;
                if let Some(end) = must_end(self) {
                    return end;
                }
            }
            if self.work > most {
                return Ends::Tired;
            }
            if !self.augment(row) {
                let rows = self.paths.tree.iter().map(|&(row, ..)| row).collect();
                return Ends::Stuck(rows, core::mem::take(&mut self.paths.columns));
            }
            self.left -= 1;
        }
        Ends::Done
    }

    /// Rows that are neither matched nor best alone.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Columns without a row.
    pub(crate) fn free(&self) -> usize {
        self.free
    }

    /// Lowers what a column pays.
    pub(super) fn lower(&mut self, column: usize, by: D) {
        self.columns[column] -= by;
        self.near.lowered(column, self.columns[column]);
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
            let width = self.columns.len();
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
                    self.work += self.near.reach_further(row as usize, times, &self.columns);
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
        if let Some(alone) = self.alone {
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
                let node = self.columns.len() + place;
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
            End::Column(column) => {
                self.free -= 1;
                column
            }
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
