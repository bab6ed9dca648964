//! The figures of one contender on one instance.

use super::measure::Measurement;
use super::turns::{Lane, Stop};

/// Smallest and middle of several seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The smallest.
    pub min: f64,
    /// The middle one, or the mean of the two in the middle.
    pub median: f64,
}

impl Spread {
    /// Of all that are known.
    pub fn of(seconds: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut seconds: Vec<f64> = seconds.into_iter().collect();
        seconds.sort_by(f64::total_cmp);
        let min = *seconds.first()?;
        let (lower, upper) = (seconds[(seconds.len() - 1) / 2], seconds[seconds.len() / 2]);
        Some(Self {
            min,
            median: f64::midpoint(lower, upper),
        })
    }
}

/// What became of one contender on one instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// It solved it.
    Done {
        /// CPU seconds of build and solve.
        cpu: Spread,
        /// Seconds on the wall.
        wall: Option<Spread>,
        /// The part of the fastest run that built the solver's input.
        build: Option<f64>,
        /// Largest peak of memory.
        peak_kib: Option<u64>,
        /// Fastest scan of the matrix.
        scan: Option<f64>,
    },
    /// It did not, or not every time.
    Stopped(Stop),
}

impl Cell {
    /// The figures of a lane; a lane that stopped early has none.
    pub fn of(lane: &Lane) -> Self {
        let runs = &lane.runs;
        let (Some(cpu), None) = (Spread::of(runs.iter().map(|run| run.seconds)), lane.stop) else {
            return Self::Stopped(lane.stop.unwrap_or(Stop::Failed));
        };
        let fastest = |a: &&Measurement, b: &&Measurement| a.seconds.total_cmp(&b.seconds);
        Self::Done {
            cpu,
            wall: Spread::of(runs.iter().filter_map(|run| run.wall_seconds)),
            build: runs.iter().min_by(fastest).and_then(|run| run.build_seconds),
            peak_kib: runs.iter().filter_map(|run| run.peak_kib).max(),
            scan: runs.iter().filter_map(|run| run.scan_seconds).min_by(f64::total_cmp),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_the_least_and_the_middle() {
        let spread = |seconds: &[f64]| Spread::of(seconds.iter().copied()).map(|spread| (spread.min, spread.median));
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[3.0]), Some((3.0, 3.0)));
        assert_eq!(spread(&[4.0, 1.0]), Some((1.0, 2.5)));
        assert_eq!(spread(&[9.0, 1.0, 2.0]), Some((1.0, 2.0)));
    }
}
