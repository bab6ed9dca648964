//! What swaps are held against: temperatures times numbers that are drawn once.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::annealing::Walk;

/// Random offsets of the limits.
pub(super) const OFFSETS: usize = 2048;
/// Temperatures beyond which nothing passes a bounded limit.
const BOUND: f32 = 4.0;

/// Numbers that were drawn, and what swaps with them must stay below at some temperature.
pub(super) struct Limits<L> {
    draws: Vec<f32>,
    limits: Vec<L>,
    temperature: f32,
}

impl<L: Copy + Default> Limits<L> {
    /// Metropolis' rule: `-ln u` for random `u`, so that what costs `d` temperatures passes with probability `exp(-d)`.
    /// So many in a row are read from one offset.
    pub(super) fn exponential(stride: usize, rng: &mut ChaCha8Rng) -> Self {
        Self::of(
            (0..OFFSETS + stride)
                .map(|_| -(1.0 - rng.random::<f32>()).ln())
                .collect(),
        )
    }

    /// `4 (1 - sqrt(u))`: what costs `d` temperatures passes with probability `(1 - d / 4)^2`, and what costs more than
    /// four of them never. A ladder of temperatures ends better with it. One `u` lies in each of as many equal parts as
    /// there are offsets, since the few large draws decide about most swaps that are made: left to chance, every ladder
    /// would have temperatures of its own.
    ///
    /// The rule with `q = 1/2` of C. Tsallis and D. A. Stariolo, "Generalized simulated annealing", Physica A 233 (1996),
    /// doi:10.1016/S0378-4371(96)00271-3, at twice the temperature.
    pub(super) fn bounded(stride: usize, rng: &mut ChaCha8Rng) -> Self {
        let mut draws: Vec<f32> = (0..OFFSETS)
            .map(|part| (part as f32 + rng.random::<f32>()) / OFFSETS as f32)
            .map(|u| BOUND * (1.0 - u.sqrt()))
            .collect();
        draws.shuffle(rng);
        Self::of(draws.iter().copied().cycle().take(OFFSETS + stride).collect())
    }

    fn of(draws: Vec<f32>) -> Self {
        Self {
            limits: vec![L::default(); draws.len()],
            draws,
            temperature: f32::NAN,
        }
    }

    /// What swaps must stay below at that temperature.
    pub(super) fn at<W: Walk<Limit = L>>(&mut self, temperature: f32) -> &[L] {
        if temperature != self.temperature {
            W::fill_limits(&mut self.limits, &self.draws, temperature);
            self.temperature = temperature;
        }
        &self.limits
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// Whatever the seed, what costs `d` temperatures passes as often as the rule says, to one draw.
    #[test]
    fn bounded_limits_follow_their_rule() {
        for seed in 0..20 {
            let limits = Limits::<i16>::bounded(64, &mut ChaCha8Rng::seed_from_u64(seed));
            let (drawn, again) = limits.draws.split_at(OFFSETS);
            assert_eq!(again, &drawn[..64]);
            for d in (0..=40).map(|tenths| tenths as f32 / 10.0) {
                let passing = drawn.iter().filter(|&&draw| draw > d).count() as f32;
                let expected = OFFSETS as f32 * (1.0 - d / 4.0).powi(2);
                assert!(
                    (passing - expected).abs() <= 1.5,
                    "{passing} of {expected} pass at {d}, seed {seed}"
                );
            }
        }
    }
}
