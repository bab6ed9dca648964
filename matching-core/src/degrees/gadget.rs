//! Partners by the number as a perfect matching: the graph that stands for a choice of edges.

use core::ops::ControlFlow;

use crate::edge_list::{Edge, EdgeList, LIMIT, VERTEX_LIMIT};
use crate::error::Error;

/// Edges that are made before the next look at the limits: less than a millisecond's.
const ASK: usize = 1 << 15;

/// The graph whose perfect matchings are the choices of edges by which every vertex has as many partners as it should.
///
/// - Each vertex has a *copy* for each partner that it may have at most.
/// - Each edge `(u, v)` has two *sides*, joined at no cost. The side of `u` is joined to all copies of `u`, at the cost of
///   the edge, and that of `v` to all copies of `v`, at none. A chosen edge has its sides matched to copies, one that is
///   not chosen has them matched to each other.
/// - Each copy beyond the least number of partners is joined to a *spare*, at the price of a missing partner. The spares of
///   all such copies that have a partner must be matched without them: each is the tip of a triangle whose other corners
///   are linked to those of its neighbours in a chain, at no cost. In a triangle whose tip has its copy, the corners have
///   each other or both have their links; elsewhere the tip has one of them, and the other one its link. So the links tell
///   whether the number of such spares up to there is odd, and where the sum of the least numbers is, one more vertex
///   ends the chain.
///
/// Partners that are [settled](Settled) have no part in it, but for the triangles, which are the same.
#[derive(Clone, Debug)]
pub(crate) struct Gadget<'a> {
    least: &'a [u32],
    most: &'a [u32],
    settled: Settled<'a>,
    /// The first copy of each vertex, and the number of all copies.
    first: Vec<usize>,
    /// The edges it is made of.
    edges: &'a [(u32, u32)],
    /// Copies that may stay without a partner.
    spares: usize,
    /// Whether a last vertex ends the chain of triangles.
    has_end: bool,
}

/// What a search takes for granted of each vertex; nothing where there are no numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settled<'a> {
    /// Partners by edges that are chosen beforehand: there are no sides for those, nor as many copies. Where they are more
    /// than the least number of partners, the first spares are left without a copy.
    pub(super) fixed: &'a [u32],
    /// The last copies, which stay without a partner: they are joined to their spares alone.
    pub(super) idle: &'a [u32],
}

impl Settled<'_> {
    fn fixed(&self, vertex: usize) -> u32 {
        self.fixed.get(vertex).copied().unwrap_or(0)
    }

    fn idle(&self, vertex: usize) -> u32 {
        self.idle.get(vertex).copied().unwrap_or(0)
    }
}

