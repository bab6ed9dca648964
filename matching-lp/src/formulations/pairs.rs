//! Who is together with whom, pair by pair.

use core::ops::RangeInclusive;

use good_lp::{Expression, Solution, Variable, variable};
use matching_core::Cost;
use matching_heuristics::Error as GroupsError;

use super::common::{checked_number, is_one, pair_costs};
use super::{Formulation, Grouping, Model};
use crate::error::Error;

/// A variable for each pair of players: one if they are in the same group. Whoever is with two others puts these
/// together: three triangle inequalities for each three players. How many groups there are is left open.
///
/// This is how clique partitioning is mostly written down (M. Grötschel, Y. Wakabayashi, "A cutting plane algorithm for
/// a clustering problem", Mathematical Programming 45 (1989), 59-96, doi:10.1007/BF01589097). Its bounds are weak where
/// groups have a size: 16 to 30 percent of uniform costs. It is for rules about pairs, and for a dozen players.
///
/// ```
/// use good_lp::constraint;
/// use matching_core::cost;
/// use matching_lp::formulations::{Formulation, Pairs};
///
/// // Groups of two to four; 0 and 5 are together if 1 and 2 are.
/// let cost = cost::from_symmetric_fn(6, |i, j| if (i + j) % 3 == 0 { -2 } else { (j - i) as i64 });
/// let mut pairs = Pairs::new(&cost, 2..=4)?;
/// pairs.add_constraint(constraint!(pairs.variable(1, 2) <= pairs.variable(0, 5)));
/// assert_eq!(pairs.solve()?.groups(), [vec![0, 3], vec![1, 5], vec![2, 4]]);
/// # Ok::<(), matching_lp::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pairs {
    model: Model,
    players: usize,
    sizes: RangeInclusive<usize>,
    /// Row by row for `i < j`.
    variables: Vec<Variable>,
}

impl Pairs {
    /// Groups of no fewer and no more members than this. Pairs that the cost forbids are not together.
    ///
    /// # Errors
    /// [`Error::NotSquare`], [`Error::PairNotANumber`], [`Error::Asymmetric`], [`Error::CostOverflow`];
    /// [`Error::Groups`] for players whose groups are to have no members, and for an empty range.
    ///
    /// # Complexity
    /// n (n - 1) / 2 variables and n (n - 1) (n - 2) / 2 constraints for n players.
    pub fn new<C: Cost>(cost: &C, sizes: RangeInclusive<usize>) -> Result<Self, Error> {
        let players = cost.len();
        checked_sizes(players, &sizes)?;
        let mut pairs = Self {
            model: Model::new(),
            players,
            sizes: sizes.clone(),
            variables: Vec::new(),
        };
        for (i, j, cost) in pair_costs(cost, players)? {
            let definition = variable().integer().min(0).max(u8::from(cost.is_some()));
            let together = pairs.model.add_variable(definition.name(format!("x_{i}_{j}")));
            pairs.model.add_cost(cost.unwrap_or(0.0) * together);
            pairs.variables.push(together);
        }
        pairs.add_triangles();
        let least = sizes.start().saturating_sub(1) as f64;
        let most = sizes.end().saturating_sub(1) as f64;
        for i in 0..players {
            let others = (0..players).filter(|&j| j != i);
            let companions: Expression = others.map(|j| pairs.variable(i, j)).sum();
            if least == most {
                pairs.model.add_constraint(companions.eq(least));
            } else {
                pairs.model.add_constraint(companions.clone().geq(least));
                pairs.model.add_constraint(companions.leq(most));
            }
        }
        Ok(pairs)
    }

    fn add_triangles(&mut self) {
        for i in 0..self.players {
            for j in i + 1..self.players {
                for k in j + 1..self.players {
                    let [a, b, c] = [self.variable(i, j), self.variable(j, k), self.variable(i, k)];
                    self.model.add_constraint((a + b - c).leq(1));
                    self.model.add_constraint((a + c - b).leq(1));
                    self.model.add_constraint((b + c - a).leq(1));
                }
            }
        }
    }

    /// One if the two are in the same group; the order of the two does not matter.
    ///
    /// # Panics
    /// If they are the same, or there is no such player.
    #[track_caller]
    pub fn variable(&self, i: usize, j: usize) -> Variable {
        let (i, j) = (i.min(j), i.max(j));
        assert!(
            i < j && j < self.players,
            "players {i} and {j} are no pair of {}",
            self.players
        );
        self.variables[i * (2 * self.players - i - 1) / 2 + j - i - 1]
    }
}

/// Refuses sizes that no group has. Who is alone has no variable, so constraints cannot say that nobody may be.
fn checked_sizes(players: usize, sizes: &RangeInclusive<usize>) -> Result<(), Error> {
    let (least, most) = (*sizes.start(), *sizes.end());
    if least > most {
        let group = 0;
        return Err(GroupsError::BoundsCrossed { group, least, most }.into());
    }
    if most == 0 && players > 0 {
        return Err(GroupsError::Empty.into());
    }
    Ok(())
}

impl Formulation for Pairs {
    type Answer = Grouping;

    fn model(&self) -> &Model {
        &self.model
    }

    fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Groups are in the order of their first members. Whoever is alone is a group.
    fn read(&self, solution: &impl Solution) -> Result<Grouping, Error> {
        let are_together = |i: usize, j: usize| i == j || is_one(solution, self.variable(i, j));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for player in 0..self.players {
            match groups.iter_mut().find(|group| are_together(group[0], player)) {
                Some(group) => group.push(player),
                None => groups.push(vec![player]),
            }
        }
        let mut group_of = vec![0; self.players];
        for (number, group) in groups.iter().enumerate() {
            group.iter().for_each(|&player| group_of[player] = number);
        }
        let is_torn =
            |&player: &usize| (0..player).any(|i| are_together(i, player) != (group_of[i] == group_of[player]));
        if let Some(player) = (0..self.players).find(is_torn) {
            return Err(Error::NotAGrouping { player });
        }
        for (number, group) in groups.iter().enumerate() {
            checked_number(number, None, group, self.sizes.clone())?;
        }
        Ok(Grouping {
            groups,
            bench: Vec::new(),
        })
    }
}
