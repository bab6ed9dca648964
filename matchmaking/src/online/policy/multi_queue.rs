//! `A_MQ`: a queue for each range of the criteria.

use std::collections::VecDeque;

use super::{Policy, Ranges};
use crate::online::arrivals::Arrival;
use crate::online::error::Error;
use crate::online::games::Games;
use crate::online::rate::Rate;
use crate::online::setting::Setting;
use crate::online::waiting::Waiting;

/// More queues than this are a mistake.
const MOST_QUEUES: usize = 1 << 20;

/// The multi-queue algorithm `A_MQ`: criterion `d` is cut into `r_d` equal ranges, and each combination of ranges has a
/// queue (figure 1 of the paper). `k` players in one queue play. A player who has waited for `τ_max` plays with everybody in the own queue and
/// with others from the nearest queues: the radius (the greatest distance in ranges over all criteria) grows until
/// there are enough, and among queues of one radius whoever waits longest comes first. If all who wait are not enough,
/// they play with bots.
///
/// The adaptive one sets all `r` after every arrival to the nearest integer of formula (9) at the rate estimated from the
/// past, for `D` criteria `(2 a τ_max / ((k + 1) D))^(1 / (D + 1))`, and distributes those who wait anew where it
/// changes: some who were on two sides of an edge meet then. The paper has (9) for weights that add up to `k`; where they add
/// up to `F`, `F / k` times as many arrivals stand under the root.
///
/// That is for equal weights. Formula (7) with ranges for each criterion is
/// `Σ f_d (k - 1) / ((k + 1) r_d) + Π r_d · k (k - 1) / (2 a τ_max)`, and least where `r_d = c f_d`, as narrower ranges pay where
/// weights are great; with `L = 2 a τ_max / (k (k + 1))`, `c` is `(L / Π f_d)^(1 / (D + 1))`. A criterion whose `c f_d` is below 1 is
/// not cut at all, and the others share the queues as if it were not there: `D` and the product are then over those with the greatest
/// weights, as many as come to 1 and more. Each `r_d` is the nearest integer, as (9) is rounded; where that makes more than 2²⁰ queues,
/// the integer below, from a `c` at which there are so many.
///
/// # Complexity
/// With `Q = Π r_d` queues: O(D) time per arrival, O(D log D) if adaptive, and O(n + Q) with n who wait when the number of
/// ranges changes, as it does with most arrivals where it is large; O(Q) for a player whose own queue does not fill in time.
#[derive(Clone, Debug)]
pub struct MultiQueue {
    setting: Setting,
    players: usize,
    tau_max: f64,
    /// `r_d`, ranges of each criterion.
    ranges: Vec<usize>,
    rate: Option<Rate>,
    queues: Vec<VecDeque<u32>>,
    waiting: Waiting<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    time: f64,
    criteria: Box<[f64]>,
}

impl MultiQueue {
    /// With `ranges` ranges per criterion.
    ///
    /// # Errors
    /// [`Error::BadParameter`] if `ranges` is 0 or there would be more than 2²⁰ queues.
    pub fn fixed(setting: &Setting, ranges: usize) -> Result<Self, Error> {
        let found = || ranges.to_string();
        Self::with_ranges(setting, vec![ranges; setting.criteria()], found)
    }

    /// With so many ranges of each criterion, in the order of the weights.
    ///
    /// # Errors
    /// [`Error::Unsuited`] unless there is a number for each criterion of the setting; [`Error::BadParameter`] if one is 0 or there
    /// would be more than 2²⁰ queues.
    ///
    /// # Examples
    /// Where the first criterion counts nineteen times as much as the second, one that is cut finely and one that is not cut cost
    /// half of what any number of ranges for both does.
    /// ```
    /// use matchmaking::online::{Account, Error, MultiQueue, Pattern, Setting, simulate};
    ///
    /// let setting = Setting::with_weights(2, 5.0, vec![19.0, 1.0])?;
    /// let arrivals = Pattern::Constant(10.0).arrivals(2_000, 2, 1)?;
    /// let cost = |policy: MultiQueue| {
    ///     Account::new(&setting, &arrivals, &simulate(&setting, policy, &arrivals)?).map(|account| account.per_game())
    /// };
    /// let by_criterion = cost(MultiQueue::by_criterion(&setting, &[18, 1])?)?;
    /// for ranges in 1..8 {
    ///     assert!(1.5 * by_criterion < cost(MultiQueue::fixed(&setting, ranges)?)?);
    /// }
    /// # Ok::<(), Error>(())
    /// ```
    pub fn by_criterion(setting: &Setting, ranges: &[usize]) -> Result<Self, Error> {
        if ranges.len() != setting.criteria() {
            return Err(Error::Unsuited {
                policy: "multi-queue",
                serves: "as many criteria as it has numbers of ranges, or any with one number for all",
                players: setting.players(),
                criteria: setting.criteria(),
            });
        }
        Self::with_ranges(setting, ranges.to_vec(), || Ranges::written(ranges))
    }

