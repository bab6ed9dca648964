//! Models to read, to add constraints of one's own to, and to hand to any solver that `good_lp` knows (feature
//! `good_lp`).
//!
//! [`Solver`](crate::Solver) knows parties, pairs apart and a bench, and proves its answers. Whoever needs another rule
//! ("one goalkeeper in each team", "these two teams never both") takes the formulation that has the variables for it:
//!
//! | formulation | variables | for |
//! | --- | --- | --- |
//! | [`Teams`] | is this team chosen? | rules about whole teams; costs that are no sums of pairs; some ten thousand teams |
//! | [`Pairs`] | are these two together? | rules about pairs; groups whose number is left open; a dozen players, since its bounds are weak |
//! | [`Roles`] | does this player have this role in that team? | quotas of roles, teams of even strength |
//! | [`Split`] | is this player in the first team? | two teams out of the players of one game |
//!
//! Each gives its variables, takes constraints and costs made of them, and reads groups from a solution:
//! [`Formulation`]. The types of `good_lp` (1.15) are part of these signatures, which is why there is a feature of its
//! name, and why it is not a default one: whoever does without is not bound to a version of it. With the feature
//! `highs`, the solver HiGHS is there too, `Formulation::using_highs` with settings that fit.
//!
//! ```
//! use good_lp::{Expression, constraint};
//! use matching_core::cost;
//! use matching_lp::formulations::{Formulation, Teams};
//! use matching_lp::{Groups, Problem, SetPartitioning};
//!
//! // Players 0 and 2 keep goal, and no team has both.
//! let skill = [12_i64, 14, 30, 31, 55, 58];
//! let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
//! let problem = Problem::new(&gap, Groups::of_size(6, 3)?)?;
//! let mut teams = Teams::all(&SetPartitioning::new(&problem, 1_000)?);
//! let both: Expression = teams.with_players(&[0, 2]).map(|team| teams.variable(team)).sum();
//! teams.add_constraint(constraint!(both == 0));
//! let answer = teams.solve()?;
//! assert_eq!(answer.groups(), [[0, 1, 3], [2, 4, 5]]);
//! # Ok::<(), matching_lp::Error>(())
//! ```
//!
//! Solvers work with floats, and take a constraint to hold where it is missed by some 10^-6: costs should be of sizes
//! from 1 to 10^6. An answer is one that the solver says is best; it comes without a proof.

mod common;
mod model;
mod pairs;
mod roles;
mod split;
mod teams;
mod values;

use good_lp::{Constraint, Expression, Solution, Solver, SolverModel, Variable, VariableDefinition};

pub use model::Model;
pub use pairs::Pairs;
pub use roles::{Lineup, Roles};
pub use split::Split;
pub use teams::Teams;
pub use values::Values;

use crate::error::Error;

/// Who is with whom, by a solution of a formulation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Grouping {
    groups: Vec<Vec<usize>>,
    bench: Vec<usize>,
}

impl Grouping {
    /// The groups, members ascending.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// Who is in no group, ascending.
    pub fn bench(&self) -> &[usize] {
        &self.bench
    }
}

/// A model with its variables, and the way from a solution of it back to groups.
///
/// [`solve`](Self::solve) has no limits. For these, or for another solver, [`using`](Self::using) gives the model as
/// `good_lp` has it, and [`read`](Self::read) the groups. A solver from outside takes [`to_lp`](Self::to_lp) or
/// [`to_mps`](Self::to_mps), and the values that it prints are read as [`Values`].
///
/// ```
/// use good_lp::{SolverModel, microlp, solvers::WithTimeLimit};
/// use matching_lp::formulations::{Formulation, Split};
///
/// let mut split = Split::new(6, 3);
/// split.balance(&[9.0, 8.0, 5.0, 4.0, 4.0, 2.0], 1.0)?;
/// let solution = split.using(microlp).with_time_limit(10.0).solve()?;
/// assert_eq!(split.cost(&solution).round(), 0.0);
/// assert_eq!(split.read(&solution)?.groups().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Formulation {
    /// What a solution says.
    type Answer;

    /// Variables, cost and constraints.
    fn model(&self) -> &Model;

    /// The same, to be added to.
    fn model_mut(&mut self) -> &mut Model;

    /// What a solution of this model says.
    ///
    /// # Errors
    /// [`Error::NotAGrouping`], [`Error::WrongNumber`], and of [`Teams`] [`Error::WrongNumberOfGroups`] and
    /// [`Error::BenchTooFull`], if its values, rounded, are no answer. Whether they meet constraints that were added, pairs
    /// that a cost forbids among them, is not looked at.
    fn read(&self, solution: &impl Solution) -> Result<Self::Answer, Error>;

    /// One more constraint.
    fn add_constraint(&mut self, constraint: Constraint) {
        self.model_mut().add_constraint(constraint);
    }

    /// One more variable. It is in no constraint and costs nothing yet.
    ///
    /// Give it a bound, from above or from below, unless a cost holds it: where a variable has neither, `microlp` may
    /// call the model unbounded, or come to no end.
    fn add_variable(&mut self, definition: VariableDefinition) -> Variable {
        self.model_mut().add_variable(definition)
    }

    /// Adds to the cost that is minimised.
    fn add_cost(&mut self, cost: Expression) {
        self.model_mut().add_cost(cost);
    }

    /// What a solution costs, all that was added included.
    fn cost(&self, solution: &impl Solution) -> f64 {
        self.model().objective().eval_with(solution)
    }

    /// The model for a solver that `good_lp` knows, which may have limits, options and constraints of its own.
    fn using<S: Solver>(&self, solver: S) -> S::Model {
        self.model().using(solver)
    }

    /// The model for HiGHS, which is to prove its answer to the last digit (by itself it is content with a gap of
    /// 10^-4), and to leave out presolving where there is a variable for each team: there it took 21 times as long as
    /// all else.
    #[cfg(feature = "highs")]
    fn using_highs(&self) -> good_lp::solvers::highs::HighsProblem {
        self.model().using_highs()
    }

    /// Solves by `microlp`, without limits.
    ///
    /// # Errors
    /// [`Error::Unsolved`] if there is no solution, or if the solver fails.
    fn solve(&self) -> Result<Self::Answer, Error> {
        let solution = self.using(good_lp::microlp).solve().map_err(Error::Unsolved)?;
        self.read(&solution)
    }

    /// The model in the LP format of CPLEX, what was added included.
    fn to_lp(&self) -> String {
        self.model().to_lp()
    }

    /// The model in free MPS format, what was added included.
    fn to_mps(&self) -> String {
        self.model().to_mps()
    }
}