impl<'a> Gadget<'a> {
    /// The graph for so many partners at least and at most, and some edges.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(crate) fn new(least: &'a [u32], most: &'a [u32], edges: &'a [(u32, u32)]) -> Result<Self, Error> {
        Self::with_settled(least, most, edges, Settled::default())
    }

    /// The graph for what is not settled. Fixed and idle partners are no more than the most.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(super) fn with_settled(
        least: &'a [u32],
        most: &'a [u32],
        edges: &'a [(u32, u32)],
        settled: Settled<'a>,
    ) -> Result<Self, Error> {
        let mut first = Vec::with_capacity(most.len() + 1);
        let (mut copies, mut spares, mut is_odd) = (0usize, 0usize, false);
        for (v, (&least, &most)) in least.iter().zip(most).enumerate() {
            first.push(copies);
            copies = copies.saturating_add((most - settled.fixed(v)) as usize);
            spares = spares.saturating_add((most - least) as usize);
            is_odd ^= least % 2 == 1;
        }
        first.push(copies);
        let gadget = Self {
            least,
            most,
            settled,
            first,
            edges,
            spares,
            has_end: spares > 0 && is_odd,
        };
        let vertices = gadget.vertices();
        if vertices >= VERTEX_LIMIT {
            return Err(Error::TooLarge {
                vertices,
                edges: gadget.size(),
            });
        }
        Ok(gadget)
    }

    /// The same where its edges can be listed: to go through them takes no more than their ends and copies.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(super) fn listed(self) -> Result<Self, Error> {
        let (vertices, edges) = (self.vertices(), self.size());
        if edges >= LIMIT - 1 {
            return Err(Error::TooLarge { vertices, edges });
        }
        Ok(self)
    }

    /// Number of vertices.
    pub(crate) fn vertices(&self) -> usize {
        let sides = self.edges.len().saturating_mul(2);
        self.copies()
            .saturating_add(sides)
            .saturating_add(self.spares.saturating_mul(3))
            .saturating_add(usize::from(self.has_end))
    }

    /// Number of edges.
    fn size(&self) -> usize {
        let of_edge = |&(u, v): &(u32, u32)| 1 + self.open(u as usize).len() + self.open(v as usize).len();
        let sides = self
            .edges
            .iter()
            .map(of_edge)
            .fold(0usize, |sum, size| sum.saturating_add(size));
        sides.saturating_add(self.spares.saturating_mul(5))
    }

    /// Number of vertices of the instance.
    pub(crate) fn instance_len(&self) -> usize {
        self.most.len()
    }

    pub(crate) fn copies(&self) -> usize {
        self.first[self.most.len()]
    }

    /// The copies of a vertex.
    pub(crate) fn copies_of(&self, vertex: usize) -> core::ops::Range<usize> {
        self.first[vertex]..self.first[vertex + 1]
    }

    /// Those of them that may have a partner.
    pub(super) fn open(&self, vertex: usize) -> core::ops::Range<usize> {
        let copies = self.copies_of(vertex);
        copies.start..copies.end - self.settled.idle(vertex) as usize
    }

    /// Those that stay without one.
    pub(super) fn idle(&self, vertex: usize) -> core::ops::Range<usize> {
        self.open(vertex).end..self.copies_of(vertex).end
    }

    /// How many copies of a vertex, its first ones, must have a partner.
    pub(super) fn needed(&self, vertex: usize) -> usize {
        self.least[vertex].saturating_sub(self.settled.fixed(vertex)) as usize
    }

    /// Spares of a vertex, its first ones, the copies of which have a partner that is settled.
    pub(super) fn taken(&self, vertex: usize) -> usize {
        self.settled.fixed(vertex).saturating_sub(self.least[vertex]) as usize
    }

    /// Where the first triangle has its tip; each takes three vertices, in the order of the copies.
    pub(super) fn first_tip(&self) -> usize {
        self.copies() + 2 * self.edges.len()
    }

    /// The sides of an edge: of its lower, and of its higher vertex.
    pub(crate) fn sides(&self, edge: usize) -> [usize; 2] {
        [0, 1].map(|side| self.copies() + 2 * edge + side)
    }

    /// All edges of the graph, given what each edge costs that it is made of, and what a missing partner costs a vertex.
    pub(crate) fn visit(
        &self,
        cost: impl Fn(usize) -> i128,
        price: impl Fn(usize) -> i128,
        mut visit: impl FnMut(usize, usize, i128) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (edge, &(u, v)) in self.edges.iter().enumerate() {
            let [low, high] = self.sides(edge);
            self.open(u as usize)
                .try_for_each(|copy| visit(copy, low, cost(edge)))?;
            self.open(v as usize).try_for_each(|copy| visit(copy, high, 0))?;
            visit(low, high, 0)?;
        }
        let mut tip = self.first_tip();
        for vertex in 0..self.most.len() {
            let copies = self.copies_of(vertex).skip(self.needed(vertex)).map(Some);
            for copy in core::iter::repeat_n(None, self.taken(vertex)).chain(copies) {
                if let Some(copy) = copy {
                    visit(copy, tip, price(vertex))?;
                }
                visit(tip, tip + 1, 0)?;
                visit(tip, tip + 2, 0)?;
                visit(tip + 1, tip + 2, 0)?;
                if let Some(next) = self.after(tip) {
                    visit(tip + 2, next, 0)?;
                }
                tip += 3;
            }
        }
        ControlFlow::Continue(())
    }

    /// Partners of a vertex that may be missing.
    pub(crate) fn spares_of(&self, vertex: usize) -> usize {
        (self.most[vertex] - self.least[vertex]) as usize
    }

    /// A graph that has a perfect matching exactly where this one has, in which copies without a partner are matched to each
    /// other: those of one vertex along a path, and of several vertices the first of each, all of which are joined, with one
    /// vertex more where the sum of the least numbers is odd.
    ///
    /// Larger, and its odd components say more: what is left of all those copies is one component, so that every other odd
    /// one has fixed degrees. Let `A` be removed vertices that leave more odd components than they are. To put one back
    /// that is not a copy of a vertex all copies of which are removed, nor a side of one all sides of which are, joins two
    /// components at most, and takes nothing from that difference. So what matters of `A` are two sets of vertices
    /// of the instance. Nothing may be settled.
    ///
    /// `None` if somebody says stop on the way.
    pub(super) fn paired_off(&self, must_stop: impl Fn() -> bool) -> Option<EdgeList<i64>> {
        let mut edges: Vec<Edge<i64>> = Vec::new();
        let mut push = |u: usize, v: usize| {
            edges.push(Edge {
                u: u.min(v) as u32,
                v: u.max(v) as u32,
                weight: 0,
            });
        };
        let mut until_asked = 0usize;
        for (edge, &(u, v)) in self.edges.iter().enumerate() {
            let room = self.copies_of(u as usize).len() + self.copies_of(v as usize).len();
            until_asked = match until_asked.checked_sub(room) {
                Some(left) => left,
                None if must_stop() => return None,
                None => ASK,
            };
            let [low, high] = self.sides(edge);
            self.copies_of(u as usize).for_each(|copy| push(copy, low));
            self.copies_of(v as usize).for_each(|copy| push(copy, high));
            push(low, high);
        }
        let spare = |v: usize| self.copies_of(v).skip(self.least[v] as usize);
        (0..self.most.len()).for_each(|v| spare(v).zip(spare(v).skip(1)).for_each(|(one, next)| push(one, next)));
        let mut firsts: Vec<usize> = (0..self.most.len()).filter_map(|v| spare(v).next()).collect();
        let mut vertices = self.copies() + 2 * self.edges.len();
        if vertices % 2 == 1 {
            firsts.push(vertices);
            vertices += 1;
        }
        for (at, &one) in firsts.iter().enumerate() {
            firsts[at + 1..].iter().for_each(|&other| push(one, other));
        }
        Some(EdgeList::from_simple(vertices, edges))
    }

    /// The edges of the graph with their costs in some type, if it holds them all and nobody says stop on the way.
    pub(crate) fn edges<W: TryFrom<i128>>(
        &self,
        cost: impl Fn(usize) -> i128,
        price: impl Fn(usize) -> i128,
        must_stop: impl Fn() -> bool,
    ) -> Option<Vec<Edge<W>>> {
        if must_stop() {
            return None;
        }
        let mut edges = Vec::with_capacity(self.size());
        let visited = self.visit(cost, price, |u, v, cost| {
            if edges.len() % ASK == ASK - 1 && must_stop() {
                return ControlFlow::Break(());
            }
            match W::try_from(cost) {
                Ok(weight) => edges.push(Edge {
                    u: u as u32,
                    v: v as u32,
                    weight,
                }),
                Err(_) => return ControlFlow::Break(()),
            }
            ControlFlow::Continue(())
        });
        visited.is_continue().then_some(edges)
    }

    /// Duals that leave no slack of the graph negative, in half units, made of prices of the vertices: copies have the price,
    /// an edge that it is worth choosing at these prices is tight at all copies, and one that is not between its sides.
    pub(crate) fn duals(
        &self,
        prices: &[i128],
        cost: impl Fn(usize) -> i128,
        price: impl Fn(usize) -> i128,
    ) -> Vec<i128> {
        let mut duals = Vec::with_capacity(self.vertices());
        let tip = |v: usize, own: i128| price(v).saturating_mul(2).saturating_sub(own).min(0);
        for (v, &own) in prices.iter().enumerate() {
            duals.extend(self.open(v).map(|_| own));
            // As much as their spares leave them: there is nothing else that they are joined to.
            duals.extend(
                self.idle(v)
                    .map(|_| price(v).saturating_mul(2).saturating_sub(tip(v, own))),
            );
        }
        for (edge, &(u, v)) in self.edges.iter().enumerate() {
            let (low, high) = (prices[u as usize], prices[v as usize]);
            duals.push(high.min(cost(edge).saturating_mul(2).saturating_sub(low)));
            duals.push(-high);
        }
        for (v, &own) in prices.iter().enumerate() {
            for _ in 0..self.spares_of(v) {
                duals.extend([tip(v, own), 0, 0]);
            }
        }
        duals.resize(self.vertices(), 0);
        duals
    }

    /// A matching that follows a choice of its edges as far as the duals have them tight: the partner of each vertex, or
    /// `u32::MAX`.
    pub(super) fn mates(
        &self,
        duals: &[i128],
        is_chosen: impl Fn(usize) -> bool,
        cost: impl Fn(usize) -> i128,
        price: impl Fn(usize) -> i128,
    ) -> Vec<u32> {
        let mut mates = vec![u32::MAX; self.vertices()];
        let join = |mates: &mut [u32], one: usize, other: usize| {
            (mates[one], mates[other]) = (other as u32, one as u32);
        };
        let pays = |one: usize, other: usize, doubled: i128| duals[one].checked_add(duals[other]) == Some(doubled);
        let mut next: Vec<usize> = (0..self.most.len()).map(|v| self.open(v).start).collect();
        for (edge, &(u, v)) in self.edges.iter().enumerate() {
            let [low, high] = self.sides(edge);
            let copies = [u, v].map(|vertex| next[vertex as usize]);
            let is_free = copies[0] < self.open(u as usize).end && copies[1] < self.open(v as usize).end;
            if is_chosen(edge)
                && is_free
                && pays(copies[0], low, cost(edge).saturating_mul(2))
                && pays(copies[1], high, 0)
            {
                join(&mut mates, copies[0], low);
                join(&mut mates, copies[1], high);
                [u, v].into_iter().for_each(|vertex| next[vertex as usize] += 1);
            } else if pays(low, high, 0) {
                join(&mut mates, low, high);
            }
        }
        let mut tip = self.first_tip();
        // Whether the first corner of the present triangle has the link before it.
        let mut is_linked = false;
        for vertex in 0..self.most.len() {
            let copies = self.copies_of(vertex).skip(self.needed(vertex)).map(Some);
            for copy in core::iter::repeat_n(None, self.taken(vertex)).chain(copies) {
                let copy = copy.filter(|&copy| mates[copy] == u32::MAX);
                if let Some(copy) = copy.filter(|&copy| pays(copy, tip, price(vertex).saturating_mul(2))) {
                    join(&mut mates, copy, tip);
                } else if duals[tip] == 0 {
                    join(&mut mates, tip, tip + if is_linked { 2 } else { 1 });
                    is_linked = !is_linked;
                }
                if mates[tip + 2] == u32::MAX {
                    if is_linked {
                        if let Some(next) = self.after(tip) {
                            join(&mut mates, tip + 2, next);
                        }
                    } else {
                        join(&mut mates, tip + 1, tip + 2);
                    }
                }
                tip += 3;
            }
        }
        mates
    }

    /// What the last corner of a triangle is linked to: the first corner of the next one, or the end, which lies where that one's
    /// tip would.
    fn after(&self, tip: usize) -> Option<usize> {
        if tip + 3 + usize::from(self.has_end) < self.vertices() {
            Some(tip + 4)
        } else {
            self.has_end.then_some(tip + 3)
        }
    }

    /// Whether a matching of the graph has an edge chosen.
    pub(crate) fn is_chosen(&self, edge: usize, mates: &[u32]) -> bool {
        let is_copy = |side: usize| (mates[side] as usize) < self.copies();
        self.sides(edge).into_iter().all(is_copy)
    }
}
