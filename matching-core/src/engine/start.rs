//! The fractional start: an optimal half-integral matching, or most of one, by short searches.
//!
//! Without odd-set constraints the relaxation has half-integral optima: pairs, and odd cycles whose edges count half.
//! Each unmatched vertex in turn grows one alternating Dijkstra tree until it meets another unmatched vertex, a
//! half-cycle, or itself around an odd cycle. Searches are cut off by size, with a limit that rises from pass to pass
//! while that pays. What is left unmatched becomes a tree root of the blossom search.
//!
//! Reference: V. Kolmogorov, "Blossom V: a new implementation of a minimum cost perfect matching algorithm",
//! Mathematical Programming Computation 1 (2009), 43-67, doi:10.1007/s12532-009-0002-8, section 3 (fractional
//! initialisation); the size limits follow the idea of P. Arkhipov and V. Kolmogorov, arXiv:2604.20351.

use super::bundles::Bundles;
use super::graph::{ArcId, Graph};
use super::heap::Entry;
use super::limits::{Glimpse, Limits};
use super::numbers::{Dual, Numbers};
use super::{Failure, Outcome};
use crate::certificate::Certificate;
use crate::progress::Stage;
use crate::solution::StopReason;
use crate::witness::TutteBerge;

/// Later passes allow so many times more labelled vertices each.
const LIMIT_GROWTH: usize = 10;
/// The start may visit this many times all arcs ...
const SPARSE_BUDGET: u64 = 6;
/// ... and more on dense graphs, where the blossom phase that it saves is dearer: at least so many times, and one for
/// each so many vertices. On complete graphs with product costs the start needs about one visit per eleven vertices,
/// and giving it up costs a hundred times what it would have taken.
const DENSE_BUDGET: u64 = 256;
const DENSE_VERTICES_PER_VISIT: u64 = 4;
/// Once more searches of a pass were cut off than there are vertices by this, further ones may go on to their ends, in all
/// for as many visits as there are arcs. Where many vertices can only end by dear edges, far above all others, such as
/// the links of those that stay single, searches are cut off at every limit; but one that ends moves the duals of all
/// that it has reached, and the next ones are short.
const CUT_OFF_SHARE: usize = 16;
/// Turns of bidding that an unmatched vertex begins: more find ever fewer partners that are free.
const BIDS: usize = 4;
/// Searches between two predictions of a pass's total.
const PREDICTION_PERIOD: usize = 16;
/// Searches between two looks at the caller's limits.
const LIMIT_CHECK_PERIOD: usize = 64;

/// How hard the start tries. It changes speed, never the optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Labelled vertices a search of the first pass may have.
    pub(crate) first_limit: usize,
    /// At most so many passes.
    pub(crate) passes: usize,
    /// It may visit so many times all arcs; by the density of the graph where there is none.
    pub(crate) visits: Option<u64>,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            first_limit: 30,
            passes: usize::MAX,
            visits: None,
        }
    }
}

/// What is known of the relaxation without odd sets.
#[derive(Debug)]
pub(crate) struct RelaxedDuals<D> {
    /// Optimal duals, or close to it.
    pub(crate) duals: Vec<D>,
    /// For how many vertices they are not optimal, which may be all where there is no solution.
    pub(crate) left: usize,
    /// The limit that ended it before.
    pub(crate) stopped: Option<StopReason>,
}

/// Odd cycles, one behind the other.
#[derive(Debug, Default)]
pub(super) struct OddCycles {
    arcs: Vec<ArcId>,
    /// Where each ends.
    ends: Vec<u32>,
}

impl OddCycles {
    pub(super) fn iter(&self) -> impl Iterator<Item = &[ArcId]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let begin = core::mem::replace(&mut start, end as usize);
            &self.arcs[begin..end as usize]
        })
    }
}

/// Duals and matching from which the blossom search starts.
#[derive(Debug)]
pub(super) struct Start<D> {
    /// Dual of each vertex; all slacks are non-negative, matched edges are tight.
    pub(super) duals: Vec<D>,
    /// Matched arc out of each vertex, or none.
    pub(super) mate: Vec<ArcId>,
    /// Tight odd cycles in order of their lowest vertices, which are exposed and come first: the arcs around each. The
    /// second and third vertex are matched, the fourth and fifth, and so on.
    pub(super) odd_cycles: OddCycles,
    /// Arc visits.
    pub(super) work: u64,
    /// The limit that ended the start early, if one did.
    pub(super) stopped: Option<StopReason>,
}

