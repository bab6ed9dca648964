//! The search for the least limit within which everybody finds a partner.

use core::cmp::Ordering;
use std::collections::BinaryHeap;

use super::neighbours::Neighbours;
use super::tree::{Label, NONE, Tree};
use super::within::Sense;
use crate::budget::Budget;
use crate::cost::CostValue;
use crate::edge_list::Edge;
use crate::engine::Limits;
use crate::error::Error;
use crate::input::Input;
use crate::instance::visit_upper;
use crate::solution::StopReason;
use crate::witness::TutteBerge;

/// So many vertices are looked at between two looks at the limits.
const LOOKS: u64 = 64;

/// Where the search stands.
pub(super) struct Search<'a, V: CostValue> {
    sense: Sense,
    /// Number of vertices. One more that costs nothing beside anybody is the partner of who stays alone.
    n: usize,
    neighbours: Neighbours<'a, V>,
    tree: Tree,
    /// The worst pair of the matching that is known.
    known: V,
    /// No matching has a worst pair better than this.
    pub(super) bound: V,
    /// Why there is no matching whose pairs are all better than `bound`.
    pub(super) witness: TutteBerge,
    /// Of a vertex that is not odd: its best edge beyond the bound to an even one, and that one.
    nearest: Vec<Option<(V, u32)>>,
    /// Whose `nearest` may be set.
    touched: Vec<u32>,
    /// What is `nearest` to whom, the best first, and much that was.
    queue: BinaryHeap<Candidate<V>>,
    limits: &'a Limits<'a>,
    /// Edges looked at.
    pub(super) work: u64,
    /// Vertices looked at.
    looks: u64,
}

/// How the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// With a matching within the bound.
    Better,
    /// With the bound at the worst pair that was known before.
    NoBetter,
    /// A limit came first.
    Stopped(StopReason),
}

/// What became of a tree.
enum Growth {
    /// One vertex more has a partner.
    Matched,
    /// It cannot grow by edges that are better than what was known before.
    NoBetter,
    Stopped(StopReason),
}

impl<'a, V: CostValue> Search<'a, V> {
    /// Begins with the pairs of a matching whose worst one costs `worst`, and with what each vertex costs at least: of those no
    /// more than may stay alone, `spare`, can do without their best pair.
    ///
    /// # Errors
    /// What is wrong with the input.
    pub(super) fn begin(
        input: Input<'a, V>,
        (sense, spare): (Sense, usize),
        (worst, pairs): (V, &[Edge<V>]),
        limits: &'a Limits<'a>,
    ) -> Result<Self, Error> {
        let n = input.len();
        let mut best = vec![worst; n];
        let mut offer = |u: usize, v: usize, cost| {
            best[u] = sense.best(best[u], cost);
            best[v] = sense.best(best[v], cost);
            Ok(())
        };
        match input {
            Input::Pairs(cost) => visit_upper(cost, offer)?,
            Input::List(edges) => edges.iter().try_for_each(|(u, v, cost)| offer(u, v, cost))?,
        }
        // Of `spare + 1` vertices the one whose best pair is best.
        let mut by_best = best.clone();
        let (_, &mut bound, _) = by_best.select_nth_unstable_by(spare, |&a, &b| sense.order(b, a));
        let alone = (0..n).filter(|&v| !sense.is_better(best[v], bound));
        let witness = TutteBerge::new(Vec::new(), alone.map(|v| vec![v]).collect());
        Ok(Self {
            sense,
            n,
            neighbours: Neighbours::new(input, worst, sense),
            tree: Tree::new(mates_within(n, spare, pairs, |cost| !sense.is_better(bound, cost))),
            known: worst,
            bound,
            witness,
            nearest: vec![None; n + spare],
            touched: Vec::new(),
            queue: BinaryHeap::new(),
            limits,
            work: 0,
            looks: 0,
        })
    }

    /// Finds a partner within the bound for everybody who has none, and raises it where there is no other way.
    pub(super) fn run(&mut self) -> End {
        if !self.sense.is_better(self.bound, self.known) {
            return End::NoBetter;
        }
        for root in 0..self.tree.mates.len() {
            if self.tree.mates[root] != NONE {
                continue;
            }
            match self.grow(root) {
                Growth::Matched => {}
                Growth::NoBetter => {
                    self.raise(self.known);
                    return End::NoBetter;
                }
                Growth::Stopped(reason) => return End::Stopped(reason),
            }
        }
        End::Better
    }

    /// Grows a tree until it has a second vertex without a partner.
    fn grow(&mut self, root: usize) -> Growth {
        self.tree.plant(root);
        self.queue.clear();
        for v in self.touched.drain(..) {
            self.nearest[v as usize] = None;
        }
        loop {
            while let Some(u) = self.tree.next_fresh() {
                if let Some(reason) = self.stopped() {
                    return Growth::Stopped(reason);
                }
                if self.look_around(u) {
                    return Growth::Matched;
                }
            }
            let Some((cost, u, v)) = self.next_edge() else {
                return Growth::NoBetter;
            };
            if self.sense.is_better(self.bound, cost) {
                self.raise(cost);
            }
            if self.tree.take(u, v) {
                return Growth::Matched;
            }
        }
    }

