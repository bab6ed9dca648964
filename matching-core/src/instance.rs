//! Anything that can be read as a weighted graph.

use std::borrow::Cow;

use crate::cost::{Cost, CostValue};
use crate::edge_list::{Edge, EdgeList, LIMIT, VERTEX_LIMIT};
use crate::error::Error;

/// Rows read before the entries above the diagonal are compared with those below: a band of them is compared at a
/// time, so that each line of memory fetched from the list serves several comparisons.
const BAND: usize = 32;

/// Input of a matching solver: an [`EdgeList`], or any symmetric [`Cost`] (a graph with all allowed pairs).
///
/// # Examples
/// ```
/// use matching_core::{Error, Instance, cost};
///
/// let complete = cost::from_fn(4, |i, j| (i * j) as i64);
/// assert_eq!(complete.to_edges()?.edges().len(), 6);
///
/// let one_way = cost::from_fn(4, |i, j| i as i64 - j as i64);
/// assert_eq!(one_way.to_edges().err(), Some(Error::Asymmetric { u: 0, v: 1 }));
/// # Ok::<(), Error>(())
/// ```
pub trait Instance {
    /// The number type of a single cost.
    type Value: CostValue;

    /// The graph as a list of edges; borrowed where it is one already.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::Asymmetric`], [`Error::NotANumber`], [`Error::CostOverflow`],
    /// [`Error::TooLarge`].
    ///
    /// # Complexity
    /// Nothing for a list. O(n²) for a cost of n rows; each allowed pair is read once if the cost is known to be
    /// [symmetric](Cost::is_symmetric), else both ways.
    fn to_edges(&self) -> Result<Cow<'_, EdgeList<Self::Value>>, Error>;

    /// Hands the instance to `visit` as a cost on all pairs, where it is one; says whether it did.
    ///
    /// What can be read pair by pair need not become a list of edges first. False for lists.
    fn visit_cost(&self, _visit: &mut dyn FnMut(&dyn Cost<Value = Self::Value>)) -> bool {
        false
    }
}

impl<V: CostValue> Instance for EdgeList<V> {
    type Value = V;

    fn to_edges(&self) -> Result<Cow<'_, EdgeList<V>>, Error> {
        Ok(Cow::Borrowed(self))
    }
}

impl<C: Cost + ?Sized> Instance for C {
    type Value = C::Value;

    fn visit_cost(&self, visit: &mut dyn FnMut(&dyn Cost<Value = C::Value>)) -> bool {
        visit(&self);
        true
    }

    fn to_edges(&self) -> Result<Cow<'_, EdgeList<C::Value>>, Error> {
        let len = self.len();
        if self.cols() != len {
            return Err(Error::NotSquare {
                rows: len,
                cols: self.cols(),
            });
        }
        if len >= VERTEX_LIMIT {
            return Err(Error::TooLarge {
                vertices: len,
                edges: 0,
            });
        }
        let pairs = len * len.saturating_sub(1) / 2;
        if !self.has_forbidden() && pairs >= LIMIT {
            return Err(Error::TooLarge {
                vertices: len,
                edges: pairs,
            });
        }
        let mut edges = Vec::with_capacity(if self.has_forbidden() { 0 } else { pairs });
        let mut reader = Reader::new(self);
        if self.is_symmetric() {
            for i in 0..len {
                reader.read_upper(i, &mut edges)?;
            }
        } else {
            read_and_compare(&mut reader, &mut edges)?;
        }
        Ok(Cow::Owned(EdgeList::from_simple(len, edges)))
    }
}

/// Reads a square cost row by row.
struct Reader<'a, C: Cost + ?Sized> {
    cost: &'a C,
    /// The allowed columns of a band of rows.
    allowed: Vec<u64>,
}

impl<'a, C: Cost + ?Sized> Reader<'a, C> {
    fn new(cost: &'a C) -> Self {
        Self {
            cost,
            allowed: vec![u64::MAX; cost.len().div_ceil(64)],
        }
    }

