//! From degrees to an answer with its proof.

use super::few::{Core, Opening};
use super::lift::{Doubts, Lift};
use super::rescue::Choice;
use super::witness::DegreeWitness;
use super::{BMatching, Degrees, Gadget};
use crate::blossom::{Blossom, Objective};
use crate::certificate::Certificate;
use crate::cost::CostValue;
use crate::edge_list::{Edge, EdgeList};
use crate::engine::{self, Failure, Head, Limits, Outcome, WIDE_BITS};
use crate::error::Error;
use crate::instance::Instance;
use crate::numbers::{self, Digits, Grid};
use crate::solution::{Status, StopReason};

/// [`Blossom::solve_degrees`], whatever the instance.
pub(crate) fn solve<V: CostValue>(
    blossom: &Blossom<V>,
    instance: &dyn Instance<Value = V>,
    degrees: &Degrees<V>,
) -> Result<BMatching<V>, Error> {
    let is_maximum = match blossom.objective {
        Objective::MinPerfect => false,
        Objective::MaxPerfect => true,
        _ => return Err(Error::ObjectiveWithDegrees),
    };
    let limits = Limits::start(&blossom.budget).heard_by(blossom.observer.as_ref());
    let edges = instance.to_edges()?;
    degrees.check(edges.len())?;
    let problem = Problem::read(&edges, degrees, is_maximum, blossom)?;
    let found = if problem.is_pairing() {
        problem.pair_off(&limits)?
    } else {
        problem.solve(&limits)?
    };
    problem.told(found)
}

