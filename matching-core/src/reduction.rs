//! Every objective as a minimum-weight perfect matching.
//!
//! | objective | reduced instance, on grid integers |
//! | --- | --- |
//! | `MinPerfect` | the graph, cost `k` |
//! | `MaxPerfect` | the graph, cost `-k` |
//! | `MaxWeight` | two copies of the graph, cost `-k`, links of cost 0 between the copies of each vertex |
//! | `MinOptOut(p)` | two copies, cost `k`, links of cost `2 p(v)` |
//! | `MaxCardinality` | two copies, cost `-k`, links of cost `2 K`, `K = n max|k| + 1` |
//! | `MinBye(b)` | odd n: one more vertex, joined to every `v` at cost `b(v)`; even n: the graph |
//!
//! A matching in both copies, with the links of its unmatched vertices, is a perfect matching of exactly twice its
//! cost; so both copies of an optimum are optimal. `K` exceeds the difference of the weights of any two matchings:
//! the order of costs is the lexicographic order of size and weight, by proof and not by a guess at a large number.
//!
//! Where two vertices alone can be called a pair, one copy does ([`Reduced::folded`]), and its duals become those of two
//! ([`unfold`]).

mod unfold;

use crate::assignment::list;
use crate::blossom::Objective;
use crate::cost::CostValue;
use crate::edge_list::{Edge, EdgeList, LIMIT, VERTEX_LIMIT};
use crate::engine::{self, Failure, Limits, Outcome, WIDE_BITS};
use crate::error::Error;
use crate::numbers::{self, Grid};
use crate::solution::SolvedBy;
use crate::uniform::{self, Prices};
use crate::witness::TutteBerge;

/// A number of vertices and an objective, read as a minimum-weight perfect matching on integers.
#[derive(Clone, Debug)]
pub(crate) struct Reduced<'a, V: CostValue> {
    /// Number of vertices of the caller's instance.
    n: usize,
    objective: &'a Objective<V>,
    grid: Grid,
    /// `K` of [`Objective::MaxCardinality`], else zero.
    cardinality: i128,
    /// One copy stands for two.
    is_folded: bool,
}

impl<'a, V: CostValue> Reduced<'a, V> {
    /// Reads the objective for an instance of `n` vertices whose costs are at most `largest` on the grid, without
    /// their signs.
    ///
    /// # Errors
    /// A range that cannot be handled.
    pub(crate) fn new(n: usize, objective: &'a Objective<V>, grid: Grid, largest: u128) -> Result<Self, Error> {
        let mut reduced = Self {
            n,
            objective,
            grid,
            cardinality: 0,
            is_folded: false,
        };
        if matches!(objective, Objective::MaxCardinality) {
            let bound = i128::try_from(largest)
                .ok()
                .and_then(|largest| largest.checked_mul(n as i128));
            reduced.cardinality = bound
                .and_then(|bound| bound.checked_add(1))
                .ok_or_else(|| reduced.too_wide(127))?;
        }
        Ok(reduced)
    }

    /// Reads the objective for a list of edges.
    ///
    /// # Errors
    /// A size or range that cannot be handled.
    pub(crate) fn of_list(edges: &EdgeList<V>, objective: &'a Objective<V>, grid: Grid) -> Result<Self, Error> {
        let plain = Self {
            n: edges.len(),
            objective,
            grid,
            cardinality: 0,
            is_folded: false,
        };
        let (vertices, size) = (plain.vertices(), plain.size(edges.edges().len()));
        if vertices >= VERTEX_LIMIT || size >= LIMIT - 1 {
            return Err(Error::TooLarge { vertices, edges: size });
        }
        if !matches!(objective, Objective::MaxCardinality) {
            return Ok(plain);
        }
        let mut largest = 0u128;
        for edge in edges.edges() {
            largest = largest.max(plain.units(edge.weight)?.unsigned_abs());
        }
        Self::new(edges.len(), objective, grid, largest)
    }

