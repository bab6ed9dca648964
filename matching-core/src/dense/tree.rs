//! An R-tree of points, walked with bounds of one's own.
//!
//! The tree and its bulk loading are those of `rstar`. What is here is what it leaves to its callers, or does for
//! squared Euclidean distances only: across which axis points are cut in two, and which nodes a search enters.

use rstar::{AABB, Envelope, ParentNode, Point, RStarInsertionStrategy, RTree, RTreeNode, RTreeObject, RTreeParams};
use smallvec::SmallVec;

use crate::cost::Norm;

/// Nodes that wait in a search before it allocates: those of four levels.
const WAITING: usize = 64;

/// How many children a node has, at most. The other numbers are about insertion, and nothing is ever inserted.
#[derive(Debug)]
struct Width;

impl RTreeParams for Width {
    const MIN_SIZE: usize = 4;
    const MAX_SIZE: usize = 16;
    const REINSERTION_COUNT: usize = 1;
    type DefaultInsertionStrategy = RStarInsertionStrategy;
}

/// A place in space. It calls itself planar whatever D is: all that bulk loading takes from that is how often to cut a
/// node: into 16 at most in any space, where D cuts would make 2^D at least, and `rstar` refuses spaces of no or one
/// dimension. Boxes keep all coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place<const D: usize>([f64; D]);

impl<const D: usize> Point for Place<D> {
    type Scalar = f64;

    const DIMENSIONS: usize = 2;

    fn generate(generator: impl FnMut(usize) -> f64) -> Self {
        Self(core::array::from_fn(generator))
    }

    fn nth(&self, index: usize) -> f64 {
        self.0.get(index).copied().unwrap_or_default()
    }

    fn nth_mut(&mut self, index: usize) -> &mut f64 {
        &mut self.0[index]
    }
}

/// A point and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<const D: usize> {
    pub(super) at: [f64; D],
    pub(super) id: u32,
}

impl<const D: usize> RTreeObject for Entry<D> {
    type Envelope = Hull<D>;

    fn envelope(&self) -> Hull<D> {
        Hull(AABB::from_point(Place(self.at)))
    }
}

/// The smallest box around some points: `rstar`'s, but cut across its widest side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hull<const D: usize>(AABB<Place<D>>);

impl<const D: usize> Hull<D> {
    fn widest_axis(&self) -> Option<usize> {
        let (low, high) = (self.0.lower().0, self.0.upper().0);
        let width = |axis: usize| high[axis] - low[axis];
        (0..D).max_by(|&a, &b| width(a).total_cmp(&width(b)))
    }

    /// At most the computed distance from `from` to any point inside, rounding included: differences to the sides do
    /// not exceed differences to what is inside, before and after rounding, and so on through [`Norm::length`].
    #[inline]
    fn distance(&self, norm: Norm, from: &[f64; D]) -> f64 {
        let (low, high) = (self.0.lower().0, self.0.upper().0);
        let mut gap = [0.0; D];
        for axis in 0..D {
            gap[axis] = (low[axis] - from[axis]).max(from[axis] - high[axis]).max(0.0);
        }
        norm.length(&gap)
    }
}

impl<const D: usize> Envelope for Hull<D> {
    type Point = Place<D>;

    fn new_empty() -> Self {
        Self(AABB::new_empty())
    }

    fn contains_point(&self, point: &Place<D>) -> bool {
        self.0.contains_point(point)
    }

    fn contains_envelope(&self, other: &Self) -> bool {
        self.0.contains_envelope(&other.0)
    }

    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }

    fn merged(&self, other: &Self) -> Self {
        Self(self.0.merged(&other.0))
    }

    fn intersects(&self, other: &Self) -> bool {
        self.0.intersects(&other.0)
    }

    fn intersection_area(&self, other: &Self) -> f64 {
        self.0.intersection_area(&other.0)
    }

    fn area(&self) -> f64 {
        self.0.area()
    }

    fn distance_2(&self, point: &Place<D>) -> f64 {
        self.0.distance_2(point)
    }

    fn min_max_dist_2(&self, point: &Place<D>) -> f64 {
        self.0.min_max_dist_2(point)
    }

    fn center(&self) -> Place<D> {
        self.0.center()
    }

    fn perimeter_value(&self) -> f64 {
        self.0.perimeter_value()
    }

    fn sort_envelopes<T: RTreeObject<Envelope = Self>>(axis: usize, objects: &mut [T]) {
        let low = |object: &T| object.envelope().0.lower().0[axis];
        objects.sort_unstable_by(|a, b| low(a).total_cmp(&low(b)));
    }

    /// What bulk loading rests on. The axis it asks for is not looked at: a slab across an axis on which all points
    /// agree has points from everywhere, so points on a line in space would lie in boxes that all overlap.
    fn partition_envelopes<T: RTreeObject<Envelope = Self>>(_: usize, objects: &mut [T], at: usize) {
        let mut hull = Self::new_empty();
        for object in &*objects {
            hull.merge(&object.envelope());
        }
        if let Some(axis) = hull.widest_axis() {
            let low = |object: &T| object.envelope().0.lower().0[axis];
            objects.select_nth_unstable_by(at, |a, b| low(a).total_cmp(&low(b)));
        }
    }
}

