//! The costs of a pool that changes: lanes for the passes, exact costs beside them where lanes lack bits.

use super::coarse::Coarse;
use super::lanes::{FORBIDDEN, LANE_BITS};
use super::rows::{Rows, excess_bits};

/// How costs become lanes: `(cost - least) >> down`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    pub(super) least: i64,
    pub(super) down: u32,
}

impl Scale {
    /// Room for costs from `low` to `high`, and for as much again on either side where that costs no bit.
    fn fit(low: i64, high: i64) -> Self {
        let range = high.abs_diff(low);
        let down = excess_bits(range.into());
        let room = ((1u128 << (LANE_BITS + down)) - 1 - u128::from(range)) / 2;
        let least = (i128::from(low) - room as i128).max(i64::MIN.into()) as i64;
        Self { least, down }
    }

    fn lane(self, cost: i64) -> i32 {
        (cost.wrapping_sub(self.least) as u64 >> self.down) as i32
    }

    /// The lane of a cost, or one beyond all others.
    pub(super) fn clamped(self, cost: i64) -> i32 {
        let lane = (i128::from(cost) - i128::from(self.least)) >> self.down;
        lane.clamp(-(1 << LANE_BITS), 1 << LANE_BITS) as i32
    }

    fn holds(self, cost: i64) -> bool {
        cost >= self.least && u128::from(cost.abs_diff(self.least)) >> self.down < 1 << LANE_BITS
    }
}

/// Entries of a row beyond a power of two: rows that lie a power of two apart share one set of a cache, and writing a
/// column would miss at each step.
const PADDING: usize = 16;

/// A symmetric matrix of costs that grows and shrinks.
#[derive(Clone, Debug)]
pub(super) struct PoolCosts {
    n: usize,
    stride: usize,
    lanes: Vec<i32>,
    /// Row by row with the same stride; empty while lanes tell all.
    exact: Vec<i64>,
    /// Lower bounds of the lanes, once duals are known.
    coarse: Option<Coarse>,
    scale: Scale,
    /// Least and greatest cost that was ever set since the scale was chosen.
    range: Option<(i64, i64)>,
    /// Costs set since it was last asked whether lanes could be finer.
    set: usize,
    /// Unordered pairs that are forbidden.
    forbidden: usize,
}

