//! A log of games: who played whom, when, and how it ended.

use std::collections::HashMap;

use super::error::Error;
use super::time::{self, TICKS};
use crate::player::Outcome;

/// One game, as code has it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedGame {
    /// Seconds since 1970, or since any other moment that is the same for all games.
    pub time: f64,
    /// One player.
    pub player_a: String,
    /// The other.
    pub player_b: String,
    /// How it ended for the first of them.
    pub outcome: Outcome,
}

/// Rows of a file that are no games to learn from, by what they lack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Skipped {
    /// No time.
    pub no_time: u64,
    /// A player without a name.
    pub no_player: u64,
    /// A player against himself.
    pub same_player: u64,
    /// A score that is missing or NaN.
    pub no_score: u64,
}

impl Skipped {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.reasons().map(|(rows, _)| rows).iter().sum()
    }

    /// Rows by what is wrong with them, in words.
    pub fn reasons(&self) -> [(u64, &'static str); 4] {
        [
            (self.no_time, "without a time"),
            (self.no_player, "without a player"),
            (self.same_player, "of a player against himself"),
            (self.no_score, "without a score"),
        ]
    }
}

/// Rows that repeat others: the same two players, in either order, at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// So many rows beyond the first of each kind; they are used like all others.
    pub rows: u64,
    /// Line of the first of them in the file; where the log did not come from a file, its place among the games, from 1.
    pub line: u64,
    /// Line, or place, of the row that it repeats.
    pub of: u64,
}

/// A time that is written in another form than the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherForm {
    /// Line of the first such time in the file.
    pub line: u64,
    /// The first number among the times, as it stands there: seconds since 1970.
    pub number: String,
}

/// A game between numbered players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Game {
    /// Ticks since 1970.
    pub(super) time: i64,
    pub(super) players: [u32; 2],
    /// How it ended for the first.
    pub(super) outcome: Outcome,
}

impl Game {
    /// How it ended for one of the two.
    pub(super) fn outcome_for(&self, side: usize) -> Outcome {
        if side == 0 { self.outcome } else { self.outcome.mirror() }
    }
}

/// Games in the order of their times; games at the same time stay in the order of the input.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchLog {
    pub(super) games: Vec<Game>,
    pub(super) players: Vec<String>,
    skipped: Skipped,
    moved: u64,
    repeated: Option<Repeated>,
    other_form: Option<OtherForm>,
}

impl MatchLog {
    /// The log of these games.
    ///
    /// # Errors
    /// [`Error::BadGame`] where a name is missing, both are the same, or the time is none.
    pub fn from_games(games: impl IntoIterator<Item = LoggedGame>) -> Result<Self, Error> {
        let mut builder = Builder::default();
        for (position, game) in games.into_iter().enumerate() {
            let is_good = ![&game.player_a, &game.player_b].contains(&&String::new()) && game.player_a != game.player_b;
            let time = time::from_seconds(game.time).filter(|_| is_good);
            let time = time.ok_or(Error::BadGame { position })?;
            builder.game(
                position as u64 + 1,
                time,
                [&game.player_a, &game.player_b],
                game.outcome,
            );
        }
        Ok(builder.finish())
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Names of the players, in the order of their first games.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Rows that hold no game to learn from.
    pub fn skipped(&self) -> Skipped {
        self.skipped
    }

    /// Games that stood behind a later one in the input, and were moved to where their time puts them.
    pub fn moved(&self) -> u64 {
        self.moved
    }

    /// Rows of the same two players at the same time, if there are any. One game that stands there twice is two games to
    /// the ratings and, worse, to churn: after the first, both players go on at once.
    pub fn repeated(&self) -> Option<Repeated> {
        self.repeated
    }

    /// The first time that is a number where the first one is a date, or the other way round, if there is any: numbers are
    /// seconds since 1970, so that a day written as `20260301` is one in August of that year.
    pub fn other_form(&self) -> Option<&OtherForm> {
        self.other_form.as_ref()
    }

    /// Seconds from the last but one time in the log to the last one; 0 where there are no two times. Where this is more
    /// than the horizon, one late time, right or wrong, decides which games count as seen to the end.
    pub fn last_gap(&self) -> f64 {
        let earlier = self.games.iter().rev().find(|game| game.time < self.end());
        earlier.map_or(0.0, |game| (self.end() - game.time) as f64 / TICKS)
    }

    /// Seconds from the first to the last game.
    pub fn span(&self) -> f64 {
        match (self.games.first(), self.games.last()) {
            (Some(first), Some(last)) => (last.time - first.time) as f64 / TICKS,
            _ => 0.0,
        }
    }

    /// Ticks of the last game.
    pub(super) fn end(&self) -> i64 {
        self.games.last().map_or(0, |game| game.time)
    }
}

/// Games as they come in.
#[derive(Default)]
pub(super) struct Builder {
    games: Vec<Game>,
    /// Where each game stands in the input.
    lines: Vec<u64>,
    players: Vec<String>,
    numbers: HashMap<String, u32>,
    pub(super) skipped: Skipped,
    moved: u64,
    latest: Option<i64>,
    /// Whether the first time is a number.
    is_number: Option<bool>,
    /// The first time that is one.
    number: Option<String>,
    other_form: Option<u64>,
}

impl Builder {
    /// Takes a game that stands on this line.
    pub(super) fn game(&mut self, line: u64, time: i64, players: [&str; 2], outcome: Outcome) {
        let players = players.map(|name| self.number(name));
        self.moved += u64::from(self.latest.is_some_and(|latest| time < latest));
        self.latest = self.latest.max(Some(time));
        self.games.push(Game { time, players, outcome });
        self.lines.push(line);
    }

