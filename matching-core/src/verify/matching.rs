//! Is it a matching of the input, of the size asked for, and does it cost what is said?

use super::Claim;
use super::error::{Number, VerifyError};
use super::graph::Graph;
use super::grid::exact_sum;
use super::reduced::Reduced;
use crate::blossom::Objective;
use crate::cost::CostValue;
use crate::solution::Status;

/// Checks partners, pairs and the number of unmatched vertices.
pub(super) fn check<V: CostValue>(graph: &Graph<'_, V>, claim: &Claim<'_, V>) -> Result<(), VerifyError> {
    let (n, mates) = (graph.len(), claim.mates);
    if mates.len() != n {
        return Err(VerifyError::Length {
            what: "partners",
            found: mates.len(),
            required: n,
        });
    }
    let mate = |vertex: usize| Some(mates[vertex] as usize).filter(|_| mates[vertex] != u32::MAX);
    let mut listed = claim.pairs.iter();
    for (u, v) in (0..n).filter_map(|u| Some((u, mate(u)?))) {
        if v >= n {
            return Err(VerifyError::VertexOutOfRange { vertex: v, len: n });
        }
        if mate(v) != Some(u) {
            return Err(VerifyError::Asymmetric {
                vertex: u,
                mate: v,
                back: mate(v),
            });
        }
        if u > v {
            continue;
        }
        let position = claim.pairs.len() - listed.len();
        let found = listed.next().map(|edge| (edge.u as usize, edge.v as usize));
        if found != Some((u, v)) {
            return Err(VerifyError::Pair {
                position,
                found,
                required: Some((u, v)),
            });
        }
    }
    let position = claim.pairs.len() - listed.len();
    if let Some(edge) = listed.next() {
        let found = Some((edge.u as usize, edge.v as usize));
        return Err(VerifyError::Pair {
            position,
            found,
            required: None,
        });
    }
    // By now the pairs are lower vertex first and no vertex is in two of them.
    for (pair, weight) in claim.pairs.iter().zip(graph.weights(claim.pairs)) {
        let (u, v) = (pair.u as usize, pair.v as usize);
        let required = weight.ok_or(VerifyError::NotAnEdge { u, v })?;
        if pair.weight != required {
            let (found, required) = (Number::from(pair.weight), Number::from(required));
            return Err(VerifyError::PairWeight { u, v, found, required });
        }
    }
    check_size(claim)
}

fn check_size<V: CostValue>(claim: &Claim<'_, V>) -> Result<(), VerifyError> {
    let allowed = match claim.objective {
        _ if matches!(claim.status, Status::Unknown(_)) => claim.mates.len(),
        Objective::MinPerfect | Objective::MaxPerfect => 0,
        Objective::MinBye(_) => claim.mates.len() % 2,
        Objective::MaxWeight | Objective::MaxCardinality | Objective::MinOptOut(_) => claim.mates.len(),
    };
    let unmatched = || (0..claim.mates.len()).filter(|&vertex| claim.mates[vertex] == u32::MAX);
    match unmatched().nth(allowed) {
        Some(vertex) => Err(VerifyError::Unmatched {
            vertex,
            found: unmatched().count(),
            allowed,
        }),
        None => Ok(()),
    }
}

/// Checks the claimed cost; returns the total on the grid.
///
/// Where costs were rounded to the grid, the claimed cost must be the `f64` nearest to the exact sum of the true
/// costs as long as each of them, and each sum of the first ones, is an `i128` on the grid of the finest, else within
/// `2^-52` of their absolute sum for each term. The solver has the same rule (`numbers.rs`).
pub(super) fn cost<V: CostValue>(reduced: &Reduced<'_, V>, claim: &Claim<'_, V>) -> Result<i128, VerifyError> {
    let (mut units, mut is_exact) = (0i128, reduced.is_exact());
    let mut terms: Vec<f64> = Vec::new();
    let mut add = |term: V, (own, is_own_exact): (i128, bool)| {
        units = units.checked_add(own).ok_or(VerifyError::Overflow)?;
        is_exact &= is_own_exact;
        if let Number::Float(float) = Number::from(term) {
            terms.push(float);
        }
        Ok::<(), VerifyError>(())
    };
    for edge in claim.pairs {
        add(
            edge.weight,
            reduced.edge_units(edge.u as usize, edge.v as usize, edge.weight)?,
        )?;
    }
    for vertex in (0..claim.mates.len()).filter(|&vertex| claim.mates[vertex] == u32::MAX) {
        if let Some(single) = reduced.single(vertex) {
            add(single, reduced.single_units(vertex)?)?;
        }
    }
    let found = Number::from(claim.cost);
    let required = if is_exact {
        reduced.total(units.checked_mul(4).ok_or(VerifyError::Overflow)?)
    } else if let Some(sum) = exact_sum(&terms) {
        Number::Float(sum)
    } else {
        // By shares of them: sums may leave the range on the way to one that does not.
        let down = 1.0 / (terms.len() as f64 + 1.0);
        let (sum, size): (f64, f64) = terms
            .iter()
            .map(|term| term * down)
            .fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
        let tolerance = size * f64::EPSILON * (terms.len() as f64 + 4.0);
        match found {
            Number::Float(found) if found.is_finite() && (found * down - sum).abs() <= tolerance => return Ok(units),
            _ => Number::Float(sum / down),
        }
    };
    if found == required {
        Ok(units)
    } else {
        Err(VerifyError::Cost { found, required })
    }
}
