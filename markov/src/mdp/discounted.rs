//! Least discounted cost by policy iteration, in floats or exactly.

use crate::budget::{Halted, Meter, OrStopped, Stopped, Told};
use crate::elimination::{Elimination, Refused, Room};
use crate::error::{Error, check_length, check_numbers};
use crate::mdp::Mdp;
use crate::mdp::improvement::Improvement;
use crate::mdp::iteration::{End, PolicyIteration, guessed};
use crate::mdp::optimality::{Change, underflow};
use crate::mdp::unit::{Unit, lost_as_size};
use crate::scalar::Scalar;
use crate::sparse::Csr;

impl PolicyIteration<'_> {
    /// The policy of least discounted cost, from every state: a cost `k` steps ahead counts `discount^k` times.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a discount that is not between 0 and 1, both excluded; [`Error::NotConverged`] at the
    /// limit of iterations, with the values of the last policy; [`Error::LengthMismatch`] and
    /// [`Error::ActionOutOfRange`] for a first policy that the process does not have; [`Error::NotANumber`] where costs,
    /// or their sizes, add up to more than a float holds; [`Error::TooLarge`] where an elimination takes more
    /// [entries](Self::fill); [`Error::Stopped`], with values and policy and the radius of these, where the
    /// [budget](Self::budget) is spent.
    ///
    /// # Complexity
    /// Per iteration an elimination of all states, which is sparse, and O(entries).
    ///
    /// # Examples
    /// ```
    /// use markov::{Rational, Scalar, mdp::{Action, Mdp, PolicyIteration}};
    ///
    /// let r = Rational::ratio;
    /// // Pay 1 a step, or 4 once for all.
    /// let rent = Mdp::new([
    ///     vec![Action { cost: r(1, 1), moves: vec![(0, r(1, 1))] }, Action { cost: r(4, 1), moves: vec![(1, r(1, 1))] }],
    ///     vec![Action { cost: r(0, 1), moves: vec![(1, r(1, 1))] }],
    /// ])?;
    /// let best = PolicyIteration::new().discounted(&rent, &r(4, 5))?;
    /// assert_eq!((best.values(), best.policy()), (&[r(4, 1), r(0, 1)][..], &[1, 0][..]));
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn discounted<T: Scalar>(&self, mdp: &Mdp<T>, discount: &T) -> Result<DiscountedSolution<T>, Error> {
        let meter = self.control.start();
        check_discount(discount)?;
        let first = self.first_policy(mdp)?;
        if !T::EXACT {
            return self.discounted_from(mdp, discount, first, &meter);
        }
        let rounded = discount.to_float();
        let guess = self.discounted_from(&mdp.to_floats(), &rounded, first.clone(), &meter);
        let first = guessed(guess.map(|guess| guess.policy), first)?;
        self.discounted_from(mdp, discount, first, &meter)
    }

    pub(super) fn discounted_from<T: Scalar>(
        &self,
        mdp: &Mdp<T>,
        discount: &T,
        first: Vec<usize>,
        meter: &Meter<'_>,
    ) -> Result<DiscountedSolution<T>, Error> {
        let unit = Unit::of(mdp);
        let found = self.discounted_in(unit, &unit.process(mdp), discount, first, meter);
        let solution = found.map_err(|error| unit.error(error))?.outside(unit);
        check_numbers(&solution.values)?;
        Ok(solution)
    }

    /// The solution of a process in a unit, with what an observer is told as it is outside.
    fn discounted_in<T: Scalar>(
        &self,
        unit: Unit,
        mdp: &Mdp<T>,
        discount: &T,
        first: Vec<usize>,
        meter: &Meter<'_>,
    ) -> Result<DiscountedSolution<T>, Error> {
        let improvement = Improvement::new(mdp);
        // What is proven must be at hand where there is no time for it in the end.
        let is_proven = meter.is_watched();
        let evaluate = |policy: &mut Vec<usize>, iterations| {
            let values = mdp.discounted_values(policy, discount, self.room(meter))?;
            check_numbers(&values.values)?;
            Improvement::check(&values.sizes)?;
            let mut solution = DiscountedSolution {
                values: values.values,
                radius: T::zero(),
                policy: policy.clone(),
                iterations,
            };
            if is_proven {
                solution.radius = solution.proven_radius(mdp, discount, meter).or_stopped()?;
            }
            let sizes = values.sizes;
            Ok(Found { solution, sizes })
        };
        let known = |found: &Found<T>| Told {
            error: is_proven.then(|| unit.radius(&found.solution.radius).to_float()),
            ..self.told(found.solution.iterations)
        };
        let improve = |found: &Found<T>, policy: &mut [usize]| {
            improvement.improve(discount, &found.solution.values, &found.sizes, policy, meter)
        };
        match self.run(first, evaluate, known, improve, meter)? {
            End::Best(Found { mut solution, .. }) => {
                if !is_proven {
                    solution.radius = solution
                        .proven_radius(mdp, discount, &Meter::unlimited())
                        .or_stopped()?;
                }
                Ok(solution)
            }
            End::Limit(last) => {
                let values = last.map_or_else(Vec::new, |last| last.solution.values);
                Err(self.not_converged(&values, None))
            }
            End::Stopped(stopped, None) => Err(stopped.error()),
            End::Stopped(stopped, Some(Found { solution, .. })) => Err(Stopped {
                radius: is_proven
                    .then(|| solution.radius_of_floats())
                    .filter(|radius| radius.is_finite()),
                best: solution.values.iter().map(Scalar::to_float).collect(),
                policy: solution.policy,
                ..stopped
            }
            .error()),
        }
    }
}

