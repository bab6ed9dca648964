//! The sparse exact engine: minimum-weight perfect matching in a general graph.
//!
//! A primal-dual blossom algorithm in rounds. Each round first does everything that tight edges allow at the present
//! dual values, in all trees at once, then moves the duals of all trees:
//!
//! - [`order`]: vertices of large graphs are numbered so that neighbours lie close in memory;
//! - [`start`]: an almost optimal half-integral matching, by bounded searches; what it leaves unmatched roots a tree;
//! - [`mod@search`]: the primal phase, [`blossoms`]: shrinking and opening;
//! - [`queues`]: which edge may become tight next, [`duals`]: how far each tree may move;
//! - [`finish`]: matching, certificate, witness; [`forest`]: the state they share;
//! - [`warm`]: where a search ended, for another one to go on from.
//!
//! `DESIGN.md` of this crate states the invariants; `invariants.rs` checks them in debug builds.

mod blossoms;
mod bundles;
mod duals;
mod finish;
mod forest;
mod graph;
mod heap;
#[cfg(debug_assertions)]
mod invariants;
mod limits;
mod numbers;
mod order;
mod queues;
mod search;
mod start;
mod warm;

#[cfg(test)]
mod tests;

use core::cmp::Ordering;

use crate::certificate::Certificate;
use crate::edge_list::Edge;
use crate::progress::Stage;
use crate::solution::StopReason;
use crate::witness::TutteBerge;
use duals::{DualScratch, DualStep};
use forest::Forest;
use graph::Graph;
pub(crate) use limits::{Glimpse, Limits};
pub(crate) use numbers::{Dual, FromI32, FromI64, FromI128, Numbers, WideI64};
pub(crate) use order::Order;
pub(crate) use start::{Effort, RelaxedDuals};
use start::{FractionalStart, Start, Units};
pub(crate) use warm::{Nest, Warm};

/// What the engine found: a minimum-weight perfect matching, or the state when it was stopped.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Partner of each vertex; `u32::MAX` only where the solve was stopped.
    pub(crate) mates: Vec<u32>,
    /// Feasible duals for the given weights (exponent 0), optimal unless stopped.
    pub(crate) certificate: Certificate,
    pub(crate) stopped: Option<StopReason>,
    /// Arc visits.
    pub(crate) work: u64,
}

/// Why there is no outcome.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Only for `i128` weights, and in space: `8 (n + 2) (range + max |w|)` needs so many bits.
    Overflow { bits_needed: u32, available: u32 },
    /// There is no perfect matching. To find that out took so many arc visits.
    Infeasible { witness: TutteBerge, work: u64 },
}

impl Failure {
    /// There is no perfect matching, as one sees without a search.
    pub(crate) fn at_sight(witness: TutteBerge) -> Self {
        Self::Infeasible { witness, work: 0 }
    }
}

/// Integers the engine accepts as weights.
pub(crate) trait EngineWeight: Copy + Ord + Into<i128> {
    /// Solves with the narrowest widths that are provably safe for this range.
    fn dispatch(
        size: Size,
        edges: &[Edge<Self>],
        range: &Range<Self>,
        head: Option<Head<'_>>,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Failure>;
}

/// The weights of an instance, summed up.
#[derive(Debug)]
pub(crate) struct Range<W> {
    least: W,
    widths: Widths,
}

/// Vertices of a graph, which may be copies of another one's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) vertices: usize,
    /// So many in all, one behind the other.
    pub(crate) copies: usize,
}

impl Size {
    /// No copies.
    pub(crate) fn of(vertices: usize) -> Self {
        Self { vertices, copies: 1 }
    }
}

/// Minimum-weight perfect matching of the simple graph `edges` on so many vertices.
///
/// Narrow weights run on 64-bit duals where that is provably safe, on 128-bit ones otherwise.
pub(crate) fn solve<W: EngineWeight>(size: Size, edges: &[Edge<W>], limits: &Limits<'_>) -> Result<Outcome, Failure> {
    solve_from(size, edges, None, limits)
}

/// What a search begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'h> {
    /// Duals that leave no slack negative, in half units of the weights: one for each vertex, none of them beyond
    /// `(n + 2) (range + max |w|)` either way.
    pub(crate) duals: &'h [i128],
    /// The partner of each vertex by tight edges, `u32::MAX` for none; or nothing, for a matching of the engine's own.
    pub(crate) mates: &'h [u32],
}

