//! What a solve returns.

mod on_grid;
#[cfg(feature = "serde")]
mod written;

use core::fmt;

use crate::blossom::Objective;
use crate::certificate::Certificate;
use crate::cost::CostValue;
use crate::edge_list::Edge;

/// How good the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Status {
    /// Proven best.
    Optimal,
    /// A full answer; [`Solution::bound`] says how far from the best it can be at most.
    Feasible(StopReason),
    /// No full answer was found before the stop, and none was excluded; the matching is partial.
    Unknown(StopReason),
}

/// Why a solve ended short of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StopReason {
    /// The work budget was used up.
    WorkLimit,
    /// The time budget was used up.
    TimeLimit,
    /// The cancel token was cancelled.
    Cancelled,
    /// Costs were rounded to a grid ([`crate::Precision::Quantised`]).
    Rounding,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal => f.pad("optimal"),
            Self::Feasible(reason) => f.pad(&format!("feasible: {reason}")),
            Self::Unknown(reason) => f.pad(&format!("unknown: {reason}")),
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::WorkLimit => "the work was spent",
            Self::TimeLimit => "the time was spent",
            Self::Cancelled => "it was cancelled",
            Self::Rounding => "costs were rounded",
        })
    }
}

/// Who found an answer. What was asked for is an [`Engine`](crate::Engine); the proof is of the same kind, whoever found
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SolvedBy {
    /// The engine for costs on all pairs of up to 200 vertices, on a full matrix without heaps.
    Small,
    /// The engine for lists of edges. Costs on all pairs become one where it is asked for, where most pairs are
    /// forbidden, and where few vertices come with limits or numbers that the small engine does not take.
    Sparse,
    /// The engine for costs on all pairs that searches on few of them and prices the rest; that of a
    /// [`Session`](crate::Session), too.
    Dense,
    /// The same on things in space, whose pairs an index finds
    /// ([`Blossom::solve_embedded`](crate::Blossom::solve_embedded)).
    Embedded,
    /// The engine for lists whose edges all cost the same, so that only the number of pairs counts.
    Cardinality,
    /// The engine for pairs between two sides ([`Cost::first_side`](crate::Cost::first_side)): shortest augmenting paths.
    Assignment,
}

impl SolvedBy {
    /// One word for a report: `small`, `sparse`, `dense`, `embedded`, `cardinality`, `assignment`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Sparse => "sparse",
            Self::Dense => "dense",
            Self::Embedded => "embedded",
            Self::Cardinality => "cardinality",
            Self::Assignment => "assignment",
        }
    }
}

impl fmt::Display for SolvedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A matching with its cost, the proven bound and the certificate behind it.
///
/// With feature `serde` it may also come from a file: then it is a matching, and all else is what whoever wrote it wanted it
/// to say, until [`verify`](Self::verify) has seen the input.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "written::Written<V>",
        bound(
            serialize = "V: serde::Serialize, V::Total: serde::Serialize",
            deserialize = "V: serde::Deserialize<'de>, V::Total: serde::Deserialize<'de>"
        )
    )
)]
pub struct Solution<V: CostValue> {
    /// Partner of each vertex, `u32::MAX` where there is none.
    pub(crate) mates: Vec<u32>,
    pub(crate) pairs: Vec<Edge<V>>,
    pub(crate) cost: V::Total,
    pub(crate) bound: V::Total,
    pub(crate) status: Status,
    pub(crate) objective: Objective<V>,
    pub(crate) certificate: Certificate,
    pub(crate) work: u64,
    pub(crate) solved_by: SolvedBy,
}

impl<V: CostValue> Solution<V> {
    /// The answer for no vertices, which takes no search.
    pub(crate) fn empty() -> Self {
        Self {
            mates: Vec::new(),
            pairs: Vec::new(),
            cost: V::zero().to_total(),
            bound: V::zero().to_total(),
            status: Status::Optimal,
            objective: Objective::MinPerfect,
            certificate: Certificate::default(),
            work: 0,
            solved_by: SolvedBy::Sparse,
        }
    }

    /// Partner of vertex `v`, if it has one.
    ///
    /// # Panics
    /// If `v` is not a vertex.
    #[track_caller]
    pub fn mate(&self, v: usize) -> Option<usize> {
        Some(self.mates[v])
            .filter(|&mate| mate != u32::MAX)
            .map(|mate| mate as usize)
    }

    /// The pairs in order of their lower members: lower, higher, cost of the pair.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (usize, usize, V)> + '_ {
        self.pairs
            .iter()
            .map(|edge| (edge.u as usize, edge.v as usize, edge.weight))
    }

    /// The vertices without a partner, in order.
    pub fn unmatched(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.mates.len()).filter(|&v| self.mates[v] == u32::MAX)
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.mates.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.mates.is_empty()
    }

    /// Total of the objective, in the input's own units and sense: pair costs, and penalties or, of an odd number of
    /// vertices, byes of unmatched ones.
    pub fn cost(&self) -> V::Total {
        self.cost
    }

    /// No answer can be better than this: a lower bound when minimising, an upper bound when maximising. For floats that
    /// are exact on their grid, the float nearest to it, as the cost is.
    /// Under [`Objective::MaxCardinality`] it bounds the weight of matchings of maximum size; while these may have more pairs
    /// than this one, by nothing that can be compared with a weight: see [`pairs_at_most`](Self::pairs_at_most).
    pub fn bound(&self) -> V::Total {
        self.bound
    }

    /// How good the answer is.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether the answer is proven best.
    pub fn is_optimal(&self) -> bool {
        self.status == Status::Optimal
    }

    /// What was asked.
    pub fn objective(&self) -> &Objective<V> {
        &self.objective
    }

    /// The proof.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Units of work used: visits of the engine to arcs, and between rounds to trees and pairs of trees.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Who found the answer: under [`Engine::Auto`](crate::Engine::Auto) the small engine may have handed it on to another
    /// one. No part of what [`Solution::verify`] checks.
    pub fn solved_by(&self) -> SolvedBy {
        self.solved_by
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_told_in_words() {
        assert_eq!(Status::Optimal.to_string(), "optimal");
        let feasible = Status::Feasible(StopReason::WorkLimit);
        assert_eq!(feasible.to_string(), "feasible: the work was spent");
        let unknown = Status::Unknown(StopReason::Cancelled);
        assert_eq!(format!("{unknown:>27}|"), "  unknown: it was cancelled|");
        assert_eq!(format!("{:<20}|", StopReason::Rounding), "costs were rounded  |");
    }
}
