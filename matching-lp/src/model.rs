//! The problem as integers: parties contracted to units, groups of the same bounds to classes.
//!
//! A grouping is a set of columns. A team is a column for a class; a unit on the bench is one too. Every unit is in
//! exactly one column, every class has as many teams as it has groups, and the bench holds no more players than it has
//! room for. These are the rows, and each has a dual: what the unit pays, what a team of the class pays beside its
//! units, what a place on the bench costs.

mod build;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::quotas::Quotas;
use crate::roles::{Role, Skill};
use crate::terms::Terms;

/// Duals are integers in steps of `2^-SCALE_BITS` of a step of the costs' grid.
pub(crate) const SCALE_BITS: u32 = 14;
/// Steps of a dual in a step of costs.
pub(crate) const SCALE: i64 = 1 << SCALE_BITS;

/// Groups that have the same bounds, and nobody pinned to them; or one group with somebody pinned to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) least: u32,
    pub(crate) most: u32,
    pub(crate) count: u32,
    /// The unit that is in this group, whatever else is.
    pub(crate) owner: Option<u16>,
}

/// What a column stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// A team in a class of groups.
    Team(u16),
    /// A unit that waits.
    Bench,
    /// In a relaxed model: a unit that is nowhere.
    Nowhere,
    /// A group of this class that is empty: where its bounds allow that, or in a relaxed model.
    Unfilled(u16),
}

/// The problem as integers.
#[derive(Clone, Debug)]
pub(crate) struct Model<'a> {
    /// The players of each unit, ascending.
    pub(crate) units: Vec<Vec<usize>>,
    pub(crate) size: Vec<u32>,
    /// Costs between units, row by row, zero where they may not meet.
    pub(crate) cost: Vec<i64>,
    /// What the pairs inside each unit cost.
    pub(crate) inside: Vec<i64>,
    pub(crate) allowed: Vec<bool>,
    /// Whether the members of a unit may be in a team at all.
    pub(crate) may_play: Vec<bool>,
    pub(crate) classes: Vec<Class>,
    /// The class of each group.
    pub(crate) class_of_group: Vec<u16>,
    /// The class of the group that a unit is pinned to.
    pub(crate) home: Vec<Option<u16>>,
    pub(crate) roles: Vec<Role>,
    /// What each player can do, and what each unit can; the second as the search for teams needs it.
    pub(crate) skills: Vec<Skill>,
    pub(crate) quotas: Option<Quotas>,
    /// Costs of whole teams.
    pub(crate) terms: Option<Arc<dyn Terms + 'a>>,
    /// Players that may wait.
    pub(crate) bench: u32,
    pub(crate) waiting: Vec<i64>,
    /// What is below zero of the costs of all pairs and players of the problem that this is, or is a part of.
    pub(crate) below_zero: i64,
    /// Whether units may be nowhere and groups unfilled, at a cost of one each: to find out whether there is a
    /// grouping.
    pub(crate) is_relaxed: bool,
}

