//! Has everybody as many partners as he should, and does no other choice cost less?

mod condition;

pub(crate) use condition::{Condition, bound_under};

use super::error::{Number, VerifyError};
use super::grid::{exact_sum, from_grid, to_grid};
use crate::certificate::Certificate;
use crate::cost::CostValue;
use crate::degrees::{self, BMatching, DegreeWitness, Degrees, Gadget};
use crate::edge_list::EdgeList;
use crate::instance::{Instance, Opaque};
use crate::solution::Status;

/// Checks that a witness proves that no edges of an instance give every vertex as many partners as it should have.
///
/// # Errors
/// The first thing found wrong.
///
/// # Complexity
/// O(m log n) time for n vertices and m edges, a list of which is made of a cost.
pub fn degrees_witness<I, V>(instance: &I, degrees: &Degrees<V>, witness: &DegreeWitness) -> Result<(), VerifyError>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    V::check_degree_witness(&Opaque(instance), degrees, witness)
}

/// [`degrees_witness`], whatever the instance.
pub(crate) fn check_degree_witness<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    degrees: &Degrees<V>,
    witness: &DegreeWitness,
) -> Result<(), VerifyError> {
    let edges = instance.to_edges().map_err(VerifyError::Input)?;
    degrees.check(edges.len()).map_err(VerifyError::Input)?;
    let mut is_in = vec![false; edges.len()];
    for &vertex in witness.removed().iter().chain(witness.wanting()) {
        let len = edges.len();
        let slot = is_in
            .get_mut(vertex)
            .ok_or(VerifyError::VertexOutOfRange { vertex, len })?;
        if core::mem::replace(slot, true) {
            return Err(VerifyError::Overlap { vertex });
        }
    }
    let ends: Vec<(u32, u32)> = edges.edges().iter().map(|edge| (edge.u, edge.v)).collect();
    let missing = degrees::missing(&ends, degrees.bounds(), witness.removed(), witness.wanting());
    if missing < 1 || missing < i128::from(witness.missing()) || witness.missing() == 0 {
        return Err(VerifyError::Deficiency {
            found: usize::try_from(missing).unwrap_or(0),
            required: usize::try_from(witness.missing()).unwrap_or(usize::MAX).max(1),
        });
    }
    Ok(())
}

/// [`BMatching::verify`], whatever the instance.
pub(crate) fn check_b_matching<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    answer: &BMatching<V>,
) -> Result<(), VerifyError> {
    let edges = instance.to_edges().map_err(VerifyError::Input)?;
    answer.degrees.check(edges.len()).map_err(VerifyError::Input)?;
    let sides = Sides::new(&edges, answer)?;
    let chosen = check_pairs(&edges, answer, &sides)?;
    let primal = sides.check_cost(answer, &chosen)?;
    sides.check_bound(answer, primal)
}

/// The position in the list of each chosen pair, which must be in order, be edges, and leave nobody with too few or too
/// many partners.
fn check_pairs<V: CostValue>(
    edges: &EdgeList<V>,
    answer: &BMatching<V>,
    sides: &Sides<'_, V>,
) -> Result<Vec<usize>, VerifyError> {
    let mut counts = vec![0u32; edges.len()];
    let mut chosen = Vec::with_capacity(answer.pairs.len());
    let mut last = None;
    for (position, pair) in answer.pairs.iter().enumerate() {
        let (u, v) = (pair.u as usize, pair.v as usize);
        if last >= Some((u, v)) {
            let (found, required) = (Some((u, v)), None);
            return Err(VerifyError::Pair {
                position,
                found,
                required,
            });
        }
        last = Some((u, v));
        let edge = sides.find(u, v)?;
        let (found, required) = (Number::from(pair.weight), Number::from(edges.edges()[edge].weight));
        if found != required {
            return Err(VerifyError::PairWeight { u, v, found, required });
        }
        counts[u] += 1;
        counts[v] += 1;
        chosen.push(edge);
    }
    let is_unknown = matches!(answer.status, Status::Unknown(_));
    for (vertex, &found) in counts.iter().enumerate() {
        let (least, most) = (answer.degrees.least[vertex], answer.degrees.most[vertex]);
        if found > most || found < least && !is_unknown {
            return Err(VerifyError::Degree {
                vertex,
                found,
                least,
                most,
            });
        }
    }
    Ok(chosen)
}

