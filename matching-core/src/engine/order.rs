//! Vertices numbered in blocks of neighbours, so that neighbours lie close in memory.
//!
//! A search on a large graph mostly waits for memory: every arc that it looks at asks for what is known of the other
//! end. Where a graph can be laid out such that neighbours have near numbers, as one of points in the plane can, but
//! comes in another order, a search after putting it in order takes a tenth to a third less time, the order included.

use super::graph::Graph;
use super::numbers::Numbers;
use super::{Failure, Outcome};
use crate::certificate::Certificate;
use crate::edge_list::Edge;
use crate::witness::TutteBerge;

/// Smaller graphs fit caches that are fast enough in any order.
const LEAST_VERTICES: usize = 30_000;

/// What is known of so many vertices fits the nearest caches, and numbers further apart are far from each other; a graph
/// is in order where fewer than one edge of so many joins far ones. Row by row a lattice of a million vertices is, by
/// rings around a point a triangulation of that size is not.
const NEAR: u32 = 1_024;
const FAR_EDGE_OF: usize = 8;
/// No divisor of what lattices and constructions repeat.
const LOOK_EVERY: usize = 13;

/// Vertices of a block: most edges stay inside one.
const BLOCK: usize = 256;

/// The neighbourhoods that are looked at, the vertices at which one is large, and the steps that this must take. In the
/// plane it takes 18 to 25, among edges at random with ten to a vertex three or four: no order helps there.
const SAMPLES: usize = 5;
const LARGE: usize = 1_024;
const LEAST_STEPS: usize = 8;

const NONE: u32 = u32::MAX;

/// Another order of the vertices.
#[derive(Debug)]
pub(crate) struct Order {
    /// Vertices by their place in it.
    vertices: Vec<u32>,
    /// Places of vertices.
    places: Vec<u32>,
}

impl Order {
    /// That of these vertices, each of which stands there once.
    pub(crate) fn new(vertices: Vec<u32>) -> Self {
        let mut places = vec![NONE; vertices.len()];
        for (place, &vertex) in (0..).zip(&vertices) {
            places[vertex as usize] = place;
        }
        Self { vertices, places }
    }

    /// In blocks of neighbours: whom the oldest vertex brings whose neighbours do not all have places, and whom these
    /// bring, breadth first. Each vertex is asked twice at most, O(n + m).
    pub(super) fn in_blocks<N: Numbers>(graph: &Graph<'_, N>) -> Self {
        let n = graph.len();
        let mut order = Self {
            vertices: Vec::with_capacity(n),
            places: vec![NONE; n],
        };
        let mut oldest = 0;
        for root in 0..n as u32 {
            order.add(root);
            while oldest < order.vertices.len() {
                let first = order.vertices.len();
                order.add_neighbours(oldest, graph);
                oldest += 1;
                let mut place = first;
                while place < order.vertices.len() && order.vertices.len() < first + BLOCK {
                    order.add_neighbours(place, graph);
                    place += 1;
                }
            }
        }
        order
    }

    /// Gives a vertex the next place, if it has none.
    fn add(&mut self, vertex: u32) {
        let place = &mut self.places[vertex as usize];
        if *place == NONE {
            *place = self.vertices.len() as u32;
            self.vertices.push(vertex);
        }
    }

    /// Gives the neighbours of the vertex at a place the next places, if they have none.
    fn add_neighbours<N: Numbers>(&mut self, place: usize, graph: &Graph<'_, N>) {
        for arc in graph.arcs(self.vertices[place]) {
            self.add(arc.head);
        }
    }

    /// The edges between places, by their lower ends.
    pub(super) fn edges<N: Numbers>(&self, graph: &Graph<'_, N>) -> Vec<Edge<N::Weight>> {
        let mut edges = Vec::with_capacity(graph.edge_count());
        for (u, &vertex) in (0..).zip(&self.vertices) {
            for arc in graph.arcs(vertex) {
                let v = self.places[arc.head as usize];
                if u < v {
                    let weight = graph.weight(arc.id.edge());
                    edges.push(Edge { u, v, weight });
                }
            }
        }
        edges
    }

    /// The vertex at a place.
    pub(super) fn vertex(&self, place: u32) -> u32 {
        self.vertices[place as usize]
    }

