//! All pairings of a few players, and exact costs of them.

use markov::Rational;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fractions::{int, ratio};

/// Pairs of positions.
pub(super) type Pairs = Vec<(usize, usize)>;

/// All ways to pair an even number of players; the first one pairs neighbours.
pub(super) fn pairings(n: usize) -> Vec<Pairs> {
    fn extend(free: &[usize], so_far: &Pairs, found: &mut Vec<Pairs>) {
        let Some((&first, others)) = free.split_first() else {
            found.push(so_far.clone());
            return;
        };
        for (k, &other) in others.iter().enumerate() {
            let rest = [&others[..k], &others[k + 1..]].concat();
            let longer = [so_far.as_slice(), &[(first, other)]].concat();
            extend(&rest, &longer, found);
        }
    }
    let mut found = Vec::new();
    extend(&(0..n).collect::<Vec<_>>(), &Vec::new(), &mut found);
    found
}

/// The total of every pairing, in their order.
pub(super) fn totals(n: usize, cost: impl Fn(usize, usize) -> Rational) -> Vec<Rational> {
    let total = |pairs: Pairs| pairs.iter().fold(int(0), |sum, &(i, j)| sum + cost(i, j));
    pairings(n).into_iter().map(total).collect()
}

/// The least of some numbers, of which there is one at least.
pub(super) fn least(values: &[Rational]) -> Rational {
    values.iter().min().cloned().unwrap_or_else(|| int(0))
}

/// The greatest of some numbers, of which there is one at least.
pub(super) fn greatest(values: &[Rational]) -> Rational {
    values.iter().max().cloned().unwrap_or_else(|| int(0))
}

/// A few players at random whose games are as in section 3: results by skill, churn by state and result.
#[derive(Clone, Debug)]
pub(super) struct Few {
    /// Skills from 1 to 12: a player beats another with a chance of his share in the sum of both, as Bradley and Terry
    /// have it.
    skills: Vec<i64>,
    /// Risks in per cent after a win, a draw and a loss.
    risks: Vec<[i64; 3]>,
}

impl Few {
    /// Chance of a draw, in fifths, as in (11).
    const DRAWS: i64 = 1;

    /// Every cost times this is an integer: 500 times the least common multiple of all sums of two skills.
    pub(super) const UNIT: i64 = 500 * 5_354_228_880;

    pub(super) fn random(n: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Self {
            skills: (0..n).map(|_| rng.random_range(1..=12)).collect(),
            risks: (0..n).map(|_| [0; 3].map(|_: i64| rng.random_range(1..=99))).collect(),
        }
    }

    /// The same players with risks that no result changes.
    pub(super) fn indifferent(mut self) -> Self {
        self.risks.iter_mut().for_each(|risks| *risks = [risks[1]; 3]);
        self
    }

    pub(super) fn len(&self) -> usize {
        self.skills.len()
    }

    /// Equation (7).
    pub(super) fn cost(&self, i: usize, j: usize) -> Rational {
        let draw = ratio(Self::DRAWS, 5);
        let win = (int(1) - &draw) * ratio(self.skills[i], self.skills[i] + self.skills[j]);
        let loss = int(1) - &draw - &win;
        let sum = |of_i: usize, of_j: usize| ratio(self.risks[i][of_i] + self.risks[j][of_j], 100);
        win * sum(0, 2) + draw * sum(1, 1) + loss * sum(2, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Few, pairings};
    use crate::eomm::claims::int;

    #[test]
    fn there_are_as_many_pairings_as_there_should_be() {
        let counts = [0, 2, 4, 6, 8].map(|n| pairings(n).len());
        assert_eq!(counts, [1, 1, 3, 15, 105]);
        assert_eq!(pairings(4), [[(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)]]);
    }

    #[test]
    fn costs_are_symmetric_and_whole_units() {
        let few = Few::random(8, 1);
        for (i, j) in (0..8).flat_map(|i| (0..i).map(move |j| (i, j))) {
            assert_eq!(few.cost(i, j), few.cost(j, i));
            assert!((few.cost(i, j) * int(Few::UNIT)).is_integer());
        }
    }
}
