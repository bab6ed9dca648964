//! A table with what staying alone costs, solved from any duals of the columns.
//!
//! First paths lead from rows to columns that nobody has, whatever those pay. Where staying alone has prices, a column that is
//! left must pay its own in the end; from those that pay less, paths lead on the table with rows and columns in each other's
//! place, where a row that stays alone is a column that nobody has, and pays its price already. Neither kind of path makes
//! anything worse for the other, so that one turn is enough.

use super::super::parallel::Workers;
use super::near::{Near, Weight};
use super::table::Table;
use crate::assignment::{Ends, NONE, Neighbours, Search};
use crate::engine::Dual;
use crate::solution::StopReason;

/// What staying alone costs, where that is possible.
#[derive(Debug)]
pub(super) struct Terms<D> {
    /// The most that each row pays, and what it pays if it stays alone.
    pub(super) alone: Option<Vec<D>>,
    /// The same of each column; without that a column may be left whatever it pays.
    pub(super) caps: Option<Vec<D>>,
    /// One column stays alone, and no row.
    pub(super) has_bye: bool,
}

/// A problem in integers.
pub(super) struct Problem<'p, D> {
    pub(super) table: &'p Table,
    /// Bits that lanes lack.
    pub(super) down: u32,
    pub(super) weight: Weight<'p, D>,
    pub(super) terms: &'p Terms<D>,
    pub(super) workers: Workers,
}

/// What each row and column pays.
pub(super) struct Duals<'d, D> {
    pub(super) rows: &'d [D],
    pub(super) columns: &'d [D],
}

impl<D: Dual> Duals<'_, D> {
    /// What they pay in all; `None` if that is too much for a number.
    pub(super) fn total(&self) -> Option<i128> {
        let mut duals = self.rows.iter().chain(self.columns);
        duals.try_fold(0i128, |sum, &dual| sum.checked_add(dual.into()))
    }
}

/// How far a search is.
pub(super) struct Glance<'g, D> {
    pub(super) duals: Duals<'g, D>,
    /// Rows, or columns, that paths have to begin at.
    pub(super) left: usize,
    pub(super) work: u64,
}

impl<'g, D: Dual> Glance<'g, D> {
    /// Of a search whose rows, or columns, are those of the table.
    fn of<N: Neighbours<D>>(search: &Search<'_, D, N>, rows: &'g [D], columns: &'g [D]) -> Self {
        Self {
            duals: Duals { rows, columns },
            left: search.left(),
            work: search.work,
        }
    }
}

/// Who is asked now and then whether a search must end.
pub(super) type MustEnd<'m, D> = &'m mut dyn FnMut(&Glance<'_, D>) -> Option<StopReason>;

/// Duals with `rows + columns <= weight` on all pairs, equal where they are matched, and the column of each row.
pub(super) struct Standing<D> {
    pub(super) rows: Vec<D>,
    pub(super) columns: Vec<D>,
    partners: Vec<u32>,
    /// Entries looked at.
    pub(super) work: u64,
}

impl<D: Dual> Standing<D> {
    pub(super) fn duals(&self) -> Duals<'_, D> {
        Duals {
            rows: &self.rows,
            columns: &self.columns,
        }
    }

    /// The column of a row.
    pub(super) fn partner(&self, row: usize) -> Option<usize> {
        Some(self.partners[row])
            .filter(|&column| column != NONE)
            .map(|column| column as usize)
    }

    /// The row of each column.
    fn partners_of_columns(&self) -> Vec<u32> {
        inverse(&self.partners, self.columns.len())
    }

    /// Whether all columns have a row.
    pub(super) fn takes_all_columns(&self) -> bool {
        self.partners.iter().filter(|&&column| column != NONE).count() == self.columns.len()
    }
}

/// Who has whom, asked from the other side.
fn inverse(partners: &[u32], others: usize) -> Vec<u32> {
    let mut inverse = vec![NONE; others];
    for (at, &partner) in partners.iter().enumerate().filter(|(_, partner)| **partner != NONE) {
        inverse[partner as usize] = at as u32;
    }
    inverse
}