impl Model<'_> {
    /// The same rows without costs, where every unit that is nowhere and every group that is not filled costs one: a
    /// grouping exists if, and only if, the least cost is 0.
    pub(crate) fn relaxed(&self) -> Self {
        let mut model = self.clone();
        model.cost.fill(0);
        model.inside.fill(0);
        model.waiting.fill(0);
        model.is_relaxed = true;
        model
    }

    /// Number of units.
    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// Rows: units, classes, the bench.
    pub(crate) fn rows(&self) -> usize {
        self.len() + self.classes.len() + 1
    }

    pub(crate) fn class_row(&self, class: u16) -> usize {
        self.len() + usize::from(class)
    }

    pub(crate) fn bench_row(&self) -> usize {
        self.rows() - 1
    }

    /// The right-hand side of a row.
    pub(crate) fn room(&self, row: usize) -> u32 {
        match row.checked_sub(self.len()) {
            None => 1,
            Some(class) if class < self.classes.len() => self.classes[class].count,
            Some(_) => self.bench,
        }
    }

    /// Whether a row holds in any case once the others do, so that its dual can be 0.
    pub(crate) fn is_implied(&self, row: usize) -> bool {
        if self.is_relaxed || row < self.len() {
            return false;
        }
        let fewest: u32 = self.classes.iter().map(|class| class.least * class.count).sum();
        let players: u32 = self.size.iter().sum();
        if row == self.bench_row() {
            players <= fewest + self.bench
        } else {
            self.classes.len() == 1 && self.bench == 0 && self.classes[0].least == self.classes[0].most
        }
    }

    #[inline]
    pub(crate) fn pair(&self, a: usize, b: usize) -> i64 {
        self.cost[a * self.units.len() + b]
    }

    /// Costs of a unit with every other, zero where they may not meet.
    #[inline]
    pub(crate) fn row(&self, unit: u16) -> &[i64] {
        &self.cost[usize::from(unit) * self.units.len()..][..self.units.len()]
    }

    /// With whom a unit may meet.
    #[inline]
    pub(crate) fn allowed_row(&self, unit: u16) -> &[bool] {
        &self.allowed[usize::from(unit) * self.units.len()..][..self.units.len()]
    }

    #[inline]
    pub(crate) fn is_allowed(&self, a: usize, b: usize) -> bool {
        self.allowed[a * self.units.len() + b]
    }

    /// What a team of these units costs, which must be allowed.
    pub(crate) fn team_cost(&self, units: &[u16]) -> i64 {
        self.pairs_cost(units) + self.whole_cost(units).unwrap_or(0)
    }

    /// What all pairs of a team cost.
    pub(crate) fn pairs_cost(&self, units: &[u16]) -> i64 {
        let mut total = 0;
        for (at, &a) in units.iter().enumerate() {
            total += self.inside[usize::from(a)];
            for &b in &units[at + 1..] {
                total += self.pair(usize::from(a), usize::from(b));
            }
        }
        total
    }

    /// What a team costs as a whole, beside its pairs; `None` if costs of whole groups forbid it.
    pub(crate) fn whole_cost(&self, units: &[u16]) -> Option<i64> {
        match &self.terms {
            None => Some(0),
            Some(terms) if self.is_relaxed => terms.is_allowed(&self.players(units)).then_some(0),
            Some(terms) => terms.cost(&self.players(units)),
        }
    }

    /// No team of these units and `more` other players costs less as a whole; `None` if there is no such team.
    pub(crate) fn whole_bound(&self, units: &[u16], more: usize) -> Option<i64> {
        let Some(terms) = &self.terms else {
            return Some(0);
        };
        let bound = terms.bound(&self.players(units), more);
        if self.is_relaxed { bound.map(|_| 0) } else { bound }
    }

    /// The players of these units, ascending.
    pub(crate) fn players(&self, units: &[u16]) -> SmallVec<[usize; 16]> {
        let of_unit = |&unit: &u16| self.units[usize::from(unit)].iter().copied();
        let mut players: SmallVec<[usize; 16]> = units.iter().flat_map(of_unit).collect();
        players.sort_unstable();
        players
    }

    /// Whether a team fits the groups of a class: by the number of its players, and who is pinned where.
    pub(crate) fn fits(&self, units: &[u16], class: u16) -> bool {
        let Class { least, most, owner, .. } = self.classes[usize::from(class)];
        let players = self.players_in(units);
        least <= players
            && players <= most
            && match owner {
                Some(owner) => units.contains(&owner),
                None => units.iter().all(|&unit| !self.is_pinned(unit)),
            }
    }

    /// A team of a class that fits all wishes, from units in this order: everybody who fits beside those before him, up
    /// to a size that is drawn. `None` where that ends in none.
    pub(crate) fn some_team(&self, order: &[u16], class: u16, draw: impl FnOnce(usize) -> usize) -> Option<Vec<u16>> {
        let Class { least, most, owner, .. } = self.classes[usize::from(class)];
        let least = least.max(1);
        let players = least + draw(most.saturating_sub(least) as usize + 1) as u32;
        let mut team = Vec::from_iter(owner);
        for &unit in order {
            let left = players.saturating_sub(self.players_in(&team));
            let is_free = self.may_play[usize::from(unit)] && !self.is_pinned(unit);
            let is_allowed = |&other: &u16| self.is_allowed(usize::from(unit), usize::from(other));
            if is_free && self.size[usize::from(unit)] <= left && team.iter().all(is_allowed) {
                team.push(unit);
            }
            if left == 0 {
                break;
            }
        }
        let is_cast = self.quotas.as_ref().is_none_or(|quotas| quotas.are_met(&team));
        (!team.is_empty() && is_cast && self.fits(&team, class)).then_some(team)
    }

    /// Whether a unit has its place in a certain group.
    pub(crate) fn is_pinned(&self, unit: u16) -> bool {
        self.home[usize::from(unit)].is_some()
    }

    /// Whether anybody is pinned.
    pub(crate) fn has_pins(&self) -> bool {
        self.classes.iter().any(|class| class.owner.is_some())
    }

    /// Whether teams are judged by their pairs and sizes alone.
    pub(crate) fn is_by_pairs(&self) -> bool {
        self.terms.is_none() && self.quotas.is_none()
    }

    /// What a column costs.
    pub(crate) fn column_cost(&self, kind: Kind, units: &[u16]) -> i64 {
        match kind {
            Kind::Team(_) => self.team_cost(units),
            Kind::Bench => self.waiting[usize::from(units[0])],
            Kind::Nowhere => 1,
            Kind::Unfilled(class) => i64::from(self.must_be_filled(class)),
        }
    }

    /// All columns that are not teams.
    pub(crate) fn other_columns(&self) -> Vec<(Kind, Vec<u16>)> {
        let each = || (0..self.len() as u16).map(|unit| vec![unit]);
        let mut columns = Vec::new();
        if self.bench > 0 {
            let fits = |units: &Vec<u16>| self.size[usize::from(units[0])] <= self.bench && !self.is_pinned(units[0]);
            columns.extend(each().filter(fits).map(|units| (Kind::Bench, units)));
        }
        if self.is_relaxed {
            columns.extend(each().map(|units| (Kind::Nowhere, units)));
        }
        for class in 0..self.classes.len() as u16 {
            if self.is_relaxed || !self.must_be_filled(class) {
                columns.push((Kind::Unfilled(class), Vec::new()));
            }
        }
        columns
    }

    /// Whether groups of a class must not be empty.
    pub(crate) fn must_be_filled(&self, class: u16) -> bool {
        let class = &self.classes[usize::from(class)];
        class.least > 0 || class.owner.is_some()
    }

    /// The class of a group.
    pub(crate) fn class_of(&self, group: usize) -> usize {
        usize::from(self.class_of_group[group])
    }

    /// Number of players in these units.
    pub(crate) fn players_in(&self, units: &[u16]) -> u32 {
        units.iter().map(|&unit| self.size[usize::from(unit)]).sum()
    }
}
