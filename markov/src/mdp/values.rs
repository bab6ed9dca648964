//! Least discounted cost of large processes in floats, by value iteration and modified policy iteration.

use matching_core::Budget;

use crate::budget::{Halted, Meter, OrStopped, Progress, StopReason, Stopped, Told};
use crate::elimination::{Refused, Room};
use crate::error::{Error, check_numbers};
use crate::mdp::Mdp;
use crate::mdp::discounted::{DiscountedSolution, check_discount, ending_within};
use crate::mdp::roundings::Roundings;
use crate::mdp::sweep::{Effort, Extent, Sweeps};
use crate::mdp::taken::Taken;
use crate::mdp::unit::Unit;

const EVALUATIONS: usize = 20;
/// Values of a policy need not be better than its next improvement: sweeps end once changes differ by this part of what
/// they differed by in the improvement.
const EVALUATED: f64 = 0.01;

/// Sweeps over all actions after which values of policies are looked for by elimination as well: most processes take fewer.
const PATIENCE: usize = 16;
/// So often it is looked at whether roundings hide what is still missing, where that is to end it.
const LOOK: usize = 4;
/// An entry that an elimination touches takes as long as so many that a sweep does, about.
const PRICE: u64 = 8;
/// Entries of the chain that is left in an elimination, at most, where that is more than a quarter more than in the beginning,
/// and changes for each entry if it is narrow.
const LIVE: usize = 250_000;
const NARROW: u64 = 50;
/// Changes for each of such entries that make more of them worth it.
const LONG: u64 = 64;
/// Changes that are few enough for any elimination.
const ENOUGH: u64 = 10_000_000;

/// Modified policy iteration: sweeps over all actions, and between them cheaper sweeps over the actions taken.
///
/// After a sweep that changed all values by between `a` and `b`, the least costs lie between the new values plus `a
/// discount / (1 - discount)` and plus `b discount / (1 - discount)`, so that a discount close to one does not slow it
/// down where states mix well.
///
/// Where they do not, as on a line, sweeps are many: the values of a policy are then those of an elimination in their
/// place, as in [`PolicyIteration`](crate::mdp::PolicyIteration), as often as that takes no longer than the sweeps. What is
/// proven comes from a sweep over all actions all the same.
///
/// # References
/// J. MacQueen, "A modified dynamic programming method for Markovian decision problems", Journal of Mathematical
/// Analysis and Applications 14 (1966), 38-43, doi:10.1016/0022-247X(66)90060-6; E. Porteus, "Some bounds for
/// discounted sequential decision processes", Management Science 18 (1971), 7-11, doi:10.1287/mnsc.18.1.7; M. Puterman,
/// M. Shin, "Modified policy iteration algorithms for discounted Markov decision problems", Management Science 24
/// (1978), 1127-1137, doi:10.1287/mnsc.24.11.1127.
#[derive(Clone, Debug)]
pub struct ValueIteration<'a> {
    effort: Effort<'a>,
    evaluations: usize,
}

