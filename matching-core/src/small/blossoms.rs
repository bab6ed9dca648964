//! Shrinking and expanding.

use super::forest::{Forest, Label, NEVER, NONE};

impl Forest {
    /// The edge of the tree towards the root: inside and outside; `None` at the root.
    fn edge_up(&self, node: u32) -> Option<(u32, u32)> {
        let record = &self.nodes[node as usize];
        match record.label {
            Label::Minus => Some(record.tree_edge),
            _ => (record.match_out != NONE).then_some((record.match_in, record.match_out)),
        }
    }

    /// The node of the tree above.
    fn above(&self, node: u32) -> Option<u32> {
        self.edge_up(node).map(|(_, outside)| self.outer[outside as usize])
    }

    /// The lowest node that two nodes of the tree have above them.
    fn meeting_point(&mut self, a: u32, b: u32) -> u32 {
        self.marks += 1;
        let mut ends = [Some(a), Some(b)];
        let mut turn = 0;
        loop {
            if let Some(node) = ends[turn] {
                if self.nodes[node as usize].mark == self.marks {
                    return node;
                }
                self.nodes[node as usize].mark = self.marks;
                ends[turn] = self.above(node);
            }
            turn = 1 - turn;
        }
    }

    /// Makes one + node of the odd cycle that the tight edge between two + vertices closes.
    pub(super) fn shrink(&mut self, u: u32, v: u32) {
        let (a, b) = (self.outer[u as usize], self.outer[v as usize]);
        let top = self.meeting_point(a, b);
        self.link_cycle((a, u), (b, v), top);
        // - children become + by themselves first.
        let mut child = self.nodes[top as usize].next;
        while child != top {
            let record = &mut self.nodes[child as usize];
            if record.label == Label::Minus {
                let moved = self.delta - record.enter;
                record.dual -= moved;
                self.for_members(child, |forest, v| forest.y[v] -= moved);
                self.make_plus(child);
            }
            child = self.nodes[child as usize].next;
        }
        // There are never more blossoms than a laminar family has sets.
        let Some(node) = self.unused.pop() else {
            unreachable!("more blossoms than a laminar family has sets")
        };
        self.adopt(node, top);
        self.minus
            .retain(|&minus| self.nodes[minus as usize].label == Label::Minus);
        self.plus.retain(|&plus| self.nodes[plus as usize].parent == NONE);
        self.find_first_expiry();
        self.find_first_meeting();
        self.merge_pairs(node);
        self.plus.push(node);
        let slot = self.nodes[node as usize].slot;
        self.for_members(node, |forest, v| {
            forest.outer[v] = node;
            forest.slot_of[v] = slot;
        });
    }

    /// Links the children of a cycle: down to `a`, across `(u, v)`, and from `b` up again.
    fn link_cycle(&mut self, (a, u): (u32, u32), (b, v): (u32, u32), top: u32) {
        let mut at = a;
        while at != top
            && let Some((inside, outside)) = self.edge_up(at)
        {
            let above = self.outer[outside as usize];
            self.link(above, at, (outside, inside));
            at = above;
        }
        self.link(a, b, (u, v));
        at = b;
        while at != top
            && let Some((inside, outside)) = self.edge_up(at)
        {
            let above = self.outer[outside as usize];
            self.link(at, above, (inside, outside));
            at = above;
        }
    }

    fn link(&mut self, first: u32, second: u32, edge: (u32, u32)) {
        self.nodes[first as usize].next = second;
        self.nodes[first as usize].edge = edge;
        self.nodes[second as usize].prev = first;
    }

    /// A cycle of + nodes becomes the children of a new node.
    fn adopt(&mut self, node: u32, top: u32) {
        let delta = self.delta;
        let (head, mut tail) = (self.nodes[top as usize].head, NONE);
        let mut child = top;
        loop {
            let record = &mut self.nodes[child as usize];
            record.parent = node;
            record.dual += delta - record.enter;
            record.enter = delta;
            if tail != NONE {
                self.next[tail as usize] = record.head;
            }
            tail = record.tail;
            child = record.next;
            if child == top {
                break;
            }
        }
        let slot = self.take_slot(node) as u32;
        let top_record = self.nodes[top as usize];
        let record = &mut self.nodes[node as usize];
        record.label = Label::Plus;
        record.parent = NONE;
        record.child = top;
        (record.match_in, record.match_out) = (top_record.match_in, top_record.match_out);
        (record.head, record.tail) = (head, tail);
        record.slot = slot;
        record.mark = 0;
        record.enter = delta;
        record.dual = 0;
    }

