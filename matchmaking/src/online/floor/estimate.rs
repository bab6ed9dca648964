//! The floor itself, from grids that become finer.

use super::waiting::{MAX_AGE, MAX_CELLS, MAX_PLAYERS};
use super::{Floor, Grid, process};
use crate::online::Error;

/// Cells without deadlines, from coarse to fine.
const CELLS: [usize; 11] = [8, 12, 16, 20, 24, 28, 32, 40, 48, 56, MAX_CELLS];
/// Cells with deadlines: what these add depends little on where exactly players stand.
const COARSE: usize = 8;
/// One more player who may wait on that changes the cost by less than this share changes nothing.
const SETTLED: f64 = 1e-4;

/// One grid that was solved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Refinement {
    /// The grid.
    pub grid: Grid,
    /// States of its process.
    pub states: usize,
    /// The least expected cost per two arrivals on it.
    pub cost: f64,
}

/// The floor at a rate, and how well it is known.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Expected cost per two arrivals.
    pub cost: f64,
    /// How far the extrapolations below went: the cost is this uncertain. No proof.
    pub error: f64,
    /// Without deadlines: below the floor.
    pub relaxed: f64,
    /// What deadlines add.
    pub deadlines: f64,
    /// Grids without deadlines, from coarse to fine.
    pub cells: Vec<Refinement>,
    /// Coarse grids with deadlines that become sharper.
    pub ages: Vec<Refinement>,
}

impl Floor {
    /// Refines grids until the next one would have more than `states` states, and extrapolates.
    ///
    /// Without deadlines the cost on a grid falls with the square of the width of cells; what deadlines add, on a coarse
    /// grid, with one over the number of ticks until somebody is due. The estimate takes both to their limits; its error is the length of
    /// the last step of the first and the difference of a linear and a quadratic limit of the second, together.
    ///
    /// # Errors
    /// [`Error::Floor`] where so few states do not suffice for two grids without deadlines and three with them.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::online::floor::Floor;
    ///
    /// let estimate = Floor::new(1.0, 5.0, 2.0)?.estimate(30_000)?;
    /// assert!(estimate.relaxed < estimate.cost && (estimate.cost - 0.77).abs() < 0.01);
    /// # Ok::<(), matchmaking::online::Error>(())
    /// ```
    pub fn estimate(&self, states: usize) -> Result<Estimate, Error> {
        let cells = self.ladder(states, CELLS.iter().map(|&cells| (cells, 0)))?;
        let ages = self.ladder(states, (1..MAX_AGE).map(|ages| (COARSE, ages)))?;
        let ([.., coarse, fine], [.., first, second, third]) = (&cells[..], &ages[..]) else {
            let message = format!("{states} states are too few at rate {}", self.model.rate);
            return Err(Error::Floor { message });
        };
        let square = |refinement: &Refinement| (1.0 / refinement.grid.cells as f64).powi(2);
        let relaxed = limit(&[coarse, fine].map(|refinement| (square(refinement), refinement.cost)));
        let steps = [first, second, third].map(|refinement| {
            let step = 1.0 / refinement.grid.ages as f64;
            (step, refinement.cost - cells[0].cost)
        });
        let deadlines = limit(&steps).max(0.0);
        let error = (fine.cost - relaxed).abs() + (deadlines - limit(&steps[1..]).max(0.0)).abs();
        Ok(Estimate {
            cost: relaxed + deadlines,
            error,
            relaxed,
            deadlines,
            cells,
            ages,
        })
    }

    /// These grids, each with so many who may wait that more change nothing, as long as there are few enough states.
    fn ladder(&self, states: usize, grids: impl Iterator<Item = (usize, usize)>) -> Result<Vec<Refinement>, Error> {
        let mut ladder: Vec<Refinement> = Vec::new();
        let mut enough = 1;
        for (cells, ages) in grids {
            let Some(refinement) = self.settled(cells, ages, enough, states)? else {
                break;
            };
            enough = (refinement.grid.waiting - 1).max(2) - 1;
            ladder.push(refinement);
        }
        Ok(ladder)
    }

    /// The grid on which one more who may wait changes nothing; `None` where there are too many states.
    fn settled(&self, cells: usize, ages: usize, enough: usize, states: usize) -> Result<Option<Refinement>, Error> {
        let mut before: Option<f64> = None;
        for waiting in enough..MAX_PLAYERS {
            let grid = Grid { cells, ages, waiting };
            let Some((cost, states)) = process::solve(&self.model, grid, states)? else {
                return Ok(None);
            };
            if before.is_some_and(|before| before - cost <= SETTLED * cost) {
                return Ok(Some(Refinement { grid, states, cost }));
            }
            before = Some(cost);
        }
        Ok(None)
    }
}

/// What values at these steps come to at step 0, by the polynomial through all of them (Neville).
fn limit(points: &[(f64, f64)]) -> f64 {
    let mut values: Vec<f64> = points.iter().map(|&(_, value)| value).collect();
    for order in 1..points.len() {
        for i in 0..points.len() - order {
            let (near, far) = (points[i + order].0, points[i].0);
            values[i] = (far * values[i + 1] - near * values[i]) / (far - near);
        }
    }
    values[0]
}
