//! The queues of the trees: what is in them, what counts as valid, and how they follow a change.
//!
//! | class of edge `e` | key | tight when |
//! | --- | --- | --- |
//! | `+A`, free | slack + δ(A) | key = δ(A) |
//! | `+A`, `+A`, different nodes | slack + 2 δ(A) | key = 2 δ(A) |
//! | `+A`, `+B` | slack + δ(A) + δ(B) | key = δ(A) + δ(B) |
//! | `+A`, `-B` | slack + δ(A) - δ(B) | key = δ(A) - δ(B) |
//! | `-` supernode of A | dual + δ(A) | key = δ(A) |
//!
//! Keys do not move with the duals. Every edge of one of these classes has an entry with its true key in the queue of
//! its class; entries that no longer tell the truth are dropped when they come to the top. An entry is thus valid if
//! and only if what it says can be recomputed: no ticket or back pointer is kept.
//!
//! One thing waits until it matters. A free node that becomes `-B` leaves its edges from `+A` where they are, among the
//! free edges of A: while B grows their slack only gains on what they say. An entry that comes to the top there goes to
//! where its edge belongs, or back with its true key.

use smallvec::SmallVec;

use super::forest::{Forest, Membership, Pair, Sign};
use super::heap::{Entry, Heap};
use super::numbers::{Dual, Numbers};

/// What an edge in the queue of a tree's free edges is by now.
enum FreeEdge<D> {
    /// From a `+` node of the tree to a free node, with that slack.
    Free(D),
    /// From a `+` node of the tree to a `-` node of that other one.
    Minus(u32, D),
    /// Of no use there: a tree's own edge, or one that others have taken up.
    Gone,
}

impl<D: Copy + Ord> Pair<D> {
    fn new(a: u32, b: u32) -> Self {
        Self {
            trees: [a, b],
            plus_plus: Heap::default(),
            plus_minus: [Heap::default(), Heap::default()],
        }
    }

    pub(super) fn release(&mut self) {
        self.plus_plus.release();
        self.plus_minus[0].release();
        self.plus_minus[1].release();
    }
}

