//! Intervals and tests; the distributions come from the crate `statrs`.

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};

/// Share of intervals that hold what they are of.
pub const CONFIDENCE: f64 = 0.95;

/// Mean and spread of independent values.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Sample {
    /// How many values.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// Their variance, over `count - 1`.
    pub variance: f64,
}

/// A mean with its 95 % interval by Student's distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Sample {
    /// The mean and where it may lie: anywhere, where one value has no spread.
    pub fn estimate(&self) -> Estimate {
        if self.count < 2 {
            return Estimate {
                mean: self.mean,
                standard_error: f64::INFINITY,
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            };
        }
        let standard_error = (self.variance / self.count as f64).sqrt();
        let reach = standard_error * quantile(self.count as f64 - 1.0);
        Estimate {
            mean: self.mean,
            standard_error,
            low: self.mean - reach,
            high: self.mean + reach,
        }
    }
}

/// Half the width of an interval in standard errors.
fn quantile(degrees: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees).map_or(f64::NAN, |student| student.inverse_cdf(0.5 + CONFIDENCE / 2.0))
}

/// Welch's t-test of whether two independent samples have the same mean.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Welch {
    /// Mean of the first less that of the second.
    pub difference: f64,
    /// The difference in standard errors.
    pub t: f64,
    /// Degrees of freedom, by Welch and Satterthwaite.
    pub degrees: f64,
    /// Two-sided: how often equal means look at least this different.
    pub p: f64,
}

/// Welch's t-test, as the EOMM paper's between every two methods.
///
/// Samples without any spread differ surely (`p` = 0) or not at all (`p` = 1); samples of one value may have any mean
/// (`p` = 1, of no degrees of freedom).
///
/// # References
/// B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved",
/// Biometrika 34, 1947, doi:10.1093/biomet/34.1-2.28.
pub fn welch(one: &Sample, other: &Sample) -> Welch {
    let share = |sample: &Sample| sample.variance / sample.count as f64;
    let freedom = |sample: &Sample| share(sample).powi(2) / (sample.count as f64 - 1.0);
    let difference = one.mean - other.mean;
    if one.count.min(other.count) < 2 {
        return Welch {
            difference,
            t: 0.0,
            degrees: 0.0,
            p: 1.0,
        };
    }
    let square = share(one) + share(other);
    if square == 0.0 {
        let is_same = difference == 0.0;
        return Welch {
            difference,
            t: if is_same {
                0.0
            } else {
                difference.signum() * f64::INFINITY
            },
            degrees: (one.count + other.count) as f64 - 2.0,
            p: f64::from(u8::from(is_same)),
        };
    }
    let t = difference / square.sqrt();
    let degrees = square * square / (freedom(one) + freedom(other));
    let beyond = StudentsT::new(0.0, 1.0, degrees).map_or(f64::NAN, |student| student.cdf(-t.abs()));
    Welch {
        difference,
        t,
        degrees,
        p: 2.0 * beyond,
    }
}

/// How often a normal variate is at least so many standard deviations off, to either side.
pub fn normal_p(z: f64) -> f64 {
    2.0 * Normal::standard().cdf(-z.abs())
}

/// A χ² test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The sum of squares.
    pub statistic: f64,
    /// Degrees of freedom.
    pub degrees: f64,
    /// How often chance alone gives at least as much.
    pub p: f64,
}

