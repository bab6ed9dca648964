//! From costs to integers on a binary grid, and back.
//!
//! Integers are their own grid. A float is an integer times a power of two; costs share the grid of the finest of
//! them where that leaves room for exact sums, else they are rounded to the finest grid on which 64 bits are safe.

use crate::blossom::{Objective, Precision};
use crate::cost::CostValue;
use crate::edge_list::EdgeList;

/// `cost = k * 2^exponent`, exactly or rounded half to even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) exponent: i32,
    /// Whether every cost of the instance is an integer multiple.
    pub(crate) is_exact: bool,
    /// Bits that sums of floats could need if all were exact, for the error that says so, whichever of them it is met at.
    pub(crate) bits_needed: u32,
}

/// Bits below which the engine runs on 64-bit duals.
const QUANTISED_BITS: i32 = 62;

impl Grid {
    /// Integers are their own grid.
    pub(crate) const INTEGERS: Self = Self {
        exponent: 0,
        is_exact: true,
        bits_needed: 0,
    };

    /// The grid on which a list of edges is solved.
    pub(crate) fn choose<V: CostValue>(edges: &EdgeList<V>, objective: &Objective<V>, precision: Precision) -> Self {
        if V::IS_INTEGER {
            return Self::INTEGERS;
        }
        let mut digits = Digits::default();
        for edge in edges.edges() {
            digits.include(edge.weight);
        }
        digits.grid(edges.len(), objective, precision)
    }

    /// The integer of a cost; `None` if it leaves `i128`.
    #[inline]
    pub(crate) fn units<V: CostValue>(&self, cost: V) -> Option<i128> {
        match cost.to_integer() {
            Some(integer) => Some(integer),
            None => match whole(cost.to_f64(), -self.exponent) {
                Some(units) => Some(units.into()),
                None => round_to(decompose(cost.to_f64())?, self.exponent),
            },
        }
    }
}

/// The binary digits that a set of floats reaches over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits {
    finest: i32,
    highest: i32,
}

impl Default for Digits {
    fn default() -> Self {
        Self {
            finest: i32::MAX,
            highest: i32::MIN,
        }
    }
}

impl Digits {
    #[inline]
    pub(crate) fn include<V: CostValue>(&mut self, value: V) {
        let float = value.to_f64();
        if !self.holds(float) {
            self.widen(float);
        }
    }

    /// Whether a float is known to add no digits, as most do not once some are there.
    #[inline]
    fn holds(&self, float: f64) -> bool {
        let bits = |units: i64| (u64::BITS - units.unsigned_abs().leading_zeros()) as i32;
        whole(float, -self.finest).is_some_and(|units| bits(units) <= self.highest - self.finest)
    }

    fn widen(&mut self, float: f64) {
        if let Some((mantissa, exponent)) = decompose(float)
            && mantissa != 0
        {
            self.finest = self.finest.min(exponent + mantissa.trailing_zeros() as i32);
            self.highest = self.highest.max(exponent + bits(mantissa));
        }
    }

    pub(crate) fn merge(self, other: Self) -> Self {
        Self {
            finest: self.finest.min(other.finest),
            highest: self.highest.max(other.highest),
        }
    }

    /// The grid for costs with these digits and the objective's own numbers.
    pub(crate) fn grid<V: CostValue>(mut self, n: usize, objective: &Objective<V>, precision: Precision) -> Grid {
        if V::IS_INTEGER {
            return Grid::INTEGERS;
        }
        // Byes that count for nothing must not take digits from the costs.
        for single in (0..n).filter_map(|v| objective.single(v, n)) {
            self.include(single);
        }
        if self.finest == i32::MAX {
            return Grid::INTEGERS;
        }
        let coarsest_needed = self.highest - quantised_bits(n, objective);
        let is_exact = precision == Precision::Exact || coarsest_needed <= self.finest;
        Grid {
            exponent: if is_exact { self.finest } else { coarsest_needed },
            is_exact,
            bits_needed: (self.highest - self.finest + bits_of_sums(n, objective)).unsigned_abs(),
        }
    }
}

/// Bits a cost may have on a quantised grid, with one bit for rounding up to the next power of two.
fn quantised_bits<V>(n: usize, objective: &Objective<V>) -> i32 {
    (QUANTISED_BITS - 1 - bits_of_sums(n, objective)).max(1)
}

