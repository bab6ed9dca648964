//! Full matrices.

use super::{Cost, CostValue};
use crate::error::Error;

/// A cost matrix in memory, row by row, square or rectangular, with forbidden entries as data.
///
/// # Examples
/// ```
/// use matching_core::Error;
/// use matching_core::cost::{Cost, DenseMatrix};
///
/// let mut cost = DenseMatrix::from_rows([[0, 3, 5], [3, 0, 4], [5, 4, 0]])?;
/// cost.forbid_pair(0, 2);
/// assert_eq!(cost.pair(1, 2), 4);
/// assert!(!cost.is_allowed(2, 0));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "RawDense<V>",
        bound(deserialize = "V: CostValue + serde::Deserialize<'de>")
    )
)]
pub struct DenseMatrix<V> {
    rows: usize,
    cols: usize,
    data: Vec<V>,
    /// One bit per entry, `cols.div_ceil(64)` words a row; absent while everything is allowed.
    allowed: Option<Vec<u64>>,
}

/// What forbidden entries hold does not count, nor whether it was ever said of others that they are allowed. The
/// diagonal is compared as other entries are: where rows and columns are different things, it is a pair.
impl<V: CostValue> PartialEq for DenseMatrix<V> {
    fn eq(&self, other: &Self) -> bool {
        let is_alike = |at: usize| {
            let (i, j) = (at / self.cols, at % self.cols);
            let is_allowed = self.is_allowed(i, j);
            is_allowed == other.is_allowed(i, j) && (!is_allowed || self.data[at] == other.data[at])
        };
        (self.rows, self.cols) == (other.rows, other.cols) && (0..self.data.len()).all(is_alike)
    }
}

impl<V: CostValue> DenseMatrix<V> {
    /// A matrix of `rows * cols` entries, row by row.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are more or fewer entries.
    pub fn new(rows: usize, cols: usize, data: Vec<V>) -> Result<Self, Error> {
        let expected = rows.saturating_mul(cols);
        if data.len() != expected {
            return Err(Error::LengthMismatch {
                what: "matrix entries",
                expected,
                found: data.len(),
            });
        }
        Ok(Self {
            rows,
            cols,
            data,
            allowed: None,
        })
    }

    /// A matrix of as many rows as columns, row by row.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not `len * len` entries.
    pub fn square(len: usize, data: Vec<V>) -> Result<Self, Error> {
        Self::new(len, len, data)
    }

    /// A matrix from its rows.
    ///
    /// # Errors
    /// [`Error::RaggedRow`] if a row is longer or shorter than the first.
    pub fn from_rows<R: AsRef<[V]>>(rows: impl IntoIterator<Item = R>) -> Result<Self, Error> {
        let (mut count, mut cols, mut data) = (0, 0, Vec::new());
        for row in rows {
            let row = row.as_ref();
            if count == 0 {
                cols = row.len();
            } else if row.len() != cols {
                return Err(Error::RaggedRow {
                    row: count,
                    expected: cols,
                    found: row.len(),
                });
            }
            data.extend_from_slice(row);
            count += 1;
        }
        Ok(Self {
            rows: count,
            cols,
            data,
            allowed: None,
        })
    }

