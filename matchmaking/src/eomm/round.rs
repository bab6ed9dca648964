//! One round: a pool is drawn, every method pairs it, the games are played.

use matching_core::cost::Cost;
use matching_core::{Blossom, Budget, Engine, Objective, Status, Workspace};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::error::Error;
use super::method::Method;
use super::population::{Population, Waiting};
use crate::baseline::Pairing;
use crate::clock::Clock;
use crate::engagement::EngagementCost;
use crate::player::Outcome;

/// Beyond so many players the dense engine solves costs of this kind faster than the one that keeps its memory
/// (`matching-core/DESIGN.md`, "Small pools").
const SMALL: usize = 110;

/// Rows of costs between two looks at the clock.
const ROWS: usize = 64;

/// Bits of a stream's number that hold the round.
const ROUND_BITS: u32 = 32;

/// What a round says of each method, in the order of [`Method::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// Players that equation (7) expects to stop, in units of [`EngagementCost::SCALE`].
    pub(crate) lost: [i64; 4],
    /// Players who stayed when the games were played.
    pub(crate) retained: [i64; 4],
}

/// Plays rounds in memory that is kept.
#[derive(Debug)]
pub(crate) struct Worker {
    costs: Matrix,
    row: Vec<i64>,
    least: Blossom<i32>,
    most: Blossom<i32>,
    workspace: Workspace<i32>,
}

/// All costs of a pool.
#[derive(Debug, Default)]
struct Matrix {
    players: usize,
    rows: Vec<i32>,
}

impl Cost for Matrix {
    type Value = i32;

    fn len(&self) -> usize {
        self.players
    }

    fn pair(&self, i: usize, j: usize) -> i32 {
        self.rows[i * self.players + j]
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn as_rows(&self) -> Option<&[i32]> {
        Some(&self.rows)
    }

    fn fill_row(&self, i: usize, out: &mut [i32]) {
        out.copy_from_slice(&self.rows[i * self.players..][..self.players]);
    }
}

impl Worker {
    pub(crate) fn new() -> Self {
        // Rounds are shared out among threads, so that each solve has one.
        let blossom = Blossom::new().threads(1);
        Self {
            costs: Matrix::default(),
            row: Vec::new(),
            least: blossom.clone(),
            most: blossom.objective(Objective::MaxPerfect),
            workspace: Workspace::new(),
        }
    }

    /// The round of this number, of players of one part of so many: it depends on these, the population, the size and
    /// the seed, and on nothing else. `None` if the clock ends it before it is done.
    pub(crate) fn play(
        &mut self,
        population: &Population,
        part: (usize, usize),
        size: usize,
        (seed, round): (u64, u64),
        clock: &Clock<'_>,
    ) -> Result<Option<Round>, Error> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream((size as u64) << ROUND_BITS | round);
        let waiting = population.draw(size, part, &mut rng)?;
        let cost = waiting.cost();
        if !self.evaluate(&cost, clock) {
            return Ok(None);
        }
        let Some(pairings) = self.pair(&waiting, &mut rng, round, clock)? else {
            return Ok(None);
        };
        let chances = Chances::new(size, &mut rng);
        Ok(Some(Round {
            lost: pairings.each_ref().map(|pairing| self.total(pairing)),
            retained: pairings.each_ref().map(|pairing| chances.play(&cost, pairing)),
        }))
    }

    /// All costs, each evaluated once; false if the clock ends that.
    fn evaluate(&mut self, cost: &EngagementCost<'_>, clock: &Clock<'_>) -> bool {
        let n = cost.len();
        self.costs.players = n;
        self.costs.rows.resize(n * n, 0);
        for i in 0..n {
            if n > SMALL && i % ROWS == 0 && clock.over().is_some() {
                return false;
            }
            self.row.resize(n - i - 1, 0);
            cost.fill_after(i, &mut self.row);
            for (j, &value) in (i + 1..).zip(&self.row) {
                // Two players at most are lost: 2,000,000 units.
                let value = value as i32;
                self.costs.rows[i * n + j] = value;
                self.costs.rows[j * n + i] = value;
            }
        }
        true
    }

    /// The pairings, in the order of [`Method::ALL`]; none if the clock ends one of the solves.
    fn pair(
        &mut self,
        waiting: &Waiting,
        rng: &mut impl Rng,
        round: u64,
        clock: &Clock<'_>,
    ) -> Result<Option<[Pairing; 4]>, Error> {
        let mut order: Vec<usize> = (0..waiting.pool.len()).collect();
        order.shuffle(rng);
        let Some(worst) = self.solve(Method::Worst, round, clock)? else {
            return Ok(None);
        };
        let engagement = self.solve(Method::Engagement, round, clock)?;
        let (skill, random) = (Pairing::by_rating(&waiting.pool), neighbours(&order));
        Ok(engagement.map(|engagement| [worst, skill, random, engagement]))
    }

