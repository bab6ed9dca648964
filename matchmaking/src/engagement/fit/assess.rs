//! How good predictions are.

use std::collections::BTreeMap;

use super::observe::Observation;
use crate::player::Outcome;

/// So many standard errors to either side hold 95 % of a normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
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
    /// By observation: where players differ from each other, and each is seen several times, it is too narrow. Those of
    /// [`CalibrationBin::interval`] and [`Pattern::interval`] allow for that.
    ///
    /// # References
    /// E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927,
    /// doi:10.1080/01621459.1927.10502953.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.interval_of(self.count as f64)
    }

    /// The interval if that rate were of `n` independent times.
    fn interval_of(&self, n: f64) -> Option<(f64, f64)> {
        let rate = self.rate()?;
        let z2 = Z * Z;
        let middle = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let reach = Z / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
        // Without rounding the rate lies between the two; with it, 297 of 297 had an upper end below 1.
        Some(((middle - reach).clamp(0.0, rate), (middle + reach).clamp(rate, 1.0)))
    }
}

/// A share, player by player.
#[derive(Clone, Debug, Default)]
struct Shares {
    by_player: BTreeMap<u32, Share>,
}

impl Shares {
    fn add(&mut self, player: u32, happened: bool) {
        self.by_player.entry(player).or_default().add(happened);
    }

    /// The share of all players, how many these are, and Wilson's interval for as many independent times as say as much
    /// as these do: the variance of a rate of independent times, over that by how much players differ from the common
    /// rate. Never more than there are, as chance may have it, and where nobody differs, since nothing or everything
    /// happened, one of each player.
    ///
    /// # References
    /// E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts
    /// estimated from survey data", Survey Methodology 24, 1998.
    fn sum(&self) -> (Share, u64, Option<(f64, f64)>) {
        let mut all = Share::default();
        for own in self.by_player.values() {
            all.count += own.count;
            all.happened += own.happened;
        }
        let players = self.by_player.len() as f64;
        let interval = all.rate().and_then(|rate| {
            let count = all.count as f64;
            let differs = |own: &Share| (own.happened as f64 - rate * own.count as f64).powi(2);
            let squares: f64 = self.by_player.values().map(differs).sum();
            let independent = count * count * rate * (1.0 - rate) * (players - 1.0) / (players * squares);
            let is_mixed = all.happened > 0 && all.happened < all.count;
            // One player alone is one time, however often he is seen.
            let says = if is_mixed && players > 1.0 {
                independent.clamp(1.0, count)
            } else {
                players
            };
            all.interval_of(says)
        });
        (all, self.by_player.len() as u64, interval)
    }
}

/// Predictions near each other, and what came of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
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
    /// Of how many players.
    pub players: u64,
    /// An interval of 95 % for the chance behind the rate, which allows for what observations of one player have to do
    /// with each other.
    pub interval: Option<(f64, f64)>,
}

/// Churn after three outcomes in a row: a row of the paper's Table 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Pattern {
    /// The outcomes; the newest, that of the game just played, comes last.
    pub outcomes: [Outcome; 3],
    /// How many stopped.
    pub churn: Share,
    /// Of how many players.
    pub players: u64,
    /// An interval of 95 % for the chance to stop, as that of a [`CalibrationBin`]; `None` where nobody had these
    /// outcomes.
    pub interval: Option<(f64, f64)>,
}

/// A chance that was given to something that concerns a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prediction {
    pub(super) player: u32,
    pub(super) chance: f64,
    pub(super) happened: bool,
}

/// Churn by last three outcomes, all 27 in the order of [`Outcome::ALL`], and how many observations have fewer than two
/// games before.
pub(super) fn by_last_three(observations: &[Observation]) -> (Vec<Pattern>, u64) {
    let mut shares = vec![Shares::default(); 27];
    let mut short = 0;
    for observation in observations {
        let [Some(middle), Some(oldest), ..] = observation.snapshot.past else {
            short += 1;
            continue;
        };
        let position = 9 * oldest.index() + 3 * middle.index() + observation.upcoming.index();
        shares[position].add(observation.player, observation.churned);
    }
    let pattern = |(position, shares): (usize, &Shares)| {
        let (churn, players, interval) = shares.sum();
        Pattern {
            outcomes: [position / 9, position / 3 % 3, position % 3].map(|index| Outcome::ALL[index]),
            churn,
            players,
            interval,
        }
    };
    (shares.iter().enumerate().map(pattern).collect(), short)
}

/// Chance that of one who stopped and one who stayed, the first has the higher prediction; equal ones count half.
/// `None` where there is only one kind.
///
/// # References
/// H. B. Mann, D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the
/// other", 1947, doi:10.1214/aoms/1177730491.
pub(super) fn auc(predictions: &[Prediction]) -> Option<f64> {
    let mut sorted = predictions.to_vec();
    sorted.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    let (mut below, mut wins, mut positives) = (0.0, 0.0, 0.0);
    for equal in sorted.chunk_by(|a, b| a.chance == b.chance) {
        let stopped = equal.iter().filter(|prediction| prediction.happened).count() as f64;
        let stayed = equal.len() as f64 - stopped;
        wins += stopped * (below + stayed / 2.0);
        below += stayed;
        positives += stopped;
    }
    (positives > 0.0 && below > 0.0).then(|| wins / (positives * below))
}

