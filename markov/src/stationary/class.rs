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

/// Rounds through all states before a search goes on from state to state.
const ROUNDS: usize = 6;

/// The states that one state leads to by moves, itself included, and whether they are all states; `back` are the same
/// moves by the states that they lead to.
///
/// A search from state to state reads rows in any order, of which memory is slow. So first each state in turn, up and
/// down, asks whether one of its sources is met: few such rounds find all states of most chains, be they random or
/// lines.
fn led_to(moves: &Csr<f64>, back: &Csr<f64>, state: usize) -> (Vec<bool>, bool) {
    let len = moves.rows();
    let mut is_met = vec![false; len];
    is_met[state] = true;
    let mut met = 1;
    for round in 0..ROUNDS {
        let before = met;
        for at in 0..len {
            let state = if round % 2 == 0 { at } else { len - 1 - at };
            if !is_met[state] && back.row_slices(state).0.iter().any(|&from| is_met[from as usize]) {
                is_met[state] = true;
                met += 1;
            }
        }
        if met == before || met == len {
            return (is_met, met == len);
        }
    }
    let mut stack: Vec<u32> = (0..len as u32).filter(|&state| is_met[state as usize]).collect();
    while let Some(state) = stack.pop() {
        for &to in moves.row_slices(state as usize).0 {
            if !core::mem::replace(&mut is_met[to as usize], true) {
                met += 1;
                stack.push(to);
            }
        }
    }
    (is_met, met == len)
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

    /// The only closed class if the first state is in it, from the moves and the same moves backwards: if all states
    /// lead to the first, then the class is what that leads to. Two searches in any order are many times as fast as one
    /// for all classes.
    pub(super) fn of_first(rates: &Csr<f64>, back: &Csr<f64>) -> Option<Self> {
        let (_, is_led_to) = led_to(back, rates, 0);
        if !is_led_to {
            return None;
        }
        let (is_member, is_everything) = led_to(rates, back, 0);
        if is_everything {
            return Some(Self::Everything);
        }
        Some(Self::Some(
            (0..rates.rows()).filter(|&state| is_member[state]).collect(),
        ))
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

    /// Numbers of states within their closed classes, for [`Class::closed_rates`].
    pub(super) fn numbers(closed: &[Vec<usize>], len: usize) -> Vec<usize> {
        let mut number = vec![0; len];
        for (at, &state) in closed.iter().flat_map(|states| states.iter().enumerate()) {
            number[state] = at;
        }
        number
    }

    /// The rates within a closed class, its states by these numbers. As quick as the class is small: there may be as many
    /// classes as states.
    pub(super) fn closed_rates<T: Scalar>(rates: &Csr<T>, states: &[usize], numbers: &[usize]) -> Csr<T> {
        let rows = states.iter().map(|&state| {
            let row = rates.row(state);
            row.map(|(to, rate)| (numbers[to], rate.clone())).collect::<Vec<_>>()
        });
        Csr::from_rows(states.len(), rows)
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

#[cfg(test)]
mod tests {
    use super::{Class, led_to};
    use crate::sparse::Csr;

    /// Searches from the first state, forwards and backwards.
    fn met(rows: Vec<Vec<(usize, f64)>>) -> [Vec<usize>; 2] {
        let moves = Csr::from_rows(rows.len(), rows);
        let back = moves.transposed();
        [led_to(&moves, &back, 0), led_to(&back, &moves, 0)].map(|(is_met, is_everything)| {
            let met: Vec<usize> = (0..is_met.len()).filter(|&state| is_met[state]).collect();
            assert_eq!(is_everything, met.len() == is_met.len());
            met
        })
    }

    #[test]
    fn searches_end_where_nothing_new_is_met() {
        // A line upwards that ends in a pair; nothing leads to the state besides.
        let rows = vec![vec![(1, 1.0)], vec![(2, 1.0)], vec![(1, 1.0)], vec![(0, 1.0)]];
        assert_eq!(met(rows), [vec![0, 1, 2], vec![0, 3]]);
    }

    #[test]
    fn searches_that_take_more_than_a_few_rounds_go_on() {
        // A tour that jumps to and fro, so that a round up or down takes it one or two states on.
        let len = 101;
        let tour: Vec<usize> = (0..len).map(|at| if at % 2 == 0 { at } else { len - 1 - at }).collect();
        let mut rows = vec![Vec::new(); len + 1];
        for (at, &state) in tour.iter().enumerate() {
            rows[state].push((tour[(at + 1) % len], 1.0));
        }
        rows[len].push((0, 1.0));
        let tour: Vec<usize> = (0..len).collect();
        assert_eq!(met(rows.clone()), [tour.clone(), (0..=len).collect()]);
        let moves = Csr::from_rows(len + 1, rows);
        let class = Class::of_first(&moves, &moves.transposed());
        assert!(matches!(class, Some(Class::Some(states)) if states == tour));
    }
}
