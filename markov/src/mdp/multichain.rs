//! Least average cost per step where it depends on the state in which the process starts.
//!
//! Gains `g` and values `h` with `g(i) = min over actions of sum of p(j) g(j)`, and `g(i) + h(i) = min of cost + sum of
//! p(j) h(j)` over the actions that attain the first minimum, belong to the best policy.
//!
//! Reference: M. Puterman, "Markov Decision Processes", Wiley 1994, chapter 9, doi:10.1002/9780470316887.

use core::cell::{Cell, RefCell};

use crate::budget::{Halted, Meter, Stopped};
use crate::elimination::Room;
use crate::error::{Error, check_numbers};
use crate::mdp::Mdp;
use crate::mdp::by_state::ByState;
use crate::mdp::improvement::ROUNDINGS;
use crate::mdp::iteration::{End, PolicyIteration, guessed};
use crate::mdp::optimality::underflow;
use crate::mdp::unit::Unit;
use crate::scalar::{Scalar, rational};
use crate::stationary::{ErrorBound, ErrorKind};

mod estimate;
mod verify;

impl PolicyIteration<'_> {
    /// The policy of least average cost per step from every state at once, whatever policies of the process look like.
    ///
    /// # Errors
    /// [`Error::NotConverged`] at the limit of iterations, with the gains of the last policy; [`Error::LengthMismatch`]
    /// and [`Error::ActionOutOfRange`] for a first policy that the process does not have; [`Error::NotANumber`] where
    /// costs add up to more than a float holds; [`Error::TooLarge`] where an elimination takes more
    /// [entries](Self::fill); [`Error::Stopped`], with the gains and the last policy, where the [budget](Self::budget) is
    /// spent.
    ///
    /// # Complexity
    /// Per iteration an elimination of all states, which is sparse, and O(entries).
    ///
    /// # Examples
    /// ```
    /// use markov::mdp::{Action, Mdp, PolicyIteration};
    ///
    /// // From state 0 one of two traps is chosen; who starts in the dearer one stays there.
    /// let to = |state, cost| Action { cost, moves: vec![(state, 1.0)] };
    /// let traps = Mdp::new([vec![to(1, 0.0), to(2, 9.0)], vec![to(1, 3.0)], vec![to(2, 1.0)]])?;
    /// let best = PolicyIteration::new().multichain(&traps)?;
    /// assert_eq!((best.gains(), best.policy()), (&[1.0, 3.0, 1.0][..], &[1, 0, 0][..]));
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn multichain<T: Scalar>(&self, mdp: &Mdp<T>) -> Result<MultichainSolution<T>, Error> {
        let meter = self.control.start();
        let first = self.first_policy(mdp)?;
        if !T::EXACT {
            return self.multichain_from(mdp, first, &meter);
        }
        let guess = self.multichain_from(&mdp.to_floats(), first.clone(), &meter);
        let first = guessed(guess.map(|guess| guess.policy), first)?;
        self.multichain_from(mdp, first, &meter)
    }

    pub(super) fn multichain_from<T: Scalar>(
        &self,
        mdp: &Mdp<T>,
        first: Vec<usize>,
        meter: &Meter<'_>,
    ) -> Result<MultichainSolution<T>, Error> {
        let unit = Unit::of(mdp);
        let found = self.multichain_in(&unit.process(mdp), first, meter);
        let found = found.map_err(|error| unit.error(error))?.outside(unit);
        for values in [found.gains(), found.bias()] {
            check_numbers(values)?;
        }
        Ok(found)
    }

    fn multichain_in<T: Scalar>(
        &self,
        mdp: &Mdp<T>,
        first: Vec<usize>,
        meter: &Meter<'_>,
    ) -> Result<MultichainSolution<T>, Error> {
        let evaluate = |policy: &mut Vec<usize>, iterations| {
            MultichainSolution::of_policy(mdp, policy, iterations, self.room(meter))
        };
        let known = |solution: &MultichainSolution<T>| self.told(solution.iterations);
        // Gains may rise by less than roundings show, and surely fall again. A policy that comes back is found by comparing
        // each with one, which is replaced after as many iterations as went before.
        let (ties, earlier) = (Cell::new(Ties::Equal), RefCell::new(Vec::new()));
        let improve = |solution: &MultichainSolution<T>, policy: &mut [usize]| {
            if solution.iterations.is_power_of_two() {
                earlier.replace(solution.policy.clone());
            }
            let is_changed = solution.improve(mdp, policy, ties.get(), meter)?;
            if is_changed && ties.get() == Ties::Equal && policy == earlier.borrow().as_slice() {
                ties.set(Ties::Rises);
                policy.copy_from_slice(&solution.policy);
                return solution.improve(mdp, policy, Ties::Rises, meter);
            }
            Ok(is_changed)
        };
        match self.run(first, evaluate, known, improve, meter)? {
            End::Best(mut solution) => {
                solution.error = solution.estimate(mdp);
                Ok(solution)
            }
            End::Limit(last) => Err(self.not_converged(&last.map_or_else(Vec::new, |last| last.found.gains), None)),
            End::Stopped(stopped, None) => Err(stopped.error()),
            End::Stopped(stopped, Some(last)) => Err(Stopped {
                best: last.found.gains.iter().map(Scalar::to_float).collect(),
                policy: last.policy,
                ..stopped
            }
            .error()),
        }
    }
}

