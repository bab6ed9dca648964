//! How far policies are from the least that can be had without knowing the future.

use matching_core::StopReason;
use matchmaking::online::floor::{Estimate, Floor, FloorProblem};
use matchmaking::online::{Error, Pattern, Setting};

use super::study::PatternResult;
use crate::cli::limits::Limits;

/// Arrivals that the rule of the best grid is simulated on.
const ARRIVALS: usize = 400_000;

/// The floor at one constant rate.
#[derive(Debug)]
pub(super) struct FloorResult {
    pub(super) pattern: Pattern,
    pub(super) estimate: Estimate,
    /// The floor by the optimum's cost: what foresight is worth.
    pub(super) of_optimum: f64,
    /// How uncertain that is: the floor's own error and the interval of the optimum's cost together.
    pub(super) error: f64,
    /// By family: total cost with its best parameter by the floor.
    pub(super) policies: Vec<f64>,
}

/// Floors at the constant rates among some patterns, before anything is played.
#[derive(Debug, Default)]
pub(super) struct Floors {
    by_rate: Vec<(f64, Estimate)>,
    /// What ended it before all were as near as they could be.
    pub(super) stop: Option<StopReason>,
}

impl Floors {
    /// The floors of the patterns with a constant rate, from grids of up to so many states. The greatest rate, at which
    /// most players wait, comes first: if so few states do not suffice, they do not suffice there. Where limits end it, some are
    /// missing.
    ///
    /// # Errors
    /// [`Error::Floor`] where they do not.
    pub(super) fn estimated(
        setting: &Setting,
        patterns: &[Pattern],
        states: usize,
        seed: u64,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let constant = patterns.iter().filter_map(|&pattern| constant(pattern));
        let mut rates: Vec<f64> = constant.collect();
        rates.sort_by(|one, other| other.total_cmp(one));
        let mut floors = Self::default();
        for rate in rates {
            let floor = Floor::new(rate, setting.tau_max(), setting.weights()[0])?;
            match floor.estimate_within(states, ARRIVALS, seed, &limits.budget_of_time()) {
                Ok(estimate) => {
                    floors.stop = floors.stop.or(estimate.stop);
                    floors.by_rate.push((rate, estimate));
                }
                Err(Error::Floor(FloorProblem::Stopped { reason })) => floors.stop = floors.stop.or(Some(reason)),
                Err(error) => return Err(error),
            }
        }
        Ok(floors)
    }

    /// The floors beside what was played, in the order of the patterns.
    pub(super) fn compared(&self, patterns: &[PatternResult]) -> Vec<FloorResult> {
        let of_pattern = |result: &PatternResult| {
            let rate = constant(result.pattern)?;
            let (_, estimate) = self.by_rate.iter().find(|(known, _)| *known == rate)?;
            compared(estimate, result)
        };
        patterns.iter().filter_map(of_pattern).collect()
    }
}

fn constant(pattern: Pattern) -> Option<f64> {
    match pattern {
        Pattern::Constant(rate) => Some(rate),
        _ => None,
    }
}

fn compared(estimate: &Estimate, result: &PatternResult) -> Option<FloorResult> {
    let optimum = &result.optimum.as_ref()?.per_two;
    let of_optimum = estimate.cost / optimum.mean;
    let uncertain = (optimum.high - optimum.low) / 2.0 / optimum.mean;
    let chosen = result.points.iter().zip(&result.chosen);
    let ratios: Option<Vec<f64>> = chosen
        .map(|(points, &best)| Some(points[best].ratio.as_ref()?.mean / of_optimum))
        .collect();
    Some(FloorResult {
        pattern: result.pattern,
        of_optimum,
        error: estimate.error / optimum.mean + of_optimum * uncertain,
        policies: ratios?,
        estimate: estimate.clone(),
    })
}