/// The same, from duals, and from a matching if there is one.
pub(crate) fn solve_from<W: EngineWeight>(
    size: Size,
    edges: &[Edge<W>],
    head: Option<Head<'_>>,
    limits: &Limits<'_>,
) -> Result<Outcome, Failure> {
    let n = size.vertices;
    let extent = edges.iter().map(|edge| (edge.weight, edge.weight));
    let Some((least, most)) = extent.reduce(|(least, most), (weight, _)| (least.min(weight), most.max(weight))) else {
        return solve_without_edges(n);
    };
    if n % 2 == 1 {
        return Err(Failure::at_sight(odd_component_witness(n, edges)));
    }
    let range = Range {
        least,
        widths: widths(n, least.into(), most.into()),
    };
    W::dispatch(size, edges, &range, head, limits)
}

/// Bits of `8 (n + 2) (range + max |w|)`, which bounds every dual, slack, key and sum the engine forms.
///
/// Duals are not bounded by the weights alone: on a path with weights `M, 0, M, 0, ...` they reach about `n M`.
fn demand_bits(n: usize, spread: u128, magnitude: u128) -> u32 {
    let bits = |value: u128| u128::BITS - value.leading_zeros();
    let product = spread
        .checked_add(magnitude)
        .and_then(|sum| sum.checked_mul(8 * (n as u128 + 2)));
    product.map_or_else(|| bits(spread.max(magnitude)) + 1 + bits(8 * (n as u128 + 2)), bits)
}

/// Which integers hold every intermediate value of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    /// Bits of the width of the range.
    spread_bits: u32,
    /// Bits that every intermediate value fits, by [`demand_bits`].
    demand_bits: u32,
}

/// The widths that weights between `least` and `greatest` on `n` vertices ask for.
pub(crate) fn widths(n: usize, least: i128, greatest: i128) -> Widths {
    let spread = greatest.abs_diff(least);
    Widths {
        spread_bits: u128::BITS - spread.leading_zeros(),
        demand_bits: demand_bits(n, spread, least.unsigned_abs().max(greatest.unsigned_abs())),
    }
}

impl Widths {
    /// 64-bit duals are safe.
    pub(crate) fn is_long(self) -> bool {
        self.demand_bits <= LONG_BITS
    }

    /// Differences of weights fit 32 bits.
    pub(crate) fn is_narrow(self) -> bool {
        self.spread_bits <= u32::BITS
    }

    /// Refuses what does not even fit 128-bit duals.
    pub(crate) fn check(self) -> Result<(), Failure> {
        if self.demand_bits > WIDE_BITS {
            return Err(Failure::Overflow {
                bits_needed: self.demand_bits,
                available: WIDE_BITS,
            });
        }
        Ok(())
    }
}

/// 64-bit duals are safe below this many bits, 128-bit ones below the other.
pub(crate) const LONG_BITS: u32 = 62;
pub(crate) const WIDE_BITS: u32 = 126;

impl EngineWeight for i32 {
    fn dispatch(
        size: Size,
        edges: &[Edge<i32>],
        range: &Range<i32>,
        head: Option<Head<'_>>,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Failure> {
        if range.widths.is_long() {
            run::<FromI32>(size, edges, range.least, head, limits, Effort::default())
        } else {
            solve_from(size, &widened(edges), head, limits)
        }
    }
}

impl EngineWeight for i64 {
    fn dispatch(
        size: Size,
        edges: &[Edge<i64>],
        range: &Range<i64>,
        head: Option<Head<'_>>,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Failure> {
        if !range.widths.is_long() {
            solve_from(size, &widened(edges), head, limits)
        } else if range.widths.is_narrow() {
            run::<FromI64>(size, edges, range.least, head, limits, Effort::default())
        } else {
            run::<WideI64>(size, edges, range.least, head, limits, Effort::default())
        }
    }
}

impl EngineWeight for i128 {
    fn dispatch(
        size: Size,
        edges: &[Edge<i128>],
        range: &Range<i128>,
        head: Option<Head<'_>>,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Failure> {
        range.widths.check()?;
        run::<FromI128>(size, edges, range.least, head, limits, Effort::default())
    }
}

fn widened<W: EngineWeight>(edges: &[Edge<W>]) -> Vec<Edge<i128>> {
    edges
        .iter()
        .map(|edge| Edge {
            u: edge.u,
            v: edge.v,
            weight: edge.weight.into(),
        })
        .collect()
}

fn solve_without_edges(n: usize) -> Result<Outcome, Failure> {
    match n.cmp(&0) {
        Ordering::Equal => Ok(Outcome {
            mates: Vec::new(),
            certificate: Certificate::default(),
            stopped: None,
            work: 0,
        }),
        _ => Err(Failure::at_sight(TutteBerge::new(
            Vec::new(),
            (0..n).map(|v| vec![v]).collect(),
        ))),
    }
}

