//! Means and spreads of integers, without rounding on the way.

use super::statistics::Sample;

/// Count, sum and sum of squares: exact, so that the order in which rounds come in changes nothing.
///
/// Values up to 2³⁶ in absolute value and 2²⁴ of them keep every sum, and every product of a sum with the count, within
/// 128 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moments {
    count: u64,
    sum: i128,
    squares: i128,
}

impl Moments {
    pub(crate) fn add(&mut self, value: i64) {
        let value = i128::from(value);
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// How many values.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Mean and spread of the values, each divided by `unit`.
    pub(crate) fn sample(&self, unit: f64) -> Sample {
        let count = i128::from(self.count);
        // n² times the variance over n - 1 freedoms, times (n - 1) / n: an integer.
        let spread = count * self.squares - self.sum * self.sum;
        let (n, mean) = (self.count as f64, self.sum as f64 / self.count as f64);
        Sample {
            count: self.count,
            mean: mean / unit,
            variance: spread as f64 / (n * (n - 1.0)) / (unit * unit),
        }
    }

    /// Mean of all values, each divided by `unit`, and the spread between parts of nearly equal counts: a sample of as
    /// many values as there are parts, of infinite variance where there is one.
    pub(crate) fn sample_of_parts(parts: &[Self], unit: f64) -> Sample {
        let mut whole = Self::default();
        parts.iter().for_each(|part| whole.merge(part));
        let (count, n) = (parts.len() as u64, whole.count as f64);
        let mean = whole.sum as f64 / n;
        // The mean is one of the parts' means with weights by their counts.
        let square = |part: &Self| {
            let off = part.sum as f64 - part.count as f64 * mean;
            (off / n).powi(2)
        };
        let squares: f64 = parts.iter().map(square).sum();
        let count_f64 = count as f64;
        let variance = if count > 1 {
            squares * count_f64 * count_f64 / (count_f64 - 1.0)
        } else {
            f64::INFINITY
        };
        Sample {
            count,
            mean: mean / unit,
            variance: variance / (unit * unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Moments;

    #[test]
    fn order_and_grouping_change_nothing_and_great_offsets_cancel() {
        let values = [3, -7, 11, 2, 2, 0, 40].map(|x| x + (1_i64 << 36));
        let of = |values: &[i64]| {
            let mut moments = Moments::default();
            values.iter().for_each(|&value| moments.add(value));
            moments
        };
        let whole = of(&values);
        let mut merged = of(&values[4..]);
        merged.merge(&of(&values[..4]));
        assert_eq!(whole, merged);
        // Deviations from 51/7 have squares that sum up to 1787 - 51²/7.
        let sample = whole.sample(2.0);
        assert_eq!(sample.count, 7);
        assert!(
            (sample.variance - (1787.0 - 51.0 * 51.0 / 7.0) / 6.0 / 4.0).abs() < 1e-9,
            "{sample:?}"
        );
    }
}
