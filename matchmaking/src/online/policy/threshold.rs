//! A difference that is accepted grows while players wait.

use super::Policy;
use super::kind::{at_least_zero, pairs_on_a_line, positive};
use super::window::{Delay, Window};
use crate::online::arrivals::Arrival;
use crate::online::error::Error;
use crate::online::games::Games;
use crate::online::setting::Setting;

/// Two play as soon as their criteria cost is at most `base + growth w / τ_max`, `w` being the longer of their waits;
/// of several pairs the one with the most to spare. Whoever has waited for `τ_max` plays with the nearest who waits, or
/// with a bot.
///
/// This is what most services do: a range that widens. [`Slack`](super::Slack) chooses `base` by the rate of arrivals.
///
/// # Complexity
/// O(log n) time per arrival with n who wait, O(n) space.
#[derive(Clone, Debug)]
pub struct Threshold {
    setting: Setting,
    window: Window<Widening>,
}

/// A straight line: `weight d = base + growth w`.
#[derive(Clone, Copy, Debug)]
struct Widening {
    weight: f64,
    base: f64,
    growth: f64,
}

impl Delay for Widening {
    fn delay(&self, difference: f64) -> f64 {
        (self.weight * difference - self.base) / self.growth
    }
}

impl Threshold {
    /// With a criteria cost accepted at once, and what a wait of `τ_max` adds to it.
    ///
    /// # Errors
    /// [`Error::Unsuited`] unless games have two players and one criterion; [`Error::BadParameter`] unless `base` is 0
    /// or more and `growth` more than 0, both finite.
    pub fn new(setting: &Setting, base: f64, growth: f64) -> Result<Self, Error> {
        pairs_on_a_line("threshold", setting)?;
        at_least_zero("threshold", base)?;
        positive("threshold", growth)?;
        let weight = setting.weights()[0];
        let window = Window::new(setting, Widening { weight, base, growth });
        Ok(Self {
            setting: setting.clone(),
            window,
        })
    }
}

impl Policy for Threshold {
    fn on_arrival(&mut self, arrival: Arrival<'_>, _: &mut Games) {
        self.window.enter(arrival);
    }

    fn on_leave(&mut self, id: u32) -> bool {
        self.window.leave(id)
    }

    fn next_timer(&mut self) -> Option<f64> {
        self.window.next()
    }

    fn on_timer(&mut self, now: f64, games: &mut Games) {
        self.window.fire(now, games);
    }

    fn setting(&self) -> Option<&Setting> {
        Some(&self.setting)
    }
}
