//! The state of the blossom search: vertices, nodes, labels and trees, and what can be read off them.
//!
//! *Nodes* are single vertices (ids `0..n`) and supernodes (blossoms, ids from `n`). A node that lies in no other is
//! *outer*. Every outer node owns one *label*; each vertex points to the label of its outer node, so that a whole
//! blossom changes tree, sign or dual by one write. A node keeps its label id for life: a vertex has its own number, a
//! supernode that of its largest child.

use smallvec::SmallVec;

use super::graph::{ArcId, Graph};
use super::heap::Heap;
use super::numbers::{Dual, Numbers};
use super::start::Start;
use super::warm::{NodeId, Warm, WarmNode};

pub(super) const NONE: u32 = u32::MAX;

/// Side of an outer node: in no tree, at even distance from the root of its tree, or at odd distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Free,
    Plus,
    Minus,
}

/// Tree and sign of an outer node in one word, and whether it is a `+` node that waits for its scan.
///
/// The word without the waiting bit indexes [`Forest::offsets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Membership(u32);

impl Membership {
    pub(super) const FREE: Self = Self(0);
    const WAITING: u32 = 1 << 31;

    pub(super) fn plus(tree: u32) -> Self {
        Self(tree << 2 | 1)
    }

    pub(super) fn minus(tree: u32) -> Self {
        Self(tree << 2 | 2)
    }

    #[inline]
    pub(super) fn sign(self) -> Sign {
        match self.0 & 3 {
            0 => Sign::Free,
            1 => Sign::Plus,
            _ => Sign::Minus,
        }
    }

    #[inline]
    pub(super) fn is_free(self) -> bool {
        self.0 & 3 == 0
    }

    #[inline]
    pub(super) fn is_plus(self) -> bool {
        self.0 & 3 == 1
    }

    #[inline]
    pub(super) fn is_minus(self) -> bool {
        self.0 & 3 == 2
    }

    /// Meaningless for free nodes.
    #[inline]
    pub(super) fn tree(self) -> u32 {
        (self.0 & !Self::WAITING) >> 2
    }

    #[inline]
    pub(super) fn is_waiting(self) -> bool {
        self.0 & Self::WAITING != 0
    }

    #[inline]
    pub(super) fn waiting(self) -> Self {
        Self(self.0 | Self::WAITING)
    }

    #[inline]
    pub(super) fn settled(self) -> Self {
        Self(self.0 & !Self::WAITING)
    }

