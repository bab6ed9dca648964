//! The policies themselves beside the computed values.

use markov::claims::{Claim, Estimate, Paper, Point};
use markov::{Rational, Scalar};
use rayon::prelude::*;

use super::TAU_MAX;
use crate::fractions::int;
use crate::online::{Error, Pattern, PolicyKind, Setting, game_cost, simulate as replay};

/// Independent runs per point.
const BATCHES: u64 = 20;

/// Games with bots, and without, that a simulation must be expected to see for their share to be worth an estimate.
const RARE: f64 = 100.0;

/// So many players come after those who count; twice as many where some of these still wait, and so on.
const MORE: usize = 64;

/// A limit that nobody reaches.
const NEVER: f64 = 1e12;

/// Fills [`Point::simulated`] of the points of this paper whose computed value a replay of Poisson arrivals measures:
/// the cost of a game for (2), (5) and (7), the share of games with bots for (3). Without `τ_max` a rate only stretches
/// the time, and one of them is simulated. Other points stay as they are. `z` is about what was computed.
///
/// Each point has `arrivals` players in twenty independent runs. Whoever waits at the end of one plays with those who come
/// then: without these games, means were of those that end soon. The same seed gives the same estimates for any choice of claims and on any number of threads.
///
/// # Errors
/// None for the claims of [`all`](super::all): those of [`Setting::new`] and [`PolicyKind::build`] for points with
/// other parameters.
///
/// # Complexity
/// O(arrivals) for each of some hundred points, on all threads of the rayon pool.
///
/// # Examples
/// ```
/// use matchmaking::online::claims;
///
/// let mut found = claims::all();
/// found.retain(|claim| claim.label == "(3)");
/// claims::simulate(&mut found, 20_000, 0)?;
/// let estimates = found[0].points.iter().filter_map(|point| point.simulated);
/// assert!(estimates.clone().count() > 3 && estimates.clone().all(|estimate| estimate.z.abs() < 4.5));
/// # Ok::<(), matchmaking::online::Error>(())
/// ```
pub fn simulate(claims: &mut [Claim], arrivals: u64, seed: u64) -> Result<(), Error> {
    let mut points: Vec<(Experiment, &mut Point)> = Vec::new();
    for claim in claims.iter_mut().filter(|claim| claim.paper == Paper::Schlup) {
        for point in &mut claim.points {
            let experiment = Experiment::new(claim.label, point);
            points.extend(
                experiment
                    .filter(|it| it.is_worth(point, arrivals))
                    .map(|it| (it, point)),
            );
        }
    }
    points
        .into_par_iter()
        .with_max_len(1)
        .try_for_each(|(experiment, point)| {
            point.simulated = Some(experiment.estimate(arrivals, seed, point.computed.float)?);
            Ok(())
        })
}

/// What is read off a run.
#[derive(Clone, Copy, PartialEq)]
enum Quantity {
    /// Cost per game.
    Cost,
    /// Share of games with bots.
    Bots,
}

/// What is simulated for a point.
struct Experiment {
    label: &'static str,
    kind: PolicyKind,
    quantity: Quantity,
    /// Whether anybody is given up.
    is_limited: bool,
    players: Rational,
    rate: Rational,
    parameter: Rational,
}

impl Experiment {
    /// What measures the points of the claim with this label, if anything does.
    fn new(label: &'static str, point: &Point) -> Option<Self> {
        let get = |name: &str| Some(point.at.iter().find(|(other, _)| *other == name)?.1.clone());
        let parameter = get("x").or_else(|| get("r")).unwrap_or_else(|| int(1));
        let count = parameter.to_float() as usize;
        let (kind, quantity, is_limited) = match label {
            "(2) without tau_max" => (PolicyKind::Greedy, Quantity::Cost, false),
            "(2) with tau_max" => (PolicyKind::Greedy, Quantity::Cost, true),
            "(3)" => (PolicyKind::Greedy, Quantity::Bots, true),
            "(5) without tau_max" => (PolicyKind::Periodic(Some(count)), Quantity::Cost, false),
            "(5) with tau_max" => (PolicyKind::Periodic(Some(count)), Quantity::Cost, true),
            "(7) without tau_max" => (PolicyKind::MultiQueue(Some(count)), Quantity::Cost, false),
            "(7) with tau_max" => (PolicyKind::MultiQueue(Some(count)), Quantity::Cost, true),
            _ => return None,
        };
        Some(Self {
            label,
            kind,
            quantity,
            is_limited,
            players: get("k")?,
            rate: get("a")?,
            parameter,
        })
    }

