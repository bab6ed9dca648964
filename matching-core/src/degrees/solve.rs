//! From degrees to an answer with its proof.

use super::Gadget;
use super::few::{Core, Opening};
use super::lift::{Doubts, Lift};
use super::witness::DegreeWitness;
use crate::blossom::{Blossom, Engine, Objective};
use crate::certificate::Certificate;
use crate::cost::{CondensedMatrix, CostValue};
use crate::edge_list::{Edge, EdgeList};
use crate::engine::{self, Failure, Head, Limits, Outcome};
use crate::error::Error;
use crate::progress::Observer;
use crate::solution::{Solution, StopReason};

/// Edges and degrees, on integers, to be minimised: what was asked without the caller's numbers, so that all that searches is compiled
/// once.
pub(super) struct Problem<'a> {
    /// The fewest and the most partners of each vertex, as asked.
    pub(super) asked: Bounds<'a>,
    /// The most partners that each vertex can have: no more than it has edges to others that may have any.
    pub(super) most: Vec<u32>,
    pub(super) ends: Vec<(u32, u32)>,
    pub(super) costs: Vec<i128>,
    pub(super) prices: Vec<i128>,
    /// Whether the caller's numbers are integers.
    pub(super) is_integer: bool,
    pub(super) opening: Opening,
    pub(super) options: Options<'a>,
}

/// The fewest and the most partners of each vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds<'a> {
    pub(crate) least: &'a [u32],
    pub(crate) most: &'a [u32],
}

/// The caller's wishes for matchings on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options<'a> {
    pub(super) engine: Engine,
    pub(super) threads: usize,
    pub(super) observer: Option<&'a Observer>,
}

/// What was found, in terms of edges.
pub(super) struct Found {
    pub(super) chosen: Vec<u32>,
    pub(super) core: Vec<(u32, u32)>,
    pub(super) certificate: Certificate,
    /// Twice a bound on what chosen edges and the missing partners that copies stand for cost, on the grid.
    pub(super) doubled_bound: Option<i128>,
    pub(super) stopped: Option<StopReason>,
    pub(super) work: u64,
}

/// A certificate of the whole graph, of these edges, and twice the bound that follows from it; `None` for one that cannot be told.
struct Proof {
    certificate: Certificate,
    core: Vec<(u32, u32)>,
    doubled_bound: Option<i128>,
}

impl Proof {
    /// What duals of open edges prove, the ends of which are given with those of the fixed ones.
    fn of(problem: &Problem<'_>, ends: &[(u32, u32)], lift: &Lift<'_>, doubts: &Doubts) -> Result<Self, Error> {
        let within = doubts.within.iter().map(|&(_, edge)| problem.ends[edge as usize]);
        let core: Vec<(u32, u32)> = ends.iter().copied().chain(within).collect();
        let whole = Gadget::new(problem.asked.least, &problem.most, &core)?;
        let certificate = lift.certificate(doubts, &whole);
        let bound = certificate.as_ref().and_then(Certificate::doubled_bound);
        // Each edge outside may be chosen once, so that it takes no more than this from the bound.
        let mut outside = doubts.outside.iter();
        let beyond = outside.try_fold(0i128, |sum, &(by, _)| sum.checked_add(by?));
        Ok(Self {
            certificate: certificate.unwrap_or_default(),
            doubled_bound: bound.zip(beyond).and_then(|(bound, beyond)| bound.checked_sub(beyond)),
            core,
        })
    }

    /// The one of the higher bound.
    fn better(self, other: Self) -> Self {
        if other.doubled_bound > self.doubled_bound {
            other
        } else {
            self
        }
    }
}