/// Bits that sums need beside those of a cost: they are below `8 (n + 2) (range + max)` of the reduced instance, where
/// reduced costs exceed `max |k|` by a factor that depends on the objective.
fn bits_of_sums<V>(n: usize, objective: &Objective<V>) -> i32 {
    let n = n as i128;
    let (vertices, factor) = match objective {
        Objective::MinPerfect | Objective::MaxPerfect => (n, 1),
        Objective::MinBye(_) => (n + 1, 1),
        Objective::MaxWeight | Objective::MinOptOut(_) => (2 * n, 2),
        Objective::MaxCardinality => (2 * n, 2 * n + 2),
    };
    // range + max <= 3 max |reduced cost|
    bits(8 * (vertices + 2) * 3 * factor)
}

fn bits(value: i128) -> i32 {
    (u128::BITS - value.unsigned_abs().leading_zeros()) as i32
}

/// `float * 2^exponent` where that is seen at once to be an integer of 64 bits: any float times a power of two is exact, unless it
/// leaves the range.
#[inline]
fn whole(float: f64, exponent: i32) -> Option<i64> {
    // Both are normal floats.
    if !(-1022..=1023).contains(&exponent) {
        return None;
    }
    let scaled = float * f64::from_bits(((exponent + 1023) as u64) << 52);
    let units = scaled as i64;
    // What is too large becomes the greatest integer, and what is too small may become 0.
    (units as f64 == scaled && units != i64::MAX && (units != 0 || float == 0.0)).then_some(units)
}

/// `float = mantissa * 2^exponent` exactly; `None` for NaN and infinities.
fn decompose(float: f64) -> Option<(i128, i32)> {
    if !float.is_finite() {
        return None;
    }
    let (mantissa, exponent, sign) = num_traits::float::FloatCore::integer_decode(float);
    Some((i128::from(sign) * i128::from(mantissa), i32::from(exponent)))
}

/// The integer nearest to `mantissa * 2^from / 2^to`, halves to even; `None` if it leaves `i128`.
fn round_to((mantissa, from): (i128, i32), to: i32) -> Option<i128> {
    if mantissa == 0 {
        return Some(0);
    }
    if from >= to {
        let shift = from.abs_diff(to);
        return (shift < 127).then(|| mantissa.checked_mul(1 << shift))?;
    }
    let shift = to.abs_diff(from);
    if shift > 126 {
        return Some(0);
    }
    let floor = mantissa >> shift;
    let rest = mantissa - (floor << shift);
    let half = 1i128 << (shift - 1);
    let is_up = rest > half || (rest == half && floor % 2 != 0);
    Some(floor + i128::from(is_up))
}

/// The `f64` nearest to `units * 2^exponent`, halves to even.
pub(crate) fn nearest_float(units: i128, exponent: i32) -> f64 {
    if units == 0 {
        return 0.0;
    }
    // Without trailing zeros, whatever is rounded has more than 53 bits and is rounded once, by the conversion.
    let zeros = units.trailing_zeros();
    let mut value = (units >> zeros) as f64;
    let mut exponent = i64::from(exponent) + i64::from(zeros);
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        value *= 2f64.powi(step as i32);
        exponent -= step;
    }
    value
}

/// 2^-64: sums of floats that are multiplied by it stay in the range.
const DOWN: f64 = 1.0 / (1_u128 << 64) as f64;

/// The sum of floats: nearest to the exact one where each term, and each sum of the first ones, is an `i128` on the grid
/// of the finest, else compensated (Neumaier 1974), which is within a few units in the last place of the sum of absolute
/// values. The checker has the same rule (`verify/matching.rs`).
pub(crate) fn float_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    exact_sum(&terms).unwrap_or_else(|| {
        let sum = compensated_sum(terms.clone());
        if sum.is_finite() {
            return sum;
        }
        // It may have left the range on the way to a sum that does not. What scaling takes from small terms is far
        // below the last place then.
        compensated_sum(terms.map(|term| term * DOWN)) / DOWN
    })
}

/// The sum of terms that may leave the range where it does not, such as products: they are asked for times a power of two.
pub(crate) fn ranged_sum<I: Iterator<Item = f64> + Clone>(scaled: impl Fn(f64) -> I) -> f64 {
    let terms = scaled(1.0);
    if terms.clone().all(f64::is_finite) {
        float_sum(terms)
    } else {
        compensated_sum(scaled(DOWN)) / DOWN
    }
}

fn compensated_sum(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0f64, 0.0f64);
    for term in terms {
        let next = sum + term;
        lost += if sum.abs() >= term.abs() {
            (sum - next) + term
        } else {
            (term - next) + sum
        };
        sum = next;
    }
    sum + lost
}

