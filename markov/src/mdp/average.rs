//! Least average cost per step, by policy iteration.

use crate::budget::{Meter, Stopped, Told};
use crate::error::{Error, check_numbers};
use crate::mdp::Mdp;
use crate::mdp::improvement::Improvement;
use crate::mdp::iteration::{End, PolicyIteration, guessed};
use crate::mdp::optimality::{Optimality, underflow};
use crate::mdp::unit::Unit;
use crate::scalar::Scalar;

impl PolicyIteration<'_> {
    /// The policy of least average cost per step, where one cost per step is the least from every state.
    ///
    /// A policy with several closed classes that is met on the way is led to the cheapest one; where that is not
    /// possible, [`multichain`](Self::multichain) will help.
    ///
    /// In floats an action counts as better if it is so by more than roundings of what is compared, which grow with the
    /// values of where it leads; [`verify`](AverageSolution::verify) proves what that may have hidden.
    ///
    /// # Errors
    /// [`Error::Multichain`] where a policy has several closed classes and the cheapest one cannot be reached from
    /// everywhere; [`Error::NotConverged`] at the limit of iterations, with the bias of the last policy and bounds of
    /// the least average cost; [`Error::LengthMismatch`] and [`Error::ActionOutOfRange`] for a first policy that the
    /// process does not have; [`Error::NotANumber`] where costs, or their sizes, add up to more than a float holds;
    /// [`Error::TooLarge`] where an elimination takes more [entries](Self::fill); [`Error::Stopped`], with the same as at
    /// the limit of iterations and the policy, where the [budget](Self::budget) is spent.
    ///
    /// # Complexity
    /// Per iteration an elimination of all states, which is sparse, and O(entries).
    ///
    /// # Examples
    /// ```
    /// use markov::{Rational, Scalar, mdp::{Action, Mdp, PolicyIteration}};
    ///
    /// // A machine earns 10 a day and breaks with probability 1/10; when it is broken, a slow repair costs nothing and
    /// // takes two days on average, a fast one is done next day and costs 4.
    /// let r = Rational::ratio;
    /// let machine = Mdp::new([
    ///     vec![Action { cost: r(-10, 1), moves: vec![(0, r(9, 10)), (1, r(1, 10))] }],
    ///     vec![
    ///         Action { cost: r(0, 1), moves: vec![(0, r(1, 2)), (1, r(1, 2))] },
    ///         Action { cost: r(4, 1), moves: vec![(0, r(1, 1))] },
    ///     ],
    /// ])?;
    /// let best = PolicyIteration::new().average(&machine)?;
    /// assert_eq!((best.gain(), best.policy()), (&r(-96, 11), &[0, 1][..]));
    /// assert!(best.verify(&machine)?.is_exact());
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn average<T: Scalar>(&self, mdp: &Mdp<T>) -> Result<AverageSolution<T>, Error> {
        let meter = self.control.start();
        let first = self.first_policy(mdp)?;
        if !T::EXACT {
            return self.average_from(mdp, first, meter.is_watched(), &meter);
        }
        // What is proven of floats is not so of fractions.
        let guess = self.average_from(&mdp.to_floats(), first.clone(), false, &meter);
        let first = guessed(guess.map(|guess| guess.policy), first)?;
        self.average_from(mdp, first, meter.is_watched(), &meter)
    }

    pub(super) fn average_from<T: Scalar>(
        &self,
        mdp: &Mdp<T>,
        first: Vec<usize>,
        is_proven: bool,
        meter: &Meter<'_>,
    ) -> Result<AverageSolution<T>, Error> {
        let unit = Unit::of(mdp);
        let found = self.average_in(unit, &unit.process(mdp), first, is_proven, meter);
        let found = found.map_err(|error| unit.error(error))?;
        let solution = AverageSolution {
            gain: unit.back(found.gain),
            bias: unit.all_back(found.bias),
            ..found
        };
        check_numbers(&solution.bias)?;
        check_numbers(core::slice::from_ref(&solution.gain))?;
        Ok(solution)
    }

    /// The solution of a process in a unit, with what an observer is told as it is outside.
    fn average_in<T: Scalar>(
        &self,
        unit: Unit,
        mdp: &Mdp<T>,
        first: Vec<usize>,
        is_proven: bool,
        meter: &Meter<'_>,
    ) -> Result<AverageSolution<T>, Error> {
        let improvement = Improvement::new(mdp);
        let evaluate = |policy: &mut Vec<usize>, iterations| {
            let found = mdp.evaluate(policy, self.room(meter))?;
            check_numbers(&found.bias)?;
            Improvement::check(&found.bias_sizes)?;
            // What is proven must be at hand where there is no time for it in the end.
            let bounds = match is_proven.then(|| Optimality::prove(mdp, &found.bias, policy, meter)) {
                // Beyond the range of floats nothing is proven, and policies may be found all the same.
                None | Some(Err(Error::Action { .. })) => None,
                Some(proven) => Some(proven?.floats()).filter(|(lower, upper)| lower.is_finite() && upper.is_finite()),
            };
            let gain = found.gain().clone();
            Ok(Found {
                bounds,
                sizes: found.bias_sizes,
                solution: AverageSolution {
                    gain,
                    bias: found.bias,
                    policy: policy.clone(),
                    iterations,
                },
            })
        };
        let known = |found: &Found<T>| Told {
            bounds: found.bounds.and_then(|bounds| unit.bounds(bounds)),
            ..self.told(found.solution.iterations)
        };
        let improve = |found: &Found<T>, policy: &mut [usize]| {
            improvement.improve(&T::one(), &found.solution.bias, &found.sizes, policy, meter)
        };
        match self.run(first, evaluate, known, improve, meter)? {
            End::Best(found) => Ok(found.solution),
            End::Limit(None) => Err(self.not_converged::<T>(&[], None)),
            End::Limit(Some(Found { solution: last, .. })) => {
                let bounds = Optimality::prove(mdp, &last.bias, &last.policy, &Meter::unlimited())?.floats();
                Err(self.not_converged(&last.bias, Some(bounds)))
            }
            End::Stopped(stopped, None) => Err(stopped.error()),
            End::Stopped(stopped, Some(Found { solution, bounds, .. })) => Err(Stopped {
                best: solution.bias.iter().map(Scalar::to_float).collect(),
                policy: solution.policy,
                bounds,
                ..stopped
            }
            .error()),
        }
    }
}

