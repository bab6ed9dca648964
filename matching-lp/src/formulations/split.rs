//! The players of one game into two teams.

use good_lp::{Expression, Solution, Variable, variable};
use matching_core::Cost;

use super::common::{add_pairs, add_spread, checked, checked_number, checked_weight, is_one, pair_costs, weighted};
use super::{Formulation, Grouping, Model};
use crate::error::{Error, Overflow};

/// A variable for each player: one in the first team, zero in the second.
///
/// What makes a split good is added: [`balance`](Self::balance) by a number for each player, as often as there are
/// kinds of numbers, and costs of pairs. Two teams of the same size can be exchanged, and neither is preferred.
///
/// ```
/// use good_lp::constraint;
/// use matching_lp::formulations::{Formulation, Split};
///
/// // Five against five: even in skill, and half as much in experience. The two captains, 0 and 1, play against each other.
/// let skill = [31.0, 29.0, 25.0, 24.0, 21.0, 20.0, 18.0, 15.0, 12.0, 9.0];
/// let years = [4.0, 9.0, 1.0, 3.0, 3.0, 6.0, 2.0, 8.0, 1.0, 5.0];
/// let mut split = Split::new(10, 5);
/// split.balance(&skill, 1.0)?;
/// split.balance(&years, 0.5)?;
/// split.add_constraint(constraint!(split.variable(0) == 1));
/// split.add_constraint(constraint!(split.variable(1) == 0));
/// let answer = split.solve()?;
/// let sum = |team: usize, of: &[f64]| answer.groups()[team].iter().map(|&player| of[player]).sum::<f64>();
/// assert_eq!((sum(0, &skill), sum(1, &skill)), (102.0, 102.0));
/// assert_eq!((sum(0, &years) - sum(1, &years)).abs(), 2.0);
/// # Ok::<(), matching_lp::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Split {
    model: Model,
    /// How many are in the first team.
    first: usize,
    variables: Vec<Variable>,
}

impl Split {
    /// So many of the players are in the first team.
    pub fn new(players: usize, first: usize) -> Self {
        let mut model = Model::new();
        let definition = |player: usize| variable().binary().name(format!("first{player}"));
        let variables: Vec<Variable> = (0..players)
            .map(|player| model.add_variable(definition(player)))
            .collect();
        let count = weighted(variables.iter().map(|&chosen| (1.0, chosen)));
        model.add_constraint(count.eq(first as f64).set_name("size".to_owned()));
        Self {
            model,
            first,
            variables,
        }
    }

    /// One if the player is in the first team.
    ///
    /// # Panics
    /// If there is no such player.
    #[track_caller]
    pub fn variable(&self, player: usize) -> Variable {
        self.variables[player]
    }

    /// Makes it cost `weight` a unit by how much the two teams' sums of these numbers differ.
    ///
    /// # Errors
    /// [`Error::WrongLength`], [`Error::NotANumber`]; [`Error::CostOverflow`] if they add up to no finite number;
    /// [`Error::WeightNotANumber`], [`Error::NegativeWeight`].
    pub fn balance(&mut self, numbers: &[f64], weight: f64) -> Result<(), Error> {
        checked_weight(weight)?;
        checked(numbers, self.variables.len())?;
        let all: f64 = numbers.iter().sum();
        if !all.is_finite() {
            let players = numbers.len();
            return Err(Error::CostOverflow(Overflow::Numbers { players }));
        }
        let first = weighted(numbers.iter().copied().zip(self.variables.iter().copied()));
        let second = Expression::from(all) - first.clone();
        add_spread(&mut self.model, &[first, second], weight);
        Ok(())
    }

    /// Adds what pairs in one team cost; those that the cost forbids play against each other.
    ///
    /// # Errors
    /// [`Error::WrongLength`], [`Error::NotSquare`], [`Error::PairNotANumber`], [`Error::Asymmetric`],
    /// [`Error::CostOverflow`].
    pub fn add_pairs<C: Cost>(&mut self, cost: &C) -> Result<(), Error> {
        let costs = pair_costs(cost, self.variables.len())?;
        let variables = self.variables.iter();
        let is_in: Vec<Vec<Expression>> = variables
            .map(|&first| vec![Expression::from(first), 1 - Expression::from(first)])
            .collect();
        add_pairs(&mut self.model, &is_in, &costs);
        Ok(())
    }
}

impl Formulation for Split {
    type Answer = Grouping;

    fn model(&self) -> &Model {
        &self.model
    }

    fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// The first team, then the second.
    fn read(&self, solution: &impl Solution) -> Result<Grouping, Error> {
        let (first, second): (Vec<usize>, _) =
            (0..self.variables.len()).partition(|&player| is_one(solution, self.variables[player]));
        checked_number(0, None, &first, self.first..=self.first)?;
        Ok(Grouping {
            groups: vec![first, second],
            bench: Vec::new(),
        })
    }
}
