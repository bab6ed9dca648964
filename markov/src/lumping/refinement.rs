//! The coarsest lumpable partition that refines a given one.

use super::compare;
use crate::budget::{Halted, Meter};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Float rates into a block count as equal if they differ by no more than this part of the states' rates out.
const TOLERANCE: f64 = 1e-10;

/// A partition under refinement. Each block is a range of `states`.
#[derive(Debug)]
pub(super) struct Refinement<T> {
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
    pub(super) fn new(rates: &Csr<T>, labels: &[usize]) -> Self {
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
    ///
    /// # Errors
    /// [`Halted`].
    pub(super) fn run(mut self, meter: &Meter<'_>) -> Result<(Vec<usize>, Vec<Vec<usize>>), Halted> {
        let mut weights = vec![None; self.states.len()];
        while let Some(splitter) = self.splitters.pop() {
            self.is_splitter[splitter] = false;
            let touched = self.weigh(splitter, &mut weights, meter)?;
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
        Ok((self.block_of, blocks))
    }

    /// The states with rates into a block, and these; a block's own states have their rates out taken off. By block,
    /// and within it in the order of the rates.
    fn weigh(&self, splitter: usize, weights: &mut [Option<T>], meter: &Meter<'_>) -> Result<Vec<(usize, T)>, Halted> {
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
            meter.spend(self.into.row_slices(state).0.len() as u64 + 1)?;
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
        Ok(touched)
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
