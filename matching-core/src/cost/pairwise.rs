//! From pairs to groups.

use super::{Cost, CostValue, GroupCost};

/// The cost of a group as the sum over its pairs, lower position first.
///
/// Explicit, so that a solver which needs additive costs can ask for exactly this type.
///
/// # Examples
/// ```
/// use matching_core::GroupCost;
/// use matching_core::cost::{self, Pairwise};
///
/// let cost = Pairwise(cost::from_fn(5, |i, j| (i + j) as i64));
/// assert_eq!(cost.group(&[0, 1, 4]), 1 + 4 + 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairwise<C>(pub C);

impl<C> Pairwise<C> {
    /// The cost of pairs.
    pub fn pairs(&self) -> &C {
        &self.0
    }
}

/// The pairs of a slice, earlier position first.
fn pairs(members: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    members
        .iter()
        .enumerate()
        .flat_map(|(at, &i)| members[at + 1..].iter().map(move |&j| (i, j)))
}

impl<C: Cost> GroupCost for Pairwise<C> {
    type Value = C::Value;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn group(&self, members: &[usize]) -> C::Value {
        pairs(members).fold(num_traits::zero(), |sum: C::Value, (i, j)| {
            sum.saturating_add(self.0.pair(i, j))
        })
    }

    fn checked_group(&self, members: &[usize]) -> Option<C::Value> {
        pairs(members).try_fold(num_traits::zero(), |sum: C::Value, (i, j)| {
            sum.checked_add(self.0.checked_pair(i, j)?)
        })
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        pairs(members).all(|(i, j)| self.0.is_allowed(i, j))
    }

    fn has_forbidden_groups(&self) -> bool {
        self.0.has_forbidden()
    }
}
