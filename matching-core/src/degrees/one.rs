//! One partner for each, and no choice: a perfect matching, by whatever finds those soonest.

use super::lift::Nest;
use super::solve::{Found, Problem, too_wide};
use super::witness::DegreeWitness;
use super::{Gadget, excess};
use crate::blossom::Blossom;
use crate::certificate::{Certificate, OddSet};
use crate::cost::CostValue;
use crate::edge_list::{Edge, EdgeList};
use crate::engine::Limits;
use crate::error::Error;
use crate::progress::{Observer, Progress};
use crate::solution::{Solution, Status};
use crate::witness::TutteBerge;

/// The vertices that get a partner, and what they are called in a graph of their own.
struct Names {
    active: Vec<u32>,
    /// `u32::MAX` for those that get none.
    names: Vec<u32>,
}

impl Names {
    fn new(most: &[u32]) -> Self {
        let active: Vec<u32> = (0u32..)
            .zip(most)
            .filter(|(_, most)| **most > 0)
            .map(|(v, _)| v)
            .collect();
        let mut names = vec![u32::MAX; most.len()];
        (0u32..)
            .zip(&active)
            .for_each(|(name, &vertex)| names[vertex as usize] = name);
        Self { active, names }
    }

    /// What both ends of an edge are called, if both get partners.
    fn of(&self, (u, v): (u32, u32)) -> Option<(u32, u32)> {
        let (u, v) = (self.names[u as usize], self.names[v as usize]);
        (u != u32::MAX && v != u32::MAX).then_some((u, v))
    }
}

impl<V: CostValue> Problem<'_, V> {
    /// Whether every vertex gets one partner or none, without a choice.
    pub(super) fn is_pairing(&self) -> bool {
        let all = self.most.iter().zip(self.all_least());
        all.into_iter().all(|(&most, &least)| most <= 1 && least == most)
    }

    /// The pairing of all that get a partner, by [`Blossom::solve`].
    pub(super) fn pair_off(&self, limits: &Limits<'_>) -> Result<Found, Error> {
        let names = Names::new(&self.most);
        if self.costs.iter().all(|&cost| i64::try_from(cost).is_ok()) {
            self.paired_off(&names, |cost| cost as i64, limits)
        } else {
            self.paired_off(&names, |cost| cost, limits)
        }
    }

    fn paired_off<W: CostValue>(
        &self,
        names: &Names,
        weight: impl Fn(i128) -> W,
        limits: &Limits<'_>,
    ) -> Result<Found, Error> {
        let edges = self.ends.iter().zip(&self.costs).filter_map(|(&ends, &cost)| {
            let (u, v) = names.of(ends)?;
            let weight = weight(cost);
            Some(Edge { u, v, weight })
        });
        let list = EdgeList::from_simple(names.active.len(), edges.collect());
        let solution = self.solver(limits).solve(&list).map_err(|error| match error {
            Error::NoPerfectMatching(witness) => Error::NoDegrees(self.without(names, &witness)),
            Error::Overflow {
                bits_needed, available, ..
            } => too_wide::<V>(self.most.len(), bits_needed, available),
            other => other,
        })?;
        drop(list);
        limits.count(solution.work());
        self.found(names, &solution)
    }

    /// The options of the solver for a perfect matching on the grid. What it tells of bounds is in other units than the caller's.
    fn solver<W: CostValue>(&self, limits: &Limits<'_>) -> Blossom<W> {
        let blossom = Blossom::new()
            .budget(limits.left())
            .engine(self.blossom.engine)
            .threads(self.blossom.threads);
        let Some(observer) = &self.blossom.observer else {
            return blossom;
        };
        let (observer, before): (Observer, _) = (observer.clone(), limits.elapsed());
        blossom.observer(move |progress| {
            observer.hear(&Progress {
                bound: None,
                elapsed: before + progress.elapsed,
                ..*progress
            });
        })
    }

    /// The same witness in terms of degrees: whoever is alone without the removed vertices is wanting.
    fn without(&self, names: &Names, witness: &TutteBerge) -> DegreeWitness {
        let vertex = |&name: &usize| names.active[name] as usize;
        // Who gets no partner is taken away for nothing.
        let idle = (0..self.most.len()).filter(|&v| self.most[v] == 0);
        let mut removed: Vec<usize> = witness.removed().iter().map(vertex).chain(idle).collect();
        let alone = witness.odd_components().iter().filter(|component| component.len() == 1);
        let mut wanting: Vec<usize> = alone.flatten().map(vertex).collect();
        removed.sort_unstable();
        wanting.sort_unstable();
        DegreeWitness::counted(self.edges, self.degrees, removed, wanting)
    }

    /// A pairing and its proof as those of the graph that stands for degrees.
    fn found<W: CostValue>(&self, names: &Names, solution: &Solution<W>) -> Result<Found, Error> {
        let certificate = solution.certificate();
        let nest = Nest::new(certificate);
        let duals = certificate.effective_duals();
        let (mut chosen, mut core, mut sides) = (Vec::new(), Vec::new(), Vec::new());
        for (edge, (&ends, &cost)) in self.ends.iter().zip(&self.costs).enumerate() {
            let Some((u, v)) = names.of(ends) else { continue };
            let (low, high) = (u as usize, v as usize);
            if solution.mate(low) == Some(high) {
                chosen.push(edge as u32);
            }
            // Only within a set around both do duals pay more than an edge costs.
            if excess(cost, duals[low], duals[high]) != Some(0) {
                core.push(ends);
                sides.push(Sides::new(certificate, &nest, cost, [low, high]));
            }
        }
        // Refused where the graph is too large.
        Gadget::new(self.all_least(), &self.most, &core)?;
        let certificate = with_sides(certificate, &sides);
        Ok(Found {
            doubled_bound: certificate.doubled_bound(),
            certificate,
            stopped: match solution.status() {
                Status::Optimal => None,
                Status::Feasible(reason) | Status::Unknown(reason) => Some(reason),
            },
            work: solution.work(),
            chosen,
            core,
        })
    }
}

