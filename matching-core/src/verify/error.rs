//! What can be wrong with an answer.

use core::any::Any;
use core::fmt;

use crate::error::Error;

/// A cost or a total of costs, as it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
}

impl Number {
    /// Reads any cost or total of costs without loss.
    pub(crate) fn from<T: Copy + 'static>(value: T) -> Self {
        let value: &dyn Any = &value;
        if let Some(&integer) = value.downcast_ref::<i32>() {
            Self::Integer(integer.into())
        } else if let Some(&integer) = value.downcast_ref::<i64>() {
            Self::Integer(integer.into())
        } else if let Some(&integer) = value.downcast_ref::<i128>() {
            Self::Integer(integer)
        } else if let Some(&float) = value.downcast_ref::<f32>() {
            Self::Float(float.into())
        } else if let Some(&float) = value.downcast_ref::<f64>() {
            Self::Float(float)
        } else {
            unreachable!("costs are a sealed set of types")
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(f),
            Self::Float(float) => float.fmt(f),
        }
    }
}

/// Why an answer, a certificate or a witness is refused.
///
/// Vertices of the matching and of a witness are the caller's; vertices of [`VerifyError::Slack`] are those of the
/// reduced instance (see the [module](super)). Sets are positions in
/// [`Certificate::odd_sets`](crate::Certificate::odd_sets).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The input itself cannot be read.
    Input(Error),
    /// A sum leaves `i128`, so that nothing can be said.
    Overflow,
    /// A vector has the wrong number of entries.
    Length {
        /// What the vector holds.
        what: &'static str,
        /// Number of entries found.
        found: usize,
        /// Number of entries required.
        required: usize,
    },
    /// A vertex that does not exist is named.
    VertexOutOfRange {
        /// The vertex found.
        vertex: usize,
        /// Number of vertices.
        len: usize,
    },
    /// The partner of a vertex has another partner, or none.
    Asymmetric {
        /// The vertex.
        vertex: usize,
        /// Its partner.
        mate: usize,
        /// The partner's partner.
        back: Option<usize>,
    },
    /// Two vertices are matched that no edge of the input joins.
    NotAnEdge {
        /// Lower vertex.
        u: usize,
        /// Higher vertex.
        v: usize,
    },
    /// The list of pairs is not the list that the partners give.
    Pair {
        /// Position in the list.
        position: usize,
        /// The pair found there, if any.
        found: Option<(usize, usize)>,
        /// The pair required there, if any.
        required: Option<(usize, usize)>,
    },
    /// A pair carries another weight than its edge.
    PairWeight {
        /// Lower vertex.
        u: usize,
        /// Higher vertex.
        v: usize,
        /// Weight found.
        found: Number,
        /// Weight of the edge.
        required: Number,
    },
    /// More vertices are unmatched than the objective allows.
    Unmatched {
        /// The first unmatched vertex beyond those allowed.
        vertex: usize,
        /// Number of unmatched vertices found.
        found: usize,
        /// Number allowed.
        allowed: usize,
    },
    /// A vertex has fewer or more partners than it should.
    Degree {
        /// The vertex.
        vertex: usize,
        /// Number of partners found, or possible.
        found: u32,
        /// The fewest that it may have.
        least: u32,
        /// The most.
        most: u32,
    },
    /// The claimed cost is not the cost of the matching.
    Cost {
        /// Cost claimed.
        found: Number,
        /// Cost of the matching.
        required: Number,
    },
    /// The claimed bound is better than what the duals prove; for an optimal answer, it is not the cost.
    Bound {
        /// Bound claimed.
        found: Number,
        /// Best bound that follows.
        required: Number,
    },
    /// The answer is said to be optimal, but matching and duals do not meet.
    Gap {
        /// Twice the reduced cost of the matching, on the grid.
        primal: i128,
        /// `sum y + sum z`.
        dual: i128,
    },
    /// The grid of a certificate for integer costs is not the integers.
    Exponent {
        /// Exponent found; required is 0.
        found: i32,
    },
    /// The answer is said to be optimal, but a cost does not lie on the certificate's grid.
    OffGrid {
        /// The cost.
        cost: Number,
        /// The grid's exponent.
        exponent: i32,
    },
    /// The order is not a permutation: a vertex stands in it twice.
    Repeated {
        /// The second position.
        position: usize,
        /// The vertex.
        vertex: usize,
    },
    /// An odd set is not a range of the order.
    SetRange {
        /// The set.
        set: usize,
        /// Its first position.
        start: usize,
        /// Its number of vertices.
        len: usize,
        /// Number of vertices altogether.
        vertices: usize,
    },
    /// An odd set has an even number of members, or a single one.
    SetSize {
        /// The set.
        set: usize,
        /// Number of members found; required is an odd number from three.
        len: usize,
    },
    /// An odd set has a negative dual value.
    SetDual {
        /// The set.
        set: usize,
        /// Value found; required is 0 or more.
        dual: i128,
    },
    /// Two odd sets share members, and neither holds the other.
    SetsCross {
        /// One set.
        set: usize,
        /// The other set.
        other: usize,
    },
    /// An odd set is listed after a set inside it.
    SetOrder {
        /// The outer set.
        outer: usize,
        /// The inner set, listed first.
        inner: usize,
    },
    /// An edge of the reduced instance carries more than it may.
    Slack {
        /// One end.
        u: usize,
        /// The other end.
        v: usize,
        /// Slack found; required is 0 or more.
        slack: i128,
    },
    /// A vertex belongs to two parts of a witness.
    Overlap {
        /// The vertex.
        vertex: usize,
    },
    /// A component of a witness has an even number of vertices.
    EvenComponent {
        /// Position of the component.
        component: usize,
        /// Number of vertices found; required is an odd number.
        len: usize,
    },
    /// An edge leaves a component of a witness for a vertex that is not removed.
    Escape {
        /// The end in the component.
        inside: usize,
        /// The other end.
        outside: usize,
    },
    /// An explanation of a pair says something that does not follow from the input and its answers.
    Explanation {
        /// Lower vertex.
        u: usize,
        /// Higher vertex.
        v: usize,
        /// What it says.
        what: &'static str,
    },
    /// The worst pair of a matching is another one than it is said to be.
    WorstPair {
        /// What it is said to cost.
        found: Number,
        /// What the worst pair of the matching costs, if it has pairs.
        required: Option<Number>,
    },
    /// An answer about worst pairs says something that does not follow from its matching and its witness.
    Bottleneck {
        /// What it says.
        what: &'static str,
    },
    /// A witness does not have enough odd components.
    Deficiency {
        /// Number of vertices it proves unmatched.
        found: usize,
        /// Number required.
        required: usize,
    },
}