/// Bins of equal size, ten or as many as there are predictions, from the least prediction to the greatest.
pub(super) fn deciles(predictions: &[Prediction]) -> Vec<CalibrationBin> {
    let mut sorted = predictions.to_vec();
    // Ties in the order of what came of them would look like knowledge: the sort is stable, and keeps the input's
    // order.
    sorted.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    let n = sorted.len();
    let bins = (0..10).map(|bin| &sorted[bin * n / 10..(bin + 1) * n / 10]);
    bins.filter_map(bin).collect()
}

/// Bins of equal width of a probability, without the empty ones.
pub(super) fn tenths(predictions: impl Iterator<Item = Prediction>) -> Vec<CalibrationBin> {
    let mut tenths = [const { Vec::new() }; 10];
    for prediction in predictions {
        tenths[((10.0 * prediction.chance) as usize).min(9)].push(prediction);
    }
    tenths.iter().filter_map(|tenth| bin(tenth)).collect()
}

fn bin(predictions: &[Prediction]) -> Option<CalibrationBin> {
    let all = predictions.iter().map(|prediction| prediction.chance);
    let mut shares = Shares::default();
    predictions.iter().for_each(|p| shares.add(p.player, p.happened));
    let (share, players, interval) = shares.sum();
    (!predictions.is_empty()).then(|| CalibrationBin {
        from: all.clone().fold(f64::INFINITY, f64::min),
        to: all.clone().fold(f64::NEG_INFINITY, f64::max),
        predicted: all.sum::<f64>() / predictions.len() as f64,
        share,
        players,
        interval,
    })
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{Prediction, Share, Shares, auc, deciles, tenths};

    fn predictions(n: usize, distinct: u32) -> Vec<Prediction> {
        let mut rng = ChaCha8Rng::seed_from_u64(n as u64);
        let draw = |player| {
            let chance = f64::from(rng.random_range(0..distinct)) / f64::from(distinct);
            Prediction {
                player,
                chance,
                happened: rng.random_bool(0.2 + 0.6 * chance),
            }
        };
        (0..n as u32).map(draw).collect()
    }

    #[test]
    fn auc_is_the_count_over_all_pairs() {
        for (n, distinct) in [(2, 3), (30, 4), (300, 7), (300, 1_000_000), (301, 1)] {
            let predictions = predictions(n, distinct);
            let (mut wins, mut pairs) = (0.0, 0.0);
            for high in predictions.iter().filter(|p| p.happened).map(|p| p.chance) {
                for low in predictions.iter().filter(|p| !p.happened).map(|p| p.chance) {
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
        let stopped = |chance| Prediction {
            player: 0,
            chance,
            happened: true,
        };
        assert_eq!(auc(&[0.1, 0.2].map(stopped)), None);
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

    /// Players of 1 to 30 observations who stop always or never, but for one of ten times: Wilson's intervals by
    /// observation held 39 % of the time.
    #[test]
    fn intervals_hold_where_players_differ_from_each_other() {
        let (mut held, mut by_observation) = (0, 0);
        for seed in 0..400 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut shares = Shares::default();
            for player in 0..60 {
                let chance = if rng.random_bool(0.4) { 0.9 } else { 0.1 };
                (0..rng.random_range(1..=30)).for_each(|_| shares.add(player, rng.random_bool(chance)));
            }
            let (share, players, interval) = shares.sum();
            assert_eq!(players, 60);
            let holds = |interval: Option<(f64, f64)>| interval.is_some_and(|(low, high)| low < 0.42 && 0.42 < high);
            held += u32::from(holds(interval));
            by_observation += u32::from(holds(share.interval()));
        }
        // 95 % are 380, with a standard deviation of 4.
        assert!(
            (364..396).contains(&held) && by_observation < 280,
            "{held} {by_observation}"
        );
    }

    #[test]
    fn intervals_by_player_are_those_by_observation_where_each_is_seen_once() {
        let shares = |of: &[(u32, bool)]| {
            let mut shares = Shares::default();
            of.iter().for_each(|&(player, happened)| shares.add(player, happened));
            shares.sum()
        };
        let once: Vec<(u32, bool)> = (0..50).map(|player| (player, player % 5 == 0)).collect();
        let (share, _, interval) = shares(&once);
        // The variance between players is over one less than their number.
        let few = share.interval_of(49.0);
        let near = |(a, b): ((f64, f64), (f64, f64))| (a.0 - b.0).abs() + (a.1 - b.1).abs() < 1e-12;
        assert!(interval.zip(few).is_some_and(near), "{interval:?} {few:?}");
        // Whoever is copied says nothing more.
        let copied: Vec<(u32, bool)> = once.iter().flat_map(|&one| [one; 7]).collect();
        assert!(interval.zip(shares(&copied).2).is_some_and(near));
        // Nothing happened, to two players or to one: there is no saying how much the next one differs.
        let none = shares(&[(0, false), (0, false), (1, false)]);
        let two = Share { count: 2, happened: 0 };
        assert_eq!(none.2, two.interval());
        assert_eq!(
            shares(&[(0, true), (0, false)]).2,
            Share { count: 2, happened: 1 }.interval_of(1.0)
        );
        assert_eq!(shares(&[]), (Share::default(), 0, None));
    }

    #[test]
    fn bins_hold_everything_once() {
        for n in [1, 9, 10, 11, 97, 300] {
            let predictions = predictions(n, 50);
            let happened = predictions.iter().filter(|p| p.happened).count() as u64;
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
