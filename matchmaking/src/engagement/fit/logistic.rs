//! Logistic regression with an L2 penalty, by Newton's method.
//!
//! What is minimised is `Σ (ln(1 + e^z) - y z) + ½ Σ p_j b_j²` over the observations, `z = b₀ + Σ b_j x_j`. The penalty is
//! `p_j = strength · (standard deviation of x_j)²`, so that it is `strength` times the square of a coefficient of the
//! standardised feature, and the intercept goes free. Newton's method in these few dozen columns needs some six passes over the
//! observations, ends where the gradient is zero to all digits, and leaves the curvature behind, from which the standard errors
//! come. Features are computed from the observations in each pass: a matrix of them would take ten times the memory.

use std::thread;

use multiversion::multiversion;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::error::Error;
use super::observe::Observation;
use crate::engagement::fitted::feature::{Row, WIDTH};

/// The intercept and the features.
pub(super) const COLUMNS: usize = WIDTH + 1;

/// Observations whose sums are taken together. Sums of blocks are added up in order, so that the number of threads does not
/// show in the last bits.
pub(super) const BLOCK: usize = 1 << 15;

/// Where Newton's method ends: another step would lower the minimised sum by less than this for each observation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Precision {
    /// To compare and to predict: logits change by a millionth.
    Enough,
    /// To all digits.
    Full,
}

impl Precision {
    fn tolerance(self) -> f64 {
        match self {
            Self::Enough => 1e-12,
            Self::Full => 1e-18,
        }
    }
}

/// It takes six to ten steps; this many mean that floats cannot tell the features apart.
const STEPS: usize = 60;

/// A step that raises the sum is halved up to so many times.
const HALVINGS: usize = 40;

/// By such a part the sum may rise: near the end, what a step gains is less than what adding up loses.
const ROUNDING: f64 = 1e-11;

/// Numbers by column; the intercept comes first.
pub(super) type Columns = [f64; COLUMNS];

/// A column for the intercept before the features.
fn columns(observation: &Observation, row: &mut Row) -> Columns {
    // A log knows all counts; what stands for unknown ones is never used.
    observation.snapshot.fill(observation.upcoming, &[0.0; WIDTH], row);
    let mut columns = [1.0; COLUMNS];
    columns[1..].copy_from_slice(row);
    columns
}

/// Logit of churn.
pub(super) fn logit(coefficients: &Columns, observation: &Observation) -> f64 {
    let x = columns(observation, &mut [0.0; WIDTH]);
    coefficients.iter().zip(x).map(|(b, x)| b * x).sum()
}

/// `ln(1 + e^z) - y z`: minus the log-likelihood of one observation.
pub(super) fn loss(logit: f64, churned: bool) -> f64 {
    let target = if churned { logit } else { 0.0 };
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - target
}

/// Means and standard deviations of the features.
pub(super) fn moments(observations: &[Observation]) -> (Row, Row) {
    let mut row = [0.0; WIDTH];
    let mut mean = |of: &dyn Fn(usize, f64) -> f64| {
        let mut sums = [0.0; WIDTH];
        for observation in observations {
            columns(observation, &mut row);
            sums.iter_mut()
                .zip(row)
                .enumerate()
                .for_each(|(c, (sum, x))| *sum += of(c, x));
        }
        sums.map(|sum| sum / observations.len() as f64)
    };
    let means = mean(&|_, x| x);
    let variances = mean(&|column, x| (x - means[column]).powi(2));
    // A column that never changes can have a mean that is off in its last bit.
    let deviation = |column: usize| {
        let deviation = variances[column].sqrt();
        if deviation > 1e-9 * means[column].abs() {
            deviation
        } else {
            0.0
        }
    };
    (means, std::array::from_fn(deviation))
}

/// What a regression is asked.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    pub(super) observations: &'a [Observation],
    /// Fold of each player, and the fold that is left out.
    pub(super) without: Option<(&'a [u8], u8)>,
    /// Standard deviations of the features.
    pub(super) deviations: &'a Row,
    pub(super) strength: f64,
    pub(super) precision: Precision,
    pub(super) threads: usize,
}

/// The answer.
#[derive(Clone, Debug)]
pub(super) struct Regression {
    pub(super) coefficients: Columns,
    /// The curvature at the solution.
    curvature: Cholesky<f64, Dyn>,
}

impl Regression {
    /// Standard errors, by the curvature.
    pub(super) fn errors(&self) -> Columns {
        let inverse = self.curvature.inverse();
        std::array::from_fn(|column| inverse[(column, column)].max(0.0).sqrt())
    }
}

/// Sums over observations: what is minimised, and its derivatives.
#[derive(Clone)]
pub(super) struct Sums {
    pub(super) count: usize,
    pub(super) value: f64,
    pub(super) gradient: Columns,
    /// On and above the diagonal.
    hessian: Box<[Columns; COLUMNS]>,
}

impl Sums {
    fn new() -> Self {
        Self {
            count: 0,
            value: 0.0,
            gradient: [0.0; COLUMNS],
            hessian: Box::new([[0.0; COLUMNS]; COLUMNS]),
        }
    }