    /// EOMM's optimum or WorstMM's, checked; none if the clock ends it.
    fn solve(&mut self, method: Method, round: u64, clock: &Clock<'_>) -> Result<Option<Pairing>, Error> {
        let size = self.costs.players;
        // The engine for few players does not look at limits, and need not.
        let (engine, budget) = match size > SMALL {
            true => (Engine::Dense, clock.rest(None)),
            false => (Engine::Auto, Budget::new()),
        };
        let blossom = match method {
            Method::Worst => &mut self.most,
            _ => &mut self.least,
        };
        *blossom = blossom.clone().engine(engine).budget(budget);
        let solved = blossom.solve_with(&self.costs, &mut self.workspace);
        let solution = solved.map_err(|source| Error::Solver { size, round, source })?;
        if solution.status() != Status::Optimal {
            return Ok(None);
        }
        let checked = solution.verify(&self.costs);
        checked.map_err(|source| Error::Unverified { size, round, source })?;
        Ok(Some(Pairing::new(
            solution.pairs().map(|(i, j, _)| (i, j)).collect(),
            Vec::new(),
        )))
    }

    fn total(&self, pairing: &Pairing) -> i64 {
        let cost = |&(i, j): &(usize, usize)| i64::from(self.costs.pair(i, j));
        pairing.pairs().iter().map(cost).sum()
    }
}

/// Each two neighbours of an even number of players.
fn neighbours(order: &[usize]) -> Pairing {
    let pairs = order.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    Pairing::new(pairs.collect(), Vec::new())
}

/// What chance has in store for each player, the same under every method, so that methods differ by their pairs and not
/// by luck.
struct Chances {
    /// Decides the game of a pair: that of its first player by position.
    game: Vec<f64>,
    /// Decides whether the player stops.
    churn: Vec<f64>,
}

impl Chances {
    fn new(players: usize, rng: &mut impl Rng) -> Self {
        let mut draw = || (0..players).map(|_| rng.random()).collect();
        Self {
            game: draw(),
            churn: draw(),
        }
    }

    /// Plays the games; how many players stay.
    fn play(&self, cost: &EngagementCost<'_>, pairing: &Pairing) -> i64 {
        let stays = |player: usize, risk: f64| i64::from(self.churn[player] >= risk);
        let game = |&(a, b): &(usize, usize)| {
            let (i, j) = (a.min(b), a.max(b));
            let terms = cost.terms(i, j);
            let drawn = self.game[i];
            let result = if drawn < terms.outcomes.win {
                Outcome::Win
            } else if drawn < terms.outcomes.win + terms.outcomes.draw {
                Outcome::Draw
            } else {
                Outcome::Loss
            };
            stays(i, terms.first[result.index()]) + stays(j, terms.second[result.mirror().index()])
        };
        pairing.pairs().iter().map(game).sum()
    }
}

#[cfg(test)]
mod tests {
    use matching_core::{Budget, CancelToken, Cost};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::{Chances, Round, Worker, neighbours};
    use crate::baseline::Pairing;
    use crate::clock::Clock;
    use crate::engagement::Horizon;
    use crate::eomm::{Error, Method, Population};

    fn population() -> Population {
        Population::synthetic(3_000, Horizon::EightHours, 5).expect("probabilities")
    }

    /// Costs of all pairings of these players.
    fn all_totals(costs: &dyn Fn(usize, usize) -> i64, players: &[usize]) -> Vec<i64> {
        let Some((&first, others)) = players.split_first() else {
            return vec![0];
        };
        let with = |k: usize| {
            let rest: Vec<usize> = others.iter().copied().filter(|&other| other != others[k]).collect();
            let cost = costs(first, others[k]);
            all_totals(costs, &rest).into_iter().map(move |total| cost + total)
        };
        (0..others.len()).flat_map(with).collect()
    }

