//! What a solve that a limit cut short returns.

use core::cmp::Ordering;

use num_traits::Zero;

use super::Objective;
use crate::cost::{Cost, CostValue};
use crate::edge_list::{Edge, EdgeList};
use crate::input::Input;

/// So many pairs of those who are left are put in order at most: some milliseconds, after the limit.
const ORDERED: usize = 1 << 17;

/// So many edges of a longer list tell which ones these are.
const SAMPLE: usize = 1 << 12;

/// Where more are left, so many others are looked at for each.
const LOOKS: usize = 64;

/// Two pairs that could change partners are looked at once for so many pairs that there are: each look takes four costs, which
/// may take long to tell, and the limit is over.
const PAIRS_A_LOOK: usize = 8;

impl<V: CostValue> Input<'_, V> {
    /// Makes the best of a matching that a limit cut short, or of nothing where that gives more: whom staying alone suits
    /// better is parted, and who is left is paired, the best pairs first; then pairs change partners while that is better. So
    /// there is a sensible matching whenever the limit came, but no proof in it.
    pub(crate) fn complete(&self, mates: &mut [u32], objective: &Objective<V>) {
        let rescue = Rescue {
            input: *self,
            objective,
        };
        rescue.part(mates);
        let had_none = mates.iter().all(|&mate| mate == u32::MAX);
        rescue.fill(mates);
        if !had_none {
            let mut anew = vec![u32::MAX; mates.len()];
            rescue.fill(&mut anew);
            if rescue.order(&anew, mates) == Ordering::Less {
                mates.copy_from_slice(&anew);
            }
        }
        if let Input::Pairs(cost) = self {
            rescue.exchange(mates, *cost);
        }
    }
}

/// An instance, and what is asked of its matchings.
struct Rescue<'a, V> {
    input: Input<'a, V>,
    objective: &'a Objective<V>,
}

/// A pair that there could be, and how much more it costs than both of its vertices alone: less is better.
struct Offer<T> {
    price: T,
    u: u32,
    v: u32,
}

