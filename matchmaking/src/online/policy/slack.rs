//! The widening range that follows the rate of arrivals.

use super::Policy;
use super::kind::pairs_on_a_line;
use super::window::{Delay, Window};
use crate::online::arrivals::Arrival;
use crate::online::error::Error;
use crate::online::games::Games;
use crate::online::rate::Rate;
use crate::online::setting::Setting;

/// What is accepted at once, in units of `√(f / (2 a τ_max))`.
const BASE: f64 = 1.44;
/// What a wait of `τ_max` adds.
const GROWTH: f64 = 0.19;
/// What the danger of playing with a bot adds at the end of the wait, as a part of what that costs.
const FEAR: f64 = 0.32;
/// How fast that danger falls with the number of arrivals still expected.
const HOPE: f64 = 0.92;

/// The load in use follows the estimate once it is off by this factor, so that noise does not move every pair all the
/// time.
const STEP: f64 = 1.1;

/// Newton's method falls by one unit of an exponent a step as long as it is far off: by 230 for the greatest weights.
const MOST_STEPS: usize = 300;

/// Two play as soon as their criteria cost is at most
///
/// `1.44 √(f / (2 L)) + 0.19 w + 0.32 (f + 2) exp(-0.92 L (1 - w))`,
///
/// `f` being the weight of the criterion, `w` the longer of their waits in units of `τ_max`, and `L = a τ_max` the
/// number of arrivals in the longest wait, estimated from the past; of several pairs the one that has been allowed to
/// for longest. Whoever has waited for `τ_max` plays with the nearest who waits, or with a bot.
///
/// With `L` arrivals in the longest wait, both the difference to the nearest of them and the wait for a nearer one cost
/// about `1 / √L`: what is worth waiting for is a multiple of it. The last term is the danger that nobody comes any
/// more, which is what counts where few arrive. The four numbers were fitted on the six patterns of the paper, at
/// 40,000 arrivals each.
///
/// # Complexity
/// O(log n) time per arrival with n who wait, O(n log n) when the rate has changed by a tenth; O(n) space.
#[derive(Clone, Debug)]
pub struct Slack {
    setting: Setting,
    rate: Rate,
    window: Window<Accepted>,
}

/// What is accepted after which wait.
#[derive(Clone, Copy, Debug)]
struct Accepted {
    weight: f64,
    load: f64,
}

impl Accepted {
    fn base(&self) -> f64 {
        BASE * (self.weight / (2.0 * self.load)).sqrt()
    }

    /// The danger after a wait, and how fast it grows.
    fn fear(&self, wait: f64) -> (f64, f64) {
        let slope = HOPE * self.load;
        let fear = FEAR * (self.weight + 2.0) * (slope * (wait - 1.0)).exp();
        (fear, slope * fear)
    }
}

impl Delay for Accepted {
    /// Where the accepted cost, which grows ever faster, reaches the pair's. Newton's method comes from above and stays
    /// there.
    fn delay(&self, difference: f64) -> f64 {
        let wanted = self.weight * difference - self.base();
        if GROWTH + self.fear(1.0).0 < wanted {
            return f64::INFINITY;
        }
        let mut wait = (wanted / GROWTH).min(1.0);
        for _ in 0..MOST_STEPS {
            let (fear, slope) = self.fear(wait);
            let step = (GROWTH * wait + fear - wanted) / (GROWTH + slope);
            wait -= step;
            if step < 1e-12 {
                break;
            }
        }
        wait
    }
}

impl Slack {
    /// Nobody has arrived yet.
    ///
    /// # Errors
    /// [`Error::Unsuited`] unless games have two players and one criterion.
    pub fn new(setting: &Setting) -> Result<Self, Error> {
        pairs_on_a_line("slack", setting)?;
        let (tau_max, weight) = (setting.tau_max(), setting.weights()[0]);
        let rate = Rate::new(tau_max);
        let load = rate.per_time() * tau_max;
        let window = Window::new(setting, Accepted { weight, load });
        Ok(Self {
            setting: setting.clone(),
            rate,
            window,
        })
    }

    fn follow_rate(&mut self, time: f64) {
        self.rate.observe(time);
        let load = self.rate.per_time() * self.setting.tau_max();
        let rule = *self.window.rule();
        if load > rule.load * STEP || load * STEP < rule.load {
            self.window.set_rule(Accepted { load, ..rule });
        }
    }
}

impl Policy for Slack {
    fn on_arrival(&mut self, arrival: Arrival<'_>, _: &mut Games) {
        self.follow_rate(arrival.time);
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

#[cfg(test)]
mod tests {
    use super::{Accepted, Delay, GROWTH};

    #[test]
    fn the_delay_is_where_the_accepted_cost_reaches_the_pairs() {
        for weight in [0.1, 2.0, 50.0] {
            for load in [0.01, 1.0, 5.0, 50.0, 1e4] {
                let rule = Accepted { weight, load };
                let mut before = f64::NEG_INFINITY;
                for step in 0..=1000 {
                    let difference = f64::from(step) / 1000.0;
                    let wait = rule.delay(difference);
                    assert!(wait >= before - 1e-9, "{weight} {load} {difference}");
                    before = wait;
                    if wait.is_finite() {
                        let accepted = rule.base() + GROWTH * wait + rule.fear(wait).0;
                        assert!(
                            (accepted - weight * difference).abs() < 1e-6 * (1.0 + weight),
                            "{weight} {load} {difference}"
                        );
                    }
                }
            }
        }
    }
}
