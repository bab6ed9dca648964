//! The stationary distribution, and figures that follow from it.

use nalgebra::{DMatrix, DVector, RowDVector};

use super::QbdBlocks;
use super::reduction::{Repeating, spectral_radius};
use crate::budget::Meter;
use crate::chain::Ctmc;
use crate::error::Error;
use crate::sparse::Csr;

/// The stationary distribution of a quasi-birth-death chain.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QbdSolution {
    pub(super) levels: Vec<usize>,
    pub(super) first: usize,
    pub(super) boundary: Vec<f64>,
    #[cfg_attr(feature = "serde", serde(serialize_with = "by_rows"))]
    pub(super) first_level: RowDVector<f64>,
    #[cfg_attr(feature = "serde", serde(serialize_with = "by_rows"))]
    pub(super) rate_matrix: DMatrix<f64>,
    /// `(I - R)^-1 1`: by phase, visits to this and all higher levels per visit to this one.
    #[cfg_attr(feature = "serde", serde(serialize_with = "by_rows"))]
    pub(super) above: DVector<f64>,
    pub(super) mean_level: f64,
    pub(super) residual: f64,
    pub(super) error: f64,
}

impl QbdSolution {
    pub(super) fn of(blocks: &QbdBlocks, meter: &Meter<'_>) -> Result<Self, Error> {
        let repeating = Repeating::new(blocks);
        let g = repeating.first_passage(meter)?;
        let r = repeating.rate_matrix(&g, meter)?;
        let weights = watched(blocks, &(&repeating.up * &g))?.stationary()?;
        let (boundary, first_level) = weights.split_at(blocks.levels.len());
        let first_level = RowDVector::from_row_slice(first_level);

        let m = r.nrows();
        let lu = (DMatrix::identity(m, m) - &r).lu();
        let above = lu.solve(&DVector::from_element(m, 1.0)).ok_or(Error::PrecisionLost)?;
        // Each is at least one. If not, `I - R` has kept no digits: phases climb for so long that floats cannot tell their
        // entries in `R` from one.
        if above.iter().any(|visits| *visits < 0.5) {
            return Err(Error::PrecisionLost);
        }
        let twice = lu.solve(&above).ok_or(Error::PrecisionLost)?;

        // The sum of k x R^k 1 is x R (I - R)^-2 1.
        let repeated = (&first_level * &above).x;
        let beyond = (&first_level * (&r * &twice)).x;
        let sum = boundary.iter().sum::<f64>() + repeated;
        let low: f64 = boundary
            .iter()
            .zip(&blocks.levels)
            .map(|(share, &level)| share * level as f64)
            .sum();
        let mut solution = Self {
            levels: blocks.levels.clone(),
            first: blocks.first,
            boundary: boundary.iter().map(|share| share / sum).collect(),
            first_level: first_level / sum,
            mean_level: (low + blocks.first as f64 * repeated + beyond) / sum,
            residual: 0.0,
            error: 0.0,
            rate_matrix: r,
            above,
        };
        solution.residual = repeating
            .residual(&solution.rate_matrix)
            .max(solution.balance(blocks).residual);
        solution.error = solution.residual.max(f64::EPSILON) * twice.amax();
        if solution.has_numbers() {
            Ok(solution)
        } else {
            Err(Error::PrecisionLost)
        }
    }

    /// Whether everything is a number: times of a visit may be too long for a float, and what follows is not known
    /// then.
    fn has_numbers(&self) -> bool {
        let shares = self.boundary.iter().chain(&self.first_level);
        let rest = self.rate_matrix.iter().chain(&self.above);
        let figures = [&self.mean_level, &self.residual, &self.error];
        shares.chain(rest).chain(figures).all(|number| number.is_finite())
    }

    /// Probability of each boundary state.
    pub fn boundary(&self) -> &[f64] {
        &self.boundary
    }

    /// Probability of each phase of a repeating level; `None` for levels below the first one. O(m³ log(level)).
    pub fn phases(&self, level: usize) -> Option<Vec<f64>> {
        Some(self.row(level)?.iter().copied().collect())
    }

    /// Probability of a level. O(m³ log(level)).
    pub fn level(&self, level: usize) -> f64 {
        match self.row(level) {
            Some(phases) => phases.sum(),
            None => {
                let states = self.levels.iter().zip(&self.boundary).filter(|&(&at, _)| at == level);
                states.fold(0.0, |sum, (_, share)| sum + share)
            }
        }
    }

    /// Probability of this level or a higher one. O(m³ log(level)).
    pub fn tail(&self, level: usize) -> f64 {
        match self.row(level) {
            Some(phases) => (phases * &self.above).x,
            None => {
                let states = self.levels.iter().zip(&self.boundary).filter(|&(&at, _)| at >= level);
                states.map(|(_, share)| share).sum::<f64>() + self.tail(self.first)
            }
        }
    }

    /// Mean level.
    pub fn mean_level(&self) -> f64 {
        self.mean_level
    }

    /// What the probability of a level is multiplied by from one level to the next, far up: the spectral radius of `R`.
    pub fn decay(&self) -> f64 {
        spectral_radius(&self.rate_matrix)
    }

    /// The matrix `R`, by rows.
    pub fn rate_matrix(&self) -> Vec<Vec<f64>> {
        let rows = self.rate_matrix.row_iter();
        rows.map(|row| row.iter().copied().collect()).collect()
    }

