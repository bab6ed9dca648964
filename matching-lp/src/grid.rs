//! From costs to integers, and back.
//!
//! Integer costs are taken as they are. Floats become multiples of a power of two: exactly where their digits leave
//! room for totals, else rounded to the finest grid that does, and then results say so.

use matching_core::{Cost, CostValue};
use num_traits::float::FloatCore;

use crate::error::{Error, Overflow};
use crate::model::Model;
use crate::problem::Problem;
use crate::random::draw;
use crate::terms::checked_group;

/// Bits a total may have, so that duals in [`crate::model::SCALE_BITS`] more, and sums of some of them, fit 64.
pub(crate) const TOTAL_BITS: u32 = 40;

/// Stands for the bound of a total of which nothing is known.
pub(crate) const NOTHING: i64 = i64::MIN;

/// The same in a cost's own numbers: the least there is.
pub(crate) fn nothing<V: CostValue>() -> V::Total {
    V::Total::total_from(i128::MIN, || f64::NEG_INFINITY)
}

/// Groups that are asked for what they cost before the grid is chosen.
const SAMPLES: usize = 500;

/// Groups that were not looked at may cost so many times what those did; beyond that the grid is made coarser.
const ROOM: f64 = 8.0;
/// Floats are below two to this.
const FLOAT_BITS: f64 = 1024.0;
/// No step is larger than two to this, so that it is a float.
const COARSEST: i32 = 1023;

/// `cost = units * 2^exponent`, exactly or rounded to the nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    exponent: i32,
    /// The last binary digit of any cost that was looked at; 0 for integers.
    finest: i32,
    /// Whether no cost was rounded.
    pub(crate) is_exact: bool,
    /// How often its steps were doubled for groups that were not looked at when it was chosen.
    pub(crate) doublings: u32,
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
        let n = problem.len();
        let pairs = Pairs::of(problem.cost());
        let mut digits = Digits::default();
        for i in 0..n {
            for j in i + 1..n {
                match pairs.checked(i, j)? {
                    // Of integers only the size counts.
                    Some(value) if V::IS_INTEGER => digits.largest = digits.largest.max(value.to_f64().abs()),
                    Some(value) => digits.include(value.to_f64()),
                    None => {}
                }
            }
        }
        (0..n).for_each(|player| digits.include(problem.waiting(player).to_f64()));
        let of_groups = if V::IS_INTEGER {
            0.0
        } else {
            Self::of_groups(problem, &mut digits)?
        };
        let pairs = |players: usize| players as f64 * (players as f64 - 1.0) / 2.0;
        let most_pairs: f64 = (0..problem.groups().len())
            .map(|group| pairs(*problem.groups().bounds(group).end().min(&n)))
            .sum();
        // However many groups there are, players meet once.
        let most_pairs = most_pairs.min(pairs(n));
        let total = digits.largest * (most_pairs + n as f64) + of_groups;
        // One bit more, for rounding.
        let bits = if total > 0.0 {
            total.log2().min(FLOAT_BITS).floor() as i32 + 2
        } else {
            0
        };
        if !total.is_finite() || (V::IS_INTEGER && bits > TOTAL_BITS as i32) {
            return Err(Error::CostOverflow(Overflow::Total { bits: bits as u32 }));
        }
        if V::IS_INTEGER {
            return Ok(Self {
                exponent: 0,
                finest: 0,
                is_exact: true,
                doublings: 0,
            });
        }
        let nothing = if problem.group_costs().is_empty() { 0 } else { -20 };
        let finest = digits.finest.unwrap_or(nothing);
        let coarsest_needed = bits - TOTAL_BITS as i32;
        Ok(Self {
            exponent: finest.max(coarsest_needed),
            finest,
            is_exact: finest >= coarsest_needed,
            doublings: 0,
        })
    }

    /// With steps of `2^doublings` times the size.
    pub(crate) fn coarser(self, doublings: u32) -> Self {
        let exponent = self.exponent.saturating_add_unsigned(doublings).min(COARSEST);
        Self {
            exponent,
            is_exact: self.is_exact && exponent <= self.finest,
            doublings: self.doublings.saturating_add(doublings),
            ..self
        }
    }

    /// How much coarser it must be for a group that costs so much, where none may cost more than `most` steps, with as
    /// much room to spare as for the groups that were looked at. `None` if no float is so large.
    pub(crate) fn doublings(&self, cost: f64, most: i64) -> Option<u32> {
        let needed = cost.abs().log2() + ROOM.log2() - (most as f64).log2() - f64::from(self.exponent);
        let doublings = needed.ceil().max(1.0);
        (f64::from(self.exponent) + doublings <= f64::from(COARSEST)).then_some(doublings as u32)
    }

    /// How much float costs of whole groups may add up to, by what some groups cost that fit all wishes, with much room
    /// to spare: there are too many to ask for all. Digits of the largest go to `digits`.
    fn of_groups<V: CostValue>(problem: &Problem<'_, V>, digits: &mut Digits) -> Result<f64, Error> {
        let n = problem.len();
        let model = Model::of_all_wishes(problem)?;
        let mut seen = Digits::default();
        let mut state = 0;
        let mut units: Vec<u16> = (0..model.len() as u16).collect();
        for group in 0..problem.groups().len().min(SAMPLES) {
            let class = model.class_of_group[group];
            for _ in 0..SAMPLES.div_ceil(problem.groups().len()) {
                for at in 0..units.len() {
                    let other = at + draw(&mut state, model.len() - at);
                    units.swap(at, other);
                }
                let Some(team) = model.some_team(&units, class, |choices| draw(&mut state, choices)) else {
                    continue;
                };
                for cost in problem.group_costs() {
                    if let Some(value) = checked_group(*cost, &model.players(&team))? {
                        seen.include(value.to_f64());
                    }
                }
            }
        }
        if let Some(finest) = seen.finest {
            digits.finest = Some(digits.finest.map_or(finest, |before| before.min(finest)));
        }
        let filled = problem.groups().len().min(n);
        Ok(seen.largest * ROOM * (filled * problem.group_costs().len()) as f64)
    }

    /// A cost on the grid, rounded down.
    pub(crate) fn floor<V: CostValue>(&self, value: V) -> i64 {
        match value.to_integer() {
            Some(integer) => integer.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64,
            None => self.steps(value.to_f64()).floor() as i64,
        }
    }

    /// Whether a cost is a multiple of the step.
    pub(crate) fn is_on_it<V: CostValue>(&self, value: V) -> bool {
        V::IS_INTEGER || self.steps(value.to_f64()).fract() == 0.0
    }

    /// Where results cannot be exact.
    pub(crate) fn inexact(self) -> Self {
        Self {
            is_exact: false,
            ..self
        }
    }

    /// A cost in steps, exactly; one that is below the least float in steps is that float, with its sign.
    fn steps(&self, value: f64) -> f64 {
        let half = -self.exponent / 2;
        let steps = value * 2f64.powi(half) * 2f64.powi(-self.exponent - half);
        // Zero would be on the grid, and nothing of it rounded.
        if steps == 0.0 && value != 0.0 {
            f64::MIN_POSITIVE.copysign(value)
        } else {
            steps
        }
    }

    /// A cost on the grid.
    pub(crate) fn units<V: CostValue>(&self, value: V) -> i64 {
        match value.to_integer() {
            // It fits: the largest cost was looked at.
            Some(integer) => integer as i64,
            None => self.steps(value.to_f64()).round() as i64,
        }
    }

    /// A bound on the grid as one in the cost's own numbers, where `terms` costs may each have been rounded by half a
    /// step. [`NOTHING`] becomes the least there is.
    pub(crate) fn lower_bound<V: CostValue>(&self, units: i64, terms: usize) -> V::Total {
        if units == NOTHING {
            return nothing::<V>();
        }
        let slack = if self.is_exact { 0.0 } else { terms as f64 / 2.0 };
        V::Total::total_from(i128::from(units), || {
            let half = self.exponent / 2;
            (units as f64 - slack) * 2f64.powi(half) * 2f64.powi(self.exponent - half)
        })
    }
}

