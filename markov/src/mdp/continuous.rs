//! Decision processes in continuous time.
//!
//! Made discrete by looking at all states at one common rate, at which most looks see nothing change: the same
//! stationary policies cost the same per unit of time. Reference: S. Lippman, "Applying a new device in the
//! optimization of exponential queuing systems", Operations Research 23 (1975), 687-710, doi:10.1287/opre.23.4.687.

use num_traits::Signed;

use crate::budget::Meter;
use crate::chain::Ctmc;
use crate::error::{Error, check_numbers};
use crate::mdp::average::AverageSolution;
use crate::mdp::discounted::{DiscountedSolution, check_discount};
use crate::mdp::flaw::{Flaw, Weight, check_cost, check_move};
use crate::mdp::iteration::PolicyIteration;
use crate::mdp::optimality::{Optimality, underflow};
use crate::mdp::relative::{BoundedSolution, RelativeValueIteration};
use crate::mdp::{Action, Mdp, check_policy};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// What can be done in a state of a process in continuous time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(deserialize = "T: Scalar + serde::Deserialize<'de>"))
)]
pub struct RateAction<T = f64> {
    /// Cost per unit of time while it is done.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::number"))]
    pub cost: T,
    /// Rates of going to other states; a rate to the state itself changes nothing.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serial::moves"))]
    pub rates: Vec<(usize, T)>,
}

/// A Markov decision process in continuous time, costs to be minimised.
///
/// # Examples
/// ```
/// use markov::{Rational, Scalar, mdp::{CtMdp, PolicyIteration, RateAction}};
///
/// // A machine breaks once a day; repairs take a quarter of a day, or half of one at a third of the cost per day.
/// let r = |number| Rational::ratio(number, 1);
/// let machine = CtMdp::new([
///     vec![RateAction { cost: r(0), rates: vec![(1, r(1))] }],
///     vec![RateAction { cost: r(9), rates: vec![(0, r(4))] }, RateAction { cost: r(3), rates: vec![(0, r(2))] }],
/// ])?;
/// let best = machine.average(&PolicyIteration::new())?;
/// assert_eq!((best.gain(), best.policy()), (&r(1), &[0, 1][..]));
/// # Ok::<(), markov::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "super::serial::UncheckedCtMdp<T>",
        bound(deserialize = "T: Scalar + serde::Deserialize<'de>")
    )
)]
pub struct CtMdp<T = f64> {
    states: Vec<Vec<RateAction<T>>>,
    /// Follows from the actions.
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    rate: T,
}

impl<T: Scalar> CtMdp<T> {
    /// A process with these actions in each state.
    ///
    /// # Errors
    /// [`Error::NoStates`], [`Error::NoAction`], and [`Error::Action`] for the first action with a cost or a rate that it
    /// cannot have, or rates that add up to more than a float holds, or that leads to a state that does not exist.
    pub fn new(states: impl IntoIterator<Item = Vec<RateAction<T>>>) -> Result<Self, Error> {
        let states: Vec<Vec<RateAction<T>>> = states.into_iter().collect();
        let len = states.len();
        if len == 0 {
            return Err(Error::NoStates);
        }
        let mut largest = T::zero();
        for (from, actions) in states.iter().enumerate() {
            if actions.is_empty() {
                return Err(Error::NoAction { state: from });
            }
            for (at, action) in actions.iter().enumerate() {
                let checked = check_cost(&action.cost).and_then(|()| exit_rate(from, action, len));
                let exit = checked.map_err(|flaw| flaw.at(from, at))?;
                if exit > largest {
                    largest = exit;
                }
            }
        }
        Ok(Self::from_checked(states, largest))
    }

