//! Two sides, and pairs between them only: the assignment problem, without odd circuits.
//!
//! - [`sides`]: who is on which side, where a cost does not say so;
//! - [`table`]: the costs of one side with the other, as lanes;
//! - [`near`]: the few best columns of each row, and what all others cost at least;
//! - [`problem`]: paths from rows, then from columns that must pay the price of staying alone;
//! - [`level`]: costs less what rows and columns cost in themselves, where lanes have no bits for what is left;
//! - [`start`]: duals of the columns, from samples of both sides;
//! - [`market`]: what they are where prices of staying alone decide;
//! - [`assignment`](crate::assignment): bids and shortest augmenting paths, which read whole rows only where they come to their end;
//! - here: objectives as prices of staying alone, and the answer as a matching of all vertices.
//!
//! Prices of columns never rise, so that what a row knew of its columns stays a lower bound: exactness needs no second look at
//! all pairs.

mod level;
mod market;
mod near;
mod problem;
mod sides;
mod start;
mod table;

use super::read::{Facts, Reading};
use super::rows::Rows;
use super::{Insist, LEAST_DENSITY, Task, Weights, Workers};
use crate::assignment::{Ends, NONE};
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
use level::Level;
use problem::{Duals, Glance, Problem, Standing, Terms};
use table::Table;

/// Paths that look at more than one entry for so many that there are begin with the wrong duals.
const PATIENCE: u64 = 4;

