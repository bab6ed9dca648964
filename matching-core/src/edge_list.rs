//! Sparse input: a validated list of weighted edges.

use crate::cost::CostValue;
use crate::error::Error;

/// Edges are named by numbers below this: 31 bits, so that an engine has one to spare for a direction.
pub(crate) const LIMIT: usize = 1 << 31;

/// Vertices are named by numbers below this: 29 bits, so that an engine has three to spare for the sign of a tree node.
pub(crate) const VERTEX_LIMIT: usize = 1 << 29;

/// Room is made for so many edges at most before they come: an iterator may promise more than it has, or than there is
/// memory for, and be refused at its first edge.
const RESERVED: usize = 1 << 20;

/// One undirected edge; `u < v` inside an [`EdgeList`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Edge<V> {
    /// Lower endpoint.
    pub u: u32,
    /// Higher endpoint.
    pub v: u32,
    /// Cost of matching the two.
    pub weight: V,
}

/// What to do with several edges between the same two vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parallel {
    /// Keep the cheapest, the first of equals: right when minimising.
    #[default]
    KeepCheapest,
    /// Keep the dearest, the first of equals: right when maximising.
    KeepDearest,
    /// Refuse them with [`Error::ParallelEdge`].
    Refuse,
}

/// A simple undirected graph with a weight on every edge, checked once and then trusted.
///
/// # Examples
/// ```
/// use matching_core::{EdgeList, Error};
///
/// let graph = EdgeList::new(4, [(0, 1, 7_i64), (2, 1, 5), (1, 0, 6), (2, 3, 9)])?;
/// let edges: Vec<_> = graph.iter().collect();
/// assert_eq!(edges, [(1, 2, 5), (0, 1, 6), (2, 3, 9)]);
///
/// assert_eq!(EdgeList::new(2, [(0, 0, 1_i64)]), Err(Error::SelfLoop { edge: 0, vertex: 0 }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "RawEdgeList<V>",
        into = "RawEdgeList<V>",
        bound(
            serialize = "V: CostValue + serde::Serialize",
            deserialize = "V: CostValue + serde::Deserialize<'de>"
        )
    )
)]
pub struct EdgeList<V> {
    len: usize,
    edges: Vec<Edge<V>>,
}

impl<V: CostValue> EdgeList<V> {
    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The edges, in input order, without parallels and loops, each with `u < v < self.len()`.
    pub fn edges(&self) -> &[Edge<V>] {
        &self.edges
    }

    /// Whether all edges cost the same.
    pub(crate) fn is_uniform(&self) -> bool {
        self.edges.windows(2).all(|two| two[0].weight == two[1].weight)
    }

