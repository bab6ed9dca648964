//! Objectives by their definitions: which perfect matchings a certificate speaks of.

use super::error::{Number, VerifyError};
use super::extent::Extent;
use super::graph::Graph;
use super::grid::{from_grid, to_grid};
use crate::blossom::Objective;
use crate::cost::CostValue;
use crate::error::Error;

/// The reduced instance of an objective (the table in the [module](super)), made edge by edge.
pub(super) struct Reduced<'a, V: CostValue> {
    /// Number of vertices of the input.
    input_len: usize,
    objective: &'a Objective<V>,
    exponent: i32,
    /// Greatest absolute weight on the grid.
    largest: i128,
    /// `K` of [`Objective::MaxCardinality`].
    cardinality: i128,
    /// A cost that was rounded.
    rounded: Option<Number>,
}

impl<'a, V: CostValue> Reduced<'a, V> {
    pub(super) fn new(graph: &Graph<'_, V>, objective: &'a Objective<V>, exponent: i32) -> Result<Self, VerifyError> {
        if V::IS_INTEGER && exponent != 0 {
            return Err(VerifyError::Exponent { found: exponent });
        }
        let extent = Extent::new(graph, exponent)?;
        let (len, largest) = (graph.len(), extent.largest(exponent).ok_or(VerifyError::Overflow)?);
        let cardinality = (len as i128)
            .checked_mul(largest)
            .and_then(|product| product.checked_add(1))
            .ok_or(VerifyError::Overflow)?;
        let mut reduced = Self {
            input_len: len,
            objective,
            exponent,
            largest,
            cardinality,
            rounded: extent.rounded(),
        };
        if let Objective::MinOptOut(costs) | Objective::MinBye(costs) = objective
            && costs.len() != len
        {
            return Err(VerifyError::Length {
                what: "penalties or byes",
                found: costs.len(),
                required: len,
            });
        }
        for vertex in 0..len {
            let (_, is_exact) = reduced.single_units(vertex)?;
            if !is_exact {
                reduced.rounded = reduced.rounded.or(reduced.single(vertex).map(Number::from));
            }
        }
        Ok(reduced)
    }

    /// Number of vertices of the reduced instance.
    pub(super) fn len(&self) -> usize {
        match self.objective {
            Objective::MinPerfect | Objective::MaxPerfect => self.input_len,
            Objective::MinBye(_) => self.input_len.next_multiple_of(2),
            Objective::MaxWeight | Objective::MaxCardinality | Objective::MinOptOut(_) => 2 * self.input_len,
        }
    }

    /// What to add to both ends of an edge of the input, to get those of its images.
    pub(super) fn copies(&self) -> impl Iterator<Item = usize> {
        let copies = if self.is_doubled() { 2 } else { 1 };
        (0..copies).map(|copy| copy * self.input_len)
    }

    /// The cost of the images of an edge of the input.
    pub(super) fn cost(&self, u: usize, v: usize, weight: V) -> Result<i128, VerifyError> {
        let (k, _) = self.edge_units(u, v, weight)?;
        if self.is_maximum() {
            k.checked_neg().ok_or(VerifyError::Overflow)
        } else {
            Ok(k)
        }
    }

    /// Visits every other edge of the reduced instance: both ends and the cost.
    pub(super) fn visit_links(
        &self,
        mut visit: impl FnMut(usize, usize, i128) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        let n = self.input_len;
        if let Objective::MinBye(_) = self.objective {
            (0..n.next_multiple_of(2) - n)
                .try_for_each(|_| (0..n).try_for_each(|v| visit(v, n, self.single_units(v)?.0)))
        } else if self.is_doubled() {
            (0..n).try_for_each(|v| {
                let link = self.single_units(v)?.0.checked_mul(2).ok_or(VerifyError::Overflow)?;
                visit(v, v + n, link)
            })
        } else {
            Ok(())
        }
    }

    /// Greatest absolute weight on the grid.
    pub(super) fn largest(&self) -> i128 {
        self.largest
    }

    /// The grid's exponent.
    pub(super) fn exponent(&self) -> i32 {
        self.exponent
    }

    /// Whether the greatest weight is asked for.
    pub(super) fn is_maximum(&self) -> bool {
        matches!(
            self.objective,
            Objective::MaxPerfect | Objective::MaxWeight | Objective::MaxCardinality
        )
    }

