//! `A_PM`: a period's players are sorted, neighbours play.

use std::collections::VecDeque;

use super::Policy;
use crate::online::arrivals::Arrival;
use crate::online::error::Error;
use crate::online::games::Games;
use crate::online::rate::Rate;
use crate::online::setting::Setting;

/// The periodic algorithm `A_PM`: a period ends when `x k` players wait, or the first of them has waited for `τ_max`.
/// Of the `m` who wait then, the first `m - m mod k` are sorted by their criterion and every `k` in a row play; the
/// others open the next period. If fewer than `k` wait at the end of a period, they play with bots. Equal criteria keep
/// the order of arrival.
///
/// The adaptive one sets `x` after every arrival to the better neighbour of `n_opt / k`, by formulas (5) and (6) at the
/// rate estimated from the past. The paper has them for a weight of `k`; with a weight `f` a game costs
/// `f (k - 1) / (n + 1) + k (n - 1) / (2 a τ_max)`, which is least at `n_opt = √(2 a τ_max f (k - 1) / k) - 1`.
///
/// # Complexity
/// O(log x) time per arrival on average.
#[derive(Clone, Debug)]
pub struct Periodic {
    setting: Setting,
    players: usize,
    tau_max: f64,
    /// `x`, games per period.
    games: usize,
    /// For the adaptive one.
    rate: Option<Rate>,
    queue: VecDeque<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    id: u32,
    time: f64,
    criterion: f64,
}

impl Periodic {
    /// With `games` games per period.
    ///
    /// # Errors
    /// [`Error::Unsuited`] unless there is one criterion, [`Error::BadParameter`] if `games` is 0.
    pub fn fixed(setting: &Setting, games: usize) -> Result<Self, Error> {
        let (players, criteria) = (setting.players(), setting.criteria());
        if criteria != 1 {
            let (policy, serves) = ("periodic", "games of any size by 1 criterion");
            return Err(Error::Unsuited {
                policy,
                serves,
                players,
                criteria,
            });
        }
        if games == 0 {
            return Err(Error::BadParameter {
                policy: "periodic",
                found: "0".to_owned(),
                needs: "a period needs at least 1 game",
            });
        }
        let (tau_max, queue) = (setting.tau_max(), VecDeque::new());
        Ok(Self {
            setting: setting.clone(),
            players,
            tau_max,
            games,
            rate: None,
            queue,
        })
    }

    /// With as many games per period as the rate so far calls for.
    ///
    /// # Errors
    /// [`Error::Unsuited`] unless there is one criterion.
    pub fn adaptive(setting: &Setting) -> Result<Self, Error> {
        let policy = Self::fixed(setting, 1)?;
        Ok(Self {
            rate: Some(Rate::new(setting.tau_max())),
            ..policy
        })
    }

    /// Formula (5), for the weight of the setting: what a game costs with `x` games per period.
    fn expected(&self, games: usize, rate: f64) -> f64 {
        let (k, n) = (self.players as f64, games as f64 * self.players as f64);
        self.setting.weights()[0] * (k - 1.0) / (n + 1.0) + k * (n - 1.0) / (2.0 * rate * self.tau_max)
    }

    /// Formula (6), for the weight of the setting, in games, rounded to where formula (5) is less.
    fn best_games(&self, rate: f64) -> usize {
        let k = self.players as f64;
        // 1 for the paper's weight. First, so that a weight of 0 is multiplied by numbers alone.
        let share = self.setting.weights()[0] / k;
        let n_opt = (share * 2.0 * rate * (k - 1.0) * self.tau_max).sqrt() - 1.0;
        // More games than there can be players are as many as nobody waits for.
        let low = ((n_opt / k).min(f64::from(u32::MAX)).floor() as usize).max(1);
        if self.expected(low + 1, rate) < self.expected(low, rate) {
            low + 1
        } else {
            low
        }
    }

    fn end_period(&mut self, now: f64, games: &mut Games) {
        let whole = self.queue.len() - self.queue.len() % self.players;
        if whole == 0 {
            games.push(now, self.queue.drain(..).map(|entry| entry.id));
            return;
        }
        let mut period: Vec<Entry> = self.queue.drain(..whole).collect();
        period.sort_by(|a, b| a.criterion.total_cmp(&b.criterion));
        for game in period.chunks_exact(self.players) {
            games.push(now, game.iter().map(|entry| entry.id));
        }
    }
}

impl Policy for Periodic {
    fn on_arrival(&mut self, arrival: Arrival<'_>, games: &mut Games) {
        let Arrival { id, time, criteria } = arrival;
        if let Some(rate) = &mut self.rate {
            rate.observe(time);
            let per_time = rate.per_time();
            self.games = self.best_games(per_time);
        }
        // Adding 0 makes -0 and 0 the same.
        self.queue.push_back(Entry {
            id,
            time,
            criterion: criteria[0] + 0.0,
        });
        if self.queue.len() >= self.games.saturating_mul(self.players) {
            self.end_period(time, games);
        }
    }

    fn on_leave(&mut self, id: u32) -> bool {
        let place = self.queue.binary_search_by_key(&id, |entry| entry.id);
        place.is_ok_and(|place| self.queue.remove(place).is_some())
    }

    fn next_timer(&mut self) -> Option<f64> {
        self.queue.front().map(|entry| entry.time + self.tau_max)
    }

    fn on_timer(&mut self, now: f64, games: &mut Games) {
        self.end_period(now, games);
    }

    fn setting(&self) -> Option<&Setting> {
        Some(&self.setting)
    }
}
