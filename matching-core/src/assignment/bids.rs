//! Rows that take their best column at once, and let it pay what they would lose without it.

use super::search::Search;
use super::{NONE, Neighbours};
use crate::engine::Dual;

/// Bids for each row; what is left then is left to paths.
const BIDS: usize = 8;

impl<D: Dual, N: Neighbours<D>> Search<'_, D, N> {
    /// The augmenting row reduction of R. Jonker and A. Volgenant, "A shortest augmenting path algorithm for dense and sparse
    /// linear assignment problems", Computing 38 (1987), doi:10.1007/BF02278710: whoever bids gets his best column, which from
    /// then on pays as much less as makes it no better than his second best. Whoever had it bids next.
    pub(super) fn bid(&mut self) {
        let is_left = |row: &u32| self.mate_of_row[*row as usize] == NONE && !self.is_alone[*row as usize];
        let mut waiting: Vec<u32> = (0..self.rows.len() as u32).filter(is_left).rev().collect();
        let mut left = BIDS * waiting.len();
        while let Some(row) = waiting.pop() {
            if left == 0 {
                return;
            }
            left -= 1;
            waiting.extend(self.bid_of(row as usize));
        }
    }

    /// Lets a row bid, and says who has lost a column by that. A row stays without one where all of its best ones are taken.
    fn bid_of(&mut self, row: usize) -> Option<u32> {
        let (column, best, second) = self.best_two(row)?;
        let alone = self.most(row);
        if alone <= best {
            self.rows[row] = alone;
            self.is_alone[row] = true;
            return None;
        }
        let second = second.min(alone);
        if second == D::MAX {
            // The only column there is: how much it matters only a path can tell.
            self.rows[row] = best;
            if self.mate_of_column[column] == NONE {
                self.couple(row, column);
            }
            return None;
        }
        self.rows[row] = second;
        if second > best {
            self.lower(column, second - best);
        } else if self.mate_of_column[column] != NONE {
            let entries = self.near.of_row(row).iter();
            let mut tight = entries.filter(|entry| entry.weight - self.columns[entry.column as usize] == best);
            let free = tight.find(|entry| self.mate_of_column[entry.column as usize] == NONE)?;
            self.couple(row, free.column as usize);
            return None;
        }
        let before = self.mate_of_column[column];
        self.couple(row, column);
        if before == NONE {
            return None;
        }
        self.mate_of_row[before as usize] = NONE;
        Some(before)
    }

    /// The best column of a row, what it costs there beside what the column pays, and at least what it costs elsewhere. `None` if
    /// there is no column.
    fn best_two(&mut self, row: usize) -> Option<(usize, D, D)> {
        let mut is_fresh = false;
        loop {
            let mut best = (D::MAX, NONE);
            let mut second = self.near.floor(row);
            let entries = self.near.of_row(row);
            self.work += entries.len() as u64;
            for entry in entries {
                let paid = entry.weight - self.columns[entry.column as usize];
                if paid < best.0 {
                    second = second.min(best.0);
                    best = (paid, entry.column);
                } else {
                    second = second.min(paid);
                }
            }
            let floor = self.near.floor(row);
            let wanted = entries.len();
            if best.0 <= floor && (is_fresh || second < floor || floor == best.0 || floor == D::MAX) {
                return (best.1 != NONE).then_some((best.1 as usize, best.0, second));
            }
            self.work += match is_fresh {
                false => self.near.renew(row, wanted),
                // Many columns are as good, as far as floors tell: all of them.
                true => self.near.reach_further(row, 0, &self.columns),
            };
            is_fresh = true;
        }
    }
}
