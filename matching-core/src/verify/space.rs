//! Answers about things in space, checked without looking at pairs that are surely too far apart.
//!
//! An edge of cost `c` can have negative slack only where `2 c < Y_u + Y_v`, with `Y_v` the sum of the duals of vertex `v` and of
//! the sets around it. So two sets of things can be passed over as a whole if such a cost does not reach from the box around
//! one to the box around the other, by the greatest `Y` of each. The boxes are of the checker's own; with the solver it shares
//! what a cost promises of itself, [`Embedded::reach`].

use super::duals::Duals;
use super::error::VerifyError;
use super::graph::Graph;
use super::reduced::Reduced;
use super::{Claim, check_claim};
use crate::cost::{ABSOLUTE_ERROR, Cost, Embedded, RELATIVE_ERROR, check_coordinates};
use crate::edge_list::EdgeList;
use crate::error::Error;
use crate::instance::Opaque;
use crate::solution::Solution;

/// So many things are not divided any more.
const TOGETHER: usize = 8;

impl Solution<i64> {
    /// Checks this answer against things in space: [`verify::claim_embedded`](claim_embedded).
    ///
    /// # Errors
    /// The first thing found wrong.
    pub fn verify_embedded<C: Embedded<D>, const D: usize>(&self, cost: &C) -> Result<(), VerifyError> {
        claim_embedded(cost, &Claim::from(self))
    }
}

/// Checks an answer about things in space as [`claim`](super::claim) does, and looks at those pairs alone that could refute it:
/// none that is farther apart than the dual values of both allow.
///
/// What the cost promises of itself is relied on, as solvers do: see [`Embedded`]. Where the greatest total is asked for, far pairs
/// matter, and all are looked at.
///
/// # Errors
/// The first thing found wrong.
///
/// # Complexity
/// O(n) space, and close to O(n log n) time for the usual points; at worst, as where a set around many things has a great dual value,
/// all pairs are looked at.
///
/// # Examples
/// ```
/// use matching_core::{Blossom, cost::Points};
///
/// let points = Points::new(vec![[0.0, 0.0], [10.0, 0.0], [10.0, 1.0], [0.0, 2.0]])?;
/// let pairing = Blossom::new().solve_embedded(&points)?;
/// assert!(pairing.verify_embedded(&points).is_ok());
///
/// let moved = Points::new(vec![[0.0, 0.0], [10.0, 0.0], [10.0, 1.0], [3.0, 2.0]])?;
/// assert!(pairing.verify_embedded(&moved).is_err());
/// # Ok::<(), matching_core::Error>(())
/// ```
pub fn claim_embedded<C: Embedded<D>, const D: usize>(cost: &C, claim: &Claim<'_, i64>) -> Result<(), VerifyError> {
    if claim.objective.is_maximum() || cost.cols() != cost.len() {
        return check_claim(&Opaque(&cost), claim);
    }
    // All but the slacks of other pairs is as for a list of the pairs that are matched.
    let matched = matched(cost, claim)?;
    check_claim(&matched, claim)?;
    let places: Vec<[f64; D]> = (0..cost.len()).map(|i| cost.point(i)).collect();
    check_coordinates(&places)?;
    Graph::read(&matched, |graph| {
        let reduced = Reduced::new(graph, claim.objective, claim.certificate.exponent())?;
        let duals = Duals::new(reduced.len(), claim.certificate)?;
        for shift in reduced.copies() {
            let near = Near {
                cost,
                places: &places,
                reduced: &reduced,
                duals: &duals,
                shift,
            };
            let mut all: Vec<u32> = (0..places.len() as u32).collect();
            if let Some(boxed) = near.boxed(&mut all) {
                near.check_within(&boxed)?;
            }
        }
        Ok(())
    })
}

/// The pairs that are said to be matched, as far as the cost has them.
fn matched<C: Embedded<D>, const D: usize>(cost: &C, claim: &Claim<'_, i64>) -> Result<EdgeList<i64>, VerifyError> {
    let mates = claim.mates.iter().enumerate();
    let pairs = mates.map(|(u, &v)| (u, v as usize));
    let pairs = pairs.filter(|&(u, v)| u < v && v < cost.len() && cost.is_allowed(u, v));
    let pairs = pairs.map(|(u, v)| Ok((u, v, fitting(cost, u, v)?)));
    Ok(EdgeList::new(cost.len(), pairs.collect::<Result<Vec<_>, Error>>()?)?)
}

fn fitting<C: Cost>(cost: &C, u: usize, v: usize) -> Result<C::Value, Error> {
    cost.checked_pair(u, v).ok_or(Error::CostOverflow { u, v })
}

/// What decides which pairs are looked at.
struct Near<'a, C, const D: usize> {
    cost: &'a C,
    places: &'a [[f64; D]],
    reduced: &'a Reduced<'a, i64>,
    duals: &'a Duals,
    /// From vertices to those of the copy that is looked at.
    shift: usize,
}

