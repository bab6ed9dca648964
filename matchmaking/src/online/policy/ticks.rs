//! Everybody who waits is paired at once, exactly, every now and then.

use matching_core::{Blossom, Objective, cost};

use super::Policy;
use super::kind::positive;
use crate::online::arrivals::Arrival;
use crate::online::error::Error;
use crate::online::games::Games;
use crate::online::setting::Setting;
use crate::online::waiting::Waiting;

/// Costs of pairs and of staying behind are rounded to so many parts of the greatest criteria cost, or of what a whole
/// wait costs if that is more.
const GRID: f64 = 1e9;

/// Ticks of exact matching, for games of two by any number of criteria: at every tick all who wait are paired at the
/// least total criteria cost, by `matching-core`; of an odd number one stays, and staying costs `wait / τ_max`. Ticks
/// come at multiples of the interval after the first arrival. Whoever has waited for `τ_max` between two ticks plays
/// with the nearest who waits, or with a bot.
///
/// # Complexity
/// One exact matching of all who wait per tick.
#[derive(Clone, Debug)]
pub struct Ticks {
    setting: Setting,
    interval: f64,
    start: Option<f64>,
    /// When somebody came last.
    latest: f64,
    /// Ticks since the start, the next one included.
    next: f64,
    waiting: Waiting<(f64, Box<[f64]>)>,
    solver: Blossom<i64>,
}

impl Ticks {
    /// With a tick in every `interval` of time.
    ///
    /// # Errors
    /// [`Error::Unsuited`] unless games have two players, [`Error::BadParameter`] unless the interval is positive and
    /// finite.
    pub fn new(setting: &Setting, interval: f64) -> Result<Self, Error> {
        let (players, criteria) = (setting.players(), setting.criteria());
        if players != 2 {
            let (policy, serves) = ("ticks", "games of 2 players by any number of criteria");
            return Err(Error::Unsuited {
                policy,
                serves,
                players,
                criteria,
            });
        }
        positive("ticks", interval)?;
        Ok(Self {
            setting: setting.clone(),
            interval,
            start: None,
            latest: 0.0,
            next: 0.0,
            waiting: Waiting::new(),
            solver: Blossom::new().threads(1),
        })
    }

    fn next_tick(&self) -> f64 {
        // Of more ticks than floats hold there is one at any time.
        self.tick(self.next).max(self.latest)
    }

    fn tick(&self, number: f64) -> f64 {
        self.start.unwrap_or_default() + number * self.interval
    }

    /// Whether two wait.
    fn is_pair(&self) -> bool {
        self.waiting.iter().nth(1).is_some()
    }

    fn difference(&self, a: &[f64], b: &[f64]) -> f64 {
        let terms = self.setting.weights().iter().zip(a.iter().zip(b));
        terms.map(|(weight, (a, b))| weight * (a - b).abs()).sum()
    }

    /// Pairs all who wait but one of an odd number.
    fn pair_all(&mut self, now: f64, games: &mut Games) {
        let pool: Vec<(u32, f64, &[f64])> = self
            .waiting
            .iter()
            .map(|(id, (time, criteria))| (id, *time, &**criteria))
            .collect();
        let greatest = self.setting.weights().iter().sum::<f64>().max(1.0);
        let on_grid = |cost: f64| (cost / greatest * GRID).round() as i64;
        let costs = cost::from_symmetric_fn(pool.len(), |i, j| on_grid(self.difference(pool[i].2, pool[j].2)));
        let stays = pool
            .iter()
            .map(|(_, time, _)| on_grid((now - time) / self.setting.tau_max()))
            .collect();
        let solver = self.solver.clone().objective(Objective::MinBye(stays));
        let pairing = solver
            .solve(&costs)
            .expect("costs up to 10^9 on all pairs have a matching");
        let pairs: Vec<[u32; 2]> = pairing.pairs().map(|(i, j, _)| [pool[i].0, pool[j].0]).collect();
        for pair in pairs {
            self.start(now, &pair, games);
        }
    }

    fn start(&mut self, now: f64, players: &[u32], games: &mut Games) {
        for &id in players {
            self.waiting.remove(id);
        }
        games.push(now, players.iter().copied());
    }

    /// The wait of the oldest is over.
    fn serve_oldest(&mut self, now: f64, games: &mut Games) {
        let Some((oldest, (_, criteria))) = self.waiting.oldest() else {
            return;
        };
        let others = self.waiting.iter().skip(1);
        let nearest = others
            .map(|(id, (_, other))| (self.difference(criteria, other), id))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        match nearest {
            Some((_, other)) => self.start(now, &[oldest, other], games),
            None => self.start(now, &[oldest], games),
        }
    }
}

impl Policy for Ticks {
    fn on_arrival(&mut self, arrival: Arrival<'_>, _: &mut Games) {
        let start = *self.start.get_or_insert(arrival.time);
        // Nobody could be paired at ticks that have gone by, or he would have been. One of this instant has not gone by,
        // whatever rounding makes of how many intervals have.
        let mut first = ((arrival.time - start) / self.interval).floor().min(f64::MAX);
        if self.setting.is_before(self.tick(first), arrival.time) {
            first += 1.0;
        }
        self.next = self.next.max(first).max(1.0);
        self.latest = arrival.time;
        self.waiting.insert(arrival.id, (arrival.time, arrival.criteria.into()));
    }

    fn on_leave(&mut self, id: u32) -> bool {
        self.waiting.remove(id).is_some()
    }

    fn next_timer(&mut self) -> Option<f64> {
        let (_, (arrival, _)) = self.waiting.oldest()?;
        let end = arrival + self.setting.tau_max();
        // Ticks at which nobody can be paired may be far too many to go through.
        Some(if self.is_pair() { end.min(self.next_tick()) } else { end })
    }

    fn on_timer(&mut self, now: f64, games: &mut Games) {
        if self.is_pair() && self.next_tick() <= now {
            self.next += 1.0;
            self.pair_all(now, games);
        } else {
            self.serve_oldest(now, games);
        }
    }

    fn setting(&self) -> Option<&Setting> {
        Some(&self.setting)
    }
}
