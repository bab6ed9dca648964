//! Steps of chains in discrete time.

use super::{check_costs, check_distribution, check_total};
use crate::chain::Dtmc;
use crate::error::Error;
use crate::scalar::Scalar;

impl<T: Scalar> Dtmc<T> {
    /// The distribution after some steps, from a start distribution. Exact for exact probabilities, whose digits grow
    /// with the steps.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::NotADistribution`].
    ///
    /// # Complexity
    /// O(steps × transitions) operations on numbers.
    pub fn after(&self, start: &[T], steps: usize) -> Result<Vec<T>, Error> {
        check_distribution(start, self.len())?;
        let mut x = start.to_vec();
        for _ in 0..steps {
            x = self.step(&x);
        }
        Ok(x)
    }

    /// The expected total of a cost per step over the first steps: the cost of the start counts, that of the state
    /// after the last step does not.
    ///
    /// # Errors
    /// As [`Dtmc::after`], and [`Error::NotANumber`] for costs, or where they add up to more than a float holds.
    pub fn accumulated(&self, start: &[T], costs: &[T], steps: usize) -> Result<T, Error> {
        check_distribution(start, self.len())?;
        check_costs(costs, self.len())?;
        let mut x = start.to_vec();
        let mut total = T::zero();
        for step in 0..steps {
            for (mass, cost) in x.iter().zip(costs) {
                let mut part = mass.clone();
                part *= cost;
                total += &part;
            }
            if step + 1 < steps {
                x = self.step(&x);
            }
        }
        check_total(&total, costs)?;
        Ok(total)
    }

    fn step(&self, x: &[T]) -> Vec<T> {
        let mut next: Vec<T> = x
            .iter()
            .zip(self.stay())
            .map(|(mass, stay)| mass.clone() * stay.clone())
            .collect();
        for (state, mass) in x.iter().enumerate().filter(|(_, mass)| !mass.is_zero()) {
            for (to, probability) in self.moves().row(state) {
                let mut part = mass.clone();
                part *= probability;
                next[to] += &part;
            }
        }
        next
    }
}