impl<D: Dual> Start<D> {
    /// Whether everybody is matched. Matched edges are tight and no slack is negative, so this is an optimum.
    pub(super) fn is_perfect(&self) -> bool {
        !self.mate.contains(&ArcId::NONE)
    }

    /// `sum y + sum z`, if it fits: there are no sets yet.
    pub(super) fn doubled_bound<N: Numbers<Dual = D>>(&self, graph: &Graph<'_, N>) -> Option<i128> {
        let least: i128 = graph.least().into();
        self.duals
            .iter()
            .try_fold(0i128, |sum, &dual| sum.checked_add(dual.into().checked_add(least)?))
    }

    /// A perfect matching as it is: the answer without a forest, which would have no tree.
    pub(super) fn outcome<N: Numbers<Dual = D>>(self, graph: &Graph<'_, N>) -> Outcome {
        // The start ran on doubled weights less twice the least; half of that belongs to each end of an edge.
        let least: i128 = graph.least().into();
        let vertex_duals = self.duals.iter().map(|&dual| dual.into() + least).collect();
        let order = (0..graph.len() as u32).collect();
        Outcome {
            mates: self.mate.iter().map(|&mate| graph.head(mate)).collect(),
            certificate: Certificate::new(vertex_duals, order, Vec::new(), 0),
            stopped: None,
            work: self.work,
        }
    }
}

/// What a search has made of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Matched, and not labelled.
    None,
    Minus,
    Plus,
    /// Unmatched or on a half-cycle, and not labelled.
    Exposed,
}

/// Where a search may stop, at the bound it carries.
#[derive(Clone, Copy, Debug)]
enum Goal {
    None,
    /// An arc to an unmatched vertex or into a half-cycle.
    End(ArcId),
    /// An arc that closes an odd cycle.
    Cycle(ArcId),
}

/// How one search ended.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    Matched,
    CutOff,
    Stuck,
}

/// State of the start; one method per step.
#[derive(Debug)]
pub(super) struct FractionalStart<'g, 'a, N: Numbers> {
    graph: &'g Graph<'a, N>,
    limits: &'g Limits<'g>,
    effort: Effort,
    duals: Vec<N::Dual>,
    mate: Vec<ArcId>,
    /// Next arc around the half-cycle a vertex lies on, or none.
    around: Vec<ArcId>,
    side: Vec<Side>,
    /// Time at which a vertex was labelled, in the search under way.
    time: Vec<N::Dual>,
    /// For `-` vertices: the tree arc from the `+` parent.
    parent: Vec<ArcId>,
    labelled: Vec<u32>,
    /// The odd cycle that is closed, and whom the climb to its top has passed: room that is kept.
    cycle: Vec<(u32, ArcId)>,
    climbed: Vec<u32>,
    queue: Bundles<N::Dual>,
    bound: N::Dual,
    goal: Goal,
    has_duals: bool,
    /// Only the duals count: a vertex that nothing can be done for is left alone.
    is_relaxing: bool,
    work: u64,
    stopped: Option<StopReason>,
}

impl<'g, 'a, N: Numbers> FractionalStart<'g, 'a, N> {
    pub(super) fn new(graph: &'g Graph<'a, N>, limits: &'g Limits<'g>, effort: Effort) -> Self {
        let n = graph.len();
        Self {
            graph,
            limits,
            effort,
            duals: vec![N::Dual::ZERO; n],
            mate: vec![ArcId::NONE; n],
            around: vec![ArcId::NONE; n],
            side: vec![Side::None; n],
            time: vec![N::Dual::ZERO; n],
            parent: vec![ArcId::NONE; n],
            labelled: Vec::new(),
            cycle: Vec::new(),
            climbed: Vec::new(),
            queue: Bundles::of_size(2 * graph.edge_count() / n.max(1)),
            bound: N::Dual::MAX,
            goal: Goal::None,
            has_duals: false,
            is_relaxing: false,
            work: 0,
            stopped: None,
        }
    }

    /// Starts from these duals, which leave no slack negative, instead of the least weights.
    pub(super) fn set_duals(&mut self, duals: &[N::Dual]) {
        self.duals.copy_from_slice(duals);
        self.has_duals = true;
    }

