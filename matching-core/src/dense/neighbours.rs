//! Which pairs of a complete graph matter, by an index of the points.

use super::shells::Shells;
use super::tree::{Entry, PointTree, Search};
use crate::cost::{ABSOLUTE_ERROR, Embedded, RELATIVE_ERROR, check_coordinates};
use crate::error::Error;
#[cfg(feature = "rayon")]
use crate::threads;

/// Vertices whose neighbours are searched one after another by one thread.
#[cfg(feature = "rayon")]
const CHUNK: usize = 256;

/// The neighbours of the points of a cost: built once, asked for first candidates and then for violated pairs.
///
/// The duals change between calls, the points do not, so the tree is kept and each call to
/// [`violated`](Neighbours::violated) notes the greatest dual in each node: a search then bounds, node by node, how
/// far a pair with any point *in that node* may reach. A lonely point of great dual thus costs its neighbours a path
/// through the tree, not a larger ball each.
///
/// Memory: O(n), and the pairs returned. The answers do not depend on the number of threads.
#[derive(Debug)]
pub(crate) struct Neighbours<'a, C, const D: usize> {
    cost: &'a C,
    tree: PointTree<D>,
    is_parallel: bool,
}

impl<'a, C: Embedded<D>, const D: usize> Neighbours<'a, C, D> {
    /// O(n log n).
    ///
    /// # Errors
    /// [`Error::CoordinateOutOfRange`].
    pub(crate) fn new(cost: &'a C) -> Result<Self, Error> {
        let points = (0..cost.len()).map(|i| cost.point(i)).collect::<Vec<_>>();
        check_coordinates(&points)?;
        let norm = cost.norm();
        Ok(Self {
            cost,
            tree: PointTree::new(points.into_iter(), norm),
            is_parallel: cfg!(feature = "rayon"),
        })
    }

    /// 1 starts no thread; any other number works on the rayon pool the call is made from.
    pub(crate) fn threads(mut self, threads: usize) -> Self {
        self.is_parallel = threads != 1 && cfg!(feature = "rayon");
        self
    }

    pub(super) fn cost(&self) -> &C {
        self.cost
    }

    /// Each vertex with its `k` nearest among those it may be paired with, and a pairing of vertices that lie near to
    /// each other: if all pairs are allowed and n is even, a perfect matching. Pairs `u < v`, in order, each once.
    ///
    /// Nearest by distance; among equally far ones, those that the search saw first. O(n k log n) for the usual
    /// points; a vertex that may be paired with few others only is compared with all.
    pub(crate) fn candidates(&self, k: usize) -> Vec<(u32, u32)> {
        let mut pairs = self.gather(|found: &mut Vec<(u32, u32)>, nearest: &mut Vec<(f64, u32)>, entry| {
            let mut search = Nearest {
                index: self,
                from: entry,
                nearest,
                k,
            };
            self.tree.run(&entry.at, &mut search);
            found.extend(nearest.drain(..).map(|(_, v)| ordered(entry.id, v)));
        });
        for pair in self.tree.entries().chunks_exact(2) {
            let (u, v) = ordered(pair[0].id, pair[1].id);
            if self.cost.is_allowed(u as usize, v as usize) {
                pairs.push((u, v));
            }
        }
        self.sort(&mut pairs);
        pairs.dedup();
        pairs
    }

    /// For each vertex, its `per_vertex` (at least one) allowed pairs of most negative slack, as `(u, v, slack)` with
    /// `u < v`, in order, each once. Empty if and only if no allowed pair has negative slack.
    ///
    /// `totals[v]` is Y_v, the duals of v and of the blossoms around it, in half units. `slack_of(u, v, c)`, `u < v`,
    /// is the exact slack of a pair that costs c; it may not be less than 2c - Y_u - Y_v and twice the duals of the
    /// `shells` around both. Among equal slacks, those that the search saw first are kept.
    ///
    /// # Why none is missed
    /// Let (u, v) be allowed and violated. While the search from u has fewer than `per_vertex` pairs, `limit` is 0,
    /// and 2c < Y_u + Y_v + limit. A node that holds v has a maximum of at least Y_v, so its `ceiling` is at least c,
    /// so the true distance is at most its `reach`, and the computed distance, hence also that to the node's box,
    /// at most its `radius`; with shells around all of the node and around u, both sides are less by twice their
    /// duals: the search enters every node around v, reaches v, and keeps it. Once there are
    /// `per_vertex` pairs, `limit` is the greatest slack kept, and what has less slack than that is found for the
    /// same reason. Either way the answer holds a violated pair of u.
    pub(crate) fn violated(
        &self,
        totals: &[i64],
        shells: &Shells,
        slack_of: &(dyn Fn(usize, usize, i64) -> i64 + Sync),
        per_vertex: usize,
    ) -> Vec<(u32, u32, i64)> {
        let maxima = self.tree.maxima(totals);
        let around = if shells.is_empty() {
            Vec::new()
        } else {
            self.tree
                .folded(|v| shells.around(v), |one, other| shells.join(one, other))
        };
        let mut pairs = self.gather(|found: &mut Vec<(u32, u32, i64)>, worst, entry| {
            let mut search = Pricing {
                index: self,
                from: entry,
                totals,
                maxima: &maxima,
                shells,
                around: &around,
                slack_of,
                worst,
                per_vertex: per_vertex.max(1),
            };
            self.tree.run(&entry.at, &mut search);
            found.extend(worst.drain(..).map(|(slack, v)| {
                let (u, v) = ordered(entry.id, v);
                (u, v, slack)
            }));
        });
        self.sort(&mut pairs);
        pairs.dedup();
        pairs
    }

