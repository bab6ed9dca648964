//! Where a chain is after some time, and what it has cost until then.
//!
//! Uniformization: a chain in continuous time is a chain in discrete time that jumps, perhaps to where it is, at the
//! times of a Poisson process whose rate is at least that out of any state. What the sum over numbers of jumps leaves
//! out is bounded, and so are the roundings: all terms are positive, and a step of a chain never makes a difference of
//! distributions larger.
//!
//! References: A. Jensen, "Markoff chains as an aid in the study of Markoff processes", Skandinavisk Aktuarietidskrift
//! 36 (1953), 87-91, doi:10.1080/03461238.1953.10419459; W. Grassmann, "Transient solutions in Markovian queueing
//! systems", Computers & Operations Research 4 (1977), 47-53, doi:10.1016/0305-0548(77)90007-7.

mod discrete;
mod jumps;
mod poisson;
#[cfg(feature = "serde")]
mod serial;
mod verify;

use matching_core::Budget;

use crate::budget::{Control, Halted, OrStopped, Progress, Stage, Stopped, Told};
use crate::chain::Ctmc;
use crate::error::{Error, check_length, check_numbers};
use crate::scalar::{Scalar, is_rounding};
use jumps::{Jumps, Mixture};
use poisson::{MOST, Poisson};

/// The sum of the absolute differences of two distributions is at most this.
const APART: f64 = 2.0;
/// A rounding changes a number by at most this share of it.
const ROUNDING: f64 = 1.12e-16;

/// Whether the sum over jumps ends early when jumps change nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SteadyState {
    /// It does, as soon as all that further jumps could change is provably within the tolerance, but for what roundings
    /// hide in each of them, which the bound holds as if all had been looked at.
    Detect,
    /// It does not.
    Ignore,
}

/// A solver for transient distributions and costs of chains in continuous time.
///
/// # Examples
/// ```
/// use markov::{Csr, Ctmc, Transient};
///
/// // Breaks at rate 1, is repaired at rate 3: broken with probability (1 - exp(-4 t)) / 4.
/// let chain = Ctmc::new(&Csr::from_rows(2, [[(1, 1.0)], [(0, 3.0)]]))?;
/// let report = Transient::new().solve(&chain, &[1.0, 0.0], 0.5)?;
/// let error = report.distribution()[1] - (1.0 - (-2.0_f64).exp()) / 4.0;
/// assert!(error.abs() <= report.bound());
/// # Ok::<(), markov::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Transient<'a> {
    tolerance: f64,
    steps: usize,
    steady_state: SteadyState,
    control: Control<'a>,
}

impl Default for Transient<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// A distribution after some time, or a total cost until then, and what is known of its error.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "serial::Unchecked")
)]
pub struct TransientReport {
    distribution: Vec<f64>,
    total: f64,
    truncation: f64,
    rounding: f64,
    steps: usize,
}

impl TransientReport {
    /// Probability of each state at the time that was asked for.
    pub fn distribution(&self) -> &[f64] {
        &self.distribution
    }

    /// Expected total cost until then; zero where no costs were given.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// At most what numbers of jumps that were left out could change: as [`TransientReport::bound`].
    pub fn truncation(&self) -> f64 {
        self.truncation
    }

    /// Proven bound of the error: of the sum of absolute errors of the probabilities, and of the absolute error of the
    /// total divided by the time and the largest absolute cost. It holds truncation and roundings, given that the start
    /// adds up to one.
    pub fn bound(&self) -> f64 {
        self.truncation + self.rounding
    }

    /// Products of a vector with the matrix of the chain.
    pub fn steps(&self) -> usize {
        self.steps
    }
}

impl<'a> Transient<'a> {
    /// Tolerance 1e-12, at most ten million steps, steady states are detected.
    pub fn new() -> Self {
        Self {
            tolerance: 1e-12,
            steps: 10_000_000,
            steady_state: SteadyState::Detect,
            control: Control::default(),
        }
    }

    /// What the truncation may be; between 1e-300 and 1.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Jumps that are made, at most: products of a vector with the matrix of the chain. Those that a steady state leaves
    /// out are none.
    #[must_use]
    pub fn steps(mut self, steps: usize) -> Self {
        self.steps = steps;
        self
    }

    /// Whether to end early in a steady state.
    #[must_use]
    pub fn steady_state(mut self, steady_state: SteadyState) -> Self {
        self.steady_state = steady_state;
        self
    }

