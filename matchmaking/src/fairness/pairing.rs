//! How parts of a pool fare by a pairing.

use super::Segment;
use crate::baseline::Pairing;
use crate::engagement::EngagementCost;

/// How some players fare by a pairing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PairingMetrics {
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
    /// use matchmaking::fairness::{Segment, SegmentKind};
    /// use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pairing, Pool, SyntheticChurn};
    ///
    /// # fn main() -> Result<(), matchmaking::Error> {
    /// let pool = Pool::synthetic(100, 1);
    /// let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &SyntheticChurn::new(Horizon::EightHours, 0))?;
    /// let segments = Segment::of_pool(&pool);
    /// let metrics = cost.by_segment(&Pairing::random(&pool, 0), &segments);
    ///
    /// // The weakest fifth meets whom chance sends, who is mostly stronger.
    /// assert!(matches!(segments[1].kind, SegmentKind::Rating(..)));
    /// assert!(metrics[1].win_chance < metrics[0].win_chance);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn by_segment(&self, pairing: &Pairing, segments: &[Segment]) -> Vec<PairingMetrics> {
        self.check_players(pairing);
        let mut opponent = vec![None; self.pool().len()];
        for &(i, j) in pairing.pairs() {
            opponent[i] = Some(j);
            opponent[j] = Some(i);
        }
        segments
            .iter()
            .map(|segment| self.measured(&opponent, &segment.players))
            .collect()
    }

    fn measured(&self, opponent: &[Option<usize>], players: &[usize]) -> PairingMetrics {
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
        PairingMetrics {
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
    use crate::{Horizon, OutcomeModel, Player, Pool, SyntheticChurn};

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
        let metrics = cost.by_segment(&pairing, &segments);
        assert_eq!((segments.len(), metrics.len()), (9, 9));

        let all = metrics[0];
        assert_eq!((all.players, all.playing), (101, 100));
        assert!((all.expected_retained - cost.expected_retained(&pairing)).abs() < 1e-9);
        let rating = |player: usize| pool.players()[player].rating;
        let gaps = pairing.pairs().iter().map(|&(i, j)| (rating(i) - rating(j)).abs());
        assert!((all.mean_rating_gap.expect("games") - gaps.sum::<f64>() / 50.0).abs() < 1e-9);
        // Of two in a game, one wins unless it is drawn.
        let draws = pairing.pairs().iter().map(|&(i, j)| cost.terms(i, j).outcomes.draw);
        assert!((all.win_chance.expect("games") - (1.0 - draws.sum::<f64>() / 50.0) / 2.0).abs() < 1e-9);

        for parts in [1..6, 6..9] {
            let parts = &metrics[parts];
            let sum = |figure: &dyn Fn(&PairingMetrics) -> f64| parts.iter().map(figure).sum::<f64>();
            assert_eq!(
                parts.iter().map(|measured| measured.playing).sum::<usize>(),
                all.playing
            );
            assert_eq!(
                parts.iter().map(|measured| measured.players).sum::<usize>(),
                all.players
            );
            assert!((sum(&|measured| measured.expected_retained) - all.expected_retained).abs() < 1e-9);
            let weighed = sum(&|measured| measured.playing as f64 * measured.win_chance.unwrap_or(0.0));
            assert!((weighed - 100.0 * all.win_chance.expect("games")).abs() < 1e-9);
        }
    }

    /// Of those without a game nobody was looked at.
    #[test]
    #[should_panic(expected = "player 9 of a pairing where the pool has 4")]
    fn who_sits_out_is_somebody_of_the_pool() {
        let pool = Pool::synthetic(4, 3);
        let churn = SyntheticChurn::new(Horizon::EightHours, 2);
        let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &churn).expect("probabilities");
        cost.by_segment(&Pairing::new(vec![(0, 1)], vec![2, 9]), &[]);
    }

    #[test]
    fn who_has_no_game_has_no_chance_to_win() {
        let mut players = Pool::synthetic(3, 3).players().to_vec();
        for (player, rating) in players.iter_mut().zip([1.0, 2.0, 3.0]) {
            player.rating = rating;
        }
        let pool = Pool::new(players).expect("the ratings are numbers");
        let churn = SyntheticChurn::new(Horizon::EightHours, 2);
        let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &churn).expect("probabilities");
        let pairing = Pairing::new(vec![(2, 0)], vec![1]);
        let metrics = cost.by_segment(&pairing, &Segment::of_pool(&pool));
        let middle = metrics[2];
        assert_eq!((middle.players, middle.playing), (1, 0));
        assert_eq!((middle.mean_rating_gap, middle.win_chance), (None, None));
        assert_eq!(middle.expected_retained, 1.0 - cost.idle(1));
        assert_eq!(metrics[3].win_chance, Some(cost.terms(2, 0).outcomes.win));
        assert_eq!(metrics[1].win_chance, Some(cost.terms(2, 0).outcomes.loss));
    }
}
