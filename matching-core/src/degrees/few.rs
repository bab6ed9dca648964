//! Few of the edges first, then whatever the duals of their solution do not price out.

use core::cmp::Reverse;

use super::excess;
use super::potentials::{Arcs, ascend, cheapest};
use super::solve::Problem;
use crate::cost::CostValue;

/// Edges that a vertex begins with beyond its partners.
const BEYOND: usize = 8;
/// All edges are taken at once where they are no more than so many times those to begin with.
const FEW: usize = 3;
/// Edges that come in for a vertex in one round.
const WORST: u32 = 20;

/// The edges that the search knows.
pub(super) struct Core {
    /// In ascending order.
    pub(super) edges: Vec<u32>,
    is_in: Vec<bool>,
    beyond: usize,
    /// What tells how cheap the edges of a vertex are, where these are not all.
    order: Option<(Arcs, Vec<f64>)>,
    /// Prices of the vertices from which the next search begins, in half units.
    pub(super) prices: Option<Vec<i128>>,
}

impl Core {
    /// The edges to begin with, and the work that it took to find them.
    pub(super) fn new<V: CostValue>(problem: &Problem<'_, V>) -> (Self, u64) {
        let first = |&most: &u32| (most as usize).saturating_add(BEYOND);
        let first = problem.most.iter().map(first).fold(0, usize::saturating_add);
        let all = problem.costs.len();
        if all <= first.saturating_mul(FEW) {
            let core = Self {
                edges: (0..all as u32).collect(),
                is_in: vec![true; all],
                beyond: usize::MAX,
                order: None,
                prices: None,
            };
            return (core, 0);
        }
        let arcs = Arcs::new(problem.most.len(), &problem.ends);
        let (mut prices, work) = problem.pairing();
        ascend(&mut prices, &arcs, &problem.most, |edge| problem.costs[edge as usize]);
        // Far beyond what duals come to, and far within what the engine computes with.
        let reach = problem
            .costs
            .iter()
            .chain(&problem.prices)
            .map(|cost| cost.unsigned_abs())
            .max();
        let active = problem.most.iter().filter(|&&most| most > 0).count();
        let reach = i128::try_from(reach.unwrap_or(0))
            .unwrap_or(i128::MAX)
            .saturating_mul(2 * active as i128);
        let mut core = Self {
            edges: Vec::new(),
            is_in: vec![false; all],
            beyond: BEYOND,
            prices: Some(
                prices
                    .iter()
                    .map(|&price| (price as i128).clamp(-reach, reach))
                    .collect(),
            ),
            order: Some((arcs, prices)),
        };
        core.take(problem);
        (core, work)
    }

    /// Takes in what is cheapest at each vertex.
    fn take<V: CostValue>(&mut self, problem: &Problem<'_, V>) {
        let Some((arcs, prices)) = &self.order else { return };
        let cost = |edge: u32| problem.costs[edge as usize];
        for edge in cheapest(arcs, &problem.most, prices, self.beyond, cost) {
            self.is_in[edge as usize] = true;
        }
        self.sort();
    }

    /// More edges for each vertex: those that there are leave somebody without partners.
    pub(super) fn grow<V: CostValue>(&mut self, problem: &Problem<'_, V>) {
        let before = self.edges.len();
        while self.edges.len() == before && before < self.is_in.len() {
            self.beyond = self.beyond.saturating_mul(4);
            self.take(problem);
        }
    }

    fn sort(&mut self) {
        let is_in = &self.is_in;
        self.edges = (0..is_in.len() as u32).filter(|&edge| is_in[edge as usize]).collect();
    }

    pub(super) fn ends<V: CostValue>(&self, problem: &Problem<'_, V>) -> Vec<(u32, u32)> {
        self.edges.iter().map(|&edge| problem.ends[edge as usize]).collect()
    }

    /// Edges outside that duals do not price out, and by how much they exceed them; `None` for more than can be told.
    pub(super) fn violated<V: CostValue>(
        &self,
        problem: &Problem<'_, V>,
        duals: &[Option<i128>],
    ) -> Vec<(Option<i128>, u32)> {
        let outside = (0..self.is_in.len()).filter(|&edge| !self.is_in[edge]);
        let excess = |edge: usize| {
            let (u, v) = problem.ends[edge];
            let by = excess(problem.costs[edge], duals[u as usize]?, duals[v as usize]?);
            (by != Some(0)).then_some((by, edge as u32))
        };
        outside.filter_map(excess).collect()
    }

    /// Takes in the worst of them, up to some for each vertex.
    pub(super) fn add_worst<V: CostValue>(&mut self, problem: &Problem<'_, V>, mut outside: Vec<(Option<i128>, u32)>) {
        outside.sort_unstable_by_key(|&(by, edge)| (Reverse(by.unwrap_or(i128::MAX)), edge));
        let mut counts = vec![0u32; problem.most.len()];
        for (_, edge) in outside {
            let (u, v) = problem.ends[edge as usize];
            if counts[u as usize] < WORST || counts[v as usize] < WORST {
                counts[u as usize] += 1;
                counts[v as usize] += 1;
                self.is_in[edge as usize] = true;
            }
        }
        self.sort();
    }
}
