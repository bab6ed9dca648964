//! One search tree at a time: grow, shrink, expand, augment, until everybody is matched.

use super::forest::{FORBIDDEN, Forest, Label, NEVER, NONE};

/// Turns of bidding that an unmatched vertex begins.
const BIDS: usize = 4;

/// What happens next in a tree.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A vertex outside the tree is reached.
    Reach(u32),
    /// Two + nodes meet; the edge is kept with the first.
    Meet(u32),
    /// The dual of a - blossom is used up.
    Expire(u32),
}

/// A tree that can neither grow nor move: there is no perfect matching.
#[derive(Debug)]
pub(super) struct Stuck;

impl Forest {
    /// Finds a minimum-weight perfect matching of the present matrix; `false` where it takes more looks at entries than
    /// that.
    pub(super) fn run(&mut self, most: u64) -> Result<bool, Stuck> {
        self.start();
        self.bid();
        for v in 0..self.n as u32 {
            let root = self.outer[v as usize];
            if self.nodes[root as usize].match_out == NONE {
                if self.work > most {
                    return Ok(false);
                }
                self.stage(root)?;
            }
        }
        Ok(true)
    }

    /// Duals from row minima, raised vertex by vertex, and the pairs that are tight then.
    fn start(&mut self) {
        let n = self.n;
        for v in 0..n {
            let least = row_min(&self.weights[v * n..][..n]);
            // Halves of even weights are whole.
            self.y[v] = if least == FORBIDDEN { 0 } else { least / 2 };
        }
        if self.has_forbidden {
            self.match_forced();
        }
        for v in 0..n {
            if self.nodes[v].match_out != NONE {
                continue;
            }
            let row = &self.weights[v * n..][..n];
            let (least, nearest) = row_nearest(row, &self.y);
            if least == NEVER {
                continue;
            }
            let partner = (nearest..n)
                .find(|&u| row[u] != FORBIDDEN && row[u] - self.y[u] == least && self.nodes[u].match_out == NONE);
            self.y[v] = least;
            if let Some(u) = partner {
                self.set_match(v as u32, v as u32, u as u32);
                self.set_match(u as u32, u as u32, v as u32);
            }
        }
        self.work += 2 * (n * n) as u64;
    }

    /// Matches whoever has one partner only, and puts that partner's dual so low that nobody else asks for it: what must
    /// be is no part of any tree then.
    fn match_forced(&mut self) {
        let n = self.n;
        for v in 0..n {
            let row = &self.weights[v * n..][..n];
            if self.nodes[v].match_out != NONE || count_allowed(row) != 1 {
                continue;
            }
            let Some(u) = row.iter().position(|&weight| weight != FORBIDDEN) else {
                continue;
            };
            // Two who have the same one: there is no perfect matching, and a tree will tell.
            if self.nodes[u].match_out == NONE {
                self.y[u] -= self.out_of_reach;
                self.y[v] = row[u] - self.y[u];
                self.set_match(v as u32, v as u32, u as u32);
                self.set_match(u as u32, u as u32, v as u32);
            }
        }
        self.work += (n * n) as u64;
    }

    /// Lets each unmatched vertex bid for its best partner, up to where its second best is as good. Whoever was matched
    /// there bids next, for a few turns: a turn looks at one row, a tree at all of them.
    fn bid(&mut self) {
        for root in 0..self.n as u32 {
            let mut bidder = root;
            for _ in 0..BIDS {
                if bidder == NONE || self.nodes[bidder as usize].match_out != NONE {
                    break;
                }
                bidder = self.outbid(bidder);
            }
        }
    }

    /// Matches an unmatched vertex to its best partner unless the second best is as good and the best is taken. Returns
    /// who lost that partner, or none.
    fn outbid(&mut self, u: u32) -> u32 {
        let n = self.n;
        let row = &self.weights[u as usize * n..][..n];
        let (least, best) = row_nearest(row, &self.y);
        if least == NEVER {
            return NONE;
        }
        let second = second_least(row, &self.y, best);
        self.work += n as u64;
        let loser = self.nodes[best].match_out;
        if loser == NONE {
            self.y[u as usize] = least;
        } else if second != NEVER && second > least {
            self.y[u as usize] = second;
            self.y[best] -= second - least;
            self.nodes[loser as usize].match_out = NONE;
        } else {
            return NONE;
        }
        self.set_match(u, u, best as u32);
        self.set_match(best as u32, best as u32, u);
        loser
    }

