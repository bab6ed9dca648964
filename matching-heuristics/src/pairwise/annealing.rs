//! Annealing at the speed of vectors.
//!
//! For a random unit, all swaps are looked at in turn from a random one on, and the first that passes its limit is
//! made. Limits are `-T ln u` for random `u`, drawn once and read from a random offset: a swap that costs `c` passes with
//! probability `exp(-c / T)`. That is not exactly Metropolis' chain, since swaps are not drawn independently, but each
//! unit meets each other equally often.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::gains::Gains;
use crate::best::Best;
use crate::control::{Control, Stage};
use crate::moves::Proposer;
use crate::state::{Schedule, State};

/// Random offsets of the limits.
const OFFSETS: usize = 2048;
/// Units between two changes of the temperature.
const STEP: u32 = 64;
/// Share of a stage in which it cools geometrically; in the rest it is quenched.
const SLOW: f64 = 0.9;

/// Limits of the swaps of one temperature.
struct Limits {
    /// `-ln u`.
    draws: Vec<f32>,
    limits: Vec<i32>,
}

impl Limits {
    fn new(len: usize, rng: &mut ChaCha8Rng) -> Self {
        let draws: Vec<f32> = (0..OFFSETS + len).map(|_| -(1.0 - rng.random::<f32>()).ln()).collect();
        Self {
            limits: vec![0; draws.len()],
            draws,
        }
    }

    /// A swap that changes nothing always passes.
    fn set(&mut self, temperature: f64) {
        let temperature = temperature as f32;
        for (limit, draw) in self.limits.iter_mut().zip(&self.draws) {
            *limit = (draw * temperature) as i32 + 1;
        }
    }
}

/// Cools from one temperature to another, geometrically over most of the stage; then it is quenched.
pub(crate) fn anneal(
    state: &mut Gains,
    best: &mut Best<i64>,
    control: &mut Control<'_>,
    stage: &Stage,
    (hot, cold): (f64, f64),
    rng: &mut ChaCha8Rng,
) {
    let proposer = Proposer::new(state.partition());
    if proposer.is_stuck(state.partition()) {
        return;
    }
    let movable = state.partition().layout().movable() as u32;
    let mut limits = Limits::new(movable as usize, rng);
    loop {
        let done = stage.done(control);
        if done >= 1.0 {
            break;
        }
        let factor = if done < SLOW {
            hot * (cold / hot).powf(done / SLOW)
        } else {
            cold * (1.0 - (done - SLOW) / (1.0 - SLOW))
        };
        limits.set(factor);
        for _ in 0..STEP {
            let x = rng.random_range(0..movable);
            let offset = rng.random_range(0..OFFSETS);
            let looked = swap_one(state, best, x, &limits.limits[offset..], rng);
            if proposer.has_others() {
                move_one(state, best, &proposer, x, limits.limits[offset], rng);
            }
            if !control.spend(u64::from(looked)) {
                best.offer(state);
                return;
            }
        }
        if best.offer(state) {
            best.tell(state, control);
        }
    }
    best.offer(state);
}

/// Temperatures in units of the spread of a pair times the square root of the size of a group: about what the cost of a
/// player in a random group varies by. Measured on random costs, where most of the order comes between 0.28 and 0.17.
pub(super) fn schedule(state: &Gains) -> Schedule {
    let layout = state.partition().layout();
    // Groups that may grow are taken as full: what holds them together must be able to break.
    let costly = layout.bench.map_or(layout.groups(), |bench| bench as usize);
    let room: f64 = layout.bounds[..costly].iter().map(|bound| f64::from(bound.1)).sum();
    let members = layout.units() as f64 / layout.len as f64 * room / costly as f64;
    let unit = (state.grid().spread() * members.sqrt()).max(1e-9);
    Schedule {
        hot: 0.28 * unit,
        warm: 0.21 * unit,
        cold: 0.17 * unit,
    }
}

/// Looks for a swap of a unit and makes the first that passes. How many were looked at.
fn swap_one(state: &mut Gains, best: &mut Best<i64>, x: u32, limits: &[i32], rng: &mut ChaCha8Rng) -> u32 {
    let class = state.partition().layout().class_of(x);
    let start = rng.random_range(class.clone());
    state.load_moves(x);
    let (found, looked) = match state.first_swap(x, start, class.end, limits) {
        Some(y) => (Some(y), y - start + 1),
        None => {
            let found = state.first_swap(x, class.start, start, &limits[(class.end - start) as usize..]);
            let looked = found.map_or(start - class.start, |y| y - class.start + 1);
            (found, class.end - start + looked)
        }
    };
    if let Some(y) = found {
        let change = state.swap_change(x, y);
        if change > 0 {
            best.offer(state);
        }
        state.swap(x, y, change);
    }
    looked
}

/// Moves a unit to another group, or against a chunk, if that passes.
fn move_one(state: &mut Gains, best: &mut Best<i64>, proposer: &Proposer, x: u32, limit: i32, rng: &mut ChaCha8Rng) {
    let Some(exchange) = proposer.other(state.partition(), x, rng) else {
        return;
    };
    match state.change(&exchange) {
        Some(change) if change < i64::from(limit) => {
            if change > 0 {
                best.offer(state);
            }
            state.apply(&exchange);
        }
        _ => {}
    }
}
