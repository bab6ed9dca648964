//! A closed class of a chain as a chain of its own.

use std::borrow::Cow;

use crate::classify::Classes;
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// A closed class.
#[derive(Debug)]
pub(super) enum Class {
    /// All states.
    Everything,
    /// These states, in rising order.
    Some(Vec<usize>),
}

/// Whether all states are in one class, from the moves and the same moves backwards: if the first state leads to all others
/// both ways. Two searches without an order are several times as fast as one for all classes.
pub(super) fn is_irreducible(rates: &Csr<f64>, back: &Csr<f64>) -> bool {
    leads_to_all(rates) && leads_to_all(back)
}

fn leads_to_all(rates: &Csr<f64>) -> bool {
    let mut is_met = vec![false; rates.rows()];
    is_met[0] = true;
    let mut stack = vec![0_u32];
    let mut met = 1;
    while let Some(state) = stack.pop() {
        for &to in rates.row_slices(state as usize).0 {
            if !core::mem::replace(&mut is_met[to as usize], true) {
                met += 1;
                stack.push(to);
            }
        }
    }
    met == rates.rows()
}

impl Class {
    /// The only closed class.
    pub(super) fn only<T: Scalar>(rates: &Csr<T>) -> Result<Self, Error> {
        let classes = Classes::of(rates);
        if classes.is_irreducible() {
            return Ok(Self::Everything);
        }
        let mut closed = classes.closed();
        match closed.pop() {
            Some(class) if closed.is_empty() => Ok(Self::Some(class)),
            _ => {
                let classes = classes.closed();
                Err(Error::Reducible { classes })
            }
        }
    }

    /// The closed class of a state.
    pub(super) fn of<T: Scalar>(rates: &Csr<T>, state: usize) -> Result<Self, Error> {
        let len = rates.rows();
        if state >= len {
            return Err(Error::StateOutOfRange { state, len });
        }
        let classes = Classes::of(rates);
        if classes.is_transient(state) {
            return Err(Error::Transient { state });
        }
        let class = classes.class_of(state);
        Ok(Self::Some(
            (0..len).filter(|&other| classes.class_of(other) == class).collect(),
        ))
    }

    /// The rates within the class, its states numbered in their order.
    pub(super) fn rates<'a, T: Scalar>(&self, rates: &'a Csr<T>) -> Cow<'a, Csr<T>> {
        let Self::Some(states) = self else {
            return Cow::Borrowed(rates);
        };
        let mut number = vec![None; rates.rows()];
        for (at, &state) in states.iter().enumerate() {
            number[state] = Some(at);
        }
        let rows = states.iter().map(|&state| {
            let row = rates.row(state);
            row.filter_map(|(to, rate)| Some((number[to]?, rate.clone())))
                .collect::<Vec<_>>()
        });
        Cow::Owned(Csr::from_rows(states.len(), rows))
    }

    /// Values of the class by state of the chain; zero for other states.
    pub(super) fn spread<T: Scalar>(&self, values: Vec<T>, len: usize) -> Vec<T> {
        let Self::Some(states) = self else {
            return values;
        };
        let mut all = vec![T::zero(); len];
        for (&state, value) in states.iter().zip(values) {
            all[state] = value;
        }
        all
    }
}
