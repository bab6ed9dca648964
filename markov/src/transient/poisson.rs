//! Weights of a Poisson distribution, without underflow, and with a bound of what is cut off.
//!
//! From the mode, which gets the weight one, both ways by ratios of neighbours; then all are divided by their sum. This
//! takes the idea of B. Fox, P. Glynn, "Computing Poisson probabilities", Communications of the ACM 31 (1988), 440-445,
//! doi:10.1145/42404.42409; the tails are bounded by geometric series.

/// Weights at most, which take 64 MiB: they are of a mean of some 5e10 jumps, after which roundings have left few
/// digits.
pub(super) const MOST: usize = 1 << 22;

/// Weights of consecutive numbers of jumps; they add up to one.
#[derive(Clone, Debug)]
pub(super) struct Poisson {
    pub(super) first: usize,
    pub(super) weights: Vec<f64>,
    /// For each weight, the sum of those after it.
    pub(super) beyond: Vec<f64>,
    /// At most the probability of all other numbers.
    pub(super) tails: f64,
    /// At most the expectation of how far the number exceeds the last one here.
    pub(super) excess: f64,
}

impl Poisson {
    /// Weights for a mean, cut off where the tails have at most the `tolerance`. `None` if that leaves more than
    /// [`MOST`], or the computer cannot count so far.
    pub(super) fn new(mean: f64, tolerance: f64) -> Option<Self> {
        if mean > usize::MAX as f64 / 2.0 {
            return None;
        }
        let mode = mean.floor();
        let (mut below, left) = walk(tolerance, |step| if step < mode { (mode - step) / mean } else { 0.0 })?;
        let (above, right) = walk(tolerance, |step| mean / (mode + step + 1.0))?;
        let first = mode as usize - below.len();
        let last = above.last().copied().unwrap_or(1.0);
        below.reverse();
        let mut weights = below;
        weights.push(1.0);
        weights.extend(above);
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        // From the far end, where weights are small, without subtraction.
        let mut beyond = vec![0.0; weights.len()];
        for at in (1..weights.len()).rev() {
            beyond[at - 1] = beyond[at] + weights[at];
        }
        let ratio = mean / (first + weights.len()) as f64;
        Some(Self {
            first,
            tails: (left + right) / sum,
            excess: last / sum * ratio / ((1.0 - ratio) * (1.0 - ratio)),
            weights,
            beyond,
        })
    }

    pub(super) fn last(&self) -> usize {
        self.first + self.weights.len() - 1
    }
}

/// Weights from next to the mode on, each by the ratio to the one before; ratios fall to zero. Stops when what is left
/// out, a bound of which is returned too, is small; `None` if that takes more than half of [`MOST`].
fn walk(tolerance: f64, ratio: impl Fn(f64) -> f64) -> Option<(Vec<f64>, f64)> {
    let mut weights = Vec::new();
    let mut weight = 1.0;
    while weights.len() < MOST / 2 {
        let next = ratio(weights.len() as f64);
        // The ratio may be one at the mode: there is no bound from there.
        let rest = if next < 1.0 {
            weight * next / (1.0 - next)
        } else {
            f64::INFINITY
        };
        if rest <= tolerance / 2.0 {
            return Some((weights, rest));
        }
        weight *= next;
        weights.push(weight);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Poisson;

    #[test]
    fn weights_have_their_moments() {
        for mean in [1e-320, 1e-9, 0.3, 1.0, 7.0, 31.5, 1e4, 3e6] {
            let poisson = Poisson::new(mean, 1e-14).expect("few enough");
            assert!(poisson.tails <= 1e-14 && poisson.excess < 1e-9, "{mean}");
            let moment = |power: i32| -> f64 {
                let numbers = (poisson.first..).zip(&poisson.weights);
                numbers.map(|(k, weight)| weight * (k as f64 - mean).powi(power)).sum()
            };
            assert!((moment(0) - 1.0).abs() < 1e-12);
            assert!(moment(1).abs() < 1e-9 * mean.max(1e-4), "{mean}");
            assert!(mean < 1e-9 || (moment(2) / mean - 1.0).abs() < 1e-8, "{mean}");
        }
        assert_eq!(Poisson::new(0.0, 1e-14).expect("one number").weights, [1.0]);
        assert!(
            [1e12, 1e300, f64::INFINITY]
                .iter()
                .all(|&mean| Poisson::new(mean, 1e-14).is_none())
        );
    }

    #[test]
    fn small_means_are_the_closed_form() {
        let poisson = Poisson::new(2.5, 1e-16).expect("few enough");
        let mut expected = (-2.5_f64).exp();
        assert_eq!(poisson.first, 0);
        for (k, weight) in poisson.weights.iter().take(15).enumerate() {
            assert!((weight / expected - 1.0).abs() < 1e-14, "{k}");
            expected *= 2.5 / (k + 1) as f64;
        }
    }
}
