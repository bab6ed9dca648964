//! `A_MQ`: a queue for each range of the criteria.

use std::collections::VecDeque;

use super::Policy;
use crate::online::arrivals::Arrival;
use crate::online::error::Error;
use crate::online::games::Games;
use crate::online::rate::Rate;
use crate::online::setting::Setting;
use crate::online::waiting::Waiting;

/// More queues than this are a mistake.
const MOST_QUEUES: usize = 1 << 20;

/// The multi-queue algorithm `A_MQ`: each criterion is cut into `r` equal ranges, and each combination of ranges has a
/// queue. `k` players in one queue play. A player who has waited for `τ_max` plays with everybody in the own queue and
/// with others from the nearest queues: the radius (the greatest distance in ranges over all criteria) grows until
/// there are enough, and among queues of one radius whoever waits longest comes first. If all who wait are not enough,
/// they play with bots.
///
/// The adaptive one sets `r` after every arrival to the nearest integer of formula (9) at the rate estimated from the
/// past, for `D` criteria `(2 a τ_max / ((k + 1) D))^(1 / (D + 1))`, and distributes those who wait anew where it
/// changes: some who were on two sides of an edge meet then. The paper has (9) for weights that add up to `k`; where they add
/// up to `F`, `F / k` times as many arrivals stand under the root.
///
/// # Complexity
/// Constant time per arrival, and O(n + r^D) with n who wait when the number of ranges changes, as it does with
/// most arrivals where it is large; O(r^D) for a player whose own queue does not fill in time.
#[derive(Clone, Debug)]
pub struct MultiQueue {
    setting: Setting,
    players: usize,
    tau_max: f64,
    dimensions: usize,
    /// `r`, ranges per criterion.
    ranges: usize,
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
        let queues = u32::try_from(setting.criteria())
            .ok()
            .and_then(|criteria| ranges.checked_pow(criteria))
            .filter(|queues| (1..=MOST_QUEUES).contains(queues))
            .ok_or_else(|| Error::BadParameter {
                policy: "multi-queue",
                found: ranges.to_string(),
                needs: "there must be from 1 to 1048576 queues, one for each combination of ranges",
            })?;
        Ok(Self {
            setting: setting.clone(),
            players: setting.players(),
            tau_max: setting.tau_max(),
            dimensions: setting.criteria(),
            ranges,
            rate: None,
            queues: vec![VecDeque::new(); queues],
            waiting: Waiting::new(),
        })
    }

    /// With as many ranges as the rate so far calls for.
    pub fn adaptive(setting: &Setting) -> Self {
        Self {
            setting: setting.clone(),
            players: setting.players(),
            tau_max: setting.tau_max(),
            dimensions: setting.criteria(),
            ranges: 1,
            rate: Some(Rate::new(setting.tau_max())),
            queues: vec![VecDeque::new()],
            waiting: Waiting::new(),
        }
    }

    /// Formula (9) for any number of criteria and any weights: where
    /// `F (k - 1) / ((k + 1) r) + r^D k (k - 1) / (2 a τ_max)` is least.
    fn best_ranges(&self, rate: f64) -> usize {
        let (dimensions, k) = (self.dimensions as f64, self.players as f64);
        // 1 for the paper's weights. First, so that weights of 0 are multiplied by numbers alone.
        let share = self.setting.weights().iter().sum::<f64>() / k;
        let load = share * 2.0 * rate * self.tau_max / ((k + 1.0) * dimensions);
        let most = (MOST_QUEUES as f64).powf(1.0 / dimensions).floor();
        load.powf(1.0 / (dimensions + 1.0)).round().clamp(1.0, most) as usize
    }

    /// The ranges in which a player's criteria lie.
    fn cell(&self, criteria: &[f64]) -> Vec<usize> {
        let range = |value: &f64| ((value * self.ranges as f64) as usize).min(self.ranges - 1);
        criteria.iter().map(range).collect()
    }

    fn queue_of(&self, criteria: &[f64]) -> usize {
        let range = |value: &f64| ((value * self.ranges as f64) as usize).min(self.ranges - 1);
        criteria
            .iter()
            .fold(0, |queue, value| queue * self.ranges + range(value))
    }

    /// Another number of ranges: everybody changes the queue, oldest first, as if arriving now.
    fn distribute(&mut self, ranges: usize, now: f64, games: &mut Games) {
        self.ranges = ranges;
        self.queues = vec![VecDeque::new(); ranges.pow(self.dimensions as u32)];
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
        let high = |axis: usize| (center[axis] + radius).min(self.ranges - 1);
        let last = self.dimensions - 1;
        let ends = [center[last].checked_sub(radius), Some(center[last] + radius)];
        let mut cell: Vec<usize> = (0..last).map(low).collect();
        loop {
            let first = cell.iter().fold(0, |queue, range| queue * self.ranges + range) * self.ranges;
            if cell.iter().zip(center).any(|(a, b)| a.abs_diff(*b) == radius) {
                (low(last)..=high(last)).for_each(|range| visit(first + range));
            } else {
                let ends = ends.iter().flatten().filter(|range| **range < self.ranges);
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
        for radius in 1..self.ranges {
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
