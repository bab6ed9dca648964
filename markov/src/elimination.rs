//! State elimination without subtraction.
//!
//! Taking a state out of a chain and sending what came through it straight on leaves a smaller chain with the same
//! stationary proportions and the same expected totals on the way. All sums are of positive terms, the diagonal being the
//! sum of what leads away, so that every entry of the result is accurate relative to itself, however stiff the chain.
//!
//! States go in the order of least in-degree times out-degree, as far as that is known at little cost: chains with few
//! states that everything comes back to are eliminated with next to no fill.
//!
//! References: W. Grassmann, M. Taksar, D. Heyman, "Regenerative analysis and steady state distributions for Markov
//! chains", Operations Research 33 (1985), 1107-1116, doi:10.1287/opre.33.5.1107; C. O'Cinneide, "Entrywise perturbation
//! theory and error analysis for Markov chains", Numerische Mathematik 65 (1993), 109-120, doi:10.1007/BF01385743;
//! H. Markowitz, "The elimination form of the inverse and its application to linear programming", Management Science 3
//! (1957), 255-269, doi:10.1287/mnsc.3.3.255.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::scalar::Scalar;
use crate::sparse::Csr;

const NONE: u32 = u32::MAX;

/// A chain with all states eliminated: what is needed to put them back.
#[derive(Clone, Debug)]
pub(crate) struct Elimination<T> {
    order: Vec<u32>,
    /// For each step, what led away from the state then.
    away: Vec<Vec<(u32, T)>>,
    /// For each step, what led to the state then.
    into: Vec<Vec<(u32, T)>>,
    /// For each step, the sum of what led away, out of the chain included.
    pivots: Vec<T>,
}

impl<T: Scalar> Elimination<T> {
    /// Eliminates all states of a chain with these rates (or probabilities) between different states, and these out of the
    /// chain; `last` goes last. `None` if that takes more than `fill` entries.
    ///
    /// Where nothing leads out of the chain, it must be irreducible; where something does, it must be reached from everywhere.
    pub(crate) fn new(rates: &Csr<T>, leave: Option<&[T]>, last: Option<usize>, fill: usize) -> Option<Self> {
        let mut state = State::new(rates, leave);
        let n = rates.rows();
        let mut done = Self {
            order: Vec::with_capacity(n),
            away: Vec::with_capacity(n),
            into: Vec::with_capacity(n),
            pivots: Vec::with_capacity(n),
        };
        let mut kept = 0;
        let mut queue: BinaryHeap<Reverse<(u64, u32)>> = (0..n)
            .filter(|&v| Some(v) != last)
            .map(|v| Reverse((state.degree(v), v as u32)))
            .collect();
        while let Some(Reverse((degree, v))) = queue.pop() {
            if state.is_gone[v as usize] {
                continue;
            }
            let now = state.degree(v as usize);
            if now > degree {
                queue.push(Reverse((now, v)));
                continue;
            }
            let (away, into, pivot) = state.eliminate(v as usize);
            kept += away.len() + into.len();
            if kept > fill {
                return None;
            }
            for &(u, _) in into.iter().chain(&away) {
                let now = state.degree(u as usize);
                if now < degree.max(1) * 2 && Some(u as usize) != last {
                    queue.push(Reverse((now, u)));
                }
            }
            done.push(v, away, into, pivot);
        }
        if let Some(last) = last {
            let (away, into, pivot) = state.eliminate(last);
            done.push(last as u32, away, into, pivot);
        }
        Some(done)
    }

    fn push(&mut self, v: u32, away: Vec<(u32, T)>, into: Vec<(u32, T)>, pivot: T) {
        self.order.push(v);
        self.away.push(away);
        self.into.push(into);
        self.pivots.push(pivot);
    }

    /// Stationary weights of an irreducible chain, the state that went last having one. They may leave the range of `f64`: see
    /// `normalised`.
    pub(crate) fn weights(&self) -> Vec<T> {
        let mut weights = vec![T::zero(); self.order.len()];
        let mut steps = (0..self.order.len()).rev();
        if let Some(last) = steps.next() {
            weights[self.order[last] as usize] = T::one();
        }
        for step in steps {
            let mut flow = T::zero();
            for (from, rate) in &self.into[step] {
                let mut part = weights[*from as usize].clone();
                part *= rate;
                flow += &part;
            }
            flow /= &self.pivots[step];
            weights[self.order[step] as usize] = flow;
        }
        weights
    }

    /// Solves `pivot(i) x(i) - sum over j of rate(i, j) x(j) = b(i)` for all states of a chain that is left in the end:
    /// expected totals of `b` per unit of time until then.
    pub(crate) fn totals(&self, mut b: Vec<T>) -> Vec<T> {
        for (step, &v) in self.order.iter().enumerate() {
            let mut share = b[v as usize].clone();
            if share.is_zero() {
                continue;
            }
            share /= &self.pivots[step];
            for (from, rate) in &self.into[step] {
                let mut part = share.clone();
                part *= rate;
                b[*from as usize] += &part;
            }
        }
        for (step, &v) in self.order.iter().enumerate().rev() {
            let mut sum = core::mem::replace(&mut b[v as usize], T::zero());
            for (to, rate) in &self.away[step] {
                let mut part = b[*to as usize].clone();
                part *= rate;
                sum += &part;
            }
            sum /= &self.pivots[step];
            b[v as usize] = sum;
        }
        b
    }
}

