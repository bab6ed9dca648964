//! What it costs to put two things together.
//!
//! One trait, [`Cost`], says what it costs to put row `i` with column `j`. It is implemented by closures ([`from_fn`]),
//! matrices ([`DenseMatrix`], [`CondensedMatrix`]), points in space ([`Points`]), references and boxes, and it is
//! combined by its own methods: [`symmetrized`](Cost::symmetrized), [`negated`](Cost::negated),
//! [`scaled`](Cost::scaled), [`plus`](Cost::plus), [`restricted`](Cost::restricted); its rows and columns become the two sides of a
//! graph by [`two_sided`](Cost::two_sided).
//!
//! # Forbidden pairs
//! A pair that must not be formed is *data*, not a huge number: [`Cost::is_allowed`] is `false` for it and its cost is
//! never used. A huge number would have to beat every sum of costs, and would hide that no answer exists.
//!
//! # Overflow
//! Combining integer costs never wraps and never panics. A combined cost that does not fit its type makes
//! [`Cost::checked_pair`] return `None`; solvers read costs that way and answer
//! [`Error::CostOverflow`] with the pair. The unchecked [`Cost::pair`] then returns the
//! nearest value that fits. Only allowed pairs count.
//!
//! # Examples
//! ```
//! use matching_core::{Blossom, Cost, Error, cost};
//!
//! let rating = [1510_i64, 1180, 1495, 1220];
//! let party = [0, 0, 1, 1];
//! let gap = cost::from_fn(4, |i, j| (rating[i] - rating[j]).abs());
//! let other_party = gap.restricted(|i, j| party[i] != party[j]);
//! assert_eq!(other_party.pair(0, 2), 15);
//! assert!(!other_party.is_allowed(0, 1));
//!
//! let least = other_party.negated();
//! assert_eq!(least.checked_pair(0, 2), Some(-15));
//! # Ok::<(), Error>(())
//! ```

mod combine;
mod condensed;
mod dense;
mod embedded;
mod forward;
mod function;
#[cfg(feature = "nalgebra")]
mod nalgebra;
mod pairwise;
mod points;
mod two_sided;
mod value;

pub use combine::{Negated, Plus, Restricted, Scaled, Symmetrized};
pub use condensed::CondensedMatrix;
pub use dense::DenseMatrix;
pub use embedded::{Embedded, Norm};
pub use function::{
    FromFn, FromGroupFn, FromGroupOptionFn, FromSymmetricFn, from_fn, from_group_fn, from_group_option_fn,
    from_rectangular_fn, from_symmetric_fn,
};
pub use pairwise::Pairwise;
pub use points::Points;
pub(crate) use points::{ABSOLUTE_ERROR, RELATIVE_ERROR, check_coordinates};
pub use two_sided::TwoSided;
pub use value::CostValue;

use crate::error::Error;

/// The cost of putting row `i` with column `j`: two players, a player and a role, a state and an action.
///
/// Object safe. For matching, rows and columns are the same things, `pair` must be symmetric and the diagonal is
/// never read.
///
/// Only [`len`](Cost::len) and [`pair`](Cost::pair) are required. A type that forbids pairs overrides
/// [`is_allowed`](Cost::is_allowed) and [`has_forbidden`](Cost::has_forbidden) together; a type whose costs may fail
/// to fit overrides [`checked_pair`](Cost::checked_pair) and [`may_overflow`](Cost::may_overflow) together. A wrapper
/// forwards every method.
///
/// `Sync`, because engines read rows from several threads: a cost is a function of its indices, without memory of its
/// own. Solvers rely on that, on [`is_symmetric`](Cost::is_symmetric) where it says so, and on the other methods agreeing with
/// `pair`. Where that does not hold they may panic, answer wrongly, or not end without a [`Budget`](crate::Budget).
pub trait Cost: Sync {
    /// The number type of a single cost.
    type Value: CostValue;

    /// Number of rows.
    fn len(&self) -> usize;

    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of columns; the number of rows unless overridden.
    fn cols(&self) -> usize {
        self.len()
    }

    /// Cost of row `i` with column `j`; unspecified where the pair is not allowed, and the nearest value that fits
    /// where [`checked_pair`](Cost::checked_pair) is `None`.
    fn pair(&self, i: usize, j: usize) -> Self::Value;

    /// Cost of row `i` with column `j`, or `None` if it does not fit [`Cost::Value`].
    fn checked_pair(&self, i: usize, j: usize) -> Option<Self::Value> {
        Some(self.pair(i, j))
    }

    /// Whether [`checked_pair`](Cost::checked_pair) may return `None` for some pair.
    fn may_overflow(&self) -> bool {
        false
    }

    /// Whether row `i` may be put with column `j`.
    fn is_allowed(&self, _i: usize, _j: usize) -> bool {
        true
    }

    /// Whether `is_allowed` may return `false` for some pair.
    fn has_forbidden(&self) -> bool {
        false
    }

