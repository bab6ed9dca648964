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

/// The states that one state leads to, itself included, and whether they are all states.
fn led_to(rates: &Csr<f64>, state: usize) -> (Vec<bool>, bool) {
    let mut is_met = vec![false; rates.rows()];
    is_met[state] = true;
    let mut stack = vec![state as u32];
    let mut met = 1;
    while let Some(state) = stack.pop() {
        for &to in rates.row_slices(state as usize).0 {
            if !core::mem::replace(&mut is_met[to as usize], true) {
                met += 1;
                stack.push(to);
            }
        }
    }
    (is_met, met == rates.rows())
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

    /// The only closed class if the first state is in it, from the moves and the same moves backwards: if all states lead to
    /// the first, then the class is what that leads to. Two searches in any order are several times as fast as one
    /// for all classes.
    pub(super) fn of_first(rates: &Csr<f64>, back: &Csr<f64>) -> Option<Self> {
        let (_, is_led_to) = led_to(back, 0);
        if !is_led_to {
            return None;
        }
        let (is_member, is_everything) = led_to(rates, 0);
        if is_everything {
            return Some(Self::Everything);
        }
        Some(Self::Some(
            (0..rates.rows()).filter(|&state| is_member[state]).collect(),
        ))
    }

    /// The same weight on each state of the class, one in sum; none on others.
    pub(super) fn uniform(&self, len: usize) -> Vec<f64> {
        let count = match self {
            Self::Everything => len,
            Self::Some(states) => states.len(),
        };
        self.spread(vec![1.0 / count as f64; count], len)
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
