//! All teams whose reduced cost is small, exactly: a depth-first search for light cliques.
//!
//! The reduced cost of a team is what it costs less what its units and its class pay by their duals. A partial team looks at
//! its candidates: units that may join all its members. With `q` more to come, candidate `j` adds at least its own weight `w(j)`, which is
//! what it costs with those already there less its dual, and half of its `q - 1` least costs with other candidates, since
//! each pair among those to come is counted from both sides. The sum of the `q` least of these is a bound, and who does not
//! fit beside the `q - 1` least ones is no candidate any more. Numbers are doubled for the half.

use crate::limits::{Clock, Ran};
use crate::model::{Model, SCALE};

/// Duals as pricing needs them.
#[derive(Clone, Debug)]
pub(crate) struct Prices {
    /// What each unit pays.
    pub(crate) unit: Vec<i64>,
    /// What a team of each number of players pays beside its units: the most of all classes; `None` where no class has room.
    pub(crate) size: Vec<Option<i64>>,
}

impl Prices {
    /// From a dual for each row.
    pub(crate) fn new(model: &Model, duals: &[i64]) -> Self {
        let most = model.classes.iter().map(|class| class.most).max().unwrap_or(0) as usize;
        let mut size = vec![None; most.min(model.size.iter().sum::<u32>() as usize) + 1];
        for (number, class) in model.classes.iter().enumerate() {
            let dual = duals[model.class_row(number as u16)];
            for slot in size.iter_mut().take(class.most as usize + 1).skip(class.least as usize) {
                *slot = Some(slot.map_or(dual, |before: i64| before.max(dual)));
            }
        }
        size[0] = None;
        Self {
            unit: duals[..model.len()].to_vec(),
            size,
        }
    }
}

/// What to do after a team was reported.
pub(crate) enum Next {
    /// Go on with teams of reduced cost up to this.
    UpTo(i64),
    /// Go on with teams of reduced cost up to this, as long as the first member is the same.
    UpToForFirst(i64),
    /// Stop all.
    Stop,
}

/// Candidates of a partial team: the unit, and what it adds.
type Candidates = Vec<(u16, i64)>;

/// The search for light teams.
pub(crate) struct Pricing<'a> {
    model: &'a Model,
    prices: &'a Prices,
    most_players: u32,
    greatest_dual: i64,
    threshold: i64,
    /// The threshold for another first member.
    base: i64,
    team: Vec<u16>,
    is_stopped: bool,
    /// Lists to be used again, by depth.
    spare: Vec<Candidates>,
    keys: Vec<(i64, u16, i64)>,
    least: Vec<i64>,
    /// Sums of the least costs of each unit with any others: of none, of one, of two and so on, `width` for each.
    sums: Vec<i64>,
    width: usize,
    scratch: Vec<i64>,
}

impl<'a> Pricing<'a> {
    pub(crate) fn new(model: &'a Model, prices: &'a Prices) -> Self {
        let sizes = || (0..prices.size.len()).filter(|&size| prices.size[size].is_some());
        Self {
            model,
            prices,
            most_players: sizes().max().unwrap_or(0) as u32,
            greatest_dual: prices.size.iter().copied().flatten().max().unwrap_or(0),
            threshold: 0,
            base: 0,
            team: Vec::new(),
            is_stopped: false,
            spare: Vec::new(),
            keys: Vec::new(),
            least: Vec::new(),
            sums: Vec::new(),
            width: 0,
            scratch: Vec::new(),
        }
    }

    /// Reports every team whose reduced cost is at most `threshold`, units in no order, with its reduced cost. Whether that is
    /// proven to be all.
    pub(crate) fn run(
        mut self,
        threshold: i64,
        clock: &mut Clock<'_>,
        report: &mut dyn FnMut(&[u16], i64) -> Next,
    ) -> Ran {
        self.threshold = threshold;
        self.base = threshold;
        let playing: Vec<u16> = (0..self.model.len() as u16)
            .filter(|&unit| self.model.may_play[usize::from(unit)])
            .collect();
        let least_size = playing.iter().map(|&unit| self.size(unit)).min().unwrap_or(1);
        let most_units = (self.most_players / least_size).min(playing.len() as u32) as usize;
        self.find_sums(most_units);
        for members in 1..=most_units {
            let start: Candidates = playing.iter().map(|&unit| (unit, self.alone(unit))).collect();
            self.team.clear();
            self.extend(start, members, 0, 0, clock, report);
            if self.is_stopped || clock.is_over() {
                return Ran::Short;
            }
        }
        Ran::All
    }