    /// Whether `pair(i, j) == pair(j, i)` and `is_allowed(i, j) == is_allowed(j, i)` are known by construction, so
    /// that they need not be checked.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// Where vertices are of two sides, no two of which pair within their own: how many there are of the first one, which come
    /// before the others. Who says so must forbid all pairs within a side. Lets engines leave odd circuits aside.
    fn first_side(&self) -> Option<usize> {
        None
    }

    /// All costs row by row, where they lie in memory like that: `len * cols` entries, forbidden ones and the diagonal
    /// unspecified. Lets engines read them in place.
    fn as_rows(&self) -> Option<&[Self::Value]> {
        None
    }

    /// Writes the costs of row `i` into `out`, one per column; forbidden entries and the diagonal are unspecified.
    ///
    /// # Panics
    /// If `out.len() != self.cols()`.
    fn fill_row(&self, i: usize, out: &mut [Self::Value]) {
        assert_eq!(out.len(), self.cols(), "one slot per column");
        let is_square = self.cols() == self.len();
        for (j, slot) in out.iter_mut().enumerate() {
            if j != i || !is_square {
                *slot = self.pair(i, j);
            }
        }
    }

    /// Writes the costs of row `i` with some columns into `out`, in their order; those of forbidden pairs and of the
    /// diagonal are unspecified. One call for many pairs: behind `dyn Cost` asking one by one takes longer than most
    /// costs do.
    ///
    /// # Panics
    /// If `out.len() != columns.len()`.
    fn fill_pairs(&self, i: usize, columns: &[usize], out: &mut [Self::Value]) {
        assert_eq!(out.len(), columns.len(), "one slot per column");
        let is_square = self.cols() == self.len();
        for (slot, &j) in out.iter_mut().zip(columns) {
            // As for whole rows: a cost of matching may have no diagonal to read.
            if j != i || !is_square {
                *slot = self.pair(i, j);
            }
        }
    }

    /// Writes which columns are allowed for row `i`, column `j` in bit `j % 64` of word `j / 64`. The bit of the
    /// diagonal is unspecified; bits past the last column are zero.
    ///
    /// # Panics
    /// If `out.len() != self.cols().div_ceil(64)`.
    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        assert_eq!(out.len(), self.cols().div_ceil(64), "one bit per column");
        out.fill(0);
        let is_square = self.cols() == self.len();
        for j in (0..self.cols()).filter(|&j| j != i || !is_square) {
            out[j / 64] |= u64::from(self.is_allowed(i, j)) << (j % 64);
        }
    }

    /// `pair(i, j) + pair(j, i)`, allowed where both are: what two sides that judge differently cost together.
    ///
    /// Symmetric by construction. The diagonal is not used. Of a rectangular cost the pairs that only one direction has
    /// are not allowed; solvers refuse it as they refuse the cost itself ([`Error::NotSquare`]).
    fn symmetrized(self) -> Symmetrized<Self>
    where
        Self: Sized,
    {
        Symmetrized::new(self)
    }

    /// Rows and columns as two sides of one graph: vertex `i` is row `i`, vertex `len + j` is column `j`, and a pair is a row
    /// and a column. So whatever solves matchings solves assignments: players to roles, mentors to beginners, games to
    /// servers.
    ///
    /// Of a square cost [`MinPerfect`](crate::Objective::MinPerfect) gives every row a column. Where there are more of one
    /// side than of the other, [`MaxCardinality`](crate::Objective::MaxCardinality) gives everybody of the smaller side a
    /// partner, and of those assignments the one of greatest weight: of the [`negated`](Cost::negated) cost that is the
    /// cheapest. Unlike elsewhere, the diagonal of a square cost is a pair like any other.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, Cost, Error, Objective, cost};
    ///
    /// // What three players lose in each of four roles; one role stays open.
    /// let loss = cost::DenseMatrix::new(3, 4, vec![4_i64, 1, 3, 9, 2, 0, 5, 8, 3, 2, 2, 9])?;
    /// let sides = loss.negated().two_sided();
    /// let best = Blossom::new().objective(Objective::MaxCardinality).solve(&sides)?;
    /// assert_eq!(best.cost(), -5);
    /// assert_eq!((0..3).map(|i| best.mate(i).map(|v| v - 3)).collect::<Vec<_>>(), [Some(1), Some(0), Some(2)]);
    /// assert!(best.verify(&sides).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    fn two_sided(self) -> TwoSided<Self>
    where
        Self: Sized,
    {
        TwoSided::new(self)
    }

    /// `-pair(i, j)`: turns a gain into a cost.
    ///
    /// The least value of an integer type has no negative: [`checked_pair`](Cost::checked_pair) is `None` there.
    fn negated(self) -> Negated<Self>
    where
        Self: Sized,
    {
        Negated::new(self)
    }

    /// `factor * pair(i, j)`.
    fn scaled(self, factor: Self::Value) -> Scaled<Self>
    where
        Self: Sized,
    {
        Scaled::new(self, factor)
    }

    /// `pair(i, j) + other.pair(i, j)`, allowed where both are.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the two differ in rows or columns.
    fn plus<C: Cost<Value = Self::Value>>(self, other: C) -> Result<Plus<Self, C>, Error>
    where
        Self: Sized,
    {
        Plus::new(self, other)
    }

    /// The same costs, with only those pairs allowed for which `allow(i, j)` is true too. For matching, `allow` must
    /// be symmetric as costs must be; that is checked.
    fn restricted<F: Fn(usize, usize) -> bool + Sync>(self, allow: F) -> Restricted<Self, F>
    where
        Self: Sized,
    {
        Restricted::new(self, allow)
    }
}

