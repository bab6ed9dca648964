//! From the answer to the reduced problem to one in the caller's terms.

use super::Objective;
use crate::cost::CostValue;
use crate::engine::WIDE_BITS;
use crate::error::Error;
use crate::input::Input;
use crate::numbers;
use crate::reduction::Reduced;
use crate::solution::{Solution, Status, StopReason};

impl<V: CostValue> Solution<V> {
    /// Of mates and certificate of the reduced instance, and the objective, makes an answer in the caller's terms, in
    /// the room that is there. Its total may be no float: [`in_range`](Self::in_range).
    pub(crate) fn conclude(
        &mut self,
        input: Input<'_, V>,
        reduced: &Reduced<'_, V>,
        stopped: Option<StopReason>,
    ) -> Result<(), Error> {
        let (n, grid, mates) = (input.len(), reduced.grid(), &mut self.mates);
        self.certificate.exponent = grid.exponent;
        // Links and the extra vertex of a bye lead out of the first copy.
        mates.truncate(n);
        mates
            .iter_mut()
            .filter(|mate| **mate as usize >= n)
            .for_each(|mate| *mate = u32::MAX);
        if stopped.is_some() {
            input.complete(mates, &self.objective);
        }
        input.matched(mates, &mut self.pairs);
        let (mates, pairs) = (&self.mates, &self.pairs);
        let unmatched = (0..n).filter(|&v| mates[v] == u32::MAX);
        let is_full = match self.objective {
            Objective::MinPerfect | Objective::MaxPerfect => 2 * pairs.len() == n,
            Objective::MinBye(_) => 2 * pairs.len() + n % 2 == n,
            _ => true,
        };
        self.status = match stopped {
            Some(reason) if is_full => Status::Feasible(reason),
            Some(reason) => Status::Unknown(reason),
            None if grid.is_exact => Status::Optimal,
            None => Status::Feasible(StopReason::Rounding),
        };
        let terms = pairs
            .iter()
            .map(|edge| edge.weight)
            .chain(unmatched.filter_map(|v| self.objective.single(v, n)));
        self.cost = total(terms, reduced, n)?;
        let overflow = || Error::Overflow {
            vertices: n,
            bits_needed: 128,
            available: WIDE_BITS,
        };
        let bound = self
            .certificate
            .doubled_bound()
            .and_then(|bound| reduced.bound_quarters(bound, pairs.len()));
        let bound = bound.ok_or_else(overflow)?;
        let is_maximum = reduced.is_maximum();
        self.bound = V::total_from(bound.div_euclid(4), || {
            let nearest = numbers::nearest_float(bound, grid.exponent.saturating_sub(2));
            // A bound on true costs must not become better by rounding; one on the grid equals the cost's rounding.
            match (grid.is_exact, is_maximum) {
                (true, _) => nearest,
                (false, true) => nearest.next_up(),
                (false, false) => nearest.next_down(),
            }
        });
        Ok(())
    }

    /// Refuses an answer whose total is no float, though each of its costs is one: nobody is told such a number.
    pub(crate) fn in_range(&self) -> Result<&Self, Error> {
        if self.cost.is_number() {
            Ok(self)
        } else {
            Err(Error::TotalOutOfRange)
        }
    }
}

/// Total of an answer: exact on the grid, else the sum of the true costs; infinite where floats do not reach.
fn total<V: CostValue>(
    terms: impl Iterator<Item = V> + Clone,
    reduced: &Reduced<'_, V>,
    vertices: usize,
) -> Result<V::Total, Error> {
    let grid = reduced.grid();
    if !grid.is_exact {
        let floats = terms.map(|term| term.to_f64());
        return Ok(V::total_from(0, || numbers::float_sum(floats)));
    }
    let mut units = 0i128;
    for term in terms {
        let sum = units.checked_add(reduced.units(term)?);
        units = sum.ok_or(Error::Overflow {
            vertices,
            bits_needed: 128,
            available: WIDE_BITS,
        })?;
    }
    Ok(V::total_from(units, || numbers::nearest_float(units, grid.exponent)))
}
