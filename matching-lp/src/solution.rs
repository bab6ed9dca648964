//! What a solve returns.

use std::fmt;
use std::time::Duration;

use matching_core::CostValue;

use crate::certificate::Certificate;

/// How good the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Status {
    /// Proven best.
    Optimal,
    /// A full answer; [`Solution::bound`] says how far from the best it can be at most.
    Feasible(StopReason),
    /// No answer was found, and none was excluded.
    Unknown(StopReason),
}

/// Why a solve ended short of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StopReason {
    /// The work was spent.
    WorkLimit,
    /// The time was spent.
    TimeLimit,
    /// Somebody cancelled.
    Cancelled,
    /// The linear program could not be solved with the digits that floats have.
    Numerics,
    /// Costs are floats that were rounded to a grid: the answer is best on the grid.
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
            Self::Numerics => "the digits of floats were too few",
            Self::Rounding => "costs were rounded",
        })
    }
}

/// Groups, what they cost, what they cost at least, and the proof of it.
///
/// What a solver returns, it has counted and found out. With feature `serde` a value may also come from a file: that says what
/// whoever wrote it wanted it to say, until [`verify`](Self::verify) has checked it. Costs and bounds of integers have 128 bits,
/// which `serde_json` writes and reads, and not every format does.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::serial::UncheckedSolution<V::Total>",
        bound(
            serialize = "V::Total: serde::Serialize",
            deserialize = "V::Total: serde::Deserialize<'de>"
        )
    )
)]
pub struct Solution<V: CostValue> {
    pub(crate) groups: Vec<Vec<usize>>,
    pub(crate) bench: Vec<usize>,
    pub(crate) cost: V::Total,
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serial::write_bound"))]
    pub(crate) bound: V::Total,
    pub(crate) status: Status,
    pub(crate) certificate: Certificate,
    pub(crate) pool: usize,
    pub(crate) work: u64,
    pub(crate) elapsed: Duration,
    pub(crate) seed: u64,
}

impl<V: CostValue> Solution<V> {
    /// The groups, in the order of their bounds; members ascending. None if the status is [`Status::Unknown`].
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// Who waits, ascending.
    pub fn bench(&self) -> &[usize] {
        &self.bench
    }

    /// What all groups and those who wait cost, counted from the cost itself. 0, which says nothing, if there are none: if the
    /// status is [`Status::Unknown`].
    pub fn cost(&self) -> V::Total {
        self.cost
    }

    /// No grouping costs less than this. Where nothing was proven before a limit came: all negative costs together, or,
    /// if costs of whole groups say nothing of how little they can be, the least number there is (`i128::MIN`, minus
    /// infinity).
    pub fn bound(&self) -> V::Total {
        self.bound
    }

    /// How much of the cost the best grouping can save at most: `(cost - bound) / max(1, |cost|)`, as the program of
    /// `matchmaking` reports gaps. 0 where both are the same; infinite where nothing is known of costs that are floats, and if
    /// the status is [`Status::Unknown`].
    pub fn gap(&self) -> f64 {
        // There is no grouping, and the cost of none is no cost.
        if matches!(self.status, Status::Unknown(_)) {
            return f64::INFINITY;
        }
        let (cost, bound) = (self.cost.to_f64(), self.bound.to_f64());
        (cost - bound) / cost.abs().max(1.0)
    }

    /// How good the answer is.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether the answer is proven best.
    pub fn is_optimal(&self) -> bool {
        self.status == Status::Optimal
    }

    /// The proof of the bound.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Number of teams and places on the bench that could be in a better grouping by duals alone, in all pools
    /// together; 0 if these proved that there is none, or if it did not come to that.
    pub fn pool(&self) -> usize {
        self.pool
    }

    /// Work that was used, in the units of [`Solver::work`](crate::Solver::work).
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Time that it took.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The seed of the search for the first grouping.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap<V: CostValue>(cost: V::Total, bound: V::Total) -> f64 {
        let solution = Solution::<V> {
            groups: Vec::new(),
            bench: Vec::new(),
            cost,
            bound,
            status: Status::Feasible(StopReason::WorkLimit),
            certificate: Certificate::default(),
            pool: 0,
            work: 0,
            elapsed: Duration::ZERO,
            seed: 0,
        };
        solution.gap()
    }

    /// A cost of 0 with a bound below it had an infinite gap.
    #[test]
    fn gaps_are_parts_of_the_cost_or_of_one() {
        assert_eq!(gap::<i64>(0, -3), 3.0);
        assert_eq!(gap::<i64>(0, 0), 0.0);
        assert_eq!(gap::<i64>(200, 150), 0.25);
        assert_eq!(gap::<i64>(-200, -250), 0.25);
        assert_eq!(gap::<i64>(-200, -200), 0.0);
        assert_eq!(gap::<i64>(1, -1), 2.0);
        assert_eq!(gap::<f64>(0.5, 0.25), 0.25);
        assert_eq!(gap::<f64>(-0.5, -0.75), 0.25);
        assert_eq!(gap::<f64>(0.0, f64::NEG_INFINITY), f64::INFINITY);
    }
}
