//! When a round is held.

use std::fmt;

use crate::lobby::error::Error;
use crate::lobby::round::MAX_PLAYERS;
use crate::lobby::rules::Rules;

/// When a [`Service`](super::Service) holds a round: every so many seconds, or once so many players wait.
///
/// Larger rounds give better matches and longer waits.
///
/// # Examples
/// ```
/// use matchmaking::lobby::RoundRule;
///
/// assert_eq!(RoundRule::every(60.0).to_string(), "every 60 s");
/// assert_eq!(RoundRule::wait_for_at_most(100, 300.0).to_string(), "100 waiting or after 300 s");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundRule {
    seconds: Option<f64>,
    players: Option<usize>,
}

impl RoundRule {
    /// At every whole multiple of so many seconds at which somebody waits.
    pub fn every(seconds: f64) -> Self {
        Self {
            seconds: Some(seconds),
            players: None,
        }
    }

    /// As soon as so many players wait. Where as many are left over, not before somebody arrives: the same players would be left
    /// over again.
    pub fn wait_for(players: usize) -> Self {
        Self {
            seconds: None,
            players: Some(players),
        }
    }

    /// The same, and so many seconds after the last round, or after the first one of those who wait has arrived, anyway: nobody waits
    /// longer for a round, as the article has it.
    pub fn wait_for_at_most(players: usize, seconds: f64) -> Self {
        Self {
            seconds: Some(seconds),
            players: Some(players),
        }
    }

    /// Seconds from round to round, or those after which there is one anyway, if it goes by them.
    pub fn seconds(&self) -> Option<f64> {
        self.seconds
    }

    /// Players who have to wait, if it goes by them.
    pub fn players(&self) -> Option<usize> {
        self.players
    }

    pub(super) fn check(&self, rules: &Rules) -> Result<(), Error> {
        if let Some(found) = self.seconds.filter(|&seconds| !(seconds > 0.0 && seconds.is_finite())) {
            return Err(Error::BadInterval { found });
        }
        let (least, most) = (rules.match_size(), MAX_PLAYERS);
        match self.players.filter(|players| !(least..=most).contains(players)) {
            Some(found) => Err(Error::BadCrowd { found, least, most }),
            None => Ok(()),
        }
    }

    /// When a round is due by the clock alone, of players of whom the first waits since then, after a last round; none where times
    /// are too great for the seconds.
    pub(super) fn due(&self, since: f64, last: f64) -> Option<f64> {
        let seconds = self.seconds?;
        if self.players.is_some() {
            let from = since.max(last);
            return Some(from + seconds).filter(|&due| due > from && due.is_finite());
        }
        // Quotients are rounded, and so are multiples: the one before and the one after may be the right one.
        let number = (since.max(last) / seconds).floor();
        let multiples = [-1.0, 0.0, 1.0, 2.0].map(|step| (number + step) * seconds);
        multiples
            .into_iter()
            .find(|&due| due >= since && due > last && due.is_finite())
    }
}

impl fmt::Display for RoundRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.players, self.seconds) {
            (Some(players), None) => write!(f, "{players} waiting"),
            (Some(players), Some(seconds)) => write!(f, "{players} waiting or after {seconds} s"),
            (None, Some(seconds)) => write!(f, "every {seconds} s"),
            (None, None) => f.write_str("never"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RoundRule;

    #[test]
    fn rounds_are_due_at_multiples() {
        let rule = RoundRule::every(60.0);
        let never = f64::NEG_INFINITY;
        assert_eq!(rule.due(0.0, never), Some(0.0));
        assert_eq!(rule.due(0.5, never), Some(60.0));
        assert_eq!(rule.due(60.0, never), Some(60.0));
        assert_eq!(rule.due(60.0, 60.0), Some(120.0));
        // Held late: the one that was missed is not held again.
        assert_eq!(rule.due(10.0, 130.0), Some(180.0));
        assert_eq!(rule.due(-90.0, never), Some(-60.0));
        assert_eq!(RoundRule::every(0.1).due(1e300, 1e300), None);
        assert_eq!(RoundRule::wait_for(6).due(0.0, never), None);
        let at_latest = RoundRule::wait_for_at_most(6, 60.0);
        assert_eq!(at_latest.due(5.0, never), Some(65.0));
        // Who was left over waits for the next one as long as others.
        assert_eq!(at_latest.due(5.0, 50.0), Some(110.0));
        assert_eq!(at_latest.due(70.0, 50.0), Some(130.0));
        assert_eq!(at_latest.due(1e300, never), None);
        // A quotient that is rounded up to the next number skips no multiple: neither that at which somebody arrives, nor that
        // after a round which was held just before it.
        for (seconds, number) in [(7.7, 37.0), (0.1, 10_000_046.0), (0.3, 7.0)] {
            let (rule, multiple) = (RoundRule::every(seconds), number * seconds);
            assert_eq!(rule.due(multiple, never), Some(multiple));
            assert_eq!(rule.due(multiple.next_down(), never), Some(multiple));
            assert_eq!(rule.due(0.0, multiple.next_down()), Some(multiple));
            assert_eq!(rule.due(multiple, multiple), Some((number + 1.0) * seconds));
        }
        assert_eq!(rule.due(-1.0, -5e-324), Some(0.0));
        // Multiples that are rounded are still after what was held.
        for seconds in [0.1, 0.3, 1.0 / 3.0, 7.7] {
            let rule = RoundRule::every(seconds);
            let mut last = never;
            for number in 0..1000 {
                let due = rule.due(0.0, last).expect("times are small");
                assert_eq!(due, f64::from(number) * seconds);
                last = due;
            }
        }
    }
}
