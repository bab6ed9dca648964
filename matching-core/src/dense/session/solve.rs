//! One solve of a session, from where the last one ended.

use core::ops::Range;

use super::super::matrix::MatrixPairs;
use super::super::nearby::Nearby;
use super::super::parallel::{Workers, with_threads};
use super::super::pipeline::{Pipeline, Solved};
use super::super::renewal::{Last, NONE, Renewal};
use super::super::settled::Settled;
use super::Session;
use crate::blossom::{Blossom, Objective};
use crate::edge_list::Edge;
use crate::engine::{Failure, FromI64, Limits, Numbers, Outcome, Warm, WideI64, Widths, widths};
use crate::error::Error;
use crate::input::Input;
use crate::numbers::Grid;
use crate::reduction::Reduced;
use crate::solution::{Solution, SolvedBy};
use crate::witness::TutteBerge;

/// One new player for so many old ones, and more: everything is solved anew.
const TOO_NEW: usize = 3;

/// The problem of a solve, but for the pairs.
struct Problem {
    /// Copies of the players.
    copies: usize,
    vertices: usize,
    /// Byes, or links between copies.
    extra: Vec<Edge<i64>>,
    /// The least weight, from which all are counted.
    least: i64,
    widths: Widths,
}

impl Session {
    /// The cheapest pairing of the pool as it is now; with penalties the cheapest of all, whoever stays alone.
    ///
    /// # Errors
    /// [`Error::NoPerfectMatching`] with a witness; always, for an odd pool with neither byes nor penalties; never, for
    /// one with penalties.
    ///
    /// # Complexity
    /// One look at all pairs, and a search for each change since the last solve; from scratch where most players are
    /// new. With penalties twice that, as two copies of the pool are solved.
    pub fn solve(&mut self) -> Result<Solution<i64>, Error> {
        let mut blossom = Blossom::new()
            .objective(self.objective.clone())
            .budget(self.budget.clone());
        blossom.observer.clone_from(&self.observer);
        if self.len() < 2 {
            self.last = None;
            return blossom.solve(&*self);
        }
        if self.objective == Objective::MinPerfect && self.len() % 2 == 1 && self.costs.is_complete() {
            // What the next solve goes on from is still true.
            let witness = TutteBerge::of_odd_number(self.len());
            return Err(Error::NoPerfectMatching(witness.by(SolvedBy::Dense)));
        }
        let reduced = Reduced::new(self.len(), blossom.asked(), Grid::INTEGERS, 0)?;
        let Some(problem) = self.problem(&reduced)? else {
            // Sums of such costs need 128 bits.
            self.forget();
            return blossom.threads(self.threads).solve(&*self);
        };
        let threads = self.threads;
        let solved = with_threads(threads, self.len(), || {
            if problem.widths.is_narrow() {
                self.solve_problem::<FromI64>(problem)
            } else {
                self.solve_problem::<WideI64>(problem)
            }
        });
        let outcome = match solved {
            Ok(outcome) => outcome,
            Err(failure) => {
                self.forget();
                return Err(reduced.explain(failure, SolvedBy::Dense));
            }
        };
        blossom.assemble(Input::Pairs(&*self), &reduced, outcome, SolvedBy::Dense)
    }

    /// The next solve starts from nothing.
    fn forget(&mut self) {
        self.last = None;
        self.origin.fill(NONE);
    }

    /// What to solve, if all sums fit 64 bits.
    fn problem(&mut self, reduced: &Reduced<'_, i64>) -> Result<Option<Problem>, Error> {
        let mut extra = Vec::new();
        reduced.visit_extra(|u, v, weight| extra.push(Edge { u, v, weight }))?;
        self.costs.refine();
        let reach = self.reach_if_long(reduced, &extra).or_else(|| {
            self.costs.tighten();
            self.reach_if_long(reduced, &extra)
        });
        Ok(reach.map(|(least, widths)| Problem {
            copies: if reduced.is_doubled() { 2 } else { 1 },
            vertices: reduced.vertices(),
            extra: extra.iter().map(narrowed).collect(),
            least,
            widths,
        }))
    }

    /// The least weight to count from, and how wide integers must be.
    fn reach_if_long(&self, reduced: &Reduced<'_, i64>, extra: &[Edge<i128>]) -> Option<(i64, Widths)> {
        let weights = || extra.iter().map(|edge| edge.weight);
        let least = weights().fold(self.costs.scale().least.into(), i128::min);
        // Without pairs, the scale still counts from where the last ones were; until it is tightened, that is a weight
        // like any other.
        let high = self.costs.range().map_or(self.costs.scale().least, |(_, high)| high);
        let greatest = weights().fold(high.into(), i128::max);
        // As if there were a bye in any case: what the last solve left may be of a pool that had one.
        let widths = widths(reduced.vertices().max(self.len() + 1), least, greatest);
        let least = i64::try_from(least).ok()?;
        widths.is_long().then_some((least, widths))
    }

