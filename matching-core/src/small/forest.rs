//! The state of a search: vertices, nodes, and the tree.
//!
//! Weights are doubled and shifted, so that the least is 0. `Y(v)` is the dual of vertex v and of all blossoms around
//! it; the slack of an edge between different outer nodes is `weight - Y(u) - Y(v)`. In a tree that has moved its duals
//! by `delta` so far, `y` holds `Y` of vertices outside, `Y` at the time of entry of - vertices, and `Y - delta` of +
//! vertices: nothing need be touched when duals move.

use super::search::row_min;

/// Stands for a pair that must not be.
pub(super) const FORBIDDEN: i64 = i64::MAX;
/// The key of what never happens.
pub(super) const NEVER: i64 = i64::MAX;
/// No vertex, no node.
pub(super) const NONE: u32 = u32::MAX;

/// Where a node stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Label {
    #[default]
    Free,
    Plus,
    Minus,
}

/// A vertex or a blossom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) label: Label,
    /// The blossom right around it.
    pub(super) parent: u32,
    /// One of its children, for blossoms.
    pub(super) child: u32,
    /// Its neighbours in the odd cycle of its parent, and the edge to the next one.
    pub(super) next: u32,
    pub(super) prev: u32,
    pub(super) edge: (u32, u32),
    /// The vertices of its matched edge, inside and outside.
    pub(super) match_in: u32,
    pub(super) match_out: u32,
    /// Of - nodes: the edge to the parent in the tree, inside and outside.
    pub(super) tree_edge: (u32, u32),
    /// First and last member in the linked list of vertices.
    pub(super) head: u32,
    pub(super) tail: u32,
    /// Of + nodes: row and column of the table of pairs of + nodes.
    pub(super) slot: u32,
    /// The last path that passed here.
    pub(super) mark: u32,
    /// When it took its label; its dual as of then.
    pub(super) enter: i64,
    pub(super) dual: i64,
    /// Of + nodes: the best edge to a + node that is older, and twice the movement that makes it tight.
    pub(super) meeting: (u32, u32),
    pub(super) meeting_key: i64,
}

impl Node {
    fn vertex(v: u32) -> Self {
        Self {
            label: Label::Free,
            parent: NONE,
            child: NONE,
            next: NONE,
            prev: NONE,
            edge: (NONE, NONE),
            match_in: NONE,
            match_out: NONE,
            tree_edge: (NONE, NONE),
            head: v,
            tail: v,
            slot: 0,
            mark: 0,
            enter: 0,
            dual: 0,
            meeting: (NONE, NONE),
            meeting_key: NEVER,
        }
    }
}

/// All that a search needs, kept from solve to solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    pub(super) n: usize,
    /// All weights, row by row.
    pub(super) weights: Vec<i64>,
    /// Whether some pairs must not be.
    pub(super) has_forbidden: bool,
    /// What a dual is lowered by for nobody to reach it: twice the greatest weight.
    pub(super) out_of_reach: i64,
    pub(super) y: Vec<i64>,
    /// When a vertex is reached by its best edge to a + vertex, `from`.
    pub(super) key: Vec<i64>,
    pub(super) from: Vec<u32>,
    /// 0 outside the tree, else [`NEVER`].
    pub(super) gate: Vec<i64>,
    /// The outermost node of each vertex.
    pub(super) outer: Vec<u32>,
    /// Links of members; a node's run from its head to its tail.
    pub(super) next: Vec<u32>,
    /// Vertices, then blossoms.
    pub(super) nodes: Vec<Node>,
    pub(super) unused: Vec<u32>,
    pub(super) delta: i64,
    /// Outer nodes of the tree.
    pub(super) plus: Vec<u32>,
    pub(super) minus: Vec<u32>,
    pub(super) plus_vertices: Vec<u32>,
    /// Best edges of pairs of + nodes, newer slot first, below the diagonal.
    pub(super) meet_keys: Vec<i64>,
    pub(super) meet_edges: Vec<(u32, u32)>,
    pub(super) slots: usize,
    /// Of + vertices: the slot of their node.
    pub(super) slot_of: Vec<u32>,
    /// Which pair of + nodes meets first, by twice the movement; which - blossom runs out of dual first.
    pub(super) first_meeting: (i64, u32),
    pub(super) first_expiry: (i64, u32),
    pub(super) marks: u32,
    pub(super) stack: Vec<u32>,
    /// Arc visits.
    pub(super) work: u64,
}

