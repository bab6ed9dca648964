//! What a group costs in which some players have come for others.

use matching_core::{Cost, CostValue};

use crate::instance::{Costs, Instance};
use crate::verify::{VerifyError, cost_of, sum};

/// Some players leave a group, and others come.
pub(super) struct Changed<'a, T> {
    pub(super) group: usize,
    /// Ascending.
    pub(super) before: &'a [usize],
    /// What it costs before.
    pub(super) cost: T,
    /// Ascending, as those who come.
    pub(super) leave: &'a [usize],
    pub(super) come: &'a [usize],
}

/// Whether only the pairs that come or go are counted: no sum of integers of 64 bits overflows a total, so that it does not
/// matter in which order they are.
fn is_by_change<V: CostValue>() -> bool {
    V::IS_INTEGER && size_of::<V>() <= size_of::<i64>()
}

/// About how many pairs are counted for the exchange of so many players of a group.
pub(super) fn pairs_counted<V: CostValue>(players: usize, group: usize) -> u64 {
    let of_each = if is_by_change::<V>() { 2 * players } else { group };
    (of_each.max(1) as u64).saturating_mul(group.max(1) as u64)
}

impl<T: CostValue> Changed<'_, T> {
    /// What the group costs then, and by how much more that is.
    ///
    /// # Errors
    /// The first thing that is wrong, as a count of the whole group comes across it.
    pub(super) fn count<V: CostValue<Total = T>>(&self, instance: &Instance<'_, V>) -> Result<(T, T), VerifyError> {
        let not_counted = VerifyError::NotCounted { group: self.group };
        match instance.costs {
            Costs::Pairs(cost) if is_by_change::<V>() => {
                let more = self.pairs_more(cost)?;
                Ok((sum(self.cost, more, self.group)?, more))
            }
            _ => {
                let after = cost_of(instance, self.group, &self.after())?;
                let more = self.cost.checked_neg().and_then(|less| after.checked_add(less));
                Ok((after, more.ok_or(not_counted)?))
            }
        }
    }

    /// The players of the group then, ascending.
    fn after(&self) -> Vec<usize> {
        let stay = self.before.iter().filter(|player| !self.leave.contains(player));
        let mut players: Vec<usize> = stay.chain(self.come).copied().collect();
        players.sort_unstable();
        players
    }

    /// What the pairs that come cost more than those that go. Those that stay have been counted.
    fn pairs_more<V: CostValue<Total = T>>(&self, cost: &dyn Cost<Value = V>) -> Result<T, VerifyError> {
        let group = self.group;
        let not_counted = || VerifyError::NotCounted { group };
        let mut more: T = num_traits::zero();
        let after = self.after();
        let has_forbidden = cost.has_forbidden();
        for (i, j) in pairs_of(self.come, &after) {
            if has_forbidden && !cost.is_allowed(i, j) {
                return Err(VerifyError::Forbidden { group, i, j });
            }
            let pair = cost.checked_pair(i, j).ok_or_else(not_counted)?;
            more = sum(more, pair.to_total(), group)?;
        }
        for (i, j) in pairs_of(self.leave, self.before) {
            let pair = cost.checked_pair(i, j).ok_or_else(not_counted)?;
            let less = pair.to_total().checked_neg().ok_or_else(not_counted)?;
            more = sum(more, less, group)?;
        }
        Ok(more)
    }
}

/// The pairs of a group, ascending, with one of some members at least: in the order in which all pairs of it are counted.
fn pairs_of<'a>(some: &'a [usize], group: &'a [usize]) -> impl Iterator<Item = (usize, usize)> {
    let pairs = group.iter().enumerate().map(move |(at, &i)| {
        // Of one of them all later pairs, of another member those with them.
        let others = match some.binary_search(&i) {
            Ok(_) => &group[at + 1..],
            Err(later) => &some[later..],
        };
        others.iter().map(move |&j| (i, j))
    });
    pairs.flatten()
}
