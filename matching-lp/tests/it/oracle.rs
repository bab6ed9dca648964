//! The least cost of a grouping, by trying them all.

use std::collections::HashSet;

use matching_core::{Cost, GroupBound, GroupCost};

/// One step of a first cost, in steps of a second.
pub(crate) const STEP: i128 = 1_000_000_000;

/// A small problem in the plainest form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plain {
    pub(crate) players: usize,
    pub(crate) cost: Vec<i64>,
    pub(crate) bounds: Vec<(usize, usize)>,
    pub(crate) bench: usize,
    pub(crate) waiting: Vec<i64>,
    pub(crate) parties: Vec<Vec<usize>>,
    pub(crate) apart: Vec<(usize, usize)>,
    /// Pairs that the cost itself forbids.
    pub(crate) forbidden: Vec<(usize, usize)>,
    /// How many at least and at most, and who can.
    pub(crate) roles: Vec<(usize, usize, Vec<usize>)>,
    /// Who can play any role, or none.
    pub(crate) jokers: Vec<usize>,
    pub(crate) pins: Vec<(usize, usize)>,
    pub(crate) whole: Option<Whole>,
    pub(crate) halves: Option<Ratings>,
    /// Costs that count where these are equal.
    pub(crate) second: Option<Box<Plain>>,
}

/// A cost for every set of players, `None` where it is forbidden.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    pub(crate) players: usize,
    costs: Vec<Option<i64>>,
    /// The least cost of sets with some players and so many others; empty where nothing is to be known.
    bounds: Vec<Vec<Option<i64>>>,
    /// How much lower than that bounds are.
    weak: i64,
}

impl Whole {
    pub(crate) fn new(costs: Vec<Option<i64>>, is_known: bool, weak: i64) -> Self {
        let players = costs.len().ilog2() as usize;
        let mut bounds = Vec::new();
        if is_known {
            bounds.push(costs.clone());
            for more in 1..=players {
                let before = &bounds[more - 1];
                let with = |set: usize| {
                    (0..players)
                        .filter(move |i| set >> i & 1 == 0)
                        .map(move |i| set | 1 << i)
                };
                let least = |set: usize| with(set).filter_map(|set| before[set]).min();
                bounds.push((0..costs.len()).map(least).collect());
            }
        }
        Self {
            players,
            costs,
            bounds,
            weak,
        }
    }
}

fn set_of(members: &[usize]) -> usize {
    members.iter().fold(0, |set, player| set | 1 << player)
}

impl GroupCost for Whole {
    type Value = i64;

    fn len(&self) -> usize {
        self.players
    }

    fn group(&self, members: &[usize]) -> i64 {
        self.costs[set_of(members)].unwrap_or(-77)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        self.costs[set_of(members)].is_some()
    }

    fn has_forbidden_groups(&self) -> bool {
        self.costs.contains(&None)
    }

    fn group_bound(&self, members: &[usize], more: usize) -> GroupBound<i64> {
        match self.bounds.get(more) {
            None => GroupBound::Unknown,
            Some(least) => match least[set_of(members)] {
                Some(least) => GroupBound::AtLeast(least - self.weak),
                None => GroupBound::Forbidden,
            },
        }
    }
}

/// Ratings of two halves, and the greatest difference that is allowed.
#[derive(Clone, Debug)]
pub(crate) struct Ratings {
    pub(crate) ratings: Vec<i64>,
    pub(crate) limit: Option<i64>,
}

impl Ratings {
    fn cost(&self, members: u32) -> Option<i64> {
        let sum = |set: u32| -> i64 {
            (0..self.ratings.len())
                .filter(|i| set >> i & 1 == 1)
                .map(|i| self.ratings[i])
                .sum()
        };
        let mut best = None;
        let mut half = members;
        loop {
            if 2 * half.count_ones() == members.count_ones() {
                let difference = (sum(half) - sum(members & !half)).abs();
                best = Some(best.map_or(difference, |best: i64| best.min(difference)));
            }
            if half == 0 {
                break;
            }
            half = (half - 1) & members;
        }
        best.filter(|&best| self.limit.is_none_or(|limit| best <= limit))
    }
}

impl Cost for Plain {
    type Value = i64;

    fn len(&self) -> usize {
        self.players
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        self.cost[i.min(j) * self.players + i.max(j)]
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        !self.forbidden.contains(&(i.min(j), i.max(j)))
    }

    fn has_forbidden(&self) -> bool {
        !self.forbidden.is_empty()
    }
}

