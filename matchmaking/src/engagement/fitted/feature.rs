//! What a fitted model knows of a player: the features of section 5.2 of the EOMM paper that a pool can hold.

use crate::player::{Activity, Outcome, Player};

/// So many of a player's latest games are looked at, as in the paper.
pub const MEMORY: usize = 10;

/// Spans in which games are counted: eight hours, a day, a week, thirty days.
pub(crate) const SPANS: [&str; 4] = ["games_8h", "games_1d", "games_1w", "games_1m"];

/// Results that have columns of their own; a win is what they are compared with.
const LEVELS: [Outcome; 2] = [Outcome::Draw, Outcome::Loss];

/// Columns of the past: a draw, a loss, no game, for each of the latest games.
const PAST: usize = 3 * MEMORY;
const UPCOMING: usize = PAST;
const AFTER: usize = UPCOMING + LEVELS.len();
const GAMES: usize = AFTER + LEVELS.len() * LEVELS.len();

/// Hours from each of the latest games to the game to come, and to each but the last of them from the game before it.
const SINCE: usize = GAMES + SPANS.len();
const GAP: usize = SINCE + MEMORY;

/// Number of features.
pub(crate) const WIDTH: usize = GAP + MEMORY - 1;

/// Values of all features.
pub(crate) type Row = [f64; WIDTH];

/// What a player looks like before a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Snapshot {
    /// Latest outcomes, newest first; `None` where there was no game.
    pub(crate) past: [Option<Outcome>; MEMORY],
    /// Hours since each of them; infinite where that is not known, or there was no game.
    pub(crate) hours: [f32; MEMORY],
    /// Games in each of [`SPANS`], where they are known.
    pub(crate) games: [Option<u32>; SPANS.len()],
}

impl Snapshot {
    /// What is known of a player of a pool.
    pub(crate) fn of(player: &Player) -> Self {
        let mut past = [None; MEMORY];
        for (slot, &outcome) in past.iter_mut().zip(player.outcomes.iter().rev()) {
            *slot = Some(outcome);
        }
        let mut hours = [f32::INFINITY; MEMORY];
        for (slot, &since) in hours.iter_mut().zip(player.hours.iter().rev()) {
            *slot = since as f32;
        }
        let Activity {
            games_8h,
            games_1d,
            games_1w,
            games_1m,
        } = player.activity;
        Self {
            past,
            hours,
            games: [games_8h, games_1d, games_1w, games_1m],
        }
    }

    /// The same as part of a player; the newest outcome comes last.
    #[cfg(any(test, feature = "fit"))]
    pub(crate) fn write_to(&self, player: &mut Player) {
        player.outcomes = self.past.iter().rev().filter_map(|&outcome| outcome).collect();
        let known = self.hours.iter().rev().filter(|hours| hours.is_finite());
        // To a third of a second, so that files hold no digits that mean nothing.
        player.hours = known.map(|&hours| (f64::from(hours) * 1e4).round() / 1e4).collect();
        let [games_8h, games_1d, games_1w, games_1m] = self.games;
        player.activity = Activity {
            games_8h,
            games_1d,
            games_1w,
            games_1m,
        };
    }

    /// The features before a game that ends like this; those that are unknown have the value of `unknown`.
    pub(crate) fn fill(&self, upcoming: Outcome, unknown: &Row, row: &mut Row) {
        *row = [0.0; WIDTH];
        for (outcome, columns) in self.past.iter().zip(row.chunks_exact_mut(3)) {
            match outcome {
                Some(Outcome::Win) => {}
                Some(Outcome::Draw) => columns[0] = 1.0,
                Some(Outcome::Loss) => columns[1] = 1.0,
                None => columns[2] = 1.0,
            }
        }
        if let Some(result) = level(upcoming) {
            row[UPCOMING + result] = 1.0;
            if let Some(last) = self.past[0].and_then(level) {
                row[AFTER + LEVELS.len() * result + last] = 1.0;
            }
        }
        for (span, games) in self.games.iter().enumerate() {
            let column = GAMES + span;
            row[column] = games.map_or_else(|| self.between(span, unknown[column]), |games| f64::from(games).ln_1p());
        }
        for back in (0..MEMORY).filter(|&back| self.past[back].is_some()) {
            let hours = |back: usize| f64::from(self.hours[back]);
            let logarithm = |column: usize, hours: f64| {
                if hours.is_finite() {
                    hours.ln_1p()
                } else {
                    unknown[column]
                }
            };
            row[SINCE + back] = logarithm(SINCE + back, hours(back));
            if self.past.get(back + 1).is_some_and(Option::is_some) {
                // Rounding aside, games are in order.
                row[GAP + back] = logarithm(GAP + back, hours(back + 1) - hours(back)).max(0.0);
            }
        }
    }

