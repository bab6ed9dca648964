//! A proof that a policy is the best, or how far from it it may be.
//!
//! For any function `h` of the states, no policy costs less per step than the least `cost + sum of p(j) (h(j) - h(i))`
//! over all states and actions, and a policy costs at most the largest one over its own actions: the sums of these
//! numbers along a path are its cost, but for `h` at its two ends.
//!
//! Reference: A. Odoni, "On finding the maximal gain for Markov decision processes", Operations Research 17 (1969),
//! 857-860, doi:10.1287/opre.17.5.857.

use num_bigint::BigInt;

use crate::budget::{Halted, Meter, OrStopped};
use crate::error::{Error, check_length};
use crate::mdp::Mdp;
use crate::mdp::flaw::Flaw;
use crate::mdp::integers::{Rows, Values};
use crate::mdp::unit::Unit;
use crate::scalar::Scalar;

/// Proven bounds: the least average cost of all policies, and the average cost of one, lie between them.
///
/// Floats are rounded outwards.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "super::serial::UncheckedOptimality<T>",
        bound(deserialize = "T: Scalar + serde::Deserialize<'de>")
    )
)]
pub struct Optimality<T = f64> {
    pub(super) lower: T,
    pub(super) upper: T,
}

impl<T: Scalar> Optimality<T> {
    /// No policy costs less per step, from any state.
    pub fn lower(&self) -> &T {
        &self.lower
    }

    /// The policy costs no more per step, from any state.
    pub fn upper(&self) -> &T {
        &self.upper
    }

    /// How much the policy may cost per step beyond the least.
    pub fn gap(&self) -> T {
        self.upper.clone() - &self.lower
    }

    /// Whether the policy is the best without any error.
    pub fn is_exact(&self) -> bool {
        T::EXACT && self.lower == self.upper
    }

    /// Both bounds as floats, rounded outwards.
    pub(crate) fn floats(&self) -> (f64, f64) {
        match T::EXACT {
            true => (self.lower.to_float().next_down(), self.upper.to_float().next_up()),
            false => (self.lower.to_float(), self.upper.to_float()),
        }
    }

    /// The nearest number between the bounds.
    pub(super) fn nearest(&self, number: &T) -> T {
        if *number < self.lower {
            self.lower.clone()
        } else if *number > self.upper {
            self.upper.clone()
        } else {
            number.clone()
        }
    }

    /// What these bounds and others of the same policy say together.
    pub(super) fn and(&self, other: &Self) -> Self {
        let (lower, upper) = (&self.lower, &self.upper);
        Self {
            lower: if *lower < other.lower { &other.lower } else { lower }.clone(),
            upper: if *upper > other.upper { &other.upper } else { upper }.clone(),
        }
    }

    pub(crate) fn prove(mdp: &Mdp<T>, bias: &[T], policy: &[usize], meter: &Meter<'_>) -> Result<Self, Error> {
        mdp.check_policy(policy)?;
        check_length("values of states", mdp.len(), bias.len())?;
        match exact_bounds(mdp, bias, policy, meter).or_stopped()? {
            Some(bounds) => Ok(bounds),
            None => {
                let unit = Unit::with_values(mdp, bias);
                rounded_bounds(&unit.process(mdp), &unit.times(bias), policy, unit, meter)
            }
        }
    }
}

/// The rows with the least number among all, and the largest of the policy, compared as integers; `None` for floats.
fn exact_bounds<T: Scalar>(
    mdp: &Mdp<T>,
    bias: &[T],
    policy: &[usize],
    meter: &Meter<'_>,
) -> Result<Option<Optimality<T>>, Halted> {
    let (Some(at), Some(rows)) = (Values::new(&T::zero(), bias, meter)?, Rows::new(mdp)) else {
        return Ok(None);
    };
    // Numerators with the states whose denominators they have, and their rows.
    let is_less = |a: &(BigInt, usize, usize), b: &(BigInt, usize, usize)| {
        let (of_a, of_b) = (rows.denominator(a.1), rows.denominator(b.1));
        if of_a == of_b {
            a.0 < b.0
        } else {
            &a.0 * of_b < &b.0 * of_a
        }
    };
    let mut least = None;
    let mut largest = None;
    for (state, &action) in policy.iter().enumerate() {
        for row in mdp.rows_of(state) {
            meter.spend(mdp.moves.row_slices(row).0.len() as u64 + 1)?;
            let here = (rows.excess(mdp, &at, state, row), state, row);
            if row == mdp.starts[state] + action && largest.as_ref().is_none_or(|largest| is_less(largest, &here)) {
                largest = Some(here.clone());
            }
            if least.as_ref().is_none_or(|least| is_less(&here, least)) {
                least = Some(here);
            }
        }
    }
    let value = |(_, state, row)| excess(mdp, bias, state, row).0;
    let bounds = least.map(value).zip(largest.map(value));
    Ok(bounds.map(|(lower, upper)| Optimality { lower, upper }))
}

