//! The last members of a team.

use super::{Candidates, Home, Listener, Next, Pricing, SoFar};
use crate::model::SCALE;

impl Pricing<'_> {
    /// All ways to add two of the candidates.
    pub(super) fn last_two(&mut self, candidates: &Candidates, so_far: SoFar, listener: &mut Listener<'_, '_>) {
        let mut lightest = i64::MAX / 8;
        for at in (0..candidates.len()).rev() {
            let (a, weight) = candidates[at];
            let room = self.threshold + self.greatest_dual - so_far.value - weight;
            let lightest_after = lightest;
            lightest = lightest.min(weight);
            if lightest_after + self.sums[usize::from(a) * self.width + 1] > room {
                continue;
            }
            if listener.clock.pass(candidates.len() - at) {
                return;
            }
            let (row, allowed) = (self.model.row(a), self.model.allowed_row(a));
            for &(b, other) in &candidates[at + 1..] {
                let added = other + row[usize::from(b)] * SCALE;
                if added <= room && allowed[usize::from(b)] && !self.stays([a, b]) {
                    let of_cuts = self.tally.of_more([a, b]);
                    self.team.push(a);
                    self.team.push(b);
                    let value = so_far.value + weight + added + of_cuts;
                    let players = so_far.players + self.size(a) + self.size(b);
                    self.found(SoFar { players, value }, listener.report);
                    self.team.truncate(self.team.len() - 2);
                    if self.is_stopped {
                        return;
                    }
                }
            }
        }
    }

    /// All ways to add one of them.
    pub(super) fn last(&mut self, candidates: &Candidates, so_far: SoFar, listener: &mut Listener<'_, '_>) {
        for &(unit, weight) in candidates {
            let is_light = so_far.value + weight + self.whole <= self.threshold + self.greatest_dual;
            if is_light && !self.stays([unit]) {
                let of_cuts = self.tally.of_more([unit]);
                self.team.push(unit);
                let value = so_far.value + weight + of_cuts;
                let players = so_far.players + self.size(unit);
                self.found(SoFar { players, value }, listener.report);
                self.team.pop();
                // So may what a whole team costs.
                if self.is_stopped || self.rules.is_some() && listener.clock.pass_asked() {
                    return;
                }
            }
        }
    }

    /// Whether the team stays within a part of the ground with these, where it is looked for elsewhere.
    #[inline]
    fn stays<const MORE: usize>(&self, units: [u16; MORE]) -> bool {
        let with = |home: Home, unit: u16| home.with(self.part_of[usize::from(unit)]);
        matches!(units.into_iter().fold(self.home, with), Home::Part(_))
    }

    /// A team that may be light enough: what it costs as a whole and its size decide.
    fn found(&mut self, team: SoFar, report: &mut dyn FnMut(&[u16], i64) -> Next) {
        let Some(dual) = self.prices.of_team(self.model, &self.team, team.players) else {
            return;
        };
        let mut reduced = team.value - dual;
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