    /// Appends the allowed pairs of row `i` right of the diagonal, pair by pair.
    fn read_upper(&mut self, i: usize, edges: &mut Vec<Edge<C::Value>>) -> Result<(), Error> {
        let cost = self.cost;
        if cost.has_forbidden() {
            cost.allowed_row(i, &mut self.allowed);
        }
        for j in i + 1..cost.len() {
            if is_set(&self.allowed, j) {
                let weight = cost.checked_pair(i, j).ok_or(Error::CostOverflow { u: i, v: j })?;
                push(edges, cost.len(), (i, j, weight))?;
            }
        }
        Ok(())
    }

    /// Writes row `i` into `out` and its allowed columns into `allowed`. An allowed entry that does not fit is an
    /// error.
    fn read_row(&self, i: usize, out: &mut [C::Value], allowed: &mut [u64]) -> Result<(), Error> {
        let cost = self.cost;
        if cost.has_forbidden() {
            cost.allowed_row(i, allowed);
        }
        if !cost.may_overflow() {
            cost.fill_row(i, out);
            return Ok(());
        }
        for (j, slot) in out.iter_mut().enumerate() {
            if j != i && is_set(allowed, j) {
                *slot = cost.checked_pair(i, j).ok_or(Error::CostOverflow { u: i, v: j })?;
            }
        }
        Ok(())
    }
}

fn is_set(bits: &[u64], j: usize) -> bool {
    bits[j / 64] >> (j % 64) & 1 == 1
}

/// Appends an edge after the checks that depend on its value.
fn push<V: CostValue>(edges: &mut Vec<Edge<V>>, len: usize, (u, v, weight): (usize, usize, V)) -> Result<(), Error> {
    if !weight.is_number() {
        return Err(Error::NotANumber { u, v });
    }
    if edges.len() >= LIMIT - 1 {
        return Err(Error::TooLarge {
            vertices: len,
            edges: edges.len() + 1,
        });
    }
    edges.push(Edge {
        u: u as u32,
        v: v as u32,
        weight,
    });
    Ok(())
}

/// Reads all rows, keeps what is right of the diagonal and compares it with what is left of it.
///
/// The list holds row `i` in order of columns, so the pairs of `i` with a band of rows are consecutive in it:
/// `cursors[i]` is where the next band's begin, and it never runs over the row's end because every pair read belongs
/// to exactly one band.
fn read_and_compare<C: Cost + ?Sized>(
    reader: &mut Reader<'_, C>,
    edges: &mut Vec<Edge<C::Value>>,
) -> Result<(), Error> {
    let len = reader.cost.len();
    let words = len.div_ceil(64);
    let mut band: Vec<C::Value> = vec![num_traits::zero(); BAND.min(len) * len];
    let mut allowed = vec![u64::MAX; BAND.min(len) * words];
    let mut cursors: Vec<usize> = Vec::with_capacity(len);
    let mut ends: Vec<usize> = Vec::with_capacity(len);
    for start in (0..len).step_by(BAND) {
        let stop = (start + BAND).min(len);
        for j in start..stop {
            let row = &mut band[(j - start) * len..][..len];
            let bits = &mut allowed[(j - start) * words..][..words];
            reader.read_row(j, row, bits)?;
            cursors.push(edges.len());
            for (v, &weight) in row.iter().enumerate().skip(j + 1) {
                if is_set(bits, v) {
                    push(edges, len, (j, v, weight))?;
                }
            }
            ends.push(edges.len());
        }
        for i in 0..stop {
            let mut at = cursors[i];
            for j in start.max(i + 1)..stop {
                let is_below_allowed = is_set(&allowed[(j - start) * words..][..words], i);
                let is_above_allowed = at < ends[i] && edges[at].v as usize == j;
                let below = band[(j - start) * len + i];
                let is_same = is_above_allowed == is_below_allowed && (!is_above_allowed || edges[at].weight == below);
                if !is_same {
                    // What is above is a number, or it would not be in the list.
                    return Err(if is_below_allowed && !below.is_number() {
                        Error::NotANumber { u: j, v: i }
                    } else {
                        Error::Asymmetric { u: i, v: j }
                    });
                }
                at += usize::from(is_above_allowed);
            }
            cursors[i] = at;
        }
    }
    Ok(())
}
