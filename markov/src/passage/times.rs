//! Mean times from states to states as one result, which is a cost.

use matching_core::Cost;

use super::Builder;
use super::halving::{all_times, filled};
use crate::budget::{Halted, Meter, OrStopped};
use crate::chain::{Ctmc, Dtmc};
use crate::classify::Classes;
use crate::elimination::{Room, Wide, Within};
use crate::error::{Error, check_length};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Mean times from each state of a chain until it enters each of some states, in units of time or in steps.
///
/// Floats are accurate each relative to itself, since nothing is subtracted on the way;
/// [`verify_ctmc`](Self::verify_ctmc) proves how far off they may be. Fractions are exact.
///
/// Times in floats are a [`Cost`]: what it costs to put state `i` with target `j` is the mean time from `i` to `j`. Pairs
/// whose time is infinite, or beyond all floats, are not allowed. Between all states
/// [`symmetrized`](Cost::symmetrized) makes of it the time from `i` to `j` and back, the commute time, by which states can
/// be paired. A state takes no time to itself. Exact times are one once they are [`rounded`](Self::rounded).
///
/// # Examples
/// ```
/// use markov::{Csr, Ctmc, passage::MeanTimes};
/// use matching_core::{Blossom, Cost};
///
/// // Four rooms in a circle, one door of which is hardly ever used.
/// let rates = [[(1, 1.0), (3, 1.0)], [(0, 1.0), (2, 0.1)], [(1, 0.1), (3, 1.0)], [(2, 1.0), (0, 1.0)]];
/// let times = MeanTimes::ctmc(&Ctmc::new(&Csr::from_rows(4, rates))?)?;
/// let pairs = Blossom::new().solve(&times.symmetrized()).expect("four rooms make two pairs");
/// assert_eq!(pairs.mate(0), Some(1));
/// # Ok::<(), markov::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeanTimes<T = f64> {
    /// Number of states.
    len: usize,
    /// The state of each column.
    targets: Vec<usize>,
    /// Row by row; where a target may be missed, zero for fractions and infinite for floats.
    times: Vec<T>,
    /// Where a target may be missed, row by row; `None` if it never is.
    missed: Option<Vec<bool>>,
    /// Whether all times are finite floats, or fractions that are known.
    are_finite: bool,
}

impl<T: Scalar> MeanTimes<T> {
    /// Mean times between all pairs of states of a chain in continuous time, of up to 7,071 states; [`Builder`] has other
    /// limits.
    ///
    /// # Errors
    /// [`Error::TooLarge`] for chains with more than 50 million pairs of states.
    ///
    /// # Complexity
    /// With `n` states `4/3 n³` products of numbers, fewer where states lead to few others that stand near them in the
    /// order of their numbers; and memory for `4 n²` numbers, of which `n²` are the result. Floats of chains whose rates
    /// or times lie beyond 1e±144 take longer, and twice the memory.
    pub fn ctmc(chain: &Ctmc<T>) -> Result<Self, Error> {
        Builder::new().times_ctmc(chain)
    }

    /// As [`MeanTimes::ctmc`], in discrete time. What rows miss one by counts as staying.
    ///
    /// # Errors
    /// As [`MeanTimes::ctmc`].
    pub fn dtmc(chain: &Dtmc<T>) -> Result<Self, Error> {
        Builder::new().times_dtmc(chain)
    }

    /// Mean times from all states of a chain in continuous time to each of some targets, which are the columns.
    ///
    /// # Errors
    /// [`Error::StateOutOfRange`] for targets; [`Error::TooLarge`] where an elimination, or the result, takes more than
    /// 50 million entries; [`Error::PrecisionLost`] where floats cannot hold the rates that arise on the way.
    ///
    /// # Complexity
    /// For each target that of an elimination, as of [`Passage::ctmc`](super::Passage::ctmc). For a few targets, or
    /// where that is O(states), as for birth and death, this is quicker than all pairs.
    pub fn ctmc_to(chain: &Ctmc<T>, targets: &[usize]) -> Result<Self, Error> {
        Builder::new().times_ctmc_to(chain, targets)
    }

    /// As [`MeanTimes::ctmc_to`], in discrete time.
    ///
    /// # Errors
    /// As [`MeanTimes::ctmc_to`].
    pub fn dtmc_to(chain: &Dtmc<T>, targets: &[usize]) -> Result<Self, Error> {
        Builder::new().times_dtmc_to(chain, targets)
    }

    /// Number of states, which are the rows.
    pub fn states(&self) -> usize {
        self.len
    }

