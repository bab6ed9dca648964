//! Cases as problems of their own: which of their units stand for which of the whole problem, and back.

use std::sync::Arc;

use crate::cut::Cut;
use crate::duals::Duals;
use crate::model::{Kind, Model, SCALE};
use crate::tree::Chosen;

/// Two units together, or apart; numbers are those of the case that was split.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Decision {
    Together(u16, u16),
    Apart(u16, u16),
}

/// A case with its model.
pub(crate) struct Concrete<'m> {
    pub(crate) model: Model<'m>,
    /// Units of the whole problem that each unit stands for.
    members: Vec<Vec<u16>>,
}

impl<'m> Concrete<'m> {
    pub(crate) fn new(whole: &Model<'m>, decisions: &[Decision]) -> Self {
        let mut model = whole.clone();
        let mut members: Vec<Vec<u16>> = (0..whole.len() as u16).map(|unit| vec![unit]).collect();
        for &decision in decisions {
            match decision {
                Decision::Together(a, b) => {
                    model = model.together(a, b);
                    let joining = members.remove(usize::from(b));
                    members[usize::from(a)].extend(joining);
                }
                Decision::Apart(a, b) => model = model.apart(a, b),
            }
        }
        Self { model, members }
    }

    pub(crate) fn units_in_whole(&self, units: &[u16]) -> Vec<u16> {
        let members = units.iter().flat_map(|&unit| &self.members[usize::from(unit)]);
        let mut members: Vec<u16> = members.copied().collect();
        members.sort_unstable();
        members
    }

    /// A grouping in units of the whole problem: parties that wait, wait one by one.
    pub(crate) fn in_whole(&self, chosen: &Chosen) -> Chosen {
        let mut columns = Chosen::new();
        for (kind, units) in chosen {
            let units = self.units_in_whole(units);
            match kind {
                Kind::Bench | Kind::Nowhere => columns.extend(units.into_iter().map(|unit| (*kind, vec![unit]))),
                _ => columns.push((*kind, units)),
            }
        }
        columns
    }

    /// Duals of rows from those of the whole problem.
    pub(crate) fn rows(&self, whole: &Model<'_>, rows: &[f64]) -> Vec<f64> {
        let sum = |units: &Vec<u16>| units.iter().map(|&unit| rows[usize::from(unit)]).sum();
        let of_units = self.members.iter().map(sum);
        of_units.chain(rows[whole.len()..].iter().copied()).collect()
    }

    /// Duals of rows for the whole problem; of units that are one here, the first has all.
    pub(crate) fn rows_in_whole(&self, whole: &Model<'_>, duals: &Duals) -> Vec<f64> {
        let mut rows = vec![0.0; whole.len()];
        let of_units = self.members.iter().map(|members| usize::from(members[0]));
        for (unit, &dual) in of_units.zip(&duals.rows) {
            rows[unit] = dual as f64 / SCALE as f64;
        }
        let others = &duals.rows[self.model.len()..];
        rows.extend(others.iter().map(|&dual| dual as f64 / SCALE as f64));
        rows
    }

    /// The unit here that each of the whole problem is in.
    fn places(&self, whole: &Model<'_>) -> Vec<u16> {
        let mut place = vec![0_u16; whole.len()];
        for (unit, members) in (0..).zip(&self.members) {
            members.iter().for_each(|&member| place[usize::from(member)] = unit);
        }
        place
    }

    /// Cuts of the whole problem as they are here, with their duals.
    pub(crate) fn cuts(&self, whole: &Model<'_>, cuts: &[(Arc<Cut>, i64)]) -> Vec<(Arc<Cut>, i64)> {
        let place = self.places(whole);
        let here = |cut: &Cut| Arc::new(cut.mapped(|unit| Some(place[usize::from(unit)])));
        cuts.iter().map(|(cut, dual)| (here(cut), *dual)).collect()
    }

    /// A cut for the whole problem; of units that are one here, the first has all weight.
    pub(crate) fn cut_in_whole(&self, cut: &Cut) -> Cut {
        cut.mapped(|unit| self.members[usize::from(unit)].first().copied())
    }

    /// The teams of the whole problem that are teams here.
    pub(crate) fn teams(&self, whole: &Model<'_>, teams: &[Vec<u16>]) -> Vec<Vec<u16>> {
        let place = self.places(whole);
        let here = |team: &Vec<u16>| {
            let mut units: Vec<u16> = team.iter().map(|&member| place[usize::from(member)]).collect();
            units.sort_unstable();
            units.dedup();
            let members: usize = units.iter().map(|&unit| self.members[usize::from(unit)].len()).sum();
            let is_allowed = |(at, &a): (usize, &u16)| {
                let mut others = units[at + 1..].iter();
                others.all(|&b| self.model.is_allowed(usize::from(a), usize::from(b)))
            };
            let may_play = |&unit: &u16| self.model.may_play[usize::from(unit)];
            let is_team =
                members == team.len() && units.iter().all(may_play) && units.iter().enumerate().all(is_allowed);
            is_team.then_some(units)
        };
        teams.iter().filter_map(here).collect()
    }
}
