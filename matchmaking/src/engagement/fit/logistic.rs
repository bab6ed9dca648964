//! Logistic regression with an L2 penalty, by `linfa-logistic`; [`robust`] has the errors of its coefficients.
//!
//! What is minimised is `Σ (ln(1 + e^z) - y z) + ½ Σ λ_j b_j²` over the observations, `z = b₀ + Σ b_j x_j` with
//! standardised features `x_j`; the intercept goes free. With one `λ` for all that is linfa's own objective, a sum and no
//! mean, with `alpha = λ`; Newton's method goes from there to the `λ_j` of [`penalty`]. linfa finds the minimum by L-BFGS, and does not say how near it came. Gradient and curvature say that: the
//! latter is needed for the errors anyway, and the two together are what Newton's method takes.

use linfa::DatasetBase;
use linfa::traits::Fit;
use linfa_logistic::LogisticRegression;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use ndarray::{Array1, Array2, Axis, ShapeBuilder, s};

use super::error::Error;
use super::observe::Observation;
use crate::engagement::churn::logistic;
use crate::engagement::fitted::feature::{Row, WIDTH, is_of_last, is_of_upcoming};

/// How near to the minimum is near enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    /// L-BFGS ends where the gradient is this small, for the square root of the number of observations, where chance
    /// makes one of about 1. Far below a thousandth it would creep, since rounding hides what a step gains.
    gradient: f64,
    /// What the minimised sum has still to lose where L-BFGS may leave it, doubled: the square of the greatest distance
    /// to the minimum in standard errors of any sum of coefficients. The step that gradient and curvature ask for comes
    /// after.
    distance: f64,
}

impl Tolerance {
    /// Every coefficient is within a hundredth of its standard error, and after the last step within a ten-thousandth.
    pub(super) const OF_COEFFICIENTS: Self = Self {
        gradient: 1e-3,
        distance: 1e-4,
    };
    /// Within a third, and after the last step far less: what predictions lose by that is no more than one
    /// observation's share.
    pub(super) const OF_PREDICTIONS: Self = Self {
        gradient: 1e-2,
        distance: 0.1,
    };
}

/// It takes some twenty steps; this many mean that floats cannot tell the features apart.
const STEPS: u64 = 1_000;

/// Newton's method takes three or four steps from there; this many mean the same.
const NEWTON: usize = 30;

/// The penalty on results of the upcoming game and of the last one is a tenth of that on others, and at most so much.
const LIGHT: (f64, f64) = (0.1, 100.0);

/// The penalty on the square of a coefficient, doubled.
///
/// The strength is chosen for some fifty features, nearly all of which matter little. With the same penalty the six
/// that pairing acts on were drawn to zero with them: of four small logs where nothing but a loss matters, by 0.5, three
/// had 0.08 to 0.11. The last result shares this, or the products of the two would stand for what it does alone.
fn penalty(strength: f64, column: usize) -> f64 {
    if is_of_upcoming(column) || is_of_last(column) {
        (LIGHT.0 * strength).min(LIGHT.1)
    } else {
        strength
    }
}

/// Rows whose products are taken together: they fit into the cache.
const BLOCK: usize = 4_096;

/// `ln(1 + e^z) - y z`: minus the log-likelihood of one observation.
pub(super) fn loss(logit: f64, churned: bool) -> f64 {
    let target = if churned { logit } else { 0.0 };
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - target
}

/// The features of an observation.
fn features(observation: &Observation) -> Row {
    let mut row = [0.0; WIDTH];
    // A log knows all counts; what stands for unknown ones is never used.
    observation.snapshot.fill(observation.upcoming, &[0.0; WIDTH], &mut row);
    row
}

/// How features are standardised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) means: Row,
    /// Standard deviations; exactly zero where a feature never changes.
    pub(super) deviations: Row,
}

