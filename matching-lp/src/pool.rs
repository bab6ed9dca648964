//! Columns, one after the other in memory.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cut::{Cut, Tally};
use crate::duals::Duals;
use crate::limits::{Clock, Ran};
use crate::model::{Kind, Model};
use crate::pricing::{Next, Prices, Pricing};

/// Columns with their costs and the cuts they are in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    kind: Vec<Kind>,
    end: Vec<u32>,
    members: Vec<u16>,
    cost: Vec<i64>,
    /// Cuts that a column counts in, by number, and how often.
    cuts: Vec<Vec<(u16, u32)>>,
    /// Cuts by number, with the weights of all units.
    weights: Vec<(Arc<Cut>, Vec<u32>)>,
    known: HashMap<(Kind, Vec<u16>), u32>,
}

/// A pool would be larger than it may be, or the clock was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

impl Pool {
    /// All columns that are no teams.
    pub(crate) fn new(model: &Model) -> Self {
        let mut pool = Self::default();
        for (kind, units) in model.other_columns() {
            pool.add(model, kind, units);
        }
        pool
    }

    /// Every column whose reduced cost is at most `threshold`.
    ///
    /// # Errors
    /// [`TooLarge`] beyond `most` columns or when the clock is over.
    pub(crate) fn enumerate(
        model: &Model,
        duals: &Duals,
        threshold: i64,
        most: usize,
        clock: &mut Clock<'_>,
    ) -> Result<Self, TooLarge> {
        let mut pool = Self::default();
        let mut tally = Tally::new(model.len(), &duals.cuts);
        for (kind, units) in model.other_columns() {
            let cost = model.column_cost(kind, &units);
            if duals.reduced(model, kind, &units, cost) + tally.of(&units) <= threshold {
                pool.push(kind, &units, cost);
            }
        }
        let prices = Prices::new(model, duals);
        let mut sorted = Vec::new();
        let ran = Pricing::new(model, &prices).run(threshold, clock, &mut |units, _| {
            sorted.clear();
            sorted.extend_from_slice(units);
            sorted.sort_unstable();
            let cost = model.team_cost(&sorted);
            let of_cuts = tally.of(&sorted);
            for class in Self::classes_for(model, &sorted) {
                if duals.reduced(model, Kind::Team(class), &sorted, cost) + of_cuts <= threshold {
                    pool.push(Kind::Team(class), &sorted, cost);
                }
            }
            if pool.len() > most {
                Next::Stop
            } else {
                Next::UpTo(threshold)
            }
        });
        match ran {
            Ran::All => Ok(pool),
            Ran::Short => Err(TooLarge),
        }
    }

    /// Classes whose groups may have as many players.
    fn classes_for(model: &Model, units: &[u16]) -> Vec<u16> {
        (0..model.classes.len() as u16)
            .filter(|&class| model.fits(units, class))
            .collect()
    }

    pub(crate) fn push(&mut self, kind: Kind, units: &[u16], cost: i64) -> u32 {
        self.kind.push(kind);
        self.members.extend_from_slice(units);
        self.end.push(self.members.len() as u32);
        self.cost.push(cost);
        let times = |(number, (cut, weights)): (u16, &(Arc<Cut>, Vec<u32>))| (number, cut.times(weights, units));
        let counted = (0_u16..).zip(&self.weights).map(times).filter(|cut| cut.1 > 0);
        self.cuts.push(counted.collect());
        self.kind.len() as u32 - 1
    }

    /// A column, units ascending; its number if it is new.
    pub(crate) fn add(&mut self, model: &Model, kind: Kind, units: Vec<u16>) -> Option<u32> {
        let key = (kind, units);
        if self.known.contains_key(&key) {
            return None;
        }
        let cost = model.column_cost(kind, &key.1);
        let number = self.push(kind, &key.1, cost);
        self.known.insert(key, number);
        Some(number)
    }

    /// A team in every class that has room for it; the numbers of columns that are new.
    pub(crate) fn add_team(&mut self, model: &Model, mut units: Vec<u16>) -> Vec<u32> {
        units.sort_unstable();
        let classes = Self::classes_for(model, &units);
        classes
            .into_iter()
            .filter_map(|class| self.add(model, Kind::Team(class), units.clone()))
            .collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.kind.len()
    }

    pub(crate) fn kind(&self, column: u32) -> Kind {
        self.kind[column as usize]
    }

    pub(crate) fn cost(&self, column: u32) -> i64 {
        self.cost[column as usize]
    }

    #[inline]
    pub(crate) fn units(&self, column: u32) -> &[u16] {
        let column = column as usize;
        let start = if column == 0 { 0 } else { self.end[column - 1] };
        &self.members[start as usize..self.end[column] as usize]
    }

    /// One more cut; columns know it, and those to come will.
    pub(crate) fn add_cut(&mut self, model: &Model<'_>, cut: Arc<Cut>) {
        let number = self.weights.len() as u16;
        let weights = cut.weights(model.len());
        for column in 0..self.len() as u32 {
            let times = cut.times(&weights, self.units(column));
            if times > 0 {
                self.cuts[column as usize].push((number, times));
            }
        }
        self.weights.push((cut, weights));
    }

    /// All cuts, by number.
    pub(crate) fn cuts_known(&self) -> impl Iterator<Item = &Arc<Cut>> + '_ {
        self.weights.iter().map(|cut| &cut.0)
    }

    /// The cuts a column counts in, and how often.
    pub(crate) fn cuts(&self, column: u32) -> &[(u16, u32)] {
        &self.cuts[column as usize]
    }

    /// Reduced cost of a column, where cut number `c` has the dual `cut_duals[c]`.
    #[inline]
    pub(crate) fn reduced(&self, model: &Model, duals: &Duals, cut_duals: &[i64], column: u32) -> i64 {
        let plain = duals.reduced(model, self.kind(column), self.units(column), self.cost(column));
        let cuts = self.cuts(column).iter();
        let paid = |&(cut, times): &(u16, u32)| cut_duals[usize::from(cut)] * i64::from(times);
        plain - cuts.map(paid).sum::<i64>()
    }
}
