//! Parts that several formulations have.

use core::ops::RangeInclusive;

use good_lp::{Expression, Solution, Variable, variable};
use matching_core::{Cost, CostValue};

use super::Model;
use crate::error::Error;
use crate::grid::Pairs;

/// Whether a variable of value zero or one is one.
pub(super) fn is_one(solution: &impl Solution, variable: Variable) -> bool {
    solution.value(variable) > 0.5
}

/// Refuses a group that has fewer or more members, or players of a role, than are `wanted`.
pub(super) fn checked_number(
    group: usize,
    role: Option<usize>,
    members: &[usize],
    wanted: RangeInclusive<usize>,
) -> Result<(), Error> {
    if wanted.contains(&members.len()) {
        return Ok(());
    }
    Err(Error::WrongNumber {
        group,
        role,
        members: members.to_vec(),
        least: *wanted.start(),
        most: *wanted.end(),
    })
}

/// The players as they were given, if there is a finite number for each.
pub(super) fn checked(numbers: &[f64], players: usize) -> Result<(), Error> {
    if numbers.len() != players {
        return Err(Error::WrongLength {
            given: numbers.len(),
            players,
        });
    }
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(player) => Err(Error::NotANumber { player }),
        None => Ok(()),
    }
}

/// The weight of a difference that is to be small, if it can be one.
pub(super) fn checked_weight(weight: f64) -> Result<(), Error> {
    if !weight.is_finite() {
        Err(Error::WeightNotANumber)
    } else if weight < 0.0 {
        Err(Error::NegativeWeight { weight })
    } else {
        Ok(())
    }
}

/// The costs of all pairs as floats, `None` where a pair is forbidden: `(i, j, cost)` for `i < j`.
pub(super) fn pair_costs<C: Cost>(cost: &C, players: usize) -> Result<Vec<(usize, usize, Option<f64>)>, Error> {
    if cost.cols() != cost.len() {
        return Err(Error::NotSquare {
            rows: cost.len(),
            cols: cost.cols(),
        });
    }
    if cost.len() != players {
        return Err(Error::WrongLength {
            given: cost.len(),
            players,
        });
    }
    let pairs = Pairs::of(cost);
    let mut costs = Vec::new();
    for i in 0..players {
        for j in i + 1..players {
            costs.push((i, j, pairs.checked(i, j)?.map(CostValue::to_f64)));
        }
    }
    Ok(costs)
}

/// The sum of some variables times numbers.
pub(super) fn weighted(terms: impl IntoIterator<Item = (f64, Variable)>) -> Expression {
    let mut sum = Expression::default();
    for (factor, variable) in terms {
        sum.add_mul(factor, variable);
    }
    sum
}

/// Makes the difference between the greatest and the least of these sums cost `weight` a unit, which has been
/// [checked](checked_weight): `greatest` and `least` are held by their costs from one side, so nothing would hold them
/// if it were negative.
pub(super) fn add_spread(model: &mut Model, sums: &[Expression], weight: f64) {
    // Nothing would hold the two where they cost nothing, or without sums.
    if weight == 0.0 || sums.is_empty() {
        return;
    }
    let greatest = model.add_variable(variable().name("greatest"));
    let least = model.add_variable(variable().name("least"));
    for sum in sums {
        model.add_constraint((sum.clone() - greatest).leq(0));
        model.add_constraint((least - sum.clone()).leq(0));
    }
    model.add_cost(weight * (greatest - least));
}

/// Adds what pairs cost that are in one team. `is_in[i][team]` is one if player `i` is in that team, and nobody is in
/// two.
pub(super) fn add_pairs(model: &mut Model, is_in: &[Vec<Expression>], costs: &[(usize, usize, Option<f64>)]) {
    for &(i, j, cost) in costs {
        let teams = || is_in[i].iter().zip(&is_in[j]);
        match cost {
            // Not even once in the same team.
            None => {
                for (a, b) in teams() {
                    model.add_constraint((a.clone() + b.clone()).leq(1));
                }
            }
            Some(0.0) => {}
            Some(cost) => {
                let together = model.add_variable(variable().min(0).max(1).name(format!("pair_{i}_{j}")));
                model.add_cost(cost * together);
                for (a, b) in teams() {
                    // Both in it: together. One without the other: not together.
                    model.add_constraint((a.clone() + b.clone() - together).leq(1));
                    model.add_constraint((together + a.clone() - b.clone()).leq(1));
                    model.add_constraint((together + b.clone() - a.clone()).leq(1));
                }
                // In no team at all: not together.
                let anywhere: Expression = is_in[i].iter().cloned().sum();
                model.add_constraint((together - anywhere).leq(0));
            }
        }
    }
}
