//! Two sides, and pairs between them only: the assignment problem, without odd circuits.
//!
//! - [`sides`]: who is on which side, where a cost does not say so;
//! - [`table`]: the costs of one side with the other, as lanes;
//! - [`near`]: the few best columns of each row, and what all others cost at least;
//! - [`start`]: duals of the columns, from samples of both sides;
//! - [`assignment`](crate::assignment): bids and shortest augmenting paths, which read whole rows only where they come to their end;
//! - here: objectives as prices of staying alone, and the answer as a matching of all vertices.
//!
//! Prices of columns never rise, so that what a row knew of its columns stays a lower bound: exactness needs no second look at
//! all pairs.

mod near;
mod sides;
mod start;
mod table;

use super::read::{Facts, Reading};
use super::rows::Rows;
use super::{Insist, LEAST_DENSITY, Task, Weights, Workers};
use crate::assignment::{Ends, Search};
use crate::blossom::Objective;
use crate::certificate::Certificate;
use crate::cost::{Cost, CostValue};
use crate::engine::{Dual, Failure, Glimpse, Limits, Outcome};
use crate::error::Error;
use crate::progress::Stage;
use crate::reduction::Reduced;
use crate::small::Attempt;
use crate::solution::{SolvedBy, StopReason};
use crate::witness::TutteBerge;
use near::Near;
use table::Table;

/// Paths that look at more than one entry for so many that there are begin with the wrong duals.
const PATIENCE: u64 = 4;
/// The same where staying alone has prices, for so many entries for each that there is: then another engine is no slower.
const PATIENCE_ALONE: u64 = 16;
/// Columns for each row at most that are worth rows for all of them.
const PADDED: usize = 4;

/// A search on rows of a table.
type Found<'s, D> = Search<'s, D, Near<'s, D>>;

/// What staying alone costs, where that is possible.
#[derive(Debug)]
struct Terms<D> {
    /// The most that each row pays.
    alone: Option<Vec<D>>,
    /// The most that each column pays, and what it pays if it stays alone.
    caps: Option<Vec<D>>,
}

/// Solves a cost whose first `first` vertices pair with the others only; refused where a list of its edges is better, and so for
/// every engine that reads all pairs: they are twice as many of those in all, at most, as they are of those between the sides.
pub(crate) fn solve<'t, V: CostValue>(
    cost: &dyn Cost<Value = V>,
    first: usize,
    task: &Task<'t, V>,
) -> Result<Attempt<(Reduced<'t, V>, Outcome)>, Error> {
    let n = cost.len();
    let has_bye = matches!(task.objective, Objective::MinBye(_)) && n % 2 == 1;
    if first == 0 || first >= n {
        return Ok(Attempt::Refused);
    }
    if has_bye {
        return Ok(Attempt::GivenUp);
    }
    let workers = Workers::choose(task.threads, first.saturating_mul(n - first));
    workers.enter(|| solve_with(workers, cost, first, task))
}

fn solve_with<'t, V: CostValue>(
    workers: Workers,
    cost: &dyn Cost<Value = V>,
    first: usize,
    task: &Task<'t, V>,
) -> Result<Attempt<(Reduced<'t, V>, Outcome)>, Error> {
    let n = cost.len();
    let reading = Reading {
        objective: task.objective,
        precision: task.precision,
        is_negated: task.objective.is_maximum(),
        memory: task.limits.memory(),
        workers,
    };
    let Some((table, facts)) = table::read(cost, first, &reading)? else {
        return Ok(Attempt::GivenUp);
    };
    let all = (first * (n - first)) as u64;
    if facts.allowed == 0 || (task.insist == Insist::No && facts.allowed < all / LEAST_DENSITY) {
        return Ok(Attempt::Refused);
    }
    let (first, second): (Vec<u32>, Vec<u32>) = (0..n as u32).partition(|&vertex| (vertex as usize) < first);
    let read = Read {
        cost,
        facts,
        workers,
        sides: if first.len() > second.len() {
            [second, first]
        } else {
            [first, second]
        },
    };
    Ok(read.solve(&table, task)?.map_or(Attempt::GivenUp, Attempt::Solved))
}

/// The same for costs on all pairs that were found to have two sides when they were read; `None` where they have not.
pub(super) fn solve_rows<'t, V: CostValue>(
    cost: &dyn Cost<Value = V>,
    rows: &Rows<'_>,
    facts: Facts,
    task: &Task<'t, V>,
    workers: Workers,
) -> Option<Result<(Reduced<'t, V>, Outcome), Error>> {
    let n = rows.len();
    let has_bye = matches!(task.objective, Objective::MinBye(_)) && n % 2 == 1;
    // Half of all pairs are within a side at least; both matrices must fit.
    let is_possible =
        2 * facts.allowed <= (n * n) as u64 && n.saturating_mul(n).saturating_mul(5) <= task.limits.memory();
    if has_bye || !is_possible || task.insist == Insist::Yes {
        return None;
    }
    let sides = sides::of(rows)?;
    let facts = Facts {
        allowed: facts.allowed / 2,
        ..facts
    };
    let table = Table::of_rows(rows, &sides);
    let read = Read {
        cost,
        facts,
        workers,
        sides,
    };
    read.solve(&table, task).transpose()
}