    /// The edges, in input order, as lower endpoint, higher endpoint and weight.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, usize, V)> + DoubleEndedIterator + Clone + '_ {
        self.edges
            .iter()
            .map(|edge| (edge.u as usize, edge.v as usize, edge.weight))
    }

    /// Sets the weight of an edge, by its place among [`edges`](Self::edges).
    ///
    /// # Errors
    /// [`Error::NotANumber`]; the edge is as it was then.
    ///
    /// # Panics
    /// If there is no such edge.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{EdgeList, Error};
    ///
    /// let mut path = EdgeList::new(3, [(0, 1, 4.5), (2, 1, 1.0)])?;
    /// path.set_weight(1, 2.5)?;
    /// assert_eq!(path.iter().last(), Some((1, 2, 2.5)));
    /// assert_eq!(path.set_weight(1, f64::NAN), Err(Error::NotANumber { u: 1, v: 2 }));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn set_weight(&mut self, edge: usize, weight: V) -> Result<(), Error> {
        let edge = &mut self.edges[edge];
        if !weight.is_number() {
            let (u, v) = (edge.u as usize, edge.v as usize);
            return Err(Error::NotANumber { u, v });
        }
        edge.weight = weight;
        Ok(())
    }

    /// A graph with `len` vertices; of parallel edges the cheapest stays, which is wrong for an objective that maximises:
    /// use [`with_parallel`](Self::with_parallel) with [`Parallel::KeepDearest`] for these.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::VertexOutOfRange`], [`Error::SelfLoop`], [`Error::NotANumber`].
    ///
    /// # Complexity
    /// As [`EdgeList::with_parallel`].
    pub fn new(len: usize, edges: impl IntoIterator<Item = (usize, usize, V)>) -> Result<Self, Error> {
        Self::with_parallel(len, edges, Parallel::KeepCheapest)
    }

    /// A graph with `len` vertices and a stated treatment of parallel edges.
    ///
    /// The edges that stay keep their order. Without parallels nothing depends on the treatment.
    ///
    /// # Errors
    /// As [`EdgeList::new`], and [`Error::ParallelEdge`] under [`Parallel::Refuse`].
    ///
    /// # Complexity
    /// O(n + m) time for n vertices and m edges, and beside the list itself 4 bytes an edge and 8 a vertex (8 an edge
    /// and 12 a vertex if there are parallels; nothing if the edges come in strictly ascending order).
    pub fn with_parallel(
        len: usize,
        edges: impl IntoIterator<Item = (usize, usize, V)>,
        parallel: Parallel,
    ) -> Result<Self, Error> {
        if len >= VERTEX_LIMIT {
            return Err(Error::TooLarge {
                vertices: len,
                edges: 0,
            });
        }
        let input = edges.into_iter();
        let mut edges: Vec<Edge<V>> = Vec::with_capacity(input.size_hint().0.min(RESERVED));
        let mut is_ascending = true;
        let mut last = (0, 0);
        for (edge, (a, b, weight)) in input.enumerate() {
            let (u, v) = (a.min(b), a.max(b));
            if v >= len {
                let vertex = if a >= len { a } else { b };
                return Err(Error::VertexOutOfRange { edge, vertex, len });
            }
            if u == v {
                return Err(Error::SelfLoop { edge, vertex: u });
            }
            if !weight.is_number() {
                return Err(Error::NotANumber { u, v });
            }
            if edge >= LIMIT - 1 {
                return Err(Error::TooLarge {
                    vertices: len,
                    edges: edge + 1,
                });
            }
            // (0, 0) is no edge, so the first one always ascends.
            is_ascending &= last < (u, v);
            last = (u, v);
            edges.push(Edge {
                u: u as u32,
                v: v as u32,
                weight,
            });
        }
        if !is_ascending && has_parallels(len, &edges) {
            merge_parallels(len, &mut edges, parallel)?;
        }
        Ok(Self { len, edges })
    }

    /// A list whose maker guarantees what [`EdgeList::with_parallel`] would check.
    pub(crate) fn from_simple(len: usize, edges: Vec<Edge<V>>) -> Self {
        debug_assert!(
            edges
                .iter()
                .all(|edge| edge.u < edge.v && (edge.v as usize) < len && edge.weight.is_number())
        );
        debug_assert!(!has_parallels(len, &edges));
        Self { len, edges }
    }

    /// The same graph with every weight negated: a gain becomes a cost.
    ///
    /// # Errors
    /// [`Error::CostOverflow`] at an edge that carries the least value of an integer type.
    pub fn negated(&self) -> Result<Self, Error> {
        self.map_weights(|weight| weight.checked_neg())
    }

    /// The same graph with other weights, computed edge by edge; `None` says that a weight does not fit.
    ///
    /// # Errors
    /// [`Error::CostOverflow`] where `map` returns `None`, [`Error::NotANumber`] where its result is NaN or infinite.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{EdgeList, Error};
    ///
    /// let seconds = EdgeList::new(2, [(0, 1, 90_000_i64)])?;
    /// let narrow = seconds.map_weights(|weight| i32::try_from(weight).ok())?;
    /// assert_eq!(narrow.edges()[0].weight, 90_000_i32);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn map_weights<W: CostValue>(&self, map: impl Fn(V) -> Option<W>) -> Result<EdgeList<W>, Error> {
        let edge = |&Edge { u, v, weight }: &Edge<V>| {
            let (row, col) = (u as usize, v as usize);
            let weight = map(weight).ok_or(Error::CostOverflow { u: row, v: col })?;
            if weight.is_number() {
                Ok(Edge { u, v, weight })
            } else {
                Err(Error::NotANumber { u: row, v: col })
            }
        };
        let edges = self.edges.iter().map(edge).collect::<Result<_, _>>()?;
        Ok(EdgeList { len: self.len, edges })
    }
}

