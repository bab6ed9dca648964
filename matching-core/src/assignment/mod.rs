//! The assignment problem: shortest augmenting paths between two sides.
//!
//! - [`search`]: paths for rows that have no column, one after the other, and the duals that prove the answer;
//! - [`bids`]: most rows take a column at once before that, and raise its price by what they can;
//! - [`list`]: two sides of a list of edges, where staying alone has a price.
//!
//! What rows know of their columns is for others to say ([`Neighbours`]): all of them, or the best few and a floor under the rest
//! (`dense/two_sides`).

mod bids;
pub(crate) mod list;
mod search;

pub(crate) use search::{Ends, Search};

/// Stands for no row or column.
pub(crate) const NONE: u32 = u32::MAX;

/// A column, and what a row costs with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<D> {
    pub(crate) column: u32,
    pub(crate) weight: D,
}

/// What rows know of their columns.
pub(crate) trait Neighbours<D> {
    /// How many rows there are.
    fn rows(&self) -> usize;

    /// Columns of a row.
    fn of_row(&self, row: usize) -> &[Entry<D>];

    /// What a row pays at least for a column that is not among them, less what that column pays; [`Dual::MAX`](crate::engine::Dual::MAX)
    /// where there is none.
    fn floor(&self, row: usize) -> D;

    /// Looks for the best columns of a row at the present duals, so many of them; how many it has looked at.
    fn renew(&mut self, row: usize, wanted: usize) -> u64;

    /// Looks for columns beyond the floor, when that was done so many `times` before within one path; how many it has looked at.
    fn reach_further(&mut self, row: usize, times: u32, columns: &[D]) -> u64;

    /// A column pays only so much from now on.
    fn lowered(&mut self, column: usize, dual: D);
}