    /// What was found for places, in terms of the vertices.
    pub(crate) fn restored(&self, found: Result<Outcome, Failure>) -> Result<Outcome, Failure> {
        let mut outcome = found.map_err(|failure| match failure {
            Failure::Infeasible { witness, work } => Failure::Infeasible {
                witness: self.witness(&witness),
                work,
            },
            Failure::Overflow { .. } => failure,
        })?;
        let vertex = |place: u32| self.vertices.get(place as usize).copied().unwrap_or(NONE);
        let mates = self.places.iter().map(|&place| vertex(outcome.mates[place as usize]));
        outcome.mates = mates.collect();
        let Certificate {
            vertex_duals, order, ..
        } = &mut outcome.certificate;
        *vertex_duals = self.places.iter().map(|&place| vertex_duals[place as usize]).collect();
        order.iter_mut().for_each(|place| *place = vertex(*place));
        Ok(outcome)
    }

    fn witness(&self, witness: &TutteBerge) -> TutteBerge {
        let vertices = |places: &[usize]| places.iter().map(|&place| self.vertices[place] as usize).collect();
        let components = witness.odd_components().iter().map(|component| vertices(component));
        TutteBerge::new(vertices(witness.removed()), components.collect())
    }
}

/// Whether what lies near each other can be worked on together: the graph is too large for fast caches, and
/// neighbourhoods grow slowly, as where vertices are points and edges short.
pub(super) fn is_spread_out<N: Numbers>(graph: &Graph<'_, N>) -> bool {
    if graph.len() < LEAST_VERTICES {
        return false;
    }
    let step = graph.len() / SAMPLES;
    let mut seen = vec![false; graph.len()];
    let slow = (0..SAMPLES).filter(|&sample| steps_to_many((sample * step) as u32, graph, &mut seen) >= LEAST_STEPS);
    2 * slow.count() > SAMPLES
}

/// Whether too many edges join numbers that are far from each other, of every thirteenth vertex.
pub(super) fn is_scattered<N: Numbers>(graph: &Graph<'_, N>) -> bool {
    let (mut arcs, mut far) = (0, 0);
    for v in (0..graph.len() as u32).step_by(LOOK_EVERY) {
        arcs += graph.arcs(v).len();
        far += graph.arcs(v).iter().filter(|arc| arc.head.abs_diff(v) > NEAR).count();
    }
    FAR_EDGE_OF * far >= arcs
}

/// How many steps it takes from a vertex to many others, or to all there are. `seen` names nobody, before and after.
fn steps_to_many<N: Numbers>(from: u32, graph: &Graph<'_, N>, seen: &mut [bool]) -> usize {
    seen[from as usize] = true;
    let mut met = vec![from];
    let mut reached = 0;
    let mut steps = 0;
    while reached < met.len() && met.len() < LARGE {
        let wave = reached..met.len();
        reached = met.len();
        for at in wave {
            let heads = graph.arcs(met[at]).iter().map(|arc| arc.head);
            met.extend(heads.filter(|&head| !core::mem::replace(&mut seen[head as usize], true)));
        }
        steps += 1;
    }
    for vertex in met {
        seen[vertex as usize] = false;
    }
    steps
}

#[cfg(test)]
mod tests {
    use rand::seq::SliceRandom;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::budget::Budget;
    use crate::engine::{Effort, FromI64, Limits, Units, search};

    /// A lattice of `side` times `side`, its vertices in any order.
    fn shuffled_lattice(side: u32, rng: &mut ChaCha8Rng) -> Vec<Edge<i64>> {
        let mut names: Vec<u32> = (0..side * side).collect();
        names.shuffle(rng);
        let mut edges = Vec::new();
        for at in 0..side * side {
            let neighbours = [(at % side + 1 < side, at + 1), (at / side + 1 < side, at + side)];
            for (_, other) in neighbours.into_iter().filter(|neighbour| neighbour.0) {
                let (u, v) = (names[at as usize], names[other as usize]);
                let weight = rng.random_range(-50..50);
                edges.push(Edge {
                    u: u.min(v),
                    v: u.max(v),
                    weight,
                });
            }
        }
        edges
    }

    fn least(edges: &[Edge<i64>]) -> i64 {
        edges.iter().map(|edge| edge.weight).min().unwrap_or(0)
    }