/// The chain that is left.
struct State<T> {
    rows: Vec<Vec<(u32, T)>>,
    /// States that lead to each; some may be gone.
    sources: Vec<Vec<u32>>,
    /// Sources that are not gone.
    live_sources: Vec<u32>,
    leave: Option<Vec<T>>,
    is_gone: Vec<bool>,
    /// Where each state stands in the row at work.
    place: Vec<u32>,
}

impl<T: Scalar> State<T> {
    fn new(rates: &Csr<T>, leave: Option<&[T]>) -> Self {
        let n = rates.rows();
        let transposed = rates.transposed();
        let sources: Vec<Vec<u32>> = (0..n).map(|v| transposed.row_slices(v).0.to_vec()).collect();
        let row = |v| {
            rates
                .row(v)
                .map(|(to, rate): (usize, &T)| (to as u32, rate.clone()))
                .collect()
        };
        Self {
            rows: (0..n).map(row).collect(),
            live_sources: sources.iter().map(|list| list.len() as u32).collect(),
            sources,
            leave: leave.map(<[T]>::to_vec),
            is_gone: vec![false; n],
            place: vec![NONE; n],
        }
    }

    fn degree(&self, v: usize) -> u64 {
        u64::from(self.live_sources[v]) * self.rows[v].len() as u64
    }

    /// Sends what comes through a state straight on. Returns what led away from it, what led to it, and the pivot.
    fn eliminate(&mut self, v: usize) -> (Vec<(u32, T)>, Vec<(u32, T)>, T) {
        let away = core::mem::take(&mut self.rows[v]);
        let mut pivot = T::zero();
        for (_, rate) in &away {
            pivot += rate;
        }
        if let Some(leave) = &self.leave {
            pivot += &leave[v];
        }
        self.is_gone[v] = true;
        for &(to, _) in &away {
            self.live_sources[to as usize] -= 1;
        }
        let mut into = Vec::with_capacity(self.live_sources[v] as usize);
        for source in core::mem::take(&mut self.sources[v]) {
            let s = source as usize;
            if self.is_gone[s] {
                continue;
            }
            let Some(at) = self.rows[s].iter().position(|&(to, _)| to as usize == v) else {
                continue;
            };
            let (_, rate) = self.rows[s].swap_remove(at);
            let mut share = rate.clone();
            share /= &pivot;
            self.send_on(s, &away, &share);
            if let Some(leave) = &mut self.leave {
                let mut part = leave[v].clone();
                part *= &share;
                leave[s] += &part;
            }
            into.push((source, rate));
        }
        (away, into, pivot)
    }

    /// Adds `share` of what led away from an eliminated state to the row of one that led to it.
    fn send_on(&mut self, source: usize, away: &[(u32, T)], share: &T) {
        let row = &mut self.rows[source];
        for (at, &(to, _)) in row.iter().enumerate() {
            self.place[to as usize] = at as u32;
        }
        let old = row.len();
        for (to, rate) in away.iter().filter(|&&(to, _)| to as usize != source) {
            let mut part = rate.clone();
            part *= share;
            let at = self.place[*to as usize];
            if at == NONE {
                row.push((*to, part));
                self.sources[*to as usize].push(source as u32);
                self.live_sources[*to as usize] += 1;
            } else {
                row[at as usize].1 += &part;
            }
        }
        for &(to, _) in &row[..old] {
            self.place[to as usize] = NONE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Elimination;
    use crate::scalar::{Rational, Scalar};
    use crate::sparse::Csr;

    #[test]
    fn a_birth_and_death_chain_in_fractions() {
        // Up 1, down 2: weights halve.
        let rates = Csr::from_rows(
            4,
            (0..4_usize).map(|v| {
                let up = (v < 3).then(|| (v + 1, Rational::ratio(1, 1)));
                let down = v.checked_sub(1).map(|w| (w, Rational::ratio(2, 1)));
                up.into_iter().chain(down).collect::<Vec<_>>()
            }),
        );
        let done = Elimination::new(&rates, None, Some(0), usize::MAX).expect("no limit");
        let expected: Vec<Rational> = (0..4).map(|v| Rational::ratio(1, 1 << v)).collect();
        assert_eq!(done.weights(), expected);
    }

    #[test]
    fn time_until_gone() {
        // 0 -> 1 -> out, each at rate 2, and back from 1 to 0 at rate 2.
        let rates = Csr::from_rows(2, [vec![(1, 2.0)], vec![(0, 2.0)]]);
        let done = Elimination::new(&rates, Some(&[0.0, 2.0]), None, usize::MAX).expect("no limit");
        assert_eq!(done.totals(vec![1.0, 1.0]), [1.5, 1.0]);
    }
}
