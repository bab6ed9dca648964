//! The primal phase of a round: grow, absorb and augment over tight edges, all trees at one dual value.
//!
//! No dual value and no slack changes here. An odd cycle is not shrunk at once: its nodes become a *cluster*, which may
//! still grow, and only what it is at the end of the round becomes one blossom. A chain of cycles that close at one
//! dual value thus makes one level of nesting, not many.
//!
//! Reference: P. Arkhipov, V. Kolmogorov, "Blossom VI: a practical minimum weight perfect matching algorithm",
//! arXiv:2604.20351 (cherry trees).

use super::forest::{Forest, Membership, Sign};
use super::graph::ArcId;
use super::numbers::{Dual, Numbers};

/// What became of the node whose arc was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    InTree,
    /// An augmentation freed it.
    Freed,
}

impl<N: Numbers> Forest<'_, N> {
    /// Everything that tight edges allow at the present dual values.
    pub(super) fn primal_phase(&mut self) {
        self.expand_exhausted();
        let mut seeds = core::mem::take(&mut self.seeds);
        for &edge in &seeds {
            self.try_seed(edge);
        }
        seeds.clear();
        self.seeds = seeds;
        self.scan_waiting();
        self.refresh();
        self.shrink_clusters();
        self.unused.append(&mut self.retired);
    }

    /// Scans all nodes that wait, in batches: one and all that it brings before the next. So trees near each other
    /// compete as they would, and what is looked at one after the other lies together.
    fn scan_waiting(&mut self) {
        let mut later = self.waiting.split_off(self.batch.min(self.waiting.len()));
        loop {
            while let Some(x) = self.waiting.pop_front() {
                if self.is_outer(x) && self.membership(x).is_waiting() {
                    self.scan(x);
                }
            }
            if later.is_empty() {
                return;
            }
            self.waiting.extend(later.drain(..self.batch.min(later.len())));
        }
    }

    /// Uses an edge that was tight at the end of the last dual step, if its ends still allow.
    fn try_seed(&mut self, edge: u32) {
        let forward = ArcId::forward(edge);
        let (u, v) = (self.graph.tail(forward), self.graph.head(forward));
        let (x, y) = (self.outer(u), self.outer(v));
        if x == y {
            return;
        }
        debug_assert!(
            self.slack(edge) == N::Dual::ZERO,
            "duals do not move in the primal phase"
        );
        if self.membership(x).is_plus() {
            self.use_tight(x, y, forward);
        } else if self.membership(y).is_plus() {
            self.use_tight(y, x, forward.reversed());
        }
    }

    /// Acts on a tight arc from the `+` node `x` to another outer node `y`.
    fn use_tight(&mut self, x: u32, y: u32, arc: ArcId) -> After {
        let (here, there) = (self.membership(x), self.membership(y));
        match there.sign() {
            // Another tree was faster; the edge is in no queue any more.
            Sign::Minus if here.tree() != there.tree() => {
                self.push_plus_minus(here.tree(), there.tree(), N::Dual::ZERO, arc.edge());
            }
            Sign::Minus => {}
            Sign::Free => self.grow(here.tree(), arc),
            Sign::Plus if here.tree() == there.tree() => self.absorb(x, y, arc),
            Sign::Plus => {
                self.augment(x, y, arc);
                return After::Freed;
            }
        }
        After::InTree
    }

    /// Looks at every arc out of a node that became `+`: tight ones are used, the others queued.
    fn scan(&mut self, x: u32) {
        let label = self.label_mut(self.node(x).label);
        let here = label.membership.settled();
        label.membership = here;
        let tree = here.tree();
        let delta = self.delta(tree);
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
                let is_same_tree = !there.is_free() && there.tree() == tree;
                if is_same_tree && (there.is_minus() || other.node == x) {
                    continue;
                }
                let slack = N::doubled(arc.weight) - dual - head.base_dual - other.offset - self.tree_offset(there);
                if slack == N::Dual::ZERO && !there.is_minus() {
                    if self.use_tight(x, other.node, arc.id) == After::Freed {
                        // The arcs not looked at are in no queue.
                        self.changed.push(x);
                        return;
                    }
                    continue;
                }
                // An edge between two waiting nodes is left to the later scan.
                match there.sign() {
                    Sign::Free => self.trees[tree as usize].free_edges.push(slack + delta, arc.id.edge()),
                    Sign::Minus => self.push_plus_minus(tree, there.tree(), slack, arc.id.edge()),
                    Sign::Plus if there.is_waiting() => {}
                    Sign::Plus if is_same_tree => {
                        if self.base(x) != self.base(other.node) {
                            self.trees[tree as usize]
                                .inner_edges
                                .push(slack + delta + delta, arc.id.edge());
                        }
                    }
                    Sign::Plus => self.push_plus_plus(tree, there.tree(), slack, arc.id.edge()),
                }
            }
            if v == last {
                return;
            }
            v = self.vertices[v as usize].next;
        }
    }

    /// Takes a free node and its mate into the tree: the node as `-`, the mate as `+`.
    ///
    /// A free supernode whose dual is zero is opened first, so that no `-` node starts without room to move.
    fn grow(&mut self, tree: u32, arc: ArcId) {
        let mut minus = self.far(arc);
        while self.is_supernode(minus) && self.supernode_dual(minus) == N::Dual::ZERO {
            self.open_free(minus);
            minus = self.far(arc);
        }
        let plus = self.far(self.node(minus).mate);
        self.node_mut(minus).alt = arc.reversed();
        self.join_as_minus(minus, tree);
        self.join_as_plus(plus, tree);
        self.has_progress = true;
    }

    /// Makes one cluster of an odd cycle that the tight arc from `a` to `b` closes, and of all clusters on it.
    fn absorb(&mut self, a: u32, b: u32, arc: ArcId) {
        if self.base(a) == self.base(b) {
            return;
        }
        let top = self.common_base(a, b);
        // Both stops are found before anything is written: the second walk may cross the first.
        let stop_a = self.first_in_cluster(a, top);
        let stop_b = self.first_in_cluster(b, top);
        self.clustered.push(top);
        self.absorb_side(a, stop_a, top);
        self.absorb_side(b, stop_b, top);
        // A stop belongs to the top's cluster already and keeps its own odd walk.
        if a != stop_a {
            self.node_mut(a).alt = arc;
        }
        if b != stop_b {
            self.node_mut(b).alt = arc.reversed();
        }
        self.has_progress = true;
    }

    /// Lowest base that lies above both nodes. Both sides climb in turn, so the work is bounded by the shorter one.
    fn common_base(&mut self, a: u32, b: u32) -> u32 {
        let stamp = self.next_stamp();
        let (a, b) = (self.base(a), self.base(b));
        self.node_mut(a).stamp = stamp;
        self.node_mut(b).stamp = stamp;
        let mut climbers = [a, b];
        loop {
            for climber in &mut climbers {
                let mate = self.node(*climber).mate;
                if mate.is_none() {
                    continue;
                }
                let minus = self.far(mate);
                let plus = self.far(self.node(minus).alt);
                *climber = self.base(plus);
                let node = self.node_mut(*climber);
                if node.stamp == stamp {
                    return *climber;
                }
                node.stamp = stamp;
            }
        }
    }

    /// First node on the even walk of `x` that lies in the cluster of `top`; perhaps `x` itself.
    fn first_in_cluster(&mut self, x: u32, top: u32) -> u32 {
        let mut x = x;
        while self.base(x) != top {
            let between = self.far(self.node(x).mate);
            x = self.far(self.node(between).alt);
        }
        x
    }

    /// Takes the even walk from `x` to `stop` into the cluster of `top`; `-` nodes on it become `+`.
    fn absorb_side(&mut self, x: u32, stop: u32, top: u32) {
        let mut x = x;
        while x != stop {
            let between = self.far(self.node(x).mate);
            let up = self.node(between).alt;
            let above = self.far(up);
            for member in [x, between] {
                let base = self.base(member);
                self.node_mut(base).base = top;
                self.clustered.push(member);
                if base != member {
                    self.clustered.push(base);
                }
            }
            let there = self.membership(between);
            if there.is_minus() {
                self.set_membership(between, Membership::plus(there.tree()).waiting());
                self.waiting.push_back(between);
            }
            if above != stop {
                self.node_mut(above).alt = up.reversed();
            }
            self.clustered.push(above);
            x = above;
        }
    }

    /// Matches the tight arc from `a` to `b`, roots of both trees become matched, and both trees dissolve.
    fn augment(&mut self, a: u32, b: u32, arc: ArcId) {
        let (one, other) = (self.membership(a).tree(), self.membership(b).tree());
        self.exchange_to_root(a, arc);
        self.exchange_to_root(b, arc.reversed());
        self.dissolve(one, other);
        self.dissolve(other, one);
        self.has_progress = true;
    }

    /// Exchanges matched and unmatched arcs on the even walk of `x`, whose matched arc becomes `link`.
    ///
    /// Supernodes are crossed without being opened: only their outside arc changes.
    fn exchange_to_root(&mut self, x: u32, link: ArcId) {
        let (mut x, mut link) = (x, link);
        loop {
            let old = core::mem::replace(&mut self.node_mut(x).mate, link);
            if old.is_none() {
                return;
            }
            let between = self.far(old);
            let up = self.node(between).alt;
            self.node_mut(between).mate = up;
            link = up.reversed();
            x = self.far(up);
        }
    }

    /// Frees every node of a tree that has been augmented with `partner`, and releases its queues. Others forget it
    /// when they next look.
    ///
    /// The edges from `+` nodes of others to what became free are in the queues shared with them, but for those of
    /// nodes that still waited for their scan or for its end: these are looked at with the other changes of the round.
    fn dissolve(&mut self, tree: u32, partner: u32) {
        self.free_members(tree);
        for (other, pair) in core::mem::take(&mut self.trees[tree as usize].neighbours) {
            // A pair of two dead trees went with the first of them, and its id may serve others by now.
            if !self.trees[other as usize].is_alive {
                continue;
            }
            if other != partner {
                self.hand_over(pair, other);
            }
            self.pairs[pair as usize].release();
            self.retired_pairs.push(pair);
        }
    }

    /// The end of a tree, whose nodes become free. Those shared queues that others go on with are left to the caller.
    pub(super) fn free_members(&mut self, tree: u32) {
        let dead = &mut self.trees[tree as usize];
        dead.is_alive = false;
        dead.free_edges.release();
        dead.inner_edges.release();
        dead.minus_nodes.release();
        for x in core::mem::take(&mut dead.members) {
            if self.is_outer(x) && !self.membership(x).is_free() && self.membership(x).tree() == tree {
                if self.membership(x).is_waiting() {
                    self.changed.push(x);
                }
                self.leave_tree(x);
            }
        }
    }

    /// Turns each cluster into one supernode. Clusters never outlive a round.
    fn shrink_clusters(&mut self) {
        if self.clustered.is_empty() {
            return;
        }
        let mut members = core::mem::take(&mut self.clustered);
        for children in self.clusters(&members) {
            self.shrink(children[0], children);
        }
        members.clear();
        self.clustered = members;
    }

    /// The clusters that these nodes are in, in order of their first nodes; a cluster's base comes first.
    fn clusters(&mut self, members: &[u32]) -> Vec<Box<[u32]>> {
        // A base bears its cluster's number, other nodes of a cluster the first of these marks.
        let listed = self.next_stamps(members.len() as u32 + 1);
        let mut found: Vec<(u32, u32)> = Vec::with_capacity(members.len());
        let mut sizes: Vec<usize> = Vec::new();
        for &x in members {
            if self.node(x).stamp >= listed || !self.is_outer(x) || !self.membership(x).is_plus() {
                continue;
            }
            let base = self.base(x);
            if self.node(base).stamp < listed {
                sizes.push(1);
                let cluster = sizes.len() as u32;
                self.node_mut(base).stamp = listed + cluster;
                found.push((cluster, base));
            }
            if x != base {
                self.node_mut(x).stamp = listed;
                let cluster = self.node(base).stamp - listed;
                sizes[cluster as usize - 1] += 1;
                found.push((cluster, x));
            }
        }
        let mut clusters: Vec<Vec<u32>> = sizes.into_iter().map(Vec::with_capacity).collect();
        for (cluster, x) in found {
            clusters[cluster as usize - 1].push(x);
        }
        let whole = clusters.into_iter().filter(|cluster| cluster.len() > 1);
        whole.map(Vec::into_boxed_slice).collect()
    }
}
