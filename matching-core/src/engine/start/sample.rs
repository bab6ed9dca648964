//! Duals from a sample of the vertices, where searches from the least weights take too long.
//!
//! Half of the vertices with the edges between them is a quarter of the problem with much the same duals, if these vertices look like
//! all of them. It is relaxed first, from a sample of its own; a vertex outside the sample then pays the most that those inside
//! allow, and less where two of those outside would pay too much together. Duals decide where searches begin and nothing else.

use super::{Effort, FractionalStart};
use crate::edge_list::Edge;
use crate::engine::graph::{Graph, OutArc};
use crate::engine::limits::Limits;
use crate::engine::numbers::{Dual, Numbers};
use crate::solution::StopReason;

/// A sample of a graph whose vertices have fewer edges in the mean says little of it.
const LEAST_DEGREE: usize = 8;
/// Graphs of fewer units have no sample.
const LEAST_UNITS: usize = 200;
/// A sample may visit its arcs so many times.
const VISITS: u64 = 40;
/// Where more than one of so many vertices of a sample find no partner within that, its duals are no better than others.
const LEFT_SHARE: usize = 32;

/// Vertices that are in a sample together or not at all: both copies of one of the caller's.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Units<'u> {
    /// The unit of a vertex.
    pub(in crate::engine) of: &'u dyn Fn(u32) -> u32,
    pub(in crate::engine) count: usize,
}

/// What samples of a graph take and may take.
pub(super) struct Sampler<'s> {
    limits: &'s Limits<'s>,
    /// Arc visits of the whole solve so far.
    pub(super) work: u64,
}

impl<'s> Sampler<'s> {
    pub(super) fn new(limits: &'s Limits<'s>, work: u64) -> Self {
        Self { limits, work }
    }

    /// Duals that leave no slack negative; `None` where a sample would say little.
    ///
    /// # Errors
    /// The limit that ended it.
    pub(super) fn duals<N: Numbers>(
        &mut self,
        graph: &Graph<'_, N>,
        units: Units<'_>,
    ) -> Result<Option<Vec<N::Dual>>, StopReason> {
        let n = graph.len();
        if units.count < LEAST_UNITS || 2 * graph.edge_count() < LEAST_DEGREE * n {
            return Ok(None);
        }
        self.check()?;
        let chosen = choose(graph, units);
        let mut places = vec![None; n];
        let mut unit_of_place = Vec::new();
        for v in 0..n as u32 {
            let unit = (units.of)(v);
            if let Some(kept) = chosen[unit as usize] {
                places[v as usize] = Some(unit_of_place.len() as u32);
                unit_of_place.push(kept);
            }
        }
        self.work += 4 * graph.edge_count() as u64;
        self.check()?;
        let edges = edges_between(graph, &places);
        let must_stop = || self.check().is_err();
        let sample = Graph::<N>::unless(must_stop, unit_of_place.len(), &edges, graph.least());
        let sample = sample.ok_or_else(|| self.limits.reached(self.work).unwrap_or(StopReason::Cancelled))?;

        let kept = Units {
            of: &|place| unit_of_place[place as usize],
            count: chosen.iter().flatten().count(),
        };
        let first = self.duals(&sample, kept)?.unwrap_or_else(|| least_duals(&sample));
        let effort = Effort {
            visits: Some(VISITS),
            ..Effort::default()
        };
        let mut start = FractionalStart::new(&sample, self.limits, effort);
        start.work = self.work;
        start.set_duals(&first);
        let relaxed = start.relaxed();
        self.work = relaxed.work;
        if let Some(reason) = relaxed.stopped {
            return Err(reason);
        }
        if relaxed.left > sample.len() / LEFT_SHARE {
            return Ok(None);
        }
        self.work += 4 * graph.edge_count() as u64;
        self.check()?;
        Ok(extended(graph, &places, &relaxed.duals))
    }

    /// Large graphs are read for long between two searches.
    fn check(&self) -> Result<(), StopReason> {
        self.limits.reached(self.work).map_or(Ok(()), Err)
    }
}

