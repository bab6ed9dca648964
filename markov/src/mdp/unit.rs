//! Costs in a unit in which floats have digits, and room, for what is computed of them.
//!
//! Answers are in proportion to costs. Those near the largest float leave no room for their sums, and those near the least
//! one no digits for their products with probabilities, nor for tolerances. So costs beyond [`ROOM`] are multiplied by a
//! power of two before they are computed with, which rounds nothing, and answers are divided by it.

use std::borrow::Cow;

use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::optimality::{LEAST_EXPONENT, underflow};
use crate::scalar::Scalar;

/// Costs are multiplied where the binary exponent of the largest one is further from zero than this. Below there is as much
/// room for small costs, and above for large totals, as all but the strangest processes have any use for.
const ROOM: i32 = 256;

/// Values that are given stay below this exponent, so that they have differences.
const VALUES: i32 = 1000;

/// The power of two by which costs are multiplied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    power: i32,
}

impl Unit {
    /// That of a process: none for fractions, for costs of moderate size, and where all are zero. Costs are divided by no
    /// more than leaves all of them their last digits.
    pub(crate) fn of<T: Scalar>(mdp: &Mdp<T>) -> Self {
        Self::of_costs(&mdp.costs)
    }

    /// That of a list of costs.
    pub(crate) fn of_costs<T: Scalar>(costs: &[T]) -> Self {
        let (mut most, mut last) = (None, i32::MAX);
        for cost in costs.iter().filter(|cost| !T::EXACT && !cost.is_zero()) {
            let digits = Digits::of(cost.to_float());
            most = most.max(Some(digits.first));
            last = last.min(digits.last);
        }
        let power = most.map_or(0, |most| most.clamp(-ROOM, ROOM) - most);
        Self {
            power: power.max(LEAST_EXPONENT.saturating_sub(last).min(0)),
        }
    }

    /// That of a process where these values of states are computed with, too.
    pub(crate) fn with_values<T: Scalar>(mdp: &Mdp<T>, values: &[T]) -> Self {
        let Self { power } = Self::of(mdp);
        if power <= 0 {
            return Self { power };
        }
        let firsts = values.iter().map(|value| Digits::of(value.to_float()).first);
        let room = firsts.max().map_or(power, |most| VALUES - most);
        Self {
            power: power.min(room.max(0)),
        }
    }

    /// Whether costs stay what they are.
    pub(crate) fn is_one(self) -> bool {
        self.power == 0
    }

    /// The process with its costs multiplied.
    pub(crate) fn process<T: Scalar>(self, mdp: &Mdp<T>) -> Cow<'_, Mdp<T>> {
        match self.is_one() {
            true => Cow::Borrowed(mdp),
            false => Cow::Owned(Mdp {
                costs: self.times(&mdp.costs),
                ..mdp.clone()
            }),
        }
    }

    /// A number in proportion to costs, multiplied as these are.
    pub(crate) fn time<T: Scalar>(self, value: &T) -> T {
        value.clone().shifted(self.power)
    }

    pub(crate) fn times<T: Scalar>(self, values: &[T]) -> Vec<T> {
        values.iter().map(|value| self.time(value)).collect()
    }

    /// The nearest number to what a number stands for.
    pub(crate) fn back<T: Scalar>(self, value: T) -> T {
        value.shifted(-self.power)
    }

    pub(crate) fn all_back<T: Scalar>(self, values: Vec<T>) -> Vec<T> {
        if self.is_one() {
            return values;
        }
        values.into_iter().map(|value| self.back(value)).collect()
    }

    /// No more than a number stands for, and next to it.
    pub(crate) fn below<T: Scalar>(self, value: &T) -> T {
        let near = self.back(value.clone());
        if self.time(&near) > *value {
            return near - least::<T>();
        }
        near
    }

    /// No less than a number stands for, and next to it.
    pub(crate) fn above<T: Scalar>(self, value: &T) -> T {
        let near = self.back(value.clone());
        if self.time(&near) < *value {
            return near + least::<T>();
        }
        near
    }

    /// How far numbers may be off that were rounded on the way from this unit, or into it, in the unit.
    pub(crate) fn grain<T: Scalar>(self) -> T {
        match T::EXACT {
            true => T::zero(),
            false => least::<T>().shifted(self.power.max(0)),
        }
    }

    /// The largest distance from the numbers that [`back`](Self::back) makes of some, where it was this from those.
    pub(crate) fn radius<T: Scalar>(self, radius: &T) -> T {
        match self.power > 0 {
            true => self.above(radius) + least::<T>(),
            false => self.above(radius),
        }
    }

    /// Bounds as they are outside of the unit, rounded outwards; none where they are no floats.
    pub(crate) fn bounds(self, (lower, upper): (f64, f64)) -> Option<(f64, f64)> {
        Some((self.below(&lower), self.above(&upper))).filter(|(lower, upper)| lower.is_finite() && upper.is_finite())
    }

    /// An error as it is outside of the unit. Of an iterate beyond all floats nothing is left.
    pub(crate) fn error(self, mut error: Error) -> Error {
        let (best, bounds, radius) = match &mut error {
            Error::NotConverged {
                best, bounds, radius, ..
            } => (best, bounds, radius),
            Error::Stopped(stopped) => (&mut stopped.best, &mut stopped.bounds, &mut stopped.radius),
            _ => return error,
        };
        if !self.is_one() {
            *best = self.all_back(core::mem::take(best));
            *bounds = bounds.and_then(|bounds| self.bounds(bounds));
            *radius = radius
                .map(|radius| self.radius(&radius))
                .filter(|radius| radius.is_finite());
        }
        // Fractions, too, may be beyond what they are told as.
        if best.iter().any(|value| !value.is_finite()) {
            best.clear();
            *radius = None;
        }
        error
    }
}

