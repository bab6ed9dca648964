//! The pool of high and low players, one of whom arrives in each period.
//!
//! Reference: Q. Wu, "Dynamic matching with teams", 2022, section 2.

use std::collections::VecDeque;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::Run;
use super::estimate::{BATCHES, Estimate};
use super::queue::{Leavers, Report};
use super::random::uniform;
use crate::error::Error;

const HIGH: usize = 0;
const LOW: usize = 1;

/// When the matchmaker forms games of `2n` players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// As soon as there are `2n` players.
    Greedy,
    /// As soon as `2n` players can be put into teams with as many high players each.
    Patient,
}

/// Costs and waits in a simulated pool.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PoolReport {
    /// Waits in periods; classes: high players, low players.
    pub waits: Report,
    /// Cost per period.
    pub cost: Estimate,
    /// What of it is for waiting: players in the pool when the matchmaker has decided.
    pub waiting_cost: Estimate,
    /// What of it is for games whose teams differ.
    pub imbalance_cost: Estimate,
    /// Games per period.
    pub games: Estimate,
}

/// Simulates the pool for games of `n` against `n`, players being high with probability `q`. Waiting costs one per
/// player and period, a game `alpha * 2n` times the difference of the numbers of high players of its teams. Within a
/// type, those who came first play first.
///
/// # Errors
/// [`Error::Parameter`] for `n` of zero or above 4,294,967,295, `q` outside of `[0, 1]`, `alpha` negative, not finite, or
/// so large that costs add up to more than a float holds.
pub fn pool(n: usize, q: f64, alpha: f64, policy: Policy, run: Run) -> Result<PoolReport, Error> {
    let wrong = |name, value, expected| Err(Error::Parameter { name, value, expected });
    if n == 0 || u32::try_from(n).is_err() {
        return wrong("n", n as f64, "at least 1 and at most 4294967295");
    }
    if !(0.0..=1.0).contains(&q) {
        return wrong("q", q, "at least 0 and at most 1");
    }
    if !(alpha >= 0.0 && alpha.is_finite()) {
        return wrong("alpha", alpha, "finite and not negative");
    }
    let mut rng = ChaCha8Rng::seed_from_u64(run.seed());
    let mut pool = Pool::default();
    let mut leavers = Leavers::none(2);
    let mut waits = Report::new(run, &[1, 1]);
    let mut batches: Vec<Costs> = Vec::with_capacity(BATCHES);
    for batch in 0..=BATCHES {
        let mut costs = Costs::default();
        for _ in 0..run.per_batch() {
            pool.arrive(if uniform(&mut rng) < q { HIGH } else { LOW });
            if let Some(game) = pool.decide(n, policy) {
                let difference = pool.play(game, &mut leavers);
                costs.imbalance += alpha * difference as f64 * (2 * n) as f64;
                costs.games += 1.0;
            }
            costs.waiting += pool.len() as f64;
        }
        waits.close_batch(&mut leavers, batch == 0);
        if batch > 0 {
            batches.push(costs);
        }
    }
    let periods = run.per_batch() as f64;
    let mean = |of: fn(&Costs) -> f64| {
        let batches: Vec<(f64, f64)> = batches.iter().map(|costs| (of(costs), periods)).collect();
        Estimate::ratio(&batches).unwrap_or_else(|| unreachable!("batches have periods"))
    };
    let cost = mean(|costs| costs.waiting + costs.imbalance);
    if !(cost.value.is_finite() && cost.error.is_finite()) {
        return wrong("alpha", alpha, "so small that a float holds what costs add up to");
    }
    Ok(PoolReport {
        waits,
        cost,
        waiting_cost: mean(|costs| costs.waiting),
        imbalance_cost: mean(|costs| costs.imbalance),
        games: mean(|costs| costs.games),
    })
}

#[derive(Clone, Copy, Debug, Default)]
struct Costs {
    waiting: f64,
    imbalance: f64,
    games: f64,
}

/// Numbers of high and of low players that play.
#[derive(Clone, Copy, Debug)]
struct Game {
    high: usize,
    low: usize,
}

/// Players by type, as the periods in which they arrived.
#[derive(Clone, Debug, Default)]
struct Pool {
    period: u64,
    waiting: [VecDeque<u64>; 2],
}

impl Pool {
    fn len(&self) -> usize {
        self.waiting[HIGH].len() + self.waiting[LOW].len()
    }

    fn arrive(&mut self, class: usize) {
        self.period += 1;
        self.waiting[class].push_back(self.period);
    }

    /// The game to form now, if any.
    fn decide(&self, n: usize, policy: Policy) -> Option<Game> {
        let (high, low) = (self.waiting[HIGH].len(), self.waiting[LOW].len());
        match policy {
            Policy::Greedy => (high + low == 2 * n).then_some(Game { high, low }),
            // As many high players as there are, to an even number; low players fill the rest, if there are enough.
            Policy::Patient => {
                let most = (high.min(2 * n)) / 2 * 2;
                (2 * n - most <= low).then_some(Game {
                    high: most,
                    low: 2 * n - most,
                })
            }
        }
    }

    /// The players leave, and are put into two teams. The difference between their numbers of high players.
    fn play(&mut self, game: Game, leavers: &mut Leavers) -> usize {
        for (class, count) in [(HIGH, game.high), (LOW, game.low)] {
            for since in self.waiting[class].drain(..count) {
                leavers.leave(class, (self.period - since) as f64);
            }
        }
        // High players are dealt to the teams in turn, so that one team has at most one more.
        let first_team = game.high.div_ceil(2);
        first_team - (game.high - first_team)
    }
}
