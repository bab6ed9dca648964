//! Quasi-birth-death chains: infinitely many levels, each with the same phases, and steps to neighbouring levels only.
//!
//! Below a first repeating level there may be boundary states of any shape. From there on the rates up (`A0`), within a
//! level (`A1`) and down (`A2`) are the same for every level. The stationary distribution is then matrix-geometric: the
//! levels' distributions are `x, x R, x R², ...`. `R` follows from `G`, the probabilities of the phase in which the
//! level below is first entered, which logarithmic reduction finds with a number of correct digits that doubles each
//! time. Boundary and first level, watched only while the chain is there, are a finite chain with non-negative rates
//! `A1 + A0 G` within the first level; state elimination solves it without subtraction.
//!
//! Phases need not lead to each other: there is a stationary distribution if each closed class of phases drifts
//! downwards.
//!
//! References: M. Neuts, "Matrix-Geometric Solutions in Stochastic Models", Johns Hopkins 1981; G. Latouche, V.
//! Ramaswami, "A logarithmic reduction algorithm for quasi-birth-death processes", Journal of Applied Probability 30
//! (1993), 650-674, doi:10.2307/3214773.

mod reduction;
mod solution;
mod verify;

use matching_core::Budget;

use crate::budget::{Meter, OrStopped};
use crate::chain::{Ctmc, check_rate};
use crate::elimination::FILL;
use crate::error::{Error, check_length, check_numbers};
use crate::sparse::Csr;

pub use solution::QbdSolution;

/// A drift per step below this counts as none: it is made up of roundings then.
const NO_DRIFT: f64 = 1e-13;

/// Matrices of the phases at a time, at most.
const MATRICES: usize = 20;

/// Rates are multiplied by this power of two at most: the smallest float times that is 2^-74.
const LARGEST_POWER: f64 = 1000.0;

/// The rates of a quasi-birth-death chain with `b` boundary states and `m` phases; diagonals are ignored.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct QbdBlocks {
    /// Level of each boundary state, below `first`.
    pub levels: Vec<usize>,
    /// The first repeating level.
    pub first: usize,
    /// Between boundary states, `b × b`.
    pub boundary: Csr<f64>,
    /// From the boundary into the first level, `b × m`.
    pub enter: Csr<f64>,
    /// From the first level into the boundary, `m × b`.
    pub leave: Csr<f64>,
    /// To the next level, `m × m`.
    pub up: Csr<f64>,
    /// Within a level, `m × m`.
    pub local: Csr<f64>,
    /// To the level before, `m × m`; from the first level `leave` takes its place.
    pub down: Csr<f64>,
}

/// A quasi-birth-death chain in continuous time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "QbdBlocks", into = "QbdBlocks")
)]
pub struct Qbd {
    blocks: QbdBlocks,
}

#[cfg(feature = "serde")]
impl TryFrom<QbdBlocks> for Qbd {
    type Error = Error;

    /// As [`Qbd::new`].
    fn try_from(blocks: QbdBlocks) -> Result<Self, Error> {
        Self::new(blocks)
    }
}

#[cfg(feature = "serde")]
impl From<Qbd> for QbdBlocks {
    fn from(qbd: Qbd) -> Self {
        qbd.blocks
    }
}

