//! Many rounds of all methods.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::error::Error;
use super::population::Population;
use super::published;
use super::results::{Results, SizeResults, Tally};
use super::round::Worker;

/// Rounds that one thread plays before it says so.
const BATCH: u64 = 8;

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
/// longer run are those of a shorter one.
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
    /// [`Error::Size`], [`Error::NoSizes`], [`Error::SizeTwice`], [`Error::Rounds`], [`Error::TooFewStates`].
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
        let batches = self.rounds.div_ceil(BATCH);
        // Large pools first: the last thread to end then has little left to do.
        let mut tasks: Vec<(usize, u64)> = (0..self.sizes.len())
            .flat_map(|size| (0..batches).map(move |batch| (size, batch)))
            .collect();
        tasks.sort_by_key(|&(size, batch)| (std::cmp::Reverse(self.sizes[size]), batch));
        let count = Count::new(self);
        let play = |worker: &mut Worker, (size, batch): (usize, u64)| -> Result<Vec<Tally>, Error> {
            let first = batch * BATCH;
            let rounds = first..self.rounds.min(first + BATCH);
            let mut tallies = self.tallies();
            for round in rounds.clone() {
                tallies[size].add(&worker.play(population, self.sizes[size], self.seed, round)?);
            }
            watch(count.done(self.sizes[size], rounds.end - first));
            Ok(tallies)
        };
        let tallies: Result<Vec<Tally>, Error> = tasks
            .into_par_iter()
            .map_init(Worker::new, play)
            .try_reduce(|| self.tallies(), |one, other| Ok(merged(one, &other)));
        let sizes = self.sizes.iter().zip(tallies?);
        Ok(Results {
            rounds: self.rounds,
            seed: self.seed,
            sizes: sizes.map(|(&size, tally)| SizeResults::new(size, tally)).collect(),
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
            if size > population.len() {
                let states = population.len();
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

    /// Nothing counted yet, for each size.
    fn tallies(&self) -> Vec<Tally> {
        vec![Tally::default(); self.sizes.len()]
    }
}

fn merged(one: Vec<Tally>, other: &[Tally]) -> Vec<Tally> {
    let pairs = one.into_iter().zip(other);
    pairs.map(|(one, other)| one.merge(other)).collect()
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
    use crate::eomm::{Error, Method, Population};

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