impl Problem<'_> {
    /// Few edges first, then whatever the duals of their solution do not confirm, until they confirm the rest.
    pub(super) fn solve(&self, limits: &Limits<'_>) -> Result<Found, Error> {
        let (mut core, mut work) = Core::new(self, limits);
        limits.count(work);
        loop {
            core.even_out(self, limits, work);
            let ends = core.ends(self);
            let gadget = core.gadget(self, &ends)?;
            let outcome = match self.search(&gadget, &core, &limits.after(work)) {
                Ok(outcome) => outcome,
                Err(Failure::Overflow { bits_needed, available }) => {
                    return Err(self.too_wide(bits_needed, available));
                }
                Err(Failure::Infeasible { work: more, .. }) if core.is_whole() => {
                    limits.count(more);
                    let limits = limits.after(work + more);
                    let witness = DegreeWitness::of(&self.ends, self.asked, &ends, &gadget, &limits);
                    return Err(Error::NoDegrees(witness));
                }
                Err(Failure::Infeasible { work: more, .. }) => {
                    limits.count(more);
                    work += more;
                    if let Some(witness) = self.witness(&core, &ends, &limits.after(work)) {
                        return Err(Error::NoDegrees(witness));
                    }
                    core.grow(self, limits, work);
                    continue;
                }
            };
            limits.count(outcome.work);
            work += outcome.work;
            let lift = Lift::new(self, &core, &gadget, &outcome.certificate);
            let doubts = lift.doubts();
            if outcome.stopped.is_none() && !doubts.is_empty() && limits.reached(work).is_none() {
                let prices = lift.prices();
                core.open(self, doubts, prices);
                continue;
            }
            let mut proof = Proof::of(self, &ends, &lift, &doubts)?;
            let stopped = outcome.stopped.or_else(|| limits.reached(work));
            let stopped = stopped.filter(|_| outcome.stopped.is_some() || !doubts.is_empty());
            if stopped.is_some() {
                for prices in self.simple_prices(&core) {
                    proof = proof.better(self.proof_by(&prices, &core, &ends, &gadget)?);
                }
            }
            let chosen = (0..core.edges.len()).filter(|&edge| gadget.is_chosen(edge, &outcome.mates));
            return Ok(Found {
                chosen: chosen
                    .map(|edge| core.edges[edge])
                    .chain(core.fixed.iter().copied())
                    .collect(),
                doubled_bound: proof.doubled_bound,
                certificate: proof.certificate,
                core: proof.core,
                stopped,
                work,
            });
        }
    }

    /// Prices of the vertices that bounds follow from without a search, in half units: what it began with, and what each pays
    /// at least, by which all edges are priced out.
    fn simple_prices(&self, core: &Core) -> impl Iterator<Item = Vec<i128>> {
        let mut least = vec![None; self.most.len()];
        for (&(u, v), &cost) in self.ends.iter().zip(&self.costs) {
            for v in [u, v] {
                let least = &mut least[v as usize];
                *least = Some(least.map_or(cost, |least: i128| least.min(cost)));
            }
        }
        let least = least.into_iter().map(|least| least.unwrap_or(0)).collect();
        core.prices.clone().into_iter().chain([least])
    }

    /// What prices of the vertices prove.
    fn proof_by(&self, prices: &[i128], core: &Core, ends: &[(u32, u32)], gadget: &Gadget<'_>) -> Result<Proof, Error> {
        let cost = |edge: usize| self.costs[core.edges[edge] as usize];
        let duals = gadget.duals(prices, cost, |vertex| self.prices[vertex]);
        let order = (0..duals.len() as u32).collect();
        let certificate = Certificate::new(duals, order, Vec::new(), 0);
        let lift = Lift::new(self, core, gadget, &certificate);
        Proof::of(self, ends, &lift, &lift.doubts())
    }

    /// Prices of the vertices by a pairing of all, in half units, and the work that it took. They are a better guess than
    /// what ascent from nothing comes to, by far where costs are a product of two differences. Where more than half of the edges
    /// may be chosen it is the dearest pairing: what matters there is which are not.
    pub(super) fn pairing(&self, limits: &Limits<'_>) -> (Vec<f64>, u64) {
        let nothing = (vec![0.0; self.most.len()], 0);
        if limits.reached(0).is_some() {
            return nothing;
        }
        let ends: u64 = self.most.iter().map(|&most| u64::from(most)).sum();
        let sign = if ends > self.costs.len() as u64 { -1 } else { 1 };
        let in_64_bits = self.costs.iter().all(|cost| cost.unsigned_abs() <= i64::MAX as u128);
        let found = if in_64_bits {
            self.paired::<i64>(|cost| (sign * cost) as i64, limits)
        } else {
            self.paired::<i128>(|cost| cost.saturating_mul(sign), limits)
        };
        let found = found.map(|(duals, work)| (duals.iter().map(|dual| sign as f64 * dual).collect(), work));
        found.unwrap_or(nothing)
    }

    fn paired<W: CostValue>(&self, weight: impl Fn(i128) -> W, limits: &Limits<'_>) -> Option<(Vec<f64>, u64)> {
        let n = self.most.len();
        let blossom = Blossom::new()
            .objective(Objective::MinBye(vec![W::zero(); n]))
            .budget(limits.left())
            .threads(self.options.threads);
        let pairing = self.matched(&blossom, weight).ok()?;
        let duals = pairing.certificate().effective_duals();
        Some((duals[..n].iter().map(|&dual| dual as f64).collect(), pairing.work()))
    }

    /// A matching by a solver, with other weights for the edges.
    pub(super) fn matched<W: CostValue>(
        &self,
        blossom: &Blossom<W>,
        weight: impl Fn(i128) -> W,
    ) -> Result<Solution<W>, Error> {
        let n = self.most.len();
        let weights = self.costs.iter().map(|&cost| weight(cost));
        // All pairs in the order of their ends, as those of a cost are: they need no ends.
        if self.ends.len() == n * n.saturating_sub(1) / 2 && self.ends.is_sorted() {
            return blossom.solve(&CondensedMatrix::new(n, weights.collect())?);
        }
        let edges = self.ends.iter().zip(weights);
        let edges = edges.map(|(&(u, v), weight)| Edge { u, v, weight });
        blossom.solve(&EdgeList::from_simple(n, edges.collect()))
    }

    /// The fewest partners that a vertex should have.
    pub(super) fn least(&self, vertex: usize) -> u32 {
        self.asked.least[vertex]
    }

    /// A perfect matching of the graph that stands for what is open, in 64 bits where its costs fit.
    pub(super) fn search(&self, gadget: &Gadget<'_>, core: &Core, limits: &Limits<'_>) -> Result<Outcome, Failure> {
        let cost = |edge: usize| self.costs[core.edges[edge] as usize];
        let price = |vertex: usize| self.prices[vertex];
        let must_stop = || limits.reached(0).is_some();
        let vertices = gadget.vertices();
        let duals = core.prices.as_ref().map(|prices| gadget.duals(prices, cost, price));
        let mates = duals.as_ref().zip(core.chosen.as_ref()).map(|(duals, chosen)| {
            let is_chosen = |edge: usize| chosen[core.edges[edge] as usize];
            gadget.mates(duals, is_chosen, cost, price)
        });
        let head = duals.as_deref().map(|duals| Head {
            duals,
            mates: mates.as_deref().unwrap_or(&[]),
        });
        if let Some(narrow) = gadget.edges::<i64>(cost, price, must_stop) {
            return engine::solve_from(engine::Size::of(vertices), &narrow, head, limits);
        }
        if let Some(wide) = gadget.edges::<i128>(cost, price, must_stop) {
            return engine::solve_from(engine::Size::of(vertices), &wide, head, limits);
        }
        // Integers of 128 bits hold all costs, so that there was no time to make the graph.
        let none = vec![0; self.most.len()];
        let duals = duals.unwrap_or_else(|| gadget.duals(&none, cost, price));
        Ok(engine::unsearched(duals, limits))
    }

    /// A witness by what is open, where nobody finds enough partners there: what lacks among few edges often lacks among all.
    fn witness(&self, core: &Core, ends: &[(u32, u32)], limits: &Limits<'_>) -> Option<DegreeWitness> {
        let (least, most) = core.bounds(self);
        let open = &ends[..core.edges.len()];
        let gadget = Gadget::new(&least, &most, open).and_then(Gadget::listed).ok()?;
        let witness = DegreeWitness::of(&self.ends, self.asked, open, &gadget, limits);
        (witness.missing() > 0).then_some(witness)
    }

    /// Edges in order of their ends.
    pub(super) fn in_order(&self, mut edges: Vec<u32>) -> Vec<u32> {
        edges.sort_unstable_by_key(|&edge| self.ends[edge as usize]);
        edges
    }

    /// Two disjoint sets, and how many partners they show to be missing.
    pub(super) fn witnessed(&self, removed: Vec<usize>, wanting: Vec<usize>) -> DegreeWitness {
        DegreeWitness::counted(&self.ends, self.asked, removed, wanting)
    }

    /// Costs that ask for more bits than there are.
    pub(super) fn too_wide(&self, bits_needed: u32, available: u32) -> Error {
        too_wide(self.is_integer, self.most.len(), bits_needed, available)
    }
}