/// Of each two units that cost alike in the mean, the first and the second by turns: the number that each of them has in the
/// sample. Of a graph with two sides half of either is chosen: else some would have nobody.
fn choose<N: Numbers>(graph: &Graph<'_, N>, units: Units<'_>) -> Vec<Option<u32>> {
    let mut sums = vec![(0.0f64, 0u32); units.count];
    for v in 0..graph.len() as u32 {
        let unit = (units.of)(v);
        let sum = &mut sums[unit as usize];
        for arc in graph.arcs(v).iter().filter(|arc| (units.of)(arc.head) != unit) {
            let weight: i128 = N::single(arc.weight).into();
            *sum = (sum.0 + weight as f64, sum.1 + 1);
        }
    }
    let mean = |unit: u32| {
        let (sum, count) = sums[unit as usize];
        sum / f64::from(count.max(1))
    };
    let sides = if units.count == graph.len() {
        sides(graph)
    } else {
        // There are as many of either, as each unit has one of both.
        None
    };
    let side = |unit: u32| sides.as_ref().is_some_and(|sides| sides[unit as usize]);
    let mut order: Vec<u32> = (0..units.count as u32).collect();
    order.sort_by(|&a, &b| side(a).cmp(&side(b)).then(mean(a).total_cmp(&mean(b))));
    let mut picked: Vec<u32> = order
        .chunks(2)
        .enumerate()
        .map(|(at, two)| two[at % two.len()])
        .collect();
    picked.sort_unstable();
    let mut chosen = vec![None; units.count];
    for (number, unit) in (0..).zip(picked) {
        chosen[unit as usize] = Some(number);
    }
    chosen
}

/// On which of two sides each vertex is, if no edge is within one of them.
fn sides<N: Numbers>(graph: &Graph<'_, N>) -> Option<Vec<bool>> {
    let mut sides: Vec<Option<bool>> = vec![None; graph.len()];
    let mut waiting = Vec::new();
    for root in 0..graph.len() as u32 {
        if sides[root as usize].is_some() {
            continue;
        }
        sides[root as usize] = Some(false);
        waiting.push(root);
        while let Some(u) = waiting.pop() {
            let other = sides[u as usize].map(|side| !side);
            for arc in graph.arcs(u) {
                match sides[arc.head as usize] {
                    None => {
                        sides[arc.head as usize] = other;
                        waiting.push(arc.head);
                    }
                    side if side != other => return None,
                    Some(_) => {}
                }
            }
        }
    }
    sides.into_iter().collect()
}

/// The edges both of whose ends have places, by these.
fn edges_between<N: Numbers>(graph: &Graph<'_, N>, places: &[Option<u32>]) -> Vec<Edge<N::Weight>> {
    let mut edges = Vec::with_capacity(graph.edge_count() / 4);
    for (tail, place) in (0..).zip(places) {
        let Some(u) = *place else { continue };
        for arc in graph.arcs(tail) {
            if let Some(v) = places[arc.head as usize].filter(|&v| u < v) {
                let weight = graph.weight(arc.id.edge());
                edges.push(Edge { u, v, weight });
            }
        }
    }
    edges
}

/// Half of the least doubled weight around each vertex.
fn least_duals<N: Numbers>(graph: &Graph<'_, N>) -> Vec<N::Dual> {
    let least = |v| graph.arcs(v).iter().map(|arc| N::single(arc.weight)).min();
    (0..graph.len() as u32)
        .map(|v| least(v).unwrap_or(N::Dual::ZERO))
        .collect()
}

