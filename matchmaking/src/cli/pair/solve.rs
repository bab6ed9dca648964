//! One question to the engine, and the check of its answer.

use std::time::{Duration, Instant};

use matching_core::verify::{self, VerifyError};
use matching_core::{Blossom, Budget, CostValue, EdgeList, Error, Objective, Status, StopReason, TutteBerge};

use crate::cli::failure::Failure;

/// Integer widths that graphs come in.
pub(super) trait Weight: CostValue<Total = i128> + Into<i128> {
    /// The weight as this type, if it fits.
    fn from_wide(value: i128) -> Option<Self>;
}

impl Weight for i64 {
    fn from_wide(value: i128) -> Option<Self> {
        value.try_into().ok()
    }
}

impl Weight for i128 {
    fn from_wide(value: i128) -> Option<Self> {
        Some(value)
    }
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    work: Option<u64>,
    time: Option<Duration>,
}

impl Limits {
    pub(super) fn new(work: Option<u64>, time: Option<Duration>) -> Self {
        Self { work, time }
    }

    /// The same limits, when so much of the time is gone.
    pub(super) fn after(self, gone: Duration) -> Self {
        Self {
            time: self.time.map(|time| time.saturating_sub(gone)),
            ..self
        }
    }

    fn budget(self) -> Budget {
        let budget = Budget::new();
        let budget = self.work.map_or(budget.clone(), |units| budget.work(units));
        self.time.map_or(budget.clone(), |limit| budget.time(limit))
    }
}

/// How long the parts of a run took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    pub(super) parse: Duration,
    pub(super) costs: Duration,
    pub(super) solve: Duration,
    pub(super) verify: Duration,
    pub(super) explain: Duration,
}

/// What the engine says, checked.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// A matching and a bound.
    Matched(Matched),
    /// The limit was reached before any full matching was; the bound holds.
    Unknown { bound: i128, reason: StopReason, work: u64 },
    /// There is no full matching.
    Infeasible(TutteBerge),
}

/// A matching that does what was asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matched {
    /// Why it may not be the best one; `None` when it is proven best.
    pub(super) stopped: Option<StopReason>,
    pub(super) cost: i128,
    pub(super) bound: i128,
    pub(super) pairs: Vec<(usize, usize, i128)>,
    pub(super) unmatched: Vec<usize>,
    pub(super) work: u64,
}

impl Outcome {
    /// The answer to the question with all weights negated.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Matched(matched) => Self::Matched(Matched {
                cost: -matched.cost,
                bound: -matched.bound,
                pairs: matched.pairs.into_iter().map(|(u, v, cost)| (u, v, -cost)).collect(),
                ..matched
            }),
            Self::Unknown { bound, reason, work } => Self::Unknown {
                bound: -bound,
                reason,
                work,
            },
            Self::Infeasible(witness) => Self::Infeasible(witness),
        }
    }

    /// The matching, if there is one.
    pub(super) fn matched(&self) -> Option<&Matched> {
        match self {
            Self::Matched(matched) => Some(matched),
            Self::Unknown { .. } | Self::Infeasible(_) => None,
        }
    }
}

/// Why there is no outcome.
#[derive(Debug)]
pub(super) enum SolveError {
    /// The solver refuses the input.
    Refused(Error),
    /// The checker refuses the answer.
    Unverified(VerifyError),
}

impl SolveError {
    pub(super) fn in_file(self, file: &str) -> Failure {
        match self {
            Self::Refused(source) => Failure::Solver {
                file: file.to_owned(),
                source,
            },
            Self::Unverified(source) => Failure::Unverified { source },
        }
    }
}

/// Solves, and checks the answer against the graph.
pub(super) fn solve<V: Weight>(
    graph: &EdgeList<V>,
    objective: &Objective<V>,
    limits: Limits,
    clock: &mut Clock,
) -> Result<Outcome, SolveError> {
    let start = Instant::now();
    let result = Blossom::new()
        .objective(objective.clone())
        .budget(limits.budget())
        .solve(graph);
    clock.solve += start.elapsed();
    let start = Instant::now();
    let outcome = match result {
        Ok(solution) => {
            solution.verify(graph).map_err(SolveError::Unverified)?;
            let matched = |stopped| Matched {
                stopped,
                cost: solution.cost(),
                bound: solution.bound(),
                pairs: solution.pairs().map(|(u, v, weight)| (u, v, weight.into())).collect(),
                unmatched: solution.unmatched().collect(),
                work: solution.work(),
            };
            match solution.status() {
                Status::Optimal => Outcome::Matched(matched(None)),
                Status::Unknown(reason) => Outcome::Unknown {
                    bound: solution.bound(),
                    reason,
                    work: solution.work(),
                },
                Status::Feasible(reason) => Outcome::Matched(matched(Some(reason))),
                // A status this program does not know promises nothing beyond the bound.
                _ => Outcome::Matched(matched(Some(StopReason::Rounding))),
            }
        }
        Err(Error::NoPerfectMatching(witness)) => {
            verify::infeasibility(graph, objective, &witness).map_err(SolveError::Unverified)?;
            Outcome::Infeasible(witness)
        }
        Err(error) => return Err(SolveError::Refused(error)),
    };
    clock.verify += start.elapsed();
    Ok(outcome)
}
