//! Means with their errors.

use crate::error::Error;

/// Number of batches that a run is cut into. Odd, so that Student's distribution with one degree of freedom less is an
/// algebraic function.
pub const BATCHES: usize = 33;

/// A simulated figure and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Its standard error, itself estimated from the spread of [`BATCHES`] batches. Too small where these depend on each
    /// other: see [`is_settled`](Self::is_settled).
    pub error: f64,
    /// Correlation of each batch with the next one: about 0, give or take 0.17, where batches are independent.
    pub correlation: f64,
}

/// Neighbours among independent batches are correlated by more than this once in twenty times. Batches that are three
/// times as long as a process remembers reach it half of the time, and errors are then a fifth too small.
const DEPENDENT: f64 = 0.25;

impl Estimate {
    /// How many standard errors the figure lies above an expected one: zero where they are equal, whatever the error.
    pub fn z(&self, expected: f64) -> f64 {
        if self.value == expected {
            0.0
        } else {
            (self.value - expected) / self.error
        }
    }

    /// A figure without chance.
    pub(super) fn certain(value: f64) -> Self {
        Self {
            value,
            error: 0.0,
            correlation: 0.0,
        }
    }

    /// The same, with an error no less than that of roundings: where chance has no part, batches differ by less.
    pub(super) fn or_roundings(mut self, roundings: f64) -> Self {
        self.error = self.error.max(roundings);
        self
    }

    /// Whether batches look independent of each other. Near critical loads queues remember for long: a run that is too
    /// short for that has a standard error that is several times too small, and a mean that depends on where it began.
    pub fn is_settled(&self) -> bool {
        self.correlation <= DEPENDENT
    }

    /// The interval, lower and upper end, that covers the true figure with this probability, such as 0.95. It takes
    /// batch means as independent and normal, which they are for long batches.
    ///
    /// # Errors
    /// [`Error::Parameter`] for probabilities outside of (0, 1).
    pub fn interval(&self, confidence: f64) -> Result<(f64, f64), Error> {
        if !(confidence > 0.0 && confidence < 1.0) {
            return Err(Error::Parameter {
                name: "confidence",
                value: confidence,
                expected: "above 0 and below 1",
            });
        }
        let half = student(confidence) * self.error;
        Ok((self.value - half, self.value + half))
    }

    /// `sum of x / sum of weight` over batches; `None` where all weights are zero.
    pub(super) fn ratio(batches: &[(f64, f64)]) -> Option<Self> {
        let weight: f64 = batches.iter().map(|&(_, weight)| weight).sum();
        let value = batches.iter().map(|&(x, _)| x).sum::<f64>() / weight;
        let residuals: Vec<f64> = batches.iter().map(|&(x, weight)| x - value * weight).collect();
        (weight > 0.0).then(|| Self::of_residuals(value, &residuals, weight))
    }

    /// A figure whose batches are off by these, times so much.
    fn of_residuals(value: f64, residuals: &[f64], weight: f64) -> Self {
        // By the largest: squares of very large and of very small ones are no floats.
        let largest = residuals
            .iter()
            .fold(0.0, |largest: f64, residual| largest.max(residual.abs()));
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let residuals: Vec<f64> = residuals.iter().map(|residual| residual / unit).collect();
        let squares: f64 = residuals.iter().map(|residual| residual * residual).sum();
        let products: f64 = residuals.windows(2).map(|pair| pair[0] * pair[1]).sum();
        let count = residuals.len() as f64;
        Self {
            value,
            error: (squares * count / (count - 1.0)).sqrt() * (unit / weight),
            // Without chance there is nothing to depend on.
            correlation: if squares > 0.0 { products / squares } else { 0.0 },
        }
    }
}

