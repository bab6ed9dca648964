//! A seeded log of games whose churn model is known: to try a fit on, and to check it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, Write};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp, Normal};

use super::log::LoggedGame;
use super::observe::Career;
use super::time::TICKS;
use crate::engagement::churn::logistic;
use crate::engagement::fitted::feature::{WIDTH, names};
use crate::engagement::{DrawRule, OutcomeModel, SkillModel};
use crate::player::Outcome;

/// Effects on the logit of churn, by feature; all others have none.
const EFFECTS: [(&str, f64); 9] = [
    ("past1_draw", -0.15),
    ("past1_loss", 0.25),
    ("past2_loss", 0.15),
    ("upcoming_draw", -0.25),
    ("upcoming_loss", 0.35),
    ("upcoming_draw_after_loss", -0.3),
    ("upcoming_loss_after_loss", 0.3),
    ("log_games_8h", -0.45),
    ("log_games_1w", 0.1),
];
const INTERCEPT: f64 = -0.3;

/// Mean and standard deviation of the true ratings.
const RATING: (f64, f64) = (1500.0, 250.0);

/// Seconds: from one game to the next of a session; mean absence beyond the horizon.
const SHORTEST_BREAK: f64 = 240.0;
const LONGEST_BREAK: f64 = 3_000.0;
const MEAN_ABSENCE: f64 = 86_400.0;

/// 1 March 2026, midnight UTC.
const START: i64 = 1_772_323_200;

/// A population that plays one on one, of a churn model that is known.
///
/// Players have true ratings N(1500, 250²), and games end by Elo's expected score with the gap-dependent draw rule. Who
/// waits longest plays whoever comes next. After a game a player stops with the probability whose logit is the
/// intercept and the sum of [`SyntheticLog::effects`], features being those of [`FittedModel`](crate::FittedModel):
/// then the next game comes the horizon of eight hours and an exponential time of mean one day later, otherwise within
/// the hour. Times are whole seconds.
///
/// # Examples
/// ```
/// use matchmaking::fit::{Fit, MatchLog, SyntheticLog};
///
/// # fn main() -> Result<(), matchmaking::fit::Error> {
/// let log = MatchLog::from_games(SyntheticLog::new(40, 1).games(1_500))?;
/// let fitted = Fit::new(SyntheticLog::HORIZON).run(&log)?;
/// assert!(fitted.report.auc > 0.55);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntheticLog {
    players: usize,
    seed: u64,
}

impl SyntheticLog {
    /// Seconds after which a player has stopped: eight hours.
    pub const HORIZON: f64 = 28_800.0;

    /// So many players, two at least.
    pub fn new(players: usize, seed: u64) -> Self {
        let players = players.max(2);
        Self { players, seed }
    }

    /// What each unit of a feature adds to the logit of churn, where it adds anything.
    pub fn effects() -> &'static [(&'static str, f64)] {
        &EFFECTS
    }

    /// The logit of churn with all features at zero.
    pub fn intercept() -> f64 {
        INTERCEPT
    }

    /// The first games of the population, in the order of time.
    pub fn games(self, count: usize) -> Vec<LoggedGame> {
        let mut population = Population::new(self);
        (0..count).map(|_| population.game()).collect()
    }
}

/// Writes games as CSV with the columns that [`MatchLog::read_csv`](super::MatchLog::read_csv) looks for; a win is 1 :
/// 0, a draw 0 : 0.
///
/// # Errors
/// Whatever the output fails with.
pub fn write_csv(games: &[LoggedGame], output: impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record(super::LogColumns::NAMES)?;
    for game in games {
        let (score_a, score_b) = match game.outcome {
            Outcome::Win => ("1", "0"),
            Outcome::Draw => ("0", "0"),
            Outcome::Loss => ("0", "1"),
        };
        let time = super::time::written(game.time);
        writer.write_record([&time, &game.player_a, &game.player_b, score_a, score_b])?;
    }
    writer.flush()
}

