//! Parts of a problem that are problems of their own: what is left when some columns are chosen, the case where two
//! units are together, and the case where they are not.

use std::sync::Arc;

use crate::cut::Cut;
use crate::duals::Duals;
use crate::model::{Class, Kind, Model};
use crate::quotas::Quotas;
use crate::tree::Chosen;

impl Model<'_> {
    /// Of these units alone, in this order; groups and places are as they were.
    fn with_units(&self, units: &[u16]) -> Self {
        let at = || units.iter().map(|&unit| usize::from(unit));
        let number = |unit: u16| units.iter().position(|&other| other == unit).map(|at| at as u16);
        let with_owner = |class: &Class| Class {
            owner: class.owner.and_then(number),
            ..*class
        };
        let skills = |unit: usize| self.units[unit].iter().map(|&player| self.skills[player]).collect();
        Self {
            units: at().map(|unit| self.units[unit].clone()).collect(),
            size: at().map(|unit| self.size[unit]).collect(),
            cost: at().flat_map(|a| at().map(move |b| self.pair(a, b))).collect(),
            inside: at().map(|unit| self.inside[unit]).collect(),
            allowed: at().flat_map(|a| at().map(move |b| self.is_allowed(a, b))).collect(),
            may_play: at().map(|unit| self.may_play[unit]).collect(),
            classes: self.classes.iter().map(with_owner).collect(),
            class_of_group: self.class_of_group.clone(),
            home: at().map(|unit| self.home[unit]).collect(),
            roles: self.roles.clone(),
            skills: self.skills.clone(),
            quotas: Quotas::new(&self.roles, at().map(skills)),
            terms: self.terms.clone(),
            bench: self.bench,
            waiting: at().map(|unit| self.waiting[unit]).collect(),
            below_zero: self.below_zero,
            is_relaxed: self.is_relaxed,
        }
    }

    /// The case where two units, `a < b`, are in one column: they are one unit, number `a`, and units after `b` move
    /// up.
    pub(crate) fn together(&self, a: u16, b: u16) -> Self {
        let mut merged = self.clone();
        let (first, second) = (usize::from(a), usize::from(b));
        let units = self.len();
        let players = core::mem::take(&mut merged.units[second]);
        merged.units[first].extend(players);
        merged.units[first].sort_unstable();
        merged.size[first] += self.size[second];
        merged.inside[first] += self.inside[second] + self.pair(first, second);
        merged.waiting[first] += self.waiting[second];
        merged.may_play[first] &= self.may_play[second] && self.is_allowed(first, second);
        // Units that are pinned to different groups are not allowed to meet.
        merged.home[first] = self.home[first].or(self.home[second]);
        for class in merged.classes.iter_mut().filter(|class| class.owner == Some(b)) {
            class.owner = Some(a);
        }
        for other in 0..units {
            let is_allowed = self.is_allowed(first, other) && self.is_allowed(second, other);
            let cost = (self.pair(first, other) + self.pair(second, other)) * i64::from(is_allowed);
            for place in [first * units + other, other * units + first] {
                merged.allowed[place] = is_allowed;
                merged.cost[place] = cost;
            }
        }
        let left: Vec<u16> = (0..units as u16).filter(|&unit| unit != b).collect();
        merged.with_units(&left)
    }

    /// The case where two units are not in one team.
    pub(crate) fn apart(&self, a: u16, b: u16) -> Self {
        let mut parted = self.clone();
        let (a, b) = (usize::from(a), usize::from(b));
        for place in [a * self.len() + b, b * self.len() + a] {
            parted.allowed[place] = false;
            parted.cost[place] = 0;
        }
        parted
    }
}

/// The units that are left, numbered anew, with the groups and places that are left.
pub(crate) struct Part<'m> {
    pub(crate) model: Model<'m>,
    /// The number in the whole problem of each unit.
    units: Vec<u16>,
}

impl<'m> Part<'m> {
    /// What these columns of a grouping leave.
    pub(crate) fn without(whole: &Model<'m>, chosen: &[(Kind, Vec<u16>)]) -> Self {
        let mut is_left = vec![true; whole.len()];
        let mut taken = vec![0; whole.classes.len()];
        let mut bench = whole.bench;
        for (kind, units) in chosen {
            units.iter().for_each(|&unit| is_left[usize::from(unit)] = false);
            match kind {
                Kind::Team(class) | Kind::Unfilled(class) => taken[usize::from(*class)] += 1,
                Kind::Bench => bench -= whole.players_in(units),
                Kind::Nowhere => {}
            }
        }
        let units: Vec<u16> = (0..whole.len() as u16)
            .filter(|&unit| is_left[usize::from(unit)])
            .collect();
        let mut model = whole.with_units(&units);
        for (class, taken) in model.classes.iter_mut().zip(taken) {
            class.count -= taken;
        }
        model.bench = bench;
        Self { model, units }
    }

    /// Duals of the whole problem for what is left of it.
    pub(crate) fn duals(&self, whole: &Model<'_>, duals: &Duals) -> Duals {
        let of_units = self.units.iter().map(|&unit| duals.rows[usize::from(unit)]);
        let mut number = vec![None; whole.len()];
        (0_u16..)
            .zip(&self.units)
            .for_each(|(at, &unit)| number[usize::from(unit)] = Some(at));
        let in_part = |(cut, dual): &(Arc<Cut>, i64)| {
            let cut = cut.mapped(|unit| number[usize::from(unit)]);
            (cut.most() > 0).then(|| (Arc::new(cut), *dual))
        };
        Duals {
            rows: of_units.chain(duals.rows[whole.len()..].iter().copied()).collect(),
            cuts: duals.cuts.iter().filter_map(in_part).collect(),
        }
    }

    /// A column in the numbers of the whole problem.
    pub(crate) fn in_whole(&self, units: &[u16]) -> Vec<u16> {
        units.iter().map(|&unit| self.units[usize::from(unit)]).collect()
    }

    /// A grouping in the numbers of the whole problem.
    pub(crate) fn chosen_in_whole(&self, chosen: &Chosen) -> Chosen {
        let columns = chosen.iter();
        columns.map(|(kind, units)| (*kind, self.in_whole(units))).collect()
    }
}