/// For each vertex the end of its range in an array sorted by lower endpoint; used as a cursor that runs down to the
/// range's start while the array is filled from the back.
fn range_ends<V>(len: usize, edges: &[Edge<V>]) -> Vec<u32> {
    let mut ends = vec![0_u32; len + 1];
    edges.iter().for_each(|edge| ends[edge.u as usize] += 1);
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    ends
}

/// Whether two edges join the same two vertices. The higher endpoints are sorted by lower endpoint, by counting; a
/// stamp on each vertex then says for which lower endpoint it was seen last.
fn has_parallels<V>(len: usize, edges: &[Edge<V>]) -> bool {
    let mut starts = range_ends(len, edges);
    let mut highs = vec![0_u32; edges.len()];
    for edge in edges {
        let slot = &mut starts[edge.u as usize];
        *slot -= 1;
        highs[*slot as usize] = edge.v;
    }
    let mut seen = vec![u32::MAX; len];
    (0..len).any(|u| {
        let row = &highs[starts[u] as usize..starts[u + 1] as usize];
        row.iter()
            .any(|&v| core::mem::replace(&mut seen[v as usize], u as u32) == u as u32)
    })
}

/// Removes all but one of the edges between the same two vertices, or refuses them. Found as in [`has_parallels`],
/// but with edge numbers, so that the choice and the order are those of the input.
fn merge_parallels<V: CostValue>(len: usize, edges: &mut Vec<Edge<V>>, parallel: Parallel) -> Result<(), Error> {
    let mut starts = range_ends(len, edges);
    let mut ids = vec![0_u32; edges.len()];
    for (id, edge) in edges.iter().enumerate().rev() {
        let slot = &mut starts[edge.u as usize];
        *slot -= 1;
        ids[*slot as usize] = id as u32;
    }
    let mut seen = vec![u32::MAX; len];
    let mut kept = vec![0_u32; len];
    let mut is_dropped = vec![false; edges.len()];
    let mut first_repeat = u32::MAX;
    for u in 0..len {
        for &id in &ids[starts[u] as usize..starts[u + 1] as usize] {
            let edge = &edges[id as usize];
            let v = edge.v as usize;
            if core::mem::replace(&mut seen[v], u as u32) != u as u32 {
                kept[v] = id;
                continue;
            }
            first_repeat = first_repeat.min(id);
            let best = edges[kept[v] as usize].weight;
            let is_better = match parallel {
                Parallel::KeepDearest => edge.weight > best,
                _ => edge.weight < best,
            };
            let loser = if is_better {
                core::mem::replace(&mut kept[v], id)
            } else {
                id
            };
            is_dropped[loser as usize] = true;
        }
    }
    if parallel == Parallel::Refuse && first_repeat != u32::MAX {
        let edge = &edges[first_repeat as usize];
        return Err(Error::ParallelEdge {
            edge: first_repeat as usize,
            u: edge.u as usize,
            v: edge.v as usize,
        });
    }
    let mut dropped = is_dropped.iter();
    edges.retain(|_| !dropped.next().is_some_and(|&is_dropped| is_dropped));
    Ok(())
}

/// What is written for an [`EdgeList`]; checked again when read.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct RawEdgeList<V> {
    len: usize,
    edges: Vec<(usize, usize, V)>,
}

#[cfg(feature = "serde")]
impl<V: CostValue> TryFrom<RawEdgeList<V>> for EdgeList<V> {
    type Error = Error;

    fn try_from(raw: RawEdgeList<V>) -> Result<Self, Error> {
        Self::with_parallel(raw.len, raw.edges, Parallel::Refuse)
    }
}

