//! How many players arrive per unit of time, from the past alone.

/// Gaps that count: few enough to follow an evening's rise, enough for an error of some 12 %.
const MEMORY: f64 = 64.0;

/// The arrival rate, estimated from the gaps between arrivals, recent ones first.
#[derive(Clone, Debug)]
pub(super) struct Rate {
    tau_max: f64,
    mean_gap: f64,
    gaps: f64,
    last: Option<f64>,
    /// Arrivals at the last instant.
    at_once: u32,
}

impl Rate {
    /// Before the first gap, one arrival in `τ_max` is assumed; that counts as one gap.
    pub(super) fn new(tau_max: f64) -> Self {
        Self {
            tau_max,
            mean_gap: tau_max,
            gaps: 1.0,
            last: None,
            at_once: 0,
        }
    }

    /// Somebody arrives. Who arrives at one instant shares the gap to the next: where clocks tick in seconds, gaps of
    /// nothing would multiply the rate without end.
    pub(super) fn observe(&mut self, time: f64) {
        let last = *self.last.get_or_insert(time);
        if time > last {
            // Between the ends of what floats hold lies more than they do.
            let gap = ((time - last) / f64::from(self.at_once)).min(f64::MAX);
            for _ in 0..self.at_once {
                self.gaps = (self.gaps + 1.0).min(MEMORY);
                self.mean_gap += (gap - self.mean_gap) / self.gaps;
            }
            (self.last, self.at_once) = (Some(time), 0);
        }
        self.at_once += 1;
    }

    /// Arrivals per unit of time; positive and finite. Those who came at this very instant came within `τ_max`: in a log
    /// whose clock ticks seldom nothing else is known for a while.
    pub(super) fn per_time(&self) -> f64 {
        let others = f64::from(self.at_once.saturating_sub(1));
        1.0 / self.mean_gap.min(self.tau_max / others).max(1e-12)
    }
}

#[cfg(test)]
mod tests {
    use super::Rate;

    /// A gap of nothing between two who come in the same second multiplied the rate: by e for 64 of them.
    #[test]
    fn clocks_that_tick_in_seconds_tell_the_same_rate() {
        let rate = |times: &dyn Fn(f64) -> f64| {
            let mut rate = Rate::new(30.0);
            (0..5_000).for_each(|i| rate.observe(times(f64::from(i) / 100.0)));
            rate.per_time()
        };
        for found in [rate(&|time| time), rate(&f64::floor)] {
            assert!((found / 100.0 - 1.0).abs() < 0.01, "{found}");
        }
        assert!((rate(&|_| 7.0) / (4_999.0 / 30.0) - 1.0).abs() < 1e-12);
        let mut hasty = Rate::new(f64::from_bits(1));
        (0..100).for_each(|_| hasty.observe(0.0));
        assert_eq!(hasty.per_time(), 1e12);
    }
}
