//! Many rounds of all methods.

use std::sync::atomic::{AtomicU64, Ordering};

use matching_core::{Budget, StopReason};
use rayon::prelude::*;

use super::error::Error;
use super::population::Population;
use super::published;
use super::results::{Results, SizeResults, Spread, Tally};
use super::round::Worker;
use crate::clock::Clock;

/// Rounds that one thread plays before it says so, at least.
const BATCH: u64 = 8;

/// Most such batches of each size: what they say is kept until all are played.
const MOST_BATCHES: u64 = 2_048;

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
    budget: Budget,
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
    /// Least and most rounds of a size.
    pub const ROUNDS: (u64, u64) = (2, 1 << 24);

    /// Most players of a pool: a matrix of all their costs takes 400 MB.
    pub const MOST_PLAYERS: usize = 10_000;

    /// The paper's sizes and rounds, and seed 0.
    pub fn new() -> Self {
        Self {
            sizes: published::SIZES.to_vec(),
            rounds: published::ROUNDS,
            seed: 0,
            budget: Budget::new(),
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

    /// Limits of each run; none if not given. What a limit leaves is a result of fewer rounds, and [`Results::stop`] says so.
    ///
    /// A unit of work is a pair of places in a round: a round of n players is n² units. So a limit on work decides before
    /// anything is played how many rounds of each size there are, as many of one as of another, and the results are
    /// those of a run of so many rounds, on every machine and any number of threads. Time and cancelling are looked at
    /// between rounds, and within those of more than 110 players, which do not count unless they are done: sizes come by
    /// turns, and those of which no round was played are missing. Memory is not limited.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Budget, StopReason};
    /// use matchmaking::Horizon;
    /// use matchmaking::eomm::{Population, Simulation};
    ///
    /// let population = Population::of_new_players(Horizon::EightHours);
    /// let simulation = Simulation::new().sizes(&[20, 10]).rounds(1_000);
    /// let few = simulation.clone().budget(Budget::new().work(30_000)).run(&population)?;
    /// // 20² + 10² units for a round of each.
    /// assert_eq!((few.stop(), few.sizes()[1].rounds()), (Some(StopReason::WorkLimit), 60));
    /// assert_eq!(few.sizes(), simulation.rounds(60).run(&population)?.sizes());
    /// # Ok::<(), matchmaking::eomm::Error>(())
    /// ```
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Plays all rounds, or as many as the [budget](Self::budget) has room for.
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
        let clock = Clock::new(&self.budget);
        let rounds = self.affordable();
        let mut tallies: Vec<(Spread, Vec<Tally>)> = Vec::with_capacity(self.sizes.len());
        let mut tasks: Vec<Task> = Vec::new();
        for (at, &size) in self.sizes.iter().enumerate() {
            let parts = population.parts(size, rounds);
            tasks.extend(tasks_of(at, rounds, parts.unwrap_or(1)));
            tallies.push(match parts {
                None => (Spread::OfRounds, vec![Tally::default()]),
                Some(parts) => (Spread::OfParts, vec![Tally::default(); parts]),
            });
        }
        for (at, part, tally) in self.played(population, tasks, &clock, &Count::new(&self.sizes, rounds), watch)? {
            tallies[at].1[part].merge(&tally);
        }
        let sizes = self.sizes.iter().zip(tallies);
        let sizes = sizes.map(|(&size, (spread, parts))| SizeResults::new(size, spread, parts));
        let sizes: Vec<SizeResults> = sizes.collect();
        let is_cut_short = sizes.iter().any(|pools| pools.rounds() < rounds);
        let by_work = (rounds < self.rounds).then_some(StopReason::WorkLimit);
        Ok(Results {
            rounds: self.rounds,
            seed: self.seed,
            stop: if is_cut_short { clock.over() } else { by_work },
            sizes: sizes.into_iter().filter(|pools| pools.rounds() > 0).collect(),
        })
    }

    /// Rounds of each size that the limit on work has room for, no more than were asked for.
    fn affordable(&self) -> u64 {
        let of_one_each: u64 = self.sizes.iter().map(|&size| work(size, 1)).sum();
        let limit = self.budget.work_limit().map(|limit| limit / of_one_each.max(1));
        limit.map_or(self.rounds, |limit| limit.min(self.rounds))
    }

    /// What the tasks say, in any order, with their sizes and parts; until the clock ends it.
    fn played(
        &self,
        population: &Population,
        mut tasks: Vec<Task>,
        clock: &Clock<'_>,
        count: &Count,
        watch: &(dyn Fn(Step) + Sync),
    ) -> Result<Vec<(usize, usize, Tally)>, Error> {
        let play = |worker: &mut Worker, task: Task| -> Result<(usize, usize, Tally), Error> {
            let size = self.sizes[task.at];
            let mut tally = Tally::default();
            for round in (task.first..task.end).step_by(task.parts) {
                if clock.over().is_some() {
                    break;
                }
                let part = (task.part, task.parts);
                match worker.play(population, part, size, (self.seed, round), clock)? {
                    Some(played) => tally.add(&played, size),
                    None => break,
                }
            }
            if tally.rounds() > 0 {
                watch(count.done(size, tally.rounds()));
            }
            Ok((task.at, task.part, tally))
        };
        // Large pools first: the last thread to end then has little left to do.
        let size = |task: &Task| std::cmp::Reverse(self.sizes[task.at]);
        if clock.is_watched() {
            // Where it may end at any time, sizes come by turns, and threads take what comes next.
            tasks.sort_by_key(|task| (task.first, size(task)));
            tasks.into_iter().par_bridge().map_init(Worker::new, play).collect()
        } else {
            tasks.sort_by_key(|task| (size(task), task.first));
            tasks.into_par_iter().map_init(Worker::new, play).collect()
        }
    }

    fn check(&self, population: &Population) -> Result<(), Error> {
        if self.sizes.is_empty() {
            return Err(Error::NoSizes);
        }
        for (k, &size) in self.sizes.iter().enumerate() {
            if size % 2 == 1 || !(2..=Self::MOST_PLAYERS).contains(&size) {
                return Err(Error::Size {
                    size,
                    most: Self::MOST_PLAYERS,
                });
            }
            if self.sizes[..k].contains(&size) {
                return Err(Error::SizeTwice { size });
            }
            if let Some(states) = population.states().filter(|&states| size > states) {
                return Err(Error::TooFewStates { states, size });
            }
        }
        if (Self::ROUNDS.0..=Self::ROUNDS.1).contains(&self.rounds) {
            Ok(())
        } else {
            Err(Error::Rounds {
                rounds: self.rounds,
                limits: Self::ROUNDS,
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

/// The rounds of one size, in batches of one part each: round `r` is of part `r` modulo their number.
fn tasks_of(at: usize, rounds: u64, parts: usize) -> impl Iterator<Item = Task> {
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

/// Counts what is done on all threads.
struct Count {
    rounds: AtomicU64,
    of: u64,
    work: AtomicU64,
    of_work: u64,
}

impl Count {
    fn new(sizes: &[usize], rounds: u64) -> Self {
        Self {
            rounds: AtomicU64::new(0),
            of: rounds * sizes.len() as u64,
            work: AtomicU64::new(0),
            of_work: sizes.iter().map(|&size| work(size, rounds)).sum(),
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
    use std::time::Duration;

    use matching_core::CancelToken;
    use rayon::ThreadPoolBuilder;

    use super::{AtomicU64, Budget, Ordering, Simulation, Step, StopReason};
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

    /// Costs of pairs are rounded, and EOMM picks those that were rounded down: it kept more than others in all pools, by some
    /// millionths of a player, also where nothing depends on who plays whom.
    #[test]
    fn roundings_make_no_pool_better() {
        for spread in [Population::with_risk_spread, Population::with_rating_spread] {
            let population = spread(&population(), 0.0).expect("a factor");
            let results = Simulation::new().sizes(&[40, 12]).rounds(60).seed(1).run(&population);
            for pools in results.expect("results").sizes() {
                for (one, other) in Method::CONTRASTS {
                    assert_eq!(pools.gain(one, other).pools.equal, 60, "{one} {other} {}", pools.size());
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

    /// Units of work of one round of each size.
    const OF_ONE_EACH: u64 = 20 * 20 + 6 * 6;

    #[test]
    fn so_much_work_is_so_many_rounds() {
        let of_states = population();
        let of_new = Population::of_new_players(Horizon::EightHours);
        for population in [&of_states, &of_new] {
            let simulation = Simulation::new().sizes(&[20, 6]).rounds(40).seed(2);
            let within = |work| simulation.clone().budget(Budget::new().work(work)).run(population);
            for (work, rounds) in [(7 * OF_ONE_EACH + 399, 7), (OF_ONE_EACH, 1), (40 * OF_ONE_EACH - 1, 39)] {
                let few = within(work).expect("results");
                assert_eq!((few.rounds(), few.stop()), (40, Some(StopReason::WorkLimit)));
                assert_eq!(few.sizes().len(), 2);
                assert!(few.sizes().iter().all(|pools| pools.rounds() == rounds), "{rounds}");
                if rounds > 1 {
                    let same = simulation.clone().rounds(rounds).run(population).expect("results");
                    assert_eq!(few.sizes(), same.sizes());
                }
            }
            let all = simulation.run(population).expect("results");
            assert_eq!(within(40 * OF_ONE_EACH), Ok(all.clone()));
            assert_eq!((all.stop(), all.sizes()[0].rounds()), (None, 40));
            let none = within(OF_ONE_EACH - 1).expect("no results");
            assert_eq!((none.stop(), none.sizes()), (Some(StopReason::WorkLimit), &[][..]));
        }
    }

    #[test]
    fn of_one_round_nothing_is_known_but_its_means() {
        let one = Simulation::new().sizes(&[20]).budget(Budget::new().work(400));
        let results = one.run(&population()).expect("results");
        let gain = results.sizes()[0].gain(Method::Engagement, Method::Random);
        assert!(gain.expected.mean > 0.0 && gain.expected.low == f64::NEG_INFINITY);
        assert_eq!((results.sizes()[0].rounds(), gain.welch.p), (1, 1.0));
    }

    #[test]
    fn who_cancels_gets_the_rounds_that_are_done() {
        let population = Population::of_new_players(Horizon::EightHours);
        let simulation = Simulation::new().sizes(&[6, 20]).rounds(400).seed(5);
        let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        // After so many batches of eight: those of 20 players come first, then those of 6, and so on.
        for (batches, of_20, of_6) in [(0, 0, 0), (1, 8, 0), (2, 8, 8), (5, 24, 16)] {
            let token = CancelToken::new();
            let done = AtomicU64::new(0);
            let watch = |step: Step| {
                assert_eq!(step.rounds, 8 * (done.fetch_add(1, Ordering::Relaxed) + 1));
                if done.load(Ordering::Relaxed) == batches {
                    token.cancel();
                }
            };
            if batches == 0 {
                token.cancel();
            }
            let cancelled = simulation.clone().budget(Budget::new().cancel(token.clone()));
            let results = pool
                .install(|| cancelled.run_watched(&population, &watch))
                .expect("results");
            assert_eq!(results.stop(), Some(StopReason::Cancelled));
            let played: Vec<(usize, u64)> = results
                .sizes()
                .iter()
                .map(|pools| (pools.size(), pools.rounds()))
                .collect();
            let expected = [(6, of_6), (20, of_20)].into_iter().filter(|played| played.1 > 0);
            assert_eq!(played, expected.collect::<Vec<_>>());
            // The first rounds of a longer run are those of a shorter one.
            for pools in results.sizes() {
                let alone = Simulation::new().sizes(&[pools.size()]).rounds(pools.rounds()).seed(5);
                assert_eq!(
                    alone.run(&population).expect("results").sizes(),
                    std::slice::from_ref(pools)
                );
            }
        }
    }

    #[test]
    fn parts_that_nothing_was_played_of_count_for_nothing() {
        let population = population();
        let token = CancelToken::new();
        let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let simulation = Simulation::new().sizes(&[20]).rounds(4_000);
        let cancelled = simulation.budget(Budget::new().cancel(token.clone()));
        let done = AtomicU64::new(0);
        let watch = |_: Step| {
            if done.fetch_add(1, Ordering::Relaxed) == 2 {
                token.cancel();
            }
        };
        let results = pool
            .install(|| cancelled.run_watched(&population, &watch))
            .expect("results");
        let pools = &results.sizes()[0];
        assert_eq!((pools.parts(), pools.rounds()), (Some(3), 24));
        assert!(pools.method(Method::Random).expected.standard_error > 0.0);
    }

    #[test]
    fn no_time_is_no_rounds_and_much_is_all_of_them() {
        let population = population();
        let simulation = Simulation::new().sizes(&[20, 6]).rounds(30).seed(2);
        let within = |time| simulation.clone().budget(Budget::new().time(time)).run(&population);
        let none = within(Duration::ZERO).expect("no results");
        assert_eq!((none.stop(), none.sizes()), (Some(StopReason::TimeLimit), &[][..]));
        let day = Duration::from_secs(86_400);
        assert_eq!(within(day), simulation.run(&population));
        // Also where rounds are looked at while they are played.
        let large = simulation.sizes(&[120]).rounds(4);
        let within = large.clone().budget(Budget::new().time(day)).run(&population);
        assert_eq!(within, large.run(&population));
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
        for rounds in [0, 1, Simulation::ROUNDS.1 + 1] {
            assert_eq!(
                run(&[4], rounds),
                Err(Error::Rounds {
                    rounds,
                    limits: Simulation::ROUNDS
                })
            );
        }
    }
}
