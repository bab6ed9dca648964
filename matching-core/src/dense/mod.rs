//! The dense engine: complete graphs, in a small multiple of the time that reading their costs once takes.
//!
//! On complete graphs the blossom search is not the bottleneck; which edges it sees is.
//!
//! - [`read`]: a cost becomes [`rows`] of 32-bit [`lanes`];
//! - [`levels`]: potentials of all vertices, from samples of them;
//! - [`alone`]: the same rows where vertices may stay alone;
//! - [`candidates`]: few pairs of each vertex, by reduced cost;
//! - [`pipeline`]: exact search on these, [`pricing`] of all pairs, repair, until all pairs are priced out;
//! - [`settled`]: which pairs need not be priced again.
//!
//! - [`two_sides`]: costs whose pairs are all between two sides, without odd circuits;
//! - [`session`]: the same pool again and again, with the costs of [`pool`], by [`renewal`] of what the last solve
//!   left;
//! - [`geometry`]: the same for things in space, [`placed`] along a curve, which finds their pairs through an index of
//!   [`neighbours`].
//!
//! Every pass is one vector loop over rows, shared out by [`parallel`]. `DESIGN.md` of this crate says why it is done
//! so.

mod alone;
mod candidates;
mod coarse;
pub(crate) mod geometry;
mod lanes;
mod levels;
mod matrix;
mod nearby;
mod neighbours;
mod parallel;
mod pipeline;
mod placed;
mod pool;
mod pricing;
mod read;
mod renewal;
mod rows;
mod session;
mod settled;
mod shells;
mod strata;
#[cfg(test)]
mod tests;
mod tree;
pub(crate) mod two_sides;

use crate::blossom::{Objective, Precision};
use crate::cost::{Cost, CostValue};
use crate::edge_list::Edge;
use crate::engine::{Failure, FromI64, FromI128, Limits, Numbers, Outcome, WideI64, Widths, widths};
use crate::error::Error;
use crate::reduction::Reduced;
use crate::solution::SolvedBy;
use crate::witness::TutteBerge;
use alone::{Alone, Bounded, Fold};
use matrix::{Check, MatrixPairs};
use parallel::Aside;
pub(crate) use parallel::{Workers, with_threads};
use pipeline::Pipeline;
use read::{Facts, Reading, Unchecked};
use rows::Rows;
pub use session::Session;

/// Costs with fewer allowed pairs than one in so many are lists of edges in disguise.
const LEAST_DENSITY: u64 = 8;

/// Whether a cost with few allowed pairs is solved all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Insist {
    Yes,
    No,
}

/// What is asked, but for the cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task<'t, V: CostValue> {
    pub(crate) objective: &'t Objective<V>,
    pub(crate) precision: Precision,
    pub(crate) limits: &'t Limits<'t>,
    pub(crate) threads: usize,
    pub(crate) insist: Insist,
}

/// A reduced problem, what was found of it, and by whom.
type Solved<'t, V> = (Reduced<'t, V>, Outcome, SolvedBy);

/// Whether so many vertices, of which the first ones pair with the others only, have too few pairs for this engine in any case.
pub(crate) fn is_list_by_shape(n: usize, first: usize) -> bool {
    let between = first as u64 * n.saturating_sub(first) as u64;
    2 * between < Facts::pairs(n) / LEAST_DENSITY
}

/// Solves a cost on all pairs; `None` where a list of its edges is better.
pub(crate) fn solve<'t, V: CostValue>(
    cost: &dyn Cost<Value = V>,
    task: &Task<'t, V>,
) -> Result<Option<Solved<'t, V>>, Error> {
    let n = cost.len();
    let workers = Workers::choose(task.threads, n.saturating_mul(n));
    workers.enter(|| solve_with(workers, cost, task))
}