    /// Runs the start for its duals alone.
    pub(super) fn relax(mut self) -> RelaxedDuals<N::Dual> {
        self.is_relaxing = true;
        self.match_greedily();
        if self.has_duals {
            self.bid();
        }
        // Without witnesses there is nothing that can fail.
        let _ = self.search_all();
        let left = (0..self.graph.len() as u32).filter(|&v| self.is_exposed(v)).count();
        self.limits.count(self.work);
        RelaxedDuals {
            duals: self.duals,
            left,
            stopped: self.stopped,
        }
    }

    /// Runs the start; fails with a witness when a search proves that there is no perfect matching.
    pub(super) fn run(mut self) -> Result<Start<N::Dual>, Failure> {
        if let Err(witness) = self.find_duals() {
            let work = self.work;
            return Err(Failure::Infeasible { witness, work });
        }
        let odd_cycles = self.round_half_cycles();
        Ok(Start {
            duals: self.duals,
            mate: self.mate,
            odd_cycles,
            work: self.work,
            stopped: self.stopped,
        })
    }

    /// Duals and partners; fails with a witness.
    fn find_duals(&mut self) -> Result<(), TutteBerge> {
        if !self.has_duals {
            self.set_least_duals()?;
        }
        self.match_greedily();
        if self.has_duals {
            self.bid();
        }
        self.search_all()
    }

    fn is_exposed(&self, v: u32) -> bool {
        self.mate[v as usize].is_none() && self.around[v as usize].is_none()
    }

    /// Every vertex takes half of the least doubled weight around it, so that no slack is negative.
    fn set_least_duals(&mut self) -> Result<(), TutteBerge> {
        for v in 0..self.graph.len() as u32 {
            let Some(least) = self.graph.arcs(v).iter().map(|arc| arc.weight).min() else {
                return Err(TutteBerge::new(Vec::new(), vec![vec![v as usize]]));
            };
            self.duals[v as usize] = N::single(least);
        }
        self.work += 2 * self.graph.edge_count() as u64;
        Ok(())
    }

    /// Raises each unmatched vertex by its least slack and matches it along a tight edge where the other end is free.
    fn match_greedily(&mut self) {
        for v in 0..self.graph.len() as u32 {
            if self.mate[v as usize].is_some() || self.graph.arcs(v).is_empty() {
                continue;
            }
            let (least, partner) = self.least_arc(v);
            self.duals[v as usize] = least;
            if partner.is_some() {
                self.mate[v as usize] = partner;
                self.mate[self.graph.head(partner) as usize] = partner.reversed();
            }
        }
        self.work += 2 * self.graph.edge_count() as u64;
    }

    /// What a vertex's dual may rise to, and the first arc to a free vertex that is tight then.
    fn least_arc(&self, v: u32) -> (N::Dual, ArcId) {
        let dual = self.duals[v as usize];
        let mut least = N::Dual::MAX;
        let mut partner = ArcId::NONE;
        for arc in self.graph.arcs(v) {
            let free = self.mate[arc.head as usize].is_none();
            let reduced = N::doubled(arc.weight) - self.duals[arc.head as usize];
            if reduced < least || (reduced == least && free && partner.is_none()) {
                least = reduced;
                partner = if free { arc.id } else { ArcId::NONE };
                // No slack is negative: nothing is less.
                if free && least == dual {
                    break;
                }
            }
        }
        (least, partner)
    }

    /// Lets each unmatched vertex bid for its best partner, up to where its second best is as good. Whoever was matched
    /// there bids next, and so on for a few turns: a turn looks at one vertex's arcs and needs no queue.
    fn bid(&mut self) {
        for root in 0..self.graph.len() as u32 {
            let mut bidder = Some(root).filter(|&root| self.is_exposed(root));
            for _ in 0..BIDS {
                bidder = bidder.and_then(|bidder| self.outbid(bidder));
            }
        }
    }

