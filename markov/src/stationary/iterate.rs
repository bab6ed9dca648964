//! Distributions by iteration.

use core::ops::Range;

use super::clusters::Clusters;
use super::decay::{Decay, Start};
use super::inflows::{Inflows, Sums};
use super::levels::Levels;
use crate::budget::{Halted, Meter, Stage, Told};
use crate::sparse::Csr;

/// Sweeps after which progress is looked at.
const LOOK: usize = 40;
/// How far a damped sweep goes.
const DAMPED: f64 = 0.8;
/// How much larger the rate of a power step is than the largest rate out of a state, so that periodic chains converge.
const SLACK: f64 = 1.1;
/// Sweeps that measure how errors decay, at the least and in proportion to the sweeps before.
const MEASURED: usize = 32;
const SHARE: usize = 4;
/// Sweeps of a cycle.
const SWEEPS: usize = 2;
/// What is left of a difference is looked at down to this part of what may be left.
const SEEN: f64 = 0.1;
/// Cycles without progress after which there will be none.
const STALLED: usize = 100;
/// Sums of weights that are as good as one for now.
const DRIFT: Range<f64> = 0.5..2.0;
/// How much further changes must fall where the residual is not small yet.
const TIGHTER: f64 = 16.0;

/// An irreducible chain to iterate on.
#[derive(Debug)]
pub(super) struct Iteration<'m> {
    inflows: Inflows<'m>,
    /// Time of a power step.
    shortest: f64,
    /// For cycles.
    coarse: Option<Coarse<'m>>,
    /// Whether the last step is one whose effect on differences is known: a cycle that could not balance all groups is
    /// none.
    is_whole: bool,
}

/// What balances groups of states against each other.
#[derive(Debug)]
pub(super) enum Coarse<'m> {
    Clusters(Clusters),
    Levels(Levels<'m>),
}

/// What one step does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Gauss-Seidel: each state in turn gets what balances it against the present weights of the others, or goes this
    /// part of the way.
    Sweep(f64),
    /// A step of the chain looked at with a constant rate above all rates out of states.
    Power,
    /// Groups of states are balanced against each other, and states by sweeps.
    Cycle,
}

/// Where an iteration stands.
#[derive(Clone, Debug)]
pub(super) struct Iterate {
    pub(super) x: Vec<f64>,
    pub(super) iterations: usize,
    /// Estimate of the sum of absolute errors.
    pub(super) error: f64,
    /// As in reports, where the iteration has converged.
    pub(super) residual: f64,
    pub(super) has_converged: bool,
    /// If it was ended from outside.
    pub(super) halted: Option<Halted>,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) tolerance: f64,
    pub(super) iterations: usize,
    /// What an observer is told that is being done.
    pub(super) stage: Stage,
}

impl<'m> Iteration<'m> {
    /// Of these rates, `into` being the same by the states that they lead to.
    pub(super) fn new(rates: &Csr<f64>, into: Csr<f64>, meter: &'m Meter<'m>) -> Self {
        let inflows = Inflows::new(rates, into, meter);
        Self {
            shortest: inflows.holding.iter().copied().fold(f64::INFINITY, f64::min) / SLACK,
            inflows,
            coarse: None,
            is_whole: true,
        }
    }

