//! Costs read row by row, a band at a time, never kept: the space is that of a few rows.

use core::ops::Range;

use super::bands;
use super::error::VerifyError;
use super::graph::Run;
use crate::cost::{Cost, CostValue};
use crate::edge_list::VERTEX_LIMIT;
use crate::error::Error;

/// Rows that are done at a time, and columns compared with them at a time: the block of a matrix and its mirror image
/// lie in the cache together, and each line fetched serves many comparisons.
const BAND: usize = 64;

/// Room for a run.
struct Room<V> {
    weights: Vec<V>,
    allowed: Vec<u64>,
    /// The columns of a row that are allowed.
    columns: Vec<usize>,
}

impl<V> Default for Room<V> {
    fn default() -> Self {
        Self {
            weights: Vec::new(),
            allowed: Vec::new(),
            columns: Vec::new(),
        }
    }
}

/// A square symmetric cost.
pub(super) struct Rows<'a, V> {
    cost: &'a dyn Cost<Value = V>,
    /// The whole matrix, where it lies in memory and each entry is as it is.
    in_place: Option<&'a [V]>,
    has_forbidden: bool,
}

impl<'a, V: CostValue> Rows<'a, V> {
    /// Checks size and, unless it is known by construction, symmetry.
    pub(super) fn new(cost: &'a dyn Cost<Value = V>) -> Result<Self, VerifyError> {
        let (rows, cols) = (cost.len(), cost.cols());
        if rows != cols {
            return Err(Error::NotSquare { rows, cols }.into());
        }
        if rows >= VERTEX_LIMIT {
            let (vertices, edges) = (rows, 0);
            return Err(Error::TooLarge { vertices, edges }.into());
        }
        let has_forbidden = cost.has_forbidden();
        let in_place = cost
            .as_rows()
            .filter(|entries| entries.len() == rows * rows && !cost.may_overflow());
        let this = Self {
            cost,
            in_place,
            has_forbidden,
        };
        if !cost.is_symmetric() {
            bands::fold(rows, BAND, |band| this.check_symmetry(band), |(), ()| ())?;
        }
        Ok(this)
    }

    pub(super) fn len(&self) -> usize {
        self.cost.len()
    }

    /// The cost of a pair, if it may be formed; nobody pairs with itself.
    pub(super) fn weight(&self, u: usize, v: usize) -> Option<V> {
        if u != v && self.is_allowed(u, v) {
            self.cost.checked_pair(u, v)
        } else {
            None
        }
    }

