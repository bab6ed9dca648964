//! The pairs that a solution is most likely made of: few for each vertex, those of least reduced cost.

use super::lanes::{Kept, Smallest};
use super::levels::Beside;
use super::parallel::Workers;
use super::rows::{Rows, clamped};

/// Pairs of least reduced cost, and how far the potentials must come down.
#[derive(Debug)]
pub(super) struct Candidates {
    width: usize,
    /// `width` slots per row.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    position: u32,
    lane: i32,
    sum: i32,
}

const EMPTY: Slot = Slot {
    position: u32::MAX,
    lane: 0,
    sum: i32::MAX,
};

impl Candidates {
    /// The `width` pairs of each row with the least `2 lane - potential`. One pass over the matrix.
    pub(super) fn collect(rows: &Rows<'_>, potentials: &[i64], width: usize, workers: Workers) -> Self {
        let addends: Vec<i32> = potentials.iter().map(|&potential| -clamped(potential)).collect();
        let form = rows.form().doubled();
        let mut slots = vec![EMPTY; width * rows.len()];
        workers.for_rows(
            &mut slots,
            width,
            || (Smallest::default(), Vec::new()),
            |(smallest, scratch), i, slots| {
                smallest.collect(rows.row(i, scratch), &addends, form, i, width);
                for (slot, &Kept { position, lane, sum }) in slots.iter_mut().zip(&smallest.entries) {
                    *slot = Slot { position, lane, sum };
                }
            },
        );
        Self { width, slots }
    }

    fn row(&self, i: usize) -> &[Slot] {
        &self.slots[i * self.width..][..self.width]
    }

    /// Lowers potentials until no pair's reduced cost is negative: a pair that lacks `s` shows so in both rows, and
    /// each end gives half of the most that it lacks anywhere. Returns how many were lowered.
    pub(super) fn lower(&self, potentials: &mut [i64]) -> usize {
        let mut lowered = 0;
        for (i, potential) in potentials.iter_mut().enumerate() {
            *potential = i64::from(clamped(*potential));
            let least = self.row(i).iter().map(|slot| slot.sum).min().unwrap_or(i32::MAX);
            if least < i32::MAX {
                let lack = (i64::from(least) - *potential).min(0);
                *potential += lack.div_euclid(2);
                lowered += usize::from(lack < 0);
            }
        }
        lowered
    }

    /// Whether a pair is a candidate of either end.
    pub(super) fn has(&self, u: usize, v: usize) -> bool {
        let lists = |i: usize, j: usize| self.row(i).iter().any(|slot| slot.position as usize == j);
        lists(u, v) || lists(v, u)
    }

    /// Every candidate pair once, with its lane, row by row.
    pub(super) fn pairs(&self, workers: Workers, beside: Beside<'_>) -> Vec<(u32, u32, i32)> {
        let mut is_told = vec![false; self.slots.len()];
        let scratch = || ();
        workers.for_rows(&mut is_told, self.width, scratch, |(), i, is_told| {
            for (slot, is_told) in self.row(i).iter().zip(is_told) {
                let j = slot.position as usize;
                let is_listed_there = || self.row(j).iter().any(|slot| slot.position as usize == i);
                *is_told = slot.position != u32::MAX && (i < j || !is_listed_there());
            }
        });
        let told = self
            .slots
            .iter()
            .zip(is_told)
            .enumerate()
            .filter(|(_, (_, is_told))| *is_told);
        let pairs = told.map(|(at, (slot, _))| {
            let i = (at / self.width) as u32;
            (slot.position.min(i), slot.position.max(i), slot.lane)
        });
        workers.beside(beside, || pairs.collect())
    }
}