    /// A process of actions that were checked, and the largest rate out of a state.
    pub(super) fn from_checked(states: Vec<Vec<RateAction<T>>>, largest: T) -> Self {
        // Where nothing ever happens, any rate will do.
        let rate = if largest.is_zero() { T::one() } else { largest };
        Self { states, rate }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Always false: a process has states.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Number of actions of a state.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn actions(&self, state: usize) -> usize {
        self.states[state].len()
    }

    /// An action of a state, with its cost and its rates.
    ///
    /// # Panics
    /// If there is no such state, or the state has no such action.
    #[track_caller]
    pub fn action(&self, state: usize, action: usize) -> &RateAction<T> {
        &self.states[state][action]
    }

    /// The chain that a policy makes of the process, and what each state costs per unit of time under it: what shares of
    /// time, first passages and simulations of a policy are computed from.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::ActionOutOfRange`].
    ///
    /// # Examples
    /// ```
    /// use markov::{Rational, Scalar, mdp::{CtMdp, PolicyIteration, RateAction}, passage::Passage};
    ///
    /// // A machine breaks once a day; repairs take a quarter of a day, or half of one at a third of the cost per day.
    /// let r = |number| Rational::ratio(number, 1);
    /// let machine = CtMdp::new([
    ///     vec![RateAction { cost: r(0), rates: vec![(1, r(1))] }],
    ///     vec![RateAction { cost: r(9), rates: vec![(0, r(4))] }, RateAction { cost: r(3), rates: vec![(0, r(2))] }],
    /// ])?;
    /// let best = machine.average(&PolicyIteration::new())?;
    /// let (chain, costs) = machine.chain(best.policy())?;
    /// // It is broken a third of the time, which costs 3; then it takes half a day.
    /// assert_eq!((chain.stationary()?, costs), (vec![Rational::ratio(2, 3), Rational::ratio(1, 3)], vec![r(0), r(3)]));
    /// assert_eq!(Passage::ctmc(&chain, &[0])?.moments(1)[0][1], Rational::ratio(1, 2));
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn chain(&self, policy: &[usize]) -> Result<(Ctmc<T>, Vec<T>), Error> {
        check_policy(policy, self.len(), |state| self.states[state].len())?;
        let taken = || {
            policy
                .iter()
                .zip(&self.states)
                .map(|(&action, actions)| &actions[action])
        };
        let rates = Csr::try_from_rows(self.len(), taken().map(|action| action.rates.iter().cloned()))?;
        Ok((Ctmc::new(&rates)?, taken().map(|action| action.cost.clone()).collect()))
    }

    /// The common rate at which states are looked at: the largest rate out of a state under any action.
    pub fn rate(&self) -> &T {
        &self.rate
    }

    /// The process in discrete time with so many steps per unit of time, costs per unit of time, not per step: average
    /// costs are the same, totals are [`rate`](Self::rate) times what they are in time.
    ///
    /// # Errors
    /// Those of [`Mdp::new`], where floats overflow; [`Error::Action`] with [`Flaw::RateLost`] where a rate is so small a
    /// part of the largest one that floats do not hold it with all their digits.
    pub fn uniformized(&self) -> Result<Mdp<T>, Error> {
        let states = self.states.iter().enumerate();
        let steps = states.map(|(state, actions)| {
            let steps = actions.iter().enumerate().map(|(at, action)| {
                let step = self.step(state, action);
                step.map_err(|flaw| flaw.at(state, at))
            });
            steps.collect()
        });
        Mdp::new(steps.collect::<Result<Vec<_>, Error>>()?)
    }

    /// What an action does in one step.
    fn step(&self, state: usize, action: &RateAction<T>) -> Result<Action<T>, Flaw> {
        let mut away = T::zero();
        let mut moves = Vec::with_capacity(action.rates.len() + 1);
        for (to, rate) in action.rates.iter().filter(|&&(to, _)| to != state) {
            away += rate;
            let chance = rate.clone() / &self.rate;
            // A move that vanishes may be the only one between two parts of the process.
            if !rate.is_zero() && chance.exponent() < f64::MIN_EXP - 1 {
                return Err(Flaw::RateLost {
                    to: *to,
                    rate: rate.to_float(),
                    largest: self.rate.to_float(),
                });
            }
            moves.push((*to, chance));
        }
        // By rounding alone may the rest be below zero.
        let rest = self.rate.clone() - away;
        if rest > T::zero() {
            moves.push((state, rest / &self.rate));
        }
        let cost = action.cost.clone();
        Ok(Action { cost, moves })
    }

    /// The policy of least average cost: the gain is per unit of time, the bias a total over time. The solver's budget is
    /// for what comes after [`uniformized`](Self::uniformized).
    ///
    /// # Errors
    /// Those of [`uniformized`](Self::uniformized) and [`PolicyIteration::average`].
    pub fn average(&self, solver: &PolicyIteration<'_>) -> Result<AverageSolution<T>, Error> {
        let steps = self.uniformized()?;
        let found = solver.average(&steps);
        let mut solution = found.map_err(|error| error.in_units(self.rate.to_float(), f64::EPSILON))?;
        self.in_time(&steps, &mut solution)?;
        Ok(solution)
    }

    /// Makes totals over time of a bias in steps. In floats that is a little another bias, where it is read back, which proves
    /// other bounds: these are returned, and the gain is put between them.
    pub(super) fn in_time(
        &self,
        steps: &Mdp<T>,
        solution: &mut AverageSolution<T>,
    ) -> Result<Option<Optimality<T>>, Error> {
        for bias in &mut solution.bias {
            *bias /= &self.rate;
        }
        check_numbers(&solution.bias)?;
        if T::EXACT {
            return Ok(None);
        }
        let again: Vec<T> = solution.bias.iter().map(|bias| bias.clone() * &self.rate).collect();
        let proven = Optimality::prove(steps, &again, &solution.policy, &Meter::unlimited())?;
        solution.gain = proven.nearest(&solution.gain);
        Ok(Some(proven))
    }

    /// Bounds per unit of time, proven from the process alone, between which the least cost and that of the policy of
    /// [`average`](Self::average) lie: a bad policy has wide bounds, and is no error.
    ///
    /// # Errors
    /// Those of [`uniformized`](Self::uniformized) and [`AverageSolution::verify`].
    pub fn verify(&self, solution: &AverageSolution<T>) -> Result<Optimality<T>, Error> {
        let mut solution = solution.clone();
        for bias in &mut solution.bias {
            *bias *= &self.rate;
        }
        solution.verify(&self.uniformized()?)
    }

    /// The policy of least discounted cost: a cost at time `t` counts `exp(-interest t)` times. In floats the radius allows
    /// for what is rounded on the way to the process in discrete time, and is as large as values where the interest is next
    /// to nothing beside [`rate`](Self::rate).
    ///
    /// # Errors
    /// [`Error::Parameter`] for an interest rate that is not positive, or so small, or so large, beside
    /// [`rate`](Self::rate) that a float discount is one, or zero; those of [`uniformized`](Self::uniformized) and [`PolicyIteration::discounted`].
    pub fn discounted(&self, solver: &PolicyIteration<'_>, interest: &T) -> Result<DiscountedSolution<T>, Error> {
        self.discounted_by(interest, |process, discount| solver.discounted(process, discount))
    }

    /// The policy of least discounted cost by what finds it in discrete time.
    ///
    /// # Errors
    /// As [`CtMdp::discounted`].
    pub(super) fn discounted_by(
        &self,
        interest: &T,
        solve: impl FnOnce(&Mdp<T>, &T) -> Result<DiscountedSolution<T>, Error>,
    ) -> Result<DiscountedSolution<T>, Error> {
        if *interest <= T::zero() || !interest.is_number() {
            return Err(Error::Parameter {
                name: "interest",
                value: interest.to_float(),
                expected: "positive",
            });
        }
        let process = self.uniformized()?;
        let discounting = self.rate.clone() + interest;
        let discount = self.rate.clone() / &discounting;
        // Of the discount the caller knows nothing.
        check_discount(&discount).map_err(|_| Error::Parameter {
            name: "interest",
            value: interest.to_float(),
            expected: "so near to the rate of the process that the discount of a step is a float between 0 and 1",
        })?;
        let rounding = self.discounted_rounding(interest);
        let found = solve(&process, &discount);
        let part = rounding.to_float().max(f64::EPSILON);
        let mut solution = found.map_err(|error| error.in_units(discounting.to_float(), part))?;
        for value in &mut solution.values {
            *value /= &discounting;
        }
        check_numbers(&solution.values)?;
        solution.radius /= &discounting;
        if !T::EXACT && process.costs.iter().any(|cost| !cost.is_zero()) {
            let sizes = solution.values.iter().map(Signed::abs);
            let largest = sizes.fold(T::zero(), |largest, size| if size > largest { size } else { largest });
            solution.radius += (largest + &solution.radius) * rounding + underflow::<T>(1);
        }
        Ok(solution)
    }

    /// By what part of the largest of them discounted values may be off where the process in discrete time and its discount
    /// are rounded, and values are divided; nothing where numbers are exact.
    ///
    /// A chance times the discount has three roundings, one more for each other rate that leads to the same state, and the
    /// discount has two. So the values of the rounded process miss `cost + sum of rate(j) (v(j) - v) = interest v` by no more
    /// than `2 (3 + k) + 2` roundings of `rate + interest` times the largest one, and are off by no more than that over the
    /// interest. Two more are those of the values themselves, and the rest is for what is rounded here.
    fn discounted_rounding(&self, interest: &T) -> T {
        if T::EXACT {
            return T::zero();
        }
        let moves = self.states.iter().flatten().map(|action| action.rates.len());
        let roundings = 2 * moves.max().unwrap_or(0) as i64 + 16;
        T::ratio(roundings, 1 << 53) * ((self.rate.clone() + interest) / interest)
    }
}

impl CtMdp<f64> {
    /// A policy of nearly least average cost per unit of time, with proven bounds of the uniformized process; its bias
    /// is a total over time.
    ///
    /// # Errors
    /// Those of [`uniformized`](Self::uniformized) and [`RelativeValueIteration::solve`].
    pub fn average_bounds(&self, solver: &RelativeValueIteration<'_>) -> Result<BoundedSolution, Error> {
        let steps = self.uniformized()?;
        let found = solver.solve(&steps);
        let mut found = found.map_err(|error| error.in_units(self.rate, f64::EPSILON))?;
        if let Some(proven) = self.in_time(&steps, &mut found.solution)? {
            found.bounds = found.bounds.and(&proven);
            found.solution.gain = found.bounds.lower().midpoint(*found.bounds.upper());
        }
        Ok(found)
    }
}

/// Total rate out of a state, checked.
pub(super) fn exit_rate<T: Scalar>(from: usize, action: &RateAction<T>, len: usize) -> Result<T, Flaw> {
    let mut exit = T::zero();
    for (to, rate) in &action.rates {
        let to = *to;
        if to >= len {
            return Err(Flaw::NoSuchState { to, len });
        }
        check_move(Weight::Rate, to, rate)?;
        if to != from {
            exit += rate;
        }
    }
    if exit.is_number() { Ok(exit) } else { Err(Flaw::RateSum) }
}
