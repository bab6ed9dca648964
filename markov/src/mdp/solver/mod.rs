//! The method that suits a process, chosen as it is solved.

mod average;
mod report;

use core::any::Any;

use matching_core::Budget;

use crate::budget::{Meter, Progress, Stopped};
use crate::elimination::FILL;
use crate::error::{Error, check_numbers};
use crate::mdp::discounted::check_discount;
use crate::mdp::iteration::{PolicyIteration, guessed};
use crate::mdp::optimality::Optimality;
use crate::mdp::sweep::Effort;
use crate::mdp::unit::Unit;
use crate::mdp::values::ValueIteration;
use crate::mdp::{CtMdp, Mdp};
use crate::scalar::Scalar;
use average::{By, End};
pub use report::{AverageReport, DiscountedReport, Gain, Method};

/// The best policy by the method that suits the process, chosen as it is solved.
///
/// Average costs of floats begin with sweeps over all states. Where these are slow (long lines, rare moves) values of
/// policies come from elimination, if that takes less than the missing sweeps, and where the gain depends on the state
/// it is found by state. Discounted costs are those of [`ValueIteration`], which does the same by itself. What one method
/// has found the next one begins with. Fractions are solved without any error, from the policy that floats found.
///
/// Whoever knows what a process is like chooses by hand: [`PolicyIteration`],
/// [`RelativeValueIteration`](crate::mdp::RelativeValueIteration), [`ValueIteration`].
///
/// # References
/// M. Puterman, "Markov Decision Processes", Wiley 1994, chapters 6, 8 and 9, doi:10.1002/9780470316887.
#[derive(Clone, Debug)]
pub struct Solver<'a> {
    effort: Effort<'a>,
    fill: usize,
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Solver<'a> {
    /// To within 1e-9, or as near as floats allow where that is further; on all threads, with at most 50 million entries of
    /// an elimination.
    pub fn new() -> Self {
        let effort = Effort {
            is_nearest: true,
            ..Effort::default()
        };
        Self { effort, fill: FILL }
    }

    /// How far the bounds of an average cost of floats may be apart, and how far discounted costs may be off, before rounding is
    /// added to it.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.effort.tolerance = tolerance;
        self
    }

    /// On how many threads sweeps run, as [`ValueIteration::threads`]; the result does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.effort.threads = Some(threads);
        self
    }

    /// Entries that an elimination may keep, as [`PolicyIteration::fill`].
    #[must_use]
    pub fn fill(mut self, limit: usize) -> Self {
        self.fill = limit;
        self
    }

    /// Limits of each solve, of all methods together; whatever is reached is [`Error::Stopped`] with what was known then, as of
    /// the method that was at work. Memory is that of eliminations: where it is spent, sweeps go on.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.effort.control.budget = budget;
        self
    }

    /// Called with progress, as by the method that is at work.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.effort.control.observer = Some(observer);
        self
    }

    /// The policy of least average cost per step, whether that is one number or depends on the state.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a tolerance that is not positive or no threads; [`Error::Stopped`], with the policy and what is
    /// proven, where the [budget](Self::budget) is spent; [`Error::NotConverged`], with bounds, after 100,000 sweeps where
    /// eliminations take more [entries](Self::fill) than there may be, or prove less, and [`Error::TooLarge`] where gains
    /// depend on the state; [`Error::NotANumber`] where costs add up to more than a float holds.
    ///
    /// # Complexity
    /// O(entries) per sweep; per policy that is evaluated an elimination of all states, which is sparse.
    ///
    /// # Examples
    /// ```
    /// use markov::mdp::{Action, Mdp, Method, Solver};
    ///
    /// // A machine earns 10 a day and breaks with probability 1/10; a slow repair costs nothing and takes two days on
    /// // average, a fast one is done next day and costs 4.
    /// let action = |cost, moves: &[(usize, f64)]| Action { cost, moves: moves.to_vec() };
    /// let machine = Mdp::new([
    ///     vec![action(-10.0, &[(0, 0.9), (1, 0.1)])],
    ///     vec![action(0.0, &[(0, 0.5), (1, 0.5)]), action(4.0, &[(0, 1.0)])],
    /// ])?;
    /// let best = Solver::new().average(&machine)?;
    /// assert_eq!((best.policy(), best.method()), (&[0, 1][..], Method::RelativeValueIteration));
    /// assert!((best.gain(0) + 96.0 / 11.0).abs() <= best.error().value);
    /// assert!(best.verify(&machine)?.value < 2e-9);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn average<T: Scalar>(&self, mdp: &Mdp<T>) -> Result<AverageReport<T>, Error> {
        let meter = self.effort.control.start();
        let found = match (mdp as &dyn Any).downcast_ref::<Mdp<f64>>() {
            Some(floats) => same(self.average_floats(floats, &meter)?),
            None => self.average_exact(mdp, &meter)?,
        };
        Ok(AverageReport {
            work: meter.work(),
            ..found
        })
    }

    fn average_floats(&self, mdp: &Mdp<f64>, meter: &Meter<'_>) -> Result<AverageReport<f64>, Error> {
        let unit = Unit::of(mdp);
        let inside = unit.process(mdp);
        let found = self.search(unit, &inside, meter).map_err(|error| unit.error(error))?;
        match found {
            End::Multichain(policy) => self.by_state(mdp, policy, meter),
            End::Open(policy, error) => self.at_limit(mdp, policy, unit.error(error), meter),
            End::Found(found, by) => {
                let found = found.outside(unit, mdp)?;
                Ok(AverageReport {
                    found: Gain::Constant(found.solution, found.bounds),
                    method: match by {
                        By::Sweeps => Method::RelativeValueIteration,
                        By::Elimination => Method::PolicyIteration,
                    },
                    work: 0,
                })
            }
        }
    }

    /// By policies alone, where sweeps came to their limit with a policy, and bounds that are in the error.
    fn at_limit(
        &self,
        mdp: &Mdp<f64>,
        policy: Vec<usize>,
        error: Error,
        meter: &Meter<'_>,
    ) -> Result<AverageReport<f64>, Error> {
        let Error::NotConverged { best, bounds, .. } = &error else {
            return Err(error);
        };
        let gap = |bounds: Option<(f64, f64)>| bounds.map_or(f64::INFINITY, |(lower, upper)| upper - lower);
        match self.by_policies(mdp, policy.clone(), meter) {
            Ok(found)
                if found
                    .bounds()
                    .is_none_or(|bounds_of_found| bounds_of_found.gap() <= gap(*bounds)) =>
            {
                Ok(found)
            }
            Err(Error::Stopped(stopped)) if gap(*bounds) < gap(stopped.bounds) => Err(Stopped {
                best: best.clone(),
                policy,
                bounds: *bounds,
                ..*stopped
            }
            .error()),
            Err(stopped @ Error::Stopped(_)) => Err(stopped),
            Ok(_) | Err(_) => Err(error),
        }
    }

    /// Gains by state, from a policy.
    fn by_state<T: Scalar>(
        &self,
        mdp: &Mdp<T>,
        first: Vec<usize>,
        meter: &Meter<'_>,
    ) -> Result<AverageReport<T>, Error> {
        let found = self.policies().multichain_from(mdp, first, meter)?;
        Ok(AverageReport {
            found: Gain::ByState(found),
            method: Method::MultichainPolicyIteration,
            work: 0,
        })
    }

    /// By policies alone, whatever that takes.
    fn by_policies<T: Scalar>(
        &self,
        mdp: &Mdp<T>,
        first: Vec<usize>,
        meter: &Meter<'_>,
    ) -> Result<AverageReport<T>, Error> {
        let found = match self
            .policies()
            .average_from(mdp, first.clone(), meter.is_watched(), meter)
        {
            Err(Error::Multichain { .. }) => return self.by_state(mdp, first, meter),
            found => found?,
        };
        let bounds = Optimality::prove(mdp, &found.bias, &found.policy, meter)?;
        Ok(AverageReport {
            found: Gain::Constant(found, bounds),
            method: Method::PolicyIteration,
            work: 0,
        })
    }

    /// From the policy that floats find.
    fn average_exact<T: Scalar>(&self, mdp: &Mdp<T>, meter: &Meter<'_>) -> Result<AverageReport<T>, Error> {
        let solver = self.policies();
        let guess = self.average_floats(&mdp.to_floats(), meter);
        let is_by_state = matches!(&guess, Ok(guess) if guess.bounds().is_none());
        let first = guessed(guess.map(|guess| guess.policy().to_vec()), solver.first_policy(mdp)?)?;
        if is_by_state {
            return self.by_state(mdp, first, meter);
        }
        self.by_policies(mdp, first, meter)
    }

    /// As [`Solver::average`], per unit of time; the bias is a total over time, as of [`CtMdp::average`]. The budget is for
    /// what comes after [`CtMdp::uniformized`].
    ///
    /// # Errors
    /// As [`Solver::average`], and those of [`CtMdp::uniformized`].
    ///
    /// # Examples
    /// ```
    /// use markov::mdp::{CtMdp, RateAction, Solver};
    ///
    /// // A machine breaks once a day; repairs take a quarter of a day, or half of one at a third of the cost per day.
    /// let machine = CtMdp::new([
    ///     vec![RateAction { cost: 0.0, rates: vec![(1, 1.0)] }],
    ///     vec![RateAction { cost: 9.0, rates: vec![(0, 4.0)] }, RateAction { cost: 3.0, rates: vec![(0, 2.0)] }],
    /// ])?;
    /// let best = Solver::new().average_ctmdp(&machine)?;
    /// assert_eq!(best.policy(), [0, 1]);
    /// assert!((best.gain(0) - 1.0).abs() <= best.error().value);
    /// best.verify_ctmdp(&machine)?;
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn average_ctmdp<T: Scalar>(&self, process: &CtMdp<T>) -> Result<AverageReport<T>, Error> {
        let rate = process.rate();
        let steps = process.uniformized()?;
        let found = self.average(&steps);
        let mut report = found.map_err(|error| error.in_units(rate.to_float(), f64::EPSILON))?;
        if let Gain::Constant(solution, bounds) = &mut report.found {
            if let Some(proven) = process.in_time(&steps, solution)? {
                *bounds = bounds.and(&proven);
                solution.gain = bounds.nearest(&solution.gain);
            }
            return Ok(report);
        }
        report.found = report.found.with_bias(|bias| *bias /= rate);
        check_numbers(report.bias())?;
        Ok(report)
    }

    /// As [`Solver::discounted`]: a cost at time `t` counts `exp(-interest t)` times. The tolerance is one of costs in time.
    ///
    /// # Errors
    /// As [`Solver::discounted`] and [`CtMdp::discounted`].
    ///
    /// # Examples
    /// ```
    /// use markov::{Rational, Scalar, mdp::{CtMdp, RateAction, Solver}};
    ///
    /// // Who waits pays 1 a day, or 3 a day and is done in half a day.
    /// let r = |number| Rational::ratio(number, 1);
    /// let wait = CtMdp::new([
    ///     vec![RateAction { cost: r(1), rates: vec![] }, RateAction { cost: r(3), rates: vec![(1, r(2))] }],
    ///     vec![RateAction { cost: r(0), rates: vec![] }],
    /// ])?;
    /// let best = Solver::new().discounted_ctmdp(&wait, &r(1))?;
    /// assert_eq!((best.values(), best.policy()), (&[r(1), r(0)][..], &[0, 0][..]));
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn discounted_ctmdp<T: Scalar>(&self, process: &CtMdp<T>, interest: &T) -> Result<DiscountedReport<T>, Error> {
        let discounting = process.rate().clone() + interest;
        let in_steps = self.clone().tolerance(self.effort.tolerance * discounting.to_float());
        let (mut method, mut work) = (Method::PolicyIteration, 0);
        let solution = process.discounted_by(interest, |mdp, discount| {
            let report = in_steps.discounted(mdp, discount)?;
            (method, work) = (report.method, report.work);
            Ok(report.solution)
        })?;
        Ok(DiscountedReport { solution, method, work })
    }

    /// Policy iteration with these settings, whose meter is given to it.
    fn policies(&self) -> PolicyIteration<'a> {
        PolicyIteration::new().fill(self.fill)
    }

    /// The policy of least discounted cost from every state: a cost `k` steps ahead counts `discount^k` times.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a discount that is not between 0 and 1, both excluded, a tolerance that is not positive or
    /// no threads; [`Error::Stopped`], with values, policy and the radius of these, where the [budget](Self::budget) is
    /// spent; [`Error::NotConverged`] after 100,000 sweeps over all actions; [`Error::NotANumber`] where costs add up to more
    /// than a float holds; [`Error::TooLarge`] for fractions whose elimination takes more [entries](Self::fill).
    ///
    /// # Complexity
    /// As [`Solver::average`].
    ///
    /// # Examples
    /// ```
    /// use markov::{Rational, Scalar, mdp::{Action, Mdp, Solver}};
    ///
    /// // Pay 1 a step, or 4 once for all: in floats and in fractions.
    /// let to = |state, cost| Action { cost, moves: vec![(state, 1.0)] };
    /// let rent = Mdp::new([vec![to(0, 1.0), to(1, 4.0)], vec![to(1, 0.0)]])?;
    /// let best = Solver::new().discounted(&rent, &0.8)?;
    /// assert!((best.values()[0] - 4.0).abs() <= best.error().value);
    ///
    /// let r = |numerator, denominator| Rational::ratio(numerator, denominator);
    /// let to = |state, cost| Action { cost: r(cost, 1), moves: vec![(state, r(1, 1))] };
    /// let rent = Mdp::new([vec![to(0, 1), to(1, 4)], vec![to(1, 0)]])?;
    /// let best = Solver::new().discounted(&rent, &r(4, 5))?;
    /// assert_eq!((best.values(), best.error().value), (&[r(4, 1), r(0, 1)][..], 0.0));
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn discounted<T: Scalar>(&self, mdp: &Mdp<T>, discount: &T) -> Result<DiscountedReport<T>, Error> {
        let meter = self.effort.control.start();
        check_discount(discount)?;
        let found = match (mdp as &dyn Any).downcast_ref::<Mdp<f64>>() {
            Some(floats) => same(self.discounted_floats(floats, discount.to_float(), &meter)?),
            None => self.discounted_exact(mdp, discount, &meter)?,
        };
        Ok(DiscountedReport {
            work: meter.work(),
            ..found
        })
    }

    fn discounted_floats(
        &self,
        mdp: &Mdp<f64>,
        discount: f64,
        meter: &Meter<'_>,
    ) -> Result<DiscountedReport<f64>, Error> {
        let sweeps = ValueIteration::with_effort(self.effort.clone());
        let mut solution = sweeps.solve_metered(mdp, discount, meter)?;
        if solution.radius > self.effort.tolerance
            && let Ok(radius) = solution.verify(mdp, &discount)
        {
            // Differences to each state have smaller roundings than the largest value.
            solution.radius = solution.radius.min(radius);
        }
        Ok(DiscountedReport {
            solution,
            method: Method::ValueIteration,
            work: 0,
        })
    }

    fn discounted_exact<T: Scalar>(
        &self,
        mdp: &Mdp<T>,
        discount: &T,
        meter: &Meter<'_>,
    ) -> Result<DiscountedReport<T>, Error> {
        let solver = self.policies();
        let rounded = discount.to_float();
        // A discount that floats take for one has no guess.
        let guess = check_discount(&rounded).and_then(|()| self.discounted_floats(&mdp.to_floats(), rounded, meter));
        let first = guessed(guess.map(|guess| guess.solution.policy), solver.first_policy(mdp)?)?;
        Ok(DiscountedReport {
            solution: solver.discounted_from(mdp, discount, first, meter)?,
            method: Method::PolicyIteration,
            work: 0,
        })
    }
}

/// A report of floats where floats are the numbers.
fn same<A: 'static, B: 'static>(report: A) -> B {
    let report: Box<dyn Any> = Box::new(report);
    *report.downcast().unwrap_or_else(|_| unreachable!("T is f64"))
}
