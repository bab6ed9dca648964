//! Edges coloured so that no two of a colour meet: rounds of games are the colours.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// No edge.
const NONE: u32 = u32::MAX;

/// Steps after which the search for as few colours as somebody has edges is given up: some in any case, and more for each edge.
/// They were enough for all of 60,000 random graphs of up to seven vertices that could be coloured so (2026-11-28).
const PATIENCE: usize = 10_000;
const PATIENCE_OF_EDGE: usize = 20;

/// A colouring of some of the edges.
#[derive(Clone, Debug)]
pub(super) struct Colouring<'a> {
    edges: &'a [(usize, usize)],
    colours: usize,
    /// The edge of each colour at each vertex.
    at: Vec<u32>,
    /// The colour of each edge; as many as there are colours for none.
    colour: Vec<usize>,
}

impl<'a> Colouring<'a> {
    fn new(vertices: usize, edges: &'a [(usize, usize)], colours: usize) -> Self {
        Self {
            edges,
            colours,
            at: vec![NONE; vertices * colours],
            colour: vec![colours; edges.len()],
        }
    }

    /// The colour of an edge.
    pub(super) fn colour(&self, edge: usize) -> usize {
        self.colour[edge]
    }

    /// With one colour more than any vertex has edges: every edge gets one.
    pub(super) fn misra_gries(vertices: usize, edges: &'a [(usize, usize)], colours: usize) -> Self {
        let mut colouring = Self::new(vertices, edges, colours);
        for edge in 0..edges.len() {
            colouring.insert(edge);
        }
        colouring
    }

    /// With as many colours as some vertex has edges, if a walk finds a colouring: an edge that fits nowhere takes the place of
    /// another one, which goes on.
    pub(super) fn search(vertices: usize, edges: &'a [(usize, usize)], colours: usize) -> Option<Self> {
        let mut colouring = Self::new(vertices, edges, colours);
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut steps = PATIENCE + PATIENCE_OF_EDGE * edges.len();
        for edge in 0..edges.len() {
            let mut open = edge;
            while !colouring.fits(open) {
                steps = steps.checked_sub(1)?;
                open = colouring.displace(open, &mut rng);
                colouring.shake(&mut rng);
            }
        }
        Some(colouring)
    }

    fn edge_at(&self, vertex: usize, colour: usize) -> Option<usize> {
        let edge = self.at[vertex * self.colours + colour];
        (edge != NONE).then_some(edge as usize)
    }

    fn is_free(&self, vertex: usize, colour: usize) -> bool {
        self.edge_at(vertex, colour).is_none()
    }

    /// The first colour that no edge at the vertex has: there is one where not all its edges are coloured, or colours are more.
    fn free(&self, vertex: usize) -> usize {
        let mut colours = 0..self.colours;
        colours.find(|&colour| self.is_free(vertex, colour)).unwrap_or(0)
    }

    fn set(&mut self, edge: usize, colour: usize) {
        let (u, v) = self.edges[edge];
        for vertex in [u, v] {
            self.at[vertex * self.colours + colour] = edge as u32;
        }
        self.colour[edge] = colour;
    }

    fn unset(&mut self, edge: usize) {
        let (u, v) = self.edges[edge];
        let colour = std::mem::replace(&mut self.colour[edge], self.colours);
        for vertex in [u, v] {
            self.at[vertex * self.colours + colour] = NONE;
        }
    }

    fn other(&self, edge: usize, vertex: usize) -> usize {
        let (u, v) = self.edges[edge];
        if u == vertex { v } else { u }
    }

    /// The edges of two colours that lead away from a vertex, the first of them of the second colour, and where they end.
    fn path(&self, vertex: usize, (first, second): (usize, usize)) -> (Vec<usize>, usize) {
        let (mut edges, mut end) = (Vec::new(), vertex);
        let mut next = [second, first].into_iter().cycle();
        while let Some(edge) = next.next().and_then(|colour| self.edge_at(end, colour)) {
            edges.push(edge);
            end = self.other(edge, end);
        }
        (edges, end)
    }