    /// Matches an exposed vertex to its best partner unless the second best is as good. Returns who lost that partner.
    fn outbid(&mut self, u: u32) -> Option<u32> {
        let (mut least, mut second) = (N::Dual::MAX, N::Dual::MAX);
        let mut best = ArcId::NONE;
        let arcs = self.graph.arcs(u);
        self.work += arcs.len() as u64;
        for arc in arcs {
            let reduced = N::doubled(arc.weight) - self.duals[arc.head as usize];
            if reduced < least {
                (least, second) = (reduced, least);
                best = arc.id;
            } else if reduced < second {
                second = reduced;
            }
        }
        if second == N::Dual::MAX {
            return None;
        }
        let v = self.graph.head(best);
        let rival = self.mate[v as usize];
        if rival.is_none() {
            self.duals[u as usize] = least;
        } else if second > least {
            self.duals[u as usize] = second;
            self.duals[v as usize] -= second - least;
        } else {
            return None;
        }
        self.mate[u as usize] = best;
        self.mate[v as usize] = best.reversed();
        if rival.is_none() {
            return None;
        }
        let loser = self.graph.head(rival);
        self.mate[loser as usize] = ArcId::NONE;
        Some(loser)
    }

    /// Passes over the exposed vertices with rising size limits, as long as the predicted work stays in the budget.
    fn search_all(&mut self) -> Result<(), TutteBerge> {
        let n = self.graph.len();
        let arcs = 2 * self.graph.edge_count() as u64;
        let is_dense = arcs as u128 >= (n as u128 * n as u128) / 8;
        let visits = match self.effort.visits {
            Some(visits) => visits,
            None if is_dense => DENSE_BUDGET.max(n as u64 / DENSE_VERTICES_PER_VISIT),
            None => SPARSE_BUDGET,
        };
        let budget = arcs.saturating_mul(visits);
        let mut roots: Vec<u32> = (0..n as u32).filter(|&v| self.is_exposed(v)).collect();
        for v in 0..n {
            self.side[v] = self.unlabelled(v);
        }
        let mut limit = self.effort.first_limit;
        let mut allowance = arcs;
        for pass in 0..self.effort.passes {
            if roots.is_empty() || self.work > budget {
                break;
            }
            let before = self.work;
            let mut left = Vec::new();
            // Who has got a partner meanwhile is passed over, but the look at the limits that was due there is not.
            let mut next_look = 0;
            for (done, &root) in roots.iter().enumerate() {
                if !self.is_exposed(root) {
                    continue;
                }
                if done >= next_look {
                    next_look = (done / LIMIT_CHECK_PERIOD + 1) * LIMIT_CHECK_PERIOD;
                    self.stopped = self.limits.look(self.work, || Glimpse {
                        stage: if self.is_relaxing {
                            Stage::Relaxation
                        } else {
                            Stage::Start
                        },
                        left: Some(left.len() + roots.len() - done),
                        doubled_bound: None,
                    });
                    if self.stopped.is_some() {
                        return Ok(());
                    }
                }
                if pass > 0 && done > 0 && done % PREDICTION_PERIOD == 0 {
                    let per_search = (self.work - before) / done as u64;
                    if before + per_search * roots.len() as u64 > budget {
                        return Ok(());
                    }
                }
                let goes_on = left.len() > n / CUT_OFF_SHARE && allowance > 0;
                let visited = self.work;
                let found = self.search(root, if goes_on { usize::MAX } else { limit });
                if goes_on && self.labelled.len() > limit {
                    allowance = allowance.saturating_sub(self.work - visited);
                }
                match found {
                    Found::Matched => {}
                    Found::CutOff => left.push(root),
                    Found::Stuck if self.is_relaxing => {}
                    Found::Stuck => return Err(self.stuck_witness()),
                }
                self.forget_labels();
            }
            left.retain(|&root| self.is_exposed(root));
            roots = left;
            limit = limit.saturating_mul(LIMIT_GROWTH);
        }
        Ok(())
    }

    /// One Dijkstra search for an alternating path from an exposed root, with at most `limit` labelled vertices.
    fn search(&mut self, root: u32, limit: usize) -> Found {
        self.queue.clear();
        self.bound = N::Dual::MAX;
        self.goal = Goal::None;
        self.label(root, Side::Plus, N::Dual::ZERO);
        self.scan(root);
        let mut last = N::Dual::ZERO;
        while let Some(top) = self.queue.top().filter(|top| top.key < self.bound) {
            if self.labelled.len() >= limit {
                self.shift_duals(last);
                return Found::CutOff;
            }
            let arc = self.graph.arc(top.id as usize);
            let v = arc.head;
            let mate = (self.side[v as usize] == Side::None).then(|| self.graph.head(self.mate[v as usize]));
            if let Some(mate) = mate {
                last = top.key;
                self.parent[v as usize] = arc.id;
                self.label(v, Side::Minus, top.key);
                self.label(mate, Side::Plus, top.key);
            }
            let (graph, side) = (self.graph, &self.side);
            self.queue
                .pop(|at| side[graph.arc(at as usize).head as usize] == Side::None);
            if let Some(mate) = mate {
                self.scan(mate);
            }
        }
        match self.goal {
            Goal::None => return Found::Stuck,
            Goal::End(arc) => {
                self.shift_duals(self.bound);
                self.augment(arc);
            }
            Goal::Cycle(arc) => {
                self.shift_duals(self.bound);
                self.close_half_cycle(arc);
            }
        }
        Found::Matched
    }

