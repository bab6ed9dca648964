//! Standard errors of coefficients where observations of one player depend on each other.
//!
//! At the minimum of `Σ loss + ½ Σ λ_j b_j²`, the sums `u_g = Σ x (y - p)` over the observations of each player add up to
//! `Λ b`. Players are independent of each other, so that the sum's covariance is estimated from how much the `u_g` differ
//! between the `G` players, and coefficients differ by `H⁻¹` times as much, `H` being the curvature with the penalty:
//! `H⁻¹ (G / (G - 1) Σ (u_g - ū)(u_g - ū)ᵀ) H⁻¹`. Without a penalty `ū` is 0.
//!
//! # References
//! K.-Y. Liang, S. L. Zeger, "Longitudinal data analysis using generalized linear models", 1986,
//! doi:10.1093/biomet/73.1.13.

use nalgebra::DMatrix;
use ndarray::{Array1, Array2};

use super::{BLOCK, Design, Solution};
use crate::engagement::fitted::feature::{Row, WIDTH};

impl Design {
    /// Standard errors of the coefficients, robust against what observations of one player have to do with each other;
    /// zero for features that never change.
    pub(in crate::engagement::fit) fn errors(&self, solution: &Solution) -> Row {
        let width = self.used.len();
        let spread = self.spread(&self.packed(&solution.regression));
        let spread = DMatrix::from_fn(width + 1, width + 1, |i, j| spread[(i, j)]);
        // The inverse is symmetric, so solving twice, with a transposition in between, multiplies from both sides.
        let half = solution.curvature.solve(&spread);
        let covariance = solution.curvature.solve(&half.transpose());
        let mut errors = [0.0; WIDTH];
        for (position, &column) in self.used.iter().enumerate() {
            errors[column] = covariance[(position, position)].max(0.0).sqrt();
        }
        errors
    }

    /// The covariance of the sum of all players' scores, the intercept last.
    fn spread(&self, packed: &Array1<f64>) -> Array2<f64> {
        let width = self.used.len();
        let residuals: Array1<f64> = self
            .risks(packed)
            .iter()
            .zip(&self.data.targets)
            .map(residual)
            .collect();
        let players = self.own.len() as f64;
        let (mut products, mut sums) = (
            Array2::<f64>::zeros((width + 1, width + 1)),
            Array1::<f64>::zeros(width + 1),
        );
        let mut from = 0;
        for own in self.own.chunks(BLOCK) {
            let scores = self.scores(&residuals, from, own);
            products += &scores.t().dot(&scores);
            sums += &scores.sum_axis(ndarray::Axis(0));
            from += own.iter().sum::<usize>();
        }
        let mean = sums / players;
        Array2::from_shape_fn((width + 1, width + 1), |(i, j)| {
            (products[(i, j)] - players * mean[i] * mean[j]) * players / (players - 1.0)
        })
    }

    /// For each of some players in turn, the sum of `x (y - p)`; their observations begin at `from`.
    fn scores(&self, residuals: &Array1<f64>, from: usize, own: &[usize]) -> Array2<f64> {
        let width = self.used.len();
        let mut scores = Array2::<f64>::zeros((own.len(), width + 1));
        for (column, mut scores) in scores.columns_mut().into_iter().enumerate() {
            let mut row = from;
            for (score, &count) in scores.iter_mut().zip(own) {
                let rows = row..row + count;
                *score = if column < width {
                    rows.map(|row| self.data.records[(row, column)] * residuals[row]).sum()
                } else {
                    rows.map(|row| residuals[row]).sum()
                };
                row += count;
            }
        }
        scores
    }
}

/// What happened, less what was expected.
fn residual((risk, &churned): (&f64, &bool)) -> f64 {
    f64::from(u8::from(churned)) - risk
}