    /// Whether so many arrivals tell anything new about a point.
    fn is_worth(&self, point: &Point, arrivals: u64) -> bool {
        let games = arrivals as f64 / self.players.to_float();
        let share = point.computed.float;
        let is_frequent = self.quantity == Quantity::Cost || share.min(1.0 - share) * games >= RARE;
        is_frequent && (self.is_limited || self.rate == int(10))
    }

    fn estimate(&self, arrivals: u64, seed: u64, computed: f64) -> Result<Estimate, Error> {
        let count = ((arrivals / BATCHES) as usize).max(1);
        let first = self.seed(seed);
        let runs = (0..BATCHES).map(|batch| self.batch(count, first.wrapping_add(batch)));
        let (mean, standard_error) = mean_and_error(&runs.collect::<Result<Vec<_>, Error>>()?);
        Ok(Estimate {
            mean,
            standard_error,
            z: (mean - computed) / standard_error,
        })
    }

    /// The sum over the games in which one of so many players was the first to wait, and their number. When a game begins
    /// says nothing of what it will cost; when it ends does.
    fn batch(&self, count: usize, seed: u64) -> Result<(f64, f64), Error> {
        let players = self.players.to_float() as usize;
        let setting = Setting::new(players, TAU_MAX as f64, 1)?;
        let limits = if self.is_limited {
            setting.clone()
        } else {
            Setting::new(players, NEVER, 1)?
        };
        let mut more = MORE;
        loop {
            // Players come one after another, so that more of them change nothing for the first.
            let arrivals = Pattern::Constant(self.rate.to_float()).arrivals(count + more, 1, seed)?;
            let last = arrivals.times().last().copied().unwrap_or(0.0);
            let games = replay(&limits, self.kind.build(&limits)?, &arrivals)?;
            let (mut sum, mut number, mut is_over) = (0.0, 0.0, true);
            for game in games.iter().filter(|game| (game.players[0] as usize) < count) {
                // After the last arrival nobody comes any more.
                is_over &= game.time <= last;
                number += 1.0;
                sum += match self.quantity {
                    Quantity::Cost => game_cost(&setting, &arrivals, game).total(),
                    Quantity::Bots => f64::from(u8::from(game.players.len() < players)),
                };
            }
            if is_over {
                return Ok((sum, number));
            }
            more *= 2;
        }
    }

    /// The seed of this experiment: Fowler, Noll and Vo's hash (FNV-1a) of everything that makes it what it is.
    fn seed(&self, seed: u64) -> u64 {
        let text = format!(
            "{seed} {} {} {} {}",
            self.label, self.players, self.rate, self.parameter
        );
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
    }
}

/// The mean of a game over independent runs, and its standard error as that of a ratio: runs of dear games have fewer.
fn mean_and_error(runs: &[(f64, f64)]) -> (f64, f64) {
    let count = runs.len() as f64;
    let games: f64 = runs.iter().map(|run| run.1).sum();
    let mean = runs.iter().map(|run| run.0).sum::<f64>() / games;
    let squares: f64 = runs.iter().map(|(sum, games)| (sum - mean * games).powi(2)).sum();
    (mean, (squares * count / (count - 1.0)).sqrt() / games)
}

#[cfg(test)]
mod tests {
    use super::{Experiment, mean_and_error};
    use crate::online::claims::all;

    /// Games that were not over at the last arrival were left out, which are those of long waits. To count players by their
    /// parts of a game left half of that: 2 % for five queues, four standard errors of these runs.
    #[test]
    fn whoever_waits_at_the_end_of_a_run_counts() {
        let mut tried = 0;
        for claim in all().iter().filter(|claim| claim.label == "(7) without tau_max") {
            for point in &claim.points {
                let Some(experiment) = Experiment::new(claim.label, point).filter(|it| it.is_worth(point, 100)) else {
                    continue;
                };
                let runs = (0..600).map(|seed| experiment.batch(50, seed).expect("an experiment"));
                let (mean, error) = mean_and_error(&runs.collect::<Vec<_>>());
                let z = (mean - point.computed.float) / error;
                assert!(z.abs() < 4.0, "{:?}: {mean}, {z}", point.at);
                tried += 1;
            }
        }
        assert!(tried > 0);
    }
}
