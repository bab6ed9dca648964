//! Stationary weights from an elimination, in numbers of any size, and how far roundings may have moved them.
//!
//! Why the bound holds. The stationary distribution is in proportion to sums over trees of moves towards a state, each
//! tree a product of one rate per other state (the Markov chain tree theorem). If the rates of `s` rows are known up to
//! factors `exp(±a)`, such a sum of positive terms is known up to `exp(±s a)`. Eliminating a state whose row has `d`
//! moves computes new entries from the chain that is left with at most `d + 2` roundings each: `d - 1` in the pivot,
//! and a division, a product and a sum. Entries of `s` rows change. So what is computed is, step by step, the
//! elimination of a chain that is off by `exp(±s (d + 2) e)`, where a rounding is at most `exp(±e)`, and these
//! exponents add up. Putting a state back adds its own roundings to the largest of those of the states that lead to it.
//! Dividing by the sum doubles what is known of the weights, and adds the roundings of the sum.
//!
//! This is the running version of the bound by O'Cinneide (1993), and never larger than that: there all states that are
//! left count in each step, here only rows that change. It is no bound where a float left the range of full precision,
//! and says nothing of entries below the least positive normal float.

use super::Elimination;
use super::wide::Wide;
use crate::budget::{Halted, Meter};
use crate::scalar::Scalar;

/// Stationary probabilities, and what is known of their errors.
#[derive(Clone, Debug)]
pub(crate) struct Weights<T> {
    /// Probabilities by state.
    pub(crate) values: Vec<T>,
    /// Each is off by at most `exp(±roundings * e)`, where a rounding is at most `exp(±e)`.
    pub(crate) roundings: f64,
    /// Whether something left the range of floats, so that nothing is known.
    pub(crate) is_lossy: bool,
}

/// A rounding to nearest of a normal float is by at most a factor of `exp(±ROUNDING)`: a bit above `-ln(1 - 2^-53)`.
const ROUNDING: f64 = 1.12e-16;

/// Bound of the relative error of a number that is off by at most so many roundings.
pub(crate) fn relative_error<T: Scalar>(roundings: f64) -> f64 {
    if T::EXACT {
        return 0.0;
    }
    // A bit more, for roundings of this very computation.
    (roundings * ROUNDING).exp_m1() * (1.0 + 1e-9)
}

impl<T: Scalar> Weights<T> {
    /// Bound of the relative error of each entry, unless something was lost.
    pub(crate) fn relative_error(&self) -> f64 {
        relative_error::<T>(self.roundings)
    }
}

/// Roundings of an entry that is changed when a state with so many moves is eliminated.
pub(super) fn changed_entry(degree: usize) -> f64 {
    degree as f64 + 2.0
}

impl<T: Scalar> Elimination<T> {
    /// The stationary distribution of an irreducible chain.
    ///
    /// # Errors
    /// [`Halted`].
    pub(crate) fn weights(&self, meter: &Meter<'_>) -> Result<Weights<T>, Halted> {
        let n = self.order.len();
        let mut wide = vec![Wide::of(T::zero()); n];
        let mut depth = vec![0.0_f64; n];
        let mut steps = (0..n).rev();
        if let Some(last) = steps.next() {
            wide[self.order[last] as usize] = Wide::of(T::one());
        }
        for step in steps {
            let mut flow = Wide::of(T::zero());
            let mut deepest = 0.0_f64;
            meter.spend(self.sources(step).len() as u64 + 1)?;
            for source in self.sources(step) {
                meter.spend_exact::<T>()?;
                let from = source.from as usize;
                flow.add(wide[from].times(&source.rate, i64::from(source.scale)));
                deepest = deepest.max(depth[from]);
            }
            let v = self.order[step] as usize;
            wide[v] = flow.over(&self.pivots[step], i64::from(self.scales[step]));
            let degree = self.away.len(v).max(1);
            depth[v] = deepest + (self.sources(step).len() + degree) as f64;
        }
        let mut values = within_range(wide);
        let sum = pairwise(&values, meter)?;
        for value in &mut values {
            meter.spend_exact::<T>()?;
            *value /= &sum;
        }
        let deepest = depth.into_iter().fold(0.0, f64::max);
        Ok(Weights {
            roundings: 2.0 * (self.roundings + deepest) + summands(n) + 1.0,
            is_lossy: self.is_lossy || !sum.is_number() || sum.is_zero(),
            values,
        })
    }
}

/// The numbers in proportion, the largest near one; what is too small for a float becomes zero.
fn within_range<T: Scalar>(wide: Vec<Wide<T>>) -> Vec<T> {
    let exponent = |number: &Wide<T>| number.exponent + i64::from(number.value.exponent());
    let positive = wide.iter().filter(|number| !number.value.is_zero());
    let largest = positive.map(exponent).max().unwrap_or(0);
    let value = |number: Wide<T>| {
        let by = (number.exponent - largest).clamp(-3000, 3000) as i32;
        number.value.shifted(by)
    };
    wide.into_iter().map(value).collect()
}

const BLOCK: usize = 32;

/// The sum by halves, which takes few roundings on the way of each summand.
///
/// # Errors
/// [`Halted`].
fn pairwise<T: Scalar>(values: &[T], meter: &Meter<'_>) -> Result<T, Halted> {
    if values.len() <= BLOCK {
        let mut sum = T::zero();
        for value in values {
            meter.spend_exact::<T>()?;
            sum += value;
        }
        return Ok(sum);
    }
    let (first, second) = values.split_at(values.len() / 2);
    Ok(pairwise(first, meter)? + pairwise(second, meter)?)
}

/// Roundings on the way of a summand of `pairwise`, at most.
fn summands(count: usize) -> f64 {
    (BLOCK + count.max(1).ilog2() as usize) as f64
}