fn solve_with<'t, V: CostValue>(
    workers: Workers,
    cost: &dyn Cost<Value = V>,
    task: &Task<'t, V>,
) -> Result<Option<Solved<'t, V>>, Error> {
    let n = cost.len();
    let is_negated = task.objective.is_maximum();
    let reading = Reading {
        objective: task.objective,
        precision: task.precision,
        is_negated,
        memory: task.limits.memory(),
        workers,
    };
    let mut stream = None;
    let (mut rows, facts, unchecked) = read::read(cost, &reading, &mut stream)?;
    if n < 2 || facts.allowed == 0 || (task.insist == Insist::No && facts.allowed < Facts::pairs(n) / LEAST_DENSITY) {
        return Ok(None);
    }
    if unchecked.is_none()
        && let Some(solved) = two_sides::solve_rows(cost, &rows, facts, task, workers)
    {
        return solved.map(|(reduced, outcome)| Some((reduced, outcome, SolvedBy::Assignment)));
    }
    let (low, high) = facts.range;
    let reduced = Reduced::new(
        n,
        task.objective,
        facts.grid,
        low.unsigned_abs().max(high.unsigned_abs()),
    )?;
    let mut weights = Weights::of(&reduced, facts.range)?;
    // Where one copy will do, what two of them need is asked for all the same: no engine takes more than another.
    let fits = weights.widths(reduced.vertices()).check();
    fits.map_err(|failure| reduced.explain(failure, SolvedBy::Dense))?;
    let fold = Fold::choose(&reduced, task.objective, &rows, &facts, weights.least_of_rows);
    let alone = fold.as_ref().and_then(|fold| fold.alone.as_ref());
    if let Some(fold) = &fold {
        weights = Weights::of(&fold.reduced, facts.range)?;
        weights.greatest = alone.map_or(weights.greatest, |alone| alone.greatest().max(weights.greatest));
    }
    let kept = alone.and_then(|_| rows.take_kept());
    let bounded = alone.map(|alone| Bounded::new(&rows, alone));
    let bounded = bounded
        .as_ref()
        .map(|bounded| bounded.rows(kept, reading.memory, workers));
    let instance = Instance {
        cost,
        rows: bounded.as_ref().unwrap_or(&rows),
        facts,
        reduced: fold.as_ref().map_or(&reduced, |fold| &fold.reduced),
        weights,
        alone,
        unchecked,
        workers,
    };
    let mut outcome = instance.dispatch(task.limits)?;
    if let Some(fold) = &fold {
        let Outcome { mates, certificate, .. } = &mut outcome;
        let cost = |u, v| {
            let is_allowed = cost.is_allowed(u, v);
            is_allowed.then(|| reduced.reduced_cost(cost.pair(u, v)).ok()).flatten()
        };
        reduced.unfold(&fold.reduced, mates, certificate, cost)?;
    }
    Ok(Some((reduced, outcome, SolvedBy::Dense)))
}

/// The weights of a reduced instance.
struct Weights {
    /// Edges that are no pairs of the cost.
    extra: Vec<Edge<i128>>,
    least_of_rows: i128,
    least: i128,
    greatest: i128,
}

impl Weights {
    fn of<V: CostValue>(reduced: &Reduced<'_, V>, (low, high): (i128, i128)) -> Result<Self, Error> {
        let mut extra = Vec::new();
        reduced.visit_extra(|u, v, weight| extra.push(Edge { u, v, weight }))?;
        let (least_of_rows, greatest_of_rows) = if reduced.is_maximum() {
            (-high, -low)
        } else {
            (low, high)
        };
        let weights = || extra.iter().map(|edge| edge.weight);
        Ok(Self {
            least_of_rows,
            least: weights().fold(least_of_rows, i128::min),
            greatest: weights().fold(greatest_of_rows, i128::max),
            extra,
        })
    }

    fn widths(&self, vertices: usize) -> Widths {
        widths(vertices, self.least, self.greatest)
    }
}

/// A cost that has been read.
struct Instance<'i, V: CostValue> {
    cost: &'i dyn Cost<Value = V>,
    rows: &'i Rows<'i>,
    facts: Facts,
    reduced: &'i Reduced<'i, V>,
    weights: Weights,
    /// What bounds the costs of pairs, where that is to be looked at.
    alone: Option<&'i Alone>,
    /// What is left to check.
    unchecked: Option<Unchecked<'i>>,
    workers: Workers,
}

