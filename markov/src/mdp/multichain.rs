//! Least average cost per step where it depends on the state in which the process starts.
//!
//! Gains `g` and values `h` with `g(i) = min over actions of sum of p(j) g(j)`, and `g(i) + h(i) = min of cost + sum of
//! p(j) h(j)` over the actions that attain the first minimum, belong to the best policy.
//!
//! Reference: M. Puterman, "Markov Decision Processes", Wiley 1994, chapter 9, doi:10.1002/9780470316887.

use crate::budget::{Halted, Meter, OrStopped, Stopped};
use crate::error::{Error, check_numbers};
use crate::mdp::Mdp;
use crate::mdp::by_state::ByState;
use crate::mdp::improvement::ROUNDINGS;
use crate::mdp::iteration::{End, PolicyIteration, guessed};
use crate::scalar::Scalar;
use crate::stationary::{ErrorBound, ErrorKind};

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

    fn multichain_from<T: Scalar>(
        &self,
        mdp: &Mdp<T>,
        first: Vec<usize>,
        meter: &Meter<'_>,
    ) -> Result<MultichainSolution<T>, Error> {
        let evaluate = |policy: &mut Vec<usize>, iterations| {
            let found = mdp.evaluate_by_state(policy, self.room(meter))?;
            // Sizes beyond all floats would make all actions equal.
            for values in [&found.gains, &found.bias, &found.bias_sizes] {
                check_numbers(values)?;
            }
            Ok(MultichainSolution {
                found,
                policy: policy.clone(),
                iterations,
                error: 0.0,
            })
        };
        let known = |solution: &MultichainSolution<T>| self.told(solution.iterations);
        let improve = |solution: &MultichainSolution<T>, policy: &mut [usize]| solution.improve(mdp, policy, meter);
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
    /// it is of the size of the costs: nothing is known, and fractions will help.
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

    /// Checks that the gains are the least ones, from the process alone: both equations hold, without any error where
    /// numbers are exact, else to within some roundings of what their terms are sums of. How large these sums are a
    /// solution in floats knows from its solver, and one that was read from a file says so itself: whoever does not trust
    /// the file solves again.
    ///
    /// # Errors
    /// [`Error::NotOfPolicy`] where a gain or a value is not that of the policy, [`Error::NotLeast`] where another action
    /// is better than that of the policy; [`Error::LengthMismatch`] and [`Error::ActionOutOfRange`] where the solution
    /// does not belong to this process.
    pub fn verify(&self, mdp: &Mdp<T>) -> Result<(), Error> {
        mdp.check_policy(&self.policy)?;
        for (state, &action) in self.policy.iter().enumerate() {
            let ahead = self.ahead(mdp, state, action);
            if ahead.gain.abs() > ahead.gain_error {
                return Err(Error::NotOfPolicy { what: "gain", state });
            }
            let excess = ahead.value - &self.found.gains[state];
            if excess.abs() > ahead.value_error {
                return Err(Error::NotOfPolicy { what: "value", state });
            }
        }
        let mut better = self.policy.clone();
        self.improve(mdp, &mut better, &Meter::unlimited()).or_stopped()?;
        let mut actions = self.policy.iter().zip(better).enumerate();
        match actions.find(|(_, (taken, better))| *taken != better) {
            Some((state, (_, action))) => Err(Error::NotLeast { state, action }),
            None => Ok(()),
        }
    }

    /// Takes actions that lead to smaller gains, and where there are none, those among the equal ones that cost less on
    /// the way. Whether any action changed.
    ///
    /// # Errors
    /// [`Halted`], with some actions changed.
    fn improve(&self, mdp: &Mdp<T>, policy: &mut [usize], meter: &Meter<'_>) -> Result<bool, Halted> {
        let mut is_changed = false;
        for (state, action) in policy.iter_mut().enumerate() {
            let mut best = self.ahead(mdp, state, *action);
            for other in 0..mdp.actions(state) {
                meter.spend(mdp.moves(state, other).len() as u64 + 1)?;
                let ahead = self.ahead(mdp, state, other);
                let of_gain = ahead.gain_error.clone() + &best.gain_error;
                let of_value = ahead.value_error.clone() + &best.value_error;
                let is_cheaper = ahead.gain.clone() + &of_gain < best.gain;
                let is_equal = ahead.gain <= best.gain.clone() + &of_gain;
                if is_cheaper || (is_equal && ahead.value.clone() + &of_value < best.value) {
                    best = ahead;
                    *action = other;
                    is_changed = true;
                }
            }
        }
        Ok(is_changed)
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
        for (to, weight) in mdp.moves(state, action).filter(|&(to, _)| to != state) {
            ahead.gain += &((gains[to].clone() - &gains[state]) * weight);
            ahead.value += &((bias[to].clone() - &bias[state]) * weight);
            if !T::EXACT {
                // Within a class there is one gain, so that what rarely leads out of it is not hidden.
                if !self.found.is_one_class(state, to) {
                    ahead.gain_error += &((gain_sizes[to].clone() + &gain_sizes[state]) * weight);
                }
                ahead.value_error += &((bias_sizes[to].clone() + &bias_sizes[state]) * weight);
            }
        }
        if !T::EXACT {
            let rounding = T::ratio(ROUNDINGS.0, ROUNDINGS.1);
            ahead.gain_error *= &rounding;
            ahead.value_error = (ahead.value_error + cost.abs() + &gain_sizes[state]) * rounding;
        }
        ahead
    }

    /// For any gains that no action leads below, and values, each policy costs at least the gain less the largest
    /// amount by which `gain <= cost + expected change of the value` is missed; the policy at hand at most the gain and
    /// the largest amount by which it misses the equation. Actions that lead to larger gains do not count: a multiple
    /// of the gains that is large enough, added to the values, makes up for what they save at once. Actions of which
    /// roundings hide whether they lead to smaller gains may lower the gain as often as they are taken.
    fn estimate(&self, mdp: &Mdp<T>) -> f64 {
        if T::EXACT {
            return 0.0;
        }
        let (mut missed, mut hidden) = (0.0_f64, 0.0_f64);
        for (state, &taken) in self.policy.iter().enumerate() {
            let mut fall = 0.0_f64;
            for action in 0..mdp.actions(state) {
                let ahead = self.ahead(mdp, state, action);
                if ahead.gain > ahead.gain_error {
                    continue;
                }
                missed = missed.max(self.missed(state, action, &ahead));
                if action != taken {
                    fall = fall.max(self.hidden_fall(mdp, state, action, &ahead));
                }
            }
            // From one such action to the next the gain may fall further.
            hidden += fall;
        }
        let gains = || self.found.gains.iter().map(Scalar::to_float);
        let range = gains().fold(f64::MIN, f64::max) - gains().fold(f64::MAX, f64::min);
        let largest = self.found.gain_sizes.iter().map(Scalar::to_float).fold(0.0, f64::max);
        let roundings = largest * mdp.len() as f64 * T::ratio(ROUNDINGS.0, ROUNDINGS.1).to_float();
        missed + hidden.min(range) + roundings
    }

    /// By how much the second equation is missed at most, upwards or by the action taken.
    fn missed(&self, state: usize, action: usize, ahead: &Ahead<T>) -> f64 {
        let by = (self.found.gains[state].clone() - &ahead.value).to_float();
        let by = if action == self.policy[state] {
            by.abs()
        } else {
            by.max(0.0)
        };
        by + ahead.value_error.to_float()
    }

    /// What an action may lower the gain by in the end, where roundings hide whether it does. Each time it is taken
    /// this is the least change that they leave open; as soon as the chain is where the gain is another one, it is
    /// over, and no more is lost than the gain is smaller there.
    fn hidden_fall(&self, mdp: &Mdp<T>, state: usize, action: usize, ahead: &Ahead<T>) -> f64 {
        let gain = &self.found.gains[state];
        let at_once = (ahead.gain_error.clone() - &ahead.gain).to_float();
        let (mut deepest, mut change) = (0.0_f64, 0.0);
        for (to, weight) in mdp.moves(state, action) {
            let fall = (gain.clone() - &self.found.gains[to]).to_float();
            deepest = deepest.max(fall);
            change += fall.abs() * weight.to_float();
        }
        if deepest > 0.0 {
            deepest * (at_once / change).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}
