//! Least average cost per step where it depends on the state in which the process starts.
//!
//! Gains `g` and values `h` with `g(i) = min over actions of sum of p(j) g(j)`, and
//! `g(i) + h(i) = min of cost + sum of p(j) h(j)` over the actions that attain the first minimum, belong to the best policy.
//!
//! Reference: M. Puterman, "Markov Decision Processes", Wiley 1994, chapter 9, doi:10.1002/9780470316887.

use crate::classify::Classes;
use crate::elimination::Elimination;
use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::average::PolicyIteration;
use crate::mdp::evaluation::Evaluated;
use crate::scalar::Scalar;
use crate::sparse::Csr;

const NONE: usize = usize::MAX;

/// Floats differ only by more than this part of the largest number among them.
const TOLERANCE: (i64, i64) = (1, 1_000_000_000_000);

impl PolicyIteration {
    /// The policy of least average cost per step from every state at once, whatever policies of the process look like.
    ///
    /// # Errors
    /// [`Error::NotConverged`] at the limit of iterations, with the gains of the last policy; [`Error::LengthMismatch`] and
    /// [`Error::ActionOutOfRange`] for a first policy that the process does not have.
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
        let mut policy = self.first_policy(mdp)?;
        let mut best = Vec::new();
        for iterations in 1..=self.iterations {
            let (gains, bias) = mdp.evaluate_multichain(&policy);
            let solution = MultichainSolution {
                gains,
                bias,
                policy: policy.clone(),
                iterations,
            };
            if !solution.improve(mdp, &mut policy) {
                return Ok(solution);
            }
            best = solution.gains;
        }
        Err(Error::NotConverged {
            iterations: self.iterations,
            best: best.iter().map(Scalar::to_float).collect(),
            bounds: None,
        })
    }
}

impl<T: Scalar> Mdp<T> {
    /// Gains and bias of a policy: closed classes one by one, then what leads to them.
    fn evaluate_multichain(&self, policy: &[usize]) -> (Vec<T>, Vec<T>) {
        let closed = Classes::of(&self.policy_rows(policy)).closed();
        let mut gains = vec![T::zero(); self.len()];
        let mut bias = vec![T::zero(); self.len()];
        let mut number = vec![0; self.len()];
        for class in &closed {
            let Evaluated { gain, bias: of_class } = self.evaluate_within(policy, class, class[0]);
            for &state in class {
                number[state] = NONE;
                gains[state] = gain.clone();
                bias[state] = of_class[state].clone();
            }
        }
        let transient: Vec<usize> = (0..self.len()).filter(|&state| number[state] != NONE).collect();
        for (at, &state) in transient.iter().enumerate() {
            number[state] = at;
        }
        let mut leave = vec![T::zero(); transient.len()];
        let mut rows = Vec::with_capacity(transient.len());
        for (&state, leave) in transient.iter().zip(&mut leave) {
            let mut row = Vec::new();
            for (to, rate) in self.moves(state, policy[state]).filter(|&(to, _)| to != state) {
                match number[to] {
                    NONE => *leave += rate,
                    at => row.push((at, rate.clone())),
                }
            }
            rows.push(row);
        }
        let within = Csr::from_rows(transient.len(), rows);
        let solver =
            Elimination::new(&within, Some(&leave), None, usize::MAX).unwrap_or_else(|| unreachable!("no limit"));
        // What is entered with the first step into a closed class, as a total on the way.
        let entered = |state: usize, of: &[T]| {
            let mut sum = T::zero();
            for (to, rate) in self.moves(state, policy[state]).filter(|&(to, _)| number[to] == NONE) {
                sum += &(rate.clone() * &of[to]);
            }
            sum
        };
        let found = solver.totals(transient.iter().map(|&state| entered(state, &gains)).collect());
        for (&state, gain) in transient.iter().zip(found) {
            gains[state] = gain;
        }
        let total = |&state: &usize| entered(state, &bias) + self.cost(state, policy[state]) - &gains[state];
        let found = solver.totals(transient.iter().map(total).collect());
        for (&state, value) in transient.iter().zip(found) {
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

    /// Policies that were evaluated.
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
