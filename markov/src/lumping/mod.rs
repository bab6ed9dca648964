//! Lumping: a smaller chain whose states are blocks of states that behave alike.
//!
//! A partition of the states is (ordinarily) lumpable if any two states of a block have the same total rate into each
//! other block. The process of blocks is then a Markov chain itself, whatever the start. Among the lumpable partitions
//! that refine a given one there is a coarsest; it is found by splitting blocks until nothing splits any more. Each
//! block in turn is a splitter: other states are told apart by their rates into it. When a block that was a splitter is
//! split, all parts but the largest become splitters, as rates into the largest follow from those into the others: a
//! state is then looked at only O(log n) times.
//!
//! The diagonal counts with the rates, so that rows add up to zero and the argument holds for a splitter's own states.
//!
//! References: J. Kemeny, J. Snell, "Finite Markov Chains", Springer 1976, section 6.3; S. Derisavi, H. Hermanns,
//! W. Sanders, "Optimal state-space lumping in Markov chains", Information Processing Letters 87 (2003), 309-315,
//! doi:10.1016/S0020-0190(03)00343-0; A. Valmari, G. Franceschinis, "Simple O(m log n) time Markov chain lumping",
//! TACAS 2010, doi:10.1007/978-3-642-12002-2_4.

mod refinement;

use std::cmp::Ordering;
use std::collections::HashMap;

use refinement::Refinement;

use matching_core::Budget;

use crate::budget::{Meter, OrStopped};
use crate::chain::{Ctmc, Dtmc};
use crate::error::{Error, check_length, check_numbers};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// A chain of blocks, and which block each state is in. Blocks are numbered by their first states.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Lumped<C> {
    chain: C,
    block_of: Vec<usize>,
    blocks: Vec<Vec<usize>>,
    defect: f64,
}

impl<C> Lumped<C> {
    /// The chain of blocks.
    pub fn chain(&self) -> &C {
        &self.chain
    }

    /// The block of each state.
    pub fn block_of(&self) -> &[usize] {
        &self.block_of
    }

    /// The states of each block, in rising order.
    pub fn blocks(&self) -> &[Vec<usize>] {
        &self.blocks
    }

    /// How far the lumping is from exact: the largest difference between a state's rate into another block and that of
    /// its own block's first state, which the chain of blocks has, as a part of the larger rate out. Zero in exact
    /// numbers.
    pub fn defect(&self) -> f64 {
        self.defect
    }

    /// Sums over blocks of a value per state, such as a distribution's.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn sums<T: Scalar>(&self, values: &[T]) -> Result<Vec<T>, Error> {
        check_length("values", self.block_of.len(), values.len())?;
        let mut sums = vec![T::zero(); self.blocks.len()];
        for (&block, value) in self.block_of.iter().zip(values) {
            sums[block] += value;
        }
        Ok(sums)
    }
}

impl<T: Scalar> Ctmc<T> {
    /// The smallest chain that this one can be lumped to without putting states with different labels together.
    ///
    /// Exact rates are compared exactly. Float rates into a block count as equal if neighbours in their order differ by
    /// no more than 1e-10 of the larger rate out; [`Lumped::defect`] says how far that went.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], and [`Error::NotANumber`] where sums of float rates overflow.
    ///
    /// # Complexity
    /// O(m log n) rates looked at, and sorted, for `m` transitions between `n` states.
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Ctmc};
    ///
    /// // Two lamps, each of which fails at rate 1 and is mended at rate 2; bit `i` of a state says whether lamp `i` is on.
    /// let flips = |state: usize| [0, 1].map(|lamp| (state ^ (1 << lamp), if state >> lamp & 1 == 1 { 1.0 } else { 2.0 }));
    /// let chain = Ctmc::new(&Csr::from_rows(4, (0..4).map(flips)))?;
    /// let lumped = chain.lump(&[0; 4])?;
    /// assert_eq!(lumped.blocks().len(), 1); // nothing tells states apart
    /// let lumped = chain.lump(&[0, 0, 0, 1])?; // but whether both are on
    /// assert_eq!(lumped.block_of(), [0, 1, 1, 2]);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn lump(&self, labels: &[usize]) -> Result<Lumped<Self>, Error> {
        self.metered_lump(labels, &Meter::unlimited())
    }

    /// As [`Ctmc::lump`], within a budget of time, a token, and work, which is counted in rates that are looked at. Not cut
    /// short is what looks at each rate once: what comes before blocks are split, and the chain of blocks afterwards.
    /// Memory is in proportion to the chain, and is not limited.
    ///
    /// # Errors
    /// As [`Ctmc::lump`], and [`Error::Stopped`], with nothing: blocks that may yet be split are no states of a chain.
    pub fn lump_within(&self, labels: &[usize], budget: &Budget) -> Result<Lumped<Self>, Error> {
        self.metered_lump(labels, &Meter::new(budget, None))
    }

    fn metered_lump(&self, labels: &[usize], meter: &Meter<'_>) -> Result<Lumped<Self>, Error> {
        check_length("labels", self.len(), labels.len())?;
        // Rates are compared as parts of these.
        let exits: Vec<T> = (0..self.len()).map(|state| self.exit_rate(state)).collect();
        check_numbers(&exits)?;
        meter.look().or_stopped()?;
        let (block_of, blocks) = Refinement::new(self.rates(), labels).run(meter).or_stopped()?;
        let (rates, defect) = quotient(self.rates(), &block_of, &blocks);
        let chain = Self::new(&rates)?;
        Ok(Lumped {
            chain,
            block_of,
            blocks,
            defect,
        })
    }
}

