//! Least average cost per step where it depends on the state in which the process starts.
//!
//! Gains `g` and values `h` with `g(i) = min over actions of sum of p(j) g(j)`, and
//! `g(i) + h(i) = min of cost + sum of p(j) h(j)` over the actions that attain the first minimum, belong to the best policy.
//!
//! Reference: M. Puterman, "Markov Decision Processes", Wiley 1994, chapter 9, doi:10.1002/9780470316887.

use crate::classify::Classes;
use crate::elimination::Within;
use crate::error::{Error, check_numbers};
use crate::mdp::Mdp;
use crate::mdp::evaluation::Evaluated;
use crate::mdp::iteration::{End, PolicyIteration};
use crate::scalar::Scalar;

/// Floats differ only by more than this part of the largest number among them.
const TOLERANCE: (i64, i64) = (1, 1_000_000_000_000);

impl PolicyIteration {
    /// The policy of least average cost per step from every state at once, whatever policies of the process look like.
    ///
    /// # Errors
    /// [`Error::NotConverged`] at the limit of iterations, with the gains of the last policy; [`Error::LengthMismatch`] and
    /// [`Error::ActionOutOfRange`] for a first policy that the process does not have; [`Error::NotANumber`] where costs add up
    /// to more than a float holds.
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
        let first = self.first_policy(mdp)?;
        if !T::EXACT {
            return self.multichain_from(mdp, first);
        }
        let guess = self.multichain_from(&mdp.to_floats(), first.clone());
        self.multichain_from(mdp, guess.map_or(first, |guess| guess.policy))
    }

    fn multichain_from<T: Scalar>(&self, mdp: &Mdp<T>, first: Vec<usize>) -> Result<MultichainSolution<T>, Error> {
        let evaluate = |policy: &mut Vec<usize>, iterations| {
            let (gains, bias) = mdp.evaluate_multichain(policy);
            check_numbers(&gains)?;
            check_numbers(&bias)?;
            let policy = policy.clone();
            Ok(MultichainSolution {
                gains,
                bias,
                policy,
                iterations,
            })
        };
        let improve = |found: &MultichainSolution<T>, policy: &mut [usize]| found.improve(mdp, policy);
        match self.run(first, evaluate, improve)? {
            End::Best(found) => Ok(found),
            End::Limit(last) => Err(self.not_converged(&last.map_or_else(Vec::new, |last| last.gains), None)),
        }
    }
}

impl<T: Scalar> Mdp<T> {
    /// Gains and bias of a policy: closed classes one by one, then what leads to them.
    fn evaluate_multichain(&self, policy: &[usize]) -> (Vec<T>, Vec<T>) {
        let classes = Classes::of(&self.policy_rows(policy));
        let mut gains = vec![T::zero(); self.len()];
        let mut bias = vec![T::zero(); self.len()];
        for class in classes.closed() {
            let Evaluated { gain, bias: of_class } = self.evaluate_within(policy, &class, class[0]);
            for &state in &class {
                gains[state] = gain.clone();
                bias[state] = of_class[state].clone();
            }
        }
        let transient = (0..self.len()).filter(|&state| classes.is_transient(state)).collect();
        let way = Within::new(self.len(), transient, |state| self.moves(state, policy[state]));
        // What is entered with the first step into a closed class, as a total on the way.
        let entered = |state: usize, of: &[T]| {
            let mut sum = T::zero();
            for (to, rate) in self.moves(state, policy[state]) {
                if way.number[to].is_none() {
                    sum += &(rate.clone() * &of[to]);
                }
            }
            sum
        };
        let found = way.totals(|state| entered(state, &gains));
        for (&state, gain) in way.states.iter().zip(found) {
            gains[state] = gain;
        }
        let found = way.totals(|state| entered(state, &bias) + self.cost(state, policy[state]) - &gains[state]);
        for (&state, value) in way.states.iter().zip(found) {
            bias[state] = value;
        }
        (gains, bias)
    }
}

/// A policy, and what it costs per step from each state.
#[derive(Clone, Debug, PartialEq)]
pub struct MultichainSolution<T = f64> {
    gains: Vec<T>,
    bias: Vec<T>,
    policy: Vec<usize>,
    iterations: usize,
}

impl<T: Scalar> MultichainSolution<T> {
    /// Expected cost per step in the long run, from each state.
    pub fn gains(&self) -> &[T] {
        &self.gains
    }

    /// What starting in each state costs in total beyond its gain per step, relative to one state of each closed class.
    pub fn bias(&self) -> &[T] {
        &self.bias
    }

    /// The action of each state.
    pub fn policy(&self) -> &[usize] {
        &self.policy
    }

    /// Iterations of the last stage; for exact numbers, those in exact arithmetic.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Whether the gains are the least ones, from the process alone: both equations hold, without any error where numbers
    /// are exact, else to within 1e-12 of the largest number.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::ActionOutOfRange`] where the solution does not belong to this process.
    pub fn verify(&self, mdp: &Mdp<T>) -> Result<bool, Error> {
        mdp.check_policy(&self.policy)?;
        let (of_gains, of_bias) = (tolerance(&self.gains), self.bias_tolerance(mdp));
        let own = self.policy.iter().enumerate().all(|(state, &action)| {
            let (gain, value) = self.ahead(mdp, state, action);
            let value = value - &self.gains[state] - &self.bias[state];
            (gain - &self.gains[state]).abs() <= of_gains && value.abs() <= of_bias
        });
        Ok(own && !self.improve(mdp, &mut self.policy.clone()))
    }

    /// Takes actions that lead to smaller gains, and where there are none, those among the equal ones that cost less on the
    /// way. Whether any action changed.
    fn improve(&self, mdp: &Mdp<T>, policy: &mut [usize]) -> bool {
        let (of_gains, of_bias) = (tolerance(&self.gains), self.bias_tolerance(mdp));
        let mut is_changed = false;
        for (state, action) in policy.iter_mut().enumerate() {
            let present = self.ahead(mdp, state, *action);
            let mut best = present;
            for other in 0..mdp.actions(state) {
                let (gain, value) = self.ahead(mdp, state, other);
                let is_cheaper = gain.clone() + &of_gains < best.0;
                let is_equal = gain <= best.0.clone() + &of_gains;
                if is_cheaper || (is_equal && value.clone() + &of_bias < best.1) {
                    best = (gain, value);
                    *action = other;
                    is_changed = true;
                }
            }
        }
        is_changed
    }

    /// Expected gain after an action, and its cost with the expected value after it.
    fn ahead(&self, mdp: &Mdp<T>, state: usize, action: usize) -> (T, T) {
        let (mut gain, mut value) = (T::zero(), mdp.cost(state, action).clone());
        for (to, weight) in mdp.moves(state, action) {
            gain += &(weight.clone() * &self.gains[to]);
            value += &(weight.clone() * &self.bias[to]);
        }
        (gain, value)
    }

    fn bias_tolerance(&self, mdp: &Mdp<T>) -> T {
        tolerance(&self.bias) + tolerance(&mdp.costs)
    }
}

fn tolerance<T: Scalar>(numbers: &[T]) -> T {
    if T::EXACT {
        return T::zero();
    }
    let largest = |largest: T, number: &T| {
        let size = number.abs();
        if size > largest { size } else { largest }
    };
    numbers.iter().fold(T::zero(), largest) * T::ratio(TOLERANCE.0, TOLERANCE.1)
}
