//! What games cost: formula (1), computed from the arrivals and the games alone.

use super::arrivals::Arrivals;
use super::error::Error;
use super::games::{Game, Games};
use super::setting::Setting;

/// Waits may exceed the longest one by so much of the times: their sums and differences are rounded.
const TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// What one game costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct GameCost {
    /// `Σ f_d q_d`.
    pub criteria: f64,
    /// `Σ wait / τ_max` of the players, and 1 for each bot.
    pub waiting: f64,
}

impl GameCost {
    /// Both together.
    pub fn total(self) -> f64 {
        self.criteria + self.waiting
    }
}

/// What all games cost, and what players went through.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Account {
    /// Cost of each game, in the order of the games.
    pub games: Vec<GameCost>,
    /// Games that bots had to fill.
    pub bot_games: usize,
    /// Players served.
    pub players: usize,
    /// `Σ f_d q_d` over all games.
    pub criteria_cost: f64,
    /// Waits over all games in units of `τ_max`, those of bots included.
    pub waiting_cost: f64,
    /// Wait of each player, ascending, in the unit of the times.
    pub waits: Vec<f64>,
    /// `Σ f_d q_d` of each game without bots, ascending.
    pub qualities: Vec<f64>,
}

impl Account {
    /// Checks that every arrival is in exactly one game and that nobody waited too long, and adds up the costs.
    ///
    /// # Errors
    /// [`Error::BadGame`], [`Error::NotServed`].
    pub fn new(setting: &Setting, arrivals: &Arrivals, games: &Games) -> Result<Self, Error> {
        let mut is_served = vec![false; arrivals.len()];
        let mut account = Self {
            games: Vec::with_capacity(games.len()),
            bot_games: 0,
            players: arrivals.len(),
            criteria_cost: 0.0,
            waiting_cost: 0.0,
            waits: Vec::with_capacity(arrivals.len()),
            qualities: Vec::with_capacity(games.len()),
        };
        for (position, game) in games.iter().enumerate() {
            let wrong = |problem| Error::BadGame {
                game: position,
                problem,
            };
            if game.players.is_empty() || game.players.len() > setting.players() {
                return Err(wrong("the number of players is not that of a game"));
            }
            for &player in game.players {
                match is_served.get_mut(player as usize) {
                    None => return Err(wrong("somebody plays who never arrived")),
                    Some(true) => return Err(wrong("somebody plays twice")),
                    Some(served) => *served = true,
                }
                let wait = game.time - arrivals.times()[player as usize];
                let scale = setting.tau_max().max(game.time.abs());
                // Of a time that is no number, nothing is true.
                let is_possible = wait >= 0.0 && wait <= setting.tau_max() + TOLERANCE * scale;
                if !game.time.is_finite() || !is_possible {
                    return Err(wrong(
                        "somebody waits for longer than allowed, or plays before arriving",
                    ));
                }
                account.waits.push(wait);
            }
            account.add(
                game_cost(setting, arrivals, game),
                game.players.len() < setting.players(),
            );
        }
        if let Some(player) = is_served.iter().position(|served| !served) {
            return Err(Error::NotServed { player });
        }
        account.waits.sort_unstable_by(f64::total_cmp);
        account.qualities.sort_unstable_by(f64::total_cmp);
        Ok(account)
    }

    fn add(&mut self, cost: GameCost, has_bots: bool) {
        self.games.push(cost);
        self.criteria_cost += cost.criteria;
        self.waiting_cost += cost.waiting;
        if has_bots {
            self.bot_games += 1;
        } else {
            self.qualities.push(cost.criteria);
        }
    }

    /// Cost of all games.
    pub fn total(&self) -> f64 {
        self.criteria_cost + self.waiting_cost
    }

    /// Cost of a game on average; 0 without games.
    pub fn per_game(&self) -> f64 {
        ratio(self.total(), self.games.len())
    }

    /// Cost of all games per player; 0 without players.
    pub fn per_player(&self) -> f64 {
        ratio(self.total(), self.players)
    }

    /// Average wait of a player.
    pub fn mean_wait(&self) -> f64 {
        ratio(self.waits.iter().sum(), self.waits.len())
    }
}

fn ratio(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// The value that a share `q` of ascending values does not exceed (nearest rank); `None` without values.
///
/// Shares are compared as floats: 55 of 100 values are 0.55 of them.
pub fn quantile(ascending: &[f64], q: f64) -> Option<f64> {
    let (share, count) = (q.clamp(0.0, 1.0), ascending.len() as f64);
    // The product is rounded, and may lie beside the rank that it stands for.
    let near = (share * count) as usize;
    let is_enough = |&rank: &usize| rank as f64 / count >= share;
    let rank = (near.saturating_sub(1)..=near + 1).find(is_enough).unwrap_or(1);
    ascending.get(rank.max(1) - 1).copied()
}

/// Formula (1) for one game.
///
/// # Panics
/// If somebody plays who never arrived.
pub fn game_cost(setting: &Setting, arrivals: &Arrivals, game: Game<'_>) -> GameCost {
    let bots = setting.players().saturating_sub(game.players.len());
    let waits = game
        .players
        .iter()
        .map(|&player| game.time - arrivals.times()[player as usize]);
    let waiting = waits.map(|wait| wait / setting.tau_max()).sum::<f64>() + bots as f64;
    let range = |criterion: usize| {
        if bots > 0 {
            return 1.0;
        }
        let values = game
            .players
            .iter()
            .map(|&player| arrivals.criteria(player as usize)[criterion]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        high - low
    };
    let weighted = setting
        .weights()
        .iter()
        .enumerate()
        .map(|(criterion, weight)| weight * range(criterion));
    GameCost {
        criteria: weighted.sum(),
        waiting,
    }
}

#[cfg(test)]
mod tests {
    use super::quantile;

    /// 0.55 times 100 is a little more than 55 in floats, which was rounded up to the 56th value; 0.07, 0.14, 0.28 and 0.56
    /// were one too many as well.
    #[test]
    fn a_quantile_is_the_least_value_that_so_many_do_not_exceed() {
        let values: Vec<f64> = (1..=1_000).map(f64::from).collect();
        for count in 1..=values.len() {
            let rank = |q| quantile(&values[..count], q);
            for enough in 1..=count {
                let share = enough as f64 / count as f64;
                assert_eq!(rank(share), Some(enough as f64), "{enough} of {count}");
                let next = (enough + 1).min(count) as f64;
                assert_eq!(rank(share.next_up()), Some(next), "more than {enough} of {count}");
            }
            assert_eq!(
                (rank(0.0), rank(-1.0), rank(2.0)),
                (Some(1.0), Some(1.0), Some(count as f64))
            );
        }
        assert_eq!(quantile(&values[..100], 0.55), Some(55.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
