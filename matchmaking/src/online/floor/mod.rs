//! The least that any rule can cost that does not know who comes next.
//!
//! Players of one criterion, uniform on [0, 1], arrive at a constant rate and are paired. A rule sees who waits, and
//! decides who plays now: a decision process, whose least average cost is the floor under all policies. What the
//! optimum costs, which knows the future, lies below it: the distance from one to the other is what foresight is worth,
//! and the distance from a policy to the floor is what the policy loses.
//!
//! The process is solved on grids ([`Floor::on`]), with bounds that are proven for the grid, and refined until the
//! figure settles ([`Floor::estimate`]).

mod allowance;
mod estimate;
mod policy;
mod problem;
mod process;
#[cfg(test)]
mod tests;
mod waiting;

pub use estimate::{BATCHES, Estimate, Refinement};
pub use policy::GridPolicy;
pub use problem::FloorProblem;

use allowance::Allowance;
use matching_core::Budget;
use process::{Solved, TOLERANCE};

use super::Error;

/// What the floor depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Model {
    rate: f64,
    tau_max: f64,
    weight: f64,
}

/// How finely criteria and waiting are told apart.
///
/// Rules on the grid know the cell of each player and nothing more, and that the players in it are uniform. So without
/// deadlines the grid's least cost is never below the true one, and comes down to it as cells become smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Grid {
    /// Cells of equal width that [0, 1] is divided into: 1 to 63.
    pub cells: usize,
    /// A player is due at so many ticks of a clock that ticks at random, `ages / τ_max` times per unit of time: 1 to 14. With
    /// more of them, the time until then becomes closer to `τ_max`. 0: nobody is ever due, and a bot may come at any time; then
    /// the least cost is at most the one with deadlines.
    pub ages: usize,
    /// No more than so many players wait on after a decision: 1 to 11.
    pub waiting: usize,
}

/// The floor under all policies at a constant rate of arrivals.
///
/// # Examples
/// ```
/// use matchmaking::online::floor::{Floor, Grid};
///
/// let floor = Floor::new(3.0, 5.0, 2.0)?;
/// let (coarse, _) = floor.on(Grid { cells: 6, ages: 0, waiting: 5 })?;
/// let (fine, _) = floor.on(Grid { cells: 12, ages: 0, waiting: 5 })?;
/// assert!(fine < coarse && (fine - 0.392).abs() < 1e-3);
/// # Ok::<(), matchmaking::online::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    model: Model,
}

impl Floor {
    /// Pairs of players who arrive at this rate per unit of time, wait at most `tau_max`, and whose one criterion has
    /// this weight.
    ///
    /// # Errors
    /// [`Error::Floor`] unless the rate and `tau_max` are positive and finite, and the weight finite and 0 or more.
    pub fn new(rate: f64, tau_max: f64, weight: f64) -> Result<Self, Error> {
        let is_positive = |number: f64| number > 0.0 && number.is_finite();
        let is_weight = weight >= 0.0 && weight.is_finite();
        if !is_positive(rate) || !is_positive(tau_max) || !is_weight {
            return Err(FloorProblem::Model { rate, tau_max, weight }.into());
        }
        let model = Model { rate, tau_max, weight };
        Ok(Self { model })
    }

    /// The least expected cost per two arrivals on a grid, within 1e-6, and the number of states of its process.
    ///
    /// # Errors
    /// [`Error::Floor`] for a grid out of range, where the process has more than 20 million states, and where a hundred thousand
    /// passes do not suffice, as of many ticks between two arrivals.
    ///
    /// # Complexity
    /// Without ages about `cells` over `waiting` states (binomially), with them up to `ages` to the power of `waiting`
    /// times as many; about a hundred passes over all of them, and the more, the more ticks there are between two arrivals.
    pub fn on(&self, grid: Grid) -> Result<(f64, usize), Error> {
        let solved = self.solve(grid)?;
        Ok((solved.cost, solved.states()))
    }

    fn solve(&self, grid: Grid) -> Result<Solved, Error> {
        /// Some gigabytes.
        const LIMIT: usize = 20_000_000;
        /// How far a cost may be off, but for roundings.
        const WITHIN: f64 = 9e-7;
        let in_range = (1..=waiting::MAX_CELLS).contains(&grid.cells)
            && grid.ages < waiting::MAX_AGE
            && (1..waiting::MAX_PLAYERS).contains(&grid.waiting);
        if !in_range {
            return Err(FloorProblem::Grid { grid }.into());
        }
        let too_many = || Error::Floor(FloorProblem::TooManyStates { grid, limit: LIMIT });
        let unlimited = Budget::new();
        // A cost per step counts as often as there are steps in two arrivals.
        let tolerance = TOLERANCE.min(WITHIN / process::waits(&self.model, grid));
        Solved::new(&self.model, grid, tolerance, LIMIT, &mut Allowance::new(&unlimited))?.ok_or_else(too_many)
    }
}