impl Forest {
    /// Makes room for `n` vertices that are all free and unmatched; weights are forbidden.
    pub(super) fn reset(&mut self, n: usize) {
        // A laminar family of odd sets of three and more has less than n / 2 members; each + node of a tree is a
        // vertex's first or a blossom's only one.
        let (blossoms, slots) = (n / 2, n + n / 2 + 1);
        self.n = n;
        self.weights.clear();
        self.weights.resize(n * n, FORBIDDEN);
        for values in [&mut self.y, &mut self.key, &mut self.gate] {
            values.clear();
            values.resize(n, 0);
        }
        for links in [&mut self.from, &mut self.next, &mut self.slot_of] {
            links.clear();
            links.resize(n, NONE);
        }
        self.outer.clear();
        self.outer.extend(0..n as u32);
        self.nodes.clear();
        self.nodes.extend((0..n as u32).map(Node::vertex));
        self.nodes.resize(n + blossoms, Node::vertex(NONE));
        self.unused.clear();
        self.unused.extend((n as u32..(n + blossoms) as u32).rev());
        for list in [
            &mut self.plus,
            &mut self.minus,
            &mut self.plus_vertices,
            &mut self.stack,
        ] {
            list.clear();
            list.reserve(n + blossoms);
        }
        // Room for any tree is asked for now, and touched where trees come to need it: most take few slots, and memory
        // that is new costs more than all that is done with it.
        let pairs = Self::pair_row(slots);
        self.meet_keys.clear();
        self.meet_keys.reserve(pairs);
        self.meet_edges.clear();
        self.meet_edges.reserve(pairs);
        self.marks = 0;
        self.work = 0;
    }

    pub(super) fn set_match(&mut self, node: u32, inside: u32, outside: u32) {
        let record = &mut self.nodes[node as usize];
        (record.match_in, record.match_out) = (inside, outside);
    }

    /// Visits the vertices of a node.
    pub(super) fn for_members(&mut self, node: u32, mut visit: impl FnMut(&mut Self, usize)) {
        let (mut v, tail) = (self.nodes[node as usize].head, self.nodes[node as usize].tail);
        loop {
            visit(self, v as usize);
            if v == tail {
                return;
            }
            v = self.next[v as usize];
        }
    }

    /// Where the row of a slot starts.
    pub(super) fn pair_row(slot: usize) -> usize {
        slot * slot.saturating_sub(1) / 2
    }

    /// The next slot, for a node that becomes +.
    pub(super) fn take_slot(&mut self, node: u32) -> usize {
        let slot = self.slots;
        self.nodes[node as usize].slot = slot as u32;
        self.slots += 1;
        let end = Self::pair_row(self.slots);
        if self.meet_keys.len() < end {
            self.meet_keys.resize(end, NEVER);
            self.meet_edges.resize(end, (NONE, NONE));
        }
        slot
    }

    /// The best of a row of edges to older + nodes. Entries of nodes that are in a blossom by now are [`NEVER`].
    pub(super) fn note_meeting(&mut self, node: u32, row: usize) {
        let record = &mut self.nodes[node as usize];
        let keys = &self.meet_keys[row..row + record.slot as usize];
        record.meeting_key = row_min(keys);
        if record.meeting_key == NEVER {
            return;
        }
        let at = keys.iter().position(|&key| key == record.meeting_key).unwrap_or(0);
        record.meeting = self.meet_edges[row + at];
        if record.meeting_key < self.first_meeting.0 {
            self.first_meeting = (record.meeting_key, node);
        }
    }

    /// Finds out anew which pair of + nodes meets first, after some of them have left.
    pub(super) fn find_first_meeting(&mut self) {
        let keys = self
            .plus
            .iter()
            .map(|&node| (self.nodes[node as usize].meeting_key, node));
        self.first_meeting = keys.min_by_key(|&(key, _)| key).unwrap_or((NEVER, NONE));
    }

    /// Finds out anew which - blossom runs out of dual first, after some of them have left.
    pub(super) fn find_first_expiry(&mut self) {
        let blossoms = self.minus.iter().filter(|&&node| node as usize >= self.n);
        let expiries = blossoms.map(|&node| {
            let record = &self.nodes[node as usize];
            (record.enter + record.dual, node)
        });
        self.first_expiry = expiries.min_by_key(|&(expiry, _)| expiry).unwrap_or((NEVER, NONE));
    }
}