    /// What `work` finds for each point, in the tree's order; the buffer it is given is empty and may be left empty.
    fn gather<T: Send, B>(&self, work: impl Fn(&mut Vec<T>, &mut Vec<B>, &Entry<D>) + Sync) -> Vec<T> {
        let entries = self.tree.entries();
        let part = |entries: &[&Entry<D>]| {
            let (mut found, mut buffer) = (Vec::new(), Vec::new());
            for entry in entries {
                work(&mut found, &mut buffer, entry);
            }
            found
        };
        #[cfg(feature = "rayon")]
        if self.is_parallel {
            let chunks: Vec<_> = entries.chunks(CHUNK).collect();
            let parts = threads::collect(chunks.len(), &|at| part(chunks[at]));
            return parts.into_iter().flatten().collect();
        }
        part(&entries)
    }

    fn sort<T: Ord + Send>(&self, pairs: &mut [T]) {
        #[cfg(feature = "rayon")]
        if self.is_parallel {
            return rayon::slice::ParallelSliceMut::par_sort_unstable(pairs);
        }
        pairs.sort_unstable();
    }
}

fn ordered(u: u32, v: u32) -> (u32, u32) {
    (u.min(v), u.max(v))
}

/// Inserts into a sorted list of at most `most` items, in place of the last if it is full. Equal ones stay first.
fn insert<T: PartialOrd, P>(list: &mut Vec<(T, P)>, most: usize, item: (T, P)) {
    if list.len() == most {
        list.pop();
    }
    let at = list.partition_point(|other| other.0 <= item.0);
    list.insert(at, item);
}

/// The search for the nearest allowed points.
struct Nearest<'a, 'b, C, const D: usize> {
    index: &'a Neighbours<'b, C, D>,
    from: &'a Entry<D>,
    /// The nearest so far, nearest first.
    nearest: &'a mut Vec<(f64, u32)>,
    k: usize,
}

impl<C: Embedded<D>, const D: usize> Search<D> for Nearest<'_, '_, C, D> {
    fn radius(&self, _: usize) -> f64 {
        if self.nearest.len() < self.k {
            return f64::INFINITY;
        }
        // Nearer than the last: many points that are equally far are not worth a visit each.
        self.nearest.last().map_or(f64::NEG_INFINITY, |last| last.0.next_down())
    }

    fn visit(&mut self, entry: &Entry<D>, distance: f64) {
        if entry.id != self.from.id && distance <= self.radius(0) {
            let (u, v) = ordered(self.from.id, entry.id);
            if self.index.cost.is_allowed(u as usize, v as usize) {
                insert(self.nearest, self.k, (distance, entry.id));
            }
        }
    }
}

/// The search for the pairs of most negative slack.
struct Pricing<'a, 'b, C, const D: usize> {
    index: &'a Neighbours<'b, C, D>,
    from: &'a Entry<D>,
    /// Y of all points.
    totals: &'a [i64],
    /// The greatest Y in each node.
    maxima: &'a [i64],
    shells: &'a Shells,
    /// The innermost shell around all of each node; empty where there are no shells.
    around: &'a [Option<Option<u32>>],
    slack_of: &'a (dyn Fn(usize, usize, i64) -> i64 + Sync),
    /// The most negative slacks so far, most negative first.
    worst: &'a mut Vec<(i64, u32)>,
    per_vertex: usize,
}

impl<C: Embedded<D>, const D: usize> Pricing<'_, '_, C, D> {
    /// Only slacks below this are of use.
    fn limit(&self) -> i64 {
        match self.worst.last() {
            Some(last) if self.worst.len() == self.per_vertex => last.0,
            _ => 0,
        }
    }

    /// The greatest cost c of a pair with a point of dual `level` for which 2c - Y_u - Y_v < limit, with shells of dual
    /// `common` around both.
    fn ceiling(&self, level: i64, common: i128) -> i64 {
        let level = i128::from(level) - 2 * common;
        let twice = i128::from(self.totals[self.from.id as usize]) + level + i128::from(self.limit()) - 1;
        (twice >> 1).clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
}

impl<C: Embedded<D>, const D: usize> Search<D> for Pricing<'_, '_, C, D> {
    fn radius(&self, node: usize) -> f64 {
        // `reach` bounds true distances; computed ones err by less than what is added here.
        let around = self.around.get(node).copied().flatten().flatten();
        let common = self.shells.common(around, self.from.id);
        let reach = self.index.cost.reach(self.ceiling(self.maxima[node], common));
        if reach < 0.0 {
            return f64::NEG_INFINITY;
        }
        reach * (1.0 + RELATIVE_ERROR) + ABSOLUTE_ERROR
    }

    fn visit(&mut self, entry: &Entry<D>, _: f64) {
        if entry.id == self.from.id {
            return;
        }
        let (u, v) = ordered(self.from.id, entry.id);
        let (u, v) = (u as usize, v as usize);
        let cost = self.index.cost.pair(u, v);
        if cost <= self.ceiling(self.totals[entry.id as usize], 0) && self.index.cost.is_allowed(u, v) {
            let slack = (self.slack_of)(u, v, cost);
            if slack < self.limit() {
                insert(self.worst, self.per_vertex, (slack, entry.id));
            }
        }
    }
}
