//! Policy iteration, whatever the criterion.

use crate::elimination::FILL;
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
pub struct PolicyIteration {
    iterations: usize,
    start: Option<Vec<usize>>,
    pub(crate) fill: usize,
}

/// How policy iteration ended.
#[derive(Debug)]
pub(crate) enum End<S> {
    /// No action is better than those of this policy.
    Best(S),
    /// At the limit, after this policy if any was evaluated.
    Limit(Option<S>),
}

impl Default for PolicyIteration {
    fn default() -> Self {
        Self::new()
    }
}

impl PolicyIteration {
    /// At most 1000 iterations, from the policy that takes the action of least cost in each state, with at most 50
    /// million entries of an elimination.
    pub fn new() -> Self {
        Self {
            iterations: ITERATIONS,
            start: None,
            fill: FILL,
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
    /// it; `improve` says whether it changed anything.
    pub(crate) fn run<S>(
        &self,
        mut policy: Vec<usize>,
        evaluate: impl Fn(&mut Vec<usize>, usize) -> Result<S, Error>,
        improve: impl Fn(&S, &mut [usize]) -> bool,
    ) -> Result<End<S>, Error> {
        let mut last = None;
        for iterations in 1..=self.iterations {
            let solution = evaluate(&mut policy, iterations)?;
            if !improve(&solution, &mut policy) {
                return Ok(End::Best(solution));
            }
            last = Some(solution);
        }
        Ok(End::Limit(last))
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
