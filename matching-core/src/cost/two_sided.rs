//! The rows and the columns of a cost as two sides.

use core::ops::Range;

use num_traits::Zero;

use super::Cost;

/// Rows and columns of a cost as two sides of one graph, in which a pair is a row and a column; made by
/// [`Cost::two_sided`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoSided<C> {
    inner: C,
}

impl<C: Cost> TwoSided<C> {
    pub(super) fn new(inner: C) -> Self {
        Self { inner }
    }

    /// What rows cost with columns.
    pub fn inner(&self) -> &C {
        &self.inner
    }

    /// Row and column of two vertices; `None` if they are of one side.
    fn row_and_column(&self, u: usize, v: usize) -> Option<(usize, usize)> {
        let (low, high) = (u.min(v), u.max(v));
        let rows = self.inner.len();
        (low < rows && high >= rows).then(|| (low, high - rows))
    }

    /// Row `i` with column `i`, which a square cost does not tell of where it tells of whole rows.
    fn diagonal(&self, i: usize) -> Option<usize> {
        (self.inner.len() == self.inner.cols()).then_some(i)
    }
}

impl<C: Cost> Cost for TwoSided<C> {
    type Value = C::Value;

    fn len(&self) -> usize {
        self.inner.len() + self.inner.cols()
    }

    fn pair(&self, i: usize, j: usize) -> C::Value {
        match self.row_and_column(i, j) {
            Some((row, column)) => self.inner.pair(row, column),
            None => C::Value::zero(),
        }
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<C::Value> {
        match self.row_and_column(i, j) {
            Some((row, column)) => self.inner.checked_pair(row, column),
            None => Some(C::Value::zero()),
        }
    }

    fn may_overflow(&self) -> bool {
        self.inner.may_overflow()
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        let pair = self.row_and_column(i, j);
        pair.is_some_and(|(row, column)| self.inner.is_allowed(row, column))
    }

    fn has_forbidden(&self) -> bool {
        true
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn first_side(&self) -> Option<usize> {
        Some(self.inner.len())
    }

    fn fill_row(&self, i: usize, out: &mut [C::Value]) {
        assert_eq!(out.len(), self.len(), "one slot per column");
        let (left, right) = out.split_at_mut(self.inner.len());
        if i < left.len() {
            self.inner.fill_row(i, right);
            if let Some(j) = self.diagonal(i) {
                right[j] = self.inner.pair(i, j);
            }
        } else {
            let column = i - left.len();
            for (row, slot) in left.iter_mut().enumerate() {
                *slot = self.inner.pair(row, column);
            }
        }
    }

    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        assert_eq!(out.len(), self.len().div_ceil(64), "one bit per column");
        out.fill(0);
        let rows = self.inner.len();
        if !self.inner.has_forbidden() {
            let others = if i < rows { rows..self.len() } else { 0..rows };
            return allow_range(out, others);
        }
        let mut allow = |j: usize, is_allowed: bool| out[j / 64] |= u64::from(is_allowed) << (j % 64);
        if i >= rows {
            (0..rows).for_each(|row| allow(row, self.inner.is_allowed(row, i - rows)));
            return;
        }
        let cols = self.inner.cols();
        let mut allowed = vec![0; cols.div_ceil(64)];
        self.inner.allowed_row(i, &mut allowed);
        if let Some(j) = self.diagonal(i) {
            allowed[j / 64] &= !(1 << (j % 64));
            allowed[j / 64] |= u64::from(self.inner.is_allowed(i, j)) << (j % 64);
        }
        let (words, bits) = (rows / 64, rows % 64);
        for (at, &word) in allowed.iter().enumerate() {
            out[words + at] |= word << bits;
            if bits > 0 && word >> (64 - bits) != 0 {
                out[words + at + 1] |= word >> (64 - bits);
            }
        }
    }
}

/// Sets the bits of these columns, none of which is set before.
fn allow_range(out: &mut [u64], columns: Range<usize>) {
    for (at, word) in out.iter_mut().enumerate() {
        let [from, to] = [columns.start, columns.end].map(|column| column.saturating_sub(64 * at).min(64));
        let below = |bits: usize| if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        *word = below(to) & !below(from);
    }
}
