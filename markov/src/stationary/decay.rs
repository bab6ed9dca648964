//! How errors of an iteration decay, measured by itself.
//!
//! A step of an iteration is linear in small errors. So any difference of two distributions shows, step by step, how
//! fast errors decay, and in full precision however small the changes of the iterate have become: what moves slowly
//! stays when all else has gone. One is not the error at hand, but of the same kind as roundings: a random part of each
//! weight. What is left of the changes, and what roundings of each step add up to, follow from it.
//!
//! Such a difference says nothing of states that have hardly any weight in the end and give away slowly what they have
//! at the start. Where there are some, a second difference starts with as much in every state, as the iterate does: what
//! is left of it after as many steps is about what is left of the error.

use super::iterate::{Iteration, Step};

/// A difference that fell so far shows all that there is to see.
const GONE: f64 = 1e-4;
/// Cycles are few, and hide more: what no level shows hardly falls at all.
const GONE_IN_CYCLES: f64 = 1e-8;
/// As long as factors seem to tend to more, a difference is followed further: a few steps may look so by chance.
const CLEAR: f64 = 0.9;
/// What is left of the changes may be more than measured by so much, since their direction is another one.
const MARGIN: f64 = 3.0;
/// The sum of the absolute differences of two distributions is at most this.
const APART: f64 = 2.0;
/// States with less than this part of the weight that they start with have hardly any.
const LIGHT: f64 = 1e-3;
/// Factors rise if their logarithms differ by more than this part.
const RISING: f64 = 0.1;
/// A rounding is at most this share of a number.
const ROUNDING: f64 = 1.12e-16;

/// What becomes of a difference of size one.
#[derive(Clone, Debug)]
pub(super) struct Decay {
    /// Factor of a step in the end.
    ratio: f64,
    /// Sum of the sizes after all further steps.
    after: f64,
    /// What roundings of all steps add up to.
    pub(super) roundings: f64,
}

/// What becomes of a difference as large as that of the start.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// Its size after none, one, two and so on steps.
    sizes: Vec<f64>,
    /// Factor of a step in the end.
    ratio: f64,
}

impl Start {
    /// What is about left of the error after so many steps.
    pub(super) fn left(&self, steps: usize) -> f64 {
        let last = self.sizes.len() - 1;
        let more = steps.saturating_sub(last).min(i32::MAX as usize) as i32;
        APART * MARGIN * self.sizes[steps.min(last)] * if more > 0 { self.ratio.powi(more) } else { 1.0 }
    }
}

impl Iteration<'_> {
    /// Follows a random difference to a distribution that is nearly stationary for so many steps at most.
    pub(super) fn decay(&self, step: Step, x: &[f64], steps: usize, scratch: &mut [f64]) -> Decay {
        let difference = x.iter().enumerate().map(|(at, weight)| weight * random(at)).collect();
        let gone = if step == Step::Cycle { GONE_IN_CYCLES } else { GONE };
        let sizes = self.sizes(step, x, difference, (steps, gone), scratch);
        let (measured, added) = extrapolated(&sizes);
        let (ratio, after) = continued(&sizes, measured.max(tendency(&sizes)));
        // A sum of terms of one sign: roundings of both signs, and some more of the step.
        let rounding =
            |(state, weight): (usize, &f64)| weight * ((self.inflows().sources(state) as f64).sqrt() + 2.0) * ROUNDING;
        let of_step: f64 = x.iter().enumerate().map(rounding).sum();
        Decay {
            ratio,
            after,
            // An iteration gives up where roundings are too large: not because of a factor that may yet fall.
            roundings: of_step * (1.0 + added),
        }
    }

    /// The same for a difference as large as that of the start, until it is of size `gone`; nothing where no state has
    /// hardly any weight. States whose weight no float holds are left out.
    pub(super) fn decay_of_start(
        &self,
        step: Step,
        x: &[f64],
        (steps, gone): (usize, f64),
        scratch: &mut [f64],
    ) -> Option<Start> {
        let members = x.iter().filter(|weight| **weight != 0.0).count() as f64;
        let is_light = |weight: &f64| *weight != 0.0 && *weight * members < LIGHT;
        if !x.iter().any(is_light) {
            return None;
        }
        // No state has hardly any of it.
        let even = |at: usize| (0.5 + 0.5 * random(at).abs()).copysign(random(at));
        let part = |(at, weight): (usize, &f64)| if *weight == 0.0 { 0.0 } else { even(at) };
        let difference = x.iter().enumerate().map(part).collect();
        let sizes = self.sizes(step, x, difference, (steps, gone), scratch);
        let ratio = extrapolated(&sizes).0.max(tendency(&sizes));
        Some(Start { sizes, ratio })
    }

    /// The sizes of a difference after none, one, two and so on steps, the first of them one, until it is gone.
    fn sizes(
        &self,
        step: Step,
        x: &[f64],
        mut difference: Vec<f64>,
        (steps, gone): (usize, f64),
        scratch: &mut [f64],
    ) -> Vec<f64> {
        let sum = difference.iter().sum();
        let size = balance(&mut difference, x, sum);
        let mut sizes = vec![1.0];
        if size > 0.0 {
            difference.iter_mut().for_each(|part| *part /= size);
            for _ in 0..steps {
                let sum = self.apply_to_difference(step, x, &mut difference, scratch);
                if self.inflows().meter.halted().is_some() {
                    break;
                }
                let size = balance(&mut difference, x, sum);
                sizes.push(size);
                if size <= gone && tendency(&sizes) <= CLEAR {
                    break;
                }
            }
        }
        sizes
    }
}

