//! The search for the least limit within which everybody finds a partner.

use super::candidates::Candidates;
use super::neighbours::Neighbours;
use super::within::Sense;
use crate::alternating::{Label, NONE, Trees};
use crate::budget::Budget;
use crate::cost::CostValue;
use crate::edge_list::Edge;
use crate::engine::Limits;
use crate::error::Error;
use crate::input::Input;
use crate::instance::visit_pairs;
use crate::solution::StopReason;
use crate::witness::TutteBerge;

/// So many vertices are looked at between two looks at the limits.
const LOOKS: u64 = 64;

/// Where the search stands.
pub(super) struct Search<'a, V: CostValue> {
    input: Input<'a, V>,
    sense: Sense,
    /// Number of vertices. One more that costs nothing beside anybody is the partner of who stays alone.
    n: usize,
    neighbours: Neighbours<'a, V>,
    tree: Trees,
    /// The matching that is known: its pairs, and the worst of them.
    pub(super) pairs: Vec<Edge<V>>,
    pub(super) worst: V,
    /// No matching has a worst pair better than this.
    pub(super) bound: V,
    /// Why there is no matching whose pairs are all better than `bound`.
    pub(super) witness: TutteBerge,
    limits: &'a Limits<'a>,
    /// Edges looked at.
    pub(super) work: u64,
    /// Vertices looked at.
    looks: u64,
}

/// What one limit gave.
enum Look {
    /// A matching within it.
    Found,
    /// There is none, as a tree says that cannot grow.
    Stuck,
    /// Not known, as a limit of the budget came first.
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
        (worst, pairs): (V, Vec<Edge<V>>),
        limits: &'a Limits<'a>,
    ) -> Result<Self, Error> {
        let n = input.len();
        let mut best = vec![worst; n];
        visit_pairs(input, |u, v, cost| {
            best[u] = sense.best(best[u], cost);
            best[v] = sense.best(best[v], cost);
        })?;
        // Of `spare + 1` vertices the one whose best pair is best.
        let mut by_best = best.clone();
        let (_, &mut bound, _) = by_best.select_nth_unstable_by(spare, |&a, &b| sense.order(b, a));
        let alone = (0..n).filter(|&v| !sense.is_better(best[v], bound));
        let witness = TutteBerge::new(Vec::new(), alone.map(|v| vec![v]).collect());
        Ok(Self {
            input,
            sense,
            n,
            neighbours: Neighbours::new(input, worst, sense),
            tree: Trees::new(vec![NONE; n + spare]),
            pairs,
            worst,
            bound,
            witness,
            limits,
            work: 0,
            looks: 0,
        })
    }

    /// Looks at limits between bound and worst pair until nothing lies between; says what stopped it before.
    ///
    /// By the bound itself nothing is lost: what is matched there stays, and the next bound is one edge away. But there may be
    /// as many of those as edges. So half of the work goes into limits in the middle.
    ///
    /// # Errors
    /// What is wrong with the input.
    pub(super) fn run(&mut self) -> Result<Option<StopReason>, Error> {
        let mut candidates = Candidates::new(self.sense);
        // The most partners that were found within a limit that was too low.
        let mut partial = Vec::new();
        // Work at the bound, and in the middle.
        let (mut low, mut middle) = (0, 0);
        while self.sense.is_better(self.bound, self.worst) {
            let is_low = low <= middle;
            let limit = if is_low {
                self.bound
            } else {
                candidates.middle(self.input, self.bound, self.worst)?
            };
            let before = self.work;
            self.begin_with(limit, &partial);
            match self.look(limit) {
                Look::Found => self.improve(),
                Look::Stuck => {
                    self.bound = self.next_beyond(limit);
                    self.witness = self.tree.witness(self.n);
                    partial.clone_from(&self.tree.mates);
                }
                Look::Stopped(reason) => return Ok(Some(reason)),
            }
            *if is_low { &mut low } else { &mut middle } += self.work - before;
        }
        Ok(None)
    }

    /// Begins a look with the partners that were found within a lower limit, or those of the pairs that are within this one:
    /// whichever are more.
    fn begin_with(&mut self, limit: V, partial: &[u32]) {
        let within = |cost| !self.sense.is_better(limit, cost);
        let mates = mates_within(self.n, self.tree.mates.len() - self.n, &self.pairs, within);
        let count = |mates: &[u32]| mates.iter().filter(|&&mate| mate != NONE).count();
        if count(partial) > count(&mates) {
            self.tree.mates.copy_from_slice(partial);
        } else {
            self.tree.mates = mates;
        }
    }

    /// Finds a partner within the limit for everybody who has none, as long as there is one.
    fn look(&mut self, limit: V) -> Look {
        for root in 0..self.tree.mates.len() {
            if self.tree.mates[root] != NONE {
                continue;
            }
            self.tree.clear();
            self.tree.plant(root);
            loop {
                let Some(u) = self.tree.last_fresh() else {
                    return Look::Stuck;
                };
                if let Some(reason) = self.stopped() {
                    return Look::Stopped(reason);
                }
                if self.look_around(u, limit) {
                    break;
                }
            }
        }
        Look::Found
    }

    /// The limit of the budget that was reached.
    fn stopped(&mut self) -> Option<StopReason> {
        self.looks += 1;
        if self.looks.is_multiple_of(LOOKS) {
            self.limits.reached(self.work)
        } else {
            None
        }
    }

    /// Takes the edges of an even vertex that are within the limit. True once a path has ended.
    fn look_around(&mut self, u: usize, limit: V) -> bool {
        if u == self.n {
            // Nobody costs anything beside the one who is nobody.
            self.work += u as u64;
            return (0..u).any(|v| self.tree.take(u, v));
        }
        if self.tree.mates.len() > self.n && self.tree.take(u, self.n) {
            return true;
        }
        let edges = self.neighbours.of(u);
        self.work += edges.len() as u64;
        let mut within = edges.iter().filter(|&&(_, cost)| !self.sense.is_better(limit, cost));
        within.any(|&(v, _)| self.tree.take(u, v as usize))
    }

    /// The best edge that leads out of a blossom of a tree that cannot grow, but not to an odd vertex: at least one of them is
    /// needed.
    fn next_beyond(&mut self, limit: V) -> V {
        let mut next = self.worst;
        for u in self.tree.even_vertices(self.n) {
            let own = self.tree.base(u);
            let edges = self.neighbours.of(u);
            self.work += edges.len() as u64;
            for &(v, cost) in edges {
                let is_new = self.sense.is_better(limit, cost) && self.sense.is_better(cost, next);
                let leads_out = |tree: &mut Trees, v: usize| match tree.label(v) {
                    Label::Out => true,
                    Label::Odd => false,
                    Label::Even => tree.base(v) != own,
                };
                if is_new && leads_out(&mut self.tree, v as usize) {
                    next = cost;
                }
            }
        }
        next
    }

    /// Takes the matching that was found.
    fn improve(&mut self) {
        let alone = |mate: u32| if mate as usize == self.n { NONE } else { mate };
        let mates: Vec<u32> = self.tree.mates[..self.n].iter().map(|&mate| alone(mate)).collect();
        self.input.matched(&mates, &mut self.pairs);
        let worst = self.sense.worst(self.pairs.iter().map(|edge| edge.weight));
        self.worst = worst.unwrap_or(self.worst);
    }

    /// What is left of the limits.
    pub(super) fn left(&self) -> Budget {
        self.limits.after(self.work).left()
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
