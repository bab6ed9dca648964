//! What a log says about who stops: states before games, how these ended, and whether another game followed.

use super::log::MatchLog;
use super::rate::{self, Skill};
use super::time::TICKS;
use crate::engagement::RatingParameters;
use crate::engagement::fitted::feature::{MEMORY, SPANS, Snapshot};
use crate::player::{Outcome, Player};

/// Hours of [`SPANS`].
const HOURS: [f64; SPANS.len()] = [8.0, 24.0, 168.0, 720.0];

/// One player and one game, where the log goes on for the whole horizon after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Observation {
    pub(super) player: u32,
    /// The player before the game.
    pub(super) snapshot: Snapshot,
    /// How the game ended for the player.
    pub(super) upcoming: Outcome,
    /// Whether no game of the player followed within the horizon.
    pub(super) churned: bool,
}

/// All there is to learn from a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Observed {
    /// Player by player, for each in the order of time.
    pub(super) observations: Vec<Observation>,
    /// Players after games, where the log ends within the horizon. They are left out whether or not another game is
    /// seen: to keep those of whom one is would make players look more faithful than they are.
    pub(super) censored: u64,
    /// The states before the games asked for, of both players: those of one player together.
    pub(super) states: Vec<Vec<Player>>,
}

/// Looks at each player's games in turn; `sampled` are the games whose players' states are wanted, ascending.
pub(super) fn observe(log: &MatchLog, horizon: i64, before: &[[Skill; 2]], sampled: &[usize]) -> Observed {
    let careers = Careers::of(log);
    let end = log.end();
    let mut observed = Observed::default();
    for player in 0..log.players.len() {
        let own = careers.games(player);
        let (mut career, mut states) = (Career::default(), Vec::new());
        for (position, &place) in own.iter().enumerate() {
            let (index, side) = place.unpack();
            let game = &log.games[index];
            let snapshot = career.before(game.time);
            if sampled.binary_search(&index).is_ok() {
                // The model numbers them.
                states.push(state(String::new(), before[index][side], &snapshot));
            }
            let upcoming = game.outcome_for(side);
            career.played(game.time, upcoming);
            if game.time > end - horizon {
                observed.censored += 1;
                continue;
            }
            let next = own.get(position + 1).map(|place| log.games[place.unpack().0].time);
            observed.observations.push(Observation {
                player: player as u32,
                snapshot,
                upcoming,
                churned: next.is_none_or(|next| next > game.time + horizon),
            });
        }
        if !states.is_empty() {
            observed.states.push(states);
        }
    }
    observed
}

impl MatchLog {
    /// The players as of the last game of the log, in the order of [`MatchLog::players`], with ratings made in this
    /// way: whom a [`Pool`](crate::Pool) can be made of.
    pub fn players_at_the_end(&self, rating: RatingParameters) -> Vec<Player> {
        let careers = Careers::of(self);
        let skills = rate::at_the_end(self, rating);
        let player = |(number, (name, skill)): (usize, (&String, Skill))| {
            let mut career = Career::default();
            for place in careers.games(number) {
                let (index, side) = place.unpack();
                career.played(self.games[index].time, self.games[index].outcome_for(side));
            }
            state(name.clone(), skill, &career.before(self.end()))
        };
        self.players.iter().zip(skills).enumerate().map(player).collect()
    }

    /// Whom each player met in the last so many of the player's games, in the order of [`MatchLog::players`]: names, the latest
    /// first, each once. What [`Player::opponents`] wants to know.
    ///
    /// # Complexity
    /// O(g + n k²) for g games of n players, and the last k of each.
    pub fn recent_opponents(&self, games: usize) -> Vec<Vec<&str>> {
        let careers = Careers::of(self);
        let of_player = |number: usize| {
            let mut met: Vec<&str> = Vec::new();
            for place in careers.games(number).iter().rev().take(games) {
                let (index, side) = place.unpack();
                let other = self.players[self.games[index].players[1 - side] as usize].as_str();
                if !met.contains(&other) {
                    met.push(other);
                }
            }
            met
        };
        (0..self.players.len()).map(of_player).collect()
    }
}

/// A state as a player, with a rating to two decimals.
fn state(name: String, (rating, deviation): Skill, snapshot: &Snapshot) -> Player {
    let rounded = |x: f64| (100.0 * x).round() / 100.0;
    let mut player = Player::new(name, rounded(rating), rounded(deviation));
    snapshot.write_to(&mut player);
    player
}

/// A game, and which side of it.
#[derive(Clone, Copy, Debug, Default)]
struct Place(u64);

impl Place {
    fn new(game: usize, side: usize) -> Self {
        Self((2 * game + side) as u64)
    }

    fn unpack(self) -> (usize, usize) {
        ((self.0 / 2) as usize, (self.0 % 2) as usize)
    }
}

/// The games of each player, in the order of the log.
struct Careers {
    /// Where each player's games begin, and where the last one's end.
    starts: Vec<usize>,
    places: Vec<Place>,
}

