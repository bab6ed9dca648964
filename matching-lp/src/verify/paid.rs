//! What columns pay by duals, for the checker.

use crate::duals::Duals;
use crate::model::{Kind, Model, SCALE};

/// A column that could be in a better grouping.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) kind: Kind,
    pub(super) units: Vec<u16>,
    pub(super) cost: i64,
}

/// Reduced costs by the same duals, one after the other.
pub(super) struct Paid<'p> {
    model: &'p Model<'p>,
    duals: &'p Duals,
    /// The cuts of each unit, by number, and its weight there.
    cuts_of: Vec<Vec<(u32, u32)>>,
    /// The weight of a column in each cut; zero between columns.
    weight: Vec<u64>,
}

impl<'p> Paid<'p> {
    /// The units of cuts are units of the model.
    pub(super) fn new(model: &'p Model<'p>, duals: &'p Duals) -> Self {
        let mut cuts_of = vec![Vec::new(); model.len()];
        for (number, (cut, _)) in duals.cuts.iter().enumerate() {
            for &(unit, weight) in &cut.units {
                cuts_of[usize::from(unit)].push((number as u32, weight));
            }
        }
        Self {
            model,
            duals,
            cuts_of,
            weight: vec![0; duals.cuts.len()],
        }
    }

    /// What a column costs less what it pays.
    pub(super) fn reduced(&mut self, column: &Column) -> i128 {
        let dual = |row: usize| i128::from(self.duals.rows[row]);
        let units: i128 = column.units.iter().map(|&unit| dual(usize::from(unit))).sum();
        let other = match column.kind {
            Kind::Team(class) | Kind::Unfilled(class) => dual(self.model.class_row(class)),
            Kind::Bench => i128::from(self.model.players_in(&column.units)) * dual(self.model.bench_row()),
            Kind::Nowhere => 0,
        };
        let paid = units + other + self.by_cuts(&column.units);
        i128::from(column.cost) * i128::from(SCALE) - paid
    }

    fn by_cuts(&mut self, units: &[u16]) -> i128 {
        let Self {
            cuts_of, weight, duals, ..
        } = self;
        let touched = || units.iter().flat_map(|&unit| &cuts_of[usize::from(unit)]);
        for &(cut, of_unit) in touched() {
            weight[cut as usize] += u64::from(of_unit);
        }
        let mut paid = 0;
        for &(cut, _) in touched() {
            let (counted, dual) = &duals.cuts[cut as usize];
            // Taken with its first unit, and nothing with the others.
            let times = core::mem::take(&mut weight[cut as usize]) / u64::from(counted.divisor);
            paid += i128::from(*dual) * i128::from(times);
        }
        paid
    }
}
