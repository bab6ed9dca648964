//! Graph files: their weights are what counts, players are numbers.

use matching_core::CostValue;
use matching_core::cost::DenseMatrix;

use super::args::AbsentArg;
use super::problem::{Problem, Scale, Sense};
use super::sizes::Shape;
use matching_core::EdgeList;

/// What the search and its copy of the costs take for a pair, beside the matrix.
pub(super) const SEARCH_BYTES: usize = 8;

/// What the exact method and the check of its proof take for a pair, beside the matrix.
pub(super) const EXACT_BYTES: usize = 40;

/// The matrix of all pairs of an edge list.
pub(super) fn problem<V: CostValue>(
    edges: &EdgeList<V>,
    scale: Scale,
    sense: Sense,
    shape: Shape,
    absent: AbsentArg,
) -> Problem<DenseMatrix<V>> {
    let n = edges.len();
    let mut data = vec![V::zero(); n * n];
    for (u, v, weight) in edges.iter() {
        data[u * n + v] = weight;
        data[v * n + u] = weight;
    }
    let mut cost = DenseMatrix::square(n, data).expect("n rows of n entries");
    if absent == AbsentArg::Forbidden {
        forbid_others(&mut cost, edges);
    }
    Problem {
        cost,
        scale,
        sense,
        shape,
        parties: Vec::new(),
        pins: Vec::new(),
        roles: Vec::new(),
    }
}

/// Forbids the pairs that the list does not have.
fn forbid_others<V: CostValue>(cost: &mut DenseMatrix<V>, edges: &EdgeList<V>) {
    let n = edges.len();
    let mut is_there = vec![false; n * n];
    edges.iter().for_each(|(u, v, _)| is_there[u * n + v] = true);
    for u in 0..n {
        for v in (u + 1..n).filter(|v| !is_there[u * n + v]) {
            cost.forbid_pair(u, v);
        }
    }
}
