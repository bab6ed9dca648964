//! The independent checker: is this a grouping, does it cost what it says, and can no other cost less than the bound?
//!
//! It reads the problem, the answer and its certificate. With the solver it shares how a problem is turned into
//! integers, and no more: reduced costs are computed here, and the search for teams is another one, in the order of
//! units and with bounds that do not depend on the partial team.

mod light_teams;
mod paid;
mod rules;
#[cfg(test)]
mod tamper;
#[cfg(test)]
mod tests;
mod walk;
#[cfg(test)]
mod walked;
mod zones;

use core::fmt;
use std::rc::Rc;

use matching_core::CostValue;
use matching_core::verify::Number;

use crate::error::Error;
use crate::grid::{Grid, NOTHING, Pairs};
use crate::model::Model;
use crate::problem::{Problem, WholeCost};
use crate::solution::{Solution, Status};
use crate::terms::{Terms, UNKNOWN, grid_of, terms};

/// Why an answer is refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VerifyError {
    /// Not as many groups as the problem has.
    WrongNumberOfGroups {
        /// Groups of the answer.
        found: usize,
        /// Groups of the problem.
        wanted: usize,
    },
    /// A player is in no group and does not wait, or is there twice, or does not exist.
    NotAPartition {
        /// The player.
        player: usize,
    },
    /// A group has too few or too many members.
    WrongSize {
        /// The group.
        group: usize,
        /// Its members.
        members: usize,
    },
    /// More players wait than may.
    BenchTooFull {
        /// How many wait.
        waiting: usize,
    },
    /// Two players are together who must not be.
    Forbidden {
        /// One player.
        i: usize,
        /// The other.
        j: usize,
    },
    /// Two players of one party are apart.
    PartySplit {
        /// One player.
        i: usize,
        /// The other.
        j: usize,
    },
    /// The members of a group cannot be given roles as these are wanted.
    RolesNotMet {
        /// The group.
        group: usize,
    },
    /// A cost of whole groups forbids a group.
    ForbiddenGroup {
        /// The group.
        group: usize,
    },
    /// A player is not in the group that he is pinned to.
    PinLost {
        /// The player.
        player: usize,
    },
    /// The groups do not cost what the answer says.
    WrongCost {
        /// What it says.
        claimed: Number,
        /// What they cost; `None` if that does not fit its type.
        counted: Option<Number>,
    },
    /// The groups of an answer by several costs are not those of any of its proofs.
    OtherGroups,
    /// The problem itself cannot be read.
    BadProblem(Error),
    /// The certificate is not one of this problem: wrong numbers of duals or units, or steps that do not fit together.
    Malformed {
        /// The step.
        step: usize,
    },
    /// A column pays more than it costs by the duals of a step.
    PaysTooMuch {
        /// The step.
        step: usize,
        /// The units of the column, by their first players.
        team: Vec<usize>,
    },
    /// The certificate proves less than the answer says.
    BoundNotProven,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongNumberOfGroups { found, wanted } => write!(f, "there are {found} groups, not {wanted}"),
            Self::NotAPartition { player } => write!(f, "player {player} is not in exactly one place"),
            Self::WrongSize { group, members } => write!(f, "group {group} has {members} members, outside its bounds"),
            Self::BenchTooFull { waiting } => write!(f, "{waiting} players wait, more than may"),
            Self::Forbidden { i, j } => write!(f, "players {i} and {j} must not be together"),
            Self::PartySplit { i, j } => write!(f, "players {i} and {j} must stay together"),
            Self::RolesNotMet { group } => write!(f, "the members of group {group} cannot play all roles as wanted"),
            Self::ForbiddenGroup { group } => write!(f, "group {group} is forbidden by a cost of whole groups"),
            Self::PinLost { player } => write!(f, "player {player} is not where he is pinned to"),
            Self::WrongCost { claimed, counted } => {
                write!(f, "the groups do not cost what the answer says: it says {claimed}, ")?;
                match counted {
                    Some(counted) => write!(f, "and they cost {counted}"),
                    None => write!(f, "and what they cost does not fit its number type"),
                }
            }
            Self::OtherGroups => write!(f, "the groups are those of none of the proofs"),
            Self::BadProblem(error) => write!(f, "the problem cannot be read: {error}"),
            Self::Malformed { step } => write!(f, "step {step} of the certificate does not fit the problem"),
            Self::PaysTooMuch { step, team } => {
                write!(
                    f,
                    "by step {step} of the certificate, team {team:?} pays more than it costs"
                )
            }
            Self::BoundNotProven => write!(f, "the certificate proves less than the answer says"),
        }
    }
}

impl core::error::Error for VerifyError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::BadProblem(error) => Some(error),
            _ => None,
        }
    }
}

