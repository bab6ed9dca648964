//! What it costs to put two things together.

mod value;

pub use value::CostValue;

/// The cost of putting row `i` with column `j`: two players, a player and a role, a state and an action.
///
/// Object safe. For matching, rows and columns are the same things, `pair` must be symmetric and the diagonal is
/// never read.
pub trait Cost {
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

    /// Cost of row `i` with column `j`; unspecified where the pair is not allowed.
    fn pair(&self, i: usize, j: usize) -> Self::Value;

    /// Whether row `i` may be put with column `j`.
    fn is_allowed(&self, _i: usize, _j: usize) -> bool {
        true
    }

    /// Whether `is_allowed` may return `false` for some pair.
    fn has_forbidden(&self) -> bool {
        false
    }

    /// Whether `pair(i, j) == pair(j, i)` is known by construction, so that it need not be checked.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// Writes the costs of row `i` into `out`, one per column; forbidden entries and the diagonal are unspecified.
    ///
    /// # Panics
    /// If `out.len() != self.cols()`.
    fn fill_row(&self, i: usize, out: &mut [Self::Value]) {
        assert_eq!(out.len(), self.cols(), "one slot per column");
        for (j, slot) in out.iter_mut().enumerate() {
            if j != i || self.cols() != self.len() {
                *slot = self.pair(i, j);
            }
        }
    }

    /// Writes which columns are allowed for row `i`, column `j` in bit `j % 64` of word `j / 64`.
    ///
    /// # Panics
    /// If `out.len() != self.cols().div_ceil(64)`.
    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        assert_eq!(out.len(), self.cols().div_ceil(64), "one bit per column");
        out.fill(0);
        for j in 0..self.cols() {
            out[j / 64] |= u64::from(self.is_allowed(i, j)) << (j % 64);
        }
    }
}

/// The cost of a whole group.
pub trait GroupCost {
    /// The number type of a single cost.
    type Value: CostValue;

    /// Number of things to be grouped.
    fn len(&self) -> usize;

    /// Whether there is nothing to be grouped.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Cost of putting exactly `members` together.
    fn group(&self, members: &[usize]) -> Self::Value;
}
