//! Where a search ended, in terms of vertices alone: what another search, on more or other edges, can go on from.
//!
//! [`Warm`] is a laminar family of blossoms with duals, a matching that every blossom agrees with, and the sum of
//! duals around each vertex. Edges may come and go, costs change and vertices leave, as long as what stays is made
//! true first: [`Warm::admit`] makes room for an edge: it opens the blossoms around one end and lowers its dual.
//!
//! Reference: U. Derigs, "A shortest augmenting path method for solving minimal perfect matching problems", Networks 11
//! (1981), 379-390, doi:10.1002/net.3230110407; M. O. Ball and U. Derigs, "An analysis of alternate strategies for
//! implementing matching algorithms", Networks 13 (1983), 517-549, doi:10.1002/net.3230130406.

use core::ops::Range;

use super::numbers::Dual;

/// A node: a vertex, or a blossom by [`NodeId::blossom`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub(crate) const NONE: Self = Self(u32::MAX);
    const BLOSSOM: u32 = 1 << 31;

    pub(super) fn vertex(v: u32) -> Self {
        Self(v)
    }

    pub(super) fn blossom(index: usize) -> Self {
        Self(index as u32 | Self::BLOSSOM)
    }

    /// The vertex, or the index of the blossom.
    pub(super) fn split(self) -> Result<usize, usize> {
        if self.0 & Self::BLOSSOM == 0 {
            Ok(self.0 as usize)
        } else {
            Err((self.0 & !Self::BLOSSOM) as usize)
        }
    }
}

/// An edge with a direction, by its ends; [`Link::NONE`] is no edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) tail: u32,
    pub(super) head: u32,
}

impl Link {
    pub(super) const NONE: Self = Self {
        tail: u32::MAX,
        head: u32::MAX,
    };

    pub(super) fn is_none(self) -> bool {
        self == Self::NONE
    }

    fn reversed(self) -> Self {
        Self {
            tail: self.head,
            head: self.tail,
        }
    }
}

/// What vertices and blossoms have in common; the fields are those of the search's own nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct WarmNode {
    /// Matched edge out of an outer node; inside a blossom, that of the matching which misses its base child.
    pub(super) mate: Link,
    /// First edge of the odd walk to the base child; only inside a blossom.
    pub(super) alt: Link,
    /// The blossom around it, or [`NodeId::NONE`].
    pub(super) parent: NodeId,
}

impl WarmNode {
    pub(super) const ALONE: Self = Self {
        mate: Link::NONE,
        alt: Link::NONE,
        parent: NodeId::NONE,
    };
}

/// A blossom; one that was opened has no children.
#[derive(Clone, Debug)]
pub(super) struct WarmBlossom<D> {
    pub(super) node: WarmNode,
    pub(super) children: Box<[NodeId]>,
    pub(super) base_child: NodeId,
    pub(super) dual: D,
}

/// Vertices of a range in an order in which those of every blossom are contiguous.
#[derive(Clone, Debug)]
pub(crate) struct Nest<D> {
    /// Vertices, counted from the start of the range.
    pub(crate) order: Vec<u32>,
    /// The innermost shell around each position.
    pub(crate) inner: Vec<Option<u32>>,
    pub(crate) shells: Vec<Shell<D>>,
}

/// A blossom of positive dual.
#[derive(Clone, Debug)]
pub(crate) struct Shell<D> {
    /// Positions in the order.
    pub(crate) members: Range<usize>,
    pub(crate) dual: D,
    /// The shell around it.
    pub(crate) parent: Option<u32>,
}

/// The end of one search and the start of another.
#[derive(Clone, Debug)]
pub(crate) struct Warm<D> {
    /// Sum of the duals of all sets around a vertex, itself included, for the weights less the search's least one.
    pub(super) totals: Vec<D>,
    pub(super) vertices: Vec<WarmNode>,
    /// Children come before the blossoms around them.
    pub(super) blossoms: Vec<WarmBlossom<D>>,
}

impl<D: Dual> Warm<D> {
    /// Single vertices with these duals, and a matching by tight edges; `u32::MAX` for who has no partner.
    pub(super) fn matched(totals: Vec<D>, mates: &[u32]) -> Self {
        let node = |(tail, &head): (u32, &u32)| match head {
            u32::MAX => WarmNode::ALONE,
            head => WarmNode {
                mate: Link { tail, head },
                ..WarmNode::ALONE
            },
        };
        Self {
            totals,
            vertices: (0..).zip(mates).map(node).collect(),
            blossoms: Vec::new(),
        }
    }

    /// Sums of duals around each vertex.
    pub(crate) fn totals(&self) -> &[D] {
        &self.totals
    }

    /// Number of blossoms.
    pub(crate) fn blossoms(&self) -> usize {
        let closed = self.blossoms.iter().filter(|blossom| !blossom.children.is_empty());
        closed.count()
    }

