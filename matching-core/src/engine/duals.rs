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

/// Scratch tables of the dual step, indexed by tree.
#[derive(Debug, Default)]
pub(super) struct DualScratch<D> {
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
            component: vec![0; trees],
            next: vec![NONE; trees],
            tail: vec![0; trees],
            step: vec![D::ZERO; trees],
            is_served: vec![false; trees],
        }
    }

    /// The sum of the last steps of these trees, if it fits: so much the dual objective has risen, since every tree has
    /// one `+` node more than it has `-` nodes.
    pub(super) fn rise(&self, trees: &[u32]) -> Option<i128> {
        let mut steps = trees.iter().map(|&tree| self.step[tree as usize].into());
        steps.try_fold(0i128, |sum, step: i128| sum.checked_add(step))
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

/// Twice a step; no bound stays none.
fn doubled<D: Dual>(step: D) -> D {
    if step == D::MAX { step } else { step + step }
}

impl<N: Numbers> Forest<'_, N> {
    /// Moves the duals of all trees and collects the edges that become tight.
    pub(super) fn dual_phase(&mut self, scratch: &mut DualScratch<N::Dual>) -> DualStep {
        self.forget_dead_trees();
        for position in 0..self.live.len() {
            self.sort_free_edges(self.live[position]);
        }
        self.find_components(scratch);
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
            self.work += 1 + neighbours.len() as u64;
            self.trees[tree].neighbours = neighbours;
        }
        // No list names the retired pairs any more.
        self.unused_pairs.append(&mut self.retired_pairs);
    }

    /// Groups the trees into components: those joined by a tight edge between a `+` and a `-` node.
    fn find_components(&mut self, scratch: &mut DualScratch<N::Dual>) {
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
                // Slacks are integers: below one means tight.
                if (0..2).any(|side| self.plus_minus_gap(pair, side, N::Dual::ONE) < N::Dual::ONE) {
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
            step = step.min(self.free_gap(tree, step));
            step = step.min(self.minus_gap(tree, step));
            let inner = self.inner_gap(tree, doubled(step));
            if inner < doubled(step) {
                step = inner.half();
            }
            for slot in 0..self.trees[tree as usize].neighbours.len() {
                let (other, pair) = self.trees[tree as usize].neighbours[slot];
                if scratch.component[other as usize] == name {
                    let gap = self.plus_plus_gap(pair, doubled(step));
                    if gap < doubled(step) {
                        step = gap.half();
                    }
                } else {
                    let is_served = scratch.is_served[other as usize];
                    let given = if is_served {
                        scratch.step[other as usize]
                    } else {
                        N::Dual::ZERO
                    };
                    step = self.step_beside(tree, pair, given, step);
                }
            }
            tree = scratch.next[tree as usize];
        }
        step
    }

    /// What of a step a tree can take beside a tree of another component that was given a step already.
    fn step_beside(&mut self, tree: u32, pair: u32, given: N::Dual, step: N::Dual) -> N::Dual {
        let is_bounded = step != N::Dual::MAX;
        let limit = if is_bounded { step + given } else { step };
        let gap = self.plus_plus_gap(pair, limit);
        let step = if gap < limit { gap - given } else { step };
        let side = usize::from(self.pairs[pair as usize].trees[0] != tree);
        let limit = if step == N::Dual::MAX { step } else { step - given };
        let gap = self.plus_minus_gap(pair, side, limit);
        if gap < limit { gap + given } else { step }
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
