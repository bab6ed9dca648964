//! Costs computed by closures.

use core::fmt;

use super::{Cost, CostValue, GroupCost};

/// A [`Cost`] computed by a closure; made by [`from_fn`] and [`from_rectangular_fn`].
#[derive(Clone, Copy)]
pub struct FromFn<F> {
    rows: usize,
    cols: usize,
    function: F,
}

/// The costs `function(i, j)` of `len` rows and as many columns.
///
/// For matching the function must be symmetric; that is checked, at the price of calling it for both orders of every
/// pair. [`from_symmetric_fn`] calls it once a pair and is right by construction.
///
/// # Examples
/// ```
/// use matching_core::{Cost, cost};
///
/// let distance = cost::from_fn(4, |i, j| (i as i64 - j as i64).abs());
/// assert_eq!(distance.pair(0, 3), 3);
/// ```
pub fn from_fn<V: CostValue, F: Fn(usize, usize) -> V + Sync>(len: usize, function: F) -> FromFn<F> {
    FromFn {
        rows: len,
        cols: len,
        function,
    }
}

/// The costs `function(i, j)` of `rows` rows and `cols` columns, such as players and roles.
///
/// # Examples
/// ```
/// use matching_core::{Cost, cost};
///
/// let cost = cost::from_rectangular_fn(2, 3, |player, role| (10 * player + role) as i32);
/// let mut row = [0; 3];
/// cost.fill_row(1, &mut row);
/// assert_eq!(row, [10, 11, 12]);
/// ```
pub fn from_rectangular_fn<V: CostValue, F: Fn(usize, usize) -> V + Sync>(
    rows: usize,
    cols: usize,
    function: F,
) -> FromFn<F> {
    FromFn { rows, cols, function }
}

impl<F> fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromFn")
            .field("rows", &self.rows)
            .field("cols", &self.cols)
            .finish_non_exhaustive()
    }
}

impl<V: CostValue, F: Fn(usize, usize) -> V + Sync> Cost for FromFn<F> {
    type Value = V;

    fn len(&self) -> usize {
        self.rows
    }

    fn cols(&self) -> usize {
        self.cols
    }

    fn pair(&self, i: usize, j: usize) -> V {
        (self.function)(i, j)
    }
}

/// A [`Cost`] computed by a closure that is called with the lower index first; made by [`from_symmetric_fn`].
#[derive(Clone, Copy)]
pub struct FromSymmetricFn<F> {
    len: usize,
    function: F,
}

/// The costs `function(min(i, j), max(i, j))` of `len` rows and as many columns: symmetric by construction.
///
/// # Examples
/// ```
/// use matching_core::{Cost, cost};
///
/// let cost = cost::from_symmetric_fn(5, |low, high| 10 * low as i64 + high as i64);
/// assert_eq!(cost.pair(4, 1), 14);
/// assert!(cost.is_symmetric());
/// ```
pub fn from_symmetric_fn<V: CostValue, F: Fn(usize, usize) -> V + Sync>(len: usize, function: F) -> FromSymmetricFn<F> {
    FromSymmetricFn { len, function }
}

impl<F> fmt::Debug for FromSymmetricFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromSymmetricFn")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl<V: CostValue, F: Fn(usize, usize) -> V + Sync> Cost for FromSymmetricFn<F> {
    type Value = V;

    fn len(&self) -> usize {
        self.len
    }

    fn pair(&self, i: usize, j: usize) -> V {
        (self.function)(i.min(j), i.max(j))
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// A [`GroupCost`] computed by a closure; made by [`from_group_fn`].
#[derive(Clone, Copy)]
pub struct FromGroupFn<F> {
    len: usize,
    function: F,
}

/// The costs `function(members)` of groups of `len` things, all of which are allowed.
///
/// The function is a function of the set: its value must not depend on the order of members. Nothing is known of groups
/// that are not complete ([`GroupBound::Unknown`](super::GroupBound::Unknown)), and no group is forbidden:
/// [`from_group_option_fn`] forbids some. Costs that know more, or may not fit their type, implement [`GroupCost`]
/// themselves. A cost is `Sync`, as solvers ask for, where its closure is.
///
/// # Examples
/// ```
/// use matching_core::{GroupCost, cost};
///
/// // A team costs the gap between its best player and its worst.
/// let rating = [1510_i64, 1180, 1495, 1220];
/// let spread = cost::from_group_fn(4, |team| {
///     let ratings = || team.iter().map(|&player| rating[player]);
///     ratings().max().unwrap_or(0) - ratings().min().unwrap_or(0)
/// });
/// assert_eq!((spread.len(), spread.group(&[0, 2, 3])), (4, 290));
/// ```
pub fn from_group_fn<V: CostValue, F: Fn(&[usize]) -> V>(len: usize, function: F) -> FromGroupFn<F> {
    FromGroupFn { len, function }
}

impl<F> fmt::Debug for FromGroupFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromGroupFn")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl<V: CostValue, F: Fn(&[usize]) -> V> GroupCost for FromGroupFn<F> {
    type Value = V;

    fn len(&self) -> usize {
        self.len
    }

    fn group(&self, members: &[usize]) -> V {
        (self.function)(members)
    }
}

/// A [`GroupCost`] computed by a closure that forbids groups; made by [`from_group_option_fn`].
#[derive(Clone, Copy)]
pub struct FromGroupOptionFn<F> {
    len: usize,
    function: F,
}

/// The costs `function(members)` of groups of `len` things, where `None` forbids the group.
///
/// As [`from_group_fn`] otherwise. What a forbidden group costs reads zero, which nobody uses.
///
/// # Examples
/// ```
/// use matching_core::{GroupCost, cost};
///
/// // A team costs the gap between its best player and its worst; 0 and 1 are never in one team.
/// let rating = [1510_i64, 1180, 1495, 1220];
/// let spread = cost::from_group_option_fn(4, |team| {
///     let ratings = || team.iter().map(|&player| rating[player]);
///     let gap = ratings().max().unwrap_or(0) - ratings().min().unwrap_or(0);
///     (!(team.contains(&0) && team.contains(&1))).then_some(gap)
/// });
/// assert_eq!(spread.group_if_allowed(&[0, 2, 3]), Some(290));
/// assert_eq!(spread.group_if_allowed(&[0, 1, 2]), None);
/// ```
pub fn from_group_option_fn<V: CostValue, F: Fn(&[usize]) -> Option<V>>(
    len: usize,
    function: F,
) -> FromGroupOptionFn<F> {
    FromGroupOptionFn { len, function }
}

impl<F> fmt::Debug for FromGroupOptionFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromGroupOptionFn")
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl<V: CostValue, F: Fn(&[usize]) -> Option<V>> GroupCost for FromGroupOptionFn<F> {
    type Value = V;

    fn len(&self) -> usize {
        self.len
    }

    fn group(&self, members: &[usize]) -> V {
        (self.function)(members).unwrap_or_else(num_traits::zero)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        (self.function)(members).is_some()
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    fn group_if_allowed(&self, members: &[usize]) -> Option<V> {
        (self.function)(members)
    }
}