/// Everybody, and who is ready when.
struct Population {
    rng: ChaCha8Rng,
    outcomes: OutcomeModel,
    ratings: Vec<f64>,
    careers: Vec<Career>,
    effects: [f64; WIDTH],
    absence: Exp<f64>,
    /// Second from which a player is ready, and the player; the earliest first.
    ready: BinaryHeap<Reverse<(i64, usize)>>,
}

impl Population {
    fn new(log: SyntheticLog) -> Self {
        const VALID: &str = "constant parameters of a distribution are valid";
        let mut rng = ChaCha8Rng::seed_from_u64(log.seed);
        let rating = Normal::new(RATING.0, RATING.1).expect(VALID);
        let effect = |name: String| {
            EFFECTS
                .iter()
                .find(|(known, _)| *known == name)
                .map_or(0.0, |&(_, effect)| effect)
        };
        let mut effects = [0.0; WIDTH];
        effects
            .iter_mut()
            .zip(names())
            .for_each(|(slot, name)| *slot = effect(name));
        // Everybody arrives at some time of the first day.
        let arrival = |player| Reverse((START + rng.random_range(0..86_400), player));
        let ready = (0..log.players).map(arrival).collect();
        let ratings = rating.sample_iter(&mut rng).take(log.players).collect();
        Self {
            rng,
            outcomes: OutcomeModel::new(SkillModel::Elo, DrawRule::GapDependent),
            ratings,
            careers: (0..log.players).map(|_| Career::default()).collect(),
            effects,
            absence: Exp::new(1.0 / MEAN_ABSENCE).expect(VALID),
            ready,
        }
    }

    /// The two who are ready first play as soon as both are.
    fn game(&mut self) -> LoggedGame {
        const TWO: &str = "everybody waits or will, and there are two players at least";
        let Reverse((_, a)) = self.ready.pop().expect(TWO);
        let Reverse((time, b)) = self.ready.pop().expect(TWO);
        let chances = self
            .outcomes
            .probabilities((self.ratings[a], 0.0), (self.ratings[b], 0.0));
        let drawn: f64 = self.rng.random();
        let outcome = if drawn < chances.win {
            Outcome::Win
        } else if drawn < chances.win + chances.draw {
            Outcome::Draw
        } else {
            Outcome::Loss
        };
        self.leave(a, time, outcome);
        self.leave(b, time, outcome.mirror());
        LoggedGame {
            time: time as f64,
            player_a: format!("player{:04}", a + 1),
            player_b: format!("player{:04}", b + 1),
            outcome,
        }
    }

    /// The player comes back soon, or stops for longer than the horizon.
    fn leave(&mut self, player: usize, time: i64, outcome: Outcome) {
        let ticks = time * TICKS as i64;
        let mut row = [0.0; WIDTH];
        self.careers[player]
            .before(ticks)
            .fill(outcome, &[0.0; WIDTH], &mut row);
        self.careers[player].played(ticks, outcome);
        let logit = INTERCEPT + self.effects.iter().zip(row).map(|(effect, x)| effect * x).sum::<f64>();
        let pause = if self.rng.random_bool(logistic(logit)) {
            SyntheticLog::HORIZON + 1.0 + self.absence.sample(&mut self.rng)
        } else {
            self.rng.random_range(SHORTEST_BREAK..LONGEST_BREAK)
        };
        self.ready.push(Reverse((time + pause as i64, player)));
    }
}

#[cfg(test)]
mod tests {
    use super::{SyntheticLog, write_csv};
    use crate::engagement::fit::{Error, LogColumns, MatchLog};

    #[test]
    fn what_is_written_can_be_read() -> Result<(), Error> {
        let games = SyntheticLog::new(30, 4).games(300);
        assert_eq!(games, SyntheticLog::new(30, 4).games(300));
        assert_ne!(games, SyntheticLog::new(30, 5).games(300));
        let mut bytes = Vec::new();
        write_csv(&games, &mut bytes).expect("a vector takes everything");
        let log = MatchLog::read_csv(&bytes[..], &LogColumns::default())?;
        assert_eq!(log, MatchLog::from_games(games)?);
        assert_eq!((log.moved(), log.skipped().total()), (0, 0));
        Ok(())
    }
}