impl<V: CostValue> Solution<V> {
    /// Checks the answer against the problem, from the groups and the certificate alone.
    ///
    /// # Errors
    /// [`VerifyError`]: the first thing that is wrong.
    ///
    /// # Complexity
    /// A search for all teams of small reduced cost, which is what the solver does too; then, for every step of a tree
    /// of cases, a look at every team of the pool that is left in it.
    pub fn verify(&self, problem: &Problem<'_, V>) -> Result<(), VerifyError> {
        let certificate = &self.certificate;
        self.check_unknown()?;
        let grid = Grid::new(problem).map_err(VerifyError::BadProblem)?;
        let grid = grid.coarser(certificate.doublings);
        if certificate.is_empty() {
            return self.check_without_proof(problem, &grid);
        }
        let model = Rc::new(Model::new(problem, &grid).map_err(VerifyError::BadProblem)?);
        let terms = model.terms.as_deref();
        let upper = if matches!(self.status, Status::Unknown(_)) {
            None
        } else {
            self.check_groups(problem)?;
            Some(self.units_of_cost(problem, &grid, terms))
        };
        let proven = match &certificate.pairing {
            Some(pairing) => crate::pairs::proven_bound(&model, pairing).ok_or(VerifyError::Malformed { step: 0 })?,
            None => walk::proven(&model, &certificate.steps, upper)?,
        };
        self.check_bound(problem, grid, terms, proven)
    }

    /// An answer that is unknown has no groups, and so nothing that they could cost.
    fn check_unknown(&self) -> Result<(), VerifyError> {
        let (found, waiting) = (self.groups.len(), self.bench.len());
        if !matches!(self.status, Status::Unknown(_)) {
            Ok(())
        } else if found > 0 {
            Err(VerifyError::WrongNumberOfGroups { found, wanted: 0 })
        } else if waiting > 0 {
            Err(VerifyError::BenchTooFull { waiting })
        } else if self.cost != num_traits::zero() {
            let nothing: V::Total = num_traits::zero();
            Err(VerifyError::WrongCost {
                claimed: number(self.cost),
                counted: Some(number(nothing)),
            })
        } else {
            Ok(())
        }
    }

    /// Without a proof, costs have to be read, but no table of them has to be made.
    fn check_without_proof(&self, problem: &Problem<'_, V>, grid: &Grid) -> Result<(), VerifyError> {
        if !matches!(self.status, Status::Unknown(_)) {
            self.check_groups(problem)?;
        }
        let terms = terms(problem, grid);
        let proven = bound_of_signs(problem, grid, terms.as_deref()).map_err(VerifyError::BadProblem)?;
        self.check_bound(problem, *grid, terms.as_deref(), proven)
    }

    /// Whether so much proven on the grid is what the answer says.
    fn check_bound(
        &self,
        problem: &Problem<'_, V>,
        grid: Grid,
        terms: Option<&dyn Terms>,
        proven: i64,
    ) -> Result<(), VerifyError> {
        let grid = grid_of(terms, grid, &self.groups);
        if let Some(fault) = terms.and_then(Terms::fault) {
            return Err(VerifyError::BadProblem(fault.into()));
        }
        let proven = grid.lower_bound::<V>(proven, problem.pairs_at_most());
        if proven < self.bound || (self.is_optimal() && self.bound != self.cost) {
            return Err(VerifyError::BoundNotProven);
        }
        Ok(())
    }

    /// The cost on the grid, pair by pair and group by group.
    fn units_of_cost(&self, problem: &Problem<'_, V>, grid: &Grid, terms: Option<&dyn Terms>) -> i64 {
        let pairs = self.groups.iter().flat_map(|members| {
            let pairs_of = move |at: usize| members[at + 1..].iter().map(move |&j| (members[at], j));
            (0..members.len()).flat_map(pairs_of)
        });
        let in_groups: i64 = pairs.map(|(i, j)| grid.units(problem.cost().pair(i, j))).sum();
        let waiting: i64 = self
            .bench
            .iter()
            .map(|&player| grid.units(problem.waiting(player)))
            .sum();
        let filled = self.groups.iter().filter(|members| !members.is_empty());
        let whole = |members: &Vec<usize>| terms.and_then(|terms| terms.cost(members));
        let whole: i64 = filled.filter_map(whole).sum();
        in_groups + waiting + whole
    }

    fn check_groups(&self, problem: &Problem<'_, V>) -> Result<(), VerifyError> {
        check_grouping(problem, &self.groups, &self.bench)?;
        let counted = problem.total(&self.groups, &self.bench).ok();
        if counted != Some(self.cost) {
            return Err(VerifyError::WrongCost {
                claimed: number(self.cost),
                counted: counted.map(number),
            });
        }
        Ok(())
    }
}

