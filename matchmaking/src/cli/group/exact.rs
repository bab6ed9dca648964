//! One exact solve: the best groups there are, or how much better they can be at most, and the check of both.

use std::time::Instant;

use matching_core::{Cost, CostValue};
use matching_lp::{Error, Progress, Solution, Solver, Status, StopReason};

use super::check;
use super::conflict;
use super::least;
use super::outcome::{Bound, BoundKind, Ended, Found, Method, Outcome, Unfound, Witness};
use super::problem::{Sense, Task};
use super::settings::Settings;
use crate::cli::failure::Failure;
use crate::cli::json::Spent;

/// Bits by which costs are made coarser at a time, until totals have no more than the solver counts with.
const STEP: u32 = 4;

/// Costs to be small, as integers that the solver can count with: the input's own, without the last bits where they
/// have too many.
#[derive(Debug)]
struct Coarse<'c, C> {
    cost: &'c C,
    sense: Sense,
    /// Bits left out. Costs are rounded down, so what no coarse total is below, no total is.
    shift: u32,
}

impl<C: Cost> Coarse<'_, C>
where
    C::Value: CostValue<Total = i128>,
{
    /// A bound on coarse totals, for totals; one beyond what can be counted is brought back to that, and may be
    /// negated.
    fn total(&self, coarse: i128) -> i128 {
        coarse.saturating_mul(1 << self.shift).max(-i128::MAX)
    }

    /// What a coarse total of so many pairs stands for at most: each may have lost a step, but for one unit.
    fn total_at_most(&self, coarse: i128, pairs: i128) -> i128 {
        let lost = pairs.saturating_mul((1 << self.shift) - 1);
        coarse.saturating_mul(1 << self.shift).saturating_add(lost)
    }
}

impl<C: Cost> Cost for Coarse<'_, C>
where
    C::Value: CostValue<Total = i128>,
{
    type Value = i64;

    fn len(&self) -> usize {
        self.cost.len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        self.checked_pair(i, j).unwrap_or(i64::MAX)
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<i64> {
        let cost = self.cost.checked_pair(i, j)?.to_total();
        let cost = match self.sense {
            Sense::Minimize => cost,
            Sense::Maximize => cost.checked_neg()?,
        };
        i64::try_from(cost >> self.shift).ok()
    }

    fn may_overflow(&self) -> bool {
        true
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.cost.is_allowed(i, j)
    }

    fn has_forbidden(&self) -> bool {
        self.cost.has_forbidden()
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// Solves, and has the answer and its proof checked.
pub(super) fn solve<C: Cost>(task: &Task<'_, C>, settings: Settings, spent: &mut Spent) -> Result<Outcome, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let mut cost = Coarse {
        cost: &task.problem.cost,
        sense: task.problem.sense,
        shift: 0,
    };
    loop {
        match attempt(task, &cost, settings, spent) {
            Err(Failure::Exact {
                source: Error::CostOverflow(_),
                ..
            }) if cost.shift + STEP < i128::BITS => cost.shift += STEP,
            result => return result,
        }
    }
}

/// Who is in the way by numbers alone, if that is seen without a search.
pub(super) fn at_sight<C: Cost>(task: &Task<'_, C>) -> Result<Option<Witness>, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let cost = Coarse {
        cost: &task.problem.cost,
        sense: task.problem.sense,
        shift: 0,
    };
    let conflict = question(task, &cost).and_then(|problem| problem.conflict_at_sight());
    let conflict = conflict.map_err(|source| Failure::Exact {
        file: task.file.to_owned(),
        source,
    })?;
    Ok(conflict.map(|conflict| conflict::witness(task, conflict)))
}

/// Asks something of who knows whether the players of a group can be given the roles that it must have.
pub(super) fn with_roles<C: Cost, T>(
    task: &Task<'_, C>,
    ask: impl FnOnce(&dyn Fn(&[usize]) -> bool) -> T,
) -> Result<T, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    if task.problem.roles.is_empty() {
        return Ok(ask(&|_| true));
    }
    let cost = Coarse {
        cost: &task.problem.cost,
        sense: task.problem.sense,
        shift: 0,
    };
    let question = question(task, &cost).map_err(|source| Failure::Exact {
        file: task.file.to_owned(),
        source,
    })?;
    Ok(ask(&|members| question.casting(members).is_some()))
}

/// One attempt with costs as coarse as these.
fn attempt<C: Cost>(
    task: &Task<'_, C>,
    cost: &Coarse<'_, C>,
    settings: Settings,
    spent: &mut Spent,
) -> Result<Outcome, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let refused = |source| Failure::Exact {
        file: task.file.to_owned(),
        source,
    };
    let begun = Instant::now();
    let problem = question(task, cost).map_err(refused)?;
    let result = run(task, cost, &problem, settings);
    spent.solve += begun.elapsed();
    let solution = match result {
        Ok(solved) => solved,
        Err(Error::Infeasible(conflict)) => return Ok(Outcome::Infeasible(conflict::witness(task, conflict))),
        Err(source) => return Err(refused(source)),
    };
    let begun = Instant::now();
    let outcome = match solution.status() {
        Status::Unknown(reason) => Outcome::Unknown(Unfound::Stopped(ended_by(reason))),
        _ => {
            solution.verify(&problem).map_err(|source| Failure::Unverified {
                source: Box::new(source),
            })?;
            Outcome::Found(found(task, cost, settings, &problem, &solution)?)
        }
    };
    spent.verify += begun.elapsed();
    Ok(outcome)
}