/// A cost of which all is known.
struct Read<'r, V: CostValue> {
    cost: &'r dyn Cost<Value = V>,
    /// Allowed pairs are counted once.
    facts: Facts,
    workers: Workers,
    /// The vertices of the smaller side, which are the rows of the table, and of the other one.
    sides: [Vec<u32>; 2],
}

impl<V: CostValue> Read<'_, V> {
    fn solve<'t>(self, table: &Table, task: &Task<'t, V>) -> Result<Option<(Reduced<'t, V>, Outcome)>, Error> {
        let n = self.cost.len();
        let (low, high) = self.facts.range;
        let largest = low.unsigned_abs().max(high.unsigned_abs());
        let reduced = Reduced::new(n, task.objective, self.facts.grid, largest)?;
        let weights = Weights::of(&reduced, self.facts.range)?;
        let widths = weights.widths(reduced.vertices());
        let failed = |failure| reduced.explain(failure, SolvedBy::Assignment);
        widths.check().map_err(failed)?;
        let is_even = 2 * self.sides[0].len() == n;
        let sides = Sides {
            read: self,
            table,
            reduced: &reduced,
            least: weights.least_of_rows,
        };
        if !reduced.is_doubled() && !is_even {
            return Err(failed(Failure::at_sight(sides.uneven())));
        }
        let translation = |doubled: i128| reduced.bound_told(doubled);
        let limits = &task.limits.with_bounds(&translation);
        let outcome = if widths.is_long() {
            sides.solve::<i64>(limits)
        } else {
            sides.solve::<i128>(limits)
        };
        let Some(outcome) = outcome? else {
            return Ok(None);
        };
        let outcome = outcome.map_err(failed)?;
        Ok(Some((reduced, outcome)))
    }
}

/// A problem in integers.
struct Sides<'s, V: CostValue> {
    read: Read<'s, V>,
    table: &'s Table,
    reduced: &'s Reduced<'s, V>,
    /// The least reduced cost, which is 0 in the table.
    least: i128,
}

