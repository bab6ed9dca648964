//! Expected totals and visits of a chain that is left in the end, from its elimination.
//!
//! On the way numbers may be of any size: a state that is hardly ever left has totals beyond all floats, and still
//! counts for little where it is hardly ever entered.

use super::{Elimination, Wide};
use crate::budget::{Halted, Meter};
use crate::scalar::Scalar;

impl<T: Scalar> Elimination<T> {
    /// Solves `pivot(i) x(i) - sum over j of rate(i, j) x(j) = b(i)` for all states of a chain that is left in the end:
    /// expected totals of `b` per unit of time until then. Infinite beyond the range of floats.
    ///
    /// # Errors
    /// [`Halted`].
    pub(crate) fn totals(&self, b: Vec<T>, meter: &Meter<'_>) -> Result<Vec<T>, Halted> {
        let totals = self.wide_totals(b.into_iter().map(Wide::of).collect(), meter)?;
        Ok(totals.into_iter().map(Wide::rounded).collect())
    }

    /// As [`Elimination::totals`], of numbers of any size.
    ///
    /// # Errors
    /// [`Halted`].
    pub(crate) fn wide_totals(&self, mut b: Vec<Wide<T>>, meter: &Meter<'_>) -> Result<Vec<Wide<T>>, Halted> {
        for (step, &v) in self.order.iter().enumerate() {
            let cost = core::mem::replace(&mut b[v as usize], Wide::of(T::zero()));
            if cost.is_zero() {
                continue;
            }
            meter.spend(self.sources(step).len() as u64 + 1)?;
            let share = cost.over(&self.pivots[step], i64::from(self.scales[step]));
            for source in self.sources(step) {
                meter.spend_exact::<T>()?;
                b[source.from as usize].add(share.times(&source.rate, i64::from(source.scale)));
            }
            b[v as usize] = share;
        }
        for &v in self.order.iter().rev() {
            let mut sum = core::mem::replace(&mut b[v as usize], Wide::of(T::zero()));
            meter.spend(self.away.len(v as usize) as u64 + 1)?;
            for step in self.away.list(v as usize) {
                meter.spend_exact::<T>()?;
                sum.add(b[step.to as usize].times(&step.rate, 0));
            }
            sum.narrow();
            b[v as usize] = sum;
        }
        Ok(b)
    }

    /// Expected times in each state of a chain that is left in the end, from a start distribution: solves
    /// `pivot(j) y(j) - sum over i of y(i) rate(i, j) = start(j)`.
    ///
    /// # Errors
    /// [`Halted`].
    pub(crate) fn visits(&self, start: Vec<T>, meter: &Meter<'_>) -> Result<Visits<T>, Halted> {
        let mut depth = vec![0.0_f64; start.len()];
        let mut y: Vec<Wide<T>> = start.into_iter().map(Wide::of).collect();
        for &v in &self.order {
            let v = v as usize;
            if y[v].is_zero() {
                continue;
            }
            y[v].narrow();
            let through = y[v].clone();
            // The product, and the sum and the division that the probability comes from.
            let below = depth[v] + (self.away.len(v) + 3) as f64;
            meter.spend(self.away.len(v) as u64 + 1)?;
            for step in self.away.list(v) {
                meter.spend_exact::<T>()?;
                let to = step.to as usize;
                y[to].add(through.times(&step.rate, 0));
                depth[to] = depth[to].max(below) + 1.0;
            }
        }
        for (step, &v) in self.order.iter().enumerate().rev() {
            let v = v as usize;
            let mut sum = core::mem::replace(&mut y[v], Wide::of(T::zero()));
            meter.spend(self.sources(step).len() as u64 + 1)?;
            for source in self.sources(step) {
                meter.spend_exact::<T>()?;
                let from = source.from as usize;
                sum.add(y[from].times(&source.rate, i64::from(source.scale)));
                depth[v] = depth[v].max(depth[from] + 1.0) + 1.0;
            }
            y[v] = sum.over(&self.pivots[step], i64::from(self.scales[step]));
            // The division, and the sum that the pivot is.
            depth[v] += (self.away.len(v) + 2) as f64;
        }
        Ok(Visits {
            times: y,
            // Half as much again for the way out, which is one more move in each row.
            roundings: 3.0 * self.roundings + depth.into_iter().fold(0.0, f64::max),
        })
    }
}

