//! The floor itself, from grids that become finer.

use super::process::Solved;
use super::waiting::{MAX_AGE, MAX_CELLS, MAX_PLAYERS};
use super::{Floor, Grid};
use crate::online::{Account, Error, Pattern, Setting, simulate};

/// Cells without deadlines, from coarse to fine.
const CELLS: [usize; 11] = [COARSE, 12, 16, 20, 24, 28, 32, 40, 48, 56, MAX_CELLS];
/// Cells with deadlines: what these add depends little on where exactly players stand.
const COARSE: usize = 8;
/// One more player who may wait on that changes the cost by less than this share changes nothing: without deadlines, and with
/// them, where extrapolating magnifies errors by a hundred.
const SETTLED: [f64; 2] = [1e-4, 1e-5];

/// Independent simulations.
const BATCHES: usize = 20;

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
    /// How far the extrapolations went: the cost is this uncertain. No proof.
    pub error: f64,
    /// Without deadlines: below the floor, up to the extrapolation to cells of no width.
    pub relaxed: f64,
    /// What deadlines add.
    pub deadlines: f64,
    /// What the best rule of the finest grid costs in a simulation: above the floor, up to chance.
    pub attained: f64,
    /// Standard error of `attained`.
    pub attained_error: f64,
    /// Grids without deadlines, from coarse to fine.
    pub cells: Vec<Refinement>,
    /// Coarse grids with deadlines that become sharper.
    pub ages: Vec<Refinement>,
}

impl Floor {
    /// Refines grids until the next one would have more than `states` states, simulates `arrivals` (at least 1,000) under the best rule of the
    /// finest, and extrapolates.
    ///
    /// Without deadlines the cost on a grid falls with the square of the width of cells; what deadlines add, on a coarse
    /// grid, with one over the number of ticks until somebody is due. The estimate takes both to their limits, where the
    /// second is no more than deadlines cost that rule. Its error is the length of the last step of the first, and of the
    /// second the difference of a linear and a quadratic limit, or of the last two quadratic ones.
    ///
    /// # Errors
    /// [`Error::Floor`] where so few states do not suffice for two grids without deadlines and four with them, and for fewer than 1,000
    /// arrivals.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::online::floor::Floor;
    ///
    /// let estimate = Floor::new(1.0, 5.0, 2.0)?.estimate(60_000, 100_000, 1)?;
    /// assert!(estimate.relaxed < estimate.cost && estimate.cost < estimate.attained);
    /// assert!((estimate.cost - 0.767).abs() < estimate.error);
    /// # Ok::<(), matchmaking::online::Error>(())
    /// ```
    pub fn estimate(&self, states: usize, arrivals: usize, seed: u64) -> Result<Estimate, Error> {
        let cells = self.ladder(states, CELLS.iter().map(|&cells| (cells, 0)))?;
        let ages = self.ladder(states, (1..MAX_AGE).map(|ages| (COARSE, ages)))?;
        let ([.., coarse, fine], [.., before, first, second, third]) = (&cells[..], &ages[..]) else {
            let message = format!("{states} states are too few at rate {}", self.model.rate);
            return Err(Error::Floor { message });
        };
        let square = |refinement: &Refinement| (1.0 / refinement.grid.cells as f64).powi(2);
        let relaxed = limit(&[coarse, fine].map(|refinement| (square(refinement), refinement.cost)));
        let (attained, attained_error) = self.attained(fine.grid, arrivals, seed)?;

        let greatest = (attained + 2.0 * attained_error - fine.cost).max(0.0);
        let steps = [before, first, second, third].map(|refinement| {
            let step = 1.0 / refinement.grid.ages as f64;
            (step, refinement.cost - cells[0].cost)
        });
        let limits = [&steps[2..], &steps[1..], &steps[..3]].map(|steps| limit(steps).clamp(0.0, greatest));
        let [linear, quadratic, one_before] = limits;
        let uncertain = (quadratic - linear).abs().max((quadratic - one_before).abs());
        let is_cut = quadratic == greatest;
        Ok(Estimate {
            cost: relaxed + quadratic,
            error: (fine.cost - relaxed).abs() + if is_cut { greatest } else { uncertain },
            relaxed,
            deadlines: quadratic,
            attained,
            attained_error,
            cells,
            ages,
        })
    }

    /// What the best rule of a grid costs per two arrivals in a simulation, and the standard error of that.
    fn attained(&self, grid: Grid, arrivals: usize, seed: u64) -> Result<(f64, f64), Error> {
        if arrivals < 1_000 {
            let message = format!("{arrivals} arrivals are too few to simulate; take 1000 or more");
            return Err(Error::Floor { message });
        }
        let setting = Setting::with_weights(2, self.model.tau_max, vec![self.model.weight])?;
        let policy = self.policy(grid)?;
        let pattern = Pattern::Constant(self.model.rate);
        let mut costs = [0.0; BATCHES];
        for (cost, batch) in costs.iter_mut().zip(0..) {
            let batch_seed = seed.wrapping_mul(BATCHES as u64).wrapping_add(batch);
            let arrivals = pattern.arrivals(arrivals / BATCHES, 1, batch_seed)?;
            let games = simulate(&setting, policy.clone(), &arrivals)?;
            *cost = 2.0 * Account::new(&setting, &arrivals, &games)?.per_player();
        }
        let mean = costs.iter().sum::<f64>() / BATCHES as f64;
        let squares: f64 = costs.iter().map(|cost| (cost - mean).powi(2)).sum();
        Ok((mean, (squares / (BATCHES * (BATCHES - 1)) as f64).sqrt()))
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
            let Some(solved) = Solved::new(&self.model, grid, states)? else {
                return Ok(None);
            };
            let (cost, states) = (solved.cost, solved.states());
            if before.is_some_and(|before| before - cost <= SETTLED[usize::from(ages > 0)] * cost) {
                return Ok(Some(Refinement { grid, states, cost }));
            }
            before = Some(cost);
        }
        Ok(None)
    }
}

/// What values at these steps come to at step 0, by the polynomial through all of them (Neville).
pub(super) fn limit(points: &[(f64, f64)]) -> f64 {
    let mut values: Vec<f64> = points.iter().map(|&(_, value)| value).collect();
    for order in 1..points.len() {
        for i in 0..points.len() - order {
            let (near, far) = (points[i + order].0, points[i].0);
            values[i] = (far * values[i + 1] - near * values[i]) / (far - near);
        }
    }
    values[0]
}