impl Qbd {
    /// A chain with these rates.
    ///
    /// # Errors
    /// [`Error::NoStates`] without phases; [`Error::LengthMismatch`] for blocks of the wrong shape,
    /// [`Error::NotANumber`] and [`Error::Negative`] for rates, or where those out of a state add up to more than a
    /// float holds, [`Error::Parameter`] for a boundary level that is not below the first one.
    pub fn new(blocks: QbdBlocks) -> Result<Self, Error> {
        let (b, m) = (blocks.levels.len(), blocks.local.rows());
        if m == 0 {
            return Err(Error::NoStates);
        }
        let shapes = [
            (&blocks.boundary, b, b, ["rows of boundary", "columns of boundary"]),
            (&blocks.enter, b, m, ["rows of enter", "columns of enter"]),
            (&blocks.leave, m, b, ["rows of leave", "columns of leave"]),
            (&blocks.up, m, m, ["rows of up", "columns of up"]),
            (&blocks.local, m, m, ["rows of local", "columns of local"]),
            (&blocks.down, m, m, ["rows of down", "columns of down"]),
        ];
        for (block, rows, columns, names) in shapes {
            check_length(names[0], rows, block.rows())?;
            check_length(names[1], columns, block.width())?;
        }
        let QbdBlocks {
            boundary,
            enter,
            leave,
            up,
            local,
            down,
            ..
        } = &blocks;
        check_rates(boundary, &[enter])?;
        check_rates(local, &[up, leave])?;
        check_rates(local, &[up, down])?;
        if let Some(&level) = blocks.levels.iter().find(|&&level| level >= blocks.first) {
            return Err(Error::Parameter {
                name: "level of a boundary state",
                value: level as f64,
                expected: "below the first repeating level",
            });
        }
        Ok(Self { blocks })
    }

    /// The rates.
    pub fn blocks(&self) -> &QbdBlocks {
        &self.blocks
    }

    /// Mean drift of the level per step that changes it, far from the boundary, between -1 and 1; the largest of the
    /// closed classes of phases. The chain is stable if it is negative.
    ///
    /// # Errors
    /// [`Error::PrecisionLost`] where the level is changed in phases only whose shares of time are below all floats.
    pub fn drift(&self) -> Result<f64, Error> {
        drift(&scaled(&self.blocks))
    }

    /// The stationary distribution.
    ///
    /// # Errors
    /// [`Error::Unstable`] where the level does not drift downwards, or by less than 1e-13 a step, which roundings may
    /// have made up: the chain is transient, or null recurrent at a drift of zero. [`Error::Reducible`] where boundary and first level have more than one closed class.
    /// [`Error::NotConverged`], with `G` by rows, if logarithmic reduction came to no end. [`Error::TooLarge`] where a matrix
    /// of the phases, which is full, has more than 50 million entries. [`Error::PrecisionLost`] where
    /// rates are so far apart that floats do not hold the times that follow, or cannot tell climbs from endless ones.
    ///
    /// # Complexity
    /// O(m³) for each of about `log2(log(1e-16) / log(decay))` reductions, and elimination of the boundary.
    pub fn solve(&self) -> Result<QbdSolution, Error> {
        self.metered(&Meter::unlimited())
    }

    /// As [`Qbd::solve`], within a budget. Work is counted in entries of matrices that are touched: a product of two
    /// counts as many times `m` as it has entries. Time and token are looked at between products of matrices and at each
    /// phase that is eliminated, but not within a product, and not while the chain of the boundary is solved, which has
    /// limits of its own. Memory is compared before anything is computed with that of twenty matrices of the phases.
    ///
    /// # Errors
    /// As [`Qbd::solve`], and [`Error::Stopped`], with `G` by rows as far as it was summed up, if anything was.
    pub fn solve_within(&self, budget: &Budget) -> Result<QbdSolution, Error> {
        self.metered(&Meter::new(budget, None))
    }

    fn metered(&self, meter: &Meter<'_>) -> Result<QbdSolution, Error> {
        let blocks = scaled(&self.blocks);
        let drift = drift(&blocks)?;
        if drift >= -NO_DRIFT {
            return Err(Error::Unstable { drift: drift.max(0.0) });
        }
        meter.look().or_stopped()?;
        let phases = self.blocks.local.rows();
        if phases.saturating_mul(phases) > FILL {
            let (what, limit) = ("entries", FILL);
            return Err(Error::TooLarge { what, limit });
        }
        meter
            .hold(|| MATRICES * phases * phases * size_of::<f64>())
            .or_stopped()?;
        QbdSolution::of(&blocks, meter)
    }
}

