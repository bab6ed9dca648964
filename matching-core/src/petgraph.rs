//! Graphs of the `petgraph` crate as input (feature `petgraph`).
//!
//! Any graph type whose nodes and edges can be listed is read once into an [`EdgeList`]; directed edges are read as
//! undirected. Node identifiers are compacted to `0..n` in the order in which the graph lists them, so that holes in a
//! `StableGraph`, or the free-form nodes of a `GraphMap`, do no harm; the way back is kept.

use ::petgraph::visit::{EdgeRef, IntoEdgeReferences, IntoNodeIdentifiers, NodeIndexable};
use std::borrow::Cow;

use crate::cost::CostValue;
use crate::edge_list::{EdgeList, Parallel};
use crate::error::Error;
use crate::instance::Instance;
use crate::solution::Solution;

/// The edges of a `petgraph` graph, and which node each vertex is.
///
/// # Examples
/// ```
/// use matching_core::{Blossom, petgraph::GraphEdges};
/// use petgraph::stable_graph::StableUnGraph;
///
/// let mut graph = StableUnGraph::<&str, i64>::default();
/// let [ann, bob, cid, dee, eve] = ["Ann", "Bob", "Cid", "Dee", "Eve"].map(|name| graph.add_node(name));
/// graph.extend_with_edges([(ann, cid, 4), (cid, dee, 9), (dee, eve, 2), (eve, ann, 1)]);
/// graph.remove_node(bob); // leaves a hole
///
/// let edges = GraphEdges::new(&graph, |edge| *edge.weight())?;
/// let best = Blossom::new().solve(&edges)?;
/// assert_eq!(best.cost(), 6);
/// assert!(edges.pairs(&best).eq([(ann, cid), (dee, eve)]));
/// assert_eq!(edges.mate(&best, eve), Some(dee));
/// # Ok::<(), matching_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GraphEdges<N, V> {
    nodes: Vec<N>,
    edges: EdgeList<V>,
}

impl<N: Copy, V: CostValue> GraphEdges<N, V> {
    /// Reads a graph; of parallel edges the cheapest stays, which is wrong for an objective that maximises: use
    /// [`with_parallel`](Self::with_parallel) with [`Parallel::KeepDearest`] for these.
    ///
    /// # Errors
    /// As [`EdgeList::new`]; vertices are numbered as the graph lists its nodes.
    ///
    /// # Complexity
    /// O(n + m) for n node slots and m edges.
    pub fn new<G>(graph: G, weight: impl FnMut(G::EdgeRef) -> V) -> Result<Self, Error>
    where
        G: IntoNodeIdentifiers<NodeId = N> + IntoEdgeReferences<NodeId = N> + NodeIndexable<NodeId = N>,
    {
        Self::with_parallel(graph, weight, Parallel::KeepCheapest)
    }

    /// Reads a graph with a stated treatment of parallel edges.
    ///
    /// # Errors
    /// As [`EdgeList::with_parallel`]; vertices are numbered as the graph lists its nodes.
    pub fn with_parallel<G>(
        graph: G,
        mut weight: impl FnMut(G::EdgeRef) -> V,
        parallel: Parallel,
    ) -> Result<Self, Error>
    where
        G: IntoNodeIdentifiers<NodeId = N> + IntoEdgeReferences<NodeId = N> + NodeIndexable<NodeId = N>,
    {
        let nodes: Vec<N> = graph.node_identifiers().collect();
        let mut vertex = vec![usize::MAX; graph.node_bound()];
        for (number, &node) in nodes.iter().enumerate() {
            vertex[graph.to_index(node)] = number;
        }
        let of = |node| vertex[graph.to_index(node)];
        let edges = graph
            .edge_references()
            .map(|edge| (of(edge.source()), of(edge.target()), weight(edge)));
        let edges = EdgeList::with_parallel(nodes.len(), edges, parallel)?;
        Ok(Self { nodes, edges })
    }

    /// The edges on compact vertices.
    pub fn edges(&self) -> &EdgeList<V> {
        &self.edges
    }

    /// The node that a vertex stands for.
    ///
    /// # Panics
    /// If there is no such vertex.
    #[track_caller]
    pub fn node(&self, vertex: usize) -> N {
        self.nodes[vertex]
    }

    /// The pairs of a solution as nodes, in order of their lower vertices.
    pub fn pairs<'a>(&'a self, solution: &'a Solution<V>) -> impl ExactSizeIterator<Item = (N, N)> + 'a {
        solution.pairs().map(|(u, v, _)| (self.nodes[u], self.nodes[v]))
    }

