//! What must hold between two phases, checked from first principles on small graphs in debug builds.

use super::forest::{Forest, Membership, Sign};
use super::numbers::{Dual, Numbers};

/// Larger graphs are left to the certificate.
const LARGEST_CHECKED: usize = 200;

impl<N: Numbers> Forest<'_, N> {
    /// Checks slacks, signs, matched arcs, trees and vertex lists after the primal phase.
    pub(super) fn check_invariants(&self) {
        if self.len() > LARGEST_CHECKED {
            return;
        }
        self.check_edges();
        let mut outer: Vec<u32> = (0..self.len() as u32).map(|v| self.outer(v)).collect();
        outer.sort_unstable();
        outer.dedup();
        let listed: usize = outer.iter().map(|&x| self.vertices_of(x).count()).sum();
        assert_eq!(listed, self.len(), "vertex lists partition the vertices");
        for x in outer {
            self.check_outer_node(x);
        }
    }

    fn check_edges(&self) {
        for edge in 0..self.graph.edge_count() as u32 {
            let (u, v, _) = self.graph.edge(edge);
            if self.outer(u) != self.outer(v) {
                assert!(self.slack(edge) >= N::Dual::ZERO, "edge {u}-{v} has negative slack");
                let (at_u, at_v) = (self.label_of(u).membership, self.label_of(v).membership);
                assert!(
                    self.is_queued(edge, at_u, at_v),
                    "edge {u}-{v} is missing from its queue"
                );
            }
        }
    }

    /// Whether the queue of the edge's class holds an entry with its true key, if its class has one.
    fn is_queued(&self, edge: u32, one: Membership, two: Membership) -> bool {
        let slack = self.slack(edge);
        match (one.sign(), two.sign()) {
            (Sign::Plus, Sign::Free) => self.is_among_free_edges(edge, one.tree()),
            (Sign::Plus, Sign::Plus) if one.tree() == two.tree() => {
                let delta = self.delta(one.tree());
                self.trees[one.tree() as usize]
                    .inner_edges
                    .contains(slack + delta + delta, edge)
            }
            (Sign::Plus, _) if one.tree() != two.tree() => {
                if two.is_minus() && self.is_among_free_edges(edge, one.tree()) {
                    return true;
                }
                let neighbours = &self.trees[one.tree() as usize].neighbours;
                let Some(&(_, pair)) = neighbours.iter().find(|&&(tree, _)| tree == two.tree()) else {
                    return false;
                };
                let pair = &self.pairs[pair as usize];
                if two.is_plus() {
                    return pair
                        .plus_plus
                        .contains(slack + self.delta(one.tree()) + self.delta(two.tree()), edge);
                }
                let side = usize::from(pair.trees[0] != one.tree());
                pair.plus_minus[side].contains(slack + self.delta(one.tree()) - self.delta(two.tree()), edge)
            }
            (_, Sign::Plus) => self.is_queued(edge, two, one),
            _ => true,
        }
    }

    /// Whether an entry there says no more than the edge's true key.
    fn is_among_free_edges(&self, edge: u32, tree: u32) -> bool {
        let key = self.slack(edge) + self.delta(tree);
        let entries = self.trees[tree as usize].free_edges.entries();
        entries.iter().any(|entry| entry.id == edge && entry.key <= key)
    }

    fn check_outer_node(&self, x: u32) {
        let node = self.node(x);
        let here = self.membership(x);
        assert_eq!(node.base, x, "clusters do not outlive a round");
        assert!(!here.is_waiting(), "no node waits after the primal phase");
        assert!(self.vertices_of(x).all(|v| self.outer(v) == x));
        assert_eq!(self.vertices_of(x).count() % 2, 1, "outer nodes are odd");
        if self.is_supernode(x) {
            assert!(
                self.supernode_dual(x) >= N::Dual::ZERO,
                "supernode {x} has a negative dual"
            );
        }
        if node.mate.is_some() {
            assert_eq!(self.slack(node.mate.edge()), N::Dual::ZERO, "matched edges are tight");
            assert_eq!(self.outer(self.graph.tail(node.mate)), x);
            assert_eq!(self.node(self.far(node.mate)).mate, node.mate.reversed(), "mates agree");
        }
        match here.sign() {
            Sign::Free => assert!(node.mate.is_some(), "free nodes are matched"),
            Sign::Plus => {
                assert!(self.trees[here.tree() as usize].is_alive);
                if node.mate.is_some() {
                    assert_eq!(self.membership(self.far(node.mate)), Membership::minus(here.tree()));
                }
            }
            Sign::Minus => {
                assert!(self.trees[here.tree() as usize].is_alive);
                assert_eq!(self.membership(self.far(node.mate)), Membership::plus(here.tree()));
                assert_eq!(self.membership(self.far(node.alt)), Membership::plus(here.tree()));
                assert_eq!(self.outer(self.graph.tail(node.alt)), x);
                assert_eq!(self.slack(node.alt.edge()), N::Dual::ZERO, "tree edges are tight");
            }
        }
    }
}
