//! What roles and costs of whole groups say of partial teams.

use crate::model::{Model, SCALE};
use crate::quotas::Standing;

/// One partial team.
struct Level {
    /// Where it stands with the roles, and which types of units may join; without roles, nothing.
    standing: Option<Standing>,
    admits: Vec<bool>,
}

/// Roles and costs of whole groups, for the team so far.
pub(super) struct Rules<'a> {
    model: &'a Model<'a>,
    levels: Vec<Level>,
    /// Levels to be used again.
    spare: Vec<Level>,
    /// Players of the smallest and of the largest unit.
    sizes: [u32; 2],
}

impl<'a> Rules<'a> {
    pub(super) fn new(model: &'a Model<'a>) -> Self {
        let sizes = || model.size.iter().copied();
        Self {
            model,
            levels: Vec::new(),
            spare: Vec::new(),
            sizes: [sizes().min().unwrap_or(1), sizes().max().unwrap_or(1)],
        }
    }

    /// Begins with an empty team that is to have so many units, and no more players than `most`. What it costs at least
    /// as a whole, in steps of duals; `None` if there is none.
    pub(super) fn start(&mut self, units: usize, most: u32) -> Option<i64> {
        self.spare.append(&mut self.levels);
        let standing = self.model.quotas.as_ref().map(|quotas| quotas.start());
        self.push(standing, units, most);
        self.whole(&[], 0, units, most)
    }

    /// Whether roles can be met if this unit is the next to join.
    #[inline]
    pub(super) fn admits(&self, unit: u16) -> bool {
        let (Some(quotas), Some(level)) = (&self.model.quotas, self.levels.last()) else {
            return true;
        };
        level.admits[usize::from(quotas.type_of[usize::from(unit)])]
    }

    /// The last of `team` has joined; it has `players` and gets `more` units. What it will cost at least as a whole, in
    /// steps of duals; `None`, and he has not joined, if it will be forbidden.
    pub(super) fn enter(&mut self, team: &[u16], players: u32, more: usize, most: u32) -> Option<i64> {
        let whole = self.whole(team, players, more, most)?;
        let unit = *team.last()?;
        let standing = match (&self.model.quotas, self.levels.last()) {
            (
                Some(quotas),
                Some(Level {
                    standing: Some(before), ..
                }),
            ) => {
                let mut standing = before.clone();
                quotas.join(&mut standing, usize::from(quotas.type_of[usize::from(unit)]));
                Some(standing)
            }
            _ => None,
        };
        self.push(standing, more, most - players);
        Some(whole)
    }

    /// The last one leaves.
    pub(super) fn leave(&mut self) {
        self.spare.extend(self.levels.pop());
    }

    /// A level for a team that gets `more` units and up to `room` players.
    fn push(&mut self, standing: Option<Standing>, more: usize, room: u32) {
        let mut admits = self.spare.pop().map_or_else(Vec::new, |level| level.admits);
        admits.clear();
        if let (Some(quotas), Some(standing)) = (&self.model.quotas, &standing) {
            let others = more.saturating_sub(1) as u32 * self.sizes[1];
            admits.extend((0..quotas.types()).map(|unit| {
                let size = quotas.size(unit);
                size <= room && quotas.admits(standing, unit, others.min(room - size))
            }));
        }
        self.levels.push(Level { standing, admits });
    }

    /// The least of all numbers of players that the team can have in the end.
    fn whole(&self, team: &[u16], players: u32, more: usize, most: u32) -> Option<i64> {
        if self.model.terms.is_none() {
            return Some(0);
        }
        let [smallest, largest] = self.sizes.map(|size| size * more as u32);
        let numbers = (players + smallest..=(players + largest).min(most)).filter(|&number| {
            let fits = |class: &crate::model::Class| (class.least..=class.most).contains(&number);
            self.model.classes.iter().any(fits)
        });
        let bounds = numbers.filter_map(|number| self.model.whole_bound(team, (number - players) as usize));
        bounds.min().map(|bound| bound * SCALE)
    }
}