    /// The nodes without a partner in a solution, in the order in which the graph lists them.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, Objective, petgraph::GraphEdges};
    /// use petgraph::graphmap::UnGraphMap;
    ///
    /// let graph = UnGraphMap::<char, i64>::from_edges([('a', 'b', 5), ('b', 'c', 7), ('c', 'd', 1)]);
    /// let edges = GraphEdges::new(&graph, |edge| *edge.2)?;
    /// let best = Blossom::new().objective(Objective::MaxWeight).solve(&edges)?;
    /// assert!(edges.pairs(&best).eq([('b', 'c')]) && edges.unmatched(&best).eq(['a', 'd']));
    /// # Ok::<(), matching_core::Error>(())
    /// ```
    pub fn unmatched<'a>(&'a self, solution: &'a Solution<V>) -> impl Iterator<Item = N> + 'a {
        solution.unmatched().map(|vertex| self.nodes[vertex])
    }

    /// The vertex that stands for a node; `None` if the graph had no such node when it was read.
    ///
    /// # Complexity
    /// O(n): nodes are compared one by one.
    pub fn vertex(&self, node: N) -> Option<usize>
    where
        N: PartialEq,
    {
        self.nodes.iter().position(|&other| other == node)
    }

    /// The partner of a node in a solution; `None` if it has none, or the graph had no such node when it was read.
    ///
    /// # Complexity
    /// As [`vertex`](Self::vertex): for all partners at once there is [`pairs`](Self::pairs).
    pub fn mate(&self, solution: &Solution<V>, node: N) -> Option<N>
    where
        N: PartialEq,
    {
        solution.mate(self.vertex(node)?).map(|vertex| self.nodes[vertex])
    }
}

impl<N, V: CostValue> Instance for GraphEdges<N, V> {
    type Value = V;

    fn to_edges(&self) -> Result<Cow<'_, EdgeList<V>>, Error> {
        Ok(Cow::Borrowed(&self.edges))
    }
}

#[cfg(test)]
mod tests {
    use ::petgraph::graphmap::UnGraphMap;
    use ::petgraph::stable_graph::StableUnGraph;

    use super::*;
    use crate::Blossom;

    #[test]
    fn holes_of_a_stable_graph_do_not_shift_nodes() {
        let mut graph = StableUnGraph::<(), i32>::default();
        let nodes: Vec<_> = (0..8).map(|_| graph.add_node(())).collect();
        for pair in nodes.windows(2) {
            graph.add_edge(pair[0], pair[1], 1);
        }
        graph.remove_node(nodes[0]);
        graph.remove_node(nodes[3]);
        graph.add_edge(nodes[2], nodes[4], 7);
        let edges = GraphEdges::new(&graph, |edge| *edge.weight()).unwrap();
        let best = Blossom::new().solve(&edges).unwrap();
        best.verify(&edges).unwrap();
        let pairs: Vec<_> = edges.pairs(&best).collect();
        assert_eq!(
            pairs,
            [(nodes[1], nodes[2]), (nodes[4], nodes[5]), (nodes[6], nodes[7])]
        );
    }

    #[test]
    fn map_graphs_keep_their_own_nodes() {
        let graph = UnGraphMap::<u64, f64>::from_edges([(10, 700, 1.5), (700, 3, 0.5), (3, 99, 2.5)]);
        let edges = GraphEdges::new(&graph, |edge| *edge.weight()).unwrap();
        let best = Blossom::new().solve(&edges).unwrap();
        assert_eq!(best.cost(), 4.0);
        assert!(
            edges
                .pairs(&best)
                .all(|pair| [(10, 700), (700, 10), (3, 99), (99, 3)].contains(&pair))
        );
    }

    #[test]
    fn each_node_is_paired_or_unmatched_whatever_was_removed() {
        let mut graph = StableUnGraph::<(), i64>::default();
        let nodes: Vec<_> = (0..9).map(|_| graph.add_node(())).collect();
        for (step, pair) in nodes.windows(2).enumerate() {
            graph.add_edge(pair[0], pair[1], (step as i64 * 5) % 7 - 2);
        }
        graph.remove_node(nodes[4]);
        let edges = GraphEdges::new(&graph, |edge| *edge.weight()).unwrap();
        let best = Blossom::new()
            .objective(crate::Objective::MaxWeight)
            .solve(&edges)
            .unwrap();
        best.verify(&edges).unwrap();
        let pairs: Vec<_> = edges.pairs(&best).collect();
        for &node in &nodes {
            let partner = pairs.iter().find_map(|&(u, v)| match node {
                _ if node == u => Some(v),
                _ if node == v => Some(u),
                _ => None,
            });
            assert_eq!(edges.mate(&best, node), partner);
            let is_alone = edges.unmatched(&best).any(|other| other == node);
            assert_eq!(is_alone, graph.contains_node(node) && partner.is_none());
            assert_eq!(
                edges.vertex(node).map(|vertex| edges.node(vertex)),
                graph.contains_node(node).then_some(node)
            );
        }
        assert!(!pairs.is_empty() && edges.unmatched(&best).next().is_some());
    }

    #[test]
    fn loops_are_named() {
        let graph = UnGraphMap::<u8, i32>::from_edges([(1, 2, 1), (2, 2, 1)]);
        let error = GraphEdges::new(&graph, |edge| *edge.weight()).unwrap_err();
        assert_eq!(error, Error::SelfLoop { edge: 1, vertex: 1 });
    }
}
