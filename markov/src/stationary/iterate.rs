//! Distributions by iteration.

use crate::sparse::Csr;

/// Sweeps after which progress is looked at.
const LOOK: usize = 40;
/// How far a damped sweep goes.
const DAMPED: f64 = 0.8;
/// How much larger the rate of a power step is than the largest rate out of a state, so that periodic chains converge.
const SLACK: f64 = 1.1;

/// A chain seen from the states that moves lead to. States outside of a closed class keep no weight if they start with none.
#[derive(Debug)]
pub(super) struct Iteration {
    into: Csr<f64>,
    /// Mean time that a state is kept.
    holding: Vec<f64>,
}

/// Where an iteration stands.
#[derive(Clone, Debug)]
pub(super) struct Iterate {
    pub(super) x: Vec<f64>,
    pub(super) iterations: usize,
    /// Estimate of the sum of absolute errors.
    pub(super) error: f64,
    pub(super) has_converged: bool,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) tolerance: f64,
    pub(super) iterations: usize,
}

impl Iteration {
    /// Of these rates, `into` being the same by the states that they lead to.
    pub(super) fn new(rates: &Csr<f64>, into: Csr<f64>) -> Self {
        let holding = (0..rates.rows()).map(|state| 1.0 / rates.row_slices(state).1.iter().sum::<f64>());
        Self {
            holding: holding.collect(),
            into,
        }
    }

    /// Gauss-Seidel: each state in turn gets what balances it against the present weights of the others. Sweeps are damped
    /// once they make no progress, as they may on periodic chains.
    pub(super) fn gauss_seidel(&self, start: Vec<f64>, stop: Stop) -> Iterate {
        let mut damping = 1.0;
        let mut change_then = f64::INFINITY;
        Self::run(start, stop, |at, change, x| {
            if at % LOOK == LOOK - 1 {
                if change > 0.5 * change_then {
                    damping = DAMPED;
                }
                change_then = change;
            }
            self.sweep(x, damping)
        })
    }

    /// One sweep. Returns the sum of the absolute changes.
    fn sweep(&self, x: &mut [f64], damping: f64) -> f64 {
        let mut change = 0.0;
        for (state, &holding) in self.holding.iter().enumerate() {
            let step = damping * (self.inflow(state, x) * holding - x[state]);
            change += step.abs();
            x[state] += step;
        }
        change
    }

    fn inflow(&self, state: usize, x: &[f64]) -> f64 {
        let (from, rates) = self.into.row_slices(state);
        from.iter()
            .zip(rates)
            .map(|(&from, &rate)| x[from as usize] * rate)
            .sum()
    }

    /// Power iteration of the chain looked at with a constant rate above all rates out of states.
    pub(super) fn power(&self, start: Vec<f64>, stop: Stop) -> Iterate {
        let shortest = self.holding.iter().copied().fold(f64::INFINITY, f64::min) / SLACK;
        let mut next = vec![0.0; self.holding.len()];
        Self::run(start, stop, |_, _, x| {
            let mut change = 0.0;
            for (state, next) in next.iter_mut().enumerate() {
                let stay = 1.0 - shortest / self.holding[state];
                *next = self.inflow(state, x) * shortest + stay * x[state];
                change += (*next - x[state]).abs();
            }
            x.copy_from_slice(&next);
            change
        })
    }

    /// Repeats a step until the estimated error is within the tolerance. The error is estimated as what a geometric
    /// series of changes has left, by the largest of the last ratios of changes.
    fn run(mut x: Vec<f64>, stop: Stop, mut step: impl FnMut(usize, f64, &mut [f64]) -> f64) -> Iterate {
        let mut ratios = [1.0_f64; 3];
        let mut before = f64::INFINITY;
        let mut error = f64::INFINITY;
        for at in 0..stop.iterations {
            let change = step(at, before, &mut x);
            let sum: f64 = x.iter().sum();
            let change = change / sum;
            x.iter_mut().for_each(|weight| *weight /= sum);
            ratios[at % ratios.len()] = if change == 0.0 { 0.0 } else { change / before };
            before = change;
            let ratio = ratios.iter().copied().fold(0.0, f64::max);
            error = if ratio < 1.0 {
                change * ratio / (1.0 - ratio)
            } else {
                f64::INFINITY
            };
            if !sum.is_finite() || sum == 0.0 {
                break;
            }
            if error <= stop.tolerance {
                return Iterate {
                    x,
                    iterations: at + 1,
                    // What is left of the changes by roundings alone.
                    error: error.max(f64::EPSILON),
                    has_converged: true,
                };
            }
        }
        Iterate {
            x,
            iterations: stop.iterations,
            error,
            has_converged: false,
        }
    }
}
