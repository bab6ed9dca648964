//! Which arrivals of parties games of k against k can serve at all.

use num_traits::{One, Signed, Zero};

use super::lobby::Lobby;
use super::proofs::{Overload, Service, Stability, restricted, teams, weight_of};
use super::rules::{Battle, Order};
use super::simplex::{Best, maximise};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};
use crate::states::Limits;

/// Larger teams are refused; there are 627 ways of making up a team of this size.
const LARGEST: usize = 20;

/// Parties of 1 to k players who arrive at games of k against k, and are not broken up.
///
/// A team is a multiset of parties with k players together, and any two teams make a game, so that games use parties in
/// the proportions of a cone: all sums of teams with weights of zero or more. What matters are the sizes that come;
/// call their number m, and take only teams made up of them. **Some policy keeps the queues stable (positive recurrent)
/// if and only if the vector of the m rates is an interior point, in m dimensions, of the cone of these teams.**
///
/// - *If.* Let `q_s` be the number of parties of size s that have come, less those that begun teams have got or still
///   lack. After each arrival, as long as some team `p` has `2 q·p > |p|²`, begin the one with the largest `2 q·p -
///   |p|²`; begun teams are completed in their order. Beginning a team lowers `|q|²`, and afterwards `q·p <= |p|²/2`
///   for all teams. As the cone holds a ball of radius ε around the rates λ, `λ + ε q/|q|` is a sum of teams, so that
///   `q·λ <= constant - ε|q|`: wherever it is large, `|q|²` falls in the mean (Foster's criterion). At most `k (1 + sum
///   of |q_s|)` parties wait.
/// - *Only if.* Otherwise there are weights `w != 0` with `w·p <= 0` for all teams and `w·λ >= 0`. No game lowers the
///   weight of those who wait, and arrivals raise it by `w·λ` in the mean: it grows, or, for `w·λ = 0`, stays above a
///   random walk without drift, which no stationary queue can do.
///
/// An open condition, yet nothing is lost at the border of sizes that do not come: pairs alone are fine in games of two
/// against two, as are singles alone in any game, since what is left over there is bounded. For k = 1 and 2 all rates
/// will do, for k = 3 those with `λ_1 > λ_2` or without pairs. A rate vector within a cone of fewer dimensions, such as
/// `λ_2 = λ_3` alone for k = 5, is only null recurrent.
///
/// The greedy [`Battle`] lobby is one policy; nothing is proven here about when it is stable, apart from games where it
/// is finite.
///
/// # Examples
/// ```
/// use markov::models::xu::{Parties, Stability};
/// use markov::{Rational, Scalar};
///
/// let q = Rational::ratio;
/// // Three against three: two pairs a minute need two singles.
/// let parties = Parties::new(3, vec![q(5, 2), q(2, 1), q(1, 1)])?;
/// let Stability::Stable(service) = parties.stability() else { panic!("there are enough singles") };
/// assert!(service.verify(&parties));
/// assert_eq!(parties.headroom(2)?, Some(q(1, 2)));
/// assert_eq!(parties.headroom(3)?, None);
///
/// let parties = Parties::new(3, vec![q(1, 1), q(2, 1), q(1, 1)])?;
/// let Stability::Unstable(overload) = parties.stability() else { panic!("a single is missing") };
/// assert!(overload.verify(&parties));
/// assert_eq!(overload.weights()[..2], [q(-1, 1), q(1, 1)]);
/// assert_eq!(*overload.drift(), q(1, 1));
/// # Ok::<(), markov::Error>(())
/// ```
///
/// # References
/// I. Gurvich, A. Ward, "On the dynamic control of matching queues", Stochastic Systems 4 (2014), 479-523,
/// doi:10.1214/13-SSY097, for such networks in general.
#[derive(Clone, Debug, PartialEq)]
pub struct Parties {
    rates: Vec<Rational>,
}

impl Parties {
    /// Parties of 1, 2, ..., `size` players arrive at these rates, one for each size.
    ///
    /// # Errors
    /// [`Error::Parameter`] for teams of 0 or more than 20 players and for negative rates, or if all are zero;
    /// [`Error::LengthMismatch`].
    pub fn new(size: usize, rates: Vec<Rational>) -> Result<Self, Error> {
        let parameter = |name, value, expected| Err(Error::Parameter { name, value, expected });
        if size == 0 || size > LARGEST {
            return parameter("size", size as f64, "from 1 to 20");
        }
        if rates.len() != size {
            return Err(Error::LengthMismatch {
                what: "rates",
                expected: size,
                found: rates.len(),
            });
        }
        if let Some(rate) = rates.iter().find(|rate| rate.is_negative()) {
            return parameter("rate", rate.to_float(), "not negative");
        }
        if rates.iter().all(Zero::is_zero) {
            return parameter("total rate", 0.0, "positive");
        }
        Ok(Self { rates })
    }

    /// Players of a team.
    pub fn size(&self) -> usize {
        self.rates.len()
    }

    /// Rates of parties of 1, 2, ... players.
    pub fn rates(&self) -> &[Rational] {
        &self.rates
    }