/// [`Qbd::drift`] of scaled blocks.
fn drift(blocks: &QbdBlocks) -> Result<f64, Error> {
    let m = blocks.local.rows();
    let QbdBlocks { up, local, down, .. } = blocks;
    let row = |phase: usize| [up, local, down].into_iter().flat_map(move |block| block.row(phase));
    let rows = |keep: &dyn Fn(usize) -> Option<usize>, phase: usize| {
        let entries = row(phase).filter_map(|(to, &rate)| Some((keep(to)?, rate)));
        entries.collect::<Vec<_>>()
    };
    let phases = Ctmc::new(&Csr::from_rows(m, (0..m).map(|phase| rows(&Some, phase))))?;
    let mut worst = -1.0_f64;
    for class in phases.classes().closed() {
        let keep = |to: usize| class.binary_search(&to).ok();
        let within = Csr::from_rows(class.len(), class.iter().map(|&phase| rows(&keep, phase)));
        let share = Ctmc::new(&within)?.stationary()?;
        let flow = |block: &Csr<f64>| -> f64 {
            let rates = class.iter().map(|&phase| row_sum(block, phase));
            rates.zip(&share).map(|(rate, share)| rate * share).sum()
        };
        let (ups, downs) = (flow(up), flow(down));
        let changes_level = class
            .iter()
            .any(|&phase| row_sum(up, phase) + row_sum(down, phase) > 0.0);
        // The phases that change the level have shares below all floats.
        if changes_level && ups.max(downs) < f64::MIN_POSITIVE {
            return Err(Error::PrecisionLost);
        }
        let drift = if ups == downs {
            0.0
        } else {
            (ups - downs) / (ups + downs)
        };
        worst = worst.max(drift);
    }
    Ok(worst)
}

/// The blocks without diagonals and, where all rates are below one, with a power of two times all of them: that changes
/// no distribution, and times of a visit, which are one over rates, are floats then.
fn scaled(blocks: &QbdBlocks) -> QbdBlocks {
    let boundary = blocks.boundary.without_diagonal();
    let local = blocks.local.without_diagonal();
    let all = [
        &boundary,
        &blocks.enter,
        &blocks.leave,
        &blocks.up,
        &local,
        &blocks.down,
    ];
    let entries = all
        .into_iter()
        .flat_map(|block| (0..block.rows()).flat_map(|row| block.row(row)));
    let largest = entries.fold(0.0, |largest: f64, (_, &rate)| largest.max(rate));
    // The power itself must be a float as well.
    let power = (-largest.log2()).clamp(0.0, LARGEST_POWER).floor();
    let factor = 2.0_f64.powi(power as i32);
    let times = |block: &Csr<f64>| block.map(|_, _, rate| rate * factor);
    QbdBlocks {
        levels: blocks.levels.clone(),
        first: blocks.first,
        boundary: times(&boundary),
        enter: times(&blocks.enter),
        leave: times(&blocks.leave),
        up: times(&blocks.up),
        local: times(&local),
        down: times(&blocks.down),
    }
}

/// Sum of a row.
fn row_sum(block: &Csr<f64>, row: usize) -> f64 {
    block.row(row).map(|(_, rate)| rate).sum()
}

/// Refuses what is no rate, and rates out of a state that add up to more than a float holds. The diagonal of the square
/// block `within` means nothing.
fn check_rates(within: &Csr<f64>, away: &[&Csr<f64>]) -> Result<(), Error> {
    let mut exits = vec![0.0; within.rows()];
    for (from, exit) in exits.iter_mut().enumerate() {
        let others = within.row(from).filter(|&(to, _)| to != from);
        let rates = others.chain(away.iter().flat_map(|block| block.row(from)));
        for (to, rate) in rates {
            check_rate(from, to, rate)?;
            *exit += rate;
        }
    }
    check_numbers(&exits)
}