/// A policy, and what it costs per step from each state.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "super::serial::UncheckedMultichain<T>",
        bound(deserialize = "T: Scalar + serde::Deserialize<'de>")
    )
)]
pub struct MultichainSolution<T = f64> {
    pub(super) found: ByState<T>,
    pub(super) policy: Vec<usize>,
    pub(super) iterations: usize,
    pub(super) error: f64,
}

/// What an action leads to, in differences to the state where it is taken: these stay small where values are large and
/// moves rare. Floats are off by about so much at most.
struct Ahead<T> {
    gain: T,
    gain_error: T,
    value: T,
    value_error: T,
}

impl<T: Scalar> Ahead<T> {
    /// The largest change of the gain that roundings leave open.
    fn highest(&self) -> T {
        self.gain.clone() + &self.gain_error
    }

    /// The smallest one.
    fn lowest(&self) -> T {
        self.gain.clone() - &self.gain_error
    }

    /// Whether it costs less on the way than another one, whatever roundings hide.
    fn is_less(&self, other: &Self) -> bool {
        self.value.clone() + &self.value_error + &other.value_error < other.value
    }
}

/// What changes of the gain count as of which roundings hide the sign.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ties {
    /// As none: policies get better as far as floats show.
    Equal,
    /// As larger gains: what is better is so for certain, and no policy comes back.
    Rises,
}

/// The action taken, or a better one.
///
/// All gains are compared with the least one: from each action to one that may be equal, they could rise as often as
/// there are actions.
fn best<T: Scalar>(actions: &[Ahead<T>], taken: usize, ties: Ties) -> usize {
    let mut least = taken;
    for (action, ahead) in actions.iter().enumerate() {
        if ahead.highest() < actions[least].highest() {
            least = action;
        }
    }
    let bound = actions[least].highest();
    let is_least = |action: usize| match ties {
        Ties::Equal => actions[action].lowest() <= bound,
        Ties::Rises => actions[action].highest() <= bound,
    };
    let mut best = if is_least(taken) { taken } else { least };
    for (action, ahead) in actions.iter().enumerate() {
        if is_least(action) && ahead.is_less(&actions[best]) {
            best = action;
        }
    }
    best
}

impl<T: Scalar> MultichainSolution<T> {
    /// Expected cost per step in the long run, from each state.
    pub fn gains(&self) -> &[T] {
        &self.found.gains
    }

    /// What starting in each state costs in total beyond its gain per step, relative to one state of each closed class.
    pub fn bias(&self) -> &[T] {
        &self.found.bias
    }

    /// The action of each state.
    pub fn policy(&self) -> &[usize] {
        &self.policy
    }

    /// Iterations of the last stage; for exact numbers, those in exact arithmetic.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// How far each gain may be off from the least one of its state: proven to be zero where numbers are exact, and
    /// estimated for floats, from what both equations miss, and from what roundings hide of better actions. Where values
    /// are larger than costs by more than floats hold, or moves to smaller gains are so rare that roundings hide them,
    /// or hide whether an action that costs less on the way leads to larger ones, it is of the size of the costs: nothing
    /// is known, and fractions will help.
    pub fn error(&self) -> ErrorBound {
        let kind = if T::EXACT {
            ErrorKind::Proven
        } else {
            ErrorKind::Estimated
        };
        ErrorBound {
            value: self.error,
            kind,
        }
    }

    /// Evaluates a policy.
    ///
    /// # Errors
    /// As [`PolicyIteration::multichain`].
    fn of_policy(mdp: &Mdp<T>, policy: &[usize], iterations: usize, room: Room<'_>) -> Result<Self, Error> {
        let found = mdp.evaluate_by_state(policy, room)?;
        // Sizes beyond all floats would make all actions equal.
        for values in [&found.gains, &found.bias, &found.bias_sizes] {
            check_numbers(values)?;
        }
        Ok(Self {
            found,
            policy: policy.to_vec(),
            iterations,
            error: 0.0,
        })
    }