    /// Limits of each solve; whatever is reached is [`Error::Stopped`] with a distribution as if the chain stood still from
    /// there on, and how far that may be off: proven, and hardly less than two until the last of the jumps, unless the
    /// chain moves little by then. Where there are costs it has bounds of their total as well.
    ///
    /// Work is counted in entries of matrices that are touched: a jump is a unit for each rate and each state. Time and
    /// token are looked at within a jump, every thousand states. The chances of numbers of jumps, up to four million of
    /// them, are found before that. Memory is in proportion to the chain and to these, and is not limited.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.control.budget = budget;
        self
    }

    /// Called with progress, after the first jump and then every 20 milliseconds or less often, with what all further
    /// jumps may change at most.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.control.observer = Some(observer);
        self
    }

    /// The distribution at a time, from a distribution at time zero.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::NotADistribution`], [`Error::Parameter`] for times and settings out of
    /// range, [`Error::TooLarge`] if more steps are needed than allowed, or four million numbers of jumps are too
    /// few to sum over, as they are from some 5e10 expected jumps on, and [`Error::Stopped`] where the
    /// [budget](Self::budget) is spent.
    ///
    /// # Complexity
    /// With `r` the largest rate out of a state and `t` the time, about `r t + 8 sqrt(r t)` steps of O(transitions), or
    /// as many as there are before a steady state is detected; and O(sqrt(r t)) for the chances of numbers of jumps.
    pub fn solve(&self, chain: &Ctmc, start: &[f64], time: f64) -> Result<TransientReport, Error> {
        self.run(chain, start, &vec![0.0; chain.len()], time)
    }

    /// The expected total of a cost per unit of time until a time, and the distribution then.
    ///
    /// # Errors
    /// As [`Transient::solve`], and [`Error::NotANumber`] for costs, or where they add up to more than a float holds.
    ///
    /// # Complexity
    /// As [`Transient::solve`].
    pub fn accumulated(&self, chain: &Ctmc, start: &[f64], costs: &[f64], time: f64) -> Result<TransientReport, Error> {
        self.run(chain, start, costs, time)
    }

    fn run(&self, chain: &Ctmc, start: &[f64], costs: &[f64], time: f64) -> Result<TransientReport, Error> {
        let meter = self.control.start();
        check_distribution(start, chain.len())?;
        check_costs(costs, chain.len())?;
        check_parameter("time", time, 0.0..=f64::MAX, "finite and not negative")?;
        check_parameter("tolerance", self.tolerance, 1e-300..=1.0, "between 1e-300 and 1")?;
        meter.look().or_stopped()?;
        let jumps = Jumps::new(chain);
        // At time zero nothing has happened, even where rates add up to more than a float holds.
        let mean = if time > 0.0 { jumps.rate * time } else { 0.0 };
        // Tails are also bounded in proportion to the mean number of jumps, which counts for costs in short times.
        let tails = (self.tolerance / 64.0 * mean.min(1.0)).max(f64::MIN_POSITIVE);
        let poisson = Poisson::new(mean, tails).ok_or(Error::TooLarge {
            what: "numbers of jumps",
            limit: MOST,
        })?;
        let limit = self.steps;
        let too_many = Error::TooLarge { what: "steps", limit };
        if self.steady_state == SteadyState::Ignore && poisson.last() > limit {
            return Err(too_many);
        }
        // In units of the largest one, costs are of a size that floats have all their digits for.
        let largest = costs.iter().fold(0.0, |largest: f64, cost| largest.max(cost.abs()));
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let scaled: Vec<f64> = costs.iter().map(|cost| cost / unit).collect();
        let mut sum = Mixture::new(start.len(), &poisson);
        let mut x = start.to_vec();
        let mut next = vec![0.0; x.len()];
        let mut steady = 0.0;
        let mut steps = 0;
        let mut halted = None;
        // At most the distance between two distributions.
        let mut rest = APART;
        while steps < poisson.last() {
            if steps == limit {
                return Err(too_many);
            }
            let change = match jumps.step(&x, &mut next, &meter) {
                Ok(change) => change,
                Err(why) => {
                    halted = Some(why);
                    steady = rest;
                    break;
                }
            };
            sum.add(&x, &scaled);
            core::mem::swap(&mut x, &mut next);
            steps += 1;
            let left = change * (poisson.last() - steps) as f64;
            rest = left.min(APART);
            meter.tell(|| Told {
                of: Some(poisson.last()),
                error: Some(rest),
                ..Told::of(Stage::Jumps, steps)
            });
            if self.steady_state == SteadyState::Detect && left <= self.tolerance / 4.0 {
                steady = left;
                break;
            }
        }
        sum.add_rest(&x, &scaled);
        // Weights below the smallest float with all its digits are cut off, so that then nothing moves: the cost is
        // that of the start but for jumps, each of which changes it by at most twice the largest cost.
        let is_moving = mean >= f64::MIN_POSITIVE;
        // The sum over k of the probabilities of more than k jumps is their mean number.
        let cost_tails = match is_moving {
            true => (2.0 * poisson.tails * (poisson.last() + 1) as f64 + poisson.excess) / mean,
            false => 2.0 * mean,
        };
        let cost_tails = if largest > 0.0 { cost_tails } else { 0.0 };
        let average = if is_moving {
            sum.total / mean
        } else {
            start.iter().zip(&scaled).map(|(mass, cost)| mass * cost).sum::<f64>()
        };
        let total = scale(average, unit, time);
        check_total(&total, costs)?;
        // A weight takes three roundings a step from the mode, and sums of weights, of what they weigh and of those
        // beyond one a term each. Where the sum ends early, jumps that were not looked at count as well: in each, as
        // much may move unseen as roundings of a step hide.
        let roundings = jumps.roundings * poisson.last() as f64 + 2.0 * mean + 6.0 * poisson.weights.len() as f64;
        let report = TransientReport {
            distribution: sum.distribution,
            total,
            truncation: steady + (2.0 * poisson.tails).max(cost_tails),
            // Totals add one term a state and step, and may be so small that floats have fewer digits for them.
            rounding: (roundings + (start.len() + steps + 20) as f64) * ROUNDING * 1.01 + grain(largest, time),
            steps,
        };
        match halted {
            Some(halted) => Err(stopped(report, halted, scale(1.0, largest, time)).error()),
            None => Ok(report),
        }
    }
}