    /// The states that the columns are about; all in rising order, unless targets were chosen.
    pub fn targets(&self) -> &[usize] {
        &self.targets
    }

    /// The mean time from a state to the target of a column; `None` where it is infinite, since the target may be missed.
    /// Floats beyond their range are [`f64::INFINITY`].
    ///
    /// # Panics
    /// If there is no such state or no such column.
    #[track_caller]
    pub fn time(&self, state: usize, column: usize) -> Option<&T> {
        let (rows, columns) = (self.len, self.targets.len());
        assert!(
            state < rows && column < columns,
            "state {state} of {rows}, column {column} of {columns}"
        );
        let at = state * columns + column;
        let is_missed = self.missed.as_ref().is_some_and(|missed| missed[at]);
        (!is_missed).then_some(&self.times[at])
    }

    /// The same in floats, each the nearest one; those beyond the range of floats are infinite.
    pub fn rounded(&self) -> MeanTimes<f64> {
        let rounded = |(at, time): (usize, &T)| match &self.missed {
            Some(missed) if missed[at] => f64::INFINITY,
            _ => time.to_float(),
        };
        let times: Vec<f64> = self.times.iter().enumerate().map(rounded).collect();
        MeanTimes {
            len: self.len,
            targets: self.targets.clone(),
            are_finite: times.iter().all(|time| time.is_finite()),
            times,
            missed: self.missed.clone(),
        }
    }

    /// Proves from a chain alone how far off times may be: each differs from the true one by at most so large a part of
    /// the latter. Zero if and only if fractions are right. Where states are left many times before a target is entered,
    /// floats prove less than is true, since they stand for what the equations miss no better.
    ///
    /// Why it is a proof: for one target, times solve `A m = 1` with a matrix whose inverse has no negative entry. Numbers
    /// that miss each of these equations by at most `e` are off by at most `e` times that inverse times one, which is `e m`.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] for a chain with another number of states; [`Error::Unreachable`] names a state with a
    /// time to a target that it may miss; [`Error::NotANumber`] names a state and a target that it cannot miss, and to
    /// which there is no time, or none that floats hold, or one that may miss its equation by more than they hold, so that
    /// nothing is proven of it; [`Error::Parameter`] for a time of a target to itself that is not zero.
    ///
    /// # Complexity
    /// O(targets × moves of the chain).
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Ctmc, passage::MeanTimes};
    ///
    /// let rates = |back| Csr::from_rows(3, [vec![(1, 0.3)], vec![(0, back), (2, 0.2)], vec![(0, 0.7)]]);
    /// let chain = Ctmc::new(&rates(0.5))?;
    /// let times = MeanTimes::ctmc(&chain)?;
    /// assert!(times.verify_ctmc(&chain)? < 1e-13);
    /// assert!(times.verify_ctmc(&Ctmc::new(&rates(0.6))?)? > 0.1);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn verify_ctmc(&self, chain: &Ctmc<T>) -> Result<T, Error> {
        self.verify(chain.rates())
    }

    /// As [`MeanTimes::verify_ctmc`], of a chain in discrete time.
    ///
    /// # Errors
    /// As [`MeanTimes::verify_ctmc`].
    ///
    /// # Complexity
    /// As [`MeanTimes::verify_ctmc`].
    pub fn verify_dtmc(&self, chain: &Dtmc<T>) -> Result<T, Error> {
        self.verify(chain.moves())
    }

    fn verify(&self, rates: &Csr<T>) -> Result<T, Error> {
        check_length("states of times", rates.rows(), self.len)?;
        let back = rates.transposed();
        let mut worst = T::zero();
        for (column, &target) in self.targets.iter().enumerate() {
            let may_miss = may_miss(&back, target);
            for (state, &may_miss) in may_miss.iter().enumerate() {
                match self.time(state, column).filter(|time| time.is_number()) {
                    Some(_) if may_miss => return Err(Error::Unreachable { state }),
                    None if !may_miss => {
                        let (from, to) = (state, target);
                        return Err(Error::NotANumber { from, to });
                    }
                    Some(time) if state == target && !time.is_zero() => {
                        return Err(Error::Parameter {
                            name: "time of a target to itself",
                            value: time.to_float(),
                            expected: "0",
                        });
                    }
                    _ => {}
                }
            }
            for state in (0..self.len).filter(|&state| !may_miss[state] && state != target) {
                let missed = self.missed_by(rates, state, column);
                if !missed.is_number() {
                    let (from, to) = (state, target);
                    return Err(Error::NotANumber { from, to });
                }
                if missed > worst {
                    worst = missed;
                }
            }
        }
        Ok(worst)
    }

    /// By how much a time misses its equation at most: in a unit of time, that to the target falls by one.
    fn missed_by(&self, rates: &Csr<T>, state: usize, column: usize) -> T {
        let columns = self.targets.len();
        let here = &self.times[state * columns + column];
        let (mut sum, mut size, mut terms) = (T::zero() - T::one(), T::one(), 4);
        for (to, rate) in rates.row(state) {
            let there = &self.times[to * columns + column];
            let mut part = here.clone() - there;
            part *= rate;
            sum += &part;
            if !T::EXACT {
                size += &part.abs();
                terms += 1;
            }
        }
        match T::EXACT {
            true => sum.abs(),
            // A difference, a product and the sum, each rounded by at most 2^-53: twice that, also for this very sum.
            false => sum.abs() + T::ratio(terms, 1 << 52) * size,
        }
    }
}