/// Edges and prices on the grid of a certificate, to be minimised.
struct Sides<'a, V: CostValue> {
    edges: &'a EdgeList<V>,
    /// Both ends of each edge and its position, in order.
    positions: Vec<(u32, u32, u32)>,
    costs: Vec<i128>,
    prices: Vec<i128>,
    most: Vec<u32>,
    /// A number that is not on the grid.
    rounded: Option<Number>,
    exponent: i32,
}

impl<'a, V: CostValue> Sides<'a, V> {
    fn new(edges: &'a EdgeList<V>, answer: &BMatching<V>) -> Result<Self, VerifyError> {
        let exponent = answer.certificate.exponent();
        if V::IS_INTEGER && exponent != 0 {
            return Err(VerifyError::Exponent { found: exponent });
        }
        let mut rounded = None;
        let mut units = |value: V| {
            let (units, is_exact) = to_grid(Number::from(value), exponent).ok_or(VerifyError::Overflow)?;
            if !is_exact {
                rounded = rounded.or(Some(Number::from(value)));
            }
            match answer.is_maximum {
                true => units.checked_neg().ok_or(VerifyError::Overflow),
                false => Ok(units),
            }
        };
        let costs = edges
            .iter()
            .map(|(_, _, weight)| units(weight))
            .collect::<Result<_, _>>()?;
        let prices = (0..edges.len())
            .map(|v| units(answer.degrees.price(v)))
            .collect::<Result<_, _>>()?;
        let ends = edges.edges().iter().zip(0..);
        let mut positions: Vec<(u32, u32, u32)> = ends.map(|(edge, position)| (edge.u, edge.v, position)).collect();
        positions.sort_unstable();
        Ok(Self {
            positions,
            costs,
            prices,
            most: degrees::capped(answer.degrees.most(), edges.edges().iter().map(|edge| (edge.u, edge.v))),
            rounded,
            exponent,
            edges,
        })
    }

    /// The position of an edge.
    fn find(&self, u: usize, v: usize) -> Result<usize, VerifyError> {
        let at = self
            .positions
            .binary_search_by_key(&(u, v), |&(u, v, _)| (u as usize, v as usize));
        at.map(|at| self.positions[at].2 as usize)
            .map_err(|_| VerifyError::NotAnEdge { u, v })
    }

    /// Checks the claimed cost; returns what chosen edges and all missing partners cost, on the grid.
    fn check_cost(&self, answer: &BMatching<V>, chosen: &[usize]) -> Result<i128, VerifyError> {
        let degrees = &answer.degrees;
        let mut counts = vec![0u32; self.most.len()];
        let mut units = 0i128;
        let mut terms = Vec::new();
        for &edge in chosen {
            let (u, v, weight) = (self.edges.edges()[edge].u, self.edges.edges()[edge].v, self.costs[edge]);
            counts[u as usize] += 1;
            counts[v as usize] += 1;
            units = units.checked_add(weight).ok_or(VerifyError::Overflow)?;
            terms.push((self.edges.edges()[edge].weight.to_f64(), 1.0));
        }
        for (v, &count) in counts.iter().enumerate() {
            let missing = degrees.most[v] - count;
            let price = self.prices[v].checked_mul(i128::from(missing));
            units = price
                .and_then(|price| units.checked_add(price))
                .ok_or(VerifyError::Overflow)?;
            terms.push((degrees.price(v).to_f64(), f64::from(missing)));
        }
        let told = match answer.is_maximum {
            true => units.checked_neg().ok_or(VerifyError::Overflow)?,
            false => units,
        };
        let found = Number::from(answer.cost);
        let is_right = match (found, self.rounded) {
            (Number::Integer(found), _) => found == told,
            (Number::Float(found), None) => found == from_grid(told, self.exponent),
            (Number::Float(found), Some(_)) => is_sum(found, &terms),
        };
        if !is_right {
            let required = match found {
                Number::Integer(_) => Number::Integer(told),
                Number::Float(_) => Number::Float(from_grid(told, self.exponent)),
            };
            return Err(VerifyError::Cost { found, required });
        }
        Ok(units)
    }