impl PoolCosts {
    pub(super) fn new() -> Self {
        Self {
            n: 0,
            stride: 0,
            lanes: Vec::new(),
            exact: Vec::new(),
            coarse: None,
            scale: Scale { least: 0, down: 0 },
            range: None,
            set: 0,
            forbidden: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.n
    }

    pub(super) fn scale(&self) -> Scale {
        self.scale
    }

    pub(super) fn range(&self) -> Option<(i64, i64)> {
        self.range
    }

    pub(super) fn is_complete(&self) -> bool {
        self.forbidden == 0
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        Rows::strided(&self.lanes, self.n, self.stride, self.coarse.as_ref())
    }

    /// Sees to it that there are lower bounds which tell duals of up to `most` half units of lanes apart.
    pub(super) fn coarsen(&mut self, most: i32) {
        if self.coarse.as_ref().is_none_or(|coarse| !coarse.suits(most)) {
            let least = self.range.map_or(0, |(least, _)| self.scale.lane(least));
            let row = |i: usize| &self.lanes[i * self.stride..][..self.n];
            self.coarse = Some(Coarse::new(self.n, row, least, most));
        }
    }

    /// Does without them.
    pub(super) fn forget_bounds(&mut self) {
        self.coarse = None;
    }

    /// Cost of a pair, `None` where it is forbidden.
    pub(super) fn get(&self, i: usize, j: usize) -> Option<i64> {
        let at = i * self.stride + j;
        let lane = self.lanes[at];
        if lane >= FORBIDDEN {
            return None;
        }
        Some(match self.exact.get(at) {
            Some(&exact) => exact,
            None => self.scale.least + i64::from(lane),
        })
    }

    /// Sets the cost of a pair.
    pub(super) fn set(&mut self, i: usize, j: usize, cost: Option<i64>) {
        if let Some(cost) = cost {
            self.admit(cost);
        }
        self.forbidden -= usize::from(self.lanes[i * self.stride + j] >= FORBIDDEN);
        self.forbidden += usize::from(cost.is_none());
        self.set += 1;
        self.write(i, j, cost);
    }

    fn write(&mut self, i: usize, j: usize, cost: Option<i64>) {
        let lane = cost.map_or(FORBIDDEN, |cost| self.scale.lane(cost));
        for at in [i * self.stride + j, j * self.stride + i] {
            self.lanes[at] = lane;
            if let Some(slot) = self.exact.get_mut(at) {
                *slot = cost.unwrap_or(0);
            }
        }
        if let Some(coarse) = &mut self.coarse
            && i != j
            && !coarse.set(i, j, lane)
        {
            self.coarse = None;
        }
    }

    /// Makes room for so many rows at once, and for a few more: what is there is copied once, and not twice as large as
    /// it need be.
    pub(super) fn reserve(&mut self, n: usize) {
        if n > self.stride {
            self.restride(n + PADDING);
        }
    }

    /// One more row and column, all forbidden.
    pub(super) fn push(&mut self) -> usize {
        let added = self.n;
        if added == self.stride {
            self.restride(2 * self.stride + PADDING);
        }
        self.n += 1;
        self.forbidden += added;
        if let Some(coarse) = &mut self.coarse {
            coarse.resize(self.n);
        }
        for j in 0..=added {
            self.write(added, j, None);
        }
        added
    }

    /// Takes a row and column away; the last ones take their place.
    pub(super) fn swap_remove(&mut self, i: usize) {
        let last = self.n - 1;
        self.forbidden -= (0..self.n).filter(|&j| j != i && self.get(i, j).is_none()).count();
        if i != last {
            let moved: Vec<Option<i64>> = (0..self.n).map(|j| self.get(last, j)).collect();
            for (j, &cost) in moved.iter().enumerate().take(last) {
                self.write(i, j, if j == i { None } else { cost });
            }
        }
        self.n = last;
        if let Some(coarse) = &mut self.coarse {
            coarse.resize(last);
        }
    }

    /// Makes sure that lanes can hold a cost.
    pub(super) fn admit(&mut self, cost: i64) {
        let (low, high) = match self.range {
            Some((low, high)) => (low.min(cost), high.max(cost)),
            None => (cost, cost),
        };
        self.range = Some((low, high));
        if !self.scale.holds(cost) || self.n == 0 {
            self.rescale(Scale::fit(low, high));
        }
    }

    /// Writes all lanes anew.
    fn rescale(&mut self, scale: Scale) {
        let before = self.clone_costs();
        self.scale = scale;
        self.coarse = None;
        self.exact.clear();
        if scale.down > 0 {
            self.exact.resize(self.stride * self.stride, 0);
        }
        for (i, row) in before.iter().enumerate() {
            for (j, &cost) in row.iter().enumerate() {
                self.write(i, j, cost);
            }
        }
    }

    /// Makes lanes finer again once the costs that made them coarse are gone; looks at all pairs once for as many that
    /// were set.
    pub(super) fn refine(&mut self) {
        let pairs = self.n * self.n.saturating_sub(1) / 2;
        if self.scale.down == 0 || self.set < pairs {
            return;
        }
        self.set = 0;
        if let Some((low, high)) = self.present_range() {
            let scale = Scale::fit(low, high);
            if scale.down < self.scale.down {
                self.range = Some((low, high));
                self.rescale(scale);
            }
        }
    }

    /// Forgets how far costs once reached, so that sums have the room that the present ones leave.
    pub(super) fn tighten(&mut self) {
        self.range = self.present_range();
        if let Some((low, high)) = self.range {
            let down = Scale::fit(low, high).down;
            self.rescale(Scale { least: low, down });
        }
    }

    /// Least and greatest cost of all pairs that are allowed.
    fn present_range(&self) -> Option<(i64, i64)> {
        let costs = || (0..self.n).flat_map(|i| (0..i).filter_map(move |j| self.get(i, j)));
        costs().min().zip(costs().max())
    }

    fn restride(&mut self, stride: usize) {
        let before = self.clone_costs();
        self.stride = stride;
        self.lanes = vec![FORBIDDEN; stride * stride];
        if !self.exact.is_empty() || self.scale.down > 0 {
            self.exact = vec![0; stride * stride];
        }
        for (i, row) in before.iter().enumerate() {
            for (j, &cost) in row.iter().enumerate() {
                self.write(i, j, cost);
            }
        }
    }

    /// What is left of the diagonal.
    fn clone_costs(&self) -> Vec<Vec<Option<i64>>> {
        (0..self.n).map(|i| (0..i).map(|j| self.get(i, j)).collect()).collect()
    }
}
