//! `A_G`: whoever comes first plays first.

use std::collections::VecDeque;

use super::Policy;
use crate::online::arrivals::Arrival;
use crate::online::games::Games;
use crate::online::setting::Setting;

/// The greedy algorithm `A_G`: as soon as `k` players wait, they play; criteria do not count. If there are not `k`
/// players `τ_max` after the first of them arrived, those who wait play with bots.
///
/// # Complexity
/// Constant time per arrival.
#[derive(Clone, Debug)]
pub struct Greedy {
    setting: Setting,
    queue: VecDeque<(u32, f64)>,
}

impl Greedy {
    /// Nobody waits yet.
    pub fn new(setting: &Setting) -> Self {
        Self {
            setting: setting.clone(),
            queue: VecDeque::new(),
        }
    }

    fn start(&mut self, now: f64, games: &mut Games) {
        games.push(now, self.queue.drain(..).map(|(id, _)| id));
    }
}

impl Policy for Greedy {
    fn on_arrival(&mut self, arrival: Arrival<'_>, games: &mut Games) {
        self.queue.push_back((arrival.id, arrival.time));
        if self.queue.len() == self.setting.players() {
            self.start(arrival.time, games);
        }
    }

    fn on_leave(&mut self, id: u32) -> bool {
        let place = self.queue.iter().position(|waiting| waiting.0 == id);
        place.and_then(|place| self.queue.remove(place)).is_some()
    }

    fn next_timer(&mut self) -> Option<f64> {
        self.queue.front().map(|&(_, time)| time + self.setting.tau_max())
    }

    fn on_timer(&mut self, now: f64, games: &mut Games) {
        self.start(now, games);
    }

    fn setting(&self) -> Option<&Setting> {
        Some(&self.setting)
    }
}