    /// Duals of the vertices alone: without blossoms, no edge's slack is negative with them.
    pub(crate) fn vertex_duals(&self) -> Vec<D> {
        let own = |v: usize| {
            let (mut dual, mut x) = (self.totals[v], self.vertices[v].parent);
            while let Err(b) = x.split() {
                if x == NodeId::NONE {
                    break;
                }
                dual -= self.blossoms[b].dual;
                x = self.blossoms[b].node.parent;
            }
            dual
        };
        (0..self.totals.len()).map(own).collect()
    }

    pub(super) fn node(&self, x: NodeId) -> &WarmNode {
        match x.split() {
            Ok(v) => &self.vertices[v],
            Err(b) => &self.blossoms[b].node,
        }
    }

    fn node_mut(&mut self, x: NodeId) -> &mut WarmNode {
        match x.split() {
            Ok(v) => &mut self.vertices[v],
            Err(b) => &mut self.blossoms[b].node,
        }
    }

    /// The outermost node around a vertex.
    pub(super) fn outer(&self, v: u32) -> NodeId {
        let mut x = NodeId::vertex(v);
        while self.node(x).parent != NodeId::NONE {
            x = self.node(x).parent;
        }
        x
    }

    /// The child of a blossom that contains a vertex.
    fn child_with(&self, blossom: NodeId, v: u32) -> NodeId {
        let mut x = NodeId::vertex(v);
        while self.node(x).parent != blossom {
            x = self.node(x).parent;
        }
        x
    }

    /// Blossoms around a vertex.
    fn depth(&self, v: u32) -> usize {
        let mut depth = 0;
        let mut x = NodeId::vertex(v);
        while self.node(x).parent != NodeId::NONE {
            x = self.node(x).parent;
            depth += 1;
        }
        depth
    }

    /// Sum of the duals of the blossoms that contain both vertices.
    pub(crate) fn common(&self, u: u32, v: u32) -> D {
        let (mut x, mut y) = (NodeId::vertex(u), NodeId::vertex(v));
        let (x_depth, y_depth) = (self.depth(u), self.depth(v));
        for _ in y_depth..x_depth {
            x = self.node(x).parent;
        }
        for _ in x_depth..y_depth {
            y = self.node(y).parent;
        }
        while x != y {
            (x, y) = (self.node(x).parent, self.node(y).parent);
            if x == NodeId::NONE {
                return D::ZERO;
            }
        }
        let mut sum = D::ZERO;
        while x != NodeId::NONE {
            if let Err(b) = x.split() {
                sum += self.blossoms[b].dual;
            }
            x = self.node(x).parent;
        }
        sum
    }

    /// The blossoms with positive duals around the vertices of a range.
    pub(crate) fn nest(&self, range: Range<u32>) -> Nest<D> {
        let mut nest = Nest {
            order: Vec::with_capacity(range.len()),
            inner: Vec::with_capacity(range.len()),
            shells: Vec::new(),
        };
        // Those outside of all blossoms come first: rows of neighbours can be read together.
        let is_alone = |v: u32| self.vertices[v as usize].parent == NodeId::NONE;
        for v in range.clone().filter(|&v| is_alone(v)) {
            nest.order.push(v - range.start);
            nest.inner.push(None);
        }
        let mut is_listed = vec![false; self.blossoms.len()];
        for v in range.clone().filter(|&v| !is_alone(v)) {
            let outer = self.outer(v);
            match outer.split() {
                Err(b) if core::mem::replace(&mut is_listed[b], true) => {}
                _ => self.list(outer, &range, &mut nest),
            }
        }
        nest
    }