/// An odd number of vertices: some component is odd, and nothing need be removed to see it.
pub(crate) fn odd_component_witness<W>(n: usize, edges: &[Edge<W>]) -> TutteBerge {
    let mut name: Vec<u32> = (0..n as u32).collect();
    let find = |name: &mut Vec<u32>, v: u32| {
        let mut v = v;
        while name[v as usize] != v {
            name[v as usize] = name[name[v as usize] as usize];
            v = name[v as usize];
        }
        v
    };
    for edge in edges {
        let (a, b) = (find(&mut name, edge.u), find(&mut name, edge.v));
        name[a.max(b) as usize] = a.min(b);
    }
    let mut components: Vec<Vec<usize>> = vec![Vec::new(); n];
    for v in 0..n {
        components[find(&mut name, v as u32) as usize].push(v);
    }
    components.retain(|component| component.len() % 2 == 1);
    TutteBerge::new(Vec::new(), components)
}

/// Nodes that wait are scanned so many at a time where what they bring lies near them.
const BATCH: usize = 2_048;

/// A whole solve: a search that starts from nothing, or from duals.
fn run<N: Numbers>(
    size: Size,
    edges: &[Edge<N::Weight>],
    least: N::Weight,
    head: Option<Head<'_>>,
    limits: &Limits<'_>,
    effort: Effort,
) -> Result<Outcome, Failure> {
    let n = size.vertices;
    let must_stop = || limits.reached(0).is_some();
    if let Some(head @ Head { duals, mates }) = head {
        let shift: i128 = least.into();
        let duals: Vec<N::Dual> = duals.iter().map(|&dual| N::Dual::from_i128(dual - shift)).collect();
        let Some(graph) = Graph::<N>::unless(must_stop, n, edges, least) else {
            return Ok(unsearched(head.duals.to_vec(), limits));
        };
        let search = if mates.is_empty() {
            Search::on(graph, From::Duals(&duals), effort, limits)
        } else {
            Search::on(graph, From::Warm(&Warm::matched(duals, mates)), effort, limits)
        };
        return Ok(search?.outcome());
    }
    let Some(graph) = Graph::<N>::unless(must_stop, n, edges, least) else {
        return Ok(unsearched(vec![least.into(); n], limits));
    };
    let count = n / size.copies;
    let units = Units {
        of: &|v| v % count as u32,
        count,
    };
    if !order::is_spread_out(&graph) {
        return search(graph, units, usize::MAX, effort, limits);
    }
    if !order::is_scattered(&graph) {
        return search(graph, units, BATCH, effort, limits);
    }
    let order = Order::in_blocks(&graph);
    let edges = order.edges(&graph);
    drop(graph);
    let units = Units {
        of: &|place| order.vertex(place) % count as u32,
        count,
    };
    order.restored(search(Graph::<N>::new(n, &edges, least), units, BATCH, effort, limits))
}

/// What there is when a limit comes before the search: duals that leave no slack negative.
pub(crate) fn unsearched(duals: Vec<i128>, limits: &Limits<'_>) -> Outcome {
    let vertices = duals.len();
    Outcome {
        mates: vec![u32::MAX; vertices],
        certificate: Certificate::new(duals, (0..vertices as u32).collect(), Vec::new(), 0),
        stopped: limits.reached(0).or(Some(StopReason::Cancelled)),
        work: 0,
    }
}

/// What a search that starts from nothing finds, whose forest scans its nodes in such batches.
fn search<N: Numbers>(
    graph: Graph<'_, N>,
    units: Units<'_>,
    batch: usize,
    effort: Effort,
    limits: &Limits<'_>,
) -> Result<Outcome, Failure> {
    let start = FractionalStart::new(&graph, limits, effort).sampled_by(units).run()?;
    if start.is_perfect() {
        return Ok(start.outcome(&graph));
    }
    let stopped = start.stopped;
    let bound = limits.asks_for_bounds().then(|| start.doubled_bound(&graph)).flatten();
    let mut forest = Forest::new(graph, &start);
    forest.batch = batch;
    // Its memory is of use to trees.
    drop(start);
    Ok(Search::of(forest, stopped, bound, limits)?.outcome())
}

/// The start of a search, from duals that leave no slack negative or from nothing.
fn started<N: Numbers>(
    graph: &Graph<'_, N>,
    duals: Option<&[N::Dual]>,
    effort: Effort,
    limits: &Limits<'_>,
) -> Result<Start<N::Dual>, Failure> {
    let mut start = FractionalStart::new(graph, limits, effort);
    if let Some(duals) = duals {
        start.set_duals(duals);
    }
    start.run()
}

