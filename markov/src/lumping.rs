//! Lumping: a smaller chain whose states are blocks of states that behave alike.
//!
//! A partition of the states is (ordinarily) lumpable if any two states of a block have the same total rate into each
//! other block. The process of blocks is then a Markov chain itself, whatever the start. Among the lumpable partitions that
//! refine a given one there is a coarsest; it is found by splitting blocks until nothing splits any more. Each block in turn
//! is a splitter: other states are told apart by their rates into it. When a block that was a splitter is split, all parts
//! but the largest become splitters, as rates into the largest follow from those into the others: a state is then looked at
//! only O(log n) times.
//!
//! The diagonal counts with the rates, so that rows add up to zero and the argument holds for a splitter's own states.
//!
//! References: J. Kemeny, J. Snell, "Finite Markov Chains", Springer 1976, section 6.3; S. Derisavi, H. Hermanns,
//! W. Sanders, "Optimal state-space lumping in Markov chains", Information Processing Letters 87 (2003), 309-315,
//! doi:10.1016/S0020-0190(03)00343-0; A. Valmari, G. Franceschinis, "Simple O(m log n) time Markov chain lumping",
//! TACAS 2010, doi:10.1007/978-3-642-12002-2_4.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::chain::{Ctmc, Dtmc};
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Float rates into a block count as equal if they differ by no more than this part of the states' rates out.
const TOLERANCE: f64 = 1e-10;

