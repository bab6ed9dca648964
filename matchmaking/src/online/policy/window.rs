//! Pairs whose difference is accepted sooner or later: what `threshold` and `slack` share.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::line::{Line, Spot};
use crate::online::arrivals::Arrival;
use crate::online::games::Games;
use crate::online::setting::Setting;
use crate::online::waiting::Waiting;

/// Once so many pairs are noted for each player, those of neighbours are noted anew: one for each player.
const MOST_STALE: usize = 8;

/// How long a pair has to wait.
pub(super) trait Delay {
    /// The wait of its earlier player, in units of `τ_max`, from which on a pair of this difference may play. It must
    /// not fall when the difference grows; below 0 the pair may play at once, and the less it is the sooner.
    fn delay(&self, difference: f64) -> f64;
}

/// Everybody who waits, and the pairs that may become games first.
///
/// A pair whose earlier player arrived at `t` may play from `t + τ_max delay` on; of pairs that may, the one that has
/// been allowed to for longest comes first. That pair always is one of neighbours in order of the criterion: somebody
/// between the two has a smaller difference to either, and so may play with the earlier of them no later. So neighbours
/// are all that has to be kept.
#[derive(Clone, Debug)]
pub(super) struct Window<R> {
    tau_max: f64,
    rule: R,
    /// When each player arrived.
    line: Line<f64>,
    waiting: Waiting<(Spot, f64)>,
    pairs: BinaryHeap<Reverse<Pair>>,
}

/// Two who were neighbours when this was noted.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// When they may play.
    due: f64,
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
    /// Whoever may play first, then the least difference, then whoever arrived first.
    fn cmp(&self, other: &Self) -> Ordering {
        let ids = |pair: &Self| (pair.low.id.min(pair.high.id), pair.low.id.max(pair.high.id));
        let floats = self
            .due
            .total_cmp(&other.due)
            .then(self.difference.total_cmp(&other.difference));
        floats.then_with(|| ids(self).cmp(&ids(other)))
    }
}

impl<R: Delay> Window<R> {
    pub(super) fn new(setting: &Setting, rule: R) -> Self {
        Self {
            tau_max: setting.tau_max(),
            rule,
            line: Line::new(),
            waiting: Waiting::new(),
            pairs: BinaryHeap::new(),
        }
    }

    pub(super) fn rule(&self) -> &R {
        &self.rule
    }

    /// Another rule, for those who wait as well. Takes O(n log n) time.
    pub(super) fn set_rule(&mut self, rule: R) {
        self.rule = rule;
        self.note_all();
    }

    /// All neighbours, and nothing else.
    fn note_all(&mut self) {
        self.pairs.clear();
        let everybody: Vec<(Spot, f64)> = self.line.iter().collect();
        for neighbours in everybody.windows(2) {
            self.note(neighbours[0], neighbours[1]);
        }
    }

    /// Somebody begins to wait.
    pub(super) fn enter(&mut self, arrival: Arrival<'_>) {
        let spot = Spot::new(arrival.criteria[0], arrival.id);
        self.line.insert(spot, arrival.time);
        self.waiting.insert(arrival.id, (spot, arrival.time));
        let [before, after] = self.neighbours(spot);
        if let Some(before) = before {
            self.note(before, (spot, arrival.time));
        }
        if let Some(after) = after {
            self.note((spot, arrival.time), after);
        }
    }

    /// The nearest before and after a spot, with their arrivals.
    fn neighbours(&self, spot: Spot) -> [Option<(Spot, f64)>; 2] {
        [self.line.before(spot).next(), self.line.after(spot).next()]
    }

    fn note(&mut self, low: (Spot, f64), high: (Spot, f64)) {
        let difference = low.0.distance(high.0);
        let due = low.1.min(high.1) + self.tau_max * self.rule.delay(difference);
        self.pairs.push(Reverse(Pair {
            due,
            difference,
            low: low.0,
            high: high.0,
        }));
        // Those who are no neighbours any more leave at the top alone, and may never come there.
        if self.pairs.len() > MOST_STALE * (self.line.len() + 1) {
            self.note_all();
        }
    }

    /// The neighbours who may play first.
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

    /// When the first pair may play or the first wait is over.
    pub(super) fn next(&mut self) -> Option<f64> {
        let over = self.waiting.oldest().map(|(_, (_, arrival))| arrival + self.tau_max)?;
        Some(self.best_pair().map_or(over, |pair| over.min(pair.due)))
    }

    /// Starts the game that is due: the best pair, or whoever waits longest with the nearer neighbour, or with a bot.
    pub(super) fn fire(&mut self, now: f64, games: &mut Games) {
        if let Some(pair) = self.best_pair().filter(|pair| pair.due <= now) {
            return self.start(now, pair.low, Some(pair.high), games);
        }
        let Some((_, &(oldest, _))) = self.waiting.oldest() else {
            return;
        };
        let [before, after] = self.neighbours(oldest);
        let nearness = |(spot, _): &(Spot, f64)| (oldest.distance(*spot), spot.id);
        let nearest = before.into_iter().chain(after).min_by(|a, b| {
            let (a, b) = (nearness(a), nearness(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        self.start(now, oldest, nearest.map(|(spot, _)| spot), games);
    }

    fn start(&mut self, now: f64, one: Spot, other: Option<Spot>, games: &mut Games) {
        for spot in [Some(one), other].into_iter().flatten() {
            self.take_out(spot);
        }
        games.push(now, [Some(one), other].into_iter().flatten().map(|spot| spot.id));
    }

    /// Somebody goes without a game; whether they waited. Those on both sides are neighbours then.
    pub(super) fn leave(&mut self, id: u32) -> bool {
        let Some(&(spot, _)) = self.waiting.get(id) else {
            return false;
        };
        self.take_out(spot);
        true
    }

    fn take_out(&mut self, spot: Spot) {
        self.line.remove(spot);
        self.waiting.remove(spot.id);
        if let [Some(low), Some(high)] = self.neighbours(spot) {
            self.note(low, high);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Delay, Window};
    use crate::online::arrivals::Arrival;
    use crate::online::games::Games;
    use crate::online::setting::Setting;

    /// Nobody who is farther away than this may play in his lifetime.
    struct Near(f64);

    impl Delay for Near {
        fn delay(&self, difference: f64) -> f64 {
            if difference < self.0 { 0.0 } else { 1e9 }
        }
    }

    /// Pairs that were neighbours once, and may play in a distant future only, stayed for ever.
    #[test]
    fn what_is_noted_follows_those_who_wait() {
        let setting = Setting::new(2, 10.0, 1).expect("a setting");
        let mut window = Window::new(&setting, Near(0.002));
        let mut games = Games::new();
        for id in 0..20_000 {
            let now = f64::from(id) * 0.01;
            while let Some(due) = window.next().filter(|due| *due <= now) {
                window.fire(due, &mut games);
            }
            let criteria = [(f64::from(id) * 0.618_033_988_75).fract()];
            window.enter(Arrival {
                id,
                time: now,
                criteria: &criteria,
            });
            assert!(window.pairs.len() <= super::MOST_STALE * (window.line.len() + 1));
        }
        assert!(games.len() > 9_000);
    }
}