impl Plain {
    /// The cost of players as a group, `None` where they must not be one.
    fn group(&self, members: u32) -> Option<i128> {
        let is_in = |player: usize| members >> player & 1 == 1;
        let splits = |party: &Vec<usize>| party.iter().any(|&player| is_in(player) != is_in(party[0]));
        if self.parties.iter().any(splits) {
            return None;
        }
        let mut total = 0;
        for i in (0..self.players).filter(|&i| is_in(i)) {
            for j in (i + 1..self.players).filter(|&j| is_in(j)) {
                if !self.is_allowed(i, j) || self.apart.contains(&(i, j)) || self.apart.contains(&(j, i)) {
                    return None;
                }
                total += self.pair(i, j);
            }
        }
        if members != 0 {
            if !self.can_be_cast(members) {
                return None;
            }
            if let Some(whole) = &self.whole {
                total += whole.costs[members as usize]?;
            }
            if let Some(halves) = &self.halves {
                total += halves.cost(members)?;
            }
        }
        match &self.second {
            Some(second) => Some(i128::from(total) * STEP + second.group(members)?),
            None => Some(i128::from(total)),
        }
    }

    /// Whether members can be given roles: all numbers of players of each role that can come about.
    fn can_be_cast(&self, members: u32) -> bool {
        let mut counts: HashSet<Vec<usize>> = HashSet::from([vec![0; self.roles.len()]]);
        for player in (0..self.players).filter(|player| members >> player & 1 == 1) {
            let is_joker = self.jokers.contains(&player);
            let can = |role: usize| is_joker || self.roles[role].2.contains(&player);
            let can_none = is_joker || !(0..self.roles.len()).any(can);
            let mut next: HashSet<Vec<usize>> = HashSet::new();
            for count in counts {
                for role in (0..self.roles.len()).filter(|&role| can(role)) {
                    let mut more = count.clone();
                    more[role] += 1;
                    if more[role] <= self.roles[role].1 {
                        next.insert(more);
                    }
                }
                if can_none {
                    next.insert(count);
                }
            }
            counts = next;
        }
        let is_enough = |count: &Vec<usize>| count.iter().zip(&self.roles).all(|(count, role)| *count >= role.0);
        counts.iter().any(is_enough)
    }

    fn bench_cost(&self, members: u32) -> Option<i128> {
        let is_in = |player: usize| members >> player & 1 == 1;
        let splits = |party: &Vec<usize>| party.iter().any(|&player| is_in(player) != is_in(party[0]));
        let is_good = members.count_ones() as usize <= self.bench
            && !self.parties.iter().any(splits)
            && !self.pins.iter().any(|pin| is_in(pin.0));
        let cost = |plain: &Self| -> i64 { (0..self.players).filter(|&i| is_in(i)).map(|i| plain.waiting[i]).sum() };
        is_good.then(|| match &self.second {
            Some(second) => i128::from(cost(self)) * STEP + i128::from(cost(second)),
            None => i128::from(cost(self)),
        })
    }

    /// The least cost of all groupings, `None` where there is none: group by group, every subset of those left.
    pub(crate) fn least(&self) -> Option<i128> {
        let all = (1_u32 << self.players) - 1;
        let groups: Vec<Option<i128>> = (0..=all).map(|members| self.group(members)).collect();
        // best[set]: the least cost of the groups so far that hold exactly this set.
        let mut best = vec![None; all as usize + 1];
        best[0] = Some(0);
        for (group, &(least, most)) in self.bounds.iter().enumerate() {
            let is_pinned_right = |members: u32| {
                let is_right = |pin: &(usize, usize)| (members >> pin.0 & 1 == 1) == (pin.1 == group);
                self.pins.iter().all(is_right)
            };
            let mut next = vec![None; all as usize + 1];
            for members in (0..=all).filter(|&members| is_pinned_right(members)) {
                let (size, Some(cost)) = (members.count_ones() as usize, groups[members as usize]) else {
                    continue;
                };
                if !(least..=most).contains(&size) {
                    continue;
                }
                let rest = all & !members;
                let mut before = rest;
                loop {
                    if let Some(sum) = best[before as usize] {
                        let total: i128 = sum + cost;
                        let slot = &mut next[(before | members) as usize];
                        *slot = Some(slot.map_or(total, |least: i128| least.min(total)));
                    }
                    if before == 0 {
                        break;
                    }
                    before = (before - 1) & rest;
                }
            }
            best = next;
        }
        let totals = (0..=all).filter_map(|bench| Some(best[(all & !bench) as usize]? + self.bench_cost(bench)?));
        totals.min()
    }
}
