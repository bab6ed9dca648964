//! Climbing: the best of all moves, until none improves.

use std::time::Duration;

use super::Setting;
use crate::best::Best;
use crate::change::Change;
use crate::control::Control;
use crate::error::Error;
use crate::moves::{Proposer, movable_of};
use crate::neighbourhood::{Sets, Step};
use crate::partition::Exchange;
use crate::score::Score;
use crate::state::State;

/// A move, and what it changes.
pub(super) type Candidate<S> = (Change<S>, Exchange);

/// Units of an exchange beyond which one look at it takes longer than one at the clock.
const MANY: usize = 16;
/// Groups up to which the best move of each two is kept: some 40 MB.
const KEPT: usize = 600;

/// Calls `visit` with every move between two groups, those of one unit at a time; `false` if it was stopped on the way,
/// which it is before the next move: one cost may take long, and a large group has many moves.
pub(super) fn each_between<T: State>(
    state: &mut T,
    (a, b): (u32, u32),
    sets: &mut Sets,
    control: &mut Control<'_>,
    visit: &mut impl FnMut(&mut T, Step<'_>),
) -> bool {
    let (of_a, of_b) = (movable_of(state.partition(), a), movable_of(state.partition(), b));
    if of_a.is_empty() && of_b.is_empty() {
        // There may be millions of such pairs of groups, and no move to look at the clock after.
        return control.spend(1);
    }
    for (units, (to, others)) in [(&of_a, (b, &of_b)), (&of_b, (a, &of_a))] {
        sets.clear();
        for &unit in units {
            let (mut looks, size) = (0, state.partition().size(unit));
            let mut look = |state: &mut T, step: Step<'_>| {
                if !control.is_cancelled() && !control.is_late(looks) {
                    visit(state, step);
                    looks += 1;
                }
            };
            if to == b {
                for &other in others {
                    if state.partition().size(other) == size {
                        look(state, Step::Swap { x: unit, y: other });
                    }
                }
            }
            let insert = Step::Insert { x: unit, to };
            if state.partition().allows(&insert.exchange(state.partition())) {
                look(state, insert);
            }
            let sets = sets.of(state.partition(), others, size);
            for (at, set) in sets.iter().enumerate() {
                // What such a look takes grows with the square of the units: the clock does not know of it beforehand.
                if set.len() > MANY && control.time_left() == Some(Duration::ZERO) {
                    break;
                }
                look(state, Step::Against { x: unit, to, sets, at });
            }
            if !control.spend(looks) {
                return false;
            }
        }
    }
    true
}

/// The best move between two groups, if one improves.
pub(super) fn best_between<T: State>(
    state: &mut T,
    groups: (u32, u32),
    sets: &mut Sets,
    control: &mut Control<'_>,
) -> Option<Candidate<T::Score>> {
    let mut best: Option<Candidate<T::Score>> = None;
    each_between(state, groups, sets, control, &mut |state, step| {
        let least = best.as_ref().map_or(Change::NONE, |(change, _)| *change);
        if let Some(change) = state.look(&step, Some(&least)) {
            best = Some((change, step.exchange(state.partition())));
        }
    });
    best
}

/// Makes the best move of each two groups in turn, until none improves: where there are too many groups to keep more.
pub(super) fn sweep<T: State>(state: &mut T, control: &mut Control<'_>) -> bool {
    let groups = state.partition().layout().groups() as u32;
    let mut sets = Sets::default();
    loop {
        let mut is_done = true;
        for a in 0..groups {
            for b in a + 1..groups {
                let found = best_between(state, (a, b), &mut sets, control);
                if control.is_stopped() {
                    return false;
                }
                if let Some((_, exchange)) = found {
                    state.apply(&exchange);
                    is_done = false;
                }
            }
        }
        if is_done {
            return true;
        }
    }
}

/// Looks at all moves before each one it makes. `false` if it was stopped on the way.
pub(crate) fn climb<T: State>(state: &mut T, control: &mut Control<'_>) -> bool {
    let groups = state.partition().layout().groups() as u32;
    let mut sets = Sets::default();
    loop {
        let mut best: Option<Candidate<T::Score>> = None;
        for a in 0..groups {
            for b in a + 1..groups {
                let found = best_between(state, (a, b), &mut sets, control);
                if control.is_stopped() {
                    return false;
                }
                best = better(best, found);
            }
        }
        match best {
            Some((_, exchange)) => state.apply(&exchange),
            None => return true,
        }
    }
}

/// The same moves, with the best one of each two groups kept: only those of two groups change with a move.
pub(crate) fn climb_cached<T: State>(state: &mut T, control: &mut Control<'_>) -> bool {
    let groups = state.partition().layout().groups();
    if groups > KEPT {
        return sweep(state, control);
    }
    let mut sets = Sets::default();
    // Grows as it is filled: making all of it at once would take longer than anybody who cancels should wait.
    let mut kept: Vec<Option<Candidate<T::Score>>> = Vec::with_capacity(pairs(groups));
    let mut stale: Vec<(u32, u32)> = (0..groups as u32).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    loop {
        for (a, b) in stale.drain(..) {
            let found = best_between(state, (a, b), &mut sets, control);
            if control.is_stopped() {
                return false;
            }
            match kept.get_mut(pair(a, b)) {
                Some(slot) => *slot = found,
                None => kept.push(found),
            }
        }
        let best = kept
            .iter()
            .flatten()
            .reduce(|one, other| if other.0 < one.0 { other } else { one });
        let Some(exchange) = best.map(|(_, exchange)| exchange.clone()) else {
            return true;
        };
        state.apply(&exchange);
        let (one, other) = (exchange.a.min(exchange.b), exchange.a.max(exchange.b));
        stale.extend(
            (0..groups as u32)
                .filter(|&group| group != one)
                .map(|group| (one.min(group), one.max(group))),
        );
        let rest = (0..groups as u32).filter(|&group| group != one && group != other);
        stale.extend(rest.map(|group| (other.min(group), other.max(group))));
    }
}

/// Number of pairs of groups.
pub(super) fn pairs(groups: usize) -> usize {
    groups * groups.saturating_sub(1) / 2
}

/// Where two groups stand among all pairs, the first of them being the smaller.
pub(super) fn pair(a: u32, b: u32) -> usize {
    pairs(b as usize) + a as usize
}

fn better<S: Score>(one: Option<Candidate<S>>, other: Option<Candidate<S>>) -> Option<Candidate<S>> {
    match (&one, &other) {
        (Some((kept, _)), Some((change, _))) if change >= kept => one,
        (_, None) => one,
        _ => other,
    }
}

/// Climbs from one start after another until the budget is spent.
pub(crate) fn restarts<T: State>(
    setting: &Setting<'_>,
    state: &mut T,
    control: &mut Control<'_>,
    walk: u64,
    climb: impl Fn(&mut T, &mut Control<'_>) -> bool,
) -> Result<Best<T::Score>, Error> {
    let mut best = Best::of(state);
    if Proposer::new(state.partition()).is_stuck(state.partition()) {
        return Ok(best);
    }
    for round in 1.. {
        let is_whole = climb(state, control);
        if best.offer(state) {
            best.tell(state, control);
        }
        // Counts for something even where no move is possible, so that every search ends.
        control.spend(2);
        if !is_whole || control.is_over() {
            break;
        }
        state.reset(&setting.start(walk + round * setting.walks as u64)?);
    }
    Ok(best)
}
