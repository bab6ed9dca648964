//! Many rounds of all methods.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::error::Error;
use super::population::Population;
use super::published;
use super::results::{Results, SizeResults, Spread, Tally};
use super::round::Worker;

/// Rounds that one thread plays before it says so, at least.
const BATCH: u64 = 8;

/// Most such batches of each size: what they say is kept until all are played.
const MOST_BATCHES: u64 = 2_048;

/// Least and most rounds.
const ROUNDS: (u64, u64) = (2, 1 << 24);

/// Most players of a pool: a matrix of all their costs takes 400 MB.
const MOST_PLAYERS: usize = 10_000;

/// The paper's simulation (section 5.3): pools of several sizes, so many rounds each, all four methods on the same
/// pools.
///
/// 10,000 rounds of 100, 200, 300, 400 and 500 players unless told otherwise. Rounds are shared out over the rayon pool
/// that the call is made from; each has its own stream of random numbers, and all sums are integers, so that results
/// are the same for any number of threads. Those of a size do not depend on the other sizes, and the first rounds of a
/// longer run are those of a shorter one, where the pools are of new players.
///
/// # What intervals are about
/// About the population: with new players for each pool ([`Population::of_new_players`]) rounds are independent of each
/// other, and another seed's figures lie in the intervals as often as they say. A collection of states is taken for a
/// sample of players. Rounds share it, so that however many of them are played, nothing more is learnt of other players;
/// their spread alone would make intervals many times too narrow. So a collection falls into parts, at most 50 and each
/// with players enough for a pool. A round draws from one part, and intervals come from the spread between the parts,
/// by Student's distribution. With players for less than two pools there is one part: then errors are infinite, as
/// nothing is known of other players.
#[derive(Clone, Debug)]
pub struct Simulation {
    sizes: Vec<usize>,
    rounds: u64,
    seed: u64,
}

/// How far a simulation has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Rounds that are done, of all sizes.
    pub rounds: u64,
    /// Rounds in all.
    pub of: u64,
    /// Share of the work that is done, larger pools counting for more.
    pub share: f64,
}

impl Default for Simulation {
    fn default() -> Self {
        Self::new()
    }
}

impl Simulation {
    /// The paper's sizes and rounds, and seed 0.
    pub fn new() -> Self {
        Self {
            sizes: published::SIZES.to_vec(),
            rounds: published::ROUNDS,
            seed: 0,
        }
    }

    /// Pool sizes, even numbers.
    #[must_use]
    pub fn sizes(mut self, sizes: &[usize]) -> Self {
        self.sizes = sizes.to_vec();
        self
    }

    /// Rounds for each size, at least 2.
    #[must_use]
    pub fn rounds(mut self, rounds: u64) -> Self {
        self.rounds = rounds;
        self
    }

    /// Seed of pools, games and churn.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Plays all rounds.
    ///
    /// # Errors
    /// [`Error::Size`], [`Error::NoSizes`], [`Error::SizeTwice`], [`Error::Rounds`], [`Error::TooFewStates`];
    /// [`Error::Player`] where new players are drawn whose ratings were spread beyond what a pool takes; [`Error::Solver`],
    /// [`Error::Unverified`] if the solver fails.
    ///
    /// # Complexity
    /// Two exact matchings of `size` players for each round.
    pub fn run(&self, population: &Population) -> Result<Results, Error> {
        self.run_watched(population, &|_| ())
    }