    fn size(&self, unit: u16) -> u32 {
        self.model.size[usize::from(unit)]
    }

    /// What a unit adds to an empty team.
    fn alone(&self, unit: u16) -> i64 {
        self.model.inside[usize::from(unit)] * SCALE - self.prices.unit[usize::from(unit)]
    }

    #[inline]
    fn pair(&self, a: u16, b: u16) -> i64 {
        self.model.pair(usize::from(a), usize::from(b)) * SCALE
    }

    /// All ways to add `more` of the candidates to the team, of `players` and value `value` so far.
    fn extend(
        &mut self,
        mut candidates: Candidates,
        more: usize,
        players: u32,
        value: i64,
        clock: &mut Clock<'_>,
        report: &mut dyn FnMut(&[u16], i64) -> Next,
    ) {
        clock.step(candidates.len() as u64);
        match more {
            1 => self.last(&candidates, players, value, report),
            2 => self.last_two(&candidates, players, value, report),
            _ if self.keep_promising(&mut candidates, more, value) => {
                self.branch(&candidates, more, players, value, clock, report);
            }
            _ => {}
        }
        self.spare.push(candidates);
    }

    /// One branch for each candidate as the next member, with those after it as candidates. They stand in order of their
    /// bounds, worst first, so that most branches end soon and the last ones, which do not, have few candidates.
    fn branch(
        &mut self,
        candidates: &[(u16, i64)],
        more: usize,
        players: u32,
        value: i64,
        clock: &mut Clock<'_>,
        report: &mut dyn FnMut(&[u16], i64) -> Next,
    ) {
        for (at, &(unit, weight)) in candidates.iter().enumerate() {
            if candidates.len() - at < more {
                break;
            }
            let players = players + self.size(unit);
            if players + (more as u32 - 1) > self.most_players {
                continue;
            }
            let mut rest = self.spare.pop().unwrap_or_default();
            rest.clear();
            let model = self.model;
            rest.extend(
                candidates[at + 1..]
                    .iter()
                    .filter(|&&(other, _)| model.is_allowed(usize::from(unit), usize::from(other)))
                    .map(|&(other, weight)| (other, weight + self.pair(unit, other))),
            );
            self.team.push(unit);
            self.extend(rest, more - 1, players, value + weight, clock, report);
            self.team.pop();
            if self.is_stopped || clock.is_over() {
                return;
            }
            if self.team.is_empty() {
                self.threshold = self.base;
            }
        }
    }

    /// Sums of least costs, for teams of up to `most` units.
    fn find_sums(&mut self, most: usize) {
        self.width = most.max(2);
        for unit in 0..self.model.len() as u16 {
            let row = self.model.row(unit).iter().zip(self.model.allowed_row(unit));
            let mut costs: Vec<i64> = row
                .filter(|(_, is_allowed)| **is_allowed)
                .map(|(cost, _)| *cost)
                .collect();
            costs.sort_unstable();
            let mut sum = 0;
            for others in 0..self.width {
                self.sums.push(sum);
                // With too few others there is no team, which the next look finds out.
                sum += costs.get(others).copied().unwrap_or(0) * SCALE;
            }
        }
    }

    /// Twice the least that a candidate adds if it could choose among all units.
    #[inline]
    fn rough_key(&self, (unit, weight): (u16, i64), more: usize) -> i64 {
        2 * weight + self.sums[usize::from(unit) * self.width + more - 1]
    }

    /// Drops candidates by bounds that need no look at the others.
    fn drop_hopeless(&mut self, candidates: &mut Candidates, more: usize, room: i64) {
        if candidates.len() < more {
            return;
        }
        let mut keys = core::mem::take(&mut self.scratch);
        keys.clear();
        keys.extend(candidates.iter().map(|&candidate| self.rough_key(candidate, more)));
        let (least, _, _) = keys.select_nth_unstable(more - 1);
        // Those among the least pass anyway; where even the least do not fit together, too few are left for a team.
        let limit = room - least.iter().sum::<i64>();
        self.scratch = keys;
        candidates.retain(|&candidate| self.rough_key(candidate, more) <= limit);
    }