    /// What those partners cost that nobody is there for.
    fn lacking(&self, degrees: &Degrees<V>) -> Result<i128, VerifyError> {
        let lacking = self.most.iter().zip(&degrees.most).zip(&self.prices);
        lacking
            .map(|((&capped, &most), price)| price.checked_mul(i128::from(most - capped)))
            .try_fold(0i128, |sum, price| sum.checked_add(price?))
            .ok_or(VerifyError::Overflow)
    }

    /// Checks the duals, and that the claimed bound and status follow from them.
    fn check_bound(&self, answer: &BMatching<V>, primal: i128) -> Result<(), VerifyError> {
        let doubled = self.inside(answer)?.doubled_bound()?;
        if answer.status == Status::Optimal {
            if let Some(cost) = self.rounded {
                let exponent = self.exponent;
                return Err(VerifyError::OffGrid { cost, exponent });
            }
            // Partners that nobody is there for are missing in any case, and are not for copies to say. What only a limit left
            // missing may cost more than can be doubled.
            let copies = primal.checked_sub(self.lacking(&answer.degrees)?);
            let primal = copies
                .and_then(|units| units.checked_mul(2))
                .ok_or(VerifyError::Overflow)?;
            if primal != doubled {
                return Err(VerifyError::Gap { primal, dual: doubled });
            }
        }
        self.compare(answer, doubled)
    }

    /// The graph that the certificate is about.
    fn inside<'b>(&'b self, answer: &'b BMatching<V>) -> Result<Inside<'b, V>, VerifyError> {
        let degrees = &answer.degrees;
        if let Some(vertex) = (0..self.most.len()).find(|&v| self.most[v] < degrees.least[v]) {
            // There is no such answer, so there is no such graph either.
            return Err(VerifyError::Degree {
                vertex,
                found: self.most[vertex],
                least: degrees.least[vertex],
                most: degrees.most[vertex],
            });
        }
        let mut is_inside = vec![false; self.costs.len()];
        let mut inside = Vec::with_capacity(answer.core.len());
        for &(u, v) in &answer.core {
            let edge = self.find(u as usize, v as usize)?;
            if core::mem::replace(&mut is_inside[edge], true) {
                let (vertex, position) = (u as usize, inside.len());
                return Err(VerifyError::Repeated { position, vertex });
            }
            inside.push(edge);
        }
        let gadget = Gadget::new(&degrees.least, &self.most, &answer.core).map_err(VerifyError::Input)?;
        let certificate = Certificate {
            exponent: 0,
            ..answer.certificate.clone()
        };
        Ok(Inside {
            sides: self,
            is_inside,
            inside,
            gadget,
            certificate,
        })
    }

    /// What no answer can be better than, where twice the cost of the copies is at least so much, on the grid.
    fn bound(&self, answer: &BMatching<V>, doubled: i128) -> Result<Number, VerifyError> {
        let lacking = self
            .lacking(&answer.degrees)?
            .checked_mul(2)
            .ok_or(VerifyError::Overflow)?;
        let doubled = doubled.checked_add(lacking).ok_or(VerifyError::Overflow)?;
        let sign = if answer.is_maximum { -1 } else { 1 };
        let whole = || {
            let whole = doubled.checked_add(1).map(|doubled| sign * doubled.div_euclid(2));
            whole.ok_or(VerifyError::Overflow)
        };
        Ok(match self.rounded {
            _ if V::IS_INTEGER => Number::Integer(whole()?),
            None => Number::Float(from_grid(whole()?, self.exponent)),
            Some(_) => {
                // Each term is off by half a unit at most, and there are no more than all degrees.
                let terms: i128 = answer.degrees.most.iter().map(|&most| i128::from(most)).sum();
                let doubled = doubled.checked_sub(terms).ok_or(VerifyError::Overflow)?;
                let nearest = from_grid(sign * doubled, self.exponent.saturating_sub(1));
                Number::Float(if sign < 0 {
                    nearest.next_up()
                } else {
                    nearest.next_down()
                })
            }
        })
    }

