//! The costs of one player with many others, fast and to the last unit what they are one by one.
//!
//! Under a constant share of draws `s` the cost of two players follows a logistic curve of their rating difference:
//! with win, draw and loss risks `w, d, l`, the first player's expected score `e` and chance of a win `p`,
//!
//! ```text
//! (sd + (1-s)l of the first) + (sd + (1-s)w of the second) + p ((w - l) of the first - (w - l) of the second)
//! p = (1-s) e, or e - s/2 cut off at 0 and at 1-s where the draws are fitted
//! e = 1 / (1 + 2^(log2(10)/400 (difference) / sqrt(spread of the first + spread of the second)))
//! ```
//!
//! so that everything but one root, two divisions and one power of two is a number per player. A polynomial stands for
//! the power, and the loop becomes vector code. Its results differ from the exact evaluation in the last bits, so the
//! rounding decides: where the fast result lies within [`DOUBT`] of the border between two units, the exact evaluation
//! takes over; elsewhere both round to the same unit. That is a few pairs in ten thousand.
//!
//! Why `DOUBT` is enough, in units of 10⁻⁶: the polynomial's relative error is below 10⁻¹¹, it moves `e` by at most a
//! quarter of that, `p` by no more, and `p` is multiplied by at most 2·10⁶: 5·10⁻⁶. Rounding errors of the exponent are relative, a few
//! 10⁻¹⁶, and `|t| e (1 - e)` is below 0.5 for every exponent `t`; those of sums of numbers up to 2·10⁶ are below 10⁻⁸;
//! the exact evaluation has no greater ones.

use std::f64::consts::LN_2;

use multiversion::multiversion;

use super::outcome::Wins;

/// Costs computed at a time.
const LANES: usize = 32;

/// A fast result so near the border between two units is evaluated again.
const DOUBT: f64 = 1.0 / 8192.0;

/// Added to a number below 2⁵¹, it leaves the nearest integer in the low bits of the sum.
const TO_INTEGER: f64 = 1.5 * (1u64 << 52) as f64;

/// `log2(10) / 400`: the exponent's steepness in rating points.
const STEEPNESS: f64 = std::f64::consts::LOG2_10 / 400.0;

/// Beyond this the score is 0 or 1 to all bits that matter, and the power of two is still finite.
const MOST: f64 = 1000.0;

/// Degree of the polynomial that stands for `2^f`, `|f| <= 1/2`.
const DEGREE: usize = 9;

/// Taylor coefficients of `2^f`.
const POWER: [f64; DEGREE + 1] = {
    let mut coefficients = [1.0; DEGREE + 1];
    let mut k = 1;
    while k <= DEGREE {
        coefficients[k] = coefficients[k - 1] * LN_2 / k as f64;
        k += 1;
    }
    coefficients
};

/// What the fast evaluation needs to know of one player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) rating: f64,
    /// Spreads of two players add up to the square of what flattens the curve.
    pub(super) spread: f64,
    /// Cost as the first player who never wins.
    pub(super) first: f64,
    /// Cost as the second player where the first never wins.
    pub(super) second: f64,
    /// Cost of a win instead of a loss as the first player.
    pub(super) slope: f64,
}

/// All players, property by property, with [`LANES`] more at the end that are nobody.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    wins: Wins,
    ratings: Vec<f64>,
    spreads: Vec<f64>,
    firsts: Vec<f64>,
    seconds: Vec<f64>,
    slopes: Vec<f64>,
}

impl Batch {
    pub(super) fn new(wins: Wins, players: impl Iterator<Item = Entry>) -> Self {
        let nobody = Entry {
            rating: 0.0,
            spread: 1.0,
            first: 0.0,
            second: 0.0,
            slope: 0.0,
        };
        let mut batch = Self {
            wins,
            ..Self::default()
        };
        for player in players.chain(std::iter::repeat_n(nobody, LANES)) {
            batch.ratings.push(player.rating);
            batch.spreads.push(player.spread);
            batch.firsts.push(player.first);
            batch.seconds.push(player.second);
            batch.slopes.push(player.slope);
        }
        batch
    }