    /// Whether some policy keeps the queues stable, with a proof either way. Of all ways to serve the arrivals, that
    /// one is given whose rarest team is the most frequent.
    ///
    /// # Complexity
    /// A linear programme in exact fractions with a row for each size and a column for each of the p(k) teams; p(10) = 42.
    pub fn stability(&self) -> Stability {
        let sizes = self.sizes();
        let teams = teams(self.size(), &sizes);
        let mut columns: Vec<Vec<Rational>> = teams.iter().map(|team| restricted(team, &sizes)).collect();
        // Rates are `y + t` for all teams, with the largest t: the last column is the sum of the others.
        let every = |at: usize| columns.iter().fold(Rational::zero(), |sum, column| sum + &column[at]);
        columns.push((0..sizes.len()).map(every).collect());
        let mut gains = vec![Rational::zero(); teams.len()];
        gains.push(Rational::one());
        let weights = match maximise(&columns, &self.restricted_rates(&sizes), &gains) {
            Best::Impossible(weights) | Best::Dependent(weights) => weights,
            Best::Optimal { mut values, prices } => match values.pop() {
                Some(least) if least.is_positive() => {
                    let rates = values.into_iter().map(|value| value + &least);
                    return Stability::Stable(Service {
                        teams: teams.into_iter().zip(rates).collect(),
                    });
                }
                _ => prices,
            },
            Best::Unbounded => unreachable!("teams take parties, of which there are so many"),
        };
        Stability::Unstable(self.overload(&sizes, &weights))
    }

    /// How much the rate of parties of so many players may rise, all others staying the same: below that, the queues
    /// can be kept stable, from there on not; 0 for a size that does not come, and could not be served. `None` if there
    /// is no limit.
    ///
    /// # Errors
    /// [`Error::Unstable`] where queues cannot be stable as it is; [`Error::Parameter`] for sizes that do not exist.
    pub fn headroom(&self, party: usize) -> Result<Option<Rational>, Error> {
        if party == 0 || party > self.size() {
            return Err(Error::Parameter {
                name: "party",
                value: party as f64,
                expected: "from 1 to the size of a team",
            });
        }
        if let Stability::Unstable(overload) = self.stability() {
            let drift = overload.drift.to_float();
            return Err(Error::Unstable { drift });
        }
        let sizes: Vec<usize> = (1..=self.size())
            .filter(|&size| size == party || !self.rates[size - 1].is_zero())
            .collect();
        let mut columns: Vec<Vec<Rational>> = teams(self.size(), &sizes)
            .iter()
            .map(|team| restricted(team, &sizes))
            .collect();
        // The gain is what comes besides: sum of teams = rates + gain.
        let more = sizes.iter().map(|&size| Rational::ratio(-i64::from(size == party), 1));
        columns.push(more.collect());
        let mut gains = vec![Rational::zero(); columns.len()];
        gains[columns.len() - 1] = Rational::one();
        match maximise(&columns, &self.restricted_rates(&sizes), &gains) {
            Best::Optimal { mut values, .. } => Ok(values.pop()),
            Best::Unbounded => Ok(None),
            Best::Impossible(_) | Best::Dependent(_) => unreachable!("served without any more"),
        }
    }

    /// The greedy lobby of these arrivals, with room for so many parties of each size: waits by size are
    /// [`Lobby::wait`], and the share of those who find no room, [`Lobby::turned_away`], tells how far that is from
    /// unlimited room.
    ///
    /// # Errors
    /// [`Error::TooLarge`] beyond these limits.
    pub fn lobby<T: Scalar>(&self, order: Order, room: usize, limits: Limits) -> Result<Lobby<T, Battle>, Error> {
        let size = self.size();
        let coming = self.sizes().into_iter();
        let arrivals = coming.map(|size| (size as u8, T::from_rational(&self.rates[size - 1])));
        Lobby::with_room_for_each(Battle { size, order }, arrivals.collect(), room, limits)
    }

    /// Sizes of parties that come.
    pub(super) fn sizes(&self) -> Vec<usize> {
        (1..=self.size())
            .filter(|&size| !self.rates[size - 1].is_zero())
            .collect()
    }

    fn restricted_rates(&self, sizes: &[usize]) -> Vec<Rational> {
        sizes.iter().map(|&size| self.rates[size - 1].clone()).collect()
    }

    /// Weights of the sizes that come, as whole numbers without a common divisor. Sizes that do not come get weights so
    /// low that no team with them weighs more than nothing either: at most k - 1 other parties are in it.
    fn overload(&self, sizes: &[usize], weights: &[Rational]) -> Overload {
        let scale = common_measure(weights);
        let scaled: Vec<Rational> = weights.iter().map(|weight| weight / &scale).collect();
        let largest = scaled.iter().max().cloned().unwrap_or_else(Rational::zero);
        let mut all = vec![-largest * Rational::ratio(self.size() as i64, 1); self.size()];
        for (&size, weight) in sizes.iter().zip(scaled) {
            all[size - 1] = weight;
        }
        Overload {
            drift: weight_of(&all, &self.rates),
            weights: all,
        }
    }
}

/// The largest fraction of which all of these are multiples.
fn common_measure(values: &[Rational]) -> Rational {
    let mut measure = Rational::zero();
    for value in values {
        // Euclid's algorithm works for fractions as well.
        let (mut large, mut small) = (measure, value.abs());
        while !small.is_zero() {
            let rest = &large % &small;
            large = core::mem::replace(&mut small, rest);
        }
        measure = large;
    }
    measure
}
