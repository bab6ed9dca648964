//! The chain that is left while states are eliminated, sparse.

use super::pool::Pool;
use super::{LOWEST, Source};
use crate::budget::{Halted, Meter};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// A rate to a state, in the row of the state it leads from.
#[derive(Clone, Debug)]
pub(super) struct Move<T> {
    pub(super) to: u32,
    /// Position in the list of moves to that state.
    back: u32,
    pub(super) rate: T,
}

/// A move to a state: the row it stands in, and where.
#[derive(Clone, Copy, Debug)]
struct Link {
    from: u32,
    at: u32,
}

/// Rows of moves, and for each state the moves that lead to it; both know where they stand in the other, so that moves
/// are found, added and removed without a search of long rows.
///
/// Rows are kept multiplied by powers of two: that does not change where the chain goes, and keeps rows within the
/// range of floats that become tiny because nearly everything comes straight back.
#[derive(Clone, Debug)]
pub(super) struct Graph<T> {
    pub(super) rows: Pool<Move<T>>,
    columns: Pool<Link>,
    /// Powers of two that rows are multiplied by.
    pub(super) scale: Vec<i32>,
    /// Rates out of the chain, if there are any; each is scaled as its row is.
    pub(super) leave: Option<Vec<T>>,
    /// Moves that are left.
    pub(super) live: usize,
    /// Whether a float came so close to zero that it may have lost precision.
    pub(super) is_lossy: bool,
    /// Where each state stands in the row at work, if it does.
    place: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// What became of an eliminated state.
pub(super) struct Eliminated<T> {
    pub(super) pivot: T,
    /// Rows that were changed, and not only shortened.
    pub(super) touched: usize,
}

impl<T: Scalar> Graph<T> {
    pub(super) fn new(rates: &Csr<T>, leave: Option<&[T]>) -> Self {
        let n = rates.rows();
        let filler = Move {
            to: 0,
            back: 0,
            rate: T::zero(),
        };
        let mut rows = Pool::new(filler, n, rates.entries());
        let mut columns = Pool::new(Link { from: 0, at: 0 }, n, rates.entries());
        let into = rates.links();
        for state in 0..n {
            columns.add(into.list(state).map(|(from, at)| Link { from, at }));
        }
        let mut scale = vec![0; n];
        let mut next = vec![0_u32; n];
        let mut is_lossy = false;
        let mut leave = leave.map(<[T]>::to_vec);
        for (state, scale) in scale.iter_mut().enumerate() {
            let (to, values) = rates.row_slices(state);
            let gone = leave
                .as_mut()
                .map(|leave| &mut leave[state])
                .filter(|gone| !gone.is_zero());
            let exponents = values.iter().chain(gone.as_deref()).map(|rate| rate.exponent());
            *scale = -exponents.max().unwrap_or(0);
            if let Some(gone) = gone {
                is_lossy |= gone.exponent() + *scale < LOWEST;
                *gone = gone.clone().shifted(*scale);
            }
            let moves = to.iter().zip(values).map(|(&to, rate)| {
                let back = next[to as usize];
                next[to as usize] += 1;
                is_lossy |= rate.exponent() + *scale < LOWEST;
                let rate = rate.clone().shifted(*scale);
                Move { to, back, rate }
            });
            rows.add(moves);
        }
        Self {
            rows,
            columns,
            scale,
            leave,
            live: rates.entries(),
            is_lossy,
            place: vec![NONE; n],
        }
    }

    /// Bytes of its lists.
    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes() + self.columns.bytes()
    }

    /// In-degree times out-degree.
    pub(super) fn product(&self, state: u32) -> u64 {
        self.columns.len(state as usize) as u64 * self.rows.len(state as usize) as u64
    }

    /// What leads to a state.
    pub(super) fn sources(&self, state: usize) -> impl Iterator<Item = u32> {
        self.columns.list(state).iter().map(|link| link.from)
    }

    /// What leads to a state, with the rates of that.
    pub(super) fn moves_to(&self, state: usize) -> impl Iterator<Item = (u32, &T)> {
        let links = self.columns.list(state).iter();
        links.map(|link| (link.from, &self.rows.list(link.from as usize)[link.at as usize].rate))
    }

    /// Where a state leads to, and what leads to it.
    pub(super) fn neighbours(&self, state: usize) -> impl Iterator<Item = u32> {
        let to = self.rows.list(state).iter().map(|step| step.to);
        to.chain(self.sources(state))
    }

    /// Sends what comes through a state straight on; its row keeps the probabilities of where it led. What led to it is
    /// appended to `into`.
    ///
    /// # Errors
    /// [`Halted`]: what is left is no chain then.
    pub(super) fn eliminate(
        &mut self,
        v: usize,
        into: &mut Vec<Source<T>>,
        meter: &Meter<'_>,
    ) -> Result<Eliminated<T>, Halted> {
        let count = self.rows.len(v);
        self.unlink_row(v);
        let (pivot, least) = self.divide_row(v, meter)?;
        let start = into.len();
        for at in 0..self.columns.len(v) {
            let Link { from, at } = self.columns.list(v)[at];
            let rate = self.remove(from as usize, at);
            let scale = self.scale[from as usize];
            into.push(Source { from, scale, rate });
        }
        self.live -= into.len() - start;
        self.columns.clear(v);
        self.is_lossy |= least < LOWEST;
        let mut touched = 0;
        for source in &into[start..] {
            self.is_lossy |= source.rate.exponent() + least < LOWEST;
            meter.spend(count as u64 + 1)?;
            let is_touched = self.send_on(source.from as usize, v, &source.rate, meter)?;
            touched += usize::from(is_touched || self.leave.is_some());
        }
        Ok(Eliminated { pivot, touched })
    }

