//! All pairs of a matrix, as the pipeline asks for them.

use super::candidates::Candidates;
use super::lanes::FORBIDDEN;
use super::levels::{Beside, Relaxed, relax, relaxed};
use super::nearby::Nearby;
use super::parallel::{Aside, Workers};
use super::pipeline::{Pairs, Start, Violated, least_escapes};
use super::pricing::{Found, Prices, Pricing};
use super::read::Unchecked;
use super::rows::{Rows, clamped};
use super::settled::Settled;
use crate::edge_list::Edge;
use crate::engine::{Dual, Failure, Limits, Numbers, Search, Warm};
use crate::witness::TutteBerge;

/// Debug builds price all pairs of pools of up to so many vertices again, one by one.
const CHECKED: usize = 200;
/// Edges at most where all pairs become edges, and about the bytes that a search takes for each besides.
const MOST_EDGES: usize = 1 << 23;
const SEARCH_BYTES: usize = 40;
/// Pairs that are weighed at a time.
const STRETCH: usize = 64;

/// The comparison of a matrix with its transpose, under way.
#[derive(Debug)]
pub(super) struct Check<'c> {
    pub(super) matrix: &'c Unchecked<'c>,
    pub(super) aside: &'c Aside<'c>,
}

/// A minimum-weight perfect matching problem on the pairs of a matrix, in one or two copies, and some further edges.
pub(super) struct MatrixPairs<'p, N: Numbers> {
    pub(super) rows: &'p Rows<'p>,
    /// Copies of the matrix's vertices: vertex `v` of copy `k` is `v + k n`.
    pub(super) copies: usize,
    /// Vertices in all; one more than the copies have where there is a bye.
    pub(super) vertices: usize,
    /// Edges that are no pairs of the matrix.
    pub(super) extra: Vec<Edge<N::Weight>>,
    /// What staying alone costs, in lanes, where there are two copies.
    pub(super) links: Option<Vec<i32>>,
    /// The exact weight of a pair of the matrix.
    pub(super) weight: &'p (dyn Fn(usize, usize) -> N::Weight + Sync),
    /// The least of all weights, and the least of the matrix, which is no less.
    pub(super) least: N::Weight,
    pub(super) least_of_rows: i128,
    /// Bits that lanes lack.
    pub(super) down: u32,
    /// Whether every pair is allowed.
    pub(super) is_complete: bool,
    pub(super) workers: Workers,
    /// The comparison of the matrix with its transpose, where it is not done yet.
    pub(super) check: Option<Check<'p>>,
    pub(super) limits: &'p Limits<'p>,
}

