//! Who could be paired with a vertex, and at what cost.

use super::within::{Limit, Sense};
use crate::cost::{Cost, CostValue};
use crate::input::Input;

/// The pairs of an instance by their ends, but for those that are no better than a cost. What was read before is known to be
/// symmetric, and all numbers.
pub(super) struct Neighbours<'a, V> {
    source: Source<'a, V>,
    better_than: V,
    sense: Sense,
    /// Those of the vertex that was asked for last.
    found: Vec<(u32, V)>,
}

enum Source<'a, V> {
    /// Read anew whenever they are asked for.
    Rows {
        cost: &'a dyn Cost<Value = V>,
        row: Vec<V>,
        allowed: Vec<u64>,
    },
    /// Those of vertex `v` at `starts[v]..starts[v + 1]`.
    Lists { starts: Vec<usize>, ends: Vec<(u32, V)> },
}

impl<'a, V: CostValue> Neighbours<'a, V> {
    pub(super) fn new(input: Input<'a, V>, better_than: V, sense: Sense) -> Self {
        let source = match input {
            Input::Pairs(cost) => Source::Rows {
                cost,
                row: vec![V::zero(); cost.len()],
                allowed: vec![u64::MAX; cost.len().div_ceil(64)],
            },
            Input::List(edges) => {
                let limit = Limit::Better(better_than);
                let kept = || edges.iter().filter(|&(.., cost)| limit.leaves(cost, sense));
                let mut starts = vec![0; edges.len() + 1];
                for (u, v, _) in kept() {
                    starts[u] += 1;
                    starts[v] += 1;
                }
                let mut sum = 0;
                for start in &mut starts {
                    sum += *start;
                    *start = sum;
                }
                // Filled from behind, so that where a vertex's end comes to be where they start.
                let mut ends = vec![(0, better_than); sum];
                for (u, v, cost) in kept() {
                    for (from, to) in [(u, v), (v, u)] {
                        starts[from] -= 1;
                        ends[starts[from]] = (to as u32, cost);
                    }
                }
                Source::Lists { starts, ends }
            }
        };
        Self {
            source,
            better_than,
            sense,
            found: Vec::new(),
        }
    }

    /// Those of a vertex.
    pub(super) fn of(&mut self, u: usize) -> &[(u32, V)] {
        let limit = Limit::Better(self.better_than);
        match &mut self.source {
            Source::Lists { starts, ends } => return &ends[starts[u]..starts[u + 1]],
            Source::Rows { cost, row, allowed } => {
                if cost.has_forbidden() {
                    cost.allowed_row(u, allowed);
                }
                let is_allowed = |v: usize| v != u && allowed[v / 64] >> (v % 64) & 1 == 1;
                self.found.clear();
                if cost.may_overflow() {
                    for v in (0..row.len()).filter(|&v| is_allowed(v)) {
                        row[v] = cost.checked_pair(u, v).unwrap_or(self.better_than);
                    }
                } else if cost.as_rows().is_none() {
                    cost.fill_row(u, row);
                }
                let row = match cost.as_rows() {
                    Some(rows) if !cost.may_overflow() => &rows[u * row.len()..][..row.len()],
                    _ => row,
                };
                for (v, &cost) in row.iter().enumerate() {
                    if limit.leaves(cost, self.sense) && is_allowed(v) {
                        self.found.push((v as u32, cost));
                    }
                }
            }
        }
        &self.found
    }
}