    /// Grows a tree from an unmatched node until it reaches another one.
    fn stage(&mut self, root: u32) -> Result<(), Stuck> {
        self.delta = 0;
        self.slots = 0;
        self.plus.clear();
        self.plus_vertices.clear();
        self.minus.clear();
        self.key.fill(NEVER);
        self.gate.fill(0);
        self.first_meeting = (NEVER, NONE);
        self.first_expiry = (NEVER, NONE);
        self.make_plus(root);
        loop {
            let (delta, event) = self.next_event().ok_or(Stuck)?;
            debug_assert!(delta >= self.delta, "duals never move back");
            self.delta = delta;
            match event {
                Event::Reach(v) => {
                    let u = self.from[v as usize];
                    let node = self.outer[v as usize];
                    if self.nodes[node as usize].match_out == NONE {
                        self.settle();
                        self.augment(u, v);
                        return Ok(());
                    }
                    self.grow(u, v);
                }
                Event::Meet(node) => {
                    let (u, v) = self.nodes[node as usize].meeting;
                    self.shrink(u, v);
                }
                Event::Expire(node) => self.expand(node),
            }
        }
    }

    /// The least movement of duals after which something happens. Ties: reach an unmatched node, reach, meet, expire.
    fn next_event(&self) -> Option<(i64, Event)> {
        let reach = least_gated(&self.key, &self.gate);
        let (meet, node) = self.first_meeting;
        debug_assert!(meet == NEVER || meet % 2 == 0, "parities agree inside a tree");
        let meet = if meet == NEVER { NEVER } else { meet / 2 };
        let (expire, blossom) = self.first_expiry;
        if reach <= meet && reach <= expire {
            (reach != NEVER).then(|| (reach, Event::Reach(self.reached(reach))))
        } else if meet <= expire {
            Some((meet, Event::Meet(node)))
        } else {
            Some((expire, Event::Expire(blossom)))
        }
    }

    /// The vertex outside the tree that is reached at that movement, an unmatched one if there is any.
    fn reached(&self, delta: i64) -> u32 {
        let mut first = NONE;
        let mut from = 0;
        while let Some(v) = next_at(&self.key, &self.gate, delta, from) {
            if self.nodes[self.outer[v] as usize].match_out == NONE {
                return v as u32;
            }
            first = first.min(v as u32);
            from = v + 1;
        }
        first
    }

    /// A node outside the tree becomes -, its partner +.
    fn grow(&mut self, u: u32, v: u32) {
        let node = self.outer[v as usize];
        self.make_minus(node, v, u);
        let partner = self.outer[self.nodes[node as usize].match_out as usize];
        self.make_plus(partner);
    }

    /// Matches along the path from `u` in the tree to its root, and `u` with `v` outside.
    fn augment(&mut self, mut u: u32, mut v: u32) {
        self.set_match(self.outer[v as usize], v, u);
        loop {
            let plus = self.outer[u as usize];
            let minus = self.nodes[plus as usize].match_out;
            self.set_match(plus, u, v);
            if minus == NONE {
                return;
            }
            let minus = self.outer[minus as usize];
            (v, u) = self.nodes[minus as usize].tree_edge;
            self.set_match(minus, v, u);
        }
    }

    /// Puts an edge from a vertex of a - node to a + vertex on record.
    pub(super) fn make_minus(&mut self, node: u32, inside: u32, outside: u32) {
        let delta = self.delta;
        let record = &mut self.nodes[node as usize];
        record.label = Label::Minus;
        record.tree_edge = (inside, outside);
        record.enter = delta;
        if node as usize >= self.n {
            let expiry = delta + record.dual;
            if expiry < self.first_expiry.0 {
                self.first_expiry = (expiry, node);
            }
        }
        self.minus.push(node);
        self.for_members(node, |forest, v| forest.gate[v] = NEVER);
    }

