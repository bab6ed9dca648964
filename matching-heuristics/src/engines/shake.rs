//! Moves that are made whatever they cost, to leave a local optimum.

use rand_chacha::ChaCha8Rng;

use super::climb::Candidate;
use crate::control::Control;
use crate::moves::Proposer;
use crate::state::State;

/// Random moves after which a grouping has forgotten where it was, for each unit.
const MELTED: usize = 4;

/// Leads to a random grouping by random moves, through whatever is forbidden: other groups may be the large ones then,
/// or others wait, where a new deal of the first packing would have the same sizes.
pub(crate) fn melt<T: State>(state: &mut T, control: &mut Control<'_>, rng: &mut ChaCha8Rng) {
    let moves = MELTED * state.partition().layout().units();
    shake(state, (moves, 1), control, rng);
}

/// Makes so many random moves, each the best of a sample; with a sample of one, whatever is drawn, be it forbidden.
/// Draws that lead nowhere are passed over.
pub(super) fn shake<T: State>(
    state: &mut T,
    (moves, sample): (usize, usize),
    control: &mut Control<'_>,
    rng: &mut ChaCha8Rng,
) {
    let proposer = Proposer::new(state.partition());
    if proposer.is_stuck(state.partition()) {
        return;
    }
    for _ in 0..moves {
        let mut best: Option<Candidate<T::Score>> = None;
        for _ in 0..sample {
            if control.is_cancelled() {
                break;
            }
            let Some(exchange) = proposer.any(state.partition(), rng) else {
                continue;
            };
            if let Some(change) = state.change(&exchange)
                && best.as_ref().is_none_or(|(least, _)| change < *least)
            {
                best = Some((change, exchange));
            }
        }
        if let Some((_, exchange)) = best {
            state.apply(&exchange);
        }
        if !control.spend(sample as u64) {
            return;
        }
    }
}
