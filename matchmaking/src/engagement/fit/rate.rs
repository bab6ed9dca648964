//! Ratings along a log.

use skillratings::Outcomes;
use skillratings::glicko::{GlickoConfig, GlickoRating, decay_deviation, glicko};

use super::log::MatchLog;
use super::time::TICKS;
use crate::engagement::RatingParameters;
use crate::player::Outcome;

/// Ticks of a day.
const DAY: f64 = 86_400.0 * TICKS;

/// Rating and deviation.
pub(super) type Skill = (f64, f64);

/// Both players of each game as they were before it: Glicko in the order of the log, each game a rating period of its
/// own.
pub(super) fn before_each_game(log: &MatchLog, parameters: RatingParameters) -> Vec<[Skill; 2]> {
    rate(log, parameters).0
}

/// Each player as of the end of the log.
pub(super) fn at_the_end(log: &MatchLog, parameters: RatingParameters) -> Vec<Skill> {
    rate(log, parameters).1
}

/// Both players of each game before it, and everybody at the end.
fn rate(log: &MatchLog, parameters: RatingParameters) -> (Vec<[Skill; 2]>, Vec<Skill>) {
    let newcomer = GlickoRating {
        rating: parameters.rating,
        deviation: parameters.deviation,
    };
    // Time makes ratings uncertain, the number of games does not.
    let update = GlickoConfig { c: 0.0 };
    let mut now = vec![(newcomer, None::<i64>); log.players.len()];
    let at = |(rating, last): (GlickoRating, Option<i64>), time: i64| {
        let days = last.map_or(0.0, |last| (time - last) as f64 / DAY);
        let growth = GlickoConfig {
            c: parameters.growth * days.sqrt(),
        };
        decay_deviation(&rating, &growth)
    };
    let mut before = Vec::with_capacity(log.len());
    for game in &log.games {
        let players = game.players.map(|player| player as usize);
        let [a, b] = players.map(|player| at(now[player], game.time));
        before.push([(a.rating, a.deviation), (b.rating, b.deviation)]);
        let result = match game.outcome {
            Outcome::Win => Outcomes::WIN,
            Outcome::Draw => Outcomes::DRAW,
            Outcome::Loss => Outcomes::LOSS,
        };
        let after = glicko(&a, &b, &result, &update);
        now[players[0]] = (after.0, Some(game.time));
        now[players[1]] = (after.1, Some(game.time));
    }
    let end = now.into_iter().map(|player| at(player, log.end()));
    (before, end.map(|rated| (rated.rating, rated.deviation)).collect())
}

#[cfg(test)]
mod tests {
    use super::before_each_game;
    use crate::engagement::RatingParameters;
    use crate::engagement::fit::{Error, LoggedGame, MatchLog};
    use crate::player::Outcome;

    fn log(days: &[f64]) -> Result<MatchLog, Error> {
        let game = |(i, &day): (usize, &f64)| LoggedGame {
            time: day * 86_400.0,
            player_a: "Ann".into(),
            player_b: format!("opponent{i}"),
            outcome: if i == 0 { Outcome::Win } else { Outcome::Loss },
        };
        MatchLog::from_games(days.iter().enumerate().map(game))
    }

    #[test]
    fn the_first_game_moves_newcomers_by_the_textbook_amount() -> Result<(), Error> {
        let before = before_each_game(&log(&[0.0, 1.0])?, RatingParameters::default());
        assert_eq!(before[0], [(1500.0, 350.0); 2]);
        // Glicko by hand: q = ln 10 / 400, g = 1/sqrt(1 + 3 q² 350² / π²), E = 1/2, 1/d² = q² g² / 4.
        let q = 10f64.ln() / 400.0;
        let g = (1.0 + 3.0 * (q * 350.0 / std::f64::consts::PI).powi(2)).sqrt().recip();
        let precision = 350f64.powi(-2) + (q * g).powi(2) / 4.0;
        let [(rating, deviation), newcomer] = before[1];
        assert!((rating - (1500.0 + q / precision * g / 2.0)).abs() < 1e-9, "{rating}");
        assert!((deviation - precision.sqrt().recip()).abs() < 1e-9, "{deviation}");
        assert_eq!(newcomer, (1500.0, 350.0));
        Ok(())
    }

    #[test]
    fn ratings_of_those_who_were_away_grow_uncertain() -> Result<(), Error> {
        let growth = 10.0;
        let parameters = RatingParameters {
            growth,
            ..RatingParameters::default()
        };
        let still = before_each_game(&log(&[0.0, 0.0])?, parameters)[1][0];
        let away = before_each_game(&log(&[0.0, 9.0])?, parameters)[1][0];
        assert_eq!(still.0, away.0);
        assert!((away.1 - still.1.hypot(3.0 * growth)).abs() < 1e-9);
        let long = before_each_game(&log(&[0.0, 1e6])?, parameters)[1][0];
        assert_eq!(long.1, 350.0);
        Ok(())
    }
}
