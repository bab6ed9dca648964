//! Descent: whatever improves is taken as it is met, until nothing improves.

use super::climb::{best_between, sweep};
use crate::control::Control;
use crate::neighbourhood::Sets;
use crate::state::State;

/// Groups up to which it is kept for each two when they were looked at: some 130 MB.
const KEPT: usize = 4096;

/// Goes round all pairs of groups and makes the best move between two where it improves, until a whole round finds
/// none. Pairs whose groups have not changed since they were looked at are passed over. `false` if it was stopped on
/// the way.
pub(crate) fn descend<T: State>(state: &mut T, control: &mut Control<'_>) -> bool {
    let groups = state.partition().layout().groups();
    if groups > KEPT {
        return sweep(state, control);
    }
    let mut sets = Sets::default();
    // Moves made so far, plus one: when a group last changed, and when a pair was last found without improvement.
    let mut clock = 1_u64;
    let mut changed = vec![1_u64; groups];
    let mut settled = vec![0_u64; groups * groups];
    loop {
        let before = clock;
        for a in 0..groups {
            for b in a + 1..groups {
                let pair = a * groups + b;
                while settled[pair] < changed[a].max(changed[b]) {
                    let found = best_between(state, (a as u32, b as u32), &mut sets, control);
                    if control.is_stopped() {
                        return false;
                    }
                    match found {
                        Some((_, exchange)) => {
                            state.apply(&exchange);
                            clock += 1;
                            (changed[a], changed[b]) = (clock, clock);
                        }
                        None => settled[pair] = clock,
                    }
                }
            }
        }
        if clock == before {
            return true;
        }
    }
}
