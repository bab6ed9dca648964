//! Things in space numbered along a curve through it, so that neighbours lie close in memory.
//!
//! The curve is that of Morton: bits of the coordinates in turn, the highest first. Points that are in order already
//! stay so, more or less, and a sort takes little beside a solve.

use crate::blossom::Objective;
use crate::cost::{Cost, Embedded, Norm};
use crate::engine::Order;

/// Bits of a place on the curve, and the most that one axis gets of them.
const BITS: usize = 63;
const BITS_OF_AXIS: usize = 20;

/// A cost whose things have other numbers.
#[derive(Debug)]
pub(super) struct Placed<'c, C> {
    cost: &'c C,
    /// The caller's numbers.
    things: Vec<u32>,
}

impl<'c, C> Placed<'c, C> {
    /// In the order of the curve through these points.
    pub(super) fn new<const D: usize>(cost: &'c C, points: &[[f64; D]]) -> Self {
        let keys = keys(points);
        let mut things: Vec<u32> = (0..points.len() as u32).collect();
        things.sort_by_key(|&thing| keys[thing as usize]);
        Self { cost, things }
    }

    /// What the objective says of things, by their numbers here.
    pub(super) fn objective(&self, objective: &Objective<i64>) -> Objective<i64> {
        let moved = |costs: &[i64]| self.things.iter().map(|&thing| costs[thing as usize]).collect();
        match objective {
            Objective::MinOptOut(costs) => Objective::MinOptOut(moved(costs)),
            Objective::MinBye(costs) => Objective::MinBye(moved(costs)),
            other => other.clone(),
        }
    }

    /// The order of so many vertices: all things, perhaps a second time, or one vertex more.
    pub(super) fn order(&self, vertices: usize) -> Order {
        let n = self.things.len();
        let vertex = |place: usize| match place % n.max(1) {
            _ if vertices == n + 1 && place == n => n as u32,
            at => self.things[at] + (place - at) as u32,
        };
        Order::new((0..vertices).map(vertex).collect())
    }

    fn thing(&self, place: usize) -> usize {
        self.things[place] as usize
    }
}

/// Where points lie on the curve.
fn keys<const D: usize>(points: &[[f64; D]]) -> Vec<u64> {
    let axes = D.min(BITS);
    let bits = (BITS / axes.max(1)).min(BITS_OF_AXIS);
    let (mut low, mut high) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for point in points {
        for ((low, high), &at) in low.iter_mut().zip(&mut high).zip(point) {
            (*low, *high) = (low.min(at), high.max(at));
        }
    }
    // One scale for all axes: what is far counts, on whichever axis.
    let widths = low.iter().zip(&high).map(|(low, high)| high - low);
    let width = widths.fold(f64::MIN_POSITIVE, f64::max);
    let last = ((1_u64 << bits) - 1) as f64;
    let key = |point: &[f64; D]| {
        let mut key = 0;
        for bit in (0..bits).rev() {
            for (at, low) in point.iter().zip(&low).take(axes) {
                let step = ((at - low) / width * last) as u64;
                key = key << 1 | step >> bit & 1;
            }
        }
        key
    };
    points.iter().map(key).collect()
}

impl<C: Cost> Cost for Placed<'_, C> {
    type Value = C::Value;

    fn len(&self) -> usize {
        self.things.len()
    }

    fn pair(&self, i: usize, j: usize) -> C::Value {
        self.cost.pair(self.thing(i), self.thing(j))
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<C::Value> {
        self.cost.checked_pair(self.thing(i), self.thing(j))
    }

    fn may_overflow(&self) -> bool {
        self.cost.may_overflow()
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.cost.is_allowed(self.thing(i), self.thing(j))
    }

    fn has_forbidden(&self) -> bool {
        self.cost.has_forbidden()
    }

    fn is_symmetric(&self) -> bool {
        self.cost.is_symmetric()
    }
}

impl<C: Embedded<D>, const D: usize> Embedded<D> for Placed<'_, C> {
    fn point(&self, i: usize) -> [f64; D] {
        self.cost.point(self.thing(i))
    }

    fn norm(&self) -> Norm {
        self.cost.norm()
    }

    fn reach(&self, cost: i64) -> f64 {
        self.cost.reach(cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Points;

    #[test]
    fn the_curve_goes_from_quarter_to_quarter() {
        let points: Vec<[f64; 2]> = (0..16).map(|at| [f64::from(at % 4), f64::from(at / 4)]).collect();
        let cost = Points::new(points.clone()).unwrap();
        let placed = Placed::new(&cost, &points);
        let quarters: Vec<u32> = placed.things.iter().map(|at| at % 4 / 2 * 2 + at / 8).collect();
        assert_eq!(quarters, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
        assert_eq!(placed.pair(0, 15), cost.pair(0, 15));
    }

    #[test]
    fn points_without_extent_stay_in_order() {
        let points = vec![[1e150; 3]; 5];
        let cost = Points::new(points.clone()).unwrap();
        assert_eq!(Placed::new(&cost, &points).things, [0, 1, 2, 3, 4]);
        let none = Points::<1>::new(vec![]).unwrap();
        assert!(Placed::new::<1>(&none, &[]).things.is_empty());
    }
}
