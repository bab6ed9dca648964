//! How good predictions are.

use super::observe::Observation;
use crate::player::Outcome;

/// So many standard errors to either side hold 95 % of a normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How often it could have happened.
    pub count: u64,
    /// How often it did.
    pub happened: u64,
}

impl Share {
    fn add(&mut self, happened: bool) {
        self.count += 1;
        self.happened += u64::from(happened);
    }

    /// The part that happened; `None` where nothing could.
    pub fn rate(&self) -> Option<f64> {
        (self.count > 0).then(|| self.happened as f64 / self.count as f64)
    }

    /// Wilson's score interval of 95 % for the chance behind the rate, as if each time were independent of the others;
    /// `None` where nothing could happen. The rate lies in it.
    ///
    /// By observation: where players differ from each other, and each is seen several times, it is too narrow.
    ///
    /// # References
    /// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927,
    /// doi:10.1080/01621459.1927.10502953.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let rate = self.rate()?;
        let (n, z2) = (self.count as f64, Z * Z);
        let middle = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let reach = Z / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
        // Without rounding the rate lies between the two; with it, 297 of 297 had an upper end below 1.
        Some(((middle - reach).clamp(0.0, rate), (middle + reach).clamp(rate, 1.0)))
    }
}

/// Predictions near each other, and what came of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CalibrationBin {
    /// Least prediction.
    pub from: f64,
    /// Greatest prediction.
    pub to: f64,
    /// Mean prediction.
    pub predicted: f64,
    /// What happened.
    pub share: Share,
}

/// Churn after three outcomes in a row: a row of the paper's Table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pattern {
    /// The outcomes; the newest, that of the game just played, comes last.
    pub outcomes: [Outcome; 3],
    /// How many stopped.
    pub churn: Share,
}

/// Churn by last three outcomes, all 27 in the order of [`Outcome::ALL`], and how many observations have fewer than two
/// games before.
pub(super) fn by_last_three(observations: &[Observation]) -> (Vec<Pattern>, u64) {
    let mut patterns = Vec::with_capacity(27);
    for oldest in Outcome::ALL {
        for middle in Outcome::ALL {
            patterns.extend(Outcome::ALL.map(|newest| Pattern {
                outcomes: [oldest, middle, newest],
                churn: Share::default(),
            }));
        }
    }
    let mut short = 0;
    for observation in observations {
        let [Some(middle), Some(oldest), ..] = observation.snapshot.past else {
            short += 1;
            continue;
        };
        let position = 9 * oldest.index() + 3 * middle.index() + observation.upcoming.index();
        patterns[position].churn.add(observation.churned);
    }
    (patterns, short)
}

/// Chance that of one who stopped and one who stayed, the first has the higher prediction; equal ones count half.
/// `None` where there is only one kind.
///
/// # References
/// H. B. Mann, D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the
/// other", 1947, doi:10.1214/aoms/1177730491.
pub(super) fn auc(predictions: &[(f64, bool)]) -> Option<f64> {
    let mut sorted = predictions.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut wins, mut positives) = (0.0, 0.0, 0.0);
    for equal in sorted.chunk_by(|a, b| a.0 == b.0) {
        let stopped = equal.iter().filter(|(_, churned)| *churned).count() as f64;
        let stayed = equal.len() as f64 - stopped;
        wins += stopped * (below + stayed / 2.0);
        below += stayed;
        positives += stopped;
    }
    (positives > 0.0 && below > 0.0).then(|| wins / (positives * below))
}

/// Bins of equal size, ten or as many as there are predictions, from the least prediction to the greatest.
pub(super) fn deciles(predictions: &[(f64, bool)]) -> Vec<CalibrationBin> {
    let mut sorted = predictions.to_vec();
    // Ties in the order of what came of them would look like knowledge: the sort is stable, and keeps the input's
    // order.
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = sorted.len();
    let bins = (0..10).map(|bin| &sorted[bin * n / 10..(bin + 1) * n / 10]);
    bins.filter_map(bin).collect()
}

