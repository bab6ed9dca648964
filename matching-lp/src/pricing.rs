//! All teams whose reduced cost is small, exactly: a depth-first search for light cliques.
//!
//! The reduced cost of a team is what it costs less what its units and its class pay by their duals. A partial team looks at
//! its candidates: units that may join all its members. With `q` more to come, candidate `j` adds at least its own weight `w(j)`, which is
//! what it costs with those already there less its dual, and half of its `q - 1` least costs with other candidates, since
//! each pair among those to come is counted from both sides. The sum of the `q` least of these is a bound, and who does not
//! fit beside the `q - 1` least ones is no candidate any more. Numbers are doubled for the half. Roles, and what whole groups cost at
//! least, are looked at for every partial team (`rules.rs`).

mod bounds;
mod prices;
mod rules;

pub(crate) use prices::Prices;

use crate::limits::{Clock, Ran};
use crate::model::{Model, SCALE};
use rules::Rules;

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
    model: &'a Model<'a>,
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
    /// `None` where teams are judged by their pairs and sizes alone.
    rules: Option<Rules<'a>>,
    /// What all teams with the members so far cost at least as a whole, beside their pairs.
    whole: i64,
}

impl<'a> Pricing<'a> {
    pub(crate) fn new(model: &'a Model<'a>, prices: &'a Prices) -> Self {
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
            rules: None,
            whole: 0,
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
        if !self.model.is_by_pairs() {
            self.rules = Some(Rules::new(self.model));
        }
        for members in 1..=most_units {
            let mut start: Candidates = playing.iter().map(|&unit| (unit, self.alone(unit))).collect();
            self.team.clear();
            if let Some(rules) = &mut self.rules {
                let Some(whole) = rules.start(members, self.most_players) else {
                    continue;
                };
                self.whole = whole;
                start.retain(|&(unit, _)| rules.admits(unit));
            }
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
            2 if self.rules.is_none() => self.last_two(&candidates, players, value, report),
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
            let whole_before = self.whole;
            if let Some(rules) = &mut self.rules {
                self.team.push(unit);
                let whole = rules.enter(&self.team, players, more - 1, self.most_players);
                self.team.pop();
                match whole {
                    Some(whole) => self.whole = whole,
                    None => continue,
                }
            }
            let mut rest = self.spare.pop().unwrap_or_default();
            rest.clear();
            let model = self.model;
            rest.extend(
                candidates[at + 1..]
                    .iter()
                    .filter(|&&(other, _)| model.is_allowed(usize::from(unit), usize::from(other)))
                    .filter(|&&(other, _)| self.rules.as_ref().is_none_or(|rules| rules.admits(other)))
                    .map(|&(other, weight)| (other, weight + self.pair(unit, other))),
            );
            self.team.push(unit);
            self.extend(rest, more - 1, players, value + weight, clock, report);
            self.team.pop();
            if let Some(rules) = &mut self.rules {
                rules.leave();
                self.whole = whole_before;
            }
            if self.is_stopped || clock.is_over() {
                return;
            }
            if self.team.is_empty() {
                self.threshold = self.base;
            }
        }
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
            if value + weight + self.whole <= self.threshold + self.greatest_dual {
                self.team.push(unit);
                self.found(players + self.size(unit), value + weight, report);
                self.team.pop();
                if self.is_stopped {
                    return;
                }
            }
        }
    }

    /// A team that may be light enough: what it costs as a whole and its size decide.
    fn found(&mut self, players: u32, value: i64, report: &mut dyn FnMut(&[u16], i64) -> Next) {
        let Some(dual) = self.prices.of_team(self.model, &self.team, players) else {
            return;
        };
        let mut reduced = value - dual;
        if self.rules.is_some() {
            if reduced + self.whole > self.threshold {
                return;
            }
            let Some(whole) = self.model.whole_cost(&self.team) else {
                return;
            };
            reduced += whole * SCALE;
        }
        if reduced > self.threshold {
            return;
        }
        match report(&self.team, reduced) {
            Next::UpTo(threshold) => (self.threshold, self.base) = (threshold, threshold),
            Next::UpToForFirst(threshold) => self.threshold = threshold,
            Next::Stop => self.is_stopped = true,
        }
    }
}
