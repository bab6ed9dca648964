//! The last states of an elimination, of which nearly each leads to nearly each: a full matrix.

use super::graph::{Graph, Move};
use super::{Elimination, LOWEST, Room, Source};
use crate::budget::{Halted, Meter};
use crate::scalar::Scalar;

/// Rates between the states that are left; the diagonal means nothing.
struct Dense<T> {
    states: Vec<u32>,
    rates: Vec<T>,
}

impl<T: Scalar> Elimination<T> {
    /// Eliminates all of `states`, which are those that are left, in this order.
    ///
    /// # Errors
    /// [`Halted`].
    pub(super) fn finish_dense(
        &mut self,
        graph: &mut Graph<T>,
        states: Vec<u32>,
        room: Room<'_>,
    ) -> Result<(), Halted> {
        let full = states.len() * states.len() * size_of::<T>();
        room.meter.hold(|| full + graph.bytes() + self.bytes())?;
        let mut dense = Dense::new(graph, states);
        for k in 0..dense.states.len() {
            dense.eliminate(k, graph, self, room.meter)?;
            room.meter.hold(|| full + graph.bytes() + self.bytes())?;
            if room.is_told {
                room.meter.tell(|| self.progress());
            }
        }
        Ok(())
    }
}

impl<T: Scalar> Dense<T> {
    fn new(graph: &Graph<T>, states: Vec<u32>) -> Self {
        let width = states.len();
        let mut number = std::collections::HashMap::with_capacity(width);
        number.extend(states.iter().enumerate().map(|(at, &state)| (state, at)));
        let mut rates = vec![T::zero(); width * width];
        for (at, &state) in states.iter().enumerate() {
            for step in graph.rows.list(state as usize) {
                rates[at * width + number[&step.to]] = step.rate.clone();
            }
        }
        Self { states, rates }
    }

    fn eliminate(
        &mut self,
        k: usize,
        graph: &mut Graph<T>,
        done: &mut Elimination<T>,
        meter: &Meter<'_>,
    ) -> Result<(), Halted> {
        let width = self.states.len();
        let v = self.states[k] as usize;
        let (above, below) = self.rates.split_at_mut((k + 1) * width);
        let row = &mut above[k * width + k + 1..];
        meter.spend(row.len() as u64 + 1)?;
        let (pivot, least) = graph.divide(v, row, meter)?;
        let mut touched = 0;
        for (i, &from) in (k + 1..).zip(&self.states[k + 1..]) {
            let other = &mut below[(i - k - 1) * width + k..(i - k) * width];
            let (first, rest) = other.split_at_mut(1);
            let rate = &first[0];
            if rate.is_zero() {
                continue;
            }
            touched += 1;
            meter.spend(rest.len() as u64 + 1)?;
            graph.is_lossy |= rate.exponent() + least < LOWEST;
            let scale = graph.scale[from as usize];
            done.into.push(Source {
                from,
                scale,
                rate: rate.clone(),
            });
            graph.add_times(rate, (v, row), (from as usize, rest), meter)?;
            let gone = graph.leave.as_mut().map(|leave| &mut leave[from as usize]);
            rescale(rest, i - k - 1, gone, &mut graph.scale[from as usize]);
        }
        let targets = self.states[k + 1..].iter().zip(&*row);
        let moves = targets.filter(|(_, rate)| !rate.is_zero());
        graph
            .rows
            .replace(v, moves.map(|(&to, rate)| Move::to(to, rate.clone())));
        done.push(v as u32, pivot, graph.scale[v], graph.rows.len(v), touched);
        Ok(())
    }
}

/// What full rows take, beside the chain that they are of.
impl<T: Scalar> Graph<T> {
    /// Divides the row of a state, and what leaves the chain from it, by their sum. Returns the sum, and the least exponent of
    /// what came of it.
    pub(super) fn divide(&mut self, v: usize, row: &mut [T], meter: &Meter<'_>) -> Result<(T, i32), Halted> {
        let mut pivot = T::zero();
        for rate in row.iter().filter(|rate| !rate.is_zero()) {
            meter.spend_exact::<T>()?;
            pivot += rate;
        }
        if let Some(leave) = &self.leave {
            pivot += &leave[v];
        }
        let mut least = 0;
        let gone = self.leave.as_mut().map(|leave| &mut leave[v]);
        for rate in row.iter_mut().chain(gone).filter(|rate| !rate.is_zero()) {
            meter.spend_exact::<T>()?;
            *rate /= &pivot;
            least = least.min(rate.exponent());
        }
        self.is_lossy |= least < LOWEST;
        Ok((pivot, least))
    }

    /// Adds the row of an eliminated state, and what leaves the chain from it, so many times to those of another.
    pub(super) fn add_times(
        &mut self,
        rate: &T,
        (v, row): (usize, &[T]),
        (from, sums): (usize, &mut [T]),
        meter: &Meter<'_>,
    ) -> Result<(), Halted> {
        for (sum, probability) in sums.iter_mut().zip(row) {
            if T::EXACT && probability.is_zero() {
                continue;
            }
            meter.spend_exact::<T>()?;
            let mut part = probability.clone();
            part *= rate;
            *sum += &part;
        }
        if let Some(leave) = &mut self.leave {
            let mut part = leave[v].clone();
            part *= rate;
            leave[from] += &part;
        }
        Ok(())
    }
}

/// Multiplies a row, except for its diagonal, and what leaves the chain from it by a power of two if all of it became
/// tiny.
pub(super) fn rescale<T: Scalar>(row: &mut [T], diagonal: usize, mut gone: Option<&mut T>, scale: &mut i32) {
    const TINY: i32 = -200;
    if T::EXACT {
        return;
    }
    let (before, after) = row.split_at_mut(diagonal);
    let others = || before.iter().chain(after.iter().skip(1)).chain(gone.as_deref());
    if others().any(|rate| rate.exponent() > TINY) {
        return;
    }
    let largest = others()
        .filter(|rate| !rate.is_zero())
        .map(|rate| rate.exponent())
        .max();
    let Some(largest) = largest else {
        return;
    };
    for rate in before.iter_mut().chain(after.iter_mut().skip(1)).chain(gone.take()) {
        *rate = rate.clone().shifted(-largest);
    }
    *scale -= largest;
}