    /// Exchanges two colours on a path.
    fn exchange(&mut self, path: &[usize], (one, other): (usize, usize)) {
        let colours: Vec<usize> = path.iter().map(|&edge| self.colour[edge]).collect();
        path.iter().for_each(|&edge| self.unset(edge));
        for (&edge, colour) in path.iter().zip(colours) {
            self.set(edge, if colour == one { other } else { one });
        }
    }

    /// Colours an edge by a fan around its first vertex (Misra and Gries, whose letters these are).
    fn insert(&mut self, edge: usize) {
        let (x, f) = self.edges[edge];
        // Each next edge has a colour that is free at the vertex before.
        let (mut fan, mut vertices) = (vec![edge], vec![f]);
        while let Some(next) = self.next_of_fan(x, &fan, vertices[vertices.len() - 1]) {
            fan.push(next);
            vertices.push(self.other(next, x));
        }
        let (c, d) = (self.free(x), self.free(vertices[vertices.len() - 1]));
        let (path, _) = self.path(x, (c, d));
        self.exchange(&path, (c, d));
        // The longest beginning that is a fan still, up to the first vertex at which d is free.
        let is_fan = |at: usize| at == 0 || self.is_free(vertices[at - 1], self.colour[fan[at]]);
        let end = (0..fan.len())
            .take_while(|&at| is_fan(at))
            .find(|&at| self.is_free(vertices[at], d))
            .expect("one of the vertices of a fan has d free (Misra and Gries, 1992)");
        for at in 0..end {
            let colour = self.colour[fan[at + 1]];
            self.unset(fan[at + 1]);
            self.set(fan[at], colour);
        }
        self.set(fan[end], d);
    }

    /// An edge at `x` that is not in the fan yet, of a colour that is free at its last vertex.
    fn next_of_fan(&self, x: usize, fan: &[usize], last: usize) -> Option<usize> {
        let colours = (0..self.colours).filter(|&colour| self.is_free(last, colour));
        let mut edges = colours.filter_map(|colour| self.edge_at(x, colour));
        edges.find(|edge| !fan.contains(edge))
    }

    /// Colours an edge, if a colour is free at both ends, or is after an exchange on one path.
    fn fits(&mut self, edge: usize) -> bool {
        let (u, v) = self.edges[edge];
        let free = |of: usize| {
            (0..self.colours)
                .filter(|&colour| self.is_free(of, colour))
                .collect::<Vec<_>>()
        };
        let (of_u, of_v) = (free(u), free(v));
        if let Some(&colour) = of_u.iter().find(|&&colour| self.is_free(v, colour)) {
            self.set(edge, colour);
            return true;
        }
        for (&a, &b) in of_u.iter().flat_map(|a| of_v.iter().map(move |b| (a, b))) {
            let (path, end) = self.path(v, (b, a));
            if end != u {
                self.exchange(&path, (a, b));
                self.set(edge, a);
                return true;
            }
        }
        false
    }

    /// Exchanges two colours on a path that begins at an end of some edge, by chance: to displace edges alone may go round in
    /// circles.
    fn shake(&mut self, rng: &mut ChaCha8Rng) {
        let (u, v) = self.edges[rng.random_range(0..self.edges.len())];
        let vertex = if rng.random() { u } else { v };
        let free: Vec<usize> = (0..self.colours)
            .filter(|&colour| self.is_free(vertex, colour))
            .collect();
        if free.is_empty() {
            return;
        }
        let (a, b) = (free[rng.random_range(0..free.len())], rng.random_range(0..self.colours));
        if a != b {
            let (path, _) = self.path(vertex, (a, b));
            self.exchange(&path, (a, b));
        }
    }

    /// Gives an edge a colour that is free at one of its ends, by chance; the edge that has it at the other end loses it.
    fn displace(&mut self, edge: usize, rng: &mut ChaCha8Rng) -> usize {
        let (u, v) = self.edges[edge];
        let (one, other) = if rng.random() { (u, v) } else { (v, u) };
        let free: Vec<usize> = (0..self.colours).filter(|&colour| self.is_free(one, colour)).collect();
        // The edge itself has none, so that another one is free.
        let colour = free[rng.random_range(0..free.len())];
        let loser = self.edge_at(other, colour);
        let loser = loser.expect("a colour that is free at both ends would have been taken");
        self.unset(loser);
        self.set(edge, colour);
        loser
    }
}