fn exact_sum(terms: &(impl Iterator<Item = f64> + Clone)) -> Option<f64> {
    let parts = || {
        terms
            .clone()
            .filter_map(decompose)
            .filter(|&(mantissa, _)| mantissa != 0)
    };
    let finest = parts()
        .map(|(mantissa, exponent)| exponent + mantissa.trailing_zeros() as i32)
        .min();
    let Some(finest) = finest else { return Some(0.0) };
    let units = parts().try_fold(0i128, |sum, part| sum.checked_add(round_to(part, finest)?))?;
    Some(nearest_float(units, finest))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn floats_are_integers_on_their_grid() {
        for float in [0.1, -2.5, 1e300, f64::MIN_POSITIVE, f64::from_bits(1), 3.0, -0.0] {
            let (mantissa, exponent) = decompose(float).unwrap();
            assert_eq!(nearest_float(mantissa, exponent), float);
        }
        assert_eq!(decompose(f64::NAN), None);
    }

    #[test]
    fn the_short_way_onto_a_grid_leads_where_the_long_one_does() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut short = 0;
        for case in 0..200_000 {
            let float = match case % 4 {
                0 => f64::from_bits(rng.random()),
                1 => rng.random::<f64>(),
                2 => (rng.random::<i64>() >> rng.random_range(0..64)) as f64,
                _ => f64::from(rng.random::<i8>()) * 2f64.powi(rng.random_range(-1074..1000)),
            };
            let grid = Grid {
                exponent: match case % 3 {
                    0 => rng.random_range(-1200..1200),
                    1 => rng.random_range(-70..70),
                    _ => decompose(float).map_or(0, |(mantissa, exponent)| {
                        exponent + mantissa.trailing_zeros().min(60) as i32 - rng.random_range(0..12)
                    }),
                },
                ..Grid::INTEGERS
            };
            short += usize::from(whole(float, -grid.exponent).is_some());
            let long = decompose(float).and_then(|float| round_to(float, grid.exponent));
            assert_eq!(grid.units(float), long, "{float:e} by 2^{}", grid.exponent);
        }
        assert!(short > 50_000, "{short}");
        let ends = [
            0.0,
            -0.0,
            i64::MAX as f64,
            i64::MIN as f64,
            2f64.powi(62),
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        let found = ends.map(|float| whole(float, 0));
        assert_eq!(
            found,
            [Some(0), Some(0), None, Some(i64::MIN), Some(1 << 62), None, None, None]
        );
        assert_eq!(
            [
                whole(f64::from_bits(1), -100),
                whole(1e-200, -900),
                whole(1.0, i32::MIN)
            ],
            [None; 3]
        );
    }

    #[test]
    fn digits_do_not_depend_on_the_order_of_floats() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for case in 0..2_000 {
            let spread = [3, 40, 900][case % 3];
            let floats: Vec<f64> = (0..20)
                .map(|_| rng.random::<i32>() as f64 * 2f64.powi(rng.random_range(-spread..spread)))
                .chain([0.0])
                .collect();
            let mut digits = Digits::default();
            floats.iter().for_each(|&float| digits.include(float));
            let nonzero = floats
                .iter()
                .filter_map(|&float| decompose(float))
                .filter(|&(mantissa, _)| mantissa != 0);
            let finest = nonzero
                .clone()
                .map(|(mantissa, exponent)| exponent + mantissa.trailing_zeros() as i32);
            let highest = nonzero.map(|(mantissa, exponent)| exponent + bits(mantissa));
            assert_eq!(
                (Some(digits.finest), Some(digits.highest)),
                (finest.min(), highest.max())
            );
        }
    }

    #[test]
    fn rounding_is_half_to_even() {
        let rounded = |float, to| round_to(decompose(float).unwrap(), to);
        assert_eq!(rounded(2.5, 0), Some(2));
        assert_eq!(rounded(3.5, 0), Some(4));
        assert_eq!(rounded(-2.5, 0), Some(-2));
        assert_eq!(rounded(-2.75, 0), Some(-3));
        assert_eq!(rounded(1e30, -100), None);
        assert_eq!(rounded(1e-300, 0), Some(0));
    }

    #[test]
    fn exact_where_the_grid_fits_quantised_where_asked() {
        let list = |weights: [f64; 2]| EdgeList::new(4, [(0, 1, weights[0]), (2, 3, weights[1])]).unwrap();
        let grid = Grid::choose(&list([0.5, 3.25]), &Objective::MinPerfect, Precision::Exact);
        assert_eq!(
            grid,
            Grid {
                exponent: -2,
                is_exact: true,
                bits_needed: 4 + 8
            }
        );
        let grid = Grid::choose(&list([0.5, 3.25]), &Objective::MinPerfect, Precision::Quantised);
        assert!(grid.is_exact, "nothing is rounded that need not be");
        let grid = Grid::choose(&list([1e-30, 1e30]), &Objective::MinPerfect, Precision::Quantised);
        assert!(!grid.is_exact && grid.units(1e30).unwrap() < 1 << 60);
    }

    #[test]
    fn sums_are_exact_where_they_can_be() {
        assert_eq!(float_sum([1e16, 1.0, -1e16].into_iter()), 1.0);
        assert_eq!(float_sum([1e300, 1e-300, -1e300].into_iter()), 1e-300);
        assert_eq!(float_sum([].into_iter()), 0.0);
        assert_eq!(float_sum([1.0, f64::MAX, f64::MAX, -f64::MAX].into_iter()), f64::MAX);
        assert_eq!(float_sum([1.0, f64::MAX, f64::MAX].into_iter()), f64::INFINITY);
    }

    /// Terms of 127 bits were left to the compensated sum, which loses the last of them, while the checker added up
    /// exactly all that an `i128` holds, and refused the answer. `verify/grid.rs` has the same test.
    #[test]
    fn a_sum_is_exact_as_long_as_integers_of_128_bits_hold_it() {
        for (exponent, sign, is_exact) in [
            (125, 1.0, true),
            (125, -1.0, true),
            (126, 1.0, true),
            (126, -1.0, true),
            (127, 1.0, false),
            (127, -1.0, true), // -2^127 is an `i128`, 2^127 is none.
            (128, 1.0, false),
            (128, -1.0, false),
        ] {
            let term = sign * 2f64.powi(exponent);
            assert_eq!(exact_sum(&[1.0, term].into_iter()), is_exact.then_some(term), "{term}");
            // Beyond the middle between two floats by the last of the terms.
            let (high, half) = (sign * 2f64.powi(exponent - 1), sign * 2f64.powi(exponent - 54));
            let sum = float_sum([high, half, sign].into_iter());
            let nearest = high + 2.0 * half;
            assert_eq!(sum, if exponent < 128 { nearest } else { high }, "{high}");
        }
    }

    #[test]
    fn exact_sums_are_the_nearest_floats() {
        let mut rng = ChaCha8Rng::seed_from_u64(53);
        let (mut exact, mut compensated) = (0, 0);
        for _ in 0..20_000 {
            let (from, reach) = (rng.random_range(-300..300), rng.random_range(1..160));
            let terms: Vec<f64> = (0..rng.random_range(1..12))
                .map(|_| rng.random_range(-1.0..1.0) * 2f64.powi(from + rng.random_range(0..reach)))
                .collect();
            let terms = terms.into_iter();
            match exact_sum(&terms) {
                Some(sum) => {
                    assert_eq!(sum, float_sum(terms.clone()));
                    assert!(is_nearest(sum, terms.clone()), "{sum} {terms:?}");
                    exact += 1;
                }
                None => {
                    let size: f64 = terms.clone().map(f64::abs).sum();
                    let (sum, slack) = (float_sum(terms.clone()), 4.0 * f64::EPSILON * size);
                    assert!(
                        sign_of_sum(terms.clone().chain([-sum, slack])) >= 0.0,
                        "{sum} {terms:?}"
                    );
                    assert!(
                        sign_of_sum(terms.clone().chain([-sum, -slack])) <= 0.0,
                        "{sum} {terms:?}"
                    );
                    compensated += 1;
                }
            }
        }
        assert!(exact > 5_000 && compensated > 1_000, "{exact} {compensated}");
    }

    /// Whether no float is nearer to the sum of the terms. Halves of steps must be floats.
    fn is_nearest(float: f64, terms: impl Iterator<Item = f64> + Clone) -> bool {
        let (up, down) = ((float.next_up() - float) / 2.0, (float - float.next_down()) / 2.0);
        sign_of_sum(terms.clone().chain([-float, -up])) <= 0.0 && sign_of_sum(terms.chain([-float, down])) >= 0.0
    }

    /// A number of the same sign as the exact sum: the sum is kept as floats that do not overlap (Shewchuk 1997), of
    /// which the last outweighs all others.
    fn sign_of_sum(terms: impl Iterator<Item = f64>) -> f64 {
        let mut parts: Vec<f64> = Vec::new();
        for mut term in terms {
            parts.retain_mut(|part| {
                let (large, small) = if part.abs() < term.abs() {
                    (term, *part)
                } else {
                    (*part, term)
                };
                term = large + small;
                *part = small - (term - large);
                *part != 0.0
            });
            if term != 0.0 {
                parts.push(term);
            }
        }
        parts.last().copied().unwrap_or(0.0)
    }
}
