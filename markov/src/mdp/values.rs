//! Least discounted cost of large processes in floats, by value iteration and modified policy iteration.

use crate::error::{Error, check_numbers};
use crate::mdp::Mdp;
use crate::mdp::discounted::{DiscountedSolution, check_discount};
use crate::mdp::sweep::{Effort, Extent};
use crate::mdp::taken::Taken;

const EVALUATIONS: usize = 20;
/// Values of a policy need not be better than its next improvement: sweeps end once changes differ by this part of what
/// they differed by in the improvement.
const EVALUATED: f64 = 0.01;

/// Modified policy iteration: sweeps over all actions, and between them cheaper sweeps over the actions taken.
///
/// After a sweep that changed all values by between `a` and `b`, the least costs lie between the new values plus `a
/// discount / (1 - discount)` and plus `b discount / (1 - discount)`, so that a discount close to one does not slow it
/// down where states mix well.
///
/// # References
/// J. MacQueen, "A modified dynamic programming method for Markovian decision problems", Journal of Mathematical
/// Analysis and Applications 14 (1966), 38-43, doi:10.1016/0022-247X(66)90060-6; E. Porteus, "Some bounds for
/// discounted sequential decision processes", Management Science 18 (1971), 7-11, doi:10.1287/mnsc.18.1.7; M. Puterman,
/// M. Shin, "Modified policy iteration algorithms for discounted Markov decision problems", Management Science 24
/// (1978), 1127-1137, doi:10.1287/mnsc.24.11.1127.
#[derive(Clone, Debug)]
pub struct ValueIteration {
    effort: Effort,
    evaluations: usize,
}

impl Default for ValueIteration {
    fn default() -> Self {
        Self::new()
    }
}

impl ValueIteration {
    /// To within 1e-9, with at most 20 sweeps over the actions taken after each of at most 100,000 over all actions, on
    /// all threads.
    pub fn new() -> Self {
        Self {
            effort: Effort::default(),
            evaluations: EVALUATIONS,
        }
    }

    /// How far values may lie from the least costs, before rounding is added to it.
    #[must_use]
    pub fn tolerance(mut self, radius: f64) -> Self {
        self.effort.tolerance = radius;
        self
    }

    /// How many sweeps over all actions there may be.
    #[must_use]
    pub fn iterations(mut self, limit: usize) -> Self {
        self.effort.iterations = limit;
        self
    }

    /// How many sweeps over the actions taken follow each sweep over all actions at most; with none it is value
    /// iteration.
    #[must_use]
    pub fn evaluations(mut self, limit: usize) -> Self {
        self.evaluations = limit;
        self
    }

    /// On how many threads sweeps run; the result does not depend on it. Never more are started than have some of the
    /// states to go through (2,048 are the least that one is woken for), nor than four for each core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.effort.threads = Some(threads);
        self
    }

    /// A policy of nearly least discounted cost, and values with a proven radius: a cost `k` steps ahead counts
    /// `discount^k` times.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a discount that is not between 0 and 1, both excluded, a tolerance that is not
    /// positive, no sweeps or no threads; [`Error::NotConverged`] at the limit of sweeps, with the best values there,
    /// and how far the least costs may lie below or above each of them; [`Error::NotANumber`] where costs add up to
    /// more than a float holds.
    ///
    /// # Complexity
    /// O(entries) per sweep.
    ///
    /// # Examples
    /// ```
    /// use markov::mdp::{Action, Mdp, ValueIteration};
    ///
    /// // Pay 1 a step, or 4 once for all.
    /// let rent = Mdp::new([
    ///     vec![Action { cost: 1.0, moves: vec![(0, 1.0)] }, Action { cost: 4.0, moves: vec![(1, 1.0)] }],
    ///     vec![Action { cost: 0.0, moves: vec![(1, 1.0)] }],
    /// ])?;
    /// let best = ValueIteration::new().solve(&rent, 0.8)?;
    /// assert!((best.values()[0] - 4.0).abs() <= *best.radius());
    /// assert_eq!(best.policy(), [1, 0]);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn solve(&self, mdp: &Mdp<f64>, discount: f64) -> Result<DiscountedSolution<f64>, Error> {
        check_discount(&discount)?;
        let sweeps = self.effort.start(mdp.len())?;
        let ahead = discount / (1.0 - discount);
        let (mut values, mut newer) = (vec![0.0; mdp.len()], vec![0.0; mdp.len()]);
        let mut policy = vec![0_u32; mdp.len()];
        let mut taken = Taken::default();
        for iterations in 1..=self.effort.iterations {
            let extent = sweeps.improve(mdp, discount, &values, &mut newer, &mut policy);
            let radius = ahead * extent.span() / 2.0;
            let is_done = radius <= self.effort.tolerance;
            if is_done || iterations == self.effort.iterations {
                let radius = radius + rounding(mdp, discount, &values, extent);
                newer.iter_mut().for_each(|value| *value += ahead * extent.middle());
                return conclude(newer, &policy, radius, iterations, is_done);
            }
            core::mem::swap(&mut values, &mut newer);
            let mut last = extent;
            if self.evaluations > 0 {
                // A policy that did not change is most likely the best.
                let is_settled = taken.update(mdp, &policy) == 0;
                let enough = match is_settled {
                    true => self.effort.tolerance / ahead,
                    false => EVALUATED * extent.span(),
                };
                for _ in 0..self.evaluations {
                    last = sweeps.evaluate(&taken, discount, &values, &mut newer, &mut policy);
                    core::mem::swap(&mut values, &mut newer);
                    if last.span() <= enough {
                        break;
                    }
                }
            }
            let shift = ahead * last.middle();
            values.iter_mut().for_each(|value| *value += shift);
        }
        unreachable!("the last iteration returns")
    }
}

fn conclude(
    values: Vec<f64>,
    policy: &[u32],
    radius: f64,
    iterations: usize,
    is_done: bool,
) -> Result<DiscountedSolution<f64>, Error> {
    check_numbers(&values)?;
    if !is_done {
        return Err(Error::NotConverged {
            iterations,
            best: values,
            bounds: None,
            radius: Some(radius),
        });
    }
    Ok(DiscountedSolution {
        values,
        radius,
        policy: policy.iter().map(|&action| action as usize).collect(),
        iterations,
    })
}

/// What rounding in a sweep, and probabilities that add up to more than one, may add to the radius.
fn rounding(mdp: &Mdp<f64>, discount: f64, values: &[f64], extent: Extent) -> f64 {
    let largest = |numbers: &[f64]| {
        numbers
            .iter()
            .fold(0.0, |largest: f64, number| largest.max(number.abs()))
    };
    let (mut terms, mut surplus) = (0, 0.0_f64);
    for row in 0..mdp.moves.rows() {
        let weights = mdp.moves.row_slices(row).1;
        terms = terms.max(weights.len());
        surplus = surplus.max(weights.iter().sum::<f64>() - 1.0);
    }
    let unit = (terms as f64 + 8.0) * f64::EPSILON;
    let ahead = discount / (1.0 - discount);
    let (values, costs) = (largest(values), largest(&mdp.costs));
    let of_sweep = unit * (costs + 4.0 * values);
    // Where staying has less than no chance, a step leaves somewhat more of what values differ by than the discount.
    let of_surplus = 2.0 * (surplus + unit) * discount * extent.span();
    let of_shift = unit * (costs + values + ahead * extent.min.abs().max(extent.max.abs()));
    (of_sweep + of_surplus + of_shift) / (1.0 - discount)
}
