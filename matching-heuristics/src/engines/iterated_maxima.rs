//! Iterated maxima search, after X. Lai and J.-K. Hao, "Iterated maxima search for the maximally diverse grouping
//! problem", European Journal of Operational Research 254 (2016), doi:10.1016/j.ejor.2016.05.018.
//!
//! Local optima are joined to chains: a descent, a weak perturbation, a descent again, always onwards. A chain that has
//! found nothing better for a while ends, and a strong perturbation of its best grouping begins the next.

use rand_chacha::ChaCha8Rng;

use super::shake::shake;
use crate::best::Best;
use crate::control::Control;
use crate::moves::Proposer;
use crate::state::State;

/// Moves of a weak perturbation.
const WEAK: usize = 3;
/// Random moves from which each move of a weak perturbation is the best.
const SAMPLE: usize = 10;
/// Local optima of a chain that bring nothing before it ends.
const DEPTH: u32 = 50;
/// Moves of a strong perturbation, for each unit of a mean group.
const STRONG: f64 = 1.0;

/// Chains of local optima until the budget is spent.
pub(super) fn search<T: State>(state: &mut T, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Best<T::Score> {
    let layout = state.partition().layout();
    let strong = (STRONG * layout.units() as f64 / layout.groups() as f64).ceil() as usize;
    let mut best = Best::of(state);
    if Proposer::new(state.partition()).is_stuck(state.partition()) {
        return best;
    }
    while !control.is_stopped() {
        let top = chain(state, control, rng);
        let is_better = top.rank < best.rank;
        best.join(top.clone());
        if is_better {
            best.tell(state, control);
        }
        if control.is_stopped() {
            break;
        }
        state.reset(&top.group_of);
        shake(state, (strong, 1), control, rng);
    }
    best
}

/// From local optimum to local optimum; the best of them.
fn chain<T: State>(state: &mut T, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Best<T::Score> {
    state.descend(control);
    let mut top = Best::of(state);
    let mut fruitless = 0;
    while fruitless < DEPTH && !control.is_stopped() {
        shake(state, (WEAK, SAMPLE), control, rng);
        state.descend(control);
        fruitless = if top.offer(state) { 0 } else { fruitless + 1 };
    }
    top
}
