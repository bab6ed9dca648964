//! Arrivals to try policies on: the six patterns of the paper's Table 2.

use std::str::FromStr;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::arrivals::Arrivals;
use super::error::Error;

/// How fast players arrive: a Poisson process at a constant rate, or at one that rises from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Pattern {
    /// So many per unit of time.
    Constant(f64),
    /// From none to so many per unit of time, evenly over the whole sequence.
    Rising(f64),
}

impl Pattern {
    /// The six patterns of the paper.
    pub const PAPER: [Self; 6] = [
        Self::Constant(1.0),
        Self::Constant(3.0),
        Self::Constant(10.0),
        Self::Rising(2.0),
        Self::Rising(6.0),
        Self::Rising(20.0),
    ];

    /// As the paper writes it: `3`, `0..6`.
    pub fn name(self) -> String {
        match self {
            Self::Constant(rate) => rate.to_string(),
            Self::Rising(rate) => format!("0..{rate}"),
        }
    }

    /// So many arrivals, each criterion uniform on [0, 1]; the same seed gives the same arrivals.
    ///
    /// # Errors
    /// [`Error::NoCriteria`]; [`Error::BadPattern`] unless the rate is positive and finite; [`Error::BadNumber`] for
    /// rates so small that times overflow.
    pub fn arrivals(self, count: usize, criteria: usize, seed: u64) -> Result<Arrivals, Error> {
        let (Self::Constant(rate) | Self::Rising(rate)) = self;
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(Error::BadPattern { found: self.name() });
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut arrivals = Arrivals::empty(criteria)?;
        let mut values = vec![0.0; criteria];
        // The expected number of arrivals so far; in these units the process has rate 1.
        let mut expected = 0.0;
        for position in 0..count {
            let uniform: f64 = rng.random();
            expected -= (1.0 - uniform).ln();
            values.fill_with(|| rng.random());
            let time = self.time_of(expected, count as f64);
            arrivals.push(crate::error::Place::Position(position), time, &values)?;
        }
        Ok(arrivals)
    }

    /// When so many arrivals are expected, of `count` in all.
    fn time_of(self, expected: f64, count: f64) -> f64 {
        match self {
            Self::Constant(rate) => expected / rate,
            // The rate r t / T with r T / 2 = count: the expected number until t is r t² / (2 T).
            Self::Rising(rate) => 2.0 * (expected * count).sqrt() / rate,
        }
    }
}

impl FromStr for Pattern {
    type Err = Error;

    /// `3` is a constant rate, `0..6` a rising one.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (rate, pattern): (&str, fn(f64) -> Self) = match text.strip_prefix("0..") {
            Some(rate) => (rate, Self::Rising),
            None => (text, Self::Constant),
        };
        match rate.parse::<f64>() {
            Ok(rate) if rate > 0.0 && rate.is_finite() => Ok(pattern(rate)),
            _ => Err(Error::BadPattern { found: text.to_owned() }),
        }
    }
}
