//! What simulations of queues share: streams of arrivals, and the waits of those who leave.

use std::ops::RangeInclusive;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::Run;
use super::estimate::{BATCHES, Estimate, Moments, Sums};
use super::random::{exponential, uniform};
use crate::error::Error;

/// Total rates at which neither waits nor their squares leave the range of floats.
const RATES: RangeInclusive<f64> = 1e-100..=1e100;

/// Independent Poisson streams of arrivals, merged.
#[derive(Clone, Debug)]
pub(super) struct Arrivals {
    cumulative: Vec<f64>,
    total: f64,
    /// The last class with a positive rate.
    last: usize,
    now: f64,
    rng: ChaCha8Rng,
}

impl Arrivals {
    /// Streams with these named rates.
    pub(super) fn new(rates: &[(&'static str, f64)], seed: u64) -> Result<Self, Error> {
        let mut total = 0.0;
        let mut last = None;
        let mut cumulative = Vec::with_capacity(rates.len());
        for (class, &(name, value)) in rates.iter().enumerate() {
            if !(value >= 0.0 && value.is_finite()) {
                let expected = "finite and not negative";
                return Err(Error::Parameter { name, value, expected });
            }
            if value > 0.0 {
                last = Some(class);
            }
            total += value;
            cumulative.push(total);
        }
        let last = last.filter(|_| RATES.contains(&total)).ok_or(Error::Parameter {
            name: "total rate",
            value: total,
            expected: "positive, and neither below 1e-100 nor above 1e100",
        })?;
        Ok(Self {
            cumulative,
            total,
            last,
            now: 0.0,
            rng: ChaCha8Rng::seed_from_u64(seed),
        })
    }

    /// Time and class of the next arrival.
    pub(super) fn next(&mut self) -> (f64, usize) {
        self.now += exponential(&mut self.rng) / self.total;
        let point = uniform(&mut self.rng) * self.total;
        let class = self.cumulative.iter().position(|&end| point < end);
        (self.now, class.unwrap_or(self.last))
    }

    /// Lets players arrive for a run; `arrive` gets the time and the class of each, and tells who leaves.
    pub(super) fn run(
        mut self,
        run: Run,
        players: &'static [u8],
        mut arrive: impl FnMut(f64, usize, &mut Leavers),
    ) -> Report {
        let mut leavers = Leavers {
            sums: vec![Sums::default(); players.len()],
        };
        let mut report = Report::new(run, players);
        for batch in 0..=BATCHES {
            for _ in 0..run.per_batch() {
                let (now, class) = self.next();
                arrive(now, class, &mut leavers);
            }
            report.close_batch(&mut leavers, batch == 0);
        }
        report
    }
}

/// Takes down who leaves.
#[derive(Clone, Debug)]
pub(super) struct Leavers {
    sums: Vec<Sums>,
}

impl Leavers {
    pub(super) fn none(classes: usize) -> Self {
        Self {
            sums: vec![Sums::default(); classes],
        }
    }

    /// An arrival of this class leaves after this wait.
    #[inline]
    pub(super) fn leave(&mut self, class: usize, wait: f64) {
        self.sums[class].add(wait);
    }
}

/// Waits of those who left during a simulation, by class of arrival.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    run: Run,
    players: &'static [u8],
    /// By class, then by batch.
    batches: Vec<Vec<Sums>>,
}

impl Report {
    /// Nothing yet, for classes each of whose arrivals is so many players.
    pub(super) fn new(run: Run, players: &'static [u8]) -> Self {
        let batches = vec![Vec::with_capacity(BATCHES); players.len()];
        Self { run, players, batches }
    }

    /// Ends a batch, and throws it away if it was for warming up.
    pub(super) fn close_batch(&mut self, leavers: &mut Leavers, is_warm_up: bool) {
        for (batches, sums) in self.batches.iter_mut().zip(&mut leavers.sums) {
            let sums = core::mem::take(sums);
            if !is_warm_up {
                batches.push(sums);
            }
        }
    }

    /// The run: its length and its seed.
    pub fn run(&self) -> Run {
        self.run
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.players.len()
    }

    /// Waits of one class, by its number in the order in which the simulation takes the rates; `None` for numbers too
    /// large and where nobody of the class left.
    pub fn class(&self, class: usize) -> Option<Moments> {
        Moments::of(self.batches.get(class)?)
    }

    /// Waits of all players; a team of two counts as two. `None` where nobody left.
    pub fn all(&self) -> Option<Moments> {
        let all: Vec<usize> = (0..self.classes()).collect();
        self.of(&all)
    }

    /// Waits of the players of some classes together; numbers too large count for nothing. `None` where nobody left.
    pub fn of(&self, classes: &[usize]) -> Option<Moments> {
        Moments::of(&self.together(classes))
    }

    /// The share of players of some classes among those of others who left; `None` where none of the latter did.
    pub fn share(&self, classes: &[usize], among: &[usize]) -> Option<Estimate> {
        let (some, all) = (self.together(classes), self.together(among));
        let counts = some.iter().zip(&all).map(|(some, all)| (some.count, all.count));
        Estimate::ratio(&counts.collect::<Vec<_>>())
    }

    fn together(&self, classes: &[usize]) -> Vec<Sums> {
        let mut together = vec![Sums::default(); BATCHES];
        for (&players, batches) in classes
            .iter()
            .filter_map(|&class| self.players.get(class).zip(self.batches.get(class)))
        {
            for (sum, &batch) in together.iter_mut().zip(batches) {
                *sum = sum.plus(batch, f64::from(players));
            }
        }
        together
    }
}