impl<T: Scalar> Dtmc<T> {
    /// As [`Ctmc::lump`], with probabilities.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn lump(&self, labels: &[usize]) -> Result<Lumped<Self>, Error> {
        self.metered_lump(labels, &Meter::unlimited())
    }

    /// As [`Ctmc::lump_within`], with probabilities.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::Stopped`].
    pub fn lump_within(&self, labels: &[usize], budget: &Budget) -> Result<Lumped<Self>, Error> {
        self.metered_lump(labels, &Meter::new(budget, None))
    }

    fn metered_lump(&self, labels: &[usize], meter: &Meter<'_>) -> Result<Lumped<Self>, Error> {
        check_length("labels", self.len(), labels.len())?;
        meter.look().or_stopped()?;
        let (block_of, blocks) = Refinement::new(self.moves(), labels).run(meter).or_stopped()?;
        let (moves, defect) = quotient(self.moves(), &block_of, &blocks);
        let rows = (0..blocks.len()).map(|block| {
            let mut stay = T::one();
            let mut row: Vec<(usize, T)> = Vec::new();
            for (to, chance) in moves.row(block) {
                stay -= chance;
                row.push((to, chance.clone()));
            }
            // Chances of leaving may miss one by rounding, upwards too.
            if stay >= T::zero() {
                row.push((block, stay));
            }
            row
        });
        let chain = Self::new(&Csr::from_rows(blocks.len(), rows))?;
        Ok(Lumped {
            chain,
            block_of,
            blocks,
            defect,
        })
    }
}

/// Labels that tell apart states with different values: costs, for instance. Equal values get equal labels.
pub fn labels_of<T: Scalar>(values: &[T]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| compare(&values[i], &values[j]));
    let mut labels = vec![0; values.len()];
    for pair in order.windows(2) {
        labels[pair[1]] = labels[pair[0]] + usize::from(values[pair[0]] != values[pair[1]]);
    }
    labels
}

/// A total order: sums of floats may overflow, and their differences not be numbers.
fn compare<T: Scalar>(a: &T, b: &T) -> Ordering {
    a.partial_cmp(b)
        .unwrap_or_else(|| a.to_float().total_cmp(&b.to_float()))
}

/// Rates between blocks, as the first states have them, and the largest deviation of other states.
fn quotient<T: Scalar>(rates: &Csr<T>, block_of: &[usize], blocks: &[Vec<usize>]) -> (Csr<T>, f64) {
    let row_of = |state: usize| {
        let others = rates.row(state).map(|(to, rate)| (block_of[to], rate.clone()));
        let others = others.filter(|&(block, _)| block != block_of[state]);
        Csr::from_rows(blocks.len(), [others.collect::<Vec<_>>()])
    };
    let first_rows: Vec<Csr<T>> = blocks.iter().map(|states| row_of(states[0])).collect();
    let mut defect = 0.0_f64;
    for (first, states) in first_rows.iter().zip(blocks) {
        for &state in &states[1..] {
            let row = row_of(state);
            let mut gaps: HashMap<usize, f64> = row.row(0).map(|(to, rate)| (to, rate.to_float())).collect();
            for (to, rate) in first.row(0) {
                *gaps.entry(to).or_default() -= rate.to_float();
            }
            let out = exit(rates, state).max(exit(rates, states[0]));
            defect = gaps.values().fold(defect, |worst, gap| worst.max(gap.abs() / out));
        }
    }
    let rows = first_rows
        .iter()
        .map(|row| row.row(0).map(|(to, rate)| (to, rate.clone())).collect::<Vec<_>>());
    (Csr::from_rows(blocks.len(), rows), defect)
}

fn exit<T: Scalar>(rates: &Csr<T>, state: usize) -> f64 {
    rates.row(state).map(|(_, rate)| rate.to_float()).sum()
}