    /// Whether the claimed bound is no better than what follows.
    fn compare(&self, answer: &BMatching<V>, doubled: i128) -> Result<(), VerifyError> {
        let (found, required) = (Number::from(answer.bound), self.bound(answer, doubled)?);
        let sign = if answer.is_maximum { -1 } else { 1 };
        let is_better = match (found, required) {
            (Number::Integer(found), Number::Integer(required)) => sign * found > sign * required,
            (Number::Float(found), Number::Float(required)) => {
                let order = found.partial_cmp(&required);
                order.is_none_or(|order| if sign < 0 { order.is_lt() } else { order.is_gt() })
            }
            _ => true,
        };
        let is_other = answer.status == Status::Optimal && found != required;
        if is_better || is_other {
            return Err(VerifyError::Bound { found, required });
        }
        Ok(())
    }
}

/// The graph that a certificate is about, and the edges that are not in it.
struct Inside<'a, V: CostValue> {
    sides: &'a Sides<'a, V>,
    is_inside: Vec<bool>,
    /// The positions of the edges that it is made of.
    inside: Vec<usize>,
    gadget: Gadget<'a>,
    /// On the grid.
    certificate: Certificate,
}

impl<V: CostValue> Inside<'_, V> {
    /// Twice what copies cost at least, by duals that are checked.
    fn doubled_bound(&self) -> Result<i128, VerifyError> {
        let mut doubled = self.check_duals()?;
        let duals = degrees::duals_of_copies(&self.gadget, &self.certificate);
        for edge in (0..self.is_inside.len()).filter(|&edge| !self.is_inside[edge]) {
            let (u, v) = (self.sides.edges.edges()[edge].u, self.sides.edges.edges()[edge].v);
            // At who may have no partners nothing can be chosen.
            if let (Some(low), Some(high)) = (duals[u as usize], duals[v as usize]) {
                let by = degrees::excess(self.sides.costs[edge], low, high);
                let left = by.and_then(|by| doubled.checked_sub(by));
                doubled = left.ok_or(VerifyError::Overflow)?;
            }
        }
        Ok(doubled)
    }

    /// `sum y + sum z` of duals that are feasible on the graph.
    fn check_duals(&self) -> Result<i128, VerifyError> {
        let (cost, price) = (
            |edge: usize| self.sides.costs[self.inside[edge]],
            |vertex: usize| self.sides.prices[vertex],
        );
        // For many partners each its edges are many times those of the input.
        super::duals::check_shown(self.gadget.vertices(), &self.certificate, |check| {
            let _ = self.gadget.visit(cost, price, check);
        })
    }
}

/// Whether that is the sum of products: the float nearest to it where integers of 128 bits hold it, else within
/// `2^-52` of their absolute sum for each.
fn is_sum(found: f64, products: &[(f64, f64)]) -> bool {
    let terms = |scale: f64| -> Vec<f64> { products.iter().map(|&(one, other)| one * scale * other).collect() };
    if let Some(sum) = exact_sum(&terms(1.0)) {
        return found == sum;
    }
    // Products, and sums of them, may leave the range on the way to a sum that does not: then 2^-64 of them is looked at.
    [1.0, 1.0 / (1_u128 << 64) as f64].iter().any(|&scale| {
        let terms = terms(scale);
        let size: f64 = terms.iter().map(|term| term.abs()).sum();
        let sum: f64 = terms.iter().sum();
        if found.is_infinite() {
            return size.is_finite() && sum / scale == found;
        }
        let tolerance = terms.len() as f64 * f64::EPSILON * size;
        tolerance.is_finite() && (found * scale - sum).abs() <= tolerance
    })
}