/// The `t` with `P(|T| < t) = probability`, for Student's distribution with `BATCHES - 1` degrees of freedom.
fn student(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while central(high) < probability && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if central(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// `P(|T| < t)`: with `t = √ν tan θ` and ν even, it is `sin θ (1 + ½ cos²θ + (1·3)/(2·4) cos⁴θ + ...)`, up to
/// `cos^(ν-2)`.
///
/// Reference: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 1964, formula 26.7.4.
fn central(t: f64) -> f64 {
    let freedom = (BATCHES - 1) as f64;
    let sin = t / (freedom + t * t).sqrt();
    let cos_squared = freedom / (freedom + t * t);
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..(BATCHES - 1) / 2 {
        term *= cos_squared * (2 * k - 1) as f64 / (2 * k) as f64;
        sum += term;
    }
    sin * sum
}

/// Moments of the waits of players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Players that were counted. Where a batch has hardly any of them errors are too small: intervals that should cover the
    /// true mean in 95 % of all runs did so in 92 % with three in a batch, and in 70 % with one in three batches.
    pub count: f64,
    /// Mean wait.
    pub mean: Estimate,
    /// Mean square of the wait.
    pub second: Estimate,
    /// Variance of the wait.
    pub variance: Estimate,
}

/// Sums over the players that left in one batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    pub(super) count: f64,
    pub(super) first: f64,
    pub(super) second: f64,
}

impl Sums {
    pub(super) fn add(&mut self, wait: f64) {
        self.count += 1.0;
        self.first += wait;
        self.second += wait * wait;
    }

    /// These sums and others, each of whose players counts so many times.
    pub(super) fn plus(self, other: Self, weight: f64) -> Self {
        Self {
            count: self.count + weight * other.count,
            first: self.first + weight * other.first,
            second: self.second + weight * other.second,
        }
    }
}

impl Moments {
    /// Moments from sums per batch; `None` where nobody left.
    pub(super) fn of(batches: &[Sums]) -> Option<Self> {
        let total = batches.iter().fold(Sums::default(), |sum, &batch| sum.plus(batch, 1.0));
        let first: Vec<(f64, f64)> = batches.iter().map(|sums| (sums.first, sums.count)).collect();
        let second: Vec<(f64, f64)> = batches.iter().map(|sums| (sums.second, sums.count)).collect();
        let mean = Estimate::ratio(&first)?;
        let second = Estimate::ratio(&second)?;
        // The derivative of `second - mean²`, applied to the residuals of both.
        let residuals = batches.iter().map(|sums| {
            let of_first = sums.first - mean.value * sums.count;
            let of_second = sums.second - second.value * sums.count;
            of_second - 2.0 * mean.value * of_first
        });
        let variance = second.value - mean.value * mean.value;
        let variance = Estimate::of_residuals(variance, &residuals.collect::<Vec<_>>(), total.count);
        let count = total.count;
        Some(Self {
            count,
            mean,
            second,
            variance,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Moments, Sums, student};

    #[test]
    fn student_quantiles_of_the_tables() {
        for (probability, t) in [
            (0.9, 1.693_889),
            (0.95, 2.036_933),
            (0.99, 2.738_481),
            (0.999, 3.621_802),
        ] {
            assert!((student(probability) - t).abs() < 1e-6, "{}", student(probability));
        }
    }

    #[test]
    fn equal_weights_give_the_textbook_error() -> Result<(), crate::Error> {
        let values = [1.0, 2.0, 4.0, 5.0];
        let batches = values.map(|value| (10.0 * value, 10.0));
        let Some(estimate) = Estimate::ratio(&batches) else {
            unreachable!("weights are positive")
        };
        assert_eq!(estimate.value, 3.0);
        // Sample variance 10/3 over 4 values.
        assert!((estimate.error - (10.0_f64 / 12.0).sqrt()).abs() < 1e-15);
        // Residuals -2, -1, 1, 2: products of neighbours add up to 3, squares to 10.
        assert!((estimate.correlation - 0.3).abs() < 1e-15 && !estimate.is_settled());
        assert!(estimate.interval(1.0).is_err() && estimate.interval(f64::NAN).is_err());
        let (low, high) = estimate.interval(0.95)?;
        assert!(low < 3.0 && high > 3.0);
        Ok(())
    }

    #[test]
    fn nobody_has_no_moments() {
        assert_eq!(Moments::of(&[Sums::default(); 4]), None);
    }
}
