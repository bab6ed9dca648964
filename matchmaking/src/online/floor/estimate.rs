//! The floor itself, from grids that become finer.

use matching_core::{Budget, StopReason};

use super::allowance::Allowance;
use super::process::{Solved, TOLERANCE};
use super::waiting::{MAX_AGE, MAX_PLAYERS};
use super::{Floor, FloorProblem, Grid, GridPolicy};
use crate::online::{Account, Error, Pattern, Setting, simulate};

/// Cells without deadlines, from coarse to fine. From 16 on the half is there as well, but for 18: only grids of which one
/// divides the other's cells can be compared, since how well cells fit the best distances goes up and down with their
/// number.
const CELLS: [usize; 13] = [COARSE, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48];
/// Cells with deadlines: what these add depends little on where exactly players stand.
const COARSE: usize = 8;
/// One more player who may wait on that changes the cost by less than this share changes nothing: without deadlines,
/// and with them, where extrapolating magnifies errors by a hundred.
const SETTLED: [f64; 2] = [1e-4, 1e-5];

/// Grids without deadlines that must agree on how many may wait on, before finer ones take their word for it.
const AGREED: usize = 2;
/// Deadlines that can add no more than this share of the cost are not looked at any closer.
const NEGLIGIBLE: f64 = 0.01;

/// Independent simulations that an estimate of what a rule costs comes from, unless a limit left fewer.
pub const BATCHES: usize = 20;

/// As many are made in any case: fewer say little of how far their mean is off.
const LEAST_BATCHES: usize = 5;

/// One grid that was solved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Refinement {
    /// The grid.
    pub grid: Grid,
    /// States of its process.
    pub states: usize,
    /// The least expected cost per two arrivals on it.
    pub cost: f64,
    /// How far off that may be.
    #[cfg_attr(feature = "json", serde(skip))]
    off: f64,
}

/// The floor at a rate, and how well it is known.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Estimate {
    /// Expected cost per two arrivals.
    pub cost: f64,
    /// How far the extrapolations went: the cost is this uncertain. No proof.
    pub error: f64,
    /// Without deadlines: below the floor, up to the extrapolation to cells of no width.
    pub relaxed: f64,
    /// What deadlines add.
    pub deadlines: f64,
    /// What the rule of the grid that costs least costs in a simulation: above the floor, up to chance.
    pub attained: f64,
    /// Standard error of `attained`, from so many simulations as `batches` says.
    pub attained_error: f64,
    /// Grids without deadlines, from coarse to fine.
    pub cells: Vec<Refinement>,
    /// Coarse grids with deadlines that become sharper; none where the simulation already says that they add next to
    /// nothing.
    pub ages: Vec<Refinement>,
    /// Simulations that `attained` is the mean of: [`BATCHES`], or fewer where a limit ended them.
    pub batches: usize,
    /// What ended it before the grids were as fine as states allow, or all simulations made, if a limit did.
    pub stop: Option<StopReason>,
}

/// Grids without deadlines.
struct Relaxed {
    /// From coarse to fine.
    cells: Vec<Refinement>,
    /// Of those whose cells are half as wide as another's, the one that costs least; the other comes first.
    halved: [Refinement; 2],
    /// Its process.
    best: Solved,
    /// How much of the cost one more who may wait on could change.
    unsettled: f64,
}

/// What deadlines add, and how uncertain that is.
struct Deadlines {
    cost: f64,
    error: f64,
}