    /// Lists the vertices of a range in an outer node, and the blossoms around them.
    fn list(&self, outer: NodeId, range: &Range<u32>, nest: &mut Nest<D>) {
        enum Step {
            Enter(NodeId, Option<u32>),
            Leave(u32),
        }
        let mut stack = vec![Step::Enter(outer, None)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Enter(x, parent) => match x.split() {
                    Ok(v) if range.contains(&(v as u32)) => {
                        nest.order.push(v as u32 - range.start);
                        nest.inner.push(parent);
                    }
                    Ok(_) => {}
                    Err(b) => {
                        let blossom = &self.blossoms[b];
                        let mut around = parent;
                        if blossom.dual > D::ZERO {
                            let (shell, start) = (nest.shells.len() as u32, nest.order.len());
                            let (members, dual) = (start..start, blossom.dual);
                            nest.shells.push(Shell { members, dual, parent });
                            stack.push(Step::Leave(shell));
                            around = Some(shell);
                        }
                        stack.extend(blossom.children.iter().map(|&child| Step::Enter(child, around)));
                    }
                },
                Step::Leave(shell) => nest.shells[shell as usize].members.end = nest.order.len(),
            }
        }
    }

    /// Opens all blossoms around a vertex and unmatches it, so that nothing rests on it any more.
    pub(crate) fn release(&mut self, v: u32) {
        self.bare(v);
        self.unmatch(NodeId::vertex(v));
    }

    /// Calls vertex `v` by the name `names[v]`, for `len` vertices in all; those called `u32::MAX`, which must have
    /// been released, are gone, and new ones have dual zero and no partner.
    pub(crate) fn rename(&mut self, names: &[u32], len: usize) {
        let link = |link: &mut Link| {
            if !link.is_none() {
                link.tail = names[link.tail as usize];
                link.head = names[link.head as usize];
            }
        };
        let id = |x: &mut NodeId| {
            if let Ok(v) = x.split() {
                *x = NodeId::vertex(names[v]);
            }
        };
        let mut totals = vec![D::ZERO; len];
        let mut vertices = vec![WarmNode::ALONE; len];
        for (v, &name) in names.iter().enumerate().filter(|&(_, &name)| name != u32::MAX) {
            totals[name as usize] = self.totals[v];
            vertices[name as usize] = self.vertices[v];
        }
        (self.totals, self.vertices) = (totals, vertices);
        for node in &mut self.vertices {
            link(&mut node.mate);
            link(&mut node.alt);
        }
        for blossom in self.blossoms.iter_mut().filter(|blossom| !blossom.children.is_empty()) {
            link(&mut blossom.node.mate);
            link(&mut blossom.node.alt);
            blossom.children.iter_mut().for_each(id);
            id(&mut blossom.base_child);
        }
    }

    /// Gives a dual to a vertex that nothing rests on.
    pub(crate) fn set_dual(&mut self, v: u32, dual: D) {
        debug_assert!(self.vertices[v as usize].parent == NodeId::NONE && self.vertices[v as usize].mate.is_none());
        self.totals[v as usize] = dual;
    }

    /// Adds to the duals of all vertices, as a change of the least weight does.
    pub(crate) fn shift(&mut self, step: D) {
        self.totals.iter_mut().for_each(|total| *total += step);
    }

    /// Opens all blossoms around a vertex.
    fn bare(&mut self, v: u32) {
        while self.vertices[v as usize].parent != NodeId::NONE {
            let outer = self.outer(v);
            self.open(outer);
        }
    }

    /// Makes room for an edge of that doubled weight: as long as its slack is negative, the blossoms around the end
    /// that lies in fewer of them are opened; what is still missing is taken from that end's dual.
    pub(crate) fn admit(&mut self, u: u32, v: u32, weight: D) {
        // Blossoms around both ends only add to the slack.
        let without = weight - self.totals[u as usize] - self.totals[v as usize];
        if without >= D::ZERO || self.slack(u, v, weight) >= D::ZERO {
            return;
        }
        let end = if self.depth(u) <= self.depth(v) { u } else { v };
        self.bare(end);
        let slack = self.slack(u, v, weight);
        if slack < D::ZERO {
            self.unmatch(NodeId::vertex(end));
            self.totals[end as usize] += slack;
        }
    }

    /// Slack of an edge of that doubled weight.
    pub(crate) fn slack(&self, u: u32, v: u32, weight: D) -> D {
        let common = self.common(u, v);
        weight - self.totals[u as usize] - self.totals[v as usize] + common + common
    }

    /// The partner of an outer vertex, or the vertex at the other end of its blossom's matched edge.
    fn unmatch(&mut self, outer: NodeId) {
        let mate = core::mem::replace(&mut self.node_mut(outer).mate, Link::NONE);
        if !mate.is_none() {
            let other = self.outer(mate.head);
            self.node_mut(other).mate = Link::NONE;
        }
    }

    /// Opens an outer blossom. What its dual held goes from the duals of its vertices: edges across it gain that much
    /// slack, so that the matched one, if there is any and the dual was positive, can no longer be matched.
    fn open(&mut self, blossom: NodeId) {
        let Err(index) = blossom.split() else { return };
        let dual = self.blossoms[index].dual;
        if dual > D::ZERO {
            self.unmatch(blossom);
        }
        let mate = self.node(blossom).mate;
        let base_child = self.blossoms[index].base_child;
        let exit = if mate.is_none() {
            base_child
        } else {
            self.child_with(blossom, mate.tail)
        };
        // The frozen matching misses the base child: exchange along the walk from the exit, so that it misses that.
        let mut changes = Vec::new();
        let mut x = exit;
        while x != base_child {
            let between = self.child_with(blossom, self.node(x).mate.head);
            let up = self.node(between).alt;
            x = self.child_with(blossom, up.head);
            changes.extend([(between, up), (x, up.reversed())]);
        }
        for (child, link) in changes {
            self.node_mut(child).mate = link;
        }
        self.node_mut(exit).mate = mate;
        let children = core::mem::take(&mut self.blossoms[index].children);
        let mut below: Vec<NodeId> = children.to_vec();
        for &child in &children {
            let node = self.node_mut(child);
            node.parent = NodeId::NONE;
            node.alt = Link::NONE;
        }
        while let Some(x) = below.pop() {
            match x.split() {
                Ok(v) => self.totals[v] -= dual,
                Err(b) => below.extend(&self.blossoms[b].children),
            }
        }
    }
}
