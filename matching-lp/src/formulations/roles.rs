//! Players to teams and roles, by quotas.

use good_lp::{Expression, Solution, Variable, variable};
use matching_core::Cost;

use super::common::{add_pairs, add_spread, checked, checked_number, checked_weight, is_one, pair_costs, weighted};
use super::{Formulation, Model};
use crate::error::Error;

/// A variable for each player, team and role: one if the player has that role in that team. Every team has as many of
/// each role as its quota says, nobody has two places, and whoever is left over waits.
///
/// Teams can be told apart only by what is added to the model. Without that, any of them can be exchanged, which makes
/// solvers look at everything many times; a constraint that puts some player into team 0 helps.
///
/// ```
/// use matching_lp::formulations::{Formulation, Roles};
///
/// // Two teams of a tank and two others. How little somebody likes a role; `None` for who cannot.
/// let tank = [Some(0.0), Some(1.0), None, None, Some(5.0), None];
/// let skill = [30.0, 50.0, 20.0, 40.0, 60.0, 10.0];
/// let mut roles = Roles::new(6, 2, &[1, 2], |player, role| if role == 0 { tank[player] } else { Some(0.0) })?;
/// roles.balance(|player, _| skill[player], 0.5)?;
/// let lineup = roles.solve()?;
/// assert_eq!(lineup.role(0), Some(0));
/// assert_eq!(lineup.role(1), Some(0));
/// let strength = |team: usize| lineup.teams()[team].iter().map(|&player| skill[player]).sum::<f64>();
/// assert_eq!((strength(0) - strength(1)).abs(), 10.0);
/// # Ok::<(), matching_lp::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Roles {
    model: Model,
    players: usize,
    teams: usize,
    /// How many players each team has of each role.
    quotas: Vec<usize>,
    /// By player, then team, then role; `None` where the player cannot have the role.
    variables: Vec<Option<Variable>>,
}

/// Who plays what where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lineup {
    teams: Vec<Vec<usize>>,
    roles: Vec<Option<usize>>,
}

impl Lineup {
    /// The members of each team, ascending.
    pub fn teams(&self) -> &[Vec<usize>] {
        &self.teams
    }

    /// The role of a player; `None` for who waits, or does not exist.
    pub fn role(&self, player: usize) -> Option<usize> {
        self.roles.get(player).copied().flatten()
    }
}

impl Roles {
    /// So many teams, each with `quotas[r]` players of role `r`, at what it costs that a player has a role; `None`
    /// where that cannot be.
    ///
    /// # Errors
    /// [`Error::NotANumber`] if such a cost is not finite.
    ///
    /// # Complexity
    /// As many variables as players times teams times roles.
    pub fn new(
        players: usize,
        teams: usize,
        quotas: &[usize],
        cost: impl Fn(usize, usize) -> Option<f64>,
    ) -> Result<Self, Error> {
        let roles = quotas.len();
        let mut formulation = Self {
            model: Model::new(),
            players,
            teams,
            quotas: quotas.to_vec(),
            variables: Vec::with_capacity(players * teams * roles),
        };
        for player in 0..players {
            for team in 0..teams {
                for role in 0..roles {
                    let chosen = match cost(player, role) {
                        Some(cost) if !cost.is_finite() => return Err(Error::NotANumber { player }),
                        Some(cost) => {
                            let definition = variable().binary().name(format!("p{player}_t{team}_r{role}"));
                            let chosen = formulation.model.add_variable(definition);
                            formulation.model.add_cost(cost * chosen);
                            Some(chosen)
                        }
                        None => None,
                    };
                    formulation.variables.push(chosen);
                }
            }
        }
        for player in 0..players {
            let places: Expression = (0..teams).map(|team| formulation.is_in(player, team)).sum();
            let constraint = places.leq(1).set_name(format!("player{player}"));
            formulation.model.add_constraint(constraint);
        }
        for team in 0..teams {
            for (role, &quota) in quotas.iter().enumerate() {
                let who = (0..players).filter_map(|player| formulation.variable(player, team, role));
                let count = weighted(who.map(|chosen| (1.0, chosen)));
                let constraint = count.eq(quota as f64).set_name(format!("t{team}_r{role}"));
                formulation.model.add_constraint(constraint);
            }
        }
        Ok(formulation)
    }

