//! Costs of pairs in 7 or 8 bits, for gains in 16.

use aligned_vec::{AVec, avec};

use super::bounds::{BANK, Bounds};
use super::rows::MOST_GROUPS;
use super::walk::Narrow;
use crate::layout::Layout;
use crate::pairwise::scale::is_flexible;

/// What a swap changes stays below this, so that nothing is lost by counting modulo 2^16.
const MOST_CHANGE: f64 = 28_000.0;
/// Half of all costs must spread over so many steps, unless rounding changes none: what is rounded off is then far
/// below a temperature, also where a few costs are much greater than the others.
const LEAST_SPREAD: f64 = 16.0;
/// Greatest cost in steps where what two costs differ by is to have eight bits: a swap that is made then takes half the
/// time. Rounding costs twice as much, so that it is worth it only where a swap takes long.
const SMALL: f64 = 127.0;
/// Units up to which none does.
const FEW_UNITS: usize = 256;
/// Units at most: their numbers have 16 bits.
const MOST_UNITS: usize = 1 << 15;
/// What counts as changed by rounding, in steps.
const ROUNDED: f64 = 1e-3;
/// Pairs that are looked at to see how costs spread.
const SAMPLE: usize = 4096;

/// Costs between units above the least one, in steps so coarse that a swap's change has 16 bits.
///
/// A swap leaves the sizes of groups alone, so what all pairs have in common does not matter to it. Where sizes may
/// change, where some group costs nothing, or where pairs are forbidden, there is no such grid.
#[derive(Debug)]
pub(in crate::pairwise) struct NarrowGrid {
    costs: AVec<u8>,
    stride: usize,
    /// Twice the greatest cost of each unit.
    most: Vec<i16>,
    /// Steps in a step of the wide grid.
    factor: f64,
}

impl NarrowGrid {
    /// From the rows of a wide grid. `None` where the layout asks for more than swaps, or too little of the costs would
    /// be left, or if it was cancelled on the way.
    pub(in crate::pairwise) fn new<'a>(
        row: impl Fn(usize) -> &'a [i32],
        layout: &Layout,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let has_only_swaps = layout.classes.len() == 1 && layout.bench.is_none() && !is_flexible(layout);
        if !has_only_swaps || layout.groups() > MOST_GROUPS || layout.units() > MOST_UNITS {
            return None;
        }
        let units = layout.units();
        // Each pair once, row by row.
        let rows = || (1..units).map(|i| &row(i)[..i]).take_while(|_| !is_cancelled());
        let least = rows().filter_map(|row| row.iter().min()).min()?;
        let greatest = rows().filter_map(|row| row.iter().max()).max()?;
        let range = f64::from(*greatest) - f64::from(*least);
        // A swap changes the pairs of two units with the other members of two groups.
        let members = layout.bounds.iter().map(|bound| bound.1).max()?;
        let others = f64::from(members.max(2) - 1);
        let most = (MOST_CHANGE / 2.0 / others).min(f64::from(u8::MAX)).floor();
        let spread = middle_half(rows(), units);
        let is_slow = units > FEW_UNITS && Bounds::suits(layout);
        let factor = if range <= most {
            1.0
        } else if is_slow && spread * SMALL / range >= LEAST_SPREAD {
            most.min(SMALL) / range
        } else {
            most / range
        };
        let steps = |cost: i32| (f64::from(cost) - f64::from(*least)) * factor;
        let is_whole = |&cost: &i32| (steps(cost) - steps(cost).round()).abs() < ROUNDED;
        if spread * factor < LEAST_SPREAD && !rows().flatten().all(is_whole) {
            return None;
        }
        // At least one entry behind the last: for places where nobody is.
        let stride = (units + 1).next_multiple_of(BANK);
        let mut costs = avec![0; units * stride];
        for (i, narrow) in costs.chunks_exact_mut(stride).enumerate() {
            if is_cancelled() {
                return None;
            }
            for (narrow, &wide) in narrow[..layout.movable()].iter_mut().zip(row(i)) {
                *narrow = steps(wide).round() as u8;
            }
            narrow[i] = 0;
        }
        let most = costs
            .chunks_exact(stride)
            .map(|row| 2 * row.iter().max().copied().map_or(0, i16::from))
            .collect();
        Some(Self {
            costs,
            stride,
            most,
            factor,
        })
    }

    /// Costs of a unit with every other that moves, and 0 with itself, with those who are pinned and behind the last.
    #[inline(always)]
    pub(in crate::pairwise) fn row(&self, unit: u32) -> &[u8] {
        &self.costs[unit as usize * self.stride..][..self.stride]
    }

    /// The rows of all units, one after the other.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[u8] {
        &self.costs
    }

    /// Entries of a row: the units and at least one more, made up to whole banks.
    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Twice the greatest cost of a unit beside any other.
    #[inline(always)]
    pub(super) fn most(&self, unit: u32) -> i16 {
        self.most[unit as usize]
    }

    /// Whether what two costs differ by has eight bits.
    pub(super) fn is_small(&self) -> bool {
        self.most.iter().all(|&twice| f64::from(twice) <= 2.0 * SMALL)
    }

    /// The total of a grouping, given by the group of every unit, in steps of this grid.
    pub(in crate::pairwise) fn total(&self, group_of: &[u32]) -> i64 {
        let before = |unit: usize| {
            let costs = group_of[..unit].iter().zip(self.row(unit as u32));
            costs
                .filter(move |(group, _)| **group == group_of[unit])
                .map(|(_, &cost)| i64::from(cost))
                .sum::<i64>()
        };
        (0..group_of.len()).map(before).sum()
    }

    /// By how many steps rounding may tell two groupings of so many pairs apart: of each it takes off or adds up to
    /// half a step, as it falls out.
    pub(super) fn slack(pairs: u64) -> i64 {
        (SURE * (pairs as f64 / 6.0).sqrt()).ceil() as i64
    }

    /// Steps in a step of the wide grid.
    pub(in crate::pairwise) fn factor(&self) -> f64 {
        self.factor
    }
}

/// Standard deviations beyond which nothing is expected of rounding.
const SURE: f64 = 5.0;

/// How far the middle half of the costs spreads, by a sample of them.
fn middle_half<'a>(rows: impl Iterator<Item = &'a [i32]>, units: usize) -> f64 {
    let every = (units * units / 2).div_ceil(SAMPLE).max(1);
    let mut sample: Vec<i32> = rows.flatten().step_by(every).copied().collect();
    sample.sort_unstable();
    let quarter = sample.len() / 4;
    match sample.len() {
        0 => 0.0,
        len => f64::from(sample[len - 1 - quarter]) - f64::from(sample[quarter]),
    }
}
