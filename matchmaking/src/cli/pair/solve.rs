//! One question to the engine, and the check of its answer.

use std::time::{Duration, Instant};

use matching_core::verify::{self, VerifyError};
use matching_core::{
    Blossom, Budget, CancelToken, CostValue, Engine, Error, Instance, Objective, Solution, SolvedBy, Status,
    StopReason, TutteBerge,
};

use super::games::Lack;
use super::watch::watch;
use super::worst::Worst;
use crate::cli::args::PairArgs;
use crate::cli::failure::Failure;
use crate::cli::interrupt;
use crate::cli::json::Spent;
use crate::cli::output::Progress;
use crate::cli::threads::Threads;

/// Integer widths that graphs come in.
pub(super) trait Weight: CostValue<Total = i128> + Into<i128> {
    /// The weight as this type, if it fits.
    fn from_wide(value: i128) -> Option<Self>;
}

impl Weight for i32 {
    fn from_wide(value: i128) -> Option<Self> {
        value.try_into().ok()
    }
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

/// So many players are paired by an engine that does not look whether it should stop, and need not: in milliseconds.
/// Asked to look, another engine would pair them.
const AT_ONCE: usize = 200;

/// How to solve, who watches, and when to stop.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    work: Option<u64>,
    time: Option<Duration>,
    engine: Engine,
    threads: Threads,
    /// What Ctrl-C cancels.
    interrupt: Option<CancelToken>,
    /// Where word of the solve is shown, if somebody is watching.
    shown: Option<Progress>,
}

impl Settings {
    pub(super) fn new(args: &PairArgs, threads: Threads) -> Self {
        Self {
            work: args.work_limit,
            time: args.time_limit,
            engine: args.engine.engine(),
            threads,
            interrupt: None,
            shown: None,
        }
    }

    /// The engine that is asked for.
    pub(super) fn engine(&self) -> Engine {
        self.engine
    }

    /// The same settings for a list of edges: from now on Ctrl-C ends the solve with what was found, and who watches sees
    /// how far it is.
    pub(super) fn attended(self, progress: &Progress) -> Self {
        Self {
            interrupt: Some(interrupt::listen()),
            shown: Some(progress.clone()).filter(Progress::is_shown),
            ..self
        }
    }

    /// The same for the costs of so many players, where their pairing takes any time.
    pub(super) fn attended_for(self, players: usize, progress: &Progress) -> Self {
        if players <= AT_ONCE {
            self
        } else {
            self.attended(progress)
        }
    }

    /// The same settings, when so much of the work and of the time is gone: all solves of a run share the limits.
    pub(super) fn after(&self, work: u64, gone: Duration) -> Self {
        Self {
            work: self.work.map(|limit| limit.saturating_sub(work)),
            time: self.time.map(|time| time.saturating_sub(gone)),
            ..self.clone()
        }
    }

    /// What ended a solve that took so long, if a limit did: work is what is left of the reasons.
    pub(super) fn stopped_after(&self, gone: Duration) -> Option<StopReason> {
        if self.interrupt.as_ref().is_some_and(CancelToken::is_cancelled) {
            Some(StopReason::Cancelled)
        } else if self.time.is_some_and(|limit| gone >= limit) {
            Some(StopReason::TimeLimit)
        } else {
            self.work.map(|_| StopReason::WorkLimit)
        }
    }

    /// Asks whoever answers questions of this kind, and lets those who watch see how far it is.
    pub(super) fn ask<V: Weight, A>(&self, objective: &Objective<V>, ask: impl FnOnce(&Blossom<V>) -> A) -> A {
        let blossom = Blossom::new()
            .objective(objective.clone())
            .budget(self.budget())
            .engine(self.engine)
            .threads(self.threads.of_solver());
        let Some(shown) = &self.shown else {
            return ask(&blossom);
        };
        let answer = ask(&blossom.observer(watch(shown.clone())));
        shown.end_updates();
        answer
    }

    fn budget(&self) -> Budget {
        let budget = Budget::new();
        let budget = self.work.map_or(budget.clone(), |units| budget.work(units));
        let budget = self.time.map_or(budget.clone(), |limit| budget.time(limit));
        let interrupt = self.interrupt.as_ref();
        interrupt.map_or(budget.clone(), |token| budget.cancel(token.clone()))
    }
}