    /// Takes the moves of a row out of the lists of moves to their targets.
    fn unlink_row(&mut self, v: usize) {
        for at in 0..self.rows.len(v) {
            let Move { to, back, .. } = self.rows.list(v)[at];
            let to = to as usize;
            self.columns.swap_remove(to, back);
            if let Some(&moved) = self.columns.list(to).get(back as usize) {
                self.rows.list_mut(moved.from as usize)[moved.at as usize].back = back;
            }
        }
        self.live -= self.rows.len(v);
    }

    /// Divides a row and what leaves the chain from it by their sum. Returns the sum, and the least exponent of a
    /// quotient.
    fn divide_row(&mut self, v: usize, meter: &Meter<'_>) -> Result<(T, i32), Halted> {
        let mut pivot = T::zero();
        for step in self.rows.list(v) {
            meter.spend_exact::<T>()?;
            pivot += &step.rate;
        }
        if let Some(leave) = &self.leave {
            pivot += &leave[v];
        }
        let mut least = 0;
        meter.spend(self.rows.len(v) as u64 + 1)?;
        for step in self.rows.list_mut(v) {
            meter.spend_exact::<T>()?;
            step.rate /= &pivot;
            least = least.min(step.rate.exponent());
        }
        if let Some(gone) = self
            .leave
            .as_mut()
            .map(|leave| &mut leave[v])
            .filter(|gone| !gone.is_zero())
        {
            *gone /= &pivot;
            least = least.min(gone.exponent());
        }
        Ok((pivot, least))
    }

    /// Removes the move at a position of a row, whose list of moves to its target is done with.
    fn remove(&mut self, row: usize, at: u32) -> T {
        let removed = self.rows.swap_remove(row, at);
        if let Some(Move { to, back, .. }) = self.rows.list(row).get(at as usize) {
            self.columns.list_mut(*to as usize)[*back as usize].at = at;
        }
        removed.rate
    }

    /// Sends `rate`, which led from `source` to the eliminated state, on to where that led. Returns whether that
    /// changed the row.
    fn send_on(&mut self, source: usize, v: usize, rate: &T, meter: &Meter<'_>) -> Result<bool, Halted> {
        let count = self.rows.len(v);
        // Marking where the row leads to is worth it unless it is much longer than what is added to it.
        let is_marked = count * 4 >= self.rows.len(source);
        if is_marked {
            for (at, step) in self.rows.list(source).iter().enumerate() {
                self.place[step.to as usize] = at as u32;
            }
        }
        let mut is_touched = false;
        for at in 0..count {
            let step = &self.rows.list(v)[at];
            let to = step.to;
            if to as usize == source {
                continue;
            }
            is_touched = true;
            meter.spend_exact::<T>()?;
            let mut part = step.rate.clone();
            part *= rate;
            let place = if is_marked {
                self.place[to as usize]
            } else {
                self.find(source, to as usize)
            };
            if place == NONE {
                self.add(source as u32, to, part);
            } else {
                self.rows.list_mut(source)[place as usize].rate += &part;
            }
        }
        if is_marked {
            for step in self.rows.list(source) {
                self.place[step.to as usize] = NONE;
            }
        }
        if let Some(leave) = &mut self.leave {
            let mut part = leave[v].clone();
            part *= rate;
            leave[source] += &part;
        }
        self.rescale(source, count);
        Ok(is_touched)
    }

    /// Position of the move to a state in a row, by the shorter of the two lists that have it.
    fn find(&self, row: usize, to: usize) -> u32 {
        let links = self.columns.list(to);
        if links.len() <= self.rows.len(row) {
            let link = links.iter().find(|link| link.from as usize == row);
            return link.map_or(NONE, |link| link.at);
        }
        let position = self.rows.list(row).iter().position(|step| step.to as usize == to);
        position.map_or(NONE, |at| at as u32)
    }

    fn add(&mut self, from: u32, to: u32, rate: T) {
        let back = self.columns.len(to as usize) as u32;
        let at = self.rows.push(from as usize, Move { to, back, rate });
        self.columns.push(to as usize, Link { from, at });
        self.live += 1;
    }

    /// Multiplies a row by a power of two if all of it became tiny.
    fn rescale(&mut self, row: usize, hint: usize) {
        const TINY: i32 = -200;
        if T::EXACT {
            return;
        }
        // Most rows show by their last entries that they are not tiny.
        let moves = self.rows.list(row);
        let tail = &moves[moves.len() - moves.len().min(hint + 1)..];
        if tail.iter().any(|step| step.rate.exponent() > TINY) {
            return;
        }
        let gone = self
            .leave
            .as_mut()
            .map(|leave| &mut leave[row])
            .filter(|gone| !gone.is_zero());
        let exponents = moves
            .iter()
            .map(|step| &step.rate)
            .chain(gone.as_deref())
            .map(|rate| rate.exponent());
        let largest = exponents.max().unwrap_or(0);
        if largest <= TINY {
            for step in self.rows.list_mut(row) {
                step.rate = step.rate.clone().shifted(-largest);
            }
            if let Some(gone) = gone {
                *gone = gone.clone().shifted(-largest);
            }
            self.scale[row] -= largest;
        }
    }
}

impl<T> Move<T> {
    /// A move of a row that is done with.
    pub(super) fn to(to: u32, rate: T) -> Self {
        Self { to, back: 0, rate }
    }
}
