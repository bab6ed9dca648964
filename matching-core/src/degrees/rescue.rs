//! The choice that a solve which a limit cut short returns.

use std::collections::BTreeMap;

use super::solve::Problem;

/// About so many of the cheapest edges are put in order: some hundredths of a second, after the limit.
const ORDERED: usize = 1 << 18;

/// As many edges tell which ones these are.
const SAMPLE: usize = 1 << 12;

/// Exchanges for those who are left with too few partners look at so many ways in all, a tenth of a second or two,
const LOOKS: usize = 1 << 20;
/// at so many for each at first,
const LOOKS_EACH: usize = 1 << 6;
/// with so many others who are left as well,
const OTHERS: usize = 16;
/// and keep so many edges at hand, by their ends.
const AT_HAND: usize = 1 << 24;

/// A choice of edges.
pub(super) struct Choice {
    pub(super) chosen: Vec<u32>,
    /// How many of them each vertex has.
    pub(super) counts: Vec<u32>,
}

impl Choice {
    pub(super) fn of(problem: &Problem<'_>, chosen: Vec<u32>) -> Self {
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

impl Problem<'_> {
    /// Makes the best of a choice that a limit cut short, or of nothing where that gives more: the cheapest edges come first,
    /// as long as they are for those who have too few, or cost less than what is missing without them.
    pub(super) fn completed(&self, chosen: Vec<u32>) -> Choice {
        let cheapest = self.cheapest();
        let is_begun = !chosen.is_empty();
        let found = self.filled(Choice::of(self, chosen), &cheapest);
        if !is_begun {
            return found;
        }
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
        self.asked.least[v].saturating_sub(choice.counts[v])
    }

    /// How many all of them lack.
    fn lacking(&self, choice: &Choice) -> u64 {
        (0..self.most.len()).map(|v| u64::from(self.lacks(choice, v))).sum()
    }

    /// What edges and missing partners cost.
    fn total(&self, choice: &Choice) -> i128 {
        let edges = choice.chosen.iter().map(|&edge| self.costs[edge as usize]);
        let missing = choice.counts.iter().zip(self.asked.most).zip(&self.prices);
        let missing = missing.map(|((&count, &most), &price)| price.saturating_mul(i128::from(most - count)));
        edges.chain(missing).fold(0, i128::saturating_add)
    }
}

/// A choice that grows.
struct Filling<'a, 'p> {
    problem: &'a Problem<'p>,
    choice: Choice,
    is_chosen: Vec<bool>,
}

impl Filling<'_, '_> {
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

    /// Places that are open at two vertices without an edge between them are filled by breaking up an edge of two others, and one
    /// alone by an edge of somebody who has a partner more than he must: the cheapest of the ways that are looked at.
    fn exchange(&mut self) {
        let n = self.choice.counts.len();
        let mut lacking: Vec<usize> = (0..n).filter(|&v| self.problem.lacks(&self.choice, v) > 0).collect();
        lacking.truncate(AT_HAND / n.max(1));
        let lacks = |&v: &usize| core::iter::repeat_n(v, self.problem.lacks(&self.choice, v) as usize);
        let mut open: Vec<usize> = lacking.iter().flat_map(lacks).collect();
        if open.is_empty() {
            return;
        }
        let edges = self.problem.edges_of(&lacking);
        let mut looks = 0;
        // Few ways for each are mostly enough; for whom they are not, all.
        for each in [LOOKS_EACH.min(self.choice.chosen.len()), self.choice.chosen.len()] {
            let mut left = Vec::new();
            while let Some(u) = open.pop().filter(|_| looks < LOOKS) {
                let mut others = (0..open.len()).rev().take(OTHERS).map(Some).chain([None]);
                let found = others.find_map(|other| {
                    looks += each;
                    let of_other = other.map(|at| &edges[&open[at]][..]);
                    // Others each time, as these are taken in turn.
                    let way = self.cheapest_way(&edges[&u], of_other, looks, each);
                    way.map(|way| (other, way))
                });
                match found {
                    Some((other, (place, added))) => {
                        self.swap(place, added);
                        if let Some(at) = other {
                            open.remove(at);
                        }
                    }
                    None => left.push(u),
                }
            }
            open.append(&mut left);
        }
    }

    /// Which of so many chosen edges from all over, by its place, and which edges from its ends in its place cost least: one of the
    /// first vertex and one of the second if there is one, whose edges are given by their other ends.
    fn cheapest_way(
        &self,
        of_first: &[u32],
        of_second: Option<&[u32]>,
        begin: usize,
        count: usize,
    ) -> Option<(usize, [Option<u32>; 2])> {
        let chosen = &self.choice.chosen;
        let cost = |edge: Option<u32>| edge.map_or(0, |edge| self.problem.costs[edge as usize]);
        let is_new = |edge: u32| edge != u32::MAX && !self.is_chosen[edge as usize];
        let can_spare = |v: usize| self.choice.counts[v] > self.problem.asked.least[v];
        let count = count.min(chosen.len());
        let step = chosen.len() / count.max(1);
        let looked_at = (0..count).map(|at| (begin + at * step) % chosen.len());
        let ways = looked_at.flat_map(|place| {
            let (a, b) = self.problem.ends_of(chosen[place]);
            [(a, b), (b, a)].map(|(near, far)| {
                let first = Some(of_first[near]).filter(|&edge| is_new(edge))?;
                let second = match of_second {
                    Some(edges) => Some(Some(edges[far]).filter(|&edge| is_new(edge) && edge != first)?),
                    None if can_spare(far) => None,
                    None => return None,
                };
                Some((place, [Some(first), second]))
            })
        });
        ways.flatten().min_by_key(|&(place, [first, second])| {
            let added = cost(first).saturating_add(cost(second));
            added.saturating_sub(cost(Some(chosen[place])))
        })
    }

    /// Takes one or two edges in place of a chosen one.
    fn swap(&mut self, place: usize, added: [Option<u32>; 2]) {
        let broken = self.choice.chosen.swap_remove(place);
        self.is_chosen[broken as usize] = false;
        let (a, b) = self.problem.ends_of(broken);
        for v in [a, b] {
            self.choice.counts[v] -= 1;
        }
        for edge in added.into_iter().flatten() {
            self.is_chosen[edge as usize] = true;
            self.choice.add(edge, self.problem.ends_of(edge));
        }
    }
}