/// Bins of equal width of a probability, without the empty ones.
pub(super) fn tenths(predictions: impl Iterator<Item = (f64, bool)>) -> Vec<CalibrationBin> {
    let mut tenths = [const { Vec::new() }; 10];
    for (prediction, happened) in predictions {
        tenths[((10.0 * prediction) as usize).min(9)].push((prediction, happened));
    }
    tenths.iter().filter_map(|tenth| bin(tenth)).collect()
}

fn bin(predictions: &[(f64, bool)]) -> Option<CalibrationBin> {
    let all = predictions.iter().map(|prediction| prediction.0);
    let mut share = Share::default();
    predictions.iter().for_each(|&(_, happened)| share.add(happened));
    (!predictions.is_empty()).then(|| CalibrationBin {
        from: all.clone().fold(f64::INFINITY, f64::min),
        to: all.clone().fold(f64::NEG_INFINITY, f64::max),
        predicted: all.sum::<f64>() / predictions.len() as f64,
        share,
    })
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{Share, auc, deciles, tenths};

    fn predictions(n: usize, distinct: u32) -> Vec<(f64, bool)> {
        let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
        let draw = |_| {
            let prediction = f64::from(rng.random_range(0..distinct)) / f64::from(distinct);
            (prediction, rng.random_bool(0.2 + 0.6 * prediction))
        };
        (0..n).map(draw).collect()
    }

    #[test]
    fn auc_is_the_count_over_all_pairs() {
        for (n, distinct) in [(2, 3), (30, 4), (300, 7), (300, 1_000_000), (301, 1)] {
            let predictions = predictions(n, distinct);
            let (mut wins, mut pairs) = (0.0, 0.0);
            for &(high, _) in predictions.iter().filter(|p| p.1) {
                for &(low, _) in predictions.iter().filter(|p| !p.1) {
                    pairs += 1.0;
                    wins += if high > low {
                        1.0
                    } else if high == low {
                        0.5
                    } else {
                        0.0
                    };
                }
            }
            match auc(&predictions) {
                Some(found) => assert!((found - wins / pairs).abs() < 1e-12, "{n} {distinct}"),
                None => assert_eq!(pairs, 0.0),
            }
        }
        assert_eq!(auc(&[(0.1, true), (0.2, true)]), None);
    }

    #[test]
    fn intervals_are_wilsons() {
        let share = |happened, count| Share { count, happened };
        // Published: 81 of 263 has 0.2553 to 0.3662 (Newcombe 1998, table I, method 3).
        let (low, high) = share(81, 263).interval().expect("a rate");
        assert!(
            (low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5,
            "{low} {high}"
        );
        let (low, high) = share(0, 20).interval().expect("a rate");
        assert!(low == 0.0 && (high - 0.1611).abs() < 5e-5, "{high}");
        for count in 1..2_000 {
            let (none, all) = (share(0, count).interval(), share(count, count).interval());
            assert!(
                none.is_some_and(|none| none.0 == 0.0) && all.is_some_and(|all| all.1 == 1.0),
                "{count}"
            );
        }
        assert_eq!((share(0, 0).rate(), share(0, 0).interval()), (None, None));
    }

    #[test]
    fn bins_hold_everything_once() {
        for n in [1, 9, 10, 11, 97, 300] {
            let predictions = predictions(n, 50);
            let happened = predictions.iter().filter(|p| p.1).count() as u64;
            for bins in [deciles(&predictions), tenths(predictions.iter().copied())] {
                let sum = |of: &dyn Fn(&Share) -> u64| bins.iter().map(|bin| of(&bin.share)).sum::<u64>();
                assert_eq!(
                    (sum(&|share| share.count), sum(&|share| share.happened)),
                    (n as u64, happened)
                );
                assert!(
                    bins.iter()
                        .all(|bin| (bin.from..=bin.to + 1e-12).contains(&(bin.predicted + 1e-13)))
                );
                assert!(bins.windows(2).all(|two| two[0].to <= two[1].from));
            }
        }
    }
}