/// Duals of all vertices, of those that have places; `None` if they are larger than those that a search begins with may be.
fn extended<N: Numbers>(graph: &Graph<'_, N>, places: &[Option<u32>], inside: &[N::Dual]) -> Option<Vec<N::Dual>> {
    let n = graph.len();
    let mut duals = vec![N::Dual::ZERO; n];
    for (dual, place) in duals.iter_mut().zip(places) {
        *dual = place.map_or(N::Dual::ZERO, |place| inside[place as usize]);
    }
    let outside = || (0..n as u32).filter(|&v| places[v as usize].is_none());
    for v in outside() {
        let arcs = graph.arcs(v).iter();
        let to_sample = arcs.clone().filter(|arc| places[arc.head as usize].is_some());
        let most = to_sample
            .map(|arc| N::doubled(arc.weight) - duals[arc.head as usize])
            .min();
        let own = || arcs.map(|arc| N::single(arc.weight)).min();
        duals[v as usize] = most.or_else(own).unwrap_or(N::Dual::ZERO);
    }
    // Two of those outside share what they pay too much.
    let too_much = |v: u32| {
        let over = |arc: &OutArc<N::Arc>| duals[v as usize] + duals[arc.head as usize] - N::doubled(arc.weight);
        graph.arcs(v).iter().map(over).fold(N::Dual::ZERO, N::Dual::max)
    };
    let steps: Vec<N::Dual> = outside().map(too_much).collect();
    for (v, step) in outside().zip(steps) {
        let step: i128 = step.into();
        duals[v as usize] -= N::Dual::from_i128((step + 1) / 2);
    }
    let weights = (0..n as u32)
        .flat_map(|v| graph.arcs(v))
        .map(|arc| N::single(arc.weight));
    let greatest: i128 = weights.max().unwrap_or(N::Dual::ZERO).into();
    let limit = (n as i128 + 2).saturating_mul(greatest);
    let fits = |&dual: &N::Dual| {
        let dual: i128 = dual.into();
        dual.abs() <= limit
    };
    duals.iter().all(fits).then_some(duals)
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::budget::Budget;
    use crate::engine::FromI64;

    /// Products of two numbers on random pairs: `copies` times the same, joined by links.
    fn products(n: u32, degree: u32, copies: u32, is_bipartite: bool, rng: &mut ChaCha8Rng) -> Vec<Edge<i64>> {
        let size: Vec<i64> = (0..n).map(|_| rng.random_range(0..1000)).collect();
        let mut edges = Vec::new();
        for u in 0..n {
            for _ in 0..degree.div_ceil(2) {
                let v = rng.random_range(0..n);
                if u == v || (is_bipartite && u % 2 == v % 2) {
                    continue;
                }
                for copy in 0..copies {
                    edges.push(Edge {
                        u: u.min(v) + copy * n,
                        v: u.max(v) + copy * n,
                        weight: size[u as usize] * size[v as usize],
                    });
                }
            }
            if copies == 2 {
                edges.push(Edge {
                    u,
                    v: u + n,
                    weight: 400_000,
                });
            }
        }
        edges
    }

    #[test]
    fn no_slack_is_negative_and_copies_stay_together() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let budget = Budget::new();
        let limits = Limits::start(&budget);
        for (n, copies, is_bipartite) in [(600, 1, false), (600, 1, true), (300, 2, false), (1001, 2, true)] {
            let edges = products(n, 30, copies, is_bipartite, &mut rng);
            let graph = Graph::<FromI64>::new((copies * n) as usize, &edges, 0);
            let units = Units {
                of: &|v| v % n,
                count: n as usize,
            };
            let mut sampler = Sampler::new(&limits, 7);
            let duals = sampler
                .duals(&graph, units)
                .expect("no limits")
                .expect("enough vertices and edges");
            assert!(sampler.work > 7);
            let pays = |v: u32| duals[v as usize];
            assert!(edges.iter().all(|edge| pays(edge.u) + pays(edge.v) <= 2 * edge.weight));
            // Duals from nothing would be least weights, which lie far below those that are right.
            let least: i64 = least_duals(&graph).iter().sum();
            assert!(duals.iter().sum::<i64>() > least, "{n} {copies} {is_bipartite}");

            let chosen = choose(&graph, units);
            let kept: Vec<u32> = (0..n).filter(|&unit| chosen[unit as usize].is_some()).collect();
            let numbers: Vec<u32> = chosen.iter().flatten().copied().collect();
            assert!(numbers.iter().copied().eq(0..n.div_ceil(2)));
            if copies == 1 && is_bipartite {
                assert_eq!(kept.iter().filter(|&&v| v % 2 == 0).count(), 150);
            }
        }
    }

    #[test]
    fn few_vertices_and_few_edges_have_no_sample() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let budget = Budget::new();
        for (n, degree) in [(150, 30), (5000, 4)] {
            let edges = products(n, degree, 1, false, &mut rng);
            let graph = Graph::<FromI64>::new(n as usize, &edges, 0);
            let units = Units {
                of: &|v| v,
                count: n as usize,
            };
            let limits = Limits::start(&budget);
            let duals = Sampler::new(&limits, 0).duals(&graph, units);
            assert_eq!(duals, Ok(None));
        }
    }

    #[test]
    fn a_limit_ends_it() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let edges = products(800, 30, 1, false, &mut rng);
        let graph = Graph::<FromI64>::new(800, &edges, 0);
        let units = Units { of: &|v| v, count: 800 };
        let budget = Budget::new().work(1);
        let limits = Limits::start(&budget);
        let duals = Sampler::new(&limits, 0).duals(&graph, units);
        assert_eq!(duals, Err(StopReason::WorkLimit));
    }
}
