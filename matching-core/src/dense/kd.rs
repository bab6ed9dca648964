//! A balanced k-d tree with a tight box around every node.
//!
//! The tree is a perfect binary one: node `k` has the children `2k` and `2k + 1`, the root is 1, the leaves are the last
//! half of the nodes. A node holds a range of the points that follows from its number alone, halves by count, so equal
//! points need no care. A caller who keeps something for each node (such as the greatest value in it) uses an array
//! by node number; that is what turns a distance query into one by distance and value together.

use core::ops::Range;

use crate::cost::Norm;

/// Points in a leaf, at most. Fewer cost boxes, more cost distances: of 100,000 points in the plane, the candidates took
/// .18 s with 4, .12 s with 8 to 16 and .13 s with 32.
const LEAF: usize = 16;

/// Nodes that wait during a search: one for each level at most, and levels are fewer than bits of an id.
const WAITING: usize = 33;

/// A point and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<const D: usize> {
    pub(super) at: [f64; D],
    pub(super) id: u32,
}

/// The smallest box around some points.
#[derive(Clone, Copy, Debug)]
struct Hull<const D: usize> {
    low: [f64; D],
    high: [f64; D],
}

impl<const D: usize> Hull<D> {
    fn of(entries: &[Entry<D>]) -> Self {
        let mut hull = Self {
            low: [f64::INFINITY; D],
            high: [f64::NEG_INFINITY; D],
        };
        for entry in entries {
            for axis in 0..D {
                hull.low[axis] = hull.low[axis].min(entry.at[axis]);
                hull.high[axis] = hull.high[axis].max(entry.at[axis]);
            }
        }
        hull
    }

    fn widest_axis(&self) -> Option<usize> {
        let width = |axis: usize| self.high[axis] - self.low[axis];
        (0..D).max_by(|&a, &b| width(a).total_cmp(&width(b)))
    }

    /// At most the computed distance from `from` to any point inside, rounding included: differences to the sides do
    /// not exceed differences to what is inside, before and after rounding, and so on through [`Norm::length`].
    #[inline]
    fn distance(&self, norm: Norm, from: &[f64; D]) -> f64 {
        let mut gap = [0.0; D];
        for axis in 0..D {
            gap[axis] = (self.low[axis] - from[axis]).max(from[axis] - self.high[axis]).max(0.0);
        }
        norm.length(&gap)
    }
}

/// What a search looks for.
pub(super) trait Search<const D: usize> {
    /// Whether points in `node` may matter, none of which is nearer than `distance`.
    fn enters(&mut self, node: usize, distance: f64) -> bool;

    /// Sees the points of a leaf, which are those from `start` on in the tree's order.
    fn visit(&mut self, start: usize, entries: &[Entry<D>]);
}

/// The points in the order of the tree, and the boxes around its nodes. Memory: 8 D + 8 bytes a point, and boxes of
/// 16 D bytes for a half of the points at most.
#[derive(Debug)]
pub(super) struct KdTree<const D: usize> {
    entries: Vec<Entry<D>>,
    hulls: Vec<Hull<D>>,
    norm: Norm,
}

impl<const D: usize> KdTree<D> {
    /// O(n log n). The tree depends on the points only, not on chance.
    pub(super) fn new(points: impl Iterator<Item = [f64; D]>, norm: Norm) -> Self {
        let entries = points.zip(0..).map(|(at, id)| Entry { at, id }).collect::<Vec<_>>();
        let leaves = entries.len().div_ceil(LEAF).next_power_of_two();
        let mut tree = Self {
            hulls: vec![Hull::of(&[]); 2 * leaves],
            entries,
            norm,
        };
        for node in 1..tree.hulls.len() {
            let range = tree.range(node);
            let hull = Hull::of(&tree.entries[range.clone()]);
            tree.hulls[node] = hull;
            if let Some(axis) = hull.widest_axis().filter(|_| !tree.is_leaf(node)) {
                let middle = tree.range(2 * node).len();
                tree.entries[range].select_nth_unstable_by(middle, |a, b| {
                    a.at[axis].total_cmp(&b.at[axis]).then_with(|| a.id.cmp(&b.id))
                });
            }
        }
        tree
    }

    /// The points, neighbours in space mostly next to each other.
    pub(super) fn entries(&self) -> &[Entry<D>] {
        &self.entries
    }

    fn is_leaf(&self, node: usize) -> bool {
        node >= self.hulls.len() / 2
    }

    /// The points of a node, as positions in the tree's order.
    fn range(&self, node: usize) -> Range<usize> {
        let depth = node.ilog2();
        let nth = node - (1 << depth);
        let cut = |nth: usize| ((self.entries.len() as u64 * nth as u64) >> depth) as usize;
        cut(nth)..cut(nth + 1)
    }

    /// The greatest value in each node, by node number; `values` are in the tree's order.
    pub(super) fn maxima(&self, values: &[i64]) -> Vec<i64> {
        let mut maxima = vec![i64::MIN; self.hulls.len()];
        for node in (1..maxima.len()).rev() {
            maxima[node] = if self.is_leaf(node) {
                values[self.range(node)].iter().copied().max().unwrap_or(i64::MIN)
            } else {
                maxima[2 * node].max(maxima[2 * node + 1])
            };
        }
        maxima
    }

    /// Shows `search` every leaf that it does not refuse, itself or by one of the nodes above it; nearer ones mostly
    /// first.
    pub(super) fn run(&self, from: &[f64; D], search: &mut impl Search<D>) {
        let mut waiting = [(1, 0.0); WAITING];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (node, distance) = waiting[count];
            if !search.enters(node, distance) {
                continue;
            }
            if self.is_leaf(node) {
                let range = self.range(node);
                search.visit(range.start, &self.entries[range]);
                continue;
            }
            let left = self.hulls[2 * node].distance(self.norm, from);
            let right = self.hulls[2 * node + 1].distance(self.norm, from);
            let (near, far) = if right < left { (1, 0) } else { (0, 1) };
            waiting[count] = (2 * node + far, left.max(right));
            waiting[count + 1] = (2 * node + near, left.min(right));
            count += 2;
        }
    }
}