impl<N: Numbers> Forest<'_, N> {
    /// The shared queues of two live trees, made at first use.
    ///
    /// The shorter of both lists is searched, which stays cheap even beside a tree that touches all others.
    fn pair_of(&mut self, a: u32, b: u32) -> &mut Pair<N::Dual> {
        let (of_a, of_b) = (&self.trees[a as usize].neighbours, &self.trees[b as usize].neighbours);
        let (list, wanted) = if of_a.len() <= of_b.len() { (of_a, b) } else { (of_b, a) };
        let pair = match list.iter().find(|&&(tree, _)| tree == wanted) {
            Some(&(_, pair)) => pair,
            None => {
                let pair = match self.unused_pairs.pop() {
                    Some(pair) => {
                        self.pairs[pair as usize].trees = [a, b];
                        pair
                    }
                    None => {
                        self.pairs.push(Pair::new(a, b));
                        self.pairs.len() as u32 - 1
                    }
                };
                self.trees[a as usize].neighbours.push((b, pair));
                self.trees[b as usize].neighbours.push((a, pair));
                pair
            }
        };
        &mut self.pairs[pair as usize]
    }

    pub(super) fn push_plus_plus(&mut self, a: u32, b: u32, slack: N::Dual, edge: u32) {
        let key = slack + self.delta(a) + self.delta(b);
        self.pair_of(a, b).plus_plus.push(key, edge);
    }

    /// An edge from a `+` node of `a` to a `-` node of `b`.
    pub(super) fn push_plus_minus(&mut self, a: u32, b: u32, slack: N::Dual, edge: u32) {
        let key = slack + self.delta(a) - self.delta(b);
        let pair = self.pair_of(a, b);
        let side = usize::from(pair.trees[0] != a);
        pair.plus_minus[side].push(key, edge);
    }

    /// Queues the edges that a live tree shares with one whose nodes have just become free: those from its `+` nodes.
    pub(super) fn hand_over(&mut self, pair: u32, live: u32) {
        let pair = &mut self.pairs[pair as usize];
        let side = usize::from(pair.trees[0] != live);
        let plus_plus = core::mem::take(&mut pair.plus_plus);
        let plus_minus = core::mem::take(&mut pair.plus_minus[side]);
        self.work += (plus_plus.entries().len() + plus_minus.entries().len()) as u64;
        for entry in plus_plus.entries().iter().chain(plus_minus.entries()) {
            if let Some(slack) = self.slack_between(entry.id, Membership::plus(live), Membership::FREE) {
                let key = slack + self.delta(live);
                self.trees[live as usize].free_edges.push(key, entry.id);
            }
        }
    }

    /// Queues the edges of nodes that came out of a blossom or of an unfinished scan in this round, unless they became
    /// `+`: those were seen to by their scan.
    pub(super) fn refresh(&mut self) {
        let stamp = self.next_stamp();
        let mut changed = core::mem::take(&mut self.changed);
        for &x in &changed {
            if !self.is_outer(x) || self.membership(x).is_plus() || self.node(x).stamp == stamp {
                continue;
            }
            self.node_mut(x).stamp = stamp;
            self.requeue_edges(x, self.membership(x));
        }
        changed.clear();
        self.changed = changed;
    }

    /// Queues the edges from `+` nodes to a node that is free or `-`.
    fn requeue_edges(&mut self, x: u32, here: Membership) {
        let last = self.node(x).last;
        let mut v = self.node(x).first;
        loop {
            let dual = self.vertex_dual(v);
            let span = self.graph.span(v);
            self.work += span.len() as u64;
            for position in span {
                let arc = self.graph.arc(position);
                let head = self.vertices[arc.head as usize];
                let other = *self.label(head.label);
                let there = other.membership;
                if !there.is_plus() || (here.is_minus() && here.tree() == there.tree()) {
                    continue;
                }
                let slack = N::doubled(arc.weight) - dual - head.base_dual - other.offset - self.tree_offset(there);
                if here.is_free() {
                    let key = slack + self.delta(there.tree());
                    self.trees[there.tree() as usize].free_edges.push(key, arc.id.edge());
                } else {
                    self.push_plus_minus(there.tree(), here.tree(), slack, arc.id.edge());
                }
            }
            if v == last {
                return;
            }
            v = self.vertices[v as usize].next;
        }
    }

    /// Slack of an edge if its ends are different outer nodes of the given memberships, in either order.
    #[inline]
    fn slack_between(&self, edge: u32, one: Membership, two: Membership) -> Option<N::Dual> {
        let (u, v, weight) = self.graph.edge(edge);
        let (at_u, at_v) = (self.label_of(u), self.label_of(v));
        let (mu, mv) = (at_u.membership, at_v.membership);
        let is_match = (mu == one && mv == two) || (mu == two && mv == one);
        if !is_match || at_u.node == at_v.node {
            return None;
        }
        Some(weight - self.vertex_dual(u) - self.vertex_dual(v))
    }

    /// How far the top of a queue is from being tight, if that is less than `limit`; else anything not below it.
    ///
    /// Invalid entries are dropped only where they would matter: an entry that says `limit` or more is not looked at,
    /// since what lies below it can only say more.
    fn settle_edges(
        &self,
        queue: &mut Heap<N::Dual>,
        one: Membership,
        two: Membership,
        bound: N::Dual,
        limit: N::Dual,
    ) -> N::Dual {
        while let Some(Entry { key, id }) = queue.top() {
            let gap = key - bound;
            if gap >= limit || self.slack_between(id, one, two) == Some(gap) {
                return gap;
            }
            queue.pop();
        }
        N::Dual::MAX
    }

    /// What has become of an edge that was queued as one from a `+` node of a tree to a free node.
    #[inline(always)]
    fn free_edge(&self, tree: u32, edge: u32) -> FreeEdge<N::Dual> {
        let (u, v, weight) = self.graph.edge(edge);
        let (at_u, at_v) = (self.label_of(u).membership, self.label_of(v).membership);
        let plus = Membership::plus(tree);
        let other = if at_u == plus {
            at_v
        } else if at_v == plus {
            at_u
        } else {
            return FreeEdge::Gone;
        };
        let slack = || weight - self.vertex_dual(u) - self.vertex_dual(v);
        match other.sign() {
            Sign::Free => FreeEdge::Free(slack()),
            Sign::Minus if other.tree() != tree => FreeEdge::Minus(other.tree(), slack()),
            _ => FreeEdge::Gone,
        }
    }

    /// Least slack from `+` nodes of the tree to free nodes, if below `limit`; else anything not below it. Likewise
    /// the other gaps.
    pub(super) fn free_gap(&mut self, tree: u32, limit: N::Dual) -> N::Dual {
        let bound = self.delta(tree);
        if !self.trees[tree as usize].free_edges.is_below(bound, limit) {
            return limit;
        }
        let mut queue = core::mem::take(&mut self.trees[tree as usize].free_edges);
        let mut gap = N::Dual::MAX;
        while let Some(Entry { key, id }) = queue.top() {
            let least = key - bound;
            if least >= limit {
                gap = least;
                break;
            }
            match self.free_edge(tree, id) {
                FreeEdge::Free(slack) if slack == least => {
                    gap = least;
                    break;
                }
                FreeEdge::Free(slack) if slack > least => queue.replace_top(slack + bound, id),
                // What says too much has another entry that does not.
                FreeEdge::Free(_) | FreeEdge::Gone => {
                    queue.pop();
                }
                FreeEdge::Minus(other, slack) => {
                    queue.pop();
                    self.push_plus_minus(tree, other, slack, id);
                }
            }
        }
        self.trees[tree as usize].free_edges = queue;
        gap
    }

    /// Takes every edge that may be tight from the queue of a tree's free edges; those that lead to `-` nodes go to
    /// where they belong. What is left of it: edges to free nodes, with their slacks.
    fn take_low_free_edges(&mut self, tree: u32) -> SmallVec<[(u32, N::Dual); 4]> {
        let bound = self.delta(tree);
        let mut low = SmallVec::new();
        while let Some(Entry { key, id }) = self.trees[tree as usize].free_edges.top()
            && key <= bound
        {
            self.trees[tree as usize].free_edges.pop();
            match self.free_edge(tree, id) {
                FreeEdge::Free(slack) => low.push((id, slack)),
                FreeEdge::Minus(other, slack) => self.push_plus_minus(tree, other, slack, id),
                FreeEdge::Gone => {}
            }
        }
        low
    }

    /// Brings every tight edge from a `+` node of the tree to a `-` node of another to where it belongs.
    pub(super) fn sort_free_edges(&mut self, tree: u32) {
        if self.trees[tree as usize].free_edges.is_tight(self.delta(tree)) {
            for (edge, slack) in self.take_low_free_edges(tree) {
                let key = slack + self.delta(tree);
                self.trees[tree as usize].free_edges.push(key, edge);
            }
        }
    }

    /// Least slack between `+` nodes of the tree.
    pub(super) fn inner_gap(&mut self, tree: u32, limit: N::Dual) -> N::Dual {
        let bound = self.delta(tree) + self.delta(tree);
        if !self.trees[tree as usize].inner_edges.is_below(bound, limit) {
            return limit;
        }
        let mut queue = core::mem::take(&mut self.trees[tree as usize].inner_edges);
        let plus = Membership::plus(tree);
        let gap = self.settle_edges(&mut queue, plus, plus, bound, limit);
        self.trees[tree as usize].inner_edges = queue;
        gap
    }

    /// Whether a queue entry of a `-` supernode still tells the truth.
    fn is_valid_minus(&self, tree: u32, Entry { key, id }: Entry<N::Dual>) -> bool {
        self.is_outer(id) && self.membership(id) == Membership::minus(tree) && self.supernode(id).dual == key
    }

    /// Least dual of a `-` supernode of the tree.
    pub(super) fn minus_gap(&mut self, tree: u32, limit: N::Dual) -> N::Dual {
        let delta = self.delta(tree);
        while let Some(top) = self.trees[tree as usize].minus_nodes.top() {
            let gap = top.key - delta;
            if gap >= limit || self.is_valid_minus(tree, top) {
                return gap;
            }
            self.trees[tree as usize].minus_nodes.pop();
        }
        N::Dual::MAX
    }

    /// Least slack between `+` nodes of both trees of a pair.
    pub(super) fn plus_plus_gap(&mut self, pair: u32, limit: N::Dual) -> N::Dual {
        let [a, b] = self.pairs[pair as usize].trees;
        let bound = self.delta(a) + self.delta(b);
        if !self.pairs[pair as usize].plus_plus.is_below(bound, limit) {
            return limit;
        }
        let mut queue = core::mem::take(&mut self.pairs[pair as usize].plus_plus);
        let gap = self.settle_edges(&mut queue, Membership::plus(a), Membership::plus(b), bound, limit);
        self.pairs[pair as usize].plus_plus = queue;
        gap
    }

    /// Least slack from `+` nodes of one tree of a pair (0 or 1) to `-` nodes of the other.
    pub(super) fn plus_minus_gap(&mut self, pair: u32, side: usize, limit: N::Dual) -> N::Dual {
        let trees = self.pairs[pair as usize].trees;
        let (a, b) = (trees[side], trees[1 - side]);
        let bound = self.delta(a) - self.delta(b);
        if !self.pairs[pair as usize].plus_minus[side].is_below(bound, limit) {
            return limit;
        }
        let mut queue = core::mem::take(&mut self.pairs[pair as usize].plus_minus[side]);
        let gap = self.settle_edges(&mut queue, Membership::plus(a), Membership::minus(b), bound, limit);
        self.pairs[pair as usize].plus_minus[side] = queue;
        gap
    }

    /// Moves every edge of a queue that is tight and valid to the seeds.
    fn take_tight(&self, queue: &mut Heap<N::Dual>, one: Membership, two: Membership, bound: N::Dual) -> Vec<u32> {
        let mut tight = Vec::new();
        while let Some(entry) = queue.top().filter(|entry| entry.key <= bound) {
            queue.pop();
            if self.slack_between(entry.id, one, two) == Some(N::Dual::ZERO) {
                tight.push(entry.id);
            }
        }
        tight
    }

    pub(super) fn seed_plus_plus(&mut self, pair: u32) {
        let [a, b] = self.pairs[pair as usize].trees;
        let bound = self.delta(a) + self.delta(b);
        if !self.pairs[pair as usize].plus_plus.is_tight(bound) {
            return;
        }
        let mut queue = core::mem::take(&mut self.pairs[pair as usize].plus_plus);
        let tight = self.take_tight(&mut queue, Membership::plus(a), Membership::plus(b), bound);
        self.pairs[pair as usize].plus_plus = queue;
        self.seeds.extend(tight);
    }

    pub(super) fn seed_free_edges(&mut self, tree: u32) {
        if !self.trees[tree as usize].free_edges.is_tight(self.delta(tree)) {
            return;
        }
        for (edge, slack) in self.take_low_free_edges(tree) {
            if slack == N::Dual::ZERO {
                self.seeds.push(edge);
            } else {
                let key = slack + self.delta(tree);
                self.trees[tree as usize].free_edges.push(key, edge);
            }
        }
    }

    pub(super) fn seed_inner_edges(&mut self, tree: u32) {
        let bound = self.delta(tree) + self.delta(tree);
        if !self.trees[tree as usize].inner_edges.is_tight(bound) {
            return;
        }
        let mut queue = core::mem::take(&mut self.trees[tree as usize].inner_edges);
        let plus = Membership::plus(tree);
        let tight = self.take_tight(&mut queue, plus, plus, bound);
        self.trees[tree as usize].inner_edges = queue;
        self.seeds.extend(tight);
    }

    /// Takes the `-` supernodes of the tree whose dual is zero.
    pub(super) fn collect_exhausted(&mut self, tree: u32, exhausted: &mut Vec<u32>) {
        let delta = self.delta(tree);
        while let Some(top) = self.trees[tree as usize]
            .minus_nodes
            .top()
            .filter(|top| top.key <= delta)
        {
            self.trees[tree as usize].minus_nodes.pop();
            if self.is_valid_minus(tree, top) {
                exhausted.push(top.id);
            }
        }
    }
}
