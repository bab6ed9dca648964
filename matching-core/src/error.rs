//! What can be wrong with an input.

use core::fmt;

use crate::degrees::DegreeWitness;
use crate::engine::WIDE_BITS;
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
    /// A combined integer cost, such as a sum or a negation, does not fit its type.
    CostOverflow {
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
    /// A coordinate of a point is NaN, infinite, or beyond ±1e150.
    CoordinateOutOfRange {
        /// The point, from 0.
        point: usize,
        /// Which of its coordinates, from 0.
        axis: usize,
    },
    /// The scale of a distance is not a positive finite number.
    ScaleOutOfRange {
        /// The scale.
        scale: f64,
    },
    /// The points lie so far apart that the cost of a pair could exceed 2⁵³.
    PointsTooFarApart {
        /// What the diagonal of the box around them would cost.
        cost: f64,
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
    /// The rows of a matrix differ in length.
    RaggedRow {
        /// The first row that differs, from 0.
        row: usize,
        /// Length of the rows before it.
        expected: usize,
        /// Its length.
        found: usize,
    },
    /// More vertices than 29 bits can name, or edges than 31 bits. Objectives that leave vertices unmatched are solved on a
    /// graph of twice the size, and it is that graph which has to fit.
    TooLarge {
        /// Number of vertices.
        vertices: usize,
        /// Number of edges, as far as they were counted.
        edges: usize,
    },
    /// The exhaustive oracle was asked about more vertices than it can enumerate.
    OracleLimit {
        /// Number of vertices.
        vertices: usize,
        /// The most it takes.
        limit: usize,
    },
    /// The costs are so large that sums of them could leave the widest integer.
    Overflow {
        /// Number of vertices.
        vertices: usize,
        /// Bits that an exact computation could need.
        bits_needed: u32,
        /// Bits that the search asked for has: 126, but 62 for the index of
        /// [`Blossom::solve_embedded`](crate::Blossom::solve_embedded).
        available: u32,
    },
    /// The costs cannot be written exactly on one binary grid; [`crate::Precision::Quantised`] solves them with a
    /// verified gap.
    PrecisionRequired {
        /// Bits from the smallest to the largest binary digit of the costs, and room for their sums.
        bits_needed: u32,
    },
    /// An integer on a grid ([`Solution::on_grid`](crate::Solution::on_grid)) stands for a number that is no `f64`.
    NoFloat {
        /// The integer.
        units: i64,
        /// The number is the integer times 2 to this power.
        exponent: i32,
    },
    /// The total of the chosen floating-point costs leaves the range of `f64`.
    TotalOutOfRange,
    /// There is no perfect matching, and here is why. Of an odd number of vertices there never is one: a witness that
    /// removes nothing and has one odd component says no more than that, and
    /// [`Objective::MinBye`](crate::Objective::MinBye) leaves one vertex alone.
    NoPerfectMatching(TutteBerge),
    /// A vertex has to have more partners than it may have.
    DegreesReversed {
        /// The vertex.
        vertex: usize,
        /// The fewest partners that it may have.
        least: u32,
        /// The most.
        most: u32,
    },
    /// The best worst pair was asked for under an objective that leaves it open who is matched, so that no pair at all would be
    /// best.
    ObjectiveWithBottleneck,
    /// Of several partners for each vertex, something else was asked than the least cost or the greatest weight.
    ObjectiveWithDegrees,
    /// No pairs give every vertex as many partners as it should have, and here is why.
    NoDegrees(DegreeWitness),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::VertexOutOfRange { edge, vertex, len } => {
                write!(
                    f,
                    "edge {edge} (counted from 0) names vertex {vertex}, but there are only {len} vertices: 0 to {len} exclusive"
                )
            }
            Self::SelfLoop { edge, vertex } => {
                write!(
                    f,
                    "edge {edge} (counted from 0) joins vertex {vertex} to itself; an edge needs two different vertices"
                )
            }
            Self::ParallelEdge { edge, u, v } => {
                write!(
                    f,
                    "edge {edge} (counted from 0) joins {u} and {v} again; at most one edge a pair was asked for"
                )
            }
            Self::NotANumber { u, v } => {
                write!(
                    f,
                    "the cost of the pair ({u}, {v}) is NaN or infinite; give a number, or forbid the pair"
                )
            }
            Self::CostOverflow { u, v } => {
                write!(
                    f,
                    "the combined cost of the pair ({u}, {v}) does not fit its integer type; use a wider one"
                )
            }
            Self::PenaltyNotANumber { vertex } => {
                write!(
                    f,
                    "the penalty or bye cost of vertex {vertex} is NaN or infinite; give a number"
                )
            }
            Self::CoordinateOutOfRange { point, axis } => {
                write!(
                    f,
                    "coordinate {axis} of point {point} (both counted from 0) is NaN, infinite, or beyond ±1e150"
                )
            }
            Self::ScaleOutOfRange { scale } => {
                write!(
                    f,
                    "distances cannot be scaled by {scale:?}; give a positive finite number"
                )
            }
            Self::PointsTooFarApart { cost } => {
                write!(
                    f,
                    "the diagonal of the box around the points would cost {cost:e}, more than 2^53; \
                     scale distances down, as `Points::scaled` does"
                )
            }
            Self::Asymmetric { u, v } => write!(
                f,
                "the costs of ({u}, {v}) and ({v}, {u}) differ, or only one of the two is allowed; \
                 a matching needs symmetric costs, such as `symmetrized()` makes"
            ),
            Self::NotSquare { rows, cols } => {
                write!(
                    f,
                    "the cost has {rows} rows and {cols} columns; a matching needs as many rows as columns"
                )
            }
            Self::LengthMismatch { what, expected, found } => {
                write!(f, "{found} {what} were given; {expected} are needed")
            }
            Self::RaggedRow { row, expected, found } => {
                write!(
                    f,
                    "row {row} (counted from 0) has {found} entries; the rows before it have {expected}"
                )
            }
            Self::TooLarge { vertices, edges } => write!(
                f,
                "{vertices} vertices and {edges} edges are needed; there must be fewer than {} vertices and {} edges",
                crate::edge_list::VERTEX_LIMIT,
                crate::edge_list::LIMIT
            ),
            Self::OracleLimit { vertices, limit } => {
                write!(
                    f,
                    "the exhaustive oracle takes at most {limit} vertices, not {vertices}; use the solver"
                )
            }
            // Where things lie in space, the index of them has 64-bit duals, however wide the search is.
            Self::Overflow {
                vertices,
                bits_needed,
                available,
            } if *available < WIDE_BITS => write!(
                f,
                "the costs are so large that an exact answer for {vertices} vertices in space could need {bits_needed} \
                 bits; {available} are available there, and {WIDE_BITS} to `Blossom::solve`"
            ),
            Self::Overflow {
                vertices,
                bits_needed,
                available,
            } => write!(
                f,
                "the costs are so large that an exact answer for {vertices} vertices could need {bits_needed} bits; \
                 {available} are available; divide them all by 2^{} or more",
                bits_needed.saturating_sub(*available)
            ),
            Self::PrecisionRequired { bits_needed } => write!(
                f,
                "an exact answer for these floating-point costs could need {bits_needed} bits and 126 are available; \
                 `Precision::Quantised` answers with a proven gap"
            ),
            Self::NoFloat { units, exponent } => write!(
                f,
                "{units} times 2^{exponent} is no f64, which has 53 binary digits, none below 2^-1074, and is less than 2^1024; \
                 round costs to so many digits, or take the exponent that they have"
            ),
            Self::TotalOutOfRange => {
                write!(
                    f,
                    "the total of the floating-point costs leaves the range of f64; scale the costs down"
                )
            }
            Self::NoPerfectMatching(witness) => write!(f, "there is no perfect matching: {witness}"),
            Self::DegreesReversed { vertex, least, most } => write!(
                f,
                "vertex {vertex} should have at least {least} partners and at most {most}; the first number must not be \
                 greater than the second"
            ),
            Self::ObjectiveWithBottleneck => write!(
                f,
                "for the best worst pair the objective is `MinPerfect`, `MaxPerfect` or `MinBye`: where vertices may stay \
                 unmatched, no pair at all would be best"
            ),
            Self::ObjectiveWithDegrees => write!(
                f,
                "with several partners for each vertex the objective is `MinPerfect` or `MaxPerfect`; who may have fewer, \
                 and what that costs, is said by `Degrees`"
            ),
            Self::NoDegrees(witness) => write!(
                f,
                "no pairs give everybody as many partners as he should have: {witness}"
            ),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_can_be_boxed_and_sent() {
        fn check<T: core::error::Error + Send + Sync + 'static>(_: T) {}
        check(Error::TooLarge { vertices: 1, edges: 2 });
    }

    #[test]
    fn sentences_name_what_where_and_what_would_be_right() {
        let text = Error::VertexOutOfRange {
            edge: 3,
            vertex: 9,
            len: 4,
        }
        .to_string();
        assert!(
            text.contains("edge 3") && text.contains("vertex 9") && text.contains("4 vertices"),
            "{text}"
        );
        let wide = |bits_needed, available| {
            let vertices = 6;
            let overflow = Error::Overflow {
                vertices,
                bits_needed,
                available,
            };
            overflow.to_string()
        };
        // However many bits it takes: who asked is known by what there is.
        assert!(wide(130, 62).contains("in space could need 130 bits; 62 are available there, and 126 to"));
        assert!(
            wide(133, 126)
                .ends_with("6 vertices could need 133 bits; 126 are available; divide them all by 2^7 or more")
        );
        // It was told as a number of bits that there are.
        let (units, exponent) = ((1 << 53) + 1, -7);
        let text = Error::NoFloat { units, exponent }.to_string();
        assert!(
            text.contains("9007199254740993 times 2^-7") && text.contains("53 binary digits"),
            "{text}"
        );
        let witness = TutteBerge::new(vec![7], vec![vec![1], vec![2], vec![3]]);
        let text = Error::NoPerfectMatching(witness).to_string();
        assert!(text.contains("3 odd") && text.contains("2 vertices"), "{text}");
    }
}