impl Careers {
    fn of(log: &MatchLog) -> Self {
        let mut starts = vec![0; log.players.len() + 1];
        for player in log.games.iter().flat_map(|game| game.players) {
            starts[player as usize + 1] += 1;
        }
        for player in 1..starts.len() {
            starts[player] += starts[player - 1];
        }
        let mut next = starts.clone();
        let mut places = vec![Place::default(); 2 * log.len()];
        for (index, game) in log.games.iter().enumerate() {
            for (side, &player) in game.players.iter().enumerate() {
                places[next[player as usize]] = Place::new(index, side);
                next[player as usize] += 1;
            }
        }
        Self { starts, places }
    }

    fn games(&self, player: usize) -> &[Place] {
        &self.places[self.starts[player]..self.starts[player + 1]]
    }
}

/// One player's games so far.
#[derive(Debug, Default)]
pub(super) struct Career {
    times: Vec<i64>,
    /// Games that are older than each of [`SPANS`].
    older: [usize; SPANS.len()],
    past: [Option<Outcome>; MEMORY],
}

impl Career {
    /// The player at this time, which is no earlier than that of any game so far. A game exactly as long ago as a span
    /// reaches counts.
    pub(super) fn before(&mut self, time: i64) -> Snapshot {
        let mut games = [None; SPANS.len()];
        for ((older, hours), games) in self.older.iter_mut().zip(HOURS).zip(&mut games) {
            let from = time - (hours * 3600.0 * TICKS) as i64;
            while self.times.get(*older).is_some_and(|&played| played < from) {
                *older += 1;
            }
            *games = Some((self.times.len() - *older) as u32);
        }
        let mut hours = [f32::INFINITY; MEMORY];
        for (hours, &played) in hours.iter_mut().zip(self.times.iter().rev()) {
            *hours = ((time - played) as f64 / TICKS / 3600.0) as f32;
        }
        Snapshot {
            past: self.past,
            hours,
            games,
        }
    }

    /// A game that ended so.
    pub(super) fn played(&mut self, time: i64, outcome: Outcome) {
        self.times.push(time);
        self.past.rotate_right(1);
        self.past[0] = Some(outcome);
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{HOURS, MEMORY, Observation, Observed, Snapshot, observe};
    use crate::engagement::RatingParameters;
    use crate::engagement::fit::rate::before_each_game;
    use crate::engagement::fit::{Error, LoggedGame, MatchLog};
    use crate::player::Outcome;

    /// From the definition, over all pairs of games.
    fn by_definition(log: &MatchLog, horizon: i64) -> Observed {
        let mut observed = Observed::default();
        let end = log.games.iter().map(|game| game.time).max().unwrap_or(0);
        for player in 0..log.players.len() as u32 {
            for (i, game) in log
                .games
                .iter()
                .enumerate()
                .filter(|(_, game)| game.players.contains(&player))
            {
                if game.time + horizon > end {
                    observed.censored += 1;
                    continue;
                }
                let own = |games: &[super::super::log::Game]| {
                    let mine = games.iter().filter(|game| game.players.contains(&player));
                    mine.copied().collect::<Vec<_>>()
                };
                let outcome = |game: &super::super::log::Game| game.outcome_for(usize::from(game.players[1] == player));
                let (earlier, later) = (own(&log.games[..i]), own(&log.games[i + 1..]));
                let within = |hours: f64| {
                    let reach = (hours * 3.6e9) as i64;
                    earlier.iter().filter(|old| game.time - old.time <= reach).count() as u32
                };
                let mut hours = [f32::INFINITY; MEMORY];
                for (old, slot) in earlier.iter().rev().zip(&mut hours) {
                    *slot = ((game.time - old.time) as f64 / 3.6e9) as f32;
                }
                let mut past = [None; MEMORY];
                for (back, slot) in past.iter_mut().enumerate() {
                    *slot = earlier.len().checked_sub(back + 1).map(|at| outcome(&earlier[at]));
                }
                observed.observations.push(Observation {
                    player,
                    snapshot: Snapshot {
                        past,
                        hours,
                        games: HOURS.map(|hours| Some(within(hours))),
                    },
                    upcoming: outcome(game),
                    churned: !later.iter().any(|next| next.time - game.time <= horizon),
                });
            }
        }
        observed
    }

    fn random_log(seed: u64, step: f64) -> Result<MatchLog, Error> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let games = (0..400).map(|_| {
            let a = rng.random_range(0..12);
            let b = (a + rng.random_range(1..12)) % 12;
            // Whole steps: many equal times, and gaps that are spans and horizons exactly.
            let time = step * f64::from(rng.random_range(0..150));
            LoggedGame {
                time,
                player_a: format!("p{a}"),
                player_b: format!("p{b}"),
                outcome: Outcome::ALL[rng.random_range(0..3)],
            }
        });
        MatchLog::from_games(games.collect::<Vec<_>>())
    }

