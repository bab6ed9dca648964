//! Components of open edges in which the partners that are sought are odd in number.

use std::collections::BinaryHeap;

use super::few::Core;
use super::solve::Problem;
use crate::engine::Limits;

/// Edges that are opened for each odd component at once, to other odd ones and to the rest.
const OPENED: usize = 4;

/// Components of a graph that is told edge by edge.
pub(super) struct Components {
    above: Vec<u32>,
}

impl Components {
    pub(super) fn new(vertices: usize) -> Self {
        Self {
            above: (0..vertices as u32).collect(),
        }
    }

    /// What the component of a vertex is called: its lowest vertex.
    pub(super) fn of(&mut self, mut vertex: u32) -> u32 {
        let above = &mut self.above;
        while above[vertex as usize] != vertex {
            above[vertex as usize] = above[above[vertex as usize] as usize];
            vertex = above[vertex as usize];
        }
        vertex
    }

    pub(super) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.of(one), self.of(other));
        self.above[one.max(other) as usize] = one.min(other);
    }
}

/// Where a vertex is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It seeks nobody.
    Nowhere,
    /// In a component in which all degrees are fixed, and add up to an odd sum.
    Odd(u32),
    Rest,
}

impl Core {
    /// Opens edges that lead out of odd components, until there are none, or nothing leads on: in an odd component not everybody finds
    /// as many partners as he should. Where many are equally good, the first few of everybody may all lie in one.
    pub(super) fn even_out(&mut self, problem: &Problem<'_>, limits: &Limits<'_>, work: u64) {
        while !self.is_whole() && limits.reached(work).is_none() {
            let places = self.places(problem);
            let edges = self.leading_out(problem, &places);
            if edges.is_empty() {
                return;
            }
            self.open_all(problem, &edges);
        }
    }

    fn places(&self, problem: &Problem<'_>) -> Vec<Place> {
        let mut components = Components::new(problem.most.len());
        for &edge in &self.edges {
            let (u, v) = problem.ends[edge as usize];
            components.join(u, v);
        }
        let (least, most) = self.bounds(problem);
        let (mut is_fixed, mut is_odd) = (vec![true; most.len()], vec![false; most.len()]);
        for (v, (&least, &most)) in (0..).zip(least.iter().zip(&most)) {
            let name = components.of(v) as usize;
            is_fixed[name] &= least == most;
            is_odd[name] ^= most % 2 == 1;
        }
        let place = |(v, &most): (u32, &u32)| match components.of(v) {
            _ if most == 0 => Place::Nowhere,
            name if is_fixed[name as usize] && is_odd[name as usize] => Place::Odd(name),
            _ => Place::Rest,
        };
        (0..).zip(&most).map(place).collect()
    }

    /// The cheapest few edges that lead out of each odd component, to other odd ones and to the rest.
    fn leading_out(&self, problem: &Problem<'_>, places: &[Place]) -> Vec<u32> {
        let mut cheapest = vec![[BinaryHeap::new(), BinaryHeap::new()]; places.len()];
        let is_odd = |place: &Place| matches!(place, Place::Odd(_));
        if !places.iter().any(is_odd) {
            return Vec::new();
        }
        for edge in self.outside() {
            let (u, v) = problem.ends[edge as usize];
            let ends = [places[u as usize], places[v as usize]];
            if ends[0] == ends[1] || ends.contains(&Place::Nowhere) {
                continue;
            }
            let prices = self
                .prices
                .iter()
                .flat_map(|prices| [prices[u as usize], prices[v as usize]]);
            let left = prices.fold(problem.costs[edge as usize], |left, price| {
                left.saturating_sub(price / 2)
            });
            for end in ends {
                if let Place::Odd(name) = end {
                    let known = &mut cheapest[name as usize][usize::from(ends.contains(&Place::Rest))];
                    known.push((left, edge));
                    if known.len() > OPENED {
                        known.pop();
                    }
                }
            }
        }
        let mut edges: Vec<u32> = cheapest.into_iter().flatten().flatten().map(|(_, edge)| edge).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }
}
