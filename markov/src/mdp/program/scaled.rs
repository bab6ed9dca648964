//! The numbers of a program, of sizes that the tolerances of the simplex method are meant for.

use core::time::Duration;
use std::time::Instant;

use good_lp::solvers::{SolutionStatus, WithTimeLimit};
use good_lp::{Expression, ResolutionError, Solution, SolverModel, Variable};

use super::{Limit, Program};
use crate::budget::{Meter, OrStopped, StopReason};
use crate::error::Error;
use crate::mdp::Mdp;

/// A century: nobody waits longer, and the clock cannot tell when all durations end.
const NO_LIMIT: Duration = Duration::from_secs(100 * 366 * 24 * 60 * 60);

/// Costs and limits, each divided by the largest of its numbers.
#[derive(Debug)]
pub(super) struct Scaled {
    pub(super) costs: Vec<f64>,
    /// What costs were divided by.
    pub(super) unit: f64,
    pub(super) limits: Vec<Limit>,
    /// What limits were divided by.
    pub(super) units: Vec<f64>,
}

impl Scaled {
    pub(super) fn new(program: &Program<'_>) -> Self {
        let unit = size(&program.mdp.costs);
        let units: Vec<f64> = program.limits.iter().map(|limit| size(&limit.weights)).collect();
        let limits = program.limits.iter().zip(&units).map(|(limit, unit)| Limit {
            weights: limit.weights.iter().map(|weight| weight / unit).collect(),
            most: limit.most / unit,
        });
        Self {
            costs: program.mdp.costs.iter().map(|cost| cost / unit).collect(),
            unit,
            limits: limits.collect(),
            units,
        }
    }
}

/// The largest absolute number, and one where all are zero.
fn size(numbers: &[f64]) -> f64 {
    let largest = numbers
        .iter()
        .fold(0.0_f64, |largest, number| largest.max(number.abs()));
    if largest > 0.0 { largest } else { 1.0 }
}

/// What an action takes from each state, by the state and without zeros: one from its own, less `discount` times the
/// probabilities of the next one, of which what they miss one by counts as staying. This is the column of its frequency,
/// and the row of the values that it compares.
pub(super) fn column(mdp: &Mdp<f64>, state: usize, row: usize, discount: f64) -> Vec<(usize, f64)> {
    let mut own = 1.0 - discount;
    let mut others = Vec::new();
    for (to, chance) in mdp.moves.row(row).filter(|&(to, _)| to != state) {
        own += discount * chance;
        others.push((to, -discount * chance));
    }
    if own != 0.0 {
        others.push((state, own));
    }
    others
}

/// A sum of variables times numbers.
pub(super) fn weighted(variables: &[Variable], weights: impl IntoIterator<Item = f64>) -> Expression {
    let mut sum = Expression::default();
    for (&variable, weight) in variables.iter().zip(weights) {
        if weight != 0.0 {
            sum.add_mul(weight, variable);
        }
    }
    sum
}

/// Solves a model in time. `contradiction` is how it shows that no policy is within the limits.
pub(super) fn optimum<M>(
    program: &Program<'_>,
    model: M,
    contradiction: &ResolutionError,
    meter: &Meter<'_>,
) -> Result<M::Solution, Error>
where
    M: SolverModel<Error = ResolutionError> + WithTimeLimit,
{
    meter.look().or_stopped()?;
    let own = program.time_limit.unwrap_or(NO_LIMIT);
    let limit = meter.time_left().unwrap_or(NO_LIMIT).min(own);
    let start = Instant::now();
    let model = match limit {
        limit if limit < NO_LIMIT => model.with_time_limit(limit.as_secs_f64()),
        _ => model,
    };
    let found = model.solve();
    meter.look().or_stopped()?;
    match found {
        Ok(solution) if matches!(solution.status(), SolutionStatus::Optimal) => Ok(solution),
        Err(error) if error == *contradiction && !program.limits.is_empty() => Err(Error::Infeasible),
        // What came to no end in time was cut short, whatever the method calls that.
        _ if start.elapsed() >= own => Err(meter.halted_by(StopReason::TimeLimit).bare().error()),
        _ => Err(Error::LinearProgram),
    }
}

#[cfg(test)]
mod tests {
    use super::column;
    use crate::mdp::{Action, Mdp};

    /// Probabilities were divided by their sum, and not so where policies are evaluated.
    #[test]
    fn what_rows_miss_one_by_is_staying() {
        let action = |moves| vec![Action { cost: 0.0, moves }];
        let chance = 1.0 - 9e-10;
        let mdp = Mdp::new([action(vec![(1, chance)]), action(vec![(0, 0.25), (1, 0.75)])]).expect("a process");
        assert_eq!(column(&mdp, 0, 0, 1.0), [(1, -chance), (0, chance)]);
        assert_eq!(column(&mdp, 1, 1, 0.5), [(0, -0.125), (1, 0.625)]);
    }
}