impl Floor {
    /// Refines grids until the next one would have more than `states` states, simulates `arrivals` (at least 1,000)
    /// under the rule of the cheapest grid of which there is one of half as many cells, and extrapolates.
    ///
    /// Without deadlines the cost on a grid falls with the square of the width of cells when these are halved. It is
    /// taken to its limit from that grid and the one of half as many cells; its error is the length of
    /// that last step, and what one more player who may wait on changed where that was tried last.
    ///
    /// What deadlines add lies between nothing and what they cost the best rule without them in the simulation. Where
    /// that is more than a hundredth of the cost, they are computed on coarse grids as well: what they add there falls
    /// with one over the number of ticks until somebody is due, and the error is the difference of a linear and a
    /// quadratic limit, or of the last two quadratic ones, and what the grids may be off by, which is much where arrivals are
    /// rare. The narrower of the two is taken.
    ///
    /// # Errors
    /// [`Error::Floor`] where so few states do not suffice for a grid without deadlines of twice the cells of another,
    /// and for fewer than 1,000 arrivals.
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
        self.estimate_within(states, arrivals, seed, &Budget::new())
    }

    /// As [`estimate`](Self::estimate), within a budget: what ends it ends the refining, as too few states do, so that the figure is
    /// the one of the grids that were solved by then, and its error is the greater for it. [`Estimate::stop`] says so.
    ///
    /// A unit of work is a probability of a process that is found, or a probability or an action that a sweep touches: such a limit gives the same
    /// figure on every machine. The simulation does not count; where the time is
    /// spent, or somebody cancels, a quarter of it is made in any case. Memory is not limited.
    ///
    /// # Errors
    /// As [`estimate`](Self::estimate), and [`FloorProblem::Stopped`] where the budget ended before two grids could be
    /// compared.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Budget, StopReason};
    /// use matchmaking::online::floor::Floor;
    ///
    /// let floor = Floor::new(1.0, 5.0, 2.0)?;
    /// let hasty = floor.estimate_within(60_000, 100_000, 1, &Budget::new().work(30_000_000))?;
    /// let patient = floor.estimate(60_000, 100_000, 1)?;
    /// assert_eq!((hasty.stop, patient.stop), (Some(StopReason::WorkLimit), None));
    /// assert!(hasty.cells.len() < patient.cells.len() && hasty.error > patient.error);
    /// # Ok::<(), matchmaking::online::Error>(())
    /// ```
    pub fn estimate_within(
        &self,
        states: usize,
        arrivals: usize,
        seed: u64,
        budget: &Budget,
    ) -> Result<Estimate, Error> {
        /// Fewer say nothing of how far means are off.
        const LEAST: usize = 1_000;
        if arrivals < LEAST {
            let least = LEAST;
            return Err(FloorProblem::TooFewArrivals { arrivals, least }.into());
        }
        let mut allowance = Allowance::new(budget);
        let rate = self.model.rate;
        let Relaxed {
            cells,
            halved: [coarse, fine],
            best,
            unsettled,
        } = match self.without_deadlines(states, &mut allowance)? {
            Some(relaxed) => relaxed,
            None => {
                return Err(match allowance.stop {
                    Some(reason) => FloorProblem::Stopped { reason }.into(),
                    None => FloorProblem::TooFewStates { states, rate }.into(),
                });
            }
        };
        let square = |refinement: &Refinement| (1.0 / refinement.grid.cells as f64).powi(2);
        let relaxed = limit(&[coarse, fine].map(|refinement| (square(&refinement), refinement.cost)));
        let policy = GridPolicy::new(*self, fine.grid, best)?;
        let costs = self.attained(&policy, arrivals, seed, &mut allowance)?;
        let (attained, attained_error) = mean(&costs);

        let greatest = (attained + 2.0 * attained_error - fine.cost).max(0.0);
        let mut deadlines = Deadlines {
            cost: greatest / 2.0,
            error: greatest / 2.0,
        };
        let mut ages = Vec::new();
        if greatest > NEGLIGIBLE * fine.cost {
            ages = self.ladder(states, (1..MAX_AGE).map(|ages| (COARSE, ages)), &mut allowance)?;
            let sharper = self.sharper(states, &ages, greatest, &mut allowance)?;
            deadlines = sharper.filter(|it| it.error < deadlines.error).unwrap_or(deadlines);
        }
        Ok(Estimate {
            cost: relaxed + deadlines.cost,
            error: (fine.cost - relaxed).abs() + unsettled + deadlines.error,
            relaxed,
            deadlines: deadlines.cost,
            attained,
            attained_error,
            batches: costs.len(),
            cells,
            ages,
            stop: allowance.stop,
        })
    }

    /// What deadlines add on coarse grids, with infinitely many ticks, no more than `greatest`; `None` from fewer than
    /// four grids.
    fn sharper(
        &self,
        states: usize,
        ages: &[Refinement],
        greatest: f64,
        allowance: &mut Allowance<'_>,
    ) -> Result<Option<Deadlines>, Error> {
        let [.., before, first, second, third] = ages else {
            return Ok(None);
        };
        let Some((_, [_, relaxed])) = self.settled(COARSE, 0, 1, states, allowance)? else {
            return Ok(None);
        };
        let steps = [before, first, second, third].map(|refinement| {
            let step = 1.0 / refinement.grid.ages as f64;
            (step, refinement.cost - relaxed.cost)
        });
        let limits = [&steps[2..], &steps[1..], &steps[..3]].map(|steps| limit(steps).clamp(0.0, greatest));
        let [linear, quadratic, one_before] = limits;
        // What the grids may be off by, where it adds up: their shares in the limit have signs by turns.
        let turns = [first, second, third]
            .map(|grid| grid.off)
            .into_iter()
            .zip([1.0, -1.0, 1.0]);
        let off: Vec<_> = steps[1..]
            .iter()
            .zip(turns)
            .map(|(&(step, _), (off, sign))| (step, sign * off))
            .collect();
        let uncertain =
            (quadratic - linear).abs().max((quadratic - one_before).abs()) + limit(&off).abs() + relaxed.off;
        let is_cut = quadratic == greatest;
        Ok(Some(Deadlines {
            cost: quadratic,
            error: if is_cut { greatest } else { uncertain },
        }))
    }

    /// What a rule costs per two arrivals in each of some simulations.
    pub(super) fn attained(
        &self,
        policy: &GridPolicy,
        arrivals: usize,
        seed: u64,
        allowance: &mut Allowance<'_>,
    ) -> Result<Vec<f64>, Error> {
        let setting = Setting::with_weights(2, self.model.tau_max, vec![self.model.weight])?;
        let pattern = Pattern::Constant(self.model.rate);
        let mut costs = Vec::with_capacity(BATCHES);
        for batch in 0..BATCHES as u64 {
            if costs.len() >= LEAST_BATCHES && allowance.is_out_of_time() {
                break;
            }
            let batch_seed = seed.wrapping_mul(BATCHES as u64).wrapping_add(batch);
            let arrivals = pattern.arrivals(arrivals / BATCHES, 1, batch_seed)?;
            let games = simulate(&setting, policy.clone(), &arrivals)?;
            costs.push(2.0 * Account::new(&setting, &arrivals, &games)?.per_player());
        }
        Ok(costs)
    }

    /// Grids without deadlines as long as there are few enough states, and the allowance lasts; `None` if no two of them have halved cells.
    ///
    /// Who may wait on is settled on coarse grids, where trying one more costs little; finer ones rely on it as soon as
    /// two in a row agree.
    fn without_deadlines(&self, states: usize, allowance: &mut Allowance<'_>) -> Result<Option<Relaxed>, Error> {
        let mut ladder: Vec<Refinement> = Vec::new();
        let mut best: Option<([Refinement; 2], Solved)> = None;
        let (mut waiting, mut agreed, mut unsettled) = (1, 0, 0.0);
        for cells in CELLS {
            let solved = if agreed < AGREED {
                // Fewer may do as cells become smaller: on coarse ones many wait for somebody of the same cell.
                let first = waiting.max(3) - 2;
                let Some((enough, [solved, with_one_more])) = self.settled(cells, 0, first, states, allowance)? else {
                    break;
                };
                agreed = if enough == waiting { agreed + 1 } else { 0 };
                waiting = enough;
                unsettled = (solved.cost - with_one_more.cost).abs();
                solved
            } else {
                let grid = Grid {
                    cells,
                    ages: 0,
                    waiting,
                };
                let Some(solved) = Solved::new(&self.model, grid, TOLERANCE, states, allowance)? else {
                    break;
                };
                solved
            };
            let fine = Refinement {
                grid: Grid {
                    cells,
                    ages: 0,
                    waiting,
                },
                states: solved.states(),
                cost: solved.cost,
                off: solved.off,
            };
            // One without a half cannot be compared, also where it costs least.
            let coarse = ladder.iter().find(|coarse| 2 * coarse.grid.cells == cells);
            if let Some(&coarse) = coarse
                && best.as_ref().is_none_or(|(_, best)| solved.cost < best.cost)
            {
                best = Some(([coarse, fine], solved));
            }
            ladder.push(fine);
        }
        Ok(best.map(|(halved, best)| Relaxed {
            cells: ladder,
            halved,
            best,
            unsettled,
        }))
    }

    /// These grids, each with so many who may wait that more change nothing, as long as there are few enough states.
    fn ladder(
        &self,
        states: usize,
        grids: impl Iterator<Item = (usize, usize)>,
        allowance: &mut Allowance<'_>,
    ) -> Result<Vec<Refinement>, Error> {
        let mut ladder: Vec<Refinement> = Vec::new();
        let mut enough = 1;
        for (cells, ages) in grids {
            let Some((fewer, [_, solved])) = self.settled(cells, ages, enough, states, allowance)? else {
                break;
            };
            let waiting = fewer + 1;
            enough = fewer.max(2) - 1;
            ladder.push(Refinement {
                grid: Grid { cells, ages, waiting },
                states: solved.states(),
                cost: solved.cost,
                off: solved.off,
            });
        }
        Ok(ladder)
    }

    /// From `enough` on, how many may wait on so that one more changes nothing, and the grid without and with that one;
    /// `None` where there are too many states.
    fn settled(
        &self,
        cells: usize,
        ages: usize,
        enough: usize,
        states: usize,
        allowance: &mut Allowance<'_>,
    ) -> Result<Option<(usize, [Solved; 2])>, Error> {
        let mut before: Option<Solved> = None;
        for waiting in enough..MAX_PLAYERS {
            let grid = Grid { cells, ages, waiting };
            let Some(solved) = Solved::new(&self.model, grid, TOLERANCE, states, allowance)? else {
                return Ok(None);
            };
            match before {
                Some(fewer) if fewer.cost - solved.cost <= SETTLED[usize::from(ages > 0)] * solved.cost => {
                    return Ok(Some((waiting - 1, [fewer, solved])));
                }
                _ => before = Some(solved),
            }
        }
        Ok(None)
    }
}

/// The mean of independent costs, and the standard error of that.
fn mean(costs: &[f64]) -> (f64, f64) {
    let count = costs.len();
    let mean = costs.iter().sum::<f64>() / count as f64;
    let squares: f64 = costs.iter().map(|cost| (cost - mean).powi(2)).sum();
    (mean, (squares / (count * (count - 1)) as f64).sqrt())
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