    /// A matrix of `rows * cols` entries, row by row, where `None` forbids.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are more or fewer entries.
    ///
    /// # Examples
    /// ```
    /// use matching_core::Error;
    /// use matching_core::cost::{Cost, DenseMatrix};
    ///
    /// let cost = DenseMatrix::from_options(2, 2, &[None, Some(1.5), Some(1.5), None])?;
    /// assert!(cost.has_forbidden() && cost.is_allowed(0, 1) && !cost.is_allowed(0, 0));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_options(rows: usize, cols: usize, entries: &[Option<V>]) -> Result<Self, Error> {
        let data = entries.iter().map(|entry| entry.unwrap_or(V::zero())).collect();
        let mut matrix = Self::new(rows, cols, data)?;
        for (at, _) in entries.iter().enumerate().filter(|(_, entry)| entry.is_none()) {
            matrix.forbid(at / cols, at % cols);
        }
        Ok(matrix)
    }

    /// Evaluates a cost once for every entry, so that later readers need not. The diagonal of a square cost is not
    /// evaluated: it reads zero and allowed, whatever the cost says. [`tabulate_all`](Self::tabulate_all) evaluates it.
    ///
    /// # Errors
    /// [`Error::CostOverflow`] if an allowed entry does not fit its type.
    ///
    /// # Panics
    /// If the entries take more than `isize::MAX` bytes, as a [`Vec`] does.
    pub fn tabulate<C: Cost<Value = V> + ?Sized>(cost: &C) -> Result<Self, Error> {
        let (rows, cols) = (cost.len(), cost.cols());
        let mut matrix = Self {
            rows,
            cols,
            data: vec![V::zero(); rows.saturating_mul(cols)],
            allowed: None,
        };
        for i in 0..rows {
            let row = &mut matrix.data[i * cols..][..cols];
            cost.fill_row(i, row);
            for (j, slot) in row.iter_mut().enumerate() {
                if i == j && rows == cols {
                    *slot = V::zero();
                } else if cost.may_overflow() && cost.is_allowed(i, j) {
                    *slot = cost.checked_pair(i, j).ok_or(Error::CostOverflow { u: i, v: j })?;
                }
            }
        }
        if cost.has_forbidden() {
            let words = cols.div_ceil(64);
            let mut allowed = vec![0; rows * words];
            for (i, row) in (0..rows).zip(allowed.chunks_exact_mut(words.max(1))) {
                cost.allowed_row(i, row);
                // Costs may leave this bit as they like; equal tables must have it equal.
                if rows == cols {
                    row[i / 64] |= 1 << (i % 64);
                }
            }
            matrix.allowed = Some(allowed);
        }
        Ok(matrix)
    }

    /// As [`tabulate`](Self::tabulate), with the diagonal of a square cost: where rows and columns are different things,
    /// such as states and actions, it is a pair like any other.
    ///
    /// # Errors
    /// [`Error::CostOverflow`] if an allowed entry does not fit its type.
    ///
    /// A cost that has no diagonal, as [`CondensedMatrix`](super::CondensedMatrix), does not allow it, and it is forbidden
    /// here.
    ///
    /// # Panics
    /// As [`tabulate`](Self::tabulate), and if a square cost panics when it is asked for its diagonal although it allows it: things are matched by such costs,
    /// for which [`tabulate`](Self::tabulate) is made.
    pub fn tabulate_all<C: Cost<Value = V> + ?Sized>(cost: &C) -> Result<Self, Error> {
        let mut matrix = Self::tabulate(cost)?;
        let diagonal = if matrix.rows == matrix.cols { matrix.rows } else { 0 };
        for i in 0..diagonal {
            if cost.is_allowed(i, i) {
                matrix.data[i * matrix.cols + i] = cost.checked_pair(i, i).ok_or(Error::CostOverflow { u: i, v: i })?;
            } else {
                matrix.forbid(i, i);
            }
        }
        Ok(matrix)
    }

    /// Forbids the entry of row `i` and column `j`, and only that one; matching needs
    /// [`forbid_pair`](DenseMatrix::forbid_pair).
    ///
    /// # Panics
    /// If there is no such entry.
    #[track_caller]
    pub fn forbid(&mut self, i: usize, j: usize) {
        self.check_entry(i, j);
        let words = self.cols.div_ceil(64);
        let (rows, cols) = (self.rows, self.cols);
        let allowed = self.allowed.get_or_insert_with(|| all_allowed(rows, cols));
        allowed[i * words + j / 64] &= !(1 << (j % 64));
    }

    /// Forbids the entries `(u, v)` and `(v, u)`.
    ///
    /// # Panics
    /// If there are no such entries.
    #[track_caller]
    pub fn forbid_pair(&mut self, u: usize, v: usize) {
        self.forbid(u, v);
        self.forbid(v, u);
    }

    /// Allows the entry of row `i` and column `j`, and only that one: it costs what was written there last, also while it
    /// was forbidden, or zero where `None` was.
    ///
    /// # Panics
    /// If there is no such entry.
    #[track_caller]
    pub fn allow(&mut self, i: usize, j: usize) {
        self.check_entry(i, j);
        let words = self.cols.div_ceil(64);
        if let Some(allowed) = &mut self.allowed {
            allowed[i * words + j / 64] |= 1 << (j % 64);
        }
    }

    /// Allows the entries `(u, v)` and `(v, u)`, as [`allow`](Self::allow).
    ///
    /// # Panics
    /// If there are no such entries.
    #[track_caller]
    pub fn allow_pair(&mut self, u: usize, v: usize) {
        self.allow(u, v);
        self.allow(v, u);
    }

    /// Writes the entry of row `i` and column `j`, and only that one; matching needs [`set_pair`](Self::set_pair). A
    /// forbidden entry stays forbidden.
    ///
    /// # Panics
    /// If there is no such entry.
    ///
    /// # Examples
    /// ```
    /// use matching_core::Error;
    /// use matching_core::cost::{Cost, DenseMatrix};
    ///
    /// let mut cost = DenseMatrix::from_rows([[0, 3], [4, 0]])?;
    /// cost.set(0, 1, 5);
    /// assert_eq!((cost.pair(0, 1), cost.pair(1, 0)), (5, 4));
    /// assert_eq!(cost.into_vec(), [0, 5, 4, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn set(&mut self, i: usize, j: usize, value: V) {
        self.check_entry(i, j);
        self.data[i * self.cols + j] = value;
    }

    /// Writes the entries `(u, v)` and `(v, u)`, as [`set`](Self::set).
    ///
    /// # Panics
    /// If there are no such entries.
    #[track_caller]
    pub fn set_pair(&mut self, u: usize, v: usize, value: V) {
        self.set(u, v, value);
        self.set(v, u, value);
    }

    /// All entries, row by row, the forbidden ones included.
    pub fn into_vec(self) -> Vec<V> {
        self.data
    }

    #[track_caller]
    fn check_entry(&self, i: usize, j: usize) {
        assert!(
            i < self.rows && j < self.cols,
            "entry ({i}, {j}) of a {} x {} matrix",
            self.rows,
            self.cols
        );
    }

    /// The entries of row `i`, the forbidden ones included.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, i: usize) -> &[V] {
        &self.data[i * self.cols..][..self.cols]
    }

    /// All entries, row by row, the forbidden ones included.
    pub fn as_slice(&self) -> &[V] {
        &self.data
    }
}

