//! Forced swaps: out of a local optimum by way of its worst group.
//!
//! Where no move improves any more, members of the worst group change places with others a dozen times, whatever that
//! costs; then it goes downhill again. The idea is from a developer's account of the lobbies of an online game.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::shake::melt;
use crate::best::Best;
use crate::control::Control;
use crate::moves::{Proposer, movable_of, pick};
use crate::state::State;

/// Forced swaps before the next descent.
const SWAPS: u32 = 12;
/// Draws until a forced swap is given up. Only the last of them may lead to something forbidden.
const ATTEMPTS: u32 = 16;

/// Descents without a better grouping, for each unit, before the walk begins elsewhere: what is allowed can fall apart
/// into islands that forced swaps do not lead out of. Large problems hardly ever come that far.
const PATIENCE: usize = 50;

/// Downhill, forced swaps, downhill again, until the budget is spent. Always goes on from what came of it: going back
/// to the best each time leads to the same worst group, and was far worse on random costs.
pub(super) fn search<T: State>(state: &mut T, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Best<T::Score> {
    let proposer = Proposer::new(state.partition());
    let mut best = Best::of(state);
    if proposer.is_stuck(state.partition()) {
        return best;
    }
    let patience = PATIENCE * state.partition().layout().units();
    let mut fruitless = 0;
    loop {
        state.descend(control);
        if best.offer(state) {
            best.tell(state, control);
            fruitless = 0;
        }
        if control.is_stopped() {
            return best;
        }
        if fruitless < patience {
            fruitless += 1;
            for _ in 0..SWAPS {
                force(state, &proposer, control, rng);
            }
        } else {
            fruitless = 0;
            melt(state, control, rng);
        }
    }
}

/// A member of the worst group changes places with somebody, at any cost.
fn force<T: State>(state: &mut T, proposer: &Proposer, control: &mut Control<'_>, rng: &mut ChaCha8Rng) {
    let members = movable_of(state.partition(), worst(state));
    for attempt in 1..=ATTEMPTS {
        if !control.spend(1) {
            return;
        }
        // A group whose members are all pinned cannot be helped: any other unit then.
        let x = match pick(&members, rng) {
            Some(&x) => x,
            None => rng.random_range(0..state.partition().layout().movable() as u32),
        };
        let drawn = match proposer.swap(state.partition(), x, rng) {
            None if proposer.has_others() => proposer.other(state.partition(), x, rng),
            drawn => drawn,
        };
        if let Some(exchange) = drawn
            && let Some(change) = state.change(&exchange)
            && (change.forbidden <= 0 || attempt == ATTEMPTS)
        {
            state.apply(&exchange);
            return;
        }
    }
}

/// The group that costs most, a forbidden one before all others; the first of several.
fn worst<T: State>(state: &T) -> u32 {
    let layout = state.partition().layout();
    let groups = (0..layout.groups() as u32).filter(|&group| layout.bench != Some(group));
    groups
        .map(|group| (group, state.group_cost(group)))
        .reduce(|worst, other| match (worst.1, other.1) {
            (None, _) => worst,
            (Some(_), None) => other,
            (Some(most), Some(cost)) => {
                if cost > most {
                    other
                } else {
                    worst
                }
            }
        })
        .map_or(0, |(group, _)| group)
}