    /// Takes how the time of a game on this line is written.
    pub(super) fn form(&mut self, line: u64, text: &str) {
        let is_number = text.parse::<f64>().is_ok();
        if is_number && self.number.is_none() {
            self.number = Some(text.to_owned());
        }
        if *self.is_number.get_or_insert(is_number) != is_number {
            self.other_form.get_or_insert(line);
        }
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.players.len() as u32;
        self.players.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub(super) fn finish(mut self) -> MatchLog {
        let repeated = self.repeated();
        self.games.sort_by_key(|game| game.time);
        let players = self.renumbered();
        MatchLog {
            games: self.games,
            players,
            skipped: self.skipped,
            moved: self.moved,
            repeated,
            other_form: self
                .other_form
                .zip(self.number)
                .map(|(line, number)| OtherForm { line, number }),
        }
    }

    /// Counts rows that repeat others.
    fn repeated(&self) -> Option<Repeated> {
        let mut kinds: Vec<(i64, [u32; 2], u64)> = Vec::with_capacity(self.games.len());
        for (game, &line) in self.games.iter().zip(&self.lines) {
            let [a, b] = game.players;
            kinds.push((game.time, [a.min(b), a.max(b)], line));
        }
        kinds.sort_unstable();
        let of_one_kind = kinds.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1));
        let mut found: Option<Repeated> = None;
        for kind in of_one_kind {
            let [first, second, ..] = kind else {
                continue;
            };
            let earlier = found.map_or(0, |found| found.rows);
            let (line, of) = found.map_or((second.2, first.2), |found| {
                (found.line, found.of).min((second.2, first.2))
            });
            let rows = earlier + kind.len() as u64 - 1;
            found = Some(Repeated { rows, line, of });
        }
        found
    }

    /// Numbers players by their first games in time, two of one game by name, and returns the names: what goes by
    /// numbers, as which players are enough and in which order sums are made, depends neither on how the input is sorted
    /// nor on who stands first in a row.
    fn renumbered(&mut self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.players.len());
        let mut numbers: Vec<Option<u32>> = vec![None; self.players.len()];
        for game in &mut self.games {
            let [a, b] = game.players.map(|player| player as usize);
            // Names that were taken are of players who have numbers.
            let order = if self.players[a] <= self.players[b] {
                [a, b]
            } else {
                [b, a]
            };
            for player in order {
                numbers[player].get_or_insert_with(|| {
                    names.push(std::mem::take(&mut self.players[player]));
                    (names.len() - 1) as u32
                });
            }
            game.players = [a, b].map(|player| numbers[player].unwrap_or_default());
        }
        names
    }
}
