//! The input as the checker reads it: runs of weights, from a list of edges or from the rows of a cost.

use core::ops::Range;

use super::bands;
use super::error::VerifyError;
use super::rows::Rows;
use crate::cost::CostValue;
use crate::edge_list::{Edge, EdgeList};
use crate::error::Error;
use crate::instance::Instance;

/// Edges of a list that are done at a time.
const BAND: usize = 1 << 14;

/// Weights of edges from one vertex to consecutive higher ones.
pub(super) struct Run<'a, V> {
    /// The lower end of all.
    pub(super) u: usize,
    /// The higher end of the first; the next has the next vertex.
    pub(super) first: usize,
    /// The weights; zero where there is no edge.
    pub(super) weights: &'a [V],
    /// Which vertices `u` has edges to, vertex `v` in bit `v % 64` of word `v / 64`; absent if to all of the run.
    pub(super) allowed: Option<&'a [u64]>,
}

impl<V: CostValue> Run<'_, V> {
    /// The edges at these positions of the run: higher end and weight.
    pub(super) fn edges(&self, positions: Range<usize>) -> impl Iterator<Item = (usize, V)> + '_ {
        positions
            .map(|at| (self.first + at, self.weights[at]))
            .filter(|(v, _)| self.allowed.is_none_or(|bits| bits[v / 64] >> (v % 64) & 1 == 1))
    }

    /// Refuses weights that are no numbers.
    pub(super) fn check_numbers(&self) -> Result<(), VerifyError> {
        // Without a way out of the loop, so that it is done several weights at a time.
        if self.weights.iter().fold(true, |all, weight| all & weight.is_number()) {
            return Ok(());
        }
        match self
            .edges(0..self.weights.len())
            .find(|(_, weight)| !weight.is_number())
        {
            Some((v, _)) => Err(Error::NotANumber { u: self.u, v }.into()),
            None => Ok(()),
        }
    }
}

/// A simple graph that can be read again and again.
pub(super) enum Graph<'a, V: CostValue> {
    List(&'a EdgeList<V>),
    Rows(Rows<'a, V>),
}

impl<V: CostValue> Graph<'_, V> {
    /// Shows an instance as a graph: a cost row by row, anything else as its list of edges.
    pub(super) fn read<T>(
        instance: &dyn Instance<Value = V>,
        look: impl Fn(&Graph<'_, V>) -> Result<T, VerifyError>,
    ) -> Result<T, VerifyError> {
        let mut answer = None;
        instance.visit_cost(&mut |cost| {
            answer = Some(Rows::new(cost).and_then(|rows| look(&Graph::Rows(rows))));
        });
        match answer {
            Some(answer) => answer,
            None => look(&Graph::List(&*instance.to_edges()?)),
        }
    }

    /// Number of vertices.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::List(edges) => edges.len(),
            Self::Rows(rows) => rows.len(),
        }
    }

    /// Visits every edge once, in runs: each row of a cost is one, each edge of a list.
    ///
    /// Several threads may visit, each with a `T` of its own; they are merged in the order of the runs, and the error
    /// is that of the first run that has one.
    pub(super) fn fold<T: Default + Send>(
        &self,
        visit: impl Fn(&mut T, &Run<'_, V>) -> Result<(), VerifyError> + Sync,
        merge: impl Fn(T, T) -> T,
    ) -> Result<T, VerifyError> {
        let edges = match self {
            Self::List(edges) => edges.edges(),
            Self::Rows(rows) => return rows.fold(visit, merge),
        };
        let work = |band: Range<usize>| {
            let mut own = T::default();
            for edge in &edges[band] {
                let run = Run {
                    u: edge.u as usize,
                    first: edge.v as usize,
                    weights: core::slice::from_ref(&edge.weight),
                    allowed: None,
                };
                visit(&mut own, &run)?;
            }
            Ok(own)
        };
        bands::fold(edges.len(), BAND, work, merge)
    }

    /// The weights of the edges between these pairs of vertices, lower first and no vertex in two of them; `None` for
    /// a pair without an edge.
    pub(super) fn weights(&self, pairs: &[Edge<V>]) -> Vec<Option<V>> {
        let edges = match self {
            Self::List(edges) => edges.edges(),
            Self::Rows(rows) => {
                return pairs
                    .iter()
                    .map(|pair| rows.weight(pair.u as usize, pair.v as usize))
                    .collect();
            }
        };
        // Position of the pair of each lower vertex.
        let mut slot = vec![usize::MAX; self.len()];
        for (position, pair) in pairs.iter().enumerate() {
            slot[pair.u as usize] = position;
        }
        let mut weights = vec![None; pairs.len()];
        for edge in edges {
            let position = slot[edge.u as usize];
            if position != usize::MAX && pairs[position].v == edge.v {
                weights[position] = Some(edge.weight);
            }
        }
        weights
    }
}
