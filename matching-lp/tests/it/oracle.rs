//! The least cost of a grouping, by trying them all.

use matching_core::Cost;

/// A small problem in the plainest form.
#[derive(Clone, Debug)]
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
    fn group(&self, members: u32) -> Option<i64> {
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
        Some(total)
    }

    fn bench_cost(&self, members: u32) -> Option<i64> {
        let is_in = |player: usize| members >> player & 1 == 1;
        let splits = |party: &Vec<usize>| party.iter().any(|&player| is_in(player) != is_in(party[0]));
        let is_good = members.count_ones() as usize <= self.bench && !self.parties.iter().any(splits);
        is_good.then(|| (0..self.players).filter(|&i| is_in(i)).map(|i| self.waiting[i]).sum())
    }

    /// The least cost of all groupings, `None` where there is none: group by group, every subset of those left.
    pub(crate) fn least(&self) -> Option<i64> {
        let all = (1_u32 << self.players) - 1;
        let groups: Vec<Option<i64>> = (0..=all).map(|members| self.group(members)).collect();
        // best[set]: the least cost of the groups so far that hold exactly this set.
        let mut best = vec![None; all as usize + 1];
        best[0] = Some(0);
        for &(least, most) in &self.bounds {
            let mut next = vec![None; all as usize + 1];
            for set in 0..=all {
                let mut members = set;
                loop {
                    let size = members.count_ones() as usize;
                    if (least..=most).contains(&size)
                        && let (Some(before), Some(cost)) = (best[(set & !members) as usize], groups[members as usize])
                    {
                        let total: i64 = before + cost;
                        let slot = &mut next[set as usize];
                        *slot = Some(slot.map_or(total, |least: i64| least.min(total)));
                    }
                    if members == 0 {
                        break;
                    }
                    members = (members - 1) & set;
                }
            }
            best = next;
        }
        let totals = (0..=all).filter_map(|bench| Some(best[(all & !bench) as usize]? + self.bench_cost(bench)?));
        totals.min()
    }
}