impl<N: Numbers> MatrixPairs<'_, N> {
    /// The pairs that look cheapest, and duals for the search on them.
    pub(super) fn start(&self) -> Start<N> {
        let links = self.links.as_deref();
        self.start_from(&relaxed(self.rows, links, self.workers, self.limits, self.aside()))
    }

    fn aside(&self) -> Beside<'_> {
        self.check.as_ref().map(|check| check.aside)
    }

    /// Whether the matrix is symmetric, once all of it has been compared.
    fn is_symmetric(&self) -> bool {
        self.check.as_ref().is_none_or(|check| {
            self.workers.finish(check.aside);
            check.matrix.verdict().is_ok()
        })
    }

    /// The pairs that look cheapest with these potentials, a perfect matching where that is no question, and the
    /// potentials as duals.
    fn start_from(&self, relaxed: &Relaxed) -> Start<N> {
        let n = self.rows.len();
        let Relaxed {
            potentials,
            candidates,
            is_settled,
        } = relaxed;
        let told = candidates.pairs(self.workers, self.aside());
        let mut pairs: Vec<(u32, u32)> = told.into_iter().map(|(u, v, _)| (u, v)).collect();
        if self.is_complete && self.copies == 1 {
            let neighbours = (0..n - n % 2).step_by(2).filter(|&u| !candidates.has(u, u + 1));
            pairs.extend(neighbours.map(|u| (u as u32, u as u32 + 1)));
        }
        let edges = self.edges(&pairs);
        let mut duals = self.duals(potentials);
        if self.check.is_some() {
            // A pair may cost something else the other way round, which is refused later: until then, nothing may
            // break.
            for edge in &edges {
                let (u, v) = (edge.u as usize, edge.v as usize);
                let slack = N::doubled(N::shifted(edge.weight, self.least)) - duals[u] - duals[v];
                duals[u] += slack.min(N::Dual::ZERO);
            }
        }
        Start {
            edges,
            duals: Some(duals),
            is_settled: *is_settled,
        }
    }

    /// Pairs of the first copy as edges of all copies, and the further edges.
    fn edges(&self, pairs: &[(u32, u32)]) -> Vec<Edge<N::Weight>> {
        let mut edges = self.weighed(pairs);
        for copy in 1..self.copies {
            let shift = (copy * self.rows.len()) as u32;
            edges.extend_from_within(..pairs.len());
            for edge in &mut edges[copy * pairs.len()..] {
                edge.u += shift;
                edge.v += shift;
            }
        }
        edges.extend_from_slice(&self.extra);
        edges
    }

    /// Pairs of the first copy as edges. Their weights lie all over the matrix.
    fn weighed(&self, pairs: &[(u32, u32)]) -> Vec<Edge<N::Weight>> {
        let unset = Edge {
            u: 0,
            v: 0,
            weight: self.least,
        };
        let mut edges = vec![unset; pairs.len()];
        let scratch = || ();
        self.workers
            .for_rows(&mut edges, STRETCH, scratch, |(), stretch, edges| {
                for (edge, &(u, v)) in edges.iter_mut().zip(&pairs[stretch * STRETCH..]) {
                    let weight = (self.weight)(u as usize, v as usize);
                    *edge = Edge { u, v, weight };
                }
            });
        edges
    }

    /// What the least weight of the matrix exceeds the least of all by: lanes start there.
    fn base(&self) -> i128 {
        self.least_of_rows - self.least.into()
    }

    /// Potentials in half units of lanes as duals, lowered where a further edge asks for it.
    fn duals(&self, potentials: &[i64]) -> Vec<N::Dual> {
        let base = self.base();
        let mut duals: Vec<i128> = Vec::with_capacity(self.vertices);
        for _ in 0..self.copies {
            duals.extend(
                potentials
                    .iter()
                    .map(|&potential| (i128::from(potential) << self.down) + base),
            );
        }
        duals.resize(self.vertices, i128::MAX);
        let bye = self.copies * self.rows.len();
        for edge in &self.extra {
            let room = edge.weight.into() - self.least.into();
            let (u, v) = (edge.u as usize, edge.v as usize);
            if v == bye {
                // The vertex of the byes takes what the dearest leaves.
                duals[v] = duals[v].min(2 * room - duals[u]);
            } else {
                duals[u] = duals[u].min(room);
                duals[v] = duals[v].min(room);
            }
        }
        duals.into_iter().map(N::Dual::from_i128).collect()
    }

    /// Whether allowed pairs of one copy that are not known have no negative slack.
    fn violates_nothing_else(&self, slack: impl Fn(usize, usize) -> N::Dual, found: &Found<N::Dual>) -> bool {
        let mut scratch = Vec::new();
        (0..self.rows.len()).all(|u| {
            let row = self.rows.row(u, &mut scratch);
            let mut others = (0..u).filter(|&v| self.rows.form().lane(row[v]) < FORBIDDEN);
            others.all(|v| slack(u, v) >= N::Dual::ZERO || found.knows(u, v))
        })
    }

    /// Duals of one copy's vertices in half units of lanes, rounded down.
    fn potentials(&self, duals: impl Iterator<Item = i128>) -> Vec<i64> {
        let base = self.base();
        duals
            .map(|dual| ((dual - base) >> self.down).clamp(i64::MIN.into(), i64::MAX.into()) as i64)
            .collect()
    }
}

