//! People who wait, in order of one criterion.

use std::collections::BTreeMap;

/// A place in the order: criterion, and number in the order of arrival where criteria are equal. The bits of floats
/// that are not negative are in the order of the floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    bits: u64,
    pub(super) id: u32,
}

impl Spot {
    /// The criterion lies within 0 and 1; adding 0 makes -0 and 0 the same.
    pub(super) fn new(criterion: f64, id: u32) -> Self {
        Self {
            bits: (criterion + 0.0).to_bits(),
            id,
        }
    }

    pub(super) fn criterion(self) -> f64 {
        f64::from_bits(self.bits)
    }

    pub(super) fn distance(self, other: Self) -> f64 {
        (self.criterion() - other.criterion()).abs()
    }
}

/// Everybody who waits, by criterion. All operations take logarithmic time.
#[derive(Clone, Debug)]
pub(super) struct Line<T>(BTreeMap<Spot, T>);

impl<T: Copy> Line<T> {
    pub(super) fn new() -> Self {
        Self(BTreeMap::new())
    }

    pub(super) fn insert(&mut self, spot: Spot, note: T) {
        self.0.insert(spot, note);
    }

    pub(super) fn get(&self, spot: Spot) -> Option<T> {
        self.0.get(&spot).copied()
    }

    pub(super) fn get_mut(&mut self, spot: Spot) -> Option<&mut T> {
        self.0.get_mut(&spot)
    }

    pub(super) fn remove(&mut self, spot: Spot) -> Option<T> {
        self.0.remove(&spot)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Everybody, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Spot, T)> + '_ {
        self.0.iter().map(|(spot, note)| (*spot, *note))
    }

    /// Those before a spot, nearest first.
    pub(super) fn before(&self, spot: Spot) -> impl Iterator<Item = (Spot, T)> + '_ {
        self.0.range(..spot).rev().map(|(spot, note)| (*spot, *note))
    }

    /// Those after a spot, nearest first.
    pub(super) fn after(&self, spot: Spot) -> impl Iterator<Item = (Spot, T)> + '_ {
        let beyond = (std::ops::Bound::Excluded(spot), std::ops::Bound::Unbounded);
        self.0.range(beyond).map(|(spot, note)| (*spot, *note))
    }

    /// Those on both sides of a spot, nearest first.
    pub(super) fn around(&self, spot: Spot) -> impl Iterator<Item = (Spot, T)> + '_ {
        let (mut before, mut after) = (self.before(spot).peekable(), self.after(spot).peekable());
        std::iter::from_fn(move || match (before.peek(), after.peek()) {
            (Some((low, _)), Some((high, _))) if spot.distance(*high) < spot.distance(*low) => after.next(),
            (Some(_), _) => before.next(),
            (None, _) => after.next(),
        })
    }
}
