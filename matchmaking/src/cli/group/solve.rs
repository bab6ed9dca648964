//! From a problem to its answer, by the method asked for.

use std::time::Instant;

use matching_core::{Cost, CostValue};
use matching_heuristics::Engine;

use super::args::MethodArg;
use super::conflict;
use super::exact;
use super::files;
use super::outcome::{Bound, Ended, Found, Method, Outcome, Unfound, Witness};
use super::plan;
use super::problem::Task;
use super::search::{self, Start};
use super::settings::{Limits, Settings};
use crate::cli::failure::Failure;
use crate::cli::json::Spent;
use crate::cli::memory;

/// Groups the players of a task.
pub(super) fn solve<C: Cost>(
    task: &Task<'_, C>,
    method: MethodArg,
    settings: Settings,
    spent: &mut Spent,
) -> Result<Outcome, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    if let Some(witness) = conflict::at_sight(task) {
        return Ok(Outcome::Infeasible(witness));
    }
    // Who names an engine or a target wants a search.
    let is_search = settings.engine != Engine::Auto || settings.target.is_some();
    let outcome = match method {
        MethodArg::Exact => exact::solve(task, settings, spent)?,
        MethodArg::Auto if !task.problem.roles.is_empty() => with_roles(task, settings, spent)?,
        MethodArg::Auto if !is_search => auto(task, settings, spent)?,
        MethodArg::Auto | MethodArg::Search => searched(task, settings, spent)?,
    };
    explained(task, settings, outcome, spent)
}

/// A search with all that the settings allow it.
fn searched<C: Cost>(task: &Task<'_, C>, settings: Settings, spent: &mut Spent) -> Result<Outcome, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let start = Start {
        groups: None,
        target: task.target(settings.target),
    };
    search::solve(task, settings, start, spent)
}

/// Searches know no roles, so all is left to the exact method, within its own limit where there is none.
fn with_roles<C: Cost>(task: &Task<'_, C>, settings: Settings, spent: &mut Spent) -> Result<Outcome, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let mut limits = settings.limits;
    if !limits.are_set() {
        limits.work = Some(plan::WORK);
    }
    exact::solve(task, settings.within(limits), spent)
}

/// All groupings where they are few, the exact method where it comes to a bound, and a search for what that leaves.
fn auto<C: Cost>(task: &Task<'_, C>, settings: Settings, spent: &mut Spent) -> Result<Outcome, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let size = task.size();
    let limits = settings.limits;
    let begun = Instant::now();
    let is_worth_proving = has_room(task) && plan::is_worth_proving(size, limits);
    let mut first = None;
    if size.units <= plan::FEW || !is_worth_proving {
        let share = if is_worth_proving { 1.0 - plan::SHARE } else { 1.0 };
        match searched(task, settings.within(limits.share(share)), spent)? {
            Outcome::Found(found) if is_worth_proving && !found.is_optimal() => first = Some(found),
            Outcome::Unknown(_) if is_worth_proving => {}
            done => return Ok(done),
        }
    }
    let mut proof = limits.share(plan::SHARE);
    proof.work = proof.work.or_else(|| proof.time.is_none().then_some(plan::WORK));
    let proven = exact::solve(task, settings.within(proof), spent)?;
    let (exact, work) = match &proven {
        Outcome::Infeasible(_) => return Ok(proven),
        Outcome::Found(found) if found.is_optimal() => return Ok(proven),
        Outcome::Found(found) => (Some(found), found.work),
        Outcome::Unknown(_) => (None, proof.work.unwrap_or(0)),
    };
    let sense = task.problem.sense;
    let known = match (&first, exact) {
        (Some(first), Some(exact)) if sense.beats(first.total, exact.total) => Some(first),
        (first, exact) => exact.or(first.as_ref()),
    };
    let groups = known.map(members);
    let left = limits.after(work, begun.elapsed());
    let start = Start {
        groups: groups.as_deref(),
        target: bound_of(&proven).map(|bound| sense.exactly(bound.total)),
    };
    let better = search::solve(task, settings.within(left), start, spent)?;
    combined(task, proven, better, limits)
}

/// Whether the exact method's copies of the costs fit into memory.
fn has_room<C: Cost>(task: &Task<'_, C>) -> bool {
    memory::check_pairs(task.file, task.size().players, files::EXACT_BYTES).is_ok()
}

fn members(found: &Found) -> Vec<Vec<usize>> {
    found.groups.iter().map(|(members, _)| members.clone()).collect()
}

fn bound_of(outcome: &Outcome) -> Option<Bound> {
    match outcome {
        Outcome::Found(found) => found.bound,
        Outcome::Infeasible(_) | Outcome::Unknown(_) => None,
    }
}

/// The better groups of the two, with the bound that the exact method has proven.
fn combined<C: Cost>(task: &Task<'_, C>, proven: Outcome, better: Outcome, limits: Limits) -> Result<Outcome, Failure> {
    let (mut found, exact) = match (better, proven) {
        (Outcome::Found(found), Outcome::Found(exact)) => (found, exact),
        // The exact method had nothing to show: whatever the search says.
        (better, Outcome::Unknown(_)) => return Ok(better),
        // The search begins with the groups of the exact method, so this is not to be.
        (_, proven) => return Ok(proven),
    };
    if let Some(bound) = exact.bound {
        if task.problem.sense.beats(found.total, bound.total) {
            return Err(Failure::Inconsistent {
                problem: "groups were found that are better than what was proven to be the best",
            });
        }
        found.bound = Some(bound);
    }
    found.method = Method::Both;
    found.work += exact.work;
    found.ended = match found.ended {
        _ if found.is_optimal() => Ended::Proven,
        // The target was the bound.
        Ended::Target => Ended::Itself,
        _ if limits.are_set() && exact.ended == Ended::TimeLimit => Ended::TimeLimit,
        ended => ended,
    };
    Ok(Outcome::Found(found))
}

/// Where all groupings were tried in vain, the exact method says whose wishes are in the way; where a search has found
/// none, it may be seen that there is none.
fn explained<C: Cost>(
    task: &Task<'_, C>,
    settings: Settings,
    outcome: Outcome,
    spent: &mut Spent,
) -> Result<Outcome, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    match outcome {
        Outcome::Infeasible(Witness::AllForbidden { .. }) => {}
        Outcome::Unknown(Unfound::Forbidden { .. }) if has_room(task) => {
            let witness = exact::at_sight(task)?;
            return Ok(witness.map_or(outcome, Outcome::Infeasible));
        }
        _ => return Ok(outcome),
    }
    let limits = Limits {
        work: Some(plan::WORK / 10),
        time: None,
    };
    match exact::solve(task, settings.within(limits), spent)? {
        named @ Outcome::Infeasible(_) => Ok(named),
        Outcome::Unknown(Unfound::Stopped(_)) => Ok(outcome),
        Outcome::Found(_) | Outcome::Unknown(_) => Err(Failure::Inconsistent {
            problem: "groups were found where all were tried in vain",
        }),
    }
}
