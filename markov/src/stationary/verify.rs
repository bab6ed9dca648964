//! Whether a distribution is what a report says, from the chain alone.
//!
//! Checks in floats bound what the balance misses, and no more can be had at that price: a distribution may miss it by
//! 1e-16 and be wrong in all digits. So small chains are solved again in fractions, and the error is known.

use matching_core::Budget;

use super::balance::Balance;
use super::class::Class;
use super::exact;
use super::long_run::long_run;
use super::report::{ErrorKind, StationaryReport};
use crate::budget::Meter;
use crate::chain::{Ctmc, Dtmc};
use crate::classify::Classes;
use crate::elimination::{FILL, Room};
use crate::error::{Error, check_length};
use crate::scalar::{Rational, Scalar, rational};
use crate::sparse::Csr;

impl<T: Scalar> Ctmc<T> {
    /// How far a distribution, from wherever it came, is from being stationary: the [residual](StationaryReport::residual),
    /// rounded up. Zero if and only if fractions are a stationary distribution, which is the only one where the chain has
    /// one closed class. For floats a small one says nothing of the error.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::NotADistribution`], which names a state whose probability is negative or no
    /// number, or says by how much the sum misses one: by more than 1e-9 for floats, at all for fractions;
    /// [`Error::Transient`] for a transient state with a probability that is not zero.
    ///
    /// # Complexity
    /// O(states + transitions).
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Ctmc, Error, Rational, Scalar};
    ///
    /// let r = Rational::ratio;
    /// let chain = Ctmc::new(&Csr::from_rows(2, [[(1, r(1, 10))], [(0, r(1, 1))]]))?;
    /// assert_eq!(chain.verify_stationary(&[r(10, 11), r(1, 11)])?, r(0, 1));
    /// assert!(chain.verify_stationary(&[r(9, 10), r(1, 10)])? > r(0, 1));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn verify_stationary(&self, distribution: &[T]) -> Result<T, Error> {
        verify_distribution(self.rates(), distribution)
    }
}

impl<T: Scalar> Dtmc<T> {
    /// As [`Ctmc::verify_stationary`].
    ///
    /// # Errors
    /// As [`Ctmc::verify_stationary`].
    ///
    /// # Complexity
    /// As [`Ctmc::verify_stationary`].
    pub fn verify_stationary(&self, distribution: &[T]) -> Result<T, Error> {
        verify_distribution(self.moves(), distribution)
    }
}

