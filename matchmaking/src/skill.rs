//! The cost of an unfair game.

use matching_core::Cost;

use crate::error::Error;
use crate::pool::{Pool, checked_rematch_cost};

/// |rating difference| of the two players, in units of 10⁻⁶ rating points.
///
/// Ratings are rounded to the grid once, so differences are exact and symmetric. Players who avoid each other are
/// forbidden pairs.
///
/// # Examples
/// ```
/// use matching_core::Cost;
/// use matchmaking::{Player, Pool, SkillCost};
///
/// let pool = Pool::new(vec![Player::new("Ann", 1500.5, 60.0), Player::new("Ben", 1480.0, 60.0)])?;
/// assert_eq!(SkillCost::new(&pool).pair(0, 1), 20_500_000);
/// # Ok::<(), matchmaking::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SkillCost<'p> {
    pool: &'p Pool,
    /// Ratings on the grid; below 2^50 in absolute value, since a pool keeps ratings within 10^9.
    ratings: Vec<i64>,
    /// What a pair of recent opponents costs more.
    rematch: i64,
}

impl<'p> SkillCost<'p> {
    /// Costs are integers: rating points times this.
    pub const SCALE: i64 = 1_000_000;

    /// The cost of each pair of this pool.
    pub fn new(pool: &'p Pool) -> Self {
        let on_grid = |rating: f64| (rating * Self::SCALE as f64).round() as i64;
        let ratings = pool.players().iter().map(|player| on_grid(player.rating)).collect();
        Self {
            pool,
            ratings,
            rematch: 0,
        }
    }

    /// The same, where a pair of recent opponents ([`Player::opponents`](crate::Player::opponents)) costs so much more, in
    /// units of 10⁻⁶ rating points; less than nothing brings rivals together again.
    ///
    /// # Errors
    /// [`Error::RematchCost`] for 2⁶⁰ or more in absolute value.
    pub fn with_rematch_cost(mut self, cost: i64) -> Result<Self, Error> {
        self.rematch = checked_rematch_cost(cost)?;
        Ok(self)
    }

    /// The greatest rating difference of any two players; what a rematch costs is not in it.
    pub fn greatest(&self) -> i64 {
        let least = self.ratings.iter().min().copied().unwrap_or(0);
        let most = self.ratings.iter().max().copied().unwrap_or(0);
        most - least
    }

    /// Writes the cost of player `i` with each player after it in the pool. Pairs that may not meet have a cost here as
    /// well.
    ///
    /// # Panics
    /// If `i` is not a player, or there is not one slot for each player after it.
    #[track_caller]
    pub fn fill_after(&self, i: usize, out: &mut [i64]) {
        assert_eq!(i + 1 + out.len(), self.len(), "one slot for each player after {i}");
        let own = self.ratings[i];
        for (slot, other) in out.iter_mut().zip(&self.ratings[i + 1..]) {
            *slot = (own - other).abs();
        }
        self.pool.add_rematches(i, i + 1, self.rematch, out);
    }

    /// Rating of player `i`.
    ///
    /// # Panics
    /// If `i` is not a player.
    #[track_caller]
    pub fn rating(&self, i: usize) -> f64 {
        self.pool.players()[i].rating
    }
}

impl Cost for SkillCost<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.ratings.len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        let gap = (self.ratings[i] - self.ratings[j]).abs();
        gap + self.pool.rematch_cost(i, j, self.rematch)
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.pool.may_meet(i, j)
    }

    fn has_forbidden(&self) -> bool {
        self.pool.has_avoided()
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        self.pool.allowed_row(i, out);
    }
}

#[cfg(test)]
mod tests {
    use matching_core::Cost;

    use super::SkillCost;
    use crate::error::Error;
    use crate::pool::Pool;

    #[test]
    fn recent_opponents_cost_more() {
        let mut players = Pool::synthetic(40, 1).players().to_vec();
        for i in 3..40 {
            players[i].opponents = vec![players[i * 7 % i].id.clone(), players[i / 2].id.clone()];
        }
        let pool = Pool::new(players).expect("synthetic players are valid");
        let plain = SkillCost::new(&pool);
        for price in [0, 12_345, -7, (1 << 60) - 1] {
            let cost = plain.clone().with_rematch_cost(price).expect("sums that are exact");
            for i in 0..40 {
                let (mut row, mut after) = (vec![0; 40], vec![0; 39 - i]);
                cost.fill_row(i, &mut row);
                cost.fill_after(i, &mut after);
                for j in (0..40).filter(|&j| j != i) {
                    let names = |i: usize, j: usize| pool.players()[i].opponents.contains(&pool.players()[j].id);
                    let more = if names(i, j) || names(j, i) { price } else { 0 };
                    assert_eq!(cost.pair(i, j), plain.pair(i, j) + more);
                    assert_eq!(row[j], cost.pair(i, j));
                    assert!(j < i || after[j - i - 1] == row[j]);
                }
            }
        }
    }

    #[test]
    fn prices_beyond_exact_sums_are_refused() {
        let pool = Pool::synthetic(2, 1);
        for found in [1 << 60, -(1 << 60), i64::MAX, i64::MIN] {
            let refused = SkillCost::new(&pool).with_rematch_cost(found).map(|_| ());
            assert_eq!(refused, Err(Error::RematchCost { found }));
        }
    }

    #[test]
    fn rows_are_what_pairs_are() {
        let pool = Pool::synthetic(50, 1);
        let cost = SkillCost::new(&pool);
        let mut greatest = 0;
        for i in 0..50 {
            let mut row = vec![0; 49 - i];
            cost.fill_after(i, &mut row);
            for (at, &found) in row.iter().enumerate() {
                assert_eq!(found, cost.pair(i, i + 1 + at));
                greatest = greatest.max(found);
            }
        }
        assert_eq!(cost.greatest(), greatest);
        assert_eq!(SkillCost::new(&Pool::synthetic(0, 1)).greatest(), 0);
    }
}