impl<D: Dual> Problem<'_, D> {
    /// Duals of the columns that are given in lanes, none above its price.
    pub(super) fn columns(&self, lanes: Vec<i64>) -> Vec<D> {
        let duals = lanes
            .into_iter()
            .map(|lane| D::from_i128(i128::from(lane) << self.down));
        match &self.terms.caps {
            None => duals.collect(),
            Some(caps) => duals.zip(caps).map(|(dual, &cap)| dual.min(cap)).collect(),
        }
    }

    /// Solves it, when so many entries have been looked at before; paths may look at no more than `patience`.
    pub(super) fn solve(
        &self,
        columns: Vec<D>,
        work: u64,
        patience: u64,
        must_end: MustEnd<'_, D>,
    ) -> (Standing<D>, Ends) {
        let near = Near::new(self.table, self.down, self.weight, &columns, self.workers);
        let mut search = Search::new(near, self.terms.alone.as_deref(), columns, work);
        let ends = search.run(patience, |search| {
            let glance = Glance::of(search, &search.rows, &search.columns);
            must_end(&glance).map(Ends::Stopped)
        });
        let standing = Standing {
            rows: search.rows,
            columns: search.columns,
            partners: search.mate_of_row,
            work: search.work,
        };
        match &self.terms.caps {
            Some(caps) if matches!(ends, Ends::Done) => {
                let patience = work.saturating_add(patience).saturating_sub(standing.work);
                self.raise_columns(standing, caps, patience, must_end)
            }
            _ => (standing, ends),
        }
    }

    /// Lets columns that nobody has pay their price, or finds them a row.
    fn raise_columns(
        &self,
        standing: Standing<D>,
        caps: &[D],
        patience: u64,
        must_end: MustEnd<'_, D>,
    ) -> (Standing<D>, Ends) {
        let partners = standing.partners_of_columns();
        let mut columns = partners.iter().zip(standing.columns.iter().zip(caps));
        if columns.all(|(&row, (dual, cap))| row != NONE || dual == cap) {
            return (standing, Ends::Done);
        }
        let table = self.table.turned();
        let weight = |column: usize, row: usize| (self.weight)(row, column);
        let near = Near::new(&table, self.down, &weight, &standing.rows, self.workers);
        let work = standing.work + table.entries();
        let duals = (standing.columns, standing.rows);
        let mut search = Search::resume(near, Some(caps), duals, &partners, work);
        let ends = search.run(patience, |search| {
            let glance = Glance::of(search, &search.columns, &search.rows);
            must_end(&glance).map(Ends::Stopped)
        });
        let standing = Standing {
            partners: inverse(&search.mate_of_row, search.columns.len()),
            rows: search.columns,
            columns: search.rows,
            work: search.work,
        };
        (standing, ends)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::lanes::FORBIDDEN;
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The least total of those rows from `row` on, with the columns that are not taken, by trying all.
    fn least(table: &Table, terms: &Terms<i64>, row: usize, taken: &mut Vec<bool>) -> i64 {
        let (alone, caps) = (terms.alone.as_ref().unwrap(), terms.caps.as_ref().unwrap());
        if row == table.rows() {
            let left = taken.iter().zip(caps).filter(|(is_taken, _)| !**is_taken);
            return left.map(|(_, cap)| cap).sum();
        }
        let mut best = alone[row] + least(table, terms, row + 1, taken);
        for column in 0..table.columns() {
            if table.row(row)[column] < FORBIDDEN && !core::mem::replace(&mut taken[column], true) {
                best = best.min(i64::from(table.row(row)[column]) + least(table, terms, row + 1, taken));
                taken[column] = false;
            }
        }
        best
    }

    /// What nobody can do better: duals that hold on all pairs, and a matching that costs as much as they add up to.
    fn assert_optimal(problem: &Problem<'_, i64>, found: &Standing<i64>) -> i64 {
        let (table, terms) = (problem.table, problem.terms);
        let (alone, caps) = (terms.alone.as_ref().unwrap(), terms.caps.as_ref().unwrap());
        assert!(found.rows.iter().zip(alone).all(|(paid, most)| paid <= most));
        assert!(found.columns.iter().zip(caps).all(|(paid, most)| paid <= most));
        let mut total: i64 = caps.iter().sum();
        for (row, &alone) in alone.iter().enumerate() {
            for column in 0..table.columns() {
                let lane = table.row(row)[column];
                assert!(lane >= FORBIDDEN || found.rows[row] + found.columns[column] <= lane.into());
            }
            total += match found.partner(row) {
                Some(column) => i64::from(table.row(row)[column]) - caps[column],
                None => alone,
            };
        }
        assert_eq!(found.duals().total(), Some(total.into()));
        total
    }

    #[test]
    fn any_duals_of_the_columns_lead_to_the_optimum() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut raised = 0;
        for _ in 0..4_000 {
            let (rows, columns) = (rng.random_range(1..5), rng.random_range(1..6));
            let most = 1 << rng.random_range(1..12);
            let lane = |_| match rng.random_bool(0.2) {
                true => FORBIDDEN,
                false => rng.random_range(0..most),
            };
            let table = Table::new((0..rows * columns).map(lane).collect(), columns);
            let mut prices = |count: usize, from: i64| -> Vec<i64> {
                (0..count).map(|_| rng.random_range(from..=i64::from(most))).collect()
            };
            let terms = Terms {
                alone: Some(prices(rows, -10)),
                caps: Some(
                    prices(columns, -10)
                        .into_iter()
                        .map(|price| price - i64::from(most))
                        .collect(),
                ),
                has_bye: false,
            };
            let problem = Problem {
                table: &table,
                down: 0,
                weight: &|row, column| table.row(row)[column].into(),
                terms: &terms,
                workers: Workers::choose(1, 1),
            };
            let given = (0..columns)
                .map(|_| -rng.random_range(0..=2 * i64::from(most)))
                .collect();
            let before = problem.columns(given);
            let (found, ends) = problem.solve(before.clone(), 0, u64::MAX, &mut |_| None);
            assert!(matches!(ends, Ends::Done));
            let expected = least(&table, &terms, 0, &mut vec![false; columns]);
            assert_eq!(assert_optimal(&problem, &found), expected);
            raised += usize::from(found.columns.iter().zip(&before).any(|(now, before)| now > before));
        }
        assert!(raised > 2_000, "{raised}");
    }
}