impl<N: Numbers> Pairs<N> for MatrixPairs<'_, N> {
    /// One for each copy, once it has been looked at.
    type Settled = Vec<Settled<N::Dual>>;

    fn alone<A: Send>(&self, step: impl FnOnce() -> A + Send) -> A {
        self.workers.beside(self.aside(), step)
    }

    fn vertices(&self) -> usize {
        self.vertices
    }

    fn least(&self) -> N::Weight {
        self.least
    }

    fn weight(&self, u: u32, v: u32) -> N::Weight {
        let n = self.rows.len();
        (self.weight)(u as usize % n, v as usize % n)
    }

    fn violated(
        &self,
        search: &Search<'_, N>,
        state: &Warm<N::Dual>,
        settled: &mut Self::Settled,
    ) -> Result<Vec<Violated<N::Dual>>, Failure> {
        if !self.is_symmetric() {
            // The answer is refused.
            return Ok(Vec::new());
        }
        let n = self.rows.len();
        let base = self.base();
        let mut all = Vec::new();
        let mut before = core::mem::take(settled).into_iter();
        for copy in 0..self.copies {
            let shift = (copy * n) as u32;
            let totals = state.totals()[copy * n..][..n].iter();
            let prices = Prices {
                totals: totals.map(|&total| total.into() - base).collect(),
                nest: state.nest(shift..shift + n as u32),
                down: self.down,
            };
            let slack = |u: usize, v: usize| {
                let weight = N::doubled(N::shifted((self.weight)(u, v), self.least));
                state.slack(u as u32 + shift, v as u32 + shift, weight)
            };
            let edges = |v: usize| {
                let others = search
                    .neighbours(v as u32 + shift)
                    .map(move |other| other.wrapping_sub(shift) as usize);
                others.filter(move |&other| other < n)
            };
            let before = before.next();
            let reopened = before.as_ref().and_then(|before| before.reopened(&prices));
            let mut nearby = before.map_or_else(Nearby::default, |before| before.nearby);
            let coarse = self.rows.coarse().filter(|_| reopened.is_none());
            let reach = coarse.map(|coarse| nearby.reach(coarse.step()));
            let pricing = Pricing {
                rows: self.rows,
                prices: &prices,
                reopened: reopened.as_deref(),
                reach,
                workers: self.workers,
            };
            let found = pricing.violated(slack, edges);
            debug_assert!(
                n > CHECKED || self.violates_nothing_else(slack, &found),
                "a pair was called settled that is not"
            );
            if reach.is_some() {
                nearby.note(found.near, found.blurred, n);
            }
            settled.push(Settled::new(prices, found.is_open, nearby));
            all.extend(found.violated.into_iter().map(|pair| Violated {
                u: pair.u.min(pair.v) + shift,
                v: pair.u.max(pair.v) + shift,
                slack: pair.slack,
            }));
        }
        all.sort_unstable_by_key(|pair| (pair.slack, pair.u, pair.v));
        // A pair may show up in both its rows.
        all.dedup_by_key(|pair| (pair.u, pair.v));
        Ok(all)
    }

    fn start_over(&self) -> Option<Start<N>> {
        Some(self.start())
    }

    fn restart(&self, state: &Warm<N::Dual>) -> Option<Start<N>> {
        let n = self.rows.len();
        // Both copies want the same potentials.
        let potentials = self.potentials((0..n).map(|v| {
            let sum: i128 = (0..self.copies).map(|copy| state.totals()[v + copy * n].into()).sum();
            sum.div_euclid(self.copies as i128)
        }));
        let links = self.links.as_deref();
        let relaxed = relax(self.rows, potentials, links, self.workers, self.limits, None);
        Some(self.start_from(&relaxed))
    }

    fn everything(&self) -> Option<Vec<Edge<N::Weight>>> {
        let n = self.rows.len();
        let most = self.copies * n * n.saturating_sub(1) / 2;
        let bytes = size_of::<Edge<N::Weight>>() + SEARCH_BYTES;
        if most > MOST_EDGES || most.saturating_mul(bytes) > self.limits.memory() {
            return None;
        }
        let mut pairs = Vec::with_capacity(n * n.saturating_sub(1) / 2);
        let mut scratch = Vec::new();
        for u in 0..n {
            let row = self.rows.row(u, &mut scratch);
            let allowed = (u + 1..n).filter(|&v| self.rows.form().lane(row[v]) < FORBIDDEN);
            pairs.extend(allowed.map(|v| (u as u32, v as u32)));
        }
        Some(self.edges(&pairs))
    }

    fn escapes(&self, witness: &TutteBerge) -> Vec<(u32, u32)> {
        let n = self.rows.len();
        let mut part = vec![usize::MAX; self.vertices];
        for (name, component) in witness.odd_components().iter().enumerate() {
            component.iter().for_each(|&v| part[v] = name);
        }
        let removed = usize::MAX - 1;
        witness.removed().iter().for_each(|&v| part[v] = removed);
        let mut scratch = Vec::new();
        let mut found: Vec<(u32, u32)> = Vec::new();
        for u in (0..self.copies * n).filter(|&u| part[u] < removed) {
            let (first, i) = (u - u % n, u % n);
            let row = self.rows.row(i, &mut scratch);
            let out: Vec<(i32, u32)> = (0..n)
                .filter(|&j| j != i && part[first + j] != part[u] && part[first + j] != removed)
                .map(|j| (self.rows.form().lane(row[j]), (first + j) as u32))
                .filter(|&(lane, _)| lane < FORBIDDEN)
                .collect();
            found.extend(least_escapes(&out, i).map(|v| (v.min(u as u32), v.max(u as u32))));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn lower(&self, duals: &mut [i128]) {
        let n = self.rows.len();
        let least: i128 = self.least.into();
        for copy in 0..self.copies {
            let part = &mut duals[copy * n..][..n];
            let mut potentials = self.potentials(part.iter().map(|&dual| dual - least));
            for potential in &mut potentials {
                *potential = clamped(*potential).into();
            }
            Candidates::collect(self.rows, &potentials, 1, self.workers).lower(&mut potentials);
            for (dual, potential) in part.iter_mut().zip(potentials) {
                *dual = (*dual).min((i128::from(potential) << self.down) + self.base() + least);
            }
        }
    }

    fn work_of_pass(&self) -> u64 {
        let n = self.rows.len() as u64;
        self.copies as u64 * n * n / 2
    }
}
