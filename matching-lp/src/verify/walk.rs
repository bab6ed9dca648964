//! A walk through the steps of a certificate.

use std::rc::Rc;

use super::light_teams::LightTeams;
use super::paid::{Column, Paid};
use super::{VerifyError, trivial_bound};
use crate::certificate::Step;
use crate::duals::Duals;
use crate::model::{Kind, Model, SCALE};

/// A case: the columns that are left of the pool, and what is proven of it.
struct Case {
    left: Vec<u32>,
    bound: i64,
}

/// A case that is a problem of its own.
struct Open<'m> {
    model: Rc<Model<'m>>,
    bound: i64,
}

/// What the certificate proves: no grouping costs less than this.
pub(super) fn proven(model: &Rc<Model<'_>>, steps: &[Step], upper: Option<i64>) -> Result<i64, VerifyError> {
    let mut proven = upper.unwrap_or(i64::MAX);
    let mut open = vec![Open {
        model: Rc::clone(model),
        bound: trivial_bound(model),
    }];
    let mut columns: Option<Vec<Column>> = None;
    let mut number = 0;
    while let Some(step) = steps.get(number) {
        let mut case = open.pop().ok_or(VerifyError::Malformed { step: number })?;
        // Columns are of use to the very next step alone.
        let listed = columns.take();
        number += 1;
        match step {
            Step::Tighten(duals) => {
                let room_for = match steps.get(number) {
                    Some(Step::List) => upper,
                    _ => None,
                };
                let walk = Walk::new(&case.model, steps, room_for);
                let (bound, found) = walk.whole_problem(duals, number - 1)?;
                case.bound = case.bound.max(bound);
                columns = Some(found);
                open.push(case);
            }
            Step::List => {
                let (Some(columns), Some(upper)) = (listed, upper) else {
                    return Err(VerifyError::Malformed { step: number - 1 });
                };
                let mut walk = Walk::new(&case.model, steps, Some(upper));
                walk.columns = columns;
                let (bound, next) = walk.cases(case.bound, upper, number)?;
                proven = proven.min(bound);
                number = next;
            }
            Step::Split(a, b) => {
                if a >= b || usize::from(*b) >= case.model.len() {
                    return Err(VerifyError::Malformed { step: number - 1 });
                }
                let part = |model| Open {
                    model: Rc::new(model),
                    bound: case.bound,
                };
                open.push(part(case.model.apart(*a, *b)));
                open.push(part(case.model.together(*a, *b)));
            }
            Step::Waits(_) => return Err(VerifyError::Malformed { step: number - 1 }),
            Step::End => proven = proven.min(case.bound),
        }
    }
    // Cases that nobody spoke of are open.
    Ok(open.iter().map(|case| case.bound).fold(proven, i64::min))
}

/// The walk through the cases of a list.
struct Walk<'w> {
    model: &'w Model<'w>,
    steps: &'w [Step],
    upper: Option<i64>,
    columns: Vec<Column>,
}

impl<'w> Walk<'w> {
    fn new(model: &'w Model<'w>, steps: &'w [Step], upper: Option<i64>) -> Self {
        Self {
            model,
            steps,
            upper,
            columns: Vec::new(),
        }
    }

    /// Duals for all teams there are: none may pay too much. The bound, and the columns that can be in a grouping
    /// better than `upper`; none where that is not asked for.
    fn whole_problem(&self, duals: &Duals, step: usize) -> Result<(i64, Vec<Column>), VerifyError> {
        self.check_shape(duals, step)?;
        let mut paid = Paid::new(self.model, duals);
        let room = self.upper.map_or(-1, |upper| self.room(upper, duals));
        let limit = room.max(-1);
        let mut too_much: Option<Vec<u16>> = None;
        let mut columns: Vec<Column> = Vec::new();
        let mut look = |column: Column| {
            let reduced = paid.reduced(&column);
            if reduced < 0 {
                too_much = Some(column.units);
            } else if reduced <= limit {
                columns.push(column);
            }
        };
        for (kind, units) in self.model.other_columns() {
            let cost = self.model.column_cost(kind, &units);
            look(Column { kind, units, cost });
        }
        LightTeams::new(self.model, duals).run(limit, &mut |units, class| {
            look(Column {
                kind: Kind::Team(class),
                units: units.to_vec(),
                cost: self.model.team_cost(units),
            });
        });
        match too_much {
            Some(units) => Err(self.pays_too_much(step, &units)),
            None => Ok((self.bound(duals), columns)),
        }
    }

