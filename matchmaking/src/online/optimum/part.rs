//! Arrivals that are matched at once.

use matching_core::cost::{Embedded, Norm};
use matching_core::{Blossom, Budget, Cost, EdgeList, Objective, Solution};

use crate::online::arrivals::Arrivals;
use crate::online::error::Error;
use crate::online::setting::Setting;

/// What playing with a bot costs, on the grid of the solver: costs are rounded to so many parts of it.
pub(super) const ALONE: i64 = 1 << 33;

/// Pairs that are listed; where there are more and an index can find those that matter, it does.
const MOST_LISTED: usize = 30_000_000;

/// Some arrivals, in order, and what it costs each of them to be in no pair.
pub(super) struct Part<'a> {
    setting: &'a Setting,
    arrivals: &'a Arrivals,
    pub(super) players: Vec<usize>,
    pub(super) stay: Vec<i64>,
    most_listed: usize,
}

impl<'a> Part<'a> {
    /// Whoever is in no pair plays with a bot, or leaves for a neighbouring part where that is possible and costs less.
    pub(super) fn new(setting: &'a Setting, arrivals: &'a Arrivals, players: Vec<usize>, may_leave: bool) -> Self {
        let stay = vec![ALONE; players.len()];
        let mut part = Self {
            setting,
            arrivals,
            players,
            stay,
            most_listed: MOST_LISTED,
        };
        if may_leave {
            part.open_edges();
        }
        part
    }

    /// Prices of leaving across the edges of a window that begins and ends in the midst of others.
    fn open_edges(&mut self) {
        let (times, setting) = (self.arrivals.times(), self.setting);
        let (Some(&first), Some(&last)) = (self.players.first(), self.players.last()) else {
            return;
        };
        // Both windows at an edge reckon with the same moment: when the later one begins.
        let before = first.checked_sub(1).map(|before| (times[before], times[first]));
        let after = times.get(last + 1).map(|&after| (after, after));
        for (stay, &player) in self.stay.iter_mut().zip(&self.players) {
            let time = times[player];
            let mut leave = |wait: f64| {
                // Rounded down, so that the bound stays one.
                let price = (wait / setting.tau_max() * ALONE as f64 / setting.alone()).floor() as i64;
                *stay = (*stay).min(price.max(0));
            };
            if let Some((other, edge)) = before
                && setting.may_wait(other, time)
            {
                leave(time - edge);
            }
            if let Some((other, edge)) = after
                && setting.may_wait(time, other)
            {
                leave(edge - time);
            }
        }
    }

    /// The matching of least cost, or what a budget has time for.
    pub(super) fn solve(&self, budget: Budget) -> Result<Solution<i64>, Error> {
        let is_short = self.count_pairs() <= self.most_listed;
        match self.setting.criteria() {
            1 if !is_short => self.solve_indexed::<2>(budget),
            2 if !is_short => self.solve_indexed::<3>(budget),
            3 if !is_short => self.solve_indexed::<4>(budget),
            _ => self.solve_listed(budget),
        }
    }

    fn solver(&self, budget: Budget) -> Blossom<i64> {
        Blossom::new()
            .threads(1)
            .budget(budget)
            .objective(Objective::MinOptOut(self.stay.clone()))
    }

    fn solve_listed(&self, budget: Budget) -> Result<Solution<i64>, Error> {
        let mut pairs = Vec::with_capacity(self.count_pairs());
        self.visit_pairs(|i, later| pairs.extend(later.map(|j| (i, j, self.cost(i, j)))));
        let refused = |source| Error::Solver { source };
        let list = EdgeList::new(self.players.len(), pairs).map_err(refused)?;
        let solution = self.solver(budget).solve(&list).map_err(refused)?;
        let check = solution.verify(&list);
        check.map_err(|source| Error::Unverified { source }).map(|()| solution)
    }

    /// `AXES` is one more than the number of criteria: the last axis is time.
    fn solve_indexed<const AXES: usize>(&self, budget: Budget) -> Result<Solution<i64>, Error> {
        let points = (0..self.players.len()).map(|i| self.point(i)).collect();
        let space = Space::<AXES> { part: self, points };
        let solution = self
            .solver(budget)
            .solve_embedded(&space)
            .map_err(|source| Error::Solver { source })?;
        let check = solution.verify(&space);
        check.map_err(|source| Error::Unverified { source }).map(|()| solution)
    }

    fn time(&self, i: usize) -> f64 {
        self.arrivals.times()[self.players[i]]
    }

    fn may_meet(&self, earlier: usize, later: usize) -> bool {
        self.setting.may_wait(self.time(earlier), self.time(later))
    }

    /// Everybody with those who arrive later and in time.
    fn visit_pairs(&self, mut visit: impl FnMut(usize, std::ops::Range<usize>)) {
        let mut end = 0;
        for i in 0..self.players.len() {
            while end < self.players.len() && self.may_meet(i, end) {
                end += 1;
            }
            visit(i, i + 1..end);
        }
    }

    fn count_pairs(&self) -> usize {
        let mut count = 0;
        self.visit_pairs(|_, later| count += later.len());
        count
    }

