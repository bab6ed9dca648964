//! What was found, by which method, and how far it may be off.

use core::fmt;

use crate::error::Error;
use crate::mdp::average::AverageSolution;
use crate::mdp::discounted::DiscountedSolution;
use crate::mdp::multichain::MultichainSolution;
use crate::mdp::optimality::Optimality;
use crate::mdp::{CtMdp, Mdp};
use crate::scalar::Scalar;
use crate::stationary::{ErrorBound, ErrorKind};

/// What found an answer in the end; others may have begun it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Method {
    /// Values of policies by elimination, as in [`PolicyIteration`](crate::mdp::PolicyIteration).
    PolicyIteration,
    /// The same where the gain depends on the state:
    /// [`PolicyIteration::multichain`](crate::mdp::PolicyIteration::multichain).
    MultichainPolicyIteration,
    /// [`RelativeValueIteration`](crate::mdp::RelativeValueIteration).
    RelativeValueIteration,
    /// [`ValueIteration`](crate::mdp::ValueIteration).
    ValueIteration,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PolicyIteration => "policy iteration",
            Self::MultichainPolicyIteration => "multichain policy iteration",
            Self::RelativeValueIteration => "relative value iteration",
            Self::ValueIteration => "value iteration",
        })
    }
}

/// The policy of least average cost, by [`Solver::average`](crate::mdp::Solver::average).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AverageReport<T = f64> {
    pub(super) found: Gain<T>,
    pub(super) method: Method,
    pub(super) work: u64,
}

/// Least average costs per step.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Gain<T = f64> {
    /// One from every state, with proven bounds.
    Constant(AverageSolution<T>, Optimality<T>),
    /// One for each state.
    ByState(MultichainSolution<T>),
}

impl<T: Scalar> AverageReport<T> {
    /// The action of each state.
    pub fn policy(&self) -> &[usize] {
        match &self.found {
            Gain::Constant(solution, _) => solution.policy(),
            Gain::ByState(solution) => solution.policy(),
        }
    }

    /// Expected cost per step in the long run from a state; in continuous time per unit of time.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn gain(&self, state: usize) -> &T {
        match &self.found {
            Gain::Constant(solution, _) => {
                let len = solution.policy().len();
                assert!(state < len, "state {state} of {len}");
                solution.gain()
            }
            Gain::ByState(solution) => &solution.gains()[state],
        }
    }

    /// What starting in each state costs in total beyond its gain: see [`AverageSolution::bias`] and
    /// [`MultichainSolution::bias`].
    pub fn bias(&self) -> &[T] {
        match &self.found {
            Gain::Constant(solution, _) => solution.bias(),
            Gain::ByState(solution) => solution.bias(),
        }
    }

    /// The solution, and which kind it is of.
    pub fn found(&self) -> &Gain<T> {
        &self.found
    }

    /// Proven bounds, between which the least average cost and that of the policy lie from every state; none where gains
    /// are known by state.
    pub fn bounds(&self) -> Option<&Optimality<T>> {
        match &self.found {
            Gain::Constant(_, bounds) => Some(bounds),
            Gain::ByState(_) => None,
        }
    }

    /// How far each gain may be off from the least one, and that of the policy from it: proven by bounds, zero for fractions,
    /// and estimated for floats where gains depend on the state ([`MultichainSolution::error`]).
    pub fn error(&self) -> ErrorBound {
        match &self.found {
            Gain::Constant(_, bounds) => proven(&bounds.gap()),
            Gain::ByState(solution) => solution.error(),
        }
    }

    /// What found it.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Units of work of all methods together, as budgets count them.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Checks the report from the process alone, and says how far gains may be off: by bounds that are proven anew, or as
    /// [`MultichainSolution::verify`] does.
    ///
    /// # Errors
    /// Those of [`AverageSolution::verify`] and [`MultichainSolution::verify`], and [`Error::Parameter`] for bounds that are
    /// apart from those proven anew, which no least cost lies between.
    ///
    /// # Complexity
    /// O(entries); for floats where gains depend on the state, an elimination.
    pub fn verify(&self, mdp: &Mdp<T>) -> Result<ErrorBound, Error> {
        match &self.found {
            Gain::Constant(solution, told) => {
                let bounds = solution.verify(mdp)?;
                if told.lower() <= bounds.upper() && bounds.lower() <= told.upper() {
                    return Ok(proven(&bounds.gap()));
                }
                Err(Error::Parameter {
                    name: "lower bound",
                    value: told.lower().to_float(),
                    expected: "with the upper one around the least average cost",
                })
            }
            Gain::ByState(solution) => solution.verify(mdp).map(|()| solution.error()),
        }
    }

    /// As [`AverageReport::verify`], of a process in continuous time.
    ///
    /// # Errors
    /// As [`AverageReport::verify`], and those of [`CtMdp::uniformized`].
    pub fn verify_ctmdp(&self, process: &CtMdp<T>) -> Result<ErrorBound, Error> {
        let steps = process.uniformized()?;
        let in_steps = Self {
            found: self.found.clone().with_bias(|bias| *bias *= process.rate()),
            ..*self
        };
        in_steps.verify(&steps)
    }
}

impl<T: Scalar> Gain<T> {
    /// With each value of the bias, and sizes of roundings, changed.
    pub(super) fn with_bias(mut self, change: impl Fn(&mut T)) -> Self {
        match &mut self {
            Self::Constant(solution, _) => solution.bias.iter_mut().for_each(change),
            Self::ByState(solution) => {
                let found = &mut solution.found;
                found.bias.iter_mut().chain(&mut found.bias_sizes).for_each(change);
            }
        }
        self
    }
}

/// The policy of least discounted cost, by [`Solver::discounted`](crate::mdp::Solver::discounted).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DiscountedReport<T = f64> {
    pub(super) solution: DiscountedSolution<T>,
    pub(super) method: Method,
    pub(super) work: u64,
}

impl<T: Scalar> DiscountedReport<T> {
    /// The policy and the least cost from each state.
    pub fn solution(&self) -> &DiscountedSolution<T> {
        &self.solution
    }

    /// The action of each state.
    pub fn policy(&self) -> &[usize] {
        self.solution.policy()
    }

    /// The least cost from each state, to within the [error](Self::error).
    pub fn values(&self) -> &[T] {
        self.solution.values()
    }

    /// Proven: how far each value may be off from the least cost, and from that of the policy. Zero for fractions.
    pub fn error(&self) -> ErrorBound {
        proven(self.solution.radius())
    }

    /// What found it.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Units of work of all methods together, as budgets count them.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// As [`DiscountedSolution::verify`].
    ///
    /// # Errors
    /// As [`DiscountedSolution::verify`].
    ///
    /// # Complexity
    /// O(entries).
    pub fn verify(&self, mdp: &Mdp<T>, discount: &T) -> Result<ErrorBound, Error> {
        self.solution.verify(mdp, discount).map(|radius| proven(&radius))
    }
}

fn proven<T: Scalar>(error: &T) -> ErrorBound {
    let value = error.to_float();
    // Rounded up where a fraction is.
    let value = if T::EXACT && value > 0.0 {
        value.next_up()
    } else {
        value
    };
    let kind = ErrorKind::Proven;
    ErrorBound { value, kind }
}