    /// Nothing that is left to the tree is better than this.
    fn raise(&mut self, bound: V) {
        self.bound = bound;
        self.witness = self.tree.witness(self.n);
    }

    /// The limit that was reached.
    fn stopped(&mut self) -> Option<StopReason> {
        self.looks += 1;
        if self.looks.is_multiple_of(LOOKS) {
            self.limits.reached(self.work)
        } else {
            None
        }
    }

    /// Takes the edges of an even vertex that are within the bound, and notes the others. True once a path has ended.
    fn look_around(&mut self, u: usize) -> bool {
        if u == self.n {
            // Nobody costs anything beside the one who is nobody.
            self.work += u as u64;
            return (0..u).any(|v| self.tree.take(u, v));
        }
        if self.nearest.len() > self.n && self.tree.take(u, self.n) {
            return true;
        }
        let edges = self.neighbours.of(u);
        self.work += edges.len() as u64;
        for &(end, cost) in edges {
            let v = end as usize;
            if self.tree.label(v) == Label::Odd {
                continue;
            }
            if !self.sense.is_better(self.bound, cost) {
                if self.tree.take(u, v) {
                    return true;
                }
            } else if self.nearest[v].is_none_or(|(least, _)| self.sense.is_better(cost, least)) {
                self.touched.push(end);
                self.nearest[v] = Some((cost, u as u32));
                self.queue.push(Candidate {
                    cost,
                    end,
                    sense: self.sense,
                });
            }
        }
        false
    }

    /// The best edge from an even vertex to one that is not in its blossom, nor odd.
    fn next_edge(&mut self) -> Option<(V, usize, usize)> {
        while let Some(candidate) = self.queue.pop() {
            let v = candidate.end as usize;
            let Some((cost, u)) = self.nearest[v].filter(|&(cost, _)| cost == candidate.cost) else {
                continue;
            };
            let u = u as usize;
            match self.tree.label(v) {
                // Should it become even, it looks around itself.
                Label::Odd => self.nearest[v] = None,
                Label::Out => {
                    self.nearest[v] = None;
                    return Some((cost, u, v));
                }
                Label::Even if self.tree.base(u) == self.tree.base(v) => self.look_again(v),
                Label::Even => {
                    // Once the two are in one blossom it will be looked for the next one.
                    self.queue.push(candidate);
                    return Some((cost, u, v));
                }
            }
        }
        None
    }

    /// Finds what is nearest to an even vertex of all that lies in other blossoms.
    fn look_again(&mut self, v: usize) {
        let own = self.tree.base(v);
        let edges = self.neighbours.of(v);
        self.work += edges.len() as u64;
        let mut nearest: Option<(V, u32)> = None;
        for &(end, cost) in edges {
            let is_nearer = nearest.is_none_or(|(least, _)| self.sense.is_better(cost, least));
            if is_nearer && self.tree.label(end as usize) == Label::Even && self.tree.base(end as usize) != own {
                nearest = Some((cost, end));
            }
        }
        self.nearest[v] = nearest;
        self.queue.extend(nearest.map(|(cost, _)| Candidate {
            cost,
            end: v as u32,
            sense: self.sense,
        }));
    }

    /// What is left of the limits.
    pub(super) fn left(&self) -> Budget {
        self.limits.after(self.work).left()
    }

    /// The pairs that were found, with what they cost.
    pub(super) fn pairs(&self, input: Input<'_, V>) -> Vec<Edge<V>> {
        let mut pairs = Vec::new();
        let alone = |mate: u32| if mate as usize == self.n { NONE } else { mate };
        let mates: Vec<u32> = self.tree.mates[..self.n].iter().map(|&mate| alone(mate)).collect();
        input.matched(&mates, &mut pairs);
        pairs
    }
}

/// The partners by those pairs that are within a bound, of `n` vertices and a place for who stays alone, if anybody may: in it is
/// whoever is in no pair at all.
fn mates_within<V: CostValue>(n: usize, spare: usize, pairs: &[Edge<V>], is_within: impl Fn(V) -> bool) -> Vec<u32> {
    let mut mates = vec![NONE; n + spare];
    for edge in pairs {
        (mates[edge.u as usize], mates[edge.v as usize]) = (edge.v, edge.u);
    }
    if let Some(alone) = mates[..n].iter().position(|&mate| mate == NONE).filter(|_| spare > 0) {
        (mates[alone], mates[n]) = (n as u32, alone as u32);
    }
    for edge in pairs.iter().filter(|edge| !is_within(edge.weight)) {
        (mates[edge.u as usize], mates[edge.v as usize]) = (NONE, NONE);
    }
    mates
}

/// An edge to a vertex.
struct Candidate<V> {
    cost: V,
    end: u32,
    sense: Sense,
}

impl<V: CostValue> Ord for Candidate<V> {
    /// The best one is the greatest, and of equals the lowest vertex.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_cost = self.sense.order(other.cost, self.cost);
        by_cost.then(other.end.cmp(&self.end))
    }
}

impl<V: CostValue> PartialOrd for Candidate<V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<V: CostValue> PartialEq for Candidate<V> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<V: CostValue> Eq for Candidate<V> {}
