//! What can be wrong with an input.

use crate::witness::TutteBerge;

/// Why there is no answer. Vertices are named by the caller's own indices.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// An edge names a vertex that does not exist.
    VertexOutOfRange {
        /// Position of the edge in the input, from 0.
        edge: usize,
        /// The vertex it names.
        vertex: usize,
        /// Number of vertices.
        len: usize,
    },
    /// An edge joins a vertex to itself.
    SelfLoop {
        /// Position of the edge in the input, from 0.
        edge: usize,
        /// The vertex.
        vertex: usize,
    },
    /// Two edges join the same two vertices and the caller asked to refuse that.
    ParallelEdge {
        /// Position of the second edge in the input, from 0.
        edge: usize,
        /// Lower endpoint.
        u: usize,
        /// Higher endpoint.
        v: usize,
    },
    /// A cost is NaN or infinite.
    NotANumber {
        /// Row, or lower endpoint.
        u: usize,
        /// Column, or higher endpoint.
        v: usize,
    },
    /// A penalty or bye cost is NaN or infinite.
    PenaltyNotANumber {
        /// The vertex it belongs to.
        vertex: usize,
    },
    /// `pair(u, v)` differs from `pair(v, u)`, or one of the two is allowed and the other is not.
    Asymmetric {
        /// Row.
        u: usize,
        /// Column.
        v: usize,
    },
    /// A matching was asked of a cost with different numbers of rows and columns.
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        cols: usize,
    },
    /// A vector has the wrong number of entries.
    LengthMismatch {
        /// What the vector holds.
        what: &'static str,
        /// Number of entries needed.
        expected: usize,
        /// Number of entries found.
        found: usize,
    },
    /// More vertices or edges than 32-bit ids can name.
    TooLarge {
        /// Number of vertices.
        vertices: usize,
        /// Number of edges.
        edges: usize,
    },
    /// The costs are so large that sums of them could leave the widest integer.
    Overflow {
        /// Number of vertices.
        vertices: usize,
        /// Bits that an exact computation could need.
        bits_needed: u32,
    },
    /// The costs cannot be written exactly on one binary grid; [`crate::Precision::Quantised`] solves them with a
    /// verified gap.
    PrecisionRequired {
        /// Bits from the smallest to the largest binary digit of the costs, and room for their sums.
        bits_needed: u32,
    },
    /// There is no perfect matching, and here is why.
    NoPerfectMatching(TutteBerge),
}
