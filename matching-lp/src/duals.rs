//! Duals in integers, and the bound they prove.

use std::sync::Arc;

use crate::cut::Cut;
use crate::model::{Kind, Model, SCALE};
use crate::pool::Pool;

/// What every row pays, and what every cut does, in steps of `1 / SCALE`; nowhere more than a column costs.
///
/// A column pays the `dual <= 0` of a cut as often as it counts there, and the bound is the sum of all that is paid at
/// most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Duals {
    pub(crate) rows: Vec<i64>,
    pub(crate) cuts: Vec<(Arc<Cut>, i64)>,
}

impl Duals {
    /// Rounded from floats, in steps of costs, and lowered where `others`, columns that are no teams, would pay too
    /// much. The bench pays nothing or less than nothing.
    pub(crate) fn from_floats(
        model: &Model,
        others: &[(Kind, Vec<u16>)],
        rows: &[f64],
        cuts: Vec<(Arc<Cut>, f64)>,
    ) -> Self {
        // Far beyond what any column can pay; keeps sums within 64 bits.
        let most = (1_u64 << 56) as f64;
        let integer = |value: f64| (value * SCALE as f64).clamp(-most, most).floor() as i64;
        let mut rows: Vec<i64> = rows.iter().map(|&value| integer(value)).collect();
        let bench = model.bench_row();
        rows[bench] = rows[bench].min(0);
        for (kind, units) in others {
            let room = model.column_cost(*kind, units) * SCALE;
            match kind {
                Kind::Bench => {
                    let unit = usize::from(units[0]);
                    rows[unit] = rows[unit].min(room - i64::from(model.size[unit]) * rows[bench]);
                }
                Kind::Nowhere => rows[usize::from(units[0])] = rows[usize::from(units[0])].min(room),
                Kind::Unfilled(class) | Kind::Team(class) => {
                    let row = model.class_row(*class);
                    rows[row] = rows[row].min(room);
                }
            }
        }
        let cuts = cuts
            .into_iter()
            .map(|(cut, value)| (cut, integer(value).min(0)))
            .filter(|cut| cut.1 < 0)
            .collect();
        Self { rows, cuts }
    }

    /// The sum of what is paid: no grouping costs less, in steps of `1 / SCALE`.
    pub(crate) fn total(&self, model: &Model) -> i64 {
        let rows = self
            .rows
            .iter()
            .enumerate()
            .map(|(row, &dual)| dual.saturating_mul(i64::from(model.room(row))));
        let cuts = self.cuts.iter().map(|(cut, dual)| dual.saturating_mul(cut.most()));
        rows.chain(cuts).fold(0, i64::saturating_add)
    }

    /// The least cost of a grouping that the total allows.
    pub(crate) fn bound(&self, model: &Model) -> i64 {
        let total = self.total(model);
        total.div_euclid(SCALE) + i64::from(total.rem_euclid(SCALE) > 0)
    }

    /// Lets teams of every class pay so much less that none of reduced cost `-excess` or more pays too much.
    pub(crate) fn lower(&mut self, model: &Model, excess: i64) {
        for class in 0..model.classes.len() as u16 {
            self.rows[model.class_row(class)] -= excess;
        }
    }

    /// Reduced cost of a column, cuts aside.
    pub(crate) fn reduced(&self, model: &Model, kind: Kind, units: &[u16], cost: i64) -> i64 {
        let mut paid: i64 = units.iter().map(|&unit| self.rows[usize::from(unit)]).sum();
        paid += match kind {
            Kind::Team(class) | Kind::Unfilled(class) => self.rows[model.class_row(class)],
            Kind::Bench => i64::from(model.players_in(units)) * self.rows[model.bench_row()],
            Kind::Nowhere => 0,
        };
        cost * SCALE - paid
    }

    /// Lowers duals until no column of a part of a pool pays too much. Columns that are no teams do not already.
    pub(crate) fn repair_on(&mut self, model: &Model, pool: &Pool, alive: &[u32], cut_duals: &[i64]) {
        let worst = alive
            .iter()
            .map(|&column| pool.reduced(model, self, cut_duals, column))
            .min()
            .unwrap_or(0);
        if worst < 0 {
            self.lower(model, -worst);
        }
    }
}
