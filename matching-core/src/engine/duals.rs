//! The dual step: every tree's duals move as far as the slacks allow.
//!
//! Trees joined by a tight edge between a `+` node of one and a `-` node of the other can only move together; such
//! *components* take one common step. Components are served in a fixed order, each takes all that is left to it.

use super::forest::{Forest, NONE};
use super::numbers::{Dual, Numbers};

/// What a dual step found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DualStep {
    /// Duals moved, or tight edges wait.
    Moved,
    /// Nothing bounds the step of these trees: there is no perfect matching.
    Unbounded(Vec<u32>),
}

/// Slacks between two trees.
#[derive(Clone, Copy, Debug)]
struct PairGap<D> {
    plus_plus: D,
    /// From `+` nodes of `trees[side]` to `-` nodes of the other.
    plus_minus: [D; 2],
}

/// Scratch tables of the dual step, indexed by tree or pair.
#[derive(Debug, Default)]
pub(super) struct DualScratch<D> {
    gaps: Vec<PairGap<D>>,
    /// Union-find pointer of a tree towards its component's name.
    component: Vec<u32>,
    /// Next tree of the component; [`NONE`] at the end.
    next: Vec<u32>,
    tail: Vec<u32>,
    step: Vec<D>,
    is_served: Vec<bool>,
}

impl<D: Dual> DualScratch<D> {
    pub(super) fn new(trees: usize) -> Self {
        Self {
            gaps: Vec::new(),
            component: vec![0; trees],
            next: vec![NONE; trees],
            tail: vec![0; trees],
            step: vec![D::ZERO; trees],
            is_served: vec![false; trees],
        }
    }

    fn name(&mut self, tree: u32) -> u32 {
        let mut tree = tree;
        while self.component[tree as usize] != tree {
            let above = self.component[self.component[tree as usize] as usize];
            self.component[tree as usize] = above;
            tree = above;
        }
        tree
    }

    /// Joins the components of two trees; the lower name stays, so that order does not depend on history.
    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.name(a), self.name(b));
        let (low, high) = (a.min(b), a.max(b));
        if low != high {
            self.component[high as usize] = low;
            self.next[self.tail[low as usize] as usize] = high;
            self.tail[low as usize] = self.tail[high as usize];
        }
    }
}

impl<N: Numbers> Forest<'_, N> {
    /// Moves the duals of all trees and collects the edges that become tight.
    pub(super) fn dual_phase(&mut self, scratch: &mut DualScratch<N::Dual>) -> DualStep {
        self.forget_dead_trees();
        self.measure_gaps(scratch);
        let mut moved = false;
        for position in 0..self.live.len() {
            let tree = self.live[position];
            if scratch.component[tree as usize] != tree {
                continue;
            }
            let step = self.component_step(tree, scratch);
            if step == N::Dual::MAX {
                let members =
                    core::iter::successors(Some(tree), |&t| Some(scratch.next[t as usize]).filter(|&t| t != NONE));
                return DualStep::Unbounded(members.collect());
            }
            debug_assert!(step >= N::Dual::ZERO, "a dual step is never negative");
            moved |= step > N::Dual::ZERO;
            let mut member = tree;
            while member != NONE {
                scratch.step[member as usize] = step;
                scratch.is_served[member as usize] = true;
                member = scratch.next[member as usize];
            }
        }
        for position in 0..self.live.len() {
            let tree = self.live[position];
            self.raise_delta(tree, scratch.step[tree as usize]);
        }
        self.collect_seeds();
        self.has_progress |= moved || !self.seeds.is_empty();
        DualStep::Moved
    }

    /// Drops dead trees from the live list and from the neighbour lists.
    fn forget_dead_trees(&mut self) {
        let trees = &self.trees;
        self.live.retain(|&tree| trees[tree as usize].is_alive);
        for position in 0..self.live.len() {
            let tree = self.live[position] as usize;
            let mut neighbours = core::mem::take(&mut self.trees[tree].neighbours);
            neighbours.retain(|&mut (other, _)| self.trees[other as usize].is_alive);
            self.trees[tree].neighbours = neighbours;
        }
        // No list names the retired pairs any more.
        self.unused_pairs.append(&mut self.retired_pairs);
    }

    /// Computes the slack of every pair of neighbouring trees and groups the trees into components.
    fn measure_gaps(&mut self, scratch: &mut DualScratch<N::Dual>) {
        let none = PairGap {
            plus_plus: N::Dual::MAX,
            plus_minus: [N::Dual::MAX; 2],
        };
        scratch.gaps.resize(self.pairs.len(), none);
        for &tree in &self.live {
            let tree = tree as usize;
            scratch.component[tree] = tree as u32;
            scratch.next[tree] = NONE;
            scratch.tail[tree] = tree as u32;
            scratch.is_served[tree] = false;
        }
        for position in 0..self.live.len() {
            let tree = self.live[position];
            for slot in 0..self.trees[tree as usize].neighbours.len() {
                let (other, pair) = self.trees[tree as usize].neighbours[slot];
                if self.pairs[pair as usize].trees[0] != tree {
                    continue;
                }
                let plus_minus = [self.plus_minus_gap(pair, 0), self.plus_minus_gap(pair, 1)];
                scratch.gaps[pair as usize] = PairGap {
                    plus_plus: self.plus_plus_gap(pair),
                    plus_minus,
                };
                if plus_minus.contains(&N::Dual::ZERO) {
                    scratch.unite(tree, other);
                }
            }
        }
        for &tree in &self.live {
            let name = scratch.name(tree);
            scratch.component[tree as usize] = name;
        }
    }

    /// The largest step that all trees of a component can take, given the steps of the components served before.
    fn component_step(&mut self, name: u32, scratch: &DualScratch<N::Dual>) -> N::Dual {
        let mut step = N::Dual::MAX;
        let mut tree = name;
        while tree != NONE {
            step = step.min(self.free_gap(tree)).min(self.minus_gap(tree));
            let inner = self.inner_gap(tree);
            if inner != N::Dual::MAX {
                step = step.min(inner.half());
            }
            for &(other, pair) in &self.trees[tree as usize].neighbours {
                let gap = scratch.gaps[pair as usize];
                let is_inside = scratch.component[other as usize] == name;
                let given = if scratch.is_served[other as usize] {
                    scratch.step[other as usize]
                } else {
                    N::Dual::ZERO
                };
                if gap.plus_plus != N::Dual::MAX {
                    let room = if is_inside {
                        gap.plus_plus.half()
                    } else {
                        gap.plus_plus - given
                    };
                    step = step.min(room);
                }
                let side = usize::from(self.pairs[pair as usize].trees[0] != tree);
                if !is_inside && gap.plus_minus[side] != N::Dual::MAX {
                    step = step.min(gap.plus_minus[side] + given);
                }
            }
            tree = scratch.next[tree as usize];
        }
        step
    }

    /// Edges that are tight now: between trees first, then to free nodes, then inside trees.
    fn collect_seeds(&mut self) {
        for position in 0..self.live.len() {
            let tree = self.live[position];
            for slot in 0..self.trees[tree as usize].neighbours.len() {
                let (_, pair) = self.trees[tree as usize].neighbours[slot];
                if self.pairs[pair as usize].trees[0] == tree {
                    self.seed_plus_plus(pair);
                }
            }
        }
        for position in 0..self.live.len() {
            self.seed_free_edges(self.live[position]);
        }
        for position in 0..self.live.len() {
            self.seed_inner_edges(self.live[position]);
        }
    }
}