    #[test]
    fn optima_are_those_of_all_pairings_of_small_pools() -> Result<(), Error> {
        let (population, mut worker, budget) = (population(), Worker::new(), Budget::new());
        for (size, rounds) in [(2, 20), (4, 40), (6, 40), (8, 20)] {
            for round in 0..rounds {
                let played = worker.play(&population, (0, 1), size, (1, round), &Clock::new(&budget))?;
                let Round { lost, .. } = played.expect("no limits");
                let players: Vec<usize> = (0..size).collect();
                let totals = all_totals(&|i, j| i64::from(worker.costs.pair(i, j)), &players);
                assert_eq!(Some(&lost[Method::Engagement.index()]), totals.iter().min());
                assert_eq!(Some(&lost[Method::Worst.index()]), totals.iter().max());
                assert!(lost.iter().all(|total| totals.contains(total)));
            }
        }
        Ok(())
    }

    #[test]
    fn nobody_beats_the_optimum_in_any_pool() -> Result<(), Error> {
        let (population, mut worker, budget) = (population(), Worker::new(), Budget::new());
        for (size, rounds) in [(100, 6), (110, 2), (112, 2), (200, 3)] {
            for round in 0..rounds {
                let played = worker.play(&population, (0, 1), size, (2, round), &Clock::new(&budget))?;
                let Round { lost, retained } = played.expect("no limits");
                let [worst, skill, random, best] = lost;
                assert!(best < skill.min(random) && skill.max(random) < worst, "{lost:?}");
                assert!(retained.iter().all(|&stay| (0..=size as i64).contains(&stay)));
            }
        }
        Ok(())
    }

    #[test]
    fn matrices_hold_what_the_cost_says_and_skill_pairs_neighbours() -> Result<(), Error> {
        let (population, mut worker, budget) = (population(), Worker::new(), Budget::new());
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        // A larger pool first: nothing of it may be left.
        for size in [30, 12] {
            let waiting = population.draw(size, (0, 1), &mut rng)?;
            let cost = waiting.cost();
            assert!(worker.evaluate(&cost, &Clock::new(&budget)));
            for (i, j) in (0..size).flat_map(|i| (0..i).map(move |j| (i, j))) {
                assert_eq!(i64::from(worker.costs.pair(i, j)), cost.pair(i, j));
                assert_eq!(worker.costs.pair(i, j), worker.costs.pair(j, i));
            }
            let pairings = worker.pair(&waiting, &mut rng, 0, &Clock::new(&budget))?;
            let pairings = pairings.expect("no limits");
            assert_eq!(pairings[Method::Skill.index()], Pairing::by_rating(&waiting.pool));
            for pairing in pairings {
                let mut players: Vec<usize> = pairing.pairs().iter().flat_map(|&(i, j)| [i, j]).collect();
                players.sort_unstable();
                assert_eq!(players, (0..size).collect::<Vec<_>>());
            }
        }
        Ok(())
    }

    /// The clock was looked at between rounds alone, and one of thousands of players takes seconds.
    #[test]
    fn a_large_round_is_given_up_wherever_it_is() -> Result<(), Error> {
        let (population, mut worker) = (Population::of_new_players(Horizon::EightHours), Worker::new());
        let token = CancelToken::new();
        let budget = Budget::new().cancel(token.clone());
        let clock = Clock::new(&budget);
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let waiting = population.draw(120, (0, 1), &mut rng)?;
        let cost = waiting.cost();
        assert!(worker.evaluate(&cost, &clock));
        assert!(worker.pair(&waiting, &mut rng, 0, &clock)?.is_some());
        let played = worker.play(&population, (0, 1), 120, (1, 1), &clock)?;
        // With the same answer as without limits.
        let free = worker.play(&population, (0, 1), 120, (1, 1), &Clock::new(&Budget::new()))?;
        assert!(played.is_some() && played == free);
        token.cancel();
        assert!(!worker.evaluate(&cost, &clock));
        assert_eq!(worker.solve(Method::Worst, 0, &clock)?, None);
        assert_eq!(worker.pair(&waiting, &mut rng, 0, &clock)?, None);
        assert_eq!(worker.play(&population, (0, 1), 120, (1, 1), &clock)?, None);
        Ok(())
    }

    #[test]
    fn games_that_are_played_lose_what_is_expected() {
        let population = population();
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let waiting = population.draw(40, (0, 1), &mut rng).expect("states");
        let cost = waiting.cost();
        let pairing = neighbours(&(0..40).rev().collect::<Vec<_>>());
        let rounds = 4_000;
        let total: i64 = (0..rounds)
            .map(|_| Chances::new(40, &mut rng).play(&cost, &pairing))
            .sum();
        let expected = cost.expected_retained(&pairing);
        // 40 independent players at most: the variance of a round is below 40 / 4.
        let error = (10.0 / f64::from(rounds)).sqrt();
        assert!((total as f64 / f64::from(rounds) - expected).abs() < 4.0 * error);
    }
}
