//! What the search leaves behind: a matching and a certificate, or the reason why there is none.

use super::forest::Forest;
use super::graph::ArcId;
use super::numbers::Numbers;
use super::warm::{Link, NodeId, Warm, WarmBlossom, WarmNode};
use crate::certificate::{Certificate, OddSet};
use crate::witness::TutteBerge;

impl<N: Numbers> Forest<'_, N> {
    /// Dissolves every tree, so that all duals stand by themselves.
    pub(super) fn settle(&mut self) {
        for position in 0..self.live.len() {
            let tree = self.live[position];
            if self.trees[tree as usize].is_alive {
                self.free_members(tree);
            }
        }
    }

    /// The present duals as a certificate for the caller's weights.
    ///
    /// One walk through the laminar family, from the outside in, puts the vertices in an order in which every blossom
    /// is a contiguous range, and turns the sums around each vertex into the vertex's own dual.
    pub(super) fn certificate(&self) -> Certificate {
        let n = self.len();
        // The search ran on doubled weights less twice the least; half of that belongs to each end of an edge.
        let least: i128 = self.graph.least().into();
        let mut vertex_duals = vec![0; n];
        let mut order = Vec::with_capacity(n);
        let mut sets = Vec::new();
        let mut stack: Vec<(u32, i128)> = Vec::new();
        for v in 0..n as u32 {
            let outer = self.outer(v);
            if self.node(outer).first != v {
                continue;
            }
            stack.push((outer, 0));
            while let Some((x, around)) = stack.pop() {
                if !self.is_supernode(x) {
                    vertex_duals[x as usize] = self.vertex_dual(x).into() - around + least;
                    order.push(x);
                    continue;
                }
                let blossom = self.supernode(x);
                let dual: i128 = blossom.dual.into();
                if dual > 0 {
                    sets.push(OddSet {
                        start: order.len() as u32,
                        len: self.node(x).size,
                        dual,
                    });
                }
                stack.extend(blossom.children.iter().map(|&child| (child, around + dual)));
            }
        }
        Certificate::new(vertex_duals, order, sets, 0)
    }

    /// The matching, the blossoms and the duals, for a search that goes on from here.
    pub(super) fn warm(&self) -> Warm<N::Dual> {
        let n = self.len();
        let node = |x: u32, parent| {
            let node = self.node(x);
            let alt = if parent == NodeId::NONE { ArcId::NONE } else { node.alt };
            WarmNode {
                mate: self.graph.link_of(node.mate),
                alt: self.graph.link_of(alt),
                parent,
            }
        };
        let mut warm = Warm {
            totals: (0..n as u32).map(|v| self.vertex_dual(v)).collect(),
            vertices: vec![WarmNode::ALONE; n],
            blossoms: Vec::new(),
        };
        // From the outside in; named from the end, so that children come first.
        let mut listed: Vec<(u32, NodeId)> = Vec::new();
        for v in 0..n as u32 {
            let outer = self.outer(v);
            if !self.is_supernode(outer) {
                warm.vertices[v as usize] = node(v, NodeId::NONE);
            } else if self.node(outer).first == v {
                listed.push((outer, NodeId::NONE));
            }
        }
        let mut at = 0;
        while let Some(&(x, _)) = listed.get(at) {
            let inner = self.supernode(x).children.iter();
            listed.extend(
                inner
                    .filter(|&&child| self.is_supernode(child))
                    .map(|&child| (child, NodeId::vertex(x))),
            );
            at += 1;
        }
        let mut names = vec![NodeId::NONE; self.supernodes.len()];
        for (position, &(x, _)) in listed.iter().enumerate() {
            names[x as usize - n] = NodeId::blossom(listed.len() - 1 - position);
        }
        let name = |x: u32| {
            if self.is_supernode(x) {
                names[x as usize - n]
            } else {
                NodeId::vertex(x)
            }
        };
        for &(x, around) in listed.iter().rev() {
            let supernode = self.supernode(x);
            for &child in supernode.children.iter().filter(|&&child| !self.is_supernode(child)) {
                warm.vertices[child as usize] = node(child, name(x));
            }
            let parent = around.split().map_or(NodeId::NONE, |outer| name(outer as u32));
            warm.blossoms.push(WarmBlossom {
                node: node(x, parent),
                children: supernode.children.iter().map(|&child| name(child)).collect(),
                base_child: name(supernode.base_child),
                dual: supernode.dual,
            });
            // What the base child was matched to lies outside and may have changed since.
            match name(supernode.base_child).split() {
                Ok(v) => warm.vertices[v].mate = Link::NONE,
                Err(b) => warm.blossoms[b].node.mate = Link::NONE,
            }
        }
        warm
    }

    /// Opens all blossoms, outermost first, and reads the partner of every vertex; `u32::MAX` for exposed ones.
    pub(super) fn into_mates(mut self) -> Vec<u32> {
        let outer = (0..self.len() as u32).map(|v| (v, self.outer(v)));
        // Each at the first of its vertices.
        let mut closed: Vec<u32> = outer
            .filter(|&(v, x)| self.is_supernode(x) && self.node(x).first == v)
            .map(|(_, x)| x)
            .collect();
        while let Some(blossom) = closed.pop() {
            let children = self.open_free(blossom);
            self.changed.clear();
            closed.extend(children.iter().copied().filter(|&child| self.is_supernode(child)));
        }
        let partner = |v: u32| {
            let mate = self.node(v).mate;
            if mate.is_none() {
                u32::MAX
            } else {
                self.graph.head(mate)
            }
        };
        (0..self.len() as u32).map(partner).collect()
    }

    /// Nothing bounds the duals of these trees: their `-` nodes are single vertices, and removing those leaves every
    /// `+` node without a neighbour outside itself. There is one more `+` node than `-` nodes in every tree.
    pub(super) fn unbounded_witness(&self, trees: &[u32]) -> TutteBerge {
        let mut removed = Vec::new();
        let mut odd_components = Vec::new();
        for &tree in trees {
            let mut members = self.trees[tree as usize].members.clone();
            members.sort_unstable();
            members.dedup();
            for x in members {
                if !self.is_outer(x) || self.membership(x).is_free() || self.membership(x).tree() != tree {
                    continue;
                }
                let vertices = self.vertices_of(x).map(|v| v as usize);
                if self.membership(x).is_minus() {
                    removed.extend(vertices);
                } else {
                    odd_components.push(vertices.collect());
                }
            }
        }
        TutteBerge::new(removed, odd_components)
    }
}
