//! What roundings of a sweep over all actions may hide.

use crate::mdp::Mdp;
use crate::mdp::sweep::Extent;

/// What bounds of roundings need to know of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roundings {
    /// Of a sum over the longest row, as a part of what it adds up.
    unit: f64,
    /// What probabilities of an action add up to beyond one, at most.
    surplus: f64,
    /// The largest absolute cost.
    costs: f64,
}

impl Roundings {
    /// O(entries).
    pub(crate) fn of(mdp: &Mdp<f64>) -> Self {
        let (mut terms, mut surplus) = (0, 0.0_f64);
        for row in 0..mdp.moves.rows() {
            let weights = mdp.moves.row_slices(row).1;
            terms = terms.max(weights.len());
            surplus = surplus.max(weights.iter().sum::<f64>() - 1.0);
        }
        Self {
            unit: (terms as f64 + 8.0) * f64::EPSILON,
            surplus,
            costs: largest(&mdp.costs),
        }
    }

    /// What rounding in a sweep, and probabilities that add up to more than one, may add to the radius of discounted
    /// values.
    pub(crate) fn of_discounted(self, discount: f64, values: &[f64], extent: Extent) -> f64 {
        let Self { unit, surplus, costs } = self;
        let ahead = discount / (1.0 - discount);
        let values = largest(values);
        let of_sweep = unit * (costs + 4.0 * values);
        // Where staying has less than no chance, a step leaves somewhat more of what values differ by than the discount.
        let of_surplus = 2.0 * (surplus + unit) * discount * extent.span();
        let of_shift = unit * (costs + values + ahead * extent.min.abs().max(extent.max.abs()));
        (of_sweep + of_surplus + of_shift + self.lost()) / (1.0 - discount)
    }

    /// Bounds of the least average cost from what a sweep without discount changed values by: the least
    /// `cost + sum of p(j) (h(j) - h(i))` over all actions is a lower one, the largest over the best of each state an
    /// upper one, since these are a policy.
    ///
    /// A sum of products, the probability of staying and its product take `1.5 n + 4` roundings of the largest value, at
    /// most, and the cost one more; the difference to the value is rounded once. Products that are too small for all
    /// their digits lose no more than as many of the smallest normal float.
    pub(crate) fn bounds(self, values: &[f64], extent: Extent) -> (f64, f64) {
        let changes = extent.min.abs().max(extent.max.abs());
        let of_sweep = self.unit * (self.costs + 4.0 * largest(values) + changes);
        let hidden = of_sweep + self.lost();
        (extent.min - hidden, extent.max + hidden)
    }

    /// Products that are too small for all their digits lose no more than as many of the smallest normal float.
    fn lost(self) -> f64 {
        f64::MIN_POSITIVE * self.unit / f64::EPSILON
    }
}

/// Infinite where one of them is no number.
fn largest(numbers: &[f64]) -> f64 {
    let sizes = numbers.iter().map(|number| number.abs());
    sizes.fold(0.0, |largest, size| {
        if size.is_nan() {
            f64::INFINITY
        } else {
            size.max(largest)
        }
    })
}