    /// What was found in a unit, as it is outside. Sizes, which may be no floats there, are as large as floats are.
    fn outside(self, unit: Unit) -> Self {
        if unit.is_one() {
            return self;
        }
        let back = |values| unit.all_back(values);
        let sizes = |sizes: Vec<T>| {
            let sizes = sizes.into_iter().map(|size| unit.above(&size));
            let sizes = sizes.map(|size| match size.is_number() {
                true => size,
                false => T::from_rational(&rational(f64::MAX).unwrap_or_default()),
            });
            sizes.collect()
        };
        Self {
            found: ByState {
                gains: back(self.found.gains),
                bias: back(self.found.bias),
                gain_sizes: sizes(self.found.gain_sizes),
                bias_sizes: sizes(self.found.bias_sizes),
                gain_of: self.found.gain_of,
            },
            error: unit.radius(&self.error),
            ..self
        }
    }

    /// Takes actions that lead to smaller gains, and where there are none, those among the equal ones that cost less on
    /// the way. Whether any action changed.
    ///
    /// # Errors
    /// [`Halted`], with some actions changed.
    fn improve(&self, mdp: &Mdp<T>, policy: &mut [usize], ties: Ties, meter: &Meter<'_>) -> Result<bool, Halted> {
        let mut is_changed = false;
        let mut actions = Vec::new();
        for (state, taken) in policy.iter_mut().enumerate() {
            meter.spend(Self::units(mdp, state))?;
            self.look_ahead(mdp, state, *taken, &mut actions);
            let action = best(&actions, *taken, ties);
            is_changed |= action != *taken;
            *taken = action;
        }
        Ok(is_changed)
    }

    /// How much is looked at where all actions of a state are compared.
    fn units(mdp: &Mdp<T>, state: usize) -> u64 {
        let moves = (0..mdp.actions(state)).map(|action| mdp.moves(state, action).len() as u64 + 1);
        moves.sum()
    }

    /// What each action of a state leads to. By the one taken the gain changes by nothing, without any rounding.
    fn look_ahead(&self, mdp: &Mdp<T>, state: usize, taken: usize, actions: &mut Vec<Ahead<T>>) {
        actions.clear();
        actions.extend((0..mdp.actions(state)).map(|action| self.ahead(mdp, state, action)));
        (actions[taken].gain, actions[taken].gain_error) = (T::zero(), T::zero());
    }

    /// Expected change of the gain by an action, and its cost with the expected change of the value. What rows miss one
    /// by counts as staying.
    fn ahead(&self, mdp: &Mdp<T>, state: usize, action: usize) -> Ahead<T> {
        let ByState {
            gains,
            bias,
            gain_sizes,
            bias_sizes,
            ..
        } = &self.found;
        let cost = mdp.cost(state, action);
        let mut ahead = Ahead {
            gain: T::zero(),
            gain_error: T::zero(),
            value: cost.clone(),
            value_error: T::zero(),
        };
        let (mut gain_terms, mut value_terms) = (0, 0);
        for (to, weight) in mdp.moves(state, action).filter(|&(to, _)| to != state) {
            let (gain, value) = (gains[to].clone() - &gains[state], bias[to].clone() - &bias[state]);
            gain_terms += i64::from(!gain.is_zero());
            value_terms += i64::from(!value.is_zero());
            ahead.gain += &(gain * weight);
            ahead.value += &(value * weight);
            if !T::EXACT {
                // Where gains are one number, what rarely leads elsewhere is not hidden.
                if !self.found.is_one_gain(state, to) {
                    ahead.gain_error += &((gain_sizes[to].clone() + &gain_sizes[state]) * weight);
                }
                ahead.value_error += &((bias_sizes[to].clone() + &bias_sizes[state]) * weight);
            }
        }
        if !T::EXACT {
            let rounding = T::ratio(ROUNDINGS.0, ROUNDINGS.1);
            // Products that are too small for all their digits lose more than a part of themselves.
            let lost = |terms| if terms == 0 { T::zero() } else { underflow(terms) };
            ahead.gain_error = ahead.gain_error * &rounding + lost(gain_terms);
            ahead.value_error = (ahead.value_error + cost.abs() + &gain_sizes[state]) * rounding + lost(value_terms);
        }
        ahead
    }
}

#[cfg(test)]
mod tests;