    /// How far the solution is from solving its equations, as a part of the largest rate out: the largest entry of
    /// `A0 + R A1 + R² A2`, or the largest difference between what flows into a state of the boundary or of the first two
    /// levels and what flows out of it.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// Estimate, and no more than that, of the error of the mean level and of probabilities, relative to the larger of
    /// one and themselves: the residual times the largest entry of `(I - R)^-2 1`, by which errors of `R` grow.
    pub fn estimated_error(&self) -> f64 {
        self.error
    }

    fn row(&self, level: usize) -> Option<RowDVector<f64>> {
        Some(self.above_first(level.checked_sub(self.first)?))
    }

    /// Phases of the level so many levels above the first one.
    fn above_first(&self, mut steps: usize) -> RowDVector<f64> {
        let mut row = self.first_level.clone();
        let mut power = self.rate_matrix.clone();
        // Squaring costs m times a step, and halves what is left of them.
        while steps > 2 * row.len() {
            if steps % 2 == 1 {
                row = &row * &power;
            }
            power = &power * &power;
            steps /= 2;
        }
        for _ in 0..steps {
            row = &row * &power;
        }
        row
    }

    /// Largest difference between flow into and out of a state, recomputed from the blocks.
    pub(super) fn balance(&self, blocks: &QbdBlocks) -> Balance {
        let (b, m) = (self.boundary.len(), self.first_level.len());
        let second = self.above_first(1);
        let third = self.above_first(2);
        let mut net = vec![0.0; b + 2 * m];
        let mut outflows = vec![0.0; b + 2 * m];
        let mut largest = 0.0_f64;
        // Sources, where they stand, and the blocks out of them with where these lead. What leaves the first two levels
        // upwards leads nowhere, and the third one is a source alone.
        type Way<'a> = (&'a Csr<f64>, Option<usize>);
        let low: [Way<'_>; 2] = [(&blocks.boundary, Some(0)), (&blocks.enter, Some(b))];
        let middle: [Way<'_>; 3] = [
            (&blocks.leave, Some(0)),
            (&blocks.local, Some(b)),
            (&blocks.up, Some(b + m)),
        ];
        let high: [Way<'_>; 3] = [
            (&blocks.down, Some(b)),
            (&blocks.local, Some(b + m)),
            (&blocks.up, None),
        ];
        let beyond: [Way<'_>; 1] = [(&blocks.down, Some(b + m))];
        let sources: [(&[f64], Option<usize>, &[Way<'_>]); 4] = [
            (&self.boundary, Some(0), &low),
            (self.first_level.as_slice(), Some(b), &middle),
            (second.as_slice(), Some(b + m), &high),
            (third.as_slice(), None, &beyond),
        ];
        for (shares, at, ways) in sources {
            for (state, share) in shares.iter().enumerate() {
                let place = at.map(|at| at + state);
                let mut out = 0.0;
                for &(block, to) in ways {
                    for (column, rate) in block.row(state) {
                        let target = to.map(|to| to + column);
                        if target.is_some() && target == place {
                            continue;
                        }
                        out += rate;
                        if let Some(target) = target {
                            net[target] += share * rate;
                        }
                    }
                }
                largest = largest.max(out);
                if let Some(place) = place {
                    net[place] -= share * out;
                    outflows[place] = share * out;
                }
            }
        }
        let (mut worst, mut most) = (0, 0.0);
        for (state, flow) in net.iter().enumerate() {
            if flow.abs() > most {
                (worst, most) = (state, flow.abs());
            }
        }
        Balance {
            residual: most / largest,
            state: worst,
            inflow: net[worst] + outflows[worst],
            outflow: outflows[worst],
        }
    }
}

/// The state that is balanced worst, among those of the boundary, of the first level and of the second.
pub(super) struct Balance {
    /// By what part of the largest rate out.
    pub(super) residual: f64,
    state: usize,
    inflow: f64,
    outflow: f64,
}

impl Balance {
    pub(super) fn error(&self) -> Error {
        Error::Unbalanced {
            state: self.state,
            inflow: self.inflow,
            outflow: self.outflow,
        }
    }
}

/// A matrix as a list of rows.
#[cfg(feature = "serde")]
fn by_rows<R, C, V, S>(matrix: &nalgebra::Matrix<f64, R, C, V>, serializer: S) -> Result<S::Ok, S::Error>
where
    R: nalgebra::Dim,
    C: nalgebra::Dim,
    V: nalgebra::RawStorage<f64, R, C>,
    S: serde::Serializer,
{
    let rows = matrix.row_iter();
    serializer.collect_seq(rows.map(|row| row.iter().copied().collect::<Vec<f64>>()))
}

/// Boundary and first level as a chain that stands still while higher levels are visited.
fn watched(blocks: &QbdBlocks, returns: &DMatrix<f64>) -> Result<Ctmc<f64>, Error> {
    let (b, m) = (blocks.levels.len(), blocks.local.rows());
    let low = (0..b).map(|state| {
        let entering = blocks.enter.row(state).map(|(to, &rate)| (b + to, rate));
        let row = blocks.boundary.row(state).map(|(to, &rate)| (to, rate)).chain(entering);
        row.collect::<Vec<_>>()
    });
    let high = (0..m).map(|phase| {
        let leaving = blocks.leave.row(phase).map(|(to, &rate)| (to, rate));
        let local = blocks.local.row(phase).map(|(to, &rate)| (b + to, rate));
        let returning = (0..m).map(|to| (b + to, returns[(phase, to)].max(0.0)));
        // A diagonal is no rate, and might not be positive.
        let others = local.filter(|&(to, _)| to != b + phase).chain(returning);
        leaving.chain(others).collect::<Vec<_>>()
    });
    Ctmc::new(&Csr::from_rows(b + m, low.chain(high)))
}