impl From<Error> for VerifyError {
    fn from(error: Error) -> Self {
        Self::Input(error)
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => write!(f, "the input cannot be read: {error}"),
            Self::Overflow => write!(f, "a sum does not fit 128 bits"),
            Self::Length { what, found, required } => write!(f, "{found} {what} where there must be {required}"),
            Self::VertexOutOfRange { vertex, len } => write!(f, "vertex {vertex} is not one of {len}"),
            Self::Asymmetric {
                vertex,
                mate,
                back: Some(back),
            } => {
                write!(f, "vertex {vertex} is matched to {mate}, but {mate} to {back}")
            }
            Self::Asymmetric {
                vertex,
                mate,
                back: None,
            } => {
                write!(f, "vertex {vertex} is matched to {mate}, but {mate} to none")
            }
            Self::NotAnEdge { u, v } => write!(f, "vertices {u} and {v} are matched, but not joined by an edge"),
            Self::Pair {
                position,
                found,
                required,
            } => {
                write!(f, "pair {position} is {found:?}, the partners give {required:?}")
            }
            Self::PairWeight { u, v, found, required } => {
                write!(f, "pair ({u}, {v}) carries weight {found}, its edge {required}")
            }
            Self::Unmatched { vertex, found, allowed } => {
                write!(
                    f,
                    "{found} vertices are unmatched, among them {vertex}; {allowed} may be"
                )
            }
            Self::Degree {
                vertex,
                found,
                least,
                most,
            } => write!(
                f,
                "vertex {vertex} has {found} partners, it should have {least} to {most}"
            ),
            Self::Cost { found, required } => write!(f, "cost {found} is claimed, the matching costs {required}"),
            Self::Bound { found, required } => write!(f, "bound {found} is claimed, {required} follows"),
            Self::Gap { primal, dual } => write!(f, "the matching is at {primal}, its duals at {dual} half units"),
            Self::Exponent { found } => write!(f, "a grid of 2^{found} for integer costs"),
            Self::OffGrid { cost, exponent } => {
                write!(
                    f,
                    "cost {cost} is no multiple of 2^{exponent}, so nothing can be called optimal"
                )
            }
            _ => self.fmt_certificate(f),
        }
    }
}

impl VerifyError {
    fn fmt_certificate(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated { position, vertex } => write!(f, "vertex {vertex} stands again at position {position}"),
            Self::SetRange {
                set,
                start,
                len,
                vertices,
            } => {
                write!(f, "set {set}: {len} positions from {start} of {vertices}")
            }
            Self::SetSize { set, len } => write!(f, "set {set} has {len} members, not an odd number from three"),
            Self::SetDual { set, dual } => write!(f, "set {set} has dual value {dual}"),
            Self::SetsCross { set, other } => write!(f, "sets {set} and {other} cross"),
            Self::SetOrder { outer, inner } => write!(f, "set {outer} holds set {inner} and is listed after it"),
            Self::Slack { u, v, slack } => write!(f, "edge ({u}, {v}) has slack {slack}"),
            Self::Overlap { vertex } => write!(f, "vertex {vertex} belongs to two parts"),
            Self::EvenComponent { component, len } => write!(f, "component {component} has {len} vertices, not odd"),
            Self::Escape { inside, outside } => write!(f, "edge ({inside}, {outside}) leaves a component"),
            Self::Explanation { u, v, what } => write!(f, "pair ({u}, {v}): the input says something else of {what}"),
            Self::WorstPair {
                found,
                required: Some(required),
            } => write!(f, "the worst pair is said to cost {found}, it costs {required}"),
            Self::WorstPair { found, required: None } => {
                write!(f, "the worst pair is said to cost {found}, and there are no pairs")
            }
            Self::Bottleneck { what } => write!(f, "of the worst pair it is said what does not follow: {what}"),
            Self::Deficiency { found, required } => write!(f, "deficiency {found}, required is {required}"),
            other => write!(f, "{other:?}"),
        }
    }
}

impl core::error::Error for VerifyError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Input(error) => Some(error),
            _ => None,
        }
    }
}
