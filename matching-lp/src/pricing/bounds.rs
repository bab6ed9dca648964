//! Which candidates can be in a light team at all.

use super::{Candidates, Home, Pricing};
use crate::limits::Clock;
use crate::model::SCALE;

impl Pricing<'_> {
    /// Sums of least costs, for teams of up to `most` units; of some units only if the clock is over.
    pub(super) fn find_sums(&mut self, most: usize, clock: &mut Clock<'_>) {
        self.width = most.max(2);
        let others = self.width - 1;
        for unit in 0..self.model.len() as u16 {
            if clock.pass(self.model.len()) {
                return;
            }
            let row = self.model.row(unit).iter().zip(self.model.allowed_row(unit));
            let mut costs: Vec<i64> = row
                .filter(|(_, is_allowed)| **is_allowed)
                .map(|(cost, _)| *cost)
                .collect();
            if costs.len() > others {
                costs.select_nth_unstable(others - 1);
                costs.truncate(others);
            }
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
    /// Nothing is if the clock is over.
    pub(super) fn keep_promising(
        &mut self,
        candidates: &mut Candidates,
        more: usize,
        value: i64,
        clock: &mut Clock<'_>,
    ) -> bool {
        // Doubled room for what is to come.
        let room = 2 * (self.threshold + self.greatest_dual - value - self.whole);
        self.drop_hopeless(candidates, more, room);
        loop {
            if candidates.len() < more {
                return false;
            }
            self.find_keys(candidates, more, clock);
            if self.keys.len() < more || clock.is_over() {
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
            if let Home::Part(part) = self.home
                && !self.keep_leaving(candidates, part, more, room)
            {
                return false;
            }
            // Bounds get better without those dropped; worth the while when there were many.
            if dropped * 4 < self.keys.len() {
                return true;
            }
        }
    }

    /// Whether anything is left of the candidates, whose keys are the last ones, after all of this part were dropped
    /// that have no room beside the least one outside and the least of all.
    fn keep_leaving(&mut self, candidates: &mut Candidates, part: u16, more: usize, room: i64) -> bool {
        let keys = &self.keys[self.keys.len() - candidates.len()..];
        let is_outside = |unit: u16| self.part_of[usize::from(unit)] != part;
        let Some(outside) = keys.iter().rfind(|key| is_outside(key.1)) else {
            return false;
        };
        // Beside one of the part: one outside, and the least of all others.
        let beside: i64 = outside.0
            + keys
                .iter()
                .rev()
                .take(more.saturating_sub(2))
                .map(|key| key.0)
                .sum::<i64>();
        let fits = |key: &&(i64, u16, i64)| is_outside(key.1) || key.0 + beside <= room;
        candidates.clear();
        candidates.extend(keys.iter().filter(fits).map(|&(_, unit, weight)| (unit, weight)));
        true
    }

    /// Twice the least that each candidate adds: its weight, and half of its least costs with others. Of some only if
    /// the clock is over.
    fn find_keys(&mut self, candidates: &Candidates, more: usize, clock: &mut Clock<'_>) {
        let mut least = core::mem::take(&mut self.least);
        self.keys.clear();
        for &(unit, weight) in candidates {
            if clock.pass(candidates.len()) {
                break;
            }
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
}
