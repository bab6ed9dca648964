//! How parts of a round fare by its matches.

use super::Segment;
use crate::lobby::{Lobby, Match, Round};

/// How some players fare by the matches of a lobby, new ones and those that run already. Means are over those who play; there are
/// none where nobody does.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LobbyMetrics {
    /// How many there are.
    pub players: usize,
    /// How many of them have a match with scores: all who play, but for those of running matches that stay short.
    pub playing: usize,
    /// Score of their match, from 0 to 1.
    pub mean_score: Option<f64>,
    /// How far the skill of an enemy is from their own, in points before floor and cap.
    pub mean_skill_gap: Option<f64>,
    /// Ping to an enemy, in milliseconds.
    pub mean_enemy_ping_ms: Option<f64>,
    /// Rounds they have waited so far.
    pub mean_waited: Option<f64>,
}

/// The figures of one player who plays.
#[derive(Clone, Copy)]
struct Played {
    score: f64,
    skill_gap: f64,
    enemy_ping: f64,
}

impl Lobby {
    /// How each of the segments fares, of the round that the lobby is of.
    ///
    /// # Panics
    /// If somebody of a match or a segment is not in the round.
    ///
    /// # Complexity
    /// O(n k) for n players in teams of k, and the players of all segments.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::fairness::{Segment, SegmentKind};
    /// use matchmaking::lobby::{LobbySearch, Round, Rules};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let round = Round::named("nauts-102-s1")?;
    /// let rules = Rules::new(3);
    /// let lobby = LobbySearch::new(&round, &rules).work(10_000).run()?;
    /// let segments = Segment::of_round(&round);
    /// for (segment, measured) in segments.iter().zip(lobby.by_segment(&round, &segments)) {
    ///     if let SegmentKind::Region(Some(region)) = &segment.kind {
    ///         println!("{region}: {} players, mean score {:?}", measured.players, measured.mean_score);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn by_segment(&self, round: &Round, segments: &[Segment]) -> Vec<LobbyMetrics> {
        let mut played = vec![None; round.len()];
        for one in &self.matches {
            for (team, enemies) in [(&one.red, &one.blue), (&one.blue, &one.red)] {
                for &player in team {
                    played[player] = Some(figures(round, one, player, enemies));
                }
            }
        }
        segments
            .iter()
            .map(|segment| measured(round, &played, &segment.players))
            .collect()
    }
}

fn figures(round: &Round, one: &Match, player: usize, enemies: &[usize]) -> Played {
    let skill = |player: usize| round.players()[player].skill;
    let mean = |figure: &dyn Fn(usize) -> f64| {
        enemies.iter().map(|&enemy| figure(enemy)).sum::<f64>() / enemies.len().max(1) as f64
    };
    Played {
        score: one.breakdown.total,
        skill_gap: mean(&|enemy| (skill(player) - skill(enemy)).abs()),
        enemy_ping: mean(&|enemy| f64::from(round.ping_ms(player, enemy))),
    }
}