impl Default for ValueIteration<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> ValueIteration<'a> {
    /// With this effort, and the settings of [`new`](Self::new).
    pub(super) fn with_effort(effort: Effort<'a>) -> Self {
        let evaluations = EVALUATIONS;
        Self { effort, evaluations }
    }

    /// To within 1e-9, with at most 20 sweeps over the actions taken after each of at most 100,000 over all actions, on
    /// all threads.
    pub fn new() -> Self {
        Self {
            effort: Effort::default(),
            evaluations: EVALUATIONS,
        }
    }

    /// How far values may lie from the least costs, before rounding is added to it.
    #[must_use]
    pub fn tolerance(mut self, radius: f64) -> Self {
        self.effort.tolerance = radius;
        self
    }

    /// How many sweeps over all actions there may be.
    #[must_use]
    pub fn iterations(mut self, limit: usize) -> Self {
        self.effort.iterations = limit;
        self
    }

    /// How many sweeps over the actions taken follow each sweep over all actions at most; with none it is value
    /// iteration.
    #[must_use]
    pub fn evaluations(mut self, limit: usize) -> Self {
        self.evaluations = limit;
        self
    }

    /// On how many threads sweeps run; the result does not depend on it. Never more are started than have some of the
    /// states to go through (2,048 are the least that one is woken for), nor than four for each core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.effort.threads = Some(threads);
        self
    }

    /// Limits of each solve; whatever is reached is [`Error::Stopped`] with the values and the policy of the last complete
    /// sweep over all actions, and the radius that is proven of these. Work is counted in entries of matrices that are
    /// touched: a sweep is a unit for each probability that it looks at, and for each action. Time and token are looked at
    /// within a sweep, every few thousand states. Memory is in proportion to the process, and is not limited.
    ///
    /// # Examples
    /// ```
    /// use markov::mdp::{Action, Mdp, ValueIteration};
    /// use markov::{Budget, Error};
    ///
    /// // Costs of 2 and 0 by turns: 2 / (1 - 0.999²) in all.
    /// let step = |to, cost| vec![Action { cost, moves: vec![(to, 1.0)] }];
    /// let turns = Mdp::new([step(1, 2.0), step(0, 0.0)])?;
    /// let solver = ValueIteration::new().tolerance(1e-13).budget(Budget::new().work(500));
    /// let Err(Error::Stopped(stopped)) = solver.solve(&turns, 0.999) else { panic!("that takes longer") };
    /// assert!((stopped.best[0] - 2.0 / 0.001999).abs() <= stopped.radius.expect("proven"));
    /// # Ok::<(), markov::Error>(())
    /// ```
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.effort.control.budget = budget;
        self
    }

    /// Called with progress, after the first sweep and then every 20 milliseconds or less often, with the radius but for
    /// roundings.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.effort.control.observer = Some(observer);
        self
    }

    /// A policy of nearly least discounted cost, and values with a proven radius: a cost `k` steps ahead counts
    /// `discount^k` times.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a discount that is not between 0 and 1, both excluded, a tolerance that is not
    /// positive, no sweeps or no threads; [`Error::NotConverged`] at the limit of sweeps, with the best values there,
    /// and how far the least costs may lie below or above each of them; [`Error::Stopped`], with the same and the policy,
    /// where the [budget](Self::budget) is spent; [`Error::NotANumber`] where costs add up to more than a float holds.
    ///
    /// # Complexity
    /// O(entries) per sweep.
    ///
    /// # Examples
    /// ```
    /// use markov::mdp::{Action, Mdp, ValueIteration};
    ///
    /// // Pay 1 a step, or 4 once for all.
    /// let rent = Mdp::new([
    ///     vec![Action { cost: 1.0, moves: vec![(0, 1.0)] }, Action { cost: 4.0, moves: vec![(1, 1.0)] }],
    ///     vec![Action { cost: 0.0, moves: vec![(1, 1.0)] }],
    /// ])?;
    /// let best = ValueIteration::new().solve(&rent, 0.8)?;
    /// assert!((best.values()[0] - 4.0).abs() <= *best.radius());
    /// assert_eq!(best.policy(), [1, 0]);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn solve(&self, mdp: &Mdp<f64>, discount: f64) -> Result<DiscountedSolution<f64>, Error> {
        let meter = self.effort.control.start();
        check_discount(&discount)?;
        self.solve_metered(mdp, discount, &meter)
    }

    /// As [`ValueIteration::solve`], as a part of what a meter counts.
    pub(super) fn solve_metered(
        &self,
        mdp: &Mdp<f64>,
        discount: f64,
        meter: &Meter<'_>,
    ) -> Result<DiscountedSolution<f64>, Error> {
        let sweeps = self.effort.start(mdp.len())?;
        meter.look().or_stopped()?;
        let unit = Unit::of(mdp);
        let mdp = unit.process(mdp);
        let mut known = Known::new(&mdp, meter);
        let found = self
            .sweep((&mdp, unit), discount, (&sweeps, meter), &mut known)
            .unwrap_or_else(|halted| Err(known.stopped(halted).error()));
        let solution = found.map_err(|error| unit.error(error))?.outside(unit);
        check_numbers(&solution.values)?;
        Ok(solution)
    }

    /// All sweeps; what is known at the last complete one over all actions stays where they are cut short.
    fn sweep(
        &self,
        (mdp, unit): (&Mdp<f64>, Unit),
        discount: f64,
        (sweeps, meter): (&Sweeps, &Meter<'_>),
        known: &mut Known<'_>,
    ) -> Result<Result<DiscountedSolution<f64>, Error>, Halted> {
        let ahead = discount / (1.0 - discount);
        let tolerance = unit.time(&self.effort.tolerance);
        let (mut values, mut newer) = (vec![0.0; mdp.len()], vec![0.0; mdp.len()]);
        let mut policy = vec![0_u32; mdp.len()];
        let mut taken = Taken::default();
        let mut direct = Direct::default();
        for iterations in 1..=self.effort.iterations {
            let extent = sweeps.improve(mdp, discount, &values, (&mut newer, &mut policy), meter)?;
            let radius = ahead * extent.span() / 2.0;
            meter.tell(|| Told {
                error: Some(unit.radius(&radius)),
                ..self.effort.told(iterations)
            });
            let is_looked_at = self.effort.is_nearest && iterations >= PATIENCE && iterations % LOOK == 0;
            let mut is_nearest = || radius <= known.roundings().of_discounted(discount, &values, extent);
            let is_done = radius <= tolerance || is_looked_at && is_nearest();
            if is_done || iterations == self.effort.iterations {
                let radius = radius + known.roundings().of_discounted(discount, &values, extent);
                newer.iter_mut().for_each(|value| *value += ahead * extent.middle());
                return Ok(conclude(newer, &policy, radius, iterations, is_done));
            }
            known.note(iterations, discount, extent, (&values, &newer), &policy);
            core::mem::swap(&mut values, &mut newer);
            let mut last = extent;
            if self.evaluations > 0 {
                // A policy that did not change is most likely the best.
                let is_settled = taken.update(mdp, &policy) == 0;
                if iterations >= PATIENCE && direct.is_due(&policy, meter) {
                    let sweeps = self.evaluations as u64 * (taken.entries() + mdp.len()) as u64;
                    if let Some(found) = direct.values(mdp, discount, &policy, (sweeps, meter))? {
                        values = found;
                        continue;
                    }
                }
                let enough = match is_settled {
                    true => tolerance / ahead,
                    false => EVALUATED * extent.span(),
                };
                for _ in 0..self.evaluations {
                    last = sweeps.evaluate(&taken, discount, &values, (&mut newer, &mut policy), meter)?;
                    core::mem::swap(&mut values, &mut newer);
                    if last.span() <= enough {
                        break;
                    }
                }
            }
            let shift = ahead * last.middle();
            values.iter_mut().for_each(|value| *value += shift);
        }
        unreachable!("the last iteration returns")
    }
}