    fn with_ranges(setting: &Setting, ranges: Vec<usize>, found: impl FnOnce() -> String) -> Result<Self, Error> {
        let mut product = ranges.iter().try_fold(1usize, |queues, &ranges| {
            queues.checked_mul(ranges).filter(|queues| *queues <= MOST_QUEUES)
        });
        // However many the others are.
        if ranges.contains(&0) {
            product = None;
        }
        let queues = product.ok_or_else(|| Error::BadParameter {
            policy: "multi-queue",
            found: found(),
            needs: "there must be from 1 to 1048576 queues, one for each combination of ranges",
        })?;
        Ok(Self {
            setting: setting.clone(),
            players: setting.players(),
            tau_max: setting.tau_max(),
            ranges,
            rate: None,
            queues: vec![VecDeque::new(); queues],
            waiting: Waiting::new(),
        })
    }

    /// With as many ranges of each criterion as the rate so far and the weights call for.
    pub fn adaptive(setting: &Setting) -> Self {
        Self {
            setting: setting.clone(),
            players: setting.players(),
            tau_max: setting.tau_max(),
            ranges: vec![1; setting.criteria()],
            rate: Some(Rate::new(setting.tau_max())),
            queues: vec![VecDeque::new()],
            waiting: Waiting::new(),
        }
    }

    /// Where `Σ f_d (k - 1) / ((k + 1) r_d) + Π r_d · k (k - 1) / (2 a τ_max)` is least.
    fn best_ranges(&self, rate: f64) -> Vec<usize> {
        let weights = self.setting.weights();
        if weights.iter().all(|weight| *weight == weights[0]) {
            return vec![self.best_equal_ranges(rate); weights.len()];
        }
        let real = self.best_real_ranges(rate);
        let nearest: Vec<usize> = real.iter().map(|ranges| ranges.round() as usize).collect();
        let queues = nearest
            .iter()
            .try_fold(1usize, |queues, &ranges| queues.checked_mul(ranges));
        match queues {
            Some(queues) if queues <= MOST_QUEUES => nearest,
            _ => real.iter().map(|ranges| *ranges as usize).collect(),
        }
    }

    /// The same for equal weights: formula (9) for any number of criteria.
    fn best_equal_ranges(&self, rate: f64) -> usize {
        let (dimensions, k) = (self.ranges.len() as f64, self.players as f64);
        // 1 for the paper's weights. First, so that weights of 0 are multiplied by numbers alone.
        let share = self.setting.weights().iter().sum::<f64>() / k;
        let load = share * 2.0 * rate * self.tau_max / ((k + 1.0) * dimensions);
        let most = (MOST_QUEUES as f64).powf(1.0 / dimensions).floor();
        load.powf(1.0 / (dimensions + 1.0)).round().clamp(1.0, most) as usize
    }

    /// The same in numbers of 1 and more that need not be whole, no more than 2²⁰ in their product: `c f_d` where that is as
    /// much, for the greatest weights. Everything is a logarithm, since products of weights leave the range of floats.
    fn best_real_ranges(&self, rate: f64) -> Vec<f64> {
        let (weights, k) = (self.setting.weights(), self.players as f64);
        let load = (2.0 * rate / (k * (k + 1.0))).ln() + self.tau_max.ln();
        let mut order: Vec<usize> = (0..weights.len()).filter(|&d| weights[d] > 0.0).collect();
        order.sort_by(|&one, &other| weights[other].total_cmp(&weights[one]));
        let mut product: f64 = order.iter().map(|&d| weights[d].ln()).sum();
        let mut ranges = vec![1.0; weights.len()];
        while let Some(&least) = order.last() {
            let cut = order.len() as f64;
            let factor = (load - product) / (cut + 1.0);
            let factor = factor.min(((MOST_QUEUES as f64).ln() - product) / cut);
            if factor + weights[least].ln() >= 0.0 {
                order
                    .iter()
                    .for_each(|&d| ranges[d] = (factor + weights[d].ln()).exp().max(1.0));
                break;
            }
            product -= weights[least].ln();
            order.pop();
        }
        ranges
    }

    /// The range of each criterion in which a player's lies.
    fn cell(&self, criteria: &[f64]) -> Vec<usize> {
        let each = criteria.iter().zip(&self.ranges);
        each.map(|(value, ranges)| range(*value, *ranges)).collect()
    }