    /// Solves from the end of the last solve, if most players were there.
    fn solve_problem<N>(&mut self, problem: Problem) -> Result<Outcome, Failure>
    where
        N: Numbers<Weight = i64, Dual = i64>,
    {
        let scale = self.costs.scale();
        match self.last.as_ref().filter(|last| last.is_sharp()) {
            Some(last) => self.costs.coarsen(last.most(scale)),
            None => self.costs.forget_bounds(),
        }
        let n = self.len();
        let Problem {
            copies,
            vertices,
            extra,
            least,
            ..
        } = problem;
        let limits = Limits::start(&self.budget).heard_by(self.observer.as_ref());
        let rows = self.costs.rows();
        let weight = |u: usize, v: usize| self.costs.get(u, v).unwrap_or(least);
        let pairs = MatrixPairs::<N> {
            rows: &rows,
            copies,
            vertices,
            links: (copies == 2).then(|| extra.iter().map(|link| scale.clamped(link.weight)).collect()),
            extra,
            weight: &weight,
            least,
            least_of_rows: scale.least.into(),
            down: scale.down,
            is_complete: self.costs.is_complete(),
            workers: Workers::choose(self.threads, n * n),
            check: None,
            limits: &limits,
        };
        let fresh = self.origin.iter().filter(|&&origin| origin == NONE).count();
        let is_of_use = |last: &Last| fresh * TOO_NEW <= n && last.copies == copies && last.is_bounded();
        let warm = self.last.take().filter(is_of_use);
        let mut near = 0..0;
        let pipeline = match warm {
            Some(last) => {
                let is_settled = last.scale == scale;
                let renewed = Renewal::new(&pairs, &self.origin, last).run();
                let settled = if is_settled { renewed.settled } else { Vec::new() };
                near = renewed.near;
                Pipeline::resume(&pairs, renewed.edges, renewed.state, settled, &limits)
            }
            None => Pipeline::new(&pairs, pairs.start(), &limits, 3 * (n as u64) * (n as u64)),
        };
        let solved = pipeline.run()?;
        Ok(self.keep(solved, near, copies, least))
    }

    /// Keeps of a solve what the next one goes on from. The edges at `near` were there for their little slack.
    fn keep<N>(
        &mut self,
        solved: Solved<N, Vec<Settled<i64>>>,
        near: Range<usize>,
        copies: usize,
        least: i64,
    ) -> Outcome
    where
        N: Numbers<Weight = i64, Dual = i64>,
    {
        let outcome = solved.outcome;
        let Some(state) = solved.state else {
            self.forget();
            return outcome;
        };
        let mut settled = solved.settled;
        let mut edges = solved.edges;
        let near = match settled.first_mut().filter(|_| solved.has_kept_edges) {
            Some(settled) => self.still_near(&mut settled.nearby, &state, &mut edges, near, least),
            None => Vec::new(),
        };
        // The next search takes the first tight edge of each player that it can: let that be this pairing's.
        let mut pairs = 0;
        for at in 0..edges.len() {
            if outcome.mates[edges[at].u as usize] == edges[at].v {
                edges.swap(at, pairs);
                pairs += 1;
            }
        }
        self.last = Some(Last {
            players: self.len(),
            copies,
            state,
            edges,
            near,
            least,
            settled,
            scale: self.costs.scale(),
        });
        self.origin = (0..self.len() as u32).collect();
        outcome
    }

    /// Takes the edges at `near` out, and returns those of little slack that the next solve is to have besides.
    fn still_near(
        &self,
        nearby: &mut Nearby,
        state: &Warm<i64>,
        edges: &mut Vec<Edge<i64>>,
        near: Range<usize>,
        least: i64,
    ) -> Vec<Edge<i64>> {
        let weight = |u: u32, v: u32| self.costs.get(u as usize, v as usize);
        let slack = |edge: &Edge<i64>| {
            let weight = 2 * (edge.weight - least);
            // Blossoms around both ends only add to it.
            let without = weight - state.totals()[edge.u as usize] - state.totals()[edge.v as usize];
            if without > 0 {
                without
            } else {
                state.slack(edge.u, edge.v, weight)
            }
        };
        nearby.keep(edges, near, self.len(), self.costs.scale().down, weight, slack)
    }
}

/// An edge whose weight is known to fit.
fn narrowed(edge: &Edge<i128>) -> Edge<i64> {
    Edge {
        u: edge.u,
        v: edge.v,
        weight: edge.weight as i64,
    }
}