impl StationaryReport {
    /// Checks from the chain alone that this is a distribution, that transient states have none of it, and that what flows
    /// into states and out of them differs by no more than the report says. Returns the residual, recomputed and rounded
    /// up. That does not bound the error: see [`verify_exactly`](Self::verify_exactly).
    ///
    /// # Errors
    /// As [`Ctmc::verify_stationary`]: the sum may miss one by as much as a start may, of which a long run has what there
    /// was; and [`Error::Unbalanced`] names the state whose balance is worst, where the residual is larger than the report
    /// says.
    ///
    /// # Complexity
    /// O(states + transitions).
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Ctmc, Error, Stationary};
    ///
    /// let queue = |service| {
    ///     let rates = [vec![(1, 1.0)], vec![(0, service), (2, 1.0)], vec![(1, service)]];
    ///     Ctmc::new(&Csr::from_rows(3, rates))
    /// };
    /// let report = Stationary::new().solve(&queue(2.0)?)?;
    /// assert!(report.verify(&queue(2.0)?)? < 1e-14);
    /// assert!(matches!(report.verify(&queue(3.0)?), Err(Error::Unbalanced { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn verify(&self, chain: &Ctmc) -> Result<f64, Error> {
        self.verify_by(chain.rates())
    }

    /// As [`StationaryReport::verify`], of a chain in discrete time.
    ///
    /// # Errors
    /// As [`StationaryReport::verify`].
    ///
    /// # Complexity
    /// As [`StationaryReport::verify`].
    pub fn verify_dtmc(&self, chain: &Dtmc) -> Result<f64, Error> {
        self.verify_by(chain.moves())
    }

    /// Proves how far the distribution is off, by solving the chain once more in fractions, which are the floats of the
    /// chain as they stand: the sum of absolute errors, rounded up. For small chains: digits of fractions grow with every
    /// state. Where the report calls its error [proven](ErrorKind::Proven), that is put to the test; an estimate is not,
    /// and may be compared by the caller.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::NotADistribution`] and [`Error::Transient`] as
    /// [`verify`](Self::verify); [`Error::Reducible`] where more than one closed class has a probability, for which
    /// [`verify_long_run`](Self::verify_long_run) is; [`Error::OutOfBound`] names the state that is furthest off where a
    /// proven bound does not hold; [`Error::TooLarge`] where the elimination takes more than 50 million entries, and
    /// [`Error::Stopped`] where the budget is spent.
    ///
    /// # Complexity
    /// That of [`Stationary::exact`](crate::Stationary::exact).
    ///
    /// # Examples
    /// ```
    /// use markov::{Budget, Csr, Ctmc, Method, Stationary};
    ///
    /// let chain = Ctmc::new(&Csr::from_rows(2, [[(1, 0.1)], [(0, 0.7)]]))?;
    /// let report = Stationary::new().method(Method::Power).tolerance(1e-6).solve(&chain)?;
    /// let error = report.verify_exactly(&chain, &Budget::new())?;
    /// assert!(error < 1e-6);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn verify_exactly(&self, chain: &Ctmc, budget: &Budget) -> Result<f64, Error> {
        self.verify_exactly_by(chain.rates(), &Meter::new(budget, None))
    }

    /// As [`StationaryReport::verify_exactly`], of a chain in discrete time, whose rows are made to add up to one by the
    /// probability of staying.
    ///
    /// # Errors
    /// As [`StationaryReport::verify_exactly`].
    ///
    /// # Complexity
    /// As [`StationaryReport::verify_exactly`].
    pub fn verify_exactly_dtmc(&self, chain: &Dtmc, budget: &Budget) -> Result<f64, Error> {
        self.verify_exactly_by(chain.moves(), &Meter::new(budget, None))
    }

    /// As [`StationaryReport::verify_exactly`], for the long run from a start
    /// ([`Stationary::long_run`](crate::Stationary::long_run)), which is taken as it stands.
    ///
    /// # Errors
    /// As [`StationaryReport::verify_exactly`], also for the start, and never [`Error::Reducible`].
    ///
    /// # Complexity
    /// As [`StationaryReport::verify_exactly`].
    pub fn verify_long_run(&self, chain: &Ctmc, start: &[f64], budget: &Budget) -> Result<f64, Error> {
        self.verify_long_run_by(chain.rates(), start, &Meter::new(budget, None))
    }

    /// As [`StationaryReport::verify_long_run`], of a chain in discrete time.
    ///
    /// # Errors
    /// As [`StationaryReport::verify_long_run`].
    ///
    /// # Complexity
    /// As [`StationaryReport::verify_exactly`].
    pub fn verify_long_run_dtmc(&self, chain: &Dtmc, start: &[f64], budget: &Budget) -> Result<f64, Error> {
        self.verify_long_run_by(chain.moves(), start, &Meter::new(budget, None))
    }

    fn verify_by(&self, rates: &Csr<f64>) -> Result<f64, Error> {
        self.check(rates)?;
        let balance = Balance::of(rates, &self.distribution);
        // Not so of what is no number either.
        let is_as_said = balance.residual <= self.residual + 2.0 * balance.rounding;
        if !is_as_said {
            return Err(balance.error());
        }
        Ok(balance.residual + balance.rounding)
    }

    /// Refuses what is no distribution on closed classes.
    fn check(&self, rates: &Csr<f64>) -> Result<Classes, Error> {
        let roundings = self.distribution.len() as f64 + 8.0;
        check(rates, &self.distribution, WHOLE + roundings * f64::EPSILON)
    }

    fn verify_exactly_by(&self, rates: &Csr<f64>, meter: &Meter<'_>) -> Result<f64, Error> {
        let classes = self.check(rates)?;
        let has_share = |class: &Vec<usize>| class.iter().any(|&state| self.distribution[state] > 0.0);
        let mut closed: Vec<Vec<usize>> = classes.closed().into_iter().filter(has_share).collect();
        if closed.len() > 1 {
            return Err(Error::Reducible { classes: closed });
        }
        let class = Class::Some(closed.pop().unwrap_or_default());
        let within = fractions(&class.rates(rates));
        let known = class.spread(exact(&within, Room::new(FILL, meter))?, rates.rows());
        self.compare(&known)
    }

    fn verify_long_run_by(&self, rates: &Csr<f64>, start: &[f64], meter: &Meter<'_>) -> Result<f64, Error> {
        self.check(rates)?;
        crate::transient::check_distribution(start, rates.rows())?;
        let start: Vec<Rational> = start.iter().map(|&mass| fraction(mass)).collect();
        let sum: Rational = start.iter().sum();
        // The answer is in proportion to the start, which misses one by roundings.
        let scaled: Vec<Rational> = start.iter().map(|mass| mass / &sum).collect();
        let known = long_run(&fractions(rates), &scaled, meter)?;
        let known: Vec<Rational> = known.into_iter().map(|share| share * &sum).collect();
        self.compare(&known)
    }

    /// The sum of absolute errors.
    fn compare(&self, known: &[Rational]) -> Result<f64, Error> {
        let zero = Rational::ratio(0, 1);
        // No bound where it is beyond all floats.
        let bound = rational(self.error.value).filter(|_| self.error.kind == ErrorKind::Proven);
        let is_beyond = |error: &Rational, of: &Rational| bound.as_ref().is_some_and(|bound| *error > bound * of);
        let least = fraction(f64::MIN_POSITIVE);
        let (mut sum, mut worst) = (zero.clone(), (0, zero.clone()));
        let mut broken = None;
        for (state, (&value, known)) in self.distribution.iter().zip(known).enumerate() {
            let difference = num_traits::Signed::abs(&(fraction(value) - known));
            if *known >= least && broken.is_none() && is_beyond(&difference, known) {
                broken = Some((state, (&difference / known).to_float()));
            }
            sum += &difference;
            if difference > worst.1 {
                worst = (state, difference);
            }
        }
        if broken.is_none() && is_beyond(&sum, &Rational::ratio(1, 1)) {
            broken = Some((worst.0, sum.to_float()));
        }
        match broken {
            Some((state, error)) => Err(Error::OutOfBound {
                state,
                error,
                bound: self.error.value,
            }),
            None if sum == zero => Ok(0.0),
            None => Ok(sum.to_float().next_up()),
        }
    }
}

