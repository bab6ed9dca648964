//! Mean times between all pairs of states, by halves.
//!
//! To take a state `v` out of a chain and send what came through it straight on leaves a smaller chain with the same mean
//! times between the states that are left, if the time that is spent in `v` is added to that of the states before it
//! (Kohlas 1986). So half of the states go, the rest is solved as a smaller problem of this kind, and times from those
//! that went follow, last one first: from `v` it is the time in `v`, and then that from where `v` leads. The same with the
//! other half, and each state has been in the rest once. To take out half of `k` states, and to put them back, is about
//! `k³` products of numbers, two halves of half as many states are a quarter of that, and so on: `4/3 n³` in all, about as
//! much as one inverse of a full matrix.
//!
//! Nothing is ever subtracted, so that each time is accurate relative to itself. Where a float may leave the range in
//! which products keep all their digits, all of it is done again in numbers of any size.
//!
//! References: J. Kohlas, "Numerical computation of mean passage times and absorption probabilities in Markov and
//! semi-Markov models", Zeitschrift für Operations Research 30 (1986), A197-A207; D. Heyman, D. O'Leary, "What is
//! fundamental for Markov chains: first passage times, fundamental matrices, and group generalized inverses", in W.
//! Stewart (ed.), "Computations with Markov Chains", Kluwer 1995, 151-161.

use core::ops::Range;

use crate::budget::{Halted, Meter, Stage, StopReason, Told};
use crate::elimination::Wide;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// A number that is not negative.
pub(super) trait Number: Clone {
    /// Whether each operation counts as work of its own.
    const EXACT: bool;

    fn zero() -> Self;

    fn is_zero(&self) -> bool;

    /// Whether products with numbers of which the same is said, and sums of these, have all their digits.
    fn is_safe(&self) -> bool;

    fn add(&mut self, other: &Self);

    fn add_product(&mut self, a: &Self, b: &Self);

    fn divide(&mut self, by: &Self);
}

/// Products of floats within two to plus or minus this power are within the range of normal ones, and so are sums of as
/// many as fit a memory.
const SAFE: i32 = 480;

impl<T: Scalar> Number for T {
    const EXACT: bool = <T as Scalar>::EXACT;

    fn zero() -> Self {
        <T as num_traits::Zero>::zero()
    }

    fn is_zero(&self) -> bool {
        num_traits::Zero::is_zero(self)
    }

    #[inline]
    fn is_safe(&self) -> bool {
        self.exponent().abs() <= SAFE || num_traits::Zero::is_zero(self)
    }

    #[inline]
    fn add(&mut self, other: &Self) {
        *self += other;
    }

    #[inline]
    fn add_product(&mut self, a: &Self, b: &Self) {
        let mut product = a.clone();
        product *= b;
        *self += &product;
    }

    fn divide(&mut self, by: &Self) {
        *self /= by;
    }
}

impl<T: Scalar> Number for Wide<T> {
    const EXACT: bool = <T as Scalar>::EXACT;

    fn zero() -> Self {
        Self::of(<T as num_traits::Zero>::zero())
    }

    fn is_zero(&self) -> bool {
        Self::is_zero(self)
    }

    fn is_safe(&self) -> bool {
        true
    }

    fn add(&mut self, other: &Self) {
        Self::add(self, other.clone());
        self.narrow();
    }

    fn add_product(&mut self, a: &Self, b: &Self) {
        Self::add(self, a.product(b));
        self.narrow();
    }

    fn divide(&mut self, by: &Self) {
        *self = self.clone().quotient(by);
    }
}

/// The mean times from each state (row) to each state (column), row by row, with one unit of time per `rates` for a state
/// that is not left; those that may never come to an end are any number. `None` where a number is not [safe](Number).
///
/// # Errors
/// [`Halted`].
pub(super) fn all_times<N: Number, T: Scalar>(
    rates: &Csr<T>,
    number: impl Fn(&T) -> N,
    meter: &Meter<'_>,
) -> Result<Option<Vec<N>>, Halted> {
    let len = rates.rows();
    // The answer, two matrices of all states, of half of them, of a quarter, and so on: 11/3.
    meter.hold(|| len.saturating_mul(len).saturating_mul(4 * size_of::<N>()))?;
    let mut rest = Rest {
        rates: filled(len, len, meter)?,
        times: vec![number(&<T as num_traits::One>::one()); len],
    };
    for state in 0..len {
        for (to, rate) in rates.row(state) {
            rest.rates[state * len + to] = number(rate);
        }
    }
    let mut halving = Halving {
        times: filled(len, len, meter)?,
        len,
        found: 0,
        is_safe: true,
        meter,
    };
    halving.solve(rest, 0)?;
    Ok(halving.is_safe.then_some(halving.times))
}

/// A matrix of zeros.
pub(super) fn filled<N: Number>(rows: usize, columns: usize, meter: &Meter<'_>) -> Result<Vec<N>, Halted> {
    let mut matrix = Vec::new();
    let len = rows.saturating_mul(columns);
    matrix
        .try_reserve_exact(len)
        .map_err(|_| meter.halted_by(StopReason::MemoryLimit))?;
    matrix.resize(len, N::zero());
    Ok(matrix)
}

/// The chain of some states that follow each other, watched while it is in them.
#[derive(Clone)]
struct Rest<N> {
    /// Rates, a row for each state; the diagonal means nothing. Once a state is gone, the probabilities of where it led.
    rates: Vec<N>,
    /// Times in the states, in units of the rates: until the next state for a sum of rates of one. Once a state is gone,
    /// the time in it.
    times: Vec<N>,
}

impl<N: Number> Rest<N> {
    fn len(&self) -> usize {
        self.times.len()
    }