/// What a search starts from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum From<'w, D> {
    Nothing,
    /// One dual per vertex, in half units of the weights less the least one, that leaves no slack negative.
    Duals(&'w [D]),
    /// The end of an earlier search, true for the present edges.
    Warm(&'w Warm<D>),
}

/// A search that has ended.
#[derive(Debug)]
pub(crate) struct Search<'e, N: Numbers> {
    forest: Forest<'e, N>,
    /// The limit that ended it early, if one did.
    pub(crate) stopped: Option<StopReason>,
}

impl<'e, N: Numbers> Search<'e, N> {
    /// Searches for a minimum-weight perfect matching. `least` is at most the least weight.
    pub(crate) fn run(
        n: usize,
        edges: &'e [Edge<N::Weight>],
        least: N::Weight,
        from: From<'_, N::Dual>,
        effort: Effort,
        limits: &Limits<'_>,
    ) -> Result<Self, Failure> {
        Self::on(Graph::new(n, edges, least), from, effort, limits)
    }

    /// The same on a graph.
    fn on(graph: Graph<'e, N>, from: From<'_, N::Dual>, effort: Effort, limits: &Limits<'_>) -> Result<Self, Failure> {
        let mut stopped = None;
        let forest = match from {
            From::Warm(warm) => Forest::resumed(graph, warm),
            From::Nothing | From::Duals(_) => {
                let duals = if let From::Duals(duals) = from {
                    Some(duals)
                } else {
                    None
                };
                let start = started(&graph, duals, effort, limits)?;
                stopped = start.stopped;
                Forest::new(graph, &start)
            }
        };
        // Few of all edges may be here: their duals bound nothing.
        Self::of(forest, stopped, None, limits)
    }

    /// Lets a forest grow to its end, unless it was stopped before. `bound` is its dual objective, for who listens.
    fn of(
        mut forest: Forest<'e, N>,
        mut stopped: Option<StopReason>,
        mut bound: Option<i128>,
        limits: &Limits<'_>,
    ) -> Result<Self, Failure> {
        let mut scratch = DualScratch::new(forest.trees.len());
        while !forest.live.is_empty() && stopped.is_none() {
            forest.has_progress = false;
            forest.primal_phase();
            #[cfg(debug_assertions)]
            forest.check_invariants();
            if let DualStep::Unbounded(trees) = forest.dual_phase(&mut scratch) {
                return Err(Failure::Infeasible {
                    witness: forest.unbounded_witness(&trees),
                    work: forest.work,
                });
            }
            // A round without any move would repeat for ever: better to stop here than to hang.
            assert!(
                forest.has_progress,
                "the blossom search made no progress, which is a bug: please report the instance"
            );
            bound = bound.and_then(|bound| bound.checked_add(scratch.rise(&forest.live)?));
            stopped = limits.look(forest.work, || Glimpse {
                stage: Stage::Search,
                left: Some(forest.live.len()),
                doubled_bound: bound,
            });
        }
        if forest.live.is_empty() {
            stopped = None;
        }
        forest.settle();
        debug_assert!(
            bound.is_none() || bound == forest.certificate().doubled_bound(),
            "the bound that is told is that of the duals"
        );
        Ok(Self { forest, stopped })
    }

    /// Arc visits.
    pub(crate) fn work(&self) -> u64 {
        self.forest.work
    }

    /// The present duals as a certificate for the given weights.
    pub(crate) fn certificate(&self) -> Certificate {
        self.forest.certificate()
    }

    /// The other ends of the edges of a vertex.
    pub(crate) fn neighbours(&self, v: u32) -> impl Iterator<Item = u32> {
        self.forest.graph.arcs(v).iter().map(|arc| arc.head)
    }

    /// Where the search ended.
    pub(crate) fn warm(&self) -> Warm<N::Dual> {
        self.forest.warm()
    }

    /// What was found.
    fn outcome(self) -> Outcome {
        Outcome {
            certificate: self.certificate(),
            stopped: self.stopped,
            work: self.work(),
            mates: self.into_mates(),
        }
    }

    /// Partner of each vertex; `u32::MAX` only where the search was stopped.
    pub(crate) fn into_mates(self) -> Vec<u32> {
        self.forest.into_mates()
    }
}

/// Solves the relaxation without odd sets, from duals that leave no slack negative.
pub(crate) fn relax<N: Numbers>(
    n: usize,
    edges: &[Edge<N::Weight>],
    least: N::Weight,
    duals: &[N::Dual],
    effort: Effort,
    limits: &Limits<'_>,
) -> RelaxedDuals<N::Dual> {
    let graph = Graph::<N>::new(n, edges, least);
    let mut start = FractionalStart::new(&graph, limits, effort);
    start.set_duals(duals);
    start.relax()
}