/// The least float above zero; nothing where numbers are exact.
fn least<T: Scalar>() -> T {
    match T::EXACT {
        true => T::zero(),
        false => T::one().shifted(LEAST_EXPONENT),
    }
}

/// What evaluations may lose at each step where products are too small for all their digits, as the size of a cost that
/// has roundings as large.
pub(crate) fn lost_as_size<T: Scalar>() -> T {
    let (one, part) = super::improvement::ROUNDINGS;
    underflow::<T>(4) * T::ratio(part, one)
}

/// The exponents of the first and the last digit of a float in base two.
struct Digits {
    first: i32,
    last: i32,
}

impl Digits {
    fn of(number: f64) -> Self {
        let bits = number.to_bits();
        let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32 & 0x7ff);
        let (digits, unit) = match exponent {
            0 => (fraction, LEAST_EXPONENT),
            _ => (fraction | 1 << 52, exponent - 1075),
        };
        Self {
            // Zero has a digit of no weight.
            first: unit + digits.checked_ilog2().unwrap_or(0) as i32,
            last: unit + digits.trailing_zeros().min(63) as i32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Digits, Unit};
    use crate::mdp::{Action, Mdp};

    fn unit(costs: &[f64]) -> i32 {
        let actions = costs.iter().map(|&cost| Action {
            cost,
            moves: vec![(0, 1.0)],
        });
        Unit::of(&Mdp::new([actions.collect()]).expect("a process")).power
    }

    #[test]
    fn digits_of_floats() {
        for (number, first, last) in [
            (1.0, 0, 0),
            (-6.0, 2, 1),
            (f64::MAX, 1023, 971),
            (f64::from_bits(1), -1074, -1074),
            (f64::from_bits(12), -1071, -1072),
            (f64::MIN_POSITIVE, -1022, -1022),
            (f64::MIN_POSITIVE.next_down(), -1023, -1074),
        ] {
            let digits = Digits::of(number);
            assert_eq!((digits.first, digits.last), (first, last), "{number:e}");
        }
    }

    #[test]
    fn no_cost_loses_a_digit() {
        let power = |exponent| 2.0_f64.powi(exponent);
        assert_eq!(unit(&[0.0, -0.0]), 0);
        assert_eq!(unit(&[1.0, power(-1000), 0.0]), 0);
        assert_eq!([unit(&[power(256)]), unit(&[power(-256)])], [0, 0]);
        assert_eq!([unit(&[-power(257)]), unit(&[1.5 * power(-257)])], [-1, 1]);
        assert_eq!(unit(&[f64::MAX]), 256 - 1023);
        assert_eq!(unit(&[f64::from_bits(1)]), 1074 - 256);
        assert_eq!(unit(&[power(1000), power(-400)]), -674);
        assert_eq!(unit(&[power(1000), 3.0 * power(-400)]), -674);
        assert_eq!(unit(&[power(1000), power(-329)]), 256 - 1000);
        assert_eq!(unit(&[power(1000), f64::from_bits(1)]), 0);
        assert_eq!(unit(&[f64::from_bits(3), power(-1000)]), 1000 - 256);
    }

    #[test]
    fn what_is_rounded_on_the_way_back_is_rounded_outwards() {
        let unit = Unit { power: 900 };
        let (value, quantum) = (2.0_f64.powi(-174) * 1.25, f64::from_bits(1));
        assert_eq!((unit.below(&value), unit.back(value)), (quantum, quantum));
        assert_eq!(unit.above(&value), 2.0 * quantum);
        assert_eq!((unit.below(&-value), unit.above(&-value)), (-2.0 * quantum, -quantum));
        assert_eq!(unit.bounds((-value, value)), Some((-2.0 * quantum, 2.0 * quantum)));
        assert_eq!(unit.radius(&value), 3.0 * quantum);
        let large = Unit { power: -900 };
        assert_eq!(large.bounds((0.0, 2.0_f64.powi(200))), None);
        assert_eq!(large.above(&2.0_f64.powi(100)), 2.0_f64.powi(1000));
    }
}
