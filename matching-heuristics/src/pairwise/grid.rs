//! Costs of pairs of units as small integers.

use matching_core::{Cost, CostValue};

use super::scan::LANES;
use crate::error::Error;
use crate::layout::Layout;

/// What a unit pays in a group stays below this.
const MOST_GAIN: f64 = (1_u64 << 26) as f64;

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
    steps: f64,
    /// Standard deviation of the cost of a pair of units, in grid steps.
    spread: f64,
}

impl Grid {
    /// Reads all pairs once.
    ///
    /// # Errors
    /// [`Error::PairNotANumber`], [`Error::Asymmetric`], [`Error::CostOverflow`].
    pub(crate) fn new<V: CostValue>(cost: &dyn Cost<Value = V>, layout: &Layout) -> Result<Self, Error> {
        let n = layout.len;
        let range = Range::of(cost)?;
        let most = layout.bounds.iter().map(|bound| bound.1).max().unwrap_or(0);
        let largest = layout.size.iter().copied().max().unwrap_or(1);
        let penalty = range.penalty(f64::from(most));
        let steps = range.steps::<V>(penalty, f64::from(most + 1) * f64::from(largest));
        let penalty = (penalty * steps).ceil() as i32;
        let unit_of = layout.unit_of();
        let units = layout.units();
        let stride = units.next_multiple_of(LANES);
        let mut costs = vec![0_i32; units * stride];
        let mut inside = vec![0_i32; units];
        let mut row = vec![V::zero(); n];
        for i in 0..n {
            cost.fill_row(i, &mut row);
            let from = unit_of[i] as usize;
            for (j, value) in row.iter().enumerate().filter(|&(j, _)| j != i) {
                let to = unit_of[j] as usize;
                let entry = if cost.has_forbidden() && !cost.is_allowed(i, j) {
                    penalty
                } else {
                    (value.to_f64() * steps).round() as i32
                };
                if from == to {
                    inside[from] += if i < j { entry } else { 0 };
                } else {
                    costs[from * stride + to] += entry;
                }
            }
        }
        let spread = spread(&costs, units, stride);
        Ok(Self {
            costs,
            units,
            stride,
            inside,
            steps,
            spread,
        })
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

    /// Standard deviation of the cost of a pair of units, in grid steps.
    pub(crate) fn spread(&self) -> f64 {
        self.spread
    }

    /// A total of the grid in the cost's own numbers.
    pub(crate) fn in_costs(&self, total: i64) -> f64 {
        total as f64 / self.steps
    }
}

/// The allowed costs: least, greatest.
struct Range {
    least: f64,
    greatest: f64,
    is_forbidding: bool,
}

impl Range {
    /// Looks at every pair in both directions.
    fn of<V: CostValue>(cost: &dyn Cost<Value = V>) -> Result<Self, Error> {
        let n = cost.len();
        let mut range = Self {
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
            is_forbidding: cost.has_forbidden(),
        };
        for i in 0..n {
            for j in i + 1..n {
                let is_allowed = !range.is_forbidding || cost.is_allowed(i, j);
                if range.is_forbidding && cost.is_allowed(j, i) != is_allowed {
                    return Err(Error::Asymmetric { i, j });
                }
                if !is_allowed {
                    continue;
                }
                let value = cost.checked_pair(i, j).ok_or(Error::CostOverflow)?;
                if !value.is_number() {
                    return Err(Error::PairNotANumber { i, j });
                }
                if !cost.is_symmetric() && cost.checked_pair(j, i) != Some(value) {
                    return Err(Error::Asymmetric { i, j });
                }
                range.least = range.least.min(value.to_f64());
                range.greatest = range.greatest.max(value.to_f64());
            }
        }
        Ok(range)
    }

    fn width(&self) -> f64 {
        if self.least <= self.greatest {
            self.greatest - self.least
        } else {
            0.0
        }
    }

    /// What a forbidden pair costs: so much that no swap pays for one. A swap of two players changes fewer than four
    /// times `members` pairs.
    fn penalty(&self, members: f64) -> f64 {
        if self.is_forbidding {
            self.greatest.max(0.0) + 4.0 * members * self.width() + 1.0
        } else {
            0.0
        }
    }

    /// Steps in a unit of cost, such that a unit pays at most [`MOST_GAIN`] for `pairs` pairs. A power of two; one
    /// where integers fit as they are.
    fn steps<V: CostValue>(&self, penalty: f64, pairs: f64) -> f64 {
        let greatest = if self.least <= self.greatest {
            self.greatest.abs().max(self.least.abs())
        } else {
            0.0
        };
        let room = MOST_GAIN / (greatest.max(penalty) * pairs).max(f64::MIN_POSITIVE);
        if V::IS_INTEGER && room >= 1.0 {
            return 1.0;
        }
        2_f64.powi(room.log2().floor().clamp(-1000.0, 60.0) as i32)
    }
}

/// Standard deviation of the entries beside the diagonal.
fn spread(costs: &[i32], units: usize, stride: usize) -> f64 {
    let pairs = (units * units.saturating_sub(1)) as f64;
    if pairs == 0.0 {
        return 0.0;
    }
    let mean = costs.iter().map(|&cost| f64::from(cost)).sum::<f64>() / pairs;
    let squares = costs.iter().map(|&cost| (f64::from(cost) - mean).powi(2)).sum::<f64>();
    // The diagonal and what lies behind the last unit were counted as zeros.
    let zeros = (units * (stride - units + 1)) as f64;
    ((squares - zeros * mean * mean).max(0.0) / pairs).sqrt()
}
