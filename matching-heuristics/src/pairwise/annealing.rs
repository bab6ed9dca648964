//! Annealing at the speed of vectors.
//!
//! For a random unit, all swaps are looked at in turn from a random one on, and the first that passes its limit is
//! made. Limits are `-T ln u` for random `u`, drawn once and read from a random offset: a swap that costs `c` passes with
//! probability `exp(-c / T)`. That is not exactly Metropolis' chain, since swaps are not drawn independently, but each
//! unit meets each other equally often.

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, x86::V4};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::gains::Gains;
use super::scan::{Portable, Scanner};
use crate::best::Best;
use crate::control::{Control, Stage};
use crate::moves::Proposer;
use crate::state::{Heat, Schedule, State};

/// Random offsets of the limits.
const OFFSETS: usize = 2048;
/// Far from what is [`BLOCKED`](super::scan::BLOCKED).
const MOST_LIMIT: f32 = (1 << 27) as f32;
/// Swaps to be looked at between two changes of the temperature: a fraction of a millisecond.
const STEP: u64 = 1 << 18;
/// Temperatures at least, as far as work allows.
const TEMPERATURES: u64 = 64;
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
            *limit = (draw * temperature).min(MOST_LIMIT) as i32 + 1;
        }
    }
}

/// Cools from one temperature to another, geometrically over most of the stage; then it is quenched.
pub(crate) fn anneal(
    state: &mut Gains,
    best: &mut Best<i64>,
    control: &mut Control<'_>,
    stage: &Stage,
    heat: &Heat,
    rng: &mut ChaCha8Rng,
) {
    let proposer = Proposer::new(state.partition());
    if proposer.is_stuck(state.partition()) {
        return;
    }
    let mut limits = Limits::new(state.grid().stride(), rng);
    let stride = state.grid().stride();
    // Neither few temperatures nor work beyond the end, however little there is.
    let step = |control: &Control<'_>| STEP.min(stage.left(control) / TEMPERATURES);
    loop {
        let done = stage.done(control);
        if done >= 1.0 {
            break;
        }
        let slow = done / SLOW;
        let factor = if slow < 1.0 {
            heat.at(slow)
        } else {
            heat.to * (1.0 - done) / (1.0 - SLOW)
        };
        limits.set(factor);
        let looked = round(Round {
            state,
            best,
            proposer: &proposer,
            limits: &limits.limits,
            scans: (step(control) as usize / stride).clamp(1, OFFSETS),
            rng,
        });
        best.offer(state);
        best.tell(state, control);
        if !control.spend(looked) {
            break;
        }
    }
}

/// Some moves at one temperature.
struct Round<'a> {
    state: &'a mut Gains,
    best: &'a mut Best<i64>,
    proposer: &'a Proposer,
    limits: &'a [i32],
    /// Units for which a swap is looked for.
    scans: usize,
    rng: &'a mut ChaCha8Rng,
}

/// Makes them with the widest instructions there are. How many swaps were looked at.
fn round(round: Round<'_>) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if round.state.has_few_groups()
        && let Some(simd) = V4::try_new()
    {
        return simd.vectorize(Vectorized(simd, round));
    }
    round.run(Portable)
}

/// A random number below `len` from 32 random bits; the bits that matter most are the high ones.
fn scaled(draw: u32, len: u32) -> u32 {
    ((u64::from(draw) * u64::from(len)) >> 32) as u32
}

/// A round on a processor of one kind.
#[cfg(target_arch = "x86_64")]
struct Vectorized<'a>(V4, Round<'a>);

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for Vectorized<'_> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        self.1.run(self.0)
    }
}

impl Round<'_> {
    #[inline(always)]
    fn run(mut self, scanner: impl Scanner) -> u64 {
        let movable = self.state.partition().layout().movable() as u32;
        let mut looked = 0;
        for _ in 0..self.scans {
            let draw = self.rng.random::<u64>();
            let x = scaled(draw as u32, movable);
            let offset = (draw >> 32) as usize % OFFSETS;
            // Now before the swap, now after it: whoever waits nearly always finds a swap, and would never move from there.
            let (has_others, is_first) = (self.proposer.has_others(), draw & 1 == 0);
            if has_others && is_first {
                self.move_one(x, self.limits[offset]);
            }
            looked += u64::from(self.swap_one(scanner, x, offset, (draw >> 32) as u32));
            if has_others && !is_first {
                self.move_one(x, self.limits[offset]);
            }
        }
        looked
    }

    /// Looks for a swap of a unit, from one at random, and makes the first that passes. How many were looked at.
    #[inline(always)]
    fn swap_one(&mut self, scanner: impl Scanner, x: u32, offset: usize, draw: u32) -> u32 {
        let limits = &self.limits[offset..];
        let (range, step) = self.state.scanned(x);
        let start = range.start + step * scaled(draw, (range.end - range.start) / step);
        self.state.load_moves(x);
        let (found, looked) = match self.state.first_swap(scanner, x, start, range.end, limits) {
            Some(y) => (Some(y), y - start + 1),
            None => {
                let behind = range.end - start;
                let found = self
                    .state
                    .first_swap(scanner, x, range.start, start, &limits[behind as usize..]);
                (
                    found,
                    behind + found.map_or(start - range.start, |y| y - range.start + 1),
                )
            }
        };
        if let Some(y) = found {
            let change = self.state.swap_change(x, y);
            if change > 0 {
                self.best.offer(self.state);
            }
            self.state.swap(scanner, x, y, change);
        }
        looked
    }

    /// Moves a unit to another group, or against a chunk, if that passes.
    fn move_one(&mut self, x: u32, limit: i32) {
        let Some(exchange) = self.proposer.other(self.state.partition(), x, self.rng) else {
            return;
        };
        match self.state.change(&exchange) {
            Some(change) if change.cost < i64::from(limit) => {
                if change.cost > 0 {
                    self.best.offer(self.state);
                }
                self.state.apply(&exchange);
            }
            _ => {}
        }
    }
}

/// Temperatures in units of the spread of a pair times the square root of the size of a group: about what the cost of a
/// player in a random group varies by. Measured on random costs, where most of the order comes between 0.28 and 0.17.
pub(super) fn schedule(state: &Gains) -> Schedule {
    let layout = state.partition().layout();
    // Groups that may grow are taken as full: what holds them together must be able to break.
    let costly = layout.bench.map_or(layout.groups(), |bench| bench as usize);
    let room: f64 = layout.bounds[..costly].iter().map(|bound| f64::from(bound.1)).sum();
    let members = layout.units() as f64 / layout.len as f64 * room / costly as f64;
    // Where all cost the same, any temperature does.
    let unit = (state.grid().spread() * members.sqrt()).max(1e-9);
    Schedule {
        reach: 0.28 * state.grid().reach().max(state.grid().spread()) * members.sqrt(),
        hot: 0.28 * unit,
        warm: 0.21 * unit,
        cold: 0.17 * unit,
    }
}