    /// A logarithm of a count that is not known, no less than that of a shorter span and no more than that of a longer
    /// one.
    fn between(&self, span: usize, value: f64) -> f64 {
        if value.is_infinite() {
            // It marks what is not known.
            return value;
        }
        let logarithm = |games: u32| f64::from(games).ln_1p();
        let shorter = self.games[..span].iter().flatten().next_back();
        let longer = self.games[span + 1..].iter().flatten().next();
        let value = shorter.map_or(value, |&games| value.max(logarithm(games)));
        longer.map_or(value, |&games| value.min(logarithm(games)))
    }

    /// How many outcomes are known.
    pub(crate) fn known(&self) -> usize {
        self.past.iter().flatten().count()
    }

    /// Whether it is not known when some of the latest games were.
    pub(crate) fn lacks_hours(&self) -> bool {
        let games = self.past.iter().zip(&self.hours);
        games
            .into_iter()
            .any(|(outcome, hours)| outcome.is_some() && !hours.is_finite())
    }
}

/// Position in [`LEVELS`].
fn level(outcome: Outcome) -> Option<usize> {
    LEVELS.iter().position(|&level| level == outcome)
}

/// Names of all features, in the order of a row.
pub(crate) fn names() -> Vec<String> {
    let word = |outcome: Outcome| match outcome {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    };
    let mut names = Vec::with_capacity(WIDTH);
    for back in 1..=MEMORY {
        names.extend(["draw", "loss", "none"].map(|what| format!("past{back}_{what}")));
    }
    names.extend(LEVELS.map(|upcoming| format!("upcoming_{}", word(upcoming))));
    for upcoming in LEVELS {
        names.extend(LEVELS.map(|last| format!("upcoming_{}_after_{}", word(upcoming), word(last))));
    }
    names.extend(SPANS.map(|span| format!("log_{span}")));
    names.extend((1..=MEMORY).map(|back| format!("past{back}_log_hours")));
    names.extend((1..MEMORY).map(|back| format!("past{back}_log_gap")));
    names
}

/// Whether a feature depends on how the upcoming game ends.
pub(crate) fn is_of_upcoming(column: usize) -> bool {
    (UPCOMING..GAMES).contains(&column)
}

/// Whether a feature is how the last game ended.
#[cfg(any(test, feature = "fit"))]
pub(crate) fn is_of_last(column: usize) -> bool {
    column < 3
}

/// Whether a feature is about when games were.
pub(crate) fn is_of_hours(column: usize) -> bool {
    column >= SINCE
}

