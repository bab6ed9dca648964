//! Least average cost per step of large processes, by relative value iteration in floats.

use matching_core::Budget;

use crate::budget::{Halted, Meter, OrStopped, Progress, Stopped, Told};
use crate::error::{Error, check_numbers};
use crate::mdp::Mdp;
use crate::mdp::average::AverageSolution;
use crate::mdp::optimality::Optimality;
use crate::mdp::roundings::Roundings;
use crate::mdp::sweep::{Effort, Extent, Sweeps};
use crate::mdp::unit::Unit;

/// So many sweeps must halve the gap between the bounds, else steps are damped.
const PATIENCE: usize = 32;
/// Half a step is best for periodic processes, however long the period.
const DAMPED: f64 = 0.5;

/// Relative value iteration: look one step ahead from all states until every state gains the same.
///
/// Periodic processes never come to rest by themselves. Where the bounds do not close in, states are given half a
/// chance to stay, which changes no average.
///
/// # References
/// D. White, "Dynamic programming, Markov chains, and the method of successive approximations", Journal of Mathematical
/// Analysis and Applications 6 (1963), 373-376, doi:10.1016/0022-247X(63)90017-9; A. Odoni, "On finding the maximal
/// gain for Markov decision processes", Operations Research 17 (1969), 857-860, doi:10.1287/opre.17.5.857; P.
/// Schweitzer, "Iterative solution of the functional equations of undiscounted Markov renewal programming", Journal of
/// Mathematical Analysis and Applications 34 (1971), 495-501, doi:10.1016/0022-247X(71)90094-1.
#[derive(Clone, Debug)]
pub struct RelativeValueIteration<'a> {
    effort: Effort<'a>,
}

impl Default for RelativeValueIteration<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> RelativeValueIteration<'a> {
    /// To a gap of 1e-9 between the bounds, in at most 100,000 sweeps, on all threads.
    pub fn new() -> Self {
        Self {
            effort: Effort::default(),
        }
    }

    /// The gap between the bounds, in units of cost per step, before rounding is added to it.
    #[must_use]
    pub fn tolerance(mut self, gap: f64) -> Self {
        self.effort.tolerance = gap;
        self
    }

    /// How many sweeps there may be.
    #[must_use]
    pub fn iterations(mut self, limit: usize) -> Self {
        self.effort.iterations = limit;
        self
    }

    /// On how many threads sweeps run; the result does not depend on it. Never more are started than have some of the
    /// states to go through (2,048 are the least that one is woken for), nor than four for each core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.effort.threads = Some(threads);
        self
    }

    /// Limits of each solve; whatever is reached is [`Error::Stopped`] with the bias, the policy of the last complete sweep,
    /// and bounds of the least average cost that it proves. Work is counted in entries of matrices that are touched: a
    /// sweep is a unit for each probability and for each action. Time and token are looked at within a sweep, every few
    /// thousand states. Memory is in proportion to the process, and is not limited.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.effort.control.budget = budget;
        self
    }

    /// Called with progress, after the first sweep and then every 20 milliseconds or less often, with proven bounds.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.effort.control.observer = Some(observer);
        self
    }

    /// A policy of nearly least average cost per step, with proven bounds.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a tolerance that is not positive, no sweeps or no threads; [`Error::NotConverged`] at
    /// the limit of sweeps, with the bias there and proven bounds of the least average cost. So it ends where that cost
    /// depends on the state in which the process starts. [`Error::Stopped`], with the same and the policy, where the
    /// [budget](Self::budget) is spent. [`Error::NotANumber`] where costs add up to more than a float holds.
    ///
    /// # Complexity
    /// O(entries) per sweep.
    ///
    /// # Examples
    /// ```
    /// use markov::mdp::{Action, Mdp, RelativeValueIteration};
    ///
    /// // A process of period two: 1 and 4 by turns.
    /// let turns = Mdp::new([
    ///     vec![Action { cost: 1.0, moves: vec![(1, 1.0)] }],
    ///     vec![Action { cost: 4.0, moves: vec![(0, 1.0)] }],
    /// ])?;
    /// let found = RelativeValueIteration::new().solve(&turns)?;
    /// assert!(*found.bounds().lower() <= 2.5 && 2.5 <= *found.bounds().upper());
    /// assert!(found.bounds().gap() < 1e-8);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn solve(&self, mdp: &Mdp<f64>) -> Result<BoundedSolution, Error> {
        let unit = Unit::of(mdp);
        let found = self.solve_in(unit, &unit.process(mdp));
        found.map_err(|error| unit.error(error))?.outside(unit, mdp)
    }

    /// The solution of a process in a unit, with what an observer is told as it is outside.
    fn solve_in(&self, unit: Unit, mdp: &Mdp<f64>) -> Result<BoundedSolution, Error> {
        let meter = self.effort.control.start();
        let mut relative = Relative::new(&self.effort, unit, mdp, &meter)?;
        loop {
            let extent = relative.sweep()?;
            if relative.is_done(extent) || relative.is_at_limit() {
                return relative.conclude(extent);
            }
            relative.advance(extent);
        }
    }
}

