//! Whether a report is right, from the chain alone, in fractions.
//!
//! With `r` at least the largest rate out and `M = Q + r`, which has no negative entry, the distribution at time `t` is
//! `exp(-r t)` times the sum over `k` of `t^k / k! start M^k`. Sums of the first terms are fractions; the rest is bounded by
//! that of `exp(r t)`, and `exp(r t)` lies between its own first terms and these with their rest. Totals are a series of
//! the same kind: with the costs `c`, `g(t) = exp(r t) total(t)` has the derivative `r g + start exp(M t) c`.

use matching_core::Budget;
use num_traits::{One, Signed, Zero};

use super::{TransientReport, check_costs, check_distribution, check_parameter};
use crate::budget::{Halted, Meter, OrStopped};
use crate::chain::Ctmc;
use crate::error::{Error, check_length};
use crate::scalar::{Rational, Scalar, rational};
use crate::sparse::Csr;

impl TransientReport {
    /// Proves from the chain alone how far off the distribution is, by a series in fractions, which are the floats of the
    /// chain, the start and the time as they stand: the sum of absolute errors, rounded up. For small chains and few
    /// jumps, since digits of fractions grow with each. An error beyond the [bound](Self::bound) of the report is refused.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::NotADistribution`] and [`Error::Parameter`] for start and time as
    /// [`Transient::solve`](super::Transient::solve); [`Error::NotANumber`] for a state whose rates add up to more than a
    /// float holds, unless the time is zero; [`Error::OutOfBound`] names the state that is furthest off; [`Error::Stopped`] where the budget is
    /// spent.
    ///
    /// # Complexity
    /// With `r` the largest rate out of a state and `t` the time, about `3 r t + 40` times O(transitions) operations on
    /// fractions, whose digits grow by those of a rate each time.
    ///
    /// # Examples
    /// ```
    /// use markov::{Budget, Csr, Ctmc, Error, Transient};
    ///
    /// let chain = Ctmc::new(&Csr::from_rows(2, [[(1, 1.0)], [(0, 3.0)]]))?;
    /// let report = Transient::new().solve(&chain, &[1.0, 0.0], 0.5)?;
    /// let error = report.verify(&chain, &[1.0, 0.0], 0.5, &Budget::new())?;
    /// assert!(error <= report.bound());
    /// let later = report.verify(&chain, &[1.0, 0.0], 0.6, &Budget::new());
    /// assert!(matches!(later, Err(Error::OutOfBound { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn verify(&self, chain: &Ctmc, start: &[f64], time: f64, budget: &Budget) -> Result<f64, Error> {
        self.verify_by(chain, (start, &vec![0.0; chain.len()]), time, budget)
    }

    /// As [`TransientReport::verify`], for the report of [`Transient::accumulated`](super::Transient::accumulated): the
    /// larger one of the error of the distribution and of that of the total, divided by the time and the largest absolute
    /// cost.
    ///
    /// # Errors
    /// As [`TransientReport::verify`], also for the costs, of which the state of the largest one answers for the total.
    ///
    /// # Complexity
    /// As [`TransientReport::verify`].
    pub fn verify_accumulated(
        &self,
        chain: &Ctmc,
        start: &[f64],
        costs: &[f64],
        time: f64,
        budget: &Budget,
    ) -> Result<f64, Error> {
        self.verify_by(chain, (start, costs), time, budget)
    }

    fn verify_by(
        &self,
        chain: &Ctmc,
        (start, costs): (&[f64], &[f64]),
        time: f64,
        budget: &Budget,
    ) -> Result<f64, Error> {
        let meter = Meter::new(budget, None);
        check_distribution(start, chain.len())?;
        check_costs(costs, chain.len())?;
        check_parameter("time", time, 0.0..=f64::MAX, "finite and not negative")?;
        check_length("probabilities of states", chain.len(), self.distribution.len())?;
        let series = Series::new(chain, start, costs, time)?;
        let known = series.run(&meter).or_stopped()?;

        let mut worst = (0, Rational::zero());
        let mut sum = known.rest.clone();
        for (state, (&found, known)) in self.distribution.iter().zip(&known.distribution).enumerate() {
            let (from, to) = (state, state);
            let found = rational(found).ok_or(Error::NotANumber { from, to })?;
            let difference = (found - known).abs();
            sum += &difference;
            if difference > worst.1 {
                worst = (state, difference);
            }
        }
        self.within_bound(worst.0, &sum)?;
        let largest = (0..costs.len())
            .rev()
            .max_by(|&a, &b| costs[a].abs().total_cmp(&costs[b].abs()));
        let Some(largest) = largest.filter(|&state| costs[state] != 0.0 && time > 0.0) else {
            let is_null = self.total == 0.0;
            return match is_null {
                true => Ok(upwards(&sum)),
                false => Err(self.off(0, f64::INFINITY)),
            };
        };
        let (from, to) = (largest, largest);
        let total = rational(self.total).ok_or(Error::NotANumber { from, to })?;
        let unit = fraction(time) * fraction(costs[largest]).abs();
        let of_total = (total - &known.total).abs() / unit + &known.rest;
        self.within_bound(largest, &of_total)?;
        Ok(upwards(if of_total > sum { &of_total } else { &sum }))
    }

    fn within_bound(&self, state: usize, error: &Rational) -> Result<(), Error> {
        match rational(self.bound()) {
            Some(bound) if *error > bound => Err(self.off(state, error.to_float())),
            _ => Ok(()),
        }
    }

    fn off(&self, state: usize, error: f64) -> Error {
        Error::OutOfBound {
            state,
            error,
            bound: self.bound(),
        }
    }
}

