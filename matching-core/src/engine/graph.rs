//! The input graph as arrays of arcs grouped by tail. It never changes: blossoms do not merge adjacency lists.

use super::numbers::Numbers;
use super::warm::Link;
use crate::edge_list::Edge;

/// Edges that are sorted before the next look at the limits: some milliseconds.
const ASK: usize = 1 << 18;

/// An edge with a direction: edge id and one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArcId(u32);

impl ArcId {
    pub(super) const NONE: ArcId = ArcId(u32::MAX);

    /// The arc from the lower to the higher end of an edge.
    #[inline]
    pub(super) fn forward(edge: u32) -> Self {
        ArcId(edge << 1)
    }

    #[inline]
    pub(super) fn edge(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub(super) fn reversed(self) -> Self {
        debug_assert!(self.is_some());
        ArcId(self.0 ^ 1)
    }

    #[inline]
    pub(super) fn is_none(self) -> bool {
        self == Self::NONE
    }

    #[inline]
    pub(super) fn is_some(self) -> bool {
        self != Self::NONE
    }

    #[inline]
    fn is_forward(self) -> bool {
        self.0 & 1 == 0
    }
}

/// One arc out of a vertex, with all that a scan needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutArc<A> {
    pub(super) head: u32,
    pub(super) id: ArcId,
    pub(super) weight: A,
}

/// Arcs grouped by tail, and the caller's edges for look-ups by edge id.
#[derive(Debug)]
pub(super) struct Graph<'a, N: Numbers> {
    edges: &'a [Edge<N::Weight>],
    least: N::Weight,
    first: Vec<u32>,
    arcs: Vec<OutArc<N::Arc>>,
}

impl<'a, N: Numbers> Graph<'a, N> {
    /// Groups the arcs of `edges` by tail, in edge order; `least` is the least weight.
    pub(super) fn new(n: usize, edges: &'a [Edge<N::Weight>], least: N::Weight) -> Self {
        match Self::unless(|| false, n, edges, least) {
            Some(graph) => graph,
            None => unreachable!("nobody says stop"),
        }
    }

    /// The same, unless somebody says stop on the way.
    pub(super) fn unless(
        must_stop: impl Fn() -> bool,
        n: usize,
        edges: &'a [Edge<N::Weight>],
        least: N::Weight,
    ) -> Option<Self> {
        let mut first = vec![0u32; n + 1];
        for some in edges.chunks(ASK) {
            for edge in some {
                first[edge.u as usize] += 1;
                first[edge.v as usize] += 1;
            }
            if must_stop() {
                return None;
            }
        }
        let mut end = 0;
        for slot in &mut first {
            end += *slot;
            *slot = end;
        }
        // Filling from the back turns each end into the start and keeps edge order.
        let blank = OutArc {
            head: 0,
            id: ArcId::NONE,
            weight: N::shifted(least, least),
        };
        let mut arcs = Vec::with_capacity(2 * edges.len());
        for some in edges.chunks(ASK) {
            arcs.resize(arcs.len() + 2 * some.len(), blank);
            if must_stop() {
                return None;
            }
        }
        let mut id = edges.len() as u32;
        for some in edges.rchunks(ASK) {
            for edge in some.iter().rev() {
                id -= 1;
                let weight = N::shifted(edge.weight, least);
                let forward = ArcId::forward(id);
                for (tail, head, id) in [(edge.u, edge.v, forward), (edge.v, edge.u, forward.reversed())] {
                    let slot = &mut first[tail as usize];
                    *slot -= 1;
                    arcs[*slot as usize] = OutArc { head, id, weight };
                }
            }
            if must_stop() {
                return None;
            }
        }
        Some(Self {
            edges,
            least,
            first,
            arcs,
        })
    }

    /// Number of vertices.
    pub(super) fn len(&self) -> usize {
        self.first.len() - 1
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn least(&self) -> N::Weight {
        self.least
    }

    /// Positions of the arcs out of `v`, for [`Graph::arc`].
    #[inline]
    pub(super) fn span(&self, v: u32) -> core::ops::Range<usize> {
        self.first[v as usize] as usize..self.first[v as usize + 1] as usize
    }

    #[inline]
    pub(super) fn arc(&self, position: usize) -> OutArc<N::Arc> {
        self.arcs[position]
    }

    /// The arcs out of `v`.
    #[inline]
    pub(super) fn arcs(&self, v: u32) -> &[OutArc<N::Arc>] {
        &self.arcs[self.span(v)]
    }

    /// The arc between the ends of a link, if it is one.
    pub(super) fn arc_of(&self, link: Link) -> ArcId {
        if link.is_none() {
            return ArcId::NONE;
        }
        let arc = self.arcs(link.tail).iter().find(|arc| arc.head == link.head);
        debug_assert!(arc.is_some(), "what an earlier search rests on is still an edge");
        arc.map_or(ArcId::NONE, |arc| arc.id)
    }

    /// The ends of an arc, if it is one.
    pub(super) fn link_of(&self, arc: ArcId) -> Link {
        if arc.is_none() {
            return Link::NONE;
        }
        Link {
            tail: self.tail(arc),
            head: self.head(arc),
        }
    }

    #[inline]
    pub(super) fn head(&self, arc: ArcId) -> u32 {
        let edge = &self.edges[arc.edge() as usize];
        if arc.is_forward() { edge.v } else { edge.u }
    }

    #[inline]
    pub(super) fn tail(&self, arc: ArcId) -> u32 {
        self.head(arc.reversed())
    }

    /// The weight of an edge as it was given.
    pub(super) fn weight(&self, edge: u32) -> N::Weight {
        self.edges[edge as usize].weight
    }

    /// Both ends and the doubled shifted weight of an edge.
    #[inline]
    pub(super) fn edge(&self, edge: u32) -> (u32, u32, N::Dual) {
        let edge = &self.edges[edge as usize];
        (edge.u, edge.v, N::doubled(N::shifted(edge.weight, self.least)))
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::engine::FromI64;

    /// Nobody looked at the limits of a solve while edges were sorted, which takes seconds where they are a hundred million.
    #[test]
    fn whoever_sorts_edges_asks_on_the_way_whether_to_stop() {
        let n = 3;
        let edge = |at: u32| Edge {
            u: at % 2,
            v: 2,
            weight: i64::from(at),
        };
        let edges: Vec<Edge<i64>> = (0..3 * ASK as u32).map(edge).collect();
        let asked = Cell::new(0);
        let ask = |last: u32| {
            asked.set(asked.get() + 1);
            asked.get() > last
        };
        for last in 0..9 {
            assert!(Graph::<FromI64>::unless(|| ask(last), n, &edges, 0).is_none());
            assert_eq!(asked.replace(0), last + 1);
        }
        let graph = Graph::<FromI64>::unless(|| ask(9), n, &edges, 0).expect("all");
        assert_eq!(
            (asked.get(), graph.arcs(2).len(), graph.arcs(0).len()),
            (9, edges.len(), edges.len() / 2)
        );
        let in_order = |arcs: &[OutArc<_>]| arcs.iter().is_sorted_by_key(|arc| arc.id.edge());
        assert!((0..3).all(|v| in_order(graph.arcs(v))));
    }
}