    /// The same, and tells `watch` now and then how far it has come, from whatever thread.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_watched(&self, population: &Population, watch: &(dyn Fn(Step) + Sync)) -> Result<Results, Error> {
        self.check(population)?;
        let mut tasks: Vec<Task> = (0..self.sizes.len())
            .flat_map(|at| self.tasks(at, population.parts(self.sizes[at], self.rounds)))
            .collect();
        // Large pools first: the last thread to end then has little left to do.
        tasks.sort_by_key(|task| (std::cmp::Reverse(self.sizes[task.at]), task.first));
        let count = Count::new(self);
        let play = |worker: &mut Worker, task: Task| -> Result<(usize, usize, Tally), Error> {
            let size = self.sizes[task.at];
            let mut tally = Tally::default();
            for round in (task.first..task.end).step_by(task.parts) {
                let part = (task.part, task.parts);
                tally.add(&worker.play(population, part, size, self.seed, round)?);
            }
            watch(count.done(size, (task.end - task.first).div_ceil(task.parts as u64)));
            Ok((task.at, task.part, tally))
        };
        let played: Result<Vec<_>, Error> = tasks.into_par_iter().map_init(Worker::new, play).collect();
        let of_size = |&size: &usize| match population.parts(size, self.rounds) {
            None => (Spread::OfRounds, vec![Tally::default()]),
            Some(parts) => (Spread::OfParts, vec![Tally::default(); parts]),
        };
        let mut tallies: Vec<(Spread, Vec<Tally>)> = self.sizes.iter().map(of_size).collect();
        for (at, part, tally) in played? {
            tallies[at].1[part].merge(&tally);
        }
        let sizes = self.sizes.iter().zip(tallies);
        Ok(Results {
            rounds: self.rounds,
            seed: self.seed,
            sizes: sizes
                .map(|(&size, (spread, parts))| SizeResults::new(size, spread, parts))
                .collect(),
        })
    }

    /// The rounds of one size, in batches of one part each: round `r` is of part `r` modulo their number.
    fn tasks(&self, at: usize, parts: Option<usize>) -> impl Iterator<Item = Task> {
        let (rounds, parts) = (self.rounds, parts.unwrap_or(1));
        let batch = BATCH.max(rounds.div_ceil(MOST_BATCHES)) * parts as u64;
        (0..rounds.div_ceil(batch)).flat_map(move |number| {
            let end = rounds.min((number + 1) * batch);
            let of_part = move |part: usize| Task {
                at,
                part,
                parts,
                first: number * batch + part as u64,
                end,
            };
            (0..parts).map(of_part).filter(|task| task.first < task.end)
        })
    }

    fn check(&self, population: &Population) -> Result<(), Error> {
        if self.sizes.is_empty() {
            return Err(Error::NoSizes);
        }
        for (k, &size) in self.sizes.iter().enumerate() {
            if size % 2 == 1 || !(2..=MOST_PLAYERS).contains(&size) {
                return Err(Error::Size {
                    size,
                    most: MOST_PLAYERS,
                });
            }
            if self.sizes[..k].contains(&size) {
                return Err(Error::SizeTwice { size });
            }
            if let Some(states) = population.states().filter(|&states| size > states) {
                return Err(Error::TooFewStates { states, size });
            }
        }
        if (ROUNDS.0..=ROUNDS.1).contains(&self.rounds) {
            Ok(())
        } else {
            Err(Error::Rounds {
                rounds: self.rounds,
                limits: ROUNDS,
            })
        }
    }
}

/// Rounds that one thread plays in one go: every `parts`-th from `first` up to `end`.
#[derive(Clone, Copy, Debug)]
struct Task {
    /// Position of the size.
    at: usize,
    part: usize,
    parts: usize,
    first: u64,
    end: u64,
}

/// Counts what is done on all threads.
struct Count {
    rounds: AtomicU64,
    of: u64,
    work: AtomicU64,
    of_work: u64,
}

impl Count {
    fn new(simulation: &Simulation) -> Self {
        Self {
            rounds: AtomicU64::new(0),
            of: simulation.rounds * simulation.sizes.len() as u64,
            work: AtomicU64::new(0),
            of_work: simulation.sizes.iter().map(|&size| work(size, simulation.rounds)).sum(),
        }
    }

    fn done(&self, size: usize, rounds: u64) -> Step {
        let work = work(size, rounds);
        Step {
            rounds: self.rounds.fetch_add(rounds, Ordering::Relaxed) + rounds,
            of: self.of,
            share: (self.work.fetch_add(work, Ordering::Relaxed) + work) as f64 / self.of_work as f64,
        }
    }
}