    fn add(&mut self, coefficients: &Columns, x: &Columns, churned: bool) {
        let z: f64 = coefficients.iter().zip(x).map(|(b, x)| b * x).sum();
        let risk = 1.0 / (1.0 + (-z).exp());
        let (residual, weight) = (risk - f64::from(u8::from(churned)), risk * (1.0 - risk));
        self.count += 1;
        self.value += loss(z, churned);
        accumulate(&mut self.gradient, &mut self.hessian, x, residual, weight);
    }

    fn append(&mut self, other: &Self) {
        self.count += other.count;
        self.value += other.value;
        let add = |own: &mut Columns, other: &Columns| own.iter_mut().zip(other).for_each(|(a, b)| *a += b);
        add(&mut self.gradient, &other.gradient);
        self.hessian
            .iter_mut()
            .zip(other.hessian.iter())
            .for_each(|(a, b)| add(a, b));
    }
}

/// Adds one observation to the derivatives; of the second ones, those on and above the diagonal. Vector code does it in the same
/// order as any other, column by column, so that the sums are the same on all machines.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2"))]
fn accumulate(gradient: &mut Columns, hessian: &mut [Columns; COLUMNS], x: &Columns, residual: f64, weight: f64) {
    for (i, &value) in x.iter().enumerate() {
        // More than half of the features are zero for everybody.
        if value != 0.0 {
            gradient[i] += residual * value;
            let factor = weight * value;
            hessian[i][i..]
                .iter_mut()
                .zip(&x[i..])
                .for_each(|(sum, x)| *sum += factor * x);
        }
    }
}

impl Problem<'_> {
    /// Minimises, from a first guess.
    pub(super) fn solve(&self, start: &Columns) -> Result<Regression, Error> {
        let failed = Error::NotConverged { steps: STEPS };
        let mut coefficients = *start;
        let mut sums = self.sums(&coefficients);
        for _ in 0..STEPS {
            let curvature = DMatrix::from_fn(COLUMNS, COLUMNS, |i, j| sums.hessian[i.min(j)][i.max(j)]);
            let curvature = curvature.cholesky().ok_or_else(|| failed.clone())?;
            let step = curvature.solve(&DVector::from_row_slice(&sums.gradient));
            let decrement: f64 = step.iter().zip(sums.gradient).map(|(s, g)| s * g).sum();
            if decrement <= self.precision.tolerance() * sums.count as f64 {
                return Ok(Regression {
                    coefficients,
                    curvature,
                });
            }
            let next = self.descend(&coefficients, &step, &sums);
            (coefficients, sums) = next.ok_or_else(|| failed.clone())?;
        }
        Err(failed)
    }

    /// The Newton step, or the largest of its halves, quarters, .. that does not raise the sum.
    fn descend(&self, from: &Columns, step: &DVector<f64>, sums: &Sums) -> Option<(Columns, Sums)> {
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let next: Columns = std::array::from_fn(|column| from[column] - length * step[column]);
            let at_next = self.sums(&next);
            if at_next.value <= sums.value * (1.0 + ROUNDING) {
                return Some((next, at_next));
            }
            length /= 2.0;
        }
        None
    }

    /// The minimised sum and its derivatives, penalty included.
    pub(super) fn sums(&self, coefficients: &Columns) -> Sums {
        let mut sums = self.over_all(coefficients);
        for (before, &deviation) in self.deviations.iter().enumerate() {
            let column = before + 1;
            if deviation == 0.0 {
                // It cannot be told from the intercept: its coefficient stays what it was, zero.
                sums.gradient[column] = 0.0;
                (0..COLUMNS).for_each(|other| {
                    sums.hessian[column][other] = 0.0;
                    sums.hessian[other][column] = 0.0;
                });
                sums.hessian[column][column] = 1.0;
                continue;
            }
            let penalty = self.strength * deviation * deviation;
            sums.value += 0.5 * penalty * coefficients[column].powi(2);
            sums.gradient[column] += penalty * coefficients[column];
            sums.hessian[column][column] += penalty;
        }
        sums
    }

    fn over_all(&self, coefficients: &Columns) -> Sums {
        let blocks: Vec<&[Observation]> = self.observations.chunks(BLOCK).collect();
        let workers = self.threads.min(blocks.len()).max(1);
        let share = |worker: usize| {
            let own = blocks.iter().enumerate().skip(worker).step_by(workers);
            own.map(|(at, block)| (at, self.over(block, coefficients)))
                .collect::<Vec<_>>()
        };
        let mut parts = thread::scope(|scope| {
            let others: Vec<_> = (1..workers).map(|worker| scope.spawn(move || share(worker))).collect();
            let mut parts = share(0);
            for other in others {
                parts.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            parts
        });
        parts.sort_by_key(|&(at, _)| at);
        let mut sums = Sums::new();
        parts.iter().for_each(|(_, part)| sums.append(part));
        sums
    }

    fn over(&self, block: &[Observation], coefficients: &Columns) -> Sums {
        let mut sums = Sums::new();
        let mut row = [0.0; WIDTH];
        let is_used = |observation: &Observation| {
            let fold = self
                .without
                .map(|(folds, out)| folds[observation.player as usize] == out);
            fold != Some(true)
        };
        for observation in block.iter().filter(|observation| is_used(observation)) {
            sums.add(coefficients, &columns(observation, &mut row), observation.churned);
        }
        sums
    }
}
