//! What one look at all pairs has settled for the next.
//!
//! The slack of a pair depends on the sums of duals around its ends and on the blossoms around both. A repair changes
//! them around a few vertices; only pairs of these need be priced again.

use super::pricing::Prices;
use crate::engine::{Dual, Nest};

/// With more vertices than one in so many to look at again, all are.
const FEW: usize = 3;

/// The duals that pairs were last priced at.
#[derive(Debug)]
pub(super) struct Settled<D> {
    prices: Prices<D>,
    /// Vertices with pairs of negative slack that were not told.
    is_open: Vec<bool>,
}

impl<D: Dual> Settled<D> {
    pub(super) fn new(prices: Prices<D>, is_open: Vec<bool>) -> Self {
        Self { prices, is_open }
    }

    /// Positions of vertices of which every pair whose slack may have become negative has one; `None` where they are
    /// too many.
    ///
    /// A pair of any two others has no less slack than before: neither end's sum of duals is greater, and no blossom
    /// around both has lost of its dual.
    ///
    /// O(n + sum of the sizes of the blossoms).
    pub(super) fn reopened(&self, now: &Prices<D>) -> Option<Vec<usize>> {
        let before = &self.prices;
        let is_kept = kept_shells(&before.nest, &now.nest);
        let mut is_reopened = self.is_open.clone();
        for (&v, inner) in before.nest.order.iter().zip(&before.nest.inner) {
            let v = v as usize;
            is_reopened[v] |= now.totals[v] > before.totals[v] || inner.is_some_and(|shell| !is_kept[shell as usize]);
        }
        let positions = 0..now.nest.order.len();
        let reopened: Vec<usize> = positions
            .filter(|&at| is_reopened[now.nest.order[at] as usize])
            .collect();
        (reopened.len() * FEW <= is_reopened.len()).then_some(reopened)
    }
}

/// Whether each blossom, and all around it, are there in the other nest with no less of a dual.
fn kept_shells<D: Dual>(before: &Nest<D>, now: &Nest<D>) -> Vec<bool> {
    let mut place_now = vec![0; now.order.len()];
    for (place, &v) in now.order.iter().enumerate() {
        place_now[v as usize] = place;
    }
    let mut is_kept: Vec<bool> = Vec::with_capacity(before.shells.len());
    let mut twins: Vec<Option<u32>> = Vec::with_capacity(before.shells.len());
    // In both nests, blossoms stand behind those around them.
    for shell in &before.shells {
        let members = &before.order[shell.members.clone()];
        let is_same = |index: u32| {
            let other = &now.shells[index as usize];
            other.members.len() == members.len()
                && other.dual >= shell.dual
                && members.iter().all(|&v| other.members.contains(&place_now[v as usize]))
        };
        // A blossom that reaches into the other copy may have no vertex in this one, or the same ones as that around it:
        // each needs its own twin.
        let innermost = members.first().and_then(|&v| now.inner[place_now[v as usize]]);
        let mut around = core::iter::successors(innermost, |&index| now.shells[index as usize].parent);
        let twin = around.find(|&index| is_same(index));
        let is_well_placed = shell.parent.is_none_or(|parent| {
            let parent = parent as usize;
            is_kept[parent] && twins[parent] < twin
        });
        is_kept.push(members.is_empty() || (twin.is_some() && is_well_placed));
        twins.push(twin);
    }
    is_kept
}
