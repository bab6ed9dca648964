//! How often games are drawn, by maximum likelihood.

use std::collections::BTreeMap;

use super::rate::Skill;
use crate::engagement::outcome::{DrawRule, DrawShare};

/// Widths that are tried first: from one rating point on, each larger than the one before by a fifth or so.
const WIDTHS: usize = 70;
const WIDEST: f64 = 1e5;

/// Two forms of a draw rule, fitted, and the one that says more.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct DrawFit {
    /// The same share for all pairs.
    pub constant: DrawShare,
    /// Log-likelihood of that.
    pub constant_log_likelihood: f64,
    /// A share that falls with the difference of the ratings; none where no game, or every game, was a draw.
    pub gap: Option<DrawShare>,
    /// Log-likelihood of that.
    pub gap_log_likelihood: Option<f64>,
    /// The form with the smaller Bayesian information criterion: the second number of the falling share must gain half
    /// the logarithm of the number of games.
    pub chosen: DrawShare,
}

impl DrawFit {
    /// The rule with the chosen share.
    pub fn rule(&self) -> DrawRule {
        DrawRule::Fitted(self.chosen)
    }
}

/// Games and draws among them, by difference of ratings in whole points.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawCounts {
    by_gap: BTreeMap<u32, (u64, u64)>,
}

impl DrawCounts {
    /// Counts a game between these two.
    pub(super) fn add(&mut self, [a, b]: [Skill; 2], is_draw: bool) {
        let gap = (a.0 - b.0).abs().round() as u32;
        let (games, draws) = self.by_gap.entry(gap).or_default();
        *games += 1;
        *draws += u64::from(is_draw);
    }

    fn total(&self) -> (u64, u64) {
        let add = |(games, draws): (u64, u64), &(n, d): &(u64, u64)| (games + n, draws + d);
        self.by_gap.values().fold((0, 0), add)
    }

    fn log_likelihood(&self, share: DrawShare) -> f64 {
        let terms = self.by_gap.iter().map(|(&gap, &(games, draws))| {
            let chance = share.at(f64::from(gap));
            times_ln(draws, chance) + times_ln(games - draws, 1.0 - chance)
        });
        terms.sum()
    }

    /// Fits both forms; there is at least one game.
    pub(super) fn fit(&self) -> Option<DrawFit> {
        let (games, draws) = self.total();
        let constant = DrawShare::new(draws as f64 / games as f64, None)?;
        let constant_log_likelihood = self.log_likelihood(constant);
        let gap = if draws == 0 || draws == games {
            None
        } else {
            self.falling()
        };
        let gap_log_likelihood = gap.map(|share| self.log_likelihood(share));
        let needed = constant_log_likelihood + (games as f64).ln() / 2.0;
        let falls = gap.filter(|_| gap_log_likelihood.is_some_and(|found| found > needed));
        Some(DrawFit {
            constant,
            constant_log_likelihood,
            gap,
            gap_log_likelihood,
            chosen: falls.unwrap_or(constant),
        })
    }

    /// The best falling share: the best width of a grid, and then between its neighbours.
    fn falling(&self) -> Option<DrawShare> {
        let step = WIDEST.ln() / (WIDTHS - 1) as f64;
        let value = |ln_width: f64| {
            let share = self.best_share(ln_width.exp());
            share.map_or(f64::NEG_INFINITY, |share| self.log_likelihood(share))
        };
        let grid = (0..WIDTHS).map(|i| step * i as f64);
        let best = grid.map(|at| (at, value(at))).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let (mut low, mut high) = (best.0 - step, best.0 + step);
        // Thirds: 2/3 to the power 60 is far below what the shares are known to.
        for _ in 0..60 {
            let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if value(left) < value(right) {
                low = left;
            } else {
                high = right;
            }
        }
        self.best_share((low + (high - low) / 2.0).exp())
    }

    /// The best share among equals at a given width: where the derivative of the log-likelihood, which falls, is zero.
    fn best_share(&self, width: f64) -> Option<DrawShare> {
        let shape = DrawShare::new(1.0, Some(width))?;
        let bins: Vec<(f64, u64, u64)> = self
            .by_gap
            .iter()
            .map(|(&gap, &(games, draws))| (shape.at(f64::from(gap)), games, draws))
            .collect();
        let slope = |share: f64| {
            let terms = bins.iter().map(|&(fallen, games, draws)| {
                draws as f64 / share - (games - draws) as f64 * fallen / (1.0 - share * fallen)
            });
            terms.sum::<f64>()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if slope(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        DrawShare::new((low + high) / 2.0, Some(width))
    }
}

/// `count · ln(chance)`, where nothing that never happens costs anything.
fn times_ln(count: u64, chance: f64) -> f64 {
    if count == 0 { 0.0 } else { count as f64 * chance.ln() }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{DrawCounts, DrawFit, DrawShare};

    fn fitted(share: f64, width: Option<f64>, games: usize) -> DrawFit {
        let truth = DrawShare::new(share, width).expect("a share");
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts = DrawCounts::default();
        for _ in 0..games {
            let gap: f64 = rng.random_range(0.0..600.0);
            let is_draw = rng.random_bool(truth.at(gap));
            counts.add([(1500.0 + gap, 50.0), (1500.0, 50.0)], is_draw);
        }
        counts.fit().expect("games")
    }

    #[test]
    fn known_shares_are_found_again() {
        let falls = fitted(0.3, Some(250.0), 40_000);
        let found = falls.chosen;
        let width = found.width().expect("a share that falls");
        assert!(
            (found.share() - 0.3).abs() < 0.015 && (width - 250.0).abs() < 12.0,
            "{found:?}"
        );
        // No neighbour is likelier.
        let (share, best) = (found.share(), falls.gap_log_likelihood.expect("fitted"));
        let mut counts = DrawCounts::default();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..40_000 {
            let gap: f64 = rng.random_range(0.0..600.0);
            let truth = DrawShare::new(0.3, Some(250.0)).expect("a share");
            counts.add([(1500.0 + gap, 50.0), (1500.0, 50.0)], rng.random_bool(truth.at(gap)));
        }
        for (ds, dw) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1.0), (0.0, -1.0), (1e-3, -1.0)] {
            let near = DrawShare::new(share + ds, Some(width + dw)).expect("a share");
            assert!(counts.log_likelihood(near) < best);
        }
    }

    #[test]
    fn a_share_that_does_not_fall_is_said_to_be_constant() {
        let flat = fitted(0.2, None, 20_000);
        assert_eq!(flat.chosen, flat.constant);
        assert!((flat.chosen.share() - 0.2).abs() < 0.01);
        for share in [0.0, 1.0] {
            let one_kind = fitted(share, None, 100);
            assert_eq!((one_kind.chosen.share(), one_kind.gap), (share, None));
            assert_eq!(one_kind.constant_log_likelihood, 0.0);
        }
    }
}