impl<V: CostValue> Rescue<'_, V> {
    /// Parts those whom staying alone suits better.
    fn part(&self, mates: &mut [u32]) {
        if self.objective.must_pair() {
            return;
        }
        let mut pairs = Vec::new();
        self.input.matched(mates, &mut pairs);
        for edge in pairs {
            let (u, v) = (edge.u as usize, edge.v as usize);
            if !self.objective.is_worth(u, v, edge.weight) {
                (mates[u], mates[v]) = (u32::MAX, u32::MAX);
            }
        }
    }

    /// Pairs those who are left.
    fn fill(&self, mates: &mut [u32]) {
        let cost = match self.input {
            Input::List(edges) => return self.fill_by_list(edges, mates),
            Input::Pairs(cost) => cost,
        };
        let left: Vec<usize> = (0..mates.len()).filter(|&v| mates[v] == u32::MAX).collect();
        if left.len() * left.len().saturating_sub(1) / 2 > ORDERED {
            return self.fill_by_looks(cost, &left, mates);
        }
        let pairs = left
            .iter()
            .enumerate()
            .flat_map(|(at, &u)| left[at + 1..].iter().map(move |&v| (u, v)));
        let offers = pairs.filter_map(|(u, v)| self.offer_of(cost, u, v)).collect();
        take_best_first(offers, mates);
    }

    /// The best edges first, and then, of more than are put in order, the others as they come.
    fn fill_by_list(&self, edges: &EdgeList<V>, mates: &mut [u32]) {
        let is_open = |edge: &&Edge<V>| [edge.u, edge.v].iter().all(|&v| mates[v as usize] == u32::MAX);
        let offer = |edge: &Edge<V>| self.offer(edge.u as usize, edge.v as usize, edge.weight);
        let open = || edges.edges().iter().filter(is_open).filter_map(offer);
        let all = open().count();
        if all <= ORDERED {
            return take_best_first(open().collect(), mates);
        }
        // About as many as a sample says.
        let mut sample: Vec<V::Total> = open().step_by(all / SAMPLE).map(|offer| offer.price).collect();
        sample.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        let limit = sample[(sample.len() as u64 * ORDERED as u64 / all as u64) as usize];
        let best = open().filter(|offer| offer.price <= limit).take(2 * ORDERED);
        take_best_first(best.collect(), mates);
        edges
            .edges()
            .iter()
            .filter_map(offer)
            .for_each(|offer| offer.take(mates));
    }

    /// Gives each of many the best of the next few who are left, and at need the next one at all.
    fn fill_by_looks(&self, cost: &dyn Cost<Value = V>, left: &[usize], mates: &mut [u32]) {
        for (at, &u) in left.iter().enumerate() {
            if mates[u] != u32::MAX {
                continue;
            }
            let open = || left[at + 1..].iter().filter(|&&v| mates[v] == u32::MAX);
            let offer = |&v: &usize| self.offer_of(cost, u, v);
            let best = open().take(LOOKS).filter_map(offer).reduce(
                |best, other| {
                    if other.price < best.price { other } else { best }
                },
            );
            let any = || {
                open()
                    .skip(LOOKS)
                    .find_map(offer)
                    .filter(|_| self.objective.must_pair())
            };
            if let Some(offer) = best.or_else(any) {
                (mates[u], mates[offer.v as usize]) = (offer.v, u as u32);
            }
        }
    }

    /// A pair of those that are allowed and worth it.
    fn offer_of(&self, cost: &dyn Cost<Value = V>, u: usize, v: usize) -> Option<Offer<V::Total>> {
        // What does not fit has no price here.
        let weight = cost.is_allowed(u, v).then(|| cost.checked_pair(u, v)).flatten()?;
        self.offer(u, v, weight)
    }

    fn offer(&self, u: usize, v: usize, weight: V) -> Option<Offer<V::Total>> {
        let alone = |v| {
            self.objective
                .single(v, self.input.len())
                .map_or(V::Total::zero(), V::to_total)
        };
        let price = self
            .signed(weight.to_total())
            .saturating_add(alone(u).saturating_add(alone(v)).saturating_neg());
        let (u, v, is_worth) = (u as u32, v as u32, self.objective.is_worth(u, v, weight));
        is_worth.then_some(Offer { price, u, v })
    }

    /// Less is better.
    fn signed(&self, total: V::Total) -> V::Total {
        if self.objective.is_maximum() {
            total.saturating_neg()
        } else {
            total
        }
    }

    /// The better one of two matchings first: more pairs where there should be as many as possible, then the total.
    fn order(&self, a: &[u32], b: &[u32]) -> Ordering {
        let [a, b] = [a, b].map(|mates| self.value(mates));
        let by_pairs = if self.objective.must_pair() {
            b.0.cmp(&a.0)
        } else {
            Ordering::Equal
        };
        by_pairs.then(a.1.partial_cmp(&b.1).unwrap_or(Ordering::Equal))
    }

    /// Number of pairs, and what they cost with those who stay alone.
    fn value(&self, mates: &[u32]) -> (usize, V::Total) {
        let mut pairs = Vec::new();
        self.input.matched(mates, &mut pairs);
        let alone = (0..mates.len()).filter(|&v| mates[v] == u32::MAX);
        let alone = alone.filter_map(|v| self.objective.single(v, mates.len()));
        let terms = pairs
            .iter()
            .map(|edge| self.signed(edge.weight.to_total()))
            .chain(alone.map(V::to_total));
        (pairs.len(), terms.fold(V::Total::zero(), V::Total::saturating_add))
    }

    /// Two pairs change partners wherever that is better, until nowhere is or enough was looked at.
    fn exchange(&self, mates: &mut [u32], cost: &dyn Cost<Value = V>) {
        let price = |u: usize, v: usize| {
            let weight = cost.is_allowed(u, v).then(|| cost.checked_pair(u, v)).flatten()?;
            Some(self.signed(weight.to_total()))
        };
        let lower = (0..mates.len()).filter(|&u| mates[u] != u32::MAX && mates[u] as usize > u);
        let mut pairs: Vec<(usize, usize)> = lower.map(|u| (u, mates[u] as usize)).collect();
        let Some(mut prices) = pairs.iter().map(|&(u, v)| price(u, v)).collect::<Option<Vec<_>>>() else {
            return;
        };
        let mut left = mates.len() * mates.len() / (2 * PAIRS_A_LOOK);
        let mut is_better = true;
        while core::mem::take(&mut is_better) {
            for p in 0..pairs.len() {
                for q in 0..p {
                    if left == 0 {
                        return;
                    }
                    left -= 1;
                    let ((a, b), (c, d)) = (pairs[p], pairs[q]);
                    for other in [[(a, c), (b, d)], [(a, d), (b, c)]] {
                        let [Some(first), Some(second)] = other.map(|(u, v)| price(u, v)) else {
                            continue;
                        };
                        if first.saturating_add(second) < prices[p].saturating_add(prices[q]) {
                            [pairs[p], pairs[q]] = other;
                            [prices[p], prices[q]] = [first, second];
                            for (u, v) in other {
                                (mates[u], mates[v]) = (v as u32, u as u32);
                            }
                            is_better = true;
                            break;
                        }
                    }
                }
            }
        }
    }
}

impl<T> Offer<T> {
    /// Pairs the two, if both are left.
    fn take(&self, mates: &mut [u32]) {
        let (u, v) = (self.u as usize, self.v as usize);
        if mates[u] == u32::MAX && mates[v] == u32::MAX {
            (mates[u], mates[v]) = (self.v, self.u);
        }
    }
}

/// Of equals those of lower vertices first.
fn take_best_first<T: CostValue>(mut offers: Vec<Offer<T>>, mates: &mut [u32]) {
    offers.sort_unstable_by(|a, b| {
        let by_price = a.price.partial_cmp(&b.price).unwrap_or(Ordering::Equal);
        by_price.then((a.u, a.v).cmp(&(b.u, b.v)))
    });
    offers.iter().for_each(|offer| offer.take(mates));
}
