//! Trees of alternating paths, and the blossoms in them.

use crate::witness::TutteBerge;

/// Stands where there is no vertex.
pub(crate) const NONE: u32 = u32::MAX;

/// Where a vertex stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// In no tree.
    Out,
    /// At the end of an alternating path of even length from the root, which the root can do without a partner for.
    Even,
    /// At the end of one of odd length alone.
    Odd,
}

/// Alternating trees, each grown from a vertex without a partner, in which odd circuits (blossoms) count as one vertex (J. Edmonds,
/// "Paths, trees, and flowers", 1965, doi:10.4153/CJM-1965-045-4; blossoms as sets that are united, by bridges: R. E. Tarjan,
/// "Data Structures and Network Algorithms", 1983, chapter 9).
pub(crate) struct Trees {
    pub(crate) mates: Vec<u32>,
    labels: Vec<Label>,
    /// Of a vertex in a tree: where that began.
    roots: Vec<u32>,
    /// Of an odd vertex, or one that was odd: the even one from which it was reached.
    parents: Vec<u32>,
    /// Of one that was odd: the edge that closed its blossom, the end on its own side first.
    bridges: Vec<(u32, u32)>,
    /// Sets of vertices in one blossom, each named by its base.
    bases: Vec<u32>,
    /// When a base was last on the way to the root.
    marks: Vec<u64>,
    walks: u64,
    /// All vertices in trees.
    members: Vec<u32>,
    /// Even vertices whose edges nobody has looked at, but for the first `seen`.
    fresh: Vec<u32>,
    seen: usize,
    /// Room for a path, and for its parts.
    path: Vec<u32>,
    parts: Vec<Part>,
}

/// A part of a path that is still to be written.
enum Part {
    /// One vertex.
    Vertex(u32),
    /// From the first to the second, which lies on its way to the root.
    Up(u32, u32),
    /// The same way back.
    Down(u32, u32),
}

