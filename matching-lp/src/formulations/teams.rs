//! Set partitioning: which of these teams are there?

use good_lp::{Solution, Variable, variable};
use matching_core::CostValue;

use super::common::{is_one, weighted};
use super::{Formulation, Grouping, Model};
use crate::error::Error;
use crate::export::{Place, SetPartitioning, Sizes};
use crate::text::{Range, Relation};

/// A variable for each team: one if the team is there. Every player is in exactly one.
///
/// Bounds are good (a few percent), so that it suits whatever has no more than some ten thousand teams, and what a team
/// costs need be no sum of pairs.
///
/// ```
/// use matching_lp::formulations::{Formulation, Teams};
///
/// // Teams that asked for a court, and how far these are.
/// let teams = [(vec![0, 1], 4.0), (vec![2, 3], 1.0), (vec![0, 2], 1.0), (vec![1, 3], 2.0), (vec![0], 9.0)];
/// let answer = Teams::given(4, teams)?.solve()?;
/// assert_eq!(answer.groups(), [[0, 2], [1, 3]]);
/// # Ok::<(), matching_lp::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Teams {
    model: Model,
    players: usize,
    teams: Vec<Vec<usize>>,
    variables: Vec<Variable>,
    /// Where the members of each team are; empty where teams were given.
    places: Vec<Place>,
    kinds: Vec<Kind>,
    /// Most players who may wait.
    bench: usize,
}

/// Groups of the same bounds.
#[derive(Clone, Copy, Debug)]
struct Kind {
    sizes: Sizes,
    may_be_empty: bool,
}

impl Kind {
    fn checked(&self, found: usize) -> Result<(), Error> {
        let Sizes { least, most, groups } = self.sizes;
        let fewest = if self.may_be_empty { 0 } else { groups };
        if (fewest..=groups).contains(&found) {
            return Ok(());
        }
        Err(Error::WrongNumberOfGroups {
            found,
            sizes: [least, most],
            least: fewest,
            most: groups,
        })
    }
}

impl Teams {
    /// All teams of a problem, with its numbers of groups and its bench. Team `t` is column `t` of the program.
    pub fn all<V: CostValue>(program: &SetPartitioning<V>) -> Self {
        let mut model = Model::new();
        let mut variables = Vec::new();
        for (number, column) in program.columns().iter().enumerate() {
            let definition = match program.range(column) {
                Range::Binary => variable().binary(),
                Range::Whole(least, most) | Range::Real(least, most) => variable().integer().min(least).max(most),
            };
            let chosen = model.add_variable(definition.name(format!("c{number}")));
            model.add_cost(column.cost.to_f64() * chosen);
            variables.push(chosen);
        }
        for row in program.rows() {
            let entries = row
                .entries
                .iter()
                .map(|&(column, entry)| (entry as f64, variables[column]));
            let sum = weighted(entries);
            let constraint = match row.relation {
                Relation::Equal => sum.eq(row.right as f64),
                Relation::AtMost => sum.leq(row.right as f64),
            };
            model.add_constraint(constraint.set_name(row.name));
        }
        model.is_partitioning = true;
        let columns = program.columns().iter();
        let mut kinds: Vec<Kind> = (program.sizes().iter())
            .map(|&sizes| Kind {
                sizes,
                may_be_empty: false,
            })
            .collect();
        for column in columns.clone().filter(|column| column.players.is_empty()) {
            if let Place::Group(kind) = column.place {
                kinds[kind].may_be_empty = true;
            }
        }
        Self {
            model,
            players: program.players(),
            teams: columns.clone().map(|column| column.players.clone()).collect(),
            variables,
            places: columns.map(|column| column.place).collect(),
            kinds,
            bench: program.bench(),
        }
    }

    /// These teams, with what they cost; as many of them as it takes for every player to be in one.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`]; [`Error::Twice`] for a team that has a player twice; [`Error::GroupNotANumber`] for one
    /// whose cost is not finite.
    pub fn given(players: usize, teams: impl IntoIterator<Item = (Vec<usize>, f64)>) -> Result<Self, Error> {
        let mut formulation = Self {
            model: Model::new(),
            players,
            teams: Vec::new(),
            variables: Vec::new(),
            places: Vec::new(),
            kinds: Vec::new(),
            bench: 0,
        };
        let mut of_player: Vec<Vec<(f64, Variable)>> = vec![Vec::new(); players];
        for (number, (mut team, cost)) in teams.into_iter().enumerate() {
            team.sort_unstable();
            if let Some(&player) = team.last().filter(|&&player| player >= players) {
                return Err(Error::NoSuchPlayer { player, players });
            }
            if let Some(pair) = team.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Error::Twice { player: pair[0] });
            }
            if !cost.is_finite() {
                return Err(Error::GroupNotANumber { members: team });
            }
            let definition = variable().binary().name(format!("c{number}"));
            let chosen = formulation.model.add_variable(definition);
            formulation.model.add_cost(cost * chosen);
            team.iter().for_each(|&player| of_player[player].push((1.0, chosen)));
            formulation.variables.push(chosen);
            formulation.teams.push(team);
        }
        for (player, terms) in of_player.into_iter().enumerate() {
            let constraint = weighted(terms).eq(1.0).set_name(format!("player{player}"));
            formulation.model.add_constraint(constraint);
        }
        formulation.model.is_partitioning = true;
        Ok(formulation)
    }

    /// The teams, members ascending; those who wait, and an empty group, are teams too where the problem has them.
    pub fn teams(&self) -> &[Vec<usize>] {
        &self.teams
    }

    /// One if the team is there.
    ///
    /// # Panics
    /// If there is no such team.
    #[track_caller]
    pub fn variable(&self, team: usize) -> Variable {
        self.variables[team]
    }

    /// The numbers of all groups that have each of these players among their members.
    pub fn with_players(&self, players: &[usize]) -> impl Iterator<Item = usize> {
        (0..self.teams.len())
            .filter(move |&team| !self.waits(team) && players.iter().all(|player| self.teams[team].contains(player)))
    }

    /// Whether a team is people who wait.
    fn waits(&self, team: usize) -> bool {
        self.places.get(team) == Some(&Place::Bench)
    }
}

impl Formulation for Teams {
    type Answer = Grouping;

    fn model(&self) -> &Model {
        &self.model
    }

    fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Groups are in the order of their first members. Groups without members are left out. That everybody is in one
    /// team is checked, and, of all teams of a problem, how many there are of each kind and how many wait.
    fn read(&self, solution: &impl Solution) -> Result<Grouping, Error> {
        let mut times = vec![0; self.players];
        let mut groups = Vec::new();
        let mut bench = Vec::new();
        let mut filled = vec![0; self.kinds.len()];
        for (team, members) in self.teams.iter().enumerate() {
            if members.is_empty() || !is_one(solution, self.variables[team]) {
                continue;
            }
            members.iter().for_each(|&player| times[player] += 1);
            if self.waits(team) {
                bench.extend_from_slice(members);
            } else {
                groups.push(members.clone());
            }
            if let Some(Place::Group(kind)) = self.places.get(team) {
                filled[*kind] += 1;
            }
        }
        groups.sort_unstable();
        bench.sort_unstable();
        if let Some(player) = times.iter().position(|&times| times != 1) {
            return Err(Error::NotAGrouping { player });
        }
        (self.kinds.iter().zip(filled)).try_for_each(|(kind, filled)| kind.checked(filled))?;
        if bench.len() > self.bench {
            let (players, most) = (bench, self.bench);
            return Err(Error::BenchTooFull { players, most });
        }
        Ok(Grouping { groups, bench })
    }
}