/// Relative value iteration on its way.
pub(super) struct Relative<'a> {
    mdp: &'a Mdp<f64>,
    effort: &'a Effort<'a>,
    unit: Unit,
    tolerance: f64,
    meter: &'a Meter<'a>,
    sweeps: Sweeps,
    known: Known<'a>,
    values: Vec<f64>,
    /// What the last sweep made of them, and its actions.
    newer: Vec<f64>,
    policy: Vec<u32>,
    /// How much of a step values take, and how far the bounds were apart when that was looked at last.
    part: f64,
    milestone: f64,
    iterations: usize,
}

impl<'a> Relative<'a> {
    /// From values of zero, of a process in a unit.
    ///
    /// # Errors
    /// As [`RelativeValueIteration::solve`].
    pub(super) fn new(
        effort: &'a Effort<'a>,
        unit: Unit,
        mdp: &'a Mdp<f64>,
        meter: &'a Meter<'a>,
    ) -> Result<Self, Error> {
        let sweeps = effort.start(mdp.len())?;
        meter.look().or_stopped()?;
        Ok(Self {
            mdp,
            effort,
            unit,
            tolerance: unit.time(&effort.tolerance),
            meter,
            sweeps,
            known: Known::new(mdp, meter),
            values: vec![0.0; mdp.len()],
            newer: vec![0.0; mdp.len()],
            policy: vec![0; mdp.len()],
            part: 1.0,
            milestone: f64::INFINITY,
            iterations: 0,
        })
    }

    /// Looks one step ahead from all states.
    ///
    /// # Errors
    /// [`Error::Stopped`], with what was known before.
    pub(super) fn sweep(&mut self) -> Result<Extent, Error> {
        let out = (&mut self.newer[..], &mut self.policy[..]);
        let extent = match self.sweeps.improve(self.mdp, 1.0, &self.values, out, self.meter) {
            Ok(extent) => extent,
            Err(halted) => return Err(self.stopped(halted).error()),
        };
        self.iterations += 1;
        self.known.note(self.iterations, extent, &self.values, &self.policy);
        self.meter.tell(|| Told {
            bounds: self.unit.bounds(self.known.bounds(extent, &self.values)),
            ..self.effort.told(self.iterations)
        });
        Ok(extent)
    }

    fn stopped(&mut self, halted: Halted) -> Stopped {
        let values = core::mem::take(&mut self.values);
        self.known.stopped(halted, values)
    }

    /// What is known where something between sweeps was stopped.
    pub(super) fn stopped_between(&mut self, why: &Stopped) -> Stopped {
        let (reason, work) = (why.reason, why.work);
        self.stopped(Halted { reason, work })
    }

    /// The actions of the last sweep.
    pub(super) fn policy(&self) -> &[u32] {
        &self.policy
    }

    /// What the last sweep has shown, to come back to.
    pub(super) fn mark(&self, extent: Extent) -> Mark {
        Mark {
            gap: self.gap(extent),
            values: self.values.clone(),
            bounds: self.known.bounds,
            policy: self.known.policy.clone(),
        }
    }

    /// Comes back to what was known.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.replace(mark.values);
        (self.known.bounds, self.known.policy) = (mark.bounds, mark.policy);
    }

    /// Goes on from these values.
    pub(super) fn replace(&mut self, values: Vec<f64>) {
        self.values = values;
        self.milestone = f64::INFINITY;
    }

    /// How many times a sweep must bring the bounds nearer by a factor of e.
    pub(super) fn missing(&self, extent: Extent) -> f64 {
        (extent.span() / self.tolerance).ln().max(0.0)
    }

    pub(super) fn is_done(&self, extent: Extent) -> bool {
        extent.span() <= self.tolerance
    }

    /// Whether roundings hide what sweeps still change.
    pub(super) fn is_nearest(&self, extent: Extent) -> bool {
        // Each change may be off by half of what bounds allow for.
        extent.span() <= self.gap(extent) / 2.0
    }

    /// How far the bounds are apart, with what roundings may hide.
    pub(super) fn gap(&self, extent: Extent) -> f64 {
        let (lower, upper) = self.known.bounds(extent, &self.values);
        upper - lower
    }

    pub(super) fn is_at_limit(&self) -> bool {
        self.iterations >= self.effort.iterations
    }

    /// Goes on from what the sweep has made of the values.
    pub(super) fn advance(&mut self, extent: Extent) {
        if self.iterations.is_multiple_of(PATIENCE) {
            if extent.span() > self.milestone / 2.0 {
                self.part = DAMPED;
            }
            self.milestone = extent.span();
        }
        self.sweeps
            .relax(&mut self.values, &self.newer, self.part, -self.part * extent.middle());
    }

    /// The policy of the last sweep, with bounds that are proven by its values; an error where these are not as near as
    /// they are to be.
    pub(super) fn conclude(self, extent: Extent) -> Result<BoundedSolution, Error> {
        let is_done = self.is_done(extent) || self.effort.is_nearest && self.is_nearest(extent);
        let (iterations, bias) = (self.iterations, self.values);
        check_numbers(&bias)?;
        let policy: Vec<usize> = self.policy.iter().map(|&action| action as usize).collect();
        let bounds = Optimality::prove(self.mdp, &bias, &policy, &Meter::unlimited())?;
        let (lower, upper) = (*bounds.lower(), *bounds.upper());
        if !is_done {
            return Err(Error::NotConverged {
                iterations,
                best: bias,
                bounds: Some((lower, upper)),
                radius: None,
            });
        }
        let gain = lower.midpoint(upper);
        let solution = AverageSolution {
            gain,
            bias,
            policy,
            iterations,
        };
        Ok(BoundedSolution { solution, bounds })
    }
}

