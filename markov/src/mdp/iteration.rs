//! Policy iteration, whatever the criterion.

use matching_core::Budget;

use crate::budget::{Control, Halted, Meter, Progress, Stage, StopReason, Stopped, Told};
use crate::elimination::{FILL, Room};
use crate::error::Error;
use crate::mdp::Mdp;
use crate::scalar::Scalar;

const ITERATIONS: usize = 1000;

/// Policy iteration: evaluate a policy, take better actions, until there are none.
///
/// Exact numbers are spared most of the work: the policy is found in floats, and evaluated and improved exactly from
/// there on, which ends after one evaluation unless rounding misled the floats.
///
/// # References
/// R. Howard, "Dynamic Programming and Markov Processes", MIT Press 1960; M. Puterman, "Markov Decision Processes",
/// Wiley 1994, chapters 6, 8 and 9, doi:10.1002/9780470316887.
#[derive(Clone, Debug)]
pub struct PolicyIteration<'a> {
    iterations: usize,
    start: Option<Vec<usize>>,
    fill: usize,
    pub(crate) control: Control<'a>,
}

/// How policy iteration ended.
#[derive(Debug)]
pub(crate) enum End<S> {
    /// No action is better than those of this policy.
    Best(S),
    /// At the limit, after this policy if any was evaluated.
    Limit(Option<S>),
    /// At the end of the budget, likewise; without what is known of the policy.
    Stopped(Stopped, Option<S>),
}

