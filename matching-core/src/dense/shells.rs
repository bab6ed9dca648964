//! What the blossoms around both ends of a pair add to its slack, by nodes of an index of the points.
//!
//! The points of a node that all lie in one blossom are further from whoever else is in it than their sums of duals say,
//! by twice the duals of that blossom and of those around it. Without that, a wide blossom of great dual, such as one
//! around many equal points, makes suspects of all pairs inside.

use core::ops::Range;

use crate::engine::{Dual, Nest};

/// The blossoms of positive dual around some points; none by default.
#[derive(Clone, Debug, Default)]
pub(super) struct Shells {
    /// By blossom, the places of its members in an order in which they follow one another, the blossom around it, and
    /// the sum of its dual and theirs.
    shells: Vec<(Range<usize>, Option<u32>, i128)>,
    /// By point, its place in that order, and the innermost blossom around it.
    points: Vec<(usize, Option<u32>)>,
}

impl Shells {
    pub(super) fn new<D: Dual>(nest: &Nest<D>) -> Self {
        if nest.shells.is_empty() {
            return Self::default();
        }
        let mut shells: Vec<(Range<usize>, Option<u32>, i128)> = Vec::with_capacity(nest.shells.len());
        // Those around a blossom stand before it.
        for shell in &nest.shells {
            let around = shell.parent.map_or(0, |parent| shells[parent as usize].2);
            shells.push((shell.members.clone(), shell.parent, around + shell.dual.into()));
        }
        let mut points = vec![(0, None); nest.order.len()];
        for (place, (&v, &inner)) in nest.order.iter().zip(&nest.inner).enumerate() {
            points[v as usize] = (place, inner);
        }
        Self { shells, points }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shells.is_empty()
    }

    /// The innermost blossom around a point.
    pub(super) fn around(&self, v: u32) -> Option<u32> {
        self.points[v as usize].1
    }

    /// A blossom around all that two blossoms are around.
    pub(super) fn join(&self, one: Option<u32>, other: Option<u32>) -> Option<u32> {
        let (one, inner) = (one?, &self.shells[other? as usize].0);
        self.climb(one, |members| members.start <= inner.start && inner.end <= members.end)
    }

    /// Sum of the duals of the blossoms around all that a blossom is around and around a point, as far as is known.
    pub(super) fn common(&self, shell: Option<u32>, v: u32) -> i128 {
        let Some(shell) = shell else { return 0 };
        let place = self.points[v as usize].0;
        let common = self.climb(shell, |members| members.contains(&place));
        common.map_or(0, |shell| self.shells[shell as usize].2)
    }

    /// The first of a blossom and those around it whose members are so.
    fn climb(&self, shell: u32, is_so: impl Fn(&Range<usize>) -> bool) -> Option<u32> {
        let mut around = core::iter::successors(Some(shell), |&shell| self.shells[shell as usize].1);
        around.find(|&shell| is_so(&self.shells[shell as usize].0))
    }
}

#[cfg(test)]
impl Shells {
    /// Nested at random around `n` points.
    pub(super) fn at_random(rng: &mut impl rand::Rng, n: usize) -> Self {
        let mut order: Vec<usize> = (0..n).collect();
        rand::seq::SliceRandom::shuffle(&mut order[..], rng);
        let mut shells: Vec<(Range<usize>, Option<u32>, i128)> = Vec::new();
        let mut inner = vec![None; n];
        let mut rooms = vec![(0..n, None::<u32>)];
        while let Some((room, parent)) = rooms.pop() {
            if room.len() < 3 || rng.random_bool(0.2) {
                continue;
            }
            let start = rng.random_range(room.clone());
            let members = start..rng.random_range(start + 1..=room.end);
            let around = parent.map_or(0, |parent| shells[parent as usize].2);
            let shell = shells.len() as u32;
            inner[members.clone()].fill(Some(shell));
            rooms.push((members.end..room.end, parent));
            rooms.push((members.clone(), Some(shell)));
            shells.push((members, parent, around + rng.random_range(1..200)));
        }
        let mut points = vec![(0, None); n];
        for (place, &v) in order.iter().enumerate() {
            points[v] = (place, inner[place]);
        }
        Self { shells, points }
    }

    /// Sum of the duals of the shells around two points.
    pub(super) fn around_both(&self, u: usize, v: usize) -> i128 {
        let [u, v] = [u, v].map(|v| self.points[v].0);
        let both = self
            .shells
            .iter()
            .filter(|shell| shell.0.contains(&u) && shell.0.contains(&v));
        // The innermost one's sum counts the others.
        both.map(|shell| shell.2).max().unwrap_or(0)
    }
}
