//! Limits of who may meet whom: ratings, which count the less the longer somebody waits, and regions.

use std::collections::HashMap;
use std::fmt;

use matching_core::Cost;

use super::{Pool, RATING_LIMIT, checked_rematch_cost};
use crate::error::Error;
use crate::written::number_text;

/// Numbers of pools are integers in these units.
const SCALE: f64 = 1e6;

/// The same for products of exact numbers.
const UNIT: i128 = 1_000_000;

/// Who may meet whom in a pool: nobody whose rating is too far off, where the limit grows while players wait, and regions
/// as they come, at a price, or apart. As a [`Cost`] it is what a pair costs for its regions, and it forbids every pair beyond the
/// limits and all who [avoid](crate::Player::avoid) each other; [`Cost::plus`] joins it to any other cost of the pool.
///
/// The limit of two players is `limit + growth · w`, `w` being the longer of their waits in seconds
/// ([`Player::wait`](crate::Player::wait); 0 where it is unknown), as in [`Threshold`](crate::online::Threshold) and
/// [`Rules::ping_growth`](crate::lobby::Rules::ping_growth). Whoever is rated unlike all others waits because nobody like that
/// comes; those who come have hardly waited, and by the shorter wait the limit would never grow for the one who needs it. Others
/// accept a wider gap beside that player, and none beside each other.
///
/// Ratings, waits, limit and growth are read to six decimals, and all else is exact: a gap that is as wide as the limit is within
/// it. Regions differ where both players have one, and not the same.
///
/// # Complexity
/// O(n) memory for n players, constant time for a pair, but for the logarithm of how many a player avoids.
///
/// # Examples
/// ```
/// use matching_core::{Blossom, Cost};
/// use matchmaking::{Pool, PoolLimits, SkillCost};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let csv = "id,rating,wait\nann,1500,0\nben,1510,5\ncho,1540,0\ndee,1650,60\n";
/// let pool = Pool::read_ratings_csv(csv.as_bytes())?;
/// let limits = PoolLimits::new(&pool).with_gap_limit(50.0)?.with_gap_growth(1.0)?;
/// assert!(limits.may_meet(2, 3)); // 110 points apart: 50, and 60 as dee has waited for a minute
/// assert!(!limits.may_meet(1, 3)); // 140
/// let pairing = Blossom::new().solve(&SkillCost::new(&pool).plus(limits)?)?;
/// assert_eq!(pairing.mate(3), Some(2));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct PoolLimits<'p> {
    pool: &'p Pool,
    /// In units of 10⁻⁶ points, if there is one.
    limit: Option<i64>,
    /// In units of 10⁻⁶ points a second.
    growth: i64,
    /// Ratings in units of 10⁻⁶ points.
    ratings: Vec<i64>,
    /// How far off others may be whoever has waited no longer, in the same units and rounded down, as gaps are whole.
    reach: Vec<i64>,
    /// Regions as numbers from 1; 0 for players without one.
    regions: Vec<u32>,
    between: Between,
}

/// How regions are to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    /// Each such pair costs so much more.
    Cost(i64),
    Apart,
}

/// Why two players of a pool may not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Separation {
    /// One of the two avoids the other.
    Avoided,
    /// Their ratings are too far apart, in units of 10⁻⁶ points.
    Gap {
        /// How far.
        gap: i64,
        /// How far they may be, after the longer of their waits.
        limit: i64,
    },
    /// Their regions differ.
    Regions,
}

impl fmt::Display for Separation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Avoided => write!(f, "one of the two avoids the other"),
            Self::Gap { gap, limit } => {
                let [gap, limit] = [gap, limit].map(|&number| number_text(number as f64 / SCALE));
                write!(f, "their ratings are {gap} apart, and may be {limit}")
            }
            Self::Regions => write!(f, "their regions differ, and are kept apart"),
        }
    }
}

impl<'p> PoolLimits<'p> {
    /// Gaps and growths are in units of a point divided by this.
    pub const SCALE: i64 = UNIT as i64;