/// The costs of pairs of different players.
pub(crate) struct Pairs<'c, V> {
    cost: &'c dyn Cost<Value = V>,
    has_forbidden: bool,
    is_symmetric: bool,
}

impl<'c, V: CostValue> Pairs<'c, V> {
    pub(crate) fn of(cost: &'c dyn Cost<Value = V>) -> Self {
        Self {
            cost,
            has_forbidden: cost.has_forbidden(),
            is_symmetric: cost.is_symmetric(),
        }
    }

    /// `None` where the pair is forbidden.
    ///
    /// # Errors
    /// [`Error::PairNotANumber`], [`Error::Asymmetric`], [`Error::CostOverflow`].
    pub(crate) fn checked(&self, i: usize, j: usize) -> Result<Option<V>, Error> {
        let cost = self.cost;
        let is_allowed = !self.has_forbidden || cost.is_allowed(i, j);
        if !self.is_symmetric && self.has_forbidden && is_allowed != cost.is_allowed(j, i) {
            return Err(Error::Asymmetric { i, j });
        }
        if !is_allowed {
            return Ok(None);
        }
        let Some(value) = cost.checked_pair(i, j) else {
            return Err(Error::CostOverflow(Overflow::Pair { i, j }));
        };
        if !value.is_number() {
            return Err(Error::PairNotANumber { i, j });
        }
        if !self.is_symmetric && cost.checked_pair(j, i) != Some(value) {
            return Err(Error::Asymmetric { i, j });
        }
        Ok(Some(value))
    }
}

#[cfg(test)]
mod tests;
