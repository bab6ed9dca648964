//! What one look at all pairs has settled for the next.
//!
//! The slack of a pair depends on the sums of duals around its ends and on the blossoms around both. A repair changes
//! them around a few vertices, and so does a change in a pool of many; only pairs of these need be priced again.

use super::nearby::Nearby;
use super::pricing::Prices;
use crate::engine::{Dual, Nest};

/// With a greater part of the vertices to look at again, all are: a look at all reads only half of each row.
const FEW: (usize, usize) = (2, 5);

/// The duals that pairs were last priced at.
#[derive(Clone, Debug)]
pub(super) struct Settled<D> {
    prices: Prices<D>,
    /// Vertices with pairs of negative slack that were not told.
    is_open: Vec<bool>,
    pub(super) nearby: Nearby,
}

impl<D: Dual> Settled<D> {
    pub(super) fn new(prices: Prices<D>, is_open: Vec<bool>, nearby: Nearby) -> Self {
        Self {
            prices,
            is_open,
            nearby,
        }
    }

    /// The same for other names: `names[v]` is what `v` is called among `n` now, or `u32::MAX` if it is gone. Vertices
    /// that nobody was called are open.
    pub(super) fn renamed(self, names: &[u32], n: usize) -> Self {
        let Prices { totals, nest, down } = self.prices;
        let mut now = Prices {
            totals: vec![0; n],
            nest: Nest {
                order: Vec::with_capacity(n),
                inner: Vec::with_capacity(n),
                shells: nest.shells,
            },
            down,
        };
        let mut is_open = vec![true; n];
        // How many of those who are left stood before each position.
        let mut before = Vec::with_capacity(nest.order.len() + 1);
        for (&v, &inner) in nest.order.iter().zip(&nest.inner) {
            before.push(now.nest.order.len());
            let (v, name) = (v as usize, names[v as usize]);
            if name != u32::MAX {
                now.totals[name as usize] = totals[v];
                is_open[name as usize] = self.is_open[v];
                now.nest.order.push(name);
                now.nest.inner.push(inner);
            }
        }
        before.push(now.nest.order.len());
        for shell in &mut now.nest.shells {
            shell.members = before[shell.members.start]..before[shell.members.end];
        }
        Self {
            prices: now,
            is_open,
            nearby: self.nearby.without_pairs(),
        }
    }

    /// Positions of vertices of which every pair whose slack may have become negative has one; `None` where they are
    /// too many.
    ///
    /// The duals of the blossoms around a pair have come down by no more than the innermost one of before says; where
    /// neither end's sum of duals has come down by less, its slack is no less than before. Whose dual is beyond lanes is among
    /// them in any case, as the rows of others do not show it.
    ///
    /// O(n + sum of the sizes of the blossoms).
    pub(super) fn reopened(&self, now: &Prices<D>) -> Option<Vec<usize>> {
        let before = &self.prices;
        let falls = falls(&before.nest, &now.nest);
        let mut is_reopened = self.is_open.clone();
        for (&v, inner) in before.nest.order.iter().zip(&before.nest.inner) {
            let v = v as usize;
            let fall = inner.map_or(0, |shell| falls[shell as usize]);
            is_reopened[v] |= now.totals[v] - before.totals[v] > fall;
        }
        let positions = 0..now.nest.order.len();
        let is_asked = |v: usize| is_reopened[v] || now.is_beyond_lanes(v);
        let reopened: Vec<usize> = positions.filter(|&at| is_asked(now.nest.order[at] as usize)).collect();
        (reopened.len() * FEW.1 <= is_reopened.len() * FEW.0).then_some(reopened)
    }
}

/// For each blossom, the least that the duals of the blossoms around it, itself included, have changed by: all of them,
/// or only the outer ones, or none. What is 0 or less.
fn falls<D: Dual>(before: &Nest<D>, now: &Nest<D>) -> Vec<i128> {
    let mut place_now = vec![0; now.order.len()];
    for (place, &v) in now.order.iter().enumerate() {
        place_now[v as usize] = place;
    }
    let mut changes: Vec<i128> = Vec::with_capacity(before.shells.len());
    let mut falls: Vec<i128> = Vec::with_capacity(before.shells.len());
    // In both nests, blossoms stand behind those around them.
    for shell in &before.shells {
        let parent = shell.parent.map(|parent| parent as usize);
        let (around, least) = parent.map_or((0, 0), |parent| (changes[parent], falls[parent]));
        // A blossom that reaches into another copy may have the same vertices in this one as that around it. It has no
        // twin: that is the other one's.
        let is_same = |parent: usize| before.shells[parent].members == shell.members;
        let twin = match parent {
            Some(parent) if is_same(parent) => None,
            _ => twin(&before.order[shell.members.clone()], now, &place_now),
        };
        let change = around + twin.map_or(0, |dual| dual.into()) - shell.dual.into();
        changes.push(change);
        falls.push(least.min(change));
    }
    falls
}

/// The dual of a blossom with just these members.
fn twin<D: Dual>(members: &[u32], nest: &Nest<D>, places: &[usize]) -> Option<D> {
    let innermost = nest.inner[places[*members.first()? as usize]];
    let mut around = core::iter::successors(innermost, |&index| nest.shells[index as usize].parent);
    let is_same = |index: &u32| {
        let shell = &nest.shells[*index as usize].members;
        shell.len() == members.len() && members.iter().all(|&v| shell.contains(&places[v as usize]))
    };
    around.find(is_same).map(|index| nest.shells[index as usize].dual)
}