    /// The best edges of a new blossom to the other + nodes are the best ones of its children.
    fn merge_pairs(&mut self, node: u32) {
        let record = self.nodes[node as usize];
        let row = Self::pair_row(record.slot as usize);
        self.meet_keys[row..row + record.slot as usize].fill(NEVER);
        let mut child = record.child;
        loop {
            let own = self.nodes[child as usize].slot as usize;
            for &other in &self.plus {
                let slot = self.nodes[other as usize].slot as usize;
                let known = Self::pair_row(own.max(slot)) + own.min(slot);
                if self.meet_keys[known] < self.meet_keys[row + slot] {
                    self.meet_keys[row + slot] = self.meet_keys[known];
                    self.meet_edges[row + slot] = self.meet_edges[known];
                }
            }
            child = self.nodes[child as usize].next;
            if child == record.child {
                break;
            }
        }
        self.note_meeting(node, row);
    }

    /// Takes a blossom apart: its children become outer nodes, matched as its own matched edge says.
    pub(super) fn open(&mut self, node: u32) {
        let blossom = self.nodes[node as usize];
        let base = self.child_around(node, blossom.match_in);
        self.set_match(base, blossom.match_in, blossom.match_out);
        self.nodes[base as usize].parent = NONE;
        let mut first = self.nodes[base as usize].next;
        while first != base {
            let (a, b) = self.nodes[first as usize].edge;
            let second = self.nodes[first as usize].next;
            self.set_match(first, a, b);
            self.set_match(second, b, a);
            self.nodes[first as usize].parent = NONE;
            self.nodes[second as usize].parent = NONE;
            first = self.nodes[second as usize].next;
        }
        let mut child = base;
        loop {
            self.nodes[child as usize].label = Label::Free;
            self.for_members(child, |forest, v| forest.outer[v] = child);
            child = self.nodes[child as usize].next;
            if child == base {
                break;
            }
        }
        self.unused.push(node);
    }

    /// The child of a blossom that a vertex is in.
    fn child_around(&self, blossom: u32, vertex: u32) -> u32 {
        let mut node = vertex;
        while self.nodes[node as usize].parent != blossom {
            node = self.nodes[node as usize].parent;
        }
        node
    }

    /// Opens a - blossom without dual: the children from the entry to the base stay in the tree.
    pub(super) fn expand(&mut self, node: u32) {
        let blossom = self.nodes[node as usize];
        let moved = self.delta - blossom.enter;
        self.for_members(node, |forest, v| {
            forest.y[v] -= moved;
            forest.gate[v] = 0;
            if forest.key[v] != NEVER {
                forest.key[v] += moved;
            }
        });
        self.minus.retain(|&minus| minus != node);
        self.find_first_expiry();
        let entry = self.child_around(node, blossom.tree_edge.0);
        let base = self.child_around(node, blossom.match_in);
        self.open(node);
        // The way to the base starts with a matched edge.
        let is_forward = self.nodes[entry as usize].match_out == self.nodes[entry as usize].edge.1
            && self.nodes[entry as usize].match_in == self.nodes[entry as usize].edge.0;
        let step = |forest: &Self, at: u32| {
            let record = &forest.nodes[at as usize];
            if is_forward { record.next } else { record.prev }
        };
        self.make_minus(entry, blossom.tree_edge.0, blossom.tree_edge.1);
        let mut at = entry;
        while at != base {
            let plus = step(self, at);
            let minus = step(self, plus);
            let (inside, outside) = if is_forward {
                let (a, b) = self.nodes[plus as usize].edge;
                (b, a)
            } else {
                self.nodes[minus as usize].edge
            };
            self.make_minus(minus, inside, outside);
            at = minus;
        }
        // Only now that no vertex of the path is taken for a free one.
        let mut at = entry;
        while at != base {
            let plus = step(self, at);
            self.make_plus(plus);
            at = step(self, plus);
        }
    }
}