    fn is_doubled(&self) -> bool {
        matches!(
            self.objective,
            Objective::MaxWeight | Objective::MaxCardinality | Objective::MinOptOut(_)
        )
    }

    /// The penalty or bye of a vertex, if the objective has them.
    pub(super) fn single(&self, vertex: usize) -> Option<V> {
        self.objective.single(vertex, self.input_len)
    }

    /// What an unmatched vertex adds, on the grid, and whether that is exact.
    pub(super) fn single_units(&self, vertex: usize) -> Result<(i128, bool), VerifyError> {
        match (self.objective, self.single(vertex)) {
            (_, Some(cost)) => self.units(cost, Error::PenaltyNotANumber { vertex }),
            (Objective::MaxCardinality, None) => Ok((self.cardinality, true)),
            (_, None) => Ok((0, true)),
        }
    }

    /// The weight of an edge on the grid, and whether that is exact.
    pub(super) fn edge_units(&self, u: usize, v: usize, weight: V) -> Result<(i128, bool), VerifyError> {
        self.units(weight, Error::NotANumber { u, v })
    }

    fn units(&self, cost: V, not_a_number: Error) -> Result<(i128, bool), VerifyError> {
        if !cost.is_number() {
            return Err(not_a_number.into());
        }
        to_grid(Number::from(cost), self.exponent).ok_or(VerifyError::Overflow)
    }

    /// Refuses claims of optimality where costs were rounded.
    pub(super) fn check_exact(&self) -> Result<(), VerifyError> {
        self.rounded.map_or(Ok(()), |cost| {
            Err(VerifyError::OffGrid {
                cost,
                exponent: self.exponent,
            })
        })
    }

    /// Whether every cost lies on the grid.
    pub(super) fn is_exact(&self) -> bool {
        self.rounded.is_none()
    }

    /// A total of the objective from its value on the grid, in quarter units.
    pub(super) fn total(&self, quarters: i128) -> Number {
        match Number::from(V::zero()) {
            Number::Integer(_) => Number::Integer(quarters / 4),
            Number::Float(_) => Number::Float(from_grid(quarters, self.exponent.saturating_sub(2))),
        }
    }

    /// Twice the cost, in the reduced instance, of the image of a matching with that many pairs and that total of
    /// edges, penalties and byes on the grid.
    pub(super) fn doubled_cost(&self, grid_cost: i128, pairs: usize) -> Result<i128, VerifyError> {
        let signed = if self.is_maximum() {
            grid_cost.checked_neg()
        } else {
            Some(grid_cost)
        };
        signed
            .and_then(|cost| cost.checked_mul(if self.is_doubled() { 4 } else { 2 }))
            .and_then(|cost| cost.checked_add(self.offset(pairs)?))
            .ok_or(VerifyError::Overflow)
    }

    /// What [`Objective::MaxCardinality`] adds for the unmatched vertices: `4 K` each.
    fn offset(&self, pairs: usize) -> Option<i128> {
        match self.objective {
            Objective::MaxCardinality => self
                .cardinality
                .checked_mul(4)?
                .checked_mul(self.input_len as i128 - 2 * pairs as i128),
            _ => Some(0),
        }
    }

    /// The best bound on the objective that follows from `sum y + sum z`, in quarter units of the grid, given a
    /// matching with that many pairs.
    pub(super) fn bound(&self, doubled_bound: i128, pairs: usize) -> Result<i128, VerifyError> {
        // Twice a solution's value (four times in a doubled graph) is at least this, up to the sign; a matching of
        // maximum size has at least the given number of pairs.
        let bound = doubled_bound.checked_sub(self.offset(pairs).ok_or(VerifyError::Overflow)?);
        let quarters = bound.and_then(|bound| bound.checked_mul(if self.is_doubled() { 1 } else { 2 }));
        let n = self.input_len;
        let terms = match self.objective {
            Objective::MinOptOut(_) => n,
            Objective::MinBye(_) => n.div_ceil(2),
            Objective::MinPerfect | Objective::MaxPerfect | Objective::MaxWeight | Objective::MaxCardinality => n / 2,
        };
        let lost = if self.is_exact() { 0 } else { 2 * terms as i128 };
        quarters
            // Values on the grid are whole: round up to the next.
            .and_then(|bound| bound.checked_add(3).map(|bound| bound - bound.rem_euclid(4)))
            .and_then(|bound| bound.checked_sub(lost))
            .and_then(|bound| {
                if self.is_maximum() {
                    bound.checked_neg()
                } else {
                    Some(bound)
                }
            })
            .ok_or(VerifyError::Overflow)
    }

