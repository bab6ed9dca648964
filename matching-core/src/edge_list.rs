//! Sparse input: a validated list of weighted edges.

use crate::cost::CostValue;
use crate::error::Error;

/// One undirected edge; `u < v` inside an [`EdgeList`].
#[derive(Clone, Copy, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
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

    /// A graph with `len` vertices; of parallel edges the cheapest stays.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::VertexOutOfRange`], [`Error::SelfLoop`], [`Error::NotANumber`].
    pub fn new(len: usize, edges: impl IntoIterator<Item = (usize, usize, V)>) -> Result<Self, Error> {
        Self::with_parallel(len, edges, Parallel::KeepCheapest)
    }

    /// A graph with `len` vertices and a stated treatment of parallel edges.
    ///
    /// # Errors
    /// As [`EdgeList::new`], and [`Error::ParallelEdge`] under [`Parallel::Refuse`].
    pub fn with_parallel(
        len: usize,
        edges: impl IntoIterator<Item = (usize, usize, V)>,
        _parallel: Parallel,
    ) -> Result<Self, Error> {
        // Placeholder kept short: validation and the merging of parallels are written next.
        let edges = edges.into_iter().map(|(u, v, weight)| Edge { u: u.min(v) as u32, v: u.max(v) as u32, weight }).collect();
        Ok(Self { len, edges })
    }
}
