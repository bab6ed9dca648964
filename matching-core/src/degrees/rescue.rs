//! The choice that a solve which a limit cut short returns.

use super::solve::Problem;
use crate::cost::CostValue;

/// So many of the cheapest edges are put in order: a tenth of a second or so, after the limit.
const ORDERED: usize = 1 << 20;

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
}

impl<V: CostValue> Problem<'_, V> {
    /// Makes the best of a choice that a limit cut short, or of nothing where that gives more: the cheapest edges come first, as long as they are for
    /// those who have too few, or cost less than what is missing without them.
    pub(super) fn completed(&self, chosen: Vec<u32>) -> Choice {
        let order = self.cheapest_first();
        let found = self.filled(Choice::of(self, chosen), &order);
        let anew = self.filled(Choice::of(self, Vec::new()), &order);
        let value = |choice: &Choice| (self.lacking(choice), self.total(choice));
        if value(&anew) < value(&found) { anew } else { found }
    }

    /// All edges, those that cost least first as far as they are put in order.
    fn cheapest_first(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.ends.len() as u32).collect();
        let key = |&edge: &u32| (self.costs[edge as usize], edge);
        if order.len() > ORDERED {
            order.select_nth_unstable_by_key(ORDERED, key);
        }
        let ordered = order.len().min(ORDERED);
        order[..ordered].sort_unstable_by_key(key);
        order
    }

    /// Adds edges in their order: first those that both ends need, then those that one does, then those that are worth it.
    fn filled(&self, choice: Choice, order: &[u32]) -> Choice {
        let Choice { mut chosen, mut counts } = choice;
        let mut is_chosen = vec![false; self.ends.len()];
        chosen.iter().for_each(|&edge| is_chosen[edge as usize] = true);
        for needed in [2, 1, 0] {
            for &edge in order {
                let (u, v) = self.ends[edge as usize];
                let (u, v) = (u as usize, v as usize);
                let lacks = |v: usize| counts[v] < self.degrees.least[v];
                let saved = self.prices[u].saturating_add(self.prices[v]);
                let is_wanted = match needed {
                    2 => lacks(u) && lacks(v),
                    1 => lacks(u) || lacks(v),
                    _ => self.costs[edge as usize] < saved,
                };
                if is_wanted && !is_chosen[edge as usize] && counts[u] < self.most[u] && counts[v] < self.most[v] {
                    is_chosen[edge as usize] = true;
                    chosen.push(edge);
                    counts[u] += 1;
                    counts[v] += 1;
                }
            }
        }
        Choice { chosen, counts }
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
