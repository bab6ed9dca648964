//! Parts of a problem that are problems of their own: what is left when some columns are chosen, the case where two units are
//! together, and the case where they are not.

use crate::duals::Duals;
use crate::model::{Kind, Model};
use crate::tree::Chosen;

impl Model {
    /// Of these units alone, in this order; groups and places are as they were.
    fn with_units(&self, units: &[u16]) -> Self {
        let at = || units.iter().map(|&unit| usize::from(unit));
        Self {
            units: at().map(|unit| self.units[unit].clone()).collect(),
            size: at().map(|unit| self.size[unit]).collect(),
            cost: at().flat_map(|a| at().map(move |b| self.pair(a, b))).collect(),
            inside: at().map(|unit| self.inside[unit]).collect(),
            allowed: at().flat_map(|a| at().map(move |b| self.is_allowed(a, b))).collect(),
            may_play: at().map(|unit| self.may_play[unit]).collect(),
            classes: self.classes.clone(),
            bench: self.bench,
            waiting: at().map(|unit| self.waiting[unit]).collect(),
            is_relaxed: self.is_relaxed,
        }
    }

    /// The case where two units, `a < b`, are in one column: they are one unit, number `a`, and units after `b` move up.
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
pub(crate) struct Part {
    pub(crate) model: Model,
    /// The number in the whole problem of each unit.
    units: Vec<u16>,
}

impl Part {
    /// What these columns of a grouping leave.
    pub(crate) fn without(whole: &Model, chosen: &[(Kind, Vec<u16>)]) -> Self {
        let mut is_left = vec![true; whole.len()];
        let mut classes = whole.classes.clone();
        let mut bench = whole.bench;
        for (kind, units) in chosen {
            units.iter().for_each(|&unit| is_left[usize::from(unit)] = false);
            match kind {
                Kind::Team(class) | Kind::Unfilled(class) => classes[usize::from(*class)].count -= 1,
                Kind::Bench => bench -= whole.players_in(units),
                Kind::Nowhere => {}
            }
        }
        let units: Vec<u16> = (0..whole.len() as u16)
            .filter(|&unit| is_left[usize::from(unit)])
            .collect();
        let mut model = whole.with_units(&units);
        model.classes = classes;
        model.bench = bench;
        Self { model, units }
    }

    /// Duals of the whole problem for what is left of it.
    pub(crate) fn duals(&self, whole: &Model, duals: &Duals) -> Duals {
        let of_units = self.units.iter().map(|&unit| duals.rows[usize::from(unit)]);
        Duals {
            rows: of_units.chain(duals.rows[whole.len()..].iter().copied()).collect(),
            cuts: Vec::new(),
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
