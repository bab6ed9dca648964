//! One partner for each, and no choice: a perfect matching, by whatever finds those soonest.

use super::lift::{Nest, with_beside};
use super::solve::{Found, Problem};
use super::witness::DegreeWitness;
use super::{Gadget, excess};
use crate::blossom::Blossom;
use crate::certificate::Certificate;
use crate::cost::CostValue;
use crate::edge_list::{Edge, EdgeList};
use crate::engine::{Limits, WIDE_BITS};
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

impl Problem<'_> {
    /// Whether every vertex gets one partner or none, without a choice.
    pub(super) fn is_pairing(&self) -> bool {
        let all = self.most.iter().zip(self.asked.least);
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
        let solver = self.solver(limits);
        let solved = if names.active.len() == self.most.len() {
            self.matched(&solver, weight)
        } else {
            let edges = self.ends.iter().zip(&self.costs).filter_map(|(&ends, &cost)| {
                let (u, v) = names.of(ends)?;
                let weight = weight(cost);
                Some(Edge { u, v, weight })
            });
            solver.solve(&EdgeList::from_simple(names.active.len(), edges.collect()))
        };
        let solution = solved.map_err(|error| match error {
            Error::NoPerfectMatching(witness) => Error::NoDegrees(self.without(names, &witness)),
            Error::Overflow {
                bits_needed, available, ..
            } => self.too_wide(bits_needed, available),
            other => other,
        })?;
        limits.count(solution.work());
        self.found(names, &solution)
    }

    /// The options of the solver for a perfect matching on the grid. What it tells of bounds is in other units than the caller's.
    fn solver<W: CostValue>(&self, limits: &Limits<'_>) -> Blossom<W> {
        let blossom = Blossom::new()
            .budget(limits.left())
            .engine(self.options.engine)
            .threads(self.options.threads);
        let Some(observer) = self.options.observer else {
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
        self.witnessed(removed, wanting)
    }

    /// A pairing and its proof as those of the graph that stands for degrees.
    fn found<W: CostValue>(&self, names: &Names, solution: &Solution<W>) -> Result<Found, Error> {
        let certificate = solution.certificate();
        let nest = Nest::new(certificate);
        let duals = certificate.effective_duals();
        let (mut chosen, mut core) = (Vec::new(), Vec::new());
        let mut vertex_duals = certificate.vertex_duals.clone();
        // Sides beside their lower ends.
        let mut beside = vec![Vec::new(); vertex_duals.len()];
        for (edge, (&ends, &cost)) in self.ends.iter().zip(&self.costs).enumerate() {
            let Some((u, v)) = names.of(ends) else { continue };
            let (low, high) = (u as usize, v as usize);
            if solution.mate(low) == Some(high) {
                chosen.push(edge as u32);
            }
            // Only within a set around both do duals pay more than an edge costs.
            if excess(cost, duals[low], duals[high]) != Some(0) {
                let sides = nest.sides(&certificate.vertex_duals, [low, high], cost);
                let first = vertex_duals.len() as u32;
                beside[low].extend([first, first + 1]);
                vertex_duals.extend(sides.ok_or_else(|| self.too_wide(128, WIDE_BITS))?);
                core.push(ends);
            }
        }
        // Refused where the graph is too large.
        Gadget::new(self.asked.least, &self.most, &core)?;
        let (order, sets) = with_beside(certificate, |vertex| vertex, &beside);
        let certificate = Certificate::new(vertex_duals, order, sets, certificate.exponent);
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
