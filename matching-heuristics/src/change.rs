//! What a move changes, and what a walk makes of groups that are forbidden.

use crate::score::Score;

/// What a move changes: the number of forbidden groups first, since that comes before any cost.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct Change<S> {
    /// Forbidden groups more.
    pub(crate) forbidden: i32,
    /// Cost of the allowed groups more.
    pub(crate) cost: S,
}

impl<S: Score> Change<S> {
    /// Nothing changes.
    pub(crate) const NONE: Self = Self {
        forbidden: 0,
        cost: S::ZERO,
    };

    /// Where nothing is forbidden, or nothing of it changes.
    pub(crate) fn of_cost(cost: S) -> Self {
        Self { forbidden: 0, cost }
    }
}

/// What a forbidden group counts for a walk: a price, so that it can pass through groupings that are not allowed.
///
/// What is allowed may fall apart into islands between which no single move leads. At a fixed price a walk either never
/// leaves its island or, where forbidden groups are cheap, never comes back. So the price falls slowly while nothing is
/// forbidden and rises fast while something is: the walk goes out now and then and always returns (strategic
/// oscillation). What it returns in the end is chosen by the number of forbidden groups first, whatever the price.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Toll {
    price: f64,
    most: f64,
}

/// By how much the price rises after some moves that end in something forbidden.
const RISE: f64 = 1.25;
/// By how much it falls after some that do not: so a walk is out one time in twelve or so.
const FALL: f64 = 0.98;
/// The price never exceeds the first one by more than this, nor falls below it by more: it must come back.
const RANGE: f64 = 1e6;

impl Toll {
    /// A first price; a few times the temperature, so that some moves pass.
    pub(crate) fn new(price: f64) -> Self {
        Self {
            price,
            most: price * RANGE,
        }
    }

    /// A change as the walk sees it.
    #[inline]
    pub(crate) fn apply<S: Score>(&self, change: &Change<S>) -> S {
        if change.forbidden == 0 {
            change.cost
        } else {
            change.cost + S::from_f64(self.price * f64::from(change.forbidden))
        }
    }

    /// A total as the walk sees it.
    pub(crate) fn total<S: Score>(&self, (forbidden, total): (u64, S)) -> S {
        if forbidden == 0 {
            total
        } else {
            total + S::from_f64(self.price * forbidden as f64)
        }
    }

    /// Follows the walk, after every few moves.
    pub(crate) fn follow(&mut self, forbidden: u64) {
        self.scale(if forbidden > 0 { RISE } else { FALL });
    }

    /// Another price.
    pub(crate) fn scale(&mut self, factor: f64) {
        self.price = (self.price * factor).clamp(self.most / RANGE / RANGE, self.most);
    }
}