/// What a search looks for.
pub(super) trait Search<const D: usize> {
    /// No point in `node` matters whose computed distance is greater: negative if none matters at all, NaN if any may.
    fn radius(&self, node: usize) -> f64;

    /// Sees a point in a node's radius, and how far it is.
    fn visit(&mut self, entry: &Entry<D>, distance: f64);
}

/// A node that waits in a search.
struct Waiting<'a, const D: usize> {
    distance: f64,
    number: usize,
    node: &'a ParentNode<Entry<D>>,
}

/// The points, and a number for each node above them: breadth first, the root is 0. A caller who keeps something for
/// each node (such as the greatest value in it) uses an array by that number; it turns a distance query into one by
/// distance and value together.
#[derive(Debug)]
pub(super) struct PointTree<const D: usize> {
    tree: RTree<Entry<D>, Width>,
    /// By node, the number of its first child; the others follow.
    first_child: Vec<u32>,
    norm: Norm,
}

impl<const D: usize> PointTree<D> {
    /// O(n log n). The tree depends on the points only, not on chance. It cuts by count, so equal points need no care.
    pub(super) fn new(points: impl Iterator<Item = [f64; D]>, norm: Norm) -> Self {
        let entries = points.zip(0..).map(|(at, id)| Entry { at, id }).collect();
        let mut tree = Self {
            tree: RTree::bulk_load_with_params(entries),
            first_child: Vec::new(),
            norm,
        };
        tree.first_child = tree.nodes().1;
        tree
    }

    /// The points, neighbours in space mostly next to each other.
    pub(super) fn entries(&self) -> Vec<&Entry<D>> {
        self.tree.iter().collect()
    }

    /// The nodes by number, and the number of the first child of each.
    fn nodes(&self) -> (Vec<&ParentNode<Entry<D>>>, Vec<u32>) {
        let mut nodes = vec![self.tree.root()];
        let mut first_child = Vec::new();
        while let Some(node) = nodes.get(first_child.len()) {
            first_child.push(nodes.len() as u32);
            nodes.extend(node.children().iter().filter_map(|child| match child {
                RTreeNode::Parent(parent) => Some(parent),
                RTreeNode::Leaf(_) => None,
            }));
        }
        (nodes, first_child)
    }

    /// What all points of each node come to, by its number; `None` only of a root without points.
    pub(super) fn folded<T: Copy>(&self, of_point: impl Fn(u32) -> T, join: impl Fn(T, T) -> T) -> Vec<Option<T>> {
        let (nodes, first_child) = self.nodes();
        let mut folded: Vec<Option<T>> = vec![None; nodes.len()];
        for (number, node) in nodes.iter().enumerate().rev() {
            let mut child = first_child[number] as usize;
            let mut all = None;
            for below in node.children() {
                let value = match below {
                    RTreeNode::Leaf(entry) => Some(of_point(entry.id)),
                    RTreeNode::Parent(_) => {
                        child += 1;
                        folded[child - 1]
                    }
                };
                all = match (all, value) {
                    (Some(one), Some(other)) => Some(join(one, other)),
                    (one, other) => one.or(other),
                };
            }
            folded[number] = all;
        }
        folded
    }

    /// The greatest value in each node, by its number; `values` are those of the points, by theirs.
    pub(super) fn maxima(&self, values: &[i64]) -> Vec<i64> {
        let maxima = self.folded(|v| values[v as usize], i64::max).into_iter();
        maxima.map(|most| most.unwrap_or(i64::MIN)).collect()
    }

    /// Shows `search` every point that is not outside the radius of a node around it; nearer nodes mostly first.
    pub(super) fn run(&self, from: &[f64; D], search: &mut impl Search<D>) {
        let mut waiting = SmallVec::<[Waiting<'_, D>; WAITING]>::new();
        waiting.push(Waiting {
            distance: 0.0,
            number: 0,
            node: self.tree.root(),
        });
        while let Some(Waiting { distance, number, node }) = waiting.pop() {
            // Again, as what was found meanwhile may have made it smaller. NaN compares as neither: no bound.
            let radius = search.radius(number);
            if distance > radius {
                continue;
            }
            let older = waiting.len();
            let mut child = self.first_child[number] as usize;
            for below in node.children() {
                match below {
                    RTreeNode::Leaf(entry) => {
                        let distance = self.norm.distance(from, &entry.at);
                        if distance > radius {
                            continue;
                        }
                        search.visit(entry, distance);
                    }
                    RTreeNode::Parent(node) => {
                        let number = child;
                        child += 1;
                        let distance = node.envelope().distance(self.norm, from);
                        if distance > search.radius(number) {
                            continue;
                        }
                        waiting.push(Waiting { distance, number, node });
                    }
                }
            }
            waiting[older..].sort_unstable_by(|a, b| b.distance.total_cmp(&a.distance));
        }
    }
}