/// Expected times in each state.
///
/// The bound holds as that of stationary weights does (`weights.rs`): a time is a sum over forests of moves towards the
/// way out, over another such sum; each has one rate per row in its products, so that rates of `s` rows that are known
/// up to `exp(±a)` give times up to `exp(±2 s a)`.
#[derive(Clone, Debug)]
pub(crate) struct Visits<T> {
    pub(crate) times: Vec<Wide<T>>,
    /// Each is off by at most `exp(±roundings * e)`, where a rounding is at most `exp(±e)`.
    pub(crate) roundings: f64,
}

impl<T: Scalar> Visits<T> {
    /// The times themselves: infinite beyond the range of floats, zero below it.
    pub(crate) fn rounded(self) -> Vec<T> {
        self.times.into_iter().map(Wide::rounded).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FILL, Room};
    use super::{Elimination, Wide};
    use crate::budget::Meter;
    use crate::scalar::{Rational, Scalar};
    use crate::sparse::Csr;

    #[test]
    fn time_until_gone() {
        // 0 -> 1 -> out, each at rate 2, and back from 1 to 0 at rate 2.
        let rates = Csr::from_rows(2, [vec![(1, 2.0)], vec![(0, 2.0)]]);
        let meter = Meter::unlimited();
        let done = Elimination::new(&rates, Some(&[0.0, 2.0]), Room::new(FILL, &meter)).expect("no limit");
        assert_eq!(done.totals(vec![1.0, 1.0], &meter), Ok(vec![1.5, 1.0]));
        assert_eq!(
            done.visits(vec![1.0, 0.0], &meter).expect("no limit").rounded(),
            [1.0, 0.5]
        );
    }

    #[test]
    fn totals_and_visits_of_a_full_matrix_solve_their_equations() {
        let rate = |i: usize, j: usize| Rational::ratio(((i * 5 + j * 3) % 7) as i64, 1 + (i + j) as i64 % 4);
        let rows = (0..18).map(|i| (0..18).filter(move |&j| j != i).map(move |j| (j, rate(i, j))));
        let rates = Csr::from_rows(18, rows);
        let leave: Vec<Rational> = (0..18).map(|i| Rational::ratio(i % 3, 2)).collect();
        let b: Vec<Rational> = (0..18).map(|i| Rational::ratio(i % 5, 1)).collect();
        let meter = Meter::unlimited();
        let done = Elimination::new(&rates, Some(&leave), Room::new(FILL, &meter)).expect("no limit");
        let x = done.totals(b.clone(), &meter).expect("no limit");
        let y = done.visits(b.clone(), &meter).expect("no limit").rounded();
        let sum = |terms: Vec<Rational>| terms.into_iter().fold(Rational::ratio(0, 1), |sum, term| sum + term);
        for i in 0..18 {
            let others = || (0..18).filter(|&j| j != i);
            let pivot = sum(others().map(|j| rate(i, j)).collect()) + &leave[i];
            assert_eq!(
                pivot.clone() * &x[i] - sum(others().map(|j| rate(i, j) * &x[j]).collect()),
                b[i]
            );
            assert_eq!(
                pivot * &y[i] - sum(others().map(|j| rate(j, i) * &y[j]).collect()),
                b[i]
            );
        }
    }

    #[test]
    fn rates_far_apart_are_no_trouble() {
        // Up at 1e-140, down at 1e140 for three states: the time until gone is about 1e700 from everywhere.
        let (up, down) = (1e-140, 1e140);
        let rates = Csr::from_rows(3, [vec![(1, up)], vec![(0, down), (2, up)], vec![(1, down)]]);
        let meter = Meter::unlimited();
        let done = Elimination::new(&rates, Some(&[0.0, 0.0, up]), Room::new(FILL, &meter)).expect("no limit");
        assert!(!done.is_lossy);
        let times = done.wide_totals(vec![Wide::of(1e-200), Wide::of(0.0), Wide::of(0.0)], &meter);
        // Visits of the first state until gone: (down / up)^2 at the least, each of 1 / up.
        let expected = Wide::of(1e-200)
            .over(&up, 0)
            .times(&down, 0)
            .over(&up, 0)
            .times(&down, 0)
            .over(&up, 0);
        for time in times.expect("no limit") {
            let ratio = time.over(&expected.value, -expected.exponent).rounded();
            assert!((ratio - 1.0).abs() < 1e-12, "{ratio}");
        }
    }
}