    /// Visits the part of every row right of the diagonal, as a graph's [`fold`](super::graph::Graph::fold) does.
    pub(super) fn fold<T: Default + Send>(
        &self,
        visit: impl Fn(&mut T, &Run<'_, V>) -> Result<(), VerifyError> + Sync,
        merge: impl Fn(T, T) -> T,
    ) -> Result<T, VerifyError> {
        let work = |band: Range<usize>| {
            let (mut own, mut room) = (T::default(), Room::default());
            for u in band {
                visit(&mut own, &self.run(u, &mut room)?)?;
            }
            Ok(own)
        };
        bands::fold(self.len(), BAND, work, merge)
    }

    /// The part of row `u` right of the diagonal, in place or read into these; where pairs are forbidden, from the first that is
    /// allowed to the last.
    fn run<'b>(&'b self, u: usize, room: &'b mut Room<V>) -> Result<Run<'b, V>, Error> {
        let Room {
            weights,
            allowed,
            columns,
        } = room;
        let len = self.len();
        let mut part = u + 1..len;
        let row = self.in_place.map(|entries| &entries[u * len..][..len]);
        if self.has_forbidden {
            allowed.resize(len.div_ceil(64), 0);
            self.cost.allowed_row(u, allowed);
            part = allowed_part(allowed, part);
        } else if let Some(row) = row {
            return Ok(Run {
                u,
                first: part.start,
                weights: &row[part],
                allowed: None,
            });
        }
        let first = part.start;
        weights.clear();
        let is_allowed = |v: usize| !self.has_forbidden || allowed[v / 64] >> (v % 64) & 1 == 1;
        match row {
            Some(row) => weights.extend(part.map(|v| if is_allowed(v) { row[v] } else { V::zero() })),
            None if !self.cost.may_overflow() => {
                weights.resize(part.len(), V::zero());
                // Of two sides, most rows have the same columns.
                let ends = (
                    columns.len(),
                    columns.first().copied(),
                    columns.last().map(|&last| last + 1),
                );
                let is_all = !self.has_forbidden || part.clone().all(is_allowed);
                if !is_all || ends != (part.len(), Some(first), Some(part.end)) {
                    columns.clear();
                    columns.extend(part.filter(|&v| is_all || is_allowed(v)));
                }
                self.cost.fill_pairs(u, columns, &mut weights[..columns.len()]);
                if columns.len() < weights.len() {
                    // From the last one on, as none moves to the left.
                    for (at, &v) in columns.iter().enumerate().rev() {
                        let weight = core::mem::replace(&mut weights[at], V::zero());
                        weights[v - first] = weight;
                    }
                }
            }
            None => {
                for v in part {
                    weights.push(if is_allowed(v) {
                        self.cost.checked_pair(u, v).ok_or(Error::CostOverflow { u, v })?
                    } else {
                        V::zero()
                    });
                }
            }
        }
        Ok(Run {
            u,
            first,
            weights,
            allowed: self.has_forbidden.then_some(allowed),
        })
    }

    /// Compares the rows of a band, right of the diagonal, with the columns.
    fn check_symmetry(&self, band: Range<usize>) -> Result<(), VerifyError> {
        let mut block = Vec::new();
        let mut others = (band.end..self.len()).step_by(BAND);
        let is_clear = others.all(|start| {
            let columns = start..self.len().min(start + BAND);
            self.is_mirrored(band.clone(), columns, &mut block)
        });
        // What is clear need not be looked at again; what is not, or on the diagonal, is decided pair by pair.
        let end = if is_clear { band.end } else { self.len() };
        for i in band {
            (i + 1..end).try_for_each(|j| self.check_pair(i, j))?;
        }
        Ok(())
    }

    /// Whether a block of the matrix is surely the mirror image of its other side. `false` says nothing.
    fn is_mirrored(&self, rows: Range<usize>, columns: Range<usize>, block: &mut Vec<V>) -> bool {
        let (len, height) = (self.len(), rows.len());
        let Some(entries) = self.in_place else {
            // Entries of one row are read together on the far side, where rows lie further apart.
            return columns
                .clone()
                .all(|j| rows.clone().all(|i| self.check_pair(i, j).is_ok()));
        };
        block.resize(BAND * BAND, V::zero());
        for (i, u) in rows.clone().enumerate() {
            for (j, &entry) in entries[u * len..][columns.clone()].iter().enumerate() {
                block[j * height + i] = entry;
            }
        }
        let mut images = columns.clone().zip(block.chunks_exact(height));
        // What is no number is not equal to itself, or is found when the right side is read.
        images.all(|(v, image)| entries[v * len..][rows.clone()] == *image)
            && (!self.has_forbidden
                || columns
                    .clone()
                    .all(|j| rows.clone().all(|i| self.is_allowed(i, j) == self.is_allowed(j, i))))
    }

    /// Both entries of a pair must be allowed or none, and they must be the same number.
    fn check_pair(&self, i: usize, j: usize) -> Result<(), VerifyError> {
        let is_allowed = self.is_allowed(i, j);
        if is_allowed != self.is_allowed(j, i) || (is_allowed && self.number(i, j)? != self.number(j, i)?) {
            return Err(Error::Asymmetric { u: i, v: j }.into());
        }
        Ok(())
    }

    fn number(&self, u: usize, v: usize) -> Result<V, Error> {
        let cost = self.cost.checked_pair(u, v).ok_or(Error::CostOverflow { u, v })?;
        if cost.is_number() {
            Ok(cost)
        } else {
            Err(Error::NotANumber { u, v })
        }
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        !self.has_forbidden || self.cost.is_allowed(i, j)
    }
}

/// What is left of a part of a row without the forbidden pairs at both ends: of an order in which only those near each other are
/// allowed, such as times, that is little, and to step over the others word by word takes no time.
fn allowed_part(allowed: &[u64], part: Range<usize>) -> Range<usize> {
    let nothing = part.start..part.start;
    if part.is_empty() {
        return nothing;
    }
    let (low, high) = (part.start / 64, (part.end - 1) / 64);
    let word = |at: usize| {
        let from = if at == low {
            u64::MAX << (part.start % 64)
        } else {
            u64::MAX
        };
        allowed[at] & from
    };
    let Some(first) = (low..=high).find(|&at| word(at) != 0) else {
        return nothing;
    };
    let last = (first..=high).rev().find(|&at| word(at) != 0).unwrap_or(first);
    let start = first * 64 + word(first).trailing_zeros() as usize;
    let end = last * 64 + 64 - word(last).leading_zeros() as usize;
    start..end.min(part.end)
}

#[cfg(test)]
mod tests {
    use super::allowed_part;

    #[test]
    fn what_is_left_of_a_row_begins_and_ends_with_an_allowed_pair() {
        let len = 200_usize;
        for set in [
            vec![],
            vec![0],
            vec![63, 64],
            vec![5, 70, 199],
            vec![128],
            vec![127, 130, 191, 192],
        ] {
            let mut words = vec![0_u64; len.div_ceil(64)];
            set.iter().for_each(|&v: &usize| words[v / 64] |= 1 << (v % 64));
            for start in 0..=len {
                let in_part: Vec<usize> = set.iter().copied().filter(|&v| v >= start).collect();
                let expected = match (in_part.first(), in_part.last()) {
                    (Some(&first), Some(&last)) => first..last + 1,
                    _ => start..start,
                };
                assert_eq!(allowed_part(&words, start..len), expected, "{set:?} from {start}");
            }
        }
    }
}