/// A mask with a one for every entry and zeros past the last column of each row.
fn all_allowed(rows: usize, cols: usize) -> Vec<u64> {
    let words = cols.div_ceil(64);
    let mut mask = vec![u64::MAX; rows * words];
    if !cols.is_multiple_of(64) {
        for last in mask.iter_mut().skip(words - 1).step_by(words) {
            *last = (1 << (cols % 64)) - 1;
        }
    }
    mask
}

impl<V: CostValue> Cost for DenseMatrix<V> {
    type Value = V;

    fn len(&self) -> usize {
        self.rows
    }

    fn cols(&self) -> usize {
        self.cols
    }

    #[track_caller]
    fn pair(&self, i: usize, j: usize) -> V {
        assert!(j < self.cols, "column {j} of {}", self.cols);
        self.data[i * self.cols + j]
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        match &self.allowed {
            None => true,
            Some(mask) => mask[i * self.cols.div_ceil(64) + j / 64] >> (j % 64) & 1 == 1,
        }
    }

    fn has_forbidden(&self) -> bool {
        self.allowed.is_some()
    }

    fn as_rows(&self) -> Option<&[V]> {
        Some(&self.data)
    }

    fn fill_row(&self, i: usize, out: &mut [V]) {
        out.copy_from_slice(self.row(i));
    }

    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        let words = self.cols.div_ceil(64);
        match &self.allowed {
            Some(mask) => out.copy_from_slice(&mask[i * words..][..words]),
            None => out.copy_from_slice(&all_allowed(1, self.cols)),
        }
    }
}

/// What is written for a [`DenseMatrix`]: plain entries, `null` where forbidden.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct RawDense<V> {
    rows: usize,
    cols: usize,
    entries: Vec<Option<V>>,
}

#[cfg(feature = "serde")]
impl<V: CostValue> TryFrom<RawDense<V>> for DenseMatrix<V> {
    type Error = Error;

    fn try_from(raw: RawDense<V>) -> Result<Self, Error> {
        Self::from_options(raw.rows, raw.cols, &raw.entries)
    }
}

#[cfg(feature = "serde")]
impl<V: CostValue + serde::Serialize> serde::Serialize for DenseMatrix<V> {
    /// Fails where an allowed entry is no number: it would be read as a forbidden one. The diagonal of a square matrix
    /// is no pair.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = |at: usize| (at / self.cols, at % self.cols);
        let kind = |at: usize| match place(at) {
            (i, j) if !self.is_allowed(i, j) => Entry::Forbidden,
            (i, j) if self.rows == self.cols && i == j => Entry::Unread,
            _ => Entry::Allowed,
        };
        let raw = RawDense {
            rows: self.rows,
            cols: self.cols,
            entries: written(&self.data, kind, |at| format!("{:?}", place(at)))?,
        };
        raw.serialize(serializer)
    }
}

/// What an entry of a matrix says.
#[cfg(feature = "serde")]
pub(super) enum Entry {
    /// The pair is forbidden.
    Forbidden,
    /// Nothing that anybody reads.
    Unread,
    /// What the pair costs.
    Allowed,
}

/// Entries as they are written: `None` where the pair is forbidden. An allowed one that is no number is an error by its
/// name, since it would be read as a forbidden one.
#[cfg(feature = "serde")]
pub(super) fn written<V: CostValue, E: serde::ser::Error>(
    data: &[V],
    kind: impl Fn(usize) -> Entry,
    name: impl Fn(usize) -> String,
) -> Result<Vec<Option<V>>, E> {
    let entry = |(at, &value): (usize, &V)| match kind(at) {
        Entry::Forbidden => Ok(None),
        Entry::Allowed if !value.is_number() => {
            let name = name(at);
            Err(E::custom(format_args!("entry {name} is not a number")))
        }
        Entry::Allowed | Entry::Unread => Ok(Some(value)),
    };
    data.iter().enumerate().map(entry).collect()
}
