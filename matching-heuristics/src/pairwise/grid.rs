//! Costs of pairs of units as small integers.

use std::sync::Arc;

use matching_core::{Cost, CostValue};

use super::narrow::NarrowGrid;
use super::scale::{Moments, Range, Scale, difference, is_flexible};
use super::scan::LANES;
use crate::error::Error;
use crate::layout::Layout;

/// Costs between units, on a grid such that sums over a group are far from the limits of `i32`.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    costs: Vec<i32>,
    units: usize,
    /// Entries of a row: whole vectors, with zeros behind the last unit.
    stride: usize,
    /// What the pairs inside each unit cost.
    inside: Vec<i32>,
    /// Grid steps in a unit of cost.
    scale: Scale,
    /// What every grouping costs and no entry says.
    common: f64,
    /// Standard deviation of the cost of a pair of units that may be together, in grid steps.
    spread: f64,
    /// The same for all pairs, forbidden ones at their penalty; where groups may grow and costs draw them together,
    /// what a pair costs less than nothing counts in full.
    reach: f64,
    /// Whether two units, or the members of one, must be apart; empty where nobody must.
    is_apart: Vec<bool>,
    /// Pairs that a grouping has at most in groups that cost something.
    pairs: f64,
    /// The same costs in 16 bits, where that is enough.
    narrow: Option<Arc<NarrowGrid>>,
}

impl Grid {
    /// Reads all pairs once. `None` if it was cancelled on the way.
    ///
    /// # Errors
    /// [`Error::PairNotANumber`], [`Error::Asymmetric`], [`Error::CostOverflow`], [`Error::OutOfMemory`].
    pub(crate) fn new<V: CostValue>(
        cost: &dyn Cost<Value = V>,
        layout: &Layout,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, Error> {
        let n = layout.len;
        let Some(range) = Range::of(cost, is_cancelled)? else {
            return Ok(None);
        };
        let common = range.common(layout);
        let (scale, penalty) = range.without(common).scale::<V>(layout);
        let above = |value: V| common.map_or_else(|| value.to_f64(), |common| difference(value, common));
        let unit_of = layout.unit_of();
        let units = layout.units();
        let stride = units.next_multiple_of(LANES);
        let mut costs = Vec::new();
        costs
            .try_reserve_exact(units * stride)
            .map_err(|_| Error::OutOfMemory {
                bytes: (units * stride * size_of::<i32>()) as u64,
                limit: None,
            })?;
        let mut grid = Self {
            costs,
            units,
            stride,
            inside: vec![0; units],
            scale,
            common: common.map_or(0.0, |common| common.to_f64() * pairs_in_groups(layout)),
            spread: 0.0,
            reach: 0.0,
            is_apart: vec![false; if cost.has_forbidden() { units * stride } else { 0 }],
            pairs: pairs_in_groups(layout).min(n as f64 * n as f64 / 2.0),
            narrow: None,
        };
        let mut row = vec![V::zero(); n];
        for i in 0..n {
            if is_cancelled() {
                return Ok(None);
            }
            cost.fill_row(i, &mut row);
            let from = unit_of[i] as usize;
            // Row by row, as to clear memory that the system has yet to find may take longer than anybody waits who has
            // cancelled.
            grid.costs.resize(grid.costs.len().max((from + 1) * stride), 0);
            for (j, value) in row.iter().enumerate().filter(|&(j, _)| j != i) {
                let to = unit_of[j] as usize;
                let entry = if cost.has_forbidden() && !cost.is_allowed(i, j) {
                    grid.is_apart[from * stride + to] = true;
                    penalty
                } else {
                    scale.apply(above(*value)).round() as i32
                };
                if from == to {
                    grid.inside[from] += if i < j { entry } else { 0 };
                } else {
                    grid.costs[from * stride + to] += entry;
                }
            }
        }
        let is_whole = grid.measure(is_flexible(layout), is_cancelled);
        if !is_whole {
            return Ok(None);
        }
        if !cost.has_forbidden() {
            let row = |unit: usize| grid.row(unit as u32);
            grid.narrow = NarrowGrid::new(row, layout, is_cancelled).map(Arc::new);
        }
        Ok(Some(grid))
    }

    /// What costs vary by. `false` if it was cancelled on the way.
    fn measure(&mut self, is_flexible: bool, is_cancelled: &dyn Fn() -> bool) -> bool {
        let (mut allowed, mut all) = (Moments::default(), Moments::default());
        for i in 0..self.units {
            if is_cancelled() {
                return false;
            }
            for at in i * self.stride..i * self.stride + i {
                let cost = f64::from(self.costs[at]);
                all.count(cost);
                if !self.is_apart.get(at).copied().unwrap_or(false) {
                    allowed.count(cost);
                }
            }
        }
        // Where costs draw everybody together and groups may grow, a move of one unit changes more than a swap.
        let drawn = if is_flexible { allowed.mean().min(0.0) } else { 0.0 };
        self.spread = allowed.variance().sqrt();
        self.reach = (all.variance() + drawn * drawn).sqrt();
        true
    }

    /// Costs of a unit with every other, and 0 with itself and behind the last.
    #[inline(always)]
    pub(crate) fn row(&self, unit: u32) -> &[i32] {
        &self.costs[unit as usize * self.stride..][..self.stride]
    }

    /// Entries of a row: the units, made up to whole vectors.
    #[inline(always)]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Number of units.
    pub(crate) fn units(&self) -> usize {
        self.units
    }

    /// What the pairs inside each unit cost.
    pub(crate) fn inside(&self) -> &[i32] {
        &self.inside
    }

    /// Standard deviation of the cost of a pair of units that may be together, in grid steps.
    pub(crate) fn spread(&self) -> f64 {
        self.spread
    }

    /// What the cost of a pair varies by at most: with what is forbidden, and between none and one.
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// Whether walks are by swaps alone, in 16 bits, and so much faster.
    pub(crate) fn is_narrow(&self) -> bool {
        self.narrow.is_some()
    }

    /// The same costs in 16 bits, where that is enough.
    pub(super) fn narrow(&self) -> Option<&Arc<NarrowGrid>> {
        self.narrow.as_ref()
    }

    /// Whether these units may be in one group.
    pub(crate) fn are_allowed(&self, units: &[u32]) -> bool {
        let are_apart = |one: u32, other: u32| self.is_apart[one as usize * self.stride + other as usize];
        self.is_apart.is_empty()
            || (0..units.len()).all(|at| units[at..].iter().all(|&other| !are_apart(units[at], other)))
    }

    /// By how much a total in the cost's own numbers may be wrong: half a step a pair, and what floats leave.
    pub(crate) fn rounding(&self, total: i64) -> f64 {
        let floats = (self.in_costs(total).abs() + self.common.abs()) * 4.0 * f64::EPSILON;
        self.scale.undo(self.pairs / 2.0) + floats
    }

    /// A total of the grid in the cost's own numbers. One near the greatest float may be rounded beyond it, where its
    /// rounding would be no number either.
    pub(crate) fn in_costs(&self, total: i64) -> f64 {
        (self.scale.undo(total as f64) + self.common).clamp(f64::MIN, f64::MAX)
    }
}

/// Number of pairs in groups that cost something, where their sizes are fixed.
fn pairs_in_groups(layout: &Layout) -> f64 {
    let members = layout.bounds[..layout.costly()].iter().map(|bound| f64::from(bound.1));
    members.map(|members| members * (members - 1.0) / 2.0).sum()
}