pub(crate) fn check_discount<T: Scalar>(discount: &T) -> Result<(), Error> {
    if *discount > T::zero() && *discount < T::one() {
        return Ok(());
    }
    Err(Error::Parameter {
        name: "discount",
        value: discount.to_float(),
        expected: "above 0 and below 1",
    })
}

/// A chain with these probabilities that ends with probability `1 - discount` at each step.
///
/// # Errors
/// [`Error::TooLarge`] where the elimination keeps more entries than there is room for, and [`Error::Stopped`].
pub(crate) fn ending<T: Scalar>(moves: &Csr<T>, discount: &T, room: Room<'_>) -> Result<Elimination<T>, Error> {
    ending_within(moves, discount, room).map_err(|refused| refused.error(room.fill))
}

/// As [`ending`].
///
/// # Errors
/// [`Refused`].
pub(crate) fn ending_within<T: Scalar>(
    moves: &Csr<T>,
    discount: &T,
    room: Room<'_>,
) -> Result<Elimination<T>, Refused> {
    let rows = (0..moves.rows()).map(|state| {
        let others = moves.row(state).filter(move |&(to, _)| to != state);
        let others = others.map(|(to, chance)| (to, chance.clone() * discount));
        others.collect::<Vec<_>>()
    });
    let within = Csr::from_rows(moves.width(), rows);
    Elimination::within(&within, Some(&vec![T::one() - discount; moves.rows()]), None, room)
}

impl<T: Scalar> Mdp<T> {
    /// What a policy costs from each state: totals of a chain that ends with probability `1 - discount` at each step.
    fn discounted_values(&self, policy: &[usize], discount: &T, room: Room<'_>) -> Result<Discounted<T>, Error> {
        let solver = ending(&self.policy_rows(policy), discount, room)?;
        let costs = policy.iter().enumerate();
        let costs: Vec<T> = costs.map(|(state, &action)| self.cost(state, action).clone()).collect();
        let sizes = match T::EXACT || costs.iter().all(T::is_zero) {
            true => vec![T::zero(); costs.len()],
            false => {
                let sizes = costs.iter().map(|cost| cost.abs() + lost_as_size::<T>());
                solver.totals(sizes.collect(), room.meter).or_stopped()?
            }
        };
        let values = solver.totals(costs, room.meter).or_stopped()?;
        Ok(Discounted { values, sizes })
    }
}

/// By how much one more step changes values, by the policy or by the best actions.
struct Changes<T> {
    /// At most, whatever roundings hide.
    most: T,
    /// The largest change that is at least this for certain, and the state where it is.
    certain: T,
    state: usize,
}

impl<T: Scalar> Changes<T> {
    /// How far values may be off.
    fn radius(&self, discount: &T) -> T {
        let radius = self.most.clone() / (T::one() - discount);
        if T::EXACT || radius.is_zero() {
            return radius;
        }
        // The division, the difference and the sums above are rounded as well.
        let rounding = radius.clone() * T::ratio(8, 1 << 52) + underflow::<T>(1);
        radius + rounding
    }

