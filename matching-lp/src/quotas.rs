//! Roles as the search for teams sees them: numbers for each set of roles.
//!
//! Members can be given roles if, and only if, for every set of roles no more members can play these alone than they
//! take in, and no fewer can play one of these than they need (P. Hall, "On representatives of subsets", Journal of the
//! London Mathematical Society 10 (1935), 26-30, for each side; both sides at once by Mendelsohn and Dulmage, see
//! `roles.rs`). The first never gets better as a team grows, and the second by no more than one for each who comes; so
//! a partial team that breaks one of them beyond repair is dropped. The checker does not use this, but gives roles
//! along augmenting paths.

use crate::roles::{Role, Skill};

/// Roles for each unit, by what it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quotas {
    /// For each set of roles, how many it takes in and how many it needs.
    most: Vec<u16>,
    least: Vec<u16>,
    /// The type of each unit.
    pub(crate) type_of: Vec<u16>,
    types: Vec<UnitType>,
}

/// Units that can do the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct UnitType {
    skills: Vec<Skill>,
    /// For each set of roles, how many must play one of these, and how many can.
    bound: Vec<u16>,
    able: Vec<u16>,
}

/// For each set of roles, how many of a team must play one of these, and how many can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    bound: Vec<u16>,
    able: Vec<u16>,
}

impl Quotas {
    /// `None` without roles. `skills` are those of each unit's members.
    pub(crate) fn new(roles: &[Role], skills: impl Iterator<Item = Vec<Skill>>) -> Option<Self> {
        if roles.is_empty() {
            return None;
        }
        let sets = 1_usize << roles.len();
        let sums = |number: fn(&Role) -> usize| -> Vec<u16> {
            let sum = |set: usize| {
                let inside = roles.iter().enumerate().filter(|(role, _)| set >> role & 1 == 1);
                inside.map(|(_, role)| number(role)).fold(0, usize::saturating_add)
            };
            // There are never as many players.
            (0..sets)
                .map(|set| sum(set).min(usize::from(u16::MAX)) as u16)
                .collect()
        };
        let mut types: Vec<UnitType> = Vec::new();
        let type_of = skills
            .map(|mut skills| {
                skills.sort_unstable();
                let known = types.iter().position(|unit| unit.skills == skills);
                known.unwrap_or_else(|| {
                    types.push(UnitType::new(skills, sets));
                    types.len() - 1
                }) as u16
            })
            .collect();
        Some(Self {
            most: sums(Role::most),
            least: sums(Role::least),
            type_of,
            types,
        })
    }

    /// Number of types of units.
    pub(crate) fn types(&self) -> usize {
        self.types.len()
    }

    /// Players in a unit of this type.
    pub(crate) fn size(&self, unit: usize) -> u32 {
        self.types[unit].skills.len() as u32
    }

    /// Of an empty team.
    pub(crate) fn start(&self) -> Standing {
        Standing {
            bound: vec![0; self.most.len()],
            able: vec![0; self.most.len()],
        }
    }

    /// With a unit of this type in the team.
    pub(crate) fn join(&self, team: &mut Standing, unit: usize) {
        let unit = &self.types[unit];
        let pairs = team.bound.iter_mut().zip(&unit.bound);
        pairs.for_each(|(sum, more)| *sum += more);
        let pairs = team.able.iter_mut().zip(&unit.able);
        pairs.for_each(|(sum, more)| *sum += more);
    }

    /// Whether roles can be met once a unit of this type joins and then up to `left` players of the right kind.
    pub(crate) fn admits(&self, team: &Standing, unit: usize, left: u32) -> bool {
        let unit = &self.types[unit];
        let left = left.min(u32::from(u16::MAX)) as u16;
        let takes_in = team.bound.iter().zip(&unit.bound).zip(&self.most);
        let is_met = team.able.iter().zip(&unit.able).zip(&self.least);
        takes_in.fold(true, |all, ((team, unit), most)| all & (team + unit <= *most))
            && is_met.fold(true, |all, ((team, unit), least)| {
                all & ((team + unit).saturating_add(left) >= *least)
            })
    }

    /// Whether a team of these units can be given roles.
    pub(crate) fn are_met(&self, units: &[u16]) -> bool {
        let mut team = self.start();
        for &unit in units {
            self.join(&mut team, usize::from(self.type_of[usize::from(unit)]));
        }
        team.bound.iter().zip(&self.most).all(|(bound, most)| bound <= most)
            && team.able.iter().zip(&self.least).all(|(able, least)| able >= least)
    }
}

impl UnitType {
    fn new(skills: Vec<Skill>, sets: usize) -> Self {
        let count = |counts: &dyn Fn(&Skill, u16) -> bool| -> Vec<u16> {
            (0..sets as u16)
                .map(|set| skills.iter().filter(|skill| counts(skill, set)).count() as u16)
                .collect()
        };
        Self {
            bound: count(&|skill, set| skill.must_play && skill.roles & !set == 0),
            able: count(&|skill, set| skill.roles & set != 0),
            skills,
        }
    }
}

#[cfg(test)]
mod tests;
