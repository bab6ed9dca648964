//! The upper triangle of a symmetric matrix.

#[cfg(feature = "serde")]
use super::dense::{Entry, written};
use super::{Cost, CostValue};
use crate::error::Error;

/// A symmetric cost stored once a pair: `(0, 1), (0, 2), .., (0, n - 1), (1, 2), ..`, the order of distance vectors as
/// numerical libraries write them. There is no diagonal: nobody may be put with himself, and to ask for what that costs
/// is a panic.
///
/// # Examples
/// ```
/// use matching_core::Error;
/// use matching_core::cost::{CondensedMatrix, Cost};
///
/// let cost = CondensedMatrix::new(4, vec![1, 2, 3, 12, 13, 23])?;
/// assert_eq!(cost.pair(3, 1), 13);
/// assert!(cost.is_symmetric());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "RawCondensed<V>",
        bound(deserialize = "V: CostValue + serde::Deserialize<'de>")
    )
)]
pub struct CondensedMatrix<V> {
    len: usize,
    data: Vec<V>,
    /// One bit per pair; absent while everything is allowed.
    allowed: Option<Vec<u64>>,
}

/// What forbidden entries hold does not count, nor whether it was ever said of others that they are allowed.
impl<V: CostValue> PartialEq for CondensedMatrix<V> {
    fn eq(&self, other: &Self) -> bool {
        let is_alike = |at: usize| {
            let is_forbidden = self.is_forbidden(at);
            is_forbidden == other.is_forbidden(at) && (is_forbidden || self.data[at] == other.data[at])
        };
        self.len == other.len && (0..self.data.len()).all(is_alike)
    }
}

impl<V: CostValue> CondensedMatrix<V> {
    /// The costs of all pairs of `len` things, in the order above.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not `len * (len - 1) / 2` entries.
    pub fn new(len: usize, data: Vec<V>) -> Result<Self, Error> {
        let expected = pair_count(len);
        if data.len() != expected {
            return Err(Error::LengthMismatch {
                what: "condensed matrix entries",
                expected,
                found: data.len(),
            });
        }
        Ok(Self {
            len,
            data,
            allowed: None,
        })
    }

    /// The costs of all pairs of `len` things, in the order above, where `None` forbids.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not `len * (len - 1) / 2` entries.
    pub fn from_options(len: usize, entries: &[Option<V>]) -> Result<Self, Error> {
        let mut matrix = Self::new(len, entries.iter().map(|entry| entry.unwrap_or(V::zero())).collect())?;
        if entries.iter().any(Option::is_none) {
            let mut mask = vec![0_u64; entries.len().div_ceil(64)];
            for (at, entry) in entries.iter().enumerate() {
                mask[at / 64] |= u64::from(entry.is_some()) << (at % 64);
            }
            matrix.allowed = Some(mask);
        }
        Ok(matrix)
    }

    /// Forbids a pair.
    ///
    /// # Panics
    /// If `u == v` or one of them is out of range.
    #[track_caller]
    pub fn forbid_pair(&mut self, u: usize, v: usize) {
        let at = self.position(u, v);
        let pairs = self.data.len();
        let mask = self.allowed.get_or_insert_with(|| {
            let mut mask = vec![u64::MAX; pairs.div_ceil(64)];
            // No bits behind the last pair, as in `from_options`: masks are compared word by word.
            if !pairs.is_multiple_of(64)
                && let Some(last) = mask.last_mut()
            {
                *last = (1 << (pairs % 64)) - 1;
            }
            mask
        });
        mask[at / 64] &= !(1 << (at % 64));
    }

    /// Allows a pair: it costs what was written there last, also while it was forbidden, or zero where `None` was.
    ///
    /// # Panics
    /// If `u == v` or one of them is out of range.
    #[track_caller]
    pub fn allow_pair(&mut self, u: usize, v: usize) {
        let at = self.position(u, v);
        if let Some(mask) = &mut self.allowed {
            mask[at / 64] |= 1 << (at % 64);
        }
    }