/// Values, and what a sweep over them has shown.
pub(super) struct Mark {
    /// How far the bounds are apart.
    pub(super) gap: f64,
    values: Vec<f64>,
    bounds: Option<(f64, f64)>,
    policy: Vec<u32>,
}

/// What sweeps have proven, kept where the next may be cut short.
struct Known<'a> {
    mdp: &'a Mdp<f64>,
    is_kept: bool,
    /// Found when they are first of use.
    roundings: std::cell::OnceCell<Roundings>,
    iterations: usize,
    bounds: Option<(f64, f64)>,
    policy: Vec<u32>,
}

impl<'a> Known<'a> {
    fn new(mdp: &'a Mdp<f64>, meter: &Meter<'_>) -> Self {
        Self {
            mdp,
            is_kept: meter.is_watched(),
            roundings: std::cell::OnceCell::new(),
            iterations: 0,
            bounds: None,
            policy: Vec::new(),
        }
    }

    fn bounds(&self, extent: Extent, values: &[f64]) -> (f64, f64) {
        let roundings = self.roundings.get_or_init(|| Roundings::of(self.mdp));
        roundings.bounds(values, extent)
    }

    /// Notes what a sweep over these values has shown.
    fn note(&mut self, iterations: usize, extent: Extent, values: &[f64], policy: &[u32]) {
        if !self.is_kept {
            return;
        }
        self.iterations = iterations;
        self.bounds = Some(self.bounds(extent, values)).filter(|(lower, upper)| (upper - lower).is_finite());
        self.policy.clear();
        self.policy.extend_from_slice(policy);
    }

    fn stopped(&mut self, halted: Halted, bias: Vec<f64>) -> Stopped {
        let policy = core::mem::take(&mut self.policy);
        Stopped {
            iterations: self.iterations,
            // Of values beyond all floats nothing is known.
            best: match self.iterations > 0 && check_numbers(&bias).is_ok() {
                true => bias,
                false => Vec::new(),
            },
            policy: policy.into_iter().map(|action| action as usize).collect(),
            bounds: self.bounds,
            ..halted.bare()
        }
    }
}

/// A policy in floats, and between what its cost per step and the least one lie.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "super::serial::UncheckedBounded")
)]
pub struct BoundedSolution {
    pub(crate) solution: AverageSolution<f64>,
    pub(super) bounds: Optimality<f64>,
}

impl BoundedSolution {
    /// What was found in a unit of a process, as it is outside.
    ///
    /// # Errors
    /// [`Error::NotANumber`] and [`Error::Action`] for what is more than a float holds there.
    pub(super) fn outside(self, unit: Unit, mdp: &Mdp<f64>) -> Result<Self, Error> {
        let Self { solution, bounds } = self;
        if unit.is_one() {
            return Ok(Self { solution, bounds });
        }
        let (bias, policy) = (unit.all_back(solution.bias), solution.policy);
        check_numbers(&bias)?;
        let bounds = match unit.bounds((*bounds.lower(), *bounds.upper())) {
            Some((lower, upper)) => Optimality { lower, upper },
            // Which action it is that has none.
            None => Optimality::prove(mdp, &bias, &policy, &Meter::unlimited())?,
        };
        let solution = AverageSolution {
            gain: bounds.lower().midpoint(*bounds.upper()),
            bias,
            policy,
            ..solution
        };
        Ok(Self { solution, bounds })
    }

    /// The policy; its gain is the middle between the bounds.
    pub fn solution(&self) -> &AverageSolution<f64> {
        &self.solution
    }

    /// Proven bounds, rounded outwards.
    pub fn bounds(&self) -> &Optimality<f64> {
        &self.bounds
    }
}
