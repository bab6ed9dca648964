//! The choice that a solve which a limit cut short returns.

use std::collections::BTreeMap;

use super::solve::Problem;
use crate::cost::CostValue;

/// About so many of the cheapest edges are put in order: some hundredths of a second, after the limit.
const ORDERED: usize = 1 << 18;

/// As many edges tell which ones these are.
const SAMPLE: usize = 1 << 12;

/// So many vertices that are left with too few partners are given others by exchanges.
const LEFT: usize = 64;

/// A choice of edges.
pub(super) struct Choice {
    pub(super) chosen: Vec<u32>,
    /// How many of them each vertex has.
    pub(super) counts: Vec<u32>,
}

impl Choice {
    pub(super) fn of<V: CostValue>(problem: &Problem<'_, V>, chosen: Vec<u32>) -> Self {
        let mut counts = vec![0u32; problem.most.len()];
        for &edge in &chosen {
            let (u, v) = problem.ends[edge as usize];
            counts[u as usize] += 1;
            counts[v as usize] += 1;
        }
        Self { chosen, counts }
    }

    fn add(&mut self, edge: u32, (u, v): (usize, usize)) {
        self.chosen.push(edge);
        self.counts[u] += 1;
        self.counts[v] += 1;
    }
}

impl<V: CostValue> Problem<'_, V> {
    /// Makes the best of a choice that a limit cut short, or of nothing where that gives more: the cheapest edges come first,
    /// as long as they are for those who have too few, or cost less than what is missing without them.
    pub(super) fn completed(&self, chosen: Vec<u32>) -> Choice {
        let cheapest = self.cheapest();
        let found = self.filled(Choice::of(self, chosen), &cheapest);
        let anew = self.filled(Choice::of(self, Vec::new()), &cheapest);
        let value = |choice: &Choice| (self.lacking(choice), self.total(choice));
        if value(&anew) < value(&found) { anew } else { found }
    }

    /// The cheapest edges in order: of many those that cost no more than a sample says that so many do.
    fn cheapest(&self) -> Vec<u32> {
        let all = self.costs.len();
        let mut order: Vec<u32> = if all <= ORDERED {
            (0..all as u32).collect()
        } else {
            let mut sample: Vec<i128> = self.costs.iter().step_by(all / SAMPLE).copied().collect();
            let rank = (sample.len() as u64 * ORDERED as u64 / all as u64) as usize;
            let (_, &mut limit, _) = sample.select_nth_unstable(rank);
            let cheap = (0..all as u32).filter(|&edge| self.costs[edge as usize] <= limit);
            cheap.take(2 * ORDERED).collect()
        };
        order.sort_unstable_by_key(|&edge| (self.costs[edge as usize], edge));
        order
    }

    /// Adds edges, the cheapest first and at need the others: first those that both ends need, then those that one does, then
    /// those that are worth it.
    fn filled(&self, choice: Choice, cheapest: &[u32]) -> Choice {
        let mut filling = Filling {
            problem: self,
            is_chosen: vec![false; self.ends.len()],
            choice,
        };
        let chosen = &filling.choice.chosen;
        chosen.iter().for_each(|&edge| filling.is_chosen[edge as usize] = true);
        let all = || 0..self.ends.len() as u32;
        for needed in [2, 1] {
            filling.add(cheapest.iter().copied(), needed);
        }
        if cheapest.len() < self.ends.len() && self.lacking(&filling.choice) > 0 {
            filling.add(all(), 1);
        }
        filling.exchange();
        filling.add(cheapest.iter().copied(), 0);
        let dearest = cheapest.last().map(|&edge| self.costs[edge as usize]);
        let worth = self.prices.iter().max().map(|price| price.saturating_mul(2));
        if cheapest.len() < self.ends.len() && dearest < worth {
            filling.add(all(), 0);
        }
        filling.choice
    }

    fn ends_of(&self, edge: u32) -> (usize, usize) {
        let (u, v) = self.ends[edge as usize];
        (u as usize, v as usize)
    }

    /// The edges of some vertices, by their other ends; `u32::MAX` where there is none.
    fn edges_of(&self, vertices: &[usize]) -> BTreeMap<usize, Vec<u32>> {
        let none = || vec![u32::MAX; self.most.len()];
        let mut edges: BTreeMap<usize, Vec<u32>> = vertices.iter().map(|&v| (v, none())).collect();
        for edge in 0..self.ends.len() as u32 {
            let (u, v) = self.ends_of(edge);
            for (from, to) in [(u, v), (v, u)] {
                if let Some(edges) = edges.get_mut(&from) {
                    edges[to] = edge;
                }
            }
        }
        edges
    }

    /// How many partners that a vertex must have it does not have.
    fn lacks(&self, choice: &Choice, v: usize) -> u32 {
        self.degrees.least[v].saturating_sub(choice.counts[v])
    }

    /// How many all of them lack.
    fn lacking(&self, choice: &Choice) -> u64 {
        (0..self.most.len()).map(|v| u64::from(self.lacks(choice, v))).sum()
    }

    /// What edges and missing partners cost.
    fn total(&self, choice: &Choice) -> i128 {
        let edges = choice.chosen.iter().map(|&edge| self.costs[edge as usize]);
        let missing = choice.counts.iter().zip(&self.degrees.most).zip(&self.prices);
        let missing = missing.map(|((&count, &most), &price)| price.saturating_mul(i128::from(most - count)));
        edges.chain(missing).fold(0, i128::saturating_add)
    }
}