impl Default for PolicyIteration<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> PolicyIteration<'a> {
    /// At most 1000 iterations, from the policy that takes the action of least cost in each state, with at most 50
    /// million entries of an elimination.
    pub fn new() -> Self {
        Self {
            iterations: ITERATIONS,
            start: None,
            fill: FILL,
            control: Control::default(),
        }
    }

    /// How many policies may be evaluated.
    #[must_use]
    pub fn iterations(mut self, limit: usize) -> Self {
        self.iterations = limit;
        self
    }

    /// The first policy: an action for each state.
    #[must_use]
    pub fn start(mut self, policy: Vec<usize>) -> Self {
        self.start = Some(policy);
        self
    }

    /// Entries that the elimination of a policy's states may keep, about 16 bytes each for floats, and up to three times
    /// that on the way. Where states lead to others at random, some ten thousand of them fill any memory: such
    /// processes are for [`ValueIteration`](crate::mdp::ValueIteration) and
    /// [`RelativeValueIteration`](crate::mdp::RelativeValueIteration).
    #[must_use]
    pub fn fill(mut self, limit: usize) -> Self {
        self.fill = limit;
        self
    }

    /// Limits of each solve, for exact numbers those of floats that come first and of fractions together; whatever is
    /// reached is [`Error::Stopped`], with the last policy that was evaluated and what is proven of it: bounds of the
    /// least average cost, and the radius of values at a discount. That is proven once a policy, which takes about as
    /// long as improving it, where there is a budget. Before the first policy is evaluated it is what that would have
    /// been. From fractions that were still looked for in floats nothing is proven.
    ///
    /// Work is counted in entries of matrices that are touched: rates that change in an elimination, moves of actions
    /// that are compared. Time and token are looked at every few milliseconds, also within an elimination, but not
    /// within a single operation on fractions. Memory is that of an elimination, as in
    /// [`Stationary::budget`](crate::Stationary::budget).
    ///
    /// # Examples
    /// ```
    /// use markov::mdp::{Action, Mdp, PolicyIteration};
    /// use markov::{Budget, CancelToken, Error, StopReason};
    ///
    /// let idle = Mdp::new([vec![Action { cost: 1.0, moves: vec![(0, 1.0)] }]])?;
    /// let token = CancelToken::new();
    /// let solver = PolicyIteration::new().budget(Budget::new().cancel(token.clone()));
    /// token.cancel(); // from another thread
    /// let Err(Error::Stopped(stopped)) = solver.average(&idle) else { panic!("it was cancelled") };
    /// assert_eq!((stopped.reason, &stopped.policy[..]), (StopReason::Cancelled, &[0][..]));
    /// # Ok::<(), markov::Error>(())
    /// ```
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.control.budget = budget;
        self
    }

    /// Called with progress: after each policy, and within the eliminations at the start and then every 20 milliseconds or
    /// less often. After a policy there are bounds of the least average cost, or the radius of values at a discount, which
    /// takes about as long as improving it; for the gains of [`multichain`](Self::multichain) there is neither, nor are
    /// there bounds of fractions while these are looked for in floats.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.control.observer = Some(observer);
        self
    }

    /// What eliminations may take.
    pub(crate) fn room<'m>(&self, meter: &'m Meter<'m>) -> Room<'m> {
        Room::new(self.fill, meter)
    }

    pub(crate) fn first_policy<T: Scalar>(&self, mdp: &Mdp<T>) -> Result<Vec<usize>, Error> {
        if let Some(policy) = &self.start {
            mdp.check_policy(policy)?;
            return Ok(policy.clone());
        }
        let cheapest = |state| {
            let mut best = 0;
            for other in 1..mdp.actions(state) {
                if mdp.cost(state, other) < mdp.cost(state, best) {
                    best = other;
                }
            }
            best
        };
        Ok((0..mdp.len()).map(cheapest).collect())
    }

    /// Evaluates and improves policies. `evaluate` may change a policy, and is told how many have been evaluated with
    /// it; `known` says what an observer is told of it; `improve` says whether it changed anything.
    pub(crate) fn run<S>(
        &self,
        mut policy: Vec<usize>,
        evaluate: impl Fn(&mut Vec<usize>, usize) -> Result<S, Error>,
        known: impl Fn(&S) -> Told,
        improve: impl Fn(&S, &mut [usize]) -> Result<bool, Halted>,
        meter: &Meter<'_>,
    ) -> Result<End<S>, Error> {
        let mut last = None;
        let stopped = |stopped: Stopped, iterations, policy, last| {
            let stopped = Stopped {
                iterations,
                policy,
                ..stopped
            };
            Ok(End::Stopped(stopped, last))
        };
        for iterations in 1..=self.iterations {
            let solution = match evaluate(&mut policy, iterations) {
                Err(Error::Stopped(why)) => return stopped(*why, iterations - 1, policy, last),
                found => found?,
            };
            meter.tell_at_once(|| known(&solution));
            match improve(&solution, &mut policy) {
                Ok(true) => {}
                Ok(false) => return Ok(End::Best(solution)),
                Err(halted) => return stopped(halted.bare(), iterations, policy, Some(solution)),
            }
            last = Some(solution);
        }
        Ok(End::Limit(last))
    }

    /// What an observer is told of a policy.
    pub(crate) fn told(&self, iterations: usize) -> Told {
        Told {
            of: Some(self.iterations),
            ..Told::of(Stage::Policies, iterations)
        }
    }

    /// The error of a run that ended at the limit.
    pub(crate) fn not_converged<T: Scalar>(&self, best: &[T], bounds: Option<(f64, f64)>) -> Error {
        Error::NotConverged {
            iterations: self.iterations,
            best: best.iter().map(Scalar::to_float).collect(),
            bounds,
            radius: None,
        }
    }
}

/// The policy that exact numbers begin with: the one found in floats, or the first where floats found none.
///
/// # Errors
/// [`Error::Stopped`] where the budget was spent by then. What was proven is of other numbers.
pub(crate) fn guessed(found: Result<Vec<usize>, Error>, first: Vec<usize>) -> Result<Vec<usize>, Error> {
    match found {
        Ok(policy) => Ok(policy),
        Err(Error::Stopped(stopped)) if stopped.reason != StopReason::MemoryLimit => Err(Stopped {
            bounds: None,
            radius: None,
            ..*stopped
        }
        .error()),
        Err(_) => Ok(first),
    }
}
