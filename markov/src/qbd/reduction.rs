//! The matrices `G` and `R` of the repeating levels.

use nalgebra::DMatrix;

use super::{QbdBlocks, row_sum};
use crate::budget::{Meter, OrStopped, Stopped};
use crate::error::Error;
use crate::sparse::Csr;

/// Each reduction squares what is missing, so that even a drift of 1e-13 takes fewer than this.
const MAX_REDUCTIONS: usize = 100;

/// The repeating blocks, dense, with the diagonal of the generator in `local`.
#[derive(Clone, Debug)]
pub(super) struct Repeating {
    pub(super) up: DMatrix<f64>,
    pub(super) local: DMatrix<f64>,
    pub(super) down: DMatrix<f64>,
}

impl Repeating {
    pub(super) fn new(blocks: &QbdBlocks) -> Self {
        let (up, down) = (dense(&blocks.up), dense(&blocks.down));
        let mut local = dense(&blocks.local);
        for phase in 0..local.nrows() {
            local[(phase, phase)] = 0.0;
            local[(phase, phase)] =
                -(local.row(phase).sum() + row_sum(&blocks.up, phase) + row_sum(&blocks.down, phase));
        }
        Self { up, local, down }
    }

    /// `G`: probabilities of the phase in which the level before is first entered, by the phase now.
    ///
    /// `up` and `down` are the probabilities of leaving a level upwards or downwards. A reduction leaves out every
    /// other level: `missing` is the probability of having climbed to level `2^k` before reaching the level before.
    pub(super) fn first_passage(&self, meter: &Meter<'_>) -> Result<DMatrix<f64>, Error> {
        let (mut up, mut down) = leave(&self.local, &self.up, &self.down, meter)?;
        let product = |a: &DMatrix<f64>, b: &DMatrix<f64>| -> Result<DMatrix<f64>, Error> {
            meter.spend((a.len() * b.ncols()) as u64).or_stopped()?;
            meter.look().or_stopped()?;
            Ok(a * b)
        };
        let mut g = down.clone();
        let mut missing = up.clone();
        let by_rows = |g: &DMatrix<f64>| g.transpose().iter().copied().collect();
        for iterations in 0..MAX_REDUCTIONS {
            let mut reduce = || -> Result<DMatrix<f64>, Error> {
                let back = product(&up, &down)? + product(&down, &up)?;
                (up, down) = leave(&back, &product(&up, &up)?, &product(&down, &down)?, meter)?;
                let more = product(&missing, &down)?;
                missing = product(&missing, &up)?;
                Ok(more)
            };
            let more = reduce().map_err(|error| match error {
                Error::Stopped(stopped) => Stopped {
                    iterations,
                    best: by_rows(&g),
                    ..*stopped
                }
                .error(),
                error => error,
            })?;
            g += &more;
            if more.amax() <= f64::EPSILON / 8.0 {
                return Ok(g);
            }
        }
        Err(Error::NotConverged {
            iterations: MAX_REDUCTIONS,
            best: by_rows(&g),
            bounds: None,
            radius: None,
        })
    }

    /// `R = A0 (-A1 - A0 G)^-1`: time spent in the phases of the next level per time in those of a level.
    pub(super) fn rate_matrix(&self, g: &DMatrix<f64>, meter: &Meter<'_>) -> Result<DMatrix<f64>, Error> {
        let m = self.local.nrows();
        meter.look().or_stopped()?;
        // What goes up comes back, so that the level is left downwards only.
        let within = &self.local + &self.up * g;
        let visits = solve(within, row_sums(&self.down), DMatrix::identity(m, m), meter)?;
        Ok(&self.up * visits)
    }

    /// Largest entry of `A0 + R A1 + R² A2`, as a part of the largest rate out.
    pub(super) fn residual(&self, r: &DMatrix<f64>) -> f64 {
        let residual = &self.up + r * &self.local + r * (r * &self.down);
        residual.amax() / self.local.amax()
    }
}

