//! Who fares how: what a pairing means for parts of a pool.
//!
//! The pairing that keeps the most players need not be as good for all of them. So the same figures stand here for everybody, for
//! fifths by rating and for regions.

use crate::baseline::Pairing;
use crate::engagement::EngagementCost;
use crate::pool::Pool;

/// Parts by rating.
const BANDS: usize = 5;

/// Some of the players of a pool, who have something in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// What they have in common.
    pub of: Trait,
    /// Their positions in the pool.
    pub players: Vec<usize>,
}

/// What the players of a [`Segment`] have in common.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Trait {
    /// Nothing: they are all of the pool.
    Everybody,
    /// A rating from the first number to the second, both of which somebody has.
    Rating(f64, f64),
    /// A region, or none.
    Region(Option<String>),
}

impl Segment {
    /// Everybody; five parts of equal size by rating; and where anybody has a region, each region, by name, and whoever
    /// has none. Whoever is rated the same is in the same part, so that parts may differ in size, and few ratings
    /// make fewer parts. Nobody is in two parts of one kind, and everybody is in one of each.
    ///
    /// # Complexity
    /// O(n log n).
    pub fn of_pool(pool: &Pool) -> Vec<Self> {
        let everybody = Self {
            of: Trait::Everybody,
            players: (0..pool.len()).collect(),
        };
        let mut segments = vec![everybody];
        segments.extend(by_rating(pool));
        segments.extend(by_region(pool));
        segments
    }
}

fn by_rating(pool: &Pool) -> Vec<Segment> {
    let rating = |player: usize| pool.players()[player].rating;
    let mut order: Vec<usize> = (0..pool.len()).collect();
    order.sort_by(|&i, &j| rating(i).total_cmp(&rating(j)));
    let mut segments = Vec::new();
    let mut begin = 0;
    for band in 1..=BANDS {
        let mut end = begin.max(band * order.len() / BANDS);
        while end > begin && end < order.len() && rating(order[end]) == rating(order[end - 1]) {
            end += 1;
        }
        if let [first, .., last] | [first @ last] = &order[begin..end] {
            segments.push(Segment {
                of: Trait::Rating(rating(*first), rating(*last)),
                players: order[begin..end].to_vec(),
            });
        }
        begin = end;
    }
    segments
}

fn by_region(pool: &Pool) -> Vec<Segment> {
    let region = |player: usize| pool.players()[player].region.as_deref();
    let mut order: Vec<usize> = (0..pool.len()).collect();
    // Whoever has none comes last.
    order.sort_by_key(|&player| (region(player).is_none(), region(player)));
    if order.first().is_none_or(|&first| region(first).is_none()) {
        return Vec::new();
    }
    let regions = order.chunk_by(|&i, &j| region(i) == region(j));
    regions
        .map(|players| Segment {
            of: Trait::Region(region(players[0]).map(str::to_owned)),
            players: players.to_vec(),
        })
        .collect()
}

/// How some players fare by a pairing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fare {
    /// How many there are.
    pub players: usize,
    /// How many of them have a game.
    pub playing: usize,
    /// How far the rating of the opponent is from their own, in the mean of who plays; none where nobody does.
    pub mean_rating_gap: Option<f64>,
    /// Their own chance to win, in the mean of who plays; none where nobody does.
    pub win_chance: Option<f64>,
    /// Expected number of them who stay, with or without a game.
    pub expected_retained: f64,
}