impl Trees {
    pub(crate) fn new(mates: Vec<u32>) -> Self {
        let n = mates.len();
        Self {
            mates,
            labels: vec![Label::Out; n],
            roots: vec![NONE; n],
            parents: vec![NONE; n],
            bridges: vec![(NONE, NONE); n],
            bases: (0..n as u32).collect(),
            marks: vec![0; n],
            walks: 0,
            members: Vec::new(),
            fresh: Vec::new(),
            seen: 0,
            path: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Begins anew, without trees.
    pub(crate) fn clear(&mut self) {
        for v in self.members.drain(..) {
            let at = v as usize;
            self.labels[at] = Label::Out;
            self.bridges[at] = (NONE, NONE);
            self.bases[at] = v;
        }
        self.fresh.clear();
        self.seen = 0;
    }

    /// A tree begins at a vertex without a partner.
    pub(crate) fn plant(&mut self, root: usize) {
        self.enter(root as u32, Label::Even, root as u32);
    }

    fn enter(&mut self, v: u32, label: Label, root: u32) {
        self.labels[v as usize] = label;
        self.roots[v as usize] = root;
        self.members.push(v);
        if label == Label::Even {
            self.fresh.push(v);
        }
    }

    /// An even vertex whose edges nobody has looked at, the last one first.
    pub(crate) fn last_fresh(&mut self) -> Option<usize> {
        self.fresh.pop().map(|v| v as usize)
    }

    /// The same, the first one first: trees grow side by side.
    pub(crate) fn first_fresh(&mut self) -> Option<usize> {
        let v = *self.fresh.get(self.seen)?;
        self.seen += 1;
        Some(v as usize)
    }

    pub(crate) fn label(&self, v: usize) -> Label {
        self.labels[v]
    }

    /// The base of the blossom that a vertex lies in: itself in none.
    pub(crate) fn base(&mut self, v: usize) -> usize {
        let mut v = v as u32;
        loop {
            let above = self.bases[v as usize];
            if above == v {
                return v as usize;
            }
            self.bases[v as usize] = self.bases[above as usize];
            v = above;
        }
    }

    /// Whether a vertex lies in a tree whose root has found a partner: what is known of it is no longer true.
    pub(crate) fn is_spent(&self, v: usize) -> bool {
        self.labels[v] != Label::Out && self.mates[self.roots[v] as usize] != NONE
    }

    /// Takes in an edge from an even vertex to one of no spent tree. True if it ended a path between two vertices without
    /// partners, who then have some.
    pub(crate) fn take(&mut self, u: usize, v: usize) -> bool {
        match self.labels[v] {
            Label::Odd => {}
            Label::Even if self.roots[u] != self.roots[v] => {
                self.augment(u, v);
                return true;
            }
            Label::Even => self.shrink(u, v),
            Label::Out if self.mates[v] == NONE => {
                self.augment(u, v);
                return true;
            }
            Label::Out => {
                let root = self.roots[u];
                self.enter(v as u32, Label::Odd, root);
                self.parents[v] = u as u32;
                self.enter(self.mates[v], Label::Even, root);
            }
        }
        false
    }

    /// An edge between two even vertices closes a circuit of odd length, unless they are in one blossom already.
    fn shrink(&mut self, u: usize, v: usize) {
        // Mostly the two are seen to be in one blossom without any search.
        if self.bases[u] == self.bases[v] {
            return;
        }
        let (a, b) = (self.base(u), self.base(v));
        if a != b {
            let top = self.meeting(a, b);
            self.absorb(u, v, top);
            self.absorb(v, u, top);
        }
    }

    /// The base at which the ways of two bases to the root meet.
    fn meeting(&mut self, a: usize, b: usize) -> usize {
        self.walks += 1;
        let (mut here, mut there) = (Some(a), Some(b));
        loop {
            if let Some(base) = here {
                if self.marks[base] == self.walks {
                    return base;
                }
                self.marks[base] = self.walks;
                here = self.above(base);
            }
            core::mem::swap(&mut here, &mut there);
        }
    }

    /// The next base on the way to the root.
    fn above(&mut self, base: usize) -> Option<usize> {
        match self.mates[base] {
            NONE => None,
            odd => Some(self.base(self.parents[odd as usize] as usize)),
        }
    }

    /// All on the way from `u` to the base `top` become one blossom, which the edge to `v` closes.
    fn absorb(&mut self, u: usize, v: usize, top: usize) {
        let mut base = self.base(u);
        while base != top {
            let odd = self.mates[base];
            self.bridges[odd as usize] = (u as u32, v as u32);
            self.labels[odd as usize] = Label::Even;
            self.fresh.push(odd);
            (self.bases[base], self.bases[odd as usize]) = (top as u32, top as u32);
            base = self.base(self.parents[odd as usize] as usize);
        }
    }

    /// Pairs `u` with `v`, and everybody on the ways to their roots anew. `v` may be in no tree.
    fn augment(&mut self, u: usize, v: usize) {
        self.path.clear();
        self.write_path(u as u32);
        let own = self.path.len();
        if self.labels[v] == Label::Even {
            self.write_path(v as u32);
        } else {
            self.path.push(v as u32);
        }
        let (ours, theirs) = self.path.split_at(own);
        for (way, mut before) in [(ours, v as u32), (theirs, u as u32)] {
            for pair in way.chunks(2) {
                (self.mates[before as usize], self.mates[pair[0] as usize]) = (pair[0], before);
                // The root is the last one, and alone.
                before = pair.get(1).copied().unwrap_or(NONE);
            }
        }
    }

    /// Writes the path of even length from an even vertex to its root behind what is there.
    fn write_path(&mut self, from: u32) {
        let root = self.roots[from as usize];
        let parts = &mut self.parts;
        parts.push(Part::Up(from, root));
        while let Some(part) = parts.pop() {
            // The last part that is pushed is written first.
            match part {
                Part::Vertex(v) => self.path.push(v),
                Part::Up(v, top) | Part::Down(v, top) if v == top => self.path.push(v),
                Part::Up(v, top) => {
                    let mate = self.mates[v as usize];
                    match self.bridges[v as usize] {
                        (NONE, _) => parts.extend([Part::Up(self.parents[mate as usize], top), Part::Vertex(mate)]),
                        (near, far) => parts.extend([Part::Up(far, top), Part::Down(near, mate)]),
                    }
                    parts.push(Part::Vertex(v));
                }
                Part::Down(v, top) => {
                    parts.push(Part::Vertex(v));
                    let mate = self.mates[v as usize];
                    match self.bridges[v as usize] {
                        (NONE, _) => parts.extend([Part::Vertex(mate), Part::Down(self.parents[mate as usize], top)]),
                        (near, far) => parts.extend([Part::Up(near, mate), Part::Down(far, top)]),
                    }
                }
            }
        }
    }

    /// The vertices of its blossoms, of those that are of the graph.
    pub(crate) fn even_vertices(&self, count: usize) -> Vec<usize> {
        let members = self.members.iter().map(|&v| v as usize);
        members
            .filter(|&v| self.labels[v] == Label::Even && v < count)
            .collect()
    }

    /// What trees say that cannot grow: without its odd vertices each blossom of a tree is alone, one more than there are of those.
    /// A vertex from `count` on is none of the graph.
    pub(crate) fn witness(&mut self, count: usize) -> TutteBerge {
        let members = core::mem::take(&mut self.members);
        let odd = members.iter().map(|&v| v as usize);
        let removed = odd.filter(|&v| self.labels[v] == Label::Odd && v < count).collect();
        let mut blossoms: Vec<(usize, usize)> = Vec::new();
        for v in members.iter().map(|&v| v as usize) {
            if self.labels[v] == Label::Even {
                blossoms.push((self.base(v), v));
            }
        }
        blossoms.sort_unstable();
        let components = blossoms.chunk_by(|a, b| a.0 == b.0);
        let components = components.map(|those| those.iter().map(|&(_, v)| v).collect());
        let witness = TutteBerge::new(removed, components.collect());
        self.members = members;
        witness
    }
}
