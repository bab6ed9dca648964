//! The sparse exact engine.

use crate::budget::Budget;
use crate::certificate::Certificate;
use crate::edge_list::Edge;
use crate::solution::StopReason;
use crate::witness::TutteBerge;

/// Integers the engine accepts as weights.
pub(crate) trait EngineWeight: Copy + Into<i128> {}
impl EngineWeight for i32 {}
impl EngineWeight for i64 {}
impl EngineWeight for i128 {}

/// What the engine found: a minimum-weight perfect matching, or the state when it was stopped.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Partner of each vertex; `u32::MAX` only where the solve was stopped.
    pub(crate) mates: Vec<u32>,
    /// Feasible duals for the given weights (exponent 0), optimal unless stopped.
    pub(crate) certificate: Certificate,
    pub(crate) stopped: Option<StopReason>,
    /// Arc visits.
    pub(crate) work: u64,
}

/// Why there is no outcome.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Only for `i128` weights (and astronomically large graphs): `8 (n + 2) (range + max |w|)` needs so many bits.
    Overflow { bits_needed: u32 },
    Infeasible(TutteBerge),
}

/// Minimum-weight perfect matching of the simple graph `edges` on vertices `0..n`.
///
/// Narrow weights run on 64-bit duals where that is provably safe, on 128-bit ones otherwise.
pub(crate) fn solve<W: EngineWeight>(n: usize, edges: &[Edge<W>], budget: &Budget) -> Result<Outcome, Failure> {
    let _ = (n, edges, budget);
    unimplemented!("engine to come")
}