    /// Most pairs of any matching, where `sum y + sum z` is this.
    pub(super) fn pairs_at_most(&self, doubled_bound: i128) -> Result<usize, VerifyError> {
        let n = self.input_len;
        if !matches!(self.objective, Objective::MaxCardinality) {
            return Ok(n / 2);
        }
        // A matching that leaves `u` vertices unmatched has an image of twice the cost `4 K u - 4 w`, which is no less than
        // the bound; and its weight `w` is no less than `-n/2` times the greatest, which is `(1 - K) / 2`.
        let unmatched = || {
            let of_one = self.cardinality.checked_mul(4)?;
            let of_weights = (self.cardinality - 1).checked_mul(2)?;
            let least = doubled_bound.checked_sub(of_weights)?;
            Some(least.div_euclid(of_one) + i128::from(least.rem_euclid(of_one) != 0))
        };
        let unmatched = unmatched().ok_or(VerifyError::Overflow)?;
        let unmatched = usize::try_from(unmatched.max(0)).unwrap_or(n).min(n);
        Ok((n - unmatched) / 2)
    }

    /// The best number that may be called a bound, where this one follows from the duals.
    fn best_bound(&self, quarters: i128) -> Number {
        match self.total(quarters) {
            // Where costs were rounded, no answer's total is the one that was rounded here: a float that is better than
            // what follows may be better than the best answer.
            Number::Float(nearest) if !self.is_exact() && self.is_beyond(nearest, quarters) => {
                Number::Float(if self.is_maximum() {
                    nearest.next_up()
                } else {
                    nearest.next_down()
                })
            }
            bound => bound,
        }
    }

    /// Whether the float nearest to a bound is better than the bound.
    fn is_beyond(&self, nearest: f64, quarters: i128) -> bool {
        // Rounding only takes digits, so it is on the grid; beyond 128 bits, or infinite, it is too large, and may be.
        match to_grid(Number::Float(nearest), self.exponent.saturating_sub(2)) {
            Some((rounded, _)) if self.is_maximum() => rounded < quarters,
            Some((rounded, _)) => rounded > quarters,
            None => true,
        }
    }

    /// Refuses a bound that is better than the one that follows.
    pub(super) fn check_bound(&self, quarters: i128, found: Number) -> Result<(), VerifyError> {
        let required = self.best_bound(quarters);
        let order = match (found, required) {
            (Number::Integer(found), Number::Integer(required)) => Some(found.cmp(&required)),
            (Number::Float(found), Number::Float(required)) => found.partial_cmp(&required),
            _ => None,
        };
        match order {
            Some(order) if !self.is_maximum() && order.is_le() => Ok(()),
            Some(order) if self.is_maximum() && order.is_ge() => Ok(()),
            _ => Err(VerifyError::Bound { found, required }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge_list::EdgeList;

    /// A matching that leaves `u` of `n` vertices alone has an image of twice the cost `4 K u - 4 w`, and its weight `w` is
    /// at least that of `n / 2` pairs of the greatest size below zero. Sums of duals between those of two matchings count, too.
    #[test]
    fn a_sum_of_duals_leaves_room_for_as_many_pairs_as_its_inequality() {
        for n in 2..=5 {
            for largest in 0..=2 {
                let list = EdgeList::new(n, [(0, 1, -largest)]).unwrap();
                let reduced = Reduced::new(&Graph::List(&list), &Objective::MaxCardinality, 0).unwrap();
                let (len, size) = (n as i128, i128::from(largest));
                let alone = len * size + 1;
                for sum in -9 * alone..=4 * alone * len + 2 * len * size {
                    let holds = |pairs: &usize| 4 * alone * (len - 2 * *pairs as i128) + 2 * len * size >= sum;
                    let most = (0..=n / 2).rev().find(holds).unwrap();
                    assert_eq!(reduced.pairs_at_most(sum), Ok(most), "{sum} for {n} and {largest}");
                }
            }
        }
    }
}