    /// A node becomes +: its edges to all others are looked at. The duals of its vertices are present values.
    pub(super) fn make_plus(&mut self, node: u32) {
        let n = self.n;
        let slot = self.take_slot(node);
        self.nodes[node as usize].label = Label::Plus;
        self.nodes[node as usize].enter = self.delta;
        let row = Self::pair_row(slot);
        let olds = self.plus_vertices.len();
        self.meet_keys[row..row + slot].fill(NEVER);
        let mut u = self.nodes[node as usize].head;
        loop {
            let at = u as usize;
            self.y[at] -= self.delta;
            self.gate[at] = NEVER;
            let weights = &self.weights[at * n..][..n];
            let base = self.y[at];
            relax(weights, &self.y, base, u, &mut self.key, &mut self.from);
            for &v in &self.plus_vertices[..olds] {
                let weight = weights[v as usize];
                if weight != FORBIDDEN {
                    let key = weight - base - self.y[v as usize];
                    let entry = row + self.slot_of[v as usize] as usize;
                    if key < self.meet_keys[entry] {
                        self.meet_keys[entry] = key;
                        self.meet_edges[entry] = (u, v);
                    }
                }
            }
            self.slot_of[at] = slot as u32;
            self.plus_vertices.push(u);
            self.work += n as u64;
            if u == self.nodes[node as usize].tail {
                break;
            }
            u = self.next[at];
        }
        self.note_meeting(node, row);
        self.plus.push(node);
    }

    /// The duals of the tree's vertices and blossoms become present values; the tree is given up.
    fn settle(&mut self) {
        let delta = self.delta;
        for at in 0..self.plus.len() {
            let node = self.plus[at];
            let record = &mut self.nodes[node as usize];
            record.label = Label::Free;
            record.dual += delta - record.enter;
            self.for_members(node, |forest, v| forest.y[v] += delta);
        }
        for at in 0..self.minus.len() {
            let node = self.minus[at];
            let record = &mut self.nodes[node as usize];
            record.label = Label::Free;
            let moved = delta - record.enter;
            record.dual -= moved;
            self.for_members(node, |forest, v| forest.y[v] -= moved);
        }
    }
}

/// Least entry of a row; what is forbidden or never counts as greatest.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub(super) fn row_min(row: &[i64]) -> i64 {
    row.iter().fold(NEVER, |least, &weight| least.min(weight))
}

/// How many entries of a row are allowed.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn count_allowed(row: &[i64]) -> u64 {
    row.iter().map(|&weight| u64::from(weight != FORBIDDEN)).sum()
}

/// Least allowed `weight - y`, and the first column that has it.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn row_nearest(row: &[i64], y: &[i64]) -> (i64, usize) {
    let value = |weight: i64, y: i64| if weight == FORBIDDEN { NEVER } else { weight - y };
    let mut least = NEVER;
    for (&weight, &y) in row.iter().zip(y) {
        least = least.min(value(weight, y));
    }
    let first = row.iter().zip(y).position(|(&weight, &y)| value(weight, y) == least);
    (least, first.unwrap_or(0))
}

/// Least allowed `weight - y` of all columns but one.
fn second_least(row: &[i64], y: &[i64], but: usize) -> i64 {
    let before = row_nearest(&row[..but], &y[..but]).0;
    before.min(row_nearest(&row[but + 1..], &y[but + 1..]).0)
}

/// The least key whose gate is open.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn least_gated(keys: &[i64], gates: &[i64]) -> i64 {
    let mut least = NEVER;
    for (&key, &gate) in keys.iter().zip(gates) {
        least = least.min(key.max(gate));
    }
    least
}

/// The first vertex from `first` on with that key and an open gate.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn next_at(keys: &[i64], gates: &[i64], delta: i64, first: usize) -> Option<usize> {
    /// Vertices looked at before it is asked whether one of them was right.
    const CHUNK: usize = 16;
    let is_right = |(&key, &gate): (&i64, &i64)| (key == delta) & (gate == 0);
    let (keys, gates) = (&keys[first..], &gates[first..]);
    for (at, (keys, gates)) in keys.chunks(CHUNK).zip(gates.chunks(CHUNK)).enumerate() {
        let any = keys.iter().zip(gates).fold(false, |any, entry| any | is_right(entry));
        if any && let Some(within) = keys.iter().zip(gates).position(is_right) {
            return Some(first + at * CHUNK + within);
        }
    }
    None
}

/// Looks at all edges of `u`. The key of a vertex outside the tree is the movement of duals that makes its best edge to
/// a + vertex tight; that of a - vertex is the same as of when it became -, which makes one formula of both. Keys of
/// + vertices mean nothing.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn relax(weights: &[i64], y: &[i64], base: i64, u: u32, keys: &mut [i64], from: &mut [u32]) {
    let n = weights.len();
    let (y, keys, from) = (&y[..n], &mut keys[..n], &mut from[..n]);
    for v in 0..n {
        let key = if weights[v] == FORBIDDEN {
            NEVER
        } else {
            weights[v] - base - y[v]
        };
        from[v] = if key < keys[v] { u } else { from[v] };
        keys[v] = keys[v].min(key);
    }
}