    /// Refuses a radius that is too small: a step brings values nearer to what they should be, so that they were off by a
    /// part of what it changed, of which the rest are roundings.
    fn check(&self, radius: &T, discount: &T, unit: Unit) -> Result<(), Error> {
        let least = match T::EXACT {
            true => self.certain.clone() / (T::one() + discount),
            false => self.certain.clone() * T::ratio(99_999_999, 100_000_000) / (T::one() + discount),
        };
        if least <= unit.time(radius) + unit.grain::<T>() {
            return Ok(());
        }
        Err(Error::OutOfBound {
            state: self.state,
            error: unit.back(least).to_float(),
            bound: radius.to_float(),
        })
    }
}

/// What a policy costs from each state, with the sizes of what these are sums of: a float may be off by some roundings
/// of that. Sizes are zero where numbers are exact.
struct Discounted<T> {
    values: Vec<T>,
    sizes: Vec<T>,
}

/// What is known of a policy on the way, with such sizes.
struct Found<T> {
    solution: DiscountedSolution<T>,
    sizes: Vec<T>,
}

/// A policy, and the least discounted cost from each state.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "super::serial::UncheckedDiscounted<T>",
        bound(deserialize = "T: Scalar + serde::Deserialize<'de>")
    )
)]
pub struct DiscountedSolution<T = f64> {
    pub(crate) values: Vec<T>,
    pub(crate) radius: T,
    pub(crate) policy: Vec<usize>,
    pub(crate) iterations: usize,
}

impl<T: Scalar> DiscountedSolution<T> {
    /// The least cost from each state, to within [`radius`](Self::radius).
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Proven: the least cost from each state, and the cost of the policy, differ from the value by no more. Zero where
    /// numbers are exact; infinite where the distance is more than a float holds, of which nothing is proven then, and what
    /// is written of it is not read again.
    pub fn radius(&self) -> &T {
        &self.radius
    }

    /// The action of each state.
    pub fn policy(&self) -> &[usize] {
        &self.policy
    }

    /// Iterations; sweeps over all actions for value iteration.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// A distance from the values, proven from the process alone, within which the least costs lie, and those of the
    /// policy: a bad policy has a large one, and is no error. It is the largest change of one more step, over
    /// `1 - discount`. Zero where exact numbers are optimal.
    ///
    /// The [`radius`](Self::radius) of the solution is often less, and true all the same. It is false where one more step
    /// changes a value by more than `1 + discount` times that.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::ActionOutOfRange`] where the solution does not belong to this process,
    /// [`Error::Parameter`] for a discount that is not between 0 and 1, and [`Error::OutOfBound`] where the radius of the
    /// solution is too small for certain.
    ///
    /// # Complexity
    /// O(entries).
    pub fn verify(&self, mdp: &Mdp<T>, discount: &T) -> Result<T, Error> {
        check_discount(discount)?;
        mdp.check_policy(&self.policy)?;
        check_length("values of states", mdp.len(), self.values.len())?;
        let unit = Unit::with_values(mdp, &self.values);
        if unit.is_one() {
            let changes = self.changes(mdp, discount, &Meter::unlimited()).or_stopped()?;
            changes.check(&self.radius, discount, unit)?;
            return Ok(changes.radius(discount));
        }
        let inside = Self {
            values: unit.times(&self.values),
            ..self.clone()
        };
        let changes = inside.changes(&unit.process(mdp), discount, &Meter::unlimited());
        let changes = changes.or_stopped()?;
        changes.check(&self.radius, discount, unit)?;
        // Small values may have lost digits in the unit.
        Ok(unit.above(&(changes.radius(discount) + unit.grain::<T>())))
    }

    /// As [`DiscountedSolution::verify`], of a solution that fits the process.
    fn proven_radius(&self, mdp: &Mdp<T>, discount: &T, meter: &Meter<'_>) -> Result<T, Halted> {
        Ok(self.changes(mdp, discount, meter)?.radius(discount))
    }