    /// One if the player has the role in the team; `None` if the player cannot have it.
    ///
    /// # Panics
    /// If there is no such player, team or role.
    #[track_caller]
    pub fn variable(&self, player: usize, team: usize, role: usize) -> Option<Variable> {
        assert!(
            team < self.teams && role < self.quotas.len(),
            "team {team} or role {role} does not exist"
        );
        self.variables[(player * self.teams + team) * self.quotas.len() + role]
    }

    /// One if the player is in the team, in whatever role.
    ///
    /// # Panics
    /// If there is no such player or team.
    #[track_caller]
    pub fn is_in(&self, player: usize, team: usize) -> Expression {
        let roles = (0..self.quotas.len()).filter_map(|role| self.variable(player, team, role));
        weighted(roles.map(|chosen| (1.0, chosen)))
    }

    /// Makes it cost `weight` a unit by how much the strongest and the weakest team differ. The strength of a team is
    /// the sum of what its members are worth in their roles, by player and role.
    ///
    /// # Errors
    /// [`Error::NotANumber`]; [`Error::WeightNotANumber`], [`Error::NegativeWeight`].
    pub fn balance(&mut self, strength: impl Fn(usize, usize) -> f64, weight: f64) -> Result<(), Error> {
        checked_weight(weight)?;
        let mut sums = vec![Expression::default(); self.teams];
        for player in 0..self.players {
            for (team, sum) in sums.iter_mut().enumerate() {
                for role in 0..self.quotas.len() {
                    if let Some(chosen) = self.variable(player, team, role) {
                        checked(&[strength(player, role)], 1).map_err(|_| Error::NotANumber { player })?;
                        sum.add_mul(strength(player, role), chosen);
                    }
                }
            }
        }
        add_spread(&mut self.model, &sums, weight);
        Ok(())
    }

    /// Adds what pairs in one team cost; those that the cost forbids are in no team together. Bounds are weak then: for
    /// a dozen players.
    ///
    /// # Errors
    /// [`Error::WrongLength`], [`Error::NotSquare`], [`Error::PairNotANumber`], [`Error::Asymmetric`],
    /// [`Error::CostOverflow`].
    pub fn add_pairs<C: Cost>(&mut self, cost: &C) -> Result<(), Error> {
        let costs = pair_costs(cost, self.players)?;
        let is_in: Vec<Vec<Expression>> = (0..self.players)
            .map(|player| (0..self.teams).map(|team| self.is_in(player, team)).collect())
            .collect();
        add_pairs(&mut self.model, &is_in, &costs);
        Ok(())
    }
}

impl Formulation for Roles {
    type Answer = Lineup;

    fn model(&self) -> &Model {
        &self.model
    }

    fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    fn read(&self, solution: &impl Solution) -> Result<Lineup, Error> {
        let mut lineup = Lineup {
            teams: vec![Vec::new(); self.teams],
            roles: vec![None; self.players],
        };
        for player in 0..self.players {
            for team in 0..self.teams {
                for role in 0..self.quotas.len() {
                    let chosen = self.variable(player, team, role);
                    if chosen.is_none_or(|chosen| !is_one(solution, chosen)) {
                        continue;
                    }
                    if lineup.roles[player].replace(role).is_some() {
                        return Err(Error::NotAGrouping { player });
                    }
                    lineup.teams[team].push(player);
                }
            }
        }
        for (team, members) in lineup.teams.iter().enumerate() {
            for (role, &quota) in self.quotas.iter().enumerate() {
                let members = members.iter().copied();
                let have: Vec<usize> = members.filter(|&player| lineup.roles[player] == Some(role)).collect();
                checked_number(team, Some(role), &have, quota..=quota)?;
            }
        }
        Ok(lineup)
    }
}
