//! Groups of two: the exact pairing of `matching-core`.

use matching_core::cost::{self, Cost};
use matching_core::{Blossom, Budget, Solution};

use crate::limits::{Clock, Limits};
use crate::model::{Kind, Model};
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

/// The best pairing with its certificate; `None` if there is none or a limit came first.
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
    pairing.is_optimal().then_some(pairing)
}

/// The pairs as teams.
pub(crate) fn teams(pairing: &Solution<i64>) -> Chosen {
    pairing
        .pairs()
        .map(|(a, b, _)| (Kind::Team(0), vec![a as u16, b as u16]))
        .collect()
}

/// The bound that a pairing proves, if its certificate holds for this problem.
pub(crate) fn proven_bound(model: &Model, pairing: &Solution<i64>) -> Option<i64> {
    let is_sound = is_pairing(model) && pairing.verify(&costs(model)).is_ok();
    is_sound.then(|| i64::try_from(pairing.bound()).ok()).flatten()
}
