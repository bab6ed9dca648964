//! What flows into states and out of them.

use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// What flows into states and out of them.
pub(super) struct Balance<T> {
    /// The sum of absolute differences, in proportion to all that flows; zero where nothing does.
    pub(super) residual: T,
    /// What roundings may have changed of it.
    pub(super) rounding: T,
    /// The state with the largest difference, what flows into it, and out of it.
    worst: (usize, T, T),
    /// The power of two that flows were divided by.
    unit: i32,
}

impl<T: Scalar> Balance<T> {
    pub(super) fn of(rates: &Csr<T>, x: &[T]) -> Self {
        let unit = unit(rates, x);
        let mut inflows = vec![T::zero(); x.len()];
        let mut outflows = vec![T::zero(); x.len()];
        let mut terms = vec![1_i64; x.len()];
        // A state without a share may have rates beyond all floats in that unit.
        for (from, share) in x.iter().enumerate().filter(|(_, share)| !share.is_zero()) {
            let (share, of_share) = split(share);
            for (to, rate) in rates.row(from) {
                let (mut flow, of_rate) = split(rate);
                flow *= &share;
                let flow = flow.shifted(of_share + of_rate - unit);
                inflows[to] += &flow;
                outflows[from] += &flow;
                terms[to] += 1;
                terms[from] += 1;
            }
        }
        let (mut sum, mut all) = (T::zero(), T::zero());
        let (mut worst, mut most) = (0, T::zero());
        for (state, (inflow, outflow)) in inflows.iter().zip(&outflows).enumerate() {
            let difference = (inflow.clone() - outflow).abs();
            sum += &difference;
            all += outflow;
            if difference > most {
                (worst, most) = (state, difference);
            }
        }
        let terms = terms.into_iter().max().unwrap_or(0) + x.len() as i64;
        let rounding = match T::EXACT || all.is_zero() {
            true => T::zero(),
            // Each flow is a product in one sum of inflow and one of outflow, and these are all added up once more. What a
            // product that is too small for all its digits loses is far below a rounding of the largest, which is about one.
            false => T::ratio(2 * (terms + 4), 1) * T::one().shifted(-52),
        };
        Self {
            residual: if all.is_zero() { T::zero() } else { sum / &all },
            rounding,
            worst: (worst, inflows[worst].clone(), outflows[worst].clone()),
            unit,
        }
    }

    pub(super) fn error(self) -> Error {
        let (state, inflow, outflow) = self.worst;
        Error::Unbalanced {
            state,
            inflow: inflow.shifted(self.unit).to_float(),
            outflow: outflow.shifted(self.unit).to_float(),
        }
    }
}

/// The residual of [`StationaryReport::residual`](super::StationaryReport::residual).
pub(super) fn residual(rates: &Csr<f64>, x: &[f64]) -> f64 {
    Balance::of(rates, x).residual
}

/// A number from 1 to 2 and the power of two that it is to be multiplied by, also of floats that have not all digits.
/// Fractions stay as they are.
fn split<T: Scalar>(number: &T) -> (T, i32) {
    let by = number.exponent();
    let near = number.clone().shifted(-by);
    let more = near.exponent();
    (near.shifted(-more), by + more)
}

/// A power of two for flows to be divided by, so that neither they nor their sums leave the range of floats: about the
/// largest flow. Zero for fractions, and where nothing moves.
fn unit<T: Scalar>(rates: &Csr<T>, x: &[T]) -> i32 {
    let has_share = |&state: &usize| !x[state].is_zero();
    let largest = |state: usize| {
        let exponents = rates.row_slices(state).1.iter().map(|rate| split(rate).1);
        Some(split(&x[state]).1 + exponents.max()?)
    };
    (0..x.len()).filter(has_share).filter_map(largest).max().unwrap_or(0)
}