    /// The chain.
    pub(super) fn inflows(&self) -> &Inflows<'m> {
        &self.inflows
    }

    /// With groups of states for cycles.
    pub(super) fn with(self, coarse: Coarse<'m>) -> Self {
        let coarse = Some(coarse);
        Self { coarse, ..self }
    }

    /// Repeats a step until estimated error and residual are within the tolerance; nothing where weights have left the
    /// range of floats. Sweeps are damped once they make no progress, as they may on periodic chains.
    ///
    /// Changes alone tell little of the error: they hide what moves slowly, and roundings. So once they look small
    /// enough, the decay of errors is measured by itself, and the iteration goes on until that says that it is done.
    pub(super) fn run(mut self, mut step: Step, mut x: Vec<f64>, stop: Stop) -> Option<Iterate> {
        let mut scratch = vec![0.0; x.len()];
        let mut changes = Changes::default();
        let mut decay: Option<(Decay, Option<Start>, usize)> = None;
        // When the present kind of step was first taken.
        let mut begun = 0;
        let mut mass = Mass::default();
        let mut goal = stop.tolerance;
        let mut error = f64::INFINITY;
        let mut iterations = 0;
        let meter = self.inflows.meter;
        while iterations < stop.iterations && goal >= f64::MIN_POSITIVE {
            if let Step::Sweep(part) = step
                && iterations % LOOK == LOOK - 1
                && changes.have_stalled()
                && part == 1.0
            {
                (step, decay, begun) = (Step::Sweep(DAMPED), None, iterations);
                mass.begin();
            }
            let change = self.advance(step, &mut x, &mut mass, &mut scratch)?;
            if meter.halted().is_some() {
                break;
            }
            iterations += 1;
            changes.note(change);
            meter.tell(|| Told {
                of: Some(stop.iterations),
                error: Some(error.min(changes.error())),
                ..Told::of(stop.stage, iterations)
            });
            if step == Step::Cycle && changes.are_roundings() {
                break;
            }
            if !self.is_whole {
                continue;
            }
            let is_due = match &decay {
                None => changes.error() <= goal || changes.last() <= f64::EPSILON,
                // What was measured in too few sweeps may be too much.
                Some((_, _, then)) => error > stop.tolerance && iterations >= 2 * then,
            };
            if is_due {
                let sweeps = MEASURED.max(iterations / SHARE);
                scale(&mut x);
                mass.scale();
                let measured = self.decay(step, &x, sweeps, &mut scratch);
                if !measured.is_finite() && step == Step::Sweep(1.0) {
                    (step, begun) = (Step::Sweep(DAMPED), iterations);
                    mass.begin();
                    continue;
                }
                if measured.is_finite() {
                    self.settle();
                }
                let of_start = self.decay_of_start(step, &x, (sweeps, goal * SEEN), &mut scratch);
                if meter.halted().is_some() {
                    break;
                }
                decay = Some((measured, of_start, iterations));
            }
            let Some((decay, of_start, _)) = &decay else {
                continue;
            };
            let left = of_start.as_ref().map_or(0.0, |start| start.left(iterations - begun));
            let rest = decay.rest(&changes.recent).max(left / mass.part());
            error = rest + decay.roundings;
            if rest <= goal && error <= stop.tolerance {
                // Of what the answer is: weights that scaling takes below the floats with all digits have lost some.
                scale(&mut x);
                mass.scale();
                let residual = self.residual(&x);
                if residual <= stop.tolerance {
                    return Some(Iterate {
                        x,
                        iterations,
                        error,
                        residual,
                        has_converged: true,
                        halted: None,
                    });
                }
                // The residual weighs states by their rates: where they differ much it needs a smaller error.
                goal = rest.min(goal) / TIGHTER;
            } else if decay.is_finite() && rest <= decay.roundings && error > stop.tolerance {
                // Roundings alone are more than the tolerance.
                break;
            }
        }
        scale(&mut x);
        Some(Iterate {
            x,
            iterations,
            error,
            residual: f64::INFINITY,
            has_converged: false,
            halted: meter.halted(),
        })
    }

    /// One step. Returns the sum of the absolute changes in proportion to that of the weights, or nothing where weights
    /// have left the range of floats. Where it was ended from outside, weights are those on the way, and as before where
    /// there is a way back.
    fn advance(&mut self, step: Step, x: &mut [f64], mass: &mut Mass, scratch: &mut [f64]) -> Option<f64> {
        let Sums { changes, weights } = self.apply(step, x, scratch);
        if self.inflows.meter.halted().is_some() {
            if step == Step::Cycle {
                x.copy_from_slice(scratch);
            }
            return Some(changes);
        }
        if !weights.is_finite() || weights == 0.0 {
            return None;
        }
        mass.now = weights;
        // Scaling after each sweep would take a tenth of it.
        if !DRIFT.contains(&weights) {
            scale(x);
            mass.scale();
        }
        Some(changes / weights)
    }

    /// One step.
    fn apply(&mut self, step: Step, x: &mut [f64], scratch: &mut [f64]) -> Sums {
        match step {
            Step::Sweep(part) => self.inflows.sweep(x, part),
            Step::Power => self.power(x, scratch),
            Step::Cycle => self.cycle(x, scratch),
        }
    }

    fn cycle(&mut self, x: &mut [f64], before: &mut [f64]) -> Sums {
        before.copy_from_slice(x);
        match &mut self.coarse {
            Some(Coarse::Levels(levels)) => self.is_whole = levels.cycle(&self.inflows, x),
            Some(Coarse::Clusters(clusters)) => {
                self.is_whole = clusters.correct(&self.inflows, x);
                self.sweeps(x);
            }
            None => self.sweeps(x),
        }
        // That a cycle changes all weights alike says nothing.
        let weights: f64 = x.iter().sum();
        let alike = weights / before.iter().sum::<f64>();
        let changes = x.iter().zip(before).map(|(new, old)| (new - alike * *old).abs());
        Sums {
            changes: changes.sum(),
            weights,
        }
    }

    /// Keeps the groups that the decay of errors was measured with.
    fn settle(&mut self) {
        if let Some(Coarse::Levels(levels)) = &mut self.coarse {
            levels.settle();
        }
    }

    /// The sweeps of a cycle.
    fn sweeps(&self, x: &mut [f64]) {
        (0..SWEEPS).for_each(|_| _ = self.inflows.sweep(x, 1.0));
    }

    /// What a step makes of a small difference to stationary weights. Returns its sum.
    pub(super) fn apply_to_difference(
        &self,
        step: Step,
        x: &[f64],
        difference: &mut [f64],
        scratch: &mut [f64],
    ) -> f64 {
        match step {
            Step::Sweep(part) => self.inflows.sweep(difference, part).weights,
            Step::Power => self.power(difference, scratch).weights,
            Step::Cycle => self.cycle_of_difference(x, difference),
        }
    }

    fn cycle_of_difference(&self, x: &[f64], difference: &mut [f64]) -> f64 {
        match &self.coarse {
            Some(Coarse::Levels(levels)) => levels.cycle_of_difference(&self.inflows, x, difference),
            Some(Coarse::Clusters(clusters)) => {
                clusters.correct_difference(&self.inflows, x, difference);
                self.sweeps(difference);
            }
            None => self.sweeps(difference),
        }
        difference.iter().sum()
    }

    fn power(&self, x: &mut [f64], next: &mut [f64]) -> Sums {
        let mut sums = Sums::default();
        if self.inflows.is_over() {
            return sums;
        }
        for block in self.inflows.blocks() {
            if self.inflows.meter.is_interrupted() {
                return sums;
            }
            sums = self.power_block(block, x, next, sums);
        }
        x.copy_from_slice(next);
        sums
    }

    #[inline(never)]
    fn power_block(&self, block: Range<usize>, x: &[f64], next: &mut [f64], mut sums: Sums) -> Sums {
        let (shortest, first) = (self.shortest, block.start);
        for (at, next) in next[block].iter_mut().enumerate() {
            let state = first + at;
            let stay = 1.0 - shortest / self.inflows.holding[state];
            *next = self.inflows.inflow(state, x) * shortest + stay * x[state];
            sums.changes += (*next - x[state]).abs();
            sums.weights += *next;
        }
        sums
    }

    /// What flows in and out of states differs by, in proportion to all flow.
    fn residual(&self, x: &[f64]) -> f64 {
        let (mut off, mut all) = (0.0, 0.0);
        for (state, (weight, holding)) in x.iter().zip(&self.inflows.holding).enumerate() {
            let outflow = weight / holding;
            off += (self.inflows.inflow(state, x) - outflow).abs();
            all += outflow;
        }
        off / all
    }
}

