//! Descent at the speed of vectors: for each unit in turn, the first swap that improves.

use super::gains::Gains;
use super::scan::Portable;
use crate::control::Control;
use crate::engines;
use crate::moves::Proposer;
use crate::state::State;

/// Swaps until none improves, then all other moves if there are any. `false` if it was stopped on the way.
pub(super) fn descend(state: &mut Gains, control: &mut Control<'_>) -> bool {
    let is_whole = descend_by_swaps(state, control);
    if !is_whole || !Proposer::new(state.partition()).has_others() {
        return is_whole;
    }
    engines::descend(state, control)
}

/// Goes round the units until none has a swap that improves.
fn descend_by_swaps(state: &mut Gains, control: &mut Control<'_>) -> bool {
    let movable = state.partition().layout().movable() as u32;
    // A swap must change the total by less than this.
    let limits = vec![0; state.grid().stride()];
    let (mut x, mut settled) = (0, 0);
    while settled < movable {
        let (range, _) = state.scanned(x);
        state.load_moves(x);
        let found = state.first_swap(Portable, x, range.start, range.end, &limits);
        let end = found.map_or(range.end, |y| y + 1);
        if let Some(y) = found {
            let change = state.swap_change(x, y);
            state.swap(Portable, x, y, change);
            settled = 0;
        } else {
            settled += 1;
            x = if x + 1 < movable { x + 1 } else { 0 };
        }
        if !control.spend(u64::from(end - range.start)) {
            return false;
        }
    }
    true
}
