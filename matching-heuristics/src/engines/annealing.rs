//! Annealing of any cost: random moves, of which worse ones pass now and then.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::climb::climb_cached;
use super::{Setting, threads};
use crate::best::Best;
use crate::control::{Control, Stage};
use crate::moves::Proposer;
use crate::score::Score;
use crate::state::State;

/// Moves that are looked at to find what worse ones cost.
const SAMPLES: u32 = 400;
/// Moves between two temperatures.
const STEP: u64 = 64;

/// Cools from one temperature to another, geometrically over the stage; in units of [`unit`].
pub(crate) fn anneal<T: State>(
    state: &mut T,
    best: &mut Best<T::Score>,
    control: &mut Control<'_>,
    stage: &Stage,
    (hot, cold): (f64, f64),
    rng: &mut ChaCha8Rng,
) {
    let proposer = Proposer::new(state.partition());
    if proposer.is_stuck(state.partition()) {
        return;
    }
    loop {
        let done = stage.done(control);
        if done >= 1.0 {
            break;
        }
        let temperature = hot * (cold / hot).powf(done);
        for _ in 0..STEP {
            let limit = -(1.0 - rng.random::<f64>()).ln() * temperature;
            let Some(exchange) = proposer.any(state.partition(), rng) else {
                continue;
            };
            match state.change(&exchange) {
                Some(change) if change <= T::Score::from_f64(limit) => {
                    if change > T::Score::ZERO {
                        best.offer(state);
                    }
                    state.apply(&exchange);
                }
                _ => {}
            }
        }
        // It may have been met on the way and left again: then it is told of all the same.
        best.offer(state);
        best.tell(state, control);
        if !control.spend(STEP) {
            break;
        }
    }
    best.offer(state);
}

/// What a random move that makes things worse costs, in the mean over a random walk: about one grouping alone, its few
/// moves may say nothing. The state comes back to where it was.
pub(crate) fn unit<T: State>(state: &mut T, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> f64 {
    let proposer = Proposer::new(state.partition());
    let home = state.partition().groups_of().to_vec();
    let (mut mean, mut count) = (0.0, 0_u32);
    for _ in 0..SAMPLES {
        let Some(exchange) = proposer.any(state.partition(), rng) else {
            continue;
        };
        if let Some(change) = state.change(&exchange) {
            if change > T::Score::ZERO {
                // A running mean: the sum of large costs may be beyond a float.
                count += 1;
                mean += (change.to_f64() - mean) / f64::from(count);
            }
            state.apply(&exchange);
        }
    }
    state.reset(&home);
    control.spend(u64::from(SAMPLES));
    if count == 0 { 1.0 } else { mean }
}

/// Beyond it, coolings become longer again.
const MOST_COOLINGS: usize = 64;
/// Share of a walk that is left for the climb at its end; it rarely takes that much.
const CLIMB: f64 = 0.05;

/// How many coolings the budget is best divided into: longer ones end better, but beyond [`State::cooling`] several
/// of them find the best of all more often than one.
pub(crate) fn coolings<T: State>(setting: &Setting<'_>, state: &T) -> usize {
    let units = setting.layout.units() as f64;
    let work = setting.limits.work.map_or(f64::INFINITY, |work| work as f64);
    let seconds = setting.limits.time.map_or(f64::INFINITY, |time| time.as_secs_f64());
    let work = work.min(seconds * state.rate() * threads() as f64);
    ((work / (state.cooling() * units * units)) as usize).clamp(1, MOST_COOLINGS)
}

/// Cools once over nearly all of the budget, and climbs from the best grouping met.
pub(crate) fn cool_and_climb<T: State>(
    state: &mut T,
    control: &mut Control<'_>,
    rng: &mut ChaCha8Rng,
) -> Best<T::Score> {
    let mut best = Best::of(state);
    let schedule = state.schedule(control, rng);
    let stage = control.stage(1.0 - CLIMB);
    state.anneal(&mut best, control, &stage, (schedule.hot, schedule.cold), rng);
    finish(state, &mut best, control);
    best
}

/// Climbs from the best grouping, unless it is over: whoever cancels waits for what happens here.
pub(crate) fn finish<T: State>(state: &mut T, best: &mut Best<T::Score>, control: &mut Control<'_>) {
    if control.is_over() {
        return;
    }
    state.reset(&best.group_of);
    climb_cached(state, control);
    best.offer(state);
}
