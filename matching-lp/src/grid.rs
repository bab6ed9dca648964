//! From costs to integers, and back.
//!
//! Integer costs are taken as they are. Floats become multiples of a power of two: exactly where their digits leave
//! room for totals, else rounded to the finest grid that does, and then results say so.

use matching_core::{Cost, CostValue};
use num_traits::float::FloatCore;

use crate::error::Error;
use crate::problem::Problem;

/// Bits a total may have, so that duals in [`crate::model::SCALE_BITS`] more, and sums of some of them, fit 64.
const TOTAL_BITS: u32 = 40;

/// `cost = units * 2^exponent`, exactly or rounded to the nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    exponent: i32,
    /// Whether no cost was rounded.
    pub(crate) is_exact: bool,
}

/// What was seen of the costs.
#[derive(Default)]
struct Digits {
    finest: Option<i32>,
    largest: f64,
}

impl Digits {
    fn include(&mut self, value: f64) {
        if value == 0.0 {
            return;
        }
        let (mantissa, exponent, _) = FloatCore::integer_decode(value);
        let finest = i32::from(exponent) + mantissa.trailing_zeros() as i32;
        self.finest = Some(self.finest.map_or(finest, |before| before.min(finest)));
        self.largest = self.largest.max(value.abs());
    }
}

impl Grid {
    /// Reads all allowed pairs once.
    ///
    /// # Errors
    /// [`Error::PairNotANumber`], [`Error::Asymmetric`], [`Error::CostOverflow`].
    pub(crate) fn new<V: CostValue>(problem: &Problem<'_, V>) -> Result<Self, Error> {
        let cost = problem.cost();
        let n = problem.len();
        let mut digits = Digits::default();
        for i in 0..n {
            for j in i + 1..n {
                if let Some(value) = checked_pair(cost, i, j)? {
                    digits.include(value.to_f64());
                }
            }
        }
        for &value in problem.waiting() {
            digits.include(value.to_f64());
        }
        let most_pairs: f64 = (0..problem.groups().len())
            .map(|group| *problem.groups().bounds(group).end().min(&n) as f64)
            .map(|size| size * (size - 1.0) / 2.0)
            .sum();
        let total = digits.largest * (most_pairs + n as f64);
        // One bit more, for rounding.
        let bits = if total > 0.0 {
            total.log2().floor() as i32 + 2
        } else {
            0
        };
        if V::IS_INTEGER {
            return if bits <= TOTAL_BITS as i32 {
                Ok(Self {
                    exponent: 0,
                    is_exact: true,
                })
            } else {
                Err(Error::CostOverflow)
            };
        }
        if !total.is_finite() {
            return Err(Error::CostOverflow);
        }
        let coarsest_needed = bits - TOTAL_BITS as i32;
        let finest = digits.finest.unwrap_or(0);
        Ok(Self {
            exponent: finest.max(coarsest_needed),
            is_exact: finest >= coarsest_needed,
        })
    }

    /// A cost on the grid.
    pub(crate) fn units<V: CostValue>(&self, value: V) -> i64 {
        match value.to_integer() {
            // It fits: the largest cost was looked at.
            Some(integer) => integer as i64,
            None => {
                let half = -self.exponent / 2;
                (value.to_f64() * 2f64.powi(half) * 2f64.powi(-self.exponent - half)).round() as i64
            }
        }
    }

    /// A bound on the grid as one in the cost's own numbers, where `terms` costs may each have been rounded by half a step.
    pub(crate) fn lower_bound<V: CostValue>(&self, units: i64, terms: usize) -> V::Total {
        let slack = if self.is_exact { 0.0 } else { terms as f64 / 2.0 };
        V::Total::total_from(i128::from(units), || {
            let half = self.exponent / 2;
            (units as f64 - slack) * 2f64.powi(half) * 2f64.powi(self.exponent - half)
        })
    }
}

/// The cost of a pair of different players, `None` where it is forbidden.
///
/// # Errors
/// [`Error::PairNotANumber`], [`Error::Asymmetric`], [`Error::CostOverflow`].
pub(crate) fn checked_pair<V: CostValue>(cost: &dyn Cost<Value = V>, i: usize, j: usize) -> Result<Option<V>, Error> {
    let is_allowed = !cost.has_forbidden() || cost.is_allowed(i, j);
    if !cost.is_symmetric() && cost.has_forbidden() && is_allowed != cost.is_allowed(j, i) {
        return Err(Error::Asymmetric { i, j });
    }
    if !is_allowed {
        return Ok(None);
    }
    let value = cost.checked_pair(i, j).ok_or(Error::CostOverflow)?;
    if !value.is_number() {
        return Err(Error::PairNotANumber { i, j });
    }
    if !cost.is_symmetric() && cost.checked_pair(j, i) != Some(value) {
        return Err(Error::Asymmetric { i, j });
    }
    Ok(Some(value))
}
