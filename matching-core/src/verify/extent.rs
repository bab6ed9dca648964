//! What must be known of all weights together: how large they are, and whether they lie on the grid.

use multiversion::multiversion;

use super::error::{Number, VerifyError};
use super::graph::{Graph, Run};
use super::grid::{power_of_two, to_grid};
use crate::cost::CostValue;

/// Least and greatest weight (or zero), and the first weight that is not on the grid.
pub(super) struct Extent<V> {
    least: V,
    greatest: V,
    rounded: Option<V>,
}

impl<V: CostValue> Default for Extent<V> {
    fn default() -> Self {
        Self {
            least: V::zero(),
            greatest: V::zero(),
            rounded: None,
        }
    }
}

impl<V: CostValue> Extent<V> {
    /// Reads every weight, refusing those that are no numbers.
    pub(super) fn new(graph: &Graph<'_, V>, exponent: i32) -> Result<Self, VerifyError> {
        let merge = |mut extent: Self, next: Self| {
            extent.stretch(next.least, next.greatest);
            extent.rounded = extent.rounded.or(next.rounded);
            extent
        };
        graph.fold(|extent: &mut Self, run| extent.add(run, exponent), merge)
    }

    fn add(&mut self, run: &Run<'_, V>, exponent: i32) -> Result<(), VerifyError> {
        run.check_numbers()?;
        let (least, greatest) = match *run.weights {
            [weight] => (weight, weight),
            ref weights => ends(weights),
        };
        self.stretch(least, greatest);
        // Integers lie on the only grid they may have.
        if !V::IS_INTEGER && self.rounded.is_none() && !is_clearly_on_grid(run.weights, exponent) {
            let is_rounded = |weight: &V| !matches!(to_grid(Number::from(*weight), exponent), Some((_, true)));
            self.rounded = run.weights.iter().copied().find(is_rounded);
        }
        Ok(())
    }

    fn stretch(&mut self, least: V, greatest: V) {
        self.least = if least < self.least { least } else { self.least };
        self.greatest = if greatest > self.greatest {
            greatest
        } else {
            self.greatest
        };
    }

    /// Greatest absolute value on the grid. Rounding to the grid keeps the order of numbers, so one of the two ends
    /// has it; and if neither leaves `i128`, no weight does.
    pub(super) fn largest(&self, exponent: i32) -> Option<i128> {
        let size = |end: V| to_grid(Number::from(end), exponent)?.0.checked_abs();
        Some(size(self.least)?.max(size(self.greatest)?))
    }

    /// The first weight that is rounded.
    pub(super) fn rounded(&self) -> Option<Number> {
        self.rounded.map(Number::from)
    }
}

/// Weights that are compared at a time.
const LANES: usize = 16;

/// Least and greatest of some weights and zero.
#[multiversion(targets("x86_64+avx2"))]
fn ends<V: CostValue>(weights: &[V]) -> (V, V) {
    let (mut least, mut greatest) = ([V::zero(); LANES], [V::zero(); LANES]);
    let mut stretch = |lane: usize, weight: V| {
        least[lane] = if weight < least[lane] { weight } else { least[lane] };
        greatest[lane] = if weight > greatest[lane] {
            weight
        } else {
            greatest[lane]
        };
    };
    let (chunks, rest) = weights.as_chunks::<LANES>();
    for chunk in chunks {
        (0..LANES).for_each(|lane| stretch(lane, chunk[lane]));
    }
    rest.iter().for_each(|&weight| stretch(0, weight));
    let join = |ends: [V; LANES], is_further: fn(&V, &V) -> bool| {
        ends.into_iter()
            .fold(V::zero(), |far, end| if is_further(&end, &far) { end } else { far })
    };
    (join(least, V::lt), join(greatest, V::gt))
}

/// Whether all weights are surely multiples of `2^exponent`; `false` says nothing.
///
/// A float is multiplied by `2^-exponent`, a normal number. The product is exact unless it leaves the normal numbers.
/// If it is finite, whole and not zero, it is at least 1, so that it did not.
fn is_clearly_on_grid<V: CostValue>(weights: &[V], exponent: i32) -> bool {
    exponent.unsigned_abs() <= 1000 && are_whole(weights, power_of_two(-i64::from(exponent)))
}

#[multiversion(targets("x86_64+avx2"))]
fn are_whole<V: CostValue>(weights: &[V], factor: f64) -> bool {
    weights.iter().fold(true, |all, weight| {
        let (weight, units) = (weight.to_f64(), weight.to_f64() * factor);
        all & ((weight == 0.0) | ((units != 0.0) & units.is_finite() & (units.trunc() == units)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_clearly_on_the_grid_is_on_the_grid() {
        let tiny = f64::from_bits(1);
        for (float, exponent, expected) in [
            (0.0, 1000, true),
            (-0.75, -2, true),
            (-0.75, -1, false),
            (3.0 * tiny, -1000, false),
            (tiny, 0, false),
            (tiny, 1000, false),
            (f64::MAX, 900, true),
            (f64::MAX, 971, true),
            (f64::MAX, 972, false),
            (f64::MAX, -1, false),
            (1.0, i32::MIN, false),
            (1.0, i32::MAX, false),
        ] {
            assert_eq!(
                is_clearly_on_grid(&[float], exponent),
                expected,
                "{float} on 2^{exponent}"
            );
        }
        assert!(!is_clearly_on_grid(&[4.0, 0.5, 4.0], 0));
    }
}
