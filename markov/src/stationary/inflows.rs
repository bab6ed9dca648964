//! A chain seen from the states that moves lead to, and sweeps over its states.

use core::ops::Range;

use crate::budget::Meter;
use crate::sparse::Csr;

/// States of a sweep between two looks at whether it is to end.
const BLOCK: usize = 1024;

/// A chain by the states that moves lead to.
#[derive(Clone, Debug)]
pub(super) struct Inflows<'m> {
    /// For each state, where moves to it come from, and their rates.
    pub(super) into: Csr<f64>,
    /// Mean time that a state is kept.
    pub(super) holding: Vec<f64>,
    /// Counts what sweeps look at. Once it says that the solve is to end they end where they are: whoever made them asks
    /// whether they did before looking at what they have left.
    pub(super) meter: &'m Meter<'m>,
}

/// What a step adds up on its way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Of absolute changes.
    pub(super) changes: f64,
    /// Of the weights after it.
    pub(super) weights: f64,
}

impl<'m> Inflows<'m> {
    /// Of these rates, `into` being the same by the states that they lead to.
    pub(super) fn new(rates: &Csr<f64>, into: Csr<f64>, meter: &'m Meter<'m>) -> Self {
        let holding = (0..rates.rows()).map(|state| 1.0 / rates.row_slices(state).1.iter().sum::<f64>());
        Self {
            holding: holding.collect(),
            into,
            meter,
        }
    }

    /// Counts a sweep. Returns whether it is not to be made.
    pub(super) fn is_over(&self) -> bool {
        let units = self.into.entries() + self.len();
        self.meter.spend(units as u64).is_err()
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.holding.len()
    }

    // Called once a row of a few entries: the call would take as long.
    #[inline(always)]
    pub(super) fn inflow(&self, state: usize, x: &[f64]) -> f64 {
        let (from, rates) = self.into.row_slices(state);
        from.iter()
            .zip(rates)
            .map(|(&from, &rate)| x[from as usize] * rate)
            .sum()
    }

    /// Number of moves that lead to a state.
    pub(super) fn sources(&self, state: usize) -> usize {
        self.into.row_slices(state).0.len()
    }

    /// Each state in turn goes this part of the way to the weight that balances it against the present ones of the
    /// others.
    pub(super) fn sweep(&self, x: &mut [f64], part: f64) -> Sums {
        let mut sums = Sums::default();
        if self.is_over() {
            return sums;
        }
        for block in self.blocks() {
            if self.meter.is_interrupted() {
                break;
            }
            sums = self.sweep_block(block, x, part, sums);
        }
        sums
    }

    /// The same for some states. A function of its own: beside looks at the clock, sums would not stay in registers.
    #[inline(never)]
    fn sweep_block(&self, block: Range<usize>, x: &mut [f64], part: f64, mut sums: Sums) -> Sums {
        for (state, &holding) in block.clone().zip(&self.holding[block]) {
            let step = part * (self.inflow(state, x) * holding - x[state]);
            x[state] += step;
            sums.changes += step.abs();
            sums.weights += x[state];
        }
        sums
    }

    /// Whether to go on with a state: a look at whether the solve is to end every so many of them.
    pub(super) fn goes_on(&self, state: usize) -> bool {
        !state.is_multiple_of(BLOCK) || !self.meter.is_interrupted()
    }

    /// The states block by block.
    pub(super) fn blocks(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + use<> {
        let len = self.len();
        (0..len.div_ceil(BLOCK)).map(move |block| block * BLOCK..len.min((block + 1) * BLOCK))
    }

    /// Each state, from the last to the first, gets the weight that balances it against the present ones of the others.
    pub(super) fn sweep_back(&self, x: &mut [f64]) {
        if self.is_over() {
            return;
        }
        for block in self.blocks().rev() {
            if self.meter.is_interrupted() {
                return;
            }
            self.sweep_block_back(block, x);
        }
    }

    #[inline(never)]
    fn sweep_block_back(&self, block: Range<usize>, x: &mut [f64]) {
        for state in block.rev() {
            x[state] = self.inflow(state, x) * self.holding[state];
        }
    }

    /// As [`Inflows::sweep`] all of the way, for weights that come from outside as well, at these rates.
    pub(super) fn settle(&self, x: &mut [f64], outside: &[f64]) {
        if self.is_over() {
            return;
        }
        for block in self.blocks() {
            if self.meter.is_interrupted() {
                return;
            }
            self.settle_some(x, outside, block);
        }
    }

    /// The same from the last state to the first.
    pub(super) fn settle_back(&self, x: &mut [f64], outside: &[f64]) {
        if self.is_over() {
            return;
        }
        for block in self.blocks().rev() {
            if self.meter.is_interrupted() {
                return;
            }
            self.settle_some(x, outside, block.rev());
        }
    }

    #[inline(never)]
    fn settle_some(&self, x: &mut [f64], outside: &[f64], states: impl Iterator<Item = usize>) {
        for state in states {
            x[state] = (self.inflow(state, x) + outside[state]) * self.holding[state];
        }
    }
}

/// The state with the largest weight, the first of them.
pub(super) fn heaviest(x: &[f64]) -> usize {
    let heavier = |best: usize, state: usize| if x[state] > x[best] { state } else { best };
    (0..x.len()).fold(0, heavier)
}
