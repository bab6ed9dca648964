//! The program of frequencies.

use good_lp::{Expression, ProblemVariables, Solution, SolverModel, Variable, microlp, variable};

use super::scaled::{Model, Scaled, column, optimum, weighted};
use super::{Criterion, Frequencies, Program};
use crate::budget::Meter;
use crate::error::Error;
use crate::mdp::Mdp;

pub(super) fn solve(program: &Program<'_>, meter: &Meter<'_>) -> Result<Frequencies, Error> {
    let (model, x, on_the_way) = model(program);
    let solution = optimum(program, &model, &::microlp::Error::Infeasible, meter)?;
    // By rounding alone may a value be below zero.
    let values =
        |of: &[Variable]| -> Vec<f64> { of.iter().map(|&variable| solution.value(variable).max(0.0)).collect() };
    Frequencies::new(program, values(&x), &values(&on_the_way), meter)
}

/// The program, its frequencies, and how often actions are taken on the way to where the process stays.
pub(super) fn model(program: &Program<'_>) -> (Model, Vec<Variable>, Vec<Variable>) {
    let mdp = program.mdp;
    let Scaled { costs, limits, .. } = Scaled::new(program);
    let mut variables = ProblemVariables::new();
    let x = variables.add_vector(variable().min(0), costs.len());
    let on_the_way = match program.criterion {
        Criterion::Multichain => variables.add_vector(variable().min(0), costs.len()),
        Criterion::Average | Criterion::Discounted(_) => Vec::new(),
    };
    let listed = Model::listed(&variables);
    let mut model = variables.minimise(weighted(&x, costs)).using(microlp);
    let start = program.start.iter().copied();
    match program.criterion {
        Criterion::Average => {
            // One state's flow follows from those of all others.
            for flow in flows(mdp, 1.0, &x).into_iter().skip(1) {
                model.add_constraint(flow.eq(0.0));
            }
            model.add_constraint(weighted(&x, vec![1.0; x.len()]).eq(1.0));
        }
        Criterion::Multichain => {
            for flow in flows(mdp, 1.0, &x) {
                model.add_constraint(flow.eq(0.0));
            }
            let flows = flows(mdp, 1.0, &on_the_way).into_iter();
            for ((state, mut flow), mass) in flows.enumerate().zip(start) {
                for row in mdp.rows_of(state) {
                    flow.add_mul(1.0, x[row]);
                }
                model.add_constraint(flow.eq(mass));
            }
        }
        Criterion::Discounted(discount) => {
            for (flow, mass) in flows(mdp, discount, &x).into_iter().zip(start) {
                model.add_constraint(flow.eq(mass));
            }
        }
    }
    for limit in limits {
        model.add_constraint(weighted(&x, limit.weights).leq(limit.most));
    }
    let model = Model {
        problem: model,
        variables: listed,
    };
    (model, x, on_the_way)
}

/// What flows out of each state, less what flows into it.
fn flows(mdp: &Mdp<f64>, discount: f64, frequencies: &[Variable]) -> Vec<Expression> {
    let mut flows = vec![Expression::default(); mdp.len()];
    for state in 0..mdp.len() {
        for row in mdp.rows_of(state) {
            for (from, share) in column(mdp, state, row, discount) {
                flows[from].add_mul(share, frequencies[row]);
            }
        }
    }
    flows
}