    #[inline]
    fn offset_index(self) -> usize {
        (self.0 & !Self::WAITING) as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex<D> {
    /// Sum of the duals of all sets around the vertex, less the label's and the tree's offsets.
    pub(super) base_dual: D,
    pub(super) label: u32,
    /// Next vertex in the list of the outer node.
    pub(super) next: u32,
    /// The label that has the vertex's number. Most vertices are asked for it as well: it lies beside them.
    pub(super) own: Label<D>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Label<D> {
    pub(super) offset: D,
    /// The outer node that owns the label; [`NONE`] while its owner lies inside a supernode.
    pub(super) node: u32,
    pub(super) membership: Membership,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Matched arc out of the node: free and tree nodes but roots; inside a supernode, that of the last time it was
    /// outer.
    pub(super) mate: ArcId,
    /// `-` node: arc to its `+` parent. `+` cluster member but the base: first arc of its odd walk to the base.
    pub(super) alt: ArcId,
    /// Union-find pointer towards the base of the cluster.
    pub(super) base: u32,
    pub(super) label: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    /// Number of vertices.
    pub(super) size: u32,
    /// Mark of the last step that met the node and had to know it again.
    pub(super) stamp: u32,
}

/// What only a supernode has.
#[derive(Clone, Debug)]
pub(super) struct Supernode<D> {
    pub(super) children: Box<[u32]>,
    /// The child that is matched to the outside.
    pub(super) base_child: u32,
    /// Dual value less the tree's offset while outer, the dual value itself inside another supernode.
    pub(super) dual: D,
}

#[derive(Debug)]
pub(super) struct Tree<D> {
    pub(super) is_alive: bool,
    /// Edges from `+` nodes to free nodes.
    pub(super) free_edges: Heap<D>,
    /// Edges between `+` nodes.
    pub(super) inner_edges: Heap<D>,
    /// `-` supernodes by dual value.
    pub(super) minus_nodes: Heap<D>,
    /// Other trees with shared queues: (tree, pair).
    pub(super) neighbours: SmallVec<[(u32, u32); 2]>,
    /// Every node that joined; some may have left or lie inside supernodes.
    pub(super) members: SmallVec<[u32; 4]>,
}

/// Queues that two trees share.
#[derive(Debug)]
pub(super) struct Pair<D> {
    pub(super) trees: [u32; 2],
    /// Edges between `+` nodes of both.
    pub(super) plus_plus: Heap<D>,
    /// Edges from `+` nodes of `trees[side]` to `-` nodes of the other.
    pub(super) plus_minus: [Heap<D>; 2],
}

/// A laminar family of blossoms and a set of alternating trees over a graph, with feasible duals.
#[derive(Debug)]
pub(super) struct Forest<'a, N: Numbers> {
    pub(super) graph: Graph<'a, N>,
    pub(super) vertices: Vec<Vertex<N::Dual>>,
    pub(super) nodes: Vec<Node>,
    pub(super) supernodes: Vec<Supernode<N::Dual>>,
    pub(super) trees: Vec<Tree<N::Dual>>,
    pub(super) pairs: Vec<Pair<N::Dual>>,
    /// Four entries per tree: nothing for free nodes, `delta` for `+`, `-delta` for `-`, nothing.
    pub(super) offsets: Vec<N::Dual>,
    pub(super) live: Vec<u32>,

    // Of the round under way:
    /// Edges that became tight in the last dual step.
    pub(super) seeds: Vec<u32>,
    /// `+` nodes that wait for their scan, first in first out.
    pub(super) waiting: std::collections::VecDeque<u32>,
    /// How many of them are scanned, with all that they bring, before the next.
    pub(super) batch: usize,
    /// Nodes that came out of a blossom, or whose tree dissolved before they were scanned to the end: some of their
    /// edges are in no queue.
    pub(super) changed: Vec<u32>,
    /// Nodes that were absorbed into a cluster.
    pub(super) clustered: Vec<u32>,
    /// Whether the round moved anything.
    pub(super) has_progress: bool,

    /// Ids of dead supernodes that may be used again, and of those that died this round.
    pub(super) unused: Vec<u32>,
    pub(super) retired: Vec<u32>,
    /// Pairs that may be used again, and those that died since the neighbour lists were last cleaned.
    pub(super) unused_pairs: Vec<u32>,
    pub(super) retired_pairs: Vec<u32>,
    pub(super) stamp: u32,
    pub(super) work: u64,
}

impl<'a, N: Numbers> Forest<'a, N> {
    /// One tree for each vertex that the start left unmatched: the vertex, or the odd cycle around it as a blossom.
    pub(super) fn new(graph: Graph<'a, N>, start: &Start<N::Dual>) -> Self {
        let roots: Vec<u32> = (0..graph.len() as u32)
            .filter(|&v| start.mate[v as usize].is_none())
            .collect();
        let mut forest = Self::without_trees(graph, &start.duals, roots.len());
        forest.work = start.work;
        for (node, &mate) in forest.nodes.iter_mut().zip(&start.mate) {
            node.mate = mate;
        }
        let mut odd_cycles = start.odd_cycles.iter().peekable();
        for root in roots {
            let tree = forest.plant();
            match odd_cycles.next_if(|cycle| forest.graph.tail(cycle[0]) == root) {
                Some(cycle) => forest.plant_cycle(cycle, tree),
                None => forest.join_as_plus(root, tree),
            }
        }
        forest
    }

    /// The blossoms and the matching of an earlier search, and one tree for each outer node that it leaves unmatched.
    ///
    /// Every edge that the earlier search's blossoms and matching rest on must be an edge of the graph, and tight.
    pub(super) fn resumed(graph: Graph<'a, N>, warm: &Warm<N::Dual>) -> Self {
        let is_root = |node: &WarmNode| node.mate.is_none() && node.parent == NodeId::NONE;
        let closed = || warm.blossoms.iter().filter(|blossom| !blossom.children.is_empty());
        let roots = warm.vertices.iter().filter(|node| is_root(node)).count()
            + closed().filter(|blossom| is_root(&blossom.node)).count();
        let mut forest = Self::without_trees(graph, &warm.totals, roots);
        for (v, node) in warm.vertices.iter().enumerate() {
            forest.restore(v as u32, node);
        }
        let mut names = vec![NONE; warm.blossoms.len()];
        let name = |names: &[u32], x: NodeId| match x.split() {
            Ok(v) => v as u32,
            Err(b) => names[b],
        };
        for (index, blossom) in warm.blossoms.iter().enumerate() {
            if blossom.children.is_empty() {
                continue;
            }
            let children = blossom.children.iter().map(|&child| name(&names, child)).collect();
            let id = forest.enclose(name(&names, blossom.base_child), children);
            forest.supernode_mut(id).dual = blossom.dual;
            forest.restore(id, &blossom.node);
            names[index] = id;
        }
        for v in 0..forest.len() as u32 {
            let outer = forest.outer(v);
            if forest.node(outer).first == v && forest.node(outer).mate.is_none() {
                let tree = forest.plant();
                forest.join_as_plus(outer, tree);
            }
        }
        forest
    }

    /// Sets the arcs of a node.
    fn restore(&mut self, x: u32, node: &WarmNode) {
        let (mate, alt) = (self.graph.arc_of(node.mate), self.graph.arc_of(node.alt));
        let slot = self.node_mut(x);
        (slot.mate, slot.alt) = (mate, alt);
    }

    /// Adds a tree without nodes.
    fn plant(&mut self) -> u32 {
        self.trees.push(Tree {
            is_alive: true,
            free_edges: Heap::default(),
            inner_edges: Heap::default(),
            minus_nodes: Heap::default(),
            neighbours: SmallVec::new(),
            members: SmallVec::new(),
        });
        (self.trees.len() - 1) as u32
    }

    /// Single vertices with these duals, and room for so many trees.
    fn without_trees(graph: Graph<'a, N>, duals: &[N::Dual], trees: usize) -> Self {
        let ids = 0..graph.len() as u32;
        let vertices = duals.iter().zip(ids.clone()).map(|(&base_dual, label)| Vertex {
            base_dual,
            label,
            next: NONE,
            own: Label {
                offset: N::Dual::ZERO,
                node: label,
                membership: Membership::FREE,
            },
        });
        let vertices = vertices.collect();
        // Where there are trees there may be blossoms. Room that is not used is not touched.
        let mut nodes = Vec::with_capacity(graph.len() + if trees > 0 { graph.len() / 2 } else { 0 });
        nodes.extend(ids.map(|v| Node {
            mate: ArcId::NONE,
            alt: ArcId::NONE,
            base: v,
            label: v,
            first: v,
            last: v,
            size: 1,
            stamp: 0,
        }));
        Self {
            graph,
            vertices,
            nodes,
            supernodes: Vec::with_capacity(trees),
            trees: Vec::with_capacity(trees),
            pairs: Vec::with_capacity(trees),
            offsets: vec![N::Dual::ZERO; 4 * trees.max(1)],
            live: (0..trees as u32).collect(),
            seeds: Vec::new(),
            waiting: std::collections::VecDeque::new(),
            batch: usize::MAX,
            changed: Vec::new(),
            clustered: Vec::new(),
            has_progress: true,
            unused: Vec::new(),
            retired: Vec::new(),
            unused_pairs: Vec::new(),
            retired_pairs: Vec::new(),
            stamp: 0,
            work: 0,
        }
    }

    /// Roots a tree in a tight odd cycle whose first vertex is exposed: at once what growing, absorbing and shrinking
    /// would make of it.
    fn plant_cycle(&mut self, cycle: &[ArcId], tree: u32) {
        let children: Box<[u32]> = cycle.iter().map(|&arc| self.graph.tail(arc)).collect();
        // All of the cycle, and the blossom.
        self.trees[tree as usize].members.reserve(children.len() + 1);
        for (position, &v) in children.iter().enumerate() {
            // Away from the mate, either way around to the exposed vertex.
            self.node_mut(v).alt = match position {
                0 => ArcId::NONE,
                odd if odd % 2 == 1 => cycle[odd - 1].reversed(),
                even => cycle[even],
            };
            self.set_membership(v, Membership::plus(tree));
            self.trees[tree as usize].members.push(v);
        }
        let blossom = self.shrink(children[0], children);
        self.set_membership(blossom, Membership::plus(tree).waiting());
        self.waiting.push_back(blossom);
    }

    /// Number of vertices; ids from here on are supernodes.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    #[inline]
    pub(super) fn node(&self, x: u32) -> &Node {
        &self.nodes[x as usize]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, x: u32) -> &mut Node {
        &mut self.nodes[x as usize]
    }

    #[inline]
    pub(super) fn label(&self, number: u32) -> &Label<N::Dual> {
        &self.vertices[number as usize].own
    }

    #[inline]
    pub(super) fn label_mut(&mut self, number: u32) -> &mut Label<N::Dual> {
        &mut self.vertices[number as usize].own
    }

    /// The label of the outer node around a vertex.
    #[inline]
    pub(super) fn label_of(&self, v: u32) -> &Label<N::Dual> {
        self.label(self.vertices[v as usize].label)
    }

    /// The outer node around a vertex.
    #[inline]
    pub(super) fn outer(&self, v: u32) -> u32 {
        self.label_of(v).node
    }

    /// The outer node that an arc leads to.
    #[inline]
    pub(super) fn far(&self, arc: ArcId) -> u32 {
        self.outer(self.graph.head(arc))
    }

    #[inline]
    pub(super) fn is_outer(&self, x: u32) -> bool {
        self.label(self.node(x).label).node == x
    }

    /// Tree and sign of an outer node.
    #[inline]
    pub(super) fn membership(&self, x: u32) -> Membership {
        debug_assert!(self.is_outer(x));
        self.label(self.node(x).label).membership
    }

    /// Dual offset of a tree: what its `+` nodes have gained since it was planted.
    #[inline]
    pub(super) fn delta(&self, tree: u32) -> N::Dual {
        self.offsets[(tree << 2 | 1) as usize]
    }

    pub(super) fn raise_delta(&mut self, tree: u32, step: N::Dual) {
        self.offsets[(tree << 2 | 1) as usize] += step;
        self.offsets[(tree << 2 | 2) as usize] -= step;
    }

    /// What the tree adds to the duals of a node.
    #[inline]
    pub(super) fn tree_offset(&self, membership: Membership) -> N::Dual {
        self.offsets[membership.offset_index()]
    }

    /// Sum of the duals of all sets around `v`, `v` itself included.
    #[inline]
    pub(super) fn vertex_dual(&self, v: u32) -> N::Dual {
        let vertex = &self.vertices[v as usize];
        let label = self.label(vertex.label);
        vertex.base_dual + label.offset + self.tree_offset(label.membership)
    }

    /// Slack of an edge between different outer nodes.
    #[inline]
    pub(super) fn slack(&self, edge: u32) -> N::Dual {
        let (u, v, weight) = self.graph.edge(edge);
        weight - self.vertex_dual(u) - self.vertex_dual(v)
    }

    #[inline]
    pub(super) fn is_supernode(&self, x: u32) -> bool {
        x as usize >= self.len()
    }

    pub(super) fn supernode(&self, x: u32) -> &Supernode<N::Dual> {
        &self.supernodes[x as usize - self.len()]
    }

    pub(super) fn supernode_mut(&mut self, x: u32) -> &mut Supernode<N::Dual> {
        let n = self.len();
        &mut self.supernodes[x as usize - n]
    }

    /// Dual value of an outer supernode.
    pub(super) fn supernode_dual(&self, x: u32) -> N::Dual {
        self.supernode(x).dual + self.tree_offset(self.membership(x))
    }

    /// Moves an outer node to another tree or sign; all duals keep their values.
    pub(super) fn set_membership(&mut self, x: u32, membership: Membership) {
        debug_assert!(self.is_outer(x));
        let shift = self.tree_offset(self.membership(x)) - self.tree_offset(membership);
        let label = self.label_mut(self.node(x).label);
        label.offset += shift;
        label.membership = membership;
        if self.is_supernode(x) {
            self.supernode_mut(x).dual += shift;
        }
    }

    /// A node enters a tree on the `+` side and waits for its scan.
    pub(super) fn join_as_plus(&mut self, x: u32, tree: u32) {
        self.set_membership(x, Membership::plus(tree).waiting());
        self.trees[tree as usize].members.push(x);
        self.waiting.push_back(x);
    }

    /// A node enters a tree on the `-` side. Its edges from `+` nodes stay in the queues where they are: see
    /// [`queues`](super::queues).
    pub(super) fn join_as_minus(&mut self, x: u32, tree: u32) {
        self.set_membership(x, Membership::minus(tree));
        self.trees[tree as usize].members.push(x);
        if self.is_supernode(x) {
            let key = self.supernode(x).dual;
            self.trees[tree as usize].minus_nodes.push(key, x);
        }
    }

    /// A node comes out of a supernode into no tree.
    pub(super) fn set_free(&mut self, x: u32) {
        self.leave_tree(x);
        self.changed.push(x);
    }

    /// A node belongs to no tree any more. The queues of others have yet to follow.
    pub(super) fn leave_tree(&mut self, x: u32) {
        self.set_membership(x, Membership::FREE);
        let node = self.node_mut(x);
        node.base = x;
        node.alt = ArcId::NONE;
    }

    /// Base of the cluster of an outer node; the node itself if it is in none.
    pub(super) fn base(&mut self, x: u32) -> u32 {
        let mut root = x;
        while self.node(root).base != root {
            root = self.node(root).base;
        }
        let mut x = x;
        while x != root {
            let next = self.node(x).base;
            self.node_mut(x).base = root;
            x = next;
        }
        root
    }

    /// A mark that no node bears yet.
    pub(super) fn next_stamp(&mut self) -> u32 {
        self.next_stamps(1)
    }

    /// The first of so many marks, all greater than those that nodes bear.
    pub(super) fn next_stamps(&mut self, count: u32) -> u32 {
        if self.stamp > u32::MAX - count {
            self.nodes.iter_mut().for_each(|node| node.stamp = 0);
            self.stamp = 0;
        }
        self.stamp += count;
        self.stamp - count + 1
    }

    /// The vertices of a node, in list order.
    pub(super) fn vertices_of(&self, x: u32) -> impl Iterator<Item = u32> + '_ {
        let last = self.node(x).last;
        let mut next = Some(self.node(x).first);
        core::iter::from_fn(move || {
            let v = next?;
            next = (v != last).then(|| self.vertices[v as usize].next);
            Some(v)
        })
    }
}