fn measured(round: &Round, played: &[Option<Played>], players: &[usize]) -> LobbyMetrics {
    let playing: Vec<(usize, Played)> = players
        .iter()
        .filter_map(|&player| Some((player, played[player]?)))
        .collect();
    let mean = |figure: &dyn Fn(&(usize, Played)) -> f64| {
        (!playing.is_empty()).then(|| playing.iter().map(figure).sum::<f64>() / playing.len() as f64)
    };
    LobbyMetrics {
        players: players.len(),
        playing: playing.len(),
        mean_score: mean(&|(_, played)| played.score),
        mean_skill_gap: mean(&|(_, played)| played.skill_gap),
        mean_enemy_ping_ms: mean(&|(_, played)| played.enemy_ping),
        mean_waited: mean(&|&(player, _)| f64::from(round.players()[player].waited)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fairness::SegmentKind;
    use crate::lobby::{LobbySearch, MAX_PLAYERS, MAX_SKILL, Player, Rules, SymmetricMatrix};

    /// Figures of all parts of a kind come to those of everybody, and those of everybody to the lobby's own.
    #[test]
    fn parts_add_up() {
        for (name, size) in [("nauts-60-s2", 3), ("nauts-102-s1", 4)] {
            let round = Round::named(name).expect("a round");
            let rules = Rules::new(size);
            let lobby = LobbySearch::new(&round, &rules).work(20_000).run().expect("matches");
            let segments = Segment::of_round(&round);
            let metrics = lobby.by_segment(&round, &segments);
            let all = metrics[0];
            assert_eq!(all.players, round.len());
            assert_eq!(all.playing, lobby.matches.len() * rules.match_size());
            assert_eq!(all.players - all.playing, lobby.waiting.len());
            assert!((all.mean_score.expect("matches") - lobby.breakdown.total).abs() < 1e-9);
            let enemies = lobby.matches.iter().flat_map(|one| {
                let pairs = one.red.iter().flat_map(|&i| one.blue.iter().map(move |&j| (i, j)));
                pairs.collect::<Vec<_>>()
            });
            let pings: Vec<f64> = enemies.map(|(i, j)| f64::from(round.ping_ms(i, j))).collect();
            let mean = pings.iter().sum::<f64>() / pings.len() as f64;
            assert!((all.mean_enemy_ping_ms.expect("matches") - mean).abs() < 1e-9);

            let kinds: [fn(&SegmentKind) -> bool; 3] = [
                |of| matches!(of, SegmentKind::Rating(..)),
                |of| matches!(of, SegmentKind::Region(_)),
                |of| matches!(of, SegmentKind::Party(_)),
            ];
            for is_kind in kinds {
                let parts = segments
                    .iter()
                    .zip(&metrics)
                    .filter(|(segment, _)| is_kind(&segment.kind));
                let parts: Vec<&LobbyMetrics> = parts.map(|(_, measured)| measured).collect();
                assert!(parts.len() > 1);
                assert_eq!(
                    parts.iter().map(|measured| measured.players).sum::<usize>(),
                    all.players
                );
                let figures: [fn(&LobbyMetrics) -> Option<f64>; 4] = [
                    |measured| measured.mean_score,
                    |measured| measured.mean_skill_gap,
                    |measured| measured.mean_enemy_ping_ms,
                    |measured| measured.mean_waited,
                ];
                for figure in figures {
                    let sum = parts
                        .iter()
                        .map(|measured| measured.playing as f64 * figure(measured).unwrap_or(0.0));
                    let whole = all.playing as f64 * figure(&all).expect("matches");
                    assert!((sum.sum::<f64>() - whole).abs() < 1e-6 * whole.max(1.0));
                }
            }
        }
    }

    /// The difference of two skills near the greatest float was infinite, and so was the mean with it.
    #[test]
    fn the_greatest_skills_have_finite_gaps() {
        assert!((2.0 * MAX_SKILL * MAX_PLAYERS as f64).is_finite(), "no sum is more");
        // A power of two, by which floats lose nothing.
        let scale = 2.0_f64.powi(-900);
        let of_skill = |factor: f64| {
            let player = |i: u32| {
                let sign = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
                let skill = sign * factor * MAX_SKILL / f64::from(1 + i % 3);
                Player::new(format!("p{i}"), skill)
            };
            let pings = SymmetricMatrix::from_fn(24, |_, _| 30.0);
            Round::new(
                (0..24).map(player).collect(),
                pings,
                SymmetricMatrix::from_fn(24, |_, _| true),
            )
        };
        let (great, small) = (of_skill(1.0).expect("a round"), of_skill(scale).expect("a round"));
        let lobby = LobbySearch::new(&great, &Rules::new(3))
            .work(2_000)
            .run()
            .expect("matches");
        let segments = Segment::of_round(&great);
        let figures = |round: &Round| lobby.by_segment(round, &segments);
        for (great, small) in figures(&great).iter().zip(figures(&small)) {
            let gap = great.mean_skill_gap.expect("they play");
            assert!(gap.is_finite());
            assert_eq!(Some(gap * scale), small.mean_skill_gap);
        }
        let gap = figures(&great)[0].mean_skill_gap.expect("they play");
        assert!(gap > 0.1 * MAX_SKILL && gap < 2.0 * MAX_SKILL, "{gap}");
    }

    #[test]
    fn who_waits_has_no_figures_of_a_match() {
        let round = Round::named("nauts-102-s1").expect("a round");
        let lobby = LobbySearch::new(&round, &Rules::new(4))
            .work(1_000)
            .run()
            .expect("matches");
        assert!(!lobby.waiting.is_empty(), "102 players are no multiple of 8");
        let waiting = Segment {
            kind: SegmentKind::Everybody,
            players: lobby.waiting.clone(),
        };
        let [measured] = lobby.by_segment(&round, &[waiting])[..] else {
            panic!("one segment, one answer");
        };
        assert_eq!((measured.players, measured.playing), (lobby.waiting.len(), 0));
        assert_eq!((measured.mean_score, measured.mean_waited), (None, None));
    }
}