    /// Number of vertices of the caller's instance.
    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// The grid its costs are on.
    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }

    /// One copy in place of two, and one more vertex where they are odd in number: whoever stays alone forms a pair with
    /// somebody else who does. All pairs are there, and cost no more than both of their vertices alone. `None` for
    /// objectives that have one copy anyway.
    pub(crate) fn folded(&self) -> Option<Self> {
        self.is_doubled().then(|| Self {
            is_folded: true,
            ..self.clone()
        })
    }

    /// The same where nobody stays alone who need not, as all pairs are allowed and none costs more than both of its
    /// vertices alone; costs are at least `low` and at most `high`. `None` where this is not so.
    pub(crate) fn folded_complete(&self, low: i128, high: i128) -> Option<Self> {
        let is_worth = match self.objective {
            Objective::MaxWeight => low >= 0,
            Objective::MinOptOut(costs) => {
                let mut alone = costs.iter().map(|&cost| self.units(cost).ok());
                alone.all(|alone| alone.is_some_and(|alone| high.checked_sub(alone).is_some_and(|rest| rest <= alone)))
            }
            _ => true,
        };
        // Of an odd number one stays alone: what that costs is the same for all, and may as well be nothing.
        self.folded().filter(|_| is_worth).map(|folded| Self {
            cardinality: 0,
            ..folded
        })
    }

    /// Vertices of the reduced instance.
    pub(crate) fn vertices(&self) -> usize {
        match self.objective {
            _ if self.is_folded => self.n.next_multiple_of(2),
            Objective::MinPerfect | Objective::MaxPerfect => self.n,
            Objective::MinBye(_) => self.n.next_multiple_of(2),
            _ => 2 * self.n,
        }
    }

    /// Edges of the reduced instance, for `m` of the caller's.
    fn size(&self, m: usize) -> usize {
        match self.objective {
            Objective::MinPerfect | Objective::MaxPerfect => m,
            Objective::MinBye(_) => m + self.n * (self.n % 2),
            _ => 2 * m + self.n,
        }
    }

    pub(crate) fn is_doubled(&self) -> bool {
        self.objective.is_doubled() && !self.is_folded
    }

    pub(crate) fn is_maximum(&self) -> bool {
        self.objective.is_maximum()
    }

    /// A cost on the grid.
    pub(crate) fn units(&self, cost: V) -> Result<i128, Error> {
        self.grid
            .units(cost)
            .ok_or_else(|| self.too_wide(self.grid.bits_needed))
    }

    fn too_wide(&self, bits_needed: u32) -> Error {
        self.wider_than(WIDE_BITS, bits_needed)
    }

    /// Costs that ask for more bits than are available.
    fn wider_than(&self, available: u32, bits_needed: u32) -> Error {
        if V::IS_INTEGER {
            Error::Overflow {
                vertices: self.n,
                bits_needed,
                available,
            }
        } else {
            Error::PrecisionRequired { bits_needed }
        }
    }

    /// Solves the reduced instance of a list of edges, all of them at once; witnesses are about the caller's graph.
    pub(crate) fn solve_list(&self, edges: &EdgeList<V>, limits: &Limits<'_>) -> Result<Outcome, Error> {
        let is_plain = match self.objective {
            Objective::MinPerfect => true,
            Objective::MinBye(_) => self.n.is_multiple_of(2),
            _ => false,
        };
        let translation = |doubled: i128| self.bound_told(doubled);
        let limits = &limits.with_bounds(&translation);
        let borrowed = if is_plain {
            V::solve_as_is(self.n, edges.edges(), limits)
        } else {
            None
        };
        let result = match borrowed {
            Some(result) => result,
            None => self.solve_copy(edges, limits)?,
        };
        result.map_err(|failure| self.explain(failure, SolvedBy::Sparse))
    }

    /// Solves a list of edges that all cost the same, if they do and that makes it easier; witnesses are about the caller's graph.
    pub(crate) fn solve_uniform(&self, edges: &EdgeList<V>, limits: &Limits<'_>) -> Result<Option<Outcome>, Error> {
        let Some(prices) = Prices::of(edges, self)? else {
            return Ok(None);
        };
        let translation = |doubled: i128| self.bound_told(doubled);
        let result = uniform::solve(edges, prices, &limits.with_bounds(&translation));
        result
            .map(Some)
            .map_err(|failure| self.explain(failure, SolvedBy::Cardinality))
    }

    /// Solves a list of edges between two sides where everybody may stay alone, and says who did; `None` for any other.
    pub(crate) fn solve_two_sides(
        &self,
        edges: &EdgeList<V>,
        limits: &Limits<'_>,
    ) -> Result<Option<(Outcome, SolvedBy)>, Error> {
        if !self.is_doubled() {
            return Ok(None);
        }
        let translation = |doubled: i128| self.bound_told(doubled);
        let (known, work) = match list::solve(edges, self, &limits.with_bounds(&translation))? {
            Some(list::Found::Solved(outcome)) => return Ok(Some((outcome, SolvedBy::Assignment))),
            Some(list::Found::GivenUp(certificate, work)) => (certificate, work),
            None => return Ok(None),
        };
        // Who goes on begins anew, as that is faster than from where paths were too long, and may be stopped with a worse bound.
        let least = known.doubled_bound();
        let translation = |doubled: i128| self.bound_told(least.map_or(doubled, |least| doubled.max(least)));
        let limits = &limits.after(work);
        let found = self.solve_copy(edges, &limits.with_bounds(&translation))?;
        let mut outcome = found.map_err(|failure| self.explain(failure, SolvedBy::Sparse))?;
        if outcome.stopped.is_some() && outcome.certificate.doubled_bound() < least {
            outcome.certificate = known;
        }
        outcome.work += work;
        Ok(Some((outcome, SolvedBy::Sparse)))
    }

    /// A failure of an engine in the caller's terms.
    pub(crate) fn explain(&self, failure: Failure, engine: SolvedBy) -> Error {
        match failure {
            Failure::Overflow { bits_needed, available } => self.wider_than(available, bits_needed),
            Failure::Infeasible { witness, .. } => Error::NoPerfectMatching(self.translate(&witness).by(engine)),
        }
    }

    /// Builds the reduced instance, in 64 bits where its costs fit.
    fn solve_copy(&self, edges: &EdgeList<V>, limits: &Limits<'_>) -> Result<Result<Outcome, Failure>, Error> {
        let size = self.size(edges.edges().len());
        let copies = engine::Size {
            vertices: self.vertices(),
            copies: if self.is_doubled() { 2 } else { 1 },
        };
        let mut narrow: Vec<Edge<i64>> = Vec::with_capacity(size);
        let mut is_narrow = true;
        self.visit(edges, |u, v, cost| match i64::try_from(cost) {
            Ok(weight) if is_narrow => narrow.push(Edge { u, v, weight }),
            _ => is_narrow = false,
        })?;
        if is_narrow {
            return Ok(engine::solve(copies, &narrow, limits));
        }
        drop(narrow);
        let mut wide: Vec<Edge<i128>> = Vec::with_capacity(size);
        self.visit(edges, |u, v, weight| wide.push(Edge { u, v, weight }))?;
        Ok(engine::solve(copies, &wide, limits))
    }

    /// Every edge of the reduced instance.
    fn visit(&self, edges: &EdgeList<V>, mut visit: impl FnMut(u32, u32, i128)) -> Result<(), Error> {
        let n = self.n as u32;
        for edge in edges.edges() {
            let cost = self.reduced_cost(edge.weight)?;
            visit(edge.u, edge.v, cost);
            if self.is_doubled() {
                visit(edge.u + n, edge.v + n, cost);
            }
        }
        self.visit_extra(visit)
    }

    /// The cost of one of the caller's pairs in the reduced instance.
    pub(crate) fn reduced_cost(&self, cost: V) -> Result<i128, Error> {
        let units = self.units(cost)?;
        if self.is_maximum() {
            units.checked_neg().ok_or_else(|| self.too_wide(129))
        } else {
            Ok(units)
        }
    }

    /// The edges of the reduced instance that are no pairs of the caller's: links between copies, and byes.
    pub(crate) fn visit_extra(&self, mut visit: impl FnMut(u32, u32, i128)) -> Result<(), Error> {
        let n = self.n as u32;
        match self.objective {
            _ if self.is_folded => {
                let added = self.added_cost()?;
                for v in 0..n * (n % 2) {
                    let cost = self.unmatched_cost(v as usize)?.checked_add(added);
                    visit(v, n, cost.ok_or_else(|| self.too_wide(129))?);
                }
            }
            Objective::MinPerfect | Objective::MaxPerfect => {}
            Objective::MinBye(byes) => {
                for v in 0..n * (n % 2) {
                    visit(v, n, self.units(byes[v as usize])?);
                }
            }
            Objective::MaxWeight | Objective::MaxCardinality | Objective::MinOptOut(_) => {
                for v in 0..n {
                    let link = self
                        .unmatched_cost(v as usize)?
                        .checked_mul(2)
                        .ok_or_else(|| self.too_wide(129))?;
                    visit(v, v + n, link);
                }
            }
        }
        Ok(())
    }

    /// What an unmatched vertex adds to the reduced cost of one copy.
    pub(crate) fn unmatched_cost(&self, v: usize) -> Result<i128, Error> {
        match self.objective.singles().get(v) {
            Some(&cost) => self.units(cost),
            None => Ok(self.cardinality),
        }
    }

    /// What the added vertex of a folded instance costs alone, as it were: whoever is paired with it pays that, too, which
    /// changes nothing, and makes it nobody's first choice.
    fn added_cost(&self) -> Result<i128, Error> {
        let mut costs = (0..self.n).map(|v| self.unmatched_cost(v));
        costs.try_fold(i128::MIN, |most, cost| Ok(most.max(cost?)))
    }

    /// A witness for the caller's vertices. The extra vertex of a bye is joined to all others, so it is among the
    /// removed ones; without it, the rest proves that at least three vertices stay unmatched.
    fn translate(&self, witness: &TutteBerge) -> TutteBerge {
        let n = self.n;
        let removed = witness.removed().iter().copied().filter(|&v| v < n).collect();
        debug_assert!(witness.odd_components().iter().flatten().all(|&v| v < n));
        TutteBerge::new(removed, witness.odd_components().to_vec())
    }

    /// The bound that follows from `sum y + sum z` as a float, rounded so that it stays one; `None` where it depends on
    /// the number of pairs.
    pub(crate) fn bound_told(&self, doubled_bound: i128) -> Option<f64> {
        if matches!(self.objective, Objective::MaxCardinality) {
            return None;
        }
        let quarters = self.bound_quarters(doubled_bound, 0)?;
        let nearest = numbers::nearest_float(quarters, self.grid.exponent.saturating_sub(2));
        let told = match (quarters.unsigned_abs() > 1 << f64::MANTISSA_DIGITS, self.is_maximum()) {
            (false, _) => nearest,
            (true, true) => nearest.next_up(),
            (true, false) => nearest.next_down(),
        };
        told.is_finite().then_some(told)
    }

    /// The best bound on the objective that follows from `sum y + sum z`, in quarter units of the grid, for answers
    /// with at least that many pairs (which matters for [`Objective::MaxCardinality`] alone).
    pub(crate) fn bound_quarters(&self, doubled_bound: i128, pairs: usize) -> Option<i128> {
        let n = self.n;
        let unmatched = n as i128 - 2 * pairs as i128;
        let offset = self.cardinality.checked_mul(4)?.checked_mul(unmatched)?;
        let bound = doubled_bound
            .checked_sub(offset)?
            .checked_mul(if self.is_doubled() { 1 } else { 2 })?;
        // Totals on the grid are whole, so the bound rises to the next whole unit.
        let whole = bound.checked_add(3)?.div_euclid(4).checked_mul(4)?;
        let terms = match self.objective {
            Objective::MinOptOut(_) => n,
            Objective::MinBye(_) => n.div_ceil(2),
            _ => n / 2,
        };
        // A rounded cost is off by half a unit at most.
        let bound = if self.grid.is_exact {
            whole
        } else {
            whole.checked_sub(2 * terms as i128)?
        };
        if self.is_maximum() {
            bound.checked_neg()
        } else {
            Some(bound)
        }
    }
}