/// Values of policies by elimination.
#[derive(Debug, Default)]
struct Direct {
    /// The last policy whose values were found: sweeps come to rest at its values, which another elimination would only
    /// round anew.
    policy: Vec<u32>,
    /// Units of work of the eliminations, and after how many of all others there may be another one.
    work: u64,
    due: u64,
}

impl Direct {
    fn is_due(&self, policy: &[u32], meter: &Meter<'_>) -> bool {
        meter.work() - self.work >= self.due && self.policy != policy
    }

    /// What a policy costs from each state; nothing where that takes too much. There is another elimination once sweeps
    /// have taken as long as this one, but for those `sweeps` that it stands for.
    fn values(
        &mut self,
        mdp: &Mdp<f64>,
        discount: f64,
        policy: &[u32],
        (sweeps, meter): (u64, &Meter<'_>),
    ) -> Result<Option<Vec<f64>>, Halted> {
        let begin = meter.work();
        let found = values_of(mdp, discount, policy, ((begin - self.work) / PRICE, meter))?;
        let work = meter.work() - begin;
        self.work += work;
        let price = PRICE * (work + mdp.len() as u64);
        let others = meter.work() - self.work;
        self.due = match found {
            Some(_) => others + price.saturating_sub(sweeps),
            None => 2 * others + price,
        };
        if found.is_some() {
            self.policy.clear();
            self.policy.extend_from_slice(policy);
        }
        Ok(found)
    }
}

/// As [`Direct::values`], where `worth` changes take as long as everything else did so far.
fn values_of(
    mdp: &Mdp<f64>,
    discount: f64,
    policy: &[u32],
    (worth, meter): (u64, &Meter<'_>),
) -> Result<Option<Vec<f64>>, Halted> {
    let policy: Vec<usize> = policy.iter().map(|&action| action as usize).collect();
    let moves = mdp.policy_rows(&policy);
    let live = LIVE.max(moves.entries() + moves.entries() / 4);
    // The longer sweeps take, the more may be tried in their place.
    let narrow = NARROW.max(PRICE * worth / moves.entries().max(1) as u64);
    let room = Room::within_step(meter).with_live(live.max((worth / LONG) as usize), narrow);
    let room = room.with_work(worth.max(ENOUGH));
    let done = match ending_within(&moves, &discount, room) {
        Err(Refused::Halted(halted)) if halted.reason != StopReason::MemoryLimit => return Err(halted),
        Err(_) => return Ok(None),
        Ok(done) => done,
    };
    let costs = policy.iter().enumerate();
    let costs = costs.map(|(state, &action)| *mdp.cost(state, action)).collect();
    let values = done.totals(costs, meter)?;
    Ok(check_numbers(&values).is_ok().then_some(values))
}

/// What sweeps have proven, kept where the next may be cut short.
struct Known<'a> {
    mdp: &'a Mdp<f64>,
    is_kept: bool,
    roundings: Option<Roundings>,
    iterations: usize,
    radius: f64,
    values: Vec<f64>,
    policy: Vec<u32>,
}

impl<'a> Known<'a> {
    fn new(mdp: &'a Mdp<f64>, meter: &Meter<'_>) -> Self {
        Self {
            mdp,
            is_kept: meter.is_watched(),
            roundings: None,
            iterations: 0,
            radius: f64::INFINITY,
            values: Vec::new(),
            policy: Vec::new(),
        }
    }

