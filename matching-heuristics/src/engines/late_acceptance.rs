//! Late acceptance, after E. K. Burke and Y. Bykov, "The late acceptance hill-climbing heuristic", European Journal of
//! Operational Research 258 (2017), doi:10.1016/j.ejor.2016.07.012.
//!
//! A random move is made if the grouping after it is no worse than the present one, or than the one a certain number of
//! moves ago: the history. The longer the history, the slower and the better.

use rand_chacha::ChaCha8Rng;

use super::Setting;
use super::shake::melt;
use crate::best::Best;
use crate::change::{Change, Toll};
use crate::control::Control;
use crate::error::Error;
use crate::moves::Proposer;
use crate::score::Score;
use crate::state::State;

/// Length of the first history, for each unit.
const HISTORY: usize = 8;
/// Length of the longest history, for each pair of units and at all: where there are few units, more runs find more
/// than longer ones.
const LONGEST: (usize, usize) = (64, 1 << 20);
/// A run has converged once this many histories have passed without a better grouping.
const IDLE: usize = 20;
/// Moves that are looked at between two reports of work.
const STEP: u64 = 32;

/// One run after another, each from a new start and with a history twice as long, until the budget is spent.
pub(super) fn search<T: State>(
    setting: &Setting<'_>,
    state: &mut T,
    control: &mut Control<'_>,
    walk: u64,
    rng: &mut ChaCha8Rng,
) -> Result<Best<T::Score>, Error> {
    let mut best = Best::of(state);
    let proposer = Proposer::new(state.partition());
    if proposer.is_stuck(state.partition()) {
        return Ok(best);
    }
    // A history of forbidden groupings that cost nothing is hard to leave.
    let mut toll = state.schedule(control, rng).toll().in_full();
    let units = state.partition().layout().units();
    let longest = (LONGEST.0 * units * units).min(LONGEST.1);
    for round in 1.. {
        let length = ((HISTORY * units) << (round - 1).min(16)).min(longest);
        toll.learn(state.partition().layout().costly(), state.rank());
        let is_whole = Run::new(state, length, toll).converge(state, &mut best, &proposer, control, rng);
        // What a run has settled on shows whether the forbidden was too cheap for it.
        toll.scale(if state.forbidden() > 0 { 2.0 } else { 0.5 });
        if !is_whole {
            break;
        }
        state.reset(&best.group_of);
        if !state.descend(control) {
            break;
        }
        if best.offer(state) {
            best.tell(state, control);
        }
        state.reset(&setting.start(walk + round * setting.walks as u64)?);
        // No history is worse than its start: where that is a local optimum, a run would never leave it. And starts may
        // all have the same sizes.
        if length == longest {
            melt(state, control, rng);
        }
    }
    best.offer(state);
    Ok(best)
}

/// The totals of earlier groupings, and how long nothing has come of it. Forbidden groups count at a toll.
struct Run<S> {
    toll: Toll,
    history: Vec<S>,
    at: usize,
    total: S,
    least: S,
    idle: usize,
}

impl<S: Score> Run<S> {
    fn new<T: State<Score = S>>(state: &T, length: usize, toll: Toll) -> Self {
        let total = toll.total(state.rank());
        Self {
            toll,
            history: vec![total; length],
            at: 0,
            total,
            least: total,
            idle: 0,
        }
    }

    /// Moves until nothing better is met for long. `false` if it was stopped on the way.
    fn converge<T: State<Score = S>>(
        &mut self,
        state: &mut T,
        best: &mut Best<S>,
        proposer: &Proposer,
        control: &mut Control<'_>,
        rng: &mut ChaCha8Rng,
    ) -> bool {
        while self.idle < IDLE * self.history.len() {
            for made in 0..STEP {
                if control.is_cancelled() || control.is_late(made) {
                    break;
                }
                self.step(state, best, proposer, rng);
            }
            best.offer(state);
            best.tell(state, control);
            if !control.spend(STEP) {
                return false;
            }
        }
        true
    }

    /// One move, made or not; either way its place in the history is written.
    fn step<T: State<Score = S>>(
        &mut self,
        state: &mut T,
        best: &mut Best<S>,
        proposer: &Proposer,
        rng: &mut ChaCha8Rng,
    ) {
        let Some(exchange) = proposer.any(state.partition(), rng) else {
            return;
        };
        if let Some(change) = state.change(&exchange)
            && let changed = self.toll.apply(&change)
            && (changed <= S::ZERO || self.total + changed <= self.history[self.at])
        {
            if change > Change::NONE {
                best.offer(state);
            }
            state.apply(&exchange);
            // Asked for, never added up: sums of floats would drift.
            self.total = self.toll.total(state.rank());
        }
        if self.total < self.history[self.at] {
            self.history[self.at] = self.total;
        }
        self.at = (self.at + 1) % self.history.len();
        self.idle += 1;
        if self.total < self.least {
            self.least = self.total;
            self.idle = 0;
        }
    }
}