/// Some things, the box around them, and the greatest `Y` of any; both halves of them, unless they are few.
struct Boxed<'a, const D: usize> {
    things: &'a [u32],
    low: [f64; D],
    high: [f64; D],
    most: i128,
    halves: Option<Box<[Boxed<'a, D>; 2]>>,
}

impl<C: Embedded<D>, const D: usize> Near<'_, C, D> {
    /// Boxes around things, which are put in an order in which halves lie side by side; none around nothing.
    fn boxed<'b>(&self, things: &'b mut [u32]) -> Option<Boxed<'b, D>> {
        let (&first, rest) = things.split_first()?;
        let (mut low, mut high) = (self.places[first as usize], self.places[first as usize]);
        let mut most = self.total(first);
        for &thing in rest {
            let place = &self.places[thing as usize];
            for axis in 0..D {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
            most = most.max(self.total(thing));
        }
        if things.len() <= TOGETHER {
            return Some(Boxed {
                things,
                low,
                high,
                most,
                halves: None,
            });
        }
        let width = |axis: usize| high[axis] - low[axis];
        let widest = (0..D).max_by(|&a, &b| width(a).total_cmp(&width(b))).unwrap_or(0);
        let middle = things.len() / 2;
        let along = |&thing: &u32| self.places[thing as usize].get(widest).copied().unwrap_or(0.0);
        things.select_nth_unstable_by(middle, |a, b| along(a).total_cmp(&along(b)));
        let (one, other) = things.split_at_mut(middle);
        let halves = self.boxed(one).zip(self.boxed(other));
        Some(Boxed {
            things: &[],
            low,
            high,
            most,
            halves: halves.map(|(one, other)| Box::new([one, other])),
        })
    }

    fn total(&self, thing: u32) -> i128 {
        self.duals.total(thing as usize + self.shift)
    }

    /// Checks all pairs of these things that could be wrong.
    fn check_within(&self, boxed: &Boxed<'_, D>) -> Result<(), VerifyError> {
        match boxed.halves.as_deref() {
            Some([one, other]) => {
                self.check_within(one)?;
                self.check_within(other)?;
                self.check_between(one, other)
            }
            None => {
                let mut things = boxed.things.iter();
                while let Some(&u) = things.next() {
                    things.as_slice().iter().try_for_each(|&v| self.check_pair(u, v))?;
                }
                Ok(())
            }
        }
    }

    /// The same of one thing from here and one from there.
    fn check_between(&self, one: &Boxed<'_, D>, other: &Boxed<'_, D>) -> Result<(), VerifyError> {
        if self.are_clear(one, other) {
            return Ok(());
        }
        match (one.halves.as_deref(), other.halves.as_deref()) {
            (Some(halves), Some(_)) if one.width() >= other.width() => {
                halves.iter().try_for_each(|half| self.check_between(half, other))
            }
            (Some(halves), None) => halves.iter().try_for_each(|half| self.check_between(half, other)),
            (_, Some(halves)) => halves.iter().try_for_each(|half| self.check_between(one, half)),
            (None, None) => {
                let pairs = one
                    .things
                    .iter()
                    .flat_map(|&u| other.things.iter().map(move |&v| (u, v)));
                pairs.into_iter().try_for_each(|(u, v)| self.check_pair(u, v))
            }
        }
    }

    /// Whether surely no pair of them has negative slack; not where the sum of both `Y` does not fit, which some pair then has, if
    /// it is allowed.
    ///
    /// Such a pair costs at most `cost` below. So its true distance is at most the reach of that, its computed one at most
    /// `radius`, and that of the boxes, as it is computed, no more: differences between sides do not exceed those between
    /// what is inside, before and after rounding, and so on through the length.
    fn are_clear(&self, one: &Boxed<'_, D>, other: &Boxed<'_, D>) -> bool {
        let Some(below) = one.most.checked_add(other.most).and_then(|most| most.checked_sub(1)) else {
            return false;
        };
        let cost = below.div_euclid(2);
        if cost < i128::from(i64::MIN) {
            return true;
        }
        let reach = self.cost.reach(i64::try_from(cost).unwrap_or(i64::MAX));
        if reach < 0.0 {
            return true;
        }
        let radius = reach * (1.0 + RELATIVE_ERROR) + ABSOLUTE_ERROR;
        let gap: [f64; D] = core::array::from_fn(|axis| {
            (other.low[axis] - one.high[axis])
                .max(one.low[axis] - other.high[axis])
                .max(0.0)
        });
        self.cost.norm().length(&gap) > radius
    }

    fn check_pair(&self, u: u32, v: u32) -> Result<(), VerifyError> {
        let (u, v) = (u.min(v) as usize, u.max(v) as usize);
        if !self.cost.is_allowed(u, v) {
            return Ok(());
        }
        let units = self.reduced.cost(u, v, fitting(self.cost, u, v)?)?;
        self.duals.check_edge(u + self.shift, v + self.shift, units)
    }
}

impl<const D: usize> Boxed<'_, D> {
    fn width(&self) -> f64 {
        let widths = self.high.iter().zip(&self.low).map(|(high, low)| high - low);
        widths.fold(0.0, f64::max)
    }
}