impl EngagementCost<'_> {
    /// How each of the segments fares by a pairing that has every player once. Whoever it leaves out has no game.
    ///
    /// # Panics
    /// If the pairing or a segment has somebody who is not a player.
    ///
    /// # Complexity
    /// O(n) and the players of all segments.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::fairness::{Segment, Trait};
    /// use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pairing, Pool, SyntheticChurn};
    ///
    /// # fn main() -> Result<(), matchmaking::Error> {
    /// let pool = Pool::synthetic(100, 1);
    /// let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &SyntheticChurn::new(Horizon::EightHours, 0))?;
    /// let segments = Segment::of_pool(&pool);
    /// let fares = cost.fares(&Pairing::random(&pool, 0), &segments);
    ///
    /// // The weakest fifth meets whom chance sends, who is mostly stronger.
    /// assert!(matches!(segments[1].of, Trait::Rating(..)));
    /// assert!(fares[1].win_chance < fares[0].win_chance);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn fares(&self, pairing: &Pairing, segments: &[Segment]) -> Vec<Fare> {
        let mut opponent = vec![None; self.pool().len()];
        for &(i, j) in pairing.pairs() {
            opponent[i] = Some(j);
            opponent[j] = Some(i);
        }
        segments
            .iter()
            .map(|segment| self.fare(&opponent, &segment.players))
            .collect()
    }

    fn fare(&self, opponent: &[Option<usize>], players: &[usize]) -> Fare {
        let rating = |player: usize| self.pool().players()[player].rating;
        let (mut playing, mut gaps, mut wins, mut lost) = (0, 0.0, 0.0, 0.0);
        for &player in players {
            match opponent[player] {
                Some(other) => {
                    let terms = self.terms(player, other);
                    playing += 1;
                    gaps += (rating(player) - rating(other)).abs();
                    wins += terms.outcomes.win;
                    lost += terms.first_churn();
                }
                None => lost += self.idle(player),
            }
        }
        let mean = |sum: f64| (playing > 0).then(|| sum / playing as f64);
        Fare {
            players: players.len(),
            playing,
            mean_rating_gap: mean(gaps),
            win_chance: mean(wins),
            expected_retained: players.len() as f64 - lost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Horizon, OutcomeModel, Player, SyntheticChurn};

    fn pool(ratings: &[f64], regions: &[&str]) -> Pool {
        let mut players = Pool::synthetic(ratings.len(), 3).players().to_vec();
        for (player, (rating, region)) in players.iter_mut().zip(ratings.iter().zip(regions.iter().cycle())) {
            player.rating = *rating;
            player.region = (!region.is_empty()).then(|| (*region).to_owned());
        }
        Pool::new(players).expect("the ratings are numbers")
    }

    fn bands(ratings: &[f64]) -> Vec<(f64, f64, usize)> {
        let segments = Segment::of_pool(&pool(ratings, &[""]));
        assert_eq!(segments[0].players, (0..ratings.len()).collect::<Vec<_>>());
        let bands = segments[1..].iter().map(|segment| match segment.of {
            Trait::Rating(from, to) => (from, to, segment.players.len()),
            _ => panic!("{segment:?}"),
        });
        bands.collect()
    }

    #[test]
    fn equal_ratings_are_never_parted() {
        assert_eq!(bands(&[]), []);
        assert_eq!(bands(&[7.0]), [(7.0, 7.0, 1)]);
        assert_eq!(bands(&[7.0; 12]), [(7.0, 7.0, 12)]);
        assert_eq!(bands(&[3.0, 1.0, 2.0]), [(1.0, 1.0, 1), (2.0, 2.0, 1), (3.0, 3.0, 1)]);
        assert_eq!(
            bands(&[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 0.0]),
            [
                (0.0, 1.0, 2),
                (2.0, 3.0, 2),
                (4.0, 5.0, 2),
                (6.0, 7.0, 2),
                (8.0, 9.0, 2)
            ]
        );
        // The second part would end amid the fours.
        assert_eq!(
            bands(&[0.0, 1.0, 4.0, 4.0, 4.0, 4.0, 4.0, 7.0, 8.0, 9.0]),
            [(0.0, 1.0, 2), (4.0, 4.0, 5), (7.0, 7.0, 1), (8.0, 9.0, 2)]
        );
    }

    #[test]
    fn regions_stand_by_name_and_nobody_is_left_out() {
        let ratings: Vec<f64> = (0..7).map(f64::from).collect();
        let segments = Segment::of_pool(&pool(&ratings, &["us", "", "eu"]));
        let regions = segments.iter().filter_map(|segment| match &segment.of {
            Trait::Region(name) => Some((name.as_deref(), segment.players.as_slice())),
            _ => None,
        });
        let expected = [(Some("eu"), &[2, 5][..]), (Some("us"), &[0, 3, 6]), (None, &[1, 4])];
        assert_eq!(regions.collect::<Vec<_>>(), expected);
    }

    /// Figures of all parts of a kind come to those of everybody, and those of everybody to what the pairing is worth.
    #[test]
    fn parts_add_up() {
        let mut players: Vec<Player> = Pool::synthetic(101, 5).players().to_vec();
        for (number, player) in players.iter_mut().enumerate() {
            player.region = [Some("eu"), Some("us"), None][number % 3].map(str::to_owned);
        }
        let pool = Pool::new(players).expect("synthetic players are valid");
        let churn = SyntheticChurn::new(Horizon::EightHours, 2);
        let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &churn).expect("probabilities");
        let pairing = Pairing::random(&pool, 9);
        let segments = Segment::of_pool(&pool);
        let fares = cost.fares(&pairing, &segments);
        assert_eq!((segments.len(), fares.len()), (9, 9));

        let all = fares[0];
        assert_eq!((all.players, all.playing), (101, 100));
        assert!((all.expected_retained - cost.expected_retained(&pairing)).abs() < 1e-9);
        let rating = |player: usize| pool.players()[player].rating;
        let gaps = pairing.pairs().iter().map(|&(i, j)| (rating(i) - rating(j)).abs());
        assert!((all.mean_rating_gap.expect("games") - gaps.sum::<f64>() / 50.0).abs() < 1e-9);
        // Of two in a game, one wins unless it is drawn.
        let draws = pairing.pairs().iter().map(|&(i, j)| cost.terms(i, j).outcomes.draw);
        assert!((all.win_chance.expect("games") - (1.0 - draws.sum::<f64>() / 50.0) / 2.0).abs() < 1e-9);

        for parts in [1..6, 6..9] {
            let parts = &fares[parts];
            let sum = |figure: &dyn Fn(&Fare) -> f64| parts.iter().map(figure).sum::<f64>();
            assert_eq!(parts.iter().map(|fare| fare.playing).sum::<usize>(), all.playing);
            assert_eq!(parts.iter().map(|fare| fare.players).sum::<usize>(), all.players);
            assert!((sum(&|fare| fare.expected_retained) - all.expected_retained).abs() < 1e-9);
            let weighed = sum(&|fare| fare.playing as f64 * fare.win_chance.unwrap_or(0.0));
            assert!((weighed - 100.0 * all.win_chance.expect("games")).abs() < 1e-9);
        }
    }

    #[test]
    fn who_has_no_game_has_no_chance_to_win() {
        let pool = pool(&[1.0, 2.0, 3.0], &[""]);
        let churn = SyntheticChurn::new(Horizon::EightHours, 2);
        let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &churn).expect("probabilities");
        let pairing = Pairing::new(vec![(2, 0)], vec![1]);
        let fares = cost.fares(&pairing, &Segment::of_pool(&pool));
        let middle = fares[2];
        assert_eq!((middle.players, middle.playing), (1, 0));
        assert_eq!((middle.mean_rating_gap, middle.win_chance), (None, None));
        assert_eq!(middle.expected_retained, 1.0 - cost.idle(1));
        assert_eq!(fares[3].win_chance, Some(cost.terms(2, 0).outcomes.win));
        assert_eq!(fares[1].win_chance, Some(cost.terms(2, 0).outcomes.loss));
    }
}
