//! Exact comparisons of actions without a single fraction.
//!
//! Fractions cost a greatest common divisor per operation. Values over one common denominator, and the rows of a state
//! over another one, leave products and sums of integers, whose signs are those of the fractions.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::budget::{Halted, Meter};
use crate::mdp::Mdp;
use crate::scalar::Scalar;

/// Rows of a process as integers: those of a state over a common denominator.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    denominators: Vec<BigInt>,
    costs: Vec<BigInt>,
    weights: Vec<BigInt>,
    /// Where the weights of each row start.
    starts: Vec<usize>,
}

/// A gain and values of states as integers over one common denominator.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    denominator: BigInt,
    gain: BigInt,
    values: Vec<BigInt>,
}

fn common<'a>(denominators: impl Iterator<Item = &'a BigInt>) -> BigInt {
    let mut common = BigInt::one();
    denominators.for_each(|denominator| join(&mut common, denominator));
    common
}

/// Makes a common denominator that of one more fraction, too.
fn join(common: &mut BigInt, denominator: &BigInt) {
    if !denominator.is_one() && denominator != common {
        *common = common.lcm(denominator);
    }
}

fn over(common: &BigInt, (numerator, denominator): (&BigInt, &BigInt)) -> BigInt {
    if denominator == common {
        return numerator.clone();
    }
    numerator * (common / denominator)
}

impl Values {
    /// `None` for floats.
    ///
    /// # Errors
    /// [`Halted`]: values may have many digits.
    pub(crate) fn new<T: Scalar>(gain: &T, values: &[T], meter: &Meter<'_>) -> Result<Option<Self>, Halted> {
        let fractions = values.iter().map(Scalar::fraction).collect::<Option<Vec<_>>>();
        let Some((values, gain)) = fractions.zip(gain.fraction()) else {
            return Ok(None);
        };
        let mut denominator = BigInt::one();
        for value in values.iter().chain([&gain]) {
            meter.spend_long()?;
            join(&mut denominator, value.1);
        }
        let of_value = |value| {
            meter.spend_long()?;
            Ok(over(&denominator, value))
        };
        Ok(Some(Self {
            gain: over(&denominator, gain),
            values: values.into_iter().map(of_value).collect::<Result<_, Halted>>()?,
            denominator,
        }))
    }
}

impl Rows {
    /// `None` for floats. O(entries).
    pub(crate) fn new<T: Scalar>(mdp: &Mdp<T>) -> Option<Self> {
        let mut rows = Self {
            denominators: Vec::with_capacity(mdp.len()),
            costs: Vec::with_capacity(mdp.costs.len()),
            weights: Vec::with_capacity(mdp.moves.entries()),
            starts: Vec::with_capacity(mdp.costs.len() + 1),
        };
        rows.starts.push(0);
        for state in 0..mdp.len() {
            let range = mdp.rows_of(state);
            let numbers = range.clone().flat_map(|row| {
                let weights = mdp.moves.row_slices(row).1;
                weights.iter().chain([&mdp.costs[row]])
            });
            let fractions: Vec<(&BigInt, &BigInt)> = numbers.map(Scalar::fraction).collect::<Option<_>>()?;
            let denominator = common(fractions.iter().map(|fraction| fraction.1));
            let mut scaled = fractions.into_iter().map(|fraction| over(&denominator, fraction));
            for row in range {
                let entries = mdp.moves.row_slices(row).1.len();
                rows.weights.extend(scaled.by_ref().take(entries));
                rows.starts.push(rows.weights.len());
                rows.costs.extend(scaled.next());
            }
            drop(scaled);
            rows.denominators.push(denominator);
        }
        Some(rows)
    }

    /// `cost + sum of p(j) value(j) - value(state) - gain` for a row of a state, times a positive number that is the
    /// same for all its rows.
    pub(crate) fn excess<T: Scalar>(&self, mdp: &Mdp<T>, at: &Values, state: usize, row: usize) -> BigInt {
        let mut sum = &self.costs[row] * &at.denominator;
        let weights = &self.weights[self.starts[row]..self.starts[row + 1]];
        for (&to, weight) in mdp.moves.row_slices(row).0.iter().zip(weights) {
            let value = &at.values[to as usize];
            if !value.is_zero() {
                sum += weight * value;
            }
        }
        sum - (&at.values[state] + &at.gain) * &self.denominators[state]
    }

    /// What the rows of a state are multiplied by.
    pub(crate) fn denominator(&self, state: usize) -> &BigInt {
        &self.denominators[state]
    }
}
