//! Elimination from one end of a narrow chain to the other: the rates between the states of the front are a full matrix,
//! which states enter as they are met and leave as they are eliminated.
//!
//! Reference: B. Irons, "A frontal solution program for finite element analysis", International Journal for Numerical
//! Methods in Engineering 2 (1970), 5-32, doi:10.1002/nme.1620020104.

use super::dense::rescale;
use super::front::Front;
use super::graph::{Graph, Move};
use super::{Elimination, LOWEST, Refused, Room, Source};
use crate::scalar::Scalar;

/// No place yet, or no state.
const NONE: u32 = u32::MAX;
/// No place any more.
const GONE: u32 = u32::MAX - 1;

/// The states that have been met and not eliminated.
struct Window<T> {
    /// Rates by places; those of places without a state are zero, and so is the diagonal.
    rates: Vec<T>,
    /// Places in a row.
    width: usize,
    states: Vec<u32>,
    /// Where each state of the chain stands, if it does.
    place: Vec<u32>,
    free: Vec<u32>,
    /// Moves of each state to others that have not been met.
    outside: Vec<u32>,
    /// The row at work.
    row: Vec<T>,
}

impl<T: Scalar> Elimination<T> {
    /// Eliminates all states in this order.
    ///
    /// # Errors
    /// [`Refused`].
    pub(super) fn along(front: &Front, mut graph: Graph<T>, room: Room<'_>) -> Result<Self, Refused> {
        let mut done = Self::empty(graph.scale.len());
        let full = front.width * front.width * size_of::<T>();
        room.meter.hold(|| full + graph.bytes())?;
        let mut window = Window::new(&graph, front.width);
        for &state in front.order.iter().skip(front.order.len() - front.hubs) {
            window.enter(state, &graph);
        }
        for &v in &front.order {
            window.enter(v, &graph);
            for at in 0..graph.rows.len(v as usize) {
                window.enter(graph.rows.list(v as usize)[at].to, &graph);
            }
            for from in graph.sources(v as usize) {
                window.enter(from, &graph);
            }
            window.eliminate(v, &mut graph, &mut done, room)?;
            if done.kept > room.fill {
                return Err(Refused::TooLarge);
            }
            room.meter.hold(|| full + graph.bytes() + done.bytes())?;
            if room.is_told {
                room.meter.tell(|| done.progress());
            }
        }
        Ok(done.finished(graph))
    }
}

impl<T: Scalar> Window<T> {
    fn new(graph: &Graph<T>, width: usize) -> Self {
        let len = graph.scale.len();
        Self {
            rates: vec![T::zero(); width * width],
            width,
            states: vec![NONE; width],
            place: vec![NONE; len],
            free: (0..width as u32).rev().collect(),
            outside: (0..len).map(|state| graph.rows.len(state) as u32).collect(),
            row: Vec::with_capacity(width),
        }
    }

    /// Takes a state in, unless it has been, with the rates between it and those that are there.
    fn enter(&mut self, state: u32, graph: &Graph<T>) {
        if self.place[state as usize] != NONE {
            return;
        }
        let Some(place) = self.free.pop() else {
            unreachable!("no front is wider than the search has found");
        };
        self.place[state as usize] = place;
        self.states[place as usize] = state;
        for step in graph.rows.list(state as usize) {
            let to = self.place[step.to as usize];
            if to < GONE {
                self.rates[place as usize * self.width + to as usize] = step.rate.clone();
                self.outside[state as usize] -= 1;
            }
        }
        for (from, rate) in graph.moves_to(state as usize) {
            let at = self.place[from as usize];
            if at < GONE {
                self.rates[at as usize * self.width + place as usize] = rate.clone();
                self.outside[from as usize] -= 1;
            }
        }
    }

    /// Eliminates a state all of whose neighbours are there.
    fn eliminate(
        &mut self,
        v: u32,
        graph: &mut Graph<T>,
        done: &mut Elimination<T>,
        room: Room<'_>,
    ) -> Result<(), Refused> {
        let (width, meter) = (self.width, room.meter);
        let at = self.place[v as usize] as usize;
        let v = v as usize;
        self.row.clear();
        let row = &mut self.rates[at * width..(at + 1) * width];
        self.row
            .extend(row.iter_mut().map(|rate| core::mem::replace(rate, T::zero())));
        let row = &mut self.row;
        meter.spend(width as u64 + 1)?;
        let (pivot, least) = graph.divide(v, row, meter)?;
        let mut touched = 0;
        for (i, other) in self.rates.chunks_exact_mut(width).enumerate() {
            if other[at].is_zero() {
                continue;
            }
            let rate = core::mem::replace(&mut other[at], T::zero());
            let from = self.states[i] as usize;
            touched += 1;
            meter.spend(width as u64 + 1)?;
            graph.is_lossy |= rate.exponent() + least < LOWEST;
            graph.add_times(&rate, (v, row), (from, other), meter)?;
            other[i] = T::zero();
            let scale = graph.scale[from];
            let gone = graph.leave.as_mut().map(|leave| &mut leave[from]);
            // What is still to come in is as it was in the beginning.
            if self.outside[from] == 0 {
                rescale(other, i, gone, &mut graph.scale[from]);
            }
            let from = from as u32;
            done.into.push(Source { from, scale, rate });
        }
        let targets = self.states.iter().zip(row.iter());
        let moves = targets.filter(|(_, rate)| !rate.is_zero());
        graph
            .rows
            .replace(v, moves.map(|(&to, rate)| Move::to(to, rate.clone())));
        done.push(v as u32, pivot, graph.scale[v], graph.rows.len(v), touched);
        self.states[at] = NONE;
        self.place[v] = GONE;
        self.free.push(at as u32);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Elimination, FILL, Front, Refused, Room};
    use super::Graph;
    use crate::budget::Meter;
    use crate::scalar::{Rational, Scalar};
    use crate::sparse::Csr;

