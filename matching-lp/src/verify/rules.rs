//! Roles and costs of whole groups, for the checker: roles are given along augmenting paths.

use crate::model::{Model, SCALE};
use crate::roles::{Casting, Skill};

/// What must be true of a team beside sizes and pairs.
pub(super) struct Rules<'l> {
    model: &'l Model<'l>,
    least_size: u32,
    greatest_size: u32,
}

impl<'l> Rules<'l> {
    pub(super) fn new(model: &'l Model<'l>) -> Self {
        let sizes = || model.size.iter().copied();
        Self {
            model,
            least_size: sizes().min().unwrap_or(0),
            greatest_size: sizes().max().unwrap_or(0),
        }
    }

    /// What all teams of these units, `players` together, and `more` others cost at least as a whole, in steps of
    /// duals; exactly, for a team that is complete. `None` if all are forbidden.
    pub(super) fn least(&self, team: &[u16], players: u32, more: usize) -> Option<i128> {
        let last = players + more as u32 * self.greatest_size;
        if !self.model.roles.is_empty() {
            let members = self.model.players(team);
            let skills: Vec<Skill> = members.iter().map(|&player| self.model.skills[player]).collect();
            if !Casting::new(&self.model.roles, skills).leaves_open((last - players) as usize) {
                return None;
            }
        }
        let cost = if self.model.terms.is_none() {
            0
        } else if more == 0 {
            self.model.whole_cost(team)?
        } else {
            let bound = |size: u32| self.model.whole_bound(team, (size - players) as usize);
            (players + more as u32 * self.least_size..=last)
                .filter_map(bound)
                .min()?
        };
        Some(i128::from(cost) * i128::from(SCALE))
    }
}
