//! From the proof of what was left open to one of the whole: what duals say of all that was settled beforehand.

use super::few::Core;
use super::gadget::Gadget;
use super::solve::Problem;
use crate::certificate::{Certificate, OddSet};

/// Which of its sets each vertex of a certificate is in.
pub(super) struct Nest {
    /// The innermost set around each vertex; set 0 holds all, and has no dual.
    innermost: Vec<u32>,
    around: Vec<u32>,
    depth: Vec<u32>,
    /// The dual of each set and of all around it.
    sum: Vec<i128>,
}

impl Nest {
    pub(super) fn new(certificate: &Certificate) -> Self {
        let mut nest = Self {
            innermost: vec![0; certificate.order.len()],
            around: vec![0],
            depth: vec![0],
            sum: vec![0],
        };
        let mut sets = certificate.sets.iter().peekable();
        // Sets that have begun, and where they end.
        let mut begun = vec![(0u32, u32::MAX)];
        for (position, &vertex) in (0u32..).zip(&certificate.order) {
            begun.retain(|&(_, end)| end > position);
            while let Some(set) = sets.next_if(|set| set.start == position) {
                let (name, outer) = (nest.sum.len() as u32, begun[begun.len() - 1].0);
                nest.around.push(outer);
                nest.depth.push(nest.depth[outer as usize] + 1);
                nest.sum.push(nest.sum[outer as usize] + set.dual);
                begun.push((name, set.start + set.len));
            }
            nest.innermost[vertex as usize] = begun[begun.len() - 1].0;
        }
        nest
    }

    /// The duals of all sets with exactly one of two vertices.
    fn between(&self, one: usize, other: usize) -> i128 {
        let both = self.around_both(one, other);
        self.sum_within(both, one) + self.sum_within(both, other)
    }

    /// The duals of all sets around a vertex that lie within one around it.
    fn sum_within(&self, set: u32, vertex: usize) -> i128 {
        self.sum[self.innermost[vertex] as usize] - self.sum[set as usize]
    }

    /// Duals for the two sides of an edge that lie in the sets of its lower end, and are matched to each other.
    ///
    /// Each of those sets has two vertices more and stays odd. Let `Y` be the dual of the higher end with those of all sets that
    /// have one of both ends. The higher side has `-Y`, and the lower one `Y`, or what the edge leaves of twice its cost if that is less. So
    /// they take from the sum by how much the ends exceed twice the cost with the sets between them, which those around both do not
    /// add to: nothing where no slack is negative. Then all edges from one end by both sides to the other are tight if the edge is.
    ///
    /// `None` for more than can be told.
    pub(super) fn sides(&self, duals: &[i128], [low, high]: [usize; 2], cost: i128) -> Option<[i128; 2]> {
        let paid = duals[high].checked_add(self.between(low, high))?;
        let left = cost.checked_mul(2)?.checked_sub(duals[low])?;
        Some([paid.min(left), paid.checked_neg()?])
    }

    /// The innermost set around two vertices.
    fn around_both(&self, one: usize, other: usize) -> u32 {
        let (mut low, mut high) = (self.innermost[one], self.innermost[other]);
        while low != high {
            if self.depth[low as usize] > self.depth[high as usize] {
                low = self.around[low as usize];
            } else {
                high = self.around[high as usize];
            }
        }
        low
    }
}

/// The order of a certificate and its sets with more vertices, which stand beside some of its own and are in the same sets.
pub(super) fn with_beside(
    certificate: &Certificate,
    name: impl Fn(u32) -> u32,
    beside: &[Vec<u32>],
) -> (Vec<u32>, Vec<OddSet>) {
    let mut order = Vec::with_capacity(certificate.order.len() + beside.iter().map(Vec::len).sum::<usize>());
    let mut places = Vec::with_capacity(certificate.order.len() + 1);
    for &vertex in &certificate.order {
        places.push(order.len() as u32);
        order.push(name(vertex));
        order.extend(&beside[vertex as usize]);
    }
    places.push(order.len() as u32);
    let moved = |set: &OddSet| {
        let (start, end) = (places[set.start as usize], places[(set.start + set.len) as usize]);
        OddSet {
            start,
            len: end - start,
            ..*set
        }
    };
    let sets = certificate.sets.iter().map(moved).collect();
    (order, sets)
}

