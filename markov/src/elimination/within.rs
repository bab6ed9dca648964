//! A chain watched while it is in some of its states.

use super::{Elimination, Room, Visits};
use crate::budget::{Halted, Meter};
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Some states of a chain, eliminated: what is expected until they are left.
#[derive(Clone, Debug)]
pub(crate) struct Within<T> {
    /// The states, in the order of their numbers.
    pub(crate) states: Vec<usize>,
    /// The number of each state of the chain among them.
    pub(crate) number: Vec<Option<usize>>,
    pub(crate) solver: Elimination<T>,
}

impl<T: Scalar> Within<T> {
    /// These states of a chain of `len` states, whose moves `row` lists; moves from a state to itself change nothing.
    /// From each of the states the chain must leave them some time.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where the elimination keeps more entries than there is room for; [`Error::Stopped`];
    /// [`Error::NotANumber`] for a state whose rates out of these states add up to more than a float holds.
    pub(crate) fn new<'a, R>(
        len: usize,
        states: Vec<usize>,
        row: impl Fn(usize) -> R,
        room: Room<'_>,
    ) -> Result<Self, Error>
    where
        R: Iterator<Item = (usize, &'a T)>,
    {
        let number = numbers(len, &states);
        let (rates, leave) = cut(&states, &number, row);
        if let Some(at) = leave.iter().position(|leave| !leave.is_number()) {
            let (from, to) = (states[at], states[at]);
            return Err(Error::NotANumber { from, to });
        }
        let solver = Elimination::new(&rates, Some(&leave), room)?;
        Ok(Self { states, number, solver })
    }

    /// The same, where results in floats are to be relied on.
    ///
    /// # Errors
    /// [`Error::PrecisionLost`].
    pub(crate) fn without_loss(self) -> Result<Self, Error> {
        match self.solver.is_lossy {
            true => Err(Error::PrecisionLost),
            false => Ok(self),
        }
    }

    /// Expected totals of a value per visit of a state until the states are left, by number. Infinite beyond the range
    /// of floats.
    ///
    /// # Errors
    /// [`Halted`].
    pub(crate) fn totals(&self, value: impl Fn(usize) -> T, meter: &Meter<'_>) -> Result<Vec<T>, Halted> {
        let values = self.states.iter().map(|&state| value(state)).collect();
        self.solver.totals(values, meter)
    }

    /// Expected times in the states until they are left, by number, from the start distribution `mass`.
    ///
    /// # Errors
    /// [`Halted`].
    pub(crate) fn visits(&self, mass: impl Fn(usize) -> T, meter: &Meter<'_>) -> Result<Visits<T>, Halted> {
        let masses = self.states.iter().map(|&state| mass(state)).collect();
        self.solver.visits(masses, meter)
    }
}

/// For each state of a chain, its number among `states`.
fn numbers(len: usize, states: &[usize]) -> Vec<Option<usize>> {
    let mut number = vec![None; len];
    for (at, &state) in states.iter().enumerate() {
        number[state] = Some(at);
    }
    number
}

/// Rates between the states by number, and rates out of all of them.
fn cut<'a, T: Scalar, R>(states: &[usize], number: &[Option<usize>], row: impl Fn(usize) -> R) -> (Csr<T>, Vec<T>)
where
    R: Iterator<Item = (usize, &'a T)>,
{
    let mut leave = vec![T::zero(); states.len()];
    let rows = states.iter().zip(&mut leave).map(|(&state, leave)| {
        let mut inside = Vec::new();
        for (to, rate) in row(state).filter(|&(to, _)| to != state) {
            match number[to] {
                Some(at) => inside.push((at, rate.clone())),
                None => *leave += rate,
            }
        }
        inside
    });
    let rates = Csr::from_rows(states.len(), rows.collect::<Vec<_>>());
    (rates, leave)
}