    /// Writes the costs of player `i` with the players from `start` on; `exact` evaluates those in doubt.
    pub(super) fn fill(&self, i: usize, start: usize, out: &mut [i64], exact: impl Fn(usize) -> i64) {
        let mut doubtful = Vec::new();
        fill(self, i, start, out, &mut doubtful);
        for at in doubtful {
            out[at] = exact(start + at);
        }
    }

    fn entry(&self, i: usize) -> Entry {
        Entry {
            rating: self.ratings[i],
            spread: self.spreads[i],
            first: self.firsts[i],
            second: self.seconds[i],
            slope: self.slopes[i],
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2"))]
fn fill(batch: &Batch, i: usize, start: usize, out: &mut [i64], doubtful: &mut Vec<usize>) {
    let (own, wins) = (batch.entry(i), batch.wins);
    for (block, out) in out.chunks_mut(LANES).enumerate() {
        let from = block * LANES;
        let (mut costs, mut distances) = ([0; LANES], [0.0; LANES]);
        let [ratings, spreads, seconds, slopes] =
            [&batch.ratings, &batch.spreads, &batch.seconds, &batch.slopes].map(|all| lanes(all, start + from));
        for lane in 0..LANES {
            let exponent = (ratings[lane] - own.rating) * (STEEPNESS / (own.spread + spreads[lane]).sqrt());
            let score = 1.0 / (1.0 + power_of_two(exponent));
            let cost = own.first + seconds[lane] + wins.at(score) * (own.slope - slopes[lane]);
            let sum = cost + TO_INTEGER;
            costs[lane] = sum.to_bits().wrapping_sub(TO_INTEGER.to_bits()) as i64;
            distances[lane] = (cost - (sum - TO_INTEGER)).abs();
        }
        let is_doubtful = |distance: &f64| *distance > 0.5 - DOUBT;
        if distances
            .iter()
            .fold(false, |any, distance| any | is_doubtful(distance))
        {
            let found = (0..out.len()).filter(|&lane| is_doubtful(&distances[lane]));
            doubtful.extend(found.map(|lane| from + lane));
        }
        out.copy_from_slice(&costs[..out.len()]);
    }
}

#[inline(always)]
fn lanes(all: &[f64], from: usize) -> &[f64; LANES] {
    all[from..]
        .first_chunk()
        .expect("there are as many entries of nobody at the end")
}

/// `2^t`, or that of the nearest limit.
#[inline(always)]
fn power_of_two(t: f64) -> f64 {
    let t = if t < MOST { t } else { MOST };
    let t = if t > -MOST { t } else { -MOST };
    let sum = t + TO_INTEGER;
    let f = t - (sum - TO_INTEGER);
    let mut power = POWER[DEGREE];
    for k in (0..DEGREE).rev() {
        power = power * f + POWER[k];
    }
    // The integer, with the exponent's bias, moved to where the exponent stands.
    power * f64::from_bits(sum.to_bits().wrapping_add(1023) << 52)
}

#[cfg(test)]
mod tests {
    use super::{DOUBT, power_of_two};

    #[test]
    fn powers_are_as_near_as_the_argument_of_the_module_needs() {
        for step in -40_000..=40_000 {
            let t = f64::from(step) / 1237.0;
            let error = (power_of_two(t) / t.exp2() - 1.0).abs();
            assert!(error < 1e-11, "{t} {error}");
        }
        assert_eq!(power_of_two(1e30), power_of_two(2000.0));
        assert!(power_of_two(-1e30) > 0.0 && power_of_two(1e30).is_finite());
        // Slopes are at most 2 million units.
        const { assert!(2e6 / 4.0 * 1e-11 * 10.0 < DOUBT) };
    }
}