    /// Writes what a pair costs. A forbidden pair stays forbidden.
    ///
    /// # Panics
    /// If `u == v` or one of them is out of range.
    ///
    /// # Examples
    /// ```
    /// use matching_core::Error;
    /// use matching_core::cost::{CondensedMatrix, Cost};
    ///
    /// let mut cost = CondensedMatrix::new(3, vec![1, 2, 12])?;
    /// cost.set_pair(2, 0, 5);
    /// assert_eq!(cost.pair(0, 2), 5);
    /// assert_eq!(cost.into_vec(), [1, 5, 12]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn set_pair(&mut self, u: usize, v: usize, value: V) {
        let at = self.position(u, v);
        self.data[at] = value;
    }

    /// All entries in the order above, the forbidden ones included.
    pub fn into_vec(self) -> Vec<V> {
        self.data
    }

    /// All entries in the order above, the forbidden ones included.
    pub fn as_slice(&self) -> &[V] {
        &self.data
    }

    fn is_forbidden(&self, at: usize) -> bool {
        let mask = self.allowed.as_ref();
        mask.is_some_and(|mask| mask[at / 64] >> (at % 64) & 1 == 0)
    }

    #[track_caller]
    fn position(&self, i: usize, j: usize) -> usize {
        let (low, high) = (i.min(j), i.max(j));
        assert!(low < high && high < self.len, "pair ({i}, {j}) of {} things", self.len);
        // The rows before `low` hold (len - 1) + (len - 2) + .. + (len - low) entries.
        low * (2 * self.len - low - 1) / 2 + high - low - 1
    }
}

/// `len` choose 2, capped at `usize::MAX`.
fn pair_count(len: usize) -> usize {
    if len.is_multiple_of(2) {
        (len / 2).saturating_mul(len.saturating_sub(1))
    } else {
        len.saturating_mul(len / 2)
    }
}

impl<V: CostValue> Cost for CondensedMatrix<V> {
    type Value = V;

    fn len(&self) -> usize {
        self.len
    }

    #[track_caller]
    fn pair(&self, i: usize, j: usize) -> V {
        self.data[self.position(i, j)]
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        match &self.allowed {
            Some(mask) if i != j => {
                let at = self.position(i, j);
                mask[at / 64] >> (at % 64) & 1 == 1
            }
            // The diagonal has no entry: who reads it as a pair like any other, where rows and columns are different
            // things, is not to ask what it costs.
            _ => i != j,
        }
    }

    fn has_forbidden(&self) -> bool {
        self.allowed.is_some()
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn fill_row(&self, i: usize, out: &mut [V]) {
        assert_eq!(out.len(), self.len, "one slot per column");
        for (j, slot) in out.iter_mut().enumerate().take(i) {
            *slot = self.pair(i, j);
        }
        if i + 1 < self.len {
            let start = self.position(i, i + 1);
            out[i + 1..].copy_from_slice(&self.data[start..][..self.len - i - 1]);
        }
    }
}

/// What is written for a [`CondensedMatrix`]: plain entries, `null` where forbidden.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct RawCondensed<V> {
    len: usize,
    entries: Vec<Option<V>>,
}

#[cfg(feature = "serde")]
impl<V: CostValue> TryFrom<RawCondensed<V>> for CondensedMatrix<V> {
    type Error = Error;

    fn try_from(raw: RawCondensed<V>) -> Result<Self, Error> {
        Self::from_options(raw.len, &raw.entries)
    }
}

#[cfg(feature = "serde")]
impl<V: CostValue + serde::Serialize> serde::Serialize for CondensedMatrix<V> {
    /// Fails where an allowed entry is no number: it would be read as a forbidden one.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mask = self.allowed.as_ref();
        let kind = |at: usize| match mask.is_some_and(|mask| mask[at / 64] >> (at % 64) & 1 == 0) {
            true => Entry::Forbidden,
            false => Entry::Allowed,
        };
        let raw = RawCondensed {
            len: self.len,
            entries: written(&self.data, kind, |at| at.to_string())?,
        };
        raw.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_matrices_are_equal_however_pairs_were_forbidden() {
        // Forbidding left bits set behind the last pair.
        for len in [2, 3, 12, 128] {
            let pairs = pair_count(len);
            let mut options = vec![Some(5); pairs];
            let mut matrix = CondensedMatrix::new(len, vec![5; pairs]).unwrap();
            options[0] = None;
            matrix.forbid_pair(0, 1);
            assert_eq!(Ok(matrix), CondensedMatrix::from_options(len, &options), "{len}");
        }
    }
}