    /// By how much one more step changes values.
    fn changes(&self, mdp: &Mdp<T>, discount: &T, meter: &Meter<'_>) -> Result<Changes<T>, Halted> {
        let mut changes = Changes {
            most: T::zero(),
            certain: T::zero(),
            state: 0,
        };
        for (state, &action) in self.policy.iter().enumerate() {
            let (taken, mut error) = self.change(mdp, discount, state, mdp.starts[state] + action);
            let mut least = taken.clone();
            for row in mdp.rows_of(state) {
                meter.spend(mdp.moves.row_slices(row).0.len() as u64 + 1)?;
                let (change, rounding) = self.change(mdp, discount, state, row);
                if change < least {
                    least = change;
                }
                if rounding > error {
                    error = rounding;
                }
            }
            for size in [taken.abs(), least.abs()] {
                let (most, certain) = (size.clone() + &error, size - &error);
                if most > changes.most {
                    changes.most = most;
                }
                if certain > changes.certain {
                    (changes.certain, changes.state) = (certain, state);
                }
            }
        }
        Ok(changes)
    }

    /// What was found in a unit, as it is outside.
    pub(super) fn outside(self, unit: Unit) -> Self {
        if unit.is_one() {
            return self;
        }
        Self {
            values: unit.all_back(self.values),
            radius: unit.radius(&self.radius),
            ..self
        }
    }

    /// The radius of the values as floats, which rounding may have moved.
    fn radius_of_floats(&self) -> f64 {
        let radius = self.radius.to_float();
        if !T::EXACT {
            return radius;
        }
        let sizes = self.values.iter().map(|value| value.to_float().abs());
        (radius + sizes.fold(0.0, f64::max) * f64::EPSILON).next_up()
    }

    /// `cost + discount * (value(state) + sum of p(j) (value(j) - value(state))) - value(state)`, and a bound of its
    /// rounding.
    fn change(&self, mdp: &Mdp<T>, discount: &T, state: usize, row: usize) -> (T, T) {
        let (cost, here) = (&mdp.costs[row], &self.values[state]);
        let Change { value, size, terms } = mdp.change(&self.values, state, row);
        let is_null = cost.is_zero() && here.is_zero() && terms == 0;
        let paid = (T::one() - discount) * here;
        let change = value * discount + cost - &paid;
        if T::EXACT {
            return (change, T::zero());
        }
        let terms = terms + 8;
        let rounding = T::ratio(terms, 1 << 52) * (size + cost.abs() + paid.abs());
        let lost = if is_null { T::zero() } else { underflow(terms) };
        (change, rounding + lost)
    }
}

#[cfg(test)]
mod tests {
    use super::DiscountedSolution;
    use crate::mdp::{Action, Mdp, PolicyIteration};
    use crate::scalar::{Rational, Scalar};

    /// It was not looked at.
    #[test]
    fn a_radius_that_is_too_small_for_certain_is_refused() {
        fn check<T: Scalar>(unit: &T) {
            let to = |cost, state| Action {
                cost: T::ratio(cost, 1) * unit,
                moves: vec![(state, T::one())],
            };
            let rent = Mdp::new([vec![to(1, 0), to(4, 1)], vec![to(0, 1)]]).expect("a process");
            let discount = T::ratio(3, 4);
            let right = PolicyIteration::new().discounted(&rent, &discount).expect("values");
            assert!(right.verify(&rent, &discount).is_ok());
            // Off by seven, of which a step makes up for a quarter, which is more than it could for less than one.
            let wrong = |radius: T| DiscountedSolution {
                values: right
                    .values
                    .iter()
                    .map(|value| value.clone() + T::ratio(7, 1) * unit)
                    .collect(),
                radius: radius * unit,
                ..right.clone()
            };
            for radius in [T::zero(), T::ratio(99, 100)] {
                let refused = wrong(radius)
                    .verify(&rent, &discount)
                    .expect_err("too small")
                    .to_string();
                assert!(
                    refused.starts_with("the result is off by ") && refused.contains(", at state "),
                    "{refused}"
                );
            }
            // Seven are true, and one is not known to be false.
            for radius in [T::ratio(1, 1), T::ratio(7, 1)] {
                let proven = wrong(radius).verify(&rent, &discount).expect("a distance");
                assert!(proven >= T::ratio(7, 1) * unit);
            }
        }
        check(&1.0);
        check(&2.0_f64.powi(-1060));
        check(&2.0_f64.powi(1010));
        check(&Rational::ratio(1, 3));
    }
}