impl Cost for MeanTimes {
    type Value = f64;

    fn len(&self) -> usize {
        self.len
    }

    fn cols(&self) -> usize {
        self.targets.len()
    }

    fn pair(&self, i: usize, j: usize) -> f64 {
        self.as_slice_of(i)[j]
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.are_finite || self.as_slice_of(i)[j].is_finite()
    }

    fn has_forbidden(&self) -> bool {
        !self.are_finite
    }

    fn as_rows(&self) -> Option<&[f64]> {
        Some(&self.times)
    }

    fn fill_row(&self, i: usize, out: &mut [f64]) {
        out.copy_from_slice(self.as_slice_of(i));
    }
}

impl MeanTimes {
    #[track_caller]
    fn as_slice_of(&self, state: usize) -> &[f64] {
        let columns = self.targets.len();
        &self.times[state * columns..(state + 1) * columns]
    }
}

impl Builder<'_> {
    /// Mean times between all pairs of states of a chain in continuous time. [`Builder::fill`] limits the numbers of the
    /// result, of which up to four times as many are kept on the way, with 8 bytes each for floats, and 16 where they
    /// leave their range; memory is compared with that before anything is computed.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where the result has more numbers; [`Error::Stopped`].
    ///
    /// # Complexity
    /// As [`MeanTimes::ctmc`].
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Dtmc, Rational, Scalar, passage};
    ///
    /// // From each of three corners to one of the others, drawn by chance: two steps to each on average.
    /// let half = || Rational::ratio(1, 2);
    /// let corners = (0..3).map(|at| (1..3).map(move |by| ((at + by) % 3, half())));
    /// let times = passage::Builder::new().fill(9).times_dtmc(&Dtmc::new(&Csr::from_rows(3, corners))?)?;
    /// assert_eq!(times.time(0, 2), Some(&Rational::ratio(2, 1)));
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn times_ctmc<T: Scalar>(&self, chain: &Ctmc<T>) -> Result<MeanTimes<T>, Error> {
        self.times(chain.rates())
    }

    /// As [`Builder::times_ctmc`], in discrete time.
    ///
    /// # Errors
    /// As [`Builder::times_ctmc`].
    pub fn times_dtmc<T: Scalar>(&self, chain: &Dtmc<T>) -> Result<MeanTimes<T>, Error> {
        self.times(chain.moves())
    }

    /// Mean times from all states of a chain in continuous time to each of some targets. [`Builder::fill`] limits each
    /// elimination, and the numbers of the result; the budget is for all of it.
    ///
    /// # Errors
    /// As [`MeanTimes::ctmc_to`], and [`Error::Stopped`].
    ///
    /// # Complexity
    /// As [`MeanTimes::ctmc_to`].
    pub fn times_ctmc_to<T: Scalar>(&self, chain: &Ctmc<T>, targets: &[usize]) -> Result<MeanTimes<T>, Error> {
        self.times_to(chain.rates(), targets)
    }

    /// As [`Builder::times_ctmc_to`], in discrete time.
    ///
    /// # Errors
    /// As [`Builder::times_ctmc_to`].
    pub fn times_dtmc_to<T: Scalar>(&self, chain: &Dtmc<T>, targets: &[usize]) -> Result<MeanTimes<T>, Error> {
        self.times_to(chain.moves(), targets)
    }

    fn times<T: Scalar>(&self, rates: &Csr<T>) -> Result<MeanTimes<T>, Error> {
        let len = rates.rows();
        self.check_size(len, len)?;
        let meter = self.control.start();
        meter.look().or_stopped()?;
        let targets: Vec<usize> = (0..len).collect();
        let missed = missed(rates, &targets, &meter).or_stopped()?;
        let times = match all_times(rates, T::clone, &meter).or_stopped()? {
            Some(times) => times,
            None => {
                let wide = all_times(rates, |rate| Wide::of(rate.clone()), &meter).or_stopped()?;
                let wide = wide.unwrap_or_else(|| unreachable!("numbers of any size are safe"));
                wide.into_iter().map(Wide::rounded).collect()
            }
        };
        Ok(MeanTimes::new(len, targets, times, missed))
    }

    fn times_to<T: Scalar>(&self, rates: &Csr<T>, targets: &[usize]) -> Result<MeanTimes<T>, Error> {
        let (len, columns) = (rates.rows(), targets.len());
        if let Some(&state) = targets.iter().find(|&&state| state >= len) {
            return Err(Error::StateOutOfRange { state, len });
        }
        self.check_size(len, columns)?;
        let meter = self.control.start();
        meter.look().or_stopped()?;
        meter
            .hold(|| len.saturating_mul(columns).saturating_mul(size_of::<T>()))
            .or_stopped()?;
        let missed = missed(rates, targets, &meter).or_stopped()?;
        let mut times: Vec<T> = filled(len, columns, &meter).or_stopped()?;
        for (column, &target) in targets.iter().enumerate() {
            let is_missed = |state: usize| missed.as_ref().is_some_and(|missed| missed[state * columns + column]);
            let outside = (0..len).filter(|&state| state != target && !is_missed(state)).collect();
            let room = Room::new(self.fill, &meter);
            let outside = Within::new(len, outside, |state| rates.row(state), room)?.without_loss()?;
            let found = outside.totals(|_| T::one(), &meter).or_stopped()?;
            for (&state, time) in outside.states.iter().zip(found) {
                times[state * columns + column] = time;
            }
        }
        Ok(MeanTimes::new(len, targets.to_vec(), times, missed))
    }

    fn check_size(&self, rows: usize, columns: usize) -> Result<(), Error> {
        match rows.checked_mul(columns) {
            Some(entries) if entries <= self.fill => Ok(()),
            _ => Err(Error::TooLarge {
                what: "entries",
                limit: self.fill,
            }),
        }
    }
}