    /// No limits but who avoids whom.
    pub fn new(pool: &'p Pool) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut number = |region| {
            let next = numbers.len() as u32 + 1;
            *numbers.entry(region).or_insert(next)
        };
        // Many services write a text that is not set as an empty one.
        let region = |region: Option<&'p str>| region.filter(|name| !name.is_empty());
        let players = pool.players().iter();
        Self {
            pool,
            limit: None,
            growth: 0,
            ratings: players.clone().map(|player| on_grid(player.rating)).collect(),
            reach: Vec::new(),
            regions: players
                .map(|player| region(player.region.as_deref()).map_or(0, &mut number))
                .collect(),
            between: Between::Cost(0),
        }
    }

    /// The same, where ratings of two who meet are no more than so many points apart, and more only by
    /// [`with_gap_growth`](Self::with_gap_growth).
    ///
    /// # Errors
    /// [`Error::GapLimit`] unless it lies between 0 and 10⁹, as ratings do.
    pub fn with_gap_limit(mut self, points: f64) -> Result<Self, Error> {
        if !(0.0..=RATING_LIMIT).contains(&points) {
            return Err(Error::GapLimit { found: points });
        }
        self.limit = Some(on_grid(points));
        Ok(self.reached())
    }

    /// The same, where the limit of two grows by so many points for each second that the one of them has waited who has waited
    /// longer; without a limit of no effect.
    ///
    /// # Errors
    /// [`Error::GapGrowth`] unless it lies between 0 and 10⁹.
    pub fn with_gap_growth(mut self, points_a_second: f64) -> Result<Self, Error> {
        if !(0.0..=RATING_LIMIT).contains(&points_a_second) {
            return Err(Error::GapGrowth { found: points_a_second });
        }
        self.growth = on_grid(points_a_second);
        Ok(self.reached())
    }

    /// The same, where a pair whose regions differ costs so much more, in the units of the cost that this is added to; less than
    /// nothing brings regions together.
    ///
    /// # Errors
    /// [`Error::RegionCost`] for 2⁶⁰ or more in absolute value.
    pub fn with_region_cost(mut self, cost: i64) -> Result<Self, Error> {
        let cost = checked_rematch_cost(cost).map_err(|_| Error::RegionCost { found: cost })?;
        self.between = Between::Cost(cost);
        Ok(self)
    }

    /// The same, where nobody meets a player of another region.
    #[must_use]
    pub fn with_regions_apart(mut self) -> Self {
        self.between = Between::Apart;
        self
    }

    /// How far each player's wait reaches by itself: the greater of two is their limit.
    fn reached(mut self) -> Self {
        let limit = self.limit.map(i128::from);
        let growth = i128::from(self.growth);
        let reach = |limit: i128| {
            let of = |wait: f64| limit + growth * i128::from(on_grid(wait)) / UNIT;
            let players = self.pool.players().iter();
            // No gap is as wide as what does not fit.
            let reach = players.map(|player| i64::try_from(of(player.wait.unwrap_or(0.0))).unwrap_or(i64::MAX));
            reach.collect()
        };
        self.reach = limit.map_or_else(Vec::new, reach);
        self
    }

    /// The players.
    pub fn pool(&self) -> &'p Pool {
        self.pool
    }

    /// Whether there is a limit for ratings, or regions are apart: whether more pairs than those of whom one avoids the other may
    /// be forbidden.
    pub fn has_limits(&self) -> bool {
        self.limit.is_some() || self.between == Between::Apart
    }

    /// Whether pairs whose regions differ cost something more, or less.
    pub fn has_region_cost(&self) -> bool {
        !matches!(self.between, Between::Cost(0) | Between::Apart)
    }

    /// How far apart the ratings of two players are, in units of 10⁻⁶ points.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    #[track_caller]
    pub fn gap(&self, i: usize, j: usize) -> i64 {
        (self.ratings[i] - self.ratings[j]).abs()
    }

    /// How far apart they may be, in the same units and rounded down to them, if there is a limit.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    #[track_caller]
    pub fn gap_limit_between(&self, i: usize, j: usize) -> Option<i64> {
        let len = self.pool.len();
        assert!(i < len && j < len, "players {i} and {j} where the pool has {len}");
        self.limit.map(|_| self.reach[i].max(self.reach[j]))
    }

    /// Whether both players have a region, and not the same.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    #[track_caller]
    pub fn regions_differ(&self, i: usize, j: usize) -> bool {
        let (one, other) = (self.regions[i], self.regions[j]);
        one != 0 && other != 0 && one != other
    }

    /// Whether two different players may meet.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    #[track_caller]
    pub fn may_meet(&self, i: usize, j: usize) -> bool {
        let is_near = self.reach.is_empty() || self.gap(i, j) <= self.reach[i].max(self.reach[j]);
        let is_home = self.between != Between::Apart || !self.regions_differ(i, j);
        is_near && is_home && self.pool.may_meet(i, j)
    }

    /// Everything that keeps two players apart; nothing where they may meet.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::{Pool, PoolLimits, Separation};
    ///
    /// # fn main() -> Result<(), matchmaking::Error> {
    /// let pool = Pool::read_ratings_csv("id,rating,region\nann,1500,eu\nben,1700.5,us\n".as_bytes())?;
    /// let limits = PoolLimits::new(&pool).with_gap_limit(100.0)?.with_regions_apart();
    /// let gap = Separation::Gap { gap: 200_500_000, limit: 100_000_000 };
    /// assert_eq!(limits.separations(0, 1), [gap, Separation::Regions]);
    /// assert_eq!(gap.to_string(), "their ratings are 200.5 apart, and may be 100");
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn separations(&self, i: usize, j: usize) -> Vec<Separation> {
        let gap = self.gap(i, j);
        let limit = self.gap_limit_between(i, j).filter(|&limit| gap > limit);
        let is_abroad = self.between == Between::Apart && self.regions_differ(i, j);
        let all = [
            (!self.pool.may_meet(i, j)).then_some(Separation::Avoided),
            limit.map(|limit| Separation::Gap { gap, limit }),
            is_abroad.then_some(Separation::Regions),
        ];
        all.into_iter().flatten().collect()
    }

    /// The pairs of players who may not meet: lower position, higher position, in order. Where there are limits, every pair is
    /// looked at.
    pub fn forbidden_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let n = self.pool.len();
        let all = if self.has_limits() { n } else { 0 };
        let beyond = (0..all).flat_map(move |i| (i + 1..n).map(move |j| (i, j)));
        let beyond = beyond.filter(|&(i, j)| !self.may_meet(i, j));
        let avoided = (!self.has_limits()).then(|| self.pool.avoided_pairs());
        beyond.chain(avoided.into_iter().flatten())
    }

    /// What a pair costs more for its regions.
    fn region_cost(&self, i: usize, j: usize) -> i64 {
        match self.between {
            Between::Cost(cost) if cost != 0 && self.regions_differ(i, j) => cost,
            Between::Cost(_) | Between::Apart => 0,
        }
    }
}