/// Whether these are groups of the problem, with all that is wished; `bench` are those who wait.
///
/// # Errors
/// The first thing that is wrong.
pub(crate) fn check_grouping<V: CostValue>(
    problem: &Problem<'_, V>,
    groups: &[Vec<usize>],
    bench: &[usize],
) -> Result<(), VerifyError> {
    let place = places(problem, groups, bench)?;
    for members in groups {
        for (at, &i) in members.iter().enumerate() {
            for &j in &members[at + 1..] {
                if problem.cost().has_forbidden() && !problem.cost().is_allowed(i, j) {
                    return Err(VerifyError::Forbidden { i, j });
                }
            }
        }
    }
    for &(i, j) in problem.pairs_apart() {
        if place[i] == place[j] && place[i] < groups.len() {
            return Err(VerifyError::Forbidden { i, j });
        }
    }
    for party in problem.parties() {
        if let Some(&other) = party.iter().find(|&&player| place[player] != place[party[0]]) {
            return Err(VerifyError::PartySplit { i: party[0], j: other });
        }
    }
    for (group, members) in groups.iter().enumerate().filter(|group| !group.1.is_empty()) {
        if problem.casting(members).is_none() {
            return Err(VerifyError::RolesNotMet { group });
        }
        let allows = |cost: &&WholeCost<'_, V>| !cost.has_forbidden_groups() || cost.is_group_allowed(members);
        if !problem.group_costs().iter().all(allows) {
            return Err(VerifyError::ForbiddenGroup { group });
        }
    }
    match problem.pins().iter().find(|&&(player, group)| place[player] != group) {
        Some(&(player, _)) => Err(VerifyError::PinLost { player }),
        None => Ok(()),
    }
}

/// The group of every player; those who wait come after the last.
fn places<V: CostValue>(
    problem: &Problem<'_, V>,
    groups: &[Vec<usize>],
    bench: &[usize],
) -> Result<Vec<usize>, VerifyError> {
    let wanted = problem.groups();
    if groups.len() != wanted.len() {
        return Err(VerifyError::WrongNumberOfGroups {
            found: groups.len(),
            wanted: wanted.len(),
        });
    }
    let mut place = vec![usize::MAX; problem.len()];
    let places = groups.iter().map(Vec::as_slice).chain([bench]);
    for (group, members) in places.enumerate() {
        for &player in members {
            match place.get_mut(player) {
                Some(slot) if *slot == usize::MAX => *slot = group,
                _ => return Err(VerifyError::NotAPartition { player }),
            }
        }
        let members = members.len();
        if group < wanted.len() && !wanted.bounds(group).contains(&members) {
            return Err(VerifyError::WrongSize { group, members });
        }
        if group == wanted.len() && !wanted.bench().contains(&members) {
            return Err(VerifyError::BenchTooFull { waiting: members });
        }
    }
    match place.iter().position(|&place| place == usize::MAX) {
        Some(player) => Err(VerifyError::NotAPartition { player }),
        None => Ok(place),
    }
}

/// A total without loss.
fn number<T: CostValue>(total: T) -> Number {
    total
        .to_integer()
        .map_or_else(|| Number::Float(total.to_f64()), Number::Integer)
}

/// Every team that has a reduced cost of at most `limit`, by the checker's search, and perhaps others.
#[cfg(test)]
pub(crate) fn light_teams(
    model: &Model<'_>,
    duals: &crate::duals::Duals,
    limit: i64,
    report: &mut dyn FnMut(&[u16], u16),
) {
    light_teams::LightTeams::new(model, duals).run(limit.into(), report);
}

/// What is proven without a certificate: a grouping costs no less than all negative costs together. [`NOTHING`] where that
/// is not known of costs of whole groups.
///
/// # Errors
/// What reading costs can say.
fn bound_of_signs<V: CostValue>(
    problem: &Problem<'_, V>,
    grid: &Grid,
    terms: Option<&dyn Terms>,
) -> Result<i64, Error> {
    let n = problem.len();
    let pairs = Pairs::of(problem.cost());
    let mut total = 0;
    for i in 0..n {
        total += grid.units(problem.waiting(i)).min(0);
        for j in i + 1..n {
            total += pairs.checked(i, j)?.map_or(0, |value| grid.units(value).min(0));
        }
    }
    Ok(with_groups_of(problem, total, terms))
}

/// What is below zero with what the groups of a problem cost at least as a whole.
pub(crate) fn with_groups_of<V: CostValue>(problem: &Problem<'_, V>, total: i64, terms: Option<&dyn Terms>) -> i64 {
    let groups = problem.groups();
    let largest = (0..groups.len()).map(|group| *groups.bounds(group).end()).max();
    let bound = |size| terms.map_or(Some(0), |terms| terms.bound(&[], size));
    with_groups(total, groups.len(), largest.unwrap_or(0).min(problem.len()), bound)
}

/// The same of a model.
pub(crate) fn trivial_bound(model: &Model) -> i64 {
    let mut total = 0;
    for a in 0..model.len() {
        total += model.inside[a].min(0) + model.waiting[a].min(0);
        for b in a + 1..model.len() {
            total += model.pair(a, b).min(0);
        }
    }
    let groups: u32 = model.classes.iter().map(|class| class.count).sum();
    let largest = model.classes.iter().map(|class| class.most as usize).max();
    let bound = |size| model.whole_bound(&[], size);
    with_groups(total, groups as usize, largest.unwrap_or(0), bound)
}

/// What is below zero with what so many groups of up to `largest` members cost at least as a whole.
fn with_groups(total: i64, groups: usize, largest: usize, bound: impl Fn(usize) -> Option<i64>) -> i64 {
    let whole = (1..=largest).filter_map(bound).min().unwrap_or(0);
    if whole <= UNKNOWN {
        return NOTHING;
    }
    total.saturating_add((groups as i64).saturating_mul(whole.min(0)))
}