    fn queue_of(&self, criteria: &[f64]) -> usize {
        let each = criteria.iter().zip(&self.ranges);
        each.fold(0, |queue, (value, ranges)| queue * ranges + range(*value, *ranges))
    }

    /// Other numbers of ranges: everybody changes the queue, oldest first, as if arriving now.
    fn distribute(&mut self, ranges: Vec<usize>, now: f64, games: &mut Games) {
        self.queues = vec![VecDeque::new(); ranges.iter().product()];
        self.ranges = ranges;
        let everybody: Vec<(u32, usize)> = self
            .waiting
            .iter()
            .map(|(id, entry)| (id, self.queue_of(&entry.criteria)))
            .collect();
        for (id, queue) in everybody {
            self.enter(id, queue, now, games);
        }
    }

    fn enter(&mut self, id: u32, queue: usize, now: f64, games: &mut Games) {
        self.queues[queue].push_back(id);
        if self.queues[queue].len() == self.players {
            let game = self.queues[queue].drain(..).collect();
            self.play(game, now, games);
        }
    }

    fn play(&mut self, game: Vec<u32>, now: f64, games: &mut Games) {
        for &id in &game {
            self.waiting.remove(id);
        }
        games.push(now, game);
    }

    /// Takes players from the queues at this radius, whoever waits longest first, until the game is full.
    fn take_from_ring(&mut self, center: &[usize], radius: usize, game: &mut Vec<u32>) {
        let mut ring: Vec<usize> = Vec::new();
        self.visit_ring(center, radius, &mut |queue| ring.push(queue));
        while game.len() < self.players {
            let fronts = ring
                .iter()
                .filter_map(|&queue| Some((*self.queues[queue].front()?, queue)));
            let Some((id, queue)) = fronts.min() else { return };
            self.queues[queue].pop_front();
            game.push(id);
        }
    }

    /// All queues whose greatest distance from the center is the radius: of the last axis the whole box where another
    /// axis is as far, and its two ends elsewhere, so that nothing within the box is looked at.
    fn visit_ring(&self, center: &[usize], radius: usize, visit: &mut impl FnMut(usize)) {
        let low = |axis: usize| center[axis].saturating_sub(radius);
        let high = |axis: usize| (center[axis] + radius).min(self.ranges[axis] - 1);
        let last = self.ranges.len() - 1;
        let ends = [center[last].checked_sub(radius), Some(center[last] + radius)];
        let mut cell: Vec<usize> = (0..last).map(low).collect();
        loop {
            let each = cell.iter().zip(&self.ranges);
            let first = each.fold(0, |queue, (range, ranges)| queue * ranges + range) * self.ranges[last];
            if cell.iter().zip(center).any(|(a, b)| a.abs_diff(*b) == radius) {
                (low(last)..=high(last)).for_each(|range| visit(first + range));
            } else {
                let ends = ends.iter().flatten().filter(|range| **range < self.ranges[last]);
                ends.for_each(|range| visit(first + range));
            }
            // The next cell of the other axes, the last of them first.
            let Some(axis) = (0..last).rev().find(|&axis| cell[axis] < high(axis)) else {
                return;
            };
            cell[axis] += 1;
            for (later, range) in cell.iter_mut().enumerate().skip(axis + 1) {
                *range = low(later);
            }
        }
    }
}

/// In which of so many equal ranges a criterion lies.
fn range(value: f64, ranges: usize) -> usize {
    ((value * ranges as f64) as usize).min(ranges - 1)
}

impl Policy for MultiQueue {
    fn on_arrival(&mut self, arrival: Arrival<'_>, games: &mut Games) {
        let Arrival { id, time, criteria } = arrival;
        if let Some(rate) = &mut self.rate {
            rate.observe(time);
            let per_time = rate.per_time();
            let ranges = self.best_ranges(per_time);
            if ranges != self.ranges {
                self.distribute(ranges, time, games);
            }
        }
        self.waiting.insert(
            id,
            Entry {
                time,
                criteria: criteria.into(),
            },
        );
        self.enter(id, self.queue_of(criteria), time, games);
    }

    fn on_leave(&mut self, id: u32) -> bool {
        let Some(entry) = self.waiting.remove(id) else {
            return false;
        };
        let queue = self.queue_of(&entry.criteria);
        self.queues[queue].retain(|&other| other != id);
        true
    }

    fn next_timer(&mut self) -> Option<f64> {
        self.waiting.oldest().map(|(_, entry)| entry.time + self.tau_max)
    }

