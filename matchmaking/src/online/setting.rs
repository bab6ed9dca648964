//! What a game is and what it costs.

use super::arrivals::Arrivals;
use super::error::Error;
use crate::error::Place;

/// More players than this in one game are a mistake.
pub const MAX_PLAYERS: usize = 64;

/// Greatest weight of a criterion, so that neither costs nor their sums leave the range of floats.
pub const MAX_WEIGHT: f64 = 1e100;

/// Most that rounding of times may move what a player costs.
const MOST_COARSENESS: f64 = 1e-4;

/// Players per game, weights of the criteria and the longest wait: what cost formula (1) of the paper needs.
///
/// A game of players `P` at time `t` costs `Σ f_d q_d + Σ (t - arrival) / τ_max`. `q_d` is the range of criterion `d`
/// among the players, or 1 if a bot plays; each bot adds 1 to the second sum, as if it had waited `τ_max`.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    players: usize,
    tau_max: f64,
    weights: Vec<f64>,
}

impl Setting {
    /// Games of `players`, nobody waiting longer than `tau_max`, and the paper's weights `f_d = k / D` for each of
    /// `criteria`.
    ///
    /// # Errors
    /// [`Error::BadGameSize`] below 2 or above [`MAX_PLAYERS`], [`Error::BadTauMax`] unless positive and finite,
    /// [`Error::NoCriteria`].
    pub fn new(players: usize, tau_max: f64, criteria: usize) -> Result<Self, Error> {
        let weight = players as f64 / criteria.max(1) as f64;
        Self::with_weights(players, tau_max, vec![weight; criteria])
    }

    /// As [`new`](Self::new), with a weight for each criterion.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::BadWeight`] unless all weights lie between 0 and [`MAX_WEIGHT`].
    pub fn with_weights(players: usize, tau_max: f64, weights: Vec<f64>) -> Result<Self, Error> {
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(Error::BadGameSize { players });
        }
        if !(tau_max > 0.0 && tau_max.is_finite()) {
            return Err(Error::BadTauMax { found: tau_max });
        }
        if weights.is_empty() {
            return Err(Error::NoCriteria);
        }
        if let Some(criterion) = weights.iter().position(|weight| !(0.0..=MAX_WEIGHT).contains(weight)) {
            let found = weights[criterion];
            return Err(Error::BadWeight { criterion, found });
        }
        Ok(Self {
            players,
            tau_max,
            weights,
        })
    }

    /// Players per game, `k`.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The longest wait, `τ_max`, in the unit of the arrivals' times.
    pub fn tau_max(&self) -> f64 {
        self.tau_max
    }

    /// Weight `f_d` of each criterion.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Number of criteria, `D`.
    pub fn criteria(&self) -> usize {
        self.weights.len()
    }

    /// What a player costs who waits for `τ_max` and then plays with bots alone: `Σ f_d + k`.
    pub fn alone(&self) -> f64 {
        self.weights.iter().sum::<f64>() + self.players as f64
    }

    /// Arrivals with as many criteria, at times at which waits can be told.
    pub(super) fn check(&self, arrivals: &Arrivals) -> Result<(), Error> {
        let (expected, found) = (self.criteria(), arrivals.dimensions());
        if expected != found {
            let place = Place::Position(0);
            return Err(Error::WrongCriteria { place, expected, found });
        }
        self.check_time(latest(arrivals))
    }

    /// A time beside which waits can be told.
    pub(super) fn check_time(&self, time: f64) -> Result<(), Error> {
        if self.coarseness_at(time) > MOST_COARSENESS {
            let tau_max = self.tau_max;
            return Err(Error::CoarseTimes { time, tau_max });
        }
        Ok(())
    }

    /// As [`check`](Self::check), and no wait ends later than any float: a bound counts it in full.
    pub(super) fn check_for_optimum(&self, arrivals: &Arrivals) -> Result<(), Error> {
        self.check(arrivals)?;
        match arrivals.times().last() {
            Some(&time) if (time + self.tau_max).is_infinite() => {
                let tau_max = self.tau_max;
                Err(Error::CoarseTimes { time, tau_max })
            }
            _ => Ok(()),
        }
    }

    /// Whether somebody who arrived at one time may still play at another: 3.408 + 1 is less than 4.408 in floats.
    pub(super) fn may_wait(&self, from: f64, to: f64) -> bool {
        !self.is_before(from + self.tau_max, to)
    }

    /// Whether a time lies before another by more than the rounding of a sum of two times.
    pub(super) fn is_before(&self, one: f64, other: f64) -> bool {
        // Infinity less infinity would be no number, and before nothing.
        let size = one.abs().max(other.abs()).max(self.tau_max).min(f64::MAX);
        one < other - 2.0 * f64::EPSILON * size
    }

    /// By how much what a player's wait costs can be off because floats so great lie so far apart: a game's start and
    /// an arrival are rounded.
    pub(super) fn coarseness(&self, arrivals: &Arrivals) -> f64 {
        self.coarseness_at(latest(arrivals))
    }

    fn coarseness_at(&self, time: f64) -> f64 {
        2.0 * f64::EPSILON * time.abs() / self.tau_max
    }
}

/// The greatest time, before or after 0.
fn latest(arrivals: &Arrivals) -> f64 {
    let times = arrivals.times();
    let ends = [times.first(), times.last()];
    ends.into_iter()
        .flatten()
        .fold(0.0, |latest, time| latest.max(time.abs()))
}