/// Solves a cost whose first `first` vertices pair with the others only; refused where a list of its edges is better, and so for
/// every engine that reads all pairs: they are twice as many of those in all, at most, as they are of those between the sides.
pub(crate) fn solve<'t, V: CostValue>(
    cost: &dyn Cost<Value = V>,
    first: usize,
    task: &Task<'t, V>,
) -> Result<Attempt<(Reduced<'t, V>, Outcome)>, Error> {
    let n = cost.len();
    if first == 0 || first >= n {
        return Ok(Attempt::Refused);
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
    read.solve(&table, task).map(Attempt::Solved)
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
    // Half of all pairs are within a side at least; all matrices must fit, of which those of the sides are a quarter.
    let copies = if has_prices(task.objective, n) { 2 } else { 1 };
    let bytes = n.saturating_mul(n).saturating_mul(4 + copies);
    let is_possible = 2 * facts.allowed <= (n * n) as u64 && bytes <= task.limits.memory();
    if !is_possible || task.insist == Insist::Yes {
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
    Some(read.solve(&table, task))
}

/// Whether staying alone is possible, and what it costs matters.
fn has_prices<V: CostValue>(objective: &Objective<V>, n: usize) -> bool {
    objective.is_doubled() || has_bye(objective, n)
}

/// Whether one vertex stays alone, and no more.
fn has_bye<V: CostValue>(objective: &Objective<V>, n: usize) -> bool {
    matches!(objective, Objective::MinBye(_)) && n % 2 == 1
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
    fn solve<'t>(self, table: &Table, task: &Task<'t, V>) -> Result<(Reduced<'t, V>, Outcome), Error> {
        let n = self.cost.len();
        let (low, high) = self.facts.range;
        let largest = low.unsigned_abs().max(high.unsigned_abs());
        let reduced = Reduced::new(n, task.objective, self.facts.grid, largest)?;
        let weights = Weights::of(&reduced, self.facts.range)?;
        let widths = weights.widths(reduced.vertices());
        let failed = |failure| reduced.explain(failure, SolvedBy::Assignment);
        widths.check().map_err(failed)?;
        let has_bye = has_bye(task.objective, n);
        let is_even = 2 * self.sides[0].len() + usize::from(has_bye) == n;
        let sides = Sides {
            read: self,
            table,
            reduced: &reduced,
            least: weights.least_of_rows,
            has_bye,
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
        let outcome = outcome?.map_err(failed)?;
        Ok((reduced, outcome))
    }
}

/// A problem in integers.
struct Sides<'s, V: CostValue> {
    read: Read<'s, V>,
    table: &'s Table,
    reduced: &'s Reduced<'s, V>,
    /// The least reduced cost, which is 0 in the table.
    least: i128,
    /// One column stays alone, and no row.
    has_bye: bool,
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
        if !self.reduced.is_doubled() && !self.has_bye {
            let none = Terms {
                alone: None,
                caps: None,
                has_bye: false,
            };
            return Ok((none, 0));
        }
        let price = |vertex| self.reduced.unmatched_cost(vertex);
        let columns = (0..self.table.columns()).map(|column| price(self.vertex_of_column(column)));
        let columns = columns.collect::<Result<Vec<i128>, Error>>()?;
        let top = columns.iter().copied().max().unwrap_or(0);
        let rows =
            (0..self.table.rows()).map(|row| Ok(D::from_i128(price(self.vertex_of_row(row))? - self.least + top)));
        let alone = match self.has_bye {
            true => None,
            false => Some(rows.collect::<Result<_, Error>>()?),
        };
        let terms = Terms {
            alone,
            caps: Some(columns.iter().map(|&price| D::from_i128(price - top)).collect()),
            has_bye: self.has_bye,
        };
        Ok((terms, top))
    }

    fn solve<D: Dual>(&self, limits: &Limits<'_>) -> Result<Result<Outcome, Failure>, Error> {
        let (mut terms, top) = self.terms::<D>()?;
        let (down, workers) = (self.read.facts.down, self.read.workers);
        // Reading saw that every allowed cost is on the grid.
        let whole = |row: usize, column: usize| {
            let (row, column) = (self.vertex_of_row(row), self.vertex_of_column(column));
            let cost = self.reduced.reduced_cost(self.read.cost.pair(row, column));
            D::from_i128(cost.unwrap_or(self.least) - self.least)
        };
        let all = self.table.entries();
        let problem = Problem {
            table: self.table,
            down,
            weight: &whole,
            terms: &terms,
            workers,
        };
        let (level, levelling) = Level::of(&problem, &limits.after(all));
        let rest = |row: usize, column: usize| {
            let weight = whole(row, column);
            level.as_ref().map_or(weight, |level| level.rest(row, column, weight))
        };
        let problem = match &level {
            Some(level) => {
                level.lower_terms(&mut terms);
                Problem {
                    table: &level.table,
                    down: level.down,
                    weight: &rest,
                    terms: &terms,
                    workers,
                }
            }
            None => problem,
        };
        let base = self.base(level.as_ref(), top);
        let (standing, ends) = self.search(&problem, all + levelling, base, limits);
        Ok(self.conclude(standing, ends, level.as_ref(), top, limits))
    }

    /// Paths from what is known at sight, and if these are long from duals of samples; when so many entries have been looked at.
    fn search<D: Dual>(
        &self,
        problem: &Problem<'_, D>,
        work: u64,
        base: Option<i128>,
        limits: &Limits<'_>,
    ) -> (Standing<D>, Ends) {
        let table = problem.table;
        let lanes = Problem {
            table,
            down: 0,
            weight: &|row, column| table.row(row)[column].into(),
            terms: &problem.terms.in_lanes(problem.down, table.rows()),
            workers: problem.workers,
        };
        let (mut first, ends) = problem.solve(
            problem.columns(start::plain(&lanes)),
            work,
            table.entries() / PATIENCE,
            &mut |glance| limits.look(glance.work, || self.glimpse(glance, base)),
        );
        if !matches!(ends, Ends::Tired) {
            return (first, ends);
        }

        let known = self.doubled_bound(&first.duals(), base);
        let (columns, more) = start::sampled(&lanes, &limits.after(first.work));
        let work = first.work + more + table.entries();
        let (mut last, ends) = problem.solve(problem.columns(columns), work, u64::MAX, &mut |glance| {
            limits.look(glance.work, || {
                let glimpse = self.glimpse(glance, base);
                Glimpse {
                    doubled_bound: glimpse.doubled_bound.max(known),
                    ..glimpse
                }
            })
        });
        let is_worse = matches!(ends, Ends::Stopped(_)) && self.doubled_bound(&last.duals(), base) < known;
        if is_worse {
            first.work = last.work;
            last = first;
        }
        (last, ends)
    }

    fn conclude<D: Dual>(
        &self,
        mut standing: Standing<D>,
        ends: Ends,
        level: Option<&Level<D>>,
        top: i128,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Failure> {
        limits.count(standing.work);
        if let Some(level) = level {
            level.raise(&mut standing);
        }
        match ends {
            Ends::Done | Ends::Tired => Ok(self.outcome(&standing, None, top)),
            Ends::Stopped(reason) => Ok(self.outcome(&standing, Some(reason), top)),
            Ends::Stuck(rows, columns) => Err(Failure::Infeasible {
                witness: self.stuck(&rows, &columns),
                work: standing.work,
            }),
        }
    }

    /// Why not everybody has a partner where those rows have no columns but these, which are one less.
    fn stuck(&self, rows: &[u32], columns: &[u32]) -> TutteBerge {
        let mut removed: Vec<usize> = columns
            .iter()
            .map(|&column| self.vertex_of_column(column as usize))
            .collect();
        let mut left: Vec<Vec<usize>> = rows.iter().map(|&row| vec![self.vertex_of_row(row as usize)]).collect();
        if self.has_bye {
            // One of those rows may have the bye, but then the other columns have too few rows, by two.
            let [all_rows, all_columns] = &self.read.sides;
            let mut is_told = vec![false; self.read.cost.len()];
            for &vertex in removed.iter().chain(left.iter().flatten()) {
                is_told[vertex] = true;
            }
            let others = |side: &[u32]| -> Vec<usize> {
                let side = side.iter().map(|&vertex| vertex as usize);
                side.filter(|&vertex| !is_told[vertex]).collect()
            };
            removed.extend(others(all_rows));
            left.extend(others(all_columns).into_iter().map(|vertex| vec![vertex]));
        }
        TutteBerge::new(removed, left)
    }

    fn glimpse<D: Dual>(&self, glance: &Glance<'_, D>, base: Option<i128>) -> Glimpse {
        Glimpse {
            stage: Stage::Search,
            left: Some(glance.left),
            doubled_bound: self.doubled_bound(&glance.duals, base),
        }
    }

    /// What all pay where duals are 0; `None` if that is too much for a number.
    fn base<D: Dual>(&self, level: Option<&Level<D>>, top: i128) -> Option<i128> {
        let rows = (self.least - top).checked_mul(self.table.rows() as i128)?;
        let columns = top.checked_mul(self.table.columns() as i128)?;
        let taken_off = level.map_or(Some(0), Level::total)?;
        rows.checked_add(columns)?.checked_add(taken_off)
    }

    /// What the duals prove, in half units; `None` if that is too much for a number.
    fn doubled_bound<D: Dual>(&self, duals: &Duals<'_, D>, base: Option<i128>) -> Option<i128> {
        let copies = if self.reduced.is_doubled() { 4 } else { 2 };
        duals.total()?.checked_add(base?)?.checked_mul(copies)
    }

    /// The dual of the vertex that stands for the bye, after those of all others in half units. Columns pay no more than their price,
    /// but rows do: as much as it pays less, rows pay less as well and columns more, until nobody pays too much.
    fn add_bye(&self, duals: &mut Vec<i128>) {
        let [rows, columns] = &self.read.sides;
        let room = rows.iter().map(|&row| {
            // Reading saw that it is on the grid.
            let price = self.reduced.unmatched_cost(row as usize).unwrap_or(0);
            price - duals[row as usize] / 2
        });
        let bye = room.fold(0, i128::min);
        rows.iter().for_each(|&row| duals[row as usize] += bye);
        columns.iter().for_each(|&column| duals[column as usize] -= bye);
        duals.push(bye);
    }

    /// The answer in terms of vertices, with duals in half units.
    fn outcome<D: Dual>(&self, standing: &Standing<D>, stopped: Option<StopReason>, top: i128) -> Outcome {
        let n = self.read.cost.len();
        let mut mates = vec![NONE; n];
        let mut duals = vec![0i128; n];
        for (row, &dual) in standing.rows.iter().enumerate() {
            let vertex = self.vertex_of_row(row);
            duals[vertex] = 2 * (dual.into() + self.least - top);
            if let Some(column) = standing.partner(row) {
                let other = self.vertex_of_column(column);
                (mates[vertex], mates[other]) = (other as u32, vertex as u32);
            }
        }
        for (column, &dual) in standing.columns.iter().enumerate() {
            duals[self.vertex_of_column(column)] = 2 * (dual.into() + top);
        }
        if self.reduced.is_doubled() {
            duals.extend_from_within(..);
        } else if self.has_bye {
            self.add_bye(&mut duals);
        }
        let order = (0..duals.len() as u32).collect();
        Outcome {
            mates,
            certificate: Certificate::new(duals, order, Vec::new(), 0),
            stopped,
            work: standing.work,
        }
    }
}
