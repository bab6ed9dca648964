//! From a difference to a score.

use super::error::{Error, RuleProblem};

/// A score that falls from 1 at a difference of 0.
///
/// Differences are relative: 1 is the greatest one possible. Scores are kept within 0 and 1.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case", deny_unknown_fields))]
#[non_exhaustive]
pub enum Curve {
    /// `1 - x`.
    Linear,
    /// `1 - x^exponent`: below 1, small differences count more; above 1, less.
    Power {
        /// Positive and finite.
        exponent: f64,
    },
    /// 1 up to `low`, then falling with the logarithm to 0 at `high`: equal ratios count equally.
    Log {
        /// Where it begins to fall; positive.
        low: f64,
        /// Where it reaches 0; above `low`, finite.
        high: f64,
    },
    /// Straight lines between these points `(difference, score)`, and the last score from there on.
    ///
    /// The first point is `(0, 1)`, differences rise, scores never do.
    Piecewise(Vec<(f64, f64)>),
}

impl Curve {
    /// The score at difference `x >= 0`.
    pub fn score(&self, x: f64) -> f64 {
        let score = match self {
            Self::Linear => 1.0 - x,
            Self::Power { exponent } => 1.0 - x.powf(*exponent),
            Self::Log { low, .. } if x <= *low => 1.0,
            Self::Log { high, .. } if x >= *high => 0.0,
            // Of two numbers side by side the logarithms are the same.
            Self::Log { low, high } if low.ln() >= high.ln() => (high - x) / (high - low),
            // By differences: ratios may leave the range.
            Self::Log { low, high } => (high.ln() - x.ln()) / (high.ln() - low.ln()),
            Self::Piecewise(points) => interpolate(points, x),
        };
        score.clamp(0.0, 1.0)
    }

    /// Checks that the curve falls from 1 at 0; `rule` is what errors call it.
    pub(super) fn check(&self, rule: &'static str) -> Result<(), Error> {
        let is_valid = match self {
            Self::Linear => true,
            Self::Power { exponent } => exponent.is_finite() && *exponent > 0.0,
            Self::Log { low, high } => high.is_finite() && *low > 0.0 && low < high,
            Self::Piecewise(points) => {
                let falls = |pair: &[(f64, f64)]| pair[0].0 < pair[1].0 && pair[0].1 >= pair[1].1;
                let is_score = |&(x, y): &(f64, f64)| x.is_finite() && (0.0..=1.0).contains(&y);
                points.first() == Some(&(0.0, 1.0)) && points.iter().all(is_score) && points.windows(2).all(falls)
            }
        };
        let problem = RuleProblem::NotDecreasing;
        if is_valid {
            Ok(())
        } else {
            Err(Error::BadRule { rule, problem })
        }
    }
}

fn interpolate(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points.partition_point(|&(at, _)| at <= x);
    match (points.get(after.wrapping_sub(1)), points.get(after)) {
        (Some(&(x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0),
        (Some(&(_, last)), None) => last,
        (None, _) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::Curve;

    #[test]
    fn curves_pass_through_the_points_they_should() {
        let power = Curve::Power { exponent: 2.0 };
        let log = Curve::Log { low: 40.0, high: 400.0 };
        let pieces = Curve::Piecewise(vec![(0.0, 1.0), (0.5, 0.8), (1.0, 0.0)]);
        let cases = [
            (&Curve::Linear, 0.25, 0.75),
            (&power, 0.5, 0.75),
            (&log, 20.0, 1.0),
            (&log, 400.0, 0.0),
            (&log, 160_f64.sqrt() * 10.0, 0.5),
            (&log, 4000.0, 0.0),
            (&pieces, 0.25, 0.9),
            (&pieces, 0.75, 0.4),
            (&pieces, 3.0, 0.0),
        ];
        for (curve, x, score) in cases {
            assert!((curve.score(x) - score).abs() < 1e-12, "{curve:?} at {x}");
            assert_eq!(curve.score(0.0), 1.0);
            assert!(curve.check("curve").is_ok());
        }
        // Neither ratio is a float.
        for (low, high) in [(5e-324, 1e9), (1e-300, 1e300)] {
            let wide = Curve::Log { low, high };
            let expected = (high.ln() - 50_f64.ln()) / (high.ln() - low.ln());
            assert!((wide.score(50.0) - expected).abs() < 1e-12 && wide.score(high) == 0.0);
        }
        // Logarithms tell neighbours not apart.
        for middle in [400_f64, 1e300, 1e-300] {
            let narrow = Curve::Log {
                low: middle.next_down(),
                high: middle.next_up(),
            };
            assert!(
                narrow.check("curve").is_ok() && (narrow.score(middle) - 0.5).abs() < 0.2,
                "{middle}"
            );
        }
        // The article: 110 to 100 ms is worth more than 210 to 200 ms.
        assert!(log.score(100.0) - log.score(110.0) > log.score(200.0) - log.score(210.0));
    }

    #[test]
    fn what_does_not_fall_from_one_is_refused() {
        let bad = [
            Curve::Power { exponent: 0.0 },
            Curve::Power { exponent: f64::NAN },
            Curve::Power {
                exponent: f64::INFINITY,
            },
            Curve::Log { low: 0.0, high: 1.0 },
            Curve::Log { low: 2.0, high: 1.0 },
            Curve::Log { low: 2.0, high: 2.0 },
            Curve::Log {
                low: 2.0,
                high: f64::INFINITY,
            },
            Curve::Piecewise(vec![]),
            Curve::Piecewise(vec![(0.0, 0.9), (1.0, 0.0)]),
            Curve::Piecewise(vec![(0.0, 1.0), (0.5, 0.2), (1.0, 0.3)]),
            Curve::Piecewise(vec![(0.0, 1.0), (0.5, 0.2), (0.5, 0.1)]),
            Curve::Piecewise(vec![(0.0, 1.0), (f64::NAN, 0.2)]),
            Curve::Piecewise(vec![(0.0, 1.0), (f64::INFINITY, 0.2)]),
            Curve::Piecewise(vec![(0.0, 1.0), (0.5, -0.2)]),
        ];
        for curve in bad {
            assert!(curve.check("curve").is_err(), "{curve:?}");
        }
        // A score may stay where it is.
        let flat = Curve::Piecewise(vec![(0.0, 1.0), (0.25, 1.0), (0.5, 0.2), (1.0, 0.2)]);
        assert!(flat.check("curve").is_ok());
        assert_eq!([0.125, 0.75, 2.0].map(|x| flat.score(x)), [1.0, 0.2, 0.2]);
    }
}