impl<T: Scalar> MeanTimes<T> {
    fn new(len: usize, targets: Vec<usize>, mut times: Vec<T>, missed: Option<Vec<bool>>) -> Self {
        // One over zero, which is no fraction.
        let infinite = if T::EXACT { T::zero() } else { T::ratio(1, 0) };
        for (time, _) in times
            .iter_mut()
            .zip(missed.iter().flatten())
            .filter(|(_, missed)| **missed)
        {
            *time = infinite.clone();
        }
        Self {
            len,
            are_finite: missed.is_none() && times.iter().all(Scalar::is_number),
            targets,
            times,
            missed,
        }
    }
}

/// Where targets may be missed, a row for each state; `None` if they never are.
///
/// # Errors
/// [`Halted`].
fn missed<T: Scalar>(rates: &Csr<T>, targets: &[usize], meter: &Meter<'_>) -> Result<Option<Vec<bool>>, Halted> {
    if Classes::of(rates).is_irreducible() {
        return Ok(None);
    }
    let back = rates.transposed();
    let mut all = vec![false; rates.rows() * targets.len()];
    for (column, &target) in targets.iter().enumerate() {
        meter.spend((rates.rows() + rates.entries()) as u64)?;
        for (row, may_miss) in all.chunks_exact_mut(targets.len()).zip(may_miss(&back, target)) {
            row[column] = may_miss;
        }
    }
    Ok(all.contains(&true).then_some(all))
}

/// From which states a chain, whose moves `back` has by the states that they lead to, may never enter the target.
fn may_miss<T: Scalar>(back: &Csr<T>, target: usize) -> Vec<bool> {
    let mut leads = vec![false; back.rows()];
    leads[target] = true;
    spread(back, &mut leads, vec![target], None);
    let mut may_miss: Vec<bool> = leads.iter().map(|leads| !leads).collect();
    let traps = (0..back.rows()).filter(|&state| may_miss[state]).collect();
    spread(back, &mut may_miss, traps, Some(target));
    may_miss
}

/// Marks all states that lead to one that is on the stack, but for those that only lead there through `end`.
fn spread<T: Scalar>(back: &Csr<T>, is_marked: &mut [bool], mut stack: Vec<usize>, end: Option<usize>) {
    while let Some(state) = stack.pop() {
        for (from, _) in back.row(state) {
            if Some(from) != end && !core::mem::replace(&mut is_marked[from], true) {
                stack.push(from);
            }
        }
    }
}

#[cfg(test)]
mod tests;