/// What the engine says, checked.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// A matching and a bound.
    Matched(Matched),
    /// The limit was reached before any full matching was; the bound holds.
    Unknown {
        bound: i128,
        reason: StopReason,
        work: u64,
        solved_by: SolvedBy,
    },
    /// There is no full matching.
    Infeasible(TutteBerge),
    /// There are no pairs that give everybody as many partners as he should have.
    Lacking(Lack),
    /// The same, but what ended the search for a reason left it without one; `None` where it was not begun.
    Unexplained(Option<StopReason>),
}

/// A matching that does what was asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matched {
    /// Why it may not be the best one; `None` when it is proven best.
    pub(super) stopped: Option<StopReason>,
    pub(super) cost: i128,
    pub(super) bound: i128,
    /// How many more pairs there may be, where as many as possible were asked for, and a limit ended the search for them.
    pub(super) more_pairs: Option<usize>,
    pub(super) pairs: Vec<(usize, usize, i128)>,
    pub(super) unmatched: Vec<usize>,
    /// Where the worst pair comes first.
    pub(super) worst: Option<Worst>,
    pub(super) work: u64,
    pub(super) solved_by: SolvedBy,
}

impl Matched {
    /// Takes another matching that does what was asked, if a limit left one that is worse.
    pub(super) fn or(&mut self, pairs: Vec<(usize, usize, i128)>, unmatched: Vec<usize>, cost: i128, is_maximum: bool) {
        let is_better = if is_maximum { cost > self.cost } else { cost < self.cost };
        if self.stopped.is_some() && is_better {
            let mut pairs: Vec<_> = pairs
                .into_iter()
                .map(|(i, j, price)| (i.min(j), i.max(j), price))
                .collect();
            pairs.sort_unstable();
            (self.pairs, self.unmatched, self.cost) = (pairs, unmatched, cost);
            self.stopped = self.stopped.filter(|_| self.cost != self.bound);
        }
    }
}

impl Outcome {
    /// The answer to the question with all weights negated.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Matched(matched) => Self::Matched(Matched {
                cost: -matched.cost,
                bound: -matched.bound,
                pairs: matched.pairs.into_iter().map(|(u, v, cost)| (u, v, -cost)).collect(),
                worst: matched.worst.map(Worst::negated),
                ..matched
            }),
            Self::Unknown {
                bound,
                reason,
                work,
                solved_by,
            } => Self::Unknown {
                bound: -bound,
                reason,
                work,
                solved_by,
            },
            other => other,
        }
    }

    /// Work that it took, as far as it is known: who proves that there is no answer does not say.
    pub(super) fn work(&self) -> Option<u64> {
        match self {
            Self::Matched(matched) => Some(matched.work),
            Self::Unknown { work, .. } => Some(*work),
            Self::Infeasible(_) | Self::Lacking(_) | Self::Unexplained(_) => None,
        }
    }

    /// Who found it, as the library says.
    pub(super) fn engine(&self) -> &'static str {
        let solved_by = match self {
            Self::Matched(matched) => Some(matched.solved_by),
            Self::Unknown { solved_by, .. } => Some(*solved_by),
            Self::Infeasible(witness) => witness.solved_by(),
            Self::Lacking(_) | Self::Unexplained(_) => Some(SolvedBy::Sparse),
        };
        solved_by.map_or("unknown", SolvedBy::name)
    }

    /// The matching, if there is one.
    pub(super) fn matched(&self) -> Option<&Matched> {
        match self {
            Self::Matched(matched) => Some(matched),
            _ => None,
        }
    }
}

/// An outcome, and where it comes from.
pub(super) struct Solved<V: Weight> {
    pub(super) outcome: Outcome,
    /// The solution behind it, unless there is none.
    pub(super) solution: Option<Solution<V>>,
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
            Self::Unverified(source) => Failure::Unverified { source: source.into() },
        }
    }
}