/// What [`GroupCost::group_bound`] knows of groups that are not complete.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GroupBound<V> {
    /// Nothing.
    Unknown,
    /// Those of them that are allowed cost at least this.
    AtLeast(V),
    /// None of them is allowed.
    Forbidden,
}

/// The cost of a whole group.
///
/// Object safe. [`Pairwise`] makes one of a [`Cost`] by summing pairs, [`from_group_fn`] one of a closure,
/// [`from_group_option_fn`] one of a closure that forbids some groups.
///
/// As a [`Cost`], it is a function of who the members are, without memory of its own, and solvers rely on that.
pub trait GroupCost {
    /// The number type of a single cost.
    type Value: CostValue;

    /// Number of things to be grouped.
    fn len(&self) -> usize;

    /// Whether there is nothing to be grouped.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Cost of putting exactly `members` together; the nearest value that fits where
    /// [`checked_group`](GroupCost::checked_group) is `None` for lack of room.
    fn group(&self, members: &[usize]) -> Self::Value;

    /// Cost of putting exactly `members` together, or `None` if it does not fit [`GroupCost::Value`].
    fn checked_group(&self, members: &[usize]) -> Option<Self::Value> {
        Some(self.group(members))
    }

    /// Whether exactly `members` may be put together.
    fn is_group_allowed(&self, _members: &[usize]) -> bool {
        true
    }

    /// Whether `is_group_allowed` may return `false` for some group.
    fn has_forbidden_groups(&self) -> bool {
        false
    }

    /// What is known of all groups that have these members and exactly `more` others: exact searches leave out what
    /// cannot be better by it. Asked with members in any order, and with none for all groups of `more`.
    ///
    /// The answer must be true of every such group, and need not say all there is to say. Nothing, as here, is always
    /// true; then an exact search looks at every group there is.
    fn group_bound(&self, _members: &[usize], _more: usize) -> GroupBound<Self::Value> {
        GroupBound::Unknown
    }

    /// The cost of `members`, or `None` if they may not be put together: what
    /// [`is_group_allowed`](GroupCost::is_group_allowed) and [`group`](GroupCost::group) say, in one call. For costs
    /// that know both at once; searches ask for nothing else.
    fn group_if_allowed(&self, members: &[usize]) -> Option<Self::Value> {
        (!self.has_forbidden_groups() || self.is_group_allowed(members)).then(|| self.group(members))
    }

    /// Writes down about `members` what makes [`group_if_exchanged`](GroupCost::group_if_exchanged) fast, in whatever
    /// form the cost likes. Searches that ask about many exchanges of one group write it down once; no notes, as here,
    /// say that asking afresh is as fast.
    fn take_notes(&self, _members: &[usize], notes: &mut Vec<i32>) {
        notes.clear();
    }

    /// What [`group_if_allowed`](GroupCost::group_if_allowed) says of `members` once those at the positions `leave`
    /// have left and as many, `join`, have come: the same value, bit for bit. `notes` are those that
    /// [`take_notes`](GroupCost::take_notes) wrote about `members` in this order; nobody leaves or joins twice, and who
    /// joins is not among `members`.
    ///
    /// # Panics
    /// May panic if a position is not below the number of members.
    fn group_if_exchanged(
        &self,
        members: &[usize],
        _notes: &[i32],
        leave: &[usize],
        join: &[usize],
    ) -> Option<Self::Value> {
        let mut exchanged = members.to_vec();
        for (&at, &player) in leave.iter().zip(join) {
            exchanged[at] = player;
        }
        exchanged.sort_unstable();
        self.group_if_allowed(&exchanged)
    }

    /// What [`group_if_exchanged`](GroupCost::group_if_exchanged) says for each of several sets that may come in the
    /// place of those who leave: `join` has one set after another, each of as many as leave, and `costs` one entry for
    /// each. For costs that know faster than one by one; searches ask for up to a few dozen sets at once.
    ///
    /// # Panics
    /// As [`group_if_exchanged`](GroupCost::group_if_exchanged), and if nobody leaves.
    fn groups_if_exchanged(
        &self,
        members: &[usize],
        notes: &[i32],
        leave: &[usize],
        join: &[usize],
        costs: &mut Vec<Option<Self::Value>>,
    ) {
        costs.clear();
        let sets = join.chunks_exact(leave.len());
        costs.extend(sets.map(|join| self.group_if_exchanged(members, notes, leave, join)));
    }
}

#[cfg(test)]
mod tests;