/// The problem as the solver takes it.
fn question<'c, C: Cost>(task: &Task<'_, C>, cost: &'c Coarse<'_, C>) -> Result<matching_lp::Problem<'c, i64>, Error>
where
    C::Value: CostValue<Total = i128>,
{
    let mut problem = matching_lp::Problem::new(cost, task.groups.clone())?;
    for party in &task.problem.parties {
        problem = problem.party(party)?;
    }
    for &(player, group) in &task.problem.pins {
        problem = problem.pin(player, group)?;
    }
    for role in &task.problem.roles {
        problem = problem.role(&role.name, role.least..=role.most, &role.players)?;
    }
    Ok(problem)
}

/// One solve, which ends early where a total is surely as good as the target: on a coarse grid, one that may be is
/// looked at when the solve has ended.
fn run<C: Cost>(
    task: &Task<'_, C>,
    cost: &Coarse<'_, C>,
    problem: &matching_lp::Problem<'_, i64>,
    settings: Settings,
) -> Result<Solution<i64>, Error>
where
    C::Value: CostValue<Total = i128>,
{
    let target = task.target(settings.target);
    let pairs = task.pairs_at_most();
    let step = 2f64.powi(cost.shift as i32);
    let see = |progress: &Progress| {
        if let Some(total) = progress.cost {
            task.watch.total(total * step);
            // It is an integer of no more bits than floats have.
            let total = cost.total_at_most(total as i128, pairs);
            if target.is_some_and(|target| total <= target) {
                task.interrupt.cancel();
            }
        }
        if let Some(bound) = progress.bound {
            task.watch.bound(bound * step);
        }
    };
    let mut solver = Solver::new()
        .seed(settings.seed)
        // Whether it fits was asked before.
        .memory(usize::MAX)
        .cancel(task.interrupt.clone())
        .observer(&see);
    if let Some(work) = settings.limits.work {
        solver = solver.work(work);
    }
    if let Some(time) = settings.limits.time {
        solver = solver.time(time);
    }
    solver.solve(problem)
}

/// The answer in the input's units and sense.
fn found<C: Cost>(
    task: &Task<'_, C>,
    cost: &Coarse<'_, C>,
    settings: Settings,
    question: &matching_lp::Problem<'_, i64>,
    solution: &Solution<i64>,
) -> Result<Found, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let sense = task.problem.sense;
    let (groups, total) = check::priced(task, solution.groups(), solution.bench())?;
    let certificate = solution.certificate();
    let kind = if certificate.splits() > 0 {
        BoundKind::Cases
    } else if task.is_pairing() {
        BoundKind::Pairing
    } else {
        BoundKind::Duals
    };
    // Without a certificate, the bound is that of no costs but negative ones, which says less than players alone do.
    let proven = (!certificate.is_empty()).then(|| Bound {
        total: sense.exactly(cost.total(solution.bound())),
        kind,
    });
    // Dual values that a limit ended early may say less than that, too.
    let is_open = proven.is_none() || matches!(solution.status(), Status::Feasible(_));
    let alone = if is_open { least::bound(task) } else { None };
    let bounds = proven.into_iter().chain(alone);
    let bound = bounds.max_by_key(|bound| (sense.exactly(bound.total), bound.kind.is_verified()));
    if let Some(bound) = bound.filter(|bound| bound.kind == BoundKind::LeastCosts) {
        task.watch.bound(sense.exactly(bound.total) as f64);
    }
    let is_optimal = bound.is_some_and(|bound| bound.total == total);
    let target = task.target(settings.target);
    let is_at_target = target.is_some_and(|target| sense.exactly(total) <= target);
    let roles = groups.iter().map(|(members, _)| question.casting(members));
    let roles: Option<Vec<Vec<Option<usize>>>> = roles.collect();
    let roles = roles.ok_or(Failure::Inconsistent {
        problem: "a group does not have the roles it must have",
    })?;
    Ok(Found {
        groups,
        roles: if task.problem.roles.is_empty() {
            Vec::new()
        } else {
            roles
        },
        waiting: solution.bench().to_vec(),
        total,
        bound,
        method: Method::Exact,
        engine: if task.is_pairing() { "blossom" } else { "branch-and-cut" },
        work: solution.work(),
        ended: match solution.status() {
            _ if is_optimal => Ended::Proven,
            _ if is_at_target => Ended::Target,
            Status::Feasible(reason) => ended_by(reason),
            // The best on a coarser grid than the input's.
            _ => Ended::Precision,
        },
    })
}

/// What the solver was stopped by, where that was not the target.
fn ended_by(reason: StopReason) -> Ended {
    match reason {
        StopReason::WorkLimit => Ended::WorkLimit,
        StopReason::TimeLimit => Ended::TimeLimit,
        StopReason::Cancelled => Ended::Interrupt,
        _ => Ended::Precision,
    }
}
