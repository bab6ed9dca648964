//! How many players arrive per unit of time, from the past alone.

/// Gaps that count: few enough to follow an evening's rise, enough for an error of some 12 %.
const MEMORY: f64 = 64.0;

/// The arrival rate, estimated from the gaps between arrivals, recent ones first.
#[derive(Clone, Debug)]
pub(super) struct Rate {
    mean_gap: f64,
    gaps: f64,
    last: Option<f64>,
}

impl Rate {
    /// Before the first gap, one arrival in `τ_max` is assumed; that counts as one gap.
    pub(super) fn new(tau_max: f64) -> Self {
        Self {
            mean_gap: tau_max,
            gaps: 1.0,
            last: None,
        }
    }

    /// Somebody arrives.
    pub(super) fn observe(&mut self, time: f64) {
        if let Some(last) = self.last.replace(time) {
            self.gaps = (self.gaps + 1.0).min(MEMORY);
            self.mean_gap += (time - last - self.mean_gap) / self.gaps;
        }
    }

    /// Arrivals per unit of time; positive and finite.
    pub(super) fn per_time(&self) -> f64 {
        // Logs where everybody arrives at once have no gaps at all.
        1.0 / self.mean_gap.max(1e-12)
    }
}