/// The two sides of an edge: their duals, and the innermost set around both ends, where both sides lie.
///
/// So each set that grows has two vertices more and stays odd. Let `Y(v)` be the dual of an end with that of all sets between it
/// and that innermost one. The higher side has `-Y(v)`, and the lower one `Y(v)`, or what the edge leaves of twice its cost if that
/// is less. Where no slack was negative that is never less, so that the two add nothing to the sum, and all edges of the path
/// from one end by both sides to the other are tight if the edge is.
struct Sides {
    duals: [i128; 2],
    set: u32,
}

impl Sides {
    fn new(certificate: &Certificate, nest: &Nest, cost: i128, ends: [usize; 2]) -> Self {
        let set = nest.around_both(ends[0], ends[1]);
        let [low, high] = ends.map(|end| certificate.vertex_duals[end] + nest.sum_within(set, end));
        Self {
            duals: [high.min(2 * cost - low), -high],
            set,
        }
    }
}

/// The certificate of the graph with these sides beside its copies, which are the vertices of the given one.
fn with_sides(certificate: &Certificate, sides: &[Sides]) -> Certificate {
    let mut vertex_duals = certificate.vertex_duals.clone();
    let mut inside = vec![Vec::new(); certificate.sets.len() + 1];
    for pair in sides {
        let next = vertex_duals.len() as u32;
        inside[pair.set as usize].extend([next, next + 1]);
        vertex_duals.extend(pair.duals);
    }
    let mut order: Vec<u32> = Vec::with_capacity(vertex_duals.len());
    let mut sets: Vec<OddSet> = Vec::with_capacity(certificate.sets.len());
    // Sets that have begun, the outermost first, and where they end.
    let mut begun: Vec<(usize, usize)> = Vec::new();
    let mut waiting = certificate.sets.iter().peekable();
    for position in 0..=certificate.order.len() {
        while let Some((set, _)) = begun.pop_if(|&mut (_, end)| end == position) {
            order.extend(&inside[set + 1]);
            sets[set].len = order.len() as u32 - sets[set].start;
        }
        while let Some(set) = waiting.next_if(|set| set.start as usize == position) {
            begun.push((sets.len(), position + set.len as usize));
            let start = order.len() as u32;
            sets.push(OddSet { start, ..*set });
        }
        order.extend(certificate.order.get(position));
    }
    order.extend(&inside[0]);
    Certificate::new(vertex_duals, order, sets, certificate.exponent)
}