/// What duals do not confirm of that which was settled.
#[derive(Default)]
pub(super) struct Doubts {
    /// Edges outside that duals do not price out, and by how much they exceed them; `None` for more than can be told.
    pub(super) outside: Vec<(Option<i128>, u32)>,
    /// The same of edges that have sets around both ends, which count twice in the prices of the ends and not at all between them:
    /// mostly nothing is left of what those exceed. The whole graph has sides for these.
    pub(super) within: Vec<(Option<i128>, u32)>,
    /// Fixed edges that cost more than duals pay, and by how much.
    pub(super) fixed: Vec<(Option<i128>, u32)>,
    /// Vertices with copies that are not idle.
    pub(super) idle: Vec<u32>,
    /// Vertices that would rather have fewer partners than are fixed.
    pub(super) taken: Vec<u32>,
}

impl Doubts {
    pub(super) fn is_empty(&self) -> bool {
        let is_told = self.within.iter().all(|&(by, _)| by == Some(0));
        is_told && self.outside.is_empty() && self.fixed.is_empty() && self.idle.is_empty() && self.taken.is_empty()
    }

    /// Edges that should be open, and by how much.
    pub(super) fn into_edges(self) -> impl Iterator<Item = (Option<i128>, u32)> {
        let within = self.within.into_iter().filter(|&(by, _)| by != Some(0));
        self.outside.into_iter().chain(within).chain(self.fixed)
    }
}

/// A certificate of a graph in which some partners are settled, and what it says of those.
///
/// Of the open copies of a vertex one, its *head*, has a dual that exceeds that of each other by at least the duals of all sets
/// with exactly one of the two. For let the innermost blossom around a copy `c` be `B`. Two edges of its odd cycle, which are
/// tight, lead to `c`, and one of them at least comes from a side `s`, as `c` has but one spare. Every other copy `d` is joined to
/// `s` at the same cost: with the sets that separate them its dual is no more than that of `c`, unless `d` is in a blossom
/// within `B`, as `s` is. So take for the head a copy that lies innermost, and of those the one with the greatest dual.
/// It has the greatest dual of all, and any that has as much is in the same sets.
///
/// The whole graph has duals as well, therefore: what it has beyond this one is copies that are like the head, and for each the
/// side of a fixed edge to which it is matched, in the same sets, and with a dual that makes up for that of the copy. Each set
/// that grows has two vertices more for each, and stays odd; the sum grows by what fixed edges cost; and no slack
/// is negative at a copy. What remains to be seen is whether one is between the two sides of a fixed edge, at spares the copies of
/// which are settled, and at copies that are idle.
///
/// Edges outside need no sides where the prices of both vertices are no more than twice their cost. Where they are more, sets
/// around both may be why: sides that lie in the sets of one head (`Nest::sides`) pay nothing for those. No slack is negative at
/// another copy, as it is no further from the sides than from its head and the head from them.
pub(super) struct Lift<'a> {
    problem: &'a Problem<'a>,
    core: &'a Core,
    gadget: &'a Gadget<'a>,
    certificate: &'a Certificate,
    nest: Nest,
    /// The head of each vertex that has open copies.
    heads: Vec<Option<usize>>,
}

