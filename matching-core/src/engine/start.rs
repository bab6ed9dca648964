//! The fractional start: an optimal half-integral matching, or most of one, by short searches.
//!
//! Without odd-set constraints the relaxation has half-integral optima: pairs, and odd cycles whose edges count half.
//! Each unmatched vertex in turn grows one alternating Dijkstra tree until it meets another unmatched vertex, a
//! half-cycle, or itself around an odd cycle. Searches are cut off by size, with a limit that rises from pass to pass
//! while that pays. Where it does not, all begins again from duals of a sample of the vertices ([`sample`]). What is left unmatched
//! becomes a tree root of the blossom search.
//!
//! Reference: V. Kolmogorov, "Blossom V: a new implementation of a minimum cost perfect matching algorithm",
//! Mathematical Programming Computation 1 (2009), 43-67, doi:10.1007/s12532-009-0002-8, section 3 (fractional
//! initialisation); the size limits follow the idea of P. Arkhipov and V. Kolmogorov, arXiv:2604.20351.

mod first;
mod half_cycles;
mod sample;

use half_cycles::OddCycles;
use sample::Sampler;
pub(super) use sample::Units;

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
/// The start may visit this many times all arcs from the least weights ...
const FIRST_BUDGET: u64 = 6;
/// ... and then, from better duals or not, so many times, or as many as a vertex has arcs in the mean if that is more. The blossom phase that
/// it saves is dearer the more arcs there are.
const SPARSE_BUDGET: u64 = 48;
/// It may take more on dense graphs, where the blossom phase that it saves is dearer: at least so many times, and one for
/// each so many vertices. On complete graphs with product costs the start needs about one visit per eleven vertices,
/// and giving it up costs a hundred times what it would have taken.
const DENSE_BUDGET: u64 = 256;
const DENSE_VERTICES_PER_VISIT: u64 = 4;
/// Once more searches of a pass were cut off than there are vertices by this, further ones may go on to their ends, in all
/// for as many visits as there are arcs. Where many vertices can only end by dear edges, far above all others, such as
/// the links of those that stay single, searches are cut off at every limit; but one that ends moves the duals of all
/// that it has reached, and the next ones are short.
const CUT_OFF_SHARE: usize = 16;
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
    /// Arc visits.
    pub(crate) work: u64,
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

/// What duals prove, before sets.
fn total<D: Dual>(duals: &[D]) -> i128 {
    duals.iter().map(|&dual| dual.into()).sum()
}

/// State of the start; one method per step.
pub(super) struct FractionalStart<'g, 'a, N: Numbers> {
    graph: &'g Graph<'a, N>,
    limits: &'g Limits<'g>,
    effort: Effort,
    /// Of what a sample may be, where there may be one.
    units: Option<Units<'g>>,
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
            units: None,
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

    /// Lets it begin again with duals from samples of these, where searches from the least weights take too long.
    pub(super) fn sampled_by(mut self, units: Units<'g>) -> Self {
        self.units = Some(units);
        self
    }

    /// Runs the start for its duals alone.
    pub(super) fn relax(self) -> RelaxedDuals<N::Dual> {
        let limits = self.limits;
        let relaxed = self.relaxed();
        limits.count(relaxed.work);
        relaxed
    }

    /// The same, as a part of something larger whose work is counted once.
    fn relaxed(mut self) -> RelaxedDuals<N::Dual> {
        self.is_relaxing = true;
        let most = self.most(self.visits());
        self.match_greedily();
        if self.has_duals {
            self.bid();
        }
        // Without witnesses there is nothing that can fail.
        let _ = self.search_all(most);
        RelaxedDuals {
            left: self.exposed().count(),
            duals: self.duals,
            stopped: self.stopped,
            work: self.work,
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
        if self.has_duals {
            let most = self.most(self.visits());
            self.match_greedily();
            self.bid();
            return self.search_all(most);
        }
        let most = self.most(self.visits().min(FIRST_BUDGET));
        self.set_least_duals()?;
        self.match_greedily();
        self.search_all(most)?;
        if self.stopped.is_some() || self.exposed().next().is_none() {
            return Ok(());
        }
        self.search_on()
    }

    /// Searches once more, from duals of samples where these say something; keeps what has the better bound.
    fn search_on(&mut self) -> Result<(), TutteBerge> {
        let mut sampler = Sampler::new(self.limits, self.work);
        let sampled = self.units.map_or(Ok(None), |units| sampler.duals(self.graph, units));
        self.work = sampler.work;
        let most = self.most(self.visits());
        let duals = match sampled {
            Ok(Some(duals)) => duals,
            Ok(None) => return self.search_all(most),
            Err(reason) => {
                self.stopped = Some(reason);
                return Ok(());
            }
        };
        let nobody = vec![ArcId::NONE; self.graph.len()];
        let first = (
            core::mem::replace(&mut self.duals, duals),
            core::mem::replace(&mut self.mate, nobody.clone()),
            core::mem::replace(&mut self.around, nobody),
        );
        self.match_greedily();
        self.bid();
        self.search_all(most)?;
        if self.exposed().next().is_some() && total(&self.duals) < total(&first.0) {
            (self.duals, self.mate, self.around) = first;
        }
        Ok(())
    }

    /// How many times all arcs may be visited.
    fn visits(&self) -> u64 {
        let (n, arcs) = (self.graph.len(), 2 * self.graph.edge_count() as u64);
        let is_dense = u128::from(arcs) >= (n as u128 * n as u128) / 8;
        match self.effort.visits {
            Some(visits) => visits,
            None if is_dense => DENSE_BUDGET.max(n as u64 / DENSE_VERTICES_PER_VISIT),
            None => SPARSE_BUDGET.max(arcs / n.max(1) as u64),
        }
    }

    /// The work after so many visits of all arcs from now on.
    fn most(&self, visits: u64) -> u64 {
        let arcs = 2 * self.graph.edge_count() as u64;
        self.work.saturating_add(arcs.saturating_mul(visits))
    }

    fn is_exposed(&self, v: u32) -> bool {
        self.mate[v as usize].is_none() && self.around[v as usize].is_none()
    }

    fn exposed(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.graph.len() as u32).filter(|&v| self.is_exposed(v))
    }

    /// Passes over the exposed vertices with rising size limits, as long as no more work than `most` is likely.
    fn search_all(&mut self, most: u64) -> Result<(), TutteBerge> {
        let n = self.graph.len();
        let mut roots: Vec<u32> = self.exposed().collect();
        for v in 0..n {
            self.side[v] = self.unlabelled(v);
        }
        let mut limit = self.effort.first_limit;
        let mut allowance = 2 * self.graph.edge_count() as u64;
        for pass in 0..self.effort.passes {
            if roots.is_empty() || self.work > most {
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
                    if before + per_search * roots.len() as u64 > most {
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