    /// The states that are left when `v` goes: those before it where the last ones go, else those after it.
    fn left(&self, v: usize, are_last_gone: bool) -> Range<usize> {
        if are_last_gone { 0..v } else { v + 1..self.len() }
    }

    /// Takes a state out. Returns whether its numbers are safe.
    fn eliminate(&mut self, v: usize, left: Range<usize>, meter: &Meter<'_>) -> Result<bool, Halted> {
        let len = self.len();
        let is_last = left.start == 0;
        let (before, after) = self.rates.split_at_mut(if is_last { v * len } else { (v + 1) * len });
        let (row, others) = match is_last {
            true => (&mut after[left.clone()], before),
            false => (&mut before[v * len..][left.clone()], after),
        };
        let mut is_safe = row.iter().all(N::is_safe);
        let mut pivot = N::zero();
        for rate in &*row {
            spend::<N>(meter)?;
            pivot.add(rate);
        }
        is_safe &= pivot.is_safe();
        // Nothing leads on from here: who comes here comes nowhere else, and no time through here counts.
        if pivot.is_zero() {
            self.times[v] = N::zero();
        } else {
            for rate in row.iter_mut().chain([&mut self.times[v]]) {
                spend::<N>(meter)?;
                rate.divide(&pivot);
            }
        }
        let time = self.times[v].clone();
        is_safe &= time.is_safe() && row.iter().all(N::is_safe);
        meter.spend(row.len() as u64 + 1)?;
        for (other, state) in others.chunks_exact_mut(len).zip(left.clone()) {
            let rate = other[v].clone();
            if rate.is_zero() {
                continue;
            }
            is_safe &= rate.is_safe();
            meter.spend(row.len() as u64 + 1)?;
            for (sum, probability) in other[left.clone()].iter_mut().zip(&*row) {
                spend::<N>(meter)?;
                sum.add_product(&rate, probability);
            }
            self.times[state].add_product(&rate, &time);
        }
        Ok(is_safe)
    }

    /// The chain of the states that are left.
    fn cut(&self, kept: Range<usize>, meter: &Meter<'_>) -> Result<Self, Halted> {
        let mut rates = filled(kept.len(), kept.len(), meter)?;
        let rows = self.rates.chunks_exact(self.len()).skip(kept.start);
        for (to, from) in rates.chunks_exact_mut(kept.len()).zip(rows) {
            to.clone_from_slice(&from[kept.clone()]);
        }
        let times = self.times[kept].to_vec();
        Ok(Self { rates, times })
    }
}

/// Counts one operation where that may take long.
#[inline]
fn spend<N: Number>(meter: &Meter<'_>) -> Result<(), Halted> {
    if N::EXACT { meter.spend_long() } else { Ok(()) }
}

struct Halving<'m, N> {
    times: Vec<N>,
    len: usize,
    /// States to which all times are known.
    found: usize,
    is_safe: bool,
    meter: &'m Meter<'m>,
}

impl<N: Number> Halving<'_, N> {
    /// Finds the times between the states of a chain, which begin at `first`. It calls itself as often as states can be
    /// halved.
    fn solve(&mut self, rest: Rest<N>, first: usize) -> Result<(), Halted> {
        let len = rest.len();
        if len == 1 {
            self.found += 1;
            return Ok(());
        }
        let middle = len / 2;
        self.solve_half(rest.clone(), first, (0..middle, true))?;
        self.solve_half(rest, first, (middle..len, false))
    }

    /// Finds the times to some of the states, which are those before the others if the last ones go.
    fn solve_half(
        &mut self,
        mut rest: Rest<N>,
        first: usize,
        (kept, are_last_gone): (Range<usize>, bool),
    ) -> Result<(), Halted> {
        let mut order: Vec<usize> = match are_last_gone {
            true => (kept.end..rest.len()).rev().collect(),
            false => (0..kept.start).collect(),
        };
        for &v in &order {
            self.is_safe &= rest.eliminate(v, rest.left(v, are_last_gone), self.meter)?;
            // Else all of it is done again.
            if !self.is_safe {
                return Ok(());
            }
            self.meter.tell(|| Told {
                of: Some(self.len),
                ..Told::of(Stage::Elimination, self.found)
            });
        }
        self.solve(rest.cut(kept.clone(), self.meter)?, first + kept.start)?;
        order.reverse();
        for v in order {
            if !self.is_safe {
                return Ok(());
            }
            self.put_back(&rest, v, first, (kept.clone(), are_last_gone))?;
        }
        Ok(())
    }

    /// Finds the times from a state to those that were kept.
    fn put_back(
        &mut self,
        rest: &Rest<N>,
        v: usize,
        first: usize,
        (kept, are_last_gone): (Range<usize>, bool),
    ) -> Result<(), Halted> {
        let left = rest.left(v, are_last_gone);
        let columns = first + kept.start..first + kept.end;
        let at = (first + v) * self.len;
        let (before, after) = self.times.split_at_mut(if are_last_gone { at } else { at + self.len });
        let (row, others) = match are_last_gone {
            true => (&mut after[columns.clone()], &before[first * self.len..]),
            false => (&mut before[at..][columns.clone()], &*after),
        };
        row.fill(rest.times[v].clone());
        let probabilities = &rest.rates[v * rest.len()..][left];
        self.meter.spend(row.len() as u64 + 1)?;
        for (probability, other) in probabilities.iter().zip(others.chunks_exact(self.len)) {
            if probability.is_zero() {
                continue;
            }
            self.meter.spend(row.len() as u64)?;
            for (time, from) in row.iter_mut().zip(&other[columns.clone()]) {
                spend::<N>(self.meter)?;
                time.add_product(probability, from);
            }
        }
        self.is_safe &= row.iter().all(N::is_safe);
        Ok(())
    }
}