/// A float that is finite as a fraction.
fn fraction(value: f64) -> Rational {
    rational(value).unwrap_or_else(Rational::zero)
}

/// Rounded up.
fn upwards(error: &Rational) -> f64 {
    if error.is_zero() {
        0.0
    } else {
        error.to_float().next_up()
    }
}

/// The two series.
struct Series {
    /// Rates by the state that they lead to.
    into: Csr<Rational>,
    /// At least the largest rate out.
    rate: Rational,
    /// That less the rate out.
    stay: Vec<Rational>,
    start: Vec<Rational>,
    costs: Vec<Rational>,
    time: Rational,
}

/// What they come to.
struct Known {
    distribution: Vec<Rational>,
    total: Rational,
    /// The sum of absolute errors of the distribution, and the error of the total divided by the time and the largest
    /// absolute cost, are at most this.
    rest: Rational,
}

impl Series {
    fn new(chain: &Ctmc, start: &[f64], costs: &[f64], time: f64) -> Result<Self, Error> {
        let len = chain.len();
        // At time zero nothing has happened yet, whatever the rates.
        let is_beyond = |&state: &usize| time > 0.0 && !chain.exit_rate(state).is_finite();
        if let Some(state) = (0..len).find(is_beyond) {
            return Err(Error::NotANumber { from: state, to: state });
        }
        let rates = chain.rates().map(|_, _, &rate| fraction(rate));
        let exit = |state: usize| rates.row(state).map(|(_, rate)| rate).sum::<Rational>();
        let exits: Vec<Rational> = (0..len).map(exit).collect();
        let rate = exits.iter().max().cloned().unwrap_or_else(Rational::zero);
        Ok(Self {
            stay: exits.iter().map(|exit| &rate - exit).collect(),
            into: rates.transposed(),
            rate,
            start: start.iter().copied().map(fraction).collect(),
            costs: costs.iter().copied().map(fraction).collect(),
            time: fraction(time),
        })
    }

    /// Adds terms until the rest is below two to minus 70.
    fn run(&self, meter: &Meter<'_>) -> Result<Known, Halted> {
        meter.look()?;
        let jumps = &self.rate * &self.time;
        let mass: Rational = self.start.iter().sum();
        let small = Rational::one() / Rational::from_integer(num_bigint::BigInt::one() << 70);
        let (mut term, mut of_total) = (self.start.clone(), Rational::zero());
        let (mut sums, mut total) = (term.clone(), Rational::zero());
        // Terms of `exp(r t)`.
        let (mut size, mut all) = (Rational::one(), Rational::one());
        for k in 1_i64.. {
            let factor = &self.time / Rational::ratio(k, 1);
            of_total = (of_total * &self.rate + self.cost(&term, meter)?) * &factor;
            total += &of_total;
            // The last size, and what comes after it, which shrinks by a half each time and is at most twice that.
            let shrinks = Rational::ratio(k, 1) >= &jumps * Rational::ratio(2, 1);
            let rest = &size * Rational::ratio(2, 1);
            term = self.next(&term, &factor, meter)?;
            size *= &jumps * Rational::ratio(1, k);
            for (sum, term) in sums.iter_mut().zip(&term) {
                *sum += term;
            }
            all += &size;
            if shrinks && rest <= &all * &small {
                let rest = rest * Rational::ratio(2, 1) / &all * &mass;
                sums.iter_mut().for_each(|sum| *sum /= &all);
                return Ok(Known {
                    distribution: sums,
                    total: total / &all,
                    rest,
                });
            }
        }
        unreachable!("terms shrink")
    }

