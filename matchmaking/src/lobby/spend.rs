//! What searches may spend, and have spent.

use std::time::Duration;

use matching_heuristics::Stop;

/// So much of a limit is used where a search has ended with it: engines plan ahead to end just before.
const USED_UP: f64 = 0.9;

/// When a search ends.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) work: Option<u64>,
    pub(super) time: Option<Duration>,
}

impl Limits {
    /// So much work where there are no limits.
    pub(super) fn or_work(self, work: u64) -> Self {
        Self {
            work: if self.is_free() { Some(work) } else { self.work },
            ..self
        }
    }

    pub(super) fn half(self) -> Self {
        Self {
            work: self.work.map(|work| work / 2),
            time: self.time.map(|time| time / 2),
        }
    }

    /// What one of so many has, where each has as much, but for so much work at least that makes sense.
    pub(super) fn share(self, among: u32, least: u64) -> Self {
        Self {
            work: (self.work).map(|work| (work / u64::from(among)).max(least.min(work))),
            time: self.time.map(|time| time / among),
        }
    }

    /// What is left of them.
    pub(super) fn after(self, spent: Spent) -> Self {
        Self {
            work: self.work.map(|limit| limit.saturating_sub(spent.work)),
            time: self.time.map(|limit| limit.saturating_sub(spent.elapsed)),
        }
    }

    /// Whether after so much was spent more is left of each of them than what an engine leaves that plans ahead.
    pub(super) fn leave(self, spent: Spent) -> bool {
        !self.is_free() && self.used(spent).into_iter().flatten().all(|used| used < USED_UP)
    }

    /// Whether nothing is left of one of them.
    pub(super) fn are_over(self, spent: Spent) -> bool {
        let left = self.after(spent);
        left.work == Some(0) || left.time == Some(Duration::ZERO)
    }

    /// Whether there are limits, and no more is left of one of them than that.
    pub(super) fn used_up(self, spent: Spent) -> bool {
        !self.is_free() && !self.leave(spent)
    }

    /// The limit of which no more than that is left, if there is one.
    pub(super) fn ended_by(self, spent: Spent) -> Option<Stop> {
        let [work, time] = self.used(spent).map(|used| used.is_some_and(|used| used >= USED_UP));
        match (work, time) {
            (true, _) => Some(Stop::Work),
            (_, true) => Some(Stop::Time),
            _ => None,
        }
    }

    fn is_free(self) -> bool {
        self.work.is_none() && self.time.is_none()
    }

    /// Which share of the work and which of the time was spent, where they are limited; of nothing all.
    fn used(self, spent: Spent) -> [Option<f64>; 2] {
        let share = |spent: f64, limit: f64| if limit > 0.0 { spent / limit } else { 1.0 };
        [
            self.work.map(|limit| share(spent.work as f64, limit as f64)),
            (self.time).map(|limit| share(spent.elapsed.as_secs_f64(), limit.as_secs_f64())),
        ]
    }
}

/// What searches took.
#[derive(Clone, Copy, Default)]
pub(super) struct Spent {
    pub(super) work: u64,
    pub(super) elapsed: Duration,
}

impl Spent {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            work: self.work + other.work,
            elapsed: self.elapsed + other.elapsed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_all_of_little_and_never_more_than_there_is() {
        let work = |work, among| {
            let time = Some(Duration::from_secs(6));
            let share = Limits { work: Some(work), time }.share(among, 100);
            assert_eq!(share.time, Some(Duration::from_secs(6) / among));
            share.work
        };
        let shares = [work(1_000, 4), work(300, 4), work(30, 4), work(0, 1)];
        assert_eq!(shares, [250, 100, 30, 0].map(Some));
        let free = Limits { work: None, time: None }.share(3, 100);
        assert!(free.is_free());
    }

    #[test]
    fn little_is_left_of_a_limit_once_nine_tenths_are_used() {
        let limits = |work, seconds: Option<f64>| Limits {
            work,
            time: seconds.map(Duration::from_secs_f64),
        };
        let spent = |work, seconds| Spent {
            work,
            elapsed: Duration::from_secs_f64(seconds),
        };
        for (limits, spent, is_left) in [
            (limits(Some(100), None), spent(100, 9.0), false),
            (limits(Some(100), None), spent(92, 9.0), false),
            (limits(Some(100), None), spent(50, 9.0), true),
            (limits(None, Some(2.0)), spent(100, 2.0), false),
            (limits(None, Some(2.0)), spent(100, 1.0), true),
            (limits(Some(100), Some(2.0)), spent(105, 1.0), false),
            (limits(Some(100), Some(2.0)), spent(50, 2.1), false),
            (limits(Some(100), Some(2.0)), spent(50, 1.0), true),
            (limits(Some(0), None), spent(0, 0.0), false),
            (limits(None, Some(0.0)), spent(0, 0.0), false),
            (limits(None, None), spent(5, 0.0), false),
        ] {
            assert_eq!(limits.leave(spent), is_left, "{:?}, {:?}", limits.work, limits.time);
            let is_free = limits.work.is_none() && limits.time.is_none();
            assert_eq!(limits.used_up(spent), !is_left && !is_free);
        }
    }
}