/// A chain of blocks, and which block each state is in. Blocks are numbered by their first states.
#[derive(Clone, Debug, PartialEq)]
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

    /// How far the lumping is from exact: the largest difference between a state's rate into another block and that of its
    /// own block's first state, which the chain of blocks has, as a part of the larger rate out. Zero in exact numbers.
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
    /// Exact rates are compared exactly. Float rates into a block count as equal if neighbours in their order differ by no
    /// more than 1e-10 of the larger rate out; [`Lumped::defect`] says how far that went.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
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
        check_length("labels", self.len(), labels.len())?;
        let (block_of, blocks) = Refinement::new(self.rates(), labels).run();
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
        check_length("labels", self.len(), labels.len())?;
        let (block_of, blocks) = Refinement::new(self.moves(), labels).run();
        let (moves, defect) = quotient(self.moves(), &block_of, &blocks);
        let rows = (0..blocks.len()).map(|block| {
            let mut stay = T::one();
            let mut row: Vec<(usize, T)> = Vec::new();
            for (to, chance) in moves.row(block) {
                stay -= chance;
                row.push((to, chance.clone()));
            }
            // Chances of leaving may miss one by rounding, upwards too.
            if !stay.is_negative() {
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

fn compare<T: Scalar>(a: &T, b: &T) -> Ordering {
    a.partial_cmp(b).unwrap_or(Ordering::Equal)
}

fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::LengthMismatch { what, expected, found })
    }
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

/// A partition under refinement. Each block is a range of `states`.
#[derive(Debug)]
struct Refinement<T> {
    /// Rates by the state they lead to.
    into: Csr<T>,
    out: Vec<T>,
    states: Vec<usize>,
    place: Vec<usize>,
    block_of: Vec<usize>,
    ranges: Vec<(usize, usize)>,
    splitters: Vec<usize>,
    is_splitter: Vec<bool>,
}

impl<T: Scalar> Refinement<T> {
    fn new(rates: &Csr<T>, labels: &[usize]) -> Self {
        let n = rates.rows();
        let mut states: Vec<usize> = (0..n).collect();
        states.sort_by_key(|&state| labels[state]);
        let mut place = vec![0; n];
        let mut block_of = vec![0; n];
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for (at, &state) in states.iter().enumerate() {
            place[state] = at;
            match ranges.last_mut().filter(|_| labels[state] == labels[states[at - 1]]) {
                Some(range) => range.1 = at + 1,
                None => ranges.push((at, at + 1)),
            }
            block_of[state] = ranges.len() - 1;
        }
        let mut out = vec![T::zero(); n];
        for (state, sum) in out.iter_mut().enumerate() {
            for (_, rate) in rates.row(state) {
                *sum += rate;
            }
        }
        Self {
            into: rates.transposed(),
            out,
            states,
            place,
            block_of,
            splitters: (0..ranges.len()).collect(),
            is_splitter: vec![true; ranges.len()],
            ranges,
        }
    }

    /// Refines until nothing splits; the block of each state, and the states of each block.
    fn run(mut self) -> (Vec<usize>, Vec<Vec<usize>>) {
        let mut weights = vec![None; self.states.len()];
        while let Some(splitter) = self.splitters.pop() {
            self.is_splitter[splitter] = false;
            let touched = self.weigh(splitter, &mut weights);
            self.split_all(&touched);
        }
        let mut number = vec![None; self.ranges.len()];
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for (state, block) in self.block_of.iter_mut().enumerate() {
            *block = *number[*block].get_or_insert_with(|| {
                blocks.push(Vec::new());
                blocks.len() - 1
            });
            blocks[*block].push(state);
        }
        (self.block_of, blocks)
    }

    /// The states with rates into a block, and these; a block's own states have their rates out taken off. By block, and
    /// within it in the order of the rates.
    fn weigh(&self, splitter: usize, weights: &mut [Option<T>]) -> Vec<(usize, T)> {
        let mut touched = Vec::new();
        let mut add = |state: usize, rate: T| match &mut weights[state] {
            Some(sum) => *sum += rate,
            none => {
                *none = Some(rate);
                touched.push(state);
            }
        };
        let (start, end) = self.ranges[splitter];
        for &state in &self.states[start..end] {
            add(state, -self.out[state].clone());
            for (from, rate) in self.into.row(state) {
                add(from, rate.clone());
            }
        }
        let mut touched: Vec<(usize, T)> = touched
            .into_iter()
            .filter_map(|state| Some((state, weights[state].take()?)))
            .collect();
        touched.retain(|(state, weight)| !self.is_same(*state, weight, *state, &T::zero()));
        touched.sort_by(|(i, a), (j, b)| self.block_of[*i].cmp(&self.block_of[*j]).then_with(|| compare(a, b)));
        touched
    }

    /// Splits each block by the weights of its states; those not listed weigh nothing.
    fn split_all(&mut self, touched: &[(usize, T)]) {
        let mut rest = touched;
        while let Some(&(first, _)) = rest.first() {
            let block = self.block_of[first];
            let count = rest
                .iter()
                .take_while(|&&(state, _)| self.block_of[state] == block)
                .count();
            let (here, after) = rest.split_at(count);
            self.split(block, here);
            rest = after;
        }
    }

    fn split(&mut self, block: usize, touched: &[(usize, T)]) {
        let runs = touched.chunk_by(|(i, a), (j, b)| self.is_same(*i, a, *j, b));
        let mut runs: Vec<&[(usize, T)]> = runs.collect();
        let (start, end) = self.ranges[block];
        if touched.len() == end - start {
            // Nobody is left to keep the block's number.
            runs.pop();
        }
        let mut parts = vec![block];
        for run in runs {
            parts.push(self.carve(block, run));
        }
        if !self.is_splitter[block] {
            let size = |&part: &usize| self.ranges[part].1 - self.ranges[part].0;
            let largest = (0..parts.len()).max_by_key(|&at| size(&parts[at])).unwrap_or(0);
            parts.swap_remove(largest);
        }
        for part in parts {
            if !self.is_splitter[part] {
                self.is_splitter[part] = true;
                self.splitters.push(part);
            }
        }
    }

    /// Takes states out of a block into a new one, whose number is returned.
    fn carve(&mut self, block: usize, states: &[(usize, T)]) -> usize {
        let new = self.ranges.len();
        let end = self.ranges[block].1;
        for &(state, _) in states {
            self.ranges[block].1 -= 1;
            let (from, to) = (self.place[state], self.ranges[block].1);
            self.states.swap(from, to);
            self.place[self.states[from]] = from;
            self.place[state] = to;
            self.block_of[state] = new;
        }
        self.ranges.push((self.ranges[block].1, end));
        self.is_splitter.push(false);
        new
    }

    /// Whether the weights of two states count as equal.
    fn is_same(&self, i: usize, a: &T, j: usize, b: &T) -> bool {
        if T::EXACT {
            return a == b;
        }
        let out = self.out[i].to_float().max(self.out[j].to_float());
        (a.to_float() - b.to_float()).abs() <= TOLERANCE * out
    }
}
