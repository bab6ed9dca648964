//! Proofs that parties can be served, or cannot, and their checks.

use num_traits::{Signed, Zero};

use super::parties::Parties;
use crate::scalar::{Rational, Scalar};

/// Whether some policy keeps queues stable, with a proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Stability {
    /// One does.
    Stable(Service),
    /// None does.
    Unstable(Overload),
}

/// Teams, and how often each is to be formed: the proof that arrivals can be served.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    pub(super) teams: Vec<(Vec<usize>, Rational)>,
}

/// Weights of parties by size: the proof that no policy can serve them.
#[derive(Clone, Debug, PartialEq)]
pub struct Overload {
    pub(super) weights: Vec<Rational>,
    pub(super) drift: Rational,
}

impl Service {
    /// The teams that can be made up of parties that come, as numbers of parties of 1, 2, ... players, each with the
    /// rate at which it is formed. All rates are positive.
    pub fn teams(&self) -> &[(Vec<usize>, Rational)] {
        &self.teams
    }

    /// The rate of the rarest team: the largest possible one.
    pub fn slack(&self) -> Rational {
        self.teams
            .iter()
            .map(|(_, rate)| rate)
            .min()
            .cloned()
            .unwrap_or_else(Rational::zero)
    }

    /// Whether this proves that these parties can be served: teams are complete, their rates are positive and add up to
    /// the arrivals, and they span the space of all sizes that come, so that the arrivals are an interior point.
    #[must_use = "false says that nothing is proven"]
    pub fn verify(&self, parties: &Parties) -> bool {
        let size = parties.size();
        let mut served = vec![Rational::zero(); size];
        for (team, rate) in &self.teams {
            let players: usize = team.iter().zip(1..).map(|(count, party)| count * party).sum();
            if team.len() != size || players != size || !rate.is_positive() {
                return false;
            }
            for (served, &count) in served.iter_mut().zip(team) {
                *served += rate * Rational::ratio(count as i64, 1);
            }
        }
        let sizes = parties.sizes();
        let rows = self.teams.iter().map(|(team, _)| restricted(team, &sizes)).collect();
        served == parties.rates() && rank(rows) == sizes.len()
    }
}

impl Overload {
    /// Weights of parties of 1, 2, ... players, whole numbers. No team weighs more than 0.
    pub fn weights(&self) -> &[Rational] {
        &self.weights
    }

    /// By how much arrivals raise the weight of those who wait per unit of time; games never lower it. If positive, it
    /// grows at that rate or faster, whatever the policy; if zero, queues are null recurrent at best, and mean waits
    /// infinite.
    pub fn drift(&self) -> &Rational {
        &self.drift
    }

    /// Whether this proves that these parties cannot be served.
    #[must_use = "false says that nothing is proven"]
    pub fn verify(&self, parties: &Parties) -> bool {
        let size = parties.size();
        if self.weights.len() != size {
            return false;
        }
        let sizes: Vec<usize> = (1..=size).collect();
        let is_lowered = teams(size, &sizes).iter().any(|team| {
            let counts = restricted(team, &sizes);
            weight_of(&self.weights, &counts).is_positive()
        });
        let is_some = parties.sizes().iter().any(|&size| !self.weights[size - 1].is_zero());
        let drift = weight_of(&self.weights, parties.rates());
        !is_lowered && is_some && !drift.is_negative() && drift == self.drift
    }
}

/// All teams of so many players made up of parties of these sizes, in rising order, as numbers of parties of 1, 2, ...
/// players.
pub(super) fn teams(size: usize, sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = fillings(size, sizes);
    for team in &mut all {
        team.resize(size, 0);
    }
    all
}

/// All ways of filling so many places, as numbers of parties up to the largest of these sizes.
fn fillings(places: usize, sizes: &[usize]) -> Vec<Vec<usize>> {
    let Some((&largest, smaller)) = sizes.split_last() else {
        let complete = (places == 0).then(Vec::new);
        return complete.into_iter().collect();
    };
    let mut all = Vec::new();
    for count in 0..=places / largest {
        for mut team in fillings(places - count * largest, smaller) {
            team.resize(largest - 1, 0);
            team.push(count);
            all.push(team);
        }
    }
    all
}

/// The numbers of parties of these sizes only.
pub(super) fn restricted(team: &[usize], sizes: &[usize]) -> Vec<Rational> {
    let count = |&size: &usize| team.get(size - 1).map_or(0, |&count| count as i64);
    sizes.iter().map(|size| Rational::ratio(count(size), 1)).collect()
}

pub(super) fn weight_of(weights: &[Rational], counts: &[Rational]) -> Rational {
    let products = weights.iter().zip(counts);
    products.fold(Rational::zero(), |sum, (weight, count)| sum + weight * count)
}

/// The rank of a matrix, by elimination.
fn rank(mut rows: Vec<Vec<Rational>>) -> usize {
    let mut rank = 0;
    let width = rows.first().map_or(0, Vec::len);
    for column in 0..width {
        let Some(at) = (rank..rows.len()).find(|&row| !rows[row][column].is_zero()) else {
            continue;
        };
        rows.swap(rank, at);
        let (above, below) = rows.split_at_mut(rank + 1);
        let chosen = &above[rank];
        for row in below {
            let factor = &row[column] / &chosen[column];
            for (entry, by) in row.iter_mut().zip(chosen) {
                *entry -= &factor * by;
            }
        }
        rank += 1;
    }
    rank
}
