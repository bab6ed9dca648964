//! All columns of each row.

use super::super::{Entry, Neighbours};
use crate::cost::CostValue;
use crate::edge_list::EdgeList;
use crate::engine::Dual;
use crate::error::Error;
use crate::reduction::Reduced;

/// Stands for a column whose place is not known yet.
const NOWHERE: u32 = u32::MAX;

/// Rows and columns of a list, and edges that may be worth their while.
#[derive(Debug)]
pub(super) struct Graph<D> {
    /// The vertices of rows and of columns.
    pub(super) rows: Vec<u32>,
    pub(super) columns: Vec<u32>,
    /// What each of them pays alone.
    pub(super) alone: Vec<D>,
    pub(super) caps: Vec<D>,
    entries: Vec<Entry<D>>,
    /// Where the columns of a row begin and end.
    spans: Vec<(u32, u32)>,
}

impl<D: Dual> Graph<D> {
    /// Edges that cost as much as both of their ends alone are left out: they are no better than that.
    ///
    /// # Errors
    /// A cost that the grid cannot hold.
    pub(super) fn new<V: CostValue>(
        edges: &EdgeList<V>,
        is_row: &[bool],
        reduced: &Reduced<'_, V>,
    ) -> Result<Self, Error> {
        let (rows, columns): (Vec<u32>, Vec<u32>) =
            (0..is_row.len() as u32).partition(|&vertex| is_row[vertex as usize]);
        let mut place = vec![NOWHERE; is_row.len()];
        for side in [&rows, &columns] {
            for (at, &vertex) in side.iter().enumerate() {
                place[vertex as usize] = at as u32;
            }
        }
        let prices = |side: &[u32]| -> Result<Vec<D>, Error> {
            let prices = side.iter().map(|&vertex| reduced.unmatched_cost(vertex as usize));
            prices.map(|price| Ok(D::from_i128(price?))).collect()
        };
        let (alone, caps) = (prices(&rows)?, prices(&columns)?);

        // Who of two is the row, and where both stand.
        let places = |u: u32, v: u32| {
            let (row, column) = if is_row[u as usize] { (u, v) } else { (v, u) };
            (place[row as usize] as usize, place[column as usize])
        };
        let mut spans = vec![(0, 0); rows.len()];
        for edge in edges.edges() {
            spans[places(edge.u, edge.v).0].1 += 1;
        }
        let mut next = 0;
        for span in &mut spans {
            let count = span.1;
            *span = (next, next);
            next += count;
        }
        let nothing = Entry {
            column: NOWHERE,
            weight: D::ZERO,
        };
        let mut entries = vec![nothing; edges.edges().len()];
        for edge in edges.edges() {
            let (row, column) = places(edge.u, edge.v);
            let weight = D::from_i128(reduced.reduced_cost(edge.weight)?);
            if weight < alone[row] + caps[column as usize] {
                entries[spans[row].1 as usize] = Entry { column, weight };
                spans[row].1 += 1;
            }
        }
        Ok(Self {
            rows,
            columns,
            alone,
            caps,
            entries,
            spans,
        })
    }

    /// Columns that some row may take, beyond as many as there are rows that may take one.
    pub(super) fn surplus(&self) -> u64 {
        let mut is_wanted = vec![false; self.columns.len()];
        let rows = self.spans.iter().filter(|(start, end)| start < end);
        let mut surplus = -(rows.count() as i64);
        for &(start, end) in &self.spans {
            for entry in &self.entries[start as usize..end as usize] {
                let is_known = core::mem::replace(&mut is_wanted[entry.column as usize], true);
                surplus += i64::from(!is_known);
            }
        }
        u64::try_from(surplus).unwrap_or(0)
    }
}

/// Nothing is beyond what a row knows.
impl<D: Dual> Neighbours<D> for &Graph<D> {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn of_row(&self, row: usize) -> &[Entry<D>] {
        let (start, end) = self.spans[row];
        &self.entries[start as usize..end as usize]
    }

    fn floor(&self, _row: usize) -> D {
        D::MAX
    }

    fn renew(&mut self, _row: usize, _wanted: usize) -> u64 {
        0
    }

    fn reach_further(&mut self, _row: usize, _times: u32, _columns: &[D]) -> u64 {
        0
    }

    fn lowered(&mut self, _column: usize, _dual: D) {}
}