    fn roundings(&mut self) -> Roundings {
        *self.roundings.get_or_insert_with(|| Roundings::of(self.mdp))
    }

    /// Notes what a sweep that made `newer` ones of values has shown.
    fn note(
        &mut self,
        iterations: usize,
        discount: f64,
        extent: Extent,
        (values, newer): (&[f64], &[f64]),
        policy: &[u32],
    ) {
        if !self.is_kept {
            return;
        }
        let roundings = self.roundings();
        let ahead = discount / (1.0 - discount);
        self.iterations = iterations;
        self.radius = ahead * extent.span() / 2.0 + roundings.of_discounted(discount, values, extent);
        self.values.clear();
        self.values
            .extend(newer.iter().map(|value| value + ahead * extent.middle()));
        // Of values beyond all floats nothing is known.
        if check_numbers(&self.values).is_err() {
            self.values.clear();
            self.radius = f64::INFINITY;
        }
        self.policy.clear();
        self.policy.extend_from_slice(policy);
    }

    fn stopped(self, halted: Halted) -> Stopped {
        Stopped {
            iterations: self.iterations,
            best: self.values,
            policy: self.policy.into_iter().map(|action| action as usize).collect(),
            radius: Some(self.radius).filter(|radius| radius.is_finite()),
            ..halted.bare()
        }
    }
}

fn conclude(
    values: Vec<f64>,
    policy: &[u32],
    radius: f64,
    iterations: usize,
    is_done: bool,
) -> Result<DiscountedSolution<f64>, Error> {
    check_numbers(&values)?;
    if !is_done {
        return Err(Error::NotConverged {
            iterations,
            best: values,
            bounds: None,
            radius: Some(radius).filter(|radius| radius.is_finite()),
        });
    }
    Ok(DiscountedSolution {
        values,
        radius,
        policy: policy.iter().map(|&action| action as usize).collect(),
        iterations,
    })
}
