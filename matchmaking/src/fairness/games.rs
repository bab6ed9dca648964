//! How parts of a pool fare by several games each.

use super::Segment;
use crate::engagement::EngagementCost;

/// How some players fare by games of which they have several; a game of two of them counts for both.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GamesMetrics {
    /// How many there are.
    pub players: usize,
    /// How many games they have together.
    pub games: usize,
    /// How far the rating of the opponent is from their own, in the mean of these games; none without games.
    pub mean_rating_gap: Option<f64>,
    /// Their own chance to win, in the mean of these games; none without games.
    pub win_chance: Option<f64>,
    /// Their chance to stay after a game, in the mean of these games, each judged by itself; none without games.
    pub stay_chance: Option<f64>,
}

impl EngagementCost<'_> {
    /// How each of the segments fares by games of two, of which everybody may have several or none.
    ///
    /// # Panics
    /// If a game or a segment has somebody who is not a player.
    ///
    /// # Complexity
    /// O(n), the games, and those of the players of all segments.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::fairness::Segment;
    /// use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pool, SyntheticChurn, opponents_at_random};
    ///
    /// # fn main() -> Result<(), matchmaking::Error> {
    /// let pool = Pool::synthetic(100, 1);
    /// let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &SyntheticChurn::new(Horizon::EightHours, 0))?;
    /// let games = opponents_at_random(&pool, &[3; 100], 0);
    /// let metrics = cost.games_by_segment(&games, &Segment::of_pool(&pool));
    ///
    /// // 150 games, and the weakest fifth wins fewer of theirs than all do.
    /// assert_eq!(metrics[0].games, 300);
    /// assert!(metrics[1].win_chance < metrics[0].win_chance);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn games_by_segment(&self, games: &[(usize, usize)], segments: &[Segment]) -> Vec<GamesMetrics> {
        let mut opponents = vec![Vec::new(); self.pool().len()];
        for &(i, j) in games {
            opponents[i].push(j);
            opponents[j].push(i);
        }
        let measured = |segment: &Segment| self.games_measured(&opponents, &segment.players);
        segments.iter().map(measured).collect()
    }

    fn games_measured(&self, opponents: &[Vec<usize>], players: &[usize]) -> GamesMetrics {
        let rating = |player: usize| self.pool().players()[player].rating;
        let (mut games, mut gaps, mut wins, mut stays) = (0, 0.0, 0.0, 0.0);
        for &player in players {
            for &other in &opponents[player] {
                let terms = self.terms(player, other);
                games += 1;
                gaps += (rating(player) - rating(other)).abs();
                wins += terms.outcomes.win;
                stays += 1.0 - terms.first_churn();
            }
        }
        let mean = |sum: f64| (games > 0).then(|| sum / f64::from(games));
        GamesMetrics {
            players: players.len(),
            games: games as usize,
            mean_rating_gap: mean(gaps),
            win_chance: mean(wins),
            stay_chance: mean(stays),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Horizon, OutcomeModel, Pairing, Pool, SyntheticChurn, opponents_at_random};

    fn measured(pool: &Pool, check: impl Fn(&EngagementCost<'_>, &[Segment])) {
        let churn = SyntheticChurn::new(Horizon::EightHours, 2);
        let cost = EngagementCost::new(pool, &OutcomeModel::default(), &churn).expect("probabilities");
        check(&cost, &Segment::of_pool(pool));
    }

    /// Of one game each it is what a pairing is.
    #[test]
    fn one_game_each_is_a_pairing() {
        measured(&Pool::synthetic(60, 4), |cost, segments| {
            let pairing = Pairing::random(cost.pool(), 1);
            let games = cost.games_by_segment(pairing.pairs(), segments);
            for (games, one) in games.iter().zip(cost.by_segment(&pairing, segments)) {
                assert_eq!((games.players, games.games), (one.players, one.playing));
                assert_eq!(
                    (games.mean_rating_gap, games.win_chance),
                    (one.mean_rating_gap, one.win_chance)
                );
                let stay = games.stay_chance.expect("games") * games.players as f64;
                assert!((stay - one.expected_retained).abs() < 1e-9);
            }
        });
    }

    /// Figures of all parts of a kind come to those of everybody, and those of everybody to what the games cost.
    #[test]
    fn parts_add_up() {
        measured(&Pool::synthetic(61, 5), |cost, segments| {
            let counts: Vec<u32> = (0..61).map(|player| player % 4).collect();
            let games = opponents_at_random(cost.pool(), &counts, 7);
            let metrics = cost.games_by_segment(&games, segments);
            let all = metrics[0];
            assert_eq!(all.games, 2 * games.len());
            let lost: f64 = games
                .iter()
                .map(|&(i, j)| cost.terms(i, j).first_churn() + cost.terms(j, i).first_churn())
                .sum();
            let stay = all.stay_chance.expect("games") * all.games as f64;
            assert!((stay - (all.games as f64 - lost)).abs() < 1e-9);
            let sum = |figure: fn(&GamesMetrics) -> f64| metrics[1..6].iter().map(figure).sum::<f64>();
            assert_eq!(sum(|part| part.games as f64), all.games as f64);
            let weighed = sum(|part| part.games as f64 * part.stay_chance.unwrap_or(0.0));
            assert!((weighed - stay).abs() < 1e-9);
            let nothing = cost.games_by_segment(&[], segments)[0];
            assert_eq!(
                (nothing.games, nothing.stay_chance, nothing.win_chance),
                (0, None, None)
            );
        });
    }
}
