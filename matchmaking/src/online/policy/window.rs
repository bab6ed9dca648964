//! Pairs whose difference is accepted sooner or later: what `threshold` and `slack` share.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::line::{Line, Spot};
use crate::online::arrivals::Arrival;
use crate::online::games::Games;
use crate::online::setting::Setting;
use crate::online::waiting::Waiting;

/// Everybody who waits, and the pairs that may become games first.
///
/// A pair of difference `d` whose earlier player arrived at `t` may play from `t + pace d - lead` on; of pairs that may, the
/// one with the least `t + pace d` has the largest slack. That pair always is one of neighbours in order of the criterion:
/// somebody between the two has a smaller difference to either, and the pair with the earlier of them does not begin later.
/// So neighbours are all that has to be kept.
#[derive(Clone, Debug)]
pub(super) struct Window {
    tau_max: f64,
    pace: f64,
    /// When each player arrived.
    line: Line<f64>,
    waiting: Waiting<(Spot, f64)>,
    pairs: BinaryHeap<Reverse<Pair>>,
}

/// Two who were neighbours when this was noted.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// `t + pace d`.
    key: f64,
    difference: f64,
    low: Spot,
    high: Spot,
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Pair {}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pair {
    /// Largest slack first, then the least difference, then whoever arrived first.
    fn cmp(&self, other: &Self) -> Ordering {
        let ids = |pair: &Self| (pair.low.id.min(pair.high.id), pair.low.id.max(pair.high.id));
        let floats = self
            .key
            .total_cmp(&other.key)
            .then(self.difference.total_cmp(&other.difference));
        floats.then_with(|| ids(self).cmp(&ids(other)))
    }
}

impl Window {
    /// `pace` is how long a unit of difference delays a pair.
    pub(super) fn new(setting: &Setting, pace: f64) -> Self {
        Self {
            tau_max: setting.tau_max(),
            pace,
            line: Line::new(),
            waiting: Waiting::new(),
            pairs: BinaryHeap::new(),
        }
    }

    /// Somebody begins to wait.
    pub(super) fn enter(&mut self, arrival: Arrival<'_>) {
        let spot = Spot::new(arrival.criteria[0], arrival.id);
        self.line.insert(spot, arrival.time);
        self.waiting.insert(arrival.id, (spot, arrival.time));
        let (before, after) = self.neighbours(spot);
        if let Some(before) = before {
            self.note(before, (spot, arrival.time));
        }
        if let Some(after) = after {
            self.note((spot, arrival.time), after);
        }
    }

    fn neighbours(&self, spot: Spot) -> (Option<(Spot, f64)>, Option<(Spot, f64)>) {
        (self.line.before(spot).next(), self.line.after(spot).next())
    }

    fn note(&mut self, low: (Spot, f64), high: (Spot, f64)) {
        let difference = low.0.distance(high.0);
        let key = low.1.min(high.1) + self.pace * difference;
        self.pairs.push(Reverse(Pair {
            key,
            difference,
            low: low.0,
            high: high.0,
        }));
    }

    /// The neighbours with the largest slack.
    fn best_pair(&mut self) -> Option<Pair> {
        while let Some(Reverse(pair)) = self.pairs.peek() {
            let is_there = self.line.get(pair.low).is_some();
            if is_there
                && self
                    .line
                    .after(pair.low)
                    .next()
                    .is_some_and(|(next, _)| next == pair.high)
            {
                return Some(*pair);
            }
            self.pairs.pop();
        }
        None
    }

    /// When the first pair may play or the first wait is over, `lead` being what pairs are accepted early.
    pub(super) fn next(&mut self, lead: f64) -> Option<f64> {
        let over = self.waiting.oldest().map(|(_, (_, arrival))| arrival + self.tau_max)?;
        Some(self.best_pair().map_or(over, |pair| over.min(pair.key - lead)))
    }

    /// Starts the game that is due: the best pair, or whoever waits longest with the nearer neighbour, or with a bot.
    pub(super) fn fire(&mut self, now: f64, lead: f64, games: &mut Games) {
        if let Some(pair) = self.best_pair().filter(|pair| pair.key - lead <= now) {
            return self.start(now, pair.low, Some(pair.high), games);
        }
        let Some((_, &(oldest, _))) = self.waiting.oldest() else {
            return;
        };
        let (before, after) = self.neighbours(oldest);
        let nearness = |(spot, _): &(Spot, f64)| (oldest.distance(*spot), spot.id);
        let nearest = before.into_iter().chain(after).min_by(|a, b| {
            let (a, b) = (nearness(a), nearness(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        self.start(now, oldest, nearest.map(|(spot, _)| spot), games);
    }

    fn start(&mut self, now: f64, one: Spot, other: Option<Spot>, games: &mut Games) {
        for spot in [Some(one), other].into_iter().flatten() {
            self.leave(spot);
        }
        games.push(now, [Some(one), other].into_iter().flatten().map(|spot| spot.id));
    }

    fn leave(&mut self, spot: Spot) {
        self.line.remove(spot);
        self.waiting.remove(spot.id);
        if let (Some(low), Some(high)) = self.neighbours(spot) {
            self.note(low, high);
        }
    }
}