    fn label(&mut self, v: u32, side: Side, time: N::Dual) {
        self.side[v as usize] = side;
        self.time[v as usize] = time;
        if side == Side::Plus {
            self.parent[v as usize] = ArcId::NONE;
        }
        self.labelled.push(v);
    }

    fn forget_labels(&mut self) {
        for position in 0..self.labelled.len() {
            let v = self.labelled[position] as usize;
            self.side[v] = self.unlabelled(v);
        }
        self.labelled.clear();
    }

    fn unlabelled(&self, v: usize) -> Side {
        if self.mate[v].is_none() {
            Side::Exposed
        } else {
            Side::None
        }
    }

    /// Looks at every arc out of a `+` vertex: a goal lowers the bound, anything else below the bound is queued.
    ///
    /// Most of the time of a start goes here, and what a vertex is cannot be foreseen: hence the fewest branches.
    fn scan(&mut self, u: u32) {
        let (duals, side, time) = (&self.duals[..], &self.side[..], &self.time[..]);
        let (mut bound, mut goal) = (self.bound, self.goal);
        let reach = time[u as usize] - duals[u as usize];
        let span = self.graph.span(u);
        self.work += span.len() as u64;
        let entries = self.queue.room(span.len());
        let mut kept = 0;
        for (at, arc) in span.zip(self.graph.arcs(u)) {
            let v = arc.head as usize;
            let key = N::doubled(arc.weight) - duals[v] + reach;
            entries[kept] = Entry { key, id: at as u32 };
            kept += usize::from((side[v] == Side::None) & (key < bound));
            if side[v] == Side::Plus {
                let shared = key + time[v];
                if bound == N::Dual::MAX || shared < bound + bound {
                    (bound, goal) = (shared.half(), Goal::Cycle(arc.id));
                }
            } else if side[v] == Side::Exposed {
                // Ties go to an end: it leaves fewer vertices exposed than a new half-cycle.
                if key < bound || (key == bound && matches!(goal, Goal::Cycle(_))) {
                    (bound, goal) = (key, Goal::End(arc.id));
                }
            }
        }
        (self.bound, self.goal) = (bound, goal);
        self.queue.close(kept);
    }

    /// Moves the duals of all labelled vertices to time `now`.
    fn shift_duals(&mut self, now: N::Dual) {
        for &v in &self.labelled {
            let step = now - self.time[v as usize];
            match self.side[v as usize] {
                Side::Plus => self.duals[v as usize] += step,
                Side::Minus => self.duals[v as usize] -= step,
                Side::None | Side::Exposed => {}
            }
        }
    }

    /// Exchanges the path from the root to the tail of `arc`, and matches `arc`.
    fn augment(&mut self, arc: ArcId) {
        let end = self.graph.head(arc);
        if self.around[end as usize].is_some() {
            self.pair_half_cycle(end);
        }
        self.mate[end as usize] = arc.reversed();
        self.side[end as usize] = Side::None;
        self.exchange_to_root(self.graph.tail(arc), arc);
    }

    /// Makes `link` the matched arc of the `+` vertex `x`, and passes its old partner on towards the root.
    fn exchange_to_root(&mut self, x: u32, link: ArcId) {
        let (mut x, mut link) = (x, link);
        loop {
            let old = core::mem::replace(&mut self.mate[x as usize], link);
            if old.is_none() {
                return;
            }
            let minus = self.graph.head(old) as usize;
            link = self.parent[minus];
            self.mate[minus] = link.reversed();
            x = self.graph.tail(link);
        }
    }