impl<V: CostValue> Sides<'_, V> {
    /// The vertex of a row of the table.
    fn vertex_of_row(&self, row: usize) -> usize {
        self.read.sides[0][row] as usize
    }

    /// The vertex of a column of the table.
    fn vertex_of_column(&self, column: usize) -> usize {
        self.read.sides[1][column] as usize
    }

    /// Why not everybody has a partner where one side is larger.
    fn uneven(&self) -> TutteBerge {
        let removed = self.read.sides[0].iter().map(|&vertex| vertex as usize).collect();
        let left = self.read.sides[1].iter().map(|&vertex| vec![vertex as usize]);
        TutteBerge::new(removed, left.collect())
    }

    /// What staying alone costs, less the greatest price of a column, which is added to all rows.
    fn terms<D: Dual>(&self) -> Result<(Terms<D>, i128), Error> {
        if !self.reduced.is_doubled() {
            return Ok((
                Terms {
                    alone: None,
                    caps: None,
                },
                0,
            ));
        }
        let price = |vertex| self.reduced.unmatched_cost(vertex);
        let columns = (0..self.table.columns()).map(|column| price(self.vertex_of_column(column)));
        let columns = columns.collect::<Result<Vec<i128>, Error>>()?;
        let top = columns.iter().copied().max().unwrap_or(0);
        let rows =
            (0..self.table.rows()).map(|row| Ok(D::from_i128(price(self.vertex_of_row(row))? - self.least + top)));
        let terms = Terms {
            alone: Some(rows.collect::<Result<_, Error>>()?),
            caps: Some(columns.iter().map(|&price| D::from_i128(price - top)).collect()),
        };
        Ok((terms, top))
    }

    /// `None` where paths are too long, and other duals to begin with are not known.
    fn solve<D: Dual>(&self, limits: &Limits<'_>) -> Result<Option<Result<Outcome, Failure>>, Error> {
        let (terms, top) = self.terms::<D>()?;
        let rows = self.table.rows();
        // Reading saw that every allowed cost is on the grid. Rows beyond those of the cost are everybody's last choice.
        let weight = |row: usize, column: usize| {
            if row >= rows {
                return D::ZERO;
            }
            let pair = self
                .read
                .cost
                .pair(self.vertex_of_row(row), self.vertex_of_column(column));
            D::from_i128(self.reduced.reduced_cost(pair).unwrap_or(self.least) - self.least)
        };
        let lanes = |duals: Vec<i64>| -> Vec<D> {
            let duals = duals.into_iter().map(|lane| i128::from(lane) << self.read.facts.down);
            duals.map(D::from_i128).collect()
        };
        let down = self.read.facts.down;
        let Terms { alone, caps } = terms;
        let has_prices = caps.is_some();
        let columns = caps.unwrap_or_else(|| lanes(start::plain(self.table)));
        let all = self.table.entries();
        let near = Near::new(self.table, down, &weight, &columns, self.read.workers);
        let mut search = Search::new(near, alone.as_deref(), columns, all);
        let may_pair_all = self.may_pair_all();
        let patience = if may_pair_all {
            all / PATIENCE
        } else {
            all.saturating_mul(PATIENCE_ALONE)
        };
        let ends = search.run(patience, |search| {
            limits
                .look(search.work, || Glimpse {
                    // Who solves what is too long here may begin with a worse bound.
                    doubled_bound: self.doubled_bound(search, top).filter(|_| may_pair_all),
                    ..self.glimpse(search, top)
                })
                .map(Ends::Stopped)
        });
        match ends {
            Ends::Tired if may_pair_all => {}
            Ends::Tired => {
                limits.count(search.work);
                return Ok(None);
            }
            ends => return Ok(Some(self.conclude(&search, ends, top, limits))),
        }
        let spent = search.work;
        let known = self.doubled_bound(&search, top);
        let Search { rows: own, columns, .. } = search;
        let padded;
        let table = if rows < self.table.columns() {
            padded = self.table.padded();
            &padded
        } else {
            self.table
        };
        let (duals, more) = start::sampled(table, self.read.workers, &limits.after(spent));
        let sampled = lanes(duals);
        let near = Near::new(table, down, &weight, &sampled, self.read.workers);
        let mut search = Search::new(near, None, sampled, spent + more + table.entries());
        let ends = search.run(u64::MAX, |search| {
            limits
                .look(search.work, || {
                    let glimpse = self.glimpse(search, top);
                    Glimpse {
                        doubled_bound: glimpse.doubled_bound.max(known),
                        ..glimpse
                    }
                })
                .map(Ends::Stopped)
        });
        if has_prices {
            search.lower_to_zero();
        }
        if matches!(ends, Ends::Stopped(_)) && self.doubled_bound(&search, top) < known {
            (search.rows, search.columns) = (own, columns);
        }
        Ok(Some(self.conclude(&search, ends, top, limits)))
    }

    /// Whether nobody of the smaller side stays alone: because none may, or because none need and as many pairs as possible are
    /// asked for.
    fn may_pair_all(&self) -> bool {
        let (rows, columns) = (self.table.rows(), self.table.columns());
        let is_complete = self.read.facts.allowed == (rows * columns) as u64;
        let is_asked = matches!(self.reduced.objective(), Objective::MaxCardinality);
        !self.reduced.is_doubled() || is_asked && is_complete && columns <= PADDED * rows
    }

    fn conclude<D: Dual>(
        &self,
        search: &Found<'_, D>,
        ends: Ends,
        top: i128,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Failure> {
        limits.count(search.work);
        match ends {
            Ends::Done | Ends::Tired => Ok(self.outcome(search, None, top)),
            Ends::Stopped(reason) => Ok(self.outcome(search, Some(reason), top)),
            Ends::Stuck(rows, columns) => {
                let removed = columns.iter().map(|&column| self.vertex_of_column(column as usize));
                let left = rows.iter().map(|&row| vec![self.vertex_of_row(row as usize)]);
                Err(Failure::Infeasible {
                    witness: TutteBerge::new(removed.collect(), left.collect()),
                    work: search.work,
                })
            }
        }
    }

    fn glimpse<D: Dual>(&self, search: &Found<'_, D>, top: i128) -> Glimpse {
        Glimpse {
            stage: Stage::Search,
            left: Some(search.left()),
            doubled_bound: self.doubled_bound(search, top),
        }
    }

    /// What the duals prove, in half units; `None` if that is too much for a number.
    fn doubled_bound<D: Dual>(&self, search: &Found<'_, D>, top: i128) -> Option<i128> {
        let sum = |duals: &[D], more: i128| {
            let mut duals = duals.iter();
            duals.try_fold(0i128, |sum, &dual| sum.checked_add(dual.into() + more))
        };
        let rows = sum(&search.rows[..self.table.rows()], self.least - top)?;
        let columns = sum(&search.columns, top)?;
        let copies = if self.reduced.is_doubled() { 4 } else { 2 };
        rows.checked_add(columns)?.checked_mul(copies)
    }

    /// The answer in terms of vertices, with duals in half units.
    fn outcome<D: Dual>(&self, search: &Found<'_, D>, stopped: Option<StopReason>, top: i128) -> Outcome {
        let n = self.read.cost.len();
        let mut mates = vec![u32::MAX; n];
        let mut duals = vec![0i128; n];
        // Of rows for all columns, only those of the cost.
        for row in 0..self.table.rows() {
            let vertex = self.vertex_of_row(row);
            duals[vertex] = 2 * (search.rows[row].into() + self.least - top);
            if let Some(column) = search.partner(row) {
                let other = self.vertex_of_column(column);
                (mates[vertex], mates[other]) = (other as u32, vertex as u32);
            }
        }
        for column in 0..self.table.columns() {
            duals[self.vertex_of_column(column)] = 2 * (search.columns[column].into() + top);
        }
        if self.reduced.is_doubled() {
            duals.extend_from_within(..);
        }
        let order = (0..duals.len() as u32).collect();
        Outcome {
            mates,
            certificate: Certificate::new(duals, order, Vec::new(), 0),
            stopped,
            work: search.work,
        }
    }
}
