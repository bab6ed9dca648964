//! One search, and the check of what it found.

use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use matching_core::{Cost, CostValue};
use matching_heuristics::{Error, Grouping, Instance, Search, Stop};

use super::check;
use super::outcome::{Bound, BoundKind, Ended, Found, Method, Outcome, Unfound, Witness};
use super::problem::{Sense, Task};
use super::settings::{Limits, Settings};
use crate::cli::failure::Failure;
use crate::cli::json::Spent;

/// A limit counts as what ended the search when this share of it was used: engines plan ahead to end just before.
const USED_UP: f64 = 0.9;

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
    let (begun, moves) = (Instant::now(), AtomicU64::new(0));
    let cost = &task.problem.cost;
    let result = match task.problem.sense {
        Sense::Minimize => search(task, cost, settings, start, &moves),
        Sense::Maximize => search(task, &cost.negated(), settings, start, &moves),
    };
    let elapsed = begun.elapsed();
    spent.solve += elapsed;
    let grouping = match result {
        Ok(grouping) => grouping,
        Err(error) => {
            // A search in vain has no grouping that says what ended it.
            let stop = match task.interrupt.is_cancelled() {
                true => Stop::Cancelled,
                false => Stop::Finished,
            };
            let work = moves.into_inner();
            let ended = ended_by(settings.limits, stop, work, elapsed);
            return refused(task, error, (ended, work));
        }
    };
    let begun = Instant::now();
    let found = checked(task, settings.limits, start.target, &grouping)?;
    spent.verify += begun.elapsed();
    Ok(Outcome::Found(found))
}

/// A search for little cost, to the target; moves are counted whatever comes of it.
fn search<C, D: Cost>(
    task: &Task<'_, C>,
    cost: &D,
    settings: Settings,
    start: Start<'_>,
    moves: &AtomicU64,
) -> Result<Grouping<D::Value>, Error>
where
    C: Cost,
    D::Value: CostValue<Total = i128>,
{
    let parties = task.problem.parties.iter().cloned();
    let pins = task.problem.pins.iter().copied();
    let instance = Instance::pairwise(cost, task.groups.clone())?
        .parties(parties)?
        .pins(pins)?;
    let see = |progress: &matching_heuristics::Progress| task.watch.total(progress.cost);
    let mut search = Search::with(&instance, settings.engine)
        .seed(settings.seed)
        // Whether it fits was asked before.
        .memory(usize::MAX)
        .cancel(task.interrupt.clone())
        .tally(moves)
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

/// What an error says about the problem, if it is not the input that is wrong; with what ended the search, and its moves.
fn refused<C>(task: &Task<'_, C>, error: Error, (ended, work): (Ended, u64)) -> Result<Outcome, Failure> {
    match error {
        Error::PartiesDoNotFit { parties, .. } => {
            let pinned = task.problem.pins.clone();
            Ok(Outcome::Infeasible(Witness::PartiesDoNotFit { parties, pinned }))
        }
        Error::AllForbidden { members } => Ok(Outcome::Infeasible(Witness::AllForbidden { members })),
        Error::OnlyForbidden { members } => Ok(Outcome::Unknown(Unfound::Forbidden { members, ended, work })),
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
        ended_by(limits, grouping.stop(), grouping.work(), grouping.elapsed())
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
fn ended_by(limits: Limits, stop: Stop, work: u64, elapsed: Duration) -> Ended {
    let work = limits.work.map(|limit| work as f64 / (limit as f64).max(1.0));
    let seconds = elapsed.as_secs_f64();
    let time = limits.time.map(|limit| seconds / limit.as_secs_f64().max(1e-9));
    let used = |share: Option<f64>| share.filter(|share| *share >= USED_UP);
    match stop {
        Stop::Time => Ended::TimeLimit,
        Stop::Cancelled => Ended::Interrupt,
        // Without a limit, the work is what the library itself allots.
        Stop::Work if limits.work.is_some() => Ended::WorkLimit,
        _ if used(time).is_some() && time >= work => Ended::TimeLimit,
        _ if used(work).is_some() => Ended::WorkLimit,
        _ => Ended::Itself,
    }
}