    /// Dissolves the half-cycle through `v`: all its other vertices are matched in pairs, starting after `v`.
    fn pair_half_cycle(&mut self, v: u32) {
        let mut arc = core::mem::replace(&mut self.around[v as usize], ArcId::NONE);
        loop {
            let x = self.graph.head(arc);
            if x == v {
                return;
            }
            let pair = core::mem::replace(&mut self.around[x as usize], ArcId::NONE);
            let y = self.graph.head(pair);
            self.mate[x as usize] = pair;
            self.mate[y as usize] = pair.reversed();
            self.side[x as usize] = Side::None;
            self.side[y as usize] = Side::None;
            arc = core::mem::replace(&mut self.around[y as usize], ArcId::NONE);
        }
    }

    /// The `+` grandparent of a `+` vertex that is not the root.
    fn grandparent(&self, x: u32) -> Option<u32> {
        let mate = self.mate[x as usize];
        if mate.is_none() {
            return None;
        }
        Some(self.graph.tail(self.parent[self.graph.head(mate) as usize]))
    }

    /// Turns the odd cycle that `arc` closes into a half-cycle and re-matches the path above it.
    fn close_half_cycle(&mut self, arc: ArcId) {
        let (u, v) = (self.graph.tail(arc), self.graph.head(arc));
        let top = self.common_ancestor(u, v);
        let mut cycle = core::mem::take(&mut self.cycle);
        // Up from u to the top ...
        let mut x = u;
        while x != top {
            let out = self.mate[x as usize];
            let minus = self.graph.head(out);
            let up = self.parent[minus as usize].reversed();
            cycle.extend([(x, out), (minus, up)]);
            x = self.graph.head(up);
        }
        // ... down from the top to v, and over the closing arc back to u.
        let mut x = v;
        while x != top {
            let out = self.mate[x as usize];
            let minus = self.graph.head(out);
            let down = self.parent[minus as usize];
            let y = self.graph.tail(down);
            cycle.extend([(minus, out.reversed()), (y, down)]);
            x = y;
        }
        cycle.push((v, arc.reversed()));
        let out = self.mate[top as usize];
        if out.is_some() {
            let minus = self.graph.head(out) as usize;
            let link = self.parent[minus];
            self.mate[minus] = link.reversed();
            self.exchange_to_root(self.graph.tail(link), link);
        }
        for (x, next) in cycle.drain(..) {
            self.mate[x as usize] = ArcId::NONE;
            self.around[x as usize] = next;
        }
        self.cycle = cycle;
    }

    /// Lowest common `+` ancestor of two `+` vertices: both climb in turn, so the work is that of the shorter side.
    fn common_ancestor(&mut self, u: u32, v: u32) -> u32 {
        let mut climbed = core::mem::take(&mut self.climbed);
        climbed.extend([u, v]);
        let mut climbers = [Some(u), Some(v)];
        // Ancestor marks live in `parent` of `+` vertices, which is otherwise unused.
        let mark = ArcId::forward(0);
        for x in [u, v] {
            self.parent[x as usize] = mark;
        }
        let top = 'climb: loop {
            for climber in &mut climbers {
                let Some(x) = *climber else { continue };
                *climber = self.grandparent(x);
                let Some(y) = *climber else { continue };
                if self.parent[y as usize].is_some() {
                    break 'climb y;
                }
                self.parent[y as usize] = mark;
                climbed.push(y);
            }
        };
        for x in climbed.drain(..) {
            self.parent[x as usize] = ArcId::NONE;
        }
        self.climbed = climbed;
        top
    }

    /// Each half-cycle keeps its lowest vertex exposed; the others are matched in pairs. Returns the cycles.
    fn round_half_cycles(&mut self) -> OddCycles {
        let mut odd_cycles = OddCycles::default();
        for v in 0..self.graph.len() as u32 {
            let first = self.around[v as usize];
            if first.is_some() {
                let next = |&arc: &ArcId| Some(self.around[self.graph.head(arc) as usize]).filter(|&arc| arc != first);
                odd_cycles.arcs.extend(core::iter::successors(Some(first), next));
                odd_cycles.ends.push(odd_cycles.arcs.len() as u32);
                self.pair_half_cycle(v);
            }
        }
        odd_cycles
    }

    /// A tree that can neither grow nor end: its `+` vertices have no neighbours but its `-` vertices.
    fn stuck_witness(&self) -> TutteBerge {
        let on = |side| {
            self.labelled
                .iter()
                .filter(move |&&v| self.side[v as usize] == side)
                .map(|&v| v as usize)
        };
        TutteBerge::new(on(Side::Minus).collect(), on(Side::Plus).map(|v| vec![v]).collect())
    }
}