/// What floats that are a distribution may miss one by, as everywhere.
const WHOLE: f64 = 1e-9;

/// A float of a report or a chain, which are finite, as a fraction.
fn fraction(value: f64) -> Rational {
    rational(value).unwrap_or_else(|| Rational::ratio(0, 1))
}

fn fractions(rates: &Csr<f64>) -> Csr<Rational> {
    rates.map(|_, _, &rate| fraction(rate))
}

fn verify_distribution<T: Scalar>(rates: &Csr<T>, distribution: &[T]) -> Result<T, Error> {
    check(rates, distribution, if T::EXACT { 0.0 } else { WHOLE })?;
    let balance = Balance::of(rates, distribution);
    Ok(balance.residual + &balance.rounding)
}

/// Refuses what is no distribution on closed classes, or misses one by more than that in sum.
fn check<T: Scalar>(rates: &Csr<T>, distribution: &[T], most: f64) -> Result<Classes, Error> {
    check_length("probabilities of states", rates.rows(), distribution.len())?;
    let mut sum = T::zero();
    for share in distribution {
        sum += share;
    }
    let wrong = distribution
        .iter()
        .position(|share| !share.is_number() || *share < T::zero());
    let missing = T::one() - sum;
    let is_whole = missing.is_zero() || (!T::EXACT && missing.to_float().abs() <= most);
    if wrong.is_some() || !is_whole {
        let deficit = missing.to_float();
        return Err(Error::NotADistribution { deficit, wrong });
    }
    let classes = Classes::of(rates);
    let is_lost = |&state: &usize| !distribution[state].is_zero() && classes.is_transient(state);
    match (0..rates.rows()).find(is_lost) {
        Some(state) => Err(Error::Transient { state }),
        None => Ok(classes),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::{ErrorKind, StationaryReport};
    use super::super::{Method, Stationary};
    use crate::chain::Ctmc;
    use crate::error::Error;
    use crate::sparse::Csr;
    use matching_core::Budget;

    /// Two pairs of states, the first of which leads to the second, and there is no way back.
    fn chain(back: f64) -> Ctmc {
        let rows = [
            vec![(1, 1.0), (2, 0.1)],
            vec![(0, 2.0)],
            vec![(3, 0.5)],
            vec![(2, back)],
        ];
        Ctmc::new(&Csr::from_rows(4, rows)).expect("a chain")
    }

    #[test]
    fn each_flaw_is_found() {
        let budget = Budget::new();
        for method in [Method::Elimination, Method::Power] {
            let right = Stationary::new()
                .method(method)
                .solve(&chain(0.7))
                .expect("one closed class");
            assert!(right.verify(&chain(0.7)).expect("right") < 1e-11);
            assert!(right.verify_exactly(&chain(0.7), &budget).expect("right") < 1e-11);
            let flawed = |change: &dyn Fn(&mut StationaryReport)| {
                let mut report = right.clone();
                change(&mut report);
                let (quick, exact) = (report.verify(&chain(0.7)), report.verify_exactly(&chain(0.7), &budget));
                (quick.expect_err("a flaw"), exact)
            };
            for wrong in [-1e-20, f64::NAN] {
                let (quick, exact) = flawed(&|report| report.distribution[1] = wrong);
                assert!(matches!(quick, Error::NotADistribution { wrong: Some(1), .. }));
                assert_eq!(exact.map_err(|error| error.to_string()), Err(quick.to_string()));
            }
            let (quick, exact) = flawed(&|report| report.distribution[3] += 2e-9);
            assert!(matches!(quick, Error::NotADistribution { wrong: None, .. }) && exact.is_err());
            let (quick, _) = flawed(&|report| report.distribution[0] = 1e-300);
            assert_eq!(quick, Error::Transient { state: 0 });
            let (quick, exact) = flawed(&|report| {
                report.distribution[2] += 1e-9;
                report.distribution[3] -= 1e-9;
            });
            assert!(matches!(quick, Error::Unbalanced { state: 2 | 3, .. }), "{quick:?}");
            match right.error().kind {
                ErrorKind::Proven => assert!(matches!(exact, Err(Error::OutOfBound { .. }))),
                ErrorKind::Estimated => assert!(exact.expect("no bound") > 1e-9),
            }
            // The balance of another chain.
            assert!(matches!(right.verify(&chain(0.8)), Err(Error::Unbalanced { .. })));
            let short = Ctmc::new(&Csr::from_rows(1, [[(0, 1.0)]])).expect("a chain");
            assert!(matches!(right.verify(&short), Err(Error::LengthMismatch { .. })));
        }
    }

    /// A proven bound is one of the sum of all errors, and of each share in proportion to itself.
    #[test]
    fn small_shares_are_held_against_a_proven_bound_too() {
        let budget = Budget::new();
        let two = |rate: f64| Ctmc::new(&Csr::from_rows(2, [[(1, rate)], [(0, 1.0)]])).expect("a chain");
        let chain = two(1e-12);
        let solver = Stationary::new().method(Method::Elimination);
        let mut report = solver.solve(&chain).expect("one closed class");
        let bound = report.error.value;
        assert_eq!(report.error.kind, ErrorKind::Proven);
        assert!(report.verify_exactly(&chain, &budget).expect("right") <= bound);
        report.distribution[1] *= 1.0 + 1e-6;
        match report.verify_exactly(&chain, &budget) {
            Err(Error::OutOfBound {
                state: 1,
                error,
                bound: said,
            }) => assert!(said == bound && (error - 1e-6).abs() < 1e-9, "{error} {said}"),
            other => panic!("{other:?}"),
        }
        // A bound that is met is kept.
        for off in [0.0, 2_f64.powi(-20)] {
            report.distribution = vec![0.5 + off, 0.5 - off];
            report.error.value = 2.0 * off;
            let error = report.verify_exactly(&two(1.0), &budget).expect("as it says");
            assert_eq!(error, if off == 0.0 { 0.0 } else { (2.0 * off).next_up() });
            report.error.value = (2.0 * off).next_down();
            assert!(report.verify_exactly(&two(1.0), &budget).is_err());
        }
    }

    /// Beyond all floats, flows added up to what no difference counts in; below them, to nothing.
    #[test]
    fn flows_of_any_size_are_compared() {
        for rate in [1.7e308, 1e-320] {
            // Each of the states leads to ten others at this rate.
            let rows = (0..20).map(|state: usize| (1..=10).map(move |by| ((state + by) % 20, rate)));
            let chain = Ctmc::new(&Csr::from_rows(20, rows)).expect("a chain");
            let even = [0.05; 20];
            assert!(chain.verify_stationary(&even).expect("a distribution") < 1e-13);
            let mut uneven = even;
            (uneven[3], uneven[4]) = (0.06, 0.04);
            let residual = chain.verify_stationary(&uneven).expect("a distribution");
            assert!((0.01..1.0).contains(&residual), "{rate}: {residual}");
        }
        // Where a solver takes the rates, its residual is one as well, and so is what is told of them.
        let tiny = |back: f64| Ctmc::new(&Csr::from_rows(2, [[(1, 1e-320)], [(0, back)]])).expect("a chain");
        let report = Stationary::new().solve(&tiny(3e-320)).expect("small");
        assert!(report.verify(&tiny(3e-320)).expect("right") < 1e-13);
        let other = report.verify(&tiny(2e-320));
        assert!(
            matches!(other, Err(Error::Unbalanced { inflow, outflow, .. }) if inflow < 1e-319 && outflow < 1e-319),
            "{other:?}"
        );
    }

    /// Of shares that are too small for a bound of their own the sum of all errors tells, at the state that is furthest off.
    #[test]
    fn what_no_share_tells_the_sum_does() {
        let rows = [vec![(1, 1.0)], vec![(0, 1e-320), (2, 1e-320)], vec![(1, 1.0)]];
        let chain = Ctmc::new(&Csr::from_rows(3, rows)).expect("a chain");
        let mut report = Stationary::new().solve(&chain).expect("one closed class");
        let bound = 2_f64.powi(-10);
        (report.error.value, report.error.kind) = (bound, ErrorKind::Proven);
        let mut check = |small: f64, other: f64| {
            report.distribution = vec![small * bound, 1.0 - (small + other) * bound, other * bound];
            report.verify_exactly(&chain, &Budget::new())
        };
        assert!(check(0.125, 0.25).expect("as it says") <= bound);
        match check(0.25, 0.5) {
            Err(Error::OutOfBound { state: 1, error, .. }) => assert_eq!(error, 1.5 * bound),
            other => panic!("{other:?}"),
        }
    }

    /// A long run may miss one by as much as its start, and by roundings of its own.
    #[test]
    fn sums_may_miss_one_by_roundings_more_than_a_start() {
        let chain = Ctmc::new(&Csr::from_rows(2, [[(1, 1.0)], [(0, 1.0)]])).expect("a chain");
        let mut report = Stationary::new().solve(&chain).expect("one closed class");
        for (off, is_right) in [(1e-9 + 1e-15, true), (1e-9 + 3e-15, false)] {
            for half in [0.5 - off / 2.0, 0.5 + off / 2.0] {
                report.distribution = vec![half; 2];
                assert_eq!(report.verify(&chain).is_ok(), is_right, "{off} {half}");
            }
        }
    }

    /// A report from elsewhere may say that it is off by anything: that makes nothing a distribution.
    #[test]
    fn a_large_error_is_no_excuse() {
        let mut report = Stationary::new().solve(&chain(0.7)).expect("one closed class");
        report.distribution.fill(0.0);
        report.error.value = 2.0;
        let (quick, exact) = (
            report.verify(&chain(0.7)),
            report.verify_exactly(&chain(0.7), &Budget::new()),
        );
        assert!(
            matches!(quick, Err(Error::NotADistribution { wrong: None, .. })),
            "{quick:?}"
        );
        assert!(
            matches!(exact, Err(Error::NotADistribution { wrong: None, .. })),
            "{exact:?}"
        );
    }

    /// A balance that is right to the last digit, and a distribution that is wrong in the first one.
    #[test]
    fn what_no_balance_shows_fractions_do() {
        let rows = [
            vec![(1, 1.0)],
            vec![(0, 1.0), (2, 1e-17)],
            vec![(1, 1e-17), (3, 1.0)],
            vec![(2, 1.0)],
        ];
        let chain = Ctmc::new(&Csr::from_rows(4, rows)).expect("a chain");
        let right = Stationary::new().solve(&chain).expect("small");
        let wrong = StationaryReport {
            distribution: vec![0.2, 0.2, 0.3, 0.3],
            ..right.clone()
        };
        assert!(wrong.verify(&chain).expect("balanced but for a rounding") < 1e-14);
        let found = wrong.verify_exactly(&chain, &Budget::new());
        assert!(matches!(found, Err(Error::OutOfBound { .. })), "{found:?}");
        assert!(right.verify_exactly(&chain, &Budget::new()).expect("right") <= right.error().value);
    }
}