impl<V: CostValue> Instance<'_, V> {
    /// Solves with the narrowest integers that are provably safe.
    fn dispatch(&self, limits: &Limits<'_>) -> Result<Outcome, Error> {
        let Weights { least, greatest, .. } = self.weights;
        let widths = self.weights.widths(self.reduced.vertices());
        if let (Ok(_), Ok(_), true) = (i64::try_from(least), i64::try_from(greatest), widths.is_long()) {
            if widths.is_narrow() {
                self.solve::<FromI64>(|weight| weight as i64, limits)
            } else {
                self.solve::<WideI64>(|weight| weight as i64, limits)
            }
        } else {
            self.solve::<FromI128>(|weight| weight, limits)
        }
    }

    fn solve<N: Numbers>(
        &self,
        narrow: impl Fn(i128) -> N::Weight + Sync,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Error> {
        let Weights {
            extra,
            least_of_rows,
            least,
            ..
        } = &self.weights;
        let (least_of_rows, least) = (*least_of_rows, *least);
        // Reading saw that every allowed cost is on the grid.
        let cost = |u: usize, v: usize| self.reduced.reduced_cost(self.cost.pair(u, v)).unwrap_or(least);
        let weight = |u: usize, v: usize| match self.alone {
            None => narrow(cost(u, v)),
            Some(alone) if self.cost.is_allowed(u, v) => narrow(cost(u, v).min(alone.pair(u, v))),
            Some(alone) => narrow(alone.pair(u, v)),
        };
        let lane = |weight: i128| {
            let lane = (weight - least_of_rows) >> self.facts.down;
            lane.clamp(-(1 << lanes::LANE_BITS), 1 << lanes::LANE_BITS) as i32
        };
        let copies = if self.reduced.is_doubled() { 2 } else { 1 };
        let links = (copies == 2).then(|| extra.iter().map(|edge| lane(edge.weight)).collect());
        let extra = extra.iter().map(|edge| Edge {
            u: edge.u,
            v: edge.v,
            weight: narrow(edge.weight),
        });
        // What is forbidden is two vertices alone, where these are a pair.
        let is_complete = self.alone.is_some() || self.facts.is_complete(self.rows.len());
        let part = |part: usize| {
            if let Some(matrix) = &self.unchecked {
                matrix.check(part);
            }
        };
        let aside = Aside::new(self.unchecked.as_ref().map_or(0, Unchecked::parts), &part);
        if self.workers == Workers::One {
            self.workers.finish(&aside);
            self.verdict()?;
        }
        if is_complete && self.reduced.vertices() % 2 == 1 {
            self.workers.finish(&aside);
            self.verdict()?;
            let witness = TutteBerge::of_odd_number(self.reduced.vertices());
            return Err(self.reduced.explain(Failure::at_sight(witness), SolvedBy::Dense));
        }
        // With more threads, there are many steps to come that leave all but one of them time for it.
        let matrix = self.unchecked.as_ref().filter(|_| self.workers != Workers::One);
        let pairs = MatrixPairs::<N> {
            rows: self.rows,
            copies,
            vertices: self.reduced.vertices(),
            extra: extra.collect(),
            links,
            weight: &weight,
            least: narrow(least),
            least_of_rows,
            down: self.facts.down,
            is_complete,
            workers: self.workers,
            check: matrix.map(|matrix| Check { matrix, aside: &aside }),
            limits,
        };
        let n = self.rows.len() as u64;
        let start = pairs.start();
        if self.verdict().is_err() {
            // There is no use in a search, but the fault to tell of is the first.
            self.workers.finish(&aside);
            self.verdict()?;
        }
        let solved = Pipeline::new(&pairs, start, limits, 3 * n * n).run();
        self.workers.finish(&aside);
        self.verdict()?;
        Ok(solved
            .map_err(|failure| self.reduced.explain(failure, SolvedBy::Dense))?
            .outcome)
    }

    /// Fails where a matrix was found not to be symmetric.
    fn verdict(&self) -> Result<(), Error> {
        self.unchecked.as_ref().map_or(Ok(()), Unchecked::verdict)
    }
}