/// The sum of weights, as it would be without scaling since a kind of step was first taken with a sum of one. Sweeps may
/// take nearly all of it away; of what is left, an error is so much the larger part.
#[derive(Clone, Copy, Debug)]
struct Mass {
    now: f64,
    /// All that it was divided by.
    scaled: f64,
}

impl Default for Mass {
    fn default() -> Self {
        Self { now: 1.0, scaled: 1.0 }
    }
}

impl Mass {
    fn begin(&mut self) {
        self.scaled = 1.0 / self.now;
    }

    fn scale(&mut self) {
        self.scaled *= self.now;
        self.now = 1.0;
    }

    /// The part that is left.
    fn part(&self) -> f64 {
        (self.now * self.scaled).max(f64::MIN_POSITIVE)
    }
}

/// Makes the sum of weights one, if floats hold it.
fn scale(x: &mut [f64]) {
    let sum: f64 = x.iter().sum();
    if sum.is_finite() && sum != 0.0 {
        x.iter_mut().for_each(|weight| *weight /= sum);
    }
}

/// The last changes, the newest first.
#[derive(Debug)]
struct Changes {
    recent: [f64; 4],
    /// The change when progress was last looked at.
    then: f64,
    /// The least change, and how many there were since it was twice as large.
    least: f64,
    since: usize,
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            recent: [f64::INFINITY; 4],
            then: f64::INFINITY,
            least: f64::INFINITY,
            since: 0,
        }
    }
}

impl Changes {
    fn note(&mut self, change: f64) {
        self.recent.rotate_right(1);
        self.recent[0] = change;
        self.since += 1;
        if change <= 0.5 * self.least {
            (self.least, self.since) = (change, 0);
        }
    }

    fn last(&self) -> f64 {
        self.recent[0]
    }

    /// Whether the change has not even halved since this was last asked.
    fn have_stalled(&mut self) -> bool {
        let has_stalled = self.last() > 0.5 * self.then;
        self.then = self.last();
        has_stalled
    }

    /// Whether the least change has not halved for so long that cycles, which are few, come to nothing more.
    fn are_roundings(&self) -> bool {
        self.since >= STALLED
    }

    /// What a geometric series of changes has left, by the largest of the last ratios.
    fn error(&self) -> f64 {
        if self.last() == 0.0 {
            return 0.0;
        }
        let ratios = self.recent.windows(2).map(|pair| pair[0] / pair[1]);
        let ratio = ratios.fold(0.0, f64::max);
        // Not a number where changes before were infinite.
        if ratio < 1.0 && self.recent[3].is_finite() {
            self.last() * ratio / (1.0 - ratio)
        } else {
            f64::INFINITY
        }
    }
}
