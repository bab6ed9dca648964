//! Integrals by Gauss and Legendre's rule.

/// Five points on [-1, 1] and their weights: exact for polynomials up to degree nine.
const RULE: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

/// Events at a rate are spread over so many of their mean distances: beyond, e^-45 of a density is left.
pub(super) const TAIL: f64 = 45.0;

/// Where to evaluate what falls off at this rate between 0 and `to`, and what each place counts for.
///
/// The rule is applied to parts in which no more than one event is expected. There it is wrong by the tenth derivative
/// times 4e-13.
pub(super) fn points(to: f64, rate: f64) -> impl Iterator<Item = (f64, f64)> {
    let end = to.min(TAIL / rate);
    let parts = (end * rate).ceil().max(4.0) as usize;
    let half = end / parts as f64 / 2.0;
    (0..parts).flat_map(move |part| {
        let middle = (2 * part + 1) as f64 * half;
        RULE.map(|(at, weight)| (middle + half * at, half * weight))
    })
}

#[cfg(test)]
mod tests {
    use super::points;

    #[test]
    fn exponentials_and_polynomials_are_integrated() {
        let found: f64 = points(2.0, 7.0).map(|(at, weight)| weight * (-7.0 * at).exp()).sum();
        assert!((found - (1.0 - (-14.0_f64).exp()) / 7.0).abs() < 1e-13, "{found}");
        let found: f64 = points(3.0, 0.1).map(|(at, weight)| weight * at.powi(4)).sum();
        assert!((found - 3.0_f64.powi(5) / 5.0).abs() < 1e-12, "{found}");
    }
}
