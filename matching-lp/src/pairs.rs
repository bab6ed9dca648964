//! Groups of two: the exact pairing of `matching-core`.

use matching_core::cost::{self, Cost};
use matching_core::{Blossom, Budget, Certificate, Objective, Solution, Status, verify};

use crate::limits::{Clock, Limits};
use crate::model::{Kind, Model};
use crate::solution::StopReason;
use crate::tree::Chosen;

/// Whether a grouping is a perfect matching of players.
pub(crate) fn is_pairing(model: &Model) -> bool {
    let is_two = model.classes.iter().all(|class| (class.least, class.most) == (2, 2));
    let is_free = model.is_by_pairs() && !model.has_pins();
    is_two && is_free && model.bench == 0 && model.size.iter().all(|&size| size == 1)
}

/// Costs of units as a cost of pairs.
fn costs<'m>(model: &'m Model<'_>) -> impl Cost<Value = i64> + 'm {
    cost::from_symmetric_fn(model.len(), |a, b| model.pair(a, b)).restricted(|a, b| model.is_allowed(a, b))
}

/// The best pairing with its certificate, or the best one and its bound that a limit left time for; `None` if there is
/// none, or none was found.
pub(crate) fn solve(model: &Model, limits: &Limits, clock: &Clock<'_>) -> Option<Solution<i64>> {
    let mut budget = Budget::new();
    if let Some(left) = clock.time_left() {
        budget = budget.time(left);
    }
    if let Some(work) = limits.work {
        budget = budget.work(work);
    }
    if let Some(cancel) = &limits.cancel {
        budget = budget.cancel(cancel.clone());
    }
    let pairing = Blossom::new().budget(budget).solve(&costs(model)).ok()?;
    (!matches!(pairing.status(), Status::Unknown(_))).then_some(pairing)
}

/// What came before the proof, if anything did.
pub(crate) fn stop(pairing: &Solution<i64>) -> Option<StopReason> {
    // Costs are integers here, so that nothing is rounded.
    match pairing.status() {
        Status::Optimal => None,
        Status::Feasible(matching_core::StopReason::TimeLimit) => Some(StopReason::TimeLimit),
        Status::Feasible(matching_core::StopReason::Cancelled) => Some(StopReason::Cancelled),
        _ => Some(StopReason::WorkLimit),
    }
}

/// The pairs as teams.
pub(crate) fn teams(pairing: &Solution<i64>) -> Chosen {
    pairing
        .pairs()
        .map(|(a, b, _)| (Kind::Team(0), vec![a as u16, b as u16]))
        .collect()
}

/// No pairing costs less.
pub(crate) fn bound(pairing: &Solution<i64>) -> Option<i64> {
    // A bound from below may be out of range where there was no time for a better one.
    i64::try_from(pairing.bound().max(i128::from(i64::MIN / 2))).ok()
}

/// The bound that duals of a pairing prove, if they are feasible for this problem.
pub(crate) fn proven_bound(model: &Model, duals: &Certificate) -> Option<i64> {
    // On another grid the total would be in other units.
    if !is_pairing(model) || duals.exponent() != 0 {
        return None;
    }
    let doubled = verify::certificate(&costs(model), &Objective::MinPerfect, duals).ok()?;
    // Costs are integers, and so is the least total.
    let bound = doubled.div_euclid(2) + doubled.rem_euclid(2);
    i64::try_from(bound.max(i128::from(i64::MIN / 2))).ok()
}