    /// Whether anything is left of the candidates after all were dropped that cannot be in a team below the threshold.
    fn keep_promising(&mut self, candidates: &mut Candidates, more: usize, value: i64) -> bool {
        // Doubled room for what is to come.
        let room = 2 * (self.threshold + self.greatest_dual - value);
        self.drop_hopeless(candidates, more, room);
        loop {
            if candidates.len() < more {
                return false;
            }
            self.find_keys(candidates, more);
            if self.keys.len() < more {
                return false;
            }
            self.keys.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            let first_of_least = self.keys.len() - (more - 1);
            let others: i64 = self.keys[first_of_least..].iter().map(|key| key.0).sum();
            let dropped = self.keys[..first_of_least]
                .iter()
                .take_while(|key| key.0 + others > room)
                .count();
            if dropped == first_of_least {
                return false;
            }
            candidates.clear();
            candidates.extend(self.keys[dropped..].iter().map(|&(_, unit, weight)| (unit, weight)));
            // Bounds get better without those dropped; worth the while when there were many.
            if dropped * 4 < self.keys.len() {
                return true;
            }
        }
    }

    /// Twice the least that each candidate adds: its weight, and half of its least costs with others.
    fn find_keys(&mut self, candidates: &Candidates, more: usize) {
        let mut least = core::mem::take(&mut self.least);
        self.keys.clear();
        for &(unit, weight) in candidates {
            least.clear();
            least.resize(more - 1, i64::MAX / 8);
            let mut worst = i64::MAX / 8;
            let (row, allowed) = (self.model.row(unit), self.model.allowed_row(unit));
            for &(other, _) in candidates {
                let cost = row[usize::from(other)];
                if cost < worst && allowed[usize::from(other)] {
                    let mut at = more - 2;
                    while at > 0 && least[at - 1] > cost {
                        least[at] = least[at - 1];
                        at -= 1;
                    }
                    least[at] = cost;
                    worst = least[more - 2];
                }
            }
            if worst < i64::MAX / 8 {
                self.keys
                    .push((2 * weight + least.iter().sum::<i64>() * SCALE, unit, weight));
            }
        }
        self.least = least;
    }

    fn last_two(
        &mut self,
        candidates: &Candidates,
        players: u32,
        value: i64,
        report: &mut dyn FnMut(&[u16], i64) -> Next,
    ) {
        let mut lightest = i64::MAX / 8;
        for at in (0..candidates.len()).rev() {
            let (a, weight) = candidates[at];
            let room = self.threshold + self.greatest_dual - value - weight;
            let lightest_after = lightest;
            lightest = lightest.min(weight);
            if lightest_after + self.sums[usize::from(a) * self.width + 1] > room {
                continue;
            }
            let (row, allowed) = (self.model.row(a), self.model.allowed_row(a));
            for &(b, other) in &candidates[at + 1..] {
                let added = other + row[usize::from(b)] * SCALE;
                if added <= room && allowed[usize::from(b)] {
                    self.team.push(a);
                    self.team.push(b);
                    self.found(players + self.size(a) + self.size(b), value + weight + added, report);
                    self.team.truncate(self.team.len() - 2);
                    if self.is_stopped {
                        return;
                    }
                }
            }
        }
    }

    fn last(&mut self, candidates: &Candidates, players: u32, value: i64, report: &mut dyn FnMut(&[u16], i64) -> Next) {
        for &(unit, weight) in candidates {
            if value + weight <= self.threshold + self.greatest_dual {
                self.team.push(unit);
                self.found(players + self.size(unit), value + weight, report);
                self.team.pop();
                if self.is_stopped {
                    return;
                }
            }
        }
    }

    /// A team that may be light enough: its size decides.
    fn found(&mut self, players: u32, value: i64, report: &mut dyn FnMut(&[u16], i64) -> Next) {
        let Some(&Some(dual)) = self.prices.size.get(players as usize) else {
            return;
        };
        if value - dual > self.threshold {
            return;
        }
        match report(&self.team, value - dual) {
            Next::UpTo(threshold) => (self.threshold, self.base) = (threshold, threshold),
            Next::UpToForFirst(threshold) => self.threshold = threshold,
            Next::Stop => self.is_stopped = true,
        }
    }
}
