//! What games cost at least of which some players are known.

use crate::online::arrivals::Arrivals;
use crate::online::setting::{MAX_PLAYERS, Setting};

/// Players in the order of their arrivals, and in those of their criteria.
pub(super) struct Least {
    size: usize,
    tau_max: f64,
    /// By how much a wait that ends with the longest one may be shorter in floats.
    coarseness: f64,
    weights: Vec<f64>,
    times: Vec<f64>,
    /// The first and the last who can play with each.
    reach: Vec<(usize, usize)>,
    /// Of each criterion its values in ascending order with whose they are, and the place there of each player.
    orders: Vec<Order>,
}

struct Order {
    ascending: Vec<(f64, usize)>,
    place: Vec<usize>,
}

impl Least {
    /// Of arrivals with these numbers, in their order.
    pub(super) fn new(setting: &Setting, arrivals: &Arrivals, players: &[usize]) -> Self {
        let times: Vec<f64> = players.iter().map(|&player| arrivals.times()[player]).collect();
        let reach = |i: usize| {
            let first = times[..i].partition_point(|&time| !setting.may_wait(time, times[i]));
            let after = times[i + 1..].partition_point(|&time| setting.may_wait(times[i], time));
            (first, i + after)
        };
        let order = |criterion: usize| {
            let value = |(i, &player): (usize, &usize)| (arrivals.criteria(player)[criterion], i);
            let mut ascending: Vec<(f64, usize)> = players.iter().enumerate().map(value).collect();
            ascending.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut place = vec![0; players.len()];
            for (at, &(_, i)) in ascending.iter().enumerate() {
                place[i] = at;
            }
            Order { ascending, place }
        };
        Self {
            size: setting.players(),
            tau_max: setting.tau_max(),
            coarseness: setting.coarseness(arrivals),
            weights: setting.weights().to_vec(),
            reach: (0..times.len()).map(reach).collect(),
            orders: (0..setting.criteria()).map(order).collect(),
            times,
        }
    }

    /// How many sets of players may make a full game: those of each first one.
    pub(super) fn sets(&self) -> f64 {
        let chosen = |among: usize| {
            (0..self.size - 1)
                .map(|i| among.saturating_sub(i) as f64 / (i + 1) as f64)
                .product::<f64>()
        };
        let later = self.reach.iter().enumerate().map(|(i, reach)| reach.1 - i);
        later.map(chosen).sum()
    }

    /// What games with bots cost that have these players, of whom the first and the last are given, and so many others.
    pub(super) fn with_bots(&self, members: &[usize], (first, last): (usize, usize), more: usize) -> f64 {
        let bots = (self.size - members.len() - more) as f64;
        // Whoever came first waits for all of it, but for what times are rounded to; that is one of these, or somebody before.
        let until = |end: f64| members.iter().map(|&i| end - self.times[i]).sum::<f64>() / self.tau_max;
        let of_first = until(self.times[first]) + members.len() as f64 * (1.0 - self.coarseness);
        let waits = if more == 0 || self.reach[last].0 == first {
            of_first
        } else {
            of_first.min(until(self.times[last]) + 1.0 - self.coarseness)
        };
        self.weights.iter().sum::<f64>() + bots + waits
    }

    /// What full games with these players cost, of whom the first and the last are given; `None` if there are none.
    pub(super) fn full(&self, ends: (usize, usize), members: &[usize]) -> Option<f64> {
        let mut least = self.waits(ends, members)? / self.tau_max;
        for (order, weight) in self.orders.iter().zip(&self.weights) {
            least += weight * self.range(order, ends, members)?;
        }
        Some(least)
    }

    /// The least sum of waits, if the others are whoever comes latest before the game starts, whenever that is.
    fn waits(&self, (first, last): (usize, usize), members: &[usize]) -> Option<f64> {
        let others = self.size - members.len();
        let known: f64 = members.iter().map(|&i| self.times[last] - self.times[i]).sum();
        if others == 0 {
            return Some(known);
        }
        // Sums of the waits of so many others who come before the last one known.
        let mut before = [0.0; MAX_PLAYERS];
        let mut found = 0;
        let earliest = self.reach[last].0;
        for i in (earliest..last).rev() {
            if found == others {
                break;
            }
            if !members.contains(&i) {
                before[found + 1] = before[found] + self.times[last] - self.times[i];
                found += 1;
            }
        }
        let mut best: Option<f64> = (found == others).then(|| known + before[others]);
        // Of who comes after that the latest play, and wait for the last of them.
        let (mut after, mut later) = (0, 0.0);
        for end in last + 1..=self.reach[first].1 {
            later += (self.times[end] - self.times[end - 1]) * after as f64;
            if after < others {
                after += 1;
            } else {
                later -= self.times[end] - self.times[end - others];
            }
            if others - after <= found {
                let early = (self.size - after) as f64;
                let waits = known + before[others - after] + early * (self.times[end] - self.times[last]) + later;
                best = Some(best.map_or(waits, |best| best.min(waits)));
            }
        }
        best
    }

    /// The least range of a criterion, if the others are whoever lies nearest.
    fn range(&self, order: &Order, (first, last): (usize, usize), members: &[usize]) -> Option<f64> {
        let places = members.iter().map(|&i| order.place[i]);
        let (low, high) = places.fold((usize::MAX, 0), |(low, high), place| (low.min(place), high.max(place)));
        let (earliest, latest) = (self.reach[last].0, self.reach[first].1);
        let is_in_reach = |at: &&(f64, usize)| (earliest..=latest).contains(&at.1);
        let between = order.ascending[low..=high].iter().filter(is_in_reach).count();
        let (from, to) = (order.ascending[low].0, order.ascending[high].0);
        let Some(others) = self.size.checked_sub(between).filter(|&others| others > 0) else {
            return Some(to - from);
        };
        let mut below = [from; MAX_PLAYERS];
        let mut found_below = 0;
        for (slot, at) in (1..=others).zip(order.ascending[..low].iter().rev().filter(is_in_reach)) {
            below[slot] = at.0;
            found_below = slot;
        }
        let mut best: Option<f64> = None;
        let mut above = order.ascending[high + 1..].iter().filter(is_in_reach);
        let mut top = to;
        for from_above in 0..=others {
            if from_above > 0 {
                match above.next() {
                    Some(at) => top = at.0,
                    None => break,
                }
            }
            if others - from_above <= found_below {
                let range = top - below[others - from_above];
                best = Some(best.map_or(range, |best| best.min(range)));
            }
        }
        best
    }
}