/// The column of the count of games in a span.
pub(crate) fn span_column(span: usize) -> usize {
    GAMES + span
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Player, Snapshot, WIDTH, names};

    fn values(outcomes: &str, upcoming: Outcome, games_1d: Option<u32>) -> Vec<(String, f64)> {
        let mut player = Player::new("Ann", 1500.0, 50.0);
        player.outcomes = outcomes.chars().filter_map(Outcome::from_letter).collect();
        player.activity.games_1d = games_1d;
        let mut row = [0.0; WIDTH];
        Snapshot::of(&player).fill(upcoming, &[7.0; WIDTH], &mut row);
        names()
            .into_iter()
            .zip(row)
            .filter(|&(_, value)| value != 0.0)
            .collect()
    }

    fn is_of_times(name: &str) -> bool {
        name.ends_with("_log_hours") || name.ends_with("_log_gap")
    }

    #[test]
    fn times_by_hand() {
        let mut player = Player::new("Ann", 1500.0, 50.0);
        player.outcomes = vec![Outcome::Win, Outcome::Loss, Outcome::Win];
        let times = |hours: &[f64]| {
            let mut player = player.clone();
            player.hours = hours.to_vec();
            let snapshot = Snapshot::of(&player);
            let mut row = [0.0; WIDTH];
            snapshot.fill(Outcome::Win, &[7.0; WIDTH], &mut row);
            let found = names().into_iter().zip(row);
            let found: Vec<(String, f64)> = found
                .filter(|(name, value)| is_of_times(name) && *value != 0.0)
                .collect();
            (found, snapshot.lacks_hours())
        };
        let (found, lacks) = times(&[24.0, 5.0, 0.5]);
        let known = [
            ("past1_log_hours", 1.5_f64.ln()),
            ("past2_log_hours", 6_f64.ln()),
            ("past3_log_hours", 25_f64.ln()),
            ("past1_log_gap", 5.5_f64.ln()),
            ("past2_log_gap", 20_f64.ln()),
        ];
        assert!(!lacks && found.len() == 5);
        for ((name, value), (expected, logarithm)) in found.iter().zip(known) {
            assert!(name == expected && (value - logarithm).abs() < 1e-12, "{name}");
        }
        // The first of the three games is older than what is known of times.
        let (found, lacks) = times(&[5.0, 0.5]);
        assert!(lacks);
        let (of_third, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|&(_, value)| value == 7.0);
        assert_eq!(of_third.len(), 2);
        assert!(others.iter().map(|(name, _)| name.as_str()).eq([
            "past1_log_hours",
            "past2_log_hours",
            "past1_log_gap"
        ]));
        assert_eq!(times(&[]).0.len(), 5);
    }

    #[test]
    fn features_by_hand() {
        let found = values("WWWWWWWLDL", Outcome::Draw, Some(3));
        let expected = [
            ("past1_loss", 1.0),
            ("past2_draw", 1.0),
            ("past3_loss", 1.0),
            ("upcoming_draw", 1.0),
            ("upcoming_draw_after_loss", 1.0),
            // No more in eight hours than in a day.
            ("log_games_8h", 4f64.ln()),
            ("log_games_1d", 4f64.ln()),
            ("log_games_1w", 7.0),
            ("log_games_1m", 7.0),
        ];
        let (of_hours, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|(name, _)| is_of_times(name));
        assert_eq!(others, expected.map(|(name, value)| (name.to_owned(), value)));
        // It is not known when the games were.
        assert!(of_hours.len() == 19 && of_hours.iter().all(|&(_, value)| value == 7.0));
        // Eleven games: the oldest is forgotten. None: every game is missing, and a win is nothing.
        assert_eq!(values("LWWWWWWWWWW", Outcome::Win, None).len(), 4 + 19);
        let none = values("", Outcome::Win, None);
        assert_eq!(none.iter().filter(|(name, _)| name.ends_with("_none")).count(), 10);
        assert_eq!(none.len(), 14);
    }

    #[test]
    fn snapshots_and_players_are_the_same_to_and_fro() {
        let mut player = Player::new("Ann", 1500.0, 50.0);
        player.outcomes = vec![Outcome::Win, Outcome::Loss, Outcome::Draw];
        player.activity.games_1w = Some(12);
        player.hours = vec![100.25, 3.5, 0.1];
        let mut again = Player::new("Ann", 1500.0, 50.0);
        Snapshot::of(&player).write_to(&mut again);
        assert_eq!(again, player);
        let names = names();
        assert_eq!(names.len(), WIDTH);
        assert!((0..WIDTH).all(|i| !names[..i].contains(&names[i])));
    }
}