/// The most partners that each vertex can have: as many as are asked for, or as it has edges to others that may have any.
pub(crate) fn capped(most: &[u32], ends: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut counts = vec![0u32; most.len()];
    for (u, v) in ends {
        counts[u as usize] += u32::from(most[v as usize] > 0);
        counts[v as usize] += u32::from(most[u as usize] > 0);
    }
    counts.iter().zip(most).map(|(&count, &most)| count.min(most)).collect()
}

/// Of the copies of each vertex the greatest [effective dual](Certificate::effective_duals): no edge that is not in the graph
/// is worth choosing if twice its cost is at least that of both ends. `None` for vertices without copies.
pub(crate) fn duals_of_copies(gadget: &Gadget<'_>, certificate: &Certificate) -> Vec<Option<i128>> {
    let duals = certificate.effective_duals();
    let greatest = |v: usize| duals[gadget.copies_of(v)].iter().copied().max();
    (0..gadget.instance_len()).map(greatest).collect()
}

/// By how much the duals of both ends exceed twice the cost of an edge; nothing where they do not. `None` where that may not fit.
pub(crate) fn excess(cost: i128, low: i128, high: i128) -> Option<i128> {
    // Of a sum that is too small to fit it is enough to know that.
    match (low.checked_sub(cost), high.checked_sub(cost)) {
        (Some(low), Some(high)) if low < 0 && high < 0 => Some(0),
        (Some(low), Some(high)) => low.checked_add(high).map(|by| by.max(0)),
        _ => (cost > 0).then_some(0),
    }
}

/// Costs that ask for more bits than there are, of integers or of floats.
pub(super) fn too_wide(is_integer: bool, vertices: usize, bits_needed: u32, available: u32) -> Error {
    if is_integer {
        Error::Overflow {
            vertices,
            bits_needed,
            available,
        }
    } else {
        Error::PrecisionRequired { bits_needed }
    }
}
