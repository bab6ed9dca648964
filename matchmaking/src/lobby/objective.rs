//! From the scores of matches to the score of a round.

use super::error::{Error, RuleProblem};

/// What of the match scores is to be as large as possible.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[non_exhaustive]
pub enum Objective {
    /// Their mean.
    Mean,
    /// The mean of their square roots: lifting a bad match counts more.
    Sqrt,
    /// The mean of their powers; exponents below 1 favour bad matches, those above 1 good ones.
    Power {
        /// Positive and finite.
        exponent: f64,
    },
    /// Nearly the worst of them alone: a sum in which bad scores count by far the most. Of groupings whose worst scores
    /// are alike, the one with fewer bad ones is better.
    ///
    /// A search over sums cannot ask for the worst score as it stands. It is given `exp(sharpness (1 - score))` for each match:
    /// the grouping with the least sum has a worst match at most `ln(matches) / sharpness` below the best possible one.
    MinThenMean {
        /// Positive, at most 500; the higher, the closer to the worst match alone. 64 is a good one.
        sharpness: f64,
    },
}

/// The score of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Total {
    /// The mean over matches of what the objective makes of their scores; the mean score for
    /// [`Objective::MinThenMean`].
    pub mean: f64,
    /// The score of the worst match.
    pub worst: f64,
}

impl Objective {
    /// What a match of this score adds to the sum that a search minimises; falls as the score rises.
    pub fn cost(self, score: f64) -> f64 {
        match self {
            Self::Mean => -score,
            Self::Sqrt => -score.sqrt(),
            Self::Power { exponent } => -score.powf(exponent),
            Self::MinThenMean { sharpness } => (sharpness * (1.0 - score)).exp(),
        }
    }

    /// The score of a round of matches with these scores; `None` if there is none.
    pub fn total(self, scores: &[f64]) -> Option<Total> {
        let value = |score: f64| match self {
            Self::MinThenMean { .. } => score,
            _ => -self.cost(score),
        };
        let worst = scores.iter().copied().reduce(f64::min)?;
        let sum: f64 = scores.iter().map(|&score| value(score)).sum();
        Some(Total {
            mean: sum / scores.len() as f64,
            worst,
        })
    }

    pub(super) fn check(self) -> Result<(), Error> {
        let is_valid = match self {
            Self::Mean | Self::Sqrt => true,
            Self::Power { exponent } => exponent.is_finite() && exponent > 0.0,
            Self::MinThenMean { sharpness } => sharpness > 0.0 && sharpness <= 500.0,
        };
        let (rule, problem) = ("objective", RuleProblem::NotPositive);
        if is_valid {
            Ok(())
        } else {
            Err(Error::BadRule { rule, problem })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Objective;

    #[test]
    fn the_article_s_example_of_roots() {
        let sum =
            |objective: Objective, scores: [f64; 2]| scores.map(|score| objective.cost(score)).iter().sum::<f64>();
        let (before, after) = ([0.5, 0.9], [0.55, 0.8]);
        assert!(sum(Objective::Mean, after) > sum(Objective::Mean, before));
        let worst_first = Objective::MinThenMean { sharpness: 64.0 };
        assert!(sum(worst_first, after) < sum(worst_first, before));
        let total = worst_first.total(&before).expect("two matches");
        assert_eq!((total.mean, total.worst), (0.7, 0.5));
        assert_eq!(Objective::Sqrt.total(&[0.25, 1.0]).map(|total| total.mean), Some(0.75));
        assert_eq!(Objective::Mean.total(&[]), None);
    }

    #[test]
    fn settings_are_checked() {
        assert!(Objective::Power { exponent: -1.0 }.check().is_err());
        assert!(Objective::MinThenMean { sharpness: f64::NAN }.check().is_err());
        assert!(Objective::Power { exponent: 0.5 }.check().is_ok());
    }
}