#[cfg(feature = "serde")]
impl<V: CostValue> From<EdgeList<V>> for RawEdgeList<V> {
    fn from(list: EdgeList<V>) -> Self {
        Self {
            len: list.len,
            edges: list.iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use std::collections::HashMap;

    use super::*;

    fn triples<V: CostValue>(list: &EdgeList<V>) -> Vec<(usize, usize, V)> {
        list.iter().collect()
    }

    #[test]
    fn each_fault_is_named_with_its_place() {
        let err = |edges: &[(usize, usize, f64)]| EdgeList::new(3, edges.iter().copied()).unwrap_err();
        assert_eq!(
            err(&[(0, 1, 1.0), (1, 3, 1.0)]),
            Error::VertexOutOfRange {
                edge: 1,
                vertex: 3,
                len: 3
            }
        );
        assert_eq!(
            err(&[(5, 1, 1.0)]),
            Error::VertexOutOfRange {
                edge: 0,
                vertex: 5,
                len: 3
            }
        );
        assert_eq!(err(&[(2, 2, 1.0)]), Error::SelfLoop { edge: 0, vertex: 2 });
        assert_eq!(err(&[(2, 1, f64::NAN)]), Error::NotANumber { u: 1, v: 2 });
        assert_eq!(err(&[(0, 2, f64::INFINITY)]), Error::NotANumber { u: 0, v: 2 });
        let none: [(usize, usize, i64); 0] = [];
        assert_eq!(
            EdgeList::new(LIMIT, none),
            Err(Error::TooLarge {
                vertices: LIMIT,
                edges: 0
            })
        );
    }

    #[test]
    fn parallels_are_kept_or_refused_as_asked() {
        let edges = [
            (0, 1, 5),
            (2, 1, 1),
            (1, 0, 4),
            (0, 1, 4),
            (0, 1, 9),
            (1, 2, 1),
            (1, 0, 9),
        ];
        let with = |parallel| EdgeList::with_parallel(3, edges, parallel);
        assert_eq!(triples(&with(Parallel::KeepCheapest).unwrap()), [(1, 2, 1), (0, 1, 4)]);
        assert_eq!(triples(&with(Parallel::KeepDearest).unwrap()), [(1, 2, 1), (0, 1, 9)]);
        assert_eq!(with(Parallel::Refuse), Err(Error::ParallelEdge { edge: 2, u: 0, v: 1 }));
    }

    #[test]
    fn merging_agrees_with_a_map_on_random_multigraphs() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for _ in 0..300 {
            let len = rng.random_range(2..9);
            let mut edges = Vec::new();
            for _ in 0..rng.random_range(0..30) {
                let (u, v) = (rng.random_range(0..len), rng.random_range(0..len));
                if u != v {
                    edges.push((u, v, rng.random_range(0..4)));
                }
            }
            for parallel in [Parallel::KeepCheapest, Parallel::KeepDearest] {
                let mut best: HashMap<(usize, usize), (i32, usize)> = HashMap::new();
                for (at, &(a, b, weight)) in edges.iter().enumerate() {
                    let weight = if parallel == Parallel::KeepDearest {
                        -weight
                    } else {
                        weight
                    };
                    let entry = best.entry((a.min(b), a.max(b))).or_insert((weight, at));
                    *entry = (*entry).min((weight, at));
                }
                let mut at: Vec<usize> = best.values().map(|&(_, at)| at).collect();
                at.sort_unstable();
                let wanted: Vec<_> = at
                    .iter()
                    .map(|&at| edges[at])
                    .map(|(a, b, w)| (a.min(b), a.max(b), w))
                    .collect();
                let list = EdgeList::with_parallel(len, edges.iter().copied(), parallel).unwrap();
                assert_eq!(triples(&list), wanted);
            }
        }
    }

    #[test]
    fn negation_is_checked() {
        let list = EdgeList::new(3, [(0, 1, 3_i64), (2, 1, i64::MIN)]).unwrap();
        assert_eq!(list.negated(), Err(Error::CostOverflow { u: 1, v: 2 }));
        let list = EdgeList::new(3, [(0, 1, 3_i64)]).unwrap();
        assert_eq!(triples(&list.negated().unwrap()), [(0, 1, -3)]);
    }

    #[test]
    fn empty_graphs_are_fine() {
        let none: [(usize, usize, i64); 0] = [];
        assert!(EdgeList::new(0, none).unwrap().is_empty());
        assert_eq!(EdgeList::new(5, none).unwrap().edges().len(), 0);
    }
}