/// What is known where jumps were cut short; `unit` is the largest cost times the time.
fn stopped(report: TransientReport, halted: Halted, unit: f64) -> Stopped {
    let off = report.bound() * unit;
    let bounds = (report.total - off, report.total + off);
    Stopped {
        iterations: report.steps,
        radius: Some(report.bound()),
        best: report.distribution,
        bounds: (unit > 0.0 && off.is_finite()).then_some((bounds.0.next_down(), bounds.1.next_up())),
        ..halted.bare()
    }
}

/// A number of at most one times a cost and a time, of which the smaller one comes last: nothing on the way is beyond
/// all floats, or has fewer digits than the result.
fn scale(average: f64, cost: f64, time: f64) -> f64 {
    average * cost.max(time) * cost.min(time)
}

/// What the distance of the smallest floats may change in a total, as a part of the time and the largest cost; no total
/// is off by more than twice these.
fn grain(largest: f64, time: f64) -> f64 {
    if largest == 0.0 || time == 0.0 {
        return 0.0;
    }
    (f64::from_bits(1) / largest.min(time) / largest.max(time)).min(2.0)
}

fn check_costs<T: Scalar>(costs: &[T], expected: usize) -> Result<(), Error> {
    check_length("costs", expected, costs.len())?;
    check_numbers(costs)
}

/// Refuses a total that became too large for a float, for which the state of the largest cost answers.
fn check_total<T: Scalar>(total: &T, costs: &[T]) -> Result<(), Error> {
    if total.is_number() {
        return Ok(());
    }
    let mut largest = 0;
    for (state, cost) in costs.iter().enumerate() {
        if cost.abs() > costs[largest].abs() {
            largest = state;
        }
    }
    Err(Error::NotANumber {
        from: largest,
        to: largest,
    })
}

fn check_parameter(
    name: &'static str,
    value: f64,
    range: core::ops::RangeInclusive<f64>,
    expected: &'static str,
) -> Result<(), Error> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(Error::Parameter { name, value, expected })
}

/// Whether numbers are a distribution over the states: not negative, and one in sum.
pub(crate) fn check_distribution<T: Scalar>(start: &[T], expected: usize) -> Result<(), Error> {
    check_length("start probabilities", expected, start.len())?;
    let mut sum = T::zero();
    for value in start {
        sum += value;
    }
    let wrong = start.iter().position(|value| !value.is_number() || *value < T::zero());
    let deficit = T::one() - sum;
    if wrong.is_none() && is_rounding(&deficit) {
        return Ok(());
    }
    let deficit = deficit.to_float();
    Err(Error::NotADistribution { deficit, wrong })
}