impl<'a> Lift<'a> {
    pub(super) fn new(
        problem: &'a Problem<'a>,
        core: &'a Core,
        gadget: &'a Gadget<'a>,
        certificate: &'a Certificate,
    ) -> Self {
        let dual = |&copy: &usize| certificate.vertex_duals[copy];
        Self {
            nest: Nest::new(certificate),
            heads: (0..gadget.instance_len())
                .map(|v| gadget.open(v).max_by_key(dual))
                .collect(),
            problem,
            core,
            gadget,
            certificate,
        }
    }

    /// Prices of the vertices: the greatest dual of an open copy, with all sets around it.
    pub(super) fn prices(&self) -> Vec<i128> {
        let price = |head: &Option<usize>| {
            head.map_or(0, |head| {
                self.certificate.vertex_duals[head] + self.nest.sum[self.nest.innermost[head] as usize]
            })
        };
        self.heads.iter().map(price).collect()
    }

    /// By how much an edge costs more than its heads would pay, if it does; `None` for more than can be told.
    fn regret(&self, edge: u32) -> Option<i128> {
        let [low, high] = self.heads_of(edge)?;
        let paid =
            self.certificate.vertex_duals[low] + self.certificate.vertex_duals[high] - self.nest.between(low, high);
        self.problem.costs[edge as usize].checked_mul(2)?.checked_sub(paid)
    }

    /// The heads of both ends of an edge.
    fn heads_of(&self, edge: u32) -> Option<[usize; 2]> {
        let (u, v) = self.problem.ends[edge as usize];
        Some([self.heads[u as usize]?, self.heads[v as usize]?])
    }

    /// Whether there are sets around both heads of an edge.
    fn has_sets_around(&self, edge: u32) -> bool {
        self.heads_of(edge)
            .is_some_and(|[low, high]| self.nest.around_both(low, high) != 0)
    }

    /// Duals for the sides of an edge outside, beside the head of its lower vertex.
    fn sides(&self, edge: u32) -> Option<[i128; 2]> {
        let cost = self.problem.costs[edge as usize];
        self.nest
            .sides(&self.certificate.vertex_duals, self.heads_of(edge)?, cost)
    }

    /// By how much the duals of a spare and of the head exceed twice the price of a missing partner, where they do.
    fn excess_at(&self, tip: usize, vertex: usize) -> i128 {
        let head = self.heads[vertex].map_or(0, |head| {
            self.certificate.vertex_duals[head] + self.nest.between(head, tip)
        });
        let price = self.problem.prices[vertex].saturating_mul(2);
        (head + self.certificate.vertex_duals[tip]).saturating_sub(price).max(0)
    }

    /// By how much the dual of an idle copy exceeds that of the head, with the sets between.
    fn excess_of(&self, idle: usize, vertex: usize) -> i128 {
        self.heads[vertex].map_or(0, |head| {
            let duals = &self.certificate.vertex_duals;
            (duals[idle] + self.nest.between(idle, head) - duals[head]).max(0)
        })
    }

    /// The first spare of each vertex.
    fn tips(&self) -> Vec<usize> {
        let first = |next: &mut usize, v| Some(core::mem::replace(next, *next + 3 * self.gadget.spares_of(v)));
        (0..self.heads.len()).scan(self.gadget.first_tip(), first).collect()
    }

    /// What is not as it was taken to be.
    pub(super) fn doubts(&self) -> Doubts {
        let tips = self.tips();
        let mut doubts = Doubts::default();
        for (by, edge) in self.core.violated(self.problem, &self.duals()) {
            if self.has_sets_around(edge) {
                let duals = self.sides(edge);
                let by = duals.and_then(|[low, high]| low.checked_add(high)?.checked_neg());
                doubts.within.push((by, edge));
            } else {
                doubts.outside.push((by, edge));
            }
        }
        for &edge in &self.core.fixed {
            let by = self.regret(edge);
            if by.is_none_or(|by| by > 0) {
                doubts.fixed.push((by, edge));
            }
        }
        for (v, tip) in tips.into_iter().enumerate() {
            if (0..self.gadget.taken(v)).any(|at| self.excess_at(tip + 3 * at, v) > 0) {
                doubts.taken.push(v as u32);
            }
            if self.gadget.idle(v).any(|copy| self.excess_of(copy, v) > 0) {
                doubts.idle.push(v as u32);
            }
        }
        doubts
    }

