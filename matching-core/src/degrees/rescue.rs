//! The choice that a solve which a limit cut short returns.

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

    /// How many partners that vertices must have are missing.
    fn lacking(&self, choice: &Choice) -> u64 {
        let lacking = self.degrees.least.iter().zip(&choice.counts);
        lacking
            .map(|(&least, &count)| u64::from(least.saturating_sub(count)))
            .sum()
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
            let lacks = |v: usize| usize::from(choice.counts[v] < problem.degrees.least[v]);
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
        let Self {
            problem,
            choice,
            is_chosen,
        } = self;
        let lacks = |choice: &Choice, v: usize| problem.degrees.least[v].saturating_sub(choice.counts[v]) as usize;
        let open = (0..choice.counts.len()).flat_map(|v| core::iter::repeat_n(v, lacks(choice, v)));
        let open: Vec<usize> = open.take(LEFT).collect();
        if open.len() < 2 {
            return;
        }
        // The edges of those who lack partners, by the other end.
        let mut edges: Vec<(usize, Vec<u32>)> = Vec::new();
        for &u in &open {
            if edges.last().is_none_or(|&(last, _)| last != u) {
                edges.push((u, vec![u32::MAX; choice.counts.len()]));
            }
        }
        for edge in 0..problem.ends.len() as u32 {
            let (u, v) = problem.ends_of(edge);
            for (from, to) in [(u, v), (v, u)] {
                if let Ok(at) = edges.binary_search_by_key(&from, |&(u, _)| u) {
                    edges[at].1[to] = edge;
                }
            }
        }
        let to = |u: usize| &edges[edges.partition_point(|&(other, _)| other < u)].1;
        for (at, &u) in open.iter().enumerate() {
            for &v in &open[at + 1..] {
                let are_open = if u == v {
                    lacks(choice, u) >= 2
                } else {
                    lacks(choice, u).min(lacks(choice, v)) >= 1
                };
                if !are_open {
                    continue;
                }
                let ways = choice.chosen.iter().enumerate().flat_map(|(place, &edge)| {
                    let (a, b) = problem.ends_of(edge);
                    [(place, to(u)[a], to(v)[b]), (place, to(u)[b], to(v)[a])]
                });
                let is_new = |&edge: &u32| edge != u32::MAX && !is_chosen[edge as usize];
                let cost = |edge: u32| problem.costs[edge as usize];
                let ways = ways.filter(|(_, first, second)| is_new(first) && is_new(second) && first != second);
                let price = |&(place, first, second): &(usize, u32, u32)| {
                    cost(first)
                        .saturating_add(cost(second))
                        .saturating_sub(cost(choice.chosen[place]))
                };
                let Some((place, first, second)) = ways.min_by_key(price) else {
                    continue;
                };
                let broken = choice.chosen.swap_remove(place);
                is_chosen[broken as usize] = false;
                let (a, b) = problem.ends_of(broken);
                for v in [a, b] {
                    choice.counts[v] -= 1;
                }
                for edge in [first, second] {
                    is_chosen[edge as usize] = true;
                    choice.add(edge, problem.ends_of(edge));
                }
            }
        }
    }
}
