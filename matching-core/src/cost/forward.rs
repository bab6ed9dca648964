//! References and owning pointers to costs are costs.

use std::sync::Arc;

use super::{Cost, Embedded, GroupBound, GroupCost, Norm};

macro_rules! forward {
    ($($pointer:ty: $bound:ident),*) => {$(
        impl<C: Cost + $bound + ?Sized> Cost for $pointer {
            type Value = C::Value;
            fn len(&self) -> usize { (**self).len() }
            fn is_empty(&self) -> bool { (**self).is_empty() }
            fn cols(&self) -> usize { (**self).cols() }
            fn pair(&self, i: usize, j: usize) -> C::Value { (**self).pair(i, j) }
            fn checked_pair(&self, i: usize, j: usize) -> Option<C::Value> { (**self).checked_pair(i, j) }
            fn may_overflow(&self) -> bool { (**self).may_overflow() }
            fn is_allowed(&self, i: usize, j: usize) -> bool { (**self).is_allowed(i, j) }
            fn has_forbidden(&self) -> bool { (**self).has_forbidden() }
            fn is_symmetric(&self) -> bool { (**self).is_symmetric() }
            fn first_side(&self) -> Option<usize> { (**self).first_side() }
            fn as_rows(&self) -> Option<&[C::Value]> { (**self).as_rows() }
            fn fill_row(&self, i: usize, out: &mut [C::Value]) { (**self).fill_row(i, out); }
            fn fill_pairs(&self, i: usize, columns: &[usize], out: &mut [C::Value]) { (**self).fill_pairs(i, columns, out); }
            fn allowed_row(&self, i: usize, out: &mut [u64]) { (**self).allowed_row(i, out); }
        }

        impl<const D: usize, C: Embedded<D> + $bound + ?Sized> Embedded<D> for $pointer {
            fn point(&self, i: usize) -> [f64; D] { (**self).point(i) }
            fn norm(&self) -> Norm { (**self).norm() }
            fn reach(&self, cost: i64) -> f64 { (**self).reach(cost) }
        }

        impl<C: GroupCost + $bound + ?Sized> GroupCost for $pointer {
            type Value = C::Value;
            fn len(&self) -> usize { (**self).len() }
            fn is_empty(&self) -> bool { (**self).is_empty() }
            fn group(&self, members: &[usize]) -> C::Value { (**self).group(members) }
            fn checked_group(&self, members: &[usize]) -> Option<C::Value> { (**self).checked_group(members) }
            fn is_group_allowed(&self, members: &[usize]) -> bool { (**self).is_group_allowed(members) }
            fn has_forbidden_groups(&self) -> bool { (**self).has_forbidden_groups() }
            fn group_bound(&self, members: &[usize], more: usize) -> GroupBound<C::Value> { (**self).group_bound(members, more) }
            fn group_if_allowed(&self, members: &[usize]) -> Option<C::Value> { (**self).group_if_allowed(members) }
            fn take_notes(&self, members: &[usize], notes: &mut Vec<i32>) { (**self).take_notes(members, notes); }
            fn group_if_exchanged(&self, members: &[usize], notes: &[i32], leave: &[usize], join: &[usize]) -> Option<C::Value> {
                (**self).group_if_exchanged(members, notes, leave, join)
            }
            fn groups_if_exchanged(
                &self,
                members: &[usize],
                notes: &[i32],
                leave: &[usize],
                join: &[usize],
                costs: &mut Vec<Option<C::Value>>,
            ) {
                (**self).groups_if_exchanged(members, notes, leave, join, costs);
            }
        }
    )*};
}
forward!(&C: Sync, Box<C>: Sync, Arc<C>: Send);