    /// The cost of the states of a term.
    fn cost(&self, term: &[Rational], meter: &Meter<'_>) -> Result<Rational, Halted> {
        let mut sum = Rational::zero();
        for (term, cost) in term.iter().zip(&self.costs).filter(|(_, cost)| !cost.is_zero()) {
            meter.spend_long()?;
            sum += term * cost;
        }
        Ok(sum)
    }

    /// The next term.
    fn next(&self, term: &[Rational], factor: &Rational, meter: &Meter<'_>) -> Result<Vec<Rational>, Halted> {
        let mut next = Vec::with_capacity(term.len());
        for (state, (old, stay)) in term.iter().zip(&self.stay).enumerate() {
            let mut sum = old * stay;
            for (from, rate) in self.into.row(state) {
                meter.spend_long()?;
                sum += &term[from] * rate;
            }
            meter.spend_long()?;
            next.push(sum * factor);
        }
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Transient;
    use super::TransientReport;
    use crate::chain::Ctmc;
    use crate::error::Error;
    use crate::sparse::Csr;
    use matching_core::Budget;

    #[test]
    fn each_flaw_is_found() {
        let rows = [vec![(1, 1.0)], vec![(0, 3.0), (2, 0.5)], vec![(0, 0.25)]];
        let chain = Ctmc::new(&Csr::from_rows(3, rows)).expect("a chain");
        let (start, costs, time) = ([0.5, 0.25, 0.25], [1.0, 0.0, -2.0], 1.5);
        let right = Transient::new()
            .accumulated(&chain, &start, &costs, time)
            .expect("few jumps");
        let check = |report: &TransientReport| report.verify_accumulated(&chain, &start, &costs, time, &Budget::new());
        assert!(check(&right).expect("right") <= right.bound());
        let flawed = |change: &dyn Fn(&mut TransientReport)| {
            let mut report = right.clone();
            change(&mut report);
            check(&report).expect_err("a flaw")
        };
        let moved = flawed(&|report| {
            report.distribution[0] += 1e-10;
            report.distribution[2] -= 1e-10;
        });
        assert!(matches!(moved, Error::OutOfBound { state: 0 | 2, .. }), "{moved:?}");
        let total = flawed(&|report| report.total += 1e-9);
        assert!(matches!(total, Error::OutOfBound { state: 2, .. }), "{total:?}");
        let claim = flawed(&|report| (report.truncation, report.rounding) = (0.0, 1e-30));
        assert!(matches!(claim, Error::OutOfBound { .. }));
        let none = flawed(&|report| report.distribution[1] = f64::NAN);
        assert_eq!(none, Error::NotANumber { from: 1, to: 1 });
        let short = flawed(&|report| report.distribution.truncate(2));
        assert!(matches!(short, Error::LengthMismatch { .. }));
        // A total where there are no costs.
        let free = TransientReport { total: 1.0, ..right };
        assert!(free.verify(&chain, &start, time, &Budget::new()).is_err());
    }

    /// Where nobody moves the answer is known: the start, and its cost times the time.
    #[test]
    fn the_error_that_is_told_is_the_one_that_was_made() {
        let nothing: [Vec<(usize, f64)>; 3] = Default::default();
        let chain = Ctmc::new(&Csr::from_rows(3, nothing)).expect("a chain");
        let (start, costs, time) = ([0.5, 0.25, 0.25], [1.0, 0.0, -4.0], 2.0);
        let right = Transient::new()
            .accumulated(&chain, &start, &costs, time)
            .expect("no jumps");
        let check = |report: &TransientReport| report.verify_accumulated(&chain, &start, &costs, time, &Budget::new());
        assert_eq!((right.total, check(&right)), (-1.0, Ok(0.0)));
        let (share, sum) = (2_f64.powi(-20), 2_f64.powi(-19));
        for off in [0.0, 2_f64.powi(-10), -(2_f64.powi(-10)), 2_f64.powi(-17)] {
            let mut report = right.clone();
            report.distribution = vec![0.5 - share / 2.0, 0.25 + share, 0.25 - share / 2.0];
            report.total += off;
            // In proportion to the time and the largest cost.
            let of_total = off.abs() / 8.0;
            let error = of_total.max(sum);
            (report.truncation, report.rounding) = (0.0, error);
            assert_eq!(check(&report), Ok(error.next_up()), "a bound that is met");
            let bound = error.next_down();
            report.rounding = bound;
            let state = if of_total > sum { 2 } else { 1 };
            assert_eq!(check(&report), Err(Error::OutOfBound { state, error, bound }));
        }
    }
}
