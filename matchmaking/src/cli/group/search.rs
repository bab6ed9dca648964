//! One search, and the check of what it found.

use std::time::Instant;

use matching_core::{Cost, CostValue};
use matching_heuristics::{Error, Grouping, Instance, Search, Stop};

use super::check;
use super::outcome::{Bound, BoundKind, Ended, Found, Method, Outcome, Unfound, Witness};
use super::problem::{Sense, Task};
use super::settings::{Limits, Settings};
use crate::cli::failure::Failure;
use crate::cli::json::Spent;

/// Where a search begins, and what is good enough for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Start<'a> {
    /// Groups that are known already.
    pub(super) groups: Option<&'a [Vec<usize>]>,
    /// The greatest total, as the search counts them, that is good enough.
    pub(super) target: Option<i128>,
}

/// Searches, and checks the answer against the problem.
pub(super) fn solve<C: Cost>(
    task: &Task<'_, C>,
    settings: Settings,
    start: Start<'_>,
    spent: &mut Spent,
) -> Result<Outcome, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let begun = Instant::now();
    let cost = &task.problem.cost;
    let result = match task.problem.sense {
        Sense::Minimize => search(task, cost, settings, start),
        Sense::Maximize => search(task, &cost.negated(), settings, start),
    };
    spent.solve += begun.elapsed();
    let grouping = match result {
        Ok(grouping) => grouping,
        Err(error) => return refused(task, settings.limits, error),
    };
    let begun = Instant::now();
    let found = checked(task, settings.limits, start.target, &grouping)?;
    spent.verify += begun.elapsed();
    Ok(Outcome::Found(found))
}

/// The problem as the library takes it, with a cost that is to be small. It knows no roles.
pub(super) fn instance<'c, C, D: Cost>(task: &Task<'_, C>, cost: &'c D) -> Result<Instance<'c, D::Value>, Error> {
    let parties = task.problem.parties.iter().cloned();
    let pins = task.problem.pins.iter().copied();
    Instance::pairwise(cost, task.groups.clone())?
        .parties(parties)?
        .pins(pins)
}

/// A search for little cost, to the target.
fn search<C, D: Cost>(
    task: &Task<'_, C>,
    cost: &D,
    settings: Settings,
    start: Start<'_>,
) -> Result<Grouping<D::Value>, Error>
where
    C: Cost,
    D::Value: CostValue<Total = i128>,
{
    let instance = instance(task, cost)?;
    let see = |progress: &matching_heuristics::Progress| task.watch.total(progress.cost);
    let mut search = Search::with(&instance, settings.engine)
        .seed(settings.seed)
        // Whether it fits was asked before.
        .memory(usize::MAX)
        .cancel(task.interrupt.clone())
        .observer(&see);
    if let Some(work) = settings.limits.work {
        search = search.work(work);
    }
    if let Some(time) = settings.limits.time {
        search = search.time(time);
    }
    if let Some(groups) = start.groups {
        search = search.warm_start(groups);
    }
    if let Some(target) = start.target {
        search = search.target(target);
    }
    search.run()
}

/// What an error says about the problem, if it is not the input that is wrong.
fn refused<C>(task: &Task<'_, C>, limits: Limits, error: Error) -> Result<Outcome, Failure> {
    match error {
        Error::PartiesDoNotFit { parties, .. } => {
            let pinned = task.problem.pins.clone();
            Ok(Outcome::Infeasible(Witness::PartiesDoNotFit { parties, pinned }))
        }
        Error::AllForbidden { members, .. } => Ok(Outcome::Infeasible(Witness::AllForbidden { members })),
        Error::OnlyForbidden { members, stop, work } => {
            let ended = ended_by(limits, stop);
            Ok(Outcome::Unknown(Unfound::Forbidden { members, ended, work }))
        }
        Error::PackingUnknown { steps } => Ok(Outcome::Unknown(Unfound::Packing { steps })),
        source => Err(Failure::Search {
            file: task.file.to_owned(),
            source,
        }),
    }
}

/// The grouping in the input's sense, if it is what it says it is.
fn checked<C: Cost, V: CostValue<Total = i128>>(
    task: &Task<'_, C>,
    limits: Limits,
    target: Option<i128>,
    grouping: &Grouping<V>,
) -> Result<Found, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let sense = task.problem.sense;
    let (groups, total) = check::priced(task, grouping.groups(), grouping.bench())?;
    if sense.exactly(grouping.cost()) != total {
        return Err(Failure::Inconsistent {
            problem: "the total is not that of the groups",
        });
    }
    let is_at_target = target.is_some_and(|target| sense.exactly(total) <= target);
    let ended = if grouping.is_proven_best() {
        Ended::Proven
    } else if is_at_target {
        Ended::Target
    } else {
        ended_by(limits, grouping.stop())
    };
    Ok(Found {
        groups,
        roles: Vec::new(),
        waiting: grouping.bench().to_vec(),
        total,
        bound: (ended == Ended::Proven).then_some(Bound {
            total,
            kind: BoundKind::AllTried,
        }),
        method: Method::Search,
        engine: grouping.engine().name(),
        work: grouping.work(),
        ended,
    })
}

/// Which limit ended the search, if one did.
fn ended_by(limits: Limits, stop: Stop) -> Ended {
    match stop {
        Stop::Time => Ended::TimeLimit,
        Stop::Cancelled => Ended::Interrupt,
        // Without a limit, the work is what the library itself allots.
        Stop::Work if limits.work.is_some() => Ended::WorkLimit,
        _ => Ended::Itself,
    }
}
