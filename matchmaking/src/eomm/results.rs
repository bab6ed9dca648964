//! What the rounds of a simulation say.

use matching_core::StopReason;

use super::method::Method;
use super::moments::Moments;
use super::round::Round;
use super::statistics::{Estimate, Sample, Welch, welch};
use crate::engagement::EngagementCost;

/// The units in which expected losses are counted.
const UNIT: f64 = EngagementCost::SCALE as f64;

/// A simulation's results.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Results {
    pub(super) rounds: u64,
    pub(super) seed: u64,
    pub(super) stop: Option<StopReason>,
    pub(super) sizes: Vec<SizeResults>,
}

impl Results {
    /// Rounds that were asked for, for each size; [`SizeResults::rounds`] are those that were played.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Seed of the rounds.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What ended it before all rounds were played, if anything did.
    pub fn stop(&self) -> Option<StopReason> {
        self.stop
    }

    /// Results by pool size, in the order asked for; those sizes are missing of which no round was played.
    pub fn sizes(&self) -> &[SizeResults] {
        &self.sizes
    }
}

/// What became of pools of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeResults {
    size: usize,
    spread: Spread,
    /// One for each part of the population.
    parts: Vec<Tally>,
    whole: Tally,
}

/// What is independent of each other, so that its spread says how uncertain a mean is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    OfRounds,
    OfParts,
}

/// How many players a method keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct MethodResult {
    /// Players expected to stay, by equation (7): the mean over pools.
    pub expected: Estimate,
    /// Players who stayed, with games and churn drawn: the mean over rounds.
    pub sampled: Estimate,
}

/// How many more players one method keeps than another, in the same pools.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Gain {
    /// Of expected players: the mean of the differences, with their roundings (see [`PoolShares::equal`]).
    pub expected: Estimate,
    /// Of players who stayed: the mean of the differences, with the same chances under both methods.
    pub sampled: Estimate,
    /// The paper's test of sampled players, which takes the two methods' rounds for independent of each other.
    pub welch: Welch,
    /// In how many pools more are expected to stay.
    pub pools: PoolShares,
}

/// Pools in which one method is expected to keep more, as many or fewer players than another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct PoolShares {
    /// More.
    pub better: u64,
    /// As many, but for roundings: what a pair loses is rounded to a millionth of a player, so that two pairings of `n`
    /// players may differ by `n / 2` millionths where they lose as many.
    pub equal: u64,
    /// Fewer.
    pub worse: u64,
}

impl SizeResults {
    /// Of parts of which no round was played, nothing is known.
    pub(super) fn new(size: usize, spread: Spread, mut parts: Vec<Tally>) -> Self {
        parts.retain(|part| part.rounds() > 0);
        let mut whole = Tally::default();
        parts.iter().for_each(|part| whole.merge(part));
        Self {
            size,
            spread,
            parts,
            whole,
        }
    }

    /// Players of a pool.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Rounds that were played.
    pub fn rounds(&self) -> u64 {
        self.whole.rounds()
    }

    /// Into how many parts a collection of states fell of which rounds were played; none for pools of new players.
    pub fn parts(&self) -> Option<usize> {
        (self.spread == Spread::OfParts).then_some(self.parts.len())
    }

    /// How many players a method keeps.
    pub fn method(&self, method: Method) -> MethodResult {
        let lost = self.sample(|tally| tally.lost[method.index()], UNIT);
        let expected = Sample {
            mean: self.size as f64 - lost.mean,
            ..lost
        };
        MethodResult {
            expected: expected.estimate(),
            sampled: self.stayed(method).estimate(),
        }
    }

    /// How many more players `one` keeps than `other`.
    ///
    /// # Panics
    /// If the two are the same method.
    #[track_caller]
    pub fn gain(&self, one: Method, other: Method) -> Gain {
        let find = |pair| Method::CONTRASTS.iter().position(|&contrast| contrast == pair);
        let welch = welch(&self.stayed(one), &self.stayed(other));
        if let Some(k) = find((one, other)) {
            let (expected, sampled) = self.contrast(k);
            return Gain {
                expected: expected.estimate(),
                sampled: sampled.estimate(),
                welch,
                pools: self.whole.contrasts[k].pools,
            };
        }
        let k = find((other, one)).expect("two different methods");
        let (expected, sampled) = self.contrast(k);
        let pools = self.whole.contrasts[k].pools;
        let turned = |sample: Sample| {
            Sample {
                mean: -sample.mean,
                ..sample
            }
            .estimate()
        };
        Gain {
            expected: turned(expected),
            sampled: turned(sampled),
            welch,
            pools: PoolShares {
                better: pools.worse,
                equal: pools.equal,
                worse: pools.better,
            },
        }
    }

    fn stayed(&self, method: Method) -> Sample {
        self.sample(|tally| tally.retained[method.index()], 1.0)
    }

    /// Of expected and of sampled players.
    fn contrast(&self, k: usize) -> (Sample, Sample) {
        let expected = self.sample(|tally| tally.contrasts[k].expected, UNIT);
        (expected, self.sample(|tally| tally.contrasts[k].sampled, 1.0))
    }

    /// Mean of the rounds, and spread of what is independent.
    fn sample(&self, of: impl Fn(&Tally) -> Moments, unit: f64) -> Sample {
        match self.spread {
            Spread::OfRounds => of(&self.whole).sample(unit),
            Spread::OfParts => Moments::sample_of_parts(&self.parts.iter().map(of).collect::<Vec<_>>(), unit),
        }
    }
}

/// Exact sums over rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    lost: [Moments; 4],
    retained: [Moments; 4],
    /// In the order of [`Method::CONTRASTS`].
    contrasts: [Contrast; 6],
}

/// The first method less the second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Contrast {
    expected: Moments,
    sampled: Moments,
    pools: PoolShares,
}

impl Tally {
    pub(crate) fn rounds(&self) -> u64 {
        self.lost[0].count()
    }

    /// One more round, of so many players.
    pub(crate) fn add(&mut self, round: &Round, players: usize) {
        // Each pair may be rounded by half a unit, and there are as many in either pairing.
        let roundings = players as u64 / 2;
        for k in 0..4 {
            self.lost[k].add(round.lost[k]);
            self.retained[k].add(round.retained[k]);
        }
        for (contrast, (one, other)) in self.contrasts.iter_mut().zip(Method::CONTRASTS) {
            let (one, other) = (one.index(), other.index());
            let saved = round.lost[other] - round.lost[one];
            contrast.expected.add(saved);
            contrast.sampled.add(round.retained[one] - round.retained[other]);
            let pools = &mut contrast.pools;
            *match saved {
                _ if saved.unsigned_abs() <= roundings => &mut pools.equal,
                1.. => &mut pools.better,
                _ => &mut pools.worse,
            } += 1;
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for k in 0..4 {
            self.lost[k].merge(&other.lost[k]);
            self.retained[k].merge(&other.retained[k]);
        }
        for (contrast, other) in self.contrasts.iter_mut().zip(&other.contrasts) {
            contrast.expected.merge(&other.expected);
            contrast.sampled.merge(&other.sampled);
            contrast.pools.better += other.pools.better;
            contrast.pools.equal += other.pools.equal;
            contrast.pools.worse += other.pools.worse;
        }
    }
}