/// A choice that grows.
struct Filling<'a, 'p, V: CostValue> {
    problem: &'a Problem<'p, V>,
    choice: Choice,
    is_chosen: Vec<bool>,
}

impl<V: CostValue> Filling<'_, '_, V> {
    /// Adds edges that so many of their ends need, or with 0 those that cost less than what is missing without them.
    fn add(&mut self, edges: impl Iterator<Item = u32>, needed: usize) {
        let Self {
            problem,
            choice,
            is_chosen,
        } = self;
        for edge in edges {
            let (u, v) = problem.ends_of(edge);
            let is_open = |v: usize| choice.counts[v] < problem.most[v];
            if !is_open(u) || !is_open(v) || is_chosen[edge as usize] {
                continue;
            }
            let lacks = |v: usize| usize::from(problem.lacks(choice, v) > 0);
            let is_wanted = match needed {
                0 => problem.costs[edge as usize] < problem.prices[u].saturating_add(problem.prices[v]),
                needed => lacks(u) + lacks(v) >= needed,
            };
            if is_wanted {
                is_chosen[edge as usize] = true;
                choice.add(edge, (u, v));
            }
        }
    }

    /// Two places that are open at vertices without an edge between them are filled by breaking up an edge of two others,
    /// whichever makes it cheapest, as long as there is one.
    fn exchange(&mut self) {
        let lacks = |v: usize| self.problem.lacks(&self.choice, v) as usize;
        let open = (0..self.choice.counts.len()).flat_map(|v| core::iter::repeat_n(v, lacks(v)));
        let open: Vec<usize> = open.take(LEFT).collect();
        if open.len() < 2 {
            return;
        }
        let edges = self.problem.edges_of(&open);
        for (at, &u) in open.iter().enumerate() {
            for &v in &open[at + 1..] {
                let are_open = if u == v {
                    self.problem.lacks(&self.choice, u) >= 2
                } else {
                    [u, v].iter().all(|&v| self.problem.lacks(&self.choice, v) >= 1)
                };
                let way = self.cheapest_way(&edges[&u], &edges[&v]);
                if let Some((place, added)) = way.filter(|_| are_open) {
                    self.swap(place, added);
                }
            }
        }
    }

    /// Which chosen edge, by its place, and which two edges from its ends in its place cost least: one of the first vertex and
    /// one of the second, whose edges are given by their other ends.
    fn cheapest_way(&self, of_first: &[u32], of_second: &[u32]) -> Option<(usize, [u32; 2])> {
        let cost = |edge: u32| self.problem.costs[edge as usize];
        let is_new = |&edge: &u32| edge != u32::MAX && !self.is_chosen[edge as usize];
        let ways = self.choice.chosen.iter().enumerate().flat_map(|(place, &edge)| {
            let (a, b) = self.problem.ends_of(edge);
            [
                (place, [of_first[a], of_second[b]]),
                (place, [of_first[b], of_second[a]]),
            ]
        });
        let ways = ways.filter(|(_, added)| added.iter().all(is_new) && added[0] != added[1]);
        ways.min_by_key(|&(place, [first, second])| {
            let added = cost(first).saturating_add(cost(second));
            added.saturating_sub(cost(self.choice.chosen[place]))
        })
    }

    /// Takes two edges in place of a chosen one.
    fn swap(&mut self, place: usize, added: [u32; 2]) {
        let broken = self.choice.chosen.swap_remove(place);
        self.is_chosen[broken as usize] = false;
        let (a, b) = self.problem.ends_of(broken);
        for v in [a, b] {
            self.choice.counts[v] -= 1;
        }
        for edge in added {
            self.is_chosen[edge as usize] = true;
            self.choice.add(edge, self.problem.ends_of(edge));
        }
    }
}