impl Decay {
    /// Whether differences fell at all.
    pub(super) fn is_finite(&self) -> bool {
        self.after.is_finite()
    }

    /// What is left of changes, the newest first.
    pub(super) fn rest(&self, changes: &[f64]) -> f64 {
        let mut faded = 1.0;
        let mut largest = 0.0_f64;
        for change in changes {
            if faded > 0.0 {
                largest = largest.max(faded * change);
            }
            faded *= self.ratio;
        }
        if largest == 0.0 {
            return 0.0;
        }
        MARGIN * largest * self.after
    }
}

/// Takes so much of a distribution out that the sum, which is given, becomes zero, as scaling a distribution to one in
/// sum does. Returns the sum of sizes.
fn balance(difference: &mut [f64], x: &[f64], sum: f64) -> f64 {
    let mut size = 0.0;
    for (part, weight) in difference.iter_mut().zip(x) {
        *part -= sum * weight;
        size += part.abs();
    }
    size
}

/// The factor of a step in the end, the larger of those over the last half and the last quarter of the steps, and the
/// sum of all sizes after the first, those to come as a geometric series. Both infinite where sizes do not fall.
fn extrapolated(sizes: &[f64]) -> (f64, f64) {
    let last = sizes.len() - 1;
    let end = sizes[last];
    if last == 0 || end == 0.0 {
        return (0.0, sizes[1..].iter().sum());
    }
    let over = |steps: usize| (end / sizes[last - steps]).powf(1.0 / steps as f64);
    let ratio = over((last / 2).max(1)).max(over((last / 4).max(1)));
    continued(sizes, ratio)
}

/// The factor, and the sum of all sizes after the first, if those to come are such a series.
fn continued(sizes: &[f64], ratio: f64) -> (f64, f64) {
    if ratio.is_nan() || ratio >= 1.0 {
        return (f64::INFINITY, f64::INFINITY);
    }
    let tail = ratio / (1.0 - ratio);
    let after = sizes[1..].iter().sum::<f64>() + sizes[sizes.len() - 1] * tail;
    (ratio, if ratio > 0.0 { after.max(tail) } else { after })
}

/// The factor of a step that those over the last quarters of the steps tend to; zero where they do not rise.
///
/// As long as what decays fast is still on its way, a factor is that of neither the fast nor the slow part. Logarithms
/// of factors then fall towards that of the slow one as a geometric series does, whose end is known from three terms
/// (Aitken's method).
fn tendency(sizes: &[f64]) -> f64 {
    let last = sizes.len() - 1;
    let window = last / 4;
    if window == 0 {
        return 0.0;
    }
    let size = |back: usize| sizes[last - back * window];
    let slope = |back: usize| (size(back + 1) / size(back)).ln() / window as f64;
    let [now, before, first] = [slope(0), slope(1), slope(2)];
    // Less is what sizes that wander or are rounded do.
    let shrinks = (before - now) / (first - before);
    if !(before < first && now < before && shrinks < 1.0 && first - now > RISING * now) {
        return 0.0;
    }
    let end = now - shrinks / (1.0 - shrinks) * (before - now);
    (-end.max(f64::EPSILON)).exp()
}

/// A number between -1 and 1 for each state, without any order (the finalizer of SplitMix64).
fn random(at: usize) -> f64 {
    let mut bits = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::{extrapolated, random, tendency};

    #[test]
    fn geometric_series_are_continued() {
        let sizes: Vec<f64> = (0..20).map(|k| 0.5_f64.powi(k)).collect();
        let (ratio, after) = extrapolated(&sizes);
        assert!((ratio - 0.5).abs() < 1e-12 && (after - 1.0).abs() < 1e-12);
        // A slow part that is hidden at first.
        let sizes: Vec<f64> = (0..40).map(|k| 0.3_f64.powi(k) + 1e-3 * 0.999_f64.powi(k)).collect();
        let (ratio, after) = extrapolated(&sizes);
        assert!((ratio - 0.999).abs() < 1e-4 && after > 900.0);
        // One that decays next to never, seen while the rest is still on its way.
        let sizes: Vec<f64> = (0..81).map(|k| 0.93_f64.powi(k) + 1.0 - 1e-11 * f64::from(k)).collect();
        let (so_far, in_the_end) = (extrapolated(&sizes).0, tendency(&sizes));
        assert!(1.0 - so_far > 1e-4 && 1.0 - in_the_end < 1e-5, "{so_far} {in_the_end}");
        assert_eq!(extrapolated(&[1.0, 1.0, 1.0]), (f64::INFINITY, f64::INFINITY));
        assert_eq!(extrapolated(&[1.0, 0.0]), (0.0, 0.0));
    }

    #[test]
    fn random_parts_have_both_signs() {
        let sum: f64 = (0..1000).map(random).sum();
        assert!(sum.abs() < 60.0 && (0..1000).all(|at| random(at).abs() <= 1.0));
    }
}