/// Any values prove bounds, also those that lost digits in a unit.
fn rounded_bounds<T: Scalar>(
    mdp: &Mdp<T>,
    bias: &[T],
    policy: &[usize],
    unit: Unit,
    meter: &Meter<'_>,
) -> Result<Optimality<T>, Error> {
    let mut bounds: Option<Optimality<T>> = None;
    for (state, &action) in policy.iter().enumerate() {
        for row in mdp.rows_of(state) {
            meter.spend(mdp.moves.row_slices(row).0.len() as u64 + 1).or_stopped()?;
            let (value, error) = excess(mdp, bias, state, row);
            let (lower, upper) = (value.clone() - &error, value + &error);
            // Beyond the range of floats nothing is proven.
            if !(unit.below(&lower).is_number() && unit.above(&upper).is_number()) {
                return Err(Flaw::Total.at(state, row - mdp.starts[state]));
            }
            let is_taken = row == mdp.starts[state] + action;
            match &mut bounds {
                Some(bounds) => {
                    if lower < bounds.lower {
                        bounds.lower = lower;
                    }
                    if is_taken && upper > bounds.upper {
                        bounds.upper = upper;
                    }
                }
                // The largest is to be over the policy alone.
                None => {
                    let (taken, error) = excess(mdp, bias, state, mdp.starts[state] + action);
                    let upper = taken + &error;
                    bounds = Some(Optimality { lower, upper });
                }
            }
        }
    }
    let Optimality { lower, upper } = bounds.unwrap_or_else(|| unreachable!("a process has states"));
    Ok(Optimality {
        lower: unit.below(&lower),
        upper: unit.above(&upper),
    })
}

/// `cost + sum of p(j) (h(j) - h(i))`, and a bound of the rounding in it.
fn excess<T: Scalar>(mdp: &Mdp<T>, h: &[T], state: usize, row: usize) -> (T, T) {
    let cost = &mdp.costs[row];
    let Change { value, size, terms } = mdp.change(h, state, row);
    let is_null = cost.is_zero() && terms == 0;
    let value = value + cost;
    if T::EXACT {
        return (value, T::zero());
    }
    let terms = terms + 4;
    let rounding = T::ratio(terms, 1 << 52) * (size + cost.abs());
    let lost = if is_null { T::zero() } else { underflow(terms) };
    (value, rounding + lost)
}

/// What a function of the states is expected to change by in a step.
pub(super) struct Change<T> {
    pub(super) value: T,
    /// The sum of absolute terms; zero where numbers are exact.
    pub(super) size: T,
    /// How many of them are not zero, however small; none where numbers are exact.
    pub(super) terms: i64,
}

impl<T: Scalar> Mdp<T> {
    /// `sum of p(j) (h(j) - h(i))` for the action of a row of state `i`: what rows miss one by counts as staying.
    pub(super) fn change(&self, h: &[T], state: usize, row: usize) -> Change<T> {
        let (mut value, mut size, mut terms) = (T::zero(), T::zero(), 0);
        for (to, weight) in self.moves.row(row).filter(|&(to, _)| to != state) {
            let difference = h[to].clone() - &h[state];
            // A product may be too small for any float, and counts all the same.
            if !T::EXACT && !difference.is_zero() {
                terms += 1;
            }
            let part = difference * weight;
            value += &part;
            if !T::EXACT {
                size += &part.abs();
            }
        }
        Change { value, size, terms }
    }
}

/// How much so many products of floats, and the bound of their errors, may lose where they are too small for all their
/// digits.
pub(super) fn underflow<T: Scalar>(terms: i64) -> T {
    T::ratio(4 * terms, 1) * T::one().shifted(LEAST_EXPONENT)
}

/// The least float above zero is two to this power.
pub(super) const LEAST_EXPONENT: i32 = -1074;

#[cfg(test)]
mod tests;
