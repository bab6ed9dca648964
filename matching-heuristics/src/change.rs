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
///
/// What an allowed group costs is a reason to have fewer of them, which makes walks freer as long as it is not too much
/// ([`Toll::BEARABLE`]): what it costs beyond that, in the mean, a forbidden group counts as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Toll {
    price: f64,
    most: f64,
    /// What an allowed group may cost that a forbidden one does not count.
    bearable: f64,
    /// What it costs beyond that, once there was one.
    common: Option<f64>,
}

/// By how much the price rises after some moves that end in something forbidden.
const RISE: f64 = 1.25;
/// By how much it falls after some that do not: so a walk is out one time in twelve or so.
const FALL: f64 = 0.98;
/// The price never exceeds the first one by more than this, nor falls below it by more: it must come back.
const RANGE: f64 = 1e6;

impl Toll {
    /// An allowed group may cost so many first prices less than nothing, or more.
    const BEARABLE: f64 = 10.0;

    /// A first price; a few times the temperature, so that some moves pass.
    pub(crate) fn new(price: f64) -> Self {
        let price = price.min(f64::MAX / RANGE);
        Self {
            price,
            most: price * RANGE,
            bearable: Self::BEARABLE * price,
            common: None,
        }
    }

    /// A forbidden group counts all that an allowed one costs.
    pub(crate) fn in_full(self) -> Self {
        Self { bearable: 0.0, ..self }
    }

    /// Finds out what allowed groups cost, from a grouping of so many groups that may be forbidden.
    pub(crate) fn learn<S: Score>(&mut self, groups: usize, (forbidden, total): (u64, S)) {
        let allowed = (groups as u64).saturating_sub(forbidden);
        if allowed > 0 {
            self.assume(total.to_f64() / allowed as f64);
        }
    }

    fn assume(&mut self, allowed: f64) {
        if allowed.is_finite() {
            self.common = Some(allowed - allowed.clamp(-self.bearable, self.bearable));
        }
    }

    /// A change as the walk sees it.
    #[inline]
    pub(crate) fn apply<S: Score>(&mut self, change: &Change<S>) -> S {
        if change.forbidden == 0 {
            return change.cost;
        }
        if change.forbidden < 0 && self.common.is_none() {
            // The first allowed groups that are met.
            self.assume(change.cost.to_f64() / -f64::from(change.forbidden));
        }
        change.cost + S::from_f64(self.each() * f64::from(change.forbidden))
    }

    /// A total as the walk sees it.
    pub(crate) fn total<S: Score>(&self, (forbidden, total): (u64, S)) -> S {
        if forbidden == 0 {
            total
        } else {
            total + S::from_f64(self.each() * forbidden as f64)
        }
    }

    /// What each forbidden group counts.
    fn each(&self) -> f64 {
        self.common.unwrap_or(0.0) + self.price
    }

    /// Follows the walk, after every few moves, to a grouping of so many groups that may be forbidden.
    pub(crate) fn follow<S: Score>(&mut self, groups: usize, rank: (u64, S)) {
        self.learn(groups, rank);
        self.scale(if rank.0 > 0 { RISE } else { FALL });
    }

    /// Another price.
    pub(crate) fn scale(&mut self, factor: f64) {
        self.price = (self.price * factor).clamp(self.most / RANGE / RANGE, self.most);
    }
}
