//! What reading numbers and results from outside has in common: everything is checked before it becomes a value of this
//! crate. Feature `serde`.
//!
//! Fractions come as they were written: not in lowest terms, perhaps, and with a negative denominator, which nothing here
//! is made for. So they are reduced first.

use core::cmp::Ordering;

use serde::{Deserialize, Deserializer};

use crate::budget::{StopReason, Stopped};
use crate::error::Error;
use crate::scalar::Scalar;

/// How much less or more than one what was a distribution may add up to: it was known to 1e-9, and then computed with.
const SUM: f64 = 1e-6;

/// A number in lowest terms.
struct Reduced<T>(T);

impl<'de, T: Scalar + Deserialize<'de>> Deserialize<'de> for Reduced<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(|number| Self(number.reduced()))
    }
}

pub(crate) fn number<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Scalar + Deserialize<'de>,
    D: Deserializer<'de>,
{
    Reduced::deserialize(deserializer).map(|number| number.0)
}

pub(crate) fn numbers<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Scalar + Deserialize<'de>,
    D: Deserializer<'de>,
{
    let numbers: Vec<Reduced<T>> = Deserialize::deserialize(deserializer)?;
    Ok(numbers.into_iter().map(|number| number.0).collect())
}

pub(crate) fn moves<'de, T, D>(deserializer: D) -> Result<Vec<(usize, T)>, D::Error>
where
    T: Scalar + Deserialize<'de>,
    D: Deserializer<'de>,
{
    let moves: Vec<(usize, Reduced<T>)> = Deserialize::deserialize(deserializer)?;
    Ok(moves.into_iter().map(|(to, number)| (to, number.0)).collect())
}

/// Refuses what is no size of an error.
pub(crate) fn check_size(name: &'static str, value: f64) -> Result<(), Error> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    let expected = "finite and not negative";
    Err(Error::Parameter { name, value, expected })
}

/// Refuses what is no distribution, not even a rounded one.
pub(crate) fn check_distribution(values: &[f64]) -> Result<(), Error> {
    let wrong = values.iter().position(|&value| !(value >= 0.0 && value.is_finite()));
    let deficit = 1.0 - values.iter().sum::<f64>();
    if wrong.is_none() && deficit.abs() <= SUM {
        return Ok(());
    }
    Err(Error::NotADistribution { deficit, wrong })
}

/// Refuses lists of starts that do not divide so many entries into parts, each of at least `least`.
pub(crate) fn check_starts(starts: &[usize], entries: usize, least: usize) -> Result<(), Error> {
    let rises = |pair: &[usize]| pair[1].checked_sub(pair[0]).is_some_and(|len| len >= least);
    let is_whole = starts.first() == Some(&0) && starts.last() == Some(&entries);
    if is_whole && starts.windows(2).all(rises) {
        return Ok(());
    }
    Err(Error::Parameter {
        name: "a list of starts",
        value: starts.last().map_or(f64::NAN, |&last| last as f64),
        expected: "rising from zero to the number of entries",
    })
}

/// What was known of a solve that was stopped, as it is read.
#[derive(Deserialize)]
pub(crate) struct UncheckedStopped {
    reason: StopReason,
    work: u64,
    iterations: usize,
    best: Vec<f64>,
    policy: Vec<usize>,
    bounds: Option<(f64, f64)>,
    radius: Option<f64>,
}

impl TryFrom<UncheckedStopped> for Stopped {
    type Error = Error;

    fn try_from(read: UncheckedStopped) -> Result<Self, Error> {
        let UncheckedStopped {
            reason,
            work,
            iterations,
            best,
            policy,
            bounds,
            radius,
        } = read;
        if let Some((_, upper)) = bounds.filter(|(lower, upper)| lower.partial_cmp(upper).is_none_or(Ordering::is_gt)) {
            return Err(Error::Parameter {
                name: "upper bound",
                value: upper,
                expected: "not below the lower one",
            });
        }
        radius.map_or(Ok(()), |radius| check_size("radius", radius))?;
        Ok(Self {
            reason,
            work,
            iterations,
            best,
            policy,
            bounds,
            radius,
        })
    }
}
