//! Graph files: edge lists, matrices, DIMACS, Matrix Market.
//!
//! Every reader goes through the file once, line by line, and hands edges to a [`Builder`], which puts all weights on
//! one grid and knows on which line each edge stands.

mod dimacs;
mod edges;
mod error;
mod lines;
mod market;
mod matrix;
mod mdgplib;

use std::io::BufRead;

use matching_core::{EdgeList, Parallel};

use super::decimal::{Column, Decimal, DecimalError, Integers};
pub(crate) use error::{GraphError, Problem, excerpt};
use lines::{Line, Lines};

/// More vertices than this are refused before anything is allocated for them.
const VERTEX_LIMIT: usize = 50_000_000;

/// More rows than this mean more than two thousand million pairs.
const ROW_LIMIT: usize = 65_535;

/// A graph file's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GraphFormat {
    Edges,
    Matrix,
    Dimacs,
    MatrixMarket,
}

/// A graph as a file gives it.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) edges: Weighted,
    /// Weights are integers in units of `10^-decimals`.
    pub(crate) decimals: u32,
    /// What the file calls vertex 0.
    pub(crate) first: usize,
    /// What was not used.
    pub(crate) warnings: Vec<String>,
}

/// Edges with integer weights of one width.
#[derive(Debug)]
pub(crate) enum Weighted {
    Narrow(EdgeList<i64>),
    Wide(EdgeList<i128>),
}

/// Reads a graph.
pub(crate) fn read(format: GraphFormat, reader: impl BufRead) -> Result<Graph, GraphError> {
    let mut lines = Lines::new(reader);
    match format {
        GraphFormat::Edges => edges::read(&mut lines),
        GraphFormat::Matrix => matrix::read(&mut lines),
        GraphFormat::Dimacs => dimacs::read(&mut lines),
        GraphFormat::MatrixMarket => market::read(&mut lines),
    }
}

/// The format of a graph file whose vertices are to be grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupFormat {
    Matrix,
    Mdgplib,
    Edges,
}

/// A graph file that may say how large groups are.
#[derive(Debug)]
pub(crate) struct Grouped {
    pub(crate) graph: Graph,
    pub(crate) sizes: Sizes,
}

/// What a file says about the sizes of groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sizes {
    Unstated,
    /// So many members each; those left over wait.
    Each(usize),
    /// For each group, the least and the greatest number of members; nobody waits.
    Bounds(Vec<(usize, usize)>),
}

/// Reads a graph whose vertices are to be grouped.
pub(crate) fn read_grouped(format: GroupFormat, reader: impl BufRead) -> Result<Grouped, GraphError> {
    let mut lines = Lines::new(reader);
    match format {
        GroupFormat::Matrix => matrix::read_grouped(&mut lines),
        GroupFormat::Mdgplib => mdgplib::read(&mut lines),
        GroupFormat::Edges => Ok(Grouped {
            graph: edges::read(&mut lines)?,
            sizes: Sizes::Unstated,
        }),
    }
}

/// Edges as they are read.
#[derive(Debug)]
struct Builder {
    len: usize,
    first: usize,
    ends: Vec<(u32, u32)>,
    weights: Column,
    /// Edges whose line does not follow that of the edge before, with their lines.
    jumps: Vec<(usize, u64)>,
    last_line: u64,
}

impl Builder {
    fn new(len: usize, first: usize) -> Self {
        Self {
            len,
            first,
            ends: Vec::new(),
            weights: Column::default(),
            jumps: Vec::new(),
            last_line: 0,
        }
    }

    /// Appends an edge; `text` is the weight as written.
    fn push(&mut self, line: Line<'_>, (u, v): (u32, u32), text: &[u8], weight: Decimal) -> Result<(), GraphError> {
        if u == v {
            return Err(line.error(Problem::SelfLoop {
                vertex: u as usize + self.first,
            }));
        }
        if self.ends.is_empty() || line.number != self.last_line + 1 {
            self.jumps.push((self.ends.len(), line.number));
        }
        self.last_line = line.number;
        self.ends.push((u, v));
        self.weights
            .push(weight)
            .map_err(|cause: DecimalError| line.error(Problem::weight(text, cause)))
    }

    /// The line of an edge.
    fn line(&self, edge: usize) -> u64 {
        let jump = self.jumps.partition_point(|&(from, _)| from <= edge);
        let (from, line) = self.jumps[jump - 1];
        line + (edge - from) as u64
    }

    /// The graph, if no two edges join the same two vertices.
    fn finish(mut self) -> Result<Graph, GraphError> {
        let (integers, decimals) = std::mem::take(&mut self.weights).finish();
        let edges = match integers {
            Integers::Narrow(weights) => Weighted::Narrow(self.list(&weights)?),
            Integers::Wide(weights) => Weighted::Wide(self.list(&weights)?),
        };
        Ok(Graph {
            edges,
            decimals,
            first: self.first,
            warnings: Vec::new(),
        })
    }

    fn list<V: matching_core::CostValue>(&self, weights: &[V]) -> Result<EdgeList<V>, GraphError> {
        let edges = self
            .ends
            .iter()
            .zip(weights)
            .map(|(&(u, v), &weight)| (u as usize, v as usize, weight));
        EdgeList::with_parallel(self.len, edges, Parallel::Refuse).map_err(|error| self.refused(&error))
    }

    /// What the list found wrong, by line.
    fn refused(&self, error: &matching_core::Error) -> GraphError {
        let matching_core::Error::ParallelEdge { edge, u, v } = *error else {
            return GraphError {
                line: 1,
                problem: Problem::Read {
                    message: error.to_string(),
                },
            };
        };
        let ends = |&(a, b): &(u32, u32)| (a.min(b) as usize, a.max(b) as usize) == (u, v);
        let first_line = self.ends.iter().position(ends).map_or(1, |first| self.line(first));
        let problem = Problem::Parallel {
            u: u + self.first,
            v: v + self.first,
            first_line,
        };
        GraphError {
            line: self.line(edge),
            problem,
        }
    }
}
