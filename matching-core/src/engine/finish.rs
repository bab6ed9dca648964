//! What the search leaves behind: a matching and a certificate, or the reason why there is none.

use super::forest::Forest;
use super::numbers::Numbers;
use crate::certificate::{Certificate, OddSet};
use crate::witness::TutteBerge;

impl<N: Numbers> Forest<'_, N> {
    /// Dissolves every tree, so that all duals stand by themselves.
    pub(super) fn settle(&mut self) {
        for position in 0..self.live.len() {
            let tree = self.live[position];
            if self.trees[tree as usize].is_alive {
                self.dissolve(tree);
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

    /// Opens all blossoms, outermost first, and reads the partner of every vertex; `u32::MAX` for exposed ones.
    pub(super) fn into_mates(mut self) -> Vec<u32> {
        let mut closed: Vec<u32> = (0..self.len() as u32)
            .map(|v| self.outer(v))
            .filter(|&x| self.is_supernode(x))
            .collect();
        closed.sort_unstable();
        closed.dedup();
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
