//! Uniformization: the jumps, and the sum over their number.

use super::poisson::Poisson;
use crate::budget::{Halted, Meter};
use crate::chain::Ctmc;
use crate::sparse::Csr;

/// States of a step between two looks at whether it is to end.
const BLOCK: usize = 1024;

/// The chain in discrete time that jumps at a constant rate.
#[derive(Debug)]
pub(super) struct Jumps {
    pub(super) rate: f64,
    /// Probabilities by the state that is jumped to.
    into: Csr<f64>,
    stay: Vec<f64>,
    /// Roundings of a step: at most so many times [`ROUNDING`](super::ROUNDING) in the sum of absolute errors.
    pub(super) roundings: f64,
}

impl Jumps {
    pub(super) fn new(chain: &Ctmc) -> Self {
        let exits: Vec<f64> = (0..chain.len()).map(|state| chain.exit_rate(state)).collect();
        // Above all rates by more than their roundings, so that staying is never negative.
        let rate = exits.iter().copied().fold(0.0, f64::max) * (1.0 + 1e-3);
        let into = chain.rates().transposed().map(|_, _, value| value / rate);
        let longest = |matrix: &Csr<f64>| (0..matrix.rows()).map(|row| matrix.row_slices(row).0.len()).max();
        let degrees = longest(chain.rates()).unwrap_or(0) + longest(&into).unwrap_or(0);
        Self {
            stay: exits
                .iter()
                .map(|exit| if rate > 0.0 { 1.0 - exit / rate } else { 1.0 })
                .collect(),
            rate,
            into,
            roundings: degrees as f64 + 8.0,
        }
    }

    /// One jump. Returns the sum of absolute changes.
    ///
    /// # Errors
    /// [`Halted`], with some of the states done.
    pub(super) fn step(&self, x: &[f64], next: &mut [f64], meter: &Meter<'_>) -> Result<f64, Halted> {
        meter.spend((self.into.entries() + x.len()) as u64)?;
        let mut change = 0.0;
        for (block, nexts) in next.chunks_mut(BLOCK).enumerate() {
            if meter.is_interrupted() {
                return meter.halted().map_or(Ok(change), Err);
            }
            change = self.step_from(block * BLOCK, x, nexts, change);
        }
        Ok(change)
    }

    /// The same for some states, from the first of them on. A function of its own: beside looks at the clock, sums would
    /// not stay in registers.
    #[inline(never)]
    fn step_from(&self, first: usize, x: &[f64], nexts: &mut [f64], mut change: f64) -> f64 {
        let before = x[first..].iter().zip(&self.stay[first..]);
        for ((state, next), (old, stay)) in (first..).zip(nexts).zip(before) {
            let (from, probabilities) = self.into.row_slices(state);
            let moves = from.iter().zip(probabilities);
            let inflow: f64 = moves.map(|(&from, probability)| x[from as usize] * probability).sum();
            *next = inflow + stay * old;
            change += (*next - old).abs();
        }
        change
    }
}

/// The sum over numbers of jumps.
#[derive(Debug)]
pub(super) struct Mixture<'a> {
    poisson: &'a Poisson,
    pub(super) distribution: Vec<f64>,
    /// Expected cost times the rate of jumps.
    pub(super) total: f64,
    jumps: usize,
    /// Probability of more jumps than those that were added.
    more: f64,
}

impl<'a> Mixture<'a> {
    pub(super) fn new(len: usize, poisson: &'a Poisson) -> Self {
        Self {
            poisson,
            distribution: vec![0.0; len],
            total: 0.0,
            jumps: 0,
            more: 1.0,
        }
    }

    /// Adds the distribution after the next number of jumps. The chain stays with it for a mean time of the probability
    /// of more jumps, divided by the rate.
    pub(super) fn add(&mut self, x: &[f64], costs: &[f64]) {
        if let Some(at) = self.jumps.checked_sub(self.poisson.first) {
            let weight = self.poisson.weights[at];
            for (sum, mass) in self.distribution.iter_mut().zip(x) {
                *sum += weight * mass;
            }
            self.more = self.poisson.beyond[at];
        }
        self.total += self.more * dot(x, costs);
        self.jumps += 1;
    }

    /// Adds one distribution for all numbers of jumps that are left.
    pub(super) fn add_rest(&mut self, x: &[f64], costs: &[f64]) {
        let at = self.jumps.saturating_sub(self.poisson.first);
        let rest = &self.poisson.weights[at..];
        let weight: f64 = rest.iter().rev().sum();
        for (sum, mass) in self.distribution.iter_mut().zip(x) {
            *sum += weight * mass;
        }
        // The sum over k from here on of the probability of more than k jumps.
        let surely = self.poisson.first.saturating_sub(self.jumps) as f64;
        let later: f64 = rest.iter().enumerate().map(|(more, weight)| more as f64 * weight).sum();
        self.total += (surely + later) * dot(x, costs);
    }
}

fn dot(x: &[f64], costs: &[f64]) -> f64 {
    x.iter().zip(costs).map(|(mass, cost)| mass * cost).sum()
}