/// Probabilities of leaving by `up` and by `down`, by the state now and the state then, where `within` does not leave.
fn leave(
    within: &DMatrix<f64>,
    up: &DMatrix<f64>,
    down: &DMatrix<f64>,
    meter: &Meter<'_>,
) -> Result<(DMatrix<f64>, DMatrix<f64>), Error> {
    let m = within.nrows();
    let mut both = DMatrix::zeros(m, 2 * m);
    both.columns_mut(0, m).copy_from(up);
    both.columns_mut(m, m).copy_from(down);
    let solved = solve(within.clone(), row_sums(&both), both, meter)?;
    Ok((solved.columns(0, m).into_owned(), solved.columns(m, m).into_owned()))
}

/// Solves `(D - F) X = B` for a non-negative `B`, where `F` is `flow` without its diagonal, non-negative, and the
/// diagonal matrix `D` makes the rows of `D - F` add up to `leaving`, which is not negative.
///
/// Elimination by rows, in which the diagonal is the sum of what flows on: nothing is subtracted, so that every entry
/// is accurate relative to itself even where `leaving` is next to nothing, which is where the drift is.
///
/// Reference: A. Alfa, J. Xue, Q. Ye, "Accurate computation of the smallest eigenvalue of a diagonally dominant
/// M-matrix", Mathematics of Computation 71 (2002), 217-236, doi:10.1090/S0025-5718-01-01325-4.
///
/// # Errors
/// [`Error::PrecisionLost`] if the matrix is singular, as it is only by underflow where the level drifts downwards, and
/// [`Error::Stopped`].
fn solve(
    mut flow: DMatrix<f64>,
    mut leaving: Vec<f64>,
    mut solution: DMatrix<f64>,
    meter: &Meter<'_>,
) -> Result<DMatrix<f64>, Error> {
    let (m, width) = (flow.nrows(), solution.ncols());
    let mut pivots = Vec::with_capacity(m);
    for k in 0..m {
        let pivot = leaving[k] + (k + 1..m).map(|j| flow[(k, j)]).sum::<f64>();
        if pivot <= 0.0 {
            return Err(Error::PrecisionLost);
        }
        pivots.push(pivot);
        meter.spend(((m - k) * (m - k + width)) as u64).or_stopped()?;
        for i in k + 1..m {
            let part = flow[(i, k)] / pivot;
            if part == 0.0 {
                continue;
            }
            for j in k + 1..m {
                flow[(i, j)] += part * flow[(k, j)];
            }
            leaving[i] += part * leaving[k];
            for column in 0..width {
                solution[(i, column)] += part * solution[(k, column)];
            }
        }
    }
    for k in (0..m).rev() {
        meter.spend(((m - k) * width) as u64).or_stopped()?;
        for column in 0..width {
            let after: f64 = (k + 1..m).map(|j| flow[(k, j)] * solution[(j, column)]).sum();
            solution[(k, column)] = (solution[(k, column)] + after) / pivots[k];
        }
    }
    Ok(solution)
}

fn row_sums(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.row_iter().map(|row| row.sum()).collect()
}

pub(super) fn dense(block: &Csr<f64>) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(block.rows(), block.width());
    for row in 0..block.rows() {
        for (column, &value) in block.row(row) {
            matrix[(row, column)] = value;
        }
    }
    matrix
}

/// Largest absolute eigenvalue of a non-negative matrix, as the limit of `|R^k|^(1/k)` over `k = 1, 2, 4, ...`.
pub(super) fn spectral_radius(matrix: &DMatrix<f64>) -> f64 {
    let mut power = matrix.clone();
    let mut logarithm = 0.0;
    let mut share = 1.0;
    // Beyond 2^60 the factors left over are one to the last bit.
    for _ in 0..60 {
        let norm = power.amax();
        if norm == 0.0 {
            return 0.0;
        }
        logarithm += share * norm.ln();
        power /= norm;
        power = &power * &power;
        share *= 0.5;
    }
    logarithm.exp()
}
