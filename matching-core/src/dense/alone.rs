//! One copy of a pool in place of two: what vertices cost alone bounds what a pair of them costs, forbidden or not.

use super::lanes::{FORBIDDEN, LANE_BITS};
use super::parallel::Workers;
use super::read::Facts;
use super::rows::{RowSource, Rows};
use crate::blossom::Objective;
use crate::cost::CostValue;
use crate::reduction::Reduced;

/// Where more than one pair in so many is forbidden or not worth it, many vertices stay alone, whom links of two copies
/// match sooner.
const FEW: usize = 8;
/// Rows that are looked at to find out.
const ROWS: usize = 32;
/// Bytes of an entry.
const LANE_BYTES: usize = size_of::<i32>();

/// One copy of a pool where two would be asked for.
pub(super) struct Fold<'t, V: CostValue> {
    pub(super) reduced: Reduced<'t, V>,
    /// What bounds the costs of pairs, where that is to be looked at.
    pub(super) alone: Option<Alone>,
}

impl<'t, V: CostValue> Fold<'t, V> {
    /// `None` where there is one copy anyway, or two are better.
    pub(super) fn choose(
        reduced: &Reduced<'t, V>,
        objective: &Objective<V>,
        rows: &Rows<'_>,
        facts: &Facts,
        least_of_rows: i128,
    ) -> Option<Self> {
        let (low, high) = facts.range;
        if facts.is_complete(rows.len())
            && let Some(reduced) = reduced.folded_complete(low, high)
        {
            return Some(Self { reduced, alone: None });
        }
        // What is forbidden would cost more than lanes hold where as many pairs as possible are asked for.
        let reduced = reduced.folded().filter(|_| !objective.must_pair())?;
        let alone = Alone::of(&reduced, rows, least_of_rows, facts.down)?;
        Some(Self {
            reduced,
            alone: Some(alone),
        })
    }
}

/// What each vertex costs alone, where two that stay alone are a pair ([`Reduced::folded`]).
#[derive(Debug)]
pub(super) struct Alone {
    costs: Vec<i128>,
    /// By how much a pair of two like it exceeds the least of all costs, in lanes, as far as it matters.
    lanes: Vec<i32>,
}

impl Alone {
    /// `None` where that is not worth it, or some pair alone costs less than every pair that is together.
    fn of<V: CostValue>(reduced: &Reduced<'_, V>, rows: &Rows<'_>, least_of_rows: i128, down: u32) -> Option<Self> {
        let costs = (0..reduced.len()).map(|v| reduced.unmatched_cost(v).ok());
        let costs: Vec<i128> = costs.collect::<Option<_>>()?;
        let lanes = costs.iter().map(|cost| {
            let excess = cost.checked_mul(2)?.checked_sub(least_of_rows)?;
            (excess >= 0).then(|| (excess >> down).min((1 << LANE_BITS) - 1) as i32)
        });
        let lanes = lanes.collect::<Option<_>>()?;
        let alone = Self { costs, lanes };
        alone.bounds_few(rows).then_some(alone)
    }

    /// Whether few pairs of some rows would be bounded.
    fn bounds_few(&self, rows: &Rows<'_>) -> bool {
        let n = rows.len();
        let (mut bounded, mut scratch) = (0, Vec::new());
        for i in (0..ROWS).map(|sample| sample * n / ROWS) {
            let row = rows.row(i, &mut scratch);
            let others = (0..n).filter(|&j| j != i);
            bounded += others.filter(|&j| rows.form().lane(row[j]) > self.lane(i, j)).count();
        }
        bounded * FEW <= ROWS * n
    }

    /// What two vertices that stay alone cost.
    #[inline]
    pub(super) fn pair(&self, u: usize, v: usize) -> i128 {
        self.costs[u] + self.costs[v]
    }

    /// The dearest of such pairs.
    pub(super) fn greatest(&self) -> i128 {
        self.costs.iter().fold(i128::MIN, |most, &cost| most.max(2 * cost))
    }

    /// The lane of such a pair, or less, which prices less out: half of what two of either exceed the least by.
    #[inline(always)]
    fn lane(&self, u: usize, v: usize) -> i32 {
        (self.lanes[u] + self.lanes[v]) >> 1
    }
}

/// Rows with nothing dearer than a pair that is alone, and nothing forbidden.
pub(super) struct Bounded<'r> {
    rows: &'r Rows<'r>,
    alone: &'r Alone,
}

impl<'r> Bounded<'r> {
    /// What makes them of `rows`, whose [`kept`](Rows::take_kept) part may be gone.
    pub(super) fn new(rows: &'r Rows<'r>, alone: &'r Alone) -> Self {
        Self { rows, alone }
    }

    /// The rows: those kept in memory where they lie, of a matrix in memory a copy, as far as `memory` has room for it.
    pub(super) fn rows(&self, kept: Option<Vec<i32>>, memory: usize, workers: Workers) -> Rows<'_> {
        let n = self.rows.len();
        let data = match kept {
            Some(mut data) => {
                workers.for_rows(&mut data, n, || (), |(), i, lanes| self.bound(i, lanes));
                data
            }
            None => {
                let mut data = vec![0; (memory / (LANE_BYTES * n)).min(n) * n];
                workers.for_rows(&mut data, n, || (), |(), i, out| self.fill(i, out));
                data
            }
        };
        Rows::owned(data, n, Some(self))
    }

    /// Lowers the lanes of a row.
    fn bound(&self, i: usize, row: &mut [i32]) {
        let lanes = &self.alone.lanes;
        for (lane, &other) in row.iter_mut().zip(lanes) {
            *lane = (*lane).min((lanes[i] + other) >> 1);
        }
        row[i] = FORBIDDEN;
    }
}

impl RowSource for Bounded<'_> {
    fn fill(&self, i: usize, out: &mut [i32]) {
        let mut scratch = Vec::new();
        let form = self.rows.form();
        for (lane, &entry) in out.iter_mut().zip(self.rows.row(i, &mut scratch)) {
            *lane = form.lane(entry);
        }
        self.bound(i, out);
    }
}
