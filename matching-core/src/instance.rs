//! Anything that can be read as a weighted graph.

use std::borrow::Cow;

use crate::compiled::Compiled;
use crate::cost::{Cost, CostValue};
use crate::edge_list::{Edge, EdgeList, LIMIT, VERTEX_LIMIT};
use crate::error::Error;
use crate::input::Input;

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
        C::Value::read_edges(&self).map(Cow::Owned)
    }
}

/// An instance of a kind that is not known when what reads it is compiled.
pub(crate) struct Opaque<'a, I: ?Sized>(pub(crate) &'a I);

impl<I: Instance + ?Sized> Instance for Opaque<'_, I> {
    type Value = I::Value;

    fn to_edges(&self) -> Result<Cow<'_, EdgeList<I::Value>>, Error> {
        self.0.to_edges()
    }

    fn visit_cost(&self, visit: &mut dyn FnMut(&dyn Cost<Value = I::Value>)) -> bool {
        self.0.visit_cost(visit)
    }
}

/// All allowed pairs of a cost.
pub(crate) fn read_edges<V: CostValue>(cost: &dyn Cost<Value = V>) -> Result<EdgeList<V>, Error> {
    let len = cost.len();
    if cost.cols() != len {
        return Err(Error::NotSquare {
            rows: len,
            cols: cost.cols(),
        });
    }
    if len >= VERTEX_LIMIT {
        return Err(Error::TooLarge {
            vertices: len,
            edges: 0,
        });
    }
    // In 64 bits, as a square of many vertices is more than an address on some machines; as many as those have, then.
    let pairs = len as u64 * (len as u64).saturating_sub(1) / 2;
    let pairs = usize::try_from(pairs).unwrap_or(usize::MAX);
    if !cost.has_forbidden() && pairs >= LIMIT {
        return Err(Error::TooLarge {
            vertices: len,
            edges: pairs,
        });
    }
    let mut edges = Vec::with_capacity(if cost.has_forbidden() { 0 } else { pairs });
    if cost.is_symmetric() {
        visit_upper(cost, |u, v, weight| push(&mut edges, len, (u, v, weight)))?;
    } else {
        read_and_compare(cost, &mut edges)?;
    }
    Ok(EdgeList::from_simple(len, edges))
}

/// Shows the allowed pairs right of the diagonal, each of which is read once.
///
/// # Errors
/// A cost that does not fit, and the first of `visit`.
pub(crate) fn visit_upper<V: CostValue, E: From<Error>>(
    cost: &dyn Cost<Value = V>,
    mut visit: impl FnMut(usize, usize, V) -> Result<(), E>,
) -> Result<(), E> {
    let len = cost.len();
    let all: Vec<usize> = (0..len).collect();
    let mut some = Vec::new();
    let mut allowed = vec![0; len.div_ceil(64)];
    let mut row = vec![V::zero(); len];
    // Of two sides, the first one comes before the other: nobody of the second has pairs on the right.
    let rows = match cost.first_side() {
        Some(first) if first < len => first,
        Some(_) => 0,
        None => len,
    };
    for i in 0..rows {
        let mut columns = &all[i + 1..];
        if cost.has_forbidden() {
            cost.allowed_row(i, &mut allowed);
            some.clear();
            push_set(&allowed, i + 1, &mut some);
            columns = &some;
        }
        if cost.may_overflow() {
            for &j in columns {
                let weight = cost.checked_pair(i, j).ok_or(Error::CostOverflow { u: i, v: j })?;
                visit(i, j, weight)?;
            }
        } else {
            let row = &mut row[..columns.len()];
            cost.fill_pairs(i, columns, row);
            for (&j, &weight) in columns.iter().zip(&*row) {
                visit(i, j, weight)?;
            }
        }
    }
    Ok(())
}

/// The bits that are set from one on, in order: by words, as most may be empty.
fn push_set(bits: &[u64], from: usize, out: &mut Vec<usize>) {
    for (at, &word) in bits.iter().enumerate().skip(from / 64) {
        let mut left = match at == from / 64 {
            true => word & (u64::MAX << (from % 64)),
            false => word,
        };
        while left != 0 {
            out.push(64 * at + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// Shows all pairs of an input that is known to be symmetric, and all numbers.
///
/// # Errors
/// A cost that does not fit.
pub(crate) fn visit_pairs<V: CostValue>(
    input: Input<'_, V>,
    mut visit: impl FnMut(usize, usize, V),
) -> Result<(), Error> {
    match input {
        Input::List(edges) => edges.iter().for_each(|(u, v, cost)| visit(u, v, cost)),
        Input::Pairs(cost) => visit_upper(cost, |u, v, cost| {
            visit(u, v, cost);
            Ok::<_, Error>(())
        })?,
    }
    Ok(())
}

/// Writes row `i` into `out` and its allowed columns into `allowed`. An allowed entry that does not fit is an error.
fn read_row<V: CostValue>(
    cost: &dyn Cost<Value = V>,
    i: usize,
    out: &mut [V],
    allowed: &mut [u64],
) -> Result<(), Error> {
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
fn read_and_compare<V: CostValue>(cost: &dyn Cost<Value = V>, edges: &mut Vec<Edge<V>>) -> Result<(), Error> {
    let len = cost.len();
    let words = len.div_ceil(64);
    let mut band = vec![V::zero(); BAND.min(len) * len];
    let mut allowed = vec![u64::MAX; BAND.min(len) * words];
    let mut cursors: Vec<usize> = Vec::with_capacity(len);
    let mut ends: Vec<usize> = Vec::with_capacity(len);
    for start in (0..len).step_by(BAND) {
        let stop = (start + BAND).min(len);
        for j in start..stop {
            let row = &mut band[(j - start) * len..][..len];
            let bits = &mut allowed[(j - start) * words..][..words];
            read_row(cost, j, row, bits)?;
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