    /// [`prices`](Self::prices) of vertices with open copies.
    fn duals(&self) -> Vec<Option<i128>> {
        let prices = self.prices();
        let prices = prices.iter().zip(&self.heads);
        prices.map(|(&price, head)| head.map(|_| price)).collect()
    }

    /// A certificate of the whole graph, of the open edges, the fixed ones, and those within sets. What is in doubt takes from its
    /// sum, but for edges outside. `None` for more than can be told.
    pub(super) fn certificate(&self, doubts: &Doubts, whole: &Gadget<'_>) -> Option<Certificate> {
        let names = self.names(whole);
        let duals = &self.certificate.vertex_duals;
        let mut vertex_duals = vec![0; whole.vertices()];
        for (&name, &dual) in names.iter().zip(duals) {
            vertex_duals[name] = dual;
        }
        // What stands beside each vertex, which only heads have.
        let mut beside: Vec<Vec<u32>> = vec![Vec::new(); duals.len()];
        let tips = self.tips();
        for (v, head) in self.heads.iter().enumerate() {
            let Some(head) = *head else { continue };
            let first = whole.copies_of(v).start + self.gadget.needed(v);
            let count = whole.copies_of(v).len() - self.gadget.copies_of(v).len();
            vertex_duals[first..first + count].fill(duals[head]);
            beside[head].extend((first..first + count).map(|copy| copy as u32));
            for tip in (0..self.gadget.taken(v)).map(|at| tips[v] + 3 * at) {
                vertex_duals[names[tip]] -= self.excess_at(tip, v);
            }
            for copy in self.gadget.idle(v) {
                vertex_duals[names[copy]] -= self.excess_of(copy, v);
            }
        }
        let mut sides = (self.core.edges.len()..).map(|edge| whole.sides(edge));
        for (&edge, sides) in self.core.fixed.iter().zip(&mut sides) {
            let low = self.problem.costs[edge as usize].checked_mul(2)?;
            let doubt = self.regret(edge)?.max(0);
            let dual_of_both = [low.checked_sub(doubt)?, 0];
            for ((side, head), dual) in sides.into_iter().zip(self.heads_of(edge)?).zip(dual_of_both) {
                vertex_duals[side] = dual.checked_sub(duals[head])?;
                beside[head].push(side as u32);
            }
        }
        for (&(_, edge), sides) in doubts.within.iter().zip(&mut sides) {
            let [head, _] = self.heads_of(edge)?;
            for (side, dual) in sides.into_iter().zip(self.sides(edge)?) {
                vertex_duals[side] = dual;
                beside[head].push(side as u32);
            }
        }
        let (order, sets) = with_beside(self.certificate, |vertex| names[vertex as usize] as u32, &beside);
        Some(Certificate::new(vertex_duals, order, sets, self.certificate.exponent))
    }

    /// What each vertex is called in the whole graph, where fixed copies stand after those that need a partner.
    fn names(&self, whole: &Gadget<'_>) -> Vec<usize> {
        let mut names = Vec::with_capacity(self.gadget.vertices());
        for v in 0..self.heads.len() {
            let copies = whole.copies_of(v);
            let needed = copies.start + self.gadget.needed(v);
            let rest = self.gadget.copies_of(v).len() - self.gadget.needed(v);
            names.extend((copies.start..needed).chain(copies.end - rest..copies.end));
        }
        let sides = 2 * self.core.edges.len();
        names.extend((0..sides).map(|side| whole.copies() + side));
        let rest = self.gadget.vertices() - names.len();
        names.extend(whole.first_tip()..whole.first_tip() + rest);
        names
    }
}