    /// Levels of phases: each state leads to some of its own level and of the next ones, and back to two hubs.
    fn levels<T: Scalar>(count: usize, phases: usize, rate: impl Fn(usize, usize) -> T) -> Csr<T> {
        let len = count * phases;
        let rows = (0..len).map(|state| {
            let level = state / phases;
            let near = level.saturating_sub(1) * phases..((level + 2) * phases).min(len);
            let near = near.filter(|&to| to != state && (state * 7 + to * 3) % 4 != 0);
            let hubs = [len / 2, 0].into_iter().filter(|&hub| hub != state);
            near.chain(hubs).map(|to| (to, rate(state, to))).collect::<Vec<_>>()
        });
        Csr::from_rows(len, rows)
    }

    fn front<T: Scalar>(graph: &Graph<T>, last: Option<usize>) -> Front {
        let len = graph.scale.len();
        Front::find(len, |state| graph.neighbours(state), last, 4000 * len as u64).expect("it is narrow")
    }

    #[test]
    fn fractions_are_those_of_the_equations() {
        let rate = |from: usize, to: usize| Rational::ratio(1 + (from * 5 + to * 3) as i64 % 7, 2);
        let rates = levels(30, 4, rate);
        let len = rates.rows();
        let meter = Meter::unlimited();
        let room = Room::new(FILL, &meter);
        let rate = |from: usize, to: usize| {
            let found = rates.row(from).find(|&(at, _)| at == to);
            found.map_or(Rational::ratio(0, 1), |(_, rate)| rate.clone())
        };
        for last in [None, Some(17)] {
            let graph = Graph::new(&rates, None);
            let front = front(&graph, last);
            let done = Elimination::along(&front, graph, room).expect("no limit");
            assert!(last.is_none_or(|last| done.order.last() == Some(&(last as u32))));
            assert!(done.kept <= front.fill, "{} {}", done.kept, front.fill);
            let x = done.weights(&meter).expect("no limit").values;
            for to in 0..len {
                let inflow: Rational = (0..len).map(|from| &x[from] * rate(from, to)).sum();
                let outflow: Rational = rates.row(to).map(|(_, rate)| rate * &x[to]).sum();
                assert_eq!(inflow, outflow, "{to}");
            }
        }
        let leave: Vec<Rational> = (0..len).map(|state| Rational::ratio(state as i64 % 3, 5)).collect();
        let costs: Vec<Rational> = (0..len).map(|state| Rational::ratio(state as i64 % 5, 1)).collect();
        let graph = Graph::new(&rates, Some(&leave));
        let front = front(&graph, None);
        let done = Elimination::along(&front, graph, room).expect("no limit");
        let totals = done.totals(costs.clone(), &meter).expect("no limit");
        let times = done.visits(costs.clone(), &meter).expect("no limit").rounded();
        for state in 0..len {
            let out: Rational = rates.row(state).map(|(_, rate)| rate.clone()).sum();
            let ahead: Rational = rates.row(state).map(|(to, rate)| rate * &totals[to]).sum();
            assert_eq!((out.clone() + &leave[state]) * &totals[state] - ahead, costs[state]);
            let before: Rational = (0..len).map(|from| &times[from] * rate(from, state)).sum();
            assert_eq!((out + &leave[state]) * &times[state] - before, costs[state]);
        }
    }

    #[test]
    fn floats_are_within_their_proven_bound() {
        // From even rates to such as leave the range of floats where rows are not multiplied.
        for (at, spread) in [0, 20, 120].into_iter().enumerate() {
            let size = |from: usize, to: usize| ((from * 13 + to * 7) % 11) as i32 * spread / 10 - spread / 2;
            let rate = |from: usize, to: usize| 2.0_f64.powi(size(from, to)) * (1.0 + (from % 3) as f64);
            let rates = levels(25, 3, rate);
            let exact = rates.map(|_, _, rate| Rational::from_float(*rate).expect("a number"));
            let meter = Meter::unlimited();
            let room = Room::new(FILL, &meter);
            let graph = Graph::new(&rates, None);
            let done = Elimination::along(&front(&graph, None), graph, room).expect("no limit");
            let found = done.weights(&meter).expect("no limit");
            assert!(!found.is_lossy, "{at}");
            let expected = Elimination::new(&exact, None, room).expect("no limit");
            let expected = expected.weights(&meter).expect("no limit").values;
            for (value, exact) in found.values.iter().zip(expected) {
                let value = Rational::from_float(*value).expect("a number");
                let off = value - &exact;
                let error = num_traits::Signed::abs(&off) / exact;
                assert!(error.to_float() <= found.relative_error(), "{at} {error}");
            }
        }
    }

    #[test]
    fn limits_end_it() {
        let rates = levels(40, 4, |from, to| 1.0 + (from + to) as f64);
        let graph = || Graph::new(&rates, None);
        let front = front(&graph(), None);
        let meter = Meter::unlimited();
        let found = Elimination::along(&front, graph(), Room::new(100, &meter));
        assert!(matches!(found, Err(Refused::TooLarge)));
        for budget in [
            matching_core::Budget::new().work(1_000),
            matching_core::Budget::new().memory(10_000),
        ] {
            let meter = Meter::new(&budget, None);
            let found = Elimination::along(&front, graph(), Room::new(FILL, &meter));
            assert!(matches!(found, Err(Refused::Halted(_))));
        }
    }
}