    #[test]
    fn an_order_has_every_vertex_and_every_edge_once() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for side in [1, 2, 3, 8, 30] {
            let n = (side * side) as usize + 3;
            let edges = shuffled_lattice(side, &mut rng);
            let graph = Graph::<FromI64>::new(n, &edges, least(&edges));
            let order = Order::in_blocks(&graph);
            assert!((0..n).all(|v| order.vertices[order.places[v] as usize] as usize == v));
            let back = |edge: &Edge<i64>| {
                let [u, v] = [edge.u, edge.v].map(|place| order.vertices[place as usize]);
                (u.min(v), u.max(v), edge.weight)
            };
            let placed = order.edges(&graph);
            assert!(placed.iter().all(|edge| edge.u < edge.v) && placed.is_sorted_by_key(|edge| edge.u));
            let mut found: Vec<_> = placed.iter().map(back).collect();
            let mut given: Vec<_> = edges.iter().map(|edge| (edge.u, edge.v, edge.weight)).collect();
            found.sort_unstable();
            given.sort_unstable();
            assert_eq!(found, given);
        }
    }

    /// In any order and in batches of any size the same is proven, of the same vertices.
    #[test]
    fn what_is_found_is_told_of_the_vertices() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let budget = Budget::new();
        let limits = Limits::start(&budget);
        for (side, batch) in [(2, 1), (3, 1), (4, 2), (6, 1), (9, 5), (14, 3), (22, 7), (30, 64)] {
            let (n, edges) = ((side * side) as usize, shuffled_lattice(side, &mut rng));
            let graph = || Graph::<FromI64>::new(n, &edges, least(&edges));
            let order = Order::in_blocks(&graph());
            let placed = order.edges(&graph());
            let units = Units { of: &|v| v, count: n };
            let found = search(
                Graph::<FromI64>::new(n, &placed, least(&edges)),
                units,
                batch,
                Effort::default(),
                &limits,
            );
            let as_given = search(graph(), units, usize::MAX, Effort::default(), &limits);
            match (order.restored(found), as_given) {
                (Ok(one), Ok(other)) => {
                    let bounds = [&one, &other].map(|outcome| outcome.certificate.doubled_bound());
                    assert_eq!(bounds[0], bounds[1]);
                    let cost: i64 = edges
                        .iter()
                        .filter(|edge| one.mates[edge.u as usize] == edge.v)
                        .map(|edge| edge.weight)
                        .sum();
                    assert_eq!(bounds[0], Some(2 * i128::from(cost)));
                    let mut order = one.certificate.order().to_vec();
                    order.sort_unstable();
                    assert!(order.iter().copied().eq(0..n as u32));
                }
                (Err(Failure::Infeasible { witness: one, .. }), Err(Failure::Infeasible { .. })) => {
                    assert!(one.deficiency() > 0);
                    let removed = |v: &u32| one.removed().contains(&(*v as usize));
                    for edge in edges.iter().filter(|edge| !removed(&edge.u) && !removed(&edge.v)) {
                        let of = |v: u32| {
                            one.odd_components()
                                .iter()
                                .position(|part| part.contains(&(v as usize)))
                        };
                        assert_eq!(of(edge.u), of(edge.v), "{edge:?}");
                    }
                }
                (one, other) => panic!("{one:?} {other:?}"),
            }
        }
    }

    #[test]
    fn only_what_can_be_put_in_order_is() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let is_ordered = |n: usize, edges: &[Edge<i64>]| {
            let graph = Graph::<FromI64>::new(n, edges, -50);
            is_spread_out(&graph) && is_scattered(&graph)
        };
        let lattice = shuffled_lattice(200, &mut rng);
        assert!(is_ordered(40_000, &lattice));
        // Too small, in order already, and without any.
        assert!(!is_ordered(10_000, &shuffled_lattice(100, &mut rng)));
        let order = Order::in_blocks(&Graph::<FromI64>::new(40_000, &lattice, -50));
        let placed = order.edges(&Graph::<FromI64>::new(40_000, &lattice, -50));
        assert!(!is_ordered(40_000, &placed));
        let random = (0..100_000).map(|_| {
            loop {
                let (u, v) = (rng.random_range(0..40_000), rng.random_range(0..40_000));
                if u < v {
                    break Edge { u, v, weight: 0 };
                }
            }
        });
        assert!(!is_ordered(40_000, &random.collect::<Vec<_>>()));
    }
}
