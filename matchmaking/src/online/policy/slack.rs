//! The widening range that follows the rate of arrivals.

use super::Policy;
use super::kind::pairs_on_a_line;
use super::window::Window;
use crate::online::arrivals::Arrival;
use crate::online::error::Error;
use crate::online::games::Games;
use crate::online::rate::Rate;
use crate::online::setting::Setting;

/// What is accepted at once, in units of the cost scale `√(f / (2 a τ_max))` of a pool at arrival rate `a`.
const BASE: f64 = 1.5;
/// What a wait of `τ_max` adds.
const GROWTH: f64 = 0.3;

/// As [`Threshold`](super::Threshold), with a base of `1.5 √(f / (2 a τ_max))` and a growth of 0.3, the rate `a` being estimated
/// from the past.
///
/// With `a τ_max` arrivals in the longest wait, both the difference to the nearest of them and the wait for a nearer one come to
/// about `1 / √(a τ_max)`: what is worth waiting for is a multiple of it.
///
/// # Complexity
/// O(log n) time per arrival with n who wait, O(n) space.
#[derive(Clone, Debug)]
pub struct Slack {
    tau_max: f64,
    weight: f64,
    rate: Rate,
    lead: f64,
    window: Window,
}

impl Slack {
    /// Nobody has arrived yet.
    ///
    /// # Errors
    /// [`Error::Unsuited`] unless games have two players and one criterion.
    pub fn new(setting: &Setting) -> Result<Self, Error> {
        pairs_on_a_line("slack", setting)?;
        let (tau_max, weight) = (setting.tau_max(), setting.weights()[0]);
        Ok(Self {
            tau_max,
            weight,
            rate: Rate::new(tau_max),
            lead: 0.0,
            window: Window::new(setting, weight * tau_max / GROWTH),
        })
    }
}

impl Policy for Slack {
    fn on_arrival(&mut self, arrival: Arrival<'_>, _: &mut Games) {
        self.rate.observe(arrival.time);
        let load = self.rate.per_time() * self.tau_max;
        let base = BASE * (self.weight / (2.0 * load)).sqrt();
        self.lead = base * self.tau_max / GROWTH;
        self.window.enter(arrival);
    }

    fn next_timer(&mut self) -> Option<f64> {
        self.window.next(self.lead)
    }

    fn on_timer(&mut self, now: f64, games: &mut Games) {
        self.window.fire(now, self.lead, games);
    }
}