    /// The tree of cases from this step on; the least bound of all, and the step after.
    fn cases(&self, bound: i64, upper: i64, from: usize) -> Result<(i64, usize), VerifyError> {
        let mut proven = upper;
        let mut waiting = vec![Case {
            left: (0..self.columns.len() as u32).collect(),
            bound,
        }];
        let mut number = from;
        while let Some(mut case) = waiting.pop() {
            let Some(step) = self.steps.get(number) else {
                waiting.push(case);
                break;
            };
            match step {
                Step::Tighten(duals) => {
                    self.tighten(&mut case, duals, upper, number)?;
                    waiting.push(case);
                }
                Step::Split(a, b) => {
                    let has = |column: u32, unit: &u16| self.columns[column as usize].units.contains(unit);
                    waiting.push(self.part(&case, |column| !(has(column, a) && has(column, b))));
                    waiting.push(self.part(&case, |column| has(column, a) == has(column, b)));
                }
                Step::Waits(unit) => {
                    let is_there = |column: u32| self.columns[column as usize].units.contains(unit);
                    let waits = |column: u32| self.columns[column as usize].kind == Kind::Bench;
                    waiting.push(self.part(&case, |column| !is_there(column) || !waits(column)));
                    waiting.push(self.part(&case, |column| !is_there(column) || waits(column)));
                }
                Step::List => return Err(VerifyError::Malformed { step: number }),
                Step::End => proven = proven.min(case.bound),
            }
            number += 1;
        }
        // Cases that nobody spoke of are open.
        let least = waiting.iter().map(|case| case.bound).fold(proven, i64::min);
        Ok((least, number))
    }

    fn part(&self, case: &Case, is_in: impl Fn(u32) -> bool) -> Case {
        Case {
            left: case.left.iter().copied().filter(|&column| is_in(column)).collect(),
            bound: case.bound,
        }
    }

    fn tighten(&self, case: &mut Case, duals: &Duals, upper: i64, step: usize) -> Result<(), VerifyError> {
        self.check_shape(duals, step)?;
        let room = self.room(upper, duals);
        let mut paid = Paid::new(self.model, duals);
        let mut kept = Vec::with_capacity(case.left.len());
        for &number in &case.left {
            let column = &self.columns[number as usize];
            let reduced = paid.reduced(column);
            if reduced < 0 {
                return Err(self.pays_too_much(step, &column.units));
            }
            if reduced <= room {
                kept.push(number);
            }
        }
        case.left = kept;
        case.bound = case.bound.max(self.bound(duals));
        Ok(())
    }

    fn check_shape(&self, duals: &Duals, step: usize) -> Result<(), VerifyError> {
        let bench = self.model.bench_row();
        let is_good = duals.rows.len() == self.model.rows()
            && duals.rows[bench] <= 0
            && duals.cuts.iter().all(|(cut, dual)| {
                let is_unit = |&(unit, _): &(u16, u32)| usize::from(unit) < self.model.len();
                *dual <= 0
                    && cut.divisor > 0
                    && cut.units.iter().all(is_unit)
                    && cut.units.windows(2).all(|two| two[0].0 < two[1].0)
            });
        if is_good {
            Ok(())
        } else {
            Err(VerifyError::Malformed { step })
        }
    }

    /// The total of duals. Numbers of 64 bits times those of 48 at most, so that sums fit whatever a certificate says.
    fn total(&self, duals: &Duals) -> i128 {
        let rows = duals.rows.iter().enumerate();
        let rows: i128 = rows
            .map(|(row, &dual)| i128::from(dual) * i128::from(self.model.room(row)))
            .sum();
        let cuts: i128 = duals
            .cuts
            .iter()
            .map(|(cut, dual)| i128::from(*dual) * i128::from(cut.most()))
            .sum();
        rows + cuts
    }

    /// The greatest reduced cost of a column of a grouping that costs less than `upper`. Nothing is cut off here, nor of reduced costs:
    /// a column that is left out is one that no better grouping has.
    fn room(&self, upper: i64, duals: &Duals) -> i128 {
        (i128::from(upper) - 1) * i128::from(SCALE) - self.total(duals)
    }

    /// The least cost of a grouping that the total allows; costs of groupings are numbers of 64 bits.
    fn bound(&self, duals: &Duals) -> i64 {
        let (total, scale) = (self.total(duals), i128::from(SCALE));
        let bound = total.div_euclid(scale) + i128::from(total.rem_euclid(scale) != 0);
        bound.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    fn pays_too_much(&self, step: usize, units: &[u16]) -> VerifyError {
        VerifyError::PaysTooMuch {
            step,
            team: units
                .iter()
                .map(|&unit| self.model.units[usize::from(unit)][0])
                .collect(),
        }
    }
}