impl Scale {
    /// Makes the features of these observations ones of mean 0 and variance 1.
    pub(super) fn of(observations: &[Observation]) -> Self {
        let mean = |of: &dyn Fn(usize, f64) -> f64| {
            let mut sums = [0.0; WIDTH];
            for observation in observations {
                let row = features(observation);
                (0..WIDTH).for_each(|column| sums[column] += of(column, row[column]));
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
        Self {
            means,
            deviations: std::array::from_fn(deviation),
        }
    }

    /// A standardised feature; zero for one that never changes.
    fn value(&self, row: &Row, column: usize) -> f64 {
        if self.deviations[column] == 0.0 {
            return 0.0;
        }
        (row[column] - self.means[column]) / self.deviations[column]
    }

    /// The features that change: others cannot be told from the intercept.
    fn used(&self) -> Vec<usize> {
        (0..WIDTH).filter(|&column| self.deviations[column] != 0.0).collect()
    }
}

/// The answer, for standardised features.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Regression {
    pub(super) intercept: f64,
    /// Zero for features that never change.
    pub(super) coefficients: Row,
}

impl Regression {
    /// Logit of churn.
    pub(super) fn logit(&self, scale: &Scale, observation: &Observation) -> f64 {
        let row = features(observation);
        let effects = (0..WIDTH).map(|column| self.coefficients[column] * scale.value(&row, column));
        self.intercept + effects.sum::<f64>()
    }
}

/// Observations as linfa takes them: a matrix of the features that change, in memory column by column.
#[derive(Debug)]
pub(super) struct Design {
    data: DatasetBase<Array2<f64>, Array1<bool>>,
    /// How many observations each player has, who has any; those of one stand together.
    own: Vec<usize>,
    /// The feature of each column.
    used: Vec<usize>,
}

/// The minimum, and the curvature a last short step before it.
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) regression: Regression,
    curvature: Cholesky<f64, Dyn>,
}

impl Design {
    /// The observations that are kept.
    pub(super) fn of(observations: &[Observation], scale: &Scale, keep: impl Fn(&Observation) -> bool) -> Self {
        let used = scale.used();
        let kept = || observations.iter().filter(|observation| keep(observation));
        let targets: Array1<bool> = kept().map(|observation| observation.churned).collect();
        // In this order linfa's products with the transposed matrix go along the memory.
        let mut records = Array2::zeros((targets.len(), used.len()).f());
        for (mut cells, observation) in records.rows_mut().into_iter().zip(kept()) {
            let row = features(observation);
            for (cell, &column) in cells.iter_mut().zip(&used) {
                *cell = scale.value(&row, column);
            }
        }
        let kept: Vec<u32> = kept().map(|observation| observation.player).collect();
        Self {
            data: DatasetBase::new(records, targets),
            own: kept.chunk_by(|a, b| a == b).map(<[u32]>::len).collect(),
            used,
        }
    }

    /// No effects, and everybody at the mean risk.
    pub(super) fn start(&self) -> Regression {
        let count = self.data.targets.len() as f64;
        // Half an observation more of either kind keeps the logarithm finite.
        let churned = self.data.targets.iter().filter(|&&churned| churned).count() as f64;
        Regression {
            intercept: ((churned + 0.5) / (count - churned + 0.5)).ln(),
            coefficients: [0.0; WIDTH],
        }
    }

    /// Minimises, from a first guess.
    ///
    /// # Errors
    /// [`Error::NotConverged`] if the minimum is not found, or if all observations are of one kind.
    pub(super) fn solve(&self, strength: f64, start: &Regression, near: Tolerance) -> Result<Solution, Error> {
        let tolerance = near.gradient * (self.data.targets.len() as f64).sqrt();
        let mut found = self.descend(strength, tolerance, self.packed(start))?;
        for _ in 0..NEWTON {
            let risks = self.risks(&found);
            let gradient = self.gradient(strength, &found, &risks);
            let curvature = self.curvature(strength, &risks)?;
            let step = curvature.solve(&gradient);
            found = self.shortened(strength, &found, &step);
            if step.dot(&gradient) <= near.distance {
                return Ok(Solution {
                    regression: self.regression(&found),
                    curvature,
                });
            }
        }
        Err(Error::NotConverged)
    }

    /// One step on, or half of it and so on until it goes down: far from the minimum a whole one may go too far.
    fn shortened(&self, strength: f64, from: &Array1<f64>, step: &DVector<f64>) -> Array1<f64> {
        let before = self.objective(strength, from);
        let mut length = 1.0;
        loop {
            let to: Array1<f64> = from.iter().zip(step).map(|(b, step)| b - length * step).collect();
            // Near the minimum nothing but rounding is left to go down by.
            if length < 1e-3 || self.objective(strength, &to) <= before + 1e-9 * before.abs() {
                return to;
            }
            length /= 2.0;
        }
    }

