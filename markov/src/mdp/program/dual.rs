//! The program of values.

use good_lp::{Expression, ProblemVariables, Solution, SolverModel, Variable, microlp, variable};

use super::scaled::{Model, Scaled, column, optimum, weighted};
use super::{Criterion, Program};
use crate::budget::Meter;
use crate::error::{Error, check_numbers};

/// What no policy within the limits can cost less than, and why.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bound {
    cost: f64,
    values: Vec<f64>,
    prices: Vec<f64>,
}

impl Bound {
    /// The least cost from the start: per step in the long run, or discounted in all. It is that of the best
    /// frequencies but for rounding.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// What it costs from each state, where limits are paid for by their prices: per step in the long run, or
    /// discounted in all. Where the start has no chance of a state, its value may be less than that.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The price of each limit, in the order in which they were added: by how much the cost falls for each unit by
    /// which the limit is loosened a little; zero for one that does not bind.
    pub fn prices(&self) -> &[f64] {
        &self.prices
    }
}

pub(super) fn solve(program: &Program<'_>, meter: &Meter<'_>) -> Result<Bound, Error> {
    let mdp = program.mdp;
    let scaled = Scaled::new(program);
    let mut variables = ProblemVariables::new();
    // The simplex method is at its best with variables that are not negative: values are so above a common floor, and
    // the bias may be shifted as a whole.
    let mut add = |count| variables.add_vector(variable().min(0), count);
    let prices = add(scaled.limits.len());
    let floor = add(1)[0];
    // Gains, or discounted values, above the floor, which lies below zero.
    let values = match program.criterion {
        Criterion::Average => vec![add(1)[0]; mdp.len()],
        Criterion::Multichain | Criterion::Discounted(_) => add(mdp.len()),
    };
    let bias = match program.criterion {
        Criterion::Discounted(_) => Vec::new(),
        Criterion::Average | Criterion::Multichain => add(mdp.len()),
    };
    let mut paid = weighted(&values, program.start.iter().copied());
    paid.add_mul(-1.0, floor);
    for (&price, limit) in prices.iter().zip(&scaled.limits) {
        paid.add_mul(-limit.most, price);
    }
    let listed = Model::listed(&variables);
    let mut model = variables.maximise(paid.clone()).using(microlp);
    for state in 0..mdp.len() {
        for row in mdp.rows_of(state) {
            let compared = |of: &[Variable], discount: f64| {
                let mut sum = Expression::default();
                for (to, weight) in column(mdp, state, row, discount) {
                    sum.add_mul(weight, of[to]);
                }
                sum
            };
            let mut excess = match program.criterion {
                Criterion::Discounted(discount) => compared(&values, discount) - (1.0 - discount) * floor,
                Criterion::Average | Criterion::Multichain => compared(&bias, 1.0) + values[state] - floor,
            };
            for (&price, limit) in prices.iter().zip(&scaled.limits) {
                excess.add_mul(-limit.weights[row], price);
            }
            model.add_constraint(excess.leq(scaled.costs[row]));
            if program.criterion == Criterion::Multichain {
                model.add_constraint(compared(&values, 1.0).leq(0.0));
            }
        }
    }
    // Prices without end are those of limits that contradict each other.
    let model = Model {
        problem: model,
        variables: listed,
    };
    let solution = optimum(program, &model, &::microlp::Error::Unbounded, meter)?;
    let value = |&above: &Variable| (solution.value(above) - solution.value(floor)) * scaled.unit;
    let price = |(&price, unit): (&Variable, &f64)| solution.value(price).max(0.0) * (scaled.unit / unit);
    let cost = solution.eval(paid) * scaled.unit;
    let values: Vec<f64> = values.iter().map(value).collect();
    check_numbers(&values)?;
    check_numbers(&[cost])?;
    Ok(Bound {
        cost,
        values,
        prices: prices.iter().zip(&scaled.units).map(price).collect(),
    })
}