    /// What a pair costs, on the grid.
    fn cost(&self, i: usize, j: usize) -> i64 {
        let values = |i: usize| self.arrivals.criteria(self.players[i]);
        let terms = self.setting.weights().iter().zip(values(i).iter().zip(values(j)));
        let criteria: f64 = terms.map(|(weight, (a, b))| weight * (a - b).abs()).sum();
        let waiting = (self.time(j) - self.time(i)) / self.setting.tau_max();
        ((criteria + waiting) * ALONE as f64 / self.setting.alone()).round() as i64
    }

    /// Criteria and time in units in which the cost of a pair is the sum of the differences.
    fn point<const AXES: usize>(&self, i: usize) -> [f64; AXES] {
        let unit = ALONE as f64 / self.setting.alone();
        let mut point = [(self.time(i) - self.time(0)) / self.setting.tau_max() * unit; AXES];
        let criteria = self
            .setting
            .weights()
            .iter()
            .zip(self.arrivals.criteria(self.players[i]));
        for (axis, (weight, value)) in point.iter_mut().zip(criteria) {
            *axis = weight * value * unit;
        }
        point
    }
}

/// Arrivals as points of which the cost of a pair is the distance, rounded.
struct Space<'a, const AXES: usize> {
    part: &'a Part<'a>,
    points: Vec<[f64; AXES]>,
}

impl<const AXES: usize> Cost for Space<'_, AXES> {
    type Value = i64;

    fn len(&self) -> usize {
        self.points.len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        Norm::Manhattan.distance(&self.points[i], &self.points[j]).round() as i64
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.part.may_meet(i.min(j), i.max(j))
    }

    fn has_forbidden(&self) -> bool {
        true
    }

    /// Those near in time, which stand side by side: asked one by one, the rows of a million arrivals take hours.
    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        let ends = |at: usize| self.part.may_meet(at.min(i), at.max(i));
        let first = partition_point(0..i, |at| !ends(at));
        let end = partition_point(i + 1..self.len(), ends);
        out.fill(0);
        for (at, word) in out.iter_mut().enumerate().take(end.div_ceil(64)).skip(first / 64) {
            let (from, to) = (first.max(64 * at) % 64, end.min(64 * at + 64) - 64 * at);
            *word = u64::MAX << from & u64::MAX >> (64 - to);
        }
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

impl<const AXES: usize> Embedded<AXES> for Space<'_, AXES> {
    fn point(&self, i: usize) -> [f64; AXES] {
        self.points[i]
    }

    fn norm(&self) -> Norm {
        Norm::Manhattan
    }

    /// Rounding takes at most half a unit.
    fn reach(&self, cost: i64) -> f64 {
        if cost < 0 { -1.0 } else { cost as f64 + 1.0 }
    }
}

/// The first of these of which it does not hold; as [`slice::partition_point`] finds it.
fn partition_point(range: std::ops::Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use matching_core::{Budget, Cost};

    use super::{Part, Space};
    use crate::online::{Arrivals, Error, Pattern, Setting};

    #[test]
    fn the_index_finds_the_same_optimum_as_the_list() -> Result<(), Error> {
        for criteria in 1..=3 {
            let setting = Setting::new(2, 5.0, criteria)?;
            let arrivals = Pattern::Constant(4.0).arrivals(200, criteria, 3)?;
            let mut part = Part::new(&setting, &arrivals, (0..200).collect(), false);
            let listed = part.solve(Budget::new())?.cost();
            part.most_listed = 0;
            // Costs are rounded by each on its own.
            assert!(
                (part.solve(Budget::new())?.cost() - listed).abs() <= 200,
                "{criteria} criteria"
            );
        }
        Ok(())
    }

    /// The checker asked of all pairs one by one whether they may be: of 700,000 arrivals for half an hour, which no limit and no
    /// Ctrl-C ended.
    #[test]
    fn a_row_is_who_is_near_in_time() -> Result<(), Error> {
        let setting = Setting::new(2, 5.0, 1)?;
        // Gaps within and beyond what anybody waits for, several at a time, from before 0 on; more than two words of a row.
        let mut time = -40.0;
        let rows: Vec<(f64, [f64; 1])> = (0..150_u32)
            .map(|i| {
                time += [0.0, 0.1, 0.3, 0.0, 2.5, 5.0][i as usize % 6] * f64::from(i % 4);
                (time, [f64::from(i % 10) / 10.0])
            })
            .collect();
        let arrivals = Arrivals::new(1, rows.iter().map(|(time, criteria)| (*time, &criteria[..])))?;
        let part = Part::new(&setting, &arrivals, (0..rows.len()).collect(), false);
        let points = (0..rows.len()).map(|i| part.point::<2>(i)).collect();
        let space = Space { part: &part, points };
        let (mut row, mut counts) = (vec![u64::MAX; rows.len().div_ceil(64)], [0; 2]);
        for i in 0..rows.len() {
            space.allowed_row(i, &mut row);
            for j in (0..64 * row.len()).filter(|&j| j != i) {
                let is_allowed = j < rows.len() && space.is_allowed(i, j);
                assert_eq!(row[j / 64] >> (j % 64) & 1 == 1, is_allowed, "{i} {j}");
                counts[usize::from(is_allowed)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
        Ok(())
    }
}