/// Whether measured values with these standard errors may be of one and the same quantity: the sum of squares about
/// their weighted mean.
///
/// With fewer than two values nothing is tested: `p` is 1.
pub fn homogeneity(values: &[(f64, f64)]) -> ChiSquare {
    let weight = |error: f64| 1.0 / (error * error);
    let weights: f64 = values.iter().map(|&(_, error)| weight(error)).sum();
    let mean = values.iter().map(|&(value, error)| value * weight(error)).sum::<f64>() / weights;
    let statistic = values
        .iter()
        .map(|&(value, error)| ((value - mean) / error).powi(2))
        .sum::<f64>();
    let degrees = values.len().saturating_sub(1) as f64;
    ChiSquare {
        statistic,
        degrees,
        p: ChiSquared::new(degrees).map_or(1.0, |chi| chi.sf(statistic)),
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{CONFIDENCE, Sample, homogeneity, normal_p, quantile, welch};
    use crate::eomm::moments::Moments;

    fn sample(count: u64, mean: f64, variance: f64) -> Sample {
        Sample { count, mean, variance }
    }

    #[test]
    fn welch_by_hand() {
        // 4 values of mean 20 and variance 4, 9 of mean 17 and variance 27: t = 3 / sqrt(1 + 3), ν = 16 / (1/3 + 9/8).
        let test = welch(&sample(4, 20.0, 4.0), &sample(9, 17.0, 27.0));
        assert!((test.t - 1.5).abs() < 1e-12 && test.difference == 3.0);
        assert!((test.degrees - 16.0 / (1.0 / 3.0 + 9.0 / 8.0)).abs() < 1e-12);
        let back = welch(&sample(9, 17.0, 27.0), &sample(4, 20.0, 4.0));
        assert_eq!((back.t, back.p), (-test.t, test.p));
    }

    #[test]
    fn student_and_the_others_agree_with_tables() {
        // ν = 1 is Cauchy's distribution: P(|T| > 1) = 1/2. ν = 2: P(|T| > t) = 1 - t / sqrt(2 + t²).
        let even = |degrees: u64, t: f64| {
            let n = degrees / 2 + 1;
            welch(&sample(n, t, n as f64 / 2.0), &sample(n, 0.0, n as f64 / 2.0)).p
        };
        for t in [0.1, 1.0, 4.303] {
            assert!((even(2, t) - (1.0 - t / (2.0 + t * t).sqrt())).abs() < 1e-9, "{t}");
        }
        // Tables of Student's distribution: 0.975 at ν = 1, 9, 30, and the normal limit.
        for (degrees, tabled) in [(1.0, 12.706), (9.0, 2.262), (30.0, 2.042), (1e6, 1.960)] {
            assert!((quantile(degrees) - tabled).abs() < 6e-4, "{degrees}");
        }
        assert!((normal_p(1.96) - 0.05).abs() < 1e-4 && (normal_p(-2.5758) - 0.01).abs() < 1e-5);
        // With two degrees of freedom χ² is exponential; the common mean of 1, 2, 3 is 2.
        let test = homogeneity(&[(1.0, 0.5), (2.0, 0.5), (3.0, 0.5)]);
        assert!((test.statistic - 8.0).abs() < 1e-12 && (test.p - (-4.0_f64).exp()).abs() < 1e-12);
        assert_eq!(homogeneity(&[(5.0, 1.0)]).p, 1.0);
    }

    #[test]
    fn samples_without_spread_differ_surely_or_not_at_all() {
        assert_eq!(welch(&sample(5, 1.0, 0.0), &sample(5, 1.0, 0.0)).p, 1.0);
        let test = welch(&sample(5, 1.0, 0.0), &sample(5, 2.0, 0.0));
        assert_eq!((test.p, test.t), (0.0, f64::NEG_INFINITY));
    }

    #[test]
    fn intervals_hold_the_mean_as_often_as_they_say() {
        // Sums of twelve dice, 2,000 times ten of them: the mean is 42. The count of intervals that hold it is
        // binomial.
        let (runs, mut rng) = (2_000, ChaCha8Rng::seed_from_u64(3));
        let held = (0..runs).filter(|_| {
            let mut moments = Moments::default();
            (0..10).for_each(|_| moments.add((0..12).map(|_| rng.random_range(1..=6)).sum()));
            let interval = moments.sample(1.0).estimate();
            interval.low <= 42.0 && 42.0 <= interval.high
        });
        let held = held.count() as f64 / f64::from(runs);
        let error = (CONFIDENCE * (1.0 - CONFIDENCE) / f64::from(runs)).sqrt();
        assert!((held - CONFIDENCE).abs() < 4.0 * error, "{held}");
    }
}