    /// What is minimised.
    fn objective(&self, strength: f64, packed: &Array1<f64>) -> f64 {
        let logits = self.logits(packed);
        let losses = logits
            .iter()
            .zip(&self.data.targets)
            .map(|(&logit, &churned)| loss(logit, churned));
        let penalties = packed.iter().zip(&self.used);
        let penalties = penalties.map(|(b, &column)| 0.5 * penalty(strength, column) * b * b);
        losses.sum::<f64>() + penalties.sum::<f64>()
    }

    /// Coefficients of the columns, the intercept last, as linfa has them.
    fn packed(&self, regression: &Regression) -> Array1<f64> {
        let coefficients = self.used.iter().map(|&column| regression.coefficients[column]);
        coefficients.chain([regression.intercept]).collect()
    }

    fn regression(&self, packed: &Array1<f64>) -> Regression {
        let mut coefficients = [0.0; WIDTH];
        for (position, &column) in self.used.iter().enumerate() {
            coefficients[column] = packed[position];
        }
        Regression {
            intercept: packed[self.used.len()],
            coefficients,
        }
    }

    /// One run of linfa's solver.
    fn descend(&self, strength: f64, tolerance: f64, start: Array1<f64>) -> Result<Array1<f64>, Error> {
        // linfa's coefficients speak for the more frequent kind; of equal ones, for that of the first observation.
        let targets = &self.data.targets;
        let churned = targets.iter().filter(|&&churned| churned).count();
        let stayed = targets.len() - churned;
        let speaks_for_churn = churned > stayed || (churned == stayed && targets.first() == Some(&true));
        let turned = |packed: Array1<f64>, turn: bool| if turn { -packed } else { packed };
        let solver = LogisticRegression::default()
            .alpha(strength)
            .gradient_tolerance(tolerance)
            .max_iterations(STEPS)
            .initial_params(turned(start, !speaks_for_churn));
        let fitted = solver.fit(&self.data).map_err(|_| Error::NotConverged)?;
        let packed = fitted.params().iter().copied().chain([fitted.intercept()]);
        Ok(turned(packed.collect(), !fitted.labels().pos.class))
    }

    fn logits(&self, packed: &Array1<f64>) -> Array1<f64> {
        let width = self.used.len();
        self.data.records.dot(&packed.slice(s![..width])) + packed[width]
    }

    fn risks(&self, packed: &Array1<f64>) -> Array1<f64> {
        self.logits(packed).mapv_into(logistic)
    }

    /// First derivatives of what is minimised, the intercept last.
    fn gradient(&self, strength: f64, packed: &Array1<f64>, risks: &Array1<f64>) -> DVector<f64> {
        let targets = self.data.targets.mapv(|churned| f64::from(u8::from(churned)));
        let residuals = risks - &targets;
        let along = self.data.records.t().dot(&residuals);
        let penalised = along.iter().zip(packed).zip(&self.used);
        let penalised = penalised.map(|((along, b), &column)| along + penalty(strength, column) * b);
        let gradient: Vec<f64> = penalised.chain([residuals.sum()]).collect();
        DVector::from_vec(gradient)
    }

    /// Second derivatives of what is minimised, the intercept last; failing if they do not tell all columns apart.
    fn curvature(&self, strength: f64, risks: &Array1<f64>) -> Result<Cholesky<f64, Dyn>, Error> {
        let width = self.used.len();
        let weights = risks.mapv(|risk| risk * (1.0 - risk));
        let mut products = Array2::<f64>::zeros((width + 1, width + 1));
        let blocks = self.data.records.axis_chunks_iter(Axis(0), BLOCK);
        for (rows, weights) in blocks.zip(weights.axis_chunks_iter(Axis(0), BLOCK)) {
            let mut extended = Array2::ones((rows.nrows(), width + 1).f());
            extended.slice_mut(s![.., ..width]).assign(&rows);
            let weighted = &extended * &weights.insert_axis(Axis(1));
            products += &extended.t().dot(&weighted);
        }
        let added = |i: usize, j| {
            if i == j && i < width {
                penalty(strength, self.used[i])
            } else {
                0.0
            }
        };
        let curvature = DMatrix::from_fn(width + 1, width + 1, |i, j| products[(i, j)] + added(i, j));
        curvature.cholesky().ok_or(Error::NotConverged)
    }
}

mod robust;
#[cfg(test)]
mod tests;