/// Edges and degrees, on integers, to be minimised.
pub(super) struct Problem<'a, V: CostValue> {
    pub(super) edges: &'a EdgeList<V>,
    pub(super) degrees: &'a Degrees<V>,
    is_maximum: bool,
    pub(super) blossom: &'a Blossom<V>,
    grid: Grid,
    /// The most partners that each vertex can have: no more than it has edges to others that may have any.
    pub(super) most: Vec<u32>,
    pub(super) ends: Vec<(u32, u32)>,
    pub(super) costs: Vec<i128>,
    pub(super) prices: Vec<i128>,
    pub(super) opening: Opening,
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
    fn of<V: CostValue>(
        problem: &Problem<'_, V>,
        ends: &[(u32, u32)],
        lift: &Lift<'_, V>,
        doubts: &Doubts,
    ) -> Result<Self, Error> {
        let within = doubts.within.iter().map(|&(_, edge)| problem.ends[edge as usize]);
        let core: Vec<(u32, u32)> = ends.iter().copied().chain(within).collect();
        let whole = Gadget::new(&problem.degrees.least, &problem.most, &core)?;
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

impl<'a, V: CostValue> Problem<'a, V> {
    pub(super) fn read(
        edges: &'a EdgeList<V>,
        degrees: &'a Degrees<V>,
        is_maximum: bool,
        blossom: &'a Blossom<V>,
    ) -> Result<Self, Error> {
        let most = capped(degrees, edges);
        if let Some(v) = (0..most.len()).find(|&v| most[v] < degrees.least[v]) {
            let nobody = (0..most.len()).filter(|&v| degrees.most[v] == 0).collect();
            return Err(Error::NoDegrees(DegreeWitness::counted(
                edges,
                degrees,
                nobody,
                vec![v],
            )));
        }
        let mut digits = Digits::default();
        edges.edges().iter().for_each(|edge| digits.include(edge.weight));
        degrees.missing.iter().for_each(|&price| digits.include(price));
        let copies = most.iter().fold(0usize, |sum, &most| sum.saturating_add(most as usize));
        let vertices = copies.saturating_mul(4).saturating_add(2 * edges.edges().len());
        let grid = digits.grid(vertices, &Objective::<V>::MinPerfect, blossom.precision);
        let units = |value: V| {
            let units = grid.units(value).and_then(|units| match is_maximum {
                true => units.checked_neg(),
                false => Some(units),
            });
            units.ok_or_else(|| too_wide::<V>(edges.len(), grid.bits_needed(value), WIDE_BITS))
        };
        Ok(Self {
            costs: edges
                .edges()
                .iter()
                .map(|edge| units(edge.weight))
                .collect::<Result<_, _>>()?,
            prices: (0..most.len())
                .map(|v| units(degrees.price(v)))
                .collect::<Result<_, _>>()?,
            ends: edges.edges().iter().map(|edge| (edge.u, edge.v)).collect(),
            edges,
            degrees,
            is_maximum,
            blossom,
            grid,
            most,
            opening: Opening::default(),
        })
    }

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
                    return Err(too_wide::<V>(self.most.len(), bits_needed, available));
                }
                Err(Failure::Infeasible { work: more, .. }) if core.is_whole() => {
                    limits.count(more);
                    let limits = limits.after(work + more);
                    let witness = DegreeWitness::of(self.edges, self.degrees, &ends, &gadget, &limits);
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
        let edges = self.ends.iter().zip(&self.costs).map(|(&(u, v), &cost)| Edge {
            u,
            v,
            weight: weight(cost),
        });
        let list = EdgeList::from_simple(n, edges.collect());
        let blossom = Blossom::new()
            .objective(Objective::MinBye(vec![W::zero(); n]))
            .budget(limits.left())
            .threads(self.blossom.threads);
        let pairing = blossom.solve(&list).ok()?;
        let duals = pairing.certificate().effective_duals();
        Some((duals[..n].iter().map(|&dual| dual as f64).collect(), pairing.work()))
    }

    /// The fewest partners that a vertex should have.
    pub(super) fn least(&self, vertex: usize) -> u32 {
        self.degrees.least[vertex]
    }

    pub(super) fn all_least(&self) -> &[u32] {
        &self.degrees.least
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
            return engine::solve_from(vertices, &narrow, head, limits);
        }
        if let Some(wide) = gadget.edges::<i128>(cost, price, must_stop) {
            return engine::solve_from(vertices, &wide, head, limits);
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
        let witness = DegreeWitness::of(self.edges, self.degrees, open, &gadget, limits);
        (witness.missing() > 0).then_some(witness)
    }

    /// The answer in the caller's terms.
    pub(super) fn told(&self, found: Found) -> Result<BMatching<V>, Error> {
        let choice = match found.stopped {
            Some(_) => self.completed(found.chosen),
            None => Choice::of(self, found.chosen),
        };
        let Choice { chosen, counts } = choice;
        let is_full = counts
            .iter()
            .zip(&self.degrees.least)
            .all(|(count, least)| count >= least);
        if !is_full {
            // Fixed numbers that add up to an odd sum are no matter of time.
            let witness = DegreeWitness::counted(self.edges, self.degrees, Vec::new(), Vec::new());
            if witness.missing() > 0 {
                return Err(Error::NoDegrees(witness));
            }
        }
        let mut pairs: Vec<Edge<V>> = chosen.iter().map(|&edge| self.edges.edges()[edge as usize]).collect();
        pairs.sort_unstable_by_key(|edge| (edge.u, edge.v));
        let status = match found.stopped {
            Some(reason) if is_full => Status::Feasible(reason),
            Some(reason) => Status::Unknown(reason),
            None if self.grid.is_exact => Status::Optimal,
            None => Status::Feasible(StopReason::Rounding),
        };
        let missing = |v: usize| self.degrees.most[v] - counts[v];
        let units = chosen
            .iter()
            .try_fold(0i128, |sum, &edge| sum.checked_add(self.costs[edge as usize]));
        let units = (0..counts.len()).try_fold(units, |sum, v| {
            let missing = self.prices[v].checked_mul(i128::from(missing(v)));
            Some(sum.zip(missing).and_then(|(sum, missing)| sum.checked_add(missing)))
        });
        let overflow = || too_wide::<V>(self.most.len(), 128, WIDE_BITS);
        let sign = if self.is_maximum { -1 } else { 1 };
        let units = units.flatten().and_then(|units| units.checked_mul(sign));
        let units = units.ok_or_else(overflow)?;
        let cost = V::total_from(units, || {
            if self.grid.is_exact {
                return numbers::nearest_float(units, self.grid.exponent);
            }
            let lacking = (0..counts.len()).map(|v| self.degrees.price(v).to_f64() * f64::from(missing(v)));
            numbers::float_sum(pairs.iter().map(|edge| edge.weight.to_f64()).chain(lacking))
        });
        if !cost.is_number() {
            return Err(Error::TotalOutOfRange);
        }
        let bound = found
            .doubled_bound
            .and_then(|bound| self.bound(bound))
            .ok_or_else(overflow)?;
        Ok(BMatching {
            pairs,
            degrees: self.degrees.clone(),
            is_maximum: self.is_maximum,
            cost,
            bound,
            status,
            work: found.work,
            core: found.core,
            certificate: Certificate {
                exponent: self.grid.exponent,
                ..found.certificate
            },
        })
    }

    /// The best bound on the total that follows from one on twice what copies cost.
    fn bound(&self, doubled: i128) -> Option<V::Total> {
        let mut doubled = doubled;
        let mut terms = 0i128;
        for (v, &price) in self.prices.iter().enumerate() {
            // Partners that nobody is there for are missing in any case.
            let lacking = i128::from(self.degrees.most[v] - self.most[v]);
            doubled = doubled.checked_add(price.checked_mul(lacking.checked_mul(2)?)?)?;
            terms += i128::from(self.degrees.most[v]);
        }
        if self.grid.is_exact {
            let whole = doubled.checked_add(1)?.div_euclid(2);
            let whole = if self.is_maximum { whole.checked_neg()? } else { whole };
            return Some(V::total_from(whole, || {
                numbers::nearest_float(whole, self.grid.exponent)
            }));
        }
        // Each term, pair or missing partner, is off by half a unit at most, and there are no more than all degrees.
        let doubled = doubled.checked_sub(terms)?;
        Some(V::total_from(0, || {
            let exponent = self.grid.exponent.saturating_sub(1);
            if self.is_maximum {
                numbers::nearest_float(-doubled, exponent).next_up()
            } else {
                numbers::nearest_float(doubled, exponent).next_down()
            }
        }))
    }
}

/// The most partners that each vertex can have: as many as are asked for, or as it has edges to others that may have any.
pub(crate) fn capped<V: CostValue>(degrees: &Degrees<V>, edges: &EdgeList<V>) -> Vec<u32> {
    let mut counts = vec![0u32; degrees.most.len()];
    for (u, v, _) in edges.iter() {
        counts[u] += u32::from(degrees.most[v] > 0);
        counts[v] += u32::from(degrees.most[u] > 0);
    }
    counts
        .iter()
        .zip(&degrees.most)
        .map(|(&count, &most)| count.min(most))
        .collect()
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

/// Costs that ask for more bits than there are.
pub(super) fn too_wide<V: CostValue>(vertices: usize, bits_needed: u32, available: u32) -> Error {
    if V::IS_INTEGER {
        Error::Overflow {
            vertices,
            bits_needed,
            available,
        }
    } else {
        Error::PrecisionRequired { bits_needed }
    }
}
