//! How far policies are from the least that can be had without knowing the future.

use matchmaking::online::floor::{Estimate, Floor};
use matchmaking::online::{Error, Pattern, Setting};

use super::study::PatternResult;

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

/// The floors of the patterns with a constant rate, from grids of up to so many states.
pub(super) fn floors(
    setting: &Setting,
    patterns: &[PatternResult],
    states: usize,
    seed: u64,
) -> Result<Vec<FloorResult>, Error> {
    let constant = patterns.iter().filter_map(|result| match result.pattern {
        Pattern::Constant(rate) => Some((rate, result)),
        _ => None,
    });
    let of_rate = |(rate, result): (f64, &PatternResult)| {
        let floor = Floor::new(rate, setting.tau_max(), setting.weights()[0])?;
        let estimate = floor.estimate(states, ARRIVALS, seed)?;
        let optimum = &result.optimum_per_two;
        let of_optimum = estimate.cost / optimum.mean;
        let uncertain = (optimum.high - optimum.low) / 2.0 / optimum.mean;
        let chosen = result.points.iter().zip(&result.chosen);
        Ok(FloorResult {
            pattern: result.pattern,
            of_optimum,
            error: estimate.error / optimum.mean + of_optimum * uncertain,
            policies: chosen
                .map(|(points, &best)| points[best].ratio.mean / of_optimum)
                .collect(),
            estimate,
        })
    };
    constant.map(of_rate).collect()
}