/// Solves, and checks the answer against the graph.
pub(super) fn solve<V: Weight, I: Instance<Value = V> + ?Sized>(
    graph: &I,
    objective: &Objective<V>,
    settings: &Settings,
    spent: &mut Spent,
) -> Result<Solved<V>, SolveError> {
    let ask = |blossom: &Blossom<V>| blossom.solve(graph);
    judged((graph, objective), settings, spent, ask, |solution: Solution<V>| {
        solution.verify(graph).map_err(SolveError::Unverified)?;
        Ok(Solved {
            outcome: outcome(&solution, more_pairs(&solution, graph)?),
            solution: Some(solution),
        })
    })
}

/// Asks, has the answer judged, and checks why there is none.
pub(super) fn judged<V: Weight, I: Instance<Value = V> + ?Sized, A>(
    (graph, objective): (&I, &Objective<V>),
    settings: &Settings,
    spent: &mut Spent,
    ask: impl FnOnce(&Blossom<V>) -> Result<A, Error>,
    judge: impl FnOnce(A) -> Result<Solved<V>, SolveError>,
) -> Result<Solved<V>, SolveError> {
    let start = Instant::now();
    let result = settings.ask(objective, ask);
    spent.solve += start.elapsed();
    let start = Instant::now();
    let solved = match result {
        Ok(answer) => judge(answer)?,
        Err(Error::NoPerfectMatching(witness)) => {
            verify::infeasibility(graph, objective, &witness).map_err(SolveError::Unverified)?;
            Solved {
                outcome: Outcome::Infeasible(witness),
                solution: None,
            }
        }
        Err(error) => return Err(SolveError::Refused(error)),
    };
    spent.verify += start.elapsed();
    Ok(solved)
}

/// How many more pairs there may be, where that is the first question and its answer is not known.
fn more_pairs<V: Weight, I: Instance<Value = V> + ?Sized>(
    solution: &Solution<V>,
    graph: &I,
) -> Result<Option<usize>, SolveError> {
    if solution.is_optimal() || !matches!(solution.objective(), Objective::MaxCardinality) {
        return Ok(None);
    }
    let most = solution.pairs_at_most(graph).map_err(SolveError::Unverified)?;
    Ok(Some(most.saturating_sub(solution.pairs().len())))
}

/// What a solution says.
pub(super) fn outcome<V: Weight>(solution: &Solution<V>, more_pairs: Option<usize>) -> Outcome {
    let matched = |stopped| Matched {
        stopped,
        cost: solution.cost(),
        bound: solution.bound(),
        more_pairs,
        pairs: solution.pairs().map(|(u, v, weight)| (u, v, weight.into())).collect(),
        unmatched: solution.unmatched().collect(),
        worst: None,
        work: solution.work(),
        solved_by: solution.solved_by(),
    };
    match solution.status() {
        Status::Optimal => Outcome::Matched(matched(None)),
        Status::Unknown(reason) => Outcome::Unknown {
            bound: solution.bound(),
            reason,
            work: solution.work(),
            solved_by: solution.solved_by(),
        },
        // A bound that is reached proves as much as a solve that ends.
        Status::Feasible(_) if solution.cost() == solution.bound() && more_pairs.unwrap_or(0) == 0 => {
            Outcome::Matched(matched(None))
        }
        Status::Feasible(reason) => Outcome::Matched(matched(Some(reason))),
        // A status this program does not know promises nothing beyond the bound.
        _ => Outcome::Matched(matched(Some(StopReason::Rounding))),
    }
}

#[cfg(test)]
mod tests {
    use matching_core::Engine;

    use std::time::Duration;

    use super::Settings;
    use crate::cli::threads::Threads;

    /// Each solve for `--explain` had the whole limit anew.
    #[test]
    fn what_is_gone_of_the_limits_is_gone() {
        let seconds = Duration::from_secs;
        let settings = Settings {
            work: Some(10),
            time: Some(seconds(5)),
            engine: Engine::Auto,
            threads: Threads::ONE,
            interrupt: None,
            shown: None,
        };
        let left = settings.after(4, seconds(2)).after(1, seconds(1));
        assert_eq!((left.work, left.time), (Some(5), Some(seconds(2))));
        let none = left.after(6, seconds(3));
        assert_eq!((none.work, none.time), (Some(0), Some(Duration::ZERO)));
        let free = Settings {
            work: None,
            time: None,
            ..settings.clone()
        };
        let left = free.after(6, seconds(3));
        assert_eq!((left.work, left.time), (None, None));
    }
}
