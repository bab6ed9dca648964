//! Steps of chains in discrete time.

use matching_core::Budget;

use super::{check_costs, check_distribution, check_total};
use crate::budget::{Halted, Meter, Stopped};
use crate::chain::Dtmc;
use crate::error::Error;
use crate::mdp::unit::Unit;
use crate::scalar::Scalar;

impl<T: Scalar> Dtmc<T> {
    /// The distribution after some steps, from a start distribution. Exact for exact probabilities, whose digits grow
    /// with the steps. Rows of floats count as they are given: what one misses one by, 1e-9 at most, is missing from the sum
    /// after each step, and not put to staying as in the [long run](Dtmc::stationary).
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::NotADistribution`].
    ///
    /// # Complexity
    /// O(steps × transitions) operations on numbers.
    pub fn after(&self, start: &[T], steps: usize) -> Result<Vec<T>, Error> {
        self.metered_after(start, steps, &Meter::unlimited())
    }

    /// As [`Dtmc::after`], within a budget of time, a token, and work, which is counted in probabilities and states that
    /// mass goes through. Memory is that of two distributions, and is not limited.
    ///
    /// # Errors
    /// As [`Dtmc::after`], and [`Error::Stopped`] with the distribution after the steps that were completed.
    pub fn after_within(&self, start: &[T], steps: usize, budget: &Budget) -> Result<Vec<T>, Error> {
        self.metered_after(start, steps, &Meter::new(budget, None))
    }

    fn metered_after(&self, start: &[T], steps: usize, meter: &Meter<'_>) -> Result<Vec<T>, Error> {
        check_distribution(start, self.len())?;
        let mut x = start.to_vec();
        meter.look().map_err(|halted| stopped(halted, &x, 0))?;
        for done in 0..steps {
            x = self.step(&x, meter).map_err(|halted| stopped(halted, &x, done))?;
        }
        Ok(x)
    }

    /// The expected total of a cost per step over the first steps: the cost of the start counts, that of the state
    /// after the last step does not. Rows of floats count as they are given, as for [`after`](Dtmc::after).
    ///
    /// # Errors
    /// As [`Dtmc::after`], and [`Error::NotANumber`] for costs, or where they add up to more than a float holds.
    pub fn accumulated(&self, start: &[T], costs: &[T], steps: usize) -> Result<T, Error> {
        self.metered_accumulated((start, costs), steps, &Meter::unlimited())
    }

    /// As [`Dtmc::accumulated`], within a budget as that of [`Dtmc::after_within`].
    ///
    /// # Errors
    /// As [`Dtmc::accumulated`], and [`Error::Stopped`] with the distribution after the steps that were completed.
    pub fn accumulated_within(&self, start: &[T], costs: &[T], steps: usize, budget: &Budget) -> Result<T, Error> {
        self.metered_accumulated((start, costs), steps, &Meter::new(budget, None))
    }

    fn metered_accumulated(&self, (start, costs): (&[T], &[T]), steps: usize, meter: &Meter<'_>) -> Result<T, Error> {
        check_distribution(start, self.len())?;
        check_costs(costs, self.len())?;
        // The least floats have no digits for products with probabilities.
        let unit = Unit::of_costs(costs);
        let in_unit = unit.times(costs);
        let mut x = start.to_vec();
        meter.look().map_err(|halted| stopped(halted, &x, 0))?;
        let mut total = T::zero();
        for step in 0..steps {
            for (mass, cost) in x.iter().zip(&in_unit) {
                let mut part = mass.clone();
                part *= cost;
                total += &part;
            }
            if step + 1 < steps {
                x = self.step(&x, meter).map_err(|halted| stopped(halted, &x, step))?;
            }
        }
        let total = unit.back(total);
        check_total(&total, costs)?;
        Ok(total)
    }

    fn step(&self, x: &[T], meter: &Meter<'_>) -> Result<Vec<T>, Halted> {
        meter.look()?;
        let mut next: Vec<T> = x
            .iter()
            .zip(self.stay())
            .map(|(mass, stay)| mass.clone() * stay.clone())
            .collect();
        for (state, mass) in x.iter().enumerate().filter(|(_, mass)| !mass.is_zero()) {
            let row = self.moves().row(state);
            meter.spend(1 + row.len() as u64)?;
            for (to, probability) in row {
                let mut part = mass.clone();
                part *= probability;
                next[to] += &part;
            }
        }
        Ok(next)
    }
}

fn stopped<T: Scalar>(halted: Halted, x: &[T], iterations: usize) -> Error {
    let best = x.iter().map(Scalar::to_float).collect();
    Stopped {
        iterations,
        best,
        ..halted.bare()
    }
    .error()
}