/// A number that a pool holds, or is compared with, in units of 10⁻⁶: below 2^50 in absolute value, so that decimals of so many
/// places are exact.
fn on_grid(number: f64) -> i64 {
    (number * SCALE).round() as i64
}

impl Cost for PoolLimits<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.pool.len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        self.region_cost(i, j)
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.may_meet(i, j)
    }

    fn has_forbidden(&self) -> bool {
        self.has_limits() || self.pool.has_avoided()
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use matching_core::{Blossom, Cost};

    use super::{PoolLimits, Separation};
    use crate::error::Error;
    use crate::player::Player;
    use crate::pool::Pool;
    use crate::skill::SkillCost;

    /// By rating, wait and region.
    fn pool(players: &[(f64, Option<f64>, &str)]) -> Pool {
        let player = |(i, &(rating, wait, region)): (usize, &(f64, Option<f64>, &str))| {
            let mut player = Player::new(format!("p{i}"), rating, 50.0);
            (player.wait, player.region) = (wait, Some(region.to_owned()));
            player
        };
        Pool::new(players.iter().enumerate().map(player).collect()).expect("numbers within limits")
    }

    #[test]
    fn the_longer_wait_counts_and_the_limit_is_within_itself() -> Result<(), Error> {
        let pool = pool(&[
            (0.0, None, ""),
            (100.3, Some(0.1), ""),
            (100.300001, Some(0.1), ""),
            (-1e9, Some(1e9), ""),
            (1e9, None, ""),
        ]);
        let limits = PoolLimits::new(&pool).with_gap_limit(100.0)?;
        assert_eq!(
            limits.separations(0, 1),
            [Separation::Gap {
                gap: 100_300_000,
                limit: 100_000_000
            }]
        );
        // A third of a point, were it not for floats: 100 + 3 * 0.1.
        let limits = limits.with_gap_growth(3.0)?;
        assert!(limits.may_meet(0, 1) && limits.may_meet(1, 0));
        assert!(!limits.may_meet(0, 2));
        assert_eq!(limits.gap_limit_between(2, 0), Some(100_300_000));
        // Units of a unit are cut off: gaps have none.
        let fine = limits.clone().with_gap_growth(0.000009)?;
        assert_eq!(fine.gap_limit_between(0, 2), Some(100_000_000));
        let coarse = PoolLimits::new(&pool).with_gap_growth(1e9)?;
        assert!(coarse.may_meet(3, 4) && !coarse.has_limits());
        let coarse = coarse.with_gap_limit(0.0)?;
        assert!(coarse.may_meet(3, 4) && !coarse.may_meet(0, 4));
        assert_eq!(coarse.gap_limit_between(3, 4), Some(i64::MAX));
        Ok(())
    }

    #[test]
    fn regions_as_they_come_at_a_price_and_apart() -> Result<(), Error> {
        let pool = pool(&[(0.0, None, "eu"), (1.0, None, "us"), (2.0, None, ""), (3.0, None, "eu")]);
        let free = PoolLimits::new(&pool);
        assert!((0..4).all(|i| (0..i).all(|j| free.may_meet(i, j) && free.pair(i, j) == 0)));
        assert!(!free.has_forbidden() && free.forbidden_pairs().next().is_none());
        let priced = free.clone().with_region_cost(7)?;
        assert_eq!(
            [(0, 1), (1, 3), (0, 2), (1, 2), (0, 3)].map(|(i, j)| priced.pair(i, j)),
            [7, 7, 0, 0, 0]
        );
        let apart = priced.with_regions_apart();
        assert_eq!(apart.forbidden_pairs().collect::<Vec<_>>(), [(0, 1), (1, 3)]);
        assert_eq!(apart.separations(3, 1), [Separation::Regions]);
        let best = Blossom::new().solve(&SkillCost::new(&pool).plus(apart).expect("as many players"));
        assert_eq!(best.expect("a pairing").mate(1), Some(2));
        Ok(())
    }

    #[test]
    fn without_limits_it_is_who_avoids_whom() -> Result<(), Error> {
        let mut players = pool(&[(0.0, None, "eu"), (1.0, None, "us"), (900.0, None, "")])
            .players()
            .to_vec();
        players[2].avoid = vec!["p0".to_owned()];
        let pool = Pool::new(players)?;
        let limits = PoolLimits::new(&pool);
        assert!(limits.has_forbidden() && !limits.has_limits());
        assert_eq!(
            limits.forbidden_pairs().collect::<Vec<_>>(),
            pool.avoided_pairs().collect::<Vec<_>>()
        );
        let limits = limits.with_gap_limit(10.0)?;
        assert_eq!(limits.forbidden_pairs().collect::<Vec<_>>(), [(0, 2), (1, 2)]);
        let gap = Separation::Gap {
            gap: 900_000_000,
            limit: 10_000_000,
        };
        assert_eq!(limits.separations(0, 2), [Separation::Avoided, gap]);
        Ok(())
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let pool = pool(&[(0.0, None, "")]);
        for found in [-1.0, 1e9 + 1.0, f64::INFINITY] {
            let limit = PoolLimits::new(&pool).with_gap_limit(found).map(|_| ());
            assert_eq!(limit, Err(Error::GapLimit { found }));
            let growth = PoolLimits::new(&pool).with_gap_growth(found).map(|_| ());
            assert_eq!(growth, Err(Error::GapGrowth { found }));
        }
        assert!(PoolLimits::new(&pool).with_gap_limit(f64::NAN).is_err());
        for found in [1 << 60, i64::MIN] {
            let cost = PoolLimits::new(&pool).with_region_cost(found).map(|_| ());
            assert_eq!(cost, Err(Error::RegionCost { found }));
        }
        let message = Error::GapLimit { found: -1.0 }.to_string();
        assert_eq!(
            message,
            "a gap limit of -1: it must lie between 0 and 1000000000 rating points"
        );
    }
}
