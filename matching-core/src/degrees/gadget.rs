//! Partners by the number as a perfect matching: the graph that stands for a choice of edges.

use crate::edge_list::{Edge, EdgeList, LIMIT, VERTEX_LIMIT};
use crate::error::Error;

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
#[derive(Clone, Debug)]
pub(crate) struct Gadget<'a> {
    least: &'a [u32],
    most: &'a [u32],
    /// The first copy of each vertex, and the number of all copies.
    first: Vec<usize>,
    /// The edges it is made of.
    edges: &'a [(u32, u32)],
    /// Copies that may stay without a partner.
    spares: usize,
    /// Whether a last vertex ends the chain of triangles.
    has_end: bool,
}

impl<'a> Gadget<'a> {
    /// The graph for so many partners at least and at most, and some edges.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(crate) fn new(least: &'a [u32], most: &'a [u32], edges: &'a [(u32, u32)]) -> Result<Self, Error> {
        let mut first = Vec::with_capacity(most.len() + 1);
        let (mut copies, mut spares, mut is_odd) = (0usize, 0usize, false);
        for (&least, &most) in least.iter().zip(most) {
            first.push(copies);
            copies = copies.saturating_add(most as usize);
            spares = spares.saturating_add((most - least) as usize);
            is_odd ^= least % 2 == 1;
        }
        first.push(copies);
        let gadget = Self {
            least,
            most,
            first,
            edges,
            spares,
            has_end: spares > 0 && is_odd,
        };
        let (vertices, size) = (gadget.vertices(), gadget.size());
        if vertices >= VERTEX_LIMIT || size >= LIMIT - 1 {
            return Err(Error::TooLarge { vertices, edges: size });
        }
        Ok(gadget)
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
        let of_edge = |&(u, v): &(u32, u32)| 1 + self.most[u as usize] as usize + self.most[v as usize] as usize;
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

    /// The sides of an edge: of its lower, and of its higher vertex.
    pub(crate) fn sides(&self, edge: usize) -> [usize; 2] {
        [0, 1].map(|side| self.copies() + 2 * edge + side)
    }

    /// All edges of the graph, given what each edge costs that it is made of, and what a missing partner costs a vertex.
    pub(crate) fn visit(
        &self,
        cost: impl Fn(usize) -> i128,
        price: impl Fn(usize) -> i128,
        mut visit: impl FnMut(usize, usize, i128),
    ) {
        for (edge, &(u, v)) in self.edges.iter().enumerate() {
            let [low, high] = self.sides(edge);
            self.copies_of(u as usize).for_each(|copy| visit(copy, low, cost(edge)));
            self.copies_of(v as usize).for_each(|copy| visit(copy, high, 0));
            visit(low, high, 0);
        }
        let mut tip = self.copies() + 2 * self.edges.len();
        for vertex in 0..self.most.len() {
            for copy in self.copies_of(vertex).skip(self.least[vertex] as usize) {
                visit(copy, tip, price(vertex));
                visit(tip, tip + 1, 0);
                visit(tip, tip + 2, 0);
                visit(tip + 1, tip + 2, 0);
                // To the first corner of the next triangle, or to the end, which lies where that one's tip would.
                let next = if tip + 3 + usize::from(self.has_end) < self.vertices() {
                    Some(tip + 4)
                } else {
                    self.has_end.then_some(tip + 3)
                };
                if let Some(next) = next {
                    visit(tip + 2, next, 0);
                }
                tip += 3;
            }
        }
    }

    /// Copies of a vertex that may stay without a partner.
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
    /// of the instance.
    pub(super) fn paired_off(&self) -> EdgeList<i64> {
        let mut edges = Vec::new();
        let mut push = |u: usize, v: usize| {
            edges.push(Edge {
                u: u.min(v) as u32,
                v: u.max(v) as u32,
                weight: 0,
            });
        };
        for (edge, &(u, v)) in self.edges.iter().enumerate() {
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
        EdgeList::from_simple(vertices, edges)
    }

    /// The edges of the graph with their costs in some type, if it holds them all.
    pub(crate) fn edges<W: TryFrom<i128>>(
        &self,
        cost: impl Fn(usize) -> i128,
        price: impl Fn(usize) -> i128,
    ) -> Option<Vec<Edge<W>>> {
        let mut edges = Vec::with_capacity(self.size());
        let mut fits = true;
        self.visit(cost, price, |u, v, cost| match W::try_from(cost) {
            Ok(weight) if fits => edges.push(Edge {
                u: u as u32,
                v: v as u32,
                weight,
            }),
            _ => fits = false,
        });
        fits.then_some(edges)
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
        for (v, &price) in prices.iter().enumerate() {
            duals.extend(self.copies_of(v).map(|_| price));
        }
        for (edge, &(u, v)) in self.edges.iter().enumerate() {
            let (low, high) = (prices[u as usize], prices[v as usize]);
            duals.push(high.min(cost(edge).saturating_mul(2).saturating_sub(low)));
            duals.push(-high);
        }
        for (v, &own) in prices.iter().enumerate() {
            for _ in 0..self.spares_of(v) {
                duals.extend([price(v).saturating_mul(2).saturating_sub(own).min(0), 0, 0]);
            }
        }
        duals.resize(self.vertices(), 0);
        duals
    }

    /// Whether a matching of the graph has an edge chosen.
    pub(crate) fn is_chosen(&self, edge: usize, mates: &[u32]) -> bool {
        let is_copy = |side: usize| (mates[side] as usize) < self.copies();
        self.sides(edge).into_iter().all(is_copy)
    }
}
