//! Random numbers that are the same on every machine.

use rand::Rng;

/// `2^-53`, the distance between the uniform numbers used here.
const STEP: f64 = 1.0 / (1_u64 << 53) as f64;

/// An exponential random number of mean one, by inversion of a uniform number from `(0, 1]`.
pub fn exponential(rng: &mut impl Rng) -> f64 {
    let uniform = ((rng.next_u64() >> 11) + 1) as f64 * STEP;
    -ln(uniform)
}

/// A uniform random number from `[0, 1)`.
pub(super) fn uniform(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * STEP
}

/// The natural logarithm of a positive normal number.
///
/// With `x = 2^e m`, `m` between `√½` and `√2`, and `s = (m - 1) / (m + 1)`, it is `e ln 2 + 2 artanh s`; eleven terms
/// of the series leave a relative error below 1e-17, since `s² < 0.0295`.
fn ln(x: f64) -> f64 {
    const FRACTION: u64 = (1 << 52) - 1;
    const ONE: u64 = 1023 << 52;
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & FRACTION | ONE);
    if mantissa > core::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut series = 0.0;
    for k in (0..=10).rev() {
        series = series * square + 1.0 / f64::from(2 * k + 1);
    }
    exponent as f64 * core::f64::consts::LN_2 + 2.0 * s * series
}

/// Walker's alias tables for the rows of a matrix of weights: a weighted choice in constant time.
///
/// References: A. Walker, "An efficient method for generating discrete random variables with general distributions",
/// ACM TOMS 3 (1977), 253-256, doi:10.1145/355744.355749; M. Vose, "A linear algorithm for generating random numbers
/// with a given distribution", IEEE TSE 17 (1991), 972-975, doi:10.1109/32.92917.
#[derive(Clone, Debug, Default)]
pub(super) struct AliasTables {
    starts: Vec<usize>,
    slots: Vec<Slot>,
}

#[derive(Clone, Debug)]
struct Slot {
    /// The slot's own outcome is taken with this probability, else its alias.
    keep: f64,
    own: u32,
    alias: u32,
}

impl AliasTables {
    pub(super) fn new() -> Self {
        Self {
            starts: vec![0],
            slots: Vec::new(),
        }
    }

    /// Adds a row of outcomes with positive weights; none for a row that is never asked.
    pub(super) fn push(&mut self, row: &[(u32, f64)]) {
        let start = self.slots.len();
        // By the greatest: sums of great weights may leave the range.
        let greatest = row.iter().fold(0.0, |greatest: f64, &(_, weight)| greatest.max(weight));
        let sum: f64 = row.iter().map(|&(_, weight)| weight / greatest).sum();
        let scale = row.len() as f64 / sum;
        self.slots.extend(row.iter().map(|&(own, weight)| Slot {
            keep: weight / greatest * scale,
            own,
            alias: own,
        }));
        let slots = &mut self.slots[start..];
        let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..row.len()).partition(|&at| slots[at].keep < 1.0);
        while let (Some(&poor), Some(&rich)) = (small.last(), large.last()) {
            small.pop();
            slots[poor].alias = slots[rich].own;
            slots[rich].keep -= 1.0 - slots[poor].keep;
            if slots[rich].keep < 1.0 {
                large.pop();
                small.push(rich);
            }
        }
        // What is left on either side is one but for rounding.
        for at in small.into_iter().chain(large) {
            slots[at].keep = 1.0;
        }
        self.starts.push(self.slots.len());
    }

    /// A random outcome of a row that has some.
    pub(super) fn draw(&self, row: usize, rng: &mut impl Rng) -> u32 {
        let slots = &self.slots[self.starts[row]..self.starts[row + 1]];
        let scaled = uniform(rng) * slots.len() as f64;
        let at = (scaled as usize).min(slots.len() - 1);
        let slot = &slots[at];
        // The fraction is as good as a second uniform number, for rows that are short against 2^53.
        if scaled - (at as f64) < slot.keep {
            slot.own
        } else {
            slot.alias
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AliasTables, exponential, ln};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_logarithm_agrees_with_the_system_s() {
        let mut x = 1.0 / (1_u64 << 53) as f64;
        while x < 2.0 {
            let error = (ln(x) - x.ln()).abs();
            assert!(error <= 4e-16 * x.ln().abs(), "{x}: {error}");
            x *= 1.000_37;
        }
        assert_eq!(ln(1.0), 0.0);
    }

    #[test]
    fn moments_of_exponential_numbers() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let count = 1_000_000;
        let mut sums = [0.0; 3];
        for _ in 0..count {
            let x = exponential(&mut rng);
            for (power, sum) in sums.iter_mut().enumerate() {
                *sum += x.powi(power as i32 + 1);
            }
        }
        // Moments 1, 2, 6, whose variances are 1, 20, 684.
        for (sum, (moment, variance)) in sums.into_iter().zip([(1.0, 1.0_f64), (2.0, 20.0), (6.0, 684.0)]) {
            let z = (sum / f64::from(count) - moment) / (variance / f64::from(count)).sqrt();
            assert!(z.abs() < 4.5, "moment {moment}: z = {z}");
        }
    }

    #[test]
    fn alias_tables_draw_in_proportion() {
        let weights = [0.1, 5.0, 1.0, 0.0001, 2.5];
        let row: Vec<(u32, f64)> = weights.iter().enumerate().map(|(at, &w)| (at as u32, w)).collect();
        let mut tables = AliasTables::new();
        tables.push(&[(7, 3.0)]);
        tables.push(&row);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert_eq!(tables.draw(0, &mut rng), 7);
        let draws = 1_000_000;
        let mut counts = [0_u32; 5];
        for _ in 0..draws {
            counts[tables.draw(1, &mut rng) as usize] += 1;
        }
        let sum: f64 = weights.iter().sum();
        for (count, weight) in counts.into_iter().zip(weights) {
            let p = weight / sum;
            let z = (f64::from(count) - f64::from(draws) * p) / (f64::from(draws) * p * (1.0 - p)).sqrt();
            assert!(z.abs() < 4.5, "weight {weight}: z = {z}");
        }
    }
}