/// What is known of a policy on the way, with the sizes of what its bias is the sum of.
struct Found<T> {
    solution: AverageSolution<T>,
    sizes: Vec<T>,
    /// Of the least cost per step, where there may be no time to find these later.
    bounds: Option<(f64, f64)>,
}

/// A policy, what it costs per step, and how states differ under it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "super::serial::UncheckedAverage<T>",
        bound(deserialize = "T: Scalar + serde::Deserialize<'de>")
    )
)]
pub struct AverageSolution<T = f64> {
    pub(crate) gain: T,
    pub(crate) bias: Vec<T>,
    pub(crate) policy: Vec<usize>,
    pub(crate) iterations: usize,
}

impl<T: Scalar> AverageSolution<T> {
    /// Expected cost per step in the long run.
    pub fn gain(&self) -> &T {
        &self.gain
    }

    /// What starting in each state costs in total, beyond the gain per step: only differences between states count. That
    /// of [`PolicyIteration`] is zero for one state; that of
    /// [`RelativeValueIteration`](crate::mdp::RelativeValueIteration) is off by some number, the same for all.
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

    /// Bounds, proven from the process alone, between which the least cost and that of the policy lie, whatever found it: a
    /// bad policy has wide bounds, and is no error. [`Optimality::gap`] says how much it may cost beyond the least.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::ActionOutOfRange`] where the solution does not belong to this process,
    /// and [`Error::Parameter`] where the gain is not what the policy costs: not between the bounds or, in floats, further
    /// from these than 1e-9 of the largest cost.
    ///
    /// # Complexity
    /// O(entries).
    pub fn verify(&self, mdp: &Mdp<T>) -> Result<Optimality<T>, Error> {
        let proven = Optimality::prove(mdp, &self.bias, &self.policy, &Meter::unlimited())?;
        // The gain of floats is the sum of other terms, with roundings of these.
        let mut slack = T::zero();
        for (state, &action) in self.policy.iter().enumerate().filter(|_| !T::EXACT) {
            let size = mdp.cost(state, action).abs();
            // Of a few of the least floats a part so small is none.
            let lost = if size.is_zero() { T::zero() } else { underflow(1) };
            let size = size * T::ratio(1, 1_000_000_000) + lost;
            if size > slack {
                slack = size;
            }
        }
        let (lower, upper) = (proven.lower().clone() - &slack, proven.upper().clone() + &slack);
        if self.gain >= lower && self.gain <= upper {
            return Ok(proven);
        }
        Err(Error::Parameter {
            name: "gain",
            value: self.gain.to_float(),
            expected: "between the proven bounds",
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::error::Error;
    use crate::mdp::{Action, Mdp, PolicyIteration};
    use crate::scalar::{Rational, Scalar};

    /// In floats it was not looked at.
    #[test]
    fn a_gain_that_is_not_that_of_the_policy_is_refused() {
        fn check<T: Scalar>(off: &T) {
            let to = |cost, state| Action {
                cost: T::ratio(cost, 3),
                moves: vec![(state, T::one())],
            };
            let turns = Mdp::new([vec![to(5, 1), to(9, 0)], vec![to(-4, 0)]]).expect("a process");
            let right = PolicyIteration::new().average(&turns).expect("a gain");
            assert!(right.verify(&turns).is_ok());
            for gain in [right.gain.clone() + off, right.gain.clone() - off, T::ratio(100, 1)] {
                let wrong = super::AverageSolution { gain, ..right.clone() };
                let found = wrong.verify(&turns);
                assert!(matches!(found, Err(Error::Parameter { name: "gain", .. })), "{found:?}");
            }
        }
        check(&1e-8);
        check(&Rational::ratio(1, 1 << 60));
        let idle = Mdp::new([vec![Action {
            cost: 0.0,
            moves: vec![(0, 1.0)],
        }]]);
        let idle = idle.expect("a process");
        let right = PolicyIteration::new().average(&idle).expect("nothing");
        assert!(right.verify(&idle).is_ok());
        for gain in [f64::NAN, 1e-300, f64::NEG_INFINITY] {
            let wrong = super::AverageSolution { gain, ..right.clone() };
            assert!(wrong.verify(&idle).is_err(), "{gain}");
        }
    }
}
