//! Processes and solutions from outside. Feature `serde`.
//!
//! What a solution says of a process is not known to be true of it before it was verified; what it says of itself is
//! checked here.

use serde::Deserialize;

use super::by_state::ByState;
use super::{
    AverageSolution, BoundedSolution, CtMdp, DiscountedSolution, Mdp, MultichainSolution, Optimality, RateAction,
};
use crate::error::{Error, check_length, check_numbers};
use crate::scalar::Scalar;
use crate::serial::{check_size, number, numbers};
use crate::sparse::Csr;

/// Refuses values or policies without states, and of different numbers of them.
fn check_states<T: Scalar>(values: &[T], policy: &[usize]) -> Result<(), Error> {
    if policy.is_empty() {
        return Err(Error::NoStates);
    }
    check_length("values of states", policy.len(), values.len())?;
    check_numbers(values)
}

fn refused(name: &'static str, value: f64, expected: &'static str) -> Error {
    Error::Parameter { name, value, expected }
}

#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct UncheckedMdp<T> {
    starts: Vec<usize>,
    moves: Csr<T>,
    #[serde(deserialize_with = "numbers")]
    costs: Vec<T>,
}

impl<T: Scalar> TryFrom<UncheckedMdp<T>> for Mdp<T> {
    type Error = Error;

    fn try_from(read: UncheckedMdp<T>) -> Result<Self, Error> {
        Self::from_parts(read.starts, read.moves, read.costs)
    }
}

#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct UncheckedCtMdp<T> {
    states: Vec<Vec<RateAction<T>>>,
}

impl<T: Scalar> TryFrom<UncheckedCtMdp<T>> for CtMdp<T> {
    type Error = Error;

    fn try_from(read: UncheckedCtMdp<T>) -> Result<Self, Error> {
        Self::new(read.states)
    }
}

#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct UncheckedOptimality<T> {
    #[serde(deserialize_with = "number")]
    lower: T,
    #[serde(deserialize_with = "number")]
    upper: T,
}

impl<T: Scalar> TryFrom<UncheckedOptimality<T>> for Optimality<T> {
    type Error = Error;

    fn try_from(read: UncheckedOptimality<T>) -> Result<Self, Error> {
        let UncheckedOptimality { lower, upper } = read;
        if lower.is_number() && upper.is_number() && lower <= upper {
            return Ok(Self { lower, upper });
        }
        Err(refused("upper bound", upper.to_float(), "not below the lower one"))
    }
}

#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct UncheckedAverage<T> {
    #[serde(deserialize_with = "number")]
    gain: T,
    #[serde(deserialize_with = "numbers")]
    bias: Vec<T>,
    policy: Vec<usize>,
    iterations: usize,
}

impl<T: Scalar> TryFrom<UncheckedAverage<T>> for AverageSolution<T> {
    type Error = Error;

    fn try_from(read: UncheckedAverage<T>) -> Result<Self, Error> {
        let UncheckedAverage {
            gain,
            bias,
            policy,
            iterations,
        } = read;
        check_states(&bias, &policy)?;
        if !gain.is_number() {
            return Err(refused("gain", gain.to_float(), "a finite number"));
        }
        Ok(Self {
            gain,
            bias,
            policy,
            iterations,
        })
    }
}

#[derive(Deserialize)]
pub(super) struct UncheckedBounded {
    solution: AverageSolution,
    bounds: Optimality,
}

impl TryFrom<UncheckedBounded> for BoundedSolution {
    type Error = Error;

    fn try_from(read: UncheckedBounded) -> Result<Self, Error> {
        let UncheckedBounded { solution, bounds } = read;
        if (*bounds.lower()..=*bounds.upper()).contains(solution.gain()) {
            return Ok(Self { solution, bounds });
        }
        Err(refused("gain", *solution.gain(), "between its bounds"))
    }
}

#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct UncheckedDiscounted<T> {
    #[serde(deserialize_with = "numbers")]
    values: Vec<T>,
    #[serde(deserialize_with = "number")]
    radius: T,
    policy: Vec<usize>,
    iterations: usize,
}

impl<T: Scalar> TryFrom<UncheckedDiscounted<T>> for DiscountedSolution<T> {
    type Error = Error;

    fn try_from(read: UncheckedDiscounted<T>) -> Result<Self, Error> {
        let UncheckedDiscounted {
            values,
            radius,
            policy,
            iterations,
        } = read;
        check_states(&values, &policy)?;
        if !radius.is_number() || radius < T::zero() {
            return Err(refused("radius", radius.to_float(), "finite and not negative"));
        }
        Ok(Self {
            values,
            radius,
            policy,
            iterations,
        })
    }
}

#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct UncheckedByState<T> {
    #[serde(deserialize_with = "numbers")]
    gains: Vec<T>,
    #[serde(deserialize_with = "numbers")]
    bias: Vec<T>,
    #[serde(deserialize_with = "numbers")]
    gain_sizes: Vec<T>,
    #[serde(deserialize_with = "numbers")]
    bias_sizes: Vec<T>,
    gain_of: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct UncheckedMultichain<T> {
    found: UncheckedByState<T>,
    policy: Vec<usize>,
    iterations: usize,
    error: f64,
}

impl<T: Scalar> TryFrom<UncheckedMultichain<T>> for MultichainSolution<T> {
    type Error = Error;

    fn try_from(read: UncheckedMultichain<T>) -> Result<Self, Error> {
        let UncheckedMultichain {
            found,
            policy,
            iterations,
            error,
        } = read;
        for values in [&found.gains, &found.bias, &found.gain_sizes, &found.bias_sizes] {
            check_states(values, &policy)?;
        }
        let len = policy.len();
        check_length("states of the same gains", len, found.gain_of.len())?;
        if let Some(&state) = found.gain_of.iter().find(|&&state| state >= len) {
            return Err(Error::StateOutOfRange { state, len });
        }
        if let Some(size) = found
            .gain_sizes
            .iter()
            .chain(&found.bias_sizes)
            .find(|size| **size < T::zero())
        {
            return Err(refused("size", size.to_float(), "not negative"));
        }
        check_size("error", error)?;
        if T::EXACT && error > 0.0 {
            return Err(refused("error of exact numbers", error, "zero"));
        }
        let found = ByState {
            gains: found.gains,
            bias: found.bias,
            gain_sizes: found.gain_sizes,
            bias_sizes: found.bias_sizes,
            gain_of: found.gain_of,
        };
        Ok(Self {
            found,
            policy,
            iterations,
            error,
        })
    }
}