    #[test]
    fn one_pass_is_what_the_definition_says() -> Result<(), Error> {
        for seed in 0..6 {
            let log = random_log(seed, [3_600.0, 14_400.0, 40_000.0][seed as usize % 3])?;
            let before = before_each_game(&log, RatingParameters::default());
            for hours in [1, 8, 24, 240] {
                let horizon = hours * 3_600_000_000;
                let found = observe(&log, horizon, &before, &[]);
                assert_eq!(found, by_definition(&log, horizon));
                let all = found.observations.len() as u64 + found.censored;
                assert_eq!(all, 2 * log.len() as u64);
            }
        }
        Ok(())
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter_where_times_differ() -> Result<(), Error> {
        let mut games: Vec<LoggedGame> = (0..60)
            .map(|i| LoggedGame {
                time: 1000.0 * f64::from(i),
                player_a: format!("p{}", i % 7),
                player_b: format!("q{}", i % 5),
                outcome: Outcome::ALL[i as usize % 3],
            })
            .collect();
        let ordered = MatchLog::from_games(games.clone())?;
        games.reverse();
        let reversed = MatchLog::from_games(games)?;
        assert_eq!((ordered.moved(), reversed.moved()), (0, 59));
        let numbers = |log: &MatchLog| {
            let before = before_each_game(log, RatingParameters::default());
            let observed = observe(log, 20_000_000_000, &before, &[]);
            let name = |o: &Observation| {
                (
                    log.players[o.player as usize].clone(),
                    o.snapshot,
                    o.upcoming,
                    o.churned,
                )
            };
            let mut named: Vec<_> = observed.observations.iter().map(name).collect();
            named.sort_by(|a, b| a.0.cmp(&b.0));
            (before, named)
        };
        assert_eq!(numbers(&ordered), numbers(&reversed));
        Ok(())
    }

    #[test]
    fn players_at_the_end_have_all_their_games_behind_them() -> Result<(), Error> {
        let log = random_log(9, 14_400.0)?;
        let players = log.players_at_the_end(RatingParameters::default());
        let end = log.games.iter().map(|game| game.time).max().unwrap_or(0);
        for (number, player) in players.iter().enumerate() {
            let own: Vec<_> = log
                .games
                .iter()
                .filter(|game| game.players.contains(&(number as u32)))
                .collect();
            let letters = own
                .iter()
                .map(|game| game.outcome_for(usize::from(game.players[1] == number as u32)).letter());
            let latest = letters.skip(own.len().saturating_sub(MEMORY)).collect::<String>();
            assert_eq!((&player.id, player.history()), (&log.players[number], latest));
            let today = own.iter().filter(|game| end - game.time <= 86_400_000_000).count() as u32;
            assert_eq!(player.activity.games_1d, Some(today));
        }
        // One more game finds everybody as the log left them.
        let last = log.games.last().expect("games").players;
        let mut longer = log.clone();
        longer.games.push(super::super::log::Game {
            time: end,
            players: last,
            outcome: Outcome::Win,
        });
        let before = before_each_game(&longer, RatingParameters::default());
        for (side, &number) in last.iter().enumerate() {
            let (rating, deviation) = before[before.len() - 1][side];
            let player = &players[number as usize];
            assert!(
                (player.rating - rating).abs() <= 0.005 + 1e-9 && (player.deviation - deviation).abs() <= 0.005 + 1e-9
            );
        }
        Ok(())
    }

    #[test]
    fn recent_opponents_are_those_of_the_last_games() -> Result<(), Error> {
        let log = random_log(9, 14_400.0)?;
        for games in [0, 1, 3, 10_000] {
            let found = log.recent_opponents(games);
            assert_eq!(found.len(), log.players.len());
            for (number, found) in found.iter().enumerate() {
                let own = log.games.iter().filter(|game| game.players.contains(&(number as u32)));
                let others = own.map(|game| game.players.into_iter().find(|&other| other != number as u32));
                let mut expected: Vec<&str> = Vec::new();
                for other in others.rev().take(games) {
                    let name = log.players[other.expect("two players") as usize].as_str();
                    if !expected.contains(&name) {
                        expected.push(name);
                    }
                }
                assert_eq!(found, &expected);
            }
        }
        Ok(())
    }

    #[test]
    fn rows_of_equal_times_are_taken_in_the_order_of_the_input() -> Result<(), Error> {
        let game = |outcome, time| LoggedGame {
            time,
            player_a: "Ann".into(),
            player_b: "Ben".into(),
            outcome,
        };
        for (first, second) in [(Outcome::Win, Outcome::Loss), (Outcome::Loss, Outcome::Win)] {
            let log = MatchLog::from_games([game(first, 0.0), game(second, 0.0), game(Outcome::Draw, 10.0)])?;
            let before = before_each_game(&log, RatingParameters::default());
            let observed = observe(&log, 5_000_000, &before, &[2]);
            let past: Vec<_> = observed.observations[..2]
                .iter()
                .map(|o| (o.snapshot.past[0], o.churned))
                .collect();
            // The first of the two games is followed by the second at once; the second by none within five seconds.
            assert_eq!(past, [(None, false), (Some(first), true)]);
            let histories: Vec<String> = observed.states.iter().flatten().map(|state| state.history()).collect();
            let letters = |a: Outcome, b: Outcome| format!("{}{}", a.letter(), b.letter());
            assert_eq!(
                histories,
                [letters(first, second), letters(first.mirror(), second.mirror())]
            );
        }
        Ok(())
    }
}