/// Solves of such costs take about so long, as measured: n² and a little more.
fn work(size: usize, rounds: u64) -> u64 {
    rounds * (size as u64).pow(2)
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::{ROUNDS, Simulation};
    use crate::engagement::Horizon;
    use crate::eomm::statistics::Estimate;
    use crate::eomm::{Error, Method, Population, Results};

    fn population() -> Population {
        Population::synthetic(1_000, Horizon::EightHours, 2).expect("probabilities")
    }

    #[test]
    fn threads_other_sizes_and_later_rounds_change_nothing() {
        let population = population();
        let simulation = Simulation::new().sizes(&[20, 34]).rounds(45).seed(3);
        let on = |threads: usize, simulation: &Simulation| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| simulation.run(&population)).expect("results")
        };
        let results = on(1, &simulation);
        assert_eq!(results, on(2, &simulation));
        assert_eq!(results, on(4, &simulation));
        assert_eq!(results.sizes()[1], on(2, &simulation.clone().sizes(&[34])).sizes()[0]);
        assert_ne!(results.sizes(), on(2, &simulation.seed(4)).sizes());
    }

    #[test]
    fn the_methods_stand_as_they_must() {
        let results = Simulation::new()
            .sizes(&[40, 12])
            .rounds(300)
            .seed(1)
            .run(&population());
        for pools in results.expect("results").sizes() {
            for method in Method::ALL {
                let result = pools.method(method);
                let error = result.sampled.standard_error.hypot(result.expected.standard_error);
                assert!(
                    (result.sampled.mean - result.expected.mean).abs() < 4.0 * error,
                    "{result:?}"
                );
            }
            for (better, worse) in Method::CONTRASTS {
                let (gain, loss) = (pools.gain(better, worse), pools.gain(worse, better));
                assert_eq!(
                    (gain.expected.low, gain.sampled.low),
                    (-loss.expected.high, -loss.sampled.high)
                );
                assert_eq!((gain.pools.better, gain.welch.p), (loss.pools.worse, loss.welch.p));
                assert_eq!(gain.pools.better + gain.pools.equal + gain.pools.worse, 300);
                let means = [better, worse].map(|method| pools.method(method).expected.mean);
                assert!((gain.expected.mean - (means[0] - means[1])).abs() < 1e-9);
                if (better, worse) != (Method::Skill, Method::Random) {
                    assert!(gain.expected.low > 0.0, "{better} {worse} {gain:?}");
                }
                if better == Method::Engagement || worse == Method::Worst {
                    assert_eq!(gain.pools.worse, 0);
                }
            }
        }
    }

    /// How often intervals of runs with other seeds hold the mean of all runs: of each figure, and how many there are.
    fn held(run: impl Fn(u64) -> Results, runs: u64) -> Vec<usize> {
        let results: Vec<Results> = (0..runs).map(run).collect();
        let methods = Method::ALL.into_iter().flat_map(|method| {
            let of = |results: &Results| results.sizes()[0].method(method);
            let each = || results.iter().map(of);
            [
                each().map(|result| result.expected).collect::<Vec<_>>(),
                each().map(|result| result.sampled).collect(),
            ]
        });
        let gains = Method::CONTRASTS.into_iter().map(|(one, other)| {
            let of = |results: &Results| results.sizes()[0].gain(one, other).expected;
            results.iter().map(of).collect()
        });
        let count = |estimates: Vec<Estimate>| {
            let mean = estimates.iter().map(|estimate| estimate.mean).sum::<f64>() / runs as f64;
            estimates
                .iter()
                .filter(|estimate| estimate.low <= mean && mean <= estimate.high)
                .count()
        };
        methods.chain(gains).map(count).collect()
    }

    /// All rounds of a run share its states, which the spread between rounds knows nothing of: with intervals from it, 17
    /// to 19 of 40 runs (2,000 states, 400 pools of 50) held the mean of expected players, and 14 to 33 those of their
    /// differences.
    #[test]
    fn intervals_hold_for_other_seeds() {
        let simulation = Simulation::new().sizes(&[20]).rounds(120);
        let of_states = |seed| {
            let population = Population::synthetic(500, Horizon::EightHours, 100 + seed).expect("probabilities");
            simulation.clone().seed(seed).run(&population).expect("results")
        };
        let of_new = |seed| {
            let population = Population::of_new_players(Horizon::EightHours);
            simulation.clone().seed(seed).run(&population).expect("results")
        };
        for held in [held(of_states, 40), held(of_new, 40)] {
            // Of 40 intervals 38 in the mean, and fewer than 33 once in two hundred times.
            assert!(held.iter().all(|&held| held >= 33), "{held:?}");
            assert!(held.iter().sum::<usize>() >= 36 * held.len(), "{held:?}");
        }
    }

    #[test]
    fn nothing_is_known_of_other_players_where_the_states_make_one_pool() {
        let population = Population::synthetic(39, Horizon::EightHours, 1).expect("probabilities");
        let results = Simulation::new()
            .sizes(&[20])
            .rounds(4)
            .run(&population)
            .expect("results");
        let pools = &results.sizes()[0];
        let gain = pools.gain(Method::Engagement, Method::Random);
        assert_eq!((pools.parts(), gain.welch.p), (Some(1), 1.0));
        for estimate in [pools.method(Method::Random).expected, gain.expected, gain.sampled] {
            assert!(estimate.mean.is_finite() && estimate.low == f64::NEG_INFINITY && estimate.high == f64::INFINITY);
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let population = population();
        let run = |sizes: &[usize], rounds| Simulation::new().sizes(sizes).rounds(rounds).run(&population);
        for size in [0, 1, 3, 101, 10_002] {
            assert_eq!(run(&[20, size], 9), Err(Error::Size { size, most: 10_000 }));
        }
        assert_eq!(run(&[], 9), Err(Error::NoSizes));
        assert_eq!(run(&[4, 6, 4], 9), Err(Error::SizeTwice { size: 4 }));
        let (states, size) = (1000, 1002);
        assert_eq!(run(&[size], 9), Err(Error::TooFewStates { states, size }));
        for rounds in [0, 1, ROUNDS.1 + 1] {
            assert_eq!(run(&[4], rounds), Err(Error::Rounds { rounds, limits: ROUNDS }));
        }
    }
}