    fn on_timer(&mut self, now: f64, games: &mut Games) {
        let Some((_, entry)) = self.waiting.oldest() else {
            return;
        };
        let center = self.cell(&entry.criteria);
        let own = self.queue_of(&entry.criteria);
        let mut game: Vec<u32> = self.queues[own].drain(..).collect();
        for radius in 1..self.ranges.iter().copied().max().unwrap_or(1) {
            if game.len() == self.players {
                break;
            }
            self.take_from_ring(&center, radius, &mut game);
        }
        self.play(game, now, games);
    }

    fn setting(&self) -> Option<&Setting> {
        Some(&self.setting)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_QUEUES, MultiQueue};
    use crate::online::error::Error;
    use crate::online::setting::Setting;

    /// `k (k - 1) / (2 a τ_max)` times this is formula (7).
    fn formula(setting: &Setting, load: f64, ranges: &[usize]) -> f64 {
        let each = setting.weights().iter().zip(ranges);
        let criteria: f64 = each.map(|(weight, ranges)| weight / *ranges as f64).sum();
        load * criteria + ranges.iter().product::<usize>() as f64
    }

    /// All lists of whole numbers no more than three from these.
    fn around(real: &[f64]) -> Vec<Vec<usize>> {
        real.iter().fold(vec![Vec::new()], |lists, &real| {
            let least = (real as usize).saturating_sub(3).max(1);
            let more = |list: &Vec<usize>| {
                (least..least + 8)
                    .map(|ranges| [&list[..], &[ranges]].concat())
                    .collect()
            };
            lists
                .iter()
                .flat_map(|list| -> Vec<Vec<usize>> { more(list) })
                .collect()
        })
    }

    /// The nearest whole numbers cost at most 8 % more by the formula than the best ones.
    #[test]
    fn ranges_are_about_the_best_whole_numbers() -> Result<(), Error> {
        let mut number = 0u64;
        let mut random = || {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (number >> 11) as f64 / (1u64 << 53) as f64
        };
        let (mut worst, mut sum) = (1.0f64, 0.0);
        for case in 0..600 {
            let weights: Vec<f64> = (0..2 + case % 3).map(|_| (6.0 * random() - 3.0).exp()).collect();
            let setting = Setting::with_weights(2 + case % 4, 5.0, weights)?;
            let policy = MultiQueue::adaptive(&setting);
            let load = (9.0 * random() - 1.0).exp();
            let k = setting.players() as f64;
            let rate = load * k * (k + 1.0) / (2.0 * setting.tau_max());
            let (real, chosen) = (policy.best_real_ranges(rate), policy.best_ranges(rate));
            let best = around(&real)
                .iter()
                .map(|list| formula(&setting, load, list))
                .fold(f64::INFINITY, f64::min);
            let ratio = formula(&setting, load, &chosen) / best;
            worst = worst.max(ratio);
            sum += ratio;
        }
        assert!(worst < 1.08 && sum / 600.0 < 1.003, "{worst} {}", sum / 600.0);
        Ok(())
    }

    #[test]
    fn there_are_never_too_many_queues_nor_numbers_that_are_none() -> Result<(), Error> {
        let lists = [
            vec![19.0, 1.0],
            vec![1e100, 1e-300, 0.0],
            vec![1e100, 1e99, 5e-324],
            vec![1.0, 1.000_000_000_000_1],
            vec![3.0, 2.0, 1.0, 0.5, 0.25, 0.125, 0.0],
            (1..=30).map(f64::from).collect(),
        ];
        for weights in lists {
            for tau_max in [5e-324, 1e-9, 5.0, 1e30, f64::MAX] {
                let setting = Setting::with_weights(2, tau_max, weights.clone())?;
                let policy = MultiQueue::adaptive(&setting);
                for rate in [5e-324, 1e-9, 0.1, 10.0, 1e5, 1e12] {
                    let ranges = policy.best_ranges(rate);
                    let queues: f64 = ranges.iter().map(|&ranges| ranges as f64).product();
                    assert!(
                        (1.0..=MOST_QUEUES as f64).contains(&queues),
                        "{weights:?} {tau_max} {rate}: {ranges:?}"
                    );
                    let mut order: Vec<usize> = (0..weights.len()).collect();
                    order.sort_by(|&one, &other| weights[one].total_cmp(&weights[other]));
                    assert!(
                        order.iter().map(|&criterion| ranges[criterion]).is_sorted(),
                        "{weights:?}: {ranges:?}"
                    );
                    MultiQueue::by_criterion(&setting, &ranges)?;
                }
            }
        }
        let setting = Setting::with_weights(2, 5.0, vec![19.0, 1.0])?;
        assert_eq!(MultiQueue::adaptive(&setting).best_ranges(10.0), [18, 1]);
        Ok(())
    }
}
